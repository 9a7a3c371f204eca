"""Models put down: what is asked of each place and of all of them, the search for room, crowding about the first."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from campale.mechanics.moves import coherency, move_paths
from campale.mechanics.moves.crowd import crowd, is_legal
from campale.mechanics.moves.move_paths import Barred, surroundings
from campale.mechanics.moves.placing import (
    Fits,
    PlacedModel,
    PlacedUnit,
    PlacingRules,
    Putting,
    Spot,
    anything_fits,
    arranged,
    first_room,
    lattice,
    place_question,
    put_down,
)
from campale.referee.position import TABLE, Model, Position
from campale.referee.question import Place
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.table.measure import gap
from campale.table.outlines import rectangle
from campale.table.shapes import Solid
from campale.table.terrain import Ground, Piece
from tests.referee.toy import RULESET
from tests.rulesets.played import play

LINK, FROM_ENEMIES = 2.0, 1.0
EVERYWHERE = lattice((0.0, 0.0, 72.0, 48.0))


# ---------------------------------------------------------------- a book


def barred(model: Model) -> Barred:
    others = [one for one in model.position.on_table() if one.unit != model.unit]
    gaps = [FROM_ENEMIES if one.side != model.side else 0.0 for one in others]
    return surroundings(model, model.solid.shape, others, gaps, model.position.ground)


@rule("toy/edge")
def over_the_edge(placed: PlacedModel) -> Fault | None:
    return move_paths.over_the_edge(placed)


@rule("toy/enemy")
def near_an_enemy(placed: PlacedModel) -> Fault | None:
    other = placed.met.other if placed.met is not None else None
    return None if other is None else Fault(placed.spot[:2], placed.gap_to(other), FROM_ENEMIES, other.row)


@rule("toy/piece")
def on_a_piece(placed: PlacedModel) -> Fault | None:
    return move_paths.over_a_piece(placed)


@rule("toy/base")
def on_each_other(placed: PlacedUnit) -> Fault | None:
    return coherency.on_each_other(placed.models, placed.solids)


@rule("toy/together")
def scattered(placed: PlacedUnit) -> Fault | None:
    """Judged in the position that is supposed, in which all of them stand on the table."""
    unit = placed.supposed
    there = [model for model in unit.position.on_table() if model.unit.row == unit.row]
    return None if coherency.is_together([model.solid for model in there], LINK) else Fault()


RULES = PlacingRules(barred, lambda unit: LINK, (over_the_edge, near_an_enemy, on_a_piece), (on_each_other, scattered))


def squad(count: int = 5, *others: tuple[int, float, float], pieces: Sequence[Piece] = ()) -> Position:
    """Unit 0, of bases an inch wide, is nowhere yet; others are on the table: side, x, y."""
    position = Position(RULESET, Ground(72.0, 48.0, tuple(pieces)))
    unit = position.add_unit("squad", 0)
    for number in range(count):
        position.add_model(f"{number}", None, 0, unit)
    for side, x, y in others:
        other = position.add_model("other", None, side, position.add_unit("others", side), TABLE)
        position.move_to(other, x, y)
    return position


def putting_of(position: Position, fits: Fits = anything_fits) -> Putting:
    models = tuple(m for m in position.models if m.unit.row == 0)
    return Putting(RULES, models[0].unit, models, fits)


def question(position: Position, fits: Fits = anything_fits) -> Place:
    return place_question(putting_of(position, fits), "deploy", EVERYWHERE)


def in_row(x: float, y: float, count: int = 5, step: float = 2.0, facing: float = 0.0) -> list[Spot]:
    return [(x + k * step, y, facing) for k in range(count)]


def refused(asked: Place, there: Sequence[Spot]) -> str:
    refusal = asked.refusal([list(spot) for spot in there])
    return "" if refusal is None else refusal.rule


# ---------------------------------------------------------------- what is asked of places

WALL = Piece("wall", "wall", rectangle(20.0, 24.0, 8.0, 1.0))


@pytest.mark.parametrize(
    ("there", "cited"),
    [
        (in_row(10, 0.5), ""),
        (in_row(10, 0.4), "toy/edge"),
        (in_row(16, 28.0), ""),
        (in_row(16, 28.1), "toy/enemy"),
        (in_row(16, 23.0), ""),
        (in_row(16, 23.1), "toy/piece"),
        (in_row(40, 20, step=1.0), ""),
        (in_row(40, 20, step=0.9), "toy/base"),
        (in_row(40, 20, step=3.0), ""),
        (in_row(40, 20, step=3.1), "toy/together"),
    ],
)
def test_every_place_is_judged_and_then_all_of_them(there: list[Spot], cited: str) -> None:
    asked = question(squad(5, (1, 20.0, 30.0), pieces=[WALL]))
    assert refused(asked, there) == cited


def test_a_refusal_tells_how_near_is_too_near() -> None:
    refusal = question(squad(1, (1, 20.0, 30.0))).refusal([[20.0, 28.1, 0.0]])
    assert refusal is not None
    assert (refusal.measured, refusal.limit, refusal.model) == (0.9, 1.0, 1)


def test_those_of_the_unit_that_are_on_the_table_already_count_as_together_with_it() -> None:
    position = squad(3)
    model = position.model(0)
    position.move_to(model, 10.0, 10.0)
    position.where[0] = TABLE
    rest = putting_of(position)._replace(models=tuple(position.models[1:]))
    asked = place_question(rest, "deploy", EVERYWHERE)
    assert refused(asked, [(12.0, 10.0, 0.0), (14.0, 10.0, 0.0)]) == ""
    assert refused(asked, [(22.0, 10.0, 0.0), (24.0, 10.0, 0.0)]) == "toy/together"


def in_the_south(model: Model, spot: Spot) -> Fault | None:
    return Fault(spot[:2], rule="toy/zone") if spot[1] > 12 else None


def test_whoever_puts_a_unit_down_says_where_it_may_be() -> None:
    asked = question(squad(), in_the_south)
    assert refused(asked, in_row(16, 12)) == ""
    assert refused(asked, in_row(16, 12.5)) == "toy/zone"
    answers = [*asked.suggestions(), *(asked.sample(Random(k)) for k in range(9))]
    assert [refused(asked, there) for there in answers] == [""] * len(answers)


# ---------------------------------------------------------------- the search for room


def test_what_is_suggested_and_sampled_is_legal() -> None:
    asked = question(squad(6, (1, 30.0, 20.0), (0, 12.0, 12.0), pieces=[WALL]))
    answers = [*asked.suggestions(), *(asked.sample(Random(k)) for k in range(12))]
    assert len(answers) > 14
    assert [asked.refusal(one) for one in answers] == [None] * len(answers)
    assert len({repr(one) for one in answers}) > 8


def test_in_a_narrow_place_they_stand_base_by_base() -> None:
    def in_a_pocket(model: Model, spot: Spot) -> Fault | None:
        return None if abs(spot[0] - 36) < 1.05 and abs(spot[1] - 24) < 0.95 else Fault(spot[:2])

    putting = putting_of(squad(7), in_a_pocket)
    assert arranged(putting, (36.0, 24.0), 0.0) is None
    assert first_room(putting, [(36.0, 24.0)], 0.0) is not None


@pytest.mark.parametrize(("wide", "deep", "count"), [(2.8, 1.2, 2), (2.02, 1.02, 2), (2.02, 2.02, 4), (1.87, 1.6, 2)])
@pytest.mark.parametrize("is_turned", [False, True])
def test_room_is_found_where_bases_only_fit_in_one_way(wide: float, deep: float, count: int, is_turned: bool) -> None:
    """A pocket among walls, anywhere near the points that are named."""
    x, y, centre = 33.37, 21.41, (33.0, 22.0)
    if is_turned:
        x, y, wide, deep, centre = y, x, deep, wide, (22.0, 33.0)

    def inside(model: Model, spot: Spot) -> Fault | None:
        return None if x < spot[0] < x + wide and y < spot[1] < y + deep else Fault(spot[:2])

    position = squad(count, pieces=walled(x, y, wide, deep))
    found = first_room(putting_of(position, inside), [centre], 0.0)
    assert found is not None
    assert refused(question(position), found) == ""
    crowded = squad(count + 1, pieces=walled(x, y, wide, deep))
    assert first_room(putting_of(crowded, inside), [centre], 0.0) is None


def walled(x: float, y: float, wide: float, deep: float) -> list[Piece]:
    """Walls round a rectangle, by its nearest corner."""
    across = [rectangle(x + wide / 2, side, wide + 6, 2) for side in (y - 1, y + deep + 1)]
    along = [rectangle(side, y + deep / 2, 2, deep) for side in (x - 1, x + wide + 1)]
    return [Piece(f"{k}", "wall", outline) for k, outline in enumerate((*across, *along))]


def test_where_there_is_no_room_nothing_is_asked() -> None:
    position = squad()
    played = play(put_down(putting_of(position, lambda model, spot: Fault(spot[:2])), "deploy", EVERYWHERE[:20]))
    assert played.value is False
    assert played.prompts == []
    assert not position.on_table()


def test_who_is_put_down_stands_where_it_was_said() -> None:
    position = squad()
    there = in_row(16, 20, facing=90.0)
    played = play(put_down(putting_of(position), "deploy", EVERYWHERE), answers=[there])
    assert played.value is True
    assert played.prompts == ["deploy"]
    assert [(m.x, m.y, m.facing) for m in position.on_table()] == there


# ---------------------------------------------------------------- as near as they can


def test_they_crowd_about_the_first_one() -> None:
    """Six in contact; the seventh in the gap between two of them, as near as bases allow."""
    putting = putting_of(squad(8))
    first = placed_solids(putting, crowd(putting, (36.0, 24.0, 0.0)))
    gaps = [gap(first[0], one) for one in first[1:]]
    assert gaps[:6] == pytest.approx([0.0] * 6, abs=0.01)
    assert 0.7 <= gaps[6] <= 0.75


def placed_solids(putting: Putting, there: Sequence[Spot]) -> list[Solid]:
    return PlacedUnit(putting.unit, putting.models, there).solids


def test_who_finds_no_place_about_the_first_one_has_none() -> None:
    def on_a_line(model: Model, spot: Spot) -> Fault | None:
        return None if abs(spot[1] - 0.5) < 0.01 and spot[0] < 1.6 else Fault(spot[:2])

    putting = putting_of(squad(3), on_a_line)
    assert len(crowd(putting, (0.5, 0.5, 0.0))) == 2


def test_a_place_beside_others_is_legal_where_it_is_clear_of_them() -> None:
    putting = putting_of(squad(3), in_the_south)
    placed = [(10.0, 10.0, 0.0), (12.0, 10.0, 0.0)]
    model = putting.models[2]
    assert is_legal(putting, model, (14.0, 10.0, 0.0), placed)
    assert not is_legal(putting, model, (12.9, 10.0, 0.0), placed)
    assert not is_legal(putting, model, (14.0, 12.5, 0.0), placed)
