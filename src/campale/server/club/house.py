"""A club over the database of a server: its members, their battles, and the threads for their requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from campale.server.battle.draft import TableError
from campale.server.battle.seats import Keys
from campale.server.club.members import Members
from campale.server.club.phrases import Phrases
from campale.server.club.seasons import Seasons
from campale.server.club.ties import Ties
from campale.server.database.store import Store

T = TypeVar("T")

READERS, HASHERS = 3, 2
"""The number of concurrent requests, and of concurrent pass-phrase hashes: battles have threads of their own."""

MOST_WAITING = 40
"""The most pass phrases waiting to be hashed; a later request gets the answer to try again."""


class Club:
    """The club of a server."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self.members = Members(store, keys, Phrases())
        self.ties = Ties(store, keys)
        self.seasons = Seasons(store, keys, self.ties)
        self.readers = ThreadPoolExecutor(READERS, thread_name_prefix="club")
        self.hashers = ThreadPoolExecutor(HASHERS, thread_name_prefix="phrase")
        self.waiting = 0

    async def off(self, work: Callable[..., T], *of: Any) -> T:
        """Run the work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.readers, work, *of)

    async def hashing(self, work: Callable[..., T], *of: Any) -> T:
        """Run in a thread for hashing pass phrases. Raises TableError if too many are waiting."""
        if self.waiting >= MOST_WAITING:
            raise TableError("club.busy", 503)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.hashers, work, *of)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self.readers.shutdown(cancel_futures=True)
        self.hashers.shutdown(cancel_futures=True)
