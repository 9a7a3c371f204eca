"""Finds rules in the code and the tests, from the sources, without importing the rules."""

from __future__ import annotations

import ast
import contextlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SCENARIOS = "scenarios"
"""The folder of a ruleset's scenario files, which are tests."""


class Place(NamedTuple):
    """A function that carries out a rule: its file, line, name and source."""

    path: Path
    line: int
    name: str
    source: str


def rulesets_folder() -> Path:
    import campale.rulesets

    return Path(next(iter(campale.rulesets.__path__)))


def ledger_folders() -> dict[str, Path]:
    """The folder of every ruleset that has a ledger, by name; those that begin with _ last."""
    loaded = sys.modules.get("campale.referee.ruleset")
    folders = [path.parent for path in rulesets_folder().glob("*/rules.yaml")]
    installed = (point.value for point in importlib.metadata.entry_points(group="campale.rulesets"))
    for package in (*installed, *(loaded.EXTRA_PACKAGES if loaded is not None else ())):
        folders += folders_of(package)
    return {folder.name: folder for folder in sorted(folders, key=lambda one: (one.name.startswith("_"), one.name))}


def folders_of(package: str) -> list[Path]:
    """The folders of a package; none if it cannot be found."""
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(package)
        return [Path(place) for place in (spec.submodule_search_locations or [])] if spec is not None else []
    return []


def functions_citing(folder: Path, id_: str) -> Iterator[Place]:
    """The functions of a ruleset that are marked with an id, in the order of file and line."""
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if f'"{id_}"' not in source:
            continue
        for node, name in functions(ast.parse(source)):
            if any(id_ in ids_of(mark, "rule") for mark in node.decorator_list):
                yield Place(path, node.lineno, name, ast.get_source_segment(source, node) or "")


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[Function, str]]:
    """Every function of a module with its qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node, inside + node.name
            yield from functions(node, f"{inside}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{inside}{node.name}.")


def ids_of(mark: ast.expr, name: str) -> list[str]:
    """The ids in ``@rule(...)`` or ``@covers(...)``."""
    if not isinstance(mark, ast.Call) or ast.unparse(mark.func).rpartition(".")[2] != name:
        return []
    return [a.value for a in mark.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]


def lines_citing(folder: Path, id_: str) -> Iterator[tuple[Path, int]]:
    """The lines whose trailing comment cites an id, and the rows of data whose ``rules:`` do."""
    from campale.referee.ledgers.trace import RULES_OF_A_ROW, cited_lines

    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.yaml")]):
        text = path.read_text(encoding="utf-8")
        if path.name == "rules.yaml" or SCENARIOS in path.relative_to(folder).parts or id_ not in text:
            continue
        if path.suffix == ".py":
            yield from ((path, number) for number, ids in cited_lines(path) if id_ in ids)
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if any(id_ in row.replace(",", " ").split() for row in RULES_OF_A_ROW.findall(line)):
                yield path, number


def line_in_ledger(ledger: Path, id_: str) -> int:
    """The line at which an entry begins in its ledger."""
    for number, line in enumerate(ledger.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip().lstrip("- ").startswith("id:") and line.partition("id:")[2].strip().strip("\"'") == id_:
            return number
    return 1


def tests_folder(folder: Path) -> Path | None:
    """The tests folder of a ruleset, if its sources are available."""
    places = (parent / "tests" / "rulesets" / folder.name for parent in folder.parents)
    return next((place for place in places if place.is_dir()), None)


def covering(folder: Path, only: str = "") -> dict[str, list[tuple[Path, str]]]:
    """For every id (or one only), the tests that cover it: file and name; for a scenario file, the file's name."""
    from campale.referee.ledgers.trace import by_scenarios, covered_in

    tests = tests_folder(folder)
    found: dict[str, list[tuple[Path, str]]] = {}
    for path in sorted(tests.rglob("test_*.py")) if tests is not None else ():
        text = path.read_text(encoding="utf-8")
        for test, ids in covered_in(ast.parse(text)) if only in text else ():
            for id_ in ids:
                found.setdefault(id_, []).append((path, test))
    for place in (tests, folder / SCENARIOS):
        for id_, name in by_scenarios(place) if place is not None and place.is_dir() else ():
            found.setdefault(id_, []).append((place / name if place is not None else Path(name), Path(name).stem))
    return found


def near(path: Path) -> str:
    """A path for display: relative to the current folder if it lies below it, else to the package."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        parts = path.parts
        start = parts.index("campale") if "campale" in parts else max(0, len(parts) - 3)
        return "/".join(parts[start:])
