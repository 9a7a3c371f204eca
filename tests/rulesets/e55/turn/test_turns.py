"""Chapters 3 and 10.4: turns, phases, and how long a game lasts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from campale.mechanics.phases import next_of
from campale.referee.position import Position
from campale.rulesets.e55.battle import missions
from campale.rulesets.e55.definitions.units import (
    AFRAID,
    AT_PHASE_START,
    BARRED_FROM_CHARGE,
    BROKE_THROUGH,
    CHARGED,
    LOST_BEFORE,
    MOVED,
    RAN,
    SHOT,
)
from campale.rulesets.e55.turn.sequence import begin, phases, phases_of_a_turn
from campale.rulesets.e55.turn.turns import begin_turn, count_heads, end_turn, forget, goes_on
from tests.rulesets.e55.kit import model, play, squad, table, unit


def at(turn: int, **more: object) -> Position:
    return table(squad("militia", 2, at=(30, 10)), squad("militia", 2, side=1, at=(30, 40)), turn=turn, **more)  # type: ignore[arg-type]


@pytest.mark.covers("3/turns-alternate")
def test_the_players_take_turns_the_first_one_first() -> None:
    for first in (0, 1):
        position = at(0, first=first)
        seen = []
        for _ in range(4):
            begin_turn(position)
            seen.append((position.now["turn"], position.now["round"], position.now["side"]))
        assert seen == [(1, 1, first), (2, 1, 1 - first), (3, 2, first), (4, 2, 1 - first)]


@pytest.mark.covers("3/turns-alternate", "3.1/moved-flag")
def test_what_a_unit_did_is_kept_until_its_owners_next_turn() -> None:
    position = at(1, side=0)
    for number in (0, 1):
        for name in (MOVED, RAN, SHOT, BARRED_FROM_CHARGE):
            unit(position, number).mark(name, 1)
    begin_turn(position)
    for name in (MOVED, RAN, SHOT, BARRED_FROM_CHARGE):
        assert unit(position, 0).marks(name) == 1
        assert unit(position, 1).marks(name) == 0


@pytest.mark.covers("3/turns-alternate", "3.1/moved-flag")
def test_what_was_done_in_a_turn_is_forgotten_for_the_side_that_is_named() -> None:
    position = at(1)
    for number in (0, 1):
        unit(position, number).mark(MOVED, 1)
    forget(position, 1, (MOVED,))
    assert [unit(position, number).marks(MOVED) for number in (0, 1)] == [1, 0]


@pytest.mark.covers("3/turns-alternate")
def test_what_holds_of_a_turn_ends_with_it_for_both_sides() -> None:
    position = at(1)
    for number in (0, 1):
        unit(position, number).mark(CHARGED, 1)
        unit(position, number).mark(AFRAID, 1)
    play(end_turn(position), position=position)
    assert not any(unit(position, n).marks(name) for n in (0, 1) for name in (CHARGED, AFRAID))


@pytest.mark.covers("4.2/breakthrough-eligible")
def test_the_breakthroughs_of_a_phase_or_sub_phase_are_forgotten_as_the_next_begins() -> None:
    fresh = {"start": "end", "to-ground": "facing", "charges": "after-shooting", "melee": "defence"}
    for after, before in {**fresh, "after-movement": "movement", "defence": "charges"}.items():
        position = at(1, phase=before)
        unit(position, 0).mark(BROKE_THROUGH, 1)
        begin(position, next_of(tuple(phases()), before))
        assert position.now["phase"] == after
        assert unit(position, 0).marks(BROKE_THROUGH) == int(after not in fresh)


@pytest.mark.covers("3/phases")
def test_a_turn_has_its_phases_in_order_and_begins_again() -> None:
    names = list(phases_of_a_turn())
    inner = [name for name in names if name in ("start", "movement", "shooting", "charges", "melee", "end")]
    assert inner == ["start", "movement", "shooting", "charges", "melee", "end"]
    position = at(1, phase="end", side=0)
    begin(position, next_of(tuple(phases()), "end"))
    assert position.now["phase"] == "start"
    assert (position.now["turn"], position.now["side"]) == (2, 1)
    for before, after in pairwise(names):
        begin(position, next_of(tuple(phases()), before))
        assert position.now["phase"] == after


@pytest.mark.covers("4.1/trigger-casualties")
def test_heads_are_counted_as_the_turn_and_as_the_shooting_phase_begin() -> None:
    position = at(1, phase="end")
    position.remove(model(position, 0), "fire")
    begin(position, next_of(tuple(phases()), "end"))
    assert unit(position, 0).marks(AT_PHASE_START) == 1
    assert position.now[LOST_BEFORE] == 1
    position.remove(model(position, 1), "dangerous")
    begin(position, next_of(tuple(phases()), "movement"))
    assert unit(position, 0).marks(AT_PHASE_START) == 1
    begin(position, next_of(tuple(phases()), "facing"))
    assert unit(position, 0).marks(AT_PHASE_START) == 0
    assert position.now[LOST_BEFORE] == 2


@pytest.mark.covers("4.1/trigger-casualties")
def test_those_inside_a_transport_are_counted() -> None:
    position = table(squad("militia", 2, at=(30, 10)), squad("carrier", at=(40, 10)))
    position.take_off(model(position, 0), aboard_of=model(position, 2))
    count_heads(position)
    assert unit(position, 0).marks(AT_PHASE_START) == 2


@pytest.mark.covers("3/decision-order")
def test_before_the_first_turn_who_will_have_it_is_active() -> None:
    position = at(0, first=1)
    begin_turn(position)
    assert position.now["side"] == 1


# ---------------------------------------------------------------- 10.4/game-length


def ending(round: int, dice: str = "") -> bool:
    """Whether the game is judged when both players have had a game turn."""
    position = at(2 * round, side=1)
    play(end_turn(position), dice, position=position)
    return position.result is not None


@pytest.mark.covers("10.4/game-length", "3/turns-alternate")
def test_five_turns_are_always_played() -> None:
    assert not ending(1)
    assert not ending(4)


@pytest.mark.covers("10.4/game-length")
def test_a_sixth_is_played_on_3_and_a_seventh_on_5() -> None:
    assert ending(5, "2")
    assert not ending(5, "3")
    assert ending(6, "4")
    assert not ending(6, "5")


@pytest.mark.covers("10.4/game-length")
def test_the_seventh_is_the_last() -> None:
    assert ending(7)


@pytest.mark.covers("10.4/game-length")
def test_the_die_is_rolled_when_both_have_completed_the_turn() -> None:
    position = at(9, side=0)
    assert not play(end_turn(position), position=position).rolls
    position = at(10, side=1)
    played = play(end_turn(position), "3", position=position)
    assert played.rolls == ["another-turn"]
    assert played.cites("10.4/game-length")


@pytest.mark.covers("10.4/game-length")
def test_whether_it_goes_on_is_asked_of_the_game_turn() -> None:
    assert play(goes_on(at(8, side=1))).value
    assert not play(goes_on(at(14, side=1))).value


@pytest.mark.covers("10.4/game-length")
def test_the_battle_is_judged_only_once_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []
    monkeypatch.setattr(missions, "judge", lambda position: judged.append(int(position.now["round"])))
    for turn, dice in ((9, ""), (10, "3"), (10, "1"), (14, "")):
        position = at(turn)
        play(end_turn(position), dice, position=position)
    assert judged == [5, 7]
