"""Forces of units whose models are all alike: a file names the kind of each unit, and how many models it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.rows import Count, Title, Word
from campale.referee.position import Position
from campale.referee.reading import Written


class AlikeUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``unit`` is the kind of its models; ``name`` what it is called, if not like its kind."""

    unit: Word
    size: Count = 1
    name: Title | None = None


class AlikeForce(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in the file of a force."""

    name: Title
    units: Annotated[tuple[AlikeUnit, ...], msgspec.Meta(min_length=1, max_length=60)]

    def kinds(self) -> Iterator[str]:
        """The kind of each model, one after another."""
        return (row.unit for row in self.units for _ in range(row.size))


def alike_forces(folder: Path, profiles: Mapping[str, Any]) -> ForceFiles[AlikeForce, AlikeForce]:
    """The forces of a book that has these kinds of model; ``folder`` has those that come with it."""

    def built(file: AlikeForce, written: Written, name: str) -> AlikeForce:
        strangers = [(k, row.unit) for k, row in enumerate(file.units) if row.unit not in profiles]
        refuse_unknown(unknown(written.where(("units", k, "unit")), "no-unit", kind, profiles) for k, kind in strangers)
        return file

    return ForceFiles(folder, AlikeForce, built)


def enlist(position: Position, side: int, force: AlikeForce, profiles: Mapping[str, Any]) -> None:
    """The units of a force in its order, off the table."""
    for row in force.units:
        unit = position.add_unit(row.unit if row.name is None else row.name.en, side)
        for _ in range(row.size):
            position.add_model(row.unit, profiles[row.unit], side, unit)
