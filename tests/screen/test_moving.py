"""Models dragged on the table: as wished, else as near as it is allowed, and always legal."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Move, MoveUnit, Place
from campale.referee.records.record import grained
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset, Setup
from campale.screen.dragging import MOST_POINTS
from campale.screen.moving import MOST_TRIES, planned

STAY: Plain = [[[], None], [[], None]]


@pytest.fixture
def position(raid: Ruleset) -> Position:
    """Row 0 at (5, 2), row 1 at (15, 2)."""
    game = Game(raid, Setup("raid"))
    game.answer(0, [[5.0, 2.0, 0.0], [15.0, 2.0, 0.0]])
    return game.position


def ends(answer: Plain) -> list[list[float]]:
    return [points[-1] if points else [] for points, _ in answer]


def unit(refuses: Any = lambda ways: None, **shown: Plain) -> MoveUnit:
    return MoveUnit(0, "move", refuses, lambda rng: STAY, lambda: [STAY], shown, {"models": [0, 1]})


def no_farther(most: float) -> Any:
    return lambda ways: next((Fault() for points, _ in ways for p in points if p[1] > most), None)


def test_what_is_allowed_is_done_exactly(position: Position) -> None:
    wish: Plain = [[0, 6.0, 4.0, 90.0], [1, 14.0, 4.5, None]]
    assert planned(unit(), position, wish).answer == [[[[6.0, 4.0]], 90.0], [[[14.0, 4.5]], None]]


def test_several_points_of_a_model_are_its_way(position: Position) -> None:
    wish: Plain = [[0, 6.0, 4.0, None], [0, 7.0, 5.0, 45.0]]
    assert planned(unit(), position, wish, STAY).answer == [[[[6.0, 4.0], [7.0, 5.0]], 45.0], [[], None]]


def test_the_others_go_along_or_keep_what_they_have(position: Position) -> None:
    wish = [[0, 5.0, 5.0, None]]
    assert ends(planned(unit(), position, wish).answer) == [[5.0, 5.0], [15.0, 5.0]]
    kept: Plain = [[[], None], [[[15.0, 3.0]], None]]
    assert ends(planned(unit(), position, wish, kept).answer) == [[5.0, 5.0], [15.0, 3.0]]
    assert ends(planned(unit(), position, wish, ["nonsense"]).answer) == [[5.0, 5.0], [15.0, 5.0]]


def test_too_far_is_cut_short_and_the_way_is_kept(position: Position) -> None:
    wish = [[0, 5.0, 14.0, None], [1, 15.0, 14.0, None]]
    (one, other) = ends(planned(unit(no_farther(9.0)), position, wish).answer)
    assert one == [5.0, other[1]]
    assert 8.9 < other[1] <= 9.0
    assert ends(planned(unit(no_farther(99.0), allowance=6.0), position, wish).answer)[0] == [5.0, 14.0]
    corner = planned(unit(no_farther(9.0)), position, [[0, 5.0, 7.0, None], [0, 9.0, 12.0, None]], STAY).answer
    assert corner[0][0][0] == [5.0, 7.0]
    assert corner[0][0][1][1] == pytest.approx(9.0, abs=0.1)


def test_a_way_is_bent_round_what_bars_it(position: Position) -> None:
    def refuses(way: Plain) -> Fault | None:
        points = [(5.0, 2.0), *way[0]]
        middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(points)]
        return next((Fault() for p in middles if math.dist(p, (5.0, 6.0)) < 0.9), None)

    question = Move(0, "move", refuses, lambda rng: [[], None], about={"model": 0})
    found = planned(question, position, [[0, 5.0, 10.0, None]])
    assert found.refusal is None
    assert math.dist(found.answer[0][-1], (5.0, 10.0)) < 0.5


def test_who_may_not_turn_so_goes_without(position: Position) -> None:
    question = unit(lambda ways: next((Fault() for _, facing in ways if facing is not None), None))
    assert planned(question, position, [[0, 5.0, 4.0, 90.0]], STAY).answer == [[[[5.0, 4.0]], None], [[], None]]


def test_who_is_in_the_way_of_something_falls_behind_and_the_others_go_on(position: Position) -> None:
    """Only the first of the two is barred, at y = 4: named, or told by the place on its way."""
    for named in (True, False):

        def refuses(ways: Plain, named: bool = named) -> Fault | None:
            end = ways[0][0][-1] if ways[0][0] else (5.0, 2.0)
            return None if end[1] <= 4.0 else Fault(model=0) if named else Fault((5.0, 4.0))

        wish = [[0, 5.0, 10.0, None], [1, 15.0, 10.0, None]]
        assert ends(planned(unit(refuses), position, wish).answer) == [[5.0, 4.0], [15.0, 10.0]]


def test_who_can_only_turn_is_turned_towards_where_it_is_wanted_as_far_as_it_may(position: Position) -> None:
    """Row 0 looks along +y; 45 degrees are allowed."""

    def refuses(ways: Plain) -> Fault | None:
        points, facing = ways[0]
        return Fault() if points or facing is None or facing > 45.0 else None

    question = MoveUnit(0, "turn", refuses, lambda rng: STAY, None, {"allowance": 0.0, "turn": 45.0}, {"models": [0]})
    assert planned(question, position, [[0, 7.0, 4.0, None]]).answer == [[[], 45.0]]
    assert planned(question, position, [[0, 15.0, 2.0, None]]).answer == [[[], 45.0]]
    assert planned(question, position, [[0, 5.5, 9.0, None]]).answer == [[[], 4.0856]]
    assert planned(question, position, [[0, 5.0, 2.0, 60.0]]).answer == [[[], 45.0]]


def test_a_turn_that_is_too_wide_is_made_as_far_as_it_may(position: Position) -> None:
    def refuses(ways: Plain) -> Fault | None:
        return Fault() if (ways[0][1] or 0.0) > 45.0 else None

    question = MoveUnit(0, "drive", refuses, lambda rng: STAY, None, {"allowance": 6.0, "turn": 45.0}, {"models": [0]})
    assert planned(question, position, [[0, 5.0, 6.0, 90.0]]).answer == [[[[5.0, 6.0]], 45.0]]


def test_what_the_rules_plan_for_all_is_taken_where_straight_on_nothing_goes(position: Position) -> None:
    round_it: Plain = [[[[1.0, 5.0], [5.0, 9.0]], None], [[[19.0, 5.0], [15.0, 9.0]], None]]
    asked = []

    def refuses(ways: Plain) -> Fault | None:
        return None if grained([[list(points), facing] for points, facing in ways]) == round_it else Fault()

    def seeks(goal: Any) -> list[Plain]:
        asked.append(goal)
        return [round_it]

    question = MoveUnit(0, "move", refuses, lambda rng: STAY, None, {}, {"models": [0, 1]}, seeks)
    assert planned(question, position, [[0, 5.0, 10.0, None]]).answer == round_it
    assert asked == [(10.0, 10.0)]


def test_where_nothing_helps_the_wish_is_refused_with_its_reason(position: Position) -> None:
    tried = []

    def refuses(ways: Plain) -> Fault | None:
        tried.append(ways)
        return Fault(word="no") if any(points for points, _ in ways) else None

    found = planned(unit(refuses), position, [[0, 5.0, 9.0, None]])
    assert found.refusal is not None
    assert found.refusal.word == "no"
    assert len(tried) <= MOST_TRIES + 1


def test_way_points_stay_though_a_model_cannot_follow(position: Position) -> None:
    """Row 0 has a corner at (7, 4), and may not end beyond x = 8; row 1 has one at (14, 4). Proposed is another way."""
    straight: Plain = [[[[5.0, 8.9]], None], [[[15.0, 8.9]], None]]

    def refuses(ways: Plain) -> Fault | None:
        points = ways[0][0]
        return Fault((8.0, 4.0)) if points and points[-1][0] > 8.0 else None

    question = MoveUnit(0, "move", refuses, lambda rng: STAY, lambda: [straight], {}, {"models": [0, 1]})
    wish: Plain = [[0, 7.0, 4.0, None], [0, 9.0, 9.0, None], [1, 14.0, 4.0, None], [1, 14.0, 9.0, None]]
    (one, _), (other, _) = planned(question, position, wish).answer
    assert (one[0], other[0]) == ([7.0, 4.0], [14.0, 4.0])
    assert one[1][0] <= 8.0
    kept: Plain = [[[], None], [[[14.0, 4.0], [14.0, 9.0]], None]]
    assert planned(question, position, [[0, 20.0, 9.0, None]], kept).answer[1] == kept[1]


def test_where_no_way_keeps_the_points_it_is_told_which_model_cannot_follow(position: Position) -> None:
    """Row 1 may not go beyond y = 3, which is before its corner; what the rules propose has no corners."""
    straight: Plain = [[[[5.0, 9.0]], None], [[[15.0, 3.0]], None]]

    def refuses(ways: Plain) -> Fault | None:
        return Fault((15.0, 3.5)) if any(p[1] > 3.0 for p in ways[1][0]) else None

    question = MoveUnit(0, "move", refuses, lambda rng: STAY, lambda: [straight], {}, {"models": [0, 1]})
    wish: Plain = [[row, x, y, None] for row, x in ((0, 5.0), (1, 15.0)) for y in (4.0, 9.0)]
    found = planned(question, position, wish)
    assert found.answer == [[[[x, 4.0], [x, 9.0]], None] for x in (5.0, 15.0)]
    assert found.refusal is not None
    assert found.refusal.model == 1


def test_a_place_that_is_taken_is_given_up_for_one_beside_it(position: Position) -> None:
    def refuses(places: Plain) -> Fault | None:
        return next((Fault() for x, y, _ in places if math.dist((x, y), (10.0, 10.0)) < 0.8), None)

    proposal: Plain = [[5.0, 2.0, 30.0], [7.0, 2.0, 30.0]]
    question = Place(0, "deploy", refuses, lambda rng: proposal, lambda: [proposal], about={"models": [0, 1]})
    found = planned(question, position, [[0, 10.0, 10.0, None]], proposal)
    assert found.refusal is None
    assert found.answer[1] == [7.0, 2.0, 30.0]
    assert 0.8 <= math.dist(found.answer[0][:2], (10.0, 10.0)) <= 1.1
    assert found.answer[0][2] == 30.0
    together = planned(question, position, [[0, 15.0, 5.0, 90.0]]).answer
    assert together == [[15.0, 5.0, 90.0], [17.0, 5.0, 90.0]]


@pytest.mark.parametrize("is_kept", [False, True])
def test_who_is_wanted_outside_of_the_area_stands_at_its_nearest_edge(position: Position, is_kept: bool) -> None:
    area = (1.0, 1.0, 19.0, 6.0)

    def refuses(places: Plain) -> Fault | None:
        return next((Fault() for x, y, _ in places if not (area[0] <= x <= area[2] and area[1] <= y <= area[3])), None)

    far: Plain = [[18.0, 2.0, 0.0]]
    about = {"models": [0]}
    question = Place(0, "deploy", refuses, lambda rng: far, lambda: [far], {"area": list(area)}, about)
    kept: Plain = [[4.0, 12.0, 0.0]] if is_kept else None
    assert planned(question, position, [[0, 4.0, 12.0, None]], kept).answer == [[4.0, 6.0, 0.0]]
    assert planned(question, position, [[0, -3.0, 9.0, None]], kept).answer == [[1.0, 6.0, 0.0]]
    anywhere = Place(0, "deploy", refuses, lambda rng: far, lambda: [far], about=about)
    assert planned(anywhere, position, [[0, 4.0, 12.0, None]], far).answer[0][1] == pytest.approx(6.0, abs=0.1)


def test_several_come_into_the_area_as_they_stand(position: Position) -> None:
    def refuses(places: Plain) -> Fault | None:
        return next((Fault() for _, y, _ in places if y > 6.0), None)

    proposal: Plain = [[5.0, 2.0, 0.0], [7.0, 3.0, 0.0]]
    shown: Plain = {"area": [0.0, 0.0, 20.0, 6.0]}
    question = Place(0, "deploy", refuses, lambda rng: proposal, lambda: [proposal], shown, {"models": [0, 1]})
    found = planned(question, position, [[0, 9.0, 9.0, None]])
    assert found.answer == [[9.0, 5.0, 0.0], [11.0, 6.0, 0.0]]


@pytest.mark.parametrize(
    "wish",
    [
        [],
        [[7, 1.0, 1.0, None]],
        [[0, 1.0, None, None]],
        [[0, 1.0, 1.0]],
        [[0, math.inf, 1.0, None]],
        [[0, math.nan, 1.0, None]],
        [[0, 1.0, 1.0, "n"]],
        [[0, 1.0, 1.0, None]] * (2 * MOST_POINTS + 1),
        "wish",
    ],
)
def test_a_wish_that_cannot_be_read_is_refused(position: Position, wish: Any) -> None:
    assert planned(unit(), position, wish).refusal is not None


def test_only_moves_and_places_are_planned(position: Position) -> None:
    assert planned(Choose(0, "who", [0, 1], "model"), position, [[0, 1.0, 1.0, None]]).refusal is not None
