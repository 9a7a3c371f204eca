"""Deployment (10.3): units one at a time, in turn; the player ready first decides who takes the first turn.

The next unit is announced before it is placed, together with whether its owner has more to deploy: so the questions
themselves reveal nothing.
"""

from __future__ import annotations

from campale.mechanics.moves.placing import Putting, Spot, lattice, put_down, standing
from campale.mechanics.setup.edges import edge_of, facing_inward, reach_from, strip
from campale.referee.ask import choose
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e55.armies.setting_out import ROWS, STARTS, enlist, note_row, roster, row_of, strike_off
from campale.rulesets.e55.bots.posts import best_centres
from campale.rulesets.e55.definitions.units import WAITS, rows_by_place
from campale.rulesets.e55.movement_phase.placing import PLACING
from campale.rulesets.e55.unit_types import characters, flying
from campale.rulesets.e55.vehicles import transports
from campale.table.measure import extent
from campale.table.room import Area, corners_of_area

ZONE = 12.0
FINENESS = 2.0
"""The spacing in inches of the points at which a unit is tried."""
LEFT = "to-deploy"
ON_TABLE, INSIDE = ("table",), "aboard"


# ---------------------------------------------------------------- the order


@rule("10.3/pitched-battle")
async def deploy(position: Position) -> bool:
    """Run one step: announce whether both sides have units, name the next unit, place it, or settle the first turn."""
    if LEFT not in position.now:
        make_known_who_deploys(position)
        return True
    if "ready" in position.now and "first" not in position.now:
        await choose_first_turn(position)
        return True
    coming = announced(position)
    if coming:
        await place(coming[0])
        pass_on(position, coming[0].side)
        return True
    return await next_one(position)


def has_left(position: Position, side: int) -> bool:
    """Return whether a side has announced that it has more to deploy."""
    return bool(position.now[LEFT][side])


def make_known_who_deploys(position: Position) -> None:
    position.now[LEFT] = tuple(int(bool(roster(position, side))) for side in (0, 1))
    position.reveal("deployment", left=list(position.now[LEFT]))


def announced(position: Position) -> list[Unit]:
    """Return the units that have been named and not yet placed."""
    rows = dict.fromkeys(position.unit_of[m.row] for m in position.models if m.where == RESERVE)
    return [Unit(position, row) for row in rows if not position.of_units.get(row, WAITS)]


async def next_one(position: Position) -> bool:
    """Let the side in turn name its next unit; when none are left, characters join units near them."""
    side = int(position.now["deploys"])
    if has_left(position, side):
        await announce(position, side)
        return True
    is_ready(position, side)
    if has_left(position, 1 - side):
        position.now["deploys"] = 1 - side
        return True
    is_ready(position, 1 - side)
    if "first" not in position.now:
        return True
    for one in (side, 1 - side):
        await characters.settle(position, one)
    return False


@rule("10.3/pitched-battle")
def pass_on(position: Position, side: int) -> None:
    """Pass the turn to the other player, as long as both have units left."""
    if not has_left(position, side):
        is_ready(position, side)
    if has_left(position, 1 - side) or "first" not in position.now:
        position.now["deploys"] = 1 - side


@rule("10.3/first-turn")
def is_ready(position: Position, side: int) -> None:
    """Record the first player without units to deploy, who decides about the first turn."""
    if "ready" not in position.now:
        position.now["ready"] = side
        position.write("ready", side=side)


@rule("10.3/first-turn")
async def choose_first_turn(position: Position) -> None:
    """Settle the first turn at once, before the other player goes on deploying."""
    side = int(position.now["ready"])
    first = int(await choose(side, "first-turn", (side, 1 - side), of="side"))
    position.now.update(first=first, side=first)  # 3/decision-order
    position.write("first-turn", side=first, by=side)


@rule("10.3/pitched-battle")
async def announce(position: Position, side: int) -> None:
    """Ask a side for the unit that it deploys next, even if only one is left, to keep that secret."""
    units = roster(position, side)
    titles: Plain = [units[number].title for number in units]
    number = int(await choose(side, "deploy-next", list(units), of="roster", always=True, titles=titles, open=False))
    unit = enlist(position, side, units[number])
    note_row(position, side, number, unit)
    strike_off(position, side, (number,))
    left = [int(has) for has in position.now[LEFT]]
    left[side] = int(len(units) > 1)
    position.now[LEFT] = tuple(left)
    position.reveal("deploys", unit=unit.row, side=side, left=left[side])


# ---------------------------------------------------------------- where a unit goes


async def place(unit: Unit) -> None:
    """Place a unit in its zone or aboard; one without room waits off the table for its owner's next turn."""
    models = waiting(unit)
    where = await choose(unit.side, "deploy-where", places_for(unit), of="place", unit=unit.row)
    if where != ON_TABLE:
        go_aboard(models, unit.position.model(where[1]))
        return
    zone = zone_of(unit.position, unit.side)
    facing = facing_inward(unit.position, unit.side)
    centres = best_centres(unit, models, lattice(zone, FINENESS), facing)
    putting = Putting(PLACING, unit, tuple(models), outside_zone, ((corners_of_area(zone), 0.0),))
    if await put_down(putting, "deploy", centres, facing, shown={"area": list(zone)}):
        await flying.declare_first_mode(unit)
    else:
        unit.mark(WAITS, 1)


def waiting(unit: Unit) -> list[Model]:
    """Return the models of a unit that are not yet placed."""
    models = unit.position.models
    return [models[row] for row in rows_by_place(unit.position)[RESERVE].get(unit.row, ())]


@rule("10.3/pitched-battle")
def places_for(unit: Unit) -> list[Plain]:
    """Return the table, and every own transport on it with room, first the one that the unit's list names."""
    position = unit.position
    models = waiting(unit)
    carriers = [m for m in position.on_table(unit.side) if could_board(m, models)]
    aboard: list[Plain] = [(INSIDE, carrier.row) for carrier in carriers]
    meant = [key for key in aboard if position.unit_of[key[1]] == meant_carrier(unit)]
    return [*meant, ON_TABLE, *(key for key in aboard if key not in meant)]


@rule("7.10/capacity")
def could_board(carrier: Model, models: list[Model]) -> bool:
    fits = len(models) <= transports.room_left(carrier)
    return transports.is_transport(carrier) and fits and all(transports.may_carry(carrier, m) for m in models)


def meant_carrier(unit: Unit) -> int:
    """Return the row of the unit whose transport a unit's list has it start in, -1 if none."""
    position, side = unit.position, unit.side
    number = next((k for k, row in enumerate(position.hand(side, ROWS)) if row == unit.row), None)
    return row_of(position, side, number if number is None else int(position.hand(side, STARTS)[number]))


def go_aboard(models: list[Model], carrier: Model) -> None:
    """Put models inside a transport; flying types are in their flying mode until their first choice."""
    for model in models:
        model.position.take_off(model, aboard_of=carrier)
        flying.start_aloft(model.unit)


# ---------------------------------------------------------------- 10.3/zone


@rule("10.3/zone")
def zone_of(position: Position, side: int) -> Area:
    return strip(position.ground, edge_of(position, side), ZONE)


@rule("10.3/zone")
def outside_zone(model: Model, spot: Spot) -> Fault | None:
    """Refuse a place unless the whole base or hull is less than 12 inches from its owner's edge."""
    position = model.position
    far = reach_from(position.ground, edge_of(position, model.side), extent(standing(model, spot)))[1]
    return Fault(spot[:2], far, ZONE, model.row, rule="10.3/zone") if far >= ZONE else None
