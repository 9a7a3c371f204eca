"""Scenery: the usual pieces by kind, buildings with their floors and Access Points, layouts made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from campale.mechanics.armies.rows import looked_up
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.scenery import LaidPiece, Layout, Size, laid_out, piece_in_file
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.lists import HERE
from campale.rulesets.wzr.battle.terrain import (
    DOOR,
    HEAVY,
    IMPASSABLE,
    INTACT,
    LIGHT,
    LINEAR,
    ROW,
    RUIN,
    SOLID,
    TAGS,
    WINDOW,
)
from campale.rulesets.wzr.structures.access import ADMITS, STOREY, USUAL_DOOR
from campale.table.outlines import placed, rectangle
from campale.table.shapes import Point
from campale.table.terrain import Floor, Piece

SIDE, LONG_SIDE = 48.0, 72.0
LARGE = 1000
"""Armies of more points than this fight on the longer table."""

DOOR_SIZE, DOOR_HEIGHT = (2.0, 0.4), 2.5
WINDOW_SIZE, SILL, WINDOW_HEIGHT = (2.0, 0.4), 1.0, 1.25

ALL_TAGS = (*TAGS, *(f"{ADMITS}{one}" for one in ("small", "medium", "large")))


class Preset(msgspec.Struct, frozen=True):
    """A usual kind of piece: its tags for the rules and its size.

    ``floors``: a building's floors, ground floor included.
    """

    id: str
    title: dict[str, str]
    tags: tuple[str, ...]
    size: Size
    height: float
    floors: int = 0


def preset(id: str, en: str, it: str, tags: tuple[str, ...], size: Size, height: float, floors: int = 0) -> Preset:
    return Preset(id, {"en": en, "it": it}, tags, size, height, floors)


SCRUB, CRATERS, RUBBLE, WOODS, RUINS = "scrub", "craters", "rubble", "woods", "ruins"
WALL, BARRICADE, CRATES, ROCK = "wall", "barricade", "crates", "rock"
BRICK, WOODEN, BUNKER = "brick-building", "wooden-building", "bunker"

PRESETS: dict[str, Preset] = {
    one.id: one
    for one in (
        preset(SCRUB, "Scrub", "Sterpaglia", (LIGHT,), (6.0, 5.0), 1.0),
        preset(CRATERS, "Craters", "Crateri", (LIGHT,), (5.0, 5.0), 0.0),
        preset(RUBBLE, "Rubble", "Macerie", (LIGHT,), (5.0, 4.0), 0.5),
        preset(WOODS, "Woods", "Bosco", (HEAVY, f"{ROW}trees"), (7.0, 5.0), 4.0),
        preset(RUINS, "Ruins", "Rovine", (HEAVY, RUIN), (7.0, 5.0), 3.0),
        preset(WALL, "Wall", "Muro", (HEAVY, SOLID, LINEAR, f"{ROW}wall"), (6.0, 0.5), 1.5),
        preset(BARRICADE, "Barricade", "Barricata", (LIGHT, SOLID, LINEAR, f"{ROW}crates"), (4.0, 0.5), 1.0),
        preset(CRATES, "Crates", "Casse", (LIGHT, SOLID, LINEAR, f"{ROW}crates"), (2.0, 2.0), 1.0),
        preset(ROCK, "Sheer rock", "Roccia a picco", (IMPASSABLE, SOLID), (4.0, 3.0), 4.0),
        preset(BRICK, "Brick building", "Edificio in mattoni", (INTACT, SOLID, f"{ROW}brick"), (8.0, 6.0), 6.0, 2),
        preset(WOODEN, "Wooden building", "Edificio in legno", (INTACT, SOLID, f"{ROW}wood"), (6.0, 5.0), 3.0, 1),
        preset(BUNKER, "Bunker", "Bunker", (INTACT, SOLID, f"{ROW}bunker"), (5.0, 4.0), 3.0, 1),
    )
}
BUILDINGS = (BRICK, WOODEN, BUNKER)


@rule("setup/table")
def table_size(points: int = 0) -> Size:
    """48 by 48 inches, or 72 by 48 for armies above 1,000 points."""
    return (LONG_SIDE if points > LARGE else SIDE), SIDE


class LaidBuilding(LaidPiece, frozen=True, forbid_unknown_fields=True):
    """A piece in layouts and scenario files. ``floors``: a building's floors, if not the usual number.

    ``doors`` and ``windows``: places along each wall, written as "south 0.5 1": the wall, the share of its length from
    its west or south end, and the floor from 0 (windows only).
    """

    floors: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    height: Annotated[float, msgspec.Meta(gt=0, le=12)] | None = None
    doors: Annotated[tuple[str, ...], msgspec.Meta(max_length=6)] = ("south 0.5", "north 0.5")
    windows: Annotated[tuple[str, ...], msgspec.Meta(max_length=12)] = ("west 0.5", "east 0.5")


# ---------------------------------------------------------------- one piece


@lru_cache(maxsize=4096)
@rule("setup/terrain", "movement/terrain-types", "structures/decide-before", "structures/ruins", "structures/intact")
def scenery_piece(
    kind: str,
    centre: Point,
    turn: float = 0.0,
    name: str = "",
    size: Size | None = None,
    floors: int = 0,
    height: float | None = None,
) -> Piece:
    """A piece of a kind, of its usual size unless given: its width along x, then turned clockwise.

    A building has floors 3 inches apart, and models can stand on its flat roof too.
    """
    one = looked_up(kind, PRESETS, f"There is no scenery {kind[:60]!r}.")
    outline = rectangle(*centre, *(size or one.size), turn)
    if not one.floors:
        return Piece(name or kind, kind, outline, one.height if height is None else height, 0.0, (), one.tags)
    storeys = floors or one.floors
    levels = tuple(Floor(outline, STOREY * k) for k in range(1, storeys + 1))
    return Piece(name or kind, kind, outline, STOREY * storeys, 0.0, levels, one.tags)


def whole(
    kind: str, centre: Point, turn: float, name: str, size: Size | None = None, row: LaidBuilding | None = None
) -> tuple[Piece, ...]:
    """A piece with its Access Points, each a separate piece named after it."""
    row = row or LaidBuilding(kind, centre)
    piece = scenery_piece(kind, centre, turn, name, size, row.floors, row.height)
    return (piece, *openings(piece, size or PRESETS[kind].size, centre, turn, row)) if kind in BUILDINGS else (piece,)


@rule("structures/access-points", "structures/decide-before")
def openings(piece: Piece, size: Size, centre: Point, turn: float, row: LaidBuilding) -> Iterator[Piece]:
    """The doors and windows of a building. Doors admit small and medium bases, windows none."""
    bases = tuple(f"{ADMITS}{base}" for base in USUAL_DOOR)
    for number, written in enumerate(row.doors, 1):
        outline, _ = opening(written, DOOR_SIZE, size, centre, turn)
        yield Piece(f"{piece.name}:door-{number}", DOOR, outline, DOOR_HEIGHT, 0.0, (), (DOOR, *bases))
    for number, written in enumerate(row.windows, 1):
        outline, floor = opening(written, WINDOW_SIZE, size, centre, turn)
        z = STOREY * floor + SILL
        yield Piece(f"{piece.name}:window-{number}", WINDOW, outline, WINDOW_HEIGHT, z, (), (WINDOW,))


def opening(written: str, size: Size, house: Size, centre: Point, turn: float) -> tuple[tuple[Point, ...], int]:
    """The outline of an opening in a wall, and its floor."""
    wall, share, *floor = written.split()
    along = float(share) - 0.5
    spots = {
        "south": ((along * house[0], -house[1] / 2.0), 0.0),
        "north": ((along * house[0], house[1] / 2.0), 0.0),
        "west": ((-house[0] / 2.0, along * house[1]), 90.0),
        "east": ((house[0] / 2.0, along * house[1]), 90.0),
    }
    spot, aside = spots[wall]
    ((x, y),) = placed((spot,), *centre, turn)
    return rectangle(x, y, *size, turn + aside), int(floor[0]) if floor else 0


# ---------------------------------------------------------------- layouts


LAYOUTS = NamedFiles(HERE / "layouts", Layout[LaidBuilding], None, "no-layout")


@lru_cache(maxsize=16)
@rule("setup/terrain", "setup/table")
def layout_named(name: str, width: float = SIDE) -> tuple[Piece, ...]:
    """The pieces of a layout, with Access Points of its buildings, centred on a longer table."""
    found: list[Piece] = []

    def piece(row: LaidBuilding, centre: Point, turn: float, called: str) -> Piece:
        there = centre[0] + (width - SIDE) / 2.0, centre[1]
        found.extend(whole(row.kind, there, turn, called, row.size, row))
        return found[-1]

    laid_out(LAYOUTS.named(name), table_size(), piece)
    return tuple(found)


def laid_piece(row: LaidBuilding, centre: Point, turn: float, name: str) -> Piece:
    return scenery_piece(row.kind, centre, turn, name, row.size, row.floors, row.height)


def piece_from(plain: dict[str, Any]) -> Piece:
    """A piece of a kind, or one of any form if "outline" is given. Raises ValueError."""
    return piece_in_file(plain, ALL_TAGS, LaidBuilding, laid_piece)
