"""As near as they can: where the models of a unit go about the first one that was placed, without anybody's choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.e55.footprints import shape
from campale.rulesets.e55.placing import Putting, Spot, place_refusal, scattered, standing
from campale.table.measure import bounding_radius, gap
from campale.table.shapes import heading, rounded

STEP, FARTHEST = 0.25, 16.0
TURN = 10.0
EXACTNESS = 0.001


@rule("10.5/reserve-entry")
def around(putting: Putting, first: Spot) -> list[Spot] | None:
    """The places of all models, the first at its own; None when not all find one, or they would not hang together."""
    found = crowd(putting, first)
    if len(found) < len(putting.models) or scattered(putting.unit, putting.models, found) is not None:
        return None
    return found


def crowd(putting: Putting, first: Spot) -> list[Spot]:
    """The same for as many models as find a place, in the order of the roster."""
    placed = [first]
    reach: dict[object, float] = {}
    for model in putting.models[1:]:
        made = shape(model.profile)
        spot = nearest(putting, model, placed, reach.get(made_key(made), 0.0))
        if spot is None:
            break
        reach[made_key(made)] = away(spot, first)
        placed.append(spot)
    return placed


def made_key(made: object) -> object:
    return getattr(made, "corners", made)


def away(spot: Spot, first: Spot) -> float:
    return math.dist(spot[:2], first[:2])


def nearest(putting: Putting, model: Model, placed: Sequence[Spot], from_: float) -> Spot | None:
    """The legal place with the least way from the middle of the first one, clockwise from +y where several are as near.

    Like models never find one nearer than the one before did.
    """
    first = placed[0]
    for radius in radii(putting, model, from_):
        for spot in ring(first, radius):
            if is_legal(putting, model, spot, placed):
                return drawn_in(putting, model, spot, placed, max(radius - STEP, 0.0))
    return None


def radii(putting: Putting, model: Model, from_: float) -> Iterator[float]:
    """How far from the first: in contact, then a step more each."""
    touching = bounding_radius(shape(putting.models[0].profile)) + bounding_radius(shape(model.profile)) + 0.0002
    least = max(from_ - STEP, touching if is_round(putting, model) else touching / 2.0)
    steps = int((FARTHEST - least) / STEP)
    return (least + k * STEP for k in range(max(steps, 0)))


def is_round(putting: Putting, model: Model) -> bool:
    return not any(hasattr(shape(one.profile), "corners") for one in (putting.models[0], model))


def ring(first: Spot, radius: float) -> Iterator[Spot]:
    for k in range(int(360.0 / TURN)):
        ahead_x, ahead_y = heading(k * TURN)
        yield rounded(first[0] + radius * ahead_x), rounded(first[1] + radius * ahead_y), first[2]


def is_legal(putting: Putting, model: Model, spot: Spot, placed: Sequence[Spot]) -> bool:
    there = standing(model, spot)
    clear = all(
        gap(there, standing(other, at)) > 0.0
        for other, at in zip(putting.models, placed, strict=False)
        if is_close(at, spot)
    )
    return clear and place_refusal(model, spot, putting.fits) is None


def is_close(one: Spot, other: Spot) -> bool:
    return abs(one[0] - other[0]) < 12.0 and abs(one[1] - other[1]) < 12.0


def drawn_in(putting: Putting, model: Model, spot: Spot, placed: Sequence[Spot], low: float) -> Spot:
    """The place moved towards the first as far as it stays legal."""
    first = placed[0]
    far = away(spot, first)
    toward_x, toward_y = (spot[0] - first[0]) / far, (spot[1] - first[1]) / far
    best, high = spot, far
    while high - low > EXACTNESS:
        middle = (low + high) / 2.0
        tried = rounded(first[0] + middle * toward_x), rounded(first[1] + middle * toward_y), first[2]
        if is_legal(putting, model, tried, placed):
            best, high = tried, middle
        else:
            low = middle
    return best
