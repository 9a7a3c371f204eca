"""Forces of units whose models are all alike: a file names the kind of each unit, and how many models it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from campale.mechanics.armies.faults import ArmyFault, Restriction, faults_of
from campale.mechanics.armies.files import ForceError, ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.rows import Count, Title, Word
from campale.mechanics.setup.agreed import fieldable, two_forces
from campale.referee.position import Position
from campale.referee.reading import Written
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup
from campale.referee.telling.spoken import Spoken


class AlikeUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``unit`` is the kind of its models; ``name`` its name, if different from its kind."""

    unit: Word
    size: Count = 1
    name: Title | None = None


class AlikeForce(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a force file."""

    name: Title
    units: Annotated[tuple[AlikeUnit, ...], msgspec.Meta(min_length=1, max_length=60)]

    def kinds(self) -> Iterator[str]:
        """The kind of each model, one after another."""
        return (row.unit for row in self.units for _ in range(row.size))


class AlikeForces(ForceFiles[AlikeForce, AlikeForce]):
    """The forces of a book with these kinds of model; its ``folder`` has ``forces`` and the words of its restrictions.

    ``restrictions(force)`` yield the faults of a force (``faults``).
    """

    def __init__(self, folder: Path, profiles: Mapping[str, Any], restrictions: Sequence[Restriction] = ()) -> None:
        super().__init__(folder / "forces", AlikeForce, self.known)
        self.book, self.profiles, self.restrictions = folder, profiles, restrictions

    def known(self, file: AlikeForce, written: Written, name: str) -> AlikeForce:
        strangers = [(k, row.unit) for k, row in enumerate(file.units) if row.unit not in self.profiles]
        refuse_unknown(
            unknown(written.where(("units", k, "unit")), "no-unit", kind, self.profiles) for k, kind in strangers
        )
        return file

    def faults(self, force: AlikeForce) -> tuple[ArmyFault, ...]:
        return faults_of(self.book, self.restrictions, force)

    def messages(self, plain: dict[str, Plain], agreed: Mapping[str, Plain]) -> list[Spoken | str]:
        """Everything that is wrong with a force, each sentence with its rule (``Ruleset.check_force``)."""
        try:
            return [fault.spoken for fault in self.faults(self.from_plain(plain))]
        except ForceError as error:
            return list(error.messages)

    def enlist(self, position: Position, setup: Setup) -> None:
        """The units of both forces in their order, off the table. Raises SetupError for an illegal force."""
        for side, plain in two_forces(setup):
            for row in fieldable(self, plain, self.faults).units:
                unit = position.add_unit(row.unit if row.name is None else row.name.en, side)
                for _ in range(row.size):
                    position.add_model(row.unit, self.profiles[row.unit], side, unit)
