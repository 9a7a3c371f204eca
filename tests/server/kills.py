"""Two processes that are killed again and again while people play, and what of it must not be seen."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Self

from sqlalchemy import text

from campale.referee.records.saved import read, verify
from campale.server.battle.draft import Created
from campale.server.battle.hall import Hall
from campale.server.database.store import Store
from campale.server.settings import Settings
from tests.server.conftest import draft
from tests.server.test_kill import Person, Process, holds, made_in

BETWEEN = 4
"""Answers that are acknowledged between two kills at least."""
PATIENCE = 120.0


class Pair:
    """Two people at one battle after another, each at whichever door answers."""

    def __init__(self, killing: Killing, book: str, number: int) -> None:
        self.killing, self.book, self.number = killing, book, number
        self.battles: list[tuple[Created, tuple[Person, Person]]] = []
        self.begin()
        self.threads = [threading.Thread(target=self.play, args=(side,), daemon=True) for side in (0, 1)]

    def begin(self) -> None:
        made = made_in(self.killing.database, draft(self.book, "me", "me"))
        self.battles.append((made, (Person(made, 0), Person(made, 1))))

    def play(self, side: int) -> None:
        rng, turn = Random(f"{self.number}/{side}"), 0
        while not self.killing.is_over:
            turn += 1
            made, people = self.battles[-1]
            people[side].play(rng.choice(self.killing.doors()))
            if side == 0 and self.is_over(made):
                self.begin()
            time.sleep(0.05 + 0.1 * rng.random())

    def is_over(self, made: Created) -> bool:
        row = self.killing.store.battle(made.battle)
        return row is not None and row.stage == "over"


class Killing:
    """Two processes over one database, people who play, and how long it takes until their battles go on."""

    def __init__(self, database: str, books: tuple[str, ...], seed: int) -> None:
        self.database, self.rng, self.is_over = database, Random(seed), False
        self.store = Store(database)
        self.store.migrate()
        self.processes = [Process(database), Process(database)]
        self.pairs = [Pair(self, book, number) for number, book in enumerate(books)]

    def __enter__(self) -> Self:
        for pair in self.pairs:
            for thread in pair.threads:
                thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
        self.store.close()

    def end(self) -> None:
        """Nobody plays any more."""
        self.is_over = True
        for process in self.processes:
            process.kill()
        self.processes.clear()
        for pair in self.pairs:
            for thread in pair.threads:
                thread.join(PATIENCE)
                assert not thread.is_alive()

    def doors(self) -> list[str]:
        return [process.address for process in self.processes]

    @property
    def acknowledged(self) -> int:
        return sum(len(one.acknowledged) for pair in self.pairs for _, people in pair.battles for one in people)

    def kill(self) -> float:
        """One of them, at any moment; in how many seconds all that it played is played by the other."""
        before, until = self.acknowledged, time.monotonic() + PATIENCE
        while self.acknowledged < before + BETWEEN or not (playing := self.playing()):
            assert time.monotonic() < until, "nobody plays any more"
            time.sleep(0.01)
        time.sleep(self.rng.random() * 0.6)
        doomed = self.rng.choice(playing)
        self.processes.remove(doomed)
        doomed.kill()
        begun = time.monotonic()
        while self.played_at(doomed.address):
            assert time.monotonic() < begun + PATIENCE, "they are not taken over"
            time.sleep(0.01)
        seconds = time.monotonic() - begun
        self.processes.append(Process(self.database))
        return seconds

    def playing(self) -> list[Process]:
        """Those at which there are battles."""
        return [process for process in self.processes if self.played_at(process.address)]

    def played_at(self, address: str) -> list[str]:
        """The battles that a process plays, or has left behind."""
        with self.store.reading() as connection:
            found = text("SELECT id FROM battle WHERE stage = 'playing' AND owner LIKE :owner")
            return list(connection.execute(found, {"owner": f"%/{address}"}).scalars())

    def lost(self) -> list[str]:
        """What is not as it was acknowledged, or cannot be verified."""
        hall, wrong = Hall(Settings(self.database)), []
        for pair in self.pairs:
            for made, people in pair.battles:
                kept = hall._kept(made.battle)
                if not kept.saved:
                    wrong += [f"{made.battle} has not begun" for one in people if one.acknowledged]
                    continue
                for one in people:
                    try:
                        holds(one.acknowledged, read(kept.saved).record, one.side)
                    except AssertionError as error:
                        wrong.append(f"{made.battle}, side {one.side}: {error}")
                if not verify(kept.saved).identical:
                    wrong.append(f"{made.battle} is not verified")
        hall.store.close()
        return wrong
