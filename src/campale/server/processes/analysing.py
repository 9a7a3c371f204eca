"""Analysis of a finished battle, in the process for repeated play; results are reported as they come."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from campale.players.greedy import Step
from campale.players.judging import Cost
from campale.referee.telling.words import LANGUAGES
from campale.screen.deciding import line_told, moment_told
from campale.server.processes.thinking import Pool
from campale.simulate.analysis import Analysis, Costly, known

MOST_SECONDS = 600.0
"""The time limit of an analysis; results found by then are reported."""
AT_ONCE = 2.0
LEAST = {"lost": 0.5, "taken": 0.5, "score": 0.1, "won": 0.05}
"""The smallest gain of the better line that is reported."""
FOR, POSITION = frozenset({"lost-less", "taken-more", "score-more", "won-more"}), "position"
MOSTLY = 0.7
"""If the losses make up this share of a decision's cost, no other reason is given for the position."""
PATIENCE = 300.0
"""Seconds after which the process is stopped. One decision of a large battle may take a minute on a busy machine."""


class DecisionShown(msgspec.Struct, frozen=True):
    """A decision that cost something. ``at``: the moment before it, as in a replay; ``when``: its turn and phase.

    ``played`` and ``better`` list the answers. ``loss`` is in the points of the book's judgement, give or take
    ``doubt``, on average over ``lucks`` plays of both lines. The better line compares as follows: by how many more
    points of models the player loses (``lost``) and the other side loses (``taken``), how much better the lead in the
    score is (``score``), and how much more often the battle is won (``won``: from -1 to 1, lost battles count against
    it). ``reasons`` names those that matter, as ``-more`` or ``-less`` than in the line played, with the ones against
    the better line last; "position" if most of the loss is none of them: which models threaten which, and who is near
    the objectives.
    """

    at: int
    when: str
    played: list[str]
    better: list[str]
    loss: float
    doubt: float
    lucks: int
    lost: float
    taken: float
    score: float
    won: float
    reasons: list[str]


class AnalysisShown(msgspec.Struct, frozen=True):
    """``glanced`` of ``of`` decisions, of which ``looked`` of ``closer`` more closely (``of`` 0: none requested).

    ``decisions`` come when the analysis has finished, the costliest first. ``has_broken``: the process took too long,
    or failed.
    """

    glanced: int
    of: int
    looked: int
    closer: int
    is_running: bool
    decisions: list[DecisionShown]
    has_broken: bool = False


NONE = AnalysisShown(0, 0, 0, 0, False, [])


class Telling(NamedTuple):
    """The costliest decisions, ready to be told in all languages with the players' names."""

    costly: Sequence[Costly]
    seed: str

    def done(self) -> dict[str, list[DecisionShown]]:
        return {language: [decision_shown(one, self.seed, language) for one in self.costly] for language in LANGUAGES}


def decision_shown(one: Costly, seed: str, language: str) -> DecisionShown:
    decision, cost = one.decision, one.cost

    def told(steps: Sequence[Step]) -> list[str]:
        return line_told(known(decision, seed), decision.side, [step.answer for step in steps], language)

    return DecisionShown(
        decision.at,
        moment_told(known(decision, seed), decision.side, language),
        told(one.played),
        told(cost.better),
        round(cost.loss, 1),
        round(cost.doubt, 1),
        cost.lucks,
        round(cost.ends.lost, 2),
        round(cost.ends.taken, 2),
        round(cost.ends.score, 2),
        round(cost.ends.won, 2),
        reasons_of(cost),
    )


def reasons_of(cost: Cost) -> list[str]:
    """The reasons why the better line is better, as far as they matter; the rest is the position."""
    told = {name: much for name, much in cost.ends._asdict().items() if abs(much) >= LEAST[name]}
    found = [f"{name}-{'more' if much > 0.0 else 'less'}" for name, much in told.items()]
    speaks_for, against = [one for one in found if one in FOR], [one for one in found if one not in FOR]
    is_known = "won-more" in found or cost.ends.taken - cost.ends.lost >= MOSTLY * cost.loss
    return [*speaks_for, *([] if is_known else [POSITION]), *against]


class Study:
    """A requested analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.counts = analysis.counts
        self.told: dict[str, list[DecisionShown]] = {}
        self.is_running = self.is_wanted = True
        self.has_broken = False

    async def go(self, pool: Pool) -> None:
        """Run piece by piece until stopped or out of time; then report the worst decisions."""
        begun = time.monotonic()
        try:
            while self.is_wanted:
                task = self.analysis.next((time.monotonic() - begun) / MOST_SECONDS, AT_ONCE)
                found = None if task is None else await pool.think(task, PATIENCE)
                if found is None:
                    self.has_broken = self.is_wanted and task is not None
                    break
                self.analysis.take(found)
                self.counts = self.analysis.counts
            costly = self.analysis.costliest()
            self.told = (await pool.think(Telling(costly, self.analysis.seed)) if costly else None) or {}
        finally:
            self.is_running = False
            self.analysis.clear()

    def stop(self) -> None:
        """Stop the search and report the results so far."""
        self.is_wanted = False

    def shown(self, language: str) -> AnalysisShown:
        return AnalysisShown(*self.counts, self.is_running, self.told.get(language, []), self.has_broken)
