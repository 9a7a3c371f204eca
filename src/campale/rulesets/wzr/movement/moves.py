"""Moving a model: its path, what bars it, how long it may be (movement/*, actions/walk, actions/run)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

from campale.mechanics.bases import radii
from campale.mechanics.frames import Frame, push
from campale.mechanics.moves import going, move_paths
from campale.mechanics.moves.move_paths import (
    Barred,
    Met,
    MovePath,
    answer_of,
    end_of,
    met_along,
    met_at_the_end,
    met_on_levels,
    surroundings,
)
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Move, Question
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed, falling
from campale.rulesets.wzr.abilities.vocabulary import Act
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import half
from campale.rulesets.wzr.battle.terrain import LINEAR
from campale.rulesets.wzr.close_combat.disengage import FREE_STRIKES, GO_ON, leave_frames
from campale.rulesets.wzr.close_combat.engaged import engaged_with, engages_on_the_way, first_inside, reach, wider
from campale.rulesets.wzr.movement.ground import fence_of, terrain_penalty
from campale.rulesets.wzr.movement.heights import (
    CLIMB,
    JUMP,
    LANDING,
    climbing_price,
    climbs_near,
    gap_too_wide,
    landings,
    on_foot,
    up_and_down,
)
from campale.rulesets.wzr.squads.coherency import coherency_to, is_coherent, leader_of, strays
from campale.rulesets.wzr.structures.floors import may_rest
from campale.rulesets.wzr.turn.points import moved
from campale.table import planner
from campale.table.kernels import Floats
from campale.table.levels import height_of
from campale.table.measure import bounding_radius, gap
from campale.table.paths import Path, fraction, plan_length, until
from campale.table.shapes import TOLERANCE, Point, Solid, facing_towards, heading, rounded

LARGE, TWICE, LEAST = 3, 2, 2.0
SHARES = (1.0, 0.75, 0.5, 0.25)
FINE = 0.1


class Gait(NamedTuple):
    """A movement action: its name, and the multiple of M that it covers."""

    act: Act
    times: float


WALK, RUN, DIVE = Gait("walk", 1), Gait("run", TWICE), Gait("dive", 0.5)
CHARGING, TRAMPLING = Gait("charge", TWICE), Gait("trample", TWICE)


# ---------------------------------------------------------------- how far


@rule("movement/distance-cap")
def cap_left(model: Model) -> float:
    """What is left of twice M in this activation. A bonus that was used counts on top."""
    return max(0.0, TWICE * float(model.profile.m) + model.marks(marks.BONUS) - moved(model))


@rule("actions/walk", "actions/run", "actions/dive-for-cover", "core/rounding")
def basic(model: Model, gait: Gait) -> float:
    """The basic length of a movement action, in inches."""
    return float(half(model.profile.m)) if gait is DIVE else gait.times * float(model.profile.m)


@rule("movement/distance-cap")
def bonus_of(model: Model, gait: Gait) -> int:
    """The bonus to the length of the action. A model has one bonus in an activation."""
    return 0 if model.marks(marks.BONUS) else int(changed("move-bonus", 0, About(model, act=gait.act)))


@rule("movement/terrain-penalty", "movement/distance-cap", "starter-cards/quagmire")
def length_with(model: Model, gait: Gait, penalty: float) -> float:
    """The length after reductions, which leave at least 2 inches, and within what is left of the activation's cap."""
    full = basic(model, gait)
    less = changed("move-penalty", penalty, About(model, act=gait.act))
    return min(full if less <= 0 else max(min(LEAST, full), full - less), cap_left(model))


@rule("actions/walk", "actions/run", "movement/distance-cap")
def allowance(model: Model, gait: Gait, path: Path | None = None) -> float:
    """How many inches a movement action carries along a path; without a path, over open ground."""
    penalty = 0.0 if path is None else terrain_penalty(model, path)
    return length_with(model, gait, penalty) + bonus_of(model, gait)


# ---------------------------------------------------------------- what bars a model


@rule("movement/basic")
def passes_through(model: Model, other: Model) -> bool:
    """Whether the model may move through the other: a friend on a small or medium base."""
    return other.side == model.side and other.profile.size < LARGE


