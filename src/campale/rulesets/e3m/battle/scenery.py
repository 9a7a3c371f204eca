"""Scenery: the usual pieces by kind, and layouts made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from campale.mechanics.armies.rows import looked_up
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.agreed import SetupError
from campale.mechanics.setup.scenery import LaidPiece, Layout, Size, laid_out, piece_in_file
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.lists import HERE
from campale.table.outlines import rectangle
from campale.table.shapes import Point
from campale.table.terrain import Piece

WIDTH, DEPTH = 72.0, 48.0
PIECES, FEWEST, MOST = 10, 8, 12
"""How many pieces are laid on the table, and between how many the players may agree."""

BROKEN, LINEAR, IMPASSABLE, HILL = "broken", "linear", "impassable", "hill"
DIFFICULT = "difficult"
BLOCKS, SCREENS = "blocks", "screens"
WRECK = "wreck"
COVER = "cover-"
TAGS = (BROKEN, LINEAR, IMPASSABLE, HILL, DIFFICULT, BLOCKS, SCREENS, WRECK, *(f"{COVER}{n}" for n in range(2, 7)))


class Preset(msgspec.Struct, frozen=True):
    """A usual kind of piece: its tags for the rules (with its cover save) and its size."""

    id: str
    title: dict[str, str]
    tags: tuple[str, ...]
    size: Size
    height: float


def preset(id: str, en: str, it: str, tags: tuple[str, ...], save: int | None, size: Size, height: float) -> Preset:
    cover = () if save is None else (f"{COVER}{save}",)
    return Preset(id, {"en": en, "it": it}, (*tags, *cover), size, height)


# setup/terrain-pieces, with the saves of terrain/cover-saves
PRESETS: dict[str, Preset] = {
    one.id: one
    for one in (
        preset("wood", "Wood", "Bosco", (BROKEN, DIFFICULT, SCREENS), 5, (9.0, 7.0), 5.0),
        preset("ruin", "Ruins", "Rovine", (BROKEN, DIFFICULT, SCREENS), 4, (7.0, 6.0), 4.0),
        preset("rubble", "Rubble", "Macerie", (BROKEN, DIFFICULT), 4, (6.0, 4.0), 1.0),
        preset("craters", "Craters", "Crateri", (BROKEN, DIFFICULT), 4, (6.0, 5.0), 0.0),
        preset("marsh", "Marsh", "Palude", (BROKEN, DIFFICULT), 6, (8.0, 6.0), 0.0),
        preset("crops", "Crops", "Campo di grano", (BROKEN,), 6, (9.0, 8.0), 1.0),
        preset("hedge", "Hedge", "Siepe", (LINEAR,), 6, (8.0, 0.5), 1.0),
        preset("wall", "Wall", "Muro", (LINEAR,), 4, (6.0, 0.5), 1.0),
        preset("hill", "Hill", "Collina", (HILL, BLOCKS), 5, (12.0, 8.0), 3.0),
        preset("building", "Building", "Edificio", (IMPASSABLE, BLOCKS), None, (7.0, 5.0), 5.0),
    )
}


@rule("setup/table")
def table_size() -> Size:
    return WIDTH, DEPTH


@rule("setup/table")
def pieces_to_lay(agreed: Mapping[str, Plain]) -> int:
    """The number of pieces agreed on. Raises SetupError for one that is not allowed."""
    found = agreed.get("pieces", PIECES)
    if not isinstance(found, int) or not FEWEST <= found <= MOST:
        raise SetupError(f"there are {FEWEST} to {MOST} pieces of terrain, not {str(found)[:60]}")
    return found


@lru_cache(maxsize=4096)
@rule("setup/terrain-pieces", "terrain/classes", "terrain/cover-saves")
def scenery_piece(kind: str, centre: Point, turn: float = 0.0, name: str = "", size: Size | None = None) -> Piece:
    """A piece of a kind, of its usual size unless given: its width along x, then turned clockwise."""
    one = looked_up(kind, PRESETS, f"There is no scenery {kind[:60]!r}.")
    outline = rectangle(*centre, *(size or one.size), turn)
    return Piece(name or kind, kind, outline, one.height, 0.0, (), one.tags)


LAYOUTS = NamedFiles(HERE / "layouts", Layout[LaidPiece], None, "no-layout")


@lru_cache(maxsize=16)
def layout_named(name: str) -> tuple[Piece, ...]:
    """The pieces of a layout."""
    return laid_out(LAYOUTS.named(name), table_size(), laid_piece)


def laid_piece(row: LaidPiece, centre: Point, turn: float, name: str) -> Piece:
    return scenery_piece(row.kind, centre, turn, name, row.size)


def piece_from(plain: dict[str, Any]) -> Piece:
    """A piece of a kind, or one of any form if "outline" is given. Raises ValueError."""
    return piece_in_file(plain, TAGS, LaidPiece, laid_piece)
