"""The player that goes by expectations: it takes what looks best, and plays nothing through beforehand.

What answers are worth the ruleset tells (``Ruleset.advise``), by the odds that its rules give. Where it says nothing
the question itself does, by its likeliest option or the first of its proposals. Of answers worth the same one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from campale.players.player import Player, proposal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE, Advised
from campale.referee.seat import Seat


class ScriptPlayer(Player):
    """The best of the answers known, of a form as a whole or field by field. It imagines no games."""

    name = "script"

    def otherwise(self, question: Question, seat: Seat) -> Plain:
        return self.best(question, seat, {})

    def best(self, question: Question, seat: Seat, form: Mapping[str, Plain]) -> Plain:
        """``form``: what the form is about of which the question is a field."""
        given = seat.offhand(question)
        if given is not None:
            return given[0]
        about = {**form, **question.about}
        told = seat.advice(question, about)
        for answer in self.ranked(told):
            if question.refusal(answer) is None:
                return answer
        if isinstance(question, Form):
            return self.filled(question, seat, about)
        return (
            question.likeliest(self.rng, wasted(told)) if isinstance(question, Choose) else proposal(question, self.rng)
        )

    def filled(self, form: Form, seat: Seat, about: Mapping[str, Plain]) -> list[Plain]:
        """A form filled in field by field."""
        answers: list[Plain] = []
        while (field := form.field(answers)) is not None:
            answers.append(self.best(field, seat, about))
        return answers

    def advised(self, question: Question, seat: Seat, about: Mapping[str, Plain]) -> Iterator[Plain]:
        """The answers that the ruleset advises, the best first, without those that come to nothing."""
        return self.ranked(seat.advice(question, about))

    def ranked(self, told: Sequence[Advised]) -> Iterator[Plain]:
        ranked = [(-worth, self.rng.random(), answer) for answer, worth in told if worth != WASTE]
        return (answer for _, _, answer in sorted(ranked, key=lambda one: one[:2]))


def wasted(told: Sequence[Advised]) -> list[Plain]:
    """The answers that come to nothing, as far as the ruleset tells."""
    return [answer for answer, worth in told if worth == WASTE]
