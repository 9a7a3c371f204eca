"""Processes for thinking that the servers of many tests use one after the other.

To start one takes longer than most tests do. A server that ends hands on its processes if they have nothing to do;
the next server for the same rulesets begins with them.
"""

from __future__ import annotations

from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from campale.referee import ruleset as rulesets
from campale.server.processes.thinking import Worker

MOST = 3
"""The number of idle processes that are kept; each has the rulesets in its memory."""

Process = tuple[tuple[str, ...], BaseProcess, Connection]

idle: list[Process] = []


class Lent(Worker):
    """A worker that takes an idle process where there is one, and hands it on when it is closed."""

    is_busy = False

    def begin(self) -> Connection:
        packages = tuple(rulesets.EXTRA_PACKAGES)
        with self.starting:
            known = next((one for one in idle if one[0] == packages and one[1].is_alive()), None)
            if known is not None and not self.is_closed:
                idle.remove(known)
                _, self.process, self.line = known
        self.packages = packages
        return super().begin() if self.line is None else self.line

    def think(self, task: Any, patience: float) -> Any:
        self.is_busy = True
        try:
            return super().think(task, patience)
        finally:
            self.is_busy = False

    def close(self) -> None:
        with self.starting:
            if self.process is not None and self.line is not None and not self.is_busy and len(idle) < MOST:
                idle.append((self.packages, self.process, self.line))
                self.process = self.line = None
        super().close()
