"""What hits leave behind, as counts: models lost, and wounds or structure points lost."""

from __future__ import annotations

from collections.abc import Collection

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.vehicles.damage import EXPLODING, EXPLOSION, become_wreck
from campale.rulesets.wzr.vehicles.locations import ENGINE, locations, ps_left
from campale.rulesets.wzr.wounds.hits import Hit
from campale.rulesets.wzr.wounds.resolving import Harm, take_harm, wounds_left


def has_many(model: Model) -> bool:
    """Whether the model can lose only a part of its wounds or PS."""
    return bool(model.profile.is_vehicle or model.profile.w > 1)


def points_left(model: Model) -> int:
    """The model's wounds left, or a vehicle's PS."""
    if model.profile.is_vehicle:
        return sum(ps_left(model, one.name) for one in locations(model))
    return wounds_left(model)


@rule("vehicles/location-engine", "core/removal")
def left_behind(before: Position, harm: Harm) -> Position:
    """A copy with the hits dealt. Exploding vehicles become wrecks, without harm to others."""
    copy = before.copy()
    take_harm(copy, harm)
    for model in copy.on_table():
        if model.marks(EXPLODING):
            become_wreck(copy, model, Hit(cause=EXPLOSION))
    return copy


def lost_by(before: Position, side: int, harm: Harm | None) -> tuple[int, int]:
    """How many models of a side are gone, and how many wounds (for vehicles: PS) it has lost."""
    if harm is None:
        return 0, 0
    left = {m.row: points_left(m) for m in before.on_table(side)}
    after = {m.row: points_left(m) for m in left_behind(before, harm).on_table(side)}
    return len(left) - len(after), sum(left.values()) - sum(after.values())


def notes_of(before: Position, rows: Collection[int]) -> tuple[str, ...]:
    """Notes for a forecast: counts cover all targets together, and explosions are left out."""
    may_explode = any(has_engine(before.model(row)) for row in rows)
    return *(["all-targets"] if len(set(rows)) > 1 else ()), *(["no-explosion"] if may_explode else ())


def has_engine(model: Model) -> bool:
    return bool(model.profile.is_vehicle) and any(one.name == ENGINE for one in locations(model))
