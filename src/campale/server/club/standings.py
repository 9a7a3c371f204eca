"""The standings of a season: points and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

Result = Literal["one", "two", "draw", "none"]
"""The winner of a pairing; ``none``: it was not played, and nobody gets points."""

WIN, DRAW = 3, 1
"""Points; a bye is worth a win."""


class Met(msgspec.Struct, frozen=True):
    """A pairing whose result counts. Without ``two`` it is a bye."""

    one: int
    two: int | None
    result: Result = "one"


class Placed(msgspec.Struct):
    """An entrant in the standings. ``against``: the points of all opponents.

    ``beaten``: the points of beaten opponents plus half of those drawn with.
    """

    number: int
    place: int = 0
    points: int = 0
    against: float = 0.0
    beaten: float = 0.0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def order(self) -> tuple[float, ...]:
        """The tie-breaks; the first difference decides, the larger value is better."""
        return (self.points, self.against, self.beaten, self.won)


def standings(entrants: Sequence[int], met: Iterable[Met]) -> list[Placed]:
    """All entrants, the best first; unbroken ties share a place."""
    found = {number: Placed(number) for number in entrants}
    known = list(met)
    for one in known:
        count(found, one)
    for one in known:
        compare(found, one)
    ranked = sorted(found.values(), key=lambda placed: (*(-value for value in placed.order()), placed.number))
    for k, placed in enumerate(ranked):
        shares = k > 0 and ranked[k - 1].order() == placed.order()
        placed.place = ranked[k - 1].place if shares else k + 1
    return ranked


def count(found: dict[int, Placed], met: Met) -> None:
    one = found[met.one]
    if met.two is None:
        one.points += WIN
        return
    if met.result == "none":
        return
    two = found[met.two]
    for placed, wins in ((one, "one"), (two, "two")):
        placed.played += 1
        placed.won += met.result == wins
        placed.drawn += met.result == "draw"
        placed.lost += met.result not in (wins, "draw")
        placed.points += WIN if met.result == wins else DRAW if met.result == "draw" else 0


def compare(found: dict[int, Placed], met: Met) -> None:
    """Compute the tie-breaks, once all points are known."""
    if met.two is None or met.result == "none":
        return
    one, two = found[met.one], found[met.two]
    for placed, other, wins in ((one, two, "one"), (two, one, "two")):
        placed.against += other.points
        placed.beaten += other.points if met.result == wins else other.points / 2 if met.result == "draw" else 0
