"""Line of sight (1.1/los-*): lines from eyes and muzzles to the bodies of a unit, all at once.

An *eye* is (row of the model that looks, the point it looks from). Results for a group of eyes and a unit are cached in
the position until something changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import eyes as eyes_in_head
from campale.rulesets.e55.definitions.footprints import fire_points, height, muzzle, shape
from campale.rulesets.e55.definitions.types import is_monster, is_vehicle
from campale.rulesets.e55.definitions.units import aboard, members, rows_by_unit
from campale.rulesets.e55.movement_phase.terrain import SCREENING
from campale.rulesets.e55.movement_phase.terrain import SOLID as CUTS
from campale.table.measure import over_outlines
from campale.table.shapes import Circle, Point3
from campale.table.sight import (
    BLOCKED,
    CLEAR,
    NOTHING,
    SCREEN,
    SOLID,
    Sampling,
    ends_towards,
    grid,
    lines_met,
    prisms_of,
)
from campale.table.terrain import Ground, Piece, Prisms

Eye = tuple[int, Point3]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]

STOREYS = Sampling(heights=(1.0 / 6.0, 0.5, 5.0 / 6.0))
"""Legs, torso and head, each at the middle of its height: left edge, centre, right edge."""

SILHOUETTE = grid(5)


class Views(NamedTuple):
    """Lines from n eyes to the m models of a unit (``rows``): how many there are, how many are hidden, how many cut."""

    rows: tuple[int, ...]
    lines: Counts
    hidden: Counts
    cut: Counts

    @property
    def visible(self) -> Bools:
        """Return whether at least one line can be drawn, as (n, m)."""
        return self.cut < self.lines[None, :]


# ---------------------------------------------------------------- obstacles


@rule("10.1/terrain-data")
def opacity(ground: Ground) -> NDArray[np.int8]:
    """Return the effect of each piece on a line of sight."""
    return np.array([opacity_of(piece) for piece in ground.pieces], np.int8)


def opacity_of(piece: Piece) -> int:
    if CUTS in piece.tags:
        return SOLID
    return SCREEN if SCREENING in piece.tags else NOTHING


def screens(ground: Ground) -> Counts:
    return np.array([k for k, piece in enumerate(ground.pieces) if opacity_of(piece) == SCREEN], np.int64)


@rule("10.1/terrain-data")
def screens_about(ground: Ground, points: Sequence[tuple[float, float]]) -> Bools:
    """For each point, return the screens that it lies inside.

    Such a screen hides nothing from there, and nothing that stands there.
    """
    return over_outlines(points, ground, ground.kept(screens))


class Standing(NamedTuple):
    """The bodies and hulls on the table, each with the row of its unit."""

    units: Counts
    bodies: Floats
    hull_units: tuple[int, ...]
    hulls: tuple[int, ...]


def standing(position: Position) -> Standing:
    kept = position.layout.get("standing")
    if kept is None:
        kept = position.layout["standing"] = all_standing(position)
    found: Standing = kept
    return found


def all_standing(position: Position) -> Standing:
    sizes: dict[int, tuple[float, float]] = {}
    rows, bodies, hulls = [], [], []
    for row in sorted(row for rows_of in rows_by_unit(position).values() for row in rows_of):
        profile = position.profiles[row]
        if id(profile) not in sizes:
            made = shape(profile)
            sizes[id(profile)] = (made.radius if isinstance(made, Circle) else -1.0, height(profile))
        radius, tall = sizes[id(profile)]
        if radius < 0.0:
            hulls.append(row)
        else:
            rows.append(row)
            bodies.append((position.x[row], position.y[row], position.z[row], radius, tall))
    unit_of = position.unit_of
    return Standing(
        np.array([unit_of[row] for row in rows], np.int64),
        np.array(bodies, np.float64).reshape(-1, 5),
        tuple(unit_of[row] for row in hulls),
        tuple(hulls),
    )


@rule("1.1/los-blocked")
def in_the_way(position: Position, but: Sequence[int], only: int | None = None) -> tuple[Floats, Prisms]:
    """Return the bodies and hulls of all units, without those in ``but``; or of the unit ``only``.

    The viewer's and the target's own units never block sight.
    """
    all_of = standing(position)
    if only is None:
        free = np.logical_and.reduce([all_of.units != unit for unit in but])
        hulls = tuple(row for row, of in zip(all_of.hulls, all_of.hull_units, strict=True) if of not in but)
    else:
        free = all_of.units == only
        hulls = tuple(row for row, of in zip(all_of.hulls, all_of.hull_units, strict=True) if of == only)
    kept, key = position.layout, ("hulls", hulls)
    if key not in kept:
        kept[key] = prisms_of([position.model(row).solid for row in hulls])
    return all_of.bodies[free], kept[key]


# ---------------------------------------------------------------- 1.1/los-line


@rule("1.1/los-line", "6.1/mc-muzzle", "7.10/fire-points")
def eyes_of(model: Model) -> tuple[Eye, ...]:
    """Return the eyes of a model: in its head, at a monster's or vehicle's muzzles, or at its carrier's fire points."""
    carrier = model.aboard_of
    if carrier is not None:
        return tuple((model.row, point) for point in fire_points(carrier))
    if is_monster(model) or is_vehicle(model):
        mounts = [mount for mount in model.profile.mounts if mount.weapon.is_ranged]
        points = dict.fromkeys(muzzle(model, mount) for mount in mounts)
        if points:
            return tuple((model.row, point) for point in points)
    return ((model.row, eyes_in_head(model)),)


