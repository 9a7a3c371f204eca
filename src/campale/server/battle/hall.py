"""All the tables of a server: it creates, joins and finds battles, and loads them into memory on demand."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Literal, TypeVar

import msgspec

from campale.referee.fair import Fair
from campale.referee.game import Game
from campale.referee.journal import Event, Journal
from campale.referee.records.saved import SavedGameError, load, read, ruleset_of
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import told as event_told
from campale.referee.telling.words import LANGUAGES, words
from campale.screen.orders import at_first
from campale.screen.scene import eyes, scene_of
from campale.screen.sheet import sheet
from campale.server.battle import rematching
from campale.server.battle.agreeing import begin_unasked
from campale.server.battle.draft import (
    LONGEST_NAME,
    Created,
    Denied,
    Draft,
    Invitation,
    Joined,
    Kept,
    Mine,
    PuzzleDraft,
    SeatDraft,
    SeatMade,
    Summary,
    Taken,
    Unknown,
)
from campale.server.battle.fair import commitment
from campale.server.battle.holding import Holding
from campale.server.battle.live import Live, of_game
from campale.server.battle.moment import seat_shown, sides_asked, title_of
from campale.server.battle.readying import begin_set_out
from campale.server.battle.seats import LONGEST_TOKEN, Keys, hashed
from campale.server.club.house import Club
from campale.server.database.keeping import Keeper, game_of, saved_of, text, versions
from campale.server.database.schema import BattleRow, SeatRow
from campale.server.database.store import Elsewhere, LeaseLost, Store, StoreFailed
from campale.server.operation.metrics import Metrics
from campale.server.operation.presence import Presence, address_of, named
from campale.server.processes.analysing import Study
from campale.server.processes.bots import Bots
from campale.server.processes.examining import Examined
from campale.server.processes.thinking import Pool
from campale.server.processes.trying import PATIENCE as TRIAL
from campale.server.processes.trying import Tried, Trying
from campale.server.processes.weighing import PATIENCE
from campale.server.settings import Settings
from campale.server.sockets.stream import Listener, Stream, encoded
from campale.server.sockets.wire import Failed, State
from campale.server.told import told

LOG = logging.getLogger(__name__)
ELSEWHERE = 4009
MOST_TOKENS = 200
LOOKERS = 2
"""The number of concurrent replays: each may play through a whole battle, and running battles come first."""
LEFT_BEHIND = 600.0
"""Seconds after the loss of a process after which its battles only continue when somebody opens them."""
IMPORTS = 2
"""The number of concurrent imports: each may play through a whole battle."""

T = TypeVar("T")


class Hall:
    """The battles of one process, over one database."""

    def __init__(self, settings: Settings, keys: Keys | None = None) -> None:
        self.settings = settings
        self.keys = keys if keys is not None else Keys()
        self.store = Store(settings.database, settings.is_durable)
        self.club = Club(self.store, self.keys)
        self.holding = Holding(self.store, self.club)
        self.threads = ThreadPoolExecutor(settings.threads, thread_name_prefix="table")
        self.lookers = ThreadPoolExecutor(LOOKERS, thread_name_prefix="past")
        self.owner = named(settings.address)
        self.presence = Presence(self.store, self.owner)
        self.bots = Bots(settings)
        self.weigher = Pool(1, PATIENCE)
        player_on = Pool(1, TRIAL)
        self.trying = Trying[Tried](player_on)
        self.studying = Trying[Study](player_on)
        self.examining = Trying[Examined](player_on)
        self.metrics = Metrics()
        self.lives: dict[str, Live] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._beating: asyncio.Task[None] | None = None
        self._taking: asyncio.Task[None] | None = None
        self.importing = asyncio.Semaphore(IMPORTS)
        self.close_lines: Callable[[Live, int, Failed], None] = lambda live, code, message: None
        self.look_again: Callable[[], Awaitable[None]]
        """Disconnects everybody whose account no longer has the seat here, or whose session has ended."""

    async def off(self, work: Callable[..., T], *of: Any) -> T:
        """Run the work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work, *of)

    # ------------------------------------------------------------------ opening and closing

    async def open(self) -> None:
        await self.off(self.store.migrate)
        await self.off(self.presence.hold)
        self.bots.open()
        self.loop = asyncio.get_running_loop()
        self._taking = self.loop.create_task(self._take_up())
        self._beating = self.loop.create_task(self._beat())

    async def close(self) -> None:
        tasks = [task for task in (self._beating, self._taking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.bots.close()
        await asyncio.to_thread(self.weigher.close)
        await asyncio.gather(self.trying.close(), self.studying.close(), self.examining.close())
        for live in self.lives.values():
            async with live.lock:
                pass
        with suppress(Exception):
            await self.off(self.store.release, list(self.lives), self.owner)
        self.presence.close()
        self.lives.clear()
        self.lookers.shutdown(cancel_futures=True)
        self.threads.shutdown()
        self.club.close()
        self.store.close()

    async def _beat(self) -> None:
        """Renew the leases of the battles in memory, and unload those that nobody looks at.

        A process that lost its own connection to the database does not declare others lost.
        """
        while True:
            await asyncio.sleep(self.settings.lease / 3.0)
            try:
                was_there = await self.off(self.presence.hold)
                await self._keep()
                if was_there and (self._taking is None or self._taking.done()):
                    self._taking = self.loop.create_task(self._take_over())
                await self._clear()
                await self.off(self.store.forget, self.keys.now() - self.settings.unjoined)
                await self.off(self.club.members.forget)
            except Exception:
                LOG.exception("no sign of life could be given")

    async def _keep(self) -> None:
        """Renew the leases of the battles in memory; those taken by another process are lost."""
        lives = list(self.lives.values())
        mine = await self.off(self.store.beat, [live.id for live in lives], self.owner, self.settings.lease)
        for live in lives:
            if self.lives.get(live.id) is live and (live.id not in mine or live.is_lost):
                self.lose(live)

    async def _clear(self) -> None:
        """Unload battles that nobody looks at, unless somebody joins in the meantime."""
        for live, used in [(live, live.used) for live in self.superfluous()]:
            if live.used == used and self.is_idle(live):
                await self.put_away(live)

    async def _take_over(self) -> None:
        """Take over the battles of a lost process, as many as fit.

        Lease renewal does not wait for this: each may be a whole battle to read.
        """
        try:
            left_behind = await self.off(self.presence.left_behind, LEFT_BEHIND)
        except StoreFailed:
            return
        for battle in left_behind:
            if len(self.lives) >= self.settings.lives:
                return
            try:
                await self.live(battle)
            except (LeaseLost, Unknown):
                continue
            except Exception:
                LOG.exception("battle %s: not taken over", battle)

    async def _take_up(self) -> None:
        """Continue battles between bots."""
        for battle in await self.off(self.store.unattended):
            with suppress(LeaseLost, Unknown):
                await self.live(battle)

    def superfluous(self) -> list[Live]:
        """The battles to unload: those idle for long and, if there are too many, the longest idle."""
        idle = sorted((live for live in self.lives.values() if self.is_idle(live)), key=lambda live: live.used)
        too_many = max(0, len(self.lives) - self.settings.lives)
        since = time.monotonic() - self.settings.idle
        return [live for number, live in enumerate(idle) if number < too_many or live.used <= since]

    def is_idle(self, live: Live) -> bool:
        """Whether nobody is connected, and nothing happens in it."""
        is_heard = any(stream.listeners for stream in live.streams.values())
        return not (is_heard or live.clocks.running or live.lock.locked() or self.bots.is_busy(live))

    async def put_away(self, live: Live) -> None:
        """Unload a battle; it is loaded again on demand."""
        async with self._opening.setdefault(live.id, asyncio.Lock()):
            self.lives.pop(live.id, None)
            live.leave()
            await self.off(self.store.release, [live.id], self.owner)
        self._opening.pop(live.id, None)

    def lose(self, live: Live) -> None:
        """Another process has the battle now: tell everybody connected here."""
        self.lives.pop(live.id, None)
        live.leave()
        live.is_lost = True
        word = "battle.elsewhere"
        self.close_lines(live, ELSEWHERE, Failed(word, told(live.draft.language, word)))

    # ------------------------------------------------------------------ finding

    async def live(self, battle: str) -> Live:
        """The battle, in memory. Raises Unknown, Elsewhere."""
        found = self.lives.get(battle)
        if found is not None:
            found.used = time.monotonic()
            return found
        async with self._opening.setdefault(battle, asyncio.Lock()):
            try:
                if battle not in self.lives:
                    live = await self.off(self._opened, battle)
                    live.on_change = self._changed
                    self.lives[battle] = live
                    LOG.info("battle %s: in memory", battle, extra={"battle": battle, "book": live.battle.book})
                    self._changed(live)
                return self.lives[battle]
            finally:
                if battle not in self.lives:
                    self._opening.pop(battle, None)

    def _opened(self, battle: str) -> Live:
        row = self.store.battle(battle)
        if row is None:
            raise Unknown("no-battle")
        dead = self.presence.gone([row.owner] if row.owner is not None else [])
        if not self.store.lease(battle, self.owner, self.settings.lease, dead):
            now = self.store.battle(battle)
            raise Elsewhere(address_of(now.owner if now is not None else None))
        if row.owner not in (None, self.owner):
            self.metrics.taken_over.inc()
            LOG.warning("battle %s: taken over from %s", battle, row.owner, extra={"battle": battle})
        return Live(self.store, self.owner, row, self.threads, self.keys.now)

    def _changed(self, live: Live) -> None:
        if live.is_lost:
            self.lose(live)
        else:
            self.bots.see(live)

    async def read_anew(self, battles: Sequence[str]) -> None:
        """Continue running battles that were changed in the database and belong to no process."""
        for battle in battles:
            live = self.lives.get(battle)
            if live is not None:
                async with live.lock:
                    self.lose(live)
            with suppress(LeaseLost, Unknown):
                await self.live(battle)

    # ------------------------------------------------------------------ making and joining

    async def create(self, draft: Draft, is_set_out: bool = False) -> Created:
        """Create a battle. If nobody has to join or agree it begins at once, or with its first turn."""
        created = await self.off(self._created, draft)
        if draft.is_agreed or all(seat.kind == "bot" for seat in draft.seats):
            live = await self.live(created.battle)
            await live.change(lambda: begin_set_out(live) if is_set_out else begin_unasked(live), lambda message: None)
        return created

    def _created(self, draft: Draft, is_rematch: bool = False) -> Created:
        """Seats of a rematch are reserved for the players of the previous battle, who use their tokens."""
        battle, seed, now = self.keys.battle(), self.keys.seed(), self.keys.now()
        campale, content = versions(draft.book)
        stage = "open" if any(seat.kind == "link" for seat in draft.seats) else "agreeing"
        row = BattleRow(
            battle, draft.book, text(draft), draft.dice, seed, commitment(seed), now, now, campale, content, stage
        )
        made = [self._seat(draft, side) for side in range(len(draft.seats))]
        made = [msgspec.structs.replace(one, token=None) for one in made] if is_rematch else made
        self.store.insert(row, [self._row(battle, draft, one) for one in made])
        return Created(battle, tuple(made))

    def _seat(self, draft: Draft, side: int) -> SeatMade:
        kind = draft.seats[side].kind
        token = self.keys.token() if kind == "me" else None
        return SeatMade(side, kind, token, self.keys.code() if kind == "link" else None)

    def _row(self, battle: str, draft: Draft, made: SeatMade) -> SeatRow:
        seat = draft.seats[made.side]
        kind = {"me": "person", "link": "open", "bot": "bot"}[made.kind]
        return SeatRow(
            battle,
            made.side,
            kind,
            tidy(seat.name),
            seat.strength if kind == "bot" else "",
            None if made.token is None else hashed(made.token),
            None if made.join is None else hashed(made.join),
            language=draft.language,
            orders=text(at_first(words(draft.language, load_ruleset(draft.book).folder / "words").messages)),
            clock=None if draft.clock is None else draft.clock.main,
        )

    async def rematch(self, live: Live) -> None:
        """Create the same battle with sides swapped; the players here learn its address."""
        try:
            created = await self.off(self._created, rematching.swapped(live), True)
            await live.change(lambda: rematching.follow_up(live, created.battle), lambda message: None)
        except BaseException:
            live.is_rematched = False
            raise
        await self.tell_again(live, [one for stream in live.streams.values() for one in stream.listeners])

    async def tell_again(self, live: Live, listeners: Sequence[Listener]) -> None:
        """The address of the rematch; the seat there is reserved for the player who gets it."""
        for listener in listeners if live.battle.next is not None else ():
            with suppress(Denied):
                side = await self.side_of(live.id, listener.token)
                again = rematching.again(live, side, listener.token)
                if again is not None:
                    listener.send(encoded(await self.off(self.holding.goes_on, again, listener.token)))

    async def invitation(self, code: str) -> Invitation:
        return await self.off(self._invitation, code)

    def _invitation(self, code: str) -> Invitation:
        seat, row, seats = self._invited(code)
        draft = msgspec.json.decode(row.draft, type=Draft)
        by = next((one.name for one in seats if one.side != seat.side), "")
        return Invitation(row.id, seat.side, draft, by, self._kept_for(seat), seat.kind == "open")

    def _kept_for(self, seat: SeatRow) -> str:
        """The name of the member for whom a seat is reserved; "": anybody."""
        return seat.name if self.club.ties.is_kept(seat.battle, seat.side) else ""

    def _invited(self, code: str) -> tuple[SeatRow, BattleRow, list[SeatRow]]:
        seat = self.store.seat_of_code(hashed(code[:LONGEST_TOKEN]))
        row = self.store.battle(seat.battle) if seat is not None else None
        if seat is None or row is None:
            raise Unknown("no-invitation")
        return seat, row, self.store.seats(row.id)

    async def join(self, code: str, name: str, force: dict[str, Any] | None = None) -> Joined:
        """Take the seat of an invitation code. Raises Unknown, Taken."""
        seat, row, _ = await self.off(self._invited, code)
        named = await self.off(self._kept_for, seat) or tidy(name)
        live = await self.live(row.id)
        token = self.keys.token()
        await live.change(lambda: joined(live, seat.side, named, hashed(token), force), lambda message: None)
        return Joined(row.id, seat.side, token)

    # ------------------------------------------------------------------ looking

    async def side_of(self, battle: str, token: str) -> int | None:
        """The side of a token; None: a spectator. Raises Unknown, Denied."""
        return await self.off(self._side_of, battle, token)

    def _side_of(self, battle: str, token: str) -> int | None:
        if self.store.battle(battle) is None:
            raise Unknown("no-battle")
        return self.holding.side(battle, token)

    async def sits(self, battle: str, side: int | None, token: str) -> bool:
        """Whether a token is still valid for its seat."""
        try:
            return await self.side_of(battle, token) == side
        except (Unknown, Denied):
            return False

    async def mine(self, tokens: Sequence[str], language: str) -> list[Mine]:
        return await self.off(self._mine, list(tokens)[:MOST_TOKENS], language)

    def _mine(self, tokens: list[str], language: str) -> list[Mine]:
        found = []
        for battle, side, is_counted in self.holding.seats(tokens):
            row = self.store.battle(battle)
            if row is not None:
                turn = tuple(sides_asked(tuple(msgspec.json.decode(row.asked)), 2)) if row.stage == "playing" else ()
                title = title_of(msgspec.json.decode(row.draft, type=Draft), language)
                found.append(Mine(row.id, side, row.book, title, row.stage, turn, row.updated, is_counted))
        return sorted(found, key=lambda one: -one.updated)

    async def summary(self, battle: str, language: str) -> Summary:
        return await self.off(self._summary, battle, language)

    def _summary(self, battle: str, language: str) -> Summary:
        row, seats = self._rows(battle)
        live = self.lives.get(battle)
        here = [live is not None and live.here[seat.side] > 0 for seat in seats]
        return Summary(
            row.id,
            row.book,
            title_of(msgspec.json.decode(row.draft, type=Draft), language),
            row.stage,
            row.dice,
            row.commitment,
            tuple(seat_shown(seat, row.version, row.stage, is_here) for seat, is_here in zip(seats, here, strict=True)),
            row.created,
            row.updated,
            result_told(row.book, row.result, [seat.name for seat in seats], language),
        )

    def _rows(self, battle: str) -> tuple[BattleRow, list[SeatRow]]:
        row = self.store.battle(battle)
        if row is None:
            raise Unknown("no-battle")
        return row, self.store.seats(battle)

    async def kept(self, battle: str) -> Kept:
        return await self.off(self._kept, battle)

    def _kept(self, battle: str) -> Kept:
        row, seats = self._rows(battle)
        seeds = tuple(seat.seed for seat in seats)
        saved = b""
        if row.seed is not None:
            setup = msgspec.json.decode(row.draft, type=Draft).setup(tuple(seat.name for seat in seats))
            game = saved_of(row, setup, self.store.entries(battle))
            is_bound = row.dice == "server" and row.commitment
            seals = tuple(seat.seal for seat in seats) if any(seat.seal for seat in seats) else ()
            game.fair = Fair(row.commitment, row.server_seed, seeds, seals) if is_bound else None
            saved = msgspec.json.encode(game)
        return Kept(row.stage, saved, row.server_seed, seeds, row.commitment)

    async def view(self, battle: str, side: int | None, language: str) -> State:
        """Everything that a seat may know of a battle."""
        live = await self.live(battle)
        return await live.look(lambda: live.state(Stream(side, language, 0)))

    async def is_well(self) -> bool:
        return await self.off(self.store.is_well)

    # ------------------------------------------------------------------ from elsewhere

    async def imported(
        self,
        data: bytes,
        play: bool,
        seats: tuple[SeatDraft, ...] = (),
        journal: Journal | None = None,
        puzzle: PuzzleDraft | None = None,
    ) -> Created:
        """Import a saved game, to look at or to continue, by default with both seats for the importer.

        ``journal``: the events before its last boundary, for a game that is not replayed from its beginning. Raises
        SavedGameError, ValueError.
        """
        async with self.importing:
            return await self.off(self._imported, data, play, seats, journal, puzzle)

    def _imported(
        self,
        data: bytes,
        play: bool,
        seats: tuple[SeatDraft, ...],
        journal: Journal | None,
        puzzle: PuzzleDraft | None,
    ) -> Created:
        saved = read(data)
        ruleset_of(saved)
        batches = [] if journal is None else [(0, text((journal.ats, journal.events)))]
        game = load(data) if journal is None else game_of(saved, len(journal), batches)[0]
        check_shown(game)
        setup, now, battle = saved.setup, self.keys.now(), self.keys.battle()
        is_played = play and not game.is_over
        seats = seats_of(setup, seats, "me" if is_played else "bot")
        dice = "server" if saved.dice == "seeded" else "real"
        draft = Draft(saved.ruleset, setup.agreed, setup.options, setup.forces, seats, dice, puzzle=puzzle)  # type: ignore[arg-type]
        under = saved.campale, saved.ruleset_hash
        row = BattleRow(battle, saved.ruleset, text(draft), dice, "", "", now, now, *under, seed=saved.seed)
        row = msgspec.structs.replace(row, **of_game(game, row))
        row = row if is_played else msgspec.structs.replace(row, stage="over")
        made = [self._seat(draft, side) for side in range(len(seats))]
        written = Keeper().written(game)
        row = msgspec.structs.replace(row, **written.battle, stage="playing" if is_played else "over")
        written.battle = {}
        self.store.insert(row, [self._row(battle, draft, one) for one in made], written)
        return Created(battle, tuple(made))


def check_shown(game: Game) -> None:
    """Check that the position of a file can be shown; no rule may have produced it. Raises SavedGameError."""
    try:
        for side in (0, 1, None):
            seen = eyes(game, side, LANGUAGES[0])
            scene_of(seen)
            question = None if side is None else game.question_for(side)
            if question is not None:
                sheet(question, seen.teller, seen.position)
    except Exception as error:
        raise SavedGameError(f"this game cannot be shown: {type(error).__name__}") from None


def seats_of(setup: Setup, seats: Sequence[SeatDraft], kind: Literal["me", "bot"]) -> tuple[SeatDraft, ...]:
    """The seats of an imported game, by default with the names it was played under."""
    if not seats:
        return tuple(SeatDraft(kind, name) for name in names_of(setup))
    pairs = zip(seats, names_of(setup), strict=True)
    return tuple(
        seat if seat.name or seat.kind == "bot" else msgspec.structs.replace(seat, name=name) for seat, name in pairs
    )


def names_of(setup: Setup) -> list[str]:
    """The names of players; a nameless one is called by its number in the set-up."""
    return ["" if name == str(number) else tidy(name) for number, name in enumerate(setup.players, 1)]


def joined(live: Live, side: int, name: str, token: str, force: dict[str, Any] | None) -> Any:
    """A player sits down with a force that completes the set-up; everybody agrees to it again."""
    if live.seats[side].kind != "open" or live.battle.stage != "open":
        raise Taken("seat-taken")
    if force is not None and live.draft.forces[side] is None:
        live.draft = live.draft.with_force(side, force)
    if live.draft.forces[side] is None:
        raise Taken("force-missing", 422)
    live.with_seat(side, kind="person", name=name, token=token)
    drafts = [msgspec.structs.replace(one, name=live.seats[k].name) for k, one in enumerate(live.draft.seats)]
    live.draft = msgspec.structs.replace(live.draft, seats=tuple(drafts))
    is_full = all(seat.kind != "open" for seat in live.seats)
    live.battle = msgspec.structs.replace(
        live.battle,
        draft=text(live.draft),
        version=live.battle.version + 1,
        stage="agreeing" if is_full else "open",
    )


def result_told(book: str, result: str | None, names: Sequence[str], language: str) -> str | None:
    """How a battle ended, in a sentence."""
    found = msgspec.json.decode(result) if result else {}
    if "winner" not in found:
        return None
    teller = Teller(load_ruleset(book), language, players=tuple(names))
    return event_told(Event("result", {"winner": found["winner"], "counts": found["counts"]}), teller)[0]


def tidy(name: str) -> str:
    """A name that can be shown and kept: printable, and not too long."""
    return "".join(c for c in name if c.isprintable() and not 0xD800 <= ord(c) < 0xE000).strip()[:LONGEST_NAME]
