"""Leap, which sets the model down elsewhere; Dive for Cover (abilities/leap, actions/dive-for-cover)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from campale.mechanics.frames import Frame
from campale.mechanics.moves import going, move_paths
from campale.mechanics.moves.move_paths import answer_of, end_of
from campale.referee.position import Model, Position
from campale.referee.question import Move
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import has, number
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.battle.terrain import HEAVY, LIGHT
from campale.rulesets.wzr.close_combat.disengage import leave_frames
from campale.rulesets.wzr.close_combat.engaged import engages_on_the_way
from campale.rulesets.wzr.movement import moves
from campale.rulesets.wzr.movement.moves import DIVE, WALK, Way
from campale.table import planner
from campale.table.levels import height_of
from campale.table.measure import bounding_radius, gap_to_outline, nearest_point
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Hull, Solid, heading, rounded
from campale.table.sweeps import crossings
from campale.table.terrain import Ground, Piece

LEAP = "leap"
NEAR_COVER, BESIDE = 1.0, 0.95


# ---------------------------------------------------------------- abilities/leap


@rule("abilities/leap", "movement/distance-cap")
def far_of(model: Model) -> float:
    """X inches, within what is left of the activation's cap."""
    return min(float(number(model, LEAP)), moves.cap_left(model))


def leap_of(model: Model, answer: Sequence[Any]) -> Way:
    """A leap as a straight path. Its only point has a height if it is on a floor."""
    points, facing = answer
    steps = [(rounded(p[0]), rounded(p[1]), rounded(height_of(p))) for p in points[:1]]
    return Way(model, Path(((*model.at, model.z), *steps), rounded((facing or 0.0) % 360.0)), WALK)


@rule("abilities/leap")
def leaps_too_far(way: Way) -> Fault | None:
    return move_paths.too_long(way.model, way.path, moves.length_of(way.path), far_of(way.model))


@rule("abilities/leap")
def leaps_too_high(way: Way) -> Fault | None:
    """A leap goes at most X inches up, down, or over anything."""
    most, start = float(number(way.model, LEAP)), way.model.z
    high = max(abs(end_of(way.path)[2] - start), highest_under(way) - start)
    return None if within(high, most) else Fault(move_paths.shown(way.end), round(high, 2), most, way.model.row)


def highest_under(way: Way) -> float:
    """The top of the highest piece under the leap."""
    ground, end = way.model.position.ground, end_of(way.path)[2]
    high = Ground(
        ground.width, ground.depth, tuple(p for p in ground.pieces if p.height > TOLERANCE and is_body(p.tags))
    )
    if move_paths.stays(way.path) or not high.pieces:
        return end
    met = crossings(Path(tuple(p[:2] for p in way.path.points)), way.model.profile.shape, high)
    return max((high.pieces[one.other].top for one in met), default=end)


@rule("abilities/leap")
def is_body(tags: Sequence[str]) -> bool:
    """Whether a piece is a body to leap over. Area terrain is not."""
    return "solid" in tags or "intact" in tags or "linear" in tags


@rule("abilities/leap", "movement/basic", "movement/impassable")
def lands_badly(way: Way) -> Fault | None:
    """A leap lands on free ground or a floor, and not on a model."""
    if move_paths.stays(way.path):
        return None
    end = end_of(way.path)
    barred = moves.bars(way.model, at_the_end=True, z=end[2])
    met = move_paths.met_at_the_end(way.model, way.path, barred)
    return None if met is None else Fault(move_paths.shown(end), model=way.model.row)


@rule("movement/no-accidental-engagement")
def lands_engaged(way: Way) -> Fault | None:
    """A leap may not end in a new engagement. Enemies that it passes over do not matter."""
    landed = Path((way.path.points[-1],), way.path.facing)
    enemy = engages_on_the_way(way.model, landed)
    return None if enemy is None else Fault(move_paths.shown(way.end), model=enemy.row)


LEAP_RESTRICTIONS = (
    leaps_too_far,
    leaps_too_high,
    lands_badly,
    moves.without_a_footing,
    lands_engaged,
    moves.leaves_its_squad,
)


@rule("abilities/leap")
def no_leaper(model: Model) -> Fault | None:
    return None if has(model, LEAP) else Fault(model=model.row)


