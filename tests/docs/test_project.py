"""The files round the source: versions, commands of make, the pages of the command line."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest
import typer.main
from tools.readme import ROOT

import campale
from campale.cli import app

PAGES = (ROOT / "docs" / "en" / "command-line.md", ROOT / "docs" / "it" / "riga-di-comando.md")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"([\w.-]+)==([\w.+!-]+)", line) for line in lines if not line.startswith("#")]
    assert all(found), "each line is NAME==VERSION"
    return {one[1].lower().replace("_", "-"): one[2] for one in found if one is not None}


def test_everything_that_is_needed_is_pinned() -> None:
    needed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    names = {re.split(r"[<>=\[; ]", one)[0].lower().replace("_", "-") for one in needed}
    assert names - set(pinned()) == set()


def test_make_knows_what_it_says_it_does() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("play", "battle", "dev", "test", "docs", "coverage", "mutants", "bench", "fuzz", "nightly", "clean"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        assert f"make {target} " in makefile.partition("SHELL")[0], target
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert "make test" in run.read_text("utf-8")


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {campale.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def commands() -> set[str]:
    """The commands as they are typed, those of groups with their group."""
    group = typer.main.get_command(app)
    found: set[str] = set()
    for name, command in getattr(group, "commands", {}).items():
        below = getattr(command, "commands", None)
        found |= {f"{name} {one}" for one in below} if below else {name}
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_page_of_the_command_line_has_every_command(page: Path) -> None:
    text = page.read_text("utf-8")
    listed = {one.strip() for one in re.findall(r"^\| `campale ([a-z -]+)", text, re.MULTILINE)}
    assert listed == commands()
    for code in (0, 1, 2, 3, 130):
        assert f"| {code} |" in text
