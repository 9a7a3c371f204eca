"""The checks of a path and the planner, written apart: fine sampling, Shapely, and a plain visibility graph."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from itertools import pairwise

from shapely import affinity, prepare
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

XY = tuple[float, float]


def sampled(points: Sequence[XY], count: int) -> list[tuple[float, XY]]:
    """Places along a polyline, (distance, place), ``count`` to a leg: none is missed by more than leg / count / 2."""
    found: list[tuple[float, XY]] = []
    gone = 0.0
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.dist((ax, ay), (bx, by))
        for k in range(count + 1):
            t = k / count
            found.append((gone + t * length, (ax + t * (bx - ax), ay + t * (by - ay))))
        gone += length
    return found


def first_nearer(points: Sequence[XY], reach: float, disc: XY, count: int = 4000) -> float | None:
    """The first sampled distance at which a centre is nearer than ``reach`` to another."""
    return next((s for s, place in sampled(points, count) if math.dist(place, disc) < reach), None)


def least_distance(points: Sequence[XY], other: XY) -> float:
    """The least distance of a polyline from a point, by Shapely."""
    return float(LineString(points).distance(Point(other)))


def overlap_length(points: Sequence[XY], radius: float, outline: Sequence[XY]) -> float:
    """How long a disc's centre is within its radius of an outline: Shapely's buffer, fine to 0.00008 of the radius."""
    return float(LineString(points).intersection(Polygon(outline).buffer(radius, quad_segs=64)).length)


def hull_at(corners: Sequence[XY], x: float, y: float, facing: float) -> Polygon:
    """A hull on the table: Shapely turns counter-clockwise, a facing clockwise."""
    return affinity.translate(affinity.rotate(Polygon(corners), -facing, origin=(0.0, 0.0)), x, y)


def hull_gap(
    corners: Sequence[XY],
    places: Sequence[tuple[float, float, float]],
    other: Polygon,
    count: int = 300,
) -> float:
    """The least distance of a hull that goes in straight lines, and turns evenly, through places (x, y, facing)."""
    least = math.inf
    for a, b in pairwise(places):
        for k in range(count + 1):
            t = k / count
            x, y, facing = (p + t * (q - p) for p, q in zip(a, b, strict=True))
            least = min(least, float(hull_at(corners, x, y, facing).distance(other)))
    return least


def shortest(
    start: XY, goal: XY, discs: Sequence[tuple[float, float, float]], outlines: Sequence[Sequence[XY]], radius: float
) -> float | None:
    """The length of the shortest way in a plain visibility graph: 16 nodes a disc, the mitred corners of outlines.

    It keeps 0.01 more clear than asked, so a way it finds is certainly there.
    """
    bars = [Point(x, y).buffer(keep + 0.01, quad_segs=16) for x, y, keep in discs]
    bars += [Polygon(outline).buffer(radius + 0.01, quad_segs=16) for outline in outlines]
    off = [Point(x, y).buffer((keep + 0.02) / math.cos(math.pi / 16), quad_segs=4) for x, y, keep in discs]
    off += [Polygon(outline).buffer(radius + 0.02, join_style="mitre") for outline in outlines]
    barred = unary_union(bars)
    prepare(barred)
    corners = [corner for shape in off for corner in list(shape.exterior.coords)[:-1]]
    within = [(x, y) for x, y in corners if _is_on(x, y, radius) and not barred.intersects(Point(x, y))]
    return _a_star([start, goal, *within], barred)


def _is_on(x: float, y: float, radius: float) -> bool:
    return min(x, y, 60.0 - x, 60.0 - y) >= radius


def _a_star(nodes: Sequence[XY], barred: BaseGeometry) -> float | None:
    best = {0: 0.0}
    queue = [(math.dist(nodes[0], nodes[1]), 0)]
    done: list[int] = []
    while queue:
        _, node = heapq.heappop(queue)
        if node in done:
            continue
        if node == 1:
            return best[1]
        done.append(node)
        for other in range(1, len(nodes)):
            length = best[node] + math.dist(nodes[node], nodes[other])
            if length < best.get(other, math.inf) and not _is_barred(nodes[node], nodes[other], barred):
                best[other] = length
                heapq.heappush(queue, (length + math.dist(nodes[other], nodes[1]), other))
    return None


def _is_barred(a: XY, b: XY, barred: BaseGeometry) -> bool:
    return bool(barred.intersects(LineString((a, b))))
