"""Play again and again: the very numbers of plain play with the same dice, whatever is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tools import rolling
from tools.rolling import Asked, Rolling, Watched, as_one_piece, blocks, once, simulated

from campale.dice.needs import Need
from campale.odds.form import filled_in
from campale.referee.ask import choose, direction, draw, roll
from campale.referee.chance import Direction, Draw, Roll, Rolled
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Query, Volley
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.table.terrain import Ground

UNITS, MODELS, AREAS = load_ruleset("e55"), load_ruleset("ragnarok"), load_ruleset("e3m")
QUERIES: list[tuple[Ruleset, dict[str, Any]]] = [
    (UNITS, {"attacker": "veteran", "attacker-models": 2, "target": "captain", "distance": 10}),
    (UNITS, {"attacker": "veteran", "attacker-adds": "fusion-gun*2", "target": "walker", "distance": 5}),
    (
        UNITS,
        {
            "attacker": "veteran",
            "attacker-adds": "fusion-gun*2",
            "target": "captain",
            "distance": 5,
            "volleys": "apart",
        },
    ),
    (UNITS, {"kind": "melee", "attacker": "veteran", "attacker-models": 3, "target": "militia", "target-models": 3}),
    (UNITS, {"kind": "charge", "attacker": "sergeant", "target": "captain", "distance": 4}),
    (
        UNITS,
        {"attacker": "veteran", "attacker-adds": "flamethrower,shrapnel-gun*2", "target": "militia", "distance": 3},
    ),
    (MODELS, {"weapons": "steam_musket*2"}),
    (MODELS, {"target": "barrow_jarl", "weapons": "steam_musket@steam*2"}),
    (MODELS, {"kind": "melee"}),
    (AREAS, {"attacker": {"profile": "line-warden", "count": 3}, "target": {"profile": "brawler", "count": 3}}),
    (AREAS, {"kind": "melee", "attacker": {"profile": "line-warden", "count": 2}, "target": "champion"}),
    (AREAS, {"attacker": {"profile": "line-warden", "weapons": ["beam-cannon"]}, "target": "gun-tank"}),
]


def query_of(ruleset: Ruleset, written: dict[str, Any]) -> Query:
    return filled_in(ruleset, written)[1]


def ends(query: Query, position: Position) -> tuple[int, ...]:
    return tuple(counted(position) for counted in query.counted.values())


@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_what_is_remembered_changes_nothing(number: int) -> None:
    query = query_of(*QUERIES[number])
    plain, again, remembering = Random(number), Random(number), Rolling(query)
    for _ in range(300):
        assert remembering.once(again) == ends(query, once(query, plain))
    assert plain.getstate() == again.getstate()


def test_what_is_to_come_again_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dice to hit, and so on: after some hundred rolls hardly anything is left to be played."""
    query = query_of(*QUERIES[0])
    remembering, rng, played = Rolling(query), Random("often"), Counter[str]()
    plain = Rolling.play

    def counting(self: Rolling, *given: Any) -> Any:
        played["piece"] += 1
        return plain(self, *given)

    monkeypatch.setattr(Rolling, "play", counting)
    for _ in range(400):
        remembering.once(rng)
    first = played["piece"]
    for _ in range(400):
        remembering.once(rng)
    assert 0 < played["piece"] - first < first < 400


def test_few_may_be_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MOST_BEGUN", 2), ("SELDOM", 0.1), ("ENOUGH", 5)):
        monkeypatch.setattr(rolling, name, value)
    test_what_is_remembered_changes_nothing(1)
    test_what_is_remembered_changes_nothing(3)


# ---------------------------------------------------------------- what a rule looks at


def of_play(play: Callable[[Position], Any]) -> Query:
    """A made-up query, whose end is the revealed number of the position."""

    def forecast(position: Position) -> Forecast:
        raise AssertionError

    position = Position(UNITS, Ground(10.0, 10.0))
    volley = Volley(({"en": "it", "it": "it"},), forecast, play)
    return Query(position, (volley,), lambda asked: asked.suggestions()[0], {"end": lambda p: int(p.now["end"])}, 1)


async def by_hits(position: Position) -> Position:
    rolled = await roll(0, "first", 3, needed=Need(4))
    position.now["end"] = 100 * rolled.hits.index(True) if rolled.successes else 7
    return position


async def by_faces_later(position: Position) -> Position:
    """The faces of the first roll are looked at only where the second, or what is chosen, has it so."""
    first = await roll(0, "first", 2, needed=Need(5))
    second = await roll(0, "second", 1, needed=Need(4 if first.successes else 2))
    position.now["end"] = first.total + 20 * second.total if second.successes else 1000 + first.successes
    return position


