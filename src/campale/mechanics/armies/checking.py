"""Whether a force may be fielded: the messages before a battle, and the error that stops its set-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from campale.mechanics.armies.faults import ArmyFault, points_agreed
from campale.mechanics.armies.files import ForceError, ForceFiles
from campale.referee.refusal import Plain
from campale.referee.telling.spoken import Spoken

F = TypeVar("F")


def messages_about(
    forces: ForceFiles[Any, F],
    plain: dict[str, Plain],
    agreed: Mapping[str, Plain],
    points_rule: str,
    faults: Callable[[F, int | None], tuple[ArmyFault, ...]],
) -> list[Spoken | str]:
    """Everything that is wrong with a force, each sentence with its rule; none: it may be fielded.

    ``faults(force, points)`` lists the faults of a force; the points are those agreed on, by ``points_rule``.
    """
    try:
        force, points = forces.from_plain(plain), points_agreed(agreed, points_rule)
    except ForceError as error:
        return list(error.messages)
    except ValueError as error:
        return [error.args[0]]
    return [fault.spoken for fault in faults(force, points)]
