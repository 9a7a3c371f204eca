"""Rapid Deployment: squads that arrive from reserve anywhere on the table (abilities/rapid-deployment-*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from campale.dice.needs import Part
from campale.mechanics.frames import Procedure, drop, push
from campale.mechanics.setup.edges import facing_inward
from campale.mechanics.units import in_reserve, waiting
from campale.referee.ask import ask, order
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Aim, Place
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, parts
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import BEST, WORST, d20, needed, passes
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.close_combat.engaged import reach
from campale.rulesets.wzr.movement.ground import of_class
from campale.rulesets.wzr.movement.moves import bars
from campale.rulesets.wzr.shooting.templates import deviated
from campale.rulesets.wzr.squads.leadership import squad_need
from campale.rulesets.wzr.squads.morale import BEFORE_THE_END
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.squads.states import stun
from campale.rulesets.wzr.wounds.hits import automatic, hit_frames
from campale.table import fields
from campale.table.measure import bounding_radius, gap, overlaps_outline
from campale.table.shapes import Circle, Point, Solid, heading, rounded
from campale.table.terrain import Ground

ARRIVAL, DROP, DEVIATION, MISHAP, SET_DOWN, LANDED, ROUGH, SEEN = (
    "arrival",
    "drop-test",
    "drop-deviates",
    "drop-mishap",
    "drop-set-down",
    "drop-landed",
    "rough-landing",
    "arrival-seen",
)
LOST = "lost-in-deployment"
FAR, ST = 3.0, 10
DOUBLE = 16
DELAY, EMERGENCY, CRITICAL, DANGEROUS = "delay", "emergency", "critical", "dangerous"
CLEAN = "clean"
TABLE = ((5, DELAY), (10, EMERGENCY), (15, CRITICAL), (20, DANGEROUS))
STEP, FINE = 0.1, 3.0


# ---------------------------------------------------------------- squads in reserve


@rule("abilities/rapid-deployment-reserve")
def reserves(position: Position, side: int) -> list[int]:
    """The squads that may arrive now: those in reserve that have not tried in this turn."""
    held = [unit for unit in waiting(position, side) if unit.marks(marks.HELD_BACK)]
    return [unit.row for unit in held if not unit.marks(marks.ACTIVATED)]


def leader_of(unit: Unit) -> Model:
    """The Commander, even before any model of the squad is on the table."""
    models = [*members(unit), *in_reserve(unit)]
    return next((m for m in models if m.marks(marks.COMMANDER)), models[0])


# ---------------------------------------------------------------- the arrival point


def disc(leader: Model, at: Point) -> Solid:
    """A disc as wide as the Commander's base."""
    radius = bounding_radius(leader.profile.shape)
    return Solid(Circle(radius), at[0], at[1], 0.0, 0.0, leader.profile.height)


@rule("abilities/rapid-deployment-test", "abilities/rapid-deployment-mishap")
def beyond_the_edge(leader: Model, at: Point) -> Fault | None:
    """The disc must lie wholly on the table."""
    ground, size = leader.position.ground, bounding_radius(leader.profile.shape)
    inside = size <= at[0] <= ground.width - size and size <= at[1] <= ground.depth - size
    return None if inside else Fault(at, model=leader.row)


@rule("abilities/rapid-deployment-test", "abilities/rapid-deployment-mishap", "movement/impassable")
def is_taken(leader: Model, at: Point) -> Fault | None:
    free = fields.is_free(bars(leader, at_the_end=True, z=0.0).field, *at, leader.facing)
    return None if free else Fault(at, model=leader.row)


@rule("abilities/rapid-deployment-test", "abilities/rapid-deployment-mishap", "movement/no-accidental-engagement")
def is_in_a_reach(leader: Model, at: Point) -> Fault | None:
    """The disc may not lie in an enemy's CCWR, and no enemy may be in the Commander's."""
    solid = disc(leader, at)
    for enemy in leader.position.on_table(1 - leader.side):
        far = max(reach(enemy), reach(leader))
        if enemy.z < 1.0 and far >= 0.0 and within(gap(solid, enemy.solid), far):
            return Fault(at, model=enemy.row)
    return None


