"""The table as a seat sees it: the enemies, the places worth going to, and the models that an answer concerns.

It uses only what every ruleset provides (markers that count, zones, parts of options), and knows no book.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from campale.referee.position import Model
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat
from campale.table.measure import touches
from campale.table.shapes import Point

MODEL, UNIT, TARGET = "model", "unit", "target"
NAMING = (TARGET, UNIT, MODEL)
"""The parts of an option that name a model or a unit; a target is a unit, or a model where units have one."""


class Eyes:
    """One look at the table. ``position`` is what the side may see."""

    def __init__(self, seat: Seat) -> None:
        self.side, self.position, self.ruleset = seat.side, seat.position(), seat.ruleset

    @cached_property
    def foes(self) -> list[Model]:
        return [model for model in self.position.on_table() if model.side != self.side]

    @cached_property
    def goals(self) -> list[Point]:
        """Markers that count and zones that matter, except those that the side holds; else the enemies' places."""
        position, within = self.position, self.ruleset.counts_within
        tokens = [one for one in position.tokens if within is not None and within(position, one) > 0.0]
        found = [(one.x, one.y) for one in tokens if one.side != self.side]
        zones = [] if self.ruleset.zones is None else self.ruleset.zones(position)
        found += [middle(zone.outline or (zone.at,)) for zone in zones if zone.side != self.side]
        return found or [foe.at for foe in self.foes]

    def goal(self, start: Point) -> Point | None:
        """The nearest place to go to."""
        return min(self.goals, key=lambda at: math.dist(at, start), default=None)

    # ------------------------------------------------------------------ the models that an option names

    def named(self, question: Question, option: Plain) -> list[Model]:
        """The models that an option names; for a unit, all its models."""
        of = str(getattr(question, "of", ""))
        if of in NAMING and isinstance(option, int) and not isinstance(option, bool):
            return self.of_row(of, option)
        parts = self.ruleset.parts
        told = (parts(self.position.profiles, question, option) if parts is not None and of else None) or {}
        rows = [(name, row) for name in NAMING for row in (told.get(name), *several(told.get(f"{name}s")))]
        return [model for name, row in rows if isinstance(row, int) for model in self.of_row(name, row)]

    def of_row(self, name: str, row: int) -> list[Model]:
        if name == MODEL:
            return [self.position.model(row)] if 0 <= row < len(self.position.names) else []
        return [one for one in self.position.on_table() if one.unit.row == row]

    # ------------------------------------------------------------------ the end of a move

    def movers(self, about: Mapping[str, Plain]) -> list[Model]:
        """The models that a question is about."""
        rows = [about.get(MODEL), *several(about.get(f"{MODEL}s"))]
        found = [model for row in rows if isinstance(row, int) for model in self.of_row(MODEL, row)]
        unit = about.get(UNIT)
        return found or (self.of_row(UNIT, unit) if isinstance(unit, int) else [])

    def start(self, movers: Sequence[Model]) -> Point | None:
        """The middle of those movers that are on the table."""
        there = [model.at for model in movers if model.is_on_table]
        return middle(there) if there else None

    def strikes(self, ends: Mapping[int, Point]) -> bool:
        """Whether models that come to these points touch an enemy there."""
        there = self.position.supposing(dict(ends))
        solids = [there.model(foe.row).solid for foe in self.foes]
        return any(touches(there.model(row).solid, solid) for row in ends for solid in solids)


def ends_of(question: Question, movers: Sequence[Model], answer: Any) -> dict[int, Point]:
    """The points where the models end by an answer to a move, by row; models that stay are included."""
    ways = answer if len(movers) > 1 or "models" in question.about else [answer]
    found = {}
    for model, (points, _) in zip(movers, ways, strict=True):
        x, y = points[-1][:2] if points else model.at
        found[model.row] = (float(x), float(y))
    return found


def middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def several(rows: Plain) -> Iterable[Plain]:
    return rows if isinstance(rows, list | tuple) else ()
