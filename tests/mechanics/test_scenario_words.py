"""What scenario files of every book know: profiles with changes, the usual moment, and what cannot be."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import msgspec
import pytest

from campale.mechanics.setup.edges import edge_of, take_edges
from campale.mechanics.setup.scenarios import (
    check_apart,
    check_carried,
    check_free_of,
    check_numbers,
    check_words,
    described_weapon,
    face_each_other,
    names_in,
    profile_known,
    take_usual,
    take_usual_edges,
    with_changes,
)
from campale.referee.position import Model, Position
from campale.referee.ruleset import Setup
from campale.table.outlines import contains, rectangle
from campale.table.terrain import Piece
from tests.referee.toy import RULESET, set_out


class Profile(msgspec.Struct, frozen=True):
    name: str
    speed: int = 6
    capacity: int = 0


@pytest.fixture
def position() -> Position:
    """Two models a side: the first side's at (4, 10) and (7, 10)."""
    return set_out(RULESET, Setup("toy"))


def test_names_are_the_constants_that_are_texts() -> None:
    module = ModuleType("counts")
    module.__dict__.update(WOUNDS="wounds", TWO=2, lower="lower", LED_BY="led-by")
    assert names_in(module) == ("wounds", "led-by")


def test_a_profile_is_taken_by_name_and_fields_are_changed_to_what_they_can_be() -> None:
    known = {"rider": Profile("rider", 9)}
    rider = profile_known("rider", known)
    assert with_changes(rider, {}) is rider
    assert with_changes(rider, {"speed": 3}) == Profile("rider", 3)
    with pytest.raises(ValueError, match=r"no profile 'ridder'\. Did you mean 'rider'\?"):
        profile_known("ridder", known)
    with pytest.raises(ValueError, match=r"a profile has no sped\. Did you mean 'speed'\?"):
        with_changes(rider, {"sped": 3})
    with pytest.raises(msgspec.ValidationError):
        with_changes(rider, {"speed": "fast"})


@pytest.mark.parametrize(
    ("plain", "found"),
    [
        ({"range": 24}, {"title": {"en": "gun", "it": "gun"}, "lines": [{"range": 24}]}),
        ({"title": "A", "range": 24}, {"title": "A", "lines": [{"range": 24}]}),
        ({"lines": [1, 2]}, {"title": {"en": "gun", "it": "gun"}, "lines": [1, 2]}),
        ({"title": "A", "lines": []}, {"title": "A", "lines": []}),
    ],
)
def test_a_weapon_is_described_whole_or_by_its_one_line(plain: dict[str, Any], found: dict[str, Any]) -> None:
    assert described_weapon("gun", plain, "lines") == found


# ---------------------------------------------------------------- the moment


def test_what_a_file_leaves_out_is_as_usual(position: Position) -> None:
    take_usual(position, {"turn": 9, "phase": "first"})
    assert (position.now["turn"], position.now["phase"]) == (1, "first")
    take_usual_edges(position)
    assert (edge_of(position, 0), edge_of(position, 1)) == ("south", "north")
    take_edges(position, 0, "west")
    take_usual_edges(position)
    assert (edge_of(position, 0), edge_of(position, 1)) == ("west", "east")


def test_whoever_looks_nowhere_else_looks_at_the_other_side(position: Position) -> None:
    for row, facing in enumerate((0.0, 45.0, 0.0, 45.0)):
        position.facing[row] = facing
    face_each_other(position)
    assert [float(position.facing[m.row]) for m in position.models] == [0.0, 45.0, 180.0, 45.0]


@pytest.mark.parametrize(("side", "is_known"), [(0, True), (1, True), (2, False), (True, False), ("0", False)])
def test_words_of_the_moment_are_among_those_there_are(position: Position, side: Any, is_known: bool) -> None:
    position.now["side"] = side
    known = {"side": (0, 1), "first": (0, 1)}
    if is_known:
        check_words(position, known)
    else:
        with pytest.raises(ValueError, match=r"side cannot be .*, only one of 0, 1"):
            check_words(position, known)


@pytest.mark.parametrize(
    ("turn", "is_known"), [(1, True), (6, True), (0, False), (7, False), (True, False), (2.0, False)]
)
def test_numbers_of_the_moment_are_whole_and_within_bounds(position: Position, turn: Any, is_known: bool) -> None:
    position.now["turn"] = turn
    if is_known:
        check_numbers(position, ("turn", "round"), 1, 6)
    else:
        with pytest.raises(ValueError, match=r"turn cannot be .*, only a whole number from 1 to 6"):
            check_numbers(position, ("turn", "round"), 1, 6)


# ---------------------------------------------------------------- places


def test_nobody_stands_on_another(position: Position) -> None:
    check_apart(position)
    position.models[0].move_to(6.4, 10.0)
    with pytest.raises(ValueError, match=r"^0-0 and 0-1 overlap$"):
        check_apart(position)
    check_apart(position, lambda one, other: False)


def test_nobody_stands_in_what_is_impassable(position: Position) -> None:
    rock = Piece("rock", "rock", rectangle(7.0, 10.0, 1.0, 1.0))

    def is_in(model: Model, piece: Piece) -> bool:
        return contains(piece.outline, *model.at)

    check_free_of(position, (), is_in)
    with pytest.raises(ValueError, match=r"^0-1 stands in rock, which is impassable$"):
        check_free_of(position, (rock,), is_in)


@pytest.mark.parametrize("capacity", [0, 3])
def test_only_what_has_a_capacity_carries(position: Position, capacity: int) -> None:
    cart = position.add_model("cart", Profile("cart", capacity=capacity), 0, position.units[0])
    check_carried(position)
    position.take_off(position.models[0], aboard_of=cart)
    if capacity:
        check_carried(position)
    else:
        with pytest.raises(ValueError, match=r"^0-0 is aboard cart, which cannot carry models$"):
            check_carried(position)
