"""Falling back and its risks (movement-phase/fall-back*, movement-phase/desperate-escape)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from campale.dice.needs import Need
from campale.mechanics.moves.asking import suggested, unit_move_question
from campale.mechanics.moves.barring import nothing
from campale.mechanics.moves.contact import ContactSearch
from campale.mechanics.moves.gathering import gathered
from campale.mechanics.moves.move_paths import Barred, shown, stays
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, is_lawful, refusal_of, staying
from campale.referee.ask import ask, choose, roll
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.w10.attack.demise import harm_over, see_to_fallen
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.basics.attached import what_is_left
from campale.rulesets.w10.basics.flying import crosses_enemies
from campale.rulesets.w10.basics.levels import heights_of, shares_height
from campale.rulesets.w10.basics.units import (
    ENGAGEMENT,
    FELL_BACK,
    MOVED,
    SHOCKED,
    STATIONARY,
    are_engaged,
    components,
    members,
)
from campale.rulesets.w10.movement.moves import (
    Cites,
    at_the_end,
    barred_for,
    blocks,
    each_by_its_own,
    go,
    goals_for,
    move_of,
    moving,
    own_move,
)
from campale.rulesets.w10.windows.reroll import one_die
from campale.rulesets.w10.windows.windows import open_window
from campale.table import fields
from campale.table.formations import all_spots
from campale.table.kernels import Floats
from campale.table.levels import height_of, runs
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point, heading
from campale.table.sweeps import first_overlap

RETREAT = Cites("movement-phase/fall-back", "movement-phase/fall-back")
ESCAPES = 3
COMPASS, FAR = 16, 24.0
"""The number of directions, and the distance in inches, in which a way out of engagement range is looked for."""
RIM = np.array([heading(5.0 * k) for k in range(72)], np.float64)
GRIDS, LEADERS = (1.5, 0.25), 6
"""Spacing in inches of places where one model may go first; number of leading models, and of places for each."""


@rule("movement-phase/fall-back", "movement-phase/fall-back-over")
def keeps_off_falling_back(model: Model, other: Model) -> float | None:
    """Enemies may be crossed at a risk; a MONSTER or VEHICLE does not cross friendly ones unless it can FLY."""
    return 0.0 if other.side == model.side and blocks(model, other) else None


def on_the_way_back(model: Model, z: float | None = None) -> Barred:
    return barred_for(model, "back", keeps_off_falling_back, nothing, z)


@rule("movement-phase/fall-back")
def still_engaged(move: UnitMove) -> Fault | None:
    """No model may end within engagement range, whether it moves or not."""
    for model in move.models:
        enemies = move.unit.position.on_table(1 - model.side)
        if any(are_engaged(move.standing(model), enemy.solid) for enemy in enemies):
            return Fault(shown(move.end(model)), limit=ENGAGEMENT, model=model.row)
    return None


@rule("movement-phase/desperate-escape")
def crosses_untested(move: UnitMove, tested: Collection[int]) -> Fault | None:
    """A model that took no test may not cross an enemy."""
    for model in move.moving:
        if model.row not in tested and crosses_an_enemy(model, move.paths[model.row]):
            return Fault(shown(move.end(model)), model=model.row)
    return None


@rule("movement-phase/fall-back")
def falling_back(unit: Unit, tested: Collection[int] | None = None) -> Movement:
    """The movement of a unit that falls back.

    ``tested``: the rows of the models that may cross enemies, once the tests are taken.
    """

    def crosses(move: UnitMove) -> Fault | None:
        return None if tested is None else crosses_untested(move, tested)

    movement = moving(unit, move_of(unit), on_the_way_back, at_the_end, still_engaged, crosses)
    return each_by_its_own(movement, cites=RETREAT)


@rule("movement-phase/fall-back")
def can_fall_back(unit: Unit) -> bool:
    """False if some model has no place to go; if the search finds no path, the owner has to show one."""
    search = ContactSearch(unit, members(unit), (), falling_back(unit))
    return all(any(len(open_places(search, model, grid)) for grid in GRIDS) for model in search.models)


@rule("movement-phase/fall-back")
def ways_back(unit: Unit, movement: Movement) -> Iterator[Plain]:
    """Moves out of engagement range: the whole unit towards a point, then around a leading model; never staying."""
    models = members(unit)
    for answer in suggested(unit, models, movement, goals_back(unit)):
        if answer != staying(models):
            yield answer
    yield from ways_out(ContactSearch(unit, models, (), movement))


def ways_out(search: ContactSearch) -> Iterator[Plain]:
    """Moves in which one model goes far from where it is, and the others follow."""
    for model in search.models[:LEADERS]:
        places = open_places(search, model, GRIDS[-1])
        off = np.hypot(places[:, 0] - model.x, places[:, 1] - model.y)
        for k in np.argsort(-off, kind="stable")[:: max(1, len(off) // LEADERS)].tolist():
            answer = gathered(search, {model.row: (float(places[k, 0]), float(places[k, 1]))}, anywhere)
            if answer is not None and is_lawful(search.unit, search.models, search.movement, answer):
                yield answer


def anywhere(model: Model, at: Point) -> bool:
    return True


def open_places(search: ContactSearch, model: Model, grid: float) -> Floats:
    """Places (n, 2) where a model may end within a straight move: on a grid (spacing in inches), and on its rim."""
    limit = own_move(model)
    rim = np.array(model.at, np.float64) + limit * RIM
    places = np.round(np.vstack((all_spots(model.at, grid, int(4.0 * (limit / grid + 1.0) ** 2) + 1), rim)), 4)
    near = places[np.hypot(places[:, 0] - model.x, places[:, 1] - model.y) <= limit + TOLERANCE]
    free = fields.all_free(search.movement.at_the_end(model).field, np.column_stack((near, np.zeros(len(near)))))
    found: Floats = near[free]
    return found


def goals_back(unit: Unit) -> list[tuple[float, float]]:
    """Points to move to: away from the enemies first, then goals worth reaching, then all around."""
    first = members(unit)[0]
    around = (heading(360.0 * k / COMPASS) for k in range(COMPASS))
    return [*list(goals_for(unit))[::-1], *((first.x + FAR * x, first.y + FAR * y) for x, y in around)]


@rule(
    "movement-phase/fall-back",
    "movement-phase/desperate-escape",
    "command-phase/battle-shocked-effects",
    "stratagems/fire-overwatch",
)
async def fall_back(unit: Unit) -> None:
    """Declare the path, take the tests; the survivors follow it or choose another.

    A unit whose owner shows no path has not moved.
    """
    position, parts = unit.position, components(unit)
    await open_window(position, "enemy-moves", mover=unit.row)
    for one in what_is_left(position, parts):
        await fall_back_on(one)


async def fall_back_on(unit: Unit) -> None:
    models, parts = members(unit), components(unit)
    reads = falling_back(unit).reads
    paths = as_paths(models, await ask_way_back(unit), reads)
    if all(stays(path) for path in paths.values()):
        unit.mark(STATIONARY, 1)
        return
    unit.mark(FELL_BACK, 1)
    unit.mark(MOVED, 1)
    tested = endangered(unit, paths)
    await escape(unit, len(tested))
    for one in what_is_left(unit.position, parts):
        left = members(one)
        paths = paths if len(left) == len(models) else as_paths(left, await ask_way_back(one, tested), reads)
        go(one, paths, "fall-back")
        await open_window(one.position, "enemy-moves", mover=one.row)


@rule("movement-phase/desperate-escape")
def endangered(unit: Unit, paths: Mapping[int, Path]) -> list[int]:
    """The rows of models that take a test: all of a battle-shocked unit, otherwise models that cross enemies."""
    if unit.marks(SHOCKED):
        return [m.row for m in members(unit)]
    return [row for row, path in paths.items() if crosses_an_enemy(unit.position.model(row), path)]


@rule("movement-phase/desperate-escape", "movement-phase/fall-back-over")
def crosses_an_enemy(model: Model, path: Path) -> bool:
    if stays(path) or crosses_enemies(model) or model.profile.has("titanic"):
        return False
    enemies = model.position.on_table(1 - model.side)
    return any(meets_one(model, run, enemies) for run in runs(path))


def meets_one(model: Model, run: Path, others: Sequence[Model]) -> bool:
    """True if a stretch of a path on one level runs into one of the models."""
    z, tall = height_of(run.points[0]), model.profile.height
    bodies = [m.solid for m in others if shares_height(z, tall, m.z, m.z + m.profile.height)]
    return first_overlap(run, model.solid.shape, bodies) is not None


@rule("movement-phase/desperate-escape", "core-abilities/deadly-demise")
async def escape(unit: Unit, tests: int) -> None:
    """Roll a die for each test; for every 1 or 2 the owner chooses a model of the unit, which is destroyed."""
    rolled = await roll(unit.side, "desperate-escape", tests, needed=Need(ESCAPES), unit=unit.row)
    rolled = await one_die(unit, "desperate-escape", rolled)
    for _ in range(rolled.count - rolled.successes):
        models = members(unit)
        if models:
            row = await choose(unit.side, "left-behind", [m.row for m in models], of="model", unit=unit.row)
            destroy(unit.position.model(row), "desperate-escape", -1)
            await see_to_fallen(unit.position)
    await harm_over(unit.position)


@rule("movement-phase/fall-back", "movement-phase/desperate-escape")
async def ask_way_back(unit: Unit, tested: Collection[int] | None = None) -> Any:
    """Ask for the path of the models that are left.

    If the search finds none although one may exist, the owner shows one, or the unit stays.
    """
    models, movement = members(unit), falling_back(unit, tested)
    found = next(ways_back(unit, movement), None)
    if found is None:
        return await ask(way_question(unit, "fall-back-not-found", movement, staying(models)))
    plain = unit_move_question(unit, models, "fall-back", movement, lambda: goals_back(unit))
    return await ask(plain if plain.suggestions() else way_question(unit, "fall-back", movement, found))


def way_question(unit: Unit, prompt: str, movement: Movement, proposed: Plain) -> MoveUnit:
    """A move question with one proposal; if the proposal is to stay, staying is allowed."""
    models = members(unit)

    def refuses(answer: Plain) -> Fault | Refusal | None:
        move = UnitMove(unit, as_paths(models, answer, movement.reads), movement)
        stays_allowed = proposed == staying(models)
        return None if stays_allowed and not move.moving else refusal_of(move)

    about: dict[str, Plain] = {"unit": unit.row, "models": [m.row for m in models]}
    limits: dict[str, Plain] = {"coherency": movement.link, "allowance": movement.limit}
    limits["levels"] = heights_of(unit.position)
    return MoveUnit(unit.side, prompt, refuses, lambda rng: proposed, lambda: (proposed,), limits, about)
