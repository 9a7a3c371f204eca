"""A random table of scenery (10.1/scenery): the same for the same seed, and the same from both long edges.

Pieces lie in pairs, each the other turned half round about the middle of the table. Large ones come first, then smaller
ones until enough is covered. Impassable pieces keep clear of the long edges and leave lanes for hulls.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from campale.mechanics.setup.scenery import Size
from campale.referee.rule import rule
from campale.rulesets.e55.battle.scenery import DEPTH, LEAST_COVERED, PRESETS, WIDTH, covered, scenery_piece
from campale.rulesets.e55.movement_phase.terrain import IMPASSABLE
from campale.table.outlines import box, overlap, rectangle
from campale.table.shapes import Point
from campale.table.terrain import Piece

ENOUGH = 0.38
GAP, LANE = 1.0, 4.5
FROM_EDGE, FROM_OWN_EDGE = 0.5, 7.0
MOST_IMPASSABLE = 0.09
TRIES, TABLES = 60, 20
SIZES = (0.85, 1.15)
GREAT = ("ruins", "woods", "ruins", "woods", "building", "stone-structure", "ruins")
SMALL = (
    *("rubble", "wooden-structure", "hide-structure", "stone-structure", "woods", "ruins", "bastion", "mire"),
    *("emplacement", "sandbags", "wall", "wreck", "acid-pool", "chasm", "barbed-wire", "fortification", "minefield"),
)
TURNS = (0.0, 90.0, 0.0, 90.0, 30.0, -30.0)


@lru_cache(maxsize=64)
@rule("10.1/scenery")
def layout(seed: int) -> tuple[Piece, ...]:
    """Return a table of which about 40 % is covered, between 35 and 45."""
    found: tuple[Piece, ...] = ()
    for number in range(TABLES):
        laid = one_table(Random(seed * TABLES + number))
        if covered(laid) >= LEAST_COVERED:
            return laid
        found = max(found, laid, key=covered)
    return found


def generated(seed: int) -> tuple[Piece, ...]:
    """Return the table of a seed, the same at every call."""
    return layout(seed)


def one_table(rng: Random) -> tuple[Piece, ...]:
    laid: list[Piece] = []
    for kind in GREAT:
        lay_pair(rng, laid, kind)
    for _ in range(TRIES):
        if covered(laid) >= ENOUGH:
            break
        lay_pair(rng, laid, drawn(rng, SMALL))
    return tuple(laid)


def drawn(rng: Random, among: tuple[str, ...]) -> str:
    return among[int(rng.random() * len(among))]


def lay_pair(rng: Random, laid: list[Piece], kind: str) -> None:
    """Lay a piece of a kind and its image at the first random place where both have room."""
    low, high = SIZES
    wide, deep = PRESETS[kind].size
    size = (rounded(wide * (low + rng.random() * (high - low))), rounded(deep * (low + rng.random() * (high - low))))
    turn = TURNS[int(rng.random() * len(TURNS))]
    for _ in range(TRIES):
        centre = (rounded(rng.random() * WIDTH), rounded(rng.random() * DEPTH))
        if has_room(laid, kind, centre, turn, size):
            for at, turned in ((centre, turn), ((WIDTH - centre[0], DEPTH - centre[1]), turn + 180.0)):
                laid.append(scenery_piece(kind, at, turned, f"{kind}-{len(laid) + 1}", size))
            return


def rounded(length: float) -> float:
    """Round a length to a quarter of an inch."""
    return round(length * 4.0) / 4.0


def has_room(laid: list[Piece], kind: str, centre: Point, turn: float, size: Size) -> bool:
    """Return whether a piece and its image fit on the table, apart from each other and from all others."""
    outline = rectangle(*centre, *size, turn)
    barred = PRESETS[kind].kind == IMPASSABLE
    left, near, right, far = box(outline)
    if left < FROM_EDGE or right > WIDTH - FROM_EDGE:
        return False
    margin = FROM_OWN_EDGE if barred else FROM_EDGE
    if near < margin or far > DEPTH - margin:
        return False
    if barred and covered(one for one in laid if IMPASSABLE in one.tags) >= MOST_IMPASSABLE:
        return False
    image = scenery_piece(kind, (WIDTH - centre[0], DEPTH - centre[1]), turn + 180.0, "", size)
    return all(is_apart(one, kind, centre, turn, size) for one in (image, *laid))


def is_apart(other: Piece, kind: str, centre: Point, turn: float, size: Size) -> bool:
    """Return whether a piece is beyond the usual gap of another, or beyond a lane if both are impassable."""
    both_barred = PRESETS[kind].kind == IMPASSABLE and IMPASSABLE in other.tags
    gap = LANE if both_barred else GAP
    return not overlap(rectangle(*centre, size[0] + 2.0 * gap, size[1] + 2.0 * gap, turn), other.outline)
