"""Volleys: the order of targets, range, to-hit dice and their order, what hits carry (3.2, 3.2.1, 3.2.2)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.armies.profile import Line, Mount, Power, Weapon
from campale.rulesets.e55.definitions.measuring import shot_distance
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Covers, Hit, cover_against
from campale.rulesets.e55.shooting_phase.fire import FIRE, Shot, declared, distances
from campale.rulesets.e55.shooting_phase.shooting import declaration_phase
from tests.rulesets.e55.kit import (
    WEAPONS,
    Played,
    block,
    model,
    one_volley,
    play,
    profile,
    rules,
    squad,
    table,
    unit,
    wood,
)

Taken = list[tuple[int, Hit]]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    """Catches the hits, (row of the unit, hit), in the place of resolving them."""
    found: Taken = []

    async def take_all(targets: Any, covers: Covers) -> None:
        found.extend((target.row, hit) for target, hits in targets for hit in hits)

    monkeypatch.setattr(resolving, "take_all", take_all)
    return found


@pytest.fixture
def covers(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[int, ...], int | None]:
    found: dict[tuple[int, ...], int | None] = {}

    async def take_all(targets: Any, covers: Covers) -> None:
        found.update(covers)

    monkeypatch.setattr(resolving, "take_all", take_all)
    return found


def fire(battle: Position, *shots: Shot, dice: str = "", answers: Any = ()) -> Played:
    if shots:
        battle.declare(FIRE, tuple(tuple(shot) for shot in shots))
    return play(one_volley(battle), dice, answers, battle)


def shot(model: int = 0, attacks: int = 1, target: int = 1, unit: int = 0, weapon: int = 0, **more: int) -> Shot:
    return Shot(unit, model, weapon, more.get("line", 0), attacks, target, more.get("point", -1))


def apart(inches: float, *carried: Any, count: int = 1, kind: Any = "veteran", foe: Any = "militia") -> Position:
    """A line of shooters and one enemy so many inches from the first of them."""
    made = profile(kind, *carried) if isinstance(kind, str) else kind
    radius = 1.25 if foe == "great-beast" else 0.5
    return table(
        squad(made, count, 0, (4, 10), spacing=1.0, columns=30, faces=1),
        squad(foe, 1, 1, (4, 10 + 0.5 + radius + inches)),
    )


# ---------------------------------------------------------------- 3.2/sequence


def two_targets() -> Position:
    return table(
        squad("veteran", 1, 0, (20, 10), "rifle", faces=1),
        squad("militia", 1, 1, (20, 30)),
        squad("militia", 1, 1, (40, 30)),
        squad("veteran", 1, 0, (30, 10), "rifle", faces=2),
    )


@pytest.mark.covers("3.2/sequence")
def test_the_active_player_chooses_the_order_of_the_targets(taken: Taken) -> None:
    battle = two_targets()
    played = fire(battle, shot(0), shot(3, unit=3, target=2), dice="6", answers=[2])
    assert played.value is True
    assert played.questions[0].side == 0
    assert taken[0][0] == 2
    assert [one.target for one in declared(battle)] == [1]
    assert fire(battle, dice="6").value is False
    assert declared(battle) == []


@pytest.mark.covers("3.2/declare-first")
def test_shots_at_what_no_longer_exists_are_lost(taken: Taken) -> None:
    battle = two_targets()
    battle.remove(model(battle, 1), "fire")
    played = fire(battle, shot(0), shot(3, unit=3, target=2), dice="6")
    assert [target for target, _ in taken] == [2]
    assert played.value is True
    assert fire(battle).kinds[-1] == "shots-lost"
    assert declared(battle) == []


@pytest.mark.covers("3.2/same-target-simultaneous", "3.2.2/shots-simultaneous")
def test_fire_of_several_units_at_one_target_is_one_volley(taken: Taken) -> None:
    battle = two_targets()
    fire(battle, shot(0), shot(3, unit=3, target=1), dice="6 6")
    assert [(target, hit.by_unit) for target, hit in taken] == [(1, 0), (1, 3)]


@pytest.mark.covers("3.2/same-target-simultaneous", "2.3.1/cover-blocked-sight")
def test_cover_is_settled_for_each_unit_before_anybody_is_removed(covers: dict[tuple[int, ...], int | None]) -> None:
    battle = two_targets()
    battle.change_ground(battle.ground.with_piece(block(20, 20, 4, 0.5, "screening")))
    fire(battle, shot(0), shot(3, unit=3, target=1), dice="6 6")
    assert [cover_against(covers, row, row, 1) for row in (0, 3)] == [5, None]


# ---------------------------------------------------------------- 3.2.1


@pytest.mark.covers("3.2.1/range")
@pytest.mark.parametrize(("inches", "dice"), [(24.9, "3"), (25.0, "")])
def test_a_weapon_that_does_not_reach_loses_its_attacks(taken: Taken, inches: float, dice: str) -> None:
    played = fire(apart(inches, "rifle"), shot(), dice=dice)
    assert len(taken) == (1 if dice else 0)
    assert ("out-of-range" in played.kinds) == (not dice)


@pytest.mark.covers("3.2.1/range")
def test_range_is_checked_model_by_model(taken: Taken) -> None:
    battle = apart(24.5, "rifle", count=8)
    fire(battle, *(shot(row) for row in range(8)), dice="6 6 6 6 6 6")
    assert [hit.by_model for _, hit in taken] == [0, 1, 2, 3, 4, 5]


@pytest.mark.covers("3.2.1/range", "6.1.1/fmc-distance")
def test_a_flying_target_is_farther_away(taken: Taken) -> None:
    flying = table(squad("veteran", 1, 0, (20, 10), "rifle"), squad("jump-trooper", 1, 1, (20, 30), aloft=1), turn=3)
    assert fire(flying, shot()).kinds[-1] == "out-of-range"
    walking = table(squad("veteran", 1, 0, (20, 10), "rifle"), squad("jump-trooper", 1, 1, (20, 30)))
    fire(walking, shot(), dice="6")
    assert len(taken) == 1


@pytest.mark.covers("3.2.1/range", "6.1.1/fmc-distance")
@pytest.mark.parametrize(("x", "hits"), [(12, 0), (6, 1)])
def test_each_model_of_a_flying_unit_is_farther_by_its_own_figure(taken: Taken, x: int, hits: int) -> None:
    mixed = [profile("jump-trooper", x=x), profile("jump-trooper", x=18)]
    flying = squad(mixed, 1, 1, [(20, 31), (21.5, 31)], aloft=1)
    battle = table(squad("veteran", 1, 0, (20, 10), "rifle"), flying, turn=3)
    fire(battle, shot(), dice="6" * hits)
    assert len(taken) == hits
    assert distances(battle, [shot()], unit(battle, 1)) == [shot_distance(model(battle, 0), unit(battle, 1))]


@pytest.mark.covers("3.2.1/out-of-range", "9.1.1/heavy", "9.1.1/rapid-fire")
@pytest.mark.parametrize(("weapon", "attacks", "barred"), [("rifle", 1, 1), ("machine-gun", 3, 1), ("carbine", 2, 0)])
def test_what_is_declared_counts_as_fired_out_of_range_too(weapon: str, attacks: int, barred: int) -> None:
    battle = apart(40, weapon)
    play(declaration_phase(battle), answers=[("shoot", 0), [("fire", 0, 0, attacks)]], position=battle)
    fire(battle)
    assert unit(battle, 0).marks("shot") == 1
    assert unit(battle, 0).marks("no-charge") == barred


# ---------------------------------------------------------------- 3.2.2


@pytest.mark.covers("3.2.2/attack-count", "3.2.2/to-hit")
def test_one_die_for_each_attack_against_7_minus_skill(taken: Taken) -> None:
    fire(apart(20, "machine-gun"), shot(attacks=3), dice="2 3 6")
    assert len(taken) == 2


@pytest.mark.covers("3.2.2/hit-inherits", "3.2.2/ranged-grants-cover")
def test_a_hit_takes_strength_ap_and_rules_of_its_weapon(taken: Taken) -> None:
    fire(apart(15, "shrapnel-gun"), shot(attacks=2), dice="6 6")
    hit = taken[0][1]
    assert (hit.strength, hit.ap, hit.rules, hit.grants_cover, hit.is_ranged) == (5, 6, ("rending",), True, True)
    assert (hit.by_unit, hit.by_model, hit.target) == (0, 0, -1)
    fire(apart(40, "marksman-rifle"), shot(), dice="6")
    assert (taken[-1][1].rules, taken[-1][1].grants_cover) == (("rending",), False)


@pytest.mark.covers("9.1.1/laser", "9.1.1/thermal")
def test_strength_goes_by_the_distance_of_each_model(taken: Taken) -> None:
    fire(apart(12.5, "beam-gun"), shot(), dice="6")
    fire(apart(13, "beam-gun"), shot(), dice="6")
    fire(apart(6.5, "fusion-gun"), shot(), dice="6")
    fire(apart(7, "fusion-gun"), shot(), dice="6")
    assert [hit.strength for _, hit in taken] == [7, 6, 10, 8]


@pytest.mark.covers("1.1/dice-stream", "3.2.3/close-bonus")
def test_dice_go_by_unit_by_model_and_by_attack_and_like_ones_are_one_roll(taken: Taken) -> None:
    battle = apart(12.2, "carbine", count=6)
    played = fire(battle, *(shot(row, 2) for row in range(6)), dice="2 2 2 2 2 2 2 2 1 1 | 2 3")
    asked = [question.description() for question in played.questions]
    assert [one["count"] for one in asked] == [10, 2]
    assert asked[0]["needed"]["parts"][0]["rule"] == "3.2.3/close-bonus"
    assert [hit.by_model for _, hit in taken] == [0, 0, 1, 1, 2, 2, 3, 3, 5]


@pytest.mark.covers("1.1/dice-stream")
def test_units_shoot_in_the_order_declared_and_their_models_in_that_of_the_roster(taken: Taken) -> None:
    battle = two_targets()
    gunner = table(
        squad([profile("veteran", "carbine"), profile("veteran", "rifle")], 1, 0, (20, 12)),
        squad("militia", 1, 1, (20, 24)),
    )
    fire(gunner, shot(1), shot(0, 2), dice="6 6 | 6")
    fire(battle, shot(3, unit=3, target=1), shot(0), dice="6 6")
    assert [hit.by_model for _, hit in taken] == [0, 0, 1, 3, 0]


@pytest.mark.covers("1.1/dice-stream", "1.1/re-roll-once", "9.1.1/twin-linked")
def test_all_first_rolls_come_before_any_re_roll_and_each_die_is_re_rolled_once(taken: Taken) -> None:
    twin = Weapon("twin", {}, (Line("ranged", 24, 4, False, 5, rules("assault 2", "twin-linked")),))
    battle = table(
        squad("veteran", 1, 0, (20, 10), twin), squad("militia", 1, 1, (20, 30)), squad("veteran", 1, 0, (24, 10), twin)
    )
    played = fire(battle, shot(0, 2), shot(2, 2, unit=2), dice="1 5 | 2 2 | 4 | 1 3")
    assert played.rolls == ["to-hit", "to-hit", "to-hit-again", "to-hit-again"]
    assert [hit.by_unit for _, hit in taken] == [0, 0, 2]


@pytest.mark.covers("3.2.2/high-bs")
def test_high_skill_re_rolls_a_miss_with_the_skill_lowered_by_5(taken: Taken) -> None:
    sharp = profile("veteran", "rifle", bs=7)
    fire(apart(20, kind=sharp), shot(), dice="1 4")
    assert taken == []
    fire(apart(20, kind=sharp), shot(), dice="1 5")
    assert len(taken) == 1


@pytest.mark.covers("8/favoured-enemy")
def test_a_favoured_enemy_is_hit_by_re_rolled_dice(taken: Taken) -> None:
    hunter = profile("veteran", "rifle", adds=["favoured-enemy orks"])
    orks = profile("militia", keywords=("orks",))
    fire(apart(20, kind=hunter, foe=orks), shot(), dice="1 3")
    fire(apart(20, kind=hunter), shot(), dice="1")
    assert len(taken) == 1


@pytest.mark.covers("7.10/fire-points")
def test_out_of_a_transport_range_runs_from_the_fire_point(taken: Taken) -> None:
    from campale.referee.position import ABOARD

    def from_point(y: float) -> list[str]:
        battle = table(
            squad(profile("carrier", fire_points=((0.0, 2.5, 1.5),)), 1, 0, (20, 10)),
            squad("militia", 1, 1, (20, y)),
            squad("veteran", 1, 0, None, "rifle"),
        )
        battle.where[2], battle.aboard_of[2] = ABOARD, 0
        battle.cache = {}
        return fire(battle, shot(2, unit=2, point=0), dice="6" if y < 38 else "").kinds

    assert "volley" in from_point(37.9)
    assert "out-of-range" in from_point(38.1)


@pytest.mark.covers("5/shooting-power")
def test_a_power_hits_as_a_weapon_does_and_is_lost_out_of_range(taken: Taken) -> None:
    bolt = Power("bolt", {}, 1, "shooting", shooting=Line("ranged", 18, 6, False, 3, rules("assault 2")))
    psyker = profile("veteran", "rifle", psyker=1, powers=(bolt,))
    fire(apart(18, kind=psyker), shot(weapon=100, attacks=2), dice="3 2")
    assert [(hit.strength, hit.ap) for _, hit in taken] == [(6, 3)]
    assert fire(apart(19, kind=psyker), shot(weapon=100, attacks=2)).kinds[-1] == "out-of-range"


@pytest.mark.covers("6.1/mc-muzzle", "2.3.1/cover-blocked-sight")
def test_a_monster_looks_from_the_muzzle_that_its_owner_picked(covers: dict[tuple[int, ...], int | None]) -> None:
    arms = Mount(WEAPONS["carbine"], muzzle=(-6.0, 0.0, 2.0)), Mount(WEAPONS["carbine"], muzzle=(6.0, 0.0, 2.0))
    for point, found in ((0, 5), (1, None)):
        battle = table(
            squad(profile("great-beast", *arms), 1, 0, (20, 20)),
            squad("militia", 1, 1, (20, 30)),
            pieces=[block(16, 25, 4, 1, "screening")],
        )
        fire(battle, shot(attacks=2, point=point), dice="6 6")
        assert cover_against(covers, 0, 0, 1) == found


def test_a_volley_is_resolved_to_the_losses() -> None:
    battle = table(squad("veteran", 2, 0, (20, 10), "rifle"), squad("militia", 4, 1, (20, 30)), pieces=[wood(60, 40)])
    fire(battle, shot(0), shot(1), dice="6 2 | 6 | 1", answers=[[2]])
    assert not model(battle, 2).is_on_table
    assert battle.losses[0].by == 0


@pytest.mark.covers("3.2.1/range", "6.4/flying-infantry-distance")
@pytest.mark.parametrize("kind", ["veteran", "walker"])
def test_the_nearest_of_those_who_fly_counts_with_what_its_own_flying_adds(taken: Taken, kind: str) -> None:
    swift, slow = profile("jump-trooper", x=12), profile("jump-trooper", x=4)
    for reach, hits in ((23, 1), (22, 0)):
        made = profile(kind, Weapon("gun", {}, (Line("ranged", reach, 4, False, 5),)))
        battle = table(squad(made, 1, 0, (20, 10)), squad([swift, slow], 2, 1, [(20, 30), (20, 32)], aloft=1))
        radius = 1.25 if kind == "walker" else 0.5
        model(battle, 0).move_to(20, 10.5 - radius)
        fire(battle, shot(), dice="6" if hits else "")
        assert len(taken) == hits
        taken.clear()
