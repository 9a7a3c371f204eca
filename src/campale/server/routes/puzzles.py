"""Puzzles over HTTP: those that come with the books, and the players' own, set up to be played."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from campale.referee.reading import SIZE_LIMIT, FileError
from campale.referee.records.saved import SavedGameError
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.referee.scenarios.puzzle import Puzzle, in_language, puzzle_of, read_puzzle
from campale.server.battle.draft import Created, Unknown
from campale.server.battle.proposed import unusable
from campale.server.battle.puzzling import draft_of, saved_of, scenario_of, seats_of, shipped
from campale.server.routes.asking import Language
from campale.server.routes.battles import hall_of
from campale.server.routes.catalogue import playable
from campale.server.routes.openapi import answer, body_of, gives, lasting

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])
LARGEST = 2 * SIZE_LIMIT
LONGEST_NAME = 80


class PuzzleLine(msgspec.Struct, frozen=True):
    """``name``: the book and the file, as in a request. ``text``: the goal."""

    name: str
    title: str
    text: str


class BookOfPuzzles(msgspec.Struct, frozen=True):
    book: str
    title: str
    puzzles: list[PuzzleLine]


class PuzzleAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A book's puzzle by its ``name``, or a player's own: the ``text`` of a scenario ``file``."""

    name: str = ""
    text: str = ""
    file: str = ""


@router.get("", **gives(list[BookOfPuzzles], text="The puzzles that come with the books."))
def puzzles(request: Request, language: Language) -> Response:
    return lasting(request, listed(language))


@lru_cache(maxsize=4)
def listed(language: str) -> bytes:
    found = []
    for ruleset in map(load_ruleset, ruleset_names()):
        lines = []
        for name, path in shipped(ruleset).items():
            scenario = scenario_of(path)
            text = "" if scenario.goal is None else in_language(scenario.goal.text, language)
            lines.append(PuzzleLine(f"{ruleset.name}/{name}", in_language(scenario.title, language), text))
        if lines:
            found.append(BookOfPuzzles(ruleset.name, ruleset.title[language], lines))
    return msgspec.json.encode(found)


@router.post("", **gives(Created, 201, PuzzleAsked, "A puzzle is on the table."))
async def begin(
    request: Request, asked: Annotated[PuzzleAsked, Depends(body_of(PuzzleAsked, LARGEST))], language: Language
) -> Response:
    puzzle, data = await run_in_threadpool(made, asked, language)
    try:
        created = await hall_of(request).imported(data, True, seats_of(puzzle), puzzle=draft_of(puzzle, asked.name))
    except (SavedGameError, ValueError) as error:
        raise unusable("bad-puzzle", [str(error)[:1000]]) from None
    return answer(created, 201)


def made(asked: PuzzleAsked, language: str) -> tuple[Puzzle, bytes]:
    """The puzzle set out, and the saved game that it begins with. Raises TableError."""
    try:
        puzzle = shipped_puzzle(asked.name) if asked.name else own_puzzle(asked)
    except FileError as error:
        raise unusable("bad-puzzle", error.told(language)) from None
    playable(puzzle.game.ruleset.name)
    return puzzle, saved_of(puzzle.stage, puzzle.goal.seed)


def shipped_puzzle(name: str) -> Puzzle:
    book, _, puzzle = name.partition("/")
    path = shipped(playable(book)).get(puzzle)
    if path is None:
        raise Unknown("no-puzzle", name=name[:LONGEST_NAME])
    return read_puzzle(path)


def own_puzzle(asked: PuzzleAsked) -> Puzzle:
    name = "".join(c for c in asked.file if c.isprintable())[:LONGEST_NAME]
    return puzzle_of(asked.text, name or "puzzle.yaml")
