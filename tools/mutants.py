"""Rules that nobody would miss: ``python -m tools.mutants RULESET [--only ID]``.

Switches one marked function off at a time and runs the tests that cover its ids. A function that is off asks nothing,
rolls nothing, changes nothing and returns the neutral value of its annotation: None, False, 0, nothing at all; one
that gives back what it was given (a stage) gives it back unchanged. So it does with what data do: in a file of rows
(``mechanics.armies.rows``) each entry of a row's ``do`` is left out in turn, if the row has ``rules``. A mutant whose
tests all pass is a survivor: its rule could be left out unnoticed.

What cannot be judged so is left out with a reason in ``tests/rulesets/<ruleset>/mutants.yaml``, a mapping of
``module.function`` to the reason. The last list of a ruleset is kept in ``benchmarks/mutants-<ruleset>.txt``.

Every mutant is a fork of a process that has already loaded everything and collected the tests; those that cover the
fewest entries are run first. With ``--rows FILE`` each verdict is appended to
a file when it is found, and a run that was broken off goes on where it was; a file is good for one state of the code.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from functools import _lru_cache_wrapper
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from io import StringIO
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

import msgspec
import pytest
import yaml

from campale.mechanics.armies import rows
from campale.referee.ledgers.trace import marked_in, package_of, ruleset_called, tests_folder, tests_of
from campale.referee.rule import BY_CODE, Marked
from campale.referee.ruleset import Ruleset

ROOT = Path(__file__).parents[1]
LONGEST = 60.0
NEVER_READ = 99
OPTIONS = ("-o", "addopts=", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist")
KILLED, SURVIVED, UNTESTED = "killed", "survived", "untested"
TIMED_OUT, BROKEN, EXCLUDED = "timed out", "not run", "excluded"
ALL = (KILLED, TIMED_OUT, SURVIVED, UNTESTED, BROKEN, EXCLUDED)

NEUTRAL = {
    "bool": "False",
    "int": "0",
    "float": "0.0",
    "str": "''",
    "tuple": "()",
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "frozenset": "frozenset()",
    "Sequence": "()",
    "Iterable": "()",
    "Iterator": "iter(())",
}


class Left(msgspec.Struct, frozen=True):
    """An entry of ``do`` that is left out: of which row of which file, which one, and what the row cites."""

    path: Path
    row: str
    place: int
    ids: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.path.stem}.{self.row}.do[{self.place + 1}]"


class Verdict(msgspec.Struct, frozen=True):
    name: str
    ids: tuple[str, ...]
    outcome: str
    detail: str = ""


# One mutant.


def neutral(function: Callable[..., Any]) -> str:
    """The expression that a function which is off returns, by its annotations."""
    annotations = {name: str(kind) for name, kind in function.__annotations__.items()}
    returned = annotations.pop("return", "None").strip("'\"")
    first = next(iter(annotations.values()), "").strip("'\"")
    if returned == first and returned not in NEUTRAL:
        return "given[0]"
    if "None" in [part.strip() for part in returned.split("|")]:
        return "None"
    return NEUTRAL.get(returned.partition("[")[0], "None")


def switched_off(function: Callable[..., Any]) -> CodeType:
    """Code that does nothing, of the function's kind and with as many cells."""
    code = function.__code__
    cells = ", ".join(f"cell_{n}" for n in range(len(code.co_freevars)))
    is_generator = bool(code.co_flags & (CO_GENERATOR | CO_ASYNC_GENERATOR))
    source = [
        "def outer():",
        f"    {cells} = [None] * {len(code.co_freevars)}" if cells else "    pass",
        f"    {'async ' if code.co_flags & CO_COROUTINE else ''}def off(*given, **named):",
        f"        ({cells},)" if cells else "        pass",
        f"        return {'' if is_generator else neutral(function)}",
        "        yield" if is_generator else "",
        "    return off",
    ]
    scope: dict[str, Any] = {}
    exec("\n".join(source), scope)
    made: CodeType = scope["outer"]().__code__
    return made.replace(co_name=code.co_name, co_qualname=code.co_qualname)


def switch_off(marked: Marked) -> Callable[[], bool]:
    """From now on the function does nothing; it still carries its ids."""
    code = switched_off(marked.function)
    marked.function.__code__ = code
    marked.function.__defaults__ = None
    BY_CODE[id(code)] = Marked(marked.function, marked.ids, code)
    return lambda: True


