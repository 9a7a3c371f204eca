"""The player that goes by expectations: it takes the answer that looks best, and plays nothing through first.

The ruleset tells what answers are worth (``Ruleset.advise``), by the odds of its rules. Where it says nothing, the
player takes the likeliest option of the question, or its first proposal. It draws among answers of equal worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from campale.players.player import Player, proposal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE, Advised
from campale.referee.seat import Seat


class ScriptPlayer(Player):
    """Gives the best known answer, for a form as a whole or field by field. It imagines no games."""

    name = "script"

    def otherwise(self, question: Question, seat: Seat) -> Plain:
        return self.best(question, seat, {})

    def best(self, question: Question, seat: Seat, form: Mapping[str, Plain]) -> Plain:
        """The best answer known. ``form``: the ``about`` of the form to which the question belongs as a field."""
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
        """The answers that the ruleset advises, the best first, without wasted ones."""
        return self.ranked(seat.advice(question, about))

    def ranked(self, told: Sequence[Advised]) -> Iterator[Plain]:
        ranked = [(-worth, self.rng.random(), answer) for answer, worth in told if worth != WASTE]
        return (answer for _, _, answer in sorted(ranked, key=lambda one: one[:2]))


def wasted(told: Sequence[Advised]) -> list[Plain]:
    """The wasted answers, as far as the ruleset tells."""
    return [answer for answer, worth in told if worth == WASTE]
