"""What a side may not know (10.5/reserve-secrecy, 10.5/arrival-secrecy), and imagining it."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.setting_out import RESERVES, ROSTER, ROWS, STARTS
from campale.rulesets.e55.battle.deployment import LEFT, waiting
from campale.rulesets.e55.battle.holding_back import OWN_EDGE, WAYS, Note, keep_notes, may_all_outflank, may_outflank
from campale.rulesets.e55.battle.reserves import LET_IN
from campale.rulesets.e55.definitions.units import ARRIVES_BY, active, player_turn
from campale.rulesets.e55.turn.turns import MOST_TURNS

SECRET = (ROSTER, ROWS, STARTS, RESERVES)
HELD_BACK = 0.25
"""The share of a side's unseen units imagined in reserve."""


@rule("10.5/reserve-secrecy", "10.5/arrival-secrecy")
def seen_by(side: int | None, position: Position) -> Position:
    """Return the position without the other side's unplaced units, and without when and how they arrive."""
    for other in (0, 1):
        if other != side:
            for name in SECRET:
                position.hold(other, name, ())
            for unit in still_to_enter(position, other):
                unit.jot(ARRIVES_BY, None)
    return position


def still_to_enter(position: Position, side: int) -> list[Unit]:
    """Return the units of a side that are known to be coming, by a way that is not known."""
    return [unit for unit in position.units if unit.side == side and unit.note(ARRIVES_BY) and waiting(unit)]


# ---------------------------------------------------------------- imagining it


class Known(NamedTuple):
    """A unit of a shipped force: its roster text, points, kind of models, and whether it may outflank."""

    text: str
    points: int
    kind: str
    may_outflank: bool


@lru_cache(maxsize=1)
def shipped() -> tuple[tuple[Known, ...], ...]:
    return tuple(tuple(known(unit) for unit in forces.FORCES.named(name).units) for name in forces.FORCES.names())


def known(unit: forces.UnitSpec) -> Known:
    return Known(forces.encode(unit), unit.points, unit.profiles[0].id, may_outflank(unit))


@rule("10.5/reserve-secrecy")
def imagine(position: Position, side: int, rng: Random) -> Position:
    """Return the position with imagined units, from the shipped forces, for those the other side has not shown."""
    other = 1 - side
    unseen = drawn_army(position, other, rng)
    here, later = shared_out(position, other, unseen, rng)
    position.hold(other, ROSTER, tuple(unit.text for unit in here))
    position.hold(other, ROWS, (-1,) * len(here))
    position.hold(other, STARTS, (-1,) * len(here))
    for unit in still_to_enter(position, other):
        unit.jot(ARRIVES_BY, rng.choice(WAYS if may_all_outflank([m.profile for m in waiting(unit)]) else (OWN_EDGE,)))
    soonest = next_round(position, other)
    keep_notes(position, other, [noted(unit, soonest, rng) for unit in later if soonest <= MOST_TURNS])
    return position


def drawn_army(position: Position, side: int, rng: Random) -> list[Known]:
    """Return units of a force like the visible one, in random order, for the points that are left."""
    seen = [position.profiles[row].id for row, owner in enumerate(position.side_of) if owner == side]
    left = int(position.now.get("points", 0)) - points_seen(position, side)
    drawn = []
    force = likely_force(seen, rng)
    for unit in rng.sample(force, len(force)):
        if unit.points <= left:
            drawn.append(unit)
            left -= unit.points
    return drawn or [min(force, key=lambda unit: (unit.points, unit.text))]


def points_seen(position: Position, side: int) -> int:
    return sum(position.profiles[row].points for row, owner in enumerate(position.side_of) if owner == side)


def likely_force(seen: list[str], rng: Random) -> tuple[Known, ...]:
    """Return one of the forces that share the most kinds of model with what is visible."""
    known_forces = shipped()
    common = [len({unit.kind for unit in force} & set(seen)) for force in known_forces]
    best = max(common)
    return rng.choice([force for force, shared in zip(known_forces, common, strict=True) if shared == best])


@rule("10.5/reserve-secrecy")
def shared_out(position: Position, side: int, units: list[Known], rng: Random) -> tuple[list[Known], list[Known]]:
    """Return the units still to be deployed, if the owner has announced any, and those in reserve."""
    if LEFT not in position.now:
        is_written = position.now.get("phase") == "deployment"
        later = [unit for unit in units[1:] if is_written and rng.random() < HELD_BACK]
        return [unit for unit in units if unit not in later], later
    if not position.now[LEFT][side]:
        return [], [unit for unit in units if rng.random() < 2 * HELD_BACK]
    later = [unit for unit in units[1:] if rng.random() < HELD_BACK]
    return [unit for unit in units if unit not in later], later


def next_round(position: Position, side: int) -> int:
    """Return the first game turn for which a side's reserves have not been rolled."""
    if player_turn(position) == 0:
        return 2
    now = int(position.now["round"])
    is_coming = side == active(position) and position.now.get(LET_IN) != player_turn(position)
    has_been = side == active(position) or side == int(position.now["first"])
    return max(2, now if is_coming or not has_been else now + 1)


def noted(unit: Known, soonest: int, rng: Random) -> Note:
    way = rng.choice(WAYS) if unit.may_outflank else OWN_EDGE
    return Note(((unit.text, -1),), rng.randint(soonest, MOST_TURNS), way)
