"""An attack as a tuple of stages over plain values: shots, hits, wounds, unsaved, losses, one after another.

The exact odds (campale.dice.odds) run every stage but the last separately, and merge equal values.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Hashable, Iterable, Sequence
from contextvars import ContextVar
from functools import partial
from types import coroutine
from typing import Any, NamedTuple

Stage = Callable[[Any], Awaitable[Any]]

MERGING: ContextVar[bool] = ContextVar("MERGING", default=False)
"""Whether the enumerator of exact odds runs the coroutines: it needs to know the stages."""


class Staged:
    """Message to the enumerator: these stages are about to be played from this value."""

    __slots__ = ("stages", "value")

    def __init__(self, stages: tuple[Stage, ...], value: Any) -> None:
        self.stages = stages
        self.value = value


@coroutine
def told(staged: Staged) -> Generator[Staged, None, None]:
    yield staged


async def through(stages: tuple[Stage, ...], value: Any) -> Any:
    """Play an attack stage by stage. Returns the result of the last stage.

    A stage takes a value and returns a value; values must be hashable (frozen structs and tuples of them), and a stage
    knows the earlier stages only through its value. Only the last stage changes the position.

    A stage that rolls for one thing after another should give each its own ``through((save,), hit)``: then the odds
    have one branch for each possible end, instead of one for each die.
    """
    if MERGING.get():
        await told(Staged(stages, value))
    for stage in stages:
        value = await stage(value)
    return value


class Unfolded:
    """A stage that consists of several: ``parts(value)`` are the first value and the stages.

    Play runs all of them; the odds go from one to the next, without running it as a whole.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Callable[[Any], tuple[Any, Sequence[Stage]]]) -> None:
        self.parts = parts

    async def __call__(self, value: Any) -> Any:
        begun, stages = self.parts(value)
        return await through(tuple(stages), begun)


class Unplaced(BaseException):
    """A rule reads a die by its place in a roll that only gives the numbers of equivalent dice."""


class Peeked(BaseException):
    """A rule looks at the faces of a roll that only gives successes. This never happens in a game."""


# ---------------------------------------------------------------- an attack as stages over things


class Each(NamedTuple):
    """Independent things: ``of(position, things, *given)`` gives the results of all of them.

    ``left(position, given)``, with the result of ``of``: the things with which the odds continue after a stage that
    changes the position; without it a stage changes nothing. ``known_by(position, thing)``: a key of everything that
    the result of a thing depends on; odds of several positions share results by it.
    """

    name: str
    of: Callable[..., Awaitable[Iterable[Any]]]
    given: tuple[Any, ...] = ()
    left: Callable[[Any, Any], Iterable[Any]] | None = None
    known_by: Callable[[Any, Any], Hashable] | None = None

    async def played(self, position: Any, things: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(await self.of(position, things, *self.given))


class All(NamedTuple):
    """Things that depend on each other: ``of`` and ``left`` as in ``Each``, for all things together.

    ``alone(position, things)``: whether things of these kinds are independent of each other. ``heeds(thing)``: whether
    the stage looks at a thing at all; others pass it unchanged. ``most``: the number of things after which further ones
    make no difference.
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
    """The part of a position that matters for the next thing of a ``Fold``.

    ``read`` reads it for the odds, ``write`` sets it in a copy.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any, Any], None]


class Fold(NamedTuple):
    """One thing after another: ``one(position, so_far, thing, *given)`` gives the total after it.

    Only the final total is left. ``state``: if each thing changes the position, the part that matters for the next one;
    then that state is left.
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
    """Things that go through stages of their own: those with the same key, ``by(position, thing)``, together.

    ``of(position, thing)``: the things that one consists of; ``stages(position, key)``: the stages they go through.
    ``joined(key)``: whether several things of a key may belong together. After parts, only stages that look at each
    thing alone may follow.
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
    """Play an attack. Returns the result of its last stage. Only the last stage may change the position."""
    given: tuple[Any, ...] = await through(tuple(partial(one.played, position) for one in stages), tuple(things))
    return given
