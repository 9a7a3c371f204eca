"""The example that learns keeps to the time that it is given."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from examples import learning

PAST = 0.0


def test_of_an_examination_without_time_one_battle_is_left() -> None:
    assert len(learning.examine("ragnarok", learning.Policy(), 3, PAST)) == 1


def test_an_examination_with_time_has_all_its_battles() -> None:
    assert len(learning.examine("ragnarok", learning.Policy(), 2, time.monotonic() + 3600.0)) == 2


def test_nothing_is_learned_once_the_time_is_up(tmp_path: Path) -> None:
    found = learning.learn("ragnarok", PAST, 5, tmp_path / "none.csv")
    assert not found.weights.any()
    assert (tmp_path / "none.csv").read_text().splitlines() == [",".join(learning.COLUMNS)]


def test_the_minutes_are_for_all_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """By a clock of its own, on which every battle takes five seconds."""
    now = [1000.0]

    def played(*_: object, **__: object) -> float:
        now[0] += 5.0
        return 1.0

    monkeypatch.setattr(learning, "play", played)
    monkeypatch.setattr(learning, "warm_up", lambda: None)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "argv", ["learning", "--minutes", "4", "--out", str(tmp_path / "curve.csv")])
    learning.main()
    told = capsys.readouterr().out
    assert "of 6 battles" in told.splitlines()[1]
    assert "learned from 36 battles" in told
    assert "20 s: 4 battles, 1.000 of the last 4" in told
    assert 1000.0 + 240.0 <= now[0] < 1000.0 + 250.0
