"""Step 7: assault moves. As many models as possible reach contact, and the contacted units close up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campale.mechanics.bases import contacts, touch
from campale.mechanics.frames import push
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.barring import MORE_THAN, barred_for, enemies_but
from campale.mechanics.moves.contact import ContactSearch, contact_question, fewer_in_contact, in_contact
from campale.mechanics.moves.move_paths import Barred, stays
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, moves_the_fixed, on_the_table
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.contact import AssaultSearch
from campale.rulesets.e3m.assault.declaring import targets_declared
from campale.rulesets.e3m.assault.short import nearest_approach
from campale.rulesets.e3m.command.groups import units_in
from campale.rulesets.e3m.command.orders import ASSAULT, MARCH, has_hidden_order, is_forced, is_routed, order_of, show
from campale.rulesets.e3m.command.units import COHERENCY, CONTACTED, GOT_OUT, is_aboard, members
from campale.rulesets.e3m.movement.ground import barring_or_slowing
from campale.rulesets.e3m.movement.group_moves import FINISHED, Goals
from campale.rulesets.e3m.movement.moves import (
    BY_DICE,
    ENEMY_GAP,
    OPEN,
    OVER,
    PATH_RESTRICTIONS,
    ROUGH,
    UNIT_RESTRICTIONS,
    assault_distance,
    barred_alike,
    choose_gait,
    fence_of,
    goals_for,
    is_slowed,
    movement_of,
    rough_allowance,
    too_far_by,
    touches_rough_ground,
)
from campale.rulesets.e3m.movement.routes import CLOSING_UP, begin_route
from campale.rulesets.e3m.vehicles.damage import can_drive
from campale.table.measure import gap

CHARGED_IN = "charged-in"
ATTACKER = "attacker"
"""The number of a unit among those that reached contact in this turn, in order."""
CLOSE_UP = 6.0
ASSAULTING, CLOSING = "base-move/assault-distance", "assault/maximum-contact"
"""The rules that limit the two moves."""


# ---------------------------------------------------------------- who may move


@rule("orders/assault", "assault/assault-move", "assault/several-units", "orders/assault-undeclared")
def may_assault(unit: Unit) -> bool:
    """Whether a unit may make an assault move: on Assault, not contacted already, not just disembarked."""
    models = members(unit)
    if not models or is_aboard(unit) or order_of(unit) != ASSAULT or is_forced(unit) or unit.marks("assaulted"):
        return False
    if unit.marks(CONTACTED) or unit.marks(GOT_OUT):
        return False
    first = models[0].profile
    return not first.has_armour or (first.is_walker and can_drive(models[0]))


@rule("turn/eligible-elements", "sequence/step-7-assault")
def groups_to_assault(position: Position, groups: list[int]) -> list[int]:
    return [group for group in groups if any(may_assault(unit) for unit in units_in(position, group))]


@rule("sequence/step-7-assault", "hierarchy/movement-by-group")
async def assault_group(position: Position, side: int, group: int) -> None:
    """Units move in the order their owner likes. Units that declared must go."""
    units = units_in(position, group)
    able = [unit for unit in units if may_assault(unit)]
    if not able and not any(has_hidden_order(unit) for unit in units):
        return
    bound = [unit for unit in able if standing_targets(unit)]
    options: list[Plain] = [unit.row for unit in able] + ([] if bound else [FINISHED])
    chosen = await choose(side, "assault-unit", options, of="unit", always=True, odds={FINISHED: 0.3}, group=group)
    if chosen != FINISHED:
        show(position, [Unit(position, int(chosen))])
        push(position, ("assault-move", chosen), ("assault-group", side, group))


def standing_targets(unit: Unit) -> list[Unit]:
    """The units that it declared on and that it can still assault."""
    found = [Unit(unit.position, row) for row in targets_declared(unit)]
    return [one for one in found if members(one) and not is_aboard(one)]


# ---------------------------------------------------------------- the move


@rule("assault/assault-move", "base-move/difficult-terrain", "orders/reveal")
async def assault_move(position: Position, row: int, wanted: Goals = goals_for) -> None:
    """Roll for difficult ground, then move: into contact, as far as possible, or freely without a declaration.

    ``wanted``: goals to suggest for a free move.
    """
    unit = Unit(position, row)
    if not may_assault(unit):
        return
    unit.mark("assaulted", 1)
    show(position, [unit])
    position.remember(f"assault-{row}")
    targets = standing_targets(unit)
    gait, limit = await assault_allowance(unit, targets)
    if not targets:
        await move_undeclared(unit, gait, limit, wanted)
        return
    models = members(unit)
    enemies = [m for target in targets for m in members(target) if m.is_on_table]
    movement = contact_movement(unit, [target.row for target in targets], limit, gait)
    search = AssaultSearch(unit, models, enemies, movement)
    witness = search.best()
    if witness is None:
        fall_short(unit, gait, limit, enemies)
        return
    question = assault_question(search, witness, "assault-move")
    begin_route(unit, "assault", gait, as_paths(models, await ask(question)))


@rule(
    "base-move/assault-distance", "base-move/difficult-terrain", "base-units/jump-packs", "base-move/dangerous-terrain"
)
async def assault_allowance(unit: Unit, targets: Sequence[Unit] = ()) -> tuple[str, float]:
    """How the unit goes, and how many inches. Jetbikes fly over everything."""
    limit = assault_distance(unit)
    if all(m.profile.gear == "flying" for m in members(unit)):
        return OVER, limit
    keeps = partial(gaits_to_contact, unit, targets, limit)
    gait = await choose_gait(unit, limit, limit, keeps=keeps) if is_slowed(unit) else OPEN
    return gait, await rough_allowance(unit) if gait == ROUGH else limit


@rule("orders/assault", "assault/assault-move")
def gaits_to_contact(unit: Unit, targets: Sequence[Unit], limit: float, gaits: Sequence[str]) -> list[str]:
    """The ways to go by which the unit can reach a target, if there are any: a declared assault must be attempted."""
    rows = [target.row for target in targets]
    enemies = [m for target in targets for m in members(target) if m.is_on_table]

    def reaches(gait: str) -> bool:
        search = AssaultSearch(unit, members(unit), enemies, contact_movement(unit, rows, limit, gait))
        places = ((unit.position.model(row), place) for row, near in search.near.items() for place in near)
        return any(search.reachable(model, place) is not None for model, place in places)

    return [gait for gait in gaits if reaches(gait)] if enemies and len(gaits) > 1 else []


@rule("orders/assault-undeclared", "base-move/one-inch")
async def move_undeclared(unit: Unit, gait: str, limit: float, wanted: Goals) -> None:
    """The move must end more than 1 inch from every enemy."""
    models = members(unit)
    question = unit_move_question(unit, models, "assault-move", free_movement(unit, gait, limit), lambda: wanted(unit))
    paths = as_paths(models, await ask(question))
    if not all(stays(path) for path in paths.values()):
        begin_route(unit, "assault", gait, paths)


@rule("base-move/assault-distance", "orders/assault-undeclared")
def free_movement(unit: Unit, gait: str, limit: float) -> Movement:
    """An assault move that may touch no enemy."""
    return movement_of(unit, gait, limit, ASSAULTING)


@rule("assault/failed-contact")
def fall_short(unit: Unit, gait: str, limit: float, enemies: Sequence[Model]) -> None:
    """If no model can reach contact, move as far as possible towards the target, more than 1 inch from the enemy."""
    answer = nearest_approach(unit, free_movement(unit, gait, limit), enemies)
    if answer is not None:
        begin_route(unit, "assault", gait, as_paths(members(unit), answer))


# ---------------------------------------------------------------- assault/maximum-contact


@rule("assault/assault-move", "base-move/one-inch")
def contact_movement(
    unit: Unit, targets: Sequence[int], limit: float, gait: str = OPEN, by: str = ASSAULTING
) -> Movement:
    """How a unit moves into contact. It may touch only its targets."""
    meant = frozenset(targets)
    keeps_off = enemies_but(meant, ENEMY_GAP + MORE_THAN)

    def on_the_way(model: Model, other: Model) -> float | None:
        if other.side == model.side and not other.profile.has_armour and other.profile.kind != "light":
            return None
        return keeps_off(model, other)

    name = f"contact-{sorted(meant)}"

    def way(model: Model) -> Barred:
        return barred_for(model, f"{name}-way", on_the_way, fence_of(model), barred_alike(model))

    def end(model: Model) -> Barred:
        return barred_for(model, name, keeps_off, fence_of(model), barred_alike(model))

    def round_rough_ground(model: Model) -> Barred:
        return barred_for(model, f"{name}-round", keeps_off, barring_or_slowing, barred_alike(model))

    meets = on_the_table(way, end, gait == OVER)
    each = (too_far_by(BY_DICE if gait == ROUGH else by), *PATH_RESTRICTIONS[1:])
    movement = Movement(limit, COHERENCY, meets, end, each, UNIT_RESTRICTIONS, gait == OVER)
    if gait == OPEN and by == ASSAULTING and is_slowed(unit):
        of_all = (*UNIT_RESTRICTIONS, touches_rough_ground)
        return movement._replace(at_the_end=round_rough_ground, of_all=of_all)
    return movement


def assault_question(search: ContactSearch, witness: Plain, prompt: str) -> MoveUnit:
    """Ask for a move that brings as many models as possible into contact; the witness is suggested."""
    first = nearest_mover(search.models, search.targets, search.movement)

    def duties(move: UnitMove, most: int) -> Refusal | None:
        return first_refusal(DUTIES, move, search, most, first, witness)

    return contact_question(search, witness, prompt, duties)


@rule("assault/maximum-contact")
def too_few_in_contact(move: UnitMove, search: ContactSearch, most: int, *_: object) -> Fault | None:
    """Refuses a move with fewer models in contact than the referee's search found."""
    return fewer_in_contact(move, search.targets, most)


