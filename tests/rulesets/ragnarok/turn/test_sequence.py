"""Turns and their phases: what is renewed, who is asked in what order, what goes and what stays."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.phases import next_of
from campale.referee.position import Effect, Position
from campale.rulesets.ragnarok.basics.physical import times_used, tire
from campale.rulesets.ragnarok.morale.bodyguard import may_guard
from campale.rulesets.ragnarok.morale.psychology import go_prone
from campale.rulesets.ragnarok.turn import sequence
from campale.rulesets.ragnarok.turn.sequence import (
    after_test,
    begin,
    begin_turn,
    command_phase,
    control_phase,
    end_phase,
    step,
)
from tests.rulesets.ragnarok.kit import a, play, table

NAMES = ("command", "tactical", "melee", "control", "end")


# ---------------------------------------------------------------- turn/*


@pytest.mark.covers("turn/phases")
def test_a_turn_has_five_phases_in_this_order_and_then_the_opponent_has_its_turn() -> None:
    position = table(a("raider"), a("raider", 1), phase="command", side=0, turn=3)
    seen = [("command", 0, 3)]
    for _ in range(5):
        begin(position, next_of(tuple(sequence.phases()), str(position.now["phase"])))
        seen.append((str(position.now["phase"]), int(position.now["side"]), int(position.now["turn"])))
    assert seen == [*((name, 0, 3) for name in NAMES), ("command", 1, 4)]


@pytest.mark.covers("turn/phases")
def test_a_whole_turn_is_played_step_by_step() -> None:
    position = table(a("raider", at=(20, 20)), a("raider", 1, at=(100, 100)), phase="command", turn=3)
    asked: list[str] = []
    while position.now["turn"] == 3:
        phase = str(position.now["phase"])
        answers = [["end"]] if phase == "tactical" else []
        asked += [phase, *play(step(position), answers=answers).prompts]
    assert asked == ["command", "tactical", "act", "melee", "control", "end"]
    assert (position.now["phase"], position.now["side"]) == ("command", 1)


@pytest.mark.covers("turn/phases")
def test_after_the_set_up_the_first_turn_begins() -> None:
    position = table(a("raider"), phase="initiative", turn=0, first=1)
    begin(position, next_of(tuple(sequence.phases()), "initiative"))
    assert [position.now[name] for name in ("phase", "turn", "round", "side")] == ["command", 1, 1, 1]


@pytest.mark.covers("turn/time-units", "turn/phases")
@pytest.mark.parametrize("first", [0, 1])
def test_player_turns_alternate_and_two_of_them_make_a_turn_of_the_mission(first: int) -> None:
    position = table(a("raider"), turn=0, first=first)
    seen = []
    for _ in range(4):
        begin_turn(position)
        seen.append((position.now["turn"], position.now["side"], position.now["round"]))
    assert seen == [(1, first, 1), (2, 1 - first, 1), (3, first, 2), (4, 1 - first, 2)]


@pytest.mark.covers("tactical/charisma-renewal", "turn/time-units")
def test_the_charisma_of_both_sides_comes_back_in_full_at_the_start_of_every_player_turn() -> None:
    position = table(a("raider"), a("draugr", 1), a("raider", at=None))
    for model in position.models:
        model.mark("charisma", 0)
    begin_turn(position)
    assert [model.marks("charisma") for model in position.models] == [3, 2, 3]
    position.model(0).mark("charisma", 2)
    begin_turn(position)
    assert position.model(0).marks("charisma") == 3


@pytest.mark.covers("tactical/charisma-renewal", "turn/time-units")
def test_the_bonus_of_the_commander_comes_back_in_its_own_turns_only() -> None:
    position = table(a("crucible_captain", commander=1), a("barrow_jarl", 1, commander=1), turn=0)
    begin_turn(position)
    assert [position.holds(side, "bonus") for side in (0, 1)] == [3, 0]
    play(end_phase(position))
    assert [position.holds(side, "bonus") for side in (0, 1)] == [0, 0]
    begin_turn(position)
    assert [position.holds(side, "bonus") for side in (0, 1)] == [0, 2]


@pytest.mark.covers("turn/time-units", "special/bodyguard", "end-phase/cleanup")
def test_once_per_turn_means_once_per_player_turn_whoever_has_it() -> None:
    position = table(a("piston_cuirassier"), a("raider", at=(60, 64)))
    guard, ward = position.models
    guard.mark("guarded", 1)
    assert not may_guard(guard, ward)
    play(end_phase(position))
    assert may_guard(guard, ward)


# ---------------------------------------------------------------- command-phase/steps


def shaken(losses: int, options: bool = False) -> Position:
    """Side 0 has a commander, who is no Undead, and three others; so many of them are out of action."""
    others = [a("raider", at=(20 + 10 * n, 20), wounds=int(n < losses)) for n in range(3)]
    captain = a("crucible_captain", at=(60, 20), commander=1)
    reserve = [a("raider", 0, None)] if options else []
    return table(captain, *others, *reserve, a("raider", 1, (60, 100)), options={"reserves": options}, phase="command")


@pytest.mark.covers("command-phase/steps", "command-test/when")
@pytest.mark.parametrize(("losses", "tested"), [(2, False), (3, True)])
def test_a_force_tests_when_more_than_half_of_it_is_lost(losses: int, tested: bool) -> None:
    played = play(command_phase(shaken(losses)), dice="4 4" if tested else "")
    assert played.rolls == ["command-test"] * tested


@pytest.mark.covers("command-phase/steps", "command-test/when")
@pytest.mark.parametrize(("change", "tested"), [("healed", False), ("removed", True), ("summoned", False)])
def test_what_counts_as_lost(change: str, tested: bool) -> None:
    position = shaken(3)
    if change == "healed":
        position.model(1).mark("wounds", 0)
    elif change == "removed":
        position.remove(position.model(1), "flight")
    else:
        position.model(1).mark("summoned", 1)
    played = play(command_phase(position), dice="4 4" if tested else "")
    assert bool(played.rolls) is tested


@pytest.mark.covers("command-phase/steps", "command-test/failure")
def test_a_force_that_fails_its_command_test_withdraws_and_rolls_for_no_reserves() -> None:
    position = shaken(3, options=True)
    played = play(command_phase(position), dice="1 2 | 1 3", answers=["yes"], position=position)
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (1, "command-test/failure")
    assert played.rolls == ["command-test", "command-test"]


@pytest.mark.covers("command-phase/steps", "opt-reserves/entry")
def test_the_command_test_comes_before_the_rolls_for_reserves() -> None:
    played = play(command_phase(shaken(3, options=True)), dice="4 4 | 1")
    assert played.rolls == ["command-test", "reserve"]


@pytest.mark.covers("command-phase/steps")
def test_only_the_models_of_the_active_player_are_concerned() -> None:
    position = shaken(3, options=True)
    position.now["side"] = 1
    assert play(command_phase(position)).questions == []


# ---------------------------------------------------------------- control-phase/tests


@pytest.mark.covers("control-phase/tests", "pinning/when", "suppression/when")
@pytest.mark.parametrize("active", [0, 1])
def test_all_pinning_tests_come_before_all_suppression_tests_and_the_active_player_orders_each(active: int) -> None:
    both: dict[str, Any] = {"shaken": 1, "wounded": 1}
    position = table(a("draugr", wounded=1), a("raider", 0, **both), a("raider", 1, **both), a("raider"), side=active)
    played = play(control_phase(position), dice="4 4 | 4 4 | 4 4 | 4 4", answers=[[2, 1], [2, 0, 1]])
    assert [question.side for question in played.questions if not question.is_chance] == [active, active]
    tests = [(question.prompt, question.about["model"]) for question in played.questions if question.is_chance]
    assert tests == [("pinning-test", 2), ("pinning-test", 1), ("suppression-test", 2), ("suppression-test", 1)]


@pytest.mark.covers("control-phase/tests")
def test_models_out_of_action_take_neither_test() -> None:
    position = table(a("raider", shaken=1, wounded=1, wounds=1))
    assert play(control_phase(position)).questions == []


@pytest.mark.covers("control-phase/tests", "missions/collapse")
def test_a_force_that_flees_to_the_last_model_has_lost() -> None:
    position = table(a("raider", wounded=1, suppressed=1), a("raider", 1, (60, 100)))
    play(control_phase(position), dice="1 2")
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (1, "missions/collapse")


@pytest.mark.covers("control-phase/tests", "commander/replacement", "missions/assassination")
def test_a_commander_that_flees_is_replaced_before_the_next_test() -> None:
    captain = a("crucible_captain", at=(60, 20), commander=1, wounded=1, suppressed=1)
    others = (a("mesmerist", at=(20, 20)), a("raider", at=(60, 24), wounded=1), a("crucible_captain", at=(70, 20)))
    position = table(captain, *others, a("raider", 1, (60, 100)))
    played = play(control_phase(position), dice="1 2 | 1 2 | 6 6", answers=[[0, 2], "yes", 1], position=position)
    assert played.prompts == ["suppression-order", "repeat-test", "new-commander"]
    assert position.model(1).marks("commander") == 1


@pytest.mark.covers("missions/assassination")
def test_nobody_is_named_when_the_fall_of_the_commander_ends_the_battle() -> None:
    position = table(a("raider", commander=1), a("raider"), a("barrow_jarl", 1, commander=1), mission="assassination")
    position.remove(position.model(0), "flight")
    played = play(after_test(position.model(0)), position=position)
    assert (played.questions, position.result is not None) == ([], True)


# ---------------------------------------------------------------- end-phase/*


@pytest.mark.covers("end-phase/cleanup", "prone/duration")
@pytest.mark.parametrize(("turn", "is_prone"), [(3, True), (4, False)])
def test_a_prone_model_stands_up_in_the_end_phase_of_the_following_player_turn(turn: int, is_prone: bool) -> None:
    position = table(a("raider"), turn=3)
    go_prone(position.model(0))
    position.now["turn"] = turn
    play(end_phase(position))
    assert bool(position.model(0).marks("prone")) is is_prone


@pytest.mark.covers("end-phase/cleanup")
def test_records_of_the_turn_and_what_lasts_until_its_end_are_taken_away() -> None:
    records = ("handed", "acted", "moved", "salvoed", "guarded", "shaken", "wounded", "charged", "from-hiding")
    position = table(a("raider"), a("raider", 1, acted=1))
    model = position.model(0)
    for name in (*records, "barred-ability"):
        model.mark(name, 1)
    tire(model, "move")
    for name in ("furious-charge", "supersteam"):
        position.begin(Effect(f"abilities/{name}", model.row, -1, "turn"))
    for name in ("aimed", "concentrated", "charging", "onsets"):
        position.declare(name, (0,))
    position.gain(0, "bonus", 2)
    play(end_phase(position))
    assert [model.marks(name) for name in (*records, "barred-ability")] == [0] * 10
    assert (times_used(model, "move"), position.model(1).marks("acted")) == (0, 0)
    assert (position.effects, position.declared, position.holds(0, "bonus")) == ([], {}, 0)


@pytest.mark.covers("end-phase/cleanup", "end-phase/kept")
def test_an_effect_that_lasts_longer_stays() -> None:
    position = table(a("raider"))
    position.begin(Effect("abilities/furious-charge", 0, -1, "battle"))
    play(end_phase(position))
    assert len(position.effects) == 1


@pytest.mark.covers("end-phase/kept")
def test_wounds_markers_hiding_jams_shields_and_explored_pieces_stay_and_the_turn_ends_all_the_same() -> None:
    lasting = {"wounds": 1, "morale": 2, "fatigue": 3, "suppressed": 1, "hidden": 1, "alert": 1, "shield-lost": 1}
    notes = {"jammed": (0,), "spent": (1,), "ward": 1}
    position = table(a("draugr", notes=notes, acted=1), turn=24)
    for name, value in lasting.items():
        position.model(0).mark(name, value)
    position.declare("explored", (("ruin-1", 0),))
    play(end_phase(position))
    model = position.model(0)
    assert {name: model.marks(name) for name in lasting} == lasting
    assert {name: model.note(name) for name in notes} == notes
    assert position.declared == {"explored": (("ruin-1", 0),)}
    assert (model.marks("acted"), position.result is not None) == (0, True)
