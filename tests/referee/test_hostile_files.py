"""Files from strangers: a saved game that is damaged or made up is told with little work, and breaks nothing."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campale.conformance.budget import THOROUGH
from campale.referee.records.saved import SavedGameError, load, save, verify
from tests.referee.playing import at_random, begun
from tests.work import at_most

WHOLE = save(at_random(begun("hostile"), Random(6), 45))
PLAIN: dict[str, Any] = msgspec.json.decode(WHOLE)
UNDONE = 90_000 if THOROUGH else 15_000


def told(data: bytes) -> None:
    """Either it is a saved game after all, or SavedGameError says that it is none; nothing else is raised.

    The work grows with the size of the file, and no faster.
    """
    for function in (load, verify):
        with at_most(500_000 + 20 * len(data)), suppress(SavedGameError):
            function(data)


def made_up(**changes: Any) -> bytes:
    return msgspec.json.encode({**PLAIN, **changes})


MADE_UP: dict[str, bytes] = {
    "empty": b"",
    "text": b"hello",
    "binary": bytes(range(256)),
    "truncated": WHOLE[: len(WHOLE) // 2],
    "cut by one": WHOLE[:-1],
    "foreign": b'{"a": 1}',
    "list": b"[]",
    "NaN": WHOLE.replace(b'"version":1', b'"version":NaN'),
    "infinite": WHOLE.replace(b'"version":1', b'"version":1e999'),
    "huge number": WHOLE.replace(b'"version":1', b'"version":' + b"9" * 5000),
    "NaN inside": WHOLE.replace(b'["choose",0,0]', b'["choose",0,NaN]', 1),
    "deep": b"[" * 100_000,
    "deep answer": WHOLE.replace(b'["choose",0,0]', b'["choose",0,' + b"[" * 5000 + b"]" * 5000 + b"]", 1),
    "deep set-up": made_up(setup={"ruleset": "toy"}).replace(
        b'"ruleset":"toy"}', b'"ruleset":"toy","agreed":{"a":' + b"[" * 900 + b"]" * 900 + b"}}"
    ),
    "million answers": b'{"format":"campale-game","version":1,"record":[' + b'["choose",0,0],' * 1_000_000 + b"[]]}",
    "as many answers as there may be": made_up(record=[["choose", 0, 0]] * 200_000),
    "much undone": made_up(record=[["choose", 0, 0], ["undo", None, 0]] * UNDONE),
    "many undone dice": made_up(record=[["choose", 0, 0], ["roll", 0, [1]], ["undo", None, 0]] * 60_000),
    "long answer": made_up(record=[["choose", 0, list(range(100_000))]]),
    "long word": made_up(record=[["choose", 0, "x" * 1_000_000]]),
    "many hashes": made_up(hashes=[[0, 0, "x"]] * 100_000),
    "many held": made_up(held={str(side): 0 for side in range(10_000)}),
    "many options": made_up(setup={"ruleset": "toy", "options": {str(n): n for n in range(10_000)}}),
    "huge seed": made_up(seed="x" * 1_000_000),
    "ruleset with dots": made_up(ruleset="..os"),
    "ruleset with a path": made_up(ruleset="../../etc"),
    "no forces": made_up(setup={"ruleset": "toy", "agreed": {"models": -5}}),
    "endless correction": made_up(record=[["correct", None, [["mark", 0, "wounds", 1]] * 50_000]]),
}


@pytest.mark.parametrize("data", MADE_UP.values(), ids=MADE_UP.keys())
@pytest.mark.parametrize("version", ["0.1.0", "9.9"])
def test_what_is_made_up_is_told(data: bytes, version: str) -> None:
    told(data.replace(b'"campale":"' + str(PLAIN["campale"]).encode(), b'"campale":"' + version.encode()))


ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
        st.sampled_from(["choose", "roll", "undo", "correct", "concede", "propose", "toy", "fire", "orders", "hand"]),
    ),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=12,
)
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["choose", "roll", "draw", "form", "move", "undo", "correct", "concede", "draw-agreed", "?"]),
        st.sampled_from([0, 1, None, 2, -1]),
        ANYTHING,
    ),
    max_size=4,
)


@settings(max_examples=120, derandomize=True, deadline=None)
@given(st.sampled_from(sorted(PLAIN)), ANYTHING)
def test_wrong_types_anywhere_are_told(key: str, value: Any) -> None:
    told(made_up(**{key: value}))


@settings(max_examples=120, derandomize=True, deadline=None)
@given(st.integers(0, len(PLAIN["record"])), ENTRIES, st.booleans())
def test_entries_made_up_anywhere_are_told(place: int, entries: list[Any], is_of_before: bool) -> None:
    record = [*PLAIN["record"][:place], *entries, *PLAIN["record"][place:]]
    told(made_up(record=record, **({"campale": "0"} if is_of_before else {})))


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.data())
def test_damaged_bytes_are_told(data: st.DataObject) -> None:
    damaged = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    told(bytes(damaged))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.data())
def test_digits_and_words_exchanged_are_told(data: st.DataObject) -> None:
    damaged = bytearray(WHOLE)
    digits = [place for place, byte in enumerate(damaged) if 48 <= byte <= 57]
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.sampled_from(digits))] = data.draw(st.integers(48, 57))
    told(bytes(damaged))
