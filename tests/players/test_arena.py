"""The arena: a row for every battle, and a run that goes on where another was broken off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import arena

from campale.referee.ruleset import Ruleset, load_ruleset
from campale.simulate import starters_of
from campale.simulate.many import Pairing, Played

PLAYERS = ("greedy", "random")


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The battles that were begun: the first player wins those that it plays on side 0."""
    begun: list[str] = []

    def play(pairing: Pairing) -> Played:
        begun.append(f"{pairing.seed}/{int(pairing.swapped)}")
        return Played(pairing, "0", 0.0 if pairing.swapped else 1.0, 9, 3, 0.5, 30.0 if pairing.swapped else 50.0)

    monkeypatch.setattr(arena, "play", play)
    return begun


def test_a_run_goes_on_where_it_was_broken_off(raid: Ruleset, tmp_path: Path, played: list[str]) -> None:
    file = tmp_path / "rows.jsonl"
    whole = arena.arena(raid, PLAYERS, 6, tmp_path / "whole.jsonl", 1)
    first = arena.arena(raid, PLAYERS, 2, file, 1)
    file.write_text(file.read_text() + '{"book": "raid", "numb')
    del played[:]
    assert arena.arena(raid, PLAYERS, 6, file, 1) == whole
    assert played == ["1/1/0", "1/1/1", "1/2/0", "1/2/1"]
    assert first == whole[:2]
    assert [json.loads(one)["number"] for one in file.read_text().splitlines() if one.endswith("}")] == [*range(6)]
    assert arena.arena(raid, PLAYERS, 6, file, 1) == whole
    assert len(played) == 4


def test_rows_of_others_do_not_count(
    raid: Ruleset, tmp_path: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.jsonl"
    arena.arena(raid, PLAYERS, 2, file, 1)
    arena.arena(raid, PLAYERS[::-1], 2, file, 1)
    monkeypatch.setattr(arena, "state", lambda book: "another")
    arena.arena(raid, PLAYERS, 2, file, 1)
    assert len(played) == 6


def test_the_figures_are_those_of_the_latest_state(
    raid: Ruleset, tmp_path: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.jsonl"
    arena.arena(raid, PLAYERS, 4, file, 1)
    monkeypatch.setattr(arena, "state", lambda book: "another")
    arena.arena(raid, PLAYERS, 2, file, 1)
    (name, found), *others = arena.run(file).items()
    assert (name, others) == ("raid, greedy against random", [])
    assert found["battles"] == 2
    assert found["won, drawn, lost"] == "1, 0, 1"
    assert found["score"].startswith("0.500 [")
    assert found["points ahead"].startswith("40.000 [")


def test_battles_are_really_played_by_several_processes(raid: Ruleset, tmp_path: Path) -> None:
    rows = arena.arena(raid, ("random", "random"), 4, tmp_path / "rows.jsonl", 2)
    assert [row["number"] for row in rows] == [0, 1, 2, 3]
    assert [row["swapped"] for row in rows] == [False, True, False, True]
    assert all(row["outcome"] in {"0", "1", "draw"} for row in rows)


@pytest.mark.parametrize("name", ["e3m", "e55", "ragnarok", "w10", "wzr"])
def test_neither_side_has_the_better_force(name: str) -> None:
    """Both have the same; all the ready forces of that size take part."""
    book = load_ruleset(name)
    met = arena.setups(book)
    assert all(one.forces[0] == one.forces[1] for one in met)
    points = arena.POINTS.get(name)
    ready = [one for one in starters_of(book) if points is None or one.agreed["points"] == points]
    assert {repr(force) for one in ready for force in one.forces} == {repr(one.forces[0]) for one in met}


def test_words_about_the_code_make_no_other_state(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one.py", "same.py", "other.py"))
    one.write_text("def f(x):\n    return x + 1\n")
    same.write_text('"""A module."""\n\n\ndef f(x):\n    """A function."""\n    return x + 1  # one more\n')
    other.write_text("def f(x):\n    return x + 2\n")
    assert arena.code_of(one) == arena.code_of(same) != arena.code_of(other)
