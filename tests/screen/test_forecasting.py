"""Odds as a screen tells them: in words, adding up, from what a side may know and from nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from campale.dice.odds import OddsError
from campale.referee.game import Game
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.referee.question import Form
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.screen import forecasting, shown
from campale.screen.forecasting import forecast_of, forecasts, of_path, told, with_forecasts
from campale.screen.scene import Eyes, eyes
from campale.screen.sheet import filled

BOOKS = [name for name in ruleset_names() if load_ruleset(name).forecasts is not None]
DECLARES = {"act", "shots", "fire", "fire.preparatory", "shooting"}


def stopped(name: str, seed: str = "odds", most: int = 700) -> Iterator[tuple[Game, int]]:
    """A battle as it is proposed, stopped wherever fire may be declared."""
    ruleset = load_ruleset(name)
    assert ruleset.starters is not None
    game, rng = Game(ruleset, ruleset.starters()[0], seed), Random(seed)
    for _ in range(most):
        if game.is_over:
            return
        side = game.asked[0]
        question = game.pending[side]
        if question.prompt in DECLARES and side is not None:
            yield game, side
        proposals = [] if question.is_chance else question.proposals(1)
        answer = proposals[0] if proposals and rng.random() < 0.8 else question.sample(rng)
        assert game.answer(side, answer) is None


def first_told(name: str) -> tuple[Game, int, int, int]:
    """The first moment at which a model has odds against another, and these two."""
    for game, side in stopped(name):
        seen = eyes(game, side, "en")
        for model in seen.position.on_table(side):
            for other in seen.position.on_table(1 - side):
                if any(one.stages for one in forecasts(seen, model.row, other.row)):
                    return game, side, model.row, other.row
    raise AssertionError("nobody ever had a shot")


@pytest.fixture(scope="module", params=BOOKS)
def moment(request: pytest.FixtureRequest) -> tuple[Game, int, int, int]:
    return first_told(request.param)


@pytest.mark.parametrize("language", ["en", "it"])
def test_odds_are_told_in_words_and_add_up(moment: tuple[Game, int, int, int], language: str) -> None:
    game, side, row, target = moment
    before = game.position.to_bytes()
    seen = eyes(game, side, language)
    looked_at = seen.position.to_bytes()
    found = forecasts(seen, row, target)
    for one in found:
        assert one.title
        for stage in one.stages:
            assert "forecast." not in stage.title
            assert stage.rule is not None
            assert stage.rule.title != stage.rule.id
            assert abs(math.fsum(p for _, p in stage.chances) - 1.0) < 1e-12
            assert stage.mean == pytest.approx(sum(n * p for n, p in stage.chances))
        assert "forecast." not in one.title + one.policy + one.gap
    assert game.position.to_bytes() == before
    assert seen.position.to_bytes() == looked_at


@pytest.mark.parametrize(
    ("kind", "chance", "is_risk"),
    [("own-out-of-action", 0.2, True), ("own-out-of-action", 0.05, False), ("out-of-action", 0.2, False)],
)
def test_likely_losses_of_ones_own_are_a_risk(kind: str, chance: float, is_risk: bool) -> None:
    ruleset = load_ruleset("ragnarok")
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0], "risk")
    counted = Step(kind, "wounds/out-of-action", ((0, 1 - chance), (1, chance)))
    assert forecasting.stage(counted, eyes(game, 0, "en").teller).is_risk is is_risk


@pytest.mark.parametrize(("most", "title"), [(1, "Modello perso"), (2, "Perdite")])
def test_the_loss_of_a_single_model_is_told_as_such(most: int, title: str) -> None:
    ruleset = load_ruleset("e3m")
    assert ruleset.starters is not None
    seen = eyes(Game(ruleset, ruleset.starters()[0], "one"), 0, "it")
    counted = Step("losses", "base-shoot/wounds", ((0, 0.5), (most, 0.5)), is_main=True)
    assert forecasting.stage(counted, seen.teller).title == title
    assert forecasting.stage(counted, seen.teller).single == ("" if most == 1 else "Perdita")


def test_odds_hang_on_nothing_that_the_side_may_not_know(moment: tuple[Game, int, int, int]) -> None:
    game, side, row, target = moment
    seen = eyes(game, side, "en")
    expected = forecasts(seen, row, target)
    for seed in range(3):
        other = game.ruleset.imagine(seen.position.copy(), side, Random(seed))
        elsewhere = Eyes(side, game.ruleset.seen_by(side, other.copy()), seen.teller)
        assert forecasts(elsewhere, row, target) == expected
        assert forecasts(Eyes(side, other, seen.teller), row, target) == expected


def test_what_is_no_model_has_no_odds(moment: tuple[Game, int, int, int]) -> None:
    game, side, row, _ = moment
    seen = eyes(game, side, "en")
    assert forecasts(seen, row, len(seen.position.names)) == []
    assert forecasts(seen, -1, row) == []
    assert forecasts(seen, row, row) == []


def test_a_form_tells_what_may_come_of_it_and_of_its_fields() -> None:
    for game, side in stopped("e55"):
        question, seen = game.pending[side], eyes(game, side, "en")
        if not isinstance(question, Form):
            continue
        whole = filled(question, [], None, -1, seen.teller, seen.position)
        fields = with_forecasts(seen, question, whole.fields)
        answers = [field.answer for field in fields]
        found = forecast_of(seen, question, answers)
        assert of_path(seen, question, [answers[:-1]], answers[-1]) == found
        assert of_path(seen, question, [[], []], answers[-1]) is None
        if found is not None and found.stages:
            assert any(field.forecast is not None for field in fields)
            return
    raise AssertionError("no form had odds")


def test_a_book_without_odds_tells_none(moment: tuple[Game, int, int, int]) -> None:
    game, side, row, target = moment
    seen = eyes(game, side, "en")
    seen.position.ruleset = game.ruleset.replacing(forecasts=None, forecast_of=None)
    question = game.pending[side]
    assert forecasts(seen, row, target) == []
    assert forecast_of(seen, question, None) is None


def test_where_what_is_seen_cannot_be_played_it_is_imagined(moment: tuple[Game, int, int, int]) -> None:
    game, side, row, target = moment
    hook, seen = game.ruleset.forecasts, eyes(game, side, "en")
    assert hook is not None
    expected = forecasts(seen, row, target)
    tried: list[Position] = []

    def only_the_second(position: Position, one: int, other: int) -> Any:
        tried.append(position)
        if len(tried) == 1:
            raise LookupError("something is hidden")
        return hook(position, one, other)

    seen.position.ruleset = game.ruleset.replacing(forecasts=only_the_second)
    assert forecasts(seen, row, target) == expected
    assert tried[1] is not seen.position

    def never(position: Position, one: int, other: int) -> Any:
        raise OddsError("not to be told")

    seen.position.ruleset = game.ruleset.replacing(forecasts=never)
    assert forecasts(seen, row, target) == []


def test_why_a_forecast_ends_is_told(moment: tuple[Game, int, int, int]) -> None:
    game, side, row, target = moment
    hook, seen = game.ruleset.forecasts, eyes(game, side, "it")
    assert hook is not None
    one = msgspec.structs.replace(
        hook(seen.position, row, target)[0], steps=(), gap="too-many", decided=(), notes=("as-now",)
    )
    found = told(one, seen.teller)
    assert isinstance(found, shown.Forecast)
    assert (found.stages, found.policy) == ([], "")
    assert found.gap == "I casi da calcolare sono troppi."


@pytest.mark.parametrize(("book", "is_told"), [("wzr", True), ("e3m", False)])
def test_a_forecast_names_its_target_where_the_words_of_the_book_do(book: str, is_told: bool) -> None:
    """A forecast of what a model does to itself names nobody in any book."""
    ruleset = load_ruleset(book)
    assert ruleset.starters is not None
    teller = eyes(Game(ruleset, ruleset.starters()[0], "one"), 0, "en").teller
    begun = forecasting.told(Forecast(0, 1, (), (), ("melee",), dice=2), teller).title
    assert (f"against {teller.model(1)}" in begun) is is_told
    assert "against" not in forecasting.told(Forecast(0, 0, (), (), ("melee",), dice=2), teller).title
