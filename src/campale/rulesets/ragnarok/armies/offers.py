"""What can be chosen before a battle."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from campale.mechanics.setup.offers import (
    BY_DIE,
    LAID_BY_LOT,
    LAID_BY_PLAYERS,
    alike,
    mission_term,
    offered_forces,
    offered_layouts,
    points_term,
    scenery_term,
)
from campale.referee.offers import Offered, Offers, Roster, Title
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.armies.army import CAP
from campale.rulesets.ragnarok.armies.arsenal import HERE, army_list
from campale.rulesets.ragnarok.armies.forces import FORCES, Trooper
from campale.rulesets.ragnarok.battle.battlefield import size
from campale.rulesets.ragnarok.battle.missions import FREE_CHOICE, MISSIONS
from campale.rulesets.ragnarok.battle.scenery import LAYOUTS, layout_named

MOST = 10_000


@lru_cache(maxsize=1)
def offers() -> Offers:
    terms = (
        points_term("army/points-cap", (CAP,), MOST),
        mission_term("missions/roll", HERE, (*MISSIONS, FREE_CHOICE), BY_DIE),
        scenery_term("battlefield/scenery-table", LAYOUTS, LAID_BY_LOT, LAID_BY_PLAYERS),
    )
    forces = offered_forces(FORCES, lambda force: army_list(force.army_list), starters_first)
    layouts = offered_layouts(LAYOUTS, size(), lambda name: layout_named(name, *size()))
    return Offers(forces, layouts, terms, roster, "mission", "scenery", "points")


def starters_first(one: Offered) -> tuple[bool, str]:
    return "starter" not in one.name, one.name


# ---------------------------------------------------------------- what a force is made of


def roster(plain: dict[str, Plain]) -> tuple[Title, int, tuple[Roster, ...]]:
    """Models that are alike in one line."""
    force = FORCES.from_plain(plain)
    return force.title, force.cost, tuple(map(line_of, alike(force.troopers, likeness)))


def likeness(one: Trooper) -> tuple[Any, ...]:
    return msgspec.json.encode(one.profile), one.name, one.is_commander


def line_of(several: list[Trooper]) -> Roster:
    one = several[0]
    title = {tongue: one.name or said for tongue, said in one.profile.title.items()}
    return Roster(title, one.profile.title, len(several), len(several) * one.profile.points, one.profile)
