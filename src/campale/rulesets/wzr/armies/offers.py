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
from campale.referee.offers import Offers
from campale.rulesets.wzr.armies.army import CAP, LARGE_GAME
from campale.rulesets.wzr.armies.forces import FORCES
from campale.rulesets.wzr.armies.lists import HERE
from campale.rulesets.wzr.battle.missions import MISSIONS
from campale.rulesets.wzr.battle.scenery import LAYOUTS, layout_named, table_size


@lru_cache(maxsize=1)
def offers() -> Offers:
    terms = (
        points_term("army/points", (CAP, LARGE_GAME), 20_000),
        mission_term("missions/choose", HERE, MISSIONS, BY_DIE),
        scenery_term("setup/terrain", LAYOUTS, LAID_BY_LOT, LAID_BY_PLAYERS),
    )
    layouts = offered_layouts(LAYOUTS, table_size(), layout_named)
    return offers_of(FORCES, lambda force: force.army, layouts, terms)
