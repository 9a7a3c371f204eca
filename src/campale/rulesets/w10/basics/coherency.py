"""Unit coherency (core-concepts/unit-coherency)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.moves.coherency import is_together
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.attached import separate_all
from campale.rulesets.w10.basics.units import VERTICAL, members, units_of
from campale.table.shapes import Solid

LINK = 2.0
MANY = 7


@rule("core-concepts/unit-coherency")
def companions(count: int) -> int:
    """The number of other models that each model needs within 2 inches: two from seven models on, otherwise one."""
    return 2 if count >= MANY else 1


@rule("core-concepts/unit-coherency", "d/horizontal-vertical")
def are_coherent(solids: Sequence[Solid]) -> bool:
    """True for one group in which each model has enough others within 2 inches, and 5 inches up or down."""
    return is_together(solids, LINK, companions(len(solids)), VERTICAL)


def is_coherent(models: Sequence[Model]) -> bool:
    return are_coherent([m.solid for m in models])


@rule("core-concepts/coherency-end-of-turn")
async def remove_stragglers(position: Position, active: int) -> None:
    """Each side, the active one first, removes models of units out of coherency until one group is left."""
    for side in (active, 1 - active):
        for unit in units_of(position, side):
            while not is_coherent(members(unit)):
                await remove_one(unit)
    separate_all(position)


async def remove_one(unit: Unit) -> None:
    """Ask the owner for a model to remove; models whose removal restores coherency are proposed first."""
    models = members(unit)
    mending = [m for m in models if is_coherent([one for one in models if one is not m])]
    first = [m.row for m in mending] + [m.row for m in models if m not in mending]
    row = await choose(unit.side, "straggler", first, of="model", unit=unit.row)
    unit.position.remove(unit.position.model(row), "coherency")
