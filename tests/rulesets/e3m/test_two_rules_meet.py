"""Cases in which two rules meet: marches, crews, transports, snipers, leaders that fall on the way."""

from __future__ import annotations

import pytest

from campale.rulesets.e3m.movement.group_moves import move_unit
from campale.rulesets.e3m.movement.moves import goals_for
from tests.rulesets.e3m.kit import play, squad, table

covers = pytest.mark.covers


# ---------------------------------------------------------------- routes


@covers("orders/march", "base-move/normal-infantry")
@pytest.mark.parametrize(("order", "cited"), [("march", "orders/march"), ("assault", "base-move/normal-infantry")])
def test_a_route_is_announced_under_the_rule_of_its_move(order: str, cited: str) -> None:
    position = table(squad("scout", at=(36, 10), order=order), phase="movement")
    played = play(move_unit(position, 0, goals_for), answers=[[[[[36, 14]], None]]], position=position)
    route = next(event for event in played.events if event.kind == "route")
    assert route.rules[-1] == cited
    assert next(one for one in played.questions if one.prompt == "move").rules[-1] == cited
