"""Who strikes at whom with what (fight-phase/which-models, fight-phase/select-weapon, fight-phase/select-targets)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.mechanics.moves.contact import in_contact
from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Model, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.attack.attack import grouped
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.characteristics import toughness
from campale.rulesets.w10.basics.units import CHARGED, ENGAGEMENT, members, near
from campale.rulesets.w10.shooting.targets import critical_of

EXTRA, EACH = "extra-attacks", "each"


class Blow(NamedTuple):
    """A profile of a melee weapon of a model at the unit of a row."""

    model: Model
    weapon: int
    line: int
    target: int


Asking = Generator[Question, Any, list[Blow]]


@rule("fight-phase/which-models", "fight-phase/select-targets")
def reach_of(unit: Unit) -> dict[int, list[int]]:
    """By the row of each model that fights, the rows of the enemy units that it may strike at."""
    position, models = unit.position, members(unit)
    enemies = position.on_table(1 - unit.side)
    close = near(position, models, enemies, ENGAGEMENT)
    found = {}
    for model, row in zip(models, close.tolist(), strict=True):
        units = {position.unit_of[m.row] for m, is_near in zip(enemies, row, strict=True) if is_near}
        found[model.row] = sorted(units | behind_a_friend(model, models, enemies))
    return {row: units for row, units in found.items() if units}


@rule("fight-phase/which-models")
def behind_a_friend(model: Model, models: Sequence[Model], enemies: Sequence[Model]) -> set[int]:
    """Through a model of its unit, with which it is in base contact, and which touches the enemy."""
    position = model.position
    friends = [one for one in models if one.row != model.row and in_contact(model.solid, [one])]
    touched = (enemy for one in friends for enemy in enemies if in_contact(one.solid, [enemy]))
    return {position.unit_of[enemy.row] for enemy in touched}


# ---------------------------------------------------------------- the form


@rule("fight-phase/select-weapon", "fight-phase/select-targets")
def declaration(unit: Unit, reach: dict[int, list[int]]) -> Asking:
    """Models that carry the same and reach the same choose together, or one by one."""
    found: list[Blow] = []
    fighting = [m for m in members(unit) if m.row in reach]
    for _, alike in grouped(fighting, lambda m: (carried(m), tuple(reach[m.row]))):
        found += yield from blows_of(unit, alike, reach[alike[0].row])
    return found


@rule("fight-phase/select-weapon", "fight-phase/select-targets", "weapon-abilities/extra-attacks")
def blows_of(unit: Unit, alike: Sequence[Model], options: Sequence[int]) -> Asking:
    """A target, and one weapon profile; weapons with EXTRA ATTACKS come in addition."""
    target = yield from choose_target(unit, alike, options)
    found: list[Blow] = []
    if target == EACH:
        for model in alike:
            found += yield from blows_of(unit, [model], options)
        return found
    main, extra = weapons_of(alike[0])
    chosen = main[:1]
    if len(main) > 1:
        about: dict[str, Plain] = {"model": alike[0].row}
        chosen = [(yield Choose(unit.side, "melee-weapon", main, "melee-weapon", about=about))]
    for model in alike:
        found += [Blow(model, weapon, line, target) for weapon, line in (*chosen, *extra)]
    return found


def carried(model: Model) -> tuple[str, ...]:
    return tuple(weapon.id for weapon in model.profile.melee)


@rule("fight-phase/select-weapon", "weapon-abilities/extra-attacks", "datasheet/several-profiles")
def weapons_of(model: Model) -> tuple[list[Plain], list[Plain]]:
    """The profiles of which one is chosen, and those of weapons that strike in addition."""
    main: list[Plain] = []
    extra: list[Plain] = []
    for number, weapon in enumerate(model.profile.weapons):
        for line, profile in enumerate(weapon.lines if weapon.is_melee else ()):
            (extra if profile.has(EXTRA) else main).append((number, line))
    return main, extra


@rule("fight-phase/select-targets")
def choose_target(unit: Unit, alike: Sequence[Model], options: Sequence[int]) -> Generator[Question, Any, Any]:
    """The row of a unit; several models may also choose one by one."""
    if len(options) == 1:
        return options[0]
    about: dict[str, Plain] = {"models": [m.row for m in alike]}
    each: list[Plain] = [EACH] if len(alike) > 1 else []
    return (yield Choose(unit.side, "strike-at", [*options, *each], "shoot-at", about=about, odds={EACH: 0.2}))


async def declare(unit: Unit) -> list[Shots]:
    """The attacks of a unit; none, if nobody reaches an enemy."""
    reach = reach_of(unit)
    if not reach:
        return []
    blows = await fill_in_script(unit.side, "fight", partial(declaration, unit, reach), unit=unit.row)
    return [blows_as_shots(unit, blow) for blow in blows or ()]


@rule("b/target-condition", "c/unit-toughness-timing")
def blows_as_shots(unit: Unit, blow: Blow) -> Shots:
    """What is true of the attacks when the target is selected."""
    target = Unit(unit.position, blow.target)
    line = blow.model.profile.weapons[blow.weapon].lines[blow.line]
    return Shots(
        blow.model.row,
        blow.weapon,
        blow.line,
        blow.target,
        toughness=toughness(target),
        critical=critical_of(line, target),
        charged=bool(unit.marks(CHARGED)),
    )
