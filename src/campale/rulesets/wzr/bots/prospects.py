"""What the models of both sides may do to each other from where they stand, in the eyes of a bot.

It is a judgement and no rule. Of all that a model may do in a turn it counts one shot at an enemy in view, or one
combat with an enemy that a charge may reach, by the wounds to be expected; several that may reach one enemy take no
more off it than it is worth.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campale.mechanics.judgement.harm import pooled
from campale.referee.position import RESERVE, TABLE, Model, Position
from campale.rulesets.wzr.armies.profile import FACES, Blade, Fire, Profile
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.terrain import HEAVY, INTACT, LIGHT, LINEAR, SOLID
from campale.rulesets.wzr.bots.stakes import is_warlord, of_warlord
from campale.rulesets.wzr.close_combat.engaged import printed_reach
from campale.table.sight import crossings, pieces_over
from campale.table.terrain import Ground

Floats = NDArray[np.float64]

USUAL_ST = 10
COVERS = (0, -2, -4)
"""The modifier of one piece of cover by its class: none, light, heavy."""
MOST_COVERS = 3
SPLASH = 1.7
"""How many models a template touches, about, beside the one that it is laid on."""
AREA_HIT = 0.55
"""How often it lies where it was meant to, or near enough."""
ENGAGED, FREE = 0.8, 0.55
"""What a combat counts for with an enemy that is engaged already, and with one that has to be charged."""
VEHICLE_ST, VEHICLE_AVV = 10, 0
BROKEN = 0.8
"""How much more the last of a squad are worth than the first: what is at half, or gone, counts in missions."""


class Fighter(NamedTuple):
    """A model as a bot sees it: what it is and where, the wounds it has left, what they are worth, how able it is.

    ``share``: which part it is of its squad as that began.
    """

    row: int
    profile: Profile
    x: float
    y: float
    radius: float
    left: int
    worth: float
    able: float
    share: float = 1.0


class Threat(NamedTuple):
    """The wounds that one may be expected to deal another in a turn: by fire, by a combat."""

    fire: float
    blows: float


# ---------------------------------------------------------------- models


def fighter(model: Model, squad: int | None = None) -> Fighter:
    """``squad``: how many are left of those that it was bought with, if it is known already."""
    profile: Profile = model.profile
    wide = getattr(profile.shape, "radius", None)
    radius = float(wide) if wide is not None else max(profile.hull or (2.0,)) / 2.0
    left, worth = health(model)
    worth += of_warlord(model.position) if is_warlord(model) else 0.0
    share = 1.0 / max(1, model.unit.marks(marks.START))
    start = max(1, model.bought_with.marks(marks.START))
    worth *= 1.0 + BROKEN * (1.0 - min(1.0, (start if squad is None else squad) / start))
    return Fighter(model.row, profile, model.x, model.y, radius, left, worth, ableness(model), share)


def health(model: Model) -> tuple[int, float]:
    """Wounds (of a vehicle: PS of its first location) left, and the points that go with them."""
    profile = model.profile
    full, left = (max(1, profile.w), profile.w - model.marks(marks.WOUNDS))
    if profile.is_vehicle:
        first = profile.vehicle.locations[0]
        full, left = first.ps, first.ps - model.marks(f"ps-lost-{first.name}")
    left = max(1, left)
    return left, float(profile.points) * (0.5 + 0.5 * left / full)


def ableness(model: Model) -> float:
    """What its own doings count for."""
    if model.unit.marks(marks.ROUTED):
        return 0.25
    if model.marks(marks.PINNED):
        return 0.45
    return 0.6 if model.marks(marks.STUN) else 1.0


# ---------------------------------------------------------------- of two profiles


def chance(value: float) -> float:
    """Of a D20 against a value: 1 always, 20 never."""
    return min(FACES - 1.0, max(1.0, value)) / FACES


@lru_cache(maxsize=8192)
def wounds_of_a_hit(target: Profile, st: int | None, avv: int, type: str, psychic: bool = False) -> float:
    """What a hit takes off a target on average."""
    if target.vehicle is not None:
        first = target.vehicle.locations[0]
        held = chance(first.av + target.vehicle.front - avv)
        return 1.0 - (held + (1.0 - held) * held if avv == 0 else held)
    if st is None:
        return 0.0
    armour = (
        target.wp if psychic else max(target.a - (st - USUAL_ST) + target.against.get(type, 0), target.impenetrable)
    )
    failed = 1.0 - chance(armour)
    return failed * (1.0 - target.numbers.get("heal", 0) / FACES)


@lru_cache(maxsize=8192)
def shots(attacker: Profile, target: Profile) -> tuple[tuple[float, tuple[float, ...]], ...]:
    """Weapon by weapon: its range, and the wounds of a shot behind no, one light, one heavy, two pieces of cover."""
    fires = [(fire, attacker.rs, False) for weapon in attacker.weapons for fire in weapon.fires]
    fires += [(power.fire, attacker.wp, True) for power in attacker.powers if power.fire is not None]
    return tuple((reach_of(attacker, fire), by_cover(fire, skill, psychic, target)) for fire, skill, psychic in fires)


def reach_of(attacker: Profile, fire: Fire) -> float:
    if fire.by_strength:
        return float(attacker.st)
    flames = {"FP": 6.0, "FG": 9.0, "SG": 8.0}
    return float(fire.range or flames.get(fire.area, 0.0))


def by_cover(fire: Fire, skill: int, psychic: bool, target: Profile) -> tuple[float, ...]:
    hurt = wounds_of_a_hit(target, fire.st, fire.avv, fire.type, psychic)
    bulky = 4 if "bulky" in target.numbers else 0
    if fire.is_flame:
        return (hurt * SPLASH,) * 4
    if fire.is_circle:
        return (hurt * AREA_HIT * SPLASH * fire.rof,) * 4
    return tuple(fire.rof * chance(skill + bulky + less) * hurt for less in (*COVERS, 2 * COVERS[2]))


@lru_cache(maxsize=8192)
def blows(attacker: Profile, target: Profile) -> float:
    """The wounds of a combat with the best of its melee weapons."""
    if attacker.cc <= 0:
        return 0.0
    bulky = 4 if "bulky" in target.numbers else 0
    hit = chance(attacker.cc + bulky)
    blades: Sequence[Blade | None] = attacker.blades or (None,)
    return max(blow(attacker, target, one) for one in blades) * hit


def blow(attacker: Profile, target: Profile, blade: Blade | None) -> float:
    own = VEHICLE_ST if attacker.is_vehicle else attacker.st
    if blade is None:
        return wounds_of_a_hit(target, own, VEHICLE_AVV, "piercing")
    st = blade.st if blade.full else own + blade.st
    return blade.roa * wounds_of_a_hit(target, st, blade.avv, blade.type)


# ---------------------------------------------------------------- what lies between


def classes(ground: Ground) -> tuple[Ground, NDArray[np.int64]]:
    """The pieces that matter for fire, each as 0 (blocks it), 1 (light) or 2 (heavy cover)."""
    pieces = [p for p in ground.pieces if {LIGHT, HEAVY, SOLID, INTACT, LINEAR} & set(p.tags)]
    kinds = [0 if blocks(p.tags, p.height) else 1 if LIGHT in p.tags else 2 for p in pieces]
    return Ground(ground.width, ground.depth, tuple(pieces)), np.array(kinds, np.int64)


def blocks(tags: Sequence[str], height: float) -> bool:
    return INTACT in tags or (SOLID in tags and height >= 2.0)


def find_covers(ground: Ground, pairs: Sequence[tuple[Fighter, Fighter]]) -> list[int]:
    """What lies between the two of each pair: 0 to 3 as ``by_cover`` has it, 4: no shot.

    A building in which one of them stands has doors and windows: it counts as heavy cover.
    """
    pieces, kinds = ground.kept(classes)
    if not pieces.pieces or not pairs:
        return [0] * len(pairs)
    starts = np.array([(one.x, one.y, 0.0) for one, _ in pairs], np.float64)
    ends = np.array([(other.x, other.y, 0.0) for _, other in pairs], np.float64)
    lengths, _ = crossings(pieces, starts, ends, in_plan=True)
    met = lengths > 1e-6
    inside = pieces_over(pieces, starts[:, :2]) | pieces_over(pieces, ends[:, :2])
    walls, light, heavy = ((met & ~inside)[:, kinds == kind].sum(axis=1) for kind in (0, 1, 2))
    heavy += (met & inside)[:, kinds != 1].sum(axis=1)
    light += (met & inside)[:, kinds == 1].sum(axis=1)
    level = np.where(heavy >= 2, 3, np.where(heavy == 1, np.where(light > 0, 3, 2), np.where(light >= 2, 2, light)))
    found: list[int] = np.where((walls > 0) | (light + heavy >= MOST_COVERS), 4, level).tolist()
    return found


# ---------------------------------------------------------------- of many models

MOST_KEPT = 20_000
Place = tuple[int, float, float]
Pairs = dict[tuple[Place, Place], Threat]


def threats(position: Position, ones: Sequence[Fighter], others: Sequence[Fighter]) -> list[list[Threat]]:
    """What each of the ones may do to each of the others in a turn; kept by where both stand."""
    kept = kept_pairs(position)
    places = [(one.row, one.x, one.y) for one in ones]
    meant = [(other.row, other.x, other.y) for other in others]
    missing = [
        (one, other)
        for one, place in zip(ones, places, strict=True)
        for other, at in zip(others, meant, strict=True)
        if (place, at) not in kept
    ]
    for (one, other), cover in zip(missing, find_covers(position.ground, missing), strict=True):
        kept[(one.row, one.x, one.y), (other.row, other.x, other.y)] = threat(one, other, cover)
    return [[kept[place, at] for at in meant] for place in places]


def kept_pairs(position: Position) -> Pairs:
    """What is known already: with the roster, as long as the ground is the same."""
    kept = position.roster
    ground, pairs = kept.get("threats", (None, {}))
    if ground is not position.ground or len(pairs) > MOST_KEPT:
        pairs = {}
        kept["threats"] = position.ground, pairs
    found: Pairs = pairs
    return found


def threat(one: Fighter, other: Fighter, cover: int) -> Threat:
    apart = max(0.0, math.hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius)
    fire = 0.0
    if cover < 4:
        fire = max((by[cover] for far, by in shots(one.profile, other.profile) if apart <= far), default=0.0)
    reach = printed_reach(one.profile)
    if reach < 0.0 or apart > 2.0 * one.profile.m + reach:
        return Threat(fire, 0.0)
    share = ENGAGED if apart <= max(reach, printed_reach(other.profile)) else FREE
    return Threat(fire, share * blows(one.profile, other.profile))


def harm(ones: Sequence[Fighter], others: Sequence[Fighter], rows: Sequence[Sequence[Threat]]) -> float:
    """What all of the ones take off the others, in points."""
    taken = [
        [
            other.worth * min(1.0, one.able * max(what.fire, what.blows) / other.left)
            for other, what in zip(others, row, strict=True)
        ]
        for one, row in zip(ones, rows, strict=True)
    ]
    return pooled([other.worth for other in others], taken)


def fighters(position: Position) -> tuple[list[Fighter], list[Fighter]]:
    found: tuple[list[Fighter], list[Fighter]] = [], []
    there = zip(position.where, position.bought_with, strict=True)
    left = Counter(unit for where, unit in there if where in (TABLE, RESERVE))
    for model in position.on_table():
        found[model.side].append(fighter(model, left[position.bought_with[model.row]]))
    return found
