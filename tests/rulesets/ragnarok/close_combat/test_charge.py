"""Charges: whom, how far, by which path, and what they bring into the melee."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from campale.referee.position import Effect, Position
from campale.referee.telling.teller import Teller
from campale.rulesets.ragnarok.close_combat.charge import charge_path, is_sheltered, onsets, squeezing_path
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged, opponents
from campale.rulesets.ragnarok.close_combat.melee import melee_phase
from campale.rulesets.ragnarok.turn.actions import no_charge
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.paths import plan_length
from tests.rulesets.ragnarok.kit import (
    Figure,
    Played,
    a,
    activate,
    first_question,
    piece,
    play,
    refused,
    table,
    way,
)


def spent(profile: str, at: tuple[float, float], **more: Any) -> Figure:
    """An enemy too exhausted to react."""
    return a(profile, 1, at=at, fatigue=5, **more)


def charging(*enemies: Figure, charger: Figure | None = None, **more: Any) -> Position:
    """A raider at (60, 50) and the enemies; the first of them is commander."""
    for enemy in enemies[:1]:
        enemy.marks["commander"] = 1
    return table(charger or a("raider", at=(60, 50)), *enemies, **more)


def charge_at(position: Position, *points: tuple[float, float], dice: str, answers: tuple[Any, ...] = ()) -> Played:
    return activate(position, [0, "charge", 1, way(*points, facing=None)], *answers, dice=dice)


def why_not(position: Position, row: int = 1) -> str:
    refusal = no_charge(position.model(0), row)
    return "" if refusal is None else refusal.rule


def told(position: Position, row: int = 1) -> str:
    """The sentence of the refusal, without what follows it."""
    refusal = no_charge(position.model(0), row)
    teller = Teller(position.ruleset, "en", position.names, position.unit_names, (), position.profiles)
    return "" if refusal is None else teller.refusal(refusal).split(" (")[0]


# ---------------------------------------------------------------- charge/declaration


@pytest.mark.covers("charge/declaration", "control-area/radius")
@pytest.mark.parametrize(
    ("facing", "gap", "rule"),
    [
        (0, 20.0, ""),
        (180, 20.0, "charge/declaration"),
        (180, 6.0, ""),
        (180, 6.001, ""),
        (180, 6.01, "charge/declaration"),
    ],
)
def test_an_enemy_is_charged_that_is_in_view_or_in_the_control_area(facing: float, gap: float, rule: str) -> None:
    charger = a("raider", at=(60, 50), facing=facing)
    position = charging(spent("raider", (60, 52.5 + gap)), charger=charger)
    assert why_not(position) == rule
    assert (refused(position, 0, "charge", 1, way((60, 50 + gap))) == "") is (rule == "")


@pytest.mark.covers("charge/declaration")
@pytest.mark.parametrize(("mark", "value"), [("hidden", 1), ("wounds", 1)])
def test_hidden_enemies_and_those_out_of_action_are_not_charged(mark: str, value: int) -> None:
    target = spent("raider", (60, 65))
    assert why_not(charging(target)) == ""
    target.marks[mark] = value
    assert why_not(charging(target)) == "charge/declaration"


@pytest.mark.covers("charge/declaration", "charge/engagement")
def test_an_engaged_enemy_may_be_charged_and_the_charger_joins_the_melee() -> None:
    brawler = a("raider", at=(62.5, 65), commander=1)
    position = table(a("raider", at=(60, 50)), spent("raider", (60, 65)), brawler)
    assert is_engaged(position.model(1))
    charge_at(position, (60, 62.5), dice="1 1")
    assert [enemy.row for enemy in opponents(position.model(0))] == [1]
    assert [enemy.row for enemy in opponents(position.model(1))] == [0, 2]


@pytest.mark.covers("charge/declaration", "tactical/points-spent")
def test_a_charge_costs_one_point() -> None:
    position = charging(spent("raider", (60, 65)))
    charge_at(position, (60, 62.5), dice="1 1")
    assert position.model(0).marks("charisma") == 2


# ---------------------------------------------------------------- charge/distance


@pytest.mark.covers("charge/distance")
@pytest.mark.parametrize(("y", "at"), [(70.0, (60, 70)), (70.001, (60, 70.001)), (70.01, (60, 63))])
def test_a_charge_reaches_m_and_two_dice_and_equal_is_enough(y: float, at: tuple[float, float]) -> None:
    position = charging(spent("raider", (60, y + 2.5)))
    has_reached = at != (60, 63)
    played = charge_at(position, (60, y), dice="3 4", answers=() if has_reached else (90,))
    assert played.rolls == ["charge-distance"]
    assert position.model(0).at == at
    assert is_engaged(position.model(0)) is has_reached
    assert position.model(0).marks("charged") == has_reached


@pytest.mark.covers("charge/distance", "charge/path", "charge/engagement")
def test_a_charge_that_falls_short_goes_m_along_its_path_and_its_owner_turns_it() -> None:
    position = charging(spent("raider", (66, 66)))
    played = charge_at(position, (66, 50), (66, 63.5), dice="1 1", answers=(270,))
    assert played.prompts == ["act", "facing"]
    assert (position.model(0).at, position.model(0).facing) == ((66, 57), 270)
    assert not is_engaged(position.model(0))
    assert (position.model(0).marks("charged"), onsets(position)) == (0, [])


@pytest.mark.covers("charge/distance", "move/rough", "fatigue/effects", "dice/order")
@pytest.mark.parametrize(("die", "at"), [(3, (60, 67)), (4, (60, 57))])
def test_m_is_taken_after_the_dice_of_rough_ground_and_fatigue(die: int, at: tuple[float, float]) -> None:
    tired = a("raider", at=(60, 50), fatigue=1)
    position = charging(spent("raider", (60, 69.5)), charger=tired, pieces=[piece("low_wall", 60, 60)])
    short = at == (60, 57)
    played = charge_at(position, (60, 67), dice=f"2 | {die} | 4 5", answers=(0,) if short else ())
    assert played.rolls == ["rough-ground", "fatigue", "charge-distance"]
    assert position.model(0).at == at


@pytest.mark.covers("charge/distance", "charge/path", "move/declared-path")
@pytest.mark.parametrize(("y", "rule"), [(75.0, ""), (75.001, ""), (75.01, "charge/distance")])
def test_a_charge_is_offered_only_at_a_target_within_m_and_twelve(y: float, rule: str) -> None:
    assert why_not(charging(spent("raider", (60, y + 2.5)))) == rule


@pytest.mark.covers("charge/distance", "charge/path", "move/declared-path")
@pytest.mark.parametrize(("x", "rule"), [(59.5, ""), (66.0, "charge/path")])
def test_the_whole_path_round_an_obstacle_counts(x: float, rule: str) -> None:
    position = charging(spent("raider", (60, 73)), pieces=[piece("frozen_pond", x + 6.5, 60)])
    assert why_not(position) == ("" if x == 66.0 else rule)
    barred = charging(spent("raider", (60, 77.4)), pieces=[piece("frozen_pond", 60, 60)])
    assert why_not(barred) == "charge/path"


@pytest.mark.covers("charge/distance", "charge/path")
def test_a_refusal_tells_a_target_too_far_from_one_without_a_path() -> None:
    far = charging(spent("raider", (60, 80)))
    assert told(far) == "The target is too far to charge: 27.5 cm, at most 25 cm with the best dice."
    barred = charging(spent("raider", (60, 77.4)), pieces=[piece("frozen_pond", 60, 60)])
    assert told(barred) == "No free path of at most 25 cm ends in contact with the target."


@pytest.mark.covers("charge/distance", "move/declared-path")
@pytest.mark.parametrize(("x", "rule"), [(67.5, ""), (67.52, "move/allowance")])
def test_the_declared_path_is_no_longer_than_m_and_twelve(x: float, rule: str) -> None:
    position = charging(spent("raider", (60, 72.5)))
    assert refused(position, 0, "charge", 1, way((x, 60), (60, 70))) == rule


@pytest.mark.covers("charge/distance", "abilities/furious-charge")
@pytest.mark.parametrize(("again", "dice", "at"), [("yes", "1 1 | 3 4", (60, 70)), ("no", "1 1", (60, 63))])
def test_a_furious_model_may_roll_its_distance_again(again: str, dice: str, at: tuple[float, float]) -> None:
    position = charging(spent("raider", (60, 72.5)))
    position.begin(Effect("abilities/furious-charge", 0, 0, "turn"))
    answers = (again,) if again == "yes" else (again, 0)
    played = charge_at(position, (60, 70), dice=dice, answers=answers)
    assert played.prompts[1] == "repeat-charge"
    assert position.model(0).at == at


@pytest.mark.covers("charge/distance", "opt-night/spotting", "dice/order")
@pytest.mark.parametrize(("y", "dice", "at"), [(82.5, "1 1", (60, 50)), (72.5, "1 1 | 6 6", (60, 70))])
def test_by_night_an_enemy_must_be_spotted_first(y: float, dice: str, at: tuple[float, float]) -> None:
    charger = a("raider", at=(60, 50), changes={"senses": 1, "movement": 20.0})
    position = charging(spent("raider", (60, y)), charger=charger, night=True)
    played = charge_at(position, (60, y - 2.5), dice="1 1" if y == 82.5 else "6 6 | 1 1")
    assert played.rolls == (["spotting"] if y == 82.5 else ["spotting", "charge-distance"])
    assert position.model(0).at == at
    assert position.model(0).marks("charisma") == 2


@pytest.mark.covers("charge/distance", "opt-night/spotting")
def test_by_night_an_enemy_in_the_control_area_is_charged_without_spotting() -> None:
    position = charging(spent("raider", (60, 58.5)), night=True)
    assert charge_at(position, (60, 56), dice="1 1").rolls == ["charge-distance"]


# ---------------------------------------------------------------- charge/path


@pytest.mark.covers("charge/path")
@pytest.mark.parametrize(
    ("end", "rule"),
    [
        ((60, 65), ""),
        ((60, 64.95), ""),
        ((60, 64.94), "charge/path"),
        ((60, 65.01), "charge/path"),
        ((60, 60), "charge/path"),
    ],
)
def test_the_path_ends_in_contact_with_the_target_and_not_on_it(end: tuple[float, float], rule: str) -> None:
    assert refused(charging(spent("raider", (60, 67.5))), 0, "charge", 1, way(end)) == rule


@pytest.mark.covers("charge/path", "move/one-cm")
@pytest.mark.parametrize(("x", "rule"), [(63.5, ""), (63.49, "move/one-cm")])
def test_a_charger_keeps_one_centimetre_from_other_enemies(x: float, rule: str) -> None:
    position = charging(spent("raider", (60, 67.5)), spent("raider", (x, 57)))
    assert refused(position, 0, "charge", 1, way((60, 65))) == rule


@pytest.mark.covers("charge/path", "move/no-crossing")
@pytest.mark.parametrize(("x", "rule"), [(62.5, ""), (62.49, "move/no-crossing")])
def test_a_charger_crosses_no_model(x: float, rule: str) -> None:
    charger = a("raider", at=(60, 50), commander=1)
    position = charging(spent("raider", (60, 67.5)), a("raider", at=(x, 57)), charger=charger)
    assert refused(position, 0, "charge", 1, way((60, 65))) == rule


@pytest.mark.covers("charge/path", "move/no-crossing", "battlefield/terrain-classes")
@pytest.mark.parametrize(("x", "rule"), [(67.25, ""), (67.24, "move/no-crossing")])
def test_a_charger_crosses_no_impassable_ground(x: float, rule: str) -> None:
    position = charging(spent("raider", (60, 71.5)), pieces=[piece("frozen_pond", x, 60)])
    assert refused(position, 0, "charge", 1, way((60, 69))) == rule


@pytest.mark.covers("charge/path")
def test_a_charger_that_makes_contact_ends_facing_its_target() -> None:
    position = charging(spent("raider", (72.5, 50)))
    charge_at(position, (70, 50), dice="1 1")
    assert position.model(0).facing == 90


POCKET = spent("raider", (60, 72.5)), spent("raider", (57.6, 71.5)), spent("raider", (62.4, 71.5))


@pytest.mark.covers("charge/path", "move/one-cm")
def test_a_final_place_may_be_near_to_neighbours_that_cannot_be_avoided() -> None:
    assert refused(charging(*POCKET), 0, "charge", 1, way((60, 70))) == ""
    assert squeezing_path(charging(*POCKET).model(0), charging(*POCKET).model(1), 25.0) is not None


@pytest.mark.covers("charge/path", "move/one-cm")
def test_a_neighbour_that_can_be_avoided_is_avoided() -> None:
    target, beside, _ = POCKET
    assert refused(charging(target, beside), 0, "charge", 1, way((60, 70))) == "move/one-cm"
    assert refused(charging(target, beside), 0, "charge", 1, way((61.5, 70.5))) == ""


@pytest.mark.covers("charge/path", "move/one-cm")
@pytest.mark.parametrize(("x", "rule"), [(63.5, ""), (63.4, "move/one-cm")])
def test_others_on_the_way_to_such_a_place_are_still_kept_away_from(x: float, rule: str) -> None:
    position = charging(*POCKET, spent("raider", (x, 58)))
    assert refused(position, 0, "charge", 1, way((60, 70))) == rule


@pytest.mark.covers("charge/path", "move/no-crossing")
def test_even_then_the_bases_of_the_neighbours_are_not_crossed() -> None:
    position = charging(*POCKET)
    assert refused(position, 0, "charge", 1, way((59, 70.2))) == "move/no-crossing"


@pytest.mark.covers("charge/path", "charge/engagement")
def test_a_charger_is_engaged_with_all_whom_it_touches() -> None:
    position = charging(*POCKET)
    charge_at(position, (59.621, 70.027), dice="6 6")
    assert [enemy.row for enemy in opponents(position.model(0))] == [1, 2]
    assert [onset.target for onset in onsets(position)] == [1]


@pytest.mark.covers("charge/path")
@pytest.mark.parametrize("enemies", [(spent("raider", (60, 67.5)),), POCKET], ids=["alone", "in a pocket"])
def test_the_path_that_is_proposed_is_legal(enemies: tuple[Figure, ...]) -> None:
    position = charging(*enemies)
    path = charge_path(position.model(0), position.model(1), 25.0)
    assert path is not None
    question = first_question(tactical_phase(position)).field([0, "charge", 1])  # type: ignore[attr-defined]
    proposed = question.suggestions()[0]
    assert question.refusal(proposed) is None
    assert plan_length(path) == pytest.approx(position.model(1).y - 52.5, abs=0.5)


# ---------------------------------------------------------------- charge/engagement, alert/end


@pytest.mark.covers("charge/engagement", "alert/end")
@pytest.mark.parametrize(("dice", "alert", "answers"), [("6 1", 0, ()), ("5 1", 1, (0,))])
def test_being_engaged_ends_the_alert(dice: str, alert: int, answers: tuple[int, ...]) -> None:
    position = charging(spent("raider", (60, 72.5), alert=1))
    charge_at(position, (60, 70), dice=dice, answers=answers)
    assert position.model(1).marks("alert") == alert


@pytest.mark.covers("charge/engagement")
def test_a_charger_felled_in_contact_is_engaged_with_nobody() -> None:
    position = table(a("frost_hunter", at=(60, 50)), a("frost_hunter", 1, at=(60, 65)))
    activate(position, [0, "charge", 1, way((60, 62.5))], ["reaction-fire"], dice="1 1 | 4 4")
    assert position.model(0).marks("wounds") == 1
    assert not is_engaged(position.model(1))
    assert (position.model(0).marks("charged"), onsets(position)) == (0, [])


@pytest.mark.covers("charge/engagement", "charge/attack-bonus", "melee/charge-modifiers-last")
@pytest.mark.parametrize(("wounds", "kept"), [(1, 0), (2, 1)])
def test_a_charge_is_over_when_its_target_falls_before_the_melee(wounds: int, kept: int) -> None:
    seer = a("rune_seer", at=(80, 62.5), facing=270, commander=1)
    target = spent("frost_hunter", (60, 62.5), changes={"wounds": wounds})
    position = table(a("raider", at=(60, 50)), seer, target, spent("raider", (10, 110), commander=1))
    activate(position, [0, "charge", 2, way((60, 60), facing=None)], dice="1 1")
    assert (position.model(0).marks("charged"), len(onsets(position))) == (1, 1)
    activate(position, [1, "ability", "spear_of_odin", 2], dice="6 6 | 1")
    assert is_engaged(position.model(0)) is bool(kept)
    assert (position.model(0).marks("charged"), len(onsets(position))) == (kept, kept)


@pytest.mark.covers("charge/engagement", "charge/attack-bonus", "countercharge/basic")
def test_who_has_lost_the_target_of_its_charge_meets_a_countercharge_without_a_bonus() -> None:
    seer = a("rune_seer", at=(80, 62.5), facing=270, commander=1)
    other = a("raider", 1, at=(60, 77.5), fatigue=5, commander=1)
    position = table(a("raider", at=(60, 50)), seer, spent("frost_hunter", (60, 62.5)), other)
    activate(position, [0, "charge", 2, way((60, 60), facing=None)], dice="1 1")
    activate(position, [1, "ability", "spear_of_odin", 2], dice="6 6 | 1")
    position.model(3).mark("fatigue", 0)
    back = way((62.5, 77), (62.5, 60), facing=None)
    activate(position, [0, "move", "walk", way()], ["countercharge"], back, dice="6 6")
    fought = play(melee_phase(position), "1 1 | 1 | 5 1 1 | 1 1", [[0, 3], "no"], position)
    assert fought.rolls[:3] == ["melee-to-hit", "charge-bonus", "melee-to-hit"]


# ---------------------------------------------------------------- what a charge brings


def melee_after(position: Position, dice: str) -> Played:
    """The melee of the charger (first) and its target, won by the charger, who does not consolidate."""
    return play(melee_phase(position), dice, [[0, 1], "no"], position)


def needed(played: Played, fighter: int) -> int:
    """The least face with which a fighter hits in the first round."""
    rolls = [q for q in played.questions if q.prompt == "melee-to-hit" and q.about["fighter"] == fighter]
    need = rolls[0].needed  # type: ignore[attr-defined]
    return next(face for face in range(1, 7) if need.is_met_by(face))


@pytest.mark.covers("charge/attack-bonus")
@pytest.mark.parametrize(("d3", "dice"), [(2, "4 1 1"), (3, "4 1 1 1"), (6, "4 1 1 1 1")])
def test_a_charger_has_a_d3_more_dice(d3: int, dice: str) -> None:
    position = charging(spent("frost_hunter", (60, 62.5)))
    charge_at(position, (60, 60), dice="1 1")
    played = melee_after(position, f"{d3} | {dice} | 1")
    assert played.rolls == ["charge-bonus", "melee-to-hit", "melee-to-hit"]
    assert played.questions[2].about["fighter"] == 0


@pytest.mark.covers("charge/attack-bonus")
def test_without_contact_there_is_no_bonus() -> None:
    position = charging(spent("frost_hunter", (60, 72.5)))
    charge_at(position, (60, 70), dice="1 1", answers=(0,))
    position.model(0).move_to(60, 70)
    assert melee_after(position, "4 1 | 1").rolls == ["melee-to-hit", "melee-to-hit"]


@pytest.mark.covers("charge/rear-bonus", "vision/front-rear")
@pytest.mark.parametrize(("facing", "number"), [(180, 4), (90, 4), (89, 3), (0, 3), (271, 3), (270, 4)])
def test_a_charge_into_the_rear_hits_more_easily(facing: float, number: int) -> None:
    position = charging(spent("frost_hunter", (60, 62.5), facing=facing))
    charge_at(position, (60, 60), dice="1 1")
    assert onsets(position)[0].in_rear is (number == 3)
    assert needed(melee_after(position, "1 | 4 1 1 | 1"), 0) == number


@pytest.mark.covers("charge/rear-bonus", "vision/front-rear")
def test_the_rear_is_judged_from_where_the_charge_began() -> None:
    position = charging(spent("frost_hunter", (60, 62.5), facing=180))
    charge_at(position, (55, 62.5), (57.55, 63), dice="6 6")
    assert position.model(0).y > 62.5
    assert not onsets(position)[0].in_rear


@pytest.mark.covers("charge/rear-bonus")
def test_the_bonus_holds_against_the_model_charged_in_its_rear_only() -> None:
    enemies = [spent("raider", at, facing=0) for at in ((60, 72.5), (57.6, 71.5), (62.4, 71.5))]
    position = charging(*enemies)
    charge_at(position, (59.621, 70.027), dice="6 6")
    assert [(onset.target, onset.in_rear) for onset in onsets(position)] == [(1, True)]


@pytest.mark.covers("charge/sheltered-bonus")
@pytest.mark.parametrize(("height", "shelters"), [(0.0, False), (0.1, True), (1.0, True), (3.0, True)])
def test_a_piece_of_any_height_at_all_shelters(height: float, shelters: bool) -> None:
    low = msgspec.structs.replace(piece("low_wall", 60, 70.75), height=height)
    position = table(a("raider", at=(60, 60)), a("raider", 1, at=(60, 72.5)), pieces=[low])
    assert is_sheltered(position.model(1), (60.0, 60.0)) is shelters


@pytest.mark.covers("charge/sheltered-bonus")
@pytest.mark.parametrize(
    ("kind", "wall", "number"),
    [
        ("low_wall", 70.75, 3),
        ("low_wall", 70.70, 3),
        ("low_wall", 70.69, 4),
        ("low_wall", 74.25, 4),
        ("bog", 66.25, 4),
        ("rubble", 67.25, 3),
    ],
)
def test_a_model_behind_a_piece_that_it_touches_strikes_the_charger_more_easily(
    kind: str, wall: float, number: int
) -> None:
    fresh = a("raider", 1, at=(60, 72.5))
    position = charging(fresh, pieces=[piece(kind, 60, wall)])
    is_crossed = wall < 72
    charge_at(position, (60, 70), dice="1 | 6 6" if is_crossed else "6 6", answers=(["none"],))
    assert onsets(position)[0].is_sheltered is (number == 3)
    played = play(melee_phase(position), "2 | 4 4 1 | 1 1 | 1 1 | 1 2", [[0, 1], "no"], position)
    assert needed(played, 1) == number


@pytest.mark.covers("hide/bonus", "hide/state")
@pytest.mark.parametrize(("hidden", "number"), [(0, 4), (1, 3)])
def test_a_charge_from_hiding_hits_more_easily(hidden: int, number: int) -> None:
    charger = a("raider", at=(60, 50), hidden=hidden)
    position = charging(spent("frost_hunter", (60, 62.5)), charger=charger)
    charge_at(position, (60, 60), dice="1 1")
    assert position.model(0).marks("hidden") == 0
    assert needed(melee_after(position, "1 | 4 1 1 | 1"), 0) == number
