"""Play until every rule has been applied, and tell which never was.

Battles between the book's own armies come first. What they did not reach is looked for from the positions of its
scenario files, played on at random.

A rule was applied when its function returned something other than None, False, 0 or nothing at all; a coroutine, and
a function that by its annotation returns nothing, when it came to its end. What is watched are returns
(``sys.setprofile``); a coroutine that asks returns its question, and that is no end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import CO_COROUTINE
from random import Random
from types import FrameType
from typing import Any

import msgspec
import numpy as np

from campale.conformance.budget import MOST_ANSWERS
from campale.conformance.playing import answered, someone_asked
from campale.dice.needs import Part
from campale.dice.sources import Seeded
from campale.referee.armies.lists import ListAsked
from campale.referee.asking import Together
from campale.referee.game import Game
from campale.referee.ledgers.trace import SCENARIOS, marked_in
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import BY_CODE, Marked
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.scenarios.scenario import files_in, read_scenario

TRIES, SOON = 24, 60
"""How often a scenario file is played on from, each time for so many answers."""

OUTSIDE = 0.1
"""How often an army comes from a list of another program, where a book reads such lists."""

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
    if answers < most_answers:
        play_scenarios_on(ruleset, wanted, seen, rng)
    return [id_ for id_ in ruleset.ledger.entries if id_ in wanted - seen]


def play_scenarios_on(ruleset: Ruleset, wanted: set[str], seen: set[str], rng: Random) -> None:
    """From the positions of the book's scenario files about what is left, by whatever answers and dice."""
    for path in files_in(ruleset.folder / SCENARIOS):
        for number in range(TRIES):
            if not set(read_scenario(path).scenario.rules) & (wanted - seen):
                break
            game = read_scenario(path, Seeded(f"exhaustion/{path.stem}/{number}")).game
            with watching(seen):
                play_on(game, rng, EAGERNESS[number % len(EAGERNESS)], SOON)


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
    return play_on(begun_somehow(ruleset, number, rng), rng, EAGERNESS[number % len(EAGERNESS)], MOST_ANSWERS)


def play_on(game: Game, rng: Random, eagerness: float, most: int) -> int:
    """To the end, or for so many answers at most; how many there were."""
    for count in range(most):
        if game.is_over:
            return count
        question = someone_asked(game, rng)
        tried_wrongly(question, rng)
        answered(game, question, eager(question, eagerness, rng))
    return most


def begun_somehow(ruleset: Ruleset, number: int, rng: Random) -> Game:
    """One of the starters, now and then under other options."""
    assert ruleset.starters is not None
    starters = ruleset.starters()
    setup = with_lists(ruleset, starters[number % len(starters)], rng)
    offer_wrong_forces(ruleset, setup)
    try:
        return Game(ruleset, varied(ruleset, setup, rng), f"exhaustion/{number}", marks="none")
    except ValueError:
        return Game(ruleset, setup, f"exhaustion/{number}", marks="none")


def with_lists(ruleset: Ruleset, setup: Setup, rng: Random) -> Setup:
    """Now and then a side has an army that comes from a list of another program."""
    if ruleset.read_list is None or rng.random() > OUTSIDE:
        return setup
    lists = import_module(f"tests.rulesets.{ruleset.name}.outside").LISTS
    found = ruleset.read_list(ListAsked(rng.choice(lists)))
    assert found.force is not None, found
    forces = list(setup.forces)
    forces[rng.randrange(len(forces))] = found.force
    return msgspec.structs.replace(setup, forces=tuple(forces))


def offer_wrong_forces(ruleset: Ruleset, setup: Setup) -> None:
    """Forces with far too much, too little, or the units of another, so that what forbids them is applied."""
    if ruleset.check_force is None:
        return
    for force, other in zip(setup.forces, reversed(setup.forces), strict=True):
        several = [
            {key: one * times if isinstance(one, list) else one for key, one in force.items()} for times in (3, 9)
        ]
        others = {key: one for key, one in other.items() if isinstance(one, list)}
        for wrong in (*several, multiplied(force), emptied(force), {**force, **others}):
            ruleset.check_force(wrong, {})


def multiplied(plain: Any) -> Any:
    """Nine times as many wherever it says how many of what."""
    if isinstance(plain, dict):
        counts = bool(plain) and all(type(one) is int for one in plain.values())
        return {key: 9 * one if counts else multiplied(one) for key, one in plain.items()}
    return [multiplied(one) for one in plain] if isinstance(plain, list | tuple) else plain


def emptied(force: dict[str, Any]) -> dict[str, Any]:
    """Without whatever it says how many of what there are, at the top."""
    return {key: {} if isinstance(one, dict) and key != "name" else one for key, one in force.items()}


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
        answer = question.sample(rng)
        question.refusal(distorted(answer, rng))
        question.refusal(exchanged(answer, rng))


def exchanged(answer: Plain, rng: Random) -> Plain:
    """What was meant for one thing for another: models that should stay move."""
    return rng.sample(answer, len(answer)) if isinstance(answer, list) else answer


def distorted(answer: Plain, rng: Random) -> Plain:
    """An answer with its numbers a little, or much, too large or too small."""
    if isinstance(answer, list | tuple):
        return [distorted(one, rng) for one in answer]
    return answer * rng.choice((0.5, 0.9, 1.0, 1.1, 2.0)) if isinstance(answer, float) else answer
