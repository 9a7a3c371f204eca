"""What a vehicle's route still meets, in order: obstacles, infantry nearby, units to overrun."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from campale.mechanics.bases import touch
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import (
    ASSAULT,
    FIRE,
    MARCH,
    RETREAT,
    has_hidden_order,
    is_forced,
    order_of,
)
from campale.rulesets.e3m.command.units import drives, is_aboard, members, units_of
from campale.rulesets.e3m.movement.ground import obstacles
from campale.rulesets.e3m.movement.sight import is_in_cover
from campale.table.measure import bounding_radius, gap, outline_of
from campale.table.paths import Path, at, plan_length, span
from campale.table.shapes import (
    TOLERANCE,
    Circle,
    Ellipse,
    Hull,
    Point,
    Point3,
    Shape,
    Solid,
    facing_towards,
    heading,
    rounded,
)
from campale.table.sweeps import Met, crossings, first_contact, first_overlap, nearest_approach

PASSING = 6.0
SPARE = 0.01
"""What two bases may overlap, in inches, and still only touch."""
BREAKDOWN, PATH_ASSAULT, OVERRUN = "breakdown", "path-assault", "overrun"
DRIVE = "drive"
RANK = {BREAKDOWN: 0, PATH_ASSAULT: 1, OVERRUN: 2}
"""The order of what falls on one point, after opportunity fire (vehicles/path-assault)."""


class Stop(NamedTuple):
    """Where something stops a vehicle: the length of its route, the kind, and a piece's name or a unit's row."""

    length: float
    kind: str
    by: str | int

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.by}"


Way = tuple[Model, Path]
Points = tuple[Point | Point3, ...]
Turns = tuple[float, ...]
Solids = tuple[Solid, ...]
Form = Circle | Ellipse | tuple[Point, ...]
"""What counts of a shape for a sweep: of a hull its corners."""


@rule("vehicles/path-assault", "vehicles/overrun-contact", "vehicles/tracked-obstacles")
def next_stop(
    position: Position, unit: Unit, ways: Sequence[Way], done: float, met: Sequence[str], kind: str = ""
) -> Stop | None:
    """The first stop left (of a ``kind``). It is computed anew each time from the models left."""
    left = [stop for stop in stops(position, unit, ways) if stop.key not in met and stop.kind.startswith(kind)]
    left = [let_on(stop, met) for stop in left]
    found = [stop for stop in left if stop.length >= done - TOLERANCE]
    return min(found, key=lambda stop: (stop.length, RANK[stop.kind], str(stop.by)), default=None)


@rule("vehicles/path-assault")
def let_on(stop: Stop, met: Sequence[str]) -> Stop:
    """The stop at the point, among those equally near, to which a unit that assaults has let the vehicle go on."""
    chosen = next((key for key in met if key.startswith(f"{stop.key}@")), None)
    return stop if chosen is None else stop._replace(length=float(chosen.partition("@")[2]))


@rule("vehicles/route", "vehicles/path-assault", "vehicles/assault-outside-movement", "orders/retreat-terrain")
def forced_stop(
    kind: str, unit: Unit, ways: Sequence[Way], done: float, met: Sequence[str], only: str = ""
) -> Stop | None:
    """What next stops a unit on a move of this kind: on a drive anything (``only``: this); on a retreat, assaults.

    A retreat draws them in step 4. It needs no dice for the ground, and overruns nobody.
    """
    if kind == DRIVE:
        return next_stop(unit.position, unit, ways, done, met, only)
    if kind == RETREAT and drives(unit) and unit.position.now.get("phase") == "movement":
        return next_stop(unit.position, unit, ways, done, met, PATH_ASSAULT)
    return None


def stops(position: Position, unit: Unit, ways: Sequence[Way]) -> list[Stop]:
    """Everything that the ways of a unit meet, as far as both sides know."""
    found: list[Stop] = []
    for model, path in ways:
        found += [Stop(length, BREAKDOWN, name) for length, name in breakdown_points(model, path, ())]
    whole = max((plan_length(path) for _, path in ways), default=0.0)
    for other in units_of(position, 1 - unit.side):
        if is_aboard(other):
            continue
        contact = contact_with(unit, ways, other)
        if contact is not None:
            found.append(Stop(contact, OVERRUN, other.row))
        if might_assault_passing(other):
            near = nearest_length(ways, other, whole) if contact is None else contact
            if near is not None:
                found.append(Stop(near, PATH_ASSAULT, other.row))
    return found


@rule("vehicles/path-assault")
def nearest_length(ways: Sequence[Way], other: Unit, whole: float) -> float | None:
    """Where the vehicle is nearest to a unit with a model within 6 inches of its strip, as a length, or None.

    A vehicle that passes over the unit is nearest where the bases first touch.
    """
    best: tuple[float, float] | None = None
    for model, path in ways:
        near = tuple(m.solid for m in infantry_of(other) if is_near_way(m, model, path))
        met = nearest_on_way(path, model.profile.shape, near) if near else None
        if met is not None and met.gap <= PASSING + TOLERANCE and (best is None or max(0.0, met.gap) < best[0]):
            own = plan_length(path)
            best = max(0.0, met.gap), met.distance * (whole / own if own > TOLERANCE else 1.0)
    return None if best is None else rounded(best[1])


def nearest_on_way(path: Path, shape: Shape, solids: tuple[Solid, ...]) -> Met | None:
    """Where a vehicle is nearest to bases, or first touches them."""
    form = shape.corners if isinstance(shape, Hull) else shape
    return nearest_found(path.points, path.facing, path.turns, form, solids)


@lru_cache(maxsize=256)
def nearest_found(points: Points, facing: float | None, turns: Turns, form: Form, solids: Solids) -> Met | None:
    """The same by what counts for it. Kept: a turn of a long hull takes long to sweep."""
    path, shape = Path(points, facing, turns), Hull(form) if isinstance(form, tuple) else form
    met = nearest_approach(path, shape, solids)
    return met if met is None or met.gap >= 0.0 else first_contact(path, shape, solids) or met


def to_segment(at: Point, one: Point, other: Point) -> float:
    dx, dy = other[0] - one[0], other[1] - one[1]
    long = dx * dx + dy * dy
    share = 0.0 if long == 0.0 else max(0.0, min(1.0, ((at[0] - one[0]) * dx + (at[1] - one[1]) * dy) / long))
    x, y = one[0] + share * dx - at[0], one[1] + share * dy - at[1]
    found: float = (x * x + y * y) ** 0.5
    return found


def is_near_way(model: Model, mover: Model, path: Path) -> bool:
    """Whether the model could be within 6 inches of the vehicle's strip, judged by bounding circles."""
    far = PASSING + span(mover.profile.shape) + span(model.profile.shape) + 0.1
    points = [(p[0], p[1]) for p in path.points]
    return any(to_segment(model.at, one, other) <= far for one, other in pairwise([*points, points[-1]]))


