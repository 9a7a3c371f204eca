"""Reading the agreement before a battle for the first position: mission, table, forces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from campale.mechanics.armies.faults import ArmyFault
from campale.mechanics.armies.files import MOST_TOLD, ForceError, ForceFiles
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup
from campale.referee.telling.spoken import joined
from campale.table.terrain import Piece

F = TypeVar("F")

BY_LOT, BY_PLAYERS = "lot", "players"
"""Ways to settle the scenery besides a layout by name: laid by lot, or by the players in turn."""


class SetupError(ValueError):
    """A set-up that the book does not allow; the message says what and why."""


def two_forces(setup: Setup) -> Iterator[tuple[int, dict[str, Plain]]]:
    """The forces with their sides. Raises SetupError for another number of them."""
    if len(setup.forces) != 2:
        raise SetupError(f"a battle needs two armies, not {len(setup.forces)}")
    return enumerate(setup.forces)


def mission_agreed(agreed: Mapping[str, Plain], missions: Sequence[str], unsettled: Sequence[str] = ()) -> str | None:
    """The mission by name; None if the battle settles it: nothing is agreed, or a word for that (``unsettled``).

    Raises SetupError for an unknown mission.
    """
    mission = agreed.get("mission")
    if mission is None or mission in unsettled:
        return None
    if mission not in missions:
        known = ", ".join((*missions, *unsettled))
        raise SetupError(f"there is no mission '{str(mission)[:60]}'; there are: {known}")
    return str(mission)


def scenery_agreed(agreed: Mapping[str, Plain]) -> str:
    """How the scenery is settled: a layout by name, or a word for another way; by lot, if nothing is agreed."""
    return str(agreed.get("scenery", BY_LOT))


def pieces_agreed(
    scenery: str, bare: Sequence[str], layouts: Sequence[str], pieces: Callable[[str], tuple[Piece, ...]]
) -> tuple[Piece, ...]:
    """The pieces of a layout; none for the words that leave the table ``bare`` at first.

    Raises SetupError for an unknown layout.
    """
    if scenery in bare:
        return ()
    if scenery not in layouts:
        raise SetupError(f"there is no layout '{scenery[:60]}'; there are: {', '.join((*bare, *layouts))}")
    return pieces(scenery)


def fieldable(forces: ForceFiles[Any, F], plain: dict[str, Plain], faults: Callable[[F], tuple[ArmyFault, ...]]) -> F:
    """A legal force. Raises SetupError with its faults, rule by rule."""
    try:
        force = forces.from_plain(plain)
    except ForceError as error:
        raise SetupError("; ".join(error.messages)) from None
    if found := faults(force):
        raise SetupError(joined([fault.spoken for fault in found[:MOST_TOLD]], " "))
    return force
