"""The environments for learning, of every book that is declared complete."""

from __future__ import annotations

import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from campale.learn import LENGTH, MOST_ACTIONS, AnyAction, BattleEnv, SoloBattle, env, layout, solo
from campale.learn.actions import Asked, actions_of
from campale.learn.course import Course
from campale.learn.observing import Observer
from campale.referee.question import Choose, Form, Number, Order
from campale.referee.ruleset import EXTRA_PACKAGES, load_ruleset, ruleset_names

ADDED = {package.rpartition(".")[2] for package in EXTRA_PACKAGES}
BOOKS = [name for name in ruleset_names() if name not in ADDED and load_ruleset(name).is_complete]
OUR_SHAPE = "Observation (space for each agent probably|is not a NumPy)"
"""What the API's test says of observations with a mask, whose shape is PettingZoo's own custom."""


def battles(name: str) -> BattleEnv:
    made = BattleEnv(name)
    made.reset(seed=3)
    return made


def act(made: BattleEnv, rng: np.random.Generator) -> int:
    """Any action of the selected agent's mask."""
    mask = made.observe(made.agent_selection)["action_mask"]
    action = int(rng.choice(np.flatnonzero(mask)))
    made.step(action)
    return action


@pytest.mark.parametrize("name", BOOKS)
def test_pettingzoo_finds_nothing_amiss(name: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=OUR_SHAPE)
        api_test(env(ruleset=name), num_cycles=120)


@pytest.mark.parametrize("name", BOOKS)
def test_gymnasium_finds_nothing_amiss(name: str) -> None:
    assert isinstance(gymnasium.make(f"campale/{name}-v0").unwrapped, SoloBattle)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version")
        check_env(AnyAction(SoloBattle(name)), skip_render_check=True)


def test_a_battle_refuses_what_its_mask_does_not_show_unless_it_is_wrapped() -> None:
    """A checker that knows no masks fails without the wrapper; in it every number is one of the actions there are."""
    plain = SoloBattle("ragnarok", side=0)
    plain.reset(seed=2)
    count = int(plain.action_masks().sum())
    with pytest.raises(ValueError, match="action mask"):
        plain.step(count)
    ends = []
    for number in (1, count + 1):
        made = SoloBattle("ragnarok", side=0)
        wrapped = AnyAction(made)
        wrapped.reset(seed=2)
        wrapped.step(np.int64(number))
        ends.append(made.now.game.position.state_hash())
    plain.step(1)
    assert ends == [plain.now.game.position.state_hash()] * 2


@pytest.mark.parametrize("name", BOOKS)
def test_the_same_seed_gives_the_same_battle(name: str) -> None:
    def course(seed: int) -> list[bytes]:
        made, rng, seen = BattleEnv(name), np.random.default_rng(1), []
        made.reset(seed=seed)
        for _ in range(40):
            seen.append(made.observe(made.agent_selection)["observation"].tobytes())
            act(made, rng)
        return seen

    assert course(5) == course(5)
    assert course(5) != course(6)


def test_an_action_that_the_mask_does_not_show_is_refused_and_changes_nothing() -> None:
    made = battles("ragnarok")
    agent = made.agent_selection
    before = made.observe(agent)
    beyond = int(before["action_mask"].sum())
    for wrong in (-1, beyond, MOST_ACTIONS):
        with pytest.raises(ValueError, match="action mask"):
            made.step(wrong)
    after = made.observe(agent)
    assert all((before[part] == after[part]).all() for part in before)
    made.step(beyond - 1)


def test_a_form_is_filled_in_field_by_field_and_what_is_forced_is_not_asked() -> None:
    def fields(filled: list[Any]) -> Choose | Number | None:
        if len(filled) == 1:
            return Choose(0, "forced", ["only"])
        return Number(0, "how-many", 1, 3) if len(filled) < 3 else None

    asked = Asked(Form(0, "several", fields))
    asked.take(2)
    assert asked.answers == [3, "only"]
    assert not asked.is_complete
    asked.take(0)
    assert asked.answer == [3, "only", 1]
    with pytest.raises(ValueError, match="nothing is asked"):
        asked.take(0)


def test_of_many_options_the_first_can_be_taken() -> None:
    assert actions_of(Choose(0, "one-of-many", range(100))) == list(range(MOST_ACTIONS))
    assert actions_of(Choose(0, "one-of-few", range(3), forbids=None)) == [0, 1, 2]


