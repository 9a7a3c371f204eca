"""The Ability action and the abilities; experts, mages, bodyguards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from campale.referee.position import GONE, Model, Position
from campale.referee.refusal import Refusal
from campale.rulesets.ragnarok.basics.special import is_psionic_or_mage
from campale.rulesets.ragnarok.close_combat.charge import charge_dice
from campale.rulesets.ragnarok.close_combat.melee import Attack, number_of_dice, strike
from campale.rulesets.ragnarok.morale.bodyguard import choose_wards, guards, redirected, taker_of
from campale.rulesets.ragnarok.morale.psychology import losses
from campale.rulesets.ragnarok.shooting.fire import SUPPRESSIVE, Shot, aiming_of, shoot, to_hit
from campale.rulesets.ragnarok.shooting.thrown import throw
from campale.rulesets.ragnarok.shooting.weapon_rules import reach
from campale.rulesets.ragnarok.turn.abilities import (
    ABILITIES,
    Ability,
    cannot_use,
    duelling,
    furious_charge,
    is_closed_to,
    rallying_call,
    spear_targets,
    summoning,
    supersteam,
    suppressed_friends,
    use_ability,
)
from campale.rulesets.ragnarok.turn.abilities import reach as ability_reach
from campale.rulesets.ragnarok.turn.actions import cost
from campale.rulesets.ragnarok.turn.commander import is_left
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import REACTIONS
from campale.rulesets.ragnarok.turn.sequence import tidy
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.terrain import Piece, rectangle
from tests.rulesets.ragnarok.kit import (
    Played,
    a,
    activate,
    face_off,
    first_question,
    marks,
    piece,
    play,
    question_after,
    refused,
    state,
    table,
)


def use(position: Position, *named: Any, dice: str = "", answers: Iterable[Any] = (), **given: Any) -> Played:
    """Row 0 uses an ability; what it names follows."""
    act = Declaration(position.model(0), "ability", list(named), **given)
    return play(use_ability(act), dice, answers, position)


def why_not(position: Position, ability: str, target: int) -> Refusal | None:
    """Why row 0 may not name a target for an ability."""
    refusal: Refusal | None = first_question(tactical_phase(position)).refusal([0, "ability", ability, target])
    return refusal


# ---------------------------------------------------------------- ability-action/cost, abilities/general


@pytest.mark.covers("ability-action/cost", "abilities/general")
def test_an_ability_costs_one_point_or_its_own_cost_and_needs_a_test() -> None:
    seer = face_off(20, "rune_seer")
    assert cost(seer.model(0), "ability", ["spear_of_odin", 1]) == 1
    assert cost(seer.model(0), "ability", ["summoning"]) == 2
    assert {name: one.cost for name, one in ABILITIES.items() if one.cost != 1} == {"summoning": 2}
    assert use(seer, "spear_of_odin", 1, dice="1 3").rolls == ["ability-test"]
    assert marks(seer.model(0), "barred-ability") == (1,)


@pytest.mark.covers("ability-action/cost", "tactical/charisma-limit")
@pytest.mark.parametrize(("charisma", "open_to"), [(1, ["spear_of_odin"]), (2, ["spear_of_odin", "summoning"])])
def test_an_ability_that_is_too_dear_is_not_offered(charisma: int, open_to: list[str]) -> None:
    position = face_off(20, "rune_seer")
    position.model(0).mark("charisma", charisma)
    found = [
        name for name in ABILITIES if refused(position, 0, "ability", name, *[1] * (name == "spear_of_odin")) == ""
    ]
    assert found == open_to


@pytest.mark.covers("ability-action/cost", "tactical/sequence")
def test_the_target_of_an_ability_is_named_with_the_declaration_and_the_points_are_paid() -> None:
    position = face_off(20, "rune_seer")
    assert refused(position, 0, "ability", "spear_of_odin") != ""
    played = activate(position, [0, "ability", "spear_of_odin", 1], dice="3 3 | 1 | 5")
    assert played.rolls == ["ability-test", "spear", "shield-save"]
    assert marks(position.model(0), "charisma") == (4,)


@pytest.mark.covers("ability-action/cost", "abilities/spear-of-odin")
def test_an_ability_that_can_name_nobody_is_not_offered() -> None:
    nobody = face_off(50.01, "rune_seer")
    assert refused(nobody, 0, "ability", "spear_of_odin", 1) != ""
    assert refused(nobody, 0, "ability", "summoning") == ""
    captain = table(a("crucible_captain"))
    assert refused(captain, 0, "ability", "rallying_call", 0) != ""
    without = table(a("raider"))
    assert refused(without, 0, "ability", "supersteam") == "ability-action/cost"


@pytest.mark.covers("abilities/general")
@pytest.mark.parametrize(("gap", "reached"), [(40, True), (40.01, False)])
def test_an_ability_reaches_friends_within_ten_times_the_users_own_senses(gap: float, reached: bool) -> None:
    position = table(a("crucible_captain", at=(60, 10)), a("pathfinder", at=(60, 12.5 + gap)))
    assert ability_reach(position.model(0)) == 40
    play(furious_charge(position.model(0), None), position=position)
    assert bool(position.effects_on(position.model(1), "abilities/furious-charge")) == reached


@pytest.mark.covers("abilities/general", "out-of-action/state")
def test_an_ability_reaches_the_user_itself_and_fallen_friends_but_no_enemy_and_stays_with_who_moves_away() -> None:
    position = table(
        a("barrow_jarl", at=(60, 10)), a("raider", at=(60, 20), wounds=1), a("raider", 1, at=(60, 30), facing=0)
    )
    play(furious_charge(position.model(0), None), position=position)
    position.model(1).move_to(60, 110)
    held = [bool(position.effects_on(m, "abilities/furious-charge")) for m in position.models]
    assert held == [True, True, False]
    position.end_effects("turn")
    assert position.effects == []


@pytest.mark.covers("abilities/general", "mental-duel/timing")
def test_only_magic_and_psionics_can_be_blocked() -> None:
    duellist = a("mesmerist", 1, at=(60, 60))
    jarl = table(a("barrow_jarl", at=(60, 20)), duellist)
    reactors = ((jarl.model(1), "mental-duel"),)
    assert use(jarl, "furious_charge", dice="3 3", reactors=reactors).rolls == ["ability-test"]
    seer = table(a("rune_seer", at=(60, 20)), duellist)
    blocked = use(seer, "spear_of_odin", 1, dice="3 3 | 1 6", reactors=((seer.model(1), "mental-duel"),))
    assert blocked.rolls == ["ability-test", "mental-duel", "mental-duel"]
    assert "blocked" in blocked.kinds
    assert marks(seer.model(0), "barred-ability") == (0,)


# ---------------------------------------------------------------- abilities/rallying-call


@pytest.mark.covers("abilities/rallying-call")
def test_a_rallying_call_takes_the_suppression_off_one_model() -> None:
    other = a("pathfinder", at=(60, 30), suppressed=1)
    position = table(a("crucible_captain", at=(60, 10)), other, a("pathfinder", at=(70, 30), suppressed=1))
    use(position, "rallying_call", 1, dice="3 3")
    assert [marks(position.model(row), "suppressed") for row in (1, 2)] == [(0,), (1,)]


@pytest.mark.covers("abilities/rallying-call")
@pytest.mark.parametrize(("gap", "found"), [(40, [1]), (40.01, [])])
def test_a_rallying_call_reaches_suppressed_friends_without_sight(gap: float, found: list[int]) -> None:
    position = table(
        a("crucible_captain", at=(60, 10), facing=180),
        a("pathfinder", at=(60, 12.5 + gap), suppressed=1, hidden=1),
        a("pathfinder", at=(70, 10)),
        a("raider", 1, at=(50, 10), suppressed=1),
    )
    assert [m.row for m in suppressed_friends(position.model(0))] == found


@pytest.mark.covers("abilities/rallying-call", "suppression/effect")
def test_the_user_may_rally_itself_at_the_doubled_cost() -> None:
    position = table(a("crucible_captain", suppressed=1))
    activate(position, [0, "ability", "rallying_call", 0], dice="3 3")
    assert marks(position.model(0), "suppressed", "charisma") == (0, 2)
    play(rallying_call(position.model(0), None), position=position)


@pytest.mark.covers("abilities/rallying-call")
def test_who_cannot_be_rallied_is_refused_with_the_reason() -> None:
    friends = a("pathfinder", at=(60, 52.51), suppressed=1), a("pathfinder", at=(70, 10))
    position = table(a("crucible_captain", at=(60, 10), suppressed=1), *friends)
    assert why_not(position, "rallying_call", 0) is None
    assert why_not(position, "rallying_call", 1) == Refusal("abilities/rallying-call", (60, 52.51), 40.01, 40, 1)
    assert why_not(position, "rallying_call", 2) == Refusal("abilities/rallying-call", model=2, word="not-suppressed")


# ---------------------------------------------------------------- abilities/furious-charge


@pytest.mark.covers("abilities/furious-charge")
def test_a_furious_model_has_one_die_more_in_any_melee_of_the_turn_and_twice_does_not_add_up() -> None:
    position = face_off(0, "barrow_jarl")
    one, other = position.model(0), position.model(1)
    attack = Attack(one, other, one.profile.melee_weapons[0], [])
    assert play(number_of_dice(attack)).value == 3
    play(furious_charge(one, None), position=position)
    assert play(number_of_dice(attack)).value == 4
    play(furious_charge(one, None), position=position)
    assert play(number_of_dice(attack)).value == 4
    assert len(position.effects) == 1
    position.end_effects("turn")
    assert play(number_of_dice(attack)).value == 3


@pytest.mark.covers("abilities/furious-charge", "charge/distance")
def test_a_furious_model_may_roll_its_charge_again_once_and_the_second_total_stands() -> None:
    position = table(a("barrow_jarl"))
    assert play(charge_dice(position.model(0)), "1 1").value == 2
    play(furious_charge(position.model(0), None), position=position)
    assert play(charge_dice(position.model(0)), "3 3 | 1 2", ["yes"]).value == 3
    kept = play(charge_dice(position.model(0)), "3 3", ["no"])
    assert (kept.value, kept.prompts) == (6, ["repeat-charge"])


# ---------------------------------------------------------------- abilities/supersteam


@pytest.mark.covers("abilities/supersteam", "fire/range")
def test_supersteam_adds_one_2d6_to_the_range_of_all_ranged_weapons_of_those_in_reach() -> None:
    more = a("pathfinder", at=(60, 30)), a("steam_rifleman", at=(60, 110)), a("anvil_turret", at=(70, 10))
    position = table(a("crucible_captain", at=(60, 10)), *more)
    played = use(position, "supersteam", dice="3 3 | 4 3")
    assert played.rolls == ["ability-test", "supersteam"]
    reaches = [reach(m, m.profile.ranged_weapons[0]) for m in position.models]
    assert reaches == [24 + 7, 90 + 7, 60, 70 + 7]


@pytest.mark.covers("abilities/supersteam", "fire/mod-half-range", "rounding/up")
@pytest.mark.parametrize(("gap", "number"), [(34, 4), (34.01, 5)])
def test_half_range_is_half_of_the_longer_range(gap: float, number: int) -> None:
    position = face_off(gap)
    play(supersteam(position.model(0), None), "3 4", [], position)
    need = to_hit(aiming_of(position, Shot(0, 1, 0)))
    assert need.base - need.modifier == number


@pytest.mark.covers("abilities/supersteam", "fire/range")
@pytest.mark.parametrize(("gap", "dice"), [(67, "1 1"), (67.01, "")])
def test_the_longer_range_is_a_limit_too(gap: float, dice: str) -> None:
    position = face_off(gap)
    play(supersteam(position.model(0), None), "3 4", [], position)
    play(shoot(position, Shot(0, 1, 0)), dice, [], position)


@pytest.mark.covers("abilities/supersteam")
def test_of_two_supersteams_the_better_is_kept_and_all_is_over_with_the_turn() -> None:
    position = face_off(20)
    model, musket = position.model(0), position.model(0).profile.weapons[0]
    for dice, expected in (("2 2", 64), ("6 5", 71), ("1 1", 71)):
        play(supersteam(model, None), dice, [], position)
        assert reach(model, musket) == expected
    position.end_effects("turn")
    assert reach(model, musket) == 60


@pytest.mark.covers("abilities/supersteam", "opt-jam/when")
def test_under_supersteam_weapons_still_jam_and_only_steam_weapons_double() -> None:
    position = face_off(20, options={"jams": True})
    play(supersteam(position.model(0), None), "3 4", [], position)
    played = play(shoot(position, Shot(0, 1, 0, doubling="steam")), "1 1 2 2", [], position)
    assert played.rolls == ["to-hit"]
    assert position.model(0).note("jammed") == (0,)


# ---------------------------------------------------------------- abilities/spear-of-odin


@pytest.mark.covers("abilities/spear-of-odin")
def test_a_spear_hits_d3_times_each_with_shield_and_armour_never_lethal_and_without_a_morale_marker() -> None:
    position = face_off(20, "rune_seer", "raider", other={"changes": {"wounds": 3}})
    played = use(position, "spear_of_odin", 1, dice="3 3 | 5 | 4 1 | 5 | 4 2")
    both = ["shield-save", "armour-save"]
    assert played.rolls == ["ability-test", "spear", *both, "shield-save", *both]
    assert [question.side for question in played.questions] == [0, 0, 1, 1, 1, 1, 1]
    assert marks(position.model(1), "wounds", "morale", "wounded") == (2, 0, 1)


@pytest.mark.covers("abilities/spear-of-odin", "out-of-action/further-wound")
def test_a_spear_wounds_one_by_one_and_rolls_nothing_for_who_has_no_armour() -> None:
    position = face_off(20, "rune_seer", "frost_hunter")
    assert use(position, "spear_of_odin", 1, dice="3 3 | 3").rolls == ["ability-test", "spear"]
    assert state(position.model(1)) == "removed"
    assert [loss.by for loss in position.losses] == [0]


@pytest.mark.covers("abilities/spear-of-odin")
@pytest.mark.parametrize(("gap", "found"), [(50, [1]), (50.01, [])])
def test_a_spear_reaches_enemies_within_ten_times_the_senses(gap: float, found: list[int]) -> None:
    assert [m.row for m in spear_targets(face_off(gap, "rune_seer").model(0))] == found


@pytest.mark.covers("abilities/spear-of-odin", "overlap/friend-covers", "vision/geometry")
def test_a_spear_needs_sight_and_no_friend_in_the_way() -> None:
    assert spear_targets(face_off(20, "rune_seer", one={"facing": 180}).model(0)) == []
    assert spear_targets(face_off(20, "rune_seer", other={"hidden": 1}).model(0)) == []
    assert spear_targets(face_off(30, "rune_seer", pieces=[piece("workshop", 60, 27)]).model(0)) == []
    friend = face_off(30, "rune_seer", "raider", a("raider", 0, at=(60, 30)))
    assert spear_targets(friend.model(0)) == []
    near = face_off(30, "rune_seer", "raider", a("raider", 0, at=(60, 20)))
    assert [m.row for m in spear_targets(near.model(0))] == [1]


@pytest.mark.covers("abilities/spear-of-odin", "overlap/friend-covers", "vision/geometry")
def test_who_cannot_be_struck_by_a_spear_is_refused_with_the_reason() -> None:
    """One enemy behind a friend, one too far away, one behind the seer's back, and one to be struck."""
    enemies = [a("raider", 1, at=at, facing=0) for at in ((60, 60), (60, 92.51), (60, 10), (80, 60))]
    position = table(a("rune_seer", at=(60, 40)), a("raider", at=(60, 53)), *enemies)
    assert why_not(position, "spear_of_odin", 2) == Refusal("overlap/friend-covers", (60, 53), model=1)
    assert why_not(position, "spear_of_odin", 3) == Refusal("abilities/spear-of-odin", (60, 92.51), 50.01, 50, 3)
    assert why_not(position, "spear_of_odin", 4) == Refusal(
        "abilities/spear-of-odin", (60, 10), model=4, word="out-of-sight"
    )
    assert why_not(position, "spear_of_odin", 5) is None


