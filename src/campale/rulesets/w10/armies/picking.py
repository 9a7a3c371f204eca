"""The datasheets of the book as an army is put together from them (muster/select-units)."""

from __future__ import annotations

from functools import lru_cache

from campale.mechanics.armies import picking
from campale.referee.building import ArmyList, Field, Kind
from campale.rulesets.w10.armies.datasheets import SHEETS, SheetRow, Sheets, sheets_named


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return tuple(army_list(sheets_named(name)) for name in SHEETS.names())


def army_list(sheets: Sheets) -> ArmyList:
    """With the first Detachment of the file, where it has any."""
    detachment = next(iter(sheets.detachments), "")
    force = {"ruleset": "w10", "sheets": sheets.id, "faction": sheets.faction[0]}
    if detachment:
        force["detachment"] = detachment
    kinds = tuple(kind(id, row, sheets, detachment) for id, row in sheets.units.items())
    return ArmyList(id=sheets.id, title=sheets.title, force=force, kinds=kinds)


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
    """CHARACTERS may be the WARLORD and, unless they are EPIC HEROES, have an Enhancement."""
    if not row.is_character:
        return ()
    bought = sheets.detachments[detachment].enhancements if detachment and "epic-hero" not in row.keywords else {}
    named = {id: one.ability.title.in_both for id, one in bought.items()}
    return (picking.flag("warlord"), *picking.several("enhancement", "one", named))
