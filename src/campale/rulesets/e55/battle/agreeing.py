"""The players' agreements before the game: the scenery, and the cover of each piece (10.1, 2.3.1)."""

from __future__ import annotations

from typing import Any

import msgspec

from campale.mechanics.answers import DONE
from campale.mechanics.setup.agreed import BY_LOT
from campale.referee.ask import confirm, draw, fill_in
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.rule import rule
from campale.rulesets.e55.battle import generator, scenery
from campale.rulesets.e55.movement_phase.terrain import COVER, cover_of
from campale.table.terrain import Ground, Piece

GENERATED, AS_PROPOSED = "generated", "presets"
COVERS = (0, 2, 3, 4, 5, 6)
"""The values of a cover; 0: none."""
TABLES = 1_000
"""How many different tables can be generated."""


async def agree_on_scenery(position: Position) -> bool:
    if not position.ground.pieces:
        await lay_scenery(position)
    await agree_on_cover(position)
    return False


# ---------------------------------------------------------------- the table and its pieces


def with_pieces(pieces: tuple[Piece, ...]) -> Ground:
    ground = Ground(*scenery.table_size())
    for piece in pieces:
        ground = ground.with_piece(piece)
    return ground


@rule("10.1/scenery")
async def lay_scenery(position: Position) -> None:
    """Lay a layout drawn by lot, or a generated table; a table agreed on is laid already."""
    wanted = str(position.now.get("scenery", ""))
    if wanted == BY_LOT and scenery.LAYOUTS.names():
        name = (await draw(None, "layout", scenery.LAYOUTS.names()))[0]
        position.change_ground(with_pieces(scenery.layout_named(name)), layout=name)
    elif wanted in (BY_LOT, GENERATED):
        number = (await draw(None, "table", range(TABLES)))[0]
        position.change_ground(with_pieces(generator.layout(int(number))), table=number)


# ---------------------------------------------------------------- 2.3.1/cover-agreed


@rule("2.3.1/cover-agreed")
async def agree_on_cover(position: Position) -> None:
    """Let the first player change the proposed covers; without the second player's consent, they stay."""
    if position.now.get("cover") == AS_PROPOSED or not position.ground.pieces:
        return
    proposed = await fill_in(0, "agree-on-cover", lambda filled: cover_field(position, filled), idle=[DONE])
    changes = [tuple(pair) for pair in zip(proposed[0::2], proposed[1::2], strict=False)]
    if changes and await confirm(1, "accept-cover", changes=changes):
        for name, value in changes:
            position.change_ground(with_cover(position.ground, name, value), piece=name, cover=value)


def cover_field(position: Position, filled: list[Any]) -> Question | None:
    """Ask for a piece, then its value, piece after piece until the player is done."""
    if filled and filled[-1] == DONE:
        return None
    pieces = position.ground.pieces
    if len(filled) % 2 == 1:
        name = str(filled[-1])
        now = cover_of(position.ground.piece(name)) or 0
        return Choose(0, "cover-of", [value for value in COVERS if value != now], "number", about={"piece": name})
    left = [piece.name for piece in pieces if piece.name not in filled[0::2]]
    return Choose(0, "change-cover-of", [DONE, *left], "piece")


@rule("2.3.1/cover-agreed")
def with_cover(ground: Ground, name: str, value: int) -> Ground:
    """Return the ground with another cover for a piece; 0: none."""
    piece = ground.piece(name)
    others = tuple(tag for tag in piece.tags if not tag.startswith(COVER))
    tags = (*others, f"{COVER}{value}") if value else others
    return ground.replacing(name, msgspec.structs.replace(piece, tags=tags))
