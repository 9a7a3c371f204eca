"""Forces read from their files: squads with their Commanders, Specialists who join them, a deck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.force import BuiltForce, ForceHead
from campale.mechanics.armies.rows import Count, Word, Words
from campale.mechanics.armies.units import Bought, BoughtUnit, number_of, unknown_names
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.referee.telling.spoken import Spoken
from campale.rulesets.wzr.armies.lists import (
    HERE,
    ArmyList,
    UnitRow,
    army_list,
    commander_from,
    factions,
    power_named,
    powers,
    profiles,
    units,
    weapon_named,
)
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.cards.catalogue import cards


class SquadRow(BoughtUnit, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``weapons``: how many models swap their first weapon for which other; ``extras``: what all models buy."""

    weapons: dict[Word, Count] = msgspec.field(default_factory=dict)
    extras: Words = ()
    powers: Words = ()


class ForceFile(ForceHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``deck``: how many copies of each card; None means the ready deck."""

    ruleset: Literal["wzr"]
    list: Word
    units: Annotated[tuple[SquadRow, ...], msgspec.Meta(min_length=1, max_length=40)]
    deck: dict[Word, Count] | None = None


class SquadSpec(msgspec.Struct, frozen=True):
    """A squad ready for battle, its Commander first. ``joins`` is the number (from 0) of the squad that it joins."""

    row: SquadRow
    kind: UnitRow
    title: dict[str, str]
    profiles: tuple[Profile, ...]
    joins: int | None = None

    @property
    def points(self) -> int:
        return sum(one.points for one in self.profiles)

    @property
    def first(self) -> Profile:
        return self.profiles[0]


class Force(BuiltForce[SquadSpec], frozen=True):
    army: ArmyList
    deck: dict[str, int] | None = None


# ---------------------------------------------------------------- squads


@lru_cache(maxsize=1024)
def equipped(basic: Profile, unit: str, weapon: str, extras: tuple[str, ...]) -> Profile:
    """The profile with another weapon instead of its first one ("" keeps it), and with what the squad buys."""
    row = units()[unit]
    arms, abilities, cost = basic.weapons, basic.abilities, basic.points
    if weapon:
        arms, cost = (weapon_named(weapon), *arms[1:]), cost + row.swaps[weapon].points
    for one in extras:
        cost += row.extras[one].points
        if row.extras[one].weapon:
            arms = (*arms, weapon_named(one))
        else:
            abilities = (*abilities, one)
    return replace(basic, weapons=arms, abilities=abilities, points=cost)


@rule("squads/composition", "squads/commander", "army/points")
def squad_spec(row: SquadRow, army: ArmyList) -> SquadSpec:
    """The models in roster order: the Commander first, those with another weapon last."""
    kind, basic = units()[row.unit], profiles()[row.unit]
    basic = basic if basic.faction else replace(basic, faction=army.id)
    count = row.size or kind.size[0]
    special = [weapon for weapon, many in row.weapons.items() for _ in range(many)]
    arms = ["" for _ in range(count - len(special))] + special
    bare = [commander_from(basic, kind) if k == 0 and kind.size[1] > 1 else basic for k in range(count)]
    ready = [equipped(one, row.unit, arm, tuple(row.extras)) for one, arm in zip(bare, arms, strict=False)]
    if row.powers:
        ready[0] = with_powers(ready[0], tuple(row.powers), army)
    return SquadSpec(row, kind, (row.name or kind.title).in_both, tuple(ready))


@rule("abilities/psychic", "army/points")
def with_powers(profile: Profile, names: tuple[str, ...], army: ArmyList) -> Profile:
    """A psychic's profile with the powers it has bought, and their cost."""
    cost = sum(army.powers.get(name, 0) for name in names)
    return replace(profile, powers=tuple(power_named(one) for one in names), points=profile.points + cost)


# ---------------------------------------------------------------- files


def special_weapons(row: SquadRow) -> Bought:
    return Bought("weapons", row.weapons, tuple(units()[row.unit].swaps))


def unknown_cards(file: ForceFile, written: Written) -> Iterator[Spoken]:
    for name in file.deck or ():
        if name not in cards():
            yield unknown(written.where(("deck", name)), "not-known", name, cards())


def unknown_words(file: ForceFile, written: Written) -> Iterator[Spoken]:
    """Extras, powers and cards that do not exist."""
    yield from unknown_cards(file, written)
    for k, row in enumerate(file.units):
        able = units()[row.unit].extras if row.unit in units() else {}
        for i, word in enumerate(row.extras):
            if word not in able:
                yield unknown(written.where(("units", k, "extras", i)), "not-known", word, able)
        for i, word in enumerate(row.powers):
            if word not in powers():
                yield unknown(written.where(("units", k, "powers", i)), "not-known", word, powers())


def built(file: ForceFile, written: Written, name: str) -> Force:
    if file.list not in factions():
        refuse_unknown([unknown(written.where(("list",)), "not-known", file.list, factions())])
    army = army_list(file.list)
    refuse_unknown((*unknown_names(file.units, written, units(), special_weapons), *unknown_words(file, written)))
    specs = tuple(replace(squad_spec(row, army), joins=number_of(row.joins, file.units)) for row in file.units)
    return Force(name, file.name.in_both, file.points, specs, army, file.deck)


FORCES = ForceFiles(HERE / "forces", ForceFile, built)
