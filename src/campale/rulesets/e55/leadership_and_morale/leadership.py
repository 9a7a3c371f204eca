"""Chapter 4: leadership and its tests, and the result of a morale test (4.1). Its consequences are in ``morale``."""

from __future__ import annotations

from campale.dice.needs import Need, Part, telling_sums
from campale.referee.ask import choose, roll
from campale.referee.position import Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.dice import needed_at_most
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import in_play, is_broken
from campale.rulesets.e55.psychic_powers import powers
from campale.rulesets.e55.unit_types import special

ALWAYS_PASSED, NEVER_PASSED = 11, 0


# ---------------------------------------------------------------- 4: leadership


@rule("4/unit-leadership")
def unit_leadership(unit: Unit) -> int | None:
    """Return the highest leadership of a unit's models; None if none of them has the characteristic."""
    known = [characteristics.value(m, "ld") for m in in_play(unit) if m.profile.ld is not None]
    return max(known, default=None)


def modified_leadership(unit: Unit, modifier: int = 0) -> int | None:
    """Return a unit's leadership with the modifier of a test and the effect of powers."""
    own = unit_leadership(unit)
    return None if own is None else own + modifier - powers.dread(unit)


@rule("4/leadership-zero")
def is_hopeless(leadership: int) -> bool:
    return leadership <= NEVER_PASSED


@rule("4/leadership-eleven")
def is_unshakable(leadership: int) -> bool:
    return leadership >= ALWAYS_PASSED


@rule("4/leadership-extremes")
def leadership_need(leadership: int, modifier: int, worsened: int) -> Need:
    """Return the need of two dice to pass: a sum of 2 always passes, 12 never."""
    parts = (Part("4/leadership-test", -modifier), Part(powers.CAST, worsened))
    return needed_at_most(leadership, parts)


@rule("4/leadership-test")
async def roll_leadership(unit: Unit, why: str, modifier: int) -> bool:
    """Roll two dice and add them; equal or lower passes."""
    need = leadership_need(unit_leadership(unit) or 0, modifier, powers.dread(unit))
    rolled = await roll(unit.side, why, 2, needed=need, tells=telling_sums(need), total=True, unit=unit.row)
    return need.is_met_by(rolled.total)


async def plain_test(unit: Unit, why: str, modifier: int = 0) -> bool:
    """Take a leadership test for a unit, broken or not."""
    leadership = modified_leadership(unit, modifier)
    if leadership is None:
        return without_dice(unit, why, passed=True)
    if is_hopeless(leadership):
        return without_dice(unit, why, passed=False)
    if is_unshakable(leadership):
        return without_dice(unit, why, passed=True)
    return await roll_leadership(unit, why, modifier)


def without_dice(unit: Unit, why: str, passed: bool) -> bool:
    unit.position.write("automatic-test", unit=unit.row, why=why, passed=passed)
    return passed


@rule("4.2/broken-auto-fail")
def fails_as_broken(unit: Unit) -> bool:
    """Return whether a unit fails because it is broken. Rally tests do not use this."""
    return is_broken(unit)


async def leadership_test(unit: Unit, why: str, modifier: int = 0) -> bool:
    """Return whether a unit passes; vehicles have no leadership and pass (7.1/missing-characteristic)."""
    if unit_leadership(unit) is not None and fails_as_broken(unit):
        return without_dice(unit, why, passed=False)
    return await plain_test(unit, why, modifier)


# ---------------------------------------------------------------- 4.1: morale


@rule("7.1/no-morale", "7.16/walker-no-morale")
def needs_no_morale(unit: Unit) -> bool:
    models = in_play(unit)
    return bool(models) and all(is_vehicle(model) for model in models)


@rule("8/implacable")
def is_implacable(unit: Unit) -> bool:
    return special.any_has(unit, "implacable")


@rule("4.1/morale-choice", "4/leadership-eleven")
def may_choose(unit: Unit, modifier: int = 0) -> bool:
    """Return whether the owner chooses the result. A broken unit fails first, unless it is implacable."""
    leadership = modified_leadership(unit, modifier)
    free = not is_broken(unit) or is_implacable(unit)
    return leadership is not None and leadership >= ALWAYS_PASSED and free


@rule("4.1/morale-choice")
async def choose_result(unit: Unit, why: str) -> bool:
    chosen = await choose(unit.side, "morale-result", ("pass", "fail"), unit=unit.row, why=why)
    return without_dice(unit, why, passed=chosen == "pass")


@rule("4.1/morale-is-not-leadership", "4.1/morale-test")
async def morale_passed(unit: Unit, why: str, modifier: int = 0) -> bool:
    """Return whether a unit passes a morale test; breaking the unit is up to the caller."""
    if needs_no_morale(unit):
        return True
    if may_choose(unit, modifier):
        return await choose_result(unit, why)
    if is_implacable(unit):
        return without_dice(unit, why, passed=True)
    return await leadership_test(unit, why, modifier)
