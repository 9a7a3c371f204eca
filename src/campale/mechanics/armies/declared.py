"""A book's armies, declared once: their files, the book's restrictions, and the points that they may cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from campale.mechanics.armies.checking import messages_about
from campale.mechanics.armies.faults import ArmyFault, Restriction, faults_of, points_agreed
from campale.mechanics.armies.files import ForceFiles
from campale.mechanics.setup.agreed import fieldable, two_forces
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup
from campale.referee.telling.spoken import Spoken


class Built(Protocol):
    """A force with its title, and the points that it was built for."""

    @property
    def title(self) -> dict[str, str]: ...
    @property
    def points(self) -> int: ...


F = TypeVar("F", bound=Built)


class Armies(Generic[F]):
    """The armies of a book; its ``folder`` has the words of its restrictions.

    Each restriction is called with a force, the points that it may cost (the cap), and any further ``terms`` of the
    book (optional rules, for instance). ``points_rule``: the rule by which the points are agreed on; ``usual``: the
    points if nothing is agreed, None for the points that each force was built for.
    """

    def __init__(
        self,
        folder: Path,
        forces: ForceFiles[Any, F],
        restrictions: Sequence[Restriction],
        points_rule: str,
        usual: int | None = None,
    ) -> None:
        self.folder, self.forces, self.restrictions = folder, forces, tuple(restrictions)
        self.points_rule, self.usual = points_rule, usual

    def faults(self, force: F, cap: int | None = None, *terms: Any) -> tuple[ArmyFault, ...]:
        """Every reason why a force may not be fielded, in the order of the restrictions; empty: it is legal.

        ``cap``: the points agreed on, by default those that the force was built for.
        """
        return faults_of(self.folder, self.restrictions, force, force.points if cap is None else cap, *terms)

    def check(self, plain: dict[str, Plain], agreed: Mapping[str, Plain], *terms: Any) -> list[Spoken | str]:
        """What the book does not allow in a force, each sentence with its rule (``Ruleset.check_force``)."""
        return messages_about(
            self.forces, plain, agreed, self.points_rule, lambda force, cap: self.faults(force, cap, *terms)
        )

    def fielded(self, setup: Setup, *terms: Any) -> Iterator[tuple[int, F]]:
        """Both forces with their sides. Raises SetupError for one that may not be fielded."""
        points = points_agreed(setup.agreed, self.points_rule)
        cap = self.usual if points is None else points
        for side, plain in two_forces(setup):
            yield side, fieldable(self.forces, plain, lambda force: self.faults(force, cap, *terms))

    def same_points(self, one: str, other: str) -> bool:
        """Whether two forces that come with the book, by name, were built for the same points."""
        return self.forces.named(one).points == self.forces.named(other).points
