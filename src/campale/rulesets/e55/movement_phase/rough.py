"""Difficult and dangerous terrain (3.1.2), heavy fire that counts as such (3.1), and their cost to a mover.

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
"""The declared paths of models, by row; a model that stays has a path of one point, or none."""


# ---------------------------------------------------------------- effects of terrain on models


@rule("6.1.1/fmc-move", "6.2.1/jetbike-move", "6.4/flying-infantry-move")
def ignores_terrain(model: Model) -> bool:
    """Return whether a model is in a flying mode: terrain then neither slows nor tests it, wherever the move ends."""
    return is_flying(model)


@rule("6.2/bike-terrain", "7.2/vehicle-difficult")
def finds_it_dangerous(model: Model) -> bool:
    """Return whether difficult terrain is dangerous to a model instead of slowing it: bikes and vehicles."""
    return is_bike(model) or (is_vehicle(model) and not walks(model))


@rule("7.16/walker-terrain")
def walks(model: Model) -> bool:
    """Return whether a model is a walker: difficult terrain slows it like infantry, and is not dangerous to it."""
    return is_walker(model)


def is_slowed_by_difficult(model: Model) -> bool:
    return not ignores_terrain(model) and not finds_it_dangerous(model)


# ---------------------------------------------------------------- 3.1.2: what a way touches


@rule("3.1.2/terrain-extent", "3.1.2/clear")
def touches(model: Model, path: Path, pieces: Sequence[Piece]) -> bool:
    """Return whether any part of a moving base crosses one of the pieces on its path; False for a model that stays."""
    if not pieces or not goes(path):
        return False
    return bool(crossings(path, shape(model.profile), pieces))


def goes(path: Path) -> bool:
    return len(path.points) > 1 or bool(path.turns)


def movers(unit: Unit, paths: Paths) -> list[Model]:
    return [unit.position.model(row) for row in sorted(paths)]


@rule("3.1.2/difficult", "3.1/heavy-fire")
def touches_difficult(unit: Unit, paths: Paths) -> bool:
    """Return whether the declared paths slow the unit.

    They do if a model that difficult ground slows crosses some, or if they lead the unit, with such a model in it, into
    heavy fire.
    """
    slowed = [model for model in movers(unit, paths) if is_slowed_by_difficult(model)]
    if any(slows(model, paths[model.row]) for model in slowed):
        return True
    return bool(slowed) and nears_heavy_fire(unit, paths)


def may_be_slowed(unit: Unit, far: float) -> list[Model]:
    """Return the models that could cross ground that slows them within a move of ``far`` inches."""
    boxes = [box(piece.outline) for piece in difficult_for(unit)]
    slowed = [model for model in members(unit) if is_slowed_by_difficult(model)]
    return [model for model in slowed if any(reaches(model, far, around) for around in boxes)]


def needs_every_way(unit: Unit) -> bool:
    """Return whether the paths of all models must be known to tell whether, and how much, the unit is slowed."""
    return bool(unit.note(HEAVY_FIRE_BY)) or any(model.marks(APART) for model in members(unit))


def slows(model: Model, path: Path) -> bool:
    return is_slowed_by_difficult(model) and touches(model, path, difficult_for(model.unit))


def reaches(model: Model, far: float, around: Box) -> bool:
    """Return whether a model that moves ``far`` inches may touch something with that bounding box."""
    x, y = nearest_in(around, model.at)
    reach = far + bounding_radius(shape(model.profile)) + TOLERANCE
    return (x - model.x) ** 2 + (y - model.y) ** 2 <= reach * reach


@rule("3.1.2/dangerous", "6.2/bike-terrain", "7.2/vehicle-difficult")
def touches_dangerous(unit: Unit, paths: Paths) -> bool:
    return bool(endangered(unit, paths))


@rule("3.1.2/dangerous")
def endangered(unit: Unit, paths: Paths) -> list[Model]:
    """Return the movers whose own paths cross ground that is dangerous to them, heavy fire included."""
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
    """Return the models that roll after such a move: all of the unit, or those that move by themselves.

    Each vehicle rolls for its own path.
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
    """Return whether heavy fire does not slow a unit.

    One implacable model is enough, and so is the right to choose the result of morale tests.
    """
    return any_has(unit, "implacable") or leadership.may_choose(unit)


