"""Moving: the declared path, what bars it, the dice that shorten it, facings, flights, Scouts and Immobile models."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.special import flight, ignores_rough, is_immobile, moves_free, spares_fatigue
from campale.rulesets.ragnarok.battle.explored import explored
from campale.rulesets.ragnarok.moving.movement import (
    crosses_rough,
    keeps_off,
    landed,
    movement_left,
    path_question,
    path_refusal,
    set_facing,
    walk_of,
)
from campale.rulesets.ragnarok.turn.sequence import bring_in_reserves
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import Figure, a, activate, piece, play, refused, table, way

FAR_ENEMY = a("draugr", 1, at=(110, 110), charisma=0, commander=1)


def walker(*others: Figure, profile: str = "raider", **more: Any) -> Position:
    """A model at (60, 50), the others, and an enemy too far away and too tired to react."""
    return table(a(profile, at=(60, 50), commander=1), *others, FAR_ENEMY, **more)


def walk(position: Position, *points: tuple[float, float], dice: str = "", how: str = "walk") -> tuple[float, float]:
    """Where the first model stands after a Move along these points."""
    activate(position, [0, "move", how, way(*points)], dice=dice)
    return position.model(0).at


# ---------------------------------------------------------------- move/allowance


@pytest.mark.covers("move/allowance", "move/declared-path")
@pytest.mark.parametrize(("y", "rule"), [(63.0, ""), (63.001, ""), (63.01, "move/allowance")])
def test_a_model_moves_up_to_its_movement(y: float, rule: str) -> None:
    assert refused(walker(), 0, "move", "walk", way((60, y))) == rule


@pytest.mark.covers("move/allowance", "move/declared-path")
@pytest.mark.parametrize(("x", "rule"), [(66.0, ""), (66.01, "move/allowance")])
def test_the_legs_of_a_path_are_added(x: float, rule: str) -> None:
    assert refused(walker(), 0, "move", "walk", way((60, 57), (x, 57))) == rule


@pytest.mark.covers("move/allowance")
def test_a_move_ends_where_it_was_declared_and_may_turn_the_model() -> None:
    position = walker()
    activate(position, [0, "move", "walk", way((60, 57), (63, 57), facing=135)])
    assert (position.model(0).at, position.model(0).facing) == ((63, 57), 135)


@pytest.mark.covers("move/allowance")
def test_a_model_may_turn_without_moving() -> None:
    position = walker()
    played = activate(position, [0, "move", "walk", way(facing=None)], 270)
    assert played.prompts == ["act", "facing"]
    assert (position.model(0).at, position.model(0).facing) == ((60, 50), 270)
    assert position.model(0).marks("moved") == 0


@pytest.mark.covers("move/allowance", "move/declared-path")
def test_the_facing_may_be_left_open_until_the_move_is_made() -> None:
    position = walker(pieces=[piece("bog", 60, 65)])
    played = activate(position, [0, "move", "walk", way((60, 60), facing=None)], 45, dice="6")
    assert [question.prompt for question in played.questions] == ["act", "rough-ground", "facing"]
    assert (position.model(0).at, position.model(0).facing) == ((60, 57), 45)


@pytest.mark.covers("move/allowance")
@pytest.mark.parametrize(("declared", "facing"), [(90.0, 90.0), (450.0, 90.0), (0.0, 0.0)])
def test_a_facing_said_beforehand_is_not_asked_again(declared: float, facing: float) -> None:
    model = walker().model(0)
    play(set_facing(model, declared))
    assert model.facing == facing


# ---------------------------------------------------------------- move/one-cm


@pytest.mark.covers("move/one-cm")
@pytest.mark.parametrize(("gap", "rule"), [(1.0, ""), (0.999, ""), (0.99, "move/one-cm"), (0.0, "move/one-cm")])
def test_a_move_may_end_one_centimetre_from_an_enemy_and_no_nearer(gap: float, rule: str) -> None:
    position = walker(a("raider", 1, at=(60, 60), charisma=0))
    assert refused(position, 0, "move", "walk", way((60, 57.5 - gap))) == rule


@pytest.mark.covers("move/one-cm")
@pytest.mark.parametrize(("x", "rule"), [(63.5, ""), (63.49, "move/one-cm")])
def test_the_whole_path_keeps_one_centimetre_away(x: float, rule: str) -> None:
    position = walker(a("raider", 1, at=(x, 55), charisma=0))
    assert refused(position, 0, "move", "walk", way((60, 60))) == rule


@pytest.mark.covers("move/one-cm")
@pytest.mark.parametrize(("wounds", "distance", "rule"), [(1, 1.0, "move/one-cm"), (2, 0.0, "")])
def test_enemies_out_of_action_are_not_kept_away_from(wounds: int, distance: float, rule: str) -> None:
    fallen = a("piston_cuirassier", 1, at=(60, 57.75), wounds=wounds, charisma=0)
    position = walker(fallen)
    assert keeps_off(position.model(0), position.model(1)) == distance
    assert refused(position, 0, "move", "walk", way((60, 55))) == rule


@pytest.mark.covers("move/one-cm")
@pytest.mark.parametrize(
    ("end", "rule"), [((60, 45), ""), ((55, 46), ""), ((60, 50.2), "move/one-cm"), ((64, 52), "move/one-cm")]
)
def test_a_model_that_starts_nearer_may_only_move_away(end: tuple[float, float], rule: str) -> None:
    enemy = a("raider", 1, at=(60, 53), charisma=0)
    assert refused(walker(enemy), 0, "move", "walk", way(end)) == rule


@pytest.mark.covers("move/one-cm")
def test_a_model_that_has_left_the_near_enemy_may_not_come_back() -> None:
    position = walker(a("raider", 1, at=(60, 53), charisma=0))
    assert refused(position, 0, "move", "walk", way((60, 48), (60, 49.5))) == ""
    assert refused(position, 0, "move", "walk", way((60, 48), (60, 49.6))) == "move/one-cm"


# ---------------------------------------------------------------- move/no-crossing


@pytest.mark.covers("move/no-crossing")
@pytest.mark.parametrize(("side", "wounds"), [(0, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize(("x", "rule"), [(62.5, ""), (62.49, "move/no-crossing")])
def test_bases_of_friends_and_of_the_fallen_are_not_crossed_but_may_be_touched(
    side: int, wounds: int, x: float, rule: str
) -> None:
    other = a("raider", side, at=(x, 55), wounds=wounds, charisma=0)
    position = walker(other)
    assert refused(position, 0, "move", "walk", way((60, 60))) == rule
    assert refused(position, 0, "move", "walk", way((60, 55))) == rule


@pytest.mark.covers("move/no-crossing", "battlefield/terrain-classes")
@pytest.mark.parametrize(("x", "rule"), [(64.25, ""), (64.2, "move/no-crossing")])
@pytest.mark.parametrize("kind", ["boulder", "wood"])
def test_impassable_ground_is_not_crossed(x: float, rule: str, kind: str) -> None:
    laid = piece(kind, x if kind == "boulder" else x + 4.5, 55)
    expected = rule if kind == "boulder" else ""
    assert refused(walker(pieces=[laid]), 0, "move", "walk", way((60, 60))) == expected


@pytest.mark.covers("move/no-crossing")
@pytest.mark.parametrize(("y", "rule"), [(1.25, ""), (1.24, "move/no-crossing")])
def test_no_part_of_a_base_leaves_the_table(y: float, rule: str) -> None:
    position = table(a("raider", at=(60, 5)), FAR_ENEMY)
    assert refused(position, 0, "move", "walk", way((60, y))) == rule


# ---------------------------------------------------------------- move/rough, fatigue/effects


@pytest.mark.covers("move/rough", "dice/order")
@pytest.mark.parametrize(
    ("points", "start"),
    [
        pytest.param([(60, 60)], (60, 50), id="enters"),
        pytest.param([(60, 52)], (60, 65), id="leaves"),
        pytest.param([(60, 77)], (60, 65), id="leaves on the other side"),
        pytest.param([(62, 65)], (60, 65), id="stays inside"),
        pytest.param([(71, 62)], (60, 57), id="crosses a corner"),
    ],
)
def test_a_move_that_enters_leaves_or_crosses_rough_ground_rolls_one_die(
    points: list[tuple[float, float]], start: tuple[float, float]
) -> None:
    position = table(a("raider", at=start), FAR_ENEMY, pieces=[piece("ruin", 60, 65)])
    played = activate(position, [0, "move", "walk", way(*points)], dice="1")
    assert played.rolls == ["rough-ground"]


@pytest.mark.covers("move/rough")
@pytest.mark.parametrize(("x", "is_rough"), [(52.75, False), (52.76, True)])
def test_touching_rough_ground_from_outside_is_not_entering_it(x: float, is_rough: bool) -> None:
    position = walker(pieces=[piece("ruin", 60, 65)])
    model = position.model(0)
    path = Path(((x, 60.0), (x, 70.0)))
    assert crosses_rough(model, path) is is_rough
    assert play(movement_left(model, path, 13.0), dice="3" * is_rough).value == 13.0 - 3 * is_rough


@pytest.mark.covers("move/rough")
def test_one_die_is_rolled_however_many_pieces_are_met() -> None:
    woods = [piece("low_wall", 60, 53), piece("low_wall", 60, 56)]
    assert walk(walker(pieces=woods), (60, 60), dice="2") == (60, 60)


@pytest.mark.covers("move/rough", "move/declared-path")
def test_the_die_shortens_the_move_even_if_the_rough_ground_is_not_reached_any_more() -> None:
    assert walk(walker(pieces=[piece("bog", 60, 67.5)]), (60, 63), dice="6") == (60, 57)


@pytest.mark.covers("move/rough", "move/declared-path")
def test_a_shorter_move_is_made_in_full_when_enough_is_left() -> None:
    assert walk(walker(pieces=[piece("bog", 60, 60)]), (60, 57), dice="6") == (60, 57)
    assert walk(walker(pieces=[piece("bog", 60, 60)]), (60, 57.5), dice="6") == (60, 57)


@pytest.mark.covers("move/rough", "fatigue/effects", "dice/order")
def test_every_fatigue_marker_takes_a_die_off_after_that_of_the_ground() -> None:
    position = table(a("raider", at=(60, 50), fatigue=2), FAR_ENEMY, pieces=[piece("bog", 60, 60)])
    played = activate(position, [0, "move", "walk", way((60, 62))], dice="1 | 2 4")
    assert played.rolls == ["rough-ground", "fatigue", "fatigue"]
    assert position.model(0).at == (60, 56)


@pytest.mark.covers("move/rough", "fatigue/effects")
def test_a_die_on_the_way_cites_the_rule_that_it_is_rolled_for() -> None:
    position = table(a("raider", at=(60, 50), fatigue=1), FAR_ENEMY, pieces=[piece("bog", 60, 60)])
    rolled = activate(position, [0, "move", "walk", way((60, 62))], dice="1 | 2").questions[-2:]
    assert [(roll.prompt, roll.rules[-1]) for roll in rolled] == [
        ("rough-ground", "move/rough"),
        ("fatigue", "fatigue/effects"),
    ]


@pytest.mark.covers("fatigue/effects", "profile/limits", "move/rough")
def test_movement_is_never_below_nothing() -> None:
    position = table(a("raider", at=(60, 50), fatigue=3), FAR_ENEMY)
    activate(position, [0, "move", "walk", way((60, 62), facing=90)], dice="6 6 6")
    assert (position.model(0).at, position.model(0).facing) == ((60, 50), 90)


@pytest.mark.covers("move/rough", "fatigue/effects")
def test_turning_on_the_spot_rolls_nothing() -> None:
    position = table(a("raider", at=(60, 60), fatigue=1), FAR_ENEMY, pieces=[piece("bog", 60, 60)])
    assert activate(position, [0, "move", "walk", way(facing=90)]).rolls == []
    assert position.model(0).facing == 90


# ---------------------------------------------------------------- move/declared-path


@pytest.mark.covers("move/declared-path", "move/allowance")
def test_a_tired_model_declares_a_path_of_its_whole_movement_before_the_dice() -> None:
    position = table(a("raider", at=(60, 50), fatigue=1), a("frost_hunter", 1, at=(60, 80)))
    played = activate(position, [0, "move", "walk", way((60, 56), (67, 56))], ["none"], dice="4")
    assert [question.prompt for question in played.questions] == ["act", "reactions", "fatigue"]
    assert position.model(0).at == (63, 56)


@pytest.mark.covers("move/declared-path", "move/allowance", "alert/end")
def test_a_move_is_shown_with_its_path_and_ends_the_alert() -> None:
    position = table(a("raider", at=(60, 50), alert=1), FAR_ENEMY)
    played = activate(position, [0, "move", "walk", way((60, 52), (62, 52))])
    moved = next(event for event in played.events if event.kind == "move")
    assert [list(point) for point in moved.values["path"]] == [[60, 50], [60, 52], [62, 52]]
    assert (position.model(0).marks("moved"), position.model(0).marks("alert")) == (1, 0)


# ---------------------------------------------------------------- special/scout


@pytest.mark.covers("special/scout", "actions/list")
@pytest.mark.parametrize(
    ("turn", "side", "is_free"), [(1, 0, True), (2, 0, False), (2, 1, True), (3, 0, False), (3, 1, False)]
)
def test_a_scout_moves_free_in_the_first_tactical_phase_of_its_side(turn: int, side: int, is_free: bool) -> None:
    active = (turn + 1) % 2
    position = table(a("pathfinder", side, at=(60, 50)), a("draugr", 1 - side, at=(60, 110)), turn=turn, side=active)
    assert moves_free(position.model(0)) is is_free


@pytest.mark.covers("special/scout", "opt-reserves/entry")
@pytest.mark.parametrize(("turn", "points"), [(1, 4), (3, 3)])
def test_a_scout_in_reserve_loses_the_benefit_unless_it_comes_before_that_phase(turn: int, points: int) -> None:
    leader = a("raider", at=(20, 20), commander=1)
    position = table(a("pathfinder", at=None), leader, FAR_ENEMY, turn=turn, options={"reserves": True})
    play(bring_in_reserves(position, 0), "4", [[[60, 5, 0]]])
    activate(position, [0, "move", "walk", way((60, 10))])
    assert position.model(0).marks("charisma") == points


@pytest.mark.covers("special/scout", "fatigue/gain", "tactical/charisma-limit")
def test_the_first_move_of_a_scout_is_free_the_second_tires_not_and_the_third_does() -> None:
    position = table(a("pathfinder", at=(60, 50)), FAR_ENEMY, turn=1)
    for points, fatigue in ((4, 0), (3, 0), (2, 1)):
        activate(position, [0, "move", "walk", way()])
        assert (position.model(0).marks("charisma"), position.model(0).marks("fatigue")) == (points, fatigue)


@pytest.mark.covers("special/scout", "tactical/charisma-limit")
@pytest.mark.parametrize(("turn", "rule"), [(1, ""), (3, "tactical/charisma-limit")])
def test_a_free_move_needs_no_points_left(turn: int, rule: str) -> None:
    position = table(a("pathfinder", at=(60, 50), charisma=0), FAR_ENEMY, turn=turn)
    assert refused(position, 0, "move", "walk", way()) == rule


@pytest.mark.covers("special/scout", "fatigue/gain")
@pytest.mark.parametrize(("turn", "fatigue"), [(1, 0), (3, 1)])
def test_only_in_that_turn_the_second_move_tires_not(turn: int, fatigue: int) -> None:
    position = table(a("pathfinder", at=(60, 50)), FAR_ENEMY, turn=turn)
    position.model(0).mark("used-move", 1)
    activate(position, [0, "move", "walk", way()])
    assert position.model(0).marks("fatigue") == fatigue


@pytest.mark.covers("special/scout", "fatigue/gain")
def test_other_actions_of_a_scout_tire_as_usual() -> None:
    position = table(a("pathfinder", at=(60, 50)), a("raider"), FAR_ENEMY, turn=1)
    scout, raider = position.model(0), position.model(1)
    for model in (scout, raider):
        model.mark("used-move", 2)
    assert spares_fatigue(scout, "move")
    assert not spares_fatigue(scout, "fire")
    assert not spares_fatigue(raider, "move")


# ---------------------------------------------------------------- special/strider


@pytest.mark.covers("special/strider", "move/rough")
@pytest.mark.parametrize(("profile", "dice"), [("pathfinder", ""), ("raider", "3")])
def test_a_strider_treats_rough_ground_as_clear(profile: str, dice: str) -> None:
    position = walker(profile=profile, pieces=[piece("bog", 60, 60)])
    assert ignores_rough(position.model(0)) is (profile == "pathfinder")
    assert walk(position, (60, 60), dice=dice) == (60, 60)


@pytest.mark.covers("special/strider")
@pytest.mark.parametrize(("rules", "dice"), [((), "6 1"), (("strider",), "")])
def test_a_flying_strider_lands_in_rough_ground_without_a_test(rules: tuple[str, ...], dice: str) -> None:
    position = table(a("iron_raven", at=(60, 40), rules=rules), FAR_ENEMY, pieces=[piece("bog", 60, 60)])
    assert walk(position, (60, 60), dice=dice, how="fly") == (60, 60)


# ---------------------------------------------------------------- special/flyer-move


def raven(*others: Figure, at: tuple[float, float] = (60, 40), **more: Any) -> Position:
    return table(a("iron_raven", at=at, commander=1), *others, FAR_ENEMY, **more)


@pytest.mark.covers("special/flyer-move")
@pytest.mark.parametrize(
    ("how", "y", "rule"),
    [("fly", 64.0, ""), ("fly", 64.01, "move/allowance"), ("walk", 48.0, ""), ("walk", 48.01, "move/allowance")],
)
def test_a_flyer_moves_n_when_it_chooses_to_fly(how: str, y: float, rule: str) -> None:
    position = raven()
    assert flight(position.model(0)) == 24
    assert refused(position, 0, "move", how, way((60, y))) == rule


@pytest.mark.covers("special/flyer-move")
def test_who_does_not_fly_is_not_offered_to() -> None:
    position = walker()
    assert flight(position.model(0)) == 0
    assert refused(position, 0, "move", "fly", way((60, 55))) != ""


@pytest.mark.covers("special/flyer-move")
def test_a_flight_passes_over_models_enemies_and_impassable_and_rough_ground() -> None:
    below = a("raider", at=(60, 44)), a("raider", 1, at=(60, 50), fatigue=4)
    pieces = [piece("boulder", 60, 55), piece("bog", 80, 55)]
    assert walk(raven(*below, pieces=pieces), (60, 62), how="fly") == (60, 62)
    assert refused(raven(*below, pieces=pieces), 0, "move", "walk", way((60, 47))) == "move/no-crossing"


@pytest.mark.covers("special/flyer-move", "move/one-cm", "move/no-crossing")
@pytest.mark.parametrize(
    ("y", "rule"),
    [
        (55.75, ""),
        (55.76, "move/one-cm"),
        (60, "move/one-cm"),
        (64.24, "move/one-cm"),
        (64.25, ""),
    ],
)
def test_a_flight_ends_one_centimetre_from_enemies(y: float, rule: str) -> None:
    enemy = a("raider", 1, at=(60, 60), charisma=0)
    assert refused(raven(enemy, at=(60, 42)), 0, "move", "fly", way((60, y))) == rule


@pytest.mark.covers("special/flyer-move", "move/no-crossing")
@pytest.mark.parametrize(("y", "rule"), [(56.75, ""), (56.76, "move/no-crossing"), (60, "move/no-crossing")])
def test_a_flight_ends_on_no_base(y: float, rule: str) -> None:
    assert refused(raven(a("raider", at=(60, 60))), 0, "move", "fly", way((60, y))) == rule


@pytest.mark.covers("special/flyer-move", "move/no-crossing")
@pytest.mark.parametrize(("y", "rule"), [(54.99, ""), (55.01, "move/no-crossing")])
def test_a_flight_ends_on_no_impassable_ground(y: float, rule: str) -> None:
    assert refused(raven(pieces=[piece("boulder", 60, 60)]), 0, "move", "fly", way((60, y))) == rule


@pytest.mark.covers("special/flyer-move", "fatigue/effects")
def test_fatigue_shortens_a_flight() -> None:
    position = table(a("iron_raven", at=(60, 40), fatigue=1), FAR_ENEMY)
    assert walk(position, (60, 64), how="fly", dice="5") == (60, 59)


@pytest.mark.covers("special/flyer-move", "fatigue/effects")
def test_a_flight_cut_short_over_a_model_ends_at_the_last_legal_place_before_it() -> None:
    below = a("raider", at=(60, 58), commander=1)
    position = table(a("iron_raven", at=(60, 40), fatigue=1), below, FAR_ENEMY)
    x, y = walk(position, (60, 64), how="fly", dice="5")
    assert x == 60
    assert 54.6 <= y <= 54.75


@pytest.mark.covers("special/flyer-move")
def test_a_flight_that_may_end_nowhere_on_its_way_stays_where_it_began() -> None:
    position = raven(a("raider", at=(60, 43.25)))
    path = Path(((60.0, 40.0), (60.0, 43.0)))
    assert landed(position.model(0), path).points[-1] == (60, 40)


@pytest.mark.covers("special/flyer-move", "control-area/free-reaction")
def test_a_flight_triggers_control_areas() -> None:
    hunter = a("frost_hunter", 1, at=(73, 52), facing=90, charisma=0)
    position = raven(hunter)
    activate(position, [0, "move", "fly", way((60, 64))], ["go-prone"])
    assert (position.model(1).marks("prone"), position.model(1).marks("charisma")) == (4, 0)


# ---------------------------------------------------------------- special/flyer-landing


@pytest.mark.covers("special/flyer-landing", "dice/order")
@pytest.mark.parametrize(
    ("start", "end", "tests"),
    [
        ((60, 40), (60, 64), []),
        ((60, 40), (60, 52), ["landing"]),
        ((60, 52), (60, 64), ["take-off"]),
        ((60, 52), (62, 52), ["take-off", "landing"]),
    ],
)
def test_landing_in_rough_ground_and_taking_off_from_it_call_for_a_test(
    start: tuple[float, float], end: tuple[float, float], tests: list[str]
) -> None:
    position = raven(at=start, pieces=[piece("bog", 60, 52)])
    played = activate(position, [0, "move", "fly", way(end)], dice="3 4 " * len(tests))
    assert played.rolls == tests
    assert position.model(0).at == end


@pytest.mark.covers("special/flyer-landing")
def test_the_test_of_the_take_off_comes_before_the_dice_of_fatigue_and_that_of_the_landing_after() -> None:
    flyer = a("iron_raven", at=(60, 52), fatigue=1)
    position = table(flyer, FAR_ENEMY, pieces=[piece("bog", 60, 52)])
    played = activate(position, [0, "move", "fly", way((60, 56))], dice="3 4 | 1 | 3 4")
    assert played.rolls == ["take-off", "fatigue", "landing"]


@pytest.mark.covers("special/flyer-landing")
@pytest.mark.parametrize(("start", "end", "at"), [((60, 40), (60, 52), (60, 52)), ((60, 52), (60, 64), (60, 52))])
def test_a_flyer_that_fails_the_test_crashes_and_is_a_loss(
    start: tuple[float, float], end: tuple[float, float], at: tuple[float, float]
) -> None:
    flyer, leader = a("iron_raven", at=start), a("raider", at=(20, 20), commander=1)
    position = table(flyer, leader, FAR_ENEMY, pieces=[piece("bog", 60, 52)])
    played = activate(position, [0, "move", "fly", way(end, facing=None)], dice="3 3")
    assert not position.model(0).is_on_table
    assert [(loss.model, loss.cause) for loss in position.losses] == [(0, "crash")]
    assert position.model(0).at == at
    assert "facing" not in played.prompts


@pytest.mark.covers("special/flyer-landing")
def test_walking_in_rough_ground_calls_for_no_test() -> None:
    position = raven(at=(60, 52), pieces=[piece("bog", 60, 52)])
    assert activate(position, [0, "move", "walk", way((60, 54))], dice="1").rolls == ["rough-ground"]


# ---------------------------------------------------------------- special/immobile


@pytest.mark.covers("special/immobile", "move/allowance")
@pytest.mark.parametrize(("rules", "rule"), [((), ""), (("immobile",), "move/allowance")])
def test_an_immobile_model_does_not_move(rules: tuple[str, ...], rule: str) -> None:
    position = table(a("raider", at=(60, 50), rules=rules), FAR_ENEMY)
    assert is_immobile(position.model(0)) is bool(rules)
    assert refused(position, 0, "move", "walk", way((60, 51))) == rule


@pytest.mark.covers("special/immobile")
def test_an_immobile_model_may_turn() -> None:
    position = table(a("anvil_turret", at=(60, 50)), FAR_ENEMY)
    activate(position, [0, "move", "walk", way(facing=90)])
    assert position.model(0).facing == 90


@pytest.mark.covers("special/immobile")
@pytest.mark.parametrize(("rules", "rule"), [((), ""), (("immobile",), "special/immobile")])
def test_an_immobile_model_does_not_charge(rules: tuple[str, ...], rule: str) -> None:
    position = table(a("raider", at=(60, 50), rules=rules), a("draugr", 1, at=(60, 60), charisma=0))
    assert refused(position, 0, "charge", 1, way((60, 57.25))) == rule


@pytest.mark.covers("special/immobile", "weapon-rules/salvo")
def test_a_salvo_is_always_open_to_an_immobile_model() -> None:
    position = table(a("anvil_turret", at=(60, 50)), a("draugr", 1, at=(60, 100), charisma=0))
    activate(position, [0, "move", "walk", way(facing=10)])
    activate(position, [0, "fire", 0, 1, "salvo"], dice="1 1 1 1 1 1 1 1")
    assert position.model(0).marks("salvoed") == 1


# ---------------------------------------------------------------- missions/patrol-explore


@pytest.mark.covers("missions/patrol-explore", "missions/holding-models")
def test_on_patrol_a_move_explores_the_pieces_it_passes_through() -> None:
    pieces = [piece("low_wall", 60, 53, name="near"), piece("low_wall", 60, 57, name="far")]
    position = walker(pieces=pieces, mission="patrol")
    walk(position, (60, 54), dice="1")
    assert explored(position) == {"near": 0}
    walk(position, (60, 58), dice="1")
    assert explored(position) == {"near": 0, "far": 0}


@pytest.mark.covers("missions/patrol-explore")
def test_the_last_side_to_pass_owns_the_marker() -> None:
    position = walker(pieces=[piece("low_wall", 60, 53, name="wall")], mission="patrol")
    position.declare("explored", (("wall", 1),))
    played = activate(position, [0, "move", "walk", way((60, 55))], dice="1")
    assert explored(position) == {"wall": 0}
    assert played.kinds.count("explored") == 1
    assert "explored" not in activate(position, [0, "move", "walk", way((60, 51))], dice="1").kinds[len(played.kinds) :]


@pytest.mark.covers("missions/patrol-explore")
@pytest.mark.parametrize(("how", "names"), [("walk", {"near": 0, "far": 0}), ("fly", {"far": 0})])
def test_a_flight_explores_only_where_it_ends(how: str, names: dict[str, int]) -> None:
    pieces = [piece("low_wall", 60, 42.5, name="near"), piece("low_wall", 60, 46, name="far")]
    position = raven(pieces=pieces, mission="patrol")
    walk(position, (60, 46), how=how, dice="1" if how == "walk" else "6 6")
    assert explored(position) == names


@pytest.mark.covers("missions/patrol-explore")
@pytest.mark.parametrize(("mission", "names"), [("patrol", {"wall": 0}), ("extermination", {})])
def test_only_a_patrol_explores(mission: str, names: dict[str, int]) -> None:
    position = walker(pieces=[piece("low_wall", 60, 53, name="wall")], mission=mission)
    walk(position, (60, 55), dice="1")
    assert explored(position) == names


def test_a_walk_that_nothing_bars_is_not_refused() -> None:
    model = walker().model(0)
    assert path_refusal(walk_of(model, Path(((60.0, 50.0), (61.0, 50.0))), 13.0)) is None


@pytest.mark.covers("move/rough")
@pytest.mark.parametrize(("end", "kinds"), [((60, 60), ["rough-ground"]), ((60, 46), []), ((60, 50), [])])
def test_rough_ground_on_the_way_is_told_before_it_is_entered(end: tuple[float, float], kinds: list[str]) -> None:
    position = table(a("raider", at=(60, 50)), FAR_ENEMY, pieces=[piece("ruin", 60, 65)])
    question = path_question(position.model(0), "path", 15.0)
    assert [one.kind for one in question.foretold([[list(end)], None])] == kinds
    sure = path_question(position.model(0), "consolidation-path", 15.0, is_rolled=True)
    assert sure.foretold([[list(end)], None]) == []
