"""Which abilities fall on whom (datasheet/aura, f/while-leading, duplicate-abilities/no-stacking)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.vocabulary import Ability, Effect
from campale.rulesets.w10.basics.attached import is_attached, leaders
from campale.rulesets.w10.basics.units import has, members, units_within


class Carried(NamedTuple):
    """An ability by its name, and the row of the model that has it."""

    name: str
    ability: Ability
    row: int


def carried(position: Position) -> tuple[Carried, ...]:
    """All abilities in the battle. Kept with the roster: mostly there are few."""
    kept = position.roster
    if "abilities" not in kept:
        kept["abilities"] = tuple(
            Carried(name, ability, row)
            for row, profile in enumerate(position.profiles)
            for name, ability in profile.rules.items()
        )
    found: tuple[Carried, ...] = kept["abilities"]
    return found


def on_unit(unit: Unit) -> tuple[Carried, ...]:
    """Those that fall on a unit as models stand. Kept until something moves."""
    position = unit.position
    if not carried(position):
        return ()
    kept, key = position.layout, ("abilities", unit.row)
    if key not in kept:
        kept[key] = tuple(once(one for one in carried(position) if falls_on(one, unit)))
    found: tuple[Carried, ...] = kept[key]
    return found


@rule("datasheet/aura", "duplicate-abilities/no-stacking")
def once(found: Iterator[Carried]) -> Iterator[Carried]:
    """Of an ability that reaches a unit twice one copy counts."""
    seen: set[str] = set()
    for one in found:
        if one.name not in seen or one.ability.who == "bearer":
            seen.add(one.name)
            yield one


@rule("datasheet/wargear-ability", "p/bearer")
def falls_on(one: Carried, unit: Unit) -> bool:
    """A model that is not on the table gives nothing."""
    bearer = unit.position.model(one.row)
    if not bearer.is_on_table:
        return False
    own = unit.position.unit_of[one.row] == unit.row
    if one.ability.who == "led":
        return own and is_led_by(unit, bearer)
    return in_aura(one.ability, bearer, unit) if one.ability.who == "aura" else own


@rule("f/while-leading", "f/while-leading-two")
def is_led_by(unit: Unit, bearer: Model) -> bool:
    """While the bearer is part of an attached unit; it benefits from it itself."""
    return is_attached(unit) and any(m.row == bearer.row for m in leaders(unit))


@rule("datasheet/aura")
def in_aura(ability: Ability, bearer: Model, unit: Unit) -> bool:
    """Within its range; the owner always is."""
    aura = ability.aura
    assert aura is not None
    side = bearer.side if aura.side == "friendly" else 1 - bearer.side
    if unit.side != side or (aura.keyword and not has(unit, aura.keyword)):
        return False
    return unit.row == bearer.unit.row or any(
        one.row == unit.row for one in units_within(bearer.unit, aura.inches, side) if members(one)
    )


def effects_on(unit: Unit) -> Iterator[tuple[Carried, Effect]]:
    for one in on_unit(unit):
        for effect in one.ability.do:
            yield one, effect
