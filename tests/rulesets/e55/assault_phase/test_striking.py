"""Chapter 3.3.2 and 9.2: attacks, weapons, initiative, the die that is needed, what a hit is like."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.assault_phase.striking import (
    BARE,
    BLOWS,
    SHOT,
    Arm,
    Blow,
    arms,
    attack_count,
    hit_of,
    initiative,
    line_of,
    need_to_hit,
    number_to_hit,
    roll_to_hit,
    skill_of_target,
    strength_of,
    struck_face,
)
from tests.rulesets.e55.kit import blade, gun, model, play, profile, squad, table, unit

FIRST = Arm(0, BLOWS)
HANDS = Arm(BARE, BLOWS)


def duel(one: Profile | str, other: Profile | str = "militia", **marks: Any) -> Position:
    """One model of each side in contact; ``marks`` are of the first unit."""
    return table(squad(one, 1, 0, (30, 24), combat=1, **marks), squad(other, 1, 1, (30, 25), combat=1), phase="melee")


def carrying(*weapons: Any, **changes: Any) -> Position:
    return duel(profile("veteran", *weapons, **changes))


# ---------------------------------------------------------------- 3.3.2/attack-count, two-weapons


@pytest.mark.covers("3.3.2/two-weapons", "9.2.1/two-handed", "9.1.1/pistol", "3.3.2/attack-count")
@pytest.mark.parametrize(
    ("carried", "attacks"),
    [
        ((), 1),
        (("blade",), 1),
        (("blade", "sidearm"), 2),
        (("sidearm", "sidearm"), 2),
        (("blade", "blade", "sidearm"), 2),
        (("blade", "great-blade"), 1),
        (("great-blade", "sidearm"), 1),
        (("blade", "fist"), 2),
        (("claw", "claw"), 2),
        (("blade", "rifle"), 1),
    ],
)
def test_one_more_attack_for_two_one_handed_weapons(carried: tuple[str, ...], attacks: int) -> None:
    assert attack_count(model(carrying(*carried), 0), FIRST if carried else HANDS) == attacks


@pytest.mark.covers("3.3.2/charge-attack-bonus", "3.3.2/attack-count")
@pytest.mark.parametrize(("charged", "attacks"), [(0, 1), (1, 2)])
def test_one_more_for_charging(charged: int, attacks: int) -> None:
    assert attack_count(model(duel("veteran", charged=charged), 0), HANDS) == attacks


@pytest.mark.covers("3.3.2/charge-attack-bonus")
def test_who_charged_and_reached_nobody_charged_as_well() -> None:
    position = table(squad("veteran", 2, 0, [(30, 24), (30, 22)], charged=1), squad("militia", 1, 1, (30, 25)))
    assert attack_count(model(position, 1), HANDS) == 2


@pytest.mark.covers("8/crushing-charge", "8/furious-charge", "3.3.2/melee-hit-profile")
@pytest.mark.parametrize(
    ("adds", "charged", "attacks", "strength"),
    [
        (("crushing-charge",), 1, 3, 5),
        (("crushing-charge",), 0, 1, 4),
        (("furious-charge",), 1, 2, 5),
        (("furious-charge",), 0, 1, 4),
        (("crushing-charge", "furious-charge"), 1, 3, 6),
        ((), 1, 2, 4),
    ],
)
def test_what_a_charge_adds(adds: tuple[str, ...], charged: int, attacks: int, strength: int) -> None:
    one = model(duel(profile("veteran", adds=adds), charged=charged), 0)
    assert attack_count(one, HANDS) == attacks
    assert strength_of(one, HANDS) == strength


@pytest.mark.covers("8/crushing-charge", "9.2/power-fist", "1.1/dice-modifier-order", "1.3/characteristic-limits")
def test_strength_for_charging_is_added_after_the_doubling() -> None:
    fist = profile("veteran", "fist", adds=("crushing-charge",))
    assert strength_of(model(duel(fist, charged=1), 0), FIRST) == 9
    strong = profile("veteran", "fist", adds=("crushing-charge",), s=6)
    assert strength_of(model(duel(strong, charged=1), 0), FIRST) == 10


# ---------------------------------------------------------------- grenades


@pytest.mark.covers("3.3.2/defensive-grenades", "8/crushing-charge", "3.3.2/charge-attack-bonus")
@pytest.mark.parametrize(("grenades", "attacks"), [(("defensive-grenades",), 1), ((), 3)])
def test_defensive_grenades_take_the_attacks_and_leave_the_strength(grenades: tuple[str, ...], attacks: int) -> None:
    one, other = profile("veteran", adds=("crushing-charge",)), profile("militia", equipment=grenades)
    one_model = model(duel(one, other, charged=1, notes={"charged-whom": (1,)}), 0)
    assert attack_count(one_model, HANDS) == attacks
    assert strength_of(one_model, HANDS) == 5


@pytest.mark.covers("3.3.2/defensive-grenades")
def test_one_model_with_grenades_in_one_of_the_units_charged_is_enough() -> None:
    bearer = profile("militia", equipment=("defensive-grenades",))
    charger = squad("veteran", 1, 0, (30, 24), charged=1, notes={"charged-whom": (1, 2)})
    mixed = squad([profile("militia"), bearer], 2, 1, [(32, 27), (34, 27)])
    position = table(charger, squad("militia", 1, 1, (30, 25)), mixed)
    assert attack_count(model(position, 0), HANDS) == 1
    unit(position, 0).jot("charged-whom", (1,))
    assert attack_count(model(position, 0), HANDS) == 2


@pytest.mark.covers("3.3.2/rear-charge-effect", "3.3.2/defensive-grenades")
def test_grenades_are_no_use_against_a_charge_from_behind() -> None:
    other = profile("militia", equipment=("defensive-grenades",))
    position = duel("veteran", other, charged=1, notes={"charged-whom": (1,)})
    unit(position, 1).jot("rear-charged-by", (0,))
    assert attack_count(model(position, 0), HANDS) == 2


# ---------------------------------------------------------------- initiative


@pytest.mark.covers("3.3.2/difficult-charge", "3.3.2/assault-grenades", "3.3.2/initiative-order")
@pytest.mark.parametrize(("rough", "grenades", "expected"), [(1, (), 1), (1, ("assault-grenades",), 4), (0, (), 4)])
def test_a_charge_over_difficult_ground_is_struck_last(rough: int, grenades: tuple[Any, ...], expected: int) -> None:
    position = duel(profile("veteran", equipment=grenades), charged=1, charged_rough=rough)
    assert initiative(model(position, 0), HANDS) == expected


@pytest.mark.covers("3.3.2/assault-grenades")
def test_assault_grenades_free_those_who_have_them() -> None:
    bearer = profile("veteran", equipment=("assault-grenades",))
    position = table(squad([bearer, profile("veteran")], 2, 0, (30, 20), charged=1, charged_rough=1))
    assert [initiative(one, HANDS) for one in position.models] == [4, 1]


@pytest.mark.covers("9.2.1/slow", "9.2/power-fist", "3.3.2/one-melee-weapon")
def test_a_slow_weapon_strikes_at_initiative_one() -> None:
    position = carrying("fist", "blade", "sidearm")
    assert initiative(model(position, 0), Arm(0, BLOWS)) == 1
    assert initiative(model(position, 0), Arm(1, BLOWS)) == 4
    assert initiative(model(position, 0), Arm(2, SHOT)) == 4


# ---------------------------------------------------------------- weapons


@pytest.mark.covers("3.3.2/one-melee-weapon", "9.1.1/pistol-in-melee", "9.1.1/pistol", "3.3.2/unarmed")
@pytest.mark.parametrize(
    ("carried", "expected"),
    [
        ((), [(BARE, BLOWS)]),
        (("rifle",), [(BARE, BLOWS)]),
        (("blade",), [(0, BLOWS)]),
        (("blade", "fist"), [(0, BLOWS), (1, BLOWS)]),
        (("blade", "blade"), [(0, BLOWS)]),
        (("blade", "sidearm"), [(0, BLOWS), (1, SHOT)]),
        (("sidearm",), [(0, BLOWS), (0, SHOT)]),
        (("great-blade", "blade"), [(0, BLOWS)]),
    ],
)
def test_among_what_a_model_chooses(carried: tuple[str, ...], expected: list[tuple[int, str]]) -> None:
    assert arms(model(carrying(*carried), 0)) == expected


@pytest.mark.covers("3.3.2/unarmed", "9.2/normal-weapon", "9.1.1/pistol")
@pytest.mark.parametrize("carried", [(), ("rifle",), ("blade",), ("sidearm",)])
def test_bare_hands_blades_and_pistols_strike_with_the_users_strength_and_no_ap(carried: tuple[str, ...]) -> None:
    position = carrying(*carried)
    arm = arms(model(position, 0))[0]
    hit = hit_of(model(position, 0), arm, unit(position, 1))
    assert (hit.strength, hit.ap, hit.rules) == (4, None, ())
    assert line_of(model(position, 0), arm).of_user


@pytest.mark.covers("9.2/power-fist", "9.2/dreadnought-weapon", "3.3.2/melee-hit-profile")
@pytest.mark.parametrize(("weapon", "rules"), [("fist", ("slow",)), ("claw", ())])
def test_the_sample_weapons_strike_with_twice_the_strength_and_ap_2(weapon: str, rules: tuple[str, ...]) -> None:
    position = carrying(weapon)
    hit = hit_of(model(position, 0), FIRST, unit(position, 1))
    assert (hit.strength, hit.ap, hit.rules, hit.cause) == (8, 2, rules, "melee")
    assert (hit.by_unit, hit.by_model, hit.grants_cover) == (0, 0, False)


# ---------------------------------------------------------------- 6.1: monstrous creatures


@pytest.mark.covers("6.1/mc-ap2")
@pytest.mark.parametrize(("ap", "expected"), [(None, 2), (5, 2), (3, 2), (2, 2), (1, 1)])
def test_monsters_strike_with_ap_2_or_better(ap: int | None, expected: int) -> None:
    beast = profile("great-beast", blade("tusk", 1, ap))
    assert hit_of(model(duel(beast), 0), FIRST, unit(duel(beast), 1)).ap == expected


@pytest.mark.covers("6.1/mc-ap2", "6.1/mc-penetration")
def test_nobody_else_has_ap_2_or_two_dice_against_armour() -> None:
    position = duel("veteran")
    hit = hit_of(model(position, 0), HANDS, unit(position, 1))
    assert (hit.ap, hit.dice) == (None, 1)


@pytest.mark.covers("6.1/mc-penetration", "6.1/mc-ap2")
def test_monsters_roll_two_dice_against_armour_in_melee_and_not_with_a_pistol() -> None:
    beast = profile("great-beast", "sidearm")
    position = duel(beast)
    assert hit_of(model(position, 0), FIRST, unit(position, 1)).dice == 2
    shot = hit_of(model(position, 0), Arm(0, SHOT), unit(position, 1))
    assert (shot.dice, shot.ap) == (1, 5)


# ---------------------------------------------------------------- 3.3.2/melee-to-hit


@pytest.mark.covers("3.3.2/melee-to-hit")
@pytest.mark.parametrize(
    ("attacker", "defender", "number"),
    [
        (4, 2, 2),
        (5, 2, 2),
        (3, 2, 3),
        (5, 3, 3),
        (4, 4, 4),
        (3, 4, 4),
        (3, 5, 4),
        (2, 4, 5),
        (2, 5, 5),
        (1, 10, 5),
        (0, 0, 4),
        (1, 0, 2),
        (0, 1, 5),
    ],
)
def test_weapon_skills_compared(attacker: int, defender: int, number: int) -> None:
    assert number_to_hit(attacker, defender) == number


@pytest.mark.covers("3.3.2/melee-to-hit", "1.3/unit-characteristic", "1.1/auto-success-failure")
def test_the_defenders_skill_is_that_of_its_unit() -> None:
    mixed = squad([profile("captain"), profile("militia"), profile("militia")], 3, 1, (30, 25))
    position = table(squad("veteran", 1, 0, (30, 24)), mixed)
    need = need_to_hit(model(position, 0), HANDS, unit(position, 1))
    assert (need.number, need.always, need.never) == (3, (6,), (1,))


@pytest.mark.covers("7.7/vehicle-weapon-skill", "7.7/attacking-vehicles")
@pytest.mark.parametrize(("inches", "skill", "number"), [(0, 0, 2), (3, 3, 3), (4, 4, 4), (8, 8, 5), (12, 10, 5)])
def test_a_vehicle_is_as_skilled_as_it_moved(inches: int, skill: int, number: int) -> None:
    position = duel("veteran", "tank")
    model(position, 1).mark("inches", inches)
    assert skill_of_target(model(position, 0), unit(position, 1)) == skill
    assert need_to_hit(model(position, 0), HANDS, unit(position, 1)).number == number


@pytest.mark.covers("7.7/vehicle-weapon-skill", "7.16/walker-profile")
def test_a_walker_uses_its_own_skill() -> None:
    position = duel("veteran", "walker")
    model(position, 1).mark("inches", 1)
    assert skill_of_target(model(position, 0), unit(position, 1)) == 4


@pytest.mark.covers("7.7/vehicle-weapon-skill", "7.17/squadron-hits")
def test_of_a_squadron_the_skill_of_the_vehicle_that_is_touched_counts() -> None:
    tanks = squad("tank", 2, 1, [(30, 27), (36, 27)])
    position = table(squad("veteran", 2, 0, [(30, 24), (36, 24)]), tanks)
    model(position, 3).mark("inches", 8)
    assert [skill_of_target(model(position, row), unit(position, 1)) for row in (0, 1)] == [0, 8]


# ---------------------------------------------------------------- 9.1.1/pistol-in-melee


@pytest.mark.covers("9.1.1/pistol-in-melee")
def test_a_pistol_shot_is_one_attack_by_ballistic_skill() -> None:
    position = duel(profile("veteran", "blade", "sidearm", bs=3, adds=("crushing-charge",)), charged=1)
    shot = Arm(1, SHOT)
    assert attack_count(model(position, 0), shot) == 1
    assert need_to_hit(model(position, 0), shot, unit(position, 1)).number == 4
    hit = hit_of(model(position, 0), shot, unit(position, 1))
    assert (hit.strength, hit.ap, hit.grants_cover) == (4, 5, False)


@pytest.mark.covers("9.1.1/pistol-in-melee", "3.2.2/high-bs", "9.1.1/twin-linked", "1.1/re-roll-once")
@pytest.mark.parametrize(
    ("bs", "signs", "dice", "hits"),
    [(5, (), "1", 0), (6, (), "1 | 5", 0), (6, (), "1 | 6", 1), (7, (), "1 | 5", 1), (6, ("twin-linked",), "1 | 2", 1)],
)
def test_skill_of_6_or_a_twin_linked_pistol_rolls_a_miss_again(
    bs: int, signs: tuple[str, ...], dice: str, hits: int
) -> None:
    position = duel(profile("veteran", gun("pistol", 12, 4, 5, "pistol", *signs), bs=bs))
    assert len(play(roll_to_hit(position, [Blow(0, Arm(0, SHOT), 1, 1)]), dice, [], position).value) == hits


@pytest.mark.covers("9.1.1/pistol-in-melee", "9.1.1/precision", "9.1.1/thermal")
@pytest.mark.parametrize(
    ("signs", "expected"),
    [((), (6, ())), (("precision",), (6, ("rending",))), (("thermal",), (8, ())), (("laser",), (6, ()))],
)
def test_the_rules_of_a_pistol_go_for_its_shot_in_melee(signs: tuple[str, ...], expected: Any) -> None:
    position = duel(profile("veteran", gun("pistol", 12, 6, 5, "pistol", *signs)))
    hit = hit_of(model(position, 0), Arm(0, SHOT), unit(position, 1))
    assert (hit.strength, hit.rules) == expected


# ---------------------------------------------------------------- 8/favoured-enemy, 1.1/dice-stream


@pytest.mark.covers("8/favoured-enemy", "1.1/re-roll-once", "1.1/dice-stream")
@pytest.mark.parametrize(("keyword", "dice", "hits"), [("orks", "3 2 1 | 3 1", 2), ("elves", "3 2 1", 1)])
def test_misses_against_a_favoured_enemy_are_rolled_again(keyword: str, dice: str, hits: int) -> None:
    hater = profile("veteran", adds=("favoured-enemy orks",), a=3)
    position = duel(hater, profile("militia", keywords=(keyword,)))
    played = play(roll_to_hit(position, [Blow(0, HANDS, 1, 3)]), dice, [], position)
    assert len(played.value) == hits


@pytest.mark.covers("1.1/dice-stream", "3.3.2/melee-to-hit")
def test_to_hit_dice_are_rolled_unit_by_unit_and_like_needs_together() -> None:
    hater = profile("veteran", adds=("favoured-enemy orks",))
    own = squad([hater, hater, profile("captain")], 3, 0, [(29, 24), (30, 24), (31, 24)])
    position = table(own, squad(profile("militia", keywords=("orks",)), 1, 1, (30, 25)))
    blows = [Blow(row, HANDS, 1, 1) for row in (0, 1, 2)]
    played = play(roll_to_hit(position, blows), "1 1 | 2 | 4 1", [], position)
    assert played.rolls == ["to-hit", "to-hit", "to-hit-again"]
    assert [hit.by_model for _, hit in played.value] == [0]


@pytest.mark.covers("3.3.2/melee-to-hit", "1.1/auto-success-failure")
@pytest.mark.parametrize(("die", "hits"), [("2", 0), ("3", 1)])
def test_a_blow_hits_on_its_number(die: str, hits: int) -> None:
    position = duel("veteran")
    assert len(play(roll_to_hit(position, [Blow(0, HANDS, 1, 1)]), die, [], position).value) == hits


# ---------------------------------------------------------------- the side struck


@pytest.mark.covers("7.7/melee-hits-rear")
@pytest.mark.parametrize("at", [(30, 23), (27.5, 26.5), (30, 29)])
def test_a_vehicle_is_struck_on_its_rear_from_all_sides(at: tuple[float, float]) -> None:
    position = table(squad("veteran", 1, 0, at), squad("tank", 1, 1, (30, 26), facing=180.0))
    assert struck_face(model(position, 0), unit(position, 1)) == "rear"
    assert hit_of(model(position, 0), HANDS, unit(position, 1)).face == "rear"


@pytest.mark.covers("7.16/walker-hit-side")
@pytest.mark.parametrize(
    ("at", "face"),
    [((30, 24.25), "front"), ((30, 27.75), "rear"), ((31.75, 26), "left"), ((28.25, 26), "right"), ((30, 22), "front")],
)
def test_a_walker_is_struck_where_it_is_touched(at: tuple[float, float], face: str) -> None:
    position = table(squad("veteran", 1, 0, at), squad("walker", 1, 1, (30, 26), facing=180.0))
    assert struck_face(model(position, 0), unit(position, 1)) == face


@pytest.mark.covers("7.7/melee-hits-rear", "7.16/walker-hit-side")
def test_others_have_no_sides() -> None:
    position = duel("veteran")
    assert struck_face(model(position, 0), unit(position, 1)) == ""


@pytest.mark.covers("7.17/squadron-hits")
def test_of_a_squadron_the_vehicle_that_is_touched_is_struck() -> None:
    """Who touches none strikes the unit: those hits are given out."""
    walkers = squad("walker", 2, 1, [(30, 26), (36, 26)], facing=180.0)
    position = table(squad("veteran", 3, 0, [(30, 24.25), (36, 24.25), (33, 23)]), walkers)
    assert [hit_of(model(position, row), HANDS, unit(position, 1)).target for row in range(3)] == [3, 4, -1]


@pytest.mark.covers("7.17/squadron-hits")
def test_of_several_vehicles_that_it_touches_a_model_strikes_the_worst_armoured() -> None:
    thin = profile("tank", rear=9)
    position = table(squad("veteran", 1, 0, (33, 24)), squad([profile("tank"), thin], 2, 1, [(31, 26), (35, 26)]))
    assert hit_of(model(position, 0), HANDS, unit(position, 1)).target == 2


@pytest.mark.covers("7.6/weapon-destroyed", "3.3.2/two-weapons")
def test_a_walker_strikes_no_more_with_a_weapon_that_was_destroyed() -> None:
    position = duel(profile("walker", "claw", "blade"))
    walker = model(position, 0)
    assert [one.mount for one in arms(walker)] == [0, 1]
    assert (attack_count(walker, FIRST), strength_of(walker, FIRST)) == (3, 10)
    walker.jot("destroyed", (0,))
    assert [one.mount for one in arms(walker)] == [1]
    assert (attack_count(walker, Arm(1, BLOWS)), strength_of(walker, FIRST)) == (2, 6)