def bars(model: Model, at_the_end: bool, z: float | None = None) -> Barred:
    """What bars a model at a height (None: its own) on its way or at its end. Kept until something moves."""
    z = model.z if z is None else z
    kept, key = model.position.layout, ("bars", model.row, at_the_end, z)
    if key not in kept:
        others = [m for m in model.position.on_table() if m.row != model.row and stands_at(m, z, model)]
        if not at_the_end:
            others = [m for m in others if not passes_through(model, m)]
        fence = fence_of(model, at_the_end, z)
        kept[key] = surroundings(model, model.profile.shape, others, [0.0] * len(others), fence)
    found: Barred = kept[key]
    return found


def stands_at(other: Model, z: float, model: Model) -> bool:
    """Whether the other stands in the way at this height, neither above the model's head nor below its feet."""
    return bool(z < other.z + other.profile.height - TOLERANCE and other.z < z + model.profile.height - TOLERANCE)


@rule("movement/basic")
def meets(model: Model, path: Path) -> Met | None:
    """The first thing that stops the model on a path or at its end. A model that stays is not stopped."""
    if move_paths.stays(path) and not path.turns:
        return None
    if all(height_of(point) == height_of(path.points[0]) for point in path.points):
        met = met_along(model, path, bars(model, at_the_end=False, z=height_of(path.points[0])))
    else:
        met = met_on_levels(model, path, lambda m, z: bars(m, at_the_end=False, z=z))
    if met is not None or move_paths.stays(path):
        return met
    return met_at_the_end(model, path, bars(model, at_the_end=True, z=end_of(path)[2]))


# ---------------------------------------------------------------- restrictions on a path


class Way(MovePath):
    """A path of a movement action, checked for ``gait``. ``descent`` says how the model goes down."""

    __slots__ = ("descent", "gait")

    def __init__(self, model: Model, path: Path, gait: Gait, descent: str = JUMP) -> None:
        super().__init__(model, path, None, meets)
        self.gait, self.descent = gait, descent


@rule("movement/distance-cap", "movement/terrain-penalty", "movement/climb", "actions/walk", "actions/run")
def too_long(way: Way) -> Fault | None:
    length = inches_of(way.model, way.path, way.descent)
    fault = move_paths.too_long(way.model, way.path, length, allowance(way.model, way.gait, way.path))
    return None if fault is None else msgspec.structs.replace(fault, rule=exceeded(way, length))


RULE_OF = {"walk": "actions/walk", "run": "actions/run", "dive": "actions/dive-for-cover"}


def exceeded(way: Way, length: float) -> str:
    """The rule that a way breaks by its length: the action's, climbing, whatever shortens it, or the cap."""
    model, gait = way.model, way.gait
    bonus = bonus_of(model, gait)
    if length > basic(model, gait) + bonus + TOLERANCE and length_of(way.path) > basic(model, gait) + bonus:
        return RULE_OF[gait.act]
    if length_of(way.path) <= allowance(model, gait, way.path) + TOLERANCE:
        return "movement/climb"
    if length <= cap_left(model) + bonus + TOLERANCE:
        by_effect = (one.ability.rule for one, _ in falling(About(model, act=gait.act), "move-penalty"))
        return "movement/terrain-penalty" if terrain_penalty(model, way.path) else next(by_effect, RULE_OF[gait.act])
    return "movement/distance-cap"


@rule("movement/basic")
def through_a_model(way: Way) -> Fault | None:
    return move_paths.through_a_model(way)


@rule("movement/obstacles")
def over_an_obstacle(way: Way) -> Fault | None:
    """Refuses a way over too high a wall or crate, or one that ends on it."""
    met = way.met
    if met is None or met.trouble.kind != "outline":
        return None
    piece = met.barred.field.fence.pieces[met.trouble.which]
    return Fault(move_paths.shown(met.where), model=way.model.row) if LINEAR in piece.tags else None


@rule("movement/impassable", "structures/no-access", "structures/access-points")
def over_impassable(way: Way) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("movement/basic")
def over_the_edge(way: Way) -> Fault | None:
    return move_paths.over_the_edge(way)


@rule("movement/jump", "movement/climb")
def across_too_wide_a_gap(way: Way) -> Fault | None:
    return gap_too_wide(way.model, way.path)


