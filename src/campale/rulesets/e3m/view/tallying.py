"""The result of a battle, for statistics."""

from __future__ import annotations

from collections import Counter

from campale.referee.position import Position
from campale.referee.records.tally import Tally, counted_in, turn_is_round
from campale.referee.ruleset import Setup
from campale.rulesets.e3m.battle.missions import CENTRE, QUARTERS, counts, is_near, quarter_of, quarters_of, score
from campale.rulesets.e3m.command.units import members, units_of


def tally(position: Position, setup: Setup) -> Tally:
    """The tally of a battle. Models count with the unit they were bought with, also for wounds they deal.

    Nobody has the first turn: both sides act in every turn, and chits decide who begins it.
    """
    now = position.now
    begun = int(now.get("turn", 0)) > 0
    units = counted_in(position, turn_is_round, holding(position) if begun else {})
    scores = score(position) if begun and "mission" in now else None
    return Tally(scores, None, now.get("turn") if begun else None, units)


def holding(position: Position) -> Counter[int]:
    """The units that hold a quarter, or count at the centre."""
    mission, found = position.now.get("mission"), Counter[int]()
    middle = position.ground.width / 2.0, position.ground.depth / 2.0
    for side in (0, 1):
        theirs = quarters_of(position, 1 - side)
        for unit in units_of(position, side):
            quarter = quarter_of(unit) if mission == QUARTERS else None
            is_held = quarter is not None and quarter not in theirs
            is_there = mission == CENTRE and any(is_near(model, middle) for model in members(unit))
            found[unit.row] += counts(unit) and (is_held or is_there)
    return found
