"""A version by one command, ``python -m tools.release 0.2.0``: checks, a dated changelog, the version, a commit, a tag.

Nothing is pushed and nothing is given out. ``--check`` only says what is in the way; ``--without-tests`` leaves out
``make test``, for who has just run it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")
SET = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
SECTION = re.compile(r"^## (\S+)(?: \((.+)\))?$", re.MULTILINE)
UNRELEASED = "Unreleased"


class InTheWay(Exception):
    """Why there can be no such version now."""


def changelog(root: Path) -> Path:
    return root / "CHANGELOG.md"


def package(root: Path) -> Path:
    return root / "src" / "campale" / "__init__.py"


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InTheWay(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


# ---------------------------------------------------------------- what is in the way


def check(root: Path, version: str) -> None:
    """Raises InTheWay."""
    if VERSION.fullmatch(version) is None:
        raise InTheWay(f"'{version}' is no version like 0.2 or 0.2.1")
    if git(root, "status", "--porcelain"):
        raise InTheWay("there are changes that are not committed")
    if git(root, "tag", "--list", f"v{version}"):
        raise InTheWay(f"there is a tag v{version} already")
    title, date = newest(changelog(root).read_text("utf-8"))
    if date is not None:
        raise InTheWay(f"CHANGELOG.md tells nothing that is newer than {title}; begin a section ## {UNRELEASED}")
    if title not in (version, UNRELEASED):
        raise InTheWay(f"the newest section of CHANGELOG.md is of {title}, not of {version}")
    before = version_of(root)
    if numbers(version) < numbers(before) or (version != before and numbers(version) == numbers(before)):
        raise InTheWay(f"{version} is not later than {before}")
    if version == before and title == UNRELEASED:
        raise InTheWay(f"{version} is the version there is; what is told under ## {UNRELEASED} needs a later one")


def newest(text: str) -> tuple[str, str | None]:
    """The title and the date of the first section, which must tell something. Raises InTheWay."""
    found = SECTION.search(text)
    if found is None:
        raise InTheWay("CHANGELOG.md has no section")
    following = SECTION.search(text, found.end())
    told = text[found.end() : following.start() if following else len(text)]
    if not re.search(r"^- ", told, re.MULTILINE):
        raise InTheWay(f"CHANGELOG.md tells nothing of {found[1]}")
    return found[1], found[2]


def version_of(root: Path) -> str:
    found = SET.search(package(root).read_text("utf-8"))
    if found is None:
        raise InTheWay(f"{package(root).name} sets no version")
    return found[1]


def numbers(version: str) -> tuple[int, ...]:
    """0.2 and 0.2.0 are one version."""
    found = tuple(int(one) for one in version.split("."))
    return found + (0,) * (3 - len(found))


# ---------------------------------------------------------------- what is done


def release(root: Path, version: str, today: str) -> None:
    """Date the section, set the version, commit both, tag."""
    text = changelog(root).read_text("utf-8")
    changelog(root).write_text(SECTION.sub(f"## {version} ({today})", text, count=1), "utf-8")
    text = package(root).read_text("utf-8")
    package(root).write_text(SET.sub(f'__version__ = "{version}"', text, count=1), "utf-8")
    git(root, "commit", "--quiet", "--all", "--message", f"Version {version}")
    git(root, "tag", "--annotate", f"v{version}", "--message", f"Version {version}")


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="A version by one command.")
    parser.add_argument("version", help="like 0.2 or 0.2.1")
    parser.add_argument("--check", action="store_true", help="only say what is in the way")
    parser.add_argument("--without-tests", action="store_true", help="leave out make test")
    asked = parser.parse_args(words)
    try:
        check(root, asked.version)
        if (
            not (asked.check or asked.without_tests)
            and subprocess.run(["make", "test"], cwd=root, check=False).returncode
        ):
            raise InTheWay("make test fails")
        if not asked.check:
            release(root, asked.version, datetime.now(UTC).strftime("%Y-%m-%d"))
            sys.stdout.write(f"v{asked.version} is committed and tagged here. To give it out: git push --follow-tags\n")
    except InTheWay as reason:
        sys.stderr.write(f"{reason}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
