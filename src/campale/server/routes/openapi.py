"""The records that the routes take and give, as JSON: read, written, and described for OpenAPI."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

import campale
from campale.server.battle.draft import TableError

T = TypeVar("T")

JSON = "application/json"
REF = "#/components/schemas/{name}"
DESCRIBED: list[Any] = []
"""Every kind of record that a route takes or returns."""


class Problem(msgspec.Struct, frozen=True):
    """An error: a key of the page's words, a sentence, and every reason if it concerns a force or a set-up."""

    word: str
    text: str
    reasons: list[str] = []


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


# ---------------------------------------------------------------- reading and writing


def body_of(kind: type[T], largest: int = 1_000_000) -> Callable[[Request], Awaitable[T]]:
    """A dependency: the body of a request as a record."""

    async def read(request: Request) -> T:
        body = await request.body()
        if len(body) > largest:
            raise TableError("too-large", 413, limit=largest)
        try:
            return msgspec.json.decode(body or b"{}", type=kind)
        except msgspec.ValidationError as error:
            raise TableError("bad-body", 422, error=str(error)[:300]) from None
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            raise TableError("no-json", 400) from None

    return read


def answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type=JSON, headers={"Cache-Control": "no-store"})


def nothing() -> Response:
    """The empty answer to a request that was carried out."""
    return Response(status_code=204, headers={"Cache-Control": "no-store"})


def lasting(request: Request, body: bytes, seconds: int = 300) -> Response:
    """An answer that changes only with a new version: browsers keep it for a while, then ask for it by its hash."""
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={seconds}", "Vary": "Accept-Language"}
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=JSON, headers=headers)


# ---------------------------------------------------------------- describing


def gives(kind: Any, status: int = 200, takes: Any = None, text: str = "What was asked for.") -> dict[str, Any]:
    """The keywords of a route that returns a record, and may take one."""
    found = sends(schema_of(kind), status, text)
    return found if takes is None else found | taking(takes)


def does(text: str, takes: Any) -> dict[str, Any]:
    """The keywords of a route that takes a record and returns nothing."""
    return answers(204, {"description": text}) | taking(takes)


def taking(kind: Any) -> dict[str, Any]:
    body = {"required": True, "content": {JSON: {"schema": schema_of(kind)}}}
    return {"openapi_extra": {"requestBody": body}}


def sends(schema: dict[str, Any], status: int = 200, text: str = "", media: str = JSON) -> dict[str, Any]:
    """The keywords of a route that sends its own kind of content."""
    return answers(status, {"description": text, "content": {media: {"schema": schema}}})


def answers(status: int, told: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a route by its answer to a successful request; other answers describe the error."""
    problem = {"description": "What went wrong.", "content": {JSON: {"schema": schema_of(Problem)}}}
    return {"responses": {status: told, "4XX": problem}, "response_class": Response, "status_code": status}


def schema_of(kind: Any) -> dict[str, Any]:
    DESCRIBED.append(kind)
    schema: dict[str, Any] = msgspec.json.schema_components([kind], ref_template=REF)[0][0]
    return schema


def components() -> dict[str, Any]:
    return msgspec.json.schema_components(DESCRIBED, ref_template=REF)[1]


def add_to(app: FastAPI) -> None:
    """Give an application the description of all its routes."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            about = "The table of Campale: books, battles and seats. Battles are played over a WebSocket."
            schema = get_openapi(title="Campale", version=campale.__version__, description=about, routes=app.routes)
            parts = schema.setdefault("components", {})
            parts["schemas"] = parts.get("schemas", {}) | components()
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
