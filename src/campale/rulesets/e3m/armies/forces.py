"""Forces read from their files: units in groups, each group with a leader."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.force import BuiltForce, ForceHead
from campale.mechanics.armies.rows import Count, Name, Word
from campale.mechanics.armies.units import Bought, BoughtUnit, number_of, unknown_names
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.lists import HERE, LISTS, ArmyList, UnitRow, army_list, weapons
from campale.rulesets.e3m.armies.profile import Equipment, Mount, Profile

HEAVY_COST = 10
"""The cost of a heavy weapon or a one-in-ten weapon instead of the standard weapon."""
EQUIPMENT_COST: dict[Equipment, int] = {"frag-grenades": 1, "krak-grenades": 2, "fusion-charges": 4}


class BoughtRow(BoughtUnit, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit to buy. Members of a group share the name ``group``; ``leads``: its unit leader or crew leads the group.

    ``weapons``: how many models have which special weapon instead of the standard one.
    """

    group: Name = ""
    leads: bool = False
    weapons: dict[Word, Count] = msgspec.field(default_factory=dict)
    equipment: tuple[Equipment, ...] = ()


class ForceFile(ForceHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["e3m"]
    list: Word
    units: Annotated[tuple[BoughtRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class UnitSpec(msgspec.Struct, frozen=True):
    """A unit ready for battle. ``joins`` and ``aboard`` are numbers (from 0) of other units of the force."""

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
        return self.kind.is_special


class Force(BuiltForce[UnitSpec], frozen=True):
    army: ArmyList

    @property
    def groups(self) -> dict[str, tuple[UnitSpec, ...]]:
        """The members of each group by its name, in list order."""
        names = dict.fromkeys(one.row.group for one in self.units if one.row.group)
        return {name: tuple(one for one in self.units if one.row.group == name) for name in names}


@lru_cache(maxsize=1024)
@rule("armies/list-format", "hierarchy/unit-composition")
def rearmed(basic: Profile, weapon: str, equipment: tuple[Equipment, ...]) -> Profile:
    """The profile with a special weapon instead of its first one ("" keeps it), and with the equipment bought."""
    mounts, cost = basic.mounts, sum(EQUIPMENT_COST[one] for one in equipment)
    if weapon:
        mounts, cost = (Mount(weapons()[weapon]), *mounts[1:]), cost + HEAVY_COST
    return replace(basic, mounts=mounts, equipment=(*basic.equipment, *equipment), points=basic.points + cost)


def unit_spec(row: BoughtRow, army: ArmyList) -> UnitSpec:
    """The unit with its models in roster order, special weapons last."""
    kind, basic = army.units[row.unit], army.profiles[row.unit]
    special = [weapon for weapon, count in row.weapons.items() for _ in range(count)]
    count = row.size or kind.size[0]
    arms = ["" for _ in range(count - len(special))] + special
    return UnitSpec(
        row, kind, (row.name or kind.title).in_both, tuple(rearmed(basic, one, row.equipment) for one in arms[:count])
    )


def special_weapons(row: BoughtRow, army: ArmyList) -> Bought:
    kind = army.units[row.unit]
    return Bought("weapons", row.weapons, (*kind.heavy, *kind.tenth))


def built(file: ForceFile, written: Written, name: str) -> Force:
    if file.list not in LISTS.names():
        refuse_unknown([unknown(written.where(("list",)), "not-known", file.list, LISTS.names())])
    army = army_list(file.list)
    refuse_unknown(unknown_names(file.units, written, army.units, lambda row: special_weapons(row, army)))
    units = tuple(
        replace(
            unit_spec(row, army),
            joins=number_of(row.joins, file.units),
            aboard=number_of(row.aboard, file.units),
        )
        for row in file.units
    )
    return Force(name, file.name.in_both, file.points, units, army)


FORCES = ForceFiles(HERE / "forces", ForceFile, built)
