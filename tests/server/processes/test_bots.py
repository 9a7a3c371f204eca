"""Bots at the tables: they play to the end, think elsewhere, and are broken off when they take too long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from campale.players.player import Player
from campale.players.script import ScriptPlayer
from campale.referee.game import Game
from campale.referee.question import Question
from campale.referee.records.record import RefereeError
from campale.referee.records.saved import verify
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE, Advised, load_ruleset
from campale.referee.seat import Seat
from campale.server.battle.live import Live, further_back
from campale.server.processes import bots, thinking
from campale.server.processes.thinking import Job, Pool, Thought, Thoughtful, Worker, imagined, job_of, thought
from campale.server.settings import Settings
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.page import WAIT, Page
from tests.toys import register


def begun(book: str, answers: int) -> Game:
    """A battle after some answers at random."""
    register()
    ruleset = load_ruleset(book)
    assert ruleset.starters is not None
    game, rng = Game(ruleset, ruleset.starters()[0], "bots"), Random(7)
    for _ in range(answers):
        side = game.asked[0]
        assert game.answer(side, game.pending[side].sample(rng)) is None
    return game


@pytest.mark.parametrize("book", [TOY, "drill", "ragnarok"])
def test_the_bytes_of_an_imagined_battle_are_that_battle(book: str) -> None:
    game = begun(book, 9)
    side = game.asked[0]
    assert side is not None
    job = job_of(game, side, Player(1), 0.1)
    there = imagined(job)
    assert there.asked == game.asked
    assert there.question_for(side) == game.question_for(side)
    assert there.seed != game.seed
    for strength in ("search", "greedy"):
        answer = thought(job._replace(strength=strength)).answer
        question = game.question_for(side)
        assert question is not None
        assert question.refusal(answer) is None


def test_a_thoughtful_player_follows_its_plan_without_asking_again() -> None:
    game = begun("ragnarok", 0)
    player = Thoughtful(1)
    trips = answers = 0
    while len(game.line) < 60 and not game.is_over:
        side = game.asked[0]
        assert side is not None
        try:
            answer = player.answer(Seat(game, side))
        except thinking.NeedsThought:
            found = thought(job_of(game, side, player, 0.02))
            player.plan, player.rng, answer = found.plan, found.rng, found.answer
            trips += 1
        assert game.answer(side, answer) is None
        answers += 1
    assert 0 < trips < answers


def test_all_decisions_of_an_activation_together_have_a_few_seconds() -> None:
    made, key = bots.Bots(Settings(thinking=1.0, activation=3.0)), ("battle", 0)
    assert made.seconds_for(key, 7) == 1.0
    for _ in range(3):
        made.spend(key, 7, 0.75)
    assert made.seconds_for(key, 7) == 0.75
    assert made.seconds_for(("battle", 1), 7) == made.seconds_for(key, 8) == 1.0
    made.spend(key, 7, 0.75)
    assert made.seconds_for(key, 7) == bots.LEAST
    made.spend(key, 8, 0.25)
    made.spend(key, 8, 2.25)
    assert made.seconds_for(key, 8) == 0.5


def test_a_thought_tells_how_long_it_took() -> None:
    game = begun("ragnarok", 40)
    side = game.asked[0]
    assert side is not None
    begun_at = time.monotonic()
    found = thought(job_of(game, side, Thoughtful(1, "search"), 0.2))
    assert 0.0 < found.seconds <= time.monotonic() - begun_at


class Endless:
    """A task that comes to nothing."""

    def done(self) -> None:
        while True:
            time.sleep(60.0)


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(1, 60.0)
    yield made
    made.close()


def test_a_process_that_takes_too_long_is_broken_off_and_begun_anew(pool: Pool) -> None:
    game = begun(TOY, 3)
    side = game.asked[0]
    assert side is not None
    job = job_of(game, side, Thoughtful(1), 0.05)

    async def think() -> tuple[Thought | None, Any, Thought | None]:
        first = await pool.think(job)
        pool.patience = 0.1
        late = await pool.think(Endless())
        pool.patience = 60.0
        return first, late, await pool.think(job)

    first, late, again = asyncio.run(think())
    assert late is None
    for one in (first, again):
        assert one is not None
        assert game.question_for(side) is not None
        assert game.question_for(side).refusal(one.answer) is None  # type: ignore[union-attr]


def test_a_process_that_breaks_down_is_not_the_end(pool: Pool) -> None:
    game = begun(TOY, 3)
    side = game.asked[0]
    assert side is not None
    job = job_of(game, side, Thoughtful(1), 0.05)
    broken = job._replace(position=b"nothing of the kind")
    assert asyncio.run(pool.think(broken)) is None
    assert pool.workers[0].process is not None
    assert asyncio.run(pool.think(job)) is not None


def test_a_bot_that_gives_no_answer_is_answered_for(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "think", lambda self, job, patience: None)
    server = serve()
    made = server.create(draft(TOY, "greedy", "random"))
    wait_for_the_end(server.hall.lives[made.battle])


def wait_for_the_end(live: Live, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while live.battle.stage != "over":
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("book", "one", "other"),
    [(TOY, "greedy", "greedy"), ("drill", "random", "greedy"), (TOY, "search", "random"), (TOY, "script", "script")],
)
def test_two_bots_play_to_the_end_and_are_watched(serve: Serve, book: str, one: str, other: str) -> None:
    server = serve()
    made = server.create(draft(book, one, other))
    with server.page(made) as page:
        page.until("state")
        while not page.is_over:
            page.hear()
        assert page.moment["result"]
    assert verify(server.call(server.hall.kept(made.battle)).saved).identical


def test_a_battle_of_bots_goes_on_by_itself_after_a_restart(serve: Serve) -> None:
    server = serve()
    made = server.create(draft("ragnarok", "random", "random"))
    server.end()
    row = server.hall.store.battle(made.battle)
    assert row is not None
    assert row.stage == "playing"
    again = serve()
    until = time.monotonic() + 30
    while made.battle not in again.hall.lives:
        assert time.monotonic() < until
        time.sleep(0.02)
    wait_for_the_end(again.hall.lives[made.battle])


def test_a_slow_bot_holds_up_nobody_else(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    played = threading.Event()

    def slow(self: Worker, job: Job, patience: float) -> Thought | None:
        played.wait(2 * WAIT)
        return None

    monkeypatch.setattr(Worker, "think", slow)
    server = serve()
    server.create(draft(TOY, "greedy", "greedy"))
    made = server.create(draft(TOY, "me", "random", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        assert page.play(most=10) == 10
    played.set()


class Together:
    """How many are inside at the same time, at the most."""

    def __init__(self) -> None:
        self.lock, self.now, self.most = threading.Lock(), 0, 0

    def __enter__(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.now -= 1


def test_many_bots_take_turns(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """People find a thread free, however many bots play."""
    inside, looked = Together(), bots.Bots._looked

    def slowly(self: bots.Bots, live: Live, side: int) -> bots.Given | None:
        with inside:
            time.sleep(0.01)
            return looked(self, live, side)

    monkeypatch.setattr(bots.Bots, "_looked", slowly)
    server = serve()
    battles = [server.create(draft(TOY, "random", "random")).battle for _ in range(12)]
    for battle in battles:
        wait_for_the_end(server.hall.lives[battle])
    assert 1 < inside.most <= bots.AT_A_TIME < server.settings.threads


def test_a_bot_whose_question_is_gone_answers_nothing(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person takes back the decision that the bot was thinking about."""
    thinking_now = asyncio.Event()
    answered: list[int] = []

    async def think(self: Pool, job: Job) -> Thought | None:
        answered.append(job.side)
        await thinking_now.wait()
        return None

    monkeypatch.setattr(Pool, "think", think)
    server = serve()
    made = server.create(draft(TOY, "me", "greedy", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        while not answered:
            if page.question:
                page.answer(page.proposal())
            page.sync()
        if page.moment["may_undo"]:
            record = len(server.hall.lives[made.battle].game.record)  # type: ignore[union-attr]
            assert page.reply(do="undo")["is"] == "done"
            page.sync()
            assert page.question
            server.hall.loop.call_soon_threadsafe(thinking_now.set)
            page.sync()
            assert len(server.hall.lives[made.battle].game.record) == record + 1  # type: ignore[union-attr]


def test_a_rule_that_breaks_down_under_a_bot_ends_only_its_turn(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(game: Game, side: int, question: object) -> None:
        raise RefereeError("seed 'secret', entry 3: a rule broke down")

    monkeypatch.setattr(Worker, "think", lambda self, job, patience: None)
    monkeypatch.setattr(bots, "play_quickly", breaks)
    server = serve()
    made = server.create(draft(TOY, "greedy", "me", is_agreed=True))
    with server.page(made, 1) as page:
        assert "secret" not in repr(page.until("state"))
        assert page.reply(do="ping")["is"] == "pong"


@pytest.mark.parametrize("breaks", [False, True], ids=["advice", "advice breaks down"])
def test_a_bot_without_time_to_think_does_what_is_advised_not_what_is_wasted(breaks: bool) -> None:
    options = edges(begun("ragnarok", 0)).options()
    answered = []
    for wanted in options:

        def advise(position: object, question: Question, about: object, wanted: Plain = wanted) -> Sequence[Advised]:
            if breaks:
                raise LookupError
            return [(one, 1.0 if one == wanted else WASTE) for one in question.options() or ()]

        game = begun("ragnarok", 0)
        game.ruleset = game.ruleset.replacing(advise=advise)
        question = edges(game)
        bots.play_quickly(game, question.side, question)
        answered.append(next(entry.answer for entry in game.line if entry.kind == "choose"))
    assert len(options) > 2
    assert set(answered) <= set(options)
    assert (answered == options) is not breaks


def edges(game: Game) -> Any:
    """The first question of a battle of Ragnarok."""
    return game.pending[game.asked[0]]


def test_those_who_think_do_so_elsewhere_each_by_its_strength() -> None:
    game = begun("drill", 0)
    side = game.asked[0]
    assert side is not None
    for strength in ("greedy", "search"):
        player = bots.seated(strength, "1")
        assert isinstance(player, Thoughtful)
        assert job_of(game, side, player, 0.1).strength == strength
    for strength in ("random", "script"):
        assert bots.seated(strength, "1").name == strength


def test_the_strong_bot_thinks_about_its_orders_and_for_a_few_times_as_long_at_most() -> None:
    book = load_ruleset("e3m")
    assert book.starters is not None
    game, scripts = Game(book, book.starters()[0], "orders", marks="last"), [ScriptPlayer(side) for side in (0, 1)]
    while (question := game.pending[game.asked[0]]).prompt not in book.far_reaching:
        side = game.asked[0]
        assert game.answer(side, scripts[side or 0].answer(Seat(game, side or 0))) is None
    side, strong = question.side, Thoughtful(1, "search")
    assert side is not None
    assert question.refusal(Thoughtful(1).answer(Seat(game, side))) is None
    with pytest.raises(thinking.NeedsThought):
        strong.answer(Seat(game, side))
    found = thought(job_of(game, side, strong, 0.3))
    assert question.refusal(found.answer) is None
    assert len(question.about["units"]) > thinking.MOST_AT_ONCE
    assert bots.Bots(Settings(thinking=1.0, patience=2.0)).pool.patience == thinking.MOST_AT_ONCE + 2.0


# ---------------------------------------------------------------- what is proposed to it


def test_a_bot_lets_a_decision_be_taken_back_while_nothing_is_rolled_nor_revealed(serve: Serve) -> None:
    """It answers at once, and turns down everything else."""
    server = serve()
    made = server.create(draft("ragnarok", "me", "random", is_agreed=True))
    answers: Counter[bool] = Counter()
    with server.page(made, 0) as page:
        page.until("state")
        game = asked(page, server, made.battle)
        while min(answers[True], answers[False]) < 2:
            page.answer(page.proposal())
            game = asked(page, server, made.battle)
            back, before = further_back(game, 0), len(game.line)
            consents = back >= 0 and game.is_nothing_at_stake_since(back)
            if back < 0 or answers[consents] == 2:
                continue
            answers[consents] += 1
            assert page.reply(do="propose", what={"undo": True})["is"] == "done"
            assert len(game.line) == (back if consents else before)
            assert game.proposal is None
            page.sync()
        for what in ({"draw": True}, {"correction": [["move", 0, 12.5, 3.0, 0.0, 0.0]]}):
            assert page.reply(do="propose", what=what)["is"] == "done"
            assert game.proposal is None


def asked(page: Page, server: Served, battle: str) -> Game:
    """The battle, once the person is asked."""
    page.sync()
    while not page.question:
        page.hear()
    game = server.hall.lives[battle].game
    assert game is not None
    return game
