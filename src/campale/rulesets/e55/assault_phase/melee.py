"""The melee sub-phase (3.3.2): combat by combat, each through the whole numbered list, one piece per call.

The state of a combat is kept in the position as a ``Fight``; every call of the phase continues from there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from campale.referee.ask import choose, confirm
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat, pile_in
from campale.rulesets.e55.assault_phase.fighting import Strike, choose_strikes, hulls_touched, is_hulls, revived
from campale.rulesets.e55.assault_phase.striking import Blow, roll_to_hit
from campale.rulesets.e55.definitions.units import (
    AFRAID,
    COMBAT,
    GRIPPED,
    OUTLIVED,
    active,
    handles,
    is_engaged,
    members,
    units_on_table,
)
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.leadership_and_morale import breakthrough, leadership, morale, rout
from campale.rulesets.e55.psychic_powers import psychic
from campale.rulesets.e55.unit_types import special

FIGHT, FOUGHT = "fight", "fought"
REGAIN, CHOOSE, STRIKE, RESULT, PILE, LEAVE = "regain", "choose", "strike", "result", "pile-in", "leave"


class Fight(NamedTuple):
    """A combat being fought, as plain data.

    ``units``: the rows of its units, or of the one unit that attacks vehicles (``is_at_hulls``). ``stage``: what comes
    next. ``since``: how many losses there had been. ``strikes``: those not yet made. ``waiting``: the units that have
    still to pile in.
    """

    units: tuple[int, ...]
    is_at_hulls: bool
    stage: str
    since: int
    strikes: tuple[Strike, ...] = ()
    waiting: tuple[int, ...] = ()


async def melee_phase(position: Position) -> bool:
    """Run the next piece of the current combat, or begin the next combat."""
    fight = in_hand(position)
    if fight is None:
        return await begin(position)
    position.declare(FIGHT, await STAGES[fight.stage](position, fight))
    return True


def in_hand(position: Position) -> Fight | None:
    """Return the combat that is being fought, if any."""
    kept: Any = position.declared.get(FIGHT)
    if kept is None:
        return None
    units, at_hulls, stage, since, strikes, waiting = kept
    return Fight(units, at_hulls, stage, since, tuple(map(revived, strikes)), waiting)


# ---------------------------------------------------------------- the next combat


@rule("3.3.2/melee-sequence")
async def begin(position: Position) -> bool:
    """Let the active player pick the next combat; every combat is fought, in either player's turn."""
    if position.declared.get(FOUGHT) is None:
        position.declare(FOUGHT, ())
        await combat.settle(position)
        await psychic.awaken_for_melee(position, [row for rows in fights(position) for row in rows])
    fought: tuple[int, ...] = position.declared[FOUGHT]
    left = [rows for rows in fights(position) if not any(has_fought(unit, fought) for unit in handles(position, rows))]
    if not left:
        position.declare(FOUGHT, None)
        return False
    units = await choose(active(position), "fight-next", left, of="units")
    position.declare(FOUGHT, (*fought, *units))
    await open_fight(position, tuple(units))
    return True


@rule("3.3.2/melee-sequence", "1.1/unit-ceases")
def has_fought(unit: Unit, fought: Sequence[int]) -> bool:
    """Return whether a unit has fought in this sub-phase, or a character with the unit that he has outlived."""
    return unit.row in fought or unit.note(OUTLIVED) in fought


def fights(position: Position) -> list[tuple[int, ...]]:
    """Return the combats, and the units in no combat that touch an enemy vehicle."""
    alone = [unit for unit in units_on_table(position) if not is_engaged(unit) and touches_hulls(unit)]
    return [*combat.combats(position), *((unit.row,) for unit in alone)]


@rule("7.7/attacking-vehicles")
def touches_hulls(unit: Unit) -> bool:
    return not is_hulls(unit) and any(hulls_touched(model) for model in members(unit))


@rule("7.7/attacking-vehicles")
async def wants_to_attack(unit: Unit) -> bool:
    return await confirm(unit.side, "attack-vehicle", unit=unit.row)


