"""The effects of psychic powers in force (chapter 5), as other chapters need them; ``psychic`` casts them.

An effect's value is (kind, number); it ends with the player turn named in ``until``.
"""

from __future__ import annotations

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line, Weapon
from campale.rulesets.e55.definitions.units import player_turn

CAST, AWOKEN, CAST_ALREADY = "5/casting", "5/psychic-equipment", "5/shooting-power-once"

PHASE_OF = {
    "start": "movement",
    "movement": "movement",
    "after-movement": "movement",
    "facing": "movement",
    "to-ground": "shooting",
    "shooting": "shooting",
    "volleys": "shooting",
    "after-shooting": "shooting",
    "charges": "assault",
    "defence": "assault",
    "melee": "assault",
}
"""The phase of the book that each step of a turn belongs to."""


def phase_of(position: Position) -> str:
    return PHASE_OF.get(str(position.now["phase"]), "")


def end_of_turn(position: Position, more: int = 0) -> str:
    """Return the moment at which an effect of this player turn, or of a later one (``more``), ends."""
    return f"turn-{player_turn(position) + more}"


def in_force(unit: Unit, kind: str) -> list[int]:
    """Return the numbers of the powers of a kind that are in force on a unit."""
    effects = unit.position.effects
    found = [e.value for e in effects if e.rule == CAST and e.on == "unit" and e.bearer == unit.row]
    return [int(number) for name, number in found if name == kind]


@rule("5/casting")
def ward(unit: Unit) -> int | None:
    """Return the best cover save that powers give a unit."""
    return min(in_force(unit, "ward"), default=None)


@rule("5/casting")
def haste(unit: Unit) -> int:
    """Return the most inches that a power adds to a unit's move."""
    return max(in_force(unit, "haste"), default=0)


@rule("5/casting")
def dread(unit: Unit) -> int:
    """Return the most by which a power worsens a unit's leadership."""
    return max(in_force(unit, "dread"), default=0)


@rule("5/psychic-equipment")
def is_awake(model: Model, weapon: Weapon) -> bool:
    """Return whether the bearer has switched on a psychic weapon in this phase."""
    now = [weapon.id, phase_of(model.position)]
    return weapon.awake is not None and any(list(e.value) == now for e in model.position.effects_on(model, AWOKEN))


@rule("5/psychic-equipment")
def lines_of(model: Model, weapon: Weapon) -> tuple[Line, ...]:
    """Return the profiles of a weapon as its bearer uses it now."""
    if weapon.awake is not None and is_awake(model, weapon):
        return (weapon.awake,)
    return weapon.lines


def line_of(model: Model, weapon: Weapon, index: int = 0) -> Line:
    lines = lines_of(model, weapon)
    return lines[index] if index < len(lines) else lines[0]
