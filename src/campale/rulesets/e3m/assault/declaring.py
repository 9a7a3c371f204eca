"""Step 5a: assaults are declared, and their targets stand or give ground."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from campale.mechanics.bases import pairs_about, within
from campale.mechanics.frames import push
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.groups import units_in
from campale.rulesets.e3m.command.orders import ASSAULT, has_hidden_order, is_forced, is_routed, order_of, show
from campale.rulesets.e3m.command.units import (
    CHARGED,
    GAVE_GROUND,
    GOT_OUT,
    IMMOBILISED,
    STOOD,
    TOOK_IN,
    distance,
    is_aboard,
    members,
    units_of,
)
from campale.rulesets.e3m.movement.moves import OVER, ROUGH, assault_distance, at_the_end, movement_of
from campale.rulesets.e3m.movement.routes import begin_route
from campale.rulesets.e3m.vehicles.damage import can_drive, is_stunned
from campale.table import planner
from campale.table.measure import gap, outline_of
from campale.table.shapes import Circle, Point, Solid
from campale.table.touching import straight_place

ASSAULTS = "assaults"
GROUND = 6.0
NONE_LEFT = "none"
ASKED = "asked-to-declare"

Declared = tuple[int, tuple[int, ...]]
"""The row of the assaulting unit, and the rows of its targets."""


def declared(position: Position) -> tuple[Declared, ...]:
    found: tuple[Declared, ...] = position.declared.get(ASSAULTS, ())
    return found


def targets_declared(unit: Unit) -> tuple[int, ...]:
    """The rows of the units that this unit has declared assaults on."""
    return next((targets for row, targets in declared(unit.position) if row == unit.row), ())


def declared_on(unit: Unit) -> list[int]:
    """The rows of the units that have declared assaults on this unit."""
    return [row for row, targets in declared(unit.position) if unit.row in targets]


# ---------------------------------------------------------------- assault/who-may-declare


@rule("assault/who-may-declare", "orders/vehicle-orders", "vehicles/disembarked-limits", "orders/forced-halt-limits")
def may_declare(unit: Unit) -> bool:
    """Whether a unit may declare: on Assault, on foot, mounted or a walker, and not just disembarked."""
    models = members(unit)
    if not models or is_aboard(unit) or order_of(unit) != ASSAULT or is_forced(unit) or unit.marks(GOT_OUT):
        return False
    first = models[0]
    if first.profile.has_armour and (not first.profile.is_walker or not can_drive(first)):
        return False
    return not unit.marks(ASKED)


@rule("assault/who-may-declare", "base-move/assault-distance", "base-units/jump-packs")
def could_reach(unit: Unit, target: Unit) -> bool:
    """Whether some model is within the assault distance of an enemy model, with a way around obstacles."""
    limit, there = assault_distance(unit), [other for other in members(target) if other.is_on_table]
    return any(
        within(distance(model, other), limit) and has_way(model, other, limit)
        for other, model in pairs_about(unit.position, there, members(unit), limit)
    )


def has_way(model: Model, other: Model, limit: float) -> bool:
    """Whether a passable way within ``limit`` inches leads to contact. Jump troops and flyers pass over anything."""
    if model.profile.gear == "flying" or all(m.profile.kind == "jump" for m in members(model.unit)):
        return True
    shape = model.profile.shape
    radius = shape.radius if isinstance(shape, Circle) else max(y for _, y in outline_of(Solid(shape, 0.0, 0.0)))
    place = straight_place(model.at, radius, other.solid)
    field = at_the_end(model).field
    fence = planner.going(model.position.ground, radius, None, 0.0, field.fence.prisms)
    return planner.route(fence, model.at, place, limit + 0.01) is not None


@rule("assault/who-may-declare", "vehicles/assault-outside-movement")
def possible_targets(unit: Unit) -> list[int]:
    """The rows of the enemy units that the unit may assault, vehicles included. Kept until something moves."""
    position = unit.position
    kept, key = position.layout, ("assault-targets", unit.row)
    if key not in kept:
        enemies = [other for other in units_of(position, 1 - unit.side) if not is_aboard(other)]
        kept[key] = [other.row for other in enemies if could_reach(unit, other)]
    found: list[int] = kept[key]
    return found


@rule("turn/eligible-elements")
def groups_to_declare(position: Position, groups: list[int]) -> list[int]:
    """The groups with a unit that may declare and has a possible target."""
    return [
        group
        for group in groups
        if any(may_declare(unit) and possible_targets(unit) for unit in units_in(position, group))
    ]


# ---------------------------------------------------------------- assault/declaration


@rule("assault/declaration", "sequence/step-5-declaration", "orders/reveal")
async def declare_group(position: Position, side: int, group: int) -> None:
    """Units declare in the order their owner likes. The owner of the targets answers each declaration at once."""
    units = units_in(position, group)
    able: list[Plain] = [unit.row for unit in units if may_declare(unit) and possible_targets(unit)]
    if not able and not any(has_hidden_order(unit) for unit in units):
        return
    odds = {NONE_LEFT: 0.3}
    chosen = await choose(side, "declare-unit", [*able, NONE_LEFT], of="unit", always=True, odds=odds, group=group)
    if chosen != NONE_LEFT:
        show(position, [Unit(position, int(chosen))])
        push(position, ("declare", chosen), ("declare-group", side, group))


@rule("assault/declaration")
async def declare(position: Position, row: int) -> None:
    unit = Unit(position, row)
    if not may_declare(unit):
        return
    unit.mark(ASKED, 1)
    targets = await fill_in_script(unit.side, "declare-assault", partial(naming, unit), [NONE_LEFT], unit=row)
    show(position, [unit])
    if not targets:
        return
    unit.mark(CHARGED, 1)
    position.declare(ASSAULTS, (*declared(position), (row, targets)))
    position.write("assault-declared", unit=row, targets=list(targets))
    show(position, [Unit(position, target) for target in targets if order_of(Unit(position, target)) == "retreat"])
    push(position, ("stand", row))


def naming(unit: Unit) -> Generator[Question, Any, tuple[int, ...]]:
    """Ask for one target after another, until the owner names no more."""
    named: list[int] = []
    while True:
        left: list[Plain] = [row for row in possible_targets(unit) if row not in named]
        if not left:
            return tuple(named)
        odds = {NONE_LEFT: 0.3 if not named else 3.0}
        about: dict[str, Plain] = {"unit": unit.row}
        target = yield Choose(unit.side, "assault-target", [*left, NONE_LEFT], "unit", about=about, odds=odds)
        if target == NONE_LEFT:
            return tuple(named)
        named.append(target)


# ---------------------------------------------------------------- assault/multiple-targets-choice


@rule("assault/multiple-targets-choice", "assault/single-target-stands")
async def stand_or_give_ground(position: Position, row: int) -> None:
    """The owner of the targets decides right after the declaration. At least one of them must stand."""
    targets = targets_declared(Unit(position, row))
    side = 1 - Unit(position, row).side
    able = [one for one in targets if may_give_ground(Unit(position, one), Unit(position, row))]
    giving: list[int] = []
    while able and len(giving) < len(targets) - 1:
        options: list[Plain] = [NONE_LEFT, *(one for one in able if one not in giving)]
        if len(options) == 1:
            break
        chosen = await choose(side, "give-ground", options, of="unit", odds={NONE_LEFT: 2.0}, assaulter=row)
        if chosen == NONE_LEFT:
            break
        giving.append(chosen)
    standing = tuple(one for one in targets if one not in giving)
    position.declare(ASSAULTS, tuple((one, standing if one == row else them) for one, them in declared(position)))
    for one in standing:
        Unit(position, one).mark(STOOD, 1)
    push(position, *(("give-ground", one, row) for one in giving))


@rule("assault/give-ground-move", "assault/multiple-targets-choice", "orders/forced-halt-limits", "vehicles/embark")
def may_give_ground(unit: Unit, assaulter: Unit) -> bool:
    """Whether a unit may give ground: not on forced Halt, routed or stuck, and it has not stood already.

    A vehicle that has taken troops in stays in its place for the turn.
    """
    models = members(unit)
    if unit.marks(TOOK_IN):
        return False
    if is_forced(unit) or is_routed(unit) or unit.marks(STOOD) or is_aboard(unit):
        return False
    if models[0].profile.has_armour and (models[0].marks(IMMOBILISED) or is_stunned(models[0])):
        return False
    return way_behind(unit, assaulter) is not None


@rule("assault/give-ground-move", "assault/give-ground-price", "orders/reveal")
async def give_ground(position: Position, row: int, assaulter: int) -> None:
    """Move up to 6 inches at once. The unit loses its defensive and opportunity fire.

    It stays if nobody is left of the assaulters, as after a marker that has scattered over them.
    """
    unit, enemy = Unit(position, row), Unit(position, assaulter)
    models = members(unit)
    if not models or not members(enemy) or is_forced(unit) or is_routed(unit):
        return
    show(position, [unit])
    movement = behind(unit, enemy)
    question = unit_move_question(unit, models, "give-ground-to", movement, lambda: goals_behind(unit, enemy))
    if next(iter(question.proposals(1)), None) is None:
        stand_after_all(unit, enemy)
        return
    unit.mark(GAVE_GROUND, 1)
    paths = as_paths(models, await ask(question))
    begin_route(unit, "give-ground", OVER, paths)


@rule("assault/give-ground-move")
def stand_after_all(unit: Unit, assaulter: Unit) -> None:
    """A unit that can no longer give ground, because others have, must stand."""
    position = unit.position
    unit.mark(STOOD, 1)
    both = [(row, (*targets, unit.row) if row == assaulter.row else targets) for row, targets in declared(position)]
    position.declare(ASSAULTS, tuple(both))


def behind(unit: Unit, assaulter: Unit) -> Movement:
    """The movement to behind the units that stand."""
    movement = movement_of(unit, ROUGH, GROUND, "assault/give-ground-move")

    def not_behind(move: UnitMove) -> Fault | None:
        return stays_in_front(move, assaulter)

    return movement._replace(of_all=(*movement.of_all, not_behind))


@rule("assault/give-ground-move")
def stays_in_front(move: UnitMove, assaulter: Unit) -> Fault | None:
    """Each model ends farther from the nearest assaulter than the nearest model of a standing unit is."""
    limit = nearest_standing(move.unit, assaulter)
    enemies = [m for m in members(assaulter) if m.is_on_table]
    for model in move.models:
        far = min(gap(move.standing(model), enemy.solid) for enemy in enemies)
        if far <= limit:
            return Fault(move.end(model), round(far, 2), round(limit, 2), model.row, rule="assault/give-ground-move")
    return None


def nearest_standing(unit: Unit, assaulter: Unit) -> float:
    position = unit.position
    standing = [row for row in targets_declared(assaulter) if row != unit.row]
    return min(
        (distance(m, e) for row in standing for m in members(Unit(position, row)) for e in members(assaulter)),
        default=0.0,
    )


def goals_behind(unit: Unit, assaulter: Unit) -> Iterator[Point]:
    """Points straight away from the assaulters, far and near."""
    models, enemies = members(unit), members(assaulter)
    x, y = sum(m.x for m in models) / len(models), sum(m.y for m in models) / len(models)
    ex, ey = sum(m.x for m in enemies) / len(enemies), sum(m.y for m in enemies) / len(enemies)
    far = max(((x - ex) ** 2 + (y - ey) ** 2) ** 0.5, 0.01)
    for step in (GROUND, 4.0, 2.0):
        yield x + (x - ex) / far * step, y + (y - ey) / far * step


def way_behind(unit: Unit, assaulter: Unit) -> Plain | None:
    """A legal answer for giving ground, or None."""
    movement, models = behind(unit, assaulter), members(unit)
    question = unit_move_question(unit, models, "give-ground-to", movement, lambda: goals_behind(unit, assaulter))
    return next(iter(question.proposals(1)), None)
