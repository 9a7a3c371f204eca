"""The players: always a legal answer, the same for the same seed, in the time they are given."""

from __future__ import annotations

import math
from itertools import count
from random import Random

import pytest

from campale.players import PLAYERS, GreedyPlayer, Player, RandomPlayer, player_named
from campale.players.greedy import Line, Step
from campale.players.script import ScriptPlayer
from campale.players.tries import tries
from campale.referee.game import Game
from campale.referee.lawful import NoAnswer, legal
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import Ruleset
from campale.referee.seat import Seat
from campale.simulate import battle


def game_of(ruleset: Ruleset, seed: str = "1") -> Game:
    assert ruleset.starters is not None
    return Game(ruleset, ruleset.starters()[0], seed)


class First(Player):
    """Only the defaults."""

    name = "first"


class Fussy(Player):
    """Writes one kind, badly."""

    name = "fussy"

    def choose(self, question: Question, seat: Seat) -> Plain:
        return "what is not on offer"


@pytest.mark.parametrize("kind", [First, Fussy, RandomPlayer, GreedyPlayer])
def test_every_player_plays_every_kind_of_question_to_the_end(raid: Ruleset, kind: type[Player]) -> None:
    game = game_of(raid)
    for seed in range(3):
        game = battle(raid, game.setup, {0: kind(seed), 1: kind(seed)}, str(seed))
        assert game.is_over
    kinds = {entry.kind for entry in game.line}
    assert {"place", "form", "choose", "move"} <= kinds


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_plays_the_same_battle(raid: Ruleset, name: str) -> None:
    setup = game_of(raid).setup
    one, other = (battle(raid, setup, {0: player_named(name, 7), 1: player_named(name, 8)}) for _ in "ab")
    assert one.line == other.line


def test_a_player_asked_nothing_says_so(raid: Ruleset) -> None:
    game = game_of(raid)
    with pytest.raises(NoAnswer, match="side 1"):
        First().answer(Seat(game, 1))
    with pytest.raises(NoAnswer):
        RandomPlayer().answer(Seat(game, 1))


def test_a_question_without_a_legal_answer_is_a_fault_of_the_ruleset() -> None:
    class Impossible(Choose):
        __slots__ = ()

        def sample(self, rng: Random) -> Plain:
            return "no"

    question = Impossible(0, "impossible", ("no",), forbids=lambda key: Fault(word="answer.not-offered"))
    with pytest.raises(NoAnswer, match="impossible"):
        legal(question, Random(1))


def test_an_unknown_player_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="random, script, beginner, greedy"):
        player_named("clever")


def test_the_greedy_player_stops_thinking_when_its_time_is_over(raid: Ruleset) -> None:
    """Its clock moves by a second at every look: there is time for one line only."""
    game = game_of(raid)
    ticks = count()
    player = GreedyPlayer(1, seconds=0.5, clock=lambda: float(next(ticks)))
    question = game.question
    assert question is not None
    assert question.refusal(player.answer(Seat(game, 0))) is None
    assert next(ticks) <= 5


def test_the_greedy_player_does_not_think_where_there_is_one_answer(raid: Ruleset) -> None:
    game = battle(raid, game_of(raid).setup, {0: GreedyPlayer(1, lines=1), 1: GreedyPlayer(2, lines=1)})
    assert game.is_over

    def never() -> float:
        raise AssertionError

    only = Choose(0, "only", ("this",))
    lonely = game_of(raid)
    lonely.pending = {0: only}
    assert GreedyPlayer(clock=never).answer(Seat(lonely, 0)) == "this"


def line(answer: str, worth: float) -> Line:
    return Line((Step("choose", "act", answer),), worth)


def test_lines_that_came_next_are_tried_again_the_best_first() -> None:
    player, question = GreedyPlayer(1), Choose(0, "act", ("a", "b", "c", "d"))
    assert len(list(player.beginnings(question, 3))) == 3
    player.remember([line("c", 1.0), line("d", 2.0), line("b", float("-inf"))])
    assert list(player.beginnings(question, 1)) == [line("d", 2.0).steps]
    assert player.remembered == [line("c", 1.0)]


def test_what_was_remembered_is_forgotten_where_it_is_refused_or_something_else_is_asked() -> None:
    player, question = GreedyPlayer(1), Choose(0, "act", ("a", "b"))
    list(player.beginnings(question, 3))
    player.remember([line("elsewhere", 3.0)])
    assert all(steps[0].answer in ("a", "b") for steps in player.beginnings(question, 3))
    player.remember([line("a", 3.0)])
    list(player.beginnings(Choose(0, "other", ("a", "b")), 3))
    assert player.remembered == []


def test_the_first_line_follows_what_the_ruleset_advises(raid: Ruleset) -> None:
    """Every answer of its own on that line is the one that the scripted player would give there."""
    battle_begun = game_of(raid)
    player, seat = GreedyPlayer(1, lines=1), Seat(battle_begun, battle_begun.asked[0] or 0)
    followed: list[str] = []

    def advised(game: Game, question: Question) -> Plain:
        followed.append(question.prompt)
        return ScriptPlayer(1).best(question, Seat(game, seat.side), {})

    player.advised = advised  # type: ignore[method-assign]
    question = seat.question
    assert question is not None
    best = player.best_of(seat, question, float("inf"))
    assert best is not None
    assert [step.prompt for step in best.steps] == followed
    assert followed[0] == question.prompt


def test_of_a_choice_the_options_tried_least_come_first() -> None:
    question = Choose(0, "act", tuple("abcdef"))
    times = {repr(key): 1 for key in "abcd"}
    assert set(tries(question, 2, Random(1), times)) == {"e", "f"}
    assert tries(question, 2, Random(1))[0] == "a"


def test_the_greedy_player_beats_the_random_one(raid: Ruleset) -> None:
    setup = game_of(raid).setup
    won = lost = 0
    for seed in range(30):
        side = seed % 2
        game = battle(raid, setup, {side: GreedyPlayer(seed, lines=12), 1 - side: RandomPlayer(seed)}, str(seed))
        winner = game.result.winner if game.result else None
        won, lost = won + (winner == side), lost + (winner == 1 - side)
    assert won > 2 * lost


def test_the_thinking_breaks_nothing_and_leaves_the_battle_as_it_was(raid: Ruleset) -> None:
    game = game_of(raid)
    before = game.position.to_bytes()
    player = GreedyPlayer(3)
    player.answer(Seat(game, 0))
    assert game.position.to_bytes() == before
    assert player.failures == []


def test_a_line_that_breaks_down_is_thrown_away_and_kept_for_who_looks(raid: Ruleset) -> None:
    async def step(position: Position) -> bool:
        if position.now["side"] == 1:
            raise ValueError("a rule that fails")
        return await raid.step(position)

    game = game_of(raid.replacing(step=step))
    player = GreedyPlayer(1)
    answer = player.answer(Seat(game, 0))
    assert game.question is not None
    assert game.question.refusal(answer) is None
    assert player.failures
    assert all("a rule that fails" in one for one in player.failures)


def test_without_a_bound_the_clock_does_not_matter() -> None:
    assert GreedyPlayer(1).seconds == math.inf
