"""Templates: circles that stay or deviate, flame templates, the shotgun (templates/*, armoury/grenade-*)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from campale.dice.needs import Need
from campale.referee.ask import roll
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, parts
from campale.rulesets.wzr.armoury.weapons import Gun, rof_of
from campale.rulesets.wzr.basics.dice import BEST, FACES, WORST, needed, telling
from campale.rulesets.wzr.basics.measuring import SAME_LEVEL
from campale.rulesets.wzr.basics.sight import (
    SPARE,
    Floats,
    all_lines,
    has_line,
    heights,
    inside,
    openings,
    solids,
    spot,
)
from campale.rulesets.wzr.battle.terrain import INTACT
from campale.rulesets.wzr.shooting.cover import areas, cover, cover_of_point
from campale.rulesets.wzr.shooting.fire import (
    Aiming,
    Attack,
    attack_on,
    beyond_half,
    hit_by,
    piece_hit,
    skill,
    to_hit,
    to_hit_piece,
)
from campale.rulesets.wzr.shooting.plan import NOBODY, Plan, gun_used
from campale.rulesets.wzr.wounds.hits import Hit
from campale.table.measure import gap_to_outline, gap_to_point, is_behind
from campale.table.outlines import centre_of
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, Solid, facing_towards, heading, rounded
from campale.table.sight import any_clear, crossings, points_of
from campale.table.templates import Blast, Pose, Template, Wedge, edge_towards, under
from campale.table.terrain import Ground

SIZES: dict[str, Template] = {
    "SE": Blast(1.5),
    "ME": Blast(2.0),
    "LE": Blast(2.5),
    "FP": Wedge(6.0, 30.0),
    "FG": Wedge(9.0, 30.0),
    "SG": Wedge(8.0, 30.0),
}
"""The templates, in inches and degrees (templates/sizes)."""
STEP = 18
"""Degrees for each point of the direction die."""
BY_TWO, BY_FOUR = 2, 4
STUN, INCENDIARY = "stun", "incendiary"

TURNS = tuple(heading(float(STEP * k)) for k in range(FACES + 1))
"""The sine and cosine for each face of the direction die."""


@rule("templates/sizes")
def template_of(gun: Gun) -> Template:
    return SIZES[gun.fire.area]


# ---------------------------------------------------------------- templates/deviation


@rule("templates/deviation", "armoury/grenade-deviation", "core/rounding")
def deviated(frm: Point, to: Point, face: int, distance: int, part: int = BY_TWO) -> Point:
    """Where a template aimed at ``to`` lands: ``face`` times 18 degrees clockwise from the line of flight.

    The distance in inches is the other die, divided by ``part`` and rounded up.
    """
    dx, dy = to[0] - frm[0], to[1] - frm[1]
    far = math.sqrt(dx * dx + dy * dy)
    ahead = (dx / far, dy / far) if far else (0.0, 1.0)
    sine, cosine = TURNS[face]
    inches = -(-distance // part)
    x = ahead[0] * cosine + ahead[1] * sine
    y = ahead[1] * cosine - ahead[0] * sine
    return rounded(to[0] + inches * x), rounded(to[1] + inches * y)


class Landing(msgspec.Struct, frozen=True):
    """A circle that has landed, on the table or off it.

    ``meant``: it stays where it was aimed. ``power``: its test was a natural 1. ``z``: the level of its centre.
    """

    at: Point
    z: float
    meant: bool = False
    power: bool = False


class Throw(msgspec.Struct, frozen=True):
    """A test for a circle: its need, the thrower's row and place, the point and level (``z``) aimed at.

    ``is_thrown``: a grenade, which comes back on a natural 20. ``piece``: the piece of terrain aimed at; against one
    there is no RS test.
    """

    need: Need
    by: int
    frm: Point
    to: Point
    target: int = NOBODY
    is_thrown: bool = False
    piece: str = ""
    z: float = 0.0

    @property
    def is_test(self) -> bool:
        return not self.piece

    @property
    def aim(self) -> dict[str, Plain]:
        """What it is aimed at, as the roll tells it."""
        if self.piece:
            return {"piece": self.piece}
        return {"target": self.target} if self.target >= 0 else {"x": self.to[0], "y": self.to[1]}


# ---------------------------------------------------------------- templates/area-attack


@rule("templates/area-attack", "armoury/grenade-range", "armoury/grenade-point", "structures/template-target")
def throws_of(position: Position, plan: Plan) -> list[Throw]:
    """One test for each point of RoF, all against the primary target or the point."""
    gun = gun_used(position, plan)
    need, (x, y, z) = need_at(position, gun, plan), meant_at(position, plan)
    one = Throw(need, plan.shooter, gun.model.at, (x, y), plan.primary, gun.is_grenade, plan.piece, z)
    return [one] * rof_of(gun, plan.extra)


@rule("templates/area-attack", "core/levels")
def meant_at(position: Position, plan: Plan) -> Point3:
    """The centre of a template that stays, on the level of the primary target."""
    if plan.piece:
        return (*centre_of(position.ground.piece(plan.piece).outline), 0.0)
    if plan.targets:
        target = position.model(plan.primary)
        return (*target.at, target.z)
    x, y = plan.at[0], plan.at[1]
    return x, y, position.ruleset.level(position, x, y)


def need_at(position: Position, gun: Gun, plan: Plan) -> Need:
    """The need: RS with all modifiers for a model, with those of cover for a point; 1-16 for a piece of terrain."""
    if plan.piece:
        return to_hit_piece()
    if plan.targets:
        target = position.model(plan.primary)
        return to_hit(Aiming(gun, target, cover(gun.model, target, plan.reclaimed)))
    return need_at_point(gun, (plan.at[0], plan.at[1]), plan.reclaimed)


@rule("armoury/grenade-point", "armoury/grenade-reclaim", "shooting/modifiers")
def need_at_point(gun: Gun, at: Point, reclaimed: str) -> Need:
    position = gun.model.position
    solid = spot(at, position.ruleset.level(position, *at))
    verdict = cover_of_point(gun.model, solid, reclaimed)
    far = gap_to_point(gun.model.solid, *at)
    about = About(gun.model, weapon=gun.weapon, fire=gun.fire, far=far, is_ranged=True, is_covered=verdict.covers)
    return needed(skill(gun), (verdict.part, beyond_half(gun, far), *parts("rs", about)))


@rule("templates/area-attack", "templates/deviation", "armoury/grenade-fumble", "armoury/grenade-no-power-shot")
async def landings_of(position: Position, throws: Sequence[Throw]) -> list[Landing]:
    """Roll the tests: on a success the template stays; else it deviates, or a grenade comes back on a natural 20."""
    found = []
    for one in throws:
        side = position.side_of[one.by]
        apart = ((WORST,) if one.is_thrown else (BEST,)) if one.is_test else ()
        rolled = await roll(side, "to-hit", 1, FACES, one.need, telling(one.need, *apart), shooter=one.by, **one.aim)
        face = rolled.faces[0]
        if rolled.successes:
            found.append(Landing(one.to, one.z, True, face == BEST and one.is_test and not one.is_thrown))
        elif face == WORST and one.is_thrown and one.is_test:
            thrower = position.model(one.by)
            found.append(Landing(thrower.at, thrower.z))
        else:
            found.append(landing(position, await deviates(side, one), one.z))
    return found


@rule("templates/deviation", "armoury/grenade-deviation")
async def deviates(side: int, one: Throw) -> Point:
    """Roll a D20 for the direction and one for the distance."""
    part = BY_FOUR if one.is_thrown else BY_TWO
    face = (await roll(side, "deviation-direction", 1, FACES, shooter=one.by)).faces[0]
    tells = tuple(tuple(range(low, min(low + part, FACES + 1))) for low in range(1, FACES + 1, part))
    far = (await roll(side, "deviation-distance", 1, FACES, None, tells, shooter=one.by)).faces[0]
    return deviated(one.frm, one.to, face, far, part)


@rule("templates/deviation", "core/levels")
def landing(position: Position, at: Point, z: float) -> Landing:
    """A circle that has deviated lies on the highest surface there that is not above its intended level."""
    return Landing(at, position.ground.surface(*at, below=z))


@rule("templates/deviation")
def is_on_table(position: Position, at: Point) -> bool:
    """Whether the point is on the table. A circle centred beyond the edge has no effect."""
    return 0.0 <= at[0] <= position.ground.width and 0.0 <= at[1] <= position.ground.depth


# ---------------------------------------------------------------- models under a template


@rule("templates/area-attack", "core/friendly-fire")
def touched(position: Position, template: Template, at: Point, z: float) -> list[Model]:
    """The models of both sides under a circle, on its level and not wholly screened by a structure."""
    if not is_on_table(position, at):
        return []
    level = [m for m in position.on_table() if abs(m.z - z) < SAME_LEVEL - TOLERANCE]
    hit = under(template, Pose(*at), [m.solid for m in level])
    return [level[k] for k in hit if not is_screened(position, at, z, level[k])]


@rule("templates/area-attack", "structures/line-of-sight")
def is_screened(position: Position, at: Point, z: float, model: Model) -> bool:
    """Whether an intact structure blocks every line from the point to the body, except through Access Points."""
    pieces = tuple(piece for piece in position.ground.kept(solids).pieces if INTACT in piece.tags)
    if not pieces:
        return False
    round_one = [one for one in (inside(position, at, z), inside(position, model.at, model.z)) if one is not None]
    names = {one.name for one in round_one}
    a, b = all_lines(np.array([at]), np.array([p[:2] for p in points_of(model.solid, (*at, z))]))
    passes = np.ones(len(a), np.bool_)
    if len(names) != len(round_one):
        names, round_one = set(names), []
    for structure in round_one:
        ways = position.ground.kept(openings)[structure.name]
        lengths, _ = crossings(Ground(1.0, 1.0, ways), with_z(a, z), with_z(b, z), in_plan=True)
        passes &= (lengths > SPARE).any(axis=1)
    ground = Ground(position.ground.width, position.ground.depth, tuple(p for p in pieces if p.name not in names))
    downs = heights(model.solid)
    return not (passes.any() and any_clear(ground, (a[passes], b[passes]), np.array([z + 0.1]), downs, (), SPARE))


def with_z(points: Floats, z: float) -> Floats:
    return np.column_stack((points, np.full(len(points), z)))


@rule("templates/area-attack", "templates/power-shot", "structures/template-target")
async def hits_under(position: Position, landings: Sequence[Landing], plan: Plan) -> list[Hit]:
    """One Wound or Damage Effect on each model under each circle. A Power Shot hits only the primary target."""
    gun = gun_used(position, plan)
    template = template_of(gun)
    found: list[Hit] = []
    for one in landings:
        if plan.piece:
            found += [piece_hit(gun, plan.piece)] if reaches_piece(position, template, one, plan.piece) else []
        else:
            struck = touched(position, template, one.at, one.z)
            tell(position, gun.fire.area, Pose(*one.at), struck)
            found += [hit_under(gun, model, one, plan) for model in struck]
    return found


def tell(position: Position, area: str, pose: Pose, struck: Sequence[Model]) -> None:
    """Write in the journal where a template lies and which models are under it."""
    under_it: dict[str, Plain] = {"under": [m.row for m in struck]} if struck else {}
    position.write("template", area=area, x=pose.x, y=pose.y, facing=pose.facing, **under_it)


@rule("structures/template-target")
def reaches_piece(position: Position, template: Template, one: Landing, name: str) -> bool:
    """Whether the template damages the piece: always if it stays, else if it still touches it.

    Nothing else is damaged.
    """
    if one.meant:
        return True
    radius = template.radius if isinstance(template, Blast) else 0.0
    disc = Solid(Circle(radius), *one.at)
    return is_on_table(position, one.at) and gap_to_outline(disc, position.ground.piece(name).outline) <= TOLERANCE


@rule("templates/power-shot", "armoury/grenade-incendiary-effect", "vehicles/av-facing", "core/weapon-profile")
def hit_under(gun: Gun, model: Model, one: Landing, plan: Plan) -> Hit:
    """The hit on a model under a circle. The template's centre decides which side it strikes."""
    hit = hit_by(gun, model)
    centre = Solid(Circle(0.0), *one.at, one.z)
    return msgspec.structs.replace(
        hit,
        power_shot=one.power and model.row == plan.primary,
        halved=INCENDIARY in gun.rules and in_cover_from(gun.model, model),
        rear=is_behind(model.solid, centre),
    )


