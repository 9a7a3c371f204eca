"""The move of a whole unit as one question (3.1): its paths judged together, and restoring coherency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from campale.mechanics.moves import unit_moves
from campale.mechanics.moves.asking import Proposals, move_question
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, is_lawful, refusal_of, staying
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e55.bots import intentions
from campale.rulesets.e55.definitions.types import is_character, is_vehicle
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.movement_phase.coherency import cut_off, is_coherent, keeping, link, real_link, widest_gap
from campale.rulesets.e55.movement_phase.ways import (
    ENEMY_GAP,
    NOBODY,
    WAY_RESTRICTIONS,
    barred_at,
    may_stand,
    meets_of,
    path_of,
)
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, heading, rounded

SHARES = (1.0, 0.6, 0.3)
NEARER = 0.01


class Gait(NamedTuple):
    """How far a unit goes, and whether it flies. ``targets``: the rows of units that it may come close to."""

    limit: float
    flies: bool
    targets: frozenset[int]


def movement_of(
    unit: Unit, limit: float, flies: bool = False, targets: frozenset[int] = NOBODY, alone: bool = False
) -> Movement:
    """Return how the models of a unit move. ``alone``: these are characters who move away from it."""
    return Movement(
        limit,
        real_link(unit),
        meets_of(targets, flies),
        lambda model: barred_at(targets, model, model.z),
        WAY_RESTRICTIONS,
        LEAVING_RESTRICTIONS if alone else UNIT_RESTRICTIONS,
        flies,
        reads=way_meant,
        key=Gait(limit, flies, targets),
    )


def way_meant(model: Model, points: Sequence[Sequence[float]], facing: float | None) -> Path:
    """Return the path that an answer means; a model without points, or whose points never leave its place, stays."""
    path = path_of(model, points, facing)
    stays = all(point == path.points[0] for point in path.points)
    return Path(path.points[:1], path.facing) if stays else path


# ---------------------------------------------------------------- restrictions on a move


@rule("1.1/move")
def turns_a_model(move: UnitMove) -> Fault | None:
    """Refuse to turn a vehicle: a unit's move turns no model.

    Only hulls and walkers have a facing, and they move by themselves.
    """
    for way in move.ways:
        if (
            is_vehicle(way.model)
            and way.path.facing is not None
            and abs(way.path.facing - way.model.facing) > TOLERANCE
        ):
            return Fault(way.end, model=way.model.row, word="turns-nobody")
    return None


@rule("3.1/enemy-one-inch")
def still_too_near(move: UnitMove) -> Fault | None:
    """Refuse a move that ends nearer than 1 inch to an enemy; a model that begins nearer may also stay."""
    targets = move.movement.key.targets
    for model in move.moving:
        x, y, z, _ = move.places[model.row]
        if may_stand(model, model.at, model.z, model.facing, targets):
            continue
        if not may_stand(model, (x, y), z, model.facing, targets):
            return Fault((x, y), limit=ENEMY_GAP, model=model.row)
    return None


@rule("3.1/no-pass-through")
def on_each_other(move: UnitMove) -> Fault | None:
    """Refuse a move in which models of the unit end on each other; they may pass through each other."""
    return unit_moves.on_each_other(move, members(move.unit))


@rule("3.1.1/coherency")
def out_of_coherency(move: UnitMove) -> Fault | None:
    if not move.moving or not is_coherent(move.unit) or is_coherent(move.unit, move.places):
        return None
    return Fault(limit=link(move.unit), measured=round(widest_gap(move.unit, move.places), 2))


@rule("3.1.1/restore-coherency")
def does_not_close_up(move: UnitMove) -> Fault | None:
    """Refuse a move that leaves a scattered unit scattered if it can regain coherency.

    If it cannot, its widest gap must shrink. Only in its movement phase does it have to move.
    """
    if is_coherent(move.unit) or is_coherent(move.unit, move.places):
        return None
    if not move.moving and move.unit.position.now["phase"] != "movement":
        return None
    kind, found = duty(move.unit, move.models, move.movement)
    if kind == "restore" or (kind == "close" and not closes(move.unit, move.places)):
        first = next((one[0][-1] for one in found if one[0]), None)
        return Fault(None if first is None else (first[0], first[1]), round(widest_gap(move.unit, move.places), 2))
    return None


@rule("8/independent-character")
def leaves_somebody(move: UnitMove) -> Fault | None:
    """Refuse a unit's move that cuts a character off: a character leaves by a move of its own."""
    if not any(is_character(model) for model in members(move.unit)):
        return None
    before = {model.row for model in cut_off(move.unit)}
    gone = next((model for model in cut_off(move.unit, move.places) if model.row not in before), None)
    return None if gone is None or not move.moving else Fault(gone.at, limit=link(move.unit), model=gone.row)


