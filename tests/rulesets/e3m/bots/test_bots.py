"""What a bot holds of a position of Edition 3.m: fire, blows, orders, ground, command."""

from __future__ import annotations

import math
from random import Random

import pytest

from campale.players import GreedyPlayer, player_named
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.referee.ruleset import load_ruleset
from campale.referee.seat import Seat
from campale.referee.spatial import Place
from campale.rulesets.e3m.bots.advances import outlooks
from campale.rulesets.e3m.bots.appraisal import appraise
from campale.rulesets.e3m.bots.counsel import offhand, order_odds, order_worths
from campale.rulesets.e3m.bots.destinations import wanted
from campale.rulesets.e3m.bots.forecast import blows, chance, damage_of, salvo
from campale.rulesets.e3m.bots.ground import places_of_mission, presences
from campale.rulesets.e3m.bots.leading import places_by_leader, unled, unled_there
from campale.rulesets.e3m.bots.prospects import exposed, view_of
from campale.rulesets.e3m.bots.risks import STUCK, losses_there
from campale.rulesets.e3m.bots.timing import STEPS, has_advancing_fire, has_preparatory_fire, has_watch, reach_of_move
from campale.rulesets.e3m.fire.volley import hit_need, need_to_wound
from campale.rulesets.e3m.movement.sight import NONE
from campale.rulesets.e3m.turn import sequence
from campale.rulesets.e3m.turn.sequence import PROCEDURES, is_amid
from tests.rulesets.e3m.kit import LEADS, model, piece, question_after, squad, table, unit


def test_the_steps_are_those_of_the_turn() -> None:
    assert [row.name for row in sequence.STEPS] == list(STEPS[1:])


def test_expected_loss_goes_by_the_needs_of_the_rules() -> None:
    position = table(squad("line-warden", 1), squad("scrapper", 1, side=1, at=(36, 20)), phase="preparatory")
    shooter, target = model(position, 0), model(position, 1)
    line = shooter.profile.weapons[0].lines[0]
    far = line.range or 0.0
    hurt = chance(hit_need(shooter, line)) * chance(need_to_wound(target, line))
    assert 0.0 < salvo(shooter, target, far, NONE) <= hurt * 2
    assert salvo(shooter, target, far + 1.0, NONE) == 0.0
    assert salvo(shooter, target, far, 4) <= salvo(shooter, target, far, NONE)
    assert blows(shooter, target, True) > blows(shooter, target, False) > 0.0


@pytest.mark.parametrize(("strength", "armour", "hurts"), [(4, 11, False), (5, 11, True), (9, 11, True)])
def test_what_cannot_glance_does_nothing_to_a_vehicle(strength: int, armour: int, hurts: bool) -> None:
    assert (damage_of(strength, armour, None) > 0.0) is hurts
    assert damage_of(strength + 1, armour, None) >= damage_of(strength, armour, None)


def test_a_bot_does_not_look_at_hidden_orders_of_the_other_side() -> None:
    worths = []
    for order in ("fire", "march"):
        position = table(
            squad("line-warden", 5, at=(30, 20), order="fire"), squad("scrapper", 5, side=1, at=(30, 40), order=None)
        )
        position.now.update(turn=2, phase="preparatory", mission="quarters")
        position.declare("secret-1", ((1, order),))
        worths.append(appraise(position, 0))
    assert worths[0] == worths[1]


def test_a_unit_that_is_not_deployed_yet_is_not_taken_for_lost() -> None:
    def stands(turn: int) -> float:
        position = table(squad("line-warden", 5, at=(30, 2)), squad("scrapper", 5, side=1, at=(30, 46)))
        for enemy in [one for one in position.models if one.side == 1]:
            position.take_off(enemy)
        position.now.update(turn=turn, mission="centre")
        return appraise(position, 0)

    assert stands(0) == 0.0 < stands(1)


