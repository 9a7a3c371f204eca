"""A battle runs in one process of a club; requests to another process are passed on to it unnoticed."""

from __future__ import annotations

import asyncio
import http.client
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from campale.server.database.store import Elsewhere
from campale.server.guards.limits import tell_table_error
from campale.server.settings import address

LOG = logging.getLogger(__name__)
PASSED_ON = "x-campale-passed-on"
"""The header of a request that was already passed on: it goes no further."""
PATIENCE = 60.0
OPENING = 5.0
ALIVE, SILENT = 2.0, 5.0
"""Seconds between two checks whether the other end of a line is there, and until it counts as lost."""
RESTARTING = 1012
TAKEN_ALONG = ("accept-language", "authorization", "content-type", "host", "origin", "sec-fetch-site")
BROUGHT_BACK = ("cache-control", "content-disposition", "content-type", "etag", "retry-after", "vary")


def headers_of(asked: Request | WebSocket) -> dict[str, str]:
    """The headers that the other process needs from the request."""
    found = {name: asked.headers[name] for name in TAKEN_ALONG if name in asked.headers}
    who = asked.client.host if asked.client is not None else ""
    return {**found, "x-forwarded-for": who, PASSED_ON: "1"}


def path_of(asked: Request | WebSocket) -> str:
    return f"{asked.url.path}?{asked.url.query}" if asked.url.query else asked.url.path


# ---------------------------------------------------------------- requests


async def pass_on(request: Request, error: Exception) -> Response:
    """The answer of the process that plays the battle; if that is out of reach, that it is played elsewhere."""
    assert isinstance(error, Elsewhere)
    if error.at and PASSED_ON not in request.headers:
        body = await request.body()
        with suppress(OSError, ValueError, http.client.HTTPException):
            found = await run_in_threadpool(asked_at, error.at, request, body)
            request.app.state.hall.metrics.referred.inc()
            return found
    return await tell_table_error(request, error)


def asked_at(at: str, request: Request, body: bytes) -> Response:
    host, port = address(at)
    line = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        line.request(request.method, path_of(request), body or None, headers_of(request))
        answer = line.getresponse()
        kept = {name: value for name in BROUGHT_BACK if (value := answer.headers[name]) is not None}
        return Response(answer.read(), answer.status, kept)
    finally:
        line.close()


# ---------------------------------------------------------------- lines


async def opened(at: str, socket: WebSocket) -> ClientConnection | None:
    """A line to the process that plays the battle; None if none can be had, or if this one was passed on already."""
    if not at or PASSED_ON in socket.headers:
        return None
    headers = headers_of(socket)
    own = headers.pop("host", at)
    try:
        host, port = address(at)
        return await connect(
            f"ws://{own}{path_of(socket)}",
            host=host,
            port=port,
            additional_headers=headers,
            max_size=None,
            open_timeout=OPENING,
            ping_interval=ALIVE,
            ping_timeout=SILENT,
            compression=None,
            proxy=None,
            user_agent_header=None,
        )
    except (OSError, ValueError, TimeoutError, WebSocketException) as error:
        LOG.warning("%s does not answer: %s", at, error)
        return None


async def passed(
    other: ClientConnection, first: bytes, received: Callable[[], Awaitable[bytes]], send: Callable[[bytes], Any]
) -> int:
    """Pass messages both ways until either end is gone, and return the closing code of the other end.

    Raises what ``received`` does.
    """

    async def there() -> None:
        data = first
        while True:
            await other.send(data.decode("utf-8", "replace"))
            data = await received()

    async def back() -> None:
        async for message in other:
            send(message.encode() if isinstance(message, str) else message)

    ways = [asyncio.ensure_future(there()), asyncio.ensure_future(back())]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            if way.done():
                with suppress(ConnectionClosed):
                    way.result()
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await other.close()
    code = other.close_code
    return RESTARTING if code is None or code in (1000, 1001, 1005, 1006) else code