LEAVING_RESTRICTIONS = (turns_a_model, still_too_near, on_each_other)
UNIT_RESTRICTIONS = (*LEAVING_RESTRICTIONS, out_of_coherency, does_not_close_up, leaves_somebody)


def closes(unit: Unit, ends: Mapping[int, Sequence[float]]) -> bool:
    return widest_gap(unit, ends) < widest_gap(unit) - NEARER


@rule("3.1.1/restore-coherency")
def duty(unit: Unit, models: Sequence[Model], movement: Movement) -> tuple[str, list[Any]]:
    """Return what a unit out of coherency must do ("restore", "close" or ""), with paths that show it is possible.

    The search has steps of half an inch. The result is cached until something moves.
    """
    key = ("duty", tuple(model.row for model in models), movement.key)
    kept = unit.position.cache
    if key not in kept:
        kept[key] = "", []
        for kind, ways in intentions.closing_up(unit, models, movement):
            move = UnitMove(
                unit, as_paths(models, ways, movement.reads), movement._replace(of_all=(still_too_near, on_each_other))
            )
            is_legal = refusal_of(move) is None
            if is_legal and (is_coherent(unit, move.places) if kind == "restore" else closes(unit, move.places)):
                kept[key] = kind, ways
                break
    found: tuple[str, list[Any]] = kept[key]
    return found


def owed(unit: Unit, models: Sequence[Model], movement: Movement) -> list[Any]:
    """Return paths by which a scattered unit regains coherency or closes up, if it must and can."""
    is_bound = does_not_close_up in movement.of_all and not is_coherent(unit)
    return duty(unit, models, movement)[1] if is_bound else []


# ---------------------------------------------------------------- the question


def unit_move_question(
    unit: Unit,
    prompt: str,
    limit: float,
    *,
    flies: bool = False,
    targets: frozenset[int] = NOBODY,
    models: Sequence[Model] | None = None,
    alone: bool = False,
    usual: float | None = None,
    **more: Any,
) -> MoveUnit:
    """Ask which paths the models of a unit take, at most ``limit`` inches each, judged as one move.

    ``usual``: how far they would go without running, shown on screens.
    """
    moving = keeping(unit) if models is None else list(models)
    movement = movement_of(unit, limit, flies, targets, alone)
    proposals = Proposals(
        partial(random_move, unit, moving, movement),
        partial(good_unit_moves, unit, moving, movement),
        partial(intentions.gone_to, moving, movement),
    )
    shown: dict[str, Plain] = {"clear_of_enemies": ENEMY_GAP, "coherency": link(unit)}
    if usual is not None and usual < limit:
        shown["usual"] = usual
    return move_question(unit, moving, prompt, movement, proposals, shown=shown, **more)


def good_unit_moves(unit: Unit, models: Sequence[Model], movement: Movement) -> Iterator[Plain]:
    """Yield sensible legal moves, the best first, computed on demand; the last is to stay, where allowed."""
    is_legal = partial(is_lawful, unit, models, movement)
    closing_up = owed(unit, models, movement)
    if closing_up:
        yield closing_up
    for intention in intentions.proposals(unit, models, movement):
        yield from islice(filter(is_legal, intention), 1)
    if is_legal(staying(models)):
        yield staying(models)


def random_move(unit: Unit, models: Sequence[Model], movement: Movement, rng: Random) -> Plain:
    """Return a step of all models in one random direction, cut short before obstacles.

    If none is legal, the models make a move that the unit owes, or stay.
    """
    assert movement.limit is not None
    aim, far = heading(rng.uniform(0.0, 360.0)), movement.limit * rng.random()
    free = far if movement.flies else intentions.free_length(models, aim, far, movement)
    for share in SHARES:
        answer = intentions.stepped(models, (rounded(share * free * aim[0]), rounded(share * free * aim[1])))
        if is_lawful(unit, models, movement, answer):
            return answer
    return owed(unit, models, movement) or staying(models)
