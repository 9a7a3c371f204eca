"""The units on the table as a bot sees them: places, worths, and how they face each other."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import NamedTuple

import numpy as np

from campale.mechanics.bases import Flags, Floats, Ints, circle_gaps, rows_of
from campale.referee.position import TABLE, Model, Position, Unit
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.battle.missions import ATTRITION, counts
from campale.rulesets.e3m.bots.forecast import Make
from campale.rulesets.e3m.command.orders import is_routed, is_shown, order_of
from campale.rulesets.e3m.command.units import (
    IMMOBILISED,
    LEADS,
    SPECIAL,
    WOUNDS,
    by_unit,
    is_below_half,
    standing,
)
from campale.rulesets.e3m.morale.morale import is_fearless, morale_need
from campale.rulesets.e3m.movement.sight import covers, sights
from campale.table.measure import bounding_radius
from campale.table.shapes import Point

UNKNOWN = "unknown"
ROUTED, HALVED, STUCK = 0.4, 0.85, 0.6
"""The share of worth left to a routed unit, to one below half strength, and to an immobilised vehicle."""
COUNTED_OUT = {ROUTED: 0.1, HALVED: 0.5, STUCK: 0.5}
"""The same if the mission counts losses: a routed unit counts as lost, a crippled one for a half."""
TWO_DICE = {total: 6 - abs(7 - total) for total in range(2, 13)}
"""In how many ways two dice make each total."""
LEADER = 15.0
"""What a group's leader is worth beyond his points."""


class Squad(NamedTuple):
    """A unit with models left: one model of each kind with its count.

    ``wide``: how far its bases reach from its middle, along either axis. ``eye``: the model that stands for the unit,
    nearest to its middle; for a unit aboard, the vehicle. ``make``: its kinds, by rows that are the same for all units;
    ``target``: the kind of its first model. ``nerve``: the chance of passing a morale test. ``counts``: for victory.
    """

    unit: Unit
    side: int
    at: Point
    wide: float
    eye: Model
    kinds: tuple[tuple[Model, int], ...]
    make: Make
    target: int
    size: int
    nerve: float
    worth: float
    order: str
    is_routed: bool
    is_aboard: bool
    counts: bool


class Stand(NamedTuple):
    """The part of a squad that changes only with a move; in rows, because copies of a position share it."""

    at: Point
    wide: float
    eye: int
    kinds: tuple[tuple[int, int], ...]
    make: Make
    size: int
    nerve: float
    points: float
    is_aboard: bool


class Facing(NamedTuple):
    """How the squads of the first side (rows) and the second side face each other.

    ``gaps`` between the nearest bases, ``sees`` whether they see each other, ``covers``: the cover of the second side's
    squads, and that of the first side's.
    """

    gaps: Floats
    sees: Flags
    covers: tuple[Ints, Ints]


def squads_of(position: Position, side: int) -> tuple[list[Squad], list[Squad]]:
    """The squads of both sides as one side sees them, in list order."""
    found: tuple[list[Squad], list[Squad]] = [], []
    for row, models in by_unit(position).items():
        found[position.unit_side[row]].append(squad(Unit(position, row), models, side))
    return found


def squad(unit: Unit, models: list[Model], side: int) -> Squad:
    """A unit as ``side`` sees it: the other side's hidden orders count as unknown, even if some are drawn."""
    position, stand = unit.position, stand_of(unit, models)
    routed = is_routed(unit)
    return Squad(
        *(unit, unit.side, stand.at, stand.wide, position.model(stand.eye)),
        tuple((position.model(row), count) for row, count in stand.kinds),
        *(stand.make, stand.make[0][0], stand.size, stand.nerve),
        worth_left(unit, models, stand.points, routed),
        *(order_of(unit) if unit.side == side or is_shown(unit) else UNKNOWN, routed, stand.is_aboard),
        counts(unit),
    )


def stand_of(unit: Unit, models: list[Model]) -> Stand:
    """The unit's part that changes only with a move. Kept until something moves."""
    kept: dict[int, Stand] = unit.position.layout.setdefault("stands", {})
    if unit.row not in kept:
        kept[unit.row] = find_stand(models)
    return kept[unit.row]


