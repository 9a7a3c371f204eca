"""The worth of fire to a bot: which weapon of a group fires, and at whom a weapon of a vehicle does.

Fire out of range, or that cannot hurt its target, is wasted: the bot holds its fire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE
from campale.rulesets.e55.bots.appraisal import harm
from campale.rulesets.e55.odds.forecasts import of_group, of_passenger, of_weapon
from campale.rulesets.e55.shooting_phase.declaring import HOLD, SPLIT, shots_open_to
from campale.rulesets.e55.shooting_phase.fire import Shot

NOTHING = 1e-9
"""The harm of fire that cannot hurt anybody."""
SHOTS_OF: dict[str, Callable[[Position, Question, Any], list[Shot]]] = {
    "fire": of_group,
    "fire-at": of_weapon,
    "fire-out": of_passenger,
}
"""The shots that an option declares, by prompt."""


def what_fires(position: Position, question: Question, about: About) -> Advice:
    """Advise the fire that takes most points off the enemy; to hold fire is better than to waste it."""
    assert isinstance(question, Choose)
    return [(HOLD, 0.0), *worths_of_fire(position, question)]


def worths_of_fire(position: Position, question: Choose) -> Iterator[tuple[Plain, float]]:
    shots_of = SHOTS_OF[question.prompt]
    for option in question.options():
        if option not in (HOLD, SPLIT):
            shots = shots_of(position, question, option)
            worth = harm(position, shots[0].target, shots) if shots else 0.0
            yield option, worth if worth > NOTHING else WASTE


def harm_open_to(unit: Unit) -> float:
    """Return the harm of the fire that a unit may declare, each model with the best of its options."""
    position, best = unit.position, dict[Sequence[int], float]()
    for rows, target, option, point in shots_open_to(unit):
        shots = [Shot(position.unit_of[row], row, *option, target.row, point) for row in rows]
        best[rows] = max(best.get(rows, 0.0), harm(position, target.row, shots))
    return sum(best.values())
