"""What a model can shoot with: its ranged weapons, each way to fire, and its shooting powers (armoury/*, psychic/*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from campale.referee.position import Model, Position
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.armies.profile import Fire, Power, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.resources import cannot_activate
from campale.rulesets.wzr.vehicles.locations import primary_is_lost

REACHES: dict[str, float] = {"FP": 6.0, "FG": 9.0, "SG": 8.0}
"""Lengths of the wedges, in inches (templates/sizes)."""
SHOOTING = "shooting"


class Gun(NamedTuple):
    """One way to shoot: with a weapon (``place`` is its index on the profile) or a shooting power (``place`` -1).

    ``key`` is unique on the model: the weapon's id, followed by the number of the way from the second on.
    """

    model: Model
    key: str
    place: int
    weapon: Weapon | None
    power: Power | None
    fire: Fire

    @property
    def is_power(self) -> bool:
        return self.power is not None

    @property
    def is_grenade(self) -> bool:
        return self.weapon is not None and self.weapon.kind == "grenade"

    @property
    def is_burst(self) -> bool:
        return self.weapon is not None and self.weapon.kind == "burst"

    @property
    def rules(self) -> tuple[str, ...]:
        return () if self.weapon is None else self.weapon.rules

    def on(self, position: Position) -> Gun:
        """The same gun on another copy of the position."""
        return self._replace(model=position.model(self.model.row))


@rule("core/weapon-profile", "armoury/grenade-antivehicle-melee", "armoury/grenade-b2b", "psychic/shooting")
def guns_of(model: Model) -> list[Gun]:
    """Every way to shoot or throw. What reaches only base contact is for melee."""
    found = [*of_weapons(model), *of_powers(model)]
    keys = [gun.key for gun in found]
    return [gun._replace(key=distinct(keys, k)) for k, gun in enumerate(found)]


def of_weapons(model: Model) -> Iterator[Gun]:
    for place, weapon in enumerate(model.profile.weapons):
        for number, fire in enumerate(weapon.fires, 1):
            if fire.range is not None or fire.by_strength or fire.is_wedge:
                yield Gun(model, weapon.id if number == 1 else f"{weapon.id}/{number}", place, weapon, None, fire)


@rule("psychic/types", "psychic/shooting")
def of_powers(model: Model) -> Iterator[Gun]:
    for power in model.profile.powers:
        if power.kind == SHOOTING and power.fire is not None:
            yield Gun(model, power.id, -1, None, power, power.fire)


def distinct(keys: list[str], place: int) -> str:
    """The key of a gun; the second of two equal weapons gets a number."""
    before = keys[:place].count(keys[place])
    return f"{keys[place]}.{before + 1}" if before else keys[place]


def gun_of(model: Model, key: str) -> Gun:
    return next(gun for gun in guns_of(model) if gun.key == key)


# ---------------------------------------------------------------- restrictions on its use


@rule("armoury/car24-launcher", "cards/burn-ability")
def is_unpaid(gun: Gun) -> Fault | None:
    """A way to fire that costs Resource cards needs that many ready cards."""
    return cannot_activate(gun.model, gun.fire.burn) if gun.fire.burn else None


@rule("armoury/car24-launcher")
def is_used_up(gun: Gun) -> Fault | None:
    """At most ``per_squad`` models of a squad may use this way in a turn."""
    used = len(users_of(gun) - {gun.model.row})
    return Fault(None, used, gun.fire.per_squad) if 0 < gun.fire.per_squad <= used else None


def users_of(gun: Gun) -> set[int]:
    """The rows of the models of the squad that have used this way to fire in this turn."""
    noted = gun.model.unit.note(marks.LAUNCHED, ())
    return {int(row) for place, row in noted if place == way_of(gun)}


def way_of(gun: Gun) -> str:
    """The way to fire, whichever of two equal weapons of a model it belongs to."""
    return gun.key.partition(".")[0]


def note_launched(gun: Gun) -> None:
    """Note that the model has used this way to fire."""
    unit = gun.model.unit
    unit.jot(marks.LAUNCHED, (*unit.note(marks.LAUNCHED, ()), (way_of(gun), gun.model.row)))


@rule("psychic/once-each")
def is_cast_already(gun: Gun) -> Fault | None:
    """A squad uses each power once in a turn."""
    return Fault(model=gun.model.row) if gun.power is not None and was_cast(gun.model, gun.power.id) else None


def was_cast(model: Model, power: str) -> bool:
    return power in model.unit.note(marks.CAST, ())


def note_cast(model: Model, power: str) -> None:
    """Note the power as cast, whether it succeeds or fails."""
    model.unit.jot(marks.CAST, (*model.unit.note(marks.CAST, ()), power))


@rule("vehicles/location-weapons")
def is_shot_away(gun: Gun) -> Fault | None:
    return Fault(model=gun.model.row) if gun.place >= 0 and primary_is_lost(gun.model, gun.place) else None


@rule("vehicles/shoot-failed-ld")
def has_no_shots(gun: Gun) -> Fault | None:
    """The gun's Target Identified test has failed in this turn."""
    return Fault(model=gun.model.row) if gun.key in gun.model.note(marks.NO_SHOTS, ()) else None


GUN_RESTRICTIONS = (is_unpaid, is_used_up, is_cast_already, is_shot_away, has_no_shots)


# ---------------------------------------------------------------- range and rate of fire


@rule("core/weapon-profile", "armoury/grenade-range", "templates/sizes")
def range_of(gun: Gun) -> float:
    """R in inches. A grenade's range is the thrower's St, a wedge's its length."""
    about = About(gun.model, weapon=gun.weapon, fire=gun.fire, is_ranged=True)
    if gun.fire.is_wedge:
        return REACHES[gun.fire.area]
    if gun.fire.by_strength:
        return float(changed("st", gun.model.profile.st, About(gun.model)))
    return float(changed("range", float(gun.fire.range or 0.0), about))


@rule("cards/burn-rof", "armoury/grenade-b2b", "templates/flame")
def rof_is_fixed(gun: Gun) -> bool:
    """Flame templates always have RoF 1."""
    return gun.fire.is_flame


@rule("actions/rapid-fire")
def fires_rapidly(gun: Gun) -> bool:
    """Rapid fire excludes templates, grenades, bursts and psychic powers."""
    return not (gun.fire.area or gun.is_grenade or gun.is_burst or gun.is_power)


@rule("cards/burn-rof")
def rof_of(gun: Gun, extra: int = 0) -> int:
    """How many tests to hit one attack has."""
    about = About(gun.model, weapon=gun.weapon, fire=gun.fire, is_ranged=True)
    return 1 if rof_is_fixed(gun) else int(changed("rof", gun.fire.rof, about)) + extra
