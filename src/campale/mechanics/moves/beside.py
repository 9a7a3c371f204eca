"""Models set down beside something: a vehicle that they leave, a wreck."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.table import fields
from campale.table.fields import Field
from campale.table.formations import all_spots
from campale.table.measure import bounding_radius
from campale.table.shapes import Point, Solid, facing_towards

SPOTS = 1040
SPARE = 0.01


def free_spots(
    about: Solid,
    models: Sequence[Model],
    field_of: Callable[[Model], Field],
    is_near: Callable[[Solid], bool],
    reach: float = math.inf,
) -> list[Point]:
    """Free places for the widest of some models, in order round ``about``; ``is_near``: whether a model is near enough.

    ``reach``: no base farther than this from ``about`` is near enough.
    """
    widest = max(models, key=lambda m: bounding_radius(m.profile.shape))
    shape = widest.profile.shape
    rows = all_spots((about.x, about.y), bounding_radius(shape) + 0.05, SPOTS)
    off = np.hypot(rows[:, 0] - about.x, rows[:, 1] - about.y)
    rows = rows[off <= bounding_radius(about.shape) + bounding_radius(shape) + reach]
    free = fields.all_free(field_of(widest), rows)
    found = [
        (x, y)
        for (x, y), is_open in zip(rows.tolist(), free.tolist(), strict=True)
        if is_open and is_near(Solid(shape, x, y))
    ]
    return sorted(found, key=lambda p: (facing_towards((about.x, about.y), p), p))


def places_for(
    spots: Sequence[Point], models: Sequence[Model], link: float, rng: Random | None = None
) -> list[Plain] | None:
    """A place and a facing for each model, none farther than ``link`` from the others; None if there is no room."""
    if rng is not None:
        turn = rng.randrange(max(1, len(spots)))
        spots = [*spots[turn:], *spots[:turn]]
    placed: list[Point] = []
    for model in models:
        size = bounding_radius(model.profile.shape)
        place = next((spot for spot in spots if fits(spot, placed, size, link)), None)
        if place is None:
            return None
        placed.append(place)
    return [[x, y, 0.0] for x, y in placed]


def fits(spot: Point, placed: Sequence[Point], size: float, link: float) -> bool:
    """Whether a base of a size has room beside others of the same size, and is near enough to one of them."""
    apart = [((spot[0] - x) ** 2 + (spot[1] - y) ** 2) ** 0.5 for x, y in placed]
    return all(far >= 2.0 * size + SPARE for far in apart) and (not placed or min(apart) <= 2.0 * size + link - SPARE)
