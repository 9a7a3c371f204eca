"""Damage to vehicles (7.3 to 7.8): the face that is hit, saves, penetration, the damage table, wrecks, explosions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby

import msgspec

from campale.dice.needs import Need, Part
from campale.dice.stages import through
from campale.referee.ask import choose, roll
from campale.referee.position import ABOARD, GONE, Model, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55 import allocation, casualties, resolving, transports
from campale.rulesets.e55.attacks import NO_COVER, Cause, Covers, Hit, Wound
from campale.rulesets.e55.characteristics import limited
from campale.rulesets.e55.dice import one_die, sum_of
from campale.rulesets.e55.footprints import height, solid
from campale.rulesets.e55.measuring import distance, exact, within
from campale.rulesets.e55.profile import ARCS, Arc
from campale.rulesets.e55.saves import Borne, Save, another_chance, averted, save_needed, saves_against
from campale.rulesets.e55.types import operates_as_flyer
from campale.rulesets.e55.units import (
    DESTROYED,
    IMMOBILISED,
    SILENCED,
    STRUCTURE_LOST,
    STUCK,
    active,
    members,
    next_turn_of,
    player_turn,
    units_on_table,
)
from campale.table.hulls import faces_most_seen
from campale.table.measure import outline_of, overlaps_outline
from campale.table.outlines import counter_clockwise
from campale.table.shapes import Point, rounded
from campale.table.terrain import Piece

WRECK_TAGS = ("difficult", "solid", "cover-5", "wreck")
LOWEST, HIGHEST = 1, 8
HARD_AP, SOFT_AP = 1, 7
BLAST_STRENGTH, BLAST_AP = 3, 7


class Damage(msgspec.Struct, frozen=True):
    """A damage on its way: whether its hit penetrated, the hit's AP, and whose it is."""

    penetrating: bool
    ap: int | None = None
    cause: Cause = "fire"
    by_unit: int = -1


# ---------------------------------------------------------------- the state of a vehicle


@rule("7.1/structure-points")
def structure_left(vehicle: Model) -> int:
    return max(0, int(vehicle.profile.structure) - vehicle.marks(STRUCTURE_LOST))


def silenced_mounts(vehicle: Model) -> tuple[int, ...]:
    """The places, among its mounts, of the weapons silenced for good."""
    return tuple(vehicle.note(DESTROYED, ()))


@rule("7.6/weapon-destroyed")
def working_weapons(vehicle: Model) -> list[int]:
    """The places of the weapons that still work."""
    gone = silenced_mounts(vehicle)
    return [place for place in range(len(vehicle.profile.mounts)) if place not in gone]


@rule("7.6/shaken", "7.6/stunned")
def is_silenced(vehicle: Model) -> bool:
    """Whether it cannot shoot in this turn."""
    return is_now(vehicle, SILENCED)


@rule("7.6/shaken", "7.6/stunned")
def is_stuck(vehicle: Model) -> bool:
    """Whether it can neither move nor turn in this turn."""
    return is_now(vehicle, STUCK)


def is_now(vehicle: Model, mark: str) -> bool:
    return vehicle.marks(mark) == player_turn(vehicle.position) > 0


@rule("7.6/immobilised")
def is_immobilised(vehicle: Model) -> bool:
    """Whether it can neither move nor turn for the rest of the game."""
    return vehicle.marks(IMMOBILISED) > 0


# ---------------------------------------------------------------- 7.3/face-hit


@rule("7.1/armour-values")
def armour(vehicle: Model, face: str) -> int:
    """The armour of a face; one value serves both sides."""
    profile = vehicle.profile
    return int({"front": profile.front, "rear": profile.rear}.get(face, profile.side))


@rule("7.3/face-hit")
def face_hit(vehicle: Model, firer: Unit | Model | None) -> Arc:
    """The face that shows most to the nearest model of the firing unit; of several the best armoured."""
    eye = nearest_of(vehicle, firer)
    seen: tuple[Arc, ...] = ("front",)
    if eye is not None:
        most = faces_most_seen(solid(vehicle), *eye)
        seen = tuple(arc for arc in ARCS if arc in most)
    return max(seen, key=lambda one: armour(vehicle, one))


