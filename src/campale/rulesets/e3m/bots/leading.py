"""The cost of being out of command when orders are next written, for units and for a leader who goes too far."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.mechanics.bases import Floats
from campale.referee.position import Model, Position, Unit
from campale.rulesets.e3m.bots.ground import turns_left
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.bots.timing import has_move, reach_of_move, still_to_go
from campale.rulesets.e3m.command.groups import command_radius, is_alone, is_in_command, led_by
from campale.rulesets.e3m.command.units import standing
from campale.table.shapes import Point

UNLED, BY_TURN = 0.3, 0.15
"""What a unit loses by being out of command, as a share of it: in the next turn, and in each later one."""
BEFORE_ORDERS = (
    *("deployment", "movement", "declarations", "defensive", "advancing", "assault", "melees"),
    "recovery",
)
WIDTH = 0.6
"""How far in front of its unit's middle the nearest model is, in inches per root of the number of models."""
NEARER = 1.0
"""How much nearer to its leader than his radius a unit comes, in inches."""
AS_THE_CROW_FLIES = 0.8
"""How much nearer to a point a unit comes, as a share of its move, given what is in its way."""


def unled(position: Position, squads: Sequence[Squad]) -> float:
    """What it will cost a side to have units out of command when orders are next written."""
    if not turns_left(position) or str(position.now["phase"]) not in BEFORE_ORDERS:
        return 0.0
    return share_lost(position) * sum(one.worth for one in squads if not one.is_routed and is_left_alone(one))


def share_lost(position: Position) -> float:
    return UNLED + BY_TURN * turns_left(position)


def is_left_alone(one: Squad) -> bool:
    """Whether it is out of command and cannot come near enough in this turn."""
    if is_in_command(one.unit):
        return False
    leader = led_by(one.unit)
    return leader is None or not catches_up(one, leader, standing(leader).at)


def leads_others(unit: Unit) -> bool:
    """Whether the group's leader is in this unit or aboard it."""
    leader = led_by(unit)
    return leader is not None and standing(leader).unit == unit


def catches_up(one: Squad, leader: Model, there: Point) -> bool:
    """Whether the unit may come within the radius of a leader who stands there."""
    return math.dist(one.at, there) - AS_THE_CROW_FLIES * still_to_go(one, one.order) <= radius_for(one, leader)


def radius_for(one: Squad, leader: Model) -> float:
    """How far the middle of a unit may be from the leader."""
    return command_radius(leader) + WIDTH * math.sqrt(one.size)


def places_by_leader(one: Squad) -> list[Point]:
    """The nearest place where the unit is in command, and one between there and the leader."""
    leader = led_by(one.unit)
    if leader is None or leads_others(one.unit) or is_alone(one.unit):
        return []
    (x, y), (a, b) = one.at, standing(leader).at
    far, radius = max(0.01, math.dist((x, y), (a, b))), radius_for(one, leader) - NEARER
    return [(a + (x - a) * share / far, b + (y - b) * share / far) for share in (radius, radius / 2.0) if share < far]


def unled_there(one: Squad, squads: Sequence[Squad], points: Sequence[Point]) -> Floats:
    """The cost, at each point, of a unit's distance from its leader, or of a leader's distance from his units."""
    leader = led_by(one.unit)
    if leader is None or not turns_left(one.unit.position):
        return np.zeros(len(points))
    share = share_lost(one.unit.position)
    if leads_others(one.unit):
        others = [other for other in squads if other.unit != one.unit and led_by(other.unit) == leader]
        led = [other for other in others if not is_alone(other.unit)]
        return np.array([share * sum(o.worth for o in led if not catches_up(o, leader, point)) for point in points])
    if is_alone(one.unit):
        return np.zeros(len(points))
    mover = next(other for other in squads if other.unit == standing(leader).unit)
    ahead = reach_of_move(mover, mover.order) if has_move(mover, mover.order) else 0.0
    radius = radius_for(one, leader) + ahead
    return share * one.worth * np.array([float(math.dist(point, mover.at) > radius) for point in points])
