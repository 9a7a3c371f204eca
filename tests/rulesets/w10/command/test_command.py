"""The Command phase: command points, battle-shock (command-phase/*, t/battle-shock-*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import GONE, Position
from campale.rulesets.w10.basics.units import is_below_half
from campale.rulesets.w10.command.phase import battle_shock_step, battle_shock_test, begin_command, to_test
from campale.rulesets.w10.windows.windows import CP
from tests.rulesets.w10.kit import model, play, squad, table, unit

covers = pytest.mark.covers


def reduced(count: int, left: int, **fields: Any) -> Position:
    """A unit of so many models of which so many are left."""
    position = table(squad("line-squad", count, **fields))
    for row in range(left, count):
        position.remove(model(position, row), "shooting")
    return position


@covers("command-phase/below-half-strength", "f/starting-strength")
@pytest.mark.parametrize(("count", "left", "below"), [(10, 5, False), (10, 4, True), (5, 3, False), (5, 2, True)])
def test_below_half_strength_is_less_than_half_the_models(count: int, left: int, below: bool) -> None:
    assert is_below_half(unit(reduced(count, left), 0)) is below


@covers("command-phase/below-half-strength")
@pytest.mark.parametrize(("w", "lost", "below"), [(8, 4, False), (8, 5, True), (5, 2, False), (5, 3, True)])
def test_of_a_single_model_its_wounds_count(w: int, lost: int, below: bool) -> None:
    position = table(squad("walker", w=w, models={"wounds": lost}))
    assert is_below_half(unit(position, 0)) is below


@covers("command-phase/gain-cp", "command-phase/command-step")
def test_both_sides_gain_a_command_point_in_each_command_phase() -> None:
    position = reduced(5, 5)
    begin_command(position, 0)
    begin_command(position, 1)
    assert [position.holds(side, CP) for side in (0, 1)] == [2, 2]


@covers("command-phase/recover", "t/battle-shock-duration", "f/unit-phase")
def test_units_recover_at_the_start_of_their_own_command_phase_only() -> None:
    shocked = {"shocked": 1}
    position = table(squad("line-squad", marks=shocked), squad("line-squad", 1, 1, (30, 30), marks=shocked))
    begin_command(position, 0)
    assert [unit(position, row).marks("shocked") for row in (0, 1)] == [0, 1]


@covers("command-phase/recover")
def test_of_a_destroyed_unit_it_is_not_told_that_it_recovers() -> None:
    position = table(squad("line-squad", 1, marks={"shocked": 1}), squad("line-squad", 1, 1, (30, 30)))
    position.take_off(position.model(0), GONE)
    begin_command(position, 0)
    assert unit(position, 0).marks("shocked") == 1


@covers("command-phase/battle-shock-step", "t/battle-shock-test", "t/leadership-test")
@pytest.mark.parametrize(("dice", "shocked"), [("3 3", 0), ("2 3", 1)])
def test_a_unit_below_half_is_shocked_by_less_than_its_leadership(dice: str, shocked: int) -> None:
    position = reduced(5, 2, ld=6)
    assert play(battle_shock_step(position, 0), dice, position=position).value is False
    assert unit(position, 0).marks("shocked") == shocked


@covers("command-phase/battle-shock-step")
def test_only_own_units_below_half_are_tested_each_once_in_the_order_of_their_owner() -> None:
    position = table(*(squad("walker", side=side, at=(10 * k, 10)) for k, side in enumerate((0, 0, 0, 1), 1)))
    for row in (0, 2, 3):
        model(position, row).mark("wounds", 5)
    assert [one.row for one in to_test(position, 0)] == [0, 2]
    assert play(battle_shock_step(position, 0), "6 6", [2], position).value is True
    assert [one.row for one in to_test(position, 0)] == [0]


@covers("command-phase/battle-shock-step")
def test_nobody_is_tested_where_nobody_is_below_half() -> None:
    assert play(battle_shock_step(reduced(4, 2), 0)).rolls == []


@covers("t/battle-shock-extra")
def test_passing_another_test_does_not_end_the_shock() -> None:
    position = reduced(5, 2)
    unit(position, 0).mark("shocked", 1)
    play(battle_shock_test(unit(position, 0)), "6 6", position=position)
    assert unit(position, 0).marks("shocked") == 1
