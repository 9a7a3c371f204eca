"""The view of a side: the only part of a battle that players, sockets and saved views get."""

from __future__ import annotations

from typing import Any

import msgspec

from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.position import Position
from campale.referee.refusal import Plain


class View(msgspec.Struct, frozen=True):
    """A battle as a side sees it (side None: as the public does)."""

    side: int | None
    position: dict[str, Any]
    question: dict[str, Plain] | None
    waiting_for: tuple[int | None, ...]
    journal: list[Event]
    is_over: bool


def view(game: Game, side: int | None, events_from: int = 0) -> View:
    """The view of a side, without the first ``events_from`` of the events that it may see."""
    seen = (event.as_seen_by(side) for event in game.journal)
    question = game.question_for(side) if side is not None else None
    return View(
        side,
        seen_position(game, side).plain(),
        None if question is None else {**question.description(), "rules": question.rules},
        game.asked,
        [event for event in seen if event is not None][events_from:],
        game.is_over,
    )


def seen_position(game: Game, side: int | None) -> Position:
    """A copy of the position without the information hidden from the side."""
    return game.ruleset.seen_by(side, game.position.copy())


def view_bytes(game: Game, side: int | None) -> bytes:
    """Every byte that a side gets."""
    return msgspec.msgpack.encode(view(game, side))