def test_a_unit_is_deployed_as_proposed_without_thought() -> None:
    book, rng = load_ruleset("e3m"), Random("deployed")
    assert book.starters is not None
    game = Game(book, book.starters()[0], "deployed")
    while not isinstance(question := game.pending[game.asked[0]], Place):
        assert game.answer(question.side, question.sample(rng)) is None
    assert offhand(game.position, question) == (question.proposals(1)[0],)
    game.position.now["turn"] = 1
    assert offhand(game.position, question) is None


def test_whoever_has_somebody_in_range_fires_and_whoever_is_far_off_marches() -> None:
    position = table(
        squad("line-warden", 5, at=(30, 20), order=None),
        squad("line-warden", 5, at=(2, 2), order=None),
        squad("scrapper", 5, side=1, at=(30, 36)),
    )
    position.now.update(turn=2, phase="command", mission="attrition")
    worths = order_worths(position, 0)
    assert max(worths[0], key=worths[0].__getitem__) == "fire"
    assert max(worths[1], key=worths[1].__getitem__) == "march"
    form = Form(0, "orders", lambda filled: None, {"units": [0, 1]})
    assert offhand(position, form) == (["fire", "march"],)
    assert offhand(position, Choose(0, "order", ("fire",))) is None
    odds = order_odds(position, 0)
    assert odds[0]["fire"] == 1.0
    assert all(0.0 < share <= 1.0 for row in odds.values() for share in row.values())


@pytest.mark.parametrize(("y", "marches"), [(4, True), (24, False)])
def test_a_commander_alone_follows_his_army_and_does_not_lead_it(y: float, marches: bool) -> None:
    position = table(
        squad("captain", at=(20, y), order=None),
        squad("line-warden", 5, at=(30, 16), order=None),
        squad("line-warden", 5, at=(40, 16), order=None),
        squad("scrapper", 15, side=1, at=(30, 44)),
    )
    position.now.update(turn=2, phase="command", mission="quarters")
    worths = order_worths(position, 0)
    assert (max(worths[0], key=worths[0].__getitem__) == "march") is marches
    assert (exposed(view_of(position, 0), 0) > 0.0) is not marches
    unit(position, 0).jot("order", "march")
    position.now["phase"] = "movement"
    goal = next(wanted(unit(position, 0)))
    assert goal[1] > y if marches else goal[1] < 28.0


def test_a_unit_wants_to_go_where_the_mission_is() -> None:
    position = table(squad("line-warden", 3, at=(36, 4), order="march"), squad("scrapper", 3, side=1, at=(70, 46)))
    position.now.update(turn=6, phase="movement", mission="centre")
    middle = position.ground.width / 2.0, position.ground.depth / 2.0
    x, y = next(wanted(unit(position, 0)))
    assert (x - middle[0]) ** 2 + (y - middle[1]) ** 2 < (36 - middle[0]) ** 2 + (4 - middle[1]) ** 2


def test_a_group_that_has_had_its_go_moves_no_more() -> None:
    def gain(marks: dict[str, int]) -> float:
        position = table(
            squad("line-warden", 3, at=(36, 2), order="march", marks=marks), squad("scrapper", 3, side=1, at=(70, 46))
        )
        position.now.update(turn=3, phase="movement", mission="centre")
        return appraise(position, 0)

    assert gain({}) > gain({"acted": 1})


def test_a_line_of_thought_goes_on_through_a_route_and_ends_with_the_unit() -> None:
    position = table(squad("line-warden", 1))
    position.declare("doing", (("move-group", 0, 1), ("arrived", 0, "normal")))
    assert is_amid(position)
    position.declare("doing", (("move-group", 0, 1),))
    assert not is_amid(position)
    assert load_ruleset("e3m").is_amid is is_amid


def test_each_side_is_seen_by_its_own_orders() -> None:
    position = table(squad("line-warden", 1, order=None), squad("scrapper", 1, side=1, at=(36, 20), order=None))
    position.declare("secret-0", ((0, "ready"),))
    assert [view_of(position, side).squads[0][0].order for side in (0, 1)] == ["ready", "unknown"]


# ---------------------------------------------------------------- command


