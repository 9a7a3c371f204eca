"""Procedures inside procedures, as a stack of frames in the position.

A route that is stopped by fire, which calls for a test, which may end the route: each of these is a frame, ``(kind,
*plain values)``, and what is in hand lies on top. A run of the book's ``step`` takes the top frame, lets its procedure
do *one* thing (ask, roll, apply), and the procedure pushes what follows. So every run ends at a boundary: copies made
for thinking stay cheap in the longest activation, a battle is rebuilt from the bytes of its position at any of them,
and "stops where it is" takes frames out of the stack.

Mind: the frame of a procedure names its cause where the rules of that one are told later, for the journal sees only
the frame that runs; and ``declared`` must not stand in a book's ``heeds`` for the sake of frames.

Stated by: e3m fire/opportunity-* vehicles/overrun* vehicles/path-assault*, wzr close-combat/counter-charge-*
vehicles/ram-*, w10 out-of-phase/limits fight-phase/*.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from campale.referee.position import Position
from campale.referee.refusal import Plain

DOING = "doing"
"""The declaration of the position that holds the stack; the frame in hand is the last of it."""

Frame = tuple[Plain, ...]
Procedure = Callable[..., Coroutine[Any, Any, None]]
"""``procedure(position, *values)`` does one thing of a frame with these values."""


def stack(position: Position) -> tuple[Frame, ...]:
    """The frames, what is in hand last."""
    found: tuple[Frame, ...] = position.declared.get(DOING, ())
    return found


def is_busy(position: Position) -> bool:
    """Whether a procedure is under way: players look on to its end (``Ruleset.is_amid``)."""
    return bool(stack(position))


def push(position: Position, *frames: Frame) -> None:
    """Put frames on top; the first of those given is in hand first."""
    position.declare(DOING, (*stack(position), *reversed(frames)))


def drop(position: Position, is_over: Callable[[Frame], bool]) -> None:
    """Take out every frame that has come to nothing."""
    position.declare(DOING, tuple(frame for frame in stack(position) if not is_over(frame)) or None)


async def run_top(position: Position, procedures: Mapping[str, Procedure]) -> bool:
    """Do one thing of what is in hand. False: nothing is. Raises KeyError for a kind that has no procedure."""
    frames = stack(position)
    if not frames:
        return False
    position.declare(DOING, frames[:-1] or None)
    kind, *values = frames[-1]
    await procedures[str(kind)](position, *values)
    return True


async def run_all(position: Position, procedures: Mapping[str, Procedure]) -> None:
    """Do all that is in hand, without a boundary: for odds, and for tests."""
    while await run_top(position, procedures):
        pass
