"""The optional rules of play: jamming, limited ammunition, night, weight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.refusal import Refusal
from campale.rulesets.ragnarok.armies.forces import trooper
from campale.rulesets.ragnarok.basics.night import spots, spots_point
from campale.rulesets.ragnarok.battle.preparation import initiative
from campale.rulesets.ragnarok.shooting.fire import REACTION, SUPPRESSIVE, Shot, shoot
from campale.rulesets.ragnarok.shooting.thrown import throw
from campale.rulesets.ragnarok.shooting.weapon_rules import SALVO, STEAM, ammunition_of
from campale.rulesets.ragnarok.turn.abilities import use_ability
from campale.rulesets.ragnarok.turn.actions import cannot_shoot, carry_out_charge
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import (
    countercharge,
    declared_reactions,
    eligible,
    reaction_fire,
    usable_weapons,
)
from campale.rulesets.ragnarok.turn.sequence import tidy
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import (
    Played,
    a,
    activate,
    face_off,
    first_question,
    marks,
    play,
    refused,
    table,
)

JAMS, AMMUNITION = {"jams": True}, {"ammunition": True}


def shot(position: Position, dice: str = "", answers: Iterable[Any] = (), weapon: int = 0, **how: Any) -> Played:
    return play(shoot(position, Shot(0, 1, weapon, **how)), dice, answers, position)


def why_not(position: Position, weapon: int = 0, row: int = 0) -> str:
    """The rule that keeps a weapon from shooting."""
    refusal = cannot_shoot(position.model(row), weapon)
    return "" if refusal is None else refusal.rule


# ---------------------------------------------------------------- opt-jam/*


@pytest.mark.covers("opt-jam/when", "rounding/up")
@pytest.mark.parametrize(
    ("shooter", "doubling", "dice", "jams"),
    [
        ("pathfinder", "plain", "1", True),
        ("pathfinder", "plain", "2", False),
        ("steam_rifleman", "plain", "1 2", True),
        ("piston_cuirassier", "plain", "1 2 2", True),
        ("piston_cuirassier", "plain", "2 2 2", False),
        ("anvil_turret", "plain", "1 2 2 2", False),
        ("anvil_turret", "plain", "1 1 2 2", True),
        ("anvil_turret", SALVO, "1 1 2 2 2 2 2 2", False),
        ("anvil_turret", SALVO, "1 1 1 2 2 2 2 2", True),
        ("steam_rifleman", STEAM, "1 2 2 2 | 6 6 6 6", False),
        ("steam_rifleman", STEAM, "1 1 2 2 | 6 6 6 6", True),
    ],
)
def test_a_third_of_the_rate_used_in_ones_jams_the_weapon(shooter: str, doubling: str, dice: str, jams: bool) -> None:
    position = face_off(20, shooter, options=JAMS)
    shot(position, dice, doubling=doubling)
    assert why_not(position) == ("opt-jam/when" if jams else "")
    assert position.model(0).note("jammed") == ((0,) if jams else None)


@pytest.mark.covers("opt-jam/when")
def test_without_the_option_nothing_jams() -> None:
    position = face_off(20)
    shot(position, "1 1")
    assert why_not(position) == ""


@pytest.mark.covers("opt-jam/when")
def test_the_hits_of_the_shooting_that_jams_the_weapon_count() -> None:
    position = face_off(20, "steam_rifleman", "frost_hunter", options=JAMS)
    played = shot(position, "1 4")
    assert "jam" in played.kinds
    assert marks(position.model(1), "wounds", "morale") == (1, 1)


@pytest.mark.covers("opt-jam/when", "suppressive-fire/action", "reaction-fire/basic")
@pytest.mark.parametrize("kind", [SUPPRESSIVE, REACTION])
def test_weapons_jam_in_suppressive_and_reaction_fire_too(kind: str) -> None:
    position = face_off(20, options=JAMS)
    shot(position, "1 2", kind=kind)
    assert why_not(position) == "opt-jam/when"


@pytest.mark.covers("opt-jam/when")
def test_a_jammed_weapon_shoots_neither_in_action_nor_in_reaction_and_the_others_do() -> None:
    position = face_off(20, one={"adds": ["boiler_pistol"], "notes": {"jammed": (0,)}}, options=JAMS)
    assert [why_not(position, weapon) for weapon in (0, 2)] == ["opt-jam/when", ""]
    assert usable_weapons(position.model(0)) == [2]
    assert refused(position, 0, "fire", 0, 1) == "opt-jam/when"
    assert refused(position, 0, "suppressive-fire", 0, 1) == "opt-jam/when"
    assert refused(position, 0, "fire", 2, 1) == ""


@pytest.mark.covers("opt-jam/clear", "end-phase/kept")
def test_clearing_a_jam_costs_one_point_and_no_roll_and_frees_one_weapon() -> None:
    position = face_off(20, one={"adds": ["boiler_pistol"], "notes": {"jammed": (0, 2)}}, options=JAMS)
    tidy(position.model(0))
    assert activate(position, [0, "clear-jam", 2]).rolls == []
    assert marks(position.model(0), "charisma") == (2,)
    assert position.model(0).note("jammed") == (0,)
    assert [why_not(position, weapon) for weapon in (0, 2)] == ["opt-jam/when", ""]
    activate(position, [0, "clear-jam", 0])
    assert why_not(position, 0) == ""
    assert refused(position, 0, "clear-jam", 0) == "opt-jam/clear"


@pytest.mark.covers("opt-jam/exempt", "weapon-rules/thrown")
def test_thrown_weapons_do_not_jam_but_their_ones_miss() -> None:
    position = face_off(20, "raider", "frost_hunter", options=JAMS)
    assert play(throw(position, Shot(0, -1, 1)), "1", [], position).rolls == ["to-hit"]
    assert why_not(position, 1) == ""
    assert marks(position.model(1), "morale") == (0,)


# ---------------------------------------------------------------- opt-ammo/*


@pytest.mark.covers("opt-ammo/pool")
def test_the_pool_is_the_car_of_all_with_ranged_or_thrown_weapons_and_the_bonus_of_the_commander() -> None:
    position = table(
        a("crucible_captain", commander=1),  # CAR 4, +3
        a("mesmerist", at=(70, 60)),  # CAR 4, its bonus does not count
        a("pathfinder", at=None, adds=["boiler_pistol"]),  # CAR 4, in reserve, counts once
        a("raider", 1, at=(60, 90)),  # CAR 3, a throwing axe
        a("draugr", 1, at=(70, 90)),  # only a pike
        a("barrow_jarl", 1, at=(80, 90), commander=1),  # only a blade: its bonus of 2
        options=AMMUNITION,
        phase="initiative",
    )
    play(initiative(position), "6 1", ["first"], position)
    assert (position.holds(0, "ammunition"), position.holds(1, "ammunition")) == (4 + 4 + 4 + 3, 3 + 2)
    assert ammunition_of([position.model(4)], None) == 0


@pytest.mark.covers("opt-ammo/pool")
def test_the_pool_does_not_change_with_losses_or_summonings_and_is_not_counted_without_the_option() -> None:
    position = table(a("rune_seer"), a("raider", at=(70, 60)), options=AMMUNITION)
    position.gain(0, "ammunition", 5)
    position.remove(position.model(1), "shot")
    use = Declaration(position.model(0), "ability", ["summoning"])
    play(use_ability(use), "3 3 | 2", ["raider", [[60, 70, 0]]], position)
    assert position.holds(0, "ammunition") == 5
    without = table(a("raider"), a("raider", 1, at=(60, 90)), phase="initiative")
    play(initiative(without), "6 1", ["first"], without)
    assert without.holds(0, "ammunition") == 0


@pytest.mark.covers("opt-ammo/spending")
@pytest.mark.parametrize(
    ("shooter", "how", "dice"),
    [
        ("steam_rifleman", {}, "3 3"),
        ("steam_rifleman", {"kind": SUPPRESSIVE}, "3 3"),
        ("steam_rifleman", {"kind": REACTION}, "3 3"),
        ("steam_rifleman", {"doubling": STEAM}, "3 3 3 3"),
        ("anvil_turret", {"doubling": SALVO}, "3 3 3 3 3 3 3 3"),
    ],
)
def test_every_shooting_takes_one_point_whatever_its_dice(shooter: str, how: dict[str, Any], dice: str) -> None:
    position = face_off(20, shooter, options=AMMUNITION)
    position.gain(0, "ammunition", 2)
    shot(position, dice, **how)
    assert position.holds(0, "ammunition") == 1


@pytest.mark.covers("opt-ammo/spending", "weapon-rules/thrown")
def test_a_throw_takes_one_point_hit_or_miss() -> None:
    position = face_off(20, "raider", "frost_hunter", options=AMMUNITION)
    position.gain(0, "ammunition", 2)
    play(throw(position, Shot(0, -1, 1)), "4", [], position)
    play(throw(position, Shot(0, -1, 1)), "5 | 1 1", [], position)
    assert position.holds(0, "ammunition") == 0


@pytest.mark.covers("opt-ammo/spending")
def test_without_the_option_nothing_is_taken() -> None:
    position = face_off(20)
    shot(position, "3 3")
    assert position.holds(0, "ammunition") == 0
    assert why_not(position) == ""


@pytest.mark.covers("opt-ammo/spending")
def test_at_zero_the_side_declares_no_shot_and_no_throw_and_no_reaction_fire() -> None:
    position = face_off(20, "raider", one={"adds": ["boiler_pistol"]}, options=AMMUNITION)
    assert [why_not(position, weapon) for weapon in (1, 2)] == ["opt-ammo/spending"] * 2
    assert usable_weapons(position.model(0)) == []
    position.gain(1, "ammunition", 5)
    assert why_not(position, 2) == "opt-ammo/spending"
    position.gain(0, "ammunition", 1)
    assert [why_not(position, weapon) for weapon in (1, 2)] == ["", ""]
    assert usable_weapons(position.model(0)) == [1, 2]


@pytest.mark.covers("opt-ammo/spending", "abilities/spear-of-odin")
def test_abilities_take_no_ammunition() -> None:
    position = face_off(20, "rune_seer", "frost_hunter", options=AMMUNITION)
    use = Declaration(position.model(0), "ability", ["spear_of_odin", 1])
    play(use_ability(use), "3 3 | 1", [], position)
    assert position.holds(0, "ammunition") == 0
    assert marks(position.model(1), "wounds") == (1,)


@pytest.mark.covers("opt-ammo/spending", "tactical/lost-reactions")
def test_a_reaction_fire_that_is_lost_takes_no_ammunition() -> None:
    position = face_off(20, options=AMMUNITION)
    position.gain(0, "ammunition", 2)
    reaction = Declaration(position.model(0), "reaction-fire", [position.model(1)])
    played = play(reaction_fire(reaction), "3 3", ["plain"], position)
    assert position.holds(0, "ammunition") == 1
    position.remove(position.model(1), "shot")
    played = play(reaction_fire(reaction), position=position)
    assert "reaction-lost" in played.kinds
    assert position.holds(0, "ammunition") == 1


@pytest.mark.covers("opt-ammo/spending", "opt-night/spotting")
def test_a_shot_at_a_target_not_spotted_takes_neither_ammunition_nor_the_single_use_but_its_charisma() -> None:
    position = face_off(45, options=AMMUNITION, night=1)
    position.gain(0, "ammunition", 2)
    played = activate(position, [0, "fire", 0, 1, "steam"], dice="6 6")
    assert played.rolls == ["spotting"]
    assert position.holds(0, "ammunition") == 2
    assert marks(position.model(0), "charisma") == (2,)


@pytest.mark.covers("opt-ammo/spending", "opt-night/spotting", "weapon-rules/thrown", "weapon-rules/one-use")
@pytest.mark.parametrize(("dice", "rolls"), [("6 | 1 1", 2), ("6 | 1 2 | 1 1", 3)])
def test_what_is_thrown_is_gone_though_its_target_was_not_spotted(dice: str, rolls: int) -> None:
    position = face_off(23, one={"adds": ["hand_bomb"], "changes": {"senses": 2}}, options=AMMUNITION, night=1)
    position.gain(0, "ammunition", 2)
    bomb = next(k for k, one in enumerate(position.profiles[0].weapons) if one.kind == "thrown")
    saves = "" if rolls == 2 else " | 5"
    played = activate(position, [0, "fire", bomb], 1, dice=dice + saves)
    assert played.rolls[:rolls] == ["to-hit", "spotting", "throw-distance"][:rolls]
    assert position.holds(0, "ammunition") == 1
    assert position.model(0).note("spent") == (bomb,)


@pytest.mark.covers("opt-ammo/spending", "weapon-rules/salvo", "opt-night/spotting")
@pytest.mark.parametrize(("gap", "dice", "rooted"), [(45, "1 1", 0), (42, "1 1 | 2 2 2 2 2 2 2 2", 1)])
def test_a_salvo_at_a_target_not_spotted_is_not_shot_and_roots_nobody(gap: float, dice: str, rooted: int) -> None:
    position = face_off(gap, "anvil_turret", night=1)
    shot(position, dice, doubling=SALVO)
    assert marks(position.model(0), "salvoed") == (rooted,)


@pytest.mark.covers("opt-ammo/spending")
@pytest.mark.parametrize(("points", "both", "one"), [(1, False, True), (2, True, True)])
def test_shots_declared_together_are_no_more_than_the_points_left(points: int, both: bool, one: bool) -> None:
    position = table(
        a("raider", at=(60, 60)),
        a("steam_rifleman", 1, at=(60, 90)),
        a("steam_rifleman", 1, at=(70, 90)),
        options=AMMUNITION,
    )
    position.gain(1, "ammunition", points)
    act = Declaration(position.model(0), "aim", [])
    question = first_question(declared_reactions(act, Path(((60.0, 60.0),))))
    assert (question.refusal(["reaction-fire", "reaction-fire"]) is None) == both
    assert (question.refusal(["none", "reaction-fire"]) is None) == one
    assert (question.refusal(["reaction-fire", "none"]) is None) == one


@pytest.mark.covers("opt-ammo/spending", "opt-jam/when", "weapon-profile/classes")
@pytest.mark.parametrize(
    ("jammed", "points", "why"),
    [
        (None, 1, None),
        ((0,), 1, ("opt-jam/when", None, None)),
        (None, 0, ("opt-ammo/spending", 0, 1)),
    ],
)
def test_a_barred_shot_in_reaction_is_refused_with_what_bars_it(jammed: Any, points: int, why: Any) -> None:
    position = table(
        a("raider", at=(60, 60)), a("frost_hunter", 1, at=(60, 90), notes={"jammed": jammed}), options=AMMUNITION
    )
    position.gain(1, "ammunition", points)
    act = Declaration(position.model(0), "aim", [])
    refusal = first_question(declared_reactions(act, Path(((60.0, 60.0),)))).refusal(["reaction-fire"])
    assert (None if refusal is None else (refusal.rule, refusal.measured, refusal.limit)) == why


@pytest.mark.covers("opt-ammo/spending")
def test_a_second_shot_with_one_round_left_is_refused_for_its_ammunition() -> None:
    figures = (a("raider", at=(60, 60)), a("frost_hunter", 1, at=(60, 90)), a("frost_hunter", 1, at=(70, 90)))
    position = table(*figures, options=AMMUNITION)
    position.gain(1, "ammunition", 1)
    act = Declaration(position.model(0), "aim", [])
    refusal = first_question(declared_reactions(act, Path(((60.0, 60.0),)))).refusal(["reaction-fire", "reaction-fire"])
    assert refusal == Refusal("opt-ammo/spending", measured=0, limit=1, model=2)


# ---------------------------------------------------------------- opt-night/*


@pytest.mark.covers("opt-night/choice", "initiative/roll")
@pytest.mark.parametrize(("answer", "night"), [("yes", 1), ("no", 0)])
def test_the_winner_of_the_initiative_says_whether_it_is_night(answer: str, night: int) -> None:
    position = table(a("raider"), a("raider", 1, at=(60, 90)), options={"night": True}, phase="initiative")
    played = play(initiative(position), "1 6", ["second", answer], position)
    assert played.prompts == ["go-first", "night"]
    assert [question.side for question in played.questions[2:]] == [1, 1]
    assert (position.now["night"], position.now["first"]) == (night, 0)


@pytest.mark.covers("opt-night/choice")
def test_without_the_option_nobody_is_asked() -> None:
    position = table(a("raider"), a("raider", 1, at=(60, 90)), phase="initiative")
    assert play(initiative(position), "1 6", ["second"], position).prompts == ["go-first"]
    assert not position.now.get("night")


@pytest.mark.covers("opt-night/spotting")
@pytest.mark.parametrize(("gap", "rolls"), [(32, ["spotting", "to-hit"]), (32.01, ["spotting"])])
def test_by_night_a_target_must_be_within_2d6_and_ten_times_the_senses(gap: float, rolls: list[str]) -> None:
    position = face_off(gap, night=1)
    assert shot(position, "1 1" + " | 3 3" * (len(rolls) - 1)).rolls == rolls
    assert shot(face_off(gap), "3 3").rolls == ["to-hit"]


@pytest.mark.covers("opt-night/spotting", "arsenal/equipment")
@pytest.mark.parametrize(("gap", "seen"), [(42, True), (42.01, False)])
def test_a_lantern_adds_ten_cm_to_the_spotting_distance_of_its_carrier(gap: float, seen: bool) -> None:
    position = face_off(gap, one={"adds": ["lantern"]}, night=1)
    assert play(spots(position.model(0), position.model(1)), "1 1").value is seen
    point = (60.0, 10 + 1.25 + gap)
    assert play(spots_point(position.model(0), point), "1 1").value is seen
    position = face_off(gap, other={"adds": ["lantern"]}, night=1)
    assert play(spots(position.model(0), position.model(1)), "1 1").value is False


@pytest.mark.covers("opt-night/spotting")
def test_by_day_everything_is_spotted_without_dice() -> None:
    position = face_off(100)
    assert play(spots(position.model(0), position.model(1))).value is True
    assert play(spots_point(position.model(0), (60.0, 110.0))).value is True


@pytest.mark.covers("opt-night/spotting", "fire/range", "opt-ammo/spending")
def test_by_night_a_target_out_of_range_is_spotted_first_and_then_missed() -> None:
    position = face_off(60.01, one={"changes": {"senses": 6}}, night=1, options=AMMUNITION)
    position.gain(0, "ammunition", 1)
    played = shot(position, "1 1")
    assert played.rolls == ["spotting"]
    assert "out-of-range" in played.kinds
    assert position.holds(0, "ammunition") == 0


@pytest.mark.covers("opt-night/spotting", "charge/distance")
def test_by_night_a_charge_spots_its_target_first_unless_it_is_in_the_control_area() -> None:
    far = face_off(10, "raider", one={"changes": {"senses": 0}}, night=1)
    act = Declaration(far.model(0), "charge", [1, (((60.0, 20.0),), None)])
    played = play(carry_out_charge(act), "1 1", [], far)
    assert played.rolls == ["spotting"]
    assert far.model(0).at == (60.0, 10.0)
    seen = face_off(7, "raider", night=1)
    act = Declaration(seen.model(0), "charge", [1, (((60.0, 17.0),), None)])
    assert play(carry_out_charge(act), "1 1 | 1 1", [], seen).rolls == ["spotting", "charge-distance"]
    near = face_off(6, "raider", night=1)
    act = Declaration(near.model(0), "charge", [1, (((60.0, 16.0),), None)])
    assert play(carry_out_charge(act), "1 1", [], near).rolls == ["charge-distance"]


@pytest.mark.covers("opt-night/spotting", "countercharge/basic", "reaction-fire/basic")
def test_by_night_one_may_react_to_what_one_sees_but_reaction_fire_and_countercharge_must_spot_it() -> None:
    position = face_off(8, "raider", one={"changes": {"senses": 0}}, night=1)
    path = Path((position.model(1).at,))
    assert [m.row for m, _ in eligible(position.model(1), path)] == [0]
    reaction = Declaration(position.model(0), "countercharge", [position.model(1)])
    played = play(countercharge(reaction), "1 1", [[[[60, 18]], None]], position)
    assert played.rolls == ["spotting"]
    rifle = face_off(45, night=1)
    reaction = Declaration(rifle.model(0), "reaction-fire", [rifle.model(1)])
    assert play(reaction_fire(reaction), "1 1", ["plain"], rifle).rolls == ["spotting"]


# ---------------------------------------------------------------- opt-weight/limit


@pytest.mark.covers("opt-weight/limit")
def test_weapons_and_equipment_weigh_the_basic_ones_too() -> None:
    assert trooper("raider").profile.weight_carried == 0.5 + 0.5 + 1.5
    assert trooper("raider", ("hand_bomb", "lantern")).profile.weight_carried == 2.5 + 0.25 + 0.5
