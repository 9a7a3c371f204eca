"""Units that are redeployed, move, go into Reserves, are set up again, or are replaced."""

from __future__ import annotations

from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.barring import MORE_THAN, nothing
from campale.mechanics.moves.contact import ContactSearch
from campale.mechanics.moves.move_paths import Barred
from campale.mechanics.moves.unit_moves import Movement, as_paths, is_lawful, staying
from campale.referee.ask import ask, choose
from campale.referee.position import RESERVE, Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import Deed, Use
from campale.rulesets.w10.abilities.uses import use_up
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.armies.amounts import amount
from campale.rulesets.w10.basics.attached import what_is_left
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.levels import solids
from campale.rulesets.w10.basics.units import (
    ENGAGEMENT,
    NO_CHARGE,
    between,
    components,
    is_engaged,
    is_of_aircraft,
    members,
    units_of,
)
from campale.rulesets.w10.battle.deployment import deploy_unit
from campale.rulesets.w10.charge.contact import Duty, contact_question, mended
from campale.rulesets.w10.movement.moves import (
    Cites,
    barred_for,
    blocks,
    go,
    goals_for,
    is_held,
    is_locked,
    let_enemy_answer,
    movement_of,
    moving,
)
from campale.rulesets.w10.movement.repositioned import has_place, into_reserves, replace_unit, set_up_again
from campale.rulesets.w10.movement.transports import may_embark
from campale.table.shapes import TOLERANCE

SURGE = "D6"
SURGING = Cites("i/as-close-as-possible", "core-concepts/engagement-forbidden")


def may_go(use: Use, effect: Effect) -> bool:
    """True if a unit is on the table and not engaged: abilities do not move engaged units."""
    return bool(members(use.unit)) and not is_engaged(use.unit)


# ---------------------------------------------------------------- r/redeploy


@rule("r/redeploy")
def has_units(use: Use, effect: Effect) -> bool:
    return bool(units_of(use.position, use.side))


@rule("r/redeploy")
async def redeploy(use: Use, effect: Effect) -> None:
    """Remove one unit and deploy it again under the usual rules."""
    position = use.position
    row = await choose(use.side, "redeploy-unit", [one.row for one in units_of(position, use.side)], of="unit")
    unit = Unit(position, int(row))
    for model in members(unit):
        position.take_off(model, RESERVE)
    await deploy_unit(unit)


# ---------------------------------------------------------------- moves


@rule("i/the-phase", "stratagems/fire-overwatch", "core-abilities/leader-split")
async def move(use: Use, effect: Effect) -> None:
    """Make a Normal move of the given distance; the enemy may answer before and after, as to any Normal move."""
    position, parts = use.position, components(use.unit)
    await let_enemy_answer(use.unit)
    for one in what_is_left(position, parts):
        if not is_held(one):
            await move_so_far(one, float(use.one.ability.inches or 0.0))


@rule("movement-phase/normal-move", "transports/embark")
async def move_so_far(unit: Unit, far: float) -> None:
    """Move, and embark after it; the unit then declares no charge this turn."""
    models = members(unit)
    movement = movement_of(unit, far)
    question = unit_move_question(unit, models, "normal-move", movement, lambda: goals_for(unit))
    go(unit, as_paths(models, await ask(question), movement.reads), "normal-move")
    unit.mark(NO_CHARGE, 1)
    await let_enemy_answer(unit)
    if members(unit) and not is_locked(unit):
        await may_embark(unit)


@rule("i/as-close-as-possible", "i/as-close-already", "m/closest")
async def surge(use: Use, effect: Effect) -> None:
    """Move as close as possible to the closest enemy unit, into contact if possible; it may end engaged with it."""
    unit, position = use.unit, use.position
    far = float(await rolled(use.side, "surge", amount(SURGE), unit=unit.row))
    if not position.on_table(1 - use.side):
        return
    closest = await closest_unit(unit)
    search = ContactSearch(unit, members(unit), members(closest), surging(unit, closest, far))
    duty = Duty(search, "i/as-close-as-possible", near=True)
    begun = search.best() or staying(search.models)
    witness = mended(duty, begun) if is_lawful(unit, search.models, search.movement, begun) else begun
    answer = await ask(contact_question(duty, "surge", witness, may_stay=True))
    go(unit, as_paths(members(unit), answer, search.movement.reads), "surge")


@rule("m/closest")
async def closest_unit(unit: Unit) -> Unit:
    """The closest enemy unit; the owner chooses among several that are equally close."""
    gaps = {
        enemy.row: min(between(m.solid, own.solid) for m in members(enemy) for own in members(unit))
        for enemy in units_of(unit.position, 1 - unit.side)
    }
    rows = [row for row, far in gaps.items() if far <= min(gaps.values()) + TOLERANCE]
    return Unit(unit.position, int(await choose(unit.side, "closest-unit", rows, of="unit", unit=unit.row)))


def surging(unit: Unit, closest: Unit, far: float) -> Movement:
    """The movement of a surge: it may end engaged with the closest enemy unit, but no other."""

    def keeps_off(model: Model, other: Model) -> float | None:
        if other.side == model.side or other.unit.row == closest.row:
            return 0.0
        return ENGAGEMENT + MORE_THAN

    def passing(model: Model, other: Model) -> float | None:
        if other.side != model.side:
            return None if is_of_aircraft(other) else keeps_off(model, other)
        return 0.0 if blocks(model, other) else None

    def end(model: Model, z: float | None = None) -> Barred:
        return barred_for(model, f"surge-{closest.row}", keeps_off, solids, z)

    def way(model: Model, z: float | None = None) -> Barred:
        return barred_for(model, f"surging-{closest.row}", passing, nothing, z)

    return moving(unit, far, way, end, cites=SURGING)


# ---------------------------------------------------------------- repositioned, replaced


@rule("repositioned/definition")
async def vanish(use: Use, effect: Effect) -> None:
    into_reserves(use.unit)


@rule("repositioned/definition", "repositioned/reserves-rules")
def has_another_place(use: Use, effect: Effect) -> bool:
    return may_go(use, effect) and has_place(use.unit, is_new=False)


async def step_aside(use: Use, effect: Effect) -> None:
    await set_up_again(use.unit)


@rule("replaced/definition", "replaced/reserves-rules")
def has_new_place(use: Use, effect: Effect) -> bool:
    return may_go(use, effect) and has_place(use.unit, is_new=True)


async def relieve(use: Use, effect: Effect) -> None:
    """Replace a unit; the new one cannot use the ability again."""
    new = (await replace_unit(use.unit))[use.bearer.bought_with.row]
    first = next((m.row for m in new.bought), use.one.row)
    use_up(use.position, use.one._replace(row=first))


DEEDS = {
    "redeploy": Deed(has_units, redeploy),
    "move": Deed(may_go, move),
    "surge": Deed(may_go, surge),
    "reserves": Deed(may_go, vanish),
    "set-up-again": Deed(has_another_place, step_aside),
    "replace": Deed(has_new_place, relieve),
}
