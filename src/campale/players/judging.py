"""A decision that was taken, judged beside others that could have been: by what follows on average, not by what came.

Nobody is blamed for his dice. What was decided is what was answered up to the next die; from there on all play as they
are advised, on imagined games, with lucks of which both lines get the same. What the side did not know is drawn anew
every time. A decision costs what another gains beside it for certain, in the judgement of the book.
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
"""With so many lucks lines are compared at a glance, and at first where more are to follow."""
AHEAD = 60
"""So many entries of a record at the most are played on to the end of a turn."""


class End(NamedTuple):
    """How a line ended, for a side: what both have lost in points, its lead in the score, and whether it has won (1) or
    lost (-1) the battle."""

    lost: float
    taken: float
    score: float
    won: float


class Cost(NamedTuple):
    """What a line gains beside that which was played: with so many lucks, by so much, give or take a standard error.

    ``better`` is none where nothing gains for certain. ``ends`` is how much more of each the better line comes to.
    """

    better: Steps
    loss: float
    doubt: float
    lucks: int
    ends: End


NOTHING = Cost((), 0.0, 0.0, 0, End(0.0, 0.0, 0.0, 0.0))


class Judge(SearchPlayer):
    """Plays what was decided and what could have been with the same lucks. ``lines``: of a closer look."""

    name = "judge"

    def __init__(self, seed: int | str = 1, lines: float | None = None) -> None:
        super().__init__(seed, lines)
        self.ends: list[End] = []

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """To the end of the turn, if it is not too far off: so all lines are looked at when the same has been done."""
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
        """What may be better than what was played, of what is advised and another answer, and what it may well gain."""
        seed = f"{self.rng.getrandbits(64)}"
        other = idle_of(question)
        first = Step(question.kind, question.prompt, self.another(question, seat) if other is None else other)
        begun = [self.with_luck(seed, 0, seat, steps, self.advised).begun for steps in ((), (first,))]
        pairs = self.beside(seat, seed, played, begun, GLANCES)
        best = max(pairs, key=lambda pair: pair.hope, default=None)
        return ((), 0.0) if best is None or best.hope <= GAIN else (best.lines[1], best.hope)

    def beside(self, seat: Seat, seed: str, played: Steps, others: Sequence[Steps], lucks: int) -> list[Pair]:
        """What was played beside each of some lines that are something else, with so many lucks."""
        found: list[Pair] = []
        for steps in others:
            if steps and steps != played and all(steps != pair.lines[1] for pair in found):
                found.append(Pair(self, seat, seed, played, steps))
        for pair in found:
            pair.play(lucks)
        return found

    def look(self, seat: Seat, question: Question, played: Steps, seemed: Steps, lucks: int) -> Cost:
        """What a search finds, and what seemed better at a glance, beside what was played, with lucks of their own.

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
    """What was played, and another line, with the same lucks."""

    def __init__(self, judge: Judge, seat: Seat, seed: str, played: Steps, other: Steps) -> None:
        self.judge, self.seat, self.seed = judge, seat, seed
        self.lines = played, other
        self.worths: list[tuple[float, float]] = []
        self.ends: list[End] = []

    @property
    def gain(self) -> float:
        """What the other line gains on average; less than anything where one of them broke down."""
        return statistics.fmean(self.gains) if all(map(math.isfinite, self.gains)) else -math.inf

    @property
    def gains(self) -> list[float]:
        return [other - usual for usual, other in self.worths]

    @property
    def doubt(self) -> float:
        """A standard error of the gain; 0 where too little is known."""
        is_known = len(self.worths) > 1 and math.isfinite(self.gain)
        return statistics.stdev(self.gains) / math.sqrt(len(self.worths)) if is_known else 0.0

    @property
    def hope(self) -> float:
        """What the other line may well gain."""
        return self.gain + DOUBT * self.doubt

    def play(self, lucks: int) -> None:
        """Play them on until so many lucks were played."""
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
    """The mean of what every second end has more than the one before."""
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
    """What a side has lost in models and of their wounds, in points; in models where they have none."""
    total = 0.0
    for model in position.models:
        if model.side == side:
            left, whole = (0, 1) if model.where == GONE else position.ruleset.health_of(model)
            total += float(getattr(model.profile, "points", 1.0)) * (1.0 - left / max(1, whole))
    return total
