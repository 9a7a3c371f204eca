"""Building blocks of lists, forces and layouts: titles, ids, and structs made from rows with the same fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from campale.referee.reading import FileError, Written, converted, explained, meant, read_file

T = TypeVar("T")

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Words = Annotated[tuple[Word, ...], msgspec.Meta(max_length=20)]
Name = Annotated[str, msgspec.Meta(max_length=60)]
"""An optional name."""

Count = Annotated[int, msgspec.Meta(ge=1, le=60)]
Points = Annotated[int, msgspec.Meta(ge=0, le=5000)]
Save = Annotated[int, msgspec.Meta(ge=2, le=6)] | None


class Title(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A title in each language, on one line."""

    en: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    it: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]

    def __post_init__(self) -> None:
        if not (self.en.isprintable() and self.it.isprintable()):
            raise ValueError(f"the title {self.en!r} has characters that cannot be shown, or several lines; change it")

    @property
    def in_both(self) -> dict[str, str]:
        return {"en": self.en, "it": self.it}


def made_from(row: msgspec.Struct, of: type[T], **others: Any) -> T:
    """A struct with the fields of a row, titles by language; ``others`` replace fields."""
    known = [name for name in row.__struct_fields__ if name in of.__struct_fields__]  # type: ignore[attr-defined]
    same = {name: plain_title(getattr(row, name)) for name in known}
    return of(**{**same, **others})


def plain_title(value: Any) -> Any:
    return value.in_both if isinstance(value, Title) else value


def rows_from(path: Path, of: type[T]) -> dict[str, T]:
    """The rows of a file by their ids, each as a struct. Raises FileError with the line of the error."""
    content, written = read_file(path, dict[str, Any])
    try:
        return {id: row_from(written, id, row, of) for id, row in content.items()}
    except FileError as error:
        told_by_schema = explained(written, msgspec.json.schema(dict[str, of]))  # type: ignore[valid-type]
        raise FileError(*(told_by_schema or error.messages)) from None


def row_from(written: Written, id: str, row: Any, of: type[T]) -> T:
    """One row of a file, which may also break a rule that no schema can express. Raises FileError with the line."""
    try:
        return converted(row, of)
    except msgspec.ValidationError as error:
        what, _, at = str(error).partition(" - at `$")
        steps = re.findall(r"\.([\w-]+)|\[(\d+)\]", at)
        place = tuple(name or int(index) for name, index in steps)
        raise FileError(f"{written.where((id, *place))}: {what}.") from None


def looked_up(id: str, known: Mapping[str, T], problem: str) -> T:
    """The thing with an id. Raises FileError with the ``problem`` and similar ids."""
    if id not in known:
        raise FileError(f"{problem} {meant(id, known)}")
    return known[id]
