"""Scenery: pieces as files draw them, tables laid by hand, and whether a piece lies where it may."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec

from campale.mechanics.armies.rows import Title
from campale.referee.reading import FileError, meant
from campale.table.outlines import box
from campale.table.room import Area
from campale.table.shapes import TOLERANCE, Point
from campale.table.terrain import Ground, Piece, normalised

Size = tuple[float, float]
Side = Annotated[float, msgspec.Meta(gt=0, le=72)]
"""The length of a side of a piece."""


def drawn_piece(plain: dict[str, Any], tags: Collection[str]) -> Piece:
    """A piece of any form, drawn by its "outline", with known tags. Raises ValueError."""
    drawn = msgspec.convert({"kind": "piece", **plain}, Piece)
    for tag in (tag for tag in drawn.tags if tag not in tags):
        raise FileError(f"{drawn.name}: a piece has no tag {tag[:60]!r}. {meant(tag, tags)}")
    return normalised(drawn)


# ---------------------------------------------------------------- tables laid by hand


class LaidRow(Protocol):
    """A piece of a layout: its kind, its middle, and its turn, clockwise."""

    @property
    def kind(self) -> str: ...
    @property
    def centre(self) -> Point: ...
    @property
    def turn(self) -> float: ...


R_co = TypeVar("R_co", bound=LaidRow, covariant=True)
R = TypeVar("R", bound=LaidRow)


class LaidPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece in layouts and scenario files; its ``centre`` is written as ``at``. A book may add fields."""

    kind: str
    centre: Point = msgspec.field(name="at")
    turn: float = 0.0
    name: str = ""
    size: tuple[Side, Side] | None = None


P = TypeVar("P", bound=LaidPiece)


class Layout(msgspec.Struct, Generic[P], frozen=True, forbid_unknown_fields=True):
    """``turned``: every piece lies a second time, turned half round about the middle of the table."""

    name: Title
    pieces: Annotated[tuple[P, ...], msgspec.Meta(max_length=40)]
    turned: bool = False


def piece_in_file(
    plain: dict[str, Any], tags: Collection[str], row: type[P], piece: Callable[[P, Point, float, str], Piece]
) -> Piece:
    """A piece of a kind, or with an "outline" a piece of any form. Raises ValueError."""
    if "outline" in plain:
        return drawn_piece(plain, tags)
    laid = msgspec.convert(plain, row)
    return piece(laid, laid.centre, laid.turn, laid.name)


class Turnable(Protocol[R_co]):
    """A layout; ``turned``: every piece lies a second time, turned half round about the middle of the table."""

    @property
    def pieces(self) -> Sequence[R_co]: ...
    @property
    def turned(self) -> bool: ...


def laid_out(plan: Turnable[R], table: Size, piece: Callable[[R, Point, float, str], Piece]) -> tuple[Piece, ...]:
    """The pieces of a layout, named by kind and number; ``piece`` makes one from its row, centre, turn and name."""
    laid: list[Piece] = []
    for row in plan.pieces:
        for centre, turn in places(row, table, plan.turned):
            laid.append(piece(row, centre, turn, f"{row.kind}-{len(laid) + 1}"))
    return tuple(laid)


def places(row: LaidRow, table: Size, turned: bool) -> Iterator[tuple[Point, float]]:
    yield row.centre, row.turn
    if turned:
        yield (table[0] - row.centre[0], table[1] - row.centre[1]), row.turn + 180.0


# ---------------------------------------------------------------- the place of a piece


def lies_in(piece: Piece, area: Area) -> bool:
    """Whether a piece lies wholly inside an area, edge included."""
    west, south, east, north = box(piece.outline)
    return min(west - area[0], south - area[1], area[2] - east, area[3] - north) >= -TOLERANCE


def is_on_table(piece: Piece, ground: Ground) -> bool:
    return lies_in(piece, (0.0, 0.0, ground.width, ground.depth))
