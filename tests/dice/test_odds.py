from __future__ import annotations

from collections.abc import Callable, Coroutine
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campale.dice import odds
from campale.dice.needs import Need, halved, tens_and_units
from campale.dice.odds import Distribution, OddsError, exact
from campale.referee.ask import choose, direction, draw, number, reroll, roll, roll_for, through, together
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.ruleset import Setup
from tests.referee.toy import RULESET, fire
from tests.work import at_most

Call = Callable[[Position], Coroutine[Any, Any, Any]]
THIRD = Fraction(1, 3)


def a_position() -> Position:
    return Game(RULESET, Setup("toy")).position


def odds_of(rule: Callable[[], Coroutine[Any, Any, Any]]) -> Distribution:
    return exact(a_position(), lambda position: rule())


def of_icepool(die: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(chance, die.denominator()) for outcome, chance in die.items() if chance}


def test_a_die_that_needs_five_succeeds_once_in_three() -> None:
    async def test() -> bool:
        return (await roll(0, "test", needed=Need(5))).successes == 1

    found = odds_of(test)
    assert repr(found) == "Distribution({False: Fraction(2, 3), True: Fraction(1, 3)})"
    assert found[True] == THIRD
    assert found[False] == 1 - THIRD
    assert found["never"] == 0


def test_successes_of_a_handful_are_binomial() -> None:
    async def volley() -> int:
        return (await roll(0, "hit", 3, needed=Need(5))).successes

    found = odds_of(volley)
    assert found.outcomes == {0: Fraction(8, 27), 1: Fraction(12, 27), 2: Fraction(6, 27), 3: Fraction(1, 27)}
    assert found.mean == 1
    assert found.at_least(2) == Fraction(7, 27)
    assert found.of(lambda hits: hits > 0)[True] == Fraction(19, 27)
    assert sum(found.of(lambda hits: hits % 2).outcomes.values()) == 1


def test_two_dice_are_added_though_a_need_goes_with_them() -> None:
    """The need is met by the total here: the rule looks at it, so that every face is told apart."""

    async def morale() -> bool:
        rolled = await roll(0, "morale", 2, needed=Need(8, always=(12,), never=(2,)))
        assert rolled.needed is not None
        return rolled.needed.is_met_by(rolled.total)

    assert odds_of(morale)[True] == Fraction(15, 36)


def test_two_dice_without_a_need_have_every_total() -> None:
    async def total() -> int:
        return (await roll(0, "reach", 2)).total

    assert odds_of(total).outcomes == of_icepool(2 @ icepool.d6)


def test_tens_and_units_are_read_in_the_order_of_the_dice() -> None:
    async def table() -> int:
        return tens_and_units(*(await roll(0, "table", 2)).faces)

    found = odds_of(table)
    assert len(found.outcomes) == 36
    assert set(found.outcomes.values()) == {Fraction(1, 36)}


def test_a_natural_one_and_a_natural_six_outweigh_every_modifier() -> None:
    async def hit(modifier: int) -> int:
        need = Need(4, always=(6,), never=(1,)).with_part("a/rule", modifier)
        return (await roll(0, "hit", needed=need)).successes

    assert odds_of(lambda: hit(-9)).mean == Fraction(1, 6)
    assert odds_of(lambda: hit(+9)).mean == Fraction(5, 6)


def test_failures_are_rolled_again_once() -> None:
    async def twice_over() -> int:
        rolled = await reroll(0, "again", await roll(0, "hit", 2, needed=Need(5)))
        return (await reroll(0, "a third time", rolled)).successes

    found = odds_of(twice_over)
    assert found.outcomes == {0: Fraction(16, 81), 1: Fraction(40, 81), 2: Fraction(25, 81)}


def test_ones_are_rolled_again() -> None:
    async def again() -> int:
        return (await reroll(0, "ones", await roll(0, "hit", 2, needed=Need(4)), {1})).successes

    chance = Fraction(1, 2) + Fraction(1, 6) * Fraction(1, 2)
    assert odds_of(again).outcomes == {0: (1 - chance) ** 2, 1: 2 * chance * (1 - chance), 2: chance**2}


