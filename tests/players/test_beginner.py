"""The sensible beginner: shoots the nearest whom it may hurt, charges who is in reach, else goes forward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from campale.conformance.budget import THOROUGH
from campale.players import BeginnerPlayer, RandomPlayer
from campale.players.eyes import Eyes
from campale.referee.columns import Token
from campale.referee.game import Entry, Game
from campale.referee.looks import Forecast, Step, Zone
from campale.referee.position import RESERVE, Position
from campale.referee.question import Choose, Form, Move, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.referee.seat import Seat
from campale.simulate import battle, outcome, starters_of
from campale.table.measure import gap

BOOKS = ("e3m", "e55", "ragnarok", "w10", "wzr")
FOUGHT = ((0, "3"), (1, "4"), (0, "5"), (1, "2"), (0, "1"))[: 5 if THOROUGH else 2]
"""Its side and the seed of each battle against a player at random."""


def standing(raid: Ruleset, *places: tuple[int, float, float], **changes: Any) -> Game:
    """A battle of the toy book in which models (side, x, y) stand on the table, in this order of rows."""
    ruleset = raid.replacing(advise=None, offhand=None, **changes)
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0], "1")
    profile = game.position.profiles[0]
    position = Position(ruleset, game.position.ground)
    units = [position.add_unit(str(side), side) for side in (0, 1)]
    for number, (side, x, y) in enumerate(places):
        position.add_model(f"m{number}", profile, side, units[side], RESERVE).move_to(x, y)
    game.position = position
    return game


def answered(game: Game, question: Question, seed: int = 1) -> Plain:
    game.pending = {0: question}
    return BeginnerPlayer(seed).answer(Seat(game, 0))


NEAR, FAR, OWN = 1, 2, 0
PLACES = ((0, 10.0, 10.0), (1, 10.0, 16.0), (1, 10.0, 30.0))


def odds_of(chances: dict[int, float]) -> Any:
    """Forecasts of the option named last: so many losses on average, by the model named."""

    def forecast_of(position: Position, question: Question, answer: Any) -> Forecast | None:
        row = answer[-1]
        if answer[0] != "shoot" or row not in chances:
            return None
        return Forecast(OWN, row, (), (Step("hits", "", ((1, 1.0),)), Step("losses", "", ((1, chances[row]),), True)))

    return forecast_of


def test_of_enemies_that_an_option_names_the_nearest_is_taken(raid: Ruleset) -> None:
    game = standing(raid, *PLACES)
    question = Choose(0, "whom", (FAR, NEAR, "nobody"), "model", about={"model": OWN})
    assert answered(game, question) == NEAR
    game = standing(raid, PLACES[0], (1, 10.0, 40.0), PLACES[2])
    assert answered(game, question) == FAR


def test_an_enemy_whom_the_ruleset_thinks_not_worth_it_is_passed_over(raid: Ruleset) -> None:
    worths: list[tuple[Plain, float]] = [(NEAR, 0.0), (FAR, 2.0), ("nobody", 0.0)]
    game = standing(raid, *PLACES)
    game.ruleset = game.position.ruleset = game.ruleset.replacing(advise=lambda *_: worths)
    question = Choose(0, "whom", (NEAR, FAR, "nobody"), "model", about={"model": OWN})
    assert answered(game, question) == FAR
    worths[1:] = [(FAR, -1.0), ("nobody", 0.5)]
    assert answered(game, question) == "nobody"


def act(whom: Sequence[Plain] = (NEAR, FAR), way: Question | None = None) -> Form:
    """A form: shoot whom, charge whom by a way, or walk."""

    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            return Choose(0, "what", ("wait", "walk", *(("charge", "shoot") if whom else ())), "word")
        if len(filled) == 1 and filled[0] in ("shoot", "charge"):
            return Choose(0, "whom", whom, "model", about={"model": OWN})
        if (filled == ["walk"] or (len(filled) == 2 and filled[0] == "charge")) and way is not None:
            return way
        return None

    return Form(0, "act", fields, about={"model": OWN})


def walking(*ends: tuple[float, float], **more: Any) -> Move:
    ways: list[Any] = [[[[x, y]], None] for x, y in ends]
    return Move(
        0,
        "path",
        lambda answer: None if answer[0][0] in ends else Fault(),
        lambda rng: rng.choice(ways),
        lambda: ways,
        about={"model": OWN},
        **more,
    )


def test_it_shoots_who_can_be_hurt_and_no_one_else(raid: Ruleset) -> None:
    game = standing(raid, *PLACES, forecast_of=odds_of({NEAR: 0.5, FAR: 0.9}))
    assert answered(game, act()) == ["shoot", NEAR]
    game = standing(raid, *PLACES, forecast_of=odds_of({NEAR: 0.0}))
    way = walking((10.0, 12.0))
    assert answered(game, act((NEAR,), way))[0] == "charge"


def test_with_nobody_to_shoot_or_charge_it_goes_forward(raid: Ruleset) -> None:
    game = standing(raid, *PLACES, forecast_of=odds_of({}))
    way = walking((10.0, 8.0), (10.0, 12.0), (12.0, 11.0))
    assert answered(game, act((), way)) == ["walk", [[[10.0, 12.0]], None]]


def test_it_goes_for_a_marker_that_counts_and_that_it_has_not(raid: Ruleset) -> None:
    ways = (10.0, 12.0), (12.0, 10.0), (8.0, 10.0)
    game = standing(raid, *PLACES, counts_within=lambda position, token: 3.0 if token.kind == "goal" else 0.0)
    assert answered(game, walking(*ways)) == [[[10.0, 12.0]], None]
    game.position.lay(Token("goal", 20.0, 10.0, 0.0, -1))
    game.position.lay(Token("smoke", 0.0, 10.0, 0.0, -1))
    assert answered(game, walking(*ways)) == [[[12.0, 10.0]], None]
    game.position.lay(Token("goal", 11.0, 10.0, 0.0, 0))
    game.position.replace_token(0, Token("goal", 0.0, 10.0, 0.0, 1))
    assert answered(game, walking(*ways)) == [[[8.0, 10.0]], None]


def test_it_goes_into_a_zone_that_is_not_its_own(raid: Ruleset) -> None:
    zones = [Zone("quarter", "", at=(0.0, 10.0), side=0), Zone("quarter", "", at=(30.0, 10.0), side=-1)]
    game = standing(raid, *PLACES, zones=lambda position: zones)
    assert answered(game, walking((8.0, 10.0), (12.0, 10.0))) == [[[12.0, 10.0]], None]


def test_a_way_that_ends_at_an_enemy_is_taken_as_proposed(raid: Ruleset) -> None:
    game = standing(raid, *PLACES, counts_within=lambda *_: 3.0)
    game.position.lay(Token("goal", 30.0, 10.0, 0.0, -1))
    between = gap(game.position.model(OWN).solid, game.position.model(NEAR).solid)
    touching = (10.0, 10.0 + between)
    assert answered(game, walking(touching, (12.0, 10.0))) == [[list(touching)], None]
    assert answered(game, walking((10.0, 9.0 + between), (12.0, 10.0))) == [[[12.0, 10.0]], None]


def test_what_seeks_the_goal_is_looked_at_beside_what_is_proposed(raid: Ruleset) -> None:
    game = standing(raid, *PLACES)
    asked: list[tuple[float, float]] = []

    def seeks(point: tuple[float, float]) -> list[Plain]:
        asked.append(point)
        return [[[[10.0, 14.0]], None]]

    way = walking((10.0, 12.0), (10.0, 14.0), seeks=seeks)
    assert answered(game, way) == [[[10.0, 14.0]], None]
    assert asked == [(10.0, 16.0)]


def test_while_the_other_side_acts_it_does_as_it_is_advised(raid: Ruleset) -> None:
    game = standing(raid, *PLACES, forecast_of=odds_of({NEAR: 0.5}))
    assert answered(game, act((NEAR,))) == ["shoot", NEAR]
    game.line[Seat(game, 0).activation :] = [Entry("choose", 1, "x")]
    assert Seat(game, 0).is_reacting
    assert answered(game, act((NEAR,))) == ["wait"]
    game.line[Seat(game, 0).activation :] = [Entry("choose", 0, "x"), Entry("choose", 1, "x")]
    assert not Seat(game, 0).is_reacting
    assert answered(game, act((NEAR,))) == ["shoot", NEAR]


def test_the_main_stage_of_a_forecast_counts_else_the_last() -> None:
    main, last = Step("losses", "", ((1, 0.5), (2, 0.25)), True), Step("breaks", "", ((1, 0.1),))
    assert Forecast(0, 1, (), (main, last)).main is main
    assert Forecast(0, 1, (), (last,)).main is last
    assert Forecast(0, 1, (), ()).main is None


@pytest.mark.parametrize("name", BOOKS)
def test_in_every_book_it_beats_the_player_at_random(name: str) -> None:
    book = load_ruleset(name)
    won = 0
    for side, seed in FOUGHT:
        game = battle(book, starters_of(book)[0], {side: BeginnerPlayer(1), 1 - side: RandomPlayer(2)}, seed)
        won += outcome(game) == str(side)
    assert won >= len(FOUGHT) / 2


def test_the_enemies_that_an_option_names(raid: Ruleset) -> None:
    game = standing(raid, *PLACES)
    eyes = Eyes(Seat(game, 0))
    rows = [model.row for model in eyes.named(Choose(0, "whom", (1,), "unit"), 1)]
    assert rows == [NEAR, FAR]
    assert [model.row for model in eyes.named(Choose(0, "whom", (1,), "model"), FAR)] == [FAR]
    assert eyes.named(Choose(0, "how many", (1,), "word"), 1) == []
    assert [foe.row for foe in eyes.foes] == [NEAR, FAR]
