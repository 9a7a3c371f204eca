"""An agent's observation, as numbers between -1 and 1, made only from its side's view.

The vector has these parts, in this order (``layout()`` tells where each begins and how it is shaped):

- ``battle``: the turn / 10; the share of its points that the own side has on the table, and the other side;
- ``kind``: which kind of question is open (one of ``KINDS``), all 0 where none is;
- ``prompt``: which prompt, in one of ``PROMPTS`` drawers by the CRC-32 of its name;
- ``own`` and ``other``: units in the order of the roster, ``PER_UNIT`` numbers each: the share of its models on the
  table, its share of the side's points, the middle of it (x and y as shares of the table), its health, whether
  effects lie on it, whether it is not on the table yet, whether the question is about it;
- ``tokens``: markers on the table: there is one, x, y, whose it is (1 own, -1 the other's, 0 nobody's);
- ``actions``: for each action ``PER_ACTION`` numbers: there is one; one over its place among the actions (1 for the
  first); a drawer of its word (``WORDS``); whose model or unit it names (1 own, -1 the other's), that one's health, and
  how far it is from the nearest foe and from the nearest marker; and of a place or a move how much nearer it brings to
  the nearest foe and to the nearest marker, and how far it goes. Distances are shares of the table's diagonal.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from campale.learn.actions import MOST_ACTIONS, Asked
from campale.referee.columns import RESERVE, TABLE, Effect, Token
from campale.referee.position import Position
from campale.referee.refusal import Plain

Vector = np.ndarray[Any, np.dtype[np.float32]]
Point = tuple[float, float]

KINDS = ("choose", "order", "number", "form", "place", "move", "along", "aim", "allot")
PROMPTS, WORDS = 32, 8
UNITS, PER_UNIT = 24, 8
TOKENS, PER_TOKEN = 8, 4
PER_ACTION = 2 + WORDS + 4 + 3

PARTS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("battle", (3,)),
    ("kind", (len(KINDS),)),
    ("prompt", (PROMPTS,)),
    ("own", (UNITS, PER_UNIT)),
    ("other", (UNITS, PER_UNIT)),
    ("tokens", (TOKENS, PER_TOKEN)),
    ("actions", (MOST_ACTIONS, PER_ACTION)),
)
LENGTH = sum(math.prod(shape) for _, shape in PARTS)
MODELS, UNITS_NAMED = ("model",), ("unit", "target")
"""The names of parts of an option that are rows of models, and of units."""


def layout() -> dict[str, tuple[int, tuple[int, ...]]]:
    """Where each part of the vector begins, and its shape."""
    found, start = {}, 0
    for name, shape in PARTS:
        found[name] = start, shape
        start += math.prod(shape)
    return found


def drawer(word: str, of: int) -> int:
    """The hash bucket of a word: the same on every machine."""
    return zlib.crc32(word.encode()) % of


class Observer:
    """One side's view of one position, which must contain only what the side may see."""

    def __init__(self, position: Position, side: int) -> None:
        self.position, self.side = position, side
        self.diagonal = math.hypot(position.ground.width, position.ground.depth)
        self.foes = [(model.x, model.y) for model in position.on_table() if model.side != side]
        self.marks = [(token.x, token.y) for token in position.tokens]

    def vector(self, asked: Asked | None) -> Vector:
        """All parts one after another: ``LENGTH`` numbers of 32 bits."""
        about = rows_asked_about(self.position, asked)
        parts = [self.battle(), *of_question(asked)]
        parts += [self.units(is_own, about) for is_own in (True, False)]
        parts += [self.tokens(), self.actions(asked)]
        whole = np.concatenate([part.ravel() for part in parts]).astype(np.float32)
        return np.clip(np.nan_to_num(whole), -1.0, 1.0)

    # ------------------------------------------------------------------ the battle

    def battle(self) -> Vector:
        turn = self.position.ruleset.turn(self.position)
        shares = [self.share_left(is_own) for is_own in (True, False)]
        return np.array([number_in(turn) / 10.0, *shares], np.float32)

    def share_left(self, is_own: bool) -> float:
        rows = [row for row, side in enumerate(self.position.side_of) if (side == self.side) is is_own]
        whole = sum(points(self.position, row) for row in rows)
        left = sum(points(self.position, row) for row in rows if self.position.where[row] == TABLE)
        return left / whole if whole else 0.0

    def units(self, is_own: bool, about: set[int]) -> Vector:
        found = np.zeros((UNITS, PER_UNIT), np.float32)
        position = self.position
        units = [row for row, side in enumerate(position.unit_side) if (side == self.side) is is_own][:UNITS]
        members: dict[int, list[int]] = {unit: [] for unit in units}
        for row, unit in enumerate(position.unit_of):
            if unit in members:
                members[unit].append(row)
        whole = sum(points(position, row) for rows in members.values() for row in rows) or 1.0
        for place, unit in enumerate(units):
            found[place] = self.unit(unit, members[unit], whole, unit in about)
        return found

    def unit(self, unit: int, rows: Sequence[int], whole: float, is_asked: bool) -> list[float]:
        position = self.position
        there = [row for row in rows if position.where[row] == TABLE]
        x, y = middle([(position.x[row], position.y[row]) for row in there])
        held = any(is_on(effect, unit, rows) for effect in position.effects)
        return [
            len(there) / max(1, len(rows)),
            sum(points(position, row) for row in rows) / whole,
            x / position.ground.width,
            y / position.ground.depth,
            sum(self.health(row) for row in there) / max(1, len(rows)),
            float(held),
            float(any(position.where[row] == RESERVE for row in rows)),
            float(is_asked),
        ]

    def health(self, row: int) -> float:
        tells = self.position.ruleset.health
        left = tells(self.position.model(row)) if tells is not None else None
        return 1.0 if left is None else left[0] / max(1, left[1])

    def tokens(self) -> Vector:
        found = np.zeros((TOKENS, PER_TOKEN), np.float32)
        ground = self.position.ground
        for place, token in enumerate(self.position.tokens[:TOKENS]):
            found[place] = 1.0, token.x / ground.width, token.y / ground.depth, self.owner(token)
        return found

    def owner(self, token: Token) -> float:
        return 0.0 if token.side < 0 else (1.0 if token.side == self.side else -1.0)

    # ------------------------------------------------------------------ the actions

    def actions(self, asked: Asked | None) -> Vector:
        found = np.zeros((MOST_ACTIONS, PER_ACTION), np.float32)
        if asked is None or asked.is_complete:
            return found
        start = self.start_of(asked)
        for place, action in enumerate(asked.actions):
            found[place, 0], found[place, 1] = 1.0, 1.0 / (1 + place)
            word = first_word(action)
            if word:
                found[place, 2 + drawer(word, WORDS)] = 1.0
            found[place, 2 + WORDS : 6 + WORDS] = self.of_named(self.named(asked, action))
            found[place, 6 + WORDS :] = self.of_way(start, end_of(asked.question.kind, action))
        return found

    def named(self, asked: Asked, action: Plain) -> int | None:
        """The model that an action names, or the first of the unit that it names; of an order, by what comes first."""
        question = asked.question
        of = getattr(question, "of", "")
        if question.kind == "order":
            if not action:
                return None
            action = action[0]
        if isinstance(action, int) and not isinstance(action, bool):
            return self.row_of(of, action)
        parts = self.position.ruleset.parts
        told = parts(self.position.profiles, question, action) if parts is not None and of else None
        for name in (*reversed(UNITS_NAMED), *MODELS):
            if told is not None and isinstance(told.get(name), int):
                return self.row_of(name, int(told[name]))
        return None

    def row_of(self, of: str, number: int) -> int | None:
        if of in MODELS:
            return number if 0 <= number < len(self.position.names) else None
        if of in UNITS_NAMED:
            return next((row for row, unit in enumerate(self.position.unit_of) if unit == number), None)
        return None

    def of_named(self, row: int | None) -> list[float]:
        if row is None:
            return [0.0] * 4
        is_own = self.position.side_of[row] == self.side
        at = self.position.x[row], self.position.y[row]
        far = [self.nearest(at, self.foes), self.nearest(at, self.marks)]
        return [1.0 if is_own else -1.0, self.health(row), *far]

    def start_of(self, asked: Asked) -> Point | None:
        """Where the models that the question is about stand now."""
        about = rows_of_models(asked)
        row = next((one for one in about if one < len(self.position.names)), None)
        if row is None or self.position.where[row] != TABLE:
            return None
        return self.position.x[row], self.position.y[row]

    def of_way(self, start: Point | None, end: Point | None) -> list[float]:
        if end is None:
            return [0.0] * 3
        before = start if start is not None else end
        nearer = [self.nearest(before, some) - self.nearest(end, some) for some in (self.foes, self.marks)]
        if start is None:
            nearer = [-self.nearest(end, some) for some in (self.foes, self.marks)]
        return [*nearer, math.dist(before, end) / self.diagonal]

    def nearest(self, at: Point, some: Sequence[Point]) -> float:
        return min((math.dist(at, one) for one in some), default=0.0) / self.diagonal


