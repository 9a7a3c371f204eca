"""The models of a unit go one after another, each judged by where those before it have gone."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from campale.mechanics.moves.in_turn import InTurn, Step
from campale.mechanics.moves.move_paths import end_of
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.looks import Foretold
from campale.referee.position import TABLE, Model, Position
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.table.paths import Path, plan_length
from campale.table.terrain import Ground
from tests.referee.toy import RULESET


class Gone:
    """Where the models have gone, and whom it was asked to judge."""

    def __init__(self, judged: list[int]) -> None:
        self.ends: dict[int, tuple[float, float]] = {}
        self.judged = judged

    def put(self, model: Model, path: Path) -> None:
        self.ends[model.row] = end_of(path)[:2]


@rule("toy/behind")
def overtakes(gone: Gone, model: Model, path: Path) -> Fault | None:
    """Nobody ends farther east than one that went before."""
    x, y, _ = end_of(path)
    first = min((at[0] for at in gone.ends.values()), default=40.0)
    return Fault((x, y), round(x, 2), first, model.row) if x > first else None


def refuses(gone: Gone, model: Model, path: Path) -> Refusal | None:
    gone.judged.append(model.row)
    return first_refusal((overtakes,), gone, model, path)


def unit_in_turn() -> tuple[InTurn[Gone], list[int]]:
    """Models 0, 1, 2 at x = 4, 6, 8, of whom the last goes first; each is proposed a step of 3."""
    position, judged = Position(RULESET, Ground(40.0, 30.0)), list[int]()
    unit = position.add_unit("squad", 0)
    models = [position.add_model(f"{k}", None, 0, unit, TABLE) for k in range(3)]
    for k, model in enumerate(models):
        position.move_to(model, 4.0 + 2 * k, 10.0)
    order = models[::-1]

    def proposes() -> list[Step]:
        return [Step(Path((m.at, (m.x + 3.0, m.y))), 90.0) for m in order]

    return InTurn(unit, order, partial(Gone, judged), proposes, refuses, path_of), judged


def to(x: float) -> Plain:
    return [[[x, 10.0]], None]


PROPOSED = [[[[x, 10.0]], 90.0] for x in (11.0, 9.0, 7.0)]


def test_the_proposal_is_an_answer_in_the_order_in_which_they_go() -> None:
    moves, judged = unit_in_turn()
    asked = moves.question("go", {"allowance": 6.0})
    assert (asked.suggestions(), asked.sample(Random(1))) == ([PROPOSED], PROPOSED)
    assert asked.about == {"unit": 0, "models": [2, 1, 0]}
    assert asked.shown == {"allowance": 6.0}
    assert asked.refusal(PROPOSED) is None
    assert judged == []


def test_from_the_first_that_goes_otherwise_each_is_judged_at_its_turn() -> None:
    moves, judged = unit_in_turn()
    asked = moves.question("go", {})
    assert asked.refusal([PROPOSED[0], to(10.0), to(9.5)]) is None
    assert judged == [1, 0]
    judged.clear()
    assert asked.refusal([PROPOSED[0], to(8.0), PROPOSED[2]]) is None
    assert judged == [1, 0]


@pytest.mark.parametrize(
    ("answer", "row", "limit"),
    [
        ([to(9.0), to(9.5), to(4.5)], 1, 9.0),
        ([to(9.0), to(8.0), to(8.5)], 0, 8.0),
        ([PROPOSED[0], to(11.5), to(12)], 1, 11.0),
    ],
)
def test_the_first_that_may_not_go_so_is_refused(answer: Plain, row: int, limit: float) -> None:
    refusal = unit_in_turn()[0].question("go", {}).refusal(answer)
    assert refusal is not None
    assert (refusal.rule, refusal.model, refusal.limit) == ("toy/behind", row, limit)


def test_what_paths_call_for_may_be_told() -> None:
    moves, _ = unit_in_turn()
    asked = moves.question("go", {}, lambda paths: [Foretold("far", "toy/far", {"inches": plan_length(paths[2])})])
    assert [one.values for one in asked.foretold(PROPOSED)] == [{"inches": 3.0}]
    assert moves.question("go", {}).foretold(PROPOSED) == []
    assert moves.paths(PROPOSED)[2].points[-1] == (11.0, 10.0)
