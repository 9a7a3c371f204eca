"""Falling back, and what it may cost (movement-phase/fall-back*, movement-phase/desperate-escape)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from campale.dice.needs import Need
from campale.mechanics.moves.asking import suggested, unit_move_question
from campale.mechanics.moves.barring import no_pieces
from campale.mechanics.moves.move_paths import Barred, shown, stays
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, staying
from campale.referee.ask import ask, choose, roll
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.w10.attack.allocation import close_queue
from campale.rulesets.w10.attack.demise import explode_all
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.basics.attached import separate_all
from campale.rulesets.w10.basics.units import ENGAGEMENT, FELL_BACK, MOVED, SHOCKED, members, within
from campale.rulesets.w10.movement.moves import (
    at_the_end,
    barred_for,
    blocks,
    each_by_its_own,
    go,
    goals_for,
    move_of,
    moving,
)
from campale.rulesets.w10.windows.reroll import one_die
from campale.rulesets.w10.windows.windows import open_window
from campale.table.measure import gap
from campale.table.paths import Path
from campale.table.shapes import heading
from campale.table.sweeps import first_overlap

ESCAPES = 3
COMPASS, FAR = 16, 24.0
"""In how many directions, and how far off, a way out of engagement range is looked for."""


@rule("movement-phase/fall-back", "movement-phase/fall-back-over")
def keeps_off_falling_back(model: Model, other: Model) -> float | None:
    """Enemies may be crossed, at a price; MONSTERS and VEHICLES of its own side may not by such a model."""
    return 0.0 if other.side == model.side and blocks(model, other) else None


def on_the_way_back(model: Model) -> Barred:
    return barred_for(model, "back", keeps_off_falling_back, no_pieces)


@rule("movement-phase/fall-back")
def still_engaged(move: UnitMove) -> Fault | None:
    """No model may be left within engagement range, whether it moves or not."""
    for model in move.models:
        enemies = move.unit.position.on_table(1 - model.side)
        if any(within(gap(move.standing(model), enemy.solid), ENGAGEMENT) for enemy in enemies):
            return Fault(shown(move.end(model)), limit=ENGAGEMENT, model=model.row)
    return None


@rule("movement-phase/desperate-escape")
def crosses_untested(move: UnitMove, tested: Collection[int]) -> Fault | None:
    """Who has taken no test may not cross an enemy after all."""
    for model in move.moving:
        if model.row not in tested and crosses_an_enemy(model, move.paths[model.row]):
            return Fault(shown(move.end(model)), model=model.row)
    return None


@rule("movement-phase/fall-back")
def falling_back(unit: Unit, tested: Collection[int] | None = None) -> Movement:
    """``tested``: the rows of the models that may cross enemies, once the tests are taken."""

    def crosses(move: UnitMove) -> Fault | None:
        return None if tested is None else crosses_untested(move, tested)

    movement = moving(unit, move_of(unit), on_the_way_back, at_the_end, still_engaged, crosses)
    return each_by_its_own(movement)


@rule("movement-phase/fall-back")
def can_fall_back(unit: Unit) -> bool:
    """Whether a way out of engagement range is found; to stay is none."""
    models, movement = members(unit), falling_back(unit)
    return any(answer != staying(models) for answer in suggested(unit, models, movement, goals_back(unit)))


def goals_back(unit: Unit) -> list[tuple[float, float]]:
    """Away from the enemies first, then to whatever is worth going to, then all around."""
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
    """The way is named, the tests are taken, and the survivors go it, or another one."""
    await open_window(unit.position, "enemy-moves", mover=unit.row)
    models = members(unit)
    if not models:
        return
    unit.mark(FELL_BACK, 1)
    unit.mark(MOVED, 1)
    paths = as_paths(models, await ask_way_back(unit))
    tested = endangered(unit, paths)
    await escape(unit, len(tested))
    separate_all(unit.position)
    left = members(unit)
    if left:
        paths = paths if len(left) == len(models) else as_paths(left, await ask_way_back(unit, tested))
        go(unit, paths, "fall-back")
        await open_window(unit.position, "enemy-moves", mover=unit.row)


@rule("movement-phase/desperate-escape")
def endangered(unit: Unit, paths: Mapping[int, Path]) -> list[int]:
    """Who takes a test: all of a battle-shocked unit, else those that go over enemies and cannot FLY."""
    if unit.marks(SHOCKED):
        return [m.row for m in members(unit)]
    return [row for row, path in paths.items() if crosses_an_enemy(unit.position.model(row), path)]


@rule("movement-phase/desperate-escape", "movement-phase/fall-back-over")
def crosses_an_enemy(model: Model, path: Path) -> bool:
    if stays(path) or model.profile.has("fly") or model.profile.has("titanic"):
        return False
    enemies = [m.solid for m in model.position.on_table(1 - model.side)]
    return first_overlap(path, model.solid.shape, enemies) is not None


@rule("movement-phase/desperate-escape", "core-abilities/deadly-demise")
async def escape(unit: Unit, tests: int) -> None:
    """A die for each; for every 1 or 2 a model of the unit, of its owner's choice, is destroyed."""
    rolled = await roll(unit.side, "desperate-escape", tests, needed=Need(ESCAPES), unit=unit.row)
    rolled = await one_die(unit, "desperate-escape", rolled)
    for _ in range(rolled.count - rolled.successes):
        models = members(unit)
        if models:
            row = await choose(unit.side, "left-behind", [m.row for m in models], of="model", unit=unit.row)
            destroy(unit.position.model(row), "desperate-escape", -1)
            await explode_all(unit.position)
    close_queue(unit.position)


@rule("movement-phase/desperate-escape")
async def ask_way_back(unit: Unit, tested: Collection[int] | None = None) -> Any:
    """Where those go who are left; if they find no way, they stay and have fallen back all the same."""
    models, movement = members(unit), falling_back(unit, tested)
    if next(suggested(unit, models, movement, goals_back(unit)), None) is None:
        return staying(models)
    return await ask(unit_move_question(unit, models, "fall-back", movement, lambda: goals_back(unit)))
