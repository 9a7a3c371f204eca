"""Which pages may change anything here: this server's own, and those that its owner has named.

A browser says where a page comes from (``Origin``, ``Sec-Fetch-Site``); a program that is no browser says nothing and
is believed, as no page can make it ask.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers

READING = frozenset({"GET", "HEAD", "OPTIONS"})
CROSS_SITE = "cross-site"
JSON = "application/json"


def is_own(headers: Headers, origins: Collection[str]) -> bool:
    """Whether it is asked by a page of this server's, by one of ``origins``, or by no page at all."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "").casefold() != CROSS_SITE
    if origin in origins:
        return True
    try:
        return urlsplit(origin).netloc.casefold() == headers.get("host", "").casefold()
    except ValueError:
        return False


def is_json(headers: Headers) -> bool:
    """Whether the body is said to be JSON: a page elsewhere cannot say so without asking first."""
    return headers.get("content-type", "").partition(";")[0].strip().casefold() == JSON