def leave_out(left: Left) -> Callable[[], bool]:
    """From now on the file is read without the entry. What is given back tells whether it has been read since."""
    names, was_read = vars(rows), list[Path]()
    read = names["read_file"]

    def without(path: Path, *about: Any) -> Any:
        content, written = read(path, *about)
        if path.resolve() == left.path.resolve():
            was_read.append(path)
            row = content[left.row]
            content = {**content, left.row: {**row, "do": [*row["do"][: left.place], *row["do"][left.place + 1 :]]}}
        return content, written

    names["read_file"] = without
    return lambda: bool(was_read)


def deeds_of(folder: Path) -> Iterator[Left]:
    """Every entry of ``do`` in the rows of a ruleset that cite entries of the ledger."""
    for path in sorted(folder.rglob("*.yaml")):
        if path.name == "rules.yaml" or "scenarios" in path.parts:
            continue
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for name, row in content.items() if isinstance(content, dict) else ():
            if isinstance(row, dict) and isinstance(row.get("rules"), list) and isinstance(row.get("do"), list):
                yield from (Left(path, str(name), place, tuple(row["rules"])) for place in range(len(row["do"])))


def forget(package: str) -> None:
    """Clear what the functions of a ruleset keep of earlier calls, which were made while the rule was on."""
    modules = [module for name, module in sys.modules.items() if f"{name}.".startswith(f"{package}.")]
    for one in [value for module in modules for value in vars(module).values()]:
        if isinstance(one, _lru_cache_wrapper):
            one.cache_clear()


