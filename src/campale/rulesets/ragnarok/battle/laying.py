"""Laying scenery and objectives: by the players in turn, or by lot within the same limits."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from campale.mechanics.script_form import fill_in_script
from campale.mechanics.setup.laying import (
    from_the_middle,
    grid,
    kind_and_place,
    kind_and_place_by_lot,
    lay,
    place_by_lot,
    place_question,
    placed,
)
from campale.mechanics.setup.scenery import is_on_table, lies_in
from campale.referee.ask import ask
from campale.referee.position import Position, Token
from campale.referee.question import Aim, Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import d3
from campale.rulesets.ragnarok.basics.measuring import less_than
from campale.rulesets.ragnarok.battle.battlefield import base_overlaps, impassable_pieces
from campale.rulesets.ragnarok.battle.scenery import SCENERY, scenery_piece
from campale.table.outlines import Box, Outline, box, boxes_overlap, overlap
from campale.table.room import Area
from campale.table.shapes import Point
from campale.table.terrain import Ground, Piece

SQUARE = 40.0
FINENESS = 4.0
PATROL_PIECES = 3
PATROL_KIND = "ruin"
FROM_EDGE, FROM_OTHERS = 10.0, 15.0


# ---------------------------------------------------------------- battlefield/placement


@rule("battlefield/placement")
async def lay_standard(position: Position) -> None:
    """Roll D3 for every square, then lay pieces: one each in turn, player 1 first, or all by lot."""
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


def squares(position: Position) -> list[Area]:
    """Return the squares of 40 cm, row by row; part squares at the edge count as whole."""
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
    """Return the kinds laid so far for a square."""
    prefix = f"s{square}-"
    return [piece.kind for piece in position.ground.pieces if piece.name.startswith(prefix)]


@rule("battlefield/placement")
def fault_of_piece(position: Position, piece: Piece) -> Fault | None:
    """Refuse a piece unless it is wholly on the table, and over no other piece."""
    around = box(piece.outline)
    if is_on_table(piece, position.ground):
        near = (other for other, their_box in position.ground.kept(boxed_outlines) if boxes_overlap(around, their_box))
        if not any(overlap(piece.outline, other) for other in near):
            return None
    return Fault(around[:2])


def boxed_outlines(ground: Ground) -> list[tuple[Outline, Box]]:
    """Return the outlines of the pieces, each with its bounding box."""
    return [(piece.outline, box(piece.outline)) for piece in ground.pieces]


def open_places(position: Position, square: int, kind: str) -> Iterator[Plain]:
    """Yield centre and turn of places for a kind in a square, FINENESS cm apart, lengthways and crossways."""
    for at in grid(squares(position)[square], FINENESS, (0.0, 90.0)):
        if fault_of_piece(position, piece_at(kind, at)) is None:
            yield list(at)


def open_kinds(position: Position, square: int) -> list[str]:
    """Return the kinds not yet in the square that there is room for."""
    laid = kinds_in(position, square)
    return [k for k in SCENERY if k not in laid and next(open_places(position, square, k), None) is not None]


def has_room(position: Position, square: int) -> bool:
    laid = kinds_in(position, square)
    return any(next(open_places(position, square, k), None) is not None for k in SCENERY if k not in laid)


def piece_at(kind: str, at: Sequence[float], name: str = "") -> Piece:
    x, y, turn = placed(at)
    return scenery_piece(kind, (x, y), turn, name)


@rule("battlefield/placement")
async def lay_by_lot(position: Position, square: int) -> None:
    kinds = open_kinds(position, square)
    kind, at = await kind_and_place_by_lot(kinds, lambda kind: open_places(position, square, kind), square=square)
    lay(position, piece_at(kind, at, f"s{square}-{kind}"))


@rule("battlefield/placement")
async def lay_by_player(position: Position, side: int, lacking: list[int]) -> None:
    """Let a player lay any kind not yet in the square, turned as wished, its centre in a square lacking pieces."""

    def script() -> Generator[Question, Any, Piece]:
        square = yield Choose(side, "scenery-square", lacking, "square")
        kinds = open_kinds(position, square)
        kind, at = yield from kind_and_place(side, kinds, lambda kind: piece_question(position, side, square, kind))
        return piece_at(kind, at, f"s{square}-{kind}")

    piece = await fill_in_script(side, "scenery", script)
    if piece is not None:
        lay(position, piece)


def piece_question(position: Position, side: int, square: int, kind: str) -> Aim:
    def refuses(at: tuple[float, ...]) -> Fault | None:
        low_x, low_y, high_x, high_y = squares(position)[square]
        if not (low_x <= at[0] < high_x and low_y <= at[1] < high_y):
            return Fault((at[0], at[1]))
        return fault_of_piece(position, piece_at(kind, at))

    def places() -> Iterator[Plain]:
        return open_places(position, square, kind)

    area = list(squares(position)[square])
    return place_question(side, "scenery-place", places, refuses, area=area, piece=kind)


# ---------------------------------------------------------------- missions/patrol-setup


@rule("missions/patrol-setup")
async def lay_patrol(position: Position) -> None:
    """Lay three equal pieces in each quarter of the table; they are all the scenery of the battle."""
    position.change_ground(type(position.ground)(position.ground.width, position.ground.depth), cleared=True)
    side = 0
    for number in range(4 * PATROL_PIECES):
        quarter = number // PATROL_PIECES
        places = list(quarter_places(position, quarter))
        if position.now.get("scenery") == "players":
            at = placed(await ask(zone_question(position, side, quarters(position)[quarter], places)))
        else:
            at = await place_by_lot(places, square=quarter)
        lay(position, piece_at(PATROL_KIND, at, f"{PATROL_KIND}-{number + 1}"))
        side = 1 - side


def quarters(position: Position) -> list[Area]:
    w, d = position.ground.width / 2, position.ground.depth / 2
    return [(0.0, 0.0, w, d), (w, 0.0, 2 * w, d), (0.0, d, w, 2 * d), (w, d, 2 * w, 2 * d)]


def quarter_places(position: Position, quarter: int) -> Iterator[Plain]:
    """Yield places where a piece lies wholly in its quarter and over no other."""
    return ruin_places(position, quarters(position)[quarter])


def ruin_places(position: Position, zone: Area) -> Iterator[Plain]:
    return (list(at) for at in grid(zone, FINENESS, (0.0,)) if ruin_fault(position, zone, at) is None)


@rule("missions/patrol-setup", "missions/bases-setup")
def ruin_fault(position: Position, zone: Area, at: tuple[float, ...]) -> Fault | None:
    """Refuse a ruin that is not wholly inside its zone, or lies over another piece."""
    piece = piece_at(PATROL_KIND, at)
    return fault_of_piece(position, piece) if lies_in(piece, zone) else Fault((at[0], at[1]))


def ruin_question(position: Position, side: int, zone: Area) -> Aim:
    """Ask where a side lays a ruin in a zone; the suggestions begin in the zone's middle."""
    return zone_question(position, side, zone, from_the_middle(list(ruin_places(position, zone))))


