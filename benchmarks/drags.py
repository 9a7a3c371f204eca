"""How often a drag finds nothing: battles deployed as is proposed, then whole units dragged at random.

Every unit that may move when its side first may, in the first turn, is wished ``WISHES`` times in a direction at
random, over a random part of its allowance, to where all of it would still be on the table. The planner of the screens
looks for a way.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup, load_ruleset
from campale.screen.dragging import allowance_of, rows_of
from campale.screen.moving import planned, together
from campale.screen.proposing import proposed
from campale.screen.scene import eyes
from campale.table.shapes import heading

BOOKS = ("e55", "ragnarok")
WISHES = 3
MOST_ANSWERS = 600
TRIED = 60
EDGE = 2.0
DEEP = (99, 12, 1)
"""How many options of each field of a form are looked into."""
LEAST, MOST = 0.25, 24.0
"""Of the allowance, and of a move without one."""


class Drag(NamedTuple):
    """What came of a wish: the share of the way by which the models came nearer, and the seconds it took."""

    share: float
    seconds: float


def run() -> dict[str, Any]:
    return {book: figures(book) for book in BOOKS}


def figures(book: str, most: int | None = None) -> dict[str, Any]:
    """Of all ready battles of a book."""
    found = [one for setup in ready(book)[:most] for one in drags(setup)]
    nothing = sum(one.share <= 0.0 for one in found)
    return {
        "battles": len(ready(book)[:most]),
        "whole units dragged": len(found),
        "found nothing": nothing,
        "found nothing, percent": round(100.0 * nothing / len(found), 1),
        "of the way wished, percent": round(100.0 * sum(one.share for one in found) / len(found), 1),
        "milliseconds a drag": round(1000.0 * sum(one.seconds for one in found) / len(found), 1),
    }


def ready(book: str) -> tuple[Setup, ...]:
    starters = load_ruleset(book).starters
    assert starters is not None
    return starters()


# ---------------------------------------------------------------- a battle


def drags(setup: Setup) -> Iterator[Drag]:
    rng, game = Random("drags"), Game(load_ruleset(setup.ruleset), setup, "drags")
    left = {0, 1}
    for _ in range(MOST_ANSWERS):
        side = game.asked[0]
        if game.is_over or side is None or not left:
            return
        if side in left and game.position.now.get("turn"):
            found = list(moves_of(game, side))
            if found:
                left.discard(side)
                for question in found:
                    yield from dragged(question, game.position, rng)
        answer(game, side)


def answer(game: Game, side: int) -> None:
    question, seen = game.question_for(side), eyes(game, side, "en")
    assert question is not None
    assert game.answer(side, proposed(question, seen.teller)) is None


def moves_of(game: Game, side: int) -> Iterator[Question]:
    """The moves that may be answered now or next, one for all the models of each."""
    known: set[tuple[int, ...]] = set()
    for question in moves_next(game, side):
        rows = tuple(rows_of(question))
        if rows not in known:
            known.add(rows)
            yield question


def moves_next(game: Game, side: int) -> Iterator[Question]:
    question = game.question_for(side)
    if isinstance(question, Choose):
        for key in question.options() or ():
            after = game.clone()
            if after.answer(side, key) is None and after.asked[0] == side:
                yield from moves_in(after.question_for(side))
    else:
        yield from moves_in(question)


def moves_in(question: Question | None, answers: Sequence[Plain] = ()) -> Iterator[Question]:
    """The question, if it is a move; of a form the first move under each answer of its first field."""
    if isinstance(question, Form):
        field = question.field(answers)
        options = (field.options() or []) if isinstance(field, Choose) else []
        for key in options[: DEEP[len(answers)]] if len(answers) < len(DEEP) else ():
            found = moves_in(question, (*answers, key))
            yield from found if not answers else islice(found, 1)
        if not options and field is not None and field.kind == "move":
            yield field
    elif question is not None and question.kind == "move":
        yield question


# ---------------------------------------------------------------- a drag


def dragged(question: Question, position: Position, rng: Random) -> Iterator[Drag]:
    models = [position.model(row) for row in rows_of(question)]
    for _ in range(WISHES):
        shift = next((one for one in wishes(question, rng) if is_on_table(position, models, one)), None)
        if shift is None:
            continue
        start = time.perf_counter()
        found = planned(question, position, together(models, shift))
        yield Drag(nearer(found.answer, models, shift) if found.refusal is None else 0.0, time.perf_counter() - start)


def wishes(question: Question, rng: Random) -> Iterator[tuple[float, float]]:
    most = min(allowance_of(question), MOST)
    for _ in range(TRIED if most > 0.0 else 0):
        ahead, far = heading(rng.uniform(0.0, 360.0)), rng.uniform(LEAST, 1.0) * most
        yield ahead[0] * far, ahead[1] * far


def is_on_table(position: Position, models: Sequence[Any], shift: tuple[float, float]) -> bool:
    wide, deep = position.ground.width - EDGE, position.ground.depth - EDGE
    return all(EDGE <= m.x + shift[0] <= wide and EDGE <= m.y + shift[1] <= deep for m in models)


def nearer(answer: Plain, models: Sequence[Any], shift: tuple[float, float]) -> float:
    """By what share of the way the models came nearer to where they were wanted, on average."""
    ways = answer if len(models) > 1 or not (answer and is_way(answer)) else [answer]
    far = math.hypot(*shift)
    left = [
        math.dist((m.x + shift[0], m.y + shift[1]), way[0][-1][:2] if way[0] else m.at)
        for m, way in zip(models, ways, strict=True)
    ]
    return max(0.0, 1.0 - sum(left) / len(left) / far)


def is_way(answer: Plain) -> bool:
    """Whether it is the way of one model: points, and how it faces then."""
    return len(answer) == 2 and not isinstance(answer[1], list)
