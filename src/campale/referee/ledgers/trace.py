"""Links the ledger to code and tests: the code of each entry, its tests, and the gaps.

Code cites an entry by ``@rule``, by a trailing comment that contains only ids, or by a row of data with ``rules:``.
Tests cite it by ``@pytest.mark.covers``, scenario files (in the folder of the tests, or in the ruleset's own folder
``scenarios``) by ``rules:``.

``python -m campale.referee.ledgers.trace RULESET`` writes the ruleset's ``coverage.txt`` anew.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from campale.referee.rule import Marked, marked_functions
from campale.referee.ruleset import EXTRA_PACKAGES, Ruleset, load_ruleset, package_named

ID = r"[a-z0-9][\w.\-]*/[\w.\-]+"
ONLY_IDS = re.compile(rf"#\s*({ID}(?:[\s,]+{ID})*)\s*$")
RULES_OF_A_ROW = re.compile(r"\brules:\s*\[([^\]]*)\]")
LINE, DATA = "line", "data"
SCENARIOS = "scenarios"
"""The folder of a ruleset's own scenario files, which are tests."""

WITHOUT_CODE = frozenset({"flavour", "example"})
WITHOUT_TEST = frozenset({"flavour"})


class Citation(msgspec.Struct, frozen=True):
    """A place that cites an entry. ``function`` is ``line`` for a comment, ``data`` for a row; lines are inclusive."""

    module: str
    function: str
    path: Path
    lines: tuple[int, int]

    @property
    def name(self) -> str:
        """The place as ``coverage.txt`` names it."""
        return self.function if self.function in (LINE, DATA) else f"{self.module}.{self.function}"


class Gaps(msgspec.Struct, frozen=True):
    """Cited ids that no ledger has; entries without code; entries without a test. In the ledger's order."""

    unknown: tuple[str, ...]
    uncoded: tuple[str, ...]
    untested: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.unknown or self.uncoded or self.untested)


# Code.


def package_of(ruleset: Ruleset) -> str:
    """The dotted name of the package in which a ruleset lives."""
    return package_named(ruleset.name)


def marked_in(ruleset: Ruleset) -> tuple[Marked, ...]:
    """Every marked function of a ruleset (all its modules are imported), in the order of module and line."""
    package = package_of(ruleset)
    folder = importlib.import_module(package)
    for info in pkgutil.walk_packages(folder.__path__, package + "."):
        importlib.import_module(info.name)
    found = marked_functions(package)
    return tuple(sorted(found, key=lambda one: (one.function.__module__, one.code.co_firstlineno)))


def citations(ruleset: Ruleset) -> dict[str, list[Citation]]:
    """For every id that the code cites, the places."""
    found: dict[str, list[Citation]] = {}
    for id_, citation in (*by_functions(ruleset), *by_lines(ruleset), *by_data(ruleset)):
        found.setdefault(id_, []).append(citation)
    return found


def by_functions(ruleset: Ruleset) -> Iterator[tuple[str, Citation]]:
    package = package_of(ruleset)
    for one in marked_in(ruleset):
        lines = [line for _, _, line in one.code.co_lines() if line]
        module = one.function.__module__.removeprefix(package).lstrip(".")
        span = (one.code.co_firstlineno, max(lines))
        for id_ in one.ids:
            yield id_, Citation(module, one.function.__qualname__, Path(one.code.co_filename), span)


def by_lines(ruleset: Ruleset) -> Iterator[tuple[str, Citation]]:
    for path in sorted(ruleset.folder.rglob("*.py")):
        for number, ids in cited_lines(path):
            for id_ in ids:
                yield id_, Citation(path.stem, LINE, path, (number, number))


def cited_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines of a file whose trailing comment contains only ids."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
                match = ONLY_IDS.match(token.string)
                if match:
                    yield token.start[0], re.findall(ID, match[1])


def by_data(ruleset: Ruleset) -> Iterator[tuple[str, Citation]]:
    for path in sorted(ruleset.folder.rglob("*.yaml")):
        if path == ruleset.folder / "rules.yaml" or SCENARIOS in path.relative_to(ruleset.folder).parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for row in RULES_OF_A_ROW.findall(line):
                for id_ in re.findall(ID, row):
                    yield id_, Citation(path.stem, DATA, path, (number, number))


# Tests.


def tests_folder(ruleset: Ruleset) -> Path | None:
    """The tests folder of a ruleset, if available: in this checkout, or beside the sources of a separate package."""
    above = ruleset.folder.parents
    own = (parent / "tests" for parent in above[:2] if (parent / "pyproject.toml").exists())
    folders = (*(parent / "tests" / "rulesets" / ruleset.name for parent in above), *own)
    return next((folder for folder in folders if folder.is_dir()), None)


