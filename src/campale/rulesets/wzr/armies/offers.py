"""What can be chosen before a battle."""

from __future__ import annotations

from functools import lru_cache

from campale.mechanics.setup.offers import (
    BY_DIE,
    LAID_BY_LOT,
    LAID_BY_PLAYERS,
    lines_of,
    mission_term,
    offered_forces,
    offered_layouts,
    points_term,
    scenery_term,
)
from campale.referee.offers import Offers, Roster, Title
from campale.referee.refusal import Plain
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
    forces = offered_forces(FORCES, lambda force: force.army)
    layouts = offered_layouts(LAYOUTS, table_size(), layout_named)
    return Offers(forces, layouts, terms, roster, "mission", "scenery", "points")


def roster(plain: dict[str, Plain]) -> tuple[Title, int, tuple[Roster, ...]]:
    force = FORCES.from_plain(plain)
    return force.title, force.cost, lines_of(force.units)
