"""Puzzles: scenario files with a goal. This module sets them out and checks whether the goal is reached.

``simulate.solving`` checks that a puzzle can be solved, and that doing nothing does not solve it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from campale.dice.sources import Seeded
from campale.referee.game import Game
from campale.referee.reading import FileError, Place, Written, read, read_file, say, shaped
from campale.referee.records.record import BATTLE_ENTRIES, CHANCE_KINDS, LATE
from campale.referee.scenarios.file import SCHEMA, Goal, Scenario, Told, Until
from campale.referee.scenarios.look import Look
from campale.referee.scenarios.names import Names
from campale.referee.scenarios.stage import Stage
from campale.referee.telling.words import LANGUAGES

FOLDER = "puzzles"
"""The subfolder of a book's folder with its own puzzles."""
NO_ANSWERS = CHANCE_KINDS | BATTLE_ENTRIES | {LATE}

Verdict = Literal["open", "solved", "failed"]


class Puzzle:
    """A puzzle set out. Raises FileError for a file that is no puzzle."""

    def __init__(self, scenario: Scenario, written: Written) -> None:
        if scenario.goal is None:
            raise FileError(say("no-goal", at=written.where(())))
        for place, what in ((("dice",), scenario.dice), (("play",), scenario.play)):
            if what:
                raise FileError(say("not-in-a-puzzle", at=written.where(place)))
        self.goal: Goal = scenario.goal
        self.written = written
        self.title: Told = scenario.title
        self.stage = Stage(scenario, written, Seeded(self.goal.seed))
        self.check_beginning()

    @property
    def game(self) -> Game:
        return self.stage.game

    def check_beginning(self) -> None:
        """Raise FileError unless all names exist, the solving side is asked something, and the puzzle is still open."""
        place: Place = ("goal",)
        found = list(Look(self.game, self.stage.names, 0).differences((*place, "expect"), self.goal.expect))
        if not (found or self.goal.at_end) or judged(self.goal, self.game) != "open":
            raise FileError(say("decided-already", at=self.written.where(place)))
        if self.game.question_for(self.goal.side - 1) is None:
            raise FileError(say("not-asked", at=self.written.where((*place, "side"))))


def read_puzzle(path: Path) -> Puzzle:
    """The puzzle of a file. Raises FileError."""
    return Puzzle(*read_file(path, Scenario, SCHEMA))


def is_puzzle(path: Path) -> bool:
    """Whether a file can be read and has a goal."""
    try:
        return read_file(path, Scenario, SCHEMA)[0].goal is not None
    except FileError:
        return False


def puzzle_of(text: bytes | str, name: str) -> Puzzle:
    """The puzzle of a text. Raises FileError."""
    return Puzzle(*shaped(read(text, name), Scenario, SCHEMA))


def in_language(told: Told, language: str) -> str:
    """The text in a language, or in the first that it has."""
    if isinstance(told, str):
        return told
    return next((told[one] for one in (language, *LANGUAGES) if one in told), next(iter(told.values()), ""))


# ---------------------------------------------------------------- whether it is solved


def judged(goal: Goal, game: Game) -> Verdict:
    """The verdict on a goal in the current battle. Raises FileError if the goal names something that does not exist."""
    names = Names(Written("", {}, {}), game.ruleset, game.position)
    has_ended = game.is_over or is_beyond(goal, game)
    if (has_ended or not goal.at_end) and not any(Look(game, names, 0).differences(("goal", "expect"), goal.expect)):
        return "solved"
    return "failed" if has_ended else "open"


def is_beyond(goal: Goal, game: Game) -> bool:
    """Whether the answers are used up, or the moment has come by which the goal must be reached."""
    if goal.answers is not None and answers_of(game, goal.side - 1) >= goal.answers:
        return True
    return goal.until is not None and is_reached(goal.until, game)


def answers_of(game: Game, side: int) -> int:
    return sum(entry.side == side and entry.kind not in NO_ANSWERS for entry in game.line)


def is_reached(until: Until, game: Game) -> bool:
    """Whether a battle is at this moment."""
    now, questions = game.position.now, [game.question_for(side) for side in (0, 1)]
    asked = [one for one in questions if one is not None and until.side in (None, (one.side or 0) + 1)]
    return (
        any(until.prompt in ("", one.prompt) for one in asked)
        and until.phase in ("", now.get("phase"))
        and until.turn in (None, now.get("turn"))
    )
