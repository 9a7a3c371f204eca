"""Damage to vehicles (7.5 to 7.8): the damage roll, its results, wrecks, explosions, and the state of a vehicle."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from typing import NamedTuple

import msgspec

from campale.dice.needs import Need, Part
from campale.referee.ask import choose, roll
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import one_die, sum_of
from campale.rulesets.e55.definitions.footprints import height, solid
from campale.rulesets.e55.definitions.measuring import distance, within
from campale.rulesets.e55.definitions.types import operates_as_flyer
from campale.rulesets.e55.definitions.units import (
    DESTROYED,
    IMMOBILISED,
    SILENCED,
    STILL,
    STRUCTURE_LOST,
    STUCK,
    active,
    is_in_force,
    members,
    next_turn_of,
    player_turn,
    units_on_table,
)
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.hits.attacks import Cause, Hit
from campale.rulesets.e55.hits.casualties import Fate
from campale.rulesets.e55.moments import BLAST, EXPLODED, WRECKED, at_moment
from campale.table.measure import outline_of, overlaps_outline
from campale.table.outlines import counter_clockwise
from campale.table.shapes import Point, rounded
from campale.table.terrain import Piece

WRECK_TAGS = ("difficult", "solid", "cover-5", "wreck")
LOWEST, HIGHEST = 1, 8
HARD_AP, SOFT_AP = 1, 7
BLAST_STRENGTH, BLAST_AP = 3, 7


class Damage(msgspec.Struct, frozen=True):
    """A damage before its roll: whether its hit penetrated, the hit's AP, its cause, and the unit that dealt it."""

    penetrating: bool
    ap: int | None = None
    cause: Cause = "fire"
    by_unit: int = -1


# ---------------------------------------------------------------- the state of a vehicle


@rule("7.1/armour-values")
def armour(vehicle: Model, face: str) -> int:
    """Return the armour of a face; both sides share one value."""
    profile = vehicle.profile
    return int({"front": profile.front, "rear": profile.rear}.get(face, profile.side))


@rule("7.1/structure-points")
def structure_left(vehicle: Model) -> int:
    return max(0, int(vehicle.profile.structure) - vehicle.marks(STRUCTURE_LOST))


def silenced_mounts(vehicle: Model) -> tuple[int, ...]:
    """Return the indices, among its mounts, of the weapons silenced for good."""
    return tuple(vehicle.note(DESTROYED, ()))


@rule("7.6/weapon-destroyed")
def working_weapons(vehicle: Model) -> list[int]:
    """Return the indices of the weapons that still work."""
    gone = silenced_mounts(vehicle)
    return [place for place in range(len(vehicle.profile.mounts)) if place not in gone]


@rule("7.6/shaken", "7.6/stunned")
def is_silenced(vehicle: Model) -> bool:
    """Return whether a vehicle cannot shoot in this turn."""
    return is_in_force(vehicle, SILENCED)


@rule("7.6/shaken", "7.6/stunned")
def is_stuck(vehicle: Model) -> bool:
    """Return whether a vehicle can neither move nor turn in this turn."""
    return is_in_force(vehicle, STUCK)


@rule("7.6/immobilised")
def is_immobilised(vehicle: Model) -> bool:
    """Return whether a vehicle can neither move nor turn for the rest of the game."""
    return vehicle.marks(IMMOBILISED) > 0


class Battered(NamedTuple):
    """A vehicle that is still there: the structure points it has lost, and the indices of its destroyed weapons."""

    lost: int
    silenced: tuple[int, ...]


def fate_of(row: int, position: Position) -> Fate:
    """Return the effects of damage on a vehicle (row) that matter in the same round."""
    vehicle = position.models[row]
    left = Battered(vehicle.marks(STRUCTURE_LOST), silenced_mounts(vehicle)) if vehicle.is_on_table else None
    return Fate(row, left)


def suffer_fate(position: Position, fate: Fate) -> None:
    vehicle = position.models[fate.row]
    if fate.left is None:
        casualties.lose(vehicle, "fire")
        return
    vehicle.mark(STRUCTURE_LOST, fate.left.lost)
    if fate.left.silenced != silenced_mounts(vehicle):
        vehicle.jot(DESTROYED, fate.left.silenced)


# ---------------------------------------------------------------- 7.5 the damage roll


@rule("7.5/damage-roll")
def by_penetration(vehicle: Model, done: Damage) -> Part:
    return Part("7.5/damage-roll", 1 if done.penetrating else 0)


