"""Units set down in formation: each as it is called, turned as one body, no farther apart than they may be."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from campale.referee.game import Game
from campale.referee.looks import Command
from campale.referee.position import Position
from campale.referee.question import MoveUnit, Place
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset, Setup
from campale.screen.dragging import Wish
from campale.screen.forming import FORMATIONS, LOOSE, USUAL, Formation, formed, leader_among, read_formation
from campale.screen.moving import planned
from campale.table.formations import led, wedge

PROPOSAL: Plain = [[5.0, 2.0, 90.0], [7.0, 2.0, 90.0]]


@pytest.fixture
def position(raid: Ruleset) -> Position:
    """Rows 0 and 1, bases of radius 1."""
    game = Game(raid, Setup("raid"))
    game.answer(0, [[5.0, 2.0, 0.0], [15.0, 2.0, 0.0]])
    return game.position


def question(refuses: Any = lambda places: None, **shown: Plain) -> Place:
    return Place(0, "deploy", refuses, lambda rng: PROPOSAL, lambda: [PROPOSAL], shown, {"models": [0, 1]})


def width(position: Position) -> float:
    return 2.0 * position.model(0).solid.shape.radius  # type: ignore[union-attr]


def test_a_line_stands_side_by_side_about_the_point_and_looks_one_way(position: Position) -> None:
    found = planned(question(), position, [[0, 10.0, 10.0, 0.0]], None, Formation("line", 1.0)).answer
    far = width(position) + 1.0
    assert found == [[10.0 - far / 2, 10.0, 0.0], [10.0 + far / 2, 10.0, 0.0]]


def test_a_formation_is_turned_as_one_body_and_looks_as_proposed_where_nobody_says(position: Position) -> None:
    found = planned(question(), position, [[1, 10.0, 10.0, None]], None, Formation("line", 1.0)).answer
    far = width(position) + 1.0
    assert found == [[10.0, 10.0 + far / 2, 90.0], [10.0, 10.0 - far / 2, 90.0]]


def test_two_ranks_and_a_wedge_stand_one_behind_the_other(position: Position) -> None:
    for name in ("two-ranks", "wedge"):
        (one, other) = planned(question(), position, [[0, 10.0, 10.0, 0.0]], None, Formation(name, 0.5)).answer
        assert one[0] == other[0] == 10.0
        assert one[1] - other[1] == pytest.approx(width(position) + 0.5)


class Led:
    """A model of a row of a ruleset in which one of a unit may command it, or its neighbour."""

    def __init__(self, row: int, reach: Command | None) -> None:
        self.row, self.reach = row, reach
        self.unit = SimpleNamespace(row=7)
        self.position = SimpleNamespace(ruleset=SimpleNamespace(commands=lambda model: model.reach))


@pytest.mark.parametrize(("units", "leader"), [((7,), 0), ((3, 7), 0), ((3,), None), ((), None)])
def test_only_who_commands_its_own_unit_is_its_leader(units: tuple[int, ...], leader: int | None) -> None:
    models: Any = [Led(0, Command(5.0, "squads/coherency", units)), Led(1, None)]
    assert leader_among(models) == leader


def test_a_ruleset_without_commanders_has_no_leader(position: Position) -> None:
    assert leader_among([position.model(0), position.model(1)]) is None


def test_the_leader_gets_the_middle_and_the_others_keep_their_order() -> None:
    line = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]
    assert led(line, 0) == [(2.0, 0.0), (0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (4.0, 0.0)]
    assert led(line, 4) == [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (4.0, 0.0), (2.0, 0.0)]
    assert led(line, None) == led(line, 2) == line
    assert led(line[:4], 0)[0] == (1.0, 0.0), "of two as near, the first"


def test_a_loose_formation_is_as_loose_as_coherency_lets_it(position: Position) -> None:
    def gap(name: str, **shown: Plain) -> float:
        wishes = formed(question(**shown), position, Wish([(10.0, 10.0)], 0.0), Formation(name))
        return math.dist(wishes[0].points[0], wishes[1].points[0]) - width(position)

    assert gap("line") == pytest.approx(USUAL * width(position), abs=0.001)
    assert gap("loose") == pytest.approx(LOOSE * width(position), abs=0.001)
    assert gap("loose", coherency=0.5) == pytest.approx(0.45, abs=0.001)
    assert gap("loose", coherency=99.0) == pytest.approx(LOOSE * width(position), abs=0.001)


def test_who_is_refused_its_place_goes_aside_and_the_other_keeps_it(position: Position) -> None:
    def refuses(places: Plain) -> Fault | None:
        return Fault(model=1) if math.dist(places[1][:2], (12.0, 10.0)) < 0.7 else None

    free = planned(question(), position, [[0, 10.0, 10.0, 0.0]], None, Formation("line", 4.0 - width(position)))
    assert free.answer == [[8.0, 10.0, 0.0], [12.0, 10.0, 0.0]]
    found = planned(question(refuses), position, [[0, 10.0, 10.0, 0.0]], None, Formation("line", 4.0 - width(position)))
    assert found.refusal is None
    assert found.answer[0] == [8.0, 10.0, 0.0] or math.dist(found.answer[0][:2], (8.0, 10.0)) <= 0.75
    assert math.dist(found.answer[1][:2], (12.0, 10.0)) >= 0.7


def test_only_what_is_set_down_has_a_formation(position: Position) -> None:
    stay: Plain = [[[], None], [[], None]]
    move = MoveUnit(0, "move", lambda ways: None, lambda rng: stay, lambda: [stay], {}, {"models": [0, 1]})
    assert planned(move, position, [[0, 10.0, 10.0, None]], None, Formation("line")).refusal is not None


@pytest.mark.parametrize(
    ("name", "spacing"), [("square", None), (None, None), (3, 1.0), ("line", -0.1), ("line", math.inf), ("line", "1")]
)
def test_a_formation_that_cannot_be_read_is_none(name: Any, spacing: Any) -> None:
    assert read_formation(name, spacing) is None


def test_those_that_are_known_are_read() -> None:
    assert [read_formation(name, None) for name in FORMATIONS] == [Formation(name) for name in FORMATIONS]
    assert read_formation("line", 0) == Formation("line", 0.0)


def test_a_wedge_has_its_point_foremost_and_grows_by_one() -> None:
    places = wedge(6, 1.0, (0.0, 0.0))
    assert [sum(y == row for _, y in places) for row in (1.0, 0.0, -1.0)] == [1, 2, 3]
    assert places[0] == (0.0, 1.0)
    assert wedge(2, 1.0, (0.0, 0.0)) == ((0.0, 0.5), (0.0, -0.5))
