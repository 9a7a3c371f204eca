"""A version by one command, and what is in its way."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from tools.release import ROOT, UNRELEASED, InTheWay, check, main, newest, version_of

LOG = """# Changelog

## Unreleased

- Something new.

### Of one kind

- More.

## 0.1.0 (2026-01-02)

- The first version.
"""
TODAY = re.compile(r"^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$", re.MULTILINE)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose tests pass: ``make test`` writes that it was run."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")
    (tmp_path / "src" / "campale").mkdir(parents=True)
    (tmp_path / "src" / "campale" / "__init__.py").write_text('"""A package."""\n\n__version__ = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(LOG)
    (tmp_path / "Makefile").write_text("test:\n\t@echo tested > .git/tested\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def write(project: Path, log: str) -> None:
    (project / "CHANGELOG.md").write_text(log)
    git(project, "commit", "--quiet", "--allow-empty", "-am", "log")


def test_one_command_dates_the_section_sets_the_version_commits_and_tags(project: Path) -> None:
    assert main(["0.2.0"], project) == 0
    assert (project / ".git" / "tested").exists()
    log = (project / "CHANGELOG.md").read_text()
    assert TODAY.search(log)
    assert UNRELEASED not in log
    assert TODAY.sub(f"## {UNRELEASED}", log) == LOG
    assert version_of(project) == "0.2.0"
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "tag", "--list").split() == ["v0.2.0"]
    assert git(project, "log", "-1", "--format=%s v0.2.0^{}").startswith("Version 0.2.0")
    assert git(project, "diff", "--stat", "v0.2.0").strip() == ""


def test_a_check_changes_nothing(project: Path) -> None:
    before = git(project, "rev-parse", "HEAD")
    assert main(["0.2", "--check"], project) == 0
    assert (git(project, "rev-parse", "HEAD"), git(project, "tag", "--list")) == (before, "")
    assert not (project / ".git" / "tested").exists()


def test_tests_that_fail_are_in_the_way(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "Makefile").write_text("test:\n\t@false\n")
    git(project, "commit", "--quiet", "-am", "tests fail")
    assert main(["0.2.0"], project) == 1
    assert "make test fails" in capfd.readouterr().err
    assert version_of(project) == "0.1.0"
    assert main(["0.2.0", "--without-tests"], project) == 0


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("0.1.0", "needs a later one"),
        ("0.1", "not later than 0.1.0"),
        ("0.0.9", "not later than 0.1.0"),
        ("two", "is no version"),
        ("0.2.0rc1", "is no version"),
    ],
)
def test_versions_that_cannot_be(project: Path, version: str, reason: str) -> None:
    with pytest.raises(InTheWay, match=re.escape(reason)):
        check(project, version)


def test_what_is_not_committed_is_in_the_way(project: Path) -> None:
    (project / "new.txt").write_text("")
    with pytest.raises(InTheWay, match="not committed"):
        check(project, "0.2.0")


def test_a_tag_that_is_there_is_in_the_way(project: Path) -> None:
    git(project, "tag", "v0.2.0")
    with pytest.raises(InTheWay, match=r"v0\.2\.0 already"):
        check(project, "0.2.0")


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (LOG[LOG.index("## 0.1.0") :], "nothing that is newer than 0.1.0"),
        (LOG.replace(UNRELEASED, "0.3.0"), "is of 0.3.0, not of 0.2.0"),
        (LOG.replace("- Something new.\n", "").replace("- More.\n", ""), f"tells nothing of {UNRELEASED}"),
        ("# Changelog\n", "has no section"),
    ],
)
def test_a_changelog_that_does_not_tell_of_it_is_in_the_way(project: Path, log: str, reason: str) -> None:
    write(project, log)
    with pytest.raises(InTheWay, match=re.escape(reason)):
        check(project, "0.2.0")


def test_the_first_version_is_given_out_as_it_stands(project: Path) -> None:
    """Its section has its number already, and no date."""
    write(project, "# Changelog\n\n## 0.1.0\n\n- The first version.\n")
    assert main(["0.1.0", "--without-tests"], project) == 0
    assert newest((project / "CHANGELOG.md").read_text())[1] is not None


def test_the_version_stands_in_one_place() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in settings["project"]
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["hatch"]["version"] == {"path": "src/campale/__init__.py"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", version_of(ROOT))
    newest((ROOT / "CHANGELOG.md").read_text("utf-8"))
