"""Phases one after another, as data; one activation per run (e55 3/phases, ragnarok turn/phases, e3m setup/*)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from campale.referee.position import Position

Phase = Callable[[Position], Awaitable[bool]]
"""Does one activation of a phase. Returns whether more is left in it."""


async def run_phase(
    position: Position, phases: Mapping[str, Phase], begin: Callable[[Position, str | None], None]
) -> bool:
    """Run one activation of the current phase (``now["phase"]``).

    Returns whether the battle goes on. When the phase is over, ``begin`` is called with the next one; after the last
    phase with None.
    """
    phase = str(position.now["phase"])
    if not await phases[phase](position) and position.result is None:
        begin(position, next_of(tuple(phases), phase))
    return position.result is None


def begin_turn_again(position: Position, following: str | None, first: str) -> None:
    """Begin the following phase; after the last one, the next turn (``now["turn"]``) with the phase ``first``."""
    position.now["phase"] = following or first
    if position.now["phase"] == first:
        position.now["turn"] = int(position.now.get("turn", 0)) + 1
        position.write("round", round=position.now["turn"])


def turn_of(position: Position) -> int:
    """The turn in ``now`` (``Ruleset.turn``)."""
    return int(position.now.get("turn", 0))


def next_of(names: Sequence[str], name: str) -> str | None:
    """The name after this one; None after the last."""
    number = names.index(name) + 1
    return names[number] if number < len(names) else None


def begin_player_turn(position: Position) -> int:
    """Begin the next side's turn (``now["first"]`` has the odd turns); two turns are a round. Returns the side."""
    turn = int(position.now.get("turn", 0)) + 1
    first = int(position.now["first"])
    side = first if turn % 2 == 1 else 1 - first
    position.now.update(turn=turn, round=round_of(turn), side=side)
    position.write("turn", side=side, round=round_of(turn))
    return side


def round_of(turn: int) -> int:
    """The round of a player turn, both counted from 1; 0 before the first turn."""
    return (turn + 1) // 2
