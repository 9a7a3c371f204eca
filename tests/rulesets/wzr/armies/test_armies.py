"""Army lists, forces and what the book asks of them (army/*, starter-forces/*)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from campale.mechanics.armies.files import ForceError
from campale.mechanics.setup.agreed import SetupError
from campale.referee.position import Position
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.wzr.armies.army import WITH_DECKS, check_force, most_of
from campale.rulesets.wzr.armies.forces import FORCES, SquadSpec
from campale.rulesets.wzr.armies.lists import UnitRow, abilities_of, army_list, blades, powers, profiles, weapons
from campale.rulesets.wzr.armies.picking import army_lists
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.armies.setting_out import set_out
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.catalogue import cards, ready_counts
from campale.rulesets.wzr.close_combat.strength import arms as melee_arms
from campale.rulesets.wzr.squads.squads import commander
from tests.rulesets.wzr.worlds import squad, table, unit

covers = pytest.mark.covers

TROOPS: list[dict[str, Any]] = [{"unit": "riflemen", "id": "a", "size": 5}, {"unit": "riflemen", "id": "b", "size": 5}]
DEAD: list[dict[str, Any]] = [{"unit": "undead", "id": "a"}, {"unit": "undead", "id": "b"}]


def broken(*units: dict[str, Any], of: str = "megacorporation", cap: int = 500, **force: Any) -> list[str]:
    """The rules that a force of these squads breaks."""
    plain = {
        "ruleset": "wzr",
        "name": {"en": "X", "it": "X"},
        "list": of,
        "points": cap,
        "units": list(units),
        **force,
    }
    return [fault.rule for fault in WITH_DECKS.faults(FORCES.from_plain(plain), cap)]


def mega(*more: dict[str, Any], cap: int = 500) -> list[str]:
    return broken({"unit": "captain"}, *TROOPS, *more, cap=cap)


def dark(*more: dict[str, Any], cap: int = 500) -> list[str]:
    return broken({"unit": "nepharite"}, *DEAD, *more, of="dark-legion", cap=cap)


def spec(force: str, number: int) -> SquadSpec:
    return FORCES.named(force).units[number]


def set_up(one: str = "megacorporation", other: str = "dark-legion", points: int = 500) -> Position:
    forces = (FORCES.plain(one), FORCES.plain(other))
    return set_out(load_ruleset("wzr"), Setup("wzr", {}, forces, {"points": points}))


# ---------------------------------------------------------------- starter-forces/armies


@covers(
    "starter-forces/armies",
    "starter-forces/exercise-one",
    "starter-forces/exercise-two",
    "starter-forces/exercise-three",
)
@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("megacorporation", 498),
        ("dark-legion", 470),
        ("exercise-megacorporation", 775),
        ("exercise-dark-legion", 839),
        ("drop-megacorporation", 410),
    ],
)
def test_ready_armies_cost_what_is_printed_and_are_legal(name: str, cost: int) -> None:
    force = FORCES.named(name)
    assert (force.cost, WITH_DECKS.faults(force)) == (cost, ())


@covers("starter-forces/armies")
def test_the_squads_of_the_ready_armies() -> None:
    assert [one.points for one in FORCES.named("megacorporation").units] == [80, 106, 104, 80, 28, 100]
    assert [one.points for one in FORCES.named("dark-legion").units] == [90, 90, 105, 105, 80]


@covers("starter-forces/exercise-three", "abilities/rapid-deployment-reserve")
def test_two_squads_of_the_drop_may_stay_in_reserve() -> None:
    units = FORCES.named("drop-megacorporation").units
    able = [all("rapid-deployment" in m.abilities for m in one.profiles) for one in units]
    assert able == [False, False, False, True, True]


# ---------------------------------------------------------------- army/*


@covers("army/points")
def test_an_army_keeps_to_the_points_agreed_on() -> None:
    assert mega(cap=200) == [], "80 and 120"
    assert mega(cap=199) == ["army/points"]


@covers("army/points", "army/faction", "army/warlord", "army/slots")
def test_what_is_wrong_is_told_with_its_rule() -> None:
    told = WITH_DECKS.check(FORCES.plain("megacorporation"), {"points": 497})
    assert [str(one) for one in told] == ["The army costs 498 points, the limit is 497. [army/points]"]
    assert WITH_DECKS.check(FORCES.plain("megacorporation"), {"points": 498}) == []
    plain = {**FORCES.plain("megacorporation"), "units": [{"unit": "captain"}]}
    with pytest.raises(SetupError, match="army/slots"):
        set_out(load_ruleset("wzr"), Setup("wzr", {}, (plain, plain), {"points": 500}))


@covers("setup/modes", "cards/deck-build")
@pytest.mark.parametrize("basic", [False, "false", "no"])
def test_a_deck_is_asked_for_in_the_advanced_game_alone(basic: bool | str) -> None:
    plain: dict[str, Any] = {**FORCES.plain("megacorporation"), "deck": {"scope": 4}}
    told = [str(one) for one in check_force(plain, {"points": 500})]
    assert [one.rpartition("[")[2] for one in told] == ["cards/deck-build]", "cards/copies]"]
    assert check_force(plain, {"points": 500, "advanced": True}) == check_force(plain, {})
    assert check_force(plain, {"points": 500, "advanced": basic}) == []


@covers("army/faction")
def test_squads_are_of_the_faction_of_the_army_and_vehicles_of_every_faction() -> None:
    assert mega({"unit": "walker"}) == []
    assert mega({"unit": "brutes"}) == ["army/faction"]
    assert dark({"unit": "walker"}) == []
    assert dark({"unit": "veterans"}) == ["army/faction"]


@covers("abilities/alliance-agent", "army/faction")
def test_agents_are_for_all_but_the_dark_legion() -> None:
    assert mega({"unit": "factor"}) == []
    assert dark({"unit": "factor"}) == ["army/faction"]


@covers("army/warlord")
def test_an_army_has_one_warlord() -> None:
    assert broken(*TROOPS) == ["army/warlord"]
    assert mega({"unit": "works-marshal"}) == ["army/warlord"]


@covers("army/slots")
def test_an_army_has_two_to_six_troop_squads() -> None:
    squads = [{"unit": "riflemen", "id": f"r{k}", "size": 5} for k in range(7)]
    assert broken({"unit": "captain"}, squads[0]) == ["army/slots"]
    assert broken({"unit": "captain"}, *squads[:6], cap=999) == []
    assert broken({"unit": "captain"}, *squads, cap=999) == ["army/slots"]


@covers("army/slots")
@pytest.mark.parametrize(("cap", "rules"), [(999, ["army/slots"]), (1000, [])])
def test_further_complete_500_points_give_two_more_support_slots(cap: int, rules: list[str]) -> None:
    support = [{"unit": "walker", "id": f"w{k}"} for k in range(3)]
    assert mega(*support[:2], cap=cap) == []
    assert mega(*support, cap=cap) == rules


@covers("army/slots")
@pytest.mark.parametrize(("cap", "rules"), [(999, ["army/slots"]), (1000, [])])
def test_further_complete_500_points_give_one_more_lord(cap: int, rules: list[str]) -> None:
    lords = [{"unit": "sorcerer", "id": f"s{k}"} for k in range(2)]
    assert dark(lords[0], cap=cap) == []
    assert dark(*lords, cap=cap) == rules


@covers("army/slots")
def test_slots_by_points() -> None:
    assert [most_of("lord", cap) for cap in (300, 500, 999, 1000, 1500)] == [1, 1, 1, 2, 3]
    assert [most_of("support", cap) for cap in (500, 1000, 1500)] == [2, 4, 6]


# ---------------------------------------------------------------- abilities that are rules of lists


@covers("abilities/doomtrooper-pair", "army/slots")
def test_a_pair_takes_a_lord_and_a_support_slot() -> None:
    pair, walkers = {"unit": "oathbound"}, [{"unit": "walker", "id": f"w{k}"} for k in range(2)]
    assert mega(pair, walkers[0]) == []
    assert mega(pair, *walkers) == ["army/slots"]


@covers("abilities/doomtrooper-pair")
def test_an_army_has_one_pair_of_its_own_megacorporation_and_none_in_the_dark_legion() -> None:
    pairs = [{"unit": "oathbound", "id": f"o{k}"} for k in range(2)]
    assert mega(pairs[0], cap=1000) == []
    assert mega(*pairs, cap=1000) == ["abilities/doomtrooper-pair"]
    assert dark(pairs[0], cap=1000) == ["army/faction", "abilities/doomtrooper-pair"]


@covers("abilities/doomtrooper-pair", "army/faction")
def test_doomtroopers_fight_for_the_brotherhood_too() -> None:
    other = broken({"unit": "factor"}, of="brotherhood", cap=1000)
    assert broken({"unit": "factor"}, {"unit": "oathbound"}, of="brotherhood", cap=1000) == other
    hired = {one.id: {kind.id for kind in one.kinds} for one in army_lists()}
    assert {"oathbound", "factor"} <= hired["brotherhood"]


@covers("abilities/doomtrooper-warlord")
@pytest.mark.parametrize(("slot", "left"), [("warlord", ("duelist",)), ("lord", ("doomtrooper", "duelist"))])
def test_a_warlord_is_no_doomtrooper(slot: str, left: tuple[str, ...]) -> None:
    plain = {"title": {"en": "X", "it": "X"}, "slot": slot, "points": 1, "stats": {}}
    row = msgspec.convert({**plain, "abilities": ["doomtrooper", "duelist"]}, UnitRow)
    assert abilities_of(row) == left


@covers("abilities/unique")
def test_what_is_unique_is_present_once() -> None:
    reavers = [{"unit": "grave-reaver", "id": f"g{k}"} for k in range(2)]
    assert dark(reavers[0], cap=1000) == []
    assert dark(*reavers, cap=1000) == ["abilities/unique"]


@covers("abilities/psychic")
def test_a_psychic_buys_as_many_powers_as_its_x_from_its_list() -> None:
    three = ["demnogonis-blast", "muawijhe-fury", "demnogonis-decay"]
    marshal = {"unit": "choirmaster"}
    assert broken({**marshal, "powers": three[:2]}, *DEAD, of="dark-legion") == []
    assert broken({**marshal, "powers": three}, *DEAD, of="dark-legion") == ["abilities/psychic"]
    assert mega({"unit": "medic", "powers": three[:1]}) == ["abilities/psychic"] * 2, "no psychic, no such list"


@covers("abilities/specialist-choice", "army/slots")
def test_a_specialist_alone_takes_a_support_slot_and_one_who_joins_none() -> None:
    walkers = [{"unit": "walker", "id": f"w{k}"} for k in range(2)]
    assert mega(*walkers, {"unit": "medic", "joins": "a"}) == []
    assert mega(*walkers, {"unit": "medic"}) == ["army/slots"]
    assert mega(walkers[0], {"unit": "medic"}) == []


@covers("abilities/specialist-choice")
def test_only_specialists_join_and_only_squads_of_troopers() -> None:
    assert mega({"unit": "walker", "id": "w"}, {"unit": "medic", "joins": "w"}) == ["abilities/specialist-choice"]
    assert mega({"unit": "veterans", "joins": "a"}) == ["abilities/specialist-choice"]
    pair = [{"unit": "medic", "id": "m", "joins": "a"}, {"unit": "gunner", "joins": "m"}]
    assert mega(*pair) == ["abilities/specialist-choice"]


@covers("abilities/specialist-choice", "abilities/specialist-attached", "squads/composition")
def test_a_specialist_who_joins_is_one_of_the_squad_and_not_of_its_number() -> None:
    position = set_up()
    riflemen = unit(position, 1)
    models = [m for m in position.models if m.unit == riflemen]
    assert [m.name for m in models][-1].startswith("Field medic")
    assert (len(models), riflemen.marks(marks.START)) == (9, 8)
    assert [m.marks(marks.SPECIALIST) for m in models] == [0] * 8 + [1]
    assert unit(position, 4).marks(marks.POINTS) == 28


@covers("squads/commander", "abilities/specialist-choice")
def test_a_single_model_that_a_specialist_joins_is_the_commander() -> None:
    mine = FORCES.plain("megacorporation")
    units = [{**one, "id": "boss"} if one["unit"] == "captain" else one for one in mine["units"]]
    joined = {**mine, "units": [{**one, "joins": "boss"} if one["unit"] == "medic" else one for one in units]}
    forces = (joined, FORCES.plain("dark-legion"))
    position = set_out(load_ruleset("wzr"), Setup("wzr", {}, forces, {"points": 500}))
    models = [m for m in position.models if m.unit == unit(position, 0)]
    assert [(m.marks(marks.COMMANDER), m.marks(marks.SPECIALIST)) for m in models] == [(1, 0), (0, 1)]
    assert [m.marks(marks.COMMANDER) for m in position.models if m.unit == unit(position, 6)] == [0]


# ---------------------------------------------------------------- squads and what they buy


@covers("squads/composition")
@pytest.mark.parametrize(("size", "rules"), [(4, 1), (5, 0), (10, 0), (11, 1)])
def test_squads_have_the_number_of_their_list(size: int, rules: int) -> None:
    other = {"unit": "riflemen", "id": "b", "size": 5}
    found = broken({"unit": "captain"}, {"unit": "riflemen", "id": "a", "size": size}, other)
    assert found == ["squads/composition"] * rules


@covers("squads/commander", "squads/composition")
def test_the_first_of_several_is_the_commander_and_whoever_is_alone_leads_himself() -> None:
    position = set_up()
    for model in position.models:
        model.move_to(2.0 + 2.2 * (model.row % 20), 3.0 + 6.0 * (model.row // 20), None, 0.0, placed=True)
    leader = commander(unit(position, 1))
    assert leader is not None
    assert (leader.row, leader.profile.ld, leader.profile.is_commander) == (1, 14, True)
    alone = commander(unit(position, 0))
    assert alone is not None
    assert (alone.row, alone.marks(marks.COMMANDER)) == (0, 0)


@covers("starter-forces/riflemen", "army/points")
@pytest.mark.parametrize(("size", "guns", "rules"), [(5, 1, 0), (9, 2, 1), (10, 2, 0), (5, 2, 1)])
def test_one_hmg_for_every_five_riflemen(size: int, guns: int, rules: int) -> None:
    other = {"unit": "riflemen", "id": "b", "size": 5}
    row = {"unit": "riflemen", "id": "a", "size": size, "weapons": {"charger": guns}}
    assert broken({"unit": "captain"}, row, other) == ["army/points"] * rules


@covers("starter-forces/exercise-one", "army/points")
@pytest.mark.parametrize(("count", "rules"), [(1, 0), (2, 1)])
def test_one_weapon_of_a_kind_for_the_yard_guard(count: int, rules: int) -> None:
    row = {"unit": "yard-guard", "size": 10, "weapons": {"shock-lance": count}}
    assert mega(row, cap=1000) == ["army/points"] * rules


@covers("starter-forces/riflemen", "starter-forces/veterans")
def test_what_a_squad_buys_is_paid_for_every_model() -> None:
    riflemen = spec("megacorporation", 2)
    assert riflemen.points == 8 * 13
    assert [weapon.id for weapon in riflemen.first.weapons] == ["assault-rifle", "anti-personnel"]
    plain = {**FORCES.plain("megacorporation"), "units": [{"unit": "veterans", "extras": ["rapid-deployment"]}]}
    veterans = FORCES.from_plain(plain).units[0]
    assert (veterans.points, "rapid-deployment" in veterans.first.numbers) == (4 * 21, True)


@covers("starter-forces/riflemen", "starter-forces/undead")
def test_special_weapons_go_to_the_last_models_and_the_commander_costs_what_he_costs() -> None:
    riflemen = spec("megacorporation", 1)
    assert [one.weapons[0].id for one in riflemen.profiles] == ["assault-rifle"] * 7 + ["charger"]
    necromutant = spec("dark-legion", 2).first
    assert (necromutant.points, necromutant.w, necromutant.rs, necromutant.ld) == (25, 2, 13, 15)
    assert necromutant.abilities == ("relentless", "execution")


@covers("army/points")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"list": "pirates"}, "pirates"),
        ({"list": "vehicles"}, "vehicles"),
        ({"units": [{"unit": "wizard"}]}, "wizard"),
        ({"units": [{"unit": "riflemen", "weapons": {"shock-lance": 1}}]}, "shock-lance"),
        ({"units": [{"unit": "riflemen", "extras": ["jetpacks"]}]}, "jetpacks"),
        ({"units": [{"unit": "medic", "powers": ["flight"]}]}, "flight"),
        ({"units": [{"unit": "medic", "joins": "nobody"}]}, "nobody"),
        ({"deck": {"ace-of-spades": 1}}, "ace-of-spades"),
    ],
)
def test_names_that_there_are_not_are_told(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ForceError, match=told):
        FORCES.from_plain({**FORCES.plain("megacorporation"), **change})


# ---------------------------------------------------------------- the lists, as printed

LINES = {  # M, CC, RS, St, Con, WP, LD, W, A, impenetrable, points
    "captain": (5, 12, 16, 8, 10, 15, 16, 3, 12, 10, 80),
    "riflemen": (5, 11, 12, 8, 8, 12, 13, 1, 12, 0, 12),
    "riflemen/commander": (5, 11, 12, 8, 8, 12, 14, 1, 12, 0, 12),
    "veterans": (5, 13, 14, 9, 10, 13, 15, 1, 13, 0, 20),
    "medic": (5, 11, 11, 8, 9, 13, 13, 1, 12, 0, 28),
    "nepharite": (6, 15, 12, 11, 12, 15, 17, 3, 13, 11, 90),
    "sorcerer": (5, 13, 11, 9, 11, 17, 15, 2, 12, 10, 90),
    "undead": (5, 11, 10, 8, 9, 12, 12, 1, 11, 0, 10),
    "brutes": (6, 14, 11, 12, 12, 11, 13, 2, 13, 0, 40),
    "behemoth": (6, 13, 10, 14, 14, 10, 13, 5, 14, 0, 110),
    "works-marshal": (5, 12, 14, 8, 11, 15, 16, 3, 12, 9, 85),
    "oathbound": (6, 14, 14, 10, 11, 13, 15, 2, 13, 0, 50),
    "yard-guard": (5, 11, 12, 8, 9, 12, 13, 1, 12, 0, 14),
    "yard-guard/commander": (5, 11, 12, 8, 9, 12, 14, 1, 12, 0, 14),
    "fen-stalkers": (5, 11, 14, 8, 9, 12, 13, 1, 11, 0, 18),
    "factor": (5, 12, 12, 8, 9, 14, 14, 1, 12, 0, 30),
    "gunner": (5, 10, 13, 9, 10, 12, 13, 1, 12, 0, 30),
    "choirmaster": (5, 12, 12, 9, 11, 17, 16, 3, 12, 10, 90),
    "grave-reaver": (6, 15, 10, 11, 12, 13, 15, 2, 13, 9, 80),
    "howlers": (6, 13, 11, 9, 9, 11, 12, 1, 11, 0, 15),
    "howlers/commander": (6, 13, 11, 9, 9, 11, 13, 1, 11, 0, 15),
    "cinder-band": (5, 11, 12, 8, 9, 12, 13, 1, 12, 0, 15),
}


def line(one: Profile) -> tuple[int, ...]:
    return one.m, one.cc, one.rs, one.st, one.con, one.wp, one.ld, one.w, one.a, one.impenetrable, one.points


@covers(
    "core/profile",
    "starter-forces/warlord-ranged",
    "starter-forces/riflemen",
    "starter-forces/veterans",
    "starter-forces/medic",
    "starter-forces/warlord-melee",
    "starter-forces/lord-psychic",
    "starter-forces/undead",
    "starter-forces/brutes",
    "starter-forces/behemoth",
    "starter-forces/exercise-one",
    "starter-forces/exercise-two",
)
@pytest.mark.parametrize("name", LINES)
def test_profiles_of_the_lists(name: str) -> None:
    assert line(profiles()[name]) == LINES[name]


@covers("starter-forces/exercise-two", "armour/type-modifier")
def test_the_grave_reaver_is_weak_against_plasma() -> None:
    assert profiles()["grave-reaver"].against == {"plasma": -2}


@covers("core/bases", "starter-forces/behemoth", "starter-forces/brutes", "starter-forces/jetbike")
@pytest.mark.parametrize(
    ("name", "size", "wide"),
    [("riflemen", 1, 0.6), ("brutes", 2, 0.8), ("behemoth", 3, 1.0), ("jetbike", 3, 0.8), ("walker", 3, 1.0)],
)
def test_bases_and_every_vehicle_counts_as_large(name: str, size: int, wide: float) -> None:
    profile = profiles()[name]
    assert (profile.size, profile.shape.radius) == (size, wide)  # type: ignore[union-attr]


VEHICLES = {  # M, CC, RS, WP, LD, PA, points, front, rear, then PS and AV of each location
    "walker": (7, 14, 12, 12, 16, 3, 100, 0, -4, (2, 12), (2, 12), (3, 11), (2, 12)),
    "tank": (6, 0, 13, 12, 15, 3, 160, 1, -4, (4, 15), (3, 14), (3, 13), (3, 13)),
    "jetbike": (8, 12, 13, 12, 14, 3, 55, 0, -2, (1, 11), (1, 11), (2, 12), (1, 12)),
    "bike": (7, 12, 13, 12, 14, 3, 40, 0, -2, (1, 10), (1, 10), (2, 11), (1, 11)),
    "biped": (5, 12, 13, 12, 15, 3, 150, 0, -4, (4, 15), (3, 14), (3, 13), (3, 13)),
    "air-tank": (8, 0, 13, 12, 15, 3, 150, 0, -3, (3, 13), (3, 13), (3, 12), (3, 12)),
}


@covers(
    "vehicles/example-profile",
    "vehicles/profile-stats",
    "starter-forces/walker",
    "starter-forces/tank",
    "starter-forces/jetbike",
    "starter-forces/other-vehicles",
)
@pytest.mark.parametrize("name", VEHICLES)
def test_profiles_of_vehicles(name: str) -> None:
    p = profiles()[name]
    assert p.vehicle is not None
    v = p.vehicle
    locations = tuple((one.ps, one.av) for one in v.locations)
    assert (p.m, p.cc, p.rs, p.wp, p.ld, v.pa, p.points, v.front, v.rear, *locations) == VEHICLES[name]
    assert [one.top for one in v.locations] == [10, 14, 18, 20]


@covers("vehicles/types", "starter-forces/tank", "starter-forces/other-vehicles")
@pytest.mark.parametrize(
    ("name", "hull", "height"),
    [
        ("tank", (3, 5), 2.5),
        ("biped", (3, 3), 3.5),
        ("air-tank", (3, 4), 2.5),
        ("jetbike", None, 2.0),
        ("bike", None, 1.75),
    ],
)
def test_hulls_and_heights_of_vehicles(name: str, hull: tuple[float, float] | None, height: float) -> None:
    assert (profiles()[name].hull, profiles()[name].height) == (hull, height)


@covers("army/faction", "starter-forces/walker")
def test_a_vehicle_is_of_the_faction_that_fields_it() -> None:
    assert profiles()["walker"].faction == ""
    assert spec("megacorporation", 5).first.faction == "megacorporation"


GUNS = {  # kind, then range, template, St, RoF, AVV, type of each way to fire
    "assault-rifle": ("automatic", (24, "", 12, 1, 1, "piercing")),
    "carbine": ("automatic", (20, "", 11, 1, 0, "piercing")),
    "commanders-rifle": ("automatic", (24, "", 13, 2, 1, "piercing")),
    "heavy-cannon": ("heavy", (30, "", 15, 1, 6, "piercing")),
    "shock-lance": ("burst", (18, "", 13, 1, 2, "plasma")),
    "light-flamer": ("special", (None, "FP", 11, 1, 0, "fire")),
    "enforcer": ("pistol", (14, "", 12, 2, 1, "piercing")),
    "car-24": ("automatic", (24, "", 13, 1, 1, "piercing"), (18, "SE", 10, 1, 1, "explosive")),
    "transfuser": ("special", (14, "", 12, 2, 1, "piercing")),
    "charger": ("heavy", (28, "", 14, 3, 1, "piercing")),
    "anti-personnel": ("grenade", (None, "SE", 13, 1, 0, "explosive")),
    "anti-vehicle": ("grenade", (None, "", 15, 1, 6, "piercing")),
    "stun-grenades": ("grenade", (None, "SE", None, 1, 0, "explosive")),
    "incendiary": ("grenade", (None, "SE", 12, 1, 0, "explosive")),
    "long-rifle": ("automatic", (36, "", 14, 1, 2, "piercing")),
    "rocket-tube": ("heavy", (24, "ME", 14, 1, 5, "explosive")),
    "twin-pistol": ("pistol", (14, "", 11, 2, 0, "piercing"), (8, "", 13, 1, 1, "piercing")),
    "scattergun": ("special", (None, "SG", 11, 1, 0, "piercing")),
    "great-flamer": ("heavy", (None, "FG", 13, 1, 1, "fire")),
    "field-mortar": ("heavy", (30, "LE", 13, 1, 2, "explosive")),
}


@covers(
    "core/weapon-profile",
    "core/damage-types",
    "starter-forces/weapons",
    "starter-forces/exercise-one",
    "starter-forces/exercise-two",
    "armoury/enforcer",
    "armoury/car24",
    "armoury/transfuser",
    "armoury/charger",
    "armoury/grenade-profiles",
)
def test_the_weapons_of_the_arsenal() -> None:
    found = {
        id: (one.kind, *((f.range, f.area, f.st, f.rof, f.avv, f.type) for f in one.fires))
        for id, one in weapons().items()
    }
    assert found == GUNS
    thrown = {id for id, one in weapons().items() if one.fires[0].by_strength}
    assert thrown == {"anti-personnel", "stun-grenades", "incendiary"}


@covers("core/melee-weapon-profile", "starter-forces/weapons")
def test_the_melee_weapons_of_the_arsenal() -> None:
    found = {id: (one.ccwr, one.full, one.st, one.roa, one.avv) for id, one in blades().items()}
    assert found == {
        "bayonet": (None, False, 1, 1, 0),
        "sabre": (None, False, 1, 2, 1),
        "dark-blade": (2, False, 3, 3, 2),
        "claws": (None, False, 2, 2, 2),
        "mechanical-fist": (None, True, 14, 2, 4),
        "great-fist": (None, True, 16, 2, 4),
        "bike-sabre": (None, True, 10, 2, 1),
    }


@covers("armoury/automatic", "armoury/special")
@pytest.mark.parametrize(
    ("name", "strikes_with"),
    [
        ("captain", ["sabre", "enforcer"]),
        ("veterans", ["bayonet", "anti-vehicle"]),
        ("brutes", ["claws"]),
        ("medic", ["bare", "enforcer"]),
        ("gunner", ["bare"]),
        ("cinder-band", ["bayonet"]),
    ],
)
def test_only_pistols_and_anti_vehicle_grenades_serve_in_melee(name: str, strikes_with: list[str]) -> None:
    position = table(squad(name))
    assert [one.id for one in melee_arms(position.model(0))] == strikes_with


@covers("core/model-categories")
@pytest.mark.parametrize(
    ("name", "hero", "vehicle"),
    [
        ("captain", True, False),
        ("sorcerer", True, False),
        ("oathbound", True, False),
        ("riflemen", False, False),
        ("walker", False, True),
    ],
)
def test_heroes_and_vehicles(name: str, hero: bool, vehicle: bool) -> None:
    assert (profiles()[name].is_hero, profiles()[name].is_vehicle) == (hero, vehicle)


@covers("psychic/example-demnogonis-blast", "psychic/example-muawijhe-fury", "psychic/example-demnogonis-decay")
def test_the_powers_of_the_arsenal() -> None:
    found = {id: (one.kind, one.range) for id, one in powers().items()}
    assert found == {
        "demnogonis-blast": ("shooting", 18.0),
        "muawijhe-fury": ("blessing", 18.0),
        "demnogonis-decay": ("hindrance", 18.0),
    }
    shot = powers()["demnogonis-blast"].fire
    assert shot is not None
    assert (shot.range, shot.st, shot.rof, shot.avv, shot.type) == (18.0, 20, 1, 0, "psychic")


@covers("abilities/generic-and-squad")
def test_every_ability_of_a_profile_is_an_entry_of_the_ledger() -> None:
    entries = load_ruleset("wzr").ledger.entries
    written = {name for one in profiles().values() for name in one.numbers}
    others = {"infiltration": "infiltrate", "specialist": "specialist-choice", "doomtrooper": "doomtrooper-pair"}
    others |= {"berserk": "berserk-trigger", "execution": "execution-hero", "rapid-deployment": "rapid-deployment-test"}
    assert all(
        f"abilities/{others.get(name, name)}" in entries or f"abilities/{others[name]}-when" in entries
        for name in written
    )


# ---------------------------------------------------------------- the army builder


@covers("army/faction", "abilities/alliance-agent")
def test_an_army_is_built_of_its_faction_its_agents_and_vehicles() -> None:
    kinds = {one.id: [kind.id for kind in one.kinds] for one in army_lists()}
    assert set(kinds) == {"brotherhood", "dark-legion", "megacorporation"}
    assert "factor" in kinds["megacorporation"]
    assert "factor" not in kinds["dark-legion"]
    assert all("tank" in one for one in kinds.values())


@covers("cards/bound", "cards/deck-build", "cards/copies")
def test_a_bound_card_is_offered_only_where_its_unit_may_be_fielded() -> None:
    for one in army_lists():
        (deck,) = one.fields
        names = {choice.value for choice in deck.choices}
        assert names == {name for name, card in cards().items() if not card.bound or one.id == "megacorporation"}
        assert (deck.usual, deck.most) == (ready_counts(), 5)


@covers("army/points")
def test_prices_of_the_army_builder_are_those_of_squads_as_bought() -> None:
    for one in army_lists():
        for kind in one.kinds:
            for count, cost in kind.prices:
                size = {"size": count} if any(field.name == "size" for field in kind.fields) else {}
                plain = {**one.force, "name": {"en": "X", "it": "X"}, "points": 500, "units": [{**kind.row, **size}]}
                assert FORCES.from_plain(plain).units[0].points == cost, kind.id


@covers("abilities/psychic")
def test_the_powers_of_a_list_are_offered_to_its_psychics() -> None:
    (dark_legion,) = (one for one in army_lists() if one.id == "dark-legion")
    able = {kind.id: field.most for kind in dark_legion.kinds for field in kind.fields if field.name == "powers"}
    assert able == {"sorcerer": 3, "choirmaster": 2}
    assert set(army_list("dark-legion").powers) == set(powers())
