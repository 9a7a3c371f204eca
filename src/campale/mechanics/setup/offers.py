"""The choices before a battle: ready forces and tables, the terms of nearly every book, and rosters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import msgspec

from campale.mechanics.armies.files import ForceFiles
from campale.mechanics.armies.rows import Title
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.agreed import BY_LOT, BY_PLAYERS
from campale.mechanics.titles import in_both
from campale.referee.offers import Choice, Layout, Offered, Offers, Roster, Term
from campale.referee.refusal import Plain
from campale.table.terrain import Piece

HERE = Path(__file__).parent

T = TypeVar("T")


class ArmyList(Protocol):
    """A list from which forces are built."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> dict[str, str]: ...


class ReadyForce(Protocol):
    """``points`` is the limit that the force was built for."""

    @property
    def title(self) -> dict[str, str]: ...
    @property
    def points(self) -> int: ...


class Unit(Protocol):
    """Models that go into battle together."""

    @property
    def title(self) -> dict[str, str]: ...
    @property
    def profiles(self) -> Sequence[Any]: ...


class Plan(Protocol):
    """A layout as its file has it."""

    @property
    def name(self) -> Title: ...


class CountedForce(ReadyForce, Protocol):
    """``cost`` is its actual cost."""

    @property
    def cost(self) -> int: ...
    @property
    def units(self) -> Sequence[Any]: ...


F = TypeVar("F", bound=ReadyForce)
C = TypeVar("C", bound=CountedForce)
P = TypeVar("P", bound=Plan)


# ---------------------------------------------------------------- ready forces and tables


def by_points(one: Offered) -> tuple[int, str]:
    return one.points, one.name


def offered_forces(
    forces: ForceFiles[Any, F], army_list: Callable[[F], ArmyList], order: Callable[[Offered], Any] = by_points
) -> tuple[Offered, ...]:
    """The forces that come with a book, the smallest first."""
    return tuple(sorted((offered(forces, name, army_list) for name in forces.names()), key=order))


def offered(forces: ForceFiles[Any, F], name: str, army_list: Callable[[F], ArmyList]) -> Offered:
    force = forces.named(name)
    of = army_list(force)
    return Offered(name, force.title, force.points, of.id, of.title, forces.plain(name))


def offered_layouts(
    layouts: NamedFiles[P], size: tuple[float, float], pieces: Callable[[str], tuple[Piece, ...]]
) -> tuple[Layout, ...]:
    """The tables that come with a book, each with its pieces."""
    return tuple(Layout(name, layouts.named(name).name.in_both, *size, pieces(name)) for name in layouts.names())


# ---------------------------------------------------------------- terms


def choice(key: str, value: Plain, **values: Plain) -> Choice:
    """A choice with words that every book has: "by-die", "by-lot", "laid-by-lot", "laid-by-players", ..."""
    return Choice(value, in_both(HERE, key, **values))


LAID_BY_LOT = choice("laid-by-lot", BY_LOT)
LAID_BY_PLAYERS = choice("laid-by-players", BY_PLAYERS)
BY_DIE = choice("by-die", None)
"""Nothing is agreed: the battle rolls for it."""


def points_term(rule: str, sizes: Sequence[int], most: int) -> Term:
    """The usual sizes of a battle, the first by default, and any number of points up to the most."""
    sized = tuple(choice("so-many-points", size, points=size) for size in sizes)
    return Term("points", in_both(HERE, "points"), rule, sized, sizes[0], (1, most))


def mission_term(
    rule: str,
    folder: Path,
    missions: Iterable[str],
    otherwise: Choice | None = None,
    rules: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Term:
    """The missions of a book (its words have them under ``mission.<name>``); by default ``otherwise``, or the first.

    ``rules``: the entries about a mission, if its name does not show which.
    """
    named = tuple(Choice(name, in_both(folder, f"mission.{name}"), rules.get(name, ())) for name in missions)
    choices = named if otherwise is None else (otherwise, *named)
    return Term("mission", in_both(HERE, "mission"), rule, choices, choices[0].value)


def scenery_term(rule: str, layouts: NamedFiles[P], *others: Choice) -> Term:
    """The ready tables, the first by default, and other ways to get scenery."""
    ready = tuple(Choice(name, layouts.named(name).name.in_both) for name in layouts.names())
    return Term("scenery", in_both(HERE, "scenery"), rule, (*ready, *others), ready[0].value)


# ---------------------------------------------------------------- the content of a force


def alike(things: Iterable[T], key: Callable[[T], Any]) -> Iterator[list[T]]:
    """Things with the same key together, in the order in which each key first comes."""
    found: dict[Any, list[T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return iter(found.values())


def lines_of(units: Iterable[Unit]) -> tuple[Roster, ...]:
    """Unit by unit, equal models in one line."""
    return tuple(
        Roster(unit.title, several[0].title, len(several), sum(one.points for one in several), several[0])
        for unit in units
        for several in alike(unit.profiles, msgspec.json.encode)
    )


# ---------------------------------------------------------------- all of it


def lines_of_units(force: CountedForce) -> tuple[Roster, ...]:
    return lines_of(force.units)


def offers_of(
    forces: ForceFiles[Any, C],
    army_list: Callable[[C], ArmyList],
    layouts: tuple[Layout, ...],
    terms: tuple[Term, ...],
    order: Callable[[Offered], Any] = by_points,
    lines: Callable[[C], tuple[Roster, ...]] = lines_of_units,
) -> Offers:
    """The offers of a book with points, missions and tables; ``lines`` tells the content of a force."""

    def roster(plain: dict[str, Plain]) -> tuple[dict[str, str], int, tuple[Roster, ...]]:
        force = forces.from_plain(plain)
        return force.title, force.cost, lines(force)

    ready = offered_forces(forces, army_list, order)
    return Offers(ready, layouts, terms, roster, "mission", "scenery", "points")
