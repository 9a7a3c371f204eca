from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campale.referee.columns import Counters, tupled
from campale.referee.position import ABOARD, FALLEN, GONE, RESERVE, TABLE, Effect, Model, Position, Result, Token, Unit
from campale.referee.ruleset import MOST_KEYS, Setup
from campale.table.terrain import Ground
from tests.referee.playing import at_random, begun
from tests.referee.toy import RULESET, SOLDIER, Profile


def full() -> Position:
    """A position with something of everything in it."""
    position = at_random(begun("full"), Random(8), 60).position.copy()
    one, two, three, _ = position.models
    position.begin(Effect("toy/spell", one.row, two.row, "turn", [1, ["deep"]]))
    position.lay(Token("mine", 1.00004, 2.0, side=1, value=[1, 2]))
    position.remember("start")
    position.declare("order", ["charge", [1, 2]])
    position.take_off(three, aboard_of=two)
    position.remove(one, "fire", by=3)
    one.jot("plan", [1, {"a": 1}])
    one.unit.jot("name", "first")
    one.unit.mark("tired", 2)
    position.gain(0, "points", 3)
    position.hold(1, "hand", ["ace", ["king", 1]])
    position.finish(Result(1, "toy/victory", {"lost": 1}))
    return position


def columns(position: Position) -> dict[str, Any]:
    return {
        name: getattr(position, name) for name in Position.__slots__ if name not in {"_handles", "cache", "journal"}
    }


def equal(one: Position, two: Position) -> bool:
    a, b = columns(one), columns(two)
    counters = [name for name, column in a.items() if isinstance(column, Counters)]
    return {k: v for k, v in a.items() if k not in counters} == {k: v for k, v in b.items() if k not in counters} and [
        a[name].plain() for name in counters
    ] == [b[name].plain() for name in counters]


def test_a_position_goes_to_bytes_and_back() -> None:
    position = full()
    again = Position.from_bytes(position.ruleset, position.to_bytes())
    again.revealed = position.revealed
    assert equal(again, position)
    assert again.to_bytes() == position.to_bytes()
    assert again.state_hash() == position.state_hash()
    assert again.model(0).profile is position.ruleset.profile_from(position.ruleset.profile_key(SOLDIER))
    assert hash(again.effects[-1]) == hash(position.effects[-1]) or again.effects[-1].value == (1, ("deep",))


def test_what_is_kept_is_the_same_after_a_file() -> None:
    """Lists become tuples as they enter: a copy shares them, and a file gives tuples back."""
    position = full()
    assert position.declared["order"] == ("charge", (1, 2))
    assert position.hand(1, "hand") == ("ace", ("king", 1))
    assert tupled([1, ([2], "a")]) == (1, ((2,), "a"))


def test_a_copy_is_equal_and_shares_nothing_that_changes() -> None:
    position = full()
    before, copy = position.to_bytes(), position.copy()
    assert equal(copy, position)
    assert copy.journal is None
    change_everything(copy)
    assert position.to_bytes() == before
    copy = position.copy()
    bytes_of_copy = copy.to_bytes()
    change_everything(position)
    assert copy.to_bytes() == bytes_of_copy


def change_everything(position: Position) -> None:
    unit = position.add_unit("new", 1)
    model = position.add_model("new", SOLDIER, 1, unit)
    position.move_to(model, 5, 5, 1, 90)
    for one in position.models:
        one.move_to(one.x + 1, one.y + 1, facing=45)
        one.add("wounds", 1)
        one.jot("plan", "none")
        one.add("fresh", 1, quietly=True)
    position.turn(position.model(1), 10.0)
    position.join(position.model(0), unit)
    position.become(position.model(1), Profile("officer"))
    position.model(1).unit.mark("tired", 9)
    position.gain(1, "points", 1)
    position.hold(0, "deck", [])
    position.begin(Effect("toy/new", 0))
    position.end_effects("turn")
    position.replace_token(0, Token("gone", 0.0, 0.0))
    position.remember("start")
    position.remember("later")
    position.declare("order", None)
    position.declare("new", 1)
    position.now["turn"] = 77
    position.change_ground(Ground(10.0, 10.0))
    position.remove(position.model(1), "test", fallen=True)
    position.result = None


def test_supposing_looks_at_what_would_be() -> None:
    position = full()
    before = position.to_bytes()
    there = position.supposing({1: (30.00004, 30.0), 3: (1.0, 2.0, 3.0, 90.0)})
    assert there.model(1).at == (30.0, 30.0)
    assert (there.model(3).z, there.model(3).facing) == (3.0, 90.0)
    assert there.model(0).at == position.model(0).at
    assert position.to_bytes() == before


