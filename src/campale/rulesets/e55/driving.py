"""The ways of vehicles (7.2): hulls that keep their orientation as they go, and turn where their speed lets them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.referee.question import Form, MoveUnit, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.measuring import exact
from campale.rulesets.e55.squadrons import Places, on_each_other, scattered
from campale.rulesets.e55.types import is_walker, operates_as_flyer
from campale.rulesets.e55.units import COMBAT_SPEED, CRUISING, IMMOBILISED, STATIONARY, STUCK, members, player_turn
from campale.rulesets.e55.ways import Way, field_of, way_refusal
from campale.table import planner
from campale.table.paths import Path, plan_length, until, upto
from campale.table.shapes import TOLERANCE, Point, facing_towards, heading, rounded
from campale.table.turning import shorter_turn

ONE_TURN = 45.0
SHARES = (1.0, 0.75, 0.5, 0.25)
BACK = 0.02
LEAST = 0.1
"""No way shorter than this is worth proposing."""

Answer = tuple[tuple[tuple[float, ...], ...], float | None]
Stand = tuple[float, float, float]
"""Centre and facing."""


# ---------------------------------------------------------------- speed and orientation


@rule("7.1/bs-and-speed", "7.14/aircraft-speeds")
def speed_value(model: Model) -> float:
    """The inches that a vehicle may move in a turn; an aircraft has a value for each of its modes."""
    profile = model.profile
    return float(profile.flyer_speed if profile.flyer_speed and operates_as_flyer(model) else profile.speed)


@rule("7.2/speed-choice", "3.1/slowest-model")
def pace(unit: Unit) -> float:
    """The speed value that all of a squadron go by: that of the slowest."""
    return min(speed_value(model) for model in members(unit))


@rule("7.2/combat-speed", "7.2/cruising-speed")
def allowance(unit: Unit, speed: int) -> float:
    if speed == COMBAT_SPEED:
        return pace(unit) / 2.0
    return pace(unit) if speed == CRUISING else 0.0


@rule("7.15/rotating", "7.14/aircraft-rotating", "7.16/walker-rules")
def is_rotating(model: Model) -> bool:
    """Aircraft and walkers are rotating too."""
    return any(model.profile.is_a(kind) for kind in ("rotating", "aircraft", "walker"))


@rule("7.6/immobilised", "7.6/stunned", "7.6/shaken")
def is_held(model: Model) -> bool:
    """It can neither move nor turn: for good, or in this turn."""
    return bool(model.marks(IMMOBILISED)) or model.marks(STUCK) == player_turn(model.position) > 0


# ---------------------------------------------------------------- a leg: going somewhere, then turning


class Leg(NamedTuple):
    """A vehicle's way at a speed, and its turn at the end; ``gone`` inches of ``limit`` lie behind it.

    ``at_half``: it is the first part of a cruise, which turns only when exactly half of the speed is covered.
    """

    model: Model
    path: Path
    speed: int
    limit: float
    gone: float = 0.0
    at_half: bool = False

    @property
    def length(self) -> float:
        return rounded(self.gone + plan_length(self.path))

    @property
    def turned(self) -> float:
        return self.path.turns[-1] if self.path.turns else 0.0

    @property
    def stays(self) -> bool:
        return len(self.path.points) == 1 and not self.turned

    @property
    def end(self) -> tuple[float, float, float, float]:
        return end_of(self.path)


def end_of(path: Path) -> tuple[float, float, float, float]:
    """Where a path ends: x, y, z and the facing."""
    x, y = path.points[-1][:2]
    return x, y, 0.0, float(path.facing or 0.0)


def leg_path(start: Stand, answer: Answer) -> Path:
    """The path that an answer means: straight moves that keep the orientation, then one turn, the shorter way."""
    facing = start[2] if answer[1] is None else rounded(answer[1] % 360.0)
    points: list[tuple[float, float, float]] = [(start[0], start[1], 0.0)]
    for point in answer[0]:
        points.append((rounded(point[0]), rounded(point[1]), rounded(point[2]) if len(point) == 3 else 0.0))
    turn = rounded(shorter_turn(start[2], facing))
    return Path(tuple(points), facing, (*(0.0 for _ in points[1:]), turn) if turn else ())


def other_way_round(path: Path) -> Path:
    turn = path.turns[-1]
    return Path(path.points, path.facing, (*path.turns[:-1], turn - 360.0 if turn > 0 else turn + 360.0))


@rule("7.2/turn-only-so", "7.15/rotating")
def turns_too_far(leg: Leg) -> Fault | None:
    """At most 45 degrees, unless it rotates."""
    if abs(leg.turned) <= ONE_TURN + TOLERANCE or is_rotating(leg.model):
        return None
    return Fault(leg.end[:2], round(abs(leg.turned), 1), ONE_TURN, leg.model.row)


@rule("7.2/cruising-speed")
def turns_before_half(leg: Leg) -> Fault | None:
    """The first turn of a cruise comes when exactly half of the speed has been covered."""
    half = leg.limit / 2.0
    if not leg.at_half or not leg.turned or is_rotating(leg.model) or abs(leg.length - half) <= TOLERANCE:
        return None
    return Fault(leg.end[:2], round(leg.length, 2), half, leg.model.row, "turn-at-half")


def too_long(leg: Leg, speed: int) -> Fault | None:
    if leg.speed != speed or leg.length <= leg.limit + TOLERANCE:
        return None
    return Fault(leg.end[:2], round(leg.length, 2), leg.limit, leg.model.row)


@rule("7.2/stationary")
def leaves_its_place(leg: Leg) -> Fault | None:
    return too_long(leg, STATIONARY)


@rule("7.2/combat-speed")
def beyond_half_of_its_speed(leg: Leg) -> Fault | None:
    return too_long(leg, COMBAT_SPEED)


@rule("7.2/cruising-speed")
def beyond_its_speed(leg: Leg) -> Fault | None:
    return too_long(leg, CRUISING)


LEG_RESTRICTIONS = (
    turns_too_far,
    turns_before_half,
    leaves_its_place,
    beyond_half_of_its_speed,
    beyond_its_speed,
)


def barred(leg: Leg) -> Refusal | None:
    """What stands in the way, the turn included."""
    flies = operates_as_flyer(leg.model)
    found = way_refusal(Way(leg.model, leg.path, None, flies=flies))
    if found is not None and leg.turned and is_rotating(leg.model):
        return way_refusal(Way(leg.model, other_way_round(leg.path), None, flies=flies))
    return found


def leg_refusal(leg: Leg) -> Refusal | None:
    """Why a vehicle cannot go so; one that stays as it stands always may."""
    if leg.stays:
        return None
    return first_refusal(LEG_RESTRICTIONS, leg) or barred(leg)


# ---------------------------------------------------------------- the legs of a unit, judged together


class Course(NamedTuple):
    """What a unit of vehicles is asked at once: who goes on, at which speeds (by row), and what lies behind it.

    ``before``: the legs already given of all that move, by row; ``ends_here``: nothing follows, so the unit is
    together where these legs end.
    """

    unit: Unit
    rows: tuple[int, ...]
    speeds: dict[int, int]
    before: dict[int, Leg]
    ends_here: bool

    @property
    def position(self) -> Position:
        return self.unit.position

    def start(self, row: int) -> Stand:
        if row in self.before:
            x, y, _, facing = self.before[row].end
            return x, y, facing
        model = self.position.model(row)
        return model.x, model.y, model.facing

    def gone(self, row: int) -> float:
        return self.before[row].length if row in self.before else 0.0

    def limit(self, row: int) -> float:
        return allowance(self.unit, self.speeds[row])

    def is_at_half(self, row: int) -> bool:
        """Whether this is the first part of a cruise."""
        return self.speeds[row] == CRUISING and not self.before

    def legs(self, answers: Sequence[Answer]) -> dict[int, Leg]:
        found = {}
        for row, answer in zip(self.rows, answers, strict=True):
            path, model = leg_path(self.start(row), answer), self.position.model(row)
            gone = self.gone(row)
            found[row] = Leg(model, path, self.speeds[row], self.limit(row), gone, self.is_at_half(row))
        return found

    def left(self) -> float:
        """How far all of them may still go."""
        return min(self.limit(row) - self.gone(row) for row in self.rows)


def course_refusal(course: Course, answers: Sequence[Answer], wholly: bool = False) -> Refusal | None:
    """``wholly``: the unit would end there, whatever may follow."""
    legs = course.legs(answers)
    found = next((refusal for leg in legs.values() if (refusal := leg_refusal(leg)) is not None), None)
    if found is not None or not (course.ends_here or wholly):
        return found
    ends = {**{row: leg.end for row, leg in course.before.items()}, **{row: leg.end for row, leg in legs.items()}}
    return ends_refusal(course.unit, ends)


def ends_refusal(unit: Unit, ends: Places) -> Refusal | None:
    if len(members(unit)) < 2:
        return None
    position = unit.position
    if all((m.x, m.y, m.z, m.facing) == ends[m.row] for m in map(position.model, ends)):
        return None
    return first_refusal((on_each_other, scattered), unit, ends)


def leg_question(course: Course, prompt: str) -> MoveUnit:
    """Where the vehicles go, each with its facing at the end (null: as it is)."""

    def refuses(answers: list[Answer]) -> Refusal | None:
        return course_refusal(course, answers)

    def samples(rng: Random) -> Plain:
        return random_answer(course, rng)

    def suggests() -> Iterator[Plain]:
        return good_answers(course)

    shown = {"allowance": course.left(), "turn": ONE_TURN if course.ends_here else 0.0}
    about = {"unit": course.unit.row, "models": list(course.rows)}
    return MoveUnit(course.unit.side, prompt, refuses, samples, suggests, shown, about)


def first_course(unit: Unit, speeds: dict[int, int]) -> Course:
    """All that move, to the end of their move or to the turn in the middle of a cruise."""
    moving = {row: speed for row, speed in speeds.items() if speed}
    return Course(unit, tuple(moving), moving, {}, CRUISING not in moving.values())


def second_course(first: Course, answers: Sequence[Answer]) -> Course:
    """Those that cruise, from there on."""
    cruising = tuple(row for row in first.rows if first.speeds[row] == CRUISING)
    return Course(first.unit, cruising, first.speeds, first.legs(answers), True)


def drive_question(unit: Unit, speeds: dict[int, int]) -> Form:
    """The ways of all vehicles of a unit that move: one leg at combat speed, two at cruising speed."""
    first = first_course(unit, speeds)

    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            return leg_question(first, "drive")
        if len(filled) == 1 and not first.ends_here:
            return leg_question(second_course(first, filled[0]), "drive-on")
        return None

    stay = idle_answer(first.rows)
    idle = [stay] if first.ends_here else [stay, idle_answer(second_course(first, understood(stay)).rows)]
    return Form(unit.side, "drive", fields, {"unit": unit.row}, idle)


def driven(unit: Unit, speeds: dict[int, int], filled: list[list[Answer]]) -> dict[int, Path]:
    """The whole way of each vehicle, from the answers of a form."""
    first = first_course(unit, speeds)
    paths = {row: leg.path for row, leg in first.legs(filled[0]).items()}
    if not first.ends_here:
        for row, leg in second_course(first, filled[0]).legs(filled[1]).items():
            paths[row] = joined(paths[row], leg.path)
    return paths


def joined(one: Path, other: Path) -> Path:
    """Two paths as one, the turn between them kept."""
    turns = (*turns_of(one)[:-1], turns_of(one)[-1] + turns_of(other)[0], *turns_of(other)[1:])
    return Path((*one.points, *other.points[1:]), other.facing, turns if any(turns) else ())


def turns_of(path: Path) -> tuple[float, ...]:
    return path.turns or (0.0,) * len(path.points)


# ---------------------------------------------------------------- proposals


def idle_answer(rows: Sequence[int]) -> Plain:
    return [[[], None] for _ in rows]


def shifted(course: Course, dx: float, dy: float, turns: Sequence[float | None]) -> Plain:
    """All go the same straight way, and face as wanted at the end."""
    answers = []
    for row, facing in zip(course.rows, turns, strict=True):
        x, y, _ = course.start(row)
        moved = [[rounded(x + dx), rounded(y + dy)]] if dx or dy else []
        answers.append([moved, None if facing is None else round(facing % 360.0, 1)])
    return answers


def legal(course: Course, answer: Plain) -> bool:
    return course_refusal(course, understood(answer), wholly=True) is None


def understood(answer: Plain) -> list[Answer]:
    return [(tuple(tuple(point) for point in points), facing) for points, facing in answer]


def random_answer(course: Course, rng: Random) -> Plain:
    """The same random way for all, turned at random; cut short where it must be."""
    aim = heading(rounded(rng.uniform(0.0, 360.0)))
    far = course.left() * rng.random()
    turns = [random_turn(course, row, rng) for row in course.rows]
    keeping: list[float | None] = [None for _ in course.rows]
    for share in (1.0, 0.5, 0.2, 0.0):
        for facings in (turns, keeping):
            answer = shifted(course, aim[0] * far * share, aim[1] * far * share, facings)
            if legal(course, answer):
                return answer
    return idle_answer(course.rows)


def random_turn(course: Course, row: int, rng: Random) -> float | None:
    if rng.random() < 0.5:
        return None
    most = 180 if is_rotating(course.position.model(row)) else int(ONE_TURN)
    return course.start(row)[2] + rng.randint(-most, most)


def good_answers(course: Course) -> Iterator[Plain]:
    """Ways that make sense: towards an enemy, an objective, back from the enemy, only turned, not at all."""
    leader = course.position.model(course.rows[0])
    enemies = sorted(course.position.on_table(1 - leader.side), key=lambda m: (exact(leader, m), m.row))
    for goal in goals(leader, enemies):
        found = towards(course, goal, enemies)
        if found is not None:
            yield found
    turned = shifted(course, 0.0, 0.0, facings_at(course, (0.0, 0.0), enemies))
    if legal(course, turned):
        yield turned
    yield idle_answer(course.rows)


def goals(leader: Model, enemies: Sequence[Model]) -> list[Point]:
    tokens = [(token.x, token.y) for token in leader.position.tokens if token.kind == "objective"]
    tokens.sort(key=lambda p: (p[0] - leader.x) ** 2 + (p[1] - leader.y) ** 2)
    found = [*tokens[:2], *(enemy.at for enemy in enemies[:1])]
    if enemies:
        found.append((2.0 * leader.x - enemies[0].x, 2.0 * leader.y - enemies[0].y))
    return found


def towards(course: Course, goal: Point, enemies: Sequence[Model]) -> Plain | None:
    """The leader's way to a goal, or the same straight way for all of a squadron, as far as it is legal."""
    if len(course.rows) == 1:
        return planned(course, goal, enemies)
    x, y, _ = course.start(course.rows[0])
    dx, dy = goal[0] - x, goal[1] - y
    far = (dx * dx + dy * dy) ** 0.5
    scale = 0.0 if far == 0.0 else min(1.0, course.left() / far)
    for share in SHARES:
        way = rounded(dx * scale * share), rounded(dy * scale * share)
        for facings in (facings_at(course, way, enemies), [None for _ in course.rows]):
            answer = shifted(course, *way, facings)
            if legal(course, answer):
                return answer
    return None


