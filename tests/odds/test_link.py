"""A query in a link: the same from one end to the other, and nothing that a stranger sends does any harm."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from campale.odds.comparing import best_order, side_by_side
from campale.odds.form import Form, filled_as_far, filled_in
from campale.odds.link import BOOK, COMPARE, MOST_SIGNS, ORDER, path_of, read
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Field
from campale.referee.ruleset import load_ruleset

BOOKS = ("ragnarok", "e55", "e3m", "w10", "wzr")


def something(field: Field, rng: Random) -> Any:
    if field.kind == "number":
        return rng.randint(int(field.between[0]), int(min(field.between[1], field.between[0] + 30)))
    values = [pick.value for pick in field.picks]
    if field.kind == "several":
        return [value for value in values if rng.random() < 0.3][:4]
    if field.kind == "counted":
        return [[rng.choice(values), rng.randint(1, 2)] for _ in range(rng.randint(1, 2))]
    return rng.choice(values)


def drawn(book: str, rng: Random) -> Form | None:
    """A form with some fields filled in at random, if it can be asked."""
    ruleset, written = load_ruleset(book), dict[str, Any]()
    for _ in range(6):
        form, _ = filled_as_far(ruleset, written)
        field = rng.choice(form.filled).field
        written[field.name] = something(field, rng)
    form, query = filled_as_far(ruleset, written)
    return form if query is not None else None


@pytest.mark.parametrize("book", BOOKS)
def test_a_link_gives_the_very_same_query(book: str) -> None:
    rng = Random(5)
    forms = [form for form in (drawn(book, rng) for _ in range(25)) if form is not None]
    assert len(forms) >= 8
    for form in forms:
        path = path_of(form)
        again, written, compare, order = read(path)
        assert (again, compare, order) == (book, {}, "")
        back, _ = filled_in(load_ruleset(book), written)
        assert back.values == form.values
        assert path_of(back) == path
        assert path.isascii()
        assert dict(parse_qsl(urlsplit(path).query, strict_parsing=True, keep_blank_values=True)) == {
            "book": book,
            **written,
        }


def test_a_profile_written_inline_goes_through_a_link() -> None:
    own = {"profile": "veteran", "count": 3, "adds": ["fusion-gun"], "changes": {"bs": 5}}
    form, query = filled_in(load_ruleset("e55"), {"attacker": own, "distance": 5})
    book, written, *_ = read("https://example.org" + path_of(form))
    back, again = filled_in(load_ruleset(book), written)
    assert back.values == form.values
    assert form.values["attacker"] == own
    assert query.position.to_bytes() == again.position.to_bytes()


def test_what_is_as_proposed_is_left_out_but_for_what_it_is_about() -> None:
    form, _ = filled_in(load_ruleset("ragnarok"), {})
    names = [name for name, _ in parse_qsl(urlsplit(path_of(form)).query)]
    assert names == ["book", "attacker", "target", "distance", "weapons"]


@pytest.mark.parametrize("book", BOOKS)
def test_no_field_is_called_as_something_else_in_a_link(book: str) -> None:
    rng = Random(7)
    forms = [form for form in (drawn(book, rng) for _ in range(12)) if form is not None]
    names = {one.field.name for form in forms for one in form.filled}
    assert len(names) > 15
    assert not [name for name in names if name in (BOOK, ORDER) or name.startswith(COMPARE)]


@pytest.mark.parametrize(
    ("book", "written", "varied"),
    [
        ("e55", {"attacker": "veteran", "weapons": "rifle*4"}, {"target": ["militia", "tank"], "distance": [6, 20]}),
        ("e55", {"weapons": "rifle*4"}, {"attacker": ["veteran", "tank", {"profile": "veteran", "count": 2}]}),
        ("e55", {"weapons": "rifle*4"}, {"attacker-states": [[], ["moved"]]}),
        ("ragnarok", {"target": "raider"}, {"cover": ["none", "wood"], "option-jams": [True, False]}),
        ("e3m", {"attacker": "scrapper"}, {"target": ["brawler", "gun-tank"], "distance": [6, 20]}),
        ("e3m", {"kind": "melee"}, {"attacker-charge": ["charged", "stands"], "target-order": ["any", "march"]}),
    ],
)
def test_what_stands_side_by_side_goes_through_a_link(book: str, written: Any, varied: Any) -> None:
    ruleset = load_ruleset(book)
    found = side_by_side(ruleset, written, varied)
    assert len(found.answers) > 1
    linked = read(found.link)
    assert linked.book == book
    assert list(linked.compare) == list(varied)
    assert side_by_side(ruleset, linked.written, linked.compare) == found
    assert found.link.isascii()


def test_a_comparison_says_what_was_written_and_nothing_that_was_only_proposed() -> None:
    """What a target or a weapon is proposed for hangs on who attacks."""
    found = side_by_side(load_ruleset("e55"), {}, {"attacker": ["veteran", "tank"]})
    assert list(read(found.link).written) == ["attacker", "target"]


def test_an_order_of_fire_goes_through_a_link() -> None:
    ruleset = load_ruleset("ragnarok")
    found = best_order(ruleset, {"attacker-adds": "drum_gun", "weapons": "steam_musket,drum_gun"}, "wipe-out")
    linked = read(found.link)
    assert linked.order == "wipe-out"
    assert best_order(ruleset, linked.written, "wipe-out") == found


def test_there_is_no_link_that_could_not_be_read() -> None:
    long = [{"profile": "veteran", "name": "è" * 100, "count": number} for number in range(1, 13)]
    form, _ = filled_as_far(load_ruleset("e55"), {"target": long})
    assert form.values["target"] == long
    assert path_of(form) == ""
    found = side_by_side(load_ruleset("e55"), {}, {"distance": [5, 6]})
    assert 0 < len(found.link) <= MOST_SIGNS


@pytest.mark.parametrize(
    ("link", "key"),
    [
        ("", "link-bad-name"),
        ("attacker=x", "link-no-book"),
        ("book", "link-bad-name"),
        ("book=a&book=b", "link-twice"),
        ("book=a&<script>=b", "link-bad-name"),
        ("book=a&__class__=b", "link-bad-name"),
        ("book=a&x=%ff%fe", "link-not-text"),
        ("book=a&x=%00", "link-not-text"),
        ("book=a&x=%0d%0aSet-Cookie:1", "link-not-text"),
        ("book=a&x=%e2%80%ae", "link-not-text"),
        ("book=a&x=" + "y" * MOST_SIGNS, "link-too-long"),
        ("book=a" + "&x=1" * 300, "link-too-many"),
        ("book=a" + "&compare-x=1" * 300, "link-too-many"),
        ("book=a&compare-=1", "link-bad-name"),
        ("book=a&compare-<b>=1", "link-bad-name"),
        ("book=a&compare-x", "link-bad-name"),
        ("book=a&compare-x=%00", "link-not-text"),
        ("book=a&compare-x=" + "y" * MOST_SIGNS, "link-too-long"),
        ("book=a&order=worst", "link-no-order"),
        ("book=a&order=%3Cscript%3E", "link-no-order"),
        ("book=a&order=losses&order=losses", "link-twice"),
    ],
)
def test_links_that_are_none_are_refused_in_words(link: str, key: str) -> None:
    with pytest.raises(QueryError) as refused:
        read(link)
    assert refused.value.troubles[0].key == key
    assert all(refused.value.told(language).isprintable() for language in ("en", "it"))


@pytest.mark.parametrize("book", BOOKS)
def test_no_link_does_anything_but_answer_or_refuse(book: str) -> None:
    rng = Random(11)
    form, _ = filled_in(load_ruleset(book), {})
    signs = "abc019-*,.:/@%{}[]\"' &=+<>\\;\u00e8"
    refused = 0
    for _ in range(150):
        name = rng.choice([one.field.name for one in form.filled])
        text = "".join(rng.choice(signs) for _ in range(rng.randint(0, 12)))
        with suppress(QueryError):
            filled_in(load_ruleset(book), read(f"book={book}&{name}={text}").written)
            refused -= 1
        refused += 1
    assert refused > 100
