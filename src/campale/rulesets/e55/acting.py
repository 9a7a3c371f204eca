"""What a side may choose to do while a phase is its own: one menu, every line of it refused with its rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from campale.referee.ask import choose
from campale.referee.position import Position
from campale.referee.refusal import Fault, Refusal, first_refusal

DONE_KEY = ("done",)
SELDOM = 0.1
"""How a sample of a menu is drawn: a phase seldom ends while something may still be done."""

Key = tuple[Any, ...]
"""The name of an act, then the rows and words that say with whom and how."""

Forbids = Callable[[Position, Key], Fault | None]


class Act(NamedTuple):
    """Something that may be done in some phases: ``candidates`` lists it for every unit, allowed or not.

    ``odds``: how often it comes up where a line of the menu is drawn at random, the usual act having 1; it may hang
    on the line.
    """

    name: str
    phases: tuple[str, ...]
    candidates: Callable[[Position, int], list[Key]]
    restrictions: tuple[Forbids, ...]
    carry_out: Callable[[Position, Key], Awaitable[None]]
    odds: float | Callable[[Position, Key], float] = 1.0


def refusal_of(position: Position, key: Key) -> Refusal | Fault | None:
    """Why a line of the menu cannot be chosen now."""
    if key == DONE_KEY:
        return None
    act: Act = position.ruleset.book.acts[key[0]]
    return first_refusal(act.restrictions, position, key)


def menu(position: Position, phase: str) -> list[Key]:
    """All the lines of a phase, the forbidden ones too; the first is that nothing more is done."""
    side = int(position.now["side"])
    acts: tuple[Act, ...] = tuple(position.ruleset.book.acts.values())
    return [DONE_KEY, *(key for act in acts if phase in act.phases for key in act.candidates(position, side))]


def odds_of(position: Position, lines: list[Key]) -> dict[Key, float]:
    return {key: SELDOM if key == DONE_KEY else odds_of_line(position, key) for key in lines}


def odds_of_line(position: Position, key: Key) -> float:
    odds = position.ruleset.book.acts[key[0]].odds
    return float(odds(position, key) if callable(odds) else odds)


async def act_in_phase(position: Position, phase: str) -> bool:
    """The active player does one thing, or says that nothing more is done; whether more may follow."""
    side, lines = int(position.now["side"]), menu(position, phase)
    odds = odds_of(position, lines)
    key = await choose(side, phase, lines, of="act", forbids=lambda one: refusal_of(position, one), odds=odds)
    if key == DONE_KEY:
        return False
    act: Act = position.ruleset.book.acts[key[0]]
    await act.carry_out(position, key)
    return True
