"""The turn: eight steps in which both armies act, element by element in turn (sequence/turn-order).

Whatever takes several questions is a frame on the position's stack (``campale.mechanics.frames``). Each call of
``step`` does one thing of what is in progress, names the next element, or goes on to the next step.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any, NamedTuple

from campale.mechanics.alternation import next_side
from campale.mechanics.frames import Procedure, is_busy, push, run_top, stack
from campale.mechanics.phases import run_phase
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.assault import declaring, melee, result
from campale.rulesets.e3m.assault import moves as assault_moves
from campale.rulesets.e3m.battle import missions, preparation
from campale.rulesets.e3m.bots import counsel, destinations
from campale.rulesets.e3m.command.groups import group_of, groups_of, replace_leaders, units_in
from campale.rulesets.e3m.command.orders import (
    HALT,
    RETREAT,
    has_hidden_order,
    is_halted,
    is_routed,
    order_of,
    secret,
    show,
    with_orders_drawn,
    write_orders,
)
from campale.rulesets.e3m.command.special_models import attach_or_detach
from campale.rulesets.e3m.command.units import (
    ACTED,
    ADVANCED,
    AT_STEP,
    CHARGED,
    CONTACTED,
    DEFENDED,
    FIRED,
    FORCED,
    GAVE_GROUND,
    GIVEN_AWAY,
    GONE,
    GOT_OUT,
    MOVED,
    NOT_COUNTED,
    ORDER,
    OVERRAN_AT,
    PREPARED,
    STATIONARY,
    STOOD,
    STRUCK,
    TESTED,
    TOOK_IN,
    WATCHED,
    by_unit,
    members,
    units_of,
)
from campale.rulesets.e3m.fire.declaring import can_fire
from campale.rulesets.e3m.fire.kinds import (
    ADVANCING,
    DEFENSIVE,
    KINDS,
    OPPORTUNITY,
    OVERRUN_WITH,
    PREPARATORY,
    SPENT,
    USED,
    may_advance,
    may_defend,
    may_prepare,
    may_watch,
)
from campale.rulesets.e3m.fire.volley import fire
from campale.rulesets.e3m.morale.morale import rally, take_pinning_tests, take_tests
from campale.rulesets.e3m.morale.retreat import retreat
from campale.rulesets.e3m.movement import group_moves, move_ends, routes
from campale.rulesets.e3m.turn.initiative import draw_chit, shuffle_chits
from campale.rulesets.e3m.vehicles import overrun, path_assault
from campale.rulesets.e3m.vehicles.driving import flown, may_break_down, note_speed

NOBODY = "nobody"
SILENT = ("mark-unit", "mark", "order-shown")
"""The kinds of events that come of every element that is named."""

CLEARED = (
    *(ACTED, MOVED, FIRED, WATCHED, FORCED, STOOD, GAVE_GROUND, GOT_OUT, CONTACTED, PREPARED, DEFENDED, ADVANCED),
    *(CHARGED, STATIONARY, TESTED, group_moves.DONE, group_moves.HAD_RETREAT, "assaulted", declaring.ASKED),
    *(TOOK_IN, GIVEN_AWAY, assault_moves.CHARGED_IN, assault_moves.ATTACKER),
)
"""Marks cleared at the end of a turn (sequence/end-of-turn). A Halt itself is lifted in the next step 1."""

FIRES_DONE = {DEFENSIVE.name: DEFENDED, ADVANCING.name: ADVANCED}
"""The mark of a unit that has used its fire of this kind."""

Begin = Callable[[Position], Coroutine[Any, Any, None]]
Elements = Callable[[Position, int], list[int]]


class Step(NamedTuple):
    """A step of the turn. ``elements``: what a side can still act with; ``acts``: what a named element does.

    ``by_group``: the elements are groups. ``goes_on``: quarter losses count it together with the step before.
    """

    name: str
    begin: Begin | None = None
    draws: bool = False
    elements: Elements | None = None
    acts: Callable[[Position, int, int], Coroutine[Any, Any, None]] | None = None
    by_group: bool = False
    window: bool = True
    goes_on: bool = False


# ---------------------------------------------------------------- the run


@rule("sequence/turn-order", "turn/simultaneous-phases")
async def step(position: Position) -> bool:
    """Do the next thing in progress, or go on to the next element, step or turn."""
    if not await run_top(position, PROCEDURES):
        if position.now["phase"] in preparation.STAGES:
            await prepare(position)
        else:
            await go_on(position)
    missions.end_if_wiped_out(position)
    return position.result is None


async def prepare(position: Position) -> None:
    """Run the preparation stage by stage."""
    await run_phase(position, preparation.STAGES, begin_stage)


def begin_stage(position: Position, following: str | None) -> None:
    if following is None:
        begin_turn(position, 1)
    else:
        position.now["phase"] = following


def begin_turn(position: Position, turn: int) -> None:
    position.now.update(turn=turn, round=turn, phase=STEPS[0].name, begun=0, first=0, last=-1, opens=-1)
    shuffle_chits(position)
    position.write("turn", round=turn)


async def go_on(position: Position) -> None:
    row = BY_NAME[str(position.now["phase"])]
    if not position.now["begun"]:
        await begin_step(position, row)
    elif not await next_element(position, row):
        end_step(position, row)


@rule("fire/quarter-loss-test", "turn/initiative-by-phase", "initiative/declarations-use-movement")
async def begin_step(position: Position, row: Step) -> None:
    """Note the strength of every unit and draw the step's chit, if it has one."""
    position.now.update(begun=1, last=-1, opens=-1)
    for unit in position.units:
        unit.mark(ACTED, 0)
        if not row.goes_on:
            unit.mark(AT_STEP, len(members(unit)))
            unit.mark(NOT_COUNTED, 0)
            unit.mark(TESTED, 0)
    position.write("phase", phase=row.name)
    if row.draws:
        await draw_chit(position)
    if row.begin is not None:
        await row.begin(position)