def nearest_mover(models: Sequence[Model], enemies: Sequence[Model], movement: Movement) -> Model | None:
    """The model with the shortest way to an enemy."""
    free = [m for m in models if m.row not in movement.fixed]
    return min(free, key=lambda m: min(gap(m.solid, e.solid) for e in enemies), default=None)


@rule("assault/assault-move")
def first_goes_astray(
    move: UnitMove, search: ContactSearch, most: int, first: Model | None, witness: Plain
) -> Fault | None:
    """The model with the shortest way must reach contact, if it does so in the solution that was found."""
    if first is None or in_contact(move.standing(first), search.targets):
        return None
    found = UnitMove(move.unit, as_paths(search.models, witness), move.movement)
    if not in_contact(found.standing(first), search.targets):
        return None
    return Fault(move.end(first), model=first.row)


DUTIES = (too_few_in_contact, first_goes_astray)


# ---------------------------------------------------------------- closing up


@rule("assault/assault-move", "assault/mutual", "assault/several-units")
def contacted_by(unit: Unit) -> list[Unit]:
    """The enemy units with a model in contact with this unit."""
    position, of = unit.position, unit.position.unit_of
    pairs = (pair if unit.side == 0 else pair[::-1] for pair in contacts(position))
    found = {of[other] for own, other in pairs if of[own] == unit.row}
    return [Unit(position, row) for row in sorted(found)]


