"""What one key accepts: the option that the advice values most, and no ability that takes a unit away."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Form
from campale.referee.refusal import Plain
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.rulesets.w10.abilities.moments import choose_one, pick_one, uses_at
from campale.rulesets.w10.armies.profile import Weapon
from campale.rulesets.w10.basics.units import ADVANCED, ARRIVED, PICKED, POINTS
from campale.rulesets.w10.charge.charging import begin_charging
from campale.rulesets.w10.charge.phase import charge_with_a_unit
from campale.rulesets.w10.movement.phase import move_a_unit
from campale.rulesets.w10.movement.reserves import reinforcements
from campale.rulesets.w10.shooting.phase import shoot_with_a_unit
from campale.rulesets.w10.windows.windows import CP
from campale.screen.proposing import proposed
from tests.rulesets.w10.kit import ability, blade, first_question, gun, question_after, squad, table

SONG = {"who": "army", "moment": "command", "optional": True, "do": [{"cp": 1}]}
QUARRY = {"who": "army", "moment": "command", "pick": {"side": "enemy", "inches": 200}, "do": [{"suffers": "1"}]}


def accepted(position: Position, rule: Coroutine[Any, Any, Any], *answers: Any) -> Plain:
    """What one key accepts at the question that a rule asks after some answers."""
    question = question_after(rule, answers=answers) if answers else first_question(rule)
    asked = question.field([]) if isinstance(question, Form) else question
    assert asked is not None
    return proposed(asked, Teller(load_ruleset("w10"), "en"), position)


@pytest.mark.parametrize(("has_moved", "answer"), [(0, 0), (1, "done")])
def test_an_ability_that_replaces_a_unit_is_not_proposed_for_its_move(has_moved: int, answer: Plain) -> None:
    position = table(squad("gunners", 3, marks={PICKED: has_moved}), squad("captain", 1, 1, (30, 40)), phase="movement")
    assert accepted(position, move_a_unit(position, 0)) == answer


def test_nor_is_one_proposed_for_a_unit_that_has_just_arrived() -> None:
    mine = squad("wardens", 1, marks={PICKED: 1, ARRIVED: 1})
    position = table(mine, squad("captain", 1, 1, (30, 40)), phase="movement")
    assert accepted(position, reinforcements(position, 0)) == "done"


@pytest.mark.parametrize(("do", "is_used"), [({"cp": 1}, True), ({"act": "reserves"}, False)])
def test_an_ability_that_costs_nothing_is_proposed_unless_it_takes_its_unit_away(
    do: dict[str, Plain], is_used: bool
) -> None:
    rules = ability(**{**SONG, "who": "unit", "do": [do]})
    position = table(squad("captain", rules=rules), squad("captain", 1, 1, (30, 40)), phase="command")
    uses = uses_at(position, 0, "command", {})
    assert (accepted(position, choose_one(0, "command", uses)) != "pass") is is_used


@pytest.mark.parametrize(("far", "marked"), [(40, 1), (10, 2)])
def test_an_ability_on_an_enemy_is_proposed_for_one_that_is_worth_it_and_near(far: float, marked: int) -> None:
    mine = squad("captain", at=(5, 10), rules=ability(**QUARRY))
    near, other = squad("captain", 1, 1, (5, 20), {POINTS: 50}), squad("captain", 1, 1, (5 + far, 10), {POINTS: 100})
    position = table(mine, near, other, phase="command")
    uses = uses_at(position, 0, "command", {})
    assert accepted(position, pick_one(uses)) == marked


@pytest.mark.parametrize(("tough", "target"), [(1, 2), (2, 1)])
def test_the_target_that_loses_most_is_proposed(tough: int, target: int) -> None:
    worth = {POINTS: 100}
    foes = [squad("line-squad", 5, 1, (10 + 20 * n, 25), worth, t=12 if n == tough else 3) for n in (1, 2)]
    position = table(squad("line-squad", 5, at=(35, 10), weapons=(gun(),)), *foes, phase="shooting")
    assert accepted(position, shoot_with_a_unit(position, 0), 0) == target


@pytest.mark.parametrize(("arms", "answer"), [(blade(a="8", s=8, ap=-3, d="2"), 0), (gun(), "done")])
def test_a_charge_that_gains_nothing_is_not_proposed(arms: Weapon, answer: Plain) -> None:
    foes = squad("line-squad", 5, 1, (30, 16.5), {POINTS: 200}, weapons=(blade(a="4"),))
    position = table(squad("walker", 1, 0, (30, 10), {POINTS: 200}, weapons=(arms,)), foes, phase="charge")
    begin_charging(position, 0)
    assert accepted(position, charge_with_a_unit(position, 0)) == answer


@pytest.mark.parametrize(("has_advanced", "answer"), [(0, 0), (1, "done")])
def test_a_stratagem_is_not_proposed_where_a_unit_is_chosen_to_shoot(has_advanced: int, answer: Plain) -> None:
    mine = squad("line-squad", 5, marks={ADVANCED: has_advanced}, weapons=(gun(),))
    position = table(mine, squad("line-squad", 5, 1, (30, 16)), phase="shooting")
    position.gain(0, CP, 1)
    assert ("grenade", 0) in first_question(shoot_with_a_unit(position, 0)).suggestions()
    assert accepted(position, shoot_with_a_unit(position, 0)) == answer
