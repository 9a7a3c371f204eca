"""The position: all that changes while a battle runs, in columns, and the verbs that alone may change it.

``Model`` and ``Unit`` are handles (a position and a row); rows are never reused. A position knows its ruleset, goes to
bytes and back, and copies in microseconds. Coordinates are rounded as they enter.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from campale.referee.journal import Event, Journal
from campale.referee.refusal import Plain
from campale.referee.rule import path_here
from campale.table.shapes import Point, Solid, rounded
from campale.table.terrain import Ground, Piece

if TYPE_CHECKING:
    from campale.referee.ruleset import Ruleset

TABLE, RESERVE, ABOARD, FALLEN, GONE = range(5)
"""Where a model is: on the table, not yet come, aboard of another, dead but still standing, gone."""

Floats = np.ndarray[Any, np.dtype[np.float64]]
Sides = tuple[int, ...] | None


class Effect(msgspec.Struct, frozen=True):
    """Something that holds for a while: which rule, on whom, from whom, until when, and how much."""

    rule: str
    bearer: int
    source: int = -1
    until: str = ""
    value: Plain = None
    on: str = "model"


class Loss(msgspec.Struct, frozen=True):
    """A model lost: how, to whom, when."""

    model: int
    cause: str
    by: int = -1
    moment: tuple[Plain, ...] = ()


class Token(msgspec.Struct, frozen=True):
    """A marker lying on the table."""

    kind: str
    x: float
    y: float
    z: float = 0.0
    side: int = -1
    value: Plain = None


class Result(msgspec.Struct, frozen=True):
    """How the battle ended: the winner (None: a draw), the rule that ended it, and the count behind it."""

    winner: int | None
    rule: str
    counts: dict[str, Plain] = {}


class Counters:
    """Whole numbers and notes kept by row: a column a name. Notes are immutable plain values, and rare."""

    __slots__ = ("columns", "notes", "rows")

    def __init__(self, rows: int = 0) -> None:
        self.rows = rows
        self.columns: dict[str, list[int]] = {}
        self.notes: dict[str, dict[int, Plain]] = {}

    def copy(self) -> Counters:
        copied = Counters.__new__(Counters)
        copied.rows = self.rows
        copied.columns = {name: column[:] for name, column in self.columns.items()}
        copied.notes = {name: dict(notes) for name, notes in self.notes.items() if notes}
        return copied

    def get(self, row: int, name: str) -> int:
        column = self.columns.get(name)
        return column[row] if column is not None else 0

    def set(self, row: int, name: str, value: int) -> None:
        column = self.columns.get(name)
        if column is None:
            if value == 0:
                return
            column = self.columns[name] = [0] * self.rows
        column[row] = value

    def note(self, row: int, name: str, default: Plain = None) -> Plain:
        notes = self.notes.get(name)
        return default if notes is None else notes.get(row, default)

    def set_note(self, row: int, name: str, value: Plain) -> None:
        if value is None:
            self.notes.get(name, {}).pop(row, None)
        else:
            self.notes.setdefault(name, {})[row] = value

    def add_row(self) -> int:
        for column in self.columns.values():
            column.append(0)
        self.rows += 1
        return self.rows - 1

    def plain(self) -> list[Plain]:
        columns = {name: column for name, column in sorted(self.columns.items()) if any(column)}
        notes = {name: sorted(found.items()) for name, found in sorted(self.notes.items()) if found}
        return [self.rows, columns, notes]

    @classmethod
    def from_plain(cls, plain: list[Any]) -> Counters:
        counters = cls(plain[0])
        counters.columns = {name: list(column) for name, column in plain[1].items()}
        counters.notes = {name: {row: tupled(v) for row, v in notes} for name, notes in plain[2].items()}
        return counters


def tupled(value: Plain) -> Plain:
    return tuple(tupled(one) for one in value) if isinstance(value, list) else value


class Model:
    """A handle on one model of one position."""

    __slots__ = ("position", "row")

    def __init__(self, position: Position, row: int) -> None:
        self.position = position
        self.row = row

    def __repr__(self) -> str:
        return f"<{self.name} ({self.row})>"

    @property
    def name(self) -> str:
        return self.position.names[self.row]

    @property
    def profile(self) -> Any:
        return self.position.profiles[self.row]

    @property
    def side(self) -> int:
        return self.position.side_of[self.row]

    @property
    def unit(self) -> Unit:
        return Unit(self.position, self.position.unit_of[self.row])

    @property
    def bought_with(self) -> Unit:
        return Unit(self.position, self.position.bought_with[self.row])

    @property
    def x(self) -> float:
        return self.position.x[self.row]

    @property
    def y(self) -> float:
        return self.position.y[self.row]

    @property
    def z(self) -> float:
        return self.position.z[self.row]

    @property
    def facing(self) -> float:
        return self.position.facing[self.row]

    @property
    def at(self) -> Point:
        return self.position.x[self.row], self.position.y[self.row]

    @property
    def where(self) -> int:
        return self.position.where[self.row]

    @property
    def is_on_table(self) -> bool:
        return self.position.where[self.row] == TABLE

    @property
    def aboard_of(self) -> Model | None:
        carrier = self.position.aboard_of[self.row]
        return None if carrier < 0 else self.position.model(carrier)

    @property
    def solid(self) -> Solid:
        """The upright solid over its base, as its ruleset makes it of the profile and state."""
        return self.position.ruleset.solid(self)

    def marks(self, name: str) -> int:
        """How many markers of a kind, or points of a pool, the model has."""
        return self.position.of_models.get(self.row, name)

    def note(self, name: str, default: Plain = None) -> Plain:
        return self.position.of_models.note(self.row, name, default)

    def mark(self, name: str, value: int, quietly: bool = False) -> None:
        """Set a count of the model."""
        self.position.mark(self, name, value, quietly)

    def add(self, name: str, more: int, quietly: bool = False) -> None:
        self.position.mark(self, name, self.marks(name) + more, quietly)

    def jot(self, name: str, value: Plain) -> None:
        """Set a note of the model; None takes it away."""
        self.position.of_models.set_note(self.row, name, value)

    def move_to(self, x: float, y: float, z: float | None = None, facing: float | None = None, **how: Plain) -> None:
        self.position.move_to(self, x, y, z, facing, **how)


class Unit:
    """A handle on one unit of one position."""

    __slots__ = ("position", "row")

    def __init__(self, position: Position, row: int) -> None:
        self.position = position
        self.row = row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and other.row == self.row and other.position is self.position

    def __hash__(self) -> int:
        return self.row

    @property
    def name(self) -> str:
        return self.position.unit_names[self.row]

    @property
    def side(self) -> int:
        return self.position.unit_side[self.row]

    @property
    def models(self) -> list[Model]:
        """Its models that are on the table."""
        return [m for m in self.position.models if m.is_on_table and self.position.unit_of[m.row] == self.row]

    def marks(self, name: str) -> int:
        return self.position.of_units.get(self.row, name)

    def note(self, name: str, default: Plain = None) -> Plain:
        return self.position.of_units.note(self.row, name, default)

    def mark(self, name: str, value: int) -> None:
        self.position.mark_unit(self, name, value)

    def jot(self, name: str, value: Plain) -> None:
        self.position.of_units.set_note(self.row, name, value)


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
        "journal",
        "losses",
        "names",
        "now",
        "of_models",
        "of_sides",
        "of_units",
        "profiles",
        "result",
        "revealed",
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

    def __init__(self, ruleset: Ruleset, ground: Ground, sides: int = 2) -> None:
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
        self.of_models, self.of_units, self.of_sides = Counters(), Counters(), Counters(sides)
        self.effects: list[Effect] = []
        self.losses: list[Loss] = []
        self.tokens: list[Token] = []
        self.snapshots: dict[str, dict[int, tuple[float, float, float, float]]] = {}
        self.declared: dict[str, Plain] = {}
        self.now: dict[str, Plain] = {}
        self.result: Result | None = None
        self.revealed = 0
        self.journal: Journal | None = None
        self.cache: dict[Any, Any] = {}
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
        return [m for m in self.models if m.is_on_table and (side is None or m.side == side)]

    def holds(self, side: int, name: str) -> int:
        """How many points of a pool a side holds."""
        return self.of_sides.get(side, name)

    def hand(self, side: int, name: str) -> tuple[Plain, ...]:
        """The things that a side holds under a name: a hand, a deck, a discard pile."""
        return tuple(self.of_sides.note(side, name, ()))

    def effects_on(self, model: Model, rule: str) -> list[Effect]:
        return [e for e in self.effects if e.bearer == model.row and e.rule == rule and e.on == "model"]

    def column(self, name: str) -> Floats:
        """x, y, z or facing of every row as a numpy view; it must not be kept across a verb."""
        values: array[float] = getattr(self, name)
        return np.frombuffer(values) if values else np.empty(0)

    # ------------------------------------------------------------------ copying

    def copy(self) -> Position:
        """An equal position that shares nothing that changes. It keeps no journal."""
        new = Position.__new__(Position)
        new.ruleset, new.ground = self.ruleset, self.ground
        new.x, new.y, new.z, new.facing = self.x[:], self.y[:], self.z[:], self.facing[:]
        new.names, new.profiles, new.side_of = self.names[:], self.profiles[:], self.side_of[:]
        new.unit_of, new.bought_with = self.unit_of[:], self.bought_with[:]
        new.where, new.aboard_of = self.where[:], self.aboard_of[:]
        new.unit_names, new.unit_side = self.unit_names[:], self.unit_side[:]
        new.of_models, new.of_units, new.of_sides = (
            self.of_models.copy(),
            self.of_units.copy(),
            self.of_sides.copy(),
        )
        new.effects, new.losses, new.tokens = self.effects[:], self.losses[:], self.tokens[:]
        new.snapshots, new.declared, new.now = dict(self.snapshots), dict(self.declared), dict(self.now)
        new.result, new.revealed, new.journal = self.result, self.revealed, None
        new.cache, new._handles = {}, []
        return new

    def supposing(self, placements: dict[int, tuple[float, ...]]) -> Position:
        """A copy in which some models (by row) stand elsewhere: (x, y), with z and facing if given."""
        imagined = self.copy()
        for row, place in placements.items():
            for column, value in zip((imagined.x, imagined.y, imagined.z, imagined.facing), place, strict=False):
                column[row] = rounded(value)
        return imagined

    # ------------------------------------------------------------------ bytes

    def to_bytes(self) -> bytes:
        return msgspec.msgpack.encode(self.plain())

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
        """Raises msgspec.DecodeError, KeyError, TypeError or ValueError when the bytes are not a position's."""
        plain = msgspec.msgpack.decode(data)
        new = cls(ruleset, msgspec.convert(plain["ground"], Ground), plain["counters"][2][0])
        new.x, new.y, new.z, new.facing = (array("d", column) for column in plain["places"])
        new.names = plain["names"]
        new.profiles = [ruleset.profile_from(key) for key in plain["profiles"]]
        new.side_of, new.unit_of, new.bought_with, new.where, new.aboard_of = plain["rows"]
        new.unit_names, new.unit_side = plain["units"]
        new.of_models, new.of_units, new.of_sides = (Counters.from_plain(c) for c in plain["counters"])
        new.effects = msgspec.convert(plain["effects"], list[Effect])
        new.losses = msgspec.convert(plain["losses"], list[Loss])
        new.tokens = msgspec.convert(plain["tokens"], list[Token])
        new.snapshots = {name: {r: tuple(p) for r, p in taken} for name, taken in plain["snapshots"].items()}
        new.declared = {name: tupled(value) for name, value in plain["declared"]}
        new.now = {name: tupled(value) for name, value in plain["now"]}
        new.result = msgspec.convert(plain["result"], Result | None)
        return new

    def state_hash(self) -> str:
        return hashlib.blake2b(self.to_bytes(), digest_size=8).hexdigest()

    # ------------------------------------------------------------------ the verbs

    def write(self, kind: str, seen_by: Sides = None, open_values: Plain = None, **values: Plain) -> None:
        """Enter an event in the journal, with the rules now in force (see ``Event`` for who sees what of it)."""
        if self.journal is not None:
            self.journal.write(Event(kind, values, path_here(), seen_by, open_values))

    def add_unit(self, name: str, side: int) -> Unit:
        self.unit_names.append(name)
        self.unit_side.append(side)
        return Unit(self, self.of_units.add_row())

    def add_model(self, name: str, profile: Any, side: int, unit: Unit, where: int = RESERVE) -> Model:
        """A new row, nowhere on the table until it is moved there."""
        for column in ("x", "y", "z", "facing"):
            setattr(self, column, getattr(self, column) + array("d", (0.0,)))
        self.names.append(name)
        self.profiles.append(profile)
        self.side_of.append(side)
        self.unit_of.append(unit.row)
        self.bought_with.append(unit.row)
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
        """Put a model on the table at a place; how it got there goes into the journal."""
        row = model.row
        self.x[row], self.y[row] = rounded(x), rounded(y)
        self.z[row] = rounded(self.ruleset.level(self, x, y) if z is None else z)
        if facing is not None:
            self.facing[row] = rounded(facing % 360.0)
        self.where[row] = TABLE
        self.aboard_of[row] = -1
        self.cache.clear()
        if self.journal is not None:
            self.write("move", model=row, x=self.x[row], y=self.y[row], facing=self.facing[row], **how)

    def turn(self, model: Model, facing: float) -> None:
        self.facing[model.row] = rounded(facing % 360.0)
        self.cache.clear()
        self.write("turn", model=model.row, facing=self.facing[model.row])

    def mark(self, model: Model, name: str, value: int, quietly: bool = False) -> None:
        """Set a count of a model. Quietly: bookkeeping that no screen shows and nothing kept in ``cache`` hangs on."""
        before = self.of_models.get(model.row, name)
        if before == value:
            return
        self.of_models.set(model.row, name, value)
        if not quietly:
            self.cache.clear()
            self.write("mark", model=model.row, marker=name, now=value, before=before)

    def mark_unit(self, unit: Unit, name: str, value: int) -> None:
        before = self.of_units.get(unit.row, name)
        self.of_units.set(unit.row, name, value)
        self.cache.clear()
        if before != value:
            self.write("mark-unit", unit=unit.row, marker=name, now=value, before=before)

    def gain(self, side: int, name: str, more: int) -> None:
        """Change a pool of a side."""
        now = self.of_sides.get(side, name) + more
        self.of_sides.set(side, name, now)
        if more:
            self.write("pool", side=side, pool=name, now=now, change=more)

    def hold(self, side: int, name: str, things: Iterable[Plain]) -> None:
        """Set what a side holds under a name. Who may know of it is told by the event of the rule that deals it."""
        held = tuple(things)
        self.of_sides.set_note(side, name, held or None)

    def remove(self, model: Model, cause: str, by: int = -1, fallen: bool = False) -> None:
        """Take a model away as a loss; ``fallen`` leaves it standing, dead, until the rules take it away."""
        self.where[model.row] = FALLEN if fallen else GONE
        self.aboard_of[model.row] = -1
        self.losses.append(Loss(model.row, cause, by, self.moment))
        self.cache.clear()
        self.write("remove", model=model.row, cause=cause, by=by)

    def take_off(self, model: Model, where: int = RESERVE, aboard_of: Model | None = None) -> None:
        """Take a model off the table without its being lost: into reserve, or aboard of another."""
        self.where[model.row] = where if aboard_of is None else ABOARD
        self.aboard_of[model.row] = -1 if aboard_of is None else aboard_of.row
        self.cache.clear()
        self.write("take-off", model=model.row, where=self.where[model.row], aboard_of=self.aboard_of[model.row])

    def join(self, model: Model, unit: Unit) -> None:
        self.unit_of[model.row] = unit.row
        self.write("join", model=model.row, unit=unit.row)

    def begin(self, effect: Effect) -> None:
        self.effects.append(effect)
        self.cache.clear()
        self.write("effect", rule=effect.rule, bearer=effect.bearer, on=effect.on, until=effect.until)

    def end_effects(self, until: str) -> None:
        """End, at a moment, every effect that lasts until then."""
        ending = [effect for effect in self.effects if effect.until == until]
        if not ending:
            return
        self.effects = [effect for effect in self.effects if effect.until != until]
        self.cache.clear()
        for effect in ending:
            self.write("effect-ends", rule=effect.rule, bearer=effect.bearer, on=effect.on)

    def lay(self, token: Token) -> None:
        self.tokens.append(token)
        self.write("token", token=token.kind, x=token.x, y=token.y, side=token.side)

    def replace_token(self, index: int, token: Token) -> None:
        self.tokens[index] = token
        self.write("token", token=token.kind, x=token.x, y=token.y, side=token.side, value=token.value)

    def change_ground(self, ground: Ground, **how: Plain) -> None:
        """Terrain is added, replaced, or changes its class."""
        self.ground = ground
        self.cache.clear()
        self.write("terrain", **how)

    def remember(self, name: str) -> None:
        """Record where every model on the table stands now."""
        self.snapshots[name] = {m.row: (m.x, m.y, m.z, m.facing) for m in self.models if m.is_on_table}

    def reveal(self, kind: str, **values: Plain) -> None:
        """Make something known to all, or to those of ``seen_by``; what came before it can no longer be undone."""
        self.revealed += 1
        self.write(kind, **values)

    def declare(self, name: str, value: Plain) -> None:
        """Keep a declaration or an order (None drops it)."""
        if value is None:
            self.declared.pop(name, None)
        else:
            self.declared[name] = value

    def finish(self, result: Result) -> None:
        self.result = result
        self.write("result", winner=result.winner, counts=result.counts)

    @property
    def moment(self) -> tuple[Plain, ...]:
        """Where in the sequence the battle stands: its values in the order of their names."""
        return tuple(value for _, value in sorted(self.now.items()) if isinstance(value, int | str))

    def pieces_tagged(self, tag: str) -> Iterator[Piece]:
        return (piece for piece in self.ground.pieces if tag in piece.tags)
