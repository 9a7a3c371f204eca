"""Announced routes: a unit goes its way, and Ready enemies may interrupt it and fire (fire/opportunity-*)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from campale.mechanics.frames import push
from campale.mechanics.moves.coherency import is_together
from campale.mechanics.moves.move_paths import Barred
from campale.mechanics.moves.unit_moves import closing_up
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Along, Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.halt import concealed
from campale.rulesets.e3m.command.orders import may_be_ready, show
from campale.rulesets.e3m.command.units import COHERENCY, WATCHED, members, unit_leader, units_of
from campale.rulesets.e3m.fire.area import arms_of, base_of
from campale.rulesets.e3m.fire.declaring import can_fire
from campale.rulesets.e3m.fire.kinds import OPPORTUNITY, can_shoot_out, may_watch, reach
from campale.rulesets.e3m.fire.volley import fire
from campale.rulesets.e3m.movement.moves import (
    ENEMY_GAP,
    OVER,
    at_the_end,
    brave_danger,
    is_endangered,
    movement_of,
    put,
    when_caught,
)
from campale.rulesets.e3m.movement.sight import sees_there
from campale.rulesets.e3m.vehicles.stops import BREAKDOWN, DRIVE, OVERRUN, PASSING, Stop, forced_stop, to_segment
from campale.table import fields
from campale.table.formations import put_down
from campale.table.measure import gap
from campale.table.paths import Path, at, fraction, plan_length, upto
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, rounded

NOBODY = "nobody"
CLOSING = 2.0
STAYS = 2
"""Of a route that fire has stopped: its owner has said that it stays there."""
LENGTHS, FINE = 6, 0.5
"""Along a route, how many lengths are tried first, and the steps in which gaps are looked for then."""
SPOTS = 2000
"""The spots tried around a place for models caught on the way. If they do not fit, no model leaves its place."""
OUTSIDE, CLOSING_UP, FALL_BACK, ASIDE = "outside", "close-up", "fall-back", "aside"
CLOSE_MOVES = ("assault", FALL_BACK, ASIDE)
"""The moves that begin or end in contact with the enemy, and so lead nearer than an inch."""


class Route(NamedTuple):
    """A route as held in a frame: the unit, the kind of move, the gait, the paths, and the inches done.

    ``was_stopped``: after fire, its owner has yet to say if it goes on (1), or it stays (STAYS). ``met``: what a
    vehicle has met already (``vehicles.stops``). ``leader``: who led the unit when the route was shown (-1: who does
    now).
    """

    unit: int
    kind: str
    gait: str
    paths: tuple[tuple[Any, ...], ...]
    done: float = 0.0
    was_stopped: int = 0
    met: tuple[str, ...] = ()
    leader: int = -1

    def path_of(self, row: int) -> Path:
        return next(as_path(one) for one in self.paths if one[0] == row)

    @property
    def frame(self) -> tuple[Any, ...]:
        return ("route", *self)


def packed(row: int, path: Path) -> tuple[Any, ...]:
    """A path as plain values."""
    return row, tuple((p[0], p[1]) for p in path.points), path.facing, path.turns


def as_path(plain: Sequence[Any]) -> Path:
    return Path(tuple(plain[1]), plain[2], tuple(plain[3]))


def begin_route(unit: Unit, kind: str, gait: str, paths: dict[int, Path], met: tuple[str, ...] = ()) -> None:
    """Announce a route and push its frame. No model has moved yet; where none is going to, nothing is announced.

    ``met``: what the route counts as having met already.
    """
    plain = tuple(packed(row, path) for row, path in paths.items())
    if any(plan_length(path) > TOLERANCE for path in paths.values()):
        unit.position.write("route", unit=unit.row, manner=kind, paths=[list(one[1]) for one in plain])
    leader = unit_leader(unit)
    led_by = -1 if leader is None else leader.row
    push(unit.position, Route(unit.row, kind, gait, plain, met=met, leader=led_by).frame)


@rule("hierarchy/unit-leader", "fire/opportunity-infantry-path")
def leading_path(position: Position, route: Route) -> Path:
    """The announced path of the unit leader, even if he has fallen; if he was to stay, the longest path."""
    paths = {one[0]: as_path(one) for one in route.paths}
    own = paths.get(leading_row(position, route))
    return max(paths.values(), key=plan_length) if own is None or plan_length(own) <= TOLERANCE else own


@rule("hierarchy/unit-leader", "fire/opportunity-infantry-path")
def leading_row(position: Position, route: Route) -> int:
    leader = unit_leader(Unit(position, route.unit))
    return route.leader if leader is None or route.leader >= 0 else leader.row


# ---------------------------------------------------------------- going along the route


@rule("fire/opportunity", "fire/opportunity-windows", "fire/opportunity-aftermath")
async def go_along(position: Position, *values: Any) -> None:
    """Do the next thing of a route: ask whether it goes on, where the other side fires, or complete it."""
    route = Route(*values)
    unit = Unit(position, route.unit)
    if not members(unit):
        return
    whole = plan_length(leading_path(position, route))
    if route.was_stopped == STAYS:
        await stay_stopped(position, route, share_of(route.done, whole))
        return
    if route.was_stopped:
        end = await stop_or_go_on(position, route, whole)
        if end <= route.done + TOLERANCE:
            push(position, ("move-ended", route.unit), route._replace(was_stopped=STAYS).frame)
            return
        route = shortened(position, route, end, whole)._replace(was_stopped=0)
        whole = plan_length(leading_path(position, route))
    forced = forced_stop(route.kind, unit, ways(position, route), route.done, route.met)
    stop = await stop_by(position, route, whole, forced)
    if stop is None and forced is not None:
        be_stopped(position, route, forced, whole)
        return
    if stop is None:
        await arrive(position, route)
        return
    watcher, length = stop
    show(position, [Unit(position, watcher)])
    stand_at(position, route, share_of(length, whole))
    later = route._replace(done=length, was_stopped=1)
    push(position, ("watch", watcher, route.unit), *in_contact(position, later), later.frame)


def ways(position: Position, route: Route) -> list[tuple[Model, Path]]:
    """The ways of the models left, complete as announced."""
    models = ((position.model(one[0]), as_path(one)) for one in route.paths)
    return [(model, path) for model, path in models if model.is_on_table]


@rule("vehicles/route", "vehicles/overrun-contact", "vehicles/path-assault", "vehicles/tracked-obstacles")
def be_stopped(position: Position, route: Route, stop: Stop, whole: float) -> None:
    """Stop the vehicle. What stops it is resolved first, then the rest of the way."""
    stand_at(position, route, share_of(stop.length, whole))
    later = route._replace(done=stop.length, met=(*route.met, stop.key))
    values = () if stop.kind == BREAKDOWN else later
    push(position, (stop.kind, route.unit, stop.by, *values), *in_contact(position, later), later.frame)


@rule("vehicles/overrun-contact", "vehicles/overrun-stopped")
def in_contact(position: Position, route: Route) -> list[tuple[Any, ...]]:
    """The frame that decides an overrun where the vehicle touches a unit, even if something stops it there first."""
    if route.kind != DRIVE:
        return []
    here = forced_stop(DRIVE, Unit(position, route.unit), ways(position, route), route.done, route.met, OVERRUN)
    is_here = here is not None and here.length <= route.done + TOLERANCE
    return [("overrun-stopped", route.unit, here.by, *route)] if here is not None and is_here else []


def rest_of(path: Path, length: float) -> Path:
    """The part of a path after a length."""
    here = at(path, length)
    before = upto(path, length)
    left = path.points[len(before.points) - 1 :] if length < plan_length(path) else ()
    points = ((here.x, here.y), *(p for p in left if (p[0], p[1]) != (here.x, here.y)))
    if not path.turns:
        return Path(points, path.facing)
    turns = (0.0, *path.turns[len(path.turns) - len(points) + 1 :]) if len(points) > 1 else (0.0,)
    return Path(points, path.facing if len(points) > 1 else here.facing, turns)


def share_of(length: float, whole: float) -> float:
    return 1.0 if whole - length <= TOLERANCE else length / whole


async def stop_by(position: Position, route: Route, whole: float, forced: Stop | None) -> tuple[int, float] | None:
    """Ask which enemy fires and where along the route, before a forced stop. None: no enemy fires."""
    most = whole if forced is None else forced.length
    side = 1 - Unit(position, route.unit).side
    if not may_be_fired_at(route) or not any(is_asked(one) for one in units_of(position, side)):
        return None
    shown, script = route_shown(position, route, most, forced), partial(stopping, position, route, whole, most)
    return await fill_in_script(side, "opportunity", script, [NOBODY], unit=route.unit, open=False, shown=shown)


def route_shown(position: Position, route: Route, most: float, forced: Stop | None = None) -> dict[str, Plain]:
    """The announced route for a question: its points, how far it has gone, and how far the question goes."""
    path = leading_path(position, route)
    shown: dict[str, Plain] = {
        "route": [[p[0], p[1]] for p in path.points],
        "walked": route.done,
        "length": most,
        "movers": [one[0] for one in route.paths],
    }
    if route.kind == DRIVE:
        shown["strip"] = PASSING
    return shown if forced is None else {**shown, "stop": [forced.length, forced.kind]}


@rule("fire/opportunity-windows", "assault/maximum-contact")
def may_be_fired_at(route: Route) -> bool:
    """Whether a move may be fired at: all but closing up, which is no move of its own."""
    return route.kind != CLOSING_UP


@rule("fire/opportunity-windows", "orders/reveal", "base-vehicle/open-topped")
def is_asked(unit: Unit) -> bool:
    """Whether a unit may be Ready as far as both sides know, and can shoot from where it is."""
    return may_be_ready(unit) and can_shoot_out(unit)


@rule("fire/opportunity-order", "fire/opportunity-windows", "fire/opportunity-vehicle-stop")
def stopping(
    position: Position, route: Route, whole: float, most: float
) -> Generator[Question, Any, tuple[int, float] | None]:
    """Ask which Ready unit fires, and where along the route, never before the last stop."""
    mover = Unit(position, route.unit)
    side = 1 - mover.side
    able: list[Plain] = [one.row for one in units_of(position, side) if may_watch(one)]

    def forbids(row: Plain) -> Fault | None:
        if row == NOBODY or firing_lengths(position, route, whole, most, int(row)):
            return None
        return Fault(word="nobody-to-hit")

    watcher = yield Choose(side, "who-watches", [NOBODY, *able], "unit", forbids, odds={NOBODY: 1.5})
    if watcher == NOBODY:
        return None
    lengths = firing_lengths(position, route, whole, most, watcher)
    return watcher, (yield along_question(position, route, whole, most, watcher, lengths))


def firing_lengths(position: Position, route: Route, whole: float, most: float, watcher: int) -> list[float]:
    """The lengths, of a few along the route, where the unit can fire at the mover."""
    kept, key = position.own, ("lengths", route, most, watcher, concealed(position))
    if key not in kept:
        left = most - route.done
        tried = [rounded(route.done + left * k / LENGTHS) for k in range(LENGTHS + 1)]
        able = (one for one in dict.fromkeys(tried) if cannot_fire_at(position, route, whole, watcher, one) is None)
        near = is_in_reach(position, route, watcher)
        kept[key] = (list(able) or lengths_between(position, route, whole, most, watcher)) if near else []
    found: list[float] = kept[key]
    return found


@rule("fire/opportunity-windows", "fire/opportunity-vehicle-stop")
def lengths_between(position: Position, route: Route, whole: float, most: float, watcher: int) -> list[float]:
    """A few lengths where the unit can fire through a gap, found in half-inch steps."""
    steps = int((most - route.done) / FINE)
    lengths = [rounded(route.done + FINE * k) for k in range(1, steps + 1)]
    seen = glimpses(position, route, whole, watcher, lengths)
    return list(islice((n for n in seen if cannot_fire_at(position, route, whole, watcher, n) is None), LENGTHS))


def glimpses(position: Position, route: Route, whole: float, watcher: int, lengths: Sequence[float]) -> list[float]:
    """The lengths where a model of the unit has a clear line to a mover on its way."""
    found: list[tuple[float, int, Solid]] = []
    for length in lengths:
        for row, place, facing in places_at(position, route, share_of(length, whole)):
            turned = position.facing[row] if facing is None else facing
            found.append((length, row, Solid(position.model(row).profile.shape, *place, 0.0, turned)))
    seen = sees_there(position, members(Unit(position, watcher)), [(row, there) for _, row, there in found])
    return list(dict.fromkeys(length for (length, *_), is_seen in zip(found, seen, strict=True) if is_seen))


def is_in_reach(position: Position, route: Route, watcher: int) -> bool:
    """Whether any weapon of the unit reaches the route at all."""
    points = [p for one in route.paths for p in one[1]]
    for model in members(Unit(position, watcher)):
        far = max((reach(arm.line) for arm in arms_of(model, OPPORTUNITY)), default=0.0) + 8.0
        x, y = base_of(model).x, base_of(model).y
        if min(to_segment((x, y), a, b) for a, b in segments(points)) <= far:
            return True
    return False


def segments(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    yield from zip(points, [*points[1:], points[-1]], strict=True)


def along_question(
    position: Position, route: Route, whole: float, most: float, watcher: int, lengths: list[float]
) -> Along:
    def refuses(length: float | None) -> Fault | None:
        if length is not None and length > most + TOLERANCE:
            return Fault(measured=length, limit=most)
        return cannot_fire_at(position, route, whole, watcher, length)

    side, shown = 1 - Unit(position, route.unit).side, route_shown(position, route, most) | {"passes": False}
    about: dict[str, Plain] = {"unit": watcher, "mover": route.unit}
    return Along(side, "stop-at", refuses, lambda rng: rng.choice(lengths), lambda: list(lengths), shown, about)


@rule("fire/opportunity-aftermath", "fire/opportunity-target", "fire/opportunity-windows")
def cannot_fire_at(position: Position, route: Route, whole: float, watcher: int, length: float | None) -> Fault | None:
    """Refuses a point before the last stop or beyond the route, or where the unit cannot hit the mover."""
    if length is None or not route.done - TOLERANCE <= length <= whole + TOLERANCE:
        limit = route.done if (length or 0.0) < route.done else whole
        return Fault(measured=length, limit=limit, rule="fire/opportunity-aftermath")
    there = supposed_at(position, route, share_of(length, whole))
    able = can_fire(Unit(there, watcher), OPPORTUNITY, (route.unit,))
    return None if able else Fault(measured=length, word="nobody-to-hit", rule="fire/opportunity-target")


def supposed_at(position: Position, route: Route, share: float) -> Position:
    """The position with the movers on their way."""
    places: dict[int, tuple[float, ...]] = {}
    for row, place, facing in places_at(position, route, share):
        places[row] = (*place, 0.0, position.model(row).facing if facing is None else facing)
    return position.supposing(places)


@rule("fire/opportunity", "fire/opportunity-once", "orders/ready")
async def watch(position: Position, watcher: int, mover: int) -> None:
    """One opportunity fire, which must reach the mover. A unit that was named has used its fire even if it holds."""
    unit = Unit(position, watcher)
    if not members(unit) or not may_watch(unit):
        return
    unit.mark(WATCHED, 1)
    await fire(unit, OPPORTUNITY, (mover,) if mover >= 0 else ())


# ---------------------------------------------------------------- places along the way


@rule("fire/opportunity-infantry-path", "vehicles/route")
def places_at(position: Position, route: Route, share: float) -> list[tuple[int, Point, float | None]]:
    """Every model at the same fraction of its way. Only the ways of the leader and of vehicles have bends."""
    leader = leading_row(position, route)
    found = []
    for one in route.paths:
        model, path = position.model(one[0]), as_path(one)
        if not model.is_on_table:
            continue
        if isinstance(model.profile.shape, Circle) and model.row != leader:
            path = Path((path.points[0], path.points[-1]), path.facing)
        cut = fraction(path, share)
        end = cut.points[-1]
        facing = None if isinstance(model.profile.shape, Circle) else cut.facing
        found.append((model.row, (rounded(end[0]), rounded(end[1])), facing))
    return found


@rule("fire/opportunity-infantry-path", "base-move/one-inch")
def free_places_at(
    position: Position, route: Route, share: float, bars: Callable[[Model], Barred] = at_the_end
) -> list[tuple[Model, Point, float | None]]:
    """The same at the nearest free spots, between the ends of the way. Without room the models stay where they are.

    ``bars``: what bars a spot; usually also the inch about enemies.
    """
    places = places_at(position, route, share)
    models = [position.model(row) for row, _, _ in places]
    wanted = [place for _, place, _ in places]
    if 0.0 < share < 1.0 and all(isinstance(m.profile.shape, Circle) for m in models):
        goings = [bars(m).field.plans for m in models]
        wanted = list(put_down(goings, wanted, SPOTS) or (m.at for m in models))
    return [(model, place, facing) for model, place, (_, _, facing) in zip(models, wanted, places, strict=True)]


@rule("fire/opportunity-infantry-path", "fire/opportunity-vehicle-stop")
def stand_at(position: Position, route: Route, share: float) -> None:
    """Put the unit down on its way."""
    bars = when_caught if route.kind in CLOSE_MOVES else at_the_end
    for model, place, facing in free_places_at(position, route, share, bars):
        if facing is None and place != model.at:
            put(model, Path((model.at, place), model.facing), stopped=True, **manner_of(route))
        elif facing is not None and (place != model.at or facing != model.facing):
            stand_along(position, route, model, facing, share)


@rule("vehicles/route", "fire/opportunity-vehicle-stop")
def stand_along(position: Position, route: Route, model: Model, facing: float, share: float) -> None:
    """Put a vehicle down on its way, facing along its route."""
    put(model, stretch(position, route, model.row, share), stopped=True, **manner_of(route))
    position.facing[model.row] = rounded(facing)


def stretch(position: Position, route: Route, row: int, share: float) -> Path:
    """The part of a model's way from the last stop to a share of it, with all its bends."""
    path, whole = route.path_of(row), plan_length(leading_path(position, route))
    return rest_of(fraction(path, share), share_of(route.done, whole) * plan_length(path))


