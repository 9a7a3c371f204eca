"""Resolving shots (3.2.1 to 3.2.3): target by target, with all shots at one target as a single volley."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import astuple

from campale.dice.needs import Need
from campale.referee.ask import choose
from campale.referee.chance import Rolled
from campale.referee.position import ABOARD, TABLE, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line
from campale.rulesets.e55.definitions.characteristics import value
from campale.rulesets.e55.definitions.dice import pool_for, second_rolls
from campale.rulesets.e55.definitions.sight import Eye
from campale.rulesets.e55.definitions.units import active, members
from campale.rulesets.e55.hits import cover, resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.shooting_phase.fire import Shot, declare, declared, distances, eye_of, line_of
from campale.rulesets.e55.weapons.templates import lay_marker, lay_teardrop
from campale.rulesets.e55.weapons.weapon_rules import (
    lets_cover_help,
    marker_of,
    parts_at,
    reaches,
    rules_of_hit,
    second_chance,
    skill_at,
    strength_at,
    to_hit,
)

STRUCK = "struck"
"""The name under which the hits of a volley, and the cover against them, are kept until they are resolved."""


class Aimed(NamedTuple):
    """A shot that reaches its target, with its weapon's line and the distance in inches."""

    shot: Shot
    line: Line
    distance: int


class Dice(NamedTuple):
    """Consecutive dice of one unit with the same need, and the shots they belong to."""

    unit: int
    need: Need
    again: Need | None
    shots: tuple[Aimed, ...]

    @property
    def many(self) -> int:
        return sum(one.shot.attacks for one in self.shots)


@rule("3.2/sequence", "3.2/declare-first")
async def volley_phase(position: Position) -> bool:
    """Resolve one target's volley, then its hits; the active player chooses the order of the targets."""
    if STRUCK in position.declared:
        await resolve_hits(position)
        return bool(declared(position))
    shots = declared(position)
    if not shots:
        return False
    standing = [row for row in dict.fromkeys(shot.target for shot in shots) if members(Unit(position, row))]
    if not standing:
        lose(position, shots)
        return False
    target = await choose(active(position), "volley", standing, of="unit")
    left = [shot for shot in shots if shot.target != target]
    declare(position, left)
    await resolve(position, Unit(position, target), [shot for shot in shots if shot.target == target])
    return bool(left) or STRUCK in position.declared


@rule("3.2/declare-first")
def lose(position: Position, shots: Sequence[Shot]) -> None:
    """Discard shots at units that no longer exist."""
    declare(position, [])
    position.write("shots-lost", targets=list(dict.fromkeys(shot.target for shot in shots)))


@rule("3.2/same-target-simultaneous", "3.2.2/shots-simultaneous")
async def resolve(position: Position, target: Unit, shots: Sequence[Shot]) -> None:
    """Roll all fire at one unit: range, sight and cover of all shots first, then the dice.

    The hits are resolved next.
    """
    aimed = in_range(position, target, in_order(able(position, shots)))
    if not aimed:
        return
    firing = eyes_of_volley(position, aimed)
    hits = await scored(position, target, aimed)
    rows = list(dict.fromkeys((target.row, *hits)))
    covers = cover.covers_of_all(firing, rows, position)
    count = {str(row): len(hits.get(row, ())) for row in rows}
    position.write("volley", target=target.row, hits=count, count=sum(count.values()))
    struck = [(row, [astuple(hit) for hit in hits[row]]) for row in rows if hits.get(row)]
    position.declare(STRUCK, (struck, list(covers.items())) if struck else None)


@rule("3.2/same-target-simultaneous", "3.2.2/shots-simultaneous")
async def resolve_hits(position: Position) -> None:
    """Resolve the hits of the volley, all of them at once."""
    struck, covers = position.declared[STRUCK]
    position.declare(STRUCK, None)
    await resolving.take_all([(Unit(position, row), [Hit(*hit) for hit in hits]) for row, hits in struck], dict(covers))


def able(position: Position, shots: Sequence[Shot]) -> list[Shot]:
    """Return the shots of models that are still there."""
    return [shot for shot in shots if position.where[shot.model] in (TABLE, ABOARD)]


@rule("1.1/dice-stream")
def in_order(shots: Sequence[Shot]) -> Sequence[Shot]:
    """Sort shots by unit in the order declared, then by model in roster order, then by weapon."""
    units = list(dict.fromkeys(shot.unit for shot in shots))
    return sorted(shots, key=lambda shot: (units.index(shot.unit), shot.model))


@rule("3.2.1/range", "3.2.1/out-of-range")
def in_range(position: Position, target: Unit, shots: Sequence[Shot]) -> list[Aimed]:
    """Return the shots that are in range. Other weapons count as fired all the same; templates have no range."""
    found, short = [], []
    for shot, distance in zip(shots, distances(position, shots, target), strict=True):
        line = line_of(position, shot)
        if line.reach == "template" or reaches(line, shot.attacks, distance):
            found.append(Aimed(shot, line, distance))
        else:
            short.append(shot.model)
    if short:
        position.write("out-of-range", target=target.row, models=list(dict.fromkeys(short)))
    return found


