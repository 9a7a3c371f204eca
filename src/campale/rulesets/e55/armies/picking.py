"""The army lists of the book as a force is put together from them."""

from __future__ import annotations

from functools import lru_cache

from campale.mechanics.armies import picking
from campale.referee.building import ArmyList, Kind
from campale.rulesets.e55.armies import army_lists as lists
from campale.rulesets.e55.armies.army_lists import LISTS, UnitRow


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return tuple(army_list(lists.army_list(name)) for name in LISTS.names())


def army_list(of: lists.ArmyList) -> ArmyList:
    force = {"ruleset": "e55", "list": of.id}
    kinds = tuple(kind(id, row, of) for id, row in of.units.items())
    return ArmyList(id=of.id, title=of.title, force=force, kinds=kinds)


def kind(id: str, row: UnitRow, of: lists.ArmyList) -> Kind:
    profile = of.profiles[row.profile]
    besides = sum(of.profiles[also.profile].points * also.count for also in row.also)
    options = {name: one.title.in_both for name, one in row.options.items()}
    return Kind(
        id=id,
        title=row.title.in_both,
        row={"unit": id},
        fields=(
            *picking.size(row.least, row.most),
            *picking.several("options", "counts", options),
            picking.unit("aboard"),
            picking.unit("joins"),
        ),
        prices=tuple((count, count * profile.points + besides) for count in dict.fromkeys((row.least, row.most))),
        profile=profile,
    )
