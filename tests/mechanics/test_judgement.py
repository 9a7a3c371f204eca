"""What bots judge by in any book."""

from __future__ import annotations

import numpy as np
import pytest

from campale.mechanics.judgement.advice import About, Advice, by_prompt
from campale.mechanics.judgement.appraisals import by_terms
from campale.mechanics.judgement.harm import pooled
from campale.mechanics.judgement.leads import outlook, presence
from campale.mechanics.judgement.spots import best_apart, on_the_table, round_about
from campale.referee.position import Position, Result
from campale.referee.question import Choose, Form, Question
from tests.rulesets.e3m.kit import squad, table


def test_no_target_loses_more_than_it_has() -> None:
    assert pooled([10.0], [[8.0], [8.0]]) == 10.0
    assert pooled([10.0, 5.0], [[8.0, 1.0], [8.0, 5.0]]) == 13.0
    assert pooled([], [[]]) == 0.0


@pytest.mark.parametrize(("winner", "worths"), [(0, (50.0, -50.0)), (1, (-50.0, 50.0)), (None, (0.0, 0.0))])
def test_an_appraisal_is_the_sum_of_its_terms_until_the_battle_is_won(
    winner: int | None, worths: tuple[float, float]
) -> None:
    appraise = by_terms(lambda position, side: {"left": 7.0, "fear": -2.0 - side}, 50.0)
    position = table(squad("scout", 1))
    assert (appraise(position, 0), appraise(position, 1)) == (5.0, 4.0)
    position.finish(Result(winner, "a/rule"))
    assert (appraise(position, 0), appraise(position, 1)) == worths


def test_a_lead_is_worth_more_the_surer_it_is() -> None:
    assert outlook(0.0, 1.0, 0.5) == pytest.approx(0.0)
    assert outlook(2.0, 1.0, 0.1) > 0.99
    assert outlook(2.0, 1.0, 5.0) < outlook(2.0, 1.0, 0.1)
    assert outlook(-2.0, 1.0, 0.5) == pytest.approx(-outlook(2.0, 1.0, 0.5))


def test_whoever_is_at_a_place_counts_in_full() -> None:
    assert presence(-1.0, 3.0) == presence(0.0, 3.0) == 1.0
    assert presence(3.0, 3.0) == pytest.approx(0.368, abs=0.001)


def test_the_best_points_come_first_and_lie_apart() -> None:
    points = [(0.0, 0.0), (1.0, 0.0), (5.0, 0.0)]
    assert list(best_apart(points, np.array([1.0, 3.0, 2.0]), 2.0)) == [(1.0, 0.0), (5.0, 0.0)]


def test_points_about_a_place_lie_on_the_table() -> None:
    points = round_about((2.0, 2.0), (4.0,), 4)
    assert points[0] == (2.0, 2.0)
    assert len(points) == 5
    assert on_the_table(points, 10.0, 10.0, 1.0) == [(2.0, 2.0), (2.0, 6.0), (6.0, 2.0)]


def test_advice_goes_by_the_prompt() -> None:
    """Of a form as a whole only where the book wants it."""

    def worth_a_try(position: Position, question: Question, about: About) -> Advice:
        return [("a", 1.0)]

    choice = Choose(0, "act", ("a", "b"))
    form = Form(0, "act", lambda filled: None if filled else choice)
    position = table(squad("scout", 1))
    everywhere, fields_only = by_prompt({"act": worth_a_try}), by_prompt({"act": worth_a_try}, whole_forms=False)
    assert [everywhere(position, one, {}) for one in (choice, form)] == [[("a", 1.0)], [("a", 1.0)]]
    assert [fields_only(position, one, {}) for one in (choice, form)] == [[("a", 1.0)], ()]
    assert everywhere(position, Choose(0, "other", ("a",)), {}) == ()
