"""Grids of variants: paths into an experiment, and the values that are put there.

A path is made of keys with dots between, and of places in lists: ``[2]`` is the second, ``[raider]`` the only entry
that has the word among its values, or the only one that begins with it. It begins with ``first``, ``second``,
``options`` or ``agreed``.

A value may be written with the name that tables and charts give it: ``{label: Four raiders, value: 4}``.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec

from campale.lab.errors import say
from campale.referee.reading import meant
from campale.referee.refusal import Plain
from campale.referee.telling.spoken import Spoken

ROOTS = ("first", "second", "options", "agreed")
SIDES = ROOTS[:2]
PARTS = ("force", "player")
MOST_VARIANTS = 1000
STEP = re.compile(r"\[([^\[\]]{1,60})\]|(?:^|\.)([^.\[\]]{1,60})")
LONGEST_VALUE = 40
LONGEST_LABEL = 80

Changes = dict[str, Any]


class PathError(ValueError):
    """A path that leads nowhere; the message says where it stops, and what is there. ``path``: which it is."""

    path = ""

    def __init__(self, what: Spoken) -> None:
        super().__init__(what)
        self.what = what


def grid(crossed: Mapping[str, Sequence[Any]], together: Mapping[str, Sequence[Any]]) -> list[Changes]:
    """Every combination of the values that are crossed, with those that go ``together`` value by value.

    Raises PathError for too many of them, for lists that go together and are not of one length, and for a path twice.
    """
    lengths = {len(values) for values in together.values()}
    if len(lengths) > 1:
        raise PathError(say("lengths"))
    if twice := sorted(set(crossed) & set(together)):
        raise PathError(say("both", path=repr(twice[0])))
    rows = list(zip(*together.values(), strict=True)) or [()]
    count = len(rows)
    for values in crossed.values():
        count *= len(values)
    if count > MOST_VARIANTS:
        raise PathError(say("variants", count=count, most=MOST_VARIANTS))
    return [
        dict(zip((*crossed, *together), (*values, *row), strict=True))
        for values in product(*crossed.values())
        for row in rows
    ]


def is_labelled(value: Any) -> bool:
    return isinstance(value, dict) and "label" in value and set(value) <= {"label", "value"}


def value_of(written: Any) -> Any:
    """What a value of a list is, whether it has a label or not."""
    return written["value"] if is_labelled(written) else written


def label(written: Changes, together: Collection[str] = ()) -> str:
    """What a variant is called: by the labels of its values; by path and value where there are none.

    Values that go ``together`` have one name between them: once one of a row has a label, those without are not told.
    """
    row_is_labelled = any(is_labelled(written[path]) for path in together)
    parts = []
    for path, value in written.items():
        if is_labelled(value):
            parts.append(str(value["label"]))
        elif not (row_is_labelled and path in together):
            parts.append(f"{path}={shown(value)}")
    return ", ".join(parts)


def shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def steps_of(path: str) -> list[str | int]:
    """The keys of a path, and places in lists from 0 (a word stays a word). Raises PathError."""
    found: list[str | int] = []
    at = 0
    for match in STEP.finditer(path):
        if match.start() != at:
            break
        place, key = match.groups()
        found.append(key if place is None else ("[" + place if not place.isdecimal() else int(place) - 1))
        at = match.end()
    if at != len(path) or not found:
        raise PathError(say("no-path", path=repr(path[:60])))
    if found[0] not in ROOTS:
        raise PathError(say("root", known=", ".join(ROOTS), found=repr(str(found[0])[:40])))
    if found[0] in SIDES and (len(found) == 1 or found[1] not in PARTS):
        raise PathError(say("part", root=found[0]))
    if found[0] not in SIDES and len(found) != 2:
        raise PathError(say("name", root=found[0]))
    return found


def varied(tree: dict[str, Any], changes: Changes, resolve: Callable[[Any], dict[str, Plain]]) -> dict[str, Any]:
    """A copy of the tree with the values put in. Raises PathError.

    Forces are put in first; ``resolve`` makes a force of what the file says, once something in it is to be changed.
    """
    tree = copy.deepcopy(tree)
    for path, value in sorted(changes.items(), key=lambda change: change[0].count(".") + change[0].count("[")):
        try:
            steps = steps_of(path)
            if len(steps) > 2:
                open_up(tree[str(steps[0])], str(steps[1]), resolve)
            put(tree, steps, value)
        except PathError as error:
            error.path = path
            raise
    return tree


def open_up(side: dict[str, Any], part: str, resolve: Callable[[Any], dict[str, Plain]]) -> None:
    """Make a force or a player that is given by its name one that can be changed inside."""
    if part == "force":
        side[part] = copy.deepcopy(resolve(side[part]))
    elif isinstance(side[part], str):
        side[part] = {"name": side[part]}


def put(tree: Any, steps: Sequence[str | int], value: Any) -> None:
    """Put a value where the steps lead; the last key of a table may be a new one."""
    at = tree
    for number, step in enumerate(steps[:-1]):
        at = within(at, step, steps[: number + 1])
    last = steps[-1]
    if isinstance(at, dict) and isinstance(last, str) and not last.startswith("["):
        at[last] = copy.deepcopy(value)
    else:
        at[place_in(at, last, steps)] = copy.deepcopy(value)


def within(at: Any, step: str | int, so_far: Sequence[str | int]) -> Any:
    if isinstance(at, dict) and isinstance(step, str) and not step.startswith("["):
        if step not in at:
            raise PathError(say("no-key", path=told(so_far), step=repr(step), advice=meant(step, map(str, at))))
        return at[step]
    return at[place_in(at, step, so_far)]


def place_in(at: Any, step: str | int, so_far: Sequence[str | int]) -> int:
    """The place in a list that a step means."""
    if not isinstance(at, list) or (isinstance(step, str) and not step.startswith("[")):
        raise PathError(say("dead-end", path=told(so_far)))
    if isinstance(step, int):
        if not 0 <= step < len(at):
            raise PathError(say("entries", path=told(so_far), count=len(at)))
        return step
    word = step[1:]
    found = [place for place, entry in enumerate(at) if isinstance(entry, dict) and word in entry.values()]
    if len(found) > 1:
        found = [place for place in found if next(iter(at[place].values())) == word] or found
    if len(found) != 1:
        raise PathError(say("words", path=told(so_far), count=len(found), word=repr(word)))
    return found[0]


def told(steps: Sequence[str | int]) -> str:
    """Steps as a path is written."""
    parts = [
        f"[{step + 1}]" if isinstance(step, int) else f"{step}]" if step[0] == "[" else f".{step}" for step in steps
    ]
    return "".join(parts).removeprefix(".")
