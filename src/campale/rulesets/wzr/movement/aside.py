"""Placing a model as near as possible to where it stands (structures/collapse-reposition, vehicles/ram-models)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from campale.referee.ask import ask
from campale.referee.position import Model
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain
from campale.rulesets.wzr.movement.moves import bars
from campale.table import fields
from campale.table.kernels import Floats
from campale.table.shapes import TOLERANCE, Point, heading, rounded

STEP, DIRECTIONS, FARTHEST = 0.1, 36, 12.0

Fits = Callable[[Model, Point], bool]


def anywhere(model: Model, place: Point) -> bool:
    return True


def rings(at: Point) -> Iterator[list[Point]]:
    """Places ever farther away: the point itself, then rings of 36 directions, a tenth of an inch apart."""
    yield [at]
    aims = [heading(k * 360.0 / DIRECTIONS) for k in range(DIRECTIONS)]
    for step in range(1, round(FARTHEST / STEP) + 1):
        far = step * STEP
        yield [(rounded(at[0] + far * x), rounded(at[1] + far * y)) for x, y in aims]


def nearest_places(model: Model, fits: Fits = anywhere) -> list[Point]:
    """The free places on the table nearest to the model; none if there is no room."""
    field = bars(model, at_the_end=True, z=0.0).field
    for ring in rings(model.at):
        places: Floats = np.array([(*place, model.facing) for place in ring], np.float64)
        free = fields.all_free(field, places)
        found = [place for place, is_free in zip(ring, free.tolist(), strict=True) if is_free and fits(model, place)]
        if found:
            return found
    return []


async def set_aside(model: Model, prompt: str, side: int, fits: Fits = anywhere) -> bool:
    """A side puts the model at one of the nearest free places; return whether there is one."""
    places = nearest_places(model, fits)
    if not places:
        return False
    place = places[0] if len(places) == 1 else await where_to(model, prompt, side, places, fits)
    model.move_to(*place, 0.0, placed=True)
    return True


async def where_to(model: Model, prompt: str, side: int, places: list[Point], fits: Fits) -> Point:
    """Ask for one of the nearest places, or any other no farther away."""
    limit = math.dist(model.at, places[0]) + TOLERANCE
    field = bars(model, at_the_end=True, z=0.0).field

    def refuses(there: list[tuple[float, float, float]]) -> Fault | None:
        x, y = there[0][:2]
        far = math.dist(model.at, (x, y))
        if far > limit:
            return Fault((x, y), round(far, 2), round(limit, 2), model.row)
        free = fields.is_free(field, x, y, model.facing) and fits(model, (x, y))
        return None if free else Fault((x, y), model=model.row)

    def answer(place: Point) -> Plain:
        return [[*place, model.facing]]

    def samples(rng: Random) -> Plain:
        return answer(rng.choice(places))

    about: dict[str, Plain] = {"models": [model.row], "model": model.row}
    question = Place(side, prompt, refuses, samples, lambda: map(answer, places), {"within": limit}, about)
    x, y, _ = (await ask(question))[0][:3]
    return x, y
