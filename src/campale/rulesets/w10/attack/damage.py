"""Damage, Feel No Pain, mortal wounds (attack/inflict-damage, attack/mortal-wounds, mortal-wounds/*)."""

from __future__ import annotations

import msgspec

from campale.dice.needs import Need
from campale.dice.stages import AnyStage, Fold, State, play
from campale.mechanics.dice import FACES
from campale.mechanics.units import NOBODY
from campale.referee.ask import reroll, roll
from campale.referee.chance import Rolled
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.allocated import allocated_changes
from campale.rulesets.w10.abilities.effects import feel_no_pain
from campale.rulesets.w10.attack.allocation import picked_out, takes, would_take
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.attack.values import Attack, changes_to
from campale.rulesets.w10.basics.dice import read, rolled
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import WOUNDS, wounds_left
from campale.rulesets.w10.windows.reroll import may_reroll, wanted

STORED = "stored"
"""Mortal wounds that wait until the normal damage is done: the row of the target, the number of wounds, the row of the
attacker, and the row of the CHARACTER picked by PRECISION.
"""


@rule("t/damage-roll", "weapon-abilities/melta", "datasheet/random-characteristics", "d/normal-damage")
async def points_of(position: Position, attack: Attack, model: Model | None = None, zero: bool = False) -> int:
    """The Damage of an attack allocated to a model. ``zero``: a rule changes it to 0."""
    amount = attack.line.damage
    dice = await roll(position.side_of[attack.by], "damage", amount.count, target=attack.target)
    dice = await ones_again(position, attack, dice)
    printed = amount.plus + sum(read(face, amount.sides) for face in dice.ascending)
    if printed < amount.most and not dice.again:
        printed = await damage_again(position, attack, printed)
    return modified("d", printed, changes_of_damage(position, attack, model, zero))


@rule("weapon-abilities/melta", "modifiers/damage-zero")
def changes_of_damage(position: Position, attack: Attack, model: Model | None, zero: bool = False) -> list[Change]:
    """Changes to Damage: MELTA within half range, changes fixed at target selection, and changes by the model itself.

    A change to 0 is applied before all others, or (``damage_zero``) overrides them.
    """
    more = attack.line.number("melta") if attack.near else 0
    changes = [Change("weapon-abilities/melta", "add", more)] if more else []
    changes += changes_to(attack, "d")
    changes += () if model is None else allocated_changes(model, attack.line, "d")
    if zero and position.options.damage_zero == "over-replacements":
        changes = [one for one in changes if one.kind != "set"]
    return [Change("modifiers/damage-zero", "set", 0, zero=True), *changes] if zero else changes


@rule("re-rolls/halved-dice", "re-rolls/specific-results")
async def ones_again(position: Position, attack: Attack, dice: Rolled) -> Rolled:
    """Re-roll the ones of a damage roll if an ability allows it; on a D3 a die of 1 or 2 is a one."""
    if "damage-ones" not in attack.again or not attack.line.damage.is_rolled:
        return dice
    ones = [face for face in FACES if read(face, attack.line.damage.sides) == 1]
    return await reroll(position.side_of[attack.by], "damage-again", dice, ones, target=attack.target)


@rule("stratagems/command-reroll", "re-rolls/halved-dice")
async def damage_again(position: Position, attack: Attack, found: int) -> int:
    """The damage rolled, after Command Re-roll may have re-rolled it once."""
    unit = position.model(attack.by).unit
    average = attack.line.damage.mean
    if not may_reroll(unit) or not await wanted(unit, "damage", rolled=found, average=average, target=attack.target):
        return found
    return await rolled(unit.side, "command-reroll", attack.line.damage, target=attack.target)


@rule("i/feel-no-pain", "core-abilities/feel-no-pain-choice", "mortal-wounds/no-saves")
async def lost_of(model: Model, points: int, is_mortal: bool = False) -> int:
    """The wounds that a model would lose after Feel No Pain, which rolls a die for each."""
    number = feel_no_pain(model, is_mortal)
    if number is None:
        return points
    ignored = (await roll(model.side, "feel-no-pain", points, needed=Need(number), model=model.row)).successes
    return points - ignored


@rule("attack/inflict-damage", "s/suffers-damage", "destroyed/model")
async def suffer(model: Model, points: int, by: int, cause: str, is_mortal: bool = False) -> None:
    """A model loses wounds, and is destroyed with its last one; excess damage is lost."""
    lost = min(await lost_of(model, points, is_mortal), wounds_left(model))
    model.position.harm(model, lost, cause, (by,))
    model.add(WOUNDS, lost)
    if wounds_left(model) <= 0:
        destroy(model, cause, by)


# ---------------------------------------------------------------- mortal wounds


class MortalWound(msgspec.Struct, frozen=True, tag=True):
    """A mortal wound on a unit; ``by``: the row of the model that caused it (-1: none).

    ``picked``: the row of the model that takes it first.
    """

    unit: int
    by: int
    cause: str
    picked: int = NOBODY


Harm = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int, int], ...]]


def harm_of(position: Position) -> Harm:
    """The state that the next wound depends on: models on the table, their wounds, and waiting mortal wounds."""
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
    """A mortal wound allows no save; once the picked model is dead, the next one takes it."""
    picked = position.model(wound.picked) if wound.picked != NOBODY else None
    model = picked if picked is not None and picked.is_on_table else await takes(Unit(position, wound.unit))
    if model is not None:
        await suffer(model, 1, wound.by, wound.cause, is_mortal=True)


MORTAL: tuple[AnyStage, ...] = (Fold("mortal-wounds", None, suffer_mortal, state=State(harm_of, take_harm)),)
"""Mortal wounds one at a time; play and exact odds run the same stage."""


@rule("attack/mortal-wounds", "mortal-wounds/one-at-a-time")
async def mortal_wounds(unit: Unit, points: int, by: int, cause: str) -> None:
    await play(unit.position, MORTAL, [MortalWound(unit.row, by, cause)] * points)


@rule(
    "weapon-abilities/devastating-wounds",
    "mortal-wounds/normal-first",
    "mortal-wounds/precision",
    "modifiers/devastating-damage",
)
async def store(position: Position, attack: Attack, extra: int = 0) -> None:
    """Store mortal wounds equal to the Damage of the attack after all changes, or its ``extra`` ones.

    PRECISION may pick the model that takes them.
    """
    unit = Unit(position, attack.target)
    picked = await picked_out(unit, attack)
    points = extra or await points_of(position, attack, picked or would_take(unit))
    stored = list(position.declared.get(STORED, ()))
    whose = attack.target, attack.by, NOBODY if picked is None else picked.row
    if stored and (stored[-1][0], *stored[-1][2:]) == whose:
        points += stored.pop()[1]
    position.declare(STORED, (*stored, (attack.target, points, *whose[1:])))


@rule("mortal-wounds/normal-first")
async def suffer_stored(position: Position) -> None:
    """Inflict the waiting mortal wounds, target by target."""
    await play(position, MORTAL, take_stored(position))


def take_stored(position: Position) -> list[MortalWound]:
    """Remove the waiting mortal wounds from the position and return them."""
    stored = position.declared.get(STORED, ())
    position.declare(STORED, None)
    each = [(target, by, picked) for target, points, by, picked in stored for _ in range(points)]
    return [MortalWound(target, by, "mortal-wounds", picked) for target, by, picked in each]