@pytest.mark.parametrize("name", BOOKS)
def test_the_vector_is_as_its_layout_says(name: str) -> None:
    made = battles(name)
    seen = made.observe(made.agent_selection)
    assert seen["observation"].shape == (LENGTH,)
    start, (most, each) = layout()["actions"]
    actions = seen["observation"][start : start + most * each].reshape(most, each)
    assert (actions[:, 0] == seen["action_mask"]).all()
    start, (length,) = layout()["kind"]
    assert seen["observation"][start : start + length].sum() == 1.0
    other = made.observe(next(one for one in made.agents if one != made.agent_selection))
    assert not other["action_mask"].any()


def test_what_one_side_decides_in_secret_is_not_seen_by_the_other() -> None:
    """Reserves: both declare theirs at the same time; whatever side 0 chose, side 1 sees the same numbers."""
    book = load_ruleset("e55")
    assert book.starters is not None

    def seen_by_the_other(action: int) -> tuple[bytes, bytes]:
        course = Course(book, book.starters()[0], "secret") if book.starters is not None else None
        assert course is not None
        while not (0 in course.asked and course.asked[0].whole.prompt == "reserves"):
            assert course.side is not None
            course.act(course.side, 0)
        while 0 in course.asked and course.asked[0].whole.prompt == "reserves":
            course.act(0, min(action, len(course.asked[0].actions) - 1))
        seen = course.observation(1)
        return seen["observation"].tobytes(), seen["action_mask"].tobytes()

    assert seen_by_the_other(0) == seen_by_the_other(1)


def played(battle: SoloBattle, seed: int) -> tuple[float, list[float]]:
    rng = np.random.default_rng(seed)
    battle.reset(seed=seed)
    rewards: list[float] = []
    is_over = False
    while not is_over:
        _, reward, ended, broken_off, info = battle.step(rng.choice(np.flatnonzero(battle.action_masks())))
        rewards.append(reward)
        assert info["side"] == battle.side
        is_over = ended or broken_off
    return battle.now.outcome(battle.side), rewards


def test_rewards_are_the_outcome_and_shaping_changes_their_sum_by_nothing() -> None:
    for seed in range(4):
        outcome, plain = played(solo(ruleset="ragnarok", side=seed % 2), seed)
        assert plain[-1] == outcome
        assert not any(plain[:-1])
        same, shaped = played(solo(ruleset="ragnarok", side=seed % 2, shaped=True), seed)
        assert same == outcome
        assert len([one for one in shaped if one]) > 3
        assert sum(shaped) == pytest.approx(outcome, abs=1e-6)


def test_a_bot_that_thinks_may_be_the_opponent() -> None:
    battle = SoloBattle("ragnarok", "greedy", side=1, most=60)
    _, rewards = played(battle, 1)
    assert rewards
    assert battle.now.is_over or battle.now.is_broken_off


def test_a_battle_broken_off_is_truncated_and_lost_by_nobody() -> None:
    made = BattleEnv("ragnarok", most=30)
    made.reset(seed=1)
    rng = np.random.default_rng(1)
    while not any(made.truncations.values()):
        act(made, rng)
    assert made.rewards == {"side_0": 0.0, "side_1": 0.0}
    assert not any(made.terminations.values())


@pytest.mark.parametrize("language", ["en", "it"])
def test_actions_are_told_in_words(language: str) -> None:
    made = battles("ragnarok")
    told = made.told(language)
    assert len(told) == made.observe(made.agent_selection)["action_mask"].sum()
    assert len(set(told)) == len(told)
    assert all(re.search(r"\w", one) for one in told)


def test_actions_against_a_bot_are_told_in_words_too() -> None:
    made = SoloBattle("ragnarok", side=0)
    made.reset(seed=1)
    assert len(made.told()) == made.action_masks().sum()
    assert made.told("it") != made.told("en")


def test_there_are_two_sides_and_no_more() -> None:
    with pytest.raises(ValueError, match="no side 2"):
        SoloBattle("ragnarok", side=2)


def test_a_book_without_battles_says_so() -> None:
    with pytest.raises(ValueError, match="give set-ups"):
        BattleEnv(load_ruleset("ragnarok").replacing(starters=None))


@pytest.mark.parametrize("name", BOOKS)
def test_an_order_names_what_comes_first_in_it(name: str) -> None:
    """Of lots of wounds, which are numbers and no models, it names nobody."""
    made, rng = battles(name), np.random.default_rng(1)
    course = made.course
    assert course is not None
    while len(course.game.position.names) < 2:
        act(made, rng)
    observer = Observer(course.game.position, 0)
    models = Asked(Order(0, "whoever", [1, 0], "model"))
    assert [observer.named(models, action) for action in ([1, 0], [0, 1], [])] == [1, 0, None]
    lots = Asked(Order(0, "order-of-models", [0, 1], "number", {"models": [[0], [1]]}))
    assert observer.named(lots, [1, 0]) is None
