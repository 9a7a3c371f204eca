"""Forces as files: those that come with a book, by name, and those that players bring."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from campale.referee.reading import FileError, Written, meant, read, read_file, shaped
from campale.referee.telling.spoken import Spoken, spoken

WORDS = Path(__file__).parent / "words"
MOST_TOLD = 20

S = TypeVar("S")
F = TypeVar("F")


class ForceError(FileError):
    """The file cannot be read as a force; ``messages`` give the place, the error and the remedy, in both languages."""


class ForceFiles(Generic[S, F]):
    """The forces of a book.

    ``folder`` has those that come with it, and perhaps ``force.schema.json`` (otherwise the schema is that of the
    shape). ``shape`` is the content of a file; ``built(shape, written, name)`` makes a force from it, or raises
    FileError.
    """

    def __init__(self, folder: Path, shape: type[S], built: Callable[[S, Written, str], F]) -> None:
        self.folder, self.shape, self.built = folder, shape, built
        schema = folder / "force.schema.json"
        self.schema = schema if schema.exists() else None
        self.made = lru_cache(maxsize=256)(self.make)
        self.by_name = lru_cache(maxsize=64)(self.read_named)
        self.content_of = lru_cache(maxsize=64)(self.read_content)

    def names(self) -> tuple[str, ...]:
        """The forces that come with the book."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.yaml")))

    def plain(self, name: str) -> dict[str, Any]:
        """A force that comes with the book, as in its file. Raises ForceError."""
        return self.content_of(name)

    def named(self, name: str) -> F:
        """A force that comes with the book. Raises ForceError."""
        return self.by_name(name)

    def read_named(self, name: str) -> F:
        return self.read(self.path_of(name))

    def read(self, path: Path | str) -> F:
        """A force from a file. Raises ForceError."""
        try:
            return self.built(*read_file(Path(path), self.shape, self.schema), Path(path).stem)
        except FileError as error:
            raise ForceError(*error.messages) from None

    def from_text(self, text: bytes | str, what: str = "force") -> F:
        """A force from the text of its file; ``what`` is its name in messages. Raises ForceError."""
        return self.made(text, what)

    def from_plain(self, plain: Any, what: str = "force") -> F:
        """A force from the content of its file. Raises ForceError."""
        if not isinstance(plain, dict):
            raise ForceError(say("no-table", what=what))
        try:
            return self.made(msgspec.json.encode(plain), what)
        except ForceError as error:
            raise ForceError(*(lineless(message, what) for message in error.messages)) from None

    def make(self, text: bytes | str, what: str) -> F:
        try:
            return self.built(*shaped(read(text, what), self.shape, self.schema), what)
        except FileError as error:
            raise ForceError(*(message_of(message, what) for message in error.messages)) from None

    def read_content(self, name: str) -> dict[str, Any]:
        content: dict[str, Any] = read(self.path_of(name).read_bytes(), name).content
        return content

    def path_of(self, name: str) -> Path:
        if name not in self.names():
            raise ForceError(say("no-force", name=repr(name[:60]), advice=meant(name, self.names())))
        return self.folder / f"{name}.yaml"


def say(key: str, **values: Any) -> Spoken:
    """A message about a force, in both languages."""
    return spoken(WORDS, key, **values)


def unknown(at: str, key: str, word: str, known: Iterable[str], **values: Any) -> Spoken:
    """The message for an unknown word in a force: its place, and similar or known words."""
    return say(key, at=at, word=repr(word), advice=meant(word, known), **values)


def refuse_unknown(messages: Iterable[str]) -> None:
    """Raises ForceError with the first of the messages, if there are any."""
    if found := tuple(messages):
        raise ForceError(*found[:MOST_TOLD])


def message_of(message: str, what: str) -> str:
    """The message, preceded by the name of the force if it does not begin with it."""
    return message if message.startswith(what) else in_each(message, lambda one: f"{what}: {one}")


def lineless(message: str, what: str) -> str:
    """A message without line numbers, which plain data do not have."""

    def without(said: str) -> str:
        for line in (f"{what}, line 1", f"{what}, riga 1"):
            said = said.replace(f"{line}, ", f"{what}, ", 1).replace(f"{line}:", f"{what}:", 1)
        return said

    return in_each(message, without)


def in_each(message: str, change: Callable[[str], str]) -> str:
    """A message with a change applied in every language."""
    return Spoken(change(message), change(message.italian)) if isinstance(message, Spoken) else change(message)
