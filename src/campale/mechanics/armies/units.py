"""Units in a force file: their names, whom they start with, and unknown names."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from campale.mechanics.armies.files import unknown
from campale.mechanics.armies.rows import Count, Name, Title, Word
from campale.referee.reading import Written
from campale.referee.telling.spoken import Spoken


class BoughtUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a force; a book adds the purchases.

    Other units refer to it by ``id``; ``aboard`` (the transport in which it starts) and ``joins`` (with whom it starts)
    name such an id.
    """

    unit: Word
    id: Name = ""
    name: Title | None = None
    size: Count | None = None
    aboard: Name = ""
    joins: Name = ""

    @property
    def called(self) -> str:
        return self.id or self.unit


B = TypeVar("B", bound=BoughtUnit)


class Bought(NamedTuple):
    """The purchases of a row: the field of the row, the names in it, and those that its unit allows."""

    field: str
    names: Iterable[str]
    allowed: Sequence[str]


def number_of(id: str, units: Sequence[BoughtUnit]) -> int | None:
    """The number (from 0) of the unit with an id."""
    return next((k for k, one in enumerate(units) if id and id == one.called), None)


def unknown_names(
    units: Sequence[B], written: Written, kinds: Mapping[str, object], bought: Callable[[B], Bought]
) -> Iterator[Spoken]:
    """The unknown names in the units of a file: kinds of unit, options and other units."""
    ids = [one.called for one in units]
    for k, row in enumerate(units):
        if row.unit not in kinds:
            yield unknown(written.where(("units", k, "unit")), "no-unit", row.unit, kinds)
            continue
        options = bought(row)
        for name in not_in(options.names, options.allowed):
            at = written.where(("units", k, options.field, name))
            yield unknown(at, "no-option", name, options.allowed, unit=row.unit)
        for key, word in (("aboard", row.aboard), ("joins", row.joins)):
            if word and (word not in ids or word == ids[k]):
                yield unknown(written.where(("units", k, key)), "no-other-unit", word, ids)


def not_in(names: Iterable[str], known: Container[str]) -> Iterator[str]:
    return (name for name in names if name not in known)
