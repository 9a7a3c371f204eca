"""Scenery: the usual kinds of pieces, the pieces made from them, and prepared layouts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from campale.mechanics.armies.rows import Title, looked_up
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.scenery import Side, Size, drawn_piece, laid_out
from campale.referee.reading import FileError
from campale.referee.rule import rule
from campale.rulesets.e55.armies.arsenal import HERE
from campale.rulesets.e55.movement_phase.terrain import (
    CLEAR,
    COVER,
    DANGEROUS,
    DIFFICULT,
    IMPASSABLE,
    OPEN,
    SCREENING,
    SOLID,
    WRECK,
)
from campale.table.outlines import area, rectangle
from campale.table.shapes import Point
from campale.table.terrain import Floor, Piece

WIDTH, DEPTH = 72.0, 48.0
LEAST_COVERED, MOST_COVERED = 0.35, 0.45

TAGS = (
    *(CLEAR, DIFFICULT, IMPASSABLE, DANGEROUS, OPEN, SCREENING, SOLID, WRECK),
    *(f"{COVER}{value}" for value in range(2, 7)),
)


class Preset(msgspec.Struct, frozen=True):
    """A usual kind of scenery. ``floors`` are heights; each floor but the first covers half of the piece."""

    id: str
    title: dict[str, str]
    kind: str
    sight: str
    cover: int | None
    height: float
    size: Size
    floors: tuple[float, ...] = ()
    more: tuple[str, ...] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        cover = () if self.cover is None else (f"{COVER}{self.cover}",)
        return (self.kind, self.sight, *cover, *self.more)


def _row(
    id: str,
    en: str,
    it: str,
    kind: str,
    sight: str,
    cover: int | None,
    height: float,
    size: Size,
    floors: tuple[float, ...] = (),
    more: tuple[str, ...] = (),
) -> Preset:
    return Preset(id, {"en": en, "it": it}, kind, sight, cover, height, size, floors, more)


# 2.3.1/cover-values 10.1/terrain-data
PRESETS: dict[str, Preset] = {
    row.id: row
    for row in (
        _row("woods", "Woods", "Bosco", DIFFICULT, SCREENING, 5, 6.0, (11.0, 8.0)),
        _row("ruins", "Ruins", "Rovine", DIFFICULT, SCREENING, 5, 9.0, (10.0, 8.0), (3.0, 6.0)),
        _row("rubble", "Rubble", "Macerie", DIFFICULT, SCREENING, 5, 1.5, (7.0, 5.0)),
        _row("stone-structure", "Stone house", "Casa in pietra", DIFFICULT, SCREENING, 5, 6.0, (8.0, 6.0), (3.0,)),
        _row("hide-structure", "Hide tents", "Tende di pelle", DIFFICULT, SCREENING, 5, 3.0, (7.0, 6.0)),
        _row("wooden-structure", "Wooden hut", "Baracca di legno", DIFFICULT, SCREENING, 6, 6.0, (7.0, 6.0), (3.0,)),
        _row("barbed-wire", "Barbed wire", "Filo spinato", DIFFICULT, OPEN, 6, 1.0, (8.0, 1.5), (), (DANGEROUS,)),
        _row("emplacement", "Emplacement", "Postazione", CLEAR, OPEN, 4, 1.5, (6.0, 4.0)),
        _row("sandbags", "Sandbags", "Sacchi di sabbia", CLEAR, OPEN, 4, 1.0, (6.0, 3.0)),
        _row("bastion", "Bastion", "Bastione", DIFFICULT, SCREENING, 3, 8.0, (8.0, 7.0), (4.0, 6.0)),
        _row("fortification", "Fortification", "Fortificazione", DIFFICULT, SCREENING, 2, 6.0, (7.0, 6.0), (3.0,)),
        _row("wall", "Wall", "Muro", IMPASSABLE, SOLID, None, 4.0, (8.0, 1.0)),
        _row("building", "Building", "Edificio", IMPASSABLE, SOLID, None, 7.0, (8.0, 6.0)),
        _row("acid-pool", "Acid pool", "Pozza d'acido", IMPASSABLE, OPEN, None, 0.0, (6.0, 5.0)),
        _row("chasm", "Chasm", "Voragine", IMPASSABLE, OPEN, None, 0.0, (9.0, 3.0)),
        _row("wreck", "Wreck", "Rottame", DIFFICULT, SOLID, 5, 2.5, (5.0, 3.0), (), (WRECK,)),
        _row("mire", "Mire", "Pantano", DIFFICULT, OPEN, None, 0.0, (9.0, 7.0), (), (DANGEROUS,)),
        _row("minefield", "Minefield", "Campo minato", CLEAR, OPEN, None, 0.0, (6.0, 6.0), (), (DANGEROUS,)),
    )
}


@rule("10.1/table")
def table_size() -> Size:
    return WIDTH, DEPTH


@lru_cache(maxsize=4096)
@rule("10.1/terrain-data", "2.3.1/cover-values", "3.1.2/terrain-kinds", "3.1.2/terrain-extent")
def scenery_piece(
    kind: str, centre: Point, turn: float = 0.0, name: str = "", size: Size | None = None, cover: int | None = None
) -> Piece:
    """Return a piece of a kind; size and cover default to the usual ones.

    Its width lies along x before it is turned clockwise.
    """
    usual = looked_up(kind, PRESETS, f"There is no scenery {kind[:60]!r}.")
    preset = usual if cover is None else msgspec.structs.replace(usual, cover=cover)
    outline = rectangle(*centre, *(size or preset.size), turn)
    levels = tuple(
        Floor(outline if k == 0 else half(centre, size or preset.size, turn), z) for k, z in enumerate(preset.floors)
    )
    return Piece(name or kind, kind, outline, preset.height, 0.0, levels, preset.tags)


class PieceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece as players write it: a kind, the place of its middle, and what differs from the usual."""

    kind: str
    at: Point
    name: str = ""
    turn: float = 0.0
    size: tuple[Side, Side] | None = None
    cover: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None