@rule("7.5/damage-roll")
def by_ap(vehicle: Model, done: Damage) -> Part:
    if done.ap is not None and done.ap <= HARD_AP:
        return Part("7.5/damage-roll", 1)
    return Part("7.5/damage-roll", -1 if done.ap is None or done.ap >= SOFT_AP else 0)


@rule("7.12/open-topped-damage")
def by_open_top(vehicle: Model, done: Damage) -> Part:
    return Part("7.12/open-topped-damage", 1 if vehicle.profile.is_a("open-topped") else 0)


DAMAGE_MODIFIERS = (by_penetration, by_ap, by_open_top)


@rule("7.5/damage-roll")
def damage_result(face: int, modifier: int) -> int:
    """Return the line of the table: all modifiers are added before the limits apply."""
    return max(LOWEST, min(HIGHEST, face + modifier))


async def damage(vehicle: Model, done: Damage) -> None:
    """Roll one damage and carry out its result, before the next damage."""
    parts = [part for modifier in DAMAGE_MODIFIERS if (part := modifier(vehicle, done)).value]
    modifier = sum(int(part.value) for part in parts)
    shown = [[part.rule, part.value] for part in parts]
    side = vehicle.position.unit_side[done.by_unit] if done.by_unit >= 0 else 1 - vehicle.side
    rolled = await roll(side, "damage", model=vehicle.row, modifier=modifier, parts=shown)
    result = damage_result(rolled.total, modifier)
    told = RESULT_WORDS[result]
    vehicle.position.write("damage", model=vehicle.row, result=result, effect=told, penetrating=done.penetrating)
    await carry_out(vehicle, result, done)


@rule("7.5/damage-table")
async def carry_out(vehicle: Model, result: int, done: Damage) -> None:
    effect = RESULTS.get(result)
    if effect is not None:
        await effect(vehicle, done)


# ---------------------------------------------------------------- 7.6 results


def silence(vehicle: Model) -> None:
    in_its_next_turn(vehicle, SILENCED)


def hold(vehicle: Model) -> None:
    in_its_next_turn(vehicle, STUCK)


def in_its_next_turn(vehicle: Model, name: str) -> None:
    """Mark a state for the vehicle's next turn; the same state already in force lasts to the end of this turn."""
    if is_in_force(vehicle, name):
        vehicle.jot(STILL[name], player_turn(vehicle.position))
    vehicle.mark(name, next_turn_of(vehicle.position, vehicle.side))


@rule("7.6/shaken")
async def shaken(vehicle: Model, done: Damage) -> None:
    """Roll a die: on 4 or more the vehicle cannot shoot, otherwise it cannot move."""
    if await one_die(vehicle.side, "shaken", SHAKEN, model=vehicle.row):
        silence(vehicle)
    else:
        hold(vehicle)


SHAKEN = Need(4)


@rule("7.6/stunned")
async def stunned(vehicle: Model, done: Damage) -> None:
    silence(vehicle)
    hold(vehicle)


async def hull_broken(vehicle: Model, done: Damage) -> None:
    await lose_structure(vehicle, 1, done)


async def hull_shattered(vehicle: Model, done: Damage) -> None:
    await lose_structure(vehicle, 2, done)


@rule("7.6/weapon-destroyed")
async def weapon_destroyed(vehicle: Model, done: Damage) -> None:
    """Let the other side pick a weapon that still works; a structure point is lost in any case."""
    working = working_weapons(vehicle)
    if working:
        place = await choose(1 - vehicle.side, "destroy-weapon", working, of="mount", model=vehicle.row)
        vehicle.jot(DESTROYED, (*silenced_mounts(vehicle), place))
        weapon = vehicle.profile.mounts[place].weapon.id
        vehicle.position.write("weapon-destroyed", model=vehicle.row, mount=place, weapon=weapon)
    await lose_structure(vehicle, 1, done)


@rule("7.6/immobilised")
async def immobilised(vehicle: Model, done: Damage) -> None:
    """Immobilise a vehicle for the rest of the game, and take one structure point."""
    if falls_from_the_sky(vehicle):
        await wreck(vehicle, done)
        return
    vehicle.mark(IMMOBILISED, 1)
    await lose_structure(vehicle, 1, done)


@rule("7.13/flyer-immobilised")
def falls_from_the_sky(vehicle: Model) -> bool:
    return operates_as_flyer(vehicle)


