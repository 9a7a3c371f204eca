"""One line for what the models of a unit do together.

A ruleset of units asks for it by its words. For events of a model, ``event.<kind>.unit`` tells consecutive events as
one (``event.move.charge.unit`` those of one manner), ``event.<kind>.one`` a single one; ``.still`` behind them tells
those without a path (``event.move.dive.one.still``). ``{unit}`` is the unit, or the model if there is only one;
``{count}`` how many; ``{kinds}`` of which kinds; ``{inches}`` the longest path; ``{x}`` and ``{y}`` their centre. For
events of any kind, ``event.<kind>.all`` tells a row of them in one line, each by ``event.<kind>.each``, ``{all}`` is
where they go; for a mark of units, ``event.mark.<mark>.on.all`` and ``.each``, or ``.off``. ``rolled-together`` lists
the rolls that share a line if they follow each other and are for the same thing. Where there is ``event.remove.unit``,
all such rolls do, the last counts of a model that is then removed are not told, and a count that grows several times in
a row is told once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from campale.referee.journal import Event
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller

APART = {"move": ("placed", "how"), "remove": ("cause", "by"), "take-off": ("where", "aboard_of")}
"""The kinds of model events that may be told together, and the values that must be equal."""


UNITS = "event.remove.unit"
COUNTED = {"mark", "remove"}
"""The kinds of events in whose rows the counts of a model that is removed are not told."""


class Numbered(NamedTuple):
    """An event with its number. ``others``: how many marks of units other than that of its model came before it."""

    number: int
    event: Event
    others: int = 0


class Fold(NamedTuple):
    """Events told as one: the first event, the key of the words, and further values besides those of the first
    event."""

    first: Numbered
    key: str
    told: dict[str, Plain]
    run: Sequence[Numbered]


def folded(events: Sequence[Numbered], teller: Teller) -> Iterator[Numbered | Fold]:
    """The events in order; those that share a line are one fold."""
    for (sort, _), some in groupby(without_last_counts(events, teller), key=lambda one: alike(one, teller)):
        run = list(some)
        if sort is None:
            yield from run
        elif sort[0] == "roll":
            answers = [face for one in run for face in one.event.values["answer"]]
            yield run[0]._replace(event=replace(run[0].event, values={**run[0].event.values, "answer": answers}))
        elif sort[0] == "mark":
            grown = {**run[0].event.values, "now": run[-1].event.values["now"]}
            yield run[0]._replace(event=replace(run[0].event, values=grown))
        elif sort[0] == "all":
            yield listed(run, str(sort[1]), teller)
        else:
            yield from together(run, teller)


def alike(one: Numbered, teller: Teller) -> tuple[tuple[Plain, ...] | None, int]:
    return sort_of(one.event, teller), one.others


def sort_of(event: Event, teller: Teller) -> tuple[Plain, ...] | None:
    """The key that events must share to be told together; None for an event told alone."""
    kind = event.kind
    if event.values.get("corrected"):
        return None
    if kind == "roll" and are_told_together(event.values, teller):
        same = {name: value for name, value in event.values.items() if name not in ("answer", "count")}
        return "roll", repr(same), repr(event.rules)
    if kind == "mark" and teller.words.has(UNITS) and 0 <= event.values["before"] < event.values["now"]:
        return "mark", event.values["model"], event.values["marker"]
    own = f"event.{kind}"
    if kind == "mark-unit":
        own = f"event.mark.{event.values['marker']}.{'on' if event.values['now'] else 'off'}"
    if teller.words.has(f"{own}.all"):
        return "all", own
    if kind not in APART or not teller.words.has(f"event.{kind}.unit"):
        return None
    same = {name: event.values.get(name) for name in APART[kind]}
    if same.get("by", -1) >= 0 and "by" in teller.fields["model"]:
        same["by"] = unit_of(int(same["by"]), event, teller)
    return kind, home(event, teller), *same.values()


def are_told_together(values: dict[str, Plain], teller: Teller) -> bool:
    """Whether dice share a line with others for the same thing."""
    listed_here = values["why"] in teller.words.messages.get("rolled-together", "").split()
    return not values.get("total") and (listed_here or teller.words.has(UNITS))


def doings(events: Iterable[Event], teller: Teller, first: int = 0) -> Iterator[Numbered]:
    """The events, numbered. The actions of different units stay apart, even if a model has since changed units."""
    marks = Counter[Plain]()
    for number, event in enumerate(events, first):
        if event.kind == "mark-unit":
            marks[event.values["unit"]] += 1
        of_others = marks.total() - marks[home(event, teller)] if event.kind == "move" else 0
        yield Numbered(number, event, of_others)


def without_last_counts(events: Sequence[Numbered], teller: Teller) -> Iterator[Numbered]:
    """All but the counts of models that are removed in the same row of counts and removals."""
    if not teller.words.has(UNITS):
        return iter(events)
    kept: list[Numbered] = []
    gone: set[Plain] = set()
    for one in reversed(events):
        if one.event.kind == "remove":
            gone.add(one.event.values["model"])
        elif one.event.kind not in COUNTED:
            gone.clear()
        elif one.event.values["model"] in gone:
            continue
        kept.append(one)
    return reversed(kept)


def home(event: Event, teller: Teller) -> int:
    return unit_of(event.values["model"], event, teller)


def unit_of(row: int, event: Event, teller: Teller) -> int:
    units = teller.at(event).unit_of
    return units[row] if 0 <= row < len(units) else -1


def listed(run: Sequence[Numbered], own: str, teller: Teller) -> Fold:
    each = [teller.filled(f"{own}.each", one.event.values) for one in run]
    return Fold(run[0], f"{own}.all", {"all": "; ".join(each)}, run)


def together(run: Sequence[Numbered], teller: Teller) -> Iterator[Numbered | Fold]:
    values = run[0].event.values
    kind = run[0].event.kind
    rows = list(dict.fromkeys(one.event.values["model"] for one in run))
    ending = "unit" if len(rows) > 1 else "one"
    manner = manner_of(kind, values)
    by_whom = (f"event.{kind}.{ending}.by",) if values.get("by", -1) >= 0 else ()
    moved = whereabouts(run) if kind == "move" else {}
    still = (f"event.{kind}.{manner}.{ending}.still",) if moved and not moved["inches"] else ()
    key = teller.key(*still, f"event.{kind}.{manner}.{ending}", *by_whom, f"event.{kind}.{ending}")
    if key is None:
        yield from run
        return
    unit = teller.at(run[0].event).several(rows)
    told: dict[str, Plain] = {"unit": unit, "count": len(rows), "kinds": teller.kinds(rows)}
    if by_whom and "by" in teller.fields["model"]:
        told["by"] = teller.at(run[0].event).several(list(dict.fromkeys(one.event.values["by"] for one in run)))
    yield Fold(run[0], key, told | moved, run)


def manner_of(kind: str, values: dict[str, Plain]) -> Plain:
    """How a model was moved or lost; ``off`` for one taken off without going aboard another."""
    if kind == "take-off" and values.get("aboard_of", -1) == -1:
        return "off"
    return "placed" if values.get("placed") else values.get("how", values.get("cause"))


def whereabouts(run: Sequence[Numbered]) -> dict[str, Plain]:
    """The centre of the models' final places, the last facing, and the longest total path of a model."""
    ends = {one.event.values["model"]: one.event.values for one in run}
    ways: dict[int, float] = {}
    for one in run:
        row = one.event.values["model"]
        ways[row] = ways.get(row, 0.0) + length(one.event.values.get("path") or ())
    middle = {name: sum(end[name] for end in ends.values()) / len(ends) for name in ("x", "y")}
    found: dict[str, Plain] = {name: round(value, 1) for name, value in middle.items()}
    facing = round(run[-1].event.values.get("facing") or 0.0) % 360
    return {**found, "facing": facing, "inches": round(max(ways.values()), 1)}


def length(path: Sequence[Sequence[float]]) -> float:
    return sum(math.dist(a[:2], b[:2]) for a, b in pairwise(path))
