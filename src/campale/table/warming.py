"""The kernels that battles call, compiled before anybody waits for them.

This module lists every kernel that Python calls, with the kinds of its arguments; kernels that only kernels call are
compiled along with their callers. Compiled kernels are kept on disk, if there is a folder for them, and only loaded the
next time. A server does not wait for them (``compile_in_background``).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from hashlib import blake2b
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

from campale.table import kernels

KINDS: dict[str, Any] = {
    "f": 1.0,
    "i": 1,
    "b": True,
    "f1": np.zeros(1),
    "f2": np.zeros((1, 1)),
    "f4": np.zeros((1, 1, 1, 1)),
    "i1": np.zeros(1, np.int64),
    "n1": np.zeros(1, np.int8),
    "n3": np.zeros((1, 1, 1), np.int8),
    "b1": np.zeros(1, np.bool_),
    "b2": np.zeros((1, 1), np.bool_),
    "go": kernels.Going(1.0, 1.0, 1.0, np.zeros((1, 1)), np.zeros((1, 1)), np.zeros(1, np.int64), np.zeros((1, 1))),
}
"""The kinds: a float, a whole number, a flag; arrays of floats, whole numbers, bytes or flags, by their dimensions;
a ``Going``."""

WANTED: dict[str, tuple[str, ...]] = {
    # measure
    "boundaries_gap": ("f2 f2",),
    "boundary_to_ellipse": ("f f f2",),
    "circle_gap_matrix": ("f1 f1 f1 f1 f1 f1",),
    "circle_gaps": ("f1 f1 f1 i",),
    "ellipses_gap": ("f1 f1 f f",),
    "gaps_to_outlines": ("f1 f1 f1 f2 i1",),
    "in_front": ("f2 f2",),
    "over_outlines": ("f2 f2 i1 f2 i1 f",),
    "point_inside": ("f2 i i f f",),
    "point_to_boundary": ("f2 i i f f",),
    "point_to_ellipse": ("f f f f",),
    "points_inside": ("f2 i1 f2 f2 f",),
    "polygons_gap": ("f2 f2",),
    "signed_gaps": ("f1 f1 f2",),
    # hulls and formations
    "clear_of_hulls": ("f2 f f f2 i1 f1 f2",),
    "depth_of_ways": ("f f f2 f2 i1 f2 f f",),
    "first_overlap": ("f2",),
    "hulls_clear": ("f2 f f f2 f2 f2 f2 f2 i1 f2 i1",),
    "linked_discs": ("f2 f",),
    "near_each_other": ("f2 f1 f",),
    "open_spots": ("f2 f f2 f1 i f",),
    # sight
    "any_clear": ("f2 i1 f2 f1 f1 f2 f2 f2 f1 f1 f",),
    "clear_of": ("f2 i1 f2 f1 f1 f2 f2 f2 f",),
    "covering": ("f2 f2 f2 f1 f1 n3",),
    "crossings": ("f2 i1 f2 f1 f1 f2 f2",),
    "line_states": ("f2 n1 f b1",),
    "lines_met": ("f2 i1 f2 f1 f1 n1 f2 f4 b2 b2 f2 f2 i1 f2 f1 f1",),
    "see": ("f2 i1 f2 f1 f1 f2 f2 f1 f1 n1 f b2",),
    "through_cylinder": ("f f f f f f f1",),
    # bases that go
    "sweep": ("f2 f2 f2 i1 f1 f b",),
    "sweep_nearest": ("f2 f2 f2 i1",),
    # planner
    "all_stand_free": ("go f2",),
    "in_area": ("f2 f2 f b",),
    "plan_best": ("go f f i f f f",),
    "plan_route": ("go f f f2 f f f f",),
    "sample_places": ("go f2 f2",),
    "stands_free": ("go f f",),
    "way_trouble": ("go f2",),
}


LONGEST = ("plan_best", "sweep", "way_trouble", "plan_route")
"""The kernels that take longest to compile: begun first, so that none is still compiling alone at the end."""

Tell = Callable[[int, int], None]
"""Called with the number of kernels ready, and the number in all."""


def quietly(done: int, of: int) -> None:
    """Report no progress."""


def warm_up(tell: Tell = quietly) -> None:
    """Compile every kernel that battles call, or load it from disk."""
    for done, name in enumerate(WANTED):
        tell(done, len(WANTED))
        compile_kernel(name)
    tell(len(WANTED), len(WANTED))


def compile_kernel(name: str) -> None:
    """Compile a kernel for all its kinds of arguments, or load it from disk."""
    compiled = kernels.COMPILED[name]
    for kinds in WANTED[name]:
        compiled.compile(kinds_of(compiled, kinds))


def kinds_of(one: Any, kinds: str) -> tuple[Any, ...]:
    """The compiler's types of a kernel's arguments."""
    return tuple(one.typeof_pyval(KINDS[kind]) for kind in kinds.split())


# ---------------------------------------------------------------- while battles are played


class Compiling:
    """Kernels compiled in other processes, while the plain ones are used; each takes over when it is ready.

    ``done``: how many have taken over. A kernel that a process cannot hand over (the process dies, or nothing can be
    kept on disk) is compiled in this process. If all are kept on disk already, they are loaded without other processes.
    """

    def __init__(self, processes: int, tell: Tell = quietly) -> None:
        self.processes = processes
        self.tell = tell
        self.done, self.of = 0, len(WANTED)
        self.is_over = threading.Event()
        self.waiting = [*LONGEST, *(name for name in WANTED if name not in LONGEST)]
        self.given: dict[Connection, tuple[str, bool]] = {}

    def begin(self) -> None:
        """Use the plain kernels, and compile in the background."""
        stand_in(kernels.PLAIN)
        threading.Thread(target=self.run, name="compiling", daemon=True).start()

    def run(self) -> None:
        """Compile every kernel; an error leaves nobody waiting."""
        mark = mark_of_all()
        try:
            if not (mark and mark.exists()):
                self.run_elsewhere()
            for name in self.waiting:
                self.take_over(name)
            if mark and not mark.exists() and all(map(is_kept, WANTED)):
                with contextlib.suppress(OSError):
                    mark.touch()
        finally:
            stand_in({name: kernels.COMPILED[name] for name in kernels.PLAIN})
            self.is_over.set()

    def run_elsewhere(self) -> None:
        """Have all kernels compiled by other processes, as far as these live."""
        with contextlib.suppress(OSError):
            for first in range(self.processes):
                self.hand_out(begun(), takes_longest=not first)
        while self.given:
            for ready in wait(list(self.given)):
                if isinstance(ready, Connection):
                    self.handed_over(ready)

    def hand_out(self, line: Connection, takes_longest: bool) -> None:
        """Give the next kernel to an idle process; if none is left, end the process.

        One process begins with the slowest kernels and the others with the quick ones, so that many are ready soon.
        """
        if not self.waiting:
            line.close()
            return
        name = self.waiting.pop(0 if takes_longest else -1)
        self.given[line] = name, takes_longest
        with contextlib.suppress(OSError):
            line.send(name)

    def handed_over(self, line: Connection) -> None:
        """A process has kept a kernel on disk, or has died over it."""
        name, takes_longest = self.given.pop(line)
        try:
            line.recv()
        except (EOFError, OSError):
            line.close()
            self.waiting.append(name)
            return
        self.take_over(name)
        self.hand_out(line, takes_longest)

    def take_over(self, name: str) -> None:
        compile_kernel(name)
        stand_in({name: kernels.COMPILED[name]})
        self.done += 1
        self.tell(self.done, self.of)


def is_kept(name: str) -> bool:
    """Whether a kernel was loaded from disk for all its kinds of arguments."""
    return len(kernels.COMPILED[name].stats.cache_hits) >= len(WANTED[name])


def mark_of_all() -> Path | None:
    """The file that tells that all kernels, as they are now, are kept on disk; None if nothing can be kept."""
    folder = kernels.COMPILED[LONGEST[0]].stats.cache_path
    if folder is None:
        return None
    source = Path(kernels.__file__).stat()
    parts = source.st_mtime_ns, source.st_size, sys.version, *kernels.made_for(), sorted(WANTED.items())
    return Path(folder) / f"all-{blake2b(repr(parts).encode(), digest_size=8).hexdigest()}"


def stand_in(chosen: Mapping[str, Any]) -> None:
    """Make these kernels the ones that callers get by their names."""
    for name, one in chosen.items():
        setattr(kernels, name, one)


def begun() -> Connection:
    """A process that compiles what it is sent, one after another, until the line is closed."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=compile_on_demand, args=(there,), daemon=True, name="compiling").start()
    there.close()
    return here


def compile_on_demand(line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    with contextlib.suppress(EOFError, OSError):
        while True:
            name: str = line.recv()
            compile_kernel(name)
            line.send(name)


def end_with_parent() -> None:
    """End this process as soon as the one that began it has ended, even in the middle of a kernel."""

    def watch() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=watch, name="watching", daemon=True).start()


UNDER_WAY: list[Compiling] = []
"""The background compilation of this process, running or finished."""


def compile_in_background(tell: Tell = quietly) -> Compiling:
    """Begin to compile in the background, once per process; battles can be played at once. See ``Compiling``."""
    if not UNDER_WAY:
        UNDER_WAY.append(Compiling(os.cpu_count() or 1, tell))
        UNDER_WAY[0].begin()
    return UNDER_WAY[0]


def is_compiled(patience: float = 0.0) -> bool:
    """Whether the background compilation of this process is over; waits for it at most ``patience`` seconds."""
    return all(one.is_over.wait(patience) for one in UNDER_WAY)


def progress() -> tuple[int, int]:
    """The number of kernels ready, and the number in all."""
    return next(((one.done, one.of) for one in UNDER_WAY), (len(WANTED), len(WANTED)))
