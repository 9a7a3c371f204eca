"""The table as seen by a bot that does not look ahead, and what a squad may expect at a place. It is no rule.

Everything that depends on the models' places is cached until something moves; a squad counts by the points of its
models.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from campale.referee.position import Position
from campale.rulesets.e55.battle.missions import SECURING, mission_of, objectives
from campale.rulesets.e55.bots.appraisal import (
    ATTRACTION,
    CAUTION,
    CLOSE,
    CLOSER_BY_ROUND,
    HELD_FROM,
    LONE,
    UNSEEN,
    WORTH_OF_A_CLAIM,
    apart,
    clear_between,
    gaps_between,
    kinds_of_rows,
    middle,
)
from campale.rulesets.e55.bots.forecast import (
    PATIENCE,
    RUSH,
    STRIDE,
    TURNS_AHEAD,
    Kinds,
    assault,
    kinds_of,
    salvo,
    to_come,
    worth_of_kinds,
)
from campale.rulesets.e55.definitions.units import COMBAT, rows_by_unit
from campale.rulesets.e55.turn.turns import TURNS
from campale.table.shapes import Point

CHARGED = 0.8
"""The weight of a charge, which may fall short."""
NEAR, COARSE = 12, 3
"""From ``NEAR`` inches on, distances are rounded down to multiples of ``COARSE`` inches."""
ON_THE_WAY = 0.6
"""The weight of one's own fire after a move: sight from the new place is not checked."""


class Squad(NamedTuple):
    """A unit on the table: its rows, middle, composition, worth, and index among the squads.

    ``full``: its composition when bought; ``left``: the share of that worth still left.
    """

    unit: int
    side: int
    rows: list[int]
    at: Point
    kinds: Kinds
    worth: float
    place: int
    full: Kinds
    left: float


class Claim(NamedTuple):
    """An objective, its value to a side, and the forces near it: the side's own that may capture it, and enemies."""

    at: Point
    value: float
    ours: float
    theirs: float


class Outlook(NamedTuple):
    """The squads by their units, the distances between them, and whether terrain lies between them."""

    squads: dict[int, Squad]
    gaps: list[list[float]]
    clear: list[list[bool]]

    def enemies(self, side: int) -> list[Squad]:
        return [one for one in self.squads.values() if one.side != side]


def outlook_of(position: Position) -> Outlook:
    kept = position.layout.get("outlook")
    if kept is None:
        squads = [squad(position, *one) for one in enumerate(sorted(rows_by_unit(position).items()))]
        found = {one.unit: one for one in squads}
        kept = position.layout["outlook"] = Outlook(
            found, gaps_between(position, squads), clear_between(position, squads)
        )
    result: Outlook = kept
    return result


def squad(position: Position, place: int, placed: tuple[int, list[int]]) -> Squad:
    unit, rows = placed
    kinds, full = kinds_of_rows(position, rows), full_kinds(position, unit)
    worth, side = worth_of_kinds(kinds), position.unit_side[unit]
    left = worth / max(1.0, worth_of_kinds(full))
    return Squad(unit, side, rows, middle(position, rows), kinds, worth, place, full, left)


def full_kinds(position: Position, unit: int) -> Kinds:
    """Return what a unit was bought as; for a unit formed during the battle, what it is now."""
    kept: dict[int, Kinds] = position.roster.setdefault("full-kinds", {})
    if unit not in kept:
        bought = [row for row, home in enumerate(position.bought_with) if home == unit]
        kept[unit] = kinds_of(position.profiles[row] for row in bought or rows_by_unit(position)[unit])
    return kept[unit]


def is_vehicle(one: Squad) -> bool:
    return one.kinds[0][0].type == "vehicle"


# ---------------------------------------------------------------- harm from a place


