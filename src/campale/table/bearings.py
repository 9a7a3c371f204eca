"""Straight ways for bases: how deep a way runs into an obstacle, and the smallest turn that avoids it.

A turn moves no point of a way farther than the end of the way. So a way that runs some depth into an obstacle stays
barred under every turn that moves its end by less than that depth; such turns need not be tried one by one (sphere
tracing: J. C. Hart, The Visual Computer 12, 1996).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from campale.table import kernels
from campale.table.kernels import Floats
from campale.table.planner import Going
from campale.table.shapes import TOLERANCE, Point

FINE = 0.02
"""The step in degrees where a turn's depth allows no larger one: it moves the end of a way of 12 by 0.004."""

EXACT = 1e-5
"""The precision, in degrees, to which a turn is found."""


def first_open(shut: Callable[[float], float], most: float) -> float | None:
    """The smallest turn, in degrees from 0 to ``most``, at which the way is open; None if there is none.

    ``shut`` returns 0.0 where a turn is open, else the degrees for which it stays shut at the least. An opening
    narrower than ``FINE`` may be missed where ``shut`` returns less than ``FINE``.
    """
    known = turn = 0.0
    while (ahead := shut(turn)) > 0.0:
        known, turn = turn + ahead, min(turn + max(ahead, FINE), most)
        if known >= most:
            return None
    return narrowed(shut, known, turn)


def narrowed(shut: Callable[[float], float], known: float, turn: float) -> float:
    """The smallest open turn between ``known``, up to which all turns are shut, and ``turn``, which is open."""
    while turn - known > EXACT:
        middle = (known + turn) / 2.0
        if shut(middle) > 0.0:
            known = middle
        else:
            turn = middle
    return turn


def degrees_shut(depth: float, far: float) -> float:
    """The degrees for which a way ``depth`` deep in an obstacle stays barred, if a radian moves its end by ``far``."""
    return math.degrees(depth / far) if depth > 0.0 else 0.0


def depth(going: Going, starts: Floats, step: Point) -> float:
    """The greatest depth to which straight ways run into obstacles; 0.0 if none does by more than the tolerance.

    ``starts`` (n, 2): the centres of the bases; all move by the same ``step``. Obstacles that a base is too near to at
    the start are left out: the exact checks decide whether it may go. A base may go over the near and the far edge.
    """
    going_on = going.width, going.radius, going.discs, going.corners, going.starts
    return max(0.0, float(kernels.depth_of_ways(*going_on, starts, step[0], step[1])) - TOLERANCE)
