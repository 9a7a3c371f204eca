"""A club over the database of a server: its members, their battles, and the threads in which they are seen to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from campale.server.club.members import Members
from campale.server.club.phrases import Phrases
from campale.server.club.seasons import Seasons
from campale.server.club.ties import Ties
from campale.server.draft import TableError
from campale.server.seats import Keys
from campale.server.store import Store

T = TypeVar("T")

READERS, HASHERS = 3, 2
"""Requests that are seen to at a time, and pass phrases that are hashed: battles have threads of their own."""

MOST_WAITING = 40
"""Pass phrases that wait to be hashed; who comes then is asked to come again."""


class Club:
    """What a server knows of its club."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self.members = Members(store, keys, Phrases())
        self.ties = Ties(store, keys)
        self.seasons = Seasons(store, keys, self.ties)
        self.readers = ThreadPoolExecutor(READERS, thread_name_prefix="club")
        self.hashers = ThreadPoolExecutor(HASHERS, thread_name_prefix="phrase")
        self.waiting = 0

    async def off(self, work: Callable[..., T], *of: Any) -> T:
        """In a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.readers, work, *of)

    async def hashing(self, work: Callable[..., T], *of: Any) -> T:
        """In a thread of those that hash pass phrases. Raises TableError where too many wait."""
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
