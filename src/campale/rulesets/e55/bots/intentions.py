"""Proposals for a unit's move (towards, into cover, up, away), and for closing up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from campale.mechanics.moves import storeys
from campale.mechanics.moves.asking import middle_of
from campale.mechanics.moves.move_paths import answer_of
from campale.mechanics.moves.storeys import centre_of
from campale.mechanics.moves.unit_moves import Movement, planned, staying
from campale.referee.position import Model, Unit
from campale.referee.refusal import Plain
from campale.rulesets.e55.definitions.units import members, units_on_table
from campale.rulesets.e55.movement_phase.coherency import keeping, linked_groups, widest_gap
from campale.rulesets.e55.movement_phase.terrain import cover_of
from campale.rulesets.e55.movement_phase.ways import may_stand, path_of
from campale.table import planner, witness
from campale.table.formations import Coherency
from campale.table.measure import overlaps
from campale.table.outlines import contains
from campale.table.paths import Path, plan_length, until
from campale.table.planner import Going
from campale.table.shapes import Point, Solid, rounded

MOST_GOALS = 2
NEAR_RUIN = 12.0
AT_HAND = 2.0
OBJECTIVE = "objective"
BACKED_OFF = 0.01
FINENESS = 0.5
"""How finely a place is sought where a model may stand, in inches."""


def goings_of(models: Sequence[Model], movement: Movement) -> list[Going]:
    return [movement.at_the_end(model).field.plans for model in models]


def square(a: Sequence[float], b: Sequence[float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


# ---------------------------------------------------------------- destinations


def proposals(unit: Unit, models: Sequence[Model], movement: Movement) -> Iterator[Iterator[Plain]]:
    """Yield intentions lazily: to an objective (or stay there), at the enemy, into cover, up or down, away.

    Each yields answers for the unit's move, of which the first legal one is used.
    """
    limit = far_of(movement)
    if limit <= 0.0 or not models:
        return
    here = middle_of(models)
    objectives, enemies, covers = objective_places(unit, here), enemy_places(unit, here), cover_places(unit, here)
    if objectives and square(objectives[0], here) <= AT_HAND**2:
        yield iter([staying(models)])
        objectives = objectives[1:]
    first = [*objectives[:1], *enemies[:1], *covers[:1]]
    others = [*objectives[1:MOST_GOALS], *enemies[1:MOST_GOALS]]
    away = [mirrored(here, enemies[0])] if enemies else []
    for goal in first:
        yield gone_to(models, movement, goal)
    yield chain(upstairs(unit, models, limit, here), downstairs(unit, models, limit, here, first))
    for goal in (*others, *away):
        yield gone_to(models, movement, goal)


def objective_places(unit: Unit, here: Point) -> list[Point]:
    places = [(token.x, token.y) for token in unit.position.tokens if token.kind == OBJECTIVE]
    return sorted(places, key=lambda place: square(place, here))


def enemy_places(unit: Unit, here: Point) -> list[Point]:
    places = [middle_of(members(other)) for other in units_on_table(unit.position, 1 - unit.side)]
    return sorted(places, key=lambda place: square(place, here))


def cover_places(unit: Unit, here: Point) -> list[Point]:
    pieces = [piece for piece in unit.position.ground.pieces if cover_of(piece) is not None]
    return sorted((centre_of(piece.outline) for piece in pieces), key=lambda place: square(place, here))


def mirrored(here: Point, threat: Point) -> Point:
    return 2.0 * here[0] - threat[0], 2.0 * here[1] - threat[1]


# ---------------------------------------------------------------- paths there


def gone_to(models: Sequence[Model], movement: Movement, goal: Point) -> Iterator[Plain]:
    """Yield straight moves if the unit flies or stands on a storey; else the planner's path."""
    if movement.flies or any(model.z > 0.0 for model in models):
        yield from shifted(models, goal, far_of(movement))
        return
    found = planned(models, movement, goal)
    if found is not None:
        yield found


def far_of(movement: Movement) -> float:
    return movement.limit or 0.0


def shifted(models: Sequence[Model], goal: Point, limit: float) -> Iterator[Plain]:
    """Yield the same straight move for all models, in full and cut short."""
    here = middle_of(models)
    far = max(square(here, goal) ** 0.5, 1e-9)
    for share in (1.0, 0.75, 0.5, 0.25):
        part = share * min(1.0, (limit - 0.001) / far)
        yield stepped(models, (part * (goal[0] - here[0]), part * (goal[1] - here[1])))


