"""Cover: the pieces between shooter and target, and their effect (shooting/cover-*, core/line-of-sight).

Rules, page, bots and odds share one verdict. The cover of all targets of a shooter is computed at once and kept until
something moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campale.dice.needs import Part
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, ignores
from campale.rulesets.wzr.basics.dice import raises
from campale.rulesets.wzr.basics.measuring import SAME_LEVEL, gap, within
from campale.rulesets.wzr.basics.sight import head, inside
from campale.rulesets.wzr.battle.terrain import DOOR, HEAVY, INTACT, LIGHT, LINEAR, SOLID, WINDOW
from campale.rulesets.wzr.vehicles.kinds import kind_of
from campale.table.measure import bounding_radius, gap_to_outline, gaps_to_outlines
from campale.table.outlines import meet
from campale.table.shapes import TOLERANCE, Circle, Solid
from campale.table.sight import crossings, silhouette
from campale.table.terrain import Ground, Piece

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_SHARE = 0.25
ACROSS = 20
"""The number of places across a target where its hidden share is judged. The judgement is exact in height."""
LIGHT_COVER, HEAVY_COVER = -2, -4
MOST_PIECES = 3
BESIDE = 1.0
SPARE = 1e-6
NO_PIECE = "none"
"""The answer for reclaiming no piece."""
OPENING = "opening"


class Cover(NamedTuple):
    """A piece of cover: its name or a model's row, its class, and its distance from the shooter in inches."""

    name: str
    row: int
    light: bool
    at: float


class Seen(NamedTuple):
    """A model or point that is shot at: its solid, its base size, its row (-1 for a point)."""

    solid: Solid
    size: int
    row: int


class Verdict(NamedTuple):
    """The effect of cover.

    ``pieces``: those left after reclaiming, nearest first; ``counted``: those that count for the modifier; ``part``:
    the modifier; ``closed``: there are too many pieces to shoot at the target at all.
    """

    pieces: tuple[Cover, ...]
    counted: tuple[Cover, ...]
    part: Part
    closed: bool

    @property
    def covers(self) -> bool:
        """Whether the target is in cover."""
        return bool(self.counted)


# ---------------------------------------------------------------- pieces on the table


@rule("shooting/cover-types", "core/line-of-sight")
def screens(ground: Ground) -> Ground:
    """Pieces that give cover by hiding the target."""
    by_body = (SOLID, INTACT, LINEAR)
    return Ground(ground.width, ground.depth, tuple(p for p in ground.pieces if any(t in p.tags for t in by_body)))


@rule("shooting/cover-types", "core/line-of-sight")
def areas(ground: Ground) -> Ground:
    """Area terrain: light and heavy ground that never hides a target completely."""
    not_area = (SOLID, INTACT, LINEAR, DOOR, WINDOW)
    found = [p for p in ground.pieces if LIGHT in p.tags or HEAVY in p.tags]
    return Ground(ground.width, ground.depth, tuple(p for p in found if not any(t in p.tags for t in not_area)))


@rule("shooting/cover-cumulative")
def continuous(ground: Ground) -> tuple[int, ...]:
    """For each area, the index of the first area in its continuous piece: areas of one class that touch."""
    pieces = ground.kept(areas).pieces
    first = list(range(len(pieces)))
    for k, piece in enumerate(pieces):
        for n in range(k):
            if is_light(piece) == is_light(pieces[n]) and meet(piece.outline, pieces[n].outline):
                low, high = sorted((first[n], first[k]))
                first = [low if one == high else one for one in first]
    return tuple(first)


@rule("shooting/cover-types")
def is_light(piece: Piece) -> bool:
    """Light terrain, wire, hedges and low obstacles are light; walls, trees, ruins and heavy terrain are heavy."""
    return LIGHT in piece.tags


# ---------------------------------------------------------------- what a piece hides


