"""Analysis of a played battle: which decisions of a side cost it most, and what would have been better.

Every decision of the side gets a quick look, and those that seem to have cost most a closer one. A decision is judged
at the moment it was taken, before its dice and with what the side knew then: see ``players.judging``.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from campale.players.greedy import Step
from campale.players.judging import NOTHING, Cost, Judge, Steps
from campale.referee.game import CHANCE_KINDS, LATE, Entry, Game, Mark
from campale.referee.lawful import only_answer
from campale.referee.question import Question
from campale.referee.records.record import BATTLE_ENTRIES, RefereeError
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.seat import Seat
from campale.simulate.trials import Standing

TOLD, CLOSER = 5, 20
"""How many decisions are told, and how many are looked at more closely."""
LINES, LUCKS = 20, 10
"""The lines of a closer look, and the lucks with which two lines are compared."""

GLANCING = 0.4
"""The share of the time for quick looks."""
AT_ONCE, STRIDE = 8, 16
"""The number of decisions looked at together, and the number of passes through the battle, each starting a bit
later."""

D = TypeVar("D")
T = TypeVar("T")


class Decision(NamedTuple):
    """What a side decided at one point of a battle, up to the next die.

    ``at``: the number of earlier entries that the side knew.
    """

    standing: Standing
    side: int
    at: int
    answers: tuple[Entry, ...]

    @property
    def entries(self) -> int:
        """The number of earlier entries of the record, including those that the side does not know."""
        return self.standing.at + len(self.standing.since)

    @property
    def name(self) -> str:
        return f"{self.side}/{self.at}"


class Glanced(NamedTuple):
    """A decision after a quick look: what was played (empty: no choice), what may be better, and by how much."""

    decision: Decision
    played: Steps
    seemed: Steps = ()
    gain: float = 0.0


class Kept(NamedTuple):
    """The data of a battle: quick to copy, turned into decisions later."""

    ruleset: Ruleset
    setup: Setup
    seed: str
    line: tuple[Entry, ...]
    marks: tuple[Mark, ...]
    unseen: dict[int, int | None]
    joints: frozenset[int]
    """The places between answers that were given together."""

    @classmethod
    def of(cls, game: Game) -> Kept:
        marks, unseen, joints = tuple(game.marks), dict(game.unseen), frozenset(game.joints)
        return cls(game.ruleset, game.setup, game.seed, tuple(game.line), marks, unseen, joints)

    def asked_at(self, place: int) -> int:
        """Where the question of an entry was asked: before all entries answered together with it."""
        while place in self.joints:
            place -= 1
        return place


# ---------------------------------------------------------------- which decisions there are


def decisions(kept: Kept, side: int) -> list[Decision]:
    """The decisions of a side in order, from the first turn on: before it a book's appraisal says little. Consecutive
    answers with no die, no other side's answer and no end of an activation between them are one decision."""
    found: list[Decision] = []
    places = [mark.at for mark in kept.marks]
    for first, until in spans(kept, side):
        mark = kept.marks[bisect_right(places, first) - 1]
        if not kept.ruleset.turn(mark.position):
            continue
        asked = kept.asked_at(first)
        since = list(kept.line[mark.at : asked])
        position = mark.position.to_bytes()
        standing = Standing(kept.ruleset.name, kept.setup, kept.seed, position, mark.at, since, {}, None)
        hidden = sum(place < asked and owner != side for place, owner in kept.unseen.items())
        found.append(Decision(standing, side, asked - hidden, kept.line[first:until]))
    return found


def spans(kept: Kept, side: int) -> Iterator[tuple[int, int]]:
    ends = {mark.at for mark in kept.marks if not kept.ruleset.is_amid(mark.position)}
    begun: int | None = None
    for at in range(kept.marks[0].at if kept.marks else len(kept.line), len(kept.line)):
        is_own = is_decided(kept.line[at], side)
        is_together = at in kept.joints or at + 1 in kept.joints
        if begun is not None and (at in ends or is_together or not is_own):
            yield begun, at
            begun = None
        if is_own and is_together:
            yield at, at + 1
        elif begun is None and is_own:
            begun = at
    if begun is not None:
        yield begun, len(kept.line)


def is_decided(entry: Entry, side: int) -> bool:
    return entry.side == side and entry.kind not in CHANCE_KINDS | BATTLE_ENTRIES | {LATE}


# ---------------------------------------------------------------- looking at them


def glanced(decision: Decision, seed: str) -> Glanced:
    """A quick look at a decision, from the first answer with a choice."""
    try:
        game = known(decision, seed)
    except RefereeError:  # no imagined game fits the later answers: the decision is not judged
        return Glanced(decision, ())
    for place in range(len(decision.answers)):
        question = game.question_for(decision.side)
        if question is None:
            break
        seat = Seat(game, decision.side)
        if has_choice(seat, question):
            cut = from_place(decision, place)
            played = steps_of(cut, game)
            seemed, gain = Judge(f"{seed}/{cut.name}").glance(seat, question, played)
            return Glanced(cut, played, seemed, gain)
        if game.answer(decision.side, decision.answers[place].answer) is not None:
            break
    return Glanced(decision, ())


def known(decision: Decision, seed: str) -> Game:
    """The battle as the side knew it then; hidden information is drawn at random."""
    return decision.standing.game().imagined_by(decision.side, Random(f"{seed}/{decision.name}"))


def has_choice(seat: Seat, question: Question) -> bool:
    """Whether there is a choice that bots would think about."""
    return only_answer(question) is None and seat.offhand(question) is None