def eyes_of_unit(unit: Unit) -> tuple[Eye, ...]:
    return tuple(eye for model in members(unit) or aboard(unit) for eye in eyes_of(model))


@rule("1.1/los-line", "7.10/fire-point-sight")
def views(position: Position, eyes: Sequence[Eye], target: Unit, only: int | None = None) -> Views:
    """Return what the eyes of one unit see of another: nine points of a body, twenty-five of a vehicle.

    With ``only``, nothing but the models of that unit blocks lines, not even terrain.
    """
    key = ("views", tuple(eyes), target.row, only)
    kept = position.layout.get(key)
    if kept is None:
        kept = position.layout[key] = made_out(position, eyes, members(target), only)
    found: Views = kept
    return found


def made_out(position: Position, eyes: Sequence[Eye], models: Sequence[Model], only: int | None) -> Views:
    sizes = (len(eyes), len(models))
    lines, hidden, cut = np.ones(len(models), np.int64), np.zeros(sizes, np.int64), np.zeros(sizes, np.int64)
    for sampling, kind in ((STOREYS, False), (SILHOUETTE, True)):
        places = [k for k, model in enumerate(models) if is_vehicle(model) == kind]
        if places and eyes:
            states = states_of(position, eyes, [models[k] for k in places], sampling, only)
            lines[places] = sampling.lines
            hidden[:, places] = (states != CLEAR).sum(axis=2)
            cut[:, places] = (states == BLOCKED).sum(axis=2)
    return Views(tuple(model.row for model in models), lines, hidden, cut)


def states_of(
    position: Position, eyes: Sequence[Eye], models: Sequence[Model], sampling: Sampling, only: int | None
) -> NDArray[np.int8]:
    ground, points = position.ground, [point for _, point in eyes]
    viewers = dict.fromkeys(position.unit_of[row] for row, _ in eyes)
    bodies, hulls = in_the_way(position, (*viewers, models[0].unit.row), only)
    opaque = ground.kept(opacity) if only is None else np.zeros(len(ground.pieces), np.int8)
    return lines_met(
        ground,
        points,
        ends_towards(points, [model.solid for model in models], sampling),
        opaque,
        screens_about(ground, [(x, y) for x, y, _ in points]),
        screens_about(ground, [model.at for model in models]),
        bodies,
        hulls,
    )


# ---------------------------------------------------------------- 1.1/los-blocked


