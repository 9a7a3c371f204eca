"""Tank Shock: a VEHICLE rams as its charge move ends (stratagems/tank-shock)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import choose, roll
from campale.referee.position import Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import Against, strength_of
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.attack.demise import harm_over
from campale.rulesets.w10.basics.characteristics import toughness
from campale.rulesets.w10.basics.units import engaged_with, members

RAM_HITS, MOST_RAM, STRONGER = 5, 6, 2


@rule("stratagems/tank-shock")
async def ram(unit: Unit) -> None:
    """After the charge move, roll dice equal to the Strength of a melee weapon against an enemy engaged with it."""
    position, enemies, model = unit.position, [one.row for one in engaged_with(unit)], members(unit)[0]
    lines = [line for weapon in model.profile.melee for line in weapon.lines]
    if not enemies or not lines:
        return
    row = await choose(unit.side, "ram-at", enemies, of="unit", unit=unit.row)
    target = Unit(position, int(row))
    strength = max(strength_of(Against(unit, line, target, toughness(target), model.row)) for line in lines)
    dice = strength + (STRONGER if strength > toughness(target) else 0)
    hits = (await roll(unit.side, "tank-shock", dice, needed=Need(RAM_HITS), unit=unit.row)).successes
    await mortal_wounds(target, min(MOST_RAM, hits), model.row, "tank-shock")
    await harm_over(position)
