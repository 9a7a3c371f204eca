"""What the units of both sides may take off each other from where they stand, now by their orders and in turns to come.

It is a judgement and no rule. All is in points of the army lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from campale.mechanics.judgement.harm import pooled
from campale.referee.position import Model, Position
from campale.rulesets.e3m.bots.forecast import blows, longest, salvo
from campale.rulesets.e3m.bots.squads import UNKNOWN, Facing, Squad, facing_of, squads_of
from campale.rulesets.e3m.bots.timing import (
    has_advancing_fire,
    has_assault,
    has_move,
    has_preparatory_fire,
    has_watch,
    is_held,
    still_to_go,
)
from campale.rulesets.e3m.command.orders import ASSAULT, FIRE, HALT
from campale.rulesets.e3m.command.units import FIRED
from campale.rulesets.e3m.morale.morale import is_fearless
from campale.rulesets.e3m.movement.moves import assault_distance, normal_distance
from campale.rulesets.e3m.movement.sight import NONE

SHOCK, QUARTER = 0.3, 0.25
"""What a unit loses besides that must test for its losses, and from which share of it on."""
APPROACH, USEFUL, BLOWS = 0.01, 0.7, 4.0
"""What an inch out of useful reach costs, as a share of a unit; which part of a range is useful; that of blows."""
NOW, LATER = 0.9, 0.35
"""What harm counts for that may be done in this turn, and what in the next ones."""
HOPE, FEAR = 0.5, 0.3
UNSEEN = 0.3
"""What fire in turns to come counts for at somebody who is out of sight."""
PATIENCE = 0.8
"""What the fire of a Ready unit counts for, which waits for a chance."""
GUESS = 0.6
"""What the most counts for that somebody may do whose order is hidden."""
LYING, HIDDEN = 0.67, 0.1
"""What fire counts for at whoever lies down in the open, and in cover."""
NEARER = 2.0
"""How much farther off the models of two units are than those nearest to each other."""
FOUGHT, SUFFERED, RUSH = 0.9, 0.6, 0.6
"""What blows dealt and suffered count for, and an assault that needs a move before it."""


class Threat(NamedTuple):
    """The shares of a unit that another may take off: at full strength, at half without heavy weapons, in a melee the
    share that it takes and the share that it loses. ``sheltered``: what fire counts for if the other lies down."""

    full: float
    light: float
    struck: float
    lost: float
    sheltered: float
    is_seen: bool


NOTHING = Threat(0.0, 0.0, 0.0, 0.0, 1.0, False)

Threats = tuple[list[list[Threat]], list[list[Threat]]]
"""Those of the first side's squads against the second's, and the other way round."""


class View(NamedTuple):
    """The squads of both sides, how they face each other, and what they may do to each other."""

    position: Position
    squads: tuple[list[Squad], list[Squad]]
    facing: Facing
    threats: Threats


def view_of(position: Position, side: int) -> View:
    """As a side sees it."""
    squads = squads_of(position, side)
    facing = facing_of(position, squads)
    return View(position, squads, facing, threats_between(position, squads, facing))


def threats_between(position: Position, squads: tuple[list[Squad], list[Squad]], facing: Facing) -> Threats:
    """Kept until something moves."""
    kept, key = position.layout, "threats"
    if key not in kept:
        kept[key] = tuple(find_threats(squads, facing, side) for side in (0, 1))
    found: Threats = kept[key]
    return found


def find_threats(squads: tuple[list[Squad], list[Squad]], facing: Facing, side: int) -> list[list[Threat]]:
    gaps, sees = (facing.gaps, facing.sees) if side == 0 else (facing.gaps.T, facing.sees.T)
    saves = facing.covers[1] if side == 0 else facing.covers[0].T
    return [
        [
            threat(one, other, float(gaps[k, n]), bool(sees[k, n]), int(saves[k, n]))
            for n, other in enumerate(squads[1 - side])
        ]
        for k, one in enumerate(squads[side])
    ]


def threat(one: Squad, other: Squad, gap: float, is_seen: bool, cover: int) -> Threat:
    """Of one squad to another."""
    if one.is_aboard or other.is_aboard:
        return NOTHING
    target, far = other.kinds[0][0], gap + NEARER
    seen = 1.0 if is_seen else UNSEEN
    full = seen * total(one, lambda m: salvo(m, target, far, cover)) / other.size
    light = seen * 0.5 * total(one, lambda m: salvo(m, target, far, cover, with_heavy=False)) / other.size
    struck = lost = 0.0
    if gap <= 2.0 * assault_distance(one.unit):
        struck = total(one, lambda m: blows(m, target, True)) / other.size
        own = one.kinds[0][0]
        lost = total(other, lambda m: blows(m, own, False)) / one.size
    sheltered = (LYING if cover == NONE else HIDDEN) if not target.profile.has_armour else 1.0
    return Threat(min(1.0, full), min(1.0, light), min(1.0, struck), min(1.0, lost), sheltered, is_seen)


def total(squad: Squad, of: Callable[[Model], float]) -> float:
    return sum(count * of(model) for model, count in squad.kinds)


# ---------------------------------------------------------------- what it comes to


def value(share: float, target: Squad) -> float:
    """What a share of a unit is worth, with what its loss does to the rest."""
    if share <= 0.0:
        return 0.0
    found = share * target.worth
    if target.size > 1 and not target.is_routed and not is_fearless(target.unit):
        found += SHOCK * min(1.0, share / QUARTER) ** 1.5 * (1.0 - share) * target.worth
    return found


def melee_value(one: Squad, other: Squad, found: Threat) -> float:
    return max(0.0, FOUGHT * value(found.struck, other) - SUFFERED * value(found.lost, one))


def now(one: Squad, order: str, found: Threat, other: Squad, gap: float) -> float:
    """What a unit with an order may still do to another in this turn."""
    if is_held(one):
        return 0.0
    if order == UNKNOWN:
        return GUESS * max(now(one, likely, found, other, gap) for likely in (FIRE, ASSAULT))
    lies = other.order == HALT and not other.unit.marks(FIRED)
    open_ = (found.sheltered if lies else 1.0) * (1.0 if found.is_seen else 0.0)
    worth = 0.0
    if has_preparatory_fire(one, order):
        worth += value(open_ * found.full, other)
    if has_watch(one, order):
        worth += PATIENCE * value(max(open_, 0.5) * found.full, other)
    if has_advancing_fire(one, order):
        worth += value(max(open_, 0.5 * has_move(one, order)) * found.light, other)
    if has_assault(one, order) and found.struck:
        near = assault_distance(one.unit)
        ahead = normal_distance(one.unit) if has_move(one, order) else 0.0
        share = 1.0 if gap <= near else RUSH if gap <= near + ahead else 0.0
        worth += share * melee_value(one, other, found)
    return worth


def harms(view: View, side: int, orders: Sequence[str] | None = None) -> list[list[float]]:
    """What each squad of a side may take off each of the other's, now and later."""
    others = view.squads[1 - side]
    gaps = view.facing.gaps if side == 0 else view.facing.gaps.T
    found = []
    for k, one in enumerate(view.squads[side]):
        order = one.order if orders is None else orders[k]
        row = view.threats[side][k]
        steady = 0.2 if one.is_routed else 1.0
        found.append(
            [
                NOW * now(one, order, row[n], other, float(gaps[k, n])) + steady * later(one, row[n], other)
                for n, other in enumerate(others)
            ]
        )
    return found


