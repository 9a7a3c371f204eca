"""The activation of a squad, then of its models one by one (turn/squad-activation, turn/model-activation)."""

from __future__ import annotations

from campale.mechanics.frames import push
from campale.mechanics.units import in_reserve
from campale.referee.ask import choose, confirm
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import used_by
from campale.rulesets.wzr.abilities.rapid_deployment import ARRIVAL
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.resources import cannot_have_third_ap, gain_third_ap
from campale.rulesets.wzr.cards.windows import push_tactic
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.squads.morale import MORALE_TESTS, SQUAD_TESTS
from campale.rulesets.wzr.squads.squads import is_pinned, is_routed, members
from campale.rulesets.wzr.squads.states import settle
from campale.rulesets.wzr.turn.menu import list_of_actions, take_action
from campale.rulesets.wzr.turn.points import done, left, points_of
from campale.rulesets.wzr.vehicles.damage import jetbike_minimum

ENOUGH = "enough"
"""The answer by which the squad's other models forfeit."""
RARELY = 0.05


@rule("turn/squad-activation", "morale/pinning-trigger", "morale/pinned-effects")
def begin_squad(position: Position, unit: Unit) -> None:
    """Push the frames of an activation, in the book's order.

    A card may have lengthened a reach: whom it engages is no longer Pinned.
    """
    settle(position)
    position.now["activation"] = int(position.now["activation"]) + 1
    position.declare(marks.LOSSES_BEFORE, len(position.losses))
    for one in position.units:
        one.mark(marks.AT_ACTIVATION, len(members(one)) + len(in_reserve(one)))
        one.jot(marks.LOST, None)
    position.write("squad-activated", unit=unit.row)
    push(
        position,
        (ARRIVAL if unit.marks(marks.HELD_BACK) else SQUAD_TESTS, unit.row),
        ("tactics", unit.row, "first"),
        ("next-model", unit.row),
        ("squad-ends", unit.row),
    )


@rule("turn/squad-activation", "cards/tactic")
async def tactics(position: Position, row: int, when: str) -> None:
    """Open the window of Tactic cards: before the first model, between models, or after the last one."""
    unit = Unit(position, row)
    is_last = when != "first" and not any(may_act(m) for m in members(unit))
    push_tactic(position, unit, "last" if is_last else when)


@rule("turn/squad-activation")
async def next_model(position: Position, row: int) -> None:
    """Ask for the next model, in any order. Models that are not named forfeit."""
    unit = Unit(position, row)
    waiting = [m.row for m in members(unit) if may_act(m)]
    if not waiting:
        return
    chosen = await choose(
        unit.side,
        "next-model",
        [*waiting, ENOUGH],
        of="model",
        odds={ENOUGH: RARELY},
        unit=row,
        always=len(waiting) > 1,
    )
    if chosen == ENOUGH:
        return
    push(
        position,
        ("model-begins", int(chosen)),
        ("approach", int(chosen)),
        ("model", int(chosen)),
        ("model-ends", int(chosen)),
        ("tactics", row, "between"),
        ("next-model", row),
    )


@rule("turn/squad-activation", "morale/unpin-test", "morale/rally-test")
def may_act(model: Model) -> bool:
    is_out = model.marks(marks.ACTED) or model.marks(marks.KEPT_DOWN)
    return not (is_out or is_pinned(model) or is_routed(model.unit))


@rule("turn/model-activation", "turn/action-points")
async def model_begins(position: Position, row: int) -> None:
    model = position.model(row)
    engaged = is_engaged(model)
    model.mark(marks.BEGAN_ENGAGED, int(engaged))
    model.mark(marks.AP, points_of(model, engaged))
    model.mark(marks.AP_LOST, 0)
    if model.profile.is_vehicle:
        shed_stun(model)
        push(position, ("pivot", row))


@rule("core/stunned", "vehicles/ap-order")
def shed_stun(model: Model) -> None:
    """A vehicle has no Rest: each Stun token costs one of its AP before anything else."""
    paid = min(model.marks(marks.STUN), left(model))
    model.add(marks.STUN, -paid)
    model.add(marks.AP, -paid)


@rule("turn/model-activation", "morale/pinned-effects")
async def model_acts(position: Position, row: int) -> None:
    """The model takes actions while it has AP, is on the table, and has not been Pinned meanwhile."""
    model = position.model(row)
    settle(position)
    if not model.is_on_table or is_pinned(model):
        return
    if left(model) > 0:
        await take_action(model)
    elif may_go_on(model) and await confirm(model.side, "third-ap", model=row):
        gain_third_ap(model)
        push(position, ("model", row))


@rule("cards/burn-third-ap", "actions/sentry")
def may_go_on(model: Model) -> bool:
    """Whether a model without AP could gain another; never after an action that ends its activation."""
    acted = done(model)
    return not (acted and list_of_actions()[acted[-1]].ends) and cannot_have_third_ap(model) is None


@rule("cards/burn-third-ap")
async def third_ap(position: Position, row: int) -> None:
    """A Resource for another AP, while the model has AP left."""
    gain_third_ap(position.model(row))


@rule("turn/model-activation", "core/durations", "abilities/duelist", "abilities/hatred")
async def model_ends(position: Position, row: int) -> None:
    """Unspent AP are lost, and what lasts for an activation ends."""
    model = position.model(row)
    jetbike_minimum(position, model)
    for name in marks.MODEL_MARKS_OF_ACTIVATION:
        model.mark(name, 0, quietly=name != marks.AP)
    if not model.profile.is_vehicle:
        model.jot(marks.DONE, None)
        model.jot(marks.MOVED, None)
    for one in position.models:
        if used_by(one):
            one.jot(marks.USED, None)
    model.mark(marks.ACTED, 1, quietly=True)
    position.end_effects(marks.ACTIVATION)


@rule("turn/squad-activation", "morale/pinning-trigger", "morale/rout-trigger")
async def squad_ends(position: Position, row: int) -> None:
    """The squad's activation ends; then come the morale tests that are due."""
    unit = Unit(position, row)
    unit.mark(marks.ACTIVATED, 1)
    position.now.update(last=unit.side, window=True)
    push(position, (MORALE_TESTS, unit.side))
    for model in members(unit):
        forfeit(model)
    settle(position)


@rule("turn/squad-activation", "vehicles/jetbike-minimum")
def forfeit(model: Model) -> None:
    """Clear what the model's activation would have used, because the activation does not take place.

    A Jetbike that stood still, neither engaged nor in flight, is struck.
    """
    if not (model.marks(marks.ACTED) or is_routed(model.unit) or is_engaged(model)):
        jetbike_minimum(model.position, model)
    model.mark(marks.AP_LOST, 0, quietly=True)
    if not model.profile.is_vehicle:
        model.jot(marks.DONE, None)
        model.jot(marks.MOVED, None)


@rule("actions/rest", "core/stunned")
async def rest(position: Position, row: int) -> None:
    """Remove one Stun token."""
    model = position.model(row)
    model.mark(marks.STUN, max(0, model.marks(marks.STUN) - 1))