@rule("armoury/grenade-incendiary-effect")
def in_cover_from(thrower: Model, model: Model) -> bool:
    """Whether the model stands in terrain that gives cover, or has cover from the thrower."""
    ground = thrower.position.ground.kept(areas)
    stands = any(gap_to_outline(model.solid, piece.outline) <= TOLERANCE for piece in ground.pieces)
    return stands or (model.row != thrower.row and cover(thrower, model).covers)


@rule("core/weapon-profile", "armoury/grenade-stun-effect")
def stunned_by(position: Position, plan: Plan, landings: Sequence[Landing]) -> list[Model]:
    """Models on small bases under a stun grenade, each once."""
    gun = gun_used(position, plan)
    rows: set[int] = set()
    for one in landings:
        struck = touched(position, template_of(gun), one.at, one.z)
        tell(position, gun.fire.area, Pose(*one.at), struck)
        rows |= {m.row for m in struck}
    return [m for m in position.on_table() if m.row in rows and m.profile.size == 1]


# ---------------------------------------------------------------- templates/flame, templates/shotgun


@rule("templates/flame", "templates/shotgun")
def pose_towards(model: Model, at: Point) -> Pose:
    """The pose of a wedge laid against the base, pointing towards a place."""
    facing = facing_towards(model.at, at)
    return Pose(*edge_towards(model.solid, facing), facing)


