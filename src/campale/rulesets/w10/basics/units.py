"""Units and their models: models left, engagement, and what a unit has done this turn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.mechanics import units
from campale.mechanics.bases import Flags, Floats, circle_gaps, in_doubt, rows_of
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.rule import rule
from campale.table.measure import gap
from campale.table.shapes import TOLERANCE, Solid, rounded

# Marks of units.
START, POINTS, SHOCKED, TESTED, APART, SCOUTED = "start", "points", "shocked", "tested", "apart", "scouted"
PICKED, MOVED, STATIONARY, ADVANCED, FELL_BACK = "picked", "moved", "stationary", "advanced", "fell-back"
SHOT, DECLARED, CHARGED, WAS_CHARGED, FOUGHT, FIRST = "shot", "declared", "charged", "was-charged", "fought", "first"
EMBARKED, GOT_OUT, NO_CHARGE, HOVERS = "embarked", "got-out", "no-charge", "hovers"
IN_REACH = "in-reach"
GROUNDED, SMOKE, RAMMING, NO_BONUS, NEXT = "gone-to-ground", "smoke", "ramming", "no-bonus", "next"
# Notes of units.
NAME_IT, RESERVES, LEFT_IN = "name_it", "reserves", "left-in"
UNIT_SAVE = "unit-save"
ARRIVED = "arrived"
# Marks of models.
WOUNDS, ATTACKED, EPIC = "wounds", "attacked", "epic-challenge"
# Notes of models.
SPENT = "spent"

TURN_FACTS = (
    *(PICKED, MOVED, STATIONARY, ADVANCED, FELL_BACK, SHOT, DECLARED),
    *(CHARGED, WAS_CHARGED, FOUGHT, FIRST, TESTED, NO_BONUS),
    *(EMBARKED, GOT_OUT, ARRIVED, NO_CHARGE, IN_REACH),
)
"""What a unit has done in a turn; cleared at its end."""

PHASE_FACTS = (GROUNDED, SMOKE, RAMMING, NEXT)
"""What Stratagems give a unit until the phase ends."""

ENGAGEMENT = 1.0
VERTICAL = 5.0
"""The vertical reach of engagement range, coherency and markers, in inches."""


@rule("core-concepts/measuring", "b/base")
def distance(one: Model, other: Model) -> float:
    """The distance in inches between the nearest points of two bases, as flat shapes at their heights."""
    return rounded(between(one.solid, other.solid))


@rule("core-concepts/measuring", "b/base")
def between(one: Solid, other: Solid) -> float:
    """As ``distance`` for two bodies, unrounded."""
    across, rise = gap(one, other), one.z - other.z
    return math.sqrt(across * across + rise * rise) if rise else across


@rule("within/within")
def within(far: float, limit: float) -> bool:
    return far <= limit + TOLERANCE


# ---------------------------------------------------------------- models that are left


@rule("core-concepts/unit")
def members(unit: Unit) -> list[Model]:
    """The models of a unit that are on the table."""
    return units.by_unit(unit.position).get(unit.row, [])


def units_of(position: Position, side: int) -> list[Unit]:
    """The units of a side that have a model on the table, in the order of its roster."""
    return units.units_of(position, side)


def units_off_table(position: Position, side: int) -> list[int]:
    """The rows of the units of a side with models that are not set up yet, in the order of its models."""
    there = zip(position.unit_of, position.side_of, position.where, strict=True)
    return list(dict.fromkeys(unit for unit, owner, where in there if owner == side and where == RESERVE))


def wounds_left(model: Model) -> int:
    left: int = model.profile.w - model.marks(WOUNDS)
    return left


def price_of(model: Model) -> float:
    """The points of a model: its share of the price of its unit."""
    unit = model.bought_with
    return unit.marks(POINTS) / max(1, unit.marks(START))


@rule("a/all-wounds-remaining")
def has_all_wounds(model: Model) -> bool:
    return not model.marks(WOUNDS)


@rule("keywords/adjacent-and")
def has_each(unit: Unit, keywords: str) -> bool:
    """True if a unit has all of several keywords separated by spaces."""
    return all(has(unit, keyword) for keyword in keywords.split())


@rule("keywords/mixed-unit", "keywords/non", "core-abilities/hover")
def has(unit: Unit, keyword: str) -> bool:
    """True if any model of a unit has the keyword; a unit in Hover mode is not AIRCRAFT."""
    found = any(m.profile.has(keyword) for m in members(unit))
    return found and not (keyword == "aircraft" and unit.marks(HOVERS))


def every(unit: Unit, ability: str) -> bool:
    """True if every model of a unit has an ability."""
    models = members(unit)
    return bool(models) and all(m.profile.can(ability) for m in models)


@rule("f/starting-strength", "command-phase/attached-starting-strength")
def starting_strength(unit: Unit) -> int:
    """The number of models a unit was bought with; in an attached unit, summed over components still together."""
    return sum(Unit(unit.position, row).marks(START) for row in components(unit))


def components(unit: Unit) -> list[int]:
    """The rows of the components of a unit, its own first: bodyguard and Leaders, or the unit alone."""
    position = unit.position
    rows = {position.bought_with[m.row] for m in position.models if position.unit_of[m.row] == unit.row}
    return sorted((row for row in rows if not Unit(position, row).marks(APART)), key=lambda row: (row != unit.row, row))


@rule("core-abilities/hover", "keywords/has")
def is_aircraft(unit: Unit) -> bool:
    """True for AIRCRAFT that are not in Hover mode."""
    return has(unit, "aircraft")


def is_of_aircraft(model: Model) -> bool:
    """True for a model of an AIRCRAFT unit that is not in Hover mode."""
    return bool(model.profile.has("aircraft")) and is_aircraft(model.unit)


@rule("keywords/mixed-unit")
def flies(unit: Unit) -> bool:
    """True for a unit that can FLY."""
    return has(unit, "fly")


@rule("command-phase/below-half-strength", "f/starting-strength")
def is_below_half(unit: Unit) -> bool:
    """True below half strength (exactly half is not); for a unit of one model its wounds count."""
    models, start = members(unit), starting_strength(unit)
    if start == 1:
        return bool(models) and 2 * wounds_left(models[0]) < models[0].profile.w
    return 2 * len(models) < start


@rule("s/below-starting-strength")
def is_below_start(unit: Unit) -> bool:
    """True for a unit with fewer models than it began with, or a single model that has lost wounds."""
    models, start = members(unit), starting_strength(unit)
    return bool(models) and (not has_all_wounds(models[0]) if start == 1 else len(models) < start)


# ---------------------------------------------------------------- engagement


@rule("core-concepts/engagement-range", "d/unit-engagement-range")
def engagements(position: Position) -> tuple[tuple[int, int], ...]:
    """Pairs of rows of models of side 0 and side 1 that are engaged with each other; kept until something moves."""
    kept = position.layout
    if "engagements" not in kept:
        ones, others = position.on_table(0), position.on_table(1)
        pairs = np.argwhere(in_engagement_range(position, ones, others)).tolist()
        kept["engagements"] = tuple((ones[n].row, others[k].row) for n, k in pairs)
    found: tuple[tuple[int, int], ...] = kept["engagements"]
    return found


@rule("core-concepts/engagement-range", "d/horizontal-vertical")
def in_engagement_range(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Flags:
    """Whether models are within 1 inch in plan and 5 inches of height of each other, as an array (ones, others)."""
    found = near_in_plan(position, ones, others, ENGAGEMENT)
    return np.asarray(found & (rises(ones, others) <= VERTICAL + TOLERANCE))


@rule("core-concepts/engagement-range", "d/horizontal-vertical")
def are_engaged(one: Solid, other: Solid) -> bool:
    """As ``in_engagement_range`` for two bodies, wherever they would stand."""
    return abs(one.z - other.z) <= VERTICAL + TOLERANCE and within(gap(one, other), ENGAGEMENT)


def rises(ones: Sequence[Model], others: Sequence[Model]) -> Floats:
    """The differences of height, as an array (ones, others)."""
    mine, theirs = (np.array([m.position.z[m.row] for m in models], np.float64) for models in (ones, others))
    return np.asarray(np.abs(mine[:, None] - theirs[None, :]))


def near(position: Position, ones: Sequence[Model], others: Sequence[Model], limit: float | Floats) -> Flags:
    """Whether bases are within a limit of each other, as an array (ones, others). ``limit``: one for all, or each."""
    rise = rises(ones, others)
    if not rise.any():
        return near_in_plan(position, ones, others, limit)
    limits = np.broadcast_to(limit, rise.shape) + TOLERANCE
    left = np.sqrt(np.maximum(0.0, limits * limits - rise * rise))
    return near_in_plan(position, ones, others, left - TOLERANCE) & (rise <= limits)


@rule("d/horizontal-vertical")
def near_in_plan(position: Position, ones: Sequence[Model], others: Sequence[Model], limit: float | Floats) -> Flags:
    """As ``near``, for horizontal distances only."""
    if not ones or not others:
        return np.zeros((len(ones), len(others)), np.bool_)
    rows, columns = rows_of(ones), rows_of(others)
    gaps = circle_gaps(position, rows, columns)
    found = gaps <= limit + TOLERANCE
    limits = np.broadcast_to(limit, gaps.shape)
    for n, k in np.argwhere(in_doubt(position, rows, columns, gaps, limits)).tolist():
        found[n, k] = gap(ones[n].solid, others[k].solid) <= limits[n, k] + TOLERANCE
    return np.asarray(found)


def engaged_rows(position: Position) -> dict[int, set[int]]:
    """For the row of each engaged unit, the rows of the enemy units that it is engaged with; kept likewise."""
    kept = position.own
    if "engaged" not in kept:
        found: dict[int, set[int]] = {}
        for one, other in engagements(position):
            mine, theirs = position.unit_of[one], position.unit_of[other]
            found.setdefault(mine, set()).add(theirs)
            found.setdefault(theirs, set()).add(mine)
        kept["engaged"] = found
    units: dict[int, set[int]] = kept["engaged"]
    return units


@rule("core-concepts/engagement-range", "q/any")
def engaged_with(unit: Unit) -> list[Unit]:
    """The enemy units within engagement range of a unit."""
    return [Unit(unit.position, row) for row in sorted(engaged_rows(unit.position).get(unit.row, ()))]


@rule("b/locked-in-combat", "core-concepts/engagement-range")
def is_engaged(unit: Unit) -> bool:
    """True for a unit within engagement range of an enemy unit: it is locked in combat."""
    return bool(engaged_rows(unit.position).get(unit.row))


@rule("within/model-unit-within", "g/active-player", "g/controlling-player")
def units_within(unit: Unit, limit: float, side: int) -> list[Unit]:
    """The units of a side with a model within ``limit`` inches of a model of this unit."""
    position, own = unit.position, members(unit)
    others = [m for m in position.on_table(side) if position.unit_of[m.row] != unit.row]
    close = near(position, own, others, limit).any(axis=0)
    rows = {position.unit_of[others[k].row] for k in np.flatnonzero(close).tolist()}
    return [Unit(position, row) for row in sorted(rows)]


@rule("keywords/models-only", "i/big-guns-never-tire")
def is_large(unit: Unit) -> bool:
    """True for a MONSTER or VEHICLE unit."""
    return has(unit, "monster") or has(unit, "vehicle")
