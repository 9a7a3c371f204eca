"""The odds of a volley of a query, from each of the positions in which it may be fired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from campale.referee.looks import Forecast
from campale.referee.position import Position

MOST_KEPT = 400

T = TypeVar("T")


class Reckoned(Generic[T]):
    """``begin`` makes from a position the value for both the forecast and the positions after the volley.

    It is made once for both, so that they share everything found out.
    """

    def __init__(
        self,
        begin: Callable[[Position], T],
        forecast: Callable[[T], Forecast],
        after: Callable[[T], list[tuple[Position, float]]],
    ) -> None:
        self.begin = begin
        self.forecast_of = forecast
        self.after_of = after
        self.kept: dict[bytes, T] = {}

    def forecast(self, position: Position) -> Forecast:
        begun = self.begin(position)
        found = self.forecast_of(begun)
        if len(self.kept) < MOST_KEPT:
            self.kept[position.to_bytes()] = begun
        return found

    def after(self, position: Position) -> list[tuple[Position, float]]:
        key = position.to_bytes()
        return self.after_of(self.kept.pop(key) if key in self.kept else self.begin(position))
