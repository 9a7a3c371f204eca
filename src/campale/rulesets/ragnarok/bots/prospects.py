"""What the models of both sides may do to each other from where they stand, in a bot's judgement.

It is not a rule. For each model it counts one burst of fire at an enemy in view, or one charge, by the expected wounds;
several models together take no more off an enemy than it has left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from campale.referee.position import Model, Position
from campale.rulesets.ragnarok.armies.profile import Profile, Weapon
from campale.rulesets.ragnarok.basics.physical import height, is_able
from campale.rulesets.ragnarok.basics.sight import NINE_LINES
from campale.rulesets.ragnarok.battle.battlefield import MOST_KEPT, opacity
from campale.rulesets.ragnarok.bots.worths import worth_of
from campale.rulesets.ragnarok.shooting.weapon_rules import has_no_range_penalty
from campale.table.sight import BLOCKED, lines_met
from campale.table.terrain import Ground

HOPE, FEAR = 0.3, 0.4
"""The weights of harm by one's own side and by the other, whichever side acts next."""
DOWN = 0.5
"""The share of its harm that a prone or suppressed model still does."""
EXPOSED = {"hidden": 0.0, "prone": 0.8, "alert": 0.85}
"""The share of fire that counts at a model in such a state."""
CHARGE_DICE = 6.0
FOUGHT, SUFFERED = 0.6, 0.4
"""The weights of a melee's blows dealt, and of those suffered."""

Stand = tuple[Profile, float, float, float, float]
"""A profile, its place (x, y, z), and the model's current height."""


class Fighter(NamedTuple):
    """A model as the bot sees it: its profile and place, its wounds left, and its worth in points.

    ``exposed``: the share of fire at it that counts; ``steady``: the share of its own harm.
    """

    stand: Stand
    left: int
    worth: float
    exposed: float
    steady: float


class Threat(NamedTuple):
    """The wounds that a model may be expected to deal another in a turn, by fire and by a charge."""

    fire: float
    blows: float


def prospect(position: Position, side: int) -> float:
    """Return the harm a side may do to the other, less the harm it may suffer."""
    fighters: tuple[list[Fighter], list[Fighter]] = [], []
    for model in position.on_table():
        if is_able(model):
            fighters[model.side].append(fighter(model))
    ours, theirs = fighters[side], fighters[1 - side]
    pairs = threats_between(position.ground, ours, theirs)
    forth = [[pair[0] for pair in row] for row in pairs]
    back = [[row[place][1] for row in pairs] for place in range(len(theirs))]
    return HOPE * harm(ours, theirs, forth) - FEAR * harm(theirs, ours, back)


def fighter(model: Model) -> Fighter:
    exposed = min([share for state, share in EXPOSED.items() if model.marks(state)], default=1.0)
    steady = DOWN if model.marks("prone") or model.marks("suppressed") else 1.0
    left = max(1, model.profile.wounds - model.marks("wounds"))
    stand = model.profile, model.x, model.y, model.z, height(model)
    return Fighter(stand, left, worth_of(model), exposed, steady)


def harm(attackers: Sequence[Fighter], targets: Sequence[Fighter], threats: Sequence[Sequence[Threat]]) -> float:
    """Return the harm of all attackers together, each where it does most after those before it."""
    remaining, total = [one.worth for one in targets], 0.0
    for attacker, row in zip(attackers, threats, strict=True):
        best, most = -1, 0.0
        for place, (target, threat) in enumerate(zip(targets, row, strict=True)):
            wounds = attacker.steady * max(threat.fire * target.exposed, threat.blows)
            taken = min(remaining[place], target.worth * min(1.0, wounds / target.left)) if wounds else 0.0
            if taken > most:
                best, most = place, taken
        if best >= 0:
            remaining[best] -= most
            total += most
    return total


# ---------------------------------------------------------------- of two profiles


def threat(attacker: Profile, target: Profile, apart: float, is_clear: bool) -> Threat:
    """Return a threat. ``apart``: between the edges of the bases in cm; ``is_clear``: no scenery blocks the line."""
    fire = by_fire(attacker, target, apart) if is_clear else 0.0
    return Threat(fire, in_melee(attacker, target) if apart <= attacker.movement + CHARGE_DICE else 0.0)


