"""Bots at the tables: a bot that thinks runs in a process of its own, with a time limit."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import TYPE_CHECKING, Any

from campale.players import GreedyPlayer, Player, ScriptPlayer, player_named
from campale.players.tries import quick
from campale.referee.game import Game
from campale.referee.lawful import legal
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat
from campale.server.battle.live import Who
from campale.server.battle.noting import decline
from campale.server.processes.thinking import (
    MOST_AT_ONCE,
    THINKERS,
    Job,
    NeedsThought,
    Pool,
    Thought,
    Thoughtful,
    job_of,
)
from campale.server.settings import Settings
from campale.server.sockets.wire import Done, Tells

if TYPE_CHECKING:
    from campale.server.battle.live import Live

LOG = logging.getLogger(__name__)
AT_A_TIME = 3
"""The number of bots that look or answer at the same time; people do not have to wait for all of them."""
LEAST = 0.05
"""Seconds for a decision after an activation has used all its time: enough for a line or two."""
MOST_STUCK = 5
"""The number of answers without effect after which a bot gives up until something changes."""


class Given:
    """The result of a look at the question: an answer, or something to think about."""

    def __init__(self, side: int, number: int, question: Question) -> None:
        self.side, self.number, self.question = side, number, question
        self.answer: tuple[Plain] | None = None
        self.job: Job | None = None
        self.activation = 0


class Bots:
    """Plays the seats of bots, with one task for each battle in which a bot is asked."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(settings.workers, MOST_AT_ONCE * settings.thinking + settings.patience)
        self.players: dict[tuple[str, int], Player] = {}
        self.spent: dict[tuple[str, int], tuple[int, float]] = {}
        """The activation that each player thought about last, and for how many seconds."""
        self.tasks: dict[str, asyncio.Task[bool]] = {}
        self.turns = asyncio.Semaphore(AT_A_TIME)
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    async def close(self) -> None:
        self.is_open = False
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.pool.close)

    def is_busy(self, live: Live) -> bool:
        return live.id in self.tasks

    def see(self, live: Live) -> None:
        """A battle has changed: a bot that is asked starts answering."""
        if self.is_open and live.id not in self.tasks and side_asked(live) is not None:
            task = asyncio.get_running_loop().create_task(self._play(live))
            self.tasks[live.id] = task
            task.add_done_callback(lambda task: self._done(live, task))

    def _done(self, live: Live, task: asyncio.Task[bool]) -> None:
        self.tasks.pop(live.id, None)
        if not task.cancelled() and task.result():
            self.see(live)
        if live.battle.stage == "over" or live.is_lost:
            for seat in live.seats:
                self.players.pop((live.id, seat.side), None)
                self.spent.pop((live.id, seat.side), None)

    async def _play(self, live: Live) -> bool:
        """Answer as long as a bot is asked and its answers have an effect. Returns whether they had."""
        stuck, before = 0, 0
        try:
            while self.is_open and not live.is_lost and (side := side_asked(live)) is not None and stuck < MOST_STUCK:
                async with self.turns:
                    given = await live.look(lambda side=side: self._looked(live, side))  # type: ignore[misc]
                if given is not None:
                    await self._answer(live, given)
                stuck, before = (stuck + 1 if live.done == before else 0), live.done
        except asyncio.CancelledError:
            raise
        except Exception:
            LOG.exception("battle %s: a bot gave up", live.id)
            return False
        return stuck < MOST_STUCK

    async def _answer(self, live: Live, given: Given) -> None:
        """Think if necessary, and put the answer into the battle."""
        answer = given.answer if given.job is None else await self._thought(live, given, given.job)
        async with self.turns:
            await live.change(lambda: self._put(live, given, answer), ignored)

    def _looked(self, live: Live, side: int) -> Given | None:
        """An immediate answer, or something to think about."""
        question = live.question_of(side)
        game = live.game
        if question is None or game is None:
            return None
        given = Given(side, live.seats[side].number, question)
        player = self._player(live, side)
        try:
            given.answer = (player.answer(Seat(game, side)),)
        except NeedsThought:
            given.activation = Seat(game, side).activation
            given.job = job_of(game, side, player, self.seconds_for((live.id, side), given.activation))
        return given

    def seconds_for(self, key: tuple[str, int], activation: int) -> float:
        """How long a player may think about its next decision in an activation."""
        last, seconds = self.spent.get(key, (activation, 0.0))
        left = self.settings.activation - (seconds if last == activation else 0.0)
        return max(LEAST, min(self.settings.thinking, left))

    def spend(self, key: tuple[str, int], activation: int, seconds: float) -> None:
        last, before = self.spent.get(key, (activation, 0.0))
        self.spent[key] = activation, seconds + (before if last == activation else 0.0)

    def _player(self, live: Live, side: int) -> Player:
        key = live.id, side
        if key not in self.players:
            self.players[key] = seated(live.seats[side].strength, f"{live.battle.server_seed}/{side}")
        return self.players[key]

    async def _thought(self, live: Live, given: Given, job: Job) -> tuple[Plain] | None:
        """The answer of the thinking process; None if it took too long or failed."""
        thought: Thought | None = await self.pool.think(job)
        if thought is None:
            return None
        self.spend((live.id, given.side), given.activation, thought.seconds)
        player = self._player(live, given.side)
        if isinstance(player, GreedyPlayer):
            player.plan, player.rng = thought.plan, thought.rng
        return (thought.answer,)

    def _put(self, live: Live, given: Given, answer: tuple[Plain] | None) -> Tells:
        """Give the answer to the game, or another if there is none; do nothing if the question is gone."""
        done = Done(0)
        game, side = live.game, given.side
        if game is None or live.question_of(side) is not given.question:
            return done
        if answer is None or game.answer(side, answer[0]) is not None:
            play_quickly(game, side, given.question)
        live.done += 1
        return done


