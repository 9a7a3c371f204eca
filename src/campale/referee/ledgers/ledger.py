"""The ledger of a book: its entries, its glossary, and how to find a rule in it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from campale.referee.telling.words import Words

ITALIAN = "rules.it.yaml"

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Entry(msgspec.Struct, frozen=True):
    """One rule: our wording, and our ruling where the book is silent or wrong."""

    id: str
    title: dict[str, str]
    kind: str
    text: str
    ruling: str | None = None
    origin: str = "seed"
    needs: tuple[str, ...] = ()
    text_it: str | None = None
    ruling_it: str | None = None
    options: Any = None
    examples: Any = None


class Ledger(msgspec.Struct, frozen=True):
    """A book's entries by id, in the book's order."""

    name: str
    title: dict[str, str]
    entries: dict[str, Entry]
    glossary: tuple[dict[str, str], ...] = ()

    def chapters(self) -> list[str]:
        """The chapters in the order of their first entry."""
        return list(dict.fromkeys(id_.partition("/")[0] for id_ in self.entries))

    def find(self, words: str) -> list[Entry]:
        """The entries that contain every word; those with the words in id or title come first."""
        wanted = words.casefold().split()
        found = [e for e in self.entries.values() if all(word in searched(e) for word in wanted)]
        return sorted(found, key=lambda e: not all(word in headed(e) for word in wanted))


def chapter_title(chapter: str, spoken: Words) -> str:
    """A chapter's title from the ruleset's words, or its short name in readable form."""
    key = f"chapter.{chapter}"
    return spoken.say(key) if spoken.has(key) else chapter.replace("-", " ").capitalize()


def headed(entry: Entry) -> str:
    return f"{entry.id} {' '.join(entry.title.values())}".casefold()


def searched(entry: Entry) -> str:
    return f"{headed(entry)} {entry.text} {entry.ruling or ''} {entry.text_it or ''}".casefold()


@lru_cache(maxsize=16)
def read_ledger(path: Path) -> Ledger:
    """The ledger in a ``rules.yaml``, with the Italian texts of ``rules.it.yaml`` beside it, if there is one.

    Unknown keys are ignored.
    """
    raw = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)
    italian = italian_texts(path.with_name(ITALIAN))
    entries = [msgspec.convert({**row, **italian.get(row["id"], {})}, Entry) for row in raw["rules"]]
    return Ledger(raw["ruleset"], raw["title"], {e.id: e for e in entries}, tuple(raw.get("glossary", ())))


def italian_texts(path: Path) -> dict[str, dict[str, str]]:
    """Text and ruling in Italian of each entry, by id, under the names of the fields of ``Entry``."""
    if not path.exists():
        return {}
    raw = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)
    return {id_: {f"{name}_it": text for name, text in told.items()} for id_, told in raw.items()}
