"""Where a rule stands in the code and the tests, read from the sources without importing the rules."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


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
    for package in loaded.EXTRA_PACKAGES if loaded is not None else ():
        spec = importlib.util.find_spec(package)
        folders += [Path(place) for place in (spec.submodule_search_locations or [])] if spec is not None else []
    return {folder.name: folder for folder in sorted(folders, key=lambda one: (one.name.startswith("_"), one.name))}


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
    """The lines whose trailing comment, and the rows of data whose ``rules:``, cite an id."""
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.yaml")]):
        text = path.read_text(encoding="utf-8")
        if path.name == "rules.yaml" or id_ not in text:
            continue
        mark = "#" if path.suffix == ".py" else "rules:"
        for number, line in enumerate(text.splitlines(), 1):
            before, sign, after = line.partition(mark)
            ids = after.replace("[", " ").replace("]", " ").replace(",", " ").replace("}", " ").split()
            if sign and id_ in ids and (path.suffix != ".py" or before.strip()):
                yield path, number


def tests_folder(folder: Path) -> Path | None:
    """The tests of a ruleset, where the sources are at hand."""
    places = (parent / "tests" / "rulesets" / folder.name for parent in folder.parents)
    return next((place for place in places if place.is_dir()), None)


def tests_covering(folder: Path, id_: str) -> Iterator[tuple[Path, int, str]]:
    """The tests that cover an id: file, line, name; of a scenario file, its first line."""
    tests = tests_folder(folder)
    for path in sorted(tests.rglob("*")) if tests is not None else ():
        if path.suffix not in {".py", ".yaml"} or id_ not in path.read_text(encoding="utf-8"):
            continue
        if path.suffix == ".yaml":
            yield path, 1, path.stem
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, name in functions(tree):
            if node.name.startswith("test") and any(id_ in ids_of(mark, "covers") for mark in node.decorator_list):
                yield path, node.lineno, name


def near(path: Path) -> str:
    """A path as it is shown: from the current folder where it lies below it, else from the package."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        parts = path.parts
        start = parts.index("campale") if "campale" in parts else max(0, len(parts) - 3)
        return "/".join(parts[start:])