@rule("abilities/rapid-deployment-test", "movement/terrain-types")
def is_not_open(leader: Model, at: Point) -> Fault | None:
    """The chosen point must lie on open ground. After deviation it may lie on light or heavy ground."""
    return Fault(at, model=leader.row) if is_rough(leader.position.ground, disc(leader, at)) else None


def is_rough(ground: Ground, solid: Solid) -> bool:
    pieces = (*ground.kept(of_class("light")).pieces, *ground.kept(of_class("heavy")).pieces)
    return any(overlaps_outline(solid, piece.outline) for piece in pieces)


LEGAL: tuple[Restriction, ...] = (beyond_the_edge, is_taken, is_in_a_reach)
OPEN: tuple[Restriction, ...] = (*LEGAL, is_not_open)


@rule("abilities/rapid-deployment-test", "abilities/rapid-deployment-reserve")
async def arrival(position: Position, row: int) -> None:
    """The player marks the arrival point."""
    unit = Unit(position, row)
    leader = leader_of(unit)

    def refuses(point: Sequence[float]) -> Refusal | None:
        return first_refusal(OPEN, leader, (rounded(point[0]), rounded(point[1])))

    def suggests() -> Iterator[Plain]:
        return (list(at) for at in points_worth(leader) if refuses(at) is None)

    def samples(rng: Random) -> Plain:
        ground = position.ground
        for _ in range(40):
            point = [rounded(rng.uniform(1, ground.width - 1)), rounded(rng.uniform(1, ground.depth - 1))]
            if refuses(point) is None:
                return point
        return next(suggests())

    about: dict[str, Plain] = {"unit": row, "model": leader.row}
    x, y = (await ask(Aim(unit.side, ARRIVAL, refuses, samples, suggests, {}, about)))[:2]
    position.write("arrival-point", unit=row, x=rounded(x), y=rounded(y))
    push(position, (DROP, row, rounded(x), rounded(y)))


def points_worth(leader: Model) -> Iterator[Point]:
    """Points all over the table, those nearest to the markers (or to the middle) first."""
    ground = leader.position.ground
    grid = [
        (x * FINE, y * FINE) for x in range(1, int(ground.width / FINE)) for y in range(1, int(ground.depth / FINE))
    ]
    goals = [(token.x, token.y) for token in leader.position.tokens] or [(ground.width / 2, ground.depth / 2)]
    return iter(sorted(grid, key=lambda at: (min(math.dist(at, goal) for goal in goals), at)))


# ---------------------------------------------------------------- the test


@rule("abilities/rapid-deployment-test", "abilities/rapid-deployment-naturals", "squads/commander")
async def drop_test(position: Position, row: int, x: float, y: float) -> None:
    """A test on half the Commander's LD. A natural 20 loses the squad."""
    unit = Unit(position, row)
    need = squad_need(leader_of(unit), "rapid-deployment", (Part("abilities/rapid-deployment-test", 2, "divide"),))
    rolled = await d20(unit.side, "rapid-deployment", need, unit=row)
    face = rolled.faces[0]
    if face == WORST:
        for model in in_reserve(unit):
            position.remove(model, LOST)
        unit.mark(marks.HELD_BACK, 0)
        end_activation(position, row)
    elif rolled.successes:
        set_down_all(position, unit, (x, y), face, CLEAN)
    else:
        push(position, (DEVIATION, row, x, y, face))


def end_activation(position: Position, row: int) -> None:
    """The squad's activation ends at once."""
    drop(position, lambda frame: frame[0] in BEFORE_THE_END and frame[1] == row)


