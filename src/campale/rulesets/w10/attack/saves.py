"""Saving throws (attack/saving-throw*, attack/invulnerable-save)."""

from __future__ import annotations

from campale.dice.needs import Need, Part
from campale.referee.ask import roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.attack.allocation import takes
from campale.rulesets.w10.attack.attack import NEVER, grouped
from campale.rulesets.w10.attack.values import Attack, Wound
from campale.rulesets.w10.basics.attached import leaders
from campale.rulesets.w10.basics.cover import cover_of, helps
from campale.rulesets.w10.basics.units import members

FACES = (1, 2, 3, 4, 5, 6)


@rule("attack/saving-throw", "terrain/benefit-of-cover", "weapon-abilities/ignores-cover")
def cover_part(model: Model, attack: Attack) -> tuple[Part, ...]:
    """+1 against a ranged attack, where cover helps."""
    line = attack.line
    if line.is_melee or line.has("ignores-cover") or not helps(model.profile.sv, line.ap):
        return ()
    attackers = members(model.position.model(attack.by).unit)
    by = "weapon-abilities/indirect-fire" if attack.covered else cover_of(model, attackers)
    return () if by is None else (Part(by, 1),)


@rule("attack/saving-throw", "attack/saving-throw-cap", "c/save-against")
def armour_need(model: Model, attack: Attack) -> Need:
    """The Save with the AP of the attack and with cover; no better than +1 in all."""
    parts = cover_part(model, attack)
    if attack.line.ap:
        parts = (Part("attack/saving-throw", attack.line.ap), *parts)
    total = sum(part.value for part in parts)
    if total > 1:
        parts = (*parts, Part("attack/saving-throw-cap", 1 - total))
    return Need(model.profile.sv, parts, never=NEVER)


@rule("attack/invulnerable-save", "m/positive-modifier", "m/negative-modifier")
def save_need(model: Model, attack: Attack) -> Need:
    """The better of the two saves; AP and cover do nothing to an invulnerable one."""
    armour, other = armour_need(model, attack), model.profile.invulnerable
    if other is None:
        return armour
    invulnerable = Need(other, never=NEVER)
    return invulnerable if chances(invulnerable) > chances(armour) else armour


@rule("weapon-abilities/precision")
def picks(attack: Attack, unit: Unit) -> bool:
    """Whether each attack may be allocated apart."""
    return attack.line.has("precision") and bool(leaders(unit))


def chances(need: Need) -> int:
    return sum(need.are_met_by(FACES))


@rule("attack/saving-throw", "attack/fast-dice")
async def save_together(position: Position, wounds: tuple[Wound, ...]) -> tuple[Wound, ...]:
    """Where all models of a target save alike the throws are made in one handful; other wounds are passed on."""
    found: list[Wound] = []
    for attack, several in grouped(wounds, lambda wound: (wound.attack, wound.mortal)):
        one, mortal = attack
        models = members(Unit(position, one.target))
        needs = {save_need(model, one) for model in models}
        if mortal or len(needs) != 1 or len(several) == 1 or picks(one, Unit(position, one.target)):
            found += several
            continue
        first = await takes(Unit(position, one.target))
        assert first is not None
        dice = await roll_for(first.side, "save", several, needs.pop(), unit=one.target)
        failed = len(several) - dice.successes
        found += [Wound(one, is_unsaved=True)] * failed
    return tuple(found)


@rule("attack/saving-throw", "s/saved")
async def saves(model: Model, attack: Attack) -> bool:
    return (await roll(model.side, "save", 1, needed=save_need(model, attack), model=model.row)).successes > 0
