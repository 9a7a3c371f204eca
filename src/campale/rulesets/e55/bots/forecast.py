"""What units may do to each other from here on, in a bot's judgement: fire now, fire and charges in later turns.

All values are the points of the army lists that a target may be expected to lose. They are a judgement, not a rule: a
squad fires everything at one target, sight and cover are ignored, and the commonest profile's saves count for the whole
target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from campale.dice.needs import Need, faces_met
from campale.rulesets.e55.armies.profile import Line, Profile
from campale.rulesets.e55.assault_phase.striking import number_to_hit
from campale.rulesets.e55.definitions.characteristics import limited
from campale.rulesets.e55.definitions.dice import needed
from campale.rulesets.e55.hits.allocation import INSTANT
from campale.rulesets.e55.hits.saves import BEST_ROLL, NEGATED, is_negated, worsening
from campale.rulesets.e55.hits.wounding import needed_to_wound
from campale.rulesets.e55.weapons.weapon_rules import (
    TEMPLATE_REACH,
    is_rerolled_by_weapon,
    parts_at,
    strength_at,
    to_hit,
)


class Kinds(tuple[tuple[Profile, int], ...]):
    """The composition of a squad: profiles and their numbers of models, the commonest first. See ``kinds_of``.

    Equal compositions are one object, and are compared by identity: forecasts are cached by them.
    """

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


KNOWN: dict[tuple[tuple[Profile, int], ...], Kinds] = {}

TEMPLATE_HITS, MARKER_HITS = 3.0, 1.2
USUAL_ARMOUR = 11
USUAL_TARGETS = 5
STRIDE, RUSH = 6, 6.0
"""How far a squad moves in a turn, and how far it charges, in inches."""
TURNS_AHEAD = 4
PATIENCE = 0.7
"""The weight of a turn, relative to the turn before it."""
BRAVERY = 0.8
"""A squad that does less than this share of the harm it suffers should not charge."""
BOUTS = 2.0
"""How often fighters strike between one of their turns and the next."""


def kinds_of(profiles: Iterable[Profile]) -> Kinds:
    found = tuple(sorted(Counter(profiles).items(), key=lambda kind: -kind[1]))
    return KNOWN.setdefault(found, Kinds(found))


# ---------------------------------------------------------------- fire


@lru_cache(maxsize=1 << 16)
def salvo(kinds: Kinds, target: Profile, off: int, moved: bool) -> float:
    """Return the harm of a squad's fire to a target ``off`` inches away in one phase."""
    return sum(many * shots_of(profile, target, off, moved) for profile, many in kinds)


@lru_cache(maxsize=1 << 16)
def shots_of(profile: Profile, target: Profile, off: int, moved: bool) -> float:
    """Return the harm of a model's best gun, or of all guns of a vehicle or a monster."""
    is_steady = profile.type == "vehicle" or not moved
    worths = [
        max((burst(profile, line, target, off, is_steady) for line in mount.weapon.lines), default=0.0)
        for mount in profile.mounts
    ]
    return sum(worths) if profile.type in ("vehicle", "monster") else max(worths, default=0.0)


def burst(profile: Profile, line: Line, target: Profile, off: int, is_steady: bool) -> float:
    reach = TEMPLATE_REACH if line.reach == "template" else line.range
    if line.reach == "melee" or off > reach or (line.has("heavy") and not is_steady):
        return 0.0
    shots = max(1, line.value("heavy"), line.value("assault"))
    if line.has("rapid-fire"):
        shots = 2 if off <= reach / 2.0 else 1 if is_steady else 0
    return hits_expected(profile, line, shots, off) * worth_of_a_hit(strength_at(line, off), line.ap, target, False)


@lru_cache(maxsize=1 << 14)
def hits_expected(profile: Profile, line: Line, attacks: int, off: int, targets: int = USUAL_TARGETS) -> float:
    if line.reach == "template":
        return min(TEMPLATE_HITS, targets)
    if line.has("area") or line.has("large-area"):
        return min(MARKER_HITS * (2.0 if line.has("large-area") else 1.0), targets) * attacks
    chance = chance_of(to_hit(profile.bs or 0, parts_at(line, off)))
    return attacks * chance * (2.0 - chance if is_rerolled_by_weapon(line) else 1.0)


