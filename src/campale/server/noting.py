"""What stands in the chat and nobody has written: that something proposed was turned down.

It is kept as keys and values, and told to everybody in his own language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from campale.server import rematching
from campale.server.moment import corrected
from campale.server.schema import ChatRow
from campale.server.told import called, told
from campale.server.wire import Done, Spoken, Tells

if TYPE_CHECKING:
    from campale.server.live import Live, Who

MARK = "\x1f"
"""What a note begins with. No line that somebody writes can hold it."""
DECLINED = "declined"


class Note(msgspec.Struct, frozen=True):
    """Which ``kind`` of thing the side ``of`` had proposed, and the changes of a correction."""

    kind: str
    of: int
    changes: Any = None


def decline(live: Live, who: Who, n: int) -> Tells:
    """Turn down what was proposed, which stands in the chat then; or withdraw it."""
    if live.battle.rematch is not None:
        note = Note("rematch", live.battle.rematch)
        done = rematching.propose(live, None, n)
    else:
        side, what = (live.game.proposal if live.game is not None else None) or (who.side, {"": None})
        kind, changes = next(iter(what.items()))
        note = Note(kind, side, changes if kind == "correction" else None)
        done = live.act(who, lambda game: game.decline(who.side), n)
    if isinstance(done, Done) and note.of != who.side:
        live.note(who.side, MARK + msgspec.json.encode(note).decode())
    return done


def is_note(line: ChatRow) -> bool:
    return line.text.startswith(MARK)


def spoken(live: Live, line: ChatRow, language: str) -> Spoken:
    """A line of chat as it is told in a language."""
    if not is_note(line) or line.side is None:
        return Spoken(line.side, line.name, line.text, line.at)
    note = msgspec.json.decode(line.text.removeprefix(MARK), type=Note)
    who, of = (called(live.seats[side].name, side, language) for side in (line.side, note.of))
    what = corrected(live, note.changes, language)
    text = told(language, f"{DECLINED}.{note.kind}", who=who, of=of, what=what)
    return Spoken(line.side, line.name, text, line.at, DECLINED, note.of)