@rule("vehicles/path-assault", "orders/reveal")
def might_assault_passing(unit: Unit) -> bool:
    """Whether the unit may take part as far as both sides know. A hidden order may be any."""
    return may_assault_passing(unit) or (bool(infantry_of(unit)) and not is_aboard(unit) and has_hidden_order(unit))


@rule("vehicles/path-assault", "base-units/cavalry-and-beasts", "orders/march", "orders/forced-halt-limits")
@rule("orders/retreat-voluntary")
def may_assault_passing(unit: Unit) -> bool:
    """Whether the unit may take part: infantry, not on March or Retreat, hidden or not, on forced Halt or aboard."""
    able = bool(infantry_of(unit)) and not is_aboard(unit)
    return able and order_of(unit) not in (MARCH, RETREAT) and not is_forced(unit)


@rule("vehicles/path-assault", "base-units/cavalry-and-beasts", "base-units/great-creatures")
def infantry_of(unit: Unit) -> list[Model]:
    """The models that may take part. A great creature that has joined the unit does not, but they still do."""
    return [m for m in members(unit) if m.profile.kind in ("infantry", "jump")]


# ---------------------------------------------------------------- vehicles/tracked-obstacles


@rule("vehicles/tracked-obstacles", "terrain/obstacles")
def breakdown_points(model: Model, path: Path, met: Sequence[str]) -> list[tuple[float, str]]:
    """Where the route of a tracked vehicle touches obstacles, with their names. Each piece counts once a move."""
    if model.profile.gear != "tracked":
        return []
    ground = model.position.ground.kept(obstacles)
    found: dict[str, float] = {}
    for one in crossings(path, model.profile.shape, ground):
        name = ground.pieces[one.other].name
        if name not in met and name not in found:
            found[name] = one.start
    return sorted((length, name) for name, length in found.items())


# ---------------------------------------------------------------- vehicles/overrun-who


@rule("vehicles/overrun-who", "vehicles/walkers-move", "orders/march")
def may_overrun(unit: Unit) -> bool:
    """Whether it may overrun: a small or large vehicle, no walker, on Fire or Assault; by option light vehicles too."""
    models = members(unit)
    if not models or order_of(unit) not in (FIRE, ASSAULT):
        return False
    profile = models[0].profile
    return bool(profile.drives and (profile.has_armour or unit.position.options.light_overrun))


