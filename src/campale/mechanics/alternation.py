"""Which side acts next when the sides alternate (e3m turn/alternate-elements, wzr turn/*, w10 fight-phase/no-pass)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sized

from campale.mechanics.units import unmarked
from campale.referee.ask import choose
from campale.referee.position import Position, Unit


def next_side(first: int, last: int | None, left: Callable[[int], Sized]) -> int | None:
    """The side to act: ``first`` at the beginning, then the side other than ``last``.

    A side with nothing ``left`` to act with is skipped; no other side may pass. ``left`` is called for the second side
    only if the first has nothing left. None: nobody has anything left.
    """
    wanted = first if last is None else 1 - last
    return next((side for side in (wanted, 1 - wanted) if left(side)), None)


async def activate(position: Position, act: Callable[[Unit], Awaitable[None]], acted: str) -> bool:
    """The side to act, ``now["side"]``, chooses a unit without the mark ``acted``; the unit acts and gets the mark.

    Then it is the other side's turn. Returns whether either side had a unit left.
    """
    side = next_side(position.now["side"], None, lambda one: unmarked(position, one, acted))
    if side is None:
        return False
    rows = [unit.row for unit in unmarked(position, side, acted)]
    unit = Unit(position, await choose(side, "activate", rows, of="unit"))
    await act(unit)
    unit.mark(acted, 1)
    position.now["side"] = 1 - side
    return True
