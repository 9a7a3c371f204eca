"""A player that searches: many lines of an activation, compared with the same luck, and played on by what is advised.

It thinks where the greedy player does, on imagined games. What the ruleset advises is its first idea; others are
answers that are advised less, that were good in the activation before, or that nobody has spoken for, and lines in
which one decision is made otherwise. After the decisions in which an idea differs all sides play as advised, to the
end of the activation and as far beyond as the ruleset names (``Ruleset.horizon``): some activations, or to the end of
the turn. Where the side may leave its turn, it does so after the activation.

Ideas are compared luck by luck: the same dice, the same secrets drawn, the same lots. So the dice that fall alike for
all weigh nothing, and few plays tell much. All ideas are played with the first luck, the better half with some more,
the better half of these with more again, until the budget is spent. The advised line is left for another only if that
gains something beside it for certain.

An activation is what lies between two boundaries of the battle: one activation of the book's sequence, decisions of
the other side in it included. The budget is for all that one side thinks about in one; what is thought about first
takes most of it. It is a number of lines, so that the same seed plays the same battle, or a time by the clock that is
passed in: that of the thread, unless it is told otherwise, so that it plays no worse on a busy machine.
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
"""The lines of an activation, where nothing else is said."""
LINES_AT_LEAST = 10
"""Where time is short it looks less far ahead, so that so many lines can be played."""
GATHERING = 0.5
"""Which share of a thought goes to finding ideas."""
ENOUGH = 5
"""With so many more lucks, about, those are played that are compared."""
STALE = 10
"""After so many lines in a row that brought nothing new, no more are looked for."""
FRESH, FEW = 0.5, 3
"""How many of the new ideas begin otherwise; of how many of the best the others are varied."""
NEW_TRIES = 8
"""Answers tried are drawn so many at a time."""
LONGEST = 600
"""Answers after which a line is appraised even though its horizon has not come."""
KEPT = 3
"""How many ideas of an activation are tried again in the next one."""


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
        """How many activations the lines of a thought go on; whether they end with the turn; whether that is left."""

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        """The steps of the best idea found; what is advised, where no time is left for a thought."""
        self.allowance.begin(seat.activation)
        if not self.allowance.is_enough():
            return (Step(question.kind, question.prompt, self.script.best(question, seat, {})),)
        thought = Thought(self, seat, question)
        self.allowance.end()
        self.kept = thought.runners_up()
        return thought.chosen()

    def is_further(self, seat: Seat, question: Question) -> bool:
        """It thinks about everything, as long as there is something left for it."""
        return False

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """All play on as they are advised, as far as the horizon: lines of the whole turn end when the same is done.

        Where the turn may be left it is: so all lines are looked at when it is over, and what has begun is settled.
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
        """How far the lines of a thought go, by what the ruleset names, and whether the side may leave its turn."""
        self.may_leave = may_leave
        self.is_to_end = may_leave or horizon is None
        self.horizon = math.inf if may_leave or horizon is None else horizon

    def look_no_farther(self, ahead: int) -> None:
        """The first line of a thought tells how far there is time to look; a turn that is left is soon over."""
        allowance = self.allowance
        if not self.may_leave and allowance.played == 1 and allowance.passed() > 1.0 / LINES_AT_LEAST:
            self.horizon = ahead


class Thought:
    """One decision thought about, as long as the player's allowance lasts."""

    def __init__(self, player: SearchPlayer, seat: Seat, question: Question) -> None:
        self.player, self.seat, self.question = player, seat, question
        self.idle = idle_of(question)
        self.ideas = Ideas()
        self.seed = f"{player.rng.getrandbits(64)}"
        self.drawn: list[Plain] = []
        self.times: Counter[str] = Counter()
        self.given = self.differing = 0
        """How many answers the line in hand has been given, and how many of them as far as it leaves the advice."""
        player.set_horizon(seat.ruleset.horizon, may_leave=self.idle is not None and self.leaves())
        self.gather()
        self.alive, self.lucks = list(self.ideas), 1
        self.compare()

    def leaves(self) -> bool:
        """Whether the turn is over when nothing is done here."""
        game = self.seat.imagined(self.player.rng)
        turn = game.ruleset.turn(game.position)
        try:
            self.player.play_on(game, self.seat.side, (self.step(self.idle),), [], self.player.advised)
        except Exception as error:
            self.player.failures.append(f"{type(error).__name__}: {error}")
        return bool(game.ruleset.turn(game.position) != turn)

    # ---------------------------------------------------------------- ideas

    def gather(self) -> None:
        """The advised line, that which does nothing, those kept, and others, each played with the first luck."""
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
        """Play a line that may be new: with another first answer, or somewhere on the way with another decision."""
        rng = self.player.rng
        if len(self.ideas) < FEW or rng.random() < FRESH:
            return self.is_new((self.step(self.fresh()),), self.player.advised)
        begun = rng.choice(self.ideas.ranked(list(self.ideas), 1)[:FEW]).steps
        return self.is_new(begun[: rng.randint(1, len(begun))], self.wandering)

    def is_new(self, begun: tuple[Step, ...], follow: Follow) -> bool:
        """Play a line with the first luck; whether it is new, by the decisions as far as it leaves the advice."""
        self.given = self.differing = len(begun)
        line = self.play(begun, 0, follow)
        steps = line.steps[: max(1, self.differing)]
        return line.worth > -math.inf and bool(steps) and self.ideas.note(steps, line.worth)

    def wandering(self, game: Game, question: Question) -> Plain:
        """The advised answer, or now and then another; what depends on a die waits until it is rolled."""
        self.given += 1
        if not self.player.is_sure or self.player.rng.random() >= OTHERWISE:
            return self.player.advised(game, question)
        self.differing = self.given
        assert question.side is not None
        return self.player.another(question, Seat(game, question.side))

    def advised(self) -> Plain:
        """What is advised here: it is looked for once, and not anew in every line."""
        return self.player.script.best(self.question, self.seat, {})

    def fresh(self) -> Plain:
        """An answer to the question that is advised less, or that was seldom tried."""
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
        """Play the best with more lucks, the better half of these with more again, until one is left or all is spent.

        At first there are so many that each can be played often enough.
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
        """Play all that are left with one luck after another, until that share of the budget is spent.

        Whether there is more of it.
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
        """How the best ideas begin."""
        return [one.steps[0].answer for one in self.ideas.ranked(self.alive, self.lucks)[:KEPT]]

    def chosen(self) -> tuple[Step, ...]:
        """The best idea; nothing is done, where that can be, if nothing is gained: it could go on for ever."""
        if not self.ideas:
            return () if self.idle is None else (self.step(self.idle),)
        best = self.ideas.best(self.alive, self.lucks)
        idle = None if self.idle is None else self.ideas.by_name.get(repr((self.step(self.idle),)))
        if idle is not None and best.beside(idle) <= GAIN:
            return idle.steps
        return best.steps
