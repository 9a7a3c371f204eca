"""Missions: which, their objectives, who holds one, what is scored and who has won."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.position import Position, Token
from campale.rulesets.e55.battle.missions import choose_mission as choosing
from campale.rulesets.e55.battle.missions import (
    holders,
    judge,
    objective_question,
    objectives,
    place_objectives,
    places_for_objectives,
    score,
    score_start_of_turn,
)
from campale.rulesets.e55.options import switches
from tests.rulesets.e55.kit import Squad, block, model, play, profile, refused, squad, table, wall


def scored(winner: int | None, ours: int, theirs: int, position: Position) -> bool:
    assert position.result is not None
    counts = [ours, theirs]
    return position.result.winner == winner and position.result.counts["score"] == counts


def with_objective(*squads: Squad, mission: str = "securing", value: Any = (5, 2), **more: Any) -> Position:
    """An objective at (36, 24)."""
    position = table(*squads, mission=mission, **more)
    position.lay(Token("objective", 36.0, 24.0, value=value))
    return position


def near(distance: float, kind: str = "militia", side: int = 0, **more: Any) -> Squad:
    """One model (a base of 1 inch) whose edge is so far from the objective, to the left for side 0."""
    x = 36.0 - 0.5 - distance if side == 0 else 36.0 + 0.5 + distance
    return squad(kind, side=side, at=(x, 24.0), **more)


# ---------------------------------------------------------------- which


@pytest.mark.covers("10.2/mission-choice")
@pytest.mark.parametrize(("drawn", "mission"), [(0, "securing"), (1, "seize-and-hold"), (2, "annihilation")])
def test_one_of_the_three_missions_is_drawn(drawn: int, mission: str) -> None:
    position = table()
    del position.now["mission"]
    played = play(choosing(position), dice=str(drawn), position=position)
    assert position.now["mission"] == mission
    assert played.cites("10.2/mission-choice")


@pytest.mark.covers("10.2/mission-choice")
def test_a_mission_that_was_agreed_on_is_not_drawn() -> None:
    position = table(mission="securing")
    played = play(choosing(position), position=position)
    assert played.rolls == []
    assert position.now["mission"] == "securing"


# ---------------------------------------------------------------- placing the objectives


def counted(mission: str, die: int) -> int:
    position = table(mission=mission)
    assert play(place_objectives(position), dice=f"{die} 0").value is True
    return int(position.now["objectives"])


@pytest.mark.covers("10.2/mission-securing")
def test_three_and_a_d3_objectives_are_to_be_secured() -> None:
    assert [counted("securing", die) for die in (1, 2, 3)] == [4, 5, 6]


@pytest.mark.covers("10.2/mission-seize-and-hold")
def test_two_and_a_d3_objectives_are_to_be_seized() -> None:
    assert [counted("seize-and-hold", die) for die in (1, 2, 3)] == [3, 4, 5]


@pytest.mark.covers("10.2/mission-annihilation")
def test_annihilation_has_no_objectives() -> None:
    position = table(mission="annihilation")
    played = play(place_objectives(position))
    assert played.value is False
    assert played.rolls == []


@pytest.mark.covers("10.2/objective-placement")
def test_lots_decide_who_begins_and_the_players_alternate() -> None:
    position = table(mission="seize-and-hold")
    play(place_objectives(position), dice="1 1")
    sides, more = [], True
    for at in ([36, 24], [20, 20], [55, 30]):
        assert more
        played = play(place_objectives(position), answers=[at])
        sides.append(played.questions[0].side)
        more = played.value
    assert more is False
    assert sides == [1, 0, 1]
    assert [(t.x, t.y) for t in objectives(position)] == [(36, 24), (20, 20), (55, 30)]


@pytest.mark.covers("10.2/mission-securing")
def test_each_player_rolls_what_an_objective_is_worth_to_him() -> None:
    position = table(mission="securing")
    play(place_objectives(position), dice="1 0")
    play(place_objectives(position), dice="5 2", answers=[[36, 24]])
    assert objectives(position)[0].value == (5, 2)


@pytest.mark.covers("10.2/mission-seize-and-hold")
def test_objectives_to_be_seized_have_no_worth_of_their_own() -> None:
    position = table(mission="seize-and-hold")
    play(place_objectives(position), dice="1 0")
    played = play(place_objectives(position), answers=[[36, 24]])
    assert played.rolls == []
    assert objectives(position)[0].value is None


@pytest.mark.covers("10.2/objective-placement")
def test_an_objective_is_twelve_inches_from_edges_and_other_objectives() -> None:
    asked = objective_question(with_objective(), 0, 1)
    assert refused(asked, [12.0, 36.0]) == ""
    assert refused(asked, [11.99, 36.0]) == "10.2/objective-placement"
    assert refused(asked, [20.0, 36.01]) == "10.2/objective-placement"
    assert refused(asked, [48.0, 24.0]) == ""
    assert refused(asked, [47.99, 24.0]) == "10.2/objective-placement"


@pytest.mark.covers("10.2/objective-placement", "3.1.2/impassable")
def test_no_objective_lies_in_what_is_impassable() -> None:
    asked = objective_question(table(pieces=[wall(36, 24, 8, 2)]), 0, 0)
    assert refused(asked, [36.0, 25.1]) == ""
    assert refused(asked, [36.0, 24.9]) == "3.1.2/impassable"
    refusal = asked.refusal([36.0, 24.9])
    assert refusal is not None
    assert refusal.word == "lies-on-impassable"
    assert asked.shown["off_impassable"] is True


def test_what_is_proposed_for_an_objective_is_legal() -> None:
    asked = objective_question(with_objective(pieces=[wall(50, 24, 10, 20)]), 0, 1)
    answers = [*asked.suggestions(), *(asked.sample(Random(k)) for k in range(20))]
    assert len(answers) > 22
    assert [asked.refusal(one) for one in answers] == [None] * len(answers)


@pytest.mark.covers("10.2/objective-placement")
def test_where_no_place_is_left_no_more_objectives_are_placed() -> None:
    position = table(mission="securing", pieces=[wall(36, 24, 72, 30)])
    play(place_objectives(position), dice="1 0")
    assert next(places_for_objectives(position), None) is None
    assert play(place_objectives(position)).value is False


# ---------------------------------------------------------------- capturing


@pytest.mark.covers("10.2/capture")
def test_an_objective_is_held_from_less_than_three_inches() -> None:
    assert holders(with_objective(near(2.99))) == (0,)
    assert holders(with_objective(near(3.0))) == (None,)
    assert holders(with_objective(near(2.99, side=1))) == (1,)


@pytest.mark.covers("10.2/capture")
def test_the_nearest_model_of_a_unit_counts() -> None:
    assert holders(with_objective(squad("militia", 2, at=[(30, 24), (32.6, 24)]))) == (0,)


@pytest.mark.covers("10.2/capture")
def test_an_enemy_who_contests_is_within_less_than_three_inches_too() -> None:
    assert holders(with_objective(near(1), near(2.99, side=1))) == (None,)
    assert holders(with_objective(near(1), near(3.0, side=1))) == (0,)


@pytest.mark.covers("10.2/capture", "1.1/measure-height")
def test_who_stands_high_above_an_objective_does_not_hold_it() -> None:
    tower = block(33.5, 24, 4, 4, floors=[3.0])
    assert holders(with_objective(near(1, z=3.0), pieces=[tower])) == (None,)
    assert holders(with_objective(near(1), pieces=[tower])) == (0,)


@pytest.mark.covers("10.2/capture")
def test_who_is_inside_a_transport_holds_nothing() -> None:
    position = with_objective(squad("carrier", at=(33, 24)), squad("militia", 2, at=None))
    assert holders(position) == (None,)
    for one in position.models[1:]:
        position.take_off(one, aboard_of=model(position, 0))
    assert holders(position) == (None,)


FLYING = ("jetbiker", "jump-trooper", "winged-beast")


@pytest.mark.covers("10.2/who-captures")
@pytest.mark.parametrize("kind", ["militia", "hound", "biker", "great-beast", "captain"])
def test_every_other_type_captures(kind: str) -> None:
    assert holders(with_objective(near(0.5, kind))) == (0,)


@pytest.mark.covers("10.2/who-captures")
@pytest.mark.parametrize("kind", ["tank", "walker", "flyer"])
def test_vehicles_do_not_capture(kind: str) -> None:
    assert holders(with_objective(squad(kind, at=(36, 24)))) == (None,)


@pytest.mark.covers("10.2/who-captures", "10.2/who-contests")
@pytest.mark.parametrize("kind", FLYING)
def test_flying_types_capture_in_the_mode_on_the_ground_alone(kind: str) -> None:
    assert holders(with_objective(squad(kind, at=(35, 24), aloft=1))) == (None,)
    assert holders(with_objective(squad(kind, at=(35, 24)))) == (0,)


@pytest.mark.covers("10.2/who-contests")
@pytest.mark.parametrize("kind", ["tank", "walker", "aircraft", "militia", "biker"])
def test_vehicles_that_do_not_fly_contest(kind: str) -> None:
    assert holders(with_objective(near(1), squad(kind, side=1, at=(38, 24)))) == (None,)


@pytest.mark.covers("10.2/who-contests")
@pytest.mark.parametrize("kind", [*FLYING, "aircraft"])
def test_what_flies_does_not_contest(kind: str) -> None:
    assert holders(with_objective(near(1), squad(kind, side=1, at=(38, 24), aloft=1))) == (0,)


@pytest.mark.covers("10.2/who-contests")
def test_a_flyer_never_contests() -> None:
    assert holders(with_objective(near(1), squad("flyer", side=1, at=(38, 24)))) == (0,)


@pytest.mark.covers("10.2/who-contests", "10.2/who-captures")
def test_the_broken_capture_and_contest() -> None:
    assert holders(with_objective(near(1, broken=1))) == (0,)
    assert holders(with_objective(near(1), near(2, side=1, broken=1))) == (None,)


@pytest.mark.covers("10.2/who-contests", "10.2/who-captures")
def test_a_mixed_unit_captures_through_those_that_may() -> None:
    mixed = [profile("jump-trooper"), profile("militia")]
    near_flyer = squad(mixed, at=[(35, 24), (31, 24)], aloft=1)
    near_walker = squad(mixed, at=[(31, 24), (35, 24)], aloft=1)
    assert holders(with_objective(near_flyer)) == (None,)
    assert holders(with_objective(near_walker)) == (0,)


@pytest.mark.covers("6/objective-statement")
@pytest.mark.parametrize(("kind", "by_option"), [("militia", 0), ("biker", None), ("great-beast", None)])
def test_by_option_infantry_alone_captures(kind: str, by_option: int | None) -> None:
    assert holders(with_objective(near(0.5, kind))) == (0,)
    assert holders(with_objective(near(0.5, kind), options={"capturing": "infantry"})) == (by_option,)


@pytest.mark.covers("6/objective-statement", "6.1.1/own-turn-mode-option")
def test_the_option_is_offered_and_off_unless_it_is_chosen() -> None:
    offered = {switch.name: (switch.values, switch.default) for switch in switches()}
    assert offered["capturing"] == (("missions", "infantry"), "missions")
    assert offered["own_turn_mode"] == ((False, True), False)


# ---------------------------------------------------------------- points


@pytest.mark.covers("10.2/mission-securing", "10.2/winner")
def test_what_is_held_at_the_end_is_worth_what_its_holder_rolled() -> None:
    position = with_objective(near(1))
    position.lay(Token("objective", 50.0, 24.0, value=(1, 6)))
    assert score(position) == (5, 0)
    other = with_objective(near(1), squad("militia", side=1, at=(50, 24)))
    other.lay(Token("objective", 50.0, 24.0, value=(1, 6)))
    judge(other)
    assert scored(1, 5, 6, other)
    assert other.result is not None
    assert other.result.rule == "10.2/winner"


@pytest.mark.covers("10.2/mission-seize-and-hold", "10.2/winner")
def test_a_point_is_scored_for_each_objective_held_as_the_turn_starts() -> None:
    position = with_objective(near(1), squad("militia", at=(50, 24)), mission="seize-and-hold", value=None)
    position.lay(Token("objective", 50.0, 24.0))
    score_start_of_turn(position, 1)
    assert score(position) == (0, 0)
    score_start_of_turn(position, 0)
    assert score(position) == (2, 0)
    score_start_of_turn(position, 0)
    model(position, 0).move_to(10, 10)
    judge(position)
    assert scored(0, 4, 0, position)


@pytest.mark.covers("10.2/mission-seize-and-hold")
def test_in_other_missions_nothing_is_scored_as_the_turn_starts() -> None:
    position = with_objective(near(1))
    score_start_of_turn(position, 0)
    assert position.holds(0, "points") == 0


@pytest.mark.covers("10.2/mission-annihilation")
def test_a_point_for_each_enemy_unit_that_is_gone_completely() -> None:
    position = table(squad("militia", 2), squad("militia", 2, at=(20, 10)), squad("militia", side=1, at=(20, 30)))
    for row in (0, 1, 2):
        position.remove(model(position, row), "fled")
    assert score(position) == (0, 1)
    judge(position)
    assert scored(1, 0, 1, position)


@pytest.mark.covers("10.2/mission-annihilation")
def test_units_in_reserve_are_not_eliminated() -> None:
    assert score(table(squad("militia", 2, at=None), squad("militia", side=1))) == (0, 0)


@pytest.mark.covers("10.2/winner")
def test_equal_points_are_a_draw() -> None:
    position = table(squad("militia"))
    judge(position)
    assert scored(None, 0, 0, position)
