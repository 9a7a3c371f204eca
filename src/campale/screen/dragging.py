"""Dragged models: where they are wanted, and the answers that come close."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from campale.referee.asking import are_numbers, unplain
from campale.referee.position import Position
from campale.referee.question import MoveUnit, Question
from campale.referee.records.record import grained
from campale.referee.refusal import Plain
from campale.screen.telling import Vector, end_of

MOST_POINTS = 64
"""The most points in the way of a model."""

Points = list[Vector]


class Wish(NamedTuple):
    """Where a model is wanted: a path of points, and its final facing (None: by the rules)."""

    points: Points
    facing: float | None


def read(question: Question, wish: Sequence[Sequence[Any]]) -> dict[int, Wish]:
    """The wish by row; empty if it cannot be read, or names a model outside the question."""
    rows = rows_of(question)
    wishes: dict[int, Wish] = {}
    if len(wish) > MOST_POINTS * len(rows):
        return {}
    for one in wish:
        if not (isinstance(one, list | tuple) and len(one) == 4 and are_numbers(one[:3]) and one[0] in rows):
            return {}
        if not (one[3] is None or are_numbers([one[3]])) or not all(abs(n or 0.0) < 1e6 for n in one):
            return {}
        before = wishes[int(one[0])].points if int(one[0]) in wishes else []
        facing = None if one[3] is None else float(one[3]) % 360.0
        wishes[int(one[0])] = Wish([*before, (float(one[1]), float(one[2]))], facing)
    return wishes


def rows_of(question: Question) -> list[int]:
    """The models of a move or a place question, in the order of the answer."""
    if question.kind not in ("move", "place"):
        return []
    rows = question.about.get("models")
    return list(rows) if rows is not None else [question.about["model"]]


# ---------------------------------------------------------------- the models


class Drag:
    """Dragged models, and what the others do in the meantime."""

    def __init__(self, question: Question, position: Position, wishes: dict[int, Wish], kept: Plain) -> None:
        self.question, self.wishes = question, wishes
        self.rows = rows_of(question)
        self.models = [position.model(row) for row in self.rows]
        self.is_place = question.kind == "place"
        self.is_lone = not self.is_place and not isinstance(question, MoveUnit)
        given = [kept] if self.is_lone else kept
        fits = kept is not None and unplain(kept) is None and question.misshapen(kept) is None
        self.kept: list[Any] | None = given if fits else None
        self.origin = self.origins()
        self.goes_along = self.kept is None
        self.turns = 1.0
        self.shares: dict[int, float] = {}
        self.asides: dict[int, Vector] = {}

    def origins(self) -> list[list[Any]]:
        """The start of each model: [x, y, facing]; for models being placed, their kept or proposed places."""
        if not self.is_place:
            return [[m.x, m.y, None] for m in self.models]
        proposals = [self.kept] if self.kept is not None else self.question.proposals(1)
        found: list[list[Any]] = [list(one) for one in next(iter(proposals), [])]
        return found or [[*self.wishes.get(m.row, self.first).points[-1], m.facing] for m in self.models]

    @property
    def first(self) -> Wish:
        return next(iter(self.wishes.values()))

    def to(self, share: float = 1.0, shift: Vector = (0.0, 0.0), bend: float = 0.0) -> Plain:
        """The answer for a share of the path, with its end shifted and a bend in the middle."""
        ways = [self.one(place, share, shift, bend) for place in range(len(self.rows))]
        found: Plain = grained(ways[0] if self.is_lone else ways)
        return found

    def one(self, place: int, share: float, shift: Vector, bend: float) -> Plain:
        wish = self.wish_of(place)
        if wish is None:
            return self.kept[place] if self.kept is not None else self.standing(place)
        start = self.start(place)
        points = cut([start, *bent(start, wish.points, bend)], share * self.shares.get(self.rows[place], 1.0))
        aside = self.asides.get(self.rows[place], (0.0, 0.0))
        points[-1] = points[-1][0] + shift[0] + aside[0], points[-1][1] + shift[1] + aside[1]
        facing = self.turned(place, wish)
        if not self.is_place:
            return [[list(point) for point in points[1:]], facing]
        return [*points[-1], self.origin[place][2] if facing is None else facing]

    def turned(self, place: int, wish: Wish) -> float | None:
        """The final facing of a model: as wished, or only a part of that turn (``turns``), or by the rules."""
        if wish.facing is None or self.turns == 1.0:
            return wish.facing
        model = self.models[place]
        return (model.facing + by(model.facing, wish.facing) * self.turns) % 360.0 if self.turns else None

    def start(self, place: int) -> Vector:
        return self.origin[place][0], self.origin[place][1]

    def standing(self, place: int) -> Plain:
        return self.origin[place] if self.is_place else [[], None]

    def wish_of(self, place: int) -> Wish | None:
        """The wanted place of a model; one that goes along moves by the same shift as the first dragged model."""
        own = self.wishes.get(self.rows[place])
        if own is not None or not self.goes_along:
            return own
        lead, (x, y) = self.start(self.rows.index(next(iter(self.wishes)))), self.start(place)
        return Wish([(x + px - lead[0], y + py - lead[1]) for px, py in self.first.points], self.first.facing)

    def wanted(self) -> list[Vector | None]:
        """The wanted place of each model; None for models that are not dragged."""
        wishes = [self.wish_of(place) for place in range(len(self.rows))]
        return [None if wish is None else wish.points[-1] for wish in wishes]

    def left(self, answer: Plain) -> float:
        """The average distance of the dragged models' ends from where they are wanted."""
        ends = self.ends(answer)
        far = [math.dist(end, goal) for end, goal in zip(ends, self.wanted(), strict=True) if goal is not None]
        return sum(far) / len(far)

    def keeps(self, answer: Plain) -> bool:
        """Whether an answer keeps all way-points: corners of the wish, and paths of the other models.

        Without way-points any answer does.
        """
        ways = [answer] if self.is_lone else answer
        kept: list[Any] = self.kept if self.kept is not None else [[[], None]] * len(self.rows)
        has_laid = any(way[0] for way in kept) or any(len(one.points) > 1 for one in self.wishes.values())
        return not has_laid or all(self.has_corners(*one) for one in zip(self.rows, ways, kept, strict=True))

    def has_corners(self, row: int, way: Plain, kept: Plain) -> bool:
        """Whether a model passes its way-points; a model without a wish that does not go along keeps its path."""
        own = self.wishes.get(row)
        if own is None:
            return self.kept is None or bool(way[0] == kept[0])
        laid: list[list[float]] = grained([list(one) for one in own.points[:-1]])
        return bool([list(one) for one in way[0][: len(laid)]] == laid)

    def ends(self, answer: Plain) -> list[Vector]:
        ways = [answer] if self.is_lone else answer
        return [end_of(model, way) for model, way in zip(self.models, ways, strict=True)]

    def covered(self, answer: Plain) -> float:
        """The longest of the ways."""
        ways = [answer] if self.is_lone else answer
        return max(length([model.at, *(p[:2] for p in way[0])]) for model, way in zip(self.models, ways, strict=True))

    def at_start(self) -> float:
        """The average distance of the dragged models from where they are wanted, before moving."""
        pairs = zip(range(len(self.rows)), self.wanted(), strict=True)
        far = [math.dist(self.start(place), goal) for place, goal in pairs if goal is not None]
        return sum(far) / len(far)

    def longest(self) -> float:
        ways = [(self.start(place), self.wish_of(place)) for place in range(len(self.rows))]
        return max(length([start, *wish.points]) for start, wish in ways if wish is not None)


