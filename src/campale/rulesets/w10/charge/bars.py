"""Why a unit may not declare a charge (charge-phase/eligible)."""

from __future__ import annotations

from campale.referee.position import Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import may_although_advanced
from campale.rulesets.w10.basics.units import ADVANCED, FELL_BACK, NO_CHARGE, is_aircraft, is_engaged, members


@rule("movement-phase/advance", "charge-phase/eligible")
def has_advanced(unit: Unit) -> Fault | None:
    """Who Advanced does not charge, unless an ability lets it."""
    is_barred = unit.marks(ADVANCED) and not may_although_advanced(unit, "charge")
    return Fault(word="charge-barred.advanced") if is_barred else None


@rule("movement-phase/fall-back", "charge-phase/eligible")
def has_fallen_back(unit: Unit) -> Fault | None:
    return Fault(word="charge-barred.fell-back") if unit.marks(FELL_BACK) else None


@rule("charge-phase/eligible", "transports/disembark-after", "transports/destroyed-aftermath")
def is_kept_from_it(unit: Unit) -> Fault | None:
    """A rule forbids the unit to charge in this turn."""
    return Fault(word="charge-barred.this-turn") if unit.marks(NO_CHARGE) else None


@rule("charge-phase/eligible")
def is_in_combat(unit: Unit) -> Fault | None:
    return Fault(word="charge-barred.engaged") if is_engaged(unit) else None


@rule("aircraft/charge-fight", "charge-phase/eligible")
def flies_past(unit: Unit) -> Fault | None:
    return Fault(word="charge-barred.aircraft") if is_aircraft(unit) else None


@rule("datasheet/model-profile")
def cannot_move(unit: Unit) -> Fault | None:
    is_fixed = not all(m.profile.m for m in members(unit))
    return Fault(word="charge-barred.no-move") if is_fixed else None


BARS = (has_advanced, has_fallen_back, is_kept_from_it, is_in_combat, flies_past, cannot_move)
