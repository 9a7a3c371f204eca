"""The fire area: which models fire into it, its width, and which models it may hit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from campale.mechanics.bases import Flags, about_point, circle_gaps, contacts, in_doubt, radii, rows_of
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.command.halt import can_lie_down, concealed, is_invisible
from campale.rulesets.e3m.command.orders import is_halted
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.fire.kinds import DEFENSIVE, OPPORTUNITY, Kind, barred_mounts, may_use, reach, reach_of
from campale.rulesets.e3m.movement.sight import covers, see_points, seen_at, sights
from campale.table.measure import gap, gap_to_point
from campale.table.shapes import TOLERANCE, Point, Solid, facing_towards, heading, rounded

LEAST_DIAMETER = 1.0
MOST_CANDIDATES, MOST_TRIED = 24, 4

Area = tuple[float, float, float]
"""The centre and diameter of a fire area, in inches."""


class Arm(NamedTuple):
    """A model with the weapon line that it fires: indices of the mount and the line.

    ``most``: how far it may fire, if not to the full range.
    """

    model: Model
    mount: int
    number: int
    most: float | None = None

    @property
    def line(self) -> Line:
        found: Line = self.model.profile.mounts[self.mount].weapon.lines[self.number]
        return found

    @property
    def key(self) -> tuple[str, int]:
        """The weapon profile: the weapon's id and the index of its line."""
        return self.model.profile.mounts[self.mount].weapon.id, self.number

    @property
    def reach(self) -> float:
        """How far it may fire, in inches."""
        return reach(self.line) if self.most is None else self.most

    def on(self, position: Position) -> Arm:
        """The same arm on another copy of the position."""
        return self._replace(model=position.model(self.model.row))


# ---------------------------------------------------------------- who can fire


def base_of(model: Model) -> Solid:
    """The base that the model fires from; for a model aboard, one at the centre of the vehicle."""
    carrier = model.aboard_of
    if carrier is None:
        return model.solid
    return Solid(model.profile.shape, carrier.x, carrier.y, 0.0, 0.0, 2.0)


@rule("base-profile/weapons", "fire/eligible-shooters", "base-profile/characteristics", "vehicles/overrun-fire")
def arms_of(model: Model, kind: Kind) -> list[Arm]:
    """The lines that the model could fire in this kind of fire. A model with Ballistic Skill 0 cannot shoot."""
    if model.profile.bs < 1:
        return []
    barred = barred_mounts(model, kind)
    return [
        arm_of(model, k, n, kind)
        for k, mount in enumerate(model.profile.mounts)
        if k not in barred
        for n, line in enumerate(mount.weapon.lines)
        if may_use(model, line, kind)
    ]


@rule("base-weapons/moved-models", "fire/eligible-shooters")
def arm_of(model: Model, mount: int, number: int, kind: Kind) -> Arm:
    """The model with this weapon line, as far as it may fire it in this kind of fire."""
    return Arm(model, mount, number, reach_of(model, model.profile.mounts[mount].weapon.lines[number], kind))


def shooters_of(unit: Unit, kind: Kind) -> list[Model]:
    return [m for m in members(unit) if arms_of(m, kind)]


@rule("fire/eligible-shooters", "fire/area-centre", "base-general/within")
def into(position: Position, arms: Sequence[Arm], centre: Point) -> list[Arm]:
    """The arms with a clear line to the centre and within range of it."""
    return firing_at(position, arms, [centre])[0] if arms else []


def firing_at(position: Position, arms: Sequence[Arm], centres: Sequence[Point]) -> list[list[Arm]]:
    """The same for several centres at once."""
    in_range = np.array(
        [[gap_to_point(base_of(arm.model), *centre) <= arm.reach + TOLERANCE for arm in arms] for centre in centres]
    )
    seen = see_points(position, [arm.model for arm in arms], centres)
    return [[arm for arm, fires in zip(arms, row, strict=True) if fires] for row in (in_range & seen).tolist()]


