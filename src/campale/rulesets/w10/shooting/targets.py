"""Legal targets, and what is true of an attack when its target is selected (shooting-phase/select-targets)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from campale.dice.needs import Part
from campale.mechanics.bases import Flags
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import (
    Against,
    attack_changes,
    critical_from,
    granted,
    hidden_beyond,
    ignorable,
    is_granted,
    rerolls,
    roll_parts,
    succeeds_on,
)
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.attack.destruction import foes_of
from campale.rulesets.w10.attack.ignoring import sorted_out
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.attached import is_attached
from campale.rulesets.w10.basics.characteristics import toughness
from campale.rulesets.w10.basics.levels import is_at_ground_level
from campale.rulesets.w10.basics.modifiers import Change
from campale.rulesets.w10.basics.sight import ruins, sees_unit, sights, wholly_within
from campale.rulesets.w10.basics.units import (
    CHARGED,
    SMOKE,
    STATIONARY,
    distance,
    engaged_with,
    every,
    has,
    is_engaged,
    is_large,
    members,
    near,
)
from campale.rulesets.w10.shooting.eligible import Gun
from campale.table.shapes import TOLERANCE

LONE = 12.0
PER_BLAST = 5
CHANGED = ("a", "s", "ap", "d", "ws", "bs")
PLUNGING = 6.0
CRITICAL = 6


class Aimed(NamedTuple):
    """A gun aimed at a unit."""

    gun: Gun
    target: Unit

    @property
    @rule("m/firing-model")
    def unit(self) -> Unit:
        return self.gun.model.unit

    @property
    def line(self) -> Line:
        return self.gun.profile


# ---------------------------------------------------------------- what forbids a target


@rule("shooting-phase/select-targets", "weapon-abilities/indirect-fire", "core-abilities/lone-operative")
def reaches(position: Position, guns: Sequence[Gun], others: Sequence[Model]) -> Flags:
    """Whether each enemy model is in range of each gun and visible to its model, as an array (guns, others).

    INDIRECT FIRE needs no sight; Lone Operatives and other hidden units shorten the range (Lone Operatives: 12 inches).
    """
    shooters = [gun.model for gun in guns]
    ranges = np.array([gun.profile.range or 0.0 for gun in guns])[:, None]
    hidden = {row: hides_beyond(Unit(position, row)) for row in {position.unit_of[m.row] for m in others}}
    lone = np.array([hidden[position.unit_of[m.row]] for m in others])
    found = near(position, shooters, others, np.minimum(ranges, lone))
    needs = found & ~np.array([gun.profile.has("indirect-fire") for gun in guns])[:, None]
    lines, columns = needs.any(axis=1).nonzero()[0], needs.any(axis=0).nonzero()[0]
    if len(lines):
        seen = sights(position, [shooters[n] for n in lines.tolist()], [others[k] for k in columns.tolist()])
        grid = np.ix_(lines, columns)
        found[grid] &= seen | ~needs[grid]
    return found


@rule("core-abilities/lone-operative", "core-abilities/leader")
def is_lone(unit: Unit) -> bool:
    return every(unit, "lone-operative") and not is_attached(unit)


@rule("core-abilities/lone-operative")
def hides_beyond(unit: Unit) -> float:
    """The greatest distance in inches from which ranged attacks may target a unit."""
    by_ability = hidden_beyond(unit)
    return min(LONE if is_lone(unit) else np.inf, np.inf if by_ability is None else by_ability)


@rule("shooting-phase/select-targets")
def out_of_reach(aimed: Aimed) -> Fault | None:
    """No model of the target is both in range and visible."""
    gun, far = aimed.gun, aimed.line.range or 0.0
    theirs = members(aimed.target)
    if reaches(gun.model.position, [gun], theirs).any():
        return None
    nearest = min(theirs, key=lambda m: distance(gun.model, m))
    if not near(gun.model.position, [gun.model], theirs, far).any():
        return Fault(nearest.at, distance(gun.model, nearest), far, nearest.row, word="out-of-range")
    return Fault(theirs[0].at, model=theirs[0].row, word="not-visible", rule="visibility/visible")


@rule("b/locked-in-combat", "attack/big-guns-penalty", "weapon-abilities/pistol")
def locked_in_combat(aimed: Aimed) -> Fault | None:
    """A unit locked in combat is no target, unless it is large.

    A large unit, or a PISTOL, may shoot at a unit that the shooter itself is engaged with.
    """
    unit, target = aimed.unit, aimed.target
    if not is_engaged(target) or is_large(target):
        return None
    own = target in engaged_with(unit)
    if own and (is_large(unit) or aimed.line.has("pistol")):
        return None
    return Fault(members(target)[0].at, model=members(target)[0].row)


@rule("weapon-abilities/pistol")
def not_engaged_with(aimed: Aimed) -> Fault | None:
    """A unit locked in combat shoots only at units that it is engaged with, unless it is large."""
    unit = aimed.unit
    if not is_engaged(unit) or is_large(unit) or aimed.target in engaged_with(unit):
        return None
    return Fault(members(aimed.target)[0].at, model=members(aimed.target)[0].row)


@rule("weapon-abilities/blast")
def blast_at_friends(aimed: Aimed) -> Fault | None:
    """BLAST weapons may not target a unit engaged with the shooter's own army."""
    if not aimed.line.has("blast") or not is_engaged(aimed.target):
        return None
    return Fault(members(aimed.target)[0].at, model=members(aimed.target)[0].row)


