"""Damage, Feel No Pain, mortal wounds (attack/inflict-damage, attack/mortal-wounds, mortal-wounds/*)."""

from __future__ import annotations

import msgspec

from campale.dice.needs import Need
from campale.dice.stages import AnyStage, Fold, State, play
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
"""Mortal wounds of attacks that wait for the normal damage: the row of the target, how many, the row of the attacker,
and that of the CHARACTER who suffers them first (-1: nobody).
"""


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


# ---------------------------------------------------------------- mortal wounds


class MortalWound(msgspec.Struct, frozen=True, tag=True):
    """One that a unit suffers, from the model of a row (-1: nobody's); ``first``: the row of who takes it, if alive."""

    unit: int
    by: int
    cause: str
    first: int = -1


Harm = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int, int], ...]]


def harm_of(position: Position) -> Harm:
    """What the next wound depends on: who is there, with which wounds, and mortal wounds that wait."""
    there = tuple((m.row, m.marks(WOUNDS)) for m in position.on_table())
    return there, tuple(position.declared.get(STORED, ()))


def take_harm(position: Position, state: Harm) -> None:
    left = dict(state[0])
    for model in position.on_table():
        if model.row not in left:
            position.remove(model, "shooting")
        else:
            model.mark(WOUNDS, left[model.row], quietly=True)
    position.declare(STORED, state[1] or None)


@rule("attack/mortal-wounds", "mortal-wounds/one-at-a-time", "mortal-wounds/no-saves", "mortal-wounds/precision")
async def suffer_mortal(position: Position, so_far: None, wound: MortalWound) -> None:
    """With no save; after a model has died they go on to the next."""
    picked = position.model(wound.first) if wound.first >= 0 else None
    model = picked if picked is not None and picked.is_on_table else await takes(Unit(position, wound.unit))
    if model is not None:
        await suffer(model, 1, wound.by, wound.cause)


MORTAL: tuple[AnyStage, ...] = (Fold("mortal-wounds", None, suffer_mortal, state=State(harm_of, take_harm)),)
"""One mortal wound after another: they are played, and exact odds run the same stage."""


@rule("attack/mortal-wounds", "mortal-wounds/one-at-a-time")
async def mortal_wounds(unit: Unit, points: int, by: int, cause: str) -> None:
    await play(unit.position, MORTAL, [MortalWound(unit.row, by, cause)] * points)


@rule("weapon-abilities/devastating-wounds", "mortal-wounds/normal-first", "modifiers/devastating-damage")
async def store(position: Position, attack: Attack, first: int = -1) -> None:
    """As many mortal wounds as the attack has Damage, after all that changes it; ``first``: who suffers them first."""
    points, stored = await points_of(position, attack), list(position.declared.get(STORED, ()))
    if stored and (stored[-1][0], *stored[-1][2:]) == (attack.target, attack.by, first):
        points += stored.pop()[1]
    position.declare(STORED, (*stored, (attack.target, points, attack.by, first)))


@rule("mortal-wounds/normal-first")
async def suffer_stored(position: Position) -> None:
    """The mortal wounds that wait, target by target."""
    await play(position, MORTAL, take_stored(position))


def take_stored(position: Position) -> list[MortalWound]:
    """The mortal wounds that wait no longer."""
    stored = position.declared.get(STORED, ())
    position.declare(STORED, None)
    found: list[MortalWound] = []
    for target, points, by, first in stored:
        found += [MortalWound(target, by, "mortal-wounds", first)] * points
    return found
