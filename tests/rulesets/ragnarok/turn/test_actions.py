"""The actions: their list and costs, hiding, alert, aiming, concentrating, and what repeating them costs."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.physical import is_exhausted, times_used
from campale.rulesets.ragnarok.basics.sight import sees
from campale.rulesets.ragnarok.turn.actions import actions, cost, fire_weapons, is_watched, suppressive_weapons
from campale.rulesets.ragnarok.turn.sequence import end_phase
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
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

STAY = way()


def spent(profile: str = "draugr", at: tuple[float, float] = (60, 80), **more: Any) -> Figure:
    """An enemy too exhausted to react."""
    return a(profile, 1, at=at, fatigue=9, **more)


def alone(actor: Figure, *others: Figure, **more: Any) -> Position:
    """An actor and an enemy 30 cm away that does not react."""
    return table(actor, *others, spent(), **more)


def why_not(position: Position, row: int, name: str) -> str:
    """The rule that keeps a model from declaring an action."""
    refusal = first_question(tactical_phase(position)).field([row]).refusal(name)  # type: ignore[attr-defined]
    return "" if refusal is None else refusal.rule


def least(played: Played, prompt: str = "to-hit") -> int:
    """The least face, or total, that met what the last such dice needed."""
    need = [q for q in played.questions if q.prompt == prompt][-1].needed  # type: ignore[attr-defined]
    return next(n for n in range(1, 13) if need.is_met_by(n))


# ---------------------------------------------------------------- actions/list


@pytest.mark.covers("tactical/who-can-act", "opt-ammo/spending", "opt-jam/when", "charge/declaration")
@pytest.mark.parametrize(
    ("actor", "name", "rule"),
    [
        (a("steam_rifleman", at=(60, 50)), "fire", "opt-ammo/spending"),
        (a("steam_rifleman", at=(60, 50), notes={"jammed": (0,)}), "suppressive-fire", "opt-jam/when"),
        (a("draugr", at=(60, 50)), "fire", "weapon-profile/classes"),
        (a("draugr", at=(60, 50)), "charge", "charge/distance"),
        (a("draugr", at=(60, 50), facing=180), "charge", "charge/declaration"),
        (a("draugr", at=(60, 61)), "charge", ""),
    ],
)
def test_an_action_that_could_not_be_completed_is_refused_for_its_own_reason(
    actor: Figure, name: str, rule: str
) -> None:
    assert why_not(alone(actor, options={"ammunition": True, "jams": True}), 0, name) == rule


@pytest.mark.covers("actions/list")
def test_the_list_of_actions_and_their_costs() -> None:
    assert {name: one.cost for name, one in actions().items()} == {
        "move": 1,
        "fire": 1,
        "suppressive-fire": 1,
        "charge": 1,
        "hide": 2,
        "alert": 2,
        "first-aid": 2,
        "recover": 2,
        "ability": 1,
        "aim": 1,
        "concentrate": 1,
        "clear-jam": 1,
    }


@pytest.mark.covers("actions/list", "ability-action/cost")
@pytest.mark.parametrize(
    ("name", "details", "points"),
    [
        ("move", [], 1),
        ("hide", [], 2),
        ("ability", ["spear_of_odin"], 1),
        ("ability", ["summoning"], 2),
        ("concentrate", [], 1),
    ],
)
def test_an_action_costs_what_the_list_says_unless_an_ability_has_its_own_cost(
    name: str, details: list[str], points: int
) -> None:
    assert cost(alone(a("rune_seer")).model(0), name, details) == points


@pytest.mark.covers("actions/list", "ability-action/cost", "tactical/points-spent")
def test_the_cost_of_an_ability_is_paid_when_it_is_declared() -> None:
    position = alone(a("rune_seer", at=(60, 50), commander=0))
    activate(position, [0, "ability", "summoning"], dice="1 3")
    assert position.model(0).marks("charisma") == 3


@pytest.mark.covers("actions/list", "opt-jam/clear")
def test_a_jam_is_cleared_for_one_point_and_only_where_there_is_one() -> None:
    position = alone(a("frost_hunter", at=(60, 50)))
    assert why_not(position, 0, "clear-jam") == "opt-jam/clear"
    position.model(0).jot("jammed", (0,))
    assert why_not(position, 0, "clear-jam") == ""
    activate(position, [0, "clear-jam", 0])
    assert position.model(0).note("jammed") is None
    assert position.model(0).marks("charisma") == 2


@pytest.mark.covers("opt-jam/clear")
def test_one_weapon_is_cleared_at_a_time() -> None:
    position = alone(a("frost_hunter", at=(60, 50), adds=["throwing_axe"], notes={"jammed": (0, 2)}))
    activate(position, [0, "clear-jam", 2])
    assert position.model(0).note("jammed") == (0,)


@pytest.mark.covers("actions/list", "weapon-profile/classes", "profile/hit-numbers")
@pytest.mark.parametrize(
    ("profile", "fires", "suppresses"),
    [("frost_hunter", [0], [0]), ("raider", [1], []), ("draugr", [], []), ("anvil_turret", [0], [0])],
)
def test_fire_is_for_ranged_and_thrown_weapons(profile: str, fires: list[int], suppresses: list[int]) -> None:
    position = alone(a(profile, at=(60, 50)))
    model = position.model(0)
    assert (fire_weapons(model), suppressive_weapons(model)) == (fires, suppresses)
    assert (why_not(position, 0, "fire") == "") is bool(fires)
    assert (why_not(position, 0, "suppressive-fire") == "") is bool(suppresses)


@pytest.mark.covers("suppressive-fire/action", "weapon-profile/classes")
def test_a_blast_does_not_suppress() -> None:
    assert suppressive_weapons(alone(a("steam_rifleman", adds=["spring_mortar"])).model(0)) == [0]


@pytest.mark.covers("fire/sequence", "actions/list", "suppressive-fire/action")
@pytest.mark.parametrize(("name", "rolls"), [("fire", ["to-hit"]), ("suppressive-fire", ["to-hit"])])
def test_a_shot_is_rolled_and_paid_for(name: str, rolls: list[str]) -> None:
    position = alone(a("frost_hunter", at=(60, 50)))
    assert activate(position, [0, name, 0, 1], dice="1 1").rolls == rolls
    assert position.model(0).marks("charisma") == 2


@pytest.mark.covers("suppressive-fire/action", "suppressive-fire/effect")
def test_suppressive_fire_brings_markers_and_no_wounds() -> None:
    position = alone(a("frost_hunter", at=(60, 50)))
    played = activate(position, [0, "suppressive-fire", 0, 1], dice="4 1 | 5")
    assert played.rolls == ["to-hit", "suppression"]
    assert (position.model(1).marks("morale"), position.model(1).marks("wounds")) == (3, 0)


@pytest.mark.covers("fire/sequence", "overlap/friend-covers", "vision/engaged-targets")
@pytest.mark.parametrize(
    ("others", "rule"),
    [
        ([], ""),
        ([a("raider", at=(60, 60))], "overlap/friend-covers"),
        ([a("raider", at=(60, 77.5))], "vision/engaged-targets"),
        ([a("raider", at=(60, 60)), spent(at=(20, 70)), a("raider", at=(20, 67.5))], "overlap/friend-covers"),
        ([a("raider", at=(60, 60)), spent(at=(20, 40))], "overlap/friend-covers"),
    ],
    ids=["free", "friend", "melee", "friend nearer than melee", "one out of sight"],
)
def test_a_weapon_is_barred_by_what_bars_its_nearest_target_in_sight(others: list[Figure], rule: str) -> None:
    assert why_not(alone(a("steam_rifleman", at=(60, 50)), *others), 0, "fire") == rule


@pytest.mark.covers("fire/sequence")
def test_only_without_an_enemy_in_sight_is_it_said_that_there_is_none() -> None:
    assert why_not(alone(a("steam_rifleman", at=(60, 50), facing=180.0)), 0, "fire") == "fire/sequence"


@pytest.mark.covers("fire/sequence", "weapon-rules/thrown")
def test_a_thrown_weapon_names_its_target_after_it_has_hit() -> None:
    position = alone(a("raider", at=(60, 50)))
    assert activate(position, [0, "fire", 1], dice="1").rolls == ["to-hit"]
    assert activate(position, [0, "fire", 1], dice="5 | 1 1 | 6").rolls == ["to-hit", "throw-distance", "armour-save"]


# ---------------------------------------------------------------- weapon-rules/salvo


def gunner() -> Figure:
    return a("piston_cuirassier", at=(60, 50), adds=["drum_gun"], charisma=9)


@pytest.mark.covers("weapon-rules/salvo", "move/allowance")
def test_after_a_salvo_a_model_only_turns() -> None:
    position = table(gunner(), spent(at=(60, 70)))
    assert refused(position, 0, "charge", 1, way((60, 67))) == ""
    activate(position, [0, "fire", 2, 1, "salvo"], dice="1 1 1 1 1 1 1 1")
    assert refused(position, 0, "move", "walk", way((60, 50.1))) == "move/allowance"
    assert refused(position, 0, "charge", 1, way((60, 67))) == "weapon-rules/salvo"
    activate(position, [0, "move", "walk", way(facing=90)])
    assert position.model(0).facing == 90


@pytest.mark.covers("weapon-rules/salvo", "move/allowance")
@pytest.mark.parametrize(("end", "rule"), [((60, 50), ""), ((60, 50.1), "not offered")])
def test_a_model_that_has_moved_fires_no_salvo(end: tuple[float, float], rule: str) -> None:
    position = table(gunner(), spent(at=(60, 80)))
    activate(position, [0, "move", "walk", way(end)])
    assert bool(refused(position, 0, "fire", 2, 1, "salvo")) is bool(rule)
    assert bool(refused(position, 0, "fire", 2, 1)) is not bool(rule)


@pytest.mark.covers("weapon-rules/salvo")
def test_a_plain_shot_of_such_a_weapon_leaves_the_model_free_to_move() -> None:
    position = table(gunner(), spent(at=(60, 80)))
    activate(position, [0, "fire", 2, 1, "plain"], dice="1 1 1 1")
    assert refused(position, 0, "move", "walk", way((60, 60))) == ""


# ---------------------------------------------------------------- hide/condition


@pytest.mark.covers("hide/condition", "battlefield/in-terrain")
@pytest.mark.parametrize(
    ("kind", "y", "rule"),
    [
        ("ruin", 50, ""),
        ("ruin", 57.25, ""),
        ("ruin", 57.30, ""),
        ("ruin", 57.31, "hide/condition"),
        ("bog", 50, "hide/condition"),
    ],
)
def test_a_model_hides_in_contact_with_a_piece_of_some_height(kind: str, y: float, rule: str) -> None:
    position = alone(a("raider", at=(60, 50)), pieces=[piece(kind, 60, y)])
    assert why_not(position, 0, "hide") == rule


@pytest.mark.covers("hide/condition", "hide/state")
def test_being_seen_does_not_prevent_hiding() -> None:
    position = alone(a("raider", at=(60, 50)), pieces=[piece("rubble", 60, 50)])
    assert sees(position.model(1), position.model(0))
    played = activate(position, [0, "hide"])
    assert (position.model(0).marks("hidden"), position.model(0).marks("charisma")) == (1, 1)
    assert not sees(position.model(1), position.model(0))
    assert played.prompts == ["act"]


@pytest.mark.covers("hide/condition", "control-area/reveals-hidden")
@pytest.mark.parametrize(("y", "rule"), [(56.75, "hide/condition"), (56.76, "")])
def test_inside_an_enemy_control_area_nobody_hides(y: float, rule: str) -> None:
    position = table(a("raider", at=(60, 50)), spent(at=(60, y)), pieces=[piece("rubble", 60, 46)])
    assert why_not(position, 0, "hide") == rule
    assert (is_watched(position.model(0)) is None) is (rule == "")


@pytest.mark.covers("hide/condition", "control-area/off-when-engaged")
def test_a_control_area_that_is_not_in_effect_does_not_prevent_it() -> None:
    busy = a("raider", at=(60, 58.75), commander=1)
    position = table(a("raider", at=(60, 50)), spent(at=(60, 56)), busy, pieces=[piece("rubble", 60, 46)])
    assert why_not(position, 0, "hide") == ""


# ---------------------------------------------------------------- hide/state


@pytest.mark.covers("hide/state", "tactical/reaction-eligibility")
@pytest.mark.parametrize("action", [[0, "aim"], [0, "move", "walk", STAY], [0, "fire", 0, 1]])
def test_any_action_ends_hiding_at_its_declaration(action: list[Any]) -> None:
    position = alone(a("frost_hunter", at=(60, 50), hidden=1))
    activate(position, action, dice="1 1" if action[1] == "fire" else "")
    assert position.model(0).marks("hidden") == 0


@pytest.mark.covers("hide/state")
@pytest.mark.parametrize("reaction", ["go-prone", "countermove"])
def test_any_reaction_ends_hiding(reaction: str) -> None:
    position = table(a("raider", at=(60, 50)), a("frost_hunter", 1, at=(60, 80), hidden=1))
    activate(position, [0, "aim"], [reaction], *(("turn", 0) if reaction == "countermove" else ()))
    assert position.model(1).marks("hidden") == 0
    idle = table(a("raider", at=(60, 50)), a("frost_hunter", 1, at=(60, 80), hidden=1))
    activate(idle, [0, "aim"], ["none"])
    assert idle.model(1).marks("hidden") == 1


@pytest.mark.covers("hide/state", "end-phase/kept")
def test_hiding_and_alert_last_from_turn_to_turn() -> None:
    position = alone(a("raider", at=(60, 50), hidden=1, alert=1))
    play(end_phase(position))
    assert (position.model(0).marks("hidden"), position.model(0).marks("alert")) == (1, 1)


@pytest.mark.covers("hide/state")
@pytest.mark.parametrize("hidden", [0, 1])
def test_a_hidden_model_is_no_target(hidden: int) -> None:
    position = table(a("frost_hunter", at=(60, 50)), spent(hidden=hidden), spent(at=(70, 80), commander=1))
    assert bool(refused(position, 0, "fire", 0, 1)) is bool(hidden)


@pytest.mark.covers("hide/bonus", "hide/state")
@pytest.mark.parametrize("name", ["fire", "suppressive-fire"])
def test_a_shot_from_hiding_hits_more_easily_and_the_next_one_does_not(name: str) -> None:
    position = alone(a("frost_hunter", at=(60, 50), hidden=1))
    assert least(activate(position, [0, name, 0, 1], dice="1 1")) == 3
    assert least(activate(position, [0, name, 0, 1], dice="1 1")) == 4


@pytest.mark.covers("hide/bonus", "weapon-rules/thrown")
@pytest.mark.parametrize(("hidden", "number"), [(0, 5), (1, 4)])
def test_a_throw_from_hiding_hits_more_easily(hidden: int, number: int) -> None:
    position = alone(a("raider", at=(60, 50), hidden=hidden))
    assert least(activate(position, [0, "fire", 1], dice="1")) == number


@pytest.mark.covers("hide/bonus")
def test_aiming_first_loses_the_bonus_of_hiding() -> None:
    position = alone(a("frost_hunter", at=(60, 50), hidden=1))
    activate(position, [0, "aim"])
    assert least(activate(position, [0, "fire", 0, 1], dice="1 1")) == 3
    assert least(activate(position, [0, "fire", 0, 1], dice="1 1")) == 4


# ---------------------------------------------------------------- alert/*


@pytest.mark.covers("alert/condition", "battlefield/in-terrain")
@pytest.mark.parametrize(
    ("kind", "y", "rule"), [("bog", 50, ""), ("ruin", 57.30, ""), ("ruin", 57.31, "alert/condition")]
)
def test_a_model_goes_on_alert_in_contact_with_any_piece(kind: str, y: float, rule: str) -> None:
    position = alone(a("raider", at=(60, 50)), pieces=[piece(kind, 60, y)])
    assert why_not(position, 0, "alert") == rule
    if rule == "":
        activate(position, [0, "alert"])
        assert (position.model(0).marks("alert"), position.model(0).marks("charisma")) == (1, 1)


@pytest.mark.covers("alert/condition")
def test_only_the_contact_is_needed_to_go_on_alert() -> None:
    position = table(a("raider", at=(60, 50)), spent(at=(60, 54)), pieces=[piece("rubble", 60, 45)])
    assert why_not(position, 0, "alert") == ""
    assert why_not(position, 0, "hide") == "hide/condition"


@pytest.mark.covers("alert/penalty", "fire/mod-obscured")
@pytest.mark.parametrize(("alert", "wall", "number"), [(0, 76.5, 5), (1, 76.5, 6), (1, 20, 4), (0, 20, 4)])
@pytest.mark.parametrize("name", ["fire", "suppressive-fire"])
def test_an_alert_model_that_is_obscured_is_harder_to_hit(alert: int, wall: float, number: int, name: str) -> None:
    target = spent(alert=alert)
    position = table(a("frost_hunter", at=(60, 50)), target, pieces=[piece("low_wall", 60, wall)])
    assert least(activate(position, [0, name, 0, 1], dice="1 1")) == number


@pytest.mark.covers("alert/penalty", "reaction-fire/basic")
def test_alert_helps_against_reaction_fire_too() -> None:
    actor = a("raider", at=(60, 50), alert=1)
    position = table(actor, a("frost_hunter", 1, at=(60, 78)), pieces=[piece("low_wall", 60, 54)])
    played = activate(position, [0, "aim"], ["reaction-fire"], dice="1 1")
    assert least(played) == 6
    need = played.questions[-1].needed  # type: ignore[attr-defined]
    assert sum(part.value for part in need.parts) == -3


@pytest.mark.covers("alert/end")
@pytest.mark.parametrize(
    ("action", "alert"),
    [([0, "move", "walk", way((60, 51))], 0), ([0, "move", "walk", way(facing=90)], 1), ([0, "fire", 0, 1], 1)],
)
def test_moving_ends_the_alert_and_turning_or_shooting_does_not(action: list[Any], alert: int) -> None:
    position = alone(a("frost_hunter", at=(60, 50), alert=1))
    activate(position, action, dice="1 1" if action[1] == "fire" else "")
    assert position.model(0).marks("alert") == alert


@pytest.mark.covers("alert/end")
@pytest.mark.parametrize(
    ("reaction", "answers", "alert"),
    [
        ("countermove", ("turn", 0), 1),
        ("countermove", ("move", way((60, 81), facing=None)), 0),
        ("fall-back", (0,), 0),
    ],
)
def test_reactions_that_move_end_the_alert(reaction: str, answers: tuple[Any, ...], alert: int) -> None:
    position = table(a("raider", at=(60, 50)), a("frost_hunter", 1, at=(60, 80), alert=1))
    activate(position, [0, "aim"], [reaction], *answers)
    assert position.model(1).marks("alert") == alert


# ---------------------------------------------------------------- aim/bonus


def hunter(**more: Any) -> Position:
    return alone(a("frost_hunter", at=(60, 50), charisma=6, **more))


@pytest.mark.covers("aim/bonus")
@pytest.mark.parametrize("name", ["fire", "suppressive-fire"])
def test_an_aimed_shot_hits_more_easily_once(name: str) -> None:
    position = hunter()
    activate(position, [0, "aim"])
    assert position.model(0).marks("charisma") == 5
    assert least(activate(position, [0, name, 0, 1], dice="1 1")) == 3
    assert least(activate(position, [0, name, 0, 1], dice="1 1")) == 4


@pytest.mark.covers("aim/bonus", "weapon-rules/thrown")
@pytest.mark.parametrize(("aims", "number"), [(0, 5), (1, 4)])
def test_a_throw_may_be_aimed(aims: int, number: int) -> None:
    position = alone(a("raider", at=(60, 50)))
    for _ in range(aims):
        activate(position, [0, "aim"])
    assert least(activate(position, [0, "fire", 1], dice="1")) == number


@pytest.mark.covers("aim/bonus", "fatigue/gain", "fatigue/effects")
def test_aiming_twice_does_not_add_up() -> None:
    position = hunter()
    activate(position, [0, "aim"])
    activate(position, [0, "aim"])
    position.model(0).mark("fatigue", 0)
    assert least(activate(position, [0, "fire", 0, 1], dice="1 1")) == 3


@pytest.mark.covers("aim/bonus")
@pytest.mark.parametrize("row", [0, 1])
def test_any_action_in_between_loses_the_aim(row: int) -> None:
    others = a("raider", at=(20, 20), commander=1)
    position = alone(a("frost_hunter", at=(60, 50)), others)
    activate(position, [0, "aim"])
    activate(position, [row, "move", "walk", STAY])
    assert least(activate(position, [0, "fire", 0, 2], dice="1 1")) == 4


@pytest.mark.covers("aim/bonus")
def test_the_aim_is_the_own_one() -> None:
    position = alone(a("frost_hunter", at=(60, 50)), a("frost_hunter", at=(65, 50), commander=1))
    activate(position, [0, "aim"])
    assert least(activate(position, [1, "fire", 0, 2], dice="1 1")) == 4


@pytest.mark.covers("aim/bonus")
def test_reactions_in_between_do_not_spoil_it_nor_does_it_serve_reaction_fire() -> None:
    position = table(a("frost_hunter", at=(60, 50)), a("frost_hunter", 1, at=(60, 80), charisma=5))
    played = activate(position, [0, "aim"], ["reaction-fire"], dice="1 1")
    assert least(played) == 5
    assert least(activate(position, [0, "fire", 0, 1], ["none"], dice="1 1")) == 3


@pytest.mark.covers("aim/bonus", "end-phase/cleanup")
def test_the_aim_is_gone_with_the_turn() -> None:
    position = hunter()
    activate(position, [0, "aim"])
    play(end_phase(position))
    assert position.declared.get("aimed") is None


@pytest.mark.covers("aim/bonus")
@pytest.mark.parametrize(("profile", "rule"), [("frost_hunter", ""), ("raider", ""), ("draugr", "aim/bonus")])
def test_who_has_nothing_to_shoot_does_not_aim(profile: str, rule: str) -> None:
    assert why_not(alone(a(profile, at=(60, 50))), 0, "aim") == rule


# ---------------------------------------------------------------- concentrate/bonus


CALL = [0, "ability", "spear_of_odin", 1]


def seer(*others: Figure, **more: Any) -> Position:
    return alone(a("rune_seer", at=(60, 50), charisma=8, **more), *others)


@pytest.mark.covers("concentrate/bonus", "ability-test/test")
def test_concentration_helps_the_test_of_the_next_ability_once() -> None:
    position = seer()
    activate(position, [0, "concentrate"])
    assert position.model(0).marks("charisma") == 7
    assert least(activate(position, CALL, dice="2 2 | 1 | 4 4"), "ability-test") == 4
    assert least(activate(position, CALL, dice="3 2 | 1 | 4 4"), "ability-test") == 5


@pytest.mark.covers("concentrate/bonus", "mental-duel/resolution")
@pytest.mark.parametrize(("concentrates", "is_blocked"), [(0, True), (1, False)])
def test_concentration_helps_the_duels_too(concentrates: int, is_blocked: bool) -> None:
    position = table(a("rune_seer", at=(60, 50)), a("mesmerist", 1, at=(60, 80)))
    for _ in range(concentrates):
        activate(position, [0, "concentrate"], ["none"])
    played = activate(position, CALL, ["mental-duel"], dice="3 3 | 1 3" + ("" if is_blocked else " | 1"))
    assert ("blocked" in played.kinds) is is_blocked


@pytest.mark.covers("concentrate/bonus")
@pytest.mark.parametrize("action", [[0, "move", "walk", STAY], [1, "move", "walk", STAY], [0, "concentrate"]])
def test_concentration_is_for_the_very_next_action(action: list[Any]) -> None:
    position = seer(a("raider", at=(20, 20), commander=1))
    call = [0, "ability", "spear_of_odin", 2]
    activate(position, [0, "concentrate"])
    activate(position, action)
    number = 4 if action == [0, "concentrate"] else 5
    assert least(activate(position, call, dice="3 3 | 1 | 4 4"), "ability-test") == number


@pytest.mark.covers("concentrate/bonus")
def test_concentration_is_no_help_to_a_defender() -> None:
    position = table(a("rune_seer", at=(60, 50)), a("mesmerist", 1, at=(60, 80)))
    position.declare("concentrated", 1)
    assert "blocked" not in activate(position, CALL, ["mental-duel"], dice="3 3 | 2 3 | 1").kinds


@pytest.mark.covers("concentrate/bonus", "ability-action/cost")
@pytest.mark.parametrize(("profile", "rule"), [("rune_seer", ""), ("raider", "concentrate/bonus")])
def test_who_has_no_ability_does_not_concentrate(profile: str, rule: str) -> None:
    position = alone(a(profile, at=(60, 50)))
    assert why_not(position, 0, "concentrate") == rule
    assert why_not(position, 0, "ability") == ("" if rule == "" else "ability-action/cost")


@pytest.mark.covers("ability-test/failure", "ability-action/cost")
def test_after_a_failed_test_no_ability_is_used_in_that_turn() -> None:
    position = seer(a("raider", at=(20, 20), commander=1))
    activate(position, [0, "ability", "spear_of_odin", 2], dice="2 2")
    assert why_not(position, 0, "ability") == "ability-test/failure"
    assert why_not(position, 0, "concentrate") == ""


# ---------------------------------------------------------------- First Aid, Recover


@pytest.mark.covers("first-aid/action", "out-of-action/recovery")
@pytest.mark.parametrize(("die", "wounds"), [(4, 1), (5, 0)])
@pytest.mark.parametrize("away", [2.5, 2.55])
def test_first_aid_heals_a_friend_in_contact(die: int, wounds: int, away: float) -> None:
    position = alone(a("raider", at=(60, 50), commander=1), a("raider", at=(60 + away, 50), wounds=1))
    activate(position, [0, "first-aid", 1], dice=str(die))
    assert (position.model(1).marks("wounds"), position.model(0).marks("charisma")) == (wounds, 1)


@pytest.mark.covers("first-aid/action")
@pytest.mark.parametrize(("x", "wounds"), [(62.56, 1), (62.5, 0)])
def test_first_aid_needs_a_wounded_friend_in_contact(x: float, wounds: int) -> None:
    position = alone(a("raider", at=(60, 50), commander=1), a("raider", at=(x, 50), wounds=wounds))
    assert why_not(position, 0, "first-aid") == "first-aid/action"


@pytest.mark.covers("first-aid/repair", "first-aid/action")
@pytest.mark.parametrize(("adds", "rule"), [((), "first-aid/action"), (("toolkit",), "")])
def test_a_machine_is_repaired_with_a_toolkit_only(adds: tuple[str, ...], rule: str) -> None:
    machine = a("anvil_turret", at=(63.25, 50), wounds=1)
    position = alone(a("steam_rifleman", at=(60, 50), adds=adds, commander=1), machine)
    assert why_not(position, 0, "first-aid") == rule
    if rule == "":
        assert activate(position, [0, "first-aid", 1], dice="5").rolls == ["repair"]


@pytest.mark.covers("first-aid/repair", "special/expert", "arsenal/equipment")
@pytest.mark.parametrize(
    ("profile", "adds", "expert", "number"),
    [
        ("mesmerist", (), "medicine", 3),
        ("steam_rifleman", (), "", 5),
        ("steam_rifleman", ("medkit",), "", 4),
        ("steam_rifleman", (), "mechanics", 5),
    ],
)
def test_medicine_and_the_medical_bag_help(profile: str, adds: tuple[str, ...], expert: str, number: int) -> None:
    medic = a(profile, at=(60, 50), adds=adds, changes={"expert": expert}, commander=0)
    position = alone(medic, a("raider", at=(62.5, 50), wounds=1, commander=1))
    assert least(activate(position, [0, "first-aid", 1], dice="1"), "first-aid") == number


@pytest.mark.covers("recover/effect", "recover/exclusive")
def test_recovering_takes_markers_away_and_is_the_only_action() -> None:
    tired = a("raider", at=(60, 50), charisma=4, morale=5, fatigue=6, suppressed=1)
    position = alone(tired)
    activate(position, [0, "recover"])
    model = position.model(0)
    assert (model.marks("morale"), model.marks("fatigue"), model.marks("suppressed")) == (2, 2, 0)
    model.mark("charisma", 3)
    assert why_not(position, 0, "move") == "recover/exclusive"
    assert why_not(position, 0, "recover") == "recover/exclusive"


@pytest.mark.covers("recover/exclusive")
def test_who_has_acted_does_not_recover() -> None:
    position = alone(a("raider", at=(60, 50)))
    assert why_not(position, 0, "recover") == ""
    activate(position, [0, "aim"])
    assert why_not(position, 0, "recover") == "recover/exclusive"


# ---------------------------------------------------------------- fatigue/*


@pytest.mark.covers("fatigue/gain", "fatigue/same-kind")
def test_from_the_second_use_on_every_use_leaves_a_marker() -> None:
    position = hunter()
    for use, fatigue in ((1, 0), (2, 1), (3, 2)):
        activate(position, [0, "move", "walk", STAY])
        assert (times_used(position.model(0), "move"), position.model(0).marks("fatigue")) == (use, fatigue)


@pytest.mark.covers("fatigue/gain", "fatigue/effects")
def test_the_repeated_action_is_made_without_the_marker_that_it_brings() -> None:
    position = hunter()
    for number in (4, 4, 5):
        assert least(activate(position, [0, "fire", 0, 1], dice="1 1")) == number


@pytest.mark.covers("fatigue/same-kind", "fatigue/gain")
def test_fire_with_another_weapon_is_still_fire() -> None:
    position = alone(a("frost_hunter", at=(60, 50), adds=["throwing_axe"]))
    activate(position, [0, "fire", 0, 1], dice="1 1")
    activate(position, [0, "fire", 2], dice="1")
    assert position.model(0).marks("fatigue") == 1


@pytest.mark.covers("fatigue/same-kind", "fatigue/gain")
def test_another_ability_is_still_ability() -> None:
    position = seer()
    activate(position, CALL, dice="3 3 | 1 | 4 4")
    activate(position, [0, "ability", "summoning"], dice="3 3 | 1")
    assert position.model(0).marks("fatigue") == 1


@pytest.mark.covers("fatigue/same-kind", "fatigue/gain")
def test_fire_suppressive_fire_move_and_charge_are_kinds_of_their_own() -> None:
    position = table(a("frost_hunter", at=(60, 50), charisma=9), spent(at=(60, 70)))
    activate(position, [0, "fire", 0, 1], dice="1 1")
    activate(position, [0, "suppressive-fire", 0, 1], dice="1 1")
    activate(position, [0, "move", "walk", STAY])
    activate(position, [0, "charge", 1, way((60, 67.25))], 0, dice="1 1")
    assert position.model(0).marks("fatigue") == 0


@pytest.mark.covers("fatigue/same-kind", "fatigue/gain")
def test_fire_and_reaction_fire_move_and_countermove_are_kinds_of_their_own() -> None:
    position = table(a("raider", at=(60, 50)), a("frost_hunter", 1, at=(60, 80), charisma=9))
    for kind in ("fire", "move", "charge"):
        position.model(1).mark(f"used-{kind}", 1)
    activate(position, [0, "aim"], ["reaction-fire"], dice="1 1")
    activate(position, [0, "move", "walk", STAY], ["countermove"], "turn", 180)
    assert position.model(1).marks("fatigue") == 0


@pytest.mark.covers("fatigue/gain", "end-phase/cleanup")
def test_uses_are_counted_anew_in_every_turn() -> None:
    position = hunter()
    activate(position, [0, "move", "walk", STAY])
    play(end_phase(position))
    activate(position, [0, "move", "walk", STAY])
    assert position.model(0).marks("fatigue") == 0


@pytest.mark.covers("fatigue/limit")
@pytest.mark.parametrize(("fatigue", "rule"), [(2, ""), (3, "fatigue/limit"), (4, "fatigue/limit")])
def test_an_exhausted_model_may_only_recover(fatigue: int, rule: str) -> None:
    position = alone(a("frost_hunter", at=(60, 50), fatigue=fatigue), pieces=[piece("ruin", 60, 44)])
    assert is_exhausted(position.model(0)) is (rule != "")
    names = ("move", "fire", "suppressive-fire", "hide", "alert", "aim")
    assert {why_not(position, 0, name) for name in names} == {rule}
    assert why_not(position, 0, "recover") == ""


@pytest.mark.covers("fatigue/limit")
@pytest.mark.parametrize(("fatigue", "rule"), [(2, ""), (3, "fatigue/limit")])
def test_not_even_engaged_an_exhausted_model_uses_abilities(fatigue: int, rule: str) -> None:
    position = table(a("rune_seer", at=(60, 50), fatigue=fatigue), spent(at=(60, 52.75)))
    assert why_not(position, 0, "ability") == rule
    assert why_not(position, 0, "concentrate") == rule


@pytest.mark.covers("fatigue/limit", "recover/exclusive")
def test_a_model_that_exhausts_itself_recovers_in_its_next_turn() -> None:
    position = alone(a("frost_hunter", at=(60, 50), fatigue=2))
    position.model(0).mark("used-aim", 1)
    activate(position, [0, "aim"])
    assert why_not(position, 0, "move") == "fatigue/limit"
    assert why_not(position, 0, "recover") == "recover/exclusive"
    play(end_phase(position))
    assert why_not(position, 0, "recover") == ""
