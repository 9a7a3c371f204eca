"""Numbers that a query reads from a position after everything was played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from campale.referee.position import Model, Position

Counter = Callable[[Position], int]


def rows_of(position: Position, side: int) -> list[int]:
    return [row for row, own in enumerate(position.side_of) if own == side]


def number_of(rows: Sequence[int], is_counted: Callable[[Model], object]) -> Counter:
    """How many of the models (rows) satisfy the condition."""
    return total_of(rows, lambda model: bool(is_counted(model)))


def total_of(rows: Sequence[int], amount: Callable[[Model], int]) -> Counter:
    """The total of the models (rows), on the table or not."""
    return lambda position: sum(int(amount(position.model(row))) for row in rows)


def lost(rows: Sequence[int]) -> Counter:
    """How many of the models have left the table."""
    return number_of(rows, lambda model: not model.is_on_table)


def left_of(rows: Sequence[int], amount: Callable[[Model], int]) -> Counter:
    """The total of the models still on the table."""
    return total_of(rows, lambda model: amount(model) if model.is_on_table else 0)


def taken_from(position: Position, left: Counter) -> Counter:
    """By how much less is left than in this position."""
    return partial(difference, left(position), left)


def difference(before: int, left: Counter, position: Position) -> int:
    return before - left(position)
