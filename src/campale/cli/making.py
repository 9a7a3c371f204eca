"""Begins a ruleset: a separate package made from the toy book, with its tests."""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
from pathlib import Path

from campale.cli.common import Sorry, say

TOY = "_template"
NAME = re.compile(r"[a-z][a-z0-9_]{1,40}")
HERE = Path(__file__).parent
FILES = HERE / "new_ruleset"
"""The files that a package needs besides the toy book; ``NAME`` and ``TITLE`` stand for the ruleset's."""

LEFT_OUT = shutil.ignore_patterns("__pycache__", "coverage.txt")


def make(name: str, title: str, folder: Path) -> Path:
    """Make the package in a folder of its name. Raises Sorry for an impossible or taken name."""
    check_name(name)
    title = " ".join(title.replace('"', "'").replace("\\", "/").split())
    package = folder / name
    if package.exists():
        raise Sorry(say("new.exists", folder=package))
    shutil.copytree(toy_book(), package / "src" / name, ignore=LEFT_OUT)
    shutil.copytree(toy_tests(), package / "tests", ignore=shutil.ignore_patterns("__pycache__", "__init__.py"))
    for path in FILES.glob("*.in"):
        text = path.read_text(encoding="utf-8").replace("NAME", name).replace("TITLE", title)
        (package / path.stem).write_text(text, encoding="utf-8")
    for path in (path for part in ("src", "tests") for path in (package / part).rglob("*.*")):
        path.write_text(renamed(path.read_text(encoding="utf-8"), name, title), encoding="utf-8")
    return package


def check_name(name: str) -> None:
    from campale.referee.ruleset import ruleset_names

    if NAME.fullmatch(name) is None or keyword.iskeyword(name):
        raise Sorry(say("new.bad-name", name=name[:60]))
    if name in ruleset_names() or importlib.util.find_spec(name) is not None:
        raise Sorry(say("new.taken", name=name))


def renamed(text: str, name: str, title: str) -> str:
    """A file of the toy book or its tests, renamed for this ruleset."""
    text = text.replace(f"tests.rulesets.{TOY}.", "").replace(f"campale.rulesets.{TOY}", name)
    text = text.replace(f"ruleset: {TOY}", f"ruleset: {name}")
    return text.replace("Outpost", title).replace("Avamposto", title)


def toy_book() -> Path:
    return HERE.parent / "rulesets" / TOY


def toy_tests() -> Path:
    """The tests of the toy book: beside this module in a built package, among all tests in a checkout."""
    built = HERE / "toy_tests"
    return built if built.exists() else HERE.parents[2] / "tests" / "rulesets" / TOY
