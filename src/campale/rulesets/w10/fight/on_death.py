"""Models that fight or shoot after they were destroyed (c/fight-on-death*, s/shoot-on-death*)."""

from __future__ import annotations

from itertools import count

from campale.referee.position import GONE, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.attack.destruction import STAND_IN
from campale.rulesets.w10.attack.resolve import make_attacks, tell_attacked
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.attached import PART_OF
from campale.rulesets.w10.basics.persisting import end_effects_on, keep_effects
from campale.rulesets.w10.basics.units import CHARGED, MOVED, NAME_IT, SHOCKED, WOUNDS, is_engaged, members
from campale.rulesets.w10.fight.declaring import declare as declare_blows
from campale.rulesets.w10.fight.pile_in import pile_in
from campale.rulesets.w10.shooting.declaring import aimed
from campale.rulesets.w10.shooting.declaring import declare as declare_shots
from campale.rulesets.w10.shooting.eligible import guns_of
from campale.rulesets.w10.shooting.targets import targets_of

ALONE = "-alone"
"""Suffix for the name of the unit of a model that piles in by itself."""
LIKE_HOME = (CHARGED, SHOCKED)
"""Facts of a unit that hold for its models that act on their death."""


def stand_in(position: Position, like: Unit, apart: str = "") -> Unit:
    """A unit without models: another one while the first has some, whose attacks have destroyed others."""
    for number in count():
        key = f"{STAND_IN}-{like.side}{apart}" + (f"-{number}" if number else "")
        row = position.declared.get(key)
        if row is None:
            break
        if not members(Unit(position, int(row))):
            return Unit(position, int(row))
    unit = position.add_unit(like.name, like.side)
    unit.jot(NAME_IT, like.note(NAME_IT))
    position.declare(key, unit.row)
    return unit


@rule("c/fight-on-death-wounds", "s/shoot-on-death-moved", "c/fight-on-death-timing")
def raise_up(models: list[Model]) -> Unit:
    """Stand destroyed models where they fell, each with one wound left, in a unit of their own."""
    unit = stand_in(models[0].position, models[0].unit)
    take_after(unit, models[0].unit)
    for model in models:
        model.mark(WOUNDS, model.profile.w - 1, quietly=True)
        stand(model, unit, TABLE)
    return unit


@rule("c/fight-on-death", "i/cannot-be-affected", "e/persisting-effect")
def take_after(unit: Unit, home: Unit) -> None:
    """What their unit has done and what affects it holds for the models that act; they are part of it."""
    for fact in LIKE_HOME:
        note(unit, fact, home.marks(fact))
    unit.position.declare(f"{PART_OF}-{unit.row}", home.row)
    keep_effects(home, unit)


def forget(unit: Unit) -> None:
    """Clear what the last models that acted brought with them."""
    for fact in LIKE_HOME:
        note(unit, fact, 0)
    unit.position.declare(f"{PART_OF}-{unit.row}", None)
    end_effects_on(unit)


def note(unit: Unit, fact: str, value: int) -> None:
    """Mark the unit without a word in the journal: nothing has happened to anybody."""
    unit.position.of_units.set(unit.row, fact, value)
    unit.position.dropped(fact)


def stand(model: Model, unit: Unit, where: int) -> None:
    position = model.position
    position.where[model.row] = where
    position.unit_of[model.row] = unit.row
    position.dropped("unit")


@rule("c/fight-on-death-end", "s/shoot-on-death-timing")
def lay_down(models: list[Model], home: Unit) -> None:
    """Remove the models; they never consolidate."""
    for model in models:
        model.mark(WOUNDS, model.profile.w, quietly=True)
        stand(model, home, GONE)


@rule("c/fight-on-death", "c/fight-on-death-timing")
async def fight_on_death(models: list[Model]) -> None:
    """Each model piles in as a unit of its own, clear of the others; then all attack."""
    home = models[0].unit
    unit = raise_up(models)
    alone = stand_in(home.position, home, ALONE)
    take_after(alone, home)
    for model in models:
        stand(model, alone, TABLE)
        await pile_in(alone)
        stand(model, unit, TABLE)
    forget(alone)
    await act(unit, models, home, "fights", await declare_blows(unit))


@rule("s/shoot-on-death", "s/shoot-on-death-out-of-phase", "s/shoot-on-death-moved")
async def shoot_on_death(models: list[Model]) -> None:
    """The models shoot once more, out of phase; models of an engaged unit do not."""
    home = models[0].unit
    if is_engaged(home):
        lay_down(models, home)
        return
    unit = raise_up(models)
    unit.mark(MOVED, 1)
    can_shoot = not is_engaged(unit) and targets_of(unit.position, unit.side, guns_of(unit))
    declared = await declare_shots(unit) if can_shoot else []
    await act(unit, models, home, "shoots", await aimed(unit, declared))


@rule("c/fight-on-death-end")
async def act(unit: Unit, models: list[Model], home: Unit, how: str, attacks: list[Shots]) -> None:
    """Make the attacks and remove the models; those attacked answer to the unit that they belonged to."""
    position, made = unit.position, None
    if attacks:
        position.write(how, unit=home.row, targets=list(dict.fromkeys(one.target for one in attacks)))
        made = await make_attacks(unit, attacks)
    lay_down(models, home)
    forget(unit)
    if made is not None:
        await tell_attacked(home, made)
