"""Markers and templates: where they are laid or scatter to, and which models they hit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from campale.dice.needs import Need
from campale.dice.stages import through
from campale.referee.ask import ask, choose, direction, roll, roll_for
from campale.referee.position import Model, Position
from campale.referee.question import Aim
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.command.units import MOVED
from campale.rulesets.e3m.fire.area import base_of
from campale.rulesets.e3m.fire.plan import Pool, Volley
from campale.rulesets.e3m.fire.wounds import cover_of, kind_of
from campale.rulesets.e3m.vehicles.damage import Struck, face_towards, strike
from campale.table.measure import gap, gap_to_point
from campale.table.shapes import Point, heading, rounded
from campale.table.templates import Blast, Cone, Placement, Pose, edge_towards, placements, under

SMALL, LARGE = Blast(1.5), Blast(2.5)
FLAME = Cone(8.0, 2.5)
PARTLY = 4
HITS_OF_SCATTER = 2
"""The scatter die shows a hit on 1-2 and an arrow on 3-6."""


class Under(NamedTuple):
    """What a marker hits: rows of other models, and rows of vehicles with how they are struck."""

    men: tuple[int, ...] = ()
    vehicles: tuple[tuple[int, Struck], ...] = ()


HitsOf = Callable[[Volley, Pool, int], Awaitable[Any]]


@rule("base-weapons/blast", "base-weapons/template", "base-weapons/ordnance")
async def uses_of(volley: Volley, pool: Pool, hits_of: HitsOf) -> list[int]:
    """The rows that lay a marker: blasts that hit, and ordnance and templates without a roll to hit."""
    if pool.line.is_template or pool.line.fire == "ordnance":
        return list(dict.fromkeys(pool.rows))
    return list((await hits_of(volley, pool, -1)).rows)


@rule("fire/marker-weapons-in-area", "base-weapons/blast", "base-weapons/template", "base-weapons/ordnance")
async def lay(volley: Volley, line: Line, row: int, among: tuple[int, ...]) -> Under:
    """A shooter (row) lays a marker among models that can be hit (rows). Returns what it hits."""
    position = volley.unit.position
    shooter, holders = position.model(row), [position.model(one) for one in among]
    if not holders:
        return Under()
    if line.is_template:
        pose = await lay_template(shooter, holders)
        return Under() if pose is None else await hit_under(volley, FLAME, pose, shooter, line)
    if line.fire == "ordnance":
        centre = await choose_centre(shooter, [m.row for m in holders], LARGE)
        at = await through((partial(scatter, shooter),), centre)
        return await hit_under(volley, LARGE, Pose(*at), shooter, line)
    clear = [m.row for m in holders if not touches_friend(shooter, m.at)]
    if not clear:
        return Under()
    return await hit_under(volley, SMALL, Pose(*await choose_centre(shooter, clear, SMALL)), shooter, line)


async def choose_centre(shooter: Model, rows: list[int], blast: Blast) -> Point:
    """Ask for the model that a marker is centred on; those with most enemies around them, and fewest friends, first."""
    models = shooter.position.on_table()
    solids = [m.solid for m in models]

    def foes_around(row: int) -> int:
        touched = under(blast, Pose(*shooter.position.model(row).at), solids, "partly")
        return sum(-1 if models[k].side == shooter.side else 1 for k in touched)

    ordered = sorted(rows, key=foes_around, reverse=True)
    row = await choose(shooter.side, "marker-on", ordered, of="model", model=shooter.row, radius=blast.radius)
    at: Point = shooter.position.model(row).at
    return at


@rule("base-weapons/blast")
def touches_friend(shooter: Model, at: Point) -> bool:
    """Whether a blast marker would touch a friend, which is not allowed."""
    friends = shooter.position.on_table(shooter.side)
    return any(gap_to_point(m.solid, *at) < SMALL.radius for m in friends)


class Landing(NamedTuple):
    """Where a marker lands."""

    x: float
    y: float


@rule("base-weapons/ordnance", "base-general/dice", "base-general/dice-order")
async def scatter(shooter: Model, at: Point) -> Landing:
    """On an arrow the marker moves a die of inches (after a move the higher of two) in a random direction."""
    side = shooter.side
    if (await roll(side, "scatter-die", tells=((1, 2), (3, 4, 5, 6)), model=shooter.row)).total <= HITS_OF_SCATTER:
        return Landing(*at)
    x, y = heading(await direction(side, "scatter"))
    dice = 2 if shooter.unit.marks(MOVED) else 1
    far = max((await roll(side, "scatter-distance", dice, model=shooter.row)).ascending)
    return Landing(rounded(at[0] + far * x), rounded(at[1] + far * y))


# ---------------------------------------------------------------- models under a marker


@rule("base-weapons/blast-cover", "base-weapons/ordnance", "base-general/dice-order")
async def hit_under(volley: Volley, template: Blast | Cone, pose: Pose, shooter: Model, line: Line) -> Under:
    """Models wholly under the marker are hit; those partly under it on a 4+, the nearest to the centre first.

    Contact with an enemy does not protect.
    """
    position = shooter.position
    models = [m for m in position.on_table() if m.row != shooter.row or not line.is_template]
    solids = [m.solid for m in models]
    touched = [models[k] for k in under(template, pose, solids, "partly")]
    where: dict[str, Any] = {"x": pose.x, "y": pose.y, "facing": pose.facing, "radius": radius_of(template)}
    position.write("marker", **where, model=shooter.row, under=[m.row for m in touched])
    wholly = {models[k].row for k in under(template, pose, solids, "wholly")}
    men = [m for m in touched if not m.profile.has_armour]
    partly = sorted((m for m in men if m.row not in wholly), key=lambda m: (m.x - pose.x) ** 2 + (m.y - pose.y) ** 2)
    hit = [m.row for m in men if m.row in wholly]
    if partly:
        firing = [] if line.is_template else volley.firing
        kinds: list[Plain] = [(*kind_of(m), cover_of(firing, m)) for m in partly]
        rolled = await roll_for(shooter.side, "partly-under", kinds, Need(PARTLY), model=shooter.row)
        hit += [m.row for m, is_hit in zip(partly, rolled.hits, strict=True) if is_hit]
    hulls = [m for m in touched if m.profile.has_armour]
    return Under(tuple(hit), tuple((m.row, struck_by(template, pose, shooter, line, m)) for m in hulls))


def radius_of(template: Blast | Cone) -> float:
    """The radius of a marker; 0 for the flame template, which is no circle."""
    return template.radius if isinstance(template, Blast) else 0.0


@rule("base-weapons/blast-cover", "base-vehicle/facing")
def struck_by(template: Blast | Cone, pose: Pose, shooter: Model, line: Line, vehicle: Model) -> Struck:
    """A vehicle is struck at full Strength if the centre is over its base, at half if only the rim touches it."""
    strength = strength_on(line, pose, vehicle) if isinstance(template, Blast) else line.strength
    base = base_of(shooter)
    return Struck(strength, line, face_towards(vehicle, (base.x, base.y)), shooter.row)


async def strike_all(position: Position, vehicles: Sequence[tuple[int, Struck]]) -> None:
    for row, hit in vehicles:
        await strike(position.model(row), hit)


@rule("base-weapons/blast-cover", "base-general/rounding")
def strength_on(line: Line, pose: Pose, vehicle: Model) -> int:
    return line.strength if gap_to_point(vehicle.solid, pose.x, pose.y) <= 0.0 else -(-line.strength // 2)


@rule("base-weapons/ordnance", "base-weapons/blast", "base-weapons/template")
async def lay_on_vehicle(volley: Volley, line: Line, row: int, at: int) -> Under:
    """A marker aimed at a vehicle; shooter and vehicle are rows. Only ordnance scatters and hits others."""
    shooter, vehicle = volley.unit.position.model(row), volley.unit.position.model(at)
    if line.fire == "ordnance":
        landed = await through((partial(scatter, shooter),), vehicle.at)
        return await hit_under(volley, LARGE, Pose(*landed), shooter, line)
    base = base_of(shooter)
    face = face_towards(vehicle, (base.x, base.y))
    return Under((), ((vehicle.row, Struck(line.strength, line, face, shooter.row, far=gap(base, vehicle.solid))),))


# ---------------------------------------------------------------- base-weapons/template


@rule("base-weapons/template")
async def lay_template(shooter: Model, holders: Sequence[Model]) -> Pose | None:
    """Ask for a template from the firer's base, over at least one model that can be hit and over no friend."""
    found = ways_to_lay(shooter, holders)
    if not found:
        return None
    question = template_question(shooter, holders, found)
    answer = await ask(question)
    return pose_towards(shooter, answer[2])


