"""Armies built from the lists of a book: the number of models, the options, whom they start with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from campale.mechanics.titles import in_both
from campale.referee.armies.building import ArmyList, Field, Kind
from campale.referee.offers import Choice, Title

HERE = Path(__file__).parent


class Listed(Protocol):
    """A list of a book."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> Title: ...


L = TypeVar("L", bound=Listed)


def army_lists(
    lists: Iterable[L],
    force: Callable[[L], dict[str, Any]],
    kinds: Callable[[L], Iterable[Kind]],
    rows: str = "units",
    fields: Callable[[L], Iterable[Field]] = lambda _: (),
) -> tuple[ArmyList, ...]:
    """The lists for building armies: the constant part of the file, the kinds, and the fields of the whole army."""
    return tuple(
        ArmyList(id=of.id, title=of.title, force=force(of), kinds=tuple(kinds(of)), rows=rows, fields=tuple(fields(of)))
        for of in lists
    )


def prices(counts: Iterable[int], each: int, besides: int = 0) -> tuple[tuple[int, int], ...]:
    """The cost by number of models: a price for each, plus a fixed part."""
    return tuple((count, count * each + besides) for count in dict.fromkeys(counts))


def size(least: int, most: int, name: str = "size") -> tuple[Field, ...]:
    """The number of models; no field if only one number is possible."""
    if most <= max(least, 1):
        return ()
    return (Field(name=name, title=in_both(HERE, "field.size"), kind="number", least=least, most=most),)


def sizes(values: Iterable[int], name: str = "size") -> tuple[Field, ...]:
    """One of several numbers of models."""
    able = tuple(sorted(values))
    return (Field(name=name, title=in_both(HERE, "field.size"), kind="number", values=able),) if len(able) > 1 else ()


def several(key: str, kind: Any, choices: Mapping[str, Title], name: str = "", most: int = 60) -> tuple[Field, ...]:
    """A field with choices, by id; none if there is nothing to choose. ``key``: the key of its title."""
    offered = tuple(Choice(id, title) for id, title in choices.items())
    title = in_both(HERE, f"field.{key}")
    return (Field(name=name or key, title=title, kind=kind, choices=offered, most=most),) if offered else ()


def pile(key: str, choices: Iterable[Choice], usual: Mapping[str, int], most: int) -> Field:
    """How many of each; ``usual``: the default number."""
    title = in_both(HERE, f"field.{key}")
    return Field(name=key, title=title, kind="pile", choices=tuple(choices), usual=dict(usual), most=most)


def flag(key: str) -> Field:
    return Field(name=key, title=in_both(HERE, f"field.{key}"), kind="flag")


def word(key: str) -> Field:
    return Field(name=key, title=in_both(HERE, f"field.{key}"), kind="text")


def unit(key: str) -> Field:
    """Another unit of the army."""
    return Field(name=key, title=in_both(HERE, f"field.{key}"), kind="unit")
