"""What the units of both sides may take off each other from where they stand, now by their orders and later.

This is a judgement, not a rule. All values are in points of the army lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from campale.mechanics.bases import Flags, Floats, Ints
from campale.mechanics.judgement.harm import pooled
from campale.mechanics.judgement.leads import chance_above
from campale.referee.position import Position
from campale.rulesets.e3m.bots.forecast import longest, struck_by, volley
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
from campale.rulesets.e3m.command.units import COMMANDER, GIVEN_AWAY
from campale.rulesets.e3m.movement.moves import assault_distance, normal_distance
from campale.rulesets.e3m.movement.sight import NONE

FLIGHT, STOPPED, QUARTER = 0.6, 0.15, 0.25
"""Further losses of a unit that flees, and of one forced to Halt, for its losses; and the share that causes them."""
APPROACH, USEFUL, BLOWS = 0.01, 0.7, 4.0
"""The cost of an inch out of useful reach, as a share of a unit; the useful part of a range; the reach of blows."""
AHEAD = 0.05
"""The cost of an inch by which a commander alone is in front of his army, as a share of him."""
NOW, LATER = 1.0, 0.22
"""Weights of the harm in this turn and in later ones."""
HOPE, FEAR, FAR_OFF = 0.45, 0.15, 0.1
"""Weights of the harm that one side may do, of the harm by the other, and of the way to the enemy."""
UNSEEN = 0.3
"""Weight of later fire at enemies now out of sight."""
PATIENCE = 0.8
"""Weight of the fire of a Ready unit, which waits for a chance."""
GUESS = 0.6
"""Weight of the most that a unit with a hidden order may do."""
LYING, HIDDEN = 0.67, 0.1
"""Weight of fire at units that lie down, in the open and in cover."""
FAR = 99.0
"""The distance to an enemy if there is none, in inches."""
NEARER = 2.0
"""How much farther apart the models of two units are than the nearest two, in inches."""
ROUTED_LATER = 0.2
"""Weight of a routed unit's later harm."""
TIE, DOUBT = 0.5, 1.0
"""The margin that wins a melee, and the error of its expectation for each root of the losses."""
FOUGHT, SUFFERED, RUSH = 0.4, 0.27, 0.6
"""Weights of blows dealt, of blows suffered, and of an assault that needs a move first.

Blows are promised more often than struck. In 40 battles between scripted players, 0.15 to 0.57 of them came true,
depending on the phase of the forecast; of fire, 0.81 to 1.12 did.
"""


class Threats(NamedTuple):
    """The shares of units that others may take off: arrays (who, whom).

    ``full``: at full strength; ``light``: at half without heavy weapons; ``ahead``: the same after a move; ``struck``
    and ``lost``: the shares taken and lost in a melee. ``sheltered``: the weight of fire if the target lies down;
    ``sees``: whether it is in sight.
    """

    full: Floats
    light: Floats
    ahead: Floats
    struck: Floats
    lost: Floats
    sheltered: Floats
    sees: Flags


class Worths(NamedTuple):
    """For some squads: their worth, and the share of it that their losses may cost in addition."""

    points: Floats
    shock: Floats


class View(NamedTuple):
    """The squads of both sides, how they face each other, and what they may do to each other, by side."""

    position: Position
    squads: tuple[list[Squad], list[Squad]]
    facing: Facing
    threats: tuple[Threats, Threats]
    worths: tuple[Worths, Worths]

    def gaps(self, side: int) -> Floats:
        """The gaps from the squads of a side (rows) to the other side's."""
        return self.facing.gaps if side == 0 else self.facing.gaps.T


def view_of(position: Position, side: int) -> View:
    """The view of one side."""
    squads = squads_of(position, side)
    facing = facing_of(position, squads)
    return View(
        *(position, squads, facing, threats_between(position, squads, facing)),
        (worths_of(squads[0]), worths_of(squads[1])),
    )


def worths_of(squads: Sequence[Squad]) -> Worths:
    return Worths(np.array([one.worth for one in squads]), np.array([shock_of(one) for one in squads]))


def shock_of(one: Squad) -> float:
    """What losses cost the unit in addition when it has to test, as a share."""
    if one.size < 2 or one.is_routed:
        return 0.0
    return FLIGHT * (1.0 - one.nerve) + STOPPED * one.nerve


def threats_between(
    position: Position, squads: tuple[list[Squad], list[Squad]], facing: Facing
) -> tuple[Threats, Threats]:
    """The threats of each side to the other. Kept until something moves."""
    kept, key = position.layout, "threats"
    if key not in kept:
        kept[key] = find_threats(squads, facing, 0), find_threats(squads, facing, 1)
    found: tuple[Threats, Threats] = kept[key]
    return found


def find_threats(squads: tuple[list[Squad], list[Squad]], facing: Facing, side: int) -> Threats:
    gaps, sees = (facing.gaps, facing.sees) if side == 0 else (facing.gaps.T, facing.sees.T)
    saves = facing.covers[0] if side == 0 else facing.covers[1].T
    ones, others = squads[side], squads[1 - side]
    found = np.empty((len(ones), len(others), 6))
    for k, one in enumerate(ones):
        for n, other in enumerate(others):
            found[k, n] = threat(one, other, gaps[k, n : n + 1], int(saves[k, n]))[0]
    return threats_from(found, sees)


