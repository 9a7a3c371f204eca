"""Abilities that are kept as text: shown on the card, told once, and played by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from campale.referee.telling.teller import Teller
from campale.rulesets.w10.abilities.by_hand import tell_by_hand
from campale.rulesets.w10.abilities.index import effects_on
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.view.cards import arms
from campale.screen.looking import card
from tests.rulesets.w10.kit import model, squad, table, unit

TITLE = {"en": "Old Song", "it": "Vecchio canto"}
TEXT = {"en": "Enemies within 6 inches hum along.", "it": "I nemici entro 6 pollici canticchiano."}


def song(**plain: Any) -> dict[str, Ability]:
    return {"old-song": msgspec.convert({"title": TITLE, **plain}, Ability)}


@pytest.mark.parametrize(("plain", "played"), [({}, "by-hand"), ({"do": [{"inv": 5}]}, "by-referee")])
def test_the_card_shows_the_text_and_who_plays_it(plain: Any, played: str) -> None:
    position = table(squad("line-squad", rules=song(text=TEXT, **plain)))
    shown = next(one for one in arms(model(position, 0)) if one.table == "own-abilities")
    assert shown.values == {"text": TEXT, "played": played}


def test_the_card_is_read_in_both_languages() -> None:
    position = table(squad("line-squad", rules=song(text=TEXT)))
    for language, title in (("en", "Old Song"), ("it", "Vecchio canto")):
        *_, own = card(model(position, 0), language).tables
        assert own.rows[0][:2] == [title, TEXT[language]]


def test_an_ability_without_a_text_and_without_effects_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="played by hand"):
        song()


def test_what_is_only_text_does_nothing_and_is_told_once_of_each_side() -> None:
    position = table(
        squad("line-squad", 3, rules=song(text=TEXT)), squad("line-squad", 2, 1, at=(30, 20), rules=song(text=TEXT))
    )
    assert list(effects_on(unit(position, 0))) == []
    tell_by_hand(position)
    assert position.journal is not None
    told = [event for event in position.journal.events if event.kind == "by-hand"]
    assert [event.values["side"] for event in told] == [0, 1]


def test_the_journal_names_the_ability_and_its_bearer() -> None:
    position = table(squad("line-squad", rules=song(text=TEXT)))
    tell_by_hand(position)
    assert position.journal is not None
    (event,) = position.journal.events
    teller = Teller(position.ruleset, "en", (), (), (), position.profiles)
    assert "Old Song (Line Squad)" in teller.filled("event.by-hand", event.values)
