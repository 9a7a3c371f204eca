"""Templates and area markers (9.1/template, 9.1.1/area): where they are laid, how they drift, which models they hit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from campale.referee.ask import choose
from campale.referee.looks import Laid
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import ARCS, Arc, Line
from campale.rulesets.e55.definitions.dice import every_heading, random_direction, sum_of
from campale.rulesets.e55.definitions.footprints import half_sizes
from campale.rulesets.e55.definitions.measuring import exact, shot_distance_to
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, eye_of, line_of
from campale.rulesets.e55.weapons.weapon_rules import marker_of, reaches
from campale.table.shapes import Point, Solid, heading, rounded
from campale.table.templates import Blast, Bools, Placement, Pose, Teardrop, outline_at, placements, under_each

WHOLE_CIRCLE = ((-180.0, 180.0),)
DRIFT_STEP, DRIFT_ADDED = 2.0, 2
MOST_WAYS = 8


@rule("9.1/template-shape")
def teardrop() -> Teardrop:
    return Teardrop(8.0, 2.5)


# ---------------------------------------------------------------- 9.1/template


def angles_of(model: Model, arcs: Sequence[Arc]) -> tuple[tuple[float, float], ...]:
    """Return the angles that a vehicle's arcs span, in degrees clockwise from its front.

    The corners of the hull limit the arcs.
    """
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
    """Return the solid that the narrow end touches, the firing point (None for a base), and the allowed arcs."""
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
    """Return the models of a side that a teardrop laid at a model may reach."""
    reach = teardrop().length + 2.0 * sum(half_sizes(one.profile))
    return [model for model in position.on_table(side) if model.row != one.row and exact(one, model) <= reach]


def ways_to_lay(position: Position, shot: Shot) -> list[tuple[int, ...]]:
    """Return the groups of enemy models (rows) that a teardrop may cover."""
    return list(poses(position, shot))


def poses(position: Position, shot: Shot) -> dict[tuple[int, ...], Pose]:
    """Return those groups, each with the pose of the teardrop that covers it, cached until something moves."""
    kept, key = position.layout, ("poses", shot)
    if key not in kept:
        kept[key] = largest_groups(position, shot)
    return dict(kept[key])


@rule("9.1/template")
def largest_groups(position: Position, shot: Shot) -> dict[tuple[int, ...], Pose]:
    """Return the largest possible groups, with at least one model of the target in each."""
    model = position.model(shot.model)
    standing = model.aboard_of or model
    foes, friends = near(position, standing, 1 - model.side), near(position, standing, model.side)
    must = [k for k, foe in enumerate(foes) if foe.unit.row == shot.target]
    if not must:
        return {}
    firer, muzzle, arcs = place_of(position, shot)
    solids, clear = [foe.solid for foe in foes], [friend.solid for friend in friends]
    found: list[Placement] = []
    for arc in arcs:
        found += placements(
            teardrop(), firer, solids, clear, part="partly", must=must, arc=arc, muzzle=muzzle, step=2.0
        )
    most = max((len(one.covered) for one in found), default=0)
    laid = [(tuple(foes[k].row for k in one.covered), one.pose) for one in found if len(one.covered) == most]
    first = dict(reversed(laid))
    return {group: first[group] for group in list(dict.fromkeys(group for group, _ in laid))[:MOST_WAYS]}


@rule("9.1/template")
async def lay_teardrop(position: Position, shot: Shot) -> tuple[int, ...]:
    """Lay the teardrop and return the rows of the models under it.

    If several poses cover equally many models, the firing player chooses.
    """
    ways = poses(position, shot)
    if not ways:
        position.write("template-fails", model=shot.model, target=shot.target)
        return ()
    side = position.side_of[shot.model]
    about: dict[str, Any] = {"model": shot.model, "target": shot.target}
    lying: Plain = [plainly(pose) for pose in ways.values()]
    covered: tuple[int, ...] = await choose(side, "template", list(ways), of="models", poses=lying, **about)
    position.write("template", **about, under=covered, pose=plainly(ways[covered]))
    return covered


def plainly(pose: Pose) -> list[float]:
    return [rounded(pose.x), rounded(pose.y), rounded(pose.facing)]


# ---------------------------------------------------------------- 9.1.1/area


@rule("9.1.1/area")
def drift(rolled: int, bs: int) -> float:
    """Return the drift of a marker: 2 inches for each point of the die plus 2 minus ballistic skill; 0: it stays."""
    return max(0.0, DRIFT_STEP * (rolled + DRIFT_ADDED - bs))


@rule("9.1.1/area")
def places_for_marker(position: Position, shot: Shot) -> list[int]:
    """Return the models of the target within range, sorted to hit the most enemies and the fewest friends."""
    line, kept = line_of(position, shot), position.layout
    key = "places-for-marker", shot, line
    if key not in kept:
        kept[key] = tuple(places_by_worth(position, shot, line))
    return list(kept[key])


def places_by_worth(position: Position, shot: Shot, line: Line) -> list[int]:
    firer = position.model(shot.model)
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
    """Return the rows of all models, friends included, that are at least partly under a marker."""
    rows, hit = hit_at_each(position, [centre], radius)
    return tuple(rows[k] for k in hit[0].nonzero()[0].tolist())


def hit_at_each(position: Position, centres: Sequence[Point], radius: float) -> tuple[list[int], Bools]:
    """Return the rows of the models that a marker may hit, and for each centre a mask of those it hits."""
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    low, high = (min(xs) - radius, min(ys) - radius), (max(xs) + radius, max(ys) + radius)
    close = [model for model in position.on_table() if reaches_into(model, low, high)]
    hit = under_each(Blast(radius), [Pose(x, y) for x, y in centres], [model.solid for model in close], part="partly")
    return [model.row for model in close], hit


def reaches_into(model: Model, low: Point, high: Point) -> bool:
    reach = sum(half_sizes(model.profile))
    return low[0] - reach <= model.x <= high[0] + reach and low[1] - reach <= model.y <= high[1] + reach


@rule("9.1.1/area")
async def lay_marker(position: Position, shot: Shot, bs: int) -> tuple[int, ...]:
    """Place the marker on a model of the target, let it drift, and return the rows of the models it hits.

    The drift depends on a die and on ballistic skill.
    """
    side, radius = position.side_of[shot.model], marker_of(line_of(position, shot)) or 0.0
    about: dict[str, Any] = {"model": shot.model, "target": shot.target}
    on = await choose(side, "marker", places_for_marker(position, shot), of="model", radius=radius, **about)
    x, y = position.model(on).at
    off = drift(await sum_of(side, "drift", 1, bs=bs, **about), bs)
    if off > 0:
        tells = partial(hit_in_each_direction, position, (x, y), off, radius)
        ahead = heading(await random_direction(side, "drift-direction", tells, inches=off, **about))
        x, y = drifted((x, y), off, ahead)
    hit = hit_at(position, (x, y), radius)
    position.write("marker", **about, on=on, drift=off, x=x, y=y, radius=radius, under=hit)
    return hit


# ---------------------------------------------------------------- as it is drawn


def laid(position: Position, question: Question, answer: Plain) -> Laid | None:
    """Return the template or marker that an answer would lay; a marker may drift afterwards."""
    about: dict[str, Any] = question.about
    if question.prompt == "marker" and isinstance(answer, int):
        at = position.model(answer).at
        return Laid(at, about["radius"], (), hit_at(position, at, about["radius"]))
    if question.prompt != "template" or not isinstance(question, Choose) or answer not in question.candidates:
        return None
    return teardrop_at(about["poses"][question.candidates.index(answer)], answer)


def landed(kind: str, values: Mapping[str, Any]) -> Laid | None:
    """Return the template or marker of an event, at its final place."""
    if kind == "marker":
        return Laid((values["x"], values["y"]), values["radius"], (), tuple(values["under"]))
    return teardrop_at(values["pose"], values["under"]) if kind == "template" and "pose" in values else None


def teardrop_at(pose: Sequence[float], under: Any) -> Laid:
    x, y, facing = pose
    return Laid((x, y), 0.0, tuple(outline_at(teardrop(), Pose(x, y, facing))), tuple(under))


def drifted(start: Point, off: float, ahead: Point) -> Point:
    return start[0] + off * ahead[0], start[1] + off * ahead[1]


def hit_in_each_direction(position: Position, start: Point, off: float, radius: float) -> list[bytes]:
    """For each random direction, return the models that a marker hits after this drift, as bytes of a mask."""
    _, hit = hit_at_each(position, [drifted(start, off, ahead) for ahead in every_heading()], radius)
    return [row.tobytes() for row in hit]
