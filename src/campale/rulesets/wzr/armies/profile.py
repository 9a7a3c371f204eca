"""What a model is: its profile, weapons and powers, and a vehicle's locations. Frozen and shared.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Title
from campale.referee.rule import rule
from campale.table.shapes import Circle, Hull, Shape

Base = Literal["small", "medium", "large"]
Slot = Literal["warlord", "lord", "troops", "support", "specialist"]
Damage = Literal["piercing", "explosive", "plasma", "fire", "psychic"]
Class = Literal["pistol", "automatic", "special", "heavy", "grenade", "burst"]
Area = Literal["", "SE", "ME", "LE", "FP", "FG", "SG"]
"""Circles of 3, 4 and 5 inches, the two flame templates and the shotgun's wedge."""
WeaponRule = Literal["headshot", "ichor", "nauseating", "stun", "incendiary", "anti-vehicle"]
PowerKind = Literal["shooting", "blessing", "hindrance"]
VehicleKind = Literal["walker", "biped", "tank", "air-tank", "bike", "jetbike"]
WarlordType = Literal["", "tech", "close-combat", "ranged", "psychic"]

Number = Annotated[int, msgspec.Meta(ge=0, le=40)]
Distance = Annotated[float, msgspec.Meta(gt=0, le=120)]

RADII: dict[str, float] = {"small": 0.6, "medium": 0.8, "large": 1.0}
HEIGHTS: dict[str, float] = {"small": 1.25, "medium": 1.75, "large": 2.5}
SIZES: dict[str, int] = {"small": 1, "medium": 2, "large": 3}
FACES = 20
BIKES = ("bike", "jetbike")
HEAVY = ("biped", "tank", "air-tank")


class Fire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to fire a weapon. ``range`` None: the template alone reaches, or base contact without one.

    ``by_strength``: the range in inches is the thrower's St. ``st`` None: it causes no Wound Effect. ``burn``: how many
    Resource cards it costs; ``per_squad``: how many models of a squad may use it in a turn (0: all).
    """

    range: Distance | None = None
    by_strength: bool = False
    area: Area = ""
    st: Number | None = None
    rof: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    avv: Number = 0
    type: Damage = "piercing"
    burn: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    per_squad: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0

    @property
    @rule("templates/sizes")
    def is_circle(self) -> bool:
        return self.area in ("SE", "ME", "LE")

    @property
    @rule("templates/sizes")
    def is_wedge(self) -> bool:
        return self.area in ("FP", "FG", "SG")

    @property
    def told(self) -> str:
        """Range and template as printed on the profile: 18/SE."""
        far = "St" if self.by_strength else "" if self.range is None else f"{self.range:g}"
        return "/".join(part for part in (far, self.area) if part)

    @property
    @rule("templates/flame")
    def is_flame(self) -> bool:
        return self.area in ("FP", "FG")


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ranged weapon. ``fires`` are the ways to fire it, ``kind`` its class, ``rules`` its special rules."""

    id: str = ""
    title: Title
    kind: Class
    fires: Annotated[tuple[Fire, ...], msgspec.Meta(min_length=1, max_length=3)]
    rules: tuple[WeaponRule, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)

    def has(self, what: WeaponRule) -> bool:
        return what in self.rules


