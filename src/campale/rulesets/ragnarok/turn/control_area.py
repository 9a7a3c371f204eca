"""The control area: senses that reach all round, without sight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import distance, in_space, within
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.battle.battlefield import hills, level
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.table.paths import Path, at, at_each, plan_length, upto
from campale.table.shapes import Circle, Point
from campale.table.sweeps import crossings, gaps_along

STRIDE = 0.5


@rule("control-area/radius")
def area_radius(model: Model) -> int:
    return int(model.profile.senses) * 2


@rule("control-area/radius")
def is_in_area(other: Model, of: Model) -> bool:
    """Return whether a model is within the area's distance, whether or not the area is in effect."""
    return within(distance(other, of), area_radius(of))


@rule("control-area/off-when-engaged", "control-area/off-when-down")
def has_area(model: Model) -> bool:
    """Return whether a model has an area: prone models do, engaged ones and those out of action do not."""
    return is_able(model) and not is_engaged(model)


def controls(model: Model, other: Model) -> bool:
    return has_area(model) and is_in_area(other, model)


@rule("control-area/free-reaction", "move/declared-path")
def sensed_along(reactors: Sequence[Model], mover: Model, path: Path) -> list[bool]:
    """For each reactor, return whether the mover is in its area at the declaration or anywhere on the declared path."""
    areas = [has_area(m) for m in reactors]
    near = passes_within(reactors, mover, path, [area_radius(m) for m in reactors])
    return [area and close for area, close in zip(areas, near, strict=True)]


def passes_within(others: Sequence[Model], mover: Model, path: Path, limits: Sequence[float]) -> list[bool]:
    """For each other model, return whether a moving base comes within its limit, with the height of the ground."""
    bases = np.array([[m.x, m.y, m.profile.base_radius] for m in others], np.float64).reshape(-1, 3)
    found = [False] * len(others)
    for part, z in by_level(mover.position, path):
        gaps = gaps_along(part, Circle(mover.profile.base_radius), bases)
        for k, (other, gap, limit) in enumerate(zip(others, gaps, limits, strict=True)):
            found[k] = found[k] or within(in_space(max(0.0, gap), z - other.z), limit)
    return found


def by_level(position: Position, path: Path) -> list[tuple[Path, float]]:
    """Split a path where it goes up or down; return each part with the height of its ground."""
    length, high = plan_length(path), position.ground.kept(hills)
    over = crossings(path, Circle(0.0), high, tolerance=0.0) if length and high else ()
    if not over:
        return [(path, level(position, *path.points[0][:2]))]
    ends = sorted({0.0, length, *(s.start for s in over), *(s.end for s in over)})
    parts = [(between(path, *pair), at(path, sum(pair) / 2)) for pair in pairwise(ends)]
    return [(part, level(position, middle.x, middle.y)) for part, middle in parts]


def between(path: Path, start: float, end: float) -> Path:
    """Return the part of a path between two lengths along it."""
    first = at(path, start)
    passed = max(1, len(upto(path, start).points) - 1)
    return Path(((first.x, first.y), *upto(path, end).points[passed:]))


def stops(path: Path) -> list[Point]:
    """Return points of a path at most STRIDE cm apart, both ends included."""
    length = plan_length(path)
    count = max(1, math.ceil(length / STRIDE))
    gone = [length * k / count for k in range(count + 1)] if length else [0.0]
    return [(stance.x, stance.y) for stance in at_each(path, gone)]


@rule("control-area/reveals-hidden")
def find_hidden(position: Position) -> None:
    """Reveal hidden models inside an enemy's area, however they came to be there."""
    for model in position.marked("hidden"):
        if any(controls(enemy, model) for enemy in position.on_table(1 - model.side)):
            model.mark("hidden", 0)


@rule("control-area/reveals-hidden")
def find_hidden_along(mover: Model, path: Path) -> None:
    """Reveal the hidden enemies that a mover's area passes over."""
    hidden = [m for m in mover.position.marked("hidden") if m.side != mover.side]
    if not hidden or not has_area(mover):
        return
    radius = area_radius(mover)
    for model, close in zip(hidden, passes_within(hidden, mover, path, [radius] * len(hidden)), strict=True):
        if close:
            model.mark("hidden", 0)


@rule("control-area/reveals-hidden")
def is_found_here(model: Model) -> bool:
    """Return whether a model is inside an enemy's area in effect, and so cannot hide."""
    return any(controls(enemy, model) for enemy in model.position.on_table(1 - model.side))
