"""Forces as they come from their files. What cannot be understood is refused with ``ForceError``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.referee.reading import FileError, Written, meant, read, read_file, shaped
from campale.referee.rule import rule
from campale.rulesets.ragnarok.arsenal import (
    FACTIONS,
    HERE,
    Title,
    equipment,
    profile_named,
    profiles,
    weapons,
)
from campale.rulesets.ragnarok.profile import ExpertField, Profile

FORCES = HERE / "forces"
SCHEMA = FORCES / "force.schema.json"

_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class ForceError(FileError):
    """The file cannot be read as a force; ``messages`` say where, what and what to do."""


class ModelRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    profile: _Word
    count: Annotated[int, msgspec.Meta(ge=1, le=40)] = 1
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    commander: bool = False
    expert: Literal["", "medicine", "weapons", "martial_arts", "mind", "mechanics", "explosives"] = ""
    weapons: Annotated[tuple[_Word, ...], msgspec.Meta(max_length=10)] = ()
    equipment: Annotated[tuple[_Word, ...], msgspec.Meta(max_length=10)] = ()


class ForceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ruleset: Literal["ragnarok"]
    name: Title
    army_list: _Word
    points: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    models: Annotated[tuple[ModelRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class Trooper(msgspec.Struct, frozen=True):
    """One model. ``basic`` is the profile as its list has it, ``profile`` the one it fights with."""

    profile: Profile
    basic: Profile
    name: str = ""
    number: int = 0
    is_commander: bool = False
    expert: ExpertField = ""
    additions: tuple[str, ...] = ()

    @property
    def title(self) -> dict[str, str]:
        """Its own name, or that of its profile with a number where the force has several."""
        number = f" {self.number}" if self.number else ""
        return {tongue: (self.name or title) + number for tongue, title in self.profile.title.items()}


class Force(msgspec.Struct, frozen=True):
    """``points`` is the total the force was built for, ``cost`` what it is worth."""

    id: str
    title: dict[str, str]
    army_list: str
    points: int
    troopers: tuple[Trooper, ...]

    @property
    def cost(self) -> int:
        return sum(one.profile.points for one in self.troopers)

    @property
    def commanders(self) -> tuple[Trooper, ...]:
        return tuple(one for one in self.troopers if one.is_commander)


@lru_cache(maxsize=4096)
def folded(basic: Profile, things: tuple[str, ...], expert: ExpertField) -> Profile:
    """The profile with its additions, their cost, and the field chosen where the choice is the player's."""
    arms = tuple(weapons()[one] for one in things if one in weapons())
    items = tuple(equipment()[one] for one in things if one in equipment())
    return replace(
        basic,
        points=basic.points + sum(one.cost or 0 for one in arms) + sum(one.cost or 0 for one in items),
        weapons=basic.weapons + arms,
        equipment=basic.equipment + items,
        expert=expert if expert and basic.expert == "choice" else basic.expert,
    )


@rule("army/options")
def trooper(
    profile: str,
    additions: tuple[str, ...] = (),
    *,
    name: str = "",
    number: int = 0,
    is_commander: bool = False,
    expert: ExpertField = "",
) -> Trooper:
    """A model of a profile with what is bought for it, by ids."""
    basic = profile_named(profile)
    armed = folded(basic, additions, expert)
    return Trooper(armed, basic, name, number, is_commander, expert, additions)


def _unknown(written: Written, file: ForceFile) -> Iterator[str]:
    """Names that no list and no table knows."""
    if file.army_list not in FACTIONS:
        where = written.where(("army_list",))
        yield f"{where}: there is no army list {file.army_list!r}. {meant(file.army_list, FACTIONS)}"
    for i, row in enumerate(file.models):
        for key, words, known in (
            ("profile", (row.profile,), frozenset(profiles())),
            ("weapons", row.weapons, frozenset(weapons())),
            ("equipment", row.equipment, frozenset(equipment())),
        ):
            for word in words:
                if word not in known:
                    yield f"{written.where(('models', i, key))}: {word!r} is not known. {meant(word, known)}"


def _troopers(file: ForceFile) -> Iterator[Trooper]:
    several = Counter[tuple[str, str]]()
    for row in file.models:
        several[row.profile, row.name] += row.count
    so_far = Counter[tuple[str, str]]()
    for row in file.models:
        for _ in range(row.count):
            like = (row.profile, row.name)
            so_far[like] += 1
            yield trooper(
                row.profile,
                row.weapons + row.equipment,
                name=row.name,
                number=so_far[like] if several[like] > 1 else 0,
                is_commander=row.commander,
                expert=row.expert,
            )


def _built(file: ForceFile, written: Written, id: str) -> Force:
    if unknown := tuple(_unknown(written, file)):
        raise ForceError(*unknown[:20])
    return Force(id, file.name.in_both, file.army_list, file.points, tuple(_troopers(file)))


def force_from(source: bytes | str, name: str = "force") -> Force:
    """A force from the text of its file; ``name`` is what the messages call it."""
    try:
        return _built(*shaped(read(source, name), ForceFile, SCHEMA), name)
    except FileError as error:
        raise ForceError(*error.messages) from None


def read_force(path: Path | str) -> Force:
    try:
        return _built(*read_file(Path(path), ForceFile, SCHEMA), Path(path).stem)
    except FileError as error:
        raise ForceError(*error.messages) from None


@lru_cache(maxsize=1)
def available_forces() -> tuple[str, ...]:
    """The forces that come with the ruleset, by name."""
    return tuple(sorted(path.stem for path in FORCES.glob("*.yaml")))


@lru_cache(maxsize=64)
def force_named(name: str) -> Force:
    if name not in available_forces():
        raise ForceError(f"There is no force {name[:60]!r}. {meant(name, available_forces())}")
    return read_force(FORCES / f"{name}.yaml")


@rule("models/starter-forces")
def starter_force(faction: str) -> Force:
    """The ready force of a faction."""
    return force_named(f"{faction}_starter")
