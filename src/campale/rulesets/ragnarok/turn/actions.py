"""The actions: their list and costs, and those actions that no other chapter carries out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from campale.dice.needs import Part
from campale.referee.position import Model
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import needed_on_one, one_die
from campale.rulesets.ragnarok.basics.measuring import distance, touch
from campale.rulesets.ragnarok.basics.physical import heal, is_able, is_exhausted, is_prone
from campale.rulesets.ragnarok.basics.special import expert, flight, is_immobile, moves_free
from campale.rulesets.ragnarok.battle.battlefield import touched_pieces
from campale.rulesets.ragnarok.close_combat.charge import (
    CHARGE_RESTRICTIONS,
    begin_charge,
    charge,
    charge_question,
    farthest,
)
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.rulesets.ragnarok.moving.movement import move, path_of, path_question
from campale.rulesets.ragnarok.shooting.fire import FIRE, SUPPRESSIVE, TARGET_RESTRICTIONS, Shot, is_out_of_sight, shoot
from campale.rulesets.ragnarok.shooting.thrown import targets_of_throw, throw
from campale.rulesets.ragnarok.shooting.weapon_rules import (
    blast_of,
    doublings,
    has_fired_salvo,
    weapon_of,
    weapon_refusal,
)
from campale.rulesets.ragnarok.turn.abilities import ABILITIES, ability_fields, usable, use_ability
from campale.rulesets.ragnarok.turn.control_area import is_found_here
from campale.rulesets.ragnarok.turn.declaring import Action, Declaration

# ---------------------------------------------------------------- tactical/who-can-act


@rule("tactical/who-can-act", "out-of-action/state", "prone/state")
def is_helpless(model: Model) -> Fault | None:
    return None if is_able(model) and not is_prone(model) else Fault(model=model.row)


@rule("tactical/engaged-actions")
def is_held_in_melee(model: Model) -> Fault | None:
    return Fault(model=model.row) if is_engaged(model) else None


@rule("recover/exclusive")
def has_recovered(model: Model) -> Fault | None:
    return Fault(model=model.row) if model.marks("used-recover") else None


@rule("fatigue/limit")
def is_exhausted_already(model: Model) -> Fault | None:
    if not is_exhausted(model):
        return None
    return Fault(measured=model.marks("fatigue"), limit=model.profile.constitution, model=model.row)


ACTOR_RESTRICTIONS = (is_helpless, has_recovered)
FREE_HANDS = (*ACTOR_RESTRICTIONS, is_exhausted_already, is_held_in_melee)
EVEN_ENGAGED = (*ACTOR_RESTRICTIONS, is_exhausted_already)


# ---------------------------------------------------------------- Move


@rule("actions/list", "special/scout", "ability-action/cost")
def cost(model: Model, name: str, details: list[Any]) -> int:
    """Return the cost of an action, before it is doubled for a suppressed model."""
    if name == "move" and moves_free(model):
        return 0
    if name == "ability" and details:
        return ABILITIES[details[0]].cost
    book: dict[str, Action] = model.position.ruleset.book.actions
    return book[name].cost


def move_fields(model: Model, filled: list[Any]) -> Question | None:
    """Ask whether the model flies, if it can, and for its path.

    An Immobile model, or one that shot a Salvo, only turns.
    """
    ways = ["walk", "fly"] if flight(model) else ["walk"]
    if not filled:
        return Choose(model.side, "way", ways, "way")
    if len(filled) == 1:
        flies = filled[0] == "fly"
        return path_question(model, "path", move_limit(model, flies), flies)
    return None


@rule("move/allowance", "special/immobile", "weapon-rules/salvo", "special/flyer-move")
def move_limit(model: Model, flies: bool) -> float:
    if is_immobile(model) or model.marks("salvoed"):
        return 0.0
    return float(flight(model) if flies else model.profile.movement)


async def carry_out_move(act: Declaration) -> None:
    await move(act.model, path_of(act.model, act.details[1]), act.details[0] == "fly")


# ---------------------------------------------------------------- Fire, Suppressive Fire


def fire_fields(model: Model, filled: list[Any]) -> Question | None:
    return shooting_fields(model, filled, fire_weapons(model))


def suppressive_fields(model: Model, filled: list[Any]) -> Question | None:
    return shooting_fields(model, filled, suppressive_weapons(model))


def shooting_fields(model: Model, filled: list[Any], weapons: list[int]) -> Question | None:
    """Ask for the weapon; unless it is thrown, also for the target, and whether its rate is doubled."""
    if not filled:
        return Choose(model.side, "weapon", weapons, "weapon", lambda k: cannot_shoot(model, k), {"model": model.row})
    weapon = weapon_of(model, filled[0])
    if weapon.kind == "thrown":
        return None
    if len(filled) == 1:
        rows = [enemy.row for enemy in those_who_stand_first(model, model.position.on_table(1 - model.side))]
        about = {"model": model.row, "weapon": filled[0], **blast_of(weapon)}
        return Choose(model.side, "target", rows, "model", lambda row: no_target(model, row, filled[0]), about)
    ways = doublings(model, weapon)
    about = {"model": model.row, "weapon": filled[0], "target": filled[1]}
    return Choose(model.side, "doubling", ways, "doubling", about=about) if len(filled) == 2 and len(ways) > 1 else None


@rule("weapon-profile/classes", "profile/hit-numbers")
def fire_weapons(model: Model) -> list[int]:
    """Return the indices of the ranged and thrown weapons."""
    if model.profile.shooting_skill is None:
        return []
    return [k for k, weapon in enumerate(model.profile.weapons) if weapon.kind != "melee"]


@rule("suppressive-fire/action", "weapon-profile/classes")
def suppressive_weapons(model: Model) -> list[int]:
    """Return the indices of ranged weapons without Blast."""
    found = [(k, weapon_of(model, k)) for k in fire_weapons(model)]
    return [k for k, weapon in found if weapon.kind == "ranged" and not weapon.has("blast")]


def cannot_shoot(model: Model, weapon: int) -> Refusal | Fault | None:
    refusal = weapon_refusal(model, weapon)
    if refusal is not None:
        return refusal
    return None if has_target(model, weapon) else why_no_target(model, weapon)


@rule("fire/sequence", "overlap/friend-covers", "vision/engaged-targets")
def why_no_target(model: Model, weapon: int) -> Refusal | Fault:
    """Return what bars the nearest enemy in sight; if none is in sight, that."""
    arm, enemies = weapon_of(model, weapon), model.position.on_table(1 - model.side)
    seen = [enemy for enemy in enemies if is_out_of_sight(model, enemy, arm) is None]
    found = (no_target(model, enemy.row, weapon) for enemy in those_who_stand_first(model, seen))
    return next((one for one in found if one is not None), Fault(model=model.row, rule="fire/sequence"))


def those_who_stand_first(model: Model, enemies: Iterable[Model]) -> list[Model]:
    """Sort enemies: the nearest first, those out of action after all others."""
    return sorted(enemies, key=lambda enemy: (not is_able(enemy), distance(model, enemy), enemy.row))


def has_target(model: Model, weapon: int) -> bool:
    """Return whether a weapon has a target. A thrown weapon names it later; a bomb can always be thrown at a point."""
    arm = weapon_of(model, weapon)
    if arm.kind == "thrown":
        return arm.has("blast") or bool(targets_of_throw(model))
    return any(no_target(model, enemy.row, weapon) is None for enemy in model.position.on_table(1 - model.side))


def no_target(model: Model, row: int, weapon: int) -> Refusal | None:
    return first_refusal(TARGET_RESTRICTIONS, model, model.position.model(row), weapon_of(model, weapon))


@rule("fire/sequence")
def nothing_to_fire(model: Model) -> Refusal | Fault | None:
    return no_shot(model, fire_weapons(model))


@rule("suppressive-fire/action")
def nothing_to_suppress(model: Model) -> Refusal | Fault | None:
    return no_shot(model, suppressive_weapons(model))


def no_shot(model: Model, weapons: list[int]) -> Refusal | Fault | None:
    """Return why none of the weapons can shoot: what bars the first of them."""
    if not weapons:
        return Fault(model=model.row, rule="weapon-profile/classes")
    return first_of_all(cannot_shoot(model, k) for k in weapons)


def first_of_all(reasons: Iterable[Refusal | Fault | None]) -> Refusal | Fault | None:
    """Return the first reason if every one is a reason, None as soon as one is not."""
    first: Refusal | Fault | None = None
    for reason in reasons:
        if reason is None:
            return None
        first = first or reason
    return first


@rule("fire/sequence")
async def carry_out_fire(act: Declaration) -> None:
    model, weapon = act.model, act.details[0]
    if weapon_of(model, weapon).kind == "thrown":
        shot = Shot(model.row, -1, weapon, is_aimed=act.is_aimed, from_hiding=act.from_hiding)
        await throw(model.position, shot)
    else:
        await shoot(model.position, shot_of(act, FIRE))


@rule("suppressive-fire/action")
async def carry_out_suppressive(act: Declaration) -> None:
    await shoot(act.model.position, shot_of(act, SUPPRESSIVE))


def shot_of(act: Declaration, kind: str) -> Shot:
    weapon, target, *doubling = act.details
    way = doubling[0] if doubling else "plain"
    return Shot(act.model.row, target, weapon, kind, way, act.is_aimed, act.from_hiding)


# ---------------------------------------------------------------- Charge


def charge_fields(model: Model, filled: list[Any]) -> Question | None:
    """Ask for the target, and for the path that ends in contact with it."""
    if not filled:
        rows = [enemy.row for enemy in those_who_stand_first(model, model.position.on_table(1 - model.side))]
        about: dict[str, Plain] = {"model": model.row}
        return Choose(model.side, "charge-target", rows, "model", lambda row: no_charge(model, row), about)
    if len(filled) == 1:
        return charge_question(model, model.position.model(filled[0]), farthest(model))
    return None


def no_charge(model: Model, row: int) -> Refusal | None:
    return first_refusal(CHARGE_RESTRICTIONS, model, model.position.model(row))


@rule("charge/declaration")
def nobody_to_charge(model: Model) -> Refusal | Fault | None:
    """Return why no enemy can be charged: what bars the nearest."""
    enemies = those_who_stand_first(model, model.position.on_table(1 - model.side))
    if not enemies:
        return Fault(model=model.row, rule="charge/declaration")
    return first_of_all(no_charge(model, enemy.row) for enemy in enemies)


@rule("special/immobile")
def is_rooted(model: Model) -> Fault | None:
    return Fault(model=model.row) if is_immobile(model) else None


async def carry_out_charge(act: Declaration) -> None:
    model = act.model
    target = model.position.model(act.details[0])
    begin_charge(model)
    await charge(model, target, path_of(model, act.details[1]), act.from_hiding)


# ---------------------------------------------------------------- Hide, Alert


@rule("hide/condition", "battlefield/in-terrain")
def has_nothing_to_hide_in(model: Model) -> Fault | None:
    """Refuse a model that touches no piece with some height."""
    return None if any(piece.height > 0 for piece in touched_pieces(model)) else Fault(model.at, model=model.row)


@rule("hide/condition", "control-area/reveals-hidden")
def is_watched(model: Model) -> Fault | None:
    return Fault(model.at, model=model.row) if is_found_here(model) else None


@rule("hide/state")
async def hide(act: Declaration) -> None:
    if is_watched(act.model) is None:
        act.model.mark("hidden", 1)


@rule("alert/condition", "battlefield/in-terrain")
def has_no_cover(model: Model) -> Fault | None:
    return None if touched_pieces(model) else Fault(model.at, model=model.row)


@rule("alert/condition")
async def go_on_alert(act: Declaration) -> None:
    act.model.mark("alert", 1)


# ---------------------------------------------------------------- First Aid


@rule("first-aid/action", "first-aid/repair")
def patients(model: Model) -> list[Model]:
    """Return the wounded friends in base contact; a machine needs a toolkit."""
    friends = [m for m in model.position.on_table(model.side) if m is not model and m.marks("wounds")]
    near = [m for m in friends if touch(model, m)]
    return [m for m in near if m.profile.type != "machine" or model.profile.carries("toolkit")]


@rule("first-aid/action")
def has_no_patient(model: Model) -> Fault | None:
    return None if patients(model) else Fault(model=model.row)


def aid_fields(model: Model, filled: list[Any]) -> Question | None:
    return None if filled else Choose(model.side, "patient", [m.row for m in patients(model)], "model")


@rule("first-aid/action", "first-aid/repair", "out-of-action/recovery")
async def give_aid(act: Declaration) -> None:
    """Heal one wound on 5+."""
    model, patient = act.model, act.model.position.model(act.details[0])
    if not (patient.is_on_table and patient.marks("wounds")):
        return
    why = "repair" if patient.profile.type == "machine" else "first-aid"
    need = needed_on_one(5, aid_modifiers(model, patient))
    if (await one_die(model.position, model.side, why, need, model=model.row, target=patient.row)).passed:
        heal(patient)


@rule("first-aid/repair", "special/expert")
def aid_modifiers(model: Model, patient: Model) -> tuple[Part, ...]:
    """Return the modifiers: medicine and the medical bag for the living, mechanics for machines."""
    if patient.profile.type == "machine":
        return (expert(model, "mechanics"),)
    bag = Part("arsenal/equipment", 1 if model.profile.carries("medkit") else 0)
    return expert(model, "medicine"), bag


# ---------------------------------------------------------------- Recover


@rule("recover/exclusive")
def has_acted(model: Model) -> Fault | None:
    """Refuse a model that has already declared an action in this turn."""
    return Fault(model=model.row) if model.marks("acted") else None


@rule("recover/effect")
async def recover(act: Declaration) -> None:
    """Remove up to CAR morale markers and COS fatigue markers, and the suppression marker."""
    model = act.model
    model.mark("morale", max(0, model.marks("morale") - model.profile.charisma))
    model.mark("fatigue", max(0, model.marks("fatigue") - model.profile.constitution))
    model.mark("suppressed", 0)


# ---------------------------------------------------------------- Ability, Aim, Concentrate, Clear Jam


@rule("ability-test/failure")
def is_barred(model: Model) -> Fault | None:
    return Fault(model=model.row) if model.marks("barred-ability") else None


@rule("ability-action/cost")
def has_no_ability(model: Model) -> Fault | None:
    return None if usable(model) else Fault(model=model.row)


@rule("aim/bonus")
async def aim(act: Declaration) -> None:
    """Aim for the very next action declared, if it is this model's Fire or Suppressive Fire."""
    act.model.position.declare("aimed", act.model.row)