def cut(points: Points, share: float) -> Points:
    """The first part of a way, with its start; all of it if the share is 1."""
    if share >= 1.0:
        return points[:]
    left = length(points) * share
    found = points[:1]
    for a, b in pairwise(points):
        step = math.dist(a, b)
        if step >= left:
            part = left / step if step else 0.0
            return [*found, (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)]
        found.append(b)
        left -= step
    return found


def length(points: Sequence[Vector]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


def bent(start: Vector, points: Points, bend: float) -> Points:
    """A straight way with a corner to its right, half way; a way with corners stays as it is."""
    far = math.dist(start, points[0])
    if not bend or len(points) > 1 or not far:
        return points
    (x, y), (u, v) = start, points[0]
    return [((x + u) / 2 + bend * (v - y) / far, (y + v) / 2 - bend * (u - x) / far), (u, v)]


def by(facing: float, other: float) -> float:
    """The turn from one facing to another, the shorter way: from -180 to 180."""
    return (other - facing + 180.0) % 360.0 - 180.0


def off_the_way(point: Sequence[float], a: Sequence[float], b: Sequence[float]) -> float:
    """How far a point lies from the straight line between two others."""
    ahead, to = (b[0] - a[0], b[1] - a[1]), (point[0] - a[0], point[1] - a[1])
    square = ahead[0] ** 2 + ahead[1] ** 2
    part = min(1.0, max(0.0, (to[0] * ahead[0] + to[1] * ahead[1]) / square)) if square else 0.0
    return math.dist(to, (ahead[0] * part, ahead[1] * part))


def allowance_of(question: Question) -> float:
    """The movement allowance of the models, if the question gives it."""
    allowance = getattr(question, "shown", {}).get("allowance")
    return float(allowance) if isinstance(allowance, int | float) else math.inf
