"""The conditions of an ability's row: do those on the attack, the charge and the models hold?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from campale.referee.position import Model
from campale.rulesets.wzr.abilities.vocabulary import If
from campale.rulesets.wzr.armies.profile import Blade, Fire, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.squads.squads import commander

if TYPE_CHECKING:
    from campale.rulesets.wzr.abilities.index import Carried


class About(NamedTuple):
    """What a value is computed for; the conditions of abilities read it.

    ``model`` is the model whose value it is. ``attacker`` and ``target`` belong to an attack, with its ``weapon`` and
    the ``fire`` (way to fire) in use; ``far`` is the gap between the two, in inches. ``first``: this is the first test
    of the attack. ``is_freed``: the charge is bent, or began without sight. ``is_flame``: the attack comes from a
    flamethrower. ``act`` names the act of movement, ``test`` the test.
    """

    model: Model
    attacker: Model | None = None
    target: Model | None = None
    weapon: Weapon | Blade | None = None
    fire: Fire | None = None
    far: float = 0.0
    is_ranged: bool = False
    is_aimed: bool = False
    is_covered: bool = False
    is_charging: bool = False
    is_special: bool = False
    is_power_shot: bool = False
    is_freed: bool = False
    is_flame: bool = False
    first: bool = False
    act: str = ""
    test: str = ""


Check = Callable[[If, About, Model, "Carried"], bool]


def holds(asked: If, about: About, bearer: Model, one: Carried) -> bool:
    """Whether every condition in ``asked`` is true."""
    return asked == ANYHOW or all(check(asked, about, bearer, one) for check in CHECKS)


def flags(asked: If, about: About, bearer: Model, one: Carried) -> bool:
    """The conditions on the attack and on the charge."""
    known = (
        (asked.ranged, about.is_ranged),
        (asked.aimed, about.is_aimed),
        (asked.covered, about.is_covered),
        (asked.charging, about.is_charging),
        (asked.special, about.is_special),
        (asked.power_shot, about.is_power_shot),
        (asked.freed, about.is_freed),
        (asked.first, about.first),
        (asked.flame, about.is_flame or (about.fire is not None and about.fire.is_flame)),
        (asked.template, about.fire is not None and bool(about.fire.area)),
    )
    return all(wanted is None or wanted == true for wanted, true in known)


def weapons(asked: If, about: About, bearer: Model, one: Carried) -> bool:
    weapon = about.weapon
    kind = weapon.kind if isinstance(weapon, Weapon) else None
    if (asked.classes and kind not in asked.classes) or (asked.not_classes and kind in asked.not_classes):
        return False
    if asked.types and damage_of(about) not in asked.types:
        return False
    if asked.chosen and (one.effect is None or weapon is None or weapon.id not in details(one)):
        return False
    return asked.heavy is None or asked.heavy == about.model.profile.bears_heavy


def damage_of(about: About) -> str:
    if about.fire is not None:
        return about.fire.type
    return about.weapon.type if isinstance(about.weapon, Blade) else ""


def details(one: Carried) -> tuple[object, ...]:
    """What the player chose when the card was played."""
    value = one.effect.value if one.effect is not None else ()
    return tuple(value[1:]) if isinstance(value, tuple) else ()


def models(asked: If, about: About, bearer: Model, one: Carried) -> bool:
    target, vehicle = about.target, about.model.profile.vehicle
    kind = vehicle.kind if vehicle is not None else None
    if (asked.kinds and kind not in asked.kinds) or (asked.not_kinds and kind in asked.not_kinds):
        return False
    if asked.faction_x and (target is None or target.profile.faction != one.word):
        return False
    if asked.not_larger and (target is None or target.profile.size > about.model.profile.size):
        return False
    if asked.commander is not None and asked.commander != is_commander(about.model):
        return False
    if asked.first_shot is not None and asked.first_shot == bool(about.model.marks(marks.SHOT_BEFORE)):
        return False
    return not asked.mark or bool(bearer.marks(asked.mark))


def is_commander(model: Model) -> bool:
    leader = commander(model.unit)
    return leader is not None and leader.row == model.row


def occasions(asked: If, about: About, bearer: Model, one: Carried) -> bool:
    if asked.beyond is not None and within(about.far, asked.beyond):
        return False
    return (not asked.acts or about.act in asked.acts) and (not asked.tests or about.test in asked.tests)


ANYHOW = If()
CHECKS: tuple[Check, ...] = (flags, weapons, models, occasions)
