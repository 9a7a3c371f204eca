"""Squadrons (7.17): units of several vehicles, which stay together, and immobilised vehicles left behind."""

from __future__ import annotations

from campale.mechanics.moves.coherency import first_overlap
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import vehicles_of
from campale.rulesets.e55.definitions.units import (
    APART,
    ARRIVED,
    AT_PHASE_START,
    COMBAT,
    DONE,
    EMBARKED,
    IMMOBILISED,
    NAME_IT,
    TURNED,
    members,
)
from campale.rulesets.e55.movement_phase import coherency
from campale.rulesets.e55.turn.acting import Act, Key, OfModel, model_of, unit_of

Places = dict[int, tuple[float, float, float, float]]
"""Where models (by row) would stand: x, y, z, facing."""


# ---------------------------------------------------------------- staying together


@rule("3.1/no-pass-through")
def on_each_other(unit: Unit, places: Places) -> Fault | None:
    """Refuse places where vehicles of one unit end on each other; they do not obstruct each other's paths."""
    met = first_overlap(members(unit), places)
    if met is None:
        return None
    x, y, _, _ = places.get(met[0]) or places[met[1]]
    return Fault((x, y), model=met[1])


@rule("7.17/squadron-coherency", "3.1.1/coherency", "3.1.1/restore-coherency")
def scattered(unit: Unit, places: Places) -> Fault | None:
    """Refuse places that scatter a coherent squadron, or drive a scattered one further apart."""
    if coherency.is_coherent(unit, places):
        return None
    then = coherency.widest_gap(unit, places)
    if not coherency.is_coherent(unit) and then <= coherency.widest_gap(unit):
        return None
    x, y, _, _ = next(iter(places.values()))
    return Fault((x, y), round(then, 2), coherency.link(unit))


# ---------------------------------------------------------------- 7.17/squadron-immobilised


def who_may_split(position: Position, side: int) -> list[Key]:
    """Return every immobilised vehicle in a unit, one line each."""
    return [OfModel("split", m.unit.row, m.row) for m in vehicles_of(position, side) if m.marks(IMMOBILISED)]


@rule("7.17/squadron-immobilised")
def alone(position: Position, key: Key) -> Fault | None:
    return None if len(members(unit_of(position, key))) > 1 else Fault(model=model_of(position, key).row)


@rule("7.17/squadron-immobilised")
def after_the_start(position: Position, key: Key) -> Fault | None:
    """Refuse after any unit of the side, or a model by itself, has moved in this movement phase."""
    side = unit_of(position, key).side
    units = (unit for unit in position.units if unit.side == side and not unit.marks(ARRIVED))
    models = (model for model in position.on_table(side) if model.marks(APART) or model.marks(TURNED))
    begun = any(unit.marks(DONE) or unit.marks(EMBARKED) for unit in units) or any(True for _ in models)
    return Fault(model=model_of(position, key).row, word="phase-has-begun") if begun else None


@rule("7.17/squadron-immobilised")
async def split(position: Position, key: Key) -> None:
    """Make the immobilised vehicle a unit of its own from now on."""
    leave_behind(model_of(position, key))


def leave_behind(model: Model) -> None:
    position, old = model.position, model.unit
    new = position.add_unit(model.name, model.side)
    new.jot(NAME_IT, model.note(NAME_IT))
    position.join(model, new)
    new.mark(COMBAT, old.marks(COMBAT))
    new.mark(AT_PHASE_START, 1)
    old.mark(AT_PHASE_START, max(0, old.marks(AT_PHASE_START) - 1))


ACTS: tuple[Act, ...] = (Act("split", ("movement",), who_may_split, (alone, after_the_start), split),)
