"""Universal special rules (8): whether a model has one by its profile, its type or an effect, and its (X)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Rule
from campale.rulesets.e55.definitions.characteristics import effects_on
from campale.rulesets.e55.definitions.dice import needed
from campale.rulesets.e55.definitions.types import can_fly, is_beast, is_bike, is_flying, is_monster, is_walker
from campale.rulesets.e55.definitions.units import aboard, members

ELSEWHERE = {
    "fear": "6.1/fear",
    "outflank": "10.5/outflank",
    "deep-strike": "10.5/deep-strike",
    "hazardous-deep-strike": "10.5/hazardous-deep-strike",
}
"""The entries of special rules that are not in chapter 8."""

FLYING_VEHICLES = ("flyer", "aircraft")


def entry_of(name: str) -> str:
    """Return the ledger entry of a special rule; an effect with that entry grants the rule."""
    return ELSEWHERE.get(name, f"8/{name}")


# ---------------------------------------------------------------- rules that go with a type


@rule("6.1/mc-rules", "6.1.1/fmc-inherits")
def rules_of_monsters(model: Model) -> tuple[str, ...]:
    """Return the rules of monstrous creatures; a flying one has no fear while it flies."""
    if not is_monster(model):
        return ()
    return ("crushing-charge",) if is_flying(model) else ("fear", "crushing-charge")


@rule("6.1/mc-movement")
def movement_of_monsters(model: Model) -> tuple[str, ...]:
    return ("move-through-cover",) if is_monster(model) else ()


@rule("6.2/bike-rules", "6.2.1/jetbike-inherits")
def rules_of_bikes(model: Model) -> tuple[str, ...]:
    return ("crushing-charge",) if is_bike(model) else ()


@rule("7.16/walker-rules")
def rules_of_walkers(model: Model) -> tuple[str, ...]:
    return ("crushing-charge",) if is_walker(model) else ()


@rule("6.3/beast-fleet")
def rules_of_beasts(model: Model) -> tuple[str, ...]:
    return ("fleet",) if is_beast(model) else ()


@rule("10.5/deep-strike-types")
def rules_of_flying_types(model: Model) -> tuple[str, ...]:
    profile = model.profile
    falls = can_fly(model) or any(profile.is_a(kind) for kind in FLYING_VEHICLES)
    return ("deep-strike",) if falls else ()


BY_TYPE = {
    "fear": (rules_of_monsters,),
    "crushing-charge": (rules_of_monsters, rules_of_bikes, rules_of_walkers),
    "move-through-cover": (movement_of_monsters,),
    "fleet": (rules_of_beasts,),
    "deep-strike": (rules_of_flying_types,),
}
"""For each rule that goes with a type, the functions that grant it."""


@rule("6.4/flying-infantry-inherits")
def is_infantry(model: Model) -> bool:
    """Return whether a model is infantry, flying infantry in either mode included."""
    return bool(model.profile.type == "infantry")


# ---------------------------------------------------------------- looking a rule up


@rule("8/scope")
def has(model: Model, name: str) -> bool:
    """Return whether a model has a special rule by its profile, its type or an effect."""
    if model.profile.printed(name):
        return True
    if any(name in rules(model) for rules in BY_TYPE.get(name, ())):
        return True
    return any(effect.rule == entry_of(name) for effect in effects_on(model))


def given(model: Model, name: str) -> list[Rule]:
    """Return a rule with its (X), once for each time the profile or an effect gives it."""
    effects = [effect.value for effect in effects_on(model) if effect.rule == entry_of(name)]
    by_effect = [Rule(name, of=x) if isinstance(x, str) else Rule(name, int(x or 0)) for x in effects]
    return [*model.profile.printed(name), *by_effect]


@rule("8/scope")
def value(model: Model, name: str) -> int | None:
    """Return the best (X) of a rule whose (X) is a number needed on a die; None for a model without the rule."""
    return min((one.value for one in given(model, name)), default=None)


def named_by(model: Model, name: str) -> tuple[str, ...]:
    """Return the keywords that a rule such as favoured enemy names."""
    return tuple(dict.fromkeys(one.of for one in given(model, name)))


def of_unit(unit: Unit) -> list[Model]:
    return members(unit) or aboard(unit)


def all_have(unit: Unit, name: str) -> bool:
    models = of_unit(unit)
    return bool(models) and all(has(model, name) for model in models)


def any_has(unit: Unit, name: str) -> bool:
    return any(has(model, name) for model in of_unit(unit))


# ---------------------------------------------------------------- 8/feel-no-pain


@rule("8/feel-no-pain")
def pain_ignored_on(model: Model) -> Need | None:
    """Return what a die must show to ignore an unsaved wound; None for a model without feel no pain."""
    number = value(model, "feel-no-pain")
    return None if number is None else needed(number)