async def again_and_elsewhere(position: Position) -> Position:
    first = await roll(0, "first", 2, needed=Need(3))
    anew = await roll(0, "again", 1, needed=Need(3))
    way = await direction(0, "drift", 90.0)
    which = await draw(0, "card", ["a", "b", "a"])
    told = await choose(0, "which", [1, 2])
    both = first.with_again((0,), anew)
    changed = anew.with_face(0, 6) if first.hits[1] else anew
    position.now["end"] = both.faces[0] * 100000 + changed.total * 10000 + int(way) * 10 + len(which[0]) + int(told)
    return position


async def without_a_need(position: Position) -> Position:
    rolled = await roll(0, "any", 2)
    position.now["end"] = rolled.count + (rolled.total if all(rolled.hits) else 0)
    return position


@pytest.mark.parametrize("play", [by_hits, by_faces_later, again_and_elsewhere, without_a_need])
def test_whatever_a_rule_looks_at_tells(play: Callable[[Position], Any]) -> None:
    query = of_play(play)
    plain, again, remembering = Random("made up"), Random("made up"), Rolling(query)
    found = set()
    for _ in range(2000):
        end = remembering.once(again)
        assert end == ends(query, once(query, plain))
        found.add(end)
    assert len(found) > 3


def test_a_roll_is_shown_as_it_is() -> None:
    rolled = Rolled((6, 2, 5), Need(5), (1,), ("a", "b", "b"))
    for name in ("hits", "successes", "count", "needed", "again", "things", "hitting"):
        watched = Watched(rolled)
        assert getattr(watched, name) == getattr(rolled, name)
        assert not watched.is_seen
    for name in ("faces", "total", "ascending"):
        watched = Watched(rolled)
        assert getattr(watched, name) == getattr(rolled, name)
        assert watched.is_seen
    one, other = Watched(rolled), Watched(Rolled((1,)))
    assert one.with_again((0,), other) == rolled.with_again((0,), Rolled((1,)))
    assert one.is_seen
    assert other.is_seen
    assert Watched(rolled).with_face(0, 4) == rolled.with_face(0, 4)


def test_what_was_known_by_successes_is_forgotten_once_faces_are_looked_at() -> None:
    """Two ones are not two successes."""
    asked = Asked(Roll(0, "two", 2, needed=Need(5)))
    asked.later[asked.shown([5, 6])] = (1,)
    assert asked.shown([6, 6]) in asked.later
    asked.look()
    assert asked.later == {}
    asked.later[asked.shown([5, 6])] = (1,)
    asked.look()
    assert asked.later == {(5, 6): (1,)}


@pytest.mark.parametrize(
    ("asked", "answer", "chance"),
    [
        (Roll(0, "two", 2, needed=Need(5)), [5, 1], 2 / 9),
        (Roll(0, "two", 2), [5, 1], 1.0),
        (Direction(0, "way", 90.0), 270.0, 1 / 4),
        (Draw(0, "card", ["a", "b", "c"], 2), [2, 0], 1 / 6),
    ],
)
def test_how_likely_as_much_is_to_be_shown(asked: Any, answer: Any, chance: float) -> None:
    node = Asked(asked)
    assert node.chance(answer) == pytest.approx(chance)
    if asked.kind == "roll":
        node.look()
        assert node.chance(answer) == pytest.approx(1 / 36)


def test_a_volley_without_pieces_is_one() -> None:
    query = of_play(by_hits)
    piece = as_one_piece(query.volleys[0].play)
    assert rolling.played(piece(query.position.copy(), None), query.policy, Random(1))[1] is None


# ---------------------------------------------------------------- blocks of rolls


def test_rolls_are_drawn_block_by_block() -> None:
    """The same block has the same dice, however many come after it."""
    many = [count for _, count in blocks(2 * rolling.BLOCK + 5, "seed")]
    assert many == [rolling.BLOCK, rolling.BLOCK, 5]
    few, more = ([rng.random() for rng, _ in blocks(rolls, "seed")] for rolls in (rolling.BLOCK, 3 * rolling.BLOCK))
    assert more[:1] == few
    assert len(set(more)) == 3


def test_everything_is_counted() -> None:
    query = query_of(*QUERIES[3])
    found = simulated(query, 200, "seed")
    assert list(found) == list(query.counted)
    assert [counter.total() for counter in found.values()] == [200] * len(found)
    assert found == simulated(query, 200, "seed")
    assert found != simulated(query, 200, "another")
