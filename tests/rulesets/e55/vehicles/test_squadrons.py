"""Squadrons: vehicles that go together, each at its own speed, and the immobilised one that becomes a unit."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.mechanics.moves.coherency import first_overlap
from campale.referee.position import Position
from campale.rulesets.e55.definitions.units import (
    APART,
    ARRIVED,
    COMBAT_SPEED,
    CRUISING,
    DONE,
    EMBARKED,
    IMMOBILISED,
    INCHES,
    NAME_IT,
    SPEED,
    STATIONARY,
    TURNED,
    members,
    units_on_table,
)
from campale.rulesets.e55.movement_phase import coherency, movement
from campale.rulesets.e55.turn.acting import refusal_of
from campale.rulesets.e55.vehicles import squadrons, vehicles
from campale.rulesets.e55.vehicles.driving import drive_question
from campale.rulesets.e55.vehicles.legs import allowance, pace
from tests.rulesets.e55.kit import PROPOSAL, model, play, profile, refused, squad, table, unit, wood

Way = tuple[list[tuple[float, float]], float | None]
STAY: Way = ([], None)


def three(kind: Any = "tank", spacing: float = 7.0, **given: Any) -> Position:
    """Three vehicles in a row; hulls 3 wide at a spacing of 7 are 4 inches apart."""
    battle = squad(kind, 3, at=(20, 20), spacing=spacing, **given)
    return table(battle, squad("militia", side=1, at=(60, 40)), phase="movement")


def to(*ways: Way) -> list[Any]:
    return [[[list(point) for point in points], facing] for points, facing in ways]


def judged(battle: Position, *ways: Way) -> str:
    """The rule that refuses the squadron these ways, all at combat speed."""
    return refused(drive_question(unit(battle, 0), dict.fromkeys(range(3), COMBAT_SPEED)), [to(*ways)])


def why_not(battle: Position, *key: Any) -> str:
    refusal = refusal_of(battle, key)
    return "" if refusal is None else refusal.rule


# ---------------------------------------------------------------- 7.17/squadron-coherency


@pytest.mark.covers("7.17/squadron-coherency")
def test_vehicles_of_a_squadron_are_together_at_four_inches() -> None:
    assert coherency.is_coherent(unit(three(spacing=7.9), 0))
    assert not coherency.is_coherent(unit(three(spacing=8.0), 0))
    infantry = table(squad("militia", 2, at=(20, 20), spacing=4.0))
    assert not coherency.is_coherent(unit(infantry, 0))


@pytest.mark.covers("7.17/squadron-coherency")
def test_a_squadron_ends_its_move_together() -> None:
    battle = three()
    assert judged(battle, ([(18, 20)], None), STAY, STAY) == "7.17/squadron-coherency"
    assert judged(battle, ([(19.2, 20)], None), STAY, STAY) == ""
    assert judged(battle, ([(20, 26)], None), ([(27, 26)], None), ([(34, 26)], None)) == ""


@pytest.mark.covers("7.17/squadron-coherency")
def test_it_need_not_be_together_on_the_way() -> None:
    """The first alone would be too far away; where all end, none is."""
    battle = three()
    assert judged(battle, ([(14, 20)], None), ([(21, 20)], None), ([(28, 20)], None)) == ""
    assert judged(battle, ([(14, 20)], None), STAY, STAY) == "7.17/squadron-coherency"


@pytest.mark.covers("7.17/squadron-coherency")
def test_it_is_together_at_the_end_of_a_cruise_and_not_before() -> None:
    battle = three()
    question = drive_question(unit(battle, 0), {0: CRUISING, 1: STATIONARY, 2: STATIONARY})
    assert refused(question, [to(([(20, 29.5)], None)), to(([(20, 27)], None))]) == ""
    assert refused(question, [to(([(20, 29.5)], None)), to(STAY)]) == "7.17/squadron-coherency"


@pytest.mark.covers("3.1.1/restore-coherency")
def test_a_scattered_squadron_closes_up_if_it_can() -> None:
    """The hulls are 6 inches apart; less than 5 are together."""
    battle = three(spacing=9.0)
    assert judged(battle, STAY, STAY, STAY) == "3.1.1/restore-coherency"
    assert judged(battle, ([(20, 24)], None), ([(29, 24)], None), ([(38, 24)], None)) == "3.1.1/restore-coherency"
    assert judged(battle, ([(21, 20)], None), STAY, ([(36.9, 20)], None)) == "3.1.1/restore-coherency"
    assert judged(battle, ([(21.1, 20)], None), STAY, ([(36.9, 20)], None)) == ""
    assert judged(battle, ([(19.5, 20)], None), STAY, STAY) == "7.17/squadron-coherency"


def two(x: float, kind: Any = "tank") -> Position:
    """Two vehicles whose centres are some inches apart; their hulls are 3 inches less apart."""
    battle = squad(kind, 2, at=(10, 20), spacing=x)
    return table(battle, squad("militia", side=1, at=(60, 40)), phase="movement")


@pytest.mark.covers("3.1.1/restore-coherency")
def test_one_that_cannot_close_up_comes_nearer() -> None:
    battle = two(40.0)
    question = drive_question(unit(battle, 0), dict.fromkeys((0, 1), COMBAT_SPEED))
    assert refused(question, [to(STAY, STAY)]) == "3.1.1/restore-coherency"
    assert refused(question, [to(([(10, 24)], None), ([(50, 24)], None))]) == "3.1.1/restore-coherency"
    assert refused(question, [to(STAY, ([(49.9, 20)], None))]) == ""


@pytest.mark.covers("3.1.1/restore-coherency", "7.2/speed-choice")
@pytest.mark.parametrize(
    ("apart", "speeds"),
    [
        (13.9, {STATIONARY, COMBAT_SPEED, CRUISING}),  # at combat speed one alone can come near enough
        (14.2, {STATIONARY, COMBAT_SPEED, CRUISING}),  # at a cruise
        (20.5, {COMBAT_SPEED, CRUISING}),  # both must go
        (26.5, {CRUISING}),
        (40.0, {STATIONARY, COMBAT_SPEED, CRUISING}),  # none is enough
    ],
)
def test_a_scattered_squadron_is_as_fast_as_it_needs_to_be(apart: float, speeds: set[int]) -> None:
    battle = two(apart)
    lawful = {speed for speed in (0, 1, 2) if why_not(battle, "drive", 0, 0, speed) == ""}
    assert lawful == speeds
    assert {why_not(battle, "drive", 0, 0, speed) for speed in {0, 1, 2} - speeds} <= {"3.1.1/restore-coherency"}


@pytest.mark.covers("3.1.1/restore-coherency", "7.2/speed-choice")
@pytest.mark.parametrize(("apart", "prompts"), [(13.9, ["speed", "drive"]), (14.2, ["drive"])])
def test_the_second_makes_up_for_the_speed_of_the_first(apart: float, prompts: list[str]) -> None:
    """Where only a cruise brings it near enough it is not asked for its speed."""
    battle = two(apart)
    answers = [("drive", 0, 1, COMBAT_SPEED), PROPOSAL][-len(prompts) :]
    played = play(vehicles.drive(battle, ("drive", 0, 0, STATIONARY)), "", answers, battle)
    assert played.prompts == prompts
    assert coherency.is_coherent(unit(battle, 0))


@pytest.mark.covers("3.1.1/restore-coherency", "7.2/cruising-speed")
def test_the_first_part_of_a_cruise_does_not_lead_astray() -> None:
    question = drive_question(unit(two(19.5), 0), {0: STATIONARY, 1: CRUISING})
    assert refused(question, [to(([(29.5, 26)], None)), to(STAY)]) == "3.1.1/restore-coherency"
    assert refused(question, [to(([(23.5, 20)], None)), to(STAY)]) == "3.1.1/restore-coherency"
    assert refused(question, [to(([(23.5, 20)], None)), to(([(17.9, 20)], None))]) == ""


@pytest.mark.covers("3.1.1/restore-coherency")
def test_a_scattered_squadron_is_asked_for_its_way_as_the_phase_ends() -> None:
    battle = two(14.2)
    answers: list[Any] = [("done",), ("drive", 0, 0, STATIONARY), PROPOSAL]
    played = play(movement.movement_phase(battle), "", answers, battle)
    assert played.prompts == ["movement", "speed", "drive"]
    assert coherency.is_coherent(unit(battle, 0))


@pytest.mark.covers("3.1.1/restore-coherency", "7.6/immobilised")
@pytest.mark.parametrize("held", [1, 2])
def test_vehicles_that_are_held_owe_nothing_and_the_others_come_to_them(held: int) -> None:
    battle = two(14.2)
    for row in range(held):
        model(battle, row).mark(IMMOBILISED, 1)
    assert vehicles.scattered_squadron(battle, 0) == (unit(battle, 0) if held == 1 else None)
    assert why_not(battle, "drive", 0, 1, COMBAT_SPEED) != ""
    assert (why_not(battle, "drive", 0, 1, CRUISING) == "") == (held == 1)


@pytest.mark.covers("3.1.1/restore-coherency")
def test_a_squadron_that_is_together_or_has_driven_owes_nothing() -> None:
    assert vehicles.scattered_squadron(two(7.9), 0) is None
    assert vehicles.scattered_squadron(two(8.1), 0) is not None
    battle = two(8.1)
    unit(battle, 0).mark(DONE, 1)
    assert vehicles.scattered_squadron(battle, 0) is None


@pytest.mark.covers("3.1/no-pass-through")
def test_they_pass_through_each_other_and_do_not_end_on_each_other() -> None:
    battle = three(spacing=4.0)
    assert judged(battle, ([(24, 20)], None), STAY, STAY) == "3.1/no-pass-through"
    assert judged(battle, ([(24, 20)], None), ([(20, 20)], None), STAY) == ""
    assert judged(battle, ([(20, 20)], 45), ([(22, 22)], 45), STAY) == "3.1/no-pass-through"


# ---------------------------------------------------------------- 7.2/speed-choice in a squadron


@pytest.mark.covers("7.2/speed-choice")
def test_each_vehicle_of_a_squadron_chooses_for_itself() -> None:
    battle = three()
    chosen = [("drive", 0, 1, CRUISING), ("drive", 0, 2, STATIONARY)]
    ways = [to(([(20, 22)], 45), ([(27, 24)], None)), to(([(27, 26)], 350))]
    played = play(vehicles.drive(battle, ("drive", 0, 0, COMBAT_SPEED)), "", [*chosen, ways], battle)
    assert played.prompts == ["speed", "speed", "drive"]
    assert [m.marks(SPEED) for m in members(unit(battle, 0))] == [COMBAT_SPEED, CRUISING, STATIONARY]
    assert [m.marks(INCHES) for m in members(unit(battle, 0))] == [2, 6, 0]
    assert [m.facing for m in members(unit(battle, 0))] == [45.0, 350.0, 0.0]


@pytest.mark.covers("7.2/speed-choice", "3.1/slowest-model")
def test_a_squadron_goes_at_the_pace_of_the_slowest() -> None:
    battle = three([profile("tank"), profile("tank", speed=8), profile("tank")])
    assert pace(unit(battle, 0)) == 8.0
    assert allowance(unit(battle, 0), COMBAT_SPEED) == 4.0
    assert judged(battle, ([(20, 24)], None), STAY, STAY) == ""
    assert judged(battle, ([(20, 24.1)], None), STAY, STAY) == "7.2/combat-speed"


@pytest.mark.covers("7.2/speed-choice", "7.6/immobilised")
def test_an_immobilised_vehicle_is_not_asked_and_holds_the_others() -> None:
    battle = three()
    model(battle, 1).mark(IMMOBILISED, 1)
    ways = [to(([(20, 26)], None), ([(34, 26)], None))]
    answers = [("drive", 0, 2, COMBAT_SPEED), ways]
    play(vehicles.drive(battle, ("drive", 0, 0, COMBAT_SPEED)), "", answers, battle)
    assert [m.at for m in members(unit(battle, 0))] == [(20.0, 26.0), (27.0, 20.0), (34.0, 26.0)]
    assert why_not(battle, "drive", 0, 1, COMBAT_SPEED) != ""


@pytest.mark.covers("7.16/walker-no-cruise")
def test_the_speeds_of_the_others_are_those_that_they_may_choose() -> None:
    battle = three([profile("tank"), profile("walker"), profile("tank")])
    model(battle, 2).mark(IMMOBILISED, 1)
    answers = [("drive", 0, 1, CRUISING)]
    with pytest.raises(AssertionError, match=r"7\.16/walker-no-cruise"):
        play(vehicles.drive(battle, ("drive", 0, 0, STATIONARY)), "", answers, battle)


@pytest.mark.covers("7.2/vehicle-dangerous")
def test_of_a_squadron_those_are_tested_that_drove_through() -> None:
    battle = three()
    battle.change_ground(table(pieces=(wood(20, 24, 2, 2),)).ground)
    ways = [to(([(20, 26)], None), ([(27, 26)], None), ([(34, 26)], None))]
    answers = [("drive", 0, 1, COMBAT_SPEED), ("drive", 0, 2, COMBAT_SPEED), ways]
    played = play(vehicles.drive(battle, ("drive", 0, 0, COMBAT_SPEED)), "6", answers, battle)
    assert played.rolls == ["dangerous-terrain"]
    assert [m.marks(IMMOBILISED) for m in members(unit(battle, 0))] == [1, 0, 0]


@pytest.mark.covers("7.16/walker-terrain")
def test_walkers_that_are_slowed_do_not_end_on_each_other() -> None:
    battle = three("walker", 3.0)
    battle.change_ground(table(pieces=(wood(26, 22, 30, 1),)).ground)
    ways = [to(([(23, 26)], None), ([(24.6, 22.65), (26.5, 24)], None))]
    answers = [("drive", 0, 1, COMBAT_SPEED), ("drive", 0, 2, COMBAT_SPEED), ways]
    play(vehicles.drive(battle, ("drive", 0, 0, STATIONARY)), "3", answers, battle)
    assert first_overlap(members(unit(battle, 0))) is None
    assert model(battle, 1).at == (23.0, 23.0)


@pytest.mark.covers("7.17/squadron-coherency", "7.2/speed-choice")
def test_what_is_proposed_to_a_squadron_and_drawn_is_legal() -> None:
    for battle in (three(), three(spacing=9.0), three(spacing=15.0)):
        for speeds in ({0: 1, 1: 1, 2: 1}, {0: 2, 1: 1, 2: 0}, {0: 2, 1: 2, 2: 2}):
            question = drive_question(unit(battle, 0), speeds)
            drawn = [question.sample(Random(seed)) for seed in range(5)]
            for answer in [*question.suggestions(), *drawn, question.idle]:
                assert question.refusal(answer) is None
    answers = [("drive", 0, 1, COMBAT_SPEED), ("drive", 0, 2, COMBAT_SPEED), PROPOSAL]
    battle = three()
    play(vehicles.drive(battle, ("drive", 0, 0, COMBAT_SPEED)), "", answers, battle)
    assert all(m.at[1] > 20.0 for m in members(unit(battle, 0)))


# ---------------------------------------------------------------- 7.17/squadron-immobilised


def with_immobilised() -> Position:
    battle = three()
    model(battle, 1).mark(IMMOBILISED, 1)
    return battle


@pytest.mark.covers("7.17/squadron-immobilised")
def test_the_immobilised_vehicle_may_become_a_unit_of_its_own() -> None:
    battle = with_immobilised()
    assert squadrons.who_may_split(battle, 0) == [("split", 0, 1)]
    assert why_not(battle, "split", 0, 1) == ""
    play(squadrons.split(battle, ("split", 0, 1)), position=battle)
    assert [m.row for m in members(unit(battle, 0))] == [0, 2]
    assert [m.row for m in members(unit(battle, 2))] == [1]
    assert len(units_on_table(battle, 0)) == 2
    assert (unit(battle, 0).marks("at-phase-start"), unit(battle, 2).marks("at-phase-start")) == (2, 1)


@pytest.mark.covers("7.17/squadron-immobilised")
def test_only_the_immobilised_one_of_several() -> None:
    assert squadrons.who_may_split(three(), 0) == []
    battle = table(squad("tank", at=(20, 20)), phase="movement")
    model(battle, 0).mark(IMMOBILISED, 1)
    assert why_not(battle, "split", 0, 0) == "7.17/squadron-immobilised"


@pytest.mark.covers("7.17/squadron-immobilised")
def test_it_is_chosen_at_the_start_of_the_movement_phase() -> None:
    for name in (DONE, EMBARKED):
        battle = with_immobilised()
        unit(battle, 1).mark(name, 1)
        assert why_not(battle, "split", 0, 1) == ""
        unit(battle, 0).mark(name, 1)
        assert why_not(battle, "split", 0, 1) == "7.17/squadron-immobilised"
        unit(battle, 0).mark(ARRIVED, 1)
        assert why_not(battle, "split", 0, 1) == ""


@pytest.mark.covers("7.17/squadron-immobilised")
@pytest.mark.parametrize("name", [APART, TURNED])
def test_nor_after_a_character_has_left_its_unit_or_a_hull_has_turned(name: str) -> None:
    battle = with_immobilised()
    model(battle, 3).mark(name, 1)
    assert why_not(battle, "split", 0, 1) == ""
    model(battle, 2).mark(name, 1)
    assert why_not(battle, "split", 0, 1) == "7.17/squadron-immobilised"


@pytest.mark.covers("7.17/squadron-immobilised", "7.17/squadron-coherency")
def test_the_others_are_free_of_it() -> None:
    battle = with_immobilised()
    play(squadrons.split(battle, ("split", 0, 1)))
    model(battle, 2).move_to(26, 30)
    question = drive_question(unit(battle, 0), {0: COMBAT_SPEED, 2: COMBAT_SPEED})
    assert refused(question, [to(([(20, 25)], None), ([(26, 31)], None))]) == ""


@pytest.mark.covers("7.17/squadron-immobilised")
def test_the_new_unit_has_the_name_of_its_vehicle_in_both_languages() -> None:
    battle = with_immobilised()
    model(battle, 1).jot(NAME_IT, "carro")
    play(squadrons.split(battle, ("split", 0, 1)), position=battle)
    assert unit(battle, 2).note(NAME_IT) == "carro"
