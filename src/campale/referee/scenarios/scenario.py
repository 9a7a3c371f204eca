"""Scenario files: a position, dice, decisions and the expected results; the test mode of the referee.

``check(path)`` plays a file and reports what does not hold. Models go by their ``id`` everywhere in the file, answers
included; sides are 1 and 2. Every message gives file, line, fault and reason. ``scenario_file`` defines the format;
``docs/en/scenarios.md`` explains it to people, and ``scenario.schema.json`` to editors.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from campale.dice.sources import ScriptError, Source
from campale.referee.game import RefereeError
from campale.referee.lawful import idle_answer
from campale.referee.question import Form, Question
from campale.referee.reading import FileError, Place, Written, read_file
from campale.referee.refusal import Plain, Refusal
from campale.referee.scenarios.file import SCHEMA, Expect, Refused, Scenario, Step, Until, schema
from campale.referee.scenarios.look import NEAR, Look, as_asked
from campale.referee.scenarios.puzzle import is_reached
from campale.referee.scenarios.stage import Stage, told

__all__ = ["SCHEMA", "Played", "Scenario", "Stage", "check", "files_in", "read_scenario", "schema"]

MOST_SHOWN = 12
MOST_PASSED = 2000
"""The most questions that are passed on the way to another."""


class Played:
    """A scenario in play, step by step, and the faults found."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.game = stage.game
        self.names = stage.names
        self.written: Written = stage.written
        self.problems: list[str] = []
        self.seen = 0

    def play(self) -> list[str]:
        """Play all the steps and check the end. Returns what does not hold."""
        scenario = self.stage.scenario
        try:
            for number, step in enumerate(scenario.play):
                if not self.take(("play", number), step):
                    return self.problems
                if step.stop:
                    break
            self.look(("expect",), scenario.expect, 0)
        except FileError as error:
            self.problems.extend(error.messages)
            return self.problems
        left, wanted = len(self.dice_left), scenario.expect.dice_left or 0
        is_cut_short = scenario.expect.dice_left is None and any(step.stop for step in scenario.play[:-1])
        if left != wanted and not is_cut_short:
            dice = " ".join(f"{one:g}" for one in self.dice_left[:MOST_SHOWN])
            self.amiss(("dice",), f"{left} dice are left over ({dice}), {wanted} were to be")
        return self.problems

    @property
    def dice_left(self) -> list[float]:
        return list(getattr(self.game.dice, "left", ()))

    def amiss(self, place: Place, what: str) -> None:
        self.problems.append(f"{self.written.where(place)}: {what}")

    # ------------------------------------------------------------------ a step

    def take(self, place: Place, step: Step) -> bool:
        """Play one step. Returns whether play can go on."""
        if step.until is not None and not self.go_on((*place, "until"), step.until):
            return False
        tries = step.refused if isinstance(step.refused, tuple) else (step.refused,)
        for k, one in enumerate(tries):
            at = (*place, "refused", k) if isinstance(step.refused, tuple) else (*place, "refused")
            self.try_refused(at, step.by - 1, one)
        if step.answer is not msgspec.UNSET and not self.answer((*place, "answer"), step.by - 1, step.answer):
            return False
        if step.act is not None and not self.act((*place, "act"), step.by - 1, step.act):
            return False
        if step.expect is not None:
            self.look((*place, "expect"), step.expect, self.seen)
        self.seen = len(self.game.journal)
        return True

    def go_on(self, place: Place, until: Until) -> bool:
        """Pass, or give the only answer, until a question, a phase or a turn is reached."""
        for _ in range(MOST_PASSED):
            if is_reached(until, self.game):
                return True
            question = self.game.question
            if question is None or question.side is None:
                break
            answer = idle_answer(question)
            if answer is None:
                self.amiss(place, f"play does not go on by itself: {self.offered(question, [])}")
                return False
            try:
                self.game.answer(question.side, answer[0])
            except RefereeError as error:
                self.broken(place, error)
                return False
            self.names.position = self.game.position
        self.amiss(place, f"that is never reached; {as_asked(self.game.question, self.names)}")
        return False

    def answer(self, place: Place, side: int, written: Plain) -> bool:
        question = self.game.question_for(side)
        answer = self.names.answer(self.game, question, written, place)
        try:
            refusal = self.game.answer(side, answer)
        except RefereeError as error:
            self.broken(place, error)
            return False
        self.names.position = self.game.position
        if refusal is not None:
            self.amiss(place, f"{self.as_refused(refusal)}; {self.offered(question, answer)}")
        return refusal is None

    def accept(self, place: Place, side: int) -> bool:
        """Take the first proposal, like a player who presses one key."""
        question = self.game.question_for(side)
        if question is None:
            self.amiss(place, f"side {side + 1} is not asked anything; {as_asked(self.game.question, self.names)}")
            return False
        return self.answer(place, side, question.suggestions()[0])

    def broken(self, place: Place, error: RefereeError) -> None:
        cause = error.__cause__
        if isinstance(cause, ScriptError):
            self.amiss(("dice",), f"{cause}, after {self.written.where(place).partition(', ')[2]}")
        else:
            self.amiss(place, f"play breaks down: {told(error)}")

    def act(self, place: Place, side: int, act: str) -> bool:
        if act == "accept":
            return self.accept(place, side)
        try:
            done = {"concede": self.game.concede, "undo": self.game.undo, "doubt": self.game.doubt}[act]
            refusal = done(side)
        except RefereeError as error:
            self.broken(place, error)
            return False
        self.names.position = self.game.position
        if refusal is not None:
            self.amiss(place, self.as_refused(refusal))
        return refusal is None

    def as_refused(self, refusal: Refusal) -> str:
        numbers = "" if refusal.measured is None else f" ({refusal.measured:g} of {refusal.limit or 0:g})"
        return f"refused by {refusal.rule or refusal.word}{numbers}"

    def offered(self, question: Question | None, answer: Plain) -> str:
        """The side asked, the question (in a form, the first field that the answer does not fit), the choices."""
        told_ = as_asked(self.game.question, self.names)
        filled = 0
        while isinstance(question, Form) and isinstance(answer, list):
            field = self.names.field(question, answer[:filled])
            if field is None or filled >= len(answer) or self.refuses(field, answer[filled]):
                question = field
            filled += 1
        keys = None if question is None else question.options()
        if question is None or not keys:
            return told_
        names = ", ".join(self.names.told_key(self.game, key, question) for key in keys[:MOST_SHOWN])
        return f"{told_}, '{question.prompt}' offers {names}"

    def refuses(self, question: Question, answer: Plain) -> bool:
        try:
            return question.refusal(answer) is not None
        except Exception:
            return True

    # ------------------------------------------------------------------ what must be refused

    def try_refused(self, place: Place, side: int, wanted: Refused) -> None:
        question = self.game.question_for(side)
        if question is None:
            self.amiss(place, f"side {side + 1} is not asked anything; {as_asked(self.game.question, self.names)}")
            return
        answer = self.names.answer(self.game, question, wanted.answer, (*place, "answer"))
        try:
            refusal = question.refusal(answer)
        except Exception as error:
            self.amiss(place, f"play breaks down: {told(error)}")
            return
        if refusal is None:
            self.amiss(place, f"the answer is allowed, {wanted.rule or wanted.word or 'it'} was to be refused")
            return
        self.compare(place, refusal, wanted)

    def compare(self, place: Place, found: Refusal, wanted: Refused) -> None:
        if wanted.rule is not None:
            self.names.rules([wanted.rule], (*place, "rule"))
        if wanted.rule not in (None, found.rule) or wanted.word not in (None, found.word):
            self.amiss(place, f"{self.as_refused(found)}, not by {wanted.rule or wanted.word}")
            return
        for name in ("measured", "limit"):
            value, number = getattr(found, name), getattr(wanted, name)
            if number is not None and (value is None or abs(value - number) > NEAR):
                self.amiss((*place, name), f"{name} is {value}, not {number:g}")
        if wanted.model is not None and found.model != self.names.model(wanted.model, (*place, "model")):
            model = "nobody" if found.model is None else self.names.position.names[found.model]
            self.amiss((*place, "model"), f"because of {model}, not of {wanted.model}")

    # ------------------------------------------------------------------ what must hold

    def look(self, place: Place, expect: Expect, since: int) -> None:
        for at, what in Look(self.game, self.names, since).differences(place, expect):
            self.amiss(at, what)


# ---------------------------------------------------------------- from outside


def read_scenario(path: Path, dice: Source | None = None) -> Stage:
    """A scenario file set out and ready to play, with other dice if given. Raises FileError with place and fault."""
    scenario, written = read_file(path, Scenario, SCHEMA)
    return Stage(scenario, written, dice)


def check(path: Path) -> list[str]:
    """The expectations of a scenario file that do not hold; empty if all hold."""
    try:
        return Played(read_scenario(path)).play()
    except FileError as error:
        return list(error.messages)


def files_in(folder: Path) -> list[Path]:
    """The scenario files of a folder and its subfolders, in alphabetical order."""
    return sorted(path for path in folder.rglob("*.y*ml") if path.is_file())
