"""A rule on the bench: its coroutine driven by hand, every answer judged, every die accounted for."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Any

from campale.dice.sources import Scripted
from campale.referee.journal import Journal, dice_event
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Question, Together
from campale.referee.refusal import Plain
from campale.referee.rule import path_of
from campale.referee.ruleset import Ruleset


class Run:
    """The result of a rule: its value, and the questions that it asked the sides."""

    def __init__(self, value: Any, questions: list[Question]) -> None:
        self.value = value
        self.questions = questions

    @property
    def prompts(self) -> list[str]:
        return [question.prompt for question in self.questions]


def carried_out(
    rule: Coroutine[Any, Any, Any],
    answers: Iterable[Plain] = (),
    dice: Iterable[float] = (),
    position: Position | None = None,
) -> Run:
    """Drive a rule to its end. Simultaneous answers form a dictionary; no answer and no die may be left over."""
    script, left = Scripted(dice), list(answers)
    questions: list[Question] = []
    value: Any = None
    while True:
        try:
            asked = rule.send(value)
        except StopIteration as done:
            assert not left, f"answers left over: {left}"
            assert script.left == [], f"dice left over: {script.left}"
            return Run(done.value, questions)
        if isinstance(asked, Question) and asked.is_chance:
            value = rolled(rule, asked, script, position)
        else:
            assert left, f"nobody answers {described(asked)}"
            value = judged(asked, left.pop(0), questions)


def rolled(rule: Coroutine[Any, Any, Any], asked: Question, script: Scripted, position: Position | None) -> Any:
    answer = script.answer(asked)
    assert asked.refusal(answer) is None, f"{asked.description()} cannot come up {answer}"
    asked.rules = path_of(rule)
    if position is not None and position.journal is not None:
        position.enter(dice_event(asked, answer))
    return asked.understood(answer)


def judged(asked: Question | Together, answer: Plain, questions: list[Question]) -> Any:
    if isinstance(asked, Together):
        return {side: judged(one, answer[side], questions) for side, one in sorted(asked.questions.items())}
    questions.append(asked)
    assert asked.refusal(answer) is None, f"{asked.description()} refuses {answer!r}: {asked.refusal(answer)}"
    return asked.understood(answer)


def described(asked: Question | Together) -> Plain:
    return (
        [one.description() for one in asked.questions.values()] if isinstance(asked, Together) else asked.description()
    )


def laid_out(ruleset: Ruleset, **options: Plain) -> Position:
    """The first position of a ruleset's first starter, with a journal."""
    assert ruleset.starters is not None
    chosen = ruleset.with_options(options)
    position = chosen.set_out(chosen, ruleset.starters()[0])
    position.journal = Journal()
    return position


def events(position: Position, kind: str) -> list[dict[str, Plain]]:
    assert position.journal is not None
    return [event.values for event in position.journal.events if event.kind == kind]


def unit(position: Position, name: str, side: int = 0) -> Unit:
    return next(one for one in position.units if one.name == name and one.side == side)


def model(position: Position, name: str, side: int = 0, number: int = 0) -> Model:
    return [one for one in position.models if one.name == name and one.side == side][number]
