"""Standings: points, what decides between equals, and places that are shared."""

from __future__ import annotations

from campale.server.club.standings import Met, Placed, standings


def by_number(met: list[Met], *entrants: int) -> dict[int, Placed]:
    return {one.number: one for one in standings(entrants or (1, 2, 3, 4), met)}


def test_a_win_is_three_a_draw_one_and_a_bye_a_win() -> None:
    found = by_number([Met(1, 2, "one"), Met(3, 4, "draw"), Met(2, None)])
    assert {number: one.points for number, one in found.items()} == {1: 3, 2: 3, 3: 1, 4: 1}
    assert (found[2].played, found[2].won, found[2].lost) == (1, 0, 1)
    assert (found[3].drawn, found[4].drawn, found[1].won) == (1, 1, 1)


def test_what_was_not_played_gives_nobody_anything() -> None:
    assert by_number([Met(1, 2, "none")]) == by_number([])


def test_the_second_of_a_pairing_wins_as_well() -> None:
    assert [one.number for one in standings((1, 2), [Met(1, 2, "two")])] == [2, 1]


def test_of_equals_who_has_met_the_better_ones_is_before() -> None:
    met = [Met(1, 4, "one"), Met(2, 3, "one"), Met(3, 4, "one")]
    found = by_number(met)
    assert found[1].points == found[2].points == 3
    assert (found[1].against, found[2].against) == (0, 3)
    assert found[2].place < found[1].place


def test_then_whoever_has_beaten_the_better_ones() -> None:
    """Both have met the same points; 1 has beaten the one with more of them, 2 the one with fewer."""
    met = [Met(1, 3, "one"), Met(1, 4, "two"), Met(2, 3, "two"), Met(2, 4, "one"), Met(3, 5, "one")]
    found = by_number(met, 1, 2, 3, 4, 5)
    assert found[1].points == found[2].points
    assert found[1].against == found[2].against
    assert found[1].beaten > found[2].beaten
    assert found[1].place < found[2].place


def test_half_the_points_of_those_drawn_with_count_as_beaten() -> None:
    found = by_number([Met(1, 2, "draw"), Met(2, 3, "one")])
    assert found[1].beaten == 2.0


def test_then_the_number_of_wins_and_else_the_place_is_shared() -> None:
    assert [one.place for one in standings((1, 2, 3, 4), [Met(1, 2, "one"), Met(3, 4, "one")])] == [1, 1, 3, 3]
    assert [one.place for one in standings((1, 2, 3), [])] == [1, 1, 1]
    three_draws = [Met(1, 4, "draw"), Met(1, 5, "draw"), Met(1, 6, "draw")]
    found = by_number([*three_draws, Met(2, 7, "one"), Met(4, None), Met(5, None)], *range(1, 8))
    assert found[1].points == found[2].points == 3
    assert found[1].place < found[2].place
