"""The base of all players: an answer for every kind of question. A player sees only a seat, and decides for itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from campale.referee.lawful import NoAnswer, legal
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat


class Player:
    """Answers by kind of question. Every kind has a default, so that a player is a handful of small methods.

    Each method takes the question and the seat, and gives an answer; ``otherwise`` stands in for those not written.
    What a method gives is put to the question before it is played: an answer that would be refused is replaced.
    """

    name = "player"

    def __init__(self, seed: int | str = 1) -> None:
        self.rng = Random(f"{self.name}/{seed}")

    def answer(self, seat: Seat) -> Plain:
        """A legal answer to the question open to the seat. Raises NoAnswer where there is none."""
        question = seat.question
        if question is None:
            raise NoAnswer(f"side {seat.side} is not asked anything")
        by_kind: Callable[[Any, Seat], Plain] = getattr(self, question.kind, self.otherwise)
        given = by_kind(question, seat)
        return given if question.refusal(given) is None else legal(question, self.rng)

    def otherwise(self, question: Question, seat: Seat) -> Plain:
        """The answer to any kind that the player does not handle: the first suggestion, or a sample."""
        return proposal(question, self.rng)

    def choose(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def order(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def number(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def form(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def place(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def move(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def along(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def aim(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def allot(self, question: Question, seat: Seat) -> Plain:
        return self.otherwise(question, seat)

    def roll(self, question: Question, seat: Seat) -> Plain:
        """Dice typed by hand: a bot throws its own."""
        return question.sample(self.rng)

    def direction(self, question: Question, seat: Seat) -> Plain:
        return question.sample(self.rng)

    def draw(self, question: Question, seat: Seat) -> Plain:
        return question.sample(self.rng)


def proposal(question: Question, rng: Random) -> Plain:
    """The first thing that the question suggests, or a sample of it."""
    suggested = question.proposals(1)
    return suggested[0] if suggested else question.sample(rng)
