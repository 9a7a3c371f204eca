"""Spy and Execution as actions (abilities/espionage, abilities/execution-hero)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.mechanics.frames import Frame
from campale.referee.ask import choose
from campale.referee.position import Model, Position
from campale.referee.question import Choose
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import has
from campale.rulesets.wzr.abilities.rapid_deployment import reserves
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.squads.morale import EXECUTION, victims
from campale.rulesets.wzr.squads.squads import squads_of

SPY = "spy"


@rule("abilities/espionage")
def no_spy(model: Model) -> Fault | None:
    """A model with Espionage may spy if its side has not yet done so in this turn."""
    able = has(model, "espionage") and not model.position.holds(model.side, marks.SPIED)
    return None if able else Fault(model=model.row)


@rule("abilities/espionage")
def can_spy(model: Model) -> bool:
    return bool(to_activate(model.position, 1 - model.side))


@rule("turn/activation-order")
def to_activate(position: Position, side: int) -> list[int]:
    """The squads of a side on the table that have yet to be activated in this turn."""
    return [unit.row for unit in squads_of(position, side) if not unit.marks(marks.ACTIVATED)]


def spy_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return ((SPY, model.row),)


@rule("abilities/espionage", "abilities/rapid-deployment-reserve")
def may_announce(position: Position, side: int) -> list[int]:
    """The squads that a side may announce: those to activate and, as long as there are any, those in reserve."""
    left = to_activate(position, side)
    return [*left, *reserves(position, side)] if left else []


@rule("abilities/espionage")
async def spy(position: Position, row: int) -> None:
    """The other side announces the squad that it activates next."""
    side = position.side_of[row]
    position.gain(side, marks.SPIED, 1)
    left = may_announce(position, 1 - side)
    if left:
        named = await choose(1 - side, "announce", left, of="unit", model=row)
        position.declare(marks.ANNOUNCED, (1 - side, int(named)))
        position.write("announced", unit=int(named))


@rule("abilities/espionage")
def announced(position: Position, side: int) -> int | None:
    """The squad that a side has announced as its next, if it can still be activated."""
    bound, row = position.declared.get(marks.ANNOUNCED, (-1, -1))
    able = bound == side and row in (*to_activate(position, side), *reserves(position, side))
    return int(row) if able else None


def execution_fields(model: Model, filled: Sequence[Any]) -> Choose | None:
    """Ask for the model to execute."""
    return None if filled else Choose(model.side, "execute", victims(model), "model", about={"model": model.row})


def execution_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return ((EXECUTION, model.row, int(details[0])),)
