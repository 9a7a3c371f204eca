"""The chapters of the site, as docs/README.md has them: a heading in both languages, and a row for each page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from campale.referee.telling.words import LANGUAGES
from tools.readme import ROOT

DOCS = ROOT / "docs"
HEADING = re.compile(r"^## (.+?) · (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| .*?\]\((en/[\w.-]+\.md)\).*?\]\((it/[\w.-]+\.md)\)", re.MULTILINE)


class Chapter(NamedTuple):
    """Its title and its pages by language; the pages are paths within docs/."""

    title: dict[str, str]
    pages: list[dict[str, str]]


def chapters() -> list[Chapter]:
    parts = HEADING.split((DOCS / "README.md").read_text("utf-8"))[1:]
    return [
        Chapter(both((first, second)), [both(row) for row in ROW.findall(tables)])
        for first, second, tables in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


def both(pair: tuple[str, str]) -> dict[str, str]:
    return dict(zip(LANGUAGES, pair, strict=True))


def decisions() -> list[Path]:
    return sorted((DOCS / "decisions").glob("*.md"))


def title_of(page: str) -> str:
    """The first heading of a page."""
    return page.partition("# ")[2].partition("\n")[0].strip()
