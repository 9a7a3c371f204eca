"""Odds without a battle over HTTP: a book's form as filled in, and the answer.

A separate process computes them, so no table waits; a query that takes too long is given up.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Annotated, Any, NamedTuple

import msgspec
from fastapi import APIRouter, Depends, Path, Request, Response

from campale.referee.ruleset import load_ruleset
from campale.screen.inquiring import Inquiry, inquiry, inquiry_of_link
from campale.server.battle.draft import TableError
from campale.server.processes.thinking import Pool
from campale.server.routes.asking import Language
from campale.server.routes.catalogue import playable
from campale.server.routes.openapi import JSON, body_of, gives

router = APIRouter(prefix="/api/books", tags=["books"])
LARGEST = 20_000
PATIENCE = 60.0
"""Seconds after which a query is given up; the first query of a process also waits for its rules to load."""

KEPT = 256


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The filled-in values, as texts (as in a link) or as values; fields with several values are compared.

    ``order``: "losses" or "wipe-out" for the order of fire that does most of it. ``link``: a link with the whole query,
    instead of the rest.
    """

    written: dict[str, Any] = {}
    compare: dict[str, list[Any]] = {}
    order: str = ""
    link: str = ""


class Reckoning(NamedTuple):
    """A query on its way to the process that answers it."""

    book: str
    asked: Asked
    language: str

    def done(self) -> bytes:
        asked, ruleset = self.asked, load_ruleset(self.book)
        if asked.link:
            return msgspec.json.encode(inquiry_of_link(ruleset, asked.link, self.language))
        return msgspec.json.encode(inquiry(ruleset, asked.written, asked.compare, asked.order, self.language))


class Reckoner:
    """Answers queries one after another, and remembers the latest."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.pool = Pool(1, patience)
        self.known: OrderedDict[bytes, bytes] = OrderedDict()

    async def answer(self, wanted: Reckoning) -> bytes:
        """Answer a query. Raises TableError if it takes too long."""
        key = msgspec.json.encode(wanted)
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        found: bytes | None = await self.pool.think(wanted)
        if found is None:
            raise TableError("odds-too-long", 422, seconds=round(self.pool.patience))
        self.known[key] = found
        if len(self.known) > KEPT:
            self.known.popitem(last=False)
        return found

    def close(self) -> None:
        self.pool.close()


@router.post("/{book}/odds", **gives(Inquiry, takes=Asked, text="The form as it is filled in, and the odds of it."))
async def odds(
    request: Request,
    book: Annotated[str, Path(description="The short name of a book.", max_length=60)],
    asked: Annotated[Asked, Depends(body_of(Asked, LARGEST))],
    language: Language,
) -> Response:
    reckoner: Reckoner = request.app.state.reckoner
    body = await reckoner.answer(Reckoning(playable(book).name, asked, language))
    return Response(body, media_type=JSON, headers={"Cache-Control": "no-store"})
