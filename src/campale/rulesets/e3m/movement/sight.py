"""Sight and cover: straight lines in plan, what blocks them, and what gives cover at their ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from campale.mechanics.bases import Flags, Floats, Ints, centres, radii, round_ones, rows_of, standing_rows
from campale.mechanics.pairs import Verdicts, kept_by_pair
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import VEHICLES
from campale.rulesets.e3m.battle.scenery import BLOCKS, BROKEN, COVER, HILL, LINEAR, SCREENS, WRECK
from campale.table.measure import bounding_radius, gap_to_outline, outline_of
from campale.table.outlines import contains
from campale.table.shapes import Circle, Point, Solid, rounded
from campale.table.sight import crossings, flat, pieces_over
from campale.table.terrain import Ground, Piece

INTO_SCREEN = 6.0
NEAR_COVER = 2.0
BEHIND = 1.0
NONE = 7
"""The save of a model without cover."""
SPARE = 1e-6
FINENESS = 1.0
HIDDEN, SEEN = 0, 1


# ---------------------------------------------------------------- the pieces, as arrays


def tagged(ground: Ground, tag: str) -> Flags:
    return np.array([tag in piece.tags for piece in ground.pieces], np.bool_)


def saves_of(ground: Ground) -> Ints:
    """The cover save that each piece gives, or NONE."""
    return np.array([save_of(piece) for piece in ground.pieces], np.int64)


@rule("terrain/cover-saves")
def save_of(piece: Piece) -> int:
    return next((int(tag.removeprefix(COVER)) for tag in piece.tags if tag.startswith(COVER)), NONE)


def blocking(ground: Ground) -> Flags:
    return tagged(ground, BLOCKS)


def screening(ground: Ground) -> Flags:
    return tagged(ground, SCREENS)


def hills(ground: Ground) -> Flags:
    return tagged(ground, HILL)


def wrecks(ground: Ground) -> Flags:
    return tagged(ground, WRECK)


def area_cover(ground: Ground) -> Flags:
    """Broken terrain and wrecks, which give cover to models inside."""
    return tagged(ground, BROKEN) | tagged(ground, WRECK)


def line_cover(ground: Ground) -> Flags:
    """The pieces that give cover to models close behind them."""
    return area_cover(ground) | tagged(ground, LINEAR)


# ---------------------------------------------------------------- terrain/sight


@rule("terrain/sight", "base-general/line-of-sight")
def clear_lines(position: Position, starts: Floats, ends: Floats, spared: Ints) -> Flags:
    """Whether each line from (n, 2) to (n, 2) is clear.

    ``spared`` (2, n): the rows of shooter and target, whose hulls do not block it.
    """
    if not len(starts):
        return np.zeros(0, np.bool_)
    clear, from_above = past_scenery(position.ground, starts, ends)
    return clear & (~through_hulls(position, starts, ends, spared) | from_above)


@rule("terrain/sight")
def past_scenery(ground: Ground, starts: Floats, ends: Floats) -> tuple[Flags, Flags]:
    """Whether scenery leaves each line clear, and whether it starts or ends on a hill, over vehicles and wrecks."""
    at_start, at_end = pieces_over(ground, starts), pieces_over(ground, ends)
    high = ground.kept(hills)
    from_above: Flags = np.asarray((at_start[:, high] | at_end[:, high]).any(axis=1))
    if not ground.pieces:
        return np.ones(len(starts), np.bool_), from_above
    lengths, _ = crossings(ground, flat(starts), flat(ends), in_plan=True)
    crossed = lengths > SPARE
    solid = ground.kept(blocking) & ~(ground.kept(wrecks) & from_above[:, None])
    clear = ~(crossed & solid & ~(at_start | at_end)).any(axis=1)
    through = crossed & ~(at_start | at_end) | (lengths > INTO_SCREEN + SPARE)
    veiled = (through & ground.kept(screening)).any(axis=1)
    return np.asarray(clear & (~veiled | from_above)), from_above


def through_hulls(position: Position, starts: Floats, ends: Floats, spared: Ints) -> Flags:
    """Whether each line passes over a small or large vehicle that is neither shooter nor target."""
    rows, hulls = hull_ground(position)
    if not len(rows):
        return np.zeros(len(starts), np.bool_)
    lengths, _ = crossings(hulls, flat(starts), flat(ends), in_plan=True)
    counted = (spared[0, :, None] != rows) & (spared[1, :, None] != rows)
    return np.asarray(((lengths > SPARE) & counted).any(axis=1))


def hull_ground(position: Position) -> tuple[Ints, Ground]:
    """The rows of the vehicles that block sight, and a ground made of their hulls."""
    kept = position.layout
    if "hulls" not in kept:
        found = [m for m in position.on_table() if m.profile.has_armour]
        pieces = tuple(Piece(str(m.row), "", outline_of(m.solid), 1.0) for m in found)
        hulls = Ground(position.ground.width, position.ground.depth, pieces)
        kept["hulls"] = np.array([m.row for m in found], np.int64), hulls
    rows, ground = kept["hulls"]
    return rows, ground


# ---------------------------------------------------------------- who sees whom


@rule("base-general/line-of-sight", "fire/vehicle-sight", "base-vehicle/open-topped")
def eyes(position: Position, models: Sequence[Model]) -> Floats:
    """The points (models, 2) that models look from: the centre of the base or, aboard, of the vehicle."""
    return np.asarray(centres(position)[rows_of(models)])


@rule("base-general/line-of-sight", "fire/vehicle-sight")
def seen_at(model: Model) -> list[Point]:
    """The points where a target is looked for: its centre; for vehicles also the edge of the base, inch by inch."""
    if model.profile.kind not in VEHICLES:
        return [model.at]
    return [model.at, *edge_points(model.solid)]


def edge_points(solid: Solid) -> list[Point]:
    """Points of the edge of a hull, inch by inch."""
    corners = outline_of(solid)
    points: list[Point] = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        far = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        steps = max(1, round(far / FINENESS))
        points += [(ax + k / steps * (bx - ax), ay + k / steps * (by - ay)) for k in range(steps)]
    return points


def sights(position: Position, shooters: Sequence[Model], targets: Sequence[Model]) -> Flags:
    """Which shooter sees which target: (shooters, targets). Kept until something moves."""
    return np.asarray(kept_by_pair(position, shooters, targets, look) == SEEN)


def look(position: Position, shooters: Sequence[Model], targets: Sequence[Model]) -> Verdicts:
    """Whether the first of each pair sees the second; all lines are computed at once."""
    points = seen_points(position, {other.row: other for other in targets})
    counts = [len(points[other.row]) for other in targets]
    starts = np.repeat(eyes(position, shooters), counts, axis=0)
    ends = np.concatenate([points[other.row] for other in targets]).reshape(-1, 2)
    rows = np.stack((standing_rows(position)[rows_of(shooters)], rows_of(targets)))
    clear = clear_lines(position, starts, ends, np.repeat(rows, counts, axis=1))
    first = np.concatenate(([0], np.cumsum(counts)[:-1]))
    return np.where(np.logical_or.reduceat(clear, first), SEEN, HIDDEN).astype(np.int8)


def seen_points(position: Position, targets: dict[int, Model]) -> dict[int, Floats]:
    """The points where each target is looked for, by its row. Kept until something moves."""
    kept: dict[int, Floats] = position.layout.setdefault("seen-at", {})
    for row, target in targets.items():
        if row not in kept:
            kept[row] = np.array(seen_at(target), np.float64)
    return kept


def sees(one: Model, other: Model) -> bool:
    return bool(sights(one.position, [one], [other])[0, 0])


@rule("base-general/line-of-sight", "fire/vehicle-sight")
def sees_there(position: Position, watchers: Sequence[Model], there: Sequence[tuple[int, Solid]]) -> list[bool]:
    """Whether any watcher has a clear line to each model (row) if its base were there; to any point of a hull."""
    if not watchers or not there:
        return [False] * len(there)
    points = [[(one.x, one.y), *(() if isinstance(one.shape, Circle) else edge_points(one))] for _, one in there]
    counts = [len(own) for own in points]
    flat_points = np.array([point for own in points for point in own], np.float64)
    ends = np.tile(flat_points, (len(watchers), 1))
    starts = np.repeat(eyes(position, watchers), len(flat_points), axis=0)
    rows = np.repeat(np.array([row for row, _ in there], np.int64), counts)
    from_rows = np.repeat(standing_rows(position)[rows_of(watchers)], len(flat_points))
    clear = clear_lines(position, starts, ends, np.stack((from_rows, np.tile(rows, len(watchers)))))
    first = np.concatenate(([0], np.cumsum(counts)[:-1]))
    found: list[bool] = np.logical_or.reduceat(clear.reshape(len(watchers), -1).any(axis=0), first).tolist()
    return found


def see_points(position: Position, shooters: Sequence[Model], points: Sequence[Point]) -> Flags:
    """Which shooter has a clear line to which point: (points, shooters)."""
    starts = np.tile(eyes(position, shooters), (len(points), 1))
    ends = np.repeat(np.array(points, np.float64).reshape(-1, 2), len(shooters), axis=0)
    own = np.tile(standing_rows(position)[rows_of(shooters)], len(points))
    spared = np.stack((own, np.full(len(own), -1)))
    return clear_lines(position, starts, ends, spared).reshape(len(points), len(shooters))


# ---------------------------------------------------------------- terrain/in-cover


@rule("terrain/in-cover")
def covers(position: Position, shooters: Sequence[Model], targets: Sequence[Model]) -> Ints:
    """The cover save of each target against each shooter, or NONE: (shooters, targets). Kept until something moves."""
    return np.asarray(kept_by_pair(position, shooters, targets, cover_from), np.int64)


def cover_from(position: Position, shooters: Sequence[Model], targets: Sequence[Model]) -> Verdicts:
    """The save of the second of each pair against the first."""
    starts = centres(position)[rows_of(targets)]
    return cover_at_start(position, targets, starts, eyes(position, shooters)).astype(np.int8)


def cover_at_start(position: Position, targets: Sequence[Model], starts: Floats, ends: Floats) -> Ints:
    """The save of each target, which is at the start of a line to the shooter."""
    ground = position.ground
    if not ground.pieces:
        return np.full(len(targets), NONE, np.int64)
    reach = reaches_of_bases(position, targets, ends)[:, None]
    lengths, firsts = crossings(ground, flat(starts), flat(ends), in_plan=True)
    within, crossed = pieces_over(ground, starts), lengths > SPARE
    has = within & ground.kept(area_cover)
    has |= crossed & ~within & (firsts <= reach + NEAR_COVER) & ground.kept(line_cover)
    far = np.hypot(*(ends - starts).T)[:, None]
    has |= within & ground.kept(hills) & (lengths <= reach + NEAR_COVER) & (lengths < far - SPARE)
    return np.asarray(np.where(has, ground.kept(saves_of), NONE).min(axis=1), np.int64)


def reaches_of_bases(position: Position, targets: Sequence[Model], ends: Floats) -> Floats:
    """How far each target's base reaches from its centre towards the shooter at the end of its line."""
    rows, is_round = rows_of(targets), round_ones(position)
    found = radii(position)[rows]
    others = {row: target for row, target in zip(rows.tolist(), targets, strict=True) if not is_round[row]}
    for row, target in others.items():
        those = rows == row
        found[those] = reaches_of_hull(target, ends[those])
    return found


