"""Putting whole units down: what is asked of every place, what is asked of all of them, and the search for room."""

from __future__ import annotations

from random import Random

import pytest

from campale.mechanics.moves.crowd import crowd
from campale.mechanics.moves.placing import (
    Fits,
    Putting,
    Spot,
    anything_fits,
    lattice,
    place_question,
)
from campale.referee.position import Position
from campale.referee.question import Place
from campale.referee.refusal import Fault
from campale.rulesets.e55.movement_phase.placing import PLACING, around
from campale.table.measure import gap
from tests.rulesets.e55.kit import Squad, model, refused, squad, table, unit, wall

EVERYWHERE = lattice((0.0, 0.0, 72.0, 48.0))


def with_five(*others: Squad, kind: str = "militia", count: int = 5, **more: object) -> Position:
    """A unit that is nowhere yet (unit 0), and others on the table."""
    return table(squad(kind, count, at=None), *others, **more)  # type: ignore[arg-type]


def question(position: Position, number: int = 0) -> Place:
    return place_question(putting_of(position, number), "deploy", EVERYWHERE)


def putting_of(position: Position, number: int = 0, fits: Fits = anything_fits) -> Putting:
    return Putting(PLACING, unit(position, number), tuple(m for m in position.models if m.unit.row == number), fits)


def in_row(x: float, y: float, count: int = 5, step: float = 2.0, facing: float = 0.0) -> list[Spot]:
    return [(x + k * step, y, facing) for k in range(count)]


# ---------------------------------------------------------------- one place


@pytest.mark.covers("10.1/table")
def test_a_base_lies_on_the_table_and_not_over_its_edge() -> None:
    asked = question(with_five())
    assert refused(asked, in_row(10, 0.5)) == ""
    assert refused(asked, in_row(10, 0.4)) == "10.1/table"


@pytest.mark.covers("10.1/table", "1.1/model-is-its-base")
def test_a_hull_lies_on_the_table_as_it_is_turned() -> None:
    asked = question(with_five(kind="tank", count=1))
    assert refused(asked, [(10, 2.5, 0.0)]) == ""
    assert refused(asked, [(10, 1.5, 0.0)]) == "10.1/table"
    assert refused(asked, [(10, 1.5, 90.0)]) == ""


@pytest.mark.covers("3.1.2/impassable")
def test_nobody_is_put_down_in_what_is_impassable() -> None:
    asked = question(with_five(pieces=[wall(20, 20, 8, 1)]))
    assert refused(asked, in_row(16, 18.9)) == ""
    assert refused(asked, in_row(16, 19.2)) == "3.1.2/impassable"


@pytest.mark.covers("3.1/enemy-one-inch")
def test_an_inch_is_kept_from_enemies_and_none_from_friends() -> None:
    position = with_five(squad("militia", side=1, at=(20, 22)), squad("militia", at=(24, 18)))
    asked = question(position)
    assert refused(asked, in_row(16, 20)) == ""
    assert refused(asked, in_row(16, 20.1)) == "3.1/enemy-one-inch"
    refusal = asked.refusal(in_row(16, 20.1))
    assert refusal is not None
    assert (refusal.measured, refusal.limit, refusal.model) == (0.9, 1.0, 5)
    assert refused(asked, in_row(16, 19.0)) == ""


@pytest.mark.covers("1.1/model-is-its-base")
def test_nobody_stands_on_the_base_of_another_unit() -> None:
    asked = question(with_five(squad("militia", at=(24, 18))))
    assert refused(asked, in_row(16, 18.5)) == "1.1/model-is-its-base"


# ---------------------------------------------------------------- all places


@pytest.mark.covers("1.1/model-is-its-base")
def test_no_two_of_a_unit_stand_on_each_other() -> None:
    asked = question(with_five())
    assert refused(asked, in_row(16, 20, step=1.0)) == ""
    assert refused(asked, in_row(16, 20, step=0.9)) == "1.1/model-is-its-base"


@pytest.mark.covers("3.1.1/coherency")
def test_a_unit_is_put_down_together() -> None:
    asked = question(with_five())
    assert refused(asked, in_row(16, 20, step=3.9)) == ""
    assert refused(asked, in_row(16, 20, step=4.1)) == "3.1.1/coherency"


@pytest.mark.covers("3.1.1/coherency", "7.17/squadron-coherency")
def test_a_squadron_is_put_down_within_its_own_link() -> None:
    asked = question(with_five(kind="tank", count=2))
    assert refused(asked, in_row(16, 20, 2, step=7.9)) == ""
    assert refused(asked, in_row(16, 20, 2, step=8.1)) == "3.1.1/coherency"


# ---------------------------------------------------------------- the search


@pytest.mark.parametrize("kind", ["militia", "biker", "great-beast", "tank", "walker"])
def test_what_is_suggested_and_sampled_is_legal(kind: str) -> None:
    others = [squad("militia", 10, side=1, at=(30, 20)), squad("tank", 1, at=(12, 12))]
    asked = question(with_five(*others, kind=kind, count=3, pieces=[wall(36, 24, 20, 2)]))
    answers = [*asked.suggestions(), *(asked.sample(Random(k)) for k in range(12))]
    assert len(answers) > 14
    assert [asked.refusal(one) for one in answers] == [None] * len(answers)
    assert len({repr(one) for one in answers}) > 8


# ---------------------------------------------------------------- as near as they can


def gaps_to_first(position: Position) -> list[float]:
    first = model(position, 0)
    return [round(gap(first.solid, m.solid), 2) for m in position.models[1:]]


def put_around(position: Position, first: Spot) -> Position:
    putting = putting_of(position)
    found = around(putting, first)
    assert found is not None
    for one, (x, y, facing) in zip(position.models, found, strict=True):
        one.move_to(x, y, 0.0, facing)
    return position


@pytest.mark.covers("10.5/reserve-entry")
def test_the_others_go_as_near_to_the_first_as_they_can() -> None:
    """Six in contact; the seventh in the gap between two of them, as near as bases allow."""
    position = put_around(with_five(count=8), (36.0, 24.0, 0.0))
    assert gaps_to_first(position)[:6] == [0.0] * 6
    assert 0.7 <= gaps_to_first(position)[6] <= 0.75
    assert (model(position, 1).x, model(position, 1).y) == pytest.approx((36.0, 25.0), abs=0.001)


@pytest.mark.covers("10.5/reserve-entry")
def test_they_go_round_what_is_in_the_way() -> None:
    position = put_around(with_five(count=4, pieces=[wall(36, 25.6, 12, 2)]), (36.0, 24.0, 0.0))
    assert all(m.y <= 24.1 + 0.001 for m in position.models)
    assert gaps_to_first(position) == [0.0, 0.0, 0.0]


@pytest.mark.covers("10.5/reserve-entry")
def test_hulls_go_side_by_side() -> None:
    position = put_around(with_five(kind="tank", count=2), (36.0, 24.0, 0.0))
    assert gaps_to_first(position)[0] < 0.05


@pytest.mark.covers("10.5/reserve-entry")
def test_who_finds_no_place_has_none() -> None:
    position = with_five(count=3)
    models = tuple(position.models)

    def on_a_line(found: object, spot: Spot) -> Fault | None:
        return None if abs(spot[1] - 0.5) < 0.01 and spot[0] < 1.6 else Fault(spot[:2])

    putting = Putting(PLACING, unit(position, 0), models, on_a_line)
    assert around(putting, (0.5, 0.5, 0.0)) is None
    assert len(crowd(putting, (0.5, 0.5, 0.0))) == 2
