"""The reactions one by one: Countermove, Fall Back, Reaction Fire, Countercharge, Go Prone, Mental Duel."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.telling.teller import Teller
from campale.rulesets.ragnarok.close_combat.charge import begin_charge, dice_needed, onsets
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged, opponents
from campale.rulesets.ragnarok.close_combat.melee import melee_phase
from campale.rulesets.ragnarok.morale.falling_back import own_edge, would_leave
from campale.rulesets.ragnarok.shooting.fire import Shot, aiming_of, to_hit
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import (
    REACTIONS,
    SELDOM,
    cannot_move,
    carry_out_last,
    has_nothing_to_shoot,
    is_down,
    is_engaged_already,
    is_no_duellist,
    is_spent,
    lies_prone,
    lose,
    odds_of,
    shots_allowed,
)
from campale.rulesets.ragnarok.turn.sequence import end_phase
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from tests.rulesets.ragnarok.kit import (
    Figure,
    Played,
    a,
    activate,
    marks,
    piece,
    play,
    question_after,
    refused,
    table,
    way,
)

HUNTER = a("frost_hunter", 1, at=(60, 80))
AIM = [0, "aim"]
STAY = [0, "move", "walk", way()]
FAR = a("raider", 1, at=(10, 110), facing=0, commander=1)


def against(reactor: Figure = HUNTER, actor: Figure | None = None, **more: Any) -> Position:
    """A raider at (60, 50) that acts, and one enemy, 27.5 cm away unless it is said otherwise."""
    return table(actor or a("raider", at=(60, 50)), reactor, **more)


def last_question(position: Position, *answers: Any, dice: str = "") -> Any:
    return question_after(tactical_phase(position), dice, answers)


def is_offered(position: Position, reaction: str, action: list[Any] = AIM) -> bool:
    """Whether the only reactor may declare this reaction."""
    question = last_question(position.copy(), action)
    return question.prompt == "reactions" and question.refusal([reaction]) is None


def test_what_is_answered_is_shown() -> None:
    """The way that was declared, and at whom an action is aimed."""
    walked = last_question(against(), [0, "move", "walk", way((60, 55))]).about["shown"]
    assert walked == {"route": [[60.0, 50.0], [60.0, 55.0]], "movers": [0]}
    assert last_question(against(), AIM).about["shown"] == {}
    shot = last_question(against(a("raider", 1, at=(60, 75)), a("frost_hunter", at=(60, 50))), [0, "fire", 0, 1])
    assert shot.about["shown"] == {"aims": [[0, 1]]}


@pytest.mark.covers("tactical/points-spent", "suppression/effect", "control-area/free-reaction")
@pytest.mark.parametrize(
    ("away", "suppressed", "told"),
    [
        (12.6, 0, "Frost Hunter (2 of 4 CAR)"),
        (12.6, 1, "Frost Hunter (4 of 4 CAR)"),
        (12.5, 0, "Frost Hunter (0 of 4 CAR)"),
        (12.5, 1, "Frost Hunter (0 of 4 CAR)"),
    ],
)
def test_who_may_react_is_told_what_it_costs(away: float, suppressed: int, told: str) -> None:
    position = against(a("frost_hunter", 1, at=(60, 50 + away), charisma=4, suppressed=suppressed))
    teller = Teller(position.ruleset, "en", ("Raider", "Frost Hunter"), position.unit_names, (), position.profiles)
    assert teller.question(last_question(position, AIM).field([])) == told


def lost(played: Played) -> list[str]:
    return [event.values["reaction"] for event in played.events if event.kind == "reaction-lost"]


def least(question: Any) -> int:
    """The least face that meets the number asked of a die."""
    return next(face for face in range(1, 7) if question.needed.is_met_by(face))


# ---------------------------------------------------------------- reactions/list, reactions/engaged


@pytest.mark.covers("reactions/list", "tactical/points-spent", "fatigue/gain", "fatigue/same-kind")
def test_a_reaction_costs_two_points_and_tires_from_the_second_time_on() -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), charisma=6))
    for reaction, points, fatigue in (("countermove", 4, 0), ("reaction-fire", 2, 0), ("countermove", 0, 1)):
        details = ("turn", 180) if reaction == "countermove" else ()
        activate(
            position,
            AIM if reaction == "reaction-fire" else STAY,
            [reaction],
            *details,
            dice="1 1" if not details else "",
        )
        position.model(0).mark("charisma", 3)
        assert (position.model(1).marks("charisma"), position.model(1).marks("fatigue")) == (points, fatigue)


@pytest.mark.covers("reactions/engaged", "prone/state", "fatigue/limit", "out-of-action/state", "special/immobile")
@pytest.mark.parametrize(
    ("restriction", "mark", "value"),
    [(is_down, "wounds", 1), (lies_prone, "prone", 3), (is_spent, "fatigue", 3)],
)
def test_what_keeps_a_model_from_reacting(restriction: Any, mark: str, value: int) -> None:
    assert restriction(against().model(1)) is None
    position = against()
    position.model(1).mark(mark, value)
    assert restriction(position.model(1)) is not None
    assert last_or_none(position) is None


def last_or_none(position: Position) -> str | None:
    """What is asked of the other side after an action, if anything."""
    rule = tactical_phase(position)
    first = rule.send(None)
    try:
        return str(rule.send(first.understood(AIM)).prompt)
    except StopIteration:
        return None


@pytest.mark.covers("reactions/engaged")
@pytest.mark.parametrize(("x", "may_react"), [(62.5, False), (62.6, True)])
def test_an_engaged_model_cannot_react_in_any_way(x: float, may_react: bool) -> None:
    brawler = a("raider", at=(x, 80), commander=1)
    position = table(a("raider", at=(60, 50)), HUNTER, brawler)
    assert (is_engaged_already(position.model(1)) is None) is may_react
    assert (last_or_none(position) == "reactions") is may_react


@pytest.mark.covers("reactions/engaged", "charge/engagement")
def test_the_target_of_a_charge_is_not_yet_engaged_when_it_reacts() -> None:
    position = against(a("frost_hunter", 1, at=(60, 65)))
    begin_charge(position.model(0))
    position.model(0).move_to(60, 62.5)
    assert not is_engaged(position.model(1))
    position.declare("charging", None)
    position.cache.clear()
    assert is_engaged(position.model(1))


# ---------------------------------------------------------------- countermove/move


@pytest.mark.covers("countermove/move", "rounding/up")
@pytest.mark.parametrize(
    ("profile", "y", "rule"), [("frost_hunter", 73, ""), ("frost_hunter", 72.99, "move/allowance")]
)
def test_a_countermove_is_half_of_m_rounded_up(profile: str, y: float, rule: str) -> None:
    question = last_question(against(), AIM, ["countermove"], "move")
    refusal = question.refusal(way((60, y), facing=None))
    assert ("" if refusal is None else refusal.rule) == rule


@pytest.mark.covers("countermove/move")
def test_a_countermove_comes_at_the_end_of_the_action_and_keeps_the_facing() -> None:
    position = against()
    action = [0, "move", "walk", way((60, 60))]
    played = activate(position, action, ["countermove"], "move", way((63, 78), facing=None))
    assert played.prompts == ["act", "reactions", "countermove", "countermove-path"]
    assert [event.values["model"] for event in played.events if event.kind == "move"] == [0, 1]
    assert (position.model(1).at, position.model(1).facing) == ((63, 78), 180)


@pytest.mark.covers("countermove/move")
def test_a_model_that_countermoves_either_moves_or_turns() -> None:
    question = last_question(against(), AIM, ["countermove"], "move")
    assert question.refusal(way((63, 78), facing=90)).rule == "countermove/move"
    position = against()
    activate(position, AIM, ["countermove"], "turn", 90)
    assert (position.model(1).at, position.model(1).facing) == ((60, 80), 90)


@pytest.mark.covers("countermove/move", "move/rough", "fatigue/effects")
@pytest.mark.parametrize(("dice", "y"), [("1 | 3", 75), ("2 | 3", 76), ("6 | 6", 79)])
def test_rough_ground_and_fatigue_shorten_m_before_it_is_halved(dice: str, y: float) -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), fatigue=1), pieces=[piece("bog", 60, 80)])
    played = activate(position, AIM, ["countermove"], "move", way((60, 73), facing=None), dice=dice)
    assert played.rolls == ["rough-ground", "fatigue"]
    assert position.model(1).at == (60, y)


@pytest.mark.covers("countermove/move", "move/one-cm")
@pytest.mark.parametrize(("y", "rule"), [(75.5, ""), (75.49, "move/one-cm")])
def test_a_countermove_follows_the_rules_of_the_move(y: float, rule: str) -> None:
    position = against(actor=a("raider", at=(60, 72)))
    refusal = last_question(position, AIM, ["countermove"], "move").refusal(way((60, y), facing=None))
    assert ("" if refusal is None else refusal.rule) == rule


@pytest.mark.covers("countermove/move", "charge/engagement")
def test_a_model_that_a_charge_has_reached_may_only_turn() -> None:
    position = against(a("frost_hunter", 1, at=(60, 75.5)))
    charge = [0, "charge", 1, way((60, 73), facing=None)]
    played = activate(position, charge, ["countermove"], 90, dice="5 5")
    assert played.prompts == ["act", "reactions", "facing"]
    assert (position.model(1).at, position.model(1).facing) == ((60, 75.5), 90)
    assert is_engaged(position.model(1))


@pytest.mark.covers("countermove/move", "charge/engagement")
def test_a_model_that_a_charge_has_not_reached_may_move() -> None:
    position = against(a("frost_hunter", 1, at=(60, 75.5)))
    charge = [0, "charge", 1, way((60, 73), facing=None)]
    played = activate(position, charge, ["countermove"], 0, "move", way((60, 80), facing=None), dice="5 4")
    assert played.prompts == ["act", "reactions", "facing", "countermove", "countermove-path"]
    assert position.model(1).at == (60, 80)


@pytest.mark.covers("countermove/move", "special/immobile", "weapon-rules/salvo")
@pytest.mark.parametrize(("rules", "salvoed", "may_move"), [((), 0, True), (("immobile",), 0, False), ((), 1, False)])
def test_immobile_models_and_those_that_shot_a_salvo_only_turn(rules: Any, salvoed: int, may_move: bool) -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), rules=rules, salvoed=salvoed))
    question = last_question(position, AIM, ["countermove"])
    assert question.prompt == ("countermove" if may_move else "facing")


# ---------------------------------------------------------------- fall-back/*


@pytest.mark.covers("fall-back/move")
def test_a_model_falls_back_twice_m_straight_at_its_own_edge_and_goes_prone() -> None:
    position = against()
    played = activate(position, STAY, ["fall-back"], 200)
    assert played.prompts == ["act", "reactions", "facing"]
    model = position.model(1)
    assert (model.at, model.facing, model.marks("prone")) == ((60, 106), 200, 4)


@pytest.mark.covers("fall-back/move", "exploration/choose-side")
@pytest.mark.parametrize(
    ("edge", "at"), [("north", (60, 106)), ("south", (60, 54)), ("west", (34, 80)), ("east", (86, 80))]
)
def test_the_own_edge_is_that_of_its_side(edge: str, at: tuple[float, float]) -> None:
    position = against(actor=a("raider", at=(20, 20)), reactor=a("frost_hunter", 1, at=(60, 80), facing=220))
    position.hold(1, "edge", (edge,))
    assert own_edge(position.model(1)) == edge
    activate(position, AIM, ["fall-back"], 0)
    assert position.model(1).at == at


@pytest.mark.covers("fall-back/move", "move/rough", "fatigue/effects")
def test_rough_ground_and_fatigue_shorten_m_before_it_is_doubled() -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), fatigue=1), pieces=[piece("bog", 60, 100)])
    played = activate(position, AIM, ["fall-back"], 0, dice="2 | 3")
    assert played.rolls == ["rough-ground", "fatigue"]
    assert position.model(1).at == (60, 96)


@pytest.mark.covers("fall-back/move", "move/rough")
@pytest.mark.parametrize(("bogs", "rolls"), [([(60, 103)], []), ([(49, 97), (71, 97)], ["rough-ground"])])
def test_rough_ground_counts_on_the_way_round_what_bars_the_straight_line(bogs: Any, rolls: list[str]) -> None:
    position = against(pieces=[piece("workshop", 60, 92), *(piece("bog", *at) for at in bogs)])
    played = play(tactical_phase(position), "3" if rolls else "", [AIM, ["fall-back"]], position, accepting=True)
    assert played.rolls == rolls


@pytest.mark.covers("fall-back/table-edge", "fall-back/move")
@pytest.mark.parametrize(("y", "is_removed"), [(100, True), (92.75, True), (92.74, False)])
def test_a_model_whose_base_reaches_its_own_edge_is_a_loss(y: float, is_removed: bool) -> None:
    leader = a("raider", 1, at=(10, 110), facing=0, commander=1)
    position = table(a("raider", at=(60, 60)), a("frost_hunter", 1, at=(60, y)), leader)
    played = activate(position, AIM, ["fall-back"], *(() if is_removed else (0,)))
    assert position.model(1).is_on_table is not is_removed
    assert [loss.cause for loss in position.losses] == ["table-edge"] * is_removed
    assert ("facing" in played.prompts) is not is_removed


@pytest.mark.covers("fall-back/table-edge", "fall-back/move")
@pytest.mark.parametrize(("y", "leaves"), [(92.75, True), (92.74, False)])
def test_whoever_draws_lots_seldom_falls_back_off_the_table(y: float, leaves: bool) -> None:
    position = against(a("frost_hunter", 1, at=(60, y)))
    reactor, actor = position.model(1), position.model(0)
    assert would_leave(reactor) is leaves
    assert odds_of(reactor, actor, actor.at) == {"countercharge": SELDOM} | ({"fall-back": SELDOM} if leaves else {})


@pytest.mark.covers("charge/distance")
@pytest.mark.parametrize(("end", "needed"), [(57.5, 7.0), (57.4, 7.1)])
def test_whoever_draws_lots_seldom_charges_at_one_who_will_be_far_away(end: float, needed: float) -> None:
    position = against()
    reactor, actor = position.model(1), position.model(0)
    assert dice_needed(reactor, (60, end), actor.profile.base_radius) == pytest.approx(needed)
    assert odds_of(reactor, actor, (60, end)).get("countercharge", 1.0) == (SELDOM if needed > 7 else 1.0)


@pytest.mark.covers("tactical/reaction-eligibility")
def test_every_reaction_may_be_drawn_all_the_same() -> None:
    question = last_question(against(a("frost_hunter", 1, at=(60, 100))), AIM)
    rng = Random(3)
    drawn = Counter(question.sample(rng)[0] for _ in range(2000))
    assert {"none", "countermove", "fall-back", "countercharge"} <= set(drawn)
    assert min(drawn["none"], drawn["countermove"]) > 5 * max(drawn["fall-back"], drawn["countercharge"])


@pytest.mark.covers("fall-back/table-edge")
def test_only_the_own_edge_is_deadly() -> None:
    position = against(a("frost_hunter", 1, at=(118.75, 80), facing=270), actor=a("raider", at=(60, 80)))
    activate(position, AIM, ["fall-back"], 0)
    assert position.model(1).at == (118.75, 106)


@pytest.mark.covers("fall-back/move", "move/no-crossing")
def test_where_the_straight_line_is_barred_it_takes_the_way_that_ends_nearest_to_the_edge() -> None:
    position = against(pieces=[piece("boulder", 60, 90)])
    question = last_question(position, AIM, ["fall-back"])
    assert question.prompt == "fall-back-to"
    places = question.options()
    assert len({round(y, 2) for _, y in places}) == 1
    assert 104 < places[0][1] < 106
    assert len(places) > 1


@pytest.mark.covers("fall-back/move", "move/no-crossing")
def test_the_owner_chooses_among_places_equally_near() -> None:
    position = against(pieces=[piece("boulder", 60, 90)])
    places = last_question(position.copy(), AIM, ["fall-back"]).options()
    activate(position, AIM, ["fall-back"], places[1], 0)
    assert list(position.model(1).at) == pytest.approx(list(places[1]))
    assert position.model(1).marks("prone") == 4


@pytest.mark.covers("fall-back/move", "move/one-cm")
@pytest.mark.parametrize(("x", "is_straight"), [(63.5, True), (63.4, False)])
def test_the_way_back_keeps_one_centimetre_from_enemies(x: float, is_straight: bool) -> None:
    position = table(a("raider", at=(60, 50), commander=1), HUNTER, a("raider", at=(x, 90)))
    activate(position, AIM, ["fall-back"], 0)
    assert (position.model(1).at == (60, 106)) is is_straight
    assert 105 < position.model(1).y <= 106


@pytest.mark.covers("fall-back/from-charge", "fall-back/move", "charge/engagement")
def test_a_charged_model_leaves_contact_and_the_charger_stays_without_its_bonus() -> None:
    position = against(a("frost_hunter", 1, at=(60, 65)))
    charge = [0, "charge", 1, way((60, 62.5), facing=None)]
    activate(position, charge, ["fall-back"], 180, dice="1 1")
    assert position.model(0).at == (60, 62.5)
    assert (position.model(1).at, position.model(1).marks("prone")) == ((60, 91), 4)
    assert not is_engaged(position.model(0))
    assert (position.model(0).marks("charged"), onsets(position)) == (0, [])


@pytest.mark.covers("fall-back/from-charge")
def test_a_model_that_the_charge_did_not_reach_falls_back_all_the_same() -> None:
    position = against(a("frost_hunter", 1, at=(60, 70)))
    charge = [0, "charge", 1, way((60, 67.5), facing=None)]
    activate(position, charge, ["fall-back"], 0, 180, dice="1 1")
    assert (position.model(0).at, position.model(1).at) == ((60, 63), (60, 96))


@pytest.mark.covers("fall-back/from-charge", "charge/engagement")
def test_the_charge_keeps_its_bonus_when_the_charger_touches_another_enemy() -> None:
    pocket = [a("raider", 1, at=at, fatigue=4) for at in ((57.6, 71.5), (62.4, 71.5))]
    pocket[0].marks["commander"] = 1
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, 72.5)), *pocket)
    charge = [0, "charge", 1, way((59.621, 70.027), facing=None)]
    activate(position, charge, ["fall-back"], 180, dice="6 6")
    assert position.model(1).at == (60, 98.5)
    assert [enemy.row for enemy in opponents(position.model(0))] == [2]
    assert position.model(0).marks("charged") == 1


@pytest.mark.covers("fall-back/move", "special/immobile", "weapon-rules/salvo", "countercharge/basic")
@pytest.mark.parametrize(("rules", "salvoed", "offered"), [((), 0, True), (("immobile",), 0, False), ((), 1, False)])
@pytest.mark.parametrize("reaction", ["fall-back", "countercharge"])
def test_immobile_models_and_those_that_shot_a_salvo_are_not_offered_to_run(
    rules: Any, salvoed: int, offered: bool, reaction: str
) -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), rules=rules, salvoed=salvoed))
    assert is_offered(position, reaction) is offered
    assert (cannot_move(position.model(1)) is None) is not bool(rules)
    refusal = last_question(position, AIM).refusal([reaction])
    why = None if offered else "special/immobile" if rules else "weapon-rules/salvo"
    assert (None if refusal is None else refusal.rule) == why


@pytest.mark.covers("tactical/lost-reactions", "tactical/resolution-order")
@pytest.mark.parametrize(
    ("dice", "asked", "lost_ones"), [("4 1", [], ["reaction-fire"]), ("1 1", ["reaction-order"], [])]
)
def test_only_reactions_that_the_action_has_left_are_put_in_order(
    dice: str, asked: list[str], lost_ones: list[str]
) -> None:
    """A hunter out of action reacts no more; the turn of the other one is then the only reaction left."""
    hunters = a("frost_hunter", 1, at=(60, 80), commander=1), a("frost_hunter", 1, at=(70, 80))
    position = table(a("steam_rifleman", at=(60, 50)), *hunters)
    shot = [[0, "fire", 0, 1, "plain"], ["reaction-fire", "countermove"]]
    answers = [*shot, *([[2, 1]] if asked else []), "turn", 180]
    played = play(tactical_phase(position), f"{dice} {'' if lost_ones else '1 1'}", answers, position)
    assert [one for one in played.prompts if one == "reaction-order"] == asked
    assert lost(played) == lost_ones


@pytest.mark.covers("weapon-profile/classes", "profile/hit-numbers")
def test_who_has_nothing_to_shoot_with_is_told_so() -> None:
    unarmed = against(a("draugr", 1, at=(60, 80), commander=1))
    assert last_question(unarmed, AIM).refusal(["reaction-fire"]).rule == "weapon-profile/classes"
    assert last_question(against(), AIM).refusal(["reaction-fire"]) is None


# ---------------------------------------------------------------- reaction-fire/*


@pytest.mark.covers("reaction-fire/basic")
@pytest.mark.parametrize(("y", "number"), [(80, 5), (67.5, 4)])
def test_reaction_fire_is_a_fire_with_one_less_to_hit(y: float, number: int) -> None:
    position = against(a("frost_hunter", 1, at=(60, y)))
    played = activate(position, STAY, ["reaction-fire"], dice="1 1")
    assert played.rolls == ["to-hit"]
    shot = played.questions[-1]
    assert (least(shot), shot.count) == (number, 2)  # type: ignore[attr-defined]


@pytest.mark.covers("reaction-fire/basic", "fire/sequence", "hide/bonus")
@pytest.mark.parametrize(("hidden", "number"), [(0, 5), (1, 4)])
def test_reaction_fire_from_hiding_hits_more_easily(hidden: int, number: int) -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), hidden=hidden))
    played = activate(position, AIM, ["reaction-fire"], dice="1 1")
    assert least(played.questions[-1]) == number
    assert position.model(1).marks("hidden") == 0


@pytest.mark.covers("reaction-fire/basic", "tactical/lost-reactions")
@pytest.mark.parametrize(("x", "is_lost"), [(54, False), (56, True)])
def test_reaction_fire_needs_sight_of_where_the_actor_has_ended(x: float, is_lost: bool) -> None:
    position = against(actor=a("raider", at=(48, 50)), pieces=[piece("boulder", 60, 60)])
    played = activate(position, [0, "move", "walk", way((x, 50))], ["reaction-fire"], dice="" if is_lost else "1 1")
    assert lost(played) == ["reaction-fire"] * is_lost


@pytest.mark.covers("reaction-fire/basic", "hide/state", "tactical/lost-reactions")
def test_a_model_that_has_just_hidden_is_not_shot() -> None:
    played = activate(against(pieces=[piece("rubble", 60, 50)]), [0, "hide"], ["reaction-fire"])
    assert lost(played) == ["reaction-fire"]


@pytest.mark.covers("reaction-fire/basic", "overlap/friend-covers", "tactical/lost-reactions")
@pytest.mark.parametrize(("y", "is_lost"), [(67.4, True), (67.5, False)])
def test_a_friend_in_the_way_loses_it_unless_it_stands_in_the_control_area(y: float, is_lost: bool) -> None:
    friend = a("raider", 1, at=(60, y), facing=0, charisma=0, commander=1)
    position = table(a("raider", at=(60, 50)), HUNTER, friend)
    played = activate(position, AIM, ["reaction-fire"], dice="" if is_lost else "1 1")
    assert lost(played) == ["reaction-fire"] * is_lost


@pytest.mark.covers("reaction-fire/basic", "overlap/enemy-covers")
def test_enemies_in_the_way_call_for_the_screening_die() -> None:
    position = table(a("raider", at=(60, 50)), HUNTER, a("raider", at=(60, 65), commander=1))
    played = activate(position, AIM, ["reaction-fire"], dice="4 | 1 1")
    assert played.rolls == ["screen", "to-hit"]


@pytest.mark.covers("reaction-fire/basic", "vision/engaged-targets", "tactical/lost-reactions")
def test_an_engaged_actor_is_not_shot_at() -> None:
    brawl = a("raider", 1, at=(60, 52.5), commander=1)
    position = table(a("rune_seer", at=(60, 50)), HUNTER, brawl)
    played = activate(position, [0, "concentrate"], ["reaction-fire"])
    assert lost(played) == ["reaction-fire"]
    assert played.rolls == []


@pytest.mark.covers("reaction-fire/basic", "weapon-rules/thrown")
def test_a_thrown_weapon_may_be_used_at_the_acting_model_only() -> None:
    bystander = a("frost_hunter", at=(62.6, 60), commander=1)
    position = table(a("frost_hunter", at=(60, 60)), a("raider", 1, at=(60, 80)), bystander)
    played = activate(position, STAY, ["reaction-fire"], dice="6 | 1 1 | 2")
    assert played.prompts == ["act", "reactions"]
    assert played.rolls == ["to-hit", "throw-distance", "lethal"]
    assert [model.marks("wounds") for model in position.models] == [1, 0, 0]


@pytest.mark.covers("reaction-fire/basic", "weapon-profile/classes", "profile/hit-numbers")
@pytest.mark.parametrize(("profile", "offered"), [("frost_hunter", True), ("raider", True), ("draugr", False)])
def test_reaction_fire_is_for_models_with_something_to_shoot_or_throw(profile: str, offered: bool) -> None:
    position = against(a(profile, 1, at=(60, 80)))
    assert is_offered(position, "reaction-fire") is offered
    assert (has_nothing_to_shoot(position.model(1)) is None) is offered


@pytest.mark.covers("reaction-fire/basic", "weapon-profile/classes")
def test_the_weapon_and_its_doubling_are_chosen_when_it_is_carried_out() -> None:
    armed = a("steam_rifleman", 1, at=(60, 80), adds=["boiler_pistol"])
    played = activate(against(armed), STAY, ["reaction-fire"], 0, "steam", dice="2 2 2 2")
    assert played.prompts == ["act", "reactions", "reaction-weapon", "doubling"]


@pytest.mark.covers("opt-ammo/spending")
@pytest.mark.parametrize(("ammunition", "rule"), [(2, ""), (1, "opt-ammo/spending")])
def test_no_more_shots_are_declared_together_than_there_is_ammunition(ammunition: int, rule: str) -> None:
    hunters = a("frost_hunter", 1, at=(50, 80), commander=1), a("frost_hunter", 1, at=(70, 80))
    position = table(a("raider", at=(60, 50)), *hunters, options={"ammunition": True})
    position.gain(1, "ammunition", ammunition)
    assert shots_allowed(position.model(1)) == ammunition
    refusal = last_question(position, AIM).refusal(["reaction-fire", "reaction-fire"])
    assert ("" if refusal is None else refusal.rule) == rule
    assert shots_allowed(against().model(1)) > 100


@pytest.mark.covers("reaction-fire/against-charge", "charge/engagement", "melee/wound-count")
def test_a_charger_is_shot_in_base_contact_and_the_wounds_count_in_the_melee() -> None:
    charger = a("piston_cuirassier", at=(60, 50), changes={"armour_save": None})
    target = a("frost_hunter", 1, at=(60, 65), changes={"wounds": 3})
    position = against(target, charger)
    charge = [0, "charge", 1, way((60, 62.25), facing=None)]
    played = activate(position, charge, ["reaction-fire"], dice="3 3 | 4 1")
    assert played.rolls == ["charge-distance", "to-hit"]
    assert position.model(0).marks("shot-in-charge") == 1
    fought = play(melee_phase(position), "1 | 1 1 1 | 1", [[0, 1], "no"], position)
    assert not position.model(0).is_on_table
    assert "charge-bonus" in fought.rolls


@pytest.mark.covers("reaction-fire/against-charge")
def test_the_wounds_of_every_model_that_reacted_are_added() -> None:
    charger = a("piston_cuirassier", at=(60, 50), changes={"armour_save": None, "wounds": 4})
    hunters = a("frost_hunter", 1, at=(60, 65)), a("frost_hunter", 1, at=(75, 58), facing=270, commander=1)
    position = table(charger, *hunters)
    charge = [0, "charge", 1, way((60, 62.25), facing=None)]
    activate(position, charge, ["reaction-fire", "reaction-fire"], [1, 2], dice="3 3 | 4 4 | 5 1")
    assert position.model(0).marks("shot-in-charge") == 3


@pytest.mark.covers("melee/wound-count", "special/bodyguard", "weapon-rules/blast")
@pytest.mark.parametrize(("ward", "counted"), [(1, 0), (0, 1)])
def test_only_what_was_meant_for_the_charger_counts_of_a_bomb_whoever_took_it(ward: int, counted: int) -> None:
    friends = [a("raider", at=(57, 60)), a("raider", at=(45, 50), rules=["bodyguard"], notes={"ward": ward})]
    thrower = a("steam_rifleman", 1, at=(60, 62.5), adds=["hand_bomb"])
    position = table(a("raider", at=(60, 50), commander=1), *friends, thrower, FAR)
    charge = [0, "charge", 3, way((60, 60), facing=None)]
    at_charger, at_friend = ("1 1", "5") if ward == 0 else ("5", "1 1")
    activate(position, charge, ["reaction-fire"], 2, 2, dice=f"1 1 | 5 | 1 1 | {at_charger} | 6 | {at_friend}")
    assert marks(position.model(2), "wounds") == (1,)
    assert marks(position.model(0), "wounds", "shot-in-charge") == (0, counted)


@pytest.mark.covers("reaction-fire/against-charge")
def test_wounds_of_other_shots_count_in_no_melee() -> None:
    actor = a("piston_cuirassier", at=(60, 50), changes={"armour_save": None})
    position = against(actor=actor)
    activate(position, AIM, ["reaction-fire"], dice="5 1")
    assert (position.model(0).marks("wounds"), position.model(0).marks("shot-in-charge")) == (1, 0)


@pytest.mark.covers("reaction-fire/against-charge", "charge/engagement")
def test_shots_at_a_charger_that_reached_nobody_are_forgotten() -> None:
    charger = a("piston_cuirassier", at=(60, 50), changes={"armour_save": None})
    position = against(a("frost_hunter", 1, at=(60, 72)), charger)
    charge = [0, "charge", 1, way((60, 69.25), facing=None)]
    activate(position, charge, ["reaction-fire"], 0, dice="1 1 | 4 1")
    assert (position.model(0).marks("wounds"), position.model(0).marks("shot-in-charge")) == (1, 0)


# ---------------------------------------------------------------- countercharge/*


@pytest.mark.covers("countercharge/basic")
@pytest.mark.parametrize(("dice", "at"), [("6 6", (60, 56)), ("6 5", (60, 56)), ("5 5", (60, 67))])
def test_a_countercharge_is_a_charge_at_the_acting_model_when_its_action_is_over(dice: str, at: Any) -> None:
    has_reached = dice != "5 5"
    position = against(a("frost_hunter", 1, at=(60, 80), changes={"charisma": 4}), actor=a("raider", at=(60, 50)))
    action = [0, "move", "walk", way((60, 53.5))]
    answers = [["countercharge"], way((60, 56), facing=None), *(() if has_reached else (90,))]
    played = activate(position, action, *answers, dice=dice)
    assert played.prompts[:3] == ["act", "reactions", "countercharge-path"]
    assert position.model(1).at == at
    assert position.model(1).marks("charged") == (2 if has_reached else 0)
    assert is_engaged(position.model(0)) is has_reached


@pytest.mark.covers("countercharge/basic", "charge/attack-bonus", "melee/charge-modifiers-last")
def test_a_countercharger_has_the_d3_and_one_less_to_hit_in_melee() -> None:
    position = against(a("raider", 1, at=(60, 65)), actor=a("frost_hunter", at=(60, 50), fatigue=0))
    activate(position, AIM, ["countercharge"], way((60, 52.5), facing=None), dice="1 1")
    played = play(melee_phase(position), "1 | 5 1 1 | 1", [[1, 0], "no"], position)
    assert played.rolls == ["charge-bonus", "melee-to-hit", "melee-to-hit"]
    assert [least(q) for q in played.questions if q.prompt == "melee-to-hit"] == [5, 4]


@pytest.mark.covers("countercharge/basic", "charge/rear-bonus", "hide/bonus", "vision/front-rear")
@pytest.mark.parametrize(("facing", "hidden", "number"), [(0, 0, 5), (180, 0, 4), (0, 1, 4), (180, 1, 3)])
def test_a_countercharger_has_the_rear_and_the_hidden_bonus(facing: float, hidden: int, number: int) -> None:
    actor = a("frost_hunter", at=(60, 50), facing=facing)
    position = against(a("raider", 1, at=(60, 65), hidden=hidden), actor=actor)
    activate(position, AIM, ["countercharge"], way((60, 52.5), facing=None), dice="1 1")
    played = play(melee_phase(position), "1 | 6 1 1 | 2 | 1", [[1, 0], "no"], position)
    assert least(next(q for q in played.questions if q.prompt == "melee-to-hit")) == number


@pytest.mark.covers("countercharge/basic")
@pytest.mark.parametrize(("y", "goes"), [(77.5, False), (77.6, True)])
def test_an_enemy_beyond_all_reach_is_gone_at_by_m_without_dice(y: float, goes: bool) -> None:
    position = against(a("frost_hunter", 1, at=(60, y)))
    if goes:
        played = activate(position, AIM, ["countercharge"], 170)
        assert played.rolls == []
        assert (position.model(1).x, position.model(1).y) == pytest.approx((60, y - 13))
        assert (position.model(1).facing, position.model(1).marks("charged")) == (170, 0)
        assert played.prompts == ["act", "reactions", "facing"]
    else:
        assert last_question(position, AIM, ["countercharge"]).prompt == "countercharge-path"


@pytest.mark.covers("countercharge/basic", "move/rough")
@pytest.mark.parametrize(("y", "rolls"), [(70.7, []), (70.8, ["rough-ground"])])
def test_only_rough_ground_within_that_move_slows_it(y: float, rolls: list[str]) -> None:
    position = against(a("frost_hunter", 1, at=(60, 90)), pieces=[piece("bog", 60, y)])
    played = activate(position, AIM, ["countercharge"], 180, dice="4" if rolls else "")
    assert played.rolls == rolls


@pytest.mark.covers("countercharge/basic", "fatigue/effects")
def test_that_move_too_is_shortened_by_fatigue() -> None:
    position = against(a("frost_hunter", 1, at=(60, 90), fatigue=1))
    activate(position, AIM, ["countercharge"], 180, dice="4")
    assert position.model(1).y == pytest.approx(81)


@pytest.mark.covers("countercharge/basic", "tactical/lost-reactions", "charge/path")
def test_without_any_path_a_countercharge_is_lost() -> None:
    walls = [piece("frozen_pond", x, y) for x in (48, 72) for y in (5, 15, 25)] + [piece("frozen_pond", 60, 25)]
    position = against(actor=a("raider", at=(60, 5)), reactor=a("frost_hunter", 1, at=(60, 50)), pieces=walls)
    played = activate(position, AIM, ["countercharge"])
    assert lost(played) == ["countercharge"]


@pytest.mark.covers("countercharge/basic", "tactical/lost-reactions")
@pytest.mark.parametrize(("facing", "is_lost"), [(180, False), (90, True)])
def test_an_enemy_neither_seen_nor_sensed_is_not_countercharged(facing: float, is_lost: bool) -> None:
    actor = a("raider", at=(67, 78))
    position = against(a("frost_hunter", 1, at=(60, 80), facing=facing, changes={"senses": 2}), actor=actor)
    action = [0, "move", "walk", way((57, 70))]
    if is_lost:
        assert lost(activate(position, action, ["countercharge"])) == ["countercharge"]
    else:
        assert last_question(position, action, ["countercharge"]).prompt == "countercharge-path"


@pytest.mark.covers("countercharge/basic", "opt-night/spotting")
@pytest.mark.parametrize(
    ("y", "dice", "rolls"), [(70, "1 1", ["spotting"]), (68, "3 4 | 1 1", ["spotting", "charge-distance"])]
)
def test_by_night_a_countercharge_needs_its_own_spotting(y: float, dice: str, rolls: list[str]) -> None:
    near_sighted = a("raider", 1, at=(60, y), changes={"senses": 1})
    position = against(near_sighted, night=True)
    answers = [way((60, 52.5), facing=None), *(() if len(rolls) == 1 else (180,))]
    assert activate(position, AIM, ["countercharge"], *answers, dice=dice).rolls == rolls


@pytest.mark.covers("countercharge/against-charge", "countercharge/basic", "charge/attack-bonus")
def test_a_model_that_the_charge_reached_stays_and_fights_as_one_that_charged() -> None:
    position = against(a("raider", 1, at=(60, 65)), actor=a("frost_hunter", at=(60, 50)))
    charge = [0, "charge", 1, way((60, 62.5), facing=None)]
    played = activate(position, charge, ["countercharge"], dice="1 1")
    assert played.rolls == ["charge-distance"]
    assert position.model(1).at == (60, 65)
    assert [model.marks("charged") for model in position.models] == [1, 2]
    fought = play(melee_phase(position), "1 | 1 1 | 2 | 5 1 1", [[0, 1], "no"], position)
    assert fought.rolls == ["charge-bonus", "melee-to-hit", "charge-bonus", "melee-to-hit"]
    assert [least(q) for q in fought.questions if q.prompt == "melee-to-hit"] == [4, 5]


@pytest.mark.covers("countercharge/against-charge")
def test_a_model_that_the_charge_did_not_reach_charges_and_alone_counts_as_charging() -> None:
    position = against(a("raider", 1, at=(60, 70)), actor=a("frost_hunter", at=(60, 50)))
    charge = [0, "charge", 1, way((60, 67.5), facing=None)]
    answers = [["countercharge"], 0, way((60, 65.5), facing=None)]
    played = activate(position, charge, *answers, dice="1 1 | 1 1")
    assert played.rolls == ["charge-distance", "charge-distance"]
    assert (position.model(0).at, position.model(1).at) == ((60, 63), (60, 65.5))
    assert [model.marks("charged") for model in position.models] == [0, 2]
    assert is_engaged(position.model(0))


@pytest.mark.covers("countercharge/against-charge", "charge/engagement")
def test_when_the_charger_falls_the_model_that_waited_for_it_has_not_charged() -> None:
    helper = a("frost_hunter", 1, at=(75, 58), facing=270, commander=1)
    position = table(a("frost_hunter", at=(60, 50)), a("raider", 1, at=(60, 65)), helper)
    charge = [0, "charge", 1, way((60, 62.5), facing=None)]
    activate(position, charge, ["countercharge", "reaction-fire"], [1, 2], dice="1 1 | 4 1")
    assert position.model(0).marks("wounds") == 1
    assert position.model(1).marks("charged") == 0
    assert onsets(position) == []


# ---------------------------------------------------------------- prone/*


@pytest.mark.covers("prone/reaction", "prone/fire-penalty")
@pytest.mark.parametrize(("prone", "number"), [(0, 4), (3, 5)])
def test_a_prone_model_is_harder_to_hit(prone: int, number: int) -> None:
    target = a("frost_hunter", 1, at=(60, 80), prone=prone, fatigue=3)
    position = against(target, actor=a("frost_hunter", at=(60, 50)))
    assert least(activate(position, [0, "fire", 0, 1], dice="1 1").questions[-1]) == number


@pytest.mark.covers("prone/reaction")
def test_there_is_no_action_to_go_prone() -> None:
    assert "go-prone" in REACTIONS
    assert refused(against(), 0, "go-prone") != ""


@pytest.mark.covers("prone/reaction", "tactical/resolution-order")
def test_going_prone_comes_before_a_charge_too() -> None:
    position = against(a("raider", 1, at=(60, 65)))
    charge = [0, "charge", 1, way((60, 62.5), facing=None)]
    played = activate(position, charge, ["go-prone"], dice="1 1")
    kinds = [(e.kind, e.values.get("model")) for e in played.events if e.kind in ("mark", "move", "charge-home")]
    assert kinds.index(("mark", 1)) < kinds.index(("move", 0))
    assert is_engaged(position.model(1))


@pytest.mark.covers("prone/melee-penalty", "prone/state", "charge/engagement")
def test_a_prone_model_that_is_charged_fights_with_one_less_to_hit() -> None:
    position = against(a("raider", 1, at=(60, 65), prone=3), actor=a("frost_hunter", at=(60, 50)))
    activate(position, [0, "charge", 1, way((60, 62.5), facing=None)], dice="1 1")
    played = play(melee_phase(position), "1 | 1 1 | 5 1", [[0, 1], "no"], position)
    assert [least(q) for q in played.questions if q.prompt == "melee-to-hit"] == [4, 5]


@pytest.mark.covers("prone/state")
def test_a_prone_model_neither_acts_nor_reacts() -> None:
    position = against(a("frost_hunter", 1, at=(60, 60), prone=3))
    assert last_or_none(position) is None
    lying = against(actor=a("raider", at=(60, 50), prone=4))
    assert refused(lying, *STAY) == "tactical/who-can-act"


@pytest.mark.covers("prone/duration", "end-phase/cleanup")
@pytest.mark.parametrize(("turn", "still_down"), [(3, True), (4, False)])
def test_a_model_stands_up_in_the_end_phase_of_the_following_turn(turn: int, still_down: bool) -> None:
    position = against()
    activate(position, AIM, ["go-prone"])
    assert position.now["turn"] == 3
    position.now["turn"] = turn
    play(end_phase(position))
    assert (position.model(1).marks("prone") > 0) is still_down


@pytest.mark.covers("prone/duration")
def test_a_new_cause_does_not_lengthen_it() -> None:
    position = against()
    position.model(1).mark("prone", 3)
    play(REACTIONS["go-prone"].carry_out(reaction_of(position)))  # type: ignore[arg-type]
    assert position.model(1).marks("prone") == 3


def reaction_of(position: Position, name: str = "go-prone") -> Any:
    return Declaration(position.model(1), name, [position.model(0)])


@pytest.mark.covers("prone/not-cumulative", "tactical/one-reaction-per-action")
def test_who_goes_prone_makes_no_other_reaction_to_that_action() -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), charisma=6))
    played = activate(position, AIM, ["go-prone"])
    assert played.prompts == ["act", "reactions"]
    assert position.model(1).marks("charisma") == 4


@pytest.mark.covers("prone/not-cumulative", "alert/penalty")
@pytest.mark.parametrize(("alert", "prone", "number"), [(0, 0, 5), (1, 0, 6), (0, 3, 6), (1, 3, 6)])
def test_the_penalties_of_alert_and_prone_do_not_add_up(alert: int, prone: int, number: int) -> None:
    target = a("frost_hunter", 1, at=(60, 80), alert=alert, prone=prone)
    position = against(target, actor=a("frost_hunter", at=(60, 50)), pieces=[piece("rubble", 65, 76)])
    need = to_hit(aiming_of(position, Shot(0, 1, 0)))
    assert (need.is_met_by(number), need.is_met_by(number - 1)) == (True, False)


@pytest.mark.covers("prone/not-cumulative", "alert/end")
def test_lying_down_does_not_end_the_alert() -> None:
    position = against(a("frost_hunter", 1, at=(60, 80), alert=1))
    activate(position, AIM, ["go-prone"])
    assert (position.model(1).marks("alert"), position.model(1).marks("prone")) == (1, 4)


@pytest.mark.covers("prone/after-melee", "prone/duration")
def test_a_prone_model_that_survives_a_melee_is_prone_after_its_consolidation() -> None:
    position = against(a("raider", 1, at=(60, 65), prone=3), actor=a("frost_hunter", at=(60, 50)))
    activate(position, [0, "charge", 1, way((60, 62.5), facing=None)], dice="1 1")
    answers = [[1, 0], "yes", way((60, 68))]
    play(melee_phase(position), "5 1 | 1 | 1 1 | 1 2", answers, position)
    assert position.model(1).at == (60, 68)
    assert position.model(1).marks("prone") == 3


# ---------------------------------------------------------------- mental-duel/*


def casting(*duellists: Figure) -> Position:
    for duellist in duellists[:1]:
        duellist.marks["commander"] = 1
    return table(a("rune_seer", at=(60, 50)), *duellists)


SPEAR = [0, "ability", "spear_of_odin", 1]


def mesmerist(x: float = 60, **more: Any) -> Figure:
    return a("mesmerist", 1, at=(x, 80), **more)


@pytest.mark.covers("mental-duel/eligibility", "special/psionic-mage")
@pytest.mark.parametrize(
    ("profile", "offered"), [("mesmerist", True), ("rune_seer", True), ("crucible_captain", False)]
)
def test_only_a_psionic_or_a_mage_duels(profile: str, offered: bool) -> None:
    position = casting(a(profile, 1, at=(60, 80)))
    assert is_offered(position, "mental-duel", SPEAR) is offered
    assert (is_no_duellist(position.model(1)) is None) is offered


@pytest.mark.covers("mental-duel/eligibility")
@pytest.mark.parametrize(
    ("action", "offered"), [(SPEAR, True), ([0, "ability", "summoning"], True), ([0, "concentrate"], False)]
)
def test_only_magic_and_psionic_abilities_are_blocked(action: list[Any], offered: bool) -> None:
    assert is_offered(casting(mesmerist()), "mental-duel", action) is offered


@pytest.mark.covers("mental-duel/eligibility")
def test_a_rallying_call_is_not_blocked() -> None:
    caller = a("crucible_captain", at=(60, 50), suppressed=1)
    assert not is_offered(table(caller, mesmerist()), "mental-duel", [0, "ability", "rallying_call", 0])


@pytest.mark.covers("mental-duel/timing", "tactical/points-spent")
@pytest.mark.parametrize(
    ("test", "rolls"), [("2 2", ["ability-test"]), ("3 3 | 1 3", ["ability-test", "mental-duel", "mental-duel"])]
)
def test_a_duel_is_declared_with_the_ability_and_fought_only_if_its_test_is_passed(test: str, rolls: list[str]) -> None:
    position = casting(mesmerist())
    played = activate(position, SPEAR, ["mental-duel"], dice=test)
    assert played.rolls == rolls
    assert position.model(1).marks("charisma") == 2
    assert "duellist" in played.kinds
    assert "reaction-order" not in played.prompts


@pytest.mark.covers("mental-duel/resolution", "rolloffs/basic")
@pytest.mark.parametrize(("dice", "is_blocked"), [("2 3", False), ("1 3", True), ("1 4", True)])
def test_the_caster_must_have_the_higher_total(dice: str, is_blocked: bool) -> None:
    position = casting(mesmerist())
    played = activate(position, SPEAR, ["mental-duel"], dice=f"3 3 | {dice}" + ("" if is_blocked else " | 1"))
    assert ("blocked" in played.kinds) is is_blocked
    assert position.model(1).marks("wounds") == (not is_blocked)


@pytest.mark.covers("mental-duel/resolution")
def test_the_printed_charisma_counts_and_not_what_is_left_of_it() -> None:
    position = casting(mesmerist(charisma=2))
    position.model(0).mark("charisma", 1)
    assert "blocked" in activate(position, SPEAR, ["mental-duel"], dice="3 3 | 1 3").kinds


@pytest.mark.covers("mental-duel/resolution")
def test_several_duel_one_after_the_other_until_one_blocks() -> None:
    position = casting(mesmerist(), mesmerist(66), mesmerist(54))
    played = activate(position, SPEAR, ["mental-duel"] * 3, [3, 2, 1], dice="3 3 | 6 1 | 1 6")
    assert played.prompts == ["act", "reactions", "duel-order"]
    assert next(e.values["by"] for e in played.events if e.kind == "blocked") == 2


@pytest.mark.covers("mental-duel/resolution", "fatigue/gain")
def test_a_blocked_ability_may_be_tried_again_and_tires() -> None:
    position = casting(mesmerist())
    activate(position, SPEAR, ["mental-duel"], dice="3 3 | 1 3")
    assert position.model(0).marks("barred-ability") == 0
    activate(position, SPEAR, ["mental-duel"], dice="3 3 | 1 3")
    assert position.model(0).marks("fatigue") == 1


# ---------------------------------------------------------------- lost


@pytest.mark.covers("tactical/lost-reactions", "tactical/resolution-order")
def test_a_reaction_of_a_model_felled_meanwhile_is_lost() -> None:
    position = against()
    position.model(1).mark("wounds", 1)
    played = play(carry_out_last([reaction_of(position, "countermove")]), position=position)
    assert lost(played) == ["countermove"]


@pytest.mark.covers("tactical/lost-reactions")
def test_what_is_lost_is_written_down() -> None:
    position = against()
    lose(position.model(1), "countercharge")
    assert position.journal is not None
    assert position.journal.events[-1].kind == "reaction-lost"
