"""Falling back, and what it may cost (movement-phase/fall-back*, movement-phase/desperate-escape)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campale.dice.needs import Need
from campale.mechanics.moves.asking import suggested, unit_move_question
from campale.mechanics.moves.move_paths import Barred, stays
from campale.mechanics.moves.unit_moves import Movement, as_paths, staying
from campale.referee.ask import ask, choose, roll
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.attached import separate_all
from campale.rulesets.w10.basics.units import FELL_BACK, MOVED, SHOCKED, members
from campale.rulesets.w10.movement.moves import (
    at_the_end,
    barred_for,
    blocks,
    each_by_its_own,
    go,
    goals_for,
    move_of,
    moving,
    nothing,
)
from campale.rulesets.w10.windows.reroll import one_die
from campale.rulesets.w10.windows.windows import open_window
from campale.table.paths import Path
from campale.table.sweeps import first_overlap

ESCAPES = 3


@rule("movement-phase/fall-back", "movement-phase/fall-back-over")
def keeps_off_falling_back(model: Model, other: Model) -> float | None:
    """Enemies may be crossed, at a price; MONSTERS and VEHICLES of its own side may not by such a model."""
    return 0.0 if other.side == model.side and blocks(model, other) else None


def on_the_way_back(model: Model) -> Barred:
    return barred_for(model, "back", keeps_off_falling_back, nothing)


@rule("movement-phase/fall-back")
def falling_back(unit: Unit) -> Movement:
    return each_by_its_own(moving(unit, move_of(unit), on_the_way_back, at_the_end))


@rule("movement-phase/fall-back")
def can_fall_back(unit: Unit) -> bool:
    """Whether a way out of engagement range is found; to stay is none."""
    models, movement = members(unit), falling_back(unit)
    return any(answer != staying(models) for answer in suggested(unit, models, movement, goals_back(unit)))


def goals_back(unit: Unit) -> list[tuple[float, float]]:
    """Away from the enemies first, then to whatever is worth going to."""
    found = list(goals_for(unit))
    return found[::-1]


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
    await escape(unit, endangered(unit, paths))
    separate_all(unit.position)
    left = members(unit)
    if left:
        paths = paths if len(left) == len(models) else as_paths(left, await ask_way_back(unit))
        go(unit, paths, "fall-back")
        await open_window(unit.position, "enemy-moves", mover=unit.row)


@rule("movement-phase/desperate-escape")
def endangered(unit: Unit, paths: Mapping[int, Path]) -> int:
    """How many models take a test: all of a battle-shocked unit, else those that go over enemies and cannot FLY."""
    if unit.marks(SHOCKED):
        return len(members(unit))
    return sum(crosses_an_enemy(unit.position.model(row), path) for row, path in paths.items())


@rule("movement-phase/desperate-escape", "movement-phase/fall-back-over")
def crosses_an_enemy(model: Model, path: Path) -> bool:
    if stays(path) or model.profile.has("fly") or model.profile.has("titanic"):
        return False
    enemies = [m.solid for m in model.position.on_table(1 - model.side)]
    return first_overlap(path, model.solid.shape, enemies) is not None


@rule("movement-phase/desperate-escape")
async def escape(unit: Unit, tests: int) -> None:
    """A die for each; for every 1 or 2 a model of the unit, of its owner's choice, is destroyed."""
    rolled = await roll(unit.side, "desperate-escape", tests, needed=Need(ESCAPES), unit=unit.row)
    rolled = await one_die(unit, "desperate-escape", rolled)
    for _ in range(rolled.count - rolled.successes):
        models = members(unit)
        if models:
            row = await choose(unit.side, "left-behind", [m.row for m in models], of="model", unit=unit.row)
            unit.position.remove(unit.position.model(row), "desperate-escape")


@rule("movement-phase/desperate-escape")
async def ask_way_back(unit: Unit) -> Any:
    """Where those go who are left; if they find no way, they stay and have fallen back all the same."""
    models, movement = members(unit), falling_back(unit)
    if next(suggested(unit, models, movement, goals_back(unit)), None) is None:
        return staying(models)
    return await ask(unit_move_question(unit, models, "fall-back", movement, lambda: goals_back(unit)))
