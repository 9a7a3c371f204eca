"""The test to hit: modifiers and hits (shooting/sequence, shooting/modifiers, core/power-shot).

``shooting.shoot.stages_of`` makes stages of it, for play and for the exact odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from campale.dice.needs import Need, Part
from campale.referee.ask import roll_for
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed, parts
from campale.rulesets.wzr.armoury.weapons import Gun, range_of
from campale.rulesets.wzr.basics.dice import BEST, FACES, needed, raises, telling
from campale.rulesets.wzr.basics.measuring import gap, strikes_rear, within
from campale.rulesets.wzr.shooting.cover import Verdict, cover
from campale.rulesets.wzr.shooting.plan import Plan, gun_used
from campale.rulesets.wzr.wounds.hits import Hit

T = TypeVar("T")

AIM, LONG_RANGE = 2, -2
ON_PIECES = 16
HEADSHOT, HEADSHOT_CRITICAL = "headshot", 2
BURST_CRITICAL, BURST_FACES = 2, 4
CAUSE = "shooting"


class Attack(msgspec.Struct, frozen=True):
    """A test to hit, and the hit that it makes. ``need`` None: it hits without a test.

    ``power``: a natural 1 is a Power Shot. ``critical``: the highest natural face that makes a Critical of ``x`` (0:
    none). ``far``: for a burst, the length of the line that each success draws (0: no burst).
    """

    need: Need | None
    hit: Hit
    power: bool = True
    critical: int = 0
    x: int = 1
    far: float = 0.0


# ---------------------------------------------------------------- shooting/modifiers


class Aiming(msgspec.Struct):
    """What the modifiers depend on. ``first``: this is the first test of the attack."""

    gun: Gun
    target: Model
    verdict: Verdict
    aimed: bool = False
    first: bool = False

    @property
    def about(self) -> About:
        gun, covered = self.gun, self.verdict.covers
        far = gap(gun.model, self.target)
        return About(
            gun.model,
            target=self.target,
            weapon=gun.weapon,
            fire=gun.fire,
            far=far,
            is_ranged=True,
            is_aimed=self.aimed,
            is_covered=covered,
            first=self.first,
        )


@rule("shooting/modifiers", "shooting/cover-cumulative")
def covered(aiming: Aiming) -> Part:
    return aiming.verdict.part


@rule("actions/aim")
def aimed(aiming: Aiming) -> Part:
    return raises("actions/aim", AIM if aiming.aimed else 0)


@rule("shooting/long-range-option")
def long_range(aiming: Aiming) -> Part:
    """The modifier beyond half of R, if agreed on."""
    return beyond_half(aiming.gun, gap(aiming.gun.model, aiming.target))


@rule("shooting/long-range-option")
def beyond_half(gun: Gun, far: float) -> Part:
    counts = gun.model.position.options.long_range and not within(far, range_of(gun) / 2.0)
    return raises("shooting/long-range-option", LONG_RANGE if counts and not gun.is_power else 0)


MODIFIERS: tuple[Callable[[Aiming], Part], ...] = (covered, aimed, long_range)


@rule("shooting/modifiers", "psychic/shooting", "core/test")
def to_hit(aiming: Aiming) -> Need:
    """The test to hit: RS, or WP for a power, with all modifiers."""
    gun = aiming.gun
    own = parts("wp" if gun.is_power else "rs", aiming.about)
    return needed(skill(gun), (*(modifier(aiming) for modifier in MODIFIERS), *own))


@rule("psychic/shooting", "shooting/modifiers")
def skill(gun: Gun) -> int:
    return int(gun.model.profile.wp if gun.is_power else gun.model.profile.rs)


@rule("structures/hit-shooting")
def to_hit_piece() -> Need:
    """A 1-16 hits, whatever the RS. No natural face is special."""
    return msgspec.structs.replace(needed(ON_PIECES), always=(), never=())


# ---------------------------------------------------------------- the attacks of a plan


@rule("shooting/sequence", "actions/aim", "core/weapon-profile")
def attacks_of(position: Position, plan: Plan) -> list[Attack]:
    """The tests of a plain attack, in the order declared. Aim applies to the first."""
    gun = gun_used(position, plan)
    if plan.piece:
        return [Attack(to_hit_piece(), piece_hit(gun, plan.piece), power=False)] * len(plan.targets)
    return [attack_on(gun, position.model(row), plan, k == 0) for k, row in enumerate(plan.targets)]


def attack_on(gun: Gun, target: Model, plan: Plan, first: bool) -> Attack:
    """One test to hit a model."""
    verdict = cover(gun.model, target, plan.reclaimed)
    is_aimed = plan.aimed and first and aims(gun)
    need = to_hit(Aiming(gun, target, verdict, is_aimed, first))
    location = plan.location if first and target.profile.is_vehicle else ""
    hit = hit_by(gun, target, AIM if is_aimed else 0, location)
    return with_rules(gun, target, Attack(need, hit))


@rule("actions/aim")
def aims(gun: Gun) -> bool:
    """Whether Aim has an effect; it has none on templates, grenades and psychic powers."""
    return not (gun.is_power or gun.is_grenade or gun.fire.area)


@rule("armoury/enforcer-headshot", "armoury/burst-line", "armoury/burst-vehicles")
def with_rules(gun: Gun, target: Model, attack: Attack) -> Attack:
    """Add what the weapon does on natural faces. A headshot affects Wound Effects, so it does not work on vehicles."""
    if HEADSHOT in gun.rules and not target.profile.is_vehicle:
        return msgspec.structs.replace(attack, critical=BEST, x=HEADSHOT_CRITICAL)
    return msgspec.structs.replace(attack, far=range_of(gun)) if gun.is_burst else attack


@rule("core/weapon-profile", "core/wound-effect", "psychic/shooting-defence", "psychic/shooting-vehicles")
def hit_by(gun: Gun, target: Model, st: int = 0, location: str = "") -> Hit:
    """The hit of a gun on a model: its values, and where it strikes."""
    about = About(gun.model, target=target, weapon=gun.weapon, fire=gun.fire, is_ranged=True)
    return Hit(
        target=target.row,
        st=int(changed("strength", gun.fire.st or 0, about)) + st,
        avv=gun.fire.avv,
        type=gun.fire.type,
        by=gun.model.row,
        ranged=True,
        save="wp" if gun.is_power else "armour",
        cause=CAUSE,
        rules=gun.rules,
        location=location,
        rear=strikes_rear(gun.model, target),
    )


@rule("structures/attack-damage", "structures/attack-target")
def piece_hit(gun: Gun, name: str) -> Hit:
    return Hit(piece=name, avv=gun.fire.avv, by=gun.model.row, ranged=True, cause=CAUSE)


# ---------------------------------------------------------------- the dice


def grouped(things: Iterable[T], key: Callable[[T], Any]) -> list[list[T]]:
    """Group things with the same key, in the order in which each key first appears."""
    found: dict[Any, list[T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return list(found.values())


class Line(msgspec.Struct, frozen=True):
    """The line of a burst: shooter and target (rows), length in inches, and the natural face."""

    by: int
    target: int
    far: float
    face: int


@rule("shooting/sequence", "core/power-shot", "core/natural-results", "armoury/enforcer-headshot")
async def hits_of(position: Position, attacks: Sequence[Attack]) -> list[Hit | Line]:
    """Roll all tests together. Each success is a hit; for a burst, a hit and a line."""
    found: list[Hit | Line] = [attack.hit for attack in attacks if attack.need is None]
    for alike in grouped((one for one in attacks if one.need is not None), lambda one: one.need):
        need = alike[0].need
        assert need is not None
        apart = tells_of(need, alike)
        side = position.side_of[alike[0].hit.by]
        rolled = await roll_for(side, "to-hit", alike, need, FACES, apart, **told(alike))
        for attack, face, is_hit in zip(alike, rolled.faces, rolled.hits, strict=True):
            found += made_by(position, attack, face) if is_hit else ()
    return found


def tells_of(need: Need, attacks: Sequence[Attack]) -> tuple[tuple[int, ...], ...]:
    """Groups of faces that no rule tells apart."""
    apart = [BEST] if any(one.power or one.critical for one in attacks) else []
    last = BURST_FACES if any(one.far for one in attacks) else 0
    groups = telling(need, *apart)
    split = (tuple(face for face in group if (face <= last) == low) for group in groups for low in (True, False))
    return tuple(group for group in split if group)


def told(attacks: Sequence[Attack]) -> dict[str, Any]:
    """What the journal says about tests rolled together: the shooter and its targets."""
    first, rows = attacks[0].hit, list(dict.fromkeys(one.hit.target for one in attacks))
    if first.piece:
        return {"shooter": first.by, "piece": first.piece}
    return {"shooter": first.by, "target": rows[0]} if len(rows) == 1 else {"shooter": first.by, "targets": rows}


@rule("core/power-shot", "core/critical", "armoury/enforcer-headshot", "armoury/burst-vehicles")
def made_by(position: Position, attack: Attack, face: int) -> list[Hit | Line]:
    """The hit that a test makes with this natural face."""
    hit = attack.hit
    if attack.power and face == BEST:
        hit = msgspec.structs.replace(hit, power_shot=True)
    if face <= attack.critical:
        hit = msgspec.structs.replace(hit, critical=attack.x)
    if not attack.far:
        return [hit]
    is_critical = face <= BURST_FACES and position.model(hit.target).profile.is_vehicle
    hit = msgspec.structs.replace(hit, critical=BURST_CRITICAL) if is_critical else hit
    return [hit, Line(hit.by, hit.target, attack.far, face)]
