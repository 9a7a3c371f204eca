"""What battles call of the compiled geometry is compiled before anybody waits for it, and nothing is forgotten."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import campale
from campale.table import kernels, warming

SOURCE = Path(campale.__file__).parent
KERNELS = Path(kernels.__file__)

PLAYED = """
import sys
from campale.players import player_named
from campale.referee.ruleset import load_ruleset
from campale.simulate import play_on
from campale.referee.game import Game
from campale.table import kernels, warming

def compiled():
    return {(name, str(one)) for name, kernel in vars(kernels).items() for one in getattr(kernel, "signatures", ())}

warming.warm_up()
before = compiled()
assert {name for name, _ in before} >= set(warming.WANTED)
book = load_ruleset(sys.argv[1])
game = Game(book, book.starters()[0], "warm")
play_on(game, {side: player_named("random", side + 1) for side in (0, 1)}, most=250)
print(sorted(compiled() - before))
"""


def made() -> dict[str, ast.FunctionDef]:
    """Every function that is a kernel."""
    tree = ast.parse(KERNELS.read_text(encoding="utf-8"))
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    return {one.name: one for one in functions if any(ast.unparse(mark) == "kernel" for mark in one.decorator_list)}


def called_from_outside() -> Iterator[str]:
    """The kernels that the rest of the package names."""
    for path in SOURCE.rglob("*.py"):
        if path == KERNELS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "kernels":
                yield node.attr
            if isinstance(node, ast.ImportFrom) and node.module == "campale.table.kernels":
                yield from (one.name for one in node.names)


def names_in(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def test_every_kernel_that_python_calls_is_warmed_up() -> None:
    called = set(called_from_outside()) & set(made())
    assert len(called) > 20
    assert called <= set(warming.WANTED)


def test_every_other_kernel_is_compiled_with_one_that_is() -> None:
    all_of_them = made()
    assert set(warming.WANTED) <= set(all_of_them)
    reached, new = set(warming.WANTED), set(warming.WANTED)
    while new:
        new = {one for name in new for one in names_in(all_of_them[name]) if one in all_of_them} - reached
        reached |= new
    assert set(all_of_them) - reached == set()


def test_each_is_given_as_much_as_it_takes() -> None:
    for name, wanted in warming.WANTED.items():
        for kinds in wanted:
            assert len(kinds.split()) == len(made()[name].args.args), name


def test_battles_compile_nothing_more() -> None:
    for book in ("ragnarok", "e55"):
        told = subprocess.run([sys.executable, "-c", PLAYED, book], capture_output=True, text=True, check=True)
        assert told.stdout.strip() == "[]", book


def test_it_is_told_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    warming.warm_up(lambda done, of: told.append((done, of)))
    most = len(warming.WANTED)
    assert told == [(done, most) for done in range(most + 1)]
