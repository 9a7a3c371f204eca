"""Clocks: one for the whole battle, which runs while a side has a question in its own turn, and one for each reaction.

A side that runs out of time loses the battle; a reaction that takes too long is passed. The journal records both. Real
dice are typed on the clock of the player who rolls them. The clocks stop while no server has the battle in memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from campale.referee.game import Game
from campale.referee.lawful import NoAnswer
from campale.referee.question import Question
from campale.referee.records.record import grained
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.orders import passing
from campale.screen.proposing import proposed
from campale.server.battle.draft import Clock

if TYPE_CHECKING:
    from campale.server.battle.live import Live


BATTLE, REACTION = "battle", "reaction"


class Running(NamedTuple):
    """A running clock: its start, its question, whether it is for a reaction, and the length of the record then."""

    since: float
    question: Question
    is_reaction: bool
    length: int


class Clocks:
    """The clocks of a battle; without a ``clock`` there are none."""

    def __init__(self, clock: Clock | None, now: Callable[[], float] = time.monotonic) -> None:
        self.clock, self.now = clock, now
        self.running: dict[int, Running] = {}
        self.paid: dict[int, int] = {}

    def turn(self, live: Live) -> None:
        """Stop the clocks of the sides that have answered, and start those of the sides with a question."""
        if self.clock is None or live.game is None:
            return
        for seat in live.seats:
            asked = own_question(live, seat.side) if seat.kind == "person" else None
            known = self.running.get(seat.side)
            if known is not None and known.question is not asked:
                self.stop(live, seat.side, self.clock)
            if asked is not None and seat.side not in self.running:
                is_others_turn = live.game.position.now.get("side") == 1 - seat.side
                is_reaction = self.clock.reaction > 0.0 and is_others_turn and not asked.is_chance
                self.running[seat.side] = Running(self.now(), asked, is_reaction, len(live.game.line))

    def stop(self, live: Live, side: int, clock: Clock) -> None:
        """Stop a clock and add the increment for the answer.

        The increment is given once: not again after an undo, nor for a question that is no longer open.
        """
        known, left = self.running.pop(side), live.seats[side].clock
        if not known.is_reaction and left is not None:
            spent = self.now() - known.since
            is_answered = live.game is not None and len(live.game.line) > known.length
            is_new = is_answered and known.length > self.paid.get(side, -1)
            if is_answered:
                self.paid[side] = max(known.length, self.paid.get(side, -1))
            live.with_seat(side, clock=round(max(0.0, left - spent) + (clock.increment if is_new else 0.0), 1))

    def left(self, live: Live, side: int) -> float | None:
        """The seconds that a side has left for its question."""
        known = self.running.get(side)
        if known is None or self.clock is None:
            return None
        whole = self.clock.reaction if known.is_reaction else live.seats[side].clock
        return None if whole is None else whole - (self.now() - known.since)

    def reaction(self, side: int) -> float | None:
        """The time limit of a side's reaction, if it is reacting now."""
        known = self.running.get(side)
        return self.clock.reaction if self.clock is not None and known is not None and known.is_reaction else None

    def soonest(self, live: Live) -> float | None:
        """The seconds until the next clock runs out."""
        return min((left for side in self.running if (left := self.left(live, side)) is not None), default=None)

    def run_out(self, live: Live) -> None:
        """Carry out the consequences for sides without time."""
        for side, known in list(self.running.items()):
            left = self.left(live, side)
            seen = live.eyes(side, live.seats[side].language)
            if live.game is None or seen is None or left is None or left > 0.0:
                continue
            if not (known.is_reaction and is_passed(live.game, side, known.question, seen.teller)):
                live.game.lapse(side, REACTION if known.is_reaction else BATTLE, "lost")
                live.game.concede(side)
            return


def own_question(live: Live, side: int) -> Question | None:
    """A side's own question: real dice are typed by the player who rolls them."""
    question = live.question_of(side)
    return None if question is None or question.side != side else question


def is_passed(game: Game, side: int, question: Question, teller: Teller) -> bool:
    """Answer a reaction for a player: with the least action, otherwise with the proposal; the journal records it.

    Returns whether that was possible.
    """
    for how, answer in for_the_late(question, teller):
        if question.refusal(grained(answer)) is None:
            game.lapse(side, REACTION, how, answer)
            return game.answer(side, answer) is None
    return False


def for_the_late(question: Question, teller: Teller) -> Iterator[tuple[str, Plain]]:
    for answer in passing(question) or ():
        yield "passed", answer
    with suppress(NoAnswer):
        yield "proposed", proposed(question, teller)
