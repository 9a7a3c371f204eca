"""Movement: the declared path, its obstacles, the dice that shorten it, and walking it; flight and landing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from random import Random

from campale.mechanics.moves import move_paths
from campale.mechanics.moves.move_paths import (
    Barred,
    Met,
    MovePath,
    answer_of,
    met_along,
    met_at_the_end,
    shown,
)
from campale.referee.ask import number
from campale.referee.looks import Foretold
from campale.referee.position import Model, Position
from campale.referee.question import Move
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import limited_movement
from campale.rulesets.ragnarok.basics.dice import d6
from campale.rulesets.ragnarok.basics.measuring import ALLOWANCE, gap, gap_between, within
from campale.rulesets.ragnarok.basics.physical import is_out_of_action
from campale.rulesets.ragnarok.basics.special import flight, ignores_rough
from campale.rulesets.ragnarok.battle.battlefield import impassable_ground, is_in, rough_pieces
from campale.rulesets.ragnarok.battle.explored import explore_along, explore_where_it_lands
from campale.rulesets.ragnarok.battle.missions import middles, places_wanted
from campale.rulesets.ragnarok.morale.psychology import discipline_test
from campale.rulesets.ragnarok.turn.commander import psyche
from campale.rulesets.ragnarok.turn.control_area import find_hidden, find_hidden_along
from campale.table import fields, planner
from campale.table.paths import Path, at, plan_length, until, upto
from campale.table.planner import Going
from campale.table.shapes import Circle, Point, Solid, facing_towards, heading
from campale.table.sweeps import crossings
from campale.table.terrain import Ground

NEAREST_TO_ENEMIES = 1.0
AVERAGE_OF_A_DIE = 3.5
HALF, BESIDE, NOWHERE = 0.5, 6.0, 1.0
"""The share of the straight way that must be open, else a model goes round; in cm, how near a goal counts as there, and
how short a path leads nowhere."""


def walk_of(
    model: Model,
    path: Path,
    limit: float,
    flies: bool = False,
    charged: Model | None = None,
    beside: frozenset[int] = frozenset(),
) -> MovePath:
    """Return the path that a model wants to take, walking or flying."""
    meets = partial(landing if flies else met_along, barred=obstacles(model, charged, beside))
    return MovePath(model, path, limit, meets, flies)


@rule("special/flyer-move")
def landing(model: Model, path: Path, barred: Barred) -> Met | None:
    """Return why the model cannot end a flight where its path ends; it may fly over anything."""
    return met_at_the_end(model, path, barred) if length_of(path) else None


def length_of(path: Path) -> float:
    """Return the length of a path, rounded to the grain of measures."""
    return round(plan_length(path), 4)


def obstacles(model: Model, charged: Model | None = None, beside: frozenset[int] = frozenset()) -> Barred:
    """Return what bars a model's path: other bases, 1 cm round able enemies, impassable pieces, the edges.

    A charged model is left out; the rows in ``beside`` may be touched though they are enemies.
    """
    kept = model.position.cache
    key = ("obstacles", model.row, None if charged is None else charged.row, beside)
    if key not in kept:
        others = {row: base for row, base in bases(model.position).items() if row != model.row}
        if charged is not None:
            others.pop(charged.row, None)
        models, ground = model.position.models, model.position.ground
        gaps = [0.0 if row in beside else keeps_off(model, models[row]) for row in others]
        fence, own = ground.kept(impassable_ground), Circle(model.profile.base_radius)
        kept[key] = Barred(fields.field(ground, own, [*others.values()], gaps, fence), tuple(others))
    found: Barred = kept[key]
    return found


def bases(position: Position) -> dict[int, Solid]:
    """Return the bases on the table by row, cached until something moves."""
    kept: dict[int, Solid] | None = position.layout.get("bases")
    if kept is None:
        on_table = [model for model in position.models if model.is_on_table]
        kept = {m.row: Solid(Circle(m.profile.base_radius), m.x, m.y) for m in on_table}
        position.layout["bases"] = kept
    return kept


def going_of(model: Model, charged: Model | None = None, beside: frozenset[int] = frozenset()) -> Going:
    return obstacles(model, charged, beside).field.going


@rule("move/one-cm")
def keeps_off(model: Model, other: Model) -> float:
    """Return the gap a mover keeps from another base: 1 cm from able enemies, else 0 (contact allowed)."""
    return NEAREST_TO_ENEMIES if other.side != model.side and not is_out_of_action(other) else 0.0


# ---------------------------------------------------------------- restrictions on a path


@rule("move/allowance", "move/declared-path")
def too_far(walk: MovePath) -> Fault | None:
    """Refuse a path longer than the allowance, and show where that ends."""
    length = length_of(walk.path)
    if walk.limit is None or within(length, walk.limit):
        return None
    place = at(walk.path, walk.limit)
    return Fault(shown((place.x, place.y)), round(length, 2), walk.limit, walk.model.row)


@rule("move/one-cm")
def too_near_an_enemy(walk: MovePath) -> Fault | None:
    return move_paths.too_near(walk, NEAREST_TO_ENEMIES)


@rule("move/no-crossing")
def through_a_model(walk: MovePath) -> Fault | None:
    return move_paths.through_a_model(walk)


@rule("move/no-crossing", "battlefield/terrain-classes")
def over_impassable(walk: MovePath) -> Fault | None:
    return move_paths.over_a_piece(walk)


@rule("move/no-crossing")
def over_the_edge(walk: MovePath) -> Fault | None:
    return move_paths.over_the_edge(walk)


MOVE_RESTRICTIONS = (too_far, too_near_an_enemy, through_a_model, over_impassable, over_the_edge)


def path_refusal(walk: MovePath) -> Refusal | None:
    return first_refusal(MOVE_RESTRICTIONS, walk)


# ---------------------------------------------------------------- the question of a path


def path_of(model: Model, answer: tuple[tuple[Point, ...], float | None]) -> Path:
    return Path((model.at, *(point[:2] for point in answer[0])), answer[1])


def path_question(
    model: Model, prompt: str, limit: float, flies: bool = False, faces: bool = True, is_rolled: bool = False
) -> Move:
    """Ask for a path of at most ``limit`` cm; with ``faces``, the answer may also set the facing.

    ``is_rolled``: the dice were rolled already, and the ground takes nothing off the move.
    """

    def refuses(answer: tuple[tuple[Point, ...], float | None]) -> Fault | Refusal | None:
        if answer[1] is not None and not faces:
            return Fault(word="keeps-facing", rule="countermove/move")
        return path_refusal(walk_of(model, path_of(model, answer), limit, flies))

    def samples(rng: Random) -> Plain:
        return answer_of(random_path(model, limit, flies, rng), rng.randrange(360) if faces else None)

    def suggests() -> Iterator[Plain]:
        return (answer_of(p, facing_after(model, p) if faces else None) for p in good_paths(model, limit, flies))

    def foretells(answer: tuple[tuple[Point, ...], float | None]) -> list[Foretold]:
        return [] if flies or is_rolled else dice_on_the_way(model, path_of(model, answer))

    shown = {"allowance": limit, "flies": flies, "clear_of_enemies": NEAREST_TO_ENEMIES}
    about: dict[str, Plain] = {"model": model.row}
    return Move(model.side, prompt, refuses, samples, suggests, shown, about, foretells=foretells)


@rule("move/rough")
def dice_on_the_way(model: Model, path: Path) -> list[Foretold]:
    """Return the die that rough ground anywhere on the path takes off the move."""
    if not plan_length(path) or not crosses_rough(model, path):
        return []
    return [Foretold("rough-ground", "move/rough", {"model": model.row}, detour=AVERAGE_OF_A_DIE)]


def random_path(model: Model, limit: float, flies: bool, rng: Random) -> Path:
    """Return a straight path in a random direction, cut short before obstacles."""
    aim = heading(rng.uniform(0.0, 360.0))
    far = limit * rng.random()
    end = (round(model.x + aim[0] * far, 4), round(model.y + aim[1] * far, 4))
    path = Path((model.at, end))
    if flies:
        return path if walk_of(model, path, limit, flies).met is None else Path((model.at,))
    trouble = planner.trouble(going_of(model), path)
    return path if trouble is None else until(path, max(0.0, trouble.progress - 0.01))


def good_paths(model: Model, limit: float, flies: bool = False) -> Iterator[Path]:
    """Yield sensible paths: to the nearest enemies, to the mission's goals, into cover, away."""
    going = going_of(model)
    enemies = sorted(still_fighting(model), key=lambda m: (gap(model, m), m.row))
    wanted = nearest_first(model, places_wanted(model.position, model.side))
    goals = wanted[:2] + [enemy.at for enemy in enemies[: 1 if wanted else 2]] + covers(model)[:1]
    for goal in goals:
        yield onwards(going, model.at, goal, limit) if not flies else flown_towards(model, goal, limit)
    if enemies and not flies:
        yield planner.away(going, model.at, enemies[0].at, limit)


