"""What is typed, as answers: the kinds that the toy book does not ask."""

from __future__ import annotations

import pytest

from campale.cli.typed import NotUnderstood, Typed
from campale.referee.chance import Direction, Draw
from campale.referee.game import Game
from campale.referee.question import Allot, MoveUnit
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.telling.teller import Teller


@pytest.fixture
def typed(raid: Ruleset) -> Typed:
    game = Game(raid, Setup("raid"))
    game.answer(0, [[5.0, 2.0, 0.0], [15.0, 2.0, 0.0]])
    return Typed(game.position, Teller.of(game))


def unit_move(allowance: float = 8.0) -> MoveUnit:
    def refuses(ways: list[tuple[tuple[tuple[float, float], ...], float | None]]) -> Fault | None:
        return next((Fault(measured=p[0]) for points, _ in ways for p in points if p[0] > 9), None)

    stay: Plain = [[[], None], [[], None]]
    return MoveUnit(0, "move", refuses, lambda rng: stay, lambda: [stay], {"allowance": allowance}, {"models": [0, 1]})


def test_the_ways_of_several_models_are_typed_one_by_one(typed: Typed) -> None:
    question = unit_move()
    stay: Plain = [[[], None], [[], None]]
    assert typed.answer(question, "1 to 3,4 5,6 facing 90", stay) == [[[], None], [[[3, 4], [5, 6]], 90]]
    assert typed.answer(question, "0 stay", [[[[1, 1]], 0], [[], None]]) == stay
    with pytest.raises(NotUnderstood):
        typed.answer(question, "to the moon", stay)
    with pytest.raises(NotUnderstood):
        typed.answer(question, "7 to 3,4", stay)


def test_towards_goes_as_far_as_is_allowed(typed: Typed) -> None:
    """Nothing beyond 9: from 5 towards 15 that is 4 of the 8 allowed."""
    (points, facing), _ = typed.answer(unit_move(), "0 towards 1", [[[], None], [[], None]])
    assert points[0][0] == pytest.approx(9, abs=0.34)
    assert points[0][0] <= 9
    assert facing == 90
    with pytest.raises(NotUnderstood, match="No legal move straight towards A1"):
        typed.answer(unit_move(3.0), "1 towards 0", [[[], None], [[], None]])


def test_directions_draws_and_allotments(typed: Typed) -> None:
    assert typed.answer(Direction(0, "drift"), "90", None) == 90
    assert typed.answer(Draw(0, "card", ["a", "b", "c"], 2), "3 1", None) == [2, 0]
    allot = Allot(0, "allot", ["wound", "wound"], [0, 1], lambda given: None, lambda rng: [0, 0])
    assert typed.answer(allot, "1", None) == [1, 1]
    assert typed.answer(allot, "0, 1", None) == [0, 1]
    with pytest.raises(NotUnderstood):
        typed.answer(allot, "both", None)
