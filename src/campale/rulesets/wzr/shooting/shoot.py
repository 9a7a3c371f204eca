"""The actions Aim, Shoot and Rapid Fire, and an attack from its declaration to its hits, as frames.

declared → shot (Target Identified) → made-out (Stealthy) → fire (the dice) → hits

In a Torrent of Fire every weapon goes as far as its dice, then all of them fire (volley).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from campale.dice.stages import AnyStage, Each, play
from campale.mechanics.frames import Frame, Procedure, push
from campale.mechanics.script_form import Script, fields_of, fill_in_script, run
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.vocabulary import Test
from campale.rulesets.wzr.armoury.bursts import cross
from campale.rulesets.wzr.armoury.effects import PROCEDURES as EFFECTS
from campale.rulesets.wzr.armoury.weapons import (
    GUN_RESTRICTIONS,
    Gun,
    fires_rapidly,
    guns_of,
    note_cast,
    note_launched,
    rof_of,
)
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed, passes
from campale.rulesets.wzr.basics.measuring import gap
from campale.rulesets.wzr.cards.resources import activate, add_attack
from campale.rulesets.wzr.shooting.cover import between
from campale.rulesets.wzr.shooting.declaring import aiming, declaration, must_identify, usable
from campale.rulesets.wzr.shooting.fire import attacks_of, hit_by, hits_of, skill
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT, Plan, frame, gun_used, plan_of
from campale.rulesets.wzr.shooting.targets import further_targets, is_stealthy, legal_targets, why_not
from campale.rulesets.wzr.shooting.templates import (
    hits_under,
    landings_of,
    pose_towards,
    stunned_by,
    tell,
    throws_of,
    under_wedge,
    wedge_attacks,
)
from campale.rulesets.wzr.squads.leadership import passes_alone
from campale.rulesets.wzr.squads.states import stun
from campale.rulesets.wzr.wounds.hits import Hit, hit_frames, push_hits

DECLARED, SHOT, AGAIN, FILL, MADE_OUT, FIRE, VOLLEY, AIM = (
    *("declared", "shot", "shot-again", "shot-fill", "make-out", "fire", "volley", "aim"),
)
IDENTIFIED: Test = "target-identified"
STUN = "stun"


# ---------------------------------------------------------------- the actions


def script(action: str, model: Model) -> Script[Plan | None]:
    return partial(declaration, model, action)


def fields(action: str, model: Model, filled: Sequence[Any]) -> Question | None:
    return fields_of(script(action, model))(list(filled))


def frames(action: str, model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return shot_frames(script(action, model), details)


def shot_frames(declaring: Script[Plan | None], details: Sequence[Any]) -> tuple[Frame, ...]:
    """The frames of a declared shot."""
    plan = run(declaring, details)[1]
    return () if plan is None else (frame(DECLARED, plan),)


def can_shoot(action: str, model: Model) -> bool:
    return bool(usable(model, action))


@rule("shooting/legal-target", "actions/rapid-fire")
def why_no_shot(action: str, model: Model) -> Fault | Refusal:
    """Why there is nothing to shoot at: what bars the guns, or what protects the nearest enemy."""
    guns = [gun for gun in guns_of(model) if action != RAPID or fires_rapidly(gun)]
    usable_ones = [gun for gun in guns if first_refusal(GUN_RESTRICTIONS, gun) is None]
    if not usable_ones:
        found = next((first_refusal(GUN_RESTRICTIONS, gun) for gun in guns), None)
        own = "actions/rapid-fire" if action == RAPID else "actions/shoot"
        return found or Fault(model=model.row, rule=own)
    enemies = model.position.on_table(1 - model.side)
    near = min(enemies, key=lambda one: gap(model, one), default=None)
    why = None if near is None else why_not(usable_ones[0], near)
    return why or Fault(model=model.row, rule="shooting/legal-target")


def aim_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return ((AIM, model.row),)


@rule("actions/aim")
async def aim(position: Position, row: int) -> None:
    """The first test of the model's next shot in this activation gets a bonus. Moving loses it."""
    position.model(row).mark(marks.AIMED, 1)


# ---------------------------------------------------------------- the stages before the dice


