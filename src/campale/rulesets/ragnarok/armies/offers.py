"""The choices before a battle."""

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
    offered_layouts,
    offers_of,
    points_term,
    scenery_term,
)
from campale.referee.offers import Offered, Offers, Roster
from campale.rulesets.ragnarok.armies.army import CAP
from campale.rulesets.ragnarok.armies.arsenal import HERE, army_list
from campale.rulesets.ragnarok.armies.forces import FORCES, Force, Trooper
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
    layouts = offered_layouts(LAYOUTS, size(), lambda name: layout_named(name, *size()))
    return offers_of(FORCES, lambda force: army_list(force.army_list), layouts, terms, starters_first, lines_of)


def starters_first(one: Offered) -> tuple[bool, str]:
    return "starter" not in one.name, one.name


# ---------------------------------------------------------------- the roster of a force


def lines_of(force: Force) -> tuple[Roster, ...]:
    """Return the roster, with like models in one line."""
    return tuple(map(line_of, alike(force.units, likeness)))


def likeness(one: Trooper) -> tuple[Any, ...]:
    return msgspec.json.encode(one.profile), one.name, one.is_commander


def line_of(several: list[Trooper]) -> Roster:
    one = several[0]
    title = {tongue: one.name or said for tongue, said in one.profile.title.items()}
    return Roster(title, one.profile.title, len(several), len(several) * one.profile.points, one.profile)
