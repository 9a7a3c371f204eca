"""The units of a position: who is left of each, kept until somebody moves, leaves or joins, and who has yet to come."""

from __future__ import annotations

from collections.abc import Iterable

from campale.referee.position import RESERVE, TABLE, Model, Position, Unit

ON_TABLE = (TABLE,)


def by_unit(position: Position, where: tuple[int, ...] = ON_TABLE) -> dict[int, list[Model]]:
    """The models that are left of every unit, by its row. ``where``: the places that count."""
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
    """The models that are left of a unit."""
    return by_unit(unit.position, where).get(unit.row, [])


def units_of(position: Position, side: int, where: tuple[int, ...] = ON_TABLE) -> list[Unit]:
    """The units of a side of which somebody is left, in the order of its list."""
    left = by_unit(position, where)
    return [Unit(position, row) for row, owner in enumerate(position.unit_side) if owner == side and row in left]


def waiting(position: Position, side: int) -> list[Unit]:
    """The units of a side that have a model in reserve, in the order of its list."""
    reserve = (m for m in position.models if m.side == side and m.where == RESERVE)
    return [Unit(position, row) for row in dict.fromkeys(position.unit_of[m.row] for m in reserve)]


def in_reserve(unit: Unit) -> list[Model]:
    """The models of a unit that have yet to come."""
    position = unit.position
    return [m for m in position.models if position.unit_of[m.row] == unit.row and m.where == RESERVE]


def drop_marks(position: Position, names: Iterable[str]) -> None:
    """Take away what was noted of units for a turn or a phase."""
    for name in names:
        for unit in position.units:
            unit.mark(name, 0)
