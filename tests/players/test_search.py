"""The searching player: what it remembers of a line, what it may spend, what it sees, and that it plays the better."""

from __future__ import annotations

import math
from itertools import count
from random import Random

import pytest

from campale.players import GreedyPlayer, RandomPlayer, SearchPlayer, player_named
from campale.players.greedy import Follow, Line, Step
from campale.players.ideas import Ideas
from campale.players.search import FEWEST, Allowance, Thought, chosen
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.referee.seat import Seat
from campale.simulate import battle


def line(answer: str, worth: float, is_sure: bool = False) -> Line:
    return Line((Step("choose", "act", answer),), worth, is_sure)


def ideas_of(*lines: Line) -> Ideas:
    ideas = Ideas()
    for one in lines:
        ideas.note(one)
    return ideas


def answers(ideas: Ideas) -> list[object]:
    return [one.steps[0].answer for one in ideas.ranked()]


def game_of(ruleset: Ruleset, seed: str = "1") -> Game:
    assert ruleset.starters is not None
    return Game(ruleset, ruleset.starters()[0], seed)


class Closed(Seat):
    """A seat of which the player may use no more than any seat offers: the game is not where it usually is."""

    __slots__ = ("_hidden",)

    def __init__(self, game: Game, side: int) -> None:
        self._hidden, self.side = game, side

    @property
    def ruleset(self) -> Ruleset:
        return self._hidden.ruleset

    @property
    def question(self) -> Question | None:
        return self._hidden.question_for(self.side)

    def imagined(self, rng: Random) -> Game:
        return self._hidden.imagined_by(self.side, rng)


# ---------------------------------------------------------------- ideas


def test_an_idea_is_the_mean_of_its_plays() -> None:
    ideas = ideas_of(line("a", 4.0), line("a", 0.0), line("b", 1.0))
    assert len(ideas) == 2
    assert [(one.times, one.mean) for one in ideas] == [(2, 2.0), (1, 1.0)]


def test_a_line_is_new_once() -> None:
    ideas = Ideas()
    assert ideas.note(line("a", 1.0))
    assert not ideas.note(line("a", 2.0))


def test_a_line_without_dice_is_played_once_for_all() -> None:
    ideas = ideas_of(line("a", 1.0, is_sure=True), line("a", 5.0, is_sure=True))
    assert [(one.times, one.mean) for one in ideas] == [(1, 1.0)]
    assert ideas.promising(9) is None
    assert Ideas().promising(9) is None


def test_what_cannot_become_the_best_is_not_played_again() -> None:
    dicey = [line("dicey", worth) for worth in (0.0, 1.0) * 8]
    assert ideas_of(*dicey, line("sure", 9.0, is_sure=True)).promising(17) is None
    assert ideas_of(*dicey, line("sure", 0.6, is_sure=True)).promising(17) is not None


def test_a_play_that_broke_down_tells_nothing() -> None:
    ideas = ideas_of(line("a", 1.0))
    next(iter(ideas)).note(-math.inf)
    assert [(one.times, one.mean) for one in ideas] == [(1, 1.0)]


def test_what_is_good_is_played_again_and_so_is_what_is_hardly_known() -> None:
    often = [line("often", worth) for worth in (1.0, 3.0) * 20]
    good = ideas_of(*often, line("poor", -50.0)).promising(41)
    assert good is not None
    assert good.steps[0].answer == "often"
    hardly = ideas_of(*often, line("hardly", 1.5)).promising(41)
    assert hardly is not None
    assert hardly.steps[0].answer == "hardly"


def test_one_lucky_play_does_not_outdo_many_good_ones() -> None:
    many = [line("many", worth) for worth in (0.0, 10.0) * 30]
    assert answers(ideas_of(*many, line("lucky", 6.0))) == ["many", "lucky"]
    assert answers(ideas_of(*many, line("sure", 6.0, is_sure=True))) == ["sure", "many"]


# ---------------------------------------------------------------- what may be spent


def spent(allowance: Allowance, activation: int) -> int:
    """The lines of one thought."""
    allowance.begin(activation)
    while allowance.spend():
        pass
    allowance.end()
    return allowance.played


def test_the_thoughts_of_an_activation_share_its_lines() -> None:
    allowance = Allowance(100, math.inf, lambda: 0.0)
    assert [spent(allowance, 1), spent(allowance, 1), spent(allowance, 2)] == [85, 13, 85]
    assert [spent(allowance, 2) for _ in range(6)][-1] == FEWEST


