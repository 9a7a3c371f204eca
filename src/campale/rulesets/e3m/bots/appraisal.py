"""How well a side stands, for a bot: points left, the mission, the harm to come, units in command."""

from __future__ import annotations

from campale.mechanics.judgement.appraisals import by_terms
from campale.referee.position import Position
from campale.rulesets.e3m.bots.ground import stake
from campale.rulesets.e3m.bots.leading import unled
from campale.rulesets.e3m.bots.prospects import prospects, view_of

WON = 5000.0
"""The worth of a won battle, more than any position."""
LED = 0.3
"""Weight of being out of command, next to the points left: 0.33 +- 0.17 of it comes true.

This weight and those in ``prospects`` come from choices in battles between scripted players. The advised choice and
another one, played with the same luck, were compared twenty activations later (389 choices, a linear fit).
"""


def terms(position: Position, side: int) -> dict[str, float]:
    """The terms whose sum is the appraisal, with their present weights.

    While forces are deployed only command counts: units that are not on the table yet are not lost.
    """
    view = view_of(position, side)
    ours, theirs = view.squads[side], view.squads[1 - side]
    found = {"led": LED * (unled(position, theirs) - unled(position, ours))}
    if int(position.now.get("turn", 0)) >= 1:
        found["left"] = sum(one.worth for one in ours) - sum(one.worth for one in theirs)
        found["mission"] = stake(position, view.squads, side)
        found.update(prospects(view, side))
    return found


appraise = by_terms(terms, WON)
