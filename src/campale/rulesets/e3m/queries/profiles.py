"""Attacker and target of a query: a unit of a shipped force, a kind of unit of the lists, or inline models."""

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
    Card,
    HowMany,
    ModelsInline,
    UnitInline,
    added_up,
    cards_of,
    few_enough,
    fielded,
    known_by,
    models_inline,
    picks_of_cards,
    read_inline,
)
from campale.referee.odds_queries import Part, Pick, Title
from campale.rulesets.e3m.armies import staging
from campale.rulesets.e3m.armies.forces import EQUIPMENT_COST, FORCES, BoughtRow, unit_spec
from campale.rulesets.e3m.armies.lists import HERE, LISTS, ArmyList, army_list, weapons
from campale.rulesets.e3m.armies.profile import Equipment, Profile

FIELDS = Fields(HERE)
EQUIPMENT: tuple[Equipment, ...] = tuple(EQUIPMENT_COST)


class InlineModels(ModelsInline, frozen=True, forbid_unknown_fields=True):
    equipment: tuple[Equipment, ...] = ()


class InlineUnit(UnitInline, frozen=True, forbid_unknown_fields=True):
    weapons: dict[Word, HowMany] = msgspec.field(default_factory=dict)
    equipment: tuple[Equipment, ...] = ()


# ---------------------------------------------------------------- units on offer


@lru_cache(maxsize=1)
def cards() -> dict[str, Card[BoughtRow, ArmyList]]:
    """The units of the shipped forces, then the kinds of units of the lists."""
    lists = [army_list(name) for name in LISTS.names()]
    return cards_of(fielded(FORCES, lambda force: force.army), lists, title_of, lambda id: BoughtRow(unit=id))


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    return picks_of_cards(cards())


def title_of(row: BoughtRow, army: ArmyList) -> Title:
    return (row.name or army.units[row.unit].title).in_both


# ---------------------------------------------------------------- questions


def models_of(part: Part, default: str) -> Asked:
    """Ask for a unit, its size and its weapons; return the profiles of its models in roster order."""
    chosen = yield FIELDS.figure(part, default, picks(), "hierarchy/unit-composition")
    if not isinstance(chosen, str):
        return read_inline(part, chosen, partial(inline, part))
    row, army = cards()[chosen].row, cards()[chosen].of
    kind = army.units[row.unit]
    least, most = kind.size[0], min(kind.size[1], MOST_MODELS)
    size = min(row.size or least, most)
    if least < most:
        size = yield FIELDS.number(f"{part}-models", part, size, (least, most), titled="models")
    special = [[name, many] for name, many in row.weapons.items()]
    offered = dict.fromkeys((*kind.heavy, *kind.tenth))
    if offered:
        choices = tuple(Pick(id, weapons()[id].title.in_both) for id in offered)
        special = yield FIELDS.counted(f"{part}-options", part, choices, MOST_MODELS, special, titled="options")
    bought: Sequence[Any] = row.equipment
    if army.grenades and kind.kind in ("infantry", "jump"):
        bought = yield FIELDS.several(f"{part}-equipment", part, EQUIPMENT, "base-weapons/grenades", "equipment")
        bought = (*row.equipment, *(one for one in bought if one not in row.equipment))
    return armed(part, replace(row, size=int(size), equipment=tuple(bought)), army, special)


def armed(part: Part, row: BoughtRow, army: ArmyList, special: Sequence[Sequence[Any]]) -> tuple[Profile, ...]:
    """The models of a unit with these numbers of special weapons."""
    counted = added_up(FIELDS, part, special, row.size or 0)
    return unit_spec(replace(row, weapons=counted), army).profiles


# ---------------------------------------------------------------- inline models


def inline(part: Part, plain: Any) -> tuple[Profile, ...]:
    """Inline models: one kind, a list of several kinds, or a unit of a list."""
    if isinstance(plain, dict) and "unit" in plain:
        return inline_unit(part, msgspec.convert(plain, InlineUnit))
    models = few_enough(FIELDS, part, models_inline(plain, InlineModels, staging.profile))
    if len(models) > 1 and any(one.has_armour for one in models):
        raise FIELDS.fault(part, "vehicle-alone")
    return models


def inline_unit(part: Part, unit: InlineUnit) -> tuple[Profile, ...]:
    known = army_list(unit.list)
    kind = known_by(unit.unit, known.units, "unit")
    offered = dict.fromkeys((*kind.heavy, *kind.tenth))
    for name in unit.weapons:
        known_by(name, offered, "option")
    size = min(unit.size or kind.size[0], kind.size[1])
    row = BoughtRow(unit=unit.unit, size=size, equipment=tuple(unit.equipment))
    return armed(part, row, known, list(unit.weapons.items()))