def tests_of(ruleset: Ruleset) -> dict[str, list[str]]:
    """For every id that tests cover, the tests; empty if the tests are not available."""
    found: dict[str, list[str]] = {}
    for folder in (tests_folder(ruleset), ruleset.folder / SCENARIOS):
        for id_, test in (*by_markers(folder), *by_scenarios(folder)) if folder is not None else ():
            found.setdefault(id_, []).append(test)
    return found


def by_markers(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("test_*.py")):
        name = path.relative_to(folder).as_posix()
        for test, ids in covered_in(ast.parse(path.read_text(encoding="utf-8"))):
            yield from ((id_, f"{name}::{test}") for id_ in ids)


def covered_in(tree: ast.Module | ast.ClassDef, outside: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The tests of a module or class with the ids they cover, the ids of the whole module or class included."""
    shared = outside + tuple(id_ for node in tree.body for id_ in marks_of_all(node))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            of_class = shared + tuple(ids_in(node.decorator_list))
            yield from ((f"{node.name}::{test}", ids) for test, ids in covered_in(node, of_class))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield node.name, tuple(dict.fromkeys((*shared, *ids_in(node.decorator_list))))


def marks_of_all(node: ast.stmt) -> Iterator[str]:
    """The ids of ``pytestmark = ...``."""
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
        values = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
        yield from ids_in(values)


def ids_in(marks: Iterable[ast.expr]) -> Iterator[str]:
    """The ids in ``covers(...)`` among decorators, however the marker is imported."""
    for mark in marks:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).rpartition(".")[2] == "covers":
            for argument in mark.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def by_scenarios(folder: Path) -> Iterator[tuple[str, str]]:
    """The ids of ``rules:`` in the folder's scenario files, each with the file that names it."""
    for path in sorted(folder.rglob("*.yaml")):
        for id_ in named_in(path):
            yield id_, path.relative_to(folder).as_posix()


def named_in(path: Path) -> list[str]:
    """The ids of ``rules:`` at the outermost level of a scenario file."""
    text = path.read_text(encoding="utf-8")
    block = re.search(r"^rules:[ \t]*(\[[^\]]*\]|(?:\n[ \t]*-.*)+|.*)", text, re.MULTILINE)
    return re.findall(ID, block[1] if block else "")


# What is missing, and the table of contents.


def gaps(ruleset: Ruleset) -> Gaps:
    entries = ruleset.ledger.entries
    code, tests = citations(ruleset), tests_of(ruleset)
    return Gaps(
        tuple(sorted({*code, *tests} - set(entries))),
        tuple(id_ for id_, entry in entries.items() if entry.kind not in WITHOUT_CODE and id_ not in code),
        tuple(id_ for id_, entry in entries.items() if entry.kind not in WITHOUT_TEST and id_ not in tests),
    )


def coverage(ruleset: Ruleset) -> str:
    """The text of ``coverage.txt``: for each entry in the ledger's order its places in the code and number of tests."""
    code, tests = citations(ruleset), tests_of(ruleset)
    rows = []
    for id_, entry in ruleset.ledger.entries.items():
        places = ", ".join(dict.fromkeys(citation.name for citation in code.get(id_, ())))
        rows.append((id_, places or ("-" if entry.kind in WITHOUT_CODE else "MISSING"), str(len(tests.get(id_, ())))))
    wide = max((len(id_) for id_, _, _ in rows), default=0)
    return "".join(f"{id_:<{wide}}  {number:>3}  {places}\n" for id_, places, number in rows)


def coverage_path(ruleset: Ruleset) -> Path:
    return ruleset.folder / "coverage.txt"


def ruleset_called(name: str) -> Ruleset:
    """The ruleset with a name, or with the dotted name of a package in an unusual place."""
    if "." in name and name not in EXTRA_PACKAGES:
        EXTRA_PACKAGES.append(name)
    return load_ruleset(name.rpartition(".")[2])


def main(names: list[str]) -> int:
    """Write ``coverage.txt`` of each ruleset anew and print the gaps. Returns how many rulesets have gaps."""
    missing = 0
    for name in names:
        ruleset = ruleset_called(name)
        coverage_path(ruleset).write_text(coverage(ruleset), encoding="utf-8")
        found = gaps(ruleset)
        missing += bool(found)
        for what in ("unknown", "uncoded", "untested"):
            for id_ in getattr(found, what):
                sys.stdout.write(f"{ruleset.name}: {what}: {id_}\n")
    return missing


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