@rule("shooting/sequence", "cards/burn-rof", "armoury/car24-launcher", "psychic/once-each", "actions/aim")
async def declared(position: Position, *values: Any) -> None:
    """Pay the attack's costs and note what it uses up."""
    plan = plan_of(values)
    gun = gun_used(position, plan)
    model = gun.model
    if gun.fire.burn:
        activate(model, gun.fire.burn, "weapon")
    if plan.burned:
        add_attack(model)
    if gun.fire.per_squad:
        note_launched(gun)
    if gun.power is not None:
        note_cast(model, gun.power.id)
    model.mark(marks.AIMED, 0)
    push(position, frame(SHOT, plan))


@rule("shooting/target-identified", "squads/model-ld", "vehicles/shoot-failed-ld")
async def shot(position: Position, *values: Any) -> None:
    """Take the LD test for not shooting at the nearest.

    Failing forces that target; a vehicle's weapon loses its shots.
    """
    plan = plan_of(values)
    if not must_identify(position, plan):
        push(position, frame(MADE_OUT, plan))
        return
    model = position.model(plan.shooter)
    if await passes_alone(model, IDENTIFIED):
        push(position, frame(MADE_OUT, plan.but(identified=True)))
    elif model.profile.is_vehicle:
        model.jot(marks.NO_SHOTS, (*model.note(marks.NO_SHOTS, ()), plan.gun))
        position.write("no-shots", model=model.row, weapon=plan.gun)
    else:
        push(position, frame(AGAIN, plan.but(bound=True, targets=(), at=())))


@rule("shooting/target-identified", "abilities/stealthy")
async def shot_again(position: Position, *values: Any) -> None:
    """Ask for targets again. Without any the attack is lost."""
    plan = plan_of(values)
    gun = gun_used(position, plan)
    bare = plan.but(targets=(), at=(), location="")
    found = await fill_in_script(gun.model.side, "shot-again", partial(aiming, gun, bare), model=gun.model.row)
    if found is not None:
        push(position, frame(SHOT, found))


@rule("abilities/stealthy")
async def make_out(position: Position, *values: Any) -> None:
    """Test on plain RS or WP for each distant Stealthy target. Those not made out are left out."""
    plan = plan_of(values)
    gun = gun_used(position, plan)
    rows = dict.fromkeys(row for row in plan.targets if row >= 0 and row not in plan.made_out)
    hidden = next((row for row in rows if is_stealthy(gun, position.model(row))), None)
    if hidden is None:
        ready_to_fire(position, plan)
        return
    if await passes(gun.model, "make-out", needed(skill(gun)), target=hidden):
        push(position, frame(MADE_OUT, plan.but(made_out=(*plan.made_out, hidden))))
        return
    plan = plan.but(left_out=(*plan.left_out, hidden))
    push(position, frame(AGAIN if hidden == plan.primary else FILL, plan))


@rule("vehicles/torrent")
def ready_to_fire(position: Position, plan: Plan) -> None:
    """Only the dice are left; they may wait for those of other weapons."""
    if plan.held:
        waiting = position.declared.get(marks.VOLLEY, ())
        position.declare(marks.VOLLEY, (*waiting, frame(FIRE, plan)))
    else:
        push(position, frame(FIRE, plan))


@rule("abilities/stealthy", "shooting/rof-allocation")
async def shot_fill(position: Position, *values: Any) -> None:
    """Ask for other targets for attacks that were meant for a model not made out."""
    plan = plan_of(values)
    gun = gun_used(position, plan)
    found = await fill_in_script(gun.model.side, "shot-again", partial(refilled, gun, plan), model=gun.model.row)
    push(position, frame(MADE_OUT, plan if found is None else found))


def refilled(gun: Gun, plan: Plan) -> Generator[Question, Any, Plan]:
    legal = [one for one in legal_targets(gun, plan.reclaimed) if one.row not in plan.left_out]
    given = [row for row in plan.targets if row not in plan.left_out]
    attacks = rof_of(gun, plan.extra)
    while len(given) < attacks:
        rows = further_targets(gun.model.position.model(plan.primary), given, legal)
        row: Any = rows[0]
        if len(rows) > 1:
            about: dict[str, Plain] = {"model": gun.model.row, "attack": len(given) + 1, "attacks": attacks}
            row = yield Choose(gun.model.side, "further", rows, "model", about=about)
        given.append(int(row))
    return plan.but(targets=tuple(given))


# ---------------------------------------------------------------- the dice


