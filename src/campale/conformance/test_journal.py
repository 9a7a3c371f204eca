"""The journal never changes its account: told live, told afresh, and after a reload."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import msgspec
import pytest

from campale.conformance.budget import LOOKS
from campale.conformance.playing import SIDES, asked, begun, played
from campale.referee.game import Game
from campale.referee.journal import Event, Journal
from campale.referee.position import Position
from campale.referee.records.saved import load, save
from campale.referee.telling.teller import Teller
from campale.referee.view import seen_position
from campale.screen.journal import Journal as Told
from campale.screen.journal import lines
from campale.screen.scene import Eyes
from campale.screen.shown import Line

pytestmark = pytest.mark.costly

Battle = tuple[str, int]
LANGUAGES = ("en", "it")


@lru_cache(maxsize=3)
def told_live(battle: Battle) -> tuple[Game, Told, Told]:
    """A whole battle, and its lines told live, to the public in one language and to a side in the other.

    At many boundaries all lines are compared with those told afresh.
    """
    often, choice = LOOKS / len(played(*battle).marks), Random(f"looked/{battle}")
    game = begun(*battle, seed="told", marks="last")
    number = battle[1] % 2
    live = (Told(LANGUAGES[number], None), Told(LANGUAGES[1 - number], SIDES[number]))
    boundary = -1
    for _ in asked(game, Random(f"told/{battle}")):
        for told in live:
            told.update(game)
        if game.marks[-1].at != boundary:
            boundary = game.marks[-1].at
            if choice.random() < often:
                told = live[choice.randrange(2)]
                assert told.lines == told_afresh(game, told.side, told.language)
    for told in live:
        told.update(game)
    return game, *live


def test_the_journal_told_live_is_that_told_after_a_reload(battle: Battle) -> None:
    game, *live = told_live(battle)
    for told in live:
        assert told.lines == told_afresh(game, told.side, told.language)


def told_afresh(game: Game, side: int | None, language: str) -> list[Line]:
    """The lines of a battle loaded from disk: from its position and journal, with nothing cached."""
    again = game.clone(journal=True)
    again.position, again.unseen = reloaded(game), dict(game.unseen)
    seen = seen_position(again, side)
    return Told(language, side).update(again, Eyes(side, seen, Teller.of(again, language, seen)))[1]


def reloaded(game: Game) -> Position:
    position = Position.from_bytes(game.ruleset, game.position.to_bytes())
    journal = game.position.journal
    assert journal is not None
    events = msgspec.json.decode(msgspec.json.encode(journal.events), type=list[Event])
    position.journal = Journal(events, journal.ats)
    return position


def test_the_journal_of_a_saved_battle_is_the_same(battle: Battle) -> None:
    """The battle is replayed from the file."""
    game, public, _ = told_live(battle)
    assert public.lines == lines(load(save(game)), None, public.language)
