"""Odds stage by stage: what each stage gives, what is kept between runs, and what is too much."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from campale.dice.needs import Need
from campale.dice.odds import OddsError, TooMany, exact, stage_by_stage
from campale.dice.stages import Unfolded, through
from campale.referee.ask import roll


class Table:
    """As much of a position as the odds need."""

    def __init__(self, lost: int = 0) -> None:
        self.lost = lost

    def copy(self) -> Table:
        return Table(self.lost)


async def hit(shots: int) -> int:
    return (await roll(0, "hit", shots, needed=Need(4))).successes


async def save(hits: int) -> int:
    return hits - (await roll(1, "save", hits, needed=Need(5))).successes


async def suffer(table: Table, wounds: int) -> int:
    table.lost += wounds
    return wounds


def stages(table: Table) -> tuple[Any, ...]:
    return hit, save, partial(suffer, table)


def test_every_stage_is_told_and_the_table_stays_as_it_is() -> None:
    table = Table(5)
    hits, unsaved, lost = stage_by_stage(table, stages, 2, lambda copy, _: copy.lost)
    assert hits.outcomes == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    third = Fraction(1, 3)
    assert unsaved.outcomes == {0: (1 - third) ** 2, 1: 2 * third * (1 - third), 2: third**2}
    assert lost.outcomes == {5 + wounds: chance for wounds, chance in unsaved.outcomes.items()}
    assert table.lost == 5
    assert unsaved.outcomes == exact(table, lambda copy: through(stages(copy), 2)).outcomes


async def one_save(place: int, left: tuple[int, ...]) -> tuple[int, ...]:
    return left if (await roll(1, "save", needed=Need(5))).successes else (*left, place)


def one_by_one(hits: int) -> tuple[Any, list[Any]]:
    return (), [partial(one_save, place) for place in range(hits)]


def test_a_stage_that_is_several_gives_the_same_unfolded_or_played() -> None:
    async def last(left: Any) -> Any:
        return left

    def unfolded(_: Table) -> tuple[Any, ...]:
        return hit, Unfolded(one_by_one), last

    expected = exact(Table(), lambda _: through((hit, Unfolded(one_by_one)), 3)).outcomes
    assert stage_by_stage(Table(), unfolded, 3, lambda _, left: left)[1].outcomes == expected
    merged = stage_by_stage(Table(), unfolded, 3, lambda _, left: len(left), alike=count_only)
    assert merged[1].of(len).outcomes == stage_by_stage(Table(), unfolded, 3, lambda _, left: len(left))[2].outcomes
    assert len(merged[1].outcomes) == 4


def count_only(value: Any) -> Any:
    return (0,) * len(value) if isinstance(value, tuple) else value


def test_what_is_too_much_is_given_up() -> None:
    with pytest.raises(TooMany):
        stage_by_stage(Table(), stages, 6, lambda copy, _: copy.lost, most=10)
    assert issubclass(TooMany, OddsError)