@rule("7.6/explodes")
async def explodes(vehicle: Model, done: Damage) -> None:
    """Hit every model within a die's roll in inches of the hull, then deal with the passengers."""
    position = vehicle.position
    side = position.unit_side[done.by_unit] if done.by_unit >= 0 else 1 - vehicle.side
    radius = await sum_of(side, "explosion", 1, model=vehicle.row)
    outline = footprint(vehicle)
    targets = caught(vehicle, radius)
    position.write("explodes", model=vehicle.row, radius=radius, hits=[h.target for _, hits in targets for h in hits])
    casualties.lose(vehicle, done.cause, done.by_unit)
    await at_moment(position, BLAST, targets)
    await at_moment(position, EXPLODED, vehicle, outline)


def caught(vehicle: Model, radius: int) -> list[tuple[Unit, list[Hit]]]:
    """Return the hits of an explosion, unit by unit, the active side's first; every model is a target by itself."""
    position = vehicle.position
    units = sorted(units_on_table(position), key=lambda unit: (unit.side != active(position), unit.row))
    targets = []
    for unit in units:
        near = [m for m in members(unit) if m.row != vehicle.row and within(distance(vehicle, m), radius)]
        if near:
            targets.append((unit, [Hit(BLAST_STRENGTH, BLAST_AP, "explosion", target=m.row) for m in near]))
    return targets


Effect = Callable[[Model, Damage], Awaitable[None]]

RESULTS: dict[int, Effect] = {
    2: shaken,
    3: stunned,
    4: hull_broken,
    5: weapon_destroyed,
    6: immobilised,
    7: hull_shattered,
    8: explodes,
}
RESULT_WORDS = {1: "unharmed"} | {number: effect.__name__.replace("_", "-") for number, effect in RESULTS.items()}


# ---------------------------------------------------------------- 7.8 wrecks


@rule("7.1/structure-points")
async def lose_structure(vehicle: Model, points: int, done: Damage) -> None:
    """Take structure points, which are never regained; a vehicle without any becomes a wreck."""
    lost = min(structure_left(vehicle), points)
    vehicle.mark(STRUCTURE_LOST, vehicle.marks(STRUCTURE_LOST) + lost)
    vehicle.position.harm(vehicle, lost, done.cause, (done.by_unit,))
    if structure_left(vehicle) == 0:
        await wreck(vehicle, done)


@rule("7.8/wreck")
async def wreck(vehicle: Model, done: Damage) -> None:
    """Make a vehicle a casualty and its hull a piece of scenery; passengers get out."""
    position = vehicle.position
    outline, flew = footprint(vehicle), operates_as_flyer(vehicle)
    casualties.lose(vehicle, done.cause, done.by_unit)
    if not (flew and is_occupied(vehicle, outline)):
        name = name_of_wreck(vehicle)
        piece = Piece(name, "wreck", outline, height(vehicle.profile), vehicle.z, (), WRECK_TAGS)
        position.change_ground(position.ground.with_piece(piece), piece=name, model=vehicle.row)
    await at_moment(position, WRECKED, vehicle)


def name_of_wreck(vehicle: Model) -> str:
    """Return a name numbered by the vehicle's row, or by the next number that no other wreck has."""
    taken = {piece.name for piece in vehicle.position.ground.pieces}
    return next(name for number in count(vehicle.row) if (name := f"wreck-{number}") not in taken)


def footprint(vehicle: Model) -> tuple[Point, ...]:
    """Return the vehicle's outline, cached until something moves: a round base has hundreds of corners."""
    kept, key = vehicle.position.layout, ("footprint", vehicle.row)
    found: tuple[Point, ...] | None = kept.get(key)
    if found is None:
        corners = [(rounded(x), rounded(y)) for x, y in outline_of(solid(vehicle))]
        found = kept[key] = counter_clockwise(corners)
    return found


def is_occupied(vehicle: Model, outline: tuple[Point, ...]) -> bool:
    return any(overlaps_outline(solid(model), outline) for model in vehicle.position.on_table())


# ---------------------------------------------------------------- entry points


async def immobilise(vehicle: Model, by_unit: int = -1) -> None:
    """Immobilise a vehicle without a hit, for example by dangerous terrain."""
    await immobilised(vehicle, Damage(False, cause="dangerous", by_unit=by_unit))
    await casualties.settle(vehicle.position)
