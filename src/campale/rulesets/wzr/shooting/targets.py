"""Targets: legal ones, the nearest of them, further ones (shooting/*-target*, shooting/rof-*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campale.referee.position import Model
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import UNLIMITED, sight_of
from campale.rulesets.wzr.abilities.index import About, allows, has, ignores
from campale.rulesets.wzr.armoury.weapons import Gun, range_of
from campale.rulesets.wzr.basics.measuring import gap, in_front, same_level, within
from campale.rulesets.wzr.basics.sight import has_line
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.shooting.cover import NO_PIECE, cover
from campale.table.shapes import TOLERANCE

ASIDE = 3.0
ANTI_VEHICLE = 5


def about(gun: Gun, target: Model | None = None, far: float = 0.0) -> About:
    """What the conditions of abilities know of a shot."""
    return About(gun.model, target=target, weapon=gun.weapon, fire=gun.fire, far=far, is_ranged=True)


# ---------------------------------------------------------------- shooting/legal-target


class Reach(NamedTuple):
    """What decides on a gun's legal targets: range and sight in inches, all-round fire, the piece reclaimed."""

    gun: Gun
    far: float
    all_round: bool
    sight: float
    reclaimed: str


def reach_of(gun: Gun, reclaimed: str) -> Reach:
    return Reach(gun, range_of(gun), fires_all_round(gun), sight_of(gun.model), reclaimed)


@rule("shooting/legal-target", "core/front-rear", "abilities/machine-gunner", "vehicles/turrets")
def is_out_of_front(reach: Reach, target: Model) -> Fault | None:
    ahead = reach.all_round or in_front(reach.gun.model, target)
    return None if ahead else Fault(target.at, model=target.row, word="not-in-front")


@rule("abilities/machine-gunner", "vehicles/turrets", "vehicles/shoot-measuring")
def fires_all_round(gun: Gun) -> bool:
    """Whether the gun fires all round: a Machine Gunner's, or a vehicle's in a turret."""
    vehicle = gun.model.profile.vehicle
    in_turret = vehicle is not None and gun.weapon is not None and gun.weapon.id in vehicle.turret
    return in_turret or allows("fire-all-round", about(gun))


@rule("shooting/legal-target")
def is_out_of_range(reach: Reach, target: Model) -> Fault | None:
    """The range is measured from base to base."""
    far = gap(reach.gun.model, target)
    return None if within(far, reach.far) else Fault(target.at, far, reach.far, target.row, "out-of-range")


@rule("core/line-of-sight")
def is_beyond_sight(reach: Reach, target: Model) -> Fault | None:
    """An effect may limit how far a model sees."""
    far = gap(reach.gun.model, target) if reach.sight < UNLIMITED else 0.0
    return None if within(far, reach.sight) else Fault(target.at, far, reach.sight, target.row)


@rule("armoury/burst-level")
def is_on_another_level(reach: Reach, target: Model) -> Fault | None:
    """Burst weapons shoot only at their own level."""
    differs = reach.gun.is_burst and not same_level(reach.gun.model.z, target.z)
    return Fault(target.at, model=target.row) if differs else None


@rule("shooting/legal-target", "close-combat/engaged-definition")
def is_in_a_melee(reach: Reach, target: Model) -> Fault | None:
    """A target may not be engaged with a friend of the shooter."""
    return Fault(target.at, model=target.row, word="target-engaged") if is_engaged(target) else None


@rule("core/line-of-sight", "shooting/legal-target")
def is_out_of_sight(reach: Reach, target: Model) -> Fault | None:
    return None if has_line(reach.gun.model, target) else Fault(target.at, model=target.row)


@rule("shooting/three-covers")
def is_behind_too_much(reach: Reach, target: Model) -> Fault | None:
    closed = cover(reach.gun.model, target, reach.reclaimed).closed
    return Fault(target.at, model=target.row) if closed else None


TARGET_RESTRICTIONS = (
    is_out_of_front,
    is_out_of_range,
    is_beyond_sight,
    is_on_another_level,
    is_in_a_melee,
    is_out_of_sight,
    is_behind_too_much,
)


def judged(gun: Gun, reclaimed: str) -> dict[int, Refusal | None]:
    """Why each enemy is no legal target, by row. Kept until something moves, or an effect begins or ends."""
    position, reach = gun.model.position, reach_of(gun, reclaimed)
    kept, key = position.layout, ("judged", gun.model.row, gun.key, reach[1:], tuple(position.effects))
    if key not in kept:
        enemies = position.on_table(1 - gun.model.side)
        kept[key] = {enemy.row: first_refusal(TARGET_RESTRICTIONS, reach, enemy) for enemy in enemies}
    found: dict[int, Refusal | None] = kept[key]
    return found


def why_not(gun: Gun, target: Model, reclaimed: str = NO_PIECE) -> Refusal | None:
    """Why an enemy is no legal target, or None. An enemy that is gone never is one."""
    return judged(gun, reclaimed).get(target.row, Refusal("shooting/legal-target", model=target.row))


@rule("shooting/legal-target", "core/friendly-fire")
def legal_targets(gun: Gun, reclaimed: str = NO_PIECE) -> list[Model]:
    """The enemies that a gun may shoot at."""
    position = gun.model.position
    return [position.model(row) for row, refusal in judged(gun, reclaimed).items() if refusal is None]


# ---------------------------------------------------------------- shooting/target-priority


@rule("shooting/target-priority")
def nearest(gun: Gun, legal: Sequence[Model]) -> list[Model]:
    """The nearest legal targets: all that are equally near."""
    gaps = {enemy.row: gap(gun.model, enemy) for enemy in legal}
    least = min(gaps.values(), default=0.0)
    return [enemy for enemy in legal if gaps[enemy.row] <= least + TOLERANCE]


@rule("shooting/target-priority", "abilities/target-sense", "vehicles/avv5-target-sense", "vehicles/target-vehicle")
def ignores_priority(gun: Gun, target: Model) -> bool:
    """Whether priority is ignored: by Target Sense, with AVV 5+ at vehicles, by a vehicle's own AVV 5+ at anything."""
    if ignores("priority", about(gun)):
        return True
    if gun.fire.avv < ANTI_VEHICLE or gun.is_power:
        return False
    options = gun.model.position.options
    return bool(options.avv5_for_all or gun.model.profile.is_vehicle or target.profile.is_vehicle)


@rule("shooting/target-identified")
def needs_test(gun: Gun, target: Model, legal: Sequence[Model]) -> bool:
    """Whether the primary target is not the nearest and nothing sets priority aside."""
    rows = [enemy.row for enemy in nearest(gun, legal)]
    return target.row not in rows and not ignores_priority(gun, target)


# ---------------------------------------------------------------- shooting/rof-allocation


@rule("shooting/rof-allocation", "vehicles/target-vehicle-rof")
def further_targets(primary: Model, given: Sequence[int], legal: Sequence[Model]) -> list[int]:
    """The rows for the next attack: the primary target, or a legal enemy within 3 inches of it without an attack."""
    near = (one for one in legal if one.row != primary.row and within(gap(primary, one), ASIDE))
    return [primary.row, *(one.row for one in near if one.row not in given)]


# ---------------------------------------------------------------- abilities/stealthy

UNSEEN_FROM = 12.0


@rule("abilities/stealthy")
def is_stealthy(gun: Gun, target: Model) -> bool:
    """Whether a target is Stealthy and more than 12 inches away, so that it must be made out first."""
    return has(target, "stealthy") and not within(gap(gun.model, target), UNSEEN_FROM)
