"""What the screens of one seat in one language (some of them veiled) have been sent, and what has changed since.

A stream's numbers count only its own messages, so that they betray nothing of the other side.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple, Protocol

import msgspec

from campale.referee.game import Game
from campale.screen.journal import Journal
from campale.screen.motions import motions
from campale.screen.scene import Changes, Eyes, Scene, changed
from campale.screen.shown import Line, TableShown
from campale.server.sockets.wire import Moment, News, Spoken, State, Tells

KEPT = 200
"""How many of the latest News are kept for listeners whose line broke."""
NO_TABLE = TableShown(1.0, 1.0, "", 1.0)


class Listener(Protocol):
    """A connection: messages to it are queued until it is gone."""

    is_gone: bool
    token: str

    def send(self, told: bytes) -> None: ...


class Sight(NamedTuple):
    """A seat's view of a battle at a moment: the table once there is one, and the rest."""

    seen: Eyes | None
    scene: Scene | None
    moment: Moment


class Title(NamedTuple):
    """The data that stay the same for the whole battle."""

    battle: str
    book: str
    title: str


class Stream:
    """The messages to one seat (None: spectators) in one language; under a veil, only the public ones."""

    def __init__(self, side: int | None, language: str, start: int, is_veiled: bool = False) -> None:
        self.side, self.language, self.is_veiled = side, language, is_veiled
        self.seq = start
        self.seen: Sight | None = None
        self.news: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.chatted = start - 1
        self.listeners: set[Listener] = set()
        self.journal = Journal(language, self.eyes)

    @property
    def eyes(self) -> int | None:
        """The side whose eyes it sees with."""
        return None if self.is_veiled else self.side

    def since(self, seen: int) -> list[bytes] | None:
        """The News after a number; None if they are not all kept, or more than News was missed."""
        is_known = bool(self.news) and self.news[0][0] <= seen + 1 if seen < self.seq else seen == self.seq
        if not is_known or seen <= self.chatted:
            return None
        return [told for seq, told in self.news if seq > seen]

    def whole(self, now: Sight, game: Game | None, title: Title, chat: list[Spoken]) -> State:
        """Everything that the seat may know."""
        self.tell_lines(game, now)
        self.seen = now
        scene = now.scene
        return State(
            self.seq,
            title.battle,
            title.book,
            title.title,
            self.side,
            self.language,
            NO_TABLE if scene is None else scene.table,
            [] if scene is None else scene.pieces,
            [] if scene is None else scene.models,
            [] if scene is None else scene.units,
            [] if scene is None else scene.tokens,
            self.journal.lines,
            now.moment,
            chat,
        )

    def tell_lines(self, game: Game | None, now: Sight) -> tuple[int | None, list[Line]]:
        """The number of old lines that stay (None: all), and the new lines."""
        return (None, []) if game is None else self.journal.news(game, now.seen)

    def next(self, now: Sight, game: Game | None) -> News | None:
        """The changes, as the stream's next message; None if there are none."""
        before = self.seen
        if before is None:
            return None
        cut, lines = self.tell_lines(game, now)
        moment = moved_on(before.moment, now.moment)
        changes = table_changes(before.scene, now.scene)
        self.seen = now
        if changes == NOTHING and cut is None and not lines and moment == Moment():
            return None
        self.seq += 1
        table = (changes.pieces, changes.models, changes.units, changes.tokens)
        shown = [] if now.seen is None else motions(self.journal.fresh, now.seen)
        return News(self.seq, moment, *table, cut, lines, shown)

    def keep(self, told: bytes) -> None:
        self.news.append((self.seq, told))

    def hear(self, told: bytes) -> None:
        """Send something that is no News: a connection that missed it gets everything."""
        self.chatted = self.seq
        for listener in list(self.listeners):
            listener.send(told)

    def begin_anew(self) -> None:
        """Make the next message a State: the kept ones are no longer valid."""
        self.seq += 1
        self.news.clear()


NOTHING = Changes(None, [], [], None, None)


def table_changes(before: Scene | None, now: Scene | None) -> Changes:
    if before is None or now is None or before is now:
        return NOTHING
    return msgspec.structs.replace(changed(before, now), standing=None)


def is_another_table(before: Sight | None, now: Sight) -> bool:
    """Whether the table itself has changed: that takes a State, not News."""
    old = before.scene.table if before is not None and before.scene is not None else None
    new = now.scene.table if now.scene is not None else None
    return before is not None and old != new


def moved_on(before: Moment, now: Moment) -> Moment:
    """The fields of a moment that have changed."""
    if before == now:
        return Moment()
    fields = Moment.__struct_fields__
    return Moment(**{name: value for name in fields if (value := getattr(now, name)) != getattr(before, name)})


def encoded(message: Tells) -> bytes:
    return msgspec.json.encode(message)
