"""The form of a query: what is asked, what is taken, and how everything else is refused."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.form import filled_as_far, filled_in, understood, written_out
from campale.odds.troubles import QueryError, Trouble
from campale.referee.odds_queries import Field, Pick
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES, words

TITLE = {"en": "x", "it": "x"}
PICKS = (Pick("a", TITLE), Pick("b-2", TITLE), Pick(3, TITLE), Pick(True, TITLE))


def field(kind: Any, **more: Any) -> Field:
    return Field("it", TITLE, kind, "attack", None, **{"picks": PICKS, "between": (0.0, 10.0), **more})


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("choice", "b-2", "b-2"),
        ("choice", "3", 3),
        ("choice", "true", True),
        ("several", "b-2, a", ["a", "b-2"]),
        ("several", "", []),
        ("number", "7", 7),
        ("counted", "b-2*4,a", [["b-2", 4], ["a", 1]]),
        ("counted", "a,a*2", [["a", 1], ["a", 2]]),
        ("counted", "a*0", []),
        ("figure", "a", "a"),
        ("figure", '{"profile": "x", "count": 2}', {"profile": "x", "count": 2}),
    ],
)
def test_what_is_written_is_read_and_written_again(kind: str, text: str, value: Any) -> None:
    one = field(kind)
    assert understood(one, text) == value
    assert understood(one, written_out(one, value)) == value


@pytest.mark.parametrize(
    ("kind", "given", "key"),
    [
        ("choice", "c", "no-pick"),
        ("choice", 1, "no-pick"),
        ("choice", None, "no-pick"),
        ("several", "a,c", "no-pick"),
        ("several", 5, "no-list"),
        ("several", ["a"] * 25, "no-list"),
        ("number", "seven", "no-number"),
        ("number", "1e9", "no-number"),
        ("number", float("nan"), "no-number"),
        ("number", True, "no-number"),
        ("number", "11", "not-between"),
        ("number", "-1", "not-between"),
        ("number", "1.5", "no-step"),
        ("counted", "a*11", "not-between"),
        ("counted", [["a"]], "no-count"),
        ("counted", [["a", 1.5]], "no-step"),
        ("figure", "z", "no-pick"),
        ("figure", "{not json", "no-json"),
        ("figure", "[" * 3000, "no-json"),
        ("figure", "{" * 5000, "too-long"),
        ("figure", {}, "no-figure"),
        ("figure", {"x": "y" * 5000}, "too-long"),
    ],
)
def test_whatever_else_is_written_is_refused_in_words(kind: str, given: Any, key: str) -> None:
    with pytest.raises(QueryError) as refused:
        understood(field(kind), given)
    (trouble,) = refused.value.troubles
    assert (trouble.key, trouble.field) == (key, "it")
    for language in LANGUAGES:
        told = trouble.told(language)
        assert told.startswith("it: ")
        assert not {"{given}", "{field}"} & set(told.split())


def test_half_steps_are_taken_where_the_field_has_them() -> None:
    assert understood(field("number", step=0.5), "1.5") == 1.5


def test_a_book_without_inquiries_says_so() -> None:
    with pytest.raises(QueryError, match="gives no odds outside a battle"):
        filled_in(load_ruleset("e55").replacing(odds_form=None), {})


def test_both_languages_have_the_same_words() -> None:
    from campale.odds.troubles import WORDS

    en, it = ((words(one, WORDS).messages, words(one)) for one in LANGUAGES)
    assert set(en[0]) == set(it[0])
    assert all(Trouble(key.removeprefix("trouble.")).told("en") for key in en[0] if key.startswith("trouble."))


def test_a_field_that_is_not_asked_is_named_with_the_nearest_that_is() -> None:
    with pytest.raises(QueryError, match="Did you mean 'distance'"):
        filled_in(load_ruleset("e55"), {"distanse": "5"})


def test_a_form_on_a_screen_goes_on_with_the_default_and_tells_why() -> None:
    form, query = filled_as_far(load_ruleset("e55"), {"distance": "far", "whatever": "1"})
    (wrong,) = [one for one in form.filled if one.trouble is not None]
    assert (wrong.field.name, wrong.value) == ("distance", wrong.field.default)
    assert query is not None
    with pytest.raises(QueryError):
        filled_in(load_ruleset("e55"), {"distance": "far"})


def test_what_cannot_stand_together_is_told_at_its_field() -> None:
    form, query = filled_as_far(load_ruleset("e55"), {"attacker": "veteran", "weapons": "rifle*9"})
    assert query is None
    (wrong,) = [one for one in form.filled if one.trouble is not None]
    assert wrong.field.name == "weapons"
    assert "Choose fewer" in form.troubles[0].told("en")
    assert "Scegline meno" in form.troubles[0].told("it")


def test_options_of_the_book_come_first_and_are_the_books_defaults() -> None:
    ruleset = load_ruleset("ragnarok")
    form, _ = filled_as_far(ruleset, {})
    names = [one.field.name for one in form.filled]
    assert names[: len(ruleset.switches)] == [f"option-{one.name}" for one in ruleset.switches]
    changed = ruleset.with_options({"night": True})
    assert filled_as_far(changed, {})[0].values["option-night"] is True
