"""What a model shows to a viewer: its reach, what it sees, and which values have changed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.mechanics.display import all_refusals
from campale.referee.looks import CLEAR, PARTLY, UNSEEN, Arm, Changed, Reach, Sight, met_by, rays_of
from campale.referee.position import Model
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import ARCS, Line, Mount, Power, Weapon
from campale.rulesets.e55.definitions.characteristics import parts_of, value
from campale.rulesets.e55.definitions.footprints import half_sizes
from campale.rulesets.e55.definitions.measuring import distance, shot_distance, within
from campale.rulesets.e55.definitions.sight import (
    SILHOUETTE,
    STOREYS,
    Eye,
    blocked,
    eyes_of,
    opacity_of,
    screens_about,
    views,
)
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import COMBAT_SPEED, CRUISING, faced_by, members
from campale.rulesets.e55.movement_phase.movement import allowance
from campale.rulesets.e55.shooting_phase.fire import lines_of as lines_to_fire
from campale.rulesets.e55.shooting_phase.targets import locked_in_combat, out_of_arc
from campale.rulesets.e55.vehicles import legs
from campale.rulesets.e55.view.cards import LIVING, WALKING, lines_of
from campale.table import sight as lines
from campale.table.shapes import Point3, rounded
from campale.table.sight import NOTHING, SCREEN, Met, look

TEMPLATE = "template"

# ---------------------------------------------------------------- its reach


@rule("1.1/measure-nearest-points")
def reaches(model: Model) -> list[Reach]:
    """Return the move of its unit, a vehicle's combat and cruising speed, and every gun with its arcs."""
    return [*moves(model), *(one for mount in model.profile.mounts for one in shots(model, mount))]


def moves(model: Model) -> list[Reach]:
    """Return how far a unit moves, or a squadron at each speed that a vehicle of it may choose."""
    unit = model.unit
    if not is_all_vehicles(unit):
        return [Reach("move", allowance(unit), "3.1/move-allowance")] if members(unit) else []
    speeds = [("combat-speed", COMBAT_SPEED, "7.2/combat-speed"), ("cruising-speed", CRUISING, "7.2/cruising-speed")]
    able = speeds[:1] if is_walker(model) else speeds
    return [Reach(kind, far, cited) for kind, speed, cited in able if (far := legs.allowance(unit, speed)) > 0.0]


@rule("7.9/arcs")
def shots(model: Model, mount: Mount) -> list[Reach]:
    """Return a gun's reach.

    A turret, and any model but a vehicle, fires all round; other guns fire between the hull's corners.
    """
    far = max((line.range for line in mount.weapon.lines if line.reach == "ranged"), default=0.0)
    if not far:
        return []
    is_all_round = not is_vehicle(model) or mount.is_turret or set(ARCS) <= set(mount.arcs)
    arcs = [None] if is_all_round else [arc_of(model, side) for side in mount.arcs]
    cited = "3.2.1/range" if is_all_round else "7.9/arcs"
    return [Reach("weapon", far, cited, mount.weapon.id, arc) for arc in arcs]


def arc_of(model: Model, side: str) -> tuple[float, float]:
    """Return the angles off the facing, in degrees, of a side's corners as seen from the middle of the hull."""
    wide, deep = half_sizes(model.profile)
    corner = rounded(math.degrees(math.atan2(wide, deep)))
    return {
        "front": (-corner, corner),
        "right": (corner, 180.0 - corner),
        "rear": (180.0 - corner, 180.0 + corner),
        "left": (180.0 + corner, 360.0 - corner),
    }[side]


# ---------------------------------------------------------------- its weapons


@rule("9/weapon-profile")
def arms(model: Model) -> list[Arm]:
    """Return range, strength and AP of every profile of every weapon; cost, range and effect of every power."""
    weapons = [arm(weapon, line) for weapon in model.profile.weapons for line in lines_of(weapon)]
    return weapons + [of_power(power) for power in model.profile.powers]


@rule("5/casting")
def of_power(power: Power) -> Arm:
    """Return what a power costs, how far it reaches, and what it does: the numbers of a shot, or its effect."""
    values: dict[str, Plain] = {"cost": power.cost, "range": power.range or None}
    if power.shooting is not None:
        shot = arm(power, power.shooting)
        return Arm("powers", power.id, values | shot.values, shot.rules)
    least = f"{power.value}+" if power.kind == "ward" else power.value or None
    return Arm("powers", power.id, values, ((power.kind, least),))


def arm(weapon: Weapon | Power, line: Line) -> Arm:
    reach = line.range if line.reach == "ranged" else line.reach
    strength = f"×{line.strength}" if line.of_user else line.strength
    told = tuple((one.name, one.of or one.value or None) for one in line.rules)
    return Arm("weapons", weapon.id, {"range": reach, "strength": strength, "ap": line.ap}, told)


# ---------------------------------------------------------------- its sight


