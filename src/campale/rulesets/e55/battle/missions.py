"""Missions (10.2): the three missions, their objectives, holders, scores, and the winner."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

import numpy as np

from campale.mechanics.missions import finish_by_score
from campale.referee.ask import ask, draw, roll
from campale.referee.position import TABLE, Model, Position, Token
from campale.referee.question import Aim
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import d3
from campale.rulesets.e55.definitions.measuring import distance_to_point, less_than, spans_of
from campale.rulesets.e55.definitions.types import is_vehicle, operates_as_flyer
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.movement_phase.terrain import impassable_pieces
from campale.rulesets.e55.unit_types import flying
from campale.table.kernels import Floats
from campale.table.outlines import contains
from campale.table.shapes import TOLERANCE, Point, rounded

SECURING, SEIZE_AND_HOLD, ANNIHILATION = "securing", "seize-and-hold", "annihilation"
MISSIONS = (SECURING, SEIZE_AND_HOLD, ANNIHILATION)
OBJECTIVE, POINTS = "objective", "points"
NEAR = 3.0
APART = 12.0
FINENESS = 1.0
LEAST_SQUARE = (APART - 0.01) ** 2
"""Places with a smaller squared distance to another objective need not be judged."""


# ---------------------------------------------------------------- the mission


@rule("10.2/mission-choice")
async def choose_mission(position: Position) -> bool:
    """Draw one of the three missions with equal chances, unless the players have agreed on one."""
    if "mission" not in position.now:
        position.now["mission"] = (await draw(None, "mission", MISSIONS))[0]
    position.write("mission", mission=position.now["mission"])
    return False


def mission_of(position: Position) -> str:
    return str(position.now.get("mission", ANNIHILATION))


# ---------------------------------------------------------------- placing the objectives


async def place_objectives(position: Position) -> bool:
    """Draw the number of objectives and who places the first, then place one per call, in turn."""
    if mission_of(position) == ANNIHILATION:
        return False
    if "objectives" not in position.now:
        await count_objectives(position)
        return True
    left = int(position.now["objectives"]) - len(objectives(position))
    if left > 0 and next(places_for_objectives(position), None) is not None:
        await place_one(position)
        return left > 1
    return False


@rule("10.2/mission-securing")
async def count_to_secure() -> int:
    return 3 + await d3(0, "objectives")


@rule("10.2/mission-seize-and-hold")
async def count_to_hold() -> int:
    return 2 + await d3(0, "objectives")


@rule("10.2/objective-placement")
async def count_objectives(position: Position) -> None:
    """Roll the number of objectives; lots decide who places the first."""
    securing = mission_of(position) == SECURING
    position.now["objectives"] = await (count_to_secure() if securing else count_to_hold())
    position.now["places-first"] = (await draw(None, "places-first", (0, 1)))[0]
    position.write("objectives", count=position.now["objectives"], side=position.now["places-first"])


@rule("10.2/objective-placement")
async def place_one(position: Position) -> None:
    """Let the next player place an objective; the players alternate."""
    number = len(objectives(position))
    first = int(position.now["places-first"])
    side = first if number % 2 == 0 else 1 - first
    at = await ask(objective_question(position, side, number))
    value = await values_of(number) if mission_of(position) == SECURING else None
    position.lay(Token(OBJECTIVE, at[0], at[1], value=value))


@rule("10.2/mission-securing")
async def values_of(number: int) -> tuple[int, int]:
    """Return the worth of an objective to each player, by a die of their own."""
    worth = [(await roll(side, "objective-worth", objective=number, total=True)).total for side in (0, 1)]
    return worth[0], worth[1]


def objective_question(position: Position, side: int, number: int) -> Aim:
    def refuses(at: tuple[float, ...]) -> Refusal | None:
        return objective_refusal(position, (at[0], at[1]))

    def samples(rng: Random) -> Plain:
        inner = position.ground.width - 2 * APART, position.ground.depth - 2 * APART
        for _ in range(60):
            at = round(APART + rng.random() * inner[0], 2), round(APART + rng.random() * inner[1], 2)
            if objective_refusal(position, at) is None:
                return list(at)
        return list(rng.choice(list(places_for_objectives(position))))

    def suggests() -> Iterator[Plain]:
        found = list(places_for_objectives(position))
        return (list(at) for at in found[:: max(1, len(found) // 6)])

    shown: dict[str, Plain] = {"from_edges": APART, "from_others": APART, "off_impassable": True}
    return Aim(side, "objective", refuses, samples, suggests, shown, {"objective": number})


def places_for_objectives(position: Position) -> Iterator[Point]:
    """Yield the points of a lattice where an objective may lie, nearest to the middle of the table first."""
    taken = [(token.x, token.y) for token in objectives(position)]
    inside = lattice_of_places(position.ground.width, position.ground.depth)
    apart = (at for at in inside if all((at[0] - x) ** 2 + (at[1] - y) ** 2 > LEAST_SQUARE for x, y in taken))
    return (at for at in apart if objective_refusal(position, at) is None)


@lru_cache(maxsize=16)
def lattice_of_places(width: float, depth: float) -> tuple[Point, ...]:
    inside = [
        (APART + x * FINENESS, APART + y * FINENESS)
        for x in range(int(width - 2 * APART) + 1)
        for y in range(int(depth - 2 * APART) + 1)
    ]
    return tuple(sorted(inside, key=lambda p: ((p[0] - width / 2) ** 2 + (p[1] - depth / 2) ** 2, p)))


@rule("10.2/objective-placement")
def near_an_edge(position: Position, at: Point) -> Fault | None:
    width, depth = position.ground.width, position.ground.depth
    away = rounded(min(at[0], at[1], width - at[0], depth - at[1]))
    return Fault(at, away, APART) if away < APART - TOLERANCE else None


@rule("10.2/objective-placement")
def near_another(position: Position, at: Point) -> Fault | None:
    for token in objectives(position):
        away = rounded(((token.x - at[0]) ** 2 + (token.y - at[1]) ** 2) ** 0.5)
        if away < APART - TOLERANCE:
            return Fault((token.x, token.y), away, APART)
    return None


@rule("3.1.2/impassable")
def on_impassable(position: Position, at: Point) -> Fault | None:
    barred = position.ground.kept(impassable_pieces)
    return Fault(at, word="lies-on-impassable") if any(contains(piece.outline, *at) for piece in barred) else None


def objective_refusal(position: Position, at: Point) -> Refusal | None:
    return first_refusal((near_an_edge, near_another, on_impassable), position, at)


def objectives(position: Position) -> list[Token]:
    return [token for token in position.tokens if token.kind == OBJECTIVE]


# ---------------------------------------------------------------- holders of objectives


@rule("10.2/who-contests")
def may_contest(model: Model) -> bool:
    """Return whether a model may contest: all but flying types and flyers while in flight."""
    return not flying.is_barred_from_objectives(model) and not operates_as_flyer(model)


@rule("10.2/who-captures")
def may_capture(model: Model) -> bool:
    return may_contest(model) and not is_vehicle(model) and is_of_capturing_type(model)


@rule("6/objective-statement")
def is_of_capturing_type(model: Model) -> bool:
    """Return whether a model's type may capture; by option only infantry, as at the opening of chapter 6."""
    return bool(model.position.options.capturing != "infantry" or model.profile.type == "infantry")


