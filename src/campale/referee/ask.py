"""The verbs with which a rule asks: ``await choose(side, ...)``. A question with one legal answer is not asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Mapping, Sequence
from itertools import islice
from types import coroutine
from typing import Any

from campale.dice.needs import Need
from campale.dice.stages import through
from campale.referee.chance import Direction, Draw, Roll, Rolled, face_of, met
from campale.referee.question import Choose, Form, Number, Order, Question, Together, keyed
from campale.referee.refusal import Fault, Plain, Refusal

__all__ = [
    "ask",
    "choose",
    "confirm",
    "direction",
    "draw",
    "fill_in",
    "number",
    "order",
    "reroll",
    "roll",
    "roll_for",
    "through",
    "together",
]


@coroutine
def ask(question: Question | Together) -> Generator[Question | Together, Any, Any]:
    """Put the question. Returns what the question makes of the legal answer."""
    return (yield question)


async def choose(
    side: int,
    prompt: str,
    candidates: Sequence[Plain],
    of: str = "word",
    forbids: Callable[[Any], Fault | Refusal | None] | None = None,
    always: bool = False,
    odds: Mapping[Plain, float] | None = None,
    closed: Callable[[], Mapping[Plain, Fault | Refusal | None]] | None = None,
    **about: Plain,
) -> Any:
    """One of the candidates that nothing forbids. ``always``: asked even with one candidate, so as not to betray a
    secret.

    ``odds``: which keys a sample draws more often or less often than the others; ``closed``: further keys that cannot
    be chosen, with the reasons (see ``Choose``).
    """
    question = Choose(side, prompt, candidates, of, forbids, about, odds=odds, closed=closed)
    first = tuple(islice(question.lawful(), 2))
    if not first:
        raise ValueError(f"'{prompt}' leaves side {side} nothing to choose")
    return first[0] if len(first) == 1 and not always else await ask(question)


async def confirm(side: int, prompt: str, **about: Plain) -> bool:
    """Yes or no."""
    return bool(await ask(Choose(side, prompt, ("yes", "no"), about=about)) == "yes")


async def order(
    side: int,
    prompt: str,
    items: Sequence[Plain],
    of: str = "model",
    kinds: Sequence[Any] | None = None,
    **about: Plain,
) -> list[Any]:
    """The items in the order that the side wants. ``kinds``: what distinguishes them; if nothing does, it is not
    asked."""
    if len(items) < 2 or (kinds is not None and all(kind == kinds[0] for kind in kinds)):
        return [keyed(one) for one in items]
    ordered: list[Any] = await ask(Order(side, prompt, items, of, about))
    return ordered


async def number(side: int, prompt: str, low: int, high: int, suggested: Sequence[int] = (), **about: Plain) -> int:
    """A whole number between two, both included."""
    if low > high:
        raise ValueError(f"'{prompt}' leaves side {side} no number from {low} to {high}")
    return low if low == high else int(await ask(Number(side, prompt, low, high, about, suggested)))


async def fill_in(
    side: int,
    prompt: str,
    fields: Callable[[list[Any]], Question | None],
    idle: list[Plain] | None = None,
    **about: Plain,
) -> list[Any]:
    """A form: several answers given together.

    A form without fields is not asked. ``idle`` is the answer that does nothing, if there is one.
    """
    form = Form(side, prompt, fields, about, idle)
    if form.after([]) is None:
        return []
    filled: list[Any] = await ask(form)
    return filled


async def together(questions: dict[int, Question]) -> dict[int, Any]:
    """One question to each side, secretly and at the same time."""
    if not questions:
        return {}
    answers: dict[int, Any] = await ask(Together(questions))
    return answers


async def roll(
    side: int,
    why: str,
    count: int = 1,
    sides: int = 6,
    needed: Need | None = None,
    tells: tuple[tuple[int, ...], ...] = (),
    **about: Plain,
) -> Rolled:
    """A handful of dice. ``tells`` groups the faces that are the same to the rule (for exact odds).

    With several dice a rule may ask how many show a face, not which ones: use ``roll_for`` for that. With
    ``total=True`` the dice are added, and the rule uses only their sum: then ``tells`` groups sums.
    """
    if count <= 0:
        return Rolled((), needed)
    rolled: Rolled = await ask(Roll(side, why, count, sides, needed, tells, about))
    return rolled


async def roll_for(
    side: int,
    why: str,
    things: Sequence[Any],
    needed: Need | None = None,
    sides: int = 6,
    tells: tuple[tuple[int, ...], ...] = (),
    **about: Plain,
) -> Rolled:
    """A handful of dice, one for each of some things, in their order: each die may be read for its thing.

    Things are plain values, equal if nothing distinguishes them: exact odds merge the dice of equal things that are
    adjacent. ``tells``: see ``roll``.
    """
    if not things:
        return Rolled((), needed)
    rolled: Rolled = await ask(Roll(side, why, len(things), sides, needed, tells, about, tuple(things)))
    return rolled


async def reroll(
    side: int,
    why: str,
    rolled: Rolled,
    which: str | Collection[int] = "failures",
    sides: int = 6,
    tells: tuple[tuple[int, ...], ...] = (),
    **about: Plain,
) -> Rolled:
    """The dice after re-rolling those that failed, succeeded, "all", or show a face of a collection.

    No die is re-rolled twice, however often this is called.
    """
    places = tuple(place for place in range(rolled.count) if place not in rolled.again and picked(rolled, place, which))
    if not places:
        return rolled
    things = [rolled.things[place] for place in places] if rolled.things else [None] * len(places)
    anew = await roll_for(side, why, things, rolled.needed, sides, tells, **about)
    return rolled.with_again(places, anew)


def picked(rolled: Rolled, place: int, which: str | Collection[int]) -> bool:
    if not isinstance(which, str):
        return face_of(rolled, place) in which
    if which not in {"all", "failures", "successes"}:
        raise ValueError(f"which dice are rolled again: all, failures, successes or faces, not '{which}'")
    return which == "all" or met(rolled)[place] == (which == "successes")


async def direction(
    side: int, why: str, step: float = 1.0, tells: Callable[[], Sequence[Hashable]] | None = None, **about: Plain
) -> float:
    """A random direction in degrees, in whole steps. ``tells``: see ``Direction`` (for exact odds)."""
    return float(await ask(Direction(side, why, step, about, tells)))


async def draw(side: int | None, why: str, pool: Sequence[Plain], count: int = 1, **about: Plain) -> list[Any]:
    """Some things drawn at random without replacement, in the order drawn."""
    if count > len(pool):
        raise ValueError(f"'{why}' cannot draw {count} of {len(pool)}")
    if count <= 0:
        return []
    drawn: list[Any] = await ask(Draw(side, why, pool, count, about))
    return drawn
