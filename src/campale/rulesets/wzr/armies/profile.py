"""What a model is: its profile, its weapons and powers, its locations if it is a vehicle. Frozen, and shared.

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
"""The circles of 3, 4 and 5 inches, the two flames and the shotgun's wedge."""
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
    """One way to fire a weapon. ``range`` None: by the template alone, or base contact if it has none.

    ``by_strength``: the range in inches is the thrower's St. ``st`` None: it causes no Wound Effect. ``burn``: how many
    Resource cards it takes; ``per_squad``: how many models of a squad may use it in a turn (0: all).
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
        """Its range and template, as the profile prints them: 18/SE."""
        far = "St" if self.by_strength else "" if self.range is None else f"{self.range:g}"
        return "/".join(part for part in (far, self.area) if part)

    @property
    @rule("templates/flame")
    def is_flame(self) -> bool:
        return self.area in ("FP", "FG")


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ranged weapon: ``fires`` are the ways to fire it, ``kind`` its class, ``rules`` what is special about it."""

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
    """A melee weapon. ``ccwr`` None: the base decides. ``st``: what is added to the bearer's, or the whole if ``full``.

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
    """A psychic power. A shooting power has the ``fire`` of a weapon; others name what they do, an ability's row."""

    id: str = ""
    title: Title
    kind: PowerKind
    range: Distance = 18.0
    fire: Fire | None = None
    does: str = ""

    def __hash__(self) -> int:
        return hash(self.id)


class Location(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a vehicle: it is hit by a D20 of ``top`` or less, and not less than the location before it."""

    top: Annotated[int, msgspec.Meta(ge=1, le=FACES)]
    name: Literal["pilot", "weapons", "drive", "engine"]
    title: Title
    ps: Annotated[int, msgspec.Meta(ge=1, le=20)]
    av: Number


class Vehicle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What only a vehicle has. ``front`` and ``rear`` are added to the AV of a location by the side that is hit."""

    kind: VehicleKind
    pa: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    front: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    rear: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    locations: Annotated[tuple[Location, ...], msgspec.Meta(min_length=1, max_length=6)]
    turret: Annotated[tuple[str, ...], msgspec.Meta(max_length=4)] = ()
    """Ids of the weapons that traverse in a turret; the others fire into the Front."""

    def __post_init__(self) -> None:
        tops = [one.top for one in self.locations]
        if tops != sorted(set(tops)) or tops[-1] != FACES:
            raise ValueError(f"the locations of a vehicle go up to {FACES}, each beyond the one before it, not {tops}")


class Profile(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The characteristics in the book's order. ``abilities`` are written with their X: "fear 2", "unyielding".

    ``cc`` 0: it makes no melee attacks. ``impenetrable`` 0: none. ``against``: what is added to A by damage type.
    ``hull``: width and length of the outline of a model without a base. ``is_commander``: the profile is that of the
    Squad Commander, where he has one of his own.
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
        """The abilities that are printed, each with its X; 0 for those without."""
        pairs = (written.partition(" ") for written in self.abilities)
        return {name: int(x) if x.isdigit() else 0 for name, _, x in pairs}

    @cached_property
    def targets(self) -> dict[str, str]:
        """The abilities whose X is a word: Hatred (faction)."""
        pairs = (written.partition(" ") for written in self.abilities)
        return {name: x for name, _, x in pairs if x and not x.isdigit()}

    @cached_property
    def titled(self) -> dict[str, dict[str, str]]:
        """The melee weapons, and the further ways to fire a weapon, by the weapon's id and the number of the way."""
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
        return self.slot in ("warlord", "lord") or "doomtrooper" in self.numbers

    @cached_property
    @rule("armoury/heavy")
    def bears_heavy(self) -> bool:
        """Whether it carries a class H weapon; what is mounted on a vehicle nobody carries."""
        return not self.is_vehicle and any(one.kind == "heavy" for one in self.weapons)

    @cached_property
    @rule("core/bases")
    def size(self) -> int:
        """1, 2 or 3: small, medium or large; every vehicle is large."""
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
        """How tall it is for sight and cover; each kind of vehicle at least so much."""
        tall = HEIGHTS[self.base] if self.tall is None else self.tall
        if self.vehicle is None:
            return tall
        least = {"walker": 1.75, "bike": 1.5, "jetbike": 2.0}.get(self.vehicle.kind, 0.0)
        return max(tall, least)

    @cached_property
    def footprint(self) -> tuple[object, ...]:
        """The shape as a key: equal for models that stand in each other's places."""
        return (self.base,) if self.hull is None else self.hull
