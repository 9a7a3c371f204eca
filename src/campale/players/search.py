"""A player that searches many lines of an activation, compares them with the same luck, and plays on as advised.

Like the greedy player it thinks on imagined games. Its first idea is the ruleset's advice; the others are less advised
answers, answers that were good in the activation before, answers that nobody advises, and lines with one decision
changed. After the decisions in which an idea differs all sides play as advised, to the end of the activation and beyond
it as far as the ruleset says (``Ruleset.horizon``): some activations, or to the end of the turn. If the side may leave
its turn, it does so after the activation.

Ideas are compared luck by luck: the same dice, the same secrets drawn, the same lots. So dice that fall alike for all
ideas have no weight, and a few plays tell much. All ideas are played with the first luck, the better half with some
more, the better half of these with more again, until the budget is spent. The player leaves the advised line only for
one that gains over it for certain.

An activation is what lies between two boundaries of the battle: one activation of the book's sequence, decisions of
the other side in it included. The budget covers all thoughts of one side in an activation; the first thought takes most
of it. It is a number of lines, so that the same seed plays the same battle, or a time by the clock passed in; the
default clock is that of the thread, so that the player is no worse on a busy machine.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable

from campale.players.allowance import Allowance
from campale.players.greedy import OTHERWISE, Follow, GreedyPlayer, Line, Step, idle_of
from campale.players.ideas import GAIN, SOON, Ideas
from campale.players.tries import tries
from campale.referee.game import Game
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat

LINES = 60
"""The default number of lines for an activation."""
LINES_AT_LEAST = 10
"""If time is short, the player looks less far ahead, so that it can play this many lines."""
GATHERING = 0.5
"""The share of a thought that goes to finding ideas."""
ENOUGH = 5
"""The approximate number of further lucks with which the compared ideas are played."""
STALE = 10
"""After this many lines in a row without a new idea, the player looks for no more."""
FRESH, FEW = 0.5, 3
"""The share of new ideas with another first answer; the number of best ideas that the rest are variations of."""
NEW_TRIES = 8
"""The number of answers drawn at a time."""
LONGEST = 600
"""Answers after which a line is appraised even though its horizon has not come."""
KEPT = 3
"""The number of ideas of a thought that are tried again in the next one."""


class SearchPlayer(GreedyPlayer):
    """Searches among lines of the activation in hand. ``lines`` and ``seconds`` bound what it may spend on one."""

    name = "search"

    def __init__(
        self,
        seed: int | str = 1,
        lines: float | None = None,
        seconds: float = math.inf,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        super().__init__(seed, seconds=seconds, clock=clock)
        if not seconds > 0 or (lines is not None and not lines >= 1):
            raise ValueError(f"a search needs a line at the least, and some time: not {lines} lines, {seconds} seconds")
        self.is_repeatable = seconds == math.inf
        usual = LINES if self.is_repeatable else math.inf
        self.allowance = Allowance(usual if lines is None else lines, seconds, clock)
        self.kept: list[Plain] = []
        self.horizon: float = math.inf
        self.is_to_end = self.may_leave = False
        """Whether lines end with the turn, not after ``horizon`` activations; whether the side may leave its turn."""

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        """The steps of the best idea found; the advised answer, if no budget is left for a thought."""
        self.allowance.begin(seat.activation)
        if not self.allowance.is_enough():
            return (Step(question.kind, question.prompt, self.script.best(question, seat, {})),)
        thought = Thought(self, seat, question)
        self.allowance.end()
        self.kept = thought.runners_up()
        return thought.chosen()

    def is_further(self, seat: Seat, question: Question) -> bool:
        """False: this player thinks about every question while its budget lasts."""
        return False

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """Play on as advised up to the horizon, or to the end of the turn: so all lines end at the same stage.

        A turn that may be left is left: so all lines are appraised when it is over and its effects are settled.
        """
        mark, ahead = game.marks[-1], 0
        self.look_no_farther(ahead)
        for _ in range(LONGEST):
            if game.is_over or not game.asked:
                return
            if ahead >= self.horizon or (self.is_to_end and game.ruleset.turn(game.position) != turn):
                return
            side = game.asked[0]
            idle = idle_of(game.pending[side]) if self.may_leave else None
            self.give(game, side, self.advised(game, game.pending[side]) if idle is None else idle)
            if game.marks[-1] is not mark:
                mark, ahead = game.marks[-1], ahead + 1
                self.look_no_farther(ahead)

    def set_horizon(self, horizon: int | None, may_leave: bool) -> None:
        """Set how far the lines of a thought go, by the ruleset's horizon and whether the side may leave its turn."""
        self.may_leave = may_leave
        self.is_to_end = may_leave or horizon is None
        self.horizon = math.inf if may_leave or horizon is None else horizon

    def look_no_farther(self, ahead: int) -> None:
        """Set a nearer horizon if the first line of a thought was slow; not if the turn is left, which ends soon."""
        allowance = self.allowance
        if not self.may_leave and allowance.played == 1 and allowance.passed() > 1.0 / LINES_AT_LEAST:
            self.horizon = ahead