@rule("3.1/heavy-fire")
def nears_heavy_fire(unit: Unit, paths: Paths) -> bool:
    """Return whether the paths bring the unit nearer, than at the start of the turn, to a unit whose fire was heavy."""
    by = unit.note(HEAVY_FIRE_BY)
    stays = not any(map(goes, paths.values()))
    if not by or stays or unit.side != active(unit.position) or is_immune_to_heavy_fire(unit):
        return False
    return any(comes_nearer(unit, Unit(unit.position, int(row)), paths) for row in by)


@rule("3.1/heavy-fire")
def comes_nearer(unit: Unit, enemy: Unit, paths: Paths) -> bool:
    """Compare the exact distances of the two units at the start of the turn and at the declared end."""
    own, theirs = members(unit), members(enemy)
    before, enemies_then = as_the_turn_began(own, paths), as_the_turn_began(theirs, paths)
    if not before or not enemies_then:
        return False
    after = [standing(m, end_of(m, paths)) for m in own]
    return apart(after, [m.solid for m in theirs]) < apart(before, enemies_then)


def as_the_turn_began(models: Sequence[Model], paths: Paths) -> list[Solid]:
    """Return where models stood then; a unit that fails to rally falls back before that is recorded."""
    if models and models[0].position.now.get("phase") == "start":
        return [standing(model, start_of(model, paths)) for model in models]
    then = models[0].position.snapshots.get("turn", {}) if models else {}
    return [standing(model, then[model.row]) for model in models if model.row in then]


def start_of(model: Model, paths: Paths) -> tuple[float, ...]:
    """Return where a model begins its path: x, y, z."""
    path = paths.get(model.row)
    begin = (model.x, model.y, model.z) if path is None else path.points[0]
    return begin[0], begin[1], begin[2] if len(begin) == 3 else 0.0


def standing(model: Model, place: Sequence[float]) -> Solid:
    solid: Solid = model.solid
    facing = place[3] if len(place) > 3 else solid.facing
    return Solid(solid.shape, place[0], place[1], place[2], facing, solid.height)


def end_of(model: Model, paths: Paths) -> tuple[float, ...]:
    """Return where a model would be at the end of its path: x, y, z, and its facing."""
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
    """Return the inches that difficult ground takes off a move of ``limit`` (default: the usual move).

    One roll serves the whole move.
    """
    if not touches_difficult(unit, paths):
        return 0.0
    rolled = await d3(unit.side, "difficult-terrain", unit=unit.row)
    less = eased(unit, paths)
    cost = at_most_half(max(0, rolled - less), usual if limit is None else limit, usual)
    if less:
        tell_eased(unit, rolled, less, cost)
    return cost


@rule("8/move-through-cover")
def tell_eased(unit: Unit, rolled: int, less: int, cost: float) -> None:
    unit.position.write("slowed-less", unit=unit.row, die=rolled, less=less, inches=cost)


@rule("8/move-through-cover")
def eased(unit: Unit, paths: Paths) -> int:
    """Return 1, to lower the die, if every model bound to the move has the rule.

    Those are all of the unit, or the models that move away from it.
    """
    moving = movers(unit, paths)
    bound = moving if any(model.marks(APART) for model in moving) else keeping(unit)
    return 1 if all(has(model, "move-through-cover") for model in bound) else 0


@rule("3.1.2/difficult-minimum")
def at_most_half(cost: float, limit: float, usual: float) -> float:
    """Return the cost, capped so that at least half of the usual move is left."""
    return min(float(cost), max(0.0, limit - usual / 2.0))
