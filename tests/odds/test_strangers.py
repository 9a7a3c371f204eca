"""Profiles that strangers make up: an answer or a sentence, soon, and never a fault."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.answers import answered
from campale.odds.troubles import QueryError
from campale.referee.armies.misfits import told_of
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
SQUADS: list[Any] = [
    {"profile": "brawler", "changes": {"w": -5}},
    {"profile": "brawler", "changes": {"t": 0}},
    {"profile": "brawler", "changes": {"kind": "large"}},
    {"profile": "brawler", "changes": {"kind": "great", "bs": 40, "a": 90}},
    {"profile": "brawler", "changes": {"mounts": []}},
    {"profile": "brawler", "changes": {"title": {}}},
    {"profile": "gun-tank", "changes": {"front": -3, "side": 100, "gear": "walker", "ws": 9}},
    [{"profile": "brawler"}, {"profile": "gun-tank"}],
    [{"profile": "brawler", "count": 30}, {"profile": "brawler"}],
    {"list": "rust-clans", "unit": "brawler", "size": 30, "equipment": ["krak-grenades"]},
    {"list": "rust-clans", "unit": "nobody"},
    {"profile": "nobody"},
    {"profile": "brawler", "weapons": ["nothing"]},
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
@pytest.mark.parametrize(("book", "profiles"), [("e55", UNITS), ("ragnarok", MODELS), ("e3m", SQUADS)])
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


ITALIAN: list[Any] = [
    ("e55", {"profile": "veterann"}, "'veterann' non è un profilo che ci sia. Intendevi 'veteran'?"),
    ("e55", {"profile": "veteran", "changes": {"no": 1}}, "un profilo non ha 'no'. Ci sono: a, "),
    ("e55", {"profile": "veteran", "changes": {"type": "xx"}}, "'type' non può essere 'xx'. Cambialo."),
    ("e55", {"profile": "veteran", "adds": ["rifel"]}, "'rifel' non è conosciuto. Intendevi 'rifle'?"),
    ("e55", {"profile": "veteran", "rules": ["feer"]}, "'feer' non è una regola con il suo numero. Intendevi 'fear'?"),
    ("e55", {"profile": "veteran", "rules": ["feel-no-pain"]}, "'feel-no-pain' vuole un numero da 2 a 6. Scrivi"),
    ("e55", {"profile": "veteran", "powers": ["bog-fir"]}, "'bog-fir' non è un potere che ci sia. Intendevi"),
    ("e55", {"list": "sample", "unit": "x"}, "'sample' non è una lista che ci sia. Intendevi 'samples'?"),
    ("e55", {"list": "samples", "unit": "militiaa"}, "'militiaa' non è un'unità che ci sia. Intendevi 'militia'?"),
    ("e55", {"list": "samples", "unit": "militia", "options": {"z": 1}}, "'z' non è un'opzione che ci sia. Non ce n'è"),
    ("e55", [{"profile": "veteran", "count": 30}] * 2, "Troppi modelli: 60, al massimo 30."),
    ("e55", ["a"], "un profilo è una tabella di chiavi e valori."),
    ("ragnarok", [1], "un profilo è una tabella di chiavi e valori."),
    ("ragnarok", {"profile": "raidr"}, "'raidr' non è un profilo che ci sia. Intendevi 'raider'?"),
    ("ragnarok", {"profile": "raider", "adds": ["zz"]}, "'zz' non è un'arma o un equipaggiamento che ci sia. Ci sono"),
    ("ragnarok", {"profile": "raider", "rules": ["zz"]}, "'zz' non è una regola con il suo numero. Ci sono: "),
    ("ragnarok", {"profile": "raider", "expert": "zz"}, "'expert' non può essere 'zz'. Cambialo."),
]


@pytest.mark.parametrize(("book", "written", "told"), ITALIAN, ids=[told for _, _, told in ITALIAN])
def test_what_is_wrong_with_a_profile_is_told_in_italian_too(book: str, written: Any, told: str) -> None:
    with pytest.raises(QueryError) as refused:
        answered(load_ruleset(book), {"target": written})
    assert refused.value.told("it").startswith(f"target: {told}")
    for english in ("Did you mean", "Known:", "there is no", "Expected", "Invalid"):
        assert english not in refused.value.told("it")


def test_what_nobody_has_thought_of_is_told_as_it_is() -> None:
    assert told_of(ValueError("it is odd."))["it"].startswith("non si può leggere (it is odd).")
    assert told_of(KeyError("it is odd."))["en"] == "it is odd."
