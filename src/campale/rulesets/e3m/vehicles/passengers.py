"""Troops inside vehicles: embarking, disembarking, and their places afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from campale.mechanics.moves.beside import free_spots, places_for
from campale.mechanics.moves.coherency import is_together
from campale.mechanics.units import riders_of
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import is_forced, order_of, show
from campale.rulesets.e3m.command.units import (
    COHERENCY,
    GONE,
    GOT_OUT,
    MOVED,
    OVERRAN_AT,
    PREPARED,
    STATIONARY,
    TOOK_IN,
    WATCHED,
    carrier_of,
    distance,
    is_aboard,
    members,
    units_of,
)
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.movement.ground import impassable
from campale.table import fields
from campale.table.formations import all_spots
from campale.table.measure import gap
from campale.table.shapes import TOLERANCE, Solid

DISEMBARK, CLEAR_OF_ENEMIES, ENEMY_GAP = 2.0, 6.0, 1.002
SPOTS = 260

Spot = tuple[float, float, float]


# ---------------------------------------------------------------- base-vehicle/transport, vehicles/embark


@rule("base-vehicle/transport")
def room_needed(models: Sequence[Model]) -> int:
    """The room for the models. Heavy troops count double."""
    return sum(2 if m.profile.is_heavy else 1 for m in models)


@rule("base-vehicle/transport", "vehicles/embark", "base-units/cavalry-and-beasts")
def could_carry(carrier: Model, unit: Unit) -> bool:
    """Whether the carrier has room for the unit, on foot and with attached models. It carries one unit at a time."""
    models = members(unit)
    on_foot = all(m.profile.kind in ("infantry", "jump") for m in models)
    return on_foot and not riders_of(carrier) and 0 < room_needed(models) <= carrier.profile.capacity


@rule("vehicles/embark")
def carriers_for(unit: Unit) -> list[int]:
    """Carriers within 2 inches of every model that have not moved in this turn and have room."""
    if is_aboard(unit):
        return []
    found = []
    for other in units_of(unit.position, unit.side):
        carrier = members(other)[0]
        if not carrier.profile.capacity or not carrier.is_on_table or other.marks(MOVED):
            continue
        near = all(distance(m, carrier) <= DISEMBARK + TOLERANCE for m in members(unit))
        if near and could_carry(carrier, unit):
            found.append(carrier.row)
    return found


@rule("vehicles/embark", "orders/fire-heavy-weapons-stay")
async def may_embark(unit: Unit) -> None:
    """A unit may embark when its move has ended. The vehicle stays in place for the rest of the turn.

    A unit that has fired with its heavy-weapon crews stays outside, for they may not move.
    """
    carriers = carriers_for(unit)
    if not carriers or is_forced(unit) or held_models(unit):
        return
    chosen = await choose(unit.side, "embark", [None, *carriers], of="model", unit=unit.row)
    if chosen is None:
        return
    carrier = unit.position.model(chosen)
    for model in members(unit):
        unit.position.take_off(model, aboard_of=carrier)
    carrier.unit.mark(STATIONARY, 1)
    carrier.unit.mark(TOOK_IN, 1)


# ---------------------------------------------------------------- vehicles/disembark


@rule("orders/fire-heavy-weapons-stay")
def held_models(unit: Unit) -> list[Model]:
    """The heavy-weapon crews of a unit that made preparatory fire, whether they fired themselves or not."""
    return [m for m in members(unit) if unit.marks(PREPARED) and m.profile.is_heavy_weapon_model]


@rule("vehicles/disembark-distance")
def is_clear_of_enemies(carrier: Model) -> bool:
    """Whether every enemy, vehicles included, is more than 6 inches away."""
    enemies = carrier.position.on_table(1 - carrier.side)
    return all(distance(carrier, m) > CLEAR_OF_ENEMIES + TOLERANCE for m in enemies)


@rule(
    *("vehicles/disembark", "vehicles/passengers", "vehicles/disembark-distance", "vehicles/no-overrun-and-disembark"),
    "orders/fire-heavy-weapons-stay",
)
def can_get_out(unit: Unit) -> bool:
    """Whether the unit may disembark: by its order, the distance of enemies, and room for every model.

    A unit that has fired from the vehicle with its heavy-weapon crews stays, for they may not move.
    """
    carrier = carrier_of(unit)
    if carrier is None or order_of(unit) not in ("fire", "assault", "ready", "march") or is_forced(unit):
        return False
    if not is_clear_of_enemies(carrier) or has_just_overrun(carrier) or held_models(unit):
        return False
    return has_room(carrier, members(unit))


@rule("vehicles/no-overrun-and-disembark")
def has_just_overrun(carrier: Model) -> bool:
    """Whether the vehicle has gone at most 6 inches since it overran a unit in this turn."""
    at = carrier.note(OVERRAN_AT)
    return at is not None and float(carrier.note(GONE, 0.0)) - float(at) <= CLEAR_OF_ENEMIES + TOLERANCE


@rule("vehicles/disembark", "vehicles/disembarked-limits", "orders/reveal")
async def get_out(unit: Unit) -> bool:
    """All models disembark or none. They make no other move, and a Ready unit loses its opportunity fire."""
    carrier = carrier_of(unit)
    if carrier is None or not can_get_out(unit):
        return False
    models = members(unit)
    if await choose(unit.side, "get-out", ("no", "yes"), unit=unit.row) == "no":
        return False
    show(unit.position, [unit])
    there = await ask(place_question(unit, carrier, models))
    for model, (x, y, facing) in zip(models, there, strict=True):
        model.move_to(x, y, facing=facing, placed=True)
    unit.mark(GOT_OUT, 1)
    unit.mark(MOVED, 1)
    unit.mark(WATCHED, 1)
    carrier.unit.mark(STATIONARY, 1)
    return True


def place_question(unit: Unit, carrier: Model, models: list[Model]) -> Place:
    def refuses(there: Sequence[Spot]) -> Fault | None:
        return cannot_stand(carrier, models, there)

    def samples(rng: Random) -> Plain:
        return room(carrier, models, rng) or room(carrier, models)

    def suggests() -> Iterator[Plain]:
        found = room(carrier, models)
        return iter([] if found is None else [found])

    about: dict[str, Plain] = {"models": [m.row for m in models], "unit": unit.row}
    return Place(unit.side, "disembark", refuses, samples, suggests, {"within": DISEMBARK, "of": carrier.row}, about)


@rule("vehicles/disembark", "base-move/one-inch", "base-move/impassable", "base-general/coherency")
def cannot_stand(carrier: Model, models: Sequence[Model], there: Sequence[Spot]) -> Fault | None:
    """The places must be within 2 inches of the vehicle, more than 1 from enemies, on free ground, and in coherency."""
    solids = [Solid(m.profile.shape, x, y, 0.0, 0.0, 2.0) for m, (x, y, _) in zip(models, there, strict=True)]
    for k, (model, one) in enumerate(zip(models, solids, strict=True)):
        at = round(one.x, 2), round(one.y, 2)
        far = gap(one, carrier.solid)
        if far > DISEMBARK + TOLERANCE:
            return Fault(at, round(far, 2), DISEMBARK, model.row)
        if not fields.is_free(field_about(carrier, model), one.x, one.y):
            return Fault(at, model=model.row)
        if any(gap(one, other) <= 0.0 for other in solids[:k]):
            return Fault(at, model=model.row)
    return None if are_together(solids) else Fault(limit=COHERENCY, model=models[0].row, rule="base-general/coherency")


def are_together(solids: Sequence[Solid]) -> bool:
    return is_together(solids, COHERENCY)


def field_about(carrier: Model, model: Model) -> fields.Field:
    """What bars places beside a vehicle. Kept until something moves."""
    position = carrier.position
    kept, key = position.layout, ("beside", carrier.row, model.profile.footprint)
    if key not in kept:
        others = position.on_table()
        gaps = [ENEMY_GAP if m.side != carrier.side else 0.0 for m in others]
        ground = position.ground
        kept[key] = fields.field(ground, model.profile.shape, [m.solid for m in others], gaps, ground.kept(impassable))
    found: fields.Field = kept[key]
    return found


def has_room(carrier: Model, models: Sequence[Model]) -> bool:
    """Whether there is room beside the carrier. Kept until something moves."""
    kept, key = carrier.position.layout, ("room", carrier.row, tuple(m.row for m in models))
    if key not in kept:
        kept[key] = room(carrier, models) is not None
    found: bool = kept[key]
    return found


def room(carrier: Model, models: Sequence[Model], rng: Random | None = None) -> list[Plain] | None:
    """Places for all models beside a vehicle, as close together as possible, or None."""

    def is_near(there: Solid) -> bool:
        return gap(there, carrier.solid) <= DISEMBARK

    spots = free_spots(carrier.solid, models, lambda model: field_about(carrier, model), is_near)
    found = places_for(spots, models, COHERENCY, rng)
    if found is None or cannot_stand(carrier, models, [(x, y, facing) for x, y, facing in found]) is not None:
        return None
    return found


# ---------------------------------------------------------------- out of a wreck


@rule("base-vehicle/passenger-casualties")
def stand_by(vehicle: Model, models: Sequence[Model]) -> None:
    """Put survivors within 2 inches of where the vehicle stood, as near as possible; those without room are lost."""
    position: Position = vehicle.position
    left = list(models)
    for x, y in all_spots(vehicle.at, 0.55, SPOTS * 4).tolist():
        if not left:
            return
        model = left[0]
        there = Solid(model.profile.shape, x, y, 0.0, 0.0, 2.0)
        if gap(there, vehicle.solid) > DISEMBARK:
            continue
        others = position.on_table()
        gaps = [ENEMY_GAP if m.side != vehicle.side else 0.0 for m in others]
        barred = position.ground.kept(impassable)
        field = fields.field(position.ground, model.profile.shape, [m.solid for m in others], gaps, barred)
        if fields.is_free(field, x, y):
            model.move_to(x, y, placed=True)
            left.pop(0)
    for model in left:
        lose_model(model, "no-place", vehicle.row)
