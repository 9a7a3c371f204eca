"""The arsenal and the profiles of army lists: their rows in YAML, and the objects made from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.rows import Points, Save, Title, Word, Words, looked_up, made_from
from campale.referee.reading import FileError, meant, read_file
from campale.referee.rule import rule
from campale.rulesets.e55.armies.points import points_of
from campale.rulesets.e55.armies.profile import (
    ARCS,
    Arc,
    Equipment,
    Line,
    Mount,
    Power,
    Profile,
    Reach,
    Rule,
    SpecialRule,
    Subtype,
    Type,
    Weapon,
    WeaponRule,
)

HERE = Path(__file__).parents[1]

T = TypeVar("T")

Inches = Annotated[float, msgspec.Meta(ge=0, le=120)]
Characteristic = Annotated[int, msgspec.Meta(ge=0, le=10)] | None
Leadership = Annotated[int, msgspec.Meta(ge=0, le=20)] | None
Armour = Annotated[int, msgspec.Meta(ge=10, le=14)] | None
Spot = tuple[float, float, float]
Spots = Annotated[tuple[Spot, ...], msgspec.Meta(max_length=20)]


class LineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A profile of a weapon. ``strength`` is the weapon's own; ``times`` multiplies the user's."""

    reach: Reach = "ranged"
    range: Inches = 0.0
    strength: Annotated[int, msgspec.Meta(ge=0, le=10)] | None = None
    times: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    ap: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None
    rules: Words = ()
    title: Title | None = None


class WeaponRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Title
    lines: Annotated[tuple[LineRow, ...], msgspec.Meta(min_length=1, max_length=5)]
    charges: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    awake: LineRow | None = None


class PowerRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Title
    cost: Annotated[int, msgspec.Meta(ge=0, le=10)]
    kind: Literal["shooting", "ward", "haste", "dread", "smite", "overrun"]
    value: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    range: Inches = 0.0
    shooting: LineRow | None = None


class MountRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon at its place on a hull. A turret fires into every arc."""

    weapon: Word
    arcs: Annotated[tuple[Arc, ...], msgspec.Meta(max_length=4)] = ()
    turret: bool = False
    muzzle: Spot | None = None


class ProfileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Title
    type: Type = "infantry"
    subtypes: Annotated[tuple[Subtype, ...], msgspec.Meta(max_length=10)] = ()
    x: Annotated[int, msgspec.Meta(ge=0, le=36)] = 0
    ws: Characteristic = None
    bs: Characteristic = None
    s: Characteristic = None
    t: Characteristic = None
    w: Characteristic = None
    i: Characteristic = None
    a: Characteristic = None
    ld: Leadership = None
    armour_save: Save = None
    cover_save: Save = None
    invulnerable_save: Save = None
    riders: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    front: Armour = None
    side: Armour = None
    rear: Armour = None
    structure: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    speed: Annotated[int, msgspec.Meta(ge=0, le=48)] = 0
    flyer_speed: Annotated[int, msgspec.Meta(ge=0, le=48)] = 0
    rules: Words = ()
    keywords: Words = ()
    weapons: Annotated[tuple[Word | MountRow, ...], msgspec.Meta(max_length=12)] = ()
    equipment: Annotated[tuple[Equipment, ...], msgspec.Meta(max_length=2)] = ()
    psyker: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    powers: Words = ()
    capacity: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    carries: Annotated[tuple[Type | Subtype, ...], msgspec.Meta(max_length=10)] = ("infantry",)
    boards_as: Type | None = None
    hatches: Spots | None = None
    fire_points: Spots = ()
    diameter: Inches = 0.0
    length: Inches = 0.0
    width: Inches = 0.0
    height: Inches = 0.0
    points: Points | None = None


class ArsenalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[str, ...]
    weapons: dict[str, WeaponRow]
    powers: dict[str, PowerRow]


class Arsenal(msgspec.Struct, frozen=True):
    """Weapons and powers by id."""

    weapons: Mapping[str, Weapon]
    powers: Mapping[str, Power]

    def with_more(self, weapons: Mapping[str, WeaponRow], powers: Mapping[str, PowerRow]) -> Arsenal:
        """Return this arsenal with further weapons and powers, which replace those of the same id."""
        return Arsenal(
            {**self.weapons, **{id: weapon_from(id, row) for id, row in weapons.items()}},
            {**self.powers, **{id: power_from(id, row) for id, row in powers.items()}},
        )


def keyword(written: str, known: tuple[str, ...], where: str) -> Rule:
    """Parse ``heavy 3`` as a rule with its number, ``favoured-enemy mire`` with its word."""
    name, _, more = written.partition(" ")
    if name not in known:
        raise FileError(f"{where}: {written!r} is not a rule. {meant(name, known)}")
    if name == "favoured-enemy":
        if not more.strip():
            raise FileError(f"{where}: {written!r} does not say of whom. Write the keyword after it.")
        return Rule(name, 0, more.strip())
    if more and not (more.isdecimal() and len(more) <= 2):
        raise FileError(
            f"{where}: {written[:60]!r} has no number after its name that can be used. Write 'name' or 'name 3'."
        )
    return checked_number(Rule(name, int(more or 0)), where)


NUMBERED: dict[str, tuple[int, int]] = {"heavy": (1, 20), "assault": (1, 20), "feel-no-pain": (2, 6)}
"""The rules that need a number, with the least and the most allowed."""


def checked_number(made: Rule, where: str) -> Rule:
    if made.name in NUMBERED:
        least, most = NUMBERED[made.name]
        if not least <= made.value <= most:
            raise FileError(
                f"{where}: {made.name!r} needs a number from {least} to {most}. Write '{made.name} {least}'."
            )
    return made


@rule("9/weapon-profile", "9.2/normal-weapon")
def line_from(row: LineRow, where: str) -> Line:
    if (row.strength is None) == (row.times is None):
        raise FileError(f"{where}: give either its 'strength' or 'times' that of its user, not both or none.")
    if row.reach == "ranged" and row.range <= 0:
        raise FileError(f"{where}: a ranged weapon needs a 'range'. Give it, or say reach: melee.")
    return Line(
        reach=row.reach,
        range=row.range if row.reach == "ranged" else 0.0,
        strength=row.strength if row.strength is not None else (row.times or 1),
        of_user=row.times is not None,
        ap=row.ap,
        rules=tuple(keyword(one, get_args(WeaponRule), where) for one in row.rules),
        title=row.title.in_both if row.title is not None else {},
    )


@rule("9/weapon-profile")
def weapon_from(id: str, row: WeaponRow) -> Weapon:
    if (row.charges > 0) != (row.awake is not None):
        raise FileError(f"{id}: 'charges' switch on what is 'awake'. Give both, or neither.")
    awake = line_from(row.awake, id) if row.awake is not None else None
    return Weapon(id, row.title.in_both, tuple(line_from(one, id) for one in row.lines), row.charges, awake)


@rule("5/psyker")
def power_from(id: str, row: PowerRow) -> Power:
    shooting = line_from(row.shooting, id) if row.shooting is not None else None
    if (row.kind == "shooting") != (shooting is not None):
        raise FileError(
            f"{id}: a shooting power, and no other, says what it shoots. Give it 'shooting', or take it out."
        )
    if not row.cost and shooting is None:
        raise FileError(f"{id}: a power that costs nothing could be cast without end. Give it a 'cost', 1 at least.")
    return made_from(row, Power, id=id, shooting=shooting)


@rule("7.9/arcs")
def mount_from(row: str | MountRow, arsenal: Arsenal, where: str) -> Mount:
    """Return the mount of a weapon. A weapon without arcs fires to the front, a turret to all sides."""
    plain = MountRow(row) if isinstance(row, str) else row
    weapon = known(plain.weapon, arsenal.weapons, where)
    arcs = ARCS if plain.turret else plain.arcs or ("front",)
    return Mount(weapon, arcs, plain.turret, plain.muzzle)


def known(id: str, among: Mapping[str, T], where: str) -> T:
    return looked_up(id, among, f"{where}: {id!r} is not known.")


@rule("1.3/characteristics", "7.1/subtypes", "7.1/armour-values", "7.1/structure-points", "7.16/walker-profile")
def profile_from(id: str, row: ProfileRow, arsenal: Arsenal) -> Profile:
    """Return a profile from its row, with weapons and powers looked up. Points may be omitted."""
    check_completeness(id, row)
    check_sense(id, row)
    made = made_from(
        row,
        Profile,
        id=id,
        points=0,
        front=row.front or 0,
        side=row.side or 0,
        rear=row.rear or 0,
        rules=tuple(keyword(one, get_args(SpecialRule), id) for one in row.rules),
        mounts=tuple(mount_from(one, arsenal, id) for one in row.weapons),
        powers=tuple(known(one, arsenal.powers, id) for one in row.powers),
    )
    return replace(made, points=points_of(made) if row.points is None else row.points)


LIVING = ("ws", "bs", "s", "t", "w", "i", "a", "ld")
ARMOURED = ("bs", "front", "side", "rear")
WALKING = (*ARMOURED, "ws", "s", "i", "a")
TYPE_OF: dict[str, str] = {"flying-monster": "monster", "jetbike": "bike", "flying-infantry": "infantry"}
"""The type that each subtype belongs to; the others belong to vehicles."""


@rule("1.3/characteristics", "7.1/subtypes", "7.1/missing-characteristic", "6/type-default")
def check_completeness(id: str, row: ProfileRow) -> None:
    """Raise FileError for a profile that lacks what its type needs, or has a subtype of another type."""
    needed = LIVING if row.type != "vehicle" else WALKING if "walker" in row.subtypes else ARMOURED
    missing = [name for name in needed if getattr(row, name) is None]
    if missing:
        raise FileError(f"{id}: {', '.join(missing)} missing. The type {row.type} needs: {', '.join(needed)}.")
    for one in row.subtypes:
        if TYPE_OF.get(one, "vehicle") != row.type:
            raise FileError(
                f"{id}: {one!r} is a subtype of {TYPE_OF.get(one, 'vehicle')}, not of {row.type}. Change one."
            )
    moves = {
        "speed": row.type == "vehicle",
        "x": row.type in ("bike", "beast") or any(s in TYPE_OF for s in row.subtypes),
    }
    for name, wanted in moves.items():
        if wanted and not getattr(row, name):
            raise FileError(f"{id}: {name!r} missing, the inches that it moves. Give it.")
    if "aircraft" in row.subtypes and not row.flyer_speed:
        raise FileError(f"{id}: 'flyer_speed' missing, the inches that it moves when flying. Give it.")


@rule("1.3/zero-wounds-or-toughness", "5/psyker", "7.10/capacity")
def check_sense(id: str, row: ProfileRow) -> None:
    """Raise FileError for a profile without wounds or toughness, or with something it cannot use."""
    dead = [name for name in ("w", "t") if row.type != "vehicle" and not getattr(row, name)]
    if dead:
        raise FileError(f"{id}: {', '.join(dead)} is 0, and the model a casualty at once. Give 1 at least.")
    if row.powers and not row.psyker:
        raise FileError(f"{id}: it has powers but is not a psyker. Give it a level ('psyker'), or remove them.")
    if bool(row.capacity) != ("transport" in row.subtypes):
        raise FileError(f"{id}: transports, and no others, have a 'capacity'. Give it both, or neither.")


@lru_cache(maxsize=1)
@rule("9/sample-weapons", "9.2/power-fist", "9.2/dreadnought-weapon", "9.2/normal-weapon")
def arsenal() -> Arsenal:
    """Return every weapon and power of the file, by id."""
    read, _ = read_file(HERE / "arsenal.yaml", ArsenalFile, HERE / "arsenal.schema.json")
    return Arsenal({}, {}).with_more(read.weapons, read.powers)
