"""Armoured vehicles (7.11): the difficult terrain that they flatten for units near them."""

from __future__ import annotations

from campale.referee.position import Effect, Model, Position
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import height, shape
from campale.rulesets.e55.definitions.measuring import flyer_addition, rounded_down
from campale.rulesets.e55.definitions.types import operates_as_flyer
from campale.rulesets.e55.definitions.units import is_lost
from campale.rulesets.e55.movement_phase.terrain import ARMOURED_TRACK, difficult_pieces
from campale.table.measure import gap
from campale.table.paths import Path, plan_length
from campale.table.shapes import Solid
from campale.table.sweeps import crossings

NEAR = 3


@rule("7.11/armoured")
def flatten(model: Model, path: Path) -> None:
    """Flatten the terrain a vehicle drives through, for the units near it when the turn began, its own included."""
    position = model.position
    if not model.profile.is_a("armoured") or operates_as_flyer(model) or plan_length(path) <= 0.0:
        return
    pieces = position.ground.kept(difficult_pieces)
    driven = sorted({stretch.other for stretch in crossings(path, shape(model.profile), pieces)})
    for row in near_at_the_start(model) if driven else []:
        for number in driven:
            value = pieces[number].name
            position.begin(Effect(ARMOURED_TRACK, row, model.row, tracks_of(model.row), value, "unit"))


def tracks_of(row: int) -> str:
    """Return the name of the moment at which the tracks of a vehicle end."""
    return f"tracks-{row}"


@rule("7.11/armoured")
def near_at_the_start(model: Model) -> list[int]:
    """Return the rows of the units, its own included, within 3 inches of a vehicle when the turn began."""
    position = model.position
    if model.row not in position.snapshots.get("turn", {}):
        return []
    here = stood(model)
    near = set()
    for row in position.snapshots["turn"]:
        other = position.model(row)
        if not is_lost(other) and rounded_down(apart(here, stood(other)) + flyer_addition(model, other)) <= NEAR:
            near.add(position.unit_of[row])
    return sorted(near)


def stood(model: Model) -> Solid:
    """Return the solid of the model where it stood when the turn began."""
    x, y, z, facing = model.position.snapshots["turn"][model.row]
    return Solid(shape(model.profile), x, y, z, facing, height(model.profile))


def apart(one: Solid, other: Solid) -> float:
    return gap(one, other) + abs(one.z - other.z)


@rule("7.11/armoured")
def end_tracks(position: Position, side: int) -> None:
    """End the tracks of a side's vehicles when its movement phase starts, also those of its wrecks."""
    rows = {effect.source for effect in position.effects if effect.rule == ARMOURED_TRACK}
    for row in sorted(rows):
        if position.side_of[row] == side:
            position.end_effects(tracks_of(row))
