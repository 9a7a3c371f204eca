"""What distinguishes positions while blows and hits fall, and what is read from them in the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from campale.dice.counts import Chances, chances_of, together
from campale.dice.odds import exact
from campale.referee.position import Position, Unit
from campale.rulesets.e3m.command.units import WOUNDS, members
from campale.rulesets.e3m.morale.morale import is_fearless, morale_need, passes

MOST_RUNS = 15_000
"""How many runs of stages one forecast may take before it is given up."""

MOST_LEFT = 4000
"""The same for rules that leave different positions behind, because each of them is copied."""

Policy = Callable[[Any], Any]


def key_of(position: Position) -> Hashable:
    """The places of the models, and all their marks and notes."""
    counters = position.of_models
    marks = tuple((name, tuple(column)) for name, column in sorted(counters.columns.items()) if any(column))
    notes = tuple((name, tuple(sorted(column.items()))) for name, column in sorted(counters.notes.items()) if column)
    return tuple(position.where), marks, notes


def lost_of(before: Position, after: Position, side: int) -> int:
    """How many models of a side that stood before are gone."""
    return sum(
        before.side_of[row] == side and before.model(row).is_on_table and not after.model(row).is_on_table
        for row in range(len(before.where))
    )


def wounds_of(before: Position, after: Position, side: int) -> int:
    """How many wounds the models of a side have lost."""
    rows = [row for row in range(len(before.where)) if before.side_of[row] == side]
    return sum(after.model(row).marks(WOUNDS) - before.model(row).marks(WOUNDS) for row in rows)


def happening(chances: tuple[float, ...]) -> Chances:
    """The chances of how many things happen, each with its own chance."""
    return together(chances_of({0: 1.0 - chance, 1: chance}) for chance in chances)


def fails(unit: Unit, why: str, outnumbered: bool, kept: dict[Hashable, float]) -> float:
    """The chance that a unit fails a morale test. ``kept`` caches it by need."""
    if not members(unit) or is_fearless(unit):
        return 0.0
    need = morale_need(unit, outnumbered)
    if need not in kept:
        kept[need] = float(exact(unit.position, partial(tested, unit.row, why, outnumbered))[False])
    return kept[need]


async def tested(row: int, why: str, outnumbered: bool, copy: Position) -> bool:
    return await passes(Unit(copy, row), why, outnumbered)
