"""How well a side stands, in the eyes of a bot: points left, the mission, what may come of it, who is led."""

from __future__ import annotations

from campale.mechanics.judgement.appraisals import by_terms
from campale.referee.position import Position
from campale.rulesets.e3m.bots.ground import stake
from campale.rulesets.e3m.bots.leading import unled
from campale.rulesets.e3m.bots.prospects import prospects, view_of

WON = 5000.0
"""What a battle won is worth: more than any position."""
LED = 0.3
"""What being out of command counts for beside what is left: 0.33 +- 0.17 of it comes true.

Here and in ``prospects``: what choices in battles between scripted players came to twenty activations later, the
advised one and another played with the same luck (389 of them, a linear fit).
"""


def terms(position: Position, side: int) -> dict[str, float]:
    """What the appraisal is the sum of, as it counts now."""
    view = view_of(position, side)
    ours, theirs = view.squads[side], view.squads[1 - side]
    found = {"left": sum(one.worth for one in ours) - sum(one.worth for one in theirs)}
    if int(position.now.get("turn", 0)) >= 1:
        found["mission"] = stake(position, view.squads, side)
        found.update(prospects(view, side))
    found["led"] = LED * (unled(position, theirs) - unled(position, ours))
    return found


appraise = by_terms(terms, WON)
