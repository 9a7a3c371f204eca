"""The move of a whole unit as one question (3.1): its ways judged together, and where it must close up again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from campale.mechanics.moves.coherency import first_overlap
from campale.mechanics.moves.move_paths import end_of
from campale.referee.looks import Foretold
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.bots import intentions
from campale.rulesets.e55.bots.intentions import stay
from campale.rulesets.e55.definitions.types import is_character, is_vehicle
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.movement_phase.coherency import cut_off, is_coherent, keeping, link, widest_gap
from campale.rulesets.e55.movement_phase.ways import ENEMY_GAP, NOBODY, field_of, path_of, way_of, way_refusal
from campale.table import fields
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point, heading, rounded

Answer = Sequence[Any]
"""For each model: its points after the start, and a facing or None."""

SHARES = (1.0, 0.6, 0.3)
NEARER = 0.01


class UnitMove:
    """The ways that the models of a unit want to go together. ``alone``: characters who move away from it."""

    __slots__ = ("alone", "ends", "flies", "limit", "models", "targets", "unit", "ways")

    def __init__(
        self,
        unit: Unit,
        paths: Mapping[int, Path],
        limit: float,
        flies: bool = False,
        targets: frozenset[int] = NOBODY,
        alone: bool = False,
    ) -> None:
        self.unit, self.limit, self.flies, self.targets, self.alone = unit, limit, flies, targets, alone
        models = unit.position.models
        self.models = [models[row] for row in paths]
        self.ways = [
            way_of(models[row], path, limit, targets, flies) for row, path in paths.items() if len(path.points) > 1
        ]
        self.ends = {way.model.row: end_of(way.path) for way in self.ways}


# ---------------------------------------------------------------- what forbids a move


@rule("1.1/move")
def turns_a_model(move: UnitMove) -> Fault | None:
    """A move turns nobody; only hulls and walkers have a facing, and moves of their own."""
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
    """Who begins nearer than 1 inch may stay, or end at 1 inch or more."""
    for way in move.ways:
        model, (x, y, z) = way.model, move.ends[way.model.row]
        here = field_of(model, move.targets)
        if fields.is_free(here, model.x, model.y, model.facing):
            continue
        if not fields.is_free(field_of(model, move.targets, z), x, y, model.facing):
            return Fault((x, y), limit=ENEMY_GAP, model=model.row)
    return None


@rule("3.1/no-pass-through")
def on_each_other(move: UnitMove) -> Fault | None:
    """The models of a unit do not bar each other, but they do not end on each other."""
    found = first_overlap(members(move.unit), move.ends) if move.ends else None
    if found is None:
        return None
    place = move.ends.get(found[0]) or move.ends[found[1]]
    return Fault((place[0], place[1]), model=found[1])


@rule("3.1.1/coherency")
def out_of_coherency(move: UnitMove) -> Fault | None:
    if move.alone or not move.ends or not is_coherent(move.unit) or is_coherent(move.unit, move.ends):
        return None
    return Fault(limit=link(move.unit), measured=round(widest_gap(move.unit, move.ends), 2))


@rule("3.1.1/restore-coherency")
def does_not_close_up(move: UnitMove) -> Fault | None:
    """A unit that is apart comes together if it can; if it cannot, its widest gap shrinks.

    Only in its movement phase it has to move.
    """
    if move.alone or is_coherent(move.unit) or is_coherent(move.unit, move.ends):
        return None
    if not move.ends and move.unit.position.now["phase"] != "movement":
        return None
    kind, found = duty(move.unit, move.models, move.limit, move.flies, move.targets)
    if kind == "restore" or (kind == "close" and not closes(move.unit, move.ends)):
        first = next((one[0][-1] for one in found if one[0]), None)
        return Fault(None if first is None else (first[0], first[1]), round(widest_gap(move.unit, move.ends), 2))
    return None


@rule("8/independent-character")
def leaves_somebody(move: UnitMove) -> Fault | None:
    """A character goes away on its own; in its unit's move it stays with the unit."""
    if move.alone or not any(is_character(model) for model in members(move.unit)):
        return None
    before = {model.row for model in cut_off(move.unit)}
    gone = next((model for model in cut_off(move.unit, move.ends) if model.row not in before), None)
    return None if gone is None or not move.ends else Fault(gone.at, limit=link(move.unit), model=gone.row)


UNIT_RESTRICTIONS = (
    turns_a_model,
    still_too_near,
    on_each_other,
    out_of_coherency,
    does_not_close_up,
    leaves_somebody,
)


def move_refusal(move: UnitMove) -> Refusal | None:
    for way in move.ways:
        refusal = way_refusal(way)
        if refusal is not None:
            return refusal
    return first_refusal(UNIT_RESTRICTIONS, move)


