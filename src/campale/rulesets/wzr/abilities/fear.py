"""Fear: an LD test; a model that fails has half its CC until the turn ends (abilities/fear, abilities/fear-once)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from campale.dice.needs import Need, Part
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, number, parts, succeeds
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed, passes, raises
from campale.rulesets.wzr.close_combat.engaged import engaged_with
from campale.rulesets.wzr.squads.leadership import ld_of

FEAR: Final = "fear"
HALF = 2


@rule("abilities/fear")
def fear_of(enemies: Iterable[Model]) -> int:
    """The highest X of Fear among the enemies."""
    return max((number(enemy, FEAR) for enemy in enemies), default=0)


@rule("abilities/fear-once")
def must_test(model: Model, x: int) -> bool:
    """Whether X is above the highest X tested in this turn, and the model's CC is not halved already."""
    return x > model.marks(marks.FEAR_TESTED) and not model.marks(marks.AFRAID)


@rule("abilities/fear", "squads/model-ld")
def fear_need(model: Model, x: int) -> Need:
    """The model's own LD with its own modifiers, at -X."""
    return needed(ld_of(model), (raises("abilities/fear", -x), *parts("ld", About(model, test=FEAR))))


@rule("abilities/fear", "abilities/fear-once")
async def meet_fear(model: Model, enemies: Iterable[Model]) -> None:
    """The model takes the Fear test that these enemies cause, if they cause one."""
    x = fear_of(enemies)
    if not must_test(model, x):
        return
    model.mark(marks.FEAR_TESTED, x, quietly=True)
    if not succeeds(FEAR, model) and not await passes(model, FEAR, fear_need(model, x)):
        model.mark(marks.AFRAID, 1)


@rule("abilities/fear", "core/modifier-order")
def frightened(model: Model) -> tuple[Part, ...]:
    """The CC is halved against every enemy, before all other modifiers, and never twice."""
    return (Part("abilities/fear", HALF, "divide"),) if model.marks(marks.AFRAID) else ()


async def fear_of_charging(position: Position, row: int, target: int) -> None:
    """The Fear test when a Charge is declared."""
    await meet_fear(position.model(row), [position.model(target)])


async def fear_of_fighting(position: Position, row: int) -> None:
    """The Fear test when a model engaged with fearsome enemies declares its first melee attack of the turn."""
    model = position.model(row)
    if model.is_on_table:
        await meet_fear(model, engaged_with(model))
