"""Scenery and objectives placed before a battle: by the players in turn or at random, among the same places."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from campale.referee.ask import draw
from campale.referee.position import Position
from campale.referee.question import Aim, Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal
from campale.table.kernels import Floats
from campale.table.measure import gap
from campale.table.outlines import box
from campale.table.room import Area
from campale.table.shapes import Hull, Solid
from campale.table.terrain import Piece

Placed = tuple[float, float, float]
"""The centre of a piece, and its turn, clockwise."""

Places = Callable[[], Iterable[Plain]]
"""The possible places of a piece, computed on each call."""


def placed(at: Sequence[float]) -> Placed:
    """The place of an answer; without a turn the piece lies lengthways."""
    x, y, turn = (*at, 0.0)[:3]
    return x, y, turn


def grid(area: Area, step: float, turns: Sequence[float]) -> Iterator[Placed]:
    """Places all over an area, row by row, each in the middle of its square, with every turn."""
    for row in range(int((area[3] - area[1]) / step)):
        for column in range(int((area[2] - area[0]) / step)):
            for turn in turns:
                yield area[0] + step * (column + 0.5), area[1] + step * (row + 0.5), turn


def from_the_middle(found: list[Plain]) -> list[Plain]:
    """The same list in another order: from its middle to its end, then from the beginning to the middle."""
    middle = len(found) // 2
    return [*found[middle:], *found[:middle]]


# ---------------------------------------------------------------- distances between pieces


def apart(one: Piece, other: Piece) -> float:
    """The gap between the outlines of two pieces, in plan; 0 where they overlap."""
    return gap(Solid(Hull(one.outline), 0.0, 0.0), Solid(Hull(other.outline), 0.0, 0.0))


def keeping_off(places: Sequence[Placed], boxes: Floats, pieces: Iterable[Piece], far: float) -> Iterator[Placed]:
    """The places of a piece, with its ``boxes`` there (n, 4), where its box keeps this distance from other pieces."""
    free = np.ones(len(places), np.bool_)
    for west, south, east, north in (box(piece.outline) for piece in pieces):
        aside = (west >= boxes[:, 2] + far) | (east <= boxes[:, 0] - far)
        free &= aside | (south >= boxes[:, 3] + far) | (north <= boxes[:, 1] - far)
    yield from (places[k] for k in free.nonzero()[0].tolist())


# ---------------------------------------------------------------- asking, drawing


def place_question(
    side: int,
    prompt: str,
    places: Places,
    refuses: Callable[[tuple[float, ...]], Fault | Refusal | None],
    suggested: Places | None = None,
    about: dict[str, Plain] | None = None,
    **shown: Plain,
) -> Aim:
    """Where a side lays something: anywhere that is not refused.

    The places are drawn as samples and suggested, the latter perhaps in another order (``suggested``). The words of the
    question are filled in from ``about``; the page draws what is ``shown``.
    """

    def samples(rng: Random) -> Plain:
        return rng.choice(list(places()))

    def suggests() -> Iterator[Plain]:
        return iter((suggested or places)())

    return Aim(side, prompt, refuses, samples, suggests, shown, about)


def kind_and_place(
    side: int, kinds: Sequence[str], where: Callable[[str], Question]
) -> Generator[Question, Any, tuple[str, Placed]]:
    """The fields of a form (``script_form``): a kind of piece, then where it lies."""
    kind = yield Choose(side, "scenery-kind", kinds, "scenery")
    at = yield where(kind)
    return str(kind), placed(at)


async def kind_and_place_by_lot(
    kinds: Sequence[str], places: Callable[[str], Iterable[Plain]], **about: Plain
) -> tuple[str, Placed]:
    """A kind of piece and then one of its places, each with equal chances."""
    kind = str((await draw(None, "scenery-kind", kinds, **about))[0])
    return kind, await place_by_lot(places(kind), **about)


async def place_by_lot(places: Iterable[Plain], **about: Plain) -> Placed:
    return placed((await draw(None, "scenery-place", list(places), **about))[0])


def lay(position: Position, piece: Piece) -> None:
    """Put a piece on the table."""
    position.change_ground(position.ground.with_piece(piece), piece=piece.name, piece_kind=piece.kind)
