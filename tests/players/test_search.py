"""The searching player: what it remembers of a line, what it may spend, what it sees, and that it plays the better."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import count
from random import Random

import pytest

from campale.players import GreedyPlayer, RandomPlayer, SearchPlayer, player_named
from campale.players.allowance import Allowance
from campale.players.greedy import Follow, Line, Step
from campale.players.ideas import Idea, Ideas
from campale.players.script import ScriptPlayer
from campale.players.search import Thought, TurnThought
from campale.referee.chance import Roll
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.referee.seat import Seat
from campale.rulesets.e3m.bots.counsel import order_worths
from campale.simulate import battle


def steps(answer: str) -> tuple[Step, ...]:
    return (Step("choose", "act", answer),)


def ideas_of(**worths: list[float]) -> Ideas:
    """Ideas by their answers, with how each went by every luck; the first is the one that others must outdo."""
    ideas = Ideas()
    for answer, (first, *others) in worths.items():
        ideas.note(steps(answer), first)
        for one in others:
            ideas.by_name[repr(steps(answer))].note(one)
    return ideas


def answers(ideas: Iterable[Idea]) -> list[object]:
    return [one.steps[0].answer for one in ideas]


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

    @property
    def activation(self) -> int:
        return Seat(self._hidden, self.side).activation

    def imagined(self, rng: Random, luck: tuple[str, int] | None = None) -> Game:
        return self._hidden.imagined_by(self.side, rng, luck)


# ---------------------------------------------------------------- ideas


def test_a_line_is_noted_once() -> None:
    ideas = Ideas()
    assert ideas.note(steps("a"), 1.0)
    assert not ideas.note(steps("a"), 2.0)
    assert [one.worths for one in ideas] == [[1.0]]


def test_a_play_that_broke_down_tells_nothing() -> None:
    (idea,) = ideas_of(a=[1.0, 3.0, -math.inf])
    assert idea.worths == [1.0, 3.0, 2.0]


def test_the_better_half_goes_on_and_the_first_idea_with_it() -> None:
    ideas = ideas_of(usual=[0.0], poor=[-1.0], good=[2.0], fair=[1.0])
    assert answers(ideas.better_half(list(ideas), 1)) == ["good", "fair", "usual"]
    ideas = ideas_of(usual=[3.0], poor=[-1.0], good=[2.0])
    assert answers(ideas.better_half(list(ideas), 1)) == ["usual", "good"]


def test_ideas_are_compared_by_what_they_gain_with_the_same_luck() -> None:
    """Luck that is the same for both weighs nothing, however great it is; other luck weighs against what is new."""
    shared = ideas_of(usual=[0.0, 100.0, -50.0, 30.0], other=[1.0, 101.0, -48.0, 31.0])
    assert answers([shared.best(list(shared), 4)]) == ["other"]
    apart = ideas_of(usual=[0.0, 100.0, -50.0, 30.0], other=[-50.0, 1.0, 102.0, 31.0])
    assert answers([apart.best(list(apart), 4)]) == ["usual"]


def test_one_luck_alone_is_no_reason_to_leave_the_first_idea() -> None:
    ideas = ideas_of(usual=[0.0, 0.0], other=[9.0, 9.0])
    assert answers([ideas.best(list(ideas), 1)]) == ["usual"]
    assert answers([ideas.best(list(ideas), 2)]) == ["other"]


def test_lucks_that_fell_alike_for_one_idea_count_for_less_where_they_differ_for_others() -> None:
    alone = ideas_of(usual=[0.0, 0.0], alike=[2.0, 2.0])
    assert answers([alone.best(list(alone), 2)]) == ["alike"]
    among = ideas_of(usual=[0.0, 0.0], alike=[2.0, 2.0], wild=[9.0, -9.0])
    assert answers([among.best(list(among), 2)]) == ["usual"]


def test_ideas_that_cannot_be_the_best_are_played_no_more() -> None:
    """Neither those that are worse for sure, nor those that come to the same with every luck."""
    ideas = ideas_of(usual=[0.0, 5.0, 1.0, 2.0], worse=[-9.0, -3.0, -8.0, -6.0], same=[0.0, 5.0, 1.0, 2.0])
    assert answers(ideas.undecided(list(ideas), 4)) == ["usual"]
    ideas = ideas_of(usual=[0.0, 5.0, 1.0, 2.0], better=[1.0, 5.0, 4.0, 4.0], other=[3.0, 0.0, 5.0, 5.0])
    assert answers(ideas.undecided(list(ideas), 4)) == ["usual", "better", "other"]


def test_the_idea_to_do_nothing_is_compared_to_the_end() -> None:
    """Else it would be judged by a single luck, with which nothing else may have had an effect."""
    ideas = Ideas(steps("nothing"))
    for answer, worth in {"usual": 3.0, "nothing": -1.0, "good": 2.0, "fair": 1.0}.items():
        ideas.note(steps(answer), worth)
    assert answers(ideas.first(2)) == ["usual", "good", "nothing"]
    assert answers(ideas.better_half(list(ideas), 1)) == ["usual", "good", "nothing"]
    assert answers(ideas.better_half([ideas.usual], 1)) == ["usual"]


def test_two_ideas_are_set_beside_each_other_by_the_lucks_they_share() -> None:
    one, other = ideas_of(one=[1.0, 9.0], other=[0.5])
    assert one.beside(other) == 0.5


# ---------------------------------------------------------------- what may be spent


def spent(allowance: Allowance) -> int:
    """The lines of one thought."""
    allowance.begin()
    while allowance.spend():
        pass
    return allowance.played


def test_every_thought_has_all_the_lines() -> None:
    allowance = Allowance(100, math.inf, lambda: 0.0)
    assert [spent(allowance), spent(allowance)] == [100, 100]
    assert allowance.spent() == 1.0


def test_every_thought_has_all_the_time() -> None:
    """The clock moves by a hundredth of a second at every look."""
    ticks = count()
    allowance = Allowance(math.inf, 1.0, lambda: next(ticks) / 100)
    assert spent(allowance) == pytest.approx(spent(allowance), abs=1) == pytest.approx(100, abs=1)


def test_several_decisions_at_once_have_the_budget_of_each_up_to_a_limit() -> None:
    allowance = Allowance(10, math.inf, lambda: 0.0)
    for decisions, lines in ((1, 10), (6, 60), (0, 10)):
        allowance.begin(decisions)
        assert allowance.lines == lines
    allowance.most = 4
    allowance.begin(6)
    assert allowance.lines == 40


def test_one_line_is_played_when_all_the_time_is_over() -> None:
    ticks = count()
    assert spent(Allowance(math.inf, 1e-9, lambda: float(next(ticks)))) == 1


def test_the_player_keeps_its_time_by_the_clock_that_is_passed_in(raid: Ruleset) -> None:
    ticks = count()
    player = SearchPlayer(1, seconds=1.0, clock=lambda: next(ticks) / 10)
    seat = Seat(game_of(raid), 0)
    assert seat.question is not None
    assert seat.question.refusal(player.answer(seat)) is None
    assert next(ticks) <= 16


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


def thinking(raid: Ruleset, lines: int, worths: Mapping[str, float]) -> tuple[SearchPlayer, Seat]:
    """A player for whom a line is worth what its first answer is, and the advised one begins with "a"."""
    player, seat = SearchPlayer(1, lines=lines), Seat(game_of(raid), 0)
    player.allowance.begin()

    def played(seat: Seat, steps: tuple[Step, ...], follow: Follow | None = None) -> Line:
        begun = steps or (Step("choose", "act", "a"),)
        return Line(begun, worths[str(begun[0].answer)])

    player.played = played  # type: ignore[method-assign]
    return player, seat


def test_it_stops_where_nothing_is_left_to_be_found_out(raid: Ruleset) -> None:
    """The advised line is the best of two: when both are known, looking for more soon ends, and no more is played."""
    player, seat = thinking(raid, 10_000, {"a": 1.0, "b": 0.0})
    thought = Thought(player, seat, Choose(0, "act", ("a", "b")))
    assert len(thought.ideas) == 2
    assert player.allowance.played < 30
    assert thought.chosen() == steps("a")


def test_the_advised_line_is_left_for_a_better_one(raid: Ruleset) -> None:
    player, seat = thinking(raid, 40, {"a": 1.0, "b": 2.0, "c": 0.0})
    assert Thought(player, seat, Choose(0, "act", ("a", "b", "c"))).chosen() == steps("b")


def test_lines_that_are_compared_have_the_same_luck(raid: Ruleset) -> None:
    """The same dice whoever comes first, the same lots, the same secrets; other ones with another luck."""
    game = game_of(raid)
    player = SearchPlayer(1)
    player.luck = "7", 0
    one, same = (player.imagined(Seat(game, 0)) for _ in "ab")
    player.luck = "7", 1
    other = player.imagined(Seat(game, 0))
    hits, saves = Roll(0, "hits", 12, about={"shooter": 1}), Roll(1, "saves", 12)
    assert one.dice.answer(hits) != other.dice.answer(hits)
    rolled = one.dice.answer(saves), one.dice.answer(hits)
    assert (same.dice.answer(hits), same.dice.answer(hits), same.dice.answer(saves))[1:] == rolled[::-1]


def test_what_was_good_is_tried_again_where_it_may_be(raid: Ruleset) -> None:
    player, seat = thinking(raid, 2, {"a": 1.0, "b": 2.0, "c": 0.0})
    player.kept = ["gone", "c"]
    assert answers(Thought(player, seat, Choose(0, "act", ("a", "b", "c"))).ideas) == ["a", "c"]


def test_nothing_is_done_where_nothing_is_gained(raid: Ruleset) -> None:
    """What costs nothing and changes nothing could else go on for ever."""
    form = Form(0, "act", lambda filled: None if filled else Choose(0, "act", ("end", "turn", "fire")), idle=["end"])

    def chosen(**worths: float) -> Plain:
        player, seat = SearchPlayer(1, lines=60), Seat(game_of(raid), 0)
        player.allowance.begin()

        def played(seat: Seat, steps: tuple[Step, ...], follow: Follow | None = None) -> Line:
            begun = steps or (Step("form", "act", ["turn"]),)
            return Line(begun, worths[begun[0].answer[0]])

        player.played = played  # type: ignore[method-assign]
        return Thought(player, seat, form).chosen()[0].answer

    assert chosen(end=0.0, turn=0.0, fire=-1.0) == ["end"]
    assert chosen(end=-0.5, turn=0.0, fire=0.0) == ["turn"]
    assert chosen(end=-0.5, turn=0.0, fire=0.1) == ["fire"]
    assert chosen(end=0.2, turn=0.0, fire=0.1) == ["end"]


def test_where_the_turn_goes_on_the_advised_is_done_although_nothing_is_gained(raid: Ruleset) -> None:
    """A shot that misses with a few lucks is still worth firing."""
    form = Form(0, "act", lambda filled: None if filled else Choose(0, "act", ("hold", "fire")), idle=["hold"])
    player, seat = SearchPlayer(1, lines=20), Seat(game_of(raid), 0)
    player.allowance.begin()

    def played(seat: Seat, steps: tuple[Step, ...], follow: Follow | None = None) -> Line:
        return Line(steps or (Step("form", "act", ["fire"]),), 0.0)

    player.played = played  # type: ignore[method-assign]
    thought = Thought(player, seat, form)
    assert not player.may_leave
    assert thought.chosen() == thought.ideas.usual.steps


def test_lines_go_on_beyond_their_activation_as_everybody_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many activations ahead, both sides in turn; where the turn may be left, to its end."""
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
    assert player.may_leave
    assert len(seen) == player.allowance.played
    assert turn not in seen


