"""How models are drawn: every model of every book's starters has a likeness, and the page can draw it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.screen.test_replay import begun

from campale.referee.looks import DONE, LIES, LIKENESSES, STATES, Likeness
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.referee.telling.words import words
from campale.screen.scene import eyes, models_of

BOOKS = [name for name in ruleset_names() if load_ruleset(name).likeness is not None]
"""But for the toys."""
DEPLOYED = 60
"""After so many answers armies are known that are secret at first."""

BOARD = Path(__file__).parents[2] / "web" / "src" / "board"


@pytest.mark.parametrize("name", BOOKS)
def test_every_model_of_the_starters_has_a_likeness(name: str) -> None:
    book = load_ruleset(name)
    assert book.starters is not None
    assert book.likeness is not None
    drawn: dict[str, Likeness] = {}
    positions = [book.set_out(book, setup) for setup in book.starters()]
    for position in (*positions, begun(name, answers=DEPLOYED).position):
        drawn |= {profile.id: book.likeness(profile) for profile in position.profiles}
    assert drawn
    assert {one.kind for one in drawn.values()} <= set(LIKENESSES)
    assert len({one.kind for one in drawn.values()}) > 2
    assert any(one.leads for one in drawn.values())
    assert not all(one.leads for one in drawn.values())


def test_every_book_that_one_may_play_says_how_it_is_drawn() -> None:
    assert {"ragnarok", "e55", "e3m", "w10", "wzr"} <= set(BOOKS)


def test_what_is_shown_of_a_model_says_how_it_is_drawn() -> None:
    known = eyes(begun("ragnarok", answers=0), 0, "en")
    shown = models_of(known.position, known.teller)
    assert {one.likeness for one in shown} <= set(LIKENESSES)
    officer = next(one for one in shown if known.position.profiles[one.row].type == "officer")
    assert officer.likeness in ("hero", "psyker")


@pytest.mark.parametrize("name", BOOKS)
def test_marks_that_show_are_marks_of_the_book(name: str) -> None:
    """Each is told in the words of the book, and one of them says that somebody has had his turn."""
    game = begun(name, answers=DEPLOYED)
    assert game.ruleset.states is not None
    told = words("en", game.ruleset.folder / "words")
    shown: dict[str, str] = {}
    for phase in ("movement", "shooting", ""):
        game.position.now["phase"] = phase
        shown |= game.ruleset.states(game.position)
    assert set(shown.values()) <= set(STATES)
    assert DONE in shown.values()
    assert [mark for mark in shown if not told.has(f"marker.{mark}")] == []


def test_a_mark_says_how_it_shows() -> None:
    game = begun("ragnarok", answers=DEPLOYED)
    row = next(model.row for model in game.position.on_table())
    game.position.model(row).mark("prone", 1, quietly=True)
    known = eyes(game, 0, "en")
    marks = models_of(known.position, known.teller)[row].marks
    assert [one.state for one in marks if one.key == "prone"] == [LIES]


def test_the_page_has_a_silhouette_for_each() -> None:
    silhouettes, icons = (
        re.findall(r"^  (\w+):\s*'", (BOARD / f"{name}.ts").read_text("utf-8"), re.MULTILINE)
        for name in ("silhouettes", "icons")
    )
    assert set(silhouettes) == set(LIKENESSES)
    assert set(icons) == set(STATES) - {DONE}
