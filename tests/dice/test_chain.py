"""Stages run exactly: with and without a position that changes, folds, orders, what may go on for ever."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.chain import Adding, Chain, orders_of, then, until_over, weighed
from campale.dice.needs import Need
from campale.dice.odds import TooMany
from campale.referee.ask import roll


class Pool:
    """A position that is one number."""

    def __init__(self, left: int) -> None:
        self.left = left

    def copy(self) -> Pool:
        return Pool(self.left)


async def hits(_: Pool, dice: int) -> int:
    return (await roll(0, "hit", dice, needed=Need(4))).successes


async def spends(pool: Pool, dice: int) -> int:
    """Each hit takes one away."""
    found = (await roll(0, "hit", dice, needed=Need(4))).successes
    pool.left = max(0, pool.left - found)
    return found


def left(pool: Pool) -> int:
    return pool.left


def test_stages_that_change_nothing_follow_on_each_other() -> None:
    chain = Chain(Pool(3), None)
    twice = chain.then(chain.then({(chain.begun, 2): 1.0}, hits), hits)
    assert {value: chance for (_, value), chance in twice.items()} == pytest.approx({0: 9 / 16, 1: 6 / 16, 2: 1 / 16})
    runs = chain.runs
    assert chain.then({(chain.begun, 2): 1.0}, hits)
    assert chain.runs == runs


def test_positions_that_are_alike_are_one() -> None:
    chain = Chain(Pool(1), None, key=left)
    found: dict[int, float] = {}
    for (key, _), chance in chain.after(chain.begun, spends, 3).items():
        found[key] = found.get(key, 0.0) + chance
    assert found == pytest.approx({0: 7 / 8, 1: 1 / 8})
    assert chain.position(0).left == 0
    assert chain.position(chain.begun).left == 1


@pytest.mark.parametrize("key", [None, left])
def test_what_adds_looks_only_at_what_it_may_see(key: Any) -> None:
    seen: list[Any] = []

    async def one(_: Pool, dice: int, so_far: str) -> int:
        seen.append(so_far)
        return (await roll(0, "hit", dice, needed=Need(4))).successes

    chain = Chain(Pool(0), None, key=key)
    adding = Adding(lambda _: "nothing", lambda so_far, given: so_far + given)
    found = chain.folded(chain.begun, 0, ((one, 1),) * 3, adding)
    assert {value: chance for (_, value), chance in found.items()} == pytest.approx(
        {0: 1 / 8, 1: 3 / 8, 2: 3 / 8, 3: 1 / 8}
    )
    assert set(seen) == {"nothing"}
    assert len(seen) <= 3


@pytest.mark.parametrize("key", [None, left])
def test_too_many_branches_are_given_up(key: Any) -> None:
    chain = Chain(Pool(0), None, 2, key)
    with pytest.raises(TooMany):
        chain.after(chain.begun, hits, 4)


def test_orders_and_cases_are_weighed() -> None:
    assert orders_of((1, 1, 2)) == [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    assert orders_of(()) == [()]
    assert weighed([({(0, "a"): 1.0}, 0.25), ({(0, "a"): 0.5, (0, "b"): 0.5}, 0.75)]) == {
        (0, "a"): 0.625,
        (0, "b"): 0.375,
    }
    assert then({(0, 1): 0.5, (0, 2): 0.5}, lambda key, value: {(key, value // 2): 1.0}) == {(0, 0): 0.5, (0, 1): 0.5}


def test_what_may_go_on_for_ever_is_solved() -> None:
    """Two toss in turn until one of them has heads."""

    def toss(who: int) -> tuple[dict[int, float], dict[str, float]]:
        return {1 - who: 0.5}, {f"{who} wins": 0.5}

    assert until_over(0, toss, 10) == pytest.approx({"0 wins": 2 / 3, "1 wins": 1 / 3})
    with pytest.raises(TooMany):
        until_over(0, toss, 0)


async def one_hit(pool: Pool) -> int:
    """A hit on 4+ takes one away."""
    found = (await roll(0, "hit", needed=Need(4))).successes
    pool.left -= found
    return found


def test_positions_of_one_key_add_up_and_are_kept() -> None:
    chain = Chain(Pool(4), None, key=left)
    found = {4: 1.0}
    for _ in range(4):
        before, found = found, {}
        for key, chance in before.items():
            for (after, _), share in chain.after(key, one_hit).items():
                found[after] = found.get(after, 0.0) + chance * share
    assert found == pytest.approx({0: 1 / 16, 1: 4 / 16, 2: 6 / 16, 3: 4 / 16, 4: 1 / 16})
    assert {key: pool.left for key, pool in chain.positions.items()} == {key: key for key in range(5)}
    assert chain.runs == 8
