"""Several queries side by side, and the best order of fire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

import msgspec

from campale.odds.answers import Answer, answered
from campale.odds.form import Form, filled_as_far, filled_in
from campale.odds.link import Aim, path_of, path_of_several
from campale.odds.troubles import QueryError, Trouble
from campale.referee.ruleset import Ruleset

MOST_SIDE_BY_SIDE = 24
MOST_ENTRIES = 5
SAME = 1e-12

Varied = Mapping[str, Sequence[Any]]
"""Fields, each with its values in turn."""


class Compared(msgspec.Struct, frozen=True):
    """Queries that differ in some fields: their values and their answers. ``link`` contains all of them."""

    fields: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    link: str = ""


class Ordered(msgspec.Struct, frozen=True):
    """Orders of fire, the best first: the weapons as in the form, and the value of each order.

    ``matters``: whether there is any difference between them.
    """

    aim: Aim
    orders: tuple[tuple[str, float], ...]
    best: Answer
    matters: bool
    link: str = ""


def side_by_side(ruleset: Ruleset, written: Mapping[str, Any], varied: Varied) -> Compared:
    """Every combination of the values. Raises QueryError, also for too many of them."""
    count = 1
    for several in varied.values():
        count *= len(several)
    if not 1 <= count <= MOST_SIDE_BY_SIDE:
        raise QueryError(Trouble("too-many-compared", "", {"count": count, "most": MOST_SIDE_BY_SIDE}))
    combinations = [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]
    stands = is_whole(ruleset, written)
    answers = tuple(column(ruleset, written, values, stands) for values in combinations)
    columns = tuple(tuple(one.values.get(name, "") for name in varied) for one in answers)
    compare = {name: list(dict.fromkeys(one.values.get(name, "") for one in answers)) for name in varied}
    first = written if stands else {**written, **combinations[0]}
    form, _ = filled_as_far(ruleset, first)
    return Compared(tuple(varied), columns, answers, path_of_several(form, first, compare))


def told_apart(text: str, others: Sequence[str]) -> str:
    """Of somebody written inline, what differs among those compared; empty for whoever is named."""
    written = [inline_of(one) for one in others]
    mine = inline_of(text)
    if mine is None or any(one is None for one in written):
        return ""
    keys = dict.fromkeys(key for one in written for key in one or {})
    differing = [key for key in keys if len({repr((one or {}).get(key)) for one in written}) > 1]
    return ", ".join(f"{key} {plainly(mine.get(key, '-'))}" for key in differing)


def inline_of(text: str) -> dict[str, Any] | None:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None
    return found if isinstance(found, dict) else None


def plainly(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def is_whole(ruleset: Ruleset, written: Mapping[str, Any]) -> bool:
    """Whether the written query is valid by itself."""
    try:
        filled_in(ruleset, written)
    except QueryError:
        return False
    return True


def column(ruleset: Ruleset, written: Mapping[str, Any], varied: Mapping[str, Any], stands: bool) -> Answer:
    """One of several queries: what was written as far as it fits beside what differs, if it ``stands`` by itself.

    Another attacker carries other weapons.
    """
    whole = {**written, **varied}
    try:
        return answered(ruleset, whole)
    except QueryError:
        if not stands:
            raise
    return answered(ruleset, fitting(ruleset, whole, varied))


def fitting(ruleset: Ruleset, whole: Mapping[str, Any], varied: Mapping[str, Any]) -> dict[str, Any]:
    """What was written, without what cannot be used beside the values that vary."""
    left = dict(whole)
    while True:
        form, _ = filled_as_far(ruleset, left)
        known = form.values
        bad = {one.field.name for one in form.filled if one.trouble is not None} | (set(left) - set(known))
        if not bad - set(varied):
            return left
        left = {name: value for name, value in left.items() if name not in bad or name in varied}


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
    return Ordered(aim, told, found[0][1], max(values) - min(values) > SAME, path_of(form, aim))


def entries_of(form: Form) -> list[Any]:
    """The entries of the weapons; each is moved as a whole."""
    return [tuple(one) for one in form.values.get("weapons", [])]


def orders_of(entries: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The different orders; the written one comes first."""
    if len(entries) > MOST_ENTRIES:
        raise QueryError(Trouble("too-many-orders", "weapons", {"most": MOST_ENTRIES}))
    return iter(dict.fromkeys(permutations(entries)))


def value_of(answer: Answer, aim: Aim) -> float:
    """What is aimed at; raises QueryError where it cannot be told."""
    losses, wiped = answer.losses, answer.wiped_out
    if losses is None or wiped is None:
        raise QueryError(Trouble("no-losses", "weapons"))
    return losses.mean if aim == "losses" else wiped
