"""How well a side stands, in the eyes of a bot: points left, the mission, what may come of it, who is led."""

from __future__ import annotations

from campale.referee.position import Position
from campale.rulesets.e3m.bots.ground import stake, turns_left
from campale.rulesets.e3m.bots.prospects import prospect, view_of
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.command.groups import is_in_command

WON = 5000.0
UNLED = 0.25
"""What a unit out of command would lose by it, as a share of it."""
BEFORE_ORDERS = (
    *("deployment", "movement", "declarations", "defensive", "advancing", "assault", "melees"),
    "recovery",
)


def appraise(position: Position, side: int) -> float:
    """Higher is better for the side; a battle won is worth more than any position."""
    if position.result is not None:
        winner = position.result.winner
        return 0.0 if winner is None else WON if winner == side else -WON
    view = view_of(position, side)
    found = sum(one.worth for one in view.squads[side]) - sum(one.worth for one in view.squads[1 - side])
    if int(position.now.get("turn", 0)) >= 1:
        found += stake(position, view.squads, side) + prospect(view, side)
    return found - unled(position, view.squads[side]) + unled(position, view.squads[1 - side])


def unled(position: Position, squads: list[Squad]) -> float:
    """What it will cost that units are out of command when orders are written next."""
    if not turns_left(position) or str(position.now["phase"]) not in BEFORE_ORDERS:
        return 0.0
    return UNLED * sum(one.worth for one in squads if not one.is_routed and not is_in_command(one.unit))
