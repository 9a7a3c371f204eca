"""Chapter 3.1.1: what keeps a unit together, and how it comes together again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.movement_phase import movement
from campale.rulesets.e55.movement_phase.coherency import is_coherent, link, widest_gap
from campale.rulesets.e55.movement_phase.movement import movement_phase, unit_move_question
from tests.rulesets.e55.kit import PROPOSAL, model, play, profile, refused, squad, table, unit, wall

STAY: list[Any] = [[], None]


def way(*points: tuple[float, ...]) -> list[Any]:
    return [[list(point) for point in points], None]


def row_of(*xs: float, **more: Any) -> Position:
    """One unit of models in a line, by their centres along x; bases are an inch wide."""
    return table(squad("veteran", len(xs), at=[(x, 20.0) for x in xs], **more), phase="movement")


@pytest.mark.covers("3.1.1/coherency")
def test_a_stretch_that_measures_two_inches_links_and_three_inches_do_not() -> None:
    assert is_coherent(unit(row_of(10, 13.99), 0))
    assert not is_coherent(unit(row_of(10, 14), 0))


@pytest.mark.covers("3.1.1/coherency")
def test_one_line_has_to_reach_every_model() -> None:
    assert is_coherent(unit(row_of(10, 13, 16, 19), 0))
    assert not is_coherent(unit(row_of(10, 12, 17, 19), 0))
    position = row_of(10, 12, 17, 19)
    assert is_coherent(unit(position, 0), {1: (13.5, 20.0, 0.0)})
    assert is_coherent(unit(row_of(10), 0))


@pytest.mark.covers("3.1.1/coherency", "1.1/measure-height")
def test_height_is_part_of_the_distance() -> None:
    position = row_of(10, 11)
    assert is_coherent(unit(position, 0), {1: (11.0, 20.0, 2.9)})
    assert not is_coherent(unit(position, 0), {1: (11.0, 20.0, 3.0)})


@pytest.mark.covers("7.17/squadron-coherency")
def test_a_squadron_of_vehicles_is_linked_by_four_inches() -> None:
    position = table(squad("tank", 2, at=((10, 20), (17.9, 20)), facing=0), squad("veteran", at=(40, 20)))
    assert (link(unit(position, 0)), link(unit(position, 1))) == (4.0, 2.0)
    assert is_coherent(unit(position, 0))
    assert not is_coherent(unit(position, 0), {1: (18.0, 20.0, 0.0)})


# ---------------------------------------------------------------- moving


def judged(position: Position, *answers: list[Any], limit: float = 6.0) -> str:
    return refused(unit_move_question(unit(position, 0), "move", limit), list(answers))


@pytest.mark.covers("3.1.1/coherency")
def test_a_move_that_begins_in_coherency_ends_in_it() -> None:
    position = row_of(10, 12, 14)
    assert judged(position, STAY, STAY, way((15.99, 20))) == ""
    assert judged(position, STAY, STAY, way((16, 20))) == "3.1.1/coherency"
    assert judged(position, way((14, 21)), way((14, 22.5)), way((16, 20))) == ""


@pytest.mark.covers("3.1.1/restore-coherency")
def test_a_unit_that_is_apart_comes_together_when_it_can() -> None:
    position = row_of(10, 12, 20)
    assert judged(position, STAY, STAY, way((15.9, 20))) == ""
    assert judged(position, STAY, STAY, way((17, 20))) == "3.1.1/restore-coherency"
    assert judged(position, STAY, STAY, STAY) == "3.1.1/restore-coherency"


@pytest.mark.covers("3.1.1/restore-coherency")
def test_a_unit_that_cannot_come_together_shortens_its_widest_gap() -> None:
    position = row_of(10, 12, 40)
    assert widest_gap(unit(position, 0)) == 27.0
    assert judged(position, STAY, STAY, way((34, 20))) == ""
    assert judged(position, STAY, STAY, way((38, 20))) == ""
    assert judged(position, STAY, STAY, STAY) == "3.1.1/restore-coherency"
    assert judged(position, way((8, 20)), way((9, 20)), STAY) == "3.1.1/restore-coherency"
    assert judged(position, STAY, way((14, 20)), STAY) == ""


@pytest.mark.covers("3.1.1/restore-coherency")
def test_a_unit_that_can_do_nothing_about_it_may_stay() -> None:
    pieces = [wall(14, 20, 1, 4), wall(18, 20, 1, 4), wall(16, 22, 5, 1), wall(16, 18, 5, 1)]
    squads = squad("veteran", 2, at=((10, 20), (16, 20)))
    boxed = [wall(8, 20, 1, 4), wall(12, 20, 1, 4), wall(10, 22, 5, 1), wall(10, 18, 5, 1)]
    position = table(squads, pieces=pieces + boxed, phase="movement")
    assert judged(position, way((11, 20)), way((15, 20))) == ""
    tight = table(squads, pieces=pieces + boxed, phase="movement")
    model(tight, 0).move_to(11, 20)
    model(tight, 1).move_to(15, 20)
    assert judged(tight, STAY, STAY) == ""


@pytest.mark.covers("3.1.1/restore-coherency")
def test_the_phase_does_not_end_before_a_scattered_unit_has_moved() -> None:
    position = row_of(10, 12, 20)
    played = play(movement_phase(position), answers=[("done",), PROPOSAL], position=position)
    assert played.value
    assert played.prompts == ["movement", "move"]
    assert is_coherent(unit(position, 0))
    assert not play(movement_phase(position)).value
    held = row_of(10, 12, 20, combat=1)
    assert not play(movement_phase(held)).value


@pytest.mark.covers("3.1.1/restore-coherency")
def test_running_is_not_compulsory_but_a_run_restores_coherency_too() -> None:
    position = row_of(10, 12, 26)
    assert judged(position, STAY, STAY, way((22, 20))) == ""
    assert judged(position, STAY, STAY, way((22, 20)), limit=12.0) == "3.1.1/restore-coherency"


def test_proposals_and_random_moves_of_a_scattered_unit_are_legal() -> None:
    for xs in ((10, 12, 20), (10, 12, 40), (10, 17)):
        question = unit_move_question(unit(row_of(*xs), 0), "move", 6.0)
        rng = Random(3)
        for answer in (*question.suggestions(), *(question.sample(rng) for _ in range(15))):
            assert question.refusal(answer) is None


@pytest.mark.covers("3.1.1/restore-coherency", "3.1/enemy-one-inch")
@pytest.mark.parametrize(("limit", "stays"), [(1.0, ""), (6.0, "3.1.1/restore-coherency")])
def test_who_begins_beside_an_enemy_hull_closes_up_only_if_he_gets_clear_of_it(limit: float, stays: str) -> None:
    """Half an inch off a tank that lies along his way."""
    men = squad("veteran", 2, at=[(20, 20), (26.5, 20)])
    position = table(men, squad("tank", side=1, at=(25, 22.5), facing=90.0), phase="movement")
    question = unit_move_question(unit(position, 0), "move", limit)
    rng = Random(3)
    assert refused(question, [STAY, way((25.5, 20))]) == "3.1/enemy-one-inch"
    assert refused(question, [STAY, STAY]) == stays
    for answer in (*question.suggestions(), *(question.sample(rng) for _ in range(15))):
        assert question.refusal(answer) is None


@pytest.mark.covers("8/independent-character", "3.1.1/coherency")
def test_a_character_lengthens_the_line_and_is_not_bound_by_it() -> None:
    kinds = [profile("veteran"), profile("captain"), profile("veteran")]
    linking = table(squad(kinds, at=((10, 20), (13, 20), (16, 20))), phase="movement")
    assert is_coherent(unit(linking, 0))
    far = table(squad(kinds, at=((10, 20), (30, 20), (12, 20))), phase="movement")
    assert is_coherent(unit(far, 0))
    assert not is_coherent(unit(far, 0), {2: (20.0, 20.0, 0.0)})
    assert movement.must_close_up(unit(far, 0)) is False
