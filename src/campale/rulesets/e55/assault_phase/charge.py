"""The charge sub-phase (3.3.1): legal charges, several targets, success or failure, and the move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from campale.mechanics.units import NOBODY
from campale.referee.ask import ask, choose
from campale.referee.looks import Foretold
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.assault_phase.contact import Progress, Rush, contact_way
from campale.rulesets.e55.assault_phase.obligations import carry_out, is_fixed, rush_question, slowing_ways, stays
from campale.rulesets.e55.assault_phase.rear import is_from_behind
from campale.rulesets.e55.assault_phase.striking import has_assault_grenades
from campale.rulesets.e55.definitions.measuring import exact, exact_of_models, less_than, nearest_pair, rounded_down
from campale.rulesets.e55.definitions.types import is_beast, is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import (
    BARRED_BY,
    BARRED_FROM_CHARGE,
    CHARGED,
    CHARGED_ROUGH,
    CHARGED_WHOM,
    DESTROYED,
    MOVED,
    OUTLIVED,
    RAN,
    REAR_CHARGED_BY,
    active,
    bar_from_charge,
    faced_by,
    is_broken,
    is_engaged,
    is_on_ground,
    members,
    of_other_side,
    units_on_table,
)
from campale.rulesets.e55.movement_phase import movement, rough
from campale.rulesets.e55.shooting_phase import shooting
from campale.rulesets.e55.turn.acting import SELDOM, Act, Aimed, Key, act_in_phase, unit_of
from campale.rulesets.e55.unit_types import flying, special
from campale.rulesets.e55.view import foretelling
from campale.table.hulls import in_sector
from campale.table.paths import Path

CHARGE_INCHES = 6.0
BEGUN = "charging"


@rule("3.3/subphases", "3.3.1/who-can-charge")
async def charge_phase(position: Position) -> bool:
    """Resolve one charge completely before the next is declared."""
    if position.declared.get(BEGUN) is None:
        position.declare(BEGUN, 1)
        shooting.get_up(position, active(position))
        await combat.settle(position)
    if await act_in_phase(position, "charges"):
        return True
    position.declare(BEGUN, None)
    return False


# ---------------------------------------------------------------- legal charges


def candidates(position: Position, side: int) -> list[Key]:
    return [Aimed("charge", unit.row, row) for unit in units_on_table(position, side) for row in targets_of(unit)]


@rule("3.3.1/who-can-charge", "3.1.4/facing-restricts")
def targets_of(unit: Unit) -> list[int]:
    """Return the enemy units (rows) that a unit may charge: the one it faces, and those that other rules add."""
    faced = faced_by(unit)
    own = [] if faced is None or walks(unit) else [faced.row]
    found = dict.fromkeys((*own, *former_passengers(unit), *before_a_walker(unit)))
    return list(found) or [NOBODY]


@rule("7.10/assault-passengers")
def former_passengers(unit: Unit) -> list[int]:
    """Return the units that were inside a transport which the unit destroyed by its fire in this turn."""
    rows = unit.note(DESTROYED) or ()
    listed = (rows,) if isinstance(rows, int) else rows
    return [other.row for other in of_other_side(unit) if was_among(other, listed)]


@rule("1.1/unit-ceases")
def was_among(unit: Unit, rows: Sequence[int]) -> bool:
    """Return whether a unit is one of some units (rows), or a character that outlived one of them."""
    return unit.row in rows or unit.note(OUTLIVED) in rows


@rule("7.16/walker-charge")
def before_a_walker(unit: Unit) -> list[int]:
    """Return the enemy units that a unit of walkers may aim at: all of them.

    Walkers face no unit; their target needs a model in their front arc.
    """
    return [other.row for other in of_other_side(unit)] if walks(unit) else []


def walks(unit: Unit) -> bool:
    models = members(unit)
    return bool(models) and all(is_walker(model) for model in models)


def charger_and_target(position: Position, key: Key) -> tuple[Unit, Unit | None]:
    line = Aimed(*key)
    return Unit(position, line.unit), None if line.target == NOBODY else Unit(position, line.target)


@rule("3.3.1/who-can-charge", "3.3.1/engaged")
def engaged_already(position: Position, key: Key) -> Fault | None:
    return at(unit_of(position, key)) if is_engaged(unit_of(position, key)) else None


@rule("4.2/broken-cannot-act")
def broken(position: Position, key: Key) -> Fault | None:
    return at(unit_of(position, key)) if is_broken(unit_of(position, key)) else None


@rule("3.2.4/ground-restrictions")
def on_the_ground(position: Position, key: Key) -> Fault | None:
    return at(unit_of(position, key)) if is_on_ground(unit_of(position, key)) else None


@rule("3.3.1/who-can-charge", "3.1.3/run-restrictions", "8/fleet")
def has_run(position: Position, key: Key) -> Fault | None:
    unit = unit_of(position, key)
    return at(unit) if unit.marks(RAN) and not special.all_have(unit, "fleet") else None


@rule("3.3.1/charge-fails")
def barred_this_turn(position: Position, key: Key) -> Fault | None:
    """Refuse a unit barred by a failed charge, by the weapons it fired, or by the way it arrived."""
    unit = unit_of(position, key)
    if not unit.marks(BARRED_FROM_CHARGE):
        return None
    by = str(unit.note(BARRED_BY) or "3.3.1/charge-fails")
    return msgspec.structs.replace(at(unit), rule=by, word="" if by == "3.3.1/charge-fails" else "no-charge")


@rule("3.3.1/who-can-charge")
def has_charged(position: Position, key: Key) -> Fault | None:
    return at(unit_of(position, key)) if unit_of(position, key).marks(CHARGED) else None


@rule("7.7/vehicles-no-charge")
def is_no_walker(position: Position, key: Key) -> Fault | None:
    unit = unit_of(position, key)
    return at(unit) if any(is_vehicle(m) and not is_walker(m) for m in members(unit)) else None


@rule("7.16/walker-charge")
def cannot_walk(position: Position, key: Key) -> Fault | None:
    unit = unit_of(position, key)
    return at(unit) if walks(unit) and all(is_fixed(model) for model in members(unit)) else None


@rule("3.3.1/who-can-charge", "3.1.4/facing-restricts")
def aims_at_nobody(position: Position, key: Key) -> Fault | None:
    unit, target = charger_and_target(position, key)
    return at(unit) if target is None or not members(target) else None


@rule("7.16/walker-charge")
def out_of_the_front_arc(position: Position, key: Key) -> Fault | None:
    unit, target = charger_and_target(position, key)
    if target is None or not walks(unit) or target.row in former_passengers(unit):
        return None
    seen = any(in_sector(walker.solid, "front", enemy.solid) for walker in members(unit) for enemy in members(target))
    return None if seen else Fault(members(target)[0].at)


def not_for_flight(position: Position, key: Key) -> Fault | None:
    """Refuse charges that flying forbids: 6.1.1/fmc-charge and the like, 7.13/flyer-assault; see ``flying``."""
    unit, target = charger_and_target(position, key)
    return None if target is None else flying.may_charge(unit, target)


def at(unit: Unit) -> Fault:
    return Fault(members(unit)[0].at, model=members(unit)[0].row)


RESTRICTIONS = (
    broken,
    engaged_already,
    on_the_ground,
    is_no_walker,
    cannot_walk,
    has_run,
    barred_this_turn,
    has_charged,
    aims_at_nobody,
    out_of_the_front_arc,
    not_for_flight,
)


# ---------------------------------------------------------------- distance


@rule("3.3.1/charge-distance", "3.1/slowest-model")
def charge_distance(unit: Unit) -> float:
    """Return the charge distance of the slowest model: 6 inches for every type without another figure."""
    return min(beast_charge(model) or CHARGE_INCHES for model in members(unit))


@rule("6.3/beast-charge")
def beast_charge(model: Model) -> float:
    return float(model.profile.x) if is_beast(model) else 0.0


# ---------------------------------------------------------------- the charge


@rule("3.3.1/charge-distance", "3.3/subphases")
async def charge(position: Position, key: Key) -> None:
    """Charge the declared target, and other units with it if the owner likes."""
    unit = unit_of(position, key)
    named = await name_targets(unit, Unit(position, Aimed(*key).target))
    position.write("charge", unit=unit.row, targets=named)
    limit = await limit_of(unit, named)
    rush = single(unit, named[0], limit) if len(named) == 1 else multiple(unit, named, limit)
    if rush is None:
        fail(unit, limit)
        return
    await go_in(rush)


async def limit_of(unit: Unit, named: Iterable[int]) -> float:
    """Roll for the rough ground on the way; return how far the unit charges."""
    usual = charge_distance(unit)
    return usual - await rough.reduction(unit, slowing_ways(unit, named, usual), usual)


async def gets_there(position: Position, unit: int, target: int) -> bool:
    """Return whether a charge at one unit would succeed. The ground is rolled for, but nobody moves."""
    charging = Unit(position, unit)
    return single(charging, target, await limit_of(charging, (target,))) is not None


@rule("3.3.1/multi-charge")
async def name_targets(unit: Unit, aimed: Unit) -> list[int]:
    """Return the rows of the units to charge: the declared target first, then others named one at a time."""
    named = [aimed.row]
    while True:
        others = [row for row in nearby(unit) if row not in named]
        wanted = await choose(
            unit.side,
            "charge-also",
            (NOBODY, *others),
            "unit",
            lambda row: None if row == NOBODY else flying.may_charge(unit, Unit(unit.position, row)),
            unit=unit.row,
            named=named,
        )
        if wanted == NOBODY:
            return named
        named = [*named, int(wanted)]


def nearby(unit: Unit) -> list[int]:
    """Return the enemy units that are nearer than the charge distance."""
    own, limit = members(unit), charge_distance(unit)
    return [other.row for other in of_other_side(unit) if exact_of_models(own, members(other)) < limit]


@rule("3.3.1/charge-succeeds", "3.3.1/charge-near-target")
def single(unit: Unit, target: int, limit: float) -> Rush | None:
    """Return the charge against one unit if any model can reach any of its models, else None."""
    rush = Rush(unit, (target,), limit)
    progress = Progress(rush)
    able = [model for model in rush.models if not is_fixed(model)]
    if any(stays(rush, model) or contact_way(progress, model, e, False) for model in able for e in rush.enemies):
        return rush
    return None


@rule("3.3.1/multi-charge")
def multiple(unit: Unit, named: list[int], limit: float) -> Rush | None:
    """Return the charge against those of several units that are reached; None if the first of them is not."""
    reached: list[int] = []
    sent: dict[int, int] = {}
    for row in named:
        found = sent_to(unit, Unit(unit.position, row), limit, [*reached, row], sent)
        if found is not None:
            reached.append(row)
            sent[found[0]] = found[1]
        elif not reached:
            return None
        else:
            too_far(unit, row)
    return Rush(unit, reached, limit, sent)


@rule("3.3.1/multi-charge-used-models")
def not_sent(unit: Unit, sent: dict[int, int]) -> list[Model]:
    """Return the models that have not been sent into contact with a unit named before."""
    return [model for model in members(unit) if model.row not in sent]


@rule("3.3.1/multi-charge")
def sent_to(unit: Unit, target: Unit, limit: float, targets: list[int], sent: dict[int, int]) -> tuple[int, int] | None:
    """Return (model, enemy model) for the contact with a named unit; None if the unit is too far."""
    left = [model for model in not_sent(unit, sent) if not is_fixed(model)]
    if not left:
        return None
    model, enemy = nearest_pair(left, members(target))
    if not less_than(rounded_down(exact(model, enemy)), limit):  # 7.13/flyer-distance
        return None
    rush = Rush(unit, targets, limit, sent)
    progress = Progress(rush)
    for row, other in sent.items():
        way = contact_way(progress, unit.position.model(row), unit.position.model(other), False)
        if way is not None:
            progress.put(unit.position.model(row), way)
    return None if contact_way(progress, model, enemy, False) is None else (model.row, enemy.row)


@rule("3.3.1/multi-charge-too-far")
def too_far(unit: Unit, target: int) -> None:
    """Leave a unit out of the charge; the mover keeps 1 inch from it."""
    unit.position.write("charge-too-far", unit=unit.row, target=target)


@rule("3.3.1/charge-fails")
def fail(unit: Unit, limit: float) -> None:
    """Fail the charge: no model moves, and the unit declares no other charge this turn."""
    unit.position.write("charge-fails", unit=unit.row, limit=limit)
    bar_from_charge(unit, "3.3.1/charge-fails")


async def go_in(rush: Rush) -> None:
    """Move the whole unit, and lock it in combat with the units that it touches."""
    unit, targets = rush.unit, sorted(rush.targets)
    for row in targets:
        note_side(unit, Unit(unit.position, row))
    answer: Any = await ask(rush_question(rush, "charge-move", foretold))
    paths = carry_out(rush, answer, "charge")
    unit.mark(CHARGED, 1)
    unit.mark(MOVED, 1)
    unit.jot(CHARGED_WHOM, targets)
    if rough.touches_difficult(unit, paths):
        unit.mark(CHARGED_ROUGH, 1)
    combat.lock(unit, targets)
    await movement.test_ground(unit, paths, False)


@rule("3.3.2/difficult-charge")
def foretold(unit: Unit, paths: Mapping[int, Path]) -> list[Foretold]:
    """Return what paths entail: initiative lost by models without assault grenades, and tests of dangerous ground."""
    found = foretelling.of_move(unit, paths, None)
    if rough.touches_difficult(unit, paths) and not all(has_assault_grenades(model) for model in members(unit)):
        pieces = foretelling.slowing_pieces(unit, paths)
        kind = "strikes-last" if pieces else "strikes-last-fire"
        return [Foretold(kind, "3.3.2/difficult-charge", {"piece": pieces}), *found]
    return found


@rule("3.3.2/rear-charge-definition", "3.3.2/rear-charge-effect")
def note_side(unit: Unit, target: Unit) -> None:
    """Record on a charged unit whether this charger comes from behind."""
    others = [row for row in target.note(REAR_CHARGED_BY) or () if row != unit.row]
    if is_from_behind(unit, target):
        others.append(unit.row)
        unit.position.write("charged-from-behind", unit=target.row, by=unit.row)
    target.jot(REAR_CHARGED_BY, tuple(others) or None)


def odds_of_success(position: Position, key: Key) -> float:
    """Return low odds for a charge that cannot reach its target: it is allowed, but seldom drawn at random."""
    unit, target = charger_and_target(position, key)
    can = target is not None and exact_of_models(members(unit), members(target)) <= charge_distance(unit)
    return 1.0 if can else SELDOM


ACTS: tuple[Act, ...] = (Act("charge", ("charges",), candidates, RESTRICTIONS, charge, odds_of_success),)