@rule("turn/alternate-elements", "turn/leftover-elements", "turn/no-passing", "turn/eligible-elements")
async def next_element(position: Position, row: Step) -> bool:
    """The side to go names one of its elements. Returns whether there was one left."""
    if row.name == "melees":
        return await result.next_melee(position)
    if row.elements is None or row.acts is None:
        return False
    left, side = to_act(position, row)
    tell_idle(position)
    if side is None:
        position.reveal("all-acted", phase=row.name)
        return False
    position.reveal("goes", side=side, phase=row.name)
    element = await name_element(position, row, side, left)
    position.now.update(last=side, opens=-1)
    spend(position, row, element)
    await row.acts(position, side, element)
    return True


@rule("turn/no-passing")
def tell_idle(position: Position) -> None:
    """Tell that the units that were to act have done nothing, if nothing that all know came of it.

    Without this line the next element of the same side would seem to be announced twice.
    """
    events = [] if position.journal is None else position.journal.events
    units: list[int] = []
    for event in reversed(events):
        if event.kind == "mark-unit" and event.values["marker"] == ACTED:
            unit = Unit(position, int(str(event.values["unit"])))
            units[:0] = [unit.row] if members(unit) else []
        elif event.kind == "goes" and units:
            position.write("idle", units=list(units))
        if event.kind not in SILENT and event.as_seen_by(None) is not None:
            return


@rule("turn/alternate-elements", "turn/leftover-elements")
def to_act(position: Position, row: Step) -> tuple[list[int], int | None]:
    """The elements left and the side to go. A side that is passed over reveals something about its hidden orders."""
    elements = row.elements or nothing_left
    left: dict[int, list[int]] = {}

    def left_to(side: int) -> list[int]:
        left[side] = elements(position, side)
        return left[side]

    last = int(position.now["last"])
    side = next_side(int(position.now["first"]), None if last < 0 else last, left_to)
    return ([] if side is None else left[side]), side


def nothing_left(position: Position, side: int) -> list[int]:
    return []


@rule("turn/alternate-elements", "turn/no-passing", "initiative/element-chits", "orders/reveal")
async def name_element(position: Position, row: Step, side: int, left: list[int]) -> int:
    """The chit's element opens if it can, else the owner chooses one. A named unit shows its order.

    Who may act is a secret only while the side has hidden orders.
    """
    opens = element_of_chit(position, row)
    options = [opens] if opens in left else left
    about: dict[str, Plain] = {"groups": groups_told(position, options)} if row.by_group else {}
    if any(has_hidden_order(unit) for unit in units_of(position, side)):
        about["open"] = False
    of = "group" if row.by_group else "unit"
    element = int(await choose(side, f"{row.name}-element", options, of=of, always=True, **about))
    if not row.by_group:
        show(position, [Unit(position, element)])
    return element