@rule("templates/flame", "templates/shotgun", "core/friendly-fire")
def under_wedge(gun: Gun, at: Point) -> list[Model]:
    """The models of both sides that a wedge touches and the shooter has a line to."""
    position, shooter = gun.model.position, gun.model
    others = [m for m in position.on_table() if m.row != shooter.row]
    hit = under(template_of(gun), pose_towards(shooter, at), [m.solid for m in others])
    return [others[k] for k in hit if has_line(shooter, others[k])]


@rule("templates/flame", "templates/flame-cover", "core/automatic-hit")
def flame_attack(gun: Gun, model: Model, plan: Plan) -> Attack:
    """An automatic hit. A is halved in cover."""
    hit = msgspec.structs.replace(hit_by(gun, model), flame=True, halved=cover(gun.model, model).covers)
    return Attack(None, hit, power=False)


@rule("templates/flame", "templates/shotgun", "structures/template-target")
def wedge_attacks(position: Position, plan: Plan) -> list[Attack]:
    """One hit on each model for a flame; as many tests on each as its RoF, with cover modifiers, for a shotgun."""
    gun = gun_used(position, plan)
    if plan.piece:
        count = 1 if gun.fire.is_flame else rof_of(gun, plan.extra)
        need = None if gun.fire.is_flame else to_hit_piece()
        return [Attack(need, piece_hit(gun, plan.piece), power=False)] * count
    at = plan.at[0], plan.at[1]
    models = sorted(under_wedge(gun, at), key=lambda m: m.row != plan.primary)
    if gun.fire.is_flame:
        return [flame_attack(gun, model, plan) for model in models]
    return [attack_on(gun, model, plan, False) for model in models for _ in range(rof_of(gun, plan.extra))]