def test_the_thoughts_of_an_activation_share_its_time() -> None:
    """The clock moves by a hundredth of a second at every look."""
    ticks = count()
    allowance = Allowance(math.inf, 1.0, lambda: next(ticks) / 100)
    first, second, other = spent(allowance, 1), spent(allowance, 1), spent(allowance, 2)
    assert 80 <= first <= 86
    assert 8 <= second <= 14
    assert other == first


def test_one_line_is_played_when_all_the_time_is_over() -> None:
    ticks = count()
    assert spent(Allowance(math.inf, 1e-9, lambda: float(next(ticks))), 1) == 1


def test_the_player_keeps_its_time_by_the_clock_that_is_passed_in(raid: Ruleset) -> None:
    ticks = count()
    player = SearchPlayer(1, seconds=1.0, clock=lambda: next(ticks) / 10)
    seat = Seat(game_of(raid), 0)
    assert seat.question is not None
    assert seat.question.refusal(player.answer(seat)) is None
    assert next(ticks) <= 12


@pytest.mark.parametrize("wrong", [{"lines": 0}, {"seconds": 0.0}, {"seconds": -1.0}, {"seconds": math.nan}])
def test_a_budget_of_nothing_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="a search needs"):
        SearchPlayer(1, **wrong)  # type: ignore[arg-type]


def test_a_budget_may_be_part_of_the_name() -> None:
    by_lines, by_time = player_named("search:12"), player_named("search:0.2s")
    assert isinstance(by_lines, SearchPlayer)
    assert isinstance(by_time, SearchPlayer)
    assert (by_lines.allowance.lines, by_lines.allowance.seconds, by_lines.is_repeatable) == (12, math.inf, True)
    assert (by_time.allowance.lines, by_time.allowance.seconds, by_time.is_repeatable) == (math.inf, 0.2, False)
    for wrong in ("search:", "search:fast", "search:0s", "search:-3", "greedy:5"):
        with pytest.raises(KeyError, match="search:80"):
            player_named(wrong)


# ---------------------------------------------------------------- how it plays


@pytest.mark.parametrize("book", ["ragnarok", "e55"])
def test_nothing_that_it_answers_is_refused_and_the_same_seed_answers_the_same(book: str) -> None:
    """``battle`` raises at a refusal."""
    ruleset = load_ruleset(book)
    assert ruleset.starters is not None
    setup, lines = ruleset.starters()[1], []
    for _ in "ab":
        player = SearchPlayer(5, lines=4)
        lines.append(battle(ruleset, setup, {0: player, 1: RandomPlayer(6)}, "search", False, "last", 70).line)
        assert player.failures == []
    assert lines[0] == lines[1]


def test_it_uses_no_more_than_its_seat_and_leaves_the_battle_as_it_was(raid: Ruleset) -> None:
    game = game_of(raid)
    before = game.position.to_bytes(), game.line[:]
    player = SearchPlayer(3, lines=20)
    answer = player.answer(Closed(game, 0))
    assert game.question is not None
    assert game.question.refusal(answer) is None
    assert (game.position.to_bytes(), game.line) == before
    assert player.failures == []


def test_it_answers_the_same_whatever_the_other_side_hides() -> None:
    """At every boundary of the first turns, in two battles that differ in what the other side holds back in secret."""
    ruleset, rng, looked = load_ruleset("e55"), Random(4), 0
    game = game_of(ruleset, "secrets")
    while not game.is_over and looked < 5:
        side = game.asked[0]
        assert side is not None
        if game.marks[-1].at == len(game.line):
            other = game.imagined_by(side, rng)
            if other.position.to_bytes() != game.position.to_bytes():
                here, there = (SearchPlayer(2, lines=4).answer(Seat(one, side)) for one in (game, other))
                assert here == there
                looked += 1
        assert game.answer(side, game.pending[side].sample(rng)) is None
    assert looked == 5


def test_it_stops_where_nothing_is_left_to_be_found_out(raid: Ruleset) -> None:
    """Two answers without dice: when both are known, looking for more soon ends."""
    game = game_of(raid)
    assert isinstance(game, Game)
    player = SearchPlayer(1, lines=10_000)
    seat = Seat(game, 0)
    player.allowance.begin(0)
    two = Choose(0, "act", ("a", "b"))

    def played(seat: Seat, steps: tuple[Step, ...], before: float = 0.0, follow: Follow | None = None) -> Line:
        return line(str(steps[0].answer) if steps else "a", 1.0, is_sure=True)

    player.played = played  # type: ignore[method-assign]
    assert len(Thought(player, seat, two, game).ideas) == 2
    assert player.allowance.played < 20