def planned(course: Course, goal: Point, enemies: Sequence[Model]) -> Plain | None:
    row = course.rows[0]
    x, y, facing = course.start(row)
    model = course.position.model(row)
    path = straight_or_round(model, (x, y), facing, goal, course.left())
    wanted = facings_at(course, (path.points[-1][0] - x, path.points[-1][1] - y), enemies)[0]
    if plan_length(path) < LEAST:
        return None
    steps = [[rounded(px), rounded(py)] for px, py in (point[:2] for point in path.points[1:])]
    for turn in (wanted, None):
        answer = [[steps, None if turn is None else round(turn % 360.0, 1)]]
        if legal(course, answer):
            return answer
    return None


def straight_or_round(model: Model, start: Point, facing: float, goal: Point, limit: float) -> Path:
    """A way for the hull, kept as it points: planned for the disc inside it, cut short where the hull is barred."""
    if operates_as_flyer(model):
        return upto(Path((start, goal), facing), limit)
    plan = planner.towards(field_of(model).plans, start, goal, max(0.0, limit - BACK))
    path = Path(tuple((p[0], p[1], 0.0) for p in plan.points), facing)
    trouble = Way(model, path, None).trouble if len(path.points) > 1 else None
    return path if trouble is None else until(path, max(0.0, trouble[1].progress - BACK))


def facings_at(course: Course, way: Point, enemies: Sequence[Model]) -> list[float | None]:
    """Towards the nearest enemy, as far as each may turn; not in the first part of a cruise."""
    return [facing_for(course, row, way, enemies) for row in course.rows]


def facing_for(course: Course, row: int, way: Point, enemies: Sequence[Model]) -> float | None:
    if not enemies or (course.is_at_half(row) and not is_rotating(course.position.model(row))):
        return None
    x, y, facing = course.start(row)
    turn = shorter_turn(facing, facing_towards((x + way[0], y + way[1]), enemies[0].at))
    if not is_rotating(course.position.model(row)):
        turn = max(-ONE_TURN, min(ONE_TURN, turn))
    return None if abs(turn) < 1.0 else facing + turn


def walks(model: Model) -> bool:
    """A walker on its feet, whom terrain slows."""
    return is_walker(model) and not operates_as_flyer(model)