@pytest.mark.covers("abilities/spear-of-odin", "vision/engaged-targets", "out-of-action/state")
def test_a_spear_may_be_hurled_at_who_is_engaged_or_out_of_action() -> None:
    position = face_off(20, "rune_seer", "raider", a("raider", 0, at=(62.5, 32.5)))
    position.model(2).move_to(60, 35)
    assert [m.row for m in spear_targets(position.model(0))] == [1]
    fallen = face_off(20, "rune_seer", "frost_hunter", other={"wounds": 1})
    use(fallen, "spear_of_odin", 1, dice="3 3 | 1")
    assert state(fallen.model(1)) == "removed"


@pytest.mark.covers("abilities/spear-of-odin", "overlap/enemy-covers", "overlap/redirect", "dice/order")
@pytest.mark.parametrize(("die", "struck"), [("4", 1), ("3", 2)])
def test_enemies_in_the_way_of_a_spear_call_for_the_screening_die_after_the_test(die: str, struck: int) -> None:
    position = face_off(20, "rune_seer", "frost_hunter", a("frost_hunter", 1, at=(60, 20), facing=0))
    played = use(position, "spear_of_odin", 1, dice=f"3 3 | {die} | 1")
    assert played.rolls == ["ability-test", "screen", "spear"]
    assert [row for row in (1, 2) if position.model(row).marks("wounds")] == [struck]


