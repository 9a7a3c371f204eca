"""What a vehicle's route would meet, as far as its owner can see. Hidden orders count as what they may be."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import Foretold
from campale.referee.position import Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.vehicles.stops import (
    BREAKDOWN,
    OVERRUN,
    PATH_ASSAULT,
    RANK,
    Stop,
    stops,
)
from campale.table.paths import Path, Stance, at, plan_length
from campale.table.shapes import TOLERANCE

RULES = {BREAKDOWN: "vehicles/tracked-obstacles", OVERRUN: "vehicles/overrun", PATH_ASSAULT: "vehicles/path-assault"}


@rule("vehicles/route")
def foretold(unit: Unit, paths: Mapping[int, Path]) -> list[Foretold]:
    """What the route meets, in order, each with the vehicle's place at that moment."""
    longest = max(paths.values(), key=plan_length)
    if plan_length(longest) <= TOLERANCE:
        return []
    found = stops(unit.position, unit, [(m, paths[m.row]) for m in members(unit)])
    found.sort(key=lambda stop: (stop.length, RANK[stop.kind], str(stop.by)))
    return [told(stop, at(longest, stop.length)) for stop in found]


def told(stop: Stop, there: Stance) -> Foretold:
    values: dict[str, Plain] = {"piece": stop.by} if isinstance(stop.by, str) else {"unit": stop.by}
    return Foretold(stop.kind, RULES[stop.kind], values, at=(there.x, there.y))
