"""Chapter 3.1.4: whom units face."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.assault_phase.charge import targets_of
from campale.rulesets.e55.definitions.units import faced_by
from campale.rulesets.e55.movement_phase.facing import (
    NOBODY,
    choose_facing,
    face_at_the_start,
    facing_phase,
    settle_facings,
)
from tests.rulesets.e55.kit import PROPOSAL, first_question, model, play, squad, table, unit, wall


def three_enemies(**given: int) -> Position:
    """Units 0 and 1 of side 0; units 2, 3 and 4 of side 1, each farther away than the one before it."""
    return table(
        squad("veteran", 2, at=(20, 10), **given),
        squad("veteran", 2, at=(30, 10)),
        *(squad("militia", 2, 1, (20, y)) for y in (20, 30, 40)),
        phase="facing",
    )


def facings(position: Position) -> list[int | None]:
    return [None if (other := faced_by(one)) is None else other.row for one in position.units]


# ---------------------------------------------------------------- 3.1.4/facing-choice


@pytest.mark.covers("3.1.4/facing-choice")
def test_all_units_of_the_active_player_choose_on_one_form() -> None:
    position = three_enemies()
    played = play(facing_phase(position), answers=[[4, 2]], position=position)
    assert not played.value
    assert played.prompts == ["face"]
    assert facings(position) == [4, 2, None, None, None]


@pytest.mark.covers("3.1.4/facing-choice")
def test_any_enemy_unit_on_the_table_may_be_named_and_nothing_else() -> None:
    position = three_enemies()
    model(position, 8).position.take_off(model(position, 8))
    model(position, 9).position.take_off(model(position, 9))
    question = first_question(facing_phase(position))
    assert question.refusal([3, 2]) is None
    assert question.refusal([4, 2]) is not None
    assert question.refusal([1, 2]) is not None
    assert question.refusal([2]) is not None


@pytest.mark.covers("3.1.4/facing-choice")
@pytest.mark.parametrize("mark", ["combat", "to-ground", "broken"])
def test_units_that_could_not_move_choose_too(mark: str) -> None:
    position = three_enemies()
    unit(position, 0).mark(mark, 1)
    play(facing_phase(position), answers=[[3, 3]])
    assert facings(position)[:2] == [3, 3]


def test_the_proposal_is_the_nearest_that_is_seen_and_in_no_combat_of_others() -> None:
    position = three_enemies()
    play(facing_phase(position), answers=[PROPOSAL])
    assert facings(position)[:2] == [2, 2]
    unit(position, 2).mark("combat", 1)
    unit(position, 1).mark("combat", 1)
    play(facing_phase(position), answers=[PROPOSAL])
    assert facings(position)[:2] == [3, 2]
    walled = [wall(20, 25, 60, 1)]
    foes = squad("militia", 1, 1, (20, 27)), squad("militia", 1, 1, (20, 5))
    hidden = table(squad("veteran", at=(20, 20)), *foes, pieces=walled)
    play(choose_facing(unit(hidden, 0)), answers=[PROPOSAL])
    assert facings(hidden)[0] == 2


@pytest.mark.covers("3.1.4/facing-choice")
def test_one_enemy_leaves_no_choice_and_none_leaves_nobody_to_face() -> None:
    one = table(squad("veteran", at=(20, 10)), squad("militia", 1, 1, (20, 30)), phase="facing")
    assert play(facing_phase(one)).prompts == []
    assert facings(one) == [1, None]
    none = table(squad("veteran", at=(20, 10)), phase="facing")
    play(facing_phase(none))
    assert unit(none, 0).marks("faces") == NOBODY
    assert faced_by(unit(none, 0)) is None


@pytest.mark.covers("7.2/vehicle-orientation", "3.1.4/facing-choice")
def test_vehicles_do_not_pick() -> None:
    position = table(
        squad("tank", at=(20, 10)),
        squad("veteran", at=(30, 10)),
        squad("militia", 1, 1, (20, 30)),
        squad("militia", 1, 1, (40, 30)),
        phase="facing",
    )
    play(facing_phase(position), answers=[[3]])
    assert facings(position)[:2] == [None, 3]
    assert play(choose_facing(unit(position, 0))).prompts == []


@pytest.mark.covers("7.10/embarked-facing", "3.1.4/facing-choice")
def test_units_aboard_choose_and_are_not_to_be_faced() -> None:
    position = table(
        squad("carrier", at=(20, 10)),
        squad("veteran", 2, at=(30, 10)),
        squad("militia", 1, 1, (20, 30)),
        squad("militia", 1, 1, (40, 30)),
        phase="facing",
    )
    for row in (1, 2):
        position.take_off(model(position, row), aboard_of=model(position, 0))
    play(facing_phase(position), answers=[[3]])
    assert facings(position)[1] == 3
    position.now["side"] = 1
    assert play(facing_phase(position)).prompts == []
    assert facings(position)[2:] == [0, 0]


# ---------------------------------------------------------------- what it allows, and how it follows


@pytest.mark.covers("3.1.4/facing-restricts")
def test_a_unit_charges_only_the_unit_that_it_faces() -> None:
    position = three_enemies()
    unit(position, 0).mark("faces", 4)
    assert targets_of(unit(position, 0)) == [3]
    play(facing_phase(position), answers=[[2, 3]])
    assert [targets_of(unit(position, number)) for number in (0, 1)] == [[2], [3]]


@pytest.mark.covers("3.1.4/facing-follows")
def test_a_unit_faces_a_unit_wherever_that_goes() -> None:
    position = three_enemies()
    unit(position, 0).mark("faces", 3)
    for row in (4, 5):
        model(position, row).move_to(5 + row, 2)
    assert faced_by(unit(position, 0)) == unit(position, 2)
    play(settle_facings(position))
    assert faced_by(unit(position, 0)) == unit(position, 2)


# ---------------------------------------------------------------- 3.1.4/facing-target-removed


@pytest.mark.covers("3.1.4/facing-target-removed")
def test_who_faced_a_unit_that_is_removed_chooses_another_at_once() -> None:
    position = three_enemies()
    unit(position, 0).mark("faces", 3)
    unit(position, 1).mark("faces", 4)
    position.remove(model(position, 4), "fire")
    assert play(settle_facings(position)).prompts == []
    position.remove(model(position, 5), "fire")
    played = play(settle_facings(position), answers=[4], position=position)
    assert [question.side for question in played.questions] == [0]
    assert facings(position)[:2] == [4, 3]


@pytest.mark.covers("3.1.4/facing-target-removed")
def test_the_owner_chooses_in_either_turn_and_embarking_removes_too() -> None:
    position = three_enemies()
    position.now["side"] = 0
    unit(position, 3).mark("faces", 1)
    unit(position, 1).mark("faces", 5)
    for row in (0, 1):
        position.take_off(model(position, row))
    played = play(settle_facings(position))
    assert played.prompts == []
    assert facings(position)[3] == 1
    for row in (8, 9):
        position.take_off(model(position, row))
    played = play(settle_facings(position), answers=[2], position=position)
    assert played.questions[0].side == 0
    assert facings(position)[1] == 2


@pytest.mark.covers("3.1.4/facing-target-removed", "3.1.4/facing-choice")
def test_who_had_nobody_to_face_chooses_once_there_is_somebody() -> None:
    position = table(squad("veteran", at=(20, 10)), squad("militia", 1, 1, None), squad("militia", 1, 1, None))
    play(choose_facing(unit(position, 0)))
    assert play(settle_facings(position)).prompts == []
    model(position, 1).move_to(20, 30)
    play(settle_facings(position))
    assert facings(position)[0] == 1


@pytest.mark.covers("3/decision-order", "3.1.4/facing-target-removed")
def test_the_active_players_units_choose_first() -> None:
    position = table(
        *(squad("veteran", at=(x, 10)) for x in (10, 20, 30)),
        *(squad("militia", 1, 1, (x, 30)) for x in (10, 20, 30)),
        side=1,
    )
    unit(position, 1).mark("faces", 4)
    unit(position, 4).mark("faces", 1)
    position.remove(model(position, 0), "fire")
    position.remove(model(position, 3), "fire")
    played = play(settle_facings(position), answers=[2, 5], position=position)
    assert [question.side for question in played.questions] == [1, 0]


# ---------------------------------------------------------------- 3.1.4/facing-start


@pytest.mark.covers("3.1.4/facing-start")
def test_at_the_start_each_unit_of_both_sides_faces_the_nearest_enemy() -> None:
    position = three_enemies()
    assert not play(face_at_the_start(position)).value
    assert facings(position) == [2, 2, 0, 0, 0]


@pytest.mark.covers("3.1.4/facing-start")
def test_of_several_as_near_the_owner_picks_by_exact_distances() -> None:
    level = (squad("militia", 1, 1, (15, 20)), squad("militia", 1, 1, (25, 20)))
    position = table(squad("veteran", at=(20, 10)), *level)
    played = play(face_at_the_start(position), answers=[2], position=position)
    assert (played.prompts, facings(position)) == (["face"], [2, 0, 0])
    nearly = table(squad("veteran", at=(20, 10)), level[0], squad("militia", 1, 1, (25, 20.01)))
    assert play(face_at_the_start(nearly)).prompts == []
    assert facings(nearly)[0] == 1