def threats_from(found: Floats, sees: Flags) -> Threats:
    """Threats from rows of full, light, ahead, struck, lost, sheltered.

    Fire counts for less at targets out of sight, and a unit cannot lose more than all it has.
    """
    seen = np.where(sees, 1.0, UNSEEN)
    full, light, ahead = (np.minimum(1.0, seen * found[..., column]) for column in (0, 1, 2))
    struck, lost = np.minimum(1.0, found[..., 3]), np.minimum(1.0, found[..., 4])
    return Threats(full, light, ahead, struck, lost, found[..., 5], sees)


def threat(one: Squad, other: Squad, gaps: Floats, cover: int) -> Floats:
    """The threat of one squad to another at some distances, in the form that ``threats_from`` takes: (gaps, 6)."""
    found = np.zeros((len(gaps), 6))
    if one.is_aboard or other.is_aboard:
        found[:, 5] = 1.0
        return found
    fire = volley(one.unit.position, one.make, other.target, cover)
    full, light = fire.over(gaps + NEARER)
    ahead = fire.over(np.maximum(0.0, gaps - normal_distance(one.unit)) + NEARER)[1]
    half = 0.5 / other.size
    found[:, 0], found[:, 1], found[:, 2] = full / other.size, half * light, half * ahead
    near = gaps <= 2.0 * assault_distance(one.unit)
    if near.any():
        found[near, 3], found[near, 4] = in_melee(one, other)
    found[:, 5] = shelter(other, cover)
    return found


def in_melee(one: Squad, other: Squad) -> tuple[float, float]:
    """The share of the other that a charging squad takes off, and the share of itself that it loses.

    Both include the flight of the loser.
    """
    position = one.unit.position
    struck = struck_by(position, one.make, other.target, True)
    lost = struck_by(position, other.make, one.target, False)
    won = chance_above(struck - lost - TIE, DOUBT * math.sqrt(struck + lost + TIE))
    return with_flight(struck / other.size, won, other), with_flight(lost / one.size, 1.0 - won, one)


def with_flight(share: float, beaten: float, one: Squad) -> float:
    """The share that a unit loses in a melee in which it is beaten with this chance."""
    return share + max(0.0, 1.0 - share) * FLIGHT * beaten * (1.0 - one.nerve)


def shelter(target: Squad, cover: int) -> float:
    if target.kinds[0][0].profile.has_armour:
        return 1.0
    return LYING if cover == NONE else HIDDEN


# ---------------------------------------------------------------- values of threats


def value(shares: Floats, points: Floats | float, shock: Floats | float) -> Floats:
    """The points that lost shares of units are worth, with their effect on the rest."""
    shaken = np.minimum(1.0, shares / QUARTER)
    return np.asarray(points * (shares + shock * shaken * np.sqrt(shaken) * (1.0 - shares)))


def melee_value(struck: Floats, lost: Floats, theirs: Worths, ours: Worths) -> Floats:
    """What a charge gains, in points; the shapes of ``ours`` and ``theirs`` match the shares.

    Losses in melee cause no test of losses.
    """
    return np.asarray(np.maximum(0.0, FOUGHT * struck * theirs.points - SUFFERED * lost * ours.points))


def melee_values(view: View, side: int) -> Floats:
    """The gain of a charge by every squad of a side at every enemy squad."""
    found, ours = view.threats[side], view.worths[side]
    return melee_value(
        found.struck, found.lost, view.worths[1 - side], Worths(ours.points[:, None], ours.shock[:, None])
    )


def now(view: View, side: int, who: Sequence[int], orders: Sequence[str]) -> Floats:
    """What some squads (by index), each with an order, may still do to the others in this turn: (who, whom).

    For a hidden order it is a part of the most by the orders that it may be.
    """
    likely = [(FIRE, ASSAULT) if order == UNKNOWN else (order,) for order in orders]
    rows = [k for k, some in zip(who, likely, strict=True) for _ in some]
    means = [means_of(view.squads[side][k], order) for k, some in zip(who, likely, strict=True) for order in some]
    found = done_by(view, side, np.array(rows, np.int64), np.array(means, np.float64).reshape(-1, len(Means._fields)))
    if not len(found):
        return found
    starts = np.cumsum([0, *map(len, likely)])[:-1]
    guess = np.array([GUESS if order == UNKNOWN else 1.0 for order in orders])
    return np.asarray(guess[:, None] * np.maximum.reduceat(found, starts, axis=0))


class Means(NamedTuple):
    """What a squad may still do in this turn, as shares; and how far it charges, at once and after a move."""

    preparatory: float = 0.0
    watch: float = 0.0
    advancing: float = 0.0
    moves: float = 0.0
    assault: float = 0.0
    near: float = 0.0
    ahead: float = 0.0