def still_fighting(model: Model) -> list[Model]:
    """Return the enemies of a model that are not out of action; if there are none, all of them."""
    enemies = model.position.on_table(1 - model.side)
    return [enemy for enemy in enemies if not is_out_of_action(enemy)] or enemies


def onwards(going: Going, start: Point, goal: Point, limit: float) -> Path:
    """Return a path as near to a goal as it may come; if little of the way can be made straight, round what bars it."""
    path = planner.towards(going, start, goal, limit)
    far = math.dist(start, goal)
    if far - math.dist(path.points[-1][:2], goal) >= HALF * min(limit, far - BESIDE):
        return path
    around = planner.within(going, start, goal, BESIDE)
    return path if around is None else upto(around, min(limit, plan_length(around)))


def nearest_first(model: Model, places: list[Point]) -> list[Point]:
    return sorted(places, key=lambda p: (p[0] - model.x) ** 2 + (p[1] - model.y) ** 2)


def covers(model: Model) -> list[Point]:
    """Return the middles of the pieces that give cover, the nearest first."""
    ground = model.position.ground
    return nearest_first(model, [ground.kept(middles)[piece.name] for piece in ground.pieces if piece.height > 0])


def flown_towards(model: Model, goal: Point, limit: float) -> Path:
    """Return a straight flight towards a goal, to the last place where the model may land."""
    straight = Path((model.at, goal))
    return landed(model, upto(straight, min(limit, plan_length(straight))))