@rule("10.1/scenery", "3.1.2/terrain-extent")
def piece_from(plain: dict[str, Any]) -> Piece:
    """Return a piece of a kind, or of any shape with an "outline". Raises ValueError."""
    if not str(plain.get("name", "")).isprintable():
        raise FileError(f"The name {plain['name'][:60]!r} has characters that cannot be shown. Change it.")
    if "outline" in plain:
        return drawn_piece(plain, TAGS)
    row = msgspec.convert(plain, PieceRow)
    if not all(map(math.isfinite, (*row.at, row.turn))):
        raise FileError(f"{row.name or row.kind}: its place and turn must be numbers. Change them.")
    return scenery_piece(row.kind, row.at, row.turn, row.name, row.size, row.cover)


def half(centre: Point, size: Size, turn: float) -> tuple[Point, ...]:
    """Return the left half of a piece, as seen before it was turned."""
    corners = rectangle(0.0, 0.0, *size, turn)
    whole = rectangle(0.0, 0.0, size[0] / 2.0, size[1], turn)
    dx, dy = corners[0][0] - whole[0][0], corners[0][1] - whole[0][1]
    return tuple((centre[0] + x + dx, centre[1] + y + dy) for x, y in whole)


@rule("10.1/scenery")
def covered(pieces: Iterable[Piece]) -> float:
    """Return the share of the table that non-overlapping pieces cover."""
    return sum(area(piece.outline) for piece in pieces) / (WIDTH * DEPTH)


class LaidPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    centre: tuple[float, float]
    turn: float = 0.0
    size: tuple[Side, Side] | None = None
    cover: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A layout. ``turned``: every piece lies a second time, turned half round about the middle of the table."""

    name: Title
    pieces: Annotated[tuple[LaidPiece, ...], msgspec.Meta(max_length=100)]
    turned: bool = False


LAYOUTS = NamedFiles(HERE / "layouts", Layout, "layout.schema.json", "no-layout")


@lru_cache(maxsize=16)
@rule("10.1/scenery")
def layout_named(name: str) -> tuple[Piece, ...]:
    """Return the pieces of a layout."""
    return laid_out(LAYOUTS.named(name), table_size(), laid_piece)


def laid_piece(row: LaidPiece, centre: Point, turn: float, name: str) -> Piece:
    return scenery_piece(row.kind, centre, turn, name, row.size, row.cover)