@rule("movement/climb", "structures/intact")
def without_a_footing(way: Way) -> Fault | None:
    """A way ends on the table or a floor and, in a structure, wholly inside it."""
    if move_paths.stays(way.path):
        return None
    return None if may_rest(way.model, standing_at(way)) else Fault(move_paths.shown(way.end), model=way.model.row)


def standing_at(way: Way) -> Solid:
    """The solid of the model where its path ends."""
    x, y, z = end_of(way.path)
    return Solid(way.model.profile.shape, x, y, z, way.path.facing or 0.0, way.model.profile.height)


@rule("movement/no-accidental-engagement")
def engages(way: Way) -> Fault | None:
    """A way engages no new enemy at any point; with an option, only its end counts."""
    enemy = engages_on_the_way(way.model, judged_part(way.model, way.path))
    return None if enemy is None else Fault(move_paths.shown(way.end), model=enemy.row)


@rule("movement/no-accidental-engagement")
def judged_part(model: Model, path: Path) -> Path:
    """The part of a path that may engage nobody: all of it or, with an option, its end."""
    passes = model.position.options.pass_for_free_strike
    return Path((path.points[-1],), path.facing) if passes else path


@rule("squads/coherency", "squads/out-of-coherency")
def leaves_its_squad(way: Way) -> Fault | None:
    """A model out of coherency may stay only if no way back is found, or to dive (on Sentry, not in its activation)."""
    stays = move_paths.stays(way.path)
    if stays and (way.gait is DIVE or is_coherent(way.model) or way_back(way.model, way.gait) is None):
        return None
    return strays(way.model, way.end)


ALL_BUT_COHERENCY = (
    too_long,
    through_a_model,
    over_an_obstacle,
    over_impassable,
    over_the_edge,
    across_too_wide_a_gap,
    without_a_footing,
    engages,
)
BUT_FOR_RAGE = (*ALL_BUT_COHERENCY, leaves_its_squad)


@rule("abilities/berserk-actions")
def stops_short(way: Way) -> Fault | None:
    """A berserk model must run as near to the nearest enemy as it legally can."""
    model = way.model
    if way.gait is not RUN or not model.marks(marks.BERSERK):
        return None
    enemy = min(model.position.on_table(1 - model.side), key=lambda m: gap(model.solid, m.solid), default=None)
    best = None if enemy is None else nearest_run(model, enemy)
    if enemy is None or best is None:
        return None
    far = gap(standing_at(way), enemy.solid)
    return Fault(move_paths.shown(way.end), round(far, 2), round(best, 2), enemy.row) if far > best + FINE else None


def nearest_run(model: Model, enemy: Model) -> float | None:
    """The gap to the enemy after the best legal run found towards it, or None. Kept until something moves."""
    kept, key = model.position.layout, ("nearest-run", model.row, enemy.row, *limits(model, RUN))
    if key not in kept:
        field, ways = wary(model), [Way(model, grounded(model, Path((model.at,))), RUN)]
        for limit in limits(model, RUN):
            path = planner.towards(field, model.at, enemy.at, limit)
            ways += [Way(model, grounded(model, fraction(path, share)), RUN) for share in SHARES]
        lawful = (way for way in ways if first_refusal(BUT_FOR_RAGE, way) is None)
        kept[key] = min((gap(standing_at(way), enemy.solid) for way in lawful), default=None)
    found: float | None = kept[key]
    return found


WALK_RESTRICTIONS = (*BUT_FOR_RAGE, stops_short)


@rule("squads/out-of-coherency")
def way_back(model: Model, gait: Gait) -> Path | None:
    """A legal way that brings the model back into coherency with its Commander; None if none is found."""
    leader = leader_of(model)
    if leader is None:
        return None
    within = coherency_to(leader, model) + bounding_radius(model.profile.shape) + bounding_radius(leader.profile.shape)
    field = wary(model)
    for limit in limits(model, gait):
        path = planner.within(field, model.at, leader.at, within - 0.01, limit)
        path = planner.towards(field, model.at, leader.at, limit) if path is None else path
        way = Way(model, grounded(model, path), gait)
        if not move_paths.stays(way.path) and first_refusal(ALL_BUT_COHERENCY, way) is None:
            return way.path if strays(model, way.end) is None else None
    return None


