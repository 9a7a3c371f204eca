"""Saving throws (attack/saving-throw*, attack/invulnerable-save)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from campale.dice.needs import Need, Part, faces_met
from campale.mechanics.dice import FACES
from campale.referee.ask import roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.allocated import allocated_changes, save_parts
from campale.rulesets.w10.abilities.effects import best, invulnerable, is_granted, save_of, saves_hang_on_one
from campale.rulesets.w10.abilities.vocabulary import OF_SAVES
from campale.rulesets.w10.attack.allocation import is_precise, takes
from campale.rulesets.w10.attack.attack import NEVER, grouped
from campale.rulesets.w10.attack.damage import changes_of_damage
from campale.rulesets.w10.attack.values import Attack, Wound, changes_to
from campale.rulesets.w10.basics.attached import leaders, whole_of
from campale.rulesets.w10.basics.cover import cover_of, helps
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import GROUNDED, SMOKE, members
from campale.rulesets.w10.windows.reroll import one_die

GROUND_SAVE = 6


@rule("modifiers/improve-ap", "modifiers/worsen-ap")
def ap_of(attack: Attack, model: Model) -> int:
    """The AP of an attack after all changes, including those by the model it is allocated to."""
    return modified("ap", attack.line.ap, changes_of_ap(attack, model))


def changes_of_ap(attack: Attack, model: Model) -> tuple[Change, ...]:
    return (*changes_to(attack, "ap"), *allocated_changes(model, attack.line, "ap"))


@rule("attack/saving-throw", "terrain/ruins-plunging-fire")
def ap_parts(attack: Attack, model: Model) -> tuple[Part, ...]:
    """The AP as parts of the saving throw; a change by a terrain rule is shown separately."""
    changes, whole = changes_of_ap(attack, model), ap_of(attack, model)
    own = modified("ap", attack.line.ap, [one for one in changes if not one.rule.startswith("terrain/")])
    by_terrain = next((one.rule for one in changes if one.rule.startswith("terrain/")), "")
    parts = (Part("attack/saving-throw", own), Part(by_terrain, whole - own))
    return tuple(part for part in parts if part.value)


@rule("attack/saving-throw", "terrain/benefit-of-cover", "weapon-abilities/ignores-cover")
def cover_part(model: Model, attack: Attack) -> tuple[Part, ...]:
    """+1 to the save against a ranged attack, where cover helps."""
    line = attack.line
    if line.is_melee or line.has("ignores-cover") or not helps(save_of(model), ap_of(attack, model)):
        return ()
    attackers = whole_of(model.position.model(attack.by).unit)
    by = "weapon-abilities/indirect-fire" if attack.covered else cover_of(model, attackers) or by_rule(model)
    return () if by is None else (Part(by, 1),)


@rule("stratagems/go-to-ground", "stratagems/smokescreen", "b/cover-without-terrain")
def by_rule(model: Model) -> str | None:
    """The rule that gives a model cover wherever it stands: a Stratagem or an ability."""
    unit = model.unit
    if unit.marks(GROUNDED):
        return "stratagems/go-to-ground"
    if unit.marks(SMOKE):
        return "stratagems/smokescreen"
    return "b/cover-without-terrain" if is_granted(unit, "cover", model) else None


@rule("attack/invulnerable-save", "stratagems/go-to-ground", "o/or-better")
def invulnerable_of(model: Model) -> int | None:
    """The best invulnerable save of a model."""
    return best(invulnerable(model), GROUND_SAVE if model.unit.marks(GROUNDED) else None)


@rule("attack/saving-throw", "attack/saving-throw-cap", "c/save-against")
def armour_need(model: Model, attack: Attack) -> Need:
    """The Save modified by AP and cover, improved by no more than 1 in total."""
    parts = (*ap_parts(attack, model), *cover_part(model, attack))
    parts = (*parts, *save_parts(model, attack.line, damage_of(model, attack), OF_SAVES))
    return with_floor(Need(save_of(model), held(parts), never=NEVER))


@rule("attack/invulnerable-save", "attack/saving-throw-cap", "m/positive-modifier", "m/negative-modifier")
def invulnerable_need(model: Model, attack: Attack) -> Need | None:
    """The best invulnerable save; AP and cover do not affect it, modifiers of every saving throw do."""
    number = invulnerable_of(model)
    if number is None:
        return None
    parts = save_parts(model, attack.line, damage_of(model, attack), ("save",))
    return Need(number, held(parts), never=NEVER)


@rule("attack/saving-throw-cap")
def held(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The modifiers of a saving throw, with a sum of at most 1."""
    total = sum(part.value for part in parts)
    return (*parts, Part("attack/saving-throw-cap", 1 - total)) if total > 1 else parts


