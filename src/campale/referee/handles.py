"""Handles on the models and units of one position; rules work with these. No handle outlives an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from campale.referee.columns import TABLE
from campale.referee.refusal import Plain
from campale.table.shapes import Point, Solid

if TYPE_CHECKING:
    from campale.referee.position import Position


class Model:
    """A handle on one model of one position."""

    __slots__ = ("position", "profile", "row")

    def __init__(self, position: Position, row: int) -> None:
        self.position = position
        self.row = row
        self.profile: Any = position.profiles[row]

    def __repr__(self) -> str:
        return f"<{self.name} ({self.row})>"

    @property
    def name(self) -> str:
        return self.position.names[self.row]

    @property
    def side(self) -> int:
        return self.position.side_of[self.row]

    @property
    def unit(self) -> Unit:
        return Unit(self.position, self.position.unit_of[self.row])

    @property
    def bought_with(self) -> Unit:
        return Unit(self.position, self.position.bought_with[self.row])

    @property
    def x(self) -> float:
        return self.position.x[self.row]

    @property
    def y(self) -> float:
        return self.position.y[self.row]

    @property
    def z(self) -> float:
        return self.position.z[self.row]

    @property
    def facing(self) -> float:
        return self.position.facing[self.row]

    @property
    def at(self) -> Point:
        return self.position.x[self.row], self.position.y[self.row]

    @property
    def where(self) -> int:
        return self.position.where[self.row]

    @property
    def is_on_table(self) -> bool:
        return self.position.where[self.row] == TABLE

    @property
    def aboard_of(self) -> Model | None:
        carrier = self.position.aboard_of[self.row]
        return None if carrier < 0 else self.position.model(carrier)

    @property
    def solid(self) -> Solid:
        """The upright solid over its base, made by its ruleset from the profile and state."""
        return self.position.ruleset.solid(self)

    def marks(self, name: str) -> int:
        """The number of markers of a kind, or points of a pool."""
        column = self.position.of_models.columns.get(name)
        return column[self.row] if column is not None else 0

    def marked(self) -> list[str]:
        """The names of all its markers and points."""
        return self.position.of_models.named(self.row)

    def note(self, name: str, default: Plain = None) -> Plain:
        return self.position.of_models.note(self.row, name, default)

    def mark(self, name: str, value: int, quietly: bool = False) -> None:
        """Set a count of the model."""
        self.position.mark(self, name, value, quietly)

    def add(self, name: str, more: int, quietly: bool = False) -> None:
        self.position.mark(self, name, self.marks(name) + more, quietly)

    def jot(self, name: str, value: Plain) -> None:
        """Set a note of the model; None removes it."""
        self.position.of_models.set_note(self.row, name, value)

    def move_to(self, x: float, y: float, z: float | None = None, facing: float | None = None, **how: Plain) -> None:
        self.position.move_to(self, x, y, z, facing, **how)


class Unit(msgspec.Struct, eq=False):
    """A handle on one unit of one position."""

    position: Position
    row: int

    def __repr__(self) -> str:
        return f"<{self.name} ({self.row})>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and other.row == self.row and other.position is self.position

    def __ne__(self, other: object) -> bool:
        return not (isinstance(other, Unit) and other.row == self.row and other.position is self.position)

    def __hash__(self) -> int:
        return self.row

    @property
    def name(self) -> str:
        return self.position.unit_names[self.row]

    @property
    def side(self) -> int:
        return self.position.unit_side[self.row]

    @property
    def models(self) -> list[Model]:
        """Its models that are on the table."""
        handles, where = self.position.models, self.position.where
        rows = [row for row, unit in enumerate(self.position.unit_of) if unit == self.row]
        return [handles[row] for row in rows if where[row] == TABLE]

    @property
    def bought(self) -> list[Model]:
        """The models bought with it, wherever they are, in the order of the roster."""
        handles = self.position.models
        return [handles[row] for row, unit in enumerate(self.position.bought_with) if unit == self.row]

    def marks(self, name: str) -> int:
        return self.position.of_units.get(self.row, name)

    def note(self, name: str, default: Plain = None) -> Plain:
        return self.position.of_units.note(self.row, name, default)

    def mark(self, name: str, value: int) -> None:
        self.position.mark_unit(self, name, value)

    def jot(self, name: str, value: Plain) -> None:
        self.position.of_units.set_note(self.row, name, value)
