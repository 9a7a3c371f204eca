"""Units that shoot again, or shoot back (s/shoot-again-*); targets that respond."""

from __future__ import annotations

from collections.abc import Collection

from campale.referee.position import Unit
from campale.referee.rule import rule
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.shooting.declaring import Declared, aimed, declare, declare_at, renewed
from campale.rulesets.w10.shooting.eligible import Gun, can_shoot_out_of_phase, guns_of, is_eligible
from campale.rulesets.w10.shooting.targets import targets_of
from campale.rulesets.w10.windows.windows import open_window

Used = Collection[tuple[int, int]]
"""Weapons that have been used: the row of the model and the number of the weapon."""


@rule("s/shoot-again-what")
def same_guns(unit: Unit, used: Used) -> list[Gun]:
    """The weapons that a unit has already used in this phase."""
    return [gun for gun in guns_of(unit) if (gun.model.row, gun.weapon) in used]


@rule("s/shoot-again-eligible")
def can_shoot_again(unit: Unit, used: Used) -> bool:
    """True if a unit may shoot again: it needs a target, and all bars on shooting apply except having shot."""
    return bool(is_eligible(unit) and targets_of(unit.position, unit.side, same_guns(unit, used)))


@rule("s/shoot-again-order", "s/shoot-again-what")
async def shoot_again(unit: Unit, used: Used) -> None:
    """Shoot again, once the earlier attacks are resolved."""
    declared = [one for one in await declare(unit, used) if members(Unit(unit.position, one[1]))]
    if declared:
        unit.position.write("shoots", unit=unit.row, targets=list(dict.fromkeys(target for _, target in declared)))
        declared = await let_targets_answer(unit, declared)
        await resolve(unit, await aimed(unit, declared))


@rule("s/just-after", "stratagems/go-to-ground", "stratagems/smokescreen")
async def let_targets_answer(unit: Unit, declared: Declared) -> Declared:
    """Let the units just chosen as targets respond; return what is still aimed at after that."""
    for target in dict.fromkeys(target for _, target in declared):
        if await open_window(unit.position, "targets-chosen", targeted=target):
            declared = await renewed(unit, declared)
    return declared


@rule("s/shoot-again-eligible", "out-of-phase/definition")
def can_shoot_back(unit: Unit, target: int) -> bool:
    """True if a unit may shoot at that enemy now, as in its own Shooting phase."""
    position = unit.position
    able = bool(members(unit)) and can_shoot_out_of_phase(unit)
    return able and target in targets_of(position, unit.side, guns_of(unit))


@rule("out-of-phase/definition", "shooting-phase/select-targets")
async def shoot_back(unit: Unit, target: int) -> None:
    """Shoot at that enemy alone."""
    guns = await declare_at(unit, target)
    unit.position.write("shoots", unit=unit.row, targets=[target])
    await resolve(unit, await aimed(unit, [(gun, target) for gun in guns]))
