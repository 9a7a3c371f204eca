"""A player that searches: many lines of an activation, and those that promise most again with other dice.

It thinks where the greedy player does, on imagined games. Every line played is an idea. New ones are lines that
promised much in the activation before, answers not tried so far, and what is left of a good idea when one of its
decisions is made otherwise. The more lines are played, the more ideas there are; the other plays go to ideas whose
mean is high, or badly known. The one with the best mean is chosen, less what is not known of it. Where a side is asked
the same after each activation until it does nothing more, a line is looked at when that was done and the turn is over:
what the line has begun, a melee perhaps, is then settled.

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

from campale.players.greedy import GreedyPlayer, Step
from campale.players.ideas import Idea, Ideas
from campale.players.tries import filled, quick, tries
from campale.referee.game import Game
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat

LINES = 60
"""The lines of an activation, where nothing else is said."""
FEWEST = 4
"""So many are played in any case, if there is time: what is left of a budget may be nothing."""
FIRST_SHARE = 0.85
"""How much of what is left of an activation's budget goes to the thought in hand."""
FIRST_IDEAS, MORE_IDEAS = 4.0, 4.0
"""How many ideas there are: so many, and so many times the root of the lines played."""
NEW_TRIES = 8
"""Answers tried are drawn so many at a time."""
STALE = 10
"""After so many lines in a row that brought nothing new, no more are looked for."""
VARIED_SHARE, BEST_FEW, SELDOM = 0.5, 3, 4
"""How many of the new ideas are varied from others, of which of these, and once there are how many."""
FURTHEST = 40
"""So many answers at the most are given after the end of a line."""
IDLE_SHARE = 0.1
"""How much of the plays goes to the line that does nothing."""
GAIN = 1e-6
"""What is worth acting for at all."""
PROPOSED = 8
"""Where a line goes on, one of so many proposals is taken: the greedy player looks at fewer."""
KEPT = 6
"""How many ideas of an activation are tried again in the next one."""


class Allowance:
    """What may be spent on an activation: so many lines, and so much time by a clock."""

    def __init__(self, lines: float, seconds: float, clock: Callable[[], float]) -> None:
        self.lines, self.seconds, self.clock = lines, seconds, clock
        self.activation: int | None = None
        self.lines_left, self.seconds_left = lines, seconds
        self.played, self.most, self.start, self.until = 0, 0.0, 0.0, math.inf

    def begin(self, activation: int) -> None:
        """A thought begins; in another activation with a full budget."""
        if activation != self.activation:
            self.activation, self.lines_left, self.seconds_left = activation, self.lines, self.seconds
        self.played = 0
        self.most = max(FEWEST, FIRST_SHARE * self.lines_left)
        self.start = self.clock()
        self.until = self.start + FIRST_SHARE * self.seconds_left

    def spend(self) -> bool:
        """Whether there is enough for another line, which is then counted; the first is always played."""
        if self.played and (self.played >= self.most or self.clock() >= self.until):
            return False
        self.played += 1
        return True

    def end(self) -> None:
        self.lines_left = max(0.0, self.lines_left - self.played)
        self.seconds_left = max(0.0, self.seconds_left - (self.clock() - self.start))


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
        self.kept: list[tuple[Step, ...]] = []
        self.left_by_idling: set[str] = set()
        """The prompts that are asked again after each activation, until nothing more is done."""

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        """The steps of the best idea found."""
        game = seat.imagined(self.rng)
        self.allowance.begin(game.marks[-1].at)
        ranked = Thought(self, seat, question, game).ideas.ranked()
        self.allowance.end()
        self.kept = [one.steps for one in ranked[1 : 1 + KEPT]]
        return chosen(question, ranked, question.prompt in self.left_by_idling)

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """Let what has begun in a turn come to its end, where the side to act may leave it at that: it does."""
        following = game.question
        if following is not None and idle_of(following) is not None and following.prompt == self.asked[1]:
            self.left_by_idling.add(following.prompt)
        if following is None or not {following.prompt, self.asked[1]} & self.left_by_idling:
            return
        for _ in range(FURTHEST):
            if game.is_over or not game.asked or game.ruleset.turn(game.position) != turn:
                return
            side = game.asked[0]
            idle = idle_of(game.pending[side])
            self.give(game, side, quick(game.pending[side], self.rng) if idle is None else idle)

    def cheap(self, question: Question, is_own: bool) -> Plain:
        """Of its own anything that is proposed, so that many lines differ where the table is wide."""
        return quick(question, self.rng, PROPOSED) if is_own else super().cheap(question, is_own)

    def known_lines(self, question: Question) -> list[tuple[Step, ...]]:
        """The lines kept that can be begun here, the best last; where something else is asked they are forgotten."""
        asked = question.kind, question.prompt
        if asked != self.asked:
            self.asked, self.kept = asked, []
        return [steps for steps in reversed(self.kept) if question.refusal(steps[0].answer) is None]


