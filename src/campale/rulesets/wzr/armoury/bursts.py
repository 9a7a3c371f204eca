"""Burst weapons: the line that a hit draws, and which models and pieces it crosses (armoury/burst-*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np

from campale.dice.needs import Need
from campale.referee.ask import roll_for
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.basics.dice import FACES, needed, telling
from campale.rulesets.wzr.basics.measuring import SAME_LEVEL, same_level, strikes_rear
from campale.rulesets.wzr.shooting.fire import BURST_CRITICAL, BURST_FACES, Line
from campale.rulesets.wzr.structures.pieces import row_of
from campale.rulesets.wzr.wounds.hits import Hit
from campale.table.measure import gap_to_outline
from campale.table.shapes import TOLERANCE, Circle, Point, facing_towards, heading
from campale.table.sight import crossings
from campale.table.templates import edge_towards
from campale.table.terrain import Ground, Piece

CROSSED = 10
SPARE = 1e-6


@lru_cache(maxsize=1)
def crossing_need() -> Need:
    """A 1-10 on the D20 hits; no natural face is special."""
    return msgspec.structs.replace(needed(CROSSED), always=(), never=())


@rule("armoury/burst-line")
def ends_of(position: Position, line: Line) -> tuple[Point, Point]:
    """The line's ends: from the shooter's edge, centre to centre, out to the full range."""
    shooter, target = position.model(line.by), position.model(line.target)
    facing = facing_towards(shooter.at, target.at)
    start, ahead = edge_towards(shooter.solid, facing), heading(facing)
    return start, (start[0] + line.far * ahead[0], start[1] + line.far * ahead[1])


@rule("armoury/burst-hits", "armoury/burst-level")
def crossed_models(position: Position, line: Line) -> list[Model]:
    """Models of both sides on the shooter's level whose bases the line touches, except the target and the shooter."""
    shooter, ends = position.model(line.by), ends_of(position, line)
    others = (m for m in position.on_table() if m.row not in (line.by, line.target) and same_level(m.z, shooter.z))
    return [m for m in others if is_crossed(m, ends)]


def is_crossed(model: Model, ends: tuple[Point, Point]) -> bool:
    if not isinstance(model.profile.shape, Circle):
        return gap_to_outline(model.solid, ends) <= SPARE
    start, end, at = (np.array(point) for point in (*ends, model.at))
    way = end - start
    share = float(np.clip((at - start) @ way / max(float(way @ way), SPARE), 0.0, 1.0))
    return float(np.hypot(*(start + share * way - at))) <= model.profile.shape.radius + SPARE


@rule("armoury/burst-hits", "armoury/burst-level", "structures/destructible")
def crossed_pieces(position: Position, line: Line) -> list[str]:
    """The pieces on the line that can be damaged, except those that end below the shooter."""
    z = position.model(line.by).z
    pieces = tuple(piece for piece in position.ground.pieces if row_of(piece) is not None and rises_to(piece, z))
    (ax, ay), (bx, by) = ends_of(position, line)
    ground = Ground(position.ground.width, position.ground.depth, pieces)
    lengths, _ = crossings(ground, [(ax, ay, 0.0)], [(bx, by, 0.0)], in_plan=True)
    return [piece.name for piece, inside in zip(pieces, lengths[0].tolist(), strict=True) if inside > SPARE]


@rule("armoury/burst-level", "core/levels")
def rises_to(piece: Piece, z: float) -> bool:
    """Whether a piece stands on this level or rises above it."""
    return max(piece.top, piece.z + SAME_LEVEL) > z + TOLERANCE


@rule("armoury/burst-hits", "armoury/burst-vehicles")
async def cross(position: Position, found: Sequence[Hit | Line], template: Hit) -> list[Hit]:
    """Roll a D20 for everything on each line but the target; 1-10 hits. ``template`` is the weapon's hit."""
    hits = [one for one in found if isinstance(one, Hit)]
    for line in found:
        if isinstance(line, Line):
            hits += await hits_along(position, line, template)
    return hits


async def hits_along(position: Position, line: Line, template: Hit) -> list[Hit]:
    things = [
        *(crossing_hit(position, line, model, template) for model in crossed_models(position, line)),
        *(
            msgspec.structs.replace(template, target=-1, piece=name, location="", rear=False)
            for name in crossed_pieces(position, line)
        ),
    ]
    side, need = position.side_of[line.by], crossing_need()
    rolled = await roll_for(side, "burst", things, need, FACES, telling(need), shooter=line.by)
    found: list[Hit] = rolled.hitting
    return found


@rule("armoury/burst-vehicles", "armoury/burst-hits")
def crossing_hit(position: Position, line: Line, model: Model, template: Hit) -> Hit:
    """The hit that a model on the line would suffer."""
    critical = BURST_CRITICAL if line.face <= BURST_FACES and model.profile.is_vehicle else 1
    rear = strikes_rear(position.model(line.by), model)
    return msgspec.structs.replace(template, target=model.row, location="", rear=rear, critical=critical)
