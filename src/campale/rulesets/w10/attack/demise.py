"""Deadly Demise: models that may explode when destroyed (core-abilities/deadly-demise)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import roll
from campale.referee.position import FALLEN, Model, Position
from campale.referee.rule import rule
from campale.rulesets.w10.armies.amounts import Amount, amount
from campale.rulesets.w10.attack.allocation import close_queue
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.attack.destruction import FELL, fallen, is_stand_in
from campale.rulesets.w10.basics.attached import separate_all
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.units import between, members, units_of, within

EXPLODES, RADIUS = 6, 6.0


async def see_to_fallen(position: Position) -> None:
    """Let destroyed models act that may, then roll for Deadly Demise, until nothing more comes of it."""
    while fallen(position):
        if any(model.where == FALLEN for model in fallen(position)):
            await position.ruleset.book.last_deeds(position)
        await explode_all(position)


async def harm_over(position: Position) -> None:
    """End losses that no attack has caused: what comes of them, and the order in which models took them."""
    await see_to_fallen(position)
    close_queue(position)
    separate_all(position)


@rule("core-abilities/deadly-demise")
async def explode_all(position: Position) -> None:
    """Resolve Deadly Demise and wrecked TRANSPORTS for all destroyed models, including those that explosions destroy.

    Models that may still act before they are removed wait.
    """
    while models := [m for m in fallen(position) if m.where != FALLEN]:
        waiting = tuple(m.row for m in fallen(position) if m.where == FALLEN)
        position.declare(FELL, (*waiting, *(m.row for m in models[1:])) or None)
        if models[0].profile.can("deadly-demise"):
            await explode(models[0])
        if models[0].profile.capacity:
            await position.ruleset.book.wrecked(models[0])


@rule("core-abilities/deadly-demise")
async def explode(model: Model) -> None:
    """On a 6 every unit within 6 inches suffers mortal wounds, rolled separately for each unit."""
    face = (await roll(model.side, "deadly-demise", 1, needed=Need(EXPLODES), model=model.row)).total
    if face < EXPLODES:
        return
    position = model.position
    for side in (model.side, 1 - model.side):
        for unit in units_of(position, side):
            if not is_stand_in(unit) and any(within(between(model.solid, m.solid), RADIUS) for m in members(unit)):
                points = await rolled(model.side, "explosion", demise_of(model), unit=unit.row)
                await mortal_wounds(unit, points, model.row, "explosion")


@rule("core-abilities/deadly-demise")
def demise_of(model: Model) -> Amount:
    """The X of Deadly Demise X."""
    written = next(one for one in model.profile.abilities if one.startswith("deadly-demise"))
    return amount(written.partition(" ")[2] or "1")
