"""Whole units in the terminal: moved and placed together, listed, and told in few words."""

from __future__ import annotations

import pytest

from campale.cli import whole
from campale.cli.typed import NotUnderstood, Typed
from campale.referee.game import Game
from campale.referee.question import Choose, MoveUnit, Place
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.telling.teller import Teller

STAY: Plain = [[[], None], [[], None]]


@pytest.fixture
def typed(raid: Ruleset) -> Typed:
    """A1 at (5, 2), A2 at (15, 2)."""
    game = Game(raid, Setup("raid"))
    game.answer(0, [[5.0, 2.0, 0.0], [15.0, 2.0, 0.0]])
    return Typed(game.position, Teller.of(game))


def move(most_y: float = 9.0, allowance: float = 8.0) -> MoveUnit:
    """Nothing beyond a line across the table."""

    def refuses(ways: Plain) -> Fault | None:
        return next((Fault(measured=p[1]) for points, _ in ways for p in points if p[1] > most_y), None)

    aside: Plain = [[[[6.0, 2.0]], None], [[[16.0, 2.0]], None]]
    shown: dict[str, Plain] = {"allowance": allowance}
    return MoveUnit(0, "move", refuses, lambda rng: STAY, lambda: [STAY, aside], shown, {"models": [0, 1]})


def ends(answer: Plain) -> list[list[float]]:
    return [points[-1] for points, _ in answer]


def test_a_direction_moves_all_of_them(typed: Typed) -> None:
    assert ends(typed.answer(move(), "6 n", STAY)) == [[5, 8], [15, 8]]
    assert ends(typed.answer(move(), "3 90", STAY)) == [[8, 2], [18, 2]]
    assert ends(typed.answer(move(), "2″ o", STAY)) == [[3, 2], [13, 2]]


def test_a_point_is_for_the_middle_of_all_and_a_numbered_model_takes_the_others_along(typed: Typed) -> None:
    assert ends(typed.answer(move(), "to 10,5", STAY)) == [[5, 5], [15, 5]]
    assert ends(typed.answer(move(), "1 to 15,4 all", STAY)) == [[5, 4], [15, 4]]
    assert typed.answer(move(), "1 to 15,4", STAY) == [[[], None], [[[15, 4]], None]]
    assert typed.answer(move(), "resta", STAY) == STAY


def test_they_go_as_far_as_is_allowed(typed: Typed) -> None:
    """Of the 8 inches allowed towards y = 22 there is room for 7 up to y = 9."""
    (one, other) = ends(typed.answer(move(), "to 10,22", STAY))
    assert one[1] == other[1] == pytest.approx(9.0, abs=0.1)
    assert ends(typed.answer(move(allowance=3.0), "to 10,22", STAY))[0] == [5, 5]


def test_where_straight_on_nothing_is_allowed_a_suggestion_that_helps_is_taken(typed: Typed) -> None:
    aside: Plain = [[[[6.0, 2.0]], None], [[[16.0, 2.0]], None]]

    def refuses(ways: Plain) -> Fault | None:
        return None if [[[list(p) for p in points], facing] for points, facing in ways] == aside else Fault()

    narrow = MoveUnit(0, "move", refuses, lambda rng: STAY, lambda: [aside], {}, {"models": [0, 1]})
    assert ends(typed.answer(narrow, "4 ne", STAY)) == [[6, 2], [16, 2]]
    with pytest.raises(NotUnderstood, match="closer"):
        typed.answer(narrow, "4 nw", STAY)
    with pytest.raises(NotUnderstood):
        typed.answer(move(), "to the moon", STAY)


def test_places_about_a_point_keep_the_formation_and_look_for_room(typed: Typed) -> None:
    def refuses(places: Plain) -> Fault | None:
        return Fault() if any(x < 4 for x, _, _ in places) else None

    place = Place(0, "deploy", refuses, lambda rng: [], about={"models": [0, 1]})
    proposal: Plain = [[5.0, 2.0, 0.0], [7.0, 2.0, 0.0]]
    assert typed.answer(place, "at 20,10", proposal) == [[19, 10, 0], [21, 10, 0]]
    assert typed.answer(place, "at 20,10,90", proposal) == [[19, 10, 90], [21, 10, 90]]
    assert typed.answer(place, "at 4,10", proposal)[0][0] == pytest.approx(4.0)


def test_what_a_choice_leaves_out_is_told_by_its_reason(typed: Typed) -> None:
    question = Choose(0, "who", [0, 1], "model", lambda key: Fault(rule="move/allowance") if key else None)
    assert whole.reasons(question, typed.teller) == {"How far a model moves [move/allowance]": ["A2"]}


def test_the_units_are_listed(typed: Typed) -> None:
    (line,) = whole.units_told(typed.position, typed.teller)
    assert line.startswith("Red  ")
    assert "(2)  (10; 2)  #0–1" in line


def test_a_unit_is_set_down_in_formation(typed: Typed) -> None:
    proposal: Plain = [[5.0, 2.0, 90.0], [9.0, 2.0, 90.0]]
    question = Place(0, "deploy", lambda p: None, lambda rng: proposal, lambda: [proposal], {}, {"models": [0, 1]})
    wide = 2.0 * typed.position.model(0).solid.shape.radius  # type: ignore[union-attr]
    line = typed.answer(question, "form line at 10,5 facing 0 spaced 1", proposal)
    assert line == [[10 - (wide + 1) / 2, 5, 0], [10 + (wide + 1) / 2, 5, 0]]
    assert typed.answer(question, "schiera linea a 10,5 fronte 0 spazio 1", proposal) == line
    ranks = typed.answer(question, "form two ranks spaced 2", proposal)
    assert [one[1] for one in ranks] == [2, 2]
    assert [one[0] for one in ranks] == [7 + (wide + 2) / 2, 7 - (wide + 2) / 2]
    with pytest.raises(NotUnderstood):
        typed.answer(question, "form square", proposal)
    nowhere = Place(0, "deploy", lambda p: Fault(), lambda rng: proposal, list, {}, {"models": [0, 1]})
    with pytest.raises(NotUnderstood, match="room"):
        typed.answer(nowhere, "form wedge", proposal)
