"""Automatic notes in the chat: that a proposal was declined, or Campale updated.

They are stored as keys and values, and shown in each reader's language.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import msgspec

from campale.screen.shown import NoteShown
from campale.server.battle import rematching
from campale.server.battle.moment import corrected
from campale.server.database.keeping import BRANCH, versions
from campale.server.database.schema import ChatRow
from campale.server.sockets.wire import Done, Spoken, Tells
from campale.server.told import called, told

if TYPE_CHECKING:
    from campale.server.battle.live import Live, Who

MARK = "\x1f"
"""The beginning of a note. No line written by a player can contain it."""
DECLINED, RENEWED, ANEW = "declined", "renewed", "anew"
ALWAYS = f'{MARK}{{"kind":"{RENEWED}"'
"""The beginning of a note of an upgrade: it is shown however much has been said since."""
SHORT = 8
"""The number of letters shown of a hash."""


class Note(msgspec.Struct, frozen=True):
    """The ``kind`` of proposal that the side ``of`` had made, and the changes of a correction.

    For an upgrade: the version that the battle continues ``under``, the number of answers before it (``at``), and
    whether some were taken back.
    """

    kind: str
    of: int | None = None
    changes: Any = None
    under: tuple[str, str] | None = None
    at: int = 0
    has_taken_back: bool = False


def decline(live: Live, who: Who, n: int) -> Tells:
    """Decline a proposal, with a note in the chat; or withdraw it."""
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


def note_anew(live: Live, side: int) -> None:
    """Note in the chat that a side makes everybody agree again, after it had already agreed."""
    live.note(side, MARK + msgspec.json.encode(Note(ANEW, side)).decode())


def note_renewed(live: Live) -> None:
    """Note in the chat, once, that a battle continues under another version than before."""
    game, now = live.game, versions(live.battle.book)
    notes = [note_of(line) for line in live.chat if is_note(line)]
    last = next((note.under for note in reversed(notes) if note.under is not None), None)
    begun = live.battle.campale.removesuffix(BRANCH), live.battle.ruleset_hash
    if game is not None and now != (last or begun):
        note = Note(RENEWED, under=now, at=len(game.line), has_taken_back=live.keeper.has_taken_back)
        live.note(None, MARK + msgspec.json.encode(note).decode())


def note_of(line: ChatRow) -> Note:
    return msgspec.json.decode(line.text.removeprefix(MARK), type=Note)


def is_note(line: ChatRow) -> bool:
    return line.text.startswith(MARK)


def kept(lines: list[ChatRow], most: int) -> list[ChatRow]:
    """The last lines, and every earlier note of an upgrade."""
    return [*(line for line in lines[:-most] if line.text.startswith(ALWAYS)), *lines[-most:]]


def spoken(live: Live, line: ChatRow, language: str, eyes: int | None) -> Spoken:
    """A line of chat in a language, as the eyes of a side see it (None: the public's)."""
    if not is_note(line):
        return Spoken(line.side, line.name, line.text, line.at)
    note = note_of(line)
    if line.side is None or note.of is None:
        return renewal(live, line, note, language, eyes)
    if note.kind == ANEW:
        who = called(live.seats[note.of].name, note.of, language)
        return Spoken(line.side, line.name, told(language, ANEW, who=who), line.at, ANEW, note.of)
    who, of = (called(live.seats[side].name, side, language) for side in (line.side, note.of))
    what = corrected(live, note.changes, language)
    text = told(language, f"{DECLINED}.{note.kind}", who=who, of=of, what=what)
    return Spoken(line.side, line.name, text, line.at, DECLINED, note.of)


def renewals(live: Live, language: str, eyes: int | None) -> list[NoteShown]:
    """Every upgrade during a battle, for a look back with the eyes of a side (None: the public's)."""
    told = (spoken(live, line, language, eyes) for line in live.chat if line.text.startswith(ALWAYS))
    return [NoteShown(note.text, note.place) for note in told if note.place is not None]


def renewal(live: Live, line: ChatRow, note: Note, language: str, eyes: int | None) -> Spoken:
    """An upgrade, and its place in the journal, whose lines count only the answers that the side knows of."""
    campale, content = note.under or ("", "")
    text = told(language, RENEWED, version=f"{campale} · {content[:SHORT]}")
    text += " " + told(language, f"{RENEWED}.{'back' if note.has_taken_back else 'all'}")
    unseen = {} if live.game is None else live.game.unseen
    hidden = sorted(at for at, side in unseen.items() if side != eyes)
    return Spoken(None, "Campale", text, line.at, RENEWED, place=note.at - bisect_left(hidden, note.at))
