"""The commander: its radius, its re-rolls, the points it hands out, and who takes its place."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines
from campale.rulesets.ragnarok.armies.forces import FORCES
from campale.rulesets.ragnarok.armies.setting_out import set_out
from campale.rulesets.ragnarok.armies.staging import prepare
from campale.rulesets.ragnarok.basics.physical import heal
from campale.rulesets.ragnarok.battle.preparation import choose_reserves
from campale.rulesets.ragnarok.morale.psychology import command_test, pinning_test
from campale.rulesets.ragnarok.turn.commander import (
    command_radius,
    commander,
    commands,
    hand_out,
    may_receive,
    may_repeat_test,
    psyche,
    renew_bonus,
    replace_commander,
)
from campale.rulesets.ragnarok.turn.declaring import points_left
from campale.rulesets.ragnarok.turn.sequence import after_test, begin_turn, control_phase, end_phase
from campale.rulesets.ragnarok.turn.tactical import hand_out_fields, settle
from tests.rulesets.ragnarok.kit import Figure, a, activate, first_question, piece, play, refused, table


def led(*others: Figure, captain: dict[str, Any] | None = None, **now: Any) -> Position:
    """A captain (SN 4: 40 cm, PSI 6, +3) at (60, 50), and others."""
    marks: dict[str, Any] = {"commander": 1} | (captain or {})
    return table(a("crucible_captain", at=(60, 50), **marks), *others, **now)


# ---------------------------------------------------------------- commander/choice


@pytest.mark.covers("commander/choice")
def test_the_model_named_in_the_force_is_the_commander() -> None:
    forces = (FORCES.plain("crucible_league_starter"), FORCES.plain("barrow_host_starter"))
    position = set_out(load_ruleset("ragnarok"), Setup("ragnarok", {}, forces))
    names = [leader.profile.id for side in (0, 1) if (leader := commander(position, side)) is not None]
    assert names == ["crucible_captain", "barrow_jarl"]
    assert sum(model.marks("commander") for model in position.models) == 2


@pytest.mark.covers("commander/choice", "opt-reserves/choice")
def test_the_commander_may_not_start_in_reserve() -> None:
    figures = [a("crucible_captain", at=None, commander=1), a("pathfinder", at=None), a("raider", 1, at=None)]
    position = table(*figures, options={"reserves": True})
    question = first_question(choose_reserves(position))
    assert question.refusal([1]) is None
    assert question.refusal([0]) is not None


# ---------------------------------------------------------------- commander/replacement


@pytest.mark.covers("commander/replacement")
def test_while_the_commander_is_left_nobody_is_asked() -> None:
    position = led(a("mesmerist"), a("pathfinder"))
    assert play(replace_commander(position, 0)).prompts == []
    assert commander(position, 0) is position.model(0)
    reserve = table(a("crucible_captain", at=None, commander=1), a("mesmerist"))
    assert play(replace_commander(reserve, 0)).prompts == []


@pytest.mark.covers("commander/replacement")
@pytest.mark.parametrize("how", ["wounds", "removed"])
def test_a_fallen_commander_is_replaced_from_the_hq_as_long_as_one_is_left(how: str) -> None:
    position = led(a("mesmerist", at=(40, 50)), a("mesmerist", at=(80, 50)), a("pathfinder", at=(60, 30)))
    if how == "wounds":
        position.model(0).mark("wounds", 2)
    else:
        position.remove(position.model(0), "shot")
    assert first_question(replace_commander(position, 0)).options() == [1, 2]
    play(replace_commander(position, 0), answers=[2])
    assert commander(position, 0) is position.model(2)
    assert [model.marks("commander") for model in position.models] == [0, 0, 1, 0]


@pytest.mark.covers("commander/replacement")
def test_only_without_any_hq_model_another_may_be_named() -> None:
    fallen = a("mesmerist", at=(40, 50), wounds=1)
    position = led(fallen, a("pathfinder", at=(60, 30)), a("steam_rifleman", at=None), captain={"wounds": 2})
    assert first_question(replace_commander(position, 0)).options() == [2, 3]
    assert commander(led(fallen, captain={"wounds": 2}), 0) is not None


@pytest.mark.covers("commander/replacement")
def test_a_single_hq_model_left_even_in_reserve_is_named_without_asking() -> None:
    position = led(a("mesmerist", at=None), a("pathfinder", at=(60, 30)), captain={"wounds": 2})
    assert play(replace_commander(position, 0)).prompts == []
    assert commander(position, 0) is position.model(1)
    play(command_test(position, 0), dice="2 3 | 6 6", answers=["yes"])
    assert not commands(position.model(1), position.model(2))


@pytest.mark.covers("commander/replacement")
def test_a_model_for_which_there_was_no_room_is_not_left() -> None:
    lost = a("mesmerist", at=None, **{"never-came": 1})  # type: ignore[arg-type]
    position = led(lost, a("pathfinder", at=(60, 30)), captain={"wounds": 2})
    play(replace_commander(position, 0))
    assert commander(position, 0) is position.model(2)


@pytest.mark.covers("commander/replacement")
def test_when_nobody_is_left_nobody_is_named() -> None:
    position = led(a("mesmerist", wounds=1), captain={"wounds": 2})
    assert play(replace_commander(position, 0)).prompts == []
    assert commander(position, 0) is position.model(0)


@pytest.mark.covers("commander/replacement")
def test_an_old_commander_that_is_healed_stays_an_ordinary_model() -> None:
    position = led(a("mesmerist", at=(40, 50)), captain={"wounds": 2})
    play(replace_commander(position, 0))
    heal(position.model(0))
    play(replace_commander(position, 0))
    assert commander(position, 0) is position.model(1)
    assert not may_repeat_test(position.model(0))


@pytest.mark.covers("commander/replacement", "tactical/resolution-order")
def test_a_new_commander_is_named_as_soon_as_the_action_or_the_test_is_over() -> None:
    others = [a("mesmerist", at=(40, 50)), a("raider", 1, at=(60, 90), commander=1)]
    shot, fled = led(*others, captain={"wounds": 2}), led(*others)
    play(settle(shot))
    fled.remove(fled.model(0), "flight")
    play(after_test(fled.model(0)))
    assert commander(shot, 0) is shot.model(1)
    assert commander(fled, 0) is fled.model(1)


@pytest.mark.covers("commander/replacement", "commander/charisma-bonus")
@pytest.mark.parametrize(("side", "bonus"), [(0, 1), (1, 3)])
def test_a_new_commander_has_its_own_bonus_in_its_own_turn_and_not_what_the_old_one_left(side: int, bonus: int) -> None:
    position = led(a("mesmerist", at=(40, 50)), captain={"wounds": 2}, side=side)
    position.gain(0, "bonus", 3)
    play(replace_commander(position, 0))
    assert position.holds(0, "bonus") == bonus


# ---------------------------------------------------------------- commander/psi-radius


@pytest.mark.covers("commander/psi-radius", "arsenal/equipment")
@pytest.mark.parametrize(
    ("profile", "adds", "radius"),
    [("crucible_captain", (), 40), ("mesmerist", (), 50), ("crucible_captain", ("command_horn",), 50)],
)
def test_the_command_radius_is_ten_times_the_senses_and_a_horn_adds_ten(
    profile: str, adds: tuple[str, ...], radius: int
) -> None:
    assert command_radius(table(a(profile, adds=adds, commander=1)).model(0)) == radius


@pytest.mark.covers("commander/psi-radius", "profile/psi-number")
@pytest.mark.parametrize(("x", "psi"), [(102.5, 6), (102.51, 8)])
def test_friends_within_the_radius_use_the_psyche_of_the_commander(x: float, psi: int) -> None:
    position = led(a("steam_rifleman", at=(x, 50)))
    assert commands(*position.models) is (psi == 6)
    assert psyche(position.model(1)) == psi


@pytest.mark.covers("commander/psi-radius", "profile/psi-number")
def test_the_better_of_the_two_numbers_is_used() -> None:
    position = table(a("crucible_captain", at=(60, 50)), a("pathfinder", at=(60, 60), commander=1))
    assert [psyche(model) for model in position.models] == [6, 7]


@pytest.mark.covers("commander/psi-radius")
def test_the_radius_works_through_walls_and_is_for_friends_of_a_commander_on_its_feet_only() -> None:
    wall = piece("workshop", 60, 65)
    behind = led(a("steam_rifleman", at=(60, 80)), a("raider", 1, at=(60, 40)), pieces=[wall])
    captain, friend, enemy = behind.models
    assert commands(captain, friend)
    assert not commands(captain, enemy)
    assert psyche(enemy) == 8
    captain.mark("wounds", 2)
    assert not commands(captain, friend)
    assert psyche(friend) == 8
    ordinary = led(a("steam_rifleman", at=(60, 60)), captain={"commander": 0})
    assert not commands(*ordinary.models)
    reserve = table(a("crucible_captain", at=None, commander=1), a("steam_rifleman", at=(1.5, 1.5)))
    assert not commands(*reserve.models)


@pytest.mark.covers("commander/psi-radius", "morale/markers")
def test_the_penalty_of_morale_is_still_that_of_the_model_that_tests() -> None:
    position = led(a("steam_rifleman", at=(60, 60), morale=4))
    played = play(pinning_test(position.model(1)), dice="3 3")
    assert (played.questions[0].needed.base, played.questions[0].needed.modifier) == (6, -1)  # type: ignore[attr-defined]
    assert position.model(1).marks("prone")


# ---------------------------------------------------------------- commander/reroll


@pytest.mark.covers("commander/reroll")
def test_the_commander_may_repeat_a_test_after_a_failure_and_nobody_else_may() -> None:
    position = led(a("steam_rifleman", at=(60, 60)))
    captain, rifleman = position.models
    assert may_repeat_test(captain)
    assert not may_repeat_test(rifleman)
    assert play(pinning_test(captain), dice="3 3").prompts == []
    assert play(pinning_test(captain), dice="3 2 | 5 5", answers=["yes"]).prompts == ["repeat-test"]
    assert play(pinning_test(rifleman), dice="3 2").prompts == []
    assert (captain.marks("prone"), rifleman.marks("prone")) == (0, 4)


@pytest.mark.covers("commander/reroll")
def test_the_commander_need_not_repeat_its_test() -> None:
    position = led()
    assert play(pinning_test(position.model(0)), dice="3 2", answers=["no"]).rolls == ["pinning-test"]
    assert position.model(0).marks("prone")


# ---------------------------------------------------------------- commander/charisma-bonus


@pytest.mark.covers("commander/charisma-bonus")
@pytest.mark.parametrize(
    ("phase", "side", "points"), [("tactical", 0, 3), ("melee", 0, 3), ("tactical", 1, 0), ("initiative", 0, 0)]
)
def test_a_position_set_by_hand_gives_the_active_commander_its_points(phase: str, side: int, points: int) -> None:
    position = led(a("raider", 1, at=(60, 100)), phase=phase, side=side)
    prepare(position)
    assert position.holds(0, "bonus") == points


@pytest.mark.covers("commander/charisma-bonus")
def test_the_bonus_comes_back_at_the_start_of_its_own_turns_only() -> None:
    position = led(a("barrow_jarl", 1, at=(60, 90), commander=1), turn=2, side=1)
    begin_turn(position)
    assert (position.holds(0, "bonus"), position.holds(1, "bonus")) == (3, 0)
    position.gain(0, "bonus", -2)
    begin_turn(position)
    assert (position.holds(0, "bonus"), position.holds(1, "bonus")) == (1, 2)
    renew_bonus(position, 0)
    assert position.holds(0, "bonus") == 3


@pytest.mark.covers("commander/charisma-bonus")
def test_an_hq_model_that_does_not_command_has_no_bonus() -> None:
    position = table(a("crucible_captain", at=(60, 50)), a("pathfinder", at=(60, 60), commander=1))
    renew_bonus(position, 0)
    assert position.holds(0, "bonus") == 0


@pytest.mark.covers("commander/charisma-bonus")
@pytest.mark.parametrize(("x", "is_reached"), [(102.5, True), (102.51, False)])
def test_points_go_to_troops_within_the_radius(x: float, is_reached: bool) -> None:
    position = led(a("steam_rifleman", at=(x, 50)))
    position.gain(0, "bonus", 3)
    fault = may_receive(position.model(1))
    assert (fault is None) is is_reached
    assert (refused(position, "hand-out", 1, 2) == "") is is_reached
    if fault is not None:
        assert (fault.measured, fault.limit) == (40.01, 40)


@pytest.mark.covers("commander/charisma-bonus")
def test_neither_the_commander_nor_the_fallen_are_given_points() -> None:
    position = led(a("steam_rifleman", at=(60, 60), wounds=1), a("steam_rifleman", at=(60, 40)), captain={})
    assert [may_receive(model) is None for model in position.models] == [False, False, True]
    headless = table(a("steam_rifleman"))
    assert may_receive(headless.model(0)) is not None


@pytest.mark.covers("commander/charisma-bonus")
def test_points_are_handed_out_in_any_split_and_are_then_gone() -> None:
    position = led(a("steam_rifleman", at=(60, 60)), a("steam_rifleman", at=(60, 40)), a("raider", 1, at=(60, 110)))
    position.gain(0, "bonus", 3)
    activate(position, ["hand-out", 1, 2])
    assert (position.holds(0, "bonus"), points_left(position.model(1))) == (1, 5)
    assert refused(position, "hand-out", 2, 2) != ""
    activate(position, ["hand-out", 2, 1])
    assert (position.holds(0, "bonus"), points_left(position.model(2))) == (0, 4)
    assert refused(position, "hand-out", 2, 1) == "commander/charisma-bonus"


@pytest.mark.covers("commander/charisma-bonus")
@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "How many points for Rifleman, which has 3? The commander has 2 left.", "1 charisma point left to give"),
        ("it", "Quanti punti a Rifleman, che ne ha 3? Al comandante ne restano 2.", "resta 1 punto carisma"),
    ],
)
def test_who_gives_points_is_told_how_many_are_left(language: str, asked: str, told: str) -> None:
    position = led(a("steam_rifleman", at=(60, 60)))
    position.names[1] = "Rifleman"
    position.gain(0, "bonus", 2 - position.holds(0, "bonus"))
    question = hand_out_fields(position, 0, [1])
    assert question is not None
    assert points_left(position.model(1)) == 3
    teller = Teller(position.ruleset, language, position.names, position.unit_names, (), position.profiles)
    assert teller.question(question) == asked
    position.journal = Journal()
    hand_out(position.model(1), 1)
    assert told in [line.text for line in lines(position.journal.events, teller)][-1]


@pytest.mark.covers("commander/charisma-bonus")
def test_points_not_spent_vanish_at_the_end_of_the_turn() -> None:
    position = led(a("steam_rifleman", at=(60, 60)), a("raider", 1, at=(60, 110)), phase="end")
    position.gain(0, "bonus", 3)
    hand_out(position.model(1), 2)
    assert (position.holds(0, "bonus"), position.model(1).marks("handed")) == (1, 2)
    play(end_phase(position))
    assert (position.holds(0, "bonus"), position.model(1).marks("handed")) == (0, 0)


@pytest.mark.covers("commander/replacement", "suppression/flight")
def test_a_commander_that_flees_is_replaced_before_the_next_test() -> None:
    position = led(
        a("mesmerist", at=(40, 50)),
        a("steam_rifleman", at=(60, 60), wounded=1),
        a("raider", 1, at=(60, 110), commander=1),
        captain={"wounded": 1, "suppressed": 1},
        phase="control",
    )
    play(control_phase(position), dice="1 1 | 1 1 | 4 4", answers=[[0, 2], "yes"])
    assert commander(position, 0) is position.model(1)
