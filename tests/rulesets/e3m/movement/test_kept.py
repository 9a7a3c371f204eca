"""The arrays that Edition 3.m keeps until something moves are at every moment what they would be if made anew."""

from __future__ import annotations

import numpy as np
import pytest

from campale.mechanics.bases import centres, contacts
from campale.mechanics.pairs import PAIRS, UNKNOWN
from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.rulesets.e3m.movement.sight import cover_from, look
from campale.simulate import battle

EVERY = 4
"""After how many answers one looks."""


def stale(position: Position) -> list[str]:
    """What is kept with a position and would be another if it were made anew."""
    anew, found = position.supposing({}), []
    for find in (look, cover_from):
        known = position.layout.get((PAIRS, find))
        if known is not None and (pairs := np.argwhere(known != UNKNOWN)).size:
            ones, others = ([anew.model(row) for row in rows] for rows in pairs.T.tolist())
            if not np.array_equal(known[known != UNKNOWN], find(anew, ones, others)):
                found.append(find.__name__)
    if not np.array_equal(centres(position), centres(anew)):
        found.append("centres")
    return found + (["contacts"] if contacts(position) != contacts(anew) else [])


@pytest.mark.parametrize("number", [2, 7])
def test_what_is_kept_is_what_it_would_be_anew(number: int) -> None:
    book = load_ruleset("e3m")
    assert book.starters is not None
    players = {side: RandomPlayer(f"kept/{number}/{side}") for side in (0, 1)}
    looked: list[int] = []

    def look_at(game: Game) -> None:
        position = game.position
        if len(game.line) % EVERY == 0 and (PAIRS, look) in position.layout:
            assert stale(position) == [], (position.now, len(game.line))
            looked.append(len(game.line))

    battle(book, book.starters()[number], players, f"kept/{number}", journal=False, marks="none", each=look_at)
    assert len(looked) > 20
