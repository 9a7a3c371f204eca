"""What bots decide without playing it through, because it takes effect much later: orders by a table, deployment.

In battles of the Gate Watch against itself ``search:1s`` won 2.5 of 11 against ``greedy`` when both tried other orders,
and 9.5 of 12 when only ``greedy`` did.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from campale.referee.position import Position
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.spatial import Place
from campale.rulesets.e3m.bots.advances import outlooks
from campale.rulesets.e3m.bots.forecast import longest
from campale.rulesets.e3m.bots.ground import Presences, held_by, presences, worth_of_lead
from campale.rulesets.e3m.bots.leading import leads_others, radius_for
from campale.rulesets.e3m.bots.prospects import (
    APPROACH,
    FEAR,
    FOUGHT,
    GUESS,
    HOPE,
    NOW,
    View,
    distances_to_go,
    is_lone_commander,
    nearest_enemies,
    now,
    value,
    view_of,
)
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.bots.timing import DRIVEN, drives, reach_of_move
from campale.rulesets.e3m.command.groups import is_alone, led_by
from campale.rulesets.e3m.command.orders import ASSAULT, FIRE, HALT, MARCH, ORDERS, READY, RETREAT
from campale.rulesets.e3m.command.units import standing
from campale.rulesets.e3m.movement.moves import assault_distance, normal_distance

SHELTER = 0.2
"""The share of the enemy's fire that a Halt is expected to avert."""
READY_TO_MOVE = 1.0
"""The worth of being free to move, all else being equal."""
WARMTH, BY_WORTH = 1.0, 0.01
"""How far below the best an order is still given now and then: in points, and as a share of the best one's worth."""
ORDERS_OF_A_SIDE = "orders"
"""The prompt that asks for the orders of all units of a side."""
Worths = dict[str, float]
"""The worth of each order that a unit may be given."""


def order_worths(position: Position, side: int) -> dict[int, Worths]:
    """The worths of orders by the rows of a side's units, whatever orders they have. Kept until something moves."""
    kept, key = position.layout, ("orders", side, position.now.get("turn"))
    if key not in kept:
        kept[key] = find_worths(position, side)
    found: dict[int, Worths] = kept[key]
    return found


def find_worths(position: Position, side: int) -> dict[int, Worths]:
    """The leaders' units first, because the others stay near them."""
    view = view_of(position, side)
    known = [presences(one, HALT) for one in view.squads[side]]
    theirs = held_by([presences(one, ASSAULT) for one in view.squads[1 - side]], str(position.now.get("mission")))
    found: dict[int, Worths] = {}
    for k in sorted(range(len(known)), key=lambda k: not leads_others(view.squads[side][k].unit)):
        found[view.squads[side][k].unit.row] = worths_of(view, side, k, known, theirs, tether(view, side, k, found))
    return {one.unit.row: found[one.unit.row] for one in view.squads[side]}


def tether(view: View, side: int, k: int, found: Mapping[int, Worths]) -> float:
    """How far a unit may go without leaving its leader behind, if he does what is best for his own unit."""
    one = view.squads[side][k]
    leader = led_by(one.unit)
    if leader is None or is_alone(one.unit) or leads_others(one.unit) or one.is_aboard:
        return math.inf
    worths = found.get(standing(leader).unit.row)
    mover = next((other for other in view.squads[side] if other.unit == standing(leader).unit), None)
    if worths is None or mover is None:
        return math.inf
    ahead = reach_by(mover, max(worths, key=worths.__getitem__))
    spare = radius_for(one, leader) - math.dist(one.at, mover.at)
    return ahead + spare if spare > 0.0 else math.inf


def worths_of(view: View, side: int, k: int, known: list[Presences], theirs: float, rope: float = math.inf) -> Worths:
    """``rope``: how far the unit may go and stay in command."""
    one = view.squads[side][k]
    orders = [order for order in ORDERS if order != RETREAT]
    best = now(view, side, [k] * len(orders), orders).max(axis=1, initial=0.0).tolist()
    to_go = float(distances_to_go(view, side)[k])
    room = min(rope, to_go if is_lone_commander(one) else math.inf)
    reaches = [min(reach_by(one, order), room) for order in orders]
    reaches[orders.index(MARCH)] = march_of(view, side, k, reaches[orders.index(MARCH)])
    ahead = np.maximum.accumulate(outlooks(view, side, k, sorted(reaches))).tolist()
    after = dict(zip(sorted(reaches), ahead, strict=True))
    found = {}
    for order, worth, reach in zip(orders, best, reaches, strict=True):
        found[order] = HOPE * NOW * worth + after[reach]
        if reach or one.is_aboard:
            found[order] += ground_gained(view.position, one, order, k, known, theirs) + READY_TO_MOVE
            found[order] += APPROACH * one.worth * min(to_go, reach)
    found[HALT] += FEAR * SHELTER * threatened(view, side, k)
    found[MARCH] -= HOPE * GUESS * caught(view, side, k)
    if one.is_aboard:
        found[ASSAULT] += READY_TO_MOVE
    elif not has_something_to_watch(view, side, k):
        found[READY] = min(found[READY], found[HALT] - READY_TO_MOVE)
    found[RETREAT] = min(found.values()) - 50.0
    return found


