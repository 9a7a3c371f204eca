"""Protection rolls: shield, then armour, hit by hit; and the lethal hit that links the to-hit die with the last one."""

from __future__ import annotations

from campale.dice.needs import Part
from campale.mechanics.dice import telling
from campale.referee.ask import roll
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import EVERY_FACE, Die, bent, needed_on_one, one_die, richest
from campale.rulesets.ragnarok.basics.physical import LETHAL, WOUND, is_lethal
from campale.rulesets.ragnarok.basics.special import rerolls_armour

STOPPED = ""
AUTOMATIC = 0
"""The face of a hit for which no die was rolled."""


@rule("fire/saves")
async def protection(
    model: Model, face: int, piercing: int = 0, magic: bool = False, lethal: bool = True, uses_shield: bool = True
) -> str:
    """Return the result of one hit: stopped, a wound, or lethal. ``face`` is the natural die that hit."""
    if uses_shield and await shield_stops(model):
        return STOPPED
    if model.profile.armour_save is None:
        return await unarmoured(model, face) if lethal else WOUND
    die = await armour_roll(model, piercing, magic)
    if die.passed:
        return STOPPED
    return LETHAL if lethal and is_lethal(face, die.face) else WOUND


@rule("equipment-profile/shield-save")
def has_shield(model: Model) -> bool:
    return model.profile.shield is not None and not model.marks("shield-lost")


@rule("equipment-profile/shield-save")
async def shield_stops(model: Model) -> bool:
    if not has_shield(model):
        return False
    need = needed_on_one(model.profile.shield.shield_save)
    return (await one_die(model.position, model.side, "shield-save", need, model=model.row)).passed


@rule("weapon-rules/piercing")
def piercing_part(piercing: int) -> Part:
    return Part("weapon-rules/piercing", -piercing)


@rule("profile/armour-number", "special/undead-armour")
async def armour_roll(model: Model, piercing: int, magic: bool) -> Die:
    """Roll the armour die; an Undead's first success against magic is rolled again, before points change the die."""
    need = needed_on_one(model.profile.armour_save, (piercing_part(piercing),))
    tells = EVERY_FACE if richest(model.position) is not None else telling(need, 1)
    rolled = await roll(model.side, "armour-save", needed=need, tells=tells, model=model.row)
    if rerolls_armour(model, magic) and all(rolled.hits):
        rolled = await roll(model.side, "armour-save", needed=need, tells=tells, model=model.row, again=True)
    return (await bent(model.position, rolled, need, model.side))[0]


@rule("lethal/no-armour")
async def unarmoured(model: Model, face: int) -> str:
    """Return the result of a hit without armour.

    A die is rolled only for hits made with a natural 6: on a natural 1 they are lethal.
    """
    if face != 6:
        return WOUND
    die = (await roll(model.side, "lethal", tells=((2, 3, 4, 5, 6),), model=model.row)).faces[0]
    return LETHAL if is_lethal(face, die) else WOUND


@rule("weapon-rules/shield-breaker", "weapon-rules/shield-puller")
def lose_shield(model: Model) -> None:
    """Take a model's shield away for the rest of the game."""
    if has_shield(model):
        model.mark("shield-lost", 1)
