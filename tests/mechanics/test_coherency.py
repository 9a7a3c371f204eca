"""Whether the models of a unit stand together, where they are or elsewhere."""

from __future__ import annotations

import pytest

from campale.mechanics.moves.coherency import first_overlap, is_together, on_each_other, standing
from campale.referee.position import TABLE, Model, Position
from campale.referee.refusal import Fault
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground
from tests.referee.toy import RULESET


def squad(*xs: float) -> list[Model]:
    """Models of bases an inch wide in a line, and one of another unit before them in the roster."""
    position = Position(RULESET, Ground(40.0, 30.0))
    position.move_to(position.add_model("other", None, 1, position.add_unit("others", 1), TABLE), 1.0, 1.0)
    unit = position.add_unit("squad", 0)
    models = [position.add_model(f"{k}", None, 0, unit, TABLE) for k in range(len(xs))]
    for model, x in zip(models, xs, strict=True):
        position.move_to(model, x, 20.0, facing=45.0)
    return models


def test_some_of_them_may_be_supposed_to_stand_elsewhere() -> None:
    there = standing(squad(10.0, 12.0, 14.0), {2: (20.0, 21.0, 3.0), 3: (30.0, 20.0, 0.0, 90.0)})
    assert there.stand == [(10.0, 20.0, 0.0, 45.0), (20.0, 21.0, 3.0, 45.0), (30.0, 20.0, 0.0, 90.0)]


def test_the_first_two_on_each_other_are_found_by_row() -> None:
    models = squad(10.0, 12.0, 14.0)
    assert first_overlap(models) is None
    assert first_overlap(models, {3: (12.9, 20.0, 0.0)}) == (2, 3)
    assert first_overlap(models, {3: (13.0, 20.0, 0.0)}) is None


@pytest.mark.parametrize(("x", "fault"), [(11.9, Fault((11.9, 20.0), model=2)), (12.0, None)])
def test_of_two_on_each_other_the_later_one_is_told(x: float, fault: Fault | None) -> None:
    models = squad(11.0, 15.0)
    solids = [Solid(Circle(0.5), at, 20.0, height=2.0) for at in (11.0, x)]
    assert on_each_other(models, solids) == fault


@pytest.mark.parametrize(("gap", "is_one"), [(2.0, True), (2.001, True), (2.002, False)])
def test_a_chain_of_bases_within_the_link_is_together(gap: float, is_one: bool) -> None:
    solids = [model.solid for model in squad(10.0, 13.0, 14.0 + 2.0 + gap - 2.0)]
    assert is_together(solids, 2.0) is is_one
    assert is_together(solids[:1], 2.0)


def test_links_may_reach_so_far_up_or_down_that_is_measured_apart() -> None:
    low, high = Solid(Circle(0.5), 10.0, 10.0), Solid(Circle(0.5), 13.0, 10.0, 5.0)
    assert not is_together([low, high], 2.0)
    assert is_together([low, high], 2.0, high=5.0)
    assert not is_together([low, high], 2.0, high=4.9)
    assert not is_together([low, high], 1.9, high=5.0)
