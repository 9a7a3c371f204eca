"""The odds of the morale test that losses call for: that it is needed, and that the unit breaks (4.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from campale.dice.counts import chances_of
from campale.referee.looks import Step
from campale.referee.position import Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.leadership_and_morale import leadership, morale
from campale.rulesets.e55.odds.volley_odds import Fire, in_floats, step
from campale.rulesets.e55.odds.wound_odds import Array, classes_of

LOSSES = "losses"


@rule("4.1/trigger-casualties", "4.1/morale-test")
def tests_for(fire: Fire, lost: Array, by_unit: int) -> list[Step]:
    """Whether so many models lost (an axis for each kind of them) call for a test, and whether the unit breaks."""
    must, broken = 0.0, 0.0
    for place in np.argwhere(lost > 0).tolist():
        chance = float(lost[tuple(place)])
        failed = fails_after(fire, place, by_unit) if any(place) else None
        must += chance if failed is not None else 0.0
        broken += chance * (failed or 0.0)
    if not must:
        return []
    found = (("tests-morale", "4.1/trigger-casualties", must), ("breaks", "4.1/morale-test", broken))
    return [step(kind, cited, chances_of({0: 1.0 - chance, 1: chance})) for kind, cited, chance in found]


def fails_after(fire: Fire, lost: Sequence[int], by_unit: int) -> float | None:
    """How likely a unit is to fail its test when so many of each kind are lost; None where it need not test."""
    position = fire.position.copy()
    unit = Unit(position, fire.row)
    for rows, many in zip(classes_of(unit), lost, strict=True):
        for row in rows[:many]:
            casualties.lose(position.models[row], "fire", by_unit)
    if not members(unit) or not morale.must_test_for_losses(unit):
        return None
    after = Fire(position, fire.row)
    passed = in_floats(after.odds(lambda copy: leadership.morale_passed(Unit(copy, fire.row), LOSSES)))
    fire.decided.update(after.decided)
    return float(passed.get(False, 0.0))
