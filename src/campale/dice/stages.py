"""An attack as a tuple of stages over plain values: shots, hits, wounds, unsaved, losses, one after another.

The exact odds (campale.dice.odds) run every stage but the last apart, on values of which equal ones are merged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Hashable, Iterable, Sequence
from contextvars import ContextVar
from functools import partial
from types import coroutine
from typing import Any, NamedTuple

Stage = Callable[[Any], Awaitable[Any]]

MERGING: ContextVar[bool] = ContextVar("MERGING", default=False)
"""Whether the coroutines that run are run by the enumerator of exact odds, which wants to know of stages."""


class Staged:
    """Told to the enumerator: these stages are about to be played from this value."""

    __slots__ = ("stages", "value")

    def __init__(self, stages: tuple[Stage, ...], value: Any) -> None:
        self.stages = stages
        self.value = value


@coroutine
def told(staged: Staged) -> Generator[Staged, None, None]:
    yield staged


async def through(stages: tuple[Stage, ...], value: Any) -> Any:
    """Play an attack stage by stage; what the last one gives.

    A stage takes a value and gives a value; values can be hashed (frozen structs and tuples of them), and a stage
    knows of the stages before it through its value alone. Only the last stage changes the position.

    A stage that rolls for one thing after another does well to give each its own ``through((save,), hit)``: then the
    odds go on with one branch for each way in which it can end, instead of one for each die on the way.
    """
    if MERGING.get():
        await told(Staged(stages, value))
    for stage in stages:
        value = await stage(value)
    return value


class Unfolded:
    """A stage that is itself several: ``parts(value)`` are the value with which they begin, and they.

    Played it goes through them; the odds go from one to the next, without running it as a whole.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Callable[[Any], tuple[Any, Sequence[Stage]]]) -> None:
        self.parts = parts

    async def __call__(self, value: Any) -> Any:
        begun, stages = self.parts(value)
        return await through(tuple(stages), begun)


class Unplaced(BaseException):
    """A rule reads a die by its place in a roll of which only the number of like dice is told."""


class Peeked(BaseException):
    """A rule looks at the faces of a roll of which it was told successes only. It never reaches a game."""


# ---------------------------------------------------------------- an attack as stages over things


class Each(NamedTuple):
    """Things that do not look at each other: ``of(position, things, *given)`` gives what becomes of all of them.

    ``left(position, what of() gave)``: the things that the odds go on with after a stage that changes the position;
    without it a stage changes nothing. ``known_by(position, thing)``: all that what becomes of a thing depends on,
    whatever the position; odds of several positions share what was found by it.
    """

    name: str
    of: Callable[..., Awaitable[Iterable[Any]]]
    given: tuple[Any, ...] = ()
    left: Callable[[Any, Any], Iterable[Any]] | None = None
    known_by: Callable[[Any, Any], Hashable] | None = None

    async def played(self, position: Any, things: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(await self.of(position, things, *self.given))


class All(NamedTuple):
    """Things that depend on each other: ``of`` and ``left`` as in ``Each``, of all things together.

    ``alone(position, things)``: whether of things of these kinds each may go its way as if it were alone.
    ``heeds(thing)``: whether it looks at a thing at all; others pass it unchanged. ``most``: how many things there are
    after which further ones make no difference.
    """

    name: str
    of: Callable[..., Awaitable[Iterable[Any]]]
    given: tuple[Any, ...] = ()
    left: Callable[[Any, Any], Iterable[Any]] | None = None
    alone: Callable[[Any, Sequence[Any]], bool] | None = None
    heeds: Callable[[Any], bool] | None = None
    most: int | None = None

    async def played(self, position: Any, things: tuple[Any, ...]) -> tuple[Any, ...]:
        passing = () if self.heeds is None else tuple(one for one in things if not self.heeds(one))
        heeded = things if self.heeds is None else tuple(filter(self.heeds, things))
        return (*await self.of(position, heeded, *self.given), *passing)


class State(NamedTuple):
    """What of a position tells for the next thing of a ``Fold``: how the odds read it, and put it into a copy."""

    read: Callable[[Any], Any]
    write: Callable[[Any, Any], None]


class Fold(NamedTuple):
    """One thing after another: ``one(position, so_far, thing, *given)`` gives what there is after it.

    What there is at the end is all that it leaves. ``state``: where each thing changes the position, what of it tells
    for the next one; it is then that state which is left.
    """

    name: str
    begin: Any
    one: Callable[..., Awaitable[Any]]
    given: tuple[Any, ...] = ()
    state: State | None = None

    async def played(self, position: Any, things: tuple[Any, ...]) -> tuple[Any, ...]:
        so_far = self.begin
        for thing in things:
            so_far = await self.one(position, so_far, thing, *self.given)
        return (so_far,)


class Parts(NamedTuple):
    """Things that go through stages of their own: together those with the same key, ``by(position, thing)``.

    ``of(position, thing)``: the things that one consists of; ``stages(position, key)``: what they go through.
    ``joined(key)``: whether there may be several of a key that belong together. After parts only stages follow that
    look at each thing alone.
    """

    name: str
    by: Callable[[Any, Any], Hashable]
    of: Callable[[Any, Any], Iterable[Any]]
    stages: Callable[[Any, Any], tuple[AnyStage, ...]]
    joined: Callable[[Any], bool] | None = None

    async def played(self, position: Any, things: tuple[Any, ...]) -> tuple[Any, ...]:
        parts: dict[Hashable, list[Any]] = {}
        for thing in things:
            parts.setdefault(self.by(position, thing), []).append(thing)
        found: list[Any] = []
        for key, several in parts.items():
            inner = [one for thing in several for one in self.of(position, thing)]
            found += await play(position, self.stages(position, key), inner)
        return tuple(found)


AnyStage = Each | All | Fold | Parts


async def play(position: Any, stages: Sequence[AnyStage], things: Iterable[Any]) -> tuple[Any, ...]:
    """Play an attack: what its last stage leaves. Only the last may change the position."""
    given: tuple[Any, ...] = await through(tuple(partial(one.played, position) for one in stages), tuple(things))
    return given