def length_of(path: Path) -> float:
    """The length of a path in plan, rounded to the grid on which lengths are compared."""
    return rounded(plan_length(path))


@rule("movement/basic", "movement/climb", "movement/obstacles", "movement/jump")
def inches_of(model: Model, path: Path, descent: str = JUMP) -> float:
    """The inches that a way costs: its length in plan plus climbing. A jump down is free."""
    return rounded(length_of(path) + climbing_price(model, path, descent))


def refusal_of(way: Way) -> Refusal | None:
    return first_refusal(WALK_RESTRICTIONS, way)


# ---------------------------------------------------------------- the question about a path


def read(model: Model, answer: Sequence[Any]) -> Path:
    """The path of an answer: points, with heights if there are floors, and the final facing or None."""
    points, facing = answer
    if model.z <= TOLERANCE and all(len(point) == 2 for point in points):
        path = path_of(model, points)
    else:
        steps = [(rounded(p[0]), rounded(p[1]), rounded(height_of(p))) for p in points]
        path = on_foot(model, [(*model.at, model.z), *steps])
    return path if facing is None else Path(path.points, rounded(facing % 360.0))


def way_question(
    model: Model,
    prompt: str,
    gait: Gait,
    restriction: Restriction | None = None,
    ways: Callable[[Model], Iterator[Path]] | None = None,
) -> Move:
    """Ask which way a model goes, and how it faces at the end.

    ``restriction(way)`` is a further restriction; ``ways(model)`` replaces the proposed ways.
    """
    found = partial(good_paths, gait=gait) if ways is None else ways
    restrictions = WALK_RESTRICTIONS if restriction is None else (*WALK_RESTRICTIONS, restriction)

    def refuses(answer: Sequence[Any]) -> Fault | Refusal | None:
        return first_refusal(restrictions, Way(model, read(model, answer), gait))

    def suggests() -> Iterator[Plain]:
        return (one for one in (answered(model, path) for path in found(model)) if refuses(one) is None)

    def samples(rng: Random) -> Plain:
        path, facing = random_path(model, allowance(model, gait), rng), float(rng.randrange(360))
        tried = (answer_of(grounded(model, fraction(path, share)), facing) for share in (*SHARES, 0.0))
        return next((one for one in tried if refuses(one) is None), None) or next(suggests())

    def seeks(point: Point) -> Iterator[Plain]:
        sought = (answered(model, path) for path in ways_towards(model, gait, point))
        return (one for one in sought if refuses(one) is None)

    far, about = allowance(model, gait), {"model": model.row}
    shown: dict[str, Plain] = {"allowance": far, "reaches": reaches_near(model, far)}
    return Move(model.side, prompt, refuses, samples, suggests, shown, about, seeks if ways is None else None)


def answered(model: Model, path: Path) -> Plain:
    return answer_of(path, facing_after(model, path))


# ---------------------------------------------------------------- ways to suggest


def limits(model: Model, gait: Gait) -> list[float]:
    """How far the model may go over open, light and heavy ground, the longest first."""
    return sorted({length_with(model, gait, less) + bonus_of(model, gait) for less in (0.0, 2.0, 4.0)}, reverse=True)


@rule("movement/no-accidental-engagement", "close-combat/reach-difference")
def reaches_near(model: Model, far: float) -> list[Plain]:
    """The reaches to keep out of, for each enemy that the model could come near: [row, inches].

    Kept until something moves, or an effect begins or ends.
    """
    kept = model.position.layout
    key = "reaches-near", model.row, far, tuple(model.position.effects)
    if key not in kept:
        old = {enemy.row for enemy in engaged_with(model)}
        enemies = [m for m in model.position.on_table(1 - model.side) if m.row not in old]
        enemies = [m for m in enemies if stands_at(m, model.z, model)]
        both = zip(enemies, (max(wide, 0.0) for wide in wider(model, enemies)), strict=True)
        kept[key] = [[m.row, wide] for m, wide in both if gap(model.solid, m.solid) <= far + wide]
    found: list[Plain] = kept[key]
    return found


def route_of(model: Model, path: Path) -> dict[str, Plain]:
    """A fixed way, as questions about the length to go along it show it."""
    return {"route": [[p[0], p[1]] for p in path.points], "movers": [model.row]}


