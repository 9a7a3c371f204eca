"""Normal moves and Advances (movement-phase/*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from campale.mechanics.moves import barring, going, move_paths, unit_moves
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.barring import Fence, KeepsOff, Marker, no_pieces
from campale.mechanics.moves.going import usual_goals
from campale.mechanics.moves.move_paths import Barred, MovePath
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, on_the_table
from campale.referee.ask import ask
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Restriction
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import added_to, characteristic
from campale.rulesets.w10.armies.amounts import amount
from campale.rulesets.w10.basics.coherency import LINK, are_coherent, companions
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.markers import marker_solid, markers
from campale.rulesets.w10.basics.sight import solids
from campale.rulesets.w10.basics.units import ADVANCED, ENGAGEMENT, HOVERS, MOVED, is_aircraft, members
from campale.rulesets.w10.windows.reroll import total
from campale.rulesets.w10.windows.windows import open_window
from campale.table.climbs import air_length, climbing_length
from campale.table.paths import Path, furthest_length, plan_length
from campale.table.shapes import TOLERANCE, Point

LOW, HOVERING = 2.0, 20
"""Features no higher than this are crossed as if they were not there."""
MORE_THAN = 2 * TOLERANCE
"""Strictly more than a distance: by so much a gap is kept larger."""

DRAWN = 0.6
"""How often a sample makes for a marker or an enemy."""


# ---------------------------------------------------------------- what bars a model


def barred_for(model: Model, key: str, keeps_off: KeepsOff, fence: Fence) -> Barred:
    """What bars a model, kept until something moves; where features do, objective markers do too."""
    profile = model.profile
    alike = profile.footprint, profile.is_large, profile.has("fly")
    lying = (Marker(marker_solid(token), 0.0) for token in markers(model.position)) if fence is solids else ()
    return barring.barred_for(model, key, keeps_off, fence, alike, lying)


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
        return None if model.profile.has("fly") else ENGAGEMENT + MORE_THAN
    return 0.0 if blocks(model, other) else None


@rule("movement-phase/moving-models", "core-concepts/engagement-forbidden")
def keeps_off_at_the_end(model: Model, other: Model) -> float | None:
    return ENGAGEMENT + MORE_THAN if other.side != model.side else 0.0


def on_the_way(model: Model) -> Barred:
    return barred_for(model, "way", keeps_off_on_the_way, no_pieces)


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
    going.go(unit.position, paths, move=kind)


def goals_for(unit: Unit) -> Iterator[Point]:
    """Points worth going to."""
    return usual_goals(unit, members(unit))