def later(one: Squad, found: Threat, other: Squad) -> float:
    return LATER * max(value(found.full, other), RUSH * melee_value(one, other, found))


def distance_to_go(view: View, side: int, k: int) -> float:
    """How far the nearest enemy is out of the reach in which a unit is of use."""
    gaps = view.facing.gaps[k] if side == 0 else view.facing.gaps[:, k]
    return max(0.0, float(gaps.min(initial=99.0)) - useful_reach(view.squads[side][k]))


def useful_reach(one: Squad) -> float:
    """A part of that of the weapons which most of its models carry; whoever has none must come to blows."""
    model = max(one.kinds, key=lambda kind: kind[1])[0]
    return max(BLOWS, USEFUL * longest(model))


def backlog(view: View, side: int) -> float:
    """What it costs that units are too far off to do anything."""
    return APPROACH * sum(
        one.worth * max(0.0, distance_to_go(view, side, k) - still_to_go(one, one.order))
        for k, one in enumerate(view.squads[side])
        if not one.is_routed
    )


def prospect(view: View, side: int) -> float:
    """What a side may take off the other, less what the other may take off it."""
    ours, theirs = view.squads[side], view.squads[1 - side]
    forth = pooled([one.worth for one in theirs], harms(view, side))
    back = pooled([one.worth for one in ours], harms(view, 1 - side))
    return HOPE * forth - FEAR * back - backlog(view, side) + backlog(view, 1 - side)
