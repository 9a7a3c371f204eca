"""Attacks of melee weapons split between units, and moves of models by their own M."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campale.referee.position import Position
from campale.rulesets.w10.attack.attack import line_of
from campale.rulesets.w10.fight.declaring import declare
from campale.rulesets.w10.movement.moves import each_by_its_own, movement_of
from campale.rulesets.w10.odds.forecasts import of_shots
from tests.rulesets.w10.kit import blade, gun, play, squad, table, unit, why

covers = pytest.mark.covers


def between(*weapons: Any) -> Position:
    """A model engaged with two enemy units."""
    return table(
        squad("line-squad", 1, at=(30, 10), weapons=weapons),
        squad("line-squad", 1, 1, at=(28.6, 10)),
        squad("line-squad", 1, 1, at=(31.4, 10)),
        phase="fight",
    )


@covers("fight-phase/select-targets")
def test_the_attacks_of_a_weapon_may_be_split() -> None:
    position = between(blade(a="5"))
    found = play(declare(unit(position, 0)), answers=[["split", 2]], position=position).value
    assert [(one.target, one.count) for one in found] == [(1, 2), (2, 3)]


@covers("fight-phase/select-targets", "datasheet/random-characteristics")
@pytest.mark.parametrize("attacks", ["D6", "1"])
def test_those_of_a_random_number_and_a_single_one_stay_together(attacks: str) -> None:
    position = between(blade(a=attacks))
    found = play(declare(unit(position, 0)), answers=[["split", 2]], position=position).value
    assert [(one.target, one.count) for one in found] == [(2, -1)]


@covers("fight-phase/select-targets")
def test_or_all_go_at_one() -> None:
    position = between(blade(a="5"))
    found = play(declare(unit(position, 0)), answers=[[1]], position=position).value
    assert [(one.target, one.count) for one in found] == [(1, -1)]


@covers("fight-phase/select-weapon", "datasheet/weapon-profile")
@pytest.mark.parametrize("answers", [[(1, 0)], ["each", (2, 0), (3, 0)]])
def test_models_whose_guns_differ_strike_with_their_melee_weapons(answers: list[Any]) -> None:
    """A model with a second gun numbers its blades otherwise."""
    knife, axe = blade("knife"), blade("axe", a="2")
    position = table(
        squad("line-squad", 2, at=(30, 10), weapons=(gun(), knife, axe), last=(gun(), gun("bomb", a="6"), knife, axe)),
        squad("line-squad", 2, 1, at=(30, 11.9)),
        phase="fight",
    )
    found = play(declare(unit(position, 0)), answers=[answers], position=position).value
    assert [line_of(position, one).is_melee for one in found] == [True, True]
    told = of_shots(unit(position, 0), unit(position, 1), found, "melee")
    assert told.gap == ""


@covers("weapon-abilities/extra-attacks", "datasheet/several-profiles")
def test_a_weapon_of_extra_attacks_strikes_with_one_of_its_profiles() -> None:
    tail = blade("tail", abilities=("extra-attacks",))
    tail = replace(tail, lines=(tail.lines[0], replace(tail.lines[0], a="3")))
    position = table(
        squad("beast", 1, at=(30, 10), weapons=(blade(), tail)), squad("line-squad", 1, 1, at=(30, 12.7)), phase="fight"
    )
    found = play(declare(unit(position, 0)), answers=[[(1, 1)]], position=position).value
    assert [(one.weapon, one.line) for one in found] == [(0, 0), (1, 1)]


@covers("movement-phase/normal-move", "datasheet/model-profile")
@pytest.mark.parametrize(("row", "far", "rule"), [(0, 7.0, None), (1, 7.0, "movement-phase/normal-move")])
def test_each_model_goes_by_its_own_m(row: int, far: float, rule: str | None) -> None:
    position = table(squad("line-squad", 1, m=8), squad("captain", at=(31.6, 10), leads=0), phase="movement")
    movement = each_by_its_own(movement_of(unit(position, 0), 6.0))
    ways = {0: (30, 10 + 6.0), 1: (31.6, 10 + 6.0)} | {row: ((30, 31.6)[row], 10 + far)}
    assert why(position, 0, movement, ways) == rule
