"""What the mission is likely to give at the end, for a bot: quarters, the centre, losses."""

from __future__ import annotations

import math
from collections.abc import Sequence

from campale.mechanics.judgement.leads import outlook, presence
from campale.referee.position import Position
from campale.rulesets.e3m.battle.missions import (
    ATTRITION,
    CENTRE,
    LEAD,
    NEAR_CENTRE,
    QUARTERS,
    TURNS,
    attrition,
    points_of_army,
)
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.bots.timing import still_to_go
from campale.table.shapes import Point

STAKE, EARLIER = 400.0, 0.6
"""The worth of winning the mission in the last turn, and how much less it is worth in earlier turns."""
LEAST = 0.7
"""The lead that is needed, given that presences are never certain."""
AT_HAND, BY_TURN = 0.6, 1.2
"""The distance where a unit counts for a third: at the end, and how much farther for every turn to come."""
STURDY = 25.0
"""The points of a unit that is likely to be there at the end."""
UNSURE = 0.35
"""Weight of a unit that does not count now, while there are turns to come."""
DOUBTS = {QUARTERS: (0.35, 0.3), CENTRE: (0.4, 0.4), ATTRITION: (0.03, 0.03)}
"""How much a lead may still change: at the end, and more for every turn. For losses, as a share of the army."""

Presences = list[float]
"""How likely a unit is to count at the end in each quarter, or at the centre."""


def stake(position: Position, squads: tuple[list[Squad], list[Squad]], side: int) -> float:
    """The worth of the mission to a side, by its likely end."""
    mission = str(position.now.get("mission"))
    if mission == ATTRITION:
        lead = (attrition(position, side) - attrition(position, 1 - side)) / max(1.0, points_of_army(position))
        return worth_of_mission(position) * outlook(lead, 1.0 / LEAD, doubt_of(position, mission))
    held = [held_by([presences(one, one.order) for one in some], mission) for some in squads]
    return worth_of_lead(position, held[side] - held[1 - side])


def worth_of_lead(position: Position, lead: float) -> float:
    return worth_of_mission(position) * outlook(lead, LEAST, doubt_of(position, str(position.now.get("mission"))))


def worth_of_mission(position: Position) -> float:
    return STAKE / (1.0 + EARLIER * turns_left(position))


def doubt_of(position: Position, mission: str) -> float:
    least, by_turn = DOUBTS[mission]
    return least + turns_left(position) * by_turn


def turns_left(position: Position) -> int:
    return max(0, TURNS - int(position.now.get("turn", 0)))


def held_by(found: Sequence[Presences], mission: str) -> float:
    """The expected number of quarters with the side present (even if shared), or of units at the centre."""
    if mission == CENTRE:
        return sum(one[0] for one in found)
    return sum(1.0 - math.prod(1.0 - one[quarter] for one in found) for quarter in range(4))


def presences(one: Squad, order: str, at: Point | None = None) -> Presences:
    """The presences of a unit, from the point ``at``, or from its place with the move that it may still make.

    In all quarters together it counts for at most one unit.
    """
    position = one.unit.position
    here = one.at if at is None else at
    ahead = still_to_go(one, order) if at is None else 0.0
    if position.now.get("mission") == CENTRE:
        middle = position.ground.width / 2.0, position.ground.depth / 2.0
        return [there(one, math.dist(here, middle) - NEAR_CENTRE + 1.0 - ahead)]
    found = [there(one, off_quarter(position, here, one.wide, quarter) - ahead) for quarter in range(4)]
    total = max(1.0, sum(found))
    return [share / total for share in found]


def places_of_mission(one: Squad) -> list[Point]:
    """The nearest place in every quarter where the unit is wholly inside; or the centre."""
    ground = one.unit.position.ground
    x, y = ground.width / 2.0, ground.depth / 2.0
    if one.unit.position.now.get("mission") != QUARTERS:
        return [(x, y)]
    across = (min(one.at[0], x - one.wide), max(one.at[0], x + one.wide))
    along = (min(one.at[1], y - one.wide), max(one.at[1], y + one.wide))
    return [(x, y), *((a, b) for b in along for a in across)]


def off_quarter(position: Position, at: Point, wide: float, quarter: int) -> float:
    """How far a unit around a point, whose bases reach ``wide`` from it, is from being wholly in a quarter."""
    x, y = position.ground.width / 2.0, position.ground.depth / 2.0
    across = (x + wide - at[0]) if quarter % 2 else (at[0] - x + wide)
    along = (y + wide - at[1]) if quarter // 2 else (at[1] - y + wide)
    return math.hypot(max(0.0, across), max(0.0, along))


def there(one: Squad, far: float) -> float:
    """How likely a unit is to count at the end in a place this far away."""
    left = turns_left(one.unit.position)
    sure = 1.0 if one.counts else UNSURE * min(1, left)
    sturdy = 1.0 - math.exp(-one.worth / STURDY) if left else 1.0
    return sure * sturdy * presence(far, AT_HAND + BY_TURN * left)
