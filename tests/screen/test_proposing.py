"""What a screen proposes where the position is known: nothing in vain, and no dice where none are needed."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.game import Game
from campale.referee.looks import Foretold
from campale.referee.position import Position
from campale.referee.question import Choose, Move, MoveUnit
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset, Setup
from campale.referee.telling.teller import Teller
from campale.screen.foretelling import foretold_shown
from campale.screen.proposing import proposed

STRAIGHT: Plain = [[[[5.0, 8.0]], None], [[], None]]
STAY: Plain = [[[], None], [[], None]]
MOST = 2.0


@pytest.fixture
def game(raid: Ruleset) -> Game:
    """Row 0 at (5, 2), row 1 at (15, 2)."""
    game = Game(raid, Setup("raid"))
    game.answer(0, [[5.0, 2.0, 0.0], [15.0, 2.0, 0.0]])
    return game


def passes(low: float, high: float, detour: float = MOST) -> Any:
    """Rough ground as broad as the table between two heights, for whoever passes at x below 6."""

    def foretells(ways: Any) -> list[Foretold]:
        ends = [point for points, _ in ways for point in points]
        return [Foretold("rough", "table/setup", {}, detour)] if any(x < 6.0 and y > low for x, y, *_ in ends) else []

    return foretells


def move(foretells: Any = None, refuses: Any = lambda ways: None, suggests: Any = (STRAIGHT, STAY)) -> MoveUnit:
    shown, about = {"allowance": 7.0}, {"models": [0, 1]}
    return MoveUnit(0, "move", refuses, lambda rng: STAY, lambda: suggests, shown, about, None, foretells)


def of(game: Game, question: Any) -> Plain:
    return proposed(question, Teller.of(game), game.position)


def test_a_move_that_calls_for_nothing_is_proposed_as_the_rules_have_it(game: Game) -> None:
    assert of(game, move()) == STRAIGHT
    assert of(game, move(passes(9.0, 12.0))) == STRAIGHT


def test_a_move_that_ends_as_near_and_calls_for_nothing_is_proposed_instead(game: Game) -> None:
    question = move(passes(7.0, 12.0))
    found: Any = of(game, question)
    assert question.foretold(found) == []
    assert question.refusal(found) is None
    (x, y), still = found[0][0][-1], found[1]
    assert ((x - 5.0) ** 2 + (y - 8.0) ** 2) ** 0.5 <= MOST
    assert still == [[], None]


def test_where_none_ends_near_enough_the_move_of_the_rules_is_proposed(game: Game) -> None:
    assert of(game, move(passes(7.0, 12.0, 0.5))) == STRAIGHT
    assert of(game, move(passes(7.0, 12.0, 0.0))) == STRAIGHT


def test_whoever_stands_on_the_ground_that_calls_for_dice_is_not_looked_after(game: Game) -> None:
    tried: list[Any] = []

    def foretells(ways: Any) -> list[Foretold]:
        tried.append(ways)
        return [Foretold("rough", "table/setup", {}, MOST)]

    assert of(game, move(foretells)) == STRAIGHT
    assert len(tried) == 2


def test_a_detour_that_is_refused_is_not_proposed(game: Game) -> None:
    def only_straight(ways: Any) -> Fault | None:
        return None if [list(map(list, points)) for points, _ in ways] == [[[5.0, 8.0]], []] else Fault()

    assert of(game, move(passes(7.0, 12.0), only_straight)) == STRAIGHT


def test_what_others_propose_for_themselves_stays_as_it_is(game: Game) -> None:
    question = move(passes(7.0, 12.0))
    assert question.proposals(2) == [STRAIGHT, STAY]
    assert proposed(question, Teller.of(game)) == STRAIGHT


def test_a_lone_model_is_spared_too(game: Game) -> None:
    def foretells(way: Any) -> list[Foretold]:
        return [Foretold("rough", "table/setup", {}, MOST)] if any(point[1] > 7.5 for point in way[0]) else []

    question = Move(
        0,
        "move",
        lambda way: None,
        lambda rng: [[], None],
        lambda: [[[[5.0, 8.0]], None]],
        {"allowance": 7.0},
        {"model": 0},
        None,
        foretells,
    )
    found: Any = of(game, question)
    assert question.foretold(found) == []
    assert found[0]


# ---------------------------------------------------------------- nothing in vain


def vain(position: Position, question: Any, key: Plain) -> bool:
    return str(key).startswith("far")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["near", "far"], "near"),
        (["far", "near"], "near"),
        (["far", "barred", "near"], "near"),
        ([*(f"far {number}" for number in range(30)), "hold"], "hold"),
        (["far", "farther"], "far"),
    ],
)
def test_what_is_in_vain_is_proposed_only_where_nothing_else_is_allowed(
    game: Game, raid: Ruleset, keys: list[str], expected: str
) -> None:
    position = game.position
    position.ruleset = raid.replacing(vain=vain)
    question = Choose(0, "fire", keys, forbids=lambda key: Fault() if key == "barred" else None)
    assert proposed(question, Teller.of(game), position) == expected
    assert proposed(question, Teller.of(game)) == keys[0]


# ---------------------------------------------------------------- in sentences


def test_what_an_answer_calls_for_is_told_with_its_rule(game: Game) -> None:
    teller = Teller.of(game)
    (told,) = foretold_shown(move(passes(7.0, 12.0)), STRAIGHT, teller)
    assert told.rule.id == "table/setup"
    assert told.text
    assert foretold_shown(move(passes(9.0, 12.0)), STRAIGHT, teller) == []
    assert foretold_shown(Choose(0, "fire", ["near"]), "near", teller) == []
    assert foretold_shown(None, None, teller) == []
