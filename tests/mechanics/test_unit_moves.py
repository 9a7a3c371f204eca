"""The move of a whole unit: judged path by path and then together, asked as one question with proposals."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from campale.mechanics.moves import move_paths, unit_moves
from campale.mechanics.moves.asking import Proposals, move_question, unit_move_question
from campale.mechanics.moves.move_paths import Barred, MovePath, surroundings
from campale.mechanics.moves.unit_moves import (
    Movement,
    UnitMove,
    as_answer,
    as_paths,
    is_lawful,
    moves_the_fixed,
    on_the_table,
    refusal_of,
    routed_towards,
    staying,
)
from campale.referee.looks import Foretold
from campale.referee.position import TABLE, Model, Position, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.table.outlines import rectangle
from campale.table.paths import Path, plan_length
from campale.table.terrain import Ground, Piece
from tests.referee.toy import RULESET

LIMIT, LINK, GAP = 6.0, 2.0, 1.0
WALL = Piece("wall", "wall", rectangle(20.0, 15.0, 20.0, 1.0))


# ---------------------------------------------------------------- a book


def others(model: Model, gap: float) -> Barred:
    found = [one for one in model.position.on_table() if one.unit != model.unit]
    gaps = [gap if one.side != model.side else 0.0 for one in found]
    return surroundings(model, model.solid.shape, found, gaps, model.position.ground)


def on_the_way(model: Model) -> Barred:
    """Enemies may be passed closely."""
    return others(model, 0.01)


def at_the_end(model: Model) -> Barred:
    return others(model, GAP)


@rule("toy/length")
def too_far(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, plan_length(way.path), way.limit)


@rule("toy/enemy")
def too_near(way: MovePath) -> Fault | None:
    return move_paths.too_near(way, GAP)


@rule("toy/piece")
def over_a_piece(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("toy/base")
def on_each_other(move: UnitMove) -> Fault | None:
    return unit_moves.on_each_other(move)


@rule("toy/together")
def out_of_coherency(move: UnitMove) -> Fault | None:
    return unit_moves.out_of_coherency(move)


@rule("toy/fixed")
def fixed_stay(move: UnitMove) -> Fault | None:
    return moves_the_fixed(move)


def movement(flies: bool = False, **more: Any) -> Movement:
    meets = on_the_table(on_the_way, at_the_end, flies)
    each, of_all = (too_far, too_near, over_a_piece), (on_each_other, out_of_coherency, fixed_stay)
    return Movement(LIMIT, LINK, meets, at_the_end, each, of_all, flies, **more)


def squad(*xs: float, enemies: Sequence[tuple[float, float]] = (), pieces: Sequence[Piece] = ()) -> Unit:
    """Models of bases an inch wide in a line along y = 10."""
    position = Position(RULESET, Ground(40.0, 30.0, tuple(pieces)))
    unit = position.add_unit("squad", 0)
    for x in xs:
        position.move_to(position.add_model("man", None, 0, unit, TABLE), x, 10.0)
    for x, y in enemies:
        enemy = position.add_model("enemy", None, 1, position.add_unit("enemies", 1), TABLE)
        position.move_to(enemy, x, y)
    return unit


def way(*points: tuple[float, float]) -> Plain:
    return [[list(point) for point in points], None]


STAY = way()


def cited(unit: Unit, *answers: Plain, how: Movement | None = None) -> str:
    refusal = refusal_of(UnitMove(unit, as_paths(unit.models, answers), how or movement()))
    return "" if refusal is None else refusal.rule


# ---------------------------------------------------------------- what may be wrong


@pytest.mark.parametrize(
    ("answers", "rule_of_it"),
    [
        ((way((16.0, 10.0)), way((18.0, 10.0))), ""),
        ((way((16.002, 10.0)), way((18.0, 10.0))), "toy/length"),
        ((way((13.0, 10.0)), way((13.9, 10.0))), "toy/base"),
        ((way((13.0, 10.0)), way((14.0, 10.0))), ""),
        ((way((10.0, 9.0)), way((13.0, 9.0))), ""),
        ((way((9.0, 10.0)), way((12.1, 10.0))), "toy/together"),
        ((STAY, STAY), ""),
        ((way((10.0, 14.0)), way((12.0, 14.1))), "toy/piece"),
    ],
)
def test_paths_are_judged_one_by_one_and_then_together(answers: Sequence[Plain], rule_of_it: str) -> None:
    assert cited(squad(10.0, 12.0, pieces=[WALL]), *answers) == rule_of_it


def test_the_first_model_that_may_not_go_so_is_told_whatever_is_wrong_with_the_next() -> None:
    unit = squad(10.0, 12.0, enemies=[(10.0, 14.0)])
    assert cited(unit, way((10.0, 12.1)), way((19.0, 10.0))) == "toy/enemy"
    assert cited(unit, way((3.0, 10.0)), way((10.0, 12.1))) == "toy/length"


def test_one_thing_bars_a_model_on_its_way_and_another_where_it_ends() -> None:
    unit = squad(10.0, enemies=[(13.0, 11.5)])
    assert cited(unit, way((13.0, 10.0))) == "toy/enemy"
    assert cited(unit, way((16.0, 10.0))) == ""
    through = squad(10.0, enemies=[(13.0, 10.5)])
    assert cited(through, way((16.0, 10.0))) == "toy/enemy"
    assert cited(through, way((16.0, 10.0)), how=movement(flies=True)) == ""


def test_models_that_must_stay_where_they_are_stay() -> None:
    unit = squad(10.0, 12.0)
    how = movement(fixed=frozenset({1}))
    assert cited(unit, way((10.0, 9.0)), STAY, how=how) == ""
    assert cited(unit, STAY, way((12.0, 9.0)), how=how) == "toy/fixed"


def test_a_unit_that_is_apart_comes_together_if_it_can() -> None:
    unit = squad(10.0, 20.0)
    assert cited(unit, way((13.0, 10.0)), way((15.0, 10.0))) == ""
    assert cited(unit, way((13.0, 10.0)), STAY) == "toy/together"
    assert cited(unit, STAY, STAY) == "toy/together"
    assert cited(squad(5.0, 35.0), way((8.0, 10.0)), STAY) == ""


def test_where_models_would_be_is_known_of_those_that_move() -> None:
    unit = squad(10.0, 12.0)
    move = UnitMove(unit, as_paths(unit.models, (STAY, way((14.0, 11.0)))), movement())
    assert [model.row for model in move.moving] == [1]
    assert move.places == {1: (14.0, 11.0, 0.0, 0.0)}
    assert [(one.x, one.y) for one in move.ends] == [(10.0, 10.0), (14.0, 11.0)]
    assert [path.model.row for path in move.ways] == [1]


# ---------------------------------------------------------------- answers and ways found


def test_an_answer_and_its_paths_mean_the_same() -> None:
    unit = squad(10.0, 12.0)
    answer = [way((10.0, 11.0), (11.0, 11.0)), STAY]
    assert as_answer(unit.models, as_paths(unit.models, answer)) == answer
    assert as_paths(unit.models, [way((10.0, 10.0)), STAY])[0] == Path((unit.models[0].at,), 0.0)


def test_a_unit_goes_round_what_is_in_its_way() -> None:
    unit = squad(10.0, 12.0, pieces=[Piece("hut", "hut", rectangle(11.0, 12.0, 3.0, 1.0))])
    answer = routed_towards(unit, unit.models, movement(), (11.0, 15.0))
    assert answer is not None
    assert is_lawful(unit, unit.models, movement(), answer)
    assert all(len(points) > 1 for points, _ in answer)
    assert routed_towards(unit, unit.models, movement(fixed=frozenset({0})), (11.0, 14.0)) is None


# ---------------------------------------------------------------- the question


def test_every_proposal_is_lawful_and_staying_is_the_last() -> None:
    unit = squad(10.0, 12.0, 14.0, enemies=[(12.0, 14.0)], pieces=[WALL])
    asked = unit_move_question(unit, unit.models, "move", movement(), lambda: [(12.0, 20.0), (30.0, 5.0)], order="go")
    suggestions = asked.suggestions()
    assert suggestions[-1] == staying(unit.models)
    assert len(suggestions) == 3
    assert [asked.refusal(answer) for answer in suggestions] == [None] * 3
    assert all(asked.refusal(asked.sample(Random(seed))) is None for seed in range(12))
    assert asked.seeks is not None
    assert all(asked.refusal(answer) is None for answer in asked.seeks((25.0, 8.0)))
    assert asked.about == {"unit": 0, "models": [0, 1, 2], "order": "go"}
    assert asked.shown == {"coherency": LINK, "flies": False, "allowance": LIMIT}


def test_what_is_apart_is_proposed_ways_together_alone() -> None:
    unit = squad(10.0, 20.0)
    asked = unit_move_question(unit, unit.models, "move", movement(), list)
    assert [asked.refusal(answer) for answer in asked.suggestions()] == [None]
    assert asked.refusal(asked.sample(Random(1))) is None


def test_a_book_may_propose_and_foretell_by_itself() -> None:
    unit = squad(10.0)
    far = [way((11.0, 10.0))]

    def foretold(paths: Any) -> list[Foretold]:
        return [Foretold("length", "toy/length", {"inches": plan_length(paths[0])})]

    proposals = Proposals(lambda rng: far, lambda: [far], lambda goal: [[way(goal)]])
    asked = move_question(unit, unit.models, "go", movement(), proposals, shown={"coherency": 3.0}, foretells=foretold)
    assert (asked.sample(Random(1)), asked.suggestions()) == (far, [far])
    assert asked.shown["coherency"] == 3.0
    assert [one.values for one in asked.foretold(far)] == [{"inches": 1.0}]
    silent = move_question(unit, unit.models, "go", movement(), proposals)
    assert silent.foretold(far) == []
