"""Declare weapons and targets in one form (shooting-phase/select-targets, shooting-phase/split)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from functools import partial
from typing import Any

from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.attack.attack import grouped
from campale.rulesets.w10.attack.unit_save import settle_saves
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.shooting.eligible import Gun, guns_of, lent_guns, spend
from campale.rulesets.w10.shooting.targets import closed_to, shots_of, targets_of, why_not

HOLD, SPLIT, EACH = "hold", "split", "each"
PISTOLS, OTHERS = "pistols", "others"
RARELY = 0.1

Declared = list[tuple[Gun, int]]
"""Guns, each with the row of its target."""
Asking = Generator[Question, Any, Declared]


@rule("shooting-phase/select-targets", "weapon-abilities/pistol-or-others", "datasheet/several-profiles")
def declaration(unit: Unit, used: Collection[tuple[int, int]] | None = None) -> Asking:
    """Declare all weapons at one target, or weapon by weapon; a unit may hold its fire, or that of some weapons.

    ``used``: the weapons of a unit that shoots again.
    """
    position, side = unit.position, unit.side
    guns = yield from choose_pistols([gun for gun in guns_of(unit) if is_among(gun, used)])
    guns += (yield from choose_lent(unit)) if used is None else []
    open_to = targets_of(position, side, guns)
    apart = len(open_to) > 1 or (len(guns) > 1 and any(is_dear(gun) for able in open_to.values() for gun in able))
    options: list[Plain] = [*open_to, *([SPLIT] if apart else []), HOLD]
    closed = partial(closed_to, unit, guns)
    about: dict[str, Plain] = {"unit": unit.row}
    odds: dict[Plain, float] = {HOLD: 0.2, SPLIT: 0.2}
    target = yield Choose(side, "shoot-at", options, "shoot-at", about=about, odds=odds, closed=closed)
    if target == HOLD:
        return []
    if target == SPLIT:
        return (yield from split(unit, guns, open_to))
    chosen = yield from choose_profiles(open_to[target])
    return [(gun, target) for gun in chosen]


@rule("weapon-abilities/one-shot", "weapon-abilities/hazardous")
def is_dear(gun: Gun) -> bool:
    """True for a weapon that its owner may want to hold back while others shoot."""
    return gun.profile.has("one-shot") or gun.profile.has("hazardous")


@rule("s/shoot-again-what")
def is_among(gun: Gun, used: Collection[tuple[int, int]] | None) -> bool:
    return used is None or (gun.model.row, gun.weapon) in used


@rule("weapon-abilities/pistol-or-others", "keywords/models-only")
def choose_pistols(guns: Sequence[Gun]) -> Generator[Question, Any, list[Gun]]:
    """A model with PISTOLs shoots either these or its other guns; a MONSTER or VEHICLE model shoots all.

    Models with the same guns choose together, or each for itself.
    """
    found: list[Gun] = []
    for (is_large, _), several in grouped(guns, carried_by):
        if is_large or len({gun.profile.has("pistol") for gun in several}) == 1:
            found += several
            continue
        for own, chosen in (yield from together_or_each(several, row_of, pistols_or_others)):
            found += [gun for gun in own if gun.profile.has("pistol") == (chosen == PISTOLS)]
    return found


def carried_by(gun: Gun) -> tuple[bool, tuple[str, ...]]:
    """Whether its model is a MONSTER or VEHICLE, and what ranged weapons it has."""
    profile = gun.model.profile
    return bool(profile.is_large), tuple(one.id for one in profile.ranged)


def pistols_or_others(guns: Sequence[Gun], with_each: bool) -> Choose:
    options = (OTHERS, PISTOLS, *([EACH] if with_each else ()))
    about: dict[str, Plain] = {"model": guns[0].model.row}
    return Choose(guns[0].model.side, "pistols-or-others", options, about=about, odds={EACH: RARELY})


def row_of(gun: Gun) -> int:
    return gun.model.row


def weapon_of(gun: Gun) -> tuple[int, int]:
    """The row of the model, and the number of the weapon."""
    return gun.model.row, gun.weapon


def together_or_each(
    guns: Sequence[Gun], by: Callable[[Gun], Any], choice: Callable[[Sequence[Gun], bool], Choose]
) -> Generator[Question, Any, list[tuple[list[Gun], Any]]]:
    """A choice for guns of one kind: for all of them together, or for each group by ``by``."""
    parts = [own for _, own in grouped(guns, by)]
    chosen = yield choice(guns, len(parts) > 1)
    if chosen != EACH:
        return [(list(guns), chosen)]
    found: list[tuple[list[Gun], Any]] = []
    for own in parts:
        found.append((own, (yield choice(own, False))))
    return found


@rule("core-abilities/firing-deck")
def choose_lent(unit: Unit) -> Generator[Question, Any, list[Gun]]:
    """Choose one weapon each of up to X passengers; only weapons with a target are offered."""
    position, found = unit.position, list[Gun]()
    lent = lent_guns(unit)
    able = [gun for guns in targets_of(position, unit.side, lent).values() for gun in guns]
    for _ in range(most_lent(unit)):
        riders = {gun.lender.row for gun in found if gun.lender is not None}
        keys = [key_of(gun) for gun in dict.fromkeys(able) if gun.lender is not None and gun.lender.row not in riders]
        if not keys:
            break
        chosen = yield Choose(unit.side, "firing-deck", [*keys, HOLD], "lent", about={"unit": unit.row})
        if chosen == HOLD:
            break
        found += [gun for gun in dict.fromkeys(able) if key_of(gun) == chosen]
    return found


def most_lent(unit: Unit) -> int:
    return sum(m.profile.numbers.get("firing-deck", 0) for m in members(unit))


def key_of(gun: Gun) -> tuple[int, int, int]:
    """The row of the passenger, and the numbers of its weapon and of the profile."""
    assert gun.lender is not None
    return gun.lender.row, gun.weapon, gun.line


@rule("shooting-phase/split", "b/single-target-unit", "b/single-target-model")
def split(unit: Unit, guns: Sequence[Gun], open_to: dict[int, list[Gun]]) -> Asking:
    """Choose targets for all weapons of a kind, or for each weapon; the attacks of one weapon stay together."""
    found: Declared = []
    for _, several in grouped((yield from choose_profiles(guns)), lambda gun: gun.carried.id):
        for own, chosen in (yield from together_or_each(several, weapon_of, partial(at_whom, open_to))):
            if chosen != HOLD:
                found += [(gun, chosen) for gun in own if why_not(gun, Unit(unit.position, chosen)) is None]
    return found


def numbers_of(gun: Gun) -> tuple[int, int, int, int]:
    """The row of the model, the numbers of its weapon and of the profile, and the row of the passenger or -1."""
    return gun.model.row, gun.weapon, gun.line, -1 if gun.lender is None else gun.lender.row


def at_whom(open_to: dict[int, list[Gun]], guns: Sequence[Gun], with_each: bool) -> Choose:
    side, options = guns[0].model.side, [row for row, able in open_to.items() if any(gun in able for gun in guns)]
    others = [HOLD, *([EACH] if with_each and (len(options) > 1 or is_dear(guns[0])) else [])]
    which: list[Plain] = [list(numbers_of(gun)) for gun in guns]
    about: dict[str, Plain] = {"model": guns[0].model.row, "weapon": guns[0].carried.id, "guns": which}
    odds, closed = {HOLD: 0.2, EACH: RARELY}, partial(closed_to, guns[0].model.unit, guns)
    return Choose(side, "weapon-at", [*options, *others], "shoot-at", about=about, odds=odds, closed=closed)


@rule("datasheet/several-profiles")
def choose_profiles(guns: Sequence[Gun]) -> Generator[Question, Any, list[Gun]]:
    """Choose one profile of each weapon with several: the same for all weapons of a kind, or each its own."""
    found: list[Gun] = []
    for _, several in grouped(guns, lambda gun: (gun.carried.id, len(gun.carried.lines))):
        if len({gun.line for gun in several}) == 1:
            found += several
            continue
        for own, line in (yield from together_or_each(several, weapon_of, which_profile)):
            found += [gun for gun in own if gun.line == line]
    return found


def which_profile(guns: Sequence[Gun], with_each: bool) -> Choose:
    lines = sorted({gun.line for gun in guns})
    options = [*lines, *([EACH] if with_each and len(lines) > 1 else [])]
    about: dict[str, Plain] = {"model": guns[0].model.row, "weapon": guns[0].carried.id}
    return Choose(guns[0].model.side, "profile", options, "weapon-profile", about=about, odds={EACH: RARELY})


@rule("stratagems/fire-overwatch", "shooting-phase/select-targets")
def declaration_at(unit: Unit, target: int) -> Generator[Question, Any, list[Gun]]:
    """All guns of a unit that can shoot at one target; some may be held back."""
    guns = yield from choose_pistols(guns_of(unit))
    able = yield from choose_profiles(targets_of(unit.position, unit.side, guns).get(target, []))
    found = [gun for gun in able if not is_dear(gun) or len(able) == 1]
    for _, several in grouped([gun for gun in able if gun not in found], lambda gun: gun.carried.id):
        for own, chosen in (yield from together_or_each(several, weapon_of, partial(at_whom, {target: able}))):
            found += own if chosen != HOLD else ()
    return found


async def declare_at(unit: Unit, target: int) -> list[Gun]:
    """The guns that a unit declares against the only target it may shoot at."""
    about: dict[str, Plain] = {"unit": unit.row, "target": target}
    return await fill_in_script(unit.side, "snap-shots", partial(declaration_at, unit, target), **about) or []


async def declare(unit: Unit, used: Collection[tuple[int, int]] | None = None) -> Declared:
    """The guns and targets that a unit declares; empty if it holds its fire."""
    script = partial(declaration, unit, used)
    about: dict[str, Plain] = {"unit": unit.row}
    if used is not None:
        about["used"] = sorted(list(one) for one in used)
    filled = await fill_in_script(unit.side, "shooting", script, [HOLD], **about)
    return filled or []


@rule("b/target-condition")
async def aimed(unit: Unit, declared: Declared, snap: bool = False) -> list[Shots]:
    """The shots, with all that is true as targets are selected; each gun is used. ``snap``: only sixes hit."""
    there = [(gun, Unit(unit.position, target)) for gun, target in declared if members(Unit(unit.position, target))]
    await settle_saves(unit, [target.row for _, target in there])
    for gun, _ in declared:
        spend(gun)
    return [shots_of(gun, target, snap) for gun, target in there]


@rule("b/target-no-longer-eligible", "shooting-phase/declared-attacks-stand")
async def renewed(unit: Unit, declared: Declared) -> Declared:
    """Choose new targets for weapons whose target is no longer eligible; without any, the attacks are lost."""
    lost = [gun for gun, target in declared if is_barred(gun, Unit(unit.position, target))]
    kept = [(gun, target) for gun, target in declared if gun not in lost]
    open_to = targets_of(unit.position, unit.side, lost)
    if not open_to:
        return kept
    script = partial(split, unit, lost, open_to)
    return kept + (await fill_in_script(unit.side, "shooting-again", script, unit=unit.row) or [])


def is_barred(gun: Gun, target: Unit) -> bool:
    """True if a target is still there but no longer eligible; attacks on a destroyed target stand."""
    return bool(members(target)) and why_not(gun, target) is not None
