"""What abilities change: rolls, re-rolls, characteristics, saves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from campale.dice.needs import Part
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.acts import Dice
from campale.rulesets.w10.abilities.index import Carried, effects_on, is_unit_so, on_unit
from campale.rulesets.w10.abilities.vocabulary import OF_SAVES, Effect
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.sight import unit_sees_fully
from campale.rulesets.w10.basics.units import UNIT_SAVE, has_each, is_below_half, members

CRITICAL, NO_SAVE, BEST_SAVE = 6, 7, 2


class Against:
    """An attack as conditions see it: attacker, target, weapon profile and Toughness.

    ``row``: the row of the attacking model.
    """

    def __init__(self, unit: Unit, line: Line, target: Unit, toughness: int, row: int = -1) -> None:
        self.unit, self.line, self.target, self.toughness, self.row = unit, line, target, toughness, row

    @cached_property
    def effects(self) -> tuple[tuple[Carried, Effect], ...]:
        """All effects of abilities on it, when they are first asked for."""
        return tuple(on_attack(self))


# ---------------------------------------------------------------- attacks


def on_attack(attack: Against, by_strength: bool = True) -> Iterator[tuple[Carried, Effect]]:
    """The effects of abilities on an attack: those of the attacking unit, and those of the target unit.

    ``by_strength``: include those that depend on its Strength.
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
    """True if all conditions of the ability hold when the target is selected."""
    ability, condition = one.ability, one.ability.condition
    kind = "melee" if attack.line.is_melee else "ranged"
    if ability.weapons not in ("all", kind):
        return False
    if not is_unit_so(one, unit):
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
    """The Strength of an attack after all changes, except changes that depend on Strength."""
    found = [effect.modify for _, effect in on_attack(attack, by_strength=False) if effect.modify is not None]
    return modified(
        "s", attack.line.s, [Change("modifiers/definition", one[1], one[2]) for one in found if one[0] == "s"]
    )


@rule("a/psychic-attack", "a/psychic-tags", "weapon-abilities/psychic")
def is_psychic(line: Line) -> bool:
    """Attacks with PSYCHIC weapons are Psychic Attacks, whoever makes them; this has no effect by itself."""
    return line.has("psychic")


@rule("c/unit-save")
def save_of_unit(unit: Unit) -> int:
    """The most common Save in a unit; among several, the one its owner chose, otherwise the worst."""
    found = most_common_saves(unit)
    chosen = unit.note(UNIT_SAVE)
    return int(chosen) if chosen in found else max(found, default=NO_SAVE)


def most_common_saves(unit: Unit) -> list[int]:
    """The most common Saves in a unit, the worst first."""
    found = Counter(save_of(m) for m in members(unit))
    most = max(found.values(), default=0)
    return sorted((save for save, count in found.items() if count == most), reverse=True)


@rule("c/unit-save")
def saves_in_question(unit: Unit, target: Unit) -> list[int]:
    """The Saves to choose from when an ability asks for the target's Save and the choice matters; otherwise empty."""
    found = most_common_saves(target)
    asked = [one.ability.condition.save for one in (*on_unit(unit), *on_unit(target))]
    return found if any(save is not None and found[-1] <= save < found[0] for save in asked) else []


@rule("modifiers/cumulative", "modifiers/definition")
def roll_parts(attack: Against, which: str) -> tuple[Part, ...]:
    """The modifiers of rolls to hit or to wound."""
    found = [effect.roll for _, effect in attack.effects if effect.roll is not None and effect.roll[0] == which]
    return tuple(Part("modifiers/cumulative", signed(one[1], one[2])) for one in found)


def signed(kind: str, value: int) -> int:
    return value if kind == "add" else -value


@rule("re-rolls/specific-results", "re-rolls/any-of-several")
def rerolls(attack: Against) -> tuple[str, ...]:
    """Rolls that may be re-rolled, such as ``hit-ones`` and ``wound-failed``."""
    found = (effect.reroll for _, effect in attack.effects if effect.reroll is not None)
    return tuple(sorted({f"{which}-{again}" for which, again in found}))


@rule("c/critical-hit", "f/critical-wound")
def critical_from(attack: Against, which: str, usual: int = CRITICAL) -> int:
    """The lowest face that is critical."""
    found = [e.critical[1] for _, e in attack.effects if e.critical is not None and e.critical[0] == which]
    return min((usual, *found))


@rule("modifiers/definition", "c/attack-modifiers-local", "modifiers/model-ws", "modifiers/model-bs")
def attack_changes(attack: Against, name: str) -> tuple[Change, ...]:
    """Changes to a skill, or to Attacks, Strength, AP or Damage."""
    found = [effect.modify for _, effect in attack.effects if effect.modify is not None]
    return tuple(Change("modifiers/definition", one[1], one[2]) for one in found if one[0] == name)


@rule("modifiers/ignore")
def ignorable(attack: Against) -> tuple[str, ...]:
    """The rolls and characteristics whose modifiers the attacker may ignore."""
    found = (effect.ignore for _, effect in attack.effects if effect.ignore is not None)
    return tuple(sorted({name for names in found for name in names}))


@rule("rule-priority/attacker", "rule-priority/check")
def succeeds_on(attack: Against, which: str) -> tuple[int, int]:
    """The unmodified face from which a roll succeeds (7: none), and the face below which it never does.

    The attacker's rule takes priority over the target's.
    """
    sure = [e.succeeds[1] for _, e in attack.effects if e.succeeds is not None and e.succeeds[0] == which]
    never = [e.only[1] for _, e in attack.effects if e.only is not None and e.only[0] == which]
    return min(sure, default=CRITICAL + 1), 1 if sure else max(never, default=1)