@pytest.mark.covers("abilities/spear-of-odin", "opt-night/spotting", "dice/order")
def test_by_night_a_spear_calls_for_spotting_before_the_test_and_the_other_abilities_do_not() -> None:
    position = face_off(45, "rune_seer", "frost_hunter", one={"changes": {"senses": 4}}, night=1)
    assert use(position, "spear_of_odin", 1, dice="1 3").rolls == ["spotting"]
    assert marks(position.model(0), "barred-ability") == (0,)
    assert use(position, "spear_of_odin", 1, dice="2 3 | 3 3 | 1").rolls == ["spotting", "ability-test", "spear"]
    jarl = table(a("barrow_jarl"), night=1)
    assert use(jarl, "furious_charge", dice="3 3").rolls == ["ability-test"]


@pytest.mark.covers("abilities/spear-of-odin", "special/undead-armour")
def test_against_a_spear_an_undeads_first_success_is_rolled_again() -> None:
    position = face_off(20, "rune_seer", "draugr")
    played = use(position, "spear_of_odin", 1, dice="3 3 | 1 | 4 1")
    assert played.rolls == ["ability-test", "spear", "armour-save", "armour-save"]
    assert marks(position.model(1), "wounds") == (1,)


# ---------------------------------------------------------------- abilities/summoning


