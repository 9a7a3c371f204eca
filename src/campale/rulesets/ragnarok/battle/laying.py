"""Laying scenery and objectives: by the players in turn, or by lot within the same limits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from campale.referee.ask import ask, draw, fill_in
from campale.referee.position import Position, Token
from campale.referee.question import Aim, Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import d3
from campale.rulesets.ragnarok.basics.measuring import less_than
from campale.rulesets.ragnarok.battle.battlefield import base_overlaps, impassable_pieces
from campale.rulesets.ragnarok.battle.scenery import SCENERY, is_on_table, scenery_piece
from campale.table.outlines import Box, Outline, box, boxes_overlap, overlap
from campale.table.shapes import TOLERANCE, Point
from campale.table.terrain import Ground, Piece

SQUARE = 40.0
FINENESS = 4.0
PATROL_PIECES = 3
PATROL_KIND = "ruin"
FROM_EDGE, FROM_OTHERS = 10.0, 15.0
Field = tuple[float, float, float, float]
"""Least x and y, greatest x and y."""


# ---------------------------------------------------------------- battlefield/placement


@rule("battlefield/placement")
async def lay_standard(position: Position) -> None:
    """All the D3 first, square by square; then one piece each in turn, player 1 first, or all by lot."""
    wanted = [await d3(position, 0, "scenery", square=number) for number in range(len(squares(position)))]
    side = 0
    while True:
        lacking = [k for k, count in enumerate(wanted) if len(kinds_in(position, k)) < count and has_room(position, k)]
        if not lacking:
            break
        if position.now.get("scenery") == "players":
            await lay_by_player(position, side, lacking)
        else:
            await lay_by_lot(position, lacking[0])
        side = 1 - side


def squares(position: Position) -> list[Field]:
    """The squares of 40 cm, row by row; part squares at the edge count as whole."""
    found = []
    y = 0.0
    while y < position.ground.depth:
        x = 0.0
        while x < position.ground.width:
            found.append((x, y, min(x + SQUARE, position.ground.width), min(y + SQUARE, position.ground.depth)))
            x += SQUARE
        y += SQUARE
    return found


def kinds_in(position: Position, square: int) -> list[str]:
    """The kinds laid so far for a square."""
    prefix = f"s{square}-"
    return [piece.kind for piece in position.ground.pieces if piece.name.startswith(prefix)]


@rule("battlefield/placement")
def fault_of_piece(position: Position, piece: Piece) -> Fault | None:
    """Wholly on the table, over no other piece."""
    around = box(piece.outline)
    if is_on_table(piece, position.ground.width, position.ground.depth):
        near = (other for other, their_box in position.ground.kept(boxed_outlines) if boxes_overlap(around, their_box))
        if not any(overlap(piece.outline, other) for other in near):
            return None
    return Fault(around[:2])


def boxed_outlines(ground: Ground) -> list[tuple[Outline, Box]]:
    """The outlines of the pieces, each with its box."""
    return [(piece.outline, box(piece.outline)) for piece in ground.pieces]


def open_places(position: Position, square: int, kind: str) -> Iterator[Plain]:
    """Centre and turn of a kind in a square, FINENESS apart, lengthways and crossways."""
    low_x, low_y, high_x, high_y = squares(position)[square]
    for row in range(int((high_y - low_y) / FINENESS)):
        for column in range(int((high_x - low_x) / FINENESS)):
            for turn in (0.0, 90.0):
                at = [low_x + FINENESS * (column + 0.5), low_y + FINENESS * (row + 0.5), turn]
                if fault_of_piece(position, scenery_piece(kind, (at[0], at[1]), turn)) is None:
                    yield at


def open_kinds(position: Position, square: int) -> list[str]:
    """The kinds not yet in the square for which there is room."""
    laid = kinds_in(position, square)
    return [k for k in SCENERY if k not in laid and next(open_places(position, square, k), None) is not None]


def has_room(position: Position, square: int) -> bool:
    laid = kinds_in(position, square)
    return any(next(open_places(position, square, k), None) is not None for k in SCENERY if k not in laid)


def turned(at: tuple[float, ...]) -> Plain:
    """Centre and turn of an answer; without a turn the piece lies lengthways."""
    return [*at, 0.0][:3]


def piece_at(kind: str, at: tuple[float, ...]) -> Piece:
    return scenery_piece(kind, (at[0], at[1]), at[2] if len(at) > 2 else 0.0)


def lay(position: Position, kind: str, at: Plain, name: str) -> None:
    piece = scenery_piece(kind, (at[0], at[1]), at[2], name)
    position.change_ground(position.ground.with_piece(piece), piece=name, piece_kind=kind)


@rule("battlefield/placement")
async def lay_by_lot(position: Position, square: int) -> None:
    kind = (await draw(None, "scenery-kind", open_kinds(position, square), square=square))[0]
    at = (await draw(None, "scenery-place", list(open_places(position, square, kind)), square=square))[0]
    lay(position, kind, at, f"s{square}-{kind}")


@rule("battlefield/placement")
async def lay_by_player(position: Position, side: int, lacking: list[int]) -> None:
    """Any kind not yet in the square, turned as wished, its centre in a square that still lacks pieces."""

    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            return Choose(side, "scenery-square", lacking, "square")
        if len(filled) == 1:
            return Choose(side, "scenery-kind", open_kinds(position, filled[0]), "scenery")
        return piece_question(position, side, filled[0], filled[1]) if len(filled) == 2 else None

    square, kind, at = await fill_in(side, "scenery", fields)
    lay(position, kind, turned(at), f"s{square}-{kind}")


def piece_question(position: Position, side: int, square: int, kind: str) -> Aim:
    def refuses(at: tuple[float, ...]) -> Fault | None:
        low_x, low_y, high_x, high_y = squares(position)[square]
        if not (low_x <= at[0] < high_x and low_y <= at[1] < high_y):
            return Fault((at[0], at[1]))
        return fault_of_piece(position, piece_at(kind, at))

    def samples(rng: Random) -> Plain:
        return rng.choice(list(open_places(position, square, kind)))

    def suggests() -> Iterator[Plain]:
        return open_places(position, square, kind)

    shown = {"area": list(squares(position)[square]), "piece": kind}
    return Aim(side, "scenery-place", refuses, samples, suggests, shown)


# ---------------------------------------------------------------- missions/patrol-setup


@rule("missions/patrol-setup")
async def lay_patrol(position: Position) -> None:
    """Three equal pieces in each quarter of the table; they are all the scenery of the battle."""
    position.change_ground(type(position.ground)(position.ground.width, position.ground.depth), cleared=True)
    side = 0
    for number in range(4 * PATROL_PIECES):
        quarter = number // PATROL_PIECES
        places = list(quarter_places(position, quarter))
        if position.now.get("scenery") == "players":
            at = turned(await ask(zone_question(position, side, quarters(position)[quarter], places)))
        else:
            at = (await draw(None, "scenery-place", places, square=quarter))[0]
        lay(position, PATROL_KIND, at, f"{PATROL_KIND}-{number + 1}")
        side = 1 - side


def quarters(position: Position) -> list[Field]:
    w, d = position.ground.width / 2, position.ground.depth / 2
    return [(0.0, 0.0, w, d), (w, 0.0, 2 * w, d), (0.0, d, w, 2 * d), (w, d, 2 * w, 2 * d)]


def quarter_places(position: Position, quarter: int) -> Iterator[Plain]:
    """Places at which a piece lies wholly in its quarter and over no other."""
    return ruin_places(position, quarters(position)[quarter])


def ruin_places(position: Position, zone: Field) -> Iterator[Plain]:
    low_x, low_y, high_x, high_y = zone
    for row in range(int((high_y - low_y) / FINENESS)):
        for column in range(int((high_x - low_x) / FINENESS)):
            at = [low_x + FINENESS * (column + 0.5), low_y + FINENESS * (row + 0.5), 0.0]
            if ruin_fault(position, zone, (at[0], at[1], 0.0)) is None:
                yield at


@rule("missions/patrol-setup", "missions/bases-setup")
def ruin_fault(position: Position, zone: Field, at: tuple[float, ...]) -> Fault | None:
    """A ruin lies wholly inside its zone and over no other piece."""
    piece = piece_at(PATROL_KIND, at)
    low_x, low_y, high_x, high_y = box(piece.outline)
    if min(low_x - zone[0], low_y - zone[1], zone[2] - high_x, zone[3] - high_y) < -TOLERANCE:
        return Fault((at[0], at[1]))
    return fault_of_piece(position, piece)


def ruin_question(position: Position, side: int, zone: Field) -> Aim:
    """Where a side lays a ruin in a zone; the suggestions begin in its middle."""
    places = list(ruin_places(position, zone))
    middle = len(places) // 2
    return zone_question(position, side, zone, places[middle:] + places[:middle])


def zone_question(position: Position, side: int, zone: Field, places: list[Plain]) -> Aim:
    def refuses(at: tuple[float, ...]) -> Fault | None:
        return ruin_fault(position, zone, at)

    def samples(rng: Random) -> Plain:
        return rng.choice(places)

    shown = {"area": list(zone), "piece": PATROL_KIND}
    return Aim(side, "scenery-place", refuses, samples, lambda: iter(places), shown)


# ---------------------------------------------------------------- missions/objectives-setup


@rule("missions/objectives-setup")
async def lay_objective(position: Position, side: int) -> None:
    """A point outside impassable ground, 10 cm from the edges and 15 cm from the other objectives."""
    places = list(objective_places(position))
    if not places:
        return
    point: Point = await ask(objective_question(position, side, places))
    position.lay(Token("objective", round(point[0], 4), round(point[1], 4)))


@rule("missions/objectives-setup")
def objective_fault(position: Position, at: Point) -> Fault | None:
    ground = position.ground
    inside = FROM_EDGE <= at[0] <= ground.width - FROM_EDGE and FROM_EDGE <= at[1] <= ground.depth - FROM_EDGE
    if not inside:
        return Fault(at, limit=FROM_EDGE)
    if any(base_overlaps(at, 0.01, piece) for piece in ground.kept(impassable_pieces)):
        return Fault(at)
    for token in position.tokens:
        away = ((token.x - at[0]) ** 2 + (token.y - at[1]) ** 2) ** 0.5
        if token.kind == "objective" and less_than(away, FROM_OTHERS):
            return Fault(at, round(away, 2), FROM_OTHERS)
    return None


def objective_places(position: Position) -> Iterator[Plain]:
    for row in range(int(position.ground.depth / 5)):
        for column in range(int(position.ground.width / 5)):
            at = (column * 5.0, row * 5.0)
            if objective_fault(position, at) is None:
                yield list(at)


def objective_question(position: Position, side: int, places: list[Plain]) -> Aim:
    def refuses(at: tuple[float, ...]) -> Fault | None:
        return objective_fault(position, (at[0], at[1]))

    def samples(rng: Random) -> Plain:
        return rng.choice(places)

    shown = {"from_edges": FROM_EDGE, "from_others": FROM_OTHERS}
    middle = len(places) // 2
    return Aim(side, "objective", refuses, samples, lambda: iter(places[middle:] + places[:middle]), shown)
