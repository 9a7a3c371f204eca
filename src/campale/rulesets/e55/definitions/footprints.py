"""Footprints and heights (1.1): a model's base or hull, its eyes, muzzles, hatches and fire points."""

from __future__ import annotations

from functools import lru_cache

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Mount, Profile
from campale.rulesets.e55.definitions.units import faced_by, members
from campale.table.measure import gap, nearest_point
from campale.table.outlines import placed
from campale.table.shapes import Circle, Hull, Point3, Shape, Solid, rounded

EYES = 0.9
MONSTER_MUZZLE = 2.0 / 3.0
DIAMETER = {"infantry": 1.0, "beast": 1.5, "bike": 1.5, "monster": 2.5}
HEIGHT = {"infantry": 1.25, "beast": 1.5, "bike": 1.5, "monster": 3.0}
WALKER_DIAMETER, WALKER_HEIGHT = 2.5, 3.0
HULL_LENGTH, HULL_WIDTH, HULL_HEIGHT = 5.0, 3.0, 2.5
OUTSIDE = 0.01


@lru_cache(maxsize=1024)
@rule("1.1/default-footprints", "1.1/model-without-base")
def shape(profile: Profile) -> Shape:
    """Return a round base, or for a vehicle other than a walker a hull with its front along +y.

    Default sizes replace those that the profile leaves out.
    """
    if profile.type == "vehicle" and not profile.is_a("walker"):
        half_w, half_l = (profile.width or HULL_WIDTH) / 2.0, (profile.length or HULL_LENGTH) / 2.0
        corners = ((-half_w, -half_l), (half_w, -half_l), (half_w, half_l), (-half_w, half_l))
        return Hull(corners, points_of(profile, half_w, half_l))
    usual = WALKER_DIAMETER if profile.type == "vehicle" else DIAMETER[profile.type]
    return Circle((profile.diameter or usual) / 2.0)


def points_of(profile: Profile, wide: float, deep: float) -> dict[str, Point3]:
    """Return the hatches and the fire points of a transport, by name, to be displayed."""
    if not profile.capacity:
        return {}
    ways_out = usual_hatches(wide, deep) if profile.hatches is None else profile.hatches
    named = [("hatch", ways_out), ("fire", () if profile.is_a("open-topped") else profile.fire_points)]
    return {f"{kind}-{k}": point for kind, points in named for k, point in enumerate(points)}


def usual_hatches(wide: float, deep: float) -> tuple[Point3, ...]:
    """Return the middle of the left, the right and the rear side of a hull."""
    return (-wide, 0.0, 0.0), (wide, 0.0, 0.0), (0.0, -deep, 0.0)


@lru_cache(maxsize=1024)
@rule("1.1/default-footprints")
def height(profile: Profile) -> float:
    if profile.height:
        return profile.height
    if profile.type != "vehicle":
        return HEIGHT[profile.type]
    return WALKER_HEIGHT if profile.is_a("walker") else HULL_HEIGHT


@rule("1.1/model", "1.1/model-is-its-base")
def solid(model: Model) -> Solid:
    """Return the upright solid of a model, cached until something moves."""
    kept, key = model.position.layout, ("solid", model.row)
    found: Solid | None = kept.get(key)
    if found is None:
        position, row = model.position, model.row
        form, tall = bodies_of(position)[row]
        at = position.x[row], position.y[row], position.z[row]
        found = kept[key] = Solid(form, *at, position.facing[row], tall)
    return found


def bodies_of(position: Position) -> list[tuple[Shape, float]]:
    """Return the shape in plan and the height in inches of every model of the roster."""
    kept = position.roster.get("bodies")
    if kept is None:
        kept = position.roster["bodies"] = [(shape(profile), height(profile)) for profile in position.profiles]
    found: list[tuple[Shape, float]] = kept
    return found


@rule("1.1/los-line", "1.1/default-footprints")
def eyes(model: Model) -> Point3:
    return model.x, model.y, model.z + EYES * height(model.profile)


