"""Transports (7.10, 7.12): capacity, getting in and out, firing from inside, and leaving a wreck or an explosion."""

from __future__ import annotations

import math
from collections.abc import Sequence

from campale.mechanics.moves.placing import Fits, Putting, Spot, first_room, put_down, standing
from campale.referee.position import ABOARD, Model, Position, Unit
from campale.referee.refusal import Fault, Refusal
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions.footprints import half_sizes, hatches
from campale.rulesets.e55.definitions.measuring import rounded_down
from campale.rulesets.e55.definitions.types import is_vehicle, operates_as_flyer
from campale.rulesets.e55.definitions.units import (
    ARRIVED,
    DESTROYED,
    DISEMBARKED,
    DONE,
    EMBARKED,
    GROUND,
    MOVED,
    aboard,
    active,
    bar_from_charge,
    is_broken,
    is_engaged,
    is_on_ground,
    members,
    units_aboard,
    units_on_table,
)
from campale.rulesets.e55.hits import casualties, resolving
from campale.rulesets.e55.hits.attacks import NO_COVER, Hit
from campale.rulesets.e55.movement_phase import dangerous, facing, rough
from campale.rulesets.e55.movement_phase.coherency import keeping
from campale.rulesets.e55.movement_phase.placing import PLACING
from campale.rulesets.e55.turn.acting import Act, Key, OfModel, model_of, unit_of
from campale.rulesets.e55.unit_types import characters
from campale.table.measure import gap, gap_to_outline, gap_to_point, outline_of
from campale.table.outlines import Outline, placed
from campale.table.paths import Path
from campale.table.room import Bound
from campale.table.shapes import Point, Solid

BOARDING, LEAVING, THROWN = 8, 6, 3
EXPLOSION_STRENGTH = 4
SHOOTING_PHASES = ("shooting", "volleys", "after-shooting")


# ---------------------------------------------------------------- passengers


def passengers(carrier: Model) -> list[Model]:
    """Return the models inside a vehicle, in roster order."""
    position, row = carrier.position, carrier.row
    return [m for m in position.models if position.where[m.row] == ABOARD and position.aboard_of[m.row] == row]


def units_inside(carrier: Model) -> list[Unit]:
    rows = dict.fromkeys(carrier.position.unit_of[m.row] for m in passengers(carrier))
    return [Unit(carrier.position, row) for row in sorted(rows)]


def carrier_of(unit: Unit) -> Model | None:
    """Return the vehicle that a unit is in, if any."""
    return next((model.aboard_of for model in aboard(unit)), None)


def is_transport(model: Model) -> bool:
    return bool(model.profile.is_a("transport")) or model.profile.capacity > 0


# ---------------------------------------------------------------- 7.10/capacity


@rule("7.10/capacity")
def boards(vehicle: Profile, profile: Profile) -> bool:
    """Return whether a vehicle's description lets it carry a profile's type.

    Flying infantry boards as infantry only if its own profile says so.
    """
    kinds = {profile.type, *profile.subtypes}
    if profile.is_a("flying-infantry"):
        kinds.discard("infantry")
    if profile.boards_as is not None:
        kinds.add(profile.boards_as)
    return any(kind in kinds for kind in vehicle.carries)


def may_carry(carrier: Model, model: Model) -> bool:
    return boards(carrier.profile, model.profile)


@rule("7.10/capacity")
def room_left(carrier: Model) -> int:
    return int(carrier.profile.capacity) - len(passengers(carrier))


@rule("7.10/embark", "7.10/disembark", "7.12/open-topped-points")
def from_a_hatch(carrier: Model, solid: Solid) -> int:
    """Return the distance of a base from the nearest hatch, in inches; an open-topped hull is one hatch."""
    if is_open(carrier):
        return rounded_down(gap(solid, carrier.solid) + abs(solid.z - carrier.z))
    ways = (gap_to_point(solid, x, y) + abs(solid.z - z) for x, y, z in hatches(carrier))
    return rounded_down(min(ways, default=math.inf)) if hatches(carrier) else 10_000


@rule("7.12/open-topped-points")
def is_open(carrier: Model) -> bool:
    return bool(carrier.profile.is_a("open-topped"))