async def open_fight(position: Position, units: tuple[int, ...]) -> None:
    """Open a fight with the fear tests; if no models touch, the units pile in first."""
    since = len(position.losses)
    position.write("fight", units=units)
    if not is_engaged(Unit(position, units[0])):
        wants = await wants_to_attack(Unit(position, units[0]))
        position.declare(FIGHT, Fight(units, True, CHOOSE, since) if wants else None)
        return
    await fear_tests(position, units)
    if has_contact(position, units):
        position.declare(FIGHT, Fight(units, False, CHOOSE, since))
    else:
        position.declare(FIGHT, Fight(units, False, REGAIN, since, waiting=units))


# ---------------------------------------------------------------- 1. fear


@rule("6.1/fear")
async def fear_tests(position: Position, units: Sequence[int]) -> None:
    """Test the leadership of every unit with a fearsome enemy in its combat, the active player's units first."""
    for side in (active(position), 1 - active(position)):
        for unit in handles(position, units):
            if unit.side == side and is_frightened(unit) and not await leadership.leadership_test(unit, "fear"):
                unit.mark(AFRAID, 1)


@rule("6.1/fear")
def is_frightened(unit: Unit) -> bool:
    return any(special.any_has(foe, "fear") for foe in combat.foes(unit))


# ---------------------------------------------------------------- combats without contact


@rule("3.3.2/no-contact")
def has_contact(position: Position, units: Sequence[int]) -> bool:
    """Return whether any model of a combat touches an enemy in it."""
    own = handles(position, units)
    return any(combat.is_touching(one, foe) for one in own for foe in own if one.side < foe.side)


async def regain(position: Position, fight: Fight) -> Fight | None:
    """Pile in one unit; when all have, fight the combat, or end it for units that touch no enemy."""
    left = await next_pile_in(position, fight)
    if left is not None:
        return fight._replace(waiting=left)
    drop_the_untouched(position, fight.units)
    await combat.settle(position)
    units = still_in(position, fight.units)
    return fight._replace(stage=CHOOSE, units=units, waiting=()) if has_contact(position, units) else None


# ---------------------------------------------------------------- 2. to 6. the attacks


async def choose_attacks(position: Position, fight: Fight) -> Fight | None:
    """Settle weapons, numbers and targets, and with them the order of the round."""
    strikes = await choose_strikes(position, fight.units)
    return fight._replace(stage=STRIKE, strikes=frozen_order(strikes))


@rule("3.3.2/initiative-order", "3.3.2/initiative-frozen")
def frozen_order(strikes: Sequence[Strike]) -> tuple[Strike, ...]:
    """Sort strikes from the highest current initiative down; later changes of initiative do not matter."""
    return tuple(sorted(strikes, key=lambda strike: -strike.initiative))


@rule("3.3.2/attack-steps", "3.3.2/initiative-order")
async def strike_step(position: Position, fight: Fight) -> Fight | None:
    """Roll all strikes of the next initiative together, then resolve their hits on all sides at once."""
    if not fight.strikes:
        return None if fight.is_at_hulls else fight._replace(stage=RESULT)
    blows = await blows_of_step(position, fight)
    await land(position, await roll_to_hit(position, blows))
    return after_step(position, fight)


async def blows_of_step(position: Position, fight: Fight) -> list[Blow]:
    """Return the attacks of the models at the next initiative that are still there."""
    number = fight.strikes[0].initiative
    now = [strike for strike in fight.strikes if strike.initiative == number]
    position.write("initiative", step=number, units=fight.units)
    able = [strike for strike in in_dice_order(position, now) if still_strikes(position, strike)]
    return [blow for strike in able for blow in await blows_of(position, strike)]


def after_step(position: Position, fight: Fight) -> Fight | None:
    """Return the fight without strikes already made and units that dropped out; None if no units are left."""
    number = fight.strikes[0].initiative
    units = fight.units if fight.is_at_hulls else still_in(position, with_survivors(position, fight.units))
    later = tuple(s for s in fight.strikes if s.initiative != number and position.unit_of[s.model] in units)
    return fight._replace(strikes=later, units=units) if units else None


@rule("1.1/unit-ceases")
def with_survivors(position: Position, units: tuple[int, ...]) -> tuple[int, ...]:
    """Return the units of a combat, and the new units of characters that outlived their units in it."""
    numbers = [unit.marks(COMBAT) for unit in handles(position, units) if unit.marks(COMBAT)]
    found = [unit.row for unit in units_on_table(position) if unit.marks(COMBAT) in numbers]
    return tuple(dict.fromkeys((*units, *found)))


