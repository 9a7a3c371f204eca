"""The search for a witness: "must, if it can" is judged by showing a better legal move, or finding none.

All functions use one search: it orders places of a stated fineness by their worth and takes the first legal one.
The same call refuses a move (by showing a better one) and finds the answer that every question must have. The search
does not see between the places tried: a move counts as the best possible when nothing found beats it by more than the
fineness.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Generic, TypeVar

import msgspec
import numpy as np

from campale.table.formations import Coherency, gap, groups, is_coherent, links, spots
from campale.table.paths import Path
from campale.table.planner import CONTACT, Going, is_free, nearest, ring, route, towards_edge, with_discs
from campale.table.shapes import TOLERANCE, Point, rounded
from campale.table.sweeps import Edge
from campale.table.units import unit_to

T = TypeVar("T")
Move = TypeVar("Move")

CONTACT_GAP = 0.0005
"""The greatest gap that counts as contact here."""


class Witness(msgspec.Struct, Generic[Move], frozen=True):
    """A legal move and its score; less is better."""

    move: Move
    score: float


def best(
    candidates: Iterable[T],
    score: Callable[[T], float],
    move: Callable[[T], Move | None],
    worse_than: float = math.inf,
) -> Witness[Move] | None:
    """The legal move with the lowest score below ``worse_than``; None if no candidate gives one.

    ``move(candidate)`` returns the legal move to a candidate, or None. It is called in the order of the scores (equal
    scores in the order of the candidates) until it returns a move.
    """
    scored = [(score(candidate), number, candidate) for number, candidate in enumerate(candidates)]
    ranked = sorted((entry for entry in scored if entry[0] < worse_than), key=lambda entry: entry[:2])
    for value, _, candidate in ranked:
        found = move(candidate)
        if found is not None:
            return Witness(found, value)
    return None


def places(start: Point, length: float, fineness: float) -> Iterator[Point]:
    """The places of a honeycomb of that fineness within a length of a start, from there outwards."""
    share = length / fineness
    count = math.ceil(3.7 * share * share) + 12
    for x, y in spots(start, fineness, count):
        if (x - start[0]) ** 2 + (y - start[1]) ** 2 <= length * length:
            yield x, y


def nearer_to_point(
    going: Going, start: Point, goal: Point, length: float, proposed: float, fineness: float = 0.1
) -> Witness[Path] | None:
    """A legal way of at most ``length`` that ends nearer to a goal than ``proposed``, by more than the fineness.

    The planner comes first; only if it finds nothing, all places of the fineness are tried. With ``proposed`` infinite
    the result is the nearest legal way found. Scores and ``proposed`` are distances from the centre.
    """
    return _nearer(
        nearest(going, start, goal, length), going, start, length, proposed, fineness, lambda p: _between(p, goal)
    )


def nearer_to_edge(
    going: Going, start: Point, edge: Edge, length: float, proposed: float, fineness: float = 0.1
) -> Witness[Path] | None:
    """As ``nearer_to_point``, for the distance of the centre from an edge of the table."""
    off: dict[Edge, Callable[[Point], float]] = {
        "south": lambda p: p[1],
        "north": lambda p: going.depth - p[1],
        "west": lambda p: p[0],
        "east": lambda p: going.width - p[0],
    }
    plan = towards_edge(going, start, edge, length)
    return _nearer(plan, going, start, length, proposed, fineness, off[edge])


def more_contacts(
    going: Going,
    start: Point,
    targets: Sequence[tuple[float, float, float]],
    length: float,
    proposed: int,
    weights: Sequence[float] | None = None,
) -> Witness[Path] | None:
    """A legal way of at most ``length`` into contact with more targets than ``proposed``; its score is minus how many.

    ``targets``: discs x, y, radius that are not among the discs of the going. The places tried are those that touch two
    targets at once, exactly, and 36 round each. ``weights``: the weight of each target, if not 1.
    """
    value = [1.0] * len(targets) if weights is None else weights
    reach = [going.radius + radius for _, _, radius in targets]

    def score(place: Point) -> float:
        touched = (i for i, t in enumerate(targets) if _between(place, t[:2]) <= reach[i] + CONTACT_GAP)
        return -sum(value[i] for i in touched)

    def way(place: Point) -> Path | None:
        clear = all(_between(place, t[:2]) >= reach[i] for i, t in enumerate(targets))
        return route(blocked, start, place, length) if clear and is_free(going, *place) else None

    blocked = _with_targets(going, targets)
    return best(_contact_places(going.radius, start, targets), score, way, worse_than=-proposed - 1e-9)


def coherency_restored(
    goings: Sequence[Going],
    starts: Sequence[Point],
    length: float,
    coherency: Coherency,
    fineness: float = 0.5,
) -> tuple[Path, ...] | None:
    """Legal ways of at most ``length`` each that leave a unit coherent; None if none are found.

    The largest group (with the leader, if there is one) stays if it can; the models outside it come, nearest first, to
    the nearest places of the fineness that link them to it; if that fails, all close up on their middle.
    """
    radii = [going.radius for going in goings]
    if is_coherent(starts, radii, coherency):
        return tuple(Path((start,)) for start in starts)
    core = _core(starts, radii, coherency)
    unit = _Scattered(tuple(goings), radii, list(starts), core, length, coherency)
    paths = _gathered(unit, fineness)
    if paths is not None:
        return paths
    for share in (0.25, 0.5, 0.75, 1.0):
        paths = unit_to(goings, starts, _drawn_in(starts, length, share), coherency, length)
        if paths is not None:
            return paths
    return None


# How it is done.


def _nearer(
    plan: Path,
    going: Going,
    start: Point,
    length: float,
    proposed: float,
    fineness: float,
    score: Callable[[Point], float],
) -> Witness[Path] | None:
    planned = score(_end(plan))
    if planned < proposed - fineness:
        return Witness(plan, planned)
    return best(
        places(start, length, fineness),
        score,
        lambda place: route(going, start, place, length) if is_free(going, *place) else None,
        worse_than=proposed - fineness,
    )


class _Scattered(msgspec.Struct, frozen=True):
    """A unit being gathered: ``ends`` and ``core`` change as its models are brought in."""

    goings: tuple[Going, ...]
    radii: list[float]
    ends: list[Point]
    core: list[int]
    length: float
    coherency: Coherency


def _gathered(unit: _Scattered, fineness: float) -> tuple[Path, ...] | None:
    starts = tuple(unit.ends)
    paths = [Path((start,)) for start in starts]
    outside = [model for model in range(len(starts)) if model not in unit.core]
    for model in sorted(outside, key=lambda i: min(_between(starts[i], starts[j]) for j in unit.core)):
        found = best(
            places(starts[model], unit.length, fineness),
            partial(_between, starts[model]),
            partial(_linking, unit, model),
        )
        if found is None:
            return None
        paths[model] = found.move
        unit.ends[model] = _end(found.move)
        unit.core.append(model)
    return tuple(paths) if is_coherent(unit.ends, unit.radii, unit.coherency) else None


def _linking(unit: _Scattered, model: int, place: Point) -> Path | None:
    """The way of a model to a place that links it to the group as the rule requires and overlaps no model, or None."""
    radius, rule = unit.radii[model], unit.coherency
    others = [other for other in range(len(unit.ends)) if other != model]
    gaps = {other: gap(place, unit.ends[other], radius, unit.radii[other]) for other in others}
    if min(gaps.values()) < 0.0:
        return None
    asked = unit.core if rule.leader is None else [rule.leader]
    companions = rule.companions if rule.leader is None else 1
    if sum(gaps[other] <= rule.distance for other in asked) < min(companions, len(asked)):
        return None
    return route(unit.goings[model], unit.ends[model], place, unit.length)


def _drawn_in(starts: Sequence[Point], length: float, share: float) -> list[Point]:
    """The places a share of the way to the middle of the unit, no farther than its models can move."""
    x, y = (sum(values) / len(starts) for values in zip(*starts, strict=True))
    moved = []
    for start in starts:
        far = _between(start, (x, y))
        part = 0.0 if far == 0.0 else min(share, max(0.0, length - TOLERANCE) / far)
        moved.append((rounded(start[0] + part * (x - start[0])), rounded(start[1] + part * (y - start[1]))))
    return moved


def _core(starts: Sequence[Point], radii: Sequence[float], coherency: Coherency) -> list[int]:
    near = links(starts, radii, coherency.distance)
    if coherency.leader is not None:
        return [coherency.leader, *near[coherency.leader]]
    return max(groups(near), key=len)


def _contact_places(radius: float, start: Point, targets: Sequence[tuple[float, float, float]]) -> Iterator[Point]:
    for i, (x, y, r) in enumerate(targets):
        reach = radius + r + CONTACT
        for other_x, other_y, other_r in targets[:i]:
            yield from _crossing((x, y), reach, (other_x, other_y), radius + other_r + CONTACT)
        yield from ((rounded(px), rounded(py)) for px, py in ring(start, (x, y), reach).tolist())


def _crossing(a: Point, reach_a: float, b: Point, reach_b: float) -> Iterator[Point]:
    """The places at given distances from two points, none or two."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0.0:
        return
    along = (reach_a * reach_a - reach_b * reach_b + square) / (2.0 * square)
    left = reach_a * reach_a / square - along * along
    if left < 0.0:
        return
    aside = math.sqrt(left)
    yield rounded(a[0] + along * dx - aside * dy), rounded(a[1] + along * dy + aside * dx)
    yield rounded(a[0] + along * dx + aside * dy), rounded(a[1] + along * dy - aside * dx)


def _with_targets(going: Going, targets: Sequence[tuple[float, float, float]]) -> Going:
    return with_discs(going, np.array([(x, y, r + going.radius) for x, y, r in targets], dtype=np.float64))


def _between(a: Sequence[float], b: Sequence[float]) -> float:
    dx, dy = a[0] - b[0], a[1] - b[1]
    return math.sqrt(dx * dx + dy * dy)


def _end(path: Path) -> Point:
    return path.points[-1][0], path.points[-1][1]
