"""How fast sight is: 20 models look at 20 over a table with 15 pieces, nine lines a pair, beside Shapely.

Run as ``python -m benchmarks.sight``. Shapely gets the same lines, all at once in arrays, with a tree over prepared
polygons; its answers must be the same. Compiling is not counted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from campale.table.shapes import Circle, Solid
from campale.table.sight import BLOCKED, NINE, SCREEN, SOLID, VEILED, covering, look, points_of, see
from campale.table.terrain import Ground, Piece, rectangle, regular

Floats = NDArray[np.float64]

MODELS = 20
PIECES = 15
ALLOWANCE = 2.0
NEAR = 1e-9


def battlefield(seed: int) -> tuple[Ground, NDArray[np.int8]]:
    """A table of 72 by 48 with rectangles, polygons and crosses of several heights; every third is a screen."""
    rng = np.random.default_rng(seed)
    pieces = []
    for k in range(PIECES):
        x, y = float(rng.uniform(6, 66)), float(rng.uniform(8, 40))
        turned = float(rng.uniform(0, 360))
        if k % 3 == 0:
            outline = regular(x, y, float(rng.uniform(2, 5)), 8)
        elif k % 3 == 1:
            outline = rectangle(x, y, float(rng.uniform(3, 8)), float(rng.uniform(1, 6)), turned)
        else:
            outline = ((x, y), (x + 6, y), (x + 6, y + 1), (x + 1, y + 1), (x + 1, y + 5), (x, y + 5))
        pieces.append(Piece(f"piece {k}", "piece", outline, height=round(float(rng.uniform(1, 6)), 1)))
    opacity = np.array([SCREEN if k % 3 == 0 else SOLID for k in range(PIECES)], np.int8)
    return Ground(72.0, 48.0, tuple(pieces)), opacity


def models(seed: int) -> tuple[Floats, Floats]:
    """Eyes along one side of the table, targets along the other."""
    rng = np.random.default_rng(seed)
    eyes = np.column_stack([rng.uniform(2, 70, MODELS), rng.uniform(1, 16, MODELS), np.full(MODELS, 1.62)])
    feet = [rng.uniform(2, 70, MODELS), rng.uniform(32, 47, MODELS), np.zeros(MODELS)]
    return eyes, np.column_stack([*feet, np.full(MODELS, 0.63), np.full(MODELS, 1.8)])


class ByShapely:
    """The same test as ``see``, as well as Shapely can do it."""

    def __init__(self, ground: Ground, opacity: NDArray[np.int8]) -> None:
        self.polygons = shapely.polygons([shapely.linearrings(piece.outline) for piece in ground.pieces])
        shapely.prepare(self.polygons)
        self.tree = shapely.STRtree(self.polygons)
        self.low, self.high, self.opacity = ground.prisms.low, ground.prisms.high, opacity

    def see(self, starts: Floats, ends: Floats) -> NDArray[np.int8]:
        """What each line (k, 3) to (k, 3) comes to."""
        line, piece = self.tree.query(self._lines(starts[:, :2], ends[:, :2]))
        first, last = self._window(starts[line, 2], ends[line, 2], self.low[piece], self.high[piece])
        kept = first < last
        line, piece, first, last = line[kept], piece[kept], first[kept], last[kept]
        a, b = starts[line], ends[line]
        parts = self._lines(*((a + share[:, None] * (b - a))[:, :2] for share in (first, last)))
        met = shapely.intersects(self.polygons[piece], parts)
        line, piece, parts = line[met], piece[met], parts[met]
        flat = shapely.length(shapely.intersection(parts, self.polygons[piece]))
        across = ends[line] - starts[line]
        slope = np.sqrt((across**2).sum(axis=1) / (across[:, :2] ** 2).sum(axis=1))
        return self._judge(len(starts), line, piece, flat * slope)

    def _lines(self, a: Floats, b: Floats) -> Any:
        return shapely.linestrings(np.stack((a, b), axis=1))

    def _window(self, az: Floats, bz: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        fall = np.where(az == bz, 1e-300, bz - az)
        one, two = (low - NEAR - az) / fall, (high - NEAR - az) / fall
        return np.maximum(0.0, np.minimum(one, two)), np.minimum(1.0, np.maximum(one, two))

    def _judge(self, count: int, line: Any, piece: Any, lengths: Floats) -> NDArray[np.int8]:
        met = lengths > NEAR
        out = np.zeros(count, np.int8)
        screens = met & (self.opacity[piece] == SCREEN)
        totals = np.bincount(line[screens], lengths[screens], count)
        out[line[screens]] = VEILED
        out[totals > ALLOWANCE + NEAR] = BLOCKED
        out[line[met & (self.opacity[piece] == SOLID)]] = BLOCKED
        return out


def all_lines(eyes: Floats, targets: Floats) -> tuple[Floats, Floats]:
    """Every line of every pair, in the order in which ``see`` answers."""
    starts, ends = [], []
    for eye in eyes.tolist():
        for x, y, z, radius, height in targets.tolist():
            solid = Solid(Circle(radius), x, y, z, 0.0, height)
            points = points_of(solid, (eye[0], eye[1], eye[2]))
            starts += [eye] * len(points)
            ends += points
    return np.array(starts), np.array(ends)


def seconds(work: Callable[[], object], times: int) -> float:
    """The least time that some work took, of three rounds of so many times each."""
    rounds = []
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(times):
            work()
        rounds.append((time.perf_counter() - start) / times)
    return min(rounds)


def run() -> dict[str, float]:
    """The figures, in microseconds a pair; AssertionError when Shapely sees otherwise."""
    ground, opacity = battlefield(4)
    eyes, targets = models(5)
    pairs = MODELS * MODELS
    found = see(ground, eyes, targets, NINE, opacity, ALLOWANCE)
    oracle = ByShapely(ground, opacity)
    starts, ends = all_lines(eyes, targets)
    assert np.array_equal(oracle.see(starts, ends), found.ravel()), "Shapely sees otherwise"
    one, other = eyes[:1].copy(), targets[:1].copy()
    x, y, z, radius, height = targets[0].tolist()
    solid = Solid(Circle(radius), x, y, z, 0.0, height)
    eye = (float(eyes[0, 0]), float(eyes[0, 1]), float(eyes[0, 2]))
    covering(eyes, targets, targets)
    look(ground, eye, solid)
    batch = seconds(lambda: see(ground, eyes, targets, NINE, opacity, ALLOWANCE), 100) / pairs
    shapelys = seconds(lambda: oracle.see(starts, ends), 2) / pairs
    return {
        "pairs": float(pairs),
        "clear": float((found == 0).mean()),
        "see_batch_us": batch * 1e6,
        "see_alone_us": seconds(lambda: see(ground, one, other, NINE, opacity, ALLOWANCE), 1000) * 1e6,
        "covering_us": seconds(lambda: covering(eyes, targets, targets), 20) / pairs * 1e6,
        "look_us": seconds(lambda: look(ground, eye, solid), 50) * 1e6,
        "shapely_us": shapelys * 1e6,
        "times_shapely": shapelys / batch,
    }


def main() -> None:
    """Prints the figures."""
    for name, value in run().items():
        print(f"{name:>14} {value:12.{0 if math.isclose(value, round(value)) else 3}f}")


if __name__ == "__main__":
    main()
