"""The dice: numbers to reach, natural faces, roll-offs, the order of the dice, exploration points."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Part
from campale.referee.position import Effect, Position
from campale.rulesets.ragnarok.basics.dice import (
    amount,
    contest,
    d3,
    d6,
    decide_by_die,
    needed_on_one,
    needed_on_two,
    no_doubt,
    one_die,
    pool,
    roll_off,
    two_d6,
)
from campale.rulesets.ragnarok.close_combat.charge import begin_charge, charge
from campale.rulesets.ragnarok.close_combat.melee import fight_round
from campale.rulesets.ragnarok.morale.psychology import discipline_test
from campale.rulesets.ragnarok.moving.movement import move, movement_left
from campale.rulesets.ragnarok.shooting.fire import REACTION, SUPPRESSIVE, Shot, shoot
from campale.rulesets.ragnarok.shooting.thrown import throw
from campale.rulesets.ragnarok.turn.abilities import use_ability
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import countercharge
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import a, first_question, piece, play, table


def duel(**now: Any) -> Position:
    return table(a("raider", at=(60, 50)), a("raider", 1, at=(60, 90)), **now)


def rich(points: int, side: int = 0) -> Position:
    """A position in which a side has exploration points."""
    position = duel()
    position.gain(side, "exploration", points)
    return position


# ---------------------------------------------------------------- rolloffs/*


@pytest.mark.covers("rolloffs/basic", "dice/order")
@pytest.mark.parametrize(("first", "margin"), [(0, 3), (1, 1)])
def test_in_a_roll_off_each_side_adds_its_own_and_the_first_rolls_first(first: int, margin: int) -> None:
    played = play(contest(duel(), "initiative", first, (2, 1)), dice="5 3")
    assert played.value == margin
    assert [question.side for question in played.questions] == [first, 1 - first]


@pytest.mark.covers("rolloffs/basic")
@pytest.mark.parametrize(("dice", "winner"), [("5 4", 0), ("4 5", 1)])
def test_the_higher_total_wins_a_roll_off(dice: str, winner: int) -> None:
    assert play(roll_off(duel(), "initiative", 0), dice=dice).value == winner
    assert play(roll_off(duel(), "initiative", 1), dice=dice).value == 1 - winner


@pytest.mark.covers("rolloffs/basic")
def test_a_bonus_turns_a_roll_off() -> None:
    assert play(roll_off(duel(), "exploration", 0, (0, 2)), dice="5 4").value == 1


@pytest.mark.covers("rolloffs/repeat")
def test_a_tied_roll_off_is_rolled_again_as_often_as_needed() -> None:
    played = play(roll_off(duel(), "initiative", 0), dice="3 3 | 6 6 | 1 1 | 1 2")
    assert played.value == 1
    assert len(played.rolls) == 8


# ---------------------------------------------------------------- tests/*


@pytest.mark.covers("tests/target-number")
@pytest.mark.parametrize(("face", "passed"), [(3, False), (4, True)])
def test_a_roll_succeeds_at_the_number_or_more(face: int, passed: bool) -> None:
    assert play(one_die(duel(), 0, "reserve", needed_on_one(4)), dice=str(face)).value == (face, passed)


@pytest.mark.covers("tests/target-number")
def test_modifiers_change_the_roll_and_not_the_number_and_know_no_cap() -> None:
    need = needed_on_one(2, [Part("fire/mod-obscured", -1)] * 3)
    assert (need.number, need.modifier) == (2, -3)
    assert [need.is_met_by(face) for face in (4, 5)] == [False, True]
    two = needed_on_two(7, [Part("special/expert", 1)] * 2)
    assert (two.number, two.modifier) == (7, 2)
    assert [two.is_met_by(total) for total in (4, 5)] == [False, True]


@pytest.mark.covers("tests/target-number")
def test_a_modifier_of_nothing_is_not_shown() -> None:
    assert needed_on_one(4, [Part("aim/bonus", 0)]).parts == ()
    assert needed_on_two(4, [Part("morale/markers", 0)]).parts == ()


@pytest.mark.covers("tests/auto-one-six")
def test_a_natural_one_fails_and_a_natural_six_succeeds_whatever_the_modifiers() -> None:
    easy, hard = needed_on_one(2, [Part("aim/bonus", 3)]), needed_on_one(4, [Part("fatigue/effects", -6)])
    assert [easy.is_met_by(face) for face in (1, 2)] == [False, True]
    assert [hard.is_met_by(face) for face in (5, 6)] == [False, True]


@pytest.mark.covers("tests/auto-two-twelve")
def test_a_natural_two_fails_and_a_natural_twelve_succeeds_whatever_the_modifiers() -> None:
    easy, hard = needed_on_two(2, [Part("special/expert", 5)]), needed_on_two(8, [Part("morale/markers", -9)])
    assert [easy.is_met_by(total) for total in (2, 3)] == [False, True]
    assert [hard.is_met_by(total) for total in (11, 12)] == [False, True]


@pytest.mark.covers("tests/reroll-once", "dice/order")
@pytest.mark.parametrize(("again", "passed"), [("1 2", False), ("4 4", True)])
def test_a_test_is_repeated_once_both_dice_at_once_and_the_second_result_stands(again: str, passed: bool) -> None:
    leader = table(a("barrow_jarl", commander=1)).model(0)
    played = play(discipline_test(leader, "command-test", 6), dice=f"2 3 | {again}", answers=["yes"])
    assert played.value is passed
    assert played.prompts == ["repeat-test"]
    assert [question.extent()["count"] for question in played.questions if question.is_chance] == [2, 2]


# ---------------------------------------------------------------- dice/notation, dice/d3


@pytest.mark.covers("dice/notation")
def test_a_pool_is_read_die_by_die_and_a_total_is_added() -> None:
    dice = play(pool(duel(), 0, "to-hit", 3, needed_on_one(4)), dice="3 4 6").value
    assert [die.passed for die in dice] == [False, True, True]
    assert play(two_d6(duel(), 0, "consolidation"), dice="3 4").value == 7
    raider = duel().model(0)
    assert play(discipline_test(raider, "pinning-test", 8), dice="4 4").value is True
    assert play(discipline_test(raider, "pinning-test", 8), dice="4 3").value is False


@pytest.mark.covers("dice/d3")
@pytest.mark.parametrize(("face", "value"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_d3_is_a_d6_read_in_pairs(face: int, value: int) -> None:
    assert play(d3(duel(), 0, "objectives"), dice=str(face)).value == value


# ---------------------------------------------------------------- dice/order


@pytest.mark.covers("dice/order")
def test_a_move_rolls_for_rough_ground_and_then_for_each_fatigue_marker() -> None:
    position = table(a("raider", at=(60, 50), fatigue=2), pieces=[piece("bog", 60, 58)])
    played = play(movement_left(position.model(0), Path(((60.0, 50.0), (60.0, 60.0))), 13.0), dice="1 2 3")
    assert played.rolls == ["rough-ground", "fatigue", "fatigue"]
    assert played.value == 7.0


@pytest.mark.covers("dice/order")
def test_a_charge_by_night_spots_then_is_slowed_then_rolls_its_distance_and_may_roll_it_again() -> None:
    position = table(
        a("raider", at=(60, 40), fatigue=1), a("raider", 1, at=(60, 60)), pieces=[piece("bog", 60, 50)], night=1
    )
    charger, target = position.model(0), position.model(1)
    position.begin(Effect("abilities/furious-charge", 0, 0, "turn"))
    begin_charge(charger)
    way = Path(((60.0, 40.0), (60.0, 57.5)))
    played = play(charge(charger, target, way, False), dice="1 1 | 1 | 1 | 1 1 | 6 6", answers=["yes"])
    assert played.rolls == ["spotting", "rough-ground", "fatigue", "charge-distance", "charge-distance"]
    assert charger.at == (60.0, 57.5)


@pytest.mark.covers("dice/order")
def test_a_countercharge_by_night_spots_first_too() -> None:
    position = table(a("raider", at=(60, 40)), a("raider", 1, at=(60, 60), fatigue=1), night=1)
    reaction = Declaration(position.model(1), "countercharge", [position.model(0)])
    played = play(countercharge(reaction), dice="1 1 | 1 | 6 6", answers=[[[[60, 42.5]], 180.0]])
    assert played.rolls == ["spotting", "fatigue", "charge-distance"]


@pytest.mark.covers("dice/order")
def test_a_flight_tests_at_the_take_off_before_the_dice_of_fatigue_and_at_the_landing_after_them() -> None:
    position = table(
        a("iron_raven", at=(60, 40), fatigue=1), pieces=[piece("bog", 60, 40), piece("bog", 60, 60, name="far")]
    )
    way = Path(((60.0, 40.0), (60.0, 60.0)), 0.0)
    played = play(move(position.model(0), way, flies=True), dice="6 6 | 1 | 6 6")
    assert played.rolls == ["take-off", "fatigue", "landing"]


@pytest.mark.covers("dice/order")
def test_a_shot_by_night_rolls_spotting_screen_hits_and_then_the_saves_hit_by_hit_even_of_the_fallen() -> None:
    position = table(
        a("steam_rifleman", at=(60, 30)), a("raider", 1, at=(60, 50)), a("raider", 1, at=(60, 40)), night=1
    )
    played = play(shoot(position, Shot(0, 1, 0)), dice="1 1 | 4 | 5 5 | 1 2 | 1 2")
    saves = ["shield-save", "armour-save"]
    assert played.rolls == ["spotting", "screen", "to-hit", *saves, *saves]
    assert not position.model(1).is_on_table


@pytest.mark.covers("dice/order")
def test_an_undead_rolls_its_armour_again_before_the_next_hit_is_saved() -> None:
    position = table(a("frost_hunter", at=(60, 30)), a("draugr", 1, at=(60, 50)))
    played = play(shoot(position, Shot(0, 1, 0)), dice="4 4 | 4 4 | 3")
    assert played.rolls == ["to-hit", "armour-save", "armour-save", "armour-save"]
    assert [question.about.get("again") for question in played.questions] == [None, None, True, None]


@pytest.mark.covers("dice/order")
@pytest.mark.parametrize(("side", "order"), [(0, [1, 4, 3, 2]), (1, [1, 4, 2, 3])])
def test_a_blast_is_saved_by_its_target_then_the_nearest_then_the_active_player(side: int, order: list[int]) -> None:
    position = table(
        a("steam_rifleman", at=(60, 30), adds=["spring_mortar"]),
        a("draugr", 1, at=(60, 60)),
        a("draugr", 1, at=(64, 60)),
        a("draugr", 0, at=(56, 60)),
        a("draugr", 1, at=(60, 63.5)),
        side=side,
    )
    played = play(shoot(position, Shot(0, 1, 2)), dice="4 | 5 5 5 5")
    assert played.rolls == ["to-hit", *["armour-save"] * 4]
    assert [question.about["model"] for question in played.questions[1:]] == order


@pytest.mark.covers("dice/order")
def test_equal_distances_of_one_side_are_saved_in_the_order_of_the_set_up() -> None:
    others = [a("draugr", 1, at=at) for at in ((64, 60), (56, 60), (60, 64))]
    shooter = a("steam_rifleman", at=(60, 30), adds=["spring_mortar"])
    position = table(shooter, a("draugr", 1, at=(60, 60)), *others)
    played = play(shoot(position, Shot(0, 1, 2)), dice="4 | 5 5 5 5")
    assert [question.about["model"] for question in played.questions[1:]] == [1, 2, 3, 4]


@pytest.mark.covers("dice/order", "dice/d3")
def test_suppressive_fire_rolls_a_d3_for_each_hit_after_the_to_hit_dice() -> None:
    position = table(a("steam_rifleman", at=(60, 30)), a("raider", 1, at=(60, 50)))
    played = play(shoot(position, Shot(0, 1, 0, SUPPRESSIVE)), dice="4 4 | 2 5")
    assert played.rolls == ["to-hit", "suppression", "suppression"]
    assert position.model(1).marks("morale") == 1 + 3


@pytest.mark.covers("dice/order")
def test_a_throw_by_night_hits_then_spots_then_rolls_its_distance_then_come_the_saves() -> None:
    position = table(a("raider", at=(60, 30)), a("raider", 1, at=(60, 50)), night=1)
    played = play(throw(position, Shot(0, -1, 1)), dice="5 | 1 1 | 1 1 | 6")
    assert played.rolls == ["to-hit", "spotting", "throw-distance", "armour-save"]


@pytest.mark.covers("dice/order")
def test_an_ability_by_night_spots_tests_duels_passes_the_screen_and_rolls_its_own_dice_before_the_saves() -> None:
    position = table(
        a("rune_seer", at=(60, 30)),
        a("raider", 1, at=(60, 50)),
        a("raider", 1, at=(60, 40)),
        a("mesmerist", 1, at=(80, 40)),
        night=1,
    )
    duellists = ((position.model(3), "mental-duel"),)
    act = Declaration(position.model(0), "ability", ["spear_of_odin", 1], reactors=duellists)
    played = play(use_ability(act), dice="1 1 | 3 3 | 6 1 | 4 | 1 | 5")
    assert played.rolls == [
        "spotting",
        "ability-test",
        "mental-duel",
        "mental-duel",
        "screen",
        "spear",
        "shield-save",
    ]
    assert [question.side for question in played.questions[2:4]] == [0, 1]


@pytest.mark.covers("dice/order")
@pytest.mark.parametrize("jarl_first", [True, False])
def test_in_melee_each_fighter_rolls_its_d3_its_hits_its_rerolls_and_the_saves_of_its_target(jarl_first: bool) -> None:
    position = table(a("barrow_jarl", at=(60, 60), charged=1), a("draugr", 1, at=(60, 62.75)))
    of_jarl, of_draugr = "1 | 1 1 3 3 | 3 1 | 4 1 | 1 | 1", "1 1"
    dice = f"{of_jarl} | {of_draugr}" if jarl_first else f"{of_draugr} | {of_jarl}"
    played = play(fight_round(position, (0, 1)), dice=dice, answers=[[0, 1] if jarl_first else [1, 0]])
    jarl = ["charge-bonus", "melee-to-hit", "melee-to-hit", "melee-to-hit", *["armour-save"] * 4]
    assert played.rolls == ([*jarl, "melee-to-hit"] if jarl_first else ["melee-to-hit", *jarl])


@pytest.mark.covers("dice/order")
def test_the_d3_of_a_charger_is_rolled_in_the_first_round_only() -> None:
    position = table(a("raider", at=(60, 60), charged=1), a("raider", 1, at=(60, 62.5)))
    first = play(fight_round(position, (0, 1)), dice="1 | 1 1 1 | 1 1", answers=[[0, 1]])
    second = play(fight_round(position, (0, 1)), dice="1 1 1 | 1 1", answers=[[0, 1]])
    assert (first.rolls.count("charge-bonus"), second.rolls.count("charge-bonus")) == (1, 0)


# ---------------------------------------------------------------- undecided/die


@pytest.mark.covers("undecided/die")
@pytest.mark.parametrize(("face", "reading"), [(1, 1), (3, 1), (4, 2), (6, 2)])
def test_a_die_settles_a_doubt_at_the_table_and_only_writes_a_line(face: int, reading: int) -> None:
    position = duel()
    before = position.to_bytes()
    played = play(decide_by_die(position, 1), dice=str(face), position=position)
    assert [event.kind for event in played.events] == ["dispute"]
    assert played.events[0].values == {"side": 1, "reading": reading}
    assert position.to_bytes() == before


@pytest.mark.covers("undecided/die")
def test_a_die_decides_in_the_tactical_phase_only_and_is_no_act() -> None:
    position = duel()
    assert no_doubt(position, 0) is None
    assert no_doubt(position, 1) is None
    assert first_question(tactical_phase(position)).refusal(["dispute"]) is not None
    position.now["phase"] = "upkeep"
    assert no_doubt(position, 0) is not None


# ---------------------------------------------------------------- exploration/points


@pytest.mark.covers("exploration/points")
def test_in_a_pool_a_point_changes_one_die_and_is_gone() -> None:
    position = rich(2)
    played = play(pool(position, 0, "to-hit", 3, needed_on_one(4)), dice="3 3 5", answers=[[0, 1], "no"])
    assert [die.passed for die in played.value] == [True, False, True]
    assert [die.face for die in played.value] == [3, 3, 5]
    assert position.holds(0, "exploration") == 1


@pytest.mark.covers("exploration/points")
def test_several_points_may_go_on_one_die_and_nothing_is_asked_without_any() -> None:
    position = rich(2)
    assert play(one_die(position, 0, "reserve", needed_on_one(4)), dice="2", answers=[[0, 2]]).value.passed
    assert position.holds(0, "exploration") == 0
    assert play(one_die(position, 0, "reserve", needed_on_one(4)), dice="3").prompts == []


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("points", "prompts"), [(1, []), (2, ["exploration-points"])])
def test_points_are_offered_only_where_they_turn_a_die(points: int, prompts: list[str]) -> None:
    answers = ["no"] * len(prompts)
    assert play(one_die(rich(points), 0, "reserve", needed_on_one(5)), dice="3", answers=answers).prompts == prompts


@pytest.mark.covers("exploration/points")
def test_a_roll_of_the_opponent_may_be_made_worse() -> None:
    position = rich(1, side=0)
    played = play(one_die(position, 1, "armour-save", needed_on_one(4)), dice="4", answers=[[0, -1]])
    assert not played.value.passed
    assert [question.side for question in played.questions] == [1, 0]


@pytest.mark.covers("exploration/points", "tests/auto-one-six")
@pytest.mark.parametrize("face", [1, 6])
def test_a_natural_one_and_a_natural_six_cannot_be_bent(face: int) -> None:
    assert play(one_die(rich(5), 0, "reserve", needed_on_one(4)), dice=str(face)).prompts == []


@pytest.mark.covers("exploration/points", "tests/auto-two-twelve")
@pytest.mark.parametrize(("dice", "passed"), [("1 1", False), ("6 6", True)])
def test_a_natural_two_and_a_natural_twelve_cannot_be_bent(dice: str, passed: bool) -> None:
    played = play(discipline_test(rich(10).model(0), "pinning-test", 8), dice=dice)
    assert (played.value, played.prompts) == (passed, [])


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("dice", "change", "passed"), [("3 4", 1, True), ("4 4", -1, False)])
def test_a_total_is_bent_as_a_whole(dice: str, change: int, passed: bool) -> None:
    position = rich(1)
    played = play(discipline_test(position.model(1), "pinning-test", 8), dice=dice, answers=[[0, change]])
    assert played.value is passed
    assert position.holds(0, "exploration") == 0


@pytest.mark.covers("exploration/points")
def test_a_total_too_far_off_is_not_offered() -> None:
    assert play(discipline_test(rich(1).model(0), "pinning-test", 8), dice="3 3").prompts == []


@pytest.mark.covers("exploration/points", "tests/reroll-once")
def test_points_come_after_the_reroll_of_a_test() -> None:
    position = table(a("barrow_jarl", commander=1))
    position.gain(0, "exploration", 1)
    test = discipline_test(position.model(0), "command-test", 6)
    played = play(test, dice="2 3 | 1 4", answers=["yes", [0, 1]])
    assert played.prompts == ["repeat-test", "exploration-points"]
    assert played.value is True


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("natural", "least"), [(2, -2), (6, -5)])
def test_an_amount_is_bent_either_way_and_never_falls_below_nothing(natural: int, least: int) -> None:
    position = rich(5)
    question = first_question(amount(position, natural))
    assert question.options() == ["no", *((0, change) for change in range(least, 6) if change)]
    assert play(amount(position, natural), answers=[[0, least]]).value == natural + least
    assert position.holds(0, "exploration") == 5 + least


@pytest.mark.covers("exploration/points")
def test_every_amount_can_be_bent() -> None:
    assert play(d3(rich(1), 0, "suppression"), dice="6", answers=[[0, 1]]).value == 4
    assert play(d6(rich(1), 1, "rough-ground"), dice="6", answers=[[0, -1]]).value == 5
    assert play(two_d6(rich(1), 0, "consolidation"), dice="6 6", answers=[[0, 1]]).value == 13
    assert play(d6(rich(1), 0, "rough-ground"), dice="6", answers=["no"]).value == 6
    assert play(d6(duel(), 0, "rough-ground"), dice="6").value == 6


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("side", "margin"), [(0, 1), (1, -3)])
def test_a_roll_off_is_bent_in_favour_of_whoever_has_the_points(side: int, margin: int) -> None:
    position = rich(2, side)
    played = play(contest(position, "initiative", 0), dice="3 4", answers=[[0, 2]])
    assert played.value == margin
    assert position.holds(side, "exploration") == 0
    assert play(contest(position, "initiative", 0), dice="3 4").value == -1


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("first", "side", "own", "against"), [(0, 0, 5, 4), (0, 1, 4, 5), (1, 0, 6, 3), (1, 1, 3, 6)])
def test_whoever_has_the_points_is_asked_about_its_own_die_of_a_roll_off(
    first: int, side: int, own: int, against: int
) -> None:
    played = play(contest(rich(2, side), "initiative", first, (2, 0)), dice="3 4", answers=["no"])
    asked = played.questions[-1]
    assert (asked.side, asked.about) == (side, {"own": own, "against": against})


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("change", "kind", "left"), [(2, "raised", 1), (-1, "lowered", 2)])
def test_what_is_spent_is_told_as_it_changes_the_roll(change: int, kind: str, left: int) -> None:
    position = rich(3)
    play(amount(position, 4), answers=[[0, change]])
    assert position.journal is not None
    told = [event.values for event in position.journal.events if event.kind == kind]
    assert told == [{"side": 0, "points": abs(change), "left": left}]


@pytest.mark.covers("exploration/points")
def test_a_total_bent_before_is_asked_about_as_it_is_now() -> None:
    position = rich(2)
    played = play(discipline_test(position.model(1), "pinning-test", 8), dice="4 4", answers=[[0, -1], [0, 1]])
    assert played.value is True
    assert [asked.about["total"] for asked in played.questions[1:]] == [8, 7]


@pytest.mark.covers("exploration/points", "lethal/condition")
def test_a_die_bent_to_a_hit_keeps_its_natural_face() -> None:
    position = table(a("steam_rifleman", at=(60, 30)), a("piston_cuirassier", 1, at=(60, 50)))
    position.gain(0, "exploration", 1)
    shot = shoot(position, Shot(0, 1, 0, REACTION))
    play(shot, dice="4 1 | 1", answers=[[0, 1]])
    assert position.model(1).is_on_table
    assert position.model(1).marks("wounds") == 1
