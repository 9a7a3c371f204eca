"""Formations: the relative places of a unit's models when it is deployed, as chosen by the player."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from campale.referee.asking import are_numbers
from campale.referee.handles import Model
from campale.referee.position import Position
from campale.referee.question import Question
from campale.screen.dragging import Wish, rows_of
from campale.table.formations import led, rows, spots, wedge
from campale.table.measure import bounding_radius
from campale.table.shapes import Point

USUAL = 0.35
"""The default gap between two bases, as a share of their width."""
LOOSE = 1.5
"""The same for a loose formation, if the unit's coherency allows it."""
KEPT = 0.05
"""The margin kept within coherency, for turns not to break it."""
MOST_SPACING = 1000.0


class Formation(NamedTuple):
    """How a unit stands: one of ``FORMATIONS``, and the gap between its bases (None: the usual one)."""

    name: str
    spacing: float | None = None


Arranged = Callable[[int, float, Point, float], Sequence[Point]]
"""Places for a number of models at a spacing around a point, for a facing."""


def in_line(count: int, pitch: float, centre: Point, facing: float) -> Sequence[Point]:
    return rows(count, pitch, count, centre, facing)


def in_two_ranks(count: int, pitch: float, centre: Point, facing: float) -> Sequence[Point]:
    return rows(count, pitch, math.ceil(count / 2), centre, facing)


def in_block(count: int, pitch: float, centre: Point, facing: float) -> Sequence[Point]:
    return rows(count, pitch, math.ceil(math.sqrt(count)), centre, facing)


def loosely(count: int, pitch: float, centre: Point, facing: float) -> Sequence[Point]:
    return tuple(spots(centre, pitch, count))


FORMATIONS: dict[str, Arranged] = {
    "line": in_line,
    "two-ranks": in_two_ranks,
    "block": in_block,
    "wedge": wedge,
    "loose": loosely,
}


def read_formation(name: object, spacing: object) -> Formation | None:
    """The formation in a request; None if it cannot be read."""
    if not isinstance(name, str) or name not in FORMATIONS:
        return None
    if spacing is None:
        return Formation(name)
    if not are_numbers([spacing]):
        return None
    gap = float(spacing)  # type: ignore[arg-type]
    return Formation(name, gap) if 0.0 <= gap <= MOST_SPACING else None


def formed(question: Question, position: Position, about: Wish, formation: Formation) -> dict[int, Wish]:
    """The places of a unit's models in formation around a point, all with one facing, the leader in the middle."""
    models = [position.model(row) for row in rows_of(question)]
    facing = facing_of(question, models) if about.facing is None else about.facing
    places = FORMATIONS[formation.name](len(models), pitch(question, models, formation), about.points[-1], facing)
    places = led(places, leader_among(models))
    return {model.row: Wish([at], facing) for model, at in zip(models, places, strict=True)}


def leader_among(models: Sequence[Model]) -> int | None:
    """The number of the model that its own unit keeps near."""
    commands = models[0].position.ruleset.commands
    found = ((k, commands(model)) for k, model in enumerate(models) if commands is not None)
    return next((k for k, one in found if one is not None and models[k].unit.row in one.units), None)


def pitch(question: Question, models: Sequence[Model], formation: Formation) -> float:
    """The distance between the centres of two models."""
    wide = 2.0 * max(bounding_radius(model.solid.shape) for model in models)
    if formation.spacing is not None:
        return wide + formation.spacing
    gap = wide * (LOOSE if formation.name == "loose" else USUAL)
    link = question.shown.get("coherency") if hasattr(question, "shown") else None
    return wide + (min(gap, max(0.0, float(link) - KEPT)) if isinstance(link, int | float) else gap)


def facing_of(question: Question, models: Sequence[Model]) -> float:
    """The facing of the models in the proposal."""
    proposed = next(iter(question.proposals(1)), None) if question.kind == "place" else None
    return float(proposed[0][2]) if proposed else models[0].facing
