"""The stages of attacks in sequence, and the end of a unit's attacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campale.dice.needs import Need
from campale.dice.stages import All, AnyStage, Each, Fold, State, play
from campale.referee.ask import choose, order, roll
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import usable
from campale.rulesets.w10.abilities.moments import raise_moment
from campale.rulesets.w10.abilities.uses import is_left, use_up
from campale.rulesets.w10.attack.allocation import close_queue, pick_together, target_of
from campale.rulesets.w10.attack.attack import attacks_of, grouped, hits_of, line_of, wounds_of
from campale.rulesets.w10.attack.damage import (
    harm_of,
    mortal_wounds,
    points_of,
    store,
    suffer,
    suffer_stored,
    take_harm,
)
from campale.rulesets.w10.attack.demise import explode_all, see_to_fallen
from campale.rulesets.w10.attack.destruction import destroy, is_stand_in
from campale.rulesets.w10.attack.ignoring import choose_ignored
from campale.rulesets.w10.attack.saves import save_apart, save_together, saves
from campale.rulesets.w10.attack.unit_save import forget_saves
from campale.rulesets.w10.attack.values import Shots, Wound
from campale.rulesets.w10.basics.attached import separate_all, what_is_left
from campale.rulesets.w10.basics.units import components, members
from campale.rulesets.w10.windows.reroll import one_die

HAZARD = 3
KEEP = "no"
BY_ATTACKS = ("shooting", "melee", "mortal-wounds")
"""The causes of losses that come from a unit's attacks."""


@rule("attack/sequence", "attack/allocate", "r/resolve-attack")
async def resolve_wound(position: Position, so_far: None, wound: Wound) -> None:
    """Allocate, save, inflict damage; a wound that becomes mortal wounds is stored."""
    attack, unit = wound.attack, Unit(position, wound.attack.target)
    if not members(unit):
        return
    if wound.mortal:
        await store(position, attack, wound.extra)
        return
    model = await target_of(unit, wound)
    if model is None or (not wound.is_unsaved and await saves(model, attack)):
        return
    cause = "melee" if attack.line.is_melee else "shooting"
    zero = await is_charmed(model)
    await suffer(model, await points_of(position, attack, model, zero), attack.by, cause)
    if position.options.deadly_demise == "at-once":
        await explode_all(position)


@rule("modifiers/damage-zero")
async def is_charmed(model: Model) -> bool:
    """After a failed save an ability may change the Damage of the attack to 0; return whether it did."""
    position = model.position
    for one in [one for one in usable(model, "unsaved") if is_left(position, one)]:
        key = await choose(model.side, "no-damage", [KEEP, one.name], of="ability", model=model.row)
        if key != KEEP:
            use_up(position, one)
            position.write("ability", unit=model.unit.row, ability=one.ability.title.in_both)
            return True
    return False


ATTACK: tuple[AnyStage, ...] = (
    Each("attacks", attacks_of),
    Each("hits", hits_of),
    Each("wounds", wounds_of),
    All("picks", pick_together),
    All("saves", save_together, alone=save_apart),
    Fold("damage", None, resolve_wound, state=State(harm_of, take_harm)),
)
"""The stages of an attack; play and exact odds run the same ones."""


async def resolve(unit: Unit, shots: Sequence[Shots]) -> None:
    """Make a unit's attacks; then those that they were aimed at may answer it, or what is left if it has split."""
    position, parts = unit.position, components(unit)
    made = await make_attacks(unit, shots)
    await tell_attacked(next(iter(what_is_left(position, parts)), unit), made)


class Attacked(NamedTuple):
    """What a unit's attacks have done.

    ``units``: the rows of the units attacked, including those that an attached unit has split into; ``lost``: the rows
    of the units that lost models; ``way``: how they were attacked.
    """

    units: tuple[int, ...]
    lost: tuple[int, ...]
    way: str


@rule(
    "attack/sequence",
    "shooting-phase/resolve-order",
    "fight-phase/make-attacks",
    "shooting-phase/declared-attacks-stand",
)
async def make_attacks(unit: Unit, shots: Sequence[Shots]) -> Attacked:
    """Resolve all attacks on one target before the next, one weapon profile at a time; the attacker sets the order."""
    position = unit.position
    before = len(position.losses)
    shots = await choose_ignored(unit, shots)
    targets = [target for target, _ in grouped(shots, lambda one: one.target)]
    for target in await order(unit.side, "target-order", targets, of="unit", unit=unit.row):
        await resolve_target(unit, [one for one in shots if one.target == target])
        if position.options.mortal_wounds == "per-target":
            await suffer_stored(position)
    return await attacks_over(unit, shots, before)


