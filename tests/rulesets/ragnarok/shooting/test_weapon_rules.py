"""The special rules of the arsenal: those of shooting, of throwing, and of the weapons of melee."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from campale.referee.position import Effect, Position
from campale.referee.refusal import first_refusal
from campale.rulesets.ragnarok.armies.arsenal import weapon_named
from campale.rulesets.ragnarok.armies.profile import Rule, Weapon
from campale.rulesets.ragnarok.close_combat.melee import fight_round, strike
from campale.rulesets.ragnarok.moving.movement import move, walk_along
from campale.rulesets.ragnarok.shooting.fire import (
    REACTION,
    SUPPRESSIVE,
    TARGET_RESTRICTIONS,
    Shot,
    aiming_of,
    shoot,
    to_hit,
)
from campale.rulesets.ragnarok.shooting.thrown import named_target, targets_of_throw, throw
from campale.rulesets.ragnarok.shooting.weapon_rules import PLAIN, SALVO, STEAM, doublings
from campale.rulesets.ragnarok.turn.actions import (
    ACTIONS,
    cannot_shoot,
    carry_out_fire,
    fire_fields,
    move_limit,
)
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import REACTIONS, countermove
from campale.rulesets.ragnarok.turn.sequence import tidy
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import (
    Played,
    a,
    face_off,
    first_question,
    marks,
    piece,
    play,
    question_after,
    state,
)


def shot(position: Position, dice: str = "", answers: Iterable[Any] = (), weapon: int = 0, **how: Any) -> Played:
    return play(shoot(position, Shot(0, 1, weapon, **how)), dice, answers, position)


def needed(position: Position, weapon: int = 0, **how: Any) -> int:
    need = to_hit(aiming_of(position, Shot(0, 1, weapon, **how)))
    return need.base - need.modifier


def with_rules(id: str, *names: str, **changes: Any) -> Weapon:
    """A weapon of the arsenal with further keywords."""
    weapon = weapon_named(id)
    more = tuple(Rule(name, int(value or 0)) for name, _, value in (one.partition(" ") for one in names))
    return replace(weapon, rules=weapon.rules + more, **changes)


# ---------------------------------------------------------------- assault, magic-ranged: range


@pytest.mark.covers("weapon-rules/assault")
@pytest.mark.parametrize(("gap", "dice"), [(12.01, "2 3"), (24, "2 3"), (24.01, "")])
def test_an_assault_weapon_has_no_half_range_penalty_but_a_range(gap: float, dice: str) -> None:
    position = face_off(gap, "crucible_captain", "frost_hunter", one={"changes": {"senses": 1}})
    shot(position, dice)
    assert marks(position.model(1), "wounds") == (int(dice != ""),)


@pytest.mark.covers("weapon-rules/magic-ranged", "fire/mod-half-range")
@pytest.mark.parametrize("gap", [25, 25.01, 50])
def test_a_magic_bow_has_no_half_range_penalty(gap: float) -> None:
    assert needed(face_off(gap, "frost_hunter")) == 4


@pytest.mark.covers("weapon-rules/magic-ranged")
def test_a_magic_bow_rolls_no_missed_die_again() -> None:
    assert shot(face_off(20, "frost_hunter"), "2 3").rolls == ["to-hit"]


@pytest.mark.covers("weapon-rules/magic-ranged", "opt-jam/exempt")
@pytest.mark.parametrize(("shooter", "jams"), [("frost_hunter", False), ("steam_rifleman", True)])
def test_a_magic_bow_never_jams(shooter: str, jams: bool) -> None:
    position = face_off(20, shooter, options={"jams": True})
    shot(position, "1 1")
    assert (position.model(0).note("jammed") is not None) == jams


# ---------------------------------------------------------------- piercing


@pytest.mark.covers("weapon-rules/piercing")
@pytest.mark.parametrize(("shooter", "wounds"), [("pathfinder", 1), ("frost_hunter", 0)])
def test_piercing_is_taken_off_the_armour_die(shooter: str, wounds: int) -> None:
    position = face_off(20, shooter, "piston_cuirassier")
    shot(position, "4 5" if shooter == "pathfinder" else "1 4 | 5")
    assert marks(position.model(1), "wounds") == (wounds,)


@pytest.mark.covers("weapon-rules/piercing", "tests/auto-one-six")
@pytest.mark.parametrize(("die", "wounds"), [("5", 1), ("6", 0)])
def test_a_natural_six_saves_against_piercing_too(die: str, wounds: int) -> None:
    position = face_off(20, "pathfinder", "steam_rifleman")
    shot(position, f"4 | {die}")
    assert marks(position.model(1), "wounds") == (wounds,)


@pytest.mark.covers("weapon-rules/piercing", "lethal/condition")
@pytest.mark.parametrize(("die", "fate"), [("1", "removed"), ("2", "up"), ("3", "up")])
def test_the_one_of_a_lethal_hit_is_read_before_piercing(die: str, fate: str) -> None:
    position = face_off(20, "pathfinder", "piston_cuirassier")
    shot(position, f"6 | {die}")
    assert state(position.model(1)) == fate


@pytest.mark.covers("weapon-rules/piercing")
def test_piercing_does_not_touch_shields() -> None:
    position = face_off(20, "pathfinder")
    assert shot(position, "4 | 5").rolls == ["to-hit", "shield-save"]


# ---------------------------------------------------------------- salvo


@pytest.mark.covers("weapon-rules/salvo")
def test_a_salvo_doubles_the_rate_and_is_optional() -> None:
    turret = face_off(20, "anvil_turret")
    weapon = turret.model(0).profile.weapons[0]
    assert doublings(turret.model(0), weapon) == [PLAIN, SALVO]
    assert first_question(shoot(turret, Shot(0, 1, 0, doubling=SALVO))).description()["count"] == 8
    assert first_question(shoot(turret, Shot(0, 1, 0, doubling=PLAIN))).description()["count"] == 4
    fields = fire_fields(turret.model(0), [0, 1])
    assert fields is not None
    assert fields.options() == [PLAIN, SALVO]


@pytest.mark.covers("weapon-rules/salvo")
def test_no_salvo_after_moving_in_this_turn_but_after_turning() -> None:
    position = face_off(20, one={"adds": ["drum_gun"]})
    model = position.model(0)
    drum = model.profile.weapons[2]
    play(move(model, Path((model.at,), 30.0)), position=position)
    assert doublings(model, drum) == [PLAIN, SALVO]
    walk_along(model, Path((model.at, (60.0, 11.0))))
    assert doublings(model, drum) == [PLAIN]
    tidy(model)
    assert doublings(model, drum) == [PLAIN, SALVO]


@pytest.mark.covers("weapon-rules/salvo")
@pytest.mark.parametrize("kind", ["fire", SUPPRESSIVE, REACTION])
def test_after_a_salvo_of_any_kind_the_model_may_only_turn_for_the_rest_of_the_turn(kind: str) -> None:
    position = face_off(20, one={"adds": ["drum_gun"]})
    model = position.model(0)
    assert move_limit(model, False) == 12.0
    shot(position, "2 2 2 2 2 2 2 2", weapon=2, kind=kind, doubling=SALVO)
    assert move_limit(model, False) == 0.0
    refusals = [ACTIONS["charge"].refusal(model), REACTIONS["fall-back"].refusal(model)]
    refusals.append(REACTIONS["countercharge"].refusal(model))
    assert [refusal and refusal.rule for refusal in refusals] == ["weapon-rules/salvo"] * 3
    assert ACTIONS["move"].refusal(model) is None
    assert first_question(countermove(Declaration(model, "countermove", [position.model(1)]))).prompt == "facing"
    tidy(model)
    assert move_limit(model, False) == 12.0
    assert ACTIONS["charge"].refusal(model) is None


@pytest.mark.covers("weapon-rules/salvo", "special/flyer-move")
def test_after_a_salvo_nobody_flies_either() -> None:
    assert move_limit(face_off(20, "iron_raven", one={"salvoed": 1}).model(0), True) == 0.0
    assert move_limit(face_off(20, "iron_raven").model(0), True) == 24.0


@pytest.mark.covers("weapon-rules/salvo")
def test_a_plain_shot_of_the_same_weapon_roots_nobody() -> None:
    position = face_off(20, one={"adds": ["drum_gun"]})
    shot(position, "2 2 2 2", weapon=2)
    assert move_limit(position.model(0), False) == 12.0
    assert ACTIONS["charge"].refusal(position.model(0)) is None
    question = first_question(countermove(Declaration(position.model(0), "countermove", [position.model(1)])))
    assert question.options() == ["move", "turn"]


# ---------------------------------------------------------------- steam


@pytest.mark.covers("weapon-rules/steam")
def test_steam_doubles_the_rate_and_a_one_scalds_the_shooter_after_the_saves_of_the_target() -> None:
    position = face_off(20, "steam_rifleman", "draugr")
    played = shot(position, "1 1 4 3 | 2 | 6 6 1 6", doubling=STEAM)
    assert played.rolls == ["to-hit", "armour-save", *["armour-save"] * 4]
    assert [question.side for question in played.questions] == [0, 1, 0, 0, 0, 0]
    assert marks(position.model(1), "wounds", "morale") == (1, 1)
    assert marks(position.model(0), "wounds", "morale") == (1, 0)


@pytest.mark.covers("weapon-rules/steam")
def test_the_danger_of_steam_exists_only_with_the_doubling_and_a_one() -> None:
    assert shot(face_off(20), "1 1").rolls == ["to-hit"]
    assert shot(face_off(20), "2 2 3 3", doubling=STEAM).rolls == ["to-hit"]
    assert shot(face_off(20, "anvil_turret"), "1 1 1 1 1 1 1 1", doubling=SALVO).rolls == ["to-hit"]


@pytest.mark.covers("weapon-rules/steam", "lethal/condition")
def test_a_steam_accident_is_never_lethal_but_uses_shield_and_armour() -> None:
    position = face_off(20, one={"adds": ["large_shield"], "changes": {"wounds": 5}})
    played = shot(position, "1 3 3 3 | 4 1 | 5 | 4 6 | 5", doubling=STEAM)
    assert played.rolls[1:] == [
        "shield-save",
        "armour-save",
        "shield-save",
        "shield-save",
        "armour-save",
        "shield-save",
    ]
    assert marks(position.model(0), "wounds") == (1,)
    bare = face_off(20, "frost_hunter", one={"adds": ["steam_musket"], "changes": {"wounds": 5}})
    assert shot(bare, "1 3 3 3", weapon=2, doubling=STEAM).rolls == ["to-hit"]
    assert marks(bare.model(0), "wounds") == (4,)


@pytest.mark.covers("weapon-rules/steam", "weapon-rules/piercing", "wounds/one-at-a-time")
def test_a_steam_accident_has_no_piercing_and_wounds_one_by_one() -> None:
    musket = with_rules("steam_musket", "piercing 3")
    position = face_off(20, one={"changes": {"weapons": (musket,), "armour_save": 4}})
    shot(position, "1 3 3 3 | 4 4 4 3", doubling=STEAM)
    assert state(position.model(0)) == "down"
    shot(position, "1 3 3 3 | 4 4 4 3", doubling=STEAM)
    assert state(position.model(0)) == "removed"


@pytest.mark.covers("weapon-rules/steam", "suppressive-fire/effect")
def test_steam_goes_wrong_in_suppressive_fire_too() -> None:
    position = face_off(20)
    played = shot(position, "1 3 3 4 | 3 | 6 6 6 6", kind=SUPPRESSIVE, doubling=STEAM)
    assert played.rolls == ["to-hit", "suppression", *["armour-save"] * 4]
    assert marks(position.model(1), "morale") == (2,)


@pytest.mark.covers("weapon-rules/steam", "abilities/supersteam")
def test_supersteam_takes_the_danger_away() -> None:
    position = face_off(20)
    position.begin(Effect("abilities/supersteam", 0, 0, "turn", 7))
    assert shot(position, "1 1 3 3", doubling=STEAM).rolls == ["to-hit"]


@pytest.mark.covers("weapon-rules/steam", "weapon-rules/salvo")
def test_steam_and_salvo_are_not_combined_in_one_shot() -> None:
    both = with_rules("steam_musket", "salvo")
    position = face_off(20, one={"changes": {"weapons": (both, weapon_named("long_rifle"))}})
    model = position.model(0)
    assert doublings(model, model.profile.weapons[0]) == [PLAIN, SALVO, STEAM]
    assert doublings(model, model.profile.weapons[1]) == [PLAIN]
    for way, count in ((PLAIN, 2), (SALVO, 4), (STEAM, 4)):
        assert first_question(shoot(position, Shot(0, 1, 0, doubling=way))).description()["count"] == count


# ---------------------------------------------------------------- indirect


def mortar(*more: Any, friend_facing: float = 0, **given: Any) -> Position:
    """A mortar behind a workshop, an enemy beyond it, and a friend (row 2) that sees the enemy."""
    friend = a("steam_rifleman", 0, at=(90, 40), facing=friend_facing, **given.pop("friend", {}))
    one = {"changes": {"weapons": (weapon_named("spring_mortar"),)}}
    wall = [piece("workshop", 60, 25)] if given.pop("wall", True) else []
    return face_off(38, "steam_rifleman", "raider", friend, *more, one=one, pieces=wall, **given)


def may_be_shot(position: Position) -> bool:
    weapon = position.model(0).profile.weapons[0]
    return first_refusal(TARGET_RESTRICTIONS, position.model(0), position.model(1), weapon) is None


@pytest.mark.covers("weapon-rules/indirect")
def test_an_indirect_weapon_shoots_at_what_only_a_friend_sees() -> None:
    assert may_be_shot(mortar())
    assert not may_be_shot(mortar(friend_facing=180))
    assert not may_be_shot(mortar(friend={"wounds": 1}))
    assert not may_be_shot(mortar(other={"hidden": 1}))
    rifle = mortar()
    rifle.profiles[0] = a("steam_rifleman").profile
    rifle.forget()
    assert not may_be_shot(rifle)


@pytest.mark.covers("weapon-rules/indirect", "opt-night/indirect")
def test_by_night_the_shooter_of_an_indirect_weapon_must_see_the_target_itself() -> None:
    assert not may_be_shot(mortar(night=1))
    assert may_be_shot(mortar(night=1, wall=False))
    assert shot(mortar(night=1, wall=False), "5 3 | 3").rolls == ["spotting", "to-hit"]
    assert shot(mortar(night=1, wall=False), "4 3").rolls == ["spotting"]


@pytest.mark.covers("weapon-rules/indirect", "fire/mod-obscured", "alert/penalty")
def test_obscured_and_alert_count_only_if_the_shooter_itself_sees_the_target_and_prone_always() -> None:
    assert needed(mortar()) == 4
    assert needed(mortar(other={"alert": 1})) == 4
    assert needed(mortar(other={"prone": 4})) == 5
    low = [piece("low_wall", 60, 45)]
    seen = face_off(38, one={"adds": ["spring_mortar"]}, pieces=low)
    assert needed(seen, weapon=2) == 5
    seen.model(1).mark("alert", 1)
    assert needed(seen, weapon=2) == 6


@pytest.mark.covers("weapon-rules/indirect", "overlap/friend-covers", "overlap/enemy-covers")
def test_models_in_the_way_neither_stop_nor_screen_an_indirect_shot() -> None:
    enemy, friend = a("raider", 1, at=(60, 30), facing=0), a("raider", 0, at=(60, 25))
    position = mortar(enemy, friend, wall=False)
    assert may_be_shot(position)
    assert shot(position, "3").rolls == ["to-hit"]
    rifle = mortar(enemy, friend, wall=False)
    rifle.profiles[0] = a("steam_rifleman").profile
    rifle.forget()
    assert not may_be_shot(rifle)


# ---------------------------------------------------------------- blast


def burst(*more: Any, **given: Any) -> Position:
    """A mortar, and an enemy without armour 40 cm away, its base edge at 1.25 from the centre (60, 52.5)."""
    one = {"changes": {"weapons": (weapon_named("spring_mortar"),)}}
    return face_off(40, "steam_rifleman", "frost_hunter", *more, one=one, **given)


@pytest.mark.covers("weapon-rules/blast", "fire/morale-marker")
@pytest.mark.parametrize(("side", "gap", "hit"), [(1, 4, 1), (1, 4.01, 0), (0, 4, 1), (0, 4.01, 0)])
def test_a_blast_hits_friends_and_enemies_within_its_radius_of_the_centre(side: int, gap: float, hit: int) -> None:
    position = burst(a("frost_hunter", side, at=(60 + 1.25 + gap, 52.5), facing=0))
    shot(position, "4")
    assert marks(position.model(1), "wounds", "morale") == (1, 1)
    assert marks(position.model(2), "wounds", "morale") == (hit, hit)


@pytest.mark.covers("weapon-rules/blast")
def test_a_blast_that_misses_harms_nobody() -> None:
    position = burst(a("frost_hunter", 1, at=(63, 52.5), facing=0))
    shot(position, "3")
    assert [marks(m, "morale") for m in position.models] == [(0,), (0,), (0,)]


@pytest.mark.covers("weapon-rules/blast", "lethal/condition", "lethal/no-armour")
def test_only_the_hit_on_the_model_aimed_at_can_be_lethal() -> None:
    position = burst(a("frost_hunter", 1, at=(63, 52.5), facing=0), a("piston_cuirassier", 1, at=(57, 52.5), facing=0))
    played = shot(position, "6 | 1 | 1")
    assert played.rolls == ["to-hit", "lethal", "armour-save"]
    assert [state(position.model(row)) for row in (1, 2, 3)] == ["removed", "down", "up"]
    assert marks(position.model(3), "wounds") == (1,)


@pytest.mark.covers("weapon-rules/blast", "dice/order")
def test_a_blast_is_saved_by_the_model_aimed_at_then_nearest_first_and_the_active_side_first_when_equal() -> None:
    armed: dict[str, Any] = {"changes": {"armour_save": 4}, "facing": 0}
    position = burst(
        a("steam_rifleman", 1, at=(63.0, 52.5), **armed),
        a("steam_rifleman", 0, at=(57.0, 52.5), **armed),
        a("steam_rifleman", 1, at=(60.0, 49.6), **armed),
    )
    played = shot(position, "4 | 5 5 5")
    assert [question.about.get("model") for question in played.questions[1:]] == [4, 3, 2]
    assert [marks(position.model(row), "morale") for row in (1, 2, 3, 4)] == [(1,)] * 4


@pytest.mark.covers("weapon-rules/blast", "weapon-rules/piercing")
def test_a_blast_has_the_rules_of_the_weapon_for_everybody_it_hits() -> None:
    position = burst(a("piston_cuirassier", 1, at=(63.2, 52.5), facing=0))
    shot(position, "4 | 4")
    assert marks(position.model(2), "wounds") == (1,)


@pytest.mark.covers("weapon-rules/blast", "hide/state")
def test_a_blast_reaches_hidden_and_engaged_models_and_does_not_reveal_them() -> None:
    hidden = a("frost_hunter", 1, at=(63, 52.5), facing=0, hidden=1, changes={"wounds": 3})
    brawler, foe = a("frost_hunter", 1, at=(57, 52.5), facing=0), a("frost_hunter", 0, at=(54.5, 52.5))
    position = burst(hidden, brawler, foe)
    shot(position, "4")
    assert [marks(position.model(row), "wounds") for row in (2, 3)] == [(1,), (1,)]
    assert marks(position.model(2), "hidden") == (1,)


@pytest.mark.covers("weapon-rules/blast", "measuring/three-dimensions")
@pytest.mark.parametrize(("pieces", "hit"), [([], 1), ([piece("hill", 70, 52.5)], 0)])
def test_a_blast_on_a_hill_is_measured_in_space(pieces: list[Any], hit: int) -> None:
    position = burst(a("frost_hunter", 1, at=(60 - 1.25 - 3.9, 52.5), facing=0), pieces=pieces)
    assert (position.model(1).z, position.model(2).z) == (3.0 * len(pieces), 0.0)
    shot(position, "5" if pieces else "4")
    assert marks(position.model(1), "wounds") == (1,)
    assert marks(position.model(2), "wounds") == (hit,)


# ---------------------------------------------------------------- thrown


def axe(gap: float = 20, *more: Any, target: str = "frost_hunter", **given: Any) -> Position:
    """A raider with a throwing axe (its weapon 1) and an enemy."""
    return face_off(gap, "raider", target, *more, **given)


def thrown(position: Position, dice: str = "", answers: Iterable[Any] = (), weapon: int = 1, **how: Any) -> Played:
    given = Shot(0, how.pop("target", -1), weapon, **how)
    return play(throw(position, given), dice, answers, position)


@pytest.mark.covers("weapon-rules/thrown", "dice/order")
def test_a_throw_rolls_to_hit_then_names_its_target_then_rolls_the_distance() -> None:
    position = axe(20, a("frost_hunter", 1, at=(70, 30), facing=0))
    played = thrown(position, "5 | 1 1", [2])
    assert [question.prompt for question in played.questions] == ["to-hit", "throw-at", "throw-distance"]
    assert marks(position.model(2), "wounds", "morale") == (1, 1)
    assert marks(position.model(1), "morale") == (0,)


@pytest.mark.covers("weapon-rules/thrown")
def test_a_throw_that_misses_names_nothing_and_measures_nothing() -> None:
    position = axe(20, a("frost_hunter", 1, at=(70, 30), facing=0))
    assert thrown(position, "4").rolls == ["to-hit"]
    assert marks(position.model(1), "morale") == (0,)


@pytest.mark.covers("weapon-rules/thrown")
@pytest.mark.parametrize(("gap", "wounds"), [(42, 1), (42.01, 0)])
def test_a_throw_reaches_cos_times_ten_and_2d6(gap: float, wounds: int) -> None:
    position = axe(gap)
    thrown(position, "5 | 1 1")
    assert marks(position.model(1), "wounds", "morale") == (wounds, wounds)


@pytest.mark.covers("weapon-rules/thrown", "lethal/no-armour")
def test_the_hit_of_a_throw_is_the_die_rolled() -> None:
    position = axe()
    assert thrown(position, "6 | 3 3 | 1").rolls == ["to-hit", "throw-distance", "lethal"]
    assert state(position.model(1)) == "removed"


@pytest.mark.covers("weapon-rules/thrown", "fire/modifiers")
def test_only_the_modifiers_of_the_thrower_count_for_a_throw() -> None:
    wall = [piece("low_wall", 60, 28)]
    hard = axe(20, other={"alert": 1}, pieces=wall)
    near = axe(5)
    for position in (hard, near, axe(40), axe(20, other={"prone": 4})):
        question = first_question(throw(position, Shot(0, -1, 1)))
        assert question.description()["needed"]["base"] == 5
        assert not question.description()["needed"].get("parts")


@pytest.mark.covers("weapon-rules/thrown", "fire/modifiers", "special/expert", "fatigue/effects", "reaction-fire/basic")
@pytest.mark.parametrize(
    ("how", "given", "dice", "hits"),
    [
        ({}, {}, "4", False),
        ({"is_aimed": True}, {}, "4", True),
        ({"from_hiding": True}, {}, "4", True),
        ({}, {"changes": {"expert": "weapons"}}, "4", True),
        ({}, {"changes": {"expert": "explosives"}}, "4", False),
        ({}, {"fatigue": 1}, "5", False),
        ({"kind": REACTION, "target": 1}, {}, "5", False),
    ],
)
def test_the_throwers_own_modifiers_count(how: dict[str, Any], given: dict[str, Any], dice: str, hits: bool) -> None:
    position = axe(20, one=given)
    thrown(position, dice + " | 1 1" * hits, **how)
    assert marks(position.model(1), "morale") == (int(hits),)


@pytest.mark.covers("weapon-rules/thrown", "overlap/enemy-covers", "overlap/friend-covers")
def test_screens_and_friends_in_the_line_do_not_matter_for_a_throw() -> None:
    screen, friend = a("raider", 1, at=(60, 25), facing=0), a("raider", 0, at=(60, 20))
    position = axe(20, screen, friend)
    assert thrown(position, "5 | 1 1", [1]).rolls == ["to-hit", "throw-distance"]
    assert marks(position.model(1), "wounds") == (1,)


@pytest.mark.covers("weapon-rules/thrown", "vision/engaged-targets")
def test_named_is_only_who_is_in_view_and_in_no_brawl() -> None:
    behind, hidden = a("raider", 1, at=(60, 4), facing=180), a("raider", 1, at=(80, 40), facing=0, hidden=1)
    brawler, friend = a("raider", 1, at=(80, 60), facing=0), a("raider", 0, at=(80, 62.5))
    position = axe(20, behind, hidden, brawler, friend)
    assert [m.row for m in targets_of_throw(position.model(0))] == [1]
    assert play(named_target(position, Shot(0, -1, 1))).value == 1


@pytest.mark.covers("weapon-rules/thrown", "fire/sequence")
def test_an_axe_can_be_thrown_only_if_there_is_somebody_in_view_and_a_bomb_always() -> None:
    position = axe(20, one={"facing": 180, "adds": ["hand_bomb"]})
    model = position.model(0)
    refusal = cannot_shoot(model, 1)
    assert refusal is not None
    assert cannot_shoot(model, 2) is None
    assert play(named_target(position, Shot(0, -1, 1))).value is None
    assert thrown(position, "5").rolls == ["to-hit"]


@pytest.mark.covers("weapon-rules/thrown", "reaction-fire/basic")
def test_a_throw_in_reaction_goes_at_the_acting_model_without_asking() -> None:
    position = axe(20, a("frost_hunter", 1, at=(70, 30), facing=0))
    played = thrown(position, "6 | 1 1 | 2", kind=REACTION, target=1)
    assert played.prompts == []
    assert marks(position.model(1), "wounds") == (1,)


@pytest.mark.covers("weapon-rules/thrown", "weapon-rules/blast")
def test_a_bomb_is_thrown_at_a_model_or_at_a_point_in_view_and_an_axe_only_at_a_model() -> None:
    position = axe(20, one={"adds": ["hand_bomb"]})
    question = question_after(throw(position, Shot(0, -1, 2)), "5")
    assert question.options() == [1, "point"]
    aim = question_after(throw(position, Shot(0, -1, 2)), "5", ["point"])
    assert aim.prompt == "throw-point"
    assert aim.refusal([60, 40]) is None
    assert aim.refusal([60, 40, 90]) is None
    for outside in ([60, 5], [60, 120.5], [-1, 60]):
        refusal = aim.refusal(outside)
        assert refusal is not None
        assert refusal.rule == "weapon-rules/thrown"
    assert thrown(axe(20), "5 | 1 1").prompts == []


@pytest.mark.covers("weapon-rules/thrown", "vision/geometry")
def test_a_point_behind_a_workshop_is_not_in_view() -> None:
    position = axe(40, one={"adds": ["hand_bomb"]}, pieces=[piece("workshop", 60, 25)])
    aim = question_after(throw(position, Shot(0, -1, 2)), "5")
    assert aim.prompt == "throw-point"
    assert aim.refusal([60, 40]) is not None
    assert aim.refusal([60, 15]) is None


@pytest.mark.covers("weapon-rules/thrown", "weapon-rules/blast")
@pytest.mark.parametrize(("y", "reached"), [(53.25, True), (53.27, False)])
def test_a_bomb_at_a_point_hits_who_is_near_if_the_point_is_reached(y: float, reached: bool) -> None:
    position = axe(40, one={"adds": ["hand_bomb"]})
    played = thrown(position, "5 | 1 1", ["point", [60, y]], weapon=2)
    assert played.rolls == ["to-hit", "throw-distance"]
    assert marks(position.model(1), "wounds", "morale") == (int(reached), int(reached))


@pytest.mark.covers("weapon-rules/blast", "weapon-rules/thrown", "lethal/condition")
def test_a_bomb_can_hit_its_thrower_and_at_a_point_it_is_never_lethal() -> None:
    position = axe(3, one={"adds": ["hand_bomb"]})
    played = thrown(position, "6 | 1 1 | 4 1", ["point", [60, 12]], weapon=2)
    assert played.rolls == ["to-hit", "throw-distance", "shield-save", "armour-save"]
    assert [state(position.model(row)) for row in (0, 1)] == ["down", "down"]
    assert marks(position.model(0), "morale") == (1,)


@pytest.mark.covers("weapon-rules/blast", "weapon-rules/thrown")
def test_a_bomb_at_a_model_hits_it_with_the_die_rolled() -> None:
    position = axe(20, one={"adds": ["hand_bomb"]})
    assert thrown(position, "6 | 1 1 | 1", [1], weapon=2).rolls == ["to-hit", "throw-distance", "lethal"]
    assert state(position.model(1)) == "removed"


@pytest.mark.covers("weapon-rules/thrown", "opt-night/spotting", "dice/order")
def test_by_night_a_throw_is_spotted_after_the_to_hit_roll_at_the_target_or_point_named() -> None:
    assert thrown(axe(20, night=1), "5 | 1 1 | 1 1").rolls == ["to-hit", "spotting", "throw-distance"]
    assert thrown(axe(20, night=1), "4").rolls == ["to-hit"]
    far = axe(32.01, night=1)
    assert thrown(far, "5 | 1 1").rolls == ["to-hit", "spotting"]
    assert marks(far.model(1), "morale") == (0,)
    bomb = {"adds": ["hand_bomb"]}
    near = thrown(axe(32.01, one=bomb, night=1), "5 | 1 1 | 1 1", ["point", [60, 43.25]], weapon=2)
    assert near.rolls == ["to-hit", "spotting", "throw-distance"]
    lost = thrown(axe(32.01, one=bomb, night=1), "5 | 1 1", ["point", [60, 43.27]], weapon=2)
    assert lost.rolls == ["to-hit", "spotting"]


@pytest.mark.covers("weapon-rules/thrown", "fire/sequence")
def test_a_throw_is_a_fire_action() -> None:
    position = axe()
    assert fire_fields(position.model(0), [1]) is None
    played = play(carry_out_fire(Declaration(position.model(0), "fire", [1], is_aimed=True)), "4 | 1 1", [], position)
    assert played.rolls == ["to-hit", "throw-distance"]
    assert marks(position.model(1), "wounds") == (1,)


# ---------------------------------------------------------------- one-use, shield-puller


@pytest.mark.covers("weapon-rules/one-use")
@pytest.mark.parametrize("dice", ["4", "5 | 1 1 | 5"])
def test_a_bomb_is_used_up_hit_or_miss(dice: str) -> None:
    position = face_off(20, "raider", "raider", one={"adds": ["hand_bomb"]})
    assert cannot_shoot(position.model(0), 2) is None
    thrown(position, dice, [1] if "|" in dice else [], weapon=2)
    refusal = cannot_shoot(position.model(0), 2)
    assert refusal is not None
    assert refusal.rule == "weapon-rules/one-use"
    assert cannot_shoot(position.model(0), 1) is None


@pytest.mark.covers("weapon-rules/one-use")
def test_of_two_bombs_each_is_used_once_and_an_axe_again_and_again() -> None:
    position = axe(20, one={"adds": ["hand_bomb", "hand_bomb"]})
    thrown(position, "4", weapon=3)
    assert [cannot_shoot(position.model(0), k) is None for k in (1, 2, 3)] == [True, True, False]
    thrown(position, "4", weapon=2)
    thrown(position, "4", weapon=1)
    assert [cannot_shoot(position.model(0), k) is None for k in (1, 2, 3)] == [True, False, False]


@pytest.mark.covers("weapon-rules/one-use")
def test_a_ranged_weapon_of_one_use_is_spent_when_it_shoots_out_of_range_too() -> None:
    once = with_rules("long_rifle", "one_use")
    position = face_off(100, one={"changes": {"weapons": (once,)}})
    shot(position)
    refusal = cannot_shoot(position.model(0), 0)
    assert refusal is not None
    assert refusal.rule == "weapon-rules/one-use"


@pytest.mark.covers("weapon-rules/shield-puller", "weapon-rules/thrown")
def test_an_axe_takes_the_shield_before_the_save_of_that_hit_and_for_good() -> None:
    position = axe(20, target="raider")
    assert thrown(position, "5 | 1 1 | 6").rolls == ["to-hit", "throw-distance", "armour-save"]
    assert marks(position.model(1), "shield-lost", "wounds") == (1, 0)
    assert thrown(position, "5 | 1 1 | 6").rolls == ["to-hit", "throw-distance", "armour-save"]


@pytest.mark.covers("weapon-rules/shield-puller")
def test_an_axe_that_misses_or_falls_short_leaves_the_shield() -> None:
    position = axe(42.01, target="raider")
    thrown(position, "4")
    thrown(position, "5 | 1 1")
    assert marks(position.model(1), "shield-lost") == (0,)
    bare = axe(20, target="frost_hunter")
    thrown(bare, "5 | 1 1")
    assert marks(bare.model(1), "shield-lost") == (0,)


# ---------------------------------------------------------------- melee


def brawl(
    fighter: str = "raider", enemy: str = "raider", *more: Any, one: Any = None, other: Any = None, **given: Any
) -> Position:
    """Two models in contact; the first is going to strike."""
    position = face_off(0, fighter, enemy, *more, one=one, other=other, **given)
    position.now["phase"] = "melee"
    return position


def blows(position: Position, dice: str = "", answers: Iterable[Any] = ()) -> Played:
    return play(strike(position.model(0), [position.model(1)]), dice, answers, position)


def asked(position: Position, *answers: Any) -> dict[str, Any]:
    """How the to-hit dice of the first fighter are asked for."""
    rule = strike(position.model(0), [position.model(1)])
    question = first_question(rule)
    for answer in answers:
        question = rule.send(question.understood(answer))
    description: dict[str, Any] = question.description()
    assert description["kind"] == "roll", description
    return description


def number(position: Position, *answers: Any) -> int:
    """What its dice must show."""
    needed = asked(position, *answers)["needed"]
    return int(needed["base"] - sum(part["value"] for part in needed.get("parts", ())))


@pytest.mark.covers("weapon-rules/unarmed")
def test_without_a_melee_weapon_it_is_one_harder_and_a_pistol_is_none() -> None:
    assert number(brawl("mesmerist")) == 6
    assert number(brawl("mesmerist", one={"adds": ["knife"]})) == 5


@pytest.mark.covers("weapon-rules/unarmed", "weapon-profile/classes")
def test_whoever_has_a_melee_weapon_is_not_asked_whether_it_would_rather_use_its_hands() -> None:
    assert asked(brawl())["about"]["weapon"] == "war_axe"
    assert asked(brawl("mesmerist"))["about"]["weapon"] == "bare_hands"


@pytest.mark.covers("weapon-rules/hand-weapon")
@pytest.mark.parametrize(
    ("adds", "chosen", "dice"),
    [
        ([], [], 1),
        (["knife"], [], 2),
        (["boiler_pistol"], [], 2),
        (["boiler_pistol", "knife", "knife"], [], 2),
        (["great_hammer"], ["knife"], 1),
        (["great_hammer", "boiler_pistol"], ["great_hammer"], 1),
        (["sword"], ["sword"], 2),
        (["sword"], ["knife"], 2),
    ],
)
def test_a_second_hand_weapon_or_a_pistol_gives_one_die_in_all(adds: list[str], chosen: list[str], dice: int) -> None:
    assert asked(brawl("steam_rifleman", one={"adds": adds}), *chosen)["count"] == dice


@pytest.mark.covers("weapon-rules/hand-weapon")
def test_a_jammed_pistol_lends_its_die_too() -> None:
    assert asked(brawl("crucible_captain", one={"notes": {"jammed": (0,)}}))["count"] == 3


@pytest.mark.covers("weapon-rules/parry", "lethal/condition")
def test_a_parry_makes_a_six_a_five_which_is_not_lethal() -> None:
    position = brawl("raider", "crucible_captain")
    played = blows(position, "6 1 | 1", [0])
    assert played.prompts == ["parry"]
    assert played.value == [(1, "wound")]
    assert blows(brawl("raider", "crucible_captain"), "6 1 | 1", ["no"]).value == [(1, "lethal")]


@pytest.mark.covers("weapon-rules/parry")
def test_a_parry_takes_one_off_one_die_that_would_hit() -> None:
    question = question_after(strike(*sides(brawl("raider", "crucible_captain"))), "4 3")
    assert question.prompt == "parry"
    assert question.side == 1
    assert question.options() == ["no", 0]
    assert blows(brawl("raider", "crucible_captain"), "4 4 | 5", [1]).rolls == ["melee-to-hit", "armour-save"]


def sides(position: Position) -> tuple[Any, list[Any]]:
    return position.model(0), [position.model(1)]


@pytest.mark.covers("weapon-rules/parry")
def test_a_six_that_hits_only_as_a_six_is_parried_into_a_miss() -> None:
    assert blows(brawl("raider", "crucible_captain", one={"fatigue": 3}), "6 5", [0]).rolls == ["melee-to-hit"]


@pytest.mark.covers("weapon-rules/parry")
def test_without_a_parrying_weapon_or_a_die_that_hits_nobody_is_asked() -> None:
    assert blows(brawl("raider", "frost_hunter"), "4 4").prompts == []
    assert blows(brawl("raider", "crucible_captain"), "3 3").prompts == []
    fallen = brawl("raider", "crucible_captain", other={"wounds": 2})
    assert blows(fallen, "4 3 | 5").prompts == []


@pytest.mark.covers("weapon-rules/parry", "weapon-rules/hand-weapon")
@pytest.mark.parametrize(
    ("adds", "chosen", "parries"),
    [([], [], True), (["great_hammer"], ["great_hammer"], False), (["knife"], ["knife"], True)],
)
def test_only_the_weapon_chosen_in_the_round_or_combined_with_it_parries(
    adds: list[str], chosen: list[str], parries: bool
) -> None:
    position = brawl("raider", "crucible_captain", other={"adds": adds})
    answers: list[Any] = [[1, 0], *chosen]
    prompts = ["strike-order", *["melee-weapon"] * len(chosen), *["parry"] * parries]
    own = "1 1" if chosen == ["great_hammer"] else "1 1 1"
    played = play(
        fight_round(position, (0, 1)), f"{own} | 4 3 | {'' if parries else '6'}", [*answers, *[0] * parries], position
    )
    assert played.prompts == prompts


@pytest.mark.covers("weapon-rules/parry")
def test_whoever_parries_before_it_strikes_must_strike_with_what_it_parried_with() -> None:
    position = brawl("raider", "crucible_captain", other={"adds": ["great_hammer", "knife"]})
    weapons = question_after(fight_round(position, (0, 1)), "4 3", [[0, 1], 0])
    assert weapons.prompt == "melee-weapon"
    assert weapons.options() == ["sword", "knife"]
    free = brawl("raider", "crucible_captain", other={"adds": ["great_hammer", "knife"]})
    free.model(1).mark("parried", 1)
    weapons = question_after(fight_round(free, (0, 1)), "4 3 | 6", [[0, 1], "no"])
    assert weapons.options() == ["sword", "great_hammer", "knife"]


@pytest.mark.covers("weapon-rules/shield-breaker")
@pytest.mark.parametrize(("dice", "lost"), [("5 1 | 6", 1), ("6 1 | 6", 1), ("4 1 | 5", 0), ("4 4 | 5 5", 0)])
def test_a_five_that_hits_breaks_the_shield_before_the_saves(dice: str, lost: int) -> None:
    position = brawl("piston_cuirassier")
    played = blows(position, dice)
    assert ("shield-save" in played.rolls) == (lost == 0)
    assert marks(position.model(1), "shield-lost") == (lost,)


@pytest.mark.covers("weapon-rules/shield-breaker")
def test_a_five_that_misses_breaks_nothing_and_an_axe_never_does() -> None:
    tired = brawl("piston_cuirassier", one={"fatigue": 2})
    assert blows(tired, "5 5").rolls == ["melee-to-hit"]
    assert marks(tired.model(1), "shield-lost") == (0,)
    axes = brawl("raider")
    assert blows(axes, "5 5 | 5 5").rolls == ["melee-to-hit", "shield-save", "shield-save"]
    assert marks(axes.model(1), "shield-lost") == (0,)


@pytest.mark.covers("weapon-rules/shield-breaker", "weapon-rules/parry")
def test_a_five_that_is_parried_breaks_nothing() -> None:
    position = brawl("piston_cuirassier", "raider", other={"adds": ["sword"]})
    assert blows(position, "5 1 | 5", [0]).rolls == ["melee-to-hit", "shield-save"]


@pytest.mark.covers("weapon-rules/shield-puller")
def test_a_melee_weapon_too_may_pull_shields_away() -> None:
    hook = with_rules("war_axe", "shield_puller")
    position = brawl("raider", "raider", one={"changes": {"weapons": (hook,)}})
    assert blows(position, "4 1 | 6").rolls == ["melee-to-hit", "armour-save"]
    assert marks(position.model(1), "shield-lost") == (1,)


@pytest.mark.covers("weapon-rules/magic-melee", "dice/order")
def test_the_failed_dice_of_a_magic_blade_are_rolled_again_once() -> None:
    position = brawl("barrow_jarl", "frost_hunter")
    played = blows(position, "1 1 3 | 1 2")
    assert played.rolls == ["melee-to-hit"] * 3
    assert played.value == [(1, "wound"), (1, "wound")]


@pytest.mark.covers("weapon-rules/magic-melee")
def test_a_magic_blade_must_be_the_chosen_weapon() -> None:
    position = brawl("barrow_jarl", "frost_hunter", one={"adds": ["knife"]})
    assert blows(position, "1 1 1 1", ["knife"]).rolls == ["melee-to-hit"]


@pytest.mark.covers("weapon-rules/magic-melee", "weapon-rules/parry")
def test_a_parry_comes_after_the_rerolls() -> None:
    position = brawl("barrow_jarl", "crucible_captain")
    played = blows(position, "1 1 1 | 1 6 1 | 4", [1])
    assert [question.prompt for question in played.questions][:5] == [*["melee-to-hit"] * 4, "parry"]


@pytest.mark.covers("weapon-rules/magic-melee", "special/undead-armour")
def test_a_magic_blade_lets_no_armour_roll_of_an_undead_stand_at_its_first_success() -> None:
    position = brawl("barrow_jarl", "draugr")
    played = blows(position, "3 1 1 | 1 1 | 4 3")
    assert played.rolls[3:] == ["armour-save", "armour-save"]
    assert played.value == [(1, "wound")]


# ---------------------------------------------------------------- long


def pikes(*more: Any, onset: tuple[Any, ...] | None = (1, 0, False, False), **given: Any) -> Position:
    """A draugr with a pike, charged by a raider."""
    position = brawl("draugr", "raider", *more, **given)
    position.declare("onsets", (onset,) if onset else None)
    return position


@pytest.mark.covers("weapon-rules/long", "vision/front-rear")
@pytest.mark.parametrize(
    ("onset", "expected"), [((1, 0, False, False), 3), ((1, 0, True, False), 4), ((0, 1, False, False), 4), (None, 4)]
)
def test_a_long_weapon_is_one_easier_when_charged_on_the_front(onset: Any, expected: int) -> None:
    assert number(pikes(onset=onset)) == expected


@pytest.mark.covers("weapon-rules/long")
def test_a_charge_on_the_front_by_one_enemy_is_enough() -> None:
    position = pikes(a("raider", 1, at=(60, 7.2)))
    position.declare("onsets", ((2, 0, True, False), (1, 0, False, False)))
    assert number(position) == 3


@pytest.mark.covers("weapon-rules/long")
def test_the_long_weapon_must_be_the_chosen_one() -> None:
    assert number(pikes(one={"adds": ["sword"]}), "sword") == 4
    assert number(pikes(one={"adds": ["sword"]}), "pike") == 3


@pytest.mark.covers("weapon-rules/long", "control-area/off-when-engaged")
@pytest.mark.parametrize(("gap", "dice"), [(4, 3), (4.01, 2)])
def test_each_comrade_with_the_same_long_weapon_in_its_area_gives_a_die(gap: float, dice: int) -> None:
    assert asked(pikes(a("draugr", 0, at=(60 + 3 + gap, 10))))["count"] == dice


@pytest.mark.covers("weapon-rules/long")
def test_comrades_are_able_friends_with_the_same_weapon_engaged_or_not_and_not_the_model_itself() -> None:
    beside = a("draugr", 0, at=(64, 10))
    assert asked(pikes())["count"] == 2
    assert asked(pikes(beside, a("draugr", 0, at=(56, 10))))["count"] == 4
    assert asked(pikes(a("draugr", 0, at=(64, 10), wounds=2)))["count"] == 2
    assert asked(pikes(a("raider", 0, at=(64, 10))))["count"] == 2
    assert asked(pikes(a("draugr", 1, at=(64, 10))))["count"] == 2
    assert asked(pikes(beside, a("raider", 1, at=(64, 7.25))))["count"] == 3
    assert asked(pikes(beside, onset=(1, 0, True, False)))["count"] == 2
