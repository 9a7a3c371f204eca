"""Costs of Stratagems, and Stratagems of Detachments (modifiers/stratagem-cost-*, e/stratagem-labels)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import Carried, carried, effects_on
from campale.rulesets.w10.abilities.moments import Use, deeds, name_of
from campale.rulesets.w10.abilities.uses import is_left, use_up
from campale.rulesets.w10.basics.units import SHOT, members, units_of
from campale.rulesets.w10.windows.stratagem import About, Stratagem

FIGHTING = "fighting"
ANY = "any"


# ---------------------------------------------------------------- costs


@rule("modifiers/stratagem-cost-floor", "modifiers/stratagem-cost-duration", "stratagems/use")
def price_of(position: Position, stratagem: Stratagem, row: int) -> int:
    """The price of a Stratagem with a unit as its target, never below 0."""
    price = stratagem.price
    for _, kind, number in changes_of_cost(position, stratagem, row):
        price += number if kind == "add" else -number
    return max(0, price)


def most_saved(position: Position) -> int:
    """The most that abilities can take off the price of a Stratagem; kept with the roster."""
    kept = position.roster
    if "most-saved" not in kept:
        costs = [effect.cost for one in carried(position) for effect in one.ability.do if effect.cost is not None]
        kept["most-saved"] = sum(number for _, kind, number in costs if kind == "subtract")
    return int(kept["most-saved"])


@rule("modifiers/stratagem-cost-floor", "e/stratagem-labels", "duplicate-abilities/no-stacking")
def changes_of_cost(position: Position, stratagem: Stratagem, row: int) -> list[tuple[Carried, str, int]]:
    """The abilities that change the price, with kind and amount: for all Stratagems, or for one of its labels."""
    if row < 0:
        return []
    found = ((one, effect.cost) for one, effect in effects_on(Unit(position, row)) if effect.cost is not None)
    known = (ANY, *stratagem.labels)
    return [(one, cost[1], cost[2]) for one, cost in found if cost[0] in known and is_left(position, one)]


@rule("modifiers/stratagem-cost-duration")
def use_up_changes(position: Position, stratagem: Stratagem, row: int) -> None:
    """Use up the price changes of abilities; each holds for a single use."""
    for one, _, _ in changes_of_cost(position, stratagem, row):
        use_up(position, one)


# ---------------------------------------------------------------- Stratagems of Detachments


@rule("stratagems/categories", "e/stratagem-labels")
def of_detachment(position: Position, side: int) -> Iterator[Stratagem]:
    """Yield the Stratagems of a side's Detachment."""
    for one in carried(position):
        ability = one.ability
        if ability.of == "stratagem" and position.side_of[one.row] == side:
            yield Stratagem(
                one.name,
                ability.labels,
                ability.price,
                str(ability.moment),
                partial(targets_of_ability, one),
                partial(use_ability, one),
            )


@rule("c/with-ability-x", "n/not-selected", "l/your-unit")
def targets_of_ability(one: Carried, position: Position, side: int, about: About) -> list[int]:
    """The rows of legal targets: the unit just chosen to fight; in its own Shooting phase any unit that fits."""
    if position.side_of[one.row] != side:
        return []
    rows = [about[FIGHTING]] if FIGHTING in about else [unit.row for unit in units_of(position, side)]
    return [row for row in rows if position.unit_side[row] == side and fits(one, Unit(position, row))]


@rule("c/with-ability-x", "n/not-selected")
def fits(one: Carried, unit: Unit) -> bool:
    """True if a unit is what the Stratagem asks for; for an ability with a number, any number will do."""
    asked = one.ability.condition
    if asked.can and not any(m.profile.can(asked.can) for m in members(unit)):
        return False
    return bool(members(unit)) and not (asked.unshot and unit.marks(SHOT))


async def use_ability(one: Carried, position: Position, side: int, target: int, about: dict[str, Any]) -> None:
    """Apply the effects of a Stratagem to its target, one by one."""
    use = Use(position, one, about, target)
    for effect in one.ability.do:
        await deeds(position)[name_of(effect)].do(use, effect)