def test_a_d3_is_a_die_read_halved() -> None:
    async def amount() -> int:
        return sum(halved(face) for face in (await roll(0, "amount", 2, tells=((1, 2), (3, 4), (5, 6)))).ascending)

    assert odds_of(amount).outcomes == of_icepool(2 @ icepool.d3)


def test_a_six_to_hit_is_pierced_by_a_one_to_save() -> None:
    """Each hit keeps its die: a natural six followed by a natural one on the save is two wounds."""

    async def hits(count: int) -> tuple[int, ...]:
        need = Need(3, always=(6,))
        rolled = await roll(0, "hit", count, needed=need, tells=((1, 2), (3, 4, 5), (6,)))
        return tuple(face for face in rolled.ascending if need.is_met_by(face))

    async def saves(faces: tuple[int, ...]) -> int:
        wounds = 0
        for face in faces:
            save = (await roll(1, "save", tells=((1,), (2, 3), (4, 5, 6)))).faces[0]
            wounds += 2 if (face, save) == (6, 1) else int(save < 4)
        return wounds

    async def suffer(wounds: int) -> int:
        return wounds

    found = odds_of(lambda: through((hits, saves, suffer), 3))
    one = icepool.map(
        lambda hit, save: 0 if hit < 3 else 2 if (hit, save) == (6, 1) else int(save < 4), icepool.d6, icepool.d6
    )
    assert found.outcomes == of_icepool(3 @ one)


def test_equal_values_between_stages_are_merged() -> None:
    ran: list[int] = []

    async def hit(count: int) -> int:
        return (await roll(0, "hit", count)).faces.count(6)

    async def save(hits: int) -> int:
        ran.append(hits)
        return hits

    async def suffer(wounds: int) -> int:
        return wounds

    odds_of(lambda: through((hit, save, suffer), 3))
    assert sorted(ran[:4]) == [0, 1, 2, 3]
    assert len(ran) == 8


def test_stages_inside_a_stage_and_before_a_rest_of_the_rule() -> None:
    async def hit(count: int) -> int:
        return (await roll(0, "hit", count, needed=Need(4))).successes

    async def both(count: int) -> int:
        return int(await through((hit, hit), count))

    async def rule() -> int:
        left = await through((both, hit), 4)
        return int(left) + (await roll(0, "more")).total

    assert odds_of(rule).mean == Fraction(4, 8) + Fraction(7, 2)
    assert sum(odds_of(rule).outcomes.values()) == 1


def test_dice_rolled_one_by_one_are_merged_where_each_goes_through_stages_of_its_own() -> None:
    ran = []

    async def hit(shots: int) -> int:
        return (await roll(0, "hit", shots, needed=Need(4))).successes

    async def saved(number: int) -> bool:
        """An amount that nobody asks for and a re-roll: many ways to two ends."""
        ran.append(number)
        await roll(1, "flourish")
        rolled = await roll(1, "save", needed=Need(5), tells=((1,), (2,), (3,), (4,)))
        return bool((await reroll(1, "again", rolled)).successes)

    async def save(hits: int) -> int:
        return sum([not await through((saved,), number) for number in range(hits)])

    async def suffer(wounds: int) -> int:
        return wounds

    found = odds_of(lambda: through((hit, save, suffer), 5))
    each = Fraction(1, 2) * Fraction(4, 9)
    assert found.outcomes == {n: comb(5, n) * each**n * (1 - each) ** (5 - n) for n in range(6)}
    assert len(ran) < 5_000


def test_values_that_cannot_be_told_apart_are_named() -> None:
    async def hits(count: int) -> list[int]:
        return list((await roll(0, "hit", count)).faces)

    async def suffer(wounds: list[int]) -> int:
        return len(wounds)

    with pytest.raises(OddsError, match="hits"):
        odds_of(lambda: through((hits, suffer), 2))


def test_a_direction_goes_through_all_its_steps() -> None:
    async def wind() -> float:
        return await direction(0, "wind", 18.0)

    found = odds_of(wind)
    assert len(found.outcomes) == 20
    assert set(found.outcomes.values()) == {Fraction(1, 20)}


def test_a_draw_counts_equal_things_together() -> None:
    async def cards() -> tuple[Any, ...]:
        return tuple(await draw(0, "cards", ("ace", "king", "king"), 2))

    assert odds_of(cards).outcomes == {("ace", "king"): THIRD, ("king", "ace"): THIRD, ("king", "king"): THIRD}


