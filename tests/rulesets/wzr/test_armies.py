"""Army lists, forces and what the book asks of them (army/*, starter-forces/*)."""

from __future__ import annotations

import pytest

from campale.rulesets.wzr.armies.army import faults
from campale.rulesets.wzr.armies.forces import FORCES

covers = pytest.mark.covers


@covers("starter-forces/armies", "starter-forces/exercise-one", "starter-forces/exercise-two")
@pytest.mark.parametrize(
    ("name", "cost"),
    [("megacorporation", 498), ("dark-legion", 470), ("exercise-megacorporation", 775), ("exercise-dark-legion", 839)],
)
def test_ready_armies_cost_what_is_printed_and_are_legal(name: str, cost: int) -> None:
    force = FORCES.named(name)
    assert (force.cost, faults(force)) == (cost, ())
