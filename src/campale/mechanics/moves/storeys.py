"""Up and down: places on floors for all the models of a unit, and moves that end there or back on the table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from campale.mechanics.bases import Floats
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.table.formations import all_spots
from campale.table.measure import are_inside, bounding_radius
from campale.table.outlines import contains
from campale.table.shapes import Point, rounded
from campale.table.terrain import Floor

CLOSE = 0.01

Fits = Callable[[Model, Point, Floor], bool]
"""Whether a model may stand at a point of a floor, apart from its own unit."""


def over_the_floor(model: Model, place: Point, floor: Floor) -> bool:
    """Whether the centre of the base is over the floor."""
    return contains(floor.outline, *place)


def room_on(
    floor: Floor, models: Sequence[Model], start: Point, fits: Fits = over_the_floor, fine: int = 1
) -> list[Point] | None:
    """A place on a floor for each model, the nearest left; None unless all find one.

    ``start``: the point that they come from. ``fine``: how many times closer than bases side by side the places tried
    lie; above 1 they cover the whole floor.
    """
    apart = 2.0 * max(bounding_radius(model.solid.shape) for model in models) + CLOSE
    middle = nearest_inside(floor.outline, start)
    count = 4 * len(models) + 20 if fine == 1 else int(4.0 * (reach_from(middle, floor) * fine / apart + 1.0) ** 2)
    left = spots_on(floor, middle, apart / fine, count)
    taken: list[Point] = []
    for model in models:
        place = next((p for p in nearest_first(left, start_of(model, start)) if fits(model, p, floor)), None)
        if place is None:
            return None
        taken.append(place)
        left = left[distances(left, place) >= apart - CLOSE / 2.0]
    return taken


def spots_on(floor: Floor, middle: Point, spacing: float, count: int) -> Floats:
    """The places over a floor among the ``count`` nearest to a point, as an array (places, 2)."""
    found = all_spots(middle, spacing, count)
    return found[are_inside(found, floor.outline)]


def nearest_first(places: Floats, start: Point) -> Iterator[Point]:
    """Places by their distance from a point; of equal ones the earlier one first."""
    order = np.argsort(distances(places, start), kind="stable")
    return ((x, y) for x, y in places[order].tolist())


def distances(places: Floats, point: Point) -> Floats:
    return np.hypot(places[:, 0] - point[0], places[:, 1] - point[1])


def reach_from(place: Point, floor: Floor) -> float:
    """The distance to the farthest corner of a floor."""
    return max(math.dist(place, corner) for corner in floor.outline)


def start_of(model: Model, start: Point) -> Point:
    return model.at if model.is_on_table else start


def centre_of(outline: Sequence[Point]) -> Point:
    return sum(p[0] for p in outline) / len(outline), sum(p[1] for p in outline) / len(outline)


def nearest_inside(outline: Sequence[Point], place: Point) -> Point:
    """A point in an outline, a third of the way from its middle to the corner nearest to a place."""
    x, y = centre_of(outline)
    corner = min(outline, key=lambda p: math.dist(p, place))
    return x + (corner[0] - x) / 3.0, y + (corner[1] - y) / 3.0


def upstairs(
    models: Sequence[Model], floors: Sequence[Floor], start: Point, fits: Fits = over_the_floor, fine: int = 1
) -> Iterator[Plain]:
    """Moves of all models on to one of some floors with room for them, in the order of the floors."""
    for floor in floors:
        places = room_on(floor, models, start, fits, fine)
        if places is not None:
            yield [[[[x, y, floor.z]], None] for x, y in places]


def set_up_on(
    models: Sequence[Model], floors: Iterable[Floor], start: Point, facing: float, fits: Fits, fine: int
) -> Iterator[list[tuple[float, ...]]]:
    """Places (x, y, facing, z) for all models on one of some floors, the floor with the nearest middle first."""
    for floor in sorted(floors, key=lambda one: math.dist(centre_of(one.outline), start)):
        places = room_on(floor, models, start, fits, fine)
        if places is not None:
            yield [(x, y, facing, floor.z) for x, y in places]


def landed(models: Sequence[Model], start: Point, goal: Point, limit: float) -> Iterator[Plain]:
    """The same step towards a goal for all, down to the table, as far as the limit reaches after the descent."""
    left = limit - max(model.z for model in models) - 0.001
    far = max(math.dist(start, goal), 1e-9)
    if left > 0.0:
        step = left * (goal[0] - start[0]) / far, left * (goal[1] - start[1]) / far
        yield [[[[rounded(m.x + step[0]), rounded(m.y + step[1]), 0.0]], None] for m in models]


def nearest_floors(floors: Sequence[Floor], here: Point, reach: float) -> list[Floor]:
    """The floors with their middle within a reach in plan: the lowest first, and of these the nearest."""
    near = [floor for floor in floors if math.dist(centre_of(floor.outline), here) <= reach]
    return sorted(near, key=lambda floor: (floor.z, math.dist(centre_of(floor.outline), here)))
