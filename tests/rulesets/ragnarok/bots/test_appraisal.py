"""What a bot thinks of a position: the harm in sight, the tests of a beaten force, and the claims on the bases."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.dice import chance_of_two, needed_on_two
from campale.rulesets.ragnarok.bots.appraisal import EVE, STAKE, appraise, claims, unease
from campale.rulesets.ragnarok.bots.prospects import HOPE, by_fire, in_melee, prospect
from tests.rulesets.ragnarok.kit import Figure, a, piece, table

RIFLEMAN, RAIDER = a("steam_rifleman").profile, a("raider").profile


def facing_each_other(gap: float, *more: Figure, **marks: Any) -> Position:
    """A rifleman, and a raider so far north of it."""
    return table(a("steam_rifleman", at=(60, 20)), a("raider", 1, at=(60, 20 + gap), **marks), *more)


# ---------------------------------------------------------------- the harm in sight


def test_fire_counts_as_far_as_the_weapon_reaches_and_less_beyond_half() -> None:
    reach = RIFLEMAN.ranged_weapons[0].range
    near, half, far, out = (by_fire(RIFLEMAN, RAIDER, away) for away in (1.0, reach / 2, reach, reach + 0.1))
    assert near == half > far > 0.0 == out


def test_what_protects_the_target_takes_off_the_wounds_expected() -> None:
    bare = a("raider", changes={"armour_save": None, "equipment": ()}).profile
    armoured = a("raider", changes={"armour_save": 4, "equipment": ()}).profile
    weapon = RIFLEMAN.ranged_weapons[0]
    skill = RIFLEMAN.shooting_skill
    assert skill is not None
    assert by_fire(RIFLEMAN, bare, 1.0) == pytest.approx(weapon.rate * (7 - skill) / 6)
    stopped = max(1, 7 - 4 - weapon.value("piercing")) / 6
    assert by_fire(RIFLEMAN, armoured, 1.0) == pytest.approx(weapon.rate * (7 - skill) / 6 * (1 - stopped))


def test_whoever_cannot_shoot_does_no_harm_from_afar() -> None:
    assert by_fire(a("raider", changes={"shooting_skill": None}).profile, RIFLEMAN, 1.0) == 0.0


def test_a_charge_is_worth_more_the_better_one_fights() -> None:
    better = a("raider", changes={"melee_skill": 2, "attacks": 3}).profile
    worse = a("raider", changes={"melee_skill": 6, "attacks": 1}).profile
    assert in_melee(better, worse) > in_melee(worse, better) >= 0.0


def test_what_scenery_hides_is_in_no_danger() -> None:
    away = RIFLEMAN.ranged_weapons[0].range - 5.0
    assert prospect(facing_each_other(away), 0) > 0.0
    hidden = table(
        a("steam_rifleman", at=(60, 20)),
        a("raider", 1, at=(60, 20 + away)),
        pieces=[piece("workshop", 60, 20 + away / 2)],
    )
    assert prospect(hidden, 0) == 0.0


@pytest.mark.parametrize("state", ["prone", "alert", "hidden"])
def test_whoever_takes_shelter_is_in_less_danger(state: str) -> None:
    away = RIFLEMAN.ranged_weapons[0].range - 5.0
    assert prospect(facing_each_other(away, **{state: 1}), 0) < prospect(facing_each_other(away), 0)


def test_what_threatens_both_alike_counts_against_whoever_looks() -> None:
    position = table(a("steam_rifleman", at=(60, 20)), a("steam_rifleman", 1, at=(60, 35)))
    assert prospect(position, 0) == pytest.approx(prospect(position, 1))
    assert prospect(position, 0) < 0.0


def test_no_more_is_taken_off_a_model_than_there_is() -> None:
    one = table(a("steam_rifleman", at=(60, 20)), a("raider", 1, at=(60, 30), facing=0))
    many = table(*[a("steam_rifleman", at=(40 + 4 * k, 20)) for k in range(12)], a("raider", 1, at=(60, 30), facing=0))
    worth = RAIDER.points
    assert prospect(one, 0) < prospect(many, 0) <= HOPE * worth


# ---------------------------------------------------------------- a force that may leave the field


def beaten(lost: int, of: int = 5, **given: Any) -> Position:
    standing = [a("raider", at=(20 + 10 * k, 20), commander=int(k == 0)) for k in range(of - lost)]
    gone = [a("raider", at=(20 + 10 * k, 30), wounds=5) for k in range(lost)]
    return table(*standing, *gone, a("raider", 1, at=(60, 100), commander=1), **given)


def test_unease_grows_with_every_loss_and_leaps_at_the_command_test() -> None:
    felt = [unease(beaten(lost), 0) for lost in range(5)]
    assert felt == sorted(felt)
    assert felt[0] == 0.0
    assert felt[2] < EVE < felt[3]


def test_the_fewer_tests_there_are_to_come_the_less_a_beaten_force_fears() -> None:
    assert unease(beaten(3, turn=22), 0) < unease(beaten(3, turn=3), 0)


def test_the_enemys_unease_is_welcome() -> None:
    eve, beyond = beaten(2), beaten(3)
    assert appraise(beyond, 1) - appraise(eve, 1) > STAKE * (unease(beyond, 0) - unease(eve, 0)) > 0.0


@pytest.mark.parametrize(("number", "of_36"), [(2, 35), (7, 21), (8, 15), (12, 1), (13, 1)])
def test_the_chance_of_two_dice(number: int, of_36: int) -> None:
    assert chance_of_two(needed_on_two(number)) == pytest.approx(of_36 / 36)


# ---------------------------------------------------------------- claims on the bases


def bases(*figures: Figure, **given: Any) -> Position:
    position = table(
        *figures, pieces=[piece("workshop", 20, 20), piece("workshop", 100, 100)], mission="bases", **given
    )
    position.hold(0, "base", (position.ground.pieces[0].name,))
    position.hold(1, "base", (position.ground.pieces[1].name,))
    return position


def test_whoever_is_near_a_base_claims_it() -> None:
    alone = claims(bases(a("raider", at=(90, 90)), a("raider", 1, at=(60, 60))), 0)
    nearer = claims(bases(a("raider", at=(90, 90)), a("raider", 1, at=(92, 92))), 0)
    assert alone > 0.0
    assert alone > nearer
    assert claims(bases(a("raider", at=(90, 90)), a("raider", 1, at=(60, 60))), 1) == pytest.approx(-alone)


def test_who_is_out_of_action_claims_nothing() -> None:
    assert claims(bases(a("raider", at=(90, 90), wounds=5)), 0) == 0.0


def test_late_in_the_battle_only_who_is_near_counts() -> None:
    figures = a("raider", at=(60, 40)), a("raider", 1, at=(97, 97))
    assert claims(bases(*figures, turn=23), 0) < claims(bases(*figures, turn=3), 0)


def test_in_other_missions_nothing_is_claimed() -> None:
    assert claims(table(a("raider", at=(90, 90)), a("raider", 1, at=(60, 60))), 0) == 0.0
