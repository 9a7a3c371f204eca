"""Rules played with scripted dice and answers, for the chapter tests of every book.

Dice are in the order rolled, bars and spaces apart; a die left over is a failure, and so is an answer left over, or a
question without an answer.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

from campale.dice.sources import Scripted
from campale.referee.journal import Event
from campale.referee.position import Position
from campale.referee.question import Question, Together
from campale.referee.rule import path_of


@dataclass
class Played:
    """What came of a rule that was played: its value, the questions asked, and what it wrote in the journal."""

    value: Any
    questions: list[Question]
    position: Position | None

    @property
    def prompts(self) -> list[str]:
        """What was asked of players, in order."""
        return [question.prompt for question in self.questions if not question.is_chance]

    @property
    def rolls(self) -> list[str]:
        return [question.prompt for question in self.questions if question.is_chance]

    @property
    def events(self) -> list[Event]:
        return [] if self.position is None or self.position.journal is None else self.position.journal.events

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    @property
    def moves(self) -> list[tuple[str, ...]]:
        """How models moved, and by which rule as the journal cites it."""
        moves = [event for event in self.events if event.kind == "move"]
        return [(str(event.values.get("how", "")), *event.rules[-1:]) for event in moves]

    def cites(self, rule: str) -> bool:
        """Whether the rule was in force when something was asked, rolled or written."""
        asked = any(rule in question.rules for question in self.questions)
        return asked or any(rule in event.rules for event in self.events)


def dice_of(text: str) -> list[float]:
    return [float(one) if "." in one else int(one) for one in text.replace("|", " ").split()]


PROPOSAL = object()
"""An answer that takes the first suggestion, as a player does who presses one key."""


def play(
    rule: Coroutine[Any, Any, Any],
    dice: str = "",
    answers: Iterable[Any] = (),
    position: Position | None = None,
    accepting: bool = False,
) -> Played:
    """Play a rule to its end. Every answer is judged first; dice and answers must come out even.

    ``accepting``: when the answers have run out, every further question is answered with its first suggestion.
    """
    source, left = Scripted(dice_of(dice)), list(answers)
    asked: list[Question] = []
    value: Any = None
    while True:
        try:
            question = rule.send(value)
        except StopIteration as done:
            assert not source.left, f"dice left over: {source.left}"
            assert not left, f"answers left over: {left}"
            return Played(done.value, asked, position)
        if isinstance(question, Together):
            assert left, "no answers to a question to both sides"
            given = left.pop(0)
            value = {side: judged(rule, one, given[side], asked) for side, one in sorted(question.questions.items())}
            continue
        if question.is_chance:
            answer = source.answer(question)
        else:
            assert left or accepting, f"no answer for {question.kind} '{question.prompt}': {question.description()}"
            answer = left.pop(0) if left else PROPOSAL
        value = judged(rule, question, answer, asked)


def judged(rule: Coroutine[Any, Any, Any], question: Question, answer: Any, asked: list[Question]) -> Any:
    question.rules = path_of(rule)
    asked.append(question)
    if answer is PROPOSAL:
        answer = question.suggestions()[0]
    refusal = question.refusal(answer)
    assert refusal is None, f"'{question.prompt}' refuses {answer}: {refusal}"
    return question.understood(answer)


def first_question(rule: Coroutine[Any, Any, Any]) -> Question:
    """The first thing a rule asks, of players or of chance."""
    question: Question = rule.send(None)
    question.rules = path_of(rule)
    return question


def question_after(rule: Coroutine[Any, Any, Any], dice: str = "", answers: Iterable[Any] = ()) -> Question:
    """The question to a player at which a rule stands once these dice and answers are used up."""
    source, left = Scripted(dice_of(dice)), list(answers)
    question = first_question(rule)
    while question.is_chance or left:
        answer = source.answer(question) if question.is_chance else left.pop(0)
        answer = question.suggestions()[0] if answer is PROPOSAL else answer
        assert question.refusal(answer) is None, f"'{question.prompt}' refuses {answer}"
        question = rule.send(question.understood(answer))
        question.rules = path_of(rule)
    assert not source.left, f"dice left over: {source.left}"
    return question