@rule("shooting/sequence")
def stages_of(position: Position, plan: Plan) -> tuple[tuple[Any, ...], tuple[AnyStage, ...]]:
    """The initial things of an attack, and its stages up to the hits. Play and odds use the same stages."""
    gun = gun_used(position, plan)
    if gun.fire.is_circle:
        return tuple(throws_of(position, plan)), (Each("landings", landings_of), Each("hits", hits_under, (plan,)))
    if gun.fire.is_wedge:
        return tuple(wedge_attacks(position, plan)), (Each("hits", hits_of),)
    attacks = tuple(attacks_of(position, plan))
    if not gun.is_burst or plan.piece:
        return attacks, (Each("hits", hits_of),)
    weapon_hit = hit_by(gun, position.model(plan.primary))
    return attacks, (Each("hits", hits_of), Each("lines", cross, (weapon_hit,)))


@rule("shooting/sequence", "core/simultaneous")
async def fire(position: Position, *values: Any) -> None:
    """Roll all tests together, then resolve the hits."""
    push_hits(position, await hits_by_dice(position, plan_of(values)))


@rule("vehicles/torrent", "core/simultaneous", "core/removal", "morale/pinning-test")
async def volley(position: Position) -> None:
    """Fire all weapons at once: the dice of each, then the hits of each, then what the removals set off."""
    waiting = position.declared.get(marks.VOLLEY, ())
    position.declare(marks.VOLLEY, None)
    found = [await hits_by_dice(position, plan_of(values)) for _, *values in waiting]
    push(position, *hit_frames(*found))


@rule("shooting/sequence")
async def hits_by_dice(position: Position, plan: Plan) -> list[Hit]:
    """The hits of an attack, those on its primary target first. Stun grenades make none."""
    gun = gun_used(position, plan)
    position.write("fire", **told(plan))
    tell_reclaimed(position, plan)
    if gun.fire.is_wedge and plan.at:
        at = plan.at[0], plan.at[1]
        tell(position, gun.fire.area, pose_towards(gun.model, at), under_wedge(gun, at))
    things, stages = stages_of(position, plan)
    if STUN in gun.rules:
        await throw_stun(position, plan, things)
        return []
    hits = [hit for hit in await play(position, stages, things) if isinstance(hit, Hit)]
    note_test(gun, plan)
    return [replace(hit, primary=True) if hit.target == plan.primary else hit for hit in hits]


@rule("shooting/reclaim-cover")
def tell_reclaimed(position: Position, plan: Plan) -> None:
    """Write down the piece that does not count, if it lies between the shooter and a target."""
    shooter = position.model(plan.shooter)
    covers = (one for row in dict.fromkeys(plan.targets) if row >= 0 for one in between(shooter, position.model(row)))
    if any(one.name == plan.reclaimed for one in covers):
        position.write("reclaimed", model=plan.shooter, piece=plan.reclaimed)


@rule("armoury/grenade-stun-effect", "core/weapon-profile")
async def throw_stun(position: Position, plan: Plan, things: Sequence[Any]) -> None:
    """Stun the models under stun grenades, which cause no Wound Effect."""
    landings = await landings_of(position, things)
    note_test(gun_used(position, plan), plan)
    for model in stunned_by(position, plan, landings):
        stun(model)


@rule("starter-cards/steady-aim", "structures/hit-shooting")
def note_test(gun: Gun, plan: Plan) -> None:
    """Note an RS test in this turn. A test against a piece of terrain does not count."""
    if not (gun.is_power or gun.fire.is_flame or plan.piece):
        gun.model.mark(marks.SHOT_BEFORE, 1, quietly=True)


def told(plan: Plan) -> dict[str, Any]:
    about: dict[str, Any] = {"model": plan.shooter, "weapon": plan.gun}
    if plan.piece:
        return {**about, "piece": plan.piece}
    if plan.primary >= 0:
        return {**about, "target": plan.primary}
    return {**about, "x": plan.at[0], "y": plan.at[1]} if plan.at else about


PROCEDURES: dict[str, Procedure] = {
    AIM: aim,
    DECLARED: declared,
    SHOT: shot,
    AGAIN: shot_again,
    FILL: shot_fill,
    MADE_OUT: make_out,
    FIRE: fire,
    VOLLEY: volley,
    **EFFECTS,
}

SHOOT_FIELDS, RAPID_FIELDS = partial(fields, SHOOT), partial(fields, RAPID)
SHOOT_FRAMES, RAPID_FRAMES = partial(frames, SHOOT), partial(frames, RAPID)
