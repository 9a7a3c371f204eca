"""What the tables say: scores, verdicts, what an experiment could notice, units' worth."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campale.lab.findings import (
    CLOSE,
    EVEN,
    OPEN,
    STRONGER,
    WEAKER,
    findings,
    noticed,
    pairs_for,
    points_of,
    power,
    relative,
    scenes,
    share,
    verdict,
    worth_of,
    worths,
)
from campale.lab.plan import Plan
from campale.lab.ratings import ratings
from campale.lab.stopping import estimate, half_width
from campale.simulate.intervals import Interval, mean, wilson
from tests.lab.conftest import play


@pytest.mark.parametrize(
    ("interval", "told"),
    [
        (Interval(0.55, 0.501, 0.6), STRONGER),
        (Interval(0.55, 0.5, 0.6), OPEN),
        (Interval(0.45, 0.4, 0.499), WEAKER),
        (Interval(0.45, 0.4, 0.5), OPEN),
        (Interval(0.5, 0.45, 0.55), EVEN),
        (Interval(0.5, 0.449, 0.55), OPEN),
        (Interval(0.53, 0.51, 0.54), STRONGER),
    ],
)
def test_an_interval_says_no_more_than_it_can(interval: Interval, told: str) -> None:
    assert verdict(interval, 0.5) == told


def test_what_an_experiment_could_notice() -> None:
    """Half of the interval that answers go by, and as much again as brings 8 of 10 experiments beyond it."""
    pairs = [0.0, 1.0] * 50
    found = power(pairs, 1.0)
    error = float(np.std(pairs, ddof=1)) / 10.0
    assert found.noticed == pytest.approx(half_width(pairs, 1.0) + 0.841621 * error)
    assert power([*pairs, *pairs, *pairs, *pairs], 1.0).noticed == pytest.approx(found.noticed / 2, rel=0.02)


@pytest.mark.parametrize("reach", [1.0, 2.0])
def test_so_many_battles_notice_what_is_told_and_fewer_do_not(reach: float) -> None:
    pairs = [0.0, 0.5, 1.0, 0.5] * 9
    spread = float(np.std(pairs, ddof=1))
    enough = power(pairs, reach).battles // 2
    assert noticed(spread, enough, reach) <= CLOSE < noticed(spread, enough - 1, reach)


@pytest.mark.parametrize("spread", [0.25, 0.5, 0.8])
def test_experiments_as_many_as_told_notice_the_difference_eight_times_in_ten(spread: float) -> None:
    """A thousand experiments of so many pairs, by the verdict itself."""
    rng, difference = np.random.default_rng(5), 0.2
    count = pairs_for(difference, spread, 2.0)
    several = rng.normal(difference, spread, (1000, count))
    seen = sum(verdict(estimate(list(pairs), 2.0), 0.0) == STRONGER for pairs in several) / 1000
    assert 0.74 < seen < 0.86


def test_pairs_that_are_all_alike_do_not_notice_everything() -> None:
    assert 0.0 < power([0.5] * 100, 1.0).noticed < power([0.5] * 4, 1.0).noticed
    assert power([0.0] * 12, 2.0).noticed > half_width([0.0] * 12, 2.0)
    assert math.isinf(power([0.5], 1.0).noticed)


def test_what_has_no_score_counts_for_nobody() -> None:
    rows: list[dict[str, Any]] = [
        {"score": score, "pair": k // 2} for k, score in enumerate((1.0, 0.5, None, 0.0, 1.0))
    ]
    found = share("", rows, lambda row: row["score"])
    assert found.battles == 4
    assert found.score == estimate([0.75, 0.0, 1.0], 1.0)
    assert share("", rows[2:3], lambda row: row["score"]).score == Interval(0.5, 0.0, 1.0)


def test_what_differs_within_a_pair_is_no_part_of_the_scene() -> None:
    """A force that costs more makes the battle larger; that is no other scene for it."""
    rows: list[dict[str, Any]] = [
        {
            "pair": pair,
            "variant": variant,
            "score": 1.0,
            "mission": f"m{pair}",
            "layout": "field",
            "size": 200 + variant,
        }
        for pair in (0, 1)
        for variant in (0, 14)
    ]
    assert [(one.name, one.battles) for one in scenes(rows)] == [("m0 · field", 2), ("m1 · field", 2)]
    several = [row | {"size": 200 + row["pair"]} for row in rows]
    assert [one.name for one in scenes(several)] == ["m0 · field · 200", "m1 · field · 201"]
    assert scenes(rows[:2]) == []


def test_points_are_told_where_they_are_always_the_same() -> None:
    rows: list[dict[str, Any]] = [{"first_points": 214.0, "second_points": 200.0}] * 2
    assert points_of(rows) == (214.0, 200.0)
    assert points_of([*rows, {"first_points": 200.0, "second_points": 200.0}]) is None
    assert points_of([{"first_points": None, "second_points": None}]) is None


def test_battles_of_one_seed_are_one_observation() -> None:
    """But each counts by itself in the share won: its interval, Wilson's, grows narrower."""
    few: list[dict[str, Any]] = [{"score": k % 3 / 2, "pair": k} for k in range(12)]
    many = [row for row in few for _ in range(10)]
    one, other = (share("", rows, lambda row: row["score"]) for rows in (few, many))
    assert one.score == other.score
    assert (one.won, other.won) == (wilson(4, 12), wilson(40, 120))


