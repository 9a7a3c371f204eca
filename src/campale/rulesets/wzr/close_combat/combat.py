"""Carrying out a melee attack: Fear, tests, hits, consequences (close-combat/attack-sequence)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from campale.dice.stages import play
from campale.mechanics.frames import Frame, push
from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, use
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import strikes_rear
from campale.rulesets.wzr.cards.resources import add_attack
from campale.rulesets.wzr.close_combat import trampling
from campale.rulesets.wzr.close_combat.approach import approach
from campale.rulesets.wzr.close_combat.attack import (
    BLOWS,
    COMBAT,
    Attack,
    Onset,
    attack_fields,
    attack_frames,
    attacks_of,
    blade_of,
    can_attack,
)
from campale.rulesets.wzr.close_combat.cc_test import (
    TESTS,
    Blow,
    Fumbled,
    Landed,
    Used,
    cc_need,
    hit_of,
    is_held,
    rolls_again,
)
from campale.rulesets.wzr.close_combat.special import SPECIALS, Special, of_another_base
from campale.rulesets.wzr.close_combat.strength import Arm, arm_of, strength_with
from campale.rulesets.wzr.close_combat.throwing import THROWN
from campale.rulesets.wzr.turn.actions import Action
from campale.rulesets.wzr.turn.points import done
from campale.rulesets.wzr.vehicles.locations import locations, ps_left
from campale.rulesets.wzr.wounds.hits import Hit, hit_frames

FEAR_IN_MELEE, HELD, FUMBLED = "fear-in-melee", "held", "fumbled"


# ---------------------------------------------------------------- menu actions


@rule("close-combat/special-general", "actions/charge")
def has_attacked(name: str, model: Model) -> Fault | None:
    """A Combat action excludes every special one and a Charge, and a special one excludes every other."""
    others = [one for one in done(model) if one in ATTACKS and one != name]
    by = "" if name in ATTACKS else "actions/charge"
    return Fault(model=model.row, word="one-attack", rule=by) if others else None


@rule("core/profile", "vehicles/combat")
def cannot_fight(model: Model) -> Fault | None:
    """A model with a dash for CC makes no melee attacks; neither do Tanks and Air Tanks."""
    vehicle = model.profile.vehicle
    is_tank = vehicle is not None and vehicle.kind in ("tank", "air-tank")
    return Fault(model=model.row) if is_tank or not model.profile.cc else None


ATTACKS = (COMBAT, *SPECIALS, *trampling.RUNS)
"""The actions of which a model makes only one in an activation."""


def special_action(special: Special) -> Action:
    return Action(
        special.name,
        1,
        partial(attack_frames, special.name),
        partial(attack_fields, special.name),
        (partial(of_another_base, special), partial(has_attacked, special.name), cannot_fight),
        partial(can_attack, special.name),
        otherwise=lambda model: Fault(model=model.row, rule="close-combat/special-general"),
        group="combat",
        engaged=True,
        in_reach=True,
    )


def combat_action() -> Action:
    return Action(
        COMBAT,
        1,
        partial(attack_frames, COMBAT),
        partial(attack_fields, COMBAT),
        (partial(has_attacked, COMBAT), cannot_fight),
        partial(can_attack, COMBAT),
        otherwise=lambda model: Fault(model=model.row, rule="actions/combat"),
        group="combat",
        engaged=True,
        in_reach=True,
        vehicle=True,
    )


def run_action(special: Special) -> Action:
    name = special.name
    bars = (partial(of_another_base, special), partial(has_attacked, name), trampling.has_moved)
    how = partial(trampling.frames, name), partial(trampling.fields, name), bars, trampling.is_possible
    return Action(name, 1, *how, group="combat")


@rule("actions/combat", "close-combat/special-general", "close-combat/special-by-base", "vehicles/combat")
def combat_actions() -> tuple[Action, ...]:
    return (combat_action(), *map(special_action, SPECIALS.values()), *map(run_action, trampling.RUNS.values()))


# ---------------------------------------------------------------- the frames


@rule("close-combat/attack-sequence", "cards/burn-rof")
async def attack(position: Position, *values: Any) -> None:
    """Make the Approach and burn the Resource; then come Fear and the tests."""
    declared = Attack(*values)
    model = position.model(declared.row)
    if not model.is_on_table:
        return
    if declared.approach:
        approach(model, *declared.approach)
    if declared.burned:
        add_attack(model, in_melee=True)
    rows = [one for one in dict.fromkeys(declared.targets) if isinstance(one, int)]
    what = {"targets": rows} if rows else {"piece": declared.targets[0]}
    position.write("attack", model=model.row, action=declared.name, arm=declared.arm, **what)
    push(position, (FEAR_IN_MELEE, model.row), (BLOWS, *declared))


@rule("close-combat/cc-test", "close-combat/attack-sequence", "core/fumble")
async def blows(position: Position, *values: Any) -> None:
    """Roll all CC tests of the attack; then resolve the hits one by one, then the cost of a fumble."""
    declared = Attack(*values)
    if not position.model(declared.row).is_on_table:
        return
    outcomes = await play(position, TESTS, blows_of(position, declared))
    for one in outcomes:
        if isinstance(one, Used):
            use(position.model(declared.row), one.name)
    landed = [one for one in outcomes if isinstance(one, Landed)]
    fumbled = any(isinstance(one, Fumbled) for one in outcomes)
    places = await locations_on_tanks(position, declared.row, landed)
    push(position, *follows(position, declared, landed, places), *(((FUMBLED, declared.row),) if fumbled else ()))


@rule("vehicles/melee-tank-location")
async def locations_on_tanks(position: Position, row: int, landed: Sequence[Landed]) -> dict[int, str]:
    """The attacker picks a location for each hit on a Tank after the CC tests; by the index of the hit."""
    on_tanks = [k for k, one in enumerate(landed) if is_tank(position.model(one.blow.target))]

    def picks() -> Generator[Question, Any, dict[int, str]]:
        found: dict[int, str] = {}
        for k in on_tanks:
            target = position.model(landed[k].blow.target)
            names = [one.name for one in locations(target) if ps_left(target, one.name)]
            about: dict[str, Plain] = {"model": target.row, "by": row}
            found[k] = str((yield Choose(position.side_of[row], "location", names, "location", about=about)))
        return found

    return await fill_in_script(position.side_of[row], "tank-locations", picks, model=row) or {}


@rule("vehicles/melee-tank-location")
def is_tank(model: Model) -> bool:
    """Whether the model is a Tank. An Air Tank is not."""
    vehicle = model.profile.vehicle
    return vehicle is not None and vehicle.kind == "tank"


@rule("close-combat/cc-test", "close-combat/hold-small", "close-combat/hold-medium", "close-combat/throw-test")
def follows(
    position: Position, attack: Attack, landed: Sequence[Landed], places: Mapping[int, str]
) -> tuple[Frame, ...]:
    """The frames that follow from landed blows and attacks on a piece. ``places``: the locations picked."""
    special = attack.special
    if special is not None and special.effect == "hold":
        return tuple((HELD, one.blow.target) for one in landed)
    if special is not None and special.effect == "throw":
        return tuple((THROWN, attack.row, one.blow.target, special.name) for one in landed)
    struck = [
        msgspec.structs.replace(hit_of(one), location=places.get(k, ""), primary=one.blow.target == attack.targets[0])
        for k, one in enumerate(landed)
    ]
    hits = [*struck, *hits_on_pieces(position, attack)]
    return hit_frames(hits) if hits else ()


@rule("close-combat/hold-small", "close-combat/hold-medium")
async def held(position: Position, row: int) -> None:
    """A Hold causes no Wound Effect; every later melee attack on the model in this turn is linked."""
    position.model(row).mark(marks.HELD, 1)


@rule("core/fumble")
async def fumbled(position: Position, row: int) -> None:
    """The model loses its AP left, and no card gives it more. A model that only reacts has none to lose."""
    model = position.model(row)
    if model.is_on_table and not model.marks(marks.ACTED):
        model.mark(marks.AP, 0)
        model.mark(marks.NO_MORE_AP, 1, quietly=True)


# ---------------------------------------------------------------- the blows


@rule("close-combat/attack-sequence", "core/removal")
def blows_of(position: Position, attack: Attack) -> list[Blow]:
    """One blow for each attack on a model still standing, in the declared order."""
    model = position.model(attack.row)
    arm = arm_of(model, attack.arm)
    rows = [one for one in attack.targets if isinstance(one, int)]
    return [
        blow_of(model, position.model(row), arm, attack, is_first=k == 0)
        for k, row in enumerate(rows)
        if position.model(row).is_on_table
    ]


@rule("close-combat/attack-strength", "close-combat/special-type", "close-combat/crush", "armour/halved")
def blow_of(model: Model, target: Model, arm: Arm, attack: Attack, is_first: bool) -> Blow:
    """What one attack needs to hit, and its strength."""
    special = attack.special
    about = about_blow(model, target, arm, attack)
    st, avv = power_of(model, arm, attack, is_first)
    return Blow(
        by=model.row,
        target=target.row,
        need=cc_need(about),
        st=st,
        avv=avv,
        type=arm.type,
        linked=is_held(target),
        again=rolls_again(about),
        critical=1 if special is None else special.critical,
        halved=special is not None and special.halved,
        rules=() if special is None else special.rules,
        rear=target.profile.is_vehicle and strikes_rear(model, target),
    )


def about_blow(model: Model, target: Model, arm: Arm, attack: Attack) -> About:
    return About(
        model,
        attacker=model,
        target=target,
        weapon=blade_of(model, arm),
        is_charging=bool(attack.onset),
        is_special=attack.special is not None,
    )


@rule(
    "close-combat/attack-strength",
    "actions/charge-bonus",
    "close-combat/charge-from-above",
    "close-combat/cleave",
    "armoury/pistols-no-charge-bonus",
    "armoury/heavy",
    "armoury/grenade-antivehicle-melee",
)
def power_of(model: Model, arm: Arm, attack: Attack, is_first: bool) -> tuple[int, int]:
    """St and AVV of a hit. The bonus from above counts on the first test only. A Cleave has no modifiers."""
    if attack.special is not None and attack.special.strikes_all:
        return int(model.profile.st), arm.avv
    st, avv = strength_with(model, arm), arm.avv
    if not attack.onset:
        return st, avv
    onset = Onset(*attack.onset)
    if arm.charges:
        st += onset.st + (onset.drop_st if is_first else 0)
    if arm.kind != "grenade":
        avv += onset.avv + (onset.drop_avv if is_first else 0)
    return st, avv


@rule("structures/hit-melee", "structures/no-ccwr")
def hits_on_pieces(position: Position, attack: Attack) -> list[Hit]:
    """As many hits as the RoA, without a test, and never a Power Shot."""
    names = [one for one in attack.targets if isinstance(one, str)]
    if not names:
        return []
    model = position.model(attack.row)
    arm = arm_of(model, attack.arm)
    powers = [power_of(model, arm, attack, is_first=k == 0) for k in range(attacks_of(model, arm, attack))]
    pairs = zip(names, powers, strict=False)
    return [Hit(piece=name, st=st, avv=avv, type=arm.type, by=model.row, cause="melee") for name, (st, avv) in pairs]
