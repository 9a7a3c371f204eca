"""A battle continued many times by bots from its present position: how often each side wins, with intervals.

The asker may know only what the asker's side knows: hidden information is drawn at random for each trial.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from campale.players import player_named
from campale.referee.game import HIDDEN, Entry, Game
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup, load_ruleset
from campale.simulate.battle import MOST_ANSWERS, outcome, play_on
from campale.simulate.intervals import Interval, mean, wilson

FEWEST_MEASURED = 2
"""With fewer values the spread is unknown."""
STALLED = "stalled"


class Standing(NamedTuple):
    """The state of a battle as bytes, from its last boundary. ``side``: who asks; None: somebody who sees
    everything."""

    book: str
    setup: Setup
    seed: str
    position: bytes
    at: int
    since: list[Entry]
    held: dict[int, Plain]
    side: int | None

    @classmethod
    def of(cls, game: Game, side: int | None, rng: Random) -> Standing:
        known = game if side is None else game.imagined_by(side, rng)
        mark = known.marks[-1]
        since, held = known.line[mark.at :], dict(known.held)
        position = mark.position.to_bytes()
        return cls(game.ruleset.name, game.setup, known.seed, position, mark.at, since, held, side)

    def game(self, seed: str = "") -> Game:
        """The battle again; future dice come from another seed if one is given."""
        ruleset = load_ruleset(self.book)
        position = Position.from_bytes(ruleset.with_options(self.setup.options), self.position)
        before = [HIDDEN] * self.at
        seed = seed or self.seed
        game = Game(ruleset, self.setup, seed, None, False, "last", self.since, False, position, before)
        game.held = dict(self.held)
        return game


class Trial(NamedTuple):
    """The result of one trial: ``outcome`` as in ``simulate.battle``; models lost by side, those lost before too."""

    outcome: str
    score: tuple[float, float] | None
    losses: tuple[int, int]


class TimeIsUp(Exception):
    """A trial takes too long."""


class Trials(NamedTuple):
    """Some of the trials from one place: those from ``first`` on, up to ``most``, or as many as the seconds allow.

    The first is always begun; a trial that takes more than ``longest`` seconds is broken off.
    """

    standing: Standing
    players: tuple[str, str]
    name: str
    first: int
    most: int
    seconds: float
    longest: float

    def done(self) -> list[Trial]:
        base, begun = self.standing.game(), time.monotonic()
        found: list[Trial] = []
        while len(found) < self.most and (not found or time.monotonic() < begun + self.seconds):
            found.append(self.trial(base, f"{self.name}/{self.first + len(found)}"))
        return found

    def trial(self, base: Game, name: str) -> Trial:
        side, until = self.standing.side, time.monotonic() + self.longest
        world = self.standing.game(name) if side is None else base.imagined_by(side, Random(name))
        players = {one: player_named(kind, f"{name}/{one}") for one, kind in enumerate(self.players)}

        def look_at_clock(_: Game) -> None:
            if time.monotonic() > until:
                raise TimeIsUp

        try:
            play_on(world, players, MOST_ANSWERS, look_at_clock)
        except TimeIsUp:
            return Trial(STALLED, None, lost(world))
        return Trial(outcome(world), score_of(world), lost(world))


def score_of(game: Game) -> tuple[float, float] | None:
    return None if game.ruleset.tally is None else game.ruleset.tally(game.position, game.setup).score


def lost(game: Game) -> tuple[int, int]:
    sides = [game.position.side_of[loss.model] for loss in game.position.losses]
    return sides.count(0), sides.count(1)


class Counted(NamedTuple):
    """The sum of trials: by side the share won, the score and the losses; how many were drawn, how many broken off.

    A trial that was broken off counts for nothing else.
    """

    trials: int
    won: tuple[Interval, Interval]
    drawn: int
    stalled: int
    score: tuple[Interval, Interval] | None
    losses: tuple[Interval, Interval] | None


def counted(trials: Sequence[Trial]) -> Counted:
    over = [one for one in trials if one.outcome != STALLED]
    scores: list[Any] = [one.score for one in over if one.score is not None]
    return Counted(
        len(trials),
        (won_by(0, over), won_by(1, over)),
        sum(one.outcome == "draw" for one in over),
        len(trials) - len(over),
        measured(scores),
        measured([one.losses for one in over]),
    )


def won_by(side: int, over: Sequence[Trial]) -> Interval:
    return wilson(sum(one.outcome == str(side) for one in over), len(over))


def measured(pairs: Sequence[tuple[float, float]]) -> tuple[Interval, Interval] | None:
    """The mean of each side's values; None if there are too few."""
    if len(pairs) < FEWEST_MEASURED:
        return None
    return mean([one[0] for one in pairs]), mean([one[1] for one in pairs])
