"""Attacker and target of a query: a unit of a shipped roster, a datasheet, or models written inline; with a Leader."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from campale.mechanics.answers import NONE
from campale.mechanics.queries.fields import Asked, Fields
from campale.mechanics.queries.profiles import (
    Card,
    added_up,
    cards_of,
    fielded,
    models_inline,
    picks_of_cards,
    read_inline,
)
from campale.referee.odds_queries import Part, Pick, Title
from campale.rulesets.w10.armies import staging
from campale.rulesets.w10.armies.datasheets import HERE, SHEETS, Sheets, sheets_named
from campale.rulesets.w10.armies.forces import FORCES, RosterRow, unit_spec
from campale.rulesets.w10.armies.profile import Profile

FIELDS = Fields(HERE)
MOST_MODELS = 30

HowMany = Annotated[int, msgspec.Meta(ge=1, le=MOST_MODELS)]


class Party(NamedTuple):
    """The models of a unit in roster order, and its Leader."""

    models: Sequence[Profile]
    leader: Profile | None = None


class InlineModels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Models written inline: a profile as in scenario files, and its count."""

    profile: str
    count: HowMany = 1
    weapons: tuple[str, ...] | None = None
    adds: tuple[str, ...] = ()
    changes: dict[str, Any] = {}


# ---------------------------------------------------------------- units on offer


@lru_cache(maxsize=1)
def cards() -> dict[str, Card[RosterRow, Sheets]]:
    """Units of the shipped rosters, then datasheets."""
    sheets = [sheets_named(name) for name in SHEETS.names()]
    return cards_of(fielded(FORCES, lambda roster: roster.sheets), sheets, title_of, lambda id: RosterRow(unit=id))


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    return picks_of_cards(cards())


def title_of(row: RosterRow, sheets: Sheets) -> Title:
    return (row.name or sheets.units[row.unit].title).in_both


# ---------------------------------------------------------------- asked for


def party_of(part: Part, default: str) -> Asked:
    """Ask for a unit, its size, its weapons and its Leader."""
    chosen = yield FIELDS.figure(part, default, picks(), "core-concepts/unit")
    if not isinstance(chosen, str):
        return Party(read_inline(part, chosen, partial(inline, part)))
    row, sheets = cards()[chosen].row, cards()[chosen].of
    sheet = sheets.units[row.unit]
    size = row.size or min(sheet.sizes)
    if len(sheet.sizes) > 1:
        size = yield FIELDS.number(
            f"{part}-models", part, size, (1, max(sheet.sizes)), "muster/select-units", titled="models"
        )
    armed: list[list[Any]] = [[name, many] for name, many in row.weapons.items()]
    if sheet.options:
        offered = tuple(Pick(id, one.weapon.title.in_both) for id, one in sheet.options.items())
        rule = "datasheet/wargear-options"
        armed = yield FIELDS.counted(f"{part}-options", part, offered, MOST_MODELS, armed, rule, titled="options")
    models = models_of(part, replace(row, size=int(size)), sheets, armed)
    return Party(models, (yield from leader_of(part, row.unit, sheets)))


def models_of(part: Part, row: RosterRow, sheets: Sheets, armed: Sequence[Sequence[Any]]) -> tuple[Profile, ...]:
    """The models of a unit, a given number of which carry other weapons."""
    counted = added_up(FIELDS, part, armed, row.size or 0)
    return unit_spec(replace(row, weapons=counted), sheets).profiles


def leader_of(part: Part, unit: str, sheets: Sheets) -> Asked:
    """Ask for a CHARACTER that may lead the unit; None for none."""
    able = {id: one for id, one in sheets.profiles.items() if unit in one.leads}
    if not able:
        return None
    offered: tuple[str | Pick, ...] = (NONE, *(Pick(id, one.title) for id, one in able.items()))
    return able.get((yield FIELDS.choice(f"{part}-leader", part, offered, "core-abilities/leader")))


# ---------------------------------------------------------------- written inline


def inline(part: Part, plain: Any) -> tuple[Profile, ...]:
    """One kind of models, or several kinds in a list."""
    models = models_inline(plain, InlineModels, staging.profile)
    if len(models) > MOST_MODELS:
        raise FIELDS.fault(part, "so-many-models", count=len(models), most=MOST_MODELS)
    return tuple(models)
