"""Movement of vehicles: Tactical, Attack and Rapid Movement, turning by kind, Flat Out (vehicles/*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np

from campale.mechanics.frames import Frame
from campale.mechanics.moves import going, move_paths
from campale.mechanics.moves.move_paths import MovePath
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.ask import ask
from campale.referee.position import Model, Position
from campale.referee.question import Move, Number
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.close_combat.engaged import engages_on_the_way, keeps_its_foes
from campale.rulesets.wzr.movement import moves
from campale.rulesets.wzr.squads.coherency import strays
from campale.rulesets.wzr.turn.points import done, moved
from campale.rulesets.wzr.vehicles.ground import distance_left, end_of_move
from campale.rulesets.wzr.vehicles.kinds import Kind, kind_of
from campale.rulesets.wzr.vehicles.locations import cannot_drive
from campale.table.fields import all_free
from campale.table.paths import Path, plan_length
from campale.table.shapes import TOLERANCE, Circle, Point, facing_towards, heading, rounded
from campale.table.turning import plan_with_turns, shorter_turn

ANGLE = 0.05
"""The tolerance of a turn, in degrees."""
BEHIND = 15.0
"""A vehicle that may reverse does so towards a point this near to straight back, in degrees."""
FLAT_OUT = 6.0
MOST_A_TURN = 3
BIKE_FIRST = 1.0
SHARES = (1.0, 0.7, 0.4)
MOVEMENTS = ("tactical", "attack-move", "rapid-move", "charge", "ram", "flat-out")


class Drive(NamedTuple):
    """A movement action: a multiple of M, degrees of turn in all, and ``bonus`` inches beyond a turn's usual limit.

    ``reverses``: kinds that can reverse may back straight.
    """

    name: str
    cost: int
    times: int
    turn: float
    reverses: bool = False
    bonus: float = 0.0


TACTICAL = Drive("tactical", 1, 1, 45.0, reverses=True)
ATTACK = Drive("attack-move", 2, 2, 90.0)
RAPID = Drive("rapid-move", 3, 3, 180.0)
FULL = Drive("flat-out", 3, 3, 180.0, bonus=FLAT_OUT)
BLIND = Drive("flat-out", 3, 0, 0.0, bonus=FLAT_OUT)
"""Flat Out without a Drive: the extra inches, straight ahead."""
DRIVES = {one.name: one for one in (TACTICAL, ATTACK, RAPID, FULL)}


# ---------------------------------------------------------------- how far


@rule("vehicles/tactical", "vehicles/attack-move", "vehicles/rapid-move", "vehicles/max-distance", "vehicles/profile-m")
def allowance(model: Model, drive: Drive) -> float:
    """How many inches the action carries, within what is left of three times M in the turn, before terrain costs."""
    m = float(model.profile.m)
    left = max(0.0, MOST_A_TURN * m - moved(model))
    return min(drive.times * m, left) + drive.bonus


@rule("vehicles/flat-out", "vehicles/flat-out-no-drive")
def flat_out(model: Model) -> Drive:
    """A Rapid Movement with 6 inches more, or 6 inches only by option; straight ahead without a Drive."""
    if cannot_drive(model):
        return BLIND
    return FULL._replace(times=0) if model.position.options.flat_out_six else FULL


@rule("vehicles/flat-out", "starter-cards/quagmire")
def counts_as(drive: Drive) -> str:
    """The action as which a movement counts for cards: a Flat Out of three times M is a Rapid Movement too."""
    return RAPID.name if drive.times == RAPID.times else drive.name


@rule("vehicles/profile-m", "starter-cards/quagmire", "starter-cards/forced-march")
def limit_of(model: Model, drive: Drive, path: Path) -> float:
    """How far the action carries along a way: reduced by ground and cards (to no less than 2), then with bonuses."""
    about = About(model, act=counts_as(drive))
    less, more = changed("move-penalty", 0.0, about), changed("move-bonus", 0.0, about)
    return distance_left(model, path, allowance(model, drive) - drive.bonus, drive.bonus + more, less)


# ---------------------------------------------------------------- the way of an answer


@rule("vehicles/rotation", "vehicles/tactical")
def read(model: Model, drive: Drive, answer: Sequence[Any]) -> Path:
    """The path of an answer. The vehicle faces along each leg, then as told; in reverse it keeps its facing."""
    points, facing = answer
    kind = kind_of(model)
    assert kind is not None
    if drive.reverses and kind.reverses and len(points) == 1 and is_behind(model, points[0]):
        return straight_back(model, points[0])
    way = Path(path_of(model, points).points, model.facing)
    return plan_with_turns(way, model.facing, None if facing is None else rounded(facing % 360.0))


def is_behind(model: Model, point: Sequence[float]) -> bool:
    back = facing_towards(model.at, (point[0], point[1]))
    return abs(shorter_turn(model.facing + 180.0, back)) <= BEHIND


def straight_back(model: Model, point: Sequence[float]) -> Path:
    far = math.dist(model.at, point[:2])
    ahead = heading(model.facing)
    end = rounded(model.x - far * ahead[0]), rounded(model.y - far * ahead[1])
    return Path((model.at, end), model.facing, (0.0, 0.0))


class Course(NamedTuple):
    """A way for a vehicle to drive, checked by every restriction."""

    model: Model
    drive: Drive
    way: MovePath

    @property
    def path(self) -> Path:
        return self.way.path

    @property
    def turns(self) -> tuple[float, ...]:
        """The degrees of each turn; turns too small to matter are 0."""
        return tuple(0.0 if abs(one) <= ANGLE else one for one in self.path.turns)

    @property
    def kind(self) -> Kind:
        found = kind_of(self.model)
        assert found is not None
        return found


def course(model: Model, drive: Drive, answer: Sequence[Any]) -> Course:
    path = read(model, drive, answer)
    return Course(model, drive, MovePath(model, path, limit_of(model, drive, path), moves.meets))


# ---------------------------------------------------------------- restrictions on a course


@rule("vehicles/max-distance", "vehicles/profile-m", "vehicles/tactical", "vehicles/attack-move", "vehicles/rapid-move")
def too_far(course: Course) -> Fault | None:
    return move_paths.too_long(course.model, course.path, moves.length_of(course.path), course.way.limit)


@rule("vehicles/rotation", "vehicles/tactical", "vehicles/attack-move", "vehicles/rapid-move")
def turns_too_far(course: Course) -> Fault | None:
    """The degrees of turn are a total for the whole action."""
    total = sum(abs(one) for one in course.turns)
    limit = course.drive.turn
    return Fault(course.model.at, round(total, 1), limit, course.model.row) if total > limit + ANGLE else None


@rule("vehicles/tank-turn")
def turns_on_the_spot(course: Course) -> Fault | None:
    """A Tank turns only while it moves."""
    stands = plan_length(course.path) <= TOLERANCE
    return Fault(course.model.at) if course.kind.turns == "while-moving" and stands and any(course.turns) else None


@rule("vehicles/air-tank-turn")
def turns_on_the_way(course: Course) -> Fault | None:
    """An Air Tank turns before its first inch or after its last, not at both."""
    if course.kind.turns != "before-or-after" or not any(course.turns):
        return None
    before, *between, after = course.turns if len(course.turns) > 1 else (course.turns[0], 0.0)
    moves_at_all = plan_length(course.path) > TOLERANCE
    return None if moves_at_all and not any(between) and not (before and after) else Fault(course.model.at)


@rule("vehicles/bike-turn")
def turns_at_once(course: Course) -> Fault | None:
    """A Bike covers at least 1 inch before it may turn."""
    if course.kind.turns != "after-an-inch" or not any(course.turns):
        return None
    gone = 0.0
    for turn, (one, other) in zip(course.turns, [*pairwise(course.path.points), (None, None)], strict=True):
        if turn and gone < BIKE_FIRST - TOLERANCE:
            return Fault(course.model.at, round(gone, 2), BIKE_FIRST)
        gone += 0.0 if one is None or other is None else math.dist(one[:2], other[:2])
    return None


@rule("movement/basic")
def through_a_model(course: Course) -> Fault | None:
    return move_paths.through_a_model(course.way)


@rule("movement/impassable", "movement/obstacles", "vehicles/terrain-air-tank", "vehicles/terrain-jetbike")
def over_impassable(course: Course) -> Fault | None:
    return move_paths.over_a_piece(course.way)


@rule("movement/basic")
def over_the_edge(course: Course) -> Fault | None:
    return move_paths.over_the_edge(course.way)


@rule("movement/no-accidental-engagement")
def engages(course: Course) -> Fault | None:
    """A movement may not engage a new enemy at any point; with an option, only its end counts."""
    enemy = engages_on_the_way(course.model, moves.judged_part(course.model, course.path))
    return None if enemy is None else Fault(move_paths.shown(course.way.end), model=enemy.row)


@rule("squads/coherency", "squads/out-of-coherency")
def leaves_its_squad(course: Course) -> Fault | None:
    """A movement ends in coherency or at least nearer to the Commander. A vehicle may always stay."""
    return None if move_paths.stays(course.path) else strays(course.model, course.way.end)


DRIVE_RESTRICTIONS = (
    too_far,
    turns_too_far,
    turns_on_the_spot,
    turns_on_the_way,
    turns_at_once,
    through_a_model,
    over_impassable,
    over_the_edge,
    engages,
    leaves_its_squad,
)


# ---------------------------------------------------------------- the question


def drive_question(model: Model, drive: Drive) -> Move:
    def refuses(answer: Sequence[Any]) -> Fault | Refusal | None:
        return first_refusal(DRIVE_RESTRICTIONS, course(model, drive, answer))

    def suggests() -> Iterator[Plain]:
        goals = (m for goal in going.usual_goals(model.unit, [model]) for m in towards(model, drive, goal))
        return (one for one in (*goals, [[], None]) if refuses(one) is None)

    def samples(rng: Random) -> Plain:
        for _ in range(8):
            answer = random_course(model, drive, rng)
            if refuses(answer) is None:
                return answer
        return [[], None]

    def seeks(point: Point) -> Iterator[Plain]:
        return (one for one in towards(model, drive, point) if refuses(one) is None)

    shown: dict[str, Plain] = {"allowance": allowance(model, drive), "turn": drive.turn}
    return Move(model.side, drive.name, refuses, samples, suggests, shown, {"model": model.row}, seeks)


def towards(model: Model, drive: Drive, goal: Point) -> Iterator[Plain]:
    """Ways nearer to a goal, turning as far as allowed and as its kind turns, the longest first."""
    kind = kind_of(model)
    assert kind is not None
    limit = allowance(model, drive)
    first = min(BIKE_FIRST, limit) if kind.turns == "after-an-inch" else 0.0
    ahead = heading(model.facing)
    start = rounded(model.x + first * ahead[0]), rounded(model.y + first * ahead[1])
    wanted = shorter_turn(model.facing, facing_towards(start, goal))
    turn = max(-drive.turn, min(drive.turn, wanted))
    aim = heading((model.facing + turn) % 360.0)
    for share in SHARES:
        far = max(0.0, min(limit - 4.0 * (share < SHARES[0]), math.dist(start, goal)) * share - first - 0.002)
        end = [rounded(start[0] + far * aim[0]), rounded(start[1] + far * aim[1])]
        yield [[list(start), end] if first else [end], None]
    if drive.reverses and kind.reverses and abs(wanted) > 90.0:
        yield [[[rounded(model.x - limit * 0.99 * ahead[0]), rounded(model.y - limit * 0.99 * ahead[1])]], None]


def random_course(model: Model, drive: Drive, rng: Random) -> Plain:
    aim, far = heading(rng.uniform(0.0, 360.0)), rng.uniform(1.0, 24.0)
    goal = model.x + far * aim[0], model.y + far * aim[1]
    return rng.choice(list(towards(model, drive, goal)))


# ---------------------------------------------------------------- driving


def fields(name: str, model: Model, filled: Sequence[Any]) -> Move | None:
    drive = flat_out(model) if name == FULL.name else DRIVES[name]
    return None if filled else drive_question(model, drive)


def frames(name: str, model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    points, facing = details[0]
    way = read(model, flat_out(model) if name == FULL.name else DRIVES[name], (points, facing))
    after: tuple[Frame, ...] = (("flat-out-hit", model.row),) if name == FULL.name else ()
    return moves.past_reaches(model, way, (("drive", name, model.row, tuple(points), facing), *after))


@rule(
    "vehicles/tactical", "vehicles/attack-move", "vehicles/rapid-move", "vehicles/flat-out", "vehicles/location-drive"
)
async def drive(position: Position, name: str, row: int, points: Sequence[Point], facing: float | None) -> None:
    """The vehicle drives its way, unless a free strike has cost it its Drive. Then come the tests of the ground."""
    model = position.model(row)
    if name != FULL.name and cannot_drive(model):
        return
    path = read(model, flat_out(model) if name == FULL.name else DRIVES[name], (points, facing))
    moves.go(model, path)
    end_of_move(position, model, path)


@rule("vehicles/walker-turn", "vehicles/biped-turn", "vehicles/location-drive")
async def pivot(position: Position, row: int) -> None:
    """A free turn on activation: a Walker up to 90 degrees, a Biped up to 45, neither without its Drive."""
    model = position.model(row)
    kind = kind_of(model)
    if kind is None or not kind.pivot or cannot_drive(model):
        return
    low, high = (sign * most_free(model, sign, int(kind.pivot)) for sign in (-1, 1))
    if low == high:
        return
    turn = int(await ask(Number(model.side, "pivot", low, high, {"model": row}, pivots(model, low, high))))
    if turn:
        position.turn(model, rounded((model.facing + turn) % 360.0))


@rule("vehicles/rotation", "movement/basic", "movement/no-accidental-engagement")
def most_free(model: Model, sign: int, most: int) -> int:
    """How many whole degrees the vehicle can turn to one side before its hull meets anything.

    Nor does it turn into or out of an engagement.
    """
    if isinstance(model.profile.shape, Circle):
        return most
    field = moves.bars(model, at_the_end=True).field
    places = np.array([(model.x, model.y, model.facing + sign * turn) for turn in range(1, most + 1)], np.float64)
    free = all_free(field, places).tolist()
    most = free.index(False) if False in free else most
    turns = (rounded((model.facing + sign * turn) % 360.0) for turn in range(1, most + 1))
    return next((k for k, facing in enumerate(turns) if not keeps_its_foes(model, facing)), most)


def pivots(model: Model, low: int, high: int) -> tuple[int, ...]:
    """Turns to suggest: towards the nearest enemy, and none."""
    enemies = model.position.on_table(1 - model.side)
    nearest = min(enemies, key=lambda m: math.dist(m.at, model.at), default=None)
    wanted = 0 if nearest is None else round(shorter_turn(model.facing, facing_towards(model.at, nearest.at)))
    return tuple(dict.fromkeys((max(low, min(high, wanted)), 0)))


# ---------------------------------------------------------------- restrictions on driving


@rule("vehicles/movement-one")
def has_driven(model: Model) -> Fault | None:
    """A vehicle takes one movement action a turn: Tactical, Attack or Rapid Movement, Charge, Ram or Flat Out."""
    return Fault(model=model.row) if any(one in MOVEMENTS for one in done(model)) else None


@rule("vehicles/location-drive")
def has_no_drive(model: Model) -> Fault | None:
    return Fault(model=model.row) if cannot_drive(model) else None


DRIVE_BARS = {name: (has_driven,) if name == FULL.name else (has_driven, has_no_drive) for name in DRIVES}
DRIVE_FIELDS = {name: partial(fields, name) for name in DRIVES}
DRIVE_FRAMES = {name: partial(frames, name) for name in DRIVES}
