"""The attackers and targets of a query: units of shipped forces, profiles of the lists, or models written inline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from campale.mechanics.armies.files import ForceFiles
from campale.mechanics.armies.rows import Word
from campale.mechanics.queries.fields import Fields
from campale.referee.armies.misfits import told_of
from campale.referee.odds_queries import FieldError, Part, Pick, Title
from campale.referee.reading import FileError, meant

UNREADABLE = FileError, msgspec.ValidationError, TypeError, ValueError, KeyError

MOST_MODELS = 30
"""The most models of one side in a query."""

HowMany = Annotated[int, msgspec.Meta(ge=1, le=MOST_MODELS)]

T = TypeVar("T")
Row = TypeVar("Row")


class ModelsInline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Models written inline: a profile as in scenario files, and their number. A book adds its other changes."""

    profile: str
    count: HowMany = 1
    weapons: tuple[Any, ...] | None = None
    adds: tuple[Any, ...] = ()
    changes: dict[str, Any] = {}


class UnitInline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit written inline, as in the files of forces. A book adds the purchases."""

    list: Word
    unit: Word
    size: HowMany | None = None


class Titled(Protocol):
    @property
    def title(self) -> Title: ...


class Listed(Protocol):
    """An army list, as far as a query needs it: profiles by their ids."""

    @property
    def title(self) -> Title: ...
    @property
    def profiles(self) -> Any: ...


class Kinds(Protocol):
    """A list of kinds of units, by their ids."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> Title: ...
    @property
    def units(self) -> Mapping[str, Any]: ...


K = TypeVar("K", bound=Kinds)


class Card(NamedTuple, Generic[Row, K]):
    """A unit that can be bought, and its list. ``under``: the title of its heading."""

    row: Row
    of: K
    title: Title
    under: Title


class Fielded(NamedTuple, Generic[Row, K]):
    """A shipped force: its units as bought, by their names in it, and their list."""

    id: str
    title: Title
    units: Mapping[str, Row]
    of: K


def fielded(forces: ForceFiles[Any, Any], of: Callable[[Any], K]) -> list[Fielded[Any, K]]:
    """The forces that come with a book; ``of(force)`` is the list of a force."""
    ready = (forces.named(name) for name in forces.names())
    return [Fielded(one.id, one.title, {unit.row.called: unit.row for unit in one.units}, of(one)) for one in ready]


def cards_of(
    forces: Iterable[Fielded[Row, K]],
    lists: Sequence[K],
    titled: Callable[[Row, K], Title],
    bought: Callable[[str], Row],
) -> dict[str, Card[Row, K]]:
    """Units of the forces as ``force:unit``, then kinds of units, as ``list/unit`` if lists differ in one."""
    found: dict[str, Card[Row, K]] = {}
    for force in forces:
        for name, row in force.units.items():
            found[f"{force.id}:{name}"] = Card(row, force.of, titled(row, force.of), force.title)
    for known in lists:
        for id, kind in known.units.items():
            alike = all(other.units[id] == kind for other in lists if id in other.units)
            row = bought(id)
            key = id if alike else f"{known.id}/{id}"
            found.setdefault(key, Card(row, known, titled(row, known), known.title))
    return found


def picks_of_cards(cards: Mapping[str, Card[Row, K]]) -> tuple[Pick, ...]:
    return tuple(Pick(key, one.title, one.under) for key, one in cards.items())


def picks_of(cards: Iterable[tuple[str, Title, Title]], lists: Iterable[Listed]) -> tuple[Pick, ...]:
    """The shipped ones, as (key, title, title of its force), then every profile of the lists once."""
    of_forces = [Pick(key, title, force) for key, title, force in cards]
    of_lists = {id: Pick(id, one.title, known.title) for known in lists for id, one in known.profiles.items()}
    return (*of_forces, *of_lists.values())


def read_inline(name: str, plain: Any, read: Callable[[Any], T]) -> T:
    """Read what is written inline at a field. Raises FieldError, in both languages, if it cannot be read."""
    try:
        return read(plain)
    except FieldError:
        raise
    except UNREADABLE as error:
        raise FieldError(name, told_of(error)) from None


def models_inline(plain: Any, row: type[msgspec.Struct], made: Callable[[dict[str, Any]], T]) -> list[T]:
    """The models of one row, or of several in a list; a ``row`` has a ``count``, and the rest describes each model."""
    models: list[T] = []
    for one in plain if isinstance(plain, list) else [plain]:
        fields = msgspec.to_builtins(msgspec.convert(one, row))
        models += fields.pop("count") * [made(fields)]
    return models


def few_enough(fields: Fields, part: Part, models: Sequence[T]) -> tuple[T, ...]:
    """The models written inline at a field. Raises FieldError if there are more than a query can take."""
    if len(models) > MOST_MODELS:
        raise fields.fault(part, "so-many-models", count=len(models), most=MOST_MODELS)
    return tuple(models)


def added_up(fields: Fields, part: Part, bought: Iterable[Sequence[Any]], most: int) -> dict[str, int]:
    """The number of models with each purchase, from pairs of a name and a number. Raises FieldError above ``most``."""
    counted: dict[str, int] = {}
    for name, many in bought:
        counted[name] = counted.get(name, 0) + many
    if sum(counted.values()) > most:
        raise fields.fault(f"{part}-options", "too-many-options", most=most)
    return counted


def known_by(name: str, known: Mapping[str, T], what: str) -> T:
    """The thing with a name; ``what`` is its kind (a unit, an option). Raises ValueError with similar names."""
    if name not in known:
        raise ValueError(f"there is no {what} '{name[:60]}'. {meant(name, known)}")
    return known[name]