def test_a_model_tells_where_it_is_and_of_what_unit() -> None:
    position = full()
    one, two, three, four = position.models
    assert [model.where for model in position.models] == [GONE, TABLE, ABOARD, TABLE]
    assert three.aboard_of is two
    assert two.aboard_of is None
    assert position.on_table() == [two, four]
    assert position.on_table(1) == [four]
    assert one.unit == one.bought_with == position.units[0]
    assert one.unit != position.units[1]
    assert len({one.unit, two.unit}) == 1
    assert one.unit.models == [two]
    assert (repr(one), one.unit.name, four.unit.side) == ("<0-0 (0)>", "unit 0", 1)
    assert four.solid.x == four.x
    assert (one.note("plan"), one.note("other", 5)) == ((1, {"a": 1}), 5)
    assert (one.unit.note("name"), one.unit.marks("tired")) == ("first", 2)
    assert position.options is position.ruleset.options
    assert [piece.name for piece in position.pieces_tagged("none")] == []
    position.take_off(four)
    assert four.where == RESERVE
    position.remove(two, "fire", fallen=True)
    assert two.where == FALLEN
    assert position.losses[-1].cause == "fire"
    assert position.moment == tuple(v for _, v in sorted(position.now.items()))


def test_handles_on_the_same_unit_are_equal_and_those_of_a_copy_are_others() -> None:
    position = full()
    one, again, other = Unit(position, 0), Unit(position, 0), Unit(position, 1)
    assert one == again
    assert (one != again) is False
    assert len({one, again, other}) == 2
    for another in (other, Unit(position.copy(), 0), 0):
        assert one != another
        assert (one == another) is False


def test_effects_end_at_their_moment_and_ask_for_their_bearer() -> None:
    position = begun().position
    position.begin(Effect("toy/x", 0, until="turn"))
    position.begin(Effect("toy/x", 0, until="battle"))
    position.begin(Effect("toy/x", 0, on="unit"))
    assert len(position.effects_on(position.model(0), "toy/x")) == 2
    position.end_effects("turn")
    position.end_effects("never")
    assert [effect.until for effect in position.effects] == ["battle", ""]


def test_coordinates_are_rounded_as_they_enter() -> None:
    position = begun().position
    position.move_to(position.model(0), 1.00005, 2.00004, facing=450.0)
    assert (position.model(0).x, position.model(0).y, position.model(0).facing) == (1.0001, 2.0, 90.0)
    assert list(position.column("x"))[:1] == [1.0001]
    assert len(Position(RULESET, Ground(1.0, 1.0)).column("x")) == 0


def test_what_was_computed_is_forgotten_when_something_changes() -> None:
    position = full()
    unit = position.units[0]
    changes: list[Any] = [
        lambda: position.move_to(position.model(1), 1, 1),
        lambda: position.turn(position.model(1), 1),
        lambda: position.mark(position.model(1), "new", 1),
        lambda: position.mark_unit(unit, "new", 1),
        lambda: position.remove(position.model(1), "x"),
        lambda: position.take_off(position.model(2)),
        lambda: position.join(position.model(2), unit),
        lambda: position.become(position.model(2), SOLDIER),
        lambda: position.begin(Effect("toy/x", 0, until="now")),
        lambda: position.end_effects("now"),
        lambda: position.lay(Token("x", 1.0, 1.0)),
        lambda: position.replace_token(0, Token("y", 1.0, 1.0)),
        lambda: position.add_model("x", SOLDIER, 0, unit),
        lambda: position.change_ground(Ground(10.0, 10.0)),
    ]
    for change in changes:
        position.cache["seen"] = True
        change()
        assert position.cache == {}
    position.cache["seen"] = True
    position.mark(position.model(1), "bookkeeping", 1, quietly=True)
    position.end_effects("nothing")
    assert position.cache == {"seen": True}


def test_markers_are_numbered_within_their_kind() -> None:
    game = begun("numbers")
    position = game.position
    for kind in ("mine", "crater", "mine"):
        position.lay(Token(kind, 1.0, 1.0))
    position.replace_token(2, Token("mine", 1.0, 1.0, side=1))
    numbers = [(one.values["token"], one.values["number"]) for one in game.journal if one.kind == "token"]
    assert numbers == [("mine", 1), ("crater", 1), ("mine", 2), ("mine", 2)]


def test_a_model_with_another_profile_keeps_it_through_bytes_and_leaves_copies_alone() -> None:
    position = full()
    copy = position.copy()
    position.become(position.model(1), Profile("officer"))
    assert position.model(1).profile == Profile("officer")
    assert copy.model(1).profile == SOLDIER
    assert Position.from_bytes(position.ruleset, position.to_bytes()).model(1).profile == Profile("officer")


