"""The collapse of an intact structure (structures/collapse*)."""

from __future__ import annotations

from functools import partial

from campale.mechanics.frames import push
from campale.mechanics.moves.storeys import centre_of
from campale.referee.ask import order
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.basics.dice import half
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.battle.terrain import HEAVY, RUIN
from campale.rulesets.wzr.movement.aside import set_aside
from campale.rulesets.wzr.squads.squads import side_to_begin
from campale.rulesets.wzr.squads.states import pin
from campale.rulesets.wzr.structures.damage import BROUGHT_DOWN, RUIN_LAID, brought_down, replaced
from campale.rulesets.wzr.structures.pieces import PIECES, av_of
from campale.rulesets.wzr.wounds.hits import NOBODY, Hit, hit_frames
from campale.table.measure import gap_to_outline, is_behind, overlaps_outline
from campale.table.shapes import Circle, Point, Solid
from campale.table.terrain import Piece

NEAR = 2.0
CAUSE = "collapse"


@rule("structures/collapse-inside")
def inside(position: Position, piece: Piece) -> list[Model]:
    """The models inside, on any floor, and on the roof."""
    return [m for m in position.on_table() if overlaps_outline(m.solid, piece.outline)]


@rule("structures/collapse-near")
def near(position: Position, piece: Piece) -> list[Model]:
    within_it = {m.row for m in inside(position, piece)}
    others = (m for m in position.on_table() if m.row not in within_it)
    return [m for m in others if within(gap_to_outline(m.solid, piece.outline), NEAR)]


@rule("structures/collapse", "structures/collapse-inside", "structures/collapse-near")
async def collapse(position: Position, name: str) -> None:
    """Hit models inside at the structure's AV and models near at half of it, without Heal. Then a ruin replaces it."""
    if not position.ground.has(name):
        return
    piece = position.ground.piece(name)
    av = av_of(piece)
    position.write("collapses", piece=name)
    within_it, by = inside(position, piece), brought_down(position)
    side = by.pop(name, NOBODY)
    position.declare(BROUGHT_DOWN, tuple(sorted(by.items())) or None)
    struck = ((within_it, av), (near(position, piece), half(av)))
    hits = [falls_on(m, piece, st, side) for models, st in struck for m in models]
    push(position, *hit_frames(hits), (RUIN_LAID, name, tuple(m.row for m in within_it)))


@rule("structures/collapse-near", "vehicles/av-facing")
def falls_on(model: Model, piece: Piece, st: int, side: int = NOBODY) -> Hit:
    """The hit of a collapse. It strikes a vehicle on the side that faces the middle of the structure."""
    middle = Solid(Circle(0.0), *centre_of(piece.outline))
    return Hit(target=model.row, st=st, heals=False, cause=CAUSE, rear=is_behind(model.solid, middle), side=side)


@rule("structures/collapse", "structures/ruins", "core/simultaneous")
async def ruin(position: Position, name: str, rows: tuple[int, ...]) -> None:
    """Lay a ruin of the same area; then set the survivors down in it, first those of the side whose squad is active."""
    piece = position.ground.piece(name)
    ruins = Piece(name, RUIN, piece.outline, 0.0, piece.z, (), (HEAVY, RUIN))
    position.change_ground(replaced(position.ground, piece, ruins), piece=name)
    lost = {one: count for one, count in dict(position.declared.get(PIECES, ())).items() if one != name}
    position.declare(PIECES, tuple(sorted(lost.items())) or None)
    left = [row for row in rows if position.model(row).is_on_table]
    first = side_to_begin(position)
    for side in (1 - first, first):
        own = [row for row in left if position.side_of[row] == side]
        if own:
            push(position, ("set-down", side, tuple(own), name))


@rule("structures/collapse-reposition")
async def set_down(position: Position, side: int, rows: tuple[int, ...], name: str) -> None:
    """The owner sets a model down in the ruin, as near as possible to where it was. It is Pinned without a test."""
    row = int((await order(side, "set-down-order", list(rows)))[0])
    model = position.model(row)
    outline = position.ground.piece(name).outline
    in_the_ruin = await set_aside(model, "set-down", side, partial(overlaps_at, outline))
    if in_the_ruin or await set_aside(model, "set-down", side):
        pin(model)
    rest = tuple(one for one in rows if one != row)
    if rest:
        push(position, ("set-down", side, rest, name))


def overlaps_at(outline: tuple[Point, ...], model: Model, at: Point) -> bool:
    """Whether the model's base at a place would overlap the outline."""
    return overlaps_outline(Solid(model.solid.shape, *at, 0.0, model.facing, model.solid.height), outline)