def of_question(asked: Asked | None) -> list[Vector]:
    kind, prompt = np.zeros(len(KINDS), np.float32), np.zeros(PROMPTS, np.float32)
    if asked is not None and not asked.is_complete:
        if asked.question.kind in KINDS:
            kind[KINDS.index(asked.question.kind)] = 1.0
        prompt[drawer(asked.question.prompt, PROMPTS)] = 1.0
    return [kind, prompt]


def rows_asked_about(position: Position, asked: Asked | None) -> set[int]:
    """The units that the question is about."""
    if asked is None:
        return set()
    about = asked.question.about
    units = {row for row in [about.get("unit"), *several(about.get("units"))] if isinstance(row, int)}
    return units | {position.unit_of[row] for row in rows_of_models(asked) if row < len(position.unit_of)}


def rows_of_models(asked: Asked) -> list[int]:
    """The models that the question is about, or that the form was filled in with before."""
    about = {**asked.whole.about, **asked.question.about}
    rows = [about.get("model"), *several(about.get("models"))]
    before = zip(asked.fields, asked.answers, strict=True)
    rows += [answer for field, answer in before if getattr(field, "of", "") in MODELS]
    return [row for row in rows if isinstance(row, int) and row >= 0]


def is_on(effect: Effect, unit: int, rows: Sequence[int]) -> bool:
    """Whether an effect lies on a unit, or on one of its models."""
    return effect.bearer == unit if effect.on == "unit" else effect.bearer in rows


