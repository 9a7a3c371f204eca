"""How a battle went, for statistics: the units of both armies, including those that never arrived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from campale.mechanics.phases import round_of
from campale.referee.position import Position, Unit
from campale.referee.records.tally import Fielded, Tally, counted, rows_of
from campale.referee.ruleset import Setup
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.forces import UnitSpec
from campale.rulesets.e55.armies.setting_out import row_of
from campale.rulesets.e55.battle.missions import holders, is_there, may_capture, objectives, score


def tally(position: Position, setup: Setup) -> Tally:
    """Return the statistics by unit; models that left a unit count with the unit they were bought with."""
    now = position.now
    units = counted(
        position,
        fielded(position, setup),
        lambda row: unit_of(position, row),
        lambda turn: round_of(int(turn)),
        holding(position),
    )
    return Tally(score(position) if "mission" in now else None, now.get("first"), now.get("round"), units)


def fielded(position: Position, setup: Setup) -> Iterator[Fielded]:
    """Yield the units of both forces in roster order."""
    for side, plain in enumerate(setup.forces):
        specs = forces.FORCES.from_plain(plain).units
        rows = [row_of(position, side, number) for number in range(len(specs))]
        others = [unit for unit in position.units if unit.side == side and unit.row not in rows]
        for spec, row in zip(specs, rows, strict=True):
            came = row if row >= 0 else next((unit.row for unit in others if is_of(unit, spec)), None)
            others = [unit for unit in others if unit.row != came]
            yield Fielded(side, spec.title["en"], spec.profiles, came)


def is_of(unit: Unit, spec: UnitSpec) -> bool:
    """Return whether a unit that came from reserve may be this one, by its name and profiles.

    Notes of reserves do not say.
    """
    position = unit.position
    profiles = tuple(position.profiles[row] for row in rows_of(position, unit.row))
    return unit.name == spec.title["en"] and profiles == spec.profiles


def unit_of(position: Position, row: int) -> int:
    """Return the roster's unit that a unit is, or that it split off from."""
    if rows_of(position, row):
        return row
    return next((position.bought_with[model] for model, unit in enumerate(position.unit_of) if unit == row), row)


def holding(position: Position) -> Counter[int]:
    """Return how many objectives each unit is helping to hold."""
    found: Counter[int] = Counter()
    for token, holder in zip(objectives(position), holders(position), strict=True):
        there = {m.bought_with.row for m in position.on_table(holder) if may_capture(m) and is_there(m, token)}
        found.update(there if holder is not None else ())
    return found