def groups_told(position: Position, groups: Sequence[int]) -> list[Plain]:
    """Groups with the rows of their units: ``[group, rows]``."""
    return [[group, [unit.row for unit in units_in(position, group)]] for group in groups]


@rule("initiative/element-chits")
def element_of_chit(position: Position, row: Step) -> int | None:
    """The element of the drawn chit: its unit or, in steps by group, that unit's group."""
    opens = int(position.now["opens"])
    if opens < 0:
        return None
    return group_of(Unit(position, opens)) if row.by_group else opens


@rule("turn/no-passing")
def spend(position: Position, row: Step, element: int) -> None:
    """Mark the element as having acted in this step."""
    units = position.units if row.by_group else [Unit(position, element)]
    for unit in units:
        if not row.by_group or in_group(unit, element):
            unit.mark(ACTED, 1)


def in_group(unit: Unit, group: int) -> bool:
    return unit.marks("group") == group if group > 0 else unit.row == -1 - group


def end_step(position: Position, row: Step) -> None:
    """Push the window at the end of the step, then the next step."""
    following = STEPS.index(row) + 1
    push(position, ("next-step", following % len(STEPS)))
    if row.window:
        push(position, ("step-end", int(position.now["first"]), 0))


async def next_step(position: Position, number: int) -> None:
    if number == 0:
        end_turn(position)
        return
    position.now.update(phase=STEPS[number].name, begun=0)


# ---------------------------------------------------------------- fire/opportunity-windows: the end of a step


@rule("fire/opportunity-windows", "fire/opportunity-order", "fire/opportunity-after-melee")
async def step_end(position: Position, side: int, passed: int) -> None:
    """Ready units of the two sides may fire in turn, until both sides pass in a row."""
    watcher = await watch_freely(position, side)
    if watcher is not None:
        push(position, ("watch", watcher, -1), ("step-end", 1 - side, 0))
    elif not passed:
        push(position, ("step-end", 1 - side, 1))


@rule("fire/opportunity-windows", "fire/opportunity-target", "orders/reveal")
async def watch_freely(position: Position, side: int) -> int | None:
    """Ask which Ready unit of a side fires at an enemy. Sides that may have one, as far as both know, are asked."""
    if not any(routes.is_asked(unit) for unit in units_of(position, side)):
        return None
    able: list[Plain] = [
        unit.row for unit in units_of(position, side) if may_watch(unit) and can_fire(unit, OPPORTUNITY)
    ]
    chosen = await choose(
        side, "step-end-fire", [NOBODY, *able], of="unit", always=True, odds={NOBODY: 3.0}, open=False
    )
    if chosen == NOBODY:
        return None
    show(position, [Unit(position, int(chosen))])
    return int(chosen)


@rule("fire/opportunity-after-melee")
async def after_melee(position: Position) -> None:
    push(position, ("step-end", int(position.now["first"]), 0))


# ---------------------------------------------------------------- the steps


@rule("sequence/step-1-recovery", "sequence/recover-from-ground", "base-general/dice-order")
async def begin_recovery(position: Position) -> None:
    """Lift all Halts; then retreating units may rally."""
    for unit in position.units:
        if is_halted(unit) and unit.note(ORDER) == HALT:
            unit.jot(ORDER, None)
    push(position, *(("rally", unit.row) for side in (0, 1) for unit in units_of(position, side) if is_routed(unit)))


async def rally_unit(position: Position, row: int) -> None:
    await rally(Unit(position, row))


@rule("sequence/step-2-command")
async def begin_command(position: Position) -> None:
    """Push: attach or detach, new leaders, orders."""
    push(position, ("attach", 0), ("attach", 1), ("leaders",), ("orders",), ("orders-given",))


async def leaders(position: Position) -> None:
    await replace_leaders(position)


async def orders(position: Position) -> None:
    await write_orders(position, counsel.order_odds)


@rule("orders/retreat-timing")
async def orders_given(position: Position) -> None:
    """Mark the units with a Retreat at the end of step 2, which they make in step 4."""
    for unit in position.units:
        if members(unit) and order_of(unit) == RETREAT:
            unit.mark(group_moves.HAD_RETREAT, 1)