@lru_cache(maxsize=1 << 14)
def worth_of_a_hit(strength: int, ap: int | None, target: Profile, is_blow: bool, met: int | None = None) -> float:
    """Return the points that a hit takes off a model of a profile on average; ``met``: the armour, if it is known."""
    if target.type == "vehicle":
        usual = target.rear if is_blow else (target.front + target.side) / 2.0 or USUAL_ARMOUR
        armour = usual if met is None else met
        chance = max(0.0, min(1.0, (7.0 + strength - armour) / 6.0))
        return chance * target.points / max(1, target.structure) * 0.7
    toughness = target.t or 3
    wounds, unsaved = chance_of(needed_to_wound(limited(strength), toughness)), not_saved(target, ap)
    share = 1.0 if strength >= INSTANT * toughness else 1.0 / max(1, target.w or 1)
    return wounds * unsaved * share * target.points


def not_saved(target: Profile, ap: int | None) -> float:
    """Return the chance that a wound gets past the better of a profile's armour and invulnerable saves."""
    armour = target.armour_save or NEGATED
    best = min(armour + worsening(armour, ap), target.invulnerable_save or NEGATED)
    return 1.0 if is_negated(best) else chance_of(needed(max(BEST_ROLL, best)), fails=True)


def chance_of(need: Need | None, fails: bool = False) -> float:
    """Return the chance that a die meets a need, or fails it; None: no die is rolled, and nothing succeeds."""
    return 0.0 if need is None else (6 - faces_met(need) if fails else faces_met(need)) / 6.0


# ---------------------------------------------------------------- blows


@lru_cache(maxsize=1 << 14)
def bout(kinds: Kinds, target: Profile) -> float:
    """Return the harm of a squad's blows to another in one round of a combat."""
    return sum(many * blow_worth(profile, target) for profile, many in kinds)


@lru_cache(maxsize=1 << 12)
def blow_worth(striker: Profile, target: Profile) -> float:
    """Return the harm of one model's blows to a model of another profile in a round."""
    skill, theirs = striker.ws or 0, target.ws or 0
    if not striker.a:
        return 0.0
    chance = chance_of(needed(number_to_hit(skill, theirs)))
    melee = [line for mount in striker.mounts for line in mount.weapon.lines if line.reach == "melee"]
    blows = [((striker.s or 3) * line.strength if line.of_user else line.strength, line.ap) for line in melee]
    best = max((worth_of_a_hit(s, ap, target, True) for s, ap in [*blows, (striker.s or 3, None)]), default=0.0)
    return striker.a * chance * best


@lru_cache(maxsize=1 << 16)
def assault(kinds: Kinds, enemy: Kinds) -> float:
    """Return the harm of a squad to another that it charges; 0 if it should not charge."""
    taken = BOUTS * bout(kinds, enemy[0][0])
    lost = min(BOUTS * bout(enemy, kinds[0][0]), worth_of_kinds(kinds))
    return taken if taken >= BRAVERY * lost else 0.0


def worth_of_kinds(kinds: Kinds) -> float:
    return float(sum(many * profile.points for profile, many in kinds))


# ---------------------------------------------------------------- turns to come


@lru_cache(maxsize=1 << 17)
def to_come(kinds: Kinds, enemy: Kinds, off: int, turns: int) -> float:
    """Return the harm of a squad to another in its turns to come, by the best of a few plans."""
    plans = [shot_at(kinds, enemy[0][0], off, turns, approach) for approach in range(turns + 1)]
    return max(*plans, charged(kinds, enemy, off, turns), 0.0)


def shot_at(kinds: Kinds, target: Profile, off: int, turns: int, approach: int) -> float:
    """Return the harm by fire: the squad approaches for some turns while firing, then stands."""
    stride = stride_of(kinds[0][0])
    ways = [(turn, max(1, off - stride * min(turn + 1, approach))) for turn in range(turns)]
    return sum(PATIENCE**turn * salvo(kinds, target, gap, turn < approach) for turn, gap in ways)


def charged(kinds: Kinds, enemy: Kinds, off: int, turns: int) -> float:
    """Return the harm by blows: the squad approaches and charges as soon as it can."""
    gain = assault(kinds, enemy)
    stride = stride_of(kinds[0][0])
    first = next((turn for turn in range(turns) if off - stride * (turn + 1) <= RUSH - 1.0), turns)
    return sum(PATIENCE**turn * gain for turn in range(first, turns)) if gain > 0.0 else 0.0


def stride_of(profile: Profile) -> int:
    return max(STRIDE, profile.x, profile.speed // 2)