@rule("core-abilities/lone-operative")
def lone_operative(aimed: Aimed) -> Fault | None:
    """A Lone Operative may be targeted only from within 12 inches, or from the distance that an ability sets."""
    limit = hides_beyond(aimed.target)
    theirs = members(aimed.target)
    if limit == np.inf or near(aimed.gun.model.position, [aimed.gun.model], theirs, limit).any():
        return None
    return Fault(measured=min(distance(aimed.gun.model, m) for m in theirs), limit=limit, model=theirs[0].row)


UNIT_BY_UNIT = (locked_in_combat, not_engaged_with, blast_at_friends)
"""Restrictions that depend only on the weapon and the two units."""

RESTRICTIONS = (lone_operative, *UNIT_BY_UNIT, out_of_reach)


@rule("shooting-phase/select-targets", "b/target-of-attack", "terrain/general")
def why_not(gun: Gun, target: Unit) -> Refusal | None:
    """Why a gun may not target a unit; None if it may."""
    return first_refusal(RESTRICTIONS, Aimed(gun, target))


def targets_of(
    position: Position, side: int, guns: Sequence[Gun], units: Sequence[Unit] | None = None
) -> dict[int, list[Gun]]:
    """For the row of each enemy unit, the guns that may target it; units without any are left out.

    ``units``: look only at these.
    """
    found: dict[int, list[Gun]] = {}
    units = foes_of(position, side) if units is None else units
    others = [m for unit in units for m in members(unit)]
    if not guns or not others:
        return found
    reached = reaches(position, guns, others)
    owners = np.array([position.unit_of[m.row] for m in others])
    for unit in units:
        able = [guns[n] for n in np.flatnonzero(reached[:, owners == unit.row].any(axis=1)).tolist()]
        barred = {gun.profile: first_refusal(UNIT_BY_UNIT, Aimed(gun, unit)) for gun in able}
        if open_ := [gun for gun in able if barred[gun.profile] is None]:
            found[unit.row] = open_
    return found


def closed_to(unit: Unit, guns: Sequence[Gun]) -> dict[Plain, Refusal | Fault | None]:
    """For the row of each enemy unit, why the gun with the longest range may not target it; empty without a gun."""
    if not guns:
        return {}
    gun = max(guns, key=lambda one: one.profile.range or 0.0)
    return {enemy.row: why_not(gun, enemy) for enemy in foes_of(unit.position, unit.side)}


def has_target(position: Position, side: int, guns: Sequence[Gun]) -> bool:
    """True if one of the guns may target any enemy; the nearest enemies are tried first."""
    if not guns:
        return False
    x, y = guns[0].model.at

    def off(unit: Unit) -> float:
        rows = [m.row for m in members(unit)]
        return min((position.x[row] - x) ** 2 + (position.y[row] - y) ** 2 for row in rows)

    enemies = sorted(foes_of(position, side), key=off)
    return any(targets_of(position, side, guns, [unit]) for unit in enemies)


# ---------------------------------------------------------------- what is true at selection


@rule("b/target-condition", "c/unit-toughness-timing")
def shots_of(gun: Gun, target: Unit, snap: bool = False) -> Shots:
    """The declaration of a gun against a unit, with values read now and then fixed. ``snap``: only sixes hit."""
    position, line, unit = gun.model.position, gun.profile, gun.model.unit
    unseen = line.has("indirect-fire") and not sees_unit(unit, target)
    attack = Against(unit, line, target, toughness(target), gun.model.row)
    if more := granted(attack):
        line = replace(line, abilities=(*line.abilities, *more))
    return Shots(
        gun.model.row,
        gun.weapon,
        gun.line,
        target.row,
        near=within_half(position, [gun], target)[0],
        extra=blast_of(line, target),
        covered=unseen,
        toughness=toughness(target),
        charged=bool(unit.marks(CHARGED)),
        snap=snap,
        lender=-1 if gun.lender is None else gun.lender.row,
        **by_abilities(attack, hit_parts(unit, line, target, unseen), plunging(gun.model, target)),
    )


