"""Forces read from their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.force import BuiltForce, ForceHead
from campale.mechanics.armies.rows import Name, Word
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.arsenal import (
    FACTIONS,
    HERE,
    equipment,
    profile_named,
    profiles,
    weapons,
)
from campale.rulesets.ragnarok.armies.profile import ExpertField, Profile


class ModelRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    profile: Word
    count: Annotated[int, msgspec.Meta(ge=1, le=40)] = 1
    name: Name = ""
    commander: bool = False
    expert: Literal["", "medicine", "weapons", "martial_arts", "mind", "mechanics", "explosives"] = ""
    weapons: Annotated[tuple[Word, ...], msgspec.Meta(max_length=10)] = ()
    equipment: Annotated[tuple[Word, ...], msgspec.Meta(max_length=10)] = ()


class ForceFile(ForceHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["ragnarok"]
    army_list: Word
    points: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    models: Annotated[tuple[ModelRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class Trooper(msgspec.Struct, frozen=True):
    """One model. ``basic`` is the profile in its list, ``profile`` the one with additions that it fights with."""

    profile: Profile
    basic: Profile
    name: str = ""
    number: int = 0
    is_commander: bool = False
    expert: ExpertField = ""
    additions: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        return self.profile.points

    @property
    def title(self) -> dict[str, str]:
        """Return its own name, or that of its profile, with a number if the force has several."""
        number = f" {self.number}" if self.number else ""
        return {tongue: (self.name or title) + number for tongue, title in self.profile.title.items()}


class Force(BuiltForce[Trooper], frozen=True):
    """Every trooper is a unit of its own."""

    army_list: str

    @property
    def commanders(self) -> tuple[Trooper, ...]:
        return tuple(one for one in self.units if one.is_commander)


@lru_cache(maxsize=4096)
def folded(basic: Profile, things: tuple[str, ...], expert: ExpertField) -> Profile:
    """Return the profile with its additions and their cost, and with the chosen field if the choice is the player's."""
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
    """Return a model of a profile with the things bought for it, by ids."""
    basic = profile_named(profile)
    armed = folded(basic, additions, expert)
    return Trooper(armed, basic, name, number, is_commander, expert, additions)


def unknown_names(written: Written, file: ForceFile) -> Iterator[str]:
    """Yield messages for names that no list and no table has."""
    if file.army_list not in FACTIONS:
        yield unknown(written.where(("army_list",)), "no-list", file.army_list, FACTIONS)
    for i, row in enumerate(file.models):
        for key, words, known in (
            ("profile", (row.profile,), profiles()),
            ("weapons", row.weapons, weapons()),
            ("equipment", row.equipment, equipment()),
        ):
            for word in (one for one in words if one not in known):
                yield unknown(written.where(("models", i, key)), "not-known", word, known)


def troopers_of(file: ForceFile) -> Iterator[Trooper]:
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


def built(file: ForceFile, written: Written, id: str) -> Force:
    refuse_unknown(unknown_names(written, file))
    return Force(id, file.name.in_both, file.points, tuple(troopers_of(file)), file.army_list)


FORCES = ForceFiles(HERE / "forces", ForceFile, built)


@rule("models/starter-forces")
def starter_force(faction: str) -> Force:
    """Return the prepared force of a faction."""
    return FORCES.named(f"{faction}_starter")
