"""Templates laid on the table: circles, teardrops, wedges, cones and strips, and the bases under them.

A template's own coordinates begin at its narrow end (a circle's at its centre), +y away from it. Rounded edges are
drawn with 128 corners to the full turn, half inside and half outside the true edge: 0.0002 off for a radius of 1.25.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from campale.table import kernels
from campale.table.measure import (
    bounding_radius,
    gap_to_outline,
    outline_of,
    overlaps_outline,
    wholly_inside_outline,
)
from campale.table.outlines import Outline, placed
from campale.table.shapes import TOLERANCE, Circle, Hull, Point, Solid, facing_towards, heading

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Part = Literal["touched", "partly", "wholly"]
"""How a base is under a template.

``touched`` counts contact, ``partly`` needs an overlap beyond the tolerance of the table, ``wholly`` allows the base to
reach out by no more than that.
"""

FULL_TURN = 128

WELL_INSIDE = 0.01
"""A base whose centre is this far inside a template is under it without a closer check."""

HALVINGS = 24
"""How often a stretch of directions is halved to find where a base comes under a template."""


class Blast(msgspec.Struct, frozen=True, tag="blast"):
    """A circle, laid by its centre."""

    radius: float


class Teardrop(msgspec.Struct, frozen=True, tag="teardrop"):
    """The convex outline of a point and a circle of width ``width`` whose far edge is ``length`` from the point."""

    length: float
    width: float


class Wedge(msgspec.Struct, frozen=True, tag="wedge"):
    """A slice of a circle: everything within ``length`` of the point, ``angle`` degrees wide (less than 180)."""

    length: float
    angle: float


class Cone(msgspec.Struct, frozen=True, tag="cone"):
    """A triangle from a point to a flat end ``width`` wide, ``length`` away."""

    length: float
    width: float


class Strip(msgspec.Struct, frozen=True, tag="strip"):
    """A line with a width: a rectangle laid from the middle of its short side."""

    length: float
    width: float


Template = Blast | Teardrop | Wedge | Cone | Strip


class Pose(msgspec.Struct, frozen=True):
    """The place of a template: its narrow end (a circle's centre), and its direction in degrees."""

    x: float
    y: float
    facing: float = 0.0


class Placement(msgspec.Struct, frozen=True):
    """A pose, and the indices of the targets that it covers."""

    pose: Pose
    covered: tuple[int, ...]


def outline_at(template: Template, pose: Pose) -> Outline:
    """The outline of a template on the table, counter-clockwise."""
    return placed(own_outline(template), pose.x, pose.y, pose.facing)


def is_under(template: Template, pose: Pose, solid: Solid, part: Part = "touched") -> bool:
    """Whether a base is under a template, in plan."""
    return bool(under(template, pose, (solid,), part))


def under(template: Template, pose: Pose, solids: Sequence[Solid], part: Part = "touched") -> tuple[int, ...]:
    """The indices in ``solids`` of the bases under a template, in plan."""
    return _indices(_hits(template, (pose,), solids, part)[0])


def under_each(template: Template, poses: Sequence[Pose], solids: Sequence[Solid], part: Part = "touched") -> Bools:
    """Whether each solid is under a template, pose by pose: (poses, solids)."""
    return _hits(template, poses, solids, part)


def placements(
    template: Template,
    firer: Solid,
    targets: Sequence[Solid],
    forbidden: Sequence[Solid] = (),
    *,
    part: Part = "touched",
    clear_of: Part = "partly",
    must: Sequence[int] | None = None,
    arc: tuple[float, float] = (-180.0, 180.0),
    muzzle: Point | None = None,
    step: float = 1.0,
) -> list[Placement]:
    """The ways to lay a template with its narrow end against a base, one for each group of targets it can cover.

    Fineness: it tries every ``step`` degrees of ``arc`` (clockwise from the firer's facing), the directions to the
    centres of all bases and to both edges of all targets, and whatever lies between two of these where more than one
    base comes under it or out of it. For a teardrop and round bases that misses no group of targets. No base of
    ``forbidden`` may be under it in the sense of ``clear_of`` (``partly``: contact is allowed). With ``must``, it
    covers at least one of those targets. ``muzzle`` holds the narrow end at a point instead of the base's edge.

    Most targets come first, then the order of the targets; of the directions that cover the same targets it returns the
    one under which the least covered target lies deepest.
    """

    def lie(facings: Sequence[float]) -> Bools:
        laid = [_pose(firer, muzzle, facing) for facing in facings]
        return np.hstack((_hits(template, laid, targets, part), _hits(template, laid, forbidden, clear_of)))

    tries = _directions(muzzle or (firer.x, firer.y), firer.facing, targets, forbidden, arc, step)
    tries += _between(tries, firer.facing + arc[0], arc[1] - arc[0], lie)
    poses = [_pose(firer, muzzle, facing) for facing in tries]
    return _ranked(template, poses, targets, forbidden, part, clear_of, must)


def best_placement(
    template: Template,
    firer: Solid,
    targets: Sequence[Solid],
    forbidden: Sequence[Solid] = (),
    *,
    part: Part = "touched",
    clear_of: Part = "partly",
    must: Sequence[int] | None = None,
    arc: tuple[float, float] = (-180.0, 180.0),
    muzzle: Point | None = None,
    step: float = 1.0,
) -> Placement | None:
    """The first of ``placements`` (same arguments, same fineness), or None if nothing can be covered."""
    found = placements(
        template,
        firer,
        targets,
        forbidden,
        part=part,
        clear_of=clear_of,
        must=must,
        arc=arc,
        muzzle=muzzle,
        step=step,
    )
    return found[0] if found else None


def best_blast(
    template: Blast,
    targets: Sequence[Solid],
    forbidden: Sequence[Solid] = (),
    *,
    part: Part = "touched",
    clear_of: Part = "partly",
    must: Sequence[int] | None = None,
    allowed: Callable[[float, float], bool] | None = None,
) -> Placement | None:
    """The place for a circle that covers the most targets, or None; ties go to the order of the targets.

    Fineness: it tries the centres of the targets and every point where a target is just covered, or a forbidden base
    just clear, in two of these ways at once. For round bases that misses no group of targets; for others the search
    uses the circle about them (and the answer is exact). ``allowed(x, y)`` says where the centre may be: only the
    allowed ones of the tried points count.
    """
    centres = _centres(template.radius, targets, forbidden, part, clear_of)
    poses = [Pose(x, y) for x, y in centres if allowed is None or allowed(x, y)]
    found = _ranked(template, poses, targets, forbidden, part, clear_of, must)
    return found[0] if found else None


@lru_cache(maxsize=64)
def own_outline(template: Template) -> Outline:
    """The outline of a template in its own coordinates. ValueError for a wedge of 0, or of 180 degrees or more."""
    if isinstance(template, Blast):
        return _arc(0.0, 0.0, template.radius, 0.0, 2 * math.pi)[:-1]
    if isinstance(template, Teardrop):
        return _teardrop(template)
    if isinstance(template, Wedge):
        return _wedge(template)
    half, far = template.width / 2, template.length
    if isinstance(template, Cone):
        return (0.0, 0.0), (half, far), (-half, far)
    return (-half, 0.0), (half, 0.0), (half, far), (-half, far)


def _teardrop(template: Teardrop) -> Outline:
    radius = template.width / 2
    off = template.length - radius
    lean = math.asin(min(1.0, radius / off))
    return ((0.0, 0.0), *_arc(0.0, off, radius, -lean, math.pi + lean))


def _wedge(template: Wedge) -> Outline:
    if not 0.0 < template.angle < 180.0:
        raise ValueError(f"a wedge is less than half a turn wide, not {template.angle} degrees")
    half = math.radians(template.angle / 2)
    return ((0.0, 0.0), *_arc(0.0, 0.0, template.length, math.pi / 2 - half, math.pi / 2 + half))


def _arc(x: float, y: float, radius: float, from_: float, to: float) -> Outline:
    count = max(2, math.ceil((to - from_) / (2 * math.pi) * FULL_TURN))
    turn = (to - from_) / count
    outer = radius * 2 / (1 + math.cos(turn / 2))
    angles = [from_ + k * turn for k in range(count + 1)]
    return tuple((round(x + outer * math.cos(a), 9), round(y + outer * math.sin(a), 9)) for a in angles)


# --- bases under a template


def _indices(row: Bools) -> tuple[int, ...]:
    return tuple(k for k, hit in enumerate(row.tolist()) if hit)


def _hits(template: Template, poses: Sequence[Pose], solids: Sequence[Solid], part: Part) -> Bools:
    """Whether each solid is under the template at each pose: (poses, solids)."""
    off = _offsets(template, poses, solids)
    radii = np.array([bounding_radius(solid.shape) for solid in solids], np.float64)
    out: Bools = _under_by(off, radii, part)
    for k, solid in enumerate(solids):
        if isinstance(solid.shape, Circle):
            continue
        near = off[:, k] - radii[k] <= TOLERANCE
        out[:, k] = off[:, k] < -WELL_INSIDE if part != "wholly" else False
        for at in (near & ~out[:, k]).nonzero()[0].tolist():
            out[at, k] = _under_exactly(template, poses[at], solid, part)
    return out


def _under_by(off: Floats, radii: Floats, part: Part) -> Bools:
    """Whether circles are under a template, by the offsets of their centres: (poses, solids)."""
    if part == "touched":
        return off - radii <= TOLERANCE
    if part == "partly":
        return off - radii < -TOLERANCE
    return off + radii <= TOLERANCE


def _under_exactly(template: Template, pose: Pose, solid: Solid, part: Part) -> bool:
    outline = outline_at(template, pose)
    if part == "touched":
        return gap_to_outline(solid, outline) <= TOLERANCE
    if part == "partly":
        return overlaps_outline(solid, outline)
    return wholly_inside_outline(solid, outline)


def _offsets(template: Template, poses: Sequence[Pose], solids: Sequence[Solid]) -> Floats:
    """The distance of solids' centres from the template's edge at each pose, negative inside: (poses, solids)."""
    at = np.array([(pose.x, pose.y) for pose in poses], np.float64).reshape(-1, 1, 2)
    off = np.array([(solid.x, solid.y) for solid in solids], np.float64).reshape(1, -1, 2) - at
    dx, dy = off[..., 0], off[..., 1]
    if isinstance(template, Blast):
        return np.asarray(np.sqrt(dx * dx + dy * dy) - template.radius, np.float64)
    ahead = np.array([heading(pose.facing) for pose in poses], np.float64).reshape(-1, 2)
    x, y = ahead[:, :1], ahead[:, 1:]
    across, along = dx * y - dy * x, dx * x + dy * y
    corners = np.array(own_outline(template), np.float64)
    return np.asarray(kernels.signed_gaps(across.ravel(), along.ravel(), corners), np.float64).reshape(dx.shape)


# --- where to lay it


def _ranked(
    template: Template,
    poses: Sequence[Pose],
    targets: Sequence[Solid],
    forbidden: Sequence[Solid],
    part: Part,
    clear_of: Part,
    must: Sequence[int] | None,
) -> list[Placement]:
    """One placement for each group of targets that a clear pose covers, most targets first."""
    hits = _hits(template, poses, targets, part)
    spoilt = [any(row) for row in _hits(template, poses, forbidden, clear_of).tolist()]
    depth = _offsets(template, poses, targets).T
    best: dict[tuple[int, ...], tuple[float, int]] = {}
    for at, pose_spoilt in enumerate(spoilt):
        covered = _indices(hits[at])
        if pose_spoilt or not covered or (must is not None and not any(k in must for k in covered)):
            continue
        shallow = max(float(depth[k, at]) for k in covered)
        if covered not in best or shallow < best[covered][0]:
            best[covered] = (shallow, at)
    order = sorted(best, key=lambda covered: (-len(covered), covered))
    return [Placement(poses[best[covered][1]], covered) for covered in order]


def _directions(
    origin: Point,
    front: float,
    targets: Sequence[Solid],
    forbidden: Sequence[Solid],
    arc: tuple[float, float],
    step: float,
) -> list[float]:
    """The facings to try, in order: first every step of the arc and its end, then those towards the bases."""
    start, end = arc
    tries = [front + start + k * step for k in range(int((end - start) / step + 1e-9) + 1)]
    tries.append(front + end)
    for k, solid in enumerate((*targets, *forbidden)):
        towards = facing_towards(origin, (solid.x, solid.y))
        turn = (towards - front - start) % 360.0
        reach = bounding_radius(solid.shape)
        off = math.sqrt((solid.x - origin[0]) ** 2 + (solid.y - origin[1]) ** 2)
        lean = math.degrees(math.asin(min(1.0, reach / off))) if off > 0 else 0.0
        leans = [turn + side * lean for side in ((-1.0, 0.0, 1.0) if k < len(targets) else (0.0,))]
        tries += [front + start + t for t in leans if 0.0 <= t <= end - start]
    return list(dict.fromkeys(round(facing % 360.0, 6) for facing in tries))


def _between(
    tries: Sequence[float], start: float, width: float, lie: Callable[[Sequence[float]], Bools]
) -> list[float]:
    """The facings between two neighbours of which more than one base is under the template at one only.

    There is one for each stretch between the turns at which those bases come under it or out of it. ``lie`` says for
    each facing which bases are under it.
    """
    turns = np.unique(np.round([*((facing - start) % 360.0 for facing in tries), width], 6))
    turns = turns[turns <= width + 1e-6]
    states = lie((start + turns).tolist())
    changes = states[1:] != states[:-1]
    gaps, bases = np.nonzero(changes & (changes.sum(axis=1) > 1)[:, None])
    low, high, first = turns[gaps], turns[gaps + 1], states[gaps, bases]
    for _ in range(HALVINGS if len(gaps) else 0):
        middle = (low + high) / 2
        same = lie((start + middle).tolist())[np.arange(len(gaps)), bases] == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    order = np.lexsort((low, gaps))
    edges, gaps = low[order], gaps[order]
    inner = (edges[1:] + edges[:-1])[gaps[1:] == gaps[:-1]] / 2
    return [float(turn) % 360.0 for turn in start + inner]


def _pose(firer: Solid, muzzle: Point | None, facing: float) -> Pose:
    x, y = muzzle if muzzle is not None else edge_towards(firer, facing)
    return Pose(x, y, facing)


def edge_towards(solid: Solid, facing: float) -> Point:
    """The point of a base's edge met last on the way from its own centre along a facing (degrees, on the table)."""
    ahead_x, ahead_y = heading(facing)
    if isinstance(solid.shape, Circle):
        off = solid.shape.radius
    elif isinstance(solid.shape, Hull):
        off = _exit(outline_of(solid), solid.x, solid.y, ahead_x, ahead_y)
    else:
        x, y = heading(facing - solid.facing)
        u, v = x / solid.shape.half_width, y / solid.shape.half_length
        off = 1 / math.sqrt(u * u + v * v)
    return solid.x + off * ahead_x, solid.y + off * ahead_y


def _exit(corners: Outline, x: float, y: float, dx: float, dy: float) -> float:
    """The distance along a ray of its last crossing with an outline (0 if it has none)."""
    far = 0.0
    for k, b in enumerate(corners):
        a = corners[k - 1]
        one = dx * (a[1] - y) - dy * (a[0] - x)
        two = dx * (b[1] - y) - dy * (b[0] - x)
        if (one > 0) != (two > 0):
            share = one / (one - two)
            cx, cy = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
            far = max(far, (cx - x) * dx + (cy - y) * dy)
    return far


def _centres(
    radius: float, targets: Sequence[Solid], forbidden: Sequence[Solid], part: Part, clear_of: Part
) -> list[Point]:
    """The centres for a circle that ``best_blast`` tries."""
    rings = [(s.x, s.y, _ring(radius, s, part, -TOLERANCE)) for s in targets]
    rings += [(s.x, s.y, _ring(radius, s, clear_of, TOLERANCE)) for s in forbidden]
    found = [(target.x, target.y) for target in targets]
    found += [(x + ring, y) for x, y, ring in rings]
    for k, one in enumerate(rings):
        for other in rings[:k]:
            found += _meetings(one, other)
    return found


def _ring(radius: float, solid: Solid, part: Part, spare: float) -> float:
    """The distance between centres at which a circle just covers or clears a base as required, by a hair."""
    reach = bounding_radius(solid.shape)
    edge = radius - reach if part == "wholly" else radius + reach
    edge += {"touched": TOLERANCE, "partly": -TOLERANCE, "wholly": TOLERANCE}[part]
    return edge + spare * 1e-3


def _meetings(one: tuple[float, float, float], other: tuple[float, float, float]) -> list[Point]:
    """The points where two circles (x, y, radius) cross; none when they do not."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    square = dx * dx + dy * dy
    if square <= 0.0 or one[2] <= 0.0 or other[2] <= 0.0:
        return []
    along = (square + one[2] * one[2] - other[2] * other[2]) / (2 * square)
    left = one[2] * one[2] / square - along * along
    if left < 0.0:
        return []
    side = math.sqrt(left)
    x, y = one[0] + along * dx, one[1] + along * dy
    return [(x - side * dy, y + side * dx), (x + side * dy, y - side * dx)]
