"""The socket of a battle: a connection says who it is, gets everything it may know, and asks."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from campale.referee.fair import LONGEST_SEED
from campale.referee.game import Game
from campale.referee.refusal import Refusal
from campale.referee.telling.words import LANGUAGES
from campale.screen.chaining import inner
from campale.screen.forecasting import forecast_of, of_path, told, with_forecasts
from campale.screen.lifting import lifted
from campale.screen.looking import look_at
from campale.screen.sheet import (
    Astray,
    check,
    filled,
    foretold_at,
    laid_at,
    laid_though_refused,
    next_field,
    refusal_shown,
)
from campale.server.battle import rematching
from campale.server.battle.agreeing import agree, reveal
from campale.server.battle.draft import TableError
from campale.server.battle.following import keep_orders
from campale.server.battle.hall import Hall
from campale.server.battle.live import LONGEST_CHAT, Failure, Live, Who, failed
from campale.server.battle.noting import decline
from campale.server.battle.planning import plan_told
from campale.server.database.store import Elsewhere
from campale.server.guards.buckets import Bucket
from campale.server.guards.origins import is_own
from campale.server.operation import referring
from campale.server.processes.bots import propose
from campale.server.processes.weighing import Reckoning, looking, weighing
from campale.server.settings import Settings
from campale.server.sockets.hearing import number_of, plain_path, understood
from campale.server.sockets.stream import encoded
from campale.server.sockets.wire import (
    PROTOCOL,
    Agree,
    Answer,
    Asks,
    Check,
    Checked,
    Concede,
    Consent,
    Decline,
    Done,
    Doubt,
    Failed,
    Fill,
    Filled,
    Forecasted,
    Hello,
    Lift,
    Lifted,
    LookAt,
    Looked,
    Next,
    NextField,
    Odds,
    Ping,
    Plan,
    Pong,
    Propose,
    Refused,
    Reveal,
    Say,
    Speak,
    Standing,
    Tells,
    Undo,
    Veil,
    Weigh,
    Weighed,
)

LOG = logging.getLogger(__name__)
MOST_WAITING, MOST_BYTES = 1000, 16_000_000
"""The most messages waiting to be sent, and their bytes; a connection that reads too slowly is closed."""
TALK, TALK_BURST = 1.0, 20
"""Lines of chat per second, and the burst."""
WHOLE, WHOLE_BURST = 1.0, 20
"""How often everything may be sent again, per second, and the burst: it is much work. A veil is always allowed."""
MOST_WEIGHED = 8
"""The most options that one connection may have weighed at a time."""
MOST_IGNORED = 400
"""The number of messages beyond the limit after which the connection is closed."""

TOO_LARGE, TOO_SLOW, TOO_MANY, NOT_UNDERSTOOD, UNKNOWN, DENIED, NO_HELLO = 1009, 4013, 4008, 4000, 4004, 4003, 4002
RESTARTING, BROKEN = 1012, 4011

SEAL = re.compile("[0-9a-f]{64}")


class Closing(Exception):
    """The connection ends, with a code and perhaps a last word."""

    def __init__(self, code: int, word: str = "", n: int = 0) -> None:
        super().__init__(word)
        self.code, self.word, self.n = code, word, n


class Line:
    """One connection. Its messages are queued, so that nobody waits for a slow reader."""

    def __init__(self, socket: WebSocket, hall: Hall) -> None:
        self.socket, self.hall = socket, hall
        self.settings: Settings = hall.settings
        self.bucket = Bucket(self.settings.messages, self.settings.message_burst)
        self.talk, self.whole = Bucket(TALK, TALK_BURST), Bucket(WHOLE, WHOLE_BURST)
        self.waiting: asyncio.Queue[bytes | int] = asyncio.Queue()
        self.size = 0
        self.is_ending = self.is_gone = False
        self.language = LANGUAGES[0]
        self.side: int | None = None
        self.token = ""
        self.is_veiled = False
        self.live: Live | None = None
        self.weighing: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------ sending

    def send(self, told: bytes) -> None:
        if self.is_ending:
            return
        is_full = self.waiting.qsize() >= MOST_WAITING or self.size + len(told) > MOST_BYTES
        if is_full and self.size:
            while not self.waiting.empty():
                self.waiting.get_nowait()
            self.end(TOO_SLOW)
            return
        self.waiting.put_nowait(told)
        self.size += len(told)

    def tell(self, message: Tells) -> None:
        self.send(encoded(message))

    def fail(self, word: str, n: int = 0) -> None:
        self.tell(failed(word, self.language, n))

    def end(self, code: int) -> None:
        """Close once all waiting messages are sent."""
        if not self.is_ending:
            self.is_ending = True
            self.waiting.put_nowait(code)

    async def write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                told = await self.waiting.get()
                if isinstance(told, int):
                    await self.socket.close(told)
                    return
                self.size -= len(told)
                await self.socket.send_text(told.decode())

    # ------------------------------------------------------------------ receiving

    async def run(self) -> None:
        await self.socket.accept()
        writer = asyncio.get_running_loop().create_task(self.write())
        reader = asyncio.get_running_loop().create_task(self.read())
        await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        if reader.done() and not writer.done():
            with suppress(TimeoutError):
                await asyncio.wait_for(writer, self.settings.hello)
        tasks = (reader, writer, *self.weighing)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.is_gone = True
        if self.live is not None:
            await self.live.go(self)

    async def read(self) -> None:
        """Read messages until the connection ends."""
        try:
            await self.greeted()
            while not self.is_ending:
                await self.serve(await self.received())
        except WebSocketDisconnect:
            self.end(1000)
        except Closing as closing:
            if closing.word:
                self.fail(closing.word, closing.n)
            self.end(closing.code)
        except asyncio.CancelledError:
            raise
        except Exception:
            LOG.exception("a connection broke down")
            self.fail("broken")
            self.end(BROKEN)

    async def received(self) -> bytes:
        """The next message that is neither too large nor beyond the rate limit."""
        while True:
            found = await self.socket.receive()
            if found["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(found.get("code") or 1000)
            raw = found.get("text")
            data: bytes = found.get("bytes") or b"" if raw is None else raw.encode("utf-8", "replace")
            if len(data) > self.settings.largest_message:
                raise Closing(TOO_LARGE, "message.too-large")
            if self.bucket.takes():
                return data
            if self.bucket.refused > MOST_IGNORED:
                raise Closing(TOO_MANY, "message.too-many")
            self.fail("message.too-many", number_of(data))

    async def greeted(self) -> None:
        """Read the first message, which says who is there. Raises Closing."""
        try:
            data = await asyncio.wait_for(self.received(), self.settings.hello)
            hello = understood(data)
        except TimeoutError:
            raise Closing(NO_HELLO, "hello.none") from None
        except Failure as failure:
            raise Closing(NOT_UNDERSTOOD, failure.word) from None
        if not isinstance(hello, Hello):
            raise Closing(NO_HELLO, "hello.none", getattr(hello, "n", 0))
        self.language = hello.language if hello.language in LANGUAGES else LANGUAGES[0]
        if hello.protocol != PROTOCOL:
            raise Closing(NOT_UNDERSTOOD, "hello.protocol")
        battle = str(self.socket.path_params["battle"])
        try:
            self.side = await self.hall.side_of(battle, hello.token)
            self.token, self.is_veiled = hello.token, hello.veiled and self.side is not None
            self.live = await self.hall.live(battle)
            await self.live.come(self, self.side, self.language, hello.seen, self.is_veiled)
            await self.hall.tell_again(self.live, [self])
        except Elsewhere as error:
            await self.refer(error, data)
        except TableError as error:
            raise Closing(CODES.get(error.word, UNKNOWN), error.word) from None

    async def refer(self, elsewhere: Elsewhere, hello: bytes) -> None:
        """Pass everything to and from the process that plays the battle. Raises Closing if it cannot be reached."""
        other = await referring.opened(elsewhere.at, self.socket)
        if other is None:
            raise Closing(CODES[elsewhere.word], elsewhere.word)
        self.hall.metrics.referred.inc()
        self.end(await referring.passed(other, hello, self.received, self.send))

    async def serve(self, data: bytes) -> None:
        """Handle one message, with exactly one reply if it has a number."""
        n = 0
        try:
            message = understood(data)
            n = getattr(message, "n", 0)
            async with self.table.turns[self.side]:
                await SERVED[type(message)](self, message)
        except TableError as error:
            if self.live is None or self.live.is_lost:
                raise Closing(CODES["battle.elsewhere"], "battle.elsewhere", n) from None
            self.tell(failed(error.word, self.language, n or number_of(data), **error.values))
        except (Closing, WebSocketDisconnect, asyncio.CancelledError):
            raise
        except Exception:
            LOG.exception("a message broke something")
            self.fail("broken", n)

    # ------------------------------------------------------------------ requests

    @property
    def table(self) -> Live:
        assert self.live is not None
        return self.live

    @property
    def seat(self) -> int:
        """The side that sits here. Raises Failure for spectators, who only look."""
        if self.side is None:
            raise Failure("seat.spectator")
        return self.side

    @property
    def who(self) -> Who:
        return Who(self.seat, self.language, self.is_veiled)

    async def answer(self, message: Answer) -> None:
        who, live = self.who, self.table
        with self.hall.metrics.answering() as shown:
            await live.change(
                lambda: live.answer(who, message.question, message.answer, message.n),
                lambda reply: self.tell(shown(reply)),
            )

    async def check(self, message: Check) -> None:
        seat, live = self.seat, self.table

        def checked() -> Tells:
            question, seen, path = live.asked_with(seat, message.question), self.eyes(), plain_path(message.path)
            refusal = check(question, path, message.answer)
            if refusal is not None:
                laid = laid_though_refused(question, path, message.answer, seen.teller, seen.position)
                return Checked(message.n, refusal_shown(refusal, seen.teller), laid=laid)
            laid = laid_at(question, path, message.answer, seen.teller, seen.position)
            due = foretold_at(question, path, message.answer, seen.teller)
            return Checked(message.n, None, of_path(seen, *inner(question, path), message.answer), laid, due)

        self.tell(await live.look(checked))

    async def next(self, message: Next) -> None:
        seat, live = self.seat, self.table

        def found() -> Tells:
            question, seen = live.asked_with(seat, message.question), self.eyes()
            try:
                return NextField(message.n, next_field(question, plain_path(message.path), seen.teller, seen.position))
            except Astray as astray:
                return Refused(message.n, refusal_shown(astray.refusal, seen.teller))

        self.tell(await live.look(found))

    async def fill(self, message: Fill) -> None:
        seat, live = self.seat, self.table

        def found() -> Tells:
            question, seen = live.asked_with(seat, message.question), self.eyes()
            path = plain_path(message.path)
            try:
                whole = filled(question, path, message.answers, message.changed, seen.teller, seen.position)
            except Astray as astray:
                return Refused(message.n, refusal_shown(astray.refusal, seen.teller))
            form, within = inner(question, path)
            if within:
                return Filled(message.n, whole.fields, whole.refusal)
            odds = forecast_of(seen, form, [field.answer for field in whole.fields])
            return Filled(message.n, with_forecasts(seen, form, whole.fields), whole.refusal, odds)

        self.tell(await live.look(found))

    async def plan(self, message: Plan) -> None:
        seat, live = self.seat, self.table

        def found() -> Tells:
            return plan_told(live.asked_with(seat, message.question), message, self.eyes())

        self.tell(await live.look(found))

    async def lift(self, message: Lift) -> None:
        seat, live = self.seat, self.table

        def found() -> Tells:
            return Lifted(message.n, *lifted(live.asked_with(seat, message.question), message.model, self.eyes()))

        self.tell(await live.look(found))

    async def look(self, message: LookAt) -> None:
        def found() -> Tells:
            seen = self.eyes()
            shown = look_at(seen, message.model) if 0 <= message.model < len(seen.position.names) else None
            if shown is None:
                raise Failure("look.nothing")
            return Looked(message.n, shown)

        self.tell(await self.table.look(found))

    async def weigh(self, message: Weigh) -> None:
        live, n = self.table, message.n

        def copied() -> tuple[Any, Reckoning | None]:
            question, seen = live.asked_with(self.seat, message.question), self.eyes()
            return seen.teller, weighing(live.game, question, plain_path(message.path), message.answer, seen)

        await self.reckon(copied, lambda found, is_late: Weighed(n, found[0] if found else None, is_late))

    async def odds(self, message: Odds) -> None:
        live, n = self.table, message.n

        def copied() -> tuple[Any, Reckoning | None]:
            seen = self.eyes()
            return seen.teller, looking(live.game, message.model, message.target, seen)

        await self.reckon(copied, lambda found, is_late: Forecasted(n, found, is_late))

    async def reckon(self, copied: Callable[[], Any], reply: Callable[[list[Any], bool], Tells]) -> None:
        """Compute in another process: the asker continues in the meantime, and gets the result later."""
        if len(self.weighing) >= MOST_WEIGHED:
            raise Failure("message.too-many")
        teller, task = await self.table.look(copied)
        begun = asyncio.get_running_loop().create_task(self.tell_later(teller, task, reply))
        self.weighing.add(begun)
        begun.add_done_callback(self.weighing.discard)

    async def tell_later(self, teller: Any, task: Reckoning | None, reply: Callable[[list[Any], bool], Tells]) -> None:
        found = [] if task is None else await self.hall.weigher.think(task)
        self.tell(reply([told(one, teller) for one in found or ()], found is None))

    def eyes(self) -> Any:
        seen = self.table.eyes(None if self.is_veiled else self.side, self.language)
        if seen is None:
            raise Failure("battle.not-playing")
        return seen

    async def say(self, message: Say) -> None:
        seat, live = self.seat, self.table
        said = "".join(c for c in message.text if (c.isprintable() or c == "\n") and not 0xD800 <= ord(c) < 0xE000)
        if not said.strip() or len(said) > LONGEST_CHAT:
            raise Failure("chat.length")
        if not self.talk.takes():
            raise Failure("message.too-many")
        await live.change(lambda: live.say(seat, said.strip()), live.hear)

    async def agree(self, message: Agree) -> None:
        seat, live = self.seat, self.table
        if message.seal and not SEAL.fullmatch(message.seal):
            raise Failure("agree.seal")
        await live.change(lambda: agree(live, seat, message.version, message.seal, message.n), self.tell)

    async def reveal(self, message: Reveal) -> None:
        seat, live = self.seat, self.table
        if not 0 < len(message.seed) <= LONGEST_SEED or not message.seed.isprintable():
            raise Failure("agree.seed")
        await live.change(lambda: reveal(live, seat, message.seed, message.n), self.tell)

    async def undo(self, message: Undo) -> None:
        who, live = self.who, self.table
        await live.change(lambda: live.undo(who, message.n), self.tell)

    async def concede(self, message: Concede) -> None:
        await self.act(lambda game, side: game.concede(side), message.n)

    async def doubt(self, message: Doubt) -> None:
        who, live = self.who, self.table
        await live.change(lambda: live.doubt(who, message.n), self.tell)

    async def propose(self, message: Propose) -> None:
        who, live = self.who, self.table
        if message.what != {"rematch": True}:
            await live.change(lambda: propose(live, who, message.what, message.n), self.tell)
            return
        await live.change(lambda: rematching.propose(live, who.side, message.n), self.tell)
        if live.is_rematched:
            await self.hall.rematch(live)

    async def consent(self, message: Consent) -> None:
        who, live = self.who, self.table
        if live.battle.rematch in (None, who.side):
            await self.act(lambda game, side: game.consent(side), message.n)
            return
        await live.change(lambda: rematching.agree(live, who.side, message.n), self.tell)
        await self.hall.rematch(live)

    async def decline(self, message: Decline) -> None:
        who, live = self.who, self.table
        await live.change(lambda: decline(live, who, message.n), self.tell)

    async def act(self, act: Callable[[Game, int], Refusal | None], n: int) -> None:
        who, live = self.who, self.table
        await live.change(lambda: live.act(who, lambda game: act(game, who.side), n), self.tell)

    async def standing(self, message: Standing) -> None:
        who, live = self.who, self.table

        def kept() -> Tells:
            keep_orders(live, who.side, message.orders)
            return Done(message.n)

        await live.change(kept, self.tell)

    async def speak(self, message: Speak) -> None:
        """Switch to another language: everything is sent again."""
        if message.language not in LANGUAGES:
            raise Failure("language.unknown")
        if not self.whole.takes():
            raise Failure("message.too-many")
        self.language = message.language
        await self.table.come(self, self.side, self.language, 0, self.is_veiled)

    async def veil(self, message: Veil) -> None:
        """Switch to the public's eyes, or to the seat's own: everything is sent again."""
        seat = self.seat
        if not (self.whole.takes() or message.on):
            raise Failure("message.too-many")
        self.is_veiled = message.on
        self.tell(Done(message.n))
        await self.table.come(self, seat, self.language, 0, self.is_veiled)

    async def ping(self, message: Ping) -> None:
        self.tell(Pong(message.n))

    async def hello(self, message: Hello) -> None:
        raise Failure("hello.again")


SERVED: dict[type[Asks], Callable[[Line, Any], Any]] = {
    Answer: Line.answer,
    Check: Line.check,
    Next: Line.next,
    Fill: Line.fill,
    Plan: Line.plan,
    Lift: Line.lift,
    LookAt: Line.look,
    Odds: Line.odds,
    Weigh: Line.weigh,
    Say: Line.say,
    Agree: Line.agree,
    Reveal: Line.reveal,
    Veil: Line.veil,
    Undo: Line.undo,
    Concede: Line.concede,
    Doubt: Line.doubt,
    Propose: Line.propose,
    Consent: Line.consent,
    Decline: Line.decline,
    Standing: Line.standing,
    Speak: Line.speak,
    Ping: Line.ping,
    Hello: Line.hello,
}

CODES = {"battle.elsewhere": 4009, "no-battle": UNKNOWN, "not-yours": DENIED, "seat.full": TOO_MANY}


# ------------------------------------------------------------------ the route


async def look_again(hall: Hall, lines: set[Line]) -> None:
    for line in [one for one in lines if one.live is not None and one.side is not None]:
        if not await hall.sits(line.table.id, line.side, line.token):
            line.fail("not-yours")
            line.end(DENIED)


def add_to(app: FastAPI, hall: Hall) -> None:
    router = APIRouter()
    lines: set[Line] = set()
    of_address: Counter[str] = Counter()

    @router.websocket("/api/battles/{battle}/socket")
    async def battle_socket(socket: WebSocket) -> None:
        if not is_own(socket.headers, hall.settings.origins):
            await socket.close(DENIED)
            return
        address = socket.client.host if socket.client is not None else ""
        if of_address[address] >= hall.settings.lines:
            await socket.close(TOO_MANY)
            return
        line = Line(socket, hall)
        lines.add(line)
        of_address[address] += 1
        try:
            await line.run()
        finally:
            lines.discard(line)
            of_address.subtract([address])
            if of_address[address] <= 0:
                del of_address[address]
            if socket.client_state is WebSocketState.CONNECTED and socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, OSError):
                    await socket.close(RESTARTING)

    def close_lines(live: Live, code: int, message: Failed) -> None:
        for line in lines:
            if line.live is live:
                line.tell(message)
                line.end(code)

    hall.close_lines, hall.look_again = close_lines, partial(look_again, hall, lines)
    app.include_router(router)