def led(at: tuple[float, float], order: str = "march", phase: str = "movement") -> Position:
    """A leader in the middle, another unit of his group at a place, an enemy far away."""
    position = table(
        squad("scout", 1, at=(36, 24), order=order, group=1, models={LEADS: 1}),
        squad("scout", 5, at=at, order=order, group=1),
        squad("scout", 5, side=1, at=(70, 46)),
    )
    position.now.update(turn=2, phase=phase, mission="attrition")
    return position


def test_it_costs_a_unit_to_be_out_of_command_and_a_leader_to_leave_it_behind() -> None:
    position = led((36, 20), order="fire")
    squads = view_of(position, 0).squads[0]
    leader, follower = squads
    near, far = unled_there(follower, squads, [(36.0, 20.0), (4.0, 4.0)]).tolist()
    assert near == 0.0 < far
    near, far = unled_there(leader, squads, [(36.0, 26.0), (70.0, 40.0)]).tolist()
    assert near == 0.0 < far
    assert all(math.dist(place, (36.0, 24.0)) <= 12.0 for place in places_by_leader(follower))


@pytest.mark.parametrize(("phase", "is_left"), [("movement", False), ("melees", True)])
def test_whoever_may_still_come_near_is_not_left_alone(phase: str, is_left: bool) -> None:
    position = led((36, 4), phase=phase)
    assert (unled(position, view_of(position, 0).squads[0]) > 0.0) is is_left


# ---------------------------------------------------------------- the mission


def test_a_unit_counts_once_in_all_the_quarters_that_it_may_reach() -> None:
    position = led((36, 26))
    position.now.update(turn=6, mission="quarters")
    one = view_of(position, 0).squads[0][1]
    assert sum(presences(one, "march")) == pytest.approx(1.0)
    inside = presences(one, "march", (10.0, 10.0))
    assert inside[0] == pytest.approx(1.0)
    assert sum(inside) <= 1.0


def test_the_places_of_quarters_are_wholly_inside_of_them() -> None:
    position = led((35, 23))
    position.now.update(turn=6, mission="quarters")
    one = view_of(position, 0).squads[0][1]
    quarters = [place for place in places_of_mission(one) if place != (36.0, 24.0)]
    assert len({(x > 36.0, y > 24.0) for x, y in quarters}) == 4
    assert all(abs(x - 36.0) >= one.wide - 0.01 and abs(y - 24.0) >= one.wide - 0.01 for x, y in quarters)


@pytest.mark.parametrize(("mission", "share"), [("attrition", 0.1), ("centre", 0.4)])
def test_a_unit_that_flees_is_worth_least_where_losses_are_counted(mission: str, share: float) -> None:
    def worth(order: str) -> float:
        position = table(squad("scout", 5, order=order), squad("scout", 5, side=1, at=(36, 40)))
        position.now.update(turn=2, phase="movement", mission=mission)
        return view_of(position, 0).squads[0][0].worth

    assert worth("retreat") == pytest.approx(share * worth("fire"))


# ---------------------------------------------------------------- moves


def test_crews_of_heavy_weapons_that_are_to_fire_hold_their_unit() -> None:
    def reach(order: str, *special: str) -> float:
        position = table(squad("line-warden", 5, order=order, special=special), squad("scout", 1, side=1, at=(36, 40)))
        position.now.update(turn=2, phase="command", mission="attrition")
        return reach_of_move(view_of(position, 0).squads[0][0], order)

    assert reach("fire", "missile-launcher") == 0.0
    assert reach("fire") == 6.0
    assert reach("march", "missile-launcher") == 18.0


