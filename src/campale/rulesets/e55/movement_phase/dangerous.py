"""The test of dangerous ground (3.1.2, 7.2): wounds for models on foot, immobilised vehicles."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Model, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import needed, pool
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Wound
from campale.rulesets.e55.vehicles import damage


async def dangerous_test(
    unit: Unit,
    why: str = "dangerous-terrain",
    models: Sequence[Model] | None = None,
    settles: bool = True,
    **about: Plain,
) -> None:
    """Test the unit's models on the table (or those given): a unit takes wounds, vehicles take damage.

    ``settles`` False: within a resolution, which settles what comes of losses as it ends.
    """
    rolling = [model for model in (members(unit) if models is None else models) if model.is_on_table]
    on_foot = [model for model in rolling if not is_vehicle(model)]
    only = on_foot[0].row if models is not None and len(on_foot) == 1 else -1
    await wounds_of_ground(unit, len(on_foot), why, only, settles, **about)
    for model in rolling:
        if is_vehicle(model):
            await stuck_by_ground(model, why, **about)


@rule("3.1.2/dangerous")
async def wounds_of_ground(unit: Unit, count: int, why: str, only: int, settles: bool, **about: Plain) -> None:
    """Roll a die for each model. A 6 is a wound without strength or AP, which the owner allocates and may save."""
    if not count:
        return
    rolled = await pool(unit.side, why, count, needed(6), unit=unit.row, **about)
    if rolled.successes:
        wound = Wound(cause="dangerous", target=only)
        await resolving.take_wounds(unit, [wound] * rolled.successes, settles=settles)


@rule("7.2/vehicle-dangerous")
async def stuck_by_ground(model: Model, why: str, **about: Plain) -> None:
    """Roll one die for a vehicle; a 6 immobilises it."""
    rolled = await pool(model.side, why, 1, needed(6), model=model.row, **about)
    if rolled.successes:
        await damage.immobilise(model)
