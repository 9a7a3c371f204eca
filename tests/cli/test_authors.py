"""A ruleset of one's own: begun, built, installed, played; and one that misbehaves is switched off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NAME = "hillfort"
QUICK = "end or alike"
"""Words of the names of some conformance tests."""


def campale(*words: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which finds what lies on the path."""
    return run("-c", "from campale.cli import main; main()", *words, path=path)


def run(*words: str, path: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([path, *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words], env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("authors")
    told = campale("new-ruleset", NAME, "--title", 'Hill "fort"', "--folder", str(folder))
    assert told.returncode == 0, told.stderr
    return folder / NAME


@pytest.fixture(scope="module")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder into which the package is built and installed."""
    return install(package, tmp_path_factory.mktemp("installed"))


def install(package: Path, folder: Path) -> str:
    quiet = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--no-cache-dir")
    told = run("-m", "pip", "install", *quiet, "--target", str(folder), str(package))
    assert told.returncode == 0, told.stderr
    return str(folder)


def test_its_own_tests_and_its_scenario_pass(package: Path, installed: str) -> None:
    told = run("-m", "pytest", "-q", "-p", "no:cacheprovider", path=installed, cwd=package)
    assert told.returncode == 0, told.stdout
    assert "Outpost" not in "".join(one.read_text(encoding="utf-8") for one in package.rglob("*.*") if one.is_file())


def test_installed_it_stands_among_the_books_and_plays(installed: str) -> None:
    assert f"{NAME}  Hill 'fort'  ({NAME})" in campale("rulesets", path=installed).stdout.splitlines()
    assert campale("battle", NAME, "--seed", "7", path=installed).returncode == 0
    assert "[hillfort, mechanic]" in campale("rule", "fire/wood", path=installed).stdout


def test_installed_it_passes_what_every_ruleset_has_to_hold(installed: str) -> None:
    told = campale("conformance", NAME, "-k", QUICK, path=installed)
    assert told.returncode == 0, told.stdout
    assert "[100%]" in told.stdout


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("src/hillfort/turn.py", "TURNS, NEAR = 6, 3.0", "TURNS, NEAR = 1 / 0, 3.0"), "ZeroDivisionError"),
        (("src/hillfort/rules.yaml", "ruleset: hillfort", "ruleset: other"), "its ledger is that of 'other'"),
        (("pyproject.toml", 'hillfort = "hillfort"', 'hillfort = "hillfort.turn"'), "must end in its name"),
        (("pyproject.toml", 'hillfort = "hillfort"', 'e55 = "hillfort"'), "there is a ruleset 'e55' already"),
    ],
)
def test_one_that_cannot_be_loaded_is_told_and_the_others_play(
    package: Path, tmp_path: Path, change: tuple[str, str, str], why: str
) -> None:
    told = campale("rulesets", path=install(changed(package, tmp_path, *change), tmp_path / "installed"))
    assert told.returncode == 1
    assert "is switched off: " in told.stderr
    assert why in told.stderr
    assert "e55" in told.stdout
    assert NAME not in told.stdout


def changed(package: Path, folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the package in which something else stands."""
    copy = folder / "copy"
    for path in (path for path in package.rglob("*") if path.is_file()):
        there = copy / path.relative_to(package)
        there.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        if path == package / file:
            assert old in text
            text = text.replace(old, new)
        there.write_text(text, encoding="utf-8")
    return copy


ENDLESS = """
from dataclasses import replace
from campale.referee import ruleset
ruleset.PATIENCE = 0.3
from campale.referee.game import Game
from campale.referee.records.record import RefereeError
book = ruleset.load_ruleset("hillfort")
game = Game(book, book.starters()[0], "1")
while not game.is_over:
    side = game.asked[0]
    before = game.position.to_bytes(), len(game.line)
    try:
        game.answer(side, game.pending[side].suggestions()[0])
    except RefereeError as error:
        assert "TookTooLong" in str(error), error
        assert (game.position.to_bytes(), len(game.line)) == before
        assert "hillfort" not in ruleset.ruleset_names() and "e55" in ruleset.ruleset_names()
        print(ruleset.unplayable()[0].why)
        break
"""


def test_a_rule_that_never_ends_is_broken_off_and_its_book_switched_off(package: Path, tmp_path: Path) -> None:
    endless = ("src/hillfort/turn.py", "    reveal_order(unit)\n", "    while True:\n        pass\n")
    folder = install(changed(package, tmp_path, *endless), tmp_path / "installed")
    told = run("-c", ENDLESS, path=folder)
    assert told.stdout == "a rule took more than 0.3 s\n", told.stderr


@pytest.mark.parametrize(
    ("name", "why"), [("Hill-Fort", "cannot be the name"), ("e55", "is taken"), ("json", "is taken"), ("x", "cannot")]
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str, why: str) -> None:
    told = campale("new-ruleset", name, "--folder", str(tmp_path))
    assert told.returncode == 2
    assert why in told.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(package: Path) -> None:
    before = (package / "README.md").stat().st_mtime_ns
    told = campale("new-ruleset", NAME, "--folder", str(package.parent))
    assert told.returncode == 2
    assert "is there already" in told.stderr
    assert (package / "README.md").stat().st_mtime_ns == before
