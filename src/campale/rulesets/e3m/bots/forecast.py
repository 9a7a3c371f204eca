"""What one model is expected to take off another by fire and blows, as shares, by the needs of the rules.

This is a judgement, not a rule. Each value is computed once for two profiles and kept with the roster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from campale.dice.needs import Need, faces_met
from campale.mechanics.bases import Floats
from campale.mechanics.dice import FACES
from campale.referee.position import Model, Position
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.assault.attacks import has_two_weapons
from campale.rulesets.e3m.assault.melee import best_weapon, save_in_melee, strength_of
from campale.rulesets.e3m.assault.melee import hit_need as blow_need
from campale.rulesets.e3m.fire.kinds import RAPID_RANGE, reach, shots_at
from campale.rulesets.e3m.fire.volley import hit_need, need_to_wound
from campale.rulesets.e3m.fire.wounds import armour_save, best_save, kills_outright, save_need, wound_need
from campale.rulesets.e3m.vehicles.damage import (
    ANNIHILATE,
    BY_ORDNANCE,
    DESTROY,
    EXPLODE,
    GLANCING,
    IMMOBILISE,
    PENETRATING,
    SHAKE,
    STUN,
    WEAPON,
    armour_of,
)

UNDER_MARKER = {"template": 3.0, "blast": 2.5, "ordnance": 4.0}
"""The expected number of models under a marker, if there are so many."""
WORTH_OF_DAMAGE = {
    SHAKE: 0.05,
    STUN: 0.12,
    WEAPON: 0.2,
    IMMOBILISE: 0.35,
    DESTROY: 1.0,
    EXPLODE: 1.0,
    ANNIHILATE: 1.0,
}
"""What a damage result takes off a vehicle, as a share of it."""
FRONT, SIDE = "front", "left"
DICE = {0: 1.0, 3: 2.0, 6: 3.5}
"""The average of the die for the number of shots; without a die 1."""

Make = tuple[tuple[int, int], ...]
"""A unit's composition: a row for each kind of model (the same row for all units) and its count."""
Burst = tuple[float, float, bool]
"""The range, the share of one target taken off at full strength, and whether it is a heavy weapon."""


def chance(need: Need | None) -> float:
    """The chance of one die to meet a need; 0 for None."""
    return 0.0 if need is None else faces_met(need) / 6.0


