"""What vehicles risk on the way to a place (vehicles/tracked-obstacles, base-vehicle/skimmers), for a bot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from campale.dice.needs import Need
from campale.mechanics.bases import Floats
from campale.referee.position import Model
from campale.rulesets.e3m.bots.forecast import chance
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.vehicles.driving import BREAKDOWN, risks_flying
from campale.rulesets.e3m.vehicles.stops import breakdown_points
from campale.table.paths import Path
from campale.table.shapes import Point

STUCK = 0.5
"""The share of its worth that a vehicle loses when it is immobilised."""


def losses_there(one: Squad, points: Sequence[Point]) -> Floats:
    """The points that a unit of vehicles is expected to lose on the straight way to each point; 0 where it stays."""
    models = [model for model in members(one.unit) if model.profile.gear in ("tracked", "flying")]
    each = one.worth / one.size
    found = [sum(risk(model, one.at, point) for model in models) for point in points]
    return np.array(found, np.float64) * each


def risk(model: Model, middle: Point, point: Point) -> float:
    """The share of its worth that a vehicle risks as its unit's middle moves to a point."""
    end = model.x + point[0] - middle[0], model.y + point[1] - middle[1]
    fails = 1.0 - chance(Need(BREAKDOWN))
    if end == model.at:
        return 0.0
    if model.profile.gear == "tracked":
        return STUCK * fails * len(breakdown_points(model, Path((model.at, end), model.facing), ()))
    there = model.position.supposing({model.row: end}).model(model.row)
    return fails * risks_flying(there, model.at)
