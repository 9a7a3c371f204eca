"""The dice: what always succeeds and always fails, d3, sums, the random direction."""

from __future__ import annotations

import pytest

from campale.mechanics.dice import telling
from campale.rulesets.e55.definitions.dice import d3, needed, needed_at_most, one_die, pool, random_direction, sum_of
from tests.rulesets.e55.kit import first_question, play


@pytest.mark.covers("1.1/auto-success-failure")
def test_on_a_single_die_6_succeeds_and_1_fails_whatever_was_needed() -> None:
    impossible, certain = needed(9), needed(0)
    assert [impossible.is_met_by(face) for face in (5, 6)] == [False, True]
    assert [certain.is_met_by(face) for face in (1, 2)] == [False, True]
    assert [needed(4).is_met_by(face) for face in (3, 4)] == [False, True]


@pytest.mark.covers("1.1/auto-success-failure")
def test_the_faces_that_a_rule_cannot_tell_apart_go_together() -> None:
    assert telling(needed(4)) == ((1, 2, 3), (4, 5, 6))
    assert telling(needed(4), 5, 6) == ((1, 2, 3), (4,), (5,), (6,))


@pytest.mark.covers("1.1/dice-notation")
def test_dice_of_a_pool_stand_alone_and_dice_of_a_sum_are_added() -> None:
    assert play(pool(0, "to-hit", 3, needed(4)), "4 3 6").value.successes == 2
    assert play(sum_of(0, "fall-back", 3), "4 3 6").value == 13
    assert play(one_die(0, "save", needed(3)), "3").value is True
    assert play(one_die(0, "save", needed(3)), "2").value is False


@pytest.mark.covers("1.1/dice-notation", "4/leadership-test")
def test_two_dice_that_must_not_exceed_a_number() -> None:
    assert [needed_at_most(7).is_met_by(total) for total in (7, 8)] == [True, False]
    assert needed_at_most(1).is_met_by(2)
    assert not needed_at_most(15).is_met_by(12)


@pytest.mark.covers("1.1/d3")
def test_a_d3_is_a_die_of_three_faces() -> None:
    assert [play(d3(0, "difficult"), str(face)).value for face in (1, 2, 3)] == [1, 2, 3]
    asked = first_question(d3(0, "difficult"))
    assert asked.refusal([4]) is not None
    assert asked.refusal([3]) is None


@pytest.mark.covers("1.1/random-direction")
def test_a_random_direction_is_a_tenth_of_a_degree_of_the_full_circle() -> None:
    assert play(random_direction(0, "drift"), "359.9").value == 359.9
    asked = first_question(random_direction(0, "drift"))
    assert asked.refusal(360.0) is not None
    assert asked.refusal(90.05) is not None
