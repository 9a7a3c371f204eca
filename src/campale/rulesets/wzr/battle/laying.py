"""Terrain laid by the players in turn, or by lot at the same places (setup/terrain)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np

from campale.mechanics.script_form import fill_in_script
from campale.mechanics.setup.agreed import BY_LOT, BY_PLAYERS
from campale.mechanics.setup.laying import (
    apart,
    keeping_off,
    kind_and_place,
    kind_and_place_by_lot,
    place_question,
    placed,
)
from campale.referee.position import Position
from campale.referee.question import Aim, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.basics.dice import roll_off
from campale.rulesets.wzr.battle.scenery import (
    BARRICADE,
    BRICK,
    BUNKER,
    CRATERS,
    CRATES,
    RUBBLE,
    RUINS,
    SCRUB,
    WALL,
    WOODEN,
    WOODS,
    scenery_piece,
    whole,
)
from campale.rulesets.wzr.structures.access import is_access
from campale.table.kernels import Floats
from campale.table.outlines import box
from campale.table.shapes import TOLERANCE
from campale.table.terrain import Piece

APART = 3.0
GRID = 3.0
TURNS = (0.0, 90.0)

WANTED: dict[str, int] = {"heavy": 2, "light": 3, "wall": 2, "structure": 1}
"""How many pieces of each class the table has."""
CLASSES: dict[str, str] = {
    WOODS: "heavy",
    RUINS: "heavy",
    SCRUB: "light",
    CRATERS: "light",
    RUBBLE: "light",
    WALL: "wall",
    BARRICADE: "wall",
    CRATES: "wall",
    BRICK: "structure",
    WOODEN: "structure",
    BUNKER: "structure",
}


@rule("setup/terrain")
async def lay_scenery(position: Position) -> bool:
    """Lay one piece and return whether there was one to lay; by lot, or by the players in turn, up to eight."""
    how = position.now.get("scenery")
    if how not in (BY_LOT, BY_PLAYERS) or not open_kinds(position):
        return False
    if how == BY_PLAYERS and "lays" not in position.now:
        position.now["lays"] = await roll_off("scenery")
    places = open_places(position)
    if not places:
        return False
    kind, at = await (by_lot(places) if how == BY_LOT else by_player(position, places))
    x, y, turn = placed(at)
    lay_whole(position, whole(kind, (x, y), turn, f"{kind}-{len(laid(position)) + 1}", None))
    return True


@rule("setup/terrain", "structures/decide-before")
def lay_whole(position: Position, pieces: Sequence[Piece]) -> None:
    """Lay a piece with its doors and windows."""
    ground = position.ground
    for one in pieces:
        ground = ground.with_piece(one)
    position.change_ground(ground, piece=pieces[0].name, piece_kind=pieces[0].kind)


async def by_lot(places: dict[str, list[Plain]]) -> tuple[str, Sequence[float]]:
    return await kind_and_place_by_lot(list(places), lambda kind: places[kind])


async def by_player(position: Position, places: dict[str, list[Plain]]) -> tuple[str, Sequence[float]]:
    side = int(position.now["lays"])

    def script() -> Generator[Question, Any, tuple[str, Sequence[float]]]:
        found = yield from kind_and_place(side, list(places), partial(piece_question, position, side, places))
        return found

    found = await fill_in_script(side, "scenery", script)
    assert found is not None
    position.now["lays"] = 1 - side
    return found


# ---------------------------------------------------------------- pieces still to lay


def laid(position: Position) -> list[Piece]:
    """The pieces on the table, without Access Points."""
    return [piece for piece in position.ground.pieces if not is_access(piece)]


@rule("setup/terrain")
def open_kinds(position: Position) -> list[str]:
    """The kinds still to lay, of two heavy, three light, two walls or barricades, and one intact structure."""
    have = Counter(CLASSES[piece.kind] for piece in laid(position) if piece.kind in CLASSES)
    return [kind for kind, one in CLASSES.items() if have[one] < WANTED[one]]


@rule("setup/terrain")
def fault_of_piece(position: Position, piece: Piece) -> Fault | None:
    """A piece lies at least 3 inches from the table edge and from every other piece."""
    west, south, east, north = box(piece.outline)
    ground = position.ground
    at = round(west, 2), round(south, 2)
    inside = min(west, south, ground.width - east, ground.depth - north)
    away = min((apart(piece, other) for other in laid(position)), default=APART)
    least = min(inside, away)
    return Fault(at, round(least, 2), APART) if least < APART - TOLERANCE else None


def open_places(position: Position) -> dict[str, list[Plain]]:
    """The grid places, by kind, where a piece of that kind may lie."""
    kept = position.own
    if "open-places" not in kept:
        by_kind = {kind: [list(one) for one in candidates(position, kind)] for kind in open_kinds(position)}
        kept["open-places"] = {kind: places for kind, places in by_kind.items() if places}
    found: dict[str, list[Plain]] = kept["open-places"]
    return found


def candidates(position: Position, kind: str) -> Iterator[tuple[float, float, float]]:
    """The grid places where the box of the piece keeps off the boxes of all other pieces."""
    places, boxes = grid_of(kind, position.ground.width, position.ground.depth)
    yield from keeping_off(places, boxes, laid(position), APART)


@lru_cache(maxsize=256)
def grid_of(kind: str, width: float, depth: float) -> tuple[list[tuple[float, float, float]], Floats]:
    """The grid places (x, y, turn) where a piece keeps off the table edges, and its boxes there (n, 4)."""
    across, along = range(1, int(width / GRID)), range(1, int(depth / GRID))
    spots = [(GRID * column, GRID * row, turn) for column, row in product(across, along) for turn in TURNS]
    boxes = [box(scenery_piece(kind, spot[:2], spot[2]).outline) for spot in spots]
    inside = [
        k
        for k, (west, south, east, north) in enumerate(boxes)
        if min(west, south, width - east, depth - north) >= APART - TOLERANCE
    ]
    return [spots[k] for k in inside], np.array([boxes[k] for k in inside], np.float64).reshape(-1, 4)


def piece_question(position: Position, side: int, places: dict[str, list[Plain]], kind: str) -> Aim:
    def refuses(at: Sequence[float]) -> Fault | None:
        x, y, turn = placed(at)
        return fault_of_piece(position, scenery_piece(kind, (x, y), turn))

    return place_question(side, "scenery-place", lambda: places[kind], refuses, piece=kind, apart=APART)
