"""Common handling of requests: size limits, rate limits, security headers, errors as sentences."""

from __future__ import annotations

import asyncio
import logging
import math
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from campale.server.battle.draft import TableError
from campale.server.guards import names, origins
from campale.server.guards.buckets import Buckets
from campale.server.routes.asking import language_of
from campale.server.routes.openapi import JSON, Problem
from campale.server.settings import Settings
from campale.server.told import told

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
MAKING = frozenset(
    {"analysis", "battles", "branch", "demo", "experiments", "import", "play", "puzzles", "scenarios", "trials"}
)
SIGNING = frozenset({"/api/club/sign-in", "/api/club/come", "/api/club/phrase", "/api/club/leave"})
"""The addresses at which a pass phrase is checked or hashed."""

WORDS = {404: "not-found", 405: "not-allowed", 413: "too-large"}

log = logging.getLogger("campale.server")


def add_to(app: FastAPI, settings: Settings) -> None:
    """Add the limits, the headers and the error handling to an application."""
    app.add_exception_handler(TableError, tell_table_error)
    app.add_exception_handler(HTTPException, tell_http_error)
    app.add_exception_handler(RequestValidationError, tell_bad_request)
    counted_by = Counts(settings) if settings.rate is not None else None
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(
        Limited,
        largest=settings.largest_body,
        counts=counted_by,
        known=settings.names,
        origins=settings.origins,
        seconds=settings.whole_body,
    )


# ---------------------------------------------------------------- errors


def problem(language: str, status: int, word: str, reasons: list[str] | None = None, **values: Any) -> Response:
    told_so = Problem(word, told(language, word, **values), reasons or [])
    return Response(msgspec.json.encode(told_so), status, {"Cache-Control": "no-store"}, JSON)


async def tell_table_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TableError)
    values = dict(error.values)
    return problem(language_of(request), error.status, error.word, values.pop("reasons", None), **values)


async def tell_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    found = problem(language_of(request), error.status_code, WORDS.get(error.status_code, "bad-request"))
    found.headers.update(error.headers or {})
    return found


async def tell_bad_request(request: Request, error: Exception) -> Response:
    return problem(language_of(request), 422, "bad-request")


# ---------------------------------------------------------------- rate limits


class Counts:
    """Counts all API requests and sockets; expensive requests and sign-ins are counted separately too."""

    def __init__(self, settings: Settings) -> None:
        assert settings.rate is not None
        self.all = Buckets(settings.rate, settings.burst)
        self.much = Buckets(settings.making, settings.making_burst)
        self.signing = Buckets(settings.signing, settings.signing_burst)

    def wait(self, scope: Scope) -> float:
        if not scope["path"].startswith("/api/"):
            return 0.0
        address = scope["client"][0] if scope.get("client") else ""
        if scope["path"].rstrip("/") in SIGNING:
            return self.all.wait(address) or self.signing.wait(address)
        return self.all.wait(address) or (self.much.wait(address) if is_much(scope) else 0.0)


def is_much(scope: Scope) -> bool:
    """Whether a request creates a battle, or plays one through from its beginning."""
    place = scope["path"].rstrip("/").rpartition("/")[2]
    if scope["type"] != "http":
        return False
    return place in MAKING if scope["method"] == "POST" else place in ("replay", "report", "scenario")


# ---------------------------------------------------------------- every request


class TooLarge(Exception):
    """A body larger than the limit."""


class TooSlow(Exception):
    """A body that does not end in time."""


class Limited:
    """Refuses excessive requests before reading them, adds the headers to every answer, reports errors without
    tracebacks. Pages and their parts are not counted: one visit requests many.
    """

    def __init__(
        self,
        app: ASGIApp,
        largest: int,
        counts: Counts | None,
        known: tuple[str, ...] = (),
        origins: tuple[str, ...] = (),
        seconds: float = 60.0,
    ) -> None:
        self.app, self.largest, self.counts, self.known, self.origins = app, largest, counts, known, origins
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not names.is_known(host_of(scope), self.known):
            await send({"type": "websocket.close", "code": 4003})
            return
        if scope["type"] == "websocket" and self.counts is not None and self.counts.wait(scope):
            await send({"type": "websocket.close", "code": 4008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answered = Answered(send)
        refusal = self.refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, answered)
            return
        try:
            await self.app(scope, counted(receive, self.largest, self.seconds), answered)
        except TooLarge:
            await self.end(scope, receive, answered, 413, "too-large", limit=self.largest)
        except TooSlow:
            await self.end(scope, receive, answered, 408, "too-slow", seconds=round(self.seconds))
        except ClientDisconnect:
            log.info("%s %s: the sender has gone", scope["method"], scope["path"])
        except asyncio.CancelledError:
            log.info("%s %s: the server is stopped", scope["method"], scope["path"])
            await self.end(scope, receive, answered, 503, "stopped")
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            await self.end(scope, receive, answered, 500, "broken")

    def refusal(self, scope: Scope) -> Response | None:
        language, host = language_of(Request(scope)), host_of(scope)
        if not names.is_known(host, self.known):
            return misnamed(scope, language, host)
        if scope["method"] not in origins.READING and (foreign := self.foreign(scope, language)) is not None:
            return foreign
        length = Request(scope).headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.largest:
            return problem(language, 413, "too-large", limit=self.largest)
        wait = self.counts.wait(scope) if self.counts is not None else 0.0
        if not wait:
            return None
        seconds = max(1, math.ceil(wait))
        found = problem(language, 429, "too-many", seconds=seconds)
        found.headers["Retry-After"] = str(seconds)
        return found

    def foreign(self, scope: Scope, language: str) -> Response | None:
        """The answer to a foreign page that tries to act in its visitor's name."""
        headers = Headers(scope=scope)
        if not origins.is_own(headers, self.origins):
            return problem(language, 403, "foreign-page")
        return None if origins.is_json(headers) else problem(language, 415, "wants-json")

    async def end(
        self, scope: Scope, receive: Receive, answered: Answered, status: int, word: str, **values: Any
    ) -> None:
        """Report an error if no answer has begun yet."""
        if not answered.has_begun:
            await problem(language_of(Request(scope)), status, word, **values)(scope, receive, answered)


def host_of(scope: Scope) -> str:
    return Headers(scope=scope).get("host", "")


def misnamed(scope: Scope, language: str, host: str) -> Response:
    """The answer to requests under an unknown server name."""
    if names.wants_sentence(scope):
        return names.page(language, host)
    return problem(language, names.MISDIRECTED, "unknown-name", name=names.name_in(host)[: names.LONGEST])


class Answered:
    """Sends an answer with the headers on it, and remembers that it has begun."""

    def __init__(self, send: Send) -> None:
        self.send, self.has_begun = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self.send(message)


def counted(receive: Receive, largest: int, seconds: float) -> Receive:
    """The same body, interrupted if it is too long or too slow."""
    so_far, is_whole = 0, False
    until = asyncio.get_running_loop().time() + seconds

    async def read() -> Message:
        nonlocal so_far, is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise TooSlow from None
        is_whole = not message.get("more_body", False)
        so_far += len(message.get("body", b""))
        if so_far > largest:
            raise TooLarge
        return message

    return read
