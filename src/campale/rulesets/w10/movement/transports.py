"""Transports: embarking, disembarking, and the passengers of a destroyed one (transports/*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

from campale.mechanics.moves.barring import MORE_THAN
from campale.mechanics.moves.beside import free_spots, places_for
from campale.mechanics.setup.drawing_up import set_down, standing
from campale.mechanics.units import riders_of
from campale.referee.ask import ask, choose
from campale.referee.position import ABOARD, Model, Position, Unit
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import effects_on
from campale.rulesets.w10.abilities.uses import whole_phase
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.basics.coherency import LINK, are_coherent
from campale.rulesets.w10.basics.levels import heights_of, may_rest, solids, spots_meant, spots_upstairs
from campale.rulesets.w10.basics.units import (
    ADVANCED,
    ARRIVED,
    EMBARKED,
    ENGAGEMENT,
    FELL_BACK,
    GOT_OUT,
    MOVED,
    NO_CHARGE,
    PICKED,
    between,
    distance,
    members,
    within,
)
from campale.rulesets.w10.movement.moves import ANY_HEIGHT, barred_for
from campale.rulesets.w10.windows.windows import open_window
from campale.table import fields
from campale.table.fields import Field
from campale.table.measure import farthest, gap, narrowest, overlaps
from campale.table.shapes import Solid

REACH, EMERGENCY, LARGE, AWAY = 3.0, 6.0, 1.0, 9.0
OUT = "disembark"
NO = "no"

UPSTAIRS, BODY = 0.25, 2.0

Spot = Sequence[float]


# ---------------------------------------------------------------- who is aboard


def riding_units(carrier: Model) -> list[Unit]:
    rows = dict.fromkeys(m.unit.row for m in riders_of(carrier))
    return [Unit(carrier.position, row) for row in rows]


@rule("transports/capacity", "keywords/list-or")
def has_room(carrier: Model, models: Sequence[Model]) -> bool:
    """True if a TRANSPORT can also take these models, by the number and keywords on its datasheet."""
    return have_room(carrier.profile, [*riders_of(carrier), *models])


@rule("transports/capacity")
def have_room(profile: Profile, models: Sequence[Model]) -> bool:
    """True if all models fit in together: each into the first room for its keywords, which must have space."""
    left = {carries: count for count, carries in ((profile.capacity, profile.carries), *profile.rooms)}
    for model in models:
        room = next((one for one in left if any(model.profile.has(word) for word in one)), None)
        if room is None or left[room] == 0:
            return False
        left[room] -= 1
    return True


# ---------------------------------------------------------------- transports/embark


@rule("transports/embark")
def carriers_for(unit: Unit) -> list[int]:
    """Friendly TRANSPORTS with room, within 3 inches of every model; none in the phase in which the unit got out."""
    models, phase = members(unit), whole_phase(unit.position.now.get("phase"))
    if (unit.marks(GOT_OUT) and phase == "movement") or not models:
        return []
    carriers = [m for m in unit.position.on_table(unit.side) if m.profile.capacity and m.unit.row != unit.row]
    near = [one for one in carriers if all(within(distance(m, one), REACH) for m in models)]
    return [one.row for one in near if has_room(one, models)]


@rule("transports/embark")
async def may_embark(unit: Unit) -> None:
    """After a Normal, Advance or Fall Back move the unit may embark."""
    carriers = carriers_for(unit)
    if not carriers:
        return
    row = await choose(unit.side, "embark", [NO, *carriers], of="model", unit=unit.row)
    if row != NO:
        board(members(unit), unit.position.model(int(row)))
        unit.mark(EMBARKED, 1)


def board(models: Sequence[Model], carrier: Model) -> None:
    for model in models:
        carrier.position.take_off(model, aboard_of=carrier)


# ---------------------------------------------------------------- transports/disembark


@rule("transports/disembark", "u/embarked")
def to_disembark(position: Position, side: int) -> list[Unit]:
    """Units that may disembark: aboard a TRANSPORT that lets them out, if there is room beside it."""
    carriers = [m for m in position.on_table(side) if m.profile.capacity]
    return [unit for carrier in carriers for unit in let_out(carrier) if room_for(unit, carrier)]


@rule("transports/disembark-reserves")
def to_leave_arrivals(position: Position, side: int) -> list[Unit]:
    """Units aboard a TRANSPORT that was set up from Reserves in this phase, if there is room to disembark."""
    arrived = [m for m in position.on_table(side) if m.profile.capacity and m.unit.marks(ARRIVED)]
    return [unit for carrier in arrived for unit in let_out(carrier) if room_for(unit, carrier)]


@rule("transports/disembark", "transports/disembark-forbidden")
def let_out(carrier: Model) -> list[Unit]:
    """The units aboard since the phase began; none if the TRANSPORT has Advanced or Fallen Back."""
    if carrier.unit.marks(ADVANCED) or carrier.unit.marks(FELL_BACK):
        return []
    return [unit for unit in riding_units(carrier) if not unit.marks(EMBARKED)]


def room_for(unit: Unit, carrier: Model) -> bool:
    """True if there is room for a unit beside its TRANSPORT; kept until something moves."""
    kept, key = carrier.position.layout, ("way-out", carrier.row, unit.row)
    if key not in kept:
        kept[key] = places_out(carrier, riding(unit, carrier), REACH) is not None
    return bool(kept[key])


def riding(unit: Unit, carrier: Model) -> list[Model]:
    return [m for m in riders_of(carrier) if m.unit.row == unit.row]


@rule(
    "transports/disembark",
    "transports/disembark-before",
    "transports/disembark-after",
    "transports/disembark-reserves",
)
async def disembark(unit: Unit) -> None:
    """Disembark a unit; before its TRANSPORT moves, the unit acts freely but may not stay.

    After the TRANSPORT has moved, the unit neither moves nor charges; some abilities allow the charge, but not on
    arrival from Reserves, which is no move.
    """
    carrier = next(m for m in unit.position.models if m.unit.row == unit.row and m.where == ABOARD).aboard_of
    assert carrier is not None
    await set_out_of(carrier, unit, REACH)
    unit.mark(GOT_OUT, 1)
    if carrier.unit.marks(MOVED):
        unit.mark(PICKED, 1)
        unit.mark(MOVED, 1)
        unit.mark(NO_CHARGE, int(bool(carrier.unit.marks(ARRIVED)) or not has_ramp(carrier)))
    await open_window(unit.position, "enemy-moves", mover=unit.row)


@rule("transports/disembark-after", "rule-priority/check")
def has_ramp(carrier: Model) -> bool:
    """True if an ability of the TRANSPORT lets its passengers charge even after its Normal move."""
    return any(effect.although == "disembarked" for _, effect in effects_on(carrier.unit, carrier))


async def set_out_of(carrier: Model, unit: Unit, reach: float) -> None:
    """Ask the owner to set up the models of a unit beside its TRANSPORT."""
    models = riding(unit, carrier)
    set_down(models, await ask(place_question(unit, carrier, models, reach)))


def place_question(unit: Unit, carrier: Model, models: Sequence[Model], reach: float) -> Place:
    def refuses(there: Sequence[Spot]) -> Fault | None:
        return cannot_stand(carrier, models, there, reach)

    def samples(rng: Random) -> Plain:
        upstairs = list(places_upstairs(carrier, models, reach)) if rng.random() < UPSTAIRS else []
        if upstairs:
            return rng.choice(upstairs)
        return places_out(carrier, models, reach, rng) or places_out(carrier, models, reach)

    def suggests() -> Iterator[Plain]:
        found = places_out(carrier, models, reach)
        return chain([] if found is None else [found], places_upstairs(carrier, models, reach))

    about: dict[str, Plain] = {"models": [m.row for m in models], "unit": unit.row}
    shown: dict[str, Plain] = {"within": reach, "of": carrier.row, "levels": heights_of(unit.position)}
    return Place(unit.side, "disembark", refuses, samples, suggests, shown, about)


@rule("transports/disembark", "core-concepts/engagement-forbidden", "f/disembark-large", "core-concepts/unit-coherency")
def cannot_stand(carrier: Model, models: Sequence[Model], there: Sequence[Spot], reach: float) -> Fault | None:
    """Models must stand wholly within ``reach`` inches, not engaged, on free ground or a floor, in coherency."""
    bodies = standing(models, spots_meant(carrier.position, there), BODY)
    for k, (model, one) in enumerate(zip(models, bodies, strict=True)):
        at = round(one.x, 2), round(one.y, 2)
        if not is_near_enough(carrier, one, reach):
            return too_far_off(carrier, model, one, reach)
        if not may_rest(model, one) or not fields.is_free(field_about(model, one.z), one.x, one.y, one.facing):
            return Fault(at, one.z or None, model=model.row, rule=rule_of_leaving(carrier))
        if any(gap(one, other) <= 0.0 and one.z == other.z for other in bodies[:k]):
            return Fault(at, model=model.row)
    if not are_coherent(bodies):
        return Fault(limit=LINK, model=models[0].row, rule="core-concepts/unit-coherency")
    return None


@rule("transports/disembark", "f/disembark-large")
def is_near_enough(carrier: Model, there: Solid, reach: float) -> bool:
    """True for a body wholly within reach and beside the TRANSPORT; a base too large for that must be within 1 inch."""
    if there.z == carrier.z and overlaps(there, carrier.solid):
        return False
    if within(to_the_farthest_part(there, carrier), reach):
        return True
    return is_too_large(there, reach) and within(between(there, carrier.solid), LARGE)


@rule("transports/disembark", "f/disembark-large")
def too_far_off(carrier: Model, model: Model, there: Solid, reach: float) -> Fault:
    """Why a body is not near enough; on the TRANSPORT itself there is nothing to measure."""
    at = round(there.x, 2), round(there.y, 2)
    if there.z == carrier.z and overlaps(there, carrier.solid):
        return Fault(at, model=model.row)
    if is_too_large(there, reach):
        return Fault(at, round(between(there, carrier.solid), 2), LARGE, model.row, rule="f/disembark-large")
    return Fault(at, round(to_the_farthest_part(there, carrier), 2), reach, model.row)


def to_the_farthest_part(there: Solid, carrier: Model) -> float:
    return math.hypot(farthest(there, carrier.solid), there.z - carrier.z)


def is_too_large(there: Solid, reach: float) -> bool:
    return bool(narrowest(there.shape) > reach)


def keeps_off_getting_out(model: Model, other: Model) -> float | None:
    return ENGAGEMENT + MORE_THAN if other.side != model.side else 0.0


@rule("transports/disembark-reserves")
def keeps_off_leaving_arrivals(model: Model, other: Model) -> float | None:
    """Keep more than 9 inches in plan from every enemy model."""
    return AWAY + MORE_THAN if other.side != model.side else 0.0


@rule("transports/disembark", "transports/disembark-reserves")
def rule_of_leaving(carrier: Model) -> str:
    """The rule for disembarking; from a TRANSPORT that has just arrived, passengers keep farther off the enemy."""
    has_arrived = carrier.is_on_table and carrier.unit.marks(ARRIVED)
    return "transports/disembark-reserves" if has_arrived else "transports/disembark"


def field_about(model: Model, z: float = 0.0) -> Field:
    carrier = model.aboard_of
    if carrier is not None and rule_of_leaving(carrier) == "transports/disembark-reserves":
        return barred_for(model, "leaving-arrivals", keeps_off_leaving_arrivals, solids, z, ANY_HEIGHT).field
    return barred_for(model, "getting-out", keeps_off_getting_out, solids, z).field


@rule("transports/disembark", "terrain/ruins-movement", "terrain/hills")
def places_upstairs(carrier: Model, models: Sequence[Model], reach: float) -> Iterator[Plain]:
    """Places for all models on a floor near a TRANSPORT."""
    for spots in spots_upstairs(models, carrier.at, 0.0, field_about):
        if cannot_stand(carrier, models, spots, reach) is None:
            yield [list(spot) for spot in spots]


def places_out(carrier: Model, models: Sequence[Model], reach: float, rng: Random | None = None) -> list[Plain] | None:
    """Places for all models beside a TRANSPORT, or None where there is no room."""

    def is_near(there: Solid) -> bool:
        return is_near_enough(carrier, there, reach)

    found = places_for(free_spots(carrier.solid, models, field_about, is_near, reach), models, LINK, rng)
    if found is None or cannot_stand(carrier, models, [(x, y, facing) for x, y, facing in found], reach) is not None:
        return None
    return found
