"""Arriving from reserve (10.5): the secret roll, a unit's way in, and the places of its models."""

from __future__ import annotations

from campale.mechanics.moves.crowd import crowd
from campale.mechanics.moves.placing import (
    Fits,
    Putting,
    Spot,
    lattice,
    place_question,
    place_refusal,
    set_down,
    standing,
)
from campale.mechanics.setup.edges import INWARD, edge_of, reach_from, strip
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.armies.forces import decode
from campale.rulesets.e55.armies.setting_out import enlist
from campale.rulesets.e55.battle import deep_strike
from campale.rulesets.e55.battle.arrival import has_arrived
from campale.rulesets.e55.battle.deployment import go_aboard, waiting
from campale.rulesets.e55.battle.holding_back import OWN_EDGE, Note, keep_notes, notes_of
from campale.rulesets.e55.definitions.dice import needed, pool_for
from campale.rulesets.e55.definitions.footprints import half_sizes
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import (
    ARRIVES_BY,
    WAITS,
    player_turn,
)
from campale.rulesets.e55.movement_phase.placing import PLACING, around
from campale.rulesets.e55.unit_types import flying, special
from campale.table.measure import extent
from campale.table.room import corners_of_area

STRIP = 6.0
ENTERS_ON = 4
LET_IN = "let-in"
EDGE, DEEP_STRIKE = "edge", "deep-strike"


async def arrivals(position: Position, side: int) -> bool:
    """Reveal which units arrive, if any, then enter one unit per call; return whether more are left."""
    if nobody_is_due(position, side):
        return False
    if position.now.get(LET_IN) != player_turn(position):
        await let_in(position, side)
    elif coming(position, side):
        await enter(coming(position, side)[0])
    return bool(coming(position, side))


@rule("10.5/reserves")
def nobody_is_due(position: Position, side: int) -> bool:
    """Return whether it is the first turn, in which only units enter for which their zone had no room."""
    is_first = int(position.now["round"]) < 2
    return is_first and not any(waiting(unit) for unit in position.units if unit.side == side)


def coming(position: Position, side: int) -> list[Unit]:
    """Return the units of a side that are entering now, in roster order; passengers come with their carrier."""
    units = [unit for unit in position.units if unit.side == side and not unit.marks(WAITS)]
    return [unit for unit in units if waiting(unit)]


# ---------------------------------------------------------------- 10.5/reserve-roll


async def let_in(position: Position, side: int) -> None:
    """Roll for reserves and reveal only which units arrive; dice, failures and waits stay secret."""
    position.now[LET_IN] = player_turn(position)
    entering = await who_enters(position, side)
    for note in entering:
        bring(position, side, note)
    for unit in position.units:
        if unit.side == side:
            unit.mark(WAITS, 0)
    position.reveal("arrivals", side=side, units=[unit.row for unit in coming(position, side)])


@rule("10.5/reserve-roll", "10.5/reserve-secrecy")
async def who_enters(position: Position, side: int) -> list[Note]:
    """Roll a die, once, for everything noted for this turn.

    Whatever fails, or finds no room, comes in its owner's next turn.
    """
    now = int(position.now["round"])
    due = [note for note in notes_of(position, side) if note.turn <= now]
    to_roll = [note for note in due if not note.is_sure]
    rolled = await pool_for(side, "reserves", to_roll, needed(ENTERS_ON), secret=True)
    failed = [note for note, hit in zip(to_roll, rolled.hits, strict=True) if not hit]
    entering = [note for note in due if note not in failed and has_room(position, side, note)]
    later = [note._replace(turn=now + 1, is_sure=1) for note in due if note not in entering]
    keep_notes(position, side, [*(note for note in notes_of(position, side) if note.turn > now), *later])
    return entering


@rule("10.5/reserve-entry")
def has_room(position: Position, side: int, note: Note) -> bool:
    """Return whether units could be placed; judged on a copy, to keep the attempt secret."""
    supposed = position.copy()
    supposed.forget()
    unit = bring(supposed, side, note)
    return has_point(unit) or bool(first_spots(unit))


def bring(position: Position, side: int, note: Note) -> Unit:
    """Add all units of a note: passengers go inside, characters into the unit they come with; return the first."""
    units: list[Unit] = []
    for text, companion in note.units:
        unit = enlist(position, side, decode(text))
        units.append(unit)
        if companion >= 0:
            come_with(unit, units[companion])
    units[0].jot(ARRIVES_BY, note.way)
    return units[0]


def come_with(unit: Unit, host: Unit) -> None:
    models = waiting(unit)
    there = [m for m in unit.position.models if m.unit == host]
    carrier = there[0].aboard_of
    if is_vehicle(there[0]):
        go_aboard(models, there[0])
        return
    if carrier is not None:
        go_aboard(models, carrier)
    for model in models:
        unit.position.join(model, host)


# ---------------------------------------------------------------- entering


async def enter(unit: Unit) -> None:
    """Let a unit enter by the noted way, or by deep strike if it can; one that finds no room after all waits."""
    if await way_of(unit) == DEEP_STRIKE:
        await deep_strike.strike(unit)
    elif not await enter_from_edge(unit):
        unit.mark(WAITS, 1)


