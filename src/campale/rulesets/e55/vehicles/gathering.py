"""The course of a squadron judged as a whole (7.17, 3.1.1): whether it ends together, and how a scattered one may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campale.mechanics.moves.coherency import standing
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_walker, operates_as_flyer
from campale.rulesets.e55.definitions.units import COMBAT_SPEED, CRUISING, STATIONARY, is_held, members
from campale.rulesets.e55.movement_phase.coherency import (
    is_coherent,
    link,
    linked_groups,
    reach_of,
    widest_gap,
)
from campale.rulesets.e55.movement_phase.ways import field_of, way_of
from campale.rulesets.e55.vehicles.legs import Answer, Course, first_course, leg_refusal, second_course
from campale.rulesets.e55.vehicles.squadrons import Places, on_each_other, scattered
from campale.table import planner
from campale.table.paths import Path, plan_length, until, upto
from campale.table.shapes import Point, rounded

BACK = 0.02
NEARER = 0.01
STEP = 0.5
"""How finely the end of a way that closes up is sought, in inches."""
CLEAR = 0.05
SHARES = (0.0, 0.5, 1.0)
RANKS = ("", "close", "restore")
NO_SPEEDS: Mapping[int, int] = {}


# ---------------------------------------------------------------- a course judged


def course_refusal(course: Course, answers: Sequence[Answer], wholly: bool = False) -> Refusal | None:
    """Return why the answers are illegal. ``wholly``: judge the unit's end even if more legs may follow."""
    legs = course.legs(answers)
    found = next((refusal for leg in legs.values() if (refusal := leg_refusal(leg)) is not None), None)
    if found is not None:
        return found
    if course.ends_here or wholly:
        return ends_refusal(course, {**ends_before(course), **{row: leg.end for row, leg in legs.items()}})
    return first_refusal((goes_astray,), course, answers)


def ends_before(course: Course) -> Places:
    return {row: leg.end for row, leg in course.before.items()}


def ends_refusal(course: Course, ends: Places) -> Refusal | None:
    unit = course.unit
    if len(members(unit)) < 2:
        return None
    models = [unit.position.model(row) for row in ends]
    if all((m.x, m.y, m.z, m.facing) == ends[m.row] for m in models):
        return first_refusal((does_not_close_up,), course, ends)
    return first_refusal((on_each_other, scattered), unit, ends) or first_refusal((does_not_close_up,), course, ends)


@rule("3.1.1/restore-coherency")
def does_not_close_up(course: Course, ends: Places) -> Fault | None:
    """Refuse ends that leave a squadron scattered if it can regain coherency, or no closer if it can come closer."""
    unit = course.unit
    if not is_scattered(unit) or is_coherent(unit, ends):
        return None
    kind, found = duty(course)
    if kind == "restore" or (kind == "close" and not closes(unit, ends)):
        where = next((tuple(points[-1]) for points, _ in found if points), None)
        return Fault(where, round(widest_gap(unit, ends), 2), link(unit))
    return None


@rule("3.1.1/restore-coherency")
def goes_astray(course: Course, answers: Sequence[Answer]) -> Fault | None:
    """Refuse the first part of a cruise after which a scattered squadron could close up less than before it."""
    if not is_scattered(course.unit) or rank(second_course(course, answers)) >= rank(course):
        return None
    row = course.rows[0]
    return Fault(course.legs(answers)[row].end[:2], limit=link(course.unit), model=row)


def is_scattered(unit: Unit) -> bool:
    return len(members(unit)) > 1 and not is_coherent(unit)


def closes(unit: Unit, ends: Places) -> bool:
    return widest_gap(unit, ends) < widest_gap(unit) - NEARER


# ---------------------------------------------------------------- speeds


def greatest_speeds(unit: Unit, chosen: Mapping[int, int] = NO_SPEEDS) -> dict[int, int]:
    """Return a speed for each vehicle: the chosen one, or else the greatest that it may choose."""
    return {model.row: chosen.get(model.row, greatest_speed(model)) for model in members(unit)}


def greatest_speed(model: Model) -> int:
    if is_held(model):
        return STATIONARY
    return COMBAT_SPEED if is_walker(model) else CRUISING


def must_gather(unit: Unit) -> bool:
    """Return whether a squadron is scattered and could close up."""
    return is_scattered(unit) and rank_at(unit, greatest_speeds(unit)) > 0


def rank_at(unit: Unit, speeds: Mapping[int, int]) -> int:
    return rank(first_course(unit, speeds)) if any(speeds.values()) else 0


def rank(course: Course) -> int:
    return RANKS.index(duty(course)[0])


# ---------------------------------------------------------------- what is owed


@rule("3.1.1/restore-coherency")
def duty(course: Course) -> tuple[str, list[Plain]]:
    """Return what a scattered squadron must do ("restore", "close" or ""), with an answer that does it.

    The search has steps of half an inch. The result is cached until something moves.
    """
    unit = course.unit
    if not is_scattered(unit):
        return "", []
    key = ("squadron-duty", unit.row, course.rows, tuple(course.speeds.items()), tuple(ends_before(course).items()))
    kept = unit.position.cache
    if key not in kept:
        kept[key] = "", []
        for answer in ways_together(course):
            found = worth(course, answer)
            if found > RANKS.index(kept[key][0]):
                kept[key] = RANKS[found], answer
            if found == len(RANKS) - 1:
                break
    result: tuple[str, list[Plain]] = kept[key]
    return result


