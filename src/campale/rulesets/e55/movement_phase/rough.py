"""Difficult and dangerous terrain (3.1.2), heavy fire that counts as such (3.1), and what they cost a mover.

The test of dangerous ground is in ``dangerous``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import d3
from campale.rulesets.e55.definitions.footprints import shape
from campale.rulesets.e55.definitions.types import is_bike, is_flying, is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import APART, HEAVY_FIRE_BY, active, members
from campale.rulesets.e55.leadership_and_morale import leadership
from campale.rulesets.e55.movement_phase.coherency import keeping
from campale.rulesets.e55.movement_phase.terrain import dangerous_pieces, difficult_for
from campale.rulesets.e55.unit_types.special import any_has, has
from campale.table.measure import bounding_radius, gap
from campale.table.outlines import Box, box, nearest_in
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Solid, rounded
from campale.table.sweeps import crossings
from campale.table.terrain import Piece

Paths = Mapping[int, Path]
"""The declared ways of models, by row; whoever stays has a path of one point, or none."""


# ---------------------------------------------------------------- for whom terrain is what


@rule("6.1.1/fmc-move", "6.2.1/jetbike-move", "6.4/flying-infantry-move")
def ignores_terrain(model: Model) -> bool:
    """In a flying mode: neither slowed nor tested, wherever it starts or ends."""
    return is_flying(model)


@rule("6.2/bike-terrain", "7.2/vehicle-difficult")
def finds_it_dangerous(model: Model) -> bool:
    """Bikes and vehicles: difficult terrain is dangerous to them instead, and does not slow them."""
    return is_bike(model) or (is_vehicle(model) and not walks(model))


@rule("7.16/walker-terrain")
def walks(model: Model) -> bool:
    """A walker is slowed by difficult terrain as infantry is, and not endangered."""
    return is_walker(model)


def is_slowed_by_difficult(model: Model) -> bool:
    return not ignores_terrain(model) and not finds_it_dangerous(model)


# ---------------------------------------------------------------- 3.1.2: what a way touches


@rule("3.1.2/terrain-extent", "3.1.2/clear")
def touches(model: Model, path: Path, pieces: Sequence[Piece]) -> bool:
    """Whether any part of a moving base is over a piece anywhere on its way. Who stays has touched nothing."""
    if not pieces or not goes(path):
        return False
    return bool(crossings(path, shape(model.profile), pieces))


def goes(path: Path) -> bool:
    return len(path.points) > 1 or bool(path.turns)


def movers(unit: Unit, paths: Paths) -> list[Model]:
    return [unit.position.model(row) for row in sorted(paths)]


@rule("3.1.2/difficult", "3.1/heavy-fire")
def touches_difficult(unit: Unit, paths: Paths) -> bool:
    """Whether the declared ways lead a model that it slows over difficult ground, or all of them into heavy fire."""
    slowed = [model for model in movers(unit, paths) if is_slowed_by_difficult(model)]
    if any(slows(model, paths[model.row]) for model in slowed):
        return True
    return bool(slowed) and nears_heavy_fire(unit, paths)


def may_be_slowed(unit: Unit, far: float) -> list[Model]:
    """The models that could come over ground that slows them if they go no farther than that."""
    boxes = [box(piece.outline) for piece in difficult_for(unit)]
    slowed = [model for model in members(unit) if is_slowed_by_difficult(model)]
    return [model for model in slowed if any(reaches(model, far, around) for around in boxes)]


def needs_every_way(unit: Unit) -> bool:
    """Whether it takes the ways of all models to tell whether, and how much, the unit is slowed."""
    return bool(unit.note(HEAVY_FIRE_BY)) or any(model.marks(APART) for model in members(unit))


def slows(model: Model, path: Path) -> bool:
    return is_slowed_by_difficult(model) and touches(model, path, difficult_for(model.unit))


def reaches(model: Model, far: float, around: Box) -> bool:
    """Whether a model that goes so far may come over something with that box."""
    x, y = nearest_in(around, model.at)
    reach = far + bounding_radius(shape(model.profile)) + TOLERANCE
    return (x - model.x) ** 2 + (y - model.y) ** 2 <= reach * reach


@rule("3.1.2/dangerous", "6.2/bike-terrain", "7.2/vehicle-difficult")
def touches_dangerous(unit: Unit, paths: Paths) -> bool:
    return bool(endangered(unit, paths))


@rule("3.1.2/dangerous")
def endangered(unit: Unit, paths: Paths) -> list[Model]:
    """The movers whose own ways lead over ground that is dangerous to them, heavy fire included."""
    dangerous = unit.position.ground.kept(dangerous_pieces)
    under_fire: bool | None = None
    found = []
    for model in movers(unit, paths):
        if ignores_terrain(model) or not goes(paths[model.row]):
            continue
        if touches(model, paths[model.row], dangerous):
            found.append(model)
        elif finds_it_dangerous(model):
            under_fire = nears_heavy_fire(unit, paths) if under_fire is None else under_fire
            if under_fire or touches(model, paths[model.row], difficult_for(unit)):
                found.append(model)
    return found


def who_rolls(unit: Unit, paths: Paths, alone: bool = False) -> list[Model]:
    """Who rolls when such a move is over: all the models of the unit, or those that move by themselves.

    Vehicles roll each for its own move.
    """
    touched = endangered(unit, paths)
    vehicles = [model for model in touched if is_vehicle(model)]
    if len(vehicles) == len(touched):
        return vehicles
    others = movers(unit, paths) if alone else keeping(unit)
    return [*(model for model in others if not is_vehicle(model)), *vehicles]


# ---------------------------------------------------------------- 3.1/heavy-fire


@rule("3.1/heavy-fire-immune")
def is_immune_to_heavy_fire(unit: Unit) -> bool:
    """One implacable model is enough, and so is the freedom to choose the result of morale tests."""
    return any_has(unit, "implacable") or leadership.may_choose(unit)


@rule("3.1/heavy-fire")
def nears_heavy_fire(unit: Unit, paths: Paths) -> bool:
    """Whether the declared ways take the unit nearer than it began the turn to a unit whose fire told heavily."""
    by = unit.note(HEAVY_FIRE_BY)
    stays = not any(map(goes, paths.values()))
    if not by or stays or unit.side != active(unit.position) or is_immune_to_heavy_fire(unit):
        return False
    return any(comes_nearer(unit, Unit(unit.position, int(row)), paths) for row in by)


@rule("3.1/heavy-fire")
def comes_nearer(unit: Unit, enemy: Unit, paths: Paths) -> bool:
    """By the exact distances of the two units at the start of the turn and at the declared end."""
    then = unit.position.snapshots.get("turn", {})
    own, theirs = members(unit), members(enemy)
    before = [standing(m, then[m.row]) for m in own if m.row in then]
    enemies_then = [standing(m, then[m.row]) for m in theirs if m.row in then]
    if not before or not enemies_then:
        return False
    after = [standing(m, end_of(m, paths)) for m in own]
    return apart(after, [m.solid for m in theirs]) < apart(before, enemies_then)


def standing(model: Model, place: Sequence[float]) -> Solid:
    solid: Solid = model.solid
    facing = place[3] if len(place) > 3 else solid.facing
    return Solid(solid.shape, place[0], place[1], place[2], facing, solid.height)


def end_of(model: Model, paths: Paths) -> tuple[float, ...]:
    """Where a model would be at the end of its way: x, y, z, and its facing."""
    path = paths.get(model.row)
    if path is None:
        return model.x, model.y, model.z, model.facing
    end = path.points[-1]
    facing = model.facing if path.facing is None else path.facing
    return end[0], end[1], end[2] if len(end) == 3 else 0.0, facing


def apart(ones: Sequence[Solid], others: Sequence[Solid]) -> float:
    return min(rounded(gap(a, b) + abs(a.z - b.z)) for a in ones for b in others)


# ---------------------------------------------------------------- 3.1.2/difficult: what it costs


@rule("3.1.2/difficult", "3.1.2/difficult-minimum")
async def reduction(unit: Unit, paths: Paths, usual: float, limit: float | None = None) -> float:
    """The inches that difficult ground takes off a move of ``limit`` (the usual one, if not said): one roll a move."""
    if not touches_difficult(unit, paths):
        return 0.0
    rolled = await d3(unit.side, "difficult-terrain", unit=unit.row)
    return at_most_half(max(0, rolled - eased(unit, paths)), usual if limit is None else limit, usual)


@rule("8/move-through-cover")
def eased(unit: Unit, paths: Paths) -> int:
    """How much the die is lowered when all of the unit, or of those who move away from it, have the rule."""
    moving = movers(unit, paths)
    bound = moving if any(model.marks(APART) for model in moving) else keeping(unit)
    return 1 if all(has(model, "move-through-cover") for model in bound) else 0


@rule("3.1.2/difficult-minimum")
def at_most_half(cost: float, limit: float, usual: float) -> float:
    """So much of a cost as leaves at least half of the usual speed."""
    return min(float(cost), max(0.0, limit - usual / 2.0))
