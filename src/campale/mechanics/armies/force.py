"""The usual form of a force: the head of its file, its units with their models, and its cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec

from campale.mechanics.armies.rows import Title
from campale.referee.position import RESERVE, Model, Position, Unit

NAME_IT = "name_it"
"""The note of a unit or model with its Italian name."""


class ForceHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The common fields of every force file; a book adds ``ruleset`` (a Literal), its list, and the rows of the
    units."""

    name: Title
    points: Annotated[int, msgspec.Meta(ge=1, le=20_000)]


class Worth(Protocol):
    """Something with a cost in points."""

    @property
    def points(self) -> int: ...


W = TypeVar("W", bound=Worth)


class BuiltForce(msgspec.Struct, Generic[W], frozen=True):
    """``points`` is the limit that the force was built for, ``cost`` its actual cost."""

    id: str
    title: dict[str, str]
    points: int
    units: tuple[W, ...]

    @property
    def cost(self) -> int:
        return sum(one.points for one in self.units)


def add_unit(position: Position, side: int, title: Mapping[str, str]) -> Unit:
    """A unit without models yet, with its name in both languages."""
    unit = position.add_unit(title["en"], side)
    unit.jot(NAME_IT, title["it"])
    return unit


def add_model(unit: Unit, profile: Any, title: Mapping[str, str] | None = None) -> Model:
    """A model of a unit, off the table, with its name in both languages: the title of its profile, or another one."""
    called = profile.title if title is None else title
    model = unit.position.add_model(called["en"], profile, unit.side, unit, RESERVE)
    model.jot(NAME_IT, called["it"])
    return model