def means_of(one: Squad, order: str) -> Means:
    if is_held(one):
        return Means()
    moves, may_assault = has_move(one, order), has_assault(one, order)
    near = assault_distance(one.unit) if may_assault else 0.0
    return Means(
        *(has_preparatory_fire(one, order), PATIENCE * has_watch(one, order), has_advancing_fire(one, order)),
        *(moves, may_assault, near, near + (normal_distance(one.unit) if moves else 0.0)),
    )


def done_by(view: View, side: int, rows: Ints, means: Floats) -> Floats:
    """What the squads of these rows do by these means: (rows, others)."""
    others, worths = view.squads[1 - side], view.worths[1 - side]
    threats = view.threats[side]
    full, struck = threats.full[rows], threats.struck[rows]
    preparatory, watch, advancing, moves, assault, near, ahead = means.T[:, :, None]
    lies = np.array([other.order == HALT and not other.unit.marks(GIVEN_AWAY) for other in others], np.bool_)
    in_view = np.where(lies, threats.sheltered[rows], 1.0) * threats.sees[rows]
    found = preparatory * value(in_view * full, *worths)
    found += watch * value(np.maximum(in_view, 0.5) * full, *worths)
    halved = np.where(moves, np.maximum(in_view, 0.5) * threats.ahead[rows], in_view * threats.light[rows])
    found += advancing * value(halved, *worths)
    if assault.any():
        gaps = view.gaps(side)[rows]
        share = np.where(gaps <= near, 1.0, np.where(gaps <= ahead, RUSH, 0.0))
        found += assault * (struck > 0.0) * share * melee_values(view, side)[rows]
    return np.asarray(found)


def harms(view: View, side: int) -> Floats:
    """What each squad of a side may take off each enemy squad, now and later."""
    ours = view.squads[side]
    found = now(view, side, range(len(ours)), [one.order for one in ours])
    steady = np.array([ROUTED_LATER if one.is_routed else 1.0 for one in ours])
    return np.asarray(NOW * found + steady[:, None] * later(view, side))


def later(view: View, side: int) -> Floats:
    fire = value(view.threats[side].full, *view.worths[1 - side])
    return np.asarray(LATER * np.maximum(fire, RUSH * melee_values(view, side)))


def distances_to_go(view: View, side: int) -> Floats:
    """How far the nearest enemy still fighting is beyond each squad's useful reach, in inches.

    A commander alone goes no farther than to the middle of his army.
    """
    reaches = np.array([useful_reach(one) for one in view.squads[side]])
    found = np.maximum(0.0, nearest_enemies(view, side) - reaches)
    return np.asarray(np.minimum(found, np.maximum(0.0, -ahead_of_army(view, side))))


def nearest_enemies(view: View, side: int) -> Floats:
    """The gap from each squad to the nearest enemy still fighting."""
    fighting = [n for n, other in enumerate(view.squads[1 - side]) if not (other.is_routed or other.is_aboard)]
    return np.asarray(view.gaps(side)[:, fighting].min(axis=1, initial=FAR))


def ahead_of_army(view: View, side: int) -> Floats:
    """How much nearer to the enemy a commander alone is than the average of the other squads; -FAR for all others."""
    found = np.full(len(view.squads[side]), -FAR)
    chief = next((k for k, one in enumerate(view.squads[side]) if is_lone_commander(one)), None)
    others = [k for k, one in enumerate(view.squads[side]) if k != chief and not (one.is_routed or one.is_aboard)]
    if chief is not None and others:
        nearest = nearest_enemies(view, side)
        found[chief] = nearest[others].mean() - nearest[chief]
    return found


def is_lone_commander(one: Squad) -> bool:
    return one.size == 1 and bool(one.kinds[0][0].marks(COMMANDER))


def exposed(view: View, side: int) -> float:
    """The cost of a commander who is alone in front of his army."""
    return AHEAD * float((view.worths[side].points * np.maximum(0.0, ahead_of_army(view, side))).sum())


def useful_reach(one: Squad) -> float:
    """A part of the reach of what most models carry. A squad without weapons must come to blows."""
    return max(BLOWS, USEFUL * longest(max(one.kinds, key=lambda kind: kind[1])[0]))


def backlog(view: View, side: int) -> float:
    """The cost of units being too far away to do anything."""
    ours = view.squads[side]
    steps = np.array([still_to_go(one, one.order) for one in ours])
    steady = np.array([not one.is_routed for one in ours])
    left = np.maximum(0.0, distances_to_go(view, side) - steps)
    return APPROACH * float((view.worths[side].points * left * steady).sum())


def prospects(view: View, side: int) -> dict[str, float]:
    """What a side may take off the other, what the other may take off it, and the ways still to go."""
    ours, theirs = view.squads[side], view.squads[1 - side]
    return {
        "hope": HOPE * pooled([one.worth for one in theirs], harms(view, side).tolist()),
        "fear": -FEAR * pooled([one.worth for one in ours], harms(view, 1 - side).tolist()),
        "way": FAR_OFF * (backlog(view, 1 - side) - backlog(view, side)),
        "ahead": exposed(view, 1 - side) - exposed(view, side),
    }