@rule("assault/maximum-contact", "assault/several-units")
async def after_assault(position: Position, row: int) -> None:
    """The units that this one has contacted close up, one after another."""
    unit = Unit(position, row)
    touched = in_contact_with(unit) if members(unit) else []
    push(position, *((CLOSING_UP, other.row, row) for other in touched))


@rule("base-melee/charge-bonus", "assault/several-units")
def in_contact_with(unit: Unit) -> list[Unit]:
    """The units reached by the unit's assault, which gives it the charge bonus."""
    position, touched = unit.position, contacted_by(unit)
    if touched:
        unit.mark(CHARGED_IN, 1)
        unit.mark(ATTACKER, 1 + max(one.marks(ATTACKER) for one in position.units))
    for other in touched:
        other.mark(CONTACTED, 1)
        show(position, [other])
    return touched


@rule("assault/cannot-respond", "orders/march-contacted", "orders/forced-halt-limits", "orders/retreat-is-rout")
def cannot_respond(unit: Unit) -> bool:
    """Whether a unit neither closes up nor strikes: on March, on forced Halt, or routed."""
    return order_of(unit) == MARCH or is_forced(unit) or is_routed(unit)


@rule("assault/maximum-contact")
async def close_up(position: Position, row: int, by: int) -> None:
    """Models move up to 6 inches towards the enemy in contact with their unit. Models in contact stay."""
    unit, enemy = Unit(position, row), Unit(position, by)
    models = [m for m in members(unit) if m.is_on_table]
    if not models or not members(enemy) or cannot_respond(unit) or models[0].profile.has_armour:
        return
    enemies = [m for m in members(enemy) if m.is_on_table]
    engaged = [m for m in models if any(touch(m, e) for e in position.on_table(1 - unit.side))]
    if len(engaged) == len(models):
        return
    movement = contact_movement(unit, [by], CLOSE_UP, by=CLOSING)
    movement = movement._replace(fixed=frozenset(m.row for m in engaged), of_all=(*UNIT_RESTRICTIONS, engaged_stay))
    search = AssaultSearch(unit, models, enemies, movement)
    witness = search.best()
    if witness is None:
        return
    question = assault_question(search, witness, CLOSING_UP)
    paths = as_paths(models, await ask(question))
    begin_route(unit, CLOSING_UP, OPEN, paths)


@rule("assault/maximum-contact")
def engaged_stay(move: UnitMove) -> Fault | None:
    return moves_the_fixed(move)