def find_stand(models: list[Model]) -> Stand:
    there = [standing(m) for m in models]
    x, y = sum(m.x for m in there) / len(there), sum(m.y for m in there) / len(there)
    eye = min(there, key=lambda m: (m.x - x) ** 2 + (m.y - y) ** 2)
    first_alike = firsts(models[0].position)
    kinds = Counter(first_alike[m.row] for m in models)
    own = {first_alike[m.row]: m.row for m in reversed(models)}
    points = float(sum(m.profile.points for m in models))
    is_aboard = models[0].where != TABLE
    in_order = tuple((own[row], count) for row, count in kinds.items())
    wide = max(max(abs(m.x - x), abs(m.y - y)) + bounding_radius(m.profile.shape) for m in there)
    return Stand(
        (x, y), wide, eye.row, in_order, tuple(kinds.items()), len(models), nerve(models[0].unit), points, is_aboard
    )


def nerve(unit: Unit) -> float:
    """The chance that the unit passes a morale test."""
    if is_fearless(unit):
        return 1.0
    met = morale_need(unit).are_met_by(tuple(TWO_DICE))
    return sum(compress(TWO_DICE.values(), met)) / 36.0


def firsts(position: Position) -> list[int]:
    """For every model's row, the first row with the same profile. Kept with the roster."""
    kept = position.roster
    if "firsts" not in kept:
        seen: dict[Profile, int] = {}
        kept["firsts"] = [seen.setdefault(profile, row) for row, profile in enumerate(position.profiles)]
    found: list[int] = kept["firsts"]
    return found


def worth_left(unit: Unit, models: list[Model], points: float, routed: bool) -> float:
    """The points of the models left, reduced for wounded, crippled and routed ones."""
    columns = unit.position.of_models.columns
    wounds, leads = columns.get(WOUNDS), columns.get(LEADS)
    worth = points
    for model in models:
        if wounds is not None and wounds[model.row]:
            worth -= model.profile.points * wounds[model.row] / max(1, model.profile.w)
        if leads is not None and leads[model.row]:
            worth += LEADER
    if routed:
        worth *= left_by(unit.position, ROUTED)
    elif is_below_half(unit) and not all(m.marks(SPECIAL) for m in models):
        worth *= left_by(unit.position, HALVED)
    if models[0].marks(IMMOBILISED):
        worth *= left_by(unit.position, STUCK)
    return worth


def left_by(position: Position, share: float) -> float:
    return COUNTED_OUT[share] if position.now.get("mission") == ATTRITION else share


def facing_of(position: Position, sides: tuple[list[Squad], list[Squad]]) -> Facing:
    """How the squads of both sides face each other. Kept until something moves."""
    key = "facing"
    if key not in position.layout:
        eyes = [one.eye for one in sides[0]], [one.eye for one in sides[1]]
        both = covers(position, *eyes), covers(position, eyes[1], eyes[0]).T
        position.layout[key] = Facing(gaps_between(position, sides), sights(position, *eyes), both)
    found: Facing = position.layout[key]
    return found


def gaps_between(position: Position, sides: tuple[list[Squad], list[Squad]]) -> Floats:
    """The gap of the nearest bases of each pair of squads, by bounding circles."""
    (rows, starts), (others, other_starts) = (rows_and_starts(position, side) for side in sides)
    if not len(rows) or not len(others):
        return np.zeros((len(sides[0]), len(sides[1])))
    far = circle_gaps(position, rows, others)
    return np.maximum(0.0, np.minimum.reduceat(np.minimum.reduceat(far, starts, axis=0), other_starts, axis=1))


def rows_and_starts(position: Position, squads: list[Squad]) -> tuple[Ints, Ints]:
    """The rows of all models of the squads, and where each squad begins among them."""
    units = by_unit(position)
    models = [units[one.unit.row] for one in squads]
    starts = np.cumsum([0, *map(len, models)])[:-1]
    return rows_of([m for some in models for m in some]), starts
