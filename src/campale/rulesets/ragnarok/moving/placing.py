"""Placing models: where they may stand, and the search for a legal place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random

from campale.referee.ask import ask
from campale.referee.position import Model
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.rulesets.ragnarok.battle.battlefield import impassable_pieces, is_free_ground
from campale.rulesets.ragnarok.bots.posts import Area, apart, best_spots, lattice
from campale.rulesets.ragnarok.turn.control_area import find_hidden
from campale.table.room import Bound, about, corners_of_area, places_about, rim_of
from campale.table.shapes import Circle, Point, Solid

PlaceRestriction = Callable[[Model, Point], Fault | None]

APART, PROPOSED = 10.0, 6
"""The distance between proposed places in cm, and their number."""
MOST_TRIED = 400
TRIES = 60


def overlaps_something(model: Model, at: Point) -> Fault | None:
    """Refuse a place over the edge, in an impassable piece, or over another base; the word says which."""
    radius, ground = model.profile.base_radius, model.position.ground
    if is_free_ground(model.position, at, radius):
        return None
    if not (radius <= at[0] <= ground.width - radius and radius <= at[1] <= ground.depth - radius):
        return Fault(at, model=model.row, word="off-the-table")
    for other in model.position.models:
        if other.is_on_table and math.dist(at, other.at) < radius + other.profile.base_radius:
            return Fault(at, model=other.row, word="in-the-way")
    return Fault(at, model=model.row, word="impassable")


def place_refusal(model: Model, at: Point, restrictions: tuple[PlaceRestriction, ...]) -> Refusal | Fault | None:
    return first_refusal(restrictions, model, at)


def legal_places(
    model: Model, area: Area, restrictions: tuple[PlaceRestriction, ...], bounds: tuple[Bound, ...] = ()
) -> Iterator[Point]:
    """Yield the legal places of a lattice; if there are none, those in contact with nearby things."""
    is_any = False
    for at in lattice(area):
        if place_refusal(model, at, restrictions) is None:
            is_any = True
            yield at
    if not is_any:
        yield from (at for at in in_contact(model, area, bounds) if place_refusal(model, at, restrictions) is None)


def in_contact(model: Model, area: Area, bounds: tuple[Bound, ...] = ()) -> list[Point]:
    """Return the free places in contact with two things: bases, 1 cm off enemies' bases, pieces, edges, bounds."""
    position, made = model.position, Circle(model.profile.base_radius)
    standing = [one for one in position.models if one.is_on_table]
    solids = [Solid(Circle(one.profile.base_radius), *one.at) for one in standing]
    others = [(solid, 0.0) for solid in solids]
    others += [(solid, 1.0) for solid, one in zip(solids, standing, strict=True) if one.side != model.side]
    rim, middle = rim_of(made, 0.0), ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2)
    barred = impassable_pieces(position.ground)
    curves = about(rim, position.ground, others, barred, (*bounds, (corners_of_area(area), -made.radius)))
    found = places_about(curves.near(middle, math.dist(middle, area[:2])))
    return [at for x, y in found.tolist() if is_free_ground(position, at := (float(x), float(y)), made.radius)]


def random_place(
    model: Model, area: Area, restrictions: tuple[PlaceRestriction, ...], bounds: tuple[Bound, ...], rng: Random
) -> Point:
    """Return a random legal place; if a few tries find none, one of the lattice."""
    for _ in range(TRIES):
        at = round(rng.uniform(area[0], area[2]), 2), round(rng.uniform(area[1], area[3]), 2)
        if place_refusal(model, at, restrictions) is None:
            return at
    return next(legal_places(model, area, restrictions, bounds))


def place_question(
    model: Model,
    prompt: str,
    area: Area,
    restrictions: tuple[PlaceRestriction, ...],
    facing: float,
    bounds: tuple[Bound, ...] = (),
) -> Place:
    """Ask where a model is placed, and how it faces."""

    def refuses(answer: list[tuple[float, float, float]]) -> Refusal | Fault | None:
        return place_refusal(model, answer[0][:2], restrictions)

    def samples(rng: Random) -> Plain:
        return [
            [*random_place(model, area, restrictions, bounds, rng), float(round(facing + rng.uniform(-60, 60)) % 360)]
        ]

    def suggests() -> Iterator[Plain]:
        legal = (spot for spot in best_spots(model, area, facing) if fits(spot[:2]))
        left = ((*at, facing) for at in legal_places(model, area, restrictions, bounds))
        return ([[*spot]] for spot in apart(islice(chain(legal, left), MOST_TRIED), PROPOSED, APART))

    def fits(at: Point) -> bool:
        return place_refusal(model, at, restrictions) is None

    shown = {"area": list(area)}
    return Place(model.side, prompt, refuses, samples, suggests, shown, {"models": [model.row]})


async def set_down(
    model: Model,
    prompt: str,
    area: Area,
    restrictions: tuple[PlaceRestriction, ...],
    facing: float,
    bounds: tuple[Bound, ...] = (),
) -> bool:
    """Ask for the model's place and put it there; return False if no place is legal.

    ``bounds``: the outlines and distances within which the restrictions let it go; the search for room follows them.
    """
    if next(legal_places(model, area, restrictions, bounds), None) is None:
        return False
    x, y, turned = (await ask(place_question(model, prompt, area, restrictions, facing, bounds)))[0]
    model.move_to(x, y, facing=turned, placed=True)
    find_hidden(model.position)
    return True
