"""The acts that a side may choose in its own phase: one menu, in which each forbidden line names its rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from campale.referee.ask import ask
from campale.referee.asking import MOST_SUGGESTIONS
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal

DONE_KEY = ("done",)
SELDOM, USUAL = 0.1, 1.0
"""Weights for sampling a line of the menu: a phase seldom ends while a usual act is still possible."""

Key = tuple[Any, ...]
"""The name of an act, then the row of the unit that does it, then its target and details: one of the classes below."""


class OfUnit(NamedTuple):
    """An act of a unit."""

    act: str
    unit: int


class Aimed(NamedTuple):
    """An act of a unit on another unit; -1 if there is no target."""

    act: str
    unit: int
    target: int


class OfModel(NamedTuple):
    """An act of one model of the unit, or an act that concerns one model, such as the transport."""

    act: str
    unit: int
    model: int


class OfPlace(NamedTuple):
    """An act of a model with one of its powers or weapons, given by its index in the profile."""

    act: str
    unit: int
    model: int
    place: int


class Driven(NamedTuple):
    """A vehicle's move at a given speed."""

    act: str
    unit: int
    model: int
    speed: int


def unit_of(position: Position, key: Key) -> Unit:
    return Unit(position, int(key[1]))


def model_of(position: Position, key: Key) -> Model:
    return position.model(int(key[2]))


Forbids = Callable[[Position, Key], Fault | None]


class Act(NamedTuple):
    """Something that may be done in some phases: ``candidates`` lists it for every unit, allowed or not.

    ``odds``: how often it comes up when a line of the menu is drawn at random, the usual act having 1. It may depend on
    the line.
    """

    name: str
    phases: tuple[str, ...]
    candidates: Callable[[Position, int], list[Key]]
    restrictions: tuple[Forbids, ...]
    carry_out: Callable[[Position, Key], Awaitable[None]]
    odds: float | Callable[[Position, Key], float] = 1.0


def refusal_of(position: Position, key: Key) -> Refusal | Fault | None:
    """Return why a line of the menu cannot be chosen now."""
    if key == DONE_KEY:
        return None
    kept, known_by = position.cache, ("line", *moment(position), key)
    if known_by not in kept:
        act: Act = position.ruleset.book.acts[key[0]]
        kept[known_by] = first_refusal(act.restrictions, position, key)
    found: Refusal | None = kept[known_by]
    return found


def moment(position: Position) -> tuple[Any, ...]:
    """Return what menus depend on besides the state that drops the cache, so that cached lines serve again later."""
    return position.now.get("phase"), position.now.get("turn"), position.now.get("side")


def menu(position: Position, phase: str) -> list[Key]:
    """Return all the lines of a phase, the forbidden ones too; the first line ends the phase."""
    kept, known_by = position.cache, ("menu", *moment(position), phase)
    if known_by not in kept:
        side, acts = int(position.now["side"]), tuple(position.ruleset.book.acts.values())
        lines = (key for act in acts if phase in act.phases for key in act.candidates(position, side))
        kept[known_by] = (DONE_KEY, *lines)
    return list(kept[known_by])


class Odds(Mapping[Plain, float]):
    """How often each line of a menu comes up: computed on demand, then cached."""

    __slots__ = ("known", "lines", "position")

    def __init__(self, position: Position, lines: list[Key]) -> None:
        self.position, self.lines = position, lines
        self.known: dict[Key, float] = position.cache.setdefault(("odds", *moment(position)), {})

    def __getitem__(self, key: Key) -> float:
        if key not in self.known:
            self.known[key] = SELDOM if key == DONE_KEY else odds_of_line(self.position, key)
        return self.known[key]

    def get(self, key: Key, default: Any = None) -> Any:
        """As of any mapping: every line has its odds."""
        found = self.known.get(key)
        return self[key] if found is None else found

    def __iter__(self) -> Iterator[Key]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


def odds_of_line(position: Position, key: Key) -> float:
    odds = position.ruleset.book.acts[key[0]].odds
    return float(odds(position, key) if callable(odds) else odds)


class Menu(Choose):
    """The lines of a phase. It suggests the usual acts as long as any are left, then the end of the phase."""

    __slots__ = ()

    def suggestions(self) -> list[Plain]:
        odds = self._odds or {}
        usual = (key for key in self.lawful() if odds.get(key, 1.0) >= USUAL)
        return [*islice(usual, MOST_SUGGESTIONS - 1), DONE_KEY]


async def act_in_phase(position: Position, phase: str) -> bool:
    """Let the active player do one thing or end the phase; return whether more may follow."""
    side, lines = int(position.now["side"]), menu(position, phase)
    odds = Odds(position, lines)
    question = Menu(side, phase, lines, "act", partial(refusal_of, position), odds=odds)
    is_open = len(tuple(islice(question.lawful(), 2))) > 1
    key = await ask(question) if is_open else DONE_KEY
    if key == DONE_KEY:
        return False
    act: Act = position.ruleset.book.acts[key[0]]
    await act.carry_out(position, key)
    position.dropped("act")
    return True
