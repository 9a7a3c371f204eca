"""The page on the architecture: the way of a shot is that of the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "en" / "architecture.md", ROOT / "docs" / "it" / "architettura.md")
LINE = re.compile(r"^\d+\. \[`([\w.]+)`\]\((\S+)\) (.+)$", re.MULTILINE)


def way(page: Path) -> list[tuple[str, str]]:
    return [(name, path) for name, path, _ in LINE.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_line_names_a_function_that_stands_where_it_says(page: Path) -> None:
    lines = way(page)
    assert len(lines) == 10
    for name, path in lines:
        source = (page.parent / path).resolve().read_text(encoding="utf-8")
        owner, _, function = name.rpartition(".")
        assert re.search(rf"^ *(async )?(def )?{function}\(", source, re.MULTILINE), (name, path)
        assert not owner or re.search(rf"^class {owner}\b", source, re.MULTILINE), (name, path)


def test_both_pages_go_the_same_way() -> None:
    english, italian = map(way, PAGES)
    assert english == italian
