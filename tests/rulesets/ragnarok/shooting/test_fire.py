"""Fire and Suppressive Fire: whom one may shoot at, the modifiers, the order of the dice, and the exact odds."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from campale.dice import odds
from campale.dice.stages import through
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import first_refusal
from campale.rulesets.ragnarok.shooting import fire
from campale.rulesets.ragnarok.shooting.fire import (
    FIRE,
    REACTION,
    SUPPRESSIVE,
    TARGET_RESTRICTIONS,
    Shot,
    aiming_of,
    shoot,
    to_hit,
)
from campale.rulesets.ragnarok.shooting.weapon_rules import STEAM
from campale.rulesets.ragnarok.turn.actions import (
    carry_out_fire,
    carry_out_suppressive,
    cost,
    fire_fields,
    suppressive_fields,
)
from campale.rulesets.ragnarok.turn.declaring import Declaration
from tests.rulesets.ragnarok.kit import Played, a, face_off, marks, piece, play, state


def needed(position: Position, **shot: Any) -> int:
    """What a die must show for the shot of row 0 at row 1."""
    need = to_hit(aiming_of(position, Shot(0, 1, 0, **shot)))
    return need.base - need.modifier


def question_of(position: Position) -> Question:
    """Which target row 0 is asked for."""
    question = fire_fields(position.model(0), [0])
    assert question is not None
    return question


def shot(position: Position, dice: str = "", answers: Any = (), **how: Any) -> Played:
    return play(shoot(position, Shot(0, 1, 0, **how)), dice, answers, position)


# ---------------------------------------------------------------- fire/sequence, fire/range


@pytest.mark.covers("fire/sequence", "fire/saves", "fire/morale-marker", "profile/hit-numbers")
def test_a_fire_rolls_the_rate_of_fire_on_adt_then_shield_and_armour_of_every_hit() -> None:
    position = face_off(20)
    played = shot(position, "3 4 | 4 5")
    assert played.rolls == ["to-hit", "shield-save", "armour-save"]
    assert played.prompts == []
    assert marks(position.model(1), "wounds", "morale") == (1, 1)


@pytest.mark.covers("fire/sequence")
def test_a_fire_is_carried_out_with_the_weapon_target_and_doubling_that_were_declared() -> None:
    position = face_off(20, "steam_rifleman", "raider", a("raider", 1, at=(70, 30), facing=0))
    played = play(carry_out_fire(Declaration(position.model(0), "fire", [0, 2, "steam"])), "2 2 3 4 | 6", [], position)
    assert played.rolls == ["to-hit", "shield-save"]
    assert position.model(2).marks("morale") == 1
    assert cost(position.model(0), "fire", [0, 2, "steam"]) == 1


@pytest.mark.covers("fire/sequence", "vision/geometry")
@pytest.mark.parametrize(("facing_of_shooter", "in_view"), [(0, True), (180, False)])
def test_the_target_must_be_in_view(facing_of_shooter: float, in_view: bool) -> None:
    position = face_off(20, one={"facing": facing_of_shooter})
    refusal = first_refusal(
        TARGET_RESTRICTIONS, position.model(0), position.model(1), position.model(0).profile.weapons[0]
    )
    assert (refusal is None) == in_view
    assert question_of(position).options() == ([1] if in_view else [])


@pytest.mark.covers("fire/sequence", "hide/state")
def test_a_hidden_model_is_no_target() -> None:
    assert question_of(face_off(20, other={"hidden": 1})).options() == []


@pytest.mark.covers("vision/engaged-targets")
def test_an_engaged_model_is_no_target() -> None:
    position = face_off(20, "steam_rifleman", "raider", a("raider", 0, at=(60, 35)))
    assert question_of(position).options() == []
    position.model(2).move_to(60, 40)
    assert question_of(position).options() == [1]


@pytest.mark.covers("fire/range")
@pytest.mark.parametrize(("gap", "dice", "rolls"), [(60, "1 1", ["to-hit"]), (60.01, "", [])])
def test_beyond_the_range_all_shots_miss_without_dice(gap: float, dice: str, rolls: list[str]) -> None:
    position = face_off(gap)
    played = shot(position, dice)
    assert played.rolls == rolls
    assert ("out-of-range" in played.kinds) == (rolls == [])
    assert marks(position.model(1), "wounds", "morale") == (0, 0)


@pytest.mark.covers("fire/range", "opt-jam/when", "weapon-rules/steam")
def test_out_of_range_there_is_no_screening_die_no_jam_and_no_steam_accident() -> None:
    between = a("raider", 1, at=(60, 20), facing=0)
    position = face_off(60.01, "steam_rifleman", "raider", between, options={"jams": True})
    played = shot(position, "", doubling=STEAM)
    assert played.rolls == []
    assert position.model(0).note("jammed") is None
    assert marks(position.model(0), "wounds") == (0,)


@pytest.mark.covers("fire/range", "opt-ammo/spending")
def test_out_of_range_the_round_is_spent() -> None:
    position = face_off(60.01, options={"ammunition": True})
    position.gain(0, "ammunition", 3)
    shot(position)
    assert position.holds(0, "ammunition") == 2


# ---------------------------------------------------------------- fire/saves, fire/morale-marker


@pytest.mark.covers("fire/saves")
def test_the_saves_are_rolled_hit_by_hit_shield_then_armour() -> None:
    position = face_off(20, "piston_cuirassier")
    played = shot(position, "4 5 6 | 5 | 4 6 | 1 2")
    assert played.rolls == ["to-hit", "shield-save", "shield-save", "armour-save", "shield-save", "armour-save"]
    assert marks(position.model(1), "wounds", "morale") == (1, 1)


@pytest.mark.covers("fire/saves", "equipment-profile/shield-save")
def test_without_shield_or_armour_no_save_is_rolled() -> None:
    bare = shot(face_off(20, "steam_rifleman", "frost_hunter"), "1 4")
    assert bare.rolls == ["to-hit"]
    shieldless = shot(face_off(20, "steam_rifleman", "steam_rifleman"), "1 4 6")
    assert shieldless.rolls == ["to-hit", "armour-save"]
    lost = face_off(20, other={"shield-lost": 1})
    assert shot(lost, "1 4 6").rolls == ["to-hit", "armour-save"]


@pytest.mark.covers("fire/saves", "wounds/one-at-a-time")
def test_all_saves_of_a_volley_are_rolled_even_if_the_target_is_already_down() -> None:
    position = face_off(20, "piston_cuirassier", "frost_hunter")
    shot(position, "4 4 4")
    assert not position.model(1).is_on_table
    again = face_off(20, "piston_cuirassier", "steam_rifleman")
    assert shot(again, "4 4 4 | 2 2 2").rolls == ["to-hit", *["armour-save"] * 3]


@pytest.mark.covers("fire/morale-marker")
def test_one_morale_marker_for_a_fire_that_hits_even_if_every_hit_is_saved() -> None:
    position = face_off(20)
    shot(position, "4 4 | 5 5")
    assert marks(position.model(1), "wounds", "morale", "shaken") == (0, 1, 1)


@pytest.mark.covers("fire/morale-marker")
def test_a_fire_that_misses_brings_no_morale_marker() -> None:
    position = face_off(20)
    shot(position, "3 3")
    assert marks(position.model(1), "morale") == (0,)


@pytest.mark.covers("fire/morale-marker")
def test_a_model_put_out_of_action_gets_its_morale_marker_too() -> None:
    position = face_off(20, "steam_rifleman", "frost_hunter")
    shot(position, "1 4")
    assert state(position.model(1)) == "down"
    assert marks(position.model(1), "morale") == (1,)


# ---------------------------------------------------------------- fire/modifiers


@pytest.mark.covers("fire/mod-half-range", "profile/hit-numbers", "fire/modifiers")
@pytest.mark.parametrize(("gap", "number"), [(30, 4), (30.01, 5)])
def test_beyond_half_range_it_is_one_harder(gap: float, number: int) -> None:
    assert needed(face_off(gap)) == number


@pytest.mark.covers("fire/mod-half-range", "rounding/up")
@pytest.mark.parametrize(("gap", "number"), [(23, 4), (23.01, 5)])
def test_half_of_range_45_is_23(gap: float, number: int) -> None:
    assert needed(face_off(gap, "piston_cuirassier")) == number


@pytest.mark.covers("fire/mod-half-range")
@pytest.mark.parametrize(
    ("glass", "aimed", "kind", "number"),
    [(1, True, FIRE, 3), (0, True, FIRE, 4), (1, False, FIRE, 5), (1, False, REACTION, 6)],
)
def test_after_aim_the_spyglass_takes_the_half_range_penalty_away(
    glass: int, aimed: bool, kind: str, number: int
) -> None:
    position = face_off(40, one={"adds": ["spyglass"] * glass})
    assert needed(position, is_aimed=aimed, kind=kind) == number


@pytest.mark.covers("fire/mod-obscured")
def test_an_obscured_target_is_one_harder_to_hit() -> None:
    assert needed(face_off(20)) == 4
    assert needed(face_off(20, pieces=[piece("low_wall", 60, 28)])) == 5


@pytest.mark.covers("fire/mod-obscured", "overlap/enemy-covers")
def test_a_target_shot_at_past_a_screen_is_obscured() -> None:
    assert needed(face_off(20), is_screened=True) == 5


@pytest.mark.covers("fire/mod-close")
@pytest.mark.parametrize(("gap", "number"), [(9, 3), (9.01, 4)])
def test_within_three_times_the_shooters_senses_it_is_one_easier(gap: float, number: int) -> None:
    assert needed(face_off(gap, "steam_rifleman", "iron_raven")) == number


@pytest.mark.covers("fire/mod-close", "fire/mod-half-range")
def test_close_and_beyond_half_of_a_short_range_cancel_out() -> None:
    short = a("steam_rifleman").profile.weapons[0]
    position = face_off(8, one={"changes": {"weapons": (replace(short, range=12.0),)}})
    assert needed(position) == 4


@pytest.mark.covers("alert/penalty")
@pytest.mark.parametrize(("alert", "wall", "number"), [(0, 0, 4), (1, 0, 4), (0, 1, 5), (1, 1, 6)])
def test_alert_makes_an_obscured_target_harder_still_and_no_other(alert: int, wall: int, number: int) -> None:
    position = face_off(20, other={"alert": alert}, pieces=[piece("low_wall", 60, 28)] * wall)
    assert needed(position) == number


@pytest.mark.covers("prone/fire-penalty")
def test_a_prone_model_is_harder_to_hit() -> None:
    assert needed(face_off(20, other={"prone": 4})) == 5


@pytest.mark.covers("prone/not-cumulative", "prone/fire-penalty", "alert/penalty")
@pytest.mark.parametrize(("wall", "number"), [(0, 5), (1, 6)])
def test_prone_and_alert_do_not_add_up_but_prone_and_obscured_do(wall: int, number: int) -> None:
    position = face_off(20, other={"prone": 4, "alert": 1}, pieces=[piece("low_wall", 60, 22)] * wall)
    assert needed(position) == number
    position = face_off(20, other={"prone": 4}, pieces=[piece("low_wall", 60, 22)] * wall)
    assert needed(position) == number


@pytest.mark.covers("wounds/out-of-action", "prone/fire-penalty")
def test_a_model_out_of_action_is_no_harder_to_hit_even_if_it_lay_prone_before() -> None:
    assert needed(face_off(20, other={"wounds": 1})) == 4
    assert needed(face_off(20, other={"wounds": 1, "prone": 4})) == 4


@pytest.mark.covers("reaction-fire/basic", "fire/modifiers")
def test_reaction_fire_is_one_harder() -> None:
    assert needed(face_off(20), kind=REACTION) == 5


@pytest.mark.covers("aim/bonus", "hide/bonus", "fire/modifiers")
def test_aim_and_hiding_are_one_easier_each() -> None:
    assert needed(face_off(20), is_aimed=True) == 3
    assert needed(face_off(20), from_hiding=True) == 3
    assert needed(face_off(20), is_aimed=True, from_hiding=True) == 2


@pytest.mark.covers("fatigue/effects", "fire/modifiers")
@pytest.mark.parametrize(("fatigue", "number"), [(0, 4), (1, 5), (2, 6)])
def test_each_fatigue_marker_on_the_shooter_is_one_harder(fatigue: int, number: int) -> None:
    assert needed(face_off(20, one={"fatigue": fatigue})) == number
    assert needed(face_off(20, other={"fatigue": fatigue})) == 4


@pytest.mark.covers("special/expert", "fire/modifiers")
@pytest.mark.parametrize(("field", "number"), [("weapons", 3), ("martial_arts", 4), ("explosives", 4), ("mind", 4)])
def test_an_expert_of_weapons_shoots_better(field: str, number: int) -> None:
    assert needed(face_off(20, one={"changes": {"expert": field}})) == number


@pytest.mark.covers("special/expert", "fire/modifiers")
@pytest.mark.parametrize(("field", "number"), [("weapons", 3), ("explosives", 3), ("mechanics", 4)])
def test_with_a_blast_weapon_an_expert_of_explosives_shoots_better_too(field: str, number: int) -> None:
    mortar = {"adds": ["spring_mortar"], "changes": {"expert": field}}
    position = face_off(20, "steam_rifleman", "raider", one=mortar)
    need = to_hit(aiming_of(position, Shot(0, 1, 2)))
    assert need.base - need.modifier == number


@pytest.mark.covers("fire/modifiers", "tests/auto-one-six")
def test_natural_one_and_six_stand_above_all_modifiers() -> None:
    hopeless = face_off(20, "steam_rifleman", "frost_hunter", one={"fatigue": 5})
    shot(hopeless, "5 6 | 2")
    assert marks(hopeless.model(1), "wounds") == (1,)
    certain = face_off(5, "crucible_captain", "frost_hunter", one={"changes": {"expert": "weapons"}})
    shot(certain, "1 1", is_aimed=True)
    assert marks(certain.model(1), "morale") == (0,)


# ---------------------------------------------------------------- overlap: the screening die


SCREEN = [a("raider", 1, at=(60, 20), facing=0)]


@pytest.mark.covers("overlap/enemy-covers")
def test_past_an_enemy_on_four_the_target_chosen_is_shot_at_as_obscured() -> None:
    position = face_off(20, "steam_rifleman", "raider", *SCREEN)
    played = shot(position, "4 | 4 5 | 5")
    assert played.rolls == ["screen", "to-hit", "shield-save"]
    assert marks(position.model(1), "morale") == (1,)
    assert marks(position.model(2), "morale") == (0,)


@pytest.mark.covers("overlap/redirect", "overlap/enemy-covers")
def test_on_three_the_shot_goes_at_the_nearest_of_the_screen_with_the_numbers_of_that_model() -> None:
    screen = [*SCREEN, a("raider", 1, at=(60, 26), facing=0)]
    position = face_off(20, "steam_rifleman", "raider", *screen)
    played = shot(position, "3 | 3 2 | 5")
    assert played.rolls == ["screen", "to-hit", "shield-save"]
    assert [marks(position.model(row), "morale") for row in (1, 2, 3)] == [(0,), (1,), (0,)]


@pytest.mark.covers("overlap/friend-covers")
def test_a_friend_in_the_way_forbids_the_shot_unless_it_is_in_the_shooters_own_area() -> None:
    near = face_off(20, "steam_rifleman", "raider", a("raider", 0, at=(60, 18.4)))
    far = face_off(20, "steam_rifleman", "raider", a("raider", 0, at=(60, 18.6)))
    assert question_of(near).options() == [1]
    refusal = question_of(far).refusal(1)
    assert refusal is not None
    assert refusal.rule == "overlap/friend-covers"


# ---------------------------------------------------------------- suppressive-fire/*


@pytest.mark.covers("suppressive-fire/action", "suppressive-fire/effect")
def test_suppressive_fire_gives_d3_morale_for_each_hit_and_neither_saves_nor_wounds() -> None:
    position = face_off(20)
    declared = Declaration(position.model(0), "suppressive-fire", [0, 1, "plain"])
    played = play(carry_out_suppressive(declared), "6 4 | 5 1", [], position)
    assert played.rolls == ["to-hit", "suppression", "suppression"]
    assert marks(position.model(1), "wounds", "morale", "wounded") == (0, 4, 0)
    assert position.model(1).is_on_table
    assert cost(position.model(0), "suppressive-fire", [0, 1, "plain"]) == 1


@pytest.mark.covers("suppressive-fire/effect")
def test_suppressive_fire_that_misses_does_nothing() -> None:
    position = face_off(20)
    assert shot(position, "3 3", kind=SUPPRESSIVE).rolls == ["to-hit"]
    assert marks(position.model(1), "morale") == (0,)


@pytest.mark.covers("suppressive-fire/action")
@pytest.mark.parametrize(
    ("gap", "given", "number"),
    [(30, {}, 4), (30.01, {}, 5), (20, {"is_aimed": True}, 3), (20, {"from_hiding": True}, 3)],
)
def test_suppressive_fire_has_the_modifiers_of_fire(gap: float, given: dict[str, Any], number: int) -> None:
    assert needed(face_off(gap), kind=SUPPRESSIVE, **given) == number
    assert needed(face_off(gap, other={"prone": 4}), kind=SUPPRESSIVE, **given) == number + 1


@pytest.mark.covers("suppressive-fire/action")
@pytest.mark.parametrize(("gap", "dice"), [(60, "1 1"), (60.01, "")])
def test_suppressive_fire_has_the_range_of_fire(gap: float, dice: str) -> None:
    shot(face_off(gap), dice, kind=SUPPRESSIVE)


@pytest.mark.covers("suppressive-fire/action", "weapon-profile/classes")
def test_suppressive_fire_is_not_made_with_thrown_or_blast_weapons() -> None:
    armed = {"adds": ["hand_bomb", "spring_mortar", "repeating_carbine"]}
    shooter = face_off(20, one=armed).model(0)
    names = [weapon.id for weapon in shooter.profile.weapons]
    fires, suppresses = fire_fields(shooter, []), suppressive_fields(shooter, [])
    assert fires is not None
    assert suppresses is not None
    shooting = [names[k] for k in fires.options() or []]
    assert shooting == ["steam_musket", "hand_bomb", "spring_mortar", "repeating_carbine"]
    assert [names[k] for k in suppresses.options() or []] == ["steam_musket", "repeating_carbine"]


@pytest.mark.covers("suppressive-fire/action", "weapon-rules/salvo")
def test_suppressive_fire_may_double_its_rate() -> None:
    position = face_off(20, "anvil_turret")
    assert len(shot(position, "1 1 1 1 1 1 1 1", kind=SUPPRESSIVE, doubling="salvo").questions) == 1


# ---------------------------------------------------------------- the order of the dice


@pytest.mark.covers("dice/order", "opt-night/spotting", "overlap/enemy-covers", "fire/saves", "special/undead-armour")
def test_by_night_the_dice_are_spotting_screen_to_hit_and_then_the_saves_hit_by_hit() -> None:
    runes = {"adds": ["small_shield"]}
    position = face_off(20, "frost_hunter", "draugr", *SCREEN, other=runes, night=1)
    played = shot(position, "1 1 | 4 | 5 6 | 5 4 1 | 5 1")
    assert played.rolls == [
        "spotting",
        "screen",
        "to-hit",
        *("shield-save", "armour-save", "armour-save"),
        *("shield-save", "armour-save"),
    ]
    assert state(position.model(1)) == "removed"


# ---------------------------------------------------------------- exact odds


def odds_of(position: Position, given: Shot, row: int = 1) -> dict[Any, Fraction]:
    """The distribution of what becomes of a model, from the stages themselves."""
    return odds.exact(
        position,
        lambda p: through(tuple(partial(stage, p) for stage in fire.STAGES), given),
        outcome=lambda p, _: state(p.model(row)),
    ).outcomes


def of_two_dice(wound: Fraction, lethal: Fraction) -> dict[str, Fraction]:
    """What becomes of a model that bears one wound, shot at with two dice."""
    nothing = 1 - wound - lethal
    return {
        "up": nothing**2,
        "down": 2 * wound * nothing,
        "removed": 1 - nothing**2 - 2 * wound * nothing,
    }


@pytest.mark.covers("fire/sequence", "fire/saves", "lethal/condition")
def test_the_odds_of_a_fire_are_those_worked_out_by_hand_the_lethal_hit_included() -> None:
    wound, lethal = Fraction(7, 27), Fraction(1, 54)  # 4+ to hit; shield 5+, armour 6+; a 6 and an armour die of 1
    assert odds_of(face_off(20), Shot(0, 1, 0)) == of_two_dice(wound, lethal)


@pytest.mark.covers("fire/mod-half-range")
def test_the_odds_beyond_half_range() -> None:
    wound = Fraction(1, 6) * Fraction(5, 9) + Fraction(1, 6) * Fraction(4, 9)
    assert odds_of(face_off(40), Shot(0, 1, 0)) == of_two_dice(wound, Fraction(1, 54))


@pytest.mark.covers("fire/range")
def test_the_odds_beyond_the_range() -> None:
    assert odds_of(face_off(60.01), Shot(0, 1, 0)) == {"up": 1}


@pytest.mark.covers("lethal/no-armour")
def test_the_odds_against_a_model_without_armour() -> None:
    wound = Fraction(1, 3) + Fraction(1, 6) * Fraction(5, 6)
    assert odds_of(face_off(20, "steam_rifleman", "frost_hunter"), Shot(0, 1, 0)) == of_two_dice(wound, Fraction(1, 36))


@pytest.mark.covers("weapon-rules/steam")
def test_the_odds_of_a_scalding_shot() -> None:
    accident = 1 - Fraction(5, 6) ** 4
    none, one = Fraction(1, 6) ** 4, 4 * Fraction(5, 6) * Fraction(1, 6) ** 3
    assert odds_of(face_off(20), Shot(0, 1, 0, doubling=STEAM), row=0) == {
        "up": 1 - accident + accident * none,
        "down": accident * one,
        "removed": accident * (1 - none - one),
    }


@pytest.mark.covers("weapon-rules/steam", "lethal/condition")
def test_what_becomes_of_the_target_hangs_on_the_ones_only_through_the_dice_that_miss() -> None:
    wound, lethal = Fraction(7, 27), Fraction(1, 54)
    nothing = 1 - wound - lethal
    up, down = nothing**4, 4 * wound * nothing**3
    expected = {"up": up, "down": down, "removed": 1 - up - down}
    assert odds_of(face_off(20), Shot(0, 1, 0, doubling=STEAM)) == expected


@pytest.mark.covers("fire/morale-marker", "fire/sequence")
def test_the_odds_of_a_whole_shooting_are_those_of_its_stages() -> None:
    found = odds.exact(
        face_off(20),
        lambda p: shoot(p, Shot(0, 1, 0)),
        outcome=lambda p, _: (state(p.model(1)), p.model(1).marks("morale")),
    )
    assert found.of(lambda one: one[0]).outcomes == of_two_dice(Fraction(7, 27), Fraction(1, 54))
    assert found.of(lambda one: one[1]).outcomes == {0: Fraction(1, 4), 1: Fraction(3, 4)}


@pytest.mark.covers("suppressive-fire/effect")
def test_the_odds_of_suppressive_fire() -> None:
    found = odds.exact(
        face_off(20),
        lambda p: shoot(p, Shot(0, 1, 0, SUPPRESSIVE)),
        outcome=lambda p, _: p.model(1).marks("morale"),
    )
    assert found.mean == 2 * Fraction(1, 2) * 2
    assert found[0] == Fraction(1, 4)
    assert found[6] == Fraction(1, 36)


@pytest.mark.covers("overlap/redirect", "fire/saves")
def test_the_odds_past_a_screen() -> None:
    through_it = of_two_dice(Fraction(1, 6) * Fraction(5, 9) + Fraction(1, 6) * Fraction(4, 9), Fraction(1, 54))
    found = odds_of(face_off(20, "steam_rifleman", "raider", *SCREEN), Shot(0, 1, 0))
    assert found == {
        "up": Fraction(1, 2) + through_it["up"] / 2,
        "down": through_it["down"] / 2,
        "removed": through_it["removed"] / 2,
    }


@pytest.mark.covers("special/bodyguard")
def test_the_odds_ask_a_bodyguard_once_and_no_branch_uses_it_up_for_another() -> None:
    guard = a("piston_cuirassier", 1, at=(70, 30), notes={"ward": 1}, facing=0, changes={"armour_save": None})
    position = face_off(20, "steam_rifleman", "frost_hunter", guard)

    def send_it(question: Any) -> Any:
        return question.options()[-1]

    found = odds.exact(
        position,
        lambda p: through(tuple(partial(stage, p) for stage in fire.STAGES), Shot(0, 1, 0)),
        send_it,
        lambda p, _: (p.model(1).marks("wounds"), p.model(2).marks("wounds"), p.model(2).marks("guarded")),
    )
    one_hit = 2 * Fraction(1, 2) * Fraction(1, 2)
    unhurt = Fraction(1, 4)
    assert found[0, 0, 0] == unhurt
    assert found[0, 1, 1] + found[0, 0, 1] == one_hit + Fraction(1, 4) - found[1, 1, 1] - found[1, 0, 1]
    assert found.of(lambda one: one[2]).outcomes == {0: unhurt, 1: 1 - unhurt}


@pytest.mark.covers("fire/saves", "weapon-rules/salvo")
def test_the_odds_of_eight_dice_are_told_and_add_up_to_one() -> None:
    found = odds_of(face_off(20, "anvil_turret", "piston_cuirassier"), Shot(0, 1, 0, doubling="salvo"))
    wound = Fraction(1, 3) * Fraction(2, 3) + Fraction(1, 6) * Fraction(1, 2)  # 4+; armour 4+ less 1: 5+
    lethal = Fraction(1, 36)
    nothing = 1 - wound - lethal
    assert sum(found.values()) == 1
    assert found["up"] == nothing**8 + 8 * wound * nothing**7
