"""Time limits for rules: an endless rule of an installed book is interrupted, and other battles play on.

The rule gets ``TookTooLong`` between two of its own steps; a call into compiled code finishes first.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TookTooLong(Exception):
    """A rule has taken more time than it may."""


class Watch:
    """Interrupts the work of a thread unless it is done before."""

    def __init__(self, seconds: float) -> None:
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.is_done = False
        self.timer = threading.Timer(seconds, self.break_off)
        self.timer.daemon = True

    def break_off(self) -> None:
        with self.lock:
            if not self.is_done:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(TookTooLong))

    def end(self) -> None:
        with self.lock:
            self.is_done = True
        self.timer.cancel()


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Raises TookTooLong in the block if it takes more seconds; None: no limit."""
    if seconds is None:
        yield
        return
    watch = Watch(seconds)
    watch.timer.start()
    try:
        yield
    finally:
        watch.end()