def summoned(die: str, *answers: Any, position: Position | None = None) -> tuple[Played, Model | None]:
    position = position or table(a("rune_seer", at=(60, 60)), a("raider", 1, at=(60, 100), facing=0))
    before = len(position.names)
    played = use(position, "summoning", dice=f"6 6 | {die}", answers=answers)
    return played, position.model(before) if len(position.names) > before else None


@pytest.mark.covers("abilities/summoning")
def test_on_one_the_magic_of_summoning_fails() -> None:
    played, model = summoned("1")
    assert played.rolls == ["ability-test", "summoning"]
    assert played.prompts == []
    assert model is None


@pytest.mark.covers("abilities/summoning", "models/factions")
@pytest.mark.parametrize("die", ["2", "5"])
def test_from_two_to_five_any_infantry_of_the_mages_list_may_be_summoned(die: str) -> None:
    position = table(a("rune_seer", at=(60, 60)))
    act = Declaration(position.model(0), "ability", ["summoning"])
    question = question_after(use_ability(act), f"3 3 {die}")
    assert question.options() == ["raider", "frost_hunter"]
    played, model = summoned(die, "frost_hunter", [[60, 70, 45]])
    assert played.prompts == ["summon", "summon-at"]
    assert model is not None
    assert (model.profile.id, model.at, model.facing, model.side) == ("frost_hunter", (60.0, 70.0), 45.0, 0)
    assert [weapon.id for weapon in model.profile.weapons] == ["rune_bow", "knife"]


