"""Pinning, rout, rally (morale/*), and Execution (abilities/execution-*)."""

from __future__ import annotations

import math

from campale.mechanics.frames import drop, push
from campale.referee.ask import choose, order
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import has
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import raises
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.squads.leadership import squad_passes
from campale.rulesets.wzr.squads.squads import commander, is_pinned, is_routed, members, squads_of
from campale.rulesets.wzr.squads.states import become_routed, pin
from campale.rulesets.wzr.wounds.removals import TAKE_WEAPON, leaves_a_weapon, losses_of, substitutes_of

SQUAD_TESTS, MORALE_TESTS, EXECUTION_OFFER, RECOVERY = "squad-tests", "morale-tests", "execution-offer", "recovery"
ROUT_TEST, PINNING_TESTS, PINNING_TEST, FLIGHT = "rout-test", "pinning-tests", "pinning-test", "flight"
BEFORE_THE_END = ("tactics", "next-model")
"""The frames of an activation that are dropped when a squad flees again."""
QUARTER, HALF = 4, 2
NOBODY = "nobody"
REACH = 6.0
EXECUTION = "execution"


# ---------------------------------------------------------------- when a squad must test


@rule("morale/pinning-trigger", "core/rounding", "core/friendly-fire")
def must_test_pinning(unit: Unit) -> bool:
    """Whether ranged attacks killed a quarter of the models that began the activation (by option: any at all)."""
    before, (_, by_shots) = unit.marks(marks.AT_ACTIVATION), losses_of(unit)
    enough = 1 if unit.position.options.pinning_any_loss else math.ceil(before / QUARTER)
    return before > 1 and 0 < enough <= by_shots


@rule("morale/rout-trigger", "squads/composition", "core/friendly-fire")
def must_test_rout(unit: Unit) -> bool:
    """Whether the squad lost models to enemies in this activation, and at most half its starting number is left."""
    start, (lost, _) = unit.marks(marks.START), losses_of(unit)
    left = sum(not m.marks(marks.SPECIALIST) for m in members(unit))
    return start > 1 and lost > 0 and HALF * left <= start and not is_routed(unit)


def all_squads(position: Position) -> list[Unit]:
    return [*squads_of(position, 0), *squads_of(position, 1)]


# ---------------------------------------------------------------- tests at the end of an activation


@rule("morale/rout-trigger", "morale/pinning-trigger", "core/simultaneous", "turn/squad-activation")
async def morale_tests(position: Position, side: int) -> None:
    """Rout tests before pinning tests. The side whose squad was active chooses the order of the squads."""
    due = [unit.row for unit in all_squads(position) if must_test_rout(unit)]
    ordered = await order(side, "rout-order", due, of="unit")
    push(position, *((ROUT_TEST, int(row)) for row in ordered), (PINNING_TESTS,))


@rule("morale/rout-test", "abilities/implacable", "abilities/unyielding")
async def rout_test(position: Position, row: int) -> None:
    """A squad that fails is Routed and flees at once."""
    unit = Unit(position, row)
    if not await squad_passes(unit, "rout"):
        become_routed(unit)
        push(position, (FLIGHT, row))


@rule("morale/pinning-trigger", "morale/rout-trigger")
async def pinning_tests(position: Position) -> None:
    """Pinning tests of squads that did not rout, and tests due now for another cause."""
    later = tuple(position.declared.get(marks.PINNING_LATER, ()))
    position.declare(marks.PINNING_LATER, None)
    due = [(unit.row, 0, "morale/pinning-trigger") for unit in all_squads(position) if must_test_pinning(unit)]
    push_tests(position, (*due, *later))


@rule("morale/pinning-test")
async def pinning_at_once(position: Position) -> None:
    """Pinning tests caused by one attack, after all its hits."""
    causes = tuple(position.declared.get(marks.PINNING, ()))
    position.declare(marks.PINNING, None)
    push_tests(position, causes)


@rule("morale/pinning-test")
def push_tests(position: Position, causes: tuple[tuple[int, int, str], ...]) -> None:
    """One test for each squad, with the worst modifier among its causes."""
    worst: dict[int, tuple[int, str]] = {}
    for row, modifier, by in causes:
        worst[row] = min(worst.get(row, (modifier, by)), (modifier, by))
    push(position, *((PINNING_TEST, row, *worst[row]) for row in sorted(worst)))


