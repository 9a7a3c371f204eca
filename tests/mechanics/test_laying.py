"""Scenery drawn and laid, by lot and in turn."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from campale.mechanics.script_form import run
from campale.mechanics.setup.laying import (
    from_the_middle,
    grid,
    kind_and_place,
    kind_and_place_by_lot,
    lay,
    place_question,
    placed,
)
from campale.mechanics.setup.scenery import (
    LaidPiece,
    Layout,
    drawn_piece,
    is_on_table,
    laid_out,
    lies_in,
    piece_in_file,
)
from campale.referee.position import Position
from campale.referee.question import Aim
from campale.referee.reading import FileError
from campale.referee.refusal import Fault, Plain
from campale.table.outlines import box, rectangle
from campale.table.shapes import Point
from campale.table.terrain import Ground, Piece
from tests.referee.toy import RULESET
from tests.rulesets.played import play

PLACES: list[Plain] = [[1.0, 1.0, 0.0], [5.0, 1.0, 90.0], [9.0, 1.0, 0.0]]


# ---------------------------------------------------------------- pieces


def test_a_piece_of_whatever_form_has_only_tags_of_the_book() -> None:
    plain: dict[str, Any] = {"name": "rock", "outline": [[0, 0], [2, 0], [2, 2], [0, 2]], "tags": ["steep"]}
    made = drawn_piece(plain, ("steep", "flat"))
    assert (made.name, made.kind, made.tags, box(made.outline)) == ("rock", "piece", ("steep",), (0, 0, 2, 2))
    with pytest.raises(FileError, match=r"^rock: a piece has no tag 'steep'\. Did you mean 'step'\?"):
        drawn_piece(plain, ("step",))


class Tower(LaidPiece, frozen=True, forbid_unknown_fields=True):
    tall: float = 3.0


def tower(row: Tower, centre: Point, turn: float, name: str) -> Piece:
    return Piece(name or row.kind, row.kind, rectangle(*centre, *(row.size or (2.0, 2.0)), turn), row.tall)


def test_a_book_adds_fields_to_the_pieces_of_its_files() -> None:
    made = piece_in_file({"kind": "tower", "at": [10, 10], "size": [4, 2], "tall": 5}, (), Tower, tower)
    assert (made.name, made.top, box(made.outline)) == ("tower", 5.0, (8.0, 9.0, 12.0, 11.0))
    drawn = {"name": "rock", "outline": [[0, 0], [2, 0], [2, 2], [0, 2]]}
    assert piece_in_file(drawn, (), Tower, tower).name == "rock"
    plan = msgspec.convert({"name": {"en": "A", "it": "A"}, "pieces": [{"kind": "tower", "at": [1, 1]}]}, Layout[Tower])
    assert [one.top for one in laid_out(plan, (72.0, 48.0), tower)] == [3.0]
    with pytest.raises(msgspec.ValidationError, match="unknown field `high`"):
        piece_in_file({"kind": "tower", "at": [1, 1], "high": 2}, (), Tower, tower)


class Row(msgspec.Struct, frozen=True):
    kind: str
    centre: Point
    turn: float = 0.0


class Plan(msgspec.Struct, frozen=True):
    pieces: tuple[Row, ...]
    turned: bool = False


@pytest.mark.parametrize("turned", [False, True])
def test_a_layout_is_laid_out_once_or_turned_half_round_as_well(turned: bool) -> None:
    plan = Plan((Row("wood", (10.0, 10.0), 30.0), Row("wall", (30.0, 12.0))), turned)

    def piece(row: Row, centre: Point, turn: float, name: str) -> Piece:
        return Piece(f"{name} {centre} {turn:g}", row.kind, rectangle(*centre, 4.0, 2.0, turn))

    once = ["wood-1 (10.0, 10.0) 30", "wall-2 (30.0, 12.0) 0"]
    twice = [once[0], "wood-2 (62.0, 38.0) 210", "wall-3 (30.0, 12.0) 0", "wall-4 (42.0, 36.0) 180"]
    assert [one.name for one in laid_out(plan, (72.0, 48.0), piece)] == (twice if turned else once)


@pytest.mark.parametrize(("x", "y", "inside"), [(2, 1, True), (18, 9, True), (1.99, 1, False), (18, 9.01, False)])
def test_a_piece_lies_in_an_area_with_all_of_it_and_may_touch_its_edge(x: float, y: float, inside: bool) -> None:
    piece = Piece("wall", "wall", rectangle(x, y, 4.0, 2.0))
    assert lies_in(piece, (0.0, 0.0, 20.0, 10.0)) is inside
    assert is_on_table(piece, Ground(20.0, 10.0)) is inside


# ---------------------------------------------------------------- places


def test_a_grid_has_every_turn_in_the_middle_of_every_whole_square() -> None:
    assert list(grid((10.0, 0.0, 19.0, 5.0), 4.0, (0.0, 90.0))) == [
        (12.0, 2.0, 0.0),
        (12.0, 2.0, 90.0),
        (16.0, 2.0, 0.0),
        (16.0, 2.0, 90.0),
    ]


def test_places_are_suggested_from_the_middle_of_the_list_on() -> None:
    assert from_the_middle([1, 2, 3, 4, 5]) == [3, 4, 5, 1, 2]
    assert from_the_middle([]) == []
    assert placed([3.0, 4.0]) == placed((3.0, 4.0, 0.0)) == (3.0, 4.0, 0.0)


def too_far(at: tuple[float, ...]) -> Fault | None:
    return Fault((at[0], at[1]), at[0], 6.0) if at[0] > 6.0 else None


def test_what_is_laid_may_lie_anywhere_that_is_not_refused() -> None:
    asked = place_question(1, "scenery-place", lambda: PLACES, too_far, lambda: from_the_middle(PLACES), piece="wood")
    assert (asked.side, asked.shown) == (1, {"piece": "wood"})
    assert asked.refusal([5.9, 3.3, 45.0]) is None
    assert asked.refusal([6.1, 3.3, 45.0]) is not None
    assert asked.suggestions()[0] == [5.0, 1.0, 90.0]
    assert {asked.sample(Random(str(seed)))[0] for seed in range(20)} >= {1.0, 5.0}


def where(kind: str) -> Aim:
    return place_question(0, "scenery-place", lambda: PLACES, too_far, piece=kind)


def test_a_player_names_a_kind_and_then_its_place() -> None:
    def script() -> Any:
        return kind_and_place(0, ("wood", "wall"), where)

    kind, _ = run(script, [])
    assert kind is not None
    assert (kind.prompt, kind.suggestions()) == ("scenery-kind", ["wood", "wall"])
    place, _ = run(script, ["wall"])
    assert isinstance(place, Aim)
    assert place.shown == {"piece": "wall"}
    assert run(script, ["wall", (4.0, 4.0)]) == (None, ("wall", (4.0, 4.0, 0.0)))


@pytest.mark.parametrize(("dice", "found"), [("0 1", ("wood", (5.0, 1.0, 90.0))), ("1 0", ("wall", (9.0, 1.0, 0.0)))])
def test_lots_draw_a_kind_and_then_one_of_its_places(dice: str, found: tuple[Any, ...]) -> None:
    by_kind = {"wood": PLACES, "wall": PLACES[2:]}
    assert play(kind_and_place_by_lot(tuple(by_kind), lambda kind: by_kind[kind]), dice).value == found


def test_a_piece_that_is_laid_is_on_the_table_and_in_the_journal() -> None:
    position = Position(RULESET, Ground(20.0, 10.0))
    lay(position, Piece("wall-1", "wall", rectangle(5.0, 5.0, 4.0, 2.0)))
    assert [one.name for one in position.ground.pieces] == ["wall-1"]