def nearest_of(vehicle: Model, firer: Unit | Model | None) -> Point | None:
    """The centre of the model nearest to the vehicle; one aboard is where its carrier is."""
    if firer is None:
        return None
    models = [firer] if isinstance(firer, Model) else standing_for(firer)
    return min(models, key=lambda model: (exact(vehicle, model), model.row)).at if models else None


def standing_for(unit: Unit) -> list[Model]:
    """The models of a unit on the table and the carriers of those aboard; of a unit lost meanwhile where it stood."""
    position = unit.position
    rows = [row for row, of in enumerate(position.unit_of) if of == unit.row]
    carriers = [position.models[position.aboard_of[row]] for row in rows if position.where[row] == ABOARD]
    lost = [position.models[row] for row in rows if position.where[row] == GONE]
    return [*members(unit), *dict.fromkeys(carriers)] or lost


def face_of(vehicle: Model, hit: Hit) -> str:
    if hit.face:
        return hit.face
    return face_hit(vehicle, Unit(vehicle.position, hit.by_unit) if hit.by_unit >= 0 else None)


# ---------------------------------------------------------------- hits on a unit of vehicles


async def hits_on_unit(unit: Unit, hits: Sequence[Hit], covers: Covers = NO_COVER) -> None:
    """Hits on vehicles at the same moment: on one, or given out among a squadron first."""
    vehicles = members(unit)
    given = await share_out(unit, [hit for hit in hits if hit.target < 0], covers)
    aimed = [(hit.target, hit) for hit in hits if hit.target >= 0]
    for vehicle in vehicles:
        own = [hit for row, hit in (*given, *aimed) if row == vehicle.row]
        if own and vehicle.is_on_table:
            await hits_on(vehicle, own, covers)


@rule("7.17/squadron-hits")
async def share_out(unit: Unit, hits: Sequence[Hit], covers: Covers) -> list[tuple[int, Hit]]:
    """The owner gives the hits on a squadron to its vehicles, one each before a second."""
    vehicles = members(unit)
    rows = [vehicle.row for vehicle in vehicles]
    if not rows or not hits:
        return []
    if len(rows) == 1 or (len(hits) % len(rows) == 0 and are_alike(vehicles, hits, covers)):
        return list(zip(allocation.in_turn(len(hits), rows), hits, strict=True))
    table = [[danger(vehicle, hit) for vehicle in vehicles] for hit in hits]
    labels = [allocation.label(Wound(hit.strength, hit.ap)) for hit in hits]
    given = await allocation.allot(unit.side, "allot-hits", labels, rows, lambda h, v: table[h][v], unit.row)
    return list(zip(given, hits, strict=True))


def are_alike(vehicles: Sequence[Model], hits: Sequence[Hit], covers: Covers) -> bool:
    """Whether it is all one which of the hits a vehicle takes."""

    def saves(hit: Hit) -> list[tuple[Save, ...]]:
        return [saves_against(vehicle, saved_as(hit), covers) for vehicle in vehicles]

    same = all(like(hit) == like(hits[0]) for hit in hits)
    return same and all(saves(hit) == saves(hits[0]) for hit in hits)


def like(hit: Hit) -> Hit:
    """A hit without what makes no difference between hits of one unit."""
    return msgspec.structs.replace(hit, by_model=-1)


def danger(vehicle: Model, hit: Hit) -> float:
    """About what a hit costs a vehicle, for proposals."""
    chance = max(0, min(6, 7 + limited(hit.strength) - armour(vehicle, face_of(vehicle, hit)))) / 6
    return chance * allocation.worth(vehicle) / max(1, structure_left(vehicle))


# ---------------------------------------------------------------- hits on one vehicle


async def hits_on(vehicle: Model, hits: Sequence[Hit], covers: Covers = NO_COVER) -> None:
    """All hits of a volley on a vehicle: saves, penetration of those unsaved, then damages one at a time."""

    async def unsaved(stage: tuple[Hit, ...]) -> tuple[Hit, ...]:
        return await unsaved_hits(vehicle, stage, covers)

    async def penetrated(stage: tuple[Hit, ...]) -> tuple[Damage, ...]:
        return await damages_of(vehicle, stage)

    async def carried_out(damages: tuple[Damage, ...]) -> None:
        for one in damages:
            if vehicle.is_on_table:
                await damage(vehicle, one)

    faced = tuple(msgspec.structs.replace(hit, face=face_of(vehicle, hit)) for hit in hits)
    await through((unsaved, penetrated, carried_out), faced)


