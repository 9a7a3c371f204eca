"""Wounds, models that return, command points, abilities given for a while, markers that stay controlled."""

from __future__ import annotations

import msgspec

from campale.referee.ask import number
from campale.referee.position import GONE, Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import Deed, Use
from campale.rulesets.w10.abilities.uses import ANYBODY
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.armies.amounts import amount
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.attack.demise import harm_over
from campale.rulesets.w10.attack.destruction import triggers_nothing
from campale.rulesets.w10.basics.dice import leadership_test, rolled
from campale.rulesets.w10.basics.markers import is_in_range, markers
from campale.rulesets.w10.basics.persisting import ON_SIDE, ON_UNIT, lend
from campale.rulesets.w10.basics.units import SHOCKED, WOUNDS, has_all_wounds, members
from campale.rulesets.w10.movement.returning import (
    bring_back,
    choose_returning,
    come_back,
    find_room,
    lost_in_phase,
    to_return,
)
from campale.rulesets.w10.windows.windows import CP, GAINED


def always(use: Use, effect: Effect) -> bool:
    return True


# ---------------------------------------------------------------- wounds


@rule("r/regain-wounds")
def is_hurt(use: Use, effect: Effect) -> bool:
    return not all(has_all_wounds(m) for m in patients(use))


@rule("p/bearer")
def patients(use: Use) -> list[Model]:
    """The models that may regain wounds: the bearer alone, if it has the ability for itself and picks no unit."""
    is_own = use.one.ability.who == "bearer" and use.picked == ANYBODY
    return [use.bearer] if is_own else members(use.target)


@rule("r/regain-wounds")
async def heal(use: Use, effect: Effect) -> None:
    """Heal the model that has lost most wounds, never beyond its full number."""
    points = await rolled(use.side, "regained", amount(str(effect.heals)), unit=use.target.row)
    model = max(patients(use), key=lambda m: m.marks(WOUNDS))
    model.mark(WOUNDS, max(0, model.marks(WOUNDS) - points))


async def suffer(use: Use, effect: Effect) -> None:
    """The target unit suffers mortal wounds."""
    points = await rolled(use.side, "mortal-wounds", amount(str(effect.suffers)), unit=use.target.row)
    await mortal_wounds(use.target, points, use.one.row, "mortal-wounds")
    await harm_over(use.position)


@rule("t/battle-shock-extra", "t/battle-shock-test")
async def shake(use: Use, effect: Effect) -> None:
    """Take a battle-shock test outside its step; a unit already battle-shocked takes it too, and stays so."""
    unit = use.target
    passed = await leadership_test(unit, "battle-shock")
    if not passed and members(unit):
        unit.mark(SHOCKED, 1)


def is_there(use: Use, effect: Effect) -> bool:
    return bool(members(use.target))


# ---------------------------------------------------------------- models that return


@rule("r/return-limit", "a/add-models-no-room")
def could_return(use: Use, effect: Effect) -> bool:
    """True if a model is destroyed and has a place to return to."""
    dead = returning(use)
    return bool(dead) and bool(find_room(use.unit, dead[:1]))


def returning(use: Use) -> list[Model]:
    """The models that may return; after attacks only those destroyed in this phase. A Leader returns those it leads."""
    dead = to_return(use.unit if use.one.ability.who == "led" else use.bearer.bought_with)
    return lost_in_phase(use.position, dead) if use.about.get("attack") else dead


@rule("r/return-models", "r/return-limit")
async def give_back(use: Use, effect: Effect) -> None:
    """Return a number of models, or up to that number if the owner may choose fewer."""
    count = await rolled(use.side, "returned", amount(str(effect.returns or effect.returns_up_to)), unit=use.unit.row)
    dead = returning(use)
    if effect.returns_up_to is not None:
        most = min(count, len(dead))
        count = await number(use.side, "how-many-return", 0, most, [most], unit=use.unit.row)
    await bring_back(use.unit, await choose_returning(use.unit, dead, count))


@rule("r/return-leader", "s/set-up-impossible")
def is_gone(use: Use, effect: Effect) -> bool:
    """True if the bearer was destroyed in this phase, in a way that triggers rules."""
    if use.bearer.where != GONE or triggers_nothing(use.bearer):
        return False
    return bool(lost_in_phase(use.position, [use.bearer]))


async def rise_again(use: Use, effect: Effect) -> None:
    await come_back(use.bearer, int(effect.comes_back or 1))


# ---------------------------------------------------------------- command points, effects, markers


@rule("command-phase/cp-limit")
def may_gain(use: Use, effect: Effect) -> bool:
    """True if the side has not yet gained a command point by abilities in this battle round."""
    return (use.side, use.position.now["round"]) not in use.position.declared.get(GAINED, ())


@rule("command-phase/cp-limit")
async def gain(use: Use, effect: Effect) -> None:
    position = use.position
    position.gain(use.side, CP, 1)
    position.declare(GAINED, (*position.declared.get(GAINED, ()), (use.side, position.now["round"])))


@rule("e/persisting-effect", "l/your-unit")
async def give(use: Use, effect: Effect) -> None:
    """Give an ability for a while."""
    given = effect.lends
    assert given is not None
    on, bearer = (ON_SIDE, use.side) if given.to == "army" else (ON_UNIT, use.target.row)
    if given.to == "unit":
        bearer = use.unit.row
    lend(use.position, given.ability, use.one.row, given.until, on, bearer)


@rule("r/end-of-command", "objectives/end-of-phase-check")
def holds_marker(use: Use, effect: Effect) -> bool:
    return bool(held_by(use.unit))


def held_by(unit: Unit) -> list[int]:
    """The indices of markers in range that the side controls and has not yet made permanent."""
    position = unit.position
    near = [one for one in markers(position) if any(is_in_range(m, one) for m in members(unit))]
    return [position.tokens.index(one) for one in near if one.side == unit.side and one.value != unit.side]


@rule("r/end-of-command", "c/control-objective")
async def plant(use: Use, effect: Effect) -> None:
    """Keep the markers under control until the enemy controls them."""
    position = use.position
    for index in held_by(use.unit):
        position.replace_token(index, msgspec.structs.replace(position.tokens[index], value=use.side))


DEEDS = {
    "heals": Deed(is_hurt, heal),
    "suffers": Deed(is_there, suffer),
    "returns": Deed(could_return, give_back),
    "returns_up_to": Deed(could_return, give_back),
    "comes_back": Deed(is_gone, rise_again),
    "cp": Deed(may_gain, gain),
    "lends": Deed(always, give),
    "battle-shock": Deed(is_there, shake),
    "keep-marker": Deed(holds_marker, plant),
}
