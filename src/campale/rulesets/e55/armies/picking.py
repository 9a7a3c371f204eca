"""The army lists of the book, for putting a force together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from campale.mechanics.armies import picking
from campale.referee.armies.building import ArmyList, Kind
from campale.rulesets.e55.armies import army_lists as lists
from campale.rulesets.e55.armies.army_lists import LISTS, UnitRow


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return picking.army_lists(map(lists.army_list, LISTS.names()), head, kinds)


def head(of: lists.ArmyList) -> dict[str, str]:
    return {"ruleset": "e55", "list": of.id}


def kinds(of: lists.ArmyList) -> Iterator[Kind]:
    return (kind(id, row, of) for id, row in of.units.items())


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
        prices=picking.prices((row.least, row.most), profile.points, besides),
        profile=profile,
    )
