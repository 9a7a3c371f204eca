"""How fast the table in the browser is on its server: from an answer to the other seat's screen, memory, bytes.

Run as ``python -m benchmarks.table``. ``campale serve`` runs in a process of its own; two seats of a few battles are
played from here as fast as they are asked, among other battles that are watched: of random bots that answer at once,
all of them all the time (the worst that can be), or of people who answer a random bot every few seconds.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from websockets.exceptions import ConnectionClosed

from benchmarks.e55 import spread
from benchmarks.served import Screen, Served
from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.records.saved import save
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.seat import Seat
from campale.server.battle.draft import Created
from campale.simulate import starters_of

BOOKS = ("ragnarok", "e55")
SECONDS = 12.0
"""How long each figure of time is measured."""

CROWDS = (50, 200)
PEOPLE = 200
PAUSE = 5.0
"""How long a person of a crowd thinks, on the average."""

MEASURED = 2
"""Battles in a crowd whose times are noted."""

SPARE = 20
"""Battles of bots that take the place of those that are over."""

KEPT = 40
"""Battles whose memory is measured."""

MOST_ANSWERS = 400
HALF_WAY = 120
"""Answers after which a battle is in full swing."""

T = TypeVar("T")


class Size(NamedTuple):
    """How much is measured."""

    seconds: float = SECONDS
    crowds: tuple[int, ...] = CROWDS
    people: int = PEOPLE
    kept: int = KEPT


def setups_of(book: str) -> list[Setup]:
    """Ready battles of the smallest size."""
    setups = starters_of(load_ruleset(book))
    return [one for one in setups if one.agreed.get("points") == setups[0].agreed.get("points")]


# ---------------------------------------------------------------- the battle that is measured


class Times:
    """Milliseconds from an answer to its acknowledgement, to one's own screen and to the other's."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        self.own: list[float] = []
        self.other: list[float] = []

    def told(self) -> dict[str, Any]:
        return {
            "acknowledged, milliseconds": spread(self.acknowledged),
            "own screen, milliseconds": spread(self.own),
            "other seat's screen, milliseconds": spread(self.other),
        }


async def answered(seats: Sequence[Screen], rng: Random, times: Times) -> bool:
    """One answer, by whoever is asked, and when it was seen; False where nobody is asked any more."""
    asked = next((seat for seat in seats if seat.question), None)
    if asked is None or asked.is_over:
        return False
    other = next(seat for seat in seats if seat is not asked)
    before, start = asked.question, time.perf_counter()
    asked.told_at = other.told_at = None
    is_taken = await asked.answer(rng)
    acknowledged = time.perf_counter()
    while is_taken and asked.question == before and not asked.is_over:
        await asked.hear()
    await other.reply(do="ping")
    if is_taken:
        times.acknowledged.append(1e3 * (acknowledged - start))
        times.own += since(start, asked)
        times.other += since(start, other)
    return True


def since(start: float, screen: Screen) -> list[float]:
    """How long it took until a screen was told something, if it was."""
    return [] if screen.told_at is None else [1e3 * (screen.told_at - start)]


@asynccontextmanager
async def seated(served: Served, created: Created, onlooker: bool = False) -> AsyncIterator[list[Screen]]:
    """The screens of both seats, who have agreed; and of somebody who looks on."""
    async with AsyncExitStack() as stack:
        tokens = [seat.token or "" for seat in created.seats] + [""] * onlooker
        screens = [Screen(served.address, created.battle, token) for token in tokens]
        for screen in screens:
            await stack.enter_async_context(screen)
        for screen in screens[:2]:
            await screen.agree()
        for screen in screens:
            while screen.moment["stage"] != "playing":
                await screen.hear()
        yield screens


async def played(served: Served, battles: Iterator[Created], times: Times, until: float) -> None:
    """Battles one after another till then."""
    for created in battles:
        rng = Random(created.battle)
        async with seated(served, created) as seats:
            while time.monotonic() < until and await answered(seats, rng, times):
                pass
        if time.monotonic() >= until:
            return


# ---------------------------------------------------------------- the others


