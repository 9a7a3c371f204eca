"""Units that shoot again or back, models that fight alone, and models that act on their death."""

from __future__ import annotations

from campale.referee.position import FALLEN, Model, Position
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import Carried, usable
from campale.rulesets.w10.abilities.moments import Deed, Use, holds_now
from campale.rulesets.w10.abilities.uses import is_left, use_up
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.attack.attack import grouped
from campale.rulesets.w10.attack.destruction import FALLS, FELL, fallen
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.deeds.dice import how_many
from campale.rulesets.w10.fight.alone import could_fight, fight_alone
from campale.rulesets.w10.fight.on_death import fight_on_death, lay_down, shoot_on_death
from campale.rulesets.w10.shooting.again import can_shoot_again, can_shoot_back, shoot_again, shoot_back


def used(use: Use) -> set[tuple[int, int]]:
    return {(int(row), int(weapon)) for row, weapon in use.about.get("used", ())}


@rule("s/shoot-again-eligible")
def may_shoot_again(use: Use, effect: Effect) -> bool:
    return bool(members(use.unit)) and can_shoot_again(use.unit, used(use))


async def volley(use: Use, effect: Effect) -> None:
    await shoot_again(use.unit, used(use))


@rule("s/shoot-again-eligible")
def may_shoot_back(use: Use, effect: Effect) -> bool:
    return can_shoot_back(use.target, int(use.about["attacker"]))


async def answer(use: Use, effect: Effect) -> None:
    await shoot_back(use.target, int(use.about["attacker"]))


@rule("fight-single-model/attacks", "fight-phase/no-pass")
def may_fight_alone(use: Use, effect: Effect) -> bool:
    return could_fight(use.bearer)


async def fight(use: Use, effect: Effect) -> None:
    await fight_alone(use.bearer)


# ---------------------------------------------------------------- on death


@rule("c/fight-on-death-timing", "s/shoot-on-death-timing")
async def last_deeds(position: Position) -> None:
    """After the attacks, destroyed models act if their dice allow it, before anything else happens."""
    waiting = [model for model in fallen(position) if model.where == FALLEN]
    rows = {model.row for model in waiting}
    left = tuple(m.row for m in fallen(position) if m.row not in rows or still_to_come(m))
    position.declare(FELL, left or None)
    able = [m for m in waiting if usable(m, FALLS)]
    for model in waiting:
        if model not in able:
            lay_down([model], model.unit)
    for _, models in grouped(able, lambda m: (m.unit.row, m.bought_with.row, deed_of(position, m).name)):
        if left_lying := [m for m in models if m.where == FALLEN]:
            await act_on_death(position, left_lying)


def still_to_come(model: Model) -> bool:
    """True if the model's Deadly Demise, or its passengers, are still to be dealt with."""
    return bool(model.profile.can("deadly-demise") or model.profile.capacity)


def deed_of(position: Position, model: Model) -> Carried:
    """The ability that a destroyed model uses: the first that the cause of its destruction allows."""
    found = usable(model, FALLS)
    return next((one for one in found if is_allowed(model, one) and is_left(position, one)), found[0])


def is_allowed(model: Model, one: Carried) -> bool:
    """True if an ability lets a destroyed model act, given the cause of its destruction."""
    position = model.position
    cause = next((loss.cause for loss in reversed(position.losses) if loss.model == model.row), "")
    return holds_now(Use(position, one, {"attack": cause}))


async def act_on_death(position: Position, models: list[Model]) -> None:
    one = deed_of(position, models[0])
    acts = {effect.act for effect in one.ability.do}
    await (fight_at_last if "fight-on-death" in acts else shoot_at_last)(position, one, models)


@rule("c/fight-on-death")
async def fight_at_last(position: Position, one: Carried, models: list[Model]) -> None:
    acting = await those_who_act(position, one, models)
    if acting:
        await fight_on_death(acting)


@rule("s/shoot-on-death")
async def shoot_at_last(position: Position, one: Carried, models: list[Model]) -> None:
    acting = await those_who_act(position, one, models)
    if acting:
        await shoot_on_death(acting)


async def those_who_act(position: Position, one: Carried, models: list[Model]) -> list[Model]:
    """Roll a die for each model while the ability may be used; those that succeed act, the others are removed."""
    home = models[0].unit
    able = []
    for model in models:
        if is_allowed(model, one) and is_left(position, one):
            use_up(position, one)
            able.append(model)
    count = await how_many(one, models[0].side, len(able), home.row) if able else 0
    lay_down([m for m in models if m not in able[:count]], home)
    if count:
        position.write("ability", unit=home.row, ability=one.ability.title.in_both)
    return able[:count]


DEEDS = {
    "shoot-again": Deed(may_shoot_again, volley),
    "shoot-back": Deed(may_shoot_back, answer),
    "fight-alone": Deed(may_fight_alone, fight),
}
