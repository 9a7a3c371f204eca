"""Reading the messages of a socket."""

from __future__ import annotations

from typing import Any

import msgspec

from campale.referee.asking import unplain
from campale.server.battle.live import Failure
from campale.server.sockets.wire import Message

DECODER = msgspec.json.Decoder(Message)


def understood(data: bytes) -> Any:
    """Decode a message. Raises Failure."""
    try:
        return DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        raise Failure("message.not-understood") from None


class Numbered(msgspec.Struct):
    n: int = 0


def number_of(data: bytes) -> int:
    """The number of a message that cannot be read otherwise, so that it gets a reply."""
    try:
        return msgspec.json.decode(data, type=Numbered).n
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        return 0


def plain_path(path: list[list[Any]]) -> list[list[Any]]:
    if unplain(path) is not None:
        raise Failure("message.not-understood")
    return path
