"""A player that looks one activation ahead.

At the first question of an activation it plays a few lines to the next boundary on imagined games, the other side
answering as it is advised, and keeps the line after which its side stands best, as its ruleset appraises it. The first
line follows what the ruleset advises; the others begin with answers that were tried seldom, and leave the advice now
and then. All are played with the same luck, so that they differ by what is decided; one that seems better than the
advised line must be so with another luck too. The rest of the activation follows the line up to the first die, for as
long as the questions are those that were imagined; beyond that it thinks again. The lines that came next are
remembered: where the same is asked again they are tried beside new ones.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from campale.players.player import Player
from campale.players.script import ScriptPlayer, wasted
from campale.players.tries import LISTED, quick, tries
from campale.referee.game import Game
from campale.referee.lawful import legal, only_answer
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat

LONGEST_LINE = 150
"""Answers after which a line is appraised even though no boundary has come."""


LINES = 2
"""How many lines are played, the advised one among them, where nobody says otherwise."""
TRIED_AGAIN, REMEMBERED = 1, 8
"""How many of the remembered lines are tried at a time, and how many are kept."""
DOUBT = 0.3
"""What of the difference that luck makes a line must gain beside the advised one."""
OTHERWISE, LOOSE = 0.35, 0.3
"""How often a line leaves the advice, and how often it does so for an answer that nobody has spoken for."""
ADVISED_LESS = 4
"""One of so many of the best answers is taken, where not the best is."""
PROPOSED = 8
"""One of so many proposals is taken where an answer lies on the table."""
IDLE = 0.3
"""How often it is tried to do nothing, where something else is advised."""
CHANCE = frozenset({"roll", "direction", "draw"})
"""The kinds of entries of a record that chance has made."""


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
    """A line of play: the own decisions from here to the next boundary, and how well one stands after it.

    ``sure``: how many of the decisions were made before a die was rolled.
    """

    steps: tuple[Step, ...]
    worth: float
    sure: int = 1

    @property
    def begun(self) -> tuple[Step, ...]:
        """The decisions that do not depend on dice that may fall otherwise."""
        return self.steps[: max(1, self.sure)]


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
        self.is_to_leave, self.is_sure = False, True
        """Whether the line in hand must leave the advice where next it may, and whether no die was rolled on it."""
        self.luck = ""
        """Whence all chance of an imagined game comes."""
        self.plan: tuple[Step, ...] = ()
        self.thought_at: int | None = None
        """The activation that was thought about last."""
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
        if planned is None and not self.is_further(seat, question):
            self.thought_at = seat.activation
            self.plan = self.thought_out(seat, question)
            planned = self.planned(question)
        return planned[0] if planned is not None else self.script.best(question, seat, {})

    def is_further(self, seat: Seat, question: Question) -> bool:
        """Whether it is a choice in an activation already thought about, of which the ruleset has an advice."""
        is_known = seat.activation == self.thought_at and question.kind in LISTED
        return is_known and len(seat.advice(question, question.about)) > 0

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
        return best.begun if best is not None else ()

    def best_of(self, seat: Seat, question: Question, until: float) -> Line | None:
        """The advised line, or one that is better with every luck that both are played with."""
        seed = f"{self.rng.getrandbits(64)}"
        usual = self.with_luck(seed, 0, seat, (), self.advised)
        others: list[Line] = []
        for steps in self.beginnings(question, self.lines - 1, usual.begun if seat.ruleset.advise else (), seat):
            if self.clock() >= until:
                break
            self.is_to_leave = len(steps) > 0 and steps == usual.steps[: len(steps)]
            luck = len(others) + 1 if seat.ruleset.advise is None else 0
            others.append(self.with_luck(seed, luck, seat, steps, self.wandering))
        best = max(others, key=lambda line: line.worth, default=usual)
        chosen = best if best is not usual and self.is_better(seat, seed, best, usual) else usual
        self.remember([line for line in beside(usual, others) if line.steps != chosen.steps])
        return chosen

    def is_better(self, seat: Seat, seed: str, one: Line, usual: Line) -> bool:
        """Whether a line gains beside the advised one with another luck too, and more than luck makes doubtful.

        How much luck may still change is seen by how differently the same line ends with both.
        """
        if one.worth <= usual.worth or usual.worth == -math.inf or seat.ruleset.advise is None:
            return one.worth > usual.worth
        mine = self.with_luck(seed, 1, seat, one.begun, self.advised)
        its = self.with_luck(seed, 1, seat, usual.begun, self.advised)
        spread = max(abs(one.worth - mine.worth), abs(usual.worth - its.worth))
        gain = (one.worth - usual.worth + mine.worth - its.worth) / 2.0
        return gain > DOUBT * spread and mine.worth >= its.worth

    def with_luck(self, seed: str, luck: int, seat: Seat, steps: tuple[Step, ...], follow: Follow) -> Line:
        self.luck = f"{seed}/{luck}"
        return self.played(seat, steps, follow)

    def beginnings(
        self, question: Question, most: int, usual: tuple[Step, ...] = (), seat: Seat | None = None
    ) -> Iterator[tuple[Step, ...]]:
        """How the lines to be tried begin: as one that is remembered, with answers tried seldom so far, or as advised.

        ``usual``: what is advised up to the first die.
        """
        asked = question.kind, question.prompt
        if asked != self.asked:
            self.asked, self.remembered, self.tried = asked, [], Counter()
        in_vain = [] if seat is None else wasted(seat.advice(question, question.about))
        known = [line for line in self.remembered if may_begin(line, question, in_vain)]
        again, self.remembered = known[:TRIED_AGAIN], known[TRIED_AGAIN:]
        yield from (line.begun for line in again)
        fresh = max(0, most - len(again))
        for first in self.fresh(question, seat, fresh) if fresh else ():
            if place := self.rng.randrange(len(usual)) if usual else 0:
                yield usual[:place]
            else:
                self.tried[repr(first)] += 1
                yield (Step(*asked, first),)

    def fresh(self, question: Question, seat: Seat | None, most: int) -> Iterator[Plain]:
        """Answers that are advised less, or, where nobody advises, such as were tried seldom.

        To do nothing is tried now and then, but not at a boundary: there it may mean to do nothing more for long.
        """
        if seat is None or seat.ruleset.advise is None:
            yield from islice(cycle(tries(question, most, self.rng, self.tried)), most)
            return
        for _ in range(most):
            idle = idle_of(question)
            is_idle = idle is not None and not seat.is_at_boundary and self.rng.random() < IDLE
            yield idle if is_idle else self.another(question, seat)

    def another(self, question: Question, seat: Seat) -> Plain:
        """An answer that is advised less, a form with some of its fields so, or one that nobody has spoken for."""
        if self.rng.random() >= LOOSE:
            ranked = list(islice(self.script.advised(question, seat, question.about), ADVISED_LESS))[1:]
            lawful = [answer for answer in ranked if question.refusal(answer) is None]
            if lawful:
                return self.rng.choice(lawful)
            if isinstance(question, Form):
                return self.filled_otherwise(question, seat)
        return self.loose(question, seat, {})

    def filled_otherwise(self, form: Form, seat: Seat) -> Plain:
        """A form filled in as advised, but for one or more of its fields."""
        about = form.about
        answers, are_other = list[Plain](), False
        while (field := form.field(answers)) is not None:
            is_other = self.rng.random() < OTHERWISE
            are_other = are_other or is_other
            answers.append(self.loose(field, seat, about) if is_other else self.script.best(field, seat, about))
        return answers if are_other else self.loose(form, seat, {})

    def loose(self, question: Question, seat: Seat, form: Mapping[str, Plain]) -> Plain:
        """Something sensible that is cheaply found, and not known to come to nothing.

        ``form``: what the form is about of which the question is a field.
        """
        about = {**form, **question.about}
        if isinstance(question, Form):
            answers: list[Plain] = []
            while (field := question.field(answers)) is not None:
                answers.append(self.loose(field, seat, about))
            return answers
        if isinstance(question, Choose):
            return question.leaning(self.rng, wasted(seat.advice(question, about)))
        return quick(question, self.rng, PROPOSED)

    def remember(self, lines: list[Line]) -> None:
        """Keep the best of the lines not chosen; one in which nothing was asked of this side says nothing."""
        found = [line for line in (*lines, *self.remembered) if line.steps and line.worth > -math.inf]
        self.remembered = sorted(found, key=lambda line: -line.worth)[:REMEMBERED]

    def played(self, seat: Seat, steps: tuple[Step, ...], follow: Follow) -> Line:
        """A line from here to the next boundary on an imagined game; where ``steps`` say nothing it goes on so."""
        game = self.imagined(seat)
        taken: list[Step] = []
        try:
            turn = game.ruleset.turn(game.position)
            sure = self.play_on(game, seat.side, steps, taken, follow)
            self.look_ahead(game, turn)
        except Exception as error:  # whatever breaks on an imagined game, the battle itself must go on
            self.failures.append(f"{type(error).__name__}: {error}")
            return Line(steps[:1], -math.inf)
        return Line(tuple(taken), self.worth(game, seat.side), sure)

    def worth(self, game: Game, side: int) -> float:
        """How well a side stands at the end of a line."""
        return game.ruleset.appraise(game.position, side)

    def imagined(self, seat: Seat) -> Game:
        """A game whose chance is that of the luck in hand, as are the lots that the advice leaves."""
        self.script.rng = rng = Random(self.luck)
        return seat.imagined(rng, alike=True)

    def play_on(self, game: Game, mine: int, steps: tuple[Step, ...], taken: list[Step], follow: Follow) -> int:
        """Play an imagined game to the end of its activation, noting the own decisions in ``taken``.

        How many of these were made before a die was rolled.
        """
        boundary, is_amid = game.marks[-1], game.ruleset.is_amid
        begun, sure = len(game.record), 0
        for _ in range(LONGEST_LINE):
            if game.is_over or not game.asked:
                break
            if game.marks[-1] is not boundary and not is_amid(game.marks[-1].position):
                break
            side = game.asked[0]
            asked = game.pending[side]
            self.is_sure = not any(entry.kind in CHANCE for entry in game.record[begun:])
            step = steps[len(taken)] if side == mine and len(taken) < len(steps) else None
            if step is not None and step.answers(asked):
                answer = step.answer
            else:
                answer = self.followed(game, asked, follow) if side == mine else self.replied(game, asked)
            given = self.give(game, side, answer)
            if side == mine:
                taken.append(Step(asked.kind, asked.prompt, given))
                sure += self.is_sure
        return sure

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

    def wandering(self, game: Game, question: Question) -> Plain:
        """The advised answer, or now and then something sensible that is cheaply found, as long as no die is rolled."""
        if game.ruleset.advise is None or (self.is_sure and (self.is_to_leave or self.rng.random() < OTHERWISE)):
            self.is_to_leave = False
            assert question.side is not None
            known = game.ruleset.advise is not None
            return self.another(question, Seat(game, question.side)) if known else quick(question, self.rng)
        return self.advised(game, question)

    def replied(self, game: Game, question: Question) -> Plain:
        """Others are taken to do what they are advised; anything, where nobody advises."""
        return question.sample(self.rng) if game.ruleset.advise is None else self.advised(game, question)


def may_begin(line: Line, question: Question, in_vain: Sequence[Plain]) -> bool:
    """Whether a line that is remembered can be begun with, and does not come to nothing."""
    first = line.steps[0].answer
    return question.refusal(first) is None and first not in in_vain


def beside(usual: Line, others: Sequence[Line]) -> list[Line]:
    """All by what they gain beside the advised line, so that lines of different decisions can be compared."""
    if usual.worth == -math.inf:
        return []
    return [line._replace(worth=line.worth - usual.worth) for line in (usual, *others) if line.worth > -math.inf]


def idle_of(question: Question) -> Plain:
    """The answer that does nothing, or None."""
    return question.idle if isinstance(question, Form) else None


def is_idle(question: Question, line: Line) -> bool:
    """Whether a line begins with the answer that does nothing."""
    idle = idle_of(question)
    return idle is not None and bool(line.steps) and line.steps[0].answer == idle
