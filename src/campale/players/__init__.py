"""The players: random, greedy. They see only what a player may see."""

from __future__ import annotations

from campale.players.greedy import GreedyPlayer
from campale.players.player import NoAnswer, Player
from campale.players.uniform import RandomPlayer

__all__ = ["PLAYERS", "GreedyPlayer", "NoAnswer", "Player", "RandomPlayer", "player_named"]

PLAYERS: dict[str, type[Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer}


def player_named(name: str, seed: int | str = 1) -> Player:
    """The player of a name. Raises KeyError listing the names there are."""
    if name not in PLAYERS:
        raise KeyError(f"there is no player '{name}'; there are: {', '.join(PLAYERS)}")
    return PLAYERS[name](seed)