@pytest.mark.parametrize(
    ("marks", "shoots", "drives"),
    [({}, True, True), ({"shaken": 2}, False, True), ({"stunned": 2}, False, False), ({"immobilised": 1}, True, False)],
)
def test_a_damaged_vehicle_is_not_expected_to_do_what_it_cannot(
    marks: dict[str, int], shoots: bool, drives: bool
) -> None:
    position = table(squad("gun-tank", at=(20, 10), models=marks), squad("brawler", 5, side=1, at=(20, 30)))
    position.now.update(turn=2, phase="preparatory", mission="quarters")
    one = view_of(position, 0).squads[0][0]
    assert has_preparatory_fire(one, "fire") is shoots
    assert has_advancing_fire(one, "assault") is shoots
    assert has_watch(one, "ready") is shoots
    assert (reach_of_move(one, "fire") > 0.0) is drives
    assert (order_worths(position, 0)[0]["fire"] > order_worths(position, 0)[0]["march"]) is shoots


@pytest.mark.parametrize(
    ("order", "got_out", "fires"), [("fire", 0, False), ("fire", 1, True), ("march", 1, False), ("assault", 0, True)]
)
def test_whoever_has_got_out_of_a_vehicle_still_has_advancing_fire(order: str, got_out: int, fires: bool) -> None:
    position = table(squad("scout", 5, order=order, marks={"got-out": got_out}), phase="movement")
    assert has_advancing_fire(view_of(position, 0).squads[0][0], order) is fires


def test_a_unit_far_from_whoever_it_may_hurt_stands_better_nearer() -> None:
    position = table(squad("render", 12, at=(30, 4)), squad("executioner", 4, side=1, at=(30, 30)))
    position.now.update(turn=2, phase="command", mission="attrition")
    here, near = outlooks(view_of(position, 0), 0, 0, [0.0, 18.0]).tolist()
    assert here < near


def test_whoever_charges_nobody_goes_where_it_wants_in_step_7() -> None:
    """A squad of riflemen does not run at its enemies."""
    position = table(
        squad("line-warden", 5, at=(36, 20), order="assault"), squad("render", 12, side=1, at=(36, 34), order="assault")
    )
    position.now.update(turn=2, phase="assault", mission="attrition", begun=1)
    question = question_after(PROCEDURES["assault-move"](position, 0))
    (points, _), *_ = question.proposals(1)[0] if question.prompt == "assault-move" else ((None, None),)
    goals = list(wanted(unit(position, 0)))
    assert math.dist(goals[0], (38.5, 20.0)) <= 6.1
    assert not points or math.dist(points[-1], goals[0]) < math.dist((36.0, 20.0), goals[0]) + 3.0


def test_a_line_of_thought_goes_on_from_the_choice_of_a_unit_to_its_move() -> None:
    ruleset = load_ruleset("e3m")
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0], "1")
    players = {side: player_named("script", side) for side in (0, 1)}
    while game.question is None or game.question.prompt != "move-unit":
        side = game.asked[0] or 0
        assert game.answer(game.asked[0], players[side].answer(Seat(game, side))) is None
    assert game.question.side is not None
    bot = GreedyPlayer(1)
    line = bot.played(Seat(game, game.question.side), (), follow=bot.advised)
    assert bot.failures == []
    assert {"move", "drive", "get-out"} & {step.prompt for step in line.steps[1:]}


@pytest.mark.parametrize(
    ("kind", "over", "share"),
    [
        ("carrier", "hedge", [0.0, 0.0, STUCK / 6, STUCK / 6]),
        ("carrier", "wood", [0.0, 0.0, STUCK / 6, STUCK / 6]),
        ("skimmer", "wood", [0.0, 0.0, 1 / 6, 0.0]),
        ("clan-buggy", "wood", [0.0, 0.0, 0.0, 0.0]),
        ("line-warden", "wood", [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_a_vehicle_counts_what_it_risks_on_its_way(kind: str, over: str, share: list[float]) -> None:
    """Where it stays, short of the piece, in it, and beyond."""
    enemy = squad("scrapper", 5, side=1, at=(40, 40))
    position = table(squad(kind, at=(20, 8)), enemy, pieces=[piece(over, 20, 20)], phase="movement")
    one = view_of(position, 0).squads[0][0]
    ways = [one.at, (one.at[0], 12.0), (one.at[0], 20.0), (one.at[0], 34.0)]
    found = losses_there(one, ways) / one.worth
    assert found.tolist() == pytest.approx(share)
