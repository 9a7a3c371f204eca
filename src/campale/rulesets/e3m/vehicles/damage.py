"""Damage to vehicles: the side hit, penetration, the tables, the results and how long they last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from campale.dice.needs import Need
from campale.dice.stages import through
from campale.mechanics.frames import drop, push
from campale.mechanics.units import riders_of
from campale.referee.ask import choose, roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.battle.scenery import BLOCKS, BROKEN, COVER, DIFFICULT, WRECK
from campale.rulesets.e3m.command.halt import end_move, force_to_halt
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import (
    FAST,
    FIRED,
    FORCED,
    GONE,
    IMMOBILISED,
    LOST_MOUNTS,
    MOVED,
    SHAKEN,
    STUNNED,
    WOUNDS,
    members,
    wounds_left,
)
from campale.rulesets.e3m.fire.wounds import best_save, lose_model, remove_the_dead, save_need, suffer, wound_need
from campale.rulesets.e3m.movement.sight import NONE, covers
from campale.rulesets.e3m.vehicles.passengers import stand_by
from campale.table.hulls import sectors_of
from campale.table.measure import gap, outline_of
from campale.table.shapes import TOLERANCE, Point
from campale.table.terrain import Piece

SHAKE, STUN, WEAPON, IMMOBILISE, DESTROY, EXPLODE, ANNIHILATE = (
    "shaken",
    "stunned",
    "weapon-destroyed",
    "immobilised",
    "destroyed",
    "explodes",
    "annihilated",
)
LOST = (DESTROY, EXPLODE, ANNIHILATE)
# base-vehicle/glancing-table penetrating-table ordnance-table: the lines of the tables, from 1 to 6
GLANCING = (SHAKE, SHAKE, STUN, WEAPON, IMMOBILISE, DESTROY)
GLANCING_OTHERWISE = (SHAKE, SHAKE, STUN, IMMOBILISE, WEAPON, DESTROY)
PENETRATING = (STUN, WEAPON, IMMOBILISE, DESTROY, DESTROY, EXPLODE)
BY_ORDNANCE = (STUN, WEAPON, IMMOBILISE, DESTROY, EXPLODE, ANNIHILATE)

LANCE_MOST = 12
HULL_DOWN = 4
FAST_FROM = 6.0
BLAST_STRENGTH, BLAST_NEED, PASSENGER_NEED = 4, 4, 4
EXPLOSION = "explosion"


class Struck(NamedTuple):
    """A hit on a vehicle: its Strength and line, the side ``face``, the shooter's row, extra dice, the range.

    ``is_fire``: it is fire, so cover counts.
    """

    strength: int
    line: Line | None
    face: str
    shooter: int
    is_fire: bool = True
    extra: int = 0
    far: float = 0.0


class Damage(NamedTuple):
    """A line of a damage table."""

    result: str
    glancing: bool


# ---------------------------------------------------------------- base-vehicle/facing


@rule("base-vehicle/facing")
def face_towards(vehicle: Model, point: Point) -> str:
    """The side whose sector contains the point; on a border, the one with more armour."""
    found = sectors_of(vehicle.solid, *point)
    return max(found, key=lambda face: armour_of(vehicle, face))


def armour_of(vehicle: Model, face: str) -> int:
    profile = vehicle.profile
    return int({"front": profile.front, "rear": profile.rear}.get(face, profile.side))


# ---------------------------------------------------------------- base-vehicle/penetration


@rule("base-weapons/special")
def armour_against(vehicle: Model, hit: Struck) -> int:
    """The armour value. Against a lance, more than 12 counts as 12."""
    value = armour_of(vehicle, hit.face)
    return min(value, LANCE_MOST) if hit.line is not None and hit.line.has("lance") else value


@rule("base-vehicle/penetration", "base-weapons/special", "base-units/great-creatures")
async def penetrates(vehicle: Model, hit: Struck) -> int:
    """How much Strength and dice exceed the armour: below 0 nothing, 0 a glancing hit, above 0 a penetrating one."""
    side = striking_side(vehicle, hit.shooter)
    by_ordnance = hit.line is not None and hit.line.fire == "ordnance"
    count = 2 if by_ordnance else 1 + hit.extra + int(has_melta(hit))
    rolled = await roll(side, "penetration", count, vehicle=vehicle.row, strength=hit.strength)
    dice = max(rolled.ascending) if by_ordnance else rolled.total
    return hit.strength + dice - armour_against(vehicle, hit)


def striking_side(vehicle: Model, by: int) -> int:
    """The side of the shooter with this row; the other side where nobody shot."""
    return vehicle.position.model(by).side if by >= 0 else 1 - vehicle.side


def has_melta(hit: Struck) -> bool:
    """Whether melta counts: within half range."""
    line = hit.line
    return line is not None and line.has("melta") and hit.far <= (line.range or 0.0) / 2.0 + TOLERANCE


@rule("vehicles/moved-status")
def speed(vehicle: Model) -> str:
    """Stationary, slow or fast, by its route so far. Last turn's fast lasts until it moves or step 4 is over."""
    far = float(vehicle.note(GONE, 0.0))
    if far > FAST_FROM + TOLERANCE or (far <= TOLERANCE and vehicle.marks(FAST)):
        return "fast"
    return "slow" if far > TOLERANCE else "stationary"


