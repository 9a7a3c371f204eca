"""What a side may choose to do while a phase is its own: one menu, every line of it refused with its rule."""

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
"""How a sample of a menu is drawn: a phase seldom ends while something may still be done."""

Key = tuple[Any, ...]
"""The name of an act, then the row of the unit that does it, and what else says with whom and how: one of these."""


class OfUnit(NamedTuple):
    """A unit does it."""

    act: str
    unit: int


class Aimed(NamedTuple):
    """A unit does it to another; -1: there is none to do it to."""

    act: str
    unit: int
    target: int


class OfModel(NamedTuple):
    """A model of the unit does it, or it is done with a model: the transport, say."""

    act: str
    unit: int
    model: int


class OfPlace(NamedTuple):
    """A model does it with one of its powers or weapons, by its place in the profile."""

    act: str
    unit: int
    model: int
    place: int


class Driven(NamedTuple):
    """A vehicle goes at a speed."""

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
    kept, known_by = position.cache, ("line", *moment(position), key)
    if known_by not in kept:
        act: Act = position.ruleset.book.acts[key[0]]
        kept[known_by] = first_refusal(act.restrictions, position, key)
    found: Refusal | None = kept[known_by]
    return found


def moment(position: Position) -> tuple[Any, ...]:
    """What menus hang on besides the state that drops the cache: lines are kept for whoever comes back to them."""
    return position.now.get("phase"), position.now.get("turn"), position.now.get("side")


def menu(position: Position, phase: str) -> list[Key]:
    """All the lines of a phase, the forbidden ones too; the first is that nothing more is done."""
    kept, known_by = position.cache, ("menu", *moment(position), phase)
    if known_by not in kept:
        side, acts = int(position.now["side"]), tuple(position.ruleset.book.acts.values())
        lines = (key for act in acts if phase in act.phases for key in act.candidates(position, side))
        kept[known_by] = (DONE_KEY, *lines)
    return list(kept[known_by])


class Odds(Mapping[Plain, float]):
    """How often each line of a menu comes up, found when it is asked for; what was found is kept."""

    __slots__ = ("known", "lines", "position")

    def __init__(self, position: Position, lines: list[Key]) -> None:
        self.position, self.lines = position, lines
        self.known: dict[Key, float] = position.cache.setdefault(("odds", *moment(position)), {})

    def __getitem__(self, key: Key) -> float:
        if key not in self.known:
            self.known[key] = SELDOM if key == DONE_KEY else odds_of_line(self.position, key)
        return self.known[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


def odds_of_line(position: Position, key: Key) -> float:
    odds = position.ruleset.book.acts[key[0]].odds
    return float(odds(position, key) if callable(odds) else odds)


class Menu(Choose):
    """The lines of a phase. Proposed is what is usually done, as long as some of it is left, then nothing more."""

    __slots__ = ()

    def suggestions(self) -> list[Plain]:
        odds = self._odds or {}
        usual = (key for key in self.lawful() if odds.get(key, 1.0) >= USUAL)
        return [*islice(usual, MOST_SUGGESTIONS - 1), DONE_KEY]


async def act_in_phase(position: Position, phase: str) -> bool:
    """The active player does one thing, or says that nothing more is done; whether more may follow."""
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
