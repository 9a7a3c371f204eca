"""Procedures inside procedures, as a stack of frames in the position.

A route that is stopped by fire, which requires a test, which may end the route: each of these is a frame, ``(kind,
*plain values)``, and the current one is on top. A run of the book's ``step`` takes the top frame, lets its procedure do
*one* thing (ask, roll, apply), and the procedure pushes the next frames. So every run ends at a boundary: copies for
thinking stay cheap in the longest activation, a battle can be rebuilt from the bytes of its position at any boundary,
and "stops where it is" removes frames from the stack.

Note: the frame of a procedure names its cause if the rules of the cause are cited later, because the journal sees only
the running frame; and ``declared`` must not stand in a book's ``heeds`` for the sake of frames.

Stated by: e3m fire/opportunity-* vehicles/overrun* vehicles/path-assault*, wzr close-combat/counter-charge-*
vehicles/ram-*, w10 out-of-phase/limits fight-phase/*.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from campale.referee.position import Position
from campale.referee.refusal import Plain

DOING = "doing"
"""The declaration of the position that holds the stack; the current frame is the last one."""

Frame = tuple[Plain, ...]
Procedure = Callable[..., Coroutine[Any, Any, None]]
"""``procedure(position, *values)`` does one thing of a frame with these values."""


def stack(position: Position) -> tuple[Frame, ...]:
    """The frames, the current one last."""
    found: tuple[Frame, ...] = position.declared.get(DOING, ())
    return found


def is_busy(position: Position) -> bool:
    """Whether a procedure is in progress: players look ahead to its end (``Ruleset.is_amid``)."""
    return bool(stack(position))


def push(position: Position, *frames: Frame) -> None:
    """Put frames on top; the first of those given runs first."""
    position.declare(DOING, (*stack(position), *reversed(frames)))


def drop(position: Position, is_over: Callable[[Frame], bool]) -> None:
    """Remove every frame for which ``is_over`` holds."""
    position.declare(DOING, tuple(frame for frame in stack(position) if not is_over(frame)) or None)


async def run_top(position: Position, procedures: Mapping[str, Procedure]) -> bool:
    """Do one thing of the current frame. False: there is none. Raises KeyError for a kind without a procedure."""
    frames = stack(position)
    if not frames:
        return False
    position.declare(DOING, frames[:-1] or None)
    kind, *values = frames[-1]
    await procedures[str(kind)](position, *values)
    return True


async def run_all(position: Position, procedures: Mapping[str, Procedure]) -> None:
    """Run all frames without a boundary: for odds, and for tests."""
    while await run_top(position, procedures):
        pass
