"""Moves on foot, mounted and by jump pack: how far, over what ground, how near to other models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec

from campale.dice.needs import Need
from campale.mechanics.moves import going, move_paths, unit_moves
from campale.mechanics.moves.asking import middle_of
from campale.mechanics.moves.barring import MORE_THAN, barred_for, touching_all
from campale.mechanics.moves.going import away_from, nearest_of_units
from campale.mechanics.moves.move_paths import Barred, MovePath
from campale.mechanics.moves.unit_moves import Movement, UnitMove, on_the_table
from campale.referee.ask import choose, roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain, Restriction
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import MOUNTED
from campale.rulesets.e3m.command.orders import MARCH
from campale.rulesets.e3m.command.units import COHERENCY, members, note_gone
from campale.rulesets.e3m.fire.wounds import ON_ROUGH_GROUND, lose_model, saves_by_armour
from campale.rulesets.e3m.movement.ground import (
    barred_to_wheels,
    barring_or_slowing,
    broken,
    difficult_areas,
    impassable,
    pieces_near,
    slowing,
    stands_in,
    touches,
)
from campale.table.outlines import box
from campale.table.paths import Path, plan_length
from campale.table.shapes import TOLERANCE, Point
from campale.table.sweeps import crossings
from campale.table.terrain import Ground

ENEMY_GAP = 1.0
ON_FOOT, JUMPING, MARCHING = 6.0, 12.0, 3
CHARGE_ON_FOOT, CHARGE_MOUNTED = 6.0, 12.0

OPEN, ROUGH, OVER = "open", "rough", "over"
"""How a unit moves: keeping to easy ground, touching difficult ground, or by jump pack."""
Keeps = Callable[[list[str]], list[str]]
"""Which of some ways to go are left."""


# ---------------------------------------------------------------- how far


@rule("base-move/normal-infantry", "base-units/jump-packs", "vehicles/walkers-move", "base-units/great-creatures")
def normal_distance(unit: Unit, gait: str = OPEN) -> float:
    """The normal move in inches of a unit that does not drive, by its slowest model (base-characters/attached)."""
    jumps = gait == OVER and all(m.profile.kind == "jump" for m in members(unit))
    return JUMPING if jumps else ON_FOOT


@rule("base-move/assault-distance", "base-units/cavalry-and-beasts", "base-units/bikes")
def assault_distance(unit: Unit) -> float:
    """The assault distance in inches. The slowest model decides. Kept until something moves."""
    kept, key = unit.position.layout, ("assault-distance", unit.row)
    if key not in kept:
        mounted = all(m.profile.kind in MOUNTED for m in members(unit))
        kept[key] = CHARGE_MOUNTED if mounted else CHARGE_ON_FOOT
    return float(kept[key])


@rule("base-move/difficult-terrain")
def is_slowed(unit: Unit) -> bool:
    """Whether difficult ground slows the unit.

    It slows models on foot, jump troops that do not jump, walkers and great creatures. For mounted troops it is
    dangerous instead.
    """
    return any(m.profile.kind in ("infantry", "jump", "great") or m.profile.is_walker for m in members(unit))


@rule("base-move/difficult-terrain")
async def rough_allowance(unit: Unit) -> float:
    """Roll two dice; the higher counts, in inches."""
    rolled = await roll(unit.side, "difficult-terrain", 2, unit=unit.row)
    return float(max(rolled.ascending))


@rule("base-move/difficult-terrain", "base-units/jump-packs", "base-move/normal-infantry")
async def choose_gait(unit: Unit, limit: float, jump: float, times: int = 1, keeps: Keeps = list) -> str:
    """Ask, before dice or route, if the unit touches difficult ground or uses its jump packs.

    ``limit``, ``jump``: its distances over open ground and by jump pack; ``times``: what multiplies the result of dice;
    ``keeps``: which of the ways are left, all if none is.
    """
    gaits = [OPEN]
    if is_slowed(unit) and any(pieces_near(unit.position, m, limit) for m in members(unit)):
        gaits.append(ROUGH)
        if any(stands_in(m, unit.position.ground.kept(slowing).pieces) for m in members(unit)):
            gaits.remove(OPEN)
    if all(m.profile.kind == "jump" for m in members(unit)):
        gaits.insert(0, OVER)
    gaits = keeps(gaits) or gaits
    gait: str = await choose(unit.side, "gait", gaits, of="gait", unit=unit.row, far=limit, jump=jump, times=times)
    return gait


@rule("base-move/difficult-terrain", "orders/march")
async def normal_allowance(unit: Unit, gait: str, order: str) -> float:
    """How many inches a unit may go. A march triples the distance, the result of dice too."""
    far = await rough_allowance(unit) if gait == ROUGH else normal_distance(unit, gait)
    return far * MARCHING if order == MARCH else far


# ---------------------------------------------------------------- what bars a model


@rule("base-move/one-inch", "base-move/through-models")
def keeps_off_on_the_way(model: Model, other: Model) -> float | None:
    """The gap to keep from another model on the way, or None. Models pass through friends, not vehicles or enemies."""
    if other.side != model.side:
        return ENEMY_GAP + MORE_THAN
    return 0.0 if other.profile.has_armour or other.profile.kind == "light" else None


@rule("base-move/one-inch", "base-move/through-models")
def keeps_off_at_the_end(model: Model, other: Model) -> float | None:
    return ENEMY_GAP + MORE_THAN if other.side != model.side else 0.0


@rule("base-move/impassable", "vehicles/wheeled-obstacles", "base-units/bikes")
def fence_of(model: Model) -> Callable[[Ground], Ground]:
    """The pieces that bar a model that is not on a vehicle's route; to wheels obstacles are impassable here too."""
    return barred_to_wheels if model.profile.gear == "wheeled" else impassable