def test_decisions_inside_are_answered_by_the_policy_that_is_named() -> None:
    async def gamble() -> int:
        dice = await number(0, "how many", 1, 3)
        both = await together({0: Choose(0, "order", ("hold", "go")), 1: Choose(1, "order", ("hold", "go"))})
        return sum((await roll(0, "gamble", dice)).faces) * (1 if both[0] == "hold" else 2)

    def bold(question: Question) -> Any:
        return (question.options() or [])[-1]

    first = odds_of(gamble)
    assert first.mean == Fraction(7, 2)
    assert first.policy == "first_suggestion"
    assert first.decided == ("how many", "order")
    second = exact(a_position(), lambda position: gamble(), bold)
    assert second.mean == 21
    assert second.policy == "bold"
    assert odds_of(lambda: number(0, "one", 1, 1)).decided == ()


def test_an_unlawful_policy_is_refused() -> None:
    async def rule() -> Any:
        return await choose(0, "which", (1, 2))

    with pytest.raises(OddsError, match="which"):
        exact(a_position(), lambda position: rule(), lambda question: 3)


def test_the_live_position_is_not_touched() -> None:
    position = a_position()
    before = position.to_bytes()

    def wounds(copy: Position, given: Any) -> int:
        return copy.model(2).marks("wounds")

    found = exact(position, lambda copy: fire(copy.model(0)), outcome=wounds)
    assert position.to_bytes() == before
    assert sum(found.outcomes.values()) == 1
    assert found.decided == ("sufferer",)
    each = Fraction(3, 4) * Fraction(2, 3)
    assert found[3] == (1 - each) ** 4
    assert found[2] == 4 * each * (1 - each) ** 3


def test_what_the_rule_raises_is_raised_and_leaves_nothing_behind() -> None:
    async def broken() -> None:
        await roll(0, "hit")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        odds_of(broken)
    assert odds_of(lambda: number(0, "n", 2, 2)).outcomes == {2: 1}


def test_too_many_branches_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def many() -> int:
        return sum([(await roll(0, "one by one")).total for _ in range(5)])

    monkeypatch.setattr(odds, "MOST_RUNS", 500)
    with pytest.raises(OddsError, match="branches"):
        odds_of(many)


