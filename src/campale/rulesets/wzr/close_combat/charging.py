"""A Charge under way: Fear, Sentries, counter-charges, its end, the attack (close-combat/counter-charge-*)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from campale.mechanics.frames import Frame, push
from campale.mechanics.moves.move_paths import end_of
from campale.referee.ask import confirm
from campale.referee.position import Model, Position
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import in_front
from campale.rulesets.wzr.close_combat.attack import COMBAT, can_attack, declare, frames_of
from campale.rulesets.wzr.close_combat.charge import (
    CHARGE,
    HAIR,
    can_charge,
    charge_details,
    charge_fields,
    onset_of,
    trouble_on,
    why_no_charge,
)
from campale.rulesets.wzr.close_combat.combat import cannot_fight, has_attacked
from campale.rulesets.wzr.close_combat.engaged import (
    engages_on_the_way,
    first_inside,
    is_engaged,
    keeps_its_foes,
    reach,
    reaches,
)
from campale.rulesets.wzr.close_combat.special import SPECIALS, of_another_base
from campale.rulesets.wzr.movement.heights import LANDING, landings
from campale.rulesets.wzr.movement.moves import CHARGING, bars, go, inches_of, note_bonus
from campale.rulesets.wzr.squads.leadership import passes_alone
from campale.rulesets.wzr.squads.squads import is_pinned, is_stunned
from campale.rulesets.wzr.squads.states import can_react, settle
from campale.rulesets.wzr.structures.floors import may_rest
from campale.rulesets.wzr.turn.actions import Action
from campale.rulesets.wzr.turn.points import done
from campale.rulesets.wzr.vehicles.driving import has_driven, has_no_drive
from campale.rulesets.wzr.vehicles.ground import end_of_move
from campale.rulesets.wzr.vehicles.kinds import kind_of
from campale.rulesets.wzr.vehicles.locations import cannot_drive
from campale.table import fields
from campale.table.levels import height_of
from campale.table.paths import Path, plan_length, upto
from campale.table.shapes import TOLERANCE, Point3, Solid, facing_towards, rounded

CHARGE_FEAR, CHARGE_GOES, COUNTER_CHARGE, CHARGE_ARRIVES, CHARGE_ATTACK = (
    "charge-fear",
    "charge-goes",
    "counter-charge",
    "charge-arrives",
    "charge-attack",
)
TURNS_TO = "turns-to"
DECLARED = "charge-declared"
"""The occasion by which Sentries react to a declared Charge."""
SHORT, STEP = 0.01, 0.1
"""A model that may not engage stops ``SHORT`` inches before it would; it steps back ``STEP`` inches to find room."""
LARGE = 3

Points = Sequence[Sequence[float]]


def path_of(model: Model, points: Points) -> Path:
    """The declared way. The model faces along its last leg."""
    end = points[-1][0], points[-1][1]
    starts = [(p[0], p[1]) for p in reversed(points) if (p[0], p[1]) != end]
    facing = facing_towards(starts[0], end) if starts else model.facing
    return Path(tuple((p[0], p[1], p[2]) for p in points), facing)


@rule("close-combat/charge-end", "actions/sentry-reaction", "abilities/fear")
def frames_of_charge(model: Model, target: int, path: Path, freed: bool) -> tuple[Frame, ...]:
    """The frames of a declared Charge: a Fear test, then Sentries, then the move."""
    points = tuple((rounded(p[0]), rounded(p[1]), height_of(p)) for p in path.points)
    return (
        (CHARGE_FEAR, model.row, target),
        ("reactions", model.row, DECLARED),
        (CHARGE_GOES, model.row, target, points, freed),
    )


def charge_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    found = charge_details(model, details)
    return () if found is None else frames_of_charge(model, *found)


@rule("vehicles/charge")
def of_no_charging_kind(model: Model) -> Fault | None:
    """Tanks and Air Tanks do not charge."""
    kind = kind_of(model)
    return Fault(model=model.row) if kind is not None and kind.charge is None else None


@rule("actions/charge", "vehicles/charge", "turn/action-once", "vehicles/location-drive")
def charge_action() -> Action:
    """A Charge includes a Combat action and is not open to a model that has already made one."""
    forbids = (of_no_charging_kind, has_driven, has_no_drive, partial(has_attacked, CHARGE), cannot_fight)
    return Action(
        *(CHARGE, 2, charge_frames, charge_fields, forbids, can_charge),
        otherwise=why_no_charge,
        group="movement",
        vehicle=True,
    )


# ---------------------------------------------------------------- the charge begins


@rule(
    "close-combat/charge-end",
    "actions/sentry-reaction",
    "close-combat/counter-charge-trigger",
    "vehicles/location-drive",
    "core/stunned",
    "morale/pinned-effects",
)
async def charge_goes(position: Position, row: int, target: int, points: Points, freed: bool) -> None:
    """Check again after the Sentries: the target may be gone or out of reach, the vehicle without its Drive.

    A charger that is now Pinned or stunned stays where it is.
    """
    model, enemy = position.model(row), position.model(target)
    if not model.is_on_table or not enemy.is_on_table or cannot_drive(model) or is_pinned(model) or is_stunned(model):
        return
    path = path_of(model, points)
    if not still_reaches(model, path, enemy):
        run_short(model, path)
        return
    push(position, (COUNTER_CHARGE, row, target, tuple(points), freed, entered(model, path, target)))


@rule("actions/sentry-reaction", "close-combat/charge-end")
def still_reaches(model: Model, path: Path, enemy: Model) -> bool:
    """Whether the way is still free and ends with the target in reach and in the Front."""
    if trouble_on(model, path) is not None:
        return False
    end = path.points[-1]
    place = (end[0], end[1], height_of(end), path.facing or 0.0)
    there = model.position.supposing({model.row: place}).model(model.row)
    foe = there.position.model(enemy.row)
    return reaches(there, foe) and in_front(there, foe)


def can_stand(model: Model, at: Point3, facing: float) -> bool:
    """Whether the base has room and footing at a place: on no wall, over no edge."""
    there = Solid(model.profile.shape, *at, facing, model.profile.height)
    return fields.is_free(bars(model, at_the_end=True, z=at[2]).field, *at[:2], facing) and may_rest(model, there)


@rule("actions/sentry-reaction", "movement/no-accidental-engagement", "structures/intact")
def run_short(model: Model, path: Path) -> None:
    """Move the full declared length, but stop before any engagement and any obstacle. There is no attack."""
    far = plan_length(path)
    met = engages_on_the_way(model, path)
    if met is not None:
        start = first_inside(model, path, met, max(reach(model), reach(met)))
        far = min(far, math.inf if start is None else start - SHORT)
    trouble = trouble_on(model, path)
    if trouble is not None:
        far = min(far, trouble - SHORT)
    while far > TOLERANCE and not can_stand(model, end_of(upto(path, far)), path.facing or 0.0):
        far -= STEP
    if far > TOLERANCE:
        advance(model, path, far)


def advance(model: Model, path: Path, far: float, *then: Frame) -> None:
    """Move ``far`` inches along the way, facing along it, then push the frames ``then``.

    The tests of a deep jump, or of the ground for a vehicle, come before those frames.
    """
    cut = upto(path, far)
    end = cut.points[-1]
    way = path_of(model, (*cut.points[:-1], (rounded(end[0]), rounded(end[1]), height_of(end))))
    inches, tests = inches_of(model, way), landings(model, way)
    if not model.profile.is_vehicle:
        note_bonus(model, CHARGING, way, inches)
    go(model, way, inches, how="charge")
    settle(model.position)
    push(model.position, *((LANDING, model.row, rounded(one.height)) for one in tests), *then)
    if model.profile.is_vehicle:
        end_of_move(model.position, model, way)


# ---------------------------------------------------------------- counter-charges


@rule("close-combat/counter-charge-trigger", "close-combat/counter-charge-bans")
def entered(model: Model, path: Path, target: int) -> tuple[int, ...]:
    """Rows of the enemies that may counter-charge as the path enters their reach, in order; not the target."""
    enemies = [one for one in model.position.on_table(1 - model.side) if one.row != target]
    met = [(first_inside(model, path, one, reach(one)), one.row) for one in enemies if may_counter(one, model)]
    return tuple(row for far, row in sorted((far, row) for far, row in met if far is not None))


@rule("close-combat/counter-charge-bans", "core/stunned", "morale/pinned-effects", "morale/routed-effects")
def may_counter(enemy: Model, charger: Model) -> bool:
    """Engaged enemies may not counter-charge, nor small or medium bases against a large base or a vehicle."""
    is_barred = charger.profile.size == LARGE and enemy.profile.size < LARGE
    return not is_barred and can_react(enemy) and not is_engaged(enemy)


@rule("close-combat/counter-charge-trigger")
async def counter_charge(
    position: Position, row: int, target: int, points: Points, freed: bool, waiting: Sequence[int]
) -> None:
    """The next enemy whose reach is entered: its owner decides, then it tests."""
    model = position.model(row)
    if not model.is_on_table:
        return
    if not waiting:
        push(position, (CHARGE_ARRIVES, row, target, tuple(points), freed))
        return
    enemy = position.model(waiting[0])
    path = path_of(model, points)
    far = first_inside(model, path, enemy, reach(enemy)) if enemy.is_on_table else None
    if far is not None and may_counter(enemy, model) and await counters(enemy, model):
        halt(model, enemy, path, far, freed)
        return
    push(position, (COUNTER_CHARGE, row, target, tuple(points), freed, tuple(waiting[1:])))


@rule("close-combat/counter-charge-trigger", "squads/model-ld", "actions/sentry")
async def counters(enemy: Model, charger: Model) -> bool:
    """Whether the enemy counter-charges: by its owner's choice and an LD test. On Sentry the test counts as passed."""
    if not await confirm(enemy.side, "counter-charge", model=enemy.row, target=charger.row):
        return False
    return bool(enemy.marks(marks.SENTRY)) or await passes_alone(enemy, "counter-charge")


