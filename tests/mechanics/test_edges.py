"""The edges of the table."""

from __future__ import annotations

import pytest

from campale.mechanics.setup.edges import (
    INWARD,
    OPPOSITE,
    edge_of,
    facing_inward,
    inset,
    reach_from,
    strip,
    take_edges,
    whole_table,
)
from campale.referee.position import Position
from campale.table.sweeps import EDGES
from campale.table.terrain import Ground
from tests.referee.toy import RULESET

GROUND = Ground(72.0, 48.0)


@pytest.mark.parametrize("edge", EDGES)
def test_a_side_has_an_edge_and_the_other_the_opposite_one(edge: str) -> None:
    position = Position(RULESET, GROUND)
    assert (edge_of(position, 0), edge_of(position, 1)) == ("south", "north")
    take_edges(position, 1, edge)  # type: ignore[arg-type]
    assert (edge_of(position, 1), edge_of(position, 0)) == (edge, OPPOSITE[edge])
    assert abs(facing_inward(position, 0) - facing_inward(position, 1)) == 180.0
    assert facing_inward(position, 1) == INWARD[edge]


@pytest.mark.parametrize(
    ("edge", "area"),
    [
        ("south", (0.0, 0.0, 72.0, 12.0)),
        ("north", (0.0, 36.0, 72.0, 48.0)),
        ("west", (0.0, 0.0, 12.0, 48.0)),
        ("east", (60.0, 0.0, 72.0, 48.0)),
    ],
)
def test_a_strip_lies_along_its_edge_and_reaches_as_far_as_it_is_deep(
    edge: str, area: tuple[float, float, float, float]
) -> None:
    assert strip(GROUND, edge, 12.0) == area
    assert reach_from(GROUND, edge, area) == (0.0, 12.0)
    assert reach_from(GROUND, OPPOSITE[edge], area)[0] == (36.0 if edge in ("south", "north") else 60.0)
    assert reach_from(GROUND, edge, inset(area, 0.5)) == (0.5, 11.5)


def test_the_whole_table_is_an_area_too() -> None:
    assert whole_table(GROUND) == (0.0, 0.0, 72.0, 48.0)
