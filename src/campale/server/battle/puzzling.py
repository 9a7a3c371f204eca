"""A puzzle at the table: a battle that begins as in a scenario file, with a goal that is checked after every change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import campale
from campale.referee.reading import FileError, read_file
from campale.referee.records.saved import FORMAT, VERSION, SavedGame, packed
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.scenarios.file import SCHEMA, Scenario
from campale.referee.scenarios.puzzle import FOLDER, Puzzle, in_language, judged
from campale.referee.scenarios.scenario import files_in
from campale.referee.scenarios.stage import Stage
from campale.referee.telling.teller import Teller
from campale.screen.sheet import rule_shown
from campale.server.battle.draft import PuzzleDraft, SeatDraft
from campale.server.database.keeping import BRANCH
from campale.server.sockets.wire import PuzzleShown

if TYPE_CHECKING:
    from campale.server.battle.live import Live


def shipped(ruleset: Ruleset) -> dict[str, Path]:
    """The puzzles that come with a book, by name, in their order."""
    return {path.stem: path for path in files_in(ruleset.folder / FOLDER)}


def scenario_of(path: Path) -> Scenario:
    return read_file(path, Scenario, SCHEMA)[0]


def draft_of(puzzle: Puzzle, name: str) -> PuzzleDraft:
    scenario = puzzle.stage.scenario
    return PuzzleDraft(name, scenario.title, scenario.rules, puzzle.goal)


def saved_of(stage: Stage, seed: str) -> bytes:
    """The saved game that a scenario begins with. It cannot be verified: no set-up of the book leads there."""
    game, scenario = stage.game, stage.scenario
    mark = game.marks[-1]
    setup = Setup(scenario.ruleset, scenario.options, ({}, {}), {}, ("", ""))
    saved = SavedGame(
        FORMAT,
        VERSION,
        campale.__version__ + BRANCH,
        scenario.ruleset,
        game.ruleset.content_hash,
        setup,
        seed,
        "seeded",
        game.line,
        [],
        packed(mark.position),
        mark.at,
    )
    return msgspec.json.encode(saved)


def seats_of(puzzle: Puzzle) -> tuple[SeatDraft, ...]:
    me, rival = SeatDraft("me"), SeatDraft("bot", strength=puzzle.goal.rival)
    return (me, rival) if puzzle.goal.side == 1 else (rival, me)


def look_at_goal(live: Live) -> None:
    """Check whether the goal is reached, or can no longer be reached. A verdict is final."""
    puzzle, game = live.draft.puzzle, live.game
    if puzzle is None or game is None or puzzle.verdict != "open":
        return
    try:
        verdict = judged(puzzle.goal, game)
    except FileError:
        return
    if verdict != "open":
        decided = msgspec.structs.replace(puzzle, verdict=verdict)
        live.draft = msgspec.structs.replace(live.draft, puzzle=decided)
        live.battle = msgspec.structs.replace(live.battle, draft=msgspec.json.encode(live.draft).decode())


def puzzle_shown(live: Live, language: str) -> PuzzleShown | None:
    puzzle = live.draft.puzzle
    if puzzle is None:
        return None
    ruleset = load_ruleset(live.battle.book)
    teller = Teller(ruleset, language)
    return PuzzleShown(
        puzzle.name,
        in_language(puzzle.title, language),
        in_language(puzzle.goal.text, language),
        [in_language(hint, language) for hint in puzzle.goal.hints],
        [rule_shown(rule, teller) for rule in puzzle.rules],
        puzzle.verdict,
    )
