"""The datasheets of the book, for putting together an army (muster/select-units)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from campale.mechanics.armies import picking
from campale.referee.armies.building import ArmyList, Field, Kind
from campale.rulesets.w10.armies.datasheets import SHEETS, SheetRow, Sheets, sheets_named


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return picking.army_lists(map(sheets_named, SHEETS.names()), head, kinds)


def head(sheets: Sheets) -> dict[str, str]:
    force = {"ruleset": "w10", "sheets": sheets.id, "faction": sheets.faction[0]}
    detachment = detachment_of(sheets)
    return {**force, "detachment": detachment} if detachment else force


def detachment_of(sheets: Sheets) -> str:
    """The id of the first Detachment of the file, or "" without any."""
    return next(iter(sheets.detachments), "")


def kinds(sheets: Sheets) -> Iterator[Kind]:
    return (kind(id, row, sheets, detachment_of(sheets)) for id, row in sheets.units.items())


def kind(id: str, row: SheetRow, sheets: Sheets, detachment: str) -> Kind:
    options = {name: one.weapon.title.in_both for name, one in row.options.items()}
    fields = (*picking.sizes(row.sizes), *picking.several("weapons", "counts", options))
    return Kind(
        id=id,
        title=row.title.in_both,
        row={"unit": id},
        fields=(*fields, *of_character(row, sheets, detachment)),
        prices=row.costs,
        profile=sheets.profiles[id],
    )


def of_character(row: SheetRow, sheets: Sheets, detachment: str) -> tuple[Field, ...]:
    """The fields of CHARACTERS: they may be the WARLORD and, unless EPIC HEROES, have an Enhancement."""
    if not row.is_character:
        return ()
    bought = sheets.detachments[detachment].enhancements if detachment and "epic-hero" not in row.keywords else {}
    named = {id: one.ability.title.in_both for id, one in bought.items()}
    return (picking.flag("warlord"), *picking.several("enhancement", "one", named))
