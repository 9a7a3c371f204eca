"""The worked example of the house rules runs, is the same in both languages, and changes what it says it changes."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from tools.readme import ROOT

from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset, ruleset_names

PAGES = (ROOT / "docs" / "en" / "house-rules.md", ROOT / "docs" / "it" / "regole-della-casa.md")
RULESETS = ROOT / "src" / "campale" / "rulesets"


@lru_cache(maxsize=1)
def example() -> dict[str, Any]:
    (code,) = re.findall(r"```python\n(.*?)```", PAGES[0].read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, PAGES[0].name, "exec"), names)
    return names


def declared(game: Game, kind: str) -> set[tuple[int, str]]:
    """The rounds and names of what was declared."""
    found, round_ = set(), 0
    for event in game.journal:
        round_ = event.values.get("round", round_) if event.kind == "turn" else round_
        if event.kind == kind:
            found.add((round_, event.values[kind]))
    return found


def test_both_pages_have_the_same_example() -> None:
    english, italian = (re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL) for page in PAGES)
    assert english == italian


def test_the_battle_is_played_by_the_house_rules() -> None:
    game: Game = example()["game"]
    assert game.is_over
    assert (1, "hide") not in declared(game, "action")
    assert "countercharge" not in {name for _, name in declared(game, "reaction")}


def test_the_book_itself_is_as_it_was() -> None:
    book, ours = load_ruleset("ragnarok").book, example()["ours"].book
    assert (book.actions["aim"].cost, ours.actions["aim"].cost) == (1, 2)
    assert "countercharge" in book.reactions
    assert len(ours.actions["hide"].forbids) == len(book.actions["hide"].forbids) + 1


def listed(page: Path) -> dict[str, set[str]]:
    """The options in the section of each book, by the book's title."""
    sections = re.split(r"^##+ ", page.read_text("utf-8"), flags=re.MULTILINE)[1:]
    found = {one.partition("\n")[0]: set(re.findall(r"^\| `(\w+)` \|", one, re.MULTILINE)) for one in sections}
    return {title: names for title, names in found.items() if names}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_pages_list_the_options_that_there_are(page: Path) -> None:
    """Of every book; toys have none worth a page."""
    books = [load_ruleset(name) for name in ruleset_names() if (RULESETS / name).is_dir() and name[0] != "_"]
    titles = {book.name: book.title[page.parent.name].rpartition(":")[2].split(",")[0].strip() for book in books}
    wanted = {titles[book.name]: {switch.name for switch in book.switches} for book in books if book.switches}
    assert listed(page) == wanted
