"""Normal moves and Advances (movement-phase/*)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from campale.mechanics.moves import move_paths, unit_moves
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.barring import MORE_THAN, nothing
from campale.mechanics.moves.move_paths import Barred, MovePath, end_of, flattened, shown, stays
from campale.mechanics.moves.unit_moves import Levels, Movement, UnitMove, as_paths, on_levels
from campale.referee.ask import ask
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Plain, Restriction
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import added_to, characteristic
from campale.rulesets.w10.armies.amounts import amount
from campale.rulesets.w10.basics.attached import what_is_left
from campale.rulesets.w10.basics.coherency import LINK, are_coherent, companions
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.flying import crosses_enemies
from campale.rulesets.w10.basics.levels import (
    floors_cut_at,
    floors_for,
    goes_through,
    has_floors,
    may_rest,
    obstacles_at,
    path_meant,
    rule_of_floors,
    shares_height,
    solids,
)
from campale.rulesets.w10.basics.markers import marker_solid, markers
from campale.rulesets.w10.basics.units import (
    ADVANCED,
    ENGAGEMENT,
    HOVERS,
    MOVED,
    VERTICAL,
    components,
    engaged_with,
    is_aircraft,
    is_of_aircraft,
    members,
)
from campale.rulesets.w10.movement.lengths import length_of, length_on_foot
from campale.rulesets.w10.windows.reroll import total
from campale.rulesets.w10.windows.windows import open_window
from campale.table import fields
from campale.table.levels import at_height, height_of, is_level
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point, Solid, rounded
from campale.table.terrain import Ground

HOVERING = 20

ANY_HEIGHT = math.inf
"""For gaps measured in plan, at whatever height."""

DRAWN = 0.6
"""The probability that a sample makes for a marker or an enemy."""

KeepsOff = Callable[[Model, Model], float | None]


class AtLevel(Protocol):
    """A function that returns what bars a model at a height (None: its own)."""

    def __call__(self, model: Model, z: float | None = None) -> Barred: ...


# ---------------------------------------------------------------- what bars a model


def barred_for(
    model: Model,
    key: str,
    keeps_off: KeepsOff,
    fence: Callable[[Ground], Ground],
    z: float | None = None,
    high: float = VERTICAL,
) -> Barred:
    """What bars a model at a height (None: its own); kept until something moves.

    ``keeps_off``: the gap from another model, None if that model does not count. ``fence``: ``nothing`` for a model in
    passing, ``solids`` for one that ends its move. ``high``: how far up or down a gap applies.
    """
    position, profile, level = model.position, model.profile, model.z if z is None else z
    own = position.unit_of[model.row]
    ends = fence is solids
    same = (profile.footprint, profile.is_large, profile.has("fly"), profile.height, goes_through(profile))
    kept, name = position.layout, ("barred", key, own, same, level, ends)
    if name not in kept:
        pairs = [(m, keeps_off(model, m)) for m in position.on_table() if position.unit_of[m.row] != own]
        counted = [(m, gap_at(model, level, m, gap, high)) for m, gap in pairs if gap is not None]
        others = [(m.solid, gap, m.row) for m, gap in counted if gap is not None]
        if ends:
            tokens = (token for token in markers(position) if abs(token.z - level) <= TOLERANCE)
            others += [(marker_solid(token), 0.0, -1) for token in tokens]
        placed, gaps, rows = [one[0] for one in others], [one[1] for one in others], tuple(one[2] for one in others)
        field = fields.field(position.ground, profile.shape, placed, gaps, fence_at(model, level, ends))
        kept[name] = Barred(field, rows)
    found: Barred = kept[name]
    return found


@rule("d/horizontal-vertical", "movement-phase/moving-models")
def gap_at(model: Model, z: float, other: Model, gap: float, high: float) -> float | None:
    """The gap at a height; beyond its vertical reach bodies only must not overlap."""
    if gap > 0.0 and abs(other.z - z) <= high + TOLERANCE:
        return gap
    return 0.0 if shares_height(z, model.profile.height, other.z, other.z + other.profile.height) else None


@rule("terrain/ruins-movement")
def fence_at(model: Model, z: float, ends: bool) -> Ground:
    """Where models may not end (``ends``); on the way, the floors of ruins for models that do not pass through them."""
    ground, tall = model.position.ground, float(model.profile.height)
    if ends:
        return ground.kept(obstacles_at(z, tall))
    return ground.kept(nothing if goes_through(model.profile) or not has_floors(ground) else floors_cut_at(z, tall))


@rule("movement-phase/moving-models", "a/other-unit")
def blocks_on_foot(model: Model, other: Model) -> bool:
    """True if a friendly model is in the way: MONSTER and VEHICLE models do not pass over each other."""
    return bool(model.profile.is_large and other.profile.is_large)


@rule("v/fly-large", "charge-phase/flying")
def blocks(model: Model, other: Model) -> bool:
    """As ``blocks_on_foot``, for moves in which models that can FLY pass over others."""
    return blocks_on_foot(model, other) and not model.profile.has("fly")


@rule("movement-phase/normal-move", "core-concepts/engagement-forbidden", "v/fly", "aircraft/others-move")
def keeps_off_on_the_way(model: Model, other: Model) -> float | None:
    """Stay out of engagement range unless the model crosses enemies; models may pass under enemy AIRCRAFT."""
    if other.side != model.side:
        return None if is_of_aircraft(other) or crosses_enemies(model) else ENGAGEMENT + MORE_THAN
    return 0.0 if blocks(model, other) else None


@rule("movement-phase/moving-models", "core-concepts/engagement-forbidden")
def keeps_off_at_the_end(model: Model, other: Model) -> float | None:
    return ENGAGEMENT + MORE_THAN if other.side != model.side else 0.0


def on_the_way(model: Model, z: float | None = None) -> Barred:
    return barred_for(model, "way", keeps_off_on_the_way, nothing, z)


@rule("terrain/barricades", "terrain/debris", "movement-phase/terrain")
def at_the_end(model: Model, z: float | None = None) -> Barred:
    """Models may not end on a barricade, on debris, or in mid-climb."""
    return barred_for(model, "end", keeps_off_at_the_end, solids, z)


# ---------------------------------------------------------------- what forbids a move


@rule("movement-phase/normal-move", "movement-phase/advance", "movement-phase/fall-back", "charge-phase/charge-move")
def goes_too_far(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, length_of(way.model, way.path), way.limit)


@rule("movement-phase/normal-move", "movement-phase/advance", "movement-phase/fall-back", "modifiers/floor-move-range")
def goes_beyond_its_move(more: float, way: MovePath) -> Fault | None:
    """Each model may move by its own M plus ``more``, in inches."""
    return move_paths.too_long(way.model, way.path, length_of(way.model, way.path), own_move(way.model) + more)


@rule("movement-phase/normal-move", "movement-phase/measuring-moves")
def goes_too_far_on_foot(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, length_on_foot(way.model, way.path), way.limit)


@rule("terrain/ruins-movement", "terrain/hills")
def off_every_floor(way: MovePath) -> Fault | None:
    """A path may not reach floors closed to the model, hang in the air, or end over the edge of a floor."""
    model, path = way.model, way.path
    if all(height_of(point) <= TOLERANCE for point in path.points):
        return None
    *passed, end = [at_height(point) for point in path.points[1:]]
    ground, open_ = model.position.ground, floors_for(model)
    for x, y, z in (*passed, end) if not way.flies else (end,):
        if not is_level(ground, (x, y), z) or (
            z > TOLERANCE and not any(abs(floor.z - z) <= TOLERANCE for floor in open_)
        ):
            return Fault(shown((x, y)), z, model=model.row, rule=rule_of_floors(model.position, x, y))
    facing = model.facing if path.facing is None else path.facing
    if may_rest(model, Solid(model.profile.shape, *end, facing, model.profile.height)):
        return None
    return Fault(shown(end), end[2], model=model.row, rule=rule_of_floors(model.position, *end[:2]))


@rule("movement-phase/normal-move", "core-concepts/engagement-forbidden")
def within_engagement(way: MovePath) -> Fault | None:
    return move_paths.too_near(way, ENGAGEMENT)


@rule("movement-phase/moving-models")
def on_a_model(way: MovePath) -> Fault | None:
    """A model may not end on another, or pass over one that bars the way."""
    return move_paths.through_a_model(way)


@rule("movement-phase/terrain", "terrain/barricades", "terrain/debris")
def ends_on_an_obstacle(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("objectives/marker")
def ends_on_a_marker(way: MovePath) -> Fault | None:
    """Models may cross markers, but may not end on one."""
    return move_paths.on_no_model(way)


@rule("movement-phase/moving-models")
def off_the_battlefield(way: MovePath) -> Fault | None:
    return move_paths.over_the_edge(way)


@rule("movement-phase/moving-models")
def on_each_other(move: UnitMove) -> Fault | None:
    return unit_moves.on_each_other(move)


@rule("core-concepts/unit-coherency", "core-concepts/coherency-failed-move")
def out_of_coherency(move: UnitMove) -> Fault | None:
    """A unit that cannot end in coherency does not move; if no model moves, it may stay apart."""
    if not move.moving or are_coherent([move.standing(m) for m in move.models]):
        return None
    return Fault(limit=LINK, model=move.moving[0].row)


class Cites(NamedTuple):
    """The rules that bind a kind of move: how far models go, and the enemies that they keep off."""

    far: str
    near: str


NORMAL = Cites("movement-phase/normal-move", "movement-phase/normal-move")
ADVANCING = Cites("movement-phase/advance", "movement-phase/advance")
UNIT_RESTRICTIONS = (on_each_other, out_of_coherency)


def path_restrictions(cites: Cites, too_far: Restriction) -> tuple[Restriction, ...]:
    """The restrictions on the path of each model; the first one limits its length."""
    return (
        citing(too_far, cites.far),
        off_the_battlefield,
        off_every_floor,
        ends_on_an_obstacle,
        ends_on_a_marker,
        citing(within_engagement, cites.near),
        on_a_model,
    )


def citing(restriction: Restriction, id: str) -> Restriction:
    """The same restriction, citing the rule of the kind of move."""

    def told(of: Any) -> Fault | None:
        fault = restriction(of)
        return fault if fault is None or fault.rule else msgspec.structs.replace(fault, rule=id)

    return told


@rule("movement-phase/normal-move", "v/fly")
def movement_of(unit: Unit, limit: float, cites: Cites = NORMAL) -> Movement:
    """The movement of a unit; models that can FLY cross whatever is in their way."""
    return moving(unit, limit, on_the_way, at_the_end, cites=cites)


def each_by_its_own(movement: Movement, more: float = 0.0, cites: Cites = NORMAL) -> Movement:
    """Let each model go as far as its own M allows; proposals keep to the slowest model."""
    return movement._replace(of_each=path_restrictions(cites, partial(goes_beyond_its_move, more)))


def moving(
    unit: Unit,
    limit: float,
    way: AtLevel,
    end: AtLevel,
    *restrictions: Restriction,
    may_fly: bool = True,
    cites: Cites = NORMAL,
) -> Movement:
    """A movement of a unit: what bars models on the way (``way``) and where they end (``end``), and unit restrictions.

    ``may_fly``: models that can FLY do so; in a pile-in or a consolidation they move on foot. ``cites``: the rules that
    its refusals cite.
    """
    models = members(unit)
    flies = may_fly and all(m.profile.has("fly") for m in models)
    levels = Levels(floors_for, end, may_rest, length_of if may_fly else length_on_foot, VERTICAL)
    return Movement(
        limit,
        LINK,
        on_levels(way, end, flies),
        end,
        path_restrictions(cites, goes_too_far if may_fly else goes_too_far_on_foot),
        (*UNIT_RESTRICTIONS, *restrictions),
        flies=flies,
        reads=partial(path_flown if may_fly else path_meant, limit=limit),
        companions=companions(len(models)),
        levels=levels if has_floors(unit.position.ground) else None,
    )


@rule("v/fly-terrain", "flying/over-terrain")
def path_flown(
    model: Model, points: Sequence[Sequence[float]], facing: float | None = None, limit: float | None = None
) -> Path:
    """The path that an answer means; it slants for a model that can FLY."""
    return path_meant(model, points, facing, limit, air=model.profile.has("fly"))


# ---------------------------------------------------------------- moving


@rule("movement-phase/normal-move")
async def normal_move(unit: Unit) -> None:
    """Make a Normal move of up to M inches."""
    await move_up_to(unit, "normal-move")


@rule("movement-phase/advance", "modifiers/roll-over-maximum")
async def advance(unit: Unit) -> None:
    """Advance by M plus a die and bonuses; the unit then neither shoots nor charges this turn."""
    face = await rolled(unit.side, "advance", amount("D6"), unit=unit.row)
    more = await total(unit, "advance", 1, face) + added_to(unit, "advance")
    unit.mark(ADVANCED, 1)
    await move_up_to(unit, "advance", more, ADVANCING)


@rule("datasheet/model-profile", "modifiers/unit-characteristic", "core-abilities/hover")
def own_move(model: Model) -> float:
    """The M of a model in inches after all changes; a model with M "-" cannot move."""
    printed = HOVERING if model.unit.marks(HOVERS) else model.profile.m
    return float(characteristic(model.unit, "m", printed, model)) if printed else 0.0


def move_of(unit: Unit) -> float:
    """How far in inches all models of a unit may go: the M of the slowest."""
    return min(own_move(m) for m in members(unit))


async def move_up_to(unit: Unit, prompt: str, more: float = 0.0, cites: Cites = NORMAL) -> None:
    """Move every model by up to its M plus ``more``; the enemy may answer before and after."""
    position, parts = unit.position, components(unit)
    await let_enemy_answer(unit)
    for one in what_is_left(position, parts):
        if is_held(one):
            one.mark(MOVED, 1)
        else:
            await move_on(one, prompt, more, cites)


@rule("m/move-while-engaged", "aircraft/others-move")
def is_locked(unit: Unit) -> bool:
    """True for a unit engaged with others than AIRCRAFT: it ends no Normal, Advance or Fall Back move so."""
    return not all(is_aircraft(one) for one in engaged_with(unit))


@rule("m/move-while-engaged", "s/just-after")
def is_held(unit: Unit) -> bool:
    """True if a unit has become engaged by what was done as its move began: then it does not make that move."""
    held = is_locked(unit)
    if held:
        unit.position.write("held", unit=unit.row)
    return held


async def move_on(unit: Unit, prompt: str, more: float, cites: Cites) -> None:
    models = members(unit)
    movement = each_by_its_own(movement_of(unit, move_of(unit) + more), more, cites)
    question = unit_move_question(unit, models, prompt, movement, lambda: goals_for(unit), drawn=DRAWN)
    go(unit, as_paths(models, await ask(question), movement.reads), prompt)
    unit.mark(MOVED, 1)
    await let_enemy_answer(unit)


@rule("stratagems/fire-overwatch")
async def let_enemy_answer(unit: Unit) -> None:
    """Open the window for enemy answers as a unit starts or ends its move."""
    await open_window(unit.position, "enemy-moves", mover=unit.row)


def go(unit: Unit, paths: dict[int, Path], kind: str) -> None:
    """Move each model along its path, if it moves."""
    for row, path in paths.items():
        if not stays(path):
            put(unit.position.model(row), path, kind)


def put(model: Model, path: Path, kind: str) -> None:
    facing = path.facing if path.turns else None
    steps: list[Plain] = [[round(value, 4) for value in flattened(point)] for point in path.points]
    facing = None if facing is None else rounded(facing)
    x, y, z = end_of(path)
    model.move_to(rounded(x), rounded(y), rounded(z), facing, path=steps, how=kind)


# ---------------------------------------------------------------- possible goals of a unit


def goals_for(unit: Unit) -> Iterator[Point]:
    """Points worth moving to: the markers by distance, the nearest enemies, and away from the nearest enemy."""
    position, models = unit.position, members(unit)
    x, y = sum(m.x for m in models) / len(models), sum(m.y for m in models) / len(models)

    def off(at: Sequence[float]) -> float:
        return (at[0] - x) ** 2 + (at[1] - y) ** 2

    yield from sorted(((token.x, token.y) for token in position.tokens), key=off)
    seen: set[int] = set()
    enemies = sorted(position.on_table(1 - unit.side), key=lambda m: off(m.at))
    for enemy in enemies:
        if enemy.unit.row not in seen and len(seen) < 4:
            seen.add(enemy.unit.row)
            yield enemy.at
    if enemies:
        yield 2.0 * x - enemies[0].x, 2.0 * y - enemies[0].y
