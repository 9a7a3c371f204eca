"""The referee's own play of a query, again and again: what comes of it is counted, and nothing is played twice over.

Every die of every roll is drawn at random. The rule's own coroutine is played with them, piece by piece, unless it is
certain how it would go: where a piece began from an equal position before (the same bytes) and was shown the same of
every roll, it came to the same end. Of dice what a rule was shown is whether each met its need, or else the faces:
it is noted what it looks at, so nothing depends on what a rule says of itself. Anything else is the answer itself.
Only ends that are to come again are remembered, and only so many positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from math import perm
from random import Random
from typing import Any

from campale.referee.chance import Rolled, lying
from campale.referee.odds_queries import Query
from campale.referee.position import Position

BLOCK = 1000
"""So many rolls are drawn by one generator, whose seed is known by the number of the block."""

SELDOM, SELDOM_BEGUN = 4e-6, 1e-4
"""Ends of all and ends of a piece that are less likely than this are not remembered."""

MOST_BEGUN = 4000
"""How many positions between two pieces are remembered."""

ENOUGH = 1000
"""After so many positions that were looked up it is known whether that is worth while."""

Ends = tuple[int, ...]
Faces = tuple[Any, ...]


# ---------------------------------------------------------------- plain play


def played(coroutine: Coroutine[Any, Any, Any], policy: Callable[[Any], Any], rng: Random) -> Any:
    """The rule to its end: chance by the generator, decisions by the policy."""
    value: Any = None
    while True:
        try:
            asked = coroutine.send(value)
        except StopIteration as done:
            return done.value
        value = asked.understood(asked.sample(rng)) if is_chance(asked) else decided(asked, policy)


def is_chance(asked: Any) -> bool:
    return not hasattr(asked, "questions") and bool(asked.is_chance)


def decided(asked: Any, policy: Callable[[Any], Any]) -> Any:
    """What players decide, as the policy has it."""
    if hasattr(asked, "questions"):
        return {side: one.understood(policy(one)) for side, one in asked.questions.items()}
    return asked.understood(policy(asked))


def once(query: Query, rng: Random) -> Position:
    """All volleys one after another; the position that comes of it."""
    position = query.position.copy()
    for volley in query.volleys:
        position = played(volley.play(position), query.policy, rng)
    return position


def pieces_of(query: Query) -> list[Callable[[Position, Any], Coroutine[Any, Any, Any]]]:
    """Volley after volley what plays the next piece of it; where it has no pieces, the whole."""
    return [volley.piece or as_one_piece(volley.play) for volley in query.volleys]


def as_one_piece(play: Callable[[Position], Any]) -> Callable[[Position, Any], Coroutine[Any, Any, Any]]:
    async def piece(position: Position, _: Any) -> tuple[Position, Any]:
        return await play(position), None

    return piece


# ---------------------------------------------------------------- what a rule looks at


class Watched:
    """A roll as a rule receives it (see ``Rolled``); it is noted whether the rule looks at its faces."""

    __slots__ = ("_rolled", "is_seen")

    def __init__(self, rolled: Rolled) -> None:
        self._rolled = rolled
        self.is_seen = False

    def seen(self) -> Rolled:
        self.is_seen = True
        return self._rolled

    @property
    def hits(self) -> tuple[bool, ...]:
        return self._rolled.hits

    @property
    def successes(self) -> int:
        return self._rolled.successes

    @property
    def count(self) -> int:
        return self._rolled.count

    @property
    def needed(self) -> Any:
        return self._rolled.needed

    @property
    def again(self) -> tuple[int, ...]:
        return self._rolled.again

    @property
    def things(self) -> tuple[Any, ...]:
        return self._rolled.things

    @property
    def hitting(self) -> list[Any]:
        return self._rolled.hitting

    @property
    def faces(self) -> tuple[int, ...]:
        return lying(self.seen())

    @property
    def ascending(self) -> tuple[int, ...]:
        return self.seen().ascending

    @property
    def total(self) -> int:
        return self.seen().total

    def with_face(self, index: int, face: int) -> Rolled:
        return self.seen().with_face(index, face)

    def with_again(self, places: tuple[int, ...], anew: Any) -> Rolled:
        return self.seen().with_again(places, anew.seen() if isinstance(anew, Watched) else anew)


class Step:
    """One thing asked of chance in a piece, what was answered, and how the rule received it."""

    __slots__ = ("answer", "asked", "given")

    def __init__(self, asked: Any, answer: Any) -> None:
        self.asked = asked
        self.answer = answer
        understood = asked.understood(answer)
        self.given = Watched(understood) if asked.kind == "roll" else understood

    @property
    def is_seen(self) -> bool:
        return isinstance(self.given, Watched) and self.given.is_seen


class Asked:
    """What is asked of chance at some point, and what comes of each answer that the rule can tell from others."""

    __slots__ = ("asked", "by_faces", "later", "met")

    def __init__(self, asked: Any) -> None:
        self.asked = asked
        self.by_faces = asked.kind != "roll"
        self.met = asked.needed.are_met_by(range(asked.sides + 1)) if not self.by_faces and asked.needed else None
        self.later: dict[Faces, Asked | Begun | Ends] = {}

    def shown(self, answer: Any) -> Faces:
        """As much of an answer as the rule has ever looked at here."""
        if self.by_faces:
            return tuple(answer) if isinstance(answer, list) else (answer,)
        return tuple([self.met[face] for face in answer]) if self.met is not None else (len(answer),)

    def look(self) -> None:
        """The rule looks at the faces: what was known by successes alone is not known any more."""
        if not self.by_faces:
            self.by_faces = True
            self.later.clear()

    def chance(self, answer: Any) -> float:
        """How likely as much is to be shown."""
        asked = self.asked
        if asked.kind == "direction":
            return 1.0 / float(asked.steps)
        if asked.kind == "draw":
            return 1.0 / perm(len(asked.pool), asked.count)
        if self.by_faces:
            return float(asked.sides) ** -len(answer)
        if self.met is None:
            return 1.0
        share = sum(self.met[1:]) / asked.sides
        met = sum(self.met[face] for face in answer)
        return float(share**met * (1.0 - share) ** (len(answer) - met))


class Begun:
    """A position from which a piece begins: of which volley, what was handed on, and how likely it is to come up."""

    __slots__ = ("chance", "first", "handed_on", "position", "volley")

    def __init__(self, position: Position, volley: int, handed_on: Any, chance: float) -> None:
        self.position = position
        self.volley = volley
        self.handed_on = handed_on
        self.chance = chance
        self.first: Asked | Begun | Ends | None = None


# ---------------------------------------------------------------- again and again


class Rolling:
    """A query that is played again and again."""

    def __init__(self, query: Query) -> None:
        self.policy = query.policy
        self.pieces = pieces_of(query)
        self.counted = tuple(query.counted.values())
        self.begin = Begun(query.position, 0, None, 1.0)
        self.known: dict[Any, Begun] = {}
        self.looked: Counter[Any] = Counter()
        self.found: Counter[Any] = Counter()

    def once(self, rng: Random) -> Ends:
        """What is counted when all volleys are over: the very dice, one after another, that plain play would draw."""
        at: Begun | Ends = self.begin
        while isinstance(at, Begun):
            at = self.piece(at, rng)
        return at

    def piece(self, begun: Begun, rng: Random) -> Begun | Ends:
        """What a piece comes to: as far as it is known already, else as it is played to its end."""
        drawn: list[Any] = []
        at = begun.first
        while isinstance(at, Asked):
            drawn.append(at.asked.sample(rng))
            at = at.later.get(at.shown(drawn[-1]))
        return self.play(begun, drawn, rng) if at is None else at

    def play(self, begun: Begun, drawn: list[Any], rng: Random) -> Begun | Ends:
        steps: list[Step] = []
        coroutine = self.pieces[begun.volley](begun.position.copy(), begun.handed_on)
        value: Any = None
        while True:
            try:
                asked = coroutine.send(value)
            except StopIteration as done:
                position, handed_on = done.value
                break
            if is_chance(asked):
                steps.append(Step(asked, drawn[len(steps)] if len(steps) < len(drawn) else asked.sample(rng)))
                value = steps[-1].given
            else:
                value = decided(asked, self.policy)
        chance = begun.chance * self.note(begun, steps)
        end = self.end(begun, position, handed_on, chance)
        if chance >= (SELDOM_BEGUN if isinstance(end, Begun) else SELDOM):
            remember(begun, steps, end)
        return end

    def note(self, begun: Begun, steps: list[Step]) -> float:
        """Keep what the rule looked at; how likely as much is to be shown again."""
        chance, at = 1.0, begun.first
        for step in steps:
            asked = at if isinstance(at, Asked) else Asked(step.asked)
            if step.is_seen:
                asked.look()
            chance *= asked.chance(step.answer)
            at = asked.later.get(asked.shown(step.answer))
        return chance

    def end(self, begun: Begun, position: Position, handed_on: Any, chance: float) -> Begun | Ends:
        volley = begun.volley if handed_on is not None else begun.volley + 1
        if volley == len(self.pieces):
            return tuple([counted(position) for counted in self.counted])
        if chance < SELDOM_BEGUN and self.is_in_vain(begun):
            return Begun(position, volley, handed_on, chance)
        key = volley, handed_on, position.to_bytes()
        self.looked[begun.volley, begun.handed_on is None] += 1
        if key in self.known:
            self.found[begun.volley, begun.handed_on is None] += 1
            return self.known[key]
        found = Begun(position, volley, handed_on, chance)
        if len(self.known) < MOST_BEGUN:
            self.known[key] = found
        return found

    def is_in_vain(self, begun: Begun) -> bool:
        """Whether what such pieces leave behind has hardly ever been known."""
        kind = begun.volley, begun.handed_on is None
        return self.looked[kind] >= ENOUGH and self.found[kind] * 10 < self.looked[kind]


def remember(begun: Begun, steps: list[Step], end: Begun | Ends) -> None:
    """What was shown, from first to last, and the end that it leads to."""
    if not steps:
        begun.first = end
        return
    if not isinstance(begun.first, Asked):
        begun.first = Asked(steps[0].asked)
    at = begun.first
    for number, step in enumerate(steps):
        if step.is_seen:
            at.look()
        shown = at.shown(step.answer)
        if number == len(steps) - 1:
            at.later[shown] = end
            return
        later = at.later.get(shown)
        if not isinstance(later, Asked):
            later = at.later[shown] = Asked(steps[number + 1].asked)
        at = later


def blocks(rolls: int, seed: str) -> Iterator[tuple[Random, int]]:
    """The generators of so many rolls, each with how many it is for."""
    for number, done in enumerate(range(0, rolls, BLOCK)):
        yield Random(f"{seed} {number}"), min(BLOCK, rolls - done)


def simulated(query: Query, rolls: int, seed: str) -> dict[str, Counter[int]]:
    """How often each number of what is counted came up."""
    rolling, found = Rolling(query), Counter[Ends]()
    for rng, many in blocks(rolls, seed):
        found.update(rolling.once(rng) for _ in range(many))
    return {kind: of_place(found, place) for place, kind in enumerate(query.counted)}


def of_place(found: Counter[Ends], place: int) -> Counter[int]:
    numbers: Counter[int] = Counter()
    for ends, many in found.items():
        numbers[ends[place]] += many
    return numbers
