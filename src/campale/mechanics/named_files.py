"""Files of one kind that come with a book, by name: layouts of tables, army lists."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from campale.referee.reading import FileError, meant, read_file
from campale.referee.telling.spoken import spoken

WORDS = Path(__file__).parent / "words"

S = TypeVar("S")


class NamedFiles(Generic[S]):
    """The files of a ``folder`` with this ``shape``; ``schema`` is the name of their JSON Schema, if there is one.

    ``missing``: the message for an unknown name.
    """

    def __init__(self, folder: Path, shape: type[S], schema: str | None, missing: str) -> None:
        self.folder, self.shape, self.missing = folder, shape, missing
        self.schema = None if schema is None else folder / schema
        self.known = lru_cache(maxsize=1)(self.look)
        self.kept = lru_cache(maxsize=32)(self.read)

    def names(self) -> tuple[str, ...]:
        return self.known()

    def named(self, name: str) -> S:
        """The content of a file. Raises FileError."""
        return self.kept(name)

    def look(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self.folder.glob("*.yaml")))

    def read(self, name: str) -> S:
        if name not in self.names():
            raise FileError(spoken(WORDS, self.missing, name=repr(name[:60]), advice=meant(name, self.names())))
        return read_file(self.folder / f"{name}.yaml", self.shape, self.schema)[0]
