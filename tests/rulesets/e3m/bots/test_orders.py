"""The orders that a bot and the page propose: what the unit can do under them, and the danger there."""

from __future__ import annotations

import math

import pytest

from campale.referee.position import Position
from campale.rulesets.e3m.bots.counsel import (
    caught,
    has_something_to_watch,
    march_of,
    order_worths,
    tether,
)
from campale.rulesets.e3m.bots.prospects import view_of
from tests.rulesets.e3m.kit import LEADS, squad, table


def best(position: Position, row: int = 0) -> str:
    worths = order_worths(position, 0)[row]
    return max(worths, key=worths.__getitem__)


def facing(away: float, kind: str = "line-warden", enemy: str = "brawler") -> Position:
    return table(
        squad(kind, 5, at=(36, 10), order=None),
        squad(enemy, 10, side=1, at=(36, 10 + away)),
        phase="command",
        mission="quarters",
    )


@pytest.mark.parametrize(("away", "is_caught"), [(8.0, True), (30.0, False)])
def test_nobody_marches_past_enemies_who_would_catch_him(away: float, is_caught: bool) -> None:
    position = facing(away)
    assert (caught(view_of(position, 0), 0, 0) > 0.0) is is_caught
    assert (best(position) == "march") is not is_caught


@pytest.mark.parametrize(("away", "reach"), [(4.0, 6.0), (13.0, 11.77), (40.0, 18.0)])
def test_a_march_is_of_use_as_far_as_the_nearest_enemy(away: float, reach: float) -> None:
    assert march_of(view_of(facing(away), 0), 0, 0, 18.0) == pytest.approx(reach, abs=0.3)


@pytest.mark.parametrize(("away", "has"), [(16.0, True), (24.0, False)])
def test_whoever_has_only_pistols_is_ready_for_those_who_may_come_into_range(away: float, has: bool) -> None:
    position = facing(away, "scout")
    assert has_something_to_watch(view_of(position, 0), 0, 0) is has
    worths = order_worths(position, 0)[0]
    assert (worths["ready"] < worths["halt"]) or has


def led(at: tuple[float, float]) -> Position:
    """The leader of a group who has somebody to shoot at, and another unit of it."""
    return table(
        squad("line-warden", 5, at=(20, 20), order=None, group=1, models={LEADS: 1}),
        squad("scout", 5, at=at, order=None, group=1),
        squad("scrapper", 10, side=1, at=(20, 38)),
        phase="command",
        mission="attrition",
    )


def test_a_unit_does_not_leave_its_leader_behind() -> None:
    position = led((30, 20))
    view = view_of(position, 0)
    found = order_worths(position, 0)
    assert tether(view, 0, 1, found) < 18.0
    assert tether(view, 0, 0, found) == math.inf
    far = led((60, 20))
    assert tether(view_of(far, 0), 0, 1, order_worths(far, 0)) == math.inf