def worth(course: Course, answer: list[Plain]) -> int:
    """Return what an answer does for a scattered squadron, as an index of ``RANKS``; 0 also if it is illegal."""
    legs = course.legs([(tuple(tuple(point) for point in points), facing) for points, facing in answer])
    ends = {**ends_before(course), **{row: leg.end for row, leg in legs.items()}}
    if any(leg_refusal(leg) is not None for leg in legs.values()) or on_each_other(course.unit, ends) is not None:
        return 0
    return 2 if is_coherent(course.unit, ends) else int(closes(course.unit, ends))


def ways_together(course: Course) -> Iterator[list[Plain]]:
    """Yield answers: all stay; or one group stays, or goes part of the way to the next vehicle, and the others join."""
    yield answer_of(course, {})
    unit = course.unit
    models = members(unit)
    here = {model.row: place_of(course, model) for model in models}
    groups = [[models[k].row for k in group] for group in linked_groups(unit, models, here)]
    for group in sorted(groups, key=lambda rows: (-sum(row not in course.rows for row in rows), -len(rows))):
        for share in SHARES:
            found = drawn_together(course, group, here, share)
            if found is not None:
                yield answer_of(course, found)


def place_of(course: Course, model: Model) -> tuple[float, float, float, float]:
    if model.row not in course.rows:
        there = ends_before(course)
        return there.get(model.row, (model.x, model.y, model.z, model.facing))
    x, y, facing = course.start(model.row)
    return x, y, 0.0, facing


def answer_of(course: Course, paths: Mapping[int, Path]) -> list[Plain]:
    """Return the answer that sends vehicles along paths; the others stay."""
    found: list[Plain] = []
    for row in course.rows:
        points = paths[row].points[1:] if row in paths else ()
        found.append([[[rounded(x), rounded(y)] for x, y in (point[:2] for point in points)], None])
    return found


def drawn_together(course: Course, group: Sequence[int], here: Places, share: float) -> dict[int, Path] | None:
    """Return paths by which a group goes a share of its way to the next vehicle, and each other vehicle joins it."""
    rest = sorted((row for row in here if row not in group), key=lambda row: min(apart(here, row, g) for g in group))
    paths = group_drawn(course, group, here, rest[0], share) if rest else None
    if paths is None:
        return None
    placed = {row: end_place(paths[row], here[row]) if row in paths else here[row] for row in group}
    for row in rest:
        placed[row] = here[row]
        if row in course.rows:
            paths[row] = joining(course, row, {other: placed[other] for other in placed if other != row})
            placed[row] = end_place(paths[row], here[row])
    return paths


def apart(places: Places, one: int, other: int) -> float:
    """Return the distance between the centres of two vehicles."""
    return float(((places[one][0] - places[other][0]) ** 2 + (places[one][1] - places[other][1]) ** 2) ** 0.5)


def end_place(path: Path, start: tuple[float, ...]) -> tuple[float, float, float, float]:
    x, y = path.points[-1][:2]
    return x, y, 0.0, start[3]


def group_drawn(course: Course, group: Sequence[int], here: Places, other: int, share: float) -> dict[int, Path] | None:
    """Return equal steps of a group towards a vehicle; None if one of the group does not move."""
    if not share:
        return {}
    if any(row not in course.rows for row in group):
        return None
    nearest = min(group, key=lambda row: apart(here, row, other))
    far = share * min(left_of(course, row) for row in group) / max(apart(here, nearest, other), STEP)
    dx, dy = ((here[other][k] - here[nearest][k]) * min(far, 1.0) for k in (0, 1))
    return {row: Path((here[row][:2], (here[row][0] + dx, here[row][1] + dy)), here[row][3]) for row in group}


def left_of(course: Course, row: int) -> float:
    return course.limit(row) - course.gone(row)


def joining(course: Course, row: int, placed: Places) -> Path:
    """Return a vehicle's path towards the nearest of those in their places, no farther than it needs to."""
    model = course.position.model(row)
    x, y, facing = course.start(row)
    goal = min(placed.values(), key=lambda place: (place[0] - x) ** 2 + (place[1] - y) ** 2)
    path = straight_or_round(model, (x, y), facing, goal[:2], left_of(course, row))
    long, best = plan_length(path), 0.0
    for k in range(int(long / STEP) + 2):
        far = min(k * STEP, long)
        gap = gap_at(model, upto(path, far), placed)
        if gap is not None:
            best = far
            if gap <= reach_of(course.unit):
                break
    return upto(path, best)


def gap_at(model: Model, path: Path, placed: Places) -> float | None:
    """Return the gap between a vehicle at the end of a path and the nearest of the others; None if it overlaps one."""
    others = [model.position.model(row) for row in placed]
    places: dict[int, Any] = {**placed, model.row: (*path.points[-1][:2], 0.0, float(path.facing or 0.0))}
    gaps = standing([model, *others], places).gaps()[0, 1:]
    return float(gaps.min()) if gaps.min() >= CLEAR else None


def straight_or_round(model: Model, start: Point, facing: float, goal: Point, limit: float) -> Path:
    """Return a path for the hull with its facing kept.

    It is planned for the disc inside the hull, and cut short where the hull is barred.
    """
    if operates_as_flyer(model):
        return upto(Path((start, goal), facing), limit)
    plan = planner.towards(field_of(model).plans, start, goal, max(0.0, limit - BACK))
    path = Path(tuple((p[0], p[1], 0.0) for p in plan.points), facing)
    met = way_of(model, path, None).met if len(path.points) > 1 else None
    return path if met is None else until(path, max(0.0, met.trouble.progress - BACK))
