"""Armies that players build from a book's own lists: what may be picked, and how an army file stores it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from campale.referee.offers import Choice, Title


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a unit or of an army; ``name`` is its key in the army file.

    number: one of ``values``, or a whole number from ``least`` to ``most``. counts: how many models have which of the
    ``choices``, ``most`` of each. pile: how many of which of the ``choices`` there are, say in a deck of cards;
    ``usual``: the default number. one, several: of the ``choices``. unit: another unit of the army, by its id. flag:
    yes or no. text: a word of the player's own.
    """

    name: str
    title: Title
    kind: Literal["number", "counts", "pile", "one", "several", "unit", "flag", "text"]
    choices: tuple[Choice, ...] = ()
    values: tuple[int, ...] = ()
    least: int = 0
    most: int = 60
    usual: dict[str, int] = {}


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of unit. ``row``: the constant part of its row in the file; ``prices``: the cost by number of models,
    without other purchases; ``profile``: that of one model.
    """

    id: str
    title: Title
    row: dict[str, Any]
    fields: tuple[Field, ...]
    prices: tuple[tuple[int, int], ...]
    profile: Any = None


class ArmyList(msgspec.Struct, frozen=True, kw_only=True):
    """A list of a book.

    ``force``: the constant part of its army files; ``rows``: the key of its units. ``fields``: the fields of the army
    as a whole.
    """

    id: str
    title: Title
    force: dict[str, Any]
    kinds: tuple[Kind, ...]
    rows: str = "units"
    fields: tuple[Field, ...] = ()