@rule("abilities/rapid-deployment-deviation", "templates/deviation")
async def deviation(position: Position, row: int, x: float, y: float, die: int) -> None:
    """Deviation as for an area template, its direction counted from the way to the enemy's edge."""
    unit = Unit(position, row)
    face = (await d20(unit.side, "deviation-direction", unit=row)).faces[0]
    far = (await d20(unit.side, "deviation-distance", unit=row)).faces[0]
    at = deviated(behind(unit, (x, y)), (x, y), face, far)
    position.write("deviates", unit=row, x=at[0], y=at[1])
    if first_refusal(LEGAL, leader_of(unit), at) is None:
        set_down_all(position, unit, at, 0 if position.options.double_hit_by_mishap else die, CLEAN)
    else:
        push(position, (MISHAP, row, x, y, *at, die))


def behind(unit: Unit, at: Point) -> Point:
    """A point from which the arrival point lies straight towards the enemy's edge."""
    aim = heading(facing_inward(unit.position, unit.side))
    return at[0] - aim[0], at[1] - aim[1]


@rule(
    "abilities/rapid-deployment-mishap",
    "abilities/rapid-deployment-delay",
    "abilities/rapid-deployment-emergency",
    "abilities/rapid-deployment-critical",
    "abilities/rapid-deployment-dangerous",
)
async def mishap(position: Position, row: int, x: float, y: float, to_x: float, to_y: float, die: int) -> None:
    """Roll a D20: the squad is delayed, or set down nearer; either way its activation ends at once."""
    unit = Unit(position, row)
    face = (await d20(unit.side, "mishap", unit=row)).faces[0]
    kind = next(name for top, name in TABLE if face <= top)
    position.write("mishap", unit=row, what=kind)
    end_activation(position, row)
    if kind == DELAY:
        return
    at = drawn_back(leader_of(unit), (x, y), (to_x, to_y))
    counts = face if position.options.double_hit_by_mishap else die
    set_down_all(position, unit, at, counts, kind)


@rule("abilities/rapid-deployment-emergency")
def drawn_back(leader: Model, start: Point, end: Point) -> Point:
    """Where a deviation ends, shortened as little as needed in steps of 0.1 inch, down to the chosen point itself."""
    whole = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / whole, (end[1] - start[1]) / whole
    for tenths in range(math.floor(whole / STEP), 0, -1):
        at = rounded(start[0] + STEP * tenths * ux), rounded(start[1] + STEP * tenths * uy)
        if first_refusal(LEGAL, leader, at) is None:
            return at
    return start


# ---------------------------------------------------------------- setting down


@rule("abilities/rapid-deployment-success")
def set_down_all(position: Position, unit: Unit, at: Point, die: int, kind: str) -> None:
    """Place the Commander on the point, then the other models one by one."""
    unit.mark(marks.HELD_BACK, 0)
    leader = leader_of(unit)
    others = tuple(m.row for m in in_reserve(unit) if m.row != leader.row)
    leader.move_to(*at, 0.0, facing_inward(position, unit.side), placed=True)
    push(position, (SET_DOWN, unit.row, leader.row, others), (LANDED, unit.row, die, kind))


@rule("abilities/rapid-deployment-success", "core/simultaneous")
async def set_down(position: Position, row: int, leader: int, others: Sequence[int]) -> None:
    """Place one model within 3 inches of the Commander, in the order its owner likes. Without room it is lost."""
    if not others:
        return
    side = position.side_of[leader]
    waiting = [position.model(one) for one in others]
    kinds = [(m.profile, m.marks(marks.SPECIALIST)) for m in waiting]
    chosen = int((await order(side, "drop-order", list(others), kinds=kinds))[0])
    model, head = position.model(chosen), position.model(leader)
    spots = spots_near(model, head)
    if spots:
        x, y, facing = (await ask(spot_question(model, head, spots)))[0][:3]
        model.move_to(rounded(x), rounded(y), 0.0, rounded(facing % 360.0), placed=True)
    else:
        position.remove(model, LOST)
    rest = tuple(one for one in others if one != chosen)
    push(position, (SET_DOWN, row, leader, rest))


@rule("abilities/rapid-deployment-success", "movement/impassable")
def no_room(model: Model, leader: Model, at: Point) -> Fault | None:
    """The place must be free, on the table, and out of engagement."""
    wrong = first_refusal(LEGAL, model, at)
    return None if wrong is None else Fault(at, model=model.row)


