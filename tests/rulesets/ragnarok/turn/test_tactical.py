"""The tactical phase: who acts and reacts, what it costs, and in which order everything is carried out."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Form
from campale.rulesets.ragnarok.basics.physical import is_exhausted
from campale.rulesets.ragnarok.turn.declaring import points_left
from campale.rulesets.ragnarok.turn.reactions import reactions
from campale.rulesets.ragnarok.turn.sequence import begin_turn, end_phase
from campale.rulesets.ragnarok.turn.tactical import settle, tactical_phase
from tests.rulesets.ragnarok.kit import (
    Figure,
    a,
    activate,
    first_question,
    piece,
    play,
    question_after,
    refused,
    table,
    way,
)

STAY = way()
HUNTER_AHEAD = a("frost_hunter", 1, at=(60, 80))


def facing_off(actor: Figure | None = None, reactor: Figure | None = None, **more: Any) -> Position:
    """A raider that acts and a hunter that sees it from 27.5 cm away."""
    return table(actor or a("raider", at=(60, 50)), reactor or HUNTER_AHEAD, **more)


def reactors(position: Position, *choice: Any) -> dict[int, bool]:
    """Who is asked for a reaction to this choice, and whether it would be free."""
    rule = tactical_phase(position.copy())
    first = first_question(rule)
    assert first.refusal(list(choice)) is None
    try:
        form = rule.send(first.understood(list(choice)))
    except StopIteration:
        return {}
    if not isinstance(form, Form):
        return {}
    found: dict[int, bool] = {}
    while (field := form.field(["none"] * len(found))) is not None:
        found[field.about["model"]] = field.about["free"]
    return found


def offers(position: Position, row: int, *choice: Any) -> set[str]:
    """The reactions that a model is offered to this choice."""
    rule = tactical_phase(position.copy())
    first = first_question(rule)
    form = rule.send(first.understood(list(choice)))
    assert isinstance(form, Form)
    filled: list[Any] = []
    while (field := form.field(filled)) is not None:
        if field.about["model"] == row:
            return set(field.options() or ())
        filled.append("none")
    return set()


# ---------------------------------------------------------------- tactical/sequence


@pytest.mark.covers("tactical/sequence")
def test_the_same_or_another_model_may_be_chosen_until_the_player_ends_the_phase() -> None:
    position = table(a("raider", at=(20, 20), commander=1), a("raider", at=(40, 20)), a("draugr", 1, charisma=0))
    for row, point in ((0, (20, 25)), (1, (40, 25)), (0, (20, 30))):
        played = activate(position, [row, "move", "walk", way(point)])
        assert played.value is True
        assert position.model(row).at == point
    played = activate(position, ["end"])
    assert played.value is False
    assert played.kinds[-1] == "phase-ended"


@pytest.mark.covers("tactical/sequence")
def test_only_the_active_side_acts_and_only_the_other_side_reacts() -> None:
    position = table(a("raider", at=(60, 50), commander=1), a("raider", at=(60, 30)), a("raider", 1, at=(60, 70)))
    form = question_after(tactical_phase(position), answers=[[0, "move", "walk", STAY]])
    assert form.side == 1
    assert isinstance(form, Form)
    assert form.field([]).about["model"] == 2  # type: ignore[union-attr]
    assert form.field(["none"]) is None
    model_field = first_question(tactical_phase(facing_off(side=1)))
    assert isinstance(model_field, Form)
    assert model_field.side == 1
    options = model_field.field([]).options()  # type: ignore[union-attr]
    assert options is not None
    assert (0 in options, 1 in options) == (False, True)


@pytest.mark.covers("tactical/sequence", "commander/charisma-bonus")
def test_handing_out_points_is_a_choice_between_two_actions() -> None:
    position = table(a("crucible_captain", at=(20, 20), commander=1), a("raider", at=(30, 20)), a("draugr", 1))
    assert refused(position, "hand-out", 1, 1) == "commander/charisma-bonus"
    position.gain(0, "bonus", 3)
    assert refused(position, "hand-out", 0, 1) == "commander/charisma-bonus"
    assert refused(position, "hand-out", 1, 4) != ""
    assert activate(position, ["hand-out", 1, 2]).value is True
    assert (position.model(1).marks("handed"), position.holds(0, "bonus")) == (2, 1)


# ---------------------------------------------------------------- tactical/who-can-act


@pytest.mark.covers("tactical/who-can-act", "prone/state")
@pytest.mark.parametrize(
    ("figure", "rule"),
    [
        (a("raider", at=(60, 50)), ""),
        (a("raider", at=(60, 50), wounds=1), "tactical/who-can-act"),
        (a("piston_cuirassier", at=(60, 50), wounds=1), ""),
        (a("raider", at=(60, 50), prone=4), "tactical/who-can-act"),
        (a("raider", at=(60, 50), charisma=0), "tactical/charisma-limit"),
        (a("raider", at=(60, 50), charisma=0, handed=1), ""),
        (a("raider", at=(60, 50), fatigue=3), ""),
        (a("raider", at=(60, 50), fatigue=4, acted=1), "fatigue/limit"),
    ],
)
def test_a_model_may_be_chosen_that_is_able_standing_and_can_pay(figure: Figure, rule: str) -> None:
    position = table(figure, a("draugr", 1, at=(60, 110), charisma=0))
    question = first_question(tactical_phase(position))
    assert isinstance(question, Form)
    refusal = question.field([]).refusal(0)  # type: ignore[union-attr]
    assert ("" if refusal is None else refusal.rule) == rule
    assert refused(position, 0, "move", "walk", STAY) == rule


@pytest.mark.covers("tactical/who-can-act")
def test_a_model_in_reserve_is_not_among_the_models() -> None:
    position = table(a("raider", at=(60, 50)), a("raider", at=None), a("draugr", 1, at=(60, 110)))
    question = first_question(tactical_phase(position))
    assert isinstance(question, Form)
    candidates = question.field([]).candidates  # type: ignore[union-attr]
    assert (0 in candidates, 1 in candidates) == (True, False)


@pytest.mark.covers("tactical/who-can-act", "tactical/charisma-limit")
def test_a_model_with_one_point_may_move_but_not_hide() -> None:
    position = table(a("raider", at=(60, 50), charisma=1), a("draugr", 1, at=(60, 110)), pieces=[piece("ruin", 60, 50)])
    assert refused(position, 0, "move", "walk", STAY) == ""
    assert refused(position, 0, "hide") == "tactical/charisma-limit"


# ---------------------------------------------------------------- tactical/engaged-actions


@pytest.mark.covers("tactical/engaged-actions")
@pytest.mark.parametrize("away", [2.5, 2.6])
def test_an_engaged_model_may_only_use_abilities_and_concentrate(away: float) -> None:
    seer = a("rune_seer", at=(60, 50), acted=0, adds=["throwing_axe"], charisma=6)
    friend = a("draugr", at=(60, 47.25), wounds=1, commander=1)
    position = table(seer, friend, a("raider", 1, at=(60, 50 + away)), pieces=[piece("ruin", 60, 50)])
    question = first_question(tactical_phase(position))
    assert isinstance(question, Form)
    names = question.field([0]).candidates  # type: ignore[union-attr]
    rules = {name: refused_action(question, 0, name) for name in names}
    held = {name for name, rule in rules.items() if rule == "tactical/engaged-actions"}
    everything_else = {"move", "fire", "suppressive-fire", "charge", "hide", "alert", "first-aid", "recover", "aim"}
    assert held == ({*everything_else, "clear-jam"} if away == 2.5 else set())
    assert rules["concentrate"] == ""
    assert rules["ability"] == ""


def refused_action(question: Form, row: int, name: str) -> str:
    refusal = question.field([row]).refusal(name)  # type: ignore[union-attr]
    return "" if refusal is None else refusal.rule


# ---------------------------------------------------------------- tactical/charisma-limit, tactical/points-spent


@pytest.mark.covers("tactical/charisma-limit", "suppression/effect")
@pytest.mark.parametrize(
    ("charisma", "handed", "suppressed", "rule"),
    [
        (2, 0, 0, ""),
        (1, 0, 0, "tactical/charisma-limit"),
        (1, 1, 0, ""),
        (0, 2, 0, ""),
        (3, 0, 1, "tactical/charisma-limit"),
        (3, 1, 1, ""),
    ],
)
def test_an_action_is_declared_only_by_a_model_that_can_pay_its_whole_cost(
    charisma: int, handed: int, suppressed: int, rule: str
) -> None:
    raider = a("raider", at=(60, 50), charisma=charisma, handed=handed, suppressed=suppressed)
    position = table(raider, a("draugr", 1, at=(60, 110)), pieces=[piece("ruin", 60, 50)])
    assert points_left(position.model(0)) == charisma + handed
    assert refused(position, 0, "hide") == rule


@pytest.mark.covers("tactical/points-spent", "commander/charisma-bonus", "suppression/effect")
@pytest.mark.parametrize(
    ("handed", "suppressed", "left"), [(0, 0, (2, 0)), (1, 0, (3, 0)), (2, 0, (3, 1)), (1, 1, (2, 0)), (0, 1, (1, 0))]
)
def test_points_of_the_commander_are_spent_first(handed: int, suppressed: int, left: tuple[int, int]) -> None:
    raider = a("raider", at=(60, 50), handed=handed, suppressed=suppressed)
    position = table(raider, a("draugr", 1, at=(60, 110), charisma=0))
    activate(position, [0, "move", "walk", STAY])
    assert (position.model(0).marks("charisma"), position.model(0).marks("handed")) == left


@pytest.mark.covers("tactical/points-spent", "commander/charisma-bonus", "end-phase/cleanup")
def test_points_handed_out_and_not_spent_vanish_at_the_end_of_the_turn() -> None:
    position = table(a("raider", at=(60, 50), handed=2, charisma=1), a("draugr", 1))
    position.gain(0, "bonus", 3)
    play(end_phase(position))
    assert points_left(position.model(0)) == 1
    assert position.holds(0, "bonus") == 0


@pytest.mark.covers("tactical/points-spent", "fatigue/gain")
def test_a_shot_out_of_range_costs_its_point_and_counts_as_used() -> None:
    position = table(a("frost_hunter", at=(60, 20)), a("draugr", 1, at=(60, 90), charisma=0))
    for left in (2, 1):
        played = activate(position, [0, "fire", 0, 1])
        assert played.rolls == []
        assert points_left(position.model(0)) == left
    assert position.model(0).marks("fatigue") == 1


@pytest.mark.covers("tactical/points-spent", "tactical/lost-reactions", "fatigue/gain")
def test_a_reaction_that_is_lost_costs_its_points_and_counts_as_used() -> None:
    hunter = a("frost_hunter", 1, at=(60, 80), charisma=5)
    runners = a("raider", at=(42, 50), commander=1), a("raider", at=(78, 50))
    position = table(*runners, hunter, pieces=[piece("workshop", 60, 60)])
    for row, cover, left in ((0, (54, 50), 3), (1, (66, 50), 1)):
        played = activate(position, [row, "move", "walk", way(cover)], ["reaction-fire"])
        assert played.kinds.count("reaction-lost") == row + 1
        assert played.rolls == []
        assert points_left(position.model(2)) == left
    assert position.model(2).marks("fatigue") == 1


@pytest.mark.covers("tactical/charisma-renewal")
def test_at_the_start_of_every_turn_the_points_of_both_sides_come_back() -> None:
    position = table(a("raider", charisma=0), a("draugr", 1, at=(60, 90), charisma=1), turn=2, phase="end")
    begin_turn(position)
    assert [model.marks("charisma") for model in position.models] == [3, 2]


@pytest.mark.covers("tactical/charisma-renewal", "commander/charisma-bonus")
def test_the_bonus_of_a_commander_comes_back_only_in_the_turns_of_its_own_side() -> None:
    captains = a("crucible_captain", commander=1), a("crucible_captain", 1, at=(60, 90), commander=1)
    position = table(*captains, turn=2, phase="end")
    begin_turn(position)
    assert (position.holds(0, "bonus"), position.holds(1, "bonus")) == (3, 0)
    position.gain(0, "bonus", -2)
    begin_turn(position)
    assert (position.holds(0, "bonus"), position.holds(1, "bonus")) == (1, 3)


# ---------------------------------------------------------------- tactical/reactions-aim


@pytest.mark.covers("tactical/reactions-aim", "reaction-fire/basic")
def test_a_reaction_is_aimed_at_the_acting_model_and_is_not_reacted_to() -> None:
    nearer = a("raider", at=(65, 65), commander=1)
    position = table(a("raider", at=(60, 50)), nearer, HUNTER_AHEAD)
    played = activate(position, [0, "move", "walk", STAY], ["reaction-fire"], dice="1 1")
    assert played.prompts == ["act", "reactions"]
    shot = played.questions[-1]
    assert (shot.about["shooter"], shot.about["target"]) == (2, 0)


# ---------------------------------------------------------------- tactical/reaction-eligibility


@pytest.mark.covers("tactical/reaction-eligibility")
@pytest.mark.parametrize(
    ("reactor", "may_react"),
    [
        (a("frost_hunter", 1, at=(60, 80)), True),
        (a("frost_hunter", 1, at=(60, 80), facing=0), False),
        (a("frost_hunter", 1, at=(60, 80), wounds=1), False),
        (a("frost_hunter", 1, at=(60, 80), prone=3), False),
        (a("frost_hunter", 1, at=(60, 80), fatigue=2), True),
        (a("frost_hunter", 1, at=(60, 80), fatigue=3), False),
        (a("frost_hunter", 1, at=(60, 80), charisma=2), True),
        (a("frost_hunter", 1, at=(60, 80), charisma=1), False),
        (a("frost_hunter", 1, at=(60, 80), charisma=3, suppressed=1), False),
        (a("frost_hunter", 1, at=(60, 80), charisma=4, suppressed=1), True),
        (a("frost_hunter", 1, at=(60, 80), hidden=1), True),
    ],
)
def test_an_enemy_reacts_that_sees_the_actor_and_is_able_and_can_pay(reactor: Figure, may_react: bool) -> None:
    assert reactors(facing_off(reactor=reactor), 0, "move", "walk", STAY) == ({1: False} if may_react else {})


@pytest.mark.covers("tactical/reaction-eligibility", "fatigue/limit", "prone/state", "out-of-action/state")
@pytest.mark.parametrize(("mark", "value"), [("wounds", 1), ("prone", 3), ("fatigue", 3)])
def test_not_even_free_reactions_are_for_the_felled_the_prone_and_the_exhausted(mark: str, value: int) -> None:
    close_by = a("frost_hunter", 1, at=(60, 60))
    assert reactors(facing_off(reactor=close_by), 0, "move", "walk", STAY) == {1: True}
    close_by.marks[mark] = value
    position = facing_off(reactor=close_by)
    assert reactors(position, 0, "move", "walk", STAY) == {}
    assert is_exhausted(position.model(1)) is (mark == "fatigue")


@pytest.mark.covers("tactical/reaction-eligibility", "reactions/engaged")
@pytest.mark.parametrize(("gap", "may_react"), [(0.05, False), (0.06, True)])
def test_an_engaged_model_does_not_react_not_even_to_a_second_charge(gap: float, may_react: bool) -> None:
    brawler = a("raider", at=(62.5 + gap, 74))
    position = table(a("raider", at=(60, 50), commander=1), brawler, a("frost_hunter", 1, at=(60, 74)))
    assert bool(reactors(position, 0, "move", "walk", STAY)) is may_react
    assert bool(reactors(position, 0, "charge", 2, way((60, 71.5)))) is may_react


@pytest.mark.covers("tactical/reaction-eligibility", "move/declared-path")
def test_it_is_enough_to_see_the_actor_somewhere_on_its_declared_path() -> None:
    position = facing_off(pieces=[piece("boulder", 60, 60)])
    assert reactors(position, 0, "move", "walk", STAY) == {}
    assert reactors(position, 0, "move", "walk", way((62, 50))) == {}
    assert reactors(position, 0, "move", "walk", way((64.5, 50))) == {1: False}
    assert reactors(position, 0, "move", "walk", way((64.5, 50), (60, 50))) == {1: False}
    assert reactors(position, 0, "aim") == {}


@pytest.mark.covers("tactical/reaction-eligibility", "move/declared-path")
def test_a_field_of_view_is_met_on_the_path_too() -> None:
    position = facing_off(reactor=a("frost_hunter", 1, at=(60, 62.9), facing=90, changes={"senses": 1}))
    assert reactors(position, 0, "move", "walk", way((58.7, 50))) == {1: False}
    beside = facing_off(a("raider", at=(55, 50)), a("frost_hunter", 1, at=(60, 62.9), facing=90))
    assert reactors(beside, 0, "move", "walk", way((58.74, 50))) == {}
    assert reactors(beside, 0, "move", "walk", way((58.75, 50))) == {1: False}


@pytest.mark.covers("tactical/reaction-eligibility", "hide/state")
def test_a_hidden_actor_counts_as_seen_for_its_declaration_has_ended_that() -> None:
    position = facing_off(a("raider", at=(60, 50), hidden=1))
    rule = tactical_phase(position)
    form = question_after(rule, answers=[[0, "aim"]])
    assert form.prompt == "reactions"
    assert position.model(0).marks("hidden") == 0


@pytest.mark.covers("tactical/reaction-eligibility")
@pytest.mark.parametrize("name", ["aim", "hide", "alert", "recover"])
def test_any_action_may_be_reacted_to(name: str) -> None:
    assert reactors(facing_off(pieces=[piece("rubble", 60, 50)]), 0, name) == {1: False}


# ---------------------------------------------------------------- free reactions


@pytest.mark.covers("control-area/free-reaction", "control-area/senses", "tactical/reaction-eligibility")
@pytest.mark.parametrize(("away", "found"), [(12.5, {1: True}), (12.501, {1: True}), (12.51, {})])
def test_inside_the_control_area_a_reaction_is_free_and_needs_no_sight(away: float, found: dict[int, bool]) -> None:
    turned_away = a("frost_hunter", 1, at=(60, 50 + away), facing=0, charisma=0)
    assert reactors(facing_off(reactor=turned_away), 0, "aim") == found


@pytest.mark.covers("control-area/free-reaction", "move/declared-path")
@pytest.mark.parametrize(
    ("path", "free"),
    [(way((60, 52.4)), False), (way((60, 52.5)), True), (way((60, 52.5), (60, 50)), True), (way((50, 50)), False)],
)
def test_a_path_that_enters_the_area_makes_the_reaction_free_though_it_leaves_again(path: Any, free: bool) -> None:
    watcher = a("frost_hunter", 1, at=(60, 65))
    assert reactors(facing_off(reactor=watcher), 0, "move", "walk", path) == {1: free}


@pytest.mark.covers("control-area/free-reaction", "move/declared-path")
def test_the_approach_of_a_charge_makes_the_reaction_of_its_target_free() -> None:
    position = facing_off(reactor=a("frost_hunter", 1, at=(60, 72)))
    assert reactors(position, 0, "charge", 1, way((60, 69.5))) == {1: True}
    assert reactors(position, 0, "aim") == {1: False}


@pytest.mark.covers("control-area/free-reaction", "tactical/points-spent")
@pytest.mark.parametrize(("away", "left"), [(12.5, 3), (12.6, 1)])
def test_a_free_reaction_costs_nothing(away: float, left: int) -> None:
    position = facing_off(reactor=a("frost_hunter", 1, at=(60, 50 + away)))
    played = activate(position, [0, "aim"], ["go-prone"])
    assert points_left(position.model(1)) == left
    paid = [event.values["price"] for event in played.events if event.kind == "pays" and event.values["model"] == 1]
    assert paid == [2] * (left == 1)


@pytest.mark.covers("control-area/free-reaction", "fatigue/gain", "fatigue/same-kind")
def test_free_reactions_tire_as_others_do() -> None:
    position = facing_off(reactor=a("frost_hunter", 1, at=(60, 60), charisma=0, facing=0))
    activate(position, [0, "aim"], ["countermove"], "turn", 0)
    assert position.model(1).marks("fatigue") == 0
    activate(position, [0, "move", "walk", STAY], ["countermove"], "turn", 0)
    assert position.model(1).marks("fatigue") == 1


# ---------------------------------------------------------------- tactical/one-reaction-per-action


@pytest.mark.covers("tactical/one-reaction-per-action")
def test_each_model_has_one_reaction_to_an_action_and_reacts_again_while_its_points_last() -> None:
    position = facing_off(reactor=a("frost_hunter", 1, at=(60, 80), charisma=4))
    played = activate(position, [0, "aim"], ["countermove"], "turn", 180)
    assert played.prompts.count("reactions") == 1
    activate(position, [0, "move", "walk", STAY], ["countermove"], "turn", 180)
    assert points_left(position.model(1)) == 0
    assert reactors(position, 0, "move", "walk", STAY) == {}


@pytest.mark.covers("reactions/list", "tactical/charisma-limit")
def test_every_reaction_costs_two_points() -> None:
    listed = reactions()
    assert list(listed) == ["countermove", "fall-back", "reaction-fire", "countercharge", "go-prone", "mental-duel"]
    assert {one.cost for one in listed.values()} == {2}
    usual = {"none", "countermove", "fall-back", "reaction-fire", "countercharge", "go-prone"}
    assert offers(facing_off(), 1, 0, "aim") == usual


# ---------------------------------------------------------------- tactical/resolution-order


def happened(position: Position, *kinds: str) -> list[str]:
    assert position.journal is not None
    return [event.kind for event in position.journal.events if event.kind in kinds]


@pytest.mark.covers("tactical/resolution-order", "tactical/points-spent")
def test_reactions_are_declared_and_paid_before_any_die_is_rolled() -> None:
    position = table(
        a("frost_hunter", at=(60, 50)), a("raider", 1, at=(60, 75), commander=1), a("raider", 1, at=(66, 75))
    )
    played = activate(position, [0, "fire", 0, 1], ["reaction-fire", "go-prone"], dice="1 1 | 1")
    kinds = happened(position, "pays", "action", "reaction", "dice")
    assert kinds == ["pays", "action", "pays", "reaction", "pays", "reaction"]
    assert [question.is_chance for question in played.questions] == [False, False, True, True]


@pytest.mark.covers("tactical/resolution-order", "prone/reaction")
@pytest.mark.parametrize(("reaction", "number"), [("go-prone", 5), ("none", 4)])
def test_going_prone_comes_before_the_dice_of_the_action(reaction: str, number: int) -> None:
    position = table(a("frost_hunter", at=(60, 50)), a("frost_hunter", 1, at=(60, 75)))
    played = activate(position, [0, "fire", 0, 1], [reaction], dice="2 2")
    needed = played.questions[-1].needed  # type: ignore[attr-defined]
    assert (needed.is_met_by(number), needed.is_met_by(number - 1)) == (True, False)
    assert position.model(1).marks("prone") == (4 if reaction == "go-prone" else 0)


@pytest.mark.covers("tactical/resolution-order")
def test_the_other_reactions_follow_the_action_in_the_order_of_the_side_that_reacts() -> None:
    hunters = a("frost_hunter", 1, at=(55, 75), commander=1), a("frost_hunter", 1, at=(65, 75))
    position = table(a("raider", at=(60, 50)), *hunters)
    action = [0, "move", "walk", way((60, 52))]
    played = activate(position, action, ["countermove", "countermove"], [2, 1], "turn", 90, "turn", 270)
    asked = [(q.prompt, q.side, q.about.get("model")) for q in played.questions[2:]]
    assert asked[0] == ("reaction-order", 1, None)
    assert [model for prompt, _, model in asked if prompt == "countermove"] == [2, 1]
    assert (position.model(2).facing, position.model(1).facing) == (90, 270)
    assert position.model(0).at == (60, 52)


@pytest.mark.covers("tactical/resolution-order", "charge/engagement")
def test_engagement_comes_after_all_the_reactions() -> None:
    position = table(a("raider", at=(60, 50)), a("frost_hunter", 1, at=(60, 65)))
    action = [0, "charge", 1, way((60, 62.5))]
    played = activate(position, action, ["reaction-fire"], dice="1 1 | 1 1")
    assert played.rolls == ["charge-distance", "to-hit"]
    assert refused(position, 0, "move", "walk", STAY) == "tactical/engaged-actions"


@pytest.mark.covers("tactical/resolution-order", "fatigue/gain")
def test_the_markers_of_repeated_actions_and_reactions_come_when_all_is_carried_out() -> None:
    actor = a("frost_hunter", at=(60, 50))
    position = table(actor, a("frost_hunter", 1, at=(60, 75)))
    position.model(0).mark("used-fire", 1)
    position.model(1).mark("used-reaction-fire", 1)
    played = activate(position, [0, "fire", 0, 1], ["reaction-fire"], dice="2 2 | 2 2")
    needs = [q.needed for q in played.questions if q.is_chance]  # type: ignore[attr-defined]
    assert [need.is_met_by(4) for need in needs] == [True, False]
    assert [need.is_met_by(5) for need in needs] == [True, True]
    assert [model.marks("fatigue") for model in position.models] == [1, 1]


@pytest.mark.covers("tactical/resolution-order", "commander/replacement")
def test_a_new_commander_is_named_when_everything_else_is_done() -> None:
    leader = a("frost_hunter", 1, at=(60, 75), commander=1)
    position = table(a("frost_hunter", at=(60, 50)), leader, a("raider", 1, at=(20, 110), facing=0))
    activate(position, [0, "fire", 0, 1], ["none"], dice="4 1")
    assert position.model(1).marks("wounds") == 1
    assert (position.model(1).marks("commander"), position.model(2).marks("commander")) == (0, 1)


@pytest.mark.covers("tactical/resolution-order", "missions/assassination", "missions/collapse")
def test_victory_is_looked_at_before_a_commander_is_replaced() -> None:
    fallen = a("frost_hunter", 1, at=(60, 75), commander=1, wounds=1)
    position = table(a("raider", commander=1), fallen, a("raider", 1, at=(20, 110)), mission="assassination")
    play(settle(position))
    assert position.result is not None
    assert position.result.winner == 0
    assert position.model(1).marks("commander") == 1


@pytest.mark.covers("tactical/resolution-order", "missions/assassination")
def test_reactions_are_not_carried_out_when_the_action_has_ended_the_battle() -> None:
    leader = a("frost_hunter", 1, at=(60, 75), commander=1)
    other = a("frost_hunter", 1, at=(50, 75))
    position = table(a("frost_hunter", at=(60, 50), commander=1), leader, other, mission="assassination")
    played = activate(position, [0, "fire", 0, 1], ["none", "reaction-fire"], dice="4 1")
    assert position.result is not None
    assert played.rolls == ["to-hit"]


@pytest.mark.covers("tactical/resolution-order", "control-area/reveals-hidden")
def test_hidden_models_in_a_control_area_are_found_when_the_action_is_over() -> None:
    hidden = a("frost_hunter", 1, at=(60, 60), hidden=1)
    position = table(a("raider", at=(60, 50), charisma=2, prone=0), hidden)
    activate(position, [0, "aim"], ["none"])
    assert position.model(1).marks("hidden") == 1
    near = table(a("raider", at=(60, 52)), hidden)
    activate(near, [0, "aim"], ["none"])
    assert near.model(1).marks("hidden") == 0


# ---------------------------------------------------------------- tactical/lost-reactions


@pytest.mark.covers("tactical/lost-reactions", "reaction-fire/basic")
@pytest.mark.parametrize(("face", "shoots_back"), [(3, True), (4, False)])
def test_a_model_felled_by_the_action_does_not_shoot_back(face: int, shoots_back: bool) -> None:
    position = table(a("frost_hunter", at=(60, 50)), a("frost_hunter", 1, at=(60, 75)))
    played = activate(
        position, [0, "fire", 0, 1], ["reaction-fire"], dice=f"1 {face}" + (" | 1 1" if shoots_back else "")
    )
    assert played.rolls == ["to-hit"] + ["to-hit"] * shoots_back
    assert ("reaction-lost" in played.kinds) is not shoots_back


@pytest.mark.covers("tactical/lost-reactions")
@pytest.mark.parametrize("reaction", ["reaction-fire", "countercharge"])
def test_reactions_at_an_actor_that_is_gone_are_lost(reaction: str) -> None:
    raven = a("iron_raven", at=(60, 46))
    position = table(raven, HUNTER_AHEAD, pieces=[piece("bog", 60, 60)])
    played = activate(position, [0, "move", "fly", way((60, 60))], [reaction], dice="1 2")
    assert not position.model(0).is_on_table
    assert "reaction-lost" in played.kinds
    assert played.rolls == ["landing"]


@pytest.mark.covers("tactical/lost-reactions", "countermove/move", "fall-back/move")
def test_countermove_and_fall_back_happen_although_the_actor_is_gone() -> None:
    raven = a("iron_raven", at=(60, 46))
    hunters = a("frost_hunter", 1, at=(40, 80), commander=1), a("frost_hunter", 1, at=(80, 80))
    position = table(raven, *hunters, pieces=[piece("bog", 60, 60)])
    action = [0, "move", "fly", way((60, 60))]
    reacted = [["countermove", "fall-back"], [1, 2], "turn", 90, 180]
    played = activate(position, action, *reacted, dice="1 2")
    assert "reaction-lost" not in played.kinds
    assert position.model(1).facing == 90
    assert position.model(2).at == (80, 106)


@pytest.mark.covers("tactical/lost-reactions", "countercharge/basic")
def test_a_countercharge_at_an_actor_out_of_action_is_lost_but_it_may_be_shot() -> None:
    hunters = a("frost_hunter", 1, at=(50, 75), commander=1), a("frost_hunter", 1, at=(70, 75))
    third = a("frost_hunter", 1, at=(60, 75))
    position = table(a("frost_hunter", at=(60, 50)), *hunters, third)
    action = [0, "aim"]
    reacted = [["reaction-fire", "countercharge", "reaction-fire"], [1, 2, 3]]
    played = activate(position, action, *reacted, dice="5 1 | 1 1")
    assert position.model(0).marks("wounds") == 1
    assert played.rolls == ["to-hit", "to-hit"]
    assert [e.values["model"] for e in played.events if e.kind == "reaction-lost"] == [2]


@pytest.mark.covers("tactical/lost-reactions", "control-area/senses", "reaction-fire/basic")
def test_a_free_shot_at_an_enemy_behind_its_back_may_be_declared_and_is_lost() -> None:
    position = facing_off(reactor=a("frost_hunter", 1, at=(60, 60), facing=0, charisma=0))
    played = activate(position, [0, "aim"], ["reaction-fire"])
    assert "reaction-lost" in played.kinds
    assert played.rolls == []
