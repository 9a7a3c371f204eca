"""Units that may shoot, and their weapons (shooting-phase/eligible, i/*, weapon-abilities/pistol)."""

from __future__ import annotations

from typing import NamedTuple

from campale.referee.position import ABOARD, Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import is_granted, may_although_advanced
from campale.rulesets.w10.armies.profile import Line, Weapon
from campale.rulesets.w10.attack.destruction import is_stand_in
from campale.rulesets.w10.basics.units import (
    ADVANCED,
    FELL_BACK,
    SHOT,
    SPENT,
    is_engaged,
    is_large,
    members,
    units_of,
)


class Gun(NamedTuple):
    """A ranged weapon profile of a model: the numbers of the weapon and of the profile.

    ``lender``: the passenger that owns the weapon, where a TRANSPORT shoots it.
    """

    model: Model
    weapon: int
    line: int
    lender: Model | None = None

    @property
    def carried(self) -> Weapon:
        owner = self.model if self.lender is None else self.lender
        found: Weapon = owner.profile.weapons[self.weapon]
        return found

    @property
    def profile(self) -> Line:
        return self.carried.lines[self.line]


@rule("shooting-phase/sequence", "n/not-selected")
def to_shoot(position: Position, side: int) -> list[Unit]:
    """The units that may still be selected to shoot."""
    return [unit for unit in units_of(position, side) if not unit.marks(SHOT) and is_eligible(unit)]


@rule("shooting-phase/eligible", "i/eligible-without-guns")
def is_eligible(unit: Unit) -> bool:
    """False for a unit that Fell Back, Advanced without ASSAULT, or is engaged without PISTOLs and not large."""
    return why_not_eligible(unit) is None


@rule("shooting-phase/eligible")
def why_not_eligible(unit: Unit) -> Refusal | None:
    return first_refusal((has_fallen_back, has_advanced, is_locked_in_combat), unit)


@rule("movement-phase/fall-back", "shooting-phase/eligible")
def has_fallen_back(unit: Unit) -> Fault | None:
    return Fault(word="shooting-barred.fell-back") if unit.marks(FELL_BACK) else None


@rule("movement-phase/advance", "shooting-phase/eligible", "weapon-abilities/assault")
def has_advanced(unit: Unit) -> Fault | None:
    is_barred = has_run(unit) and not any(is_assault(unit, gun) for gun in all_guns_of(unit))
    return Fault(word="shooting-barred.advanced") if is_barred else None


@rule("b/locked-in-combat", "shooting-phase/eligible", "weapon-abilities/pistol")
def is_locked_in_combat(unit: Unit) -> Fault | None:
    is_free = not is_engaged(unit) or is_large(unit) or has_gun(unit, "pistol")
    return None if is_free else Fault(word="shooting-barred.engaged")


@rule("out-of-phase/limits", "s/deploy-oversize-turn", "s/shoot-again-eligible")
def can_shoot_out_of_phase(unit: Unit) -> bool:
    """True if a unit could shoot as in its own Shooting phase; an engaged unit may not shoot out of phase.

    In the other side's turn a unit is marked as having shot only if it was too large for where it was set up.
    """
    return not is_engaged(unit) and not unit.marks(SHOT) and is_eligible(unit)


@rule("movement-phase/advance")
def has_run(unit: Unit) -> bool:
    """True if a unit has Advanced and has no ability that lets it shoot anyway."""
    return bool(unit.marks(ADVANCED)) and not may_although_advanced(unit, "shoot")


def has_gun(unit: Unit, ability: str) -> bool:
    return any(line.has(ability) for m in members(unit) for weapon in m.profile.ranged for line in weapon.lines)


@rule("e/unit-equipment")
def guns_of(unit: Unit) -> list[Gun]:
    """Every ranged weapon profile that a unit may use now."""
    return [gun for gun in all_guns_of(unit) if may_use(unit, gun)]


def all_guns_of(unit: Unit) -> list[Gun]:
    return [
        Gun(model, number, line)
        for model in members(unit)
        for number, weapon in enumerate(model.profile.weapons)
        for line in range(0 if weapon.is_melee else len(weapon.lines))
    ]


@rule("weapon-abilities/assault", "duplicate-abilities/core-ability")
def is_assault(unit: Unit, gun: Gun) -> bool:
    """True for an ASSAULT weapon, by its profile or by an ability."""
    return gun.profile.has("assault") or is_granted(unit, "assault", gun.model)


@rule(
    "weapon-abilities/assault",
    "weapon-abilities/pistol",
    "i/big-guns-never-tire",
    "weapon-abilities/one-shot",
    "a/psychic-without-psyker",
)
def may_use(unit: Unit, gun: Gun) -> bool:
    """After an Advance only ASSAULT may fire; engaged units fire only PISTOLs unless large; ONE SHOT fires once."""
    line = gun.profile
    if has_run(unit) and not is_assault(unit, gun):
        return False
    if is_engaged(unit) and not is_large(unit) and not line.has("pistol"):
        return False
    return not (line.has("one-shot") and gun.weapon in owner_of(gun).note(SPENT, ()))


def owner_of(gun: Gun) -> Model:
    return gun.model if gun.lender is None else gun.lender


@rule("weapon-abilities/one-shot", "u/one-shot")
def spend(gun: Gun) -> None:
    """Use up a ONE SHOT weapon; other copies of it remain."""
    if gun.profile.has("one-shot"):
        owner = owner_of(gun)
        owner.jot(SPENT, (*owner.note(SPENT, ()), gun.weapon))


@rule("core-abilities/firing-deck", "s/shoot-on-death-out-of-phase")
def lent_guns(unit: Unit) -> list[Gun]:
    """The ranged weapons of passengers that a TRANSPORT with Firing Deck may shoot in its own Shooting phase.

    None on its death, which is out of phase.
    """
    position = unit.position
    if is_stand_in(unit):
        return []
    return [
        Gun(carrier, number, line, rider)
        for carrier in members(unit)
        if carrier.profile.can("firing-deck")
        for rider in position.models
        if rider.where == ABOARD and position.aboard_of[rider.row] == carrier.row
        for number, weapon in enumerate(rider.profile.weapons)
        for line in range(0 if weapon.is_melee else len(weapon.lines))
        if may_use(unit, Gun(carrier, number, line, rider))
    ]
