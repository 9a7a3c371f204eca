"""What a bot holds of a position of Edition 3.m: fire, blows, orders, ground, command."""

from __future__ import annotations

import pytest

from campale.referee.ruleset import load_ruleset
from campale.rulesets.e3m.bots.appraisal import appraise
from campale.rulesets.e3m.bots.counsel import order_odds, order_worths
from campale.rulesets.e3m.bots.destinations import wanted
from campale.rulesets.e3m.bots.forecast import blows, chance, damage_of, salvo
from campale.rulesets.e3m.bots.prospects import view_of
from campale.rulesets.e3m.bots.timing import STEPS
from campale.rulesets.e3m.fire.volley import hit_need, need_to_wound
from campale.rulesets.e3m.movement.sight import NONE
from campale.rulesets.e3m.turn import sequence
from campale.rulesets.e3m.turn.sequence import is_amid
from tests.rulesets.e3m.kit import model, squad, table, unit


def test_the_steps_are_those_of_the_turn() -> None:
    assert [row.name for row in sequence.STEPS] == list(STEPS[1:])


def test_expected_loss_goes_by_the_needs_of_the_rules() -> None:
    position = table(squad("line-warden", 1), squad("scrapper", 1, side=1, at=(36, 20)), phase="preparatory")
    shooter, target = model(position, 0), model(position, 1)
    line = shooter.profile.weapons[0].lines[0]
    far = line.range or 0.0
    hurt = chance(hit_need(shooter, line)) * chance(need_to_wound(target, line))
    assert 0.0 < salvo(shooter, target, far, NONE) <= hurt * 2
    assert salvo(shooter, target, far + 1.0, NONE) == 0.0
    assert salvo(shooter, target, far, 4) <= salvo(shooter, target, far, NONE)
    assert blows(shooter, target, True) > blows(shooter, target, False) > 0.0


@pytest.mark.parametrize(("strength", "armour", "hurts"), [(4, 11, False), (5, 11, True), (9, 11, True)])
def test_what_cannot_glance_does_nothing_to_a_vehicle(strength: int, armour: int, hurts: bool) -> None:
    assert (damage_of(strength, armour, None) > 0.0) is hurts
    assert damage_of(strength + 1, armour, None) >= damage_of(strength, armour, None)


def test_a_bot_does_not_look_at_hidden_orders_of_the_other_side() -> None:
    worths = []
    for order in ("fire", "march"):
        position = table(
            squad("line-warden", 5, at=(30, 20), order="fire"), squad("scrapper", 5, side=1, at=(30, 40), order=None)
        )
        position.now.update(turn=2, phase="preparatory", mission="quarters")
        position.declare("secret-1", ((1, order),))
        worths.append(appraise(position, 0))
    assert worths[0] == worths[1]


def test_whoever_has_somebody_in_range_fires_and_whoever_is_far_off_marches() -> None:
    position = table(
        squad("line-warden", 5, at=(30, 20), order=None),
        squad("line-warden", 5, at=(2, 2), order=None),
        squad("scrapper", 5, side=1, at=(30, 36)),
    )
    position.now.update(turn=2, phase="command", mission="attrition")
    worths = order_worths(position, 0)
    assert max(worths[0], key=worths[0].__getitem__) == "fire"
    assert max(worths[1], key=worths[1].__getitem__) == "march"
    odds = order_odds(position, 0)
    assert odds[0]["fire"] == 1.0
    assert all(0.0 < share <= 1.0 for row in odds.values() for share in row.values())


def test_a_unit_wants_to_go_where_the_mission_is() -> None:
    position = table(squad("line-warden", 3, at=(36, 4), order="march"), squad("scrapper", 3, side=1, at=(70, 46)))
    position.now.update(turn=6, phase="movement", mission="centre")
    middle = position.ground.width / 2.0, position.ground.depth / 2.0
    x, y = next(wanted(unit(position, 0)))
    assert (x - middle[0]) ** 2 + (y - middle[1]) ** 2 < (36 - middle[0]) ** 2 + (4 - middle[1]) ** 2


def test_a_group_that_has_had_its_go_moves_no_more() -> None:
    def gain(marks: dict[str, int]) -> float:
        position = table(
            squad("line-warden", 3, at=(36, 2), order="march", marks=marks), squad("scrapper", 3, side=1, at=(70, 46))
        )
        position.now.update(turn=3, phase="movement", mission="centre")
        return appraise(position, 0)

    assert gain({}) > gain({"acted": 1})


def test_a_line_of_thought_goes_on_through_a_route_and_ends_with_the_unit() -> None:
    position = table(squad("line-warden", 1))
    position.declare("doing", (("move-group", 0, 1), ("arrived", 0, "normal")))
    assert is_amid(position)
    position.declare("doing", (("move-group", 0, 1),))
    assert not is_amid(position)
    assert load_ruleset("e3m").is_amid is is_amid


def test_each_side_is_seen_by_its_own_orders() -> None:
    position = table(squad("line-warden", 1, order=None), squad("scrapper", 1, side=1, at=(36, 20), order=None))
    position.declare("secret-0", ((0, "ready"),))
    assert [view_of(position, side).squads[0][0].order for side in (0, 1)] == ["ready", "unknown"]
