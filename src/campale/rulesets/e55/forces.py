"""Forces as they come from their files, and the units made of them. What cannot be read is a ``ForceError``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from campale.referee.reading import FileError, Written, meant, read, shaped
from campale.referee.rule import rule
from campale.rulesets.e55.army_lists import (
    ArmyList,
    Count,
    OptionRow,
    UnitRow,
    army_list,
    extended,
    has_all,
    rearmed,
)
from campale.rulesets.e55.arsenal import HERE, Arsenal, PowerRow, ProfileRow, Title, WeaponRow, Word, arsenal
from campale.rulesets.e55.profile import Mount, Profile

FORCES = HERE / "forces"
SCHEMA = FORCES / "force.schema.json"


class ForceError(FileError):
    """The file cannot be read as a force; ``messages`` say where, what and what to do, ``texts`` in both languages."""

    def __init__(self, *messages: str, texts: tuple[dict[str, str], ...] = ()) -> None:
        super().__init__(*messages)
        self.texts = texts or tuple({"en": one, "it": one} for one in messages)


class BoughtRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of the force. ``id`` is what other units call it; ``aboard`` and ``joins`` name such an id."""

    unit: Word
    id: Annotated[str, msgspec.Meta(max_length=60)] = ""
    name: Title | None = None
    size: Count | None = None
    options: dict[Word, Count] = {}
    aboard: Annotated[str, msgspec.Meta(max_length=60)] = ""
    joins: Annotated[str, msgspec.Meta(max_length=60)] = ""


class OwnRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the players have added to the list themselves, written as in the arsenal and the lists."""

    weapons: dict[Word, WeaponRow] = {}
    powers: dict[Word, PowerRow] = {}
    profiles: dict[Word, ProfileRow] = {}
    units: dict[Word, UnitRow] = {}


class ForceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["e55"]
    name: Title
    list: Annotated[str, msgspec.Meta(max_length=60)] = ""
    points: Annotated[int, msgspec.Meta(ge=1, le=20_000)]
    own: OwnRow = OwnRow()
    units: Annotated[tuple[BoughtRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class UnitSpec(msgspec.Struct, frozen=True):
    """A unit as it goes to battle. ``aboard``: the number (from 0) of the unit in whose transport it starts;
    ``bought_with``: that of the unit with which an independent character starts.
    """

    id: str
    title: dict[str, str]
    profiles: tuple[Profile, ...]
    keywords: tuple[str, ...] = ()
    aboard: int | None = None
    bought_with: int | None = None
    points: int = 0


class Force(msgspec.Struct, frozen=True):
    """``points`` is the total the force was built for, ``cost`` what it is worth. ``bought`` as the file has it."""

    id: str
    title: dict[str, str]
    army_list: str
    points: int
    units: tuple[UnitSpec, ...]
    bought: tuple[BoughtRow, ...]
    known: ArmyList

    @property
    def cost(self) -> int:
        return sum(one.points for one in self.units)

    def ride_of(self, unit: UnitSpec) -> int | None:
        """The number of the unit in whose transport a unit starts; a character goes with those whom it starts with."""
        if unit.aboard is None and unit.bought_with is not None:
            return self.units[unit.bought_with].aboard
        return unit.aboard


# ---------------------------------------------------------------- what a unit is made of


@rule("10/armies", "1.1/unit")
def unit_spec(row: BoughtRow, known: ArmyList) -> UnitSpec:
    """The unit with the models that its options change, in the order of the roster; not where it starts."""
    kind = known.units[row.unit]
    words = tuple(dict.fromkeys((*kind.keywords, *([known.id] if known.id else ()))))
    profiles = tuple(with_keywords(one, words) for one in armed(row, known)[0])
    title = (row.name or kind.title).in_both
    return UnitSpec(row.id or row.unit, title, profiles, words, points=sum(one.points for one in profiles))


@rule("10/armies")
def armed(row: BoughtRow, known: ArmyList) -> tuple[list[Profile], dict[str, int]]:
    """The profiles of a unit's models, and for which options how many models were lacking."""
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
    """The models that can be given an option, the likeliest first: leaders from the front, arms from the back."""
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
    """Whoever belongs to a unit has its keywords."""
    return replace(profile, keywords=tuple(dict.fromkeys((*profile.keywords, *words))))


# ---------------------------------------------------------------- from a file to a force


def known_to(file: ForceFile) -> ArmyList:
    """The list that a force is of, with what the players have added; FileError where that cannot be used."""
    base = army_list(file.list) if file.list else ArmyList("", {"en": "", "it": ""}, {}, {}, arsenal())
    own = file.own
    more: Arsenal = base.arsenal.with_more(own.weapons, own.powers)
    return extended(replace(base, arsenal=more), own.profiles, own.units)


