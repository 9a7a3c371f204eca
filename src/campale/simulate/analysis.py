"""A battle that was played, analysed: which decisions of a side cost it most, and what would have been better.

All decisions of the side are glanced at, and those that seem to have cost most are looked at more closely. A decision
is judged where it was taken, by what the side knew there, and before its dice: see ``players.judging``.
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
from campale.referee.record import BATTLE_ENTRIES, RefereeError
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.seat import Seat
from campale.simulate.trials import Standing

TOLD, CLOSER = 5, 20
"""How many decisions are told, and how many are looked at more closely."""
LINES, LUCKS = 20, 10
"""The lines of a closer look, and the lucks with which two lines are compared."""

GLANCING = 0.4
"""Which share of the time may go to glances."""
AT_ONCE, STRIDE = 8, 16
"""So many decisions are sent to be looked at together; so many times the battle is gone through, always a bit later."""

D = TypeVar("D")
T = TypeVar("T")


class Decision(NamedTuple):
    """What a side decided at one place of a battle, up to the next die.

    ``at``: how many entries of the record the side knew of before.
    """

    standing: Standing
    side: int
    at: int
    answers: tuple[Entry, ...]

    @property
    def entries(self) -> int:
        """How many entries of the record lie before, those too of which the side knows nothing."""
        return self.standing.at + len(self.standing.since)

    @property
    def name(self) -> str:
        return f"{self.side}/{self.at}"


class Glanced(NamedTuple):
    """A decision after a glance at it: what was played (nothing: no choice), what may be better, and by how much."""

    decision: Decision
    played: Steps
    seemed: Steps = ()
    gain: float = 0.0


class Kept(NamedTuple):
    """What there is of a battle: copied quickly, and made decisions of at leisure."""

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
        """Where the question of an entry was asked: before all that were answered together with it."""
        while place in self.joints:
            place -= 1
        return place


# ---------------------------------------------------------------- which decisions there are


def decisions(kept: Kept, side: int) -> list[Decision]:
    """Those of a side in the order they were taken, once the first turn has begun: before it the judgement of a book
    says little. Answers with no die, no other side's answer and no end of an activation between them are one."""
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
    """A decision at a glance, from the first answer on for which there was a choice."""
    try:
        game = known(decision, seed)
    except RefereeError:  # nothing that the side may imagine fits what was answered: it is not judged
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
    """The battle as the side knew it then: what it did not know is drawn."""
    return decision.standing.game().imagined_by(decision.side, Random(f"{seed}/{decision.name}"))


def has_choice(seat: Seat, question: Question) -> bool:
    """Whether there is anything to decide that bots would think about."""
    return only_answer(question) is None and seat.offhand(question) is None


def from_place(decision: Decision, place: int) -> Decision:
    standing = decision.standing
    since = [*standing.since, *decision.answers[:place]]
    return Decision(standing._replace(since=since), decision.side, decision.at + place, decision.answers[place:])


def steps_of(decision: Decision, game: Game) -> Steps:
    """The answers with what was asked, as far as the side goes on being asked."""
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
    """Some decisions to be glanced at: the first, and as many more as the seconds allow."""

    decisions: Sequence[Decision]
    seed: str
    seconds: float

    def done(self) -> list[Glanced]:
        return in_time(lambda one: glanced(one, self.seed), self.decisions, self.seconds)


class Looks(NamedTuple):
    """Some decisions to be looked at more closely: the first, and as many more as the seconds allow."""

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
    """A decision that cost something: what was played, and what it cost beside what would have been better."""

    decision: Decision
    played: Steps
    cost: Cost


class Analysis:
    """The analysis of one side's decisions under way: what is to be done ``next``, and what came of it ``taken``.

    The same seed, lines and lucks give the same analysis, as long as it is not cut short.
    """

    def __init__(self, every: Sequence[Decision], seed: str, lines: int = LINES, lucks: int = LUCKS) -> None:
        self.every = spread(every)
        self.seed, self.lines, self.lucks = seed, lines, lucks
        self.glances: list[Glanced] = []
        self.costs: list[Cost] = []
        self.closer: list[Glanced] | None = None
        """Those looked at more closely; None while there are decisions to be glanced at."""

    def next(self, passed: float, seconds: float) -> Glances | Looks | None:
        """What to do for about so many seconds; None when all is done. ``passed``: the share of its time that is."""
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
        """How many were glanced at, of how many; how many were looked at more closely, of how many."""
        return len(self.glances), len(self.every), len(self.costs), len(self.closer or ())

    def costliest(self, most: int = TOLD) -> list[Costly]:
        """The decisions that cost most of those looked at more closely, the costliest first; of an activation one."""
        pairs = zip(self.closer or (), self.costs, strict=False)
        found = [Costly(one.decision, one.played, cost) for one, cost in pairs if cost.better]
        by_activation: dict[int, Costly] = {}
        for one in sorted(found, key=lambda one: (-one.cost.loss, one.decision.at)):
            by_activation.setdefault(one.decision.standing.at, one)
        return list(by_activation.values())[:most]

    @property
    def is_whole(self) -> bool:
        """Whether all was looked at that was to be."""
        glanced, of, looked, closer = self.counts
        return glanced == of and looked == closer and self.closer is not None

    def clear(self) -> None:
        """Forget it all: the battle takes room."""
        self.every, self.glances, self.closer, self.costs = [], [], [], []


def spread(every: Sequence[Decision]) -> list[Decision]:
    """In an order in which the first few lie all over the battle: what is cut short has seen something of all of it."""
    whole = list(every)
    return [one for first in range(STRIDE) for one in whole[first::STRIDE]]


def analysed(kept: Kept, side: int, seed: str, lines: int = LINES, lucks: int = LUCKS) -> Analysis:
    """A battle analysed from beginning to end, however long it takes."""
    analysis = Analysis(decisions(kept, side), seed, lines, lucks)
    while (task := analysis.next(0.0, 60.0)) is not None:
        analysis.take(task.done())
    return analysis