@rule("core/line-of-sight", "shooting/cover-types")
def hidden_shares(ground: Ground, eye: tuple[float, float, float], targets: Sequence[Solid]) -> Floats:
    """The share of each target that each piece hides from the eye: (targets, pieces).

    It is the share of an upright rectangle as wide as the base and as tall as the target, exact in height for pieces
    without hollows.
    """
    if not ground.pieces or not targets:
        return np.zeros((len(targets), len(ground.pieces)))
    ends = np.array([across(one, eye) for one in targets], np.float64).reshape(-1, 2)
    feet = np.repeat([one.z for one in targets], ACROSS)[:, None]
    tall = np.repeat([one.height for one in targets], ACROSS)[:, None]
    flat = np.zeros((len(ends), 1))
    starts = np.tile((eye[0], eye[1], 0.0), (len(ends), 1))
    lengths, first = crossings(ground, starts, np.hstack((ends, flat)), in_plan=True)
    far = np.sqrt(((ends - np.array(eye[:2])) ** 2).sum(axis=1))[:, None]
    prisms = ground.prisms
    met = lengths > SPARE
    upper = grazing(eye[2], prisms.high, lengths, first, far, beyond=eye[2] > prisms.high)
    lower = grazing(eye[2], prisms.low, lengths, first, far, beyond=eye[2] < prisms.low)
    top, bottom = (np.clip((edge - feet) / tall, 0.0, 1.0) for edge in (upper, lower))
    shares = np.where(met, np.maximum(top - bottom, 0.0), 0.0)
    found: Floats = shares.reshape(len(targets), ACROSS, -1).mean(axis=1)
    return found


def across(target: Solid, eye: tuple[float, float, float]) -> list[tuple[float, float]]:
    """Points across the target's silhouette, each in the middle of its share."""
    (ax, ay), (bx, by) = silhouette(target, eye[0], eye[1])
    shares = [(k + 0.5) / ACROSS for k in range(ACROSS)]
    return [(ax + s * (bx - ax), ay + s * (by - ay)) for s in shares]


def grazing(eye: float, edge: Floats, lengths: Floats, first: Floats, far: Floats, beyond: Flags) -> Floats:
    """The height over each target of the line from the eye that grazes an edge of each piece.

    The line grazes the side where it enters the piece or, with ``beyond``, the side where it leaves.
    """
    with np.errstate(invalid="ignore"):
        share = np.where(beyond, first + lengths, first) / far
        found: Floats = eye + (edge - eye) / np.maximum(share, 1e-9)
    return found


# ---------------------------------------------------------------- pieces in between


@rule("shooting/cover-cumulative")
def between(shooter: Model, target: Model) -> tuple[Cover, ...]:
    """The pieces of cover between shooter and target, nearest to the shooter first. Kept until something moves."""
    kept: dict[int, tuple[Cover, ...]] = shooter.position.layout.setdefault(("cover", shooter.row), {})
    if target.row not in kept:
        enemies = shooter.position.on_table(1 - shooter.side)
        wanted = enemies if any(m.row == target.row for m in enemies) else [target]
        found = find(shooter, [Seen(m.solid, m.profile.size, m.row) for m in wanted])
        kept.update(zip((m.row for m in wanted), found, strict=True))
    return kept[target.row]


@rule("shooting/cover-types", "shooting/cover-cumulative")
def find(shooter: Model, targets: Sequence[Seen]) -> list[tuple[Cover, ...]]:
    """The pieces of cover for each target."""
    found: list[list[Cover]] = [[] for _ in targets]
    for one in (by_screens, by_areas, by_models):
        for k, cover in one(shooter, targets):
            found[k].append(cover)
    for k, target in enumerate(targets):
        found[k] += by_opening(shooter, target)
    return [tuple(sorted(covers, key=lambda one: (one.at, one.name, one.row))) for covers in found]


@rule("shooting/cover-types", "core/line-of-sight")
def by_screens(shooter: Model, targets: Sequence[Seen]) -> list[tuple[int, Cover]]:
    """Solid pieces that hide at least a quarter of the target, except a structure that one of the two is in."""
    ground = shooter.position.ground.kept(screens)
    shares = hidden_shares(ground, (shooter.x, shooter.y, head(shooter)), [one.solid for one in targets])
    found = []
    for k, p in np.argwhere(shares >= LEAST_SHARE - SPARE).tolist():
        piece, target = ground.pieces[p], targets[k].solid
        if not (INTACT in piece.tags and (is_in(shooter, piece) or holds(shooter.position, piece, target))):
            found.append((k, Cover(piece.name, -1, is_light(piece), gap_to_outline(shooter.solid, piece.outline))))
    return found


def is_in(model: Model, piece: Piece) -> bool:
    return holds(model.position, piece, model.solid)


def holds(position: Position, piece: Piece, solid: Solid) -> bool:
    structure = inside(position, (solid.x, solid.y), solid.z)
    return structure is not None and structure.name == piece.name


