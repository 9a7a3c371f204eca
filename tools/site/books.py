"""The rulebooks as pages that can be searched; the code and tests of a rule are one click off, in ``campale book``."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from campale.cli.book import anchor, linked, named
from campale.referee.ledgers.ledger import Entry, Ledger, read_ledger
from campale.referee.ledgers.sources import ledger_folders
from campale.referee.ruleset import shipped
from tools.site.words import WORDS


def books() -> dict[str, Path]:
    """The folders of the books that come with Campale, by name."""
    folders = ledger_folders()
    return {name: folders[name] for name in shipped() if not name.startswith("_")}


def page(name: str, folder: Path, language: str) -> str:
    """The page of a book; ``whole/NAME.html`` beside its folder is that of ``campale book``."""
    ledger, say = read_ledger(folder / "rules.yaml"), WORDS[language]
    parts = [f"# {plain(ledger.title[language])}", say["whole"].format(link=f"../whole/{name}.html")]
    for chapter in ledger.chapters():
        parts.append(f"## {plain(named(folder, language, chapter))} {{ #{anchor(chapter)} }}")
        entries = [one for one in ledger.entries.values() if one.id.partition("/")[0] == chapter]
        parts += [part for entry in entries for part in rule(entry, ledger, name, language)]
    return "\n\n".join(parts) + "\n"


def rule(entry: Entry, ledger: Ledger, book: str, language: str) -> Iterator[str]:
    say = WORDS[language]
    text = (entry.text_it if language == "it" else None) or entry.text
    ruling = (entry.ruling_it if language == "it" else None) or entry.ruling
    yield f"### {plain(entry.title.get(language) or entry.id)} {{ #{anchor(entry.id)} }}"
    others = " · ".join(escape(title) for tongue, title in entry.title.items() if tongue != language)
    code = f'<a href="../whole/{book}.html#{anchor(entry.id)}">{say["code"]}</a>'
    yield f"<p><code>{escape(entry.id)}</code> · {others} · {code}</p>"
    yield f"<p>{linked(text, ledger)}</p>"
    if ruling:
        yield f"<blockquote><p><strong>{say['ruling']}</strong> {linked(ruling, ledger)}</p></blockquote>"
    if entry.needs:
        yield f"<p>{say['needs']}: {linked(', '.join(entry.needs), ledger)}</p>"


def plain(text: str) -> str:
    """A title that Markdown takes as it stands."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else sign for sign in text)