@pytest.mark.parametrize(
    ("horizon", "turn", "phase"), [(0, 0, "deploy"), (1, 1, "bid"), (2, 1, "act"), (None, 1, "bid")]
)
def test_lines_end_where_the_ruleset_says(raid: Ruleset, horizon: int | None, turn: int, phase: str) -> None:
    """One side deploys, then the other, which is the end of the turn; then both bid."""
    seen: set[tuple[int, str]] = set()

    def appraise(position: Position, side: int) -> float:
        seen.add((position.now["turn"], position.now["phase"]))
        return raid.appraise(position, side)

    seat = Seat(game_of(raid.replacing(appraise=appraise, horizon=horizon)), 0)
    assert seat.question is not None
    SearchPlayer(1, lines=3).thought_out(seat, seat.question)
    assert seen == {(turn, phase)}


def test_it_looks_less_far_ahead_where_time_is_short(raid: Ruleset) -> None:
    """The clock moves by an eighth of a second at every look: a tenth of the time for a line is soon over."""
    ticks = count()
    short, long = SearchPlayer(1, seconds=1.0, clock=lambda: next(ticks) / 8), SearchPlayer(1, lines=4)
    for player in (short, long):
        seat = Seat(game_of(raid), 0)
        assert seat.question is not None
        player.thought_out(seat, seat.question)
    assert short.horizon < long.horizon == raid.horizon


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


