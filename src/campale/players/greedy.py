"""A player that looks one activation ahead.

At the first question of an activation it plays a few lines to the next boundary on imagined games. The other side
answers as the ruleset advises. The player keeps the line after which its side stands best in the ruleset's appraisal.
The first line follows the ruleset's advice; the others begin with seldom tried answers, and leave the advice now and
then. All lines are played with the same luck, so that they differ only by the decisions; a line that seems better than
the advised one must be better with another luck too. The rest of the activation follows the chosen line up to the first
die, as long as the questions are the imagined ones; after that the player thinks again. It remembers the next best
lines: if the same is asked again, it tries them beside new ones.
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
"""The default number of lines played, the advised one included."""
TRIED_AGAIN, REMEMBERED = 1, 8
"""The number of remembered lines that are tried at a time, and the number that are kept."""
DOUBT = 0.3
"""The share of the difference made by luck that a line must gain over the advised one."""
OTHERWISE, LOOSE = 0.35, 0.3
"""How often a line leaves the advice, and how often it then takes an answer that nobody advises."""
ADVISED_LESS = 4
"""Where the best answer is not taken, the choice is among this many best answers without the first."""
PROPOSED = 8
"""Where an answer lies on the table, one of this many proposals is taken."""
IDLE = 0.3
"""How often a line tries to do nothing where something else is advised."""
CHANCE = frozenset({"roll", "direction", "draw"})
"""The kinds of record entries that come from chance."""


Follow = Callable[[Game, Question], Plain]
"""Gives the answers of a side on its own line after the steps of the line."""


class Step(NamedTuple):
    """One decision of the own side in a line: the question and the answer."""

    kind: str
    prompt: str
    answer: Plain

    def answers(self, question: Question) -> bool:
        """Whether the question is the one that was imagined."""
        return (self.kind, self.prompt) == (question.kind, question.prompt)


class Line(NamedTuple):
    """A line of play: the own decisions up to the next boundary, and the appraisal of the position after it.

    ``sure``: how many of the decisions were made before a die was rolled.
    """

    steps: tuple[Step, ...]
    worth: float
    sure: int = 1

    @property
    def begun(self) -> tuple[Step, ...]:
        """The decisions made before any die that may fall otherwise."""
        return self.steps[: max(1, self.sure)]


class GreedyPlayer(Player):
    """Looks one activation ahead. ``seconds`` limits the thinking about one decision, by the clock passed in.

    Without a bound the same seed plays the same battle on any machine.
    """

    name = "greedy"
    sees_far = False
    """Whether it thinks about forms that decide a turn."""

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
        """Whether the current line must leave the advice at the next chance, and whether it has rolled no die yet."""
        self.luck: tuple[str, int] = "", 0
        """The seed of all chance in an imagined game, and the number of the luck."""
        self.plan: tuple[Step, ...] = ()
        self.thought_at: int | None = None
        """The activation that was thought about last."""
        self.asked: tuple[str, str] = "", ""
        self.remembered: list[Line] = []
        self.tried: Counter[str] = Counter()
        """How often each answer was tried since the question changed."""
        self.failures: list[str] = []
        """Errors on imagined games, kept for debugging; their lines were thrown away."""

    def answer(self, seat: Seat) -> Plain:
        question = seat.question
        if question is None or question.is_chance:
            return super().answer(seat)
        given = self.at_once(seat, question)
        if given is not None:
            self.plan = self.plan[1:] if self.plan and self.plan[0].answers(question) else self.plan
            return given[0]
        planned = self.planned(question)
        if planned is None and not self.is_further(seat, question):
            self.thought_at = seat.activation
            self.plan = self.thought_out(seat, question)
            planned = self.planned(question)
        return planned[0] if planned is not None else self.script.best(question, seat, {})

    def at_once(self, seat: Seat, question: Question) -> tuple[Plain] | None:
        """The answer that is given without thinking, if there is one."""
        only = only_answer(question)
        return only if only or (self.sees_far and decides_turn(seat, question)) else seat.offhand(question)

    def is_further(self, seat: Seat, question: Question) -> bool:
        """Whether this is a choice, with advice, in an activation that was already thought about."""
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
        """The advised line, or a line that is better with every luck with which both are played."""
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
        """Whether a line beats the advised one with another luck too, and by more than luck explains.

        The effect of luck is measured by how differently the same line ends with the two lucks.
        """
        if one.worth <= usual.worth or usual.worth == -math.inf or seat.ruleset.advise is None:
            return one.worth > usual.worth
        mine = self.with_luck(seed, 1, seat, one.begun, self.advised)
        its = self.with_luck(seed, 1, seat, usual.begun, self.advised)
        spread = max(abs(one.worth - mine.worth), abs(usual.worth - its.worth))
        gain = (one.worth - usual.worth + mine.worth - its.worth) / 2.0
        return gain > DOUBT * spread and mine.worth >= its.worth

    def with_luck(self, seed: str, luck: int, seat: Seat, steps: tuple[Step, ...], follow: Follow) -> Line:
        self.luck = seed, luck
        return self.played(seat, steps, follow)

    def beginnings(
        self, question: Question, most: int, usual: tuple[Step, ...] = (), seat: Seat | None = None
    ) -> Iterator[tuple[Step, ...]]:
        """The beginnings of the lines to try: a remembered line, a seldom tried answer, or the advised beginning.

        ``usual``: the advised steps up to the first die.
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
        """Less advised answers; without advice, seldom tried answers.

        Doing nothing is tried now and then, but not at a boundary: there it may mean doing nothing for a long time.
        """
        if seat is None or seat.ruleset.advise is None:
            yield from islice(cycle(tries(question, most, self.rng, self.tried)), most)
            return
        for _ in range(most):
            idle = idle_of(question)
            is_idle = idle is not None and not seat.is_at_boundary and self.rng.random() < IDLE
            yield idle if is_idle else self.another(question, seat)

    def another(self, question: Question, seat: Seat) -> Plain:
        """A less advised answer, a form with some fields filled in otherwise, or an answer that nobody advises."""
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
        """A sensible answer that is quick to find and not known to be wasted.

        ``form``: the ``about`` of the form to which the question belongs as a field.
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
        """Keep the best of the lines not chosen, without those in which this side decided nothing."""
        found = [line for line in (*lines, *self.remembered) if line.steps and line.worth > -math.inf]
        self.remembered = sorted(found, key=lambda line: -line.worth)[:REMEMBERED]

    def played(self, seat: Seat, steps: tuple[Step, ...], follow: Follow) -> Line:
        """Play a line to the next boundary on an imagined game: first ``steps``, then the answers of ``follow``."""
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
        """An imagined game whose chance, and the draws between equally advised answers, come from the current luck."""
        seed, luck = self.luck
        self.script.rng = rng = Random(f"{seed}/{luck}")
        return seat.imagined(rng, self.luck)

    def play_on(self, game: Game, mine: int, steps: tuple[Step, ...], taken: list[Step], follow: Follow) -> int:
        """Play an imagined game to the end of its activation, and note the own decisions in ``taken``.

        Returns how many of these decisions came before the first die.
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
        """The own answer after the steps of the line."""
        assert question.side is not None
        given = Seat(game, question.side).offhand(question)
        return follow(game, question) if given is None else given[0]

    def give(self, game: Game, side: int | None, answer: Plain) -> Plain:
        """Give an answer, or a legal one if it is refused. Returns the answer given."""
        if game.answer(side, answer) is not None:
            answer = legal(game.pending[side], self.rng)
            game.answer(side, answer)
        return answer

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """Play on from the boundary before the line is appraised: this player does nothing here.

        ``turn``: the turn in which the line began.
        """

    def advised(self, game: Game, question: Question) -> Plain:
        """The answer that the ruleset advises the side that is asked."""
        assert question.side is not None
        return self.script.best(question, Seat(game, question.side), {})

    def wandering(self, game: Game, question: Question) -> Plain:
        """The advised answer; before the first die now and then another sensible one that is quick to find."""
        if game.ruleset.advise is None or (self.is_sure and (self.is_to_leave or self.rng.random() < OTHERWISE)):
            self.is_to_leave = False
            assert question.side is not None
            known = game.ruleset.advise is not None
            return self.another(question, Seat(game, question.side)) if known else quick(question, self.rng)
        return self.advised(game, question)

    def replied(self, game: Game, question: Question) -> Plain:
        """The answer of another side: the advised one, or a random one without advice."""
        return question.sample(self.rng) if game.ruleset.advise is None else self.advised(game, question)


def decides_turn(seat: Seat, question: Question) -> bool:
    """Whether the book says that the effect of a form shows only in the course of the turn."""
    return isinstance(question, Form) and question.prompt in seat.ruleset.far_reaching


def may_begin(line: Line, question: Question, in_vain: Sequence[Plain]) -> bool:
    """Whether the first answer of a remembered line is legal and not wasted."""
    first = line.steps[0].answer
    return question.refusal(first) is None and first not in in_vain


def beside(usual: Line, others: Sequence[Line]) -> list[Line]:
    """All lines, with their gain over the advised line as worth: so lines of different decisions compare."""
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
