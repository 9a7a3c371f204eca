"""The abilities that affect a unit (datasheet/aura, f/while-leading, duplicate-abilities/no-stacking)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from campale.referee.columns import Effect as Lasting
from campale.referee.position import FALLEN, GONE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.vocabulary import Ability, Effect
from campale.rulesets.w10.basics.attached import home_of, leaders
from campale.rulesets.w10.basics.persisting import ON_SIDE, ON_UNIT, PERSISTING
from campale.rulesets.w10.basics.units import (
    CHARGED,
    FOUGHT,
    SHOT,
    components,
    has,
    has_each,
    is_below_start,
    is_engaged,
    members,
    near,
)

OF_ARMIES = ("army-rule", "detachment", "stratagem")


class Carried(NamedTuple):
    """An ability with its name, and the row of the model that has it."""

    name: str
    ability: Ability
    row: int


def carried(position: Position) -> tuple[Carried, ...]:
    """All abilities in the battle; kept with the roster, as there are usually few."""
    kept = position.roster
    if "abilities" not in kept:
        kept["abilities"] = tuple(each_once(position))
    found: tuple[Carried, ...] = kept["abilities"]
    return found


def each_once(position: Position) -> Iterator[Carried]:
    """Yield each ability; those of an army come once per side, and those of the WARLORD only for the WARLORD.

    A WARLORD that was replaced has them again.
    """
    seen: set[tuple[int, str]] = set()
    for row, profile in enumerate(position.profiles):
        for name, ability in profile.rules.items():
            if ability.of in OF_ARMIES:
                is_warlords = ability.condition.warlord
                if (position.side_of[row], name) in seen or (is_warlords and not profile.has("warlord")):
                    continue
                if not is_warlords:
                    seen.add((position.side_of[row], name))
            yield Carried(name, ability, row)


def lasting(position: Position) -> tuple[Carried, ...]:
    """The abilities that always apply; kept with the roster."""
    kept = position.roster
    if "lasting" not in kept:
        kept["lasting"] = tuple(one for one in carried(position) if one.ability.is_always)
    found: tuple[Carried, ...] = kept["lasting"]
    return found


def on_unit(unit: Unit) -> tuple[Carried, ...]:
    """The abilities that affect a unit: by where models stand (kept until something moves), and those lent to it."""
    position = unit.position
    given = lent_to(unit) if position.effects else ()
    if not lasting(position):
        return given
    kept, key = position.layout, ("abilities", unit.row)
    if key not in kept:
        kept[key] = tuple(once(position, (one for one in lasting(position) if reaches(one, unit))))
    found: tuple[Carried, ...] = kept[key]
    return found + given


@rule("e/persisting-effect", "l/your-unit")
def lent_to(unit: Unit) -> tuple[Carried, ...]:
    """The abilities that a unit or its side was given until some moment."""
    position = unit.position
    return tuple(
        lent(position, effect)
        for effect in position.effects
        if effect.rule == PERSISTING and (effect.on, effect.bearer) in ((ON_UNIT, unit.row), (ON_SIDE, unit.side))
    )


def lent(position: Position, effect: Lasting) -> Carried:
    """The ability that an effect gives, one of those of the model it comes from."""
    name = str(effect.value)
    return Carried(name, position.profiles[effect.source].rules[name], effect.source)


@rule("datasheet/aura", "duplicate-abilities/no-stacking")
def once(position: Position, found: Iterator[Carried]) -> Iterator[Carried]:
    """Count one copy of an ability that reaches a unit more than once; the same id in two armies is not the same."""
    seen: set[tuple[int, str]] = set()
    for one in found:
        key = position.side_of[one.row], one.name
        if key not in seen or one.ability.who == "bearer":
            seen.add(key)
            yield one


@rule("c/fight-on-death", "s/shoot-on-death")
def reaches(one: Carried, unit: Unit) -> bool:
    """True if an ability affects a unit; models that act on their death are affected like the rest of their unit."""
    home = home_of(unit)
    return falls_on(one, unit) or (home.row != unit.row and falls_on(one, home))


@rule("datasheet/wargear-ability", "p/bearer")
def falls_on(one: Carried, unit: Unit) -> bool:
    """True if an ability affects a unit.

    A bearer off the table gives nothing, except for abilities of an army and those of a Leader that still leads.
    """
    bearer = unit.position.model(one.row)
    if one.ability.who == "army":
        return bearer.side == unit.side
    if one.ability.who == "led":
        return is_led_by(unit, bearer)
    if not bearer.is_on_table or (one.ability.condition.warlord and not bearer.profile.has("warlord")):
        return False
    own = unit.position.unit_of[one.row] == unit.row
    return in_aura(one.ability, bearer, unit) if one.ability.who == "aura" else own


@rule("f/while-leading", "f/while-leading-two", "f/while-leading-ends")
def is_led_by(unit: Unit, bearer: Model) -> bool:
    """True while the bearer is part of an attached unit; the ability also affects the bearer.

    A Leader destroyed by attacks still leads until they are resolved: until then its unit has not come apart.
    """
    own, parts = bearer.bought_with.row, components(unit)
    if bearer.unit.row != unit.row or own == unit.row or own not in parts:
        return False
    is_destroyed = bearer.where in (GONE, FALLEN) and all(m.bought_with.row != own for m in leaders(unit))
    return bearer.is_on_table or is_destroyed


@rule("datasheet/aura")
def in_aura(ability: Ability, bearer: Model, unit: Unit) -> bool:
    """True if a unit is within range of an aura, measured from its bearer; the bearer's own unit always is."""
    aura = ability.aura
    assert aura is not None
    side = bearer.side if aura.side == "friendly" else 1 - bearer.side
    if unit.side != side or not has_each(unit, aura.keyword):
        return False
    if aura.without and has(unit, aura.without):
        return False
    return unit.row == bearer.unit.row or bool(near(unit.position, [bearer], members(unit), aura.inches).any())


