"""The log: lines of text, or of JSON for programs. Nothing in it gives access to a battle."""

from __future__ import annotations

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import msgspec

Kind = Literal["text", "json"]
HIDDEN = "***"
SECRETS = (
    (re.compile(r"(://[^\s:/@]+:)[^\s@]+(?=@)"), rf"\g<1>{HIDDEN}"),
    (re.compile(r"(/(?:join|come)/)[^\s/?\"']+"), rf"\g<1>{HIDDEN}"),
    (re.compile(r"(?<![\w-])[\w-]{40,}(?![\w-])"), HIDDEN),
)
"""The password in an address, the code of an invitation, and words as long as a token, a seed, or the hash of one."""

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def discreet(line: str) -> str:
    """The line without its secrets."""
    for pattern, instead in SECRETS:
        line = pattern.sub(instead, line)
    return line


class Text(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return discreet(super().format(record))


class Json(logging.Formatter):
    """A line for programs: time, level, part, message; the traceback, and any further data."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": discreet(record.getMessage()),
        }
        if record.exc_info:
            line["error"] = discreet(self.formatException(record.exc_info))
        noted = {name: value for name, value in vars(record).items() if name not in STANDARD}
        line |= {name: discreet(value) if isinstance(value, str) else value for name, value in noted.items()}
        return msgspec.json.encode(line, enc_hook=str).decode()


def handler(kind: Kind, to: TextIO) -> logging.Handler:
    found = logging.StreamHandler(to)
    found.setFormatter(Json() if kind == "json" else Text())
    return found


def set_up(kind: Kind) -> None:
    """Send the log to the error output; for programs it includes successes too."""
    root = logging.getLogger()
    root.handlers[:] = [handler(kind, sys.stderr)]
    root.setLevel(logging.WARNING)
    logging.getLogger("campale").setLevel(logging.INFO if kind == "json" else logging.WARNING)
