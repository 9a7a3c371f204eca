"""Terrain: pieces with an outline, a height, floors and tags, lying on ground of a given size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from campale.table.outlines import (
    area,
    box,
    contains,
    counter_clockwise,
    crossing_of_itself,
    lies_inside,
    overlap,
    rectangle,
    regular,
)
from campale.table.shapes import TOLERANCE, Point

__all__ = ["Fault", "Floor", "Ground", "Piece", "Prisms", "faults", "joined", "normalised", "rectangle", "regular"]

Kept = TypeVar("Kept")

PARTS = ("corners", "boxes", "low", "high")


class Floor(msgspec.Struct, frozen=True):
    """A level of a piece that models can stand on. ``z`` is its height above the table, as every z."""

    outline: tuple[Point, ...]
    z: float


class Piece(msgspec.Struct, frozen=True):
    """A prism: ``outline`` (simple polygon, counter-clockwise), from ``z`` up to ``z + height``.

    ``tags`` hold what the ruleset needs to know about it (its class, its effect on sight); the table reads none.
    """

    name: str
    kind: str
    outline: tuple[Point, ...]
    height: float = 0.0
    z: float = 0.0
    floors: tuple[Floor, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def top(self) -> float:
        """The height of its upper face above the table."""
        return self.z + self.height


class Prisms(msgspec.Struct, frozen=True, eq=False):
    """The pieces of a ground in the form of the kernels.

    ``corners`` (all corners, 2), ``starts`` (pieces + 1: piece k has the corners from ``starts[k]`` on, before
    ``starts[k + 1]``), ``boxes`` (pieces, 4: least x, least y, greatest x, greatest y), ``low``, ``high`` (pieces).
    """

    corners: NDArray[np.float64]
    starts: NDArray[np.int64]
    boxes: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Ground(msgspec.Struct, frozen=True, dict=True):
    """A table of ``width`` (x from 0) by ``depth`` (y from 0), with the pieces on it.

    A ground never changes: a piece that falls, appears or changes class makes a new ground. Prepared data is kept with
    the ground, and copies share it.
    """

    width: float
    depth: float
    pieces: tuple[Piece, ...] = ()

    def __copy__(self) -> Ground:
        return self

    def __deepcopy__(self, memo: object) -> Ground:
        return self

    def piece(self, name: str) -> Piece:
        """The piece with this name. Raises KeyError if there is none."""
        return self.pieces[self.index(name)]

    def index(self, name: str) -> int:
        """The index of a piece among the pieces: its column in every kernel. Raises KeyError if there is none."""
        return self._indices[name]

    def has(self, name: str) -> bool:
        """Whether a piece of that name lies here."""
        return name in self._indices

    def with_piece(self, piece: Piece) -> Ground:
        """This ground with one more piece, at the end. Raises ValueError if its name is taken."""
        if self.has(piece.name):
            raise ValueError(f"there is a piece called {piece.name!r} already")
        return Ground(self.width, self.depth, (*self.pieces, piece))

    def without(self, name: str) -> Ground:
        """This ground without a piece. Raises KeyError if there is none with that name."""
        at = self.index(name)
        return Ground(self.width, self.depth, self.pieces[:at] + self.pieces[at + 1 :])

    def replacing(self, name: str, piece: Piece) -> Ground:
        """This ground with a piece in the place of another; KeyError, or ValueError for a name taken."""
        at = self.index(name)
        if piece.name != name and self.has(piece.name):
            raise ValueError(f"there is a piece called {piece.name!r} already")
        return Ground(self.width, self.depth, (*self.pieces[:at], piece, *self.pieces[at + 1 :]))

    def pieces_at(self, x: float, y: float) -> tuple[Piece, ...]:
        """The pieces whose outline, edge included, contains a point, in the order of the ground."""
        found = (k for k, edges in enumerate(self._boxes) if _in_box(edges, x, y))
        return tuple(self.pieces[k] for k in found if contains(self.pieces[k].outline, x, y))

    def levels(self, x: float, y: float, *, tops: bool = False) -> tuple[float, ...]:
        """The heights at which a model can stand at a point, lowest first.

        They are the table, the floors and, with ``tops``, the upper faces of pieces.
        """
        found = [0.0]
        for piece in self.pieces_at(x, y):
            found += [floor.z for floor in piece.floors if contains(floor.outline, x, y)]
            found += [piece.top] if tops else []
        return tuple(sorted(found))

    def surface(self, x: float, y: float, *, below: float = math.inf, tops: bool = False) -> float:
        """The highest level at a point that is not above ``below`` (0, the table, if there is none)."""
        return max((z for z in self.levels(x, y, tops=tops) if z <= below + TOLERANCE), default=0.0)

    def kept(self, make: Callable[[Ground], Kept]) -> Kept:
        """The result of ``make(ground)``, made once for this ground and kept with it under the function."""
        if make not in self._kept:
            self._kept[make] = make(self)
        found: Kept = self._kept[make]
        return found

    @cached_property
    def prisms(self) -> Prisms:
        """The pieces as flat arrays, made once."""
        corners = [corner for piece in self.pieces for corner in piece.outline]
        counts = [len(piece.outline) for piece in self.pieces]
        starts = np.zeros(len(self.pieces) + 1, np.int64)
        starts[1:] = np.cumsum(counts) if counts else 0
        return Prisms(
            np.array(corners, np.float64).reshape(-1, 2),
            starts,
            np.array(self._boxes, np.float64).reshape(-1, 4),
            np.array([piece.z for piece in self.pieces], np.float64),
            np.array([piece.top for piece in self.pieces], np.float64),
        )

    @cached_property
    def _indices(self) -> dict[str, int]:
        return {piece.name: k for k, piece in enumerate(self.pieces)}

    @cached_property
    def _boxes(self) -> list[tuple[float, float, float, float]]:
        return [box(piece.outline) for piece in self.pieces]

    @cached_property
    def _kept(self) -> dict[Callable[[Ground], Any], Any]:
        return {}


def joined(several: Sequence[Prisms]) -> Prisms:
    """Several prisms as one, in order."""
    corners, boxes, low, high = (np.concatenate([getattr(one, name) for one in several]) for name in PARTS)
    counts = np.concatenate([np.diff(one.starts) for one in several])
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return Prisms(corners, starts, boxes, low, high)


class Fault(msgspec.Struct, frozen=True):
    """A fault of a ground: the piece, the place where it shows (None: nowhere), the reason."""

    piece: str
    place: Point | None
    reason: str


def normalised(piece: Piece) -> Piece:
    """The piece with its outline, and those of its floors, running counter-clockwise."""
    floors = tuple(Floor(counter_clockwise(floor.outline), floor.z) for floor in piece.floors)
    return msgspec.structs.replace(piece, outline=counter_clockwise(piece.outline), floors=floors)


def faults(ground: Ground, may_overlap: Callable[[Piece, Piece], bool] | None = None) -> list[Fault]:
    """All faults of a ground, in the order of its pieces; empty if it can be played on.

    ``may_overlap(earlier, later)`` says which pieces may overlap; without it all may.
    """
    if not (_are_numbers(ground.width, ground.depth) and ground.width > 0 and ground.depth > 0):
        return [Fault("", None, f"the table measures {ground.width} by {ground.depth}")]
    found = [fault for piece in ground.pieces for fault in _faults_of(piece, ground)]
    found += _same_names(ground)
    if may_overlap is not None and not found:
        found += _overlaps(ground, may_overlap)
    return found


def _faults_of(piece: Piece, ground: Ground) -> Iterator[Fault]:
    if not _are_numbers(piece.z, piece.height) or piece.height < 0:
        yield Fault(piece.name, None, f"its z is {piece.z} and its height {piece.height}")
        return
    wrong = _fault_of_outline(piece.name, piece.outline, "its outline")
    if wrong:
        yield wrong
        return
    for x, y in piece.outline:
        if not _in_box((0.0, 0.0, ground.width, ground.depth), x, y):
            yield Fault(piece.name, (x, y), f"a corner at ({x}, {y}) is off the table")
    for number, floor in enumerate(piece.floors, 1):
        yield from _faults_of_floor(piece, floor, f"floor {number}")


def _faults_of_floor(piece: Piece, floor: Floor, which: str) -> Iterator[Fault]:
    wrong = _fault_of_outline(piece.name, floor.outline, which)
    if wrong:
        yield wrong
        return
    place = floor.outline[0]
    if not lies_inside(floor.outline, piece.outline):
        yield Fault(piece.name, place, f"{which} reaches outside the piece")
    if not _are_numbers(floor.z):
        yield Fault(piece.name, place, f"{which} is at {floor.z}")
    elif not piece.z - TOLERANCE <= floor.z <= piece.top + TOLERANCE:
        yield Fault(piece.name, place, f"{which} is at {floor.z}, the piece between {piece.z} and {piece.top}")


def _fault_of_outline(name: str, outline: tuple[Point, ...], which: str) -> Fault | None:
    if len(outline) < 3:
        return Fault(name, None, f"{which} has {len(outline)} corners; it needs 3")
    if not all(_are_numbers(*corner) for corner in outline):
        return Fault(name, None, f"{which} has a corner that is no number")
    crossing = crossing_of_itself(outline)
    if crossing is not None:
        return Fault(name, crossing, f"{which} crosses or touches itself near {crossing}")
    if area(outline) <= 0:
        return Fault(name, outline[0], f"{which} runs clockwise")
    return None


def _same_names(ground: Ground) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for piece in ground.pieces:
        seen[piece.name] = seen.get(piece.name, 0) + 1
    return (Fault(name, None, f"{times} pieces have this name") for name, times in seen.items() if times > 1)


def _overlaps(ground: Ground, may_overlap: Callable[[Piece, Piece], bool]) -> Iterator[Fault]:
    for k, later in enumerate(ground.pieces):
        for earlier in ground.pieces[:k]:
            if (
                _share_a_height(earlier, later)
                and not may_overlap(earlier, later)
                and overlap(earlier.outline, later.outline)
            ):
                yield Fault(later.name, later.outline[0], f"it lies over {earlier.name!r}")


def _share_a_height(one: Piece, other: Piece) -> bool:
    """Whether two pieces share a part of their heights, or lie on the same level; standing on top is neither."""
    return one.z == other.z or max(one.z, other.z) < min(one.top, other.top)


def _are_numbers(*values: float) -> bool:
    return all(math.isfinite(value) for value in values)


def _in_box(edges: tuple[float, float, float, float], x: float, y: float) -> bool:
    across = edges[0] - TOLERANCE <= x <= edges[2] + TOLERANCE
    return across and edges[1] - TOLERANCE <= y <= edges[3] + TOLERANCE
