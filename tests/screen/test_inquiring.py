"""Odds without a battle for a screen: the form, its troubles, comparisons, orders, and both languages."""

from __future__ import annotations

import msgspec
import pytest

from campale.odds.answers import answered
from campale.referee.ruleset import load_ruleset
from campale.screen.inquiring import Inquiry, inquiry

BOOKS = ("e55", "ragnarok", "e3m", "wzr")


def asked(book: str, language: str = "en", **written: object) -> Inquiry:
    return inquiry(load_ruleset(book), written, {}, "", language)


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_shown_is_what_is_answered(book: str) -> None:
    found, answer = asked(book), answered(load_ruleset(book), {})
    assert found.outcome is not None
    assert found.link == answer.link == found.outcome.link
    shown = [[stage.chances for stage in volley.stages] for volley in found.outcome.volleys]
    assert shown == [[list(stage.chances) for stage in volley.stages] for volley in answer.volleys]
    assert answer.losses is not None
    assert found.outcome.losses is not None
    assert found.outcome.losses.chances == list(answer.losses.chances)
    assert found.outcome.wiped_out == answer.wiped_out


@pytest.mark.parametrize("book", BOOKS)
def test_both_languages_tell_the_same_numbers(book: str) -> None:
    one, other = asked(book, "en"), asked(book, "it")
    assert one.outcome is not None
    assert other.outcome is not None
    assert [f.text for f in one.fields] == [f.text for f in other.fields]
    assert one.outcome.losses is not None
    assert other.outcome.losses is not None
    assert one.outcome.losses.chances == other.outcome.losses.chances
    assert one.fields[-1].title != other.fields[-1].title
    assert not [f.title for f in other.fields if not f.title]


def test_a_trouble_stands_at_its_field_and_nothing_is_computed() -> None:
    found = asked("e55", "it", distance="far")
    assert found.outcome is None
    assert [field.name for field in found.fields if field.trouble] == ["distance"]
    assert asked("e55", "it", distance="13").outcome is not None


def test_fields_that_the_form_does_not_have_are_left_out() -> None:
    assert asked("e55", nonsense="1") == asked("e55")


def test_several_stand_side_by_side_with_what_fits_each() -> None:
    """The weapons written are those of the first; another attacker has others, and is asked for with its own."""
    ruleset = load_ruleset("e55")
    first = asked("e55")
    attacker = next(one for one in first.fields if one.name == "attacker")
    own = next(one for one in first.fields if one.name == "weapons")
    values = [attacker.value, *(one.value for one in attacker.picks if one.value != attacker.value)][:4]
    found = inquiry(ruleset, {"weapons": own.text, "distance": 10}, {"attacker": values}, "", "en")
    assert found.trouble == ""
    assert found.varied == [attacker.title]
    assert len(found.columns) == 4
    alone = inquiry(ruleset, {"weapons": own.text, "distance": 10}, {}, "", "en").outcome
    assert alone is not None
    assert found.columns[0].outcome == alone
    titles = {pick.value: pick.title for pick in attacker.picks}
    assert [column.values for column in found.columns] == [[titles[value]] for value in values]


def test_too_many_side_by_side_are_refused_in_words() -> None:
    picks = next(one for one in asked("e55").fields if one.name == "target").picks
    found = inquiry(load_ruleset("e55"), {}, {"target": [one.value for one in picks[:25]]}, "", "en")
    assert found.columns == []
    assert "24" in found.trouble


@pytest.mark.parametrize("aim", ["losses", "wipe-out"])
def test_the_best_order_comes_first(aim: str) -> None:
    found = inquiry(load_ruleset("ragnarok"), {"weapons": "steam_musket*2"}, {}, aim, "en")
    assert found.trouble == ""
    assert found.orders
    assert [one.value for one in found.orders] == sorted((one.value for one in found.orders), reverse=True)
    assert found.outcome is not None


def test_it_can_be_sent() -> None:
    found = asked("ragnarok")
    assert msgspec.json.decode(msgspec.json.encode(found), type=Inquiry) == found


def test_a_book_that_tells_no_odds_says_so() -> None:
    found = inquiry(load_ruleset("ragnarok").replacing(odds_form=None), {}, {}, "", "en")
    assert found.fields == []
    assert "no odds" in found.trouble