def test_worth_is_return_over_the_mean_return() -> None:
    dealt, cost = np.array([[10.0, 20.0]] * 8), np.array([[20.0, 20.0]] * 8)
    found = worth_of(dealt, cost)
    assert found[0] == pytest.approx((0.5 / 0.75,) * 3)
    assert found[1] == pytest.approx((1.0 / 0.75,) * 3)


def test_the_worth_of_what_varies_has_an_interval_round_it() -> None:
    rng = np.random.default_rng(3)
    dealt = rng.exponential(10.0, (60, 3))
    for found in worth_of(dealt, np.full((60, 3), 30.0)):
        assert found is not None
        assert found.low < found.value < found.high


def test_where_nothing_was_dealt_nothing_is_said() -> None:
    assert worth_of(np.zeros((9, 2)), np.ones((9, 2))) == [None, None]
    assert math.isnan(relative(np.array([1.0, 0.0]), np.array([1.0, 0.0]))[1])


def test_of_what_was_hardly_seen_to_do_damage_no_worth_is_told() -> None:
    dealt = np.zeros((12, 3))
    dealt[:5, 0], dealt[:5, 1], dealt[:4, 2] = 3.0, 4.0, 5.0
    cost = np.full((12, 3), 10.0)
    assert [one is None for one in worth_of(dealt, cost)] == [False, False, True]
    dealt[4, 1] = 0.0
    assert worth_of(dealt, cost) == [None, None, None]


def unit(pair: int, **changes: Any) -> dict[str, Any]:
    return {
        "owner": "first",
        "kind": "a",
        "name": "Guard",
        "bought": True,
        "pair": pair,
        "points": 10.0,
        "points_left": 5.0,
        "points_dealt": 4.0,
        "points_taken": 5.0,
        "lost_in": None,
        "objectives": 0,
        "rounds_held": 0,
        **changes,
    }


def test_units_of_one_kind_are_told_together_and_those_that_came_later_not_at_all() -> None:
    rows = [unit(pair) for pair in range(6)] + [unit(0, kind="b", name="Wolf", bought=False)]
    rows += [unit(pair, owner="second", points_dealt=8.0, lost_in=pair % 2 + 2) for pair in range(6)]
    first, second = worths(rows)
    assert (first.owner, first.fielded, first.survived, first.lost_in) == ("first", 6, 0.5, None)
    assert second.lost_in == pytest.approx(2.5)
    assert worths([unit(pair, rounds_held=pair) for pair in range(6)])[0].rounds_held == pytest.approx(2.5)
    assert first.worth is not None
    assert second.worth is not None
    assert first.worth.value == pytest.approx(10.0 * 0.4 / 0.6)
    assert second.worth.value == pytest.approx(10.0 * 0.8 / 0.6)
    assert [one.worth for one in worths(rows[:4])] == [None]


def test_what_units_do_is_told_over_pairs_without_the_numbers_of_their_names() -> None:
    rows = [unit(pair, name=f"Guard {k}", points_dealt=float(pair % 2)) for pair in range(6) for k in (1, 2)]
    (found,) = worths(rows)
    assert found.name == "Guard"
    assert found.dealt.high == mean([pair % 2 for pair in range(6)]).high
    (rare,) = worths([unit(pair, points_dealt=float(pair == 0)) for pair in range(6)])
    assert rare.dealt.low == 0.0
    assert rare.name == "Guard"


def test_ratings_follow_who_beat_whom() -> None:
    met = [("strong", "weak", 1.0)] * 8 + [("weak", "middling", 0.0)] * 8 + [("strong", "middling", 1.0)] * 8
    found = ratings(met)
    assert [one.name for one in found] == ["strong", "middling", "weak"]
    assert all(one.low < one.value < one.high for one in found)
    assert {one.battles for one in found} == {16}
    assert found == ratings(met)


def test_drawn_battles_make_nobody_better() -> None:
    one, other = ratings([("one", "other", 0.5)] * 6)
    assert one.value == pytest.approx(other.value)


def test_the_findings_of_a_run_are_those_of_its_table(tmp_path: Path, toy: Plan) -> None:
    play(tmp_path / "out", toy)
    found = findings(tmp_path / "out")
    assert found.is_complete
    assert found.battles == toy.total
    assert [one.label for one in found.variants] == [one.label for one in toy.variants]
    assert sum(sum(one.counts.values()) for one in found.variants) == found.battles
    for one in found.variants:
        assert one.won == wilson(one.counts["first"], sum(one.counts[kind] for kind in ("first", "draw", "second")))
    assert found.variants[0].difference is None
    assert found.variants[1].difference is not None
    assert len(found.variants[1].apart) == toy.battles // 2
    sides = [one.score.value for one in found.sides]
    assert sum(sides) == pytest.approx(1.0)
