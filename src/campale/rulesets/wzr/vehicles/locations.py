"""The locations of a vehicle: which one is hit, structure points, AV (vehicles/location-*, armour/av-test)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Location
from campale.rulesets.wzr.basics.dice import needed, raises

PS_LOST = "ps-lost-"
"""Prefix of the mark of PS lost, followed by the location's name."""
PILOT, WEAPONS, DRIVE, ENGINE = "pilot", "weapons", "drive", "engine"


def locations(model: Model) -> tuple[Location, ...]:
    found: tuple[Location, ...] = model.profile.vehicle.locations
    return found


def named(model: Model, name: str) -> Location:
    return next(one for one in locations(model) if one.name == name)


@rule("vehicles/location-table")
def at_face(model: Model, face: int) -> Location:
    """The location for a face of the D20."""
    return next(one for one in locations(model) if face <= one.top)


@rule("vehicles/ps-definition")
def ps_left(model: Model, name: str) -> int:
    return max(0, named(model, name).ps - model.marks(PS_LOST + name))


@rule("vehicles/location-destroyed")
def resolved_on(model: Model, name: str) -> str:
    """The location that a hit is resolved on. A destroyed one passes all hits on to 1-10."""
    return name if ps_left(model, name) else first(model)


def first(model: Model) -> str:
    """The name of the location 1-10."""
    return str(locations(model)[0].name)


@rule("vehicles/ps-definition", "vehicles/location-destroyed")
def take(model: Model, name: str, points: int) -> int:
    """Take PS off a location and return those that it did not have."""
    lost = min(points, ps_left(model, name))
    model.add(PS_LOST + name, lost)
    return points - lost


@rule("vehicles/repair")
def restore(model: Model, name: str, points: int = 1) -> None:
    """Restore PS of a location, even from 0, but never above its starting number."""
    mark = PS_LOST + name
    model.mark(mark, max(0, model.marks(mark) - points))


@rule("armour/av-test", "vehicles/av-facing")
def av_need(model: Model, name: str, avv: int, in_rear: bool) -> Need:
    """The AV of the location with the Front or Rear modifier, less the hit's AVV."""
    vehicle = model.profile.vehicle
    facing = vehicle.rear if in_rear else vehicle.front
    parts = (raises("vehicles/av-facing", facing), raises("armour/av-test", -avv))
    return needed(named(model, name).av, parts)


# ---------------------------------------------------------------- effects of a lost location


@rule("vehicles/location-weapons")
def primary_is_lost(model: Model, weapon: int) -> bool:
    """Whether the weapon at this index is the primary weapon of a vehicle whose Weapons are at 0."""
    return model.profile.is_vehicle and weapon == 0 and not ps_left(model, WEAPONS)


@rule("vehicles/location-drive")
def cannot_drive(model: Model) -> bool:
    """Whether the Drive is at 0, so that the vehicle neither moves nor turns."""
    return model.profile.is_vehicle and not ps_left(model, DRIVE)
