"""The player that answers at random."""

from __future__ import annotations

from campale.players.player import Player
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat


class RandomPlayer(Player):
    """Answers with a random sample of the question."""

    name = "random"

    def answer(self, seat: Seat) -> Plain:
        question = seat.question
        if question is None:
            return super().answer(seat)
        sampled = question.sample(self.rng)
        return sampled if question.refusal(sampled) is None else super().answer(seat)

    def otherwise(self, question: Question, seat: Seat) -> Plain:
        return question.sample(self.rng)