@pytest.mark.parametrize("tells", [((1, 1),), ((0, 1),), ((1, 2), (2, 3)), ((7,),)])
def test_groups_of_faces_that_overlap_or_are_not_on_the_die_are_told(tells: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(OddsError, match="tells"):
        odds_of(lambda: roll(0, "hit", tells=tells))


def test_faces_that_are_in_no_group_stand_alone() -> None:
    async def faces() -> tuple[int, ...]:
        return (await roll(0, "hit", 4, tells=((1, 2, 3),))).ascending

    found = odds_of(faces)
    assert len(found.outcomes) == 35
    assert found[(1, 1, 1, 1)] == Fraction(1, 16)
    assert found[(1, 4, 5, 6)] == Fraction(24 * 3, 6**4)


@pytest.mark.parametrize("name", ["faces", "hits"])
def test_dice_of_which_nobody_says_what_they_are_for_are_not_read_by_place(name: str) -> None:
    """Of four dice the odds know how many show what; which of them shows it was never enumerated."""

    async def first_of_four() -> Any:
        return getattr(await roll(0, "mixed", 4, needed=Need(5), tells=((1, 2, 3, 4), (5, 6))), name)[0]

    with pytest.raises(OddsError, match=f"the {name} of the roll 'mixed'.*roll_for"):
        odds_of(first_of_four)


@pytest.mark.parametrize("name", ["faces", "hits"])
def test_one_die_and_few_dice_in_order_are_read_by_place(name: str) -> None:
    async def one() -> Any:
        return getattr(await roll(0, "one", needed=Need(5), tells=((1, 2, 3, 4), (5, 6))), name)[0]

    async def last() -> int:
        return (await roll(0, "two", 2)).faces[1]

    assert sorted(odds_of(one).outcomes.values()) == [THIRD, 1 - THIRD]
    assert set(odds_of(last).outcomes.values()) == {Fraction(1, 6)}


def test_a_die_is_read_for_the_thing_that_it_is_for() -> None:
    """Two blows at one walker and two at another: both of them are hit twice in one case of 81."""
    things = ("near", "near", "far", "far")

    async def blows() -> tuple[str, ...]:
        return tuple((await roll_for(0, "blow", things, needed=Need(5))).hitting)

    found = odds_of(blows)
    assert len(found.outcomes) == 9
    assert found[things] == THIRD**4
    assert found["near", "near"] == THIRD**2 * (1 - THIRD) ** 2
    assert found["near", "far"] == (2 * THIRD * (1 - THIRD)) ** 2


def test_only_like_things_that_follow_on_each_other_are_merged() -> None:
    async def order() -> tuple[str, ...]:
        return tuple((await roll_for(0, "turn", ("a", "b", "a"), needed=Need(4))).hitting)

    found = odds_of(order)
    assert found["a", "b"] == found["b", "a"] == found["a", "a"] == Fraction(1, 8)


def test_what_is_rolled_again_stays_with_its_thing() -> None:
    async def blows() -> tuple[str, ...]:
        first = await roll_for(0, "blow", ("near", "far"), needed=Need(5))
        return tuple((await reroll(0, "again", first)).hitting)

    met = THIRD + (1 - THIRD) * THIRD
    found = odds_of(blows)
    assert (found["near",], found["near", "far"]) == (met * (1 - met), met**2)


def test_faces_are_told_thing_by_thing_where_the_rule_looks_at_them() -> None:
    async def read() -> tuple[tuple[str, int], ...]:
        rolled = await roll_for(0, "blow", ("near", "far"), needed=Need(5))
        return tuple(zip(rolled.things, rolled.faces, strict=True))

    assert len(odds_of(read).outcomes) == 36


NEEDS = st.builds(
    Need,
    st.integers(1, 7),
    always=st.sampled_from([(), (6,)]),
    never=st.sampled_from([(), (1,)]),
    at_most=st.booleans(),
)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(0, 5), NEEDS, NEEDS, st.sampled_from(["", "failures", "successes", "all"]))
def test_hits_saves_and_re_rolls_are_as_icepool_has_them(count: int, to_hit: Need, to_save: Need, again: str) -> None:
    async def hit(shots: int) -> int:
        rolled = await roll(0, "hit", shots, needed=to_hit)
        return (await reroll(0, "again", rolled, again) if again else rolled).successes

    async def save(hits: int) -> int:
        return hits - (await roll(1, "save", hits, needed=to_save)).successes

    async def suffer(wounds: int) -> int:
        return wounds

    def rolled_again(face: int) -> Any:
        is_taken = again == "all" or (again == "failures") != to_hit.is_met_by(face)
        return icepool.d6 if again and is_taken else face

    hits = icepool.map(rolled_again, icepool.d6).map(to_hit.is_met_by)
    wound = icepool.map(lambda is_hit, face: int(is_hit and not to_save.is_met_by(face)), hits, icepool.d6)
    expected = of_icepool(count @ wound) if count else {0: Fraction(1)}
    assert odds_of(lambda: through((hit, save, suffer), count)).outcomes == expected


@settings(max_examples=30, derandomize=True, deadline=None)
@given(st.integers(1, 4), st.sampled_from([3, 6, 10, 20]), st.randoms(use_true_random=False))
def test_groups_of_faces_are_as_icepool_has_them(count: int, sides: int, rng: Random) -> None:
    groups = [rng.randrange(3) for _ in range(sides)]
    tells = tuple(tuple(f + 1 for f in range(sides) if groups[f] == group) for group in range(3))

    async def read() -> int:
        return sum(groups[face - 1] for face in (await roll(0, "read", count, sides, tells=tells)).ascending)

    die = icepool.Die([groups[face] for face in range(sides)])
    assert odds_of(read).outcomes == of_icepool(count @ die)


def test_a_volley_takes_little_work() -> None:
    async def hit(shots: int) -> int:
        return (await roll(0, "hit", shots, needed=Need(3))).successes

    async def save(hits: int) -> int:
        return hits - (await roll(1, "save", hits, needed=Need(5))).successes

    async def suffer(wounds: int) -> int:
        return wounds

    with at_most(12_000):
        exact(a_position(), lambda copy: through((hit, save, suffer), 10))
