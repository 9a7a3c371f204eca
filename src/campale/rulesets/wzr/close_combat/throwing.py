"""Throw and Hurl: where the victim lands, and the hit it takes (close-combat/throw-*, close-combat/hurl-*)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from campale.mechanics.frames import push
from campale.referee.ask import ask
from campale.referee.position import Model, Position
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.close_combat.special import HURL, SPECIALS, Special
from campale.rulesets.wzr.close_combat.strength import own_strength
from campale.rulesets.wzr.movement.moves import bars
from campale.rulesets.wzr.options import Options
from campale.rulesets.wzr.structures.floors import may_rest
from campale.rulesets.wzr.wounds.hits import Hit, automatic, hit_frames
from campale.table import fields
from campale.table.measure import bounding_radius, gap, in_front
from campale.table.shapes import TOLERANCE, Point3, Solid, heading, rounded

THROWN = "thrown"
MORE = 4
STEP, DIRECTIONS = 0.5, 36


@rule("close-combat/throw-placement", "close-combat/hurl-test", "close-combat/throw-no-free-strike", "core/levels")
async def thrown(position: Position, row: int, victim: int, name: str) -> None:
    """The thrower's player sets the victim down, without free strikes. Nothing happens if there is no place."""
    thrower, target, special = position.model(row), position.model(victim), SPECIALS[name]
    places = list(landings(thrower, target, special))
    if not places:
        position.write("no-landing", model=row, target=victim)
        return
    before = target.z
    x, y, z = await where_to(thrower, target, special, places)
    target.move_to(x, y, z, thrown=row, how="thrown")
    drop = before - z
    push(position, *hit_frames([landing_hit(thrower, target, special, drop)]))


@rule("close-combat/throw-hit", "close-combat/throw-lower-level", "close-combat/hurl-hit", "core/rounding")
def landing_hit(thrower: Model, target: Model, special: Special, drop: float) -> Hit:
    """An automatic hit at the thrower's own St + 4, and 1 more for each full inch of drop."""
    options: Options = thrower.position.options
    counts = special is not HURL or options.hurl_drop
    more = math.floor(max(0.0, drop) + TOLERANCE) if counts else 0
    return automatic(target.row, own_strength(thrower) + MORE + more, "melee", by=thrower.row)


# ---------------------------------------------------------------- close-combat/throw-placement


@rule("close-combat/throw-placement", "close-combat/hurl-test")
def landings(thrower: Model, target: Model, special: Special) -> Iterator[Point3]:
    """The places where the victim may land, farthest first."""
    wide = sum(bounding_radius(one.profile.shape) for one in (thrower, target))
    for step in range(round(special.inches / STEP), -1, -1):
        far = wide + step * STEP
        for k in range(DIRECTIONS):
            aim = heading(thrower.facing + k * 360.0 / DIRECTIONS)
            x, y = rounded(thrower.x + far * aim[0]), rounded(thrower.y + far * aim[1])
            for z in levels_at(thrower, x, y):
                if bars_landing(thrower, target, special, x, y, z) is None:
                    yield x, y, z


def levels_at(thrower: Model, x: float, y: float) -> list[float]:
    """The heights where a model can stand at this point, none above the thrower's level."""
    found = thrower.position.ground.levels(x, y)
    return [z for z in reversed(found) if z < thrower.z + 1.0 - TOLERANCE]


@rule(
    "close-combat/throw-placement", "close-combat/hurl-test", "movement/impassable", "core/levels", "structures/intact"
)
def bars_landing(thrower: Model, target: Model, special: Special, x: float, y: float, z: float) -> Fault | None:
    """Refuses a place out of the Front, too far (base to base, in plan), too high, on a model or on barred ground."""
    there = Solid(target.profile.shape, x, y, z, target.facing, target.profile.height)
    far = gap(thrower.solid, there)
    if not within(far, special.inches):
        return Fault((x, y), far, special.inches, target.row)
    if not in_front(thrower.solid, there) or z not in levels_at(thrower, x, y):
        return Fault((x, y), model=target.row)
    field = bars(target, at_the_end=True, z=z).field
    has_room = fields.is_free(field, x, y, target.facing) and may_rest(target, there)
    return None if has_room else Fault((x, y), model=target.row)


async def where_to(thrower: Model, target: Model, special: Special, places: list[Point3]) -> Point3:
    """Ask where and on which level the victim lands. It keeps its facing."""

    def refuses(answer: list[tuple[float, ...]]) -> Fault | None:
        x, y, _, *level = answer[0]
        return bars_landing(thrower, target, special, x, y, height_meant(thrower, x, y, level))

    def answer(place: Point3) -> Plain:
        return [[place[0], place[1], target.facing, place[2]]]

    def samples(rng: Random) -> Plain:
        return answer(rng.choice(places))

    shown: dict[str, Plain] = {"within": special.inches, "levels": sorted({z for *_, z in places})}
    about: dict[str, Plain] = {"models": [target.row], "model": thrower.row}
    question = Place(thrower.side, "throw-place", refuses, samples, lambda: map(answer, places), shown, about)
    x, y, _, *level = (await ask(question))[0]
    return x, y, height_meant(thrower, x, y, level)


def height_meant(thrower: Model, x: float, y: float, level: list[float]) -> float:
    """The height named in the answer, or else the highest one there."""
    return level[0] if level else next(iter(levels_at(thrower, x, y)), 0.0)
