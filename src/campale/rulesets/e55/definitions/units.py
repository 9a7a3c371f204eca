"""Units and their models as the rules need them, and the state that is kept for each.

Every name of a count or note is a constant here; no other module of the ruleset spells one out.
"""

from __future__ import annotations

from collections.abc import Iterable

from campale.referee.position import ABOARD, GONE, RESERVE, TABLE, Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule

# Counts of units.
FACES, COMBAT, BROKEN, GROUND, ALOFT, AFRAID = "faces", "combat", "broken", "to-ground", "aloft", "afraid"
MOVED, RAN, SHOT, BARRED_FROM_CHARGE = "moved", "ran", "shot", "no-charge"
DONE, CHARGED, CHARGED_ROUGH, BROKE_THROUGH = "done", "charged", "charged-rough", "broke-through"
ARRIVED, DISEMBARKED, EMBARKED = "arrived", "disembarked", "embarked"
AT_PHASE_START, ELIMINATED = "at-phase-start", "eliminated"
SCOUTED, WAITS = "scouted", "waits"
# Counts of models.
LOST, CLIPPED, WARP, GRIPPED, STRUCK = "wounds-lost", "clipped", "warp", "gripped", "has-struck"
STRUCTURE_LOST, IMMOBILISED, SILENCED, STUCK = "structure-lost", "immobilised", "silenced-in", "stuck-in"
SPEED, INCHES, TURNED = "speed", "inches", "turned"
APART = "apart"
STATIONARY, COMBAT_SPEED, CRUISING = 0, 1, 2
# Notes of models: an effect in force this turn while the same effect is incurred again for the next.
STILL = {SILENCED: "still-silenced", STUCK: "still-stuck"}
# Notes of units.
LOST_BEFORE = "lost-before"
FACED_THEN, HEAVY_FIRE_BY, REAR_CHARGED_BY, DESTROYED = "faced-then", "heavy-fire-by", "rear-charged-by", "destroyed"
CHARGED_WHOM, OUTLIVED, MEMBERS_THEN = "charged-whom", "outlived", "members-then"
BARRED_BY = "barred-by"
ARRIVES_BY, NAME_IT = "arrives-by", "name_it"


# ---------------------------------------------------------------- 1.1/unit


def rows_by_unit(position: Position) -> dict[int, list[int]]:
    """Return the rows of the models on the table by the row of their unit, in roster order."""
    return rows_by_place(position)[TABLE]


def rows_by_place(position: Position) -> dict[int, dict[int, list[int]]]:
    """Return the rows of all models by their place, then by the row of their unit, in roster order."""
    kept = position.layout.get("by-place")
    if kept is None:
        kept = position.layout["by-place"] = {TABLE: {}, ABOARD: {}, RESERVE: {}}
        for row, where in enumerate(position.where):
            kept.setdefault(where, {}).setdefault(position.unit_of[row], []).append(row)
    found: dict[int, dict[int, list[int]]] = kept
    return found


@rule("1.1/unit")
def members(unit: Unit) -> list[Model]:
    """Return the models of a unit that are on the table, in roster order, cached until something moves."""
    kept = unit.position.own
    found: list[Model] | None = kept.get(unit.row)
    if found is None:
        models = unit.position.models
        found = kept[unit.row] = [models[row] for row in rows_by_unit(unit.position).get(unit.row, ())]
    return found


@rule("7.10/no-target-inside")
def units_on_table(position: Position, side: int | None = None) -> list[Unit]:
    """Return the units, of one side or both, that have a model on the table, in roster order."""
    rows = sorted(rows_by_unit(position))
    return [Unit(position, row) for row in rows if side is None or position.unit_side[row] == side]


def aboard(unit: Unit) -> list[Model]:
    """Return the models of a unit that are inside a transport."""
    models = unit.position.models
    return [models[row] for row in rows_by_place(unit.position)[ABOARD].get(unit.row, ())]


def units_aboard(position: Position, side: int | None = None) -> list[Unit]:
    """Return the units with models inside transports, in roster order."""
    rows = sorted(rows_by_place(position)[ABOARD])
    return [Unit(position, row) for row in rows if side is None or position.unit_side[row] == side]


def in_play(unit: Unit) -> list[Model]:
    """Return the models of a unit that are on the table or inside a transport."""
    models, places = unit.position.models, rows_by_place(unit.position)
    rows = (*places[TABLE].get(unit.row, ()), *places[ABOARD].get(unit.row, ()))
    return [models[row] for row in sorted(rows)]


def is_lost(model: Model) -> bool:
    return model.where == GONE


def of_other_side(unit: Unit) -> list[Unit]:
    return units_on_table(unit.position, 1 - unit.side)


def handles(position: Position, rows: Iterable[int]) -> list[Unit]:
    return [Unit(position, row) for row in rows]


# ---------------------------------------------------------------- the state of a unit


def is_engaged(unit: Unit) -> bool:
    return unit.marks(COMBAT) > 0


def is_broken(unit: Unit) -> bool:
    return unit.marks(BROKEN) > 0


@rule("4.2/broken-cannot-act")
def cannot_act(unit: Unit) -> Fault | None:
    """Refuse a broken unit every voluntary action: move, run, shot, charge, boarding, power or breakthrough."""
    return Fault() if is_broken(unit) else None


def is_on_ground(unit: Unit) -> bool:
    return unit.marks(GROUND) > 0


@rule("3.1.4/facing-follows")
def faced_by(unit: Unit) -> Unit | None:
    """Return the enemy unit that the unit faces, if any. A unit faces another unit, not an angle (see ``facing``)."""
    row = unit.marks(FACES) - 1
    return None if row < 0 else Unit(unit.position, row)


def bar_from_charge(unit: Unit, rule_id: str) -> None:
    """Bar a unit from charging for the rest of the turn, by the entry named."""
    unit.mark(BARRED_FROM_CHARGE, 1)
    unit.jot(BARRED_BY, rule_id)


def active(position: Position) -> int:
    """Return the side whose turn it is."""
    return int(position.now["side"])


def player_turn(position: Position) -> int:
    """Return the number of the player turn, from 1."""
    return int(position.now.get("turn", 0))


def next_turn_of(position: Position, side: int) -> int:
    """Return the number of a side's next player turn, not counting the current one."""
    return player_turn(position) + (2 if side == active(position) else 1)


@rule("7.6/shaken", "7.6/stunned")
def is_in_force(model: Model, name: str) -> bool:
    """Return whether a vehicle is silenced, or stuck, in this very turn."""
    return 0 < player_turn(model.position) in (model.marks(name), model.note(STILL[name]))


@rule("7.6/immobilised", "7.6/stunned", "7.6/shaken")
def is_held(model: Model) -> bool:
    """Return whether a model can neither move nor turn, for good or in this turn."""
    return bool(model.marks(IMMOBILISED)) or is_in_force(model, STUCK)


def wounds_left(model: Model) -> int:
    return int(model.profile.w or 0) - model.marks(LOST)
