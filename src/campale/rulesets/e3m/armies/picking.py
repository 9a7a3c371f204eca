"""The army lists of the book as a force is put together from them."""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

from campale.mechanics.armies import picking
from campale.mechanics.armies.rows import Title
from campale.mechanics.titles import in_both
from campale.referee.building import ArmyList, Kind
from campale.rulesets.e3m.armies import lists
from campale.rulesets.e3m.armies.lists import HERE, LISTS, UnitRow, weapons
from campale.rulesets.e3m.armies.profile import Equipment


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return tuple(army_list(lists.army_list(name)) for name in LISTS.names())


def army_list(of: lists.ArmyList) -> ArmyList:
    force = {"ruleset": "e3m", "list": of.id}
    kinds = tuple(kind(id, row, of) for id, row in of.units.items())
    return ArmyList(id=of.id, title=of.title, force=force, kinds=kinds)


def kind(id: str, row: UnitRow, of: lists.ArmyList) -> Kind:
    special = {name: title_of(weapons()[name].title) for name in (*row.heavy, *row.tenth)}
    bought = {name: in_both(HERE, f"equipment.{name}") for name in get_args(Equipment) if row.kind == "infantry"}
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
        prices=tuple((count, count * row.points) for count in dict.fromkeys(row.size)),
        profile=of.profiles[id],
    )


def title_of(title: Title | dict[str, str]) -> dict[str, str]:
    return title.in_both if isinstance(title, Title) else title
