"""What a bot that plays nothing through makes of a table of Edition 3.m: targets, watches, assaults."""

from __future__ import annotations

from typing import Any

from campale.referee.position import Position
from campale.referee.question import Choose
from campale.rulesets.e3m.bots.advice import advise
from campale.rulesets.e3m.bots.counsel import order_worths
from tests.rulesets.e3m.kit import squad, table


def best(position: Position, prompt: str, *options: Any, side: int = 0, **about: Any) -> Any:
    found = advise(position, Choose(side, prompt, options or ("any",), about=about), about)
    return max(found, key=lambda one: one[1])[0]


def at_hand(count: int, others: int, phase: str = "declarations") -> Position:
    """Two squads within a charge of each other."""
    position = table(
        squad("line-warden", count, at=(36, 20), order="assault"), squad("line-warden", others, side=1, at=(36, 24))
    )
    position.now.update(turn=2, phase=phase, mission="attrition")
    return position


def test_orders_are_given_by_what_they_are_worth() -> None:
    position = at_hand(5, 5, "command")
    worths = order_worths(position, 0)[0]
    assert best(position, "order", unit=0) == max(worths, key=worths.__getitem__)


def test_many_assault_few_and_few_do_not_assault_many() -> None:
    assert best(at_hand(10, 2), "assault-target", 1, "none", unit=0) == 1
    assert best(at_hand(1, 10), "assault-target", 1, "none", unit=0) == "none"
    assert best(at_hand(10, 2), "declare-unit", 0, "none") == 0
    assert best(at_hand(1, 10), "declare-unit", 0, "none") == "none"


def watching(away: float) -> Position:
    position = table(
        squad("line-warden", 5, at=(36, 4), order="ready"), squad("scrapper", 5, side=1, at=(36, 4 + away))
    )
    position.now.update(turn=2, phase="movement", mission="attrition")
    return position


def test_a_ready_unit_fires_at_whom_it_may_hurt_and_at_nobody_out_of_range() -> None:
    for prompt in ("who-watches", "step-end-fire"):
        assert best(watching(8.0), prompt, "nobody", 0, unit=1) == 0
        assert best(watching(42.0), prompt, "nobody", 0, unit=1) == "nobody"


def test_fire_goes_at_the_target_that_it_hurts() -> None:
    position = watching(8.0)
    assert best(position, "fire-at", "area", "hold", unit=0) == "area"
