"""What is known of a unit besides its marks: the powers in force on it."""

from __future__ import annotations

from campale.referee.looks import Mark
from campale.referee.position import Unit
from campale.rulesets.e55.psychic_powers.powers import dread, haste, ward

POWERS = {"ward": ward, "haste": haste, "dread": dread}


def unit_marks(unit: Unit) -> list[Mark]:
    """Return a mark with its number for each kind of power in force on the unit."""
    return [Mark(kind, {"value": value}) for kind, of in POWERS.items() if (value := of(unit))]