@rule("turn/eligible-elements", "sequence/step-3-preparatory-fire")
def preparing(position: Position, side: int) -> list[int]:
    able = (unit for unit in units_of(position, side) if not unit.marks(ACTED) and may_prepare(unit))
    return [unit.row for unit in able if can_fire(unit, PREPARATORY)]


@rule("turn/eligible-elements", "sequence/step-4-movement")
def moving(position: Position, side: int) -> list[int]:
    return group_moves.groups_to_move(position, fresh_groups(position, side))


def fresh_groups(position: Position, side: int) -> list[int]:
    """The groups of a side that have not acted in this step."""
    spent = {group_of(unit) for unit in units_of(position, side) if unit.marks(ACTED)}
    return [group for group in groups_of(position, side) if group not in spent]


@rule("turn/eligible-elements", "sequence/step-5-declaration")
def declaring_groups(position: Position, side: int) -> list[int]:
    return declaring.groups_to_declare(position, fresh_groups(position, side))


@rule("turn/eligible-elements", "sequence/step-5-declaration")
def defending(position: Position, side: int) -> list[int]:
    able = (unit for unit in units_of(position, side) if not unit.marks(ACTED) and may_defend(unit))
    by = ((unit, tuple(declaring.declared_on(unit))) for unit in able)
    return [unit.row for unit, assaulters in by if assaulters and can_fire(unit, DEFENSIVE, assaulters)]


@rule("turn/eligible-elements", "sequence/step-6-advancing-fire")
def advancing(position: Position, side: int) -> list[int]:
    able = (unit for unit in units_of(position, side) if not unit.marks(ACTED) and may_advance(unit))
    return [unit.row for unit in able if can_fire(unit, ADVANCING)]


@rule("turn/eligible-elements", "sequence/step-7-assault")
def assaulting(position: Position, side: int) -> list[int]:
    return assault_moves.groups_to_assault(position, fresh_groups(position, side))


async def name_shooter(position: Position, side: int, row: int) -> None:
    """The named unit's order is shown, so imagined positions keep it from here on."""
    push(position, ("fire", row, str(position.now["phase"])))


@rule("fire/defensive", "fire/defensive-who")
async def fire_in_step(position: Position, row: int, kind: str) -> None:
    """Fire in a step. Defensive fire is at one of the units that declared on this unit."""
    unit = Unit(position, row)
    against = tuple(declaring.declared_on(unit)) if kind == DEFENSIVE.name else ()
    if await fire(unit, KINDS[kind], against) and kind in FIRES_DONE:
        unit.mark(FIRES_DONE[kind], 1)


async def move_group(position: Position, side: int, group: int) -> None:
    push(position, ("move-group", side, group))


async def declare_group(position: Position, side: int, group: int) -> None:
    push(position, ("declare-group", side, group))


async def assault_group(position: Position, side: int, group: int) -> None:
    push(position, ("assault-group", side, group))


@rule("vehicles/moved-status")
async def begin_declarations(position: Position) -> None:
    """When step 4 is over, what vehicles did in the turn before no longer counts."""
    for model in position.on_table():
        if model.profile.has_armour and float(model.note(GONE, 0.0)) <= 0.0:
            model.mark("fast", 0)


STEPS = (
    Step("recovery", begin_recovery, window=False),
    Step("command", begin_command, window=False),
    Step("preparatory", None, True, preparing, name_shooter),
    Step("movement", None, True, moving, move_group, by_group=True),
    Step("declarations", begin_declarations, False, declaring_groups, declare_group, by_group=True),
    Step("defensive", None, True, defending, name_shooter, goes_on=True),
    Step("advancing", None, False, advancing, name_shooter),
    Step("assault", None, True, assaulting, assault_group, by_group=True),
    Step("melees"),
)
BY_NAME = {row.name: row for row in STEPS}


@rule("sequence/end-of-turn", "setup/game-length")
def end_turn(position: Position) -> None:
    """Discard orders except Retreat and Halt, and clear marks. The battle ends after the sixth turn."""
    for model in position.on_table():
        if model.profile.has_armour:
            note_speed(model)
    for unit in position.units:
        if members(unit) and order_of(unit) == RETREAT:
            show(position, [unit])
        for name in CLEARED:
            unit.mark(name, 0)
        if unit.note(ORDER) not in (RETREAT, HALT):
            unit.jot(ORDER, None)
    for side in (0, 1):
        position.declare(f"secret-{side}", None)
    for model in position.models:
        for name in (GONE, OVERRAN_AT, USED, OVERRUN_WITH, SPENT):
            if model.note(name) is not None:
                model.jot(name, None)
        model.mark(STRUCK, 0, quietly=True)
    position.declare(declaring.ASSAULTS, None)
    position.declare(melee.FOUGHT, None)
    turn = int(position.now["turn"])
    if turn >= missions.TURNS:
        missions.finish(position)
    else:
        begin_turn(position, turn + 1)


