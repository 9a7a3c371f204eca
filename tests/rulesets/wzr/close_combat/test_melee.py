"""Melee attacks: weapons, CC tests, targets, Fear, fumbles, structures."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.abilities.index import About
from campale.rulesets.wzr.armies.profile import Fire
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.terrain import SOLID
from campale.rulesets.wzr.close_combat.attack import COMBAT, Attack, Onset, attacks_of, can_attack, candidates
from campale.rulesets.wzr.close_combat.cc_test import cc_need
from campale.rulesets.wzr.close_combat.combat import blows_of
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.close_combat.strength import arm_of, arms, strength_with
from campale.rulesets.wzr.structures.pieces import ps_lost
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.vehicles.locations import ps_left
from tests.rulesets.wzr.kit import piece, resources, squad, table, vehicle
from tests.rulesets.wzr.melee import GRENADE, attacks, begin, blade, facing_off, fields_of, form, gone, weapon

covers = pytest.mark.covers

RAGING = {marks.BERSERK: 1, marks.APPROACHED: 1}


def need(position: Position, row: int = 0, target: int = 1, special: bool = False) -> int:
    model = position.model(row)
    return cc_need(About(model, model, position.model(target), is_special=special)).number


# ---------------------------------------------------------------- what they fight with


@covers("core/melee-weapon-profile")
def test_bare_hands_have_the_bearers_strength() -> None:
    (arm,) = arms(facing_off().model(0))
    assert (arm.id, arm.roa, arm.avv, arm.type) == ("bare", 1, 0, "piercing")
    assert strength_with(facing_off({"st": 9}).model(0), arm) == 9


@covers("close-combat/attack-strength", "core/melee-weapon-profile")
@pytest.mark.parametrize(("st", "marked", "value"), [(2, 0, 12), (-1, 0, 9), (2, 1, 14)])
def test_strength_of_a_hit_is_the_models_and_the_weapons_and_whatever_else(st: int, marked: int, value: int) -> None:
    position = facing_off({"blades": (blade(st=st),), "abilities": ("berserk",), "models": {marks.BERSERK: marked}})
    model = position.model(0)
    assert strength_with(model, arm_of(model, "sword")) == value


@covers("armoury/pistols-melee", "armoury/pistols-double-profile", "armoury/pistols-range")
def test_a_pistol_fights_with_the_best_of_its_profiles() -> None:
    pistol = weapon("pistol", "pistol", Fire(range=12, st=11, rof=3, avv=0), Fire(range=6, st=14, rof=1, avv=2))
    model = facing_off({"weapons": (pistol,), "base": "medium"}).model(0)
    arm = arm_of(model, "pistol")
    assert (strength_with(model, arm), arm.roa, arm.avv, arm.reach) == (14, 3, 2, 1.0)


@covers("armoury/heavy")
def test_who_bears_a_heavy_weapon_has_one_attack() -> None:
    pistol = weapon("pistol", "pistol", Fire(range=12, st=11, rof=2))
    light = {"blades": (blade(roa=3),), "weapons": (pistol,)}
    heavy = {**light, "weapons": (pistol, weapon("hmg", "heavy"))}
    for changes, most in ((light, [3, 2]), (heavy, [1, 1])):
        model = facing_off(changes).model(0)
        assert [attacks_of(model, arm, Attack(0, COMBAT, arm.id, (), ())) for arm in arms(model)] == most
    assert not any(arm.charges for arm in arms(facing_off(heavy).model(0)))


@covers("armoury/heavy", "vehicles/charge-bonus", "vehicles/combat")
def test_what_is_mounted_on_a_vehicle_leaves_its_melee_as_it_is() -> None:
    fist = {"blades": (blade(roa=2, st=14, full=True),), "weapons": (weapon("hmg", "heavy"),), "base": "large"}
    model = facing_off({**fist, "vehicle": vehicle("walker")}).model(0)
    (arm,) = arms(model)
    assert arm.charges
    assert attacks_of(model, arm, Attack(0, COMBAT, arm.id, (), ())) == 2


@covers("armoury/grenade-antivehicle-melee", "armoury/grenade-b2b")
@pytest.mark.parametrize(("apart", "rows"), [(0.0, [1]), (0.5, [])])
def test_a_contact_grenade_needs_contact(apart: float, rows: list[int]) -> None:
    position = facing_off({"weapons": (GRENADE,), "base": "medium"}, apart=apart)
    model = position.model(0)
    arm = arm_of(model, "sticky")
    assert candidates(model, arm, COMBAT) == rows
    assert (strength_with(model, arm), arm.avv, arm.roa, arm.is_fixed, arm.charges) == (15, 6, 1, True, False)


@covers("vehicles/combat")
def test_a_vehicle_has_the_strength_of_its_weapon_or_ten() -> None:
    walker: dict[str, Any] = {"vehicle": vehicle(), "base": "large", "st": 0}
    assert strength_with(facing_off(walker).model(0), arms(facing_off(walker).model(0))[0]) == 10
    fist = facing_off({**walker, "blades": (blade("fist", st=15, avv=4),)}).model(0)
    assert strength_with(fist, arms(fist)[0]) == 15


# ---------------------------------------------------------------- the CC test


@covers("close-combat/cc-test", "core/test")
@pytest.mark.parametrize(("die", "lost"), [(12, [1]), (13, [])])
def test_a_success_is_a_wound_effect(die: int, lost: list[int]) -> None:
    position = facing_off()
    attacks(position, dice=f"{die}" + (" 13" if lost else ""))
    assert gone(position) == lost


@covers("close-combat/cc-test", "armour/test")
def test_armour_stops_it() -> None:
    position = facing_off()
    played = attacks(position, dice="5 12")
    assert (gone(position), played.rolls) == ([], ["cc-test", "armour"])


@covers("core/power-shot", "close-combat/cc-test")
def test_a_natural_one_is_a_power_shot() -> None:
    position = facing_off()
    attacks(position, dice="1")
    assert gone(position) == [1]


@covers("close-combat/cc-test")
def test_a_wound_each() -> None:
    position = facing_off({"blades": (blade(roa=2),)}, {"w": 2})
    attacks(position, dice="5 6 | 20 20")
    assert gone(position) == [1]
    position = facing_off({"blades": (blade(roa=2),)}, {"w": 3})
    attacks(position, dice="5 6 | 20 20")
    assert position.model(1).marks(marks.WOUNDS) == 2


@covers("close-combat/rear-bonus", "close-combat/rear-engage", "core/front-rear")
@pytest.mark.parametrize(("facing", "number"), [(180.0, 12), (91.0, 12), (89.0, 16), (0.0, 16)])
def test_plus_four_against_the_rear(facing: float, number: int) -> None:
    position = facing_off(foe={"facing": facing})
    assert need(position) == number
    assert need(position, special=True) == 12


@covers("abilities/elusive")
def test_elusive() -> None:
    assert need(facing_off(foe={"abilities": ("elusive",)})) == 10


@covers("abilities/bulky", "vehicles/bulky")
@pytest.mark.parametrize(("kind", "number"), [("walker", 16), ("bike", 12)])
def test_bulky(kind: str, number: int) -> None:
    assert need(facing_off(foe={"abilities": ("bulky",)})) == 16
    assert need(facing_off(foe={"vehicle": vehicle(kind), "base": "large"})) == number


@covers("abilities/fear", "core/modifier-order", "core/rounding")
def test_halved_before_everything_else() -> None:
    position = facing_off({"cc": 15, "models": {marks.AFRAID: 1}}, {"facing": 0.0, "abilities": ("elusive",)})
    assert need(position) == 8 + 4 - 2


@covers("abilities/berserk-modifiers")
def test_a_berserker_fights_better() -> None:
    assert need(facing_off({"abilities": ("berserk",), "models": {marks.BERSERK: 1}})) == 16


# ---------------------------------------------------------------- re-rolls, fumbles


@covers("core/linked", "close-combat/hold-small", "core/reroll")
@pytest.mark.parametrize(
    ("dice", "answers", "lost"),
    [
        ("19 12 13", ["linked"], [1]),
        ("19 13", ["linked"], []),
        ("19", ["no"], []),
        ("20 12 13", [], [1]),
    ],
)
def test_a_failed_attack_on_whoever_is_held_may_be_rolled_again(dice: str, answers: list[str], lost: list[int]) -> None:
    """A fumble is rolled again without asking."""
    position = facing_off(foe={"models": {marks.HELD: 1}})
    attacks(position, dice=dice, answers=answers)
    assert gone(position) == lost


@covers("abilities/duelist", "core/reroll")
def test_a_duelist_rolls_one_failure_again_in_an_activation() -> None:
    position = facing_off({"abilities": ("duelist",), "blades": (blade(roa=2),)})
    played = attacks(position, dice="13 14 15", answers=["duelist"])
    assert (played.prompts, played.rolls) == (["roll-again"], ["cc-test"] * 3)
    assert attacks(position, dice="15 16").prompts == []


@covers("abilities/duelist")
def test_a_duelist_may_keep_his_failure_for_the_next_test() -> None:
    position = facing_off({"abilities": ("duelist",), "blades": (blade(roa=2),)})
    played = attacks(position, dice="13 14 3 20", answers=["no", "duelist"])
    assert (played.prompts, gone(position)) == (["roll-again"] * 2, [1])


@covers("abilities/duelist")
@pytest.mark.parametrize(("base", "asked"), [("medium", ["roll-again"]), ("large", [])])
def test_not_against_a_larger_base(base: str, asked: list[str]) -> None:
    position = facing_off({"abilities": ("duelist",), "base": "medium"}, {"base": base})
    assert attacks(position, dice="13", answers=["no"] if asked else []).prompts == asked


@covers("abilities/hatred")
@pytest.mark.parametrize(("faction", "asked"), [("undead", ["roll-again"]), ("capitol", [])])
def test_hatred_is_of_a_faction(faction: str, asked: list[str]) -> None:
    position = facing_off({"abilities": ("hatred undead",)}, {"faction": faction})
    assert attacks(position, dice="13", answers=["no"] if asked else []).prompts == asked


@covers("core/fumble")
@pytest.mark.parametrize(("dice", "ap"), [("20 5 12", 0), ("19 5 12", 1)])
def test_after_a_fumble_the_attacks_go_on_and_the_ap_are_gone(dice: str, ap: int) -> None:
    position = facing_off({"blades": (blade(roa=2),)})
    begin(position.model(0), 1)
    played = attacks(position, dice=dice)
    assert (position.model(0).marks(marks.AP), played.rolls) == (ap, ["cc-test", "cc-test", "armour"])
    assert position.model(0).marks(marks.NO_MORE_AP) == int(ap == 0)


@covers("core/fumble", "core/reroll")
@pytest.mark.parametrize(("dice", "ap"), [("20 19", 1), ("19 20", 0)])
def test_the_final_die_counts(dice: str, ap: int) -> None:
    position = facing_off(foe={"models": {marks.HELD: 1}})
    begin(position.model(0), 1)
    attacks(position, dice=dice, answers=["linked"] if dice.startswith("19") else [])
    assert position.model(0).marks(marks.AP) == ap


@covers("core/fumble")
def test_a_sentry_that_fumbles_has_nothing_to_lose() -> None:
    position = facing_off({"models": {marks.ACTED: 1}})
    attacks(position, dice="20")
    assert position.model(0).marks(marks.NO_MORE_AP) == 0


# ---------------------------------------------------------------- targets


def three(**own: Any) -> Position:
    """One of base medium, and three enemies in its Front and reach."""
    return table(
        squad(at=(20, 10), base="medium", models={marks.APPROACHED: 1}, **own),
        squad(3, side=1, at=[(20, 11.9), (18.2, 10.9), (21.8, 10.9)], facing=180.0),
    )


@covers("close-combat/primary-target")
def test_one_of_several_enemies_is_the_primary_target() -> None:
    position = three()
    question = form(position.model(0))
    assert fields_of(question).options() == [1, 2, 3]
    attacks(position, dice="1", details=[2])
    assert gone(position) == [2]


@covers("close-combat/primary-target", "close-combat/reach-difference", "core/front-rear")
def test_only_those_in_front_and_reach() -> None:
    position = table(
        squad(at=(20, 10), base="medium"),
        squad(4, side=1, at=[(20, 12.4), (20, 12.41), (18.6, 10), (20, 8)], facing=180.0),
    )
    (arm,) = arms(position.model(0))
    assert candidates(position.model(0), arm, COMBAT) == [1, 3]


@covers("close-combat/attack-split")
def test_a_secondary_target_has_one_attack_at_most() -> None:
    position = three(blades=(blade(roa=3),))
    question = form(position.model(0))
    assert fields_of(question, 1).options() == [1, 2, 3]
    assert fields_of(question, 1, 2).options() == [1, 3]
    assert fields_of(question, 1, 1).options() == [1, 2, 3]
    attacks(position, dice="1 1 1", details=[1, 2, 3])
    assert gone(position) == [1, 2, 3]


@covers("close-combat/attack-split")
def test_the_first_attack_is_the_primarys_and_all_are_allotted_before_any_die() -> None:
    position = three(blades=(blade(roa=2),))
    played = attacks(position, dice="1 1", details=[1, 1], answers=[2])
    assert (gone(position), played.rolls) == ([1], ["cc-test"] * 2)


@covers("abilities/berserk-actions")
def test_a_berserker_strikes_the_nearest() -> None:
    position = table(
        squad(at=(20, 10), base="medium", abilities=("berserk",), models=RAGING, blades=(blade(roa=2),)),
        squad(2, side=1, at=[(20, 12.3), (18.4, 11)], facing=180.0),
    )
    question = form(position.model(0))
    assert fields_of(question).options() == [2]
    refusal = question.refusal([1, 1])
    assert refusal is not None
    assert refusal.rule == "abilities/berserk-actions"
    assert fields_of(question, 2).options() == [2, 1]


@covers("core/profile")
def test_without_cc_nobody_fights() -> None:
    position = facing_off({"cc": 0})
    assert not can_attack(COMBAT, position.model(0))
    assert can_attack(COMBAT, position.model(1))


# ---------------------------------------------------------------- cards/burn-rof


@covers("cards/burn-rof", "close-combat/attack-sequence")
def test_a_resource_is_one_more_attack_before_any_die() -> None:
    position = facing_off()
    resources(position, 0, 1)
    played = attacks(position, dice="13 14", details=["burn"])
    assert played.rolls == ["cc-test"] * 2
    assert position.holds(0, marks.BURNED) == 1
    assert attacks(position, dice="13").rolls == ["cc-test"]


@covers("armoury/heavy", "cards/burn-rof", "close-combat/special-roa")
def test_nothing_raises_the_attacks_of_a_heavy_weapons_bearer() -> None:
    position = facing_off({"weapons": (weapon("hmg", "heavy"),)})
    resources(position, 0, 1)
    assert fields_of(form(position.model(0))) is None


# ---------------------------------------------------------------- charges


@covers("actions/charge-bonus", "close-combat/charge-from-above")
def test_what_comes_from_above_counts_on_the_first_test_alone() -> None:
    position = facing_off({"blades": (blade(roa=2, st=1, avv=1),), "base": "large"}, {"base": "large"})
    onset = tuple(Onset(3, 1, 9, 3))
    first, second = blows_of(position, Attack(0, COMBAT, "sword", (), (1, 1), onset=onset))
    assert ((first.st, first.avv), (second.st, second.avv)) == ((23, 5), (14, 2))
    plain, _ = blows_of(position, Attack(0, COMBAT, "sword", (), (1, 1)))
    assert (plain.st, plain.avv) == (11, 1)


@covers("armoury/pistols-no-charge-bonus", "armoury/grenade-antivehicle-melee", "armoury/heavy")
def test_pistols_and_grenades_charge_without_strength() -> None:
    pistol = weapon("pistol", "pistol", Fire(range=12, st=11))
    position = facing_off({"weapons": (pistol, GRENADE), "base": "large"}, {"base": "large"})
    onset = tuple(Onset(3, 1, 9, 3))
    for id, power in (("pistol", (11, 4)), ("sticky", (15, 6))):
        (blow,) = blows_of(position, Attack(0, COMBAT, id, (), (1,), onset=onset))
        assert (blow.st, blow.avv) == power


@covers("armoury/pistols-special-rules")
def test_a_pistols_special_rules_are_off() -> None:
    pistol = weapon("pistol", "pistol", Fire(range=12, st=11), rules=("headshot", "ichor"))
    position = facing_off({"weapons": (pistol,)})
    (blow,) = blows_of(position, Attack(0, COMBAT, "pistol", (), (1,)))
    assert blow.rules == ()


# ---------------------------------------------------------------- Fear


@covers("abilities/fear", "squads/model-ld")
@pytest.mark.parametrize(("die", "afraid"), [(12, 0), (13, 1)])
def test_who_fights_somebody_fearsome_tests_its_own_ld(die: int, afraid: int) -> None:
    position = facing_off({"ld": 14}, {"abilities": ("fear 2",)})
    attacks(position, dice=f"{die} | {6 if afraid else 12} 3")
    assert position.model(0).marks(marks.AFRAID) == afraid
    assert need(position) == (6 if afraid else 12)


@covers("abilities/fear-once")
def test_one_fear_test_a_turn_but_for_a_higher_x() -> None:
    position = table(
        squad(at=(20, 10), base="medium", models={marks.APPROACHED: 1}),
        squad(side=1, at=(20, 11.9), abilities=("fear 2",)),
        squad(side=1, at=(18.2, 10.9), abilities=("fear 4",), facing=180.0),
    )
    model = position.model(0)
    model.mark(marks.FEAR_TESTED, 4)
    assert attacks(position, dice="13", details=[1]).rolls == ["cc-test"]
    model.mark(marks.FEAR_TESTED, 3)
    assert attacks(position, dice="10 13", details=[1]).rolls == ["fear", "cc-test"]
    assert model.marks(marks.FEAR_TESTED) == 4
    assert attacks(position, dice="13", details=[1]).rolls == ["cc-test"]


@covers("abilities/fear", "abilities/implacable")
def test_the_implacable_pass_without_a_die() -> None:
    position = facing_off({"abilities": ("implacable",)}, {"abilities": ("fear 2",)})
    assert attacks(position, dice="13").rolls == ["cc-test"]


# ---------------------------------------------------------------- structures


def wall(y: float, row: str = "wall") -> Any:
    return piece((18, y), (4, 1), (SOLID, f"row-{row}"), 3.0, name="wall")


@covers("structures/hit-melee", "structures/no-ccwr")
def test_structures_are_hit_without_a_test() -> None:
    position = table(squad(at=(20, 10), blades=(blade(roa=2, avv=3),)), squad(side=1, at=(40, 40)), pieces=[wall(10.6)])
    played = attacks(position, dice="20 1")
    assert (played.rolls, ps_lost(position, "wall")) == (["av-test"] * 2, 1)
    assert not is_engaged(position.model(0))


@covers("structures/hit-melee", "structures/avv-minimum", "core/front-rear")
@pytest.mark.parametrize(
    ("y", "avv", "facing", "is_so"),
    [(11.6, 3, 0.0, True), (11.9, 3, 0.0, False), (11.6, 2, 0.0, False), (11.6, 3, 180.0, False)],
)
def test_in_front_and_reach_with_enough_avv(y: float, avv: int, facing: float, is_so: bool) -> None:
    own: dict[str, Any] = {"base": "medium", "facing": facing, "blades": (blade(avv=avv),)}
    position = table(squad(at=(20, 10), **own), squad(side=1, at=(40, 40)), pieces=[wall(y)])
    assert can_attack(COMBAT, position.model(0)) is is_so


@covers("structures/hit-melee")
def test_all_attacks_on_a_piece_go_to_it() -> None:
    position = table(
        squad(at=(20, 10), base="medium", blades=(blade(roa=2, avv=3),), models={marks.APPROACHED: 1}),
        squad(side=1, at=(20, 11.9), facing=180.0),
        pieces=[piece((16, 9.5), (3, 3), (SOLID, "row-crates"), 2.0, name="crates")],
    )
    question = form(position.model(0))
    assert fields_of(question).options() == [1, "crates"]
    assert fields_of(question, "crates") is None
    attacks(position, dice="20 20", details=["crates"])
    assert ps_lost(position, "crates") == 2


@covers("abilities/berserk-actions", "structures/hit-melee")
def test_a_berserker_strikes_no_structure() -> None:
    own: dict[str, Any] = {"blades": (blade(avv=3),), "abilities": ("berserk",)}
    position = table(squad(at=(20, 10), **own), squad(side=1, at=(40, 40)), pieces=[wall(10.6)])
    assert can_attack(COMBAT, position.model(0))
    position.model(0).mark(marks.BERSERK, 1)
    assert not can_attack(COMBAT, position.model(0))


# ---------------------------------------------------------------- against vehicles


@covers("vehicles/combat", "actions/combat")
@pytest.mark.parametrize(("kind", "rule"), [("walker", ""), ("tank", "core/profile"), ("air-tank", "core/profile")])
def test_tanks_make_no_melee_attacks(kind: str, rule: str) -> None:
    fist = blade("fist", st=14, ccwr=2)
    position = facing_off({"vehicle": vehicle(kind), "base": "large", "blades": (fist,)}, apart=0.5)
    begin(position.model(0))
    found = cannot_take(position.model(0), COMBAT)
    assert ("" if found is None else found.rule) == rule


@covers("close-combat/cc-test", "vehicles/melee-against")
def test_a_success_on_a_vehicle_is_a_located_damage_effect() -> None:
    position = facing_off({"base": "medium"}, {"vehicle": vehicle(), "base": "large"})
    played = attacks(position, dice="16 5 20 20")
    assert played.rolls[:3] == ["cc-test", "location", "av-test"]


@covers("vehicles/melee-tank-location", "vehicles/melee-against")
@pytest.mark.parametrize(
    ("kind", "dice", "answers"),
    [
        ("tank", "6 6 13 13", [["drive", "engine"]]),
        ("air-tank", "6 6 16 13 19 13", []),
        ("walker", "6 6 16 13 19 13", []),
    ],
)
def test_attackers_pick_the_location_of_each_hit_on_a_tank_alone(kind: str, dice: str, answers: list[Any]) -> None:
    """AV 12 against AVV 1 holds on 11."""
    hull = {"tank": (3.0, 5.0), "air-tank": (3.0, 4.0)}.get(kind)
    foe = {"vehicle": vehicle(kind), "at": (20.0, 10.0 + 0.6 + (hull[1] / 2.0 if hull else 1.0)), "hull": hull}
    position = facing_off({"blades": (blade(roa=2, avv=1),)}, {**foe, "base": "large"})
    begin(position.model(0))
    played = attacks(position, dice=dice, answers=answers)
    assert ("tank-locations" in played.prompts) is (kind == "tank")
    assert [ps_left(position.model(1), name) for name in ("pilot", "drive", "engine")] == [2, 1, 1]
