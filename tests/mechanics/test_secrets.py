"""A word that each side writes in secret: what is hidden, what is shown, what is imagined."""

from __future__ import annotations

from random import Random

from campale.conformance.bench import carried_out
from campale.mechanics.secrets import Secret
from campale.referee.position import Position
from campale.table.terrain import Ground
from tests.referee.toy import RULESET

STANCE = Secret("stance", ("bold", "shy"))


def written() -> Position:
    position = Position(RULESET, Ground(10.0, 10.0))
    run = carried_out(STANCE.write(position), [{0: "bold", 1: "shy"}])
    assert [question.about for question in run.questions] == [{"open": False}] * 2
    return position


def test_a_word_is_shown_when_it_is_turned_up_and_once() -> None:
    position = written()
    assert STANCE.shown(position, 0) is None
    assert STANCE.turn_up(position, 0)
    assert STANCE.shown(position, 0) == "bold"
    assert STANCE.shown(position, 1) is None
    assert not STANCE.turn_up(position, 0)
    assert position.revealed == 1


def test_each_side_sees_its_own_and_an_onlooker_neither() -> None:
    for side, seen in ((0, {"secret-stance-0"}), (1, {"secret-stance-1"}), (None, set())):
        assert set(STANCE.seen_by(side, written()).declared) == seen


def test_what_is_turned_up_is_seen_by_all() -> None:
    position = written()
    STANCE.turn_up(position, 1)
    assert STANCE.seen_by(None, position).declared == {"stance-1": "shy"}


def test_what_the_other_has_hidden_is_drawn_anew() -> None:
    drawn = [STANCE.imagine(written(), 0, Random(n)).declared for n in range(20)]
    assert {one["secret-stance-1"] for one in drawn} == {"bold", "shy"}
    assert {one["secret-stance-0"] for one in drawn} == {"bold"}
    shown = written()
    STANCE.turn_up(shown, 1)
    assert STANCE.imagine(shown, 0, Random(1)).declared["stance-1"] == "shy"


def test_both_are_dropped() -> None:
    position = written()
    STANCE.turn_up(position, 0)
    STANCE.drop(position)
    assert position.declared == {}