@rule("abilities/rapid-deployment-success")
def too_far_off(model: Model, leader: Model, at: Point) -> Fault | None:
    far = gap(disc(model, at), leader.solid)
    return None if within(far, FAR) else Fault(at, round(far, 2), FAR, model.row)


SPOT_RESTRICTIONS: tuple[Restriction, ...] = (too_far_off, no_room)


def spots_near(model: Model, leader: Model) -> list[Point]:
    """Free spots around the Commander, nearest first."""
    size = bounding_radius(model.profile.shape) + bounding_radius(leader.profile.shape)
    found = []
    for apart in (0.05, 0.5, 1.0, 1.5, 2.0, 2.5, 2.99):
        for k in range(24):
            x, y = heading(15.0 * k)
            at = rounded(leader.x + (size + apart) * x), rounded(leader.y + (size + apart) * y)
            if first_refusal(SPOT_RESTRICTIONS, model, leader, at) is None:
                found.append(at)
        if len(found) >= 12:
            break
    return found


def spot_question(model: Model, leader: Model, spots: Sequence[Point]) -> Place:
    """Ask where a model stands and which way it faces."""
    facing = leader.facing

    def refuses(there: Sequence[Sequence[float]]) -> Refusal | None:
        return first_refusal(SPOT_RESTRICTIONS, model, leader, (rounded(there[0][0]), rounded(there[0][1])))

    def answer(at: Point) -> Plain:
        return [[*at, facing]]

    def samples(rng: Random) -> Plain:
        return answer(rng.choice(list(spots)))

    about: dict[str, Plain] = {"models": [model.row], "model": model.row}
    return Place(model.side, "drop", refuses, samples, lambda: map(answer, spots), {"within": FAR}, about)


# ---------------------------------------------------------------- the cost of arriving


@rule(
    "abilities/rapid-deployment-cost",
    "abilities/rapid-deployment-naturals",
    "abilities/rapid-deployment-critical",
    "abilities/rapid-deployment-dangerous",
)
async def landed(position: Position, row: int, die: int, kind: str) -> None:
    """All models stand: pay the cost, test for rough ground, apply the mishap; then enemy Sentries may see them."""
    unit = Unit(position, row)
    models = members(unit)
    for model in models:
        has_moved_its_m(model)
        if kind == CLEAN and die != BEST:
            model.add(marks.AP_LOST, 1)
        if kind == CRITICAL:
            stun(model)
    rough = tuple(m.row for m in models if is_rough(position.ground, m.solid))
    hits = [automatic(m.row, ST, "rapid-deployment") for m in models] if kind == DANGEROUS else []
    tests = ((ROUGH, one, 2 if die >= DOUBLE else 1) for one in rough)
    push(position, *hit_frames(hits), *tests, (SEEN, row))


@rule("abilities/rapid-deployment-cost", "movement/distance-cap", "vehicles/movement-one")
def has_moved_its_m(model: Model) -> None:
    """The model counts as having Walked its full M in this turn; a vehicle, as having made a Tactical Movement."""
    model.jot(marks.DONE, ("tactical" if model.profile.is_vehicle else "walk",))
    model.jot(marks.MOVED, float(model.profile.m))


@rule("abilities/rapid-deployment-terrain", "abilities/rapid-deployment-double-hit", "vehicles/terrain-front")
async def rough_landing(position: Position, row: int, hits: int) -> None:
    """A Con test on light or heavy ground; one or two hits if it fails.

    Vehicles have no Con: they are hit on the Front.
    """
    model = position.model(row)
    if not model.is_on_table:
        return
    need = needed(model.profile.con, parts("con", About(model)))
    if model.profile.is_vehicle or not await passes(model, "rough-landing", need):
        push(position, *hit_frames([automatic(row, ST, "terrain")] * hits))


PROCEDURES: dict[str, Procedure] = {
    ARRIVAL: arrival,
    DROP: drop_test,
    DEVIATION: deviation,
    MISHAP: mishap,
    SET_DOWN: set_down,
    LANDED: landed,
    ROUGH: rough_landing,
}