@rule("base-vehicle/hull-down", "base-vehicle/skimmers")
async def is_glancing(vehicle: Model, over: int, hit: Struck) -> bool:
    """Whether a hit glances: at 0, by fire at fast flyers, or if a hull-down vehicle rolls a 4+."""
    if over == 0:
        return True
    if not hit.is_fire:
        return False
    if vehicle.profile.gear == "flying" and speed(vehicle) == "fast":
        return True
    if hit.shooter < 0:
        return False
    shooter = vehicle.position.model(hit.shooter)
    if covers(vehicle.position, [shooter], [vehicle])[0, 0] == NONE:
        return False
    rolled = await roll(vehicle.side, "hull-down", needed=Need(HULL_DOWN), vehicle=vehicle.row)
    return rolled.successes > 0


@rule("base-vehicle/glancing-table", "base-vehicle/penetrating-table", "base-vehicle/ordnance-table")
def table_for(position: Position, glancing: bool, hit: Struck) -> tuple[str, ...]:
    if glancing:
        return GLANCING_OTHERWISE if position.options.glancing_immobilised_4 else GLANCING
    return BY_ORDNANCE if hit.line is not None and hit.line.fire == "ordnance" else PENETRATING


@rule("base-vehicle/open-topped")
def damage_line(vehicle: Model, face: int) -> int:
    """The line of the table: +1 against an open-topped vehicle; a 7 counts as 6."""
    return min(6, face + int(vehicle.profile.is_open_topped))


@rule("base-vehicle/penetration", "base-general/dice-order")
async def strike(vehicle: Model, hit: Struck) -> bool:
    """Resolve one hit: penetration, hull down, damage.

    Returns whether it glanced or penetrated; on a wreck it does not.
    """
    damage: Damage | None = await through((partial(damage_by, vehicle),), hit)
    if damage is None:
        return False
    told: dict[str, Plain] = {"vehicle": vehicle.row, "result": damage.result, "glancing": damage.glancing}
    vehicle.position.write("damage", **told, **lasting(vehicle, damage.result))
    await suffer_damage(vehicle, damage.result, hit.shooter)
    return True


async def damage_by(vehicle: Model, hit: Struck) -> Damage | None:
    """The damage of a hit, or None."""
    if not vehicle.is_on_table:
        return None
    over = await penetrates(vehicle, hit)
    if over < 0:
        return None
    glancing = await is_glancing(vehicle, over, hit)
    side = striking_side(vehicle, hit.shooter)
    rolled = await roll(side, "glancing" if glancing else "damage", vehicle=vehicle.row)
    line = damage_line(vehicle, rolled.total)
    return Damage(table_for(vehicle.position, glancing, hit)[line - 1], glancing)


# ---------------------------------------------------------------- base-vehicle/damage-results


@rule("base-vehicle/damage-results", "base-vehicle/skimmers")
def comes_to(vehicle: Model, result: str) -> str:
    """What a line of the tables means for this vehicle.

    Without weapons left it is immobilised instead of losing one. If already immobilised it loses a weapon instead, or
    is destroyed without any. A flyer that has moved fast is destroyed by being immobilised.
    """
    if result == WEAPON and not mounts_left(vehicle):
        result = IMMOBILISE
    if result == IMMOBILISE and vehicle.profile.gear == "flying" and speed(vehicle) == "fast":
        return DESTROY
    if result == IMMOBILISE and vehicle.marks(IMMOBILISED):
        return WEAPON if mounts_left(vehicle) else DESTROY
    return result


