"""The asker and the language of a request, for most routes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from campale.referee.telling.words import LANGUAGES
from campale.server.told import preferred

LONGEST_TOKEN = 200


def language(
    request: Request,
    lang: Annotated[str | None, Query(description="en or it; else as the browser prefers.")] = None,
    accept_language: Annotated[str, Header(description="The languages that the browser prefers.")] = "",
) -> str:
    return lang if lang in LANGUAGES else preferred(accept_language)


def language_of(request: Request) -> str:
    """The language of a request before it has been read."""
    wanted = request.query_params.get("lang")
    return wanted if wanted in LANGUAGES else preferred(request.headers.get("accept-language", ""))


BEARER = HTTPBearer(auto_error=False, description="A seat's token, or a session's.")


def token(given: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)] = None) -> str:
    """The token of a seat or of a session, or nothing."""
    return given.credentials if given is not None and len(given.credentials) <= LONGEST_TOKEN else ""


Language = Annotated[str, Depends(language)]
Token = Annotated[str, Depends(token)]
