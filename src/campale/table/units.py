"""Ways for whole units: every model gets one, no two models overlap at the end, and the unit ends coherent.

The models of a unit do not bar each other's way; the obstacles of each model are in its own going. A plan starts as
the same straight move for all models; then illegal ends are repaired, model by model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from campale.table import kernels
from campale.table.formations import Coherency, all_spots, is_coherent, stand_apart
from campale.table.kernels import Flags, Floats
from campale.table.paths import Path
from campale.table.planner import NO_LIMIT, Going, all_free, route
from campale.table.shapes import TOLERANCE, Point, rounded

SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
TRIES = 60


def unit_route(
    goings: Sequence[Going],
    starts: Sequence[Point],
    target: Point,
    coherency: Coherency,
    allowance: float | None = None,
) -> tuple[Path, ...] | None:
    """Ways for a unit towards a place, for its leader or else for its middle.

    ``goings``: one for each model, without its own unit among the discs. If the place is too far, or the unit cannot
    stand there in coherency, three quarters, a half and a quarter of the move are tried, then closing up on the spot.
    None if no way found leaves it coherent.
    """
    limit = NO_LIMIT if allowance is None else allowance
    dx, dy = _aim(starts, target, coherency.leader, limit)
    for share in SHARES:
        wanted = [(rounded(x + share * dx), rounded(y + share * dy)) for x, y in starts]
        found = unit_to(goings, starts, wanted, coherency, allowance)
        if found is not None:
            return found
    return None


def unit_to(
    goings: Sequence[Going],
    starts: Sequence[Point],
    wanted: Sequence[Point],
    coherency: Coherency,
    allowance: float | None = None,
) -> tuple[Path, ...] | None:
    """Ways for a unit to wanted places, one each, or to free places near them that leave it coherent; None if none.

    The spots tried for a model are its wanted place and 59 of a honeycomb about it, half a base wide, then some within
    reach of the models already placed.
    """
    unit = _Unit(tuple(goings), tuple(starts), coherency, allowance)
    exact = _all_as_wanted(unit, wanted)
    return _repaired(unit, wanted) if exact is None else exact


def is_legal_end(ends: Sequence[Point], radii: Sequence[float], coherency: Coherency) -> bool:
    """Whether a unit may end at these places: it is coherent and no bases overlap."""
    return stand_apart(ends, radii) and is_coherent(ends, radii, coherency)


class _Unit(msgspec.Struct, frozen=True):
    goings: tuple[Going, ...]
    starts: tuple[Point, ...]
    coherency: Coherency
    allowance: float | None

    @property
    def radii(self) -> list[float]:
        return [going.radius for going in self.goings]


def _all_as_wanted(unit: _Unit, wanted: Sequence[Point]) -> tuple[Path, ...] | None:
    if not is_legal_end(wanted, unit.radii, unit.coherency):
        return None
    paths = []
    for going, start, end in zip(unit.goings, unit.starts, wanted, strict=True):
        path = Path((start,)) if start == end else route(going, start, end, unit.allowance)
        if path is None:
            return None
        paths.append(path)
    return tuple(paths)


def _repaired(unit: _Unit, wanted: Sequence[Point]) -> tuple[Path, ...] | None:
    placed: list[int] = []
    paths: dict[int, Path] = {}
    for model in _order(wanted, unit.coherency.leader):
        path = _placed(unit, wanted[model], model, placed, [_end(paths[other]) for other in placed])
        if path is None:
            return None
        paths[model] = path
        placed.append(model)
    found = tuple(paths[model] for model in range(len(wanted)))
    return found if is_coherent([_end(path) for path in found], unit.radii, unit.coherency) else None


def _placed(unit: _Unit, wanted: Point, model: int, placed: Sequence[int], ends: Sequence[Point]) -> Path | None:
    """A way for one model to the first spot near its wanted place that is free, linked to those placed, in reach."""
    going, start = unit.goings[model], unit.starts[model]
    theirs = [unit.radii[other] for other in placed]
    linked = min(len(ends), 1) if unit.coherency.leader is not None else len(ends)
    others = np.array(ends, np.float64).reshape(-1, 2), np.array(theirs, np.float64)
    distance = unit.coherency.distance
    for some in _spots_for(going, wanted, start, list(zip(ends, theirs, strict=True))[:linked], distance):
        stays = (some == start).all(axis=1)
        good = kernels.open_spots(some, going.radius, *others, linked, distance) & (all_free(going, some) | stays)
        good &= _is_in_reach(some, start, unit.allowance)
        for x, y in some[good].tolist():
            path = Path((start,)) if (x, y) == start else route(going, start, (x, y), unit.allowance)
            if path is not None:
                return path
    return None


def _is_in_reach(places: Floats, start: Point, allowance: float | None) -> Flags:
    """Which places (n, 2) are within the allowance in a straight line."""
    across, along = places[:, 0] - start[0], places[:, 1] - start[1]
    far: Flags = np.sqrt(across * across + along * along) <= (NO_LIMIT if allowance is None else allowance) + 1e-6
    return far


def _spots_for(
    going: Going, wanted: Point, start: Point, linked: Sequence[tuple[Point, float]], distance: float
) -> Iterator[Floats]:
    """Places (n, 2) to try, in batches, the best first."""
    yield all_spots(wanted, going.radius / 2.0, TRIES)
    for end, radius in linked:
        yield all_spots(end, (going.radius + radius) / 2.0 + distance / 4.0, TRIES // 3)
    yield np.array((start,), np.float64)


def _order(wanted: Sequence[Point], leader: int | None) -> list[int]:
    """The leader first, else the model nearest to the middle; then the others from there outwards."""
    x, y = wanted[leader] if leader is not None else _middle(wanted)
    models = range(len(wanted))
    return sorted(models, key=lambda i: (i != leader, (wanted[i][0] - x) ** 2 + (wanted[i][1] - y) ** 2, i))


def _aim(starts: Sequence[Point], target: Point, leader: int | None, limit: float) -> Point:
    x, y = starts[leader] if leader is not None else _middle(starts)
    dx, dy = target[0] - x, target[1] - y
    far: float = (dx * dx + dy * dy) ** 0.5
    share = 1.0 if far <= limit else max(0.0, limit - TOLERANCE) / far
    return dx * share, dy * share


def _middle(points: Sequence[Point]) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def _end(path: Path) -> Point:
    return path.points[-1][0], path.points[-1][1]
