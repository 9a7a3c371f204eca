"""Setting models down: where they may stand, and the search for a place that the book allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random

from campale.referee.ask import ask
from campale.referee.position import Model
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.rulesets.ragnarok.battlefield import is_free_ground
from campale.rulesets.ragnarok.control_area import find_hidden
from campale.rulesets.ragnarok.posts import Area, apart, best_spots, lattice
from campale.table.shapes import Point

PlaceRestriction = Callable[[Model, Point], Fault | None]

APART, PROPOSED = 10.0, 6
"""How far apart and how many the proposed places are."""
MOST_TRIED = 400
TRIES = 60


def overlaps_something(model: Model, at: Point) -> Fault | None:
    """Over the edge, in an impassable piece, or over another base."""
    return None if is_free_ground(model.position, at, model.profile.base_radius) else Fault(at, model=model.row)


def place_refusal(model: Model, at: Point, restrictions: tuple[PlaceRestriction, ...]) -> Refusal | Fault | None:
    return first_refusal(restrictions, model, at)


def legal_places(model: Model, area: Area, restrictions: tuple[PlaceRestriction, ...]) -> Iterator[Point]:
    return (at for at in lattice(area) if place_refusal(model, at, restrictions) is None)


def random_place(model: Model, area: Area, restrictions: tuple[PlaceRestriction, ...], rng: Random) -> Point:
    """A legal place at random; where a few tries find none, one of the lattice."""
    for _ in range(TRIES):
        at = round(rng.uniform(area[0], area[2]), 2), round(rng.uniform(area[1], area[3]), 2)
        if place_refusal(model, at, restrictions) is None:
            return at
    return next(legal_places(model, area, restrictions))


def place_question(
    model: Model, prompt: str, area: Area, restrictions: tuple[PlaceRestriction, ...], facing: float
) -> Place:
    """Where one model is set down, and how it faces."""

    def refuses(answer: list[tuple[float, float, float]]) -> Refusal | Fault | None:
        return place_refusal(model, answer[0][:2], restrictions)

    def samples(rng: Random) -> Plain:
        return [[*random_place(model, area, restrictions, rng), float(round(facing + rng.uniform(-60, 60)) % 360)]]

    def suggests() -> Iterator[Plain]:
        legal = (spot for spot in best_spots(model, area, facing) if fits(spot[:2]))
        left = ((*at, facing) for at in legal_places(model, area, restrictions))
        return ([[*spot]] for spot in apart(islice(chain(legal, left), MOST_TRIED), PROPOSED, APART))

    def fits(at: Point) -> bool:
        return place_refusal(model, at, restrictions) is None

    shown = {"area": list(area)}
    return Place(model.side, prompt, refuses, samples, suggests, shown, {"models": [model.row]})


async def set_down(
    model: Model, prompt: str, area: Area, restrictions: tuple[PlaceRestriction, ...], facing: float
) -> bool:
    """Ask where the model goes and put it there; False when the book leaves it no place."""
    if next(legal_places(model, area, restrictions), None) is None:
        return False
    x, y, turned = (await ask(place_question(model, prompt, area, restrictions, facing)))[0]
    model.move_to(x, y, facing=turned, placed=True)
    find_hidden(model.position)
    return True