def shortened(position: Position, route: Route, end: float, whole: float) -> Route:
    """The route up to a length, with every model ending on free ground."""
    share = share_of(end, whole)
    ends = {model.row: place for model, place, facing in free_places_at(position, route, share) if facing is None}
    paths = ((one[0], fraction(as_path(one), share)) for one in route.paths)
    return route._replace(paths=tuple(packed(row, ending_at(path, ends.get(row))) for row, path in paths))


def ending_at(path: Path, place: Point | None) -> Path:
    """The path with another last point, if one is given."""
    return path if place is None else Path((*path.points[:-1], place), path.facing, path.turns)


@rule("base-move/one-inch", "vehicles/route-limits", "vehicles/flying-obstacles", "assault/one-turn")
def stops_too_near(position: Position, route: Route, share: float) -> Fault | None:
    """Where its owner may not end a way: a vehicle's near an enemy or in the air, a step back from a melee near one."""
    if route.kind not in (DRIVE, FALL_BACK):
        return None
    there = supposed_at(position, route, share)
    enemies = there.on_table(1 - Unit(position, route.unit).side)
    for row, place, _ in places_at(position, route, share):
        near = min(enemies, key=lambda enemy: gap(there.model(row).solid, enemy.solid), default=None)
        far = 0.0 if near is None else gap(there.model(row).solid, near.solid)
        if near is not None and far <= ENEMY_GAP:
            return Fault(place, round(far, 2), ENEMY_GAP, row, rule="base-move/one-inch")
        one = there.model(row)
        if one.profile.gear == "flying" and not fields.is_free(at_the_end(one).field, *one.at, one.facing):
            return Fault(place, model=row, rule="vehicles/flying-obstacles")
    return None


