"""A player that looks one activation ahead.

At the first question of an activation it plays a few lines to the next boundary on imagined games, the other side
answering cheaply, and keeps the line after which its side stands best, as its ruleset appraises it. The first line
follows what the ruleset advises; the others begin with answers that were tried seldom. The rest of the activation
follows the line for as long as the questions are those that were imagined; where they are not, it thinks again. The
lines that came next are remembered: where the same is asked again they are tried beside new ones.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import NamedTuple

from campale.players.player import Player
from campale.players.script import ScriptPlayer
from campale.players.tries import quick, tries
from campale.referee.game import Game
from campale.referee.lawful import legal, only_answer
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat

LONGEST_LINE = 150
"""Answers after which a line is appraised even though no boundary has come."""


LINES = 2
"""How many lines are played, the advised one among them, where nobody says otherwise."""
TRIED_AGAIN, REMEMBERED = 1, 8
"""How many of the remembered lines are tried at a time, and how many are kept."""


Follow = Callable[[Game, Question], Plain]
"""What a side answers on its own line where the line says nothing."""


class Step(NamedTuple):
    """One own decision of a line: what was asked and what is answered."""

    kind: str
    prompt: str
    answer: Plain

    def answers(self, question: Question) -> bool:
        """Whether the question is the one that was imagined."""
        return (self.kind, self.prompt) == (question.kind, question.prompt)


class Line(NamedTuple):
    """A line of play: the own decisions from here to the next boundary, and how well one stands after it."""

    steps: tuple[Step, ...]
    worth: float


class GreedyPlayer(Player):
    """One activation ahead. ``seconds`` bounds the thinking about one decision, by the clock that is passed in.

    Without a bound the same seed plays the same battle on any machine.
    """

    name = "greedy"

    def __init__(
        self,
        seed: int | str = 1,
        lines: int = LINES,
        seconds: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(seed)
        self.lines, self.seconds = lines, seconds
        self.clock = clock
        self.script = ScriptPlayer(f"{self.name}/{seed}")
        self.plan: tuple[Step, ...] = ()
        self.asked: tuple[str, str] = "", ""
        self.remembered: list[Line] = []
        self.tried: Counter[str] = Counter()
        """How often each answer was tried since something else was asked."""
        self.failures: list[str] = []
        """What broke down on imagined games: lines thrown away, kept for whoever looks for faults."""

    def answer(self, seat: Seat) -> Plain:
        question = seat.question
        if question is None or question.is_chance:
            return super().answer(seat)
        given = only_answer(question) or seat.offhand(question)
        if given is not None:
            self.plan = self.plan[1:] if self.plan and self.plan[0].answers(question) else self.plan
            return given[0]
        planned = self.planned(question)
        if planned is None:
            self.plan = self.thought_out(seat, question)
            planned = self.planned(question)
        return planned[0] if planned is not None else legal(question, self.rng)

    def planned(self, question: Question) -> tuple[Plain] | None:
        """The plan's answer if its next question is this one and the answer is still legal; the plan moves on."""
        step = self.plan[0] if self.plan else None
        self.plan = self.plan[1:]
        if step is None or not step.answers(question) or question.refusal(step.answer) is not None:
            self.plan = ()
            return None
        return (step.answer,)

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        """The best of the lines tried; before it does nothing it looks round a second time."""
        until = self.clock() + self.seconds
        best = self.best_of(seat, question, until)
        if best is not None and is_idle(question, best) and self.clock() < until:
            best = self.best_of(seat, question, until) or best
        return best.steps if best is not None else ()

    def best_of(self, seat: Seat, question: Question, until: float) -> Line | None:
        tried = [self.played(seat, (), follow=self.advised)]
        for steps in self.beginnings(question, self.lines - 1):
            if self.clock() >= until:
                break
            tried.append(self.played(seat, steps))
        tried = beside_each_other(tried)
        self.remember(tried[1:])
        return tried[0] if tried else None

    def beginnings(self, question: Question, most: int) -> Iterator[tuple[Step, ...]]:
        """How the lines to be tried begin: as one that is remembered, then with answers tried seldom so far."""
        asked = question.kind, question.prompt
        if asked != self.asked:
            self.asked, self.remembered, self.tried = asked, [], Counter()
        known = [line for line in self.remembered if question.refusal(line.steps[0].answer) is None]
        again, self.remembered = known[:TRIED_AGAIN], known[TRIED_AGAIN:]
        yield from (line.steps for line in again)
        fresh = max(0, most - len(again))
        for first in islice(cycle(tries(question, fresh, self.rng, self.tried)), fresh) if fresh else ():
            self.tried[repr(first)] += 1
            yield (Step(*asked, first),)

    def remember(self, lines: list[Line]) -> None:
        """Keep the best of the lines not chosen; one in which nothing was asked of this side says nothing."""
        found = [line for line in (*lines, *self.remembered) if line.steps and line.worth > -math.inf]
        self.remembered = sorted(found, key=lambda line: -line.worth)[:REMEMBERED]

    def played(self, seat: Seat, steps: tuple[Step, ...], follow: Follow | None = None) -> Line:
        """A line from here to the next boundary on an imagined game.

        ``follow``: how it goes on where ``steps`` say nothing; cheaply, as long as nothing is given.
        """
        game = self.imagined(seat)
        taken: list[Step] = []
        try:
            turn = game.ruleset.turn(game.position)
            self.play_on(game, seat.side, steps, taken, follow or self.proposed)
            self.look_ahead(game, turn)
        except Exception as error:  # whatever breaks on an imagined game, the battle itself must go on
            self.failures.append(f"{type(error).__name__}: {error}")
            return Line(steps[:1], -math.inf)
        return Line(tuple(taken), game.ruleset.appraise(game.position, seat.side))

    def imagined(self, seat: Seat) -> Game:
        """The game on which a line is played."""
        return seat.imagined(self.rng)

    def play_on(self, game: Game, mine: int, steps: tuple[Step, ...], taken: list[Step], follow: Follow) -> None:
        """Play an imagined game to the end of its activation, noting the own decisions in ``taken``."""
        boundary, is_amid = game.marks[-1], game.ruleset.is_amid
        for _ in range(LONGEST_LINE):
            if game.is_over or not game.asked:
                return
            if game.marks[-1] is not boundary and not is_amid(game.marks[-1].position):
                return
            side = game.asked[0]
            asked = game.pending[side]
            step = steps[len(taken)] if side == mine and len(taken) < len(steps) else None
            if step is not None and step.answers(asked):
                answer = step.answer
            else:
                answer = self.followed(game, asked, follow) if side == mine else self.replied(game, asked)
            given = self.give(game, side, answer)
            if side == mine:
                taken.append(Step(asked.kind, asked.prompt, given))

    def followed(self, game: Game, question: Question, follow: Follow) -> Plain:
        """The own answer where the line says nothing."""
        assert question.side is not None
        given = Seat(game, question.side).offhand(question)
        return follow(game, question) if given is None else given[0]

    def give(self, game: Game, side: int | None, answer: Plain) -> Plain:
        """Give an answer, or a legal one where it is refused; the one given."""
        if game.answer(side, answer) is not None:
            answer = legal(game.pending[side], self.rng)
            game.answer(side, answer)
        return answer

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """What is still played before a line is appraised, once it has come to its boundary: nothing.

        ``turn``: the one in which the line began.
        """

    def advised(self, game: Game, question: Question) -> Plain:
        """What the ruleset advises whoever is asked."""
        assert question.side is not None
        return self.script.best(question, Seat(game, question.side), {})

    def proposed(self, game: Game, question: Question) -> Plain:
        """Something sensible, cheaply found."""
        return quick(question, self.rng)

    def replied(self, game: Game, question: Question) -> Plain:
        """What others are taken to answer: anything."""
        return question.sample(self.rng)


def beside_each_other(lines: Sequence[Line]) -> list[Line]:
    """The best first, each by what it gains beside all of them: so lines of different decisions can be compared."""
    worths = [line.worth for line in lines if line.worth > -math.inf]
    usual = sum(worths) / max(1, len(worths))
    return sorted((line._replace(worth=line.worth - usual) for line in lines), key=lambda line: -line.worth)


def is_idle(question: Question, line: Line) -> bool:
    """Whether a line begins with the answer that does nothing."""
    return isinstance(question, Form) and question.idle is not None and line.steps[0].answer == question.idle
