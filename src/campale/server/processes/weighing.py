"""The odds of an option, or of everything a model can do, computed in a separate process: no table waits for them.

A process keeps the last tables that it was sent: the options of one question are weighed one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from campale.referee.game import Game
from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import load_ruleset
from campale.screen.forecasting import Meant, against, forecast_of_any, meant_by
from campale.screen.scene import Eyes
from campale.screen.sheet import check

PATIENCE = 30.0
"""Seconds after which an option is given up; the first one of a process also waits for its rules to load."""

KEPT = 4


class Weighing(NamedTuple):
    """The table as a side sees it, and the meanings of one of its answers (see ``meant_by``)."""

    book: str
    options: bytes
    position: bytes
    side: int | None
    meant: tuple[Meant, ...]

    def done(self) -> list[Forecast]:
        """One forecast, or none if nothing is known."""
        found = forecast_of_any(table(self.book, self.options, self.position), self.side, self.meant)
        return [] if found is None else [found]


class Looking(NamedTuple):
    """The table as a side sees it, and two models: everything that the first may do to the other."""

    book: str
    options: bytes
    position: bytes
    side: int | None
    model: int
    target: int

    def done(self) -> list[Forecast]:
        return [*against(table(self.book, self.options, self.position), self.side, self.model, self.target)]


Reckoning = Weighing | Looking


def looking(game: Game | None, model: int, target: int, seen: Eyes) -> Looking | None:
    return None if game is None else Looking(*carried(game, seen), model, target)


def carried(game: Game, seen: Eyes) -> tuple[str, bytes, bytes, int | None]:
    options = msgspec.json.encode(game.setup.options)
    return game.ruleset.name, options, seen.position.to_bytes(), seen.side


def weighing(
    game: Game | None, question: Question, path: Sequence[Sequence[Plain]], answer: Plain, seen: Eyes
) -> Weighing | None:
    """An option on its way to the process that weighs it; None if it would be refused."""
    if game is None or check(question, path, answer) is not None:
        return None
    return Weighing(*carried(game, seen), meant_by(question, path, answer))


@lru_cache(maxsize=KEPT)
def table(book: str, options: bytes, position: bytes) -> Position:
    agreed: dict[str, Any] = msgspec.json.decode(options)
    return Position.from_bytes(load_ruleset(book).with_options(agreed), position)
