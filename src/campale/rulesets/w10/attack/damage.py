"""Damage, Feel No Pain, mortal wounds (attack/inflict-damage, attack/mortal-wounds, mortal-wounds/*)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import roll
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import feel_no_pain
from campale.rulesets.w10.attack.allocation import takes
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.attack.values import Attack, changes_to
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import WOUNDS, wounds_left
from campale.rulesets.w10.windows.reroll import may_reroll, wanted

STORED = "stored"
"""Mortal wounds of attacks that wait for the normal damage: (row of the target, how many, row of the attacker)."""


@rule("t/damage-roll", "weapon-abilities/melta", "datasheet/random-characteristics", "d/normal-damage")
async def points_of(position: Position, attack: Attack) -> int:
    """The Damage of an attack; MELTA adds to it within half range."""
    amount = attack.line.damage
    printed = await rolled(position.side_of[attack.by], "damage", amount, target=attack.target)
    if amount.is_rolled and amount.sides > printed - amount.plus:
        printed = await damage_again(position, attack, printed)
    more = attack.line.number("melta") if attack.near else 0
    changes = (Change("weapon-abilities/melta", "add", more),) if more else ()
    return modified("d", printed, (*changes, *changes_to(attack, "d")))


@rule("stratagems/command-reroll", "re-rolls/halved-dice")
async def damage_again(position: Position, attack: Attack, found: int) -> int:
    """A damage roll may be re-rolled once, by Command Re-roll."""
    unit = position.model(attack.by).unit
    if not may_reroll(unit) or not await wanted(unit, "damage", rolled=found):
        return found
    return await rolled(unit.side, "command-reroll", attack.line.damage, target=attack.target)


@rule("i/feel-no-pain", "core-abilities/feel-no-pain-choice", "mortal-wounds/no-saves")
async def lost_of(model: Model, points: int) -> int:
    """How many wounds a model would lose after Feel No Pain, a die for each."""
    number = feel_no_pain(model)
    if number is None:
        return points
    ignored = (await roll(model.side, "feel-no-pain", points, needed=Need(number), model=model.row)).successes
    return points - ignored


@rule("attack/inflict-damage", "s/suffers-damage", "destroyed/model")
async def suffer(model: Model, points: int, by: int, cause: str) -> None:
    """A model loses wounds, and is destroyed with its last; what is over is lost."""
    lost = min(await lost_of(model, points), wounds_left(model))
    model.position.harm(model, lost, cause, (by,))
    model.add(WOUNDS, lost)
    if wounds_left(model) <= 0:
        destroy(model, cause, by)


@rule("weapon-abilities/devastating-wounds", "mortal-wounds/normal-first", "modifiers/devastating-damage")
async def store(position: Position, attack: Attack) -> None:
    """As many mortal wounds as the attack has Damage, after all that changes it."""
    stored = (*position.declared.get(STORED, ()), (attack.target, await points_of(position, attack), attack.by))
    position.declare(STORED, stored)


@rule("mortal-wounds/normal-first")
async def suffer_stored(position: Position) -> None:
    """The mortal wounds that wait, target by target."""
    stored = position.declared.get(STORED, ())
    position.declare(STORED, None)
    for target, points, by in stored:
        await mortal_wounds(Unit(position, target), points, by, "mortal-wounds")


@rule("attack/mortal-wounds", "mortal-wounds/one-at-a-time", "mortal-wounds/no-saves")
async def mortal_wounds(unit: Unit, points: int, by: int, cause: str) -> None:
    """One at a time, with no save; they go on to the next model."""
    for _ in range(points):
        model = await takes(unit)
        if model is None:
            return
        await suffer(model, 1, by, cause)
