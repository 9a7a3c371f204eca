"""The player that goes by expectations: it takes what looks best, and plays nothing through beforehand.

What answers are worth the ruleset tells (``Ruleset.advise``), by the odds that its rules give. Where it says nothing
the question itself does, by its likeliest option or the first of its proposals. Of answers worth the same one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from campale.players.player import Player, proposal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat


class ScriptPlayer(Player):
    """The best of the answers known, of a form as a whole or field by field. It imagines no games."""

    name = "script"

    def otherwise(self, question: Question, seat: Seat) -> Plain:
        for answer in self.advised(question, seat):
            if question.refusal(answer) is None:
                return answer
        if isinstance(question, Form):
            return self.filled(question, seat)
        return question.likeliest(self.rng) if isinstance(question, Choose) else proposal(question, self.rng)

    def filled(self, form: Form, seat: Seat) -> list[Plain]:
        """A form filled in field by field."""
        answers: list[Plain] = []
        while (field := form.field(answers)) is not None:
            answers.append(self.otherwise(field, seat))
        return answers

    def advised(self, question: Question, seat: Seat) -> Iterator[Plain]:
        """The answers that the ruleset advises, the best first."""
        ranked = [(-worth, self.rng.random(), answer) for answer, worth in seat.advice(question)]
        return (answer for _, _, answer in sorted(ranked, key=lambda one: one[:2]))
