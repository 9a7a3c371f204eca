"""Models that return to their unit during the battle (r/return-*, a/add-models-*)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from msgspec.structs import replace

from campale.mechanics.moves.barring import MORE_THAN
from campale.mechanics.moves.beside import free_spots, places_for
from campale.mechanics.setup.drawing_up import set_down, standing
from campale.referee.ask import ask, order
from campale.referee.position import GONE, RETURNED, Model, Position, Unit
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.uses import whole_phase
from campale.rulesets.w10.basics.attached import attach, bodyguard, share_facts
from campale.rulesets.w10.basics.coherency import LINK, are_coherent
from campale.rulesets.w10.basics.levels import heights_of, may_rest, rule_of_floors, solids, spots_meant
from campale.rulesets.w10.basics.units import (
    APART,
    ATTACKED,
    ENGAGEMENT,
    SPENT,
    VERTICAL,
    WOUNDS,
    engaged_with,
    is_engaged,
    members,
    within,
)
from campale.rulesets.w10.movement.moves import barred_for
from campale.table import fields
from campale.table.measure import gap
from campale.table.shapes import TOLERANCE, Point, Solid

Spot = Sequence[float]
BODY = 2.0


# ---------------------------------------------------------------- models that may return


@rule("r/return-models", "r/return-limit")
def to_return(unit: Unit) -> list[Model]:
    """The destroyed models that a unit was bought with, those with abilities of their own first."""
    dead = [m for m in unit.bought if m.where == GONE]
    return sorted(dead, key=lambda m: (-len(m.profile.rules), m.row))


@rule("r/return-models")
async def choose_returning(unit: Unit, dead: Sequence[Model], count: int) -> list[Model]:
    """Choose ``count`` destroyed models; the owner is asked only where they differ."""
    if count >= len(dead) or all(model.profile == dead[0].profile for model in dead):
        return list(dead[:count])
    rows = await order(unit.side, "who-returns", [m.row for m in dead], of="model", unit=unit.row, count=count)
    return [unit.position.model(row) for row in rows[:count]]


def lost_in_phase(position: Position, models: Sequence[Model]) -> list[Model]:
    """The models among these that were destroyed in the current phase."""
    names = sorted(name for name, value in position.now.items() if isinstance(value, int | str))
    places = [names.index(name) for name in ("turn", "phase")]
    here = at(position.moment, places)
    rows = {one.model for one in position.losses if len(one.moment) == len(names) and at(one.moment, places) == here}
    return [model for model in models if model.row in rows]


def at(moment: Sequence[Plain], places: Sequence[int]) -> list[Plain]:
    """The turn and the phase of a moment, ignoring the step."""
    return [whole_phase(moment[place]) for place in places]


@rule("a/add-models-no-room")
def find_room(unit: Unit, models: Sequence[Model]) -> list[Model]:
    """As many of the models as find a place; the others do not return."""
    anchors = members(unit)
    found = list(models)
    while found and (not anchors or places_beside(unit, found, anchors) is None):
        found.pop()
    return found


# ---------------------------------------------------------------- setting them up


@rule("r/return-models", "r/return-same-phase", "s/set-up")
async def bring_back(unit: Unit, models: Sequence[Model], wounds: int | None = None) -> None:
    """Set models up with all their wounds, or with ``wounds`` each, their weapons unused, as if never attacked."""
    coming = find_room(unit, models)
    if not coming:
        return
    there = await ask(adding_question(unit, coming))
    for model in coming:
        renew(model, wounds)
    set_down(coming, there)
    unit.position.write("returned", unit=unit.row, models=[m.row for m in coming])


def renew(model: Model, wounds: int | None) -> None:
    left = model.profile.w if wounds is None else min(wounds, model.profile.w)
    model.mark(WOUNDS, model.profile.w - left)
    model.mark(ATTACKED, 0, quietly=True)
    model.jot(SPENT, None)
    model.add(RETURNED, 1, quietly=True)


def adding_question(unit: Unit, models: Sequence[Model]) -> Place:
    anchors = members(unit)

    def refuses(there: Sequence[Spot]) -> Fault | None:
        return cannot_join(unit, models, anchors, there)

    def samples(rng: Random) -> Plain:
        return places_beside(unit, models, anchors, rng) or places_beside(unit, models, anchors)

    def suggests() -> Iterator[Plain]:
        found = places_beside(unit, models, anchors)
        return iter([] if found is None else [found])

    about: dict[str, Plain] = {"models": [m.row for m in models], "unit": unit.row}
    shown: dict[str, Plain] = {"coherency": LINK, "levels": heights_of(unit.position)}
    return Place(unit.side, "return", refuses, samples, suggests, shown, about)


@rule("a/add-models-coherency", "a/add-models-engagement", "core-concepts/unit-coherency")
def cannot_join(unit: Unit, models: Sequence[Model], anchors: Sequence[Model], there: Sequence[Spot]) -> Fault | None:
    """Each model must be within 2 inches of a model already there, on free ground; the whole unit in coherency."""
    bodies = standing(models, spots_meant(unit.position, there), BODY)
    for k, (model, one) in enumerate(zip(models, bodies, strict=True)):
        place = round(one.x, 2), round(one.y, 2)
        if not is_beside(one, anchors):
            return Fault(place, limit=LINK, model=model.row)
        if not may_rest(model, one):
            return Fault(place, one.z, model=model.row, rule=rule_of_floors(unit.position, one.x, one.y))
        if not fields.is_free(field_about(model, one.z), one.x, one.y, one.facing):
            return Fault(place, model=model.row, rule="a/add-models-engagement")
        if any(one.z == other.z and gap(one, other) <= 0.0 for other in (*bodies[:k], *(m.solid for m in anchors))):
            return Fault(place, model=model.row, rule="movement-phase/moving-models")
    if not are_coherent([*(m.solid for m in anchors), *bodies]):
        return Fault(limit=LINK, model=models[0].row, rule="core-concepts/unit-coherency")
    return None


@rule("a/add-models-coherency")
def is_beside(there: Solid, anchors: Sequence[Model]) -> bool:
    """True if a body is near an anchor model, at most 5 inches up or down, and overlaps none of them."""
    near = [m.solid for m in anchors if abs(m.z - there.z) <= VERTICAL + TOLERANCE]
    is_clear = all(gap(there, one) > 0.0 for one in near if one.z == there.z)
    return is_clear and any(within(gap(there, one), LINK) for one in near)


@rule("a/add-models-engagement")
def keeps_off_joining(model: Model, other: Model) -> float | None:
    """Returning models may be engaged only with enemies that the unit is already engaged with."""
    if other.side == model.side:
        return 0.0
    known = is_engaged(model.unit) and other.unit in engaged_with(model.unit)
    return 0.0 if known else ENGAGEMENT + MORE_THAN


def field_about(model: Model, z: float = 0.0) -> fields.Field:
    return barred_for(model, "joining", keeps_off_joining, solids, z).field


def free_on(
    z: float, about: Solid, models: Sequence[Model], is_near: Callable[[Solid], bool], reach: float = math.inf
) -> list[Point]:
    """Free places on a level around a body, within ``reach`` inches, that can hold the models."""

    def carries(there: Solid) -> bool:
        body = replace(there, z=z)
        return is_near(body) and all(may_rest(model, body) for model in models)

    return free_spots(about, models, partial(field_about, z=z), carries, reach)


def places_beside(
    unit: Unit, models: Sequence[Model], anchors: Sequence[Model], rng: Random | None = None
) -> list[Plain] | None:
    """Places for all models around one of the anchor models, or None where there is no room."""
    around = list(anchors)
    if rng is not None:
        rng.shuffle(around)
    for anchor in around:
        found = places_for(
            free_on(anchor.z, anchor.solid, models, partial(is_beside, anchors=anchors), LINK), models, LINK, rng
        )
        spots = [[*place, anchor.z] if anchor.z else place for place in found or ()]
        if spots and cannot_join(unit, models, anchors, spots) is None:
            return spots
    return None


# ---------------------------------------------------------------- r/return-leader


@rule("r/return-leader", "r/return-models")
async def come_back(model: Model, wounds: int) -> None:
    """Return a Leader to its attached unit if that is on the table; a model that was alone returns where it fell.

    A Leader for which there is no room beside its unit does not return.
    """
    position, own = model.position, model.bought_with
    old = model.unit
    if old != own and bodyguard(old):
        if find_room(old, [model]):
            own.mark(APART, 0)
            attach(own, old)
            await bring_back(old, [model], wounds)
        return
    if old != own:
        position.join(model, own)
        share_facts(old, own)
    places = free_on(model.z, Solid(model.profile.shape, model.x, model.y), [model], lambda there: True)
    own_place = fields.is_free(field_about(model, model.z), model.x, model.y, model.facing)
    spot = model.at if own_place else next(iter(by_distance(model, places)), None)
    if spot is not None:
        renew(model, wounds)
        model.move_to(*spot, model.z, placed=True)
        position.write("returned", unit=own.row, models=[model.row])


def by_distance(model: Model, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return sorted(places, key=lambda one: (one[0] - model.x) ** 2 + (one[1] - model.y) ** 2)
