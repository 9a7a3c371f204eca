"""Many battles: driven to the end, from both sides, on several processes; faults found and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.position import Position, Result
from campale.referee.records.saved import read
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.simulate import Pairing, battle, duel, fuzz, many, outcome, pairings, starters_of
from campale.simulate.duel import mission_of
from campale.simulate.many import play


def bots() -> dict[int, Any]:
    return {0: RandomPlayer(1), 1: RandomPlayer(2)}


def test_a_battle_is_played_to_its_end(raid: Ruleset) -> None:
    seen: list[Game] = []
    game = battle(raid, starters_of(raid)[0], bots(), each=seen.append)
    assert game.is_over
    assert outcome(game) in {"0", "1", "draw"}
    assert len(seen) >= 20


def test_without_journal_and_marks_it_is_the_same_battle(raid: Ruleset) -> None:
    setup = starters_of(raid)[0]
    full, bare = battle(raid, setup, bots()), battle(raid, setup, bots(), journal=False, marks="none")
    assert full.line == bare.line
    assert bare.journal == []
    assert bare.marks == []


def test_a_battle_that_does_not_end_is_stalled_and_nobody_has_lost_it(raid: Ruleset) -> None:
    game = battle(raid, starters_of(raid)[0], bots(), most=5)
    assert outcome(game) == "stalled"
    (played,) = many([Pairing("raid", starters_of(raid)[0], ("random", "random"), "1", most=5)])
    assert (played.outcome, played.score) == ("stalled", 0.5)


def test_every_seed_is_played_from_both_sides(raid: Ruleset) -> None:
    wanted = list(pairings(raid, starters_of(raid), ("greedy", "random"), 8))
    assert [(one.seed, one.swapped) for one in wanted[:4]] == [
        ("1/0", False),
        ("1/0", True),
        ("1/1", False),
        ("1/1", True),
    ]
    assert {mission_of(one.setup) for one in wanted} == {"raid", "dash"}
    assert not any(one.swapped for one in pairings(raid, starters_of(raid), ("random", "random"), 3, swapping=False))


def test_several_processes_find_what_one_finds(raid: Ruleset) -> None:
    wanted = list(pairings(raid, starters_of(raid), ("random", "random"), 6))
    alone, shared = many(wanted), many(wanted, processes=2)
    assert [one._replace(seconds=0) for one in alone] == [one._replace(seconds=0) for one in shared]


def test_the_points_ahead_are_those_of_the_first_player() -> None:
    setup = starters_of(load_ruleset("ragnarok"))[0]
    one, other = (play(Pairing("ragnarok", setup, ("random", "random"), "lead", swapped)) for swapped in (False, True))
    assert one.answers == other.answers
    assert one.lead
    assert one.lead == -(other.lead or 0.0)


def test_a_duel_counts_every_battle_once(raid: Ruleset) -> None:
    seen: list[object] = []
    found = duel(raid, ("greedy", "random"), 12, each=seen.append)
    assert found.battles == len(seen) == found.won + found.drawn + found.lost + found.stalled == 12
    assert found.score.value == pytest.approx((found.won + found.drawn / 2 + found.stalled / 2) / 12)
    assert set(found.by_mission) == {"raid", "dash"}


def test_the_first_player_wins_with_the_side_it_has(raid: Ruleset) -> None:
    async def step(position: Position) -> bool:
        position.finish(Result(1, "turn/sequence"))
        return False

    one_sided = raid.replacing(step=step)
    game = Game(one_sided, starters_of(raid)[0])
    assert outcome(game) == "1"


def test_a_mission_may_be_a_word_or_an_entry_with_a_name() -> None:
    assert mission_of(Setup("raid", agreed={"mission": {"name": "patrol"}})) == "patrol"
    assert mission_of(Setup("raid")) == "raid"


def test_a_ruleset_without_a_ready_battle_says_so(raid: Ruleset) -> None:
    with pytest.raises(ValueError, match="no battle to start with"):
        starters_of(raid.replacing(starters=None))


def test_fuzzing_a_sound_book_finds_nothing(raid: Ruleset) -> None:
    seeds: list[str] = []
    assert fuzz(raid, 6, "s", each=seeds.append) is None
    assert seeds == [f"s/{number}" for number in range(6)]


def test_fuzzing_goes_on_with_an_earlier_run(raid: Ruleset) -> None:
    seeds: list[str] = []
    assert fuzz(raid, 2, "s", each=seeds.append, first=4) is None
    assert seeds == ["s/4", "s/5"]


def test_fuzzing_names_the_seed_and_keeps_the_file_of_what_fails(raid: Ruleset, tmp_path: Path) -> None:
    async def broken(position: Position) -> bool:
        if position.now["phase"] == "act":
            raise ZeroDivisionError("a rule that fails")
        return await raid.step(position)

    failure = fuzz(raid.replacing(step=broken), 3, "s", tmp_path)
    assert failure is not None
    assert failure.seed == "s/0"
    assert "a rule that fails" in failure.why
    assert failure.file is not None
    assert read(failure.file.read_bytes()).seed == "s/0"


def test_fuzzing_finds_the_battle_that_never_ends(raid: Ruleset) -> None:
    failure = fuzz(raid, 1, most=4)
    assert failure is not None
    assert "stalled" in failure.why


def test_fuzzing_finds_the_record_that_does_not_replay(raid: Ruleset) -> None:
    """A set-up that changes between two readings."""
    moved = iter(range(1, 100))

    def set_out(ruleset: Ruleset, setup: Setup) -> Position:
        position = raid.set_out(ruleset, setup)
        position.of_sides.set(0, "points", next(moved))
        return position

    unsteady = raid.replacing(set_out=set_out)
    failure = fuzz(unsteady, 1)
    assert failure is not None
    assert "does not verify" in failure.why