# ---------------------------------------------------------------- 7.10/embark


def who_may_embark(position: Position, side: int) -> list[Key]:
    """Return every unit with every transport, cached until something moves."""
    kept, key = position.layout, ("embark", side)
    if key not in kept:
        units = units_on_table(position, side)
        carriers = [m for u in units for m in members(u) if is_transport(m)]
        able = [u for u in units if not is_vehicle(members(u)[0])]
        kept[key] = [OfModel("embark", u.row, c.row) for u in able for c in carriers if c.unit != u]
    return list(kept[key])


def boarding(position: Position, key: Key) -> tuple[Unit, Model]:
    return unit_of(position, key), model_of(position, key)


@rule("7.10/embark")
def has_moved(position: Position, key: Key) -> Fault | None:
    unit, _ = boarding(position, key)
    moved = unit.marks(DONE) or unit.marks(MOVED) or unit.marks(DISEMBARKED)
    return Fault(word="done-already") if moved else None


@rule("7.10/embark", "3.1/cannot-move", "4.2/broken-cannot-act")
def cannot_move(position: Position, key: Key) -> Fault | None:
    unit, _ = boarding(position, key)
    if is_broken(unit):
        return Fault(rule="4.2/broken-cannot-act")
    return Fault(rule="3.1/cannot-move") if is_engaged(unit) or is_on_ground(unit) else None


@rule("7.10/capacity")
def does_not_fit(position: Position, key: Key) -> Fault | None:
    unit, carrier = boarding(position, key)
    models = keeping(unit)
    wrong = next((model for model in models if not may_carry(carrier, model)), None)
    if wrong is not None:
        return Fault(model=wrong.row, word="wrong-type")
    room = room_left(carrier)
    return Fault(measured=len(models), limit=room, model=carrier.row) if len(models) > room else None


@rule("7.13/flyer-distance")
def carrier_flies(position: Position, key: Key) -> Fault | None:
    """Refuse a flying carrier: its hatches are as far away as the rest of it."""
    _, carrier = boarding(position, key)
    return Fault(model=carrier.row) if operates_as_flyer(carrier) else None


@rule("7.10/embark", "7.12/open-topped-points")
def too_far_from_a_hatch(position: Position, key: Key) -> Fault | None:
    unit, carrier = boarding(position, key)
    for model in keeping(unit):
        measured = from_a_hatch(carrier, model.solid)
        if measured > BOARDING:
            return Fault(model.at, measured, BOARDING, model.row)
    return None


@rule("7.10/embark")
async def embark(position: Position, key: Key) -> None:
    """Put the unit inside, as its move; units that faced it face another.

    A character that has moved away from the unit stays where it is, has left the unit, and moves no more.
    """
    unit, carrier = boarding(position, key)
    staying = keeping(unit)
    for model in members(unit):
        if model not in staying:
            characters.set_free(model)
            model.unit.mark(DONE, 1)
    for model in staying:
        position.take_off(model, aboard_of=carrier)
    for name in (EMBARKED, MOVED, DONE):
        unit.mark(name, 1)
    await facing.settle_facings(position)


# ---------------------------------------------------------------- 7.10/disembark


def who_may_disembark(position: Position, side: int) -> list[Key]:
    units = units_aboard(position, side)
    return [OfModel("disembark", u.row, c.row) for u in units if (c := carrier_of(u)) is not None and c.is_on_table]


@rule("7.10/disembark")
def has_just_embarked(position: Position, key: Key) -> Fault | None:
    unit, _ = boarding(position, key)
    return Fault(word="embarked-this-turn") if unit.marks(EMBARKED) else None


@rule("10.5/reserve-entry")
def has_just_arrived(position: Position, key: Key) -> Fault | None:
    """Refuse, if the option is set, a unit that arrived inside a transport: it makes no further move in that turn."""
    unit, _ = boarding(position, key)
    stays = position.options.arrivals_stay_aboard and unit.marks(ARRIVED)
    return Fault(word="arrived-this-turn") if stays else None


