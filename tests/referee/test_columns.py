"""Counters: copies share what nobody has written since, and never see what another writes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.columns import Counters
from campale.referee.position import Position
from tests.referee.playing import at_random, begun

ROWS, NAMES = 4, ("wounds", "fatigue", "aim")


def filled() -> Counters:
    counters = Counters(ROWS)
    counters.set(0, "wounds", 2)
    counters.set(3, "aim", 1)
    counters.set_note(1, "goes-to", [3, 4])
    return counters


def written(counters: Counters, rng: Random) -> None:
    """Something is counted, noted, taken away or added."""
    row, name = rng.randrange(counters.rows), rng.choice(NAMES)
    rng.choice(
        (
            lambda: counters.set(row, name, rng.randrange(3)),
            lambda: counters.set_note(row, name, rng.choice((None, 1, [2, 3]))),
            counters.add_row,
        )
    )()


def test_whatever_is_written_stays_with_its_own_copy() -> None:
    """Of many copies of copies, each written to at random, every one is as if it had been copied whole."""
    rng = Random(4)
    several, whole = [filled()], [filled().plain()]
    for _ in range(600):
        place = rng.randrange(len(several))
        if rng.random() < 0.2 and len(several) < 40:
            several.append(several[place].copy())
            whole.append(several[place].plain())
        before = Counters.from_plain(whole[place])
        state = rng.getstate()
        written(several[place], rng)
        rng.setstate(state)
        written(before, rng)
        whole[place] = before.plain()
        assert [one.plain() for one in several] == whole


def test_what_is_shared_is_not_copied_before_it_is_written() -> None:
    counters = filled()
    copied = counters.copy()
    assert copied.columns["wounds"] is counters.columns["wounds"]
    copied.set(0, "wounds", 3)
    assert copied.columns["wounds"] is not counters.columns["wounds"]
    assert copied.columns["aim"] is counters.columns["aim"]
    own = copied.columns["wounds"]
    copied.set(1, "wounds", 1)
    assert copied.columns["wounds"] is own, "its own is written in place"


def test_counters_are_alike_whatever_was_written_and_taken_back() -> None:
    one, other = filled(), filled()
    one.set(2, "fatigue", 1)
    assert not one.is_like(other)
    one.set(2, "fatigue", 0)
    one.set_note(2, "aim", 1)
    one.set_note(2, "aim", None)
    assert one.is_like(other)
    assert not one.is_like(Counters(ROWS))
    one.add_row()
    assert not one.is_like(other)


def changed_in(position: Position) -> dict[str, Any]:
    model = position.models[0]
    return {
        "place": lambda: model.move_to(model.x + 1.0, model.y),
        "count": lambda: model.mark("tired", 1),
        "note": lambda: model.jot("by", 3),
        "hold": lambda: position.gain(0, "points", 2),
        "declared": lambda: position.declare("orders", (1, 2)),
        "now": lambda: position.now.update(turn=99),
        "snapshot": lambda: position.remember("then"),
        "gone": lambda: position.remove(model, "fire"),
    }


@pytest.mark.parametrize("what", ["place", "count", "note", "hold", "declared", "now", "snapshot", "gone"])
def test_positions_are_alike_as_their_bytes_are(what: str) -> None:
    position = at_random(begun("alike"), Random(2), 20).position
    copied = position.copy()
    assert copied.is_alike_in_columns(position)
    assert copied.is_like(position)
    changed_in(copied)[what]()
    assert not copied.is_like(position)
    assert copied.to_bytes() != position.to_bytes()