def closes(unit: Unit, ends: Mapping[int, Sequence[float]]) -> bool:
    return widest_gap(unit, ends) < widest_gap(unit) - NEARER


@rule("3.1.1/restore-coherency")
def duty(
    unit: Unit, models: Sequence[Model], limit: float, flies: bool, targets: frozenset[int]
) -> tuple[str, list[Any]]:
    """What a unit out of coherency owes ("restore", "close" or ""), with ways that show it; kept until something moves.

    As fine as the witness search: half an inch.
    """
    key = ("duty", tuple(model.row for model in models), limit, flies, targets)
    kept = unit.position.cache
    if key not in kept:
        kept[key] = "", []
        for kind, ways in intentions.closing_up(unit, models, limit, flies, targets):
            move = UnitMove(unit, as_paths(models, ways), limit, flies, targets)
            legal = all(way_refusal(way) is None for way in move.ways) and on_each_other(move) is None
            if legal and (is_coherent(unit, move.ends) if kind == "restore" else closes(unit, move.ends)):
                kept[key] = kind, ways
                break
    found: tuple[str, list[Any]] = kept[key]
    return found


# ---------------------------------------------------------------- the question


def as_paths(models: Sequence[Model], answer: Answer) -> dict[int, Path]:
    """The paths that an answer means; a model without points, or that goes nowhere, stays."""
    paths = {}
    for model, one in zip(models, answer, strict=True):
        path = path_of(model, (tuple(one[0]), one[1]))
        stays = all(point == path.points[0] for point in path.points)
        paths[model.row] = Path(path.points[:1], path.facing) if stays else path
    return paths


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
    foretells: Callable[[Mapping[int, Path]], Sequence[Foretold]] | None = None,
    **about: Plain,
) -> MoveUnit:
    """Which ways the models of a unit go, at most ``limit`` inches each, judged as one move.

    ``usual``: how far they would go without running, for screens to show. ``foretells``: what ways call for.
    """
    moving = keeping(unit) if models is None else list(models)

    def refuses(answer: Answer) -> Fault | Refusal | None:
        return move_refusal(UnitMove(unit, as_paths(moving, answer), limit, flies, targets, alone))

    def samples(rng: Random) -> Plain:
        return random_move(unit, moving, limit, flies, targets, alone, rng)

    def suggests() -> Iterator[Plain]:
        return good_unit_moves(unit, moving, limit, flies, targets, alone)

    def calls_for(answer: Answer) -> Sequence[Foretold]:
        return foretells(as_paths(moving, answer)) if foretells is not None else ()

    def seeks(goal: Point) -> Iterator[Plain]:
        return intentions.gone_to(unit, moving, goal, limit, flies, targets)

    shown = {"allowance": limit, "flies": flies, "clear_of_enemies": ENEMY_GAP, "coherency": link(unit)}
    if usual is not None and usual < limit:
        shown["usual"] = usual
    told = {"unit": unit.row, "models": [model.row for model in moving], **about}
    return MoveUnit(unit.side, prompt, refuses, samples, suggests, shown, told, seeks, calls_for)


def good_unit_moves(
    unit: Unit,
    models: Sequence[Model],
    limit: float,
    flies: bool = False,
    targets: frozenset[int] = NOBODY,
    alone: bool = False,
) -> Iterator[Plain]:
    """Legal moves that make sense, the best first, made as they are asked for; the last is to stay, where it may."""

    def is_legal(answer: Plain) -> bool:
        return move_refusal(UnitMove(unit, as_paths(models, answer), limit, flies, targets, alone)) is None

    owed = [] if alone or is_coherent(unit) else duty(unit, models, limit, flies, targets)[1]
    if owed:
        yield owed
    for intention in intentions.proposals(unit, models, limit, flies, targets):
        yield from islice(filter(is_legal, intention), 1)
    if is_legal(stay(models)):
        yield stay(models)


def random_move(
    unit: Unit,
    models: Sequence[Model],
    limit: float,
    flies: bool,
    targets: frozenset[int],
    alone: bool,
    rng: Random,
) -> Plain:
    """All the same way in a random direction, cut short before what bars it; else staying, or what it must do."""
    aim, far = heading(rng.uniform(0.0, 360.0)), limit * rng.random()
    free = far if flies else intentions.free_length(models, aim, far, targets)
    for share in SHARES:
        step = rounded(share * free * aim[0]), rounded(share * free * aim[1])
        answer = [[[[rounded(m.x + step[0]), rounded(m.y + step[1])]], None] for m in models]
        if move_refusal(UnitMove(unit, as_paths(models, answer), limit, flies, targets, alone)) is None:
            return answer
    if alone or is_coherent(unit):
        return stay(models)
    return duty(unit, models, limit, flies, targets)[1] or stay(models)
