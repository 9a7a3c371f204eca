"""Infiltration: squads placed after all the others (abilities/infiltrate-when, abilities/infiltrate-where)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from campale.mechanics.setup.drawing_up import DrawingUp, Spot, draw_up, drawn_up, standing
from campale.mechanics.setup.edges import whole_table
from campale.mechanics.setup.laying import grid
from campale.mechanics.units import in_reserve, waiting
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.battle.deployment import (
    HEIGHT,
    deploy_unit,
    field_at,
    leader_among,
    levels_of,
    on_another_base,
    on_impassable_ground,
    on_no_floor,
    place,
    scattered,
)
from campale.rulesets.wzr.battle.terrain import HEAVY, LIGHT, is_area
from campale.rulesets.wzr.battle.zones import own_edge
from campale.table.measure import gap, overlaps_outline
from campale.table.outlines import box
from campale.table.shapes import Point, Solid
from campale.table.terrain import Ground

AWAY, STEP = 12.0, 1.0


@rule("abilities/infiltrate-when")
async def infiltrate(position: Position) -> bool:
    """Place one squad and return whether there was one. Sides alternate; the winner of the pre-battle roll begins."""
    side = int(str(position.now.get("infiltrates", position.now["pregame"])))
    both = {one: [unit for unit in waiting(position, one) if unit.marks(marks.INFILTRATES)] for one in (0, 1)}
    side = side if both[side] else 1 - side
    if not both[side]:
        return False
    row = await choose(side, "infiltrates", [unit.row for unit in both[side]], of="unit")
    position.now["infiltrates"] = 1 - side
    await set_up(Unit(position, int(str(row))))
    return True


@rule("abilities/infiltrate-where")
async def set_up(unit: Unit) -> None:
    """Set the squad up in light or heavy terrain, or in its deployment zone if it fits in none."""
    drawing = drawing_up(unit, in_reserve(unit))
    unit.mark(marks.INFILTRATES, 0)
    if next(drawn_up(drawing), None) is None:
        await deploy_unit(unit)
    else:
        await draw_up(unit, drawing, "no-place", levels=levels_of(unit.position))


def drawing_up(unit: Unit, models: list[Model]) -> DrawingUp:
    position = unit.position
    tried = tuple(middles(position))
    area, edge = whole_table(position.ground), own_edge(position, unit.side)
    return DrawingUp(
        models,
        area,
        edge,
        field_at(models[0], 0.0),
        partial(misplaced, models),
        tried=tried,
        leader=leader_among(models),
    )


def middles(position: Position) -> Iterator[Point]:
    """Where to try a squad: points all over the areas, those nearest to the markers (or to the middle) first."""
    spots = [
        (x, y) for piece in position.ground.kept(areas).pieces for x, y, _ in grid(box(piece.outline), STEP, (0.0,))
    ]
    middle = position.ground.width / 2.0, position.ground.depth / 2.0
    goals = [(token.x, token.y) for token in position.tokens] or [middle]
    return iter(sorted(spots, key=lambda at: min((at[0] - x) ** 2 + (at[1] - y) ** 2 for x, y in goals)))


@rule("abilities/infiltrate-where", "movement/terrain-types")
def areas(ground: Ground) -> Ground:
    """The areas of light and heavy terrain. Walls and buildings are not areas."""
    found = (piece for piece in ground.pieces if LIGHT in piece.tags or HEAVY in piece.tags)
    return Ground(ground.width, ground.depth, tuple(piece for piece in found if is_area(piece)))


def misplaced(models: Sequence[Model], there: Sequence[Spot]) -> Refusal | None:
    return first_refusal(RESTRICTIONS, models, standing(models, there, HEIGHT))


@rule("abilities/infiltrate-where")
def in_the_open(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Refuses a model that is not at least partly in light or heavy terrain."""
    pieces = models[0].position.ground.kept(areas).pieces
    for model, one in zip(models, solids, strict=True):
        if not any(overlaps_outline(one, piece.outline) for piece in pieces):
            return Fault(place(one), model=model.row)
    return None


@rule("abilities/infiltrate-where")
def too_near_an_enemy(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Refuses a model within 12 inches of an enemy."""
    enemies = models[0].position.on_table(1 - models[0].side)
    for model, one in zip(models, solids, strict=True):
        near = min((gap(one, enemy.solid) for enemy in enemies), default=AWAY + 1.0)
        if within(near, AWAY):
            return Fault(place(one), round(near, 2), AWAY, model.row)
    return None


RESTRICTIONS = (on_impassable_ground, on_no_floor, on_another_base, in_the_open, too_near_an_enemy, scattered)
