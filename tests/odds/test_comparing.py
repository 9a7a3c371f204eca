"""Queries side by side, and orders of fire."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds import comparing
from campale.odds.answers import answered
from campale.odds.comparing import MOST_SIDE_BY_SIDE, best_order, side_by_side
from campale.odds.troubles import QueryError
from campale.referee.ruleset import load_ruleset

UNITS, MODELS = load_ruleset("e55"), load_ruleset("ragnarok")


def test_every_combination_is_answered_as_if_it_were_asked_alone() -> None:
    varied = {"target": ["militia", "veteran"], "distance": ["5", "20"]}
    found = side_by_side(UNITS, {"attacker": "veteran"}, varied)
    assert found.fields == ("target", "distance")
    assert found.columns == (("militia", "5"), ("militia", "20"), ("veteran", "5"), ("veteran", "20"))
    alone = answered(UNITS, {"attacker": "veteran", "target": "veteran", "distance": 5})
    assert found.answers[2] == alone


def test_so_many_stand_side_by_side_and_no_more() -> None:
    with pytest.raises(QueryError, match="Too many columns to compare"):
        side_by_side(UNITS, {}, {"distance": [str(n) for n in range(1, MOST_SIDE_BY_SIDE + 2)]})
    with pytest.raises(QueryError, match="attacker: 'nobody' cannot be chosen"):
        side_by_side(UNITS, {}, {"attacker": ["militia", "nobody"]})


def test_another_attacker_is_asked_for_with_its_own_where_the_query_stands_by_itself() -> None:
    """The rifles are the veterans'; but of a query that cannot be asked for at all nothing is left out."""
    found = side_by_side(UNITS, {"weapons": "rifle*4"}, {"attacker": ["veteran", "tank"]})
    assert found.answers[0].values["weapons"] == "rifle*4"
    assert found.answers[1] == answered(UNITS, {"attacker": "tank"})
    with pytest.raises(QueryError, match="weapons"):
        side_by_side(UNITS, {"weapons": "no-such-thing*4"}, {"attacker": ["veteran", "tank"]})


PULLING: dict[str, Any] = {
    "attacker": {"profile": "steam_rifleman", "adds": ["drum_gun"]},
    "target": {"profile": "raider", "changes": {"wounds": 2}},
}


def test_orders_are_tried_and_the_best_is_told() -> None:
    found = best_order(MODELS, {**PULLING, "weapons": "steam_musket,drum_gun*2"})
    orders = dict(found.orders)
    assert set(orders) == {"steam_musket,drum_gun*2", "drum_gun*2,steam_musket"}
    for weapons, value in found.orders:
        answer = answered(MODELS, {**PULLING, "weapons": weapons})
        assert answer.losses is not None
        assert answer.losses.mean == pytest.approx(value)
    assert found.best.values["weapons"] == max(orders, key=lambda one: orders[one])


def test_all_at_once_the_order_makes_no_difference() -> None:
    written = {"attacker": "veteran", "attacker-adds": "fusion-gun", "distance": 5, "weapons": "rifle*2,fusion-gun"}
    found = best_order(UNITS, {**written, "target": "captain"}, "wipe-out")
    assert len(found.orders) == 2
    assert not found.matters
    assert found.best.wiped_out == pytest.approx(found.orders[0][1])


def test_one_after_another_the_order_may_matter() -> None:
    """A save is lost to heavy wounds only: what is fired first decides on whom the rest falls."""
    target = [{"profile": "captain", "count": 1}, {"profile": "militia", "count": 2}]
    written = {"attacker": "veteran", "attacker-adds": "fusion-gun*2", "distance": 5, "target": target}
    found = best_order(UNITS, {**written, "weapons": "rifle*3,fusion-gun*2", "volleys": "apart"})
    assert found.matters
    assert found.orders[0][1] > found.orders[1][1]


def test_too_many_orders_and_losses_that_are_not_told_are_refused() -> None:
    many = ",".join(["steam_musket", "drum_gun"] * 3)
    with pytest.raises(QueryError, match="The best order is found for at most"):
        best_order(MODELS, {**PULLING, "weapons": many})
    with pytest.raises(QueryError, match="no order is better"):
        best_order(MODELS, {"kind": "suppressive-fire"})


def test_of_those_written_inline_a_column_says_what_differs() -> None:
    few, many = '{"profile": "veteran", "count": 3}', '{"profile": "veteran", "count": 5}'
    assert comparing.told_apart(few, [few, many]) == "count 3"
    assert comparing.told_apart(many, [few, many]) == "count 5"
    fresh = '{"profile": "veteran"}'
    assert comparing.told_apart(fresh, [few, fresh]) == "count -"
    assert comparing.told_apart("militia", ["militia", few]) == ""