def leap_fields(model: Model, filled: Sequence[Any]) -> Move | None:
    """Ask where the model lands and which way it faces."""
    if filled:
        return None

    def refuses(answer: Sequence[Any]) -> Fault | Refusal | None:
        return first_refusal(LEAP_RESTRICTIONS, leap_of(model, answer))

    def suggests() -> Iterator[Plain]:
        found = (moves.answered(model, moves.grounded(model, path)) for path in landings(model))
        return (one for one in found if refuses(one) is None)

    def samples(rng: Random) -> Plain:
        aim, far = heading(rng.uniform(0.0, 360.0)), far_of(model) * rng.random()
        end = rounded(model.x + aim[0] * far), rounded(model.y + aim[1] * far)
        answer = answer_of(moves.grounded(model, Path((model.at, end))), float(rng.randrange(360)))
        return answer if refuses(answer) is None else next(suggests())

    shown: dict[str, Plain] = {"allowance": far_of(model)}
    return Move(model.side, LEAP, refuses, samples, suggests, shown, {"model": model.row})


def landings(model: Model) -> Iterator[Path]:
    """Landings towards the markers and nearest enemies, as far as possible; last, staying."""
    for goal in going.usual_goals(model.unit, [model]):
        whole = math.dist(model.at, goal)
        for share in moves.SHARES:
            far = min(whole, far_of(model)) * share / whole if whole else 0.0
            end = model.x + (goal[0] - model.x) * far, model.y + (goal[1] - model.y) * far
            yield Path((model.at, (rounded(end[0]), rounded(end[1]))))
    yield Path((model.at,))


def leap_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    points, facing = details[0]
    way = leap_of(model, (points, facing))
    return leave_frames(model, way.path, ((LEAP, model.row, tuple(points), facing),))


@rule("abilities/leap")
async def leap(position: Position, row: int, points: Sequence[Any], facing: float | None) -> None:
    """The model lands without a test."""
    model = position.model(row)
    moves.go(model, leap_of(model, (points, facing)).path, how="leap")


# ---------------------------------------------------------------- actions/dive-for-cover


@rule("actions/dive-for-cover", "shooting/cover-types")
def gives_cover(ground: Ground) -> Ground:
    """The pieces that hide a target or make it hard to see."""
    return Ground(ground.width, ground.depth, tuple(p for p in ground.pieces if {LIGHT, HEAVY} & set(p.tags)))


@rule("actions/dive-for-cover")
def without_cover(way: Way) -> Fault | None:
    """The dive must end inside terrain that gives cover, or within 1 inch of it."""
    solid = moves.standing_at(way)
    pieces = way.model.position.ground.kept(gives_cover).pieces
    far = min((gap_to_outline(solid, piece.outline) for piece in pieces), default=math.inf)
    if within(far, NEAR_COVER):
        return None
    measured = None if far == math.inf else round(far, 2)
    return Fault(move_paths.shown(way.end), measured, NEAR_COVER, way.model.row, "without-cover")


def dive_fields(model: Model, filled: Sequence[Any]) -> Any:
    if not filled:
        return moves.way_question(model, DIVE.act, DIVE, without_cover, dive_ways)
    return moves.descent_field(DIVE, model, filled)


def dive_ways(model: Model) -> Iterator[Path]:
    """Ways to the nearest of these pieces."""
    pieces = model.position.ground.kept(gives_cover).pieces
    near = sorted(pieces, key=lambda piece: gap_to_outline(model.solid, piece.outline))[:3]
    for piece in near:
        for limit in moves.limits(model, DIVE):
            yield from (moves.grounded(model, path) for path in ways_to(model, piece, limit) if path is not None)
    yield moves.grounded(model, Path((model.at,)))


def ways_to(model: Model, piece: Piece, limit: float) -> Iterator[Path | None]:
    """Ways into a piece and up to it."""
    field, edge = moves.wary(model), nearest_point(Solid(Hull(piece.outline), 0.0, 0.0), *model.at)
    yield planner.into_area(field, model.at, piece.outline, allowance=limit)
    yield planner.within(field, model.at, edge, bounding_radius(model.profile.shape) + BESIDE, limit)


def far_from_cover(model: Model) -> float:
    pieces = model.position.ground.kept(gives_cover).pieces
    return min((gap_to_outline(model.solid, piece.outline) for piece in pieces), default=math.inf)


def is_beside_cover(model: Model) -> bool:
    """Whether the model already stands where a dive must end."""
    return within(far_from_cover(model), NEAR_COVER)


@rule("actions/dive-for-cover")
def can_dive(model: Model) -> bool:
    """Whether the model reaches any cover, judged by a way to the nearest pieces."""
    far = far_from_cover(model)
    if within(far, NEAR_COVER) or not within(far, moves.limits(model, DIVE)[0] + NEAR_COVER):
        return within(far, NEAR_COVER)
    ways = (Way(model, path, DIVE) for path in dive_ways(model))
    return any(moves.refusal_of(way) is None and without_cover(way) is None for way in ways)