@pytest.mark.covers("abilities/summoning")
def test_on_six_heavy_infantry_comes() -> None:
    played, model = summoned("6", [[60, 70, 0]])
    assert model is not None
    assert model.profile.id == "draugr"
    assert played.prompts == ["summon-at"]


@pytest.mark.covers("abilities/summoning", "exploration/points")
def test_the_die_of_summoning_is_an_amount_that_points_bend_within_the_table() -> None:
    position = table(a("rune_seer", at=(60, 60)))
    position.gain(0, "exploration", 2)
    played, model = summoned("5", (0, 2), [[60, 70, 0]], position=position)
    assert model is not None
    assert model.profile.id == "draugr"
    position = table(a("rune_seer", at=(60, 60)))
    position.gain(1, "exploration", 2)
    played, model = summoned("2", (0, -2), position=position)
    assert model is None
    assert played.prompts == ["exploration-points"]


@pytest.mark.covers("abilities/summoning", "command-test/when")
def test_who_is_summoned_has_its_full_charisma_may_act_and_counts_neither_as_strength_nor_as_a_loss() -> None:
    position = table(a("rune_seer", at=(60, 60)))
    strength = position.holds(0, "strength")
    _, model = summoned("6", [[60, 70, 0]], position=position)
    assert model is not None
    assert marks(model, "charisma") == (2,)
    assert refused(position, model.row, "recover") == ""
    assert position.holds(0, "strength") == strength
    position.remove(model, "shot")
    assert losses(position, 0) == 0


@pytest.mark.covers("abilities/summoning", "move/one-cm", "battlefield/terrain-classes")
@pytest.mark.parametrize(
    ("place", "allowed"),
    [
        ((60, 112.5), True),
        ((60, 112.52), False),
        ((90, 60.01), True),
        ((90, 59.9), False),
        ((60, 61), False),
        ((30, 60), False),
        ((30, 68), True),
        ((50, 50), True),
    ],
)
def test_a_summoned_model_is_placed_in_reach_on_passable_ground_and_one_cm_from_enemies(
    place: tuple[float, float], allowed: bool
) -> None:
    """A raven stands 1 cm from (90, 60.01); a pond is in the way, a bog may be entered."""
    position = table(
        a("rune_seer", at=(60, 60)),
        a("iron_raven", 1, at=(90, 55.76), facing=0),
        pieces=[piece("frozen_pond", 30, 60), piece("bog", 50, 50)],
    )
    act = Declaration(position.model(0), "ability", ["summoning"])
    question = question_after(use_ability(act), "3 3 | 2", ["raider"])
    assert question.prompt == "summon-at"
    assert (question.refusal([[*place, 180.0]]) is None) == allowed


@pytest.mark.covers("abilities/summoning", "move/one-cm")
def test_a_summoned_model_may_touch_a_fallen_enemy_and_needs_no_sight() -> None:
    position = table(
        a("rune_seer", at=(60, 60), facing=180),
        a("raider", 1, at=(60, 100), facing=0, wounds=1),
        pieces=[piece("workshop", 60, 80)],
    )
    act = Declaration(position.model(0), "ability", ["summoning"])
    question = question_after(use_ability(act), "3 3 | 2", ["raider"])
    assert question.refusal([[60, 97.5, 0.0]]) is None


