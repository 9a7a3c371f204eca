"""Play until every rule has been applied, and tell which never was.

A rule was applied when its function returned something other than None, False, 0 or nothing at all; a coroutine, and
a function that by its annotation returns nothing, when it came to its end. What is watched are returns
(``sys.setprofile``); a coroutine that asks returns its question, and that is no end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_COROUTINE
from random import Random
from types import FrameType
from typing import Any

import msgspec
import numpy as np

from campale.dice.needs import Part
from campale.referee.asking import Together
from campale.referee.game import Game
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import BY_CODE, Marked
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.trace import marked_in
from tests.conformance.budget import MOST_ANSWERS
from tests.conformance.playing import answered, someone_asked

EAGERNESS = (0.0, 0.3, 0.7, 0.95)
"""How often a player takes a suggestion rather than a sample, battle by battle."""


def never_applied(ruleset: Ruleset, games: int, rng: Random, most_answers: int = sys.maxsize) -> list[str]:
    """The ids of marked functions that no battle applied, in the ledger's order. Fewer battles if all were."""
    wanted = {id_ for marked in marked_in(ruleset) for id_ in marked.ids}
    seen: set[str] = set()
    answers = 0
    for number in range(games):
        if wanted <= seen or answers >= most_answers:
            break
        with watching(seen):
            answers += one_battle(ruleset, number, rng)
    return [id_ for id_ in ruleset.ledger.entries if id_ in wanted - seen]


@contextmanager
def watching(seen: set[str]) -> Iterator[None]:
    """Every rule that is applied meanwhile is entered."""

    def returned(frame: FrameType, event: str, value: Any) -> None:
        if event == "return":
            marked = BY_CODE.get(id(frame.f_code))
            if marked is not None and has_applied(marked, value):
                seen.update(marked.ids)

    before = sys.getprofile()
    sys.setprofile(returned)
    try:
        yield
    finally:
        sys.setprofile(before)


def has_applied(marked: Marked, value: Any) -> bool:
    if marked.code.co_flags & CO_COROUTINE:
        return not isinstance(value, Question | Together)
    return is_something(value) or marked.function.__annotations__.get("return") in (None, "None")


def is_something(value: Any) -> bool:
    """Not nothing, nor zero, nor empty; a modifier of zero is nothing."""
    if isinstance(value, Part):
        return value.value != 0
    return bool(np.any(value)) if isinstance(value, np.ndarray) else bool(value)


def one_battle(ruleset: Ruleset, number: int, rng: Random) -> int:
    """Play a battle out; how many answers it took."""
    game = begun_somehow(ruleset, number, rng)
    eagerness = EAGERNESS[number % len(EAGERNESS)]
    for count in range(MOST_ANSWERS):
        if game.is_over:
            return count
        question = someone_asked(game, rng)
        tried_wrongly(question, rng)
        answered(game, question, eager(question, eagerness, rng))
    return MOST_ANSWERS


def begun_somehow(ruleset: Ruleset, number: int, rng: Random) -> Game:
    """One of the starters, now and then under other options."""
    assert ruleset.starters is not None
    starters = ruleset.starters()
    setup = starters[number % len(starters)]
    offer_wrong_forces(ruleset, setup)
    try:
        return Game(ruleset, varied(ruleset, setup, rng), f"exhaustion/{number}", marks="none")
    except ValueError:
        return Game(ruleset, setup, f"exhaustion/{number}", marks="none")


def offer_wrong_forces(ruleset: Ruleset, setup: Setup) -> None:
    """Forces with far too much of everything, so that what forbids them is applied."""
    if ruleset.check_force is not None:
        for force in setup.forces:
            ruleset.check_force({key: one * 9 if isinstance(one, list) else one for key, one in force.items()}, {})


def varied(ruleset: Ruleset, setup: Setup, rng: Random) -> Setup:
    chosen = {one.name: rng.choice(one.values) for one in ruleset.switches if rng.random() < 0.3}
    return msgspec.structs.replace(setup, options={**setup.options, **chosen})


def eager(question: Question, eagerness: float, rng: Random) -> Plain:
    suggested = question.suggestions() if rng.random() < eagerness else []
    return rng.choice(suggested) if suggested else question.sample(rng)


def tried_wrongly(question: Question, rng: Random) -> None:
    """Let the question refuse something, so that what forbids is applied too."""
    if isinstance(question, Choose):
        for key in question.candidates:
            question.refusal(key)
    elif rng.random() < 0.3:
        question.refusal(distorted(question.sample(rng), rng))


def distorted(answer: Plain, rng: Random) -> Plain:
    """An answer with its numbers a little, or much, too large or too small."""
    if isinstance(answer, list | tuple):
        return [distorted(one, rng) for one in answer]
    return answer * rng.choice((0.5, 0.9, 1.0, 1.1, 2.0)) if isinstance(answer, float) else answer
