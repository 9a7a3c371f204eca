"""One battle in memory, with the allowed acts of each seat; each change is committed before it is acknowledged."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, NamedTuple, TypeVar

import msgspec

from campale.referee.game import Game, RefereeError
from campale.referee.question import Question, unplain
from campale.referee.records.record import BATTLE_ENTRIES, CHANCE_KINDS, LATE, grained
from campale.referee.refusal import Plain, Refusal
from campale.screen.chaining import chained
from campale.screen.scene import Eyes, eyes, scene_of
from campale.screen.sheet import refusal_shown
from campale.server.battle.clocks import Clocks
from campale.server.battle.draft import Draft, TableError
from campale.server.battle.following import Beats, follow, kinds_for, orders_of, taken_back
from campale.server.battle.marching import Marches
from campale.server.battle.moment import Asked, moment_of, preview, title_of
from campale.server.battle.noting import ALWAYS, kept, note_renewed, spoken
from campale.server.battle.past import Past
from campale.server.battle.puzzling import look_at_goal
from campale.server.database.keeping import Keeper, game_of, saved_of, text
from campale.server.database.schema import BattleRow, ChatRow
from campale.server.database.store import LeaseLost, Store, StoreFailed, Written, differing
from campale.server.sockets.stream import Listener, Sight, Stream, Title, encoded, is_another_table
from campale.server.sockets.wire import Chat, Done, Failed, Refused, SetupShown, Spoken, State, Tells
from campale.server.told import told

LOG = logging.getLogger(__name__)
LONGEST_CHAT, MOST_CHAT, MOST_SAID = 1000, 500, 10_000
"""The most letters in a line of chat, the most lines sent to a newcomer, and the most lines in all."""
MOST_ENTRIES = 100_000
"""In a longer record undo and proposals are disabled: the battle can only be finished."""
MOST_OF_A_SEAT, MOST_SPECTATORS = 16, 200
"""The most connections at a time."""
MOST_STREAMS = 16
SLACK = 0.05
NO_DECISIONS = CHANCE_KINDS | BATTLE_ENTRIES | {LATE}

T = TypeVar("T")
Work = Callable[[], Any]
Reply = Callable[[Any], None]
StreamKey = tuple[int | None, str, bool]
"""A side, a language, and whether it is veiled."""


class Failure(TableError):
    """A message that cannot be carried out now: it changes nothing."""


class Who(NamedTuple):
    """An actor: side, language, and whether others look at the same screen."""

    side: int
    language: str
    is_veiled: bool = False

    @property
    def eyes(self) -> int | None:
        return None if self.is_veiled else self.side


class Live:
    """A battle that this process plays.

    All access to the game happens in a thread, under the lock. The connections of a seat take ``turns``: however many
    there are, the other seat waits for at most one of them.
    """

    def __init__(
        self, store: Store, owner: str, battle: BattleRow, threads: Executor, now: Callable[[], float] = time.time
    ) -> None:
        self.store, self.owner, self.threads, self.now = store, owner, threads, now
        self.lock = asyncio.Lock()
        self.turns: dict[int | None, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.id = battle.id
        self.streams: dict[StreamKey, Stream] = {}
        self.here: Counter[int | None] = Counter()
        self.used = time.monotonic()
        self.is_lost = False
        self.done = 0
        self.is_following = True
        self.is_rematched = False
        self.past = Past()
        self.on_change: Callable[[Live], None] = lambda live: None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._beat: asyncio.TimerHandle | None = None
        self.beats = Beats()
        self.load()

    def load(self) -> None:
        """Read the battle from the database. It blocks."""
        battle = self.store.battle(self.id)
        if battle is None:
            raise TableError("no-battle", 404)
        self.battle = self.kept_battle = battle
        self.seats = self.store.seats(self.id)
        self.kept_seats = list(self.seats)
        self.chat = self.store.chat(self.id, MOST_CHAT, ALWAYS)
        self.noted: list[ChatRow] = []
        self.untold: list[ChatRow] = []
        self.draft = msgspec.json.decode(battle.draft, type=Draft)
        self.game: Game | None = None
        self.keeper = Keeper()
        self.revision = 0
        self._eyes: dict[tuple[int | None, str], tuple[int, Eyes | None]] = {}
        self._sights: dict[StreamKey, tuple[int, Sight]] = {}
        self.clocks = Clocks(self.draft.clock)
        self.marches = Marches()
        self.setups: dict[tuple[int | None, str], SetupShown] = {}
        self.asked: dict[int, Question | None] = {}
        self.forms: dict[int, tuple[Question, str, Question]] = {}
        if battle.seed is not None:
            self._load_game()

    def _load_game(self) -> None:
        names = tuple(seat.name for seat in self.seats)
        saved = saved_of(self.battle, self.draft.setup(names), self.store.entries(self.id))
        self.game, self.keeper = game_of(saved, self.battle.boundary_events, self.store.journal(self.id))
        is_as_kept = len(self.game.record) == self.keeper.entries
        for seat in self.seats:
            self.asked[seat.side] = self.question_of(seat.side) if is_as_kept and seat.number else None
        if self.battle.stage == "playing":
            note_renewed(self)
        self.commit()
        self.untold = []

    # ------------------------------------------------------------------ running

    async def off(self, work: Callable[..., T], *of: Any) -> T:
        """Run the work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work, *of)

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work to its end, even if the waiting caller goes away."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        """Report a result whose waiting caller may be gone."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def look(self, work: Callable[[], T]) -> T:
        """Look at the battle: nothing changes."""
        return await self.finish(self._look(work))

    async def _look(self, work: Callable[[], T]) -> T:
        async with self.lock:
            self.used = time.monotonic()
            return await self.off(work)

    async def change(self, work: Work, reply: Reply) -> None:
        """Change the battle; commit, reply, then send every seat what it may know."""
        await self.finish(self._change(work, reply))

    async def _change(self, work: Work, reply: Reply) -> None:
        async with self.lock:
            self.used = time.monotonic()
            try:
                reply(await self.off(self._carried_out, work))
                if self.is_following:
                    await self.off(self._carried_out, lambda: follow(self))
                else:
                    self.beats.forget()
                await self._tell()
                await self._tell_noted()
            finally:
                self._set_alarm()
                self._set_beat()
                self.on_change(self)

    def _set_alarm(self) -> None:
        """Set the alarm for the next clock that runs out."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        left = self.clocks.soonest(self)
        if left is not None and not self.is_lost:
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, left) + SLACK, self._ring)

    def _set_beat(self) -> None:
        """Set the timer for the next answer by order that waits for its beat."""
        if self._beat is not None:
            self._beat.cancel()
            self._beat = None
        left = self.beats.soonest()
        if left is not None and not self.is_lost:
            self._beat = asyncio.get_running_loop().call_later(left + SLACK, self._strike)

    def _strike(self) -> None:
        task = asyncio.get_running_loop().create_task(self._change(lambda: None, lambda _: None))
        self._tasks.add(task)
        task.add_done_callback(self._rung)

    def leave(self) -> None:
        """Unload the battle: stop its alarms and beats."""
        for timer in (self._alarm, self._beat):
            if timer is not None:
                timer.cancel()

    def _ring(self) -> None:
        task = asyncio.get_running_loop().create_task(self._change(lambda: self.clocks.run_out(self), lambda _: None))
        self._tasks.add(task)
        task.add_done_callback(self._rung)

    def _rung(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            LOG.error("battle %s: a clock ran out in vain", self.id, exc_info=task.exception())

    def _carried_out(self, work: Work) -> Any:
        """Do the work and commit; if either fails, the battle is unchanged. Raises LeaseLost."""
        try:
            if self.is_lost:
                raise LeaseLost("battle.elsewhere")
            done = self._worked(work)
            self.commit()
        except LeaseLost:
            self.is_lost = True
            raise
        except StoreFailed:
            self._read_again()
            raise
        except TableError:
            raise
        except Exception as error:
            LOG.exception("battle %s: not committed", self.id)
            self._read_again()
            raise Failure("store.failed", 503) from error
        return done

    def _read_again(self) -> None:
        """Reload from the database; if that fails too, the battle is unloaded until somebody wants it."""
        try:
            self.load()
        except Exception:
            LOG.exception("battle %s: not read again", self.id)
            self.is_lost = True

    def _worked(self, work: Work) -> Any:
        """Do the work; if it fails, nothing has changed."""
        self.is_following = True
        try:
            return work()
        except RefereeError:
            LOG.exception("battle %s: a rule broke down", self.id)
            return failed("battle.broke", self.draft.language)
        except TableError:
            self.battle, self.seats, self.noted = self.kept_battle, list(self.kept_seats), []
            raise

    # ------------------------------------------------------------------ the database

    def commit(self) -> None:
        """Commit all changes in one transaction."""
        game = self.game
        written = Written() if game is None else self.keeper.written(game)
        if game is not None:
            look_at_goal(self)
            self.clocks.turn(self)
            self._number_questions(game)
            self.battle = msgspec.structs.replace(self.battle, **of_game(game, self.battle))
        written.battle |= differing(self.kept_battle, self.battle)
        pairs = zip(self.kept_seats, self.seats, strict=True)
        written.seats = {new.side: changes for old, new in pairs if (changes := differing(old, new))}
        written.chat = [row_of(line) for line in self.noted]
        if written.is_empty():
            return
        self.store.commit(self.id, self.owner, written)
        self.battle = self.kept_battle = msgspec.structs.replace(self.battle, **written.battle)
        self.kept_seats = list(self.seats)
        self.chat = kept([*self.chat, *self.noted], MOST_CHAT)
        self.noted, self.untold = [], [*self.untold, *self.noted]
        self.revision += 1
        if game is not None:
            self.keeper.has_written(game, written)

    def _number_questions(self, game: Game) -> None:
        """Number a seat's questions; the numbers depend only on the questions that it was asked."""
        for seat in self.seats:
            asked = self.question_of(seat.side)
            if asked is not None and asked is not self.asked.get(seat.side):
                self.with_seat(seat.side, number=seat.number + 1)
            self.asked[seat.side] = asked

    def with_seat(self, side: int, **changes: Any) -> None:
        self.seats[side] = msgspec.structs.replace(self.seats[side], **changes)

    # ------------------------------------------------------------------ questions

    def question_of(self, side: int | None) -> Question | None:
        if self.game is None or side is None or self.game.is_over:
            return None
        return self.game.question_for(side)

    def form_of(self, side: int | None) -> Question | None:
        """The open question of a seat, as the first field of a form if more questions follow from it."""
        question = self.question_of(side)
        if side is None or question is None or self.game is None:
            return question
        seat = self.seats[side]
        known, orders, form = self.forms.get(side, (None, "", question))
        if known is not question or orders != seat.orders:
            form = chained(self.game, question, orders_of(self, side), lambda game: eyes(game, side, seat.language))
            self.forms[side] = question, seat.orders, form
        return form

    def is_held_back(self, side: int | None) -> bool:
        """Whether a seat is not shown its question yet, because its orders may still answer it."""
        return side is not None and self.beats.is_pending(side)

    def asked_with(self, side: int | None, number: int) -> Question:
        """A seat's open question with this number, together with the questions that follow from it. Raises Failure."""
        question = self.form_of(side)
        if side is None or question is None or self.seats[side].number != number:
            raise Failure("answer.stale")
        return question

    # ------------------------------------------------------------------ acts

    def answer(self, who: Who, number: int, answer: Plain, n: int) -> Tells:
        """Answer a question. The very answer that was accepted under a number is acknowledged again."""
        side, seat = who.side, self.seats[who.side]
        if self.question_of(side) is None or seat.number != number:
            if unplain(answer) is None and msgspec.json.decode(seat.given) == plainly([number, grained(answer)]):
                return Done(n)
            raise Failure("answer.stale")
        assert self.game is not None
        refusal = self.marches.answered(self.game, side, self.form_of(side), answer)
        if refusal is not None:
            return self.refused(who, refusal, n)
        self.with_seat(side, given=text([number, grained(answer)]))
        return Done(n)

    def refused(self, who: Who, refusal: Refusal, n: int) -> Tells:
        seen = self.eyes(who.eyes, who.language)
        assert seen is not None
        self.is_following = False
        return Refused(n, refusal_shown(refusal, seen.teller))

    def act(self, who: Who, act: Callable[[Game], Refusal | None], n: int) -> Tells:
        """An act on the battle itself: an undo, a concession, a proposal. Orders wait for what follows."""
        if self.game is None or self.battle.stage != "playing":
            raise Failure("battle.not-playing")
        self.is_following = False
        refusal = act(self.game)
        return Done(n) if refusal is None else self.refused(who, refusal, n)

    def undo(self, who: Who, n: int) -> Tells:
        """Undo a decision. Its question opens again, whatever the orders say."""
        self.check_length()
        return self.act(who, lambda game: taken_back(self, game, who.side), n)

    def doubt(self, who: Who, n: int) -> Tells:
        """Let a die settle a doubt. The question stays open, and orders continue."""
        self.check_length()
        is_following = self.is_following
        done = self.act(who, lambda game: game.doubt(who.side), n)
        self.is_following = is_following
        return done

    def check_length(self) -> None:
        """Check the length of the record: endless undoing would fill the database. Raises Failure."""
        if self.game is not None and len(self.game.record) >= MOST_ENTRIES:
            raise Failure("record.full")

    def propose(self, who: Who, what: dict[str, Plain], n: int) -> Tells:
        """A draw, an undo of one decision more, a correction.

        The page does not name a place in the record: which places exist depends on secret dice.
        """
        self.check_length()
        if self.game is not None and "undo" in what:
            what = {"undo": further_back(self.game, who.side) if what == {"undo": True} else -1}
        return self.act(who, lambda game: game.propose(who.side, what), n)

    def say(self, side: int, said: str) -> Tells:
        """A line of chat, stored and sent to everybody. It does not set orders off."""
        self.is_following = False
        number = self.chat[-1].number + 1 if self.chat else 0
        if number >= MOST_SAID:
            raise Failure("chat.full")
        line = ChatRow(self.id, number, side, self.seats[side].name, said, round(self.now(), 3))
        self.store.commit(self.id, self.owner, Written(chat=[row_of(line)]))
        self.chat = kept([*self.chat, line], MOST_CHAT)
        return Chat(spoken(self, line, self.draft.language, None))

    def note(self, side: int | None, noted: str) -> None:
        """A line of chat that nobody wrote: committed with the change that it is about, and sent after that."""
        number = self.chat[-1].number + 1 if self.chat else 0
        if number < MOST_SAID:
            name = "" if side is None else self.seats[side].name
            self.noted.append(ChatRow(self.id, number, side, name, noted, round(self.now(), 3)))

    # ------------------------------------------------------------------ views

    def eyes(self, side: int | None, language: str) -> Eyes | None:
        """The view of a seat, until something changes; before the battle, a preview of the table."""
        at, found = self._eyes.get((side, language), (-1, None))
        if at != self.revision:
            found = preview(self, side, language) if self.game is None else eyes(self.game, side, language)
            self._eyes[side, language] = self.revision, found
        return found

    def sight(self, to: Stream) -> Sight:
        """The table as it was at the last change, and the present moment."""
        key = to.side, to.language, to.is_veiled
        at, known = self._sights.get(key, (-1, None))
        seen = self.eyes(to.eyes, to.language)
        scene = known.scene if known is not None and at == self.revision else seen and scene_of(seen)
        old = known.moment if known is not None else None
        question = None if self.is_held_back(to.side) else self.form_of(to.side)
        number = self.seats[to.side].number if to.side is not None and question is not None else 0
        is_same = at == self.revision and old is not None
        asked = Asked(number, question, old.sheet if is_same and old is not None else None)
        sight = Sight(seen, scene, moment_of(self, to, seen, scene, asked))
        self._sights[key] = self.revision, sight
        return sight

    @property
    def title(self) -> Title:
        return Title(self.id, self.battle.book, title_of(self.draft, self.draft.language))

    def state(self, stream: Stream) -> State:
        sight = self.sight(stream)
        title = Title(self.id, self.battle.book, title_of(self.draft, stream.language))
        state = stream.whole(sight, self.game, title, self.spoken(stream, self.chat))
        known = kinds_for(self, stream.side, stream.eyes, stream.language)
        return msgspec.structs.replace(state, orders=orders_of(self, stream.side), order_kinds=known)

    # ------------------------------------------------------------------ connections

    async def come(
        self, listener: Listener, side: int | None, language: str, seen: int, is_veiled: bool = False
    ) -> None:
        """A connection arrives, changes its language, or puts on a veil: it gets everything, or what it has missed.

        After that it gets only this stream.
        """
        await self.finish(self._come(listener, seen, (side, language, is_veiled)))

    async def _come(self, listener: Listener, seen: int, key: StreamKey) -> None:
        async with self.lock:
            self.used = time.monotonic()
            self._check_room(listener, key[0])
            self.here[key[0]] += 1
            stream = self.stream(key)
            missed = await self._missed(stream, seen)
            self._leave(listener)
            if listener.is_gone:
                self.here[stream.side] -= 1
                return
            for one in missed:
                listener.send(one)
            stream.listeners.add(listener)
            self._set_alarm()

    def _leave(self, listener: Listener) -> None:
        for stream in self.streams.values():
            if listener in stream.listeners:
                stream.listeners.discard(listener)
                self.here[stream.side] -= 1

    async def _missed(self, stream: Stream, seen: int) -> list[bytes]:
        """The messages that a newcomer to a stream has missed; everything, if the stream has moved on too far."""
        try:
            await self._tell(stream)
            missed = stream.since(seen) if seen > 0 else None
            return [await self.off(lambda: encoded(self.state(stream)))] if missed is None else missed
        except BaseException:
            self.here[stream.side] -= 1
            raise

    def _check_room(self, listener: Listener, side: int | None) -> None:
        """Raises Failure if too many connections listen to a seat."""
        is_known = any(listener in stream.listeners for stream in self.streams.values())
        if not is_known and self.here[side] >= (MOST_SPECTATORS if side is None else MOST_OF_A_SEAT):
            raise Failure("seat.full")

    async def go(self, listener: Listener) -> None:
        """A connection is gone."""
        await self.finish(self._go(listener))

    async def _go(self, listener: Listener) -> None:
        async with self.lock:
            self._leave(listener)
            await self._tell()

    def stream(self, key: StreamKey) -> Stream:
        """The stream of a seat in a language. If there are too many, those without listeners are dropped."""
        if key not in self.streams:
            idle = [known for known, stream in self.streams.items() if not stream.listeners]
            for known in idle if len(self.streams) >= MOST_STREAMS else ():
                del self.streams[known]
            side, language, is_veiled = key
            self.streams[key] = Stream(side, language, int(self.now() * 1000), is_veiled)
        return self.streams[key]

    async def tell(self) -> None:
        await self.finish(self._look(lambda: None))

    async def _tell(self, also: Stream | None = None) -> None:
        """Tell every stream with listeners what has changed."""
        heard = [stream for stream in self.streams.values() if stream.listeners or stream is also]
        for stream, message in await self.off(self._messages, heard) if heard else ():
            for listener in list(stream.listeners):
                listener.send(message)

    def _messages(self, streams: list[Stream]) -> list[tuple[Stream, bytes]]:
        found = ((stream, self._message(stream)) for stream in streams)
        return [(stream, message) for stream, message in found if message is not None]

    def _message(self, stream: Stream) -> bytes | None:
        now = self.sight(stream)
        if is_another_table(stream.seen, now):
            stream.begin_anew()
            return encoded(self.state(stream))
        news = stream.next(now, self.game)
        if news is None:
            return None
        message = encoded(news)
        stream.keep(message)
        return message

    def hear(self, message: Tells) -> None:
        """Send chat to everybody; it makes no News."""
        for stream in self.streams.values():
            stream.hear(encoded(message))

    async def _tell_noted(self) -> None:
        """Send notes to everybody, each in his own language."""
        noted, self.untold = self.untold, []
        for stream in list(self.streams.values()) if noted else ():
            for message in await self.off(self._noted, noted, stream):
                stream.hear(message)

    def _noted(self, noted: list[ChatRow], stream: Stream) -> list[bytes]:
        return [encoded(Chat(line)) for line in self.spoken(stream, noted)]

    def spoken(self, stream: Stream, lines: list[ChatRow]) -> list[Spoken]:
        """Lines of chat in the form of a stream."""
        return [spoken(self, line, stream.language, stream.eyes) for line in lines]


def of_game(game: Game, battle: BattleRow) -> dict[str, Any]:
    """The columns of a battle that depend on its game."""
    result = game.result
    found: dict[str, Any] = {"held": text(game.held), "asked": text(game.asked)}
    if game.is_over:
        counts = {} if result is None else {"winner": result.winner, "counts": result.counts, "rule": result.rule}
        found |= {"stage": "over", "result": text(counts)}
    return found


def further_back(game: Game, side: int) -> int:
    """The length of the line before the last decision of a side; -1 if there is none."""
    places = (at for at in range(len(game.line) - 1, -1, -1) if game.line[at].side == side)
    return next((at for at in places if game.line[at].kind not in NO_DECISIONS and at not in game.joints), -1)


def plainly(value: Plain) -> Any:
    """The value as it will be read again."""
    return msgspec.json.decode(text(value))


def row_of(line: ChatRow) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(line).items() if name != "battle"}


def failed(word: str, language: str, n: int = 0, **values: Any) -> Failed:
    return Failed(word, told(language, word, **values), n)