@rule("shooting/cover-types", "shooting/cover-cumulative", "core/line-of-sight")
def by_areas(shooter: Model, targets: Sequence[Seen]) -> list[tuple[int, Cover]]:
    """Area terrain that the line between centres crosses or the target stands in. A continuous area counts once."""
    ground, first = shooter.position.ground.kept(areas), shooter.position.ground.kept(continuous)
    if not ground.pieces:
        return []
    ends = np.array([(one.solid.x, one.solid.y, 0.0) for one in targets])
    lengths, firsts = crossings(ground, np.tile((shooter.x, shooter.y, 0.0), (len(ends), 1)), ends, in_plan=True)
    stands = gaps_of(targets, ground) <= TOLERANCE
    pieces, found = ground.pieces, dict[tuple[int, int], float]()
    for k, p in np.argwhere((lengths > SPARE) | stands).tolist():
        start = float(firsts[k, p]) if lengths[k, p] > SPARE else far_off(shooter, targets[k])
        if not passes_above(shooter, targets[k], pieces[p], (start, start + float(lengths[k, p]))):
            far = gap_to_outline(shooter.solid, pieces[p].outline)
            found[k, first[p]] = min(far, found.get((k, first[p]), far))
    return [(k, Cover(pieces[p].name, -1, is_light(pieces[p]), far)) for (k, p), far in found.items()]


def height_at(shooter: Model, target: Seen, far: float) -> float:
    """The height, ``far`` inches along in plan, of the line between the feet of the two."""
    share = min(1.0, far / max(far_off(shooter, target), SPARE))
    return float(shooter.z + share * (target.solid.z - shooter.z))


@rule("shooting/cover-types", "core/levels")
def passes_above(shooter: Model, target: Seen, piece: Piece, span: tuple[float, float]) -> bool:
    """Whether the line passes above an area all along its ``span`` (inches from the shooter)."""
    top = max(piece.top, piece.z + SAME_LEVEL)
    return min(height_at(shooter, target, far) for far in span) > top - TOLERANCE


@rule("shooting/intervening-models", "core/levels")
def passes_by(shooter: Model, target: Seen, other: Model, far: float) -> bool:
    """Whether the line, ``far`` inches along, passes above the head of a model or below its level."""
    height = height_at(shooter, target, far)
    return height > other.z + other.profile.height + TOLERANCE or height <= other.z - SAME_LEVEL + TOLERANCE


def gaps_of(targets: Sequence[Seen], ground: Ground) -> Floats:
    """The gaps between target bases and piece outlines in inches, 0 if they overlap: (targets, pieces)."""
    solids = [one.solid for one in targets]
    x, y = [one.x for one in solids], [one.y for one in solids]
    found = gaps_to_outlines(x, y, [bounding_radius(one.shape) for one in solids], ground)
    for k, one in enumerate(solids):
        if not isinstance(one.shape, Circle):
            found[k] = [gap_to_outline(one, piece.outline) for piece in ground.pieces]
    return found


def far_off(shooter: Model, target: Seen) -> float:
    return float(np.hypot(target.solid.x - shooter.x, target.solid.y - shooter.y))


@rule("shooting/intervening-models")
def by_models(shooter: Model, targets: Sequence[Seen]) -> list[tuple[int, Cover]]:
    """Models whose bases the line between centres crosses, not above their heads nor below their level.

    Vehicles and models smaller than the target do not count, nor members of the shooter's squad beside him.
    """
    others = [m for m in shooter.position.on_table() if m.row != shooter.row and not m.profile.is_vehicle]
    others = [m for m in others if not (m.unit == shooter.unit and within(gap(shooter, m), BESIDE))]
    if not others or not targets:
        return []
    at = np.array([m.at for m in others])
    radius = np.array([m.profile.shape.radius for m in others])
    ends = np.array([(one.solid.x, one.solid.y) for one in targets])
    crossed, firsts = through_circles(np.array(shooter.at), ends, at, radius)
    found = []
    for k, n in np.argwhere(crossed).tolist():
        if is_aimed_at(others[n], targets[k]) or others[n].profile.size < targets[k].size:
            continue
        if not passes_by(shooter, targets[k], others[n], float(firsts[k, n])):
            found.append((k, Cover("", others[n].row, False, gap(shooter, others[n]))))
    return found


