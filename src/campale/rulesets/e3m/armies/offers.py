"""What players can choose before a battle."""

from __future__ import annotations

from functools import lru_cache

from campale.mechanics.setup.offers import (
    BY_DIE,
    LAID_BY_LOT,
    LAID_BY_PLAYERS,
    mission_term,
    offered_layouts,
    offers_of,
    points_term,
    scenery_term,
)
from campale.mechanics.titles import in_both
from campale.referee.offers import Choice, Offers, Term
from campale.rulesets.e3m.armies.army import CAP
from campale.rulesets.e3m.armies.forces import FORCES
from campale.rulesets.e3m.armies.lists import HERE
from campale.rulesets.e3m.battle.missions import MISSIONS
from campale.rulesets.e3m.battle.scenery import FEWEST, LAYOUTS, MOST, PIECES, layout_named, table_size

SIZES = (600, CAP)


@lru_cache(maxsize=1)
def offers() -> Offers:
    terms = (
        points_term("setup/forces", SIZES, CAP),
        mission_term("setup/mission", HERE, MISSIONS, BY_DIE),
        scenery_term("setup/table", LAYOUTS, LAID_BY_LOT, LAID_BY_PLAYERS),
        pieces_term(),
    )
    layouts = offered_layouts(LAYOUTS, table_size(), layout_named)
    return offers_of(FORCES, lambda force: force.army, layouts, terms)


def pieces_term() -> Term:
    """How many pieces are laid, by lot or by the players. A ready table has its own."""
    choices = (Choice(many, in_both(HERE, "term.so-many-pieces", count=many)) for many in range(FEWEST, MOST + 1))
    return Term("pieces", in_both(HERE, "term.pieces"), "setup/table", tuple(choices), PIECES)