def march_of(view: View, side: int, k: int, reach: float) -> float:
    """How far a march is of use: no farther than to the nearest enemy, because nobody marches past him."""
    gap = float(nearest_enemies(view, side)[k])
    return min(reach, max(normal_distance(view.squads[side][k].unit), gap))


def caught(view: View, side: int, k: int) -> float:
    """The most that an enemy may take off the unit who charges it on the march, when it does not strike back."""
    ours, struck = view.worths[side], view.threats[1 - side].struck[:, k]
    charges = [normal_distance(other.unit) + assault_distance(other.unit) for other in view.squads[1 - side]]
    near = view.gaps(side)[k] <= np.array(charges, np.float64)
    return FOUGHT * float((near * struck).max(initial=0.0)) * float(ours.points[k])


def has_something_to_watch(view: View, side: int, k: int) -> bool:
    """Whether an enemy is in range of a weapon of the unit, or may come into it by a normal move."""
    one = view.squads[side][k]
    far = max(longest(model) for model, _ in one.kinds)
    moves = [DRIVEN if drives(other) else normal_distance(other.unit) for other in view.squads[1 - side]]
    return bool(far > 0.0 and (view.gaps(side)[k] - np.array(moves, np.float64) <= far).any())


def reach_by(one: Squad, order: str) -> float:
    """How many inches an order takes a unit in a turn. On Assault it may move once more if it charges nobody."""
    if one.is_aboard or order not in (FIRE, ASSAULT, MARCH):
        return 0.0
    found = reach_of_move(one, order)
    return found + assault_distance(one.unit) if order == ASSAULT and not drives(one) else found


def ground_gained(position: Position, one: Squad, order: str, k: int, known: list[Presences], theirs: float) -> float:
    """The worth, for the mission, of the move that an order allows."""
    mission = str(position.now.get("mission"))
    if mission == "attrition":
        return 0.0
    moved = [*known[:k], presences(one, order), *known[k + 1 :]]
    before, after = held_by(known, mission), held_by(moved, mission)
    return worth_of_lead(position, after - theirs) - worth_of_lead(position, before - theirs)


def threatened(view: View, side: int, k: int) -> float:
    """The most that one enemy may take off the unit by fire."""
    worths = view.worths[side]
    found = value(view.threats[1 - side].full[:, k], float(worths.points[k]), float(worths.shock[k]))
    return float(found.max(initial=0.0))


def offhand(position: Position, question: Question) -> tuple[Plain] | None:
    """The best orders for all units, or the first proposal for a unit to be deployed, or None.

    Neither is played through, because its effect comes too late: a bot that did hid its captain in a corner, out of
    the fire that it saw two activations ahead.
    """
    if isinstance(question, Place) and int(position.now.get("turn", 0)) < 1:
        proposed = question.proposals(1)
        return (proposed[0],) if proposed else None
    if not isinstance(question, Form) or question.prompt != ORDERS_OF_A_SIDE or question.side is None:
        return None
    table = order_worths(position, question.side)
    known = [table.get(int(row), {}) for row in question.about["units"]]
    return ([max(worths, key=lambda order: worths[order]) if worths else HALT for worths in known],)


# ---------------------------------------------------------------- as odds


def odds_of(worths: Mapping[str, float], scale: float) -> dict[str, float]:
    """How often each order is given: the better, the more often."""
    best = max(worths.values())
    return {order: math.exp((worth - best) / scale) for order, worth in worths.items()}


def order_odds(position: Position, side: int) -> dict[int, dict[str, float]]:
    """The odds of orders by the rows of a side's units."""
    table = order_worths(position, side)
    return {row: odds_of(worths, WARMTH + BY_WORTH * max(worths.values())) for row, worths in table.items()}
