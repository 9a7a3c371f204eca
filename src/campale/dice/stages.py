"""An attack as a tuple of stages over plain values: shots, hits, wounds, unsaved, losses, one after another.

The exact odds (campale.dice.odds) run every stage but the last apart, on values of which equal ones are merged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextvars import ContextVar
from types import coroutine
from typing import Any

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