def facing_after(model: Model, path: Path) -> float:
    """Return the facing towards the nearest enemy from the end of the path."""
    end = path.points[-1][:2]
    nearest = min(still_fighting(model), key=lambda m: (m.x - end[0]) ** 2 + (m.y - end[1]) ** 2, default=None)
    return model.facing if nearest is None else round(facing_towards(end, nearest.at))


def leads_somewhere(model: Model, limit: float) -> bool:
    """Return whether the first path that is proposed to a model leaves its place; kept until something moves."""
    kept = model.position.layout
    key = ("leads-somewhere", model.row, limit)
    if key not in kept:
        path = next(good_paths(model, limit), None)
        kept[key] = path is not None and plan_length(path) > NOWHERE
    return bool(kept[key])


# ---------------------------------------------------------------- the dice that shorten a move


@rule("move/rough", "special/strider")
def crosses_rough(model: Model, path: Path) -> bool:
    """Return whether the declared path enters, leaves, crosses or lies in rough ground."""
    if ignores_rough(model):
        return False
    rough = model.position.ground.kept(rough_ground)
    return bool(crossings(path, Circle(model.profile.base_radius), rough))


def rough_ground(ground: Ground) -> Ground:
    return Ground(ground.width, ground.depth, rough_pieces(ground))


