"""Units taken off and set up again, and units that replace others (repositioned/*, replaced/*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campale.mechanics.setup.drawing_up import DrawingUp, deploy_question, drawn_up, set_down
from campale.mechanics.setup.edges import INWARD, edge_of, strip, whole_table
from campale.mechanics.setup.laying import grid
from campale.mechanics.units import riders_of
from campale.referee.ask import ask
from campale.referee.position import GONE, RESERVE, Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.attached import attach
from campale.rulesets.w10.basics.coherency import LINK
from campale.rulesets.w10.basics.levels import heights_of, spots_upstairs
from campale.rulesets.w10.basics.units import (
    ARRIVED,
    HOVERS,
    LEFT_IN,
    MOVED,
    NAME_IT,
    PICKED,
    POINTS,
    RESERVES,
    START,
    STATIONARY,
    components,
)
from campale.rulesets.w10.basics.units import members as on_table
from campale.rulesets.w10.movement.reserves import (
    AWAY,
    STRATEGIC,
    STRIP,
    facings_for,
    field_of,
    misplaced,
    nearest,
)
from campale.rulesets.w10.movement.transports import board
from campale.rulesets.w10.windows.windows import open_window
from campale.table.room import Area

GRAIN = 3.0


def zone_for(unit: Unit, is_new: bool) -> Area:
    """The whole table; for a new unit the strip along its own edge."""
    ground = unit.position.ground
    return strip(ground, edge_of(unit.position, unit.side), STRIP) if is_new else whole_table(ground)


@rule("repositioned/reserves-rules", "replaced/reserves-rules")
def placing(unit: Unit, models: Sequence[Model], zone: Area) -> DrawingUp:
    """Placement more than 9 inches from all enemies, as for arrivals from Reserves."""
    tried = nearest(unit, [(x, y) for x, y, _ in grid(zone, GRAIN, (0.0,))])
    edge, refuses = edge_of(unit.position, unit.side), partial(misplaced, models, zone)
    upstairs = partial(spots_upstairs, models, tried[0], INWARD[edge], field_of)
    turned = facings_for(models, INWARD[edge])
    return DrawingUp(models, zone, edge, field_of(models[0]), refuses, tried=tried, upstairs=upstairs, turned=turned)


def has_place(unit: Unit, is_new: bool) -> bool:
    """True if there is a place for the models of a unit, or of a new one; kept until something moves."""
    kept, key = unit.position.layout, ("set-up-again", unit.row, is_new)
    if key not in kept:
        models = at_full_strength(unit) if is_new else on_table(unit)
        kept[key] = next(drawn_up(placing(unit, models, zone_for(unit, is_new))), None) is not None
    return bool(kept[key])


@rule("replaced/definition", "command-phase/attached-starting-strength")
def at_full_strength(unit: Unit) -> list[Model]:
    """All models that a unit was bought with, destroyed or not; in an attached unit also those of its Leaders."""
    rows = components(unit)
    return sorted(
        (m for m in unit.position.models if m.bought_with.row in rows), key=lambda m: rows.index(m.bought_with.row)
    )


# ---------------------------------------------------------------- repositioned/*


@rule("repositioned/definition", "repositioned/any-unit-in-movement")
async def set_up_again(unit: Unit) -> None:
    """Take a unit off the table and set it up again at once."""
    models = on_table(unit)
    for model in models:
        unit.position.take_off(model, RESERVE)
    await set_up(unit, models, is_new=False)


@rule(
    "repositioned/normal-move",
    "repositioned/reserves-rules",
    "s/set-up",
    "repositioned/no-healing",
    "transports/disembark-reserves",
)
async def set_up(unit: Unit, models: Sequence[Model], is_new: bool) -> None:
    """Set a unit up; for the rest of the phase it has made a Normal move, and wounded models stay wounded.

    Its passengers get out as from a TRANSPORT that has arrived. Set up in the Command phase, it may move afterwards.
    """
    drawing = placing(unit, models, zone_for(unit, is_new))
    shown = {"coherency": LINK, "away": AWAY, "levels": heights_of(unit.position)}
    set_down(models, await ask(deploy_question(drawing, "set-up-again", {"unit": unit.row}, **shown)))
    for fact in () if unit.position.now["phase"] == "command" else (PICKED, MOVED, ARRIVED):
        unit.mark(fact, 1)
    unit.mark(STATIONARY, 0)
    await open_window(unit.position, "enemy-moves", mover=unit.row)


@rule("repositioned/definition", "repositioned/persisting")
def into_reserves(unit: Unit) -> None:
    """Put a unit into Strategic Reserves; effects given to it persist."""
    for model in on_table(unit):
        unit.position.take_off(model, RESERVE)
    unit.jot(RESERVES, STRATEGIC)
    unit.jot(LEFT_IN, int(unit.position.now["turn"]))


# ---------------------------------------------------------------- replaced/*


@rule("replaced/definition", "replaced/any-unit-in-movement")
async def replace_unit(unit: Unit) -> dict[int, Unit]:
    """Replace a unit by a new one at full strength, without damage, effects or used abilities.

    An attached unit is one unit: its Leaders are replaced with it, and lead the new one. Passengers stay aboard, now
    of the new TRANSPORT. Removing the old unit triggers nothing. Return the new component for the row of each old one.
    """
    position, old = unit.position, at_full_strength(unit)
    new = {row: new_component(Unit(position, row)) for row in components(unit)}
    models = [same_again(m, new[m.bought_with.row]) for m in old]
    for leader in [one for row, one in new.items() if row != unit.row]:
        attach(leader, new[unit.row])
    for model, fresh in zip(old, models, strict=True):
        board(riders_of(model), fresh)
    for model in on_table(unit):
        position.take_off(model, GONE)
    await set_up(new[unit.row], models, is_new=True)
    return new


@rule("replaced/definition", "core-abilities/hover")
def new_component(unit: Unit) -> Unit:
    """A new unit of the same name, size and price; Hover mode is for the whole battle."""
    new = unit.position.add_unit(unit.name, unit.side)
    new.jot(NAME_IT, unit.note(NAME_IT))
    for name in (START, POINTS, HOVERS):
        new.mark(name, unit.marks(name))
    return new


def same_again(model: Model, new: Unit) -> Model:
    copied = model.position.add_model(model.name, model.profile, model.side, new, RESERVE)
    copied.jot(NAME_IT, model.note(NAME_IT))
    return copied
