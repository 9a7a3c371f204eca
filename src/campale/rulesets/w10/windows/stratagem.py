"""What a Stratagem is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from campale.referee.position import Position

About = dict[str, Any]


class Stratagem(NamedTuple):
    """``targets(position, side, about)``: the rows of the units that it may target now; ``use`` does what it says.

    ``labels``: its category, and what else is printed under its name. ``window``: the moment at which it is offered.
    ``shocked``: whether battle-shocked units may be its target. One with ``no_unit`` targets something else.
    """

    name: str
    labels: tuple[str, ...]
    price: int
    window: str
    targets: Callable[[Position, int, About], Sequence[int]]
    use: Callable[[Position, int, int, About], Awaitable[None]]
    once_a_turn: bool = False
    shocked: bool = False
    no_unit: bool = False