@rule("duplicate-abilities/core-ability")
def granted(attack: Against) -> tuple[str, ...]:
    """The weapon abilities given to attacks."""
    return tuple(effect.grant for _, effect in attack.effects if effect.grant is not None)


# ---------------------------------------------------------------- units and models


@rule("modifiers/unit-characteristic")
def changes_of(unit: Unit, name: str, model: Model | None = None) -> tuple[Change, ...]:
    """The changes to a characteristic of a unit; with ``model`` also those that affect only that model."""
    found = (effect.modify for _, effect in effects_on(unit, model) if effect.modify is not None)
    return tuple(Change("modifiers/unit-characteristic", one[1], one[2]) for one in found if one[0] == name)


def characteristic(unit: Unit, name: str, printed: int, model: Model | None = None) -> int:
    """A characteristic of a unit's models, or of one of them, after all changes by abilities."""
    return modified(name, printed, changes_of(unit, name, model))


@rule("modifiers/roll-after-rerolls")
def added_to(unit: Unit, which: str) -> int:
    """The bonus to a roll made for a unit: Advance, charge, battle-shock."""
    found = (effect.roll for _, effect in effects_on(unit) if effect.roll is not None)
    return sum(signed(one[1], one[2]) for one in found if one[0] == which)


@rule("duplicate-abilities/core-ability")
def is_granted(unit: Unit, ability: str, model: Model | None = None) -> bool:
    """True if a unit was given an ability, or each of its models for itself; with ``model`` if that model was."""
    if any(effect.grant == ability for _, effect in effects_on(unit, model)):
        return True
    own = {
        one.row
        for one in on_unit(unit)
        if one.ability.who == "bearer" and any(effect.grant == ability for effect in one.ability.do)
    }
    return model is None and bool(own) and all(m.row in own and is_granted(unit, ability, m) for m in members(unit))


@rule("weapon-abilities/assault")
def may_although_advanced(unit: Unit, what: str) -> bool:
    """True if an ability lets a unit shoot or charge although it Advanced."""
    return any(effect.although == what for _, effect in effects_on(unit))


@rule("c/unit-save-modifier", "modifiers/improve-ws-bs-sv-ld")
def save_of(model: Model) -> int:
    """The Save of a model after all changes; with ``best_save`` set, changes improve it no further than 2+."""
    printed, changes = int(model.profile.sv), changes_of(model.unit, "sv", model)
    found = modified("sv", printed, changes)
    is_held = changes and model.position.options.best_save == "two-plus"
    return max(found, min(BEST_SAVE, printed)) if is_held else found


@rule("attack/invulnerable-save", "o/or-better")
def invulnerable(model: Model) -> int | None:
    """The best invulnerable save that a model's datasheet and abilities give it."""
    given = (effect.inv for _, effect in effects_on(model.unit, model))
    return best(model.profile.invulnerable, *given)


@rule("i/feel-no-pain", "core-abilities/feel-no-pain-choice")
def feel_no_pain(model: Model, is_mortal: bool = False) -> int | None:
    """The best Feel No Pain against a wound; mortal wounds may have a better one."""
    found = best(model.profile.feel_no_pain, *(effect.fnp for _, effect in effects_on(model.unit, model)))
    return best(found, *(effect.ward for _, effect in effects_on(model.unit, model))) if is_mortal else found


@rule("datasheet/wargear-ability", "datasheet/aura", "attack/fast-dice")
def saves_hang_on_one(unit: Unit) -> bool:
    """True if saves of a unit depend on an ability that some of its models have and others lack: it may be lost."""
    models = members(unit)
    rows = {m.row for m in models}
    given = [one for one in on_unit(unit) if one.row in rows and one.ability.who in ("unit", "aura")]
    kept = [one for one in given if not one.ability.lent and any(is_on_saves(effect) for effect in one.ability.do)]
    return any(one.name not in m.profile.rules for one in kept for m in models)


def is_on_saves(effect: Effect) -> bool:
    changed = (effect.modify or effect.roll or ("",))[0]
    return effect.inv is not None or effect.grant == "cover" or changed in ("sv", "ap", "d", *OF_SAVES)


def best(*numbers: int | None) -> int | None:
    return min((one for one in numbers if one is not None), default=None)


# ---------------------------------------------------------------- limits and prohibitions


@rule("core-abilities/lone-operative")
def hidden_beyond(unit: Unit) -> float | None:
    """The greatest distance in inches from which ranged attacks may target a unit, or None for no limit."""
    return min((effect.hidden for _, effect in effects_on(unit) if effect.hidden is not None), default=None)


@rule("rule-priority/reinforcements")
def bars_arrivals(model: Model) -> float:
    """The distance in inches that enemy Reinforcements must keep from a model; 0 for none."""
    return max((effect.bars for _, effect in effects_on(model.unit, model) if effect.bars is not None), default=0.0)


@rule("s/discard-dice")
def more_dice(unit: Unit, which: str) -> tuple[Dice, ...]:
    """The extra dice of a roll, of which as many are discarded."""
    found = (effect.dice for _, effect in effects_on(unit) if effect.dice is not None)
    return tuple(one for one in found if one.roll == which)
