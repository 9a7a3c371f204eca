"""An entry of a ledger as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from campale.cli.common import say

if TYPE_CHECKING:
    from campale.referee.ledgers.ledger import Entry


def told_entry(entry: Entry, language: str) -> Iterator[str]:
    """The text of an entry and its ruling, in the language if the ledger has it."""
    yield " ".join(((entry.text_it if language == "it" else None) or entry.text).split())
    ruling = (entry.ruling_it if language == "it" else None) or entry.ruling
    if ruling:
        yield f"{say('ruling')}: {' '.join(ruling.split())}"