@rule("modifiers/roll-minimum")
def with_floor(need: Need) -> Need:
    """With a Save of 1+ only an unmodified 1 fails: a throw that AP takes below 1 counts as 1, which passes."""
    return replace(need, always=FACES[1:]) if need.number <= 1 else need


@rule("c/against-characteristic")
def damage_of(model: Model, attack: Attack) -> int | None:
    """The Damage of an attack allocated to a model, or None if it is rolled."""
    amount = attack.line.damage
    if amount.is_rolled:
        return None
    return modified("d", amount.plus, changes_of_damage(model.position, attack, model))


@rule("attack/invulnerable-save")
def save_need(model: Model, attack: Attack) -> Need:
    """The better of the armour and invulnerable saves."""
    armour, other = armour_need(model, attack), invulnerable_need(model, attack)
    return armour if other is None or chances(other) <= chances(armour) else other


@rule("attack/invulnerable-save")
def taken(model: Model, attack: Attack) -> dict[str, Plain]:
    """For the journal: which of two saves is taken as the better one, and which one it is better than."""
    other = invulnerable_need(model, attack)
    if other is None:
        return {}
    armour = "with-cover" if cover_part(model, attack) else "armour"
    both = (armour, least_face(armour_need(model, attack))), ("invulnerable", least_face(other))
    better, worse = sorted(both, key=lambda save: save[1])
    return {"save": better[0], "instead": worse[0], "worse": worse[1]} if better[1] < worse[1] else {}


def least_face(need: Need) -> int:
    """The least number on the unmodified die that passes; 7 if none does."""
    return FACES[-1] + 1 - chances(need)


@rule("weapon-abilities/precision")
def picks(attack: Attack, unit: Unit) -> bool:
    """True if each attack may be allocated separately by PRECISION."""
    return bool(leaders(unit)) and is_precise(attack, unit.position.model(attack.by))


def chances(need: Need) -> int:
    return faces_met(need)


@rule("attack/saving-throw", "attack/fast-dice")
async def save_together(position: Position, wounds: tuple[Wound, ...]) -> tuple[Wound, ...]:
    """Roll saves together where all models of a target have the same save, and keep it; other wounds pass through."""
    found: list[Wound] = []
    for attack, several in grouped(wounds, lambda wound: (wound.attack, wound.mortal)):
        one, mortal = attack
        target = Unit(position, one.target)
        models = members(target)
        needs = {save_need(model, one) for model in models}
        if mortal or len(needs) != 1 or picks(one, target) or (len(wounds) > 1 and saves_hang_on_one(target)):
            found += several
            continue
        first = await takes(target)
        assert first is not None
        dice = await roll_for(first.side, "save", several, needs.pop(), unit=one.target, **taken(first, one))
        dice = await one_die(target, "save", dice)
        failed = len(several) - dice.successes
        found += [Wound(one, is_unsaved=True)] * failed
    return tuple(found)


def save_apart(position: Position, wounds: Sequence[Wound]) -> bool:
    """Saving throws are always independent of each other, so each may be rolled alone."""
    return True


@rule("attack/saving-throw", "s/saved")
async def saves(model: Model, attack: Attack) -> bool:
    dice = await roll(model.side, "save", 1, needed=save_need(model, attack), model=model.row, **taken(model, attack))
    return (await one_die(model.unit, "save", dice)).successes > 0
