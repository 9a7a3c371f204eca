"""What a model may do with its AP, for a bot: a few answers for each action of its menu.

Ways lead to the best points around it. Of shots and attacks, the first that the rules propose are tried. This is a
judgement, not a rule: the questions of the rules find the ways themselves and check them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from campale.mechanics.judgement.spots import best_apart, on_the_table, round_about
from campale.referee.position import Model
from campale.referee.question import Form
from campale.referee.refusal import Plain
from campale.referee.spatial import Spatial
from campale.rulesets.wzr.bots.acting import Acting
from campale.rulesets.wzr.bots.pulls import goals
from campale.rulesets.wzr.squads.coherency import strays
from campale.table.shapes import Point, facing_towards
from campale.table.turning import shorter_turn

SHARES, APART = (1.0, 0.5), 2.0
"""Distances of the points looked at, as shares of an action's reach, and the least distance between points tried."""
MOST_POINTS, MOST_WAYS, MOST = 8, 4, 12
"""To how many points a way is sought, how many ways are tried, and how many answers for any other action."""
LEAST = 0.5
"""The least distance, in inches, that a way must lead."""
NEAREST = 4
"""The number of nearest enemies that a straight way is tried towards."""


def answers(acting: Acting, form: Form, names: Sequence[str]) -> Iterator[list[Plain]]:
    """Some answers for each of the actions that the model may take."""
    for name in names:
        field = form.field([name])
        if isinstance(field, Spatial) and field.seeks is not None:
            yield from ways(acting, form, name, field)
        else:
            yield from islice(begun(form, [name]), MOST)


def begun(form: Form, answers: list[Plain]) -> Iterator[list[Plain]]:
    """Complete answers that begin with these."""
    return form.filled_in(tuple(answers), tuple(form.understood(answers)))


def ways(acting: Acting, form: Form, name: Plain, field: Spatial) -> Iterator[list[Plain]]:
    """Ways to the mission's goals and to the best points around, each as far as possible."""
    assert field.seeks is not None
    far, turn = (float(str(field.shown.get(key, 360.0))) for key in ("allowance", "turn"))
    aims = (*goals(acting.position, acting.one), *islice(best_points(acting, far, turn), MOST_POINTS))
    found: list[Plain] = []
    for way in (way for aim in aims for way in islice(field.seeks(aim), 1)):
        if way not in found and gets_on(acting.model, way):
            found.append(way)
            yield from islice(begun(form, [name, way]), 1)
        if len(found) == MOST_WAYS:
            return


def gets_on(model: Model, way: Any) -> bool:
    """Whether the way leads anywhere."""
    return bool(way[0]) and math.dist(model.at, way[0][-1][:2]) >= LEAST


def best_points(acting: Acting, far: float, turn: float) -> Iterator[Point]:
    """Points around the model, best first, within its reach and near enough to its Commander."""
    model, points = acting.model, points_about(acting, far)
    points = [at for at in points if is_ahead(model, at, turn) and strays(model, at) is None]
    worths = acting.places([acting.at(point) for point in points], 0)
    yield from best_apart(points, np.array(worths, np.float64), min(APART, max(0.5, far / 3.0)))


def points_about(acting: Acting, far: float) -> list[Point]:
    """Points all around, straight towards the mission's goals, and straight towards the nearest enemies."""
    one, position = acting.one, acting.position
    at = one.x, one.y
    enemies = sorted((math.dist(at, (enemy.x, enemy.y)), enemy.x, enemy.y) for enemy in acting.enemies)[:NEAREST]
    aims = [*goals(position, one), *((x, y) for _, x, y in enemies)]
    points = [*(towards(at, goal, far) for goal in aims), *round_about(at, [share * far for share in SHARES])[1:]]
    return on_the_table(points, position.ground.width, position.ground.depth, one.radius)


def towards(at: Point, goal: Point, far: float) -> Point:
    share = min(1.0, far / max(0.01, math.dist(at, goal)))
    return at[0] + share * (goal[0] - at[0]), at[1] + share * (goal[1] - at[1])


def is_ahead(model: Model, at: Point, turn: float) -> bool:
    """Whether the model reaches the point without turning more than ``turn`` degrees."""
    return turn >= 180.0 or abs(shorter_turn(model.facing, facing_towards(model.at, at))) <= turn
