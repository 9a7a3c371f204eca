"""The turn, and who wins."""

from __future__ import annotations

import pytest

from campale.conformance.bench import carried_out, laid_out, model, unit
from campale.referee.position import Effect, Position
from tests.conformance.drill import RULESET, sequence, victory


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


@pytest.mark.covers("turn/sequence")
def test_a_step_does_one_thing_and_the_position_says_what_is_next(position: Position) -> None:
    assert carried_out(sequence.step(position), dice=[0, 1, 2, 3, 4, 5] * 2).value is True
    assert position.now["stage"] == "cards"
    assert carried_out(sequence.step(position)).value is True
    assert position.now["stage"] == "orders"
    assert [len(position.hand(side, "hand")) for side in (0, 1)] == [1, 1]


@pytest.mark.covers("turn/sequence", "hand/window")
def test_both_sides_are_asked_for_a_card_before_the_orders_are_turned_up(position: Position) -> None:
    position.now["stage"] = "window"
    position.declare("secret-0", ((0, "march"),))
    run = carried_out(sequence.step(position), ["pass"])
    assert [question.side for question in run.questions] == [0]
    assert "secret-0" in position.declared
    run = carried_out(sequence.step(position), ["pass"])
    assert [question.side for question in run.questions] == [1]
    assert "orders-0" in position.declared
    assert position.now["stage"] == "units"


@pytest.mark.covers("turn/chits")
def test_a_chit_says_which_unit_acts_and_none_acts_twice(position: Position) -> None:
    carrier, squad = unit(position, "carrier"), unit(position, "squad")
    assert carried_out(sequence.next_unit(position), ["no"], dice=[1]).value is True
    assert (carrier.marks("has-acted"), squad.marks("has-acted")) == (1, 0)
    assert carried_out(sequence.next_unit(position), ["no"], dice=[0]).value is True
    assert squad.marks("has-acted") == 1
    for one in position.units:
        one.mark("has-acted", 1)
    assert carried_out(sequence.next_unit(position)).value is False


@pytest.mark.covers("turn/effects-end")
def test_what_lasts_until_the_end_of_the_turn_ends_and_nothing_else(position: Position) -> None:
    until_turn, until_battle = Effect("hand/smoke", 0, until="turn-end"), Effect("hand/smoke", 1, until="battle-end")
    position.begin(until_turn)
    position.begin(until_battle)
    unit(position, "squad").mark("has-acted", 1)
    unit(position, "squad").mark("has-watched", 1)
    position.declare("orders-0", ((0, "march"),))
    carried_out(sequence.end_turn(position))
    assert position.effects == [until_battle]
    assert not any(unit(position, "squad").marks(name) for name in ("has-acted", "has-watched"))
    assert "orders-0" not in position.declared
    assert position.now["turn"] == 2


@pytest.mark.covers("victory/wounds")
@pytest.mark.parametrize(("turn", "is_over"), [(3, False), (4, True)])
def test_the_battle_ends_after_four_turns(position: Position, turn: int, is_over: bool) -> None:
    position.now["turn"] = turn
    assert (victory.result(position) is not None) == is_over


@pytest.mark.covers("victory/wounds")
def test_more_wounds_left_win_and_as_many_are_a_draw(position: Position) -> None:
    position.now["turn"] = 4
    drawn = victory.result(position)
    model(position, "gunner", 0).mark("wounds-lost", 1)
    won = victory.result(position)
    assert drawn is not None
    assert won is not None
    assert (drawn.winner, won.winner) == (None, 1)
    assert won.counts == {"0": 13, "1": 14}


@pytest.mark.covers("victory/wounds")
def test_the_battle_ends_when_a_side_has_nobody_left(position: Position) -> None:
    for one in position.models:
        if one.side == 1:
            position.remove(one, "test")
    ended = victory.result(position)
    assert ended is not None
    assert ended.winner == 0
