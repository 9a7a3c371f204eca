"""Battles of the toy ruleset for tests: begun, played at random, and looked at."""

from __future__ import annotations

from random import Random
from typing import Any

from campale.dice.sources import Source
from campale.referee.game import Game
from campale.referee.journal import Journal
from campale.referee.refusal import Plain
from tests.referee.toy import RULESET, SETUP


def begun(seed: str = "1", dice: Source | None = None, **how: Any) -> Game:
    """A battle at its first question."""
    return Game(RULESET, SETUP, seed, dice, **how)


def play(game: Game, *answers: Plain) -> Game:
    """Give answers one after another, each by the side that is asked; every one must be accepted."""
    for answer in answers:
        side = game.asked[0]
        refusal = game.answer(side, answer)
        assert refusal is None, (answer, refusal)
    return game


def act(game: Game, action: str, *answers: Plain) -> Game:
    """The active side does something with its first model."""
    question = game.question
    assert question is not None
    if question.prompt == "who":
        play(game, question.suggestions()[0])
    return play(game, action, *answers)


def at_random(game: Game, rng: Random, answers: int) -> Game:
    """Play on with samples; nobody breaks down."""
    for _ in range(answers):
        if game.is_over:
            break
        side = rng.choice(game.asked)
        question = game.pending[side]
        answer = question.sample(rng)
        if answer == "break":
            continue
        assert game.answer(side, answer) is None
    return game


def looks(game: Game) -> tuple[Any, ...]:
    """All that two equal battles have in common, journal and record apart."""
    return game.position.to_bytes(), game.pending, dict(game.held), game.is_over, game.result, game.asked


def journal(game: Game) -> bytes:
    return Journal(game.journal).to_bytes()
