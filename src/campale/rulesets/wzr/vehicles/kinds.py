"""What each kind of vehicle can do (vehicles/types, vehicles/*-turn, vehicles/terrain-*, vehicles/charge-bonus)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from campale.referee.position import Model
from campale.referee.rule import rule

Turns = Literal["anywhere", "while-moving", "before-or-after", "after-an-inch"]


class Going(NamedTuple):
    """The effect of a class of terrain: inches lost, AVV of the final test (None: no test), and if it is linked."""

    price: float = 0.0
    avv: int | None = None
    linked: bool = False


class Kind(NamedTuple):
    """A kind of vehicle. ``pivot``: its free turn on activation, in degrees. ``turns``: where on its way it may turn.

    ``reverses``: it may back straight in a Tactical Movement. ``charge``: the St and AVV that a charge adds; None: it
    cannot charge. ``flies``: it ignores light cover and cannot be rammed.
    """

    pivot: float
    turns: Turns
    reverses: bool
    light: Going
    heavy: Going
    charge: tuple[int, int] | None
    rams: bool = False
    flies: bool = False
    is_bike: bool = False


WALKER = Kind(90.0, "anywhere", True, Going(0.0, 2), Going(2.0, 4), (4, 2))
BIPED = Kind(45.0, "anywhere", True, Going(), Going(0.0, 2, True), (6, 3), rams=True)
TANK = Kind(0.0, "while-moving", True, Going(), Going(0.0, 2, True), None, rams=True)
AIR_TANK = Kind(0.0, "before-or-after", True, Going(), Going(2.0), None, flies=True)
BIKE = Kind(0.0, "after-an-inch", True, Going(), Going(2.0, 4), (2, 1), is_bike=True)
JETBIKE = Kind(0.0, "anywhere", False, Going(), Going(2.0), (2, 1), flies=True, is_bike=True)


@rule(
    "vehicles/types",
    "vehicles/walker-turn",
    "vehicles/biped-turn",
    "vehicles/tank-turn",
    "vehicles/air-tank-turn",
    "vehicles/bike-turn",
    "vehicles/jetbike-turn",
)
def kind_of(model: Model) -> Kind | None:
    """The kind of a vehicle; None for any other model."""
    vehicle = model.profile.vehicle
    return None if vehicle is None else KINDS[vehicle.kind]


KINDS: dict[str, Kind] = {
    "walker": WALKER,
    "biped": BIPED,
    "tank": TANK,
    "air-tank": AIR_TANK,
    "bike": BIKE,
    "jetbike": JETBIKE,
}


@rule("vehicles/bulky", "vehicles/implacable")
def abilities_of_kind(model: Model) -> tuple[str, ...]:
    """The abilities of a vehicle's kind: all but Bikes and Jetbikes are Bulky and Implacable."""
    kind = kind_of(model)
    return () if kind is None or kind.is_bike else ("bulky", "implacable")