def harm_from(
    position: Position, view: Outlook, one: Squad, at: Point | None = None, moves: bool = False, fires: bool = True
) -> float:
    """Return the most harm that a squad may do to one enemy now and later, less its own risk.

    It acts from where it is, or from the place ``at``.
    """
    forth, back, turns = 0.0, 0.0, turns_left(position)
    for enemy in view.enemies(one.side):
        if position.of_units.get(enemy.unit, COMBAT):
            continue
        gap = view.gaps[one.place][enemy.place]
        if at is not None:
            gap = max(1.0, gap + apart(at, enemy.at) - apart(one.at, enemy.at))
        off = int(gap)
        seen = 1.0 if view.clear[one.place][enemy.place] else UNSEEN
        ours = exchange(one.full, enemy.full, off if off < NEAR else off - off % COARSE, turns)
        now = one.left * (ON_THE_WAY * ours.moving if moves else seen * ours.still) if fires else 0.0
        if fires and off < RUSH:
            now = max(now, CHARGED * assault(one.kinds, enemy.kinds))
        forth = max(forth, now + PATIENCE * one.left * ours.later)
        theirs = seen * enemy.left * ours.suffered
        if off < RUSH + STRIDE:
            theirs = max(theirs, assault(enemy.kinds, one.kinds))
        back = back + theirs if is_lone(one) else max(back, theirs)
    return forth - CAUTION * min(back, one.worth)


def is_lone(one: Squad) -> bool:
    """Return whether a squad is a single model, not a vehicle.

    All enemies may aim at it at once, while several squads share the fire.
    """
    return len(one.rows) == 1 and not is_vehicle(one)


class Exchange(NamedTuple):
    """The harm of one squad to another: its fire now, standing or moving, and its harm in later turns.

    ``suffered`` is the fire that it takes in the next turn.
    """

    still: float
    moving: float
    later: float
    suffered: float


@lru_cache(maxsize=1 << 17)
def exchange(kinds: Kinds, enemy: Kinds, off: int, turns: int) -> Exchange:
    target = enemy[0][0]
    return Exchange(
        salvo(kinds, target, off, False),
        salvo(kinds, target, off, True),
        to_come(kinds, enemy, off, turns),
        salvo(enemy, kinds[0][0], max(1, off - STRIDE), True),
    )


def fired_or_charged(one: Squad, enemy: Squad, off: int, seen: float, moves: bool) -> float:
    """Return the harm that a squad may do to an enemy in the current turn."""
    fire = seen * salvo(one.kinds, enemy.kinds[0][0], off, moves)
    return max(fire, CHARGED * assault(one.kinds, enemy.kinds)) if off < RUSH else fire


def turns_left(position: Position) -> int:
    """Return how many turns a side probably has after this one, as far as the bot looks ahead."""
    return min(TURNS_AHEAD, max(1, TURNS + 1 - int(position.now["round"])))


# ---------------------------------------------------------------- worth of a place by the mission


def claims_without(position: Position, view: Outlook, one: Squad) -> list[Claim]:
    """Return the objectives, with the forces near them except one squad."""
    mission, reach, found = mission_of(position), reach_of_claims(position), []
    if not WORTH_OF_A_CLAIM[mission]:
        return []
    for token in objectives(position):
        at, forces = (token.x, token.y), [0.0, 0.0]
        for other in view.squads.values():
            if other is not one and (other.side != one.side or not is_vehicle(other)):
                forces[other.side] += other.worth * nearness(other.at, at, reach)
        value = token.value[one.side] if mission == SECURING else 1
        found.append(Claim(at, WORTH_OF_A_CLAIM[mission] * value, forces[one.side], forces[1 - one.side]))
    return found


def reach_of_claims(position: Position) -> float:
    return CLOSE + CLOSER_BY_ROUND * max(0, TURNS - int(position.now["round"]))


def nearness(one: Point, at: Point, reach: float) -> float:
    return math.exp(-max(0.0, apart(one, at) - HELD_FROM) / reach)


def held_from(position: Position, one: Squad, claims: list[Claim], at: Point) -> float:
    """Return the worth of the claims on objectives with a squad at a place, and of its nearness to one."""
    if not claims or is_vehicle(one):
        return 0.0
    reach, found = reach_of_claims(position), 0.0
    for claim in claims:
        ours = claim.ours + one.worth * nearness(at, claim.at, reach)
        found += claim.value * (ours / (ours + claim.theirs + LONE) - claim.theirs / (claim.theirs + ours + LONE))
    return found - ATTRACTION * one.worth * min(apart(at, claim.at) for claim in claims)
