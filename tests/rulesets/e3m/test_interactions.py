"""Cases in which the steps of a turn, the orders and the states of units meet."""

from __future__ import annotations

from typing import Any

import pytest

from campale.rulesets.e3m.vehicles.stops import forced_stop
from campale.table.paths import Path
from tests.rulesets.e3m.kit import model, piece, squad, table, unit

covers = pytest.mark.covers


# ---------------------------------------------------------------- a vehicle on its retreat


@covers("vehicles/path-assault", "vehicles/assault-outside-movement", "orders/retreat-terrain")
@pytest.mark.parametrize(
    ("kind", "phase", "stop"),
    [("drive", "movement", "breakdown"), ("retreat", "movement", "path-assault"), ("retreat", "preparatory", None)],
)
def test_a_retreat_in_step_4_draws_assaults_in_passing_and_no_dice_for_the_ground(
    kind: str, phase: str, stop: str | None
) -> None:
    tank = squad("gun-tank", at=[(20, 30)], order="retreat", facing=180.0)
    hole = [piece("craters", 20, 22)]
    position = table(tank, squad("levy", at=[(26, 12)], side=1), pieces=hole, phase=phase)
    way = [(model(position, 0), Path(((20, 30), (20, 8)), 180.0, (0.0, 0.0)))]
    found = forced_stop(kind, unit(position, 0), way, 0.0, ())
    assert (None if found is None else found.kind) == stop
