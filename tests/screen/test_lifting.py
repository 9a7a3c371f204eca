"""A model that is dragged before its move is asked: which answers lead there, and that no others are given."""

from __future__ import annotations

from typing import Any

import pytest
from tests.screen.test_chaining import chain_of, until

from campale.referee.question import Choose, Form, Move, Question
from campale.referee.refusal import Fault
from campale.screen.dragging import rows_of
from campale.screen.lifting import lifted
from campale.screen.scene import Eyes, eyes
from campale.screen.sheet import at_path

MOVES = [
    ("e55", "movement", {"move", "drive"}, 0),
    ("ragnarok", "act", {"path"}, 0),
    ("e3m", "movement-element", {"move", "drive"}, 0),
    ("w10", "move-unit", {"normal-move"}, 0),
    ("w10", "scout-unit", {"scout"}, 3),
]
"""The starter is one of which the armies can do so."""


def seen_by_asked(game: Any) -> Eyes:
    side = game.asked[0]
    assert side is not None
    return eyes(game, side, "en")


@pytest.mark.parametrize(("book", "prompt", "asked", "starter"), MOVES)
def test_whoever_may_move_is_taken_up_from_the_choice_who_moves(
    book: str, prompt: str, asked: set[str], starter: int
) -> None:
    game = until(book, prompt, starter=starter)
    chain, seen = chain_of(game), seen_by_asked(game)
    own = [row for row in range(len(seen.position.names)) if seen.position.side_of[row] == seen.side]
    found = {row: way for row in own if (way := lifted(chain, row, seen)[0]) is not None}
    assert found
    for row, way in found.items():
        field = at_path(chain, way)
        assert field is None or field.prompt in asked
        assert field is None or field.kind == "form" or row in rows_of(field)


def test_the_shortest_way_is_taken_and_nobody_is_aimed_at() -> None:
    game = until("ragnarok", "act")
    way, why = lifted(chain_of(game), 0, seen_by_asked(game))
    assert (way, why) == ([[0, "move", "walk"]], None)


def test_of_the_other_side_nobody_is_taken_up() -> None:
    game = until("e55", "movement")
    seen = seen_by_asked(game)
    theirs = next(row for row in range(len(seen.position.names)) if seen.position.side_of[row] != seen.side)
    assert lifted(chain_of(game), theirs, seen) == (None, None)


def test_why_not_is_told_of_whoever_has_moved() -> None:
    game = until("e55", "movement", skip=1)
    seen = seen_by_asked(game)
    answers = [lifted(chain_of(game), row, seen) for row in range(len(seen.position.names))]
    told = [why for way, why in answers if way is None and why is not None]
    assert told
    assert all(why.text and why.rule is not None for why in told)


def test_others_are_asked_before_the_move_of_a_model_that_is_activated() -> None:
    game = until("wzr", "next-model")
    seen, question = seen_by_asked(game), chain_of(game)
    first: Any = question.after([]) if isinstance(question, Form) else question
    row = next(key for key in first.options() if isinstance(key, int))
    assert lifted(question, row, seen) == ([[row]], None)
    assert at_path(question, [[row]]) is None


# ---------------------------------------------------------------- forms made for it


def form(*closed: str, targets: bool = False) -> Form:
    """Whom to move, then how; one of the ways leads to a move."""

    def field(filled: list[Any]) -> Question | None:
        if not filled:
            return Choose(0, "who", [0, 1], of="model")
        if len(filled) == 1:
            shut = {how: Fault(word="shut") for how in closed}
            return Choose(0, "how", ["wait", "go"], forbids=shut.get)
        if len(filled) == 2 and filled[1] == "go":
            return Move(0, "way", lambda way: None, lambda rng: [[], None], about={"model": filled[0]})
        return None

    return Form(0, "act", field)


@pytest.mark.parametrize(("closed", "way"), [((), [[1, "go"]]), (("wait",), [[1, "go"]]), (("go",), None)])
def test_what_is_closed_is_no_way(closed: tuple[str, ...], way: Any) -> None:
    seen = seen_by_asked(until("ragnarok", "act"))
    assert lifted(form(*closed), 1, seen)[0] == way