@rule("close-combat/counter-charge-effect", "actions/sentry")
def halt(model: Model, enemy: Model, path: Path, far: float, freed: bool) -> None:
    """The charger stops at the first point inside the reach. The two are engaged, and the enemy may turn."""
    position = model.position
    drop = rounded(max(0.0, model.z - end_of(upto(path, far))[2]))
    attack = CHARGE_ATTACK, model.row, enemy.row, freed, drop
    position.write("counter-charged", model=enemy.row, target=model.row)
    advance(model, path, min(plan_length(path), far + HAIR), (TURNS_TO, enemy.row, model.row), attack)


@rule("close-combat/counter-charge-effect", "vehicles/location-drive")
async def turns_to(position: Position, row: int, target: int) -> None:
    """The enemy that halted a charger may turn to face it; not a vehicle without its Drive.

    Nor does a hull that would turn out of reach.
    """
    enemy, model = position.model(row), position.model(target)
    facing = rounded(facing_towards(enemy.at, model.at))
    if not model.is_on_table or facing == enemy.facing or cannot_drive(enemy) or not keeps_its_foes(enemy, facing):
        return
    shown: dict[str, Plain] = {"was": round(enemy.facing) % 360, "facing": round(facing) % 360}
    if await confirm(enemy.side, "turn-to-face", model=row, target=target, **shown):
        position.turn(enemy, facing)


