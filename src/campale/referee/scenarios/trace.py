"""Tells a scenario as it is played: every question with its offers, every answer, every die with its roll."""

from __future__ import annotations

from pathlib import Path

from campale.referee.journal import Event
from campale.referee.question import Question
from campale.referee.reading import FileError, Place
from campale.referee.refusal import Plain
from campale.referee.scenarios.file import Step, Until
from campale.referee.scenarios.look import as_rolled
from campale.referee.scenarios.scenario import Played, read_scenario
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines

LAST = 12
"""The number of lines shown of a file that does not hold."""


class Telling(Played):
    """A scenario in play that tells what happens, in a language."""

    def tell_in(self, language: str) -> None:
        self.language = language
        self.lines: list[str] = []
        self.told = 0

    def take(self, place: Place, step: Step) -> bool:
        self.tell_events()
        self.lines.append(f"-- {self.written.where(place).partition(', ')[2]}")
        return super().take(place, step)

    def go_on(self, place: Place, until: Until) -> bool:
        found = super().go_on(place, until)
        self.tell_events()
        return found

    def answer(self, place: Place, side: int, written: Plain) -> bool:
        self.tell_questions()
        self.lines.append(f"   side {side + 1} answers {self.names.told(written)}")
        found = super().answer(place, side, written)
        self.tell_events()
        return found

    def tell_questions(self) -> None:
        for side in (0, 1):
            question = self.game.question_for(side)
            if question is not None:
                self.lines.append(f"   {self.offered(question, [])}{rules_of(question)}")

    def tell_events(self) -> None:
        """Tell the events since; dice with their roll and the number needed."""
        events, teller = self.game.journal, Teller.of(self.game, self.language)
        for event in events[self.told :]:
            if event.kind in ("roll", "direction", "draw"):
                self.lines.append(f"   {dice_told(event)}")
        for line in lines(events[self.told :], teller, self.told):
            self.lines.append(f"   {line.as_text().strip()}")
        self.told = len(events)


class Traced(Telling):
    """A scenario that tells all that happens in it."""

    def __init__(self, path: Path, language: str) -> None:
        super().__init__(read_scenario(path))
        self.tell_in(language)

    def play(self) -> list[str]:
        problems = super().play()
        self.tell_events()
        self.tell_questions()
        return problems


def dice_told(event: Event) -> str:
    """``roll to-hit: 4 5, 2D6 at 4+ (fire/mod-half-range -1)  [fire/sequence]``."""
    values = event.values
    shown = values["answer"] if isinstance(values["answer"], list | tuple) else [values["answer"]]
    faces = " ".join(f"{one:g}" if isinstance(one, int | float) else str(one) for one in shown)
    rolled = f", {as_rolled(values)}" if event.kind == "roll" else ""
    return f"{event.kind} {values['why']}: {faces}{rolled}" + (f"  [{event.rules[-1]}]" if event.rules else "")


def rules_of(question: Question) -> str:
    return f"  [{question.rules[-1]}]" if question.rules else ""


def trace(path: Path, language: str = "en") -> tuple[list[str], list[str]]:
    """The course of a scenario file, line by line, and the expectations that do not hold."""
    try:
        played = Traced(path, language)
    except FileError as error:
        return [], list(error.messages)
    return played.lines, played.play()