def test_the_line_that_does_nothing_is_played_often_enough_to_measure_others_by_it(raid: Ruleset) -> None:
    game, player = game_of(raid), SearchPlayer(1, lines=100)
    form = Form(0, "act", lambda filled: None if filled else Choose(0, "act", ("end", "fire")), idle=["end"])

    def played(seat: Seat, steps: tuple[Step, ...], before: float = 0.0, follow: Follow | None = None) -> Line:
        advised = (Step("form", "act", ["fire"]),)
        is_idle = bool(steps) and steps[0].answer == ["end"]
        return Line(steps or advised, 0.0 if is_idle else 50.0 + player.rng.random())

    player.played = played  # type: ignore[method-assign]
    player.allowance.begin(0)
    ideas = Thought(player, Seat(game, 0), form, game).ideas
    times = {str(one.steps[0].answer): one.times for one in ideas}
    assert 8 <= times["['end']"] <= 12
    assert times["['fire']"] > 60


def test_lines_that_promised_much_are_tried_again_where_the_same_is_asked() -> None:
    player = SearchPlayer(1)
    act, other = Choose(0, "act", ("a", "b")), Choose(0, "other", ("a",))
    player.known_lines(act)
    player.kept = [line("a", 2.0).steps, line("gone", 1.0).steps, line("b", 0.0).steps]
    assert player.known_lines(act) == [line("b", 0.0).steps, line("a", 2.0).steps]
    assert player.known_lines(other) == []
    assert player.known_lines(act) == []


def test_nothing_is_done_where_nothing_is_gained() -> None:
    """What costs nothing and changes nothing could else go on for ever; where something must be done it is the best."""
    form = Form(0, "act", lambda filled: None if filled else Choose(0, "act", ("end", "turn", "fire")), idle=["end"])
    idle, turn, fire = (
        Line((Step("form", "act", [key]),), worth) for key, worth in (("end", -0.5), ("turn", 0.0), ("fire", 0.1))
    )
    assert chosen(form, ideas_of(idle, turn).ranked(), False) == idle.steps
    assert chosen(form, ideas_of(idle, turn, fire).ranked(), False) == fire.steps
    assert chosen(form, ideas_of(idle, turn).ranked(), True) == turn.steps
    assert chosen(form, ideas_of(idle).ranked(), True) == idle.steps
    assert chosen(form, [], False) == idle.steps
    must = Choose(0, "act", ("turn",))
    assert chosen(must, ideas_of(turn).ranked(), False) == turn.steps
    assert chosen(must, [], False) == ()


def test_a_line_is_looked_at_when_its_turn_is_over_where_the_turn_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a book whose side acts until it does nothing more; the turns in which lines were appraised are noted."""
    ruleset, seen = load_ruleset("ragnarok"), []

    def appraise(position: Position, side: int) -> float:
        seen.append(ruleset.turn(position))
        return ruleset.appraise(position, side)

    game = game_of(ruleset.replacing(appraise=appraise), "ahead")
    players = {side: RandomPlayer(side) for side in (0, 1)}
    while not (game.question is not None and game.question.prompt == "act"):
        side = game.asked[0]
        assert side is not None
        assert game.answer(side, players[side].answer(Seat(game, side))) is None
    side, turn = game.asked[0], ruleset.turn(game.position)
    assert side is not None
    player = SearchPlayer(1, lines=12)
    player.thought_out(Seat(game, side), game.pending[side])
    assert player.left_by_idling == {"act"}
    assert seen.count(turn) < 4, "before, the line that does nothing, and those before it was seen how a turn is left"
    del seen[:]
    player.thought_out(Seat(game, side), game.pending[side])
    assert seen[0] == turn
    assert turn not in seen[1:]


def test_lines_that_break_down_are_thrown_away(raid: Ruleset) -> None:
    async def step(position: Position) -> bool:
        if position.now["side"] == 1:
            raise ValueError("a rule that fails")
        return await raid.step(position)

    game = game_of(raid.replacing(step=step))
    player = SearchPlayer(1, lines=10)
    answer = player.answer(Seat(game, 0))
    assert game.question is not None
    assert game.question.refusal(answer) is None
    assert all("a rule that fails" in one for one in player.failures)


def test_it_beats_the_greedy_player(raid: Ruleset) -> None:
    points, setup = 0.0, game_of(raid).setup
    for seed in range(20):
        side = seed % 2
        game = battle(raid, setup, {side: SearchPlayer(seed, lines=30), 1 - side: GreedyPlayer(seed)}, str(seed))
        winner = game.result.winner if game.result else None
        points += 0.5 if winner is None else float(winner == side)
    assert points > 12