class Thought:
    """One decision thought about, as long as the player's allowance lasts."""

    def __init__(self, player: SearchPlayer, seat: Seat, question: Question, game: Game) -> None:
        self.player, self.seat, self.question = player, seat, question
        self.before = game.ruleset.appraise(game.position, seat.side)
        self.ideas = Ideas()
        self.known = player.known_lines(question)
        self.drawn: list[Plain] = []
        self.times: Counter[str] = Counter()
        self.stale = 0
        while player.allowance.spend() and self.goes_on():
            pass

    def goes_on(self) -> bool:
        """Play another line, of a new idea or of one that promises much; whether there is more to find out."""
        plays = self.player.allowance.played
        wanted = FIRST_IDEAS + MORE_IDEAS * math.sqrt(plays)
        is_open = self.stale < STALE
        idea = self.measure(plays)
        if idea is None and not (is_open and len(self.ideas) < wanted):
            idea = self.ideas.promising(plays)
        if idea is not None:
            idea.note(self.player.played(self.seat, idea.steps, self.before).worth)
        elif is_open:
            self.look_further()
        return idea is not None or is_open

    def measure(self, plays: int) -> Idea | None:
        """The idea that does nothing, when it was played too seldom for the others to be measured by it."""
        idle = idle_of(self.question)
        if idle is None:
            return None
        found = self.ideas.by_name.get(repr((self.step(idle),)))
        return found if found is not None and not found.is_sure and found.times < IDLE_SHARE * plays else None

    def look_further(self) -> None:
        """Play a line that may be new, the advised one first.

        Once it is seen how a turn is left, all before is looked at anew.
        """
        known = len(self.player.left_by_idling)
        is_first = self.player.allowance.played == 1
        steps, follow = ((), self.player.advised) if is_first else (self.new_steps(), None)
        line = self.player.played(self.seat, steps, self.before, follow)
        if len(self.player.left_by_idling) > known:
            self.ideas = Ideas()
            self.drawn.append(idle_of(self.question))
        is_new = line.worth > -math.inf and self.ideas.note(line)
        self.stale = 0 if is_new else self.stale + 1

    def new_steps(self) -> tuple[Step, ...]:
        """How a line begins that may not have been played yet."""
        rng = self.player.rng
        if self.known:
            return self.known.pop()
        if len(self.ideas) >= SELDOM and rng.random() < VARIED_SHARE:
            return self.varied(rng.choice(self.ideas.ranked()[:BEST_FEW]).steps)
        return (self.step(self.fresh()),)

    def step(self, answer: Plain) -> Step:
        return Step(self.question.kind, self.question.prompt, answer)

    def fresh(self) -> Plain:
        """An answer to the question that was seldom tried."""
        if not self.drawn:
            self.drawn = tries(self.question, NEW_TRIES, self.player.rng, self.times)[::-1]
        answer = self.drawn.pop()
        self.times[repr(answer)] += 1
        return answer

    def varied(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """The line as far as one of its decisions, which is left open; the form it begins with, as far as a field."""
        rng = self.player.rng
        at = rng.randrange(len(steps))
        if at:
            return steps[:at]
        given = steps[0].answer
        if not isinstance(self.question, Form) or len(given) < 2:
            return (self.step(self.fresh()),)
        return (self.step(filled(self.question, rng, given[: rng.randrange(1, len(given))])),)


def chosen(question: Question, ranked: list[Idea], is_settled: bool) -> tuple[Step, ...]:
    """The best idea; nothing is done, where that can be, if nothing is gained: what is free could go on for ever.

    ``is_settled``: the turn was over when the ideas were looked at, so that doing nothing is what to measure by.
    """
    idle = idle_of(question)
    if idle is None:
        return ranked[0].steps if ranked else ()
    means = [one.mean for one in ranked if one.steps[0].answer == idle]
    least = means[0] if means and is_settled else max([0.0, *means])
    if not ranked or ranked[0].mean <= least + GAIN:
        return (Step(question.kind, question.prompt, idle),)
    return ranked[0].steps


def idle_of(question: Question) -> Plain:
    """The answer that does nothing, or None."""
    return question.idle if isinstance(question, Form) else None
