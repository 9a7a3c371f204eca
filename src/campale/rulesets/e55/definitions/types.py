"""Chapter 6: the type of a model, and what it counts as in the mode in which its unit operates."""

from __future__ import annotations

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions.units import ALOFT, CLIPPED, members, units_on_table

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
    """Return whether the model is of a flying type and can still fly."""
    return not FLYING_SUBTYPES.isdisjoint(model.profile.subtypes) and not model.marks(CLIPPED)


@rule("6.1.1/flying-modes")
def is_flying(model: Model) -> bool:
    """Return whether a model flies now: a flyer always; an aircraft or a flying type while its unit is in that mode."""
    profile = model.profile
    if not profile.subtypes:
        return False
    if profile.is_a("flyer"):
        return True
    return bool((profile.is_a("aircraft") or can_fly(model)) and model.unit.marks(ALOFT))


@rule("6.1.1/flying-modes")
def all_fly(unit: Unit) -> bool:
    """Return whether all models of a unit fly: a unit that mixes flying models with others gets no benefit."""
    models = members(unit)
    return bool(models) and all(map(is_flying, models))


def any_flies(unit: Unit) -> bool:
    return any(is_flying(model) for model in members(unit))


@rule("7.13/flyer-distance")
def operates_as_flyer(model: Model) -> bool:
    """Return whether a model is a vehicle in the air: a flyer, or an aircraft in that mode."""
    return is_vehicle(model) and is_flying(model)


def may_be_in_the_air(profile: Profile) -> bool:
    """Return whether a profile is that of a vehicle that can fly."""
    return profile.type == "vehicle" and (profile.is_a("flyer") or profile.is_a("aircraft"))


def is_all_vehicles(unit: Unit) -> bool:
    kept, key = unit.position.layout, ("all-vehicles", unit.row)
    found: bool | None = kept.get(key)
    if found is None:
        models = members(unit)
        found = kept[key] = bool(models) and all(map(is_vehicle, models))
    return found


def vehicles_of(position: Position, side: int) -> list[Model]:
    """Return the vehicles of a side on the table, cached until something moves."""
    kept, key = position.own, ("vehicles", side)
    if key not in kept:
        kept[key] = [m for unit in units_on_table(position, side) for m in members(unit) if is_vehicle(m)]
    return list(kept[key])


@rule("1.2/mixed-units")
def living(unit: Unit) -> list[Model]:
    """Return the models of a unit that take wounds: all except vehicles."""
    return [model for model in members(unit) if not is_vehicle(model)]