# ---------------------------------------------------------------- who can be hit


@rule("fire/area-friends", "base-vehicle/melee-no-result", "vehicles/overrun-who")
def locked(position: Position) -> frozenset[int]:
    """Rows of models in contact with an enemy.

    Contact with a vehicle without Weapon Skill does not count, nor, by option, that of an overrun by light vehicles.
    """
    light = position.options.light_overrun and position.now.get("phase") == "movement"
    kept, key = position.layout, ("locked", light)
    if key not in kept:
        fights = [m.profile.fights and not (light and m.profile.kind == "light") for m in position.models]
        kept[key] = frozenset(row for pair in contacts(position) if all(fights[k] for k in pair) for row in pair)
    found: frozenset[int] = kept[key]
    return found


@rule("fire/area-hittable", "fire/area-vehicles", "fire/arc-infantry", "orders/halt-invisible")
def hittable_by(position: Position, arms: Sequence[Arm], targets: Sequence[Model]) -> Flags:
    """Which targets each arm could hit: seen, not invisible, within range (arms, targets)."""
    models = [arm.model for arm in arms]
    found = sights(position, models, targets) & in_range(arms, targets)
    rows = position.unit_of
    down = {row: is_halted(Unit(position, row)) for row in {rows[target.row] for target in targets}}
    lying = [n for n, target in enumerate(targets) if down[rows[target.row]] and can_lie_down(target)]
    if lying:
        saves = covers(position, models, [targets[n] for n in lying])
        for k, n in np.argwhere(found[:, lying]).tolist():
            found[k, lying[n]] = not is_invisible(targets[lying[n]], int(saves[k, n]))
    return found


@rule("base-general/within", "fire/area-hittable")
def in_range(arms: Sequence[Arm], targets: Sequence[Model]) -> Flags:
    """Which targets are within range of each arm, edge to edge: (arms, targets)."""
    if not arms or not targets:
        return np.zeros((len(arms), len(targets)), np.bool_)
    position, rows, others = arms[0].model.position, rows_of([arm.model for arm in arms]), rows_of(targets)
    far = np.array([arm.reach for arm in arms])[:, None] + TOLERANCE
    gaps = circle_gaps(position, rows, others)
    found: Flags = gaps <= far
    for k, n in np.argwhere(in_doubt(position, rows, others, gaps, far)).tolist():
        found[k, n] = rounded(gap(base_of(arms[k].model), targets[n].solid)) <= far[k, 0]
    return found


def reached(position: Position, arms: Sequence[Arm], targets: Sequence[Model]) -> list[Model]:
    """The targets that at least one of the arms could hit."""
    hit = np.flatnonzero(hittable_by(position, arms, targets).any(axis=0))
    return [targets[number] for number in hit.tolist()]


def possible_targets(position: Position, side: int) -> list[Model]:
    """The enemies that a fire area can hit: no armoured vehicles, no models in contact with an enemy."""
    held = locked(position)
    return [m for m in position.on_table(1 - side) if not m.profile.has_armour and m.row not in held]


@rule("fire/area-hittable")
def is_inside(model: Model, area: Area) -> bool:
    """Whether the model's centre is in the circle or on its edge; for a light vehicle, any point of its base."""
    x, y, diameter = area
    radius = diameter / 2.0 + TOLERANCE
    if model.profile.kind == "light":
        return gap_to_point(model.solid, x, y) <= radius
    return (model.x - x) ** 2 + (model.y - y) ** 2 <= radius * radius


def hit_in(position: Position, arms: Sequence[Arm], area: Area) -> list[Model]:
    """The models in an area that its firers can hit, in roster order."""
    if not arms:
        return []
    x, y, diameter = area
    near = about_point(position, possible_targets(position, arms[0].model.side), (x, y), diameter / 2.0)
    inside = [m for m in near if is_inside(m, area)]
    if not inside:
        return []
    return reached(position, arms, inside)