@rule("7.4/vehicle-save")
async def unsaved_hits(vehicle: Model, hits: Sequence[Hit], covers: Covers) -> tuple[Hit, ...]:
    """One save for each hit, all of them before any penetration."""
    options = [saves_against(vehicle, saved_as(hit), covers) for hit in hits]
    chosen: dict[tuple[Save, ...], Save] = {}
    for saves in dict.fromkeys(options):
        if saves:
            chosen[saves] = await choose_save(vehicle, saves)
    borne = [Borne(vehicle.row, saved_as(h), chosen.get(saves)) for h, saves in zip(hits, options, strict=True)]
    apart = [like(hit) for hit in hits]
    saved = await averted(vehicle.side, "save", borne, [save_needed(one) for one in borne], apart)
    again = [None if met else another_chance(one) for met, one in zip(saved, borne, strict=True)]
    second = await averted(vehicle.side, "second-chance", borne, again, apart)
    return tuple(hit for hit, one, two in zip(hits, saved, second, strict=True) if not (one or two))


def saved_as(hit: Hit) -> Wound:
    """A hit as saving throws see it."""
    by = hit.by_unit, hit.by_model, hit.target, hit.grants_cover
    return Wound(limited(hit.strength), hit.ap, hit.cause, (), *by)


async def choose_save(vehicle: Model, saves: Sequence[Save]) -> Save:
    if len({save.value for save in saves}) == 1:
        return saves[0]
    values = [save.value for save in saves]
    kind = await choose(vehicle.side, "choose-save", [s.kind for s in saves], model=vehicle.row, values=values)
    return next(save for save in saves if save.kind == kind)


@rule("7.4/penetration", "1.1/no-auto-penetration")
def penetrates(total: int, armour_value: int) -> bool | None:
    """Whether a damage is penetrating (more than the armour) or glancing (as much); None: no damage."""
    return None if total < armour_value else total > armour_value


async def damages_of(vehicle: Model, hits: Sequence[Hit]) -> tuple[Damage, ...]:
    """The damages that unsaved hits do, in the order of the hits."""
    damages: list[Damage] = []
    for _, run in groupby(hits, key=like):
        several = list(run)
        value = armour(vehicle, face_of(vehicle, several[0]))
        for hit, total in zip(several, await totals(vehicle, several, value), strict=True):
            found = penetrates(total, value)
            if found is not None:
                damages.append(Damage(found, hit.ap, hit.cause, hit.by_unit))
    return tuple(damages)


@rule("1.1/dice-stream")
async def totals(vehicle: Model, hits: Sequence[Hit], value: int) -> list[int]:
    """Strength and die of each of several like hits; several dice of one hit are added together."""
    side, strength, dice = roller(vehicle, hits[0]), limited(hits[0].strength), hits[0].dice
    about: dict[str, Plain] = {"target": vehicle.row, "strength": strength, "armour": value}
    if dice > 1:
        return [strength + await sum_of(side, "penetration", dice, **about) for _ in hits]
    apart = [[face for face in range(1, 7) if outcome(strength + face, value) == k] for k in range(3)]
    tells = tuple(tuple(faces) for faces in apart if faces)
    rolled = await roll(side, "penetration", len(hits), tells=tells, **about)
    return [strength + face for face in rolled.faces]


def outcome(total: int, value: int) -> int:
    return 0 if total < value else 1 if total == value else 2


def roller(vehicle: Model, hit: Hit) -> int:
    return vehicle.position.unit_side[hit.by_unit] if hit.by_unit >= 0 else 1 - vehicle.side


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
    """The line of the table: everything is added before the limits."""
    return max(LOWEST, min(HIGHEST, face + modifier))


async def damage(vehicle: Model, done: Damage) -> None:
    """One damage: its roll and what it does, before the next."""
    parts = [part for modifier in DAMAGE_MODIFIERS if (part := modifier(vehicle, done)).value]
    modifier = sum(int(part.value) for part in parts)
    shown = [[part.rule, part.value] for part in parts]
    side = vehicle.position.unit_side[done.by_unit] if done.by_unit >= 0 else 1 - vehicle.side
    rolled = await roll(side, "damage", target=vehicle.row, modifier=modifier, parts=shown)
    result = damage_result(rolled.total, modifier)
    vehicle.position.write("damage", model=vehicle.row, result=result, penetrating=done.penetrating)
    await carry_out(vehicle, result, done)