@rule("1.1/los-blocked", "6.1/mc-sight")
def least_hidden(model: Model) -> float:
    """Return the share of a model that must be hidden to block the line of sight to it: for most models, any part."""
    return 0.5 if is_monster(model) or is_vehicle(model) else 0.0


def blocked(position: Position, found: Views) -> Bools:
    """Return whether the line of sight from each eye to each model is blocked or absent, as (n, m)."""
    needed = np.array([least_hidden(position.model(row)) for row in found.rows])
    least = np.maximum(1, np.ceil(needed * found.lines)).astype(np.int64)
    return np.asarray(found.hidden >= least[None, :], np.bool_)


def by_model(eyes: Sequence[Eye], of_eyes: NDArray[np.bool_], every: bool) -> list[bool]:
    """For each model that looks, return whether something holds for every one of its eyes, or for any."""
    rows: dict[int, list[bool]] = {}
    for (row, _), one in zip(eyes, of_eyes.tolist(), strict=True):
        rows.setdefault(row, []).append(one)
    return [all(found) if every else any(found) for found in rows.values()]


@rule("1.1/los-blocked", "1.1/los-none")
def is_blocked(model: Model, target: Model, eye: Point3 | None = None) -> bool:
    """Return whether a model is hidden from another, wholly or in part, from every point it may look from."""
    eyes = eyes_of(model) if eye is None else ((model.row, eye),)
    found = views(model.position, eyes, target.unit)
    return bool(blocked(model.position, found)[:, found.rows.index(target.row)].all())


def hidden_share(eyes: Sequence[Eye], target: Model) -> list[float]:
    """Return which fraction of a model is hidden from each eye."""
    found = views(target.position, eyes, target.unit)
    at = found.rows.index(target.row)
    return [float(hidden) / float(found.lines[at]) for hidden in found.hidden[:, at]]


# ---------------------------------------------------------------- 1.1/los-majority


@rule("1.1/los-none")
def model_sees(model: Model, unit: Unit, eye: Point3 | None = None) -> bool:
    """Return whether a model can draw a line to at least one model of a unit."""
    eyes = eyes_of(model) if eye is None else ((model.row, eye),)
    return any(eyes_that_see(model.position, eyes, unit))


@rule("1.1/los-none")
def eyes_that_see(position: Position, eyes: Sequence[Eye], unit: Unit) -> list[bool]:
    """For each eye, return whether it can draw a line to at least one model of a unit."""
    return [bool(of_eye.any()) for of_eye in views(position, eyes, unit).visible]


@rule("1.1/los-majority", "1.1/los-none")
def eyes_see(position: Position, eyes: Sequence[Eye], unit: Unit) -> bool:
    """Return whether at least half of the models that look see the unit, each with any of its eyes."""
    can = by_model(eyes, np.array(eyes_that_see(position, eyes, unit), np.bool_), every=False)
    return bool(can) and 2 * sum(can) >= len(can)


@rule("1.1/los-majority")
def sees(unit: Unit, other: Unit) -> bool:
    """Return whether a unit sees another, from every point its models may look from."""
    return bool(members(other)) and eyes_see(unit.position, eyes_of_unit(unit), other)


@rule("1.1/los-majority", "1.1/los-blocked")
def line_is_blocked(unit: Unit, other: Unit) -> bool:
    """Return whether the line of sight between units is blocked for more than half of the models that look."""
    return majority_is_blocked(unit, other, None)


def majority_is_blocked(unit: Unit, other: Unit, only: int | None) -> bool:
    eyes = eyes_of_unit(unit)
    found = views(unit.position, eyes, other, only)
    most = 2 * blocked(unit.position, found).sum(axis=1) >= len(found.rows)
    of_models = by_model(eyes, most, every=True)
    return 2 * sum(of_models) > len(of_models)


@rule("1.1/interposing-unit")
def interposes(between: Unit, source: Unit, target: Unit) -> bool:
    """Return whether a third unit by itself blocks the line of sight from one unit to another."""
    if between in (source, target):
        return False
    return majority_is_blocked(source, target, between.row)