@rule("base-vehicle/damage-results")
async def suffer_damage(vehicle: Model, result: str, by: int) -> None:
    result = comes_to(vehicle, result)
    if result == SHAKE:
        shake(vehicle)
    elif result == STUN:
        stun(vehicle)
    elif result == WEAPON:
        await lose_weapon(vehicle, by)
    elif result == IMMOBILISE:
        immobilise(vehicle)
    else:
        await destroy(vehicle, result, by)


def now_turn(position: Position) -> int:
    return int(position.now.get("turn", 1))


@rule("base-vehicle/damage-duration")
def shaken_until(vehicle: Model) -> int:
    """The last turn in which it is shaken: this one or, if it has fired already, the next."""
    later = int(bool(vehicle.unit.marks(FIRED)))
    return max(vehicle.marks(SHAKEN), now_turn(vehicle.position) + later)


@rule("base-vehicle/damage-duration")
def stunned_until(vehicle: Model) -> int:
    """The same for stunning, which bars moving and firing."""
    later = int(bool(vehicle.unit.marks(FIRED) or vehicle.unit.marks(MOVED)))
    return max(vehicle.marks(STUNNED), now_turn(vehicle.position) + later)


LASTS = {SHAKE: shaken_until, STUN: stunned_until}


def lasting(vehicle: Model, result: str) -> dict[str, Plain]:
    """How long a result lasts, if it ends during the battle."""
    return {"until": LASTS[result](vehicle)} if result in LASTS else {}


def shake(vehicle: Model) -> None:
    vehicle.mark(SHAKEN, shaken_until(vehicle))


def stun(vehicle: Model) -> None:
    vehicle.mark(STUNNED, stunned_until(vehicle))
    stop_here(vehicle.unit)


def is_stunned(vehicle: Model) -> bool:
    return vehicle.marks(STUNNED) >= now_turn(vehicle.position)


@rule("base-vehicle/damage-results")
def may_fire(vehicle: Model) -> bool:
    return not is_stunned(vehicle) and vehicle.marks(SHAKEN) < now_turn(vehicle.position)


@rule("base-vehicle/damage-results")
def can_drive(vehicle: Model) -> bool:
    return not is_stunned(vehicle) and not vehicle.marks(IMMOBILISED)


def stop_here(unit: Unit) -> None:
    """A unit on its way goes no farther."""
    end_move(unit)
    drop(unit.position, lambda frame: frame[0] in ("drive", "assault-move") and frame[1] == unit.row)


def mounts_left(vehicle: Model) -> list[int]:
    """The indices of the weapons that fire and still work."""
    lost = tuple(vehicle.note(LOST_MOUNTS, ()))
    return [k for k, mount in enumerate(vehicle.profile.mounts) if mount.weapon.lines and k not in lost]


@rule("base-vehicle/damage-results")
async def lose_weapon(vehicle: Model, by: int = -1) -> None:
    """The shooter (row ``by``; also a friend, by a marker that scattered) picks the weapon that is destroyed."""
    left, side = mounts_left(vehicle), striking_side(vehicle, by)
    picked = await choose(side, "destroy-weapon", left, of="mount", vehicle=vehicle.row)
    vehicle.jot(LOST_MOUNTS, (*tuple(vehicle.note(LOST_MOUNTS, ())), picked))
    vehicle.position.write("weapon-destroyed", vehicle=vehicle.row, mount=picked)


@rule("base-vehicle/damage-results")
def immobilise(vehicle: Model) -> None:
    """Immobilise the vehicle for the rest of the battle."""
    vehicle.mark(IMMOBILISED, 1)
    stop_here(vehicle.unit)


# ---------------------------------------------------------------- base-vehicle/wrecks, explosions, passengers