def wary(model: Model) -> planner.Going:
    """What bars the model, and the reaches of enemies."""
    return planner.with_discs(bars(model, at_the_end=False).field.plans, kept_off(model))


def kept_off(model: Model) -> Floats:
    """Enemies as discs that keep the model out of every new reach: x, y, distance between centres (n, 3)."""
    size, sizes = bounding_radius(model.profile.shape), radii(model.position)
    old = {enemy.row for enemy in engaged_with(model)}
    enemies = [m for m in model.position.on_table(1 - model.side) if m.row not in old and stands_at(m, model.z, model)]
    both = zip(enemies, wider(model, enemies), strict=True)
    rows = [(m.x, m.y, size + float(sizes[m.row]) + max(wide, 0.0) + 0.01) for m, wide in both]
    found: Floats = np.array(rows, np.float64).reshape(-1, 3)
    return found


def grounded(model: Model, path: Path) -> Path:
    """A path from the planner, at the height of the model."""
    if model.z <= TOLERANCE:
        return Path(path.points, model.facing)
    return Path(tuple((p[0], p[1], model.z) for p in path.points), model.facing)


def good_paths(model: Model, gait: Gait) -> Iterator[Path]:
    """Ways to markers and nearest enemies, away from these, then parts of them, back, up and down; last, staying."""
    whole: list[Path] = []
    for goal in going.usual_goals(model.unit, [model]):
        whole += (found := list(ways_towards(model, gait, goal)))
        yield from found
    yield from (grounded(model, fraction(path, share)) for share in SHARES[1:] for path in whole)
    back = None if is_coherent(model) else way_back(model, gait)
    yield from () if back is None else (back,)
    yield from up_and_down(model)
    yield from onto_roofs(model, gait)
    yield grounded(model, Path((model.at,)))


def ways_towards(model: Model, gait: Gait, goal: Point) -> Iterator[Path]:
    """The ways as near to a point as the model comes over open ground, over light and over heavy."""
    field = wary(model)
    return (grounded(model, planner.towards(field, model.at, goal, limit)) for limit in limits(model, gait))


@rule("movement/climb")
def onto_roofs(model: Model, gait: Gait) -> Iterator[Path]:
    """Ways that end on a floor climbed from outside."""
    field, limit = wary(model), max(limits(model, gait))
    for climb in climbs_near(model, limit):
        way = planner.route(field, model.at, climb.foot, limit)
        if way is not None:
            steps = [(p[0], p[1], model.z) for p in way.points]
            yield on_foot(model, [*steps, (*climb.top, climb.z)])


def random_path(model: Model, limit: float, rng: Random) -> Path:
    """A straight way in a random direction, ending before what bars it."""
    aim, far = heading(rng.uniform(0.0, 360.0)), limit * rng.random()
    path = Path((model.at, (rounded(model.x + aim[0] * far), rounded(model.y + aim[1] * far))))
    trouble = planner.trouble(bars(model, at_the_end=False).field.going, path)
    return grounded(model, path if trouble is None else until(path, max(0.0, trouble.progress - 0.01)))


def facing_after(model: Model, path: Path) -> float:
    """The facing towards the nearest enemy from where the path ends."""
    end: Point = path.points[-1][0], path.points[-1][1]
    enemies = model.position.on_table(1 - model.side)
    nearest = min(enemies, key=lambda m: (m.x - end[0]) ** 2 + (m.y - end[1]) ** 2, default=None)
    return model.facing if nearest is None else float(round(facing_towards(end, nearest.at)) % 360)


# ---------------------------------------------------------------- actions/walk, actions/run


def walk_fields(gait: Gait, model: Model, filled: Sequence[Any]) -> Question | None:
    """Ask for the way and, if it goes down far, whether the model jumps or climbs."""
    if not filled:
        return way_question(model, gait.act, gait)
    return descent_field(gait, model, filled)


@rule("movement/jump", "movement/climb")
def descent_field(gait: Gait, model: Model, filled: Sequence[Any]) -> Question | None:
    """Ask how to go down: a jump of more than 3 inches costs no movement but needs a test; climbing costs its price."""
    path = read(model, filled[0])
    if len(filled) > 1 or not landings(model, path):
        return None

    def refuses(how: str) -> Fault | None:
        return too_long(Way(model, path, gait, how))

    return Choose(model.side, "descent", [JUMP, CLIMB], "descent", refuses, {"model": model.row})