@rule("fire/opportunity-aftermath")
async def stop_or_go_on(position: Position, route: Route, whole: float) -> float:
    """After fire the owner continues along the same route, or stops anywhere on it. Returns the length."""
    unit = Unit(position, route.unit)
    if whole <= route.done + TOLERANCE:
        return route.done

    def refuses(length: float | None) -> Fault | None:
        if length is None:
            return None
        if not route.done - TOLERANCE <= length <= whole + TOLERANCE:
            return Fault(measured=length, limit=whole, rule="fire/opportunity-aftermath")
        return stops_too_near(position, route, share_of(length, whole))

    here: list[Plain] = [None, *([] if refuses(route.done) is not None else [route.done])]

    def samples(rng: Random) -> Plain:
        length: Plain = rng.choice([*here, None, rounded(rng.uniform(route.done, whole))])
        return length if refuses(length) is None else None

    shown = route_shown(position, route, whole) | {"goes_on": True}
    about: dict[str, Plain] = {"unit": unit.row, "mover": unit.row}
    question = Along(unit.side, "go-on", refuses, samples, lambda: here, shown, about)
    length = await ask(question)
    return whole if length is None else float(length)


# ---------------------------------------------------------------- the end of the way


@rule("base-move/normal-infantry")
def go(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("orders/march")
def march(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("vehicles/route")
def drive(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("assault/assault-move")
def charge(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("assault/maximum-contact")
def close_up(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("assault/give-ground-move")
def give_ground(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("orders/retreat-move")
def retreat(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("assault/fall-back-direction")
def fall_back(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


@rule("vehicles/overrun-passed")
def step_aside(model: Model, path: Path, **how: Plain) -> None:
    put(model, path, **how)


ARRIVALS: dict[str, Callable[..., None]] = {
    "normal": go,
    "march": march,
    DRIVE: drive,
    "assault": charge,
    CLOSING_UP: close_up,
    "give-ground": give_ground,
    "retreat": retreat,
    FALL_BACK: fall_back,
    "aside": step_aside,
}
"""By the kind of move, how a model is put down at its end, under the rule of that move."""
MANNERS = {
    **{kind: kind for kind in ("march", DRIVE, CLOSING_UP, "give-ground", "retreat", "fall-back", "aside")},
    "assault": "charge",
}
"""By the kind of move, how an unusual one is reported and shown."""


def manner_of(route: Route) -> dict[str, Plain]:
    return {"how": MANNERS[route.kind]} if route.kind in MANNERS else {}


async def stay_stopped(position: Position, route: Route, share: float) -> None:
    """The unit stays where fire has stopped it."""
    come_together(Unit(position, route.unit))
    await end_way(position, route, share)


async def arrive(position: Position, route: Route) -> None:
    """Complete the route."""
    for one in route.paths:
        model, path = position.model(one[0]), as_path(one)
        if model.is_on_table and (model.at != path.points[-1][:2] or path.turns):
            ARRIVALS[route.kind](model, walked(position, route, model, path), **manner_of(route))
    if route.done > 0.0:
        come_together(Unit(position, route.unit))
    await end_way(position, route, 1.0)


async def end_way(position: Position, route: Route, share: float) -> None:
    """Resolve dangerous ground, then push what follows the end of a move."""
    await brave_way(position, route, share)
    push(position, ("arrived", route.unit, route.kind))


@rule("base-move/dangerous-terrain")
async def brave_way(position: Position, route: Route, share: float) -> None:
    """Roll for the models that this share of their way has led over dangerous ground."""
    endangered = [
        position.model(one[0])
        for one in route.paths
        if position.model(one[0]).is_on_table and is_endangered_by(position, route, one, share)
    ]
    await brave_danger(Unit(position, route.unit), endangered)


def walked(position: Position, route: Route, model: Model, path: Path) -> Path:
    """The last part of a model's way: all of it, or the part after its stop."""
    if route.done == 0.0:
        return Path((model.at, *path.points[1:]), path.facing, path.turns)
    if isinstance(model.profile.shape, Circle):
        return Path((model.at, path.points[-1]), path.facing)
    return stretch(position, route, model.row, 1.0)


def is_endangered_by(position: Position, route: Route, one: Sequence[Any], share: float) -> bool:
    if route.kind not in ("normal", "march", DRIVE, "assault"):
        return False
    return is_endangered(position.model(one[0]), fraction(as_path(one), share), route.gait)


@rule("fire/opportunity-aftermath", "base-general/coherency")
def come_together(unit: Unit) -> None:
    """A short step restores the coherency of a unit that was stopped with its models too far apart."""
    models = [m for m in members(unit) if m.is_on_table]
    if is_together([m.solid for m in models], COHERENCY):
        return
    movement = movement_of(unit, OVER, CLOSING)
    answer = next(closing_up(unit, models, movement), None)
    if answer is None:
        return
    for model, (points, _) in zip(models, answer, strict=True):
        if points:
            put(model, Path((model.at, tuple(points[-1]))), closing=True)