def propose(live: Live, who: Who, what: dict[str, Plain], n: int) -> Tells:
    """Propose something to the other seat. A bot answers at once.

    It accepts an undo as long as no die was rolled and no secret revealed since, and accepts nothing else.
    """
    done, other = live.propose(who, what, n), live.seats[1 - who.side]
    proposed = live.game.proposal if live.game is not None else None
    if live.game is None or proposed is None or not isinstance(done, Done) or other.kind != "bot":
        return done
    bot, back = Who(other.side, other.language), proposed[1].get("undo")
    if back is not None and live.game.is_nothing_at_stake_since(back):
        live.act(bot, lambda game: game.consent(bot.side), n)
    else:
        decline(live, bot, n)
    return done


def play_quickly(game: Game, side: int, question: Question) -> None:
    """Give the answer that the ruleset advises; if there is none, a quick one, or any legal one."""
    seed = f"quick/{len(game.record)}"
    rng, advised = Random(seed), best_known(game, side, question, seed)
    if advised is not None and game.answer(side, advised[0]) is None:
        return
    if game.answer(side, quick(question, rng)) is not None:
        game.answer(side, legal(question, rng))


def best_known(game: Game, side: int, question: Question, seed: str) -> tuple[Plain] | None:
    """The answer that looks best without playing it through; None if the ruleset's advice breaks down."""
    try:
        return (ScriptPlayer(seed).best(question, Seat(game, side), {}),)
    except Exception:
        LOG.exception("the advice about '%s' breaks down", question.prompt)
        return None


def seated(strength: str, seed: str) -> Player:
    """The player for a strength; a thinking player does not think in this process."""
    return Thoughtful(seed, strength) if strength in THINKERS else player_named(strength, seed)


def side_asked(live: Live) -> int | None:
    """A bot with an open question; a bot enters dice that anybody may type only if there are no people."""
    game = live.game
    if game is None or game.is_over or live.battle.stage != "playing":
        return None
    bots = [seat.side for seat in live.seats if seat.kind == "bot"]
    if None in game.asked:
        return bots[0] if bots and len(bots) == len(live.seats) else None
    return next((side for side in bots if side in game.asked), None)


def ignored(message: Any) -> None:
    """Ignore replies: a bot does not read them."""
