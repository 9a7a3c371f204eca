"""What the server says went wrong comes with what to do about it, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import campale.server
from campale.referee.telling.words import LANGUAGES, words
from campale.server.told import FOLDER

SOURCE = Path(campale.server.__file__).parent
RAISED = re.compile(
    r"(?:TableError|Unknown|Denied|Taken|Failure|NoRematch|Closing|Failed|unusable|refused|fail(?:ed)?)"
    r'\(\s*(?:[\w.]+,\s*)?"([a-z][\w.-]+)"'
)
BESIDE = {"no-database", "not-found", "not-allowed", "too-many", "too-slow", "wants-json", "club.signed-out"}
"""Words that are not written where they are raised."""

TWO_PARTS = re.compile(r"[^.:;]{5,}[.:;] \S.{5,}")


def raised() -> set[str]:
    known = words("en", FOLDER).messages
    found = {word for path in SOURCE.rglob("*.py") for word in RAISED.findall(path.read_text("utf-8"))}
    return {word for word in found if word in known} | BESIDE


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_says_what_is_wrong_and_what_to_do(language: str) -> None:
    said = words(language, FOLDER).messages
    assert {word: said[word] for word in raised() if not TWO_PARTS.match(str(said[word]))} == {}


def test_the_words_are_found() -> None:
    assert len(raised()) > 90
    assert {"not-yours", "hello.protocol", "club.wrong", "bad-force", "battle.broke"} <= raised()


@pytest.mark.parametrize("word", ["This seat is not yours.", "Not: yours", "There is no army {force}."])
def test_one_part_is_not_enough(word: str) -> None:
    assert TWO_PARTS.match(word) is None
