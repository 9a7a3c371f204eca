"""The choices before a battle."""

from __future__ import annotations

from functools import lru_cache

from campale.mechanics.setup.offers import (
    mission_term,
    offered_layouts,
    offers_of,
    points_term,
    scenery_term,
)
from campale.referee.offers import Offers
from campale.rulesets.w10.armies.datasheets import HERE
from campale.rulesets.w10.armies.forces import FORCES
from campale.rulesets.w10.armies.muster import INCURSION, ONSLAUGHT, STRIKE_FORCE
from campale.rulesets.w10.battle.layouts import LAYOUTS, layout_named, table_size
from campale.rulesets.w10.battle.only_war import MISSIONS

CARDS = ("only-war/setup", "i/new-orders")
SIZES = (500, INCURSION, STRIKE_FORCE, ONSLAUGHT)


@lru_cache(maxsize=1)
def offers() -> Offers:
    terms = (
        points_term("muster/battle-size", SIZES, ONSLAUGHT),
        mission_term("only-war/setup", HERE, MISSIONS, rules={MISSIONS[1]: CARDS}),
        scenery_term("only-war/terrain", LAYOUTS),
    )
    layouts = offered_layouts(LAYOUTS, table_size(), layout_named)
    return offers_of(FORCES, lambda roster: roster.sheets, layouts, terms)
