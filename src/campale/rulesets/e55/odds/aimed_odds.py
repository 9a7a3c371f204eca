"""The odds of hits aimed at single models (markers and templates), beside wounds that are allocated.

Such a hit is rolled when its model takes it, not when all hits are rolled. The order of the rolls does not change the
odds, and fewer cases have to be enumerated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from campale.dice.stages import All, AnyStage, Each, Fold, Parts
from campale.referee.position import Position
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.allocation import groups_of
from campale.rulesets.e55.hits.attacks import Hit, Wound
from campale.rulesets.e55.hits.resolving import Account, OnLiving, Suffered
from campale.rulesets.e55.hits.saves import Borne, Lot

Rows = tuple[int, ...]


class OnSingleModels:
    """The stages of hits on a unit, some of them aimed: as in ``OnLiving``, except when the dice are rolled.

    The end results are the fates of models, with the wounds not saved. One model stands for all identical ones
    (``twins``).
    """

    def __init__(self, living: OnLiving, groups: Iterable[Iterable[Any]], twins: Mapping[int, int]) -> None:
        self.living, self.twins = living, twins
        rows = [tuple(model.row for model in group) for group in groups]
        self.group = {row: group for group in rows for row in group}

    @property
    def stages(self) -> tuple[AnyStage, ...]:
        lots = All("lots", self.living.lots, heeds=is_wound)
        return Each("wounds-given-out", self.common), lots, Parts("given", self.by, wounds_in, self.of_group)

    async def common(self, position: Position, hits: Sequence[Hit]) -> list[Any]:
        free = await self.living.wounds(position, [hit for hit in hits if hit.target < 0])
        return [*free, *(hit for hit in hits if hit.target >= 0)]

    def by(self, position: Position, thing: Lot | Hit) -> Rows:
        return thing.rows if isinstance(thing, Lot) else self.group[thing.target]

    def of_group(self, position: Position, rows: Rows) -> tuple[AnyStage, ...]:
        if len(rows) == 1:
            return self.of_model(position, rows[0])
        left = Parts("left", row_of, itself, self.of_left)
        return Each("saves", saved, (rows[0],)), All("fall", falls, (rows,), left_of_group, nothing_unsaved), left

    def of_left(self, position: Position, row: int) -> tuple[AnyStage, ...]:
        """Return the stages of the models left in a group after its wounds: each by itself."""
        return () if row < 0 else self.of_model(position, row)

    def of_model(self, position: Position, row: int) -> tuple[AnyStage, ...]:
        first = self.twins[row]
        begin = Suffered(characteristics.value(position.models[first], "w"))
        fold = Fold("unsaved", begin, resolving.and_one_more, (first,))
        return Each("borne", self.borne), fold, Each("losses", suffers, (first,), left_of_model)

    async def borne(self, position: Position, things: Sequence[Borne | Hit]) -> list[Borne]:
        """Return the wounds of hits on single models, with the saves against them."""
        found = [thing for thing in things if isinstance(thing, Borne)]
        wounds = await self.living.wounds(position, [thing for thing in things if isinstance(thing, Hit)])
        lots = await self.living.lots(position, wounds) if wounds else ()
        return [*found, *(one for lot in lots for one in lot.borne)]


def is_wound(thing: Any) -> bool:
    return isinstance(thing, Wound)


def wounds_in(position: Position, thing: Lot | Hit) -> tuple[Any, ...]:
    return thing.borne if isinstance(thing, Lot) else (thing,)


def row_of(position: Position, thing: Any) -> Hashable:
    """Return the row of the model that a hit is aimed at; -1 for everything else."""
    return thing.target if isinstance(thing, Hit) else -1


def itself(position: Position, thing: Any) -> tuple[Any]:
    return (thing,)


async def saved(position: Position, things: Sequence[Borne | Hit], row: int) -> list[Account | Hit]:
    unsaved = await resolving.unsaved_of_group(position, [one for one in things if isinstance(one, Borne)], row)
    return [*unsaved, *(one for one in things if isinstance(one, Hit))]


async def falls(position: Position, things: Sequence[Account | Hit], rows: Rows) -> tuple[list[int], list[Any]]:
    accounts = [one for one in things if isinstance(one, Account)]
    return await resolving.lose_of_group(position, accounts, rows), list(things)


def nothing_unsaved(position: Position, things: Sequence[Account | Hit]) -> bool:
    """Return whether no wound is unsaved, so that no model falls."""
    return not any(isinstance(one, Account) for one in things)


def left_of_group(position: Position, given: tuple[list[int], list[Any]]) -> list[Any]:
    """Return the fates of the fallen, the wounds not saved, and the hits on the models left."""
    fallen, things = given
    left = [one for one in things if isinstance(one, Account) or position.models[one.target].is_on_table]
    return [*resolving.fates(position, fallen), *left]


async def suffers(position: Position, several: Sequence[Suffered], row: int) -> tuple[list[int], list[Suffered]]:
    return await resolving.suffer(position, several, row), list(several)


def left_of_model(position: Position, given: tuple[list[int], list[Suffered]]) -> list[Any]:
    rows, several = given
    return [*resolving.fates(position, rows), *several]


def on_single_models(living: OnLiving, position: Position, twins: Mapping[int, int]) -> OnSingleModels:
    return OnSingleModels(living, groups_of(position.units[living.row]), twins)