# ---------------------------------------------------------------- restrictions on an area


class Aimed(NamedTuple):
    """A requested area: its arms, and the units that it must reach (none: any)."""

    position: Position
    arms: tuple[Arm, ...]
    area: Area
    against: tuple[int, ...]
    kind: Kind = OPPORTUNITY


@rule("fire/area-centre")
def nobody_fires_there(aimed: Aimed) -> Fault | None:
    x, y, _ = aimed.area
    ground = aimed.position.ground
    if not (0.0 <= x <= ground.width and 0.0 <= y <= ground.depth) or not into(aimed.position, aimed.arms, (x, y)):
        return Fault((round(x, 2), round(y, 2)))
    return None


@rule("fire/area-diameter")
def wrong_diameter(aimed: Aimed) -> Fault | None:
    """The diameter is at least 1 inch, and at most as many inches as models fire into the area."""
    x, y, diameter = aimed.area
    most = float(len(into(aimed.position, aimed.arms, (x, y))))
    if LEAST_DIAMETER - TOLERANCE <= diameter <= most + TOLERANCE:
        return None
    return Fault((round(x, 2), round(y, 2)), diameter, most if diameter > most else LEAST_DIAMETER)


@rule("fire/area-hittable", "fire/eligible-shooters")
def hits_nobody(aimed: Aimed) -> Fault | None:
    x, y, _ = aimed.area
    firing = into(aimed.position, aimed.arms, (x, y))
    return None if hit_in(aimed.position, firing, aimed.area) else Fault((round(x, 2), round(y, 2)))


@rule("fire/opportunity-target", "fire/defensive")
def misses_its_target(aimed: Aimed) -> Fault | None:
    """The area must contain a model of the unit that moves, or that declared the assault."""
    if not aimed.against:
        return None
    x, y, _ = aimed.area
    firing = into(aimed.position, aimed.arms, (x, y))
    found = hit_in(aimed.position, firing, aimed.area)
    if any(m.unit.row in aimed.against for m in found):
        return None
    broken = "fire/defensive" if aimed.kind is DEFENSIVE else "fire/opportunity-target"
    return Fault((round(x, 2), round(y, 2)), rule=broken)


AREA_RESTRICTIONS = (nobody_fires_there, wrong_diameter, hits_nobody, misses_its_target)


def area_refusal(aimed: Aimed) -> Refusal | None:
    return first_refusal(AREA_RESTRICTIONS, aimed)


# ---------------------------------------------------------------- good areas


def good_areas(position: Position, arms: Sequence[Arm], against: Sequence[int]) -> list[Area]:
    """Legal areas around each enemy and between close pairs, those that reach most points first.

    Kept until something moves.
    """
    who = tuple((arm.model.row, *arm[1:]) for arm in arms)
    key = ("areas", who, tuple(against), concealed(position))
    kept = position.layout
    if key not in kept:
        kept[key] = list(find_areas(position, list(arms), tuple(against)))
    found: list[Area] = kept[key]
    return found


def has_area(position: Position, arms: Sequence[Arm], against: Sequence[int]) -> bool:
    """Whether there is any legal area."""
    who = tuple((arm.model.row, *arm[1:]) for arm in arms)
    key = ("areas", who, tuple(against), concealed(position))
    kept = position.layout
    if key in kept:
        return bool(kept[key])
    some = (*key, "some")
    if some not in kept:
        kept[some] = is_any_area(position, list(arms), tuple(against))
    found: bool = kept[some]
    return found


def is_any_area(position: Position, arms: list[Arm], against: tuple[int, ...]) -> bool:
    """Whether a legal area exists: around an enemy whose centre is in range, or else any of the candidates."""
    meant = meant_targets(position, arms, against)
    if not meant:
        return False
    rows, others = rows_of([arm.model for arm in arms]), rows_of(meant)
    to_centre = circle_gaps(position, rows, others) + radii(position)[others]
    near = to_centre <= np.array([arm.reach for arm in arms])[:, None]
    at_their_centre = np.array([m.profile.kind != "light" for m in meant], np.bool_)
    if (hittable_by(position, arms, meant) & near & at_their_centre).any():
        return True
    return next(find_some(position, arms, against), None) is not None


