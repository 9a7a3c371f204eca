"""In which direction bases can go straight: how deep a way runs into what bars it, and the least turn that avoids it.

A turn moves no point of a way farther than its end. So a way that runs a depth into something stays barred for every
turn that moves its end by less than that depth; such turns need not be tried one by one (sphere tracing: J. C. Hart,
The Visual Computer 12, 1996).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from campale.table.kernels import Flags, Floats
from campale.table.planner import Going
from campale.table.shapes import TOLERANCE, Point

FINE = 0.02
"""Degrees between turns of which it is not known how long they stay barred: 0.004 over 12."""

EXACT = 1e-5
"""Degrees to which a turn is found."""


def first_open(shut: Callable[[float], float], most: float) -> float | None:
    """The least turn, in degrees from 0 to ``most``, at which nothing is in the way; None if there is none.

    ``shut``: 0.0 where a turn is open; else for how many degrees more, at the least, it is not. An opening narrower
    than ``FINE`` may be missed where it says less than that.
    """
    known = turn = 0.0
    while (ahead := shut(turn)) > 0.0:
        known, turn = turn + ahead, min(turn + max(ahead, FINE), most)
        if known >= most:
            return None
    return narrowed(shut, known, turn)


def narrowed(shut: Callable[[float], float], known: float, turn: float) -> float:
    """The least open turn between one that is shut, at the least up to itself, and one that is open."""
    while turn - known > EXACT:
        middle = (known + turn) / 2.0
        if shut(middle) > 0.0:
            known = middle
        else:
            turn = middle
    return turn


def degrees_shut(depth: float, far: float) -> float:
    """Over how many degrees a way stays barred that runs a depth into something, if a radian moves its end ``far``."""
    return math.degrees(depth / far) if depth > 0.0 else 0.0


def depth(going: Going, starts: Floats, step: Point) -> float:
    """How deep the deepest of some straight ways runs into what bars it; 0.0 if none does by more than the tolerance.

    ``starts`` (n, 2): the centres of the bases; all go by one ``step``. What a base is too near to at the start is left
    out: whether it may go is for the exact checks to say.
    """
    found = max(
        depth_in_discs(going, starts, step), depth_in_outlines(going, starts, step), over_the_sides(going, starts, step)
    )
    return max(0.0, found - TOLERANCE)


def depth_in_discs(going: Going, starts: Floats, step: Point) -> float:
    if not len(going.discs):
        return 0.0
    centres, kept = going.discs[None, :, :2], going.discs[None, :, 2]
    beginning = starts[:, None, :]
    far = from_segment(centres, beginning, beginning + np.array(step))
    free = np.hypot(*np.moveaxis(centres - beginning, 2, 0)) >= kept
    return float(np.max(np.where(free, kept - far, 0.0)))


def depth_in_outlines(going: Going, starts: Floats, step: Point) -> float:
    """The distance of a way from each side of the outlines; none where they cross."""
    one, other = sides(going)
    if not len(one):
        return 0.0
    begin, end = starts[:, None, :], starts[:, None, :] + np.array(step)
    far = np.minimum(
        np.minimum(from_segment(one, begin, end), from_segment(other, begin, end)), from_segment(end, one, other)
    )
    at_first = from_segment(begin, one, other)
    far = np.where(cross(begin, end, one, other), 0.0, np.minimum(far, at_first))
    return float(np.max(np.where(at_first >= going.radius, going.radius - far, 0.0)))


def over_the_sides(going: Going, starts: Floats, step: Point) -> float:
    ends = starts[:, 0] + step[0]
    return float(max(np.max(going.radius - ends), np.max(ends + going.radius - going.width)))


def sides(going: Going) -> tuple[Floats, Floats]:
    """The sides (k, 2) of all outlines: from where to where."""
    corners, following = going.corners, np.arange(1, len(going.corners) + 1)
    following[going.starts[1:] - 1] = going.starts[:-1]
    return corners, corners[following]


def from_segment(points: Floats, one: Floats, other: Floats) -> Floats:
    """How far points are from segments; the shapes (..., 2) are spread over each other."""
    along = other - one
    squared = np.maximum(np.sum(along * along, axis=-1), 1e-12)
    share = np.clip(np.sum((points - one) * along, axis=-1) / squared, 0.0, 1.0)
    gap = points - one - share[..., None] * along
    found: Floats = np.sqrt(np.sum(gap * gap, axis=-1))
    return found


def cross(begin: Floats, end: Floats, one: Floats, other: Floats) -> Flags:
    """Whether two segments cross each other properly."""
    found: Flags = (side_of(begin, end, one) * side_of(begin, end, other) < 0.0) & (
        side_of(one, other, begin) * side_of(one, other, end) < 0.0
    )
    return found


def side_of(one: Floats, other: Floats, point: Floats) -> Floats:
    along, towards = other - one, point - one
    found: Floats = along[..., 0] * towards[..., 1] - along[..., 1] * towards[..., 0]
    return found
