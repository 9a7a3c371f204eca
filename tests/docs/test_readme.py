"""The README keeps what it promises: its transcript is played today, its lines of Python run, its files are there."""

from __future__ import annotations

import contextlib
import io
import re
from functools import lru_cache
from pathlib import Path

import pytest
from tools.readme import BEGIN, END, READMES, ROOT, excerpt, played

from campale.referee.game import Game


@lru_cache(maxsize=1)
def the_battle() -> Game:
    return played()


def code_of(path: Path) -> str:
    (code,) = re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
    return str(code)


def pages() -> list[Path]:
    docs = sorted((ROOT / "docs").rglob("*.md"))
    return [*READMES.values(), ROOT / "CHANGELOG.md", *docs]


@pytest.mark.parametrize("language", READMES)
def test_the_transcript_is_that_of_the_battle(language: str) -> None:
    text = READMES[language].read_text("utf-8")
    shown = text.split(BEGIN)[1].split(END)[0].strip().strip("`").strip("\n")
    assert shown == excerpt(the_battle(), language), "write it anew: python -m tools.readme"


def test_the_lines_of_python_play_a_battle_and_tell_odds() -> None:
    english, italian = (code_of(path) for path in READMES.values())
    assert english == italian
    assert len([line for line in english.splitlines() if line]) <= 22
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(english, "README.md", "exec"), {})
    first, plain, steam = told.getvalue().splitlines()
    assert re.fullmatch(r"won by side (0|1|draw) with \d+ events in the journal", first)
    assert plain.startswith("plain {0: '")
    assert steam.startswith("steam {0: '")


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_linked_is_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", path.read_text("utf-8")):
        assert "://" not in target, f"{path.name} points outside: {target}"
        assert (path.parent / target).exists(), f"{path.name} points at {target}"


def test_every_page_is_in_both_languages_and_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    for folder in ("en", "it", "decisions"):
        lacking = [p.name for p in sorted((ROOT / "docs" / folder).glob("*.md")) if f"{folder}/{p.name}" not in index]
        assert lacking == [], folder
    assert len(list((ROOT / "docs" / "en").glob("*.md"))) == len(list((ROOT / "docs" / "it").glob("*.md")))
