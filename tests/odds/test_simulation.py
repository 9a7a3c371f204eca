"""What is told of random queries is what the referee plays (more rolls: ``python -m tools.odds BOOK``)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest
from tools.odds import ROLLS as MANY
from tools.odds import SET_UPS, SetUp, arguments, differences, main, set_ups, stages_of
from tools.rolling import simulated

from campale.conformance.budget import THOROUGH
from campale.referee.ruleset import load_ruleset

ROLLS = 1000
SHARES = 6
"""The set-ups of a book are played in so many tests, each with a seed of its own."""

TRIED = SHARES if THOROUGH else 2
"""The shares that are played."""


@lru_cache(maxsize=1)
def drawn(book: str, share: int) -> tuple[SetUp, ...]:
    return tuple(islice(set_ups(load_ruleset(book), f"share {share}"), SET_UPS // SHARES))


@pytest.mark.parametrize("share", range(TRIED))
@pytest.mark.parametrize("book", ["ragnarok", "e55", "e3m", "w10", "wzr"])
def test_what_is_told_is_what_the_referee_plays(book: str, share: int) -> None:
    wrong = {}
    for link, query, answer in drawn(book, share):
        counters = simulated(query, ROLLS, f"rolls {share}")
        for stage in stages_of(answer, query):
            found = differences(stage.chances, counters[stage.kind])
            if found:
                wrong[link, stage.kind] = found
    assert wrong == {}


@pytest.mark.parametrize(
    ("found", "is_wrong"),
    [
        ({0: 500, 1: 500}, False),
        ({0: 560, 1: 440}, False),
        ({0: 570, 1: 430}, True),
        ({0: 499, 1: 500, 2: 1}, True),
        ({0: 1000}, True),
    ],
)
def test_a_difference_is_noticed(found: dict[int, int], is_wrong: bool) -> None:
    assert bool(differences(((0, 0.5), (1, 0.5)), Counter(found))) is is_wrong


def test_rare_numbers_may_come_and_may_not_come_often() -> None:
    told = ((0, 0.999), (1, 0.001))
    assert differences(told, Counter({0: 1000})) == []
    assert differences(told, Counter({0: 996, 1: 4})) == []
    assert differences(told, Counter({0: 980, 1: 20})) != []


def test_the_command_says_what_may_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    given = arguments(["ragnarok"])
    assert (given.book, given.set_ups, given.rolls) == ("ragnarok", SET_UPS, MANY)
    for wrong, told in ((["--help"], "--keep"), ([], "required: book"), (["nothing"], "invalid choice")):
        with pytest.raises(SystemExit) as ended:
            arguments(wrong)
        assert ended.value.code == (0 if "--help" in wrong else 2)
        captured = capsys.readouterr()
        assert told in captured.out + captured.err


def run(monkeypatch: pytest.MonkeyPatch, *given: str) -> object:
    monkeypatch.setattr("sys.argv", ["odds", "ragnarok", *given])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, half = tmp_path / "whole.txt", tmp_path / "half.txt"
    assert run(monkeypatch, "2", "20", "--keep", str(whole)) == 0
    first, *others = whole.read_text().splitlines(keepends=True)
    half.write_text(first + others[0])
    assert run(monkeypatch, "2", "20", "--keep", str(half)) == 0
    assert half.read_text() == whole.read_text()
    assert "another run" in str(run(monkeypatch, "2", "21", "--keep", str(half)))
    half.write_text(first + others[0].replace("attacker=", "attacker=x"))
    assert "another query" in str(run(monkeypatch, "2", "20", "--keep", str(half)))


def test_the_same_is_found_by_however_many_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    assert run(monkeypatch, "3", "20", "--keep", str(one)) == 0
    assert run(monkeypatch, "3", "20", "--keep", str(two), "--processes", "2") == 0
    assert two.read_text() == one.read_text()
    assert one.read_text().count("agrees") == 3
    assert run(monkeypatch, "3", "20", "--processes", "0") == 2