# ---------------------------------------------------------------- the end of a charge


@rule("close-combat/charge-end", "close-combat/charge-from-above", "close-combat/charge-above-jump")
async def charge_arrives(position: Position, row: int, target: int, points: Points, freed: bool) -> None:
    """The model moves to the end of its line, faces along it, and lands if it jumped."""
    model = position.model(row)
    if not model.is_on_table:
        return
    path = path_of(model, points)
    drop = rounded(max(0.0, model.z - end_of(path)[2]))
    advance(model, path, plan_length(path), (CHARGE_ATTACK, row, target, freed, drop))


@rule("actions/charge", "close-combat/counter-charge-effect", "close-combat/special-general")
async def charge_attack(position: Position, row: int, target: int, freed: bool, drop: float) -> None:
    """One Combat action, or a special one instead, at no cost in AP."""
    model = position.model(row)
    if not model.is_on_table:
        return
    onset = onset_after(position, row, target, freed, drop)
    attack = await declare(model, "charge-attack", attacks_after(model), onset)
    if attack is not None:
        model.jot(marks.DONE, (*done(model), attack.name))
        push(position, *frames_of(attack))


@rule("close-combat/special-general", "close-combat/special-by-base")
def attacks_after(model: Model) -> list[str]:
    """The attacks that the model can make at the end of its Charge."""
    own = (one.name for one in SPECIALS.values() if of_another_base(one, model) is None)
    return [name for name in (COMBAT, *own) if can_attack(name, model)]


@rule("actions/charge-bonus", "close-combat/charge-from-above")
def onset_after(position: Position, row: int, target: int, freed: bool, drop: float) -> tuple[int, ...]:
    return tuple(onset_of(position.model(row), position.model(target), freed, drop))
