"""What the models of both sides may do to each other from where they stand, as a bot sees it.

This is a judgement, not a rule. Of everything that a model may do in a turn it counts one shot at a visible enemy, or
one combat with an enemy within reach of a charge, by expected wounds. Several models with the same target never take
more off it than it is worth.
"""

from __future__ import annotations

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
"""The modifier for one piece of cover by class: none, light, heavy."""
MOST_COVERS = 3
NO_SHOT = 4
"""The index, after the four kinds of cover, for two models that cannot shoot at each other."""
SPLASH = 1.7
"""About how many models a template hits for each one it is aimed at."""
AREA_HIT = 0.55
"""How often a template lands on its aim, or near enough."""
ENGAGED, FREE = 0.8, 0.55
"""Weight of a combat with an enemy already engaged, and with one that must be charged."""
VEHICLE_ST, VEHICLE_AVV = 10, 0
BROKEN = 0.8
"""How much more the last models of a squad are worth than the first: missions count squads at half or gone."""


class Fighter(NamedTuple):
    """A model as a bot sees it: profile and place, wounds left, their worth in points, and how able it is.

    ``share``: which part it is of its squad's starting number.
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


class Threats(NamedTuple):
    """Expected wounds in a turn that each of the ones (n) deals each of the others (m), by fire and by a combat.

    Both arrays are (n, m).
    """

    fire: Floats
    blows: Floats

    @property
    def best(self) -> Floats:
        """The larger of the two."""
        return np.maximum(self.fire, self.blows)


# ---------------------------------------------------------------- models


def fighter(model: Model, squad: int | None = None) -> Fighter:
    """``squad``: how many of the models bought with it are left, if already known."""
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
    """Wounds left (for a vehicle: PS of its first location), and the points that they are worth."""
    profile = model.profile
    full, left = (max(1, profile.w), profile.w - model.marks(marks.WOUNDS))
    if profile.is_vehicle:
        first = profile.vehicle.locations[0]
        full, left = first.ps, first.ps - model.marks(f"ps-lost-{first.name}")
    left = max(1, left)
    return left, float(profile.points) * (0.5 + 0.5 * left / full)


def ableness(model: Model) -> float:
    """Weight of what the model does: less if it is Routed, Pinned or stunned."""
    if model.unit.marks(marks.ROUTED):
        return 0.25
    if model.marks(marks.PINNED):
        return 0.45
    return 0.6 if model.marks(marks.STUN) else 1.0


# ---------------------------------------------------------------- between two profiles


def chance(value: float) -> float:
    """The chance of a D20 test against a value: 1 always succeeds, 20 never."""
    return min(FACES - 1.0, max(1.0, value)) / FACES


@lru_cache(maxsize=8192)
def wounds_of_a_hit(target: Profile, st: int | None, avv: int, type: str, psychic: bool = False) -> float:
    """The average wounds that a hit takes off the target."""
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
    """For each way to fire: its range, and a shot's wounds through no, one light, one heavy, two pieces of cover."""
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
    """The expected wounds of a combat with the best melee weapon."""
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


# ---------------------------------------------------------------- cover between two points


def classes(ground: Ground) -> tuple[Ground, NDArray[np.int64]]:
    """The pieces that matter for fire, each with 0 (blocks it), 1 (light cover) or 2 (heavy cover)."""
    pieces = [p for p in ground.pieces if {LIGHT, HEAVY, SOLID, INTACT, LINEAR} & set(p.tags)]
    kinds = [0 if blocks(p.tags, p.height) else 1 if LIGHT in p.tags else 2 for p in pieces]
    return Ground(ground.width, ground.depth, tuple(pieces)), np.array(kinds, np.int64)


def blocks(tags: Sequence[str], height: float) -> bool:
    return INTACT in tags or (SOLID in tags and height >= 2.0)


def covers(ground: Ground, ones: Floats, others: Floats) -> NDArray[np.int64]:
    """The cover between points (n, 2) and (m, 2): 0 to 3 as in ``by_cover``, or 4 for no shot. Shape (n, m).

    A building that one of the two stands in has doors and windows, so it counts as heavy cover.
    """
    n, m = len(ones), len(others)
    pieces, kinds = ground.kept(classes)
    if not pieces.pieces or not n * m:
        return np.zeros((n, m), np.int64)
    starts, ends = np.zeros((n, m, 3)), np.zeros((n, m, 3))
    starts[:, :, :2], ends[:, :, :2] = ones[:, None], others
    lengths, _ = crossings(pieces, starts.reshape(-1, 3), ends.reshape(-1, 3), in_plan=True)
    met = (lengths > 1e-6).reshape(n, m, -1)
    inside = pieces_over(pieces, ones)[:, None] | pieces_over(pieces, others)
    through, within = met & ~inside, met & inside
    walls, light, heavy = (through[:, :, kinds == kind].sum(axis=2) for kind in (0, 1, 2))
    heavy += within[:, :, kinds != 1].sum(axis=2)
    light += within[:, :, kinds == 1].sum(axis=2)
    level = np.where(heavy >= 2, 3, np.where(heavy == 1, np.where(light > 0, 3, 2), np.where(light >= 2, 2, light)))
    return np.where((walls > 0) | (light + heavy >= MOST_COVERS), NO_SHOT, level)


