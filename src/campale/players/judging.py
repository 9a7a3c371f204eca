"""Judges a decision against its alternatives, by what follows on average and not by what happened.

Nobody is blamed for his dice. A decision is the answers up to the next die; from there on all sides play as advised, on
imagined games, and both lines get the same lucks. Whatever the side did not know is drawn anew every time. The cost of
a decision is what another one would certainly have gained over it, in the judgement of the book.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from campale.players.greedy import Step, idle_of
from campale.players.ideas import DOUBT, GAIN
from campale.players.search import SearchPlayer
from campale.referee.game import Game
from campale.referee.position import GONE, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat

Steps = tuple[Step, ...]

GLANCES, FEW = 2, 3
"""The lucks with which lines are compared at a glance, and those before a full comparison."""
AHEAD = 60
"""The most entries of a record that are played to reach the end of a turn."""


class End(NamedTuple):
    """The end of a line for a side: the points lost by both sides, its lead in the score, and whether it has won (1)
    or lost (-1) the battle."""

    lost: float
    taken: float
    score: float
    won: float


class Cost(NamedTuple):
    """The gain of a better line over the one played: the gain, its standard error, and the number of lucks.

    ``better`` is empty if nothing gains for certain. ``ends``: the mean differences between the ends of both lines.
    """

    better: Steps
    loss: float
    doubt: float
    lucks: int
    ends: End


NOTHING = Cost((), 0.0, 0.0, 0, End(0.0, 0.0, 0.0, 0.0))


class Judge(SearchPlayer):
    """Plays the decision and its alternatives with the same lucks. ``lines``: the budget of a closer look."""

    name = "judge"

    def __init__(self, seed: int | str = 1, lines: float | None = None) -> None:
        super().__init__(seed, lines)
        self.allowance.most = 1
        self.ends: list[End] = []

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """Play to the end of the turn, or ``AHEAD`` entries at most: so all lines are appraised at the same stage."""
        until = len(game.line) + AHEAD
        while len(game.line) < until and not game.is_over and game.asked:
            if game.ruleset.turn(game.position) != turn:
                return
            side = game.asked[0]
            self.give(game, side, self.advised(game, game.pending[side]))

    def worth(self, game: Game, side: int) -> float:
        self.ends.append(end_of(game, side))
        return super().worth(game, side)

    def glance(self, seat: Seat, question: Question, played: Steps) -> tuple[Steps, float]:
        """The advised line or that of another answer, whichever may beat the line played, and its possible gain."""
        seed = f"{self.rng.getrandbits(64)}"
        other = idle_of(question)
        first = Step(question.kind, question.prompt, self.another(question, seat) if other is None else other)
        begun = [self.with_luck(seed, 0, seat, steps, self.advised).begun for steps in ((), (first,))]
        pairs = self.beside(seat, seed, played, begun, GLANCES)
        best = max(pairs, key=lambda pair: pair.hope, default=None)
        return ((), 0.0) if best is None or best.hope <= GAIN else (best.lines[1], best.hope)

    def beside(self, seat: Seat, seed: str, played: Steps, others: Sequence[Steps], lucks: int) -> list[Pair]:
        """The line played, paired with each different line, with this many lucks."""
        found: list[Pair] = []
        for steps in others:
            if steps and steps != played and all(steps != pair.lines[1] for pair in found):
                found.append(Pair(self, seat, seed, played, steps))
        for pair in found:
            pair.play(lucks)
        return found

    def look(self, seat: Seat, question: Question, played: Steps, seemed: Steps, lucks: int) -> Cost:
        """Compare the line found by a search, and the line that ``seemed`` better, with the line played, on new lucks.

        Both are played with a few lucks, and the better one with all.
        """
        found = self.thought_out(seat, question)
        pairs = self.beside(seat, f"{self.rng.getrandbits(64)}", played, (found, seemed), min(FEW, lucks))
        best = max(pairs, key=lambda pair: pair.hope, default=None)
        if best is None or best.hope <= GAIN:
            return NOTHING
        best.play(lucks)
        return best.cost()


class Pair:
    """The line played and another line, with the same lucks."""

    def __init__(self, judge: Judge, seat: Seat, seed: str, played: Steps, other: Steps) -> None:
        self.judge, self.seat, self.seed = judge, seat, seed
        self.lines = played, other
        self.worths: list[tuple[float, float]] = []
        self.ends: list[End] = []

    @property
    def gain(self) -> float:
        """The average gain of the other line; minus infinity if a line broke down."""
        return statistics.fmean(self.gains) if all(map(math.isfinite, self.gains)) else -math.inf

    @property
    def gains(self) -> list[float]:
        return [other - usual for usual, other in self.worths]

    @property
    def doubt(self) -> float:
        """The standard error of the gain; 0 if it cannot be told."""
        is_known = len(self.worths) > 1 and math.isfinite(self.gain)
        return statistics.stdev(self.gains) / math.sqrt(len(self.worths)) if is_known else 0.0

    @property
    def hope(self) -> float:
        """An optimistic gain of the other line: the average plus the doubt."""
        return self.gain + DOUBT * self.doubt

    def play(self, lucks: int) -> None:
        """Play both lines with further lucks until ``lucks`` have been played."""
        for luck in range(len(self.worths), lucks):
            self.judge.ends = []
            usual, other = (
                self.judge.with_luck(self.seed, luck, self.seat, steps, self.judge.advised).worth
                for steps in self.lines
            )
            self.worths.append((usual, other))
            self.ends += self.judge.ends

    def cost(self) -> Cost:
        if len(self.worths) < 2 or self.gain - DOUBT * self.doubt <= GAIN:
            return NOTHING
        return Cost(self.lines[1], self.gain, self.doubt, len(self.worths), gained(self.ends))


def gained(ends: Sequence[End]) -> End:
    """The mean difference between every second end and the one before it."""
    pairs = list(zip(ends[1::2], ends[::2], strict=True))
    mine = [[one - other for one, other in zip(*pair, strict=True)] for pair in pairs]
    return End(*(sum(column) / len(mine) for column in zip(*mine, strict=True)))


def end_of(game: Game, side: int) -> End:
    position, result, tally = game.position, game.position.result, game.ruleset.tally
    score = None if tally is None else tally(position, game.setup).score
    lead = 0.0 if score is None else float(score[side] - score[1 - side])
    won = 0.0 if result is None or result.winner is None else 1.0 if result.winner == side else -1.0
    return End(lost(position, side), lost(position, 1 - side), lead, won)


def lost(position: Position, side: int) -> float:
    """The losses of a side in models and wounds, in points; counted in models if they have no points."""
    total = 0.0
    for model in position.models:
        if model.side == side:
            left, whole = (0, 1) if model.where == GONE else position.ruleset.health_of(model)
            total += float(getattr(model.profile, "points", 1.0)) * (1.0 - left / max(1, whole))
    return total