def test_what_hangs_on_the_layout_alone_outlives_counts_and_declarations() -> None:
    position = full()
    unit = position.units[0]
    position.layout["near"] = 1
    kept: list[Any] = [
        lambda: position.mark(position.model(1), "new", 1),
        lambda: position.mark_unit(unit, "new", 1),
        lambda: position.declare("plan", 1),
        lambda: position.begin(Effect("toy/x", 0, until="now")),
    ]
    for change in kept:
        change()
        assert position.layout == {"near": 1}
        assert position.copy().layout is position.layout
        assert position.supposing({1: (2.0, 2.0)}).layout == {}
    moved: list[Any] = [
        lambda: position.move_to(position.model(1), 1, 1),
        lambda: position.turn(position.model(1), 1),
        lambda: position.remove(position.model(1), "x"),
        lambda: position.take_off(position.model(2)),
        lambda: position.join(position.model(2), unit),
        lambda: position.add_model("x", SOLDIER, 0, unit),
        lambda: position.change_ground(Ground(10.0, 10.0)),
        position.forget,
    ]
    for change in moved:
        position.layout["near"] = position.cache["near"] = 1
        change()
        assert position.layout == position.cache == {}


def test_the_bytes_of_many_profiles_are_each_its_own() -> None:
    ruleset = full().ruleset
    for _ in range(3):
        for k in range(3000):
            made = msgspec.structs.replace(SOLDIER, name=f"soldier {k}")
            assert ruleset.profile_key(made) == msgspec.msgpack.encode(made)
    assert len(ruleset.keys) <= MOST_KEYS


def test_a_count_that_stays_as_it_is_changes_nothing() -> None:
    position = full()
    position.mark_unit(position.units[0], "new", 1)
    position.cache["seen"] = True
    position.mark_unit(position.units[0], "new", 1)
    assert position.cache == {"seen": True}


def test_counts_and_notes_of_rows() -> None:
    counters = Counters(2)
    counters.set(0, "none", 0)
    assert counters.columns == {}
    counters.set(1, "wounds", 3)
    counters.set_note(1, "plan", "x")
    counters.set_note(0, "plan", None)
    assert [counters.get(row, "wounds") for row in (0, 1)] == [0, 3]
    assert (counters.get(0, "other"), counters.note(1, "plan"), counters.note(0, "plan", 5)) == (0, "x", 5)
    assert counters.add_row() == 2
    assert counters.get(2, "wounds") == 0
    assert Counters.from_plain(msgspec.json.decode(msgspec.json.encode(counters.plain()))).plain()[0] == 3


# ---------------------------------------------------------------------- bytes of others


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("places", [[1.0], [1.0], [1.0], [1.0]]),
        ("places", [[float("nan")] * 4] * 4),
        ("places", [["x"] * 4] * 4),
        ("rows", [[0] * 4, [9] * 4, [0] * 4, [0] * 4, [-1] * 4]),
        ("rows", [[0] * 4, [0] * 4, [0] * 4, [9] * 4, [-1] * 4]),
        ("rows", [[0] * 4, [0] * 4, [0] * 4, [0] * 4, [7] * 4]),
        ("rows", [[0] * 4]),
        ("rows", None),
        ("names", [1, 2, 3, 4]),
        ("units", [["a"], [0, 1]]),
        ("counters", [[4, {"wounds": [1]}, {}], [2, {}, {}], [2, {}, {}]]),
        ("counters", [[4, {"wounds": ["1"] * 4}, {}], [2, {}, {}], [2, {}, {}]]),
        ("counters", [[4, {}, {"plan": [[99, 1]]}], [2, {}, {}], [2, {}, {}]]),
        ("counters", [[5, {}, {}], [2, {}, {}], [2, {}, {}]]),
        ("effects", [[1]]),
        ("ground", {}),
        ("result", "x"),
        ("snapshots", {"start": 1}),
        ("now", {"turn": 1}),
        ("profiles", ["x"] * 4),
    ],
)
def test_bytes_that_are_no_position_are_told(key: str, value: Any) -> None:
    plain = msgspec.msgpack.decode(begun().position.to_bytes())
    with pytest.raises(ValueError, match="no position"):
        Position.from_bytes(RULESET, msgspec.msgpack.encode({**plain, key: value}))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.data())
def test_bytes_that_are_damaged_give_a_position_or_are_told(data: st.DataObject) -> None:
    whole = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    whole = whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))]
    try:
        position = Position.from_bytes(RULESET, bytes(whole))
    except ValueError:
        return
    assert all(isinstance(model, Model) for model in position.models)


WHOLE = full().to_bytes()

HASHES = """
from random import Random
from tests.referee.playing import at_random, begun
from tests.referee.test_position import full
game = at_random(begun("hash"), Random(2), 80)
print(full().state_hash(), game.position.state_hash(), [one.state for one in game.hashes])
"""


def test_the_hash_of_a_position_is_the_same_in_every_process() -> None:
    found = set()
    for seed in ("0", "1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path])}
        ran = subprocess.run([sys.executable, "-c", HASHES], env=env, capture_output=True, text=True, check=True)
        found.add(ran.stdout)
    assert len(found) == 1
    assert full().state_hash() in found.pop()


def test_forty_models_are_as_many_as_the_set_up_says() -> None:
    position = RULESET.set_out(RULESET, Setup("toy", agreed={"models": 20}))
    assert len(position.models) == 40