@rule("move/rough", "fatigue/effects", "dice/order")
async def movement_left(model: Model, path: Path, full: float, flies: bool = False) -> float:
    """Return M, or the flight distance, less a die for rough ground and one for each fatigue marker."""
    left = full
    if not flies and crosses_rough(model, path):
        left -= await d6(model.position, model.side, "rough-ground", model=model.row)
    return limited_movement(left - await slowed_by_fatigue(model))


@rule("fatigue/effects")
async def slowed_by_fatigue(model: Model) -> int:
    """Roll a die for each fatigue marker; return the total."""
    return sum(
        [await d6(model.position, model.side, "fatigue", model=model.row) for _ in range(model.marks("fatigue"))]
    )


# ---------------------------------------------------------------- walking


@rule("move/allowance", "move/declared-path")
async def move(model: Model, path: Path, flies: bool = False) -> None:
    """Move along the declared path as far as the dice allow, then turn the model."""
    if flies and not await lifts_off(model):
        return
    full = float(flight(model) if flies else model.profile.movement)
    left = await movement_left(model, path, full, flies) if plan_length(path) else full
    start = model.at
    walk_along(model, upto(path, left), flies)
    if flies and not await lands(model):
        return
    if flies and model.at != start:
        explore_where_it_lands(model)
    await set_facing(model, path.facing)


def walk_along(model: Model, path: Path, flies: bool = False) -> None:
    """Move along a path; hidden models and places passed are found and explored."""
    if flies:
        path = landed(model, path)
    length = plan_length(path)
    if length <= ALLOWANCE:
        return
    find_hidden_along(model, path)
    end = path.points[-1]
    told = walked(model, end[:2], length) if model.position.journal is not None else {}
    model.move_to(end[0], end[1], path=[list(point[:2]) for point in path.points], **told)
    model.mark("moved", 1, quietly=True)
    model.mark("alert", 0)  # alert/end
    if not flies:
        explore_along(model, path)
    find_hidden(model.position)


def walked(model: Model, end: Point, length: float) -> dict[str, Plain]:
    """Return what the journal tells of a move in centimetres: its length, and the nearest enemy that is not hidden."""
    radius = model.profile.base_radius
    enemies = [enemy for enemy in model.position.on_table(1 - model.side) if not enemy.marks("hidden")]
    gaps = [(gap_between(end, radius, enemy.at, enemy.profile.base_radius), enemy.row) for enemy in enemies]
    far: dict[str, Plain] = {"far": round(length, 1)}
    if not gaps:
        return far
    nearest, row = min(gaps)
    return far | {"near": row, "gap": max(0.0, round(nearest, 1))}


@rule("special/flyer-move")
def landed(model: Model, path: Path) -> Path:
    """Return the flight, cut back to the last place where it may end."""
    going = going_of(model)
    length = plan_length(path)
    while length > 0 and not planner.is_free(going, *path.points[-1][:2]):
        length = max(0.0, length - 0.1)
        path = upto(path, length)
    return path


@rule("move/allowance")
async def set_facing(model: Model, declared: float | None = None) -> None:
    """Turn the model to any facing, as its owner chooses now or has declared before."""
    facing = declared
    if facing is None:
        suggested = (int(facing_after(model, Path((model.at,)))) % 360, int(model.facing))
        facing = await number(model.side, "facing", 0, 359, suggested, model=model.row)
    if round(facing % 360.0, 4) != model.facing:
        model.position.turn(model, facing)


# ---------------------------------------------------------------- special/flyer-landing


@rule("special/flyer-landing")
async def lifts_off(model: Model) -> bool:
    return not stands_in_rough(model) or await keeps_aloft(model, "take-off")


@rule("special/flyer-landing")
async def lands(model: Model) -> bool:
    return not stands_in_rough(model) or await keeps_aloft(model, "landing")


def stands_in_rough(model: Model) -> bool:
    return not ignores_rough(model) and any(is_in(model, p) for p in rough_pieces(model.position.ground))


async def keeps_aloft(model: Model, why: str) -> bool:
    """Take a discipline test; a model that fails crashes and is lost."""
    if await discipline_test(model, why, psyche(model)):
        return True
    model.position.remove(model, "crash")
    return False
