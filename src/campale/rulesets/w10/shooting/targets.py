"""What may be targeted, and what is true of an attack when its target is selected (shooting-phase/select-targets)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campale.dice.needs import Part
from campale.referee.position import Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.attached import is_attached
from campale.rulesets.w10.basics.characteristics import toughness
from campale.rulesets.w10.basics.sight import sees_unit, sights
from campale.rulesets.w10.basics.units import (
    CHARGED,
    STATIONARY,
    distance,
    engaged_with,
    every,
    has,
    is_engaged,
    is_large,
    members,
    near,
    units_of,
)
from campale.rulesets.w10.shooting.eligible import Gun

LONE = 12.0
PER_BLAST = 5
CRITICAL = 6


class Aimed(NamedTuple):
    """A gun at a unit."""

    gun: Gun
    target: Unit

    @property
    def unit(self) -> Unit:
        return self.gun.model.unit

    @property
    def line(self) -> Line:
        return self.gun.profile


# ---------------------------------------------------------------- what forbids a target


@rule("shooting-phase/select-targets")
def out_of_reach(aimed: Aimed) -> Fault | None:
    """No model of the target is both in range and visible; INDIRECT FIRE need not see it."""
    gun, far = aimed.gun, aimed.line.range or 0.0
    theirs = members(aimed.target)
    in_range = near(gun.model.position, [gun.model], theirs, far)
    if not in_range.any():
        nearest = min(theirs, key=lambda m: distance(gun.model, m))
        return Fault(nearest.at, distance(gun.model, nearest), far, nearest.row, word="out-of-range")
    if aimed.line.has("indirect-fire") or (in_range & sights(gun.model.position, [gun.model], theirs)).any():
        return None
    return Fault(theirs[0].at, model=theirs[0].row, word="not-visible", rule="visibility/visible")


@rule("b/locked-in-combat", "attack/big-guns-penalty", "weapon-abilities/pistol")
def locked_in_combat(aimed: Aimed) -> Fault | None:
    """A unit engaged with friends is no target, unless it is large, or engaged with the unit that shoots."""
    unit, target = aimed.unit, aimed.target
    if not is_engaged(target) or is_large(target):
        return None
    own = target in engaged_with(unit)
    if own and (is_large(unit) or aimed.line.has("pistol")):
        return None
    return Fault(members(target)[0].at, model=members(target)[0].row)


@rule("weapon-abilities/pistol")
def not_engaged_with(aimed: Aimed) -> Fault | None:
    """A unit locked in combat shoots PISTOLs only at those whom it is engaged with; large units are free."""
    unit = aimed.unit
    if not is_engaged(unit) or is_large(unit) or aimed.target in engaged_with(unit):
        return None
    return Fault(members(aimed.target)[0].at, model=members(aimed.target)[0].row)


@rule("weapon-abilities/blast")
def blast_at_friends(aimed: Aimed) -> Fault | None:
    """BLAST never at a unit within engagement range of its own army."""
    if not aimed.line.has("blast") or not is_engaged(aimed.target):
        return None
    return Fault(members(aimed.target)[0].at, model=members(aimed.target)[0].row)


@rule("core-abilities/lone-operative")
def lone_operative(aimed: Aimed) -> Fault | None:
    """Only from within 12 inches."""
    if is_attached(aimed.target) or not every(aimed.target, "lone-operative"):
        return None
    far = min(distance(aimed.gun.model, m) for m in members(aimed.target))
    close = near(aimed.gun.model.position, [aimed.gun.model], members(aimed.target), LONE).any()
    return None if close else Fault(measured=far, limit=LONE, model=members(aimed.target)[0].row)


RESTRICTIONS = (lone_operative, locked_in_combat, not_engaged_with, blast_at_friends, out_of_reach)


@rule("shooting-phase/select-targets", "b/target-of-attack", "terrain/general")
def why_not(gun: Gun, target: Unit) -> Refusal | None:
    """Why a gun may not target a unit."""
    return first_refusal(RESTRICTIONS, Aimed(gun, target))


def targets_of(position: Position, side: int, guns: Sequence[Gun]) -> dict[int, list[Gun]]:
    """By the row of each enemy unit, the guns that may target it; units that none may are left out."""
    found = {unit.row: [gun for gun in guns if why_not(gun, unit) is None] for unit in units_of(position, 1 - side)}
    return {row: several for row, several in found.items() if several}


# ---------------------------------------------------------------- what is true at selection


@rule("b/target-condition", "c/unit-toughness-timing", "weapon-abilities/rapid-fire", "weapon-abilities/melta")
def shots_of(gun: Gun, target: Unit) -> Shots:
    """What a gun declares against a unit, with all that is read now and stays so."""
    position, line, unit = gun.model.position, gun.profile, gun.model.unit
    half = (line.range or 0.0) / 2.0
    unseen = line.has("indirect-fire") and not sees_unit(unit, target)
    return Shots(
        gun.model.row,
        gun.weapon,
        gun.line,
        target.row,
        near=bool(near(position, [gun.model], members(target), half).any()),
        extra=blast_of(line, target),
        parts=hit_parts(unit, line, target, unseen),
        covered=unseen,
        toughness=toughness(target),
        critical=critical_of(line, target),
        charged=bool(unit.marks(CHARGED)),
    )


@rule("weapon-abilities/blast")
def blast_of(line: Line, target: Unit) -> int:
    """One more attack for every five models."""
    return len(members(target)) // PER_BLAST if line.has("blast") else 0


@rule("weapon-abilities/anti", "keywords/mixed-unit")
def critical_of(line: Line, target: Unit) -> int:
    """From which face on a roll to wound is critical: 6, or what ANTI says of a keyword of the target."""
    numbers = [number for name, number in line.numbers.items() if name.startswith("anti-") and has(target, name[5:])]
    return min((CRITICAL, *numbers))


def hit_parts(unit: Unit, line: Line, target: Unit, unseen: bool) -> tuple[Part, ...]:
    """What changes the rolls to hit of ranged attacks."""
    parts = (heavy(unit, line), stealth(target), big_guns(unit, line, target), indirect(unseen))
    return tuple(part for part in parts if part is not None)


@rule("weapon-abilities/heavy")
def heavy(unit: Unit, line: Line) -> Part | None:
    """+1 in a turn in which the unit Remained Stationary."""
    return Part("weapon-abilities/heavy", 1) if line.has("heavy") and unit.marks(STATIONARY) else None


@rule("core-abilities/stealth")
def stealth(target: Unit) -> Part | None:
    return Part("core-abilities/stealth", -1) if every(target, "stealth") else None


@rule("attack/big-guns-penalty", "weapon-abilities/pistol")
def big_guns(unit: Unit, line: Line, target: Unit) -> Part | None:
    """-1 for a large unit that is engaged, and against one; PISTOLs have no penalty."""
    if line.has("pistol"):
        return None
    shooting = is_engaged(unit) and is_large(unit)
    shot_at = is_engaged(target) and is_large(target)
    return Part("attack/big-guns-penalty", -1) if shooting or shot_at else None


@rule("weapon-abilities/indirect-fire")
def indirect(unseen: bool) -> Part | None:
    """-1 against a unit that nobody of the attackers sees."""
    return Part("weapon-abilities/indirect-fire", -1) if unseen else None
