"""As near as they can: where the models of a unit go about the first one that was placed, without anybody's choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.e55.footprints import shape
from campale.rulesets.e55.placing import Putting, Spot, fits_alone, scattered, standing
from campale.rulesets.e55.ways import field_of
from campale.table import fields
from campale.table.kernels import Flags, Floats
from campale.table.measure import bounding_radius, gap
from campale.table.shapes import GRAIN, Circle, Solid, heading, rounded

STEP, FARTHEST = 0.25, 16.0
TURN = 10.0
EXACTNESS = 0.001
RING = np.array([heading(k * TURN) for k in range(int(360.0 / TURN))])


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
    first, company = placed[0], company_of(putting, model, placed)
    for radius in radii(putting, model, from_):
        for spot in open_on_ring(model, first, radius, company):
            if putting.fits(model, spot) is None:
                return drawn_in(putting, model, spot, first, company, max(radius - STEP, 0.0))
    return None


def radii(putting: Putting, model: Model, from_: float) -> Iterator[float]:
    """How far from the first: in contact, then a step more each."""
    touching = bounding_radius(shape(putting.models[0].profile)) + bounding_radius(shape(model.profile)) + 0.0002
    least = max(from_ - STEP, touching if is_round(putting, model) else touching / 2.0)
    steps = int((FARTHEST - least) / STEP)
    return (least + k * STEP for k in range(max(steps, 0)))


def is_round(putting: Putting, model: Model) -> bool:
    return not any(hasattr(shape(one.profile), "corners") for one in (putting.models[0], model))


class Company(NamedTuple):
    """Those placed before, for one that is placed beside them: round ones beside a round one as x, y and how far the
    centres keep apart, others as solids.
    """

    discs: Floats
    solids: tuple[Solid, ...]


def company_of(putting: Putting, model: Model, placed: Sequence[Spot]) -> Company:
    discs, solids, made = [], [], shape(model.profile)
    for other, at in zip(putting.models, placed, strict=False):
        its = shape(other.profile)
        if isinstance(made, Circle) and isinstance(its, Circle):
            discs.append((at[0], at[1], made.radius + its.radius))
        else:
            solids.append(standing(other, at))
    return Company(np.array(discs, np.float64).reshape(-1, 3), tuple(solids))


def open_on_ring(model: Model, first: Spot, radius: float, company: Company) -> list[Spot]:
    """The places at a distance that nothing bars, clockwise from +y."""
    spots = np.empty((len(RING), 3))
    spots[:, :2] = np.floor((np.array(first[:2]) + radius * RING) * GRAIN + 0.5) / GRAIN
    spots[:, 2] = first[2]
    found = spots[are_clear(spots, company)]
    free: list[Spot] = (
        list(map(tuple, found[fields.all_free(field_of(model, z=0.0), found)].tolist())) if len(found) else []
    )
    return [spot for spot in free if is_clear_of(model, spot, company.solids)] if company.solids else free


def are_clear(spots: Floats, company: Company) -> Flags:
    discs = company.discs
    dx, dy = spots[:, 0, None] - discs[None, :, 0], spots[:, 1, None] - discs[None, :, 1]
    apart: Flags = np.sqrt(dx * dx + dy * dy) - discs[None, :, 2] > 0.0
    return np.asarray(apart.all(axis=1), np.bool_)


def is_clear_of(model: Model, spot: Spot, solids: Sequence[Solid]) -> bool:
    if not solids:
        return True
    there = standing(model, spot)
    return all(gap(there, other) > 0.0 for other in solids if is_close(other, spot))


def is_close(other: Solid, spot: Spot) -> bool:
    return abs(other.x - spot[0]) < 12.0 and abs(other.y - spot[1]) < 12.0


def is_legal(putting: Putting, model: Model, spot: Spot, company: Company) -> bool:
    x, y, _ = spot
    for other_x, other_y, apart in company.discs.tolist():
        if math.sqrt((x - other_x) ** 2 + (y - other_y) ** 2) - apart <= 0.0:
            return False
    return is_clear_of(model, spot, company.solids) and fits_alone(putting, model, spot)


def drawn_in(putting: Putting, model: Model, spot: Spot, first: Spot, company: Company, low: float) -> Spot:
    """The place moved towards the first as far as it stays legal."""
    far = away(spot, first)
    toward_x, toward_y = (spot[0] - first[0]) / far, (spot[1] - first[1]) / far
    best, high = spot, far
    while high - low > EXACTNESS:
        middle = (low + high) / 2.0
        tried = rounded(first[0] + middle * toward_x), rounded(first[1] + middle * toward_y), first[2]
        if is_legal(putting, model, tried, company):
            best, high = tried, middle
        else:
            low = middle
    return best