@pytest.mark.covers("abilities/summoning")
@pytest.mark.parametrize(("slack", "comes"), [(0.02, True), (-0.02, False)])
def test_a_hole_that_is_hardly_larger_than_the_base_is_room_enough(slack: float, comes: bool) -> None:
    x, y, half = 70.37, 60.41, table(a("draugr")).model(0).profile.base_radius + slack / 2
    far = 110.0
    sides = [
        rectangle(x, y - half - far / 2, 2 * far, far),
        rectangle(x, y + half + far / 2, 2 * far, far),
        rectangle(x + half + far / 2, y, far, 2 * half),
        rectangle((60 + 2.0 + x - half) / 2, y, x - half - 62.0, 2 * half),
        rectangle(60 - far / 2 - 2.0, y, far, 2 * half),
    ]
    walls = [Piece(f"wall {k}", "wall", side, 5.0, 0.0, (), ("impassable",)) for k, side in enumerate(sides)]
    place = [[round(x, 4), y, 0.0]]
    _, model = summoned("6", *([place] if comes else []), position=table(a("rune_seer", at=(60, 60)), pieces=walls))
    assert model is not None
    assert model.is_on_table is comes


@pytest.mark.covers("abilities/summoning")
def test_where_there_is_no_room_nobody_comes_and_nobody_is_lost() -> None:
    ponds = [
        Piece(f"pond {k}", "pond", rectangle(x, 60, 59, 120), 0.0, 0.0, (), ("impassable",))
        for k, x in ((0, 29.5), (1, 90.5))
    ]
    position = table(a("rune_seer", at=(60, 60), changes={"senses": 0}), pieces=ponds)
    played, model = summoned("6", position=position)
    assert played.prompts == []
    assert model is not None
    assert model.where == GONE
    assert not is_left(model)
    assert position.losses == []
    assert "summoned" not in played.kinds


@pytest.mark.covers("abilities/summoning", "measuring/three-dimensions")
@pytest.mark.parametrize(("hills", "allowed"), [(0, True), (1, False)])
def test_the_reach_of_a_summoning_is_measured_in_space(hills: int, allowed: bool) -> None:
    position = table(a("rune_seer", at=(60, 60)), pieces=[piece("hill", 60, 112.4)] * hills)
    question = question_after(
        use_ability(Declaration(position.model(0), "ability", ["summoning"])), "3 3 2", ["raider"]
    )
    assert (question.refusal([[60, 112.45, 0.0]]) is None) == allowed
    assert play(summoning(position.model(0), None), "1").rolls == ["summoning"]


# ---------------------------------------------------------------- special/psionic-mage, special/expert


@pytest.mark.covers("special/psionic-mage", "mental-duel/eligibility")
@pytest.mark.parametrize(("profile", "duels"), [("mesmerist", True), ("rune_seer", True), ("crucible_captain", False)])
def test_only_psionics_and_mages_duel(profile: str, duels: bool) -> None:
    model = table(a(profile)).model(0)
    assert is_psionic_or_mage(model) == duels
    assert (REACTIONS["mental-duel"].refusal(model) is None) == duels


@pytest.mark.covers("special/psionic-mage")
def test_magic_is_for_mages_and_what_psionics_do_for_psionics() -> None:
    changes = {"abilities": ("summoning", "furious_charge")}
    captain = table(a("crucible_captain", changes=changes))
    assert refused(captain, 0, "ability", "summoning") == "special/psionic-mage"
    assert refused(captain, 0, "ability", "furious_charge") == ""
    mage = table(a("crucible_captain", rules=["mage"], changes=changes))
    assert refused(mage, 0, "ability", "summoning") == ""
    of_psionics = Ability("trance", 1, furious_charge, None, "psionic")
    assert is_closed_to(mage.model(0), of_psionics)
    assert not is_closed_to(table(a("mesmerist")).model(0), of_psionics)


@pytest.mark.covers("special/psionic-mage", "ability-action/cost")
def test_a_model_uses_only_the_abilities_of_its_own_profile() -> None:
    position = face_off(20, "rune_seer")
    assert refused(position, 0, "ability", "supersteam") != ""
    assert cannot_use(position.model(0), "spear_of_odin") is None


@pytest.mark.covers("special/psionic-mage", "mental-duel/resolution", "special/expert")
@pytest.mark.parametrize(
    ("given", "worth"),
    [
        ({}, 4),
        ({"adds": ["rune_talisman"]}, 5),
        ({"changes": {"expert": "mind"}}, 5),
        ({"changes": {"expert": "medicine"}}, 4),
    ],
)
def test_a_duellist_counts_its_car_its_talisman_and_its_expertise(given: dict[str, Any], worth: int) -> None:
    assert duelling(table(a("mesmerist", **given, charisma=1)).model(0)) == worth


