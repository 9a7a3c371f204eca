"""A rule that is switched off does nothing, and somebody misses it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools.mutants import (
    OPTIONS,
    Trial,
    Verdict,
    by_name,
    deeds_of,
    leave_out,
    name_of,
    neutral,
    report,
    switched_off,
    verdicts_in,
)

from campale.mechanics.armies import rows
from campale.referee.ledgers.trace import package_of
from campale.referee.reading import read_file
from tests.conformance.drill import RULESET

ROOT = Path(__file__).parents[2]


def predicate(a: int) -> bool:
    return True


def modifier(a: int, b: int = 1) -> int:
    return a + b


def restriction(a: int) -> str | None:
    return "no"


def listing(a: int) -> list[int]:
    return [a]


def stage(shots: Verdict) -> Verdict:
    return Verdict("other", (), "killed")


def verb(a: int) -> None:
    raise AssertionError


async def asks(a: int) -> bool:
    raise AssertionError


def counting(a: int) -> Iterator[int]:
    yield a


def enclosed() -> Callable[[], int]:
    value = 3

    def inside() -> int:
        return value

    return inside


@pytest.mark.parametrize(
    ("function", "value"),
    [(predicate, False), (modifier, 0), (restriction, None), (listing, []), (verb, None), (enclosed(), 0)],
)
def test_a_function_that_is_off_returns_the_neutral_value(function: Any, value: Any) -> None:
    function.__code__ = switched_off(function)
    function.__defaults__ = None
    assert function(1, b=2) == value
    assert function() == value


def test_a_stage_that_is_off_gives_back_what_it_was_given() -> None:
    given = Verdict("one", (), "killed")
    assert neutral(stage) == "given[0]"
    stage.__code__ = switched_off(stage)
    assert stage(given) is given


def test_a_coroutine_that_is_off_asks_nothing() -> None:
    asks.__code__ = switched_off(asks)
    coroutine: Coroutine[Any, Any, bool] = asks(1)
    with pytest.raises(StopIteration) as done:
        coroutine.send(None)
    assert done.value.value is False


def test_a_generator_that_is_off_gives_nothing() -> None:
    counting.__code__ = switched_off(counting)
    assert list(counting(1)) == []


class Deed(msgspec.Struct):
    rules: tuple[str, ...]
    do: tuple[int, ...] = ()


def test_an_entry_of_a_row_that_is_left_out_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deeds.yaml"
    path.write_text(
        "aim:\n  rules: [fire/aim]\n  do: [1, 2]\nhit:\n  rules: [fire/hit]\n  do: [3]\nplain:\n  do: [4]\n"
    )
    aim, second, hit = deeds_of(tmp_path)
    assert [(one.name, one.ids) for one in (aim, second, hit)] == [
        ("deeds.aim.do[1]", ("fire/aim",)),
        ("deeds.aim.do[2]", ("fire/aim",)),
        ("deeds.hit.do[1]", ("fire/hit",)),
    ]
    monkeypatch.setattr(rows, "read_file", read_file)
    was_read = leave_out(second)
    assert not was_read()
    path.write_text(path.read_text().replace("plain:", "plain:\n  rules: []"))
    assert {name: row.do for name, row in rows.rows_from(path, Deed).items()} == {
        "aim": (1,),
        "hit": (3,),
        "plain": (4,),
    }
    assert was_read()


def test_the_list_names_what_nobody_missed() -> None:
    verdicts = [Verdict("fire.hit", ("fire/hit",), "survived"), Verdict("fire.aim", ("fire/aim",), "killed")]
    assert report(RULESET, verdicts).splitlines() == [
        "drill: 2 rules switched off, one at a time",
        "    1 killed",
        "    0 timed out",
        "    1 survived",
        "    0 untested",
        "    0 not run",
        "    0 excluded",
        "",
        "survived:",
        "  fire.hit  [fire/hit]",
    ]


def test_a_rule_of_the_drill_is_missed(tmp_path: Path) -> None:
    kept = tmp_path / "rows.jsonl"
    command = [sys.executable, "-m", "tools.mutants", "tests.conformance.drill", "--only", "hand/window"]
    told = subprocess.run([*command, "--rows", str(kept)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "1 killed" in told.stdout
    assert [one.outcome for one in verdicts_in(kept).values()] == ["killed"]


def test_what_was_tried_before_is_not_tried_again(tmp_path: Path) -> None:
    kept = tmp_path / "rows.jsonl"
    (marked,) = Trial(RULESET, only="hand/window").marked
    name = name_of(marked, package_of(RULESET))
    old = [Verdict(name, marked.ids, "survived"), Verdict("another.rule", ("another/rule",), "timed out")]
    kept.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in old))
    known = verdicts_in(kept)
    assert list(known) == [name]
    assert list(Trial(RULESET, only="hand/window", known=known).verdicts()) == old[:1]


def test_the_tests_are_known_by_the_names_of_the_trace(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import pytest\n\n"
        "class TestAll:\n    def test_a(self):\n        pass\n\n"
        "@pytest.mark.parametrize('path', ['fire/aim', 'fire/[hit]::b'])\ndef test_b(path):\n    pass\n"
    )
    found: dict[str, int] = {}

    class Collected:
        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            found.update({name: len(items) for name, items in by_name(session.items, tmp_path).items()})
            return True

    assert pytest.main([*OPTIONS, str(tmp_path)], plugins=[Collected()]) == 0
    assert found.pop("test_one.py::TestAll::test_a") == 1
    assert found.pop("test_one.py::test_b") == 2
    assert {name for name in found if name != ".yaml"} == {"fire/aim.yaml", "fire/[hit]::b.yaml"}


def test_a_test_that_is_not_collected_leaves_the_rule_untried() -> None:
    trial = Trial(RULESET, only="hand/window")
    (verdict,) = trial.verdicts()
    assert verdict.outcome == "not run"
    assert verdict.detail.startswith("pytest does not collect test_")
