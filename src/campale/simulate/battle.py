"""One battle between players, from its set-up to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campale.players.player import Player
from campale.referee.game import Game, Marks
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.seat import Seat

MOST_ANSWERS = 20_000
"""The number of answers after which a battle counts as stalled: nobody has lost it."""


def battle(
    ruleset: Ruleset,
    setup: Setup,
    players: Mapping[int, Player],
    seed: str = "1",
    journal: bool = True,
    marks: Marks = "all",
    most: int = MOST_ANSWERS,
    each: Callable[[Game], None] | None = None,
) -> Game:
    """Play to the end, or until ``most`` answers are given: the game is then not over, and ``outcome`` says so.

    ``players`` by side; ``each`` is called after every answer. Players that think need marks ("last" is enough).
    """
    game = Game(ruleset, setup, seed, journal=journal, marks=marks)
    play_on(game, players, most, each)
    return game


def play_on(
    game: Game,
    players: Mapping[int, Player],
    most: int = MOST_ANSWERS,
    each: Callable[[Game], None] | None = None,
) -> int:
    """Let the players continue a battle. Returns the number of answers given."""
    seats = {side: Seat(game, side) for side in players}
    for given in range(most):
        if game.is_over:
            return given
        side = game.asked[0]
        seated = side if side is not None else min(players)
        refusal = game.answer(side, players[seated].answer(seats[seated]))
        if refusal is not None:
            raise RuntimeError(f"seed {game.seed!r}: player {players[seated].name} was refused: {refusal}")
        if each is not None:
            each(game)
    return most


def outcome(game: Game) -> str:
    """ "0", "1", ... for the side that won, "draw", or "stalled" for a battle that was broken off."""
    if not game.is_over:
        return "stalled"
    winner = game.result.winner if game.result is not None else None
    return "draw" if winner is None else str(winner)
