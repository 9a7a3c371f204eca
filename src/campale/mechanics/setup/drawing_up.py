"""A unit drawn up in ranks: places for its models in its zone, and the question for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import NamedTuple

import numpy as np

from campale.mechanics.moves.coherency import on_each_other
from campale.mechanics.setup.edges import INWARD, SOUTH, edge_of
from campale.referee.ask import ask
from campale.referee.position import Model, Unit
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.table import fields
from campale.table.fields import Field
from campale.table.formations import led
from campale.table.measure import bounding_radius, extent, overlaps_outline
from campale.table.room import Area
from campale.table.shapes import TOLERANCE, Circle, Point, Solid
from campale.table.terrain import Piece

Spot = tuple[float, ...]
"""A centre, a facing and, unless it is on the table itself, a height."""

ABREAST = (5, 8, 3)
"""The numbers of models abreast that are tried, one after another."""
DEPTHS = (2.0, 4.5, 7.0, 9.5)
"""How far behind the front of the zone the first rank is tried."""
STEP, SPARE, BETWEEN_HULLS = 2.0, 0.05, 0.5
UPSTAIRS, FIRST = 0.25, 2
"""How often a sample is on a floor, and how many places on the table are proposed before any there."""


class DrawingUp(NamedTuple):
    """Models to be drawn up in a zone along an edge (south or north).

    ``field`` is what bars the first of them; ``refuses`` judges the places of all. ``middle``: where along the front
    places are proposed first; None: in its middle. ``tried``: where the middle of the first rank is tried, instead of
    the front of the zone. ``stretch``: a part of the front, by its west and east ends; places outside it are proposed
    last. ``upstairs``: places on floors, which are proposed too if there are levels. ``shunned``: pieces that hurt or
    delay a model that stands in them; places there are proposed last. ``turned``: further facings, tried if the models
    find no place facing inward. ``leader``: the number of the model that stands in the middle.
    """

    models: Sequence[Model]
    zone: Area
    edge: str
    field: Field
    refuses: Callable[[Sequence[Spot]], Fault | Refusal | None]
    middle: float | None = None
    tried: Sequence[Point] = ()
    stretch: tuple[float, float] | None = None
    upstairs: Callable[[], Iterable[Sequence[Spot]]] | None = None
    shunned: Callable[[Model], Sequence[Piece]] | None = None
    turned: Sequence[float] = ()
    leader: int | None = None


# ---------------------------------------------------------------- the search


def drawn_up(drawing: DrawingUp, rng: Random | None = None) -> Iterator[Plain]:
    """Places for all models, in ranks: along the front of the zone from the middle, or at random.

    They face inward; other facings are tried only if none of those places is free.
    """
    has_found = False
    for there in all_facing(drawing, INWARD[drawing.edge], rng):
        has_found = True
        yield there
    if not has_found:
        for turned in drawing.turned:
            yield from all_facing(drawing, turned, rng)


def all_facing(drawing: DrawingUp, facing: float, rng: Random | None) -> Iterator[Plain]:
    """The places in ranks with one facing for all models."""
    size = spacing(drawing.models)
    for centre in centres(drawing, rng):
        for abreast in ABREAST:
            spots = ranks(drawing, centre, abreast, size, facing)
            free = fields.all_free(drawing.field, np.array(spots, np.float64))
            if free.all() and drawing.refuses(spots) is None:
                yield [list(spot) for spot in spots]
                break


def centres(drawing: DrawingUp, rng: Random | None) -> list[Point]:
    """The points at which the middle of the first rank is tried."""
    if drawing.tried:
        found = list(drawing.tried)
        if rng is not None:
            rng.shuffle(found)
        return found
    west, south, east, north = drawing.zone
    xs = [west + STEP * k for k in range(1, int((east - west) / STEP))]
    middle = (west + east) / 2.0 if drawing.middle is None else drawing.middle
    ys = [(north - deep) if drawing.edge == SOUTH else (south + deep) for deep in DEPTHS]
    xs.sort(key=lambda x: abs(x - middle))
    found = [(x, y) for y in ys for x in xs]
    if rng is not None:
        rng.shuffle(found)
        return found
    if drawing.stretch is None:
        return found
    start, end = drawing.stretch
    return sorted(found, key=lambda at: not start <= at[0] <= end)


def ranks(drawing: DrawingUp, centre: Point, abreast: int, size: float, facing: float) -> list[Spot]:
    """Ranks of models behind each other, ``size`` from one to the next."""
    models = drawing.models
    back = -1.0 if drawing.edge == SOUTH else 1.0
    found: list[Spot] = []
    for k in range(len(models)):
        row, column = divmod(k, abreast)
        across = column - (min(abreast, len(models) - row * abreast) - 1) / 2.0
        found.append((round(centre[0] + across * size, 4), round(centre[1] + back * row * size, 4), facing))
    return led(found, drawing.leader)


def spacing(models: Sequence[Model]) -> float:
    """The spacing: as close as the bases allow, and slightly more."""
    size = max(2.0 * bounding_radius(m.profile.shape) for m in models) + SPARE
    return size if isinstance(models[0].profile.shape, Circle) else size + BETWEEN_HULLS


def proposed(drawing: DrawingUp) -> Iterator[Plain]:
    """The places in ranks; those on shunned ground come after all others."""
    late = []
    for there in drawn_up(drawing):
        if is_shunned(drawing, there):
            late.append(there)
        else:
            yield there
    yield from late


def is_shunned(drawing: DrawingUp, there: Sequence[Spot]) -> bool:
    """Whether one of the models would stand on a shunned piece."""
    if drawing.shunned is None:
        return False
    shapes = zip(drawing.models, standing(drawing.models, there, 0.0), strict=True)
    return any(overlaps_outline(solid, piece.outline) for model, solid in shapes for piece in drawing.shunned(model))


# ---------------------------------------------------------------- the question


def deploy_question(drawing: DrawingUp, prompt: str, about: dict[str, Plain], **shown: Plain) -> Place:
    def refuses(there: Sequence[Spot]) -> Fault | Refusal | None:
        return drawing.refuses(there)

    def raised() -> Iterator[Plain]:
        found = () if drawing.upstairs is None else drawing.upstairs()
        return ([list(spot) for spot in there] for there in found if drawing.refuses(there) is None)

    def samples(rng: Random) -> Plain:
        if drawing.upstairs is not None and rng.random() < UPSTAIRS and (found := list(raised())):
            return rng.choice(found)
        return next(drawn_up(drawing, rng), None) or next(drawn_up(drawing))

    def suggests() -> Iterator[Plain]:
        usual = proposed(drawing)
        return chain(islice(usual, FIRST), raised(), usual)

    of = {"models": [m.row for m in drawing.models], **about}
    shown = {"area": list(drawing.zone), **shown}
    return Place(drawing.models[0].side, prompt, refuses, samples, suggests, shown, of)


def in_area(
    models: Sequence[Model], area: Area, field_of: Callable[[Model, float], Field], restrictions: Sequence[Restriction]
) -> DrawingUp:
    """Models of a side to be drawn up in an area along its edge; ``restrictions(models, solids, area)`` judge them."""

    def refuses(there: Sequence[Spot]) -> Refusal | None:
        return first_refusal(restrictions, models, standing(models, there, models[0].profile.height), area)

    return DrawingUp(models, area, edge_of(models[0].position, models[0].side), field_of(models[0], 0.0), refuses)


async def draw_up(unit: Unit, drawing: DrawingUp, no_room: str, **shown: Plain) -> None:
    """Ask where the models of a unit stand, and set them down; without room they are lost (``no_room``)."""
    if next(drawn_up(drawing), None) is None:
        for model in drawing.models:
            unit.position.remove(model, no_room)
        return
    there = await ask(deploy_question(drawing, "deploy", {"unit": unit.row}, **shown))
    set_down(drawing.models, there)


# ---------------------------------------------------------------- faults of places


def standing(models: Sequence[Model], there: Sequence[Spot], height: float) -> list[Solid]:
    """The solids of models at some places; a place without a height is on the table itself."""
    return [
        Solid(m.profile.shape, x, y, level[0] if level else 0.0, facing, height)
        for m, (x, y, facing, *level) in zip(models, there, strict=True)
    ]


def set_down(models: Sequence[Model], there: Sequence[Spot]) -> None:
    """Set models down at some places; a place without a height is on whatever lies there."""
    for model, (x, y, facing, *level) in zip(models, there, strict=True):
        model.move_to(x, y, level[0] if level else None, facing, placed=True)


def outside(area: Area, models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """A fault for the first model that is not wholly inside an area."""
    for model, solid in zip(models, solids, strict=True):
        west, south, east, north = extent(solid)
        if min(west - area[0], south - area[1], area[2] - east, area[3] - north) < -TOLERANCE:
            return Fault(at(solid), model=model.row)
    return None


def barred(
    field_of: Callable[[Model, float], Field], models: Sequence[Model], solids: Sequence[Solid], by_base: bool
) -> Fault | None:
    """A fault for the first model that stands on another base (``by_base``), or else on what is barred.

    ``field_of``: what bars a model at a height.
    """
    for model, one in zip(models, solids, strict=True):
        place = field_of(model, one.z), one.x, one.y, one.facing
        met = None if fields.is_free(*place) else fields.what_bars(*place)
        if met is not None and (met.kind == "base") == by_base:
            return Fault(at(one), model=model.row)
    return None


def on_another(
    field_of: Callable[[Model, float], Field], models: Sequence[Model], solids: Sequence[Solid]
) -> Fault | None:
    """A fault for the first model that stands on another's base, whether or not that is one of these."""
    return barred(field_of, models, solids, by_base=True) or on_each_other(models, solids)


def at(solid: Solid) -> Point:
    return round(solid.x, 2), round(solid.y, 2)
