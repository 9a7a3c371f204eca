"""What a model is worth: any profile has a price, and what makes a model better makes it dearer."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campale.rulesets.e55.armies.army_lists import LISTS, army_list, profiles
from campale.rulesets.e55.armies.arsenal import arsenal
from campale.rulesets.e55.armies.points import best_cover, hurt, passes, points_of
from campale.rulesets.e55.armies.profile import Mount, Profile, Rule
from tests.rulesets.e55 import kit

TOUGH = kit.profile("great-beast", "shrapnel-gun")
"""Dear enough that every step shows in whole points."""


def price(of: Profile, **changes: Any) -> int:
    return points_of(replace(of, **changes))


def test_every_profile_has_the_price_of_the_formula_in_whole_points() -> None:
    for name in LISTS.names():
        for one in army_list(name).profiles.values():
            assert one.points == points_of(one) >= 1


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("militia", 5, 8),
        ("veteran", 12, 16),
        ("keeper", 12, 16),
        ("captain", 50, 85),
        ("biker", 15, 25),
        ("great-beast", 60, 120),
        ("tank", 80, 150),
        ("carrier", 40, 70),
        ("walker", 55, 110),
    ],
)
def test_a_veteran_costs_about_fourteen_and_the_others_accordingly(name: str, least: int, most: int) -> None:
    assert least <= profiles()[name].points <= most


@pytest.mark.parametrize(
    "better",
    [
        {"t": 7},
        {"w": 5},
        {"a": 4},
        {"ws": 5},
        {"bs": 3},
        {"s": 7},
        {"i": 5},
        {"ld": 11},
        {"armour_save": 2},
        {"invulnerable_save": 5},
        {"cover_save": 5},
        {"subtypes": ("flying-monster",), "x": 12},
        {"rules": (Rule("feel-no-pain", 5),)},
        {"rules": (Rule("implacable"),)},
        {"rules": (Rule("stealth"),)},
        {"rules": (Rule("shrouded"),)},
        {"equipment": ("assault-grenades", "defensive-grenades")},
        {"psyker": 1},
        {"powers": (arsenal().powers["bog-fire"],)},
        {"mounts": (*TOUGH.mounts, Mount(arsenal().weapons["fusion-gun"]))},
    ],
    ids=lambda one: next(iter(one)),
)
def test_what_is_better_costs_more(better: dict[str, Any]) -> None:
    assert price(TOUGH, **better) > price(TOUGH)


@pytest.mark.parametrize(
    "better",
    [
        {"front": 14},
        {"side": 12},
        {"rear": 12},
        {"structure": 4},
        {"bs": 5},
        {"speed": 18},
        {"capacity": 10, "subtypes": ("transport",)},
        {"fire_points": ((0.0, 0.0, 2.0),)},
    ],
    ids=lambda one: next(iter(one)),
)
def test_a_better_vehicle_costs_more(better: dict[str, Any]) -> None:
    tank = kit.profile("tank", "field-cannon")
    assert price(tank, **better) > price(tank)
    assert price(tank, subtypes=("open-topped",)) < price(tank)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sidearm", "rifle"),
        ("rifle", "machine-gun"),
        ("machine-gun", "field-cannon"),
        ("mortar", "field-cannon"),
        ("carbine", "shrapnel-gun"),
        ("blade", "claw"),
        ("fist", "claw"),
    ],
)
def test_weapons_are_worth_more_or_less(one: str, other: str) -> None:
    assert points_of(kit.profile("captain", one)) < points_of(kit.profile("captain", other))


def test_what_cannot_be_fired_together_is_worth_less_than_what_can() -> None:
    gun = kit.WEAPONS["machine-gun"]

    def second(kind: str) -> int:
        return points_of(kit.profile(kind, gun, gun)) - points_of(kit.profile(kind, gun))

    assert second("captain") < second("great-beast")
    riders = points_of(kit.profile("biker", gun, gun, riders=2)) - points_of(kit.profile("biker", gun, gun))
    assert riders > 0


def test_saves_and_cover() -> None:
    assert [passes(one) for one in (None, 2, 4, 6)] == [0.0, 5 / 6, 0.5, pytest.approx(1 / 6)]
    both = kit.profile("veteran", adds=("stealth", "shrouded"))
    assert [
        best_cover(kit.profile("veteran")),
        best_cover(kit.profile("veteran", adds=("stealth",))),
        best_cover(both),
    ] == [
        None,
        4,
        3,
    ]
    assert best_cover(kit.profile("veteran", adds=("stealth",), cover_save=2)) == 2
    assert hurt(kit.profile("militia")) > hurt(kit.profile("veteran")) > hurt(kit.profile("captain"))


def test_the_poorest_profile_costs_a_point() -> None:
    assert points_of(Profile("rat", {"en": "Rat", "it": "Ratto"}, ws=1, bs=0, s=1, t=1, w=1, i=1, a=0, ld=2)) == 1
    assert points_of(Profile("void", {"en": "Void", "it": "Vuoto"})) >= 1
