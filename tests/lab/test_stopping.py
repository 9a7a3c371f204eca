"""The stopping rule: looked at after whole batches, the same whatever the order in which battles come."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from campale.lab.plan import Plan
from campale.lab.planning import plan_of
from campale.lab.stopping import Stopping, differences, estimate, half_width, pair_score, pair_scores
from campale.simulate.intervals import Z95, mean
from tests.lab.conftest import Write, play

PRECISION = {"half_width": 0.2, "of": "score", "batch": 20, "least": 40, "most": 400}


@pytest.fixture
def plan(raid: Any, write: Write) -> Plan:
    return plan_of(write(vary={"options.short": [False, True]}, battles=None, precision=PRECISION))


def drawn(plan: Plan, rng: Random) -> dict[int, float | None]:
    return {number: rng.choice((0.0, 0.5, 1.0)) for number in range(plan.total)}


def limit_of(plan: Plan, scores: dict[int, float | None], order: list[int]) -> int | None:
    rule = Stopping(plan)
    for number in order:
        rule.add(number, scores[number])
    return rule.limit


def test_the_order_in_which_battles_come_changes_nothing(plan: Plan) -> None:
    scores = drawn(plan, Random(3))
    ordered = list(scores)
    shuffled = Random(4).sample(ordered, len(ordered))
    assert limit_of(plan, scores, ordered) == limit_of(plan, scores, shuffled) == limit_of(plan, scores, ordered[::-1])


def test_it_stops_at_the_end_of_the_first_batch_that_is_narrow_enough(plan: Plan) -> None:
    """Both variants must be, and no sooner than the least that were asked for."""
    scores = drawn(plan, Random(3))
    limit = limit_of(plan, scores, list(scores))
    assert limit is not None
    pairs = limit // plan.per_pair
    assert pairs % 10 == 0
    wide = {at: max(half_width(pair_scores(plan, scores, one, at), 1.0) for one in (0, 1)) for at in range(10, 201, 10)}
    assert pairs == next(at for at, width in wide.items() if at >= 20 and width <= 0.2)


def test_nothing_is_looked_at_before_a_batch_is_whole(plan: Plan) -> None:
    scores: dict[int, float | None] = dict.fromkeys(range(plan.total), 1.0)
    rule = Stopping(plan)
    for number in range(1, 20 * plan.per_pair):
        rule.add(number, scores[number])
    assert (rule.limit, rule.pairs) == (None, 0)
    rule.add(0, 1.0)
    assert (rule.limit, rule.pairs) == (20 * plan.per_pair, 20)


def test_it_stops_at_the_most_whatever_the_precision(plan: Plan) -> None:
    """Battles that all stall teach nothing."""
    scores: dict[int, float | None] = dict.fromkeys(range(plan.total))
    assert limit_of(plan, scores, list(scores)) == plan.total


def test_a_pair_of_which_a_battle_has_no_score_counts_for_nothing(plan: Plan) -> None:
    scores = {0: 1.0, 1: 0.5, 2: 1.0, 3: None, 4: 0.0, 5: 0.5, 6: 1.0, 7: 1.0}
    assert pair_score(plan, scores, 0, 0) == 0.75
    assert pair_scores(plan, scores, 1, 2) == [1.0]
    assert differences(plan, scores, 1, 2) == [0.75]


def test_the_interval_is_students_and_never_nothing() -> None:
    values = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.5, 0.5]
    found = mean(values)
    assert half_width(values, 1.0) == found.high - found.value
    assert half_width([1.0] * 20, 1.0) == pytest.approx(Z95**2 / (2 * (20 + Z95**2)))
    assert half_width([0.0] * 20, 2.0) == pytest.approx(2 * half_width([1.0] * 20, 1.0))
    assert half_width([1.0], 1.0) == math.inf
    assert estimate([1.0] * 20, 1.0)[1:] == (1.0 - half_width([1.0] * 20, 1.0), 1.0)


def test_a_run_stops_by_itself_and_resumes_to_the_same_place(plan: Plan, tmp_path: Any) -> None:
    ending = play(tmp_path / "whole", plan)
    assert ending.is_complete
    assert len(ending.numbers) < plan.total
    assert len(ending.numbers) % (10 * plan.per_pair) == 0
    assert play(tmp_path / "whole", plan).numbers == ending.numbers


def test_a_difference_may_be_what_is_to_become_precise(raid: Any, write: Write) -> None:
    wanted = PRECISION | {"of": "difference"}
    plan = plan_of(write(vary={"options.short": [False, True]}, battles=None, precision=wanted))
    same: dict[int, float | None] = {number: (number // 4 % 2) / 1 for number in range(plan.total)}
    assert limit_of(plan, same, list(same)) == 20 * plan.per_pair
    apart = same | {number: 1.0 - (same[number] or 0.0) for number in same if number % 4 >= 2}
    assert limit_of(plan, apart, list(apart)) == 100 * plan.per_pair