@rule("shooting/intervening-models", "armoury/grenade-point")
def is_aimed_at(model: Model, target: Seen) -> bool:
    """Whether the model is the target itself, or the target point lies on its base."""
    if target.row >= 0:
        return model.row == target.row
    return within(math.dist(model.at, (target.solid.x, target.solid.y)), bounding_radius(model.profile.shape))


def through_circles(start: Floats, ends: Floats, centres: Floats, radii: Floats) -> tuple[Flags, Floats]:
    """Which lines in plan from a point cross which circles, and how far along: (lines, circles) each."""
    way = ends - start
    far = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    ahead = way / far
    off = centres - start
    along = ahead @ off.T
    aside = np.abs(ahead[:, :1] * off[:, 1] - ahead[:, 1:] * off[:, 0])
    half = np.sqrt(np.maximum(radii * radii - aside * aside, 0.0))
    first, last = along - half, along + half
    crossed: Flags = (aside < radii - SPARE) & (last > SPARE) & (first < far - SPARE)
    return crossed, np.maximum(first, 0.0)


@rule("shooting/cover-types", "structures/line-of-sight")
def by_opening(shooter: Model, target: Seen) -> list[Cover]:
    """A target seen inside a structure from outside has one heavy piece of cover, whatever part of it shows."""
    position, solid = shooter.position, target.solid
    structure = inside(position, (solid.x, solid.y), solid.z)
    if structure is None or is_in(shooter, structure):
        return []
    return [Cover(OPENING, -1, False, far_off(shooter, target))]


# ---------------------------------------------------------------- the verdict


@rule("shooting/reclaim-cover")
def reclaimable(shooter: Model, covers: Sequence[Cover]) -> tuple[str, ...]:
    """The pieces of terrain that the shooter may ignore because he stands in them or within 1 inch."""
    ground = shooter.position.ground
    names = dict.fromkeys(one.name for one in covers if one.row < 0 and ground.has(one.name))
    return tuple(name for name in names if is_beside(shooter, name))


@rule("shooting/reclaim-cover", "shooting/cover-cumulative")
def is_beside(shooter: Model, name: str) -> bool:
    """Whether the shooter is within 1 inch of a piece, or of any part of its continuous area."""
    ground = shooter.position.ground
    pieces, first = ground.kept(areas).pieces, ground.kept(continuous)
    place = next((k for k, piece in enumerate(pieces) if piece.name == name), None)
    parts = [ground.piece(name)] if place is None else [p for k, p in enumerate(pieces) if first[k] == first[place]]
    return any(within(gap_to_outline(shooter.solid, part.outline), BESIDE) for part in parts)


@rule("shooting/three-covers")
def is_closed(position: Position, left: Sequence[Cover]) -> bool:
    """Whether three or more pieces (without the reclaimed one) bar the target; four by option."""
    return len(left) >= MOST_PIECES + int(position.options.four_covers)


@rule("abilities/sniper", "vehicles/shoot-flyers")
def counting(shooter: Model, left: Sequence[Cover]) -> tuple[Cover, ...]:
    """The pieces that the shooter's abilities do not ignore."""
    found = tuple(left[1:] if left and ignores("nearest-cover", About(shooter, is_ranged=True)) else left)
    kind = kind_of(shooter)
    return tuple(one for one in found if not (kind is not None and kind.flies and one.light))


@rule("shooting/cover-types", "shooting/cover-cumulative")
def of_pieces(counted: Sequence[Cover]) -> Part:
    return raises("shooting/cover-cumulative", sum(LIGHT_COVER if one.light else HEAVY_COVER for one in counted))


def verdict_on(shooter: Model, covers: Sequence[Cover], reclaimed: str) -> Verdict:
    left = tuple(one for one in covers if one.name != reclaimed)
    counted = counting(shooter, left)
    return Verdict(left, counted, of_pieces(counted), is_closed(shooter.position, left))


@rule("shooting/cover-cumulative", "shooting/three-covers", "core/line-of-sight")
def cover(shooter: Model, target: Model, reclaimed: str = NO_PIECE) -> Verdict:
    """The verdict on a target's cover, with one piece ignored by the shooter."""
    return verdict_on(shooter, between(shooter, target), reclaimed)


@rule("armoury/grenade-point", "armoury/grenade-reclaim")
def cover_of_point(shooter: Model, solid: Solid, reclaimed: str = NO_PIECE) -> Verdict:
    """The verdict on a point on the ground, as a target of the smallest size."""
    return verdict_on(shooter, find(shooter, [Seen(solid, 1, -1)])[0], reclaimed)
