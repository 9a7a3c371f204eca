"""Profiles that strangers make up: an answer or a sentence, soon, and never a fault."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.answers import answered
from campale.odds.troubles import QueryError
from campale.referee.ruleset import load_ruleset

UNITS: list[Any] = [
    {"profile": "veteran", "changes": {"w": -5}},
    {"profile": "veteran", "changes": {"t": 0}},
    {"profile": "veteran", "changes": {"diameter": -1}},
    {"profile": "veteran", "changes": {"type": "vehicle"}},
    {"profile": "veteran", "changes": {"title": {}}},
    {"profile": "veteran", "rules": ["feel-no-pain 6"] * 50},
]
MODELS: list[Any] = [
    {"profile": "raider", "changes": {"wounds": 0}},
    {"profile": "raider", "changes": {"type": "beast", "senses": -100}},
    {"profile": "raider", "changes": {"armour_save": None, "constitution": -3}},
]
REFUSED: list[Any] = [
    {"profile": "nobody"},
    {"profile": "veteran", "changes": {"bs": "x"}},
    {"profile": "veteran", "changes": {"no": 1}},
    {"profile": "veteran", "count": 500},
    {"profile": "veteran", "changes": {"w": 10**9}},
    {"profile": "veteran", "changes": {"diameter": 1e308}},
    {"profile": "veteran", "changes": {"riders": 10**6, "type": "bike"}},
    {"profile": "veteran", "changes": {"id": "\x00"}},
    [{"profile": "veteran", "count": 30}] * 3,
    {"list": "samples", "unit": "nobody"},
    {"unit": "militia"},
]


@pytest.mark.parametrize("part", ["attacker", "target"])
@pytest.mark.parametrize(("book", "profiles"), [("e55", UNITS), ("ragnarok", MODELS)])
def test_odd_profiles_are_answered_or_refused(book: str, profiles: list[Any], part: str) -> None:
    for profile in profiles:
        try:
            answer = answered(load_ruleset(book), {part: profile})
        except QueryError as error:
            told = error.told("it")
        else:
            told = answer.link
        assert told


@pytest.mark.parametrize("written", REFUSED, ids=str)
def test_what_no_profile_can_be_is_refused_where_it_stands(written: Any) -> None:
    with pytest.raises(QueryError) as refused:
        answered(load_ruleset("e55"), {"target": written})
    assert refused.value.troubles[0].field == "target"
    assert refused.value.told("en").startswith("target: ")
