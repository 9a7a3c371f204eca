"""The teardrop and the area markers: where they are laid, whom they hit (9.1/template, 9.1.1/area)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.armies.profile import Line, Mount, Weapon
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Covers
from campale.rulesets.e55.shooting_phase.fire import FIRE, Shot
from campale.rulesets.e55.weapons.templates import drift, hit_at, places_for_marker, teardrop, ways_to_lay
from campale.table.templates import Pose, outline_at
from tests.rulesets.e55.kit import WEAPONS, Played, one_volley, play, profile, put, rules, squad, table, wall

SHOT = Shot(0, 0, 0, 0, 1, 1)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """(row of the unit, row of the model aimed at) of every hit."""
    found: list[tuple[int, int]] = []

    async def take_all(targets: Any, covers: Covers) -> None:
        found.extend((target.row, hit.target) for target, hits in targets for hit in hits)

    monkeypatch.setattr(resolving, "take_all", take_all)
    return found


def fire(battle: Position, *shots: Shot, dice: str = "", answers: Any = ()) -> Played:
    battle.declare(FIRE, tuple(tuple(shot) for shot in shots or (SHOT,)))
    return play(one_volley(battle), dice, answers, battle)


def flamer(places: Any, *others: Any, kind: str = "veteran") -> Position:
    return table(
        squad(kind, 1, 0, (20, 10), "flamethrower", faces=1), squad("militia", len(places), 1, places), *others
    )


# ---------------------------------------------------------------- 9.1/template


@pytest.mark.covers("9.1/template-shape")
def test_the_teardrop_is_8_inches_long_and_two_and_a_half_wide() -> None:
    corners = outline_at(teardrop(), Pose(0.0, 0.0))
    assert max(y for _, y in corners) == pytest.approx(8.0, abs=0.01)
    assert max(x for x, _ in corners) == pytest.approx(1.25, abs=0.01)
    assert min(corners, key=lambda corner: corner[1]) == (0.0, 0.0)


@pytest.mark.covers("9.1/template")
def test_every_model_under_it_is_hit_without_a_roll_and_has_no_cover(taken: list[tuple[int, int]]) -> None:
    played = fire(flamer([(20, 14), (20, 17), (20, 30)]))
    assert taken == [(1, 1), (1, 2)]
    assert played.rolls == []


@pytest.mark.covers("9.1/template")
@pytest.mark.parametrize(("y", "hit"), [(18.9, True), (19.1, False)])
def test_it_begins_at_the_edge_of_the_base_and_partly_covered_counts(y: float, hit: bool) -> None:
    assert bool(ways_to_lay(flamer([(20, y)]), SHOT)) == hit


@pytest.mark.covers("9.1/template")
def test_as_many_enemies_as_possible_one_of_the_target_at_least() -> None:
    crowd = squad("militia", 3, 1, [(25, 10), (26.5, 10), (28, 10)])
    battle = flamer([(20, 14)], crowd)
    assert ways_to_lay(battle, SHOT) == [(1,)]
    behind = flamer([(20, 14), (24, 11)], squad("militia", 2, 1, [(20, 16), (20, 17.5)]))
    assert ways_to_lay(behind, SHOT) == [(1, 3, 4)]


@pytest.mark.covers("9.1/template")
def test_other_enemies_under_it_are_hit_too(taken: list[tuple[int, int]]) -> None:
    fire(flamer([(20, 14)], squad("militia", 1, 1, [(20, 16)])))
    assert taken == [(1, 1), (2, 2)]


@pytest.mark.covers("9.1/template")
def test_it_is_laid_clear_of_friends_or_it_fails(taken: list[tuple[int, int]]) -> None:
    free, barred = flamer([(20, 14)]), flamer([(20, 14)])
    put(barred, squad("veteran", 3, 0, [(18.9, 12), (20, 12), (21.1, 12)]))
    assert ways_to_lay(free, SHOT)
    assert not ways_to_lay(barred, SHOT)
    assert "template-fails" in fire(barred).kinds
    assert taken == []


@pytest.mark.covers("9.1/template")
def test_ties_go_to_the_firing_player(taken: list[tuple[int, int]]) -> None:
    battle = flamer([(20, 14), (24, 10)])
    assert ways_to_lay(battle, SHOT) == [(1,), (2,)]
    played = fire(battle, answers=[(2,)])
    assert played.questions[0].side == 0
    assert taken == [(1, 2)]


@pytest.mark.covers("9.1/template", "7.9/arcs")
def test_from_a_vehicle_it_begins_at_the_muzzle_within_the_arc() -> None:
    assert ways_to_lay(flamer([(20, 20.9)], kind="tank"), SHOT) == [(1,)]
    assert ways_to_lay(flamer([(20, 21.1)], kind="tank"), SHOT) == []
    assert ways_to_lay(flamer([(26, 12.5)], kind="tank"), SHOT) == []
    turret = profile("tank", Mount(WEAPONS["flamethrower"], is_turret=True))
    battle = table(squad(turret, 1, 0, (20, 10)), squad("militia", 1, 1, (26, 10)))
    assert ways_to_lay(battle, SHOT) == [(1,)]


# ---------------------------------------------------------------- 9.1.1/area


def mortar(places: Any, *others: Any, weapon: str = "mortar", **more: Any) -> Position:
    gunner = profile("veteran", weapon, **more)
    return table(squad(gunner, 1, 0, (20, 4), faces=1), squad("militia", len(places), 1, places), *others)


@pytest.mark.covers("9.1.1/area")
@pytest.mark.parametrize(
    ("rolled", "bs", "inches"), [(1, 4, 0), (2, 4, 0), (3, 4, 2), (6, 4, 8), (6, 0, 16), (6, 10, 0)]
)
def test_a_marker_drifts_2_inches_for_each_point_over_its_skill(rolled: int, bs: int, inches: float) -> None:
    assert drift(rolled, bs) == inches


@pytest.mark.covers("9.1.1/area")
def test_a_marker_that_stays_hits_all_that_is_under_it(taken: list[tuple[int, int]]) -> None:
    played = fire(mortar([(20, 30), (21.9, 30), (22.1, 30)]), dice="2", answers=[1])
    assert taken == [(1, 1), (1, 2)]
    assert played.rolls == ["drift"]


@pytest.mark.covers("9.1.1/area", "1.1/random-direction")
def test_one_that_drifts_hits_where_it_comes_down(taken: list[tuple[int, int]]) -> None:
    battle = mortar([(20, 30)], squad("militia", 1, 1, (24, 30)))
    played = fire(battle, dice="4 90.0")
    assert played.rolls == ["drift", "drift-direction"]
    assert taken == [(2, 2)]
    fire(mortar([(20, 30)], squad("militia", 1, 1, (24, 30))), dice="4 270.0")
    assert taken == [(2, 2)]


@pytest.mark.covers("9.1.1/area", "3.2.3/close-bonus", "3.2.3/long-penalty")
def test_skill_is_taken_with_its_modifiers(taken: list[tuple[int, int]]) -> None:
    fire(mortar([(20, 16)]), dice="3")
    fire(mortar([(20, 30)]), dice="2")
    fire(mortar([(20, 42)]), dice="1")
    assert taken == [(1, 1)] * 3


@pytest.mark.covers("9.1.1/area")
def test_friends_are_hit_too(taken: list[tuple[int, int]]) -> None:
    battle = mortar([(20, 30)])
    put(battle, squad("veteran", 1, 0, (21, 30)))
    fire(battle, dice="1")
    assert taken == [(1, 1), (2, 2)]


@pytest.mark.covers("9.1.1/area")
def test_the_firing_player_picks_a_model_within_range() -> None:
    short = Weapon("mortar", {}, (Line("ranged", 26, 4, False, 6, rules("heavy 1", "area")),))
    gunner = profile("veteran", short)
    battle = table(squad(gunner, 1, 0, (20, 4)), squad("militia", 2, 1, [(20, 30), (20, 34)]))
    assert places_for_marker(battle, SHOT) == [1]
    far = table(squad(gunner, 1, 0, (20, 4)), squad("militia", 1, 1, (20, 36)))
    assert fire(far).kinds[-1] == "out-of-range"


@pytest.mark.covers("9.1.1/area", "9.1.1/twin-linked")
def test_neither_re_rolls_nor_naturals_matter_to_markers(taken: list[tuple[int, int]]) -> None:
    twin = Weapon("mortar", {}, (Line("ranged", 48, 4, False, 6, rules("heavy 1", "area", "twin-linked")),))
    battle = table(squad(profile("veteran", twin), 1, 0, (20, 4)), squad("militia", 1, 1, (20, 30)))
    assert fire(battle, dice="6 0.0").rolls == ["drift", "drift-direction"]
    assert taken == []


@pytest.mark.covers("9.1.1/area", "9.1.1/rapid-fire")
def test_one_marker_is_laid_for_each_attack_that_was_declared(taken: list[tuple[int, int]]) -> None:
    thrower = Weapon("thrower", {}, (Line("ranged", 48, 4, False, 6, rules("rapid-fire", "area")),))
    fire(mortar([(20, 20)], weapon=thrower), dice="1")  # type: ignore[arg-type]
    assert taken == [(1, 1)]
    battle = mortar([(20, 20)], weapon=thrower)  # type: ignore[arg-type]
    battle.declare(FIRE, ((0, 0, 0, 0, 2, 1, -1),))
    play(one_volley(battle), "1 1", position=battle)
    assert taken == [(1, 1)] * 3


@pytest.mark.covers("9.1.1/area")
def test_several_markers_of_a_volley_are_all_placed_before_anybody_is_removed(taken: list[tuple[int, int]]) -> None:
    battle = table(
        squad(profile("veteran", "mortar"), 2, 0, [(20, 4), (22, 4)], faces=1), squad("militia", 1, 1, (20, 30))
    )
    fire(battle, SHOT, Shot(0, 1, 0, 0, 1, 1), dice="1 1")
    assert taken == [(1, 2), (1, 2)]


@pytest.mark.covers("9.1.1/area-size", "9.1.1/area")
@pytest.mark.parametrize(
    ("radius", "x", "hit"), [(1.5, 21.9, True), (1.5, 22.1, False), (2.5, 22.9, True), (2.5, 23.1, False)]
)
def test_who_is_even_partly_under_a_marker_is_hit(radius: float, x: float, hit: bool) -> None:
    battle = table(squad("veteran", 1, 0, (60, 10)), squad("militia", 1, 1, (x, 30)))
    assert hit_at(battle, (20.0, 30.0), radius) == ((1,) if hit else ())


@pytest.mark.covers("9.1.1/area", "2.3.1/cover-out-of-sight")
def test_who_is_hit_unseen_has_cover_2(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[Any, Any] = {}

    async def take_all(targets: Any, covers: Covers) -> None:
        found.update(covers)

    monkeypatch.setattr(resolving, "take_all", take_all)
    battle = mortar([(20, 30)], squad("militia", 1, 1, (24, 30)))
    battle.change_ground(battle.ground.with_piece(wall(23.9, 28.6, 2.4)))
    fire(battle, dice="4 90.0")
    assert found[0, 2] == 2
