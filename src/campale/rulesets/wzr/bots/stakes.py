"""What mission points and harm are worth to a bot as the turns pass.

This is a judgement, not a rule. In Annihilation harm is the mission itself. Elsewhere it is a means, of little use once
few turns are left to exploit it.
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
"""The worth of a mission point, in army points. In Annihilation the two are the same."""
WARLORD = {
    ANNIHILATION: float(WARLORD_POINTS),
    BREAKTHROUGH: POINT[BREAKTHROUGH] * (DESTROYED + WARLORD_BREAKTHROUGH),
}
"""What losing the Warlord costs besides his points."""
HARM = (0.3, 0.6, 0.8)
"""Weight of harm outside Annihilation with 0, 1 or 2 turns to come; with more it is 1."""


def turns_to_come(position: Position) -> int:
    """The number of turns after the current one."""
    return max(0, TURNS - int(position.now.get("turn", 0)))


def of_harm(position: Position) -> float:
    """The present weight of harm."""
    left = turns_to_come(position)
    return 1.0 if position.now.get("mission") == ANNIHILATION or left >= len(HARM) else HARM[left]


def may_do_more(position: Position, side: int) -> bool:
    """Whether a turn is to come, or the side still has a squad to activate in this one."""
    return turns_to_come(position) > 0 or is_to_act(position, side)


def is_to_act(position: Position, side: int) -> bool:
    """Whether the side still has a squad to activate in this turn."""
    return any(not unit.marks(marks.ACTIVATED) for unit in squads_of(position, side))


def is_warlord(model: Model) -> bool:
    return bool(model.bought_with.note(marks.SLOT) == "warlord")


def of_warlord(position: Position) -> float:
    """What losing a Warlord costs besides his points, in this mission."""
    return WARLORD.get(str(position.now.get("mission")), 0.0)
