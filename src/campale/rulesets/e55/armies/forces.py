"""Forces read from their files, and the units made of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown
from campale.mechanics.armies.force import BuiltForce, ForceHead
from campale.mechanics.armies.rows import Count, Name, Word
from campale.mechanics.armies.units import Bought, BoughtUnit, number_of, unknown_names
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.rulesets.e55.armies.army_lists import (
    ArmyList,
    OptionRow,
    UnitRow,
    army_list,
    extended,
    has_all,
    rearmed,
)
from campale.rulesets.e55.armies.arsenal import HERE, Arsenal, PowerRow, ProfileRow, WeaponRow, arsenal
from campale.rulesets.e55.armies.profile import Mount, Profile


class BoughtRow(BoughtUnit, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit bought for a force. ``options``: the options of its kind, with the number of models for each."""

    options: dict[Word, Count] = msgspec.field(default_factory=dict)


class OwnRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Additions of the players to the list, written as in the arsenal and the lists."""

    weapons: dict[Word, WeaponRow] = {}
    powers: dict[Word, PowerRow] = {}
    profiles: dict[Word, ProfileRow] = {}
    units: dict[Word, UnitRow] = {}


class ForceFile(ForceHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["e55"]
    list: Name = ""
    own: OwnRow = OwnRow()
    units: Annotated[tuple[BoughtRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class UnitSpec(msgspec.Struct, frozen=True):
    """A unit as it goes to battle.

    ``aboard``: the number (from 0) of the unit whose transport it starts in; ``bought_with``: the number of the unit
    that an independent character starts with.
    """

    id: str
    title: dict[str, str]
    profiles: tuple[Profile, ...]
    keywords: tuple[str, ...] = ()
    aboard: int | None = None
    bought_with: int | None = None
    points: int = 0


class Force(BuiltForce[UnitSpec], frozen=True):
    """A force. ``bought``: its rows in the file; ``known``: the list with the players' additions."""

    bought: tuple[BoughtRow, ...]
    known: ArmyList

    def ride_of(self, unit: UnitSpec) -> int | None:
        """Return the number of the unit whose transport a unit starts in.

        A character rides with the unit that it starts with.
        """
        if unit.aboard is None and unit.bought_with is not None:
            return self.units[unit.bought_with].aboard
        return unit.aboard


# ---------------------------------------------------------------- the models of a unit


@rule("10/armies", "1.1/unit")
def unit_spec(row: BoughtRow, known: ArmyList) -> UnitSpec:
    """Return the unit with its options applied to the models, in roster order; its start is not set here."""
    kind = known.units[row.unit]
    words = tuple(dict.fromkeys((*kind.keywords, *([known.id] if known.id else ()))))
    profiles = tuple(with_keywords(one, words) for one in armed(row, known)[0])
    title = (row.name or kind.title).in_both
    return UnitSpec(row.called, title, profiles, words, points=sum(one.points for one in profiles))


@rule("10/armies")
def armed(row: BoughtRow, known: ArmyList) -> tuple[list[Profile], dict[str, int]]:
    """Return the profiles of a unit's models, and for each option how many models were lacking."""
    kind = known.units[row.unit]
    models = [known.profiles[kind.profile]] * (row.size or kind.least)
    models += [known.profiles[also.profile] for also in kind.also for _ in range(also.count)]
    changed, lacking = [0] * len(models), {}
    for name, option in kind.options.items():
        able = takers(models, changed, option, kind)
        count = len(able) if option.all and name in row.options else row.options.get(name, 0)
        for k in able[:count]:
            models[k] = given(models[k], option, known)
            changed[k] += 1
        if count > len(able):
            lacking[name] = count - len(able)
    return models, lacking


def takers(models: list[Profile], changed: list[int], option: OptionRow, kind: UnitRow) -> list[int]:
    """Return the models that can take an option, the likeliest first: leaders from the front, arms from the back."""
    of = option.of or kind.profile
    able = [k for k, one in enumerate(models) if one.id == of and has_all(one, option.takes)]
    return sorted(able, key=lambda k: (changed[k], k if option.into else -k))


def given(model: Profile, option: OptionRow, known: ArmyList) -> Profile:
    turned = known.profiles[option.into] if option.into else model
    mounts = tuple(Mount(known.arsenal.weapons[one]) for one in option.gives)
    taken = option.takes if not option.into else ()
    return rearmed(turned, mounts, taken) if mounts or taken else turned


@lru_cache(maxsize=4096)
def with_keywords(profile: Profile, words: tuple[str, ...]) -> Profile:
    """Return the profile with the keywords of its unit."""
    return replace(profile, keywords=tuple(dict.fromkeys((*profile.keywords, *words))))


# ---------------------------------------------------------------- from a file to a force


def known_to(file: ForceFile) -> ArmyList:
    """Return the list of a force with the players' additions; FileError if these cannot be used."""
    base = army_list(file.list) if file.list else ArmyList("", {"en": "", "it": ""}, {}, {}, arsenal())
    own = file.own
    more: Arsenal = base.arsenal.with_more(own.weapons, own.powers)
    return extended(replace(base, arsenal=more), own.profiles, own.units)


def options(row: BoughtRow, known: ArmyList) -> Bought:
    return Bought("options", row.options, tuple(known.units[row.unit].options))


def built(file: ForceFile, written: Written, name: str) -> Force:
    known = known_to(file)
    refuse_unknown(unknown_names(file.units, written, known.units, lambda row: options(row, known)))
    units = tuple(
        replace(
            unit_spec(row, known),
            aboard=number_of(row.aboard, file.units),
            bought_with=number_of(row.joins, file.units),
        )
        for row in file.units
    )
    return Force(name, file.name.in_both, file.points, units, file.units, known)


FORCES = ForceFiles(HERE / "forces", ForceFile, built)


# ---------------------------------------------------------------- the roster


class Packed(msgspec.Struct, frozen=True):
    """A unit with each of its profiles once; ``models`` are indices into them, in roster order."""

    unit: UnitSpec
    models: tuple[int, ...]


def encode(unit: UnitSpec) -> str:
    """Return a unit as JSON text, each profile written once."""
    kinds = tuple(dict.fromkeys(unit.profiles))
    numbers = tuple(kinds.index(one) for one in unit.profiles)
    return msgspec.json.encode(Packed(replace(unit, profiles=kinds), numbers)).decode()


@lru_cache(maxsize=1024)
def decode(text: str) -> UnitSpec:
    packed = msgspec.json.decode(text, type=Packed)
    return replace(packed.unit, profiles=tuple(packed.unit.profiles[k] for k in packed.models))
