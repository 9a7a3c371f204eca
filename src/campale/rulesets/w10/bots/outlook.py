"""How a bot estimates what the units of both sides may soon do to each other from where they stand.

For each pair of units it counts the fire of weapons in range, and a charge with its melee times the chance that the
charge succeeds; several units together take no more off a target than there is. The current turn counts more than
later ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from campale.dice.needs import Need, Part
from campale.mechanics.bases import Floats, circle_gaps, rows_of
from campale.mechanics.judgement.harm import pooled
from campale.referee.position import Model, Position, Unit
from campale.rulesets.w10.armies.profile import Line, Profile
from campale.rulesets.w10.attack.attack import NEVER
from campale.rulesets.w10.attack.values import Attack
from campale.rulesets.w10.basics.sight import is_exempt, past_ruins, ruins, wholly_within
from campale.rulesets.w10.basics.units import (
    ADVANCED,
    CHARGED,
    FELL_BACK,
    FOUGHT,
    MOVED,
    PICKED,
    SHOT,
    engaged_rows,
    members,
    units_of,
    wounds_left,
)
from campale.rulesets.w10.battle.only_war import ROUNDS
from campale.rulesets.w10.bots.prospects import SIXTH, WAYS, points_left, share, wounds_by
from campale.rulesets.w10.shooting.eligible import is_eligible

NOW, NEXT, LATER = 1.0, 0.7, 0.35
"""The weight of harm in the current turn, in the enemy's next turn, and in the side's own next turn."""
FEAR = 0.65
"""The weight of harm done by the enemy relative to own harm; a bot that only fears never engages."""
UNSEEN = 0.25
"""The weight of fire at a unit behind a ruin."""
BEATEN = 0.7
"""The weight of harm suffered in return in a melee."""
PHASES = ("command", "movement", "reinforcements", "shooting", "charge", "fight", "end")


class Squad(NamedTuple):
    """A unit as the bot sees it: its models by profile, a central model, its value in points, its wounds left.

    ``left``: the wounds left, in whole models; ``fires``, ``charges``, ``fights``: weights of what it may soon do;
    ``stride``: how far in inches it moves first.
    """

    unit: Unit
    models: list[Model]
    kinds: tuple[tuple[Profile, int], ...]
    middle: Model
    worth: float
    left: float
    fires: float
    charges: float
    fights: float
    stride: float


def outlook(position: Position, side: int) -> tuple[float, float]:
    """Expected harm done and suffered by a side, in points; zero before the first turn."""
    if position.now.get("phase") not in PHASES:
        return 0.0, 0.0
    mine, theirs = squads_of(position, side), squads_of(position, 1 - side)
    if not mine or not theirs:
        return 0.0, 0.0
    gaps, seen = gaps_between(position, mine, theirs), seen_between(position, mine, theirs)
    return harm(mine, theirs, gaps, seen), FEAR * harm(theirs, mine, gaps.T, seen.T)


def squads_of(position: Position, side: int) -> list[Squad]:
    return [squad_of(unit) for unit in units_of(position, side)]


def squad_of(unit: Unit) -> Squad:
    models = members(unit)
    kinds = tuple(Counter(m.profile for m in models).items())
    at = sum(m.x for m in models) / len(models), sum(m.y for m in models) / len(models)
    middle = min(models, key=lambda m: (m.x - at[0]) ** 2 + (m.y - at[1]) ** 2)
    fires, charges, fights = chances_of(unit)
    own = unit.position.now["side"] == unit.side
    has_moved = own and (phase_of(unit.position) > 1 or bool(unit.marks(MOVED) or unit.marks(PICKED)))
    stride = 0.0 if has_moved else float(min(m.profile.m or 0 for m in models))
    worth, left = sum(map(points_left, models)), sum(wounds_left(m) / m.profile.w for m in models)
    return Squad(unit, models, kinds, middle, worth, left, fires, charges, fights, stride)


def phase_of(position: Position) -> int:
    return PHASES.index(str(position.now["phase"]))


def chances_of(unit: Unit) -> tuple[float, float, float]:
    """The weights of a unit's fire, of its charge, and of its blows in a continuing melee."""
    position = unit.position
    phase, own = phase_of(position), position.now["side"] == unit.side
    turns = 2 * ROUNDS - int(position.now["turn"])
    coming = (LATER if turns >= 2 else 0.0) if own else (NEXT if turns >= 1 else 0.0)
    fights = NOW if phase <= 5 and not unit.marks(FOUGHT) else NEXT if turns else 0.0
    if not own:
        return coming, coming, fights
    fires = NOW if phase <= 3 and not unit.marks(SHOT) and is_eligible(unit) else coming
    ran = unit.marks(FELL_BACK) or unit.marks(ADVANCED)
    charges = NOW if phase <= 4 and not unit.marks(CHARGED) and not ran else coming
    return fires, charges, fights


# ---------------------------------------------------------------- between units