def from_place(decision: Decision, place: int) -> Decision:
    standing = decision.standing
    since = [*standing.since, *decision.answers[:place]]
    return Decision(standing._replace(since=since), decision.side, decision.at + place, decision.answers[place:])


def steps_of(decision: Decision, game: Game) -> Steps:
    """The answers with their questions, as long as the same side is asked."""
    again, found = game.clone(), list[Step]()
    for entry in decision.answers:
        question = again.question_for(decision.side)
        if question is None or question.kind != entry.kind or question.refusal(entry.answer) is not None:
            break
        found.append(Step(question.kind, question.prompt, entry.answer))
        again.answer(decision.side, entry.answer)
    return tuple(found)


def worst(glances: Sequence[Glanced], most: int = CLOSER) -> list[Glanced]:
    """Those that may have cost most, the worst first."""
    return sorted((one for one in glances if one.gain > 0.0), key=lambda one: (-one.gain, one.decision.at))[:most]


def looked_at(glance: Glanced, seed: str, lines: int = LINES, lucks: int = LUCKS) -> Cost:
    """A closer look at a decision."""
    decision = glance.decision
    try:
        seat = Seat(known(decision, seed), decision.side)
    except RefereeError:
        return NOTHING
    question = seat.question
    if question is None:
        return NOTHING
    return Judge(f"{seed}/{decision.name}", lines).look(seat, question, glance.played, glance.seemed, lucks)


# ---------------------------------------------------------------- a battle, piece by piece


class Glances(NamedTuple):
    """Quick looks at some decisions: the first, and as many more as the seconds allow."""

    decisions: Sequence[Decision]
    seed: str
    seconds: float

    def done(self) -> list[Glanced]:
        return in_time(lambda one: glanced(one, self.seed), self.decisions, self.seconds)


class Looks(NamedTuple):
    """Closer looks at some decisions: the first, and as many more as the seconds allow."""

    glances: Sequence[Glanced]
    seed: str
    lines: int
    lucks: int
    seconds: float

    def done(self) -> list[Cost]:
        return in_time(lambda one: looked_at(one, self.seed, self.lines, self.lucks), self.glances, self.seconds)


def in_time(do: Callable[[D], T], several: Sequence[D], seconds: float) -> list[T]:
    until, found = time.monotonic() + seconds, list[T]()
    for one in several:
        if found and time.monotonic() >= until:
            break
        found.append(do(one))
    return found


class Costly(NamedTuple):
    """A decision that cost something: what was played, what would have been better, and the cost."""

    decision: Decision
    played: Steps
    cost: Cost


class Analysis:
    """A running analysis of one side's decisions: ``next`` gives the work to do, ``take`` its results.

    The same seed, lines and lucks give the same analysis, unless it is cut short.
    """

    def __init__(self, every: Sequence[Decision], seed: str, lines: int = LINES, lucks: int = LUCKS) -> None:
        self.every = spread(every)
        self.seed, self.lines, self.lucks = seed, lines, lucks
        self.glances: list[Glanced] = []
        self.costs: list[Cost] = []
        self.closer: list[Glanced] | None = None
        """Those looked at more closely; None while there are decisions to be glanced at."""

    def next(self, passed: float, seconds: float) -> Glances | Looks | None:
        """The next work, for about this many seconds; None when all is done. ``passed``: the share of the time that is
        used."""
        if self.closer is None and (len(self.glances) == len(self.every) or (self.glances and passed >= GLANCING)):
            self.closer = worst(self.glances)
        if passed >= 1.0 or (self.closer is not None and len(self.costs) == len(self.closer)):
            return None
        if self.closer is None:
            return Glances(self.every[len(self.glances) :][:AT_ONCE], self.seed, seconds)
        return Looks(self.closer[len(self.costs) :][:AT_ONCE], self.seed, self.lines, self.lucks, seconds)

    def take(self, found: Sequence[Any]) -> None:
        if self.closer is None:
            self.glances += found
        else:
            self.costs += found

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The quick looks done, and their total; the closer looks done, and their total."""
        return len(self.glances), len(self.every), len(self.costs), len(self.closer or ())

    def costliest(self, most: int = TOLD) -> list[Costly]:
        """The costliest decisions among the closer looks, the costliest first; one per activation."""
        pairs = zip(self.closer or (), self.costs, strict=False)
        found = [Costly(one.decision, one.played, cost) for one, cost in pairs if cost.better]
        by_activation: dict[int, Costly] = {}
        for one in sorted(found, key=lambda one: (-one.cost.loss, one.decision.at)):
            by_activation.setdefault(one.decision.standing.at, one)
        return list(by_activation.values())[:most]

    @property
    def is_whole(self) -> bool:
        """Whether everything planned was looked at."""
        glanced, of, looked, closer = self.counts
        return glanced == of and looked == closer and self.closer is not None

    def clear(self) -> None:
        """Forget it all: the battle takes room."""
        self.every, self.glances, self.closer, self.costs = [], [], [], []


def spread(every: Sequence[Decision]) -> list[Decision]:
    """In an order whose first few items are spread over the battle: an interrupted analysis has seen a bit of all of
    it."""
    whole = list(every)
    return [one for first in range(STRIDE) for one in whole[first::STRIDE]]


def analysed(kept: Kept, side: int, seed: str, lines: int = LINES, lucks: int = LUCKS) -> Analysis:
    """A complete analysis of a battle, without a time limit."""
    analysis = Analysis(decisions(kept, side), seed, lines, lucks)
    while (task := analysis.next(0.0, 60.0)) is not None:
        analysis.take(task.done())
    return analysis
