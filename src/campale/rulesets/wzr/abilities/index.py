"""What a model is able to do, and what abilities, cards and effects add to a value (abilities/*)."""

from __future__ import annotations

from typing import NamedTuple

from campale.dice.needs import Part
from campale.referee.position import Model
from campale.rulesets.wzr.armies.profile import Blade, Fire, Weapon


class About(NamedTuple):
    """What a value is wanted for, as the conditions of abilities see it.

    ``model``: whose value it is; ``attacker`` and ``target`` of an attack, with the ``weapon`` and the ``fire`` that is
    used of it; ``far``: the gap between the two in inches. ``first``: it is the first test of the attack.
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
    first: bool = False


def has(model: Model, name: str) -> bool:
    """Whether a model has an ability: printed on its profile, or given to it."""
    return name in model.profile.numbers


def number(model: Model, name: str) -> int:
    """The X of an ability, 0 without it."""
    return int(model.profile.numbers.get(name, 0))


def parts(value: str, about: About) -> tuple[Part, ...]:
    """What abilities, cards and effects do to a value, each with its rule."""
    del value, about
    return ()
