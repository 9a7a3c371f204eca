"""Attacker and target of a query: a unit of a shipped force, a profile of the lists, or models written inline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.rows import Word
from campale.mechanics.queries.fields import Asked, Fields
from campale.mechanics.queries.profiles import (
    MOST_MODELS,
    HowMany,
    ModelsInline,
    UnitInline,
    few_enough,
    known_by,
    models_inline,
    picks_of,
    read_inline,
)
from campale.referee.odds_queries import Part, Pick
from campale.rulesets.e55.armies import staging
from campale.rulesets.e55.armies.army_lists import LISTS, ArmyList, army_list
from campale.rulesets.e55.armies.arsenal import HERE, arsenal, mount_from
from campale.rulesets.e55.armies.forces import FORCES, BoughtRow, armed
from campale.rulesets.e55.armies.profile import Profile

FIELDS = Fields(HERE)
FEW = 5


class Card(msgspec.Struct, frozen=True):
    """A unit that may be bought, and its army list."""

    row: BoughtRow
    known: ArmyList


class InlineModels(ModelsInline, frozen=True, forbid_unknown_fields=True):
    rules: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()


class InlineUnit(UnitInline, frozen=True, forbid_unknown_fields=True):
    options: dict[Word, HowMany] = msgspec.field(default_factory=dict)


# ---------------------------------------------------------------- units and profiles


@lru_cache(maxsize=1)
def cards() -> dict[str, Card]:
    """Return the units of the shipped forces, by ``force:unit``."""
    found = {}
    for name in FORCES.names():
        force = FORCES.named(name)
        for row in force.bought:
            found[f"{name}:{row.id or row.unit}"] = Card(row, force.known)
    return found


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    """Return units under the titles of their forces, then single profiles under those of their lists."""
    of_forces = [
        (key, (one.row.name or one.known.units[one.row.unit].title).in_both, FORCES.named(key.split(":")[0]).title)
        for key, one in cards().items()
    ]
    return picks_of(of_forces, map(army_list, LISTS.names()))


# ---------------------------------------------------------------- asked for


def models_of(part: Part, default: str) -> Asked:
    """Ask for a unit's kind, size and equipment; return the profiles of its models in roster order."""
    chosen = yield FIELDS.figure(part, default, picks(), "1.1/unit")
    if not isinstance(chosen, str):
        return read_inline(part, chosen, partial(inline, part))
    if chosen in cards():
        return (yield from bought(part, cards()[chosen]))
    return (yield from of_one_profile(part, staging.basic(chosen)))


def bought(part: Part, card: Card) -> Asked:
    kind = card.known.units[card.row.unit]
    size = card.row.size or kind.least
    if kind.least < kind.most:
        size = yield FIELDS.number(f"{part}-models", part, size, (kind.least, kind.most), titled="models")
    options = [[name, many] for name, many in card.row.options.items()]
    if kind.options:
        choices = tuple(Pick(name, one.title.in_both) for name, one in kind.options.items())
        options = yield FIELDS.counted(f"{part}-options", part, choices, MOST_MODELS, options, titled="options")
    return of_card(part, card, int(size), options)


def of_card(part: Part, card: Card, size: int, options: Sequence[Sequence[Any]]) -> tuple[Profile, ...]:
    counted: dict[str, int] = {}
    for name, many in options:
        counted[name] = counted.get(name, 0) + many
    models, lacking = armed(replace(card.row, size=size, options=counted), card.known)
    if lacking:
        name, many = next(iter(lacking.items()))
        raise FIELDS.fault(f"{part}-options", "too-many", thing=name, most=counted[name] - many)
    return tuple(models)


def of_one_profile(part: Part, basic: Profile) -> Asked:
    """Return a number of models of one profile, some of them with more weapons."""
    usual = 1 if basic.type in ("vehicle", "monster") else FEW
    many = yield FIELDS.number(f"{part}-models", part, usual, (1, MOST_MODELS), titled="models")
    weapons = tuple(Pick(id, one.title) for id, one in arsenal().weapons.items())
    adds = yield FIELDS.counted(f"{part}-adds", part, weapons, MOST_MODELS, titled="adds")
    models = [basic] * int(many)
    for id, count in adds:
        able = [k for k, one in enumerate(models) if one == basic][-count:]
        if len(able) < count:
            raise FIELDS.fault(f"{part}-adds", "too-many", thing=id, most=len(able))
        for k in able:
            models[k] = replace(basic, mounts=(*basic.mounts, mount_from(id, arsenal(), basic.id)))
    return tuple(models)


# ---------------------------------------------------------------- written inline


def inline(part: Part, plain: Any) -> tuple[Profile, ...]:
    """Return the models of one kind, of several kinds in a list, or of a unit of a list."""
    if isinstance(plain, dict) and "unit" in plain:
        return inline_unit(part, msgspec.convert(plain, InlineUnit))
    return few_enough(FIELDS, part, models_inline(plain, InlineModels, staging.profile))


def inline_unit(part: Part, unit: InlineUnit) -> tuple[Profile, ...]:
    known = army_list(unit.list)
    kind = known_by(unit.unit, known.units, "unit")
    for name in unit.options:
        known_by(name, kind.options, "option")
    card = Card(BoughtRow(unit=unit.unit), known)
    return of_card(part, card, unit.size or kind.least, list(unit.options.items()))
