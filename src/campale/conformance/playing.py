"""Random battles for the tests of every ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeVar

from campale.conformance.budget import LOOKS, MOST_ANSWERS, SETUPS
from campale.referee.game import Game, Marks
from campale.referee.question import Question
from campale.referee.records.record import CHANCE_KINDS
from campale.referee.records.saved import save
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset

T = TypeVar("T")
SIDES = (0, 1)
SAVED_EVERY = 50
SEED = "a-seed-that-nobody-may-see"


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


class Watched(NamedTuple):
    """A finished battle, the prompts of all its questions, and files of it by the length of its line at that time.

    Callers must not change it.
    """

    game: Game
    prompts: frozenset[str]
    saves: dict[int, bytes]


@lru_cache(maxsize=3)
def watched(name: str, number: int) -> Watched:
    """The battle that the tests of a set-up share."""
    game, prompts, saves = begun(name, number, SEED), set(), {}
    for count, question in enumerate(asked(game, Random(f"{name}/{number}"))):
        prompts.add(question.prompt)
        if count % SAVED_EVERY == 0 and not game.held:
            saves[len(game.line)] = save(game)
    return Watched(game, frozenset(prompts), saves)


def played(name: str, number: int) -> Game:
    """The battle that the tests of a set-up share, finished; callers must not change it."""
    return watched(name, number).game


def looks(name: str, number: int, many: int = LOOKS) -> Iterator[tuple[Game, Question, Random]]:
    """The battle at ``many`` (at most ``LOOKS``) questions: copies with their last marks, which callers may change."""
    for stop, side, at in spread(stops(name, number), many):
        game = stop.clone(journal=True)
        yield game, game.pending[side], Random(at)


@lru_cache(maxsize=3)
def stops(name: str, number: int) -> list[tuple[Game, int | None, str]]:
    """Copies of the battle at ``LOOKS`` of its questions, with a side that is asked and a seed; do not change them.

    Of two sides that are asked together, one has answered already in half of the copies.
    """
    found = []
    for length in spread(lengths(played(name, number)), LOOKS):
        stop, rng = played(name, number).at(length, journal=True), Random(f"at/{length}")
        if len(stop.asked) > 1 and rng.random() < 0.5:
            question = someone_asked(stop, rng)
            answered(stop, question, an_answer(question, rng))
        found.append((stop, someone_asked(stop, rng).side, f"at/{length}"))
    return found


def lengths(game: Game) -> list[int]:
    """The lengths of a finished battle's line at which it stood and asked somebody other than the dice."""
    decided = (number for number, entry in enumerate(game.line) if entry.kind not in CHANCE_KINDS)
    return [length for length in decided if length not in game.joints]


def together(name: str, number: int, many: int) -> Iterator[tuple[Game, Question]]:
    """Copies of the battle at up to ``many`` moments at which both sides were asked, with a question of theirs."""
    game = played(name, number)
    for length in spread([length for length in lengths(game) if length + 1 in game.joints], many):
        copy = game.at(length, journal=True)
        yield copy, someone_asked(copy, Random(f"together/{length}"))


def spread(found: Sequence[T], many: int) -> list[T]:
    """Up to ``many`` of them, evenly spread."""
    some = min(many, len(found))
    return [found[place * len(found) // some] for place in range(some)]


def restarted(ruleset: Ruleset, game: Game, number: int) -> Game:
    """The battle restarted from the bytes of one of its marks, with the answers up to the next mark."""
    mark = game.marks[number]
    end = game.marks[number + 1].at if number + 1 < len(game.marks) else len(game.line)
    position = type(mark.position).from_bytes(game.ruleset, mark.position.to_bytes())
    there = ruleset.replacing(set_out=lambda _ruleset, _setup: position)
    return Game(there, game.setup, game.seed, journal=False, replaying=game.line[mark.at : end])
