"""The planner for dragged models: it brings them to where they are wanted, or as near as the question allows.

It tries the wish itself, shorter paths in the same direction, places nearby, paths with a bend, and the proposals of
the rules; the question judges each. The cost is counted in tries, so a question gets the same answer on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

import msgspec

from campale.referee.asking import WRONG_SHAPE
from campale.referee.handles import Model
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.records.record import grained
from campale.referee.refusal import Plain, Refusal
from campale.screen.dragging import Drag, Wish, allowance_of, by, off_the_way, read
from campale.screen.forming import Formation, formed
from campale.screen.telling import Vector
from campale.table.shapes import facing_towards, heading

MOST_TRIES = 90
STEPS = 12
"""The number of parts of a path when searching for the longest legal part."""
FINER = 4
"""How often the last part is then halved."""
ON_THE_WAY = 0.05
HELD_BACK, BEHIND = 30, 0.25
"""How often one of several models falls behind, and by which part of its way."""
RINGS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)
TURNS = tuple((math.sin(turn * math.pi / 4), math.cos(turn * math.pi / 4)) for turn in range(8))
BENDS = (1.0, -1.0, 2.0, -2.0, 3.5, -3.5)
"""How far a way is bent to the right or left."""
ASIDE = (0.0, 40.0, -40.0)
"""How far aside the rules' own plan may lead if there is no straight way."""
PROPOSED = 3
LITTLE, EACH_ASIDE = 2, 36
"""By how many of the rings all models are shifted before single ones are, and how often those are."""
NEAR_ENOUGH = 0.3
PROGRESS = 0.02


class Planned(NamedTuple):
    """A legal answer, or the refusal of the original wish if none was found."""

    answer: Plain
    refusal: Refusal | None = None


def planned(
    question: Question,
    position: Position,
    wish: Sequence[Sequence[Any]],
    kept: Plain = None,
    formation: Formation | None = None,
) -> Planned:
    """An answer to a move or a place that brings models as near as possible to their wanted places.

    ``wish`` is [row, x, y, facing or null]; several of one row are the points of its way. Models that it does not name
    keep ``kept``, which has the shape of an answer, or go along by the same shift. With a ``formation`` all the models
    being set down stand in it about the first point of the wish, with its facing.
    """
    wishes = read(question, wish)
    if not wishes or (formation is not None and question.kind != "place"):
        return Planned(None, question.citing(WRONG_SHAPE))
    if formation is not None:
        wishes = formed(question, position, next(iter(wishes.values())), formation)
    drag = Drag(question, position, wishes, kept)
    tries = Tries(question)
    exact = drag.to()
    refusal = tries.refusal(exact)
    if refusal is None:
        return Planned(exact)
    search = nearest_place if drag.is_place else nearest_turn if allowance_of(question) == 0.0 else nearest_way
    found = search(drag, tries)
    return Planned(exact, named(drag, exact, refusal)) if found is None else Planned(found)


def named(drag: Drag, answer: Plain, refusal: Refusal) -> Refusal:
    """The refusal of a move, naming the model that cannot go that far."""
    row = in_trouble(drag, answer, refusal) if refusal.model is None and not drag.is_place else None
    return refusal if row is None else msgspec.structs.replace(refusal, model=row)


# ---------------------------------------------------------------- tries


