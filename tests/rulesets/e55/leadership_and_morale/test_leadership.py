"""Chapters 4 and 4.1: leadership, its tests, morale tests and what calls for them."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.definitions.units import BROKEN, COMBAT
from campale.rulesets.e55.leadership_and_morale import morale, rout
from campale.rulesets.e55.leadership_and_morale.leadership import (
    fails_as_broken,
    is_hopeless,
    is_implacable,
    is_unshakable,
    leadership_need,
    leadership_test,
    may_choose,
    morale_passed,
    needs_no_morale,
    unit_leadership,
)
from campale.rulesets.e55.leadership_and_morale.morale import (
    has_lost_a_quarter,
    lost_in_phase,
    morale_test,
    overrun,
    passed_after_losing,
)
from campale.rulesets.e55.turn.sequence import phases_of_a_turn
from tests.rulesets.e55.kit import Played, Squad, model, play, profile, squad, table, unit


def judged(number: int, dice: str = "", modifier: int = 0, **changes: Any) -> Played:
    """A leadership test of a veteran with a leadership of ``number``."""
    position = table(squad(profile("veteran", ld=number, **changes)))
    return play(leadership_test(unit(position, 0), "test", modifier), dice, position=position)


def of_leadership(number: int, count: int = 1, **more: Any) -> Squad:
    return squad(profile("veteran", ld=number), count, at=(30, 20), **more)


def lose(position: Position, *rows: int) -> None:
    for row in rows:
        position.remove(model(position, row), "fire")


def losing(*rows: int, count: int = 8, **marks: int) -> Position:
    """A unit of militia that has lost some of its models in this phase."""
    position = table(squad("militia", count, at=(30, 20), **marks), squad("militia", 4, side=1, at=(30, 30)))
    lose(position, *rows)
    return position


# ---------------------------------------------------------------- 4: leadership tests


@pytest.mark.covers("4/unit-leadership")
def test_a_unit_has_the_highest_leadership_of_its_models_and_not_the_most_frequent() -> None:
    militia = profile("militia")
    position = table(squad([militia, militia, militia, profile("sergeant")]), squad("militia", 3, at=(10, 10)))
    assert unit_leadership(unit(position, 0)) == 9
    assert unit_leadership(unit(position, 1)) == 7
    lose(position, 3)
    assert unit_leadership(unit(position, 0)) == 7


@pytest.mark.covers("4/leadership-test", "1.1/dice-notation")
def test_two_dice_that_add_up_to_the_leadership_pass() -> None:
    assert judged(8, "4 4").value
    assert not judged(8, "5 4").value
    assert judged(8, "4 4").rolls == ["test"]
    assert judged(8, "4 4").cites("4/leadership-test")


@pytest.mark.covers("4/leadership-test")
def test_the_modifiers_of_the_test_count() -> None:
    assert judged(8, "3 3", -2).value
    assert not judged(8, "3 4", -2).value


@pytest.mark.covers("4/leadership-extremes")
def test_a_total_of_2_passes_and_12_fails_whatever_the_leadership() -> None:
    assert judged(1, "1 1").value
    assert not judged(1, "1 2").value
    assert not judged(10, "6 6").value
    assert judged(10, "5 5").value
    assert leadership_need(13, 0, 0).are_met_by((11, 12)) == (True, False)


@pytest.mark.covers("4/leadership-zero")
def test_at_0_no_dice_are_rolled_and_the_test_fails() -> None:
    played = judged(8, "", -8)
    assert not played.value
    assert not played.rolls
    assert judged(8, "1 1", -7).value
    assert is_hopeless(0)
    assert is_hopeless(-1)
    assert not is_hopeless(1)


@pytest.mark.covers("4/leadership-eleven")
def test_at_11_a_leadership_test_is_passed_without_dice() -> None:
    assert judged(11).value
    assert not judged(10, "6 5").value
    assert is_unshakable(11)
    assert not is_unshakable(10)


@pytest.mark.covers("4/leadership-eleven")
def test_whether_it_is_11_is_seen_after_the_modifiers() -> None:
    assert judged(12, "5 4", -3).value
    assert not judged(12, "5 5", -3).value
    assert judged(12, "", -1).value


@pytest.mark.covers("7.1/missing-characteristic")
def test_vehicles_pass_the_tests_on_a_leadership_that_they_have_not() -> None:
    position = table(squad("walker"))
    assert unit_leadership(unit(position, 0)) is None
    assert play(leadership_test(unit(position, 0), "fear", -9)).value


# ---------------------------------------------------------------- 4.1: morale tests


@pytest.mark.covers("4.1/morale-test")
def test_a_morale_test_passed_has_no_effect() -> None:
    position = table(squad("militia", 3, at=(30, 20)))
    assert play(morale_test(unit(position, 0), "losses"), "3 4", position=position).value
    assert not unit(position, 0).marks(BROKEN)
    assert model(position, 0).at == (30, 20)


@pytest.mark.covers("4.1/morale-test", "4.2/break-fall-back")
def test_a_morale_test_failed_breaks_the_unit() -> None:
    position = table(squad("militia", 3, at=(30, 20)))
    played = play(morale_test(unit(position, 0), "losses"), "4 4 | 2 3", position=position)
    assert not played.value
    assert played.rolls == ["losses", "fall-back"]
    assert unit(position, 0).marks(BROKEN)
    assert model(position, 0).at == (30, 15)


@pytest.mark.covers("4.1/morale-choice", "4/leadership-eleven")
def test_who_has_leadership_11_chooses_the_result() -> None:
    for answer, broken in (("pass", 0), ("fail", 1)):
        position = table(of_leadership(11))
        played = play(morale_test(unit(position, 0), "losses"), "3 3" if broken else "", [answer], position)
        assert played.prompts == ["morale-result"]
        assert played.questions[0].suggestions()[0] == "pass"
        assert unit(position, 0).marks(BROKEN) == broken


@pytest.mark.covers("4.1/morale-choice")
def test_who_has_10_after_the_modifiers_rolls() -> None:
    position = table(of_leadership(11))
    played = play(morale_passed(unit(position, 0), "losses", -1), "5 5", position=position)
    assert played.value
    assert played.rolls == ["losses"]
    assert may_choose(unit(position, 0))
    assert not may_choose(unit(position, 0), -1)


@pytest.mark.covers("4.1/morale-choice", "4.2/broken-auto-fail")
def test_a_broken_unit_has_nothing_to_choose() -> None:
    position = table(of_leadership(11, broken=1))
    assert not may_choose(unit(position, 0))
    assert not play(morale_passed(unit(position, 0), "losses"), position=position).value


@pytest.mark.covers("4.1/morale-is-not-leadership")
def test_what_holds_of_morale_tests_does_not_hold_of_leadership_tests() -> None:
    position = table(squad(profile("veteran", adds=["implacable"])), of_leadership(11))
    assert play(morale_passed(unit(position, 0), "losses"), position=position).value
    assert not play(leadership_test(unit(position, 0), "fear"), "6 3", position=position).value
    assert play(leadership_test(unit(position, 1), "fear"), position=position).prompts == []
    assert play(morale_passed(unit(position, 1), "losses"), "", ["pass"], position).prompts == ["morale-result"]


@pytest.mark.covers("4.1/morale-is-not-leadership", "4.2/rally")
def test_an_implacable_unit_rallies_by_its_dice() -> None:
    position = table(squad(profile("veteran", adds=["implacable"]), at=(30, 20), broken=1))
    play(rout.rally(unit(position, 0)), "6 3 | 4", position=position)
    assert unit(position, 0).marks(BROKEN)


@pytest.mark.covers("8/implacable")
def test_one_implacable_model_passes_the_morale_tests_of_its_unit() -> None:
    militia = profile("militia")
    position = table(squad([militia, militia, profile("militia", adds=["implacable"])]), squad("militia", 2))
    assert is_implacable(unit(position, 0))
    assert not is_implacable(unit(position, 1))
    assert play(morale_test(unit(position, 0), "losses"), position=position).value
    lose(position, 2)
    assert not is_implacable(unit(position, 0))
    assert not play(morale_passed(unit(position, 0), "losses"), "6 2", position=position).value


@pytest.mark.covers("8/implacable")
def test_implacable_units_pass_though_hopeless_or_broken() -> None:
    position = table(squad(profile("veteran", adds=["implacable"]), broken=1))
    assert play(morale_passed(unit(position, 0), "lost-combat", -20), position=position).value


@pytest.mark.covers("8/implacable", "4.1/morale-choice")
def test_an_implacable_unit_may_choose_to_fail_only_at_11() -> None:
    position = table(squad(profile("veteran", adds=["implacable"], ld=11), at=(30, 20)))
    assert not play(morale_passed(unit(position, 0), "losses"), "", ["fail"], position).value
    assert play(morale_passed(unit(position, 0), "losses", -1), position=position).prompts == []


@pytest.mark.covers("7.1/no-morale")
def test_a_morale_test_of_vehicles_is_skipped() -> None:
    position = table(squad("tank", 2, at=[(20, 20), (26, 20)]), squad("walker", at=(40, 20)), squad("militia"))
    for number in (0, 1):
        assert needs_no_morale(unit(position, number))
        assert play(morale_test(unit(position, number), "losses", -20), position=position).value
    assert not needs_no_morale(unit(position, 2))


@pytest.mark.covers("4.1/trigger-overrun")
def test_an_overrun_calls_for_a_morale_test() -> None:
    position = table(squad("militia", at=(30, 20)))
    assert not play(overrun(unit(position, 0)), "6 2 | 1 1", position=position).value
    assert unit(position, 0).marks(BROKEN)
    position = table(squad("militia", at=(30, 20)))
    assert play(overrun(unit(position, 0)), "6 1", position=position).value


@pytest.mark.covers("4.1/trigger-overrun", "4.1/trigger-casualties")
def test_an_overrun_does_nothing_to_a_unit_that_has_fled_already() -> None:
    position = table(squad("militia", at=(30, 20), broken=1))
    assert play(overrun(unit(position, 0)), position=position).rolls == []
    assert model(position, 0).at == (30, 20)
    position = in_combat_and_broken()
    assert not play(overrun(unit(position, 0)), "1 1 | 1", [-1], position, accepting=True).value
    assert not unit(position, 0).marks(COMBAT)


def in_combat_and_broken() -> Position:
    return table(squad("militia", at=(30, 20), broken=1, combat=1), squad("veteran", side=1, at=(30, 21), combat=1))


@pytest.mark.covers("4.1/trigger-lost-combat", "3.3.2/loser-morale")
def test_the_result_of_the_combat_comes_off_the_leadership_of_the_losers() -> None:
    position = table(squad("veteran", 2, at=(30, 20)))
    assert play(passed_after_losing(unit(position, 0), 3), "3 2", position=position).value
    assert not play(passed_after_losing(unit(position, 0), 3), "3 3", position=position).value
    assert not play(passed_after_losing(unit(position, 0), 8), position=position).value


# ---------------------------------------------------------------- 4.1: more than a quarter lost


@pytest.mark.covers("4.1/trigger-casualties")
def test_a_quarter_lost_is_not_enough_and_more_is() -> None:
    assert not has_lost_a_quarter(unit(losing(0, 1), 0))
    assert has_lost_a_quarter(unit(losing(0, 1, 2), 0))
    assert not has_lost_a_quarter(unit(losing(0, count=4), 0))
    assert has_lost_a_quarter(unit(losing(0, count=3), 0))


@pytest.mark.covers("4.1/trigger-casualties")
def test_only_what_was_lost_in_this_phase_counts() -> None:
    position = losing(0, 1, 2)
    position.now["lost-before"] = 1
    assert lost_in_phase(unit(position, 0)) == 2
    assert not has_lost_a_quarter(unit(position, 0))


@pytest.mark.covers("4.1/trigger-casualties", "1.1/casualty")
def test_models_that_leave_the_table_alive_are_no_losses() -> None:
    position = losing(0, 1)
    for row in (2, 3, 4):
        position.take_off(model(position, row))
    assert not has_lost_a_quarter(unit(position, 0))
    position.take_off(model(position, 5), aboard_of=model(position, 8))
    assert lost_in_phase(unit(position, 0)) == 2


@pytest.mark.covers("4.1/trigger-casualties")
def test_of_a_unit_that_came_in_this_phase_the_models_that_it_came_with_count() -> None:
    position = losing(0, count=4, at_phase_start=0)
    unit(position, 0).mark("at-phase-start", 0)
    assert not has_lost_a_quarter(unit(position, 0))
    lose(position, 1)
    assert has_lost_a_quarter(unit(position, 0))


@pytest.mark.covers("4.1/trigger-casualties")
def test_the_test_comes_at_the_end_of_the_movement_and_the_shooting_phase_only() -> None:
    names = [name for name, phase in phases_of_a_turn().items() if phase is morale.tests_for_casualties]
    assert names == ["after-movement", "after-shooting"]


@pytest.mark.covers("4.1/trigger-casualties")
def test_a_unit_tests_once_and_breaks() -> None:
    position = losing(0, 1, 2)
    assert play(morale.tests_for_casualties(position), "4 4 | 3 2", position=position).value
    assert unit(position, 0).marks(BROKEN)
    unit(position, 0).mark(BROKEN, 0)
    assert not play(morale.tests_for_casualties(position), position=position).value


@pytest.mark.covers("4.1/trigger-casualties")
def test_nobody_tests_who_has_not_lost_enough() -> None:
    assert not play(morale.tests_for_casualties(losing(0, 1))).value


@pytest.mark.covers("4.1/trigger-casualties")
def test_a_unit_that_passes_is_not_asked_again_in_the_phase_but_in_the_next() -> None:
    position = losing(0, 1, 2)
    assert play(morale.tests_for_casualties(position), "3 4", position=position).value
    assert not play(morale.tests_for_casualties(position), position=position).value
    assert play(morale.tests_for_casualties(position), "3 4", position=position).value


@pytest.mark.covers("4.1/trigger-casualties")
def test_a_broken_unit_that_is_not_engaged_does_not_test() -> None:
    assert not play(morale.tests_for_casualties(losing(0, 1, 2, broken=1))).value


@pytest.mark.covers("4.1/trigger-casualties", "4.2/broken-auto-fail")
def test_a_broken_unit_in_a_combat_fails_and_falls_back_again() -> None:
    position = losing(0, 1, 2, broken=1, combat=1)
    unit(position, 1).mark(COMBAT, 1)
    unit(position, 1).mark(BROKEN, 1)
    played = play(morale.tests_for_casualties(position), "2 2", position=position)
    assert played.rolls == ["fall-back"]
    assert not unit(position, 0).marks(COMBAT)


@pytest.mark.covers("4.1/trigger-casualties", "3/decision-order")
def test_the_active_player_tests_first_and_every_owner_chooses_the_order_of_his_units() -> None:
    squads = [squad("militia", 2, side=side, at=(10 + 10 * n, 20)) for n, side in enumerate((1, 1, 0))]
    position = table(*squads)
    lose(position, 0, 2, 4)
    first = play(morale.tests_for_casualties(position), "1 1", position=position)
    assert first.questions[0].about["unit"] == 2
    second = play(morale.tests_for_casualties(position), "1 1", [1], position)
    assert second.prompts == ["test-for-losses"]
    assert second.questions[0].side == 1
    third = play(morale.tests_for_casualties(position), "1 1", position=position)
    assert third.questions[0].about["unit"] == 0
    assert not play(morale.tests_for_casualties(position), position=position).value


@pytest.mark.covers("4.1/trigger-casualties", "7.1/no-morale")
def test_squadrons_that_lose_vehicles_do_not_test() -> None:
    position = table(squad("tank", 2, at=[(20, 20), (26, 20)]))
    lose(position, 0)
    assert not play(morale.tests_for_casualties(position), position=position).value


@pytest.mark.covers("4.1/trigger-casualties", "4.2/breakthrough-eligible")
def test_who_fails_in_a_combat_may_suffer_a_breakthrough() -> None:
    position = table(
        squad("militia", 4, at=[(30, 20), (31, 20), (32, 20), (33, 20)], combat=1),
        squad("veteran", 1, side=1, at=(30, 21), combat=1),
    )
    lose(position, 2, 3)
    played = play(morale.tests_for_casualties(position), "6 6 | 3 3 | 1", [-1], position, accepting=True)
    assert played.prompts[0] == "break-through"


@pytest.mark.covers("4.1/trigger-casualties", "3.3.2/consolidation")
def test_whoever_is_left_in_the_combat_without_enemies_consolidates() -> None:
    position = table(
        squad("militia", 4, at=[(30, 20), (31, 20), (32, 20), (33, 20)], combat=1),
        squad("veteran", 1, side=1, at=(30, 21), combat=1),
    )
    lose(position, 2, 3)
    played = play(morale.tests_for_casualties(position), "6 6 | 3 3 | 1", [-1], position, accepting=True)
    assert played.rolls == ["losses", "fall-back", "consolidation"]
    assert not unit(position, 1).marks(COMBAT)


@pytest.mark.covers("4.2/broken-auto-fail")
def test_broken_units_fail_leadership_and_morale_tests_without_dice() -> None:
    position = table(squad("veteran", broken=1), squad("veteran", at=(10, 10)))
    assert fails_as_broken(unit(position, 0))
    assert not play(leadership_test(unit(position, 0), "fear"), position=position).value
    assert not play(morale_passed(unit(position, 0), "losses"), position=position).value
    assert play(leadership_test(unit(position, 1), "fear"), "2 2", position=position).value
