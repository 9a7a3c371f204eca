"""The ladder: what a battle moves, on both sides of what it must not."""

from __future__ import annotations

from random import Random

import pytest

from campale.server.club.ladder import FIRST, STEP, expected, ladder


def test_equals_are_expected_to_share_and_a_lead_of_400_is_ten_to_one() -> None:
    assert expected(1500.0, 1500.0) == 0.5
    assert expected(1900.0, 1500.0) == pytest.approx(10 / 11)
    assert expected(1900.0, 1500.0) + expected(1500.0, 1900.0) == pytest.approx(1.0)


def test_a_win_among_equals_moves_half_a_step_and_a_draw_nothing() -> None:
    one, two = ladder([("a", "b", 1.0)])
    assert (one.account, one.rating, two.rating) == ("a", FIRST + STEP / 2, FIRST - STEP / 2)
    assert {rated.rating for rated in ladder([("a", "b", 0.5)])} == {FIRST}


def test_who_wins_against_a_better_one_gains_more() -> None:
    known = [("a", "b", 1.0)] * 20
    before = {one.account: one.rating for one in ladder(known)}
    upset = {one.account: one.rating for one in ladder([*known, ("a", "b", 0.0)])}
    usual = {one.account: one.rating for one in ladder([*known, ("a", "b", 1.0)])}
    assert upset["b"] - before["b"] > 2 * (usual["a"] - before["a"]) > 0.0


def test_points_are_neither_made_nor_lost_and_everything_is_counted() -> None:
    random = Random(1)
    pairs = [random.sample("abcdef", 2) for _ in range(300)]
    rated = ladder((one, two, random.choice([0.0, 0.5, 1.0])) for one, two in pairs)
    assert sum(one.rating for one in rated) == pytest.approx(FIRST * len(rated))
    assert sum(one.won + one.drawn + one.lost for one in rated) == 600
    assert sum(one.won for one in rated) == sum(one.lost for one in rated)
    assert [one.rating for one in rated] == sorted((one.rating for one in rated), reverse=True)
