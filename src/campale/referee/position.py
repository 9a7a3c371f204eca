"""The position: everything that changes during a battle, in columns, and the verbs that are the only way to change it.

``Model`` and ``Unit`` are handles (a position and a row); rows are never reused. A position knows its ruleset, converts
to bytes and back, and copies in microseconds. Coordinates are rounded when set.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Iterator, Sized
from operator import is_
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from campale.referee.columns import (
    ABOARD,
    FALLEN,
    GONE,
    RESERVE,
    TABLE,
    Counters,
    Effect,
    Harm,
    Loss,
    Result,
    Token,
    tupled,
)
from campale.referee.handles import Model, Unit
from campale.referee.journal import Event, Journal
from campale.referee.refusal import Plain
from campale.referee.rule import path_here
from campale.table.shapes import rounded
from campale.table.terrain import Ground, Piece

if TYPE_CHECKING:
    from campale.referee.ruleset import Ruleset

__all__ = [
    "ABOARD",
    "FALLEN",
    "GONE",
    "RESERVE",
    "RETURNED",
    "TABLE",
    "Counters",
    "Effect",
    "Harm",
    "Loss",
    "Model",
    "Position",
    "Result",
    "Token",
    "Unit",
    "tupled",
]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Sides = tuple[int, ...] | None
SIDES = 2
"""How many sides a battle has, in every book."""

RETURNED = "returned"
"""The mark that counts how often a lost model has come back in this battle."""

MOST_COUNTED = 1_000_000
"""The highest count in a battle: a file with a higher one is refused."""

LAID_OUT = frozenset({"place", "turn", "unit", "ground"})


MEASURES = ("x", "y", "z", "facing")
COUNTED = ("of_models", "of_units", "of_sides")
PLAIN_COLUMNS = (
    *("ground", "names", "side_of", "unit_of", "bought_with", "where", "aboard_of", "unit_names", "unit_side"),
    *("effects", "losses", "tokens", "snapshots", "declared", "now", "result"),
)
"""The parts of a position besides its profiles: lengths, counters, and values compared directly."""


def is_same(one: Any, other: Any) -> bool:
    return one is other or bool(one == other)


class Position:
    """Rows of models and units, what the sides hold, effects, losses, tokens, the terrain, and the moment."""

    __slots__ = (
        "_handles",
        "aboard_of",
        "bought_with",
        "cache",
        "declared",
        "effects",
        "facing",
        "ground",
        "harms",
        "journal",
        "layout",
        "losses",
        "names",
        "now",
        "of_models",
        "of_sides",
        "of_units",
        "own",
        "profiles",
        "result",
        "revealed",
        "roster",
        "ruleset",
        "side_of",
        "snapshots",
        "tokens",
        "unit_names",
        "unit_of",
        "unit_side",
        "where",
        "x",
        "y",
        "z",
    )

    def __init__(self, ruleset: Ruleset, ground: Ground) -> None:
        self.ruleset = ruleset
        self.ground = ground
        self.x, self.y, self.z, self.facing = array("d"), array("d"), array("d"), array("d")
        self.names: list[str] = []
        self.profiles: list[Any] = []
        self.side_of: list[int] = []
        self.unit_of: list[int] = []
        self.bought_with: list[int] = []
        self.where: list[int] = []
        self.aboard_of: list[int] = []
        self.unit_names: list[str] = []
        self.unit_side: list[int] = []
        self.of_models, self.of_units, self.of_sides = Counters(), Counters(), Counters(SIDES)
        self.effects: list[Effect] = []
        self.losses: list[Loss] = []
        self.tokens: list[Token] = []
        self.snapshots: dict[str, dict[int, tuple[float, float, float, float]]] = {}
        self.declared: dict[str, Plain] = {}
        self.now: dict[str, Plain] = {}
        self.result: Result | None = None
        self.revealed = 0
        self.journal: Journal | None = None
        self.harms: list[Harm] | None = None
        self.cache: dict[Any, Any] = {}
        self.layout: dict[Any, Any] = {}
        self.own: dict[Any, Any] = {}
        self.roster: dict[Any, Any] = {}
        self._handles: list[Model] = []

    # ------------------------------------------------------------------ reading

    @property
    def models(self) -> list[Model]:
        """Every model there ever was, in the order of the roster."""
        if len(self._handles) < len(self.names):
            self._handles.extend(Model(self, row) for row in range(len(self._handles), len(self.names)))
        return self._handles

    def model(self, row: int) -> Model:
        return self.models[row]

    @property
    def units(self) -> list[Unit]:
        return [Unit(self, row) for row in range(len(self.unit_names))]

    @property
    def options(self) -> Any:
        return self.ruleset.options

    def on_table(self, side: int | None = None) -> list[Model]:
        """The models on the table, of one side or of all."""
        handles = self.models
        if side is None:
            return [handles[row] for row, where in enumerate(self.where) if where == TABLE]
        there = zip(self.where, self.side_of, strict=True)
        return [handles[row] for row, (where, owner) in enumerate(there) if where == TABLE and owner == side]

    def marked(self, name: str) -> list[Model]:
        """The models on the table that have markers of this name."""
        return [self.models[row] for row in self.of_models.rows_with(name) if self.where[row] == TABLE]

    def holds(self, side: int, name: str) -> int:
        """The points of a side's pool."""
        return self.of_sides.get(side, name)

    def hand(self, side: int, name: str) -> tuple[Plain, ...]:
        """The things that a side holds under a name: a hand, a deck, a discard pile."""
        return tuple(self.of_sides.note(side, name, ()))

    def effects_on(self, model: Model, rule: str) -> list[Effect]:
        return [e for e in self.effects if e.bearer == model.row and e.rule == rule and e.on == "model"]

    def column(self, name: str) -> Floats:
        """x, y, z or facing of every row as a numpy view; do not keep it across a verb."""
        values: array[float] = getattr(self, name)
        return np.frombuffer(values) if values else np.empty(0)

    # ------------------------------------------------------------------ copying

    def copy(self) -> Position:
        """An equal position that shares nothing that changes.

        It keeps no journal, and counts no harm. Columns that change only when a row is added are shared, and replaced
        on such a change. ``cache`` and ``layout`` are shared too: a copy that changes drops them and begins new ones.
        ``own`` is not shared.
        """
        new = Position.__new__(Position)
        new.ruleset, new.ground = self.ruleset, self.ground
        new.names, new.profiles, new.side_of, new.bought_with = (
            self.names,
            self.profiles,
            self.side_of,
            self.bought_with,
        )
        new.unit_names, new.unit_side = self.unit_names, self.unit_side
        new.x, new.y, new.z, new.facing = self.x[:], self.y[:], self.z[:], self.facing[:]
        new.unit_of, new.where, new.aboard_of = self.unit_of[:], self.where[:], self.aboard_of[:]
        new.of_models, new.of_units = self.of_models.copy(), self.of_units.copy()
        new.of_sides = self.of_sides.copy()
        new.effects, new.losses, new.tokens = self.effects[:], self.losses[:], self.tokens[:]
        new.snapshots, new.declared, new.now = self.snapshots.copy(), self.declared.copy(), self.now.copy()
        new.result, new.revealed, new.journal, new.harms = self.result, self.revealed, None, None
        new.cache, new.layout, new.own, new._handles = self.cache, self.layout, {}, []
        new.roster = self.roster
        return new

    def supposing(self, placements: dict[int, tuple[float, ...]]) -> Position:
        """A copy with some models (by row) in other places: (x, y), with z and facing if given."""
        imagined = self.copy()
        imagined.cache, imagined.layout = {}, {}
        for row, place in placements.items():
            for column, value in zip((imagined.x, imagined.y, imagined.z, imagined.facing), place, strict=False):
                column[row] = rounded(value)
        return imagined

    # ------------------------------------------------------------------ bytes

    def to_bytes(self) -> bytes:
        return msgspec.msgpack.encode(self.plain())

    def is_like(self, other: Position) -> bool:
        """Whether both have the same bytes; equal numbers count as the same. Bytes are made only if the columns do not
        decide it."""
        return self.is_alike_in_columns(other) or self.to_bytes() == other.to_bytes()

    def is_alike_in_columns(self, other: Position) -> bool:
        return (
            all(getattr(self, one).tobytes() == getattr(other, one).tobytes() for one in MEASURES)
            and all(is_same(getattr(self, one), getattr(other, one)) for one in PLAIN_COLUMNS)
            and len(self.profiles) == len(other.profiles)
            and all(map(is_, self.profiles, other.profiles))
            and all(getattr(self, one).is_like(getattr(other, one)) for one in COUNTED)
        )

    def plain(self) -> dict[str, Any]:
        """The whole position as plain data."""
        return {
            "ground": self.ground,
            "places": [list(self.x), list(self.y), list(self.z), list(self.facing)],
            "names": self.names,
            "profiles": [self.ruleset.profile_key(profile) for profile in self.profiles],
            "rows": [self.side_of, self.unit_of, self.bought_with, self.where, self.aboard_of],
            "units": [self.unit_names, self.unit_side],
            "counters": [self.of_models.plain(), self.of_units.plain(), self.of_sides.plain()],
            "effects": self.effects,
            "losses": self.losses,
            "tokens": self.tokens,
            "snapshots": {name: sorted(taken.items()) for name, taken in sorted(self.snapshots.items())},
            "declared": sorted(self.declared.items()),
            "now": sorted(self.now.items()),
            "result": self.result,
        }

    @classmethod
    def from_bytes(cls, ruleset: Ruleset, data: bytes) -> Position:
        """The position from these bytes. Raises ValueError if they are not a position of this ruleset."""
        try:
            new = cls._from_plain(ruleset, msgspec.msgpack.decode(data))
        except (msgspec.MsgspecError, LookupError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
            raise ValueError(f"these bytes are no position: {type(error).__name__}: {error}") from None
        problem = ill_formed(new)
        if problem:
            raise ValueError(f"these bytes are no position: {problem}")
        return new

    @classmethod
    def _from_plain(cls, ruleset: Ruleset, plain: dict[str, Any]) -> Position:
        check_counts(plain["counters"])
        new = cls(ruleset, msgspec.convert(plain["ground"], Ground))
        new.x, new.y, new.z, new.facing = (array("d", column) for column in plain["places"])
        new.names = msgspec.convert(plain["names"], list[str])
        new.profiles = [ruleset.profile_from(key) for key in plain["profiles"]]
        rows = msgspec.convert(plain["rows"], list[list[int]])
        new.side_of, new.unit_of, new.bought_with, new.where, new.aboard_of = rows
        new.unit_names = msgspec.convert(plain["units"][0], list[str])
        new.unit_side = msgspec.convert(plain["units"][1], list[int])
        new.of_models, new.of_units, new.of_sides = (Counters.from_plain(c) for c in plain["counters"])
        effects = msgspec.convert(plain["effects"], list[Effect])
        new.effects = [msgspec.structs.replace(one, value=tupled(one.value)) for one in effects]
        losses = msgspec.convert(plain["losses"], list[Loss])
        new.losses = [msgspec.structs.replace(one, moment=tupled(one.moment)) for one in losses]
        tokens = msgspec.convert(plain["tokens"], list[Token])
        new.tokens = [msgspec.structs.replace(one, value=tupled(one.value)) for one in tokens]
        new.snapshots = {name: {r: tuple(p) for r, p in taken} for name, taken in plain["snapshots"].items()}
        new.declared = {name: tupled(value) for name, value in plain["declared"]}
        new.now = {name: tupled(value) for name, value in plain["now"]}
        new.result = msgspec.convert(plain["result"], Result | None)
        return new

    def state_hash(self) -> str:
        return hashlib.blake2b(self.to_bytes(), digest_size=8).hexdigest()

    # ------------------------------------------------------------------ the verbs

    def write(self, kind: str, seen_by: Sides = None, open_values: Plain = None, **values: Plain) -> None:
        """Enter an event in the journal, with the rules now in force (``Event`` explains who sees it)."""
        if self.journal is not None:
            self.enter(Event(kind, values, path_here(), seen_by, open_values))

    def enter(self, event: Event) -> None:
        """Enter an event in the journal, with the units as they are now; it is always shown with them."""
        if self.journal is not None:
            moved = self.moved() if self.unit_of != self.bought_with else ()
            self.journal.write(msgspec.structs.replace(event, moved=moved) if moved else event)

    def moved(self) -> tuple[tuple[int, int], ...]:
        """The models in a unit other than the one they were bought with, each with that unit, by row."""
        rows = enumerate(zip(self.unit_of, self.bought_with, strict=True))
        return tuple((row, unit) for row, (unit, bought_with) in rows if unit != bought_with)

    def dropped(self, changed: str) -> None:
        """Empty ``cache``, unless nothing in it depends on the change.

        A change is a count or a declaration by its name, or "place", "turn", "unit", "effect", "token", "ground".
        ``layout`` depends only on the places and facings of the models, their units, and the ground: counts and
        declarations do not empty it. The same holds for ``own``, which copies do not share: it may hold handles.
        ``roster`` depends on the rows and their profiles.
        """
        if changed in LAID_OUT:
            self.layout, self.own = {}, {}
        heeds = self.ruleset.heeds
        if heeds is None or changed in heeds:
            self.cache = {}

    def forget(self) -> None:
        """Empty all caches, after columns were changed by hand."""
        self.cache, self.layout, self.own, self.roster, self._handles = {}, {}, {}, {}, []

    def add_unit(self, name: str, side: int) -> Unit:
        self.unit_names, self.unit_side = [*self.unit_names, name], [*self.unit_side, side]
        return Unit(self, self.of_units.add_row())

    def add_model(self, name: str, profile: Any, side: int, unit: Unit, where: int = RESERVE) -> Model:
        """A new row, off the table until it is moved there."""
        for column in ("x", "y", "z", "facing"):
            setattr(self, column, getattr(self, column) + array("d", (0.0,)))
        self.names, self.profiles = [*self.names, name], [*self.profiles, profile]
        self.side_of, self.bought_with = [*self.side_of, side], [*self.bought_with, unit.row]
        self.unit_of.append(unit.row)
        self.dropped("place")
        self.roster = {}
        self.where.append(where)
        self.aboard_of.append(-1)
        return self.model(self.of_models.add_row())

    def move_to(
        self,
        model: Model,
        x: float,
        y: float,
        z: float | None = None,
        facing: float | None = None,
        **how: Plain,
    ) -> None:
        """Put a model on the table at a place; the journal records how it got there."""
        row = model.row
        self.x[row], self.y[row] = rounded(x), rounded(y)
        self.z[row] = rounded(self.ruleset.level(self, x, y) if z is None else z)
        if facing is not None:
            self.facing[row] = rounded(facing % 360.0)
        self.where[row] = TABLE
        self.aboard_of[row] = -1
        self.dropped("place")
        if self.journal is not None:
            self.write("move", model=row, x=self.x[row], y=self.y[row], facing=self.facing[row], **how)

    def turn(self, model: Model, facing: float) -> None:
        self.facing[model.row] = rounded(facing % 360.0)
        self.dropped("turn")
        self.write("turn", model=model.row, facing=self.facing[model.row])

    def mark(self, model: Model, name: str, value: int, quietly: bool = False, **how: Plain) -> None:
        """Set a count of a model. Quietly: bookkeeping that no screen shows and nothing in ``cache`` depends on."""
        before = self.of_models.get(model.row, name)
        if before == value:
            return
        self.of_models.set(model.row, name, value)
        if not quietly:
            self.dropped(name)
            self.write("mark", model=model.row, marker=name, now=value, before=before, **how)

    def mark_unit(self, unit: Unit, name: str, value: int) -> None:
        before = self.of_units.get(unit.row, name)
        if before == value:
            return
        self.of_units.set(unit.row, name, value)
        self.dropped(name)
        self.write("mark-unit", unit=unit.row, marker=name, now=value, before=before)

    def gain(self, side: int, name: str, more: int) -> None:
        """Change a pool of a side."""
        now = self.of_sides.get(side, name) + more
        self.of_sides.set(side, name, now)
        if more:
            self.write("pool", side=side, pool=name, now=now, change=more)

    def hold(self, side: int, name: str, things: Iterable[Plain]) -> None:
        """Set what a side holds under a name. The event of the dealing rule says who may know it."""
        held = tuple(things)
        self.of_sides.set_note(side, name, held or None)

    def harm(self, model: Model, wounds: float, cause: str, by: Iterable[int] = (), is_lost: bool = False) -> None:
        """Record harm to a model, if statistics are kept (``harms`` is a list). Nothing else changes."""
        if self.harms is not None and (wounds or is_lost):
            share = wounds / max(1, self.ruleset.health_of(model)[1])
            through = tuple(row for row in by if row >= 0)
            self.harms.append(Harm(model.row, wounds, share, through, cause, self.ruleset.turn(self), is_lost))

    def remove(
        self, model: Model, cause: str, by: int = -1, fallen: bool = False, through: Iterable[int] | None = None
    ) -> None:
        """Remove a model as a loss; ``fallen`` leaves it standing, dead, until the rules remove it.

        ``through`` are those who share the credit, if there are several (only for ``harms``).
        """
        if self.harms is not None:
            left, _ = self.ruleset.health_of(model)
            self.harm(model, left, cause, (by,) if through is None else through, is_lost=True)
        self.where[model.row] = FALLEN if fallen else GONE
        self.aboard_of[model.row] = -1
        self.losses.append(Loss(model.row, cause, by, self.moment))
        self.dropped("place")
        self.write("remove", model=model.row, cause=cause, by=by)

    def take_off(self, model: Model, where: int = RESERVE, aboard_of: Model | None = None) -> None:
        """Take a model off the table without losing it: into reserve, or aboard another."""
        self.where[model.row] = where if aboard_of is None else ABOARD
        self.aboard_of[model.row] = -1 if aboard_of is None else aboard_of.row
        self.dropped("place")
        self.write("take-off", model=model.row, where=self.where[model.row], aboard_of=self.aboard_of[model.row])

    def join(self, model: Model, unit: Unit) -> None:
        self.unit_of[model.row] = unit.row
        self.dropped("unit")
        self.write("join", model=model.row, unit=unit.row)

    def become(self, model: Model, profile: Any) -> None:
        """Give a model another profile, for example with a new weapon. Earlier handles keep the old one."""
        self.profiles = [*self.profiles[: model.row], profile, *self.profiles[model.row + 1 :]]
        self.roster, self._handles = {}, []
        self.dropped("place")
        self.write("become", model=model.row)

    def begin(self, effect: Effect) -> None:
        self.effects.append(msgspec.structs.replace(effect, value=tupled(effect.value)))
        self.dropped("effect")
        self.write("effect", rule=effect.rule, bearer=effect.bearer, on=effect.on, until=effect.until)

    def end_effects(self, until: str) -> None:
        """End, at a moment, every effect that lasts until then."""
        ending = [effect for effect in self.effects if effect.until == until]
        if not ending:
            return
        self.effects = [effect for effect in self.effects if effect.until != until]
        self.dropped("effect")
        for effect in ending:
            self.write("effect-ends", rule=effect.rule, bearer=effect.bearer, on=effect.on)

    def end_effect(self, effect: Effect) -> None:
        """End one effect before its time; of equal ones, one. Raises ValueError if it is not there."""
        self.effects = [*self.effects]
        self.effects.remove(effect)
        self.dropped("effect")
        self.write("effect-ends", rule=effect.rule, bearer=effect.bearer, on=effect.on)

    def lay(self, token: Token) -> None:
        self.tokens.append(lying(token))
        self.dropped("token")
        number = self.number_of_token(len(self.tokens) - 1)
        self.write("token", token=token.kind, number=number, x=token.x, y=token.y, side=token.side)

    def replace_token(self, index: int, token: Token) -> None:
        self.tokens[index] = lying(token)
        self.dropped("token")
        number = self.number_of_token(index)
        told = {"number": number, "x": token.x, "y": token.y, "side": token.side, "value": token.value}
        self.write("token", token=token.kind, **told)

    def number_of_token(self, index: int) -> int:
        """Return the number by which players tell a marker from others of its kind, from 1 in the order of laying."""
        kind = self.tokens[index].kind
        return sum(one.kind == kind for one in self.tokens[: index + 1])

    def change_ground(self, ground: Ground, **how: Plain) -> None:
        """Terrain is added, replaced, or changes its class."""
        self.ground = ground
        self.dropped("ground")
        self.write("terrain", **how)

    def remember(self, name: str) -> None:
        """Record where every model on the table stands now."""
        self.snapshots[name] = {m.row: (m.x, m.y, m.z, m.facing) for m in self.models if m.is_on_table}

    def reveal(self, kind: str, **values: Plain) -> None:
        """Make something known to all, or to the sides of ``seen_by``; nothing before it can be undone any more."""
        self.revealed += 1
        self.write(kind, **values)

    def declare(self, name: str, value: Plain) -> None:
        """Keep a declaration or an order (None drops it)."""
        if value is None:
            self.declared.pop(name, None)
        else:
            self.declared[name] = tupled(value)
        self.dropped(name)

    def finish(self, result: Result) -> None:
        self.result = result
        self.write("result", winner=result.winner, counts=result.counts)

    @property
    def moment(self) -> tuple[Plain, ...]:
        """The point of the sequence: the values of ``now`` in the order of their names."""
        return tuple(value for _, value in sorted(self.now.items()) if isinstance(value, int | str))

    def pieces_tagged(self, tag: str) -> Iterator[Piece]:
        return (piece for piece in self.ground.pieces if tag in piece.tags)


def lying(token: Token) -> Token:
    """The marker as stored: on the grain of the position, and shared by copies."""
    x, y, z = rounded(token.x), rounded(token.y), rounded(token.z)
    return msgspec.structs.replace(token, x=x, y=y, z=z, value=tupled(token.value))


def check_counts(counters: list[Any]) -> None:
    """Check counts read from bytes before they are used. Raises ValueError."""
    if counters[2][0] != SIDES:
        raise ValueError(f"it is of {counters[2][0]} sides, and a battle has {SIDES}")
    for _, columns, _ in counters:
        for name, column in columns.items():
            if not all(isinstance(count, int) and abs(count) <= MOST_COUNTED for count in column):
                raise ValueError(f"a count of '{name}' is no whole number, or beyond {MOST_COUNTED}")


def ill_formed(position: Position) -> str:
    """What does not fit together in a position read from bytes; empty if everything does."""
    rows, units = len(position.names), len(position.unit_names)
    by_row: tuple[Sized, ...] = (
        position.x,
        position.y,
        position.z,
        position.facing,
        position.profiles,
        position.side_of,
        position.unit_of,
        position.bought_with,
        position.where,
        position.aboard_of,
    )
    if any(len(column) != rows for column in by_row) or len(position.unit_side) != units:
        return "its columns are not of one length"
    of = (position.of_models, rows), (position.of_units, units), (position.of_sides, position.of_sides.rows)
    if not all(counters.fits(length) for counters, length in of):
        return "its counts are not of one length"
    if not all(math.isfinite(n) for column in (position.x, position.y, position.z, position.facing) for n in column):
        return "a coordinate is not a number"
    if not all(0 <= unit < units for unit in (*position.unit_of, *position.bought_with)):
        return "a model is of no unit"
    if not all(TABLE <= where <= GONE for where in position.where):
        return "a model is nowhere"
    return "" if all(-1 <= carrier < rows for carrier in position.aboard_of) else "a model is aboard of nothing"
