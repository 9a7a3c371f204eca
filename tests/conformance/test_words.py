"""What players read: in both languages, with the same values, for everything that is asked."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from campale.referee.ruleset import load_ruleset
from campale.referee.words import LANGUAGES, PLACEHOLDER, words
from tests.conformance.playing import asked, begun

Battle = tuple[str, int]


def messages(name: str, language: str) -> dict[str, Any]:
    path = load_ruleset(name).folder / "words" / f"{language}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def test_both_languages_have_the_same_words(name: str) -> None:
    first, *others = (messages(name, language) for language in LANGUAGES)
    for other in others:
        assert set(other) == set(first)
        for key, message in first.items():
            assert set(PLACEHOLDER.findall(other[key])) == set(PLACEHOLDER.findall(message)), key


def test_every_question_has_words(battle: Battle) -> None:
    """Where the ruleset says that it is complete."""
    ruleset = load_ruleset(battle[0])
    if not ruleset.is_complete:
        return
    known = [words(language, ruleset.folder / "words") for language in LANGUAGES]
    game = begun(*battle, seed="words")
    for question in asked(game, Random("words")):
        assert all(one.has(question.prompt) for one in known), question.prompt


def test_every_entry_has_a_title_in_both_languages(name: str) -> None:
    for entry in load_ruleset(name).ledger.entries.values():
        assert all(entry.title.get(language) for language in LANGUAGES), entry.id