def stepped(models: Sequence[Model], step: Point) -> Plain:
    """Return the same step for all models."""
    return [[[[rounded(m.x + step[0]), rounded(m.y + step[1])]], None] for m in models]


def free_length(models: Sequence[Model], aim: Point, far: float, movement: Movement) -> float:
    """Return how far all models can go in a direction before the first of them meets an obstacle."""
    for model in models:
        goal = model.x + aim[0] * far, model.y + aim[1] * far
        path = path_of(model, (goal,))
        met = movement.meets(model, path) if far > 0.0 else None
        if met is not None:
            far = max(0.0, plan_length(until(path, met.trouble.progress)) - BACKED_OFF)
    return far


# ---------------------------------------------------------------- storeys


def upstairs(unit: Unit, models: Sequence[Model], limit: float, here: Point) -> Iterator[Plain]:
    """Yield moves of the whole unit up to a nearby storey that all models reach and fit on."""
    if any(model.z > 0.0 for model in models):
        return
    floors = [floor for piece in unit.position.ground.pieces for floor in piece.floors if floor.z < limit]
    yield from storeys.upstairs(models, storeys.nearest_floors(floors, here, NEAR_RUIN)[:MOST_GOALS], here)


def downstairs(
    unit: Unit, models: Sequence[Model], limit: float, here: Point, goals: Sequence[Point]
) -> Iterator[Plain]:
    """Yield moves of the whole unit down from its storey, by the nearest side."""
    if not goals or any(model.z <= 0.0 for model in models):
        return
    for piece in unit.position.ground.pieces:
        if piece.floors and contains(piece.outline, *here):
            yield from storeys.landed(models, here, goals[0], limit)


# ---------------------------------------------------------------- closing up


def closing_up(unit: Unit, models: Sequence[Model], movement: Movement) -> Iterator[tuple[str, Plain]]:
    """Yield moves that may restore a scattered unit's coherency, then moves that bring it closer together."""
    goings, limit = goings_of(models, movement), far_of(movement)
    is_near = widest_gap(unit) <= 2.0 * limit + movement.link
    together = Coherency(movement.link)
    found = witness.coherency_restored(goings, [m.at for m in models], limit, together) if is_near else None
    if found is not None:
        yield "restore", [answer_of(path) for path in found]
    if not all(may_stand(model, model.at, model.z, model.facing) for model in models):
        clear = [answer_of(path) for path in drawn_near(unit, models, goings, limit, nearest_clear)]
        yield from (("restore", clear), ("close", clear))
    for share in (1.0, 0.5):
        yield "close", [answer_of(path) for path in drawn_near(unit, models, goings, limit * share)]


Nearest = Callable[[Model, Going, Point, float], Path]


def nearest_way(model: Model, going: Going, goal: Point, limit: float) -> Path:
    return planner.nearest(going, model.at, goal, limit)


def nearest_clear(model: Model, going: Going, goal: Point, limit: float) -> Path:
    """Return a path to the place nearest to a goal, to half an inch, where the model may stand beside its unit."""
    here, mates = model.at, [mate.solid for mate in members(model.unit) if mate.row != model.row]
    own = model.solid
    for place in sorted(witness.places(here, limit, FINENESS), key=lambda one: square(one, goal)):
        if square(place, goal) >= square(here, goal):
            break
        there = Solid(own.shape, *place, own.z, own.facing, own.height)
        if may_stand(model, place, model.z, model.facing) and not any(overlaps(there, mate) for mate in mates):
            way = planner.route(going, here, place, limit)
            if way is not None:
                return way
    return Path((here,))


def drawn_near(
    unit: Unit, models: Sequence[Model], goings: Sequence[Going], limit: float, nearest: Nearest = nearest_way
) -> list[Path]:
    """Return paths by which the models outside the largest group go as near to it as they can."""
    among = keeping(unit)
    largest = {among[k].row for k in max(linked_groups(unit, among), key=len)}
    paths = []
    for model, going in zip(models, goings, strict=True):
        if model.row in largest or not any(m.row in largest for m in models):
            paths.append(Path((model.at,)))
            continue
        goal = min((m.at for m in models if m.row in largest), key=lambda place: square(place, model.at))
        paths.append(nearest(model, going, goal, limit))
    return paths
