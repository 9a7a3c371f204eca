"""The positions that a volley may leave: the target's models, their wounds or structure points, and the chances.

Which of identical models fall makes no difference: positions with equally many unhurt models of each kind count as one.
Markers, templates and squadrons are left out (TooMany).
"""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.chain import Chain, Leaving
from campale.dice.odds import TooMany
from campale.referee.position import Position
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import LOST, members
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.hits.casualties import Fate
from campale.rulesets.e55.odds.fire_odds import Volley, twins_of
from campale.rulesets.e55.odds.going import apart_from_others
from campale.rulesets.e55.vehicles.damage import Damage

MOST_STATES = 4000

Left = list[tuple[Position, float]]


def after(fire: Volley) -> Left:
    """Return the positions that a volley may leave, each with its chance. Raises TooMany."""
    if not fire.aimed:
        return [(fire.position.copy(), 1.0)]
    if fire.laid:
        raise TooMany("markers and templates")
    if any(is_vehicle(model) for model in members(fire.target)):
        return after_on_hull(fire)
    struck, twins, found = fire.struck, twins_of(fire.target), dict[tuple[Fate, ...], float]()
    for fates, chance in struck.bags.ends(struck.stages, struck.things).items():
        left = of_the_first(fates, twins)
        found[left] = found.get(left, 0.0) + chance
    if len(found) > MOST_STATES:
        raise TooMany("too many states of the target")
    return [(position_with(fire.position, fates), chance) for fates, chance in found.items()]


# ---------------------------------------------------------------- the living


def of_the_first(fates: Sequence[Fate], twins: dict[int, int]) -> tuple[Fate, ...]:
    """Move the fates to the first models of each kind: lost models first, then wounded ones."""
    waiting: dict[int, list[int]] = {}
    for row, first in twins.items():
        waiting.setdefault(first, []).append(row)
    ordered = sorted(fates, key=lambda fate: (twins[fate.row], fate.left is not None, -lost_in(fate)))
    return tuple(Fate(waiting[twins[fate.row]].pop(0), fate.left) for fate in ordered)


def lost_in(fate: Fate) -> int:
    return int(dict(fate.left or ()).get(LOST, 0))


def position_with(position: Position, fates: Sequence[Fate]) -> Position:
    copy = position.copy()
    for row, left in fates:
        model = copy.models[row]
        if left is None:
            casualties.lose(model, "fire")
        else:
            model.mark(LOST, dict(left)[LOST])
    return copy


# ---------------------------------------------------------------- a vehicle


def after_on_hull(fire: Volley) -> Left:
    """Return the same for a vehicle: attack by attack, each from every state the earlier ones may have left."""
    vehicles = members(fire.target)
    if len(vehicles) > 1:
        raise TooMany("a squadron")
    struck, row = fire.struck, vehicles[0].row
    chain = Chain(fire.position, fire.policy, key=Position.to_bytes)
    states: Leaving = {(chain.begun, None): 1.0}
    for attack in struck.things:
        damages = struck.bags.ends(struck.stages, [attack], "damages")
        now: Leaving = {}
        for (key, _), chance in states.items():
            for several, share in damages.items():
                for left, one in chain.after(key, damaged, several, row).items():
                    now[left] = now.get(left, 0.0) + chance * share * one
        states = now
        if len(states) > MOST_STATES:
            raise TooMany("too many states of the vehicle")
    return [(chain.position(key), chance) for (key, _), chance in states.items()]


async def damaged(position: Position, damages: Sequence[Damage], row: int) -> None:
    for one in damages:
        await apart_from_others(position, None, one, row)