@rule("1.1/default-footprints", "6.1/mc-muzzle")
def muzzle(model: Model, mount: Mount) -> Point3:
    """Return where a weapon's line of sight starts. Only vehicles and monstrous creatures have separate muzzles."""
    profile = model.profile
    tall = height(profile)
    if profile.type == "monster":
        x, y, up = mount.muzzle or (0.0, 0.0, MONSTER_MUZZLE * tall)
    elif profile.type == "vehicle":
        x, y, up = mount.muzzle or usual_muzzle(profile, mount)
    else:
        return eyes(model)
    ((at_x, at_y),) = placed(((x, y),), model.x, model.y, model.facing)
    return at_x, at_y, model.z + up


@rule("1.1/default-footprints")
def usual_muzzle(profile: Profile, mount: Mount) -> Point3:
    """Return the middle of the weapon's side, at half the height; for a turret, the centre of the roof."""
    if mount.is_turret:
        return 0.0, 0.0, height(profile)
    wide, deep = half_sizes(profile)
    side = mount.arcs[0] if mount.arcs else "front"
    x, y = {"front": (0.0, deep), "rear": (0.0, -deep), "left": (-wide, 0.0), "right": (wide, 0.0)}[side]
    return x, y, height(profile) / 2.0


def half_sizes(profile: Profile) -> tuple[float, float]:
    """Return half the width and half the length of the rectangle around a footprint."""
    made = shape(profile)
    if isinstance(made, Circle):
        return made.radius, made.radius
    if isinstance(made, Hull):
        return max(x for x, _ in made.corners), max(y for _, y in made.corners)
    return made.half_width, made.half_length


@rule("1.1/default-footprints", "7.10/capacity")
def hatches(model: Model) -> tuple[Point3, ...]:
    """Return a vehicle's hatches on the table: those of its profile, else the middle of its left, right and rear."""
    profile = model.profile
    wide, deep = half_sizes(profile)
    return on_the_table(model, profile.hatches if profile.hatches is not None else usual_hatches(wide, deep))


@rule("7.10/fire-points")
def fire_points(model: Model) -> tuple[Point3, ...]:
    if model.profile.is_a("open-topped"):
        return rim_points(model)
    return on_the_table(model, model.profile.fire_points)


@rule("7.12/open-topped-points")
def rim_points(model: Model) -> tuple[Point3, ...]:
    """For everybody inside an open-topped vehicle, return the rim point nearest to the enemy that their unit faces."""
    units = units_at_the_rim(model)
    nearest = {unit: rim_point(model, Unit(model.position, unit)) for unit in dict.fromkeys(units)}
    return tuple(nearest[unit] for unit in units)


def units_at_the_rim(model: Model) -> list[int]:
    """Return the row of the unit of everybody inside, in the order of the rim points."""
    position = model.position
    return [position.unit_of[row] for row, carrier in enumerate(position.aboard_of) if carrier == model.row]


@rule("7.10/fire-points", "7.12/open-topped-points")
def points_open_to(model: Model, unit: Unit) -> list[int]:
    """Return the numbers of the fire points that a unit inside may use: on an open-topped vehicle, its own ones."""
    if not model.profile.is_a("open-topped"):
        return list(range(len(model.profile.fire_points)))
    return [number for number, of in enumerate(units_at_the_rim(model)) if of == unit.row]


def rim_point(model: Model, unit: Unit) -> Point3:
    """Return a point just outside the hull, so that the hull does not hide what is in front of it."""
    faced = faced_by(unit)
    own = solid(model)
    targets = [] if faced is None else [solid(other) for other in members(faced)]
    goal = min(targets, key=lambda other: gap(own, other), default=own)
    x, y = nearest_point(own, goal.x, goal.y)
    dx, dy = goal.x - x, goal.y - y
    far = (dx * dx + dy * dy) ** 0.5
    step = OUTSIDE / far if far > OUTSIDE else 0.0
    return rounded(x + step * dx), rounded(y + step * dy), model.z + height(model.profile)


def on_the_table(model: Model, own: tuple[Point3, ...]) -> tuple[Point3, ...]:
    """Convert points in a hull's own coordinates to places on the table."""
    flat = placed([(x, y) for x, y, _ in own], model.x, model.y, model.facing)
    return tuple((x, y, model.z + up) for (x, y), (_, _, up) in zip(flat, own, strict=True))