@rule("base-vehicle/damage-results", "base-vehicle/wrecks")
async def destroy(vehicle: Model, result: str, by: int) -> None:
    """The vehicle becomes a wreck, or explodes and leaves a patch. Surviving passengers get out."""
    position = vehicle.position
    riders, solid = riders_of(vehicle), vehicle.solid
    stop_here(vehicle.unit)
    lose_model(vehicle, result, by)
    exploded = result in (EXPLODE, ANNIHILATE)
    leave_remains(position, f"{WRECK}-{vehicle.row}", outline_of(solid), exploded)
    if exploded:
        await explode(vehicle)
    if riders:
        if result == ANNIHILATE:
            for rider in riders:
                lose_model(rider, result, by)
        else:
            await put_out(vehicle, riders)


@rule("base-vehicle/wrecks")
def leave_remains(position: Position, name: str, outline: Sequence[Point], exploded: bool) -> None:
    """A wreck blocks sight and bars vehicles that do not fly. An explosion leaves only difficult ground."""
    tags = (BROKEN, DIFFICULT, f"{COVER}4") if exploded else (WRECK, BROKEN, BLOCKS, f"{COVER}4")
    piece = Piece(name, "craters" if exploded else WRECK, tuple(outline), 0.0 if exploded else 2.0, 0.0, (), tags)
    position.change_ground(position.ground.with_piece(piece), piece=name, piece_kind=piece.kind)


@rule("base-vehicle/damage-results")
async def explode(vehicle: Model) -> None:
    """Roll the radius from its base. Each model within it is hit on a 4+, at Strength 4 with no AP."""
    position = vehicle.position
    radius = (await roll(1 - vehicle.side, "explosion-radius", vehicle=vehicle.row)).total
    near = [m for m in position.on_table() if gap(m.solid, vehicle.solid) <= radius + TOLERANCE]
    if not near:
        return
    rolled = await roll_for(1 - vehicle.side, "explosion", [m.side for m in near], Need(BLAST_NEED))
    for model in [m for m, is_hit in zip(near, rolled.hits, strict=True) if is_hit]:
        await blow(model, vehicle)
    lost = remove_the_dead(near, EXPLOSION, vehicle.row)
    if lost:
        push(position, ("tests", (), vehicle.side))


async def blow(model: Model, vehicle: Model) -> None:
    if model.profile.has_armour:
        await strike(model, Struck(BLAST_STRENGTH, None, face_towards(model, vehicle.at), -1))
        return
    need = wound_need(BLAST_STRENGTH, model.profile.t)
    if need is None or not (await roll(1 - vehicle.side, "to-wound", needed=need, model=model.row)).successes:
        return
    save = save_need(best_save(model.profile.save, model.profile.invulnerable))
    if save is None or not (await roll(model.side, "save", needed=save, model=model.row)).successes:
        suffer(model, BLAST_STRENGTH, EXPLOSION, vehicle.row)


@rule("base-vehicle/passenger-casualties", "vehicles/passengers")
async def put_out(vehicle: Model, riders: list[Model]) -> None:
    """Each passenger is wounded on a 4+, with armour saves. Survivors stand within 2 inches, on forced Halt."""
    rolled = await roll_for(1 - vehicle.side, "passengers", [m.profile.id for m in riders], Need(PASSENGER_NEED))
    hurt = [m for m, is_hit in zip(riders, rolled.hits, strict=True) if is_hit]
    needs = [save_need(best_save(m.profile.save, m.profile.invulnerable)) for m in hurt]
    for model, need in zip(hurt, needs, strict=True):
        if need is None or not (await roll(model.side, "save", needed=need, model=model.row)).successes:
            model.mark(WOUNDS, model.marks(WOUNDS) + 1)
    for model in hurt:
        if wounds_left(model) <= 0:
            lose_model(model, "wreck", vehicle.row)
    units = list(dict.fromkeys(m.unit.row for m in riders))
    for unit in (Unit(vehicle.position, row) for row in units):
        if members(unit):
            stand_by(vehicle, [m for m in members(unit) if not m.is_on_table])
            lie_by(unit)
    push(vehicle.position, ("tests", (), vehicle.side))


@rule("base-vehicle/passenger-casualties", "orders/retreat-is-rout")
def lie_by(unit: Unit) -> None:
    """The survivors are on forced Halt. A routed unit stays routed, and lies still for the rest of the turn too."""
    if is_routed(unit):
        unit.mark(FORCED, 1)
    else:
        force_to_halt(unit)
