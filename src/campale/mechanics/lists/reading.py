"""Recognising the format of a file or a text, and reading it."""

from __future__ import annotations

from campale.mechanics.lists.nodes import from_json, from_xml
from campale.mechanics.lists.record import MOST_BYTES, MOST_SENT, ArmyListed, ListError, say
from campale.mechanics.lists.rosters import System, read_roster
from campale.mechanics.lists.texts import read_text
from campale.mechanics.lists.zipped import MAGIC, unzipped


def read_list(data: bytes, system: System) -> ArmyListed:
    """Read a list: a zipped roster, XML, JSON, or a text, recognised by its beginning.

    Raises ListError.
    """
    if len(data) > MOST_SENT:
        raise ListError(say("large", most=MOST_SENT // 1_000_000))
    text = decoded(unzipped(data) if data.startswith(MAGIC) else data)
    begins = text.lstrip()[:1]
    if not begins:
        raise ListError(say("empty"))
    if begins == "<":
        return read_roster(from_xml(text.lstrip()), system)
    if begins == "{":
        return read_roster(from_json(text), system)
    return read_text(text)


def decoded(data: bytes) -> str:
    """The text of some bytes. Raises ListError unless they are UTF-8."""
    if len(data) > MOST_BYTES:
        raise ListError(say("large", most=MOST_BYTES // 1_000_000))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ListError(say("no-utf8")) from None
    if "\0" in text:
        raise ListError(say("no-utf8"))
    return text
