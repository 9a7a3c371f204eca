"""The words for players: in both languages, with the same values, for every question."""

from __future__ import annotations

import json
from collections.abc import Set
from typing import Any

from campale.conformance.playing import watched
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES, PLACEHOLDER, Words, words

Battle = tuple[str, int]
DICE = {"roll", "direction", "draw"}


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


def test_everything_that_is_asked_and_told_has_words(battle: Battle) -> None:
    """For rulesets marked complete: their own prefixes come first, as the teller looks for them."""
    ruleset = load_ruleset(battle[0])
    game, asks, _ = watched(*battle)
    rolls = {event.values["why"] for event in game.journal if event.kind in DICE}
    tells = {event.kind for event in game.journal if event.kind not in DICE}
    for language in LANGUAGES if ruleset.is_complete else ():
        known = words(language, ruleset.folder / "words")
        assert unworded(known, asks, "ask") == []
        assert unworded(known, rolls, "roll") == []
        assert unworded(known, tells, "event", "heading", "subheading") == []


def unworded(known: Words, keys: Set[str], *prefixes: str) -> list[str]:
    ways = {key: [key, *(f"{prefix}.{key}" for prefix in prefixes)] for key in sorted(keys)}
    return [key for key, some in ways.items() if not any(known.has(one) for one in some)]


def test_every_entry_has_a_title_in_both_languages(name: str) -> None:
    for entry in load_ruleset(name).ledger.entries.values():
        assert all(entry.title.get(language) for language in LANGUAGES), entry.id
