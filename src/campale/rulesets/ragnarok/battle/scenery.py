"""The scenery table, the pieces made from it, and prepared layouts."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Title, looked_up
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.scenery import lies_in
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.arsenal import HERE
from campale.table.outlines import overlap, rectangle
from campale.table.shapes import Point
from campale.table.terrain import Floor, Piece


class Scenery(msgspec.Struct, frozen=True):
    """A row of the scenery table. ``can_be_stood_on``: models stand on its top, not at its foot."""

    id: str
    title: dict[str, str]
    ground: Literal["rough", "impassable"]
    height: float
    sight: Literal["solid", "screen", "flat"]
    width: float
    depth: float
    can_be_stood_on: bool = False

    @property
    def tags(self) -> tuple[str, ...]:
        return (self.ground, self.sight, *(("stand",) if self.can_be_stood_on else ()))


SCENERY: dict[str, Scenery] = {
    row.id: row
    for row in (
        Scenery("wood", {"en": "Wood", "it": "Bosco"}, "rough", 8.0, "screen", 15.0, 15.0),
        Scenery("ruin", {"en": "Ruin", "it": "Rovina"}, "rough", 6.0, "screen", 12.0, 12.0),
        Scenery("rubble", {"en": "Rubble", "it": "Macerie"}, "rough", 1.5, "screen", 10.0, 8.0),
        Scenery("low_wall", {"en": "Low wall", "it": "Muretto"}, "rough", 1.5, "solid", 10.0, 1.0),
        Scenery("bog", {"en": "Bog", "it": "Pantano"}, "rough", 0.0, "flat", 12.0, 10.0),
        Scenery("hill", {"en": "Hill", "it": "Collina"}, "rough", 3.0, "solid", 20.0, 15.0, True),
        Scenery("boulder", {"en": "Rune boulder", "it": "Masso runico"}, "impassable", 5.0, "solid", 6.0, 6.0),
        Scenery("workshop", {"en": "Workshop", "it": "Officina"}, "impassable", 10.0, "solid", 15.0, 12.0),
        Scenery("frozen_pond", {"en": "Frozen pond", "it": "Stagno gelato"}, "impassable", 0.0, "flat", 12.0, 10.0),
    )
}


@lru_cache(maxsize=16_384)
@rule("battlefield/scenery-table")
def scenery_piece(kind: str, centre: Point, turn: float = 0.0, name: str = "") -> Piece:
    """Return a piece of a kind at its usual size: its width along x, then turned clockwise by degrees."""
    row = looked_up(kind, SCENERY, f"There is no scenery {kind[:60]!r}.")
    outline = rectangle(*centre, row.width, row.depth, turn)
    return Piece(
        name=name or kind,
        kind=kind,
        outline=outline,
        height=row.height,
        floors=(Floor(outline, row.height),) if row.can_be_stood_on else (),
        tags=row.tags,
    )


class LaidPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    centre: tuple[float, float]
    turn: float = 0.0


_Size = Annotated[float, msgspec.Meta(ge=40, le=1000)]


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Title
    width: _Size
    depth: _Size
    pieces: Annotated[tuple[LaidPiece, ...], msgspec.Meta(max_length=200)]


LAYOUTS = NamedFiles(HERE / "layouts", Layout, "layout.schema.json", "no-layout")


@lru_cache(maxsize=64)
def layout_named(name: str, width: float = 120.0, depth: float = 120.0) -> tuple[Piece, ...]:
    """Return the pieces of a layout on a table of this size.

    On a table of another size the pieces keep their sizes, and their places are scaled; a piece that would lie over the
    edge or over an earlier piece is left out.
    """
    plan = LAYOUTS.named(name)
    laid: list[Piece] = []
    for number, one in enumerate(plan.pieces, 1):
        centre = (one.centre[0] * width / plan.width, one.centre[1] * depth / plan.depth)
        piece = scenery_piece(one.kind, centre, one.turn, f"{one.kind}-{number}")
        is_free = not any(overlap(piece.outline, other.outline) for other in laid)
        if is_free and lies_in(piece, (0.0, 0.0, width, depth)):
            laid.append(piece)
    return tuple(laid)