class Thought:
    """A thought about one decision, within the player's allowance."""

    def __init__(self, player: SearchPlayer, seat: Seat, question: Question) -> None:
        self.player, self.seat, self.question = player, seat, question
        self.idle = idle_of(question)
        self.ideas = Ideas()
        self.seed = f"{player.rng.getrandbits(64)}"
        self.drawn: list[Plain] = []
        self.times: Counter[str] = Counter()
        self.given = self.differing = 0
        """The number of answers given in the current line, and the number up to its last departure from the advice."""
        player.set_horizon(seat.ruleset.horizon, may_leave=self.idle is not None and self.leaves())
        self.gather()
        self.alive, self.lucks = list(self.ideas), 1
        self.compare()

    def leaves(self) -> bool:
        """Whether doing nothing here ends the turn."""
        game = self.seat.imagined(self.player.rng)
        turn = game.ruleset.turn(game.position)
        try:
            self.player.play_on(game, self.seat.side, (self.step(self.idle),), [], self.player.advised)
        except Exception as error:
            self.player.failures.append(f"{type(error).__name__}: {error}")
        return bool(game.ruleset.turn(game.position) != turn)

    # ---------------------------------------------------------------- ideas

    def gather(self) -> None:
        """Collect ideas: the advised line, the idle one, the kept ones, and others, each played with the first luck."""
        spending = self.player.allowance
        known = [] if self.idle is None else [self.idle]
        known += [answer for answer in self.player.kept if self.question.refusal(answer) is None]
        stale = 0
        while stale < STALE and (spending.played < 2 or spending.spent() < GATHERING) and spending.spend():
            if spending.played == 1:
                is_new = self.is_new((self.step(self.advised()),), self.player.advised)
            else:
                is_new = self.is_new((self.step(known.pop(0)),), self.player.advised) if known else self.look_further()
            stale = 0 if is_new else stale + 1

    def look_further(self) -> bool:
        """Play a line with another first answer, or with another decision later on. Returns whether it is new."""
        rng = self.player.rng
        if len(self.ideas) < FEW or rng.random() < FRESH:
            return self.is_new((self.step(self.fresh()),), self.player.advised)
        begun = rng.choice(self.ideas.ranked(list(self.ideas), 1)[:FEW]).steps
        return self.is_new(begun[: rng.randint(1, len(begun))], self.wandering)

    def is_new(self, begun: tuple[Step, ...], follow: Follow) -> bool:
        """Play a line with the first luck. Returns whether it is new, by its decisions up to the last unadvised one."""
        self.given = self.differing = len(begun)
        line = self.play(begun, 0, follow)
        steps = line.steps[: max(1, self.differing)]
        return line.worth > -math.inf and bool(steps) and self.ideas.note(steps, line.worth)

    def wandering(self, game: Game, question: Question) -> Plain:
        """The advised answer, or before the first die now and then another."""
        self.given += 1
        if not self.player.is_sure or self.player.rng.random() >= OTHERWISE:
            return self.player.advised(game, question)
        self.differing = self.given
        assert question.side is not None
        return self.player.another(question, Seat(game, question.side))

    def advised(self) -> Plain:
        """The advised answer to the question; found once, not in every line."""
        return self.player.script.best(self.question, self.seat, {})

    def fresh(self) -> Plain:
        """A less advised or seldom tried answer to the question."""
        if self.player.rng.random() < FRESH:
            return self.player.another(self.question, self.seat)
        if not self.drawn:
            self.drawn = tries(self.question, NEW_TRIES, self.player.rng, self.times)[::-1]
        answer = self.drawn.pop()
        self.times[repr(answer)] += 1
        return answer

    def step(self, answer: Plain) -> Step:
        return Step(self.question.kind, self.question.prompt, answer)

    # ---------------------------------------------------------------- comparing

    def play(self, steps: tuple[Step, ...], luck: int, follow: Follow) -> Line:
        self.player.luck = f"{self.seed}/{luck}"
        return self.player.played(self.seat, steps, follow)

    def compare(self) -> None:
        """Play the best ideas with more lucks, the better half with more again, until one idea or no budget is left.

        The first round has as many ideas as can be played ``ENOUGH`` times each.
        """
        if not self.ideas:
            return
        spending = self.player.allowance
        left = spending.played * (1.0 / max(1e-9, spending.spent()) - 1.0)
        self.alive = self.ideas.first(max(2, int(left / ENOUGH)))
        rounds = math.ceil(math.log2(len(self.alive)))
        for number in range(1, rounds + 1):
            if len(self.alive) < 2 or not self.with_more_luck(GATHERING + (1.0 - GATHERING) * number / rounds):
                return
            self.alive = self.ideas.better_half(self.alive, self.lucks)

    def with_more_luck(self, share: float) -> bool:
        """Play the remaining ideas with one luck after another, until ``share`` of the budget is spent.

        Returns whether any budget is left.
        """
        spending = self.player.allowance
        while True:
            for idea in self.alive:
                if not spending.spend():
                    return False
                idea.note(self.play(idea.steps, self.lucks, self.player.advised).worth)
            self.lucks += 1
            if self.lucks >= SOON:
                self.alive = self.ideas.undecided(self.alive, self.lucks)
            if len(self.alive) < 2 or spending.spent() >= share:
                return True

    def runners_up(self) -> list[Plain]:
        """The first answers of the best ideas."""
        return [one.steps[0].answer for one in self.ideas.ranked(self.alive, self.lucks)[:KEPT]]

    def chosen(self) -> tuple[Step, ...]:
        """The best idea; but doing nothing, where nothing beats that: else the player could go on for ever."""
        if not self.ideas:
            return () if self.idle is None else (self.step(self.idle),)
        best = self.ideas.best(self.alive, self.lucks)
        idle = None if self.idle is None else self.ideas.by_name.get(repr((self.step(self.idle),)))
        if idle is not None and best.beside(idle) <= GAIN:
            return idle.steps
        return best.steps
