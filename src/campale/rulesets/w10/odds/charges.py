"""The odds of a charge: the enumerated roll, and the least distance at which the referee finds a move."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from campale.dice.counts import chances_of
from campale.dice.odds import exact, first_suggestion
from campale.mechanics.steps import step
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.charge.charging import charge_distance, duty_of, is_possible
from campale.rulesets.w10.charge.reaching import is_out_of_reach

CHARGE = "charge"


@rule("charge-phase/charge-roll")
def of_charge(unit: Unit, targets: Sequence[int]) -> Forecast:
    """The chance that a unit comes within engagement range of all its targets; Stratagems are left out."""
    rolled = distances(unit)
    least = least_of(unit, targets, sorted(rolled))
    arrives = sum(chance for far, chance in rolled.items() if least is not None and far >= least)
    told = step("arrives", "charge-phase/charge-roll", chances_of({1: arrives, 0: 1.0 - arrives}), is_main=True)
    row, target = (members(one)[0].row for one in (unit, Unit(unit.position, targets[0])))
    return Forecast(row, target, (), (told,), (CHARGE,))


def distances(unit: Unit) -> dict[float, float]:
    """The possible distances in inches, with their probabilities."""
    row = unit.row

    async def rolled(position: Position) -> float:
        return await charge_distance(Unit(position, row), ())

    found = exact(unit.position, rolled, first_suggestion, lambda _, far: far)
    return {float(far): float(chance) for far, chance in found.outcomes.items()}


def least_of(unit: Unit, targets: Sequence[int], distances: Sequence[float]) -> float | None:
    """The least of some ascending distances that is enough; None if none is. A greater distance is enough too.

    In most cases it is the first one within reach, so that one is tried before the others.
    """

    def reaches(far: float) -> bool:
        return not is_out_of_reach(duty_of(unit, targets, far).search, targets)

    def is_enough(far: float) -> bool:
        return is_possible(duty_of(unit, targets, far), targets)

    near = distances[bisect_left(distances, True, key=reaches) :]
    if not near or is_enough(near[0]):
        return near[0] if near else None
    beyond = bisect_left(near, True, lo=1, key=is_enough)
    return near[beyond] if beyond < len(near) else None
