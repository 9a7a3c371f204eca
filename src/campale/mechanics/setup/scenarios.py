"""Scenario files: profiles of the lists with changes, and positions in mid-battle, checked for impossible things.

A fault is a ValueError; the stage adds its place in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import msgspec

from campale.mechanics.setup.edges import EDGE, USUAL
from campale.referee.position import ABOARD, Model, Position
from campale.referee.reading import meant
from campale.referee.refusal import Plain
from campale.referee.telling.spoken import spoken
from campale.table.measure import overlaps
from campale.table.terrain import Piece

P = TypeVar("P")

Described = Mapping[str, dict[str, Any]]
"""The things that a file describes itself, by id: weapons, powers."""

NOTHING: Described = {}
WORDS = Path(__file__).parents[1] / "words"
MOST_TURNS = 1000


# ---------------------------------------------------------------- words


def names_in(module: ModuleType) -> tuple[str, ...]:
    """The names of counts and notes that a module defines: its constants that are texts."""
    return tuple(one for name, one in vars(module).items() if name.isupper() and isinstance(one, str))


# ---------------------------------------------------------------- profiles


def profile_known(name: str, known: Mapping[str, P]) -> P:
    if name not in known:
        raise ValueError(f"there is no profile '{name[:60]}'. {meant(name, known)}")
    return known[name]


def with_changes(profile: P, changes: Mapping[str, Any]) -> P:
    """The profile with changed fields, each with a valid value."""
    if not changes:
        return profile
    fields = msgspec.to_builtins(profile)
    unknown = sorted(set(changes) - set(fields))
    if unknown:
        raise ValueError(f"a profile has no {', '.join(unknown)}. {meant(unknown[0], fields)}")
    return msgspec.convert({**fields, **changes}, type(profile))


def described_weapon(id: str, plain: dict[str, Any], *whole: str) -> dict[str, Any]:
    """A weapon described in a file, with a title: in full like a list's, or in its one line.

    ``whole``: the keys that show that it is described in full.
    """
    title = {"title": {"en": id, "it": id}}
    if any(key in plain for key in whole):
        return {**title, **plain}
    line = {name: value for name, value in plain.items() if name != "title"}
    return {"title": plain.get("title", title["title"]), "lines": [line]}


# ---------------------------------------------------------------- missing values


def take_usual(position: Position, usual: Mapping[str, Plain]) -> None:
    """Fill in the usual values for what a file does not say about the moment."""
    for name, value in usual.items():
        position.now.setdefault(name, value)


def take_usual_edges(position: Position) -> None:
    """Side 1 at the south edge, side 2 at the north edge, unless the file says otherwise."""
    for side, edge in enumerate(USUAL):
        if not position.hand(side, EDGE):
            position.hold(side, EDGE, (edge,))


def face_each_other(position: Position) -> None:
    """Turn models without a facing towards the other side."""
    for model in position.models:
        if model.side and not model.facing:
            position.facing[model.row] = 180.0


# ---------------------------------------------------------------- impossible positions


def check_words(position: Position, known: Mapping[str, Sequence[Any]]) -> None:
    """Check words of the moment (a phase, a mission, a side) against the known ones; a missing one is the first."""
    for name, values in known.items():
        value = position.now.get(name, values[0])
        if isinstance(value, bool) or value not in values:
            raise ValueError(f"{name} cannot be {value!r}, only one of {', '.join(map(str, values))}")


def check_numbers(position: Position, names: Iterable[str], least: int, most: int = MOST_TURNS) -> None:
    """Check that numbers of the moment are whole, from the least to the most; they may be missing."""
    for name in names:
        value = position.now.get(name, least)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"{name} cannot be {value!r}, only a whole number from {least} to {most}")


def on_each_other(one: Model, other: Model) -> bool:
    return overlaps(one.solid, other.solid)


def check_apart(position: Position, overlap: Callable[[Model, Model], bool] = on_each_other) -> None:
    """Check that no two models stand on each other."""
    for one, other in combinations(position.on_table(), 2):
        if overlap(one, other):
            raise ValueError(spoken(WORDS, "stand-on-each-other", one=one.name, other=other.name))


def check_free_of(position: Position, barred: Iterable[Piece], is_in: Callable[[Model, Piece], bool]) -> None:
    """Check that no model stands in an impassable piece."""
    pieces = tuple(barred)
    for model in position.on_table():
        for piece in pieces:
            if is_in(model, piece):
                raise ValueError(spoken(WORDS, "stands-in-impassable", model=model.name, piece=piece.name))


def check_carried(position: Position) -> None:
    """Check that every carrier has a capacity in its profile."""
    for model in position.models:
        carrier = model.aboard_of if model.where == ABOARD else None
        if carrier is not None and not carrier.profile.capacity:
            raise ValueError(f"{model.name} is aboard {carrier.name}, which cannot carry models")
