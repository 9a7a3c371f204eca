"""What a bot is advised: whether to re-roll, whether to fall back."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from campale.referee.position import Position, Unit
from campale.referee.question import Choose
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE
from campale.rulesets.w10.basics.units import POINTS, SHOCKED
from campale.rulesets.w10.bots.advice import AGAIN, KEEP, PASS, PER_CP, advise, charge_gain, charge_needed
from campale.rulesets.w10.bots.prospects import points_left, shooting_values, taken
from tests.rulesets.w10.kit import blade, gun, squad, table


def advised(position: Position, prompt: str, **about: Plain) -> Mapping[Plain, float]:
    question = Choose(0, prompt, [KEEP, AGAIN], about={"unit": 0, **about})
    return dict(advise(position, question, question.about))


def is_wanted(position: Position, prompt: str, **about: Plain) -> bool:
    worth = advised(position, prompt, **about)
    return worth[AGAIN] > worth[KEEP]


def charging(points: int = 200) -> Position:
    """A big fighter four inches from a squad."""
    sword = blade(a="8", s=8, ap=-3, d="2")
    red = squad("walker", 1, 0, (30, 10), {POINTS: points}, weapons=(sword,))
    blue = squad("line-squad", 5, 1, (30, 16.5), {POINTS: points})
    return table(red, blue, phase="charge")


def test_a_charge_that_is_long_enough_is_not_rolled_again() -> None:
    position = charging()
    needed = charge_needed(Unit(position, 0), Unit(position, 1))
    assert 2 < needed < 7
    assert not is_wanted(position, "reroll-charge", rolled=needed, targets=[1])
    assert is_wanted(position, "reroll-charge", rolled=needed - 1, targets=[1])


def test_a_short_charge_is_rolled_again_for_what_it_gains_alone() -> None:
    rich, poor = charging(200), charging(10)
    assert charge_gain(Unit(rich, 0), Unit(rich, 1)) > PER_CP
    assert is_wanted(rich, "reroll-charge", rolled=2, targets=[1])
    assert not is_wanted(poor, "reroll-charge", rolled=2, targets=[1])


def test_the_targets_of_a_charge_must_all_be_reached() -> None:
    sword = blade(a="8", s=8, ap=-3, d="2")
    red = squad("walker", 1, 0, (30, 10), {POINTS: 200}, weapons=(sword,))
    near, far = (squad("line-squad", 5, 1, (30, y), {POINTS: 200}) for y in (15, 20))
    position = table(red, near, far, phase="charge")
    needed = charge_needed(Unit(position, 0), Unit(position, 1))
    assert not is_wanted(position, "reroll-charge", rolled=needed, targets=[1])
    assert is_wanted(position, "reroll-charge", rolled=needed, targets=[1, 2])


@pytest.mark.parametrize(("rolled", "wanted"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_number_of_attacks_is_rolled_again_below_the_average(rolled: int, wanted: bool) -> None:
    flame = gun(a="D6", s=8, ap=-3, d="3")
    red = squad("walker", 1, 0, (30, 10), {POINTS: 100}, weapons=(flame,))
    position = table(red, squad("line-squad", 5, 1, (30, 20), {POINTS: 3000}), phase="shooting")
    assert is_wanted(position, "reroll-attacks", rolled=rolled, model=0, weapon=0, target=1) is wanted


@pytest.mark.parametrize(("snap", "wanted"), [(False, True), (True, False)])
def test_attacks_are_rolled_again_for_what_they_are_worth_where_only_sixes_hit(snap: bool, wanted: bool) -> None:
    flame = gun(a="D6", s=8, ap=-3, d="3")
    red = squad("walker", 1, 0, (30, 10), {POINTS: 100}, weapons=(flame,))
    position = table(red, squad("line-squad", 5, 1, (30, 20), {POINTS: 100}), phase="shooting")
    assert is_wanted(position, "reroll-attacks", rolled=1, model=0, weapon=0, target=1, snap=snap) is wanted


@pytest.mark.parametrize(("torrent", "wanted"), [(False, False), (True, True)])
def test_fire_overwatch_is_worth_what_its_sixes_do_and_more_with_weapons_that_need_no_roll(
    torrent: bool, wanted: bool
) -> None:
    flame = gun(a="D6", s=8, ap=-3, abilities=("torrent",) if torrent else ())
    watch, mover = squad("walker", 1, 0, (30, 10), {POINTS: 100}, weapons=(flame,)), ("line-squad", 5, 1, (30, 20))
    position = table(watch, squad(*mover, {POINTS: 100}), phase="movement", side=1)
    question = Choose(0, "enemy-moves", [PASS, ("fire-overwatch", 0)], about={"mover": 1})
    worth = dict(advise(position, question, question.about))
    assert (worth["fire-overwatch", 0] > worth[PASS]) is wanted


def test_attacks_that_do_little_harm_are_not_worth_a_command_point() -> None:
    pistol = gun(a="D6", s=3)
    red = squad("walker", 1, 0, (30, 10), {POINTS: 100}, weapons=(pistol,))
    position = table(red, squad("line-squad", 5, 1, (30, 20), {POINTS: 100}), phase="shooting")
    assert not is_wanted(position, "reroll-attacks", rolled=1, model=0, weapon=0, target=1)


@pytest.mark.parametrize(("points", "rolled", "wanted"), [(300, 1, True), (300, 4, False), (20, 1, False)])
def test_damage_is_rolled_again_for_the_wounds_that_the_target_would_lose(
    points: int, rolled: int, wanted: bool
) -> None:
    red, walker = squad("line-squad", 5, 0, (30, 10), {POINTS: 100}), squad("walker", 1, 1, (30, 20), {POINTS: points})
    position = table(red, walker, phase="shooting")
    assert is_wanted(position, "reroll-damage", rolled=rolled, average=3.5, target=1) is wanted


def test_damage_beyond_the_wounds_left_is_not_rolled_again() -> None:
    red, squads = squad("line-squad", 5, 0, (30, 10), {POINTS: 100}), squad("line-squad", 1, 1, (30, 20), {POINTS: 900})
    position = table(red, squads, phase="shooting")
    left = position.model(5).profile.w
    assert not is_wanted(position, "reroll-damage", rolled=left, average=3.5, target=1)


def falling_back(shocked: int) -> float:
    """How much better it is to fall back than to stay, for a squad that loses its melee."""
    sword = blade(a="2", s=5, ap=-1)
    red = squad("line-squad", 5, 0, (30, 10), {POINTS: 100, SHOCKED: shocked})
    position = table(red, squad("walker", 1, 1, (32, 12.4), {POINTS: 100}, weapons=(sword,)), phase="movement")
    question = Choose(0, "how-to-move", ["stay", "fall-back"], about={"unit": 0})
    worth = dict(advise(position, question, question.about))
    return float(worth["fall-back"] - worth["stay"])


def test_a_battle_shocked_unit_counts_the_models_that_its_escape_may_cost() -> None:
    assert falling_back(0) - falling_back(1) == pytest.approx(0.7 * 100 / 3)


# ---------------------------------------------------------------- what fire takes off


def test_fire_at_the_last_wound_of_a_model_is_worth_more_than_at_a_whole_one() -> None:
    rifle = gun(a="1", s=8, ap=-3, d="1")
    red = squad("line-squad", 1, 0, (30, 10), {POINTS: 100}, weapons=(rifle,))
    hurt, whole = (squad("walker", 1, 1, (x, 25), {POINTS: 100}) for x in (20, 40))
    position = table(red, hurt, whole, phase="shooting")
    position.mark(position.model(1), "wounds", position.model(1).profile.w - 1)
    worth = shooting_values(Unit(position, 0))
    assert worth[1] > 3.0 * worth[2] > 0.0


def test_no_fire_takes_more_off_a_unit_than_it_is_worth() -> None:
    cannon = gun(a="20", s=16, ap=-6, d="6")
    red = squad("line-squad", 5, 0, (30, 10), {POINTS: 100}, weapons=(cannon,))
    position = table(red, squad("walker", 1, 1, (30, 25), {POINTS: 60}), phase="shooting")
    assert shooting_values(Unit(position, 0))[1] == pytest.approx(60.0)


@pytest.mark.parametrize(("lost", "points"), [(0.0, 0.0), (0.5, 7.5), (1.0, 15.0), (3.0, 35.0), (9.0, 55.0)])
def test_a_wounded_model_falls_before_the_whole_ones(lost: float, points: float) -> None:
    position = table(squad("line-squad", 3, 1, (30, 25), {POINTS: 60}, w=2), phase="shooting")
    position.mark(position.model(1), "wounds", 1)
    assert points_left(position.model(1)) == 15.0
    assert taken(Unit(position, 0), lost) == pytest.approx(points)


@pytest.mark.parametrize("is_screened", [False, True])
def test_a_charge_through_a_screen_is_wasted(is_screened: bool) -> None:
    """Four inches in a straight line; but nobody may end within an inch of a unit that it does not charge."""
    sword = blade(a="8", s=8, ap=-3, d="2")
    screen = [squad("line-squad", 9, 1, (22, 14.5), {POINTS: 50})] if is_screened else []
    red = squad("walker", 1, 0, (30, 10), {POINTS: 200}, weapons=(sword,))
    position = table(red, squad("line-squad", 1, 1, (30, 16.5), {POINTS: 200}), *screen, phase="charge")
    question = Choose(0, "charge-target", (1, "nobody"), about={"unit": 0})
    worth = dict(advise(position, question, question.about))[1]
    gain = charge_gain(Unit(position, 0), Unit(position, 1))
    assert worth == (WASTE if is_screened else pytest.approx(gain * 33 / 36))
