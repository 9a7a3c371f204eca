"""What a bot of the toy that plays nothing through makes of its table, and the odds by which it goes."""

from __future__ import annotations

from math import isclose

from msgspec.structs import replace

from campale.conformance.bench import laid_out
from campale.mechanics.judgement.advice import expected
from campale.referee.position import Position, Unit
from campale.referee.question import Choose
from campale.rulesets._template import RULESET, advice, fire
from tests.rulesets._template.test_battle import CAPTAIN, GUNNER, PICKET, RIFLES, alone, on_the_table


def armed(y: float) -> tuple[Unit, Unit]:
    """A rifleman of the first side alone before two of the second."""
    position = on_the_table(laid_out(RULESET))
    return alone(position, RIFLES, (2.0, 2.0)), alone(position, PICKET, (2.0, y), (3.5, y))


def test_the_odds_are_those_of_the_dice() -> None:
    near, far = fire.odds(*armed(8.0)), fire.odds(*armed(14.0))
    assert near is not None
    assert far is not None
    assert [one.kind for one in near.steps] == ["hits", "losses"]
    assert isclose(expected(near), 1 / 2)
    assert isclose(expected(far), 1 / 3)
    assert fire.odds(*armed(16.0)) is None


def test_the_odds_of_an_answer_are_those_of_its_target() -> None:
    unit, target = armed(8.0)
    position = unit.position
    question = Choose(0, "fire", [target.row, None], of="unit", about={"unit": unit.row})
    told = fire.odds(unit, target)
    assert told is not None
    assert fire.ODDS.of_answer(position, question, target.row) == replace(told, ways=("fire",))
    assert fire.ODDS.of_answer(position, question, None) is None
    row, other = unit.models[0].row, target.models[1].row
    assert fire.ODDS.between(position, row, other) == [replace(told, ways=("fire",))]
    assert fire.ODDS.between(position, row, row) == []


def advised(position: Position, question: Choose) -> object:
    found = advice.advise(position, question, question.about)
    return max(found, key=lambda one: one[1])[0]


def test_fire_goes_at_whom_it_may_fell() -> None:
    unit, target = armed(8.0)
    far = alone(unit.position, GUNNER, (2.0, 14.5))
    question = Choose(0, "fire", [far.row, target.row, None], of="unit", about={"unit": unit.row})
    assert advised(unit.position, question) == target.row


def test_whoever_stands_best_acts_first_and_holds() -> None:
    unit, _ = armed(8.0)
    position = unit.position
    alone(position, CAPTAIN, (22.0, 2.0))
    assert advised(position, Choose(0, "activate", [CAPTAIN, RIFLES], of="unit")) == RIFLES
    assert advised(position, Choose(0, "order", ["advance", "hold"])) == "advance"
    alone(position, CAPTAIN, (12.0, 12.0))
    assert advised(position, Choose(0, "order", ["advance", "hold"])) == "hold"


def test_a_lead_in_points_and_models_is_worth_having() -> None:
    position = on_the_table(laid_out(RULESET))
    assert advice.appraise(position, 0) == -advice.appraise(position, 1) == 1.0
    position.gain(1, "points", 2)
    assert advice.appraise(position, 0) == -1.0
