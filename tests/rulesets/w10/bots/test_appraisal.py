"""What a bot thinks of a position: what is left of the forces, command points, markers, what harm may come."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.judgement.leads import presence
from campale.referee.position import GONE, Position
from campale.rulesets.w10.armies.profile import Weapon
from campale.rulesets.w10.basics.markers import REACH
from campale.rulesets.w10.basics.units import ADVANCED, FELL_BACK, FOUGHT, PICKED, POINTS, SHOT
from campale.rulesets.w10.battle.layouts import RUINS
from campale.rulesets.w10.bots.appraisal import AWAY, LESS, PER_CP, appraise, claim
from campale.rulesets.w10.bots.outlook import (
    LATER,
    NEXT,
    NOW,
    UNSEEN,
    arriving,
    dealt,
    gaps_between,
    outlook,
    squads_of,
    threat,
)
from campale.rulesets.w10.windows.windows import CP
from tests.rulesets.w10.kit import blade, gun, piece, squad, table


def facing(*markers: float) -> Position:
    """Two equal squads a table's depth apart, and markers so far to the south of the first of them."""
    red, blue = (squad("line-squad", 5, one, (30, 42 * (1 - one) + 1), {POINTS: 100}) for one in (0, 1))
    return table(red, blue, markers=[(30.0, 43.0 - away) for away in markers], round=2)


def test_equal_forces_are_worth_the_same_to_both() -> None:
    position = facing()
    assert appraise(position, 0) == appraise(position, 1) == 0.0


def test_what_waits_in_reserve_is_not_lost_and_what_is_destroyed_is() -> None:
    position = facing()
    model = position.model(0)
    position.take_off(model)
    assert appraise(position, 0) == 0.0
    position.take_off(model, GONE)
    assert appraise(position, 0) < 0.0


def test_a_command_point_is_not_spent_for_nothing_but_a_further_one_is_worth_less() -> None:
    position = facing()
    position.gain(0, CP, 2)
    assert appraise(position, 0) == pytest.approx(PER_CP * (1.0 + LESS)) == -appraise(position, 1)


def test_to_be_near_to_a_marker_counts_before_it_is_held() -> None:
    near, far = (appraise(facing(away), 0) for away in (6.0, 12.0))
    assert near > far > 0.0
    held, close = (appraise(facing(away), 0) for away in (2.0, 4.5))
    assert held > close > near


@pytest.mark.parametrize(("away", "share"), [(REACH, 1.0), (REACH + AWAY, presence(AWAY, AWAY))])
def test_a_claim_is_the_level_of_control_near_a_marker(away: float, share: float) -> None:
    """A lone model, 2 of OC: beside it two stand for what nobody disputes."""
    position = table(squad("line-squad", 1, at=(30.0, 10.0)), markers=[(30.0, 10.0 + away)], round=2)
    assert claim(position, position.tokens[0], 0) == pytest.approx(2 * share / (2 * share + 2.0))
    assert claim(position, position.tokens[0], 1) == -claim(position, position.tokens[0], 0)


# ---------------------------------------------------------------- what may come


def balance(position: Position, side: int) -> float:
    """What a side may do to the other, less what the other may do to it."""
    hope, fear = outlook(position, side)
    return hope - fear


def duel(apart: float, weapon: Weapon, **now: Any) -> Position:
    """A model with a weapon, and so many inches north of its base one without any."""
    armed = squad("line-squad", 1, 0, (30.0, 5.0), {POINTS: 20}, weapons=(weapon,))
    other = squad("line-squad", 1, 1, (30.0, 5.0 + apart + 32 / 25.4), {POINTS: 20}, weapons=())
    return table(armed, other, **{"phase": "shooting", "side": 0, "turn": 3, "round": 2, **now})


def of_the_first(position: Position) -> float:
    """What the armed one is expected to take off the other."""
    ones, others = squads_of(position, 0), squads_of(position, 1)
    return threat(ones[0], others[0], float(gaps_between(position, ones, others)[0, 0]), 1.0, set())


