"""The army lists of the book, for building a force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import get_args

from campale.mechanics.armies import picking
from campale.mechanics.armies.rows import Title
from campale.mechanics.titles import in_both
from campale.referee.armies.building import ArmyList, Kind
from campale.rulesets.e3m.armies import lists
from campale.rulesets.e3m.armies.lists import HERE, LISTS, UnitRow, weapons
from campale.rulesets.e3m.armies.profile import Equipment

ON_FOOT = ("infantry", "jump")
"""The kinds of models that buy grenades, in the lists that have them (armies/list-format)."""


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return picking.army_lists(map(lists.army_list, LISTS.names()), head, kinds)


def head(of: lists.ArmyList) -> dict[str, str]:
    return {"ruleset": "e3m", "list": of.id}


def kinds(of: lists.ArmyList) -> Iterator[Kind]:
    return (kind(id, row, of) for id, row in of.units.items())


def kind(id: str, row: UnitRow, of: lists.ArmyList) -> Kind:
    special = {name: title_of(weapons()[name].title) for name in (*row.heavy, *row.tenth)}
    for_sale = get_args(Equipment) if of.grenades and row.kind in ON_FOOT else ()
    bought = {name: in_both(HERE, f"equipment.{name}") for name in for_sale}
    return Kind(
        id=id,
        title=row.title.in_both,
        row={"unit": id},
        fields=(
            *picking.size(*row.size),
            *picking.several("weapons", "counts", special),
            *picking.several("equipment", "several", bought),
            picking.word("group"),
            picking.flag("leads"),
            picking.unit("joins"),
            picking.unit("aboard"),
        ),
        prices=picking.prices(row.size, row.points),
        profile=of.profiles[id],
    )


def title_of(title: Title | dict[str, str]) -> dict[str, str]:
    return title.in_both if isinstance(title, Title) else title
