"""A march on the screen: an option of the choice who acts next, taken up by a drag, and its steps one by one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.screen.test_chaining import chain_of, until
from tests.screen.test_lifting import seen_by_asked

from campale.referee.game import Game
from campale.referee.marches import MARCH, March, Step
from campale.referee.question import Choose, MoveUnit
from campale.screen.chaining import Chain
from campale.screen.lifting import lifted
from campale.screen.marching import Marching
from campale.screen.sheet import sheet


def before_a_march() -> Game:
    """A battle of proposals up to the first squad that can march."""
    for skip in range(9):
        game = until("wzr", "next-model", skip=skip)
        chain = chain_of(game)
        if isinstance(chain, Chain) and chain.march is not None:
            return game
    raise AssertionError("no squad can march")


@pytest.fixture(scope="module")
def asked() -> Game:
    return before_a_march()


def chain_and_ways(game: Game) -> tuple[Chain, Any]:
    chain = chain_of(game)
    assert isinstance(chain, Chain)
    field = chain.field([MARCH])
    assert isinstance(field, MoveUnit)
    return chain, field.proposals(1)[0]


def test_the_march_comes_after_the_models_and_the_proposal_stays_a_model(asked: Game) -> None:
    chain, seen = chain_of(asked), seen_by_asked(asked)
    first = sheet(chain, seen.teller, seen.position).first
    assert first is not None
    assert first.options is not None
    keys = [one.key for one in first.options]
    assert all(isinstance(key, int) for key in keys[: keys.index(MARCH)])
    assert keys[keys.index(MARCH) + 1 :] == ["enough"]
    assert isinstance(first.proposal, int)


def test_a_dragged_model_takes_its_squad_along(asked: Game) -> None:
    chain, seen = chain_of(asked), seen_by_asked(asked)
    assert isinstance(chain, Chain)
    field: Any = chain.field([MARCH])
    for row in field.about["models"]:
        assert lifted(chain, row, seen) == ([[MARCH]], None)
    assert lifted(chain, 10_000, seen) == (None, None)


def test_an_allowed_march_has_steps_and_one_too_far_is_refused(asked: Game) -> None:
    chain, ways = chain_and_ways(asked)
    then = chain.field([MARCH, ways])
    answer = [MARCH, ways, *(["pass"] if then is not None else [])]
    assert chain.refusal(answer) is None
    assert [step.prompt for step in chain.marching(answer)][:2] == ["next-model", "act"]
    beyond = [[[[x + 90.0, y]], None] for ((x, y),), _ in ways]
    assert chain.refusal([MARCH, beyond]) is not None


# ---------------------------------------------------------------- step by step


def marching(*steps: Step) -> Marching:
    march: Any = March(None, lambda ways: None, lambda ways, then: [], lambda position: True)  # type: ignore[arg-type]
    return Marching(march, steps)


def question(prompt: str, row: int, *keys: str) -> Choose:
    return Choose(0, prompt, keys, about={"model": row})


def test_a_step_waits_for_its_question_and_what_came_before_it_has_gone_by() -> None:
    found = marching(Step("act", "model", 1, "walk"), Step("act", "model", 2, "walk"), Step("act", "model", 3, "walk"))
    assert found.answer(question("card", 1, "walk")) is None
    assert found.answer(question("act", 2, "walk")) == ("walk",)
    assert [step.row for step in found.left] == [3]


def test_a_refused_step_ends_the_march_or_is_passed_over() -> None:
    found = marching(Step("act", "model", 1, "fly", must=False), Step("act", "model", 1, lambda _: "walk"))
    assert found.answer(question("act", 1, "walk")) == ("walk",)
    found = marching(Step("act", "model", 1, "fly"), Step("act", "model", 1, "walk"))
    assert found.answer(question("act", 1, "walk")) is None
    assert not found.left