def reaches_of_hull(target: Model, ends: Floats) -> Floats:
    """The length of each line over the hull, from its centre; 0 for ends within the circle around it."""
    whole = hull_of(target)
    starts = np.broadcast_to(target.at, ends.shape)
    lengths, _ = crossings(whole, flat(starts), flat(ends), in_plan=True)
    far = np.hypot(*(ends - starts).T)
    return np.where(far < bounding_radius(target.profile.shape), 0.0, lengths[:, 0])


def hull_of(model: Model) -> Ground:
    """A ground with only the model's base on it. Kept until something moves."""
    kept, key = model.position.layout, ("hull", model.row)
    if key not in kept:
        ground = model.position.ground
        kept[key] = Ground(ground.width, ground.depth, (Piece("", "", outline_of(model.solid), 1.0),))
    found: Ground = kept[key]
    return found


@rule("terrain/in-cover")
def save_against(saves: Sequence[int]) -> int:
    """The save that the model has against more than half of those who see it, or NONE."""
    ordered = sorted(saves)
    return ordered[len(ordered) // 2] if ordered else NONE


@rule("terrain/in-cover")
def is_in_cover(model: Model, at: Point | None = None) -> bool:
    """Whether a model is in cover without any shooter: in broken terrain, or close behind a linear obstacle."""
    position, place = model.position, model.at if at is None else at
    ground = position.ground
    if any(BROKEN in piece.tags for piece in ground.pieces_at(*place)):
        return True
    return any(LINEAR in piece.tags and is_behind(model, place, piece) for piece in ground.pieces)


def is_behind(model: Model, place: Point, piece: Piece) -> bool:
    """Whether the model is within 1 inch of a piece that lies between it and its nearest enemy."""
    position = model.position
    there = replace(model.solid, x=rounded(place[0]), y=rounded(place[1]))
    if gap_to_outline(there, piece.outline) > BEHIND:
        return False
    enemies = position.on_table(1 - model.side)
    nearest = min(enemies, key=lambda m: (m.x - place[0]) ** 2 + (m.y - place[1]) ** 2, default=None)
    if nearest is None or contains(piece.outline, *place):
        return nearest is not None
    one = Ground(position.ground.width, position.ground.depth, (piece,))
    lengths, _ = crossings(one, [(*place, 0.0)], [(*nearest.at, 0.0)], in_plan=True)
    return bool(lengths[0, 0] > SPARE)
