"""Grids of variants: paths into an experiment, and the values that are put there.

A path is made of keys with dots between, and of places in lists: ``[2]`` is the second, ``[raider]`` the only entry
that has the word among its values, or the only one that begins with it. It begins with ``first``, ``second``,
``options`` or ``agreed``.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec

from campale.referee.reading import meant
from campale.referee.refusal import Plain

ROOTS = ("first", "second", "options", "agreed")
SIDES = ROOTS[:2]
PARTS = ("force", "player")
MOST_VARIANTS = 1000
STEP = re.compile(r"\[([^\[\]]{1,60})\]|(?:^|\.)([^.\[\]]{1,60})")
LONGEST_VALUE = 40

Changes = dict[str, Any]


class PathError(ValueError):
    """A path that leads nowhere; the message says where it stops, and what is there. ``path``: which it is."""

    path = ""


def grid(crossed: Mapping[str, Sequence[Any]], together: Mapping[str, Sequence[Any]]) -> list[Changes]:
    """Every combination of the values that are crossed, with those that go ``together`` value by value.

    Raises PathError for too many of them, for lists that go together and are not of one length, and for a path twice.
    """
    lengths = {len(values) for values in together.values()}
    if len(lengths) > 1:
        raise PathError("the lists that go together are not of one length. Give each as many values")
    if twice := sorted(set(crossed) & set(together)):
        raise PathError(f"{twice[0]!r} stands under both vary and together. Keep one of them")
    rows = list(zip(*together.values(), strict=True)) or [()]
    count = len(rows)
    for values in crossed.values():
        count *= len(values)
    if count > MOST_VARIANTS:
        raise PathError(f"{count} variants, of which there may be {MOST_VARIANTS}. Vary less at a time")
    return [
        dict(zip((*crossed, *together), (*values, *row), strict=True))
        for values in product(*crossed.values())
        for row in rows
    ]


def label(changes: Changes) -> str:
    """What was put where, as text."""
    return ", ".join(f"{path}={shown(value)}" for path, value in changes.items())


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
        raise PathError(f"{path[:60]!r} is no path. Write keys with dots, and places in lists as [2] or [word]")
    if found[0] not in ROOTS:
        raise PathError(f"a path begins with {', '.join(ROOTS)}, not {str(found[0])[:40]!r}. Begin with one of them")
    if found[0] in SIDES and (len(found) == 1 or found[1] not in PARTS):
        raise PathError(f"of {found[0]}, {' or '.join(PARTS)} can be varied. Name one after the dot")
    if found[0] not in SIDES and len(found) != 2:
        raise PathError(f"of {found[0]}, name one after the dot, as in {found[0]}.NAME")
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
            raise PathError(f"{told(so_far)}: {step!r} is not there. {meant(step, map(str, at))}")
        return at[step]
    return at[place_in(at, step, so_far)]


def place_in(at: Any, step: str | int, so_far: Sequence[str | int]) -> int:
    """The place in a list that a step means."""
    if not isinstance(at, list) or (isinstance(step, str) and not step.startswith("[")):
        raise PathError(f"{told(so_far)}: the path does not lead on from there. Look at the force's file")
    if isinstance(step, int):
        if not 0 <= step < len(at):
            raise PathError(f"{told(so_far)}: the list has {len(at)} entries. Choose one from 1 to {len(at)}")
        return step
    word = step[1:]
    found = [place for place, entry in enumerate(at) if isinstance(entry, dict) and word in entry.values()]
    if len(found) > 1:
        found = [place for place in found if next(iter(at[place].values())) == word] or found
    if len(found) != 1:
        raise PathError(f"{told(so_far)}: {len(found)} entries have the word {word!r}. Give the place, as in [2]")
    return found[0]


def told(steps: Sequence[str | int]) -> str:
    """Steps as a path is written."""
    parts = [
        f"[{step + 1}]" if isinstance(step, int) else f"{step}]" if step[0] == "[" else f".{step}" for step in steps
    ]
    return "".join(parts).removeprefix(".")
