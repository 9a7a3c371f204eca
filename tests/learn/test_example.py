"""The example that learns begins at the first suggestion, and keeps to the time that it is given."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pytest
from examples import learning

PAST = 0.0


def test_before_it_learns_it_takes_the_first_action_of_every_question() -> None:
    battle, policy, rng = learning.against("ragnarok", "first"), learning.Policy(), np.random.default_rng(1)
    seen, _ = battle.reset(seed=1)
    counts = []
    for _ in range(60):
        chosen = policy.choose(seen, rng)
        assert np.argmax(chosen.chances) == 0
        counts.append(len(chosen.chances))
        seen, *_ = battle.step(0)
    assert max(counts) > 5


def test_what_brings_more_than_usual_becomes_likelier() -> None:
    battle, policy, rng = learning.against("ragnarok", "first"), learning.Policy(), np.random.default_rng(1)
    chosen = policy.choose(battle.reset(seed=1)[0], rng)
    last = chosen._replace(taken=len(chosen.chances) - 1)
    policy.learn([last], [1.0])
    after = chosen.actions @ (policy.weights[chosen.prompt] + policy.weights[-1])
    assert np.exp(after - after.max())[-1] / np.exp(after - after.max()).sum() > chosen.chances[-1]


def test_of_an_examination_without_time_one_battle_is_left() -> None:
    assert len(learning.examine("ragnarok", "first", learning.Policy(), 3, PAST)) == 1


def test_an_examination_with_time_has_all_its_battles() -> None:
    assert len(learning.examine("ragnarok", "first", learning.Policy(), 2, time.monotonic() + 3600.0)) == 2


def test_nothing_is_learned_once_the_time_is_up(tmp_path: Path) -> None:
    found = learning.learn("ragnarok", "first", PAST, 5, tmp_path / "none.csv")
    assert (found.weights == learning.Policy().weights).all()
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
    assert "of 12 battles" in told.splitlines()[1]
    assert "learned from 24 battles" in told
    assert "20 s: 4 battles, 1.000 of the last 4" in told
    assert 1000.0 + 240.0 <= now[0] < 1000.0 + 250.0
