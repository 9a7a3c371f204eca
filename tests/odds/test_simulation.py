"""What is told of random queries is what the referee plays (more rolls: ``python -m tools.odds BOOK``)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice

import pytest
from tools.odds import SET_UPS, SetUp, differences, set_ups, simulated, stages_of

from campale.referee.ruleset import load_ruleset

ROLLS = 1000
SHARES = 6
"""The set-ups of a book are played in so many tests, each with a seed of its own."""


@lru_cache(maxsize=1)
def drawn(book: str, share: int) -> tuple[SetUp, ...]:
    return tuple(islice(set_ups(load_ruleset(book), f"share {share}"), SET_UPS // SHARES))


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("book", ["ragnarok", "e55"])
def test_what_is_told_is_what_the_referee_plays(book: str, share: int) -> None:
    wrong = {}
    for link, posed, answer in drawn(book, share):
        counters = simulated(posed, ROLLS, f"rolls {share}")
        for stage in stages_of(answer, posed):
            found = differences(stage.chances, counters[stage.kind])
            if found:
                wrong[link, stage.kind] = found
    assert wrong == {}


@pytest.mark.parametrize(
    ("found", "is_wrong"),
    [
        ({0: 500, 1: 500}, False),
        ({0: 560, 1: 440}, False),
        ({0: 570, 1: 430}, True),
        ({0: 499, 1: 500, 2: 1}, True),
        ({0: 1000}, True),
    ],
)
def test_a_difference_is_noticed(found: dict[int, int], is_wrong: bool) -> None:
    assert bool(differences(((0, 0.5), (1, 0.5)), Counter(found))) is is_wrong


def test_rare_numbers_may_come_and_may_not_come_often() -> None:
    told = ((0, 0.999), (1, 0.001))
    assert differences(told, Counter({0: 1000})) == []
    assert differences(told, Counter({0: 996, 1: 4})) == []
    assert differences(told, Counter({0: 980, 1: 20})) != []
