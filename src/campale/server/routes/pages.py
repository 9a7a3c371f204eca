"""The page itself: the files of the built front end, or a page that says how to build it."""

from __future__ import annotations

import mimetypes
from html import escape
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from campale.server.routes.asking import language_of
from campale.server.told import told

mimetypes.add_type("font/woff2", ".woff2")
PAGE = Path(__file__).parents[1] / "page"
PLACES = (
    "/",
    "/new",
    "/join/{rest:path}",
    "/b/{rest:path}",
    "/replay/{rest:path}",
    "/rules",
    "/rules/{rest:path}",
    "/odds",
    "/armies",
    "/puzzles",
    "/laboratory",
    "/test",
    "/test/{rest:path}",
    "/build",
    "/club",
    "/club/{rest:path}",
)
"""The addresses that the page itself resolves."""

FOR_EVER = "public, max-age=31536000, immutable"
PLAIN = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Campale</title></head>
<body><h1>Campale</h1><p>{sentence}</p><p><a href="/openapi.json">API</a></p></body>
</html>
"""


class Files(StaticFiles):
    """Files of a folder that may be created later."""

    async def check_config(self) -> None:
        """Without the folder there are no files."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """No file name has a null byte; early versions of the library crash on one."""
        if "\0" in path:
            raise HTTPException(404)
        return await super().get_response(path, scope)


class Pages(Files):
    """Files at the top of a folder; for any other address the page itself says that it does not exist."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            index = Path(str(self.directory)) / "index.html"
            if error.status_code != 404 or not wants_a_page(scope) or not index.is_file():
                raise
            return FileResponse(index, 404, media_type="text/html", headers={"Cache-Control": "no-cache"})


def wants_a_page(scope: Scope) -> bool:
    """Whether the request comes from a browser that follows a link, and not from a program that calls a route."""
    accepted = Headers(scope=scope).get("accept", "")
    return "text/html" in accepted and not scope["path"].startswith("/api/")


class Hashed(Files):
    """Files whose names change with their contents."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = await super().get_response(path, scope)
        if found.status_code in (200, 304):
            found.headers["Cache-Control"] = FOR_EVER
        return found


def add_to(app: FastAPI, page: Path = PAGE) -> None:
    """Add the pages to an application, after all other routes."""

    def index(request: Request) -> Response:
        built = page / "index.html"
        if not built.is_file():
            return unbuilt(language_of(request))
        return FileResponse(built, media_type="text/html", headers={"Cache-Control": "no-cache"})

    for place in PLACES:
        app.add_api_route(place, index, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/assets", Hashed(directory=page / "assets", check_dir=False), "assets")
    app.mount("/", Pages(directory=page, check_dir=False), "page")


def unbuilt(language: str) -> Response:
    sentence = escape(told(language, "page-not-built"))
    return HTMLResponse(PLAIN.format(language=language, sentence=sentence), 503, {"Cache-Control": "no-store"})