class Blade(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A melee weapon. ``ccwr`` None: the base decides. ``st`` is added to the bearer's St, or replaces it if ``full``.

    ``heavy``: its bearer fights with RoA 1 and charges without bonus; ``pistol``, ``grenade``: it is one of those.
    """

    id: str = ""
    title: Title
    ccwr: Distance | None = None
    st: Annotated[int, msgspec.Meta(ge=-10, le=40)] = 0
    full: bool = False
    roa: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    avv: Number = 0
    type: Damage = "piercing"

    def __hash__(self) -> int:
        return hash(self.id)


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A psychic power. A shooting power has the ``fire`` of a weapon; any other names an ability in ``does``."""

    id: str = ""
    title: Title
    kind: PowerKind
    range: Distance = 18.0
    fire: Fire | None = None
    does: str = ""

    def __hash__(self) -> int:
        return hash(self.id)


class Location(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a vehicle. A D20 up to ``top``, and above the ``top`` of the location before it, hits it."""

    top: Annotated[int, msgspec.Meta(ge=1, le=FACES)]
    name: Literal["pilot", "weapons", "drive", "engine"]
    title: Title
    ps: Annotated[int, msgspec.Meta(ge=1, le=20)]
    av: Number


class Vehicle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What only vehicles have. ``front`` and ``rear`` are added to a location's AV on the side that is hit."""

    kind: VehicleKind
    pa: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    front: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    rear: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    locations: Annotated[tuple[Location, ...], msgspec.Meta(min_length=1, max_length=6)]
    turret: Annotated[tuple[str, ...], msgspec.Meta(max_length=4)] = ()
    """Ids of the weapons in a turret; the others fire into the Front."""

    def __post_init__(self) -> None:
        tops = [one.top for one in self.locations]
        if tops != sorted(set(tops)) or tops[-1] != FACES:
            raise ValueError(f"the locations of a vehicle go up to {FACES}, each beyond the one before it, not {tops}")


class Profile(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The characteristics in the book's order. ``abilities`` are written with their X: "fear 2", "unyielding".

    ``cc`` 0: no melee attacks. ``impenetrable`` 0: none. ``against``: added to A, by damage type. ``hull``: width and
    length of the outline of a model without a base. ``is_commander``: this is the Squad Commander's profile.
    """

    id: str
    title: dict[str, str]
    faction: str = ""
    slot: Slot = "troops"
    m: int = 5
    cc: int = 0
    rs: int = 0
    st: int = 0
    con: int = 0
    wp: int = 0
    ld: int = 0
    w: int = 1
    a: int = 0
    impenetrable: int = 0
    against: dict[str, int] = {}
    base: Base = "small"
    hull: tuple[float, float] | None = None
    tall: float | None = None
    vehicle: Vehicle | None = None
    warlord: WarlordType = ""
    abilities: tuple[str, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    blades: tuple[Blade, ...] = ()
    powers: tuple[Power, ...] = ()
    points: int = 0
    is_commander: bool = False

    def __hash__(self) -> int:
        return hash((self.id, self.points, len(self.weapons), len(self.blades)))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The printed abilities, each with its X, or 0 if it has none."""
        pairs = (written.partition(" ") for written in self.abilities)
        return {name: int(x) if x.isdigit() else 0 for name, _, x in pairs}

    @cached_property
    def targets(self) -> dict[str, str]:
        """The abilities whose X is a word: Hatred (faction)."""
        pairs = (written.partition(" ") for written in self.abilities)
        return {name: x for name, _, x in pairs if x and not x.isdigit()}

    @cached_property
    def titled(self) -> dict[str, dict[str, str]]:
        """Titles of the melee weapons by id, and of further ways to fire a weapon by weapon id and number."""
        ways = ((weapon, k, fire) for weapon in self.weapons for k, fire in enumerate(weapon.fires, 1) if k > 1)
        return {one.id: one.title.in_both for one in self.blades} | {
            f"{weapon.id}/{k}": {lang: f"{title} ({fire.told})" for lang, title in weapon.title.in_both.items()}
            for weapon, k, fire in ways
        }

    @cached_property
    @rule("core/model-categories")
    def is_vehicle(self) -> bool:
        return self.vehicle is not None

    @cached_property
    @rule("core/model-categories")
    def is_hero(self) -> bool:
        return self.is_lord or "doomtrooper" in self.numbers

    @cached_property
    @rule("core/model-categories", "abilities/doomtrooper-pair")
    def is_lord(self) -> bool:
        """Whether this is a Warlord or a Lord. A Doomtrooper is neither, though a pair takes a Lord slot."""
        return self.slot in ("warlord", "lord") and "doomtrooper" not in self.numbers

    @cached_property
    @rule("armoury/heavy")
    def bears_heavy(self) -> bool:
        """Whether the model carries a class H weapon. Weapons mounted on a vehicle are not carried."""
        return not self.is_vehicle and any(one.kind == "heavy" for one in self.weapons)

    @cached_property
    @rule("core/bases")
    def size(self) -> int:
        """1, 2 or 3 for small, medium or large. Every vehicle is large."""
        return SIZES["large"] if self.is_vehicle else SIZES[self.base]

    @cached_property
    @rule("core/bases", "vehicles/types")
    def shape(self) -> Shape:
        if self.hull is None:
            return Circle(RADII[self.base])
        wide, long = self.hull[0] / 2.0, self.hull[1] / 2.0
        return Hull(((-wide, -long), (wide, -long), (wide, long), (-wide, long)))

    @cached_property
    @rule("core/line-of-sight", "vehicles/types")
    def height(self) -> float:
        """The height in inches for sight and cover; some kinds of vehicle have a least height."""
        tall = HEIGHTS[self.base] if self.tall is None else self.tall
        if self.vehicle is None:
            return tall
        least = {"walker": 1.75, "bike": 1.5, "jetbike": 2.0}.get(self.vehicle.kind, 0.0)
        return max(tall, least)

    @cached_property
    def footprint(self) -> tuple[object, ...]:
        """The shape as a key, equal for models that can stand in each other's places."""
        return (self.base,) if self.hull is None else self.hull
