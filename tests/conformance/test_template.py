"""The toy ruleset copied under another name into another folder plays and passes everything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from campale.conformance.playing import asked, begun
from campale.referee.ledgers.trace import citations, gaps
from campale.referee.records.saved import load, save, verify
from campale.referee.ruleset import EXTRA_PACKAGES, load_ruleset, ruleset_names

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "src" / "campale" / "rulesets" / "_template"
NAME = "outpost"


def copied(folder: Path) -> Path:
    """A package in the folder, made as the steps for authors say."""
    package = folder / NAME
    shutil.copytree(TEMPLATE, package, ignore=shutil.ignore_patterns("__pycache__"))
    ledger = package / "rules.yaml"
    ledger.write_text(ledger.read_text(encoding="utf-8").replace("ruleset: _template", f"ruleset: {NAME}"), "utf-8")
    return package


@pytest.fixture
def outpost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    copied(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    EXTRA_PACKAGES.append(NAME)
    load_ruleset.cache_clear()
    yield NAME
    EXTRA_PACKAGES.remove(NAME)
    load_ruleset.cache_clear()
    for module in [one for one in sys.modules if one.partition(".")[0] == NAME]:
        del sys.modules[module]


def test_a_copy_is_found_by_its_own_name(outpost: str) -> None:
    ruleset = load_ruleset(outpost)
    assert outpost in ruleset_names()
    assert (ruleset.name, ruleset.ledger.name) == (NAME, NAME)
    assert all(ruleset.folder in one.path.parents for found in citations(ruleset).values() for one in found)
    assert gaps(ruleset).unknown == gaps(ruleset).uncoded == ()


@pytest.mark.parametrize("number", [0, 1])
def test_a_copy_plays_whole_battles(outpost: str, number: int) -> None:
    for seed in range(3):
        game = begun(outpost, number, str(seed))
        assert sum(1 for _ in asked(game, Random(seed))) > 10
        assert game.result is not None
        assert all(event.rules for event in game.journal)
        assert load(save(game)).journal == game.journal
        assert verify(save(game)).identical


def test_the_whole_suite_passes_on_a_copy(tmp_path: Path) -> None:
    """In a process of its own, which is told of the package by a variable of its environment."""
    copied(tmp_path)
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "campale.conformance"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path)), "CAMPALE_RULESETS": NAME},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
