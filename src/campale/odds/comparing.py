"""Several queries side by side, and the order of fire that does best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Literal

import msgspec

from campale.odds.answers import Answer, answered
from campale.odds.form import Form, filled_in
from campale.odds.troubles import QueryError, Trouble
from campale.referee.ruleset import Ruleset

MOST_SIDE_BY_SIDE = 24
MOST_ENTRIES = 5
SAME = 1e-12

Aim = Literal["losses", "wipe-out"]
AIMS: tuple[Aim, ...] = ("losses", "wipe-out")
Varied = Mapping[str, Sequence[Any]]
"""Fields, each with the values that it has one after another."""


class Compared(msgspec.Struct, frozen=True):
    """Queries that differ in some fields: what each has in them, and what comes of it."""

    fields: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]


class Ordered(msgspec.Struct, frozen=True):
    """Orders of fire, the best first: the weapons as the form has them, and what is aimed at.

    ``matters``: whether there is any difference between them.
    """

    aim: Aim
    orders: tuple[tuple[str, float], ...]
    best: Answer
    matters: bool


def side_by_side(ruleset: Ruleset, written: Mapping[str, Any], varied: Varied) -> Compared:
    """Every combination of the values. Raises QueryError, for too many of them too."""
    count = 1
    for several in varied.values():
        count *= len(several)
    if not 1 <= count <= MOST_SIDE_BY_SIDE:
        raise QueryError(Trouble("too-many-compared", "", {"count": count, "most": MOST_SIDE_BY_SIDE}))
    answers = []
    for values in product(*varied.values()):
        answers.append(answered(ruleset, {**written, **dict(zip(varied, values, strict=True))}))
    columns = tuple(tuple(one.values.get(name, "") for name in varied) for one in answers)
    return Compared(tuple(varied), columns, tuple(answers))


def best_order(ruleset: Ruleset, written: Mapping[str, Any], aim: Aim = "losses") -> Ordered:
    """All orders of the weapons tried: the greatest mean of losses, or the likeliest to leave nobody."""
    form, _ = filled_in(ruleset, written)
    entries = entries_of(form)
    found: list[tuple[float, Answer]] = []
    for order in orders_of(entries):
        answer = answered(ruleset, {**written, "weapons": [list(one) for one in order]})
        found.append((value_of(answer, aim), answer))
    found.sort(key=lambda one: -one[0])
    values = [value for value, _ in found]
    told = tuple((answer.values["weapons"], value) for value, answer in found)
    return Ordered(aim, told, found[0][1], max(values) - min(values) > SAME)


def entries_of(form: Form) -> list[Any]:
    """The entries of the weapons; each is moved as a whole."""
    return [tuple(one) for one in form.values.get("weapons", [])]


def orders_of(entries: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The orders that differ, that in which they were written first."""
    if len(entries) > MOST_ENTRIES:
        raise QueryError(Trouble("too-many-orders", "weapons", {"most": MOST_ENTRIES}))
    return iter(dict.fromkeys(permutations(entries)))


def value_of(answer: Answer, aim: Aim) -> float:
    """What is aimed at; raises QueryError where it cannot be told."""
    losses, wiped = answer.losses, answer.wiped_out
    if losses is None or wiped is None:
        raise QueryError(Trouble("no-losses", "weapons"))
    return losses.mean if aim == "losses" else wiped