def test_a_weapon_is_expected_to_do_what_its_numbers_say() -> None:
    """Skill 3+, Strength 4 against Toughness 4, AP 0 against a save: two thirds of a half of what is not saved."""
    position = duel(10.0, gun())
    target = position.model(1).profile
    failed = (target.sv - 1) / 6.0
    assert dealt(gun().lines[0], target, False) == pytest.approx(2 / 3 * 1 / 2 * failed / target.w)


@pytest.mark.parametrize(("apart", "reaches"), [(23.9, True), (24.1, False)])
def test_only_what_reaches_counts(apart: float, reaches: bool) -> None:
    assert (of_the_first(duel(apart, gun())) > 0.0) == reaches


def test_who_may_still_move_reaches_farther() -> None:
    assert of_the_first(duel(24.1, gun(), phase="movement")) > 0.0
    position = duel(24.1, gun(), phase="movement")
    position.units[0].mark(PICKED, 1)
    assert of_the_first(position) == 0.0


def test_fire_counts_for_less_the_later_it_comes() -> None:
    now = of_the_first(duel(10.0, gun()))
    assert of_the_first(duel(10.0, gun(), phase="charge")) == pytest.approx(now * LATER / NOW)
    assert of_the_first(duel(10.0, gun(), side=1)) == pytest.approx(now * NEXT / NOW)
    assert of_the_first(duel(10.0, gun(), side=1, turn=10)) == 0.0


@pytest.mark.parametrize("fact", [SHOT, ADVANCED, FELL_BACK])
def test_who_has_shot_or_run_does_so_no_more_in_this_turn(fact: str) -> None:
    position = duel(10.0, gun())
    now = of_the_first(position)
    position.units[0].mark(fact, 1)
    assert of_the_first(position) == pytest.approx(now * LATER / NOW)


@pytest.mark.parametrize(("apart", "chance"), [(1.0, 1.0), (3.0, 1.0), (8.0, 21 / 36), (13.0, 1 / 36), (13.1, 0.0)])
def test_a_charge_arrives_by_two_dice(apart: float, chance: float) -> None:
    assert arriving(apart) == pytest.approx(chance)


def test_a_charge_is_hoped_for_by_the_chance_that_it_arrives() -> None:
    near, far = (of_the_first(duel(apart, blade(), phase="charge")) for apart in (3.0, 8.0))
    assert near * 21 / 36 == pytest.approx(far)


def test_the_engaged_fight_and_do_not_shoot() -> None:
    position = duel(0.5, blade(), phase="fight")
    worth = balance(position, 0)
    assert worth > 0.0
    position.units[0].mark(FOUGHT, 1)
    assert 0.0 < balance(position, 0) < worth
    assert balance(duel(0.5, gun(), phase="shooting"), 0) == 0.0


def test_what_may_be_done_to_a_side_counts_against_it_and_nothing_before_the_first_turn() -> None:
    position = duel(10.0, gun())
    assert balance(position, 1) < 0.0 < balance(position, 0)
    assert balance(duel(10.0, gun(), phase="deployment"), 0) == 0.0


def test_a_ruin_between_two_units_makes_fire_less_likely() -> None:
    seen = balance(duel(20.0, gun()), 0)
    armed = squad("line-squad", 1, 0, (30.0, 5.0), {POINTS: 20}, weapons=(gun(),))
    other = squad("line-squad", 1, 1, (30.0, 25.0 + 32 / 25.4), {POINTS: 20}, weapons=())
    hidden = table(armed, other, pieces=[piece(RUINS, 30.0, 15.0)], phase="shooting", side=0, turn=3, round=2)
    assert balance(hidden, 0) == pytest.approx(UNSEEN * seen)


def test_several_take_no_more_than_there_is() -> None:
    few, many = (
        table(
            *(squad("line-squad", 5, 0, (20.0, 2.0 + 3 * k), weapons=(gun(a="20", d="9"),)) for k in range(count)),
            squad("line-squad", 1, 1, (30.0, 20.0), {POINTS: 20}, weapons=()),
            phase="shooting",
            side=0,
            turn=3,
            round=2,
        )
        for count in (1, 3)
    )
    assert balance(few, 0) == pytest.approx(balance(many, 0)) == pytest.approx(20.0)
