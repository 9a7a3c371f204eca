"""Battles ready to play."""

from __future__ import annotations

from functools import lru_cache

from campale.referee.ruleset import Setup
from campale.rulesets.e55.armies.forces import FORCES
from campale.rulesets.e55.battle.agreeing import AS_PROPOSED, GENERATED
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.rulesets.e55.battle.scenery import LAYOUTS

GUARD, BROOD = "lantern-guard", "mire-brood"


@lru_cache(maxsize=1)
def starters() -> tuple[Setup, ...]:
    """Return the battles ready to play.

    Small ones come first, each mission on another table, then each army against itself, then large battles.
    """
    tables = (*LAYOUTS.names(), GENERATED)
    pairs = [(GUARD, BROOD), (BROOD, GUARD)]
    found = [
        battle(pair, 750, mission, tables[(k + turn) % len(tables)])
        for turn, pair in enumerate(pairs)
        for k, mission in enumerate(MISSIONS)
    ]
    found += [battle((one, one), 750, MISSIONS[k], tables[3]) for k, one in enumerate((GUARD, BROOD))]
    found += [battle(pairs[k % 2], 1500, mission, tables[k]) for k, mission in enumerate(MISSIONS)]
    return tuple(found)


def battle(pair: tuple[str, str], points: int, mission: str, scenery: str) -> Setup:
    forces = tuple(FORCES.plain(f"{name}-{points}") for name in pair)
    agreed = {"points": points, "mission": mission, "scenery": scenery, "cover": AS_PROPOSED}
    return Setup("e55", {}, forces, agreed)
