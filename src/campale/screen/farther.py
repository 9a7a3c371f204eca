"""A drag beyond what one action covers: the same drag becomes another action that brings the model farther, or back.

The words of a book name such actions under ``farther.<prompt>``, the shortest first: a walk, then a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from campale.referee.asking import NOT_OFFERED
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.dragging import Drag, read, rows_of
from campale.screen.moving import Planned, planned
from campale.screen.sheet import at_path

FARTHER = "farther"
THERE = 0.05
"""So near to where it is wanted a model has arrived."""

Way = Sequence[Sequence[Plain]]
Wish = Sequence[Sequence[Any]]


class Farther(NamedTuple):
    """The plan, and the path to its question if that is another than the one asked."""

    plan: Planned
    path: list[list[Plain]] | None = None


def planned_farther(
    question: Question, path: Way, position: Position, teller: Teller, wish: Wish, kept: Plain
) -> Farther:
    """A plan for the first of the actions that reaches the wish, or for the one that comes nearest. Raises Astray.

    Nobody is told of another action that does not bring the model nearer.
    """
    field = at_path(question, path)
    if field is None:
        return Farther(Planned(None, question.citing(NOT_OFFERED)))
    asked = Farther(planned(field, position, wish, kept))
    if not read(field, wish):
        return asked
    best, least = asked, off(field, position, wish, asked.plan)
    for other, is_shorter in others(question, path, field, teller):
        its_own = at_path(question, other)
        if its_own is None or (not is_shorter and least <= THERE):
            continue
        plan = planned(its_own, position, wish, None)
        far = off(its_own, position, wish, plan)
        if far <= THERE if is_shorter else far < least - THERE:
            best, least = Farther(plan, [list(answers) for answers in other]), far
        if is_shorter and best is not asked:
            break
    return best


def others(question: Question, path: Way, field: Question, teller: Teller) -> Iterator[tuple[Way, bool]]:
    """The same path with other lawful actions at its end, and whether they are shorter; the shortest first."""
    if not path or not path[-1]:
        return
    chosen, taken = at_path(question, [*path[:-1], path[-1][:-1]]), path[-1][-1]
    names = teller.words.messages.get(f"{FARTHER}.{chosen.prompt}", "").split() if isinstance(chosen, Choose) else []
    for place, name in enumerate(names if taken in names else ()):
        if name == taken or chosen is None or chosen.refusal(name) is not None:
            continue
        other = [*path[:-1], [*path[-1][:-1], name]]
        leads = at_path(question, other)
        if leads is not None and rows_of(leads) == rows_of(field):
            yield other, place < names.index(str(taken))


def off(field: Question, position: Position, wish: Wish, plan: Planned) -> float:
    """How far from where they are wanted the models would end."""
    drag = Drag(field, position, read(field, wish), None)
    return drag.at_start() if plan.answer is None or plan.refusal is not None else drag.left(plan.answer)
