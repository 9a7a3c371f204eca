"""Wounds, out of action, lethal hits, what fatigue does; First Aid and Recover; the Undead."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Need
from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.physical import heal, height, is_able, is_lethal, is_out_of_action, suffer
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.rulesets.ragnarok.close_combat.melee import Attack, consolidate, fight_round, to_hit
from campale.rulesets.ragnarok.morale.falling_back import fall_back
from campale.rulesets.ragnarok.morale.psychology import command_test, discipline_test, must_test_suppression
from campale.rulesets.ragnarok.moving.movement import move, movement_left
from campale.rulesets.ragnarok.shooting.fire import Shot, shoot
from campale.rulesets.ragnarok.shooting.saves import protection
from campale.rulesets.ragnarok.turn.actions import ACTIONS, carry_out_charge, give_aid, no_charge, patients, recover
from campale.rulesets.ragnarok.turn.control_area import has_area
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import countermove, eligible
from campale.rulesets.ragnarok.turn.sequence import tidy
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import Played, a, activate, face_off, marks, play, refused, state, table, way


def saves(position: Position, dice: str, **how: Any) -> Played:
    """The saves of row 1 against one hit."""
    return play(protection(position.model(1), how.pop("face", 4), **how), dice, [], position)


def wounded(position: Position, *wounds: str) -> None:
    suffer(position.model(1), wounds, 0, "shot")


# ---------------------------------------------------------------- wounds/*


@pytest.mark.covers("wounds/out-of-action", "profile/base-and-height")
def test_a_model_is_out_of_action_when_its_wounds_equal_fs_and_is_laid_down_at_once() -> None:
    position = face_off(20, "steam_rifleman", "draugr")
    wounded(position, "wound")
    assert state(position.model(1)) == "up"
    assert height(position.model(1)) == 3.5
    assert position.journal is not None
    assert "out-of-action" not in [event.kind for event in position.journal.events]
    wounded(position, "wound")
    assert is_out_of_action(position.model(1))
    assert height(position.model(1)) == 1.0
    assert marks(position.model(1), "wounds", "prone") == (2, 0)
    assert [event.kind for event in position.journal.events].count("out-of-action") == 1


@pytest.mark.covers("wounds/one-at-a-time", "out-of-action/further-wound")
def test_with_fs_one_two_wounds_of_one_volley_put_out_of_action_and_then_remove() -> None:
    one, two = face_off(20), face_off(20)
    wounded(one, "wound")
    wounded(two, "wound", "wound")
    assert (state(one.model(1)), state(two.model(1))) == ("down", "removed")
    assert [(loss.model, loss.cause, loss.by) for loss in two.losses] == [(1, "shot", 0)]
    assert one.losses == []


@pytest.mark.covers("wounds/one-at-a-time")
def test_what_comes_after_the_model_is_gone_is_wasted() -> None:
    position = face_off(20)
    wounded(position, "wound", "wound", "wound", "lethal")
    assert len(position.losses) == 1


@pytest.mark.covers("lethal/condition", "out-of-action/further-wound")
@pytest.mark.parametrize(
    ("wounds", "rule"), [(("lethal",), "lethal/condition"), (("wound", "wound"), "out-of-action/further-wound")]
)
def test_the_journal_cites_the_rule_by_which_a_model_is_removed(wounds: tuple[str, ...], rule: str) -> None:
    position = face_off(20)
    wounded(position, *wounds)
    assert position.journal is not None
    assert [event.rules[-1] for event in position.journal.events if event.kind == "remove"] == [rule]


# ---------------------------------------------------------------- out-of-action/*


@pytest.mark.covers("out-of-action/state", "tactical/who-can-act")
def test_a_model_out_of_action_has_no_action_no_reaction_no_area_and_no_test() -> None:
    position = face_off(4, other={"wounds": 1, "wounded": 1, "facing": 180})
    fallen = position.model(1)
    refusal = ACTIONS["recover"].refusal(fallen)
    assert refusal is not None
    assert eligible(position.model(0), Path((position.model(0).at,))) == []
    assert not has_area(fallen)
    assert not must_test_suppression(fallen)
    able = face_off(4, other={"wounded": 1, "facing": 180})
    assert ACTIONS["recover"].refusal(able.model(1)) is None
    assert eligible(able.model(0), Path((able.model(0).at,))) == [(able.model(1), True)]
    assert has_area(able.model(1))
    assert must_test_suppression(able.model(1))


@pytest.mark.covers("out-of-action/state")
def test_a_model_out_of_action_strikes_no_blow_and_engages_nobody() -> None:
    position = face_off(0, other={"wounds": 1})
    assert not is_engaged(position.model(0))
    assert play(fight_round(position, (0, 1))).value == (0, 0)


@pytest.mark.covers("out-of-action/state", "charge/declaration")
def test_a_model_out_of_action_still_makes_saves_and_may_be_shot_but_not_charged() -> None:
    position = face_off(10, other={"wounds": 1, "alert": 0})
    assert no_charge(position.model(0), 1) is not None
    assert no_charge(face_off(10).model(0), 1) is None
    played = play(shoot(position, Shot(0, 1, 0)), "1 4 | 5", [], position)
    assert played.rolls == ["to-hit", "shield-save"]
    assert state(position.model(1)) == "down"


@pytest.mark.covers("out-of-action/state")
def test_a_model_that_falls_keeps_its_markers() -> None:
    position = face_off(20, other={"morale": 2, "fatigue": 1, "suppressed": 1})
    wounded(position, "wound")
    assert marks(position.model(1), "morale", "fatigue", "suppressed") == (2, 1, 1)


@pytest.mark.covers("out-of-action/further-wound")
def test_one_more_unsaved_wound_takes_a_fallen_model_off_the_table() -> None:
    position = face_off(20, other={"wounds": 1})
    wounded(position, "wound")
    assert state(position.model(1)) == "removed"
    assert marks(position.model(1), "wounds") == (1,)


@pytest.mark.covers("out-of-action/recovery")
def test_whoever_is_healed_stands_up_at_once_with_its_charisma_and_may_act() -> None:
    position = table(a("draugr", 0, wounds=2, prone=4, charisma=1))
    fallen = position.model(0)
    assert not is_able(fallen)
    heal(fallen)
    assert is_able(fallen)
    assert marks(fallen, "wounds", "prone", "charisma") == (1, 0, 1)
    assert ACTIONS["move"].refusal(fallen) is None
    assert position.journal is not None
    assert "back-in-the-fight" in [event.kind for event in position.journal.events]


@pytest.mark.covers("out-of-action/recovery")
def test_healing_a_model_that_was_not_down_changes_nothing_else() -> None:
    position = table(a("draugr", 0, wounds=1, prone=4))
    heal(position.model(0))
    assert marks(position.model(0), "wounds", "prone") == (0, 4)
    assert position.journal is not None
    assert [event.kind for event in position.journal.events] == ["mark"]


@pytest.mark.covers("out-of-action/recovery", "wounds/out-of-action")
def test_hidden_and_alert_are_lost_by_falling_and_not_by_a_wound() -> None:
    position = face_off(20, "steam_rifleman", "draugr", other={"hidden": 1, "alert": 1})
    wounded(position, "wound")
    assert marks(position.model(1), "hidden", "alert") == (1, 1)
    wounded(position, "wound")
    assert marks(position.model(1), "hidden", "alert") == (0, 0)


# ---------------------------------------------------------------- lethal/*


@pytest.mark.covers("lethal/condition")
def test_only_a_six_answered_by_a_one_is_lethal() -> None:
    assert [(hit, armour) for hit in range(7) for armour in range(1, 7) if is_lethal(hit, armour)] == [(6, 1)]


@pytest.mark.covers("lethal/condition")
@pytest.mark.parametrize(
    ("face", "die", "given", "result"),
    [
        (6, "1", {}, "lethal"),
        (6, "2", {}, "wound"),
        (5, "1", {}, "wound"),
        (6, "1", {"lethal": False}, "wound"),
        (0, "1", {}, "wound"),
        (6, "4", {}, ""),
    ],
)
def test_a_hit_is_lethal_by_the_natural_faces_of_the_same_hit(
    face: int, die: str, given: dict[str, Any], result: str
) -> None:
    assert saves(face_off(20, "raider", "piston_cuirassier"), die, face=face, **given).value == result


@pytest.mark.covers("lethal/condition")
def test_a_lethal_hit_removes_a_model_however_many_wounds_it_could_still_bear() -> None:
    position = face_off(20, "steam_rifleman", "anvil_turret")
    wounded(position, "lethal")
    assert state(position.model(1)) == "removed"
    assert [(loss.cause, loss.by) for loss in position.losses] == [("lethal", 0)]


@pytest.mark.covers("lethal/condition")
def test_a_hit_stopped_by_the_shield_rolls_no_armour_and_so_is_not_lethal() -> None:
    played = saves(face_off(20), "5", face=6)
    assert (played.rolls, played.value) == (["shield-save"], "")


@pytest.mark.covers("lethal/condition", "fire/saves")
def test_the_six_of_one_hit_and_the_one_of_another_are_not_lethal_together() -> None:
    position = face_off(20, "steam_rifleman", "draugr")
    play(shoot(position, Shot(0, 1, 0)), "6 4 | 3 1", [], position)
    assert state(position.model(1)) == "down"


@pytest.mark.covers("lethal/no-armour")
@pytest.mark.parametrize(
    ("face", "dice", "result"),
    [(6, "1", "lethal"), (6, "2", "wound"), (6, "6", "wound"), (5, "", "wound"), (0, "", "wound")],
)
def test_without_armour_a_die_is_rolled_for_hits_made_with_a_six_only(face: int, dice: str, result: str) -> None:
    played = saves(face_off(20, "raider", "frost_hunter"), dice, face=face)
    assert played.value == result
    assert played.rolls == ["lethal"] * (face == 6)


@pytest.mark.covers("lethal/no-armour", "exploration/points")
def test_no_exploration_point_can_bend_the_die_of_a_lethal_hit() -> None:
    position = face_off(20, "raider", "frost_hunter")
    position.gain(0, "exploration", 3)
    played = saves(position, "2", face=6)
    assert (played.value, played.prompts) == ("wound", [])


# ---------------------------------------------------------------- special/undead-*


@pytest.mark.covers("special/undead-armour")
@pytest.mark.parametrize(
    ("dice", "result"),
    [("4 4", ""), ("4 3", "wound"), ("4 1", "lethal"), ("3", "wound"), ("1", "lethal"), ("6 1", "lethal")],
)
def test_against_magic_the_first_success_of_an_undeads_armour_is_rolled_again(dice: str, result: str) -> None:
    position = face_off(20, "frost_hunter", "draugr")
    played = saves(position, dice, face=6, magic=True)
    assert played.value == result
    assert played.rolls == ["armour-save"] * len(dice.split())


@pytest.mark.covers("special/undead-armour")
def test_nothing_is_rolled_again_against_other_weapons_by_the_living_or_for_shields() -> None:
    assert saves(face_off(20, "frost_hunter", "draugr"), "4").value == ""
    assert saves(face_off(20, "frost_hunter", "piston_cuirassier"), "4", magic=True).value == ""
    shielded = face_off(20, "frost_hunter", "draugr", other={"adds": ["small_shield"]})
    assert saves(shielded, "6", magic=True).rolls == ["shield-save"]


@pytest.mark.covers("special/undead-armour", "exploration/points")
def test_exploration_points_are_spent_after_the_reroll_of_an_undead() -> None:
    position = face_off(20, "frost_hunter", "draugr")
    position.gain(1, "exploration", 1)
    played = play(protection(position.model(1), 4, magic=True), "4 3", [(0, 1)], position)
    assert [question.prompt for question in played.questions] == ["armour-save", "armour-save", "exploration-points"]
    assert played.value == ""


@pytest.mark.covers("special/undead-tests")
def test_an_undead_passes_tests_of_psi_without_dice() -> None:
    position = table(a("draugr", morale=20))
    assert play(discipline_test(position.model(0), "pinning-test", 9)).value is True
    living = table(a("raider"))
    assert play(discipline_test(living.model(0), "pinning-test", 8), dice="1 1").value is False


@pytest.mark.covers("special/undead-tests", "command-test/failure")
@pytest.mark.parametrize(("rules", "dice"), [(["undead"], ""), ([], "1 2 | 1 2")])
def test_an_undead_commander_passes_every_command_test(rules: list[str], dice: str) -> None:
    position = table(a("barrow_jarl", rules=rules, commander=1), a("raider", 1, at=(60, 90)))
    play(command_test(position, 0), dice, ["yes"] if dice else [], position)
    assert (position.result is None) == (dice == "")


# ---------------------------------------------------------------- fatigue/effects


def melee_need(position: Position) -> Need:
    one, other = position.model(0), position.model(1)
    return to_hit(Attack(one, other, one.profile.melee_weapons[0], []))


@pytest.mark.covers("fatigue/effects")
@pytest.mark.parametrize("fatigue", [0, 1, 2])
def test_each_fatigue_marker_is_one_harder_in_melee(fatigue: int) -> None:
    assert melee_need(face_off(0, "raider", one={"fatigue": fatigue})).modifier == -fatigue


@pytest.mark.covers("fatigue/effects", "profile/limits")
@pytest.mark.parametrize(("fatigue", "dice", "left"), [(0, "", 13), (1, "4", 9), (2, "4 3", 6), (3, "6 6 6", 0)])
def test_a_die_for_each_marker_is_taken_from_every_move_anew(fatigue: int, dice: str, left: float) -> None:
    position = table(a("raider", fatigue=fatigue))
    path = Path(((60.0, 60.0), (60.0, 70.0)))
    assert play(movement_left(position.model(0), path, 13.0), dice).value == left
    assert play(movement_left(position.model(0), path, 13.0), dice).value == left


@pytest.mark.covers("fatigue/effects", "special/flyer-move")
def test_the_n_of_a_flyer_is_reduced_too() -> None:
    position = table(a("iron_raven", at=(60, 60), fatigue=1))
    raven = position.model(0)
    play(move(raven, Path((raven.at, (60.0, 84.0)), 0.0), flies=True), "4", [], position)
    assert raven.at == (60.0, 80.0)


@pytest.mark.covers("fatigue/effects", "charge/distance")
@pytest.mark.parametrize(("dice", "end"), [("3 | 6 1", 50.5), ("3 | 5 1", 40.0)])
def test_a_tired_charger_loses_the_die_before_the_2d6_is_added(dice: str, end: float) -> None:
    position = table(a("raider", at=(60, 30), fatigue=1), a("raider", 1, at=(60, 49.5), facing=0))
    act = Declaration(position.model(0), "charge", [1, (((60.0, 47.0),), None)])
    played = play(carry_out_charge(act), dice, [0] if end == 40.0 else [], position)
    assert played.rolls == ["fatigue", "charge-distance"]
    assert position.model(0).y == (47.0 if end == 50.5 else 40.0)


@pytest.mark.covers("fatigue/effects", "countermove/move")
def test_a_tired_countermove_is_reduced_before_it_is_halved() -> None:
    position = table(a("raider", at=(60, 60), fatigue=1), a("raider", 1, at=(60, 90)))
    model = position.model(0)
    reaction = Declaration(model, "countermove", [position.model(1)])
    play(countermove(reaction), "4", ["move", [[[67, 60]], None]], position)
    assert model.at == (65.0, 60.0)


@pytest.mark.covers("fatigue/effects", "fall-back/move")
def test_a_tired_fall_back_is_reduced_before_it_is_doubled() -> None:
    position = table(a("raider", at=(60, 60), fatigue=1), a("raider", 1, at=(60, 90)))
    model = position.model(0)
    play(fall_back(Declaration(model, "fall-back", [position.model(1)])), "4", [0], position)
    assert model.at == (60.0, 42.0)


@pytest.mark.covers("fatigue/effects", "melee/consolidation")
def test_consolidation_is_not_reduced_by_fatigue() -> None:
    position = table(a("raider", at=(60, 60), fatigue=3))
    played = play(consolidate(position.model(0)), "2 3", ["yes", way((60, 65))], position)
    assert played.rolls == ["consolidation"]
    assert position.model(0).at == (60.0, 65.0)


# ---------------------------------------------------------------- first-aid/*


def sickbed(healer: str, patient: str, *more: Any, one: Any = None, other: Any = None) -> Position:
    """A healer and a wounded friend in contact."""
    position = table(
        a(healer, 0, at=(60, 60), **(one or {})), a(patient, 0, at=(60, 70), **({"wounds": 1} | (other or {}))), *more
    )
    reach = position.model(0).profile.base_radius + position.model(1).profile.base_radius
    position.model(1).move_to(60, 60 + reach)
    return position


def aid(position: Position, dice: str, patient: int = 1) -> Played:
    return play(give_aid(Declaration(position.model(0), "first-aid", [patient])), dice, [], position)


@pytest.mark.covers("first-aid/action", "out-of-action/recovery")
@pytest.mark.parametrize(("die", "wounds"), [("5", 0), ("4", 1)])
def test_first_aid_heals_one_wound_on_five(die: str, wounds: int) -> None:
    position = sickbed("raider", "raider")
    assert aid(position, die).rolls == ["first-aid"]
    assert marks(position.model(1), "wounds") == (wounds,)
    assert state(position.model(1)) == ("up" if wounds == 0 else "down")


@pytest.mark.covers("first-aid/action", "tactical/charisma-limit")
@pytest.mark.parametrize(("charisma", "possible"), [(2, True), (1, False)])
def test_first_aid_costs_two_points_paid_even_if_it_fails(charisma: int, possible: bool) -> None:
    position = sickbed("raider", "raider", one={"notes": {}})
    position.model(0).mark("charisma", charisma)
    if possible:
        activate(position, [0, "first-aid", 1], dice="4")
        assert marks(position.model(0), "charisma") == (0,)
    else:
        assert refused(position, 0, "first-aid", 1) == "tactical/charisma-limit"


@pytest.mark.covers("first-aid/action")
def test_first_aid_is_for_wounded_friends_in_contact_and_not_for_the_healer_itself() -> None:
    unhurt = a("raider", 0, at=(57.25, 60))
    enemy = a("raider", 1, at=(62.75, 60), wounds=1)
    away = a("raider", 0, at=(60, 57.15), wounds=1)
    position = sickbed("draugr", "raider", unhurt, enemy, away, one={"wounds": 1})
    assert [m.row for m in patients(position.model(0))] == [1]
    alone = table(a("draugr", wounds=1), a("raider", 0, at=(70, 60), wounds=1))
    refusal = ACTIONS["first-aid"].refusal(alone.model(0))
    assert refusal is not None
    assert refusal.rule == "first-aid/action"


@pytest.mark.covers("first-aid/action", "special/expert")
@pytest.mark.parametrize(
    ("adds", "expert", "die", "heals"),
    [
        ([], "", "4", False),
        ([], "medicine", "4", True),
        (["medkit"], "", "4", True),
        (["medkit"], "medicine", "3", True),
        (["medkit"], "medicine", "2", False),
        (["toolkit"], "mechanics", "4", False),
        (["medkit"], "medicine", "1", False),
    ],
)
def test_medicine_and_the_medical_bag_help_with_the_living(adds: list[str], expert: str, die: str, heals: bool) -> None:
    position = sickbed("raider", "raider", one={"adds": adds, "changes": {"expert": expert}})
    aid(position, die)
    assert marks(position.model(1), "wounds") == (0 if heals else 1,)


@pytest.mark.covers("first-aid/repair")
def test_a_machine_is_repaired_only_by_whoever_has_a_toolkit() -> None:
    assert patients(sickbed("mesmerist", "anvil_turret").model(0)) == []
    position = sickbed("mesmerist", "anvil_turret", one={"adds": ["toolkit"]})
    assert [m.row for m in patients(position.model(0))] == [1]
    assert aid(position, "5").rolls == ["repair"]
    assert marks(position.model(1), "wounds") == (0,)


@pytest.mark.covers("first-aid/repair", "special/expert")
@pytest.mark.parametrize(
    ("adds", "expert", "die", "repairs"),
    [
        ([], "", "4", False),
        ([], "mechanics", "4", True),
        ([], "mechanics", "3", False),
        (["medkit"], "medicine", "4", False),
    ],
)
def test_mechanics_helps_with_machines_and_medicine_does_not(
    adds: list[str], expert: str, die: str, repairs: bool
) -> None:
    one = {"adds": ["toolkit", *adds], "changes": {"expert": expert}}
    position = sickbed("raider", "anvil_turret", one=one)
    aid(position, die)
    assert marks(position.model(1), "wounds") == (0 if repairs else 1,)


# ---------------------------------------------------------------- recover/*


@pytest.mark.covers("recover/effect")
def test_recover_takes_off_up_to_car_morale_and_cos_fatigue_and_the_suppression() -> None:
    position = table(a("raider", morale=5, fatigue=6, suppressed=1, wounds=0, handed=2))
    play(recover(Declaration(position.model(0), "recover", [])), position=position)
    assert marks(position.model(0), "morale", "fatigue", "suppressed") == (2, 2, 0)
    fewer = table(a("raider", morale=3, fatigue=1))
    play(recover(Declaration(fewer.model(0), "recover", [])), position=fewer)
    assert marks(fewer.model(0), "morale", "fatigue") == (0, 0)


@pytest.mark.covers("recover/effect", "suppression/effect")
@pytest.mark.parametrize(("handed", "possible"), [(1, True), (0, False)])
def test_a_suppressed_model_pays_four_to_recover(handed: int, possible: bool) -> None:
    position = table(a("raider", suppressed=1, handed=handed))
    assert (refused(position, 0, "recover") == "") == possible
    if possible:
        activate(position, [0, "recover"])
        assert marks(position.model(0), "charisma", "handed", "suppressed") == (0, 0, 0)


@pytest.mark.covers("recover/effect")
def test_recover_costs_two_points_and_is_open_to_the_exhausted() -> None:
    position = table(a("raider", fatigue=4))
    assert refused(position, 0, "alert") != ""
    activate(position, [0, "recover"])
    assert marks(position.model(0), "charisma", "fatigue") == (1, 0)


@pytest.mark.covers("recover/exclusive")
def test_whoever_has_acted_cannot_recover_and_whoever_has_recovered_can_do_nothing_more() -> None:
    position = table(a("crucible_captain", handed=4), a("raider", 1, at=(60, 100), facing=0))
    assert refused(position, 0, "recover") == ""
    activate(position, [0, "move", "walk", way((60, 61))])
    assert refused(position, 0, "recover") == "recover/exclusive"
    tidy(position.model(0))
    assert refused(position, 0, "recover") == ""
    activate(position, [0, "recover"])
    for action in (["recover"], ["move", "walk", way((60, 62))], ["aim"]):
        assert refused(position, 0, *action) == "recover/exclusive"


@pytest.mark.covers("recover/exclusive")
def test_whoever_has_recovered_may_react_in_the_enemys_turn() -> None:
    position = face_off(5, one={"facing": 180}, other={"facing": 180})
    activate(position, [0, "recover"], ["none"])
    tidy(position.model(0))
    assert [m.row for m, _ in eligible(position.model(1), Path((position.model(1).at,)))] == [0]
