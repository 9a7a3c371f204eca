"""The question to a unit of vehicles that drives (7.2): its paths, and the paths proposed to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from campale.referee.position import Model, Unit
from campale.referee.question import Form, MoveUnit, Question
from campale.referee.refusal import Plain, Refusal
from campale.rulesets.e55.definitions.measuring import exact
from campale.rulesets.e55.vehicles.gathering import course_refusal, duty, straight_or_round
from campale.rulesets.e55.vehicles.legs import ONE_TURN, Answer, Course, first_course, is_rotating, second_course
from campale.rulesets.e55.view.foretelling import of_legs
from campale.table.paths import Path, plan_length
from campale.table.shapes import Point, facing_towards, heading, rounded
from campale.table.turning import shorter_turn

SHARES = (1.0, 0.75, 0.5, 0.25)
LEAST = 0.1
"""Paths shorter than this, in inches, are not worth proposing."""


def leg_question(course: Course, prompt: str) -> MoveUnit:
    """Ask where the vehicles go, each with its facing at the end (null: unchanged)."""

    def refuses(answers: list[Answer]) -> Refusal | None:
        return course_refusal(course, answers)

    def samples(rng: Random) -> Plain:
        return random_answer(course, rng)

    def suggests() -> Iterator[Plain]:
        return good_answers(course)

    shown = {"allowance": course.left(), "turn": ONE_TURN if course.ends_here else 0.0}
    about = {"unit": course.unit.row, "models": list(course.rows)}
    foretells = partial(of_legs, course)
    return MoveUnit(course.unit.side, prompt, refuses, samples, suggests, shown, about, foretells=foretells)


def drive_question(unit: Unit, speeds: dict[int, int]) -> Form:
    """Ask for the paths of all vehicles of a unit that move: one leg at combat speed, two at cruising speed."""
    first = first_course(unit, speeds)

    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            return leg_question(first, "drive")
        if len(filled) == 1 and not first.ends_here:
            return leg_question(second_course(first, filled[0]), "drive-on")
        return None

    stay = owed(first)
    idle = [stay] if first.ends_here else [stay, idle_answer(second_course(first, understood(stay)).rows)]
    return Form(unit.side, "drive", fields, {"unit": unit.row}, idle)


def driven(unit: Unit, speeds: dict[int, int], filled: list[list[Answer]]) -> dict[int, Path]:
    """Return the whole path of each vehicle, from the answers of a form."""
    first = first_course(unit, speeds)
    paths = {row: leg.path for row, leg in first.legs(filled[0]).items()}
    if not first.ends_here:
        for row, leg in second_course(first, filled[0]).legs(filled[1]).items():
            paths[row] = joined(paths[row], leg.path)
    return paths


def joined(one: Path, other: Path) -> Path:
    """Join two paths into one, keeping the turn between them."""
    turns = (*turns_of(one)[:-1], turns_of(one)[-1] + turns_of(other)[0], *turns_of(other)[1:])
    return Path((*one.points, *other.points[1:]), other.facing, turns if any(turns) else ())


def turns_of(path: Path) -> tuple[float, ...]:
    return path.turns or (0.0,) * len(path.points)


# ---------------------------------------------------------------- proposals


def idle_answer(rows: Sequence[int]) -> Plain:
    return [[[], None] for _ in rows]


def owed(course: Course) -> Plain:
    """Return the answer by which a scattered squadron closes up, if it must and can; else all stay."""
    return duty(course)[1] or idle_answer(course.rows)


def shifted(course: Course, dx: float, dy: float, turns: Sequence[float | None]) -> Plain:
    """Return an answer in which all take the same straight path, with the given facings at the end."""
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
    """Return the same random path for all, turned at random, and cut short where necessary."""
    aim = heading(rounded(rng.uniform(0.0, 360.0)))
    far = course.left() * rng.random()
    turns = [random_turn(course, row, rng) for row in course.rows]
    keeping: list[float | None] = [None for _ in course.rows]
    for share in (1.0, 0.5, 0.2, 0.0):
        for facings in (turns, keeping):
            answer = shifted(course, aim[0] * far * share, aim[1] * far * share, facings)
            if legal(course, answer):
                return answer
    return owed(course)


def random_turn(course: Course, row: int, rng: Random) -> float | None:
    if rng.random() < 0.5:
        return None
    most = 180 if is_rotating(course.position.model(row)) else int(ONE_TURN)
    return course.start(row)[2] + rng.randint(-most, most)


def good_answers(course: Course) -> Iterator[Plain]:
    """Yield sensible answers: towards an enemy, an objective, or away from the enemy; then only turning, or staying."""
    closing_up = duty(course)[1]
    if closing_up:
        yield closing_up
    leader = course.position.model(course.rows[0])
    enemies = sorted(course.position.on_table(1 - leader.side), key=lambda m: (exact(leader, m), m.row))
    for goal in goals(leader, enemies):
        found = towards(course, goal, enemies)
        if found is not None:
            yield found
    turned = shifted(course, 0.0, 0.0, facings_at(course, (0.0, 0.0), enemies))
    if legal(course, turned):
        yield turned
    yield owed(course)


def goals(leader: Model, enemies: Sequence[Model]) -> list[Point]:
    tokens = [(token.x, token.y) for token in leader.position.tokens if token.kind == "objective"]
    tokens.sort(key=lambda p: (p[0] - leader.x) ** 2 + (p[1] - leader.y) ** 2)
    found = [*tokens[:2], *(enemy.at for enemy in enemies[:1])]
    if enemies:
        found.append((2.0 * leader.x - enemies[0].x, 2.0 * leader.y - enemies[0].y))
    return found


def towards(course: Course, goal: Point, enemies: Sequence[Model]) -> Plain | None:
    """Return the leader's path to a goal, or the same straight path for a whole squadron, as far as it is legal."""
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


def facings_at(course: Course, way: Point, enemies: Sequence[Model]) -> list[float | None]:
    """Return facings towards the nearest enemy, as far as each may turn; none in the first part of a cruise."""
    return [facing_for(course, row, way, enemies) for row in course.rows]


def facing_for(course: Course, row: int, way: Point, enemies: Sequence[Model]) -> float | None:
    if not enemies or (course.is_at_half(row) and not is_rotating(course.position.model(row))):
        return None
    x, y, facing = course.start(row)
    turn = shorter_turn(facing, facing_towards((x + way[0], y + way[1]), enemies[0].at))
    if not is_rotating(course.position.model(row)):
        turn = max(-ONE_TURN, min(ONE_TURN, turn))
    return None if abs(turn) < 1.0 else facing + turn
