"""How many calls of Python functions a decision costs, in three battles of random players a book: no clock, no chance.

The numbers of ``BUDGETS`` are a promise: they fall when something gets faster, and may be raised only by a decision
that is written down with its reason in ``docs/decisions``.
"""

from __future__ import annotations

import gc
import sys
from cProfile import Profile
from statistics import fmean
from types import CodeType
from typing import NamedTuple

import pytest

from campale.conformance.budget import THOROUGH
from campale.players import RandomPlayer
from campale.referee.ruleset import Setup, load_ruleset
from campale.simulate import battle
from campale.table import kernels
from campale.table.warming import warm_up
from tests.toys import register

SEEDS = ("budget", "a", "b")
"""Three battles: in a single one, units that meet other enemies change the figure by a tenth and more."""
MARGIN = 1.05
"""What another Python, or another library, may make more of it."""


class Budget(NamedTuple):
    """Calls a decision as they were measured last, and what is aimed at."""

    book: str
    points: int | None
    measured: int
    aim: int | None
    is_costly: bool = False
    """Whether it is looked at only if all is to be tried."""


BUDGETS = (
    Budget("e55", 750, 1_915, 1_500),
    Budget("e55", 1_500, 3_145, 2_000),
    Budget("ragnarok", None, 988, 1_000),
    Budget("e3m", 1_000, 3_095, None),
    Budget("w10", 500, 1_392, None),
    Budget("w10", 1_000, 2_830, None, is_costly=True),
    Budget("wzr", 500, 965, None),
    Budget("wzr", 1_000, 1_090, None, is_costly=True),
    Budget("_template", None, 441, 600),
)


class Counted:
    """Calls of Python functions while it lasts; those of kernels are none, compiled or not, and neither are those of a
    garbage collector that finds what other tests left.
    """

    def __init__(self) -> None:
        self.profile = Profile(builtins=False, subcalls=False)

    def __enter__(self) -> Counted:
        gc.collect()
        gc.disable()
        self.profile.enable()
        return self

    def __exit__(self, *_: object) -> None:
        self.profile.disable()
        gc.enable()

    @property
    def calls(self) -> int:
        return sum(one.callcount for one in self.profile.getstats() if not is_kernel(one.code))


def is_kernel(code: str | CodeType) -> bool:
    return isinstance(code, CodeType) and code.co_filename == kernels.__file__


def first_setup(book: str, points: int | None) -> Setup:
    """The first battle that the book offers at a size."""
    starters = load_ruleset(book).starters
    assert starters is not None
    return next(one for one in starters() if points is None or one.agreed.get("points") == points)


def calls_a_decision(book: str, points: int | None) -> float:
    """The mean of three battles. The first is played before: what is kept for good is there, all kernels compiled."""
    warm_up()
    decisions = 0

    def each(_: object) -> None:
        nonlocal decisions
        decisions += 1

    def play(seed: str) -> None:
        players = {side: RandomPlayer(f"{seed}/{side}") for side in (0, 1)}
        battle(load_ruleset(book), first_setup(book, points), players, seed, journal=False, marks="none", each=each)

    play(SEEDS[0])
    found = []
    for seed in SEEDS:
        decisions = 0
        with Counted() as counted:
            play(seed)
        found.append(counted.calls / decisions)
    return fmean(found)


TRIED = [one for one in BUDGETS if THOROUGH or not one.is_costly]


@pytest.mark.parametrize("budget", TRIED, ids=[f"{one.book}-{one.points or 'usual'}" for one in TRIED])
def test_a_decision_costs_no_more_calls_than_it_did(budget: Budget, capsys: pytest.CaptureFixture[str]) -> None:
    register()
    found = calls_a_decision(budget.book, budget.points)
    with capsys.disabled():
        sys.stdout.write(f"\n{budget.book} {budget.points or ''}: {found:,.0f} calls a decision, aim {budget.aim}\n")
    assert found <= budget.measured * MARGIN, "see the head of this file: a budget is raised by a decision only"


def test_calls_are_counted_the_same_again() -> None:
    register()
    assert calls_a_decision("_template", None) == calls_a_decision("_template", None)