def several(rows: Plain) -> Iterable[Plain]:
    return rows if isinstance(rows, list | tuple) else ()


def points(position: Position, row: int) -> float:
    return float(getattr(position.profiles[row], "points", 0.0) or 0.0)


def middle(places: Sequence[Point]) -> Point:
    if not places:
        return 0.0, 0.0
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def number_in(value: Plain) -> float:
    """The first number in what a book calls its turn."""
    if isinstance(value, int | float):
        return float(value)
    return next((number_in(one) for one in several(value) if isinstance(one, int | float)), 0.0)


def first_word(action: Plain) -> str:
    if isinstance(action, str):
        return action
    return next((one for one in several(action) if isinstance(one, str)), "")


def of_place(action: Any) -> Point | None:
    return point_of(action[0]) if action else None


def of_move(action: Any) -> Point | None:
    """The end of the first model moved, for a whole unit or one model."""
    way = action[0] if action and isinstance(action[0], list | tuple) and is_way(action[0]) else action
    return point_of(way[0][-1]) if way and way[0] else None


def is_way(one: Any) -> bool:
    return len(one) == 2 and isinstance(one[0], list | tuple) and not isinstance(one[1], list | tuple)


def point_of(one: Any) -> Point | None:
    return float(one[0]), float(one[1])


ENDS: dict[str, Callable[[Any], Point | None]] = {"place": of_place, "move": of_move, "aim": point_of}


def end_of(kind: str, action: Plain) -> Point | None:
    """The point to which an action brings its first model or its marker; None if there is none."""
    return ENDS[kind](action) if kind in ENDS else None