@rule("aim/bonus")
def has_nothing_to_aim(model: Model) -> Fault | None:
    return None if fire_weapons(model) else Fault(model=model.row)


@rule("concentrate/bonus")
async def concentrate(act: Declaration) -> None:
    """Concentrate for the very next action declared, if it is this model's Ability."""
    act.model.position.declare("concentrated", act.model.row)


@rule("concentrate/bonus")
def has_nothing_to_concentrate_on(model: Model) -> Fault | None:
    return None if model.profile.abilities else Fault(model=model.row)


@rule("opt-jam/clear")
def has_no_jam(model: Model) -> Fault | None:
    return None if model.note("jammed") else Fault(model=model.row)


def jam_fields(model: Model, filled: list[Any]) -> Question | None:
    jammed = list(model.note("jammed", ()))
    return None if filled else Choose(model.side, "jammed-weapon", jammed, "weapon", about={"model": model.row})


@rule("opt-jam/clear")
async def clear_jam(act: Declaration) -> None:
    """Clear the jam of one weapon per action, without a roll."""
    left = list(act.model.note("jammed", ()))
    left.remove(act.details[0])
    act.model.jot("jammed", tuple(left) or None)


# ---------------------------------------------------------------- the list


def without_effect(model: Model) -> Iterator[str]:
    """The actions that a model may declare, but that would leave it as it is."""
    yield from (act for act, mark in (("hide", "hidden"), ("alert", "alert")) if model.marks(mark))
    if not any(model.marks(mark) for mark in ("fatigue", "morale", "suppressed")):
        yield "recover"