@rule("1.1/los-line", "1.1/los-blocked", "1.1/los-none")
def sight(viewer: Model, target: Model) -> Sight:
    """Return the lines from the eye or muzzle that sees most of a model, and what they meet."""
    eyes = eyes_of(viewer)
    found = views(viewer.position, eyes, target.unit)
    at = found.rows.index(target.row)
    best = int(np.argmin(found.hidden[:, at]))
    verdict, cited = CLEAR, "1.1/los-line"
    if not found.visible[:, at].any():
        verdict, cited = UNSEEN, "1.1/los-none"
    elif blocked(viewer.position, found)[:, at].all():
        verdict, cited = PARTLY, "1.1/los-blocked"
    return drawn(viewer, target, eyes[best], verdict, cited)


def sampling(target: Model) -> lines.Sampling:
    """Return where lines to a model end: at legs, torso and head, or all over a vehicle's silhouette."""
    return SILHOUETTE if is_vehicle(target) else STOREYS


def drawn(viewer: Model, target: Model, eye: Eye, verdict: str, cited: str) -> Sight:
    position = viewer.position
    between = [m for m in position.on_table() if m.unit not in (viewer.unit, target.unit) and m != viewer.aboard_of]
    seen = look(position.ground, eye[1], target.solid, sampling(target), [model.solid for model in between])
    hiding = pieces_that_hide(target, eye[1])

    def hides(line: lines.Line) -> Sequence[Met]:
        return [*(met for met in line.pieces if met.what in hiding), *line.bodies]

    met = met_by(seen, hides)
    pieces = tuple(one.what for one in met if isinstance(one.what, str))
    bodies = tuple(between[one.what].row for one in met if isinstance(one.what, int))
    barred = () if verdict == UNSEEN else barring(viewer, target)
    return Sight(verdict, distance(viewer, target), cited, rays_of(seen, hides), pieces, bodies, barred)


@rule("10.1/terrain-data")
def pieces_that_hide(target: Model, eye: Point3) -> set[str]:
    """Return the pieces that hide what is behind them. A screen hides nothing for a viewer or a target inside it."""
    ground = target.position.ground
    near_eye, near_target = screens_about(ground, [(eye[0], eye[1]), target.at]).tolist()
    return {
        piece.name
        for piece, *is_near in zip(ground.pieces, near_eye, near_target, strict=True)
        if opacity_of(piece) != NOTHING and not (any(is_near) and opacity_of(piece) == SCREEN)
    }


# ---------------------------------------------------------------- why it cannot be shot at


@rule("3.2.1/range")
def is_too_far(shooter: Model, target: Model) -> Fault | None:
    """The target is out of range of every weapon of the shooter, and none of them uses a template."""
    reaches = [line.range for _, _, line in lines_to_fire(shooter)]
    if not reaches or any(line.reach == TEMPLATE for _, _, line in lines_to_fire(shooter)):
        return None
    away, longest = shot_distance(shooter, target.unit), max(reaches)
    return None if within(away, longest) else Fault(target.at, float(away), longest, target.row)


@rule("3.1.4/facing-restricts", "3.2/legal-target")
def faces_another(shooter: Model, target: Model) -> Fault | None:
    """The shooter's unit does not face the target. Vehicles' weapons may fire at any unit."""
    faced = faced_by(shooter.unit)
    if is_vehicle(shooter) or faced == target.unit:
        return None
    if faced is None or not members(faced):
        return Fault(target.at, model=target.row, word="faces-nobody")
    return Fault(target.at, model=members(faced)[0].row, word="faces-another")


@rule("3.2/legal-target")
def is_locked(shooter: Model, target: Model) -> Fault | None:
    del shooter
    fault = locked_in_combat(target.unit)
    return None if fault is None else Fault(target.at, model=target.row, word="locked-in-combat")


@rule("7.9/arcs")
def is_outside_arcs(shooter: Model, target: Model) -> Fault | None:
    """The target is outside the arcs of every weapon of a vehicle."""
    mounts = range(len(shooter.profile.mounts)) if is_vehicle(shooter) else range(0)
    outside = [out_of_arc(shooter, mount, target.unit) for mount in mounts]
    return outside[0] if outside and all(one is not None for one in outside) else None


TO_SHOOT = (is_too_far, is_outside_arcs, is_locked, faces_another)


def barring(viewer: Model, target: Model) -> tuple[Refusal, ...]:
    """Return why a viewer cannot fire at a model that it sees; nothing for a viewer with nothing to fire."""
    if not lines_to_fire(viewer):
        return ()
    return all_refusals(TO_SHOOT, viewer, target)


# ---------------------------------------------------------------- changed values


@rule("1.3/characteristics")
def changes(model: Model) -> dict[str, Changed]:
    """Return the characteristics that differ from the printed ones, and the rules that changed them."""
    names = WALKING if is_vehicle(model) else (*LIVING[:4], "w", *LIVING[4:])
    found = {}
    for name in names:
        printed = getattr(model.profile, name)
        if printed is not None and value(model, name) != printed:
            found[name] = Changed(printed, tuple(dict.fromkeys(part.rule for part in parts_of(model, name))))
    return found
