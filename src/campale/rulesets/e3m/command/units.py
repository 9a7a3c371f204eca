"""Units and their models: membership, models left, marks and notes."""

from __future__ import annotations

from campale.mechanics import units
from campale.mechanics.bases import within
from campale.referee.position import ABOARD, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.table.measure import gap
from campale.table.shapes import Solid, rounded

# Marks of units.
GROUP, START, TESTED = "group", "start", "tested"
AT_STEP, NOT_COUNTED = "at-step", "losses-not-counted"
ACTED, MOVED, FIRED, WATCHED = "acted", "moved", "fired", "watched"
FORCED, STOOD, GAVE_GROUND, GOT_OUT, CONTACTED = "forced", "stood", "gave-ground", "got-out", "contacted"
PREPARED, DEFENDED, ADVANCED, GIVEN_AWAY = "prepared", "defended", "advanced", "given-away"
CHARGED, LEADERLESS, STATIONARY, TOOK_IN = "charged", "leaderless", "stationary", "took-in"
# Notes of units.
ORDER, NAME_IT, POINTS = "order", "name_it", "points"
# Marks of models.
LEADS, UNIT_LEADER, WOUNDS, SPECIAL, COMMANDER = "leads", "unit-leader", "wounds", "special", "commander"
IMMOBILISED, SHAKEN, STUNNED, FAST = "immobilised", "shaken", "stunned", "fast"
STRUCK = "struck"
"""The model has struck in one of the turn's melees."""
# Notes of models.
LOST_MOUNTS, GONE, OVERRAN_AT = "lost-mounts", "gone", "overran-at"

COHERENCY = 2.0
LEFT = (TABLE, ABOARD)
"""The places of models that are left."""


def solid(model: Model) -> Solid:
    """The upright solid over the model's base. Kept until something moves."""
    kept, key = model.position.layout, ("solid", model.row)
    found: Solid | None = kept.get(key)
    if found is None:
        found = kept[key] = Solid(model.profile.shape, model.x, model.y, 0.0, model.facing, 2.0)
    return found


@rule("base-general/within")
def distance(one: Model, other: Model) -> float:
    """The gap in inches between two bases. A model aboard is measured from its carrier's base."""
    return rounded(gap(standing(one).solid, standing(other).solid))


@rule("hierarchy/in-command-vehicles")
def standing(model: Model) -> Model:
    """The model on the table that stands for this one: its carrier, if it is aboard."""
    carrier = model.aboard_of
    return model if carrier is None else carrier


# ---------------------------------------------------------------- models left


def by_unit(position: Position) -> dict[int, list[Model]]:
    """The models left of every unit, on the table or aboard, by the unit's row."""
    return units.by_unit(position, LEFT)


def members(unit: Unit) -> list[Model]:
    """The models left of a unit, on the table or aboard."""
    return units.by_unit(unit.position, LEFT).get(unit.row, [])


def units_of(position: Position, side: int) -> list[Unit]:
    """The units of a side with models left, in list order."""
    return units.units_of(position, side, LEFT)


def is_aboard(unit: Unit) -> bool:
    models = members(unit)
    return bool(models) and models[0].where == ABOARD


def carrier_of(unit: Unit) -> Model | None:
    models = members(unit)
    return models[0].aboard_of if models else None


def is_vehicle(unit: Unit) -> bool:
    """Whether the unit is a small or large vehicle, which is a unit by itself."""
    models = members(unit)
    return bool(models) and models[0].profile.has_armour


def vehicle_of(unit: Unit) -> Model | None:
    models = members(unit)
    return models[0] if models and models[0].profile.has_armour else None


def drives(unit: Unit) -> bool:
    """Whether the unit's models move along routes without a limit."""
    models = members(unit)
    return bool(models) and all(m.profile.drives for m in models)


def wounds_left(model: Model) -> int:
    left: int = model.profile.w - model.marks(WOUNDS)
    return left


def body(unit: Unit) -> list[Model]:
    """The unit's models without those attached to it."""
    bought_with = unit.position.bought_with
    return [m for m in members(unit) if bought_with[m.row] == unit.row]


# ---------------------------------------------------------------- having moved


@rule("base-weapons/moved-models")
def has_moved(model: Model) -> bool:
    """Whether a model has changed place in this turn: its unit has moved, and it did not stay behind."""
    unit = model.unit
    moved = bool(unit.marks(MOVED))
    if not moved or unit.marks(GOT_OUT):
        return moved
    position, gone = model.position, model.position.of_models.notes.get(GONE, {})
    return has_gone(model) or not any(has_gone(mate) for mate in map(position.model, gone) if mate.unit == unit)


def has_gone(model: Model) -> bool:
    return float(model.note(GONE, 0.0)) > 0.0


def note_gone(model: Model, far: float) -> None:
    """Note that the model has gone ``far`` inches, and that its unit has moved."""
    model.unit.mark(MOVED, 1)
    model.jot(GONE, round(float(model.note(GONE, 0.0)) + far, 4))


# ---------------------------------------------------------------- strength


@rule("base-general/half-strength")
def is_below_half(unit: Unit) -> bool:
    """Whether fewer than half of the unit's starting models are left. Attached models do not count."""
    return not is_vehicle(unit) and 2 * len(body(unit)) < unit.marks(START)


@rule("fire/quarter-loss-test")
def lost_a_quarter(unit: Unit) -> bool:
    """Whether at least a quarter of the strength at the step's start is lost, without losses in melee."""
    start = unit.marks(AT_STEP)
    lost = start - len(members(unit)) - unit.marks(NOT_COUNTED)
    return start > 0 and 4 * lost >= start


# ---------------------------------------------------------------- coherency


@rule("base-general/coherency")
def is_coherent(unit: Unit) -> bool:
    """Whether each model is within 2 inches of another, all in one chain."""
    models = [m for m in members(unit) if m.is_on_table]
    if len(models) < 2:
        return True
    linked, waiting = [models[0]], models[1:]
    for one in linked:
        near = [m for m in waiting if within(distance(one, m), COHERENCY)]
        linked += near
        waiting = [m for m in waiting if m not in near]
    return not waiting


def unit_leader(unit: Unit) -> Model | None:
    """The model that the unit's route is told by."""
    models = members(unit)
    return next((m for m in models if m.marks(UNIT_LEADER)), models[0] if models else None)