async def resolve_target(unit: Unit, shots: Sequence[Shots]) -> None:
    """Resolve the attacks on one target, profile by profile."""
    position = unit.position
    by_profile = dict(grouped(shots, lambda one: profile_key(position, one)))
    keys = list(by_profile)
    if len(keys) > 1:
        keys = await order(unit.side, "profile-order", keys, of="profile", unit=unit.row, target=shots[0].target)
    for key in keys:
        if members(Unit(position, shots[0].target)):
            await play(position, ATTACK, by_profile[key])
    close_queue(position)


def profile_key(position: Position, shots: Shots) -> tuple[str, int]:
    """The key by which shots are grouped: profiles with the same name count as the same."""
    owner = shots.row if shots.lender < 0 else shots.lender
    return position.profiles[owner].weapons[shots.weapon].id, shots.line


@rule("mortal-wounds/normal-first", "h/resolved-attacks", "t/finish-attacks")
async def attacks_over(unit: Unit, shots: Sequence[Shots], before: int) -> Attacked:
    """Inflict stored mortal wounds, run last deeds and Deadly Demise, and test HAZARDOUS weapons.

    After the attacks of models that are already destroyed all but the wounds and further last deeds waits for the end
    of the attacks that destroyed them, and a weapon can do them no harm. ``before``: the number of losses until now.
    """
    position = unit.position
    await suffer_stored(position)
    if is_stand_in(unit):
        await position.ruleset.book.last_deeds(position)
    else:
        await see_to_fallen(position)
        await hazards(unit, shots)
    close_queue(position)
    targets = list(dict.fromkeys(one.target for one in shots))
    forget_saves(position, targets)
    parts = tuple(dict.fromkeys(row for target in targets for row in components(Unit(position, target))))
    if not is_stand_in(unit):
        separate_all(position)
    lost = {position.unit_of[one.model] for one in position.losses[before:] if one.cause in BY_ATTACKS}
    way = "melee" if any(line_of(position, one).is_melee for one in shots) else "shooting"
    return Attacked(parts, tuple(sorted(lost)), way)


@rule("s/just-after", "h/resolved-attacks")
async def tell_attacked(unit: Unit, made: Attacked) -> None:
    """Raise the moment for the units that were attacked."""
    units, lost, way = made
    await raise_moment(unit.position, "attacked", units=units, lost=lost, attack=way, attacker=unit.row)


# ---------------------------------------------------------------- weapon-abilities/hazardous


@rule("weapon-abilities/hazardous")
async def hazards(unit: Unit, shots: Sequence[Shots]) -> None:
    """Roll a die for each HAZARDOUS weapon used, whatever its number of targets; each 1 strikes a model with one."""
    position = unit.position
    used = {(one.row, one.lender, one.weapon) for one in shots if is_hazardous(position, one)}
    if not used or not members(unit):
        return
    dice = await roll(unit.side, "hazardous", len(used), needed=Need(2), unit=unit.row)
    dice = await one_die(unit, "hazardous", dice)
    for _ in range(len(used) - dice.successes):
        bearers = [m for m in members(unit) if bears_hazard(m) or any(row == m.row for row, _, _ in used)]
        if bearers:
            row = await choose(unit.side, "hazard", [m.row for m in bearers], of="model", unit=unit.row)
            await overload(position.model(int(row)))
            await see_to_fallen(position)


def is_hazardous(position: Position, shots: Shots) -> bool:
    return line_of(position, shots).has("hazardous") or "hazardous" in shots.granted


def bears_hazard(model: Model) -> bool:
    return any(line.has("hazardous") for weapon in model.profile.weapons for line in weapon.lines)


@rule("weapon-abilities/hazardous", "mortal-wounds/one-at-a-time")
async def overload(model: Model) -> None:
    """A CHARACTER, MONSTER or VEHICLE suffers 3 mortal wounds (excess hits its unit); any other model is destroyed."""
    if not (model.profile.has("character") or model.profile.is_large):
        destroy(model, "hazardous", -1)
        return
    left, unit = HAZARD, model.unit
    while left and model.is_on_table:
        await suffer(model, 1, -1, "hazardous", is_mortal=True)
        left -= 1
    await mortal_wounds(unit, left, -1, "hazardous")
