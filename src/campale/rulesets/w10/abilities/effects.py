"""What abilities change: rolls, re-rolls, characteristics, saves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from campale.dice.needs import Part
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.acts import Dice
from campale.rulesets.w10.abilities.index import Carried, effects_on, is_unit_so, on_unit
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.sight import unit_sees_fully
from campale.rulesets.w10.basics.units import UNIT_SAVE, has_each, is_below_half, members

CRITICAL, NO_SAVE, BEST_SAVE = 6, 7, 2


class Against(NamedTuple):
    """An attack as its conditions see it: who attacks whom, with what, against which Toughness.

    ``row``: the model that attacks.
    """

    unit: Unit
    line: Line
    target: Unit
    toughness: int
    row: int = -1


# ---------------------------------------------------------------- attacks


def on_attack(attack: Against, by_strength: bool = True) -> Iterator[tuple[Carried, Effect]]:
    """The effects on an attack: of those that make it, and of those against whom it is made.

    ``by_strength``: those among them that depend on its Strength.
    """
    for unit, attacks in ((attack.unit, "made"), (attack.target, "against")):
        for one in on_unit(unit):
            if one.ability.who == "bearer" and one.row != attack.row:
                continue
            if one.ability.condition.stronger and not by_strength:
                continue
            if one.ability.attacks == attacks and holds(one, attack, unit):
                yield from ((one, effect) for effect in one.ability.do)


@rule("b/target-condition", "keywords/has")
def holds(one: Carried, attack: Against, unit: Unit) -> bool:
    """Whether all that the ability asks for is true as the target is selected."""
    ability, condition = one.ability, one.ability.condition
    kind = "melee" if attack.line.is_melee else "ranged"
    if ability.weapons not in ("all", kind):
        return False
    if not is_unit_so(condition, unit):
        return False
    if condition.below_half and not is_below_half(attack.target):
        return False
    if condition.psychic and not is_psychic(attack.line):
        return False
    if condition.stronger and strength_of(attack) <= attack.toughness:
        return False
    if condition.save is not None and save_of_unit(attack.target) > condition.save:
        return False
    if condition.fully_visible and not unit_sees_fully(attack.unit, attack.target):
        return False
    return has_each(attack.target, condition.target)


@rule("c/against-characteristic", "modifiers/definition")
def strength_of(attack: Against) -> int:
    """Its Strength after all that changes it, but for what depends on it."""
    found = [effect.modify for _, effect in on_attack(attack, by_strength=False) if effect.modify is not None]
    return modified(
        "s", attack.line.s, [Change("modifiers/definition", one[1], one[2]) for one in found if one[0] == "s"]
    )


@rule("a/psychic-attack", "a/psychic-tags", "weapon-abilities/psychic")
def is_psychic(line: Line) -> bool:
    """Attacks with PSYCHIC weapons are Psychic Attacks, whoever makes them; that alone does nothing."""
    return line.has("psychic")


@rule("c/unit-save")
def save_of_unit(unit: Unit) -> int:
    """The most common Save in a unit; of several that of which its owner says so, else the worst."""
    found = most_common_saves(unit)
    chosen = unit.note(UNIT_SAVE)
    return int(chosen) if chosen in found else max(found, default=NO_SAVE)


def most_common_saves(unit: Unit) -> list[int]:
    """The worst first."""
    found = Counter(save_of(m) for m in members(unit))
    most = max(found.values(), default=0)
    return sorted((save for save, count in found.items() if count == most), reverse=True)


@rule("c/unit-save")
def saves_in_question(unit: Unit, target: Unit) -> list[int]:
    """Several, where an ability asks for the Save of the target, and which of them counts would matter."""
    found = most_common_saves(target)
    asked = [one.ability.condition.save for one in (*on_unit(unit), *on_unit(target))]
    return found if any(save is not None and found[-1] <= save < found[0] for save in asked) else []


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


@rule("modifiers/definition", "c/attack-modifiers-local", "modifiers/model-ws", "modifiers/model-bs")
def attack_changes(attack: Against, name: str) -> tuple[Change, ...]:
    """What changes a skill, Attacks, Strength, AP or Damage."""
    found = [effect.modify for _, effect in on_attack(attack) if effect.modify is not None]
    return tuple(Change("modifiers/definition", one[1], one[2]) for one in found if one[0] == name)


@rule("modifiers/ignore")
def ignorable(attack: Against) -> tuple[str, ...]:
    """The rolls and the characteristics of which the attacker may ignore modifiers."""
    found = (effect.ignore for _, effect in on_attack(attack) if effect.ignore is not None)
    return tuple(sorted({name for names in found for name in names}))


@rule("rule-priority/attacker", "rule-priority/check")
def succeeds_on(attack: Against, which: str) -> tuple[int, int]:
    """From which unmodified face on a roll succeeds (7: none), and below which it never does: the attacker's rule
    goes before that of the target.
    """
    sure = [e.succeeds[1] for _, e in on_attack(attack) if e.succeeds is not None and e.succeeds[0] == which]
    never = [e.only[1] for _, e in on_attack(attack) if e.only is not None and e.only[0] == which]
    return min(sure, default=CRITICAL + 1), 1 if sure else max(never, default=1)


@rule("duplicate-abilities/core-ability")
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


@rule("c/unit-save-modifier", "modifiers/improve-ws-bs-sv-ld")
def save_of(model: Model) -> int:
    """The Save of a model after all that changes it; perhaps (``best_save``) never better than 2+."""
    printed, changes = int(model.profile.sv), changes_of(model.unit, "sv")
    found = modified("sv", printed, changes)
    is_held = changes and model.position.options.best_save == "two-plus"
    return max(found, min(BEST_SAVE, printed)) if is_held else found


@rule("attack/invulnerable-save", "o/or-better")
def invulnerable(model: Model) -> int | None:
    """The best that its datasheet and its abilities give it."""
    given = (effect.inv for _, effect in effects_on(model.unit, model))
    return best(model.profile.invulnerable, *given)


@rule("i/feel-no-pain", "core-abilities/feel-no-pain-choice")
def feel_no_pain(model: Model, is_mortal: bool = False) -> int | None:
    """The best against a wound; against mortal wounds there may be a better one."""
    found = best(model.profile.feel_no_pain, *(effect.fnp for _, effect in effects_on(model.unit, model)))
    return best(found, *(effect.ward for _, effect in effects_on(model.unit, model))) if is_mortal else found


def best(*numbers: int | None) -> int | None:
    return min((one for one in numbers if one is not None), default=None)


# ---------------------------------------------------------------- what is forbidden, and where


@rule("core-abilities/lone-operative")
def hidden_beyond(unit: Unit) -> float | None:
    """From how far off at most ranged attacks may target a unit."""
    return min((effect.hidden for _, effect in effects_on(unit) if effect.hidden is not None), default=None)


@rule("rule-priority/reinforcements")
def bars_arrivals(model: Model) -> float:
    """How far from a model enemy Reinforcements must stay; 0 if it does not care."""
    return max((effect.bars for _, effect in effects_on(model.unit, model) if effect.bars is not None), default=0.0)


@rule("s/discard-dice")
def more_dice(unit: Unit, which: str) -> tuple[Dice, ...]:
    """Dice that are rolled besides, and discarded."""
    found = (effect.dice for _, effect in effects_on(unit) if effect.dice is not None)
    return tuple(one for one in found if one.roll == which)