def kept(position: Position, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """A value by profiles, computed once and kept with the roster."""
    found = position.roster.get(key)
    if found is None:
        found = position.roster[key] = make()
    return found


# ---------------------------------------------------------------- fire


def bursts(shooter: Model, target: Model, cover: int) -> tuple[tuple[Burst, ...], ...]:
    """The ways to fire each mount at a target with this cover save."""
    key = "bursts", shooter.profile, target.profile, cover
    found: tuple[tuple[Burst, ...], ...] = kept(shooter.position, key, lambda: find_bursts(shooter, target, cover))
    return found


def find_bursts(shooter: Model, target: Model, cover: int) -> tuple[tuple[Burst, ...], ...]:
    if shooter.profile.bs < 1:
        return ()
    return tuple(
        tuple(burst for line in mount.weapon.lines for burst in ways_to_fire(shooter, line, target, cover))
        for mount in shooter.profile.mounts
    )


def ways_to_fire(shooter: Model, line: Line, target: Model, cover: int) -> list[Burst]:
    share = chance(hit_need(shooter, line)) * share_of_hit(line, target, cover) * hits_of_one(line, target)
    is_heavy = line.fire in ("heavy", "ordnance") and not shooter.profile.has_armour
    limits = sorted({min(RAPID_RANGE, reach(line)), reach(line)}) if line.fire == "rapid" else [reach(line)]
    return [(far, share * shots_at(line, far) * DICE[line.die], is_heavy) for far in limits]


def hits_of_one(line: Line, target: Model) -> float:
    """How many models one use of the weapon hits."""
    if not line.is_marker or target.profile.has_armour:
        return 1.0
    return UNDER_MARKER["template" if line.is_template else "ordnance" if line.fire == "ordnance" else "blast"]


def share_of_hit(line: Line, target: Model, cover: int) -> float:
    """The share of the target that a hit takes off."""
    if target.profile.has_armour:
        return damage_of(0 if line.has("sniper") else line.strength, armour_of(target, FRONT), line)
    save = best_save(
        armour_save(target.profile.save, line.ap), None if line.is_template else cover, target.profile.invulnerable
    )
    hurt = chance(need_to_wound(target, line)) * (1.0 - chance(save_need(save)))
    return hurt * (1.0 if kills_outright(line.strength, target) else 1.0 / max(1, target.profile.w))


def damage_of(strength: int, armour: int, line: Line | None) -> float:
    """The share of a vehicle that a hit on such armour takes off, by the damage tables."""
    by_ordnance = line is not None and line.fire == "ordnance"
    dice = [max(a, b) for a in FACES for b in FACES] if by_ordnance else list(FACES)
    overs = [strength + one - armour for one in dice]
    table = BY_ORDNANCE if by_ordnance else PENETRATING
    return sum(0.0 if over < 0 else mean_damage(GLANCING if over == 0 else table) for over in overs) / len(dice)


def mean_damage(table: Sequence[str]) -> float:
    return sum(WORTH_OF_DAMAGE[result] for result in table) / len(table)


def salvo(shooter: Model, target: Model, far: float, cover: int, *, with_heavy: bool = True) -> float:
    """How many targets one model takes off with what reaches this far: a vehicle fires all weapons, others one."""
    found = [
        max([share for limit, share, is_heavy in mount if far <= limit and (with_heavy or not is_heavy)], default=0.0)
        for mount in bursts(shooter, target, cover)
    ]
    return float(sum(found) if shooter.profile.has_armour else max(found, default=0.0))


class Volley(NamedTuple):
    """How many models of a target a whole unit takes off by fire, by distance.

    ``full`` is at full strength, ``light`` without heavy weapons. ``full[n]`` holds up to ``limits[n]``, the last value
    for anything farther.
    """

    limits: tuple[float, ...]
    full: tuple[float, ...]
    light: tuple[float, ...]

    def over(self, far: Floats) -> tuple[Floats, Floats]:
        """Full and light for each of several distances."""
        n = np.array(self.limits).searchsorted(far)
        return np.array(self.full)[n], np.array(self.light)[n]


def volley(position: Position, make: Make, target: int, cover: int) -> Volley:
    """The volley of a unit of this composition at a model like that in the row, with a cover save."""
    key = "volley", make, target, cover
    found: Volley = kept(position, key, lambda: find_volley(position, make, position.model(target), cover))
    return found


def find_volley(position: Position, make: Make, target: Model, cover: int) -> Volley:
    shooters = [(position.model(row), count) for row, count in make]
    limits = sorted({burst[0] for one, _ in shooters for mount in bursts(one, target, cover) for burst in mount})

    def total(far: float, with_heavy: bool) -> float:
        return sum(count * salvo(one, target, far, cover, with_heavy=with_heavy) for one, count in shooters)

    full, light = ([*(total(far, heavy) for far in limits), 0.0] for heavy in (True, False))
    return Volley(tuple(limits), tuple(full), tuple(light))


def longest(shooter: Model) -> float:
    """The longest range of the model's weapons."""
    return float(max((reach(line) for weapon in shooter.profile.weapons for line in weapon.lines), default=0.0))


# ---------------------------------------------------------------- blows


def blows(fighter: Model, target: Model, charges: bool) -> float:
    """How many targets one model strikes down in a melee."""
    key = "blows", fighter.profile, target.profile, charges
    found: float = kept(fighter.position, key, lambda: find_blows(fighter, target, charges))
    return found


def find_blows(fighter: Model, target: Model, charges: bool) -> float:
    profile, weapon = fighter.profile, best_weapon(fighter)
    if not profile.fights or profile.ws < 1:
        return 0.0
    count = int(profile.a) + int(has_two_weapons(fighter)) + int(charges)
    strength = strength_of(fighter, weapon)
    if target.profile.has_armour:
        hits = count * (0.5 if target.profile.ws else 1.0)
        return float(hits * damage_of(strength, armour_of(target, SIDE), None))
    struck = chance(blow_need(profile.ws, target.profile.ws)) * chance(wound_need(strength, target.profile.t))
    unsaved = 1.0 - chance(save_need(save_in_melee(target, weapon, profile.kind == "great")))
    share = 1.0 if kills_outright(strength, target) else 1.0 / max(1, target.profile.w)
    return float(count * struck * unsaved * share)


def struck_by(position: Position, make: Make, target: int, charges: bool) -> float:
    """How many models like the target a unit of this composition strikes down in a melee."""
    key = "struck", make, target, charges

    def total() -> float:
        return sum(count * blows(position.model(row), position.model(target), charges) for row, count in make)

    found: float = kept(position, key, total)
    return found
