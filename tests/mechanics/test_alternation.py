"""Who acts next."""

from __future__ import annotations

import pytest

from campale.mechanics.alternation import next_side


@pytest.mark.parametrize(
    ("first", "last", "left", "side"),
    [
        (0, None, (1, 1), 0),
        (1, None, (1, 1), 1),
        (0, 0, (1, 1), 1),
        (0, 1, (1, 1), 0),
        (0, None, (0, 1), 1),
        (0, 0, (1, 0), 0),
        (0, 1, (0, 2), 1),
        (1, 0, (0, 0), None),
    ],
)
def test_the_sides_act_in_turn_and_only_who_has_nothing_left_is_passed_over(
    first: int, last: int | None, left: tuple[int, int], side: int | None
) -> None:
    assert next_side(first, last, lambda who: range(left[who])) == side


@pytest.mark.parametrize(("many", "order"), [((2, 5), "0101111"), ((2, 0), "00"), ((0, 3), "111"), ((3, 3), "010101")])
def test_the_leftovers_of_a_side_act_one_after_another(many: tuple[int, int], order: str) -> None:
    left, last, acted = {0: list(range(many[0])), 1: list(range(many[1]))}, None, ""
    while (side := next_side(0, last, left.__getitem__)) is not None:
        left[side].pop()
        last = side
        acted += str(side)
    assert acted == order


def test_the_other_side_is_asked_only_where_the_first_has_nothing_left() -> None:
    asked: list[int] = []

    def left(side: int) -> list[int]:
        asked.append(side)
        return [7]

    assert next_side(1, None, left) == 1
    assert asked == [1]