@rule("10.2/capture")
def is_there(model: Model, token: Token) -> bool:
    return less_than(distance_to_point(model, (token.x, token.y), token.z), NEAR)


@rule("10.2/capture")
def holder_of(position: Position, token: Token) -> int | None:
    """Return the player with a unit there that may capture, if no enemy there may contest."""
    there = [model for model in on_the_ground(position, token) if is_there(model, token)]
    for side in (0, 1):
        captures = any(model.side == side and may_capture(model) for model in there)
        if captures and not any(model.side != side and may_contest(model) for model in there):
            return side
    return None


def on_the_ground(position: Position, token: Token) -> list[Model]:
    """Return the models on the table that could be near enough to count."""
    reach = reaches_of(position)
    near = (np.abs(position.column("x") - token.x) < reach) & (np.abs(position.column("y") - token.y) < reach)
    rows = near.nonzero()[0].tolist()
    return [position.model(row) for row in rows if position.where[row] == TABLE]


def reaches_of(position: Position) -> Floats:
    """Return for each model of the roster how far its centre may be, along x or y, to count."""
    reaches: Floats = NEAR + 0.01 + spans_of(position)
    return reaches


def holders(position: Position) -> tuple[int | None, ...]:
    """Return who holds each objective now, in the order of their placement."""
    kept = position.cache.get("holders")
    if kept is None:
        kept = position.cache["holders"] = tuple(holder_of(position, token) for token in objectives(position))
    found: tuple[int | None, ...] = kept
    return found


# ---------------------------------------------------------------- points


@rule("10.2/mission-seize-and-hold")
def score_start_of_turn(position: Position, side: int) -> None:
    """Score a point for each objective that a side holds as its turn starts, its first turn included."""
    if mission_of(position) == SEIZE_AND_HOLD:
        position.gain(side, POINTS, holders(position).count(side))


@rule("10.2/mission-seize-and-hold")
def points_held(position: Position) -> tuple[int, int]:
    return position.holds(0, POINTS), position.holds(1, POINTS)


@rule("10.2/mission-securing")
def points_secured(position: Position) -> tuple[int, int]:
    """Return the worth, to each side, of the objectives that it holds now."""
    held = list(zip(objectives(position), holders(position), strict=True))
    worth = [sum(int(token.value[side]) for token, holder in held if holder == side) for side in (0, 1)]
    return worth[0], worth[1]


@rule("10.2/mission-annihilation")
def points_of_annihilation(position: Position) -> tuple[int, int]:
    """Return one point for each enemy unit completely eliminated."""
    return len(casualties.eliminated_units(position, 1)), len(casualties.eliminated_units(position, 0))


SCORES = {SECURING: points_secured, SEIZE_AND_HOLD: points_held, ANNIHILATION: points_of_annihilation}


def score(position: Position) -> tuple[int, int]:
    """Return the points of both sides if the game ended now."""
    return SCORES[mission_of(position)](position)


@rule("10.2/winner")
def judge(position: Position) -> None:
    """End the game: more points win, equal points are a draw."""
    finish_by_score(position, "10.2/winner", score(position))
