"""Tests based on PSI: markers of morale, suppression, pinning, command and ability tests."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Part
from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.physical import heal, suffer
from campale.rulesets.ragnarok.morale.psychology import (
    ability_test,
    command_test,
    discipline_test,
    doubled,
    losses,
    morale_penalty,
    must_test_command,
    must_test_pinning,
    must_test_suppression,
    pinning_test,
    receive_morale,
    suppression_test,
)
from campale.rulesets.ragnarok.moving.movement import move
from campale.rulesets.ragnarok.turn.abilities import use_ability
from campale.rulesets.ragnarok.turn.actions import is_barred
from campale.rulesets.ragnarok.turn.declaring import Declaration, pay, points_left, too_dear
from campale.rulesets.ragnarok.turn.sequence import command_phase, control_phase, end_phase
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import Figure, a, activate, piece, play, refused, table

NOTHING = Part("concentrate/bonus", 0)


def alone(profile: str = "raider", **marks: Any) -> Position:
    """One model of side 0, out of reach of any commander, and an enemy far away."""
    return table(a(profile, at=(60, 50), **marks), a("raider", 1, at=(60, 110), commander=1, charisma=0))


# ---------------------------------------------------------------- discipline/test, psychology/test-list


@pytest.mark.covers("discipline/test", "profile/psi-number")
@pytest.mark.parametrize(("dice", "passed"), [("4 4", True), ("4 3", False)])
def test_a_discipline_test_is_passed_at_the_psyche_or_more(dice: str, passed: bool) -> None:
    position = alone()
    assert play(discipline_test(position.model(0), "pinning-test", 8), dice=dice).value is passed
    play(pinning_test(position.model(0)), dice=dice)
    assert (position.model(0).marks("prone") == 0) is passed


@pytest.mark.covers("discipline/test", "tests/target-number")
@pytest.mark.parametrize(("dice", "passed"), [("4 3", True), ("3 3", False)])
def test_bonuses_and_penalties_are_added_to_the_roll(dice: str, passed: bool) -> None:
    position = alone(morale=4)
    bonuses = (Part("special/expert", 1), Part("concentrate/bonus", 1))
    test = discipline_test(position.model(0), "ability-test", 8, bonuses)
    assert play(test, dice=dice).value is passed


@pytest.mark.covers("psychology/test-list")
@pytest.mark.parametrize("name", ["suppression", "pinning", "ability", "landing", "command"])
def test_every_test_of_the_list_counts_markers_and_the_undead_pass_it_unrolled(name: str) -> None:
    def test_of(profile: str) -> Any:
        position = table(
            a(profile, at=(60, 50), commander=1, **{"barred-ability": 0}, morale=9, rules=["flyer 24"]),  # type: ignore[arg-type]
            pieces=[piece("bog", 60, 70)],
        )
        model = position.model(0)
        rules: dict[str, Any] = {
            "suppression": lambda: suppression_test(model),
            "pinning": lambda: pinning_test(model),
            "ability": lambda: ability_test(model, NOTHING),
            "landing": lambda: move(model, Path(((60.0, 50.0), (60.0, 70.0)), 0.0), flies=True),
            "command": lambda: command_test(position, 0),
        }
        return rules[name]()

    played = play(test_of("frost_hunter"), dice="6 5", answers=["no"])
    assert [part.rule for part in played.questions[0].needed.parts] == ["morale/markers"]  # type: ignore[attr-defined]
    assert play(test_of("draugr")).questions == []


@pytest.mark.covers("psychology/test-list", "special/undead-tests")
def test_the_undead_pass_without_dice() -> None:
    assert play(discipline_test(alone("draugr").model(0), "pinning-test", 9)).value is True


# ---------------------------------------------------------------- morale/markers


@pytest.mark.covers("morale/markers")
@pytest.mark.parametrize(("markers", "penalty"), [(0, 0), (3, 0), (4, -1), (5, -2), (12, -9)])
def test_markers_beyond_the_charisma_weigh_one_each(markers: int, penalty: int) -> None:
    assert morale_penalty(alone(morale=markers).model(0)).value == penalty


@pytest.mark.covers("morale/markers")
def test_the_printed_charisma_counts_and_not_the_points_left() -> None:
    assert morale_penalty(alone(morale=3, charisma=0).model(0)).value == 0
    assert morale_penalty(alone(morale=4, charisma=0, handed=3).model(0)).value == -1


@pytest.mark.covers("morale/markers")
def test_markers_pile_up_on_models_on_the_table() -> None:
    position = alone()
    model = position.model(0)
    receive_morale(model, 2)
    receive_morale(model, 3)
    assert (model.marks("morale"), model.marks("shaken")) == (5, 1)
    calm, gone = alone().model(0), alone().model(0)
    receive_morale(calm, 0)
    gone.position.remove(gone, "shot")
    receive_morale(gone, 2)
    assert [model.marks("shaken") for model in (calm, gone)] == [0, 0]


# ---------------------------------------------------------------- suppression/*


@pytest.mark.covers("suppression/when")
@pytest.mark.parametrize(("wounds", "tests"), [((), False), (("wound",), True), (("wound", "wound"), True)])
def test_a_model_wounded_in_this_turn_tests_however_often(wounds: tuple[str, ...], tests: bool) -> None:
    model = alone("barrow_jarl").model(0)
    suffer(model, wounds, 1, "shot")
    assert must_test_suppression(model) is tests


@pytest.mark.covers("suppression/when")
def test_wounds_healed_in_the_same_turn_still_ask_for_the_test_and_old_ones_do_not() -> None:
    position = alone("barrow_jarl")
    suffer(position.model(0), ("wound",), 1, "steam")
    heal(position.model(0))
    assert must_test_suppression(position.model(0))
    play(end_phase(position))
    assert not must_test_suppression(position.model(0))
    assert not must_test_suppression(alone("barrow_jarl", wounds=1).model(0))


@pytest.mark.covers("suppression/when")
def test_whoever_is_out_of_action_or_gone_does_not_test() -> None:
    fallen, gone = alone().model(0), alone().model(0)
    suffer(fallen, ("wound",), 1, "shot")
    suffer(gone, ("lethal",), 1, "shot")
    assert not must_test_suppression(fallen)
    assert not must_test_suppression(gone)


def wounded_and_shaken(**marks: Any) -> Position:
    return table(
        a("raider", at=(60, 50), commander=0, wounded=1, **marks),
        a("raider", at=(30, 50), wounded=1),
        a("barrow_jarl", at=(110, 5), commander=1),
        a("barrow_jarl", 1, at=(60, 110), wounded=1, commander=1),
        phase="control",
    )


@pytest.mark.covers("suppression/when")
def test_in_the_control_phase_the_wounded_of_both_sides_test_once_in_the_order_of_the_active_player() -> None:
    played = play(control_phase(wounded_and_shaken()), dice="6 6 | 6 6 | 6 6", answers=[[3, 1, 0]])
    assert played.prompts == ["suppression-order"]
    assert [question.about.get("model") for question in played.questions[1:]] == [3, 1, 0]


@pytest.mark.covers("suppression/effect")
@pytest.mark.parametrize(("dice", "suppressed"), [("4 4", 0), ("4 3", 1)])
def test_whoever_fails_is_suppressed(dice: str, suppressed: int) -> None:
    position = alone()
    play(suppression_test(position.model(0)), dice=dice)
    assert position.model(0).marks("suppressed") == suppressed
    assert position.model(0).is_on_table


@pytest.mark.covers("suppression/effect")
def test_to_the_suppressed_everything_costs_double_and_nothing_stays_nothing() -> None:
    suppressed, calm = alone(suppressed=1).model(0), alone().model(0)
    assert [doubled(suppressed, cost) for cost in (0, 1, 2)] == [0, 2, 4]
    assert [doubled(calm, cost) for cost in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.covers("suppression/effect")
def test_the_doubled_price_must_be_there_and_is_paid() -> None:
    model = alone(suppressed=1).model(0)
    assert too_dear(model, 1) is None
    fault = too_dear(model, 2)
    assert fault is not None
    assert (fault.measured, fault.limit) == (3, 4)
    pay(model, 1)
    assert points_left(model) == 1


@pytest.mark.covers("suppression/effect")
@pytest.mark.parametrize(("charisma", "rule"), [(2, ""), (1, "tactical/charisma-limit")])
def test_a_suppressed_model_moves_for_two_points(charisma: int, rule: str) -> None:
    position = alone(suppressed=1, charisma=charisma)
    assert refused(position, 0, "move", "walk", [[], 90]) == rule
    if not rule:
        activate(position, [0, "move", "walk", [[], 90]])
        assert points_left(position.model(0)) == 0


@pytest.mark.covers("suppression/flight")
@pytest.mark.parametrize(("dice", "stays"), [("4 4", True), ("4 3", False)])
def test_a_second_failure_under_the_marker_is_flight_and_a_loss(dice: str, stays: bool) -> None:
    position = alone(suppressed=1)
    played = play(suppression_test(position.model(0)), dice=dice, position=position)
    assert position.model(0).is_on_table is stays
    assert [one.rules[-1] for one in played.events if one.kind == "remove"] == ([] if stays else ["suppression/flight"])
    assert [loss.cause for loss in position.losses] == ([] if stays else ["flight"])


@pytest.mark.covers("suppression/flight")
def test_after_the_marker_is_gone_a_failure_only_suppresses_again() -> None:
    position = alone(suppressed=1)
    position.model(0).mark("suppressed", 0)
    play(suppression_test(position.model(0)), dice="1 1")
    assert position.model(0).is_on_table
    assert position.model(0).marks("suppressed") == 1


# ---------------------------------------------------------------- pinning/*


@pytest.mark.covers("pinning/when")
def test_a_model_that_received_a_marker_in_this_turn_tests_even_if_it_is_gone_since() -> None:
    position = alone()
    model = position.model(0)
    assert not must_test_pinning(model)
    receive_morale(model, 1)
    model.mark("morale", 0)
    assert must_test_pinning(model)
    play(end_phase(position))
    assert not must_test_pinning(model)
    assert not must_test_pinning(alone(morale=5).model(0))


@pytest.mark.covers("pinning/when")
def test_whoever_is_out_of_action_is_not_pinned() -> None:
    model = alone(wounds=1).model(0)
    receive_morale(model, 1)
    assert not must_test_pinning(model)


@pytest.mark.covers("pinning/already-prone")
@pytest.mark.parametrize(("prone", "tests"), [(0, True), (4, False)])
def test_a_model_already_prone_ignores_the_test(prone: int, tests: bool) -> None:
    model = alone(prone=prone, shaken=1).model(0)
    assert must_test_pinning(model) is tests


@pytest.mark.covers("pinning/when", "suppression/when")
def test_all_pinning_tests_come_before_the_suppression_tests() -> None:
    position = wounded_and_shaken(shaken=1)
    played = play(control_phase(position), dice="6 6 | 6 6 | 6 6 | 6 6", answers=[[0, 1, 3]])
    assert played.rolls == ["pinning-test", *["suppression-test"] * 3]


@pytest.mark.covers("pinning/effect")
@pytest.mark.parametrize(("dice", "prone"), [("4 4", 0), ("4 3", 4)])
def test_whoever_fails_throws_itself_down_for_nothing_and_without_fatigue(dice: str, prone: int) -> None:
    position = alone(shaken=1)
    model = position.model(0)
    play(pinning_test(model), dice=dice)
    assert model.marks("prone") == prone
    assert (points_left(model), model.marks("fatigue"), model.marks("used-go-prone")) == (3, 0, 0)


@pytest.mark.covers("pinning/effect", "prone/duration")
def test_a_pinned_model_lies_through_the_following_turn() -> None:
    position = alone(shaken=1)
    play(pinning_test(position.model(0)), dice="1 1")
    play(end_phase(position))
    assert position.model(0).marks("prone") == 4
    position.now.update(turn=4, side=1)
    play(end_phase(position))
    assert position.model(0).marks("prone") == 0


# ---------------------------------------------------------------- command-test/*


def force(*gone: dict[str, Any], size: int = 4) -> Position:
    """A force of so many raiders with its commander, the first ones marked so."""
    ranks: list[Figure] = [a("barrow_jarl", at=(60, 10), commander=1)]
    ranks += [a("raider", at=(20 + 5 * k, 20), **(gone[k] if k < len(gone) else {})) for k in range(size - 1)]
    return table(*ranks, a("raider", 1, at=(60, 110), commander=1), phase="command")


@pytest.mark.covers("command-test/when", "rounding/up")
@pytest.mark.parametrize(("size", "fallen", "tests"), [(4, 2, False), (4, 3, True), (5, 2, False), (5, 3, True)])
def test_the_command_test_comes_with_more_than_half_of_the_force_lost(size: int, fallen: int, tests: bool) -> None:
    position = force(*[{"wounds": 1}] * fallen, size=size)
    assert losses(position, 0) == fallen
    assert must_test_command(position, 0) is tests
    assert play(command_phase(position), dice="6 6" if tests else "").rolls == ["command-test"] * tests


@pytest.mark.covers("command-test/when")
def test_the_removed_and_the_fallen_are_losses_those_in_reserve_and_the_summoned_are_not() -> None:
    position = force({"wounds": 1}, {"summoned": 1, "wounds": 1}, {})
    assert losses(position, 0) == 1
    position.remove(position.model(3), "shot")
    assert losses(position, 0) == 2
    position.take_off(position.model(3))
    assert losses(position, 0) == 1


@pytest.mark.covers("command-test/when")
def test_the_healed_are_losses_no_longer() -> None:
    position = force(*[{"wounds": 1}] * 3)
    assert must_test_command(position, 0)
    heal(position.model(1))
    assert not must_test_command(position, 0)


@pytest.mark.covers("command-test/when")
def test_only_the_force_whose_turn_it_is_tests_and_again_in_each_of_its_turns() -> None:
    position = force(*[{"wounds": 1}] * 3)
    position.now["side"] = 1
    assert play(command_phase(position)).rolls == []
    position.now["side"] = 0
    for _ in range(2):
        assert play(command_phase(position), dice="6 6").rolls == ["command-test"]


@pytest.mark.covers("command-test/failure")
@pytest.mark.parametrize(("dice", "winner"), [("3 3", None), ("3 2", 1)])
def test_a_force_that_fails_withdraws_and_the_opponent_wins(dice: str, winner: int | None) -> None:
    position = force(*[{"wounds": 1}] * 3)
    play(command_test(position, 0), dice=dice, answers=["no"] if winner is not None else [])
    assert (None if position.result is None else position.result.winner) == winner
    if position.result is not None:
        assert position.result.rule == "command-test/failure"


@pytest.mark.covers("command-test/failure", "commander/reroll")
def test_the_commander_may_repeat_the_command_test() -> None:
    position = force(*[{"wounds": 1}] * 3)
    assert play(command_test(position, 0), dice="3 2 | 3 3", answers=["yes"]).prompts == ["repeat-test"]
    assert position.result is None


@pytest.mark.covers("command-test/failure", "morale/markers")
def test_the_commander_tests_with_its_own_psyche_and_its_own_markers() -> None:
    position = force(*[{"wounds": 1}] * 3)
    position.model(0).mark("morale", 5)
    need = play(command_test(position, 0), dice="6 6").questions[0].needed  # type: ignore[attr-defined]
    assert (need.base, need.modifier) == (6, -1)


@pytest.mark.covers("command-test/failure")
def test_a_force_without_any_commander_takes_no_test() -> None:
    position = table(a("raider"), a("raider", 1, at=(60, 110)))
    assert play(command_test(position, 0)).rolls == []
    assert position.result is None


# ---------------------------------------------------------------- ability-test/*


@pytest.mark.covers("ability-test/test")
@pytest.mark.parametrize(("dice", "passed"), [("3 2", True), ("2 2", False)])
def test_an_ability_needs_a_test_on_the_psyche(dice: str, passed: bool) -> None:
    model = alone("rune_seer").model(0)
    assert play(ability_test(model, NOTHING), dice=dice).value is passed
    assert bool(model.marks("barred-ability")) is not passed


@pytest.mark.covers("ability-test/test", "concentrate/bonus", "special/expert")
def test_concentration_and_a_trained_mind_help() -> None:
    plain = play(ability_test(alone("rune_seer").model(0), Part("concentrate/bonus", 1)), dice="2 2")
    assert plain.value is True
    trained = table(a("rune_seer", changes={"expert": "mind"}))
    assert play(ability_test(trained.model(0), NOTHING), dice="2 2").value is True
    assert play(ability_test(trained.model(0), NOTHING), dice="1 2").value is False


@pytest.mark.covers("ability-test/test", "commander/psi-radius")
def test_the_psyche_of_a_commander_nearby_may_be_used() -> None:
    """The jarl (PSI 6) under a seer (PSI 5) that commands."""
    position = table(a("barrow_jarl", at=(60, 50)), a("rune_seer", at=(60, 60), commander=1))
    assert play(ability_test(position.model(0), NOTHING), dice="3 2").value is True
    apart = table(a("barrow_jarl", at=(60, 50)), a("rune_seer", at=(60, 110), commander=1))
    assert play(ability_test(apart.model(0), NOTHING), dice="3 2").value is False


@pytest.mark.covers("ability-test/test", "ability-test/failure")
@pytest.mark.parametrize(("dice", "works"), [("3 3", True), ("3 2", False)])
def test_only_a_test_that_is_passed_lets_the_ability_work(dice: str, works: bool) -> None:
    position = alone("barrow_jarl")
    act = Declaration(position.model(0), "ability", ["furious_charge"])
    play(use_ability(act), dice=dice)
    assert bool(position.effects) is works


@pytest.mark.covers("ability-test/failure")
def test_after_a_failure_no_ability_may_be_tried_until_the_end_of_the_turn_and_the_points_are_spent() -> None:
    position = alone("barrow_jarl")
    model = position.model(0)
    assert is_barred(model) is None
    activate(position, [0, "ability", "furious_charge"], dice="2 2")
    assert points_left(model) == 3
    assert is_barred(model) is not None
    assert refused(position, 0, "ability", "furious_charge") == "ability-test/failure"
    play(end_phase(position))
    assert is_barred(model) is None


@pytest.mark.covers("ability-test/failure", "commander/reroll")
def test_a_commanders_second_try_is_part_of_the_same_test() -> None:
    position = table(a("barrow_jarl", commander=1))
    played = play(ability_test(position.model(0), NOTHING), dice="2 2 | 5 5", answers=["yes"])
    assert played.value is True
    assert is_barred(position.model(0)) is None
