"""A query in a link, ``/odds?book=...&attacker=...``: canonical, and strict towards input from strangers.

It also contains a comparison, one part for each value (``compare-distance=6&compare-distance=12``), or the order of
fire to look for (``order=losses``).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args
from urllib.parse import quote, unquote_to_bytes

from campale.odds.form import NAME, Filled, Form, written_out
from campale.odds.troubles import QueryError, Trouble

PATH = "/odds"
BOOK, ORDER, COMPARE = "book", "order", "compare-"
MOST_SIGNS = 8000
MOST_FIELDS = 200
PLAIN_SIGNS = "-._~*:,/@"
ALWAYS = ("attacker", "target", "distance", "weapons")
"""Fields that a link contains even with default values, so that a reader sees what it is about."""

Aim = Literal["losses", "wipe-out"]
AIMS: tuple[Aim, ...] = get_args(Aim)


class Linked(NamedTuple):
    """The content of a link, as texts; only its form is checked."""

    book: str
    written: dict[str, str]
    compare: dict[str, list[str]]
    order: str


# ---------------------------------------------------------------- writing


def path_of(form: Form, aim: str = "") -> str:
    """The link of a query: its book, and all values that differ from the defaults, in the form's order.

    Empty if it would be too long to be read.
    """
    pairs = [(one.field.name, text_of(one)) for one in form.filled if is_said(one)]
    return path_with(form.ruleset, [*pairs, *([(ORDER, aim)] if aim else [])])


def path_of_several(form: Form, written: Container[str], compare: Mapping[str, Sequence[str]]) -> str:
    """The link of a comparison.

    Besides attacker and target it contains only the written values, because the defaults depend on the varied fields.
    """
    said = [one for one in form.filled if one.field.name in written or one.field.name in ("attacker", "target")]
    pairs = [(one.field.name, text_of(one)) for one in said]
    return path_with(form.ruleset, [*pairs, *((COMPARE + name, text) for name in compare for text in compare[name])])


def path_with(book: str, pairs: Iterable[tuple[str, str]]) -> str:
    path = PATH + "?" + "&".join(f"{name}={quote(text, safe=PLAIN_SIGNS)}" for name, text in [(BOOK, book), *pairs])
    return path if len(path) <= MOST_SIGNS else ""


def is_said(one: Filled) -> bool:
    return one.field.name in ALWAYS or one.value != one.field.default


def text_of(one: Filled) -> str:
    return written_out(one.field, one.value)


# ---------------------------------------------------------------- reading


def read(link: str) -> Linked:
    """Read a link, its path, or its query string. Raises QueryError."""
    if len(link) > MOST_SIGNS:
        raise QueryError(Trouble("link-too-long", "", {"most": MOST_SIGNS}))
    query = link.partition("?")[2] if "?" in link else link
    parts = query.partition("#")[0].split("&")
    if len(parts) > MOST_FIELDS:
        raise QueryError(Trouble("link-too-many", "", {"most": MOST_FIELDS}))
    found: dict[str, str] = {}
    compare: dict[str, list[str]] = {}
    for name, text in map(part_of, parts):
        if name.startswith(COMPARE):
            compare.setdefault(name.removeprefix(COMPARE), []).append(text)
        elif name in found:
            raise QueryError(Trouble("link-twice", name))
        else:
            found[name] = text
    if BOOK not in found:
        raise QueryError(Trouble("link-no-book"))
    order = found.pop(ORDER, "")
    if order and order not in AIMS:
        raise QueryError(Trouble("link-no-order", printable(order), {"known": ", ".join(AIMS)}))
    return Linked(found.pop(BOOK), found, compare, order)


def part_of(part: str) -> tuple[str, str]:
    """The name and the text of a part of a link."""
    name, equals, text = part.partition("=")
    if not equals or not NAME.fullmatch(name.removeprefix(COMPARE)):
        raise QueryError(Trouble("link-bad-name", printable(name)))
    return name, decoded(name, text)


def decoded(name: str, text: str) -> str:
    try:
        plain = unquote_to_bytes(text.replace("+", " ")).decode("utf-8")
    except UnicodeDecodeError:
        raise QueryError(Trouble("link-not-text", name)) from None
    if not plain.isprintable():
        raise QueryError(Trouble("link-not-text", name))
    return plain


def printable(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name[:40])
