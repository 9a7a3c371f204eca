"""How much work something is, told by what is called and not by the clock: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Fails where more functions than that are called within, those written in C included."""
    count = 0

    def called(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(before)
    assert count <= calls, f"{count} calls, {calls} are allowed"
