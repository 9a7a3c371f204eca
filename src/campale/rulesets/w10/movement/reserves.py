"""Reserves: the Reinforcements step, Deep Strike, Strategic Reserves (movement-phase/reinforcements-*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from campale.mechanics.answers import DONE
from campale.mechanics.moves.barring import MORE_THAN
from campale.mechanics.moves.coherency import on_each_other
from campale.mechanics.setup.drawing_up import (
    DrawingUp,
    Spot,
    at,
    barred,
    deploy_question,
    drawn_up,
    outside,
    set_down,
    standing,
)
from campale.mechanics.setup.edges import INWARD, OPPOSITE, SOUTH, edge_of, strip, whole_table
from campale.mechanics.setup.laying import grid
from campale.mechanics.units import members
from campale.referee.ask import ask, choose
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import bars_arrivals
from campale.rulesets.w10.abilities.moments import uses_at
from campale.rulesets.w10.basics.coherency import LINK, are_coherent
from campale.rulesets.w10.basics.dice import leadership_test
from campale.rulesets.w10.basics.levels import heights_of, on_no_floor, solids, spots_meant, spots_upstairs
from campale.rulesets.w10.basics.markers import rule_of_base
from campale.rulesets.w10.basics.units import (
    ARRIVED,
    LEFT_IN,
    MOVED,
    NO_CHARGE,
    PICKED,
    RESERVES,
    SHOCKED,
    SHOT,
    is_below_half,
    units_off_table,
    within,
)
from campale.rulesets.w10.movement.moves import ANY_HEIGHT, barred_for
from campale.rulesets.w10.movement.transports import OUT, disembark, to_leave_arrivals
from campale.rulesets.w10.windows.windows import open_window
from campale.table.fields import Field
from campale.table.measure import bounding_radius, extent, gap, narrowest
from campale.table.room import Area
from campale.table.shapes import Circle, Point, Solid

DEEP_STRIKE, STRATEGIC = "deep-strike", "strategic"
AWAY = 9.0
STRIP = 6.0
EARLIEST, ANYWHERE = 2, 3
STEP = 3.0
TURNS = (90.0, 45.0, 135.0)
TOUCHING = 0.01
"""A model this near to an edge, in inches, counts as touching it."""
HEIGHT = 2.0
EDGES = ("south", "north", "west", "east")
ZONE = 10.0


# ---------------------------------------------------------------- who may arrive


@rule("u/reserves-unit")
def in_reserves(position: Position, side: int) -> list[Unit]:
    rows = units_off_table(position, side)
    return [unit for unit in (Unit(position, row) for row in rows) if unit.note(RESERVES)]


@rule("movement-phase/reinforcements-step", "strategic-reserves/arrive", "core-abilities/deep-strike", "aircraft/leave")
def may_arrive(unit: Unit) -> bool:
    """True if a unit may arrive: by Deep Strike in any round, otherwise from round 2; and if there is a place.

    A unit that has left the table does not come back before the next turn of its side.
    """
    is_early = unit.note(RESERVES) == STRATEGIC and int(unit.position.now["round"]) < EARLIEST
    has_just_left = unit.note(LEFT_IN) is not None and not has_had_a_turn(unit)
    return not is_early and not has_just_left and any(has_place(unit, area) for area in areas_of(unit))


@rule("aircraft/leave", "stratagems/rapid-ingress")
def has_had_a_turn(unit: Unit) -> bool:
    """True if a turn of its side has begun since the unit left the table."""
    turns = range(int(unit.note(LEFT_IN) or 0) + 1, int(unit.position.now["turn"]) + 1)
    return any(side_of_turn(unit.position, turn) == unit.side for turn in turns)


def waiting_models(unit: Unit) -> list[Model]:
    return members(unit, (RESERVE,))


@rule(
    "strategic-reserves/set-up-round-2",
    "strategic-reserves/set-up-round-3",
    "core-abilities/deep-strike",
    "b/battlefield-edge",
)
def areas_of(unit: Unit) -> dict[str, Area]:
    """The areas where a unit may be set up, by name: the whole table, or the strip along each edge."""
    ground = unit.position.ground
    anywhere = {DEEP_STRIKE: whole_table(ground)} if may_deep_strike(unit) else {}
    if unit.note(RESERVES) == DEEP_STRIKE:
        return anywhere
    if is_oversize(waiting_models(unit), STRIP):
        own = edge_of(unit.position, unit.side)
        deepest = max(2.0 * bounding_radius(m.profile.shape) for m in waiting_models(unit))
        return {own: strip(ground, own, deepest + TOUCHING), **anywhere}
    return {**{edge: strip(ground, edge, STRIP) for edge in EDGES}, **anywhere}


@rule("a/deep-strike-from-strategic-reserves", "core-abilities/deep-strike", "u/reserves-abilities")
def may_deep_strike(unit: Unit) -> bool:
    """True if the unit waits in Deep Strike, or every model has the ability, whichever kind of Reserves it is in.

    The round from which Strategic Reserves may arrive does not change.
    """
    return unit.note(RESERVES) == DEEP_STRIKE or all(m.profile.can(DEEP_STRIKE) for m in waiting_models(unit))


@rule("s/deploy-oversize")
def is_oversize(models: Sequence[Model], depth: float) -> bool:
    """True if a model is too large to be wholly within a strip, however it is turned.

    It is set up touching its own battlefield edge.
    """
    return max((narrowest(m.profile.shape) for m in models), default=0.0) > depth


@rule("s/deploy-oversize-turn")
def stay_put(unit: Unit) -> None:
    """Bar a unit from shooting and charging this turn; it has already moved."""
    for fact in (SHOT, NO_CHARGE):
        unit.mark(fact, 1)


@rule("repositioned/battle-shock", "t/battle-shock-extra")
async def test_late(unit: Unit) -> None:
    """Take the battle-shock test of a unit that was away in its Command phase and is Below Half-strength."""
    was_away = unit.note(LEFT_IN) is not None and has_had_a_turn(unit)
    unit.jot(LEFT_IN, None)
    if was_away and is_below_half(unit) and not unit.marks(SHOCKED):
        passed = await leadership_test(unit, "battle-shock")
        unit.mark(SHOCKED, int(not passed))


def side_of_turn(position: Position, turn: int) -> int:
    first = int(position.now["first"])
    return first if turn % 2 == 1 else 1 - first


def has_place(unit: Unit, area: str) -> bool:
    """True if a unit has a place in an area; kept until something moves."""
    kept, key = unit.position.layout, ("arrival", unit.row, area, int(unit.position.now["round"]))
    if key not in kept:
        kept[key] = next(drawn_up(drawing_up(unit, area)), None) is not None
    return bool(kept[key])


# ---------------------------------------------------------------- arriving


@rule(
    "movement-phase/reinforcements-step",
    "a/arriving",
    "transports/disembark-reserves",
    "repositioned/any-unit-in-movement",
    "replaced/any-unit-in-movement",
)
async def reinforcements(position: Position, side: int) -> bool:
    """One unit arrives, disembarks from a TRANSPORT that has arrived, or uses an ability of the Movement phase.

    Return whether more may follow.
    """
    able = may_do(position, side)
    if not able:
        return False
    uses = {use.key: use for use in uses_at(position, side, "movement", {})}
    odds: dict[Plain, float] = {DONE: 0.3, **dict.fromkeys(uses, 0.1)}
    options = dict.fromkeys([*able, *uses, DONE])
    chosen = await choose(side, "reinforcements", list(options), of="act", odds=odds)
    if chosen == DONE:
        return False
    if chosen in uses:
        await position.ruleset.book.perform(uses[chosen])
    elif isinstance(chosen, tuple):
        await disembark(Unit(position, int(chosen[1])))
    else:
        unit = Unit(position, int(chosen))
        await arrive(unit)
        unit.mark(ARRIVED, 1)
    return bool(may_do(position, side))


def may_do(position: Position, side: int) -> list[Plain]:
    """The rows of units that may arrive, units that may disembark, and abilities of arrived units."""
    able: list[Plain] = [unit.row for unit in in_reserves(position, side) if may_arrive(unit)]
    able += [(OUT, unit.row) for unit in to_leave_arrivals(position, side)]
    return able + [use.key for use in uses_at(position, side, "movement", {}) if use.unit.marks(ARRIVED)]


@rule("u/reserves-normal-move", "movement-phase/reinforcements-act", "s/set-up")
async def arrive(unit: Unit) -> None:
    """Set up a unit from Reserves; it counts as having made a Normal move, and may shoot, charge and fight."""
    open_ = [area for area in areas_of(unit) if has_place(unit, area)]
    area = await choose(unit.side, "arrives-at", open_, of="arrival", unit=unit.row)
    models, drawing = waiting_models(unit), drawing_up(unit, str(area))
    shown = {"coherency": LINK, "away": AWAY, "levels": heights_of(unit.position)}
    there = await ask(deploy_question(drawing, "arrive", {"unit": unit.row}, **shown))
    unit.jot(RESERVES, None)
    set_down(models, there)
    unit.mark(PICKED, 1)
    unit.mark(MOVED, 1)
    if is_oversize(models, STRIP) and area != DEEP_STRIKE:
        stay_put(unit)
    await test_late(unit)
    await open_window(unit.position, "enemy-moves", mover=unit.row)


def drawing_up(unit: Unit, area: str) -> DrawingUp:
    models, zone = waiting_models(unit), areas_of(unit)[area]
    edge = edge_of(unit.position, unit.side)
    turned = facings_for(models, INWARD[edge])
    tried = [(x, y) for x, y, _ in grid(zone, STEP if area == DEEP_STRIKE else 2.0, (0.0,))]
    if area != DEEP_STRIKE and is_oversize(models, STRIP):
        tried = touching(models, zone, edge, (INWARD[edge], *turned))
    places = nearest(unit, tried)
    upstairs = partial(spots_upstairs, models, places[0], INWARD[edge], field_of) if places else None
    refuses = partial(misplaced, models, zone)
    return DrawingUp(models, zone, edge, field_of(models[0]), refuses, tried=places, upstairs=upstairs, turned=turned)


def facings_for(models: Sequence[Model], inward: float) -> tuple[float, ...]:
    """The further facings in which models without round bases may find a place."""
    is_round = all(isinstance(m.profile.shape, Circle) for m in models)
    return () if is_round else tuple((inward + turn) % 360.0 for turn in TURNS)


def touching(models: Sequence[Model], zone: Area, edge: str, facings: Sequence[float]) -> list[Point]:
    """Places all along a battlefield edge where the largest model touches it, in one of some facings."""
    largest = max(models, key=lambda m: narrowest(m.profile.shape)).profile.shape
    boxes = [extent(Solid(largest, 0.0, 0.0, facing=facing)) for facing in facings]
    deep = dict.fromkeys(zone[1] - box[1] if edge == SOUTH else zone[3] - box[3] for box in boxes)
    return [(float(x), round(y, 4)) for y in deep for x in range(int(zone[0]), int(zone[2]))]


def nearest(unit: Unit, tried: Sequence[Point]) -> list[Point]:
    """Sort places by their distance from the closest marker."""
    tokens = unit.position.tokens

    def off(at: Point) -> float:
        return min(((at[0] - t.x) ** 2 + (at[1] - t.y) ** 2 for t in tokens), default=0.0)

    return sorted(tried, key=off)


@rule(
    "core-abilities/deep-strike",
    "strategic-reserves/set-up-round-2",
    "movement-phase/reinforcements-distance",
    "rule-priority/reinforcements",
)
def keeps_off_arriving(model: Model, other: Model) -> float | None:
    """Keep more than 9 inches in plan from every enemy model, or farther from those that bar Reinforcements."""
    return max(AWAY, bars_arrivals(other)) + MORE_THAN if other.side != model.side else 0.0


def field_of(model: Model, z: float = 0.0) -> Field:
    return barred_for(model, "arriving", keeps_off_arriving, solids, z, ANY_HEIGHT).field


# ---------------------------------------------------------------- restrictions on places


def misplaced(models: Sequence[Model], zone: Area, there: Sequence[Spot]) -> Refusal | None:
    spots = spots_meant(models[0].position, there)
    return first_refusal(RESTRICTIONS, models, standing(models, spots, HEIGHT), zone)


def rule_of_arrival(position: Position, zone: Area) -> str:
    """The rule by which a unit is set up in a zone."""
    if zone == whole_table(position.ground):
        return "core-abilities/deep-strike"
    is_early = int(position.now["round"]) < ANYWHERE
    return "strategic-reserves/set-up-round-2" if is_early else "strategic-reserves/set-up-round-3"


@rule("strategic-reserves/set-up-round-2", "strategic-reserves/set-up-round-3", "s/deploy-area")
def outside_the_strip(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    fault = outside(zone, models, solids_)
    return fault and replace(fault, rule=rule_of_arrival(models[0].position, zone))


@rule("s/deploy-oversize")
def off_its_edge(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    """A model too large for the strip touches its own battlefield edge; the others of its unit are within the strip."""
    position = models[0].position
    if zone == whole_table(position.ground) or not is_oversize(models, STRIP):
        return None
    edge = edge_of(position, models[0].side)
    for model, one in zip(models, solids_, strict=True):
        if is_oversize([model], STRIP):
            if not is_near_edge(one, strip(position.ground, edge, TOUCHING)):
                return Fault(at(one), model=model.row)
        elif fault := outside(strip(position.ground, edge, STRIP), [model], [one]):
            return fault
    return None


def is_near_edge(solid: Solid, thin: Area) -> bool:
    """True if a base reaches into a thin strip along an edge."""
    west, south, east, north = extent(solid)
    return west <= thin[2] and south <= thin[3] and east >= thin[0] and north >= thin[1]


@rule("strategic-reserves/set-up-round-2")
def in_the_enemy_zone(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    """In round 2 no part of a base may be in the enemy deployment zone, except for Deep Strike."""
    position = models[0].position
    if zone == whole_table(position.ground) or int(position.now["round"]) >= ANYWHERE:
        return None
    south, north = enemy_zone(position, models[0].side)
    for model, one in zip(models, solids_, strict=True):
        low, high = extent(one)[1], extent(one)[3]
        if low < north and high > south:
            return Fault((round(one.x, 2), round(one.y, 2)), model=model.row)
    return None


def enemy_zone(position: Position, side: int) -> tuple[float, float]:
    """The lowest and highest y of the enemy deployment zone."""
    _, south, _, north = strip(position.ground, OPPOSITE[edge_of(position, side)], ZONE)
    return south, north


@rule("terrain/ruins-movement", "terrain/hills")
def up_in_the_air(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    return on_no_floor(models, solids_)


@rule("terrain/barricades", "terrain/debris")
def on_an_obstacle(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    return barred(field_of, models, solids_, by_base=False)


@rule("core-abilities/deep-strike", "strategic-reserves/set-up-round-2", "rule-priority/reinforcements")
def too_near(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    """Models may not be set up within 9 inches of an enemy, or nearer than an enemy ability allows."""
    position = models[0].position
    for model, one in zip(models, solids_, strict=True):
        for enemy in position.on_table(1 - model.side):
            far, kept = gap(one, enemy.solid), bars_arrivals(enemy)
            if within(far, max(AWAY, kept)):
                by = rule_of_arrival(position, zone) if within(far, AWAY) else "rule-priority/reinforcements"
                return Fault(at(one), round(far, 2), max(AWAY, kept), enemy.row, rule=by)
    return None


@rule("movement-phase/moving-models", "objectives/marker")
def on_another_base(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    """Models may not be set up on another model, or on a marker."""
    fault = barred(field_of, models, solids_, by_base=True) or on_each_other(models, solids_)
    return fault and replace(fault, rule=rule_of_base(models[0].position, solids_))


@rule("core-concepts/unit-coherency", "s/set-up")
def scattered(models: Sequence[Model], solids_: Sequence[Solid], zone: Area) -> Fault | None:
    return None if are_coherent(solids_) else Fault(limit=LINK, model=models[0].row)


RESTRICTIONS = (
    outside_the_strip,
    off_its_edge,
    in_the_enemy_zone,
    up_in_the_air,
    on_an_obstacle,
    too_near,
    on_another_base,
    scattered,
)