def walk_frames(gait: Gait, model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    """The frames of a walk, after the tests and strikes of enemies it leaves and the strikes of those it passes."""
    points, facing = details[0]
    descent = str(details[1]) if len(details) > 1 else JUMP
    path = read(model, (points, facing))
    return past_reaches(model, path, (("walk", model.row, tuple(points), facing, gait.act, descent),))


@rule("movement/no-accidental-engagement")
def past_reaches(model: Model, path: Path, then: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The strikes of the enemies that a path passes by, if so agreed, what leaving others demands, and ``then``."""
    frames = leave_frames(model, path, then)
    passed = passed_by(model, path) if model.position.options.pass_for_free_strike else ()
    return ((FREE_STRIKES, model.row, passed), (GO_ON, model.row, frames)) if passed else frames


@rule("movement/no-accidental-engagement")
def passed_by(model: Model, path: Path) -> tuple[int, ...]:
    """The enemies whose own reach a path goes through."""
    old = {enemy.row for enemy in engaged_with(model)}
    enemies = [m for m in model.position.on_table(1 - model.side) if m.row not in old]
    return tuple(m.row for m in enemies if first_inside(model, path, m, reach(m)) is not None)


@rule("actions/walk", "actions/run", "movement/rotation", "movement/jump")
async def walk(
    position: Position, row: int, points: Sequence[Point], facing: float | None, act: Act = "walk", descent: str = JUMP
) -> None:
    """The model goes its way and turns as it likes. A deep jump ends with a test."""
    model = position.model(row)
    gait = next(one for one in (WALK, RUN, DIVE) if one.act == act)
    path = read(model, (points, facing))
    falls = landings(model, path) if descent == JUMP else []
    inches = inches_of(model, path, descent)
    note_bonus(model, gait, path, inches)
    WAYS_TO_GO[gait.act](model, path, inches)
    push(position, *((LANDING, row, drop.height) for drop in falls))


@rule("actions/walk")
def walks(model: Model, path: Path, inches: float) -> None:
    go(model, path, inches)


@rule("actions/run")
def runs(model: Model, path: Path, inches: float) -> None:
    go(model, path, inches, how="run")


@rule("actions/dive-for-cover")
def dives(model: Model, path: Path, inches: float) -> None:
    if move_paths.stays(path):
        model.position.write("dives-on-the-spot", model=model.row)
    go(model, path, inches, how="dive")


WAYS_TO_GO: dict[str, Callable[[Model, Path, float], None]] = {WALK.act: walks, RUN.act: runs, DIVE.act: dives}


@rule("movement/distance-cap")
def note_bonus(model: Model, gait: Gait, path: Path, inches: float) -> None:
    """A model that goes farther than it could without its bonus has used it up."""
    bonus = bonus_of(model, gait)
    if bonus and inches > length_with(model, gait, terrain_penalty(model, path)) + TOLERANCE:
        model.mark(marks.BONUS, bonus, quietly=True)


def go(model: Model, path: Path, inches: float | None = None, **how: Plain) -> None:
    """Put the model at the end of a path and count its ``inches`` (by default its length in plan) as movement."""
    length = length_of(path) if inches is None else inches
    put(model, path, **how)
    if path.facing is not None and rounded(path.facing) != model.facing:
        model.position.turn(model, path.facing)
    if length:
        model.jot(marks.MOVED, rounded(moved(model) + length))
        model.mark(marks.AIMED, 0)


def put(model: Model, path: Path, **how: Plain) -> None:
    """Put the model where a path ends."""
    if move_paths.stays(path):
        return
    x, y, z = end_of(path)
    steps: list[Plain] = [[round(value, 4) for value in point] for point in path.points]
    model.move_to(rounded(x), rounded(y), rounded(z), path=steps, **how)


WALK_FIELDS, WALK_FRAMES = partial(walk_fields, WALK), partial(walk_frames, WALK)
RUN_FIELDS, RUN_FRAMES = partial(walk_fields, RUN), partial(walk_frames, RUN)
DIVE_FRAMES = partial(walk_frames, DIVE)
