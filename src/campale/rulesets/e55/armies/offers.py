"""The choices before a battle, and which of them the other side does not see."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from campale.mechanics.setup.agreed import BY_LOT
from campale.mechanics.setup.offers import (
    choice,
    mission_term,
    offered_layouts,
    offers_of,
    points_term,
    scenery_term,
)
from campale.referee.offers import Choice, Offers, Term
from campale.referee.rule import rule
from campale.referee.ruleset import Setup
from campale.rulesets.e55.armies.arsenal import HERE
from campale.rulesets.e55.armies.forces import FORCES
from campale.rulesets.e55.armies.setting_out import MOST_POINTS
from campale.rulesets.e55.battle.agreeing import AS_PROPOSED, GENERATED
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.rulesets.e55.battle.scenery import LAYOUTS, layout_named, table_size

SIZES = (750, 1500)


@lru_cache(maxsize=1)
def offers() -> Offers:
    terms = (
        points_term("10/armies", SIZES, MOST_POINTS),
        mission_term("10.2/mission-choice", HERE, MISSIONS, choice("by-lot", BY_LOT)),
        scenery(),
        cover(),
    )
    layouts = offered_layouts(LAYOUTS, table_size(), layout_named)
    return offers_of(FORCES, lambda force: force.known, layouts, terms)


def scenery() -> Term:
    drawn = Choice(BY_LOT, {"en": "One of these, by lot", "it": "Uno di questi, a sorte"})
    generated = Choice(GENERATED, {"en": "Made up by lot", "it": "Composto a sorte"})
    return scenery_term("10.1/scenery", LAYOUTS, drawn, generated)


def cover() -> Term:
    choices = (
        Choice(AS_PROPOSED, {"en": "As each kind of scenery usually has it", "it": "Come di solito per ogni tipo"}),
        Choice(None, {"en": "Agreed on piece by piece", "it": "Da concordare pezzo per pezzo"}),
    )
    return Term("cover", {"en": "Cover", "it": "Copertura"}, "2.3.1/cover-agreed", choices, AS_PROPOSED)


@rule("10.5/reserve-secrecy")
def setup_seen_by(side: int | None, setup: Setup) -> Setup:
    """Return the setup without the other side's force: units not yet placed are unknown."""
    return msgspec.structs.replace(
        setup, forces=tuple(force if k == side else {} for k, force in enumerate(setup.forces))
    )
