"""Who acts next, where the sides act in turn (e3m turn/alternate-elements, wzr turn/*, w10 fight-phase/no-pass)."""

from __future__ import annotations

from collections.abc import Callable, Sized


def next_side(first: int, last: int | None, left: Callable[[int], Sized]) -> int | None:
    """The side whose turn it is to act: ``first`` at the beginning, then the other than acted ``last``.

    A side that has nothing ``left`` to act with is passed over, and nobody else may pass. It is asked of the other
    side only then. None: nobody has anything left.
    """
    wanted = first if last is None else 1 - last
    return next((side for side in (wanted, 1 - wanted) if left(side)), None)
