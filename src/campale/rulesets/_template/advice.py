"""What answers and positions are worth in the eyes of a bot. A judgement, and no rule."""

from __future__ import annotations

import math

from campale.mechanics import missions, units
from campale.mechanics.judgement.advice import About, Advice, by_ends, by_odds, by_prompt, by_unit, exchange
from campale.mechanics.judgement.leads import presence
from campale.referee.position import Position, Unit
from campale.referee.question import Question

from .fire import ODDS, odds
from .orders import ADVANCE, HOLD
from .setup import WELL
from .turn import NEAR

CAUTION = 0.4
"""What losses to be suffered count for beside losses to be dealt, and standing at the well."""


def prospects(unit: Unit) -> float:
    """What it may fell from where it stands, less what may be felled of it there, and how near the well is."""
    far = min(math.dist(model.at, WELL) for model in units.members(unit))
    return exchange(unit, odds, CAUTION) + presence(far, NEAR)


def which_order(position: Position, question: Question, about: About) -> Advice:
    """To hold, if somebody stands well."""
    stands_well = any(prospects(unit) > CAUTION for unit in units.units_of(position, int(question.side or 0)))
    return [(HOLD if stands_well else ADVANCE, 1.0)]


advise = by_prompt(
    {"order": which_order, "activate": by_unit(prospects), "move": by_ends(prospects), "fire": by_odds(ODDS.of_answer)}
)


def appraise(position: Position, side: int) -> float:
    """The lead in points and in models."""
    lead = [missions.scored(position)[one] + len(position.on_table(one)) for one in (0, 1)]
    return float(lead[side] - lead[1 - side])
