"""A list of another program that the tests make: a squad, a Leader of it and a beast, with abilities of the book."""

from __future__ import annotations

from tests.mechanics.rosters import (
    Tree,
    ability,
    alone,
    as_json,
    as_rosz,
    blade,
    gun,
    kept,
    model,
    roster,
    rule,
    stats,
    upgrade,
)
from tests.mechanics.rosters import unit as several

FACTION = "Faction: Adepts of Dust"


def wardens() -> Tree:
    fist = upgrade("Fist", 1, [blade("Fist", "3 3+ 8 -2 2", "Devastating Wounds")])
    lamps = upgrade("Lamp gun", 4, [gun("Lamp gun", '24" 2 3+ 4 -1 1', "Rapid Fire 1, Assault")])
    models = [model("Ash Sergeant", 1, [fist]), model("Ash Warden", 4, [lamps])]
    profiles = [stats("Ash Wardens", '6" 4 3+ 2 6+ 2')]
    return several("Ash Wardens", 80, models, ["Infantry", "Battleline", FACTION], profiles=profiles)


def lord() -> Tree:
    inner = [upgrade("Great blade", 1, [blade("Great blade", "5 2+ 6 -2 2", "Precision")])]
    inner += [upgrade("Warlord", 1, categories=kept(["Warlord"]))]
    profiles = [stats("Dust Lord", '6" 4 3+ 5 6+ 1'), ability("Leader", "■ Ash Wardens")]
    rules = [rule("Feel No Pain 5+"), rule('Scouts 6"')]
    return alone("Dust Lord", 80, inner, ["Character", "Infantry", FACTION], profiles=profiles, rules=rules)


def beast() -> Tree:
    claws = [upgrade("Claws", 1, [blade("Claws", "4 4+ 8 -2 D6")])]
    profiles = [stats("Dust Beast", '10" 10 3+ 12 7+ 4')]
    rules = [rule("Deadly Demise D3")]
    return alone("Dust Beast", 120, claws, ["Monster", FACTION], profiles=profiles, rules=rules)


LISTS = (as_rosz(roster([wardens(), lord(), beast()])), as_json(roster([wardens(), wardens(), lord()])))
