"""How fast the environments for learning step, and what they cost beside the same battles without them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from campale.learn import BattleEnv, SoloBattle
from campale.learn.course import Course, drawn
from campale.referee.ruleset import load_ruleset, ruleset_names

SECONDS = 6.0


def run(seconds: float = SECONDS) -> dict[str, Any]:
    return {name: of_book(name, seconds) for name in ruleset_names() if load_ruleset(name).is_complete}


def of_book(name: str, seconds: float) -> dict[str, Any]:
    """Two agents that act at random; one against the random player; and how much of the time is for observing."""
    both, watched = stepped(BattleEnv(name), seconds)
    bare = blind(BattleEnv(name), seconds)
    return {
        "two agents, steps per second": both,
        "against random, steps per second": alone(SoloBattle(name), seconds),
        "two agents without observing, steps per second": bare,
        "share of time for observing": watched,
    }


def stepped(battle: BattleEnv, seconds: float) -> tuple[float, float]:
    """Steps a second, and the share of the time that observations take."""
    rng, steps, watching = np.random.default_rng(1), 0, 0.0
    battle.reset(seed=1)
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if all(battle.terminations.values()) or all(battle.truncations.values()):
            battle.reset()
        before = time.perf_counter()
        mask = battle.observe(battle.agent_selection)["action_mask"]
        watching += time.perf_counter() - before
        battle.step(int(rng.choice(np.flatnonzero(mask))))
        steps += 1
    whole = time.perf_counter() - begun
    return steps / whole, watching / whole


def blind(battle: BattleEnv, seconds: float) -> float:
    """The same battles, with nobody looking."""
    rng, steps = np.random.default_rng(1), 0
    course = Course(battle.book, *drawn(battle.setups, rng))
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if course.side is None:
            course = Course(battle.book, *drawn(battle.setups, rng))
            continue
        course.act(course.side, int(rng.integers(len(course.asked[course.side].actions))))
        steps += 1
    return steps / (time.perf_counter() - begun)


def alone(battle: SoloBattle, seconds: float) -> float:
    rng, steps, is_over = np.random.default_rng(1), 0, True
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if is_over:
            battle.reset(seed=1 if steps == 0 else None)
        _, _, ended, broken_off, _ = battle.step(rng.choice(np.flatnonzero(battle.action_masks())))
        steps, is_over = steps + 1, ended or broken_off
    return steps / (time.perf_counter() - begun)
