"""Terrain: the usual pieces by kind, and tables laid by hand (only-war/terrain, terrain/*)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec

from campale.mechanics.armies.rows import looked_up
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.scenery import LaidPiece, Layout, Side, Size, laid_out, piece_in_file
from campale.referee.rule import rule
from campale.rulesets.w10.armies.datasheets import HERE
from campale.table.outlines import placed, rectangle
from campale.table.shapes import Point
from campale.table.terrain import Floor, Piece

WIDTH, DEPTH = 60.0, 44.0

RUINS, WOODS, BARRICADE, CRATERS, DEBRIS, HILLS = "ruins", "woods", "barricade", "craters", "debris", "hills"
TAGS = (RUINS, WOODS, BARRICADE, CRATERS, DEBRIS, HILLS)
Height = Annotated[float, msgspec.Meta(gt=0, le=20)]


class Kind(msgspec.Struct, frozen=True):
    """A usual kind of feature: its size and height in inches."""

    id: str
    title: dict[str, str]
    size: Size
    height: float


KINDS: dict[str, Kind] = {
    one.id: one
    for one in (
        Kind(RUINS, {"en": "Ruins", "it": "Rovine"}, (8.0, 6.0), 0.0),
        Kind(WOODS, {"en": "Woods", "it": "Boschi"}, (8.0, 6.0), 0.0),
        Kind(BARRICADE, {"en": "Barricade", "it": "Barricata"}, (6.0, 0.5), 1.5),
        Kind(CRATERS, {"en": "Craters", "it": "Crateri"}, (5.0, 5.0), 0.0),
        Kind(DEBRIS, {"en": "Debris", "it": "Detriti"}, (3.0, 3.0), 3.0),
        Kind(HILLS, {"en": "Hill", "it": "Collina"}, (10.0, 8.0), 3.0),
    )
}


@rule("only-war/setup", "core-concepts/battlefield")
def table_size() -> Size:
    """The smallest battlefield of an Incursion and of a Strike Force."""
    return WIDTH, DEPTH


class LaidFloor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A floor of ruins, ``z`` inches up.

    ``middle``: how far its middle lies to the right of, and in front of, the middle of the ruins. ``size``: the size of
    the ruins if none is given.
    """

    z: Height
    middle: Point = (0.0, 0.0)
    size: tuple[Side, Side] | None = None


@lru_cache(maxsize=4096)
@rule("only-war/terrain", "terrain/footprint", "terrain/hills")
def feature(
    kind: str,
    centre: Point,
    turn: float = 0.0,
    name: str = "",
    size: Size | None = None,
    height: float | None = None,
    floors: tuple[LaidFloor, ...] = (),
) -> Piece:
    """A feature of a kind, its usual size if none is given: width along x, then turned clockwise.

    Models can stand on top of a hill, and on floors.
    """
    one = looked_up(kind, KINDS, f"There is no terrain {kind[:60]!r}.")
    whole = size or one.size
    outline = rectangle(*centre, *whole, turn)
    levels = tuple(floor_of(floor, centre, turn, whole) for floor in floors)
    tall = max((one.height if height is None else height, *(floor.z for floor in levels)))
    if kind == HILLS:
        levels = (Floor(outline, tall),)
    return Piece(name or kind, kind, outline, tall, 0.0, levels, (kind,))


def floor_of(floor: LaidFloor, centre: Point, turn: float, whole: Size) -> Floor:
    ((x, y),) = placed((floor.middle,), *centre, turn)
    return Floor(rectangle(x, y, *(floor.size or whole), turn), floor.z)


class LaidFeature(LaidPiece, frozen=True, forbid_unknown_fields=True):
    """A feature as written in layouts and scenario files. ``height``: given if it is not the usual one."""

    height: Height | None = None
    floors: Annotated[tuple[LaidFloor, ...], msgspec.Meta(max_length=6)] = ()


LAYOUTS = NamedFiles(HERE / "layouts", Layout[LaidFeature], None, "no-layout")


@lru_cache(maxsize=16)
def layout_named(name: str) -> tuple[Piece, ...]:
    """The features of a layout."""
    return laid_out(LAYOUTS.named(name), table_size(), laid_feature)


def laid_feature(row: LaidFeature, centre: Point, turn: float, name: str) -> Piece:
    return feature(row.kind, centre, turn, name, row.size, row.height, row.floors)


def piece_from(plain: dict[str, Any]) -> Piece:
    """A piece of a kind, or one of any form if it has an "outline". Raises ValueError."""
    return piece_in_file(plain, TAGS, LaidFeature, laid_feature)