def tried(mutant: Marked | Left, items: list[pytest.Item], package: str) -> NoReturn:
    """In a process of its own: switch the rule off and run its tests until one fails."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    code = int(pytest.ExitCode.INTERNAL_ERROR)
    try:
        is_off = leave_out(mutant) if isinstance(mutant, Left) else switch_off(mutant)
        forget(package)
        if not all(passes(one) for one in items):
            code = int(pytest.ExitCode.TESTS_FAILED)
        else:
            code = 0 if is_off() else NEVER_READ
    finally:
        os._exit(code)


def passes(item: pytest.Item) -> bool:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return not item.session.testsfailed


def outcome_of(status: int) -> str:
    """What the exit code says: 0 all passed; 1 the rule was missed; else something failed that is no test."""
    return {0: SURVIVED, 1: KILLED}.get(os.waitstatus_to_exitcode(status), BROKEN)


# All of them.


def by_name(items: list[pytest.Item], folder: Path) -> dict[str, list[pytest.Item]]:
    """The tests by the names that ``tests_of`` gives them: ``test_x.py::test_y``, or the file of a scenario."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        test, _, parameters = item.nodeid.partition("[")
        name = f"{item.path.relative_to(folder).as_posix()}::{test.partition('::')[2]}"
        scenario = f"{parameters.removesuffix(']')}.yaml"
        for one in (name, scenario):
            found.setdefault(one, []).append(item)
    return found


def name_of(marked: Marked | Left, package: str) -> str:
    if isinstance(marked, Left):
        return marked.name
    module = marked.function.__module__.removeprefix(package).lstrip(".")
    return f"{module}.{marked.function.__qualname__}"


def exclusions(folder: Path) -> dict[str, str]:
    """What is left out, and why."""
    path = folder / "mutants.yaml"
    found = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {str(name): str(reason) for name, reason in (found or {}).items()}


def verdicts_in(path: Path | None) -> dict[str, Verdict]:
    """The verdicts of earlier runs by the names of the mutants, without those that a busy machine may have spoilt."""
    lines = path.read_bytes().splitlines() if path is not None and path.exists() else []
    found = [msgspec.json.decode(line, type=Verdict) for line in lines]
    return {one.name: one for one in found if one.outcome not in (TIMED_OUT, BROKEN)}


class Trial:
    """The mutants of one ruleset, some of them at a time. ``known``: those that need not be tried any more.

    It is a plug-in of pytest, which collects the tests and then leaves the rest to it.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        only: str = "",
        jobs: int = 0,
        longest: float = LONGEST,
        known: Mapping[str, Verdict] | None = None,
    ) -> None:
        folder = tests_folder(ruleset)
        if folder is None:
            raise SystemExit(f"there are no tests of {ruleset.name}: no folder tests/rulesets/{ruleset.name}")
        self.folder = folder
        self.package = package_of(ruleset)
        self.tests = tests_of(ruleset)
        mutants: list[Marked | Left] = [*marked_in(ruleset), *deeds_of(ruleset.folder)]
        self.marked = [one for one in mutants if not only or only in one.ids]
        self.excluded = exclusions(folder)
        self.jobs = jobs or os.cpu_count() or 1
        self.longest = longest
        self.known = known or {}
        self.running: dict[int, tuple[Marked | Left, float]] = {}
        self.items: dict[str, list[pytest.Item]] = {}
        self.breadth = Counter(test for tests in self.tests.values() for test in tests)

    def run(self, tell: Callable[[Verdict], None]) -> None:
        """Tell every verdict when it is found. Raises SystemExit if pytest cannot collect the tests."""
        self.tell = tell
        said = StringIO()
        with redirect_stdout(said):
            code = pytest.main([*OPTIONS, str(self.folder)], plugins=[self])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise SystemExit(said.getvalue())

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The tests are collected: try the mutants instead of running all."""
        if session.testsfailed:
            return False
        self.items = by_name(session.items, self.folder)
        for one in self.verdicts():
            self.tell(one)
        return True

    def verdicts(self) -> Iterator[Verdict]:
        waiting = list(self.marked)
        while waiting or self.running:
            while waiting and len(self.running) < self.jobs:
                settled = self.start(waiting.pop(0))
                if settled is not None:
                    yield settled
            yield from self.finished()
            time.sleep(0.01)

    def start(self, marked: Marked | Left) -> Verdict | None:
        """Fork a mutant, unless it is settled beforehand."""
        name = name_of(marked, self.package)
        if name in self.excluded:
            return Verdict(name, marked.ids, EXCLUDED, self.excluded[name])
        if name in self.known:
            return self.known[name]
        covering = {test for id_ in marked.ids for test in self.tests.get(id_, ())}
        if not covering:
            return Verdict(name, marked.ids, UNTESTED)
        unknown = sorted(test for test in covering if not self.items_of(test))
        if unknown:
            return Verdict(name, marked.ids, BROKEN, f"pytest does not collect {unknown[0]}")
        narrowest = sorted(covering, key=lambda test: (self.breadth[test], test))
        items = [item for test in narrowest for item in self.items_of(test)]
        pid = os.fork()
        if pid == 0:
            tried(marked, items, self.package)
        self.running[pid] = (marked, time.monotonic())
        return None

    def items_of(self, test: str) -> list[pytest.Item]:
        """A scenario may be named without its folder."""
        return self.items.get(test) or self.items.get(Path(test).name) or []

    def finished(self) -> Iterator[Verdict]:
        for pid, (marked, begun) in list(self.running.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            outcome = outcome_of(status) if done else ""
            if not done and time.monotonic() - begun > self.longest:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                outcome = TIMED_OUT
            if outcome:
                del self.running[pid]
                yield Verdict(name_of(marked, self.package), marked.ids, outcome)


def report(ruleset: Ruleset, verdicts: list[Verdict]) -> str:
    """The list that is kept: how many, and all that were not missed, with their ids."""
    counts = {kind: sum(v.outcome == kind for v in verdicts) for kind in ALL}
    lines = [f"{ruleset.name}: {len(verdicts)} rules switched off, one at a time"]
    lines += [f"{count:>5} {kind}" for kind, count in counts.items()]
    for kind in ALL[1:]:
        some = sorted((v for v in verdicts if v.outcome == kind), key=lambda v: v.name)
        lines += ["", f"{kind}:"] if some else []
        lines += [f"  {v.name}  [{' '.join(v.ids)}]{'  ' + v.detail if v.detail else ''}" for v in some]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """How many rules nobody missed."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ruleset", help="its name, or the dotted name of its package")
    parser.add_argument("--only", default="", metavar="ID", help="only the functions that carry this entry out")
    parser.add_argument("--jobs", type=int, default=0, help="how many at a time (all cores)")
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds for each; more on a busy machine")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="where verdicts are kept, to go on later")
    given = parser.parse_args(arguments)
    ruleset = ruleset_called(given.ruleset)
    trial = Trial(ruleset, given.only, given.jobs, given.longest, verdicts_in(given.rows))
    verdicts: list[Verdict] = []

    def tell(one: Verdict) -> None:
        verdicts.append(one)
        if given.rows is not None and one.name not in trial.known:
            with given.rows.open("ab") as rows_kept:
                rows_kept.write(msgspec.json.encode(one) + b"\n")

    trial.run(tell)
    text = report(ruleset, verdicts)
    sys.stdout.write(text)
    if not given.only:
        path = ROOT / "benchmarks" / f"mutants-{ruleset.name}.txt"
        path.write_text(text, encoding="utf-8")
    return sum(v.outcome in (SURVIVED, UNTESTED, BROKEN) for v in verdicts)


if __name__ == "__main__":
    sys.exit(min(main(), 100))
