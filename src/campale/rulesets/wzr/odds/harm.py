"""What hits may leave behind, counted: models lost, and their wounds or structure points."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.rulesets.wzr.vehicles.locations import locations, ps_left
from campale.rulesets.wzr.wounds.resolving import Harm, take_harm, wounds_left


def has_many(model: Model) -> bool:
    """Whether it may lose a part of what it has."""
    return bool(model.profile.is_vehicle or model.profile.w > 1)


def points_left(model: Model) -> int:
    """Wounds; of a vehicle PS."""
    if model.profile.is_vehicle:
        return sum(ps_left(model, one.name) for one in locations(model))
    return wounds_left(model)


def lost_by(before: Position, side: int, harm: Harm | None) -> tuple[int, int]:
    """The models of a side that are no more there, and the wounds (of vehicles: PS) that it has lost."""
    if harm is None:
        return 0, 0
    left = {m.row: points_left(m) for m in before.on_table(side)}
    copy = before.copy()
    take_harm(copy, harm)
    after = {m.row: points_left(m) for m in copy.on_table(side)}
    return len(left) - len(after), sum(left.values()) - sum(after.values())
