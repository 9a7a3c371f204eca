"""The players: random, script, beginner, greedy, search. They see only what a player may see."""

from __future__ import annotations

from campale.players.beginner import BeginnerPlayer
from campale.players.greedy import GreedyPlayer
from campale.players.player import Player
from campale.players.script import ScriptPlayer
from campale.players.search import SearchPlayer
from campale.players.uniform import RandomPlayer
from campale.referee.lawful import NoAnswer

__all__ = [
    "NAMES",
    "PLAYERS",
    "BeginnerPlayer",
    "GreedyPlayer",
    "NoAnswer",
    "Player",
    "RandomPlayer",
    "ScriptPlayer",
    "SearchPlayer",
    "player_named",
]

PLAYERS: dict[str, type[Player]] = {
    "random": RandomPlayer,
    "script": ScriptPlayer,
    "beginner": BeginnerPlayer,
    "greedy": GreedyPlayer,
    "search": SearchPlayer,
}
NAMES = (*PLAYERS, "search:80", "search:0.2s")
"""The names that ``player_named`` knows, with an example of each kind of budget."""


def player_named(name: str, seed: int | str = 1) -> Player:
    """The player of a name. Raises KeyError listing the names there are.

    The name of the search player may carry its budget for a decision after a colon: ``search:80`` (lines) or
    ``search:0.2s`` (seconds of processor time).
    """
    kind, colon, budget = name.partition(":")
    try:
        return searching(budget, seed) if colon and kind == SearchPlayer.name else PLAYERS[name](seed)
    except (KeyError, ValueError):
        raise KeyError(f"there is no player '{name}'; there are: {', '.join(NAMES)}") from None


def searching(budget: str, seed: int | str) -> SearchPlayer:
    """A search player with a budget. Raises ValueError for an unreadable budget."""
    if budget.endswith("s"):
        return SearchPlayer(seed, seconds=float(budget.removesuffix("s")))
    return SearchPlayer(seed, lines=int(budget))
