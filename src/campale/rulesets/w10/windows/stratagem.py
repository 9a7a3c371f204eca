"""The definition of a Stratagem."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from campale.referee.position import Position

About = dict[str, Any]


class Stratagem(NamedTuple):
    """A Stratagem.

    ``targets(position, side, about)``: the rows of the units that it may target now; ``use`` carries it out.
    ``labels``: its category, and other words printed under its name. ``window``: the moment at which it is offered.
    ``shocked``: it may target battle-shocked units. ``no_unit``: it targets something other than a unit.
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
