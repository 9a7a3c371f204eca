"""What terrain does to a vehicle: lost inches, and the test at the end of a movement (vehicles/terrain-*)."""

from __future__ import annotations

from campale.mechanics.frames import push
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.battle.terrain import HEAVY, LIGHT
from campale.rulesets.wzr.movement.ground import of_class, touches
from campale.rulesets.wzr.vehicles.kinds import Going, kind_of
from campale.table.paths import Path, plan_length
from campale.table.shapes import TOLERANCE

LEAST = 2.0
"""The least inches that reductions leave of a movement action."""


@rule(
    "vehicles/terrain-walker-light",
    "vehicles/terrain-walker-heavy",
    "vehicles/terrain-biped",
    "vehicles/terrain-tank",
    "vehicles/terrain-air-tank",
    "vehicles/terrain-bike",
    "vehicles/terrain-jetbike",
)
def going_over(model: Model, path: Path) -> Going:
    """What the ground of a way does to this kind of vehicle. Heavy ground alone counts if both are crossed."""
    kind, ground = kind_of(model), model.position.ground
    assert kind is not None
    if touches(model, path, ground.kept(of_class(HEAVY))):
        return kind.heavy
    return kind.light if touches(model, path, ground.kept(of_class(LIGHT))) else Going()


@rule("vehicles/profile-m", "vehicles/terrain-walker-heavy")
def distance_left(model: Model, path: Path, limit: float, bonus: float = 0.0, less: float = 0.0) -> float:
    """The inches left after ground and other reductions, at least 2; the bonus is added afterwards."""
    price = going_over(model, path).price + less
    return (max(min(LEAST, limit), limit - price) if price else limit) + bonus


@rule("vehicles/terrain-front", "vehicles/terrain-walker-light", "vehicles/terrain-biped", "vehicles/terrain-tank")
def end_of_move(position: Position, model: Model, path: Path) -> None:
    """The test on Legs or Wheels, on the Front, at the end of a movement."""
    avv = going_over(model, path).avv
    if avv is not None and plan_length(path) > TOLERANCE:
        push(position, ("terrain-test", model.row, avv, int(going_over(model, path).linked)))