@rule("6.1.1/clip-wings-engaged")
def still_in(position: Position, units: tuple[int, ...]) -> tuple[int, ...]:
    """Return the units of a combat without those that dropped out: they strike no more and count for nothing."""
    return tuple(row for row in units if not has_dropped_out(Unit(position, row)))


def has_dropped_out(unit: Unit) -> bool:
    return bool(members(unit)) and not is_engaged(unit)


@rule("1.1/dice-stream")
def in_dice_order(position: Position, strikes: Sequence[Strike]) -> list[Strike]:
    """Sort strikes: the active player's units first, then unit by unit, then in roster order."""
    side = active(position)
    return sorted(strikes, key=lambda s: (position.side_of[s.model] != side, position.unit_of[s.model], s.model))


@rule("3.3.2/removed-before-attacking")
def is_there(position: Position, strike: Strike) -> bool:
    return position.model(strike.model).is_on_table


def still_strikes(position: Position, strike: Strike) -> bool:
    return is_there(position, strike) and not is_gripped(position, strike)


@rule("9.2.1/crushing-grip")
def is_gripped(position: Position, strike: Strike) -> bool:
    """Return whether a gripped model loses its attacks this once, and end the grip."""
    model = position.model(strike.model)
    if not model.marks(GRIPPED):
        return False
    model.mark(GRIPPED, 0)
    return True


async def blows_of(position: Position, strike: Strike) -> list[Blow]:
    """Return the attacks of a strike; attacks at a unit that is gone go to another that could have been attacked."""
    found = []
    model = position.model(strike.model)
    for row, count in strike.aims:
        target = row if can_be_struck(Unit(position, row), model) else await other_target(position, strike)
        if target is not None:
            found.append(Blow(strike.model, strike.arm, target, count))
    return found


@rule("7.7/attacking-vehicles")
def can_be_struck(unit: Unit, by: Model) -> bool:
    """Return whether a unit is there and in the combat, or has a vehicle that the model still touches."""
    return bool(members(unit)) and (combat.fights_on(unit) or (is_hulls(unit) and unit.row in hulls_touched(by)))


@rule("1.1/unit-ceases")
def standing_for(position: Position, row: int, by: Model) -> list[int]:
    """Return a unit that a model can strike, or the new units of the characters that outlived it."""
    if members(Unit(position, row)):
        return [row] if can_be_struck(Unit(position, row), by) else []
    return [unit.row for unit in units_on_table(position) if unit.note(OUTLIVED) == row and can_be_struck(unit, by)]


@rule("3.3.2/attack-count")
async def other_target(position: Position, strike: Strike) -> int | None:
    """Ask for another target: no attack is withheld while there is an enemy to strike."""
    model = position.model(strike.model)
    left = [row for known in strike.among for row in standing_for(position, known, model)]
    if not left:
        return None
    return int(await choose(model.side, "strike-instead", left, of="unit", model=model.row, unit=model.unit.row))


@rule("3.3.2/attack-steps")
async def land(position: Position, hits: Sequence[tuple[int, Hit]]) -> None:
    """Resolve the hits of a step, unit by unit, before any loss takes effect."""
    by_unit: dict[int, list[Hit]] = {}
    for row, hit in hits:
        by_unit.setdefault(row, []).append(hit)
    if by_unit:
        await resolving.take_all([(Unit(position, row), struck) for row, struck in by_unit.items()])


# ---------------------------------------------------------------- 7. and 8. the result


@rule("3.3.2/combat-result")
async def settle_result(position: Position, fight: Fight) -> Fight | None:
    """Compare the totals and test the losers' morale. If no enemy is left, no unit is engaged any more."""
    totals = [combat.total(position, fight.units, side, fight.since) for side in (0, 1)]
    position.write("combat-result", units=fight.units, totals=totals)
    combat.release_hulls(handles(position, fight.units))
    if not combat.is_over(position, fight.units):
        if is_stalemate(totals):
            return None
        loser = 0 if totals[0] < totals[1] else 1
        await test_losers(position, fight, loser, abs(totals[0] - totals[1]))
    return fight._replace(stage=PILE, waiting=fight.units)


@rule("3.3.2/stalemate")
def is_stalemate(totals: Sequence[int]) -> bool:
    """Return whether the totals are equal: nothing more happens in that combat this turn."""
    return totals[0] == totals[1]


