"""Sight: the field of view, the nine lines, what veils or blocks them, and the models in the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import ALLOWANCE, distance
from campale.rulesets.ragnarok.basics.physical import height, is_able, is_prone
from campale.rulesets.ragnarok.battle import battlefield
from campale.rulesets.ragnarok.turn.control_area import controls
from campale.table import sight
from campale.table.shapes import Point, heading
from campale.table.terrain import Ground

NINE_LINES = sight.Sampling(eye=0.9, columns=(-1.0, 0.0, 1.0), heights=(0.1, 0.5, 0.9))


class Lines(NamedTuple):
    """The result of the nine lines: whether any is free of blocking scenery, and whether all are wholly clear."""

    any_free: bool
    all_clear: bool


Eye = tuple[float, float, float]
Viewpoint = tuple[Eye, float]
"""An eye, and the radius of the base below it: a piece that the base touches does not veil."""
Target = tuple[float, float, float, float, float]


# ---------------------------------------------------------------- vision/*


@rule("vision/arc")
def in_field_of_view(viewer: Model, target: Model) -> bool:
    """Return whether any part of a base is on or ahead of the viewer's dividing line, square to its facing."""
    return bool(ahead_of(viewer, target.at) + target.profile.base_radius >= -ALLOWANCE)


def ahead_of(viewer: Model, point: Point) -> float:
    """Return how far a point lies ahead of the viewer's dividing line, in cm; behind it, below 0."""
    hx, hy = heading(viewer.facing)
    return (point[0] - viewer.x) * hx + (point[1] - viewer.y) * hy


@rule("vision/front-rear")
def is_in_rear(model: Model, enemy_at: Point) -> bool:
    """Return whether the centre of the enemy's base is strictly behind the dividing line."""
    return ahead_of(model, enemy_at) < -ALLOWANCE


@rule("vision/true-sight")
def eye(model: Model) -> Eye:
    return model.x, model.y, model.z + NINE_LINES.eye * height(model)


def outline(model: Model) -> Target:
    return model.x, model.y, model.z, model.profile.base_radius, height(model)


@rule("vision/geometry")
def lines_to(viewer: Model, target: Model) -> Lines:
    return all_lines([viewer], [target])[0][0]


@rule("vision/geometry")
def all_lines(viewers: Sequence[Model], targets: Sequence[Model]) -> list[list[Lines]]:
    """Return the nine lines from each viewer to each target, computed together and cached with the terrain."""
    return lines_between(viewers, [outline(target) for target in targets])


def lines_between(viewers: Sequence[Model], targets: Sequence[Target]) -> list[list[Lines]]:
    ground = viewers[0].position.ground if viewers else None
    if ground is None or not targets:
        return [[] for _ in viewers]
    kept = ground.kept(kept_lines)
    views = [(eye(viewer), viewer.profile.base_radius) for viewer in viewers]
    missing = [k for k, view in enumerate(views) if any((view, target) not in kept for target in targets)]
    if missing:
        if len(kept) > battlefield.MOST_KEPT:
            kept.clear()
            missing = list(range(len(views)))
        look(ground, kept, [viewers[k] for k in missing], [views[k] for k in missing], targets)
    return [[kept[view, target] for target in targets] for view in views]


def look(
    ground: Ground,
    kept: dict[tuple[Viewpoint, Target], Lines],
    viewers: Sequence[Model],
    views: Sequence[Viewpoint],
    targets: Sequence[Target],
) -> None:
    states = states_of_lines(ground, viewers, [one for one, _ in views], targets)
    free = (states != sight.BLOCKED).any(axis=2).tolist()
    clear = (states == sight.CLEAR).all(axis=2).tolist()
    for n, view in enumerate(views):
        for m, target in enumerate(targets):
            kept[view, target] = Lines(free[n][m], clear[n][m])


def states_of_lines(
    ground: Ground, viewers: Sequence[Model], eyes: Sequence[Eye], targets: Sequence[Target]
) -> sight.States:
    """Return the state of each line; a screen that the viewer touches does not veil."""
    exempt = np.array([battlefield.contacts(viewer) for viewer in viewers], np.bool_).reshape(len(viewers), -1)
    opacity = ground.kept(battlefield.opacity)
    return sight.see(ground, eyes, targets, NINE_LINES, opacity, battlefield.VEIL, exempt)