def number_of(id: str, units: tuple[BoughtRow, ...]) -> int | None:
    """The number of the unit that the others call by that id."""
    return next((k for k, one in enumerate(units) if id and id in (one.id, one.id or one.unit)), None)


def misnamed(file: ForceFile, known: ArmyList, written: Written) -> list[dict[str, str]]:
    """Names of units, options and rides that there are not, in both languages."""
    ids = [one.id or one.unit for one in file.units]
    found: list[dict[str, str]] = []

    def tell(place: tuple[str | int, ...], en: str, it: str, word: str, of: Iterable[str]) -> None:
        where, near = written.where(("units", *place)), meant(word, of)
        near_it = near.replace("Did you mean", "Intendevi").replace("Known are", "Si conoscono")
        found.append({"en": f"{where}: {en}. {near}", "it": f"{where}: {it}. {near_it}"})

    for k, row in enumerate(file.units):
        if row.unit not in known.units:
            tell((k, "unit"), f"there is no unit {row.unit!r}", f"non c'è un'unità {row.unit!r}", row.unit, known.units)
            continue
        options = known.units[row.unit].options
        for name in (one for one in row.options if one not in options):
            en, it = f"{name!r} is no option of {row.unit}", f"{name!r} non è un'opzione di {row.unit}"
            tell((k, "options", name), en, it, name, options)
        for key, word in (("aboard", row.aboard), ("joins", row.joins)):
            if word and (word not in ids or word == ids[k]):
                en, it = f"no other unit is called {word!r}", f"nessun'altra unità si chiama {word!r}"
                tell((k, key), en, it, word, ids)
    return found


def built(file: ForceFile, written: Written, name: str) -> Force:
    known = known_to(file)
    if wrong := misnamed(file, known, written):
        raise ForceError(*(one["en"] for one in wrong[:20]), texts=tuple(wrong[:20]))
    units = tuple(
        replace(
            unit_spec(row, known),
            aboard=number_of(row.aboard, file.units),
            bought_with=number_of(row.joins, file.units),
        )
        for row in file.units
    )
    return Force(name, file.name.in_both, file.list, file.points, units, file.units, known)


def force_from(plain: dict[str, Any] | bytes | str, what: str = "force") -> Force:
    """A force from its file, plain or as text; ``what`` is what the messages call it. Raises ForceError."""
    if isinstance(plain, bytes | str):
        return force_of(plain, what)
    if not isinstance(plain, dict):
        raise ForceError(f"{what}: it is no table of keys and values. Write one, as the shipped forces are.")
    try:
        return force_of(msgspec.json.encode(plain), what)
    except ForceError as error:
        texts = tuple({tongue: lineless(said, what) for tongue, said in one.items()} for one in error.texts)
        raise ForceError(*(one["en"] for one in texts), texts=texts) from None


def lineless(message: str, what: str) -> str:
    """What is plain has no lines of its own."""
    return message.replace(f"{what}, line 1, ", f"{what}, ", 1).replace(f"{what}, line 1:", f"{what}:", 1)


@lru_cache(maxsize=256)
def force_of(text: bytes | str, what: str) -> Force:
    try:
        return built(*shaped(read(text, what), ForceFile, SCHEMA), what)
    except ForceError:
        raise
    except FileError as error:
        said = (one if one.startswith(what) else f"{what}: {one}" for one in error.messages)
        raise ForceError(*said) from None


@lru_cache(maxsize=1)
def available_forces() -> tuple[str, ...]:
    """The forces that come with the ruleset, by name."""
    return tuple(sorted(path.stem for path in FORCES.glob("*.yaml")))


@lru_cache(maxsize=32)
def force_plain(name: str) -> dict[str, Any]:
    """A shipped force as it stands in its file."""
    if name not in available_forces():
        raise ForceError(f"There is no force {name[:60]!r}. {meant(name, available_forces())}")
    content: dict[str, Any] = read((FORCES / f"{name}.yaml").read_bytes(), name).content
    return content


def force_named(name: str) -> Force:
    return force_from(force_plain(name), name)


# ---------------------------------------------------------------- the roster


class Packed(msgspec.Struct, frozen=True):
    """A unit with each of its profiles once; ``models`` are their numbers in the order of the roster."""

    unit: UnitSpec
    models: tuple[int, ...]


def encode(unit: UnitSpec) -> str:
    """A unit as a JSON text, each profile written once."""
    kinds = tuple(dict.fromkeys(unit.profiles))
    numbers = tuple(kinds.index(one) for one in unit.profiles)
    return msgspec.json.encode(Packed(replace(unit, profiles=kinds), numbers)).decode()


@lru_cache(maxsize=1024)
def decode(text: str) -> UnitSpec:
    packed = msgspec.json.decode(text, type=Packed)
    return replace(packed.unit, profiles=tuple(packed.unit.profiles[k] for k in packed.models))
