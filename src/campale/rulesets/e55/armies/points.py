"""The points of a model, by one formula for every profile, printed or made by players.

The book has no points (9/sample-units, 10/armies): this is a scale for building even forces, not a rule.

**Body** of a living model: 4.2 x 1.3 to the power of (toughness - 4) x wounds / chance of being hurt. That chance is
the product of (1 - 0.75 a), (1 - 0.4 i), (1 - 0.3 c) and (1 - f) with the chances of its armour, invulnerable and cover
saves and of feel no pain. A bike's toughness counts as one more. **Body** of a vehicle: 10 x structure x 1.25 to the
power of (mean armour - 10), the front and the sides counted twice; three quarters if open-topped.

**Shot**: 4.5 x shots x chance to hit x harm x reach, where harm is the mean chance to wound toughness 3, 4, 4 and 6, x
(1 + 0.35 for each point of strength over 5) x worth of its AP, and reach is the root of its range / 24.

**Blow**: 5 x (attacks + 0.5) x chance to hit x harm (0.15 for each point over 5) x swiftness. Then leadership,
mobility, special rules, powers.
"""

from __future__ import annotations

import math
from functools import lru_cache

from campale.rulesets.e55.armies.profile import Line, Profile, Weapon

BODY, SHOT, BLOW, HULL = 4.2, 4.5, 5.0, 10.0
SECOND_WEAPON, SECOND_LINE = 0.25, 0.15
BEYOND_FIVE, BEYOND_FIVE_BY_HAND = 0.35, 0.15
TYPICAL_TOUGHNESS = (3, 4, 4, 6)
AP_WORTH = {None: 1.0, 6: 1.05, 5: 1.15, 4: 1.35, 3: 1.6, 2: 1.9, 1: 2.1}
LINE_FACTOR = {"rending": 1.3, "precision": 1.6, "assault": 1.1, "crushing-grip": 1.2, "slow": 0.8}
RULE_SHARE = {
    "crushing-charge": 0.08,
    "furious-charge": 0.05,
    "favoured-enemy": 0.04,
    "independent-character": 0.05,
    "scouts": 0.05,
    "implacable": 0.06,
    "move-through-cover": 0.03,
    "fleet": 0.05,
    "infiltrators": 0.04,
    "outflank": 0.04,
    "deep-strike": 0.06,
    "hazardous-deep-strike": -0.06,
    "fear": 0.06,
}
"""The share of its worth that a rule adds to a model."""
GRENADES, WARP_CHARGE, POWER, PASSENGER, FIRE_POINT = 0.5, 8.0, 5.0, 1.0, 2.0
FROM_AFAR = 0.2
"""The share of its worth that a heavy weapon loses on a model that cannot both move and fire it."""


@lru_cache(maxsize=4096)
def points_of(profile: Profile) -> int:
    """Return the points of a profile: a whole number, at least 1."""
    bare = body(profile) + shooting(profile) + fighting(profile)
    share = sum(RULE_SHARE.get(name, 0.0) for name in sorted({one.name for one in profile.rules}))
    worth = bare * (1.0 + share + mobility(profile)) + leadership(profile) + extras(profile)
    return max(1, math.floor(worth + 0.5))


def passes(save: int | None) -> float:
    """Return the chance to pass a save, 0 without one."""
    return 0.0 if save is None else (7 - max(2, save)) / 6.0


def body(profile: Profile) -> float:
    if profile.type == "vehicle":
        mean = (2 * profile.front + 2 * profile.side + profile.rear) / 5.0
        open_topped = 0.75 if profile.is_a("open-topped") else 1.0
        return HULL * profile.structure * math.pow(1.25, mean - 10.0) * open_topped
    toughness = (profile.t or 0) + (1 if profile.type == "bike" else 0)
    return BODY * math.pow(1.3, toughness - 4) * (profile.w or 0) / hurt(profile)


def hurt(profile: Profile) -> float:
    """Return the chance that a wound gets through, with armour pierced as often as usual."""
    pain = min((one.value for one in profile.printed("feel-no-pain")), default=None)
    cover = best_cover(profile)
    saved = (1.0 - 0.75 * passes(profile.armour_save)) * (1.0 - 0.4 * passes(profile.invulnerable_save))
    return saved * (1.0 - 0.3 * passes(cover)) * (1.0 - passes(pain))


def best_cover(profile: Profile) -> int | None:
    """Return the cover that a model always has, by its profile or by stealth and shrouded."""
    found = [profile.cover_save] if profile.cover_save is not None else []
    stealth, shrouded = bool(profile.printed("stealth")), bool(profile.printed("shrouded"))
    if stealth or shrouded:
        found.append(3 if stealth and shrouded else 4)  # in cover half of the time: 5 becomes 3 or 4
    return min(found, default=None)


