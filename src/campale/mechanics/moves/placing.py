"""Models put down on the table: the places of all of them judged as one answer, and the search for legal places.

A book says in ``PlacingRules`` what bars a model and what it forbids; the rule that puts a unit down adds where that
may be (``Putting.fits``). A book's own restrictions carry the rules:

    @rule("10.1/table")
    def over_the_edge(placed: PlacedModel) -> Fault | None:
        return move_paths.over_the_edge(placed)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np

from campale.mechanics.moves.move_paths import Barred, Met, met_at_the_end
from campale.referee.ask import ask
from campale.referee.position import TABLE, Model, Position, Unit
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.table import fields, room
from campale.table.formations import spots
from campale.table.kernels import Floats
from campale.table.measure import bounding_radius, gap
from campale.table.paths import Path
from campale.table.room import Area, Bound, Party
from campale.table.shapes import Circle, Point, Solid, rounded

Spot = tuple[float, float, float]
"""A centre and a facing, on the table itself."""

Fits = Callable[[Model, Spot], Fault | Refusal | None]
"""What the rule that puts down a unit also requires of each of its models."""

SPACING = 0.4
"""The default spacing of a unit being set down; a sample varies it."""
CANDIDATES = 3
TRIES = 8
FINENESS = 3.0
AROUND = 6.0
"""How far beyond the given points room is sought."""


def anything_fits(model: Model, spot: Spot) -> None:
    """No further restriction."""


class PlacingRules(NamedTuple):
    """How a book has models put down.

    ``barred``: what bars a model on the table, apart from its own unit. ``link``: how far a model of a unit may be from
    the next one. ``of_a_model``: restrictions of a PlacedModel that something bars. ``of_a_unit``: restrictions of a
    PlacedUnit.
    """

    barred: Callable[[Model], Barred]
    link: Callable[[Unit], float]
    of_a_model: tuple[Restriction, ...]
    of_a_unit: tuple[Restriction, ...]


class Putting(NamedTuple):
    """What is put down, and its conditions: the unit, its models in order, the restriction of each place.

    ``bounds``: the outlines, and how far from them the restriction lets the models go; the search for room follows
    them.
    """

    rules: PlacingRules
    unit: Unit
    models: tuple[Model, ...]
    fits: Fits = anything_fits
    bounds: tuple[Bound, ...] = ()

    @property
    def position(self) -> Position:
        return self.unit.position

    @property
    def link(self) -> float:
        return self.rules.link(self.unit)


# ---------------------------------------------------------------- judging the places


class PlacedModel:
    """A model at a place, and what bars it there."""

    __slots__ = ("barred", "model", "spot")

    def __init__(self, model: Model, spot: Spot, barred: Barred) -> None:
        self.model, self.spot, self.barred = model, spot, barred

    @property
    def is_free(self) -> bool:
        return fields.is_free(self.barred.field, *self.spot)

    @property
    def met(self) -> Met | None:
        return met_at_the_end(self.model, Path((self.spot[:2],), self.spot[2]), self.barred)

    @property
    def solid(self) -> Solid:
        return standing(self.model, self.spot)

    def gap_to(self, other: Model) -> float:
        return rounded(gap(self.solid, other.solid))


class PlacedUnit(NamedTuple):
    """Models of a unit at their places."""

    unit: Unit
    models: Sequence[Model]
    there: Sequence[Spot]

    @property
    def solids(self) -> list[Solid]:
        return [standing(model, spot) for model, spot in zip(self.models, self.there, strict=True)]

    @property
    def supposed(self) -> Unit:
        """The unit in a position in which these models stand there."""
        position = self.unit.position.supposing(
            {model.row: (x, y, 0.0, facing) for model, (x, y, facing) in zip(self.models, self.there, strict=True)}
        )
        for model in self.models:
            position.where[model.row] = TABLE
            position.aboard_of[model.row] = -1
        return Unit(position, self.unit.row)


def standing(model: Model, spot: Spot) -> Solid:
    """The solid of a model at a place."""
    return Solid(model.solid.shape, spot[0], spot[1], 0.0, spot[2], model.solid.height)


def place_refusal(putting: Putting, model: Model, spot: Spot) -> Fault | Refusal | None:
    """Why a model cannot be put down at a place, apart from its own unit: first its conditions, then what bars it."""
    placed = PlacedModel(model, spot, putting.rules.barred(model))
    outside = putting.fits(model, spot)
    if outside is not None or placed.is_free:
        return outside
    return first_refusal(putting.rules.of_a_model, placed)


def refusal_of(putting: Putting, there: Sequence[Spot]) -> Fault | Refusal | None:
    """Why a unit cannot be put down at these places."""
    for model, spot in zip(putting.models, there, strict=True):
        found = place_refusal(putting, model, spot)
        if found is not None:
            return found
    return whole_refusal(putting, there)


def whole_refusal(putting: Putting, there: Sequence[Spot]) -> Refusal | None:
    return first_refusal(putting.rules.of_a_unit, PlacedUnit(putting.unit, putting.models, there))


# ---------------------------------------------------------------- the search for places


def arranged(
    putting: Putting, centre: Point, facing: float, spacing: float = SPACING, rng: Random | None = None
) -> list[Spot] | None:
    """Legal places for all the models about a point, as near as possible; None if there are none."""
    models = putting.models
    widest = max(bounding_radius(model.solid.shape) for model in models)
    link = putting.link
    near = spots(centre, 2.0 * widest + min(spacing, max(link - 0.05, 0.0)), CANDIDATES * len(models) + 4)
    left = [(x, y, facing if rng is None else float(round(facing + rng.uniform(-40.0, 40.0)) % 360)) for x, y in near]
    found = handed_out(putting, left, link)
    return found if found is not None and whole_refusal(putting, found) is None else None


def handed_out(putting: Putting, spots: Sequence[Spot], link: float) -> list[Spot] | None:
    """The first allowed place for each model, linked to one before it; None if a model gets none."""
    models, bodies = putting.models, [model.solid for model in putting.models]
    free = {id(m.profile): free_among(putting, m, spots) for m in distinct(models)}
    if len({spot for few in free.values() for spot in few}) < len(models):
        return None
    fitting: dict[tuple[int, Spot], bool] = {}
    placed: list[Spot] = []
    for model, body in zip(models, bodies, strict=True):
        kind = id(model.profile)
        for spot in free[kind]:
            if spot in placed or not is_linked(body, spot, zip(bodies, placed, strict=False), link):
                continue
            if (kind, spot) not in fitting:
                fitting[kind, spot] = putting.fits(model, spot) is None
            if fitting[kind, spot]:
                placed.append(spot)
                break
        else:
            return None
    return placed


def free_among(putting: Putting, model: Model, spots: Sequence[Spot]) -> list[Spot]:
    """The places at which nothing bars a model, apart from its own unit."""
    free = fields.all_free(putting.rules.barred(model).field, np.array(spots, np.float64).reshape(-1, 3))
    return [spot for spot, is_open in zip(spots, free.tolist(), strict=True) if is_open]


def distinct(models: Sequence[Model]) -> list[Model]:
    """One model of each profile."""
    return list({id(model.profile): model for model in models}.values())


def fits_alone(putting: Putting, model: Model, spot: Spot) -> bool:
    """Whether a model may be put down at a place, apart from the others of its unit."""
    return fields.is_free(putting.rules.barred(model).field, *spot) and putting.fits(model, spot) is None


def is_linked(body: Solid, spot: Spot, placed: Iterable[tuple[Solid, Spot]], link: float) -> bool:
    """Whether a place is clear of those already taken, and linked to one of them."""
    gaps = [gap_between(body, spot, other, at) for other, at in placed]
    return not gaps or 0.0 < min(gaps) <= link


def gap_between(body: Solid, spot: Spot, other: Solid, at: Spot) -> float:
    """The gap between two models at their places."""
    one, two = body.shape, other.shape
    if isinstance(one, Circle) and isinstance(two, Circle):
        dx, dy = at[0] - spot[0], at[1] - spot[1]
        return max(0.0, math.sqrt(dx * dx + dy * dy) - (one.radius + two.radius))
    return gap(*(Solid(shape, x, y, 0.0, facing) for shape, (x, y, facing) in ((one, spot), (two, at))))


def first_room(putting: Putting, centres: Sequence[Point], facing: float) -> list[Spot] | None:
    """Places for the unit about the first centre where it fits, spaced out or base to base; else anywhere with room."""
    for spacing in (SPACING, 0.02):
        for centre in centres:
            found = arranged(putting, centre, facing, spacing)
            if found is not None:
                return found
    return squeezed(putting, centres, facing)


def squeezed(putting: Putting, centres: Sequence[Point], facing: float) -> list[Spot] | None:
    """Places in contact with the bases about the centres, and with each other."""
    kinds = distinct(putting.models)
    middle, reach = about(centres)
    rims = tuple(room.rim_of(model.solid.shape, facing) for model in kinds)
    curves = tuple(
        room.about_a_field(rim, putting.rules.barred(model).field, putting.bounds).near(middle, reach)
        for rim, model in zip(rims, kinds, strict=True)
    )

    def legal(kind: int, places: Floats) -> Floats:
        spots = [(x, y, facing) for x, y in places.tolist()]
        fitting = [spot for spot in free_among(putting, kinds[kind], spots) if putting.fits(kinds[kind], spot) is None]
        return np.array([spot[:2] for spot in fitting], np.float64).reshape(-1, 2)

    def holds(places: Sequence[Point]) -> bool:
        return whole_refusal(putting, [(x, y, facing) for x, y in places]) is None

    of_each = tuple(next(k for k, one in enumerate(kinds) if one.profile is m.profile) for m in putting.models)
    party = Party(of_each, rims, curves, legal, putting.link, holds)
    found = room.find_room(party)
    return None if found is None else [(x, y, facing) for x, y in found]


def about(centres: Sequence[Point]) -> tuple[Point, float]:
    """The middle of some points, and how far from it room is sought."""
    (west, south), (east, north) = np.min(centres, axis=0).tolist(), np.max(centres, axis=0).tolist()
    return ((west + east) / 2.0, (south + north) / 2.0), math.dist((west, south), (east, north)) / 2.0 + AROUND


def random_room(putting: Putting, centres: Sequence[Point], facing: float, rng: Random) -> list[Spot] | None:
    """Legal places about a random centre; if a few tries find none, the first ones that exist."""
    for _ in range(TRIES):
        x, y = centres[rng.randrange(len(centres))]
        about = x + rng.uniform(-1.0, 1.0), y + rng.uniform(-1.0, 1.0)
        found = arranged(putting, about, facing, rng.uniform(0.02, 1.5), rng)
        if found is not None:
            return found
    return first_room(putting, centres, facing)


def lattice(area: Area, fineness: float = FINENESS) -> list[Point]:
    """The points of an area, row by row, those in the middle first."""
    x, y = (area[0] + area[2]) / 2.0, (area[1] + area[3]) / 2.0
    across, along = int((area[2] - area[0]) / 2.0 / fineness), int((area[3] - area[1]) / 2.0 / fineness)
    found = [
        (x + column * fineness, y + row * fineness)
        for row in range(-along, along + 1)
        for column in range(-across, across + 1)
    ]
    return [point for _, point in sorted([(round((p[0] - x) ** 2 + (p[1] - y) ** 2, 6), p) for p in found])]


# ---------------------------------------------------------------- asking


def as_answer(there: Sequence[Spot]) -> Plain:
    return [[round(x, 4), round(y, 4), round(facing, 2)] for x, y, facing in there]


def place_question(
    putting: Putting,
    prompt: str,
    centres: Sequence[Point],
    facing: float = 0.0,
    shown: dict[str, Plain] | None = None,
    **about: Plain,
) -> Place:
    """Where models of a unit are put down; ``centres`` are points that may have room about them, the best first."""
    unit, models = putting.unit, putting.models
    kept: list[list[Spot]] = []

    def found_room() -> list[Spot]:
        if not kept:
            found = first_room(putting, centres, facing)
            if found is None:
                raise ValueError(f"'{prompt}' leaves unit {unit.row} no place")
            kept.append(found)
        return kept[0]

    def samples(rng: Random) -> Plain:
        found = random_room(putting, centres, facing, rng)
        return as_answer(found if found is not None else found_room())

    def suggests() -> Iterator[Plain]:
        yield as_answer(found_room())
        step = max(1, len(centres) // 6)
        for centre in centres[step::step]:
            found = arranged(putting, centre, facing)
            if found is not None:
                yield as_answer(found)

    told = {"models": [model.row for model in models], "unit": unit.row, **about}
    drawn: dict[str, Plain] = {"coherency": putting.link, **(shown or {})}
    return Place(unit.side, prompt, partial(refusal_of, putting), samples, suggests, drawn, told)


async def put_down(putting: Putting, prompt: str, centres: Sequence[Point], facing: float = 0.0, **more: Plain) -> bool:
    """Ask where models of a unit go, and put them there; False if there is no room for them."""
    if first_room(putting, centres, facing) is None:
        return False
    there = await ask(place_question(putting, prompt, centres, facing, **more))
    set_down(putting.models, there)
    return True


def set_down(models: Sequence[Model], there: Sequence[Spot]) -> None:
    for model, (x, y, facing) in zip(models, there, strict=True):
        model.move_to(x, y, 0.0, facing, placed=True)
