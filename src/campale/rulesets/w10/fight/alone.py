"""One model of a unit that fights (again) alone (fight-single-model/*)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.across import is_across
from campale.rulesets.w10.basics.units import is_engaged, members
from campale.rulesets.w10.fight.declaring import declare
from campale.rulesets.w10.fight.pile_in import close_in, consolidate


@rule("fight-single-model/pile-in", "fight-single-model/attacks", "fight-single-model/consolidate")
async def fight_alone(model: Model) -> None:
    """A model piles in, strikes and consolidates, in coherency; no other model of its unit moves or attacks."""
    unit = model.unit
    await close_in(unit, "pile-in", "m/pile-in-move", near=False, only=model)
    attacks = [one for one in await declare(unit, only=model) if one.row == model.row]
    if attacks:
        unit.position.write("fights", unit=unit.row, targets=list(dict.fromkeys(one.target for one in attacks)))
        await resolve(unit, attacks)
    if model.is_on_table and members(unit):
        await consolidate(unit, only=model)


@rule("fight-single-model/attacks", "fight-single-model/pile-in")
def could_fight(model: Model) -> bool:
    """True if a model on the table has an engaged unit, or one across a barricade from an enemy.

    The model may pile in before it strikes.
    """
    return model.is_on_table and (is_engaged(model.unit) or is_across(model.unit))