@rule("7.5/damage-table")
async def carry_out(vehicle: Model, result: int, done: Damage) -> None:
    effect = RESULTS.get(result)
    if effect is not None:
        await effect(vehicle, done)


# ---------------------------------------------------------------- 7.6 results


def silence(vehicle: Model) -> None:
    vehicle.mark(SILENCED, next_turn_of(vehicle.position, vehicle.side))


def hold(vehicle: Model) -> None:
    vehicle.mark(STUCK, next_turn_of(vehicle.position, vehicle.side))


@rule("7.6/shaken")
async def shaken(vehicle: Model, done: Damage) -> None:
    """On 4 or more it will not shoot, otherwise it will not move."""
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
    """The other side picks a weapon that still works; a structure point goes in any case."""
    working = working_weapons(vehicle)
    if working:
        place = await choose(1 - vehicle.side, "destroy-weapon", working, of="mount", model=vehicle.row)
        vehicle.jot(DESTROYED, (*silenced_mounts(vehicle), place))
        weapon = vehicle.profile.mounts[place].weapon.id
        vehicle.position.write("weapon-destroyed", model=vehicle.row, mount=place, weapon=weapon)
    await lose_structure(vehicle, 1, done)


@rule("7.6/immobilised")
async def immobilised(vehicle: Model, done: Damage) -> None:
    """For the rest of the game, and a structure point less."""
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
    """Everybody within a die's inches of the hull is hit; then the passengers are dealt with."""
    position = vehicle.position
    side = position.unit_side[done.by_unit] if done.by_unit >= 0 else 1 - vehicle.side
    radius = await sum_of(side, "explosion", 1, model=vehicle.row)
    outline = footprint(vehicle)
    targets = caught(vehicle, radius)
    position.write("explodes", model=vehicle.row, radius=radius, hits=[h.target for _, hits in targets for h in hits])
    casualties.lose(vehicle, done.cause, done.by_unit)
    await resolving.resolve_all(targets, NO_COVER)
    await transports.get_out_of_explosion(vehicle, outline)


def caught(vehicle: Model, radius: int) -> list[tuple[Unit, list[Hit]]]:
    """The hits of an explosion, unit by unit, the active side's first: every model is a target by itself."""
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


# ---------------------------------------------------------------- 7.8 wrecks


@rule("7.1/structure-points")
async def lose_structure(vehicle: Model, points: int, done: Damage) -> None:
    """Structure points are never regained; a vehicle without any is a wreck."""
    vehicle.mark(STRUCTURE_LOST, min(int(vehicle.profile.structure), vehicle.marks(STRUCTURE_LOST) + points))
    if structure_left(vehicle) == 0:
        await wreck(vehicle, done)


@rule("7.8/wreck")
async def wreck(vehicle: Model, done: Damage) -> None:
    """A casualty, and from now on a piece of scenery; whoever was inside gets out."""
    position = vehicle.position
    outline, flew = footprint(vehicle), operates_as_flyer(vehicle)
    casualties.lose(vehicle, done.cause, done.by_unit)
    if not (flew and is_occupied(vehicle, outline)):
        name = f"wreck-{vehicle.row}"
        piece = Piece(name, "wreck", outline, height(vehicle.profile), vehicle.z, (), WRECK_TAGS)
        position.change_ground(position.ground.with_piece(piece), piece=name, model=vehicle.row)
    await transports.get_out_of_wreck(vehicle)


def footprint(vehicle: Model) -> tuple[Point, ...]:
    return counter_clockwise([(rounded(x), rounded(y)) for x, y in outline_of(solid(vehicle))])


def is_occupied(vehicle: Model, outline: tuple[Point, ...]) -> bool:
    return any(overlaps_outline(solid(model), outline) for model in vehicle.position.on_table())


# ---------------------------------------------------------------- what others call


async def immobilise(vehicle: Model, by_unit: int = -1) -> None:
    """Immobilised by what is no hit, such as dangerous terrain."""
    await immobilised(vehicle, Damage(False, cause="dangerous", by_unit=by_unit))
    await casualties.settle(vehicle.position)
