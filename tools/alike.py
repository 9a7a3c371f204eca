"""What several books define: names, and functions that are alike but for the names in them.

``python -m tools.alike`` counts the names, and lists what is written alike: it may belong to ``mechanics``.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

BOOKS = Path(__file__).parents[1] / "src" / "campale" / "rulesets"
LEAST_LINES = 5


class Defined(NamedTuple):
    """Something that a module of a book defines; ``text`` is what it is, without its marks and docstrings."""

    book: str
    module: str
    name: str
    text: str
    lines: int
    is_rule: bool = False


def defined_in(books: Path = BOOKS) -> list[Defined]:
    """All that the modules of the books define at their outermost level; the template is no book."""
    return [
        Defined(
            path.relative_to(books).parts[0],
            path.relative_to(books).as_posix(),
            name,
            text_of(node),
            lines,
            is_rule=is_marked,
        )
        for path in sorted(books.rglob("*.py"))
        if not path.relative_to(books).parts[0].startswith("_")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for is_marked in (is_a_rule(node),)
        for name, lines in names_of(node)
    ]


def is_a_rule(node: ast.stmt) -> bool:
    """Whether it is marked with the entry of a ledger."""
    marks = node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    return any(ast.unparse(mark).startswith("rule(") for mark in marks)


def names_of(node: ast.stmt) -> Iterator[tuple[str, int]]:
    """The names that a statement defines, with the lines of what they stand for."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        first = (without_docstring(node.body) or node.body)[0].lineno
        yield node.name, (node.end_lineno or first) - first + 1
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    for target in targets:
        yield from ((one.id, 1) for one in ast.walk(target) if isinstance(one, ast.Name))


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    is_text = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if is_text else body


def text_of(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        node.decorator_list = []
        node.body = without_docstring(node.body) or node.body
    return ast.unparse(node)


# ---------------------------------------------------------------- in several books


def in_several(found: list[Defined]) -> dict[str, list[Defined]]:
    """What several books call by the same name."""
    return several_books(found, lambda one: one.name)


def written_alike(found: list[Defined]) -> dict[str, list[Defined]]:
    """What several books define to the letter alike, marks and docstrings left aside."""
    return several_books(found, lambda one: one.text)


def same_shape(found: list[Defined], least: int = LEAST_LINES) -> dict[str, list[Defined]]:
    """Functions of so many lines that are the same in several books but for names and values, and no rules of theirs.

    What two ledgers state, each in its own words, may be alike.
    """
    written = [one for one in found if one.lines >= least and not one.is_rule]
    functions = [one for one in written if one.text.startswith(("def ", "async def "))]
    return several_books(functions, lambda one: shape_of(one.text))


def several_books(found: list[Defined], key: Callable[[Defined], str]) -> dict[str, list[Defined]]:
    groups: dict[str, list[Defined]] = defaultdict(list)
    for one in found:
        groups[key(one)].append(one)
    return {name: group for name, group in groups.items() if len({one.book for one in group}) > 1}


class Nameless(ast.NodeTransformer):
    """Every name and every value becomes the same one."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("_", node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(0)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg("_")

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        node.attr = "_"
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name, node.returns = "_", None
        return node


def shape_of(text: str) -> str:
    return ast.dump(Nameless().visit(ast.parse(text.removeprefix("async "))))


def report(found: list[Defined]) -> Iterator[str]:
    named, alike = in_several(found), written_alike(found)
    yield f"{len(named)} names are defined in several books, {len(alike)} of them to the letter alike."
    for group in sorted(alike.values(), key=lambda group: -group[0].lines):
        yield f"{group[0].lines:4} {group[0].name}: {', '.join(one.module for one in group)}"
    for group in same_shape(found).values():
        yield f"{group[0].lines:4} the same shape: {', '.join(f'{one.module} {one.name}' for one in group)}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(report(defined_in())) + "\n")
