"""Templates and area markers (9.1/template, 9.1.1/area): where they are laid, where they drift, who is under them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.dice import random_direction, sum_of
from campale.rulesets.e55.fire import POWERS, Shot, eye_of, line_of
from campale.rulesets.e55.footprints import half_sizes
from campale.rulesets.e55.measuring import exact, shot_distance_to
from campale.rulesets.e55.profile import ARCS, Arc
from campale.rulesets.e55.types import is_vehicle
from campale.rulesets.e55.units import members
from campale.rulesets.e55.weapon_rules import marker_of, reaches
from campale.table.shapes import Point, Solid, heading
from campale.table.templates import Blast, Placement, Pose, Teardrop, placements, under

WHOLE_CIRCLE = ((-180.0, 180.0),)
DRIFT_STEP, DRIFT_ADDED = 2.0, 2
MOST_WAYS = 8


@rule("9.1/template-shape")
def teardrop() -> Teardrop:
    return Teardrop(8.0, 2.5)


# ---------------------------------------------------------------- 9.1/template


def angles_of(model: Model, arcs: Sequence[Arc]) -> tuple[tuple[float, float], ...]:
    """The degrees, clockwise from the way a vehicle points, that its arcs span: cut by its corners."""
    if set(ARCS) <= set(arcs):
        return WHOLE_CIRCLE
    wide, deep = half_sizes(model.profile)
    corner = math.degrees(math.atan2(wide, deep))
    spans = {
        "front": (-corner, corner),
        "right": (corner, 180.0 - corner),
        "rear": (180.0 - corner, 180.0 + corner),
        "left": (180.0 + corner, 360.0 - corner),
    }
    return tuple(spans[arc] for arc in arcs)


def place_of(position: Position, shot: Shot) -> tuple[Solid, Point | None, tuple[tuple[float, float], ...]]:
    """Against what the narrow end is laid: the base of a model, or a muzzle or fire point, and in which directions."""
    model = position.model(shot.model)
    carrier = model.aboard_of
    if carrier is not None:
        x, y, _ = eye_of(position, shot)[1]
        return carrier.solid, (x, y), WHOLE_CIRCLE
    if not is_vehicle(model) or shot.weapon >= POWERS:
        return model.solid, None, WHOLE_CIRCLE
    x, y, _ = eye_of(position, shot)[1]
    mount = model.profile.mounts[shot.weapon]
    return model.solid, (x, y), WHOLE_CIRCLE if mount.is_turret else angles_of(model, mount.arcs)


def near(position: Position, one: Model, side: int) -> list[Model]:
    """The models of a side that a teardrop laid at a model may reach."""
    reach = teardrop().length + 2.0 * sum(half_sizes(one.profile))
    return [model for model in position.on_table(side) if model.row != one.row and exact(one, model) <= reach]


@rule("9.1/template")
def ways_to_lay(position: Position, shot: Shot) -> list[tuple[int, ...]]:
    """The groups of enemy models (rows) that a teardrop may cover: as many as possible, one of the target at least."""
    model = position.model(shot.model)
    standing = model.aboard_of or model
    foes, friends = near(position, standing, 1 - model.side), near(position, standing, model.side)
    must = [k for k, foe in enumerate(foes) if foe.unit.row == shot.target]
    if not must:
        return []
    firer, muzzle, arcs = place_of(position, shot)
    solids, clear = [foe.solid for foe in foes], [friend.solid for friend in friends]
    found: list[Placement] = []
    for arc in arcs:
        found += placements(
            teardrop(), firer, solids, clear, part="partly", must=must, arc=arc, muzzle=muzzle, step=2.0
        )
    most = max((len(one.covered) for one in found), default=0)
    groups = [tuple(foes[k].row for k in one.covered) for one in found if len(one.covered) == most]
    return list(dict.fromkeys(groups))[:MOST_WAYS]


@rule("9.1/template")
async def lay_teardrop(position: Position, shot: Shot) -> tuple[int, ...]:
    """The rows of the models under it; of several ways that cover as many the firing player chooses."""
    ways = ways_to_lay(position, shot)
    if not ways:
        position.write("template-fails", model=shot.model, target=shot.target)
        return ()
    side = position.side_of[shot.model]
    covered: tuple[int, ...] = await choose(side, "template", ways, of="models", model=shot.model, target=shot.target)
    position.write("template", model=shot.model, target=shot.target, under=covered)
    return covered


# ---------------------------------------------------------------- 9.1.1/area


@rule("9.1.1/area")
def drift(rolled: int, bs: int) -> float:
    """How far a marker drifts: 2 inches for each point of the die plus 2 minus ballistic skill; 0: it stays."""
    return max(0.0, DRIFT_STEP * (rolled + DRIFT_ADDED - bs))


@rule("9.1.1/area")
def places_for_marker(position: Position, shot: Shot) -> list[int]:
    """The models of the target within range, those first where most enemies and fewest friends would be hit."""
    line, firer = line_of(position, shot), position.model(shot.model)
    origin = eye_of(position, shot)[1] if firer.aboard_of is not None else None
    models = [
        model
        for model in members(Unit(position, shot.target))
        if reaches(line, shot.attacks, shot_distance_to(firer, model, origin))
    ]
    radius = marker_of(line) or 0.0
    hit = {model.row: hit_at(position, model.at, radius) for model in models}
    worth = {row: sum(worth_of(position, firer, one) for one in under_it) for row, under_it in hit.items()}
    return sorted(worth, key=lambda row: (-worth[row], row))


def worth_of(position: Position, firer: Model, row: int) -> int:
    return -1 if position.side_of[row] == firer.side else 1


@rule("9.1.1/area", "9.1.1/area-size")
def hit_at(position: Position, centre: Point, radius: float) -> tuple[int, ...]:
    """The rows of all models, friends too, that are even partly under a marker."""
    x, y = centre
    close = [m for m in position.on_table() if max(abs(m.x - x), abs(m.y - y)) <= radius + reach_of(m)]
    found = under(Blast(radius), Pose(x, y), [model.solid for model in close], part="partly")
    return tuple(close[k].row for k in found)


def reach_of(model: Model) -> float:
    return sum(half_sizes(model.profile))


@rule("9.1.1/area")
async def lay_marker(position: Position, shot: Shot, bs: int) -> tuple[int, ...]:
    """Placed on a model of the target, it drifts by a die and ballistic skill; the rows of those it hits."""
    side, radius = position.side_of[shot.model], marker_of(line_of(position, shot)) or 0.0
    about: dict[str, Any] = {"model": shot.model, "target": shot.target}
    on = await choose(side, "marker", places_for_marker(position, shot), of="model", **about)
    x, y = position.model(on).at
    off = drift(await sum_of(side, "drift", 1, bs=bs, **about), bs)
    if off > 0:
        ahead = heading(await random_direction(side, "drift-direction", inches=off, **about))
        x, y = x + off * ahead[0], y + off * ahead[1]
    hit = hit_at(position, (x, y), radius)
    position.write("marker", **about, on=on, drift=off, x=x, y=y, radius=radius, under=hit)
    return hit
