"""The rulings that a club may settle otherwise: both readings of each."""

from __future__ import annotations

import pytest

from campale.rulesets.ragnarok.shooting.fire import Shot, aiming_of, from_hiding, is_in_a_brawl
from campale.rulesets.ragnarok.shooting.thrown import targets_of_throw
from campale.rulesets.ragnarok.shooting.weapon_rules import weapon_of
from campale.rulesets.ragnarok.turn.commander import may_repeat_test
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import countermove, may_duel
from tests.rulesets.ragnarok.kit import a, play, table


@pytest.mark.covers("commander/reroll", "options/switches")
@pytest.mark.parametrize(("reading", "friend_repeats"), [("own", False), ("radius", True)])
def test_who_repeats_tests_is_a_ruling(reading: str, friend_repeats: bool) -> None:
    near, far = a("steam_rifleman", at=(60, 30)), a("steam_rifleman", at=(60, 110))
    position = table(a("crucible_captain", at=(60, 20), commander=1), near, far, options={"rerolls": reading})
    assert [may_repeat_test(m) for m in position.models] == [True, friend_repeats, False]


@pytest.mark.covers("hide/bonus", "options/switches")
@pytest.mark.parametrize(("reading", "bonus"), [("bonus", 1), ("none", 0)])
def test_whether_a_shot_from_hiding_has_the_bonus_is_a_ruling(reading: str, bonus: int) -> None:
    position = table(a("steam_rifleman", at=(60, 40)), a("raider", 1), options={"hidden_shots": reading})
    assert from_hiding(aiming_of(position, Shot(0, 1, 0, from_hiding=True))).value == bonus
    assert from_hiding(aiming_of(position, Shot(0, 1, 0))).value == 0


@pytest.mark.covers("vision/engaged-targets", "options/switches")
@pytest.mark.parametrize(("reading", "targets"), [("barred", []), ("allowed", [1])])
def test_whether_one_may_shoot_into_a_melee_is_a_ruling(reading: str, targets: list[int]) -> None:
    brawl = (a("raider", 1, at=(60, 60)), a("pathfinder", at=(60, 57.5)))
    position = table(a("raider", at=(50, 50), facing=45), *brawl, options={"brawls": reading})
    thrower, target, _ = position.models
    assert (is_in_a_brawl(thrower, target, weapon_of(thrower, 0)) is None) is bool(targets)
    assert [m.row for m in targets_of_throw(thrower)] == targets


@pytest.mark.covers("countermove/move", "options/switches")
def test_whether_a_countermove_also_turns_is_a_ruling() -> None:
    for reading, facing in (("move-or-turn", 0.0), ("both", 90.0)):
        position = table(a("steam_rifleman"), a("raider", 1, at=(60, 110)), options={"countermoves": reading})
        model = position.model(0)
        way = [[[60, 64]], 90.0 if reading == "both" else None]
        play(countermove(Declaration(model, "countermove", [position.model(1)])), answers=["move", way])
        assert (model.at, model.facing) == ((60, 64), facing)


@pytest.mark.covers("mental-duel/eligibility", "options/switches")
@pytest.mark.parametrize(("reading", "may"), [("either", True), ("own-kind", False)])
def test_whether_a_psionic_blocks_a_mage_is_a_ruling(reading: str, may: bool) -> None:
    position = table(a("rune_seer"), a("mesmerist", 1), a("rune_seer", 1), options={"duels": reading})
    seer, mesmerist, other = position.models
    act = Declaration(seer, "ability", ["spear_of_odin", 1])
    assert may_duel(mesmerist, act) is may
    assert may_duel(other, act)
    assert not may_duel(other, Declaration(seer, "move", ["walk"]))
