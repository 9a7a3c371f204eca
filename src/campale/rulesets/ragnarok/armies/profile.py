"""What a model is: its profile, its weapons and its equipment. All are frozen and shared.

Numbers that a book writes as "-" are ``None`` here. Lengths are in centimetres.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import msgspec

from campale.mechanics.display import at_least
from campale.referee.rule import rule

WeaponKind = Literal["ranged", "thrown", "melee"]
WeaponRule = Literal[
    "assault",
    "thrown",
    "parry",
    "shield_breaker",
    "shield_puller",
    "long",
    "one_use",
    "salvo",
    "piercing",
    "steam",
    "magic",
    "indirect",
    "blast",
    "hand_weapon",
    "unarmed",
]
ModelType = Literal["officer", "infantry", "heavy_infantry", "machine", "beast"]
SpecialRule = Literal[
    "psionic",
    "mage",
    "scout",
    "infiltrator",
    "strider",
    "flyer",
    "immobile",
    "undead",
    "bodyguard",
]
ExpertField = Literal["", "choice", "medicine", "weapons", "martial_arts", "mind", "mechanics", "explosives"]
Ability = Literal["rallying_call", "furious_charge", "supersteam", "spear_of_odin", "summoning"]

BASE_RADIUS: dict[str, float] = {
    "officer": 1.25,
    "infantry": 1.25,
    "heavy_infantry": 1.5,
    "machine": 2.0,
    "beast": 2.0,
}
HEIGHT: dict[str, float] = {
    "officer": 3.0,
    "infantry": 3.0,
    "heavy_infantry": 3.5,
    "machine": 4.0,
    "beast": 4.0,
}
LYING_HEIGHT = 1.0


class Rule(msgspec.Struct, frozen=True):
    """A keyword with its number, if it has one: ``piercing`` 2, ``flyer`` 24."""

    name: str
    value: int = 0


def values_by_name(rules: Iterable[Rule]) -> dict[str, int]:
    return {one.name: one.value for one in rules}


class Weapon(msgspec.Struct, frozen=True, dict=True):
    """A weapon. ``range`` is 0 for thrown and melee weapons, ``rate`` 0 for melee ones; ``cost``: as an addition."""

    id: str
    title: dict[str, str]
    kind: WeaponKind
    pistol: bool = False
    range: float = 0.0
    rate: int = 0
    weight: float = 0.0
    rules: tuple[Rule, ...] = ()
    cost: int | None = None

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def _values(self) -> dict[str, int]:
        return values_by_name(self.rules)

    def has(self, name: str) -> bool:
        return name in self._values

    def value(self, name: str) -> int:
        """Return the number of a keyword, 0 if the weapon does not have it."""
        return self._values.get(name, 0)


class Equipment(msgspec.Struct, frozen=True):
    """A piece of equipment. ``effect`` is the keyword for the rules; a shield has a ``shield_save`` too.

    Only a model with one of the special rules in ``reserved_for`` may have it; empty: every model may.
    """

    id: str
    title: dict[str, str]
    weight: float = 0.0
    cost: int | None = None
    shield_save: int | None = None
    effect: str = ""
    reserved_for: tuple[SpecialRule, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)


BARE_HANDS = Weapon(  # weapon-rules/unarmed
    id="bare_hands",
    title={"en": "Bare hands", "it": "Mani nude"},
    kind="melee",
    rules=(Rule("unarmed"),),
    cost=0,
)


class Profile(msgspec.Struct, frozen=True, dict=True):
    """The fields in the book's order, with the model's weapons and equipment, additions included."""

    id: str
    title: dict[str, str]
    faction: str
    is_hq: bool
    type: ModelType
    movement: float
    shooting_skill: int | None
    melee_skill: int
    constitution: int
    senses: int
    wounds: int
    attacks: int
    psyche: int
    charisma: int
    command_bonus: int
    armour_save: int | None
    points: int
    special_rules: tuple[Rule, ...] = ()
    expert: ExpertField = ""
    abilities: tuple[Ability, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    equipment: tuple[Equipment, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def _values(self) -> dict[str, int]:
        return values_by_name(self.special_rules)

    def has(self, name: str) -> bool:
        return name in self._values

    def value(self, name: str) -> int:
        """Return the number of a special rule, 0 if the profile does not have it."""
        return self._values.get(name, 0)

    @cached_property
    @rule("profile/hit-numbers", "weapon-profile/classes")
    def can_shoot(self) -> bool:
        """Return whether the model has a shooting skill, and a weapon to shoot or throw."""
        return self.shooting_skill is not None and any(one.kind != "melee" for one in self.weapons)

    @cached_property
    @rule("profile/base-and-height")
    def base_radius(self) -> float:
        return BASE_RADIUS[self.type]

    @cached_property
    @rule("profile/base-and-height")
    def height(self) -> float:
        return HEIGHT[self.type]

    @cached_property
    @rule("weapon-profile/classes")
    def ranged_weapons(self) -> tuple[Weapon, ...]:
        return tuple(one for one in self.weapons if one.kind == "ranged")

    @cached_property
    @rule("weapon-profile/classes")
    def thrown_weapons(self) -> tuple[Weapon, ...]:
        return tuple(one for one in self.weapons if one.kind == "thrown")

    @cached_property
    @rule("weapon-profile/classes")
    def melee_weapons(self) -> tuple[Weapon, ...]:
        """Return the weapons to choose from in melee: its own in their order, then bare hands."""
        return (*(one for one in self.weapons if one.kind == "melee"), BARE_HANDS)

    @cached_property
    @rule("equipment-profile/shield-save")
    def shield(self) -> Equipment | None:
        """Return the one shield in use: the one with the better save."""
        shields = [one for one in self.equipment if one.shield_save is not None]
        return min(shields, key=lambda one: one.shield_save or 0, default=None)

    @cached_property
    def _carried(self) -> frozenset[str]:
        return frozenset([one.id for one in self.weapons] + [one.id for one in self.equipment])

    def carries(self, item: str) -> bool:
        """Return whether the model has a weapon or a piece of equipment with this id."""
        return item in self._carried

    @cached_property
    @rule("opt-weight/limit")
    def weight_carried(self) -> float:
        """Return the weight of weapons and equipment. Weights are quarters, so the sum is exact."""
        return sum(one.weight for one in self.weapons) + sum(one.weight for one in self.equipment)


@rule("profile/hit-numbers", "profile/armour-number")
def as_shown(number: int | None) -> str:
    return at_least(number)


@rule("profile/limits")
def limited_movement(movement: float) -> float:
    return max(0.0, movement)


@rule("profile/limits")
def limited_melee_dice(dice: int) -> int:
    return max(1, dice)


@rule("profile/limits")
def limited_range(range: float) -> float:
    return max(0.0, range)


@rule("profile/base-and-height")
def lying_height() -> float:
    """Return the height of a model that is prone or out of action, in cm."""
    return LYING_HEIGHT
