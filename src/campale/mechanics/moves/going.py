"""Moving the models of a unit along the answered paths, and where a unit might want to go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from campale.mechanics.moves.asking import middle_of, unit_move_question
from campale.mechanics.moves.move_paths import stays
from campale.mechanics.moves.unit_moves import Movement, as_paths
from campale.mechanics.units import members
from campale.referee.ask import ask
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.table.paths import Path
from campale.table.shapes import Point, rounded

MOST_ENEMIES = 4
DRAWN = 0.5
"""How often a sample heads for one of the usual goals."""


def go(position: Position, paths: Mapping[int, Path], **how: Plain) -> None:
    """Move every model (by row) along its path, unless it stays."""
    for row, path in paths.items():
        if not stays(path):
            put(position.model(row), path, **how)


def put(model: Model, path: Path, **how: Plain) -> None:
    """Put a model at the end of its path. Only a path with turns decides its facing there."""
    x, y = path.points[-1][:2]
    facing = None if path.facing is None or not path.turns else rounded(path.facing)
    steps: list[Plain] = [[round(p[0], 4), round(p[1], 4)] for p in path.points]
    model.move_to(rounded(x), rounded(y), facing=facing, path=steps, **how)


async def move_unit(unit: Unit, prompt: str, movement: Movement) -> None:
    """Ask for the paths of the models of a unit, with the usual goals, and move them."""
    models = members(unit)
    question = unit_move_question(unit, models, prompt, movement, lambda: usual_goals(unit, models), drawn=DRAWN)
    go(unit.position, as_paths(models, await ask(question), movement.reads))


# ---------------------------------------------------------------- goals


def usual_goals(unit: Unit, models: Sequence[Model]) -> Iterator[Point]:
    """Points worth going to in any book: the markers and the enemies, nearest first, and away from the enemy."""
    position, at = unit.position, middle_of(models)
    yield from sorted(((token.x, token.y) for token in position.tokens), key=lambda point: off(at, point))
    near = nearest_of_units(position, 1 - unit.side, at)
    yield from (m.at for m in near)
    if near:
        yield away_from(at, near[0].at)


def nearest_of_units(position: Position, side: int, at: Point, most: int = MOST_ENEMIES) -> list[Model]:
    """The model nearest to a point in each unit of a side, the nearest units first."""
    found: dict[int, Model] = {}
    for model in sorted(position.on_table(side), key=lambda m: off(at, m.at)):
        if len(found) == most:
            break
        found.setdefault(position.unit_of[model.row], model)
    return list(found.values())


def away_from(at: Point, other: Point) -> Point:
    """The mirror image of one point about another: as far away on the other side."""
    return 2.0 * at[0] - other[0], 2.0 * at[1] - other[1]


def off(one: Point, other: Point) -> float:
    """The square of the distance."""
    return (other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2
