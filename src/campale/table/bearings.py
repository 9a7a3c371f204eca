"""In which direction bases can go straight: how deep a way runs into what bars it, and the least turn that avoids it.

A turn moves no point of a way farther than its end. So a way that runs a depth into something stays barred for every
turn that moves its end by less than that depth; such turns need not be tried one by one (sphere tracing: J. C. Hart,
The Visual Computer 12, 1996).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from campale.table import kernels
from campale.table.kernels import Floats
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
    out: whether it may go is for the exact checks to say. It may go over the near and the far edge.
    """
    going_on = going.width, going.radius, going.discs, going.corners, going.starts
    return max(0.0, float(kernels.depth_of_ways(*going_on, starts, step[0], step[1])) - TOLERANCE)
