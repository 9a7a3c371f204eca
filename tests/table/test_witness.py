"""Must, if it can: a better legal move is shown, or none is found."""

from __future__ import annotations

import math

import numpy as np
import pytest

from campale.table import planner, witness
from campale.table.formations import Coherency, is_coherent
from campale.table.paths import Path, plan_length
from campale.table.planner import Going
from campale.table.terrain import Ground, Piece, rectangle

OPEN = Ground(60.0, 60.0)


def going(discs: list[tuple[float, float, float]] | None = None, *barred: Piece) -> Going:
    return planner.going(OPEN, 0.5, np.array(discs or np.zeros((0, 3))), 0.0, barred)


def end(path: Path) -> tuple[float, float]:
    return path.points[-1][0], path.points[-1][1]


def test_the_search_takes_the_first_legal_one_in_the_order_of_worth() -> None:
    asked: list[int] = []

    def only_even(number: int) -> int | None:
        asked.append(number)
        return number if number % 2 == 0 else None

    found = witness.best([5, 4, 3, 2, 1], float, only_even)
    assert found == witness.Witness(2, 2.0)
    assert asked == [1, 2]


def test_what_is_no_better_than_the_proposal_is_not_even_asked() -> None:
    assert witness.best([3, 4], float, lambda n: n, worse_than=3.0) is None


def test_among_equals_the_first_is_taken() -> None:
    assert witness.best(["b", "a"], lambda _: 0.0, lambda name: name) == witness.Witness("b", 0.0)


def test_a_move_that_stops_short_is_refused_by_a_better_one() -> None:
    shown = witness.nearer_to_point(going(), (10.0, 10.0), (30.0, 10.0), 6.0, proposed=16.0)
    assert shown is not None
    assert end(shown.move) == (16.0, 10.0)
    assert shown.score == 14.0


def test_a_move_as_near_as_can_be_is_not_refused() -> None:
    assert witness.nearer_to_point(going(), (10.0, 10.0), (30.0, 10.0), 6.0, proposed=14.0) is None
    assert witness.nearer_to_edge(going(), (10.0, 10.0), "south", 6.0, proposed=4.0) is None


def test_the_answer_that_must_exist_is_found_with_nothing_proposed() -> None:
    shown = witness.nearer_to_edge(going(), (10.0, 10.0), "west", 6.0, proposed=math.inf)
    assert shown is not None
    assert end(shown.move) == (4.0, 10.0)


def test_a_block_in_the_way_makes_the_detour_the_best() -> None:
    block = Piece("block", "block", rectangle(20.0, 10.0, 2.0, 6.0))
    shown = witness.nearer_to_point(going(None, block), (17.0, 10.0), (26.0, 10.0), 9.0, proposed=8.0)
    assert shown is not None
    assert shown.score < 5.5
    assert planner.trouble(going(None, block), shown.move) is None


def test_two_at_once_are_touched_where_one_place_touches_both() -> None:
    targets = [(20.0, 9.3, 0.5), (20.0, 10.7, 0.5), (23.0, 10.0, 0.5)]
    shown = witness.more_contacts(going(), (10.0, 10.0), targets, 12.0, proposed=1)
    assert shown is not None
    assert shown.score == -2.0
    gaps = sorted(math.dist(end(shown.move), target[:2]) - 1.0 for target in targets)
    assert 0.0 <= gaps[0] <= gaps[1] <= 0.0005
    assert witness.more_contacts(going(), (10.0, 10.0), targets, 12.0, proposed=2) is None


def test_contacts_out_of_reach_do_not_count() -> None:
    assert witness.more_contacts(going(), (10.0, 10.0), [(20.0, 10.0, 0.5)], 8.9, proposed=0) is None
    assert witness.more_contacts(going(), (10.0, 10.0), [(20.0, 10.0, 0.5)], 9.1, proposed=0) is not None


def test_some_targets_may_count_for_more() -> None:
    targets = [(14.0, 10.0, 0.5), (6.0, 10.0, 0.5)]
    shown = witness.more_contacts(going(), (10.0, 10.0), targets, 12.0, proposed=0, weights=[1.0, 3.0])
    assert shown is not None
    assert shown.score == -3.0
    assert end(shown.move)[0] < 10.0


def test_a_scattered_unit_is_brought_together_by_moves_within_the_length() -> None:
    starts = [(10.0, 10.0), (11.5, 10.0), (20.0, 10.0), (13.0, 10.0)]
    ways = witness.coherency_restored([going()] * 4, starts, 6.0, Coherency(2.0))
    assert ways is not None
    assert is_coherent([end(path) for path in ways], [0.5] * 4, Coherency(2.0))
    assert [len(path.points) for path in ways] == [1, 1, 2, 1]
    assert all(plan_length(path) <= 6.001 for path in ways)


def test_a_unit_too_far_apart_for_its_move_cannot_be_restored() -> None:
    assert witness.coherency_restored([going()] * 2, [(5.0, 5.0), (50.0, 50.0)], 6.0, Coherency(2.0)) is None


def test_two_groups_that_must_both_move_meet_in_the_middle() -> None:
    starts = [(10.0, 10.0), (24.0, 10.0)]
    ways = witness.coherency_restored([going()] * 2, starts, 6.0, Coherency(2.0))
    assert ways is not None
    assert is_coherent([end(path) for path in ways], [0.5] * 2, Coherency(2.0))


def test_a_unit_together_stays_where_it_is() -> None:
    ways = witness.coherency_restored([going()] * 2, [(5.0, 5.0), (7.0, 5.0)], 6.0, Coherency(2.0))
    assert ways == (Path(((5.0, 5.0),)), Path(((7.0, 5.0),)))


@pytest.mark.parametrize("fineness", [0.25, 1.0])
def test_the_places_tried_are_within_the_length_and_as_fine_as_said(fineness: float) -> None:
    found = list(witness.places((0.0, 0.0), 5.0, fineness))
    assert found[0] == (0.0, 0.0)
    assert max(math.dist(place, (0.0, 0.0)) for place in found) <= 5.0
    for angle in range(0, 360, 15):
        for far in (1.0, 2.5, 4.9):
            there = (far * math.sin(angle), far * math.cos(angle))
            assert min(math.dist(there, place) for place in found) <= fineness
