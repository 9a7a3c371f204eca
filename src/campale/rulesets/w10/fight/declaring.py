"""Targets and weapons of melee (fight-phase/which-models, fight-phase/select-weapon, fight-phase/select-targets)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from campale.mechanics.moves.contact import in_contact
from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Model, Unit
from campale.referee.question import Choose, Number, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import Against, attack_changes
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.attack.attack import grouped
from campale.rulesets.w10.attack.destruction import foes_of
from campale.rulesets.w10.attack.unit_save import settle_saves
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.across import across_from
from campale.rulesets.w10.basics.attached import whole_of
from campale.rulesets.w10.basics.characteristics import toughness
from campale.rulesets.w10.basics.modifiers import modified
from campale.rulesets.w10.basics.units import CHARGED, flies, in_engagement_range, is_aircraft, members
from campale.rulesets.w10.shooting.targets import by_abilities

EXTRA = "extra-attacks"
SPLIT, EACH = "split", "each"


class Blow(NamedTuple):
    """A melee weapon profile of a model, used against the unit of a row; ``many``: number of its attacks (-1: all)."""

    model: Model
    weapon: int
    line: int
    target: int
    many: int = -1


@rule("fight-phase/which-models", "fight-phase/select-targets", "terrain/barricades-melee")
def reach_of(unit: Unit) -> dict[int, list[int]]:
    """For the row of each model that fights, the rows of the enemy units that it may strike."""
    position, models, friends = unit.position, members(unit), whole_of(unit)
    enemies = [m for foe in foes_of(position, unit.side) for m in members(foe)]
    close = in_engagement_range(position, models, enemies)
    found = {}
    for model, nearby in zip(models, close.tolist(), strict=True):
        units = {position.unit_of[m.row] for m, is_near in zip(enemies, nearby, strict=True) if is_near}
        reached = units | behind_a_friend(model, friends, enemies) | across_from(model, enemies)
        found[model.row] = sorted(row for row in reached if may_strike(unit, Unit(position, row)))
    return {row: units for row, units in found.items() if units}


@rule("aircraft/charge-fight")
def may_strike(unit: Unit, target: Unit) -> bool:
    """AIRCRAFT strike only units that can FLY, and only units that can FLY strike AIRCRAFT."""
    if is_aircraft(unit):
        return flies(target)
    return flies(unit) or not is_aircraft(target)


@rule("fight-phase/which-models")
def behind_a_friend(model: Model, models: Sequence[Model], enemies: Sequence[Model]) -> set[int]:
    """Enemy units reached through a model of its unit that is in base contact with both."""
    position = model.position
    friends = [one for one in models if one.row != model.row and in_contact(model.solid, [one])]
    touched = (enemy for one in friends for enemy in enemies if in_contact(one.solid, [enemy]))
    return {position.unit_of[enemy.row] for enemy in touched}


# ---------------------------------------------------------------- the form


@rule("fight-phase/select-weapon", "fight-phase/select-targets", "weapon-abilities/extra-attacks")
def declaration(unit: Unit, reach: dict[int, list[int]]) -> Generator[Question, Any, list[Blow]]:
    """Models with the same weapons and the same enemies in reach choose a weapon profile and a target together."""
    found: list[Blow] = []
    fighting = [m for m in members(unit) if m.row in reach]
    for _, alike in grouped(fighting, lambda m: (carried(m), tuple(reach[m.row]))):
        target = yield from choose_target(unit, alike, reach[alike[0].row])
        chosen = yield from choose_weapons(unit, alike)
        extra = yield from choose_extra(unit, alike)
        for model in alike:
            for weapon, line in (*chosen[model.row], *extra[model.row]):
                blow = Blow(model, weapon, line, target)
                found += (yield from split(unit, blow, reach[model.row])) if target == SPLIT else [blow]
    return found


@rule("fight-phase/select-weapon", "datasheet/several-profiles")
def choose_weapons(unit: Unit, alike: Sequence[Model]) -> Generator[Question, Any, dict[int, Any]]:
    """For the row of each model, its weapon profile (none without a weapon): one for all, or model by model.

    Models with the same melee weapons may number them differently, because their ranged weapons count too.
    """
    main = {model.row: weapons_of(model)[0] for model in alike}
    options = main[alike[0].row]
    if len(options) < 2:
        return main
    first = yield which_weapon(unit, alike[0], [*options, *([EACH] if len(alike) > 1 else [])])
    if first != EACH:
        place = options.index(tuple(first))
        return {row: [each[place]] for row, each in main.items()}
    found = {}
    for model in alike:
        found[model.row] = [(yield which_weapon(unit, model, main[model.row]))]
    return found


@rule("weapon-abilities/extra-attacks", "datasheet/several-profiles")
def choose_extra(unit: Unit, alike: Sequence[Model]) -> Generator[Question, Any, dict[int, Any]]:
    """For the row of each model, one profile of each weapon that strikes in addition."""
    extra = {model.row: weapons_of(model)[1] for model in alike}
    options, places = extra[alike[0].row], list[int]()
    for _, several in grouped(options, itemgetter(0)):
        chosen = several[0] if len(several) == 1 else (yield which_weapon(unit, alike[0], several))
        places.append(options.index(tuple(chosen)))
    return {row: [each[place] for place in places] for row, each in extra.items()}


def which_weapon(unit: Unit, model: Model, options: Sequence[Plain]) -> Choose:
    about: dict[str, Plain] = {"model": model.row}
    odds = {EACH: 0.1} if EACH in options else None
    return Choose(unit.side, "melee-weapon", options, "melee-weapon", about=about, odds=odds)


@rule("fight-phase/select-targets", "weapon-abilities/extra-attacks")
def split(unit: Unit, blow: Blow, targets: Sequence[int]) -> Generator[Question, Any, list[Blow]]:
    """Split the attacks of one weapon among several targets; a random number of attacks stays together.

    Nothing changes the number of EXTRA ATTACKS.
    """
    line, target = profile_of(blow), Unit(unit.position, targets[0])
    against = Against(unit, line, target, toughness(target), blow.model.row)
    changes = () if line.has(EXTRA) else attack_changes(against, "a")
    left = 0 if line.attacks.is_rolled else modified("a", line.attacks.plus, changes)
    if left < 2:
        about: dict[str, Plain] = {"model": blow.model.row}
        chosen = yield Choose(unit.side, "strikes-at", list(targets), "unit", about=about)
        return [blow._replace(target=int(chosen))]
    found: list[Blow] = []
    for row in targets[:-1]:
        about = {"model": blow.model.row, "unit": row, "weapon": blow.weapon}
        count = int((yield Number(unit.side, "attacks-at", 0, left, about)))
        found += [blow._replace(target=row, many=count)] if count else []
        left -= count
    return found + ([blow._replace(target=targets[-1], many=left)] if left else [])


def profile_of(blow: Blow) -> Line:
    found: Line = blow.model.profile.weapons[blow.weapon].lines[blow.line]
    return found


def carried(model: Model) -> tuple[str, ...]:
    return tuple(weapon.id for weapon in model.profile.melee)


@rule("fight-phase/select-weapon", "weapon-abilities/extra-attacks", "datasheet/several-profiles")
def weapons_of(model: Model) -> tuple[list[Plain], list[Plain]]:
    """The profiles to choose one from, and those of weapons that strike in addition."""
    main: list[Plain] = []
    extra: list[Plain] = []
    for number, weapon in enumerate(model.profile.weapons):
        for line, profile in enumerate(weapon.lines if weapon.is_melee else ()):
            (extra if profile.has(EXTRA) else main).append((number, line))
    return main, extra


@rule("fight-phase/select-targets")
def choose_target(unit: Unit, alike: Sequence[Model], options: Sequence[int]) -> Generator[Question, Any, Plain]:
    """Choose one target unit for all models, or let each split its attacks."""
    if len(options) == 1:
        return options[0]
    about: dict[str, Plain] = {"models": [m.row for m in alike]}
    keys: list[Plain] = [*options, SPLIT]
    chosen: Plain = yield Choose(unit.side, "strike-at", keys, "strike-at", about=about, odds={SPLIT: 0.3})
    return chosen


async def declare(unit: Unit, only: Model | None = None) -> list[Shots]:
    """The attacks of a unit, or of one of its models; empty if no model reaches an enemy."""
    reach = {row: targets for row, targets in reach_of(unit).items() if only is None or row == only.row}
    if not reach:
        return []
    blows = await fill_in_script(unit.side, "fight", partial(declaration, unit, reach), unit=unit.row)
    await settle_saves(unit, [blow.target for blow in blows or ()])
    return [blows_as_shots(unit, blow) for blow in blows or ()]


@rule("b/target-condition", "c/unit-toughness-timing")
def blows_as_shots(unit: Unit, blow: Blow) -> Shots:
    """The attacks of a blow, with everything that is true when the target is selected."""
    target = Unit(unit.position, blow.target)
    line = profile_of(blow)
    attack = Against(unit, line, target, toughness(target), blow.model.row)
    return Shots(
        blow.model.row,
        blow.weapon,
        blow.line,
        blow.target,
        toughness=toughness(target),
        charged=bool(unit.marks(CHARGED)),
        count=blow.many,
        **by_abilities(attack),
    )