def to_hit(skill: int | None) -> float:
    """Return the chance of a shot to hit: 5+ at ballistic skill 2 and so on."""
    return min(5.0, max(1.0, float(skill or 0))) / 6.0


def harm(strength: int, ap: int | None, beyond: float = BEYOND_FIVE) -> float:
    chances = [(7 - min(6, max(2, 4 - (strength - toughness)))) / 6.0 for toughness in TYPICAL_TOUGHNESS]
    return sum(chances) / len(chances) * (1.0 + beyond * max(0, strength - 5)) * AP_WORTH[ap]


def factor(line: Line) -> float:
    return math.prod(value for name, value in LINE_FACTOR.items() if any(one.name == name for one in line.rules))


def line_worth(line: Line, profile: Profile) -> float:
    """Return the worth of a weapon profile to its shooter."""
    shots = max(1, line.value("heavy"), line.value("assault")) * (1.5 if line.has("rapid-fire") else 1.0)
    hit = to_hit(profile.bs)
    if line.has("twin-linked"):
        hit += (1.0 - hit) * hit
    if line.reach == "template":
        hit = 2.5
    elif line.has("large-area") or line.has("area"):
        hit = (3.0 if line.has("large-area") else 1.7) * (0.8 + 0.05 * (profile.bs or 0))
    strength = line.strength + (1 if line.has("thermal") else 0) - (2 if line.has("laser") else 0)
    reach = 0.6 if line.reach == "template" else math.sqrt(line.range / 24.0)
    still = 1.0 - FROM_AFAR if line.has("heavy") and profile.type != "vehicle" else 1.0
    return SHOT * shots * hit * harm(min(10, strength), line.ap) * reach * factor(line) * still


def weapon_worth(weapon: Weapon, profile: Profile) -> float:
    worths = sorted((line_worth(line, profile) for line in weapon.lines if line.reach != "melee"), reverse=True)
    return worths[0] + SECOND_LINE * sum(worths[1:]) if worths else 0.0


def shooting(profile: Profile) -> float:
    """Return the best weapon's full worth, plus a quarter of those that cannot fire with it.

    Monsters and vehicles fire everything.
    """
    worths = sorted((weapon_worth(one, profile) for one in profile.weapons if one.is_ranged), reverse=True)
    together = (
        len(worths) if profile.type in ("monster", "vehicle") else profile.riders if profile.type == "bike" else 1
    )
    return sum(worths[:together]) + SECOND_WEAPON * sum(worths[together:])


def fighting(profile: Profile) -> float:
    """Return the worth of the best way of striking; two one-handed weapons give an extra attack."""
    if profile.a is None or profile.s is None:
        return 0.0
    pistols = sum(one.is_pistol for one in profile.weapons)
    lines = [line for one in profile.weapons for line in (*one.lines, one.awake) if line and line.reach == "melee"]
    handy = sum(not line.has("two-handed") for line in lines) + pistols
    lines = lines or [Line("melee", of_user=True)]
    return max(blow_worth(line, profile, 1 if handy > 1 and not line.has("two-handed") else 0) for line in lines)


def blow_worth(line: Line, profile: Profile, more: int) -> float:
    strength = line.strength * (profile.s or 0) if line.of_user else line.strength
    ap = min(2, line.ap or 2) if profile.type == "monster" else line.ap
    hit = min(0.85, max(0.15, 0.5 + 0.08 * ((profile.ws or 0) - 4)))
    swift = 0.7 + 0.075 * (profile.i or 0)
    return (
        BLOW
        * ((profile.a or 0) + more + 0.5)
        * hit
        * harm(min(10, strength), ap, BEYOND_FIVE_BY_HAND)
        * swift
        * factor(line)
    )


def mobility(profile: Profile) -> float:
    """Return the worth of speed, as a share of the model's; 6 inches are worth nothing."""
    if profile.type == "vehicle":
        return max(0, max(profile.speed, profile.flyer_speed) - 12) / 60.0 + 0.02 * len(profile.subtypes)
    return max(0, profile.x - 6) / (48.0 if profile.type == "beast" else 30.0)


def leadership(profile: Profile) -> float:
    if profile.ld is None:
        return 0.0
    over = profile.ld - 7
    return over * (2.0 if profile.printed("independent-character") else 0.4)


def extras(profile: Profile) -> float:
    """Return the worth of grenades, psychic powers and transport capacity."""
    seats = PASSENGER * profile.capacity + FIRE_POINT * len(profile.fire_points)
    return GRENADES * len(profile.equipment) + WARP_CHARGE * profile.psyker + POWER * len(profile.powers) + seats
