"""Both sides of a query on an empty table: every attacker at the requested distance, or in contact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campale.mechanics.answers import NONE
from campale.mechanics.queries.layout import MIDDLE, SIZE, Body, opposing, prepared
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.ruleset import Ruleset
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.armies.staging import STAGE
from campale.rulesets.w10.basics.attached import attach
from campale.rulesets.w10.battle.layouts import feature
from campale.rulesets.w10.queries.profiles import Party
from campale.table.measure import bounding_radius
from campale.table.shapes import Hull
from campale.table.terrain import Ground, Piece

CLEAR = 0.25
"""How far the cover extends beyond the models in it, in inches."""


class Scene(NamedTuple):
    """Attacker and target, their distance, and the terrain that the target stands in."""

    attackers: Party
    targets: Party
    distance: float = 0.0
    cover: str = NONE


def set_out(ruleset: Ruleset, scene: Scene) -> Position:
    """Set out unit 0 of side 0 facing unit 1 of side 1, with Leaders attached."""
    position = Position(ruleset, Ground(SIZE, SIZE, pieces_of(scene)))
    parties = scene.attackers, scene.targets
    bought = [enlist(position, side, party) for side, party in enumerate(parties)]
    own, foes = ([*bought[row], *lead(position, party, row)] for row, party in enumerate(parties))
    places = opposing([body(m.profile) for m in own], [body(m.profile) for m in foes], scene.distance, MIDDLE)
    for model, (x, y, turned) in zip(own, places.attackers, strict=True):
        model.move_to(x, y, facing=-turned % 360.0)
    for model, place in zip(foes, places.targets, strict=True):
        model.move_to(*place, facing=180.0)
    prepared(position, STAGE)
    return position


def enlist(position: Position, side: int, party: Party) -> list[Model]:
    return add(position, position.add_unit(("Attacker", "Target")[side], side), party.models)


def add(position: Position, unit: Unit, profiles: Sequence[Profile]) -> list[Model]:
    names = [f"{unit.name} {n}" for n in range(1, len(profiles) + 1)]
    pairs = zip(names, profiles, strict=True)
    return [position.add_model(name, profile, unit.side, unit, RESERVE) for name, profile in pairs]


def lead(position: Position, party: Party, row: int) -> list[Model]:
    """The model of the Leader, attached to a unit; empty without one."""
    if party.leader is None:
        return []
    unit = position.add_unit("Leader", row)
    models = add(position, unit, [party.leader])
    attach(unit, Unit(position, row))
    return models


def body(profile: Profile) -> Body:
    shape = profile.shape
    if not isinstance(shape, Hull):
        return Body(2.0 * bounding_radius(shape), 2.0 * bounding_radius(shape))
    wide, deep = (2.0 * max(point[axis] for point in shape.corners) for axis in (0, 1))
    return Body(wide, deep, True)


def pieces_of(scene: Scene) -> tuple[Piece, ...]:
    """A terrain feature that holds all targets, and no attackers unless they are in contact."""
    if scene.cover == NONE:
        return ()
    profiles = [*scene.targets.models, *([scene.targets.leader] if scene.targets.leader else [])]
    bodies = [body(one) for one in profiles]
    wide = len(bodies) * (max(one.wide for one in bodies) + 1.0)
    deep = max(one.deep for one in bodies)
    centre = MIDDLE, MIDDLE + deep / 2.0
    return (feature(scene.cover, centre, 0.0, "cover", (wide + 2 * CLEAR, deep + 2 * CLEAR)),)
