"""Leaving a melee: Grip and Capture, free strikes (close-combat/disengage-*, grip, capture, free-strike*)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from campale.dice.needs import Need
from campale.mechanics.frames import Frame, push
from campale.referee.ask import choose, order
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, has, parts
from campale.rulesets.wzr.basics.dice import needed, passes
from campale.rulesets.wzr.basics.measuring import same_level, strikes_rear
from campale.rulesets.wzr.close_combat.engaged import engaged_with, is_walled_off, reach, reaches
from campale.rulesets.wzr.close_combat.strength import Arm, arms, modified, own_strength
from campale.rulesets.wzr.wounds.hits import Hit, automatic, push_hits
from campale.table.levels import height_of, runs
from campale.table.paths import Path
from campale.table.sweeps import every_within

MEDIUM, LARGE = 2, 3
LEAVE, FREE_STRIKES, FREE_STRIKE, GO_ON = "leave", "free-strikes", "free-strike", "go-on"
DOUBLED = 2
WEAPON = "weapon"


# ---------------------------------------------------------------- enemies left by a path


@rule("close-combat/disengage-definition")
def leaving(model: Model, path: Path) -> list[Model]:
    """The enemies whose own reach holds the model where it stands, but not all along the path."""
    holding = [enemy for enemy in engaged_with(model) if reaches(enemy, model)]
    return [enemy for enemy in holding if not stays_within(model, path, enemy)]


@rule("close-combat/disengage-definition", "close-combat/different-levels")
def stays_within(model: Model, path: Path, enemy: Model) -> bool:
    """Whether the enemy's own reach holds the model at every point of the path."""
    for run in runs(path):
        if not same_level(height_of(run.points[0]), enemy.z):
            return False
        met = every_within(run, model.profile.shape, [enemy.solid], reach(enemy), tolerance=-0.001)
        if len(met) != 1 or not (met[0].from_outset and met[0].to_end):
            return False
    end = path.points[-1]
    return not is_walled_off(model, enemy, (end[0], end[1]))


@rule("close-combat/disengage-free-strike", "close-combat/disengage-forced")
def leave_frames(model: Model, path: Path, then: Sequence[Frame], *, forced: bool = False) -> tuple[Frame, ...]:
    """The frames of a movement along a path: tests and strikes of the enemies it leaves, then the frames ``then``.

    ``forced``: strikes only. A model moved by another (thrown, rammed) suffers neither tests nor strikes.
    """
    left = tuple(enemy.row for enemy in leaving(model, path))
    return ((LEAVE, model.row, left, tuple(then), forced),) if left else tuple(then)


# ---------------------------------------------------------------- close-combat/grip, close-combat/capture


@rule("close-combat/grip", "close-combat/capture", "close-combat/disengage-forced")
def due_tests(model: Model, left: Sequence[Model], forced: bool) -> list[str]:
    """Grip, once, if a small or medium base leaves a medium one; Capture, once, if any base leaves a large one.

    Vehicles are never held, nor are models that are forced to go.
    """
    if forced or model.profile.is_vehicle:
        return []
    sizes = [enemy.profile.size for enemy in left]
    grip = model.profile.size < LARGE and MEDIUM in sizes
    return [name for name, is_due in (("grip", grip), ("capture", LARGE in sizes)) if is_due]


@rule("close-combat/grip", "close-combat/capture", "core/test")
def strength_need(model: Model) -> Need:
    """A test on the model's own St."""
    return needed(model.profile.st, parts("st", About(model)))


@rule("close-combat/grip")
async def breaks_the_grip(model: Model) -> bool:
    return await passes(model, "grip", strength_need(model))


@rule("close-combat/capture")
async def escapes_capture(model: Model) -> bool:
    return await passes(model, "capture", strength_need(model))


BREAKING_FREE = {"grip": breaks_the_grip, "capture": escapes_capture}


