"""The odds of the morale test after losses (4.1): that it is needed, and that the unit breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.dice.bags import Bags
from campale.dice.counts import Chances, chances_of
from campale.dice.odds import exact
from campale.referee.looks import Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.hits.casualties import Fate
from campale.rulesets.e55.leadership_and_morale import leadership, morale
from campale.rulesets.e55.odds.steps import step

LOSSES = "losses"


class ByKind:
    """Counts lost models of each profile as one number in which each kind has its own digits."""

    def __init__(self, unit: Unit) -> None:
        kinds: dict[Any, list[int]] = {}
        for model in members(unit):
            kinds.setdefault(model.profile, []).append(model.row)
        self.kinds = [tuple(rows) for rows in kinds.values()]
        self.worth: dict[int, int] = {}
        worth = 1
        for rows in self.kinds:
            self.worth.update(dict.fromkeys(rows, worth))
            worth *= len(rows) + 1

    def __call__(self, thing: Any) -> int:
        return self.worth[thing.row] if isinstance(thing, Fate) and thing.left is None else 0

    def rows(self, number: int) -> list[int]:
        """Return the first models of each kind, as many as are lost."""
        found: list[int] = []
        for rows in self.kinds:
            number, many = divmod(number, len(rows) + 1)
            found += rows[:many]
        return found


@rule("4.1/trigger-casualties", "4.1/morale-test")
def tests_for(bags: Bags, unit: Unit, kinds: ByKind, lost: Chances, by_unit: int) -> list[Step]:
    """Return the chances that the losses (by ``kinds``) call for a test, and that the unit breaks."""
    must, broken = 0.0, 0.0
    for number, chance in enumerate(lost.tolist()):
        failed = fails_after(bags, unit, kinds.rows(number), by_unit) if number and chance > 0 else None
        must += chance if failed is not None else 0.0
        broken += chance * (failed or 0.0)
    if not must:
        return []
    found = (("tests-morale", "4.1/trigger-casualties", must), ("breaks", "4.1/morale-test", broken))
    return [step(kind, cited, chances_of({0: 1.0 - chance, 1: chance})) for kind, cited, chance in found]


def fails_after(bags: Bags, unit: Unit, lost: Sequence[int], by_unit: int) -> float | None:
    """Return the chance that a unit fails its test after losing models (rows); None if it need not test.

    A unit of which only characters are left has ceased, and they have lost nobody.
    """
    position = unit.position.copy()
    for row in lost:
        casualties.lose(position.models[row], "fire", by_unit)
    casualties.set_survivors_free(position)
    left = Unit(position, unit.row)
    if not members(left) or not morale.must_test_for_losses(left):
        return None

    async def passed(copy: Position) -> bool:
        return await leadership.morale_passed(Unit(copy, unit.row), LOSSES)

    found = exact(position, passed, bags.policy)
    bags.decided.update(dict.fromkeys(found.decided))
    return float(found[False])
