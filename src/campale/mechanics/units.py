"""The units of a position: their remaining models, kept until somebody moves, leaves or joins, and their reserves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from campale.mechanics.bases import gaps
from campale.referee.ask import choose
from campale.referee.position import ABOARD, RESERVE, TABLE, Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, Restriction, first_refusal
from campale.table.shapes import TOLERANCE, rounded

ON_TABLE = (TABLE,)

NOBODY = -1
"""In place of the row of a unit or model."""


def by_unit(position: Position, where: tuple[int, ...] = ON_TABLE) -> dict[int, list[Model]]:
    """The remaining models of every unit, by its row. ``where``: the places that count."""
    kept, key = position.own, ("by-unit", where)
    if key not in kept:
        found: dict[int, list[Model]] = {}
        for model in position.models:
            if position.where[model.row] in where:
                found.setdefault(position.unit_of[model.row], []).append(model)
        kept[key] = found
    units: dict[int, list[Model]] = kept[key]
    return units


def members(unit: Unit, where: tuple[int, ...] = ON_TABLE) -> list[Model]:
    """The remaining models of a unit."""
    return by_unit(unit.position, where).get(unit.row, [])


def riders_of(carrier: Model) -> list[Model]:
    """The models aboard a model."""
    position = carrier.position
    handles, where = position.models, position.where
    rows = [row for row, other in enumerate(position.aboard_of) if other == carrier.row]
    return [handles[row] for row in rows if where[row] == ABOARD]


def units_of(position: Position, side: int, where: tuple[int, ...] = ON_TABLE) -> list[Unit]:
    """The units of a side with remaining models, in the order of its list."""
    return [Unit(position, row) for row in rows_of(position, side, where)]


def rows_of(position: Position, side: int, where: tuple[int, ...] = ON_TABLE) -> list[int]:
    """The rows of these units."""
    left = by_unit(position, where)
    return [row for row, owner in enumerate(position.unit_side) if owner == side and row in left]


def unmarked(position: Position, side: int, name: str) -> list[Unit]:
    """The units of a side with remaining models and without this mark."""
    marked = position.of_units.columns.get(name)
    rows = rows_of(position, side)
    return [Unit(position, row) for row in rows if marked is None or not marked[row]]


def gap_between(one: Unit, other: Unit) -> float:
    """The gap between the nearest models of two units, in plan."""
    return rounded(float(gaps(members(one), members(other)).min()))


def nearest_pairs(one: Unit, other: Unit, limit: Callable[[Model], float]) -> list[tuple[Model, Model]]:
    """Each model of a unit that is within its limit of a model of another unit, with the nearest of them."""
    models, others = members(one), members(other)
    found = gaps(models, others)
    pairs = zip(models, found.min(axis=1).tolist(), found.argmin(axis=1).tolist(), strict=True)
    return [(model, others[n]) for model, far, n in pairs if far <= limit(model) + TOLERANCE]


def waiting(position: Position, side: int) -> list[Unit]:
    """The units of a side that have a model in reserve, in the order of its list."""
    reserve = (m for m in position.models if m.side == side and m.where == RESERVE)
    return [Unit(position, row) for row in dict.fromkeys(position.unit_of[m.row] for m in reserve)]


def in_reserve(unit: Unit) -> list[Model]:
    """The models of a unit in reserve."""
    position = unit.position
    return [m for m in position.models if position.unit_of[m.row] == unit.row and m.where == RESERVE]


def drop_marks(position: Position, names: Iterable[str]) -> None:
    """Remove marks of units that last for a turn or a phase."""
    for name in names:
        for row, count in enumerate(position.of_units.columns.get(name, ())):
            if count:
                Unit(position, row).mark(name, 0)


def too_far_away(unit: Unit, target: Unit, limit: float) -> Fault | None:
    """No model of one unit is within the limit of a model of another."""
    far = gap_between(unit, target)
    return None if far <= limit + TOLERANCE else Fault(None, far, limit, members(target)[0].row)


async def choose_enemy(unit: Unit, prompt: str, restrictions: Sequence[Restriction]) -> Unit | None:
    """An enemy unit that no restriction(unit, enemy) forbids, or none; without such a unit there is no question."""
    position = unit.position
    enemies = rows_of(position, 1 - unit.side)

    def forbids(row: int | None) -> Refusal | None:
        return None if row is None else first_refusal(restrictions, unit, Unit(position, row))

    row = await choose(unit.side, prompt, [*enemies, None], of="unit", forbids=forbids, unit=unit.row)
    return None if row is None else Unit(position, row)
