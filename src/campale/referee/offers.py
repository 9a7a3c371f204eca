"""The choices before a battle: the forces that come with a book, its terms of agreement, ready tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from campale.referee.position import RESERVE, Model, Position
from campale.referee.refusal import Plain
from campale.table.terrain import Ground, Piece

Title = dict[str, str]


class Choice(msgspec.Struct, frozen=True):
    """A value that may be agreed on.

    With the value None it is not agreed beforehand: the battle asks for it. ``rules``: its entries; without any they
    are found by its name. ``about``: a sentence about it.
    """

    value: Plain
    title: Title
    rules: tuple[str, ...] = ()
    about: Title | None = None


class Term(msgspec.Struct, frozen=True):
    """Something that is agreed on before the battle: a key of ``Setup.agreed``, its rule, and what may be chosen.

    ``between``: any whole number from the first to the second is allowed too.
    """

    name: str
    title: Title
    rule: str
    choices: tuple[Choice, ...]
    default: Plain = None
    between: tuple[int, int] | None = None

    def allows(self, value: Plain) -> bool:
        if any(value == one.value and type(value) is type(one.value) for one in self.choices):
            return True
        low, high = self.between or (1, 0)
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


class Offered(msgspec.Struct, frozen=True):
    """A force that comes with the book. ``points`` is the limit it was built for; ``plain`` is the content of its
    file."""

    name: str
    title: Title
    points: int
    army_list: str
    list_title: Title
    plain: dict[str, Any]


class Roster(msgspec.Struct, frozen=True):
    """One line of a force: a number of models of one profile, in a unit of that title. ``points`` is the total."""

    unit: Title
    title: Title
    count: int
    points: int
    profile: Any

    def model(self, ruleset: Any) -> Model:
        """One of them, in no battle."""
        position = Position(ruleset, Ground(1.0, 1.0))
        unit = position.add_unit(self.unit["en"], 0)
        return position.add_model(self.title["en"], self.profile, 0, unit, RESERVE)


class Layout(msgspec.Struct, frozen=True):
    """A table ready to play on."""

    name: str
    title: Title
    width: float
    depth: float
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Offers:
    """``mission``, ``layout`` and ``size`` are the names of the terms for these, if the book has them.

    ``roster`` lists the content of a force, its title and points first; it raises ValueError for an invalid force.
    """

    forces: tuple[Offered, ...]
    layouts: tuple[Layout, ...]
    terms: tuple[Term, ...]
    roster: Callable[[dict[str, Plain]], tuple[Title, int, tuple[Roster, ...]]]
    mission: str = ""
    layout: str = ""
    size: str = ""

    def term(self, name: str) -> Term | None:
        return next((one for one in self.terms if one.name == name), None)

    def force(self, name: str) -> Offered | None:
        return next((one for one in self.forces if one.name == name), None)

    def agreed(self, chosen: dict[str, Plain]) -> dict[str, Plain]:
        """The chosen values, with defaults for the rest; None is left out. Raises ValueError naming an impossible
        value."""
        for name, value in chosen.items():
            term = self.term(name)
            if term is None:
                raise ValueError(f"there is nothing called '{name[:60]}' to agree on")
            if not term.allows(value):
                raise ValueError(f"{name} cannot be {str(value)[:60]!r}")
        found = {term.name: chosen.get(term.name, term.default) for term in self.terms}
        return {name: value for name, value in found.items() if value is not None}


def offers_from(starters: Sequence[Any]) -> Offers:
    """The choices of a book that only lists ready battles: their forces and terms."""
    plains: list[dict[str, Any]] = []
    for plain in (force for setup in starters for force in setup.forces):
        if plain not in plains:
            plains.append(plain)
    forces = tuple(ready_force(plain, number) for number, plain in enumerate(plains, 1))
    names = dict.fromkeys(name for setup in starters for name in setup.agreed)
    return Offers(forces, (), tuple(ready_term(name, starters) for name in names), untold)


def ready_force(plain: dict[str, Any], number: int) -> Offered:
    return Offered(f"force-{number}", title_in(plain, number), 0, "", {"en": "", "it": ""}, plain)


def title_in(plain: dict[str, Any], number: int = 0) -> Title:
    """The name that a force's file gives it."""
    usual = {"en": f"Force {number}".removesuffix(" 0"), "it": f"Forza {number}".removesuffix(" 0")}
    name = plain.get("name", usual)
    return {**usual, **name} if isinstance(name, dict) else {"en": str(name), "it": str(name)}


def ready_term(name: str, starters: Sequence[Any]) -> Term:
    values: list[Plain] = []
    for value in (setup.agreed.get(name) for setup in starters):
        if value not in values:
            values.append(value)
    choices = tuple(Choice(value, {"en": str(value), "it": str(value)}) for value in values)
    return Term(name, {"en": name, "it": name}, "", choices, values[0])


def untold(plain: dict[str, Plain]) -> tuple[Title, int, tuple[Roster, ...]]:
    return title_in(plain), 0, ()
