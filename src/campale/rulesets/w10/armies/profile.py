"""The profile of a model: characteristics, keywords, abilities and weapons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated

import msgspec

from campale.mechanics.armies.rows import Title, Words
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.armies.amounts import Amount, amount
from campale.table.shapes import Circle, Hull, Shape

MM = 1.0 / 25.4

Number = Annotated[int, msgspec.Meta(ge=0, le=60)]
Skill = Annotated[int, msgspec.Meta(ge=2, le=6)] | None


ROLLED = ("deadly-demise",)
"""Abilities whose X may be a roll; the code that plays them reads it from the text."""


def numbered(written: str) -> tuple[str, int]:
    """An ability and its number, 0 without one: "rapid-fire 1", "anti-vehicle 4+", "scouts 6". Raises ValueError."""
    name, _, number = written.partition(" ")
    if name in ROLLED and number:
        return name, amount(number).plus
    plain = number.removesuffix("+")
    if number and not (plain.isascii() and plain.isdigit() and len(plain) < 3):
        raise ValueError(f"{written[:40]!r}: the X of {name[:30]} is a number from 0 to 99, and no roll")
    return name, int(plain or 0)


@rule("duplicate-abilities/no-stacking", "duplicate-abilities/numbered-choice", "duplicate-abilities/anti-identity")
def best_numbers(abilities: Sequence[str]) -> dict[str, int]:
    """Each ability once, with its best number: the lowest for numbers with a plus, otherwise the highest."""
    found: dict[str, int] = {}
    for written in abilities:
        name, number = numbered(written)
        better = min if written.endswith("+") else max
        found[name] = better(found[name], number) if name in found else number
    return found


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A profile of a weapon. ``range`` None: melee; ``skill`` None: its attacks need no roll to hit."""

    a: str
    s: Number
    ap: Annotated[int, msgspec.Meta(ge=-6, le=0)] = 0
    d: str = "1"
    skill: Skill = None
    range: Annotated[float, msgspec.Meta(gt=0, le=120)] | None = None
    abilities: Words = ()
    name: Title | None = None

    def __post_init__(self) -> None:
        amount(self.a), amount(self.d)
        for one in self.abilities:
            numbered(one)

    def __hash__(self) -> int:
        return hash((self.a, self.s, self.ap, self.d, self.skill, self.range, self.abilities))

    @property
    @rule("datasheet/weapon-profile")
    def is_melee(self) -> bool:
        return self.range is None

    @property
    def attacks(self) -> Amount:
        return amount(self.a)

    @property
    def damage(self) -> Amount:
        return amount(self.d)

    @cached_property
    def numbers(self) -> dict[str, int]:
        return best_numbers(self.abilities)

    def has(self, ability: str) -> bool:
        return ability in self.numbers

    def number(self, ability: str) -> int:
        """The number of an ability: the X of RAPID FIRE X; 0 without it."""
        return self.numbers.get(ability, 0)


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: dict[str, str]
    lines: tuple[Line, ...]

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    @rule("datasheet/weapon-profile")
    def is_melee(self) -> bool:
        return self.lines[0].is_melee


class Profile(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A model of a datasheet.

    ``m`` None: it cannot move. ``base``: the diameter in millimetres; ``hull``: width and length in inches of a model
    without a base. ``leads``: the datasheets of the units that it may lead; ``beside``: the datasheets of the Leaders
    that may already be with such a unit. ``capacity``: the number of models with one of the keywords of ``carries``
    that may embark; ``rooms``: further numbers of models, each with their keywords. ``is_champion``: it is the first of
    a unit whose first model differs from the rest.
    """

    id: str
    title: dict[str, str]
    sheet: str
    m: int | None = 6
    t: int = 4
    sv: int = 7
    w: int = 1
    ld: int | None = 7
    oc: int = 1
    invulnerable: int | None = None
    feel_no_pain: int | None = None
    keywords: tuple[str, ...] = ()
    faction: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    capacity: int = 0
    carries: tuple[str, ...] = ()
    rooms: tuple[tuple[int, tuple[str, ...]], ...] = ()
    is_champion: bool = False
    rules: dict[str, Ability] = {}
    weapons: tuple[Weapon, ...] = ()
    base: int = 32
    hull: tuple[float, float] | None = None
    height: float = 1.6
    points: int = 0

    def __post_init__(self) -> None:
        for one in self.abilities:
            numbered(one)

    def __hash__(self) -> int:
        return hash((self.id, self.points, len(self.weapons)))

    @cached_property
    def numbers(self) -> dict[str, int]:
        return best_numbers(self.abilities)

    @rule("keywords/has", "keywords/models-only", "core-concepts/faction-keywords")
    def has(self, keyword: str) -> bool:
        return keyword in self.keywords or keyword in self.faction

    @rule("c/with-ability-x")
    def can(self, ability: str) -> bool:
        """True if it has an ability, whatever its number."""
        return ability in self.numbers

    @property
    def titled(self) -> dict[str, dict[str, str]]:
        """The titles of its own abilities by id."""
        return {id: one.title.in_both for id, one in self.rules.items()}

    @cached_property
    def is_large(self) -> bool:
        return self.has("monster") or self.has("vehicle")

    @cached_property
    def shape(self) -> Shape:
        """The shape used for distances and areas: the base, or the hull of a model without one.

        Parts that overhang a base do not count: they may stick out of a zone, and bases that touch are in contact.
        """
        return self.outline()

    @rule("s/hull", "s/deploy-overhang", "c/base-contact-overhang")
    def outline(self) -> Shape:
        if self.hull is None:
            return Circle(self.base * MM / 2.0)
        wide, long = self.hull[0] / 2.0, self.hull[1] / 2.0
        return Hull(((-wide, -long), (wide, -long), (wide, long), (-wide, long)))

    @cached_property
    def footprint(self) -> tuple[object, ...]:
        """The shape as a key, equal for models that can stand in each other's places."""
        return (self.base,) if self.hull is None else self.hull

    @cached_property
    def ranged(self) -> tuple[Weapon, ...]:
        return tuple(one for one in self.weapons if not one.is_melee)

    @cached_property
    def melee(self) -> tuple[Weapon, ...]:
        return tuple(one for one in self.weapons if one.is_melee)
