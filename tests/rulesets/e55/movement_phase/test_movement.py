"""Chapter 3.1: who moves and how far, what bars a unit's move, running."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.position import Effect, Position, Token, Unit
from campale.rulesets.e55.assault_phase import charge
from campale.rulesets.e55.assault_phase.striking import skill_of_vehicle
from campale.rulesets.e55.movement_phase import movement
from campale.rulesets.e55.movement_phase.movement import allowance, move_unit, movement_phase, unit_move_question
from campale.rulesets.e55.shooting_phase import shooting
from campale.rulesets.e55.turn.acting import DONE_KEY, menu, refusal_of
from campale.rulesets.e55.vehicles import vehicles
from tests.rulesets.e55.kit import (
    PROPOSAL,
    block,
    first_question,
    model,
    play,
    profile,
    question_after,
    refused,
    squad,
    table,
    unit,
    wall,
    wood,
)

STAY: list[Any] = [[], None]


def way(*points: tuple[float, ...]) -> list[Any]:
    return [[list(point) for point in points], None]


def battle(*squads: Any, **given: Any) -> Position:
    return table(*squads, phase="movement", **given)


def barred(position: Position, *key: Any) -> str:
    """The rule that keeps an act from being chosen."""
    found = refusal_of(position, key)
    return "" if found is None else getattr(found, "rule", "")


def moved(position: Position, *answers: list[Any], limit: float = 6.0, number: int = 0, **how: Any) -> str:
    """The rule that refuses a unit these ways."""
    return refused(unit_move_question(unit(position, number), "move", limit, **how), list(answers))


# ---------------------------------------------------------------- how far


@pytest.mark.covers("3.1/move-allowance", "6.1/mc-movement")
def test_every_type_without_a_figure_of_its_own_moves_six_inches() -> None:
    position = battle(squad("veteran"), squad("hound", at=(10, 10)), squad("great-beast", at=(20, 10)))
    assert [allowance(unit(position, number)) for number in range(3)] == [6.0, 6.0, 6.0]


@pytest.mark.covers("3.1/move-allowance")
def test_moving_is_optional_and_done_once_by_each_unit_in_any_order() -> None:
    position = battle(squad("veteran", at=(10, 10)), squad("militia", at=(30, 10)))
    play(movement_phase(position), answers=[("move", 1), [way((36, 10))]], position=position)
    assert barred(position, "move", 1) == barred(position, "run", 1) == "3.1/move-allowance"
    assert barred(position, "move", 0) == ""
    assert model(position, 1).at == (36, 10)
    assert play(movement_phase(position), answers=[("move", 0), [STAY]], position=position).value
    assert model(position, 0).at == (10, 10)
    assert not unit(position, 0).marks("moved")
    assert menu(position, "movement")[0] == DONE_KEY
    assert not play(movement_phase(position)).value


@pytest.mark.covers("3.1/move-allowance")
@pytest.mark.parametrize("mark", ["arrived", "disembarked", "embarked"])
def test_arriving_boarding_and_getting_out_take_the_place_of_the_move(mark: str) -> None:
    position = battle(squad("veteran", marks={mark: 1}))
    assert barred(position, "move", 0) == "3.1/move-allowance"


@pytest.mark.covers("1.1/move", "3.1/move-allowance")
def test_a_unit_moves_six_inches_and_turns_nobody() -> None:
    position = battle(squad("veteran", 2, at=(10, 10)), squad("walker", at=(40, 10)))
    assert moved(position, way((16, 10)), way((18, 10))) == ""
    assert moved(position, way((16.1, 10)), way((18, 10))) == "1.1/move"
    assert moved(position, [[[42, 10]], 90.0], number=1) == "1.1/move"
    assert moved(position, [[[42, 10]], 0.0], number=1) == ""


@pytest.mark.covers("3.1/slowest-model", "1.2/mixed-units")
def test_a_unit_goes_at_the_pace_of_its_slowest_model() -> None:
    bikes = battle(squad("biker", 2))
    mixed = battle(squad([profile("biker"), profile("captain")]))
    assert allowance(unit(bikes, 0)) == 12.0
    assert allowance(unit(mixed, 0)) == 6.0
    question = question_after(movement.move(mixed, ("move", 0)))
    assert question.shown["allowance"] == 6.0  # type: ignore[attr-defined]


@pytest.mark.covers("6.2/bike-move", "6.2.1/jetbike-move")
def test_bikes_and_jetbikes_move_the_figure_of_their_profile() -> None:
    slow = profile("biker", x=10)
    position = battle(squad(slow), squad("jetbiker", at=(10, 10), aloft=1), squad("jetbiker", at=(20, 10)))
    assert [allowance(unit(position, number)) for number in range(3)] == [10.0, 12.0, 12.0]


@pytest.mark.covers("6.1.1/fmc-move", "6.4/flying-infantry-move")
@pytest.mark.parametrize("kind", ["winged-beast", "jump-trooper"])
def test_flying_types_move_their_figure_while_they_fly(kind: str) -> None:
    position = battle(squad(kind, aloft=1), squad(kind, at=(10, 10)))
    assert allowance(unit(position, 0)) == 12.0
    assert allowance(unit(position, 1)) == 6.0


@pytest.mark.covers("1.1/unit-effect-scope", "5/casting")
def test_a_power_on_a_unit_lengthens_the_move_of_all_its_models() -> None:
    position = battle(squad("veteran", 2))
    position.begin(Effect("5/casting", 0, on="unit", value=("haste", 3), until="turn-3"))
    assert allowance(unit(position, 0)) == 9.0


# ---------------------------------------------------------------- who may not move


@pytest.mark.covers("3.1/cannot-move")
@pytest.mark.parametrize("mark", ["combat", "to-ground"])
def test_who_is_engaged_or_on_the_ground_does_not_move(mark: str) -> None:
    position = battle(squad("veteran", marks={mark: 1}), squad("veteran", at=(10, 10)))
    assert barred(position, "move", 0) == barred(position, "run", 0) == "3.1/cannot-move"
    assert barred(position, "move", 1) == ""


@pytest.mark.covers("4.2/broken-cannot-act")
def test_a_broken_unit_does_not_move_and_may_once_it_has_rallied() -> None:
    position = battle(squad("veteran", broken=1))
    assert barred(position, "move", 0) == "4.2/broken-cannot-act"
    unit(position, 0).mark("broken", 0)
    assert barred(position, "move", 0) == ""


# ---------------------------------------------------------------- 3.1/moved-flag


@pytest.mark.covers("3.1/moved-flag")
def test_one_moved_model_is_enough_for_the_unit_to_have_moved() -> None:
    position = battle(squad("veteran", 3, at=(10, 10)))
    play(movement.move(position, ("move", 0)), answers=[[STAY, STAY, way((14, 11))]])
    assert unit(position, 0).marks("moved") == 1
    still = battle(squad("veteran", 3, at=(10, 10)))
    play(movement.move(still, ("move", 0)), answers=[[STAY, STAY, way((14, 11), (14, 10))]])
    assert unit(still, 0).marks("moved") == 0


# ---------------------------------------------------------------- what bars a unit's move


@pytest.mark.covers("3.1/no-pass-through")
def test_models_of_the_moving_unit_do_not_bar_each_other_but_do_not_end_on_each_other() -> None:
    position = battle(squad("veteran", 2, at=(10, 10)))
    assert moved(position, way((14, 10)), STAY) == ""
    assert moved(position, way((11.5, 10)), STAY) == "3.1/no-pass-through"
    assert moved(position, way((11, 10)), STAY) == ""


@pytest.mark.covers("3.1/no-pass-through")
def test_a_unit_does_not_go_through_its_friends_nor_its_foes() -> None:
    position = battle(squad("veteran", at=(10, 10)), squad("veteran", at=(13, 10)), squad("veteran", 1, 1, (10, 13)))
    assert moved(position, way((16, 10))) == "3.1/no-pass-through"
    assert moved(position, way((10, 9), (13, 9))) == ""
    assert moved(position, way((10, 16))) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.1/enemy-one-inch")
def test_one_inch_from_enemies_is_enough_and_less_is_not() -> None:
    position = battle(squad("veteran", at=(10, 10)), squad("veteran", 1, 1, (17, 10)))
    assert moved(position, way((15, 10))) == ""
    assert moved(position, way((15.1, 10))) == "3.1/enemy-one-inch"
    assert moved(position, way((15.2, 10), (14, 10)), limit=8) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.1/enemy-one-inch")
def test_who_begins_too_near_may_stay_or_end_an_inch_away() -> None:
    position = battle(squad("veteran", 2, at=((10, 10), (10, 12))), squad("veteran", 1, 1, (11.5, 10)))
    assert moved(position, STAY, way((9, 12))) == ""
    assert moved(position, way((9.7, 10)), STAY) == "3.1/enemy-one-inch"
    assert moved(position, way((9.5, 10)), STAY) == ""


@pytest.mark.covers("6.1.1/flying-over")
def test_a_flying_unit_goes_over_models_and_walls_and_does_not_end_on_them() -> None:
    squads = (squad("veteran", 1, 1, (10, 14)), squad("veteran", at=(14, 10)))
    flying = battle(squad("jump-trooper", at=(10, 10), aloft=1), *squads, pieces=[wall(6, 10, 1, 4)])
    for_it: dict[str, Any] = {"limit": 12.0, "flies": True}
    assert moved(flying, way((10, 18)), **for_it) == ""
    assert moved(flying, way((10, 15.5)), **for_it) == "3.1/enemy-one-inch"
    assert moved(flying, way((14.5, 10)), **for_it) == "3.1/no-pass-through"
    assert moved(flying, way((3, 10)), **for_it) == ""
    assert moved(flying, way((6, 10)), **for_it) == "3.1.2/impassable"
    question = first_question(movement.move(flying, ("move", 0)))
    assert question.shown == {"allowance": 12.0, "flies": True, "clear_of_enemies": 1.0, "coherency": 2.0}  # type: ignore[attr-defined]
    walking = battle(squad("jump-trooper", at=(10, 10)), *squads)
    assert not first_question(movement.move(walking, ("move", 0))).shown["flies"]  # type: ignore[attr-defined]


# ---------------------------------------------------------------- running


@pytest.mark.covers("3.1.3/run")
def test_a_run_is_declared_then_rolled_then_moved_as_one_movement() -> None:
    position = battle(squad("veteran", 2, at=(10, 10)))
    played = play(movement.run(position, ("run", 0)), "4", [[way((20, 10)), way((22, 10))]], position)
    assert played.rolls == ["run"]
    assert model(position, 0).at == (20, 10)
    assert unit(position, 0).marks("ran") == unit(position, 0).marks("moved") == 1
    question = question_after(movement.run(battle(squad("veteran", at=(10, 10))), ("run", 0)), "3")
    assert refused(question, [way((19.1, 10))]) == "1.1/move"
    assert refused(question, [way((19, 10))]) == ""


@pytest.mark.covers("3.1.3/run-restrictions")
def test_who_has_run_neither_shoots_nor_charges() -> None:
    position = battle(squad("veteran", ran=1), squad("veteran", at=(10, 10)))
    assert shooting.ran(position, ("shoot", 0)) is not None
    assert shooting.ran(position, ("shoot", 1)) is None
    assert charge.has_run(position, ("charge", 0)) is not None
    assert charge.has_run(position, ("charge", 1)) is None


@pytest.mark.covers("8/fleet")
def test_a_unit_all_of_whose_models_are_fleet_charges_after_a_run_and_does_not_shoot() -> None:
    fleet, slow = profile("veteran", adds=["fleet"]), profile("veteran")
    position = battle(squad([fleet, fleet], ran=1), squad([fleet, slow], at=(10, 10), ran=1))
    assert charge.has_run(position, ("charge", 0)) is None
    assert charge.has_run(position, ("charge", 1)) is not None
    assert shooting.ran(position, ("shoot", 0)) is not None


@pytest.mark.covers("6.2/bike-no-run", "6.2.1/jetbike-inherits")
def test_a_unit_with_a_bike_does_not_run() -> None:
    mixed = [profile("veteran"), profile("biker")]
    position = battle(squad(mixed), squad("jetbiker", at=(10, 10)), squad("hound", at=(20, 10)))
    assert barred(position, "run", 0) == barred(position, "run", 1) == "6.2/bike-no-run"
    assert barred(position, "run", 2) == barred(position, "move", 0) == ""


@pytest.mark.covers("7.2/vehicle-no-run")
def test_vehicles_do_not_run_walkers_included() -> None:
    position = battle(squad("tank"), squad("walker", at=(10, 10)), squad("great-beast", at=(20, 10)))
    assert barred(position, "run", 0) == barred(position, "run", 1) == "7.2/vehicle-no-run"
    assert barred(position, "run", 2) == ""
    assert ("run", 0) in menu(position, "movement")
    assert ("move", 0) not in menu(position, "movement")


@pytest.mark.covers("6.4/flying-infantry-move")
def test_flying_infantry_may_run_as_infantry_does() -> None:
    position = battle(squad("jump-trooper", at=(10, 10), aloft=1))
    question = question_after(movement.run(position, ("run", 0)), "5")
    assert question.shown["allowance"] == 17.0  # type: ignore[attr-defined]


# ---------------------------------------------------------------- proposals and random moves


def crowded() -> Position:
    ruin = block(40, 14, 6, 6, "difficult", "screening", "cover-4", height=6.0, floors=(3.0,))
    return battle(
        squad("veteran", 6, at=(30, 10)),
        squad("jump-trooper", 4, at=(10, 20), aloft=1),
        squad("tank", 1, 1, (36, 20)),
        squad("militia", 5, 1, (30, 30)),
        squad("veteran", 3, at=((40, 13), (41.5, 13), (40, 15)), z=3.0),
        pieces=[wood(24, 16), wall(20, 12, 4, 2), ruin],
    )


@pytest.mark.parametrize("number", [0, 1, 4])
def test_proposals_and_random_moves_are_legal_and_one_of_them_is_to_stay(number: int) -> None:
    position = crowded()
    moving = unit(position, number)
    question = unit_move_question(moving, "move", allowance(moving), flies=number == 1)
    suggestions = question.suggestions()
    assert len(suggestions) >= 3
    assert suggestions[-1] == [STAY] * len(moving.models)
    assert suggestions[0] != suggestions[-1]
    rng = Random(5)
    for answer in (*suggestions, *(question.sample(rng) for _ in range(40))):
        assert question.refusal(answer) is None


def test_the_first_proposal_leads_to_an_objective_and_else_at_the_enemy() -> None:
    squads = squad("veteran", 2, at=(30, 10)), squad("militia", 1, 1, (31, 40))
    position = battle(*squads)
    play(movement.move(position, ("move", 0)), answers=[PROPOSAL])
    assert model(position, 0).y == pytest.approx(16.0, abs=0.01)
    wanting = battle(*squads)
    wanting.lay(Token("objective", 20, 10))
    play(movement.move(wanting, ("move", 0)), answers=[PROPOSAL])
    assert model(wanting, 0).at == (pytest.approx(24.0, abs=0.01), 10)  # type: ignore[comparison-overlap]
    there = battle(*squads)
    there.lay(Token("objective", 30, 11))
    play(movement.move(there, ("move", 0)), answers=[PROPOSAL])
    assert model(there, 0).at == (30, 10)


def test_a_unit_beside_a_ruin_is_proposed_to_go_up() -> None:
    ruin = block(33, 10, 4, 4, "difficult", "screening", "cover-4", height=6.0, floors=(1.5,))
    position = battle(
        squad("veteran", 2, at=((29.5, 9.4), (29.5, 10.6))), squad("militia", 1, 1, (31, 40)), pieces=[ruin]
    )
    question = unit_move_question(unit(position, 0), "move", 6.0)
    assert any(answer[0][0] and answer[0][0][-1][2:] == [1.5] for answer in question.suggestions())


def test_a_move_that_is_no_move_of_the_phase_need_not_count_as_one() -> None:
    position = battle(squad("veteran", at=(10, 10)))
    assert play(move_unit(unit(position, 0), "scout-move", 6, 6, counts=False), answers=[[way((12, 10))]]).value
    assert not Unit(position, 0).marks("moved")


# ---------------------------------------------------------------- vehicles among others


def beside_a_tank(**of_the_tank: int) -> Position:
    kinds = [profile("tank", "machine-gun", "beam-gun"), profile("veteran"), profile("veteran")]
    position = battle(squad(kinds, 3, at=[(30, 10), (34, 10), (36, 10)]), squad("militia", 1, 1, (30, 40)))
    for name, value in of_the_tank.items():
        model(position, 0).mark(name, value)
    return position


@pytest.mark.covers("1.2/mixed-units", "7.9/weapons-by-speed", "7.7/vehicle-weapon-skill")
@pytest.mark.parametrize(("far", "weapons", "skill"), [(0.0, None, 0), (3.5, 1, 3)])
def test_a_vehicle_that_goes_with_the_others_of_its_unit_is_at_combat_speed(
    far: float, weapons: int | None, skill: int
) -> None:
    position = beside_a_tank()
    own = way((30, 10 + far)) if far else STAY
    play(movement.move(position, ("move", 0)), "", [[own, way((34, 12)), way((36, 12))]], position)
    assert vehicles.may_fire_count(model(position, 0)) == weapons
    assert skill_of_vehicle(model(position, 0)) == skill


@pytest.mark.covers("1.2/mixed-units", "7.2/speed-choice")
def test_a_vehicle_in_a_unit_of_others_chooses_no_speed() -> None:
    assert not [key for key in menu(beside_a_tank(), "movement") if key[0] == "drive"]
    alone = battle(squad("tank", 2, at=(20, 10), spacing=5.0), squad("militia", 1, 1, (30, 40)))
    assert len([key for key in menu(alone, "movement") if key[0] == "drive"]) == 6


@pytest.mark.covers("1.2/mixed-units", "7.6/immobilised")
@pytest.mark.parametrize(("immobilised", "asked"), [(0, [0, 1, 2]), (1, [1, 2])])
def test_an_immobilised_vehicle_stays_as_the_others_of_its_unit_move(immobilised: int, asked: list[int]) -> None:
    question = question_after(movement.move(beside_a_tank(immobilised=immobilised), ("move", 0)))
    assert question.about["models"] == asked
