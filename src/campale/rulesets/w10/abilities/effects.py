"""What abilities change: rolls, re-rolls, characteristics, saves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from campale.dice.needs import Part
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import Carried, effects_on, on_unit
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import CHARGED, has

CRITICAL = 6


class Against(NamedTuple):
    """An attack as its conditions see it: who attacks whom, with what, against which Toughness."""

    unit: Unit
    line: Line
    target: Unit
    toughness: int


# ---------------------------------------------------------------- attacks


def on_attack(attack: Against) -> Iterator[tuple[Carried, Effect]]:
    """The effects on an attack: of those that make it, and of those against whom it is made."""
    for unit, attacks in ((attack.unit, "made"), (attack.target, "against")):
        for one in on_unit(unit):
            if one.ability.attacks == attacks and holds(one, attack, unit):
                yield from ((one, effect) for effect in one.ability.do)


@rule("b/target-condition", "keywords/has")
def holds(one: Carried, attack: Against, unit: Unit) -> bool:
    """Whether all that the ability asks for is true as the target is selected."""
    ability, condition = one.ability, one.ability.condition
    kind = "melee" if attack.line.is_melee else "ranged"
    if ability.weapons not in ("all", kind):
        return False
    if condition.charged and not unit.marks(CHARGED):
        return False
    if condition.stronger and attack.line.s <= attack.toughness:
        return False
    return not condition.target or has(attack.target, condition.target)


@rule("modifiers/cumulative", "modifiers/definition")
def roll_parts(attack: Against, which: str) -> tuple[Part, ...]:
    """What is added to the rolls to hit or to wound."""
    found = [effect.roll for _, effect in on_attack(attack) if effect.roll is not None and effect.roll[0] == which]
    return tuple(Part("modifiers/cumulative", signed(one[1], one[2])) for one in found)


def signed(kind: str, value: int) -> int:
    return value if kind == "add" else -value


@rule("re-rolls/specific-results", "re-rolls/any-of-several")
def rerolls(attack: Against) -> tuple[str, ...]:
    """Which rolls may be made again, as ``hit-ones``, ``wound-failed``."""
    found = (effect.reroll for _, effect in on_attack(attack) if effect.reroll is not None)
    return tuple(sorted({f"{which}-{again}" for which, again in found}))


@rule("c/critical-hit", "f/critical-wound")
def critical_from(attack: Against, which: str, usual: int = CRITICAL) -> int:
    """From which face on a roll is critical."""
    found = [e.critical[1] for _, e in on_attack(attack) if e.critical is not None and e.critical[0] == which]
    return min((usual, *found))


@rule("modifiers/definition", "c/attack-modifiers-local")
def attack_changes(attack: Against, name: str) -> tuple[Change, ...]:
    """What changes Attacks, Strength, AP or Damage."""
    found = (effect.modify for _, effect in on_attack(attack) if effect.modify is not None)
    return tuple(Change("modifiers/definition", one[1], one[2]) for one in found if one[0] == name)


@rule("duplicate-abilities/core-ability", "duplicate-abilities/numbered-choice")
def granted(attack: Against) -> tuple[str, ...]:
    """Weapon abilities that attacks are given."""
    return tuple(effect.grant for _, effect in on_attack(attack) if effect.grant is not None)


# ---------------------------------------------------------------- units and models


@rule("modifiers/unit-characteristic")
def changes_of(unit: Unit, name: str) -> tuple[Change, ...]:
    found = (effect.modify for _, effect in effects_on(unit) if effect.modify is not None)
    return tuple(Change("modifiers/unit-characteristic", one[1], one[2]) for one in found if one[0] == name)


def characteristic(unit: Unit, name: str, printed: int) -> int:
    """A characteristic of the models of a unit after all that abilities do to it."""
    return modified(name, printed, changes_of(unit, name))


@rule("modifiers/roll-after-rerolls")
def added_to(unit: Unit, which: str) -> int:
    """What is added to a roll made for a unit: Advance, charge, battle-shock."""
    found = (effect.roll for _, effect in effects_on(unit) if effect.roll is not None)
    return sum(signed(one[1], one[2]) for one in found if one[0] == which)


@rule("duplicate-abilities/core-ability")
def is_granted(unit: Unit, ability: str) -> bool:
    return any(effect.grant == ability for _, effect in effects_on(unit))


@rule("weapon-abilities/assault")
def may_although_advanced(unit: Unit, what: str) -> bool:
    """Whether an ability lets a unit shoot or charge though it Advanced."""
    return any(effect.although == what for _, effect in effects_on(unit))


@rule("attack/invulnerable-save", "o/or-better")
def invulnerable(model: Model) -> int | None:
    """The best that its datasheet and its abilities give it."""
    given = (effect.inv for _, effect in effects_on(model.unit))
    return best(model.profile.invulnerable, *given)


@rule("i/feel-no-pain", "core-abilities/feel-no-pain-choice")
def feel_no_pain(model: Model) -> int | None:
    given = (effect.fnp for _, effect in effects_on(model.unit))
    return best(model.profile.feel_no_pain, *given)


def best(*numbers: int | None) -> int | None:
    return min((one for one in numbers if one is not None), default=None)