def ways_to_lay(shooter: Model, holders: Sequence[Model]) -> list[Placement]:
    base = base_of(shooter)
    friends = [m.solid for m in shooter.position.on_table(shooter.side) if m.row != shooter.row]
    must = range(len(holders))
    return placements(FLAME, base, [m.solid for m in holders], friends, part="partly", must=list(must))


def pose_towards(shooter: Model, facing: float) -> Pose:
    x, y = edge_towards(base_of(shooter), facing)
    return Pose(x, y, facing)


def template_question(shooter: Model, holders: Sequence[Model], found: list[Placement]) -> Aim:
    friends = [m for m in shooter.position.on_table(shooter.side) if m.row != shooter.row]

    def refuses(answer: tuple[float, ...]) -> Fault | None:
        if len(answer) != 3:
            return Fault(word="answer.wrong-shape")
        return misplaced(pose_towards(shooter, answer[2]), friends, holders)

    def answers() -> Iterator[Plain]:
        base = base_of(shooter)
        return ([base.x, base.y, one.pose.facing] for one in found)

    def samples(rng: Random) -> Plain:
        return rng.choice(list(answers()))

    return Aim(
        shooter.side, "template", refuses, samples, answers, {"length": 8.0, "width": 2.5}, {"model": shooter.row}
    )


@rule("base-weapons/template", "fire/marker-weapons-in-area")
def misplaced(pose: Pose, friends: Sequence[Model], holders: Sequence[Model]) -> Fault | None:
    touched = under(FLAME, pose, [m.solid for m in friends], "partly")
    if touched:
        return Fault((pose.x, pose.y), model=friends[touched[0]].row)
    return None if under(FLAME, pose, [m.solid for m in holders], "partly") else Fault((pose.x, pose.y))