def gaps_between(position: Position, ones: Sequence[Squad], others: Sequence[Squad]) -> Floats:
    """The approximate gap in inches between the nearest models of each pair of units, as an array (ones, others)."""
    rows, columns = ([m for one in squads for m in one.models] for squads in (ones, others))
    found = circle_gaps(position, rows_of(rows), rows_of(columns))
    down, along = (np.cumsum([0, *(len(one.models) for one in squads[:-1])]) for squads in (ones, others))
    nearest = np.minimum.reduceat(np.minimum.reduceat(found, down, axis=0), along, axis=1)
    return np.asarray(np.maximum(nearest, 0.0))


def seen_between(position: Position, ones: Sequence[Squad], others: Sequence[Squad]) -> Floats:
    """The weight of fire between each pair of units: less if a ruin stands between their central models."""
    count = len(ones) * len(others)
    starts = np.repeat([(one.middle.x, one.middle.y) for one in ones], len(others), axis=0)
    ends = np.tile([(one.middle.x, one.middle.y) for one in others], (len(ones), 1))
    inside = np.repeat(np.array([wholly_within(one.middle, ruins) for one in ones]), len(others), axis=0)
    exempt = np.repeat([is_exempt(one.middle) for one in ones], len(others))
    exempt |= np.tile([is_exempt(one.middle) for one in others], len(ones))
    clear = exempt | past_ruins(position, starts, ends, inside.reshape(count, -1))
    return np.asarray(np.where(clear, 1.0, UNSEEN).reshape(len(ones), len(others)))


def harm(attackers: Sequence[Squad], targets: Sequence[Squad], gaps: Floats, seen: Floats) -> float:
    """The harm that all attackers are expected to do together.

    Each is counted where it takes most off, given the attackers before it.
    """
    engaged = engaged_rows(attackers[0].unit.position)
    threats = []
    for one, far, clear in zip(attackers, gaps.tolist(), seen.tolist(), strict=True):
        foes = engaged.get(one.unit.row, set())
        places = zip(targets, far, clear, strict=True)
        threats.append([threat(one, other, apart, shows, foes) for other, apart, shows in places])
    return pooled([one.worth for one in targets], threats)


def threat(one: Squad, other: Squad, apart: float, shows: float, foes: set[int]) -> float:
    """The points that a unit is expected to take off another, weighted by time; ``foes``: units it is engaged with."""
    target, worth = other.kinds[0][0], other.worth / other.left
    if other.unit.row in foes:
        return one.fights * worth * sum(count * blows(kind, target) for kind, count in one.kinds)
    if foes:
        return 0.0
    fire = sum(count * shots(kind, target, apart - one.stride) for kind, count in one.kinds) if one.fires else 0.0
    found = one.fires * shows * worth * fire
    chance = arriving(apart - one.stride) if one.charges else 0.0
    if chance:
        there = sum(count * blows(kind, target) for kind, count in one.kinds) * worth
        back = sum(count * blows(kind, one.kinds[0][0]) for kind, count in other.kinds) * one.worth / one.left
        found += one.charges * chance * max(0.0, there - BEATEN * back)
    return found


def arriving(apart: float) -> float:
    """The chance that a charge across a gap of so many inches succeeds."""
    needed = max(2, -int(-(apart - 1.0) // 1))
    return WAYS.get(needed, 0.0)


# ---------------------------------------------------------------- between two profiles


def shots(attacker: Profile, target: Profile, apart: float) -> float:
    """Models of the target that one attacker's guns in range are expected to destroy in a turn."""
    return sum(max(dealt_from(line, target, apart) for line in weapon.lines) for weapon in attacker.ranged)


def dealt_from(line: Line, target: Profile, apart: float) -> float:
    """As ``shots``, for one profile of a weapon at a distance in inches."""
    reach = line.range or 0.0
    return dealt(line, target, apart <= reach / 2.0) if apart <= reach else 0.0


@lru_cache(maxsize=4096)
def blows(attacker: Profile, target: Profile) -> float:
    """The models that the attacker's best melee weapon is expected to destroy."""
    return max((dealt(line, target, False) for weapon in attacker.melee for line in weapon.lines), default=0.0)


@lru_cache(maxsize=4096)
def dealt(line: Line, target: Profile, near: bool) -> float:
    """The models that a weapon is expected to destroy, judged by the two profiles alone."""
    critical = min((6, *(number for name, number in line.numbers.items() if is_against(name, target))))
    attack = Attack(line, 0, near, (), False, target.t, critical, False, 0)
    count = line.attacks.mean + (line.number("rapid-fire") if near else 0)
    lost = min(line.damage.mean + (line.number("melta") if near else 0), float(target.w))
    ignored = 0.0 if target.feel_no_pain is None else (7 - target.feel_no_pain) * SIXTH
    return count * wounds_by(attack, saved(line, target)) * lost * (1.0 - ignored) / target.w


def is_against(ability: str, target: Profile) -> bool:
    return ability.startswith("anti-") and target.has(ability[5:])


def saved(line: Line, target: Profile) -> float:
    """The chance of the target's better save."""
    armour = share(Need(target.sv, (Part("attack/saving-throw", line.ap),), never=NEVER))
    return armour if target.invulnerable is None else max(armour, share(Need(target.invulnerable, never=NEVER)))
