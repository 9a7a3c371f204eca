"""What can be chosen before a battle."""

from __future__ import annotations

from functools import lru_cache

from campale.mechanics.setup.offers import (
    lines_of,
    mission_term,
    offered_forces,
    offered_layouts,
    points_term,
    scenery_term,
)
from campale.referee.offers import Offers, Roster, Title
from campale.referee.refusal import Plain
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
    forces = offered_forces(FORCES, lambda roster: roster.sheets)
    layouts = offered_layouts(LAYOUTS, table_size(), layout_named)
    return Offers(forces, layouts, terms, roster, "mission", "scenery", "points")


def roster(plain: dict[str, Plain]) -> tuple[Title, int, tuple[Roster, ...]]:
    force = FORCES.from_plain(plain)
    return force.title, force.cost, lines_of(force.units)