def have_in_view(viewers: Sequence[Model], targets: Sequence[Target]) -> list[bool]:
    """For each viewer, return whether any target is in its field of view with a free line; not cached."""
    places = np.array(targets, np.float64)
    ahead = [
        (places[:, 0] - v.x) * hx + (places[:, 1] - v.y) * hy + places[:, 3] >= -ALLOWANCE
        for v, (hx, hy) in ((viewer, heading(viewer.facing)) for viewer in viewers)
    ]
    found = [False] * len(viewers)
    facing = [k for k, row in enumerate(ahead) if row.any()]
    if facing:
        ground, looking = viewers[0].position.ground, [viewers[k] for k in facing]
        states = states_of_lines(ground, looking, [eye(viewer) for viewer in looking], targets)
        for k, free in zip(facing, (states != sight.BLOCKED).any(axis=2), strict=True):
            found[k] = bool((free & ahead[k]).any())
    return found


def kept_lines(_: Ground) -> dict[tuple[Viewpoint, Target], Lines]:
    return {}


@rule("vision/geometry", "hide/state")
def sees(viewer: Model, target: Model) -> bool:
    """Return whether a target is in view: not hidden, with a line free of blocking scenery. Models never block."""
    return not target.marks("hidden") and in_field_of_view(viewer, target) and lines_to(viewer, target).any_free


def seen_by(viewer: Model, targets: Sequence[Model]) -> list[Model]:
    """Return those of the targets that the viewer sees."""
    ahead = [t for t in targets if not t.marks("hidden") and in_field_of_view(viewer, t)]
    return [t for t, lines in zip(ahead, all_lines([viewer], ahead)[0], strict=True) if lines.any_free]


@rule("vision/obscured")
def is_obscured(viewer: Model, target: Model) -> bool:
    """Return whether at least one of the lines is blocked or veiled by scenery."""
    return not lines_to(viewer, target).all_clear


# ---------------------------------------------------------------- overlap/*


@rule("overlap/what-covers")
def may_cover(model: Model) -> bool:
    return is_able(model) and not is_prone(model) and not model.marks("hidden")


@rule("overlap/what-covers")
def covering(viewer: Model, target: Model) -> list[Model]:
    """Return the models of both sides that at least one of the nine lines passes through, the nearest base first."""
    between = [m for m in viewer.position.models if m not in (viewer, target) and is_near_line(viewer, target, m)]
    bodies = [m for m in between if may_cover(m)]
    if not bodies:
        return []
    found, _ = sight.covering([eye(viewer)], [outline(target)], [outline(m) for m in bodies], NINE_LINES)
    passed = [m for m, is_passed in zip(bodies, found[0, 0], strict=True) if is_passed]
    return sorted(passed, key=lambda m: (distance(viewer, m), m.row))


def is_near_line(viewer: Model, target: Model, other: Model) -> bool:
    """Return whether any line could touch a body: it is no farther from the way than both radii."""
    if not other.is_on_table:
        return False
    dx, dy = target.x - viewer.x, target.y - viewer.y
    ox, oy = other.x - viewer.x, other.y - viewer.y
    length = dx * dx + dy * dy
    along = 0.0 if length == 0 else min(1.0, max(0.0, (ox * dx + oy * dy) / length))
    reach: float = other.profile.base_radius + target.profile.base_radius
    return bool((ox - along * dx) ** 2 + (oy - along * dy) ** 2 <= reach * reach)


@rule("overlap/enemy-covers")
def covering_enemies(viewer: Model, target: Model) -> list[Model]:
    return [m for m in covering(viewer, target) if m.side != viewer.side]


@rule("overlap/friend-covers", "control-area/allies-transparent")
def covering_friend(viewer: Model, target: Model) -> Model | None:
    """Return a friend in the way that forbids the action: one outside the actor's current control area."""
    friends = (m for m in covering(viewer, target) if m.side == viewer.side)
    return next((friend for friend in friends if not controls(viewer, friend)), None)
