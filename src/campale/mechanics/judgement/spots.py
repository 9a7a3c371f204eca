"""Points around a unit to which it might go, the best first. A judgement, not a rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from campale.table.shapes import Point, rounded

Floats = NDArray[np.float64]


def round_about(at: Point, reaches: Sequence[float], directions: int = 12) -> list[Point]:
    """The point itself, and points at these distances from it in all directions."""
    turns = [2.0 * math.pi * k / directions for k in range(directions)]
    return [at, *((at[0] + far * math.sin(turn), at[1] + far * math.cos(turn)) for far in reaches for turn in turns)]


def on_the_table(points: Sequence[Point], width: float, depth: float, margin: float) -> list[Point]:
    """The points that lie at least this far inside the edges."""
    return [
        (rounded(x), rounded(y)) for x, y in points if margin <= x <= width - margin and margin <= y <= depth - margin
    ]


def best_apart(points: Sequence[Point], worths: Floats, gap: float) -> Iterator[Point]:
    """The best first, without those nearer than a gap to an earlier one."""
    found: list[Point] = []
    for k in np.argsort(-worths, kind="stable").tolist():
        x, y = points[k]
        if all((x - a) ** 2 + (y - b) ** 2 >= gap * gap for a, b in found):
            found.append((x, y))
            yield x, y
