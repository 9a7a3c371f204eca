"""The result of a battle, for statistics."""

from __future__ import annotations

from collections import Counter

from campale.mechanics.phases import round_of
from campale.referee.position import Position
from campale.referee.records.tally import Tally, counted_in
from campale.referee.ruleset import Setup
from campale.rulesets.w10.basics.characteristics import objective_control
from campale.rulesets.w10.basics.markers import is_in_range, markers
from campale.rulesets.w10.basics.units import price_of
from campale.rulesets.w10.battle.only_war import scores


def tally(position: Position, setup: Setup) -> Tally:
    """The tally of a battle. Models count with the unit they were bought with, also for wounds they deal."""
    turn = int(position.now.get("turn", 0))
    units = counted_in(position, lambda number: round_of(int(str(number))), holding(position), price_of)
    mine, theirs = scores(position)
    return Tally((mine, theirs), position.now.get("first"), round_of(turn) if turn else None, units)


def holding(position: Position) -> Counter[int]:
    """How many markers each unit helps to control."""
    found = Counter[int]()
    for token in markers(position):
        near = [m for m in position.on_table(token.side) if is_in_range(m, token)] if token.side >= 0 else []
        found.update({m.bought_with.row for m in near if objective_control(m) > 0})
    return found
