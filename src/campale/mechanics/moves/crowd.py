"""As near as possible: where the models of a unit go about the first one placed, without a choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from campale.mechanics.moves.placing import Putting, Spot, fits_alone, free_among
from campale.referee.position import Model
from campale.table import room
from campale.table.kernels import Floats
from campale.table.planner import CONTACT
from campale.table.room import Curves, Rim
from campale.table.shapes import Point

REACHES = 3.0, 6.0, 16.0
"""The distances from the first model within which a place is sought, one after another."""
FARTHEST = REACHES[-1]


def crowd(putting: Putting, first: Spot) -> list[Spot]:
    """The places of all models that find one, in their order, the first at its own place."""
    crowding = Crowd(putting, first)
    for model in putting.models[1:]:
        spot = crowding.nearest(model)
        if spot is None:
            break
        crowding.placed.append(spot)
    return crowding.placed


class Crowd:
    """The models about the first one; what bars them is looked up once for each profile."""

    def __init__(self, putting: Putting, first: Spot) -> None:
        self.putting, self.first, self.placed = putting, first, [first]
        self.fixed: dict[tuple[int, float], tuple[Curves, Floats]] = {}

    def nearest(self, model: Model) -> Spot | None:
        """The legal place nearest to the middle of the first model; of several, clockwise from +y."""
        for reach in REACHES:
            for spot in self.in_order(model, reach):
                if self.putting.fits(model, spot) is None:
                    return spot
        return None

    def in_order(self, model: Model, reach: float) -> Iterator[Spot]:
        """The places in contact, within a reach, that nothing bars; nearest first."""
        own, places = rim(model, self.first), self.places(model, reach)
        away = np.hypot(places[:, 0] - self.first[0], places[:, 1] - self.first[1])
        places = places[away <= reach]
        for other, at in self.company():
            places = places[room.are_clear(own, places, other, at)]
        free = free_among(self.putting, model, [(x, y, self.first[2]) for x, y in places.tolist()])
        return iter(sorted(free, key=self.rank))

    def places(self, model: Model, reach: float) -> Floats:
        about, alone = self.about(model, reach)
        own, centre = rim(model, self.first), self.first[:2]
        beside = room.NOTHING.plus(*(room.about_a_base(own, other, at, CONTACT) for other, at in self.company()))
        beside = beside.near(centre, reach)
        return np.concatenate((alone, room.crossings(beside, beside.plus(about)), nearest_to(beside, centre)))

    def about(self, model: Model, reach: float) -> tuple[Curves, Floats]:
        """The curves of the bases round about, and the places that depend on nothing else."""
        key = id(model.profile), reach
        if key not in self.fixed:
            own, centre = rim(model, self.first), self.first[:2]
            field = self.putting.rules.barred(model).field
            curves = room.about_a_field(own, field, self.putting.bounds).near(centre, reach)
            self.fixed[key] = curves, np.concatenate((room.crossings(curves, curves), nearest_to(curves, centre)))
        return self.fixed[key]

    def company(self) -> list[tuple[Rim, Point]]:
        return [(rim(model, at), at[:2]) for model, at in zip(self.putting.models, self.placed, strict=False)]

    def rank(self, spot: Spot) -> tuple[float, float]:
        dx, dy = spot[0] - self.first[0], spot[1] - self.first[1]
        return round(math.hypot(dx, dy), 3), round(math.degrees(math.atan2(dx, dy)) % 360.0, 2) % 360.0


def rim(model: Model, first: Spot) -> Rim:
    return room.rim_of(model.solid.shape, first[2])


def nearest_to(curves: Curves, centre: Point) -> Floats:
    """The nearest place of each curve; of a circle about the middle itself, the one towards +y."""
    x, y, radius = curves.circles.T
    about_it = np.hypot(x - centre[0], y - centre[1]) <= 1e-9
    straight_on = np.stack((x[about_it], y[about_it] + radius[about_it]), axis=1)
    return np.concatenate((room.nearest_on(curves, centre), room.on_the_grain(straight_on)))


def is_legal(putting: Putting, model: Model, spot: Spot, placed: Sequence[Spot]) -> bool:
    """Whether a model may be put down at a place beside those already placed."""
    own, place = rim(model, spot), np.array([spot[:2]])
    company = zip(putting.models, placed, strict=False)
    clear = all(bool(room.are_clear(own, place, rim(other, at), at[:2])[0]) for other, at in company)
    return clear and fits_alone(putting, model, spot)
