"""What options and house rules may exchange: the phases, and what may be done in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from campale.rulesets.e55 import charge, movement, psychic, shooting, squadrons, transports, vehicles
from campale.rulesets.e55.acting import Act
from campale.rulesets.e55.sequence import Phase, phases


class Book(NamedTuple):
    phases: Mapping[str, Phase]
    acts: Mapping[str, Act]


def acts() -> dict[str, Act]:
    """Everything that the active player may choose to do, in the order of the book."""
    chapters = (movement, shooting, charge, psychic, vehicles, transports, squadrons)
    return {act.name: act for chapter in chapters for act in chapter.ACTS}


BOOK = Book(phases(), acts())
