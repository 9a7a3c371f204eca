"""How a battle went, for statistics: every model is a unit of its own."""

from __future__ import annotations

from collections import Counter

from campale.mechanics.phases import round_of
from campale.referee.position import Position
from campale.referee.records.tally import Tally, counted, fielded_from
from campale.referee.ruleset import Setup
from campale.rulesets.ragnarok.basics.measuring import distance_to_point, within
from campale.rulesets.ragnarok.battle.battlefield import gap_to
from campale.rulesets.ragnarok.battle.missions import (
    HOLDING,
    SCORES,
    base_of,
    counts_for_ground,
    has_taken_base,
    holder_of_point,
    score,
)


def tally(position: Position, setup: Setup) -> Tally:
    """Return the statistics by model; models removed by a lost melee are credited to the victors."""
    now = position.now
    bought = [unit for unit in range(len(position.unit_names)) if not is_summoned(position, unit)]
    summoned = [unit for unit in range(len(position.unit_names)) if unit not in bought]
    units = counted(
        position,
        [*fielded_from(position, bought), *fielded_from(position, summoned, is_bought=False)],
        lambda row: position.bought_with[row],
        lambda turn: round_of(int(turn)),
        holding(position) if "turn" in now else {},
    )
    scores = score(position) if now.get("mission") in SCORES and "turn" in now else None
    return Tally(scores, now.get("first"), now.get("round"), units)


def is_summoned(position: Position, unit: int) -> bool:
    return bool(position.of_models.get(position.bought_with.index(unit), "summoned"))


def holding(position: Position) -> Counter[int]:
    """Return how many objectives, or enemy bases, each unit is helping to hold."""
    found: Counter[int] = Counter()
    for token in position.tokens:
        owner = holder_of_point(position, (token.x, token.y)) if token.kind == "objective" else None
        near = [m for m in position.on_table(owner) if within(distance_to_point(m, (token.x, token.y)), HOLDING)]
        found.update(m.bought_with.row for m in near if owner is not None and counts_for_ground(m))
    for side in (0, 1) if position.now.get("mission") == "bases" else ():
        if has_taken_base(position, side):
            piece = position.ground.piece(base_of(position, 1 - side))
            near = [m for m in position.on_table(side) if within(gap_to(m, piece), HOLDING)]
            found.update(m.bought_with.row for m in near if counts_for_ground(m))
    return found
