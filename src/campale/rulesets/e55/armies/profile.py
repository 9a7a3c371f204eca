"""What a model is: its profile, its weapons, its equipment. All are frozen and shared.

Numbers that a book writes as "-" are ``None`` here. Lengths are in inches. Rules of a type (a bike has Crushing charge)
are not part of profiles, but in ``types`` and ``special``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import msgspec

from campale.table.shapes import Point3

Type = Literal["infantry", "beast", "monster", "bike", "vehicle"]
Subtype = Literal[
    "flying-monster",
    "jetbike",
    "flying-infantry",
    "armoured",
    "open-topped",
    "aircraft",
    "flyer",
    "transport",
    "walker",
    "rotating",
]
Arc = Literal["front", "left", "right", "rear"]
ARCS: tuple[Arc, ...] = ("front", "right", "rear", "left")

Reach = Literal["ranged", "template", "melee"]
WeaponRule = Literal[
    "rapid-fire",
    "pistol",
    "area",
    "large-area",
    "twin-linked",
    "laser",
    "precision",
    "rending",
    "heavy",
    "assault",
    "thermal",
    "two-handed",
    "slow",
    "crushing-grip",
]
SpecialRule = Literal[
    "feel-no-pain",
    "crushing-charge",
    "furious-charge",
    "stealth",
    "shrouded",
    "favoured-enemy",
    "independent-character",
    "scouts",
    "implacable",
    "move-through-cover",
    "fleet",
    "infiltrators",
    "outflank",
    "deep-strike",
    "hazardous-deep-strike",
    "fear",
]
Equipment = Literal["defensive-grenades", "assault-grenades"]


class Rule(msgspec.Struct, frozen=True):
    """A keyword with its (X): a number, or for favoured enemy a keyword of units."""

    name: str
    value: int = 0
    of: str = ""


def named(rules: Iterable[Rule], name: str) -> tuple[Rule, ...]:
    return tuple(one for one in rules if one.name == name)


class Line(msgspec.Struct, frozen=True, dict=True):
    """One profile of a weapon: a weapon with several profiles has several lines.

    ``strength`` is the weapon's own, or, with ``of_user``, the multiplier of the user's strength (1: as the user, 2:
    twice). ``range`` is in inches, 0 for templates and melee.
    """

    reach: Reach
    range: float = 0.0
    strength: int = 1
    of_user: bool = False
    ap: int | None = None
    rules: tuple[Rule, ...] = ()
    title: dict[str, str] = {}

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.reach, self.range, self.strength, self.ap, self.rules))

    @cached_property
    def _values(self) -> dict[str, int]:
        return {one.name: one.value for one in self.rules}

    def has(self, name: WeaponRule) -> bool:
        return name in self._values

    def value(self, name: WeaponRule) -> int:
        """Return the (X) of a rule, 0 if the line does not have it."""
        return self._values.get(name, 0)


class Weapon(msgspec.Struct, frozen=True):
    """A weapon. ``charges``: the warp charges that switch on a psychic weapon's ``awake`` line, for a phase."""

    id: str
    title: dict[str, str]
    lines: tuple[Line, ...]
    charges: int = 0
    awake: Line | None = None

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def is_ranged(self) -> bool:
        return any(line.reach != "melee" for line in self.lines)

    @property
    def is_pistol(self) -> bool:
        return any(line.has("pistol") for line in self.lines)


class Mount(msgspec.Struct, frozen=True):
    """A weapon as a model carries it; on vehicles with its arcs of fire, and its muzzle on the hull."""

    weapon: Weapon
    arcs: tuple[Arc, ...] = ("front",)
    is_turret: bool = False
    muzzle: Point3 | None = None


class Power(msgspec.Struct, frozen=True):
    """A psychic power: its cost in warp charges and its effect, from a closed vocabulary (``psychic``).

    ``shooting`` is the line of a shooting power. ``kind`` is the effect of any other: "ward" (cover ``value`` to a
    friendly unit), "haste" (``value`` inches more for a friendly unit's move), "dread" (leadership worsened by
    ``value``), "smite" (a hit of strength ``value`` on an enemy model), "overrun" (the target takes a morale test).
    """

    id: str
    title: dict[str, str]
    cost: int
    kind: Literal["shooting", "ward", "haste", "dread", "smite", "overrun"]
    value: int = 0
    range: float = 0.0
    shooting: Line | None = None


class Profile(msgspec.Struct, frozen=True, dict=True):
    """One model. Vehicles have armour, structure and speed, and walkers the other characteristics as well."""

    id: str
    title: dict[str, str]
    type: Type = "infantry"
    subtypes: tuple[Subtype, ...] = ()
    x: int = 0
    ws: int | None = None
    bs: int | None = None
    s: int | None = None
    t: int | None = None
    w: int | None = None
    i: int | None = None
    a: int | None = None
    ld: int | None = None
    armour_save: int | None = None
    cover_save: int | None = None
    invulnerable_save: int | None = None
    riders: int = 1
    front: int = 0
    side: int = 0
    rear: int = 0
    structure: int = 3
    speed: int = 0
    flyer_speed: int = 0
    rules: tuple[Rule, ...] = ()
    keywords: tuple[str, ...] = ()
    mounts: tuple[Mount, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    psyker: int = 0
    powers: tuple[Power, ...] = ()
    capacity: int = 0
    carries: tuple[Type | Subtype, ...] = ("infantry",)
    boards_as: Type | None = None
    hatches: tuple[Point3, ...] | None = None
    fire_points: tuple[Point3, ...] = ()
    diameter: float = 0.0
    length: float = 0.0
    width: float = 0.0
    height: float = 0.0
    points: int = 0

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, self.mounts, self.rules, self.equipment))

    @cached_property
    def _named(self) -> dict[str, tuple[Rule, ...]]:
        return {one.name: named(self.rules, one.name) for one in self.rules}

    def printed(self, name: SpecialRule) -> tuple[Rule, ...]:
        """Return the special rules of that name that the profile itself states."""
        return self._named.get(name, ())

    def is_a(self, kind: Type | Subtype) -> bool:
        return self.type == kind or kind in self.subtypes

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        return tuple(mount.weapon for mount in self.mounts)