def by_fire(attacker: Profile, target: Profile, apart: float) -> float:
    """Return the wounds of a turn's fire with the best weapon in range."""
    return max(
        [near if apart <= reach / 2 else far for reach, near, far in bursts(attacker, target) if apart <= reach],
        default=0.0,
    )


@lru_cache(maxsize=4096)
def bursts(attacker: Profile, target: Profile) -> tuple[tuple[float, float, float], ...]:
    """Return for each weapon its range, and its wounds within half of it and beyond."""
    return tuple((weapon.range, *burst(attacker, weapon, target)) for weapon in attacker.ranged_weapons)


def burst(attacker: Profile, weapon: Weapon, target: Profile) -> tuple[float, float]:
    """Return the wounds of a weapon within half of its range and beyond; thrown weapons have no range penalty."""
    skill = attacker.shooting_skill
    if skill is None:
        return 0.0, 0.0
    hurt = weapon.rate * (1.0 - saved(target, weapon.value("piercing"), by_shield=True))
    return hurt * passing(skill), hurt * passing(skill if has_no_range_penalty(weapon) else skill + 1)


@lru_cache(maxsize=4096)
def in_melee(attacker: Profile, target: Profile) -> float:
    """Return the wounds of a charge, less those suffered in return."""
    dealt = (attacker.attacks + 1) * passing(attacker.melee_skill) * (1.0 - saved(target))
    suffered = target.attacks * passing(target.melee_skill) * (1.0 - saved(attacker))
    return max(0.0, FOUGHT * dealt - SUFFERED * suffered)


def passing(number: int) -> float:
    """Return the chance of a D6 against a number: a 1 always fails, a 6 always passes."""
    return min(5, max(1, 7 - number)) / 6


def saved(target: Profile, piercing: int = 0, *, by_shield: bool = False) -> float:
    """Return the chance that a hit is stopped."""
    through = 1.0 if target.armour_save is None else 1.0 - passing(target.armour_save + piercing)
    if by_shield and target.shield is not None and target.shield.shield_save is not None:
        through *= 1.0 - passing(target.shield.shield_save)
    return 1.0 - through


# ---------------------------------------------------------------- kept with the ground


def threats_between(
    ground: Ground, ones: Sequence[Fighter], others: Sequence[Fighter]
) -> list[list[tuple[Threat, Threat]]]:
    """For each pair of the ones and the others, return the threat of the first to the second, and the reverse."""
    kept = ground.kept(kept_threats)
    if len(kept) > MOST_KEPT:
        kept.clear()
    pairs = [[(one.stand, other.stand) for other in others] for one in ones]
    missing = [pair for row in pairs for pair in row if pair not in kept]
    if missing:
        kept.update(zip(missing, measured(ground, missing), strict=True))
    return [[kept[pair] for pair in row] for row in pairs]


def kept_threats(_: Ground) -> dict[tuple[Stand, Stand], tuple[Threat, Threat]]:
    return {}


def measured(ground: Ground, pairs: Sequence[tuple[Stand, Stand]]) -> list[tuple[Threat, Threat]]:
    """Measure pairs. Sight is one line, from the eye of the first to the middle of the second, and serves both."""
    eyes = [(x, y, z + NINE_LINES.eye * tall) for (_, x, y, z, tall), _ in pairs]
    middles = [(x, y, z + tall / 2) for _, (_, x, y, z, tall) in pairs]
    ends = np.array(middles, np.float64).reshape(-1, 1, 1, 3)
    clear = (lines_met(ground, eyes, ends, ground.kept(opacity))[:, 0, 0] != BLOCKED).tolist()
    found = []
    for (one, other), is_clear in zip(pairs, clear, strict=True):
        radii = one[0].base_radius + other[0].base_radius
        apart = math.hypot(one[1] - other[1], one[2] - other[2]) - radii
        found.append((threat(one[0], other[0], apart, is_clear), threat(other[0], one[0], apart, is_clear)))
    return found
