"""Who attacks or is attacked in a query: units of shipped forces, profiles of the lists, or models written inline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from campale.referee.misfits import told_of
from campale.referee.odds_queries import FieldError, Pick, Title
from campale.referee.reading import FileError, meant

UNREADABLE = FileError, msgspec.ValidationError, TypeError, ValueError, KeyError

T = TypeVar("T")


class Titled(Protocol):
    @property
    def title(self) -> Title: ...


class Listed(Protocol):
    """An army list, as far as a query must know it: profiles by their ids."""

    @property
    def title(self) -> Title: ...
    @property
    def profiles(self) -> Any: ...


def picks_of(cards: Iterable[tuple[str, Title, Title]], lists: Iterable[Listed]) -> tuple[Pick, ...]:
    """What is shipped, as (key, title, title of its force), then every profile of the lists once."""
    of_forces = [Pick(key, title, force) for key, title, force in cards]
    of_lists = {id: Pick(id, one.title, known.title) for known in lists for id, one in known.profiles.items()}
    return (*of_forces, *of_lists.values())


def read_inline(name: str, plain: Any, read: Callable[[Any], T]) -> T:
    """What is written inline at a field. Raises FieldError, in both languages, for what cannot be read."""
    try:
        return read(plain)
    except FieldError:
        raise
    except UNREADABLE as error:
        raise FieldError(name, told_of(error)) from None


def models_inline(plain: Any, row: type[msgspec.Struct], made: Callable[[dict[str, Any]], T]) -> list[T]:
    """The models of one row, or of several in a list; a ``row`` has a ``count``, and the rest describes each."""
    models: list[T] = []
    for one in plain if isinstance(plain, list) else [plain]:
        fields = msgspec.to_builtins(msgspec.convert(one, row))
        models += fields.pop("count") * [made(fields)]
    return models


def known_by(name: str, known: Mapping[str, T], what: str) -> T:
    """What is known by a name; ``what`` it is (a unit, an option). Raises ValueError with what is near it."""
    if name not in known:
        raise ValueError(f"there is no {what} '{name[:60]}'. {meant(name, known)}")
    return known[name]