@rule("7.10/disembark")
def no_room(position: Position, key: Key) -> Fault | None:
    """Refuse to disembark unless every model of the unit finds a place."""
    unit, carrier = boarding(position, key)
    kept = position.cache
    if ("way-out", unit.row) not in kept:
        found = first_room(getting_out(unit, carrier), ways_out(carrier), carrier.facing)
        kept["way-out", unit.row] = found is not None
    return None if kept["way-out", unit.row] else Fault(carrier.at, model=carrier.row, word="no-room")


@rule("7.10/disembark", "7.12/open-topped-points")
def leaving_by(carrier: Model) -> Fits:
    """Return the check that a place is within 6 inches of a hatch."""

    def fits(model: Model, spot: Spot) -> Fault | Refusal | None:
        measured = from_a_hatch(carrier, standing(model, spot))
        if measured <= LEAVING:
            return None
        return Refusal("7.10/disembark", spot[:2], measured, LEAVING, model.row)

    return fits


def getting_out(unit: Unit, carrier: Model) -> Putting:
    bounds: tuple[Bound, ...] = tuple((((x, y),), LEAVING + 1.0 - abs(z)) for x, y, z in hatches(carrier))
    if is_open(carrier):
        bounds = ((outline_of(carrier.solid), LEAVING + 1.0 - abs(carrier.z)),)
    return Putting(PLACING, unit, tuple(aboard(unit)), leaving_by(carrier), bounds)


def ways_out(carrier: Model, reach: float = LEAVING) -> list[Point]:
    """Return points around a hull that may have room: off its sides near and far, then off its corners."""
    wide, deep = half_sizes(carrier.profile)
    rear = [(0.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, -1.0), (1.0, -1.0), (0.0, 1.0), (-1.0, 1.0), (1.0, 1.0)]
    own = [(x * (wide + far), y * (deep + far)) for far in (reach / 2.0, reach / 4.0, reach) for x, y in rear]
    return list(placed(own, carrier.x, carrier.y, carrier.facing))


@rule("7.10/disembark")
async def disembark(position: Position, key: Key) -> None:
    """Place the unit near the hatches, as its move, and test it for dangerous ground."""
    unit, carrier = boarding(position, key)
    models = aboard(unit)
    await put_down(getting_out(unit, carrier), "disembark", ways_out(carrier), carrier.facing)
    limited_by_leaving(unit, carrier)
    await tread_where_placed(unit, models)


@rule("7.10/disembark", "3.1.2/dangerous")
async def tread_where_placed(unit: Unit, models: Sequence[Model], settles: bool = True) -> None:
    """Test a unit that has come out of a vehicle for the ground that its models were placed on.

    ``settles`` False: within a resolution, which settles what comes of losses as it ends.
    """
    stood = {model.row: Path((model.at, model.at), model.facing) for model in models}
    if rough.touches_dangerous(unit, stood):
        await dangerous.dangerous_test(unit, settles=settles)


@rule("7.10/disembark-limits")
def limited_by_leaving(unit: Unit, carrier: Model) -> None:
    """Mark the unit: it has moved, does not move or run again, and usually cannot charge in this turn."""
    for name in (DISEMBARKED, MOVED, DONE):
        unit.mark(name, 1)
    if not may_assault_at_once(carrier):
        bar_from_charge(unit, "7.10/disembark-limits")


@rule("7.12/open-topped-assault")
def may_assault_at_once(carrier: Model) -> bool:
    return is_open(carrier)


# ---------------------------------------------------------------- 7.10/fire-points


@rule("7.10/fire-points")
def changed_place(model: Model) -> bool:
    """Return whether a model is at another place than when the turn began, or was off the table then."""
    then = model.position.snapshots.get("turn", {}).get(model.row)
    return then is None or then[:2] != model.at


# ---------------------------------------------------------------- 7.10: out of a wreck, out of an explosion


@rule("7.10/wreck-passengers")
async def get_out_of_wreck(carrier: Model) -> None:
    """Let the passengers of a wreck get out at once, unhurt; their owner places them.

    Its hull is no obstacle any more.
    """
    units = units_inside(carrier)
    remember_destroyer(carrier, units)
    for unit in units:
        await thrown_out(getting_out(unit, carrier), "leave-wreck", [*ways_out(carrier), carrier.at], carrier)


