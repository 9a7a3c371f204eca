"""What a bot that plays nothing through makes of a table of Edition 3.m: targets, watches, assaults."""

from __future__ import annotations

import math
from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Choose
from campale.referee.ruleset import WASTE
from campale.rulesets.e3m.bots.advice import advise
from campale.rulesets.e3m.bots.counsel import order_worths
from tests.rulesets.e3m.kit import LEADS, model, squad, table


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


# ---------------------------------------------------------------- moves


def group_of_two(at: tuple[float, float], phase: str = "movement", turn: int = 2) -> Position:
    """The leader of a group, another unit of it at a place, an enemy far away."""
    position = table(
        squad("scout", 1, at=(36, 10), order="march", group=1, models={LEADS: 1}),
        squad("scout", 5, at=at, order="march", group=1),
        squad("scout", 5, side=1, at=(36, 46)),
    )
    position.now.update(turn=turn, phase=phase, mission="attrition")
    return position


def test_the_leader_of_a_group_moves_first() -> None:
    assert best(group_of_two((36, 16)), "move-unit", 1, 0, "finished") == 0
    assert best(group_of_two((36, 16), "assault"), "assault-unit", 1, 0, "finished") == 0


def test_whoever_may_do_most_harm_fires_first() -> None:
    position = table(
        squad("line-warden", 1, at=(30, 20)), squad("line-warden", 8, at=(34, 20)), squad("scout", 8, 1, (36, 34))
    )
    position.now.update(turn=2, phase="preparatory", mission="attrition")
    assert best(position, "preparatory-element", 0, 1) == 1


@pytest.mark.parametrize(("away", "answer"), [(14.0, "yes"), (60.0, "no")])
def test_troops_get_out_where_they_find_something_to_do(away: float, answer: str) -> None:
    position = table(
        squad("carrier", 1, at=(8, 20)),
        squad("line-warden", 8, aboard=0, order="assault"),
        squad("scout", 8, 1, at=(8 + away, 20)),
    )
    position.now.update(turn=2, phase="movement", mission="attrition")
    assert best(position, "get-out", "no", "yes", unit=1) == answer


# ---------------------------------------------------------------- with what it fires


def test_a_heavy_weapon_fires_at_the_vehicle_if_it_can_hurt_it() -> None:
    def chosen(vehicle: str) -> Any:
        position = table(
            squad("line-warden", at=[(20, 10), (21.3, 10)], special=["missile-launcher"]),
            squad("scrapper", 1, side=1, at=(16, 30)),
            squad(vehicle, 1, side=1, at=(24, 40)),
        )
        position.now.update(turn=2, phase="preparatory", mission="attrition")
        return best(position, "heavy-at", "area", "vehicle", unit=0, model=1, vehicle=3)

    assert chosen("skimmer") == "vehicle"
    assert chosen("siege-tank") == "area"


def test_the_line_of_a_weapon_is_the_one_that_does_most() -> None:
    def chosen(enemy: str, count: int) -> Any:
        gunner, other = (
            squad("line-warden", at=[(20, 10)], special=["missile-launcher"]),
            squad(enemy, count, 1, (20, 30)),
        )
        position = table(gunner, other)
        position.now.update(turn=2, phase="preparatory", mission="attrition")
        return best(position, "weapon-line", (0, 0), (0, 1), "each", unit=0, models=[0])

    assert chosen("skimmer", 1) == (0, 1)
    assert chosen("spitter", 12) == (0, 0)


def test_a_sniper_names_the_leader_and_a_marker_lies_where_most_are() -> None:
    position = table(
        squad("line-warden", 5, at=(20, 10)),
        squad("scrapper", at=[(20, 30), (21.3, 30), (22.6, 30), (30, 30)], side=1),
    )
    position.now.update(turn=2, phase="preparatory", mission="attrition")
    model(position, 8).mark(LEADS, 1)
    assert best(position, "snipe", "nobody", 5, 6, 8, unit=0) == 8
    assert best(position, "marker-on", 8, 5, 6, model=0, radius=1.5) == 6


@pytest.mark.parametrize(("mission", "answer"), [("centre", ("one", (0,))), ("attrition", ("all", (0, 1)))])
def test_a_vehicle_fires_all_it_has_unless_the_move_is_worth_more(mission: str, answer: Any) -> None:
    position = table(squad("grav-tank", 1, at=(36, 4)), squad("spitter", 20, 1, at=(24, 34)))
    position.now.update(turn=6, phase="preparatory", mission=mission)
    assert best(position, "vehicle-weapons", ("all", (0, 1)), ("one", (0,)), unit=0) == answer


def test_a_fire_area_is_laid_where_most_is_likely_to_fall() -> None:
    """On the many that are easily hurt, not on the one of many points that is not."""
    position = table(
        squad("line-warden", 5, at=(30, 20)), squad("crusher", 1, 1, (26, 32)), squad("spitter", 8, 1, (34, 32))
    )
    position.now.update(turn=2, phase="preparatory", mission="attrition")
    arms = [[row, 0, 0] for row in range(5)]
    question = Choose(0, "fire-area", ("any",))
    found = advise(position, question, {"arms": arms, "fire": "preparatory", "unit": 0, "against": []})
    (x, _, _), worth = max(found, key=lambda one: one[1])
    assert x > 31.0
    assert worth > 0.0


@pytest.mark.parametrize(("away", "nearer"), [(9.0, False), (14.0, True), (20.0, False)])
def test_a_fire_area_is_laid_nearer_where_that_brings_rifles_within_twelve_inches(away: float, nearer: bool) -> None:
    """The target stays in the circle; where all are near already, or none comes near, its middle is on the target."""
    places = [(30 + k % 5, 20 - k // 5) for k in range(10)]
    position = table(squad("line-warden", at=places), squad("clan-chief", 1, 1, (32, 20.5 + away)))
    position.now.update(turn=2, phase="preparatory", mission="attrition")
    arms = [[row, 0, 0] for row in range(10)]
    question = Choose(0, "fire-area", ("any",))
    found = advise(position, question, {"arms": arms, "fire": "preparatory", "unit": 0, "against": []})
    (x, y, wide), _ = max(found, key=lambda one: one[1])
    assert (y < 20.0 + away) is nearer
    assert math.dist((x, y), (32, 20.5 + away)) <= wide / 2.0


# ---------------------------------------------------------------- fire that does nothing


@pytest.mark.parametrize(("facing", "is_wasted"), [(180.0, True), (90.0, False)])
def test_fire_at_armour_that_no_weapon_of_the_unit_can_pierce_is_wasted(facing: float, is_wasted: bool) -> None:
    """Strength 4 does nothing to a front of 14, and something to the side."""
    position = table(
        squad("line-warden", 5, at=(36, 10)),
        squad("skimmer", 1, side=1, at=(36, 20), facing=facing, front=14),
    )
    position.now.update(turn=2, phase="preparatory", mission="attrition")
    options = (("vehicle", 5), "hold")
    found = dict(advise(position, Choose(0, "fire-at", options, about={"unit": 0}), {"unit": 0}))
    assert (found["vehicle", 5] == WASTE) is is_wasted