# ---------------------------------------------------------------- between many models


class Matched(NamedTuple):
    """What models of some profiles (n) may do to models of others (m), whatever lies between them.

    ``ranges`` of their shots (n, m, shots), and ``wounds`` by what lies between (n, m, shots, 5); ``charges``: how far
    a charge carries (n,), negative without one; ``reaches`` in close combat (n, m), and ``blows``.
    """

    ranges: Floats
    wounds: Floats
    charges: Floats
    reaches: Floats
    blows: Floats


@lru_cache(maxsize=1024)
def matched(ones: tuple[Profile, ...], others: tuple[Profile, ...]) -> Matched:
    most = max((len(shots(one, other)) for one in ones for other in others), default=0)
    found = Matched(
        np.full((len(ones), len(others), most), -1.0),
        np.zeros((len(ones), len(others), most, NO_SHOT + 1)),
        np.array([2.0 * one.m + printed_reach(one) if printed_reach(one) >= 0.0 else -1.0 for one in ones]),
        np.array([[max(printed_reach(one), printed_reach(other)) for other in others] for one in ones]),
        np.array([[blows(one, other) for other in others] for one in ones]),
    )
    for i, one in enumerate(ones):
        for j, other in enumerate(others):
            for k, (far, by) in enumerate(shots(one, other)):
                found.ranges[i, j, k] = far
                found.wounds[i, j, k, :NO_SHOT] = by
    return found


def threats(position: Position, ones: Sequence[Fighter], others: Sequence[Fighter]) -> tuple[Threats, Threats]:
    """What each of the ones (n) may do to each of the others (m) in a turn, (n, m), and the reverse, (m, n)."""
    if not ones or not others:
        none = np.zeros((len(ones), len(others)))
        return Threats(none, none), Threats(none.T, none.T)
    mine, theirs = (np.array([(one.x, one.y, one.radius) for one in side]) for side in (ones, others))
    ways = mine[:, None, :2] - theirs[:, :2]
    apart = np.maximum(0.0, np.hypot(ways[:, :, 0], ways[:, :, 1]) - mine[:, 2:] - theirs[:, 2])
    cover = covers(position.ground, mine[:, :2], theirs[:, :2])
    return threatened(ones, others, apart, cover), threatened(others, ones, apart.T, cover.T)


def threatened(ones: Sequence[Fighter], others: Sequence[Fighter], apart: Floats, cover: NDArray[np.int64]) -> Threats:
    (kinds, i), (their_kinds, j) = kinds_of(ones), kinds_of(others)
    what = matched(kinds, their_kinds)
    i = i[:, None]
    fire = np.where(apart[:, :, None] <= what.ranges[i, j], what.wounds[i, j, :, cover], 0.0).max(axis=2, initial=0.0)
    share = np.where(apart <= what.reaches[i, j], ENGAGED, FREE)
    return Threats(fire, np.where(apart <= what.charges[i], share * what.blows[i, j], 0.0))


def kinds_of(ones: Sequence[Fighter]) -> tuple[tuple[Profile, ...], NDArray[np.int64]]:
    """The different profiles among the models, and the index of each model's profile (n,)."""
    places: dict[Profile, int] = {}
    rows = [places.setdefault(one.profile, len(places)) for one in ones]
    return tuple(places), np.array(rows, np.int64)


def losses(ones: Sequence[Fighter], others: Sequence[Fighter], wounds: Floats) -> Floats:
    """The points that these wounds (n, m) take off the others."""
    able = np.array([one.able for one in ones])[:, None]
    left, worth = np.array([(other.left, other.worth) for other in others], np.float64).reshape(-1, 2).T
    found: Floats = worth * np.minimum(1.0, able * wounds / left)
    return found


def harm(ones: Sequence[Fighter], others: Sequence[Fighter], what: Threats) -> float:
    """The points that all of the ones together take off the others."""
    return pooled([other.worth for other in others], losses(ones, others, what.best).tolist())


def fighters(position: Position) -> tuple[list[Fighter], list[Fighter]]:
    found: tuple[list[Fighter], list[Fighter]] = [], []
    there = zip(position.where, position.bought_with, strict=True)
    left = Counter(unit for where, unit in there if where in (TABLE, RESERVE))
    for model in position.on_table():
        found[model.side].append(fighter(model, left[position.bought_with[model.row]]))
    return found