@rule("morale/pinning-test", "abilities/implacable")
async def pinning_test(position: Position, row: int, modifier: int, by: str) -> None:
    """A squad that fails is Pinned as a whole. A squad that is routed or completely Pinned takes no test."""
    unit = Unit(position, row)
    models = members(unit)
    if is_routed(unit) or all(is_pinned(m) for m in models):
        return
    if not await squad_passes(unit, "pinning", raises(by, modifier)):
        for model in models:
            pin(model)


# ---------------------------------------------------------------- tests when a squad is activated


@rule("turn/squad-activation", "morale/unpin-test", "morale/rally-test")
async def squad_tests(position: Position, row: int) -> None:
    """An Execution by the Commander, then the rally test of a routed squad or the unpin test of a Pinned one."""
    unit = Unit(position, row)
    if not (is_routed(unit) or any(is_pinned(m) for m in members(unit))):
        unit.mark(marks.EXECUTED, 0)
        return
    push(position, (EXECUTION_OFFER, row), (RECOVERY, row))


@rule("morale/unpin-test", "morale/rally-test", "abilities/execution-hero", "abilities/execution-commander")
async def recovery(position: Position, row: int) -> None:
    """If the test passes, the models act, with 1 AP less unless a model was executed for it.

    If it fails, the Pinned do not act in this turn, even if a melee frees them meanwhile.
    """
    unit = Unit(position, row)
    routed, executed = is_routed(unit), bool(unit.marks(marks.EXECUTED))
    unit.mark(marks.EXECUTED, 0)
    if executed or await (rallies(unit) if routed else gets_up(unit)):
        recover(unit, routed, 0 if executed else 1)
    elif routed:
        drop(position, lambda frame: frame[0] in BEFORE_THE_END and frame[1] == row)
        push(position, (FLIGHT, row))
    else:
        for model in filter(is_pinned, members(unit)):
            model.mark(marks.KEPT_DOWN, 1, quietly=True)


@rule("morale/rally-test")
async def rallies(unit: Unit) -> bool:
    return await squad_passes(unit, "rally")


@rule("morale/unpin-test")
async def gets_up(unit: Unit) -> bool:
    return await squad_passes(unit, "unpin")


@rule("morale/unpin-test", "morale/rally-test")
def recover(unit: Unit, routed: bool, price: int) -> None:
    """The squad is no longer routed or Pinned. Its recovered models lose ``price`` AP."""
    recovered = [m for m in members(unit) if routed or is_pinned(m)]
    unit.mark(marks.ROUTED, 0)
    for model in recovered:
        model.mark(marks.PINNED, 0)
        model.add(marks.AP_LOST, price)


# ---------------------------------------------------------------- abilities/execution-*


@rule("abilities/execution-commander")
async def execution_offer(position: Position, row: int) -> None:
    """The Commander or an able Substitute, even of a routed squad, may execute one of its models.

    He is not asked if an execution by a Lord already lets the squad pass.
    """
    unit = Unit(position, row)
    leader = commander(unit)
    if leader is None or EXECUTION not in leader.profile.numbers or unit.marks(marks.EXECUTED):
        return
    others = [m.row for m in members(unit) if m.row != leader.row]
    chosen = await choose(unit.side, "execution", [NOBODY, *others], of="model", model=leader.row)
    if chosen != NOBODY:
        execute(position.model(int(chosen)), leader)


@rule("abilities/execution-hero", "abilities/execution-commander", "squads/substitute", "abilities/take-weapon")
def execute(model: Model, by: Model) -> None:
    """Remove the model without a morale test; its squad passes the next test. A friend may take over its weapon."""
    unit = model.unit
    unit.mark(marks.EXECUTED, 1)
    model.position.remove(model, EXECUTION, by.row)
    weapon = ((TAKE_WEAPON, model.row),) if leaves_a_weapon(model) else ()
    push(model.position, *substitutes_of([model]), *weapon)


@rule("abilities/execution-hero")
def victims(model: Model) -> list[int]:
    """The rows of friends within 6 inches of a Warlord or Lord."""
    friends = [m for m in model.position.on_table(model.side) if m.row != model.row]
    return [m.row for m in friends if within(gap(model, m), REACH)]


@rule("abilities/execution-hero")
def may_execute(model: Model) -> bool:
    hero = model.profile.is_lord and has(model, EXECUTION)
    return hero and bool(victims(model))


@rule("abilities/execution-hero")
async def execution(position: Position, row: int, victim: int) -> None:
    execute(position.model(victim), position.model(row))
