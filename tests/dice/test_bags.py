"""Attacks of many things: what the stages come to is what plain enumeration of playing them comes to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from campale.dice import bags
from campale.dice.bags import Bags
from campale.dice.counts import Chances
from campale.dice.needs import Need
from campale.dice.odds import TooMany, exact
from campale.dice.stages import All, AnyStage, Each, Fold, Parts, State, play
from campale.mechanics.ranks import Ranks, ranks_of, wounded
from campale.referee.ask import roll, roll_for


class Table:
    """As much of a position as the odds need: how many of each group are there."""

    def __init__(self, left: tuple[int, ...] = (2, 1)) -> None:
        self.left = left

    def copy(self) -> Table:
        return Table(self.left)


# ---------------------------------------------------------------- an attack

CRIT, HIT = "critical hit", "hit"


async def to_hit(_: Table, attacks: Sequence[str]) -> list[str]:
    """4+ hits; a 6 is critical, and hits twice."""
    rolled = await roll_for(0, "to-hit", attacks, tells=((1, 2, 3), (4, 5), (6,)))
    return [hit for face in rolled.faces for hit in ((CRIT, HIT) if face == 6 else (HIT,) if face >= 4 else ())]


async def to_wound(_: Table, hits: Sequence[str]) -> list[str]:
    """A critical hit wounds by itself."""
    common = [hit for hit in hits if hit == HIT]
    wounds = (await roll(0, "to-wound", len(common), needed=Need(4))).successes if common else 0
    return ["wound"] * (hits.count(CRIT) + wounds)


async def hurt(_: Table, ranks: Ranks, wound: str) -> Ranks:
    """D3 wounds, on one model after another."""
    return wounded(ranks, ((await roll(0, "damage", tells=((1, 2), (3, 4), (5, 6)))).faces[0] + 1) // 2)


HITS, WOUNDS = Each("hits", to_hit), Each("wounds", to_wound)
DAMAGE = Fold("losses", ranks_of(4, 2), hurt)


def left(ranks: Ranks) -> int:
    return ranks.models


def one_each(_: Any) -> int:
    return 1


def played(stages: Sequence[AnyStage], things: Sequence[Any], counted: Any = one_each) -> dict[int, float]:
    """By the plain enumeration of what is played."""

    async def whole(table: Table) -> Any:
        return await play(table, stages, things)

    found = exact(Table(), whole)
    return {n: float(p) for n, p in found.of(lambda given: sum(map(counted, given))).outcomes.items()}


async def play_all(table: Table, attacks: Sequence[str]) -> int:
    """The same as one rule, as a newcomer may begin."""
    wounds = await to_wound(table, [hit for one in attacks for hit in await to_hit(table, [one])])
    ranks = ranks_of(4, 2)
    for wound in wounds:
        ranks = await hurt(table, ranks, wound)
    return ranks.models


def numbered(found: Chances) -> dict[int, float]:
    return {n: float(p) for n, p in enumerate(found) if p > 0}


@pytest.mark.parametrize("many", [0, 1, 2, 3])
def test_each_and_one_after_another(many: int) -> None:
    attacks = ["attack"] * many
    found = Bags(Table()).numbers((HITS, WOUNDS, DAMAGE), attacks, left)
    assert numbered(found) == pytest.approx(played((HITS, WOUNDS, DAMAGE), attacks, left), abs=1e-12)
    wounds = Bags(Table()).numbers((HITS, WOUNDS, DAMAGE), attacks, one_each, "wounds")
    assert numbered(wounds) == pytest.approx(played((HITS, WOUNDS), attacks), abs=1e-12)


def test_a_chain_natural_for_a_newcomer_is_little_work() -> None:
    """Ten attacks with criticals, extra hits and random damage: a rule is run for each thing and state, once."""
    asked = Bags(Table())
    found = asked.numbers((HITS, WOUNDS, DAMAGE), ["attack"] * 10, left)
    assert found.sum() == pytest.approx(1.0)
    assert asked.runs <= 60
    assert asked.made <= 3


# ---------------------------------------------------------------- all together


async def shared(_: Table, wounds: Sequence[Any]) -> list[tuple[int, Any]]:
    """Given out among two groups in turn."""
    return [(place % 2, wound) for place, wound in enumerate(wounds)]


async def saved(_: Table, things: Sequence[Any], *group: int) -> list[str]:
    return ["unsaved"] * (len(things) - (await roll(1, "save", len(things), needed=Need(5))).successes)


async def falls(table: Table, unsaved: Sequence[Any], group: int) -> int:
    fallen = min(len(unsaved), table.left[group])
    table.left = tuple(n - fallen * (k == group) for k, n in enumerate(table.left))
    return fallen


def fallen(_: Table, number: int) -> list[str]:
    return ["fallen"] * number


async def fall_and_tell(table: Table, unsaved: Sequence[Any], group: int) -> list[str]:
    return ["fallen"] * await falls(table, unsaved, group)


def group_of(_: Table, given: tuple[int, Any]) -> int:
    return given[0]


def wound_in(_: Table, given: tuple[int, Any]) -> list[Any]:
    return [given[1]]


def of_group(table: Table, group: int) -> tuple[AnyStage, ...]:
    return Each("unsaved", saved), All("fallen", fall_and_tell, (group,), left=lambda _, given: given, most=2)


GIVEN = All("given", shared), Parts("groups", group_of, wound_in, of_group)


@pytest.mark.parametrize("many", [1, 2, 3])
def test_all_together_in_parts(many: int) -> None:
    attacks = ["attack"] * many
    stages = HITS, WOUNDS, *GIVEN
    assert numbered(Bags(Table()).numbers(stages, attacks, one_each)) == pytest.approx(played(stages, attacks))
    ends = Bags(Table()).ends(stages, attacks)
    assert {len(things): p for things, p in ends.items()} == pytest.approx(played(stages, attacks))
    assert Table().left == (2, 1)


def test_what_makes_no_difference_goes_its_way_alone() -> None:
    asked = []

    async def one_group(_: Table, wounds: Sequence[Any]) -> list[tuple[int, Any]]:
        asked.append(len(wounds))
        return [(0, wound) for wound in wounds]

    together = All("given", one_group), GIVEN[1]
    alone = All("given", one_group, alone=lambda _, kinds: True), GIVEN[1]
    expected = Bags(Table()).numbers((HITS, WOUNDS, *together), ["attack"] * 4, one_each)
    assert max(asked) > 1
    asked.clear()
    found = Bags(Table()).numbers((HITS, WOUNDS, *alone), ["attack"] * 4, one_each)
    assert asked == [1]
    assert numbered(found) == pytest.approx(numbered(expected), abs=1e-15)
    assert len(found) == 3, "no more fall than there are, though each goes its way alone"


def test_things_that_a_stage_does_not_heed_pass_it() -> None:
    heeding = All("given", shared, heeds=lambda thing: thing != "aimed")

    async def of(table: Table) -> Any:
        return await play(table, (heeding,), ("aimed", "wound", "aimed"))

    (outcome,) = exact(Table(), of).outcomes
    assert outcome == ((0, "wound"), "aimed", "aimed")
    (ends,) = Bags(Table()).ends((heeding,), ("aimed", "wound", "aimed"))
    assert sorted(ends, key=str) == [(0, "wound"), "aimed", "aimed"]


# ---------------------------------------------------------------- what changes the position


async def strikes(table: Table, _: Any, blow: int) -> None:
    """A blow on 4+ takes one of the first group away, as long as there is one."""
    if table.left[0] and (await roll(0, "blow", needed=Need(4))).successes:
        table.left = (table.left[0] - 1, *table.left[1:])


def read(table: Table) -> tuple[int, ...]:
    return table.left


def write(table: Table, state: tuple[int, ...]) -> None:
    table.left = state


def test_one_after_another_on_what_those_before_have_left() -> None:
    fold = Fold("blows", None, strikes, state=State(read, write))
    found = Bags(Table()).ends((fold,), [1, 1, 1])
    assert found == pytest.approx({((2, 1),): 1 / 8, ((1, 1),): 3 / 8, ((0, 1),): 4 / 8})


# ---------------------------------------------------------------- alike, common, too much


def test_things_that_are_alike_are_one() -> None:
    told_apart = Bags(Table()).ends((HITS,), ["attack"] * 2)
    merged = Bags(Table(), alike=lambda thing: HIT if thing == CRIT else thing).ends((HITS,), ["attack"] * 2)
    assert len(merged) < len(told_apart)
    assert merged[(HIT,) * 4] == pytest.approx(float(Fraction(1, 36)))


def test_what_is_known_is_shared() -> None:
    known: dict[Any, Any] = {}
    stage = HITS._replace(known_by=lambda _, attack: attack)
    first, second = (Bags(Table(), common=known) for _ in range(2))
    expected = first.numbers((stage,), ["attack"] * 3, one_each)
    assert first.runs > 0
    assert numbered(second.numbers((stage,), ["attack"] * 3, one_each)) == numbered(expected)
    assert second.runs == 0


def test_too_much_is_given_up_and_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    attacks = ["attack"] * 5
    with pytest.raises(TooMany, match=r"say with 'tells' .* or let things go through stages"):
        exact(Table(), lambda table: play_all(table, attacks), most=50)
    with pytest.raises(TooMany, match=r"'given': say with 'alike'.*or with 'alone'"):
        Bags(Table(), ways=3).numbers((HITS, WOUNDS, *GIVEN), attacks, one_each)
    with pytest.raises(TooMany, match="runs of rules: say with 'alike'"):
        Bags(Table(), most=3).numbers((HITS, WOUNDS), attacks, one_each)
    with pytest.raises(TooMany, match="bags of things: say with 'alike'"):
        Bags(Table(), most_bags=2).ends((HITS,), attacks)
    monkeypatch.setattr(bags, "MOST_MADE", 2)
    with pytest.raises(TooMany):
        Bags(Table()).ends((HITS,), attacks)
