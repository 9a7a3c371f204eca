"""Chapter "charge"."""

from __future__ import annotations

from typing import Any

import pytest

from campale.conformance.bench import carried_out, laid_out
from campale.mechanics.units import members
from campale.referee.position import Position, Unit
from campale.rulesets._template import RULESET, charge
from tests.rulesets._template.test_battle import CAPTAIN, PICKET, RIFLES, alone, on_the_table


@pytest.fixture
def position() -> Position:
    return on_the_table(laid_out(RULESET))


def facing(position: Position, far: float) -> tuple[Unit, Unit]:
    """Our captain, and a rifleman of theirs so far from his base; clear of everybody else."""
    return alone(position, CAPTAIN, (20.0, 4.0)), alone(position, PICKET, (20.0, 5.0 + far))


@pytest.mark.covers("charge/declare")
@pytest.mark.parametrize(("far", "is_asked"), [(12.0, True), (12.01, False)])
def test_a_charge_reaches_six_inches_beyond_the_movement(position: Position, far: float, is_asked: bool) -> None:
    unit, _ = facing(position, far)
    run = carried_out(charge.charge(unit), [None] if is_asked else [])
    assert run.prompts == (["charge"] if is_asked else [])
    assert not run.value


@pytest.mark.covers("charge/declare")
def test_who_holds_does_not_charge(position: Position) -> None:
    unit, target = facing(position, 3.0)
    assert charge.on_hold(unit, target) is None
    position.declare("order-0", "hold")
    assert charge.on_hold(unit, target) is not None
    assert carried_out(charge.charge(unit)).prompts == []


@pytest.mark.covers("charge/move", "charge/blows")
@pytest.mark.parametrize(("far", "reaches"), [(8.0, True), (8.01, False)])
def test_a_die_says_how_far_and_whoever_falls_short_stays(position: Position, far: float, reaches: bool) -> None:
    unit, target = facing(position, far)
    (captain,) = unit.models
    answers, dice = [target.row, [[[[20.0, 4.0 + far]], None]]], [2, 2, 3]
    run = carried_out(charge.charge(unit), answers if reaches else answers[:1], dice if reaches else dice[:1])
    assert run.value
    assert captain.at == ((20.0, 12.0) if reaches else (20.0, 4.0))


@pytest.mark.covers("charge/move")
def test_as_many_as_can_end_in_contact(position: Position) -> None:
    unit = alone(position, RIFLES, (18.0, 4.0), (20.0, 4.0))
    target = alone(position, PICKET, (18.0, 8.0), (20.0, 8.0))
    going = charge.go_in(unit, target)
    rolled = going.send(None)
    question = going.send(rolled.understood([1]))
    refusal = question.refusal([[[[18.0, 7.0]], None], [[[20.0, 6.0]], None]])
    assert refusal is not None
    assert (refusal.rule, refusal.measured, refusal.limit) == ("charge/move", 1, 2)
    assert question.refusal([[[[18.0, 7.0]], None], [[[20.0, 7.0]], None]]) is None
    going.close()


@pytest.mark.covers("charge/blows")
def test_whoever_is_in_contact_strikes_by_his_skill(position: Position) -> None:
    unit = alone(position, RIFLES, (18.0, 4.0), (20.0, 4.0))
    target = alone(position, PICKET, (18.0, 5.0), (20.0, 5.01))
    carried_out(charge.strike(unit, target), dice=[3])
    assert len(members(target)) == 2
    carried_out(charge.strike(unit, target), dice=[4])
    assert [m.at for m in members(target)] == [(18.0, 5.0)]
    assert position.losses[-1].cause == "charge"


@pytest.mark.covers("charge/blows")
def test_the_target_strikes_back_with_whoever_is_left(position: Position) -> None:
    unit, target = facing(position, 0.0)
    stay: list[Any] = [[[], None]]
    run = carried_out(charge.charge(unit), [target.row, stay], dice=[1, 2, 4])
    assert run.prompts == ["charge", "charge-move"]
    assert unit.models[0].marks("wounds") == 1
    carried_out(charge.charge(unit), [target.row, stay], dice=[1, 3])
    assert not members(target)
