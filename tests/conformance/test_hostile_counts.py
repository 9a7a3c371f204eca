"""Saved battles from strangers: a count that is far too high is told before anything is made of it."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from contextlib import suppress
from mmap import PAGESIZE
from pathlib import Path
from random import Random
from resource import RLIMIT_AS, getrlimit, setrlimit
from typing import Any

import msgspec
import pytest

from campale.conformance.playing import answered, begun
from campale.referee.game import Game
from campale.referee.records.saved import SavedGameError, load, save, unpacked
from campale.server.battle.hall import check_shown

FAR_TOO_MANY = 10**9
MOST_MEMORY = 64_000_000
ANSWERS = 60
OTHER = "0.0.0"

Battle = tuple[str, int]
Place = tuple[Any, ...]


def half_way(battle: Battle) -> Game:
    game, rng = begun(*battle, seed="counts"), Random("counts")
    for _ in range(ANSWERS):
        question = game.question
        if question is None:
            break
        answered(game, question, question.sample(rng))
    return game


def as_of_another_version(battle: Battle) -> dict[str, Any]:
    """The file of such a battle goes on from its boundary, which is believed as far as it makes sense."""
    whole: dict[str, Any] = msgspec.json.decode(save(half_way(battle)))
    return {**whole, "campale": OTHER}


def with_boundary(whole: dict[str, Any], position: Any) -> bytes:
    boundary = base64.b64encode(zlib.compress(msgspec.msgpack.encode(position))).decode()
    return msgspec.json.encode({**whole, "boundary": boundary})


def counts(value: Any, place: Place = ()) -> Iterator[Place]:
    """Where a whole number stands in plain data."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield place
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from counts(one, (*place, key))


def of_each_kind(value: Any) -> list[Place]:
    """One place of each kind: elements of one list are of a kind."""
    kinds: dict[Place, Place] = {}
    for place in counts(value):
        kinds.setdefault(tuple(key if isinstance(key, str) or len(place) < 4 else 0 for key in place), place)
    return list(kinds.values())


def with_count(value: Any, place: Place) -> Any:
    changed = msgspec.msgpack.decode(msgspec.msgpack.encode(value))
    at = changed
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = FAR_TOO_MANY
    return changed


def is_read_in_little_memory(data: bytes) -> bool:
    """Whether a file is read, or refused, and the battle looked at, where little memory may be had."""
    ours, most = getrlimit(RLIMIT_AS)
    held = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * PAGESIZE
    setrlimit(RLIMIT_AS, (held + MOST_MEMORY, most))
    try:
        with suppress(SavedGameError):
            check_shown(load(data))
    except MemoryError:
        return False
    finally:
        setrlimit(RLIMIT_AS, (ours, most))
    return True


def test_what_takes_much_memory_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.load", lambda data: [0] * (FAR_TOO_MANY // 8))
    assert not is_read_in_little_memory(b"")


def test_each_count_of_a_position_is_held_against_what_there_can_be(name: str) -> None:
    whole = as_of_another_version((name, 0))
    position = msgspec.msgpack.decode(unpacked(whole["boundary"]))
    for place in of_each_kind(position):
        assert is_read_in_little_memory(with_boundary(whole, with_count(position, place))), place


def test_each_count_of_a_file_is_held_against_what_there_can_be(name: str) -> None:
    whole = as_of_another_version((name, 0))
    for place in of_each_kind(whole):
        assert is_read_in_little_memory(msgspec.json.encode(with_count(whole, place))), place


@pytest.mark.parametrize("sides", [0, 1, 3, FAR_TOO_MANY])
def test_a_battle_has_two_sides_whatever_its_file_says(battle: Battle, sides: int) -> None:
    """Nobody holds anything yet, so that no other count tells of it."""
    whole = as_of_another_version(battle)
    position = msgspec.msgpack.decode(unpacked(whole["boundary"]))
    position["counters"][2] = [sides, {}, {}]
    with pytest.raises(SavedGameError, match=f"{sides} sides"):
        load(with_boundary(whole, position))


@pytest.mark.parametrize("count", [-FAR_TOO_MANY, FAR_TOO_MANY])
def test_nothing_is_counted_beyond_a_million(battle: Battle, count: int) -> None:
    whole = as_of_another_version(battle)
    position = msgspec.msgpack.decode(unpacked(whole["boundary"]))
    position["counters"][0][1] = {"marks": [count] * len(position["names"])}
    with pytest.raises(SavedGameError, match="'marks'"):
        load(with_boundary(whole, position))
