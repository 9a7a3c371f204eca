"""Thrown weapons: the to-hit roll first, then the target or point, then the distance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from campale.dice.stages import through
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position
from campale.referee.question import Aim
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import one_die, two_d6
from campale.rulesets.ragnarok.basics.measuring import distance, distance_to_point, within
from campale.rulesets.ragnarok.basics.night import spots, spots_point
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.basics.sight import ahead_of, lines_between, seen_by
from campale.rulesets.ragnarok.shooting.fire import (
    REACTION,
    THROWERS_MODIFIERS,
    Hit,
    Hits,
    Losses,
    Shot,
    aiming_of,
    apply,
    blast_hits,
    is_out_of_bounds,
    protect,
    to_hit,
)
from campale.rulesets.ragnarok.shooting.weapon_rules import blast_of, spend_ammunition, spend_single_use, weapon_of
from campale.table.shapes import Point

FARTHEST_DICE = 12
TRIES = 100
POINT_HEIGHT = 0.1


@rule("weapon-rules/thrown", "reaction-fire/basic")
async def throw(position: Position, shot: Shot) -> Losses | None:
    """Run the steps of a throw in the book's order. A reaction always throws at the acting model."""
    thrower = position.model(shot.shooter)
    spend_ammunition(thrower)
    spend_single_use(thrower, shot.weapon)
    hits = await hits_of_throw(position, shot)
    if not hits.hits:
        return None
    losses: Losses = await through((partial(protect, position), partial(apply, position)), hits)
    return losses


@rule("weapon-rules/thrown", "dice/order")
async def hits_of_throw(position: Position, shot: Shot) -> Hits:
    """Roll to hit and, on a hit, for the throw; this changes nothing in the position."""
    thrower = position.model(shot.shooter)
    need = to_hit(aiming_of(position, shot), THROWERS_MODIFIERS)
    about = {"shooter": thrower.row, "weapon": weapon_of(thrower, shot.weapon).id}
    die = await one_die(position, thrower.side, "to-hit", need, **about)
    return Hits(shot, await thrown_at(position, shot, die.face) if die.passed else ())


@rule("weapon-rules/thrown", "opt-night/spotting")
async def thrown_at(position: Position, shot: Shot, face: int) -> tuple[Hit, ...]:
    """Name the target, spot it at night, and roll the distance; return the hits, if the throw reaches."""
    thrower = position.model(shot.shooter)
    aim = await named_target(position, shot)
    if aim is None:
        return ()
    target = position.model(aim) if isinstance(aim, int) else None
    point = position.model(aim).at if isinstance(aim, int) else aim
    spotted = await (spots(thrower, target) if target is not None else spots_point(thrower, point))
    if not spotted or not await reaches(thrower, target, point):
        return ()
    weapon = weapon_of(thrower, shot.weapon)
    if weapon.has("blast"):
        return blast_hits(position, point, weapon.value("blast"), thrower.row, target, face)
    return (Hit(target.row, face),) if target is not None else ()


@rule("weapon-rules/thrown")
async def reaches(thrower: Model, target: Model | None, point: Point) -> bool:
    """Return whether COS x 10 + 2D6 cm reach the base edge of a target or the point."""
    away = distance(thrower, target) if target is not None else distance_to_point(thrower, point)
    dice = await two_d6(thrower.position, thrower.side, "throw-distance", model=thrower.row)
    return within(away, thrower.profile.constitution * 10 + dice)


@rule("weapon-rules/thrown", "vision/engaged-targets")
async def named_target(position: Position, shot: Shot) -> int | Point | None:
    """Return a named enemy in view, not engaged, or for a Blast a point in view; None if there is no choice."""
    thrower = position.model(shot.shooter)
    if shot.kind == REACTION:
        return shot.target
    able_first = sorted(targets_of_throw(thrower), key=lambda one: not is_able(one))
    rows: list[Plain] = [one.row for one in able_first]
    blast = blast_of(weapon_of(thrower, shot.weapon))
    about = {**blast, "aimed": shot.is_aimed, "hidden": shot.from_hiding}
    if blast:
        rows.append("point")
    if not rows:
        return None
    chosen = await choose(thrower.side, "throw-at", rows, of="model", model=thrower.row, **about)
    if chosen != "point":
        return int(chosen)
    point = await ask(point_question(thrower, about))
    return point[0], point[1]


@rule("weapon-rules/thrown")
def targets_of_throw(thrower: Model) -> list[Model]:
    return [m for m in seen_by(thrower, position_enemies(thrower)) if not is_out_of_bounds(m)]


def position_enemies(model: Model) -> list[Model]:
    return model.position.on_table(1 - model.side)


def point_question(thrower: Model, about: dict[str, Plain]) -> Aim:
    """Ask for the point the bomb is thrown at; the ground at the thrower's own feet is always in view."""

    def refuses(answer: tuple[float, ...]) -> Fault | None:
        point, ground = (answer[0], answer[1]), thrower.position.ground
        on_table = 0.0 <= point[0] <= ground.width and 0.0 <= point[1] <= ground.depth
        return None if on_table and sees_point(thrower, point) else Fault(point, rule="weapon-rules/thrown")

    def samples(rng: Random) -> Plain:
        tried = (random_point(thrower, rng) for _ in range(TRIES))
        return next((p for p in tried if refuses((p[0], p[1])) is None), list(thrower.at))

    def suggests() -> Iterator[Plain]:
        return (list(m.at) for m in targets_of_throw(thrower) if refuses(m.at) is None)

    limit = thrower.profile.constitution * 10 + FARTHEST_DICE
    return Aim(
        thrower.side, "throw-point", refuses, samples, suggests, {"reach": limit}, {"model": thrower.row, **about}
    )


def random_point(thrower: Model, rng: Random) -> Plain:
    """Return a random point round the thrower, nearer ones more often."""
    reach = thrower.profile.constitution * 10 * rng.random() ** 2
    dx, dy = rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)
    return [round(thrower.x + dx * reach, 4), round(thrower.y + dy * reach, 4)]


@rule("weapon-rules/thrown", "vision/geometry")
def sees_point(thrower: Model, point: Point) -> bool:
    """Return whether a point is in the thrower's front, with a free line to the ground there."""
    if ahead_of(thrower, point) < -0.001:
        return False
    spot = (point[0], point[1], thrower.position.ruleset.level(thrower.position, *point), 0.0, POINT_HEIGHT)
    return lines_between([thrower], [spot])[0][0].any_free
