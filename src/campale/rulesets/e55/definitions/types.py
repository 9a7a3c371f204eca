"""Chapter 6: what a model is, and what it counts as in the mode in which its unit operates."""

from __future__ import annotations

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.units import ALOFT, CLIPPED, members

FLYING_SUBTYPES = frozenset({"flying-monster", "jetbike", "flying-infantry"})


@rule("1.2/types", "6/type-default")
def is_vehicle(model: Model) -> bool:
    return bool(model.profile.type == "vehicle")


@rule("7.1/subtypes")
def is_walker(model: Model) -> bool:
    return bool(model.profile.is_a("walker"))


def is_bike(model: Model) -> bool:
    """Jetbikes are bikes too (6.2.1/jetbike-inherits)."""
    return bool(model.profile.type == "bike")


@rule("1.2/cavalry")
def is_beast(model: Model) -> bool:
    """Mount and rider are one model."""
    return bool(model.profile.type == "beast")


def is_monster(model: Model) -> bool:
    """Flying ones are monstrous creatures too (6.1.1/fmc-inherits)."""
    return bool(model.profile.type == "monster")


@rule("8/independent-character")
def is_character(model: Model) -> bool:
    return bool(model.profile.printed("independent-character"))


@rule("6.1.1/clip-wings")
def can_fly(model: Model) -> bool:
    """Whether the model is of a flying type and has not lost it."""
    return not FLYING_SUBTYPES.isdisjoint(model.profile.subtypes) and not model.marks(CLIPPED)


@rule("6.1.1/flying-modes")
def is_flying(model: Model) -> bool:
    """In a flying mode now: a flyer always, an aircraft and the flying types while their unit operates so."""
    profile = model.profile
    if not profile.subtypes:
        return False
    if profile.is_a("flyer"):
        return True
    return bool((profile.is_a("aircraft") or can_fly(model)) and model.unit.marks(ALOFT))


@rule("6.1.1/flying-modes")
def all_fly(unit: Unit) -> bool:
    """A unit that mixes flying models with others never gains by it."""
    models = members(unit)
    return bool(models) and all(map(is_flying, models))


def any_flies(unit: Unit) -> bool:
    return any(is_flying(model) for model in members(unit))


@rule("7.13/flyer-distance")
def operates_as_flyer(model: Model) -> bool:
    """A vehicle in the air: of the flyer subtype, or an aircraft in that mode."""
    return is_vehicle(model) and is_flying(model)


def is_all_vehicles(unit: Unit) -> bool:
    kept, key = unit.position.layout, ("all-vehicles", unit.row)
    found: bool | None = kept.get(key)
    if found is None:
        models = members(unit)
        found = kept[key] = bool(models) and all(map(is_vehicle, models))
    return found


@rule("1.2/mixed-units")
def living(unit: Unit) -> list[Model]:
    """The models of a unit that take wounds: all but the vehicles among them."""
    return [model for model in members(unit) if not is_vehicle(model)]
