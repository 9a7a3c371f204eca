"""Attacker and target of a query: a unit of a shipped force, a kind of unit of the lists, or models written inline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.rows import Word
from campale.mechanics.queries.fields import Fields
from campale.mechanics.queries.profiles import known_by, models_inline, picks_of, read_inline
from campale.referee.odds_queries import Part, Pick, Title
from campale.rulesets.e3m.armies import staging
from campale.rulesets.e3m.armies.forces import EQUIPMENT_COST, FORCES, BoughtRow, unit_spec
from campale.rulesets.e3m.armies.lists import HERE, LISTS, ArmyList, army_list, weapons
from campale.rulesets.e3m.armies.profile import Equipment, Profile

FIELDS = Fields(HERE)
MOST_MODELS = 30
FEW = 5
EQUIPMENT: tuple[Equipment, ...] = tuple(EQUIPMENT_COST)

HowMany = Annotated[int, msgspec.Meta(ge=1, le=MOST_MODELS)]


class Card(msgspec.Struct, frozen=True):
    """A unit that may be bought, and the list that it is of."""

    row: BoughtRow
    army: ArmyList


class InlineModels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Models written inline: as scenario files have a profile, and how many of it."""

    profile: str
    count: HowMany = 1
    weapons: tuple[Any, ...] | None = None
    adds: tuple[Any, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    changes: dict[str, Any] = {}


class InlineUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit written inline, as the files of forces have it."""

    list: Word
    unit: Word
    size: HowMany | None = None
    weapons: dict[Word, HowMany] = {}
    equipment: tuple[Equipment, ...] = ()


# ---------------------------------------------------------------- what there is


class Named(NamedTuple):
    """A list whose profiles are known by the names that the form has for them."""

    title: Title
    profiles: dict[str, Profile]


@lru_cache(maxsize=1)
def cards() -> dict[str, Card]:
    """Units of the shipped forces as ``force:unit``, then kinds of units, as ``list/unit`` where two lists have one."""
    found: dict[str, Card] = {}
    for name in FORCES.names():
        force = FORCES.named(name)
        found |= {f"{name}:{one.row.called}": Card(one.row, force.army) for one in force.units}
    armies = [army_list(name) for name in LISTS.names()]
    often = Counter(id for army in armies for id in army.units)
    for army in armies:
        kinds = {id if often[id] == 1 else f"{army.id}/{id}": id for id in army.units}
        found |= {key: Card(BoughtRow(unit=id), army) for key, id in kinds.items()}
    return found


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    """Units under the titles of their forces, then kinds of units under those of their lists."""
    of_forces = [
        (key, title_of(one), FORCES.named(key.partition(":")[0]).title) for key, one in cards().items() if ":" in key
    ]
    lists: dict[str, Named] = {}
    for key, one in cards().items():
        if ":" not in key:
            known = lists.setdefault(one.army.id, Named(one.army.title, {}))
            known.profiles[key] = one.army.profiles[one.row.unit]
    return picks_of(of_forces, lists.values())


def title_of(card: Card) -> Title:
    return (card.row.name or card.army.units[card.row.unit].title).in_both


# ---------------------------------------------------------------- asked for


Asked = Any
"""A generator of fields that returns the profiles of the models."""


def models_of(part: Part, default: str) -> Asked:
    """Who it is, how many, and what they carry: the profiles of the models in the order of the roster."""
    chosen = yield FIELDS.figure(part, default, picks(), "hierarchy/unit-composition")
    if not isinstance(chosen, str):
        return read_inline(part, chosen, partial(inline, part))
    card = cards()[chosen]
    kind, row = card.army.units[card.row.unit], card.row
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
    if kind.kind in ("infantry", "jump"):
        bought = yield FIELDS.several(f"{part}-equipment", part, EQUIPMENT, "base-weapons/grenades", "equipment")
        bought = (*row.equipment, *(one for one in bought if one not in row.equipment))
    return armed(part, card, int(size), special, bought)


def armed(part: Part, card: Card, size: int, special: Sequence[Sequence[Any]], equipment: Any) -> tuple[Profile, ...]:
    """The models of a unit of this size, so many of which carry something else."""
    counted: dict[str, int] = {}
    for name, many in special:
        counted[name] = counted.get(name, 0) + many
    if sum(counted.values()) > size:
        raise FIELDS.fault(f"{part}-options", "too-many-options", most=size)
    row = replace(card.row, size=size, weapons=counted, equipment=tuple(equipment))
    return unit_spec(row, card.army).profiles


# ---------------------------------------------------------------- written inline


def inline(part: Part, plain: Any) -> tuple[Profile, ...]:
    """One kind of models, several kinds in a list, or a unit of a list."""
    if isinstance(plain, dict) and "unit" in plain:
        return inline_unit(part, msgspec.convert(plain, InlineUnit))
    models = models_inline(plain, InlineModels, staging.profile)
    if len(models) > MOST_MODELS:
        raise FIELDS.fault(part, "so-many-models", count=len(models), most=MOST_MODELS)
    if len(models) > 1 and any(one.has_armour for one in models):
        raise FIELDS.fault(part, "vehicle-alone")
    return tuple(models)


def inline_unit(part: Part, unit: InlineUnit) -> tuple[Profile, ...]:
    known = army_list(unit.list)
    kind = known_by(unit.unit, known.units, "unit")
    offered = dict.fromkeys((*kind.heavy, *kind.tenth))
    for name in unit.weapons:
        known_by(name, offered, "option")
    size = min(unit.size or kind.size[0], kind.size[1])
    return armed(part, Card(BoughtRow(unit=unit.unit), known), size, list(unit.weapons.items()), unit.equipment)
