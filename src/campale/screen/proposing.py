"""The proposals of a screen: legal, sensible, and always the same.

If the position is known, it proposes no useless option while there is another, and no move that needs dice if an
equally useful one needs none. Thinking players make their own proposals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Any

from campale.referee.lawful import is_passing, legal
from campale.referee.looks import Foretold
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.dragging import Drag, Wish, allowance_of, rows_of
from campale.screen.telling import Vector, end_of
from campale.table.shapes import heading

OTHERS = 6
"""How many of the rules' own proposals are examined for one without dice."""
BENDS = (1.0, -1.0, 2.0, -2.0, 3.0, -3.0)
SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
TURNS = (0.0, 8.0, -8.0, 16.0, -16.0, 24.0, -24.0, 32.0, -32.0, 40.0, -40.0)
"""How many degrees a move without dice may turn from the proposed one."""
WHOLE = 0.5
"""A move that leaves less than this of its length is on its way to something farther off."""
PROGRESS = 0.02
SETTING_OUT = 0.01
"""If so small a step already brings the dice, any other would: the model stands on the ground that calls for them."""


def proposed(question: Question, teller: Teller, position: Position | None = None) -> Plain:
    """The proposal that one key accepts.

    An option of a kind that the words propose (``propose.<prompt>``), or one that the rules consider likely to be good,
    otherwise a suggestion. Raises NoAnswer.
    """
    found = usual(question, teller)
    if position is None:
        return found
    if isinstance(question, Choose):
        return effective(question, teller, position, found)
    return spared(question, position, found)


def usual(question: Question, teller: Teller) -> Plain:
    likely = question.named_most() if isinstance(question, Choose) else []
    for key in (*favoured(question, teller), *likely):
        return key
    first = first_suggestion(question)
    return first[0] if first and question.refusal(first[0]) is None else legal(question, Random("proposal"))


def favoured(question: Question, teller: Teller) -> list[Plain]:
    """The suggested options of the kinds that the words propose, in the order of the kinds."""
    kinds = teller.words.messages.get(f"propose.{question.prompt}", "").split()
    if not kinds or not isinstance(question, Choose):
        return []
    options = [key for key in question.suggestions() if isinstance(key, list | tuple)]
    return [key for kind in kinds for key in options if key[0] == kind]


def first_suggestion(question: Question) -> list[Plain]:
    if type(question).suggestions is Form.suggestions:
        return [found for found in [next(question.filled_in(), None)] if found is not None]  # type: ignore[attr-defined]
    return question.proposals(1)


# ---------------------------------------------------------------- useless options


def effective(question: Choose, teller: Teller, position: Position, found: Plain) -> Plain:
    """An option that can have an effect, if there is one; otherwise the one found."""
    vain = position.ruleset.vain
    if vain is None or not vain(position, question, found):
        return found
    idle = (key for key in question.lawful() if is_passing(key))
    keys = chain(favoured(question, teller), question.suggestions(), idle)
    useful = (key for key in keys if not vain(position, question, key) and question.refusal(key) is None)
    return next(useful, found)


# ---------------------------------------------------------------- needless dice


def spared(question: Question, position: Position, found: Plain) -> Plain:
    """A move of practically the same length that needs no dice, if there is one; otherwise the one found."""
    due = foretold(question, found)
    if not due or not all(one.detour for one in due):
        return found
    drag, most = drag_to_ends(question, position, found), sum(one.detour for one in due)
    if foretold(question, drag.to(SETTING_OUT)):
        return found
    allowed = allowance_of(question)
    is_whole = drag.covered(found) > allowed - WHOLE
    short_of = partial(behind, drag, found) if is_whole else drag.left
    candidates = [one for one in detours(drag) if drag.covered(one) <= allowed + PROGRESS and short_of(one) <= most]
    others = (one for one in sorted(candidates, key=short_of) if not foretold(question, one))
    return next((one for one in others if question.refusal(one) is None), found)


def behind(drag: Drag, found: Plain, other: Plain) -> float:
    """By how much another move falls short of the found one in the same direction; a move that leads away is out."""
    (x, y), (u, v) = shift_of(drag, found), shift_of(drag, other)
    far = math.hypot(x, y)
    ahead, aside = (x * u + y * v) / far, abs(x * v - y * u) / far
    return far - ahead if aside <= ahead else math.inf


def shift_of(drag: Drag, answer: Plain) -> Vector:
    """The average shift of the moving models."""
    rows = [place for place, row in enumerate(drag.rows) if row in drag.wishes]
    ends = drag.ends(answer)
    x, y = (sum(ends[place][k] - drag.start(place)[k] for place in rows) / len(rows) for k in (0, 1))
    return x, y


def foretold(question: Question, answer: Plain) -> list[Foretold]:
    """The costs of a lawful answer, if the question knows them."""
    tells: Any = getattr(question, "foretold", None)
    return list(tells(answer)) if tells is not None else []


def drag_to_ends(question: Question, position: Position, answer: Any) -> Drag:
    """The models that a move takes somewhere, with their ends as wishes; the others stay."""
    rows = rows_of(question)
    ways: Sequence[Any] = answer if len(answer) == len(rows) and "model" not in question.about else [answer]
    moving = [(position.model(row), way) for row, way in zip(rows, ways, strict=True) if way[0]]
    drag = Drag(question, position, {model.row: Wish([end_of(model, way)], way[1]) for model, way in moving}, None)
    drag.goes_along = False
    return drag


def detours(drag: Drag) -> Iterator[Plain]:
    """The rules' other proposals, and the same move bent, or turned aside and cut short."""
    yield from islice(drag.question.proposals(OTHERS), 1, None)
    for bend in BENDS:
        yield drag.to(bend=bend)
    x, y = shift_of(drag, drag.to())
    for turn in TURNS:
        right, ahead = heading(turn)
        for share in SHARES:
            u, v = share * (x * ahead + y * right), share * (y * ahead - x * right)
            yield drag.to(shift=(u - x, v - y))
