"""Counts how a battle went, for statistics: the sides' scores, and the fate of every unit.

A ruleset's ``tally`` gives the units, the cost of a model, and the places that count; ``counted`` adds them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from campale.referee.columns import GONE, Harm
from campale.referee.refusal import Plain

if TYPE_CHECKING:
    from campale.referee.position import Model, Position


class UnitTally(NamedTuple):
    """A unit: the ``profiles`` of its models; ``points_*``: damage (see ``Harm``) times the model's points.

    ``lost_in``: the round in which its last model went (None: some are left). ``is_bought``: it was in the force.
    """

    side: int
    name: str
    profiles: tuple[Any, ...]
    is_bought: bool
    models_left: int
    points: float
    points_left: float
    wounds_dealt: float = 0.0
    wounds_taken: float = 0.0
    points_dealt: float = 0.0
    points_taken: float = 0.0
    lost_in: int | None = None
    objectives: int = 0


class Tally(NamedTuple):
    """``score`` by side (None: the mission was never settled); the side with the first turn, if one has it; the last
    round begun."""

    score: tuple[float, float] | None
    started: int | None
    rounds: int | None
    units: tuple[UnitTally, ...]

    def points(self, side: int) -> float:
        """The points for which a side's force was bought."""
        return sum(unit.points for unit in self.units if unit.side == side and unit.is_bought)

    def points_left(self, side: int) -> float:
        return sum(unit.points_left for unit in self.units if unit.side == side)


class Fielded(NamedTuple):
    """A unit to be counted: its row in the position (None: it never came), and its models."""

    side: int
    name: str
    profiles: tuple[Any, ...]
    row: int | None
    is_bought: bool = True


class Damage:
    """Wounds and points, dealt and taken, and the round in which the last model was lost."""

    __slots__ = ("lost_in", "points_dealt", "points_taken", "wounds_dealt", "wounds_taken")

    def __init__(self) -> None:
        self.wounds_dealt = self.wounds_taken = self.points_dealt = self.points_taken = 0.0
        self.lost_in: int | None = None


def counted(
    position: Position,
    fielded: Iterable[Fielded],
    unit_of: Callable[[int], int],
    round_of: Callable[[Plain], int],
    standing: Mapping[int, int],
    price: Callable[[Model], float] | None = None,
) -> tuple[UnitTally, ...]:
    """The units with their damage, from ``position.harms``.

    Models count with the unit that they were bought with. ``unit_of`` gives the unit that is credited for a row of
    ``Harm.by``, ``round_of`` the round of a turn, ``standing`` the number of scoring places that each unit holds.
    ``price`` gives the points of a model, if they are not those of its profile.
    """
    prices = prices_of(position, price)
    damage = damage_by_unit(position, unit_of, round_of, prices)
    return tuple(tallied(position, one, damage, standing, prices) for one in fielded)


def counted_in(
    position: Position,
    round_of: Callable[[Plain], int],
    standing: Mapping[int, int],
    price: Callable[[Model], float] | None = None,
) -> tuple[UnitTally, ...]:
    """As ``counted``, for a book whose units are all in the position from the start and count as bought."""
    rows = range(len(position.unit_names))
    return counted(
        position, fielded_from(position, rows), lambda row: position.bought_with[row], round_of, standing, price
    )


def turn_is_round(turn: Plain) -> int:
    """The round of a turn in which both sides act."""
    return int(str(turn))


def prices_of(position: Position, price: Callable[[Model], float] | None) -> list[float]:
    """The points of every model, by row."""
    if price is None:
        return [float(profile.points) for profile in position.profiles]
    return [price(model) for model in position.models]


def damage_by_unit(
    position: Position, unit_of: Callable[[int], int], round_of: Callable[[Plain], int], prices: Sequence[float]
) -> dict[int, Damage]:
    found = {row: Damage() for row in range(len(position.unit_names))}
    for harm in position.harms or ():
        points = harm.share * prices[harm.model]
        taken = found[position.bought_with[harm.model]]
        taken.wounds_taken += harm.wounds
        taken.points_taken += points
        if harm.is_lost:
            taken.lost_in = round_of(harm.turn)
        through = enemies_of(position, harm, unit_of)
        for row in through:
            found[row].wounds_dealt += harm.wounds / len(through)
            found[row].points_dealt += points / len(through)
    return found


def enemies_of(position: Position, harm: Harm, unit_of: Callable[[int], int]) -> list[int]:
    """The units of the other side that are credited with a harm; harm to one's own side credits nobody."""
    rows = [unit_of(row) for row in harm.by]
    return [row for row in rows if position.unit_side[row] != position.side_of[harm.model]]


def tallied(
    position: Position, one: Fielded, damage: Mapping[int, Damage], standing: Mapping[int, int], prices: Sequence[float]
) -> UnitTally:
    if one.row is None:
        points = sum(float(profile.points) for profile in one.profiles)
        return UnitTally(one.side, one.name, one.profiles, one.is_bought, len(one.profiles), points, points)
    rows = rows_of(position, one.row)
    left = [row for row in rows if position.where[row] != GONE]
    done = damage[one.row]
    return UnitTally(
        one.side,
        one.name,
        one.profiles,
        one.is_bought,
        len(left),
        sum(prices[row] for row in rows),
        sum(prices[row] for row in left),
        round(done.wounds_dealt, 6),
        round(done.wounds_taken, 6),
        round(done.points_dealt, 6),
        round(done.points_taken, 6),
        None if left else done.lost_in,
        standing.get(one.row, 0),
    )


def rows_of(position: Position, unit: int) -> list[int]:
    """The rows of the models that were bought with a unit."""
    return [row for row, own in enumerate(position.bought_with) if own == unit]


def fielded_from(position: Position, rows: Sequence[int], is_bought: bool = True) -> list[Fielded]:
    """Units as they are in the position, by their rows."""
    names, sides = position.unit_names, position.unit_side
    return [
        Fielded(
            sides[unit], names[unit], tuple(position.profiles[row] for row in rows_of(position, unit)), unit, is_bought
        )
        for unit in rows
    ]
