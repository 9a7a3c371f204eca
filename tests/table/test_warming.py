"""What battles call of the compiled geometry is compiled before anybody waits for it, and nothing is forgotten."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import campale
from campale.table import kernels, warming
from campale.table.warming import end_with_parent

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


# ---------------------------------------------------------------- while battles are played

MEANWHILE = """
import os, signal, sys
import numpy as np
from campale.table import kernels, warming

def main():
    for name in list(warming.WANTED):
        if name not in ("point_inside", "point_to_boundary", "circle_gaps", "near_each_other"):
            del warming.WANTED[name]
    warming.LONGEST = ("near_each_other",)
    told = []
    under_way = warming.Compiling(2, lambda done, of: told.append((done, of)))
    hand_out, lines = under_way.hand_out, []
    def watched(line, takes_longest):
        lines.append(line)
        hand_out(line, takes_longest)
        if sys.argv[1] == "killed" and len(lines) <= 2:
            for child in warming.multiprocessing.active_children():
                os.kill(child.pid, signal.SIGKILL)
    under_way.hand_out = watched
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    warming.stand_in(kernels.PLAIN)
    plain = kernels.point_inside
    before = [kernels.point_to_boundary(square, 0, 4, x, 0.7) for x in (0.1, 1.3, 5.0)]
    under_way.begin()
    assert under_way.is_over.wait(120)
    after = [kernels.point_to_boundary(square, 0, 4, x, 0.7) for x in (0.1, 1.3, 5.0)]
    assert before == after
    assert plain is kernels.PLAIN["point_inside"] and kernels.point_inside is kernels.COMPILED["point_inside"]
    assert all(kernels.COMPILED[name].signatures for name in warming.WANTED)
    assert kernels.gaps_to_outlines is kernels.COMPILED["gaps_to_outlines"]
    assert told == [(done, 4) for done in range(1, 5)]
    kept = len(kernels.COMPILED["point_inside"].stats.cache_hits)
    where = "compiled here" if not kept else "kept" if lines else "loaded"
    mark = warming.mark_of_all()
    print(where + (", marked" if mark.exists() else ""))
    if sys.argv[1] == "renewed":
        for one in mark.parent.glob("*.nbi"):
            one.unlink()

if __name__ == "__main__":
    main()
"""

LIKE_BATTLES = """
import sys
from campale.players import player_named
from campale.referee.ruleset import load_ruleset
from campale.referee.game import Game
from campale.simulate import play_on
from campale.table import kernels, warming

if sys.argv[2] == "plain":
    warming.stand_in(kernels.PLAIN)
book = load_ruleset(sys.argv[1])
game = Game(book, book.starters()[0], "alike")
play_on(game, {side: player_named("random", side + 1) for side in (0, 1)}, most=int(sys.argv[3]))
print(game.position.state_hash(), len(game.line))
"""


def ran(program: str, folder: Path, *arguments: str, **environment: str) -> str:
    """What a program prints; it stands in a file, so that processes that it begins find it."""
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    told = subprocess.run(
        [sys.executable, str(file), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.strip()


def test_plain_kernels_answer_until_the_compiled_ones_are_there(tmp_path: Path) -> None:
    assert ran(MEANWHILE, tmp_path, "left alone", NUMBA_CACHE_DIR=str(tmp_path / "kept")) == "kept, marked"


def test_when_all_are_kept_no_other_process_is_begun(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    assert ran(MEANWHILE, tmp_path, "left alone", NUMBA_CACHE_DIR=kept) == "kept, marked"
    assert ran(MEANWHILE, tmp_path, "renewed", NUMBA_CACHE_DIR=kept) == "loaded, marked"
    assert ran(MEANWHILE, tmp_path, "left alone", NUMBA_CACHE_DIR=kept) == "compiled here, marked"


def test_what_processes_that_die_leave_is_compiled_here(tmp_path: Path) -> None:
    assert ran(MEANWHILE, tmp_path, "killed", NUMBA_CACHE_DIR=str(tmp_path / "kept")) == "compiled here"


BEGUN = """
import multiprocessing, time
from tests.table.test_warming import watched
if __name__ == "__main__":
    one = multiprocessing.get_context("spawn").Process(target=watched)
    one.start()
    print(one.pid, flush=True)
    time.sleep(1000)
"""


def watched() -> None:
    end_with_parent()
    while True:
        signal.pause()


def test_a_process_that_compiles_ends_with_the_one_that_began_it(tmp_path: Path) -> None:
    """What they write to is open until the last of them has ended."""
    script = tmp_path / "begun.py"
    script.write_text(BEGUN, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        begun = int(parent.stdout.readline())
        parent.kill()
        try:
            parent.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.kill(begun, signal.SIGKILL)
            raise


@pytest.mark.parametrize(("book", "most"), [("ragnarok", "160"), ("e55", "110")])
def test_plain_and_compiled_kernels_play_the_same_battle(tmp_path: Path, book: str, most: str) -> None:
    plain, compiled = (ran(LIKE_BATTLES, tmp_path, book, how, most) for how in ("plain", "compiled"))
    assert plain == compiled
    assert int(plain.split()[1]) > 90