# ---------------------------------------------------------------- procedures


async def move_unit(position: Position, row: int) -> None:
    await group_moves.move_unit(position, row, destinations.wanted)


async def assault_move(position: Position, row: int) -> None:
    await assault_moves.assault_move(position, row, destinations.wanted)


async def tests(position: Position, pinned: tuple[int, ...], first: int) -> None:
    await take_tests(position, pinned, first)


async def arrived(position: Position, row: int, kind: str) -> None:
    if kind == "assault":
        await assault_moves.after_assault(position, row)
    else:
        await group_moves.arrived(position, row, kind)


@rule("vehicles/tracked-obstacles")
async def break_down(position: Position, row: int, piece: str) -> None:
    for model in members(Unit(position, row)):
        await may_break_down(model)


@rule("assault/attacker-occupies")
async def closed(position: Position, row: int) -> None:
    """A unit has occupied its ground."""
    position.write("occupied", unit=row, models=[m.row for m in by_unit(position).get(row, [])])


PROCEDURES: dict[str, Procedure] = {
    "next-step": next_step,
    "step-end": step_end,
    "after-melee": after_melee,
    "rally": rally_unit,
    "fire": fire_in_step,
    "attach": attach_or_detach,
    "leaders": leaders,
    "orders": orders,
    "orders-given": orders_given,
    "move-group": group_moves.move_group,
    "move-unit": move_unit,
    "route": routes.go_along,
    "caught": move_ends.caught,
    "move-ended": move_ends.move_ended,
    "watch": routes.watch,
    "arrived": arrived,
    "retreat": retreat,
    "tests": tests,
    "pinning-tests": take_pinning_tests,
    "declare-group": declaring.declare_group,
    "declare": declaring.declare,
    "stand": declaring.stand_or_give_ground,
    "give-ground": declaring.give_ground,
    "assault-group": assault_moves.assault_group,
    "assault-move": assault_move,
    "close-up": assault_moves.close_up,
    "breakdown": break_down,
    "flown": flown,
    "overrun": overrun.overrun,
    "overrun-stopped": overrun.overrun_where_stopped,
    "overrun-defence": overrun.overrun_defence,
    "overrun-test": overrun.overrun_test,
    "overrun-fire": overrun.overrun_fire,
    "overrun-back": overrun.overrun_back,
    "overrun-aside": overrun.overrun_aside,
    "overrun-end": overrun.overrun_end,
    "path-assault": path_assault.path_assault,
    "path-assault-made": path_assault.made,
    "melee": result.melee,
    "lose": result.lose,
    "lost-test": result.lost_test,
    "occupy": result.occupy,
    "set-back": result.set_back,
    "closed": closed,
}


# ---------------------------------------------------------------- views for players

BETWEEN = frozenset(
    (
        *("next-step", "step-end", "after-melee", "rally", "attach", "leaders", "orders", "orders-given"),
        *("move-group", "declare-group", "assault-group"),
    )
)
"""Frames that contain several activations. Between two of these a bot can judge the position."""
TRIES = 30


def is_amid(position: Position) -> bool:
    """Whether a unit's activation goes on: a route with its stops, or a volley with its tests."""
    return any(frame[0] not in BETWEEN for frame in stack(position))


def imagine(position: Position, side: int, rng: Random) -> Position:
    """Draw the other side's hidden orders anew, so that the side known to go next still does."""
    other = 1 - side
    if secret(other) not in position.declared:
        return position
    row = BY_NAME.get(str(position.now["phase"]))
    if row is None or row.elements is None or not position.now["begun"] or is_busy(position):
        return with_orders_drawn(position, other, rng, counsel.order_odds)
    seen = to_act(position, row)[1]
    for _ in range(TRIES):
        drawn = with_orders_drawn(position, other, rng, counsel.order_odds)
        if to_act(drawn, row)[1] == seen:
            return drawn
    return position
