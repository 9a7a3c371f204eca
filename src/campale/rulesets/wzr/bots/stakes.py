"""What is at stake as the turns go by, in the eyes of a bot: what mission points are worth, and harm beside them.

It is a judgement and no rule. In Annihilation harm is the mission itself; elsewhere it is a means, and of little use
once hardly anybody is left to make something of it.
"""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import (
    ANNIHILATION,
    BREAKTHROUGH,
    DESTROYED,
    STRONGPOINTS,
    WARLORD_BREAKTHROUGH,
    WARLORD_POINTS,
)
from campale.rulesets.wzr.squads.squads import squads_of
from campale.rulesets.wzr.turn.sequence import TURNS

POINT = {STRONGPOINTS: 30.0, BREAKTHROUGH: 20.0}
"""What a mission point is worth, in points of the army; in Annihilation they are the same."""
WARLORD = {
    ANNIHILATION: float(WARLORD_POINTS),
    BREAKTHROUGH: POINT[BREAKTHROUGH] * (DESTROYED + WARLORD_BREAKTHROUGH),
}
"""What is lost with the Warlord beside his points."""
HARM = (0.3, 0.6, 0.8)
"""What harm counts for outside Annihilation with no turn, one, two turns to come; with more of them it counts whole."""


def turns_to_come(position: Position) -> int:
    """After the one in hand."""
    return max(0, TURNS - int(position.now.get("turn", 0)))


def of_harm(position: Position) -> float:
    """What harm counts for now."""
    left = turns_to_come(position)
    return 1.0 if position.now.get("mission") == ANNIHILATION or left >= len(HARM) else HARM[left]


def may_do_more(position: Position, side: int) -> bool:
    """Whether a turn is to come, or a squad of a side still to be activated in this one."""
    return turns_to_come(position) > 0 or is_to_act(position, side)


def is_to_act(position: Position, side: int) -> bool:
    """Whether a squad of a side is still to be activated in this turn."""
    return any(not unit.marks(marks.ACTIVATED) for unit in squads_of(position, side))


def is_warlord(model: Model) -> bool:
    return bool(model.bought_with.note(marks.SLOT) == "warlord")


def of_warlord(position: Position) -> float:
    """What is lost with a Warlord beside his points, in the mission in hand."""
    return WARLORD.get(str(position.now.get("mission")), 0.0)