@rule("charging/has-charged", "s/below-starting-strength", "n/not-selected", "c/with-ability-x")
def is_unit_so(one: Carried, unit: Unit) -> bool:
    """True if all that the ability asks of a unit, of the phase and of whose turn it is, holds now."""
    asked, position = one.ability.condition, unit.position
    if asked.phase and position.now.get("phase") != asked.phase:
        return False
    if asked.enemy_turn and int(position.now["side"]) == position.side_of[one.row]:
        return False
    if (asked.charged and not unit.marks(CHARGED)) or (asked.unengaged and is_engaged(unit)):
        return False
    if (asked.unfought and unit.marks(FOUGHT)) or (asked.unshot and unit.marks(SHOT)):
        return False
    if asked.can and not any(m.profile.can(asked.can) for m in members(unit)):
        return False
    return not asked.below_start or is_below_start(unit)


def effects_on(unit: Unit, model: Model | None = None) -> Iterator[tuple[Carried, Effect]]:
    """The effects on a unit; with ``model`` also those of the abilities that affect only that model.

    What affects the only model of a unit affects the unit.
    """
    carried_by = on_unit(unit)
    models = members(unit) if carried_by else ()
    whose = models[0] if model is None and len(models) == 1 else model
    for one in carried_by:
        if one.ability.who == "bearer" and (whose is None or whose.row != one.row):
            continue
        if not is_unit_so(one, unit):
            continue
        for effect in one.ability.do:
            yield one, effect


def usable(model: Model, moment: str) -> list[Carried]:
    """The abilities of a model for a moment, used up or not: its own, and those of Leaders for the unit they lead."""
    return [one for one in carried(model.position) if one.ability.moment == moment and is_for(one, model)]


@rule("f/while-leading", "p/bearer")
def is_for(one: Carried, model: Model) -> bool:
    if one.ability.who == "led":
        return is_led_by(model.unit, model.position.model(one.row))
    return one.row == model.row
