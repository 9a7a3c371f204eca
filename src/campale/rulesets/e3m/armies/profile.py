"""What a model is: its profile, weapons and base. Frozen and shared. Lengths are in inches."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Title
from campale.referee.rule import rule
from campale.table.shapes import Circle, Hull, Shape

Kind = Literal["infantry", "jump", "cavalry", "beasts", "great", "light", "small", "large"]
Gear = Literal["", "wheeled", "tracked", "flying", "walker"]
Fire = Literal["rapid", "pistol", "assault", "heavy", "ordnance"]
Special = Literal["twin-linked", "melta", "overheating", "lance", "sniper", "blast"]
Melee = Literal["", "plain", "cleaver", "power", "fist", "walker-fist", "rending"]
Equipment = Literal["frag-grenades", "krak-grenades", "fusion-charges"]
Mounting = Literal["front", "left", "right", "rear", "turret"]
Role = Literal["unit", "commander", "leader", "special"]

Characteristic = Annotated[int, msgspec.Meta(ge=0, le=10)]
Armour = Annotated[int, msgspec.Meta(ge=0, le=14)]

MOUNTED: frozenset[str] = frozenset({"cavalry", "beasts"})
VEHICLES: frozenset[str] = frozenset({"light", "small", "large"})
SIZES = {"light": (1.0, 2.0), "small": (4.0, 4.0), "large": (4.0, 8.0)}
MAN, HEAVY, GREAT = 1.0, 1.6, 2.4


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to fire a weapon. ``range`` None: by template. ``die``: the number of shots is a D3 or D6."""

    range: Annotated[float, msgspec.Meta(gt=0, le=120)] | None = None
    strength: Characteristic = 0
    ap: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None
    fire: Fire
    shots: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    die: Literal[0, 3, 6] = 0
    specials: tuple[Special, ...] = ()

    def has(self, special: Special) -> bool:
        return special in self.specials

    @property
    def is_template(self) -> bool:
        return self.range is None

    @property
    def is_marker(self) -> bool:
        """Whether it is laid on the table as a marker or template, so that the models' places decide who is hit."""
        return self.is_template or self.fire == "ordnance" or self.has("blast")


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon. ``lines`` are the ways to fire it, ``melee`` its effect in close combat."""

    id: str = ""
    title: Title
    lines: Annotated[tuple[Line, ...], msgspec.Meta(max_length=3)] = ()
    melee: Melee = ""

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    @rule("base-profile/weapons")
    def is_heavy(self) -> bool:
        return any(line.fire == "heavy" for line in self.lines)

    @property
    def is_pistol(self) -> bool:
        return any(line.fire == "pistol" for line in self.lines)


class Mount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon at its place on a vehicle. Other models carry theirs as if in a turret."""

    weapon: Weapon
    side: Mounting = "turret"
    is_main: bool = False


class Profile(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The characteristics in the book's order, then the kind of model and what it carries."""

    id: str
    title: dict[str, str]
    army: str
    kind: Kind
    gear: Gear = ""
    role: Role = "unit"
    ws: int = 0
    bs: int = 0
    s: int = 0
    t: int = 0
    bare_t: int = 0
    w: int = 1
    i: int = 0
    a: int = 0
    ld: int = 0
    save: int | None = None
    invulnerable: int | None = None
    front: int = 0
    side: int = 0
    rear: int = 0
    is_heavy: bool = False
    is_fearless: bool = False
    is_open_topped: bool = False
    capacity: int = 0
    points: int = 0
    mounts: tuple[Mount, ...] = ()
    equipment: tuple[Equipment, ...] = ()

    def __hash__(self) -> int:
        return hash((self.id, self.points, len(self.mounts)))

    @cached_property
    def weapons(self) -> tuple[Weapon, ...]:
        return tuple(mount.weapon for mount in self.mounts)

    def carries(self, item: str) -> bool:
        return item in self.equipment or any(weapon.id == item for weapon in self.weapons)

    @cached_property
    @rule("base-profile/vehicles", "vehicles/types")
    def has_armour(self) -> bool:
        """Whether hits are rolled against armour values: small and large vehicles."""
        return self.kind in ("small", "large")

    @cached_property
    def is_walker(self) -> bool:
        return self.gear == "walker"

    @cached_property
    @rule("vehicles/types", "vehicles/walkers-move")
    def drives(self) -> bool:
        """Whether it moves as a vehicle, along a route without a limit. Walkers go on foot."""
        return self.kind in VEHICLES and not self.is_walker

    @cached_property
    @rule("base-vehicle/melee-no-result", "base-vehicle/walkers")
    def fights(self) -> bool:
        """Whether it fights with its own Weapon Skill, or is struck like infantry."""
        return not self.has_armour or self.is_walker

    @cached_property
    @rule("base-weapons/heavy", "fire/heavy-weapon-target")
    def is_heavy_weapon_model(self) -> bool:
        """Whether it is a crew of a squad's heavy weapon. Vehicles and great creatures are not."""
        return not self.has_armour and self.kind != "great" and any(weapon.is_heavy for weapon in self.weapons)

    @cached_property
    @rule("vehicles/main-weapon")
    def main_weapons(self) -> tuple[int, ...]:
        """Indices of the main mounts: those marked, else the strongest, then of longest range, with its equals."""
        marked = tuple(k for k, mount in enumerate(self.mounts) if mount.is_main)
        if marked or not self.has_armour:
            return marked
        worth = [
            max(((line.strength, line.range or 0.0) for line in weapon.lines), default=None) for weapon in self.weapons
        ]
        best = max((one for one in worth if one is not None), default=None)
        return tuple(k for k, one in enumerate(worth) if one is not None and one == best)

    @cached_property
    @rule("base-general/model-bases", "vehicles/types")
    def shape(self) -> Shape:
        if self.kind in SIZES:
            wide, long = SIZES[self.kind][0] / 2.0, SIZES[self.kind][1] / 2.0
            return Hull(((-wide, -long), (wide, -long), (wide, long), (-wide, long)))
        if self.kind == "great":
            return Circle(GREAT / 2.0)
        return Circle((HEAVY if self.is_heavy or self.kind == "cavalry" else MAN) / 2.0)

    @cached_property
    def footprint(self) -> tuple[object, ...]:
        """The shape as a key, equal for models that can stand in each other's places."""
        shape = self.shape
        return (shape,) if isinstance(shape, Circle) else (shape.corners,) if isinstance(shape, Hull) else ()