# ---------------------------------------------------------------- forms that decide a turn


def orders(**changes: object) -> tuple[Seat, Form]:
    """The first sheet of orders in a battle of Edition 3.m, with six units."""
    book = load_ruleset("e3m").replacing(**changes)
    game, scripts = game_of(book, "orders"), {side: ScriptPlayer(f"orders/{side}") for side in (0, 1)}
    while True:
        for side in game.asked:
            question = game.pending[side]
            if isinstance(question, Form) and question.prompt in book.far_reaching:
                assert side is not None
                return Seat(game, side), question
        side = game.asked[0]
        assert game.answer(side, scripts[side or 0].answer(Seat(game, side or 0))) is None


def test_orders_are_thought_about_although_others_give_them_offhand() -> None:
    seat, form = orders()
    player, greedy = SearchPlayer(1, lines=2), GreedyPlayer(1)
    assert seat.offhand(form) is not None
    assert (player.at_once(seat, form), greedy.at_once(seat, form)) == (None, seat.offhand(form))
    assert form.refusal(player.answer(seat)) is None
    units = len(form.about["units"])
    assert units < player.allowance.played <= 2 * units, "each unit brings two lines; ideas may run out before"
    assert not player.failures


def test_lines_of_orders_go_to_the_end_of_the_turn_however_slow_they_are() -> None:
    seen: set[Plain] = set()
    book = load_ruleset("e3m")

    def appraise(position: Position, side: int) -> float:
        seen.add(book.turn(position))
        return book.appraise(position, side)

    seat, form = orders(appraise=appraise)
    ticks = count()
    player = SearchPlayer(1, seconds=1.0, clock=lambda: next(ticks) / 2)
    player.thought_out(seat, form)
    assert player.allowance.seconds == len(form.about["units"])
    assert player.allowance.played > 1
    assert seen == {2}


