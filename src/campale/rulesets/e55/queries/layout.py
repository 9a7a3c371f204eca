"""The two units of a query on an empty table: every firing model at the given distance from the target."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.queries.layout import ATTACKER, FACINGS, MIDDLE, SIZE, TARGET, Body, opposing, prepared
from campale.referee.position import RESERVE, TABLE, Position, Unit
from campale.referee.ruleset import Ruleset
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.armies.staging import STAGE
from campale.rulesets.e55.definitions.footprints import half_sizes, shape
from campale.rulesets.e55.definitions.units import FACES
from campale.table.shapes import Hull
from campale.table.terrain import Ground, Piece

A_HAIR = 0.001
"""A margin, so that rounding coordinates does not make a distance too short."""


def set_out(
    ruleset: Ruleset,
    attackers: Sequence[Profile],
    targets: Sequence[Profile],
    distance: float,
    face: str = "front",
    height: float = 0.0,
    pieces: Sequence[Piece] = (),
) -> Position:
    """Place unit 0 of side 0 facing unit 1 of side 1.

    ``distance``: in plan, between the nearest points of footprints.
    """
    position = Position(ruleset, Ground(SIZE, SIZE, tuple(pieces)))
    for side, (name, profiles) in enumerate((("Attacker", attackers), ("Target", targets))):
        unit = position.add_unit(name, side)
        for number, profile in enumerate(profiles, 1):
            position.add_model(f"{name} {number}", profile, side, unit, RESERVE)
    draw_up(position, distance, face, height)
    Unit(position, ATTACKER).mark(FACES, TARGET + 1)
    Unit(position, TARGET).mark(FACES, ATTACKER + 1)
    return position


def draw_up(position: Position, distance: float, face: str, height: float) -> None:
    """Place all models that are left; after losses they close up."""
    left = [row for row, where in enumerate(position.where) if where in (TABLE, RESERVE)]
    firing, fired_at = ([position.model(row) for row in left if position.side_of[row] == side] for side in (0, 1))
    if not firing or not fired_at:
        return
    attackers, targets = [body(one.profile) for one in firing], [body(one.profile, face) for one in fired_at]
    places = opposing(attackers, targets, distance, MIDDLE, spare=A_HAIR)
    for model, (x, y, turned) in zip(firing, places.attackers, strict=True):
        model.move_to(x, y, z=height or None, facing=-turned % 360.0)
    for model, place in zip(fired_at, places.targets, strict=True):
        model.move_to(*place, facing=FACINGS[face])


def body(profile: Profile, face: str = "front") -> Body:
    """Return the room a model takes when it shows this face to the other side."""
    wide, deep = (2.0 * half for half in half_sizes(profile))
    is_hull = isinstance(shape(profile), Hull)
    return Body(deep, wide, is_hull) if face == "side" else Body(wide, deep, is_hull)


def begin(position: Position, phase: str) -> None:
    """Set the state that every battle of the book has in a phase."""
    position.now.update(phase=phase)
    prepared(position, STAGE)
