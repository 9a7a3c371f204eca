"""Standing orders at the table: their answers are given at once, as if by the player."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from campale.referee.game import Game, RefereeError
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal
from campale.screen.orders import is_paced, kinds, read_orders, standing_answer
from campale.screen.shown import OrderKind
from campale.server.battle.draft import TableError

if TYPE_CHECKING:
    from campale.server.battle.live import Live

LOG = logging.getLogger(__name__)
MOST_FOLLOWED = 200
"""The most answers by order in a row."""
BEAT = 0.7
"""The constant delay in seconds of an answer that depends on the player's own secrets."""


class Beats:
    """The times of questions answered from a seat's own secrets: each is answered one beat later.

    The beat is the same with or without a choice, however long the search takes. The player is shown the question
    after it, if it has not been answered.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._asked: dict[int, tuple[Question, float]] = {}
        self._over: set[int] = set()

    def is_due(self, side: int, question: Question, orders: Mapping[str, Plain]) -> bool | None:
        """Whether the beat of a question is over; None if its answer needs none."""
        if not is_paced(question, orders):
            self._asked.pop(side, None)
            return None
        known = self._asked.get(side)
        if known is None or known[0] is not question:
            known = self._asked[side] = question, self.now() + BEAT
            self._over.discard(side)
        if self.now() < known[1]:
            return False
        self._over.add(side)
        return True

    def is_pending(self, side: int) -> bool:
        """Whether the question of a side may still be answered by order."""
        return side in self._asked and side not in self._over

    def soonest(self) -> float | None:
        """The seconds until the next beat, None if there is none.

        A beat that has passed unnoticed, because the seats were being told what they may know, is due at once.
        """
        left = [max(0.0, due - self.now()) for side, (_, due) in self._asked.items() if side not in self._over]
        return min(left, default=None)

    def drop(self, side: int) -> None:
        """The side has no question any more."""
        self._asked.pop(side, None)

    def forget(self) -> None:
        self._asked.clear()


def orders_of(live: Live, side: int | None) -> dict[str, Plain]:
    return {} if side is None else msgspec.json.decode(live.seats[side].orders, type=dict[str, object])


def kinds_for(live: Live, side: int | None, eyes: int | None, language: str) -> list[OrderKind]:
    """The questions for which a seat may give orders, in the words of those eyes."""
    seen = live.eyes(eyes, language)
    return [] if side is None or seen is None else kinds(seen.teller)


def keep_orders(live: Live, side: int, plain: object) -> None:
    """Store a seat's orders. Raises TableError if they cannot be read."""
    try:
        live.with_seat(side, orders=msgspec.json.encode(read_orders(plain)).decode())
    except ValueError:
        raise TableError("orders.unknown") from None


def by_order(live: Live, side: int) -> tuple[Plain] | None:
    """The answer of a seat's orders to its open question, if any."""
    question, seat = live.question_of(side), live.seats[side]
    seen = live.eyes(side, seat.language) if question is not None and seat.kind == "person" else None
    if question is None or seen is None:
        return None
    return standing_answer(question, orders_of(live, side), seen.position, seen.teller)


def follow(live: Live) -> None:
    """Answer for every seat with orders; each answer is committed separately.

    An answer that depends on a seat's own secrets waits for its beat: see ``Beats``.
    """
    try:
        for _ in range(MOST_FOLLOWED):
            if not any(followed(live, seat.side) for seat in live.seats):
                return
    except RefereeError:
        LOG.exception("battle %s: a rule broke down on an answer by order", live.id)
        live.commit()


def followed(live: Live, side: int) -> bool:
    question = live.question_of(side)
    if question is None:
        live.beats.drop(side)
        return False
    if live.game is not None and live.marches.followed(live.game, side):
        live.commit()
        return True
    if live.beats.is_due(side, question, orders_of(live, side)) is False:
        return False
    found = by_order(live, side)
    if found is None or live.game is None or live.game.answer(side, found[0]) is not None:
        return False
    live.commit()
    return True


def taken_back(live: Live, game: Game, side: int) -> Refusal | None:
    """Undo the last decision of a side, with the answers by order after it; a march as far as it can be undone."""
    live.marches.end(side)
    is_marching = live.marches.has_given_last(game)
    refusal = game.undo(side)
    while refusal is None and is_marching and live.marches.has_given_last(game) and not game.why_no_undo(side):
        live.revision += 1
        game.undo(side)
    while refusal is None:
        live.revision += 1
        if by_order(live, side) is None or game.why_no_undo(side):
            break
        game.undo(side)
    return refusal