class Crowd:
    """Those who keep the server busy, and how often they were told something."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.news = 0
        self.here = 0

    async def watch(self, battles: Iterator[Created]) -> None:
        """Look on at a battle, and at another one when it is over."""
        for created in battles:
            async with Screen(self.served.address, created.battle) as screen:
                self.here += 1
                while not screen.is_over:
                    heard = await screen.hear()
                    self.news += heard["is"] == "news"
            self.here -= 1

    async def play(self, created: Created) -> None:
        """Answer a bot like a person who thinks about it."""
        rng = Random(created.battle)
        token = next(seat.token for seat in created.seats if seat.token)
        async with Screen(self.served.address, created.battle, token) as screen:
            self.here += 1
            while not screen.is_over:
                await asyncio.sleep(rng.expovariate(1.0 / PAUSE))
                await screen.reply(do="ping")
                if screen.question:
                    is_taken = await screen.answer(rng)
                    self.news += is_taken


@asynccontextmanager
async def among(works: Sequence[Callable[[], Awaitable[None]]], crowd: Crowd) -> AsyncIterator[None]:
    """With so many others at work, once all of them are there."""
    tasks = [asyncio.ensure_future(work()) for work in works]
    try:
        while crowd.here < len(tasks):
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done() and (error := task.exception()) is not None:
                    raise error
        yield
    finally:
        for task in tasks:
            task.cancel()
        with suppress(ConnectionClosed):
            await asyncio.gather(*tasks, return_exceptions=True)


def measured(served: Served, setups: Sequence[Setup], seconds: float) -> Callable[[], Awaitable[Times]]:
    """A few battles played for so long at the same time."""
    made = [[served.create(setup) for setup in islice(cycle(setups), 8)] for _ in range(MEASURED)]

    async def run() -> Times:
        times, until = Times(), time.monotonic() + seconds
        await asyncio.gather(*(played(served, iter(battles), times, until) for battles in made))
        return times

    return run


def in_crowd(run: Callable[[], Awaitable[Times]], crowd: Crowd, works: Sequence[Callable[[], Awaitable[None]]]) -> Any:
    """What is measured in a crowd, with how busy it was."""

    async def whole() -> dict[str, Any]:
        async with among(works, crowd):
            before, start = crowd.news, time.monotonic()
            times = await run()
            seconds = time.monotonic() - start
        return {"others' answers per second": round((crowd.news - before) / seconds, 1), **times.told()}

    return asyncio.run(whole())


def among_bots(served: Served, setups: Sequence[Setup], size: Size) -> dict[str, Any]:
    """Battles of random bots that never rest; each crowd is of those before and more."""
    most = max(size.crowds)
    battles = served.made(islice(cycle(setups), most + SPARE), "bot", "bot")
    spare = iter(battles[most:])
    found = {}
    for count in size.crowds:
        run, crowd = measured(served, setups, size.seconds), Crowd(served)
        watching = [with_spare(crowd, one, spare) for one in battles[: count - MEASURED]]
        found[f"{count} battles, {count - MEASURED} of bots that never rest"] = in_crowd(run, crowd, watching)
    return found


def with_spare(crowd: Crowd, created: Created, spare: Iterator[Created]) -> Callable[[], Awaitable[None]]:
    def battles() -> Iterator[Created]:
        yield created
        yield from spare

    return lambda: crowd.watch(battles())


def among_people(served: Served, setups: Sequence[Setup], size: Size) -> dict[str, Any]:
    """Battles of people against a random bot, who think before they answer."""
    battles = served.made(islice(cycle(setups), size.people - MEASURED), "me", "bot")
    run, crowd = measured(served, setups, size.seconds), Crowd(served)
    playing = [lambda one=one: crowd.play(one) for one in battles]
    name = f"{size.people} battles, {len(battles)} of people and a bot, an answer every {PAUSE:g} seconds"
    return {name: in_crowd(run, crowd, playing)}


# ---------------------------------------------------------------- alone


async def alone(served: Served, created: Created, seconds: float) -> dict[str, Any]:
    """A battle with nobody else on the server: times, and bytes to each screen."""
    times, rng, until = Times(), Random("alone"), time.monotonic() + seconds
    async with seated(served, created, onlooker=True) as screens:
        for screen in screens:
            await screen.reply(do="ping")
        news, wire = [len(one.news) for one in screens], [one.received for one in screens]
        answers = 0
        while answers < MOST_ANSWERS and time.monotonic() < until and await answered(screens[:2], rng, times):
            answers += 1
        await screens[2].reply(do="ping")
        told = [one.news[before:] for one, before in zip(screens, news, strict=True)]
        over_wire = [one.received - before for one, before in zip(screens, wire, strict=True)]
        async with Screen(served.address, created.battle, created.seats[0].token or "") as late:
            first = {"JSON": late.state_bytes, "compressed": late.received_first}
    return {
        "times": {"answers": answers, **times.told()},
        "bytes of a first State": {
            "of a new battle, JSON": screens[0].state_bytes,
            "of a new battle, compressed": screens[0].received_first,
            **{f"after {answers} answers, {name}": value for name, value in first.items()},
        },
        "bytes per decision": {
            "to a seat, News as JSON": round(sum(map(sum, told[:2])) / 2 / answers),
            "to a seat, compressed, with replies": round(mean(over_wire[:2]) / answers),
            "to a spectator, News as JSON": round(sum(told[2]) / answers),
            "to a spectator, compressed": round(over_wire[2] / answers),
        },
    }


# ---------------------------------------------------------------- memory


def half_way(setup: Setup) -> bytes:
    """The saved game of a battle in full swing."""
    game = Game(load_ruleset(setup.ruleset), setup, "half-way")
    players = [RandomPlayer(side) for side in (0, 1)]
    while not game.is_over and len(game.line) < HALF_WAY:
        side = game.asked[0]
        assert side is not None
        assert game.answer(side, players[side].answer(Seat(game, side))) is None
    return save(game)


async def opened(served: Served, battles: Sequence[Created], measure: Callable[[], T]) -> T:
    """With both seats of every battle connected."""
    async with AsyncExitStack() as stack:
        for created in battles:
            for seat in created.seats:
                await stack.enter_async_context(Screen(served.address, created.battle, seat.token or ""))
        return measure()


def kept(folder: Path, setups: Sequence[Setup], count: int) -> dict[str, Any]:
    """Bytes of the server's process for each battle that is played, and for each that was and is put away.

    What was used once mostly stays with the process: the battles that come after find it there.
    """
    games = [half_way(setup) for setup in setups[:4]]
    with Served(folder, CAMPALE_IDLE="1", CAMPALE_LEASE="1.5") as served:
        battles = [served.post("/api/import?play=true", game) for game in islice(cycle(games), count + len(games))]
        asyncio.run(opened(served, battles[count:], served.memory))
        time.sleep(4.0)
        before = served.memory()
        live = asyncio.run(opened(served, battles[:count], served.memory))
        time.sleep(4.0)
        idle = served.memory()
        again = asyncio.run(opened(served, battles[:count], served.memory))
    return {
        "battles": count,
        "the server with no battle in memory": before,
        "a live battle with two screens": round((live - before) / count),
        "a battle put away": round((idle - before) / count),
        "what a battle adds that comes back": round((again - live) / count),
    }


# ---------------------------------------------------------------- all of it


def figures(book: str, size: Size) -> dict[str, Any]:
    """Those of one book."""
    setups = setups_of(book)
    with TemporaryDirectory() as folder, Served(Path(folder)) as served:
        alone_there = asyncio.run(alone(served, served.create(setups[0]), 2.5 * size.seconds))
        people = among_people(served, setups, size)
        bots = among_bots(served, setups, size)
    with TemporaryDirectory() as folder:
        memory = kept(Path(folder), setups, size.kept)
    return {
        "from an answer to a screen": {"1 battle": alone_there.pop("times"), **people, **bots},
        **alone_there,
        "resident bytes": memory,
    }


def run(size: Size | None = None) -> dict[str, Any]:
    """Every figure, by book."""
    load = round(os.getloadavg()[0], 1)
    return {"load average before": load, **{book: figures(book, size or Size()) for book in BOOKS}}


if __name__ == "__main__":
    from benchmarks.__main__ import told

    print("\n".join(told(run())))