@rule("7.10/explosion-passengers")
async def get_out_of_explosion(carrier: Model, outline: Sequence[Point] = ()) -> None:
    """Place the passengers on the ground the vehicle occupied or near it; each takes a hit of strength 4."""
    units = units_inside(carrier)
    remember_destroyer(carrier, units)
    ground = tuple(outline) or outline_of(carrier.solid)
    for unit in units:
        centres = [carrier.at, *ways_out(carrier, THROWN)]
        putting = Putting(PLACING, unit, tuple(aboard(unit)), near_the_ground(ground), ((ground, THROWN + 1.0),))
        await thrown_out(putting, "leave-explosion", centres, carrier)
    hits = [(unit, hits_of_explosion(unit)) for unit in units if members(unit)]
    await resolving.resolve_all(hits, NO_COVER)
    for unit, _ in hits:
        take_cover_on_the_ground(unit)


@rule("7.10/explosion-passengers")
def hits_of_explosion(unit: Unit) -> list[Hit]:
    """Return one hit on each passenger; every model is a target by itself."""
    return [Hit(EXPLOSION_STRENGTH, None, "passengers", target=model.row) for model in members(unit)]


@rule("7.10/explosion-ground")
def take_cover_on_the_ground(unit: Unit) -> None:
    if members(unit):
        unit.mark(GROUND, 1)


@rule("7.10/explosion-passengers")
def near_the_ground(outline: Outline) -> Fits:
    """Return the check that a place is on the ground the vehicle occupied, or up to 3 inches from it."""

    def fits(model: Model, spot: Spot) -> Fault | Refusal | None:
        measured = rounded_down(gap_to_outline(standing(model, spot), outline))
        if measured <= THROWN:
            return None
        return Refusal("7.10/explosion-passengers", spot[:2], measured, THROWN, model.row)

    return fits


async def thrown_out(putting: Putting, prompt: str, centres: list[Point], carrier: Model) -> None:
    """Place a unit that leaves a destroyed vehicle: models without a place are lost, the rest face an enemy at once.

    Dangerous ground is tested as by those who get out by choice.
    """
    unit, staying = putting.unit, placeable(putting, centres, carrier.facing)
    for model in putting.models[len(staying) :]:
        lost_inside(model)
    if staying:
        await put_down(putting._replace(models=staying), prompt, centres, carrier.facing)
        if unit.side == active(unit.position):
            limited_by_leaving(unit, carrier)
        await tread_where_placed(unit, staying, settles=False)
    if members(unit):
        await facing.choose_facing(unit)


@rule("7.10/cannot-be-placed")
def lost_inside(model: Model) -> None:
    casualties.lose(model, "no-place")


def placeable(putting: Putting, centres: list[Point], faced: float) -> tuple[Model, ...]:
    """Return as many of the models as find room together, the first of the roster preferred."""
    some, too_many = 0, len(putting.models) + 1
    count = len(putting.models)
    while some + 1 < too_many:
        if first_room(putting._replace(models=putting.models[:count]), centres, faced) is None:
            too_many = count
        else:
            some = count
        count = (some + too_many) // 2
    return putting.models[:some]


@rule("7.10/assault-passengers")
def remember_destroyer(carrier: Model, units: Sequence[Unit]) -> None:
    """Record which unit destroyed a transport in the shooting phase: it may charge the passengers."""
    position = carrier.position
    loss = next((loss for loss in reversed(position.losses) if loss.model == carrier.row), None)
    if loss is None or loss.by < 0 or not units or position.now.get("phase") not in SHOOTING_PHASES:
        return
    by = Unit(position, loss.by)
    known = tuple(by.note(DESTROYED, ()))
    by.jot(DESTROYED, (*known, *(unit.row for unit in units if unit.row not in known)))


EMBARK_RESTRICTIONS = (has_moved, cannot_move, does_not_fit, carrier_flies, too_far_from_a_hatch)
DISEMBARK_RESTRICTIONS = (has_just_embarked, has_just_arrived, carrier_flies, no_room)
ACTS: tuple[Act, ...] = (
    Act("embark", ("movement",), who_may_embark, EMBARK_RESTRICTIONS, embark, 0.3),
    Act("disembark", ("movement",), who_may_disembark, DISEMBARK_RESTRICTIONS, disembark),
)