class Tries:
    """Tries answers on the question, and counts the tries."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.left = MOST_TRIES

    def refusal(self, answer: Plain) -> Refusal | None:
        self.left -= 1
        return self.question.refusal(answer)

    def is_legal(self, answer: Plain) -> bool:
        return self.left > 0 and self.refusal(answer) is None


# ---------------------------------------------------------------- ways


def nearest_way(drag: Drag, tries: Tries) -> Plain | None:
    """The legal move that ends nearest to the wish, if it is nearer than staying put."""
    found: list[Plain] = []
    go_along = drag.goes_along
    for _ in manners(drag):
        far = [one for one in as_far_as_allowed(drag, tries) if drag.keeps(one)]
        found += far
        if far and drag.left(far[0]) < NEAR_ENOUGH:
            return far[0]
        if far:
            break
    if not found:
        drag.goes_along, drag.turns = go_along, 1.0
    found += sought(drag, tries) or each_by_itself(drag, tries)
    so_far = min((drag.left(one) for one in found), default=drag.at_start())
    found += islice(others(drag, tries, so_far), 1)
    found += [one for one in drag.question.proposals(PROPOSED) if tries.is_legal(one)]
    nearer = [one for one in found if drag.left(one) < drag.at_start() - PROGRESS and drag.keeps(one)]
    return min(nearer, key=drag.left, default=None)


def manners(drag: Drag) -> Iterator[None]:
    """First as wished; then turning less, or not at all; then with the others staying put."""
    yield
    for turns in fewer_turns(drag):
        drag.turns = turns
        yield
    if drag.goes_along and len(drag.rows) > len(drag.wishes):
        drag.goes_along, drag.turns = False, 1.0
        yield


def fewer_turns(drag: Drag) -> list[float]:
    """The part of the wished turn that is allowed, and no turn; empty if no turn is wished."""
    wished = [
        abs(by(m.facing, w.facing)) for m in drag.models if (w := drag.wishes.get(m.row)) and w.facing is not None
    ]
    most = getattr(drag.question, "shown", {}).get("turn")
    is_limited = isinstance(most, int | float) and max(wished, default=0.0) > most > 0.0
    less = [float(most or 0.0) / max(wished)] if is_limited else []
    return [*less, *([0.0] if wished else [])]


def as_far_as_allowed(drag: Drag, tries: Tries) -> list[Plain]:
    """The longest part of the way that is legal, if any."""
    most = longest_share(drag)
    share = next((s for s in parts(most) if tries.is_legal(drag.to(s))), 0.0)
    if not share:
        return []
    too_far = min(most, share + most / STEPS)
    for _ in range(FINER if share < most else 0):
        middle = (share + too_far) / 2
        share, too_far = (middle, too_far) if tries.is_legal(drag.to(middle)) else (share, middle)
    return [drag.to(share)]


def sought(drag: Drag, tries: Tries) -> list[Plain]:
    """The rules' own plan for all of the models together, if there is one."""
    seeks = getattr(drag.question, "seeks", None)
    goals = [goal for goal in drag.wanted() if goal is not None]
    if seeks is None or len(goals) < len(drag.rows):
        return []
    end, start = middle_of(goals), middle_of([model.at for model in drag.models])
    for turn in ASIDE:
        aim = start[0] + rotated(end, start, turn)[0], start[1] + rotated(end, start, turn)[1]
        plans = [one for one in map(grained, islice(seeks(aim), PROPOSED)) if tries.is_legal(one)]
        found = [one for one in plans if drag.left(one) < drag.at_start() - PROGRESS]
        if found:
            return found
    return []


def middle_of(points: Sequence[Vector]) -> Vector:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def rotated(end: Vector, start: Vector, turn: float) -> Vector:
    """The way from one point to another, turned clockwise by some degrees."""
    ahead, (x, y) = heading(turn), (end[0] - start[0], end[1] - start[1])
    return x * ahead[1] + y * ahead[0], y * ahead[1] - x * ahead[0]


def each_by_itself(drag: Drag, tries: Tries) -> list[Plain]:
    """The move in which a model in trouble falls behind the others, if that makes it legal."""
    share = longest_share(drag)
    found: list[Plain] = []
    for _ in range(HELD_BACK if len(drag.rows) > 1 else 0):
        answer = drag.to(share)
        if tries.left <= 0:
            break
        refusal = tries.refusal(answer)
        row = None if refusal is None else in_trouble(drag, answer, refusal)
        found += [answer] if refusal is None else []
        if row is None or drag.shares.get(row) == 0.0:
            break
        drag.shares[row] = max(0.0, drag.shares.get(row, 1.0) - BEHIND)
    drag.shares = {}
    return found


def in_trouble(drag: Drag, answer: Plain, refusal: Refusal) -> int | None:
    """The refused model: the one on whose way it happens, or else the one that the refusal names."""
    where = refusal.where
    if where is not None:
        ways = [[model.at, *(p[:2] for p in way[0])] for model, way in zip(drag.models, answer, strict=True)]
        off = [min(off_the_way(where, a, b) for a, b in pairwise(way)) if len(way) > 1 else math.inf for way in ways]
        if min(off) < ON_THE_WAY:
            return drag.rows[off.index(min(off))]
    return refusal.model if refusal.model in drag.rows else None


def longest_share(drag: Drag) -> float:
    """The part of the way for which the allowance lasts."""
    far = drag.longest()
    return min(1.0, allowance_of(drag.question) / far) if far > 0.0 else 1.0


def parts(most: float) -> Iterator[float]:
    return (most * part / STEPS for part in range(STEPS, 0, -1))


