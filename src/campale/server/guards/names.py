"""The names by which a server is reached.

A foreign page could point its own name at this server, and would then share its origin. So only these names are
accepted: ``localhost``, a number, or the names given by the owner of the server.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from campale.server.told import told

LOCAL, BELOW_LOCAL, ANY = "localhost", ".localhost", "*"
LONGEST = 253
"""The longest name, in characters."""

MISDIRECTED = 421
PAGE = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Campale</title></head>
<body><h1>Campale</h1><p>{sentence}</p></body>
</html>
"""


def name_in(host: str) -> str:
    """The name or the number in a Host header, without its port."""
    host = host.strip().casefold()
    if host.startswith("["):
        number, end, _ = host[1:].partition("]")
        return number if end else host
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).removesuffix(".")


def is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_known(host: str, names: Collection[str]) -> bool:
    """Whether a Host header names this server. A request without one does not come from a page."""
    name = name_in(host)
    is_local = name == LOCAL or name.endswith(BELOW_LOCAL)
    return not host or is_local or is_number(name) or ANY in names or name in map(name_in, names)


def wants_sentence(scope: Scope) -> bool:
    return "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith("/api/")


def sentence(language: str, host: str) -> str:
    return told(language, "unknown-name", name=name_in(host)[:LONGEST])


def page(language: str, host: str) -> Response:
    """The page for visitors under an unknown name."""
    body = PAGE.format(language=language, sentence=escape(sentence(language, host)))
    return HTMLResponse(body, MISDIRECTED, {"Cache-Control": "no-store"})