def barred_alike(model: Model) -> tuple[object, ...]:
    """Equal for models that the same things bar."""
    return (*model.profile.footprint, model.profile.gear == "wheeled")


def on_the_way(model: Model) -> Barred:
    return barred_for(model, "way", keeps_off_on_the_way, fence_of(model), barred_alike(model))


def at_the_end(model: Model) -> Barred:
    return barred_for(model, "end", keeps_off_at_the_end, fence_of(model), barred_alike(model))


def when_caught(model: Model) -> Barred:
    """What bars a model on the way into contact or out of it: impassable ground and the bases of others."""
    return barred_for(model, "caught", touching_all, fence_of(model), barred_alike(model))


def round_rough_ground(model: Model) -> Barred:
    return barred_for(model, "round", keeps_off_at_the_end, barring_or_slowing, model.profile.footprint)


# ---------------------------------------------------------------- restrictions on a move


@rule("base-move/normal-infantry", "base-move/assault-distance")
def goes_too_far(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, plan_length(way.path), way.limit)


@rule("base-move/one-inch")
def too_near_an_enemy(way: MovePath) -> Fault | None:
    return move_paths.too_near(way, ENEMY_GAP)


@rule("base-move/through-models")
def through_a_model(way: MovePath) -> Fault | None:
    return move_paths.through_a_model(way)