@rule("3.3.2/loser-morale", "4.1/trigger-lost-combat")
async def test_losers(position: Position, fight: Fight, loser: int, by: int) -> None:
    """Test every unit of the losers, with the difference off its leadership; then break those that failed."""
    broken = await who_fails(position, fight, loser, by)
    if broken:
        await rout.break_units(broken, {unit.row: breakthrough.contacts_of(unit) for unit in broken})


async def who_fails(position: Position, fight: Fight, loser: int, by: int) -> list[Unit]:
    """Return the losers' units that fail their test."""
    losers = [unit for unit in handles(position, fight.units) if unit.side == loser and members(unit)]
    engaged = [unit for unit in losers if is_engaged(unit)]
    return [unit for unit in engaged if not await morale.passed_after_losing(unit, by)]


# ---------------------------------------------------------------- 9. and 10. pile-ins, consolidation


async def pile_in_all(position: Position, fight: Fight) -> Fight | None:
    """Pile in one unit. When all have, units that touch no enemy are free, and the winners consolidate."""
    if nobody_has_piled_in(fight) and combat.is_over(position, still_engaged(position, fight.units)):
        await combat.settle(position)
        return None
    left = await next_pile_in(position, fight)
    if left is not None:
        return fight._replace(waiting=left)
    return fight._replace(stage=LEAVE, waiting=())


@rule("3.3.2/consolidation", "3.3.2/disengaged")
def nobody_has_piled_in(fight: Fight) -> bool:
    """Return whether no pile-in has begun.

    After that, only the last pile-in decides if enemies are left: some may return.
    """
    return tuple(fight.waiting) == tuple(fight.units)


async def end_fight(position: Position, fight: Fight) -> Fight | None:
    drop_the_untouched(position, fight.units)
    combat.come_apart(position, fight.units)
    await combat.settle(position)
    return None


def still_engaged(position: Position, units: Sequence[int]) -> list[int]:
    return [unit.row for unit in handles(position, units) if members(unit) and is_engaged(unit)]


@rule("3.3.2/pile-in-order")
async def next_pile_in(position: Position, fight: Fight) -> tuple[int, ...] | None:
    """Pile in a unit of the active player, or else of the opponent; return the units left, or None if none could."""
    engaged = still_engaged(position, fight.units)
    still = [unit for unit in handles(position, fight.waiting) if unit.row in engaged]
    waiting = [unit for unit in still if pile_in.has_to_move(unit, enemies_of_fight(fight, unit))]
    if not waiting:
        return None
    first = [unit for unit in waiting if unit.side == active(position)] or waiting
    row = await choose(first[0].side, "pile-in-next", [unit.row for unit in first], of="unit")
    unit = Unit(position, row)
    await pile_in.pile_in(unit, enemies_of_fight(fight, unit))
    drop_if_untouched(unit, fight.units)
    return tuple(one for one in fight.waiting if one != row)


def enemies_of_fight(fight: Fight, unit: Unit) -> list[int]:
    """Return the enemy units of the combat as when the round began, without units that have fled."""
    position = unit.position
    return [
        row
        for row in fight.units
        if position.unit_side[row] != unit.side
        and combat.can_be_engaged(Unit(position, row))
        and not rout.has_fled(Unit(position, row))
    ]


@rule("3.3.2/disengaged")
def drop_if_untouched(unit: Unit, units: Sequence[int]) -> None:
    """Drop a unit out of the combat if after its pile-in it touches no enemy of it."""
    foes = [foe for foe in handles(unit.position, units) if foe.side != unit.side and combat.can_be_engaged(foe)]
    if unit.marks(COMBAT) and not any(combat.is_touching(unit, foe) for foe in foes):
        unit.position.write("disengaged", unit=unit.row)
        combat.leave(unit)


@rule("3.3.2/disengaged")
def drop_the_untouched(position: Position, units: Sequence[int]) -> None:
    """Free all units that touch no enemy after both sides have piled in."""
    for unit in handles(position, units):
        if members(unit):
            drop_if_untouched(unit, units)


Stage = Callable[[Position, Fight], Awaitable[Fight | None]]

STAGES: dict[str, Stage] = {
    REGAIN: regain,
    CHOOSE: choose_attacks,
    STRIKE: strike_step,
    RESULT: settle_result,
    PILE: pile_in_all,
    LEAVE: end_fight,
}
