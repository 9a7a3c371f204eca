"""Phases one after another, and the turns of two sides."""

from __future__ import annotations

import pytest

from campale.mechanics.phases import begin_player_turn, next_of, round_of, run_phase
from campale.referee.position import Position, Result
from campale.table.terrain import Ground
from tests.referee.toy import RULESET
from tests.rulesets.played import play


@pytest.fixture
def position() -> Position:
    made = Position(RULESET, Ground(10.0, 10.0))
    made.now.update(phase="march", left=2, first=1)
    return made


async def march(position: Position) -> bool:
    position.now["left"] -= 1
    return bool(position.now["left"])


async def rest(position: Position) -> bool:
    position.finish(Result(0, "toy/victory"))
    return False


PHASES = {"march": march, "rest": rest}


def begin(position: Position, following: str | None) -> None:
    position.now["phase"] = following or "after the last"


def test_a_phase_goes_on_while_more_is_left_in_it_and_then_the_next_begins(position: Position) -> None:
    assert play(run_phase(position, PHASES, begin)).value is True
    assert position.now["phase"] == "march"
    assert play(run_phase(position, PHASES, begin)).value is True
    assert position.now["phase"] == "rest"


def test_after_the_last_phase_the_book_says_what_begins(position: Position) -> None:
    position.now["left"] = 1
    play(run_phase(position, {"march": march}, begin))
    assert position.now["phase"] == "after the last"


def test_where_the_battle_ends_nothing_begins(position: Position) -> None:
    position.now["phase"] = "rest"
    assert play(run_phase(position, PHASES, begin)).value is False
    assert position.now["phase"] == "rest"


def test_names_follow_each_other() -> None:
    assert [next_of(("a", "b", "c"), name) for name in "abc"] == ["b", "c", None]


def test_the_sides_have_turns_in_turn_and_two_are_a_round(position: Position) -> None:
    found = [(begin_player_turn(position), position.now["turn"], position.now["round"]) for _ in range(4)]
    assert found == [(1, 1, 1), (0, 2, 1), (1, 3, 2), (0, 4, 2)]
    assert position.now["side"] == 0
    assert [round_of(turn) for turn in (0, 1, 2, 3)] == [0, 1, 1, 2]
