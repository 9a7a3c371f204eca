"""Charges up to a barricade, and fights across it (terrain/barricades-melee).

The barricade lies along x about (30, 15), half an inch deep.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from campale.referee.position import Position
from campale.rulesets.w10.basics.across import completes_charge, strikes_across
from campale.rulesets.w10.basics.units import is_engaged
from campale.rulesets.w10.charge.charging import charge, charge_movement
from campale.rulesets.w10.fight.declaring import reach_of
from campale.rulesets.w10.fight.fight import is_eligible
from tests.rulesets.w10.kit import PROPOSAL, piece, play, squad, table, unit, why

covers = pytest.mark.covers

FOOT = 32 / 25.4
EDGE = 0.25
SOUTH, NORTH = 15 - EDGE - FOOT / 2, 15 + EDGE + FOOT / 2
"""Where models stand that touch it."""


def facing(south: float, north: float, *more: Any) -> Position:
    """A unit south of the barricade, so far from it, and an enemy north of it."""
    return table(
        squad("line-squad", at=(30, SOUTH - south)),
        squad("line-squad", 1, 1, (30, NORTH + north)),
        *more,
        pieces=[piece("barricade", 30, 15)],
        phase="charge",
    )


@covers("terrain/barricades-melee", "charge-phase/charge-roll")
@pytest.mark.parametrize(("north", "rule"), [(1.0, None), (1.02, "charge-phase/charge-roll")])
def test_a_charge_may_end_at_a_barricade_before_an_enemy_within_an_inch_of_it(north: float, rule: str | None) -> None:
    position = facing(5.0, north)
    found = why(position, 0, charge_movement(unit(position, 0), [1], 6.0), {0: (30, SOUTH - 0.01)})
    assert found == rule


@covers("terrain/barricades-melee")
@pytest.mark.parametrize(("short", "rule"), [(0.1, None), (0.12, "charge-phase/charge-roll")])
def test_as_close_as_possible_to_the_barricade(short: float, rule: str | None) -> None:
    position = facing(5.0, 1.0)
    found = why(position, 0, charge_movement(unit(position, 0), [1], 6.0), {0: (30, SOUTH - short)})
    assert found == rule


@covers("terrain/barricades-melee")
@pytest.mark.parametrize(("dice", "arrives"), [("2 3", True), ("2 2", False)])
def test_the_referee_finds_the_charge_up_to_it(dice: str, arrives: bool) -> None:
    """Five inches to the barricade; the enemy an inch behind it would take six."""
    position = facing(4.99, 1.0)
    play(charge(unit(position, 0)), dice, [[1], *[PROPOSAL] * arrives], position)
    assert bool(unit(position, 0).marks("charged")) is arrives
    assert not is_engaged(unit(position, 0))


@covers("terrain/barricades-melee", "fight-phase/eligible", "fight-phase/which-models")
@pytest.mark.parametrize(("south", "north", "fights"), [(0.0, 1.0, True), (0.5, 1.0, True), (0.51, 1.0, False)])
def test_units_on_both_sides_within_two_inches_fight(south: float, north: float, fights: bool) -> None:
    position = facing(south, north)
    assert is_eligible(unit(position, 0)) is fights
    assert reach_of(unit(position, 0)) == ({0: [1]} if fights else {})


@covers("terrain/barricades-melee", "core-concepts/measuring")
@pytest.mark.parametrize(("z", "other", "completes"), [(0.0, 0.0, True), (2.0, 0.0, False), (0.0, 2.05, False)])
def test_a_barricade_is_no_nearer_from_above(z: float, other: float, completes: bool) -> None:
    """It is an inch and a half high: half an inch of that leaves an enemy within an inch of it."""
    position = facing(0.0, 0.9)
    one = msgspec.structs.replace(position.model(0).solid, z=z)
    position.model(1).move_to(30, NORTH + 0.9, other, facing=0.0)
    assert completes_charge(one, [position.model(1)], position.ground) is completes


@covers("terrain/barricades-melee")
@pytest.mark.parametrize(("z", "strikes"), [(0.0, True), (1.0, True), (4.0, False)])
def test_nobody_strikes_across_what_lies_below(z: float, strikes: bool) -> None:
    position = facing(0.0, 1.0)
    one, other = (msgspec.structs.replace(position.model(row).solid, z=z) for row in (0, 1))
    assert strikes_across(one, other, position.ground) is strikes


@covers("terrain/barricades-melee")
def test_the_enemy_strikes_back_over_it_and_nobody_fights_where_there_is_none() -> None:
    position = facing(0.0, 1.0)
    assert reach_of(unit(position, 1)) == {1: [0]}
    bare = table(squad("line-squad", at=(30, SOUTH)), squad("line-squad", 1, 1, (30, NORTH + 1.0)))
    assert not is_eligible(unit(bare, 0))
    beside = facing(0.0, 1.0)
    beside.model(0).move_to(40, SOUTH, facing=0.0)
    beside.model(1).move_to(40, SOUTH + FOOT + 1.5, facing=0.0)
