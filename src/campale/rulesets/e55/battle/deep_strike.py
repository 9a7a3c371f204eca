"""Deep strike (10.5): the point of arrival, the die, the drift, the fixed places around the point."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.moves.crowd import crowd, is_legal
from campale.mechanics.moves.placing import Putting, Spot, first_room, lattice, place_question, set_down
from campale.mechanics.setup.edges import facing_inward
from campale.referee.ask import ask, roll
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.battle.arrival import has_arrived
from campale.rulesets.e55.battle.deployment import waiting
from campale.rulesets.e55.definitions.dice import needed, random_direction
from campale.rulesets.e55.definitions.footprints import shape
from campale.rulesets.e55.definitions.units import bar_from_charge, members
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.movement_phase.placing import PLACING
from campale.rulesets.e55.unit_types import flying, special
from campale.rulesets.e55.vehicles import transports
from campale.table.measure import bounding_radius
from campale.table.shapes import Point, heading, rounded

LANDS_ON = 5
DRIFT = 2.0
CAUSE = "deep-strike"
HAZARDOUS = "hazardous-deep-strike"


@rule("10.5/deep-strike")
async def strike(unit: Unit) -> None:
    """Let the owner name the point and place the unit; models without a place are lost.

    The unit has moved, and cannot charge in this turn.
    """
    putting = Putting(PLACING, unit, tuple(waiting(unit)))
    spot = await name_point(putting)
    landed = None
    if is_hazardous(putting):
        landed = await scattered(putting, spot)
    if landed is None:
        landed = list(zip(putting.models, crowd(putting, spot), strict=False))
    set_down([model for model, _ in landed], [at for _, at in landed])
    lose_the_rest(putting, {model.row for model, _ in landed})
    await settle(unit)


@rule("10.5/hazardous-deep-strike")
def is_hazardous(putting: Putting) -> bool:
    """Return whether a die decides where a unit lands: only with this rule in addition to deep strike."""
    return any(special.has(model, HAZARDOUS) for model in putting.models)


@rule("10.5/hazardous-deep-strike")
async def scattered(putting: Putting, spot: Spot) -> list[tuple[Model, Spot]] | None:
    """Return where the models land if they miss their point; None on 5+, if they hit it."""
    unit = putting.unit
    die = await roll(unit.side, "deep-strike", needed=needed(LANDS_ON), total=True, unit=unit.row)
    return None if die.successes else scattered_about(putting, await drifted(unit, spot, die.total))


async def name_point(putting: Putting) -> Spot:
    """Ask for a point anywhere on the table where the first model may stand."""
    unit, first = putting.unit, putting._replace(models=putting.models[:1])
    question = place_question(first, "deep-strike-at", all_over(unit), facing_of(unit), alone=True)
    x, y, turned = (await ask(question))[0]
    return x, y, turned


def has_point(unit: Unit) -> bool:
    """Return whether there is room anywhere for the first model."""
    first = Putting(PLACING, unit, tuple(waiting(unit)[:1]))
    return first_room(first, all_over(unit), facing_of(unit)) is not None


def all_over(unit: Unit) -> list[Point]:
    return lattice((0.0, 0.0, unit.position.ground.width, unit.position.ground.depth), 4.0)


def facing_of(unit: Unit) -> float:
    return facing_inward(unit.position, unit.side)


@rule("10.5/hazardous-deep-strike")
async def drifted(unit: Unit, spot: Spot, die: int) -> Spot:
    """Move the point 2 inches times the die in a random direction."""
    ahead_x, ahead_y = heading(await random_direction(unit.side, "deep-strike-drift", unit=unit.row))
    far = DRIFT * die
    moved = rounded(spot[0] + far * ahead_x), rounded(spot[1] + far * ahead_y), spot[2]
    unit.position.write("drift", unit=unit.row, x=moved[0], y=moved[1], inches=far)
    return moved


@rule("10.5/hazardous-deep-strike")
def fixed_places(putting: Putting, point: Spot) -> Iterator[Spot]:
    """Yield the point, then rings of touching bases around it: 6, 12, ... places evenly spaced, clockwise from +y."""
    yield point
    wide = 2.0 * max(bounding_radius(shape(model.profile)) for model in putting.models) + 0.0002
    left, ring = len(putting.models) - 1, 1
    while left > 0:
        for k in range(6 * ring):
            ahead_x, ahead_y = heading(360.0 * k / (6 * ring))
            yield rounded(point[0] + wide * ring * ahead_x), rounded(point[1] + wide * ring * ahead_y), point[2]
        left, ring = left - 6 * ring, ring + 1


@rule("10.5/hazardous-deep-strike")
def scattered_about(putting: Putting, point: Spot) -> list[tuple[Model, Spot]]:
    """Return the models in order, each with the next of the fixed places that is legal."""
    left, landed = list(putting.models), list[tuple[Model, Spot]]()
    for spot in fixed_places(putting, point):
        if left and is_legal(putting, left[0], spot, [at for _, at in landed]):
            landed.append((left.pop(0), spot))
    return landed


@rule("10.5/hazardous-deep-strike", "1.1/casualty")
def lose_the_rest(putting: Putting, landed: set[int]) -> None:
    for model in putting.models:
        if model.row not in landed:
            for inside in transports.passengers(model):
                casualties.lose(inside, CAUSE)
            casualties.lose(model, CAUSE)


@rule("10.5/deep-strike", "7.14/aircraft-mode")
async def settle(unit: Unit) -> None:
    """Mark the arrivals as moved and barred from charging; an aircraft flies."""
    has_arrived(unit)
    bar_from_charge(unit, "10.5/deep-strike")
    for inside in (one for model in members(unit) for one in transports.units_inside(model)):
        bar_from_charge(inside, "10.5/deep-strike")
    if members(unit):
        await flying.declare_first_mode(unit, by_deep_strike=True)
    await casualties.settle(unit.position)
