"""A query in a link: the same from one end to the other, and nothing that a stranger sends does any harm."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from campale.odds.form import Form, filled_as_far, filled_in
from campale.odds.link import MOST_SIGNS, path_of, read
from campale.odds.troubles import QueryError
from campale.referee.inquiries import Field
from campale.referee.ruleset import load_ruleset

BOOKS = ("ragnarok", "e55")


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
    form, posed = filled_as_far(ruleset, written)
    return form if posed is not None else None


@pytest.mark.parametrize("book", BOOKS)
def test_a_link_gives_the_very_same_query(book: str) -> None:
    rng = Random(5)
    forms = [form for form in (drawn(book, rng) for _ in range(25)) if form is not None]
    assert len(forms) >= 8
    for form in forms:
        path = path_of(form)
        again, written = read(path)
        assert again == book
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
    form, posed = filled_in(load_ruleset("e55"), {"attacker": own, "distance": 5})
    book, written = read("https://example.org" + path_of(form))
    back, again = filled_in(load_ruleset(book), written)
    assert back.values == form.values
    assert form.values["attacker"] == own
    assert posed.position.to_bytes() == again.position.to_bytes()


def test_what_is_as_proposed_is_left_out_but_for_what_it_is_about() -> None:
    form, _ = filled_in(load_ruleset("ragnarok"), {})
    names = [name for name, _ in parse_qsl(urlsplit(path_of(form)).query)]
    assert names == ["book", "attacker", "target", "distance", "weapons"]


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
        ("book=a" + "&x=1" * 200, "link-too-many"),
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
            _, written = read(f"book={book}&{name}={text}")
            filled_in(load_ruleset(book), written)
            refused -= 1
        refused += 1
    assert refused > 100
