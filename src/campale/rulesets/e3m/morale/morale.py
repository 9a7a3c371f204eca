"""Morale: the test, its causes and its results; and rallying."""

from __future__ import annotations

from campale.dice.needs import Need, telling_sums
from campale.mechanics.bases import within
from campale.mechanics.frames import push
from campale.referee.ask import roll
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.command.groups import marked
from campale.rulesets.e3m.command.halt import drop_assault, force_to_halt, stop_moving
from campale.rulesets.e3m.command.orders import HALT, RETREAT, is_routed, order_of, replace_order, show
from campale.rulesets.e3m.command.units import (
    AT_STEP,
    LEADS,
    ORDER,
    TESTED,
    body,
    distance,
    is_below_half,
    is_coherent,
    is_vehicle,
    lost_a_quarter,
    members,
    units_of,
)

SNAKE_EYES = (2,)
RALLY_DISTANCE = 6.0


# ---------------------------------------------------------------- base-morale


@rule("base-morale/fearless")
def is_fearless(unit: Unit) -> bool:
    """Whether the unit never tests: fearless units and vehicles. A model that has joined the unit does not count."""
    models = body(unit) or members(unit)
    return bool(models) and all(m.profile.is_fearless or m.profile.has_armour for m in models)


def leadership(unit: Unit) -> int:
    return max((m.profile.ld for m in members(unit)), default=0)


@rule("base-morale/test", "base-morale/modifiers")
def morale_need(unit: Unit, outnumbered: bool = False) -> Need:
    """2D6 up to the highest Leadership: 1 lower below half strength, 1 lower if outnumbered in a lost melee."""
    worse = int(is_below_half(unit)) + int(outnumbered)
    return Need(leadership(unit) - worse, always=SNAKE_EYES, at_most=True)


@rule("base-morale/test")
async def passes(unit: Unit, why: str, outnumbered: bool = False) -> bool:
    """Whether the unit passes a morale test. Fearless units pass without a roll."""
    if is_fearless(unit):
        return True
    need = morale_need(unit, outnumbered)
    rolled = await roll(unit.side, why, 2, needed=need, tells=telling_sums(need), unit=unit.row, total=True)
    passed = need.is_met_by(rolled.total)
    unit.position.write("morale", unit=unit.row, total=rolled.total, need=need.number, passed=passed)
    return passed


@rule("base-morale/failure", "orders/retreat-timing", "assault/defensive-fire-effects", "fire/opportunity-aftermath")
def break_unit(unit: Unit) -> None:
    """The order becomes Retreat, and the unit makes its retreat move. Its assault and its route are void."""
    replace_order(unit, RETREAT)
    drop_assault(unit)
    push(unit.position, ("retreat", unit.row))
    stop_moving(unit)


# ---------------------------------------------------------------- fire/quarter-loss-test, base-weapons/pinning


@rule("fire/quarter-loss-test", "sequence/morale-after-losses", "orders/retreat-voluntary")
def must_test(unit: Unit) -> bool:
    """Whether a unit must test for a quarter lost in the step, once per step; not vehicles, single models or routed."""
    if not members(unit) or is_vehicle(unit) or unit.marks(TESTED) or unit.marks(AT_STEP) < 2:
        return False
    return lost_a_quarter(unit) and not is_routed(unit)


@rule("fire/casualties-then-morale", "fire/quarter-loss-test")
async def take_tests(position: Position, pinned: tuple[int, ...], first: int) -> None:
    """Take all tests after a volley, unit by unit in list order, side ``first`` first.

    ``pinned``: units that lost a model to a pinning weapon.
    """
    broken: list[Unit] = []
    for unit in (one for side in (first, 1 - first) for one in units_of(position, side)):
        if must_test(unit):
            if not await stands_losses(unit) and not is_routed(unit):
                broken.append(unit)
        elif unit.row in pinned and may_be_pinned(unit):
            await stand_pinning(unit)
    for unit in reversed(broken):
        break_unit(unit)


@rule("base-weapons/pinning", "vehicles/overrun-morale")
async def take_pinning_tests(position: Position, pinned: tuple[int, ...]) -> None:
    """The tests after the fire of an overrun: of pinned units alone, unless a test for a quarter lost awaits them."""
    for unit in (Unit(position, row) for row in pinned):
        if may_be_pinned(unit) and not must_test(unit):
            await stand_pinning(unit)


@rule("fire/quarter-loss-test", "orders/forced-halt")
async def stands_losses(unit: Unit) -> bool:
    """Whether the unit passes; then it is forced to Halt. A hidden voluntary Retreat is shown instead of a test."""
    unit.mark(TESTED, 1)
    if shows_retreat(unit) or not await passes(unit, "quarter-loss"):
        return False
    force_to_halt(unit)
    return True


@rule("orders/retreat-voluntary", "orders/reveal")
def shows_retreat(unit: Unit) -> bool:
    """Whether a hidden voluntary Retreat is shown instead of a test, which makes the unit routed."""
    if is_routed(unit) or order_of(unit) != RETREAT:
        return False
    show(unit.position, [unit])
    return True


@rule("base-weapons/pinning")
async def stand_pinning(unit: Unit) -> None:
    """A unit that fails is forced to Halt."""
    if not shows_retreat(unit) and not await passes(unit, "pinning"):
        force_to_halt(unit)


@rule("base-weapons/pinning")
def may_be_pinned(unit: Unit) -> bool:
    return bool(members(unit)) and not is_vehicle(unit) and not is_routed(unit)


# ---------------------------------------------------------------- step 1: recovery


@rule("sequence/rally-conditions")
def may_rally(unit: Unit) -> bool:
    """Whether it may rally: at least half its starting models, no enemy within 6 inches, in coherency.

    Attached models do not count. A unit aboard measures from its carrier.
    """
    if is_below_half(unit) or not is_coherent(unit) or not body(unit):
        return False
    enemies = unit.position.on_table(1 - unit.side)
    return not any(within(distance(m, e), RALLY_DISTANCE) for m in members(unit) for e in enemies)


@rule("sequence/rally-test", "orders/retreat-voluntary")
async def rally(unit: Unit) -> None:
    """A vehicle drops its Retreat without a test. A unit that fails or may not test keeps its Retreat."""
    if is_vehicle(unit):
        unit.jot(ORDER, None)
        return
    if not may_rally(unit):
        return
    need = Need(leadership(unit), always=SNAKE_EYES, at_most=True)
    rolled = await roll(unit.side, "rally", 2, needed=need, tells=telling_sums(need), unit=unit.row, total=True)
    if need.is_met_by(rolled.total):
        has_rallied(unit)


@rule("sequence/rally-success", "hierarchy/leader-loss")
def has_rallied(unit: Unit) -> None:
    """The unit is on Halt for the coming turn. A leader takes his place back."""
    replace_order(unit, HALT)
    for leader in [m for m in members(unit) if m.marks(LEADS)]:
        for model in list(marked(unit.position, LEADS, leader.marks(LEADS))):
            if model.row != leader.row:
                model.mark(LEADS, 0)
