"""What a unit may do in the next turn after coming nearer to the enemy, and what may be done to it there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from campale.mechanics.bases import Flags, Floats
from campale.rulesets.e3m.bots.forecast import volley
from campale.rulesets.e3m.bots.prospects import (
    FEAR,
    HOPE,
    LATER,
    NEARER,
    RUSH,
    View,
    Worths,
    in_melee,
    melee_value,
    value,
    worths_of,
)
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.movement.moves import assault_distance, normal_distance
from campale.rulesets.e3m.movement.sight import NONE

MAYBE = 0.6
"""How often an enemy now out of sight is visible from where the unit will be."""


def outlooks(view: View, side: int, k: int, steps: Sequence[float]) -> Floats:
    """What the next turn may bring a unit, for each distance that it has come nearer to all enemies, in points."""
    one = view.squads[side][k]
    rows = [n for n, other in enumerate(view.squads[1 - side]) if not other.is_aboard]
    if one.is_aboard or not rows:
        return np.zeros(len(steps))
    others, ours = [view.squads[1 - side][n] for n in rows], worths_of([one])
    theirs = Worths(view.worths[1 - side].points[rows], view.worths[1 - side].shock[rows])
    gaps = np.maximum(0.0, view.gaps(side)[k, rows] - np.array(steps, np.float64)[:, None])
    seen = np.where(view.threats[side].sees[k, rows], 1.0, MAYBE)
    charges = gaps <= normal_distance(one.unit) + assault_distance(one.unit)
    blows = RUSH * charges * blows_at(one, others, np.asarray(charges.any(axis=0)), ours, theirs)
    gain = np.maximum(value(seen * fire_at(one, others, gaps), *theirs), blows).max(axis=1)
    harm = value(seen * fire_by(others, one, gaps), *ours).max(axis=1)
    return np.asarray(LATER * (HOPE * gain - FEAR * harm))


def fire_at(one: Squad, others: Sequence[Squad], gaps: Floats) -> Floats:
    """The share that a unit at full strength takes off each of the others in the open, by gap: (steps, others)."""
    position, columns = one.unit.position, zip(others, gaps.T + NEARER, strict=True)
    shares = [volley(position, one.make, other.target, NONE).over(far)[0] / other.size for other, far in columns]
    return np.minimum(1.0, np.array(shares).T)


def fire_by(others: Sequence[Squad], one: Squad, gaps: Floats) -> Floats:
    """The share that each of the others takes off the unit, by gap: (steps, others)."""
    position, columns = one.unit.position, zip(others, gaps.T + NEARER, strict=True)
    shares = [volley(position, other.make, one.target, NONE).over(far)[0] / one.size for other, far in columns]
    return np.minimum(1.0, np.array(shares).T)


def blows_at(one: Squad, others: Sequence[Squad], is_near: Flags, ours: Worths, theirs: Worths) -> Floats:
    """What the unit gains by a charge at each of the others, if near enough."""
    found = [in_melee(one, other) if near else (0.0, 0.0) for other, near in zip(others, is_near.tolist(), strict=True)]
    struck, lost = np.minimum(1.0, np.array(found, np.float64)).T
    return melee_value(struck, lost, theirs, ours)
