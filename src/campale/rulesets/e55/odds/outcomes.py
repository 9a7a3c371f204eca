"""What a volley may leave of its target: who is left, with how many wounds or structure points, and how likely.

Which of models that are alike goes makes no difference: positions in which as many of each kind are left as hale are
one. What is fired by markers and templates, and a squadron, are left out (TooMany).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from campale.dice.odds import TooMany, exact
from campale.referee.position import Position, Unit
from campale.rulesets.e55.definitions.characteristics import value
from campale.rulesets.e55.definitions.types import is_vehicle, living
from campale.rulesets.e55.definitions.units import LOST, members
from campale.rulesets.e55.hits import allocation, casualties
from campale.rulesets.e55.hits.saves import Lot
from campale.rulesets.e55.odds.hull_odds import damages_by, saved_by_vehicle, until_gone
from campale.rulesets.e55.odds.volley_odds import Attacks, Fire, Volley, and_then, attacks_of, in_floats, numbers_of
from campale.rulesets.e55.odds.wound_odds import (
    MOST_WAYS,
    Event,
    Losing,
    Wounding,
    losses_of_one_group,
    lots_of,
    save_as_one,
    wounding_of,
)
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.vehicles.damage import Damage

MOST_STATES = 4000

Lefts = tuple[tuple[int, ...], ...]
"""For each kind of model of the target the wounds that those have left who took any: 0 for the lost, in order."""

Left = list[tuple[Position, float]]


def after(fire: Volley) -> Left:
    """The positions that a volley may leave, each with its chance. Raises TooMany."""
    if not fire.aimed:
        return [(fire.position.copy(), 1.0)]
    if fire.laid:
        raise TooMany("markers and templates")
    if any(is_vehicle(model) for model in members(fire.target)):
        return after_on_hull(fire, attacks_of(fire))
    kinds = kinds_of(fire.target)
    lefts = lefts_of(fire, kinds, [wounding_of(fire, one) for one in attacks_of(fire)])
    return [(position_of(fire, kinds, left), chance) for left, chance in lefts.items()]


# ---------------------------------------------------------------- the living


def kinds_of(unit: Unit) -> list[tuple[int, ...]]:
    """The rows of models that are the same in everything but their place."""
    found: dict[Hashable, list[int]] = {}
    for model in living(unit):
        found.setdefault(allocation.sameness(model), []).append(model.row)
    return [tuple(rows) for rows in found.values()]


def lefts_of(fire: Fire, kinds: Sequence[tuple[int, ...]], attacks: Sequence[Wounding]) -> dict[Lefts, float]:
    wounds = list(dict.fromkeys(one for attack in attacks for wounds in attack.wounds for one in wounds))
    if save_as_one(fire, wounds):
        numbers = enumerate(losses_of_one_group(fire, attacks).numbers)
        return {((0,) * lost,): float(chance) for lost, chance in numbers if chance > 0}
    several = numbers_of(wounds, [(one.many, one.wounds) for one in attacks])
    if len(several) > MOST_WAYS:
        raise TooMany("too many numbers of wounds")
    losing, found = Losing(fire), dict[Lefts, float]()
    for number, chance in several.items():
        given = tuple(kind for kind, count in zip(wounds, number, strict=True) for _ in range(count))
        for left, share in of_lots(losing, kinds, lots_of(fire, given) if given else ()).items():
            found[left] = found.get(left, 0.0) + chance * share
    return found


def of_lots(losing: Losing, kinds: Sequence[tuple[int, ...]], lots: Iterable[Lot]) -> dict[Lefts, float]:
    """What is left after lots, none of which has to do with another."""
    found: dict[Lefts, float] = {((),) * len(kinds): 1.0}
    for lot in lots:
        place = next(k for k, rows in enumerate(kinds) if lot.rows[0] in rows)
        found = and_then(found, partial(with_lot, place, of_lot(losing, lot)))
        if len(found) > MOST_STATES:
            raise TooMany("too many states of the target")
    return found


def with_lot(place: int, each: Mapping[tuple[int, ...], float], left: Lefts) -> dict[Lefts, float]:
    found: dict[Lefts, float] = {}
    for more, chance in each.items():
        key = (*left[:place], tuple(sorted((*left[place], *more))), *left[place + 1 :])
        found[key] = found.get(key, 0.0) + chance
    return found


def of_lot(losing: Losing, lot: Lot) -> dict[tuple[int, ...], float]:
    """The wounds that those have left whom a lot cost any."""
    found: dict[tuple[int, ...], float] = {}
    if lot.together:
        for number, chance in enumerate(losing.of_many(lot)):
            key = (0,) * min(number, len(lot.rows))
            found[key] = found.get(key, 0.0) + float(chance)
        return found
    model = losing.fire.position.models[lot.rows[0]]
    events = tuple((event, 1) for event in (((1.0, borne),) for borne in lot.borne))
    for suffered, chance in losing.suffered(model, merged(events)).items():
        key = (max(0, suffered.left),) if suffered.unsaved else ()
        found[key] = found.get(key, 0.0) + chance
    return found


def merged(events: Sequence[tuple[Event, int]]) -> tuple[tuple[Event, int], ...]:
    """Events one after another that are the same, as one with its number."""
    found: list[tuple[Event, int]] = []
    for event, many in events:
        if found and found[-1][0] == event:
            found[-1] = event, found[-1][1] + many
        else:
            found.append((event, many))
    return tuple(found)


def position_of(fire: Fire, kinds: Sequence[tuple[int, ...]], lefts: Lefts) -> Position:
    """The first of each kind bear what was borne."""
    copy = fire.position.copy()
    for rows, several in zip(kinds, lefts, strict=True):
        for row, left in zip(rows, several, strict=False):
            model = copy.models[row]
            if left <= 0:
                casualties.lose(model, "fire")
            else:
                model.add(LOST, value(model, "w") - left)
    return copy


# ---------------------------------------------------------------- a vehicle


def after_on_hull(fire: Fire, attacks: Sequence[Attacks]) -> Left:
    """Attack after attack, each from every state that those before may have left."""
    vehicles = members(fire.target)
    if len(vehicles) > 1:
        raise TooMany("a squadron")
    row = vehicles[0].row
    states = {fire.position.to_bytes(): 1.0}
    for attack in attacks:
        damages = damages_of_one(fire, row, attack)
        becomes = keeping(partial(struck, fire, row, damages))
        for _ in range(attack.many):
            states = and_then(states, becomes)
            if len(states) > MOST_STATES:
                raise TooMany("too many states of the vehicle")
    return [(Position.from_bytes(fire.position.ruleset, data), chance) for data, chance in states.items()]


def keeping(function: Callable[[bytes], dict[bytes, float]]) -> Callable[[bytes], dict[bytes, float]]:
    known: dict[bytes, dict[bytes, float]] = {}

    def found(state: bytes) -> dict[bytes, float]:
        if state not in known:
            known[state] = function(state)
        return known[state]

    return found


def damages_of_one(fire: Fire, row: int, attack: Attacks) -> dict[tuple[Damage, ...], float]:
    """What one attack does: its hits, those of them not saved, their damages."""
    unsaved = and_then(
        attack.hits, lambda hits: in_floats(fire.odds(partial(saved_by_vehicle, row, hits, fire.covers)))
    )
    return and_then(unsaved, lambda hits: in_floats(fire.odds(partial(damages_by, row, hits))))


def struck(fire: Fire, row: int, damages: Mapping[tuple[Damage, ...], float], state: bytes) -> dict[bytes, float]:
    """A vehicle in a state after one attack; what is gone stays as it is."""
    position = Position.from_bytes(fire.position.ruleset, state)
    if not position.model(row).is_on_table:
        return {state: 1.0}

    def becomes(several: tuple[Damage, ...]) -> dict[bytes, float]:
        if not several:
            return {state: 1.0}
        return in_floats(exact(position, partial(damaged, row, several), fire.answered, left_behind))

    return and_then(damages, becomes)


async def damaged(row: int, damages: Sequence[Damage], position: Position) -> None:
    vehicle = position.model(row)
    for one in damages:
        if vehicle.is_on_table and await until_gone(vehicle, damage.damage(vehicle, one)):
            casualties.lose(vehicle, one.cause, one.by_unit)


def left_behind(position: Position, _: Any) -> bytes:
    return position.to_bytes()
