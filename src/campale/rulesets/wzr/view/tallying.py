"""The result of a battle, for statistics."""

from __future__ import annotations

from collections import Counter

from campale.referee.position import Position
from campale.referee.records.tally import Tally, counted_in, turn_is_round
from campale.referee.ruleset import Setup
from campale.rulesets.wzr.battle.missions import OBJECTIVE, counts_for, holder, is_near, score


def tally(position: Position, setup: Setup) -> Tally:
    """The tally of a battle. Models count with the squad they were bought with, also for wounds they deal."""
    now = position.now
    begun = int(now.get("turn", 0)) > 0
    units = counted_in(position, turn_is_round, holding(position) if begun else {})
    scores = score(position) if begun and "mission" in now else None
    return Tally(scores, now.get("first") if begun else None, now.get("turn") if begun else None, units)


def holding(position: Position) -> Counter[int]:
    """How many objectives each squad helps to hold."""
    found: Counter[int] = Counter()
    for token in position.tokens:
        at = token.x, token.y
        owner = holder(position, at) if token.kind == OBJECTIVE else None
        near = [m for m in position.on_table(owner) if is_near(m, at)]
        found.update({m.bought_with.row for m in near if owner is not None and counts_for(m)})
    return found
