"""Before the battle: exploration, sides, deployment, infiltrators, wards, initiative, and the order of it all."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.sources import Scripted
from campale.mechanics.setup.agreed import SetupError
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Place
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.ragnarok.armies.forces import FORCES
from campale.rulesets.ragnarok.armies.setting_out import card, set_out
from campale.rulesets.ragnarok.basics.dice import (
    amount,
    bend_total,
    needed_on_one,
    needed_on_two,
    one_die,
    pool,
    roll_off,
)
from campale.rulesets.ragnarok.battle import preparation
from campale.rulesets.ragnarok.battle.preparation import (
    deploy,
    deploy_infiltrators,
    is_nearer_than_thirty,
    is_within_thirty,
)
from campale.rulesets.ragnarok.morale.falling_back import own_edge, straight_back
from campale.rulesets.ragnarok.options import Options, rulings, switches
from campale.rulesets.ragnarok.turn.sequence import phases
from tests.rulesets.ragnarok.kit import Figure, Played, a, first_question, piece, play, table

STARTERS = (FORCES.plain("crucible_league_starter"), FORCES.plain("barrow_host_starter"))


def before(
    *figures: Figure, options: dict[str, Any] | None = None, pieces: Any = (), first: int = 0, explorer: int = 0
) -> Position:
    """A position of the set-up: side 0 has the south edge."""
    position = table(*figures, phase="deployment", pieces=pieces, options=options, turn=0, explorer=explorer)
    position.now["first-to-deploy"] = first
    return position


# ---------------------------------------------------------------- setup/order, options/switches


@pytest.mark.covers("setup/order", "turn/phases")
def test_the_set_up_goes_from_the_mission_to_the_initiative_in_the_order_of_the_book() -> None:
    order = ["mission", "scenery", "objectives", "exploration", "side", "bases", "reserves"]
    order += ["deployment-roll", "deployment", "infiltrators", "wards", "initiative"]
    assert list(preparation.stages()) == order
    assert list(phases()) == [*order, "command", "tactical", "melee", "control", "end"]
    assert phases()["exploration"] is preparation.exploration_roll


@pytest.mark.covers("setup/order", "options/switches", "army/points-cap")
def test_forces_and_points_are_settled_before_anything_is_rolled() -> None:
    ruleset = load_ruleset("ragnarok")
    position = set_out(ruleset, Setup("ragnarok", {}, STARTERS, {"points": 200}))
    assert position.now["phase"] == "mission"
    assert not any(model.is_on_table for model in position.models)
    with pytest.raises(SetupError):
        set_out(ruleset, Setup("ragnarok", {}, STARTERS, {"points": 199}))
    with pytest.raises(SetupError, match="two armies"):
        set_out(ruleset, Setup("ragnarok", {}, STARTERS[:1]))
    with pytest.raises(SetupError, match="no mission"):
        set_out(ruleset, Setup("ragnarok", {}, STARTERS, {"mission": "siege"}))
    with pytest.raises(SetupError, match="no layout"):
        set_out(ruleset, Setup("ragnarok", {}, STARTERS, {"scenery": "moon"}))


@pytest.mark.covers("setup/order", "exploration/roll")
def test_a_battle_begins_with_the_mission_and_comes_to_the_exploration() -> None:
    """Mission 1 rolled, then a layout agreed on, then the exploration: one scout against none."""
    agreed = {"scenery": "foundry", "points": 200}
    game = Game(load_ruleset("ragnarok"), Setup("ragnarok", {}, STARTERS, agreed), "x", dice=Scripted([1, 4, 2]))
    assert game.question is not None
    assert (game.question.prompt, game.question.side) == ("edge", 0)
    assert game.position.holds(0, "exploration") == 3
    assert [event.values["phase"] for event in game.journal if event.kind == "phase"] == [
        "scenery",
        "objectives",
        "exploration",
        "side",
    ]


@pytest.mark.covers("options/switches")
def test_every_optional_rule_is_off_unless_it_is_agreed_on_and_stands_alone() -> None:
    names = [switch.name for switch in switches()]
    assert names == ["weight", "ammunition", "jams", "reserves", "extra_time", "night"]
    assert not any(getattr(Options(), name) for name in names)
    for chosen in names:
        options = load_ruleset("ragnarok").with_options({chosen: True}).options
        assert [name for name in names if getattr(options, name)] == [chosen]


@pytest.mark.covers("options/switches")
def test_every_ruling_that_may_be_settled_otherwise_has_the_ledgers_reading_first() -> None:
    assert [ruling.name for ruling in rulings()] == ["rerolls", "countermoves", "hidden_shots", "brawls", "duels"]
    for ruling in rulings():
        assert (len(ruling.values), ruling.values[0]) == (2, getattr(Options(), ruling.name))


@pytest.mark.covers("setup/order", "commander/choice", "profile/characteristics")
def test_both_forces_wait_off_the_table_with_one_commander_each() -> None:
    position = set_out(load_ruleset("ragnarok"), Setup("ragnarok", {}, STARTERS))
    sides = [[model for model in position.models if model.side == side] for side in (0, 1)]
    assert [len(force) for force in sides] == [9, 8]
    leaders = [[model.profile.id for model in force if model.marks("commander")] for force in sides]
    assert leaders == [["crucible_captain"], ["barrow_jarl"]]
    assert [position.holds(side, "strength") for side in (0, 1)] == [9, 8]
    shown = card(position.model(0))
    assert [shown[name] for name in ("movement", "shooting_skill", "wounds", "psyche")] == [12, "3+", 2, 6]


# ---------------------------------------------------------------- exploration/*


@pytest.mark.covers("exploration/roll", "special/scout")
@pytest.mark.parametrize(
    ("dice", "winner", "points"),
    [("4 2", 0, 2), ("2 6", 1, 4), ("3 3 | 5 5 | 1 2", 1, 1)],
)
def test_the_higher_total_wins_and_a_tie_is_rolled_again(dice: str, winner: int, points: int) -> None:
    position = before(a("raider", at=None), a("raider", 1, at=None))
    played = play(preparation.exploration_roll(position), dice=dice, position=position)
    assert position.now["explorer"] == winner
    assert (position.holds(winner, "exploration"), position.holds(1 - winner, "exploration")) == (points, 0)
    assert [question.side for question in played.questions] == [0, 1] * (len(played.questions) // 2)


@pytest.mark.covers("exploration/roll", "special/scout")
@pytest.mark.parametrize(("scouts", "winner", "points"), [(0, 1, 1), (2, 0, 1), (3, 0, 2)])
def test_every_scout_of_the_force_adds_one(scouts: int, winner: int, points: int) -> None:
    position = before(*(a("pathfinder", at=None) for _ in range(scouts)), a("raider", 1, at=None))
    play(preparation.exploration_roll(position), dice="3 4", position=position)
    assert (position.now["explorer"], position.holds(winner, "exploration")) == (winner, points)


@pytest.mark.covers("exploration/roll", "exploration/points", "special/scout")
def test_one_scout_can_tie_the_roll_and_no_point_is_spent_on_it() -> None:
    position = before(a("pathfinder", at=None), a("raider", 1, at=None))
    played = play(preparation.exploration_roll(position), dice="3 4 | 6 1", position=position)
    assert position.holds(0, "exploration") == 6
    assert played.prompts == []


def rich(points: int, side: int = 0) -> Position:
    position = table(a("raider"), a("raider", 1, at=(60, 80)))
    position.gain(side, "exploration", points)
    return position


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize("side", [0, 1])
def test_points_bend_a_single_die_of_either_side_and_are_gone(side: int) -> None:
    position = rich(2, side)
    die = play(one_die(position, 0, "test", needed_on_one(4)), dice="3", answers=[[0, 1], "no"]).value
    assert (die.face, die.passed, position.holds(side, "exploration")) == (3, True, 1)
    die = play(one_die(position, 0, "test", needed_on_one(4)), dice="4", answers=[[0, -1]]).value
    assert (die.face, die.passed, position.holds(side, "exploration")) == (4, False, 0)
    played = play(one_die(position, 0, "test", needed_on_one(4)), dice="3")
    assert (played.value.passed, played.prompts) == (False, [])


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("points", "offered"), [(1, False), (2, True)])
def test_several_points_may_go_on_the_same_roll(points: int, offered: bool) -> None:
    position = rich(points)
    answers = [[0, 2]] if offered else []
    played = play(one_die(position, 0, "test", needed_on_one(5)), dice="3", answers=answers)
    assert (played.value.passed, position.holds(0, "exploration")) == (offered, 0 if offered else 1)


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("face", "passed"), [(1, False), (6, True)])
def test_a_natural_one_and_a_natural_six_cannot_be_bent(face: int, passed: bool) -> None:
    played = play(one_die(rich(9), 0, "test", needed_on_one(4)), dice=str(face))
    assert (played.value.passed, played.prompts) == (passed, [])


@pytest.mark.covers("exploration/points")
def test_in_a_pool_a_point_changes_one_die_and_may_be_kept() -> None:
    position = rich(2)
    need = needed_on_one(4)
    played = play(pool(position, 1, "fire", 3, need), dice="3 5 1", answers=[[1, -2]])
    assert [die.passed for die in played.value] == [False, False, False]
    kept = rich(2)
    played = play(pool(kept, 1, "fire", 3, need), dice="3 5 1", answers=["no"])
    assert [die.passed for die in played.value] == [False, True, False]
    assert kept.holds(0, "exploration") == 2
    assert played.questions[-1].options() == ["no", (0, 1), (1, -2)]


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(
    ("total", "answers", "passed"),
    [
        (6, [[0, 1], "no"], True),
        (8, [[0, -2]], False),
        (5, ["no"], False),
        (2, [], False),
        (12, [], True),
        (4, [], False),
    ],
)
def test_on_two_dice_the_total_is_bent(total: int, answers: list[Any], passed: bool) -> None:
    played = play(bend_total(rich(2), total, needed_on_two(7)), answers=answers)
    assert played.value is passed


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(("spent", "left", "value"), [([0, -2], 1, 0), ([0, 3], 0, 5), ("no", 3, 2)])
def test_an_amount_is_bent_up_or_down_and_never_below_nothing(spent: Any, left: int, value: int) -> None:
    position = rich(3)
    played = play(amount(position, 2), answers=[spent])
    assert (played.value, position.holds(0, "exploration")) == (value, left)
    assert played.questions[0].refusal([0, -3]) is not None


@pytest.mark.covers("exploration/points", "deployment/roll", "initiative/roll")
@pytest.mark.parametrize(("side", "dice", "winner"), [(0, "3 4", 0), (1, "4 3", 1)])
def test_points_count_in_the_rolls_for_deployment_and_initiative(side: int, dice: str, winner: int) -> None:
    position = rich(2, side)
    assert play(roll_off(position, "deployment", 0), dice=dice, answers=[[0, 2]]).value == winner
    assert position.holds(side, "exploration") == 0


@pytest.mark.covers("exploration/points")
def test_a_point_may_only_make_a_roll_off_even_and_it_is_rolled_again() -> None:
    played = play(roll_off(rich(1), "initiative", 0), dice="3 4 | 6 1", answers=[[0, 1]])
    assert (played.value, len(played.rolls)) == (0, 4)


@pytest.mark.covers("exploration/choose-side")
@pytest.mark.parametrize("explorer", [0, 1])
@pytest.mark.parametrize(
    ("edge", "opposite"), [("south", "north"), ("north", "south"), ("west", "east"), ("east", "west")]
)
def test_the_winner_takes_any_edge_and_the_opponent_has_the_opposite_one(
    explorer: int, edge: str, opposite: str
) -> None:
    position = before(explorer=explorer)
    played = play(preparation.choose_side(position), answers=[edge], position=position)
    assert played.questions[0].side == explorer
    assert (position.hand(explorer, "edge"), position.hand(1 - explorer, "edge")) == ((edge,), (opposite,))


@pytest.mark.covers("exploration/choose-side")
@pytest.mark.parametrize("edge", ["south", "north", "west", "east"])
def test_that_edge_is_the_one_to_which_a_model_falls_back(edge: str) -> None:
    position = before(a("raider"))
    play(preparation.choose_side(position), answers=[edge])
    assert own_edge(position.model(0)) == edge
    moved = straight_back(position.model(0), 10.0).points[-1]
    assert moved[:2] == {"south": (60, 50), "north": (60, 70), "west": (50, 60), "east": (70, 60)}[edge]


# ---------------------------------------------------------------- deployment/*


def written(played: Played) -> list[tuple[str, dict[str, Any]]]:
    """What the journal tells besides the dice."""
    return [(event.kind, dict(event.values)) for event in played.events if event.kind != "roll"]


@pytest.mark.covers("deployment/roll")
@pytest.mark.parametrize(
    ("dice", "answer", "winner", "first"),
    [("5 2", "first", 0, 0), ("5 2", "second", 0, 1), ("2 5", "first", 1, 1), ("2 2 1 4", "second", 1, 0)],
)
def test_the_higher_decides_whether_to_deploy_first_or_second(dice: str, answer: str, winner: int, first: int) -> None:
    position = before()
    played = play(preparation.deployment_roll(position), dice=dice, answers=[answer], position=position)
    assert (played.questions[-1].side, position.now["first-to-deploy"]) == (winner, first)
    assert written(played) == [("deploys-first", {"side": first})]


@pytest.mark.covers("deployment/roll", "deployment/zone")
@pytest.mark.parametrize("first", [0, 1])
def test_the_side_that_is_first_places_its_whole_force_and_then_the_other(first: int) -> None:
    figures = (a("raider", 0, None), a("raider", 1, None), a("raider", 0, None), a("raider", 1, None))
    position = before(*figures, first=first)
    places = {0: [[[20, 10, 0]], [[30, 10, 45]]], 1: [[[20, 110, 180]], [[30, 110, 180]]]}
    sides, answers = [], [*places[first], *places[1 - first]]
    for answer in answers:
        played = play(deploy(position), answers=[answer])
        assert played.value is True
        sides.append(played.questions[0].side)
    assert sides == [first, first, 1 - first, 1 - first]
    assert play(deploy(position)).value is False
    assert [model.at for model in position.models] == [(20, 10), (20, 110), (30, 10), (30, 110)]
    assert position.model(2).facing == 45.0
    assert not any(model.marks(name) for model in position.models for name in ("hidden", "alert", "prone"))


def where_deployed(*others: Figure, pieces: Any = (), edge: str = "south") -> Place:
    position = before(a("raider", 0, None), *others, pieces=pieces)
    position.hold(0, "edge", (edge,))
    question = first_question(deploy(position))
    assert isinstance(question, Place)
    return question


@pytest.mark.covers("deployment/zone")
@pytest.mark.parametrize(
    ("edge", "at", "is_legal"),
    [
        ("south", (60, 18.75), True),
        ("south", (60, 18.76), False),
        ("south", (60, 1.25), True),
        ("south", (60, 1.24), False),
        ("south", (1.25, 10), True),
        ("south", (1.24, 10), False),
        ("north", (60, 101.25), True),
        ("north", (60, 101.24), False),
        ("west", (18.75, 60), True),
        ("west", (18.76, 60), False),
        ("east", (101.25, 60), True),
        ("east", (101.24, 60), False),
    ],
)
def test_the_whole_base_is_within_twenty_centimetres_of_the_edge_and_on_the_table(
    edge: str, at: tuple[float, float], is_legal: bool
) -> None:
    refusal = where_deployed(edge=edge).refusal([[*at, 0]])
    assert (refusal is None) is is_legal
    assert refusal is None or refusal.rule.startswith("deployment/")


@pytest.mark.covers("deployment/zone")
def test_nobody_is_deployed_on_impassable_ground_or_on_another_base() -> None:
    question = where_deployed(a("raider", 0, (30, 10)), pieces=[piece("boulder", 60, 10), piece("wood", 90, 10)])
    for at, is_legal in (
        ((60, 10), False),
        ((64.24, 10), False),
        ((64.25, 10), True),
        ((90, 10), True),
        ((32.49, 10), False),
        ((32.5, 10), True),
    ):
        assert (question.refusal([[*at, 0]]) is None) is is_legal


@pytest.mark.covers("deployment/thirty")
@pytest.mark.parametrize(("away", "is_legal"), [(30.0, True), (29.99, False)])
def test_exactly_thirty_centimetres_from_an_enemy_are_allowed_and_less_is_not(away: float, is_legal: bool) -> None:
    refusal = where_deployed(a("raider", 1, (60, 10))).refusal([[62.5 + away, 10, 0]])
    assert (refusal is None) is is_legal
    assert refusal is None or (refusal.rule, refusal.measured, refusal.limit) == ("deployment/thirty", away, 30.0)


@pytest.mark.covers("deployment/thirty")
def test_a_friend_may_be_as_near_as_one_likes() -> None:
    assert where_deployed(a("raider", 0, (60, 10))).refusal([[62.5, 10, 0]]) is None


@pytest.mark.covers("deployment/thirty", "special/infiltrator")
def test_the_distance_from_the_enemy_goes_up_to_a_hill() -> None:
    """29.9 cm in plan and 3 cm up are 30.05 cm."""
    enemy, hill = a("raider", 1, (60, 10)), piece("hill", 100, 10)
    model = before(a("raider", 0, None), enemy, pieces=[hill]).model(0)
    assert is_nearer_than_thirty(model, (92.4, 10)) is None
    assert is_within_thirty(model, (92.4, 10)) is None
    flat = before(a("raider", 0, None), enemy).model(0)
    assert is_nearer_than_thirty(flat, (92.4, 10)) is not None


# ---------------------------------------------------------------- deployment/special, special/infiltrator


@pytest.mark.covers("deployment/special", "deployment/zone")
def test_only_a_model_with_a_special_rule_is_asked_and_it_may_deploy_like_everybody_else() -> None:
    position = before(a("frost_hunter", 0, None), a("raider", 0, None))
    played = play(deploy(position), answers=["no", [[60, 10, 0]]])
    assert played.prompts == ["infiltrate", "deploy"]
    assert played.questions[1].refusal([[60, 60, 0]]) is not None
    played = play(deploy(position), answers=[[[30, 10, 0]]])
    assert played.prompts == ["deploy"]


@pytest.mark.covers("deployment/infiltrators-last", "deployment/special", "special/infiltrator")
@pytest.mark.parametrize("first", [0, 1])
def test_infiltrators_wait_until_both_forces_stand_and_keep_the_order_of_the_sides(first: int) -> None:
    figures = (a("frost_hunter", 0, None), a("frost_hunter", 1, None), a("raider", 0, None), a("raider", 1, None))
    position = before(*figures, first=first)
    ordinary = {0: [[20, 10, 0]], 1: [[20, 110, 180]]}
    for answers in (["yes"], [ordinary[first]], ["yes"], [ordinary[1 - first]]):
        assert play(deploy(position), answers=answers).value is True
    assert play(deploy(position)).value is False
    assert [model.is_on_table for model in position.models] == [False, False, True, True]
    special = {0: [[90, 70, 0]], 1: [[90, 30, 0]]}
    for side in (first, 1 - first):
        played = play(deploy_infiltrators(position), answers=[special[side]])
        assert (played.questions[0].side, played.prompts) == (side, ["infiltrate-at"])
    assert play(deploy_infiltrators(position)).value is False
    assert all(model.is_on_table for model in position.models)


@pytest.mark.covers("special/infiltrator")
@pytest.mark.parametrize(
    ("at", "is_legal"),
    [((92.51, 60), True), ((92.5, 60), False), ((20, 100), True), ((1.24, 20), False), ((20, 20), False)],
)
def test_an_infiltrator_keeps_more_than_thirty_centimetres_from_every_enemy(
    at: tuple[float, float], is_legal: bool
) -> None:
    hunter = a("frost_hunter", 0, None, infiltrates=1)
    position = before(hunter, a("raider", 1, (60, 60)), pieces=[piece("boulder", 20, 20)])
    refusal = first_question(deploy_infiltrators(position)).refusal([[*at, 0]])
    assert (refusal is None) is is_legal
    assert refusal is None or refusal.rule == "special/infiltrator"


@pytest.mark.covers("special/infiltrator", "deployment/zone")
def test_an_infiltrator_for_whom_there_is_no_place_at_all_never_comes_and_holds_nobody_up() -> None:
    everywhere = [a("raider", 1, (x, y)) for x in (15, 60, 105) for y in (15, 60, 105)]
    position = before(a("frost_hunter", 0, None, infiltrates=1), *everywhere)
    assert play(deploy_infiltrators(position)).questions == []
    assert (position.model(0).is_on_table, position.model(0).marks("never-came")) == (False, 1)
    assert play(deploy_infiltrators(position)).value is False


# ---------------------------------------------------------------- bodyguards, initiative


@pytest.mark.covers("setup/order", "special/bodyguard")
def test_wards_are_named_after_deployment_in_the_order_of_the_sides() -> None:
    position = before(
        a("piston_cuirassier"), a("raider", 1), a("steam_rifleman"), a("raider", 1, rules=["bodyguard"]), a("raider", 1)
    )
    position.now["first-to-deploy"] = 1
    played = play(preparation.wards(position), answers=[1], position=position)
    assert [(q.side, q.about["guard"], q.options()) for q in played.questions] == [(1, 3, [1, 4])]
    assert (position.model(3).note("ward"), position.model(0).note("ward")) == (1, 2)


@pytest.mark.covers("initiative/roll")
@pytest.mark.parametrize(
    ("dice", "answer", "winner", "first"),
    [("5 2", "first", 0, 0), ("5 2", "second", 0, 1), ("2 5", "first", 1, 1), ("4 4 1 2", "second", 1, 0)],
)
def test_the_higher_decides_who_has_the_first_turn(dice: str, answer: str, winner: int, first: int) -> None:
    position = before(a("raider"), a("raider", 1))
    played = play(preparation.initiative(position), dice=dice, answers=[answer], position=position)
    assert (played.questions[-1].side, position.now["first"]) == (winner, first)
    assert played.prompts == ["go-first"]
    assert written(played) == [("goes-first", {"side": first})]
    assert "night" not in position.now
    assert position.holds(0, "ammunition") == 0


@pytest.mark.covers("opt-night/choice", "initiative/roll")
@pytest.mark.parametrize(("answer", "night"), [("yes", 1), ("no", 0)])
def test_the_winner_of_the_initiative_decides_whether_it_is_night(answer: str, night: int) -> None:
    position = before(a("raider"), a("raider", 1), options={"night": True})
    played = play(preparation.initiative(position), dice="1 6", answers=["second", answer], position=position)
    assert [(q.prompt, q.side) for q in played.questions[2:]] == [("go-first", 1), ("night", 1)]
    assert (position.now["night"], position.now["first"]) == (night, 0)
    assert written(played) == [("goes-first", {"side": 0}), ("night" if night else "day", {})]


@pytest.mark.covers("opt-ammo/pool", "initiative/roll")
def test_each_side_counts_its_ammunition_after_the_initiative() -> None:
    """CAR 3 + 4 for a rifleman and a captain who shoots, and his bonus of 3; a Draugr has nothing to shoot."""
    captain, jarl = a("crucible_captain", commander=1), a("barrow_jarl", 1, commander=1)
    force = (captain, a("steam_rifleman", 0, None), jarl, a("draugr", 1), a("raider", 1))
    position = before(*force, options={"ammunition": True})
    play(preparation.initiative(position), dice="1 6", answers=["second"])
    assert [position.holds(side, "ammunition") for side in (0, 1)] == [10, 5]
