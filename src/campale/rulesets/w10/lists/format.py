"""The names that data files of this game use, as a table: a new name costs one line."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from campale.mechanics.lists.rosters import System
from campale.referee.reading import read_file
from campale.referee.telling.spoken import Spoken, spoken

HERE = Path(__file__).parent
WORDS = HERE.parent / "words"


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ability by its id in the book; ``number``: it has a number."""

    id: str
    number: bool = False


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keywords: tuple[str, ...]
    base: Annotated[int, msgspec.Meta(ge=20, le=200)]
    height: Annotated[float, msgspec.Meta(gt=0, le=12)]
    wounds: int = 0


class Types(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names of the types of profiles."""

    unit: tuple[str, ...]
    ranged: tuple[str, ...]
    melee: tuple[str, ...]
    ability: tuple[str, ...]
    transport: tuple[str, ...]

    @property
    def weapons(self) -> tuple[str, ...]:
        return (*self.ranged, *self.melee)


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    system: System
    types: Types
    stats: dict[str, str]
    core: dict[str, Named]
    weapons: dict[str, Named]
    sizes: tuple[Size, ...]


@lru_cache(maxsize=1)
def known_format() -> Format:
    return read_file(HERE / "format.yaml", Format)[0]


def say(key: str, **values: Any) -> Spoken:
    """A sentence about a list, in both languages."""
    return spoken(WORDS, f"list.{key}", **values)