@rule("vehicles/overrun-who")
def may_be_overrun(model: Model) -> bool:
    """Whether a model may be overrun: infantry, cavalry, beasts, light vehicles; no great creatures, no armour."""
    return model.profile.kind != "great" and not model.profile.has_armour


@rule("vehicles/overrun-contact", "vehicles/flying-obstacles")
def contact_with(unit: Unit, ways: Sequence[Way], other: Unit) -> float | None:
    """The length at which the vehicle first runs into a unit that it may overrun, or None. Flyers pass over cover."""
    if not may_overrun(unit) or not all(may_be_overrun(m) for m in members(other)):
        return None
    models = members(other)
    solids = [m.solid for m in models]
    met = [first_run_into(path, model.profile.shape, solids) for model, path in ways]
    first = min((one for one in met if one is not None), key=lambda one: one.distance, default=None)
    if first is None or (flies(unit) and is_in_cover(models[first.other])):
        return None
    return rounded(first.distance)


class RunInto(NamedTuple):
    """Where a way runs into a base: the length, and the number of the base."""

    distance: float
    other: int


@rule("vehicles/overrun-contact", "base-vehicle/melee-no-result")
def first_run_into(path: Path, shape: Shape, solids: Sequence[Solid], near: float = 0.0) -> RunInto | None:
    """Where a vehicle first runs into one of these bases. Those that touch it at the start do not hold it.

    They count only if it then goes over them; its first turn is free. ``near``: how near counts as touching.
    """
    x, y = path.points[0][:2]
    begun = Solid(shape, x, y, 0.0, rounded(((path.facing or 0.0) - sum(path.turns)) % 360.0))
    at_first = [k for k, one in enumerate(solids) if gap(begun, one) <= near + TOLERANCE]
    others = [k for k in range(len(solids)) if k not in at_first]
    met = first_contact(path, shape, [solids[k] for k in others]) if others else None
    found = [] if met is None else [RunInto(met.distance, others[met.other])]
    held = ((goes_over(path, shape, solids[k]), k) for k in at_first)
    return min([*found, *(RunInto(far, k) for far, k in held if far is not None)], default=None)


def goes_over(path: Path, shape: Shape, one: Solid) -> float | None:
    """Where a vehicle goes over a base that it touches: at once, if that is ahead when it has turned."""
    if len(path.points) < 2:
        return None
    (x, y), (to_x, to_y) = path.points[0][:2], path.points[1][:2]
    dx, dy = heading(facing_towards((x, y), (to_x, to_y)))
    ahead, aside = (one.x - x) * dx + (one.y - y) * dy, abs((one.x - x) * dy - (one.y - y) * dx)
    wide = max(abs(corner[0]) for corner in outline_of(Solid(shape, 0.0, 0.0)))
    if ahead > SPARE and aside < wide + bounding_radius(one.shape) - SPARE:
        return 0.0
    met = first_overlap(turned(path), shape, [one], unless_receding=True)
    return None if met is None else met.distance


def turned(path: Path) -> Path:
    """The way of a hull that faces along its first leg from the start."""
    return Path(path.points, path.facing, (0.0, *path.turns[1:])) if path.turns else path


def touching(model: Model) -> tuple[int, ...]:
    """The rows of the enemies in contact with a vehicle. Kept until something moves."""
    kept, key = model.position.layout, ("touching", model.row)
    if key not in kept:
        kept[key] = tuple(m.row for m in model.position.on_table(1 - model.side) if touch(model, m))
    found: tuple[int, ...] = kept[key]
    return found


def flies(unit: Unit) -> bool:
    return all(m.profile.gear == "flying" for m in members(unit))


@rule("vehicles/overrun-who", "vehicles/overrun", "terrain/in-cover", "vehicles/flying-obstacles")
def overruns_cover(unit: Unit, ways: Sequence[Way]) -> Fault | None:
    """Refuses a route into a unit whose model touched first is in broken terrain or behind an obstacle.

    Flyers pass over such a unit.
    """
    if flies(unit):
        return None
    for other in units_of(unit.position, 1 - unit.side):
        if is_aboard(other) or not may_overrun(unit) or not all(may_be_overrun(m) for m in members(other)):
            continue
        models = members(other)
        for model, path in ways:
            met = first_run_into(path, model.profile.shape, [m.solid for m in models])
            if met is not None and is_in_cover(models[met.other]):
                there = at(path, met.distance)
                return Fault((round(there.x, 2), round(there.y, 2)), model=models[met.other].row)
    return None


def is_light(unit: Unit) -> bool:
    return all(m.profile.kind == "light" for m in members(unit))
