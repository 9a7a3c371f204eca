"""Protection rolls: shield, then armour, hit by hit; and the lethal hit that links the first die with the last."""

from __future__ import annotations

from campale.dice.needs import Part
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.ragnarok.dice import Die, needed_on_one, one_die
from campale.rulesets.ragnarok.physical import LETHAL, WOUND, is_lethal
from campale.rulesets.ragnarok.special import rerolls_armour

STOPPED = ""
AUTOMATIC = 0
"""The face of a hit for which no die was rolled."""


@rule("fire/saves")
async def protection(model: Model, face: int, piercing: int = 0, magic: bool = False, lethal: bool = True) -> str:
    """What becomes of one hit: stopped, a wound, or lethal. ``face`` is the natural die that hit."""
    if await shield_stops(model):
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


@rule("profile/armour-number")
async def armour_roll(model: Model, piercing: int, magic: bool) -> Die:
    """The armour die; an Undead's first success against magic is rolled again."""
    need = needed_on_one(model.profile.armour_save, (piercing_part(piercing),))
    die = await one_die(model.position, model.side, "armour-save", need, model=model.row)
    if die.passed and rerolls_armour(model, magic):
        die = await one_die(model.position, model.side, "armour-save", need, model=model.row, again=True)
    return die


@rule("lethal/no-armour")
async def unarmoured(model: Model, face: int) -> str:
    """Without armour a die is rolled only for hits made with a natural 6: on a 1 they are lethal."""
    if face != 6:
        return WOUND
    die = await one_die(model.position, model.side, "lethal", needed_on_one(2), model=model.row)
    return LETHAL if is_lethal(face, die.face) else WOUND


@rule("weapon-rules/shield-breaker", "weapon-rules/shield-puller")
def lose_shield(model: Model) -> None:
    """The shield is gone for the rest of the game."""
    if has_shield(model):
        model.mark("shield-lost", 1)