@rule("actions/list")
def actions() -> dict[str, Action]:
    found = (
        Action("move", 1, FREE_HANDS, carry_out_move, move_fields),
        Action("fire", 1, FREE_HANDS, carry_out_fire, fire_fields, nothing_to_fire),
        Action("suppressive-fire", 1, FREE_HANDS, carry_out_suppressive, suppressive_fields, nothing_to_suppress),
        Action(
            "charge", 1, (*FREE_HANDS, is_rooted, has_fired_salvo), carry_out_charge, charge_fields, nobody_to_charge
        ),
        Action("hide", 2, (*FREE_HANDS, has_nothing_to_hide_in, is_watched), hide),
        Action("alert", 2, (*FREE_HANDS, has_no_cover), go_on_alert),
        Action("first-aid", 2, (*FREE_HANDS, has_no_patient), give_aid, aid_fields),
        Action("recover", 2, (*ACTOR_RESTRICTIONS, is_held_in_melee, has_acted), recover),
        Action("ability", 1, (*EVEN_ENGAGED, is_barred, has_no_ability), use_ability, ability_fields),
        Action("aim", 1, (*FREE_HANDS, has_nothing_to_aim), aim),
        Action("concentrate", 1, (*EVEN_ENGAGED, has_nothing_to_concentrate_on), concentrate),
        Action("clear-jam", 1, (*FREE_HANDS, has_no_jam), clear_jam, jam_fields),
    )
    return {one.name: one for one in found}


ACTIONS = actions()
