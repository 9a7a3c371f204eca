"""Random battles for the tests of every ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from campale.conformance.budget import LOOKS, MOST_ANSWERS, SETUPS
from campale.referee.game import Game, Marks
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset

SIDES = (0, 1)


def battles(books: Sequence[str]) -> list[tuple[str, int]]:
    """The battles of these rulesets that the tests play, as (name, number of the starter)."""
    return [(name, number) for name in books for number in range(len(setups_of(name)))]


def setups_of(name: str) -> tuple[Setup, ...]:
    ruleset = load_ruleset(name)
    return ruleset.starters()[:SETUPS] if ruleset.starters is not None else ()


def begun(name: str, number: int, seed: str = "1", marks: Marks = "all", journal: bool = True) -> Game:
    return Game(load_ruleset(name), setups_of(name)[number], seed, marks=marks, journal=journal)


def someone_asked(game: Game, rng: Random) -> Question:
    """An open question; if several sides are asked at once, that of a random one."""
    return game.pending[rng.choice(game.asked)]


def an_answer(question: Question, rng: Random) -> Plain:
    """A sample, or now and then a suggestion."""
    if rng.random() < 0.3:
        suggested = question.suggestions()
        if suggested:
            return rng.choice(suggested)
    return question.sample(rng)


def asked(game: Game, rng: Random) -> Iterator[Question]:
    """The questions of a battle; each is answered at random after the caller has seen it."""
    for _ in range(MOST_ANSWERS):
        if game.is_over:
            return
        question = someone_asked(game, rng)
        yield question
        answered(game, question, an_answer(question, rng))
    raise AssertionError(f"no end after {MOST_ANSWERS} answers, at {game.position.now}")


def answered(game: Game, question: Question, answer: Plain) -> None:
    refusal = game.answer(question.side, answer)
    assert refusal is None, f"{question.description()} refuses its own {answer!r}: {refusal}"


@lru_cache(maxsize=64)
def played(name: str, number: int, seed: str = "1") -> Game:
    """A finished battle; callers must not change it."""
    game = begun(name, number, seed)
    for _ in asked(game, Random(f"{name}/{number}/{seed}")):
        pass
    return game


def looks(name: str, number: int, many: int = LOOKS) -> Iterator[tuple[Game, Question, Random]]:
    """A battle at ``many`` (at most ``LOOKS``) questions: copies with their last marks, which callers may change."""
    kept = stops(name, number)
    for place in range(min(many, len(kept))):
        stop, side, at = kept[place * len(kept) // min(many, len(kept))]
        game = stop.clone(journal=True)
        yield game, game.pending[side], Random(at)


@lru_cache(maxsize=16)
def stops(name: str, number: int) -> list[tuple[Game, int | None, str]]:
    """Copies of a battle at about ``LOOKS`` of its questions, with the side asked and a seed; do not change them."""
    return [
        (game.clone(journal=True), question.side, f"at/{len(game.line)}")
        for game, question in walked(name, number, LOOKS)
    ]


def walked(name: str, number: int, many: int) -> Iterator[tuple[Game, Question]]:
    """The battle itself, stopped at about ``many`` of its questions."""
    length = len(played(name, number).line)
    game, rng, choice = begun(name, number), Random(f"{name}/{number}/1"), Random("look/1")
    for question in asked(game, rng):
        if choice.random() < many / max(length, 1):
            yield game, question


def restarted(ruleset: Ruleset, game: Game, number: int) -> Game:
    """The battle restarted from the bytes of one of its marks, with the answers up to the next mark."""
    mark = game.marks[number]
    end = game.marks[number + 1].at if number + 1 < len(game.marks) else len(game.line)
    position = type(mark.position).from_bytes(game.ruleset, mark.position.to_bytes())
    there = ruleset.replacing(set_out=lambda _ruleset, _setup: position)
    return Game(there, game.setup, game.seed, journal=False, replaying=game.line[mark.at : end])
