"""What the markers are likely to give both sides yet, in victory points, in the eyes of a bot.

Markers are scored at the end of a side's own Command phase. Of each one to come it counts who is likely to control
which marker then: the models that are in range, and those that may yet come into it, by the moves that both sides make
until then. It is a judgement and no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.mechanics.bases import Floats, centres, radii, rows_of
from campale.referee.position import Position, Unit
from campale.rulesets.w10.basics.characteristics import objective_control
from campale.rulesets.w10.basics.markers import RADIUS, REACH, markers
from campale.rulesets.w10.basics.units import MOVED, PICKED, members, units_of
from campale.rulesets.w10.battle.only_war import FIRST_SCORED, MOST_SCORED, ROUNDS
from campale.table.shapes import Point

FURTHER = 0.75
"""What each scoring that comes later counts for beside the one before."""
SLIP, SPREAD = 0.6, 2.5
"""By how many inches out of range a model counts for a third, at once and for every move of a side that comes first."""
STEP = 0.8
"""How much of its Movement a unit comes nearer to a marker."""
LONE = 1.0
"""What a marker that nobody disputes is measured by, in levels of control."""


class Forces(NamedTuple):
    """The models of a side: their OC, how far each is out of range of each marker (models, markers), and their moves.

    ``fresh``: whether they may still move in the turn in hand.
    """

    control: Floats
    away: Floats
    moves: Floats
    fresh: Floats


def to_be_scored(position: Position, side: int) -> float:
    """The victory points that a side is likely to win by markers yet, less those of the other."""
    tokens = [(token.x, token.y) for token in markers(position)]
    found, counts = [0.0, 0.0], [1.0, 1.0]
    if not tokens:
        return 0.0
    forces = [forces_of(position, one, tokens) for one in (0, 1)]
    for later, scorer in scorings(position):
        levels = [presences(position, one, forces[one], later) for one in (0, 1)]
        found[scorer] += counts[scorer] * likely_held(levels[scorer], levels[1 - scorer])
        counts[scorer] *= FURTHER
    return found[side] - found[1 - side]


def scorings(position: Position) -> Iterator[tuple[int, int]]:
    """The turns in which markers are scored yet, and by which side: each in its own Command phase."""
    turn, active = turn_of(position), int(position.now["side"])
    first = turn if position.now.get("phase") == "command" else turn + 1
    for later in range(max(first, 2 * FIRST_SCORED - 1), 2 * ROUNDS + 1):
        yield later, active if (later - turn) % 2 == 0 else 1 - active


def turn_of(position: Position) -> int:
    return int(position.now.get("turn", 0))


def forces_of(position: Position, side: int, tokens: Sequence[Point]) -> Forces:
    models = [(m, unit) for unit in units_of(position, side) for m in members(unit)]
    rows = rows_of([m for m, _ in models])
    apart = centres(position)[rows, None, :2] - np.array(tokens, np.float64)[None, :, :]
    away = np.hypot(apart[..., 0], apart[..., 1]) - radii(position)[rows, None] - RADIUS - REACH
    return Forces(
        np.array([objective_control(m) for m, _ in models], np.float64),
        np.maximum(0.0, away),
        np.array([STEP * (m.profile.m or 0) for m, _ in models], np.float64),
        np.array([is_to_move(position, unit) for _, unit in models], np.float64),
    )


def is_to_move(position: Position, unit: Unit) -> bool:
    """Whether a unit of the side whose turn it is may still move in it."""
    if position.now["side"] != unit.side or position.now.get("phase") not in ("command", "movement"):
        return False
    return not unit.marks(MOVED) and not unit.marks(PICKED)


def presences(position: Position, side: int, forces: Forces, later: int) -> Floats:
    """The levels of control that a side is likely to have at each marker in the Command phase of a later turn.

    A model counts at one marker at the most.
    """
    between = later - turn_of(position) - 1
    own = max(0, between // 2 if position.now["side"] == side else (between + 1) // 2)
    fresh = forces.fresh * (between >= 0)
    left = np.maximum(0.0, forces.away - ((own + fresh) * forces.moves)[:, None])
    there = np.exp(-left / (SLIP + SPREAD * (max(0, between) + fresh))[:, None])
    shares = there / np.maximum(1.0, there.sum(axis=1, keepdims=True))
    return np.asarray((forces.control[:, None] * shares).sum(axis=0))


def likely_held(levels: Floats, others: Floats) -> float:
    """How many markers count for a side with such levels of control, those of the other beside them."""
    squares = levels * levels
    return min(float(MOST_SCORED), float((squares / (squares + others * others + LONE)).sum()))
