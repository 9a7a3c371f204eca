"""Normal moves and Advances (movement-phase/*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from campale.mechanics.moves import move_paths, unit_moves
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.move_paths import Barred, MovePath, stays
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, on_the_table
from campale.referee.ask import ask
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Plain, Restriction
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import added_to, characteristic
from campale.rulesets.w10.armies.amounts import amount
from campale.rulesets.w10.basics.coherency import LINK, are_coherent, companions
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.flying import crosses_enemies
from campale.rulesets.w10.basics.markers import marker_solid, markers
from campale.rulesets.w10.basics.sight import solids
from campale.rulesets.w10.basics.units import ADVANCED, ENGAGEMENT, HOVERS, MOVED, is_aircraft, members
from campale.rulesets.w10.windows.reroll import total
from campale.rulesets.w10.windows.windows import open_window
from campale.table import fields
from campale.table.climbs import air_length, climbing_length
from campale.table.paths import Path, furthest_length, plan_length
from campale.table.shapes import TOLERANCE, Point, rounded
from campale.table.terrain import Ground

LOW, HOVERING = 2.0, 20
"""Features no higher than this are crossed as if they were not there."""
MORE_THAN = 2 * TOLERANCE
"""Strictly more than a distance: by so much a gap is kept larger."""

DRAWN = 0.6
"""How often a sample makes for a marker or an enemy."""

KeepsOff = Callable[[Model, Model], float | None]


# ---------------------------------------------------------------- what bars a model


def nothing(ground: Ground) -> Ground:
    return Ground(ground.width, ground.depth)


def barred_for(model: Model, key: str, keeps_off: KeepsOff, fence: Callable[[Ground], Ground]) -> Barred:
    """What bars a model, kept until something moves. ``keeps_off``: the gap from another, None: it does not count."""
    position = model.position
    own = position.unit_of[model.row]
    profile = model.profile
    kept, name = position.layout, ("barred", key, own, profile.footprint, profile.is_large, profile.has("fly"))
    if name not in kept:
        pairs = [(m, keeps_off(model, m)) for m in position.on_table() if position.unit_of[m.row] != own]
        others = [(m.solid, gap, m.row) for m, gap in pairs if gap is not None]
        if fence is solids:
            others += [(marker_solid(token), 0.0, -1) for token in markers(position)]
        placed, gaps, rows = [one[0] for one in others], [one[1] for one in others], tuple(one[2] for one in others)
        field = fields.field(position.ground, model.profile.shape, placed, gaps, position.ground.kept(fence))
        kept[name] = Barred(field, rows)
    found: Barred = kept[name]
    return found


@rule("movement-phase/moving-models")
def blocks(model: Model, other: Model) -> bool:
    """Whether a friendly model is in the way: MONSTER and VEHICLE models do not pass over each other."""
    return bool(model.profile.is_large and other.profile.is_large)


@rule("movement-phase/normal-move", "core-concepts/engagement-forbidden", "v/fly", "aircraft/others-move")
def keeps_off_on_the_way(model: Model, other: Model) -> float | None:
    """At no point within engagement range of an enemy, but for those who can FLY; AIRCRAFT may be passed under."""
    if is_aircraft(other.unit):
        return None
    if other.side != model.side:
        return None if crosses_enemies(model) else ENGAGEMENT + MORE_THAN
    return 0.0 if blocks(model, other) else None


@rule("movement-phase/moving-models", "core-concepts/engagement-forbidden")
def keeps_off_at_the_end(model: Model, other: Model) -> float | None:
    return ENGAGEMENT + MORE_THAN if other.side != model.side else 0.0


def on_the_way(model: Model) -> Barred:
    return barred_for(model, "way", keeps_off_on_the_way, nothing)


@rule("terrain/barricades", "terrain/debris", "movement-phase/terrain")
def at_the_end(model: Model) -> Barred:
    """Nobody ends on a barricade or on debris, or in mid-climb."""
    return barred_for(model, "end", keeps_off_at_the_end, solids)


# ---------------------------------------------------------------- what forbids a move


@rule("movement-phase/measuring-moves", "movement-phase/terrain", "terrain/general", "charge-phase/terrain")
def length_of(model: Model, path: Path) -> float:
    """The way of the part that goes farthest, and what is climbed over features higher than 2 inches."""
    ground, shape = model.position.ground.kept(solids), model.solid.shape
    if model.profile.has("fly"):
        return length_in_the_air(model, path)
    climbed = climbing_length(path, shape, ground, LOW) - plan_length(path) if ground.pieces else 0.0
    return furthest_length(path, shape) + climbed


@rule("flying/over-terrain", "flying/low-terrain", "flying/air-path", "flying/base-level", "flying/finish")
def length_in_the_air(model: Model, path: Path) -> float:
    """Slanting up, across and down, clear of all that is higher than 2 inches."""
    ground = model.position.ground.kept(solids)
    return air_length(path, model.solid.shape, ground, LOW) if ground.pieces else plan_length(path)


@rule("movement-phase/normal-move", "movement-phase/advance", "movement-phase/fall-back", "charge-phase/charge-move")
def goes_too_far(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, length_of(way.model, way.path), way.limit)


@rule("movement-phase/normal-move", "movement-phase/advance", "movement-phase/fall-back", "modifiers/floor-move-range")
def goes_beyond_its_move(more: float, way: MovePath) -> Fault | None:
    """Each model by its own M, and so much more."""
    return move_paths.too_long(way.model, way.path, length_of(way.model, way.path), own_move(way.model) + more)


@rule("movement-phase/normal-move", "core-concepts/engagement-forbidden")
def within_engagement(way: MovePath) -> Fault | None:
    return move_paths.too_near(way, ENGAGEMENT)


@rule("movement-phase/moving-models")
def on_a_model(way: MovePath) -> Fault | None:
    """Nobody ends on another model, or passes over one that bars the way."""
    return move_paths.through_a_model(way)


@rule("movement-phase/terrain", "terrain/barricades", "terrain/debris")
def ends_on_an_obstacle(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("objectives/marker")
def ends_on_a_marker(way: MovePath) -> Fault | None:
    """Markers may be crossed; nobody ends on one."""
    return move_paths.on_no_model(way)


@rule("movement-phase/moving-models")
def off_the_battlefield(way: MovePath) -> Fault | None:
    return move_paths.over_the_edge(way)


@rule("movement-phase/moving-models")
def on_each_other(move: UnitMove) -> Fault | None:
    return unit_moves.on_each_other(move)


@rule("core-concepts/unit-coherency", "core-concepts/coherency-failed-move")
def out_of_coherency(move: UnitMove) -> Fault | None:
    """A unit that cannot end together does not move; one that is apart may stay so."""
    if not move.moving or are_coherent([move.standing(m) for m in move.models]):
        return None
    return Fault(limit=LINK, model=move.moving[0].row)


PATH_RESTRICTIONS = (
    goes_too_far,
    off_the_battlefield,
    ends_on_an_obstacle,
    ends_on_a_marker,
    within_engagement,
    on_a_model,
)
UNIT_RESTRICTIONS = (on_each_other, out_of_coherency)


@rule("movement-phase/normal-move", "v/fly")
def movement_of(unit: Unit, limit: float) -> Movement:
    """How the models of a unit go; those that can FLY cross whatever is in their way."""
    return moving(unit, limit, on_the_way, at_the_end)


def each_by_its_own(movement: Movement, more: float = 0.0) -> Movement:
    """Each model may go as far as its own M allows; proposals keep to the slowest."""
    return movement._replace(of_each=(partial(goes_beyond_its_move, more), *PATH_RESTRICTIONS[1:]))


def moving(
    unit: Unit,
    limit: float,
    way: Callable[[Model], Barred],
    end: Callable[[Model], Barred],
    *restrictions: Restriction,
    may_fly: bool = True,
) -> Movement:
    """A movement of a unit by what bars its models on their way and where they end, with restrictions of the whole."""
    models = members(unit)
    flies = may_fly and all(m.profile.has("fly") for m in models)
    meets, of_all = on_the_table(way, end, flies), (*UNIT_RESTRICTIONS, *restrictions)
    many = companions(len(models))
    return Movement(limit, LINK, meets, end, PATH_RESTRICTIONS, of_all, flies=flies, companions=many)


# ---------------------------------------------------------------- moving


@rule("movement-phase/normal-move")
async def normal_move(unit: Unit) -> None:
    """Up to M inches."""
    await move_up_to(unit, "normal-move")


@rule("movement-phase/advance")
async def advance(unit: Unit) -> None:
    """M and a die; the unit then neither shoots nor charges this turn."""
    face = await rolled(unit.side, "advance", amount("D6"), unit=unit.row)
    more = await total(unit, "advance", 1, face) + added_to(unit, "advance")
    unit.mark(ADVANCED, 1)
    await move_up_to(unit, "advance", more)


@rule("datasheet/model-profile", "modifiers/unit-characteristic", "core-abilities/hover")
def own_move(model: Model) -> float:
    """Its M after all that changes it; a model with M "-" cannot move."""
    printed = HOVERING if model.unit.marks(HOVERS) else model.profile.m
    return float(characteristic(model.unit, "m", printed)) if printed else 0.0


def move_of(unit: Unit) -> float:
    """How far all models of a unit may go."""
    return min(own_move(m) for m in members(unit))


@rule("movement-phase/moving-models", "stratagems/fire-overwatch")
async def move_up_to(unit: Unit, prompt: str, more: float = 0.0) -> None:
    """Every model by its M and so much more, with what the enemy may answer."""
    await open_window(unit.position, "enemy-moves", mover=unit.row)
    models = members(unit)
    if not models:
        return
    movement = each_by_its_own(movement_of(unit, move_of(unit) + more), more)
    question = unit_move_question(unit, models, prompt, movement, lambda: goals_for(unit), drawn=DRAWN)
    go(unit, as_paths(models, await ask(question)), prompt)
    unit.mark(MOVED, 1)
    await open_window(unit.position, "enemy-moves", mover=unit.row)


def go(unit: Unit, paths: dict[int, Path], kind: str) -> None:
    """Every model that moves goes its way."""
    for row, path in paths.items():
        if not stays(path):
            put(unit.position.model(row), path, kind)


def put(model: Model, path: Path, kind: str) -> None:
    end = path.points[-1]
    facing = path.facing if path.turns else None
    steps: list[Plain] = [[round(p[0], 4), round(p[1], 4)] for p in path.points]
    facing = None if facing is None else rounded(facing)
    model.move_to(rounded(end[0]), rounded(end[1]), facing=facing, path=steps, move=kind)


# ---------------------------------------------------------------- where a unit might want to go


def goals_for(unit: Unit) -> Iterator[Point]:
    """Points worth going to: the markers from the nearest, the nearest enemies, and away from the nearest."""
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
