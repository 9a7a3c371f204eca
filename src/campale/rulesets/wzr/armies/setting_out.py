"""The first position: both forces off the table, the ground, and the agreed terms."""

from __future__ import annotations

from itertools import product

from msgspec.structs import replace

from campale.mechanics.armies.faults import points_agreed
from campale.mechanics.armies.force import add_model, add_unit
from campale.mechanics.display import wounds_left
from campale.mechanics.setup.agreed import (
    BY_LOT,
    BY_PLAYERS,
    mission_agreed,
    pieces_agreed,
    scenery_agreed,
)
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup
from campale.rulesets.wzr.armies.army import CAP, armies
from campale.rulesets.wzr.armies.forces import FORCES, Force, SquadSpec
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import MISSIONS
from campale.rulesets.wzr.battle.scenery import LAYOUTS, layout_named, table_size
from campale.rulesets.wzr.cards.building import deck_for
from campale.rulesets.wzr.cards.decks import is_advanced, lay_deck
from campale.rulesets.wzr.vehicles.locations import first, named, ps_left
from campale.table.terrain import Ground


@rule("army/points", "setup/sequence", "setup/table", "setup/modes", "missions/choose", "cards/deck-per-player")
def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """The position before the battle. Raises SetupError naming what is wrong."""
    agreed, scenery = setup.agreed, scenery_agreed(setup.agreed)
    points = points_agreed(agreed, "army/points")
    cap = CAP if points is None else points
    size = table_size(cap)
    pieces = pieces_agreed(scenery, (BY_LOT, BY_PLAYERS), LAYOUTS.names(), lambda name: layout_named(name, size[0]))
    position = Position(ruleset, Ground(*size, pieces))
    position.now.update(turn=0, round=0, phase="mission", last=-1, activation=0, scenery=scenery)
    if mission := mission_agreed(agreed, MISSIONS):
        position.now["mission"] = mission
    for side, force in armies(ruleset.options).fielded(setup):
        enlist(position, side, force)
        if is_advanced(position):
            lay_deck(position, side, deck_for(force))
    return position


@rule("army/points", "cards/deck-build")
def setup_seen_by(side: int | None, setup: Setup) -> Setup:
    """The setup that a side may see: all lists, but only its own deck."""
    shown = (
        plain if owner == side else {key: one for key, one in plain.items() if key != "deck"}
        for owner, plain in enumerate(setup.forces)
    )
    return replace(setup, forces=tuple(shown))


@rule("squads/composition", "squads/commander", "abilities/specialist-choice")
def enlist(position: Position, side: int, force: Force) -> None:
    """Add a force's squads in order, off the table, with each Specialist in the squad it has joined.

    A single model that a Specialist joins becomes the Commander of that squad of two.
    """
    units = [added(position, side, spec) for spec in force.units]
    first = {unit.row: next(m for m in position.models if m.unit == unit) for unit in units}
    for unit, spec in zip(units, force.units, strict=True):
        if spec.joins is not None:
            first[units[spec.joins].row].mark(marks.COMMANDER, 1, quietly=True)
            for model in [m for m in position.models if m.unit == unit]:
                position.join(model, units[spec.joins])
                model.mark(marks.SPECIALIST, 1, quietly=True)


@rule("squads/composition", "squads/commander", "army/slots")
def added(position: Position, side: int, spec: SquadSpec) -> Unit:
    """Add a squad, noting its starting number, cost and slot. The first of several models is the Commander."""
    unit = add_unit(position, side, spec.title)
    unit.jot(marks.SLOT, spec.kind.slot)
    unit.mark(marks.START, len(spec.profiles))
    unit.mark(marks.POINTS, spec.points)
    for k, profile in enumerate(spec.profiles):
        model = add_model(unit, profile)
        model.mark(marks.COMMANDER, int(k == 0 and len(spec.profiles) > 1), quietly=True)
    return unit


def health(model: Model) -> tuple[int, int]:
    """Wounds left and in all. For a vehicle: the PS of the location whose loss destroys it."""
    if not model.profile.is_vehicle:
        return wounds_left(model, int(model.profile.w))
    body = first(model)
    return ps_left(model, body), named(model, body).ps


@rule(
    "starter-forces/armies",
    "starter-forces/exercise-one",
    "starter-forces/exercise-two",
    "starter-forces/exercise-three",
)
def starters() -> tuple[Setup, ...]:
    """The two ready armies, then the two that try everything, then the drop, over all missions and layouts."""
    layouts = (*LAYOUTS.names(), BY_LOT)
    pairs = (
        ("megacorporation", "dark-legion"),
        ("exercise-megacorporation", "exercise-dark-legion"),
        ("drop-megacorporation", "dark-legion"),
    )
    plays = [(pair, mission) for mission, pair in product(MISSIONS, pairs)]
    return tuple(
        Setup(
            "wzr",
            {},
            (FORCES.plain(one), FORCES.plain(other)),
            {"mission": mission, "scenery": layouts[k % len(layouts)], "points": FORCES.named(one).points},
        )
        for k, ((one, other), mission) in enumerate(plays)
    )
