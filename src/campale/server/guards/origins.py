"""The pages that may change anything here: this server's own, and those named by its owner.

A browser says where a page comes from (``Origin``, ``Sec-Fetch-Site``). A program that is no browser says nothing and
is trusted, because no page can make it send a request.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers

READING = frozenset({"GET", "HEAD", "OPTIONS"})
CROSS_SITE = "cross-site"
JSON = "application/json"


def is_own(headers: Headers, origins: Collection[str]) -> bool:
    """Whether the request comes from a page of this server, from one of ``origins``, or from no page at all."""
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
    """Whether the body is declared to be JSON: a foreign page cannot declare that without asking first."""
    return headers.get("content-type", "").partition(";")[0].strip().casefold() == JSON
