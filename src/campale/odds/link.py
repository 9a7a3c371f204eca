"""A query in a link, ``/odds?book=...&attacker=...``: canonical, and strict against whatever a stranger sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from campale.odds.form import NAME, Filled, Form, written_out
from campale.odds.troubles import QueryError, Trouble

PATH = "/odds"
BOOK = "book"
MOST_SIGNS = 8000
MOST_FIELDS = 100
PLAIN_SIGNS = "-._~*:,/@"
ALWAYS = ("attacker", "target", "distance", "weapons")
"""What a link says even if it is what the form proposes: so it tells whoever reads it what it is about."""


def path_of(form: Form) -> str:
    """The link of a query: its book, and all that is not as the form proposes, in the form's order."""
    pairs = [(BOOK, form.ruleset), *((one.field.name, text_of(one)) for one in form.filled if is_said(one))]
    return PATH + "?" + "&".join(f"{name}={quote(text, safe=PLAIN_SIGNS)}" for name, text in pairs)


def is_said(one: Filled) -> bool:
    return one.field.name in ALWAYS or one.value != one.field.default


def text_of(one: Filled) -> str:
    return written_out(one.field, one.value)


def read(link: str) -> tuple[str, dict[str, str]]:
    """The book and the fields of a link, of its path, or of what stands behind the question mark. Raises QueryError."""
    if len(link) > MOST_SIGNS:
        raise QueryError(Trouble("link-too-long", "", {"most": MOST_SIGNS}))
    query = link.partition("?")[2] if "?" in link else link
    found: dict[str, str] = {}
    parts = query.partition("#")[0].split("&")
    if len(parts) > MOST_FIELDS:
        raise QueryError(Trouble("link-too-many", "", {"most": MOST_FIELDS}))
    for part in parts:
        name, equals, text = part.partition("=")
        if not equals or not NAME.fullmatch(name):
            raise QueryError(Trouble("link-bad-name", printable(name)))
        if name in found:
            raise QueryError(Trouble("link-twice", name))
        found[name] = decoded(name, text)
    if BOOK not in found:
        raise QueryError(Trouble("link-no-book"))
    return found.pop(BOOK), found


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


def path_from(book: str, written: Mapping[str, Any]) -> str:
    """The link of fields that are texts already, unjudged."""
    pairs = [(BOOK, book), *((name, str(text)) for name, text in written.items())]
    return PATH + "?" + "&".join(f"{name}={quote(text, safe=PLAIN_SIGNS)}" for name, text in pairs)
