"""Views of a past battle: made from a copy, apart from the running table, and kept until the battle goes on."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from campale.server.battle.live import Live

MOST_KEPT = 6
"""How many views of a battle are kept: a replay for each side and the public, say, and the latest others."""

T = TypeVar("T")
Key = tuple[str, int | None, str]
"""The view, its viewer, and its language."""


class Past:
    """Views of one battle. A viewer who asks for a view that is already being made waits for the same one."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Key, tuple[int, asyncio.Future[bytes]]] = OrderedDict()

    async def told(
        self, live: Live, key: Key, copy: Callable[[], T], make: Callable[[T], bytes], by: Executor
    ) -> bytes:
        """The view for a key.

        ``copy`` is taken of the battle under its lock and must be quick; ``make`` may take its time with it. Raises
        what they raise; an error is not kept.
        """
        revision, copied = await live.look(lambda: (live.revision, copy()))
        known = self.kept.get(key)
        if known is None or known[0] != revision or has_failed(known[1]):
            known = revision, asyncio.get_running_loop().run_in_executor(by, make, copied)
            self.keep(key, known)
        return await asyncio.shield(known[1])

    def keep(self, key: Key, found: tuple[int, asyncio.Future[bytes]]) -> None:
        self.kept[key] = found
        self.kept.move_to_end(key)
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)


def has_failed(making: asyncio.Future[bytes]) -> bool:
    return making.done() and (making.cancelled() or making.exception() is not None)
