"""A hundred people at battles of several books, on two processes over one PostgreSQL: ``python -m benchmarks.club``.

Each answers after a pause, at whichever door he came in by; about half of them are passed on. What is measured is the
time from sending an answer until one's own screen is told what follows. Writes ``club.md`` beside this file.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import create_engine, text
from tests.server.postgres import a_postgres, free_port

from benchmarks.nightly import load, write
from benchmarks.served import Screen, Served, made
from campale.referee.ruleset import load_ruleset
from campale.server.battle.draft import Created
from campale.server.database.store import Store

BOOKS = ("ragnarok", "e55", "e3m", "w10", "wzr")
PEOPLE, SECONDS = 100, 120.0
PAUSE = 4.0, 12.0
"""Seconds that somebody looks at a question before he answers."""


class Told:
    """How long it took until screens were told, and answers that were not taken."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.not_taken = 0


async def play(screen: Screen, rng: Random, until: float, told: Told) -> None:
    while time.perf_counter() < until and not screen.is_over:
        if not screen.question:
            try:
                async with asyncio.timeout(max(0.1, until - time.perf_counter())):
                    await screen.hear()
            except TimeoutError:
                return
            continue
        await asyncio.sleep(rng.uniform(*PAUSE))
        begun, screen.told_at = time.perf_counter(), None
        if not await screen.answer(rng):
            told.not_taken += 1
            continue
        told.seconds.append(await told_at(screen) - begun)


async def told_at(screen: Screen) -> float:
    """When it was told what follows from what was just answered."""
    while (at := screen.told_at) is None:
        await screen.hear()
    return at


async def all_play(doors: list[Served], battles: list[Created], seconds: float) -> Told:
    rng, told = Random(1), Told()
    async with AsyncExitStack() as stack:
        screens = [
            await stack.enter_async_context(Screen(rng.choice(doors).address, battle.battle, seat.token or ""))
            for battle in battles
            for seat in battle.seats
        ]
        until = time.perf_counter() + seconds
        await asyncio.gather(*(play(one, Random(n), until, told) for n, one in enumerate(screens)))
    return told


async def measured(seconds: float = SECONDS) -> dict[str, Any]:
    with a_postgres(more=()) as url, ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        engine = create_engine(url)
        with engine.connect() as connection:
            synced = {
                name: connection.execute(text(f"SHOW {name}")).scalar() for name in ("fsync", "synchronous_commit")
            }
        engine.dispose()
        store = Store(url)
        store.migrate()
        store.close()
        setups = [load_ruleset(book).starters()[0] for book in BOOKS]  # type: ignore[misc]
        battles = await made(url, (setups[n % len(BOOKS)] for n in range(PEOPLE // 2)), ("me", "me"))
        ports = [free_port(), free_port()]
        doors = [
            stack.enter_context(
                Served(folder, url, port, CAMPALE_ADDRESS=f"127.0.0.1:{port}", CAMPALE_PROXIES="127.0.0.1")
            )
            for port in ports
        ]
        before = load()
        told = await all_play(doors, battles, seconds)
        memory = [door.memory() // 2**20 for door in doors]
    parts = statistics.quantiles(told.seconds, n=100)
    return {
        "people": PEOPLE,
        "battles": len(battles),
        "books": ", ".join(BOOKS),
        "processes": len(doors),
        "seconds": seconds,
        "pause_before_an_answer": f"{PAUSE[0]:.0f} to {PAUSE[1]:.0f} s",
        "database": ", ".join(f"{name} {value}" for name, value in synced.items()),
        "load_of_the_machine_before": before,
        "answers": len(told.seconds),
        "answers_a_second": len(told.seconds) / seconds,
        "answers_not_taken": told.not_taken,
        "own_screen_told_ms": {
            "median": 1000 * statistics.median(told.seconds),
            "p95": 1000 * parts[94],
            "p99": 1000 * parts[98],
            "longest": 1000 * max(told.seconds),
        },
        "memory_mb": ", ".join(map(str, memory)),
    }


def main() -> int:
    figures = asyncio.run(measured(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))
    write("club", "A hundred people at the tables of two processes", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
