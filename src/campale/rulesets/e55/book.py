"""The parts that options and house rules may replace: phases, acts, and the effects of each moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from campale.mechanics.phases import Phase
from campale.rulesets.e55 import moments
from campale.rulesets.e55.assault_phase import charge
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.moments import Effect
from campale.rulesets.e55.movement_phase import movement
from campale.rulesets.e55.psychic_powers import psychic
from campale.rulesets.e55.shooting_phase import shooting
from campale.rulesets.e55.turn.acting import Act
from campale.rulesets.e55.turn.sequence import phases
from campale.rulesets.e55.unit_types import flying
from campale.rulesets.e55.vehicles import squadrons, transports, vehicles


class Book(NamedTuple):
    phases: Mapping[str, Phase]
    acts: Mapping[str, Act]
    moments: Mapping[str, tuple[Effect, ...]]


def acts() -> dict[str, Act]:
    """Return every act that the active player may choose, in the order of the book."""
    chapters = (movement, shooting, charge, psychic, vehicles, transports, squadrons)
    return {act.name: act for chapter in chapters for act in chapter.ACTS}


MOMENTS: dict[str, tuple[Effect, ...]] = {
    moments.SUFFERED: (flying.wings_may_be_clipped,),
    moments.BLAST: (resolving.take_blast,),
    moments.EXPLODED: (transports.get_out_of_explosion,),
    moments.WRECKED: (transports.get_out_of_wreck,),
}

BOOK = Book(phases(), acts(), MOMENTS)