def meant_targets(position: Position, arms: Sequence[Arm], against: Sequence[int]) -> list[Model]:
    targets = possible_targets(position, arms[0].model.side) if arms else []
    return [m for m in targets if not against or m.unit.row in against]


def find_areas(position: Position, arms: list[Arm], against: tuple[int, ...]) -> Iterator[Area]:
    """The areas found, those that reach most points first."""
    found = [(-worth, n, area) for n, (area, worth) in enumerate(find_some(position, arms, against))]
    yield from (area for _, _, area in sorted(found))


def find_some(position: Position, arms: list[Arm], against: tuple[int, ...]) -> Iterator[tuple[Area, int]]:
    """Legal areas as they are found, each with the points of the models that it reaches."""
    meant = meant_targets(position, arms, against)
    meant = reached(position, arms, meant) if meant else []
    some = False
    for area, worth in areas_at(position, arms, against, candidates(meant, len(arms))):
        some = True
        yield area, worth
    if not some and meant:
        yield from areas_at(position, arms, against, at_the_brink(position, arms, meant))


def areas_at(
    position: Position, arms: list[Arm], against: tuple[int, ...], centres: Sequence[Point]
) -> Iterator[tuple[Area, int]]:
    """The legal areas with these centres, each with the points of the models that it reaches."""
    for some in batches(centres):
        for centre, firing in zip(some, firing_at(position, arms, some), strict=True):
            area = (centre[0], centre[1], float(max(1, len(firing))))
            hit = hit_in(position, firing, area)
            if hit and (not against or any(m.unit.row in against for m in hit)):
                yield area, sum(m.profile.points for m in hit)


def batches(centres: Sequence[Point]) -> Iterator[Sequence[Point]]:
    """The first two centres, for a quick answer whether there is any area; then all the rest."""
    yield from (part for part in (centres[:2], centres[2:]) if part)


@rule("fire/area-hittable", "fire/area-centre", "turn/eligible-elements")
def at_the_brink(position: Position, arms: Sequence[Arm], meant: Sequence[Model]) -> list[Point]:
    """Centres for targets of which only the edge is within range, or only a part of a light vehicle in sight."""
    found: list[Point] = []
    can_hit = hittable_by(position, arms, meant)
    for n, target in enumerate(meant[:MOST_CANDIDATES]):
        if target.profile.kind == "light":
            found += [(rounded(x), rounded(y)) for x, y in seen_at(target)]
        able = [arm for arm, hits in zip(arms, can_hit[:, n].tolist(), strict=True) if hits]
        found += list(dict.fromkeys(before(arm, target) for arm in able))[:MOST_TRIED]
    return list(dict.fromkeys(found))


def before(arm: Arm, target: Model) -> Point:
    """The point nearest to the target's centre that is within range of the arm."""
    base = base_of(arm.model)
    over = max(0.0, gap_to_point(base, *target.at) - arm.reach) + TOLERANCE
    dx, dy = heading(facing_towards(target.at, (base.x, base.y)))
    return rounded(target.x + over * dx), rounded(target.y + over * dy)


def candidates(meant: Sequence[Model], most: int) -> list[Point]:
    """Centres to try: models, and the middles of pairs that a circle of the greatest width can hold."""
    points = [(rounded(m.x), rounded(m.y)) for m in meant]
    step = max(1, len(points) // (MOST_CANDIDATES // 2))
    found = points[::step]
    for one, other in combinations(tuple(found), 2):
        if (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 <= most * most:
            found.append((rounded((one[0] + other[0]) / 2.0), rounded((one[1] + other[1]) / 2.0)))
        if len(found) >= MOST_CANDIDATES:
            break
    return list(dict.fromkeys(found))