def others(drag: Drag, tries: Tries, so_far: float) -> Iterator[Plain]:
    """Legal moves that end nearer than the best so far: with a bend, or slightly beside the wish."""
    share = longest_share(drag)
    candidates = [drag.to(1.0, bend=bend) for bend in BENDS] + [drag.to(share, shift) for shift in round_about()]
    most = allowance_of(drag.question)
    reached = [one for one in candidates if drag.covered(one) <= most + PROGRESS]
    nearer = [one for one in reached if drag.left(one) < so_far - PROGRESS]
    return (one for one in sorted(nearer, key=drag.left) if tries.is_legal(one))


def round_about() -> Iterator[Vector]:
    """Small shifts, the smallest first."""
    for far in RINGS:
        for dx, dy in TURNS:
            yield dx * far, dy * far


# ---------------------------------------------------------------- turning on the spot


def nearest_turn(drag: Drag, tries: Tries) -> Plain | None:
    """For models that can only turn: the wished turn, or else a turn towards the wish, as far as allowed."""
    for row, wish in drag.wishes.items():
        model = drag.models[drag.rows.index(row)]
        facing = facing_towards(model.at, wish.points[-1]) if wish.facing is None else wish.facing
        drag.wishes[row] = Wish([model.at], facing)
    drag.goes_along = False
    wished = [1.0, *filter(None, fewer_turns(drag))]
    shares = (turns * part for part in (1.0, 0.999, 0.5, 0.25) for turns in wished)
    for turns in shares:
        drag.turns = turns
        answer = without_points(drag)
        if tries.is_legal(answer):
            return answer
    return None


def without_points(drag: Drag) -> Plain:
    """The answer in which no model goes anywhere."""
    answer = drag.to()
    return [[], answer[1]] if drag.is_lone else [[[], way[1]] for way in answer]


# ---------------------------------------------------------------- places


def nearest_place(drag: Drag, tries: Tries) -> Plain | None:
    """All or some models slightly beside their wanted places, or else between those and the proposed places.

    Of the latter the nearest place is taken. A model wanted outside the area stands at its edge.
    """
    shifts = list(round_about())
    few = LITTLE * len(TURNS)
    x, y = into_area(drag)
    if x or y:
        inside = all_aside(drag, tries, [(x, y), *((x + dx, y + dy) for dx, dy in shifts[: 2 * few])])
        if inside is not None:
            return inside
    aside = all_aside(drag, tries, shifts[:few]) or each_aside(drag, tries) or all_aside(drag, tries, shifts[few:])
    if aside is not None:
        return aside
    between = as_far_as_allowed(drag, tries)
    found = [*between, *(one for one in drag.question.proposals(PROPOSED) if tries.is_legal(one))]
    return min(found, key=drag.left, default=None)


def into_area(drag: Drag) -> Vector:
    """The shortest shift of all wanted places into the area of the question, if it has one that holds them."""
    area = getattr(drag.question, "shown", {}).get("area")
    wanted = [goal for goal in drag.wanted() if goal is not None]
    if not isinstance(area, list | tuple) or len(area) != 4 or not wanted:
        return 0.0, 0.0
    x, y = (
        max(0.0, low - min(values)) or min(0.0, high - max(values))
        for values, low, high in zip(zip(*wanted, strict=True), area[:2], area[2:], strict=True)
    )
    return x, y


def all_aside(drag: Drag, tries: Tries, shifts: Sequence[Vector]) -> Plain | None:
    return next((one for shift in shifts if tries.is_legal(one := drag.to(1.0, shift))), None)


def each_aside(drag: Drag, tries: Tries) -> Plain | None:
    """Move a model with a refused place slightly aside; the others stay in formation."""
    left = {row: round_about() for row in drag.rows}
    for _ in range(min(EACH_ASIDE, tries.left) if len(drag.rows) > 1 else 0):
        answer = drag.to()
        refusal = tries.refusal(answer)
        if refusal is None:
            return answer
        shift = next(left.get(refusal.model if refusal.model is not None else -1, iter(())), None)
        if refusal.model is None or shift is None:
            break
        drag.asides[refusal.model] = shift
    drag.asides = {}
    return None


def together(models: Sequence[Model], shift: Vector) -> list[list[Any]]:
    """The wish that moves all models by the same shift."""
    return [[model.row, model.x + shift[0], model.y + shift[1], None] for model in models]
