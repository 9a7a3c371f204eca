"""The Save that a rule reads for a whole unit, when several values are equally common (c/unit-save)."""

from __future__ import annotations

from collections.abc import Iterable

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import saves_in_question
from campale.rulesets.w10.basics.units import UNIT_SAVE


@rule("c/unit-save")
async def settle_saves(unit: Unit, targets: Iterable[int]) -> None:
    """The owner of each target chooses, where it matters; the choice lasts until the attacks are over."""
    for row in dict.fromkeys(targets):
        target = Unit(unit.position, row)
        found = saves_in_question(unit, target)
        if found:
            keys = [f"{save}+" for save in found]
            chosen = await choose(target.side, "unit-save", keys, of="unit-save", unit=row)
            target.jot(UNIT_SAVE, found[keys.index(str(chosen))])


def forget_saves(position: Position, rows: Iterable[int]) -> None:
    for row in set(rows):
        Unit(position, row).jot(UNIT_SAVE, None)
