"""What a bot does in vain, and who is idle: as ``benchmarks/follies.py`` counts it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from benchmarks.arena import setups
from benchmarks.follies import IDLE, IDLE_SIDE, VAIN, Seen, does_nothing, told, watched

from campale.referee.looks import Forecast, Step
from campale.referee.ruleset import load_ruleset
from campale.simulate.many import pairings


@cache
def seen(book: str, player: str, battles: int) -> list[Seen]:
    ruleset = load_ruleset(book)
    wanted = pairings(ruleset, setups(ruleset), (player, player), battles, "follies", swapping=False)
    return [watched(one) for one in wanted]


def step(kind: str, mean: float) -> Step:
    return Step(kind, "", ((0, 1.0 - mean), (1, mean)))


@pytest.mark.parametrize(
    ("means", "gap", "is_vain"),
    [
        ((0.5, 0.2, 0.0), "", False),
        ((0.5, 0.0, 0.0), "", True),
        ((0.0,), "", True),
        ((0.1,), "", False),
        ((), "out-of-range", True),
        ((), "too-many", False),
    ],
)
def test_an_attack_does_nothing_if_it_comes_to_no_wound(means: tuple[float, ...], gap: str, is_vain: bool) -> None:
    kinds = ("hits", "wounds", "losses")
    steps = tuple(step(kind, mean) for kind, mean in zip(kinds, means, strict=False))
    assert does_nothing(Forecast(0, 1, (), steps, gap=gap)) is is_vain


def test_a_script_does_nothing_in_vain_and_a_random_player_does() -> None:
    """Ragnarok: shots out of range and throws that cannot reach are allowed, and random players try them."""
    script, chance = seen("ragnarok", "script", 2), seen("ragnarok", "random", 1)
    assert [folly.what for one in script for folly in one.follies if folly.kind == VAIN] == []
    assert sum(one.looked_at[VAIN] for one in script) > 10
    assert any(folly.kind == VAIN for one in chance for folly in one.follies)


def test_idle_units_and_sides_are_counted_in_the_turns_of_their_side() -> None:
    _, one = seen("ragnarok", "script", 2)
    kinds = Counter(folly.kind for folly in one.follies)
    assert 0 < kinds[IDLE] < one.looked_at[IDLE]
    assert kinds[IDLE_SIDE] <= one.looked_at[IDLE_SIDE]
    lines = list(told([one], 2))
    assert lines[0].startswith("acts in vain: 0 of ")
    assert sum(line.startswith("  follies/1, turn ") for line in lines) == 2 + min(2, kinds[IDLE_SIDE])
