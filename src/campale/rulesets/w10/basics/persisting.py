"""Abilities that are given for a while, and when they end (e/persisting-*)."""

from __future__ import annotations

from msgspec.structs import replace

from campale.referee.columns import Effect
from campale.referee.position import Position, Unit
from campale.referee.rule import rule

PERSISTING = "e/persisting-effect"
ON_UNIT, ON_SIDE = "unit", "side"
PHASE, TURN, COMMAND = "phase", "turn", "own-command"


def end_of(position: Position, until: str, side: int) -> str:
    """The name of the moment when an effect ends; a side's own Command phase includes the side."""
    return f"{until}-{side}" if until == COMMAND else until


@rule("e/persisting-effect", "e/persisting-transport")
def lend(position: Position, ability: str, source: int, until: str, on: str, bearer: int) -> None:
    """Give an ability of a model to a unit or a side; it lasts whatever happens to the model that gave it."""
    side = position.side_of[source]
    position.begin(Effect(PERSISTING, bearer, source, end_of(position, until, side), ability, on))


@rule("e/persisting-attached")
def keep_effects(unit: Unit, own: Unit) -> None:
    """When a unit splits, its parts keep what was given to the whole."""
    for effect in list(unit.position.effects):
        if effect.rule == PERSISTING and effect.on == ON_UNIT and effect.bearer == unit.row:
            unit.position.begin(replace(effect, bearer=own.row))


def end_effects_on(unit: Unit) -> None:
    for effect in list(unit.position.effects):
        if effect.rule == PERSISTING and effect.on == ON_UNIT and effect.bearer == unit.row:
            unit.position.end_effect(effect)


def end_at(position: Position, until: str, side: int = 0) -> None:
    position.end_effects(end_of(position, until, side))