@rule("10.5/deep-strike", "10.5/arrival-secrecy")
async def way_of(unit: Unit) -> str:
    """Ask for the way as the unit enters; a unit noted for a short edge is bound to it."""
    if not has_point(unit):
        return EDGE
    ways = [EDGE, DEEP_STRIKE] if first_spots(unit) else [DEEP_STRIKE]
    return str(await choose(unit.side, "arrival", ways, unit=unit.row))


@rule("10.5/deep-strike")
def may_deep_strike(unit: Unit) -> bool:
    """Return whether all models have the rule, and no short edge was noted."""
    is_bound = unit.note(ARRIVES_BY, OWN_EDGE) != OWN_EDGE
    return not is_bound and all(special.has(model, "deep-strike") for model in waiting(unit))


def has_point(unit: Unit) -> bool:
    """Return whether the unit may deep strike, and there is a place for its first model."""
    return may_deep_strike(unit) and deep_strike.has_point(unit)


@rule("10.5/reserve-entry", "10.5/outflank")
def edge_for(unit: Unit) -> str:
    """Return the owner's edge, or the short edge noted for the unit."""
    written = str(unit.note(ARRIVES_BY, OWN_EDGE))
    return edge_of(unit.position, unit.side) if written == OWN_EDGE else written


@rule("10.5/reserve-entry")
def within_strip(edge: str) -> Fits:
    """Return the check that a whole base or hull is within 6 inches of the edge; a deeper hull touches it."""

    def fits(model: Model, spot: Spot) -> Fault | None:
        near, far = reach_from(model.position.ground, edge, extent(standing(model, spot)))
        if far <= STRIP + 0.001 or (far - near > STRIP and near <= 0.001):
            return None
        return Fault(spot[:2], far, STRIP, model.row, rule="10.5/reserve-entry")

    return fits


@rule("10.5/reserve-entry")
def with_room_for_all(putting: Putting) -> Fits:
    """Return the check that a place for the first model leaves room for all others."""

    def fits(model: Model, spot: Spot) -> Fault | None:
        refusal = place_refusal(putting, model, spot)
        if refusal is not None:
            return Fault(refusal.where, refusal.measured, refusal.limit, refusal.model, rule=refusal.rule)
        return None if all_about(putting, spot) is not None else Fault(spot[:2], rule="10.5/reserve-entry")

    return fits


def all_about(putting: Putting, spot: Spot) -> list[Spot] | None:
    """Return the places of all models around the first one's, cached until a change."""
    kept, key = putting.position.cache, ("about", putting.unit.row, edge_for(putting.unit), spot)
    if key not in kept:
        kept[key] = around(putting, spot)
    found: list[Spot] | None = kept[key]
    return found


def centres_of(unit: Unit) -> list[tuple[float, float]]:
    """Return places to try for the first model: all over the strip, or along the edge for a hull that must touch it."""
    position, edge = unit.position, edge_for(unit)
    deep = 2.0 * half_sizes(waiting(unit)[0].profile)[1]
    west, south, east, north = strip(position.ground, edge, max(STRIP, deep))
    x, y = (west + east) / 2.0, (south + north) / 2.0
    line = (west, y, east, y) if edge in ("south", "north") else (x, south, x, north)
    return lattice(line if deep > STRIP else (west, south, east, north), 1.5)


def first_spots(unit: Unit) -> list[Spot]:
    """Return a place where the unit could enter, in a list, empty if there is none."""
    kept, key = unit.position.cache, ("first-spots", unit.row)
    if key not in kept:
        putting = entering(unit)
        first, facing = putting.models[0], INWARD[edge_for(unit)]
        fits = with_room_for_all(putting)
        spots = ((x, y, facing) for x, y in centres_of(unit))
        found = next((spot for spot in spots if fits(first, spot) is None), None)
        kept[key] = [] if found is None else [found]
    return list(kept[key])


def entering(unit: Unit) -> Putting:
    edge = edge_for(unit)
    bound = corners_of_area(strip(unit.position.ground, edge, STRIP)), 0.0
    return Putting(PLACING, unit, tuple(waiting(unit)), within_strip(edge), (bound,))


@rule("10.5/reserve-entry", "10.5/outflank")
async def enter_from_edge(unit: Unit) -> bool:
    """Let the owner place the first model; the others go as near to it as they can. The unit has moved."""
    if not first_spots(unit):
        return False
    putting = entering(unit)
    first, facing = putting.models[0], INWARD[edge_for(unit)]
    shown = {"area": list(strip(unit.position.ground, edge_for(unit), STRIP))}
    alone = putting._replace(models=(first,), fits=with_room_for_all(putting))
    question = place_question(alone, "enter", centres_of(unit), facing, shown, alone=True)
    spot = (await ask(question))[0]
    set_down(putting.models, all_about(putting, spot) or crowd(putting, spot))
    has_arrived(unit)
    await flying.declare_first_mode(unit)
    return True
