"""The control area: senses that work all round, without sight."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.battlefield import hills, level
from campale.rulesets.ragnarok.engagement import is_engaged
from campale.rulesets.ragnarok.measuring import distance, gap_between, within
from campale.rulesets.ragnarok.physical import is_able
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import Circle, Point, Point3
from campale.table.sweeps import gaps_along

STRIDE = 0.5


@rule("control-area/radius")
def area_radius(model: Model) -> int:
    return int(model.profile.senses) * 2


@rule("control-area/radius")
def is_in_area(other: Model, of: Model) -> bool:
    """Within the distance of the area, whether or not the area is in effect."""
    return within(distance(other, of), area_radius(of))


@rule("control-area/off-when-engaged", "control-area/off-when-down")
def has_area(model: Model) -> bool:
    """Prone models keep theirs; engaged ones and those out of action have none."""
    return is_able(model) and not is_engaged(model)


def controls(model: Model, other: Model) -> bool:
    return has_area(model) and is_in_area(other, model)


@rule("control-area/free-reaction", "move/declared-path")
def sensed_along(reactors: Sequence[Model], mover: Model, path: Path) -> list[bool]:
    """For each reactor, whether the mover is in its area at the declaration or anywhere on the declared path."""
    areas = [has_area(m) for m in reactors]
    near = passes_within(reactors, mover, path, [area_radius(m) for m in reactors])
    return [area and close for area, close in zip(areas, near, strict=True)]


def passes_within(others: Sequence[Model], mover: Model, path: Path, limits: Sequence[float]) -> list[bool]:
    """Whether the way of a base comes within a distance of each of the others, height of the ground included."""
    bases = np.array([[m.x, m.y, m.profile.base_radius] for m in others], np.float64).reshape(-1, 3)
    gaps = gaps_along(path, Circle(mover.profile.base_radius), bases)
    flat = [within(max(0.0, gap), limit) for gap, limit in zip(gaps, limits, strict=True)]
    if not any(flat) or not mover.position.ground.kept(hills):
        return flat
    stances = [on_ground(mover.position, at) for at in stops(path)]
    return [
        close and any(within(apart(mover, stance, other), limit) for stance in stances)
        for other, limit, close in zip(others, limits, flat, strict=True)
    ]


def stops(path: Path) -> list[Point]:
    """Points of a path at most STRIDE apart, both ends included."""
    length = plan_length(path)
    count = max(1, math.ceil(length / STRIDE))
    found = [at(path, length * k / count) for k in range(count + 1)] if length else [at(path, 0.0)]
    return [(stance.x, stance.y) for stance in found]


def on_ground(position: Position, point: Point) -> Point3:
    return (*point, level(position, *point))


def apart(mover: Model, stance: Point3, other: Model) -> float:
    flat = gap_between((stance[0], stance[1]), mover.profile.base_radius, other.at, other.profile.base_radius)
    return math.sqrt(flat * flat + (stance[2] - other.z) ** 2)


@rule("control-area/reveals-hidden")
def find_hidden(position: Position) -> None:
    """Hidden models inside an enemy's area are found, wherever they came to be so."""
    hidden = [m for m in position.on_table() if m.marks("hidden")]
    for model in hidden:
        if any(controls(enemy, model) for enemy in position.on_table(1 - model.side)):
            model.mark("hidden", 0)


@rule("control-area/reveals-hidden")
def find_hidden_along(mover: Model, path: Path) -> None:
    """Hidden enemies that the area of a mover passes over are found."""
    hidden = [m for m in mover.position.on_table(1 - mover.side) if m.marks("hidden")]
    if not hidden or not has_area(mover):
        return
    radius = area_radius(mover)
    for model, close in zip(hidden, passes_within(hidden, mover, path, [radius] * len(hidden)), strict=True):
        if close:
            model.mark("hidden", 0)


@rule("control-area/reveals-hidden")
def is_found_here(model: Model) -> bool:
    """Inside an enemy's area that is in effect: one cannot hide there."""
    return any(controls(enemy, model) for enemy in model.position.on_table(1 - model.side))
