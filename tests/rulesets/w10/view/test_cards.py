"""Secondary Mission cards of the drill roster (training/drill-roster, q/table-quarter, i/new-orders)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.battle.secondary import (
    QUARTER,
    WITH_CARDS,
    card_of,
    deal_cards,
    holds_quarter,
    score_card,
    show,
    stands_high,
)
from campale.rulesets.w10.view.telling import standing
from campale.rulesets.w10.windows.windows import options_of, use
from tests.rulesets.w10.kit import play, squad, table

covers = pytest.mark.covers


def with_card(*squads: Any, card: str = QUARTER, **now: Any) -> Position:
    position = table(*squads, mission=WITH_CARDS, **now)
    show(position, 0, card)
    return position


@covers("training/drill-roster", "i/new-orders")
@pytest.mark.parametrize(("mission", "has_one"), [(WITH_CARDS, True), ("only-war", False)])
def test_a_card_is_dealt_where_the_mission_has_cards(mission: str, has_one: bool) -> None:
    position = table(squad("gunners", 1), mission=mission)
    play(deal_cards(position), "0 1" if has_one else "", position=position)
    assert bool(card_of(position, 0)) is has_one
    assert ("card" in [key for key, _ in standing(position)]) is has_one


@covers("q/table-quarter", "within/wholly-within")
@pytest.mark.parametrize(
    ("mine", "theirs", "holds"),
    [((20, 10), (40, 30), True), ((20, 10), (10, 20), False), ((30, 10), (40, 40), False), ((20, 10), (30, 40), True)],
)
def test_a_quarter_is_held_alone(mine: Any, theirs: Any, holds: bool) -> None:
    position = table(squad("captain", at=mine), squad("captain", side=1, at=theirs))
    assert holds_quarter(position, 0) is holds


@covers("l/ground-level")
def test_who_stands_four_inches_up_is_high() -> None:
    position = table(squad("captain"), squad("captain", side=1, at=(30, 30)))
    assert not stands_high(position, 0)
    position.move_to(position.model(0), 30.0, 10.0, z=4.0)
    assert stands_high(position, 0)


@covers("training/drill-roster", "q/table-quarter")
@pytest.mark.parametrize(("card", "points"), [("quarter", 1), ("height", 0), ("", 0)])
def test_a_card_scores_a_point(card: str, points: int) -> None:
    position = with_card(squad("captain", at=(20, 10)), squad("captain", side=1, at=(40, 30)), card=card)
    score_card(position, 0)
    assert position.holds(0, "vp") == points


@covers("i/new-orders", "stratagems/use")
def test_new_orders_exchanges_the_card_though_all_are_shocked() -> None:
    position = with_card(squad("captain", marks={"shocked": 1}), squad("captain", side=1, at=(40, 30)))
    assert options_of(position, 0, "command-ends", {}) == []
    position.gain(0, "cp", 1)
    assert options_of(position, 0, "command-ends", {}) == [("new-orders", -1)]
    play(use(position, 0, "new-orders", -1, {}), position=position)
    assert (card_of(position, 0), position.holds(0, "cp")) == ("height", 0)
    assert options_of(position, 1, "command-ends", {}) == []