@rule("weapon-abilities/rapid-fire", "weapon-abilities/melta")
def within_half(position: Position, guns: Sequence[Gun], target: Unit) -> list[bool]:
    """For each gun, whether a model of the target is within half its range."""
    halves = np.array([(gun.profile.range or 0.0) / 2.0 for gun in guns])[:, None]
    any_near = np.asarray(near(position, [gun.model for gun in guns], members(target), halves).any(axis=1))
    return [bool(one) for one in any_near]


@rule("b/target-condition", "duplicate-abilities/core-ability")
def by_abilities(
    attack: Against, parts: Sequence[Part] = (), besides: Sequence[tuple[str, Change]] = ()
) -> dict[str, Any]:
    """The effects of abilities on attacks, as they stand when the target is selected.

    ``parts``: other modifiers of the hit rolls; ``besides``: other changes to characteristics.
    """
    hit = [("hit", part) for part in (*parts, *roll_parts(attack, "hit"))]
    changes = [(name, one) for name in CHANGED for one in attack_changes(attack, name)]
    more = granted(attack)
    line = replace(attack.line, abilities=(*attack.line.abilities, *more)) if more else attack.line
    return {
        "critical": critical_from(attack, "wound", critical_of(line, attack.target)),
        "critical_hit": critical_from(attack, "hit"),
        "wounding": roll_parts(attack, "wound"),
        "again": rerolls(attack),
        "granted": more,
        "succeeds": succeeds_on(attack, "wound"),
        **sorted_out(ignorable(attack), [*hit, *besides, *changes]),
    }


@rule("terrain/ruins-plunging-fire", "modifiers/improve-ap", "l/ground-level")
def plunging(model: Model, target: Unit) -> tuple[tuple[str, Change], ...]:
    """Improve AP by 1 from 6 inches up, wholly within ruins, against a unit entirely on the ground."""
    is_high = model.z >= PLUNGING - TOLERANCE and bool(wholly_within(model, ruins).any())
    if not is_high or not all(is_at_ground_level(m) for m in members(target)):
        return ()
    return (("ap", Change("terrain/ruins-plunging-fire", "improve", 1)),)


@rule("weapon-abilities/blast")
def blast_of(line: Line, target: Unit) -> int:
    """The extra attacks of BLAST: one for every five models in the target."""
    return len(members(target)) // PER_BLAST if line.has("blast") else 0


@rule("weapon-abilities/anti", "keywords/mixed-unit")
def critical_of(line: Line, target: Unit) -> int:
    """The lowest face that is a critical wound: 6, or what ANTI gives against a keyword of the target."""
    numbers = [number for name, number in line.numbers.items() if name.startswith("anti-") and has(target, name[5:])]
    return min((CRITICAL, *numbers))


def hit_parts(unit: Unit, line: Line, target: Unit, unseen: bool) -> tuple[Part, ...]:
    """The modifiers of hit rolls for ranged attacks."""
    parts = (heavy(unit, line), stealth(target), big_guns(unit, line, target), indirect(unseen))
    return tuple(part for part in parts if part is not None)


@rule("weapon-abilities/heavy")
def heavy(unit: Unit, line: Line) -> Part | None:
    """+1 in a turn in which the unit Remained Stationary."""
    return Part("weapon-abilities/heavy", 1) if line.has("heavy") and unit.marks(STATIONARY) else None


@rule("core-abilities/stealth", "stratagems/smokescreen", "duplicate-abilities/no-stacking")
def stealth(target: Unit) -> Part | None:
    """-1 against a unit with Stealth; several sources count only once."""
    has_it = every(target, "stealth") or target.marks(SMOKE) or is_granted(target, "stealth")
    return Part("core-abilities/stealth", -1) if has_it else None


@rule("attack/big-guns-penalty", "weapon-abilities/pistol")
def big_guns(unit: Unit, line: Line, target: Unit) -> Part | None:
    """-1 for a large engaged unit that shoots, and against a large engaged target; PISTOLs have no penalty."""
    if line.has("pistol"):
        return None
    shooting = is_engaged(unit) and is_large(unit)
    shot_at = is_engaged(target) and is_large(target)
    return Part("attack/big-guns-penalty", -1) if shooting or shot_at else None


@rule("weapon-abilities/indirect-fire")
def indirect(unseen: bool) -> Part | None:
    """-1 against a unit that no attacking model sees."""
    return Part("weapon-abilities/indirect-fire", -1) if unseen else None
