"""Test tables over HTTP: their contents, a scenario checked, and one set up to be played."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from campale.dice.sources import Seeded
from campale.referee.reading import SIZE_LIMIT, FileError, read, shaped
from campale.referee.records.saved import SavedGameError
from campale.referee.ruleset import load_ruleset
from campale.referee.scenarios.file import SCHEMA, Scenario
from campale.referee.scenarios.stage import Stage
from campale.referee.telling.spoken import told
from campale.screen.kit import Kit, LaidOut, kit_of, laid_out
from campale.server.battle.draft import Created, SeatDraft, Unknown
from campale.server.battle.proposed import unusable
from campale.server.battle.puzzling import saved_of
from campale.server.routes.asking import Language
from campale.server.routes.battles import hall_of
from campale.server.routes.catalogue import playable
from campale.server.routes.openapi import answer, body_of, gives, lasting

router = APIRouter(prefix="/api/scenarios", tags=["scenarios"])
LARGEST = 2 * SIZE_LIMIT
LONGEST_NAME = 80


class ScenarioAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a scenario; ``file`` is its name, empty for a table that is being laid."""

    text: str
    file: str = ""


class TestAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario to be played: alone on both sides, or against a bot on side 2."""

    text: str
    rival: Literal["", "greedy", "search", "script", "random"] = ""


@router.get("/{book}", **gives(Kit, text="What a test table of a book is laid with."))
def kit(
    request: Request,
    book: Annotated[str, Path(description="The short name of a book.", max_length=60)],
    language: Language,
) -> Response:
    return lasting(request, kit_told(playable(book).name, language))


@lru_cache(maxsize=32)
def kit_told(book: str, language: str) -> bytes:
    try:
        return msgspec.json.encode(kit_of(load_ruleset(book), language))
    except LookupError:
        raise Unknown("no-test-table", book=book) from None


@router.post("/look", **gives(LaidOut, takes=ScenarioAsked, text="The scenario, if it can be set out."))
async def look(
    asked: Annotated[ScenarioAsked, Depends(body_of(ScenarioAsked, LARGEST))], language: Language
) -> Response:
    return answer(await run_in_threadpool(looked_over, asked, language))


@router.post("", **gives(Created, 201, TestAsked, "The scenario is on the table."))
async def begin(
    request: Request, asked: Annotated[TestAsked, Depends(body_of(TestAsked, LARGEST))], language: Language
) -> Response:
    hall = hall_of(request)
    data = await run_in_threadpool(saved, asked, hall.keys.seed(), language)
    rival = SeatDraft("bot", strength=asked.rival) if asked.rival else SeatDraft("me")
    try:
        created = await hall.imported(data, True, (SeatDraft("me"), rival))
    except (SavedGameError, ValueError) as error:
        raise unusable("bad-scenario", [str(error)[:1000]]) from None
    return answer(created, 201)


def looked_over(asked: ScenarioAsked, language: str) -> LaidOut:
    return laid_out(set_out(asked, "1", language), language)


def saved(asked: TestAsked, seed: str, language: str) -> bytes:
    """The saved game that it begins with. Raises TableError."""
    out = set_out(ScenarioAsked(asked.text), seed, language)
    if all(out.game.question_for(side) is None for side in (0, 1)):
        raise unusable("nobody-asked")
    return saved_of(out, seed)


def set_out(asked: ScenarioAsked, seed: str, language: str) -> Stage:
    """The scenario set out, with dice from a seed. Raises TableError with the fault, and its place in a file."""
    name = "".join(c for c in asked.file if c.isprintable())[:LONGEST_NAME]
    try:
        scenario, written = shaped(read(asked.text, name or "scenario.yaml"), Scenario, SCHEMA)
        playable(scenario.ruleset)
        return Stage(scenario, written, Seeded(seed))
    except FileError as error:
        reasons = error.told(language) if name else [bare(one, language) for one in error.messages]
        raise unusable("bad-scenario", reasons) from None


def bare(message: str, language: str) -> str:
    """The fault, without the line of a file that the player does not have."""
    return told(message, language).partition(": ")[2] or told(message, language)
