"""Attached units: one unit, its strength, how it comes apart (core-abilities/leader*, f/while-leading*)."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.attached import (
    attach,
    bodyguard,
    is_attached,
    leaders,
    may_attach,
    separate,
    separate_all,
)
from campale.rulesets.w10.basics.units import has, is_below_half, members, starting_strength, units_of
from tests.rulesets.w10.kit import gun, model, play, shots, squad, table, unit

covers = pytest.mark.covers


def led(count: int = 5, *others: str) -> Position:
    """A squad (unit 0) with a Captain, and with others beside him."""
    names = ("captain", *others)
    return table(
        squad("line-squad", count),
        *(squad(name, at=(30 + 2.5 * k, 12), leads=0) for k, name in enumerate(names)),
    )


def kill(position: Position, *rows: int) -> None:
    for row in rows:
        position.remove(model(position, row), "shooting")


@covers("core-abilities/leader", "f/while-leading", "core-concepts/unit")
def test_a_leader_and_its_squad_are_one_unit() -> None:
    position = led()
    assert [one.row for one in units_of(position, 0)] == [0]
    assert [m.row for m in members(unit(position, 0))] == [0, 1, 2, 3, 4, 5]
    assert ([m.row for m in leaders(unit(position, 0))], len(bodyguard(unit(position, 0)))) == ([5], 5)
    assert is_attached(unit(position, 0))
    assert has(unit(position, 0), "character")


@covers("command-phase/attached-starting-strength", "f/starting-strength")
def test_the_starting_strength_is_the_sum() -> None:
    assert starting_strength(unit(led(), 0)) == 6
    assert starting_strength(unit(led(5, "lieutenant"), 0)) == 7


@covers("command-phase/attached-starting-strength", "command-phase/below-half-strength")
@pytest.mark.parametrize(("dead", "below"), [(3, False), (4, True)])
def test_below_half_strength_counts_leader_and_squad(dead: int, below: bool) -> None:
    position = led()
    kill(position, *range(dead))
    assert is_below_half(unit(position, 0)) is below


@covers("command-phase/attached-starting-strength", "core-abilities/leader-split", "f/while-leading-ends")
def test_a_leader_who_outlives_its_squad_has_a_strength_of_one_and_what_the_unit_did_is_true_of_it() -> None:
    position = led(2)
    unit(position, 0).mark("advanced", 1)
    unit(position, 0).mark("shocked", 1)
    kill(position, 0, 1)
    assert is_attached(unit(position, 0))
    separate_all(position)
    captain = model(position, 2).unit
    assert (captain.row, starting_strength(captain), is_attached(captain)) == (1, 1, False)
    assert [captain.marks(name) for name in ("advanced", "shocked", "shot")] == [1, 1, 0]


@covers("core-abilities/leader-split", "command-phase/attached-starting-strength")
def test_a_squad_whose_leader_dies_has_its_own_strength_again() -> None:
    position = led(4)
    kill(position, 4, 2, 3)
    assert is_below_half(unit(position, 0))
    separate(unit(position, 0))
    assert (starting_strength(unit(position, 0)), is_attached(unit(position, 0))) == (4, False)
    assert not is_below_half(unit(position, 0))


@covers("core-abilities/leader-split", "command-phase/attached-starting-strength", "f/while-leading-two")
def test_of_two_leaders_the_death_of_one_takes_its_own_strength_off() -> None:
    position = led(5, "lieutenant")
    kill(position, 5)
    separate_all(position)
    assert (starting_strength(unit(position, 0)), is_attached(unit(position, 0))) == (6, True)


@covers("core-abilities/leader-split", "e/persisting-attached")
def test_two_leaders_who_outlive_their_squad_are_two_units() -> None:
    position = led(1, "lieutenant")
    kill(position, 0)
    separate_all(position)
    assert [one.row for one in units_of(position, 0)] == [1, 2]
    assert [starting_strength(one) for one in units_of(position, 0)] == [1, 1]


@covers("core-abilities/leader-split", "f/while-leading-ends", "c/unit-toughness-timing")
def test_attacks_part_them_only_when_all_are_resolved() -> None:
    shooter = squad("line-squad", side=1, at=(30, 24), weapons=(gun("a", s=4, ap=-6, d="2"), gun("b", s=4, ap=-6)))
    captain = squad("captain", at=(32, 10), t=8, invulnerable=None, leads=0)
    position = table(squad("line-squad", 1, t=4), captain, shooter)
    dice = "3 4 1 | 3 4 1"
    play(resolve(unit(position, 2), shots(position, 2, 0)), dice, [[["a", 0], ["b", 0]]], position)
    assert model(position, 1).marks("wounds") == 1
    assert model(position, 1).unit.row == 1


# ---------------------------------------------------------------- who may join


def could_join(*already: str, who: str = "lieutenant", to: str = "line-squad") -> bool:
    position = table(
        squad(to, 1), squad(who, at=(34, 10)), *(squad(one, at=(40, 10 + 5 * k)) for k, one in enumerate(already))
    )
    rows = range(2, 2 + len(already))
    return may_attach(model(position, 1), unit(position, 0), [model(position, row) for row in rows])


@covers("core-abilities/leader")
def test_a_leader_joins_units_that_its_datasheet_names() -> None:
    assert could_join()
    assert could_join(who="captain", to="jump-squad")
    assert not could_join(who="lieutenant", to="jump-squad")
    assert not could_join(who="seer")


@covers("u/two-characters-max", "u/two-characters-example")
def test_a_second_leader_joins_beside_one_whom_a_datasheet_names_and_a_third_never() -> None:
    assert could_join("captain")
    assert could_join("lieutenant", who="captain")
    assert not could_join("captain", who="captain")
    assert not could_join("lieutenant")
    assert not could_join("captain", "lieutenant")


@covers("core-abilities/leader")
def test_to_attach_is_to_become_part_of_the_unit() -> None:
    position = table(squad("line-squad", 2), squad("captain", at=(34, 10)))
    attach(unit(position, 1), unit(position, 0))
    assert model(position, 2).unit.row == 0
    assert model(position, 2).bought_with.row == 1