def eyes_of_volley(position: Position, aimed: Sequence[Aimed]) -> list[tuple[int, tuple[Eye, ...]]]:
    """Return the units that fire, each with the points its models look from, every point once."""
    found: dict[int, dict[Eye, None]] = {}
    for one in aimed:
        found.setdefault(one.shot.unit, {})[eye_of(position, one.shot)] = None
    return [(unit, tuple(eyes)) for unit, eyes in found.items()]


# ---------------------------------------------------------------- hits


async def scored(position: Position, target: Unit, aimed: Sequence[Aimed]) -> dict[int, list[Hit]]:
    """Return the hits in the order scored, by the row of the unit that they strike."""
    found: dict[int, list[Hit]] = {target.row: []}
    for hit in await hits_of(position, aimed, target.row):
        found.setdefault(target.row if hit.target < 0 else position.unit_of[hit.target], []).append(hit)
    return found


async def hits_of(position: Position, aimed: Sequence[Aimed], row: int) -> list[Hit]:
    """Return the hits of all fire at a unit (row).

    Dice come first; markers and templates may strike other units too.
    """
    direct = [one for one in aimed if rolls_to_hit(one.line)]
    hits = await hits_by_dice(position, Unit(position, row), direct)
    for one in aimed:
        if not rolls_to_hit(one.line):
            hits += [hit_of(one, under) for under in await under_all(position, one)]
    return hits


def rolls_to_hit(line: Line) -> bool:
    return line.reach == "ranged" and marker_of(line) is None


async def under_all(position: Position, one: Aimed) -> list[int]:
    """Return the models under the markers or templates of one weapon, one marker or template for every attack."""
    found: list[int] = []
    bs = skill_at(position.model(one.shot.model), one.line, one.distance)
    for _ in range(one.shot.attacks):
        if one.line.reach == "template":
            found += await lay_teardrop(position, one.shot)
        else:
            found += await lay_marker(position, one.shot, bs)
    return found


@rule("3.2.2/hit-inherits", "2/target-kinds", "3.2.2/ranged-grants-cover")
def hit_of(one: Aimed, target: int = -1) -> Hit:
    """Return a hit with its weapon's properties, on one model if a template or marker picks it out."""
    line = one.line
    return Hit(
        strength_at(line, one.distance),
        line.ap,
        rules=rules_of_hit(line),
        by_unit=one.shot.unit,
        by_model=one.shot.model,
        target=target,
        grants_cover=lets_cover_help(line),
        is_ranged=True,
    )


# ---------------------------------------------------------------- 3.2.2: dice


@rule("3.2.2/to-hit", "1.1/dice-stream")
async def hits_by_dice(position: Position, target: Unit, direct: Sequence[Aimed]) -> list[Hit]:
    """Roll to hit by unit in the order declared, then by model, then by attack: all first rolls, then all re-rolls."""
    side = active(position)
    batches = batched(position, target, direct)
    rolled = []
    for one in batches:
        rolled.append(await pool_for(side, "to-hit", hits_if(one), one.need, unit=one.unit, target=target.row))
    found: list[Hit] = []
    for one, first in zip(batches, rolled, strict=True):
        met = await with_second_chance(side, one, target, first)
        found += [hit for hit, is_hit in zip(first.things, met, strict=True) if is_hit]
    return found


@rule("3.2.2/high-bs", "9.1.1/twin-linked", "8/favoured-enemy", "1.1/re-roll-once")
async def with_second_chance(side: int, one: Dice, target: Unit, rolled: Rolled) -> Sequence[bool]:
    """Return for each die whether it hits, after re-rolling failed dice where a rule allows it."""
    return await second_rolls(side, "to-hit-again", rolled, one.again, unit=one.unit, target=target.row)


def hits_if(one: Dice) -> list[Hit]:
    """Return the hit that each die scores if it succeeds."""
    return [hit for aimed in one.shots for hit in [hit_of(aimed)] * aimed.shot.attacks]


def batched(position: Position, target: Unit, direct: Sequence[Aimed]) -> list[Dice]:
    """Group the shots into runs of dice with the same need."""
    found: list[Dice] = []
    known: dict[tuple[object, ...], tuple[Need, Need | None]] = {}
    for one in direct:
        key = one.shot.unit, id(position.profiles[one.shot.model]), id(one.line), one.distance
        if key not in known or position.effects:
            known[key] = needs_of(position, target, one)
        need, again = known[key]
        last = found[-1] if found else None
        if last is not None and (last.unit, last.need, last.again) == (one.shot.unit, need, again):
            found[-1] = last._replace(shots=(*last.shots, one))
        else:
            found.append(Dice(one.shot.unit, need, again, (one,)))
    return found


def needs_of(position: Position, target: Unit, one: Aimed) -> tuple[Need, Need | None]:
    """Return what a die of a shot needs, and what a re-roll needs."""
    model = position.model(one.shot.model)
    need = to_hit(value(model, "bs"), parts_at(one.line, one.distance))
    return need, second_chance(model, target, one.line, skill_at(model, one.line, one.distance), need)