@pytest.mark.covers("special/expert", "ability-test/test")
@pytest.mark.parametrize(
    ("field", "total", "passes"), [("mind", "2 2", True), ("mind", "1 2", False), ("weapons", "2 2", False)]
)
def test_an_expert_of_the_mind_is_better_at_ability_tests(field: str, total: str, passes: bool) -> None:
    position = face_off(20, "rune_seer", one={"changes": {"expert": field}})
    use(position, "summoning", dice=total + " | 1" * passes)
    assert marks(position.model(0), "barred-ability") == (0 if passes else 1,)


@pytest.mark.covers("special/expert")
@pytest.mark.parametrize(("field", "need"), [("martial_arts", 3), ("weapons", 4)])
def test_an_expert_of_martial_arts_fights_better(field: str, need: int) -> None:
    position = face_off(0, "raider", one={"changes": {"expert": field}})
    needed = first_question(strike(position.model(0), [position.model(1)])).description()["needed"]
    assert needed["base"] - sum(part["value"] for part in needed.get("parts", ())) == need


@pytest.mark.covers("concentrate/bonus", "ability-test/test")
@pytest.mark.parametrize(("is_concentrated", "passes"), [(True, True), (False, False)])
def test_a_concentrated_model_is_better_at_its_ability_test(is_concentrated: bool, passes: bool) -> None:
    position = face_off(20, "rune_seer")
    use(position, "summoning", dice="2 2" + " | 1" * passes, is_concentrated=is_concentrated)
    assert marks(position.model(0), "barred-ability") == (0 if passes else 1,)


# ---------------------------------------------------------------- special/bodyguard


def guarded(gap: float = 5, *more: Any, guard: Any = None, ward: str = "frost_hunter", **given: Any) -> Position:
    """A rifleman, a ward (row 1) 20 cm away, and its bodyguard (row 2) beside it."""
    figure = a(
        "piston_cuirassier", 1, at=(61.25 + gap + 1.5, 32.5), **({"facing": 0, "notes": {"ward": 1}} | (guard or {}))
    )
    return face_off(20, "steam_rifleman", ward, figure, *more, **given)


@pytest.mark.covers("special/bodyguard")
def test_each_bodyguard_is_given_a_friend_to_protect_after_deployment() -> None:
    position = table(
        a("piston_cuirassier"), a("mesmerist", at=(70, 60)), a("pathfinder", at=(80, 60)), a("raider", 1, at=(60, 90))
    )
    question = first_question(choose_wards(position, 0))
    assert (question.prompt, question.side, question.options()) == ("ward", 0, [1, 2])
    play(choose_wards(position, 0), answers=[2], position=position)
    assert position.model(0).note("ward") == 2
    assert [guard.row for guard in guards(position.model(2))] == [0]
    assert guards(position.model(1)) == []
    alone = table(a("piston_cuirassier"), a("raider", 1, at=(60, 90)))
    play(choose_wards(alone, 0))
    assert alone.model(0).note("ward") is None


@pytest.mark.covers("special/bodyguard", "dice/order")
def test_a_hit_is_redirected_after_the_to_hit_dice_and_before_its_saves_once_a_turn() -> None:
    position = guarded()
    played = play(shoot(position, Shot(0, 1, 0)), "4 5 | 3", [2], position)
    assert [question.prompt for question in played.questions] == ["to-hit", "bodyguard", "armour-save"]
    assert played.questions[1].side == 1
    assert [marks(position.model(row), "wounds", "morale") for row in (1, 2)] == [(1, 1), (1, 0)]
    again = play(shoot(position, Shot(0, 1, 0)), "1 1", [], position)
    assert again.prompts == []
    tidy(position.model(2))
    later = play(shoot(position, Shot(0, 1, 0)), "1 4", ["no"], position)
    assert later.prompts == ["bodyguard"]
    assert state(position.model(1)) == "removed"


@pytest.mark.covers("special/bodyguard")
def test_a_guard_that_was_not_sent_may_still_be_sent_for_the_next_hit() -> None:
    position = guarded()
    played = play(shoot(position, Shot(0, 1, 0)), "4 5 | 4", ["no", 2], position)
    assert played.prompts == ["bodyguard", "bodyguard"]
    assert [marks(position.model(row), "wounds", "morale") for row in (1, 2)] == [(1, 1), (0, 0)]


@pytest.mark.covers("special/bodyguard")
@pytest.mark.parametrize(("gap", "offered"), [(30, True), (30.01, False)])
def test_a_bodyguard_must_be_within_ten_times_its_senses_of_its_ward(gap: float, offered: bool) -> None:
    assert bool(guards(guarded(gap).model(1))) == offered


