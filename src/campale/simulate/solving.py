"""Solving puzzles: a puzzle holds if the solution in its file solves it, and doing nothing does not."""

from __future__ import annotations

from pathlib import Path

from campale.players import Player, player_named
from campale.referee.game import RefereeError
from campale.referee.lawful import idle_answer
from campale.referee.reading import FileError, Place
from campale.referee.scenarios.file import Step, Until
from campale.referee.scenarios.puzzle import Puzzle, Verdict, is_reached, judged, read_puzzle
from campale.referee.scenarios.scenario import Played
from campale.referee.scenarios.trace import Telling
from campale.referee.seat import Seat

MOST_ANSWERS = 2000
SOLUTION = "solution"


class Solving(Played):
    """A puzzle in play: its rival answers as at the table, and after every answer the goal is looked at."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle.stage)
        self.goal = puzzle.goal
        self.side = puzzle.goal.side - 1
        self.rival = rival_of(puzzle.goal.rival, 1 - self.side)
        self.seat = Seat(self.game, 1 - self.side)
        self.verdict: Verdict = "open"

    def solved(self, steps: tuple[Step, ...]) -> list[str]:
        """Why the steps do not solve it; empty if they do."""
        try:
            self.rival_answers()
            for number, step in enumerate(steps):
                if self.verdict == "open" and not self.take((SOLUTION, number), step):
                    return self.problems
        except FileError as error:
            self.problems.extend(error.messages)
            return self.problems
        except RefereeError as error:
            self.amiss((SOLUTION,), f"play breaks down: {error}")
            return self.problems
        if self.verdict == "open":
            self.amiss((SOLUTION,), "the goal is not reached when it ends")
        elif self.verdict == "failed":
            self.look(("goal", "expect"), self.goal.expect, 0)
            self.amiss((SOLUTION,), "the goal is not reached by the end")
        return self.problems

    def passed(self) -> Verdict:
        """The outcome if the solver does nothing, or takes the proposal if an answer is required."""
        self.rival_answers()
        for _ in range(MOST_ANSWERS):
            question = self.game.question_for(self.side)
            if self.verdict != "open" or question is None:
                break
            answer = idle_answer(question) or (question.suggestions()[0],)
            self.game.answer(self.side, answer[0])
            self.has_moved()
        return self.verdict

    # ------------------------------------------------------------------ both sides

    def answer(self, place: Place, side: int, written: object) -> bool:
        if side != self.side:
            self.amiss(place, "the rival answers for itself; leave this step out")
            return False
        if self.verdict != "open":
            return True
        done = super().answer(place, side, written)
        self.has_moved()
        return done

    def go_on(self, place: Place, until: Until) -> bool:
        """Pass until a moment is reached; the rival does not pass, and the goal may be decided in the meantime."""
        for _ in range(MOST_ANSWERS):
            if self.verdict != "open" or is_reached(until, self.game):
                return True
            question = self.game.question_for(self.side)
            answer = None if question is None else idle_answer(question)
            if answer is None:
                break
            self.game.answer(self.side, answer[0])
            self.has_moved()
        self.amiss(place, f"play does not go on by itself: {self.offered(self.game.question_for(self.side), [])}")
        return False

    def has_moved(self) -> None:
        self.look_at_goal()
        self.rival_answers()

    def rival_answers(self) -> None:
        """Let the rival answer as long as only the rival is asked."""
        for _ in range(MOST_ANSWERS):
            if self.verdict != "open" or self.game.question_for(self.side) is not None or self.game.is_over:
                return
            self.game.answer(1 - self.side, self.rival.answer(self.seat))
            self.look_at_goal()

    def look_at_goal(self) -> None:
        self.names.position = self.game.position
        if self.verdict == "open":
            self.verdict = judged(self.goal, self.game)


class Told(Telling, Solving):
    """A puzzle that reports everything while its solution is played."""

    def __init__(self, puzzle: Puzzle, language: str) -> None:
        super().__init__(puzzle)
        self.tell_in(language)

    def solved(self, steps: tuple[Step, ...]) -> list[str]:
        problems = super().solved(steps)
        self.tell_events()
        self.tell_questions()
        return problems


def rival_of(name: str, side: int) -> Player:
    """The player against whom a puzzle is solved; at the table it is the same."""
    return player_named(name, f"/{side}")


def check(path: Path) -> list[str]:
    """What does not hold in a puzzle; empty if everything does."""
    try:
        puzzle = read_puzzle(path)
        solution = puzzle.stage.scenario.solution
        if not solution:
            return [f"{puzzle.written.where(('goal',))}: the puzzle has no solution. Add the steps of one (solution:)."]
        found = Solving(puzzle).solved(solution)
        if not found and Solving(read_puzzle(path)).passed() == "solved":
            found = [f"{puzzle.written.where(('goal',))}: doing nothing solves it. Ask for more."]
    except FileError as error:
        return list(error.messages)
    except RefereeError as error:
        return [f"{path.name}: play breaks down: {error}"]
    return found


def trace(path: Path, language: str = "en") -> tuple[list[str], list[str]]:
    """What happens while a puzzle's solution is played, line by line, and what does not hold."""
    try:
        puzzle = read_puzzle(path)
    except FileError as error:
        return [], list(error.messages)
    played = Told(puzzle, language)
    problems = played.solved(puzzle.stage.scenario.solution)
    return played.lines, problems