@rule("close-combat/grip", "close-combat/capture")
async def leave(position: Position, row: int, left: Sequence[int], then: Sequence[Frame], forced: bool) -> None:
    """Take the tests: a failed one ends the movement without strikes. Then come the strikes, then the movement."""
    model = position.model(row)
    for name in due_tests(model, [position.model(one) for one in left], forced):
        if not await BREAKING_FREE[name](model):
            position.write("held", model=row, by=name)
            return
    push(position, (FREE_STRIKES, row, tuple(left)), (GO_ON, row, tuple(then)))


async def go_on(position: Position, row: int, then: Sequence[Frame]) -> None:
    """Push the frames of what the model was about to do, if it still stands."""
    if position.model(row).is_on_table:
        push(position, *(tuple(one) for one in then))


# ---------------------------------------------------------------- close-combat/free-strike


@rule("close-combat/disengage-free-strike", "core/simultaneous")
async def free_strikes(position: Position, row: int, strikers: Sequence[int]) -> None:
    """One strike from each enemy, in the order their owner chooses."""
    model = position.model(row)
    standing = [one for one in strikers if position.model(one).is_on_table]
    kinds = [strikes_like(position.model(one), model) for one in standing]
    for striker in reversed(await order(1 - model.side, "free-strikes", standing, kinds=kinds, target=row)):
        push(position, (FREE_STRIKE, striker, row))


def strikes_like(attacker: Model, target: Model) -> tuple[object, ...]:
    """What distinguishes a striker: its profile and its hit. A model that may go berserk is unlike any other."""
    if has(attacker, "berserk"):
        return (attacker.row,)
    hit = strike_of(attacker, target, best_weapon(attacker, target.profile.is_vehicle))
    return attacker.profile, hit.st, hit.rear


@rule("close-combat/free-strike", "close-combat/free-strike-vehicle")
async def free_strike(position: Position, striker: int, row: int) -> None:
    """A free strike hits without a test."""
    attacker, target = position.model(striker), position.model(row)
    if not target.is_on_table:
        return
    position.write("free-strike", model=striker, target=row)
    arm = await strikes_with(attacker, target)
    push_hits(position, [strike_of(attacker, target, arm)])


async def strikes_with(attacker: Model, target: Model) -> Arm:
    """The best melee weapon or, against a vehicle, a grenade that the striker carries, as its owner chooses."""
    best = best_weapon(attacker, target.profile.is_vehicle)
    grenade = next((one for one in arms(attacker) if one.kind == "grenade"), None)
    if grenade is None or not target.profile.is_vehicle:
        return best
    chosen = await choose(
        attacker.side, "strike-with", [grenade.id, WEAPON], of="melee-arm", model=attacker.row, target=target.row
    )
    return best if chosen == WEAPON else grenade


@rule("close-combat/free-strike", "close-combat/free-strike-vehicle")
def best_weapon(attacker: Model, at_vehicle: bool) -> Arm:
    """The melee weapon with the best St modifier; against a vehicle, the one with the best AVV."""
    blades = [one for one in arms(attacker) if one.kind == "blade"]
    return max(blades, key=lambda one: one.avv if at_vehicle else one.st)


@rule("close-combat/free-strike", "vehicles/combat")
def free_strength(attacker: Model, arm: Arm) -> int:
    """Own St plus double the weapon's modifier: St 8 with a +1 weapon makes 10. A full St is not doubled."""
    st = modified(attacker, arm)
    return st if arm.full else own_strength(attacker) + DOUBLED * st


@rule("close-combat/free-strike", "close-combat/free-strike-vehicle")
def strike_of(attacker: Model, target: Model, arm: Arm) -> Hit:
    """The hit. A vehicle is hit on the side where the striker stands."""
    hit = automatic(target.row, free_strength(attacker, arm), "melee", arm.type, arm.avv, attacker.row)
    rear = target.profile.is_vehicle and strikes_rear(attacker, target)
    return msgspec.structs.replace(hit, rear=rear)
