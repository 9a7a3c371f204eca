"""How a battle went, for statistics: the units of both armies, those too that never came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from campale.mechanics.phases import round_of
from campale.referee.position import Position, Unit
from campale.referee.ruleset import Setup
from campale.referee.tally import Fielded, Tally, counted, rows_of
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.forces import UnitSpec
from campale.rulesets.e55.armies.setting_out import row_of
from campale.rulesets.e55.battle.missions import holders, is_there, may_capture, objectives, score


def tally(position: Position, setup: Setup) -> Tally:
    """Whoever deals a wound is a unit; models that left it are counted with the unit that they were bought with."""
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
    """The units of both forces in the order of their rosters."""
    for side, plain in enumerate(setup.forces):
        specs = forces.FORCES.from_plain(plain).units
        rows = [row_of(position, side, number) for number in range(len(specs))]
        others = [unit for unit in position.units if unit.side == side and unit.row not in rows]
        for spec, row in zip(specs, rows, strict=True):
            came = row if row >= 0 else next((unit.row for unit in others if is_of(unit, spec)), None)
            others = [unit for unit in others if unit.row != came]
            yield Fielded(side, spec.title["en"], spec.profiles, came)


def is_of(unit: Unit, spec: UnitSpec) -> bool:
    """Whether a unit that came from reserve may be this one: the notes of reserves do not say, but their texts do."""
    position = unit.position
    profiles = tuple(position.profiles[row] for row in rows_of(position, unit.row))
    return unit.name == spec.title["en"] and profiles == spec.profiles


def unit_of(position: Position, row: int) -> int:
    """The unit of the roster that a unit is, or from which it came apart."""
    if rows_of(position, row):
        return row
    return next((position.bought_with[model] for model, unit in enumerate(position.unit_of) if unit == row), row)


def holding(position: Position) -> Counter[int]:
    """How many objectives each unit is helping to hold."""
    found: Counter[int] = Counter()
    for token, holder in zip(objectives(position), holders(position), strict=True):
        there = {m.bought_with.row for m in position.on_table(holder) if may_capture(m) and is_there(m, token)}
        found.update(there if holder is not None else ())
    return found
