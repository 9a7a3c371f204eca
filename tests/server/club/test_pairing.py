"""Pairings: everybody meets everybody once in a round robin; a Swiss round repeats no more than it must."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from campale.server.club.matching import NOBODY, Matching
from campale.server.club.pairing import Pair, rematches, robin, robin_rounds, swiss
from campale.server.club.standings import Met, Result, standings

RESULTS: tuple[Result, ...] = ("one", "two", "draw")


def graph(size: int, edges: set[frozenset[int]]) -> list[list[int]]:
    return [[k for k in range(size) if frozenset((j, k)) in edges] for j in range(size)]


def most_pairs(size: int, edges: set[frozenset[int]]) -> int:
    """By trying everything."""
    for count in range(size // 2, 0, -1):
        for chosen in combinations(sorted(map(sorted, edges)), count):
            if len({one for pair in chosen for one in pair}) == 2 * count:
                return count
    return 0


def test_a_matching_is_as_large_as_any_and_nobody_is_in_it_twice() -> None:
    random = Random(3)
    for _ in range(300):
        size = random.randint(1, 7)
        edges = {frozenset(pair) for pair in combinations(range(size), 2) if random.random() < 0.4}
        found = Matching(graph(size, edges))
        assert found.pairs() == most_pairs(size, edges), edges
        for one, other in enumerate(found.of):
            assert other == NOBODY or (found.of[other] == one and frozenset((one, other)) in edges)


def test_odd_circles_are_gone_round_either_way() -> None:
    """Two circles of five, joined: whoever begins greedily leaves two over."""
    circles = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 6), (6, 7), (7, 8), (8, 9), (9, 5), (2, 7)]
    edges = {frozenset(pair) for pair in circles}
    assert Matching(graph(10, edges)).pairs() == 5
    assert Matching(graph(10, edges - {frozenset((2, 7))})).pairs() == 4


@pytest.mark.parametrize("count", range(2, 14))
def test_in_a_round_robin_everybody_meets_everybody_once_and_rests_once_at_most(count: int) -> None:
    entrants = list(range(1, count + 1))
    rounds = [robin(entrants, k) for k in range(1, robin_rounds(count) + 1)]
    for pairs in rounds:
        assert sorted(one for pair in pairs for one in pair if one is not None) == entrants
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if pair[1] is not None)
    assert met == Counter(frozenset(pair) for pair in combinations(entrants, 2))
    assert set(Counter(pair[0] for pairs in rounds for pair in pairs if pair[1] is None).values()) <= {1}


def played(count: int, rounds: int, random: Random) -> list[list[Pair]]:
    """A whole season of Swiss rounds with results by chance."""
    entrants = list(range(1, count + 1))
    seen: list[list[Pair]] = []
    results: list[Met] = []
    for _ in range(rounds):
        ranked = [one.number for one in standings(entrants, results)]
        pairs = swiss(ranked, [pair for before in seen for pair in before])
        assert sorted(one for pair in pairs for one in pair if one is not None) == entrants
        results += [Met(one, two, random.choice(RESULTS)) for one, two in pairs]
        seen.append(pairs)
    return seen


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 12, 13])
def test_in_swiss_rounds_nobody_meets_again_nor_rests_again_while_it_can_be_avoided(count: int) -> None:
    """As many rounds as there are others. By then it may be that rematches cannot be avoided: then there are as few
    as possible."""
    for seed in range(4):
        met: list[Pair] = []
        for pairs in played(count, robin_rounds(count), Random(seed)):
            known = {frozenset(pair) for pair in met if pair[1] is not None}
            playing = [one for one, two in pairs if two is not None] + [two for _, two in pairs if two is not None]
            repeated = sum(frozenset(pair) in known for pair in pairs)
            assert repeated == rematches(playing, known)
            met += pairs
        rests = Counter(one for one, two in met if two is None)
        assert set(rests.values()) <= {1}


def test_in_the_first_half_of_the_rounds_nobody_ever_meets_again() -> None:
    for count in (8, 16, 17, 40):
        pairs = [frozenset(one) for of_round in played(count, count // 2, Random(count)) for one in of_round]
        assert set(Counter(pair for pair in pairs if None not in pair).values()) == {1}


def test_the_best_meets_the_next_whom_he_has_not_met() -> None:
    assert swiss([1, 2, 3, 4], []) == [(1, 2), (3, 4)]
    assert swiss([1, 2, 3, 4], [(1, 2)]) == [(1, 3), (2, 4)]
    assert swiss([1, 2, 3, 4], [(1, 2), (1, 3)]) == [(1, 4), (2, 3)]
    assert swiss([1, 2, 3, 4, 5, 6], [(5, 6)]) == [(1, 2), (3, 5), (4, 6)]


def test_a_rematch_comes_only_where_there_is_no_other_way_and_alone() -> None:
    assert swiss([1, 2], [(1, 2)]) == [(1, 2)]
    assert swiss([1, 2, 3, 4], [(1, 2), (1, 3), (1, 4)]) == [(1, 2), (3, 4)]


def test_the_last_rests_and_nobody_twice_before_all_have() -> None:
    assert swiss([1, 2, 3], []) == [(1, 2), (3, None)]
    assert swiss([1, 2, 3], [(1, 2), (3, None)])[-1] == (2, None)
    assert swiss([2, 1, 3], [(1, 2), (3, None), (1, 3), (2, None)]) == [(2, 3), (1, None)]
    assert swiss([1, 2, 3], [(1, 2), (3, None), (1, 3), (2, None), (2, 3), (1, None)])[-1] == (3, None)


def test_a_bye_does_not_make_a_rematch_that_another_would_avoid() -> None:
    assert swiss([1, 2, 3], [(1, 2)]) == [(1, 3), (2, None)]


def test_forty_are_paired_in_a_moment() -> None:
    met = [pair for of_round in played(40, 9, Random(1)) for pair in of_round]
    assert len({frozenset(pair) for pair in met}) == 180