@rule("base-move/impassable")
def over_impassable(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("base-move/impassable")
def off_the_table(way: MovePath) -> Fault | None:
    return move_paths.over_the_edge(way)


@rule("base-move/through-models")
def on_each_other(move: UnitMove) -> Fault | None:
    return unit_moves.on_each_other(move)


@rule("base-general/coherency")
def out_of_coherency(move: UnitMove) -> Fault | None:
    return unit_moves.out_of_coherency(move)


@rule("base-move/difficult-terrain")
def touches_rough_ground(move: UnitMove) -> Fault | None:
    """Refuses a move onto difficult ground by a unit that keeps to easy ground."""
    ground = move.unit.position.ground.kept(slowing)
    for model in move.moving:
        if touches(model, move.paths[model.row], ground):
            return Fault(move_paths.shown(move.end(model)), model=model.row, word="rough-ground")
    return None


PATH_RESTRICTIONS = (goes_too_far, off_the_table, over_impassable, too_near_an_enemy, through_a_model)
UNIT_RESTRICTIONS = (on_each_other, out_of_coherency)


NORMAL, BY_DICE = "base-move/normal-infantry", "base-move/difficult-terrain"
"""The rules that limit the length of a move on foot."""


DICED = (NORMAL, "orders/march", "base-move/assault-distance")
"""The rules of moves that roll for difficult ground. Forced moves are not slowed."""


@lru_cache(maxsize=16)
def too_far_by(by: str) -> Restriction:
    """A restriction on the length of a path that names this rule."""

    def goes_farther(way: MovePath) -> Fault | None:
        fault = goes_too_far(way)
        return None if fault is None else msgspec.structs.replace(fault, rule=by)

    return goes_farther


def movement_of(unit: Unit, gait: str, limit: float, by: str = NORMAL) -> Movement:
    """The movement of a unit on foot, mounted or with jump packs. ``by``: the limiting rule, if dice are not."""
    flies = gait == OVER
    meets = on_the_table(on_the_way, at_the_end, flies)
    each = (too_far_by(BY_DICE if gait == ROUGH and by in DICED else by), *PATH_RESTRICTIONS[1:])
    movement = Movement(limit, COHERENCY, meets, at_the_end, each, UNIT_RESTRICTIONS, flies)
    if gait == OPEN and is_slowed(unit):
        return movement._replace(of_all=(*UNIT_RESTRICTIONS, touches_rough_ground), round=round_rough_ground)
    return movement


# ---------------------------------------------------------------- having moved


def put(model: Model, path: Path, **how: Plain) -> None:
    """Put the model at the end of its way and count the distance for this turn."""
    far = plan_length(path)
    going.put(model, path, **how)
    if far > TOLERANCE:
        note_gone(model, far)


# ---------------------------------------------------------------- base-move/dangerous-terrain


@rule("base-move/dangerous-terrain")
def is_endangered(model: Model, path: Path, gait: str) -> bool:
    """Whether the move is dangerous.

    It is for cavalry and beasts that enter or leave difficult ground, and for jump troops and jetbikes that start or
    end in it.
    """
    ground = model.position.ground.kept(difficult_areas)
    if not ground.pieces or len(path.points) < 2:
        return False
    if model.profile.kind in MOUNTED:
        return touches(model, path, ground) and not stays_inside(model, path, ground)
    if (model.profile.kind == "jump" and gait == OVER) or (
        model.profile.kind == "light" and model.profile.gear == "flying"
    ):
        return starts_or_ends_in(model, path, ground)
    return False


def stays_inside(model: Model, path: Path, ground: Ground) -> bool:
    met = crossings(path, model.solid.shape, ground)
    return bool(met) and all(one.from_outset and one.to_end for one in met)


def starts_or_ends_in(model: Model, path: Path, ground: Ground) -> bool:
    return any(one.from_outset or one.to_end for one in crossings(path, model.solid.shape, ground))


@rule("base-move/dangerous-terrain", "base-units/bikes")
async def brave_danger(unit: Unit, endangered: list[Model]) -> None:
    """Roll a die for each model: on a 1 it is removed. Jump troops get their save."""
    if not endangered:
        return
    things = [m.profile.kind for m in endangered]
    rolled = await roll_for(unit.side, "dangerous-terrain", things, Need(2), unit=unit.row)
    for model, is_safe in zip(endangered, rolled.hits, strict=True):
        if not is_safe and not (model.profile.kind == "jump" and await saves_by_armour(model)):
            lose_model(model, ON_ROUGH_GROUND)


# ---------------------------------------------------------------- goals to suggest


def goals_for(unit: Unit) -> Iterator[Point]:
    """Points worth going to: the nearest enemies, the table's middle, cover, and away from the enemy."""
    position = unit.position
    at = middle_of(members(unit))
    near = nearest_of_units(position, 1 - unit.side, at)
    yield from (m.at for m in near[:1])
    yield position.ground.width / 2.0, position.ground.depth / 2.0
    yield from nearest_cover(position, at)
    yield from (m.at for m in near[1:])
    if near:
        yield away_from(at, near[0].at)


def nearest_cover(position: Position, at: Point) -> Iterator[Point]:
    boxes = [box(piece.outline) for piece in position.ground.kept(broken).pieces]
    middles = [((b[0] + b[2]) / 2.0, (b[1] + b[3]) / 2.0) for b in boxes]
    yield from sorted(middles, key=lambda p: (p[0] - at[0]) ** 2 + (p[1] - at[1]) ** 2)[:2]
