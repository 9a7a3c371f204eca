"""Forces as they come from their files: units in groups, each with a leader."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.lists import HERE, LISTS, ArmyList, Count, UnitRow, army_list, weapons
from campale.rulesets.e3m.armies.profile import Equipment, Mount, Profile, Title, Word

HEAVY_COST = 10
"""What a heavy weapon, or one of those for one in ten, costs in place of the standard weapon."""
EQUIPMENT_COST: dict[Equipment, int] = {"frag-grenades": 1, "krak-grenades": 2, "fusion-charges": 4}

Name = Annotated[str, msgspec.Meta(max_length=60)]


class BoughtRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of the force. ``id`` is what other units call it: ``joins`` and ``aboard`` name such an id.

    ``group`` is a name that its members share; ``leads``: its unit leader (or its crew) leads the group.
    ``weapons``: how many models have which special weapon in place of the standard one.
    """

    unit: Word
    id: Name = ""
    name: Title | None = None
    size: Count | None = None
    group: Name = ""
    leads: bool = False
    weapons: dict[Word, Count] = {}
    equipment: tuple[Equipment, ...] = ()
    joins: Name = ""
    aboard: Name = ""

    @property
    def called(self) -> str:
        return self.id or self.unit


class ForceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["e3m"]
    name: Title
    list: Word
    points: Annotated[int, msgspec.Meta(ge=1, le=20_000)]
    units: Annotated[tuple[BoughtRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class UnitSpec(msgspec.Struct, frozen=True):
    """A unit as it goes to battle; ``joins`` and ``aboard`` are numbers (from 0) of other units of the force."""

    row: BoughtRow
    kind: UnitRow
    title: dict[str, str]
    profiles: tuple[Profile, ...]
    joins: int | None = None
    aboard: int | None = None

    @property
    def points(self) -> int:
        return sum(one.points for one in self.profiles)

    @property
    def role(self) -> str:
        return self.kind.role

    @property
    def is_special(self) -> bool:
        """A single model with a profile of its own, which may be attached to a unit."""
        return self.kind.role != "unit" and self.kind.size[1] == 1


class Force(msgspec.Struct, frozen=True):
    """``points`` is the total the force was built for, ``cost`` what it is worth."""

    id: str
    title: dict[str, str]
    army: ArmyList
    points: int
    units: tuple[UnitSpec, ...]

    @property
    def cost(self) -> int:
        return sum(one.points for one in self.units)

    @property
    def groups(self) -> dict[str, tuple[UnitSpec, ...]]:
        """The members of each group, by its name, in the order of the list."""
        names = dict.fromkeys(one.row.group for one in self.units if one.row.group)
        return {name: tuple(one for one in self.units if one.row.group == name) for name in names}


@lru_cache(maxsize=1024)
@rule("armies/list-format", "hierarchy/unit-composition")
def rearmed(basic: Profile, weapon: str, equipment: tuple[Equipment, ...]) -> Profile:
    """The profile with a special weapon in place of its first one (empty: as it is), and with what is bought for it."""
    mounts, cost = basic.mounts, sum(EQUIPMENT_COST[one] for one in equipment)
    if weapon:
        mounts, cost = (Mount(weapons()[weapon]), *mounts[1:]), cost + HEAVY_COST
    return replace(basic, mounts=mounts, equipment=(*basic.equipment, *equipment), points=basic.points + cost)


def unit_spec(row: BoughtRow, army: ArmyList) -> UnitSpec:
    """The models in the order of the roster: the special weapons stand last."""
    kind, basic = army.units[row.unit], army.profiles[row.unit]
    special = [weapon for weapon, count in row.weapons.items() for _ in range(count)]
    count = row.size or kind.size[0]
    arms = ["" for _ in range(count - len(special))] + special
    return UnitSpec(
        row, kind, (row.name or kind.title).in_both, tuple(rearmed(basic, one, row.equipment) for one in arms[:count])
    )


def unknown_names(file: ForceFile, army: ArmyList, written: Written) -> Iterator[str]:
    """Names of units, weapons and other units that there are not."""
    ids = [one.called for one in file.units]
    for k, row in enumerate(file.units):
        if row.unit not in army.units:
            yield unknown(written.where(("units", k, "unit")), "no-unit", row.unit, army.units)
            continue
        kind = army.units[row.unit]
        for name in (one for one in row.weapons if one not in (*kind.heavy, *kind.tenth)):
            at = written.where(("units", k, "weapons", name))
            yield unknown(at, "no-option", name, (*kind.heavy, *kind.tenth), unit=row.unit)
        for key, word in (("aboard", row.aboard), ("joins", row.joins)):
            if word and (word not in ids or word == ids[k]):
                yield unknown(written.where(("units", k, key)), "no-other-unit", word, ids)


def built(file: ForceFile, written: Written, name: str) -> Force:
    if file.list not in LISTS.names():
        refuse_unknown([unknown(written.where(("list",)), "not-known", file.list, LISTS.names())])
    army = army_list(file.list)
    refuse_unknown(unknown_names(file, army, written))
    ids = [one.called for one in file.units]
    specs = (unit_spec(row, army) for row in file.units)
    units = tuple(
        replace(
            spec,
            joins=ids.index(spec.row.joins) if spec.row.joins else None,
            aboard=ids.index(spec.row.aboard) if spec.row.aboard else None,
        )
        for spec in specs
    )
    return Force(name, file.name.in_both, army, file.points, units)


FORCES = ForceFiles(HERE / "forces", ForceFile, built)
