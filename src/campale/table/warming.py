"""What battles call of the compiled geometry, compiled before anybody waits for it.

Every kernel that Python calls stands here with the kinds of what it is given; those that only kernels call are
compiled along with their callers. What is compiled is kept on disk by the kernels themselves, where there is a folder
for it, and is only fetched the next time.
"""

from __future__ import annotations

from collections.abc import Callable
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
}
"""A float, a whole number, a flag; arrays of floats, whole numbers, bytes or flags, by their dimensions."""

TABLE = "f f f f2 f2 i1 f2"
"""What a planner is told of a table: width, depth, the base's radius, discs, and outlines."""

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
    "polygons_gap": ("f2 f2",),
    "signed_gaps": ("f1 f1 f2",),
    # hulls and formations
    "clear_of_hulls": ("f2 f f f2 i1 f1 f2",),
    "first_overlap": ("f2",),
    "hulls_clear": ("f2 f f f2 f2 f2 f2 f2 i1 f2 i1",),
    "linked_discs": ("f2 f",),
    "near_each_other": ("f2 f1 f",),
    "open_spots": ("f2 f f2 f1 i f",),
    # sight
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
    "all_stand_free": (f"{TABLE} f2",),
    "in_area": ("f2 f2 f b",),
    "plan_best": (f"{TABLE} f f i f f f",),
    "plan_route": (f"{TABLE} f f f2 f f f f",),
    "sample_places": (f"{TABLE} f2 f2",),
    "stands_free": (f"{TABLE} f f",),
    "way_trouble": (f"{TABLE} f2",),
}


def warm_up(tell: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Compiles every kernel that battles call, or fetches it from where it is kept; ``tell`` is told how far it is."""
    for done, (name, wanted) in enumerate(WANTED.items()):
        tell(done, len(WANTED))
        one: Any = getattr(kernels, name)
        for kinds in wanted:
            one.compile(kinds_of(one, kinds))
    tell(len(WANTED), len(WANTED))


def kinds_of(one: Any, kinds: str) -> tuple[Any, ...]:
    """The compiler's own types of what a kernel is given."""
    return tuple(one.typeof_pyval(KINDS[kind]) for kind in kinds.split())