@pytest.mark.covers("special/bodyguard", "out-of-action/state")
def test_a_bodyguard_needs_no_sight_but_must_not_be_out_of_action() -> None:
    assert guards(guarded(guard={"facing": 90}).model(1)) != []
    assert guards(guarded(guard={"wounds": 1}).model(1)) != []
    assert guards(guarded(guard={"wounds": 2}).model(1)) == []


@pytest.mark.covers("special/bodyguard", "lethal/condition")
def test_a_bodyguard_takes_a_lethal_result_in_its_wards_place() -> None:
    position = guarded()
    play(shoot(position, Shot(0, 1, 0)), "1 6 | 1", [2], position)
    assert [state(position.model(row)) for row in (1, 2)] == ["up", "removed"]


@pytest.mark.covers("special/bodyguard", "suppressive-fire/effect")
def test_a_bodyguard_takes_the_morale_dice_of_a_suppressive_hit() -> None:
    position = guarded()
    played = play(shoot(position, Shot(0, 1, 0, SUPPRESSIVE)), "4 4 | 5 1", [2], position)
    assert [question.prompt for question in played.questions] == ["to-hit", "bodyguard", "suppression", "suppression"]
    assert [marks(position.model(row), "morale") for row in (1, 2)] == [(1,), (3,)]


@pytest.mark.covers("special/bodyguard")
def test_a_hit_already_redirected_is_not_redirected_again() -> None:
    second = a("piston_cuirassier", 1, at=(52, 32.5), facing=0, notes={"ward": 2})
    position = guarded(5, second)
    played = play(shoot(position, Shot(0, 1, 0)), "1 4 | 4", [2], position)
    assert played.prompts == ["bodyguard"]


@pytest.mark.covers("special/bodyguard")
def test_two_bodyguards_of_one_ward_may_each_take_a_hit() -> None:
    second = a("piston_cuirassier", 1, at=(52, 32.5), facing=0, notes={"ward": 1})
    position = guarded(5, second)
    played = play(shoot(position, Shot(0, 1, 0)), "4 4 | 4 4", [2, 3], position)
    assert [question.about.get("model") for question in played.questions if question.is_chance][1:] == [2, 3]
    assert [marks(position.model(row), "guarded") for row in (2, 3)] == [(1,), (1,)]
    assert play(taker_of(position.model(1))).value is position.model(1)


@pytest.mark.covers("special/bodyguard", "turn/time-units")
def test_a_bodyguard_works_in_melee_and_against_abilities_too() -> None:
    fight = guarded(ward="draugr")
    fight.model(0).move_to(60, 30)
    blow = play(strike(fight.model(0), [fight.model(1)]), "5 | 3", [2], fight)
    assert blow.value == [(2, "wound")]
    assert marks(fight.model(2), "guarded") == (1,)
    spear = table(
        a("rune_seer", at=(60, 10)),
        a("mesmerist", 1, at=(60, 32.5), facing=0),
        a("piston_cuirassier", 1, at=(70, 32.5), facing=0, notes={"ward": 1}),
    )
    played = use(spear, "spear_of_odin", 1, dice="3 3 | 3 | 3", answers=[2])
    assert played.prompts == ["bodyguard"]
    assert [marks(spear.model(row), "wounds") for row in (1, 2)] == [(1,), (1,)]
    assert play(redirected(spear.model(1))).value is spear.model(1)


@pytest.mark.covers("special/bodyguard", "weapon-rules/shield-puller")
def test_the_shield_pulled_away_is_that_of_the_guard_who_took_the_hit() -> None:
    shield: dict[str, Any] = {"adds": ["large_shield"], "facing": 0, "notes": {"ward": 1}}
    guard = a("piston_cuirassier", 1, at=(70, 32.5), **shield)
    position = face_off(20, "raider", "raider", guard)
    played = play(throw(position, Shot(0, -1, 1)), "5 | 1 1 | 4", [1, 2], position)
    assert played.rolls == ["to-hit", "throw-distance", "armour-save"]
    assert [marks(position.model(row), "shield-lost") for row in (1, 2)] == [(0,), (1,)]


@pytest.mark.covers("special/bodyguard", "weapon-rules/steam")
def test_a_bodyguard_may_take_a_hit_of_a_steam_accident() -> None:
    guard = a("piston_cuirassier", 0, at=(65, 10), notes={"ward": 0})
    position = face_off(20, "steam_rifleman", "raider", guard)
    played = play(shoot(position, Shot(0, 1, 0, doubling="steam")), "1 3 3 3 | 3 6 6 6", [2], position)
    assert played.prompts == ["bodyguard"]
    assert [marks(position.model(row), "wounds") for row in (0, 2)] == [(0,), (1,)]