def test_one_order_is_changed_at_a_time_and_then_those_that_gain_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made up: every Halt gains, and every March loses."""
    seat, form = orders()

    def play(thought: Thought, steps: tuple[Step, ...], luck: int, follow: Follow) -> Line:
        given = steps[0].answer
        assert isinstance(given, list)
        return Line(steps, 10.0 * given.count("halt") - given.count("march"))

    monkeypatch.setattr(Thought, "play", play)
    player = SearchPlayer(1, lines=60)
    player.allowance.begin()
    thought = TurnThought(player, seat, form)
    tried = [one.steps[0].answer for one in thought.ideas]
    assert tried[0] == thought.usual == seat.offhand(form)[0]  # type: ignore[index]
    changes = [sum(a != b for a, b in zip(answer, thought.usual, strict=True)) for answer in tried]
    assert changes[0] == 0
    assert {1, 2, 6} <= set(changes)
    assert sorted(changes) == changes
    assert thought.chosen()[0].answer == ["halt"] * 6


def test_the_orders_that_seem_nearly_as_good_are_tried_first() -> None:
    seat, form = orders()
    player = SearchPlayer(1, lines=1)
    thought = TurnThought(player, seat, form)
    worths = order_worths(seat._game.position, seat.side)
    rows = form.about["units"]
    lost = []
    for answer in thought.otherwise():
        (k,) = [k for k, (one, usual) in enumerate(zip(answer, thought.usual, strict=True)) if one != usual]
        lost.append(max(worths[rows[k]].values()) - worths[rows[k]][answer[k]])
    assert lost == sorted(lost)
    assert len(lost) == 5 * len(rows)


def test_it_beats_the_greedy_player(raid: Ruleset) -> None:
    points, setup = 0.0, game_of(raid).setup
    for seed in range(20):
        side = seed % 2
        game = battle(raid, setup, {side: SearchPlayer(seed, lines=30), 1 - side: GreedyPlayer(seed)}, str(seed))
        winner = game.result.winner if game.result else None
        points += 0.5 if winner is None else float(winner == side)
    assert points > 12