def zone_question(position: Position, side: int, zone: Area, places: list[Plain]) -> Aim:
    def refuses(at: tuple[float, ...]) -> Fault | None:
        return ruin_fault(position, zone, at)

    area = list(zone)
    return place_question(side, "scenery-place", lambda: places, refuses, area=area, piece=PATROL_KIND)


# ---------------------------------------------------------------- missions/objectives-setup


@rule("missions/objectives-setup")
async def lay_objective(position: Position, side: int, number: int, count: int) -> None:
    """Let a side lay a point off impassable ground, 10 cm from the edges and 15 cm from other objectives."""
    places = list(objective_places(position))
    if not places:
        return
    point: Point = await ask(objective_question(position, side, places, number=number, count=count))
    position.lay(Token("objective", round(point[0], 4), round(point[1], 4)))


@rule("missions/objectives-setup")
def objective_fault(position: Position, at: Point) -> Fault | None:
    ground = position.ground
    inside = FROM_EDGE <= at[0] <= ground.width - FROM_EDGE and FROM_EDGE <= at[1] <= ground.depth - FROM_EDGE
    if not inside:
        off = min(at[0], at[1], ground.width - at[0], ground.depth - at[1])
        return Fault(at, round(off, 2), FROM_EDGE, word="objective-near-edge")
    if any(base_overlaps(at, 0.01, piece) for piece in ground.kept(impassable_pieces)):
        return Fault(at, word="objective-on-impassable")
    for token in position.tokens:
        away = ((token.x - at[0]) ** 2 + (token.y - at[1]) ** 2) ** 0.5
        if token.kind == "objective" and less_than(away, FROM_OTHERS):
            return Fault(at, round(away, 2), FROM_OTHERS, word="objective-near-another")
    return None


def objective_places(position: Position) -> Iterator[Plain]:
    for row in range(int(position.ground.depth / 5)):
        for column in range(int(position.ground.width / 5)):
            at = (column * 5.0, row * 5.0)
            if objective_fault(position, at) is None:
                yield list(at)


def objective_question(position: Position, side: int, places: list[Plain], **about: Plain) -> Aim:
    def refuses(at: tuple[float, ...]) -> Fault | None:
        return objective_fault(position, (at[0], at[1]))

    return place_question(
        side,
        "objective",
        lambda: places,
        refuses,
        lambda: from_the_middle(places),
        about,
        from_edges=FROM_EDGE,
        off_impassable=True,
        from_others=FROM_OTHERS,
    )
