"""Ways of round bases into contact: the places that touch an enemy, the paths there, and how long they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from campale.mechanics.moves.contact_ways import (
    ContactWays,
    at_of,
    bases_at,
    fits,
    gap_at,
    gaps_at,
    radius_of,
)
from campale.mechanics.moves.move_paths import Barred, end_of, met_at_the_end, met_by_levels, surroundings
from campale.referee.position import TABLE, Model, Position
from campale.table.kernels import Floats
from campale.table.outlines import rectangle
from campale.table.paths import Path, length_with_climbs
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground, Piece
from tests.referee.toy import RULESET

LIMIT, TOUCH, LINK = 6.0, 0.001, 2.0


def table(*others: tuple[int, float, float, float], pieces: Sequence[Piece] = ()) -> Model:
    """Model 0 at (10, 10), and others: side, x, y, height; those of its side belong to its unit."""
    position = Position(RULESET, Ground(40.0, 30.0, tuple(pieces)))
    unit, enemies = position.add_unit("squad", 0), position.add_unit("enemies", 1)
    for side, x, y, z in ((0, 10.0, 10.0, 0.0), *others):
        position.move_to(position.add_model("man", None, side, unit if side == 0 else enemies, TABLE), x, y, z)
    return position.model(0)


def bars(model: Model, z: float) -> Barred:
    """The enemies on a level, whom it may touch, and every piece on the table itself."""
    position = model.position
    others = [one for one in position.on_table(1) if one.z == z]
    return surroundings(model, model.solid.shape, others, [0.0] * len(others), position.ground)


def ways(start: Model, limit: float = LIMIT, flies: bool = False) -> ContactWays:
    def is_lawful(model: Model, path: Path, most: float | None) -> bool:
        met = met_at_the_end(model, path, bars(model, end_of(path)[2])) if flies else met_by_levels(model, path, bars)
        return met is None and (most is None or length_with_climbs(path) <= most + 0.001)

    bodies = {one.row: one.solid for one in start.position.models}
    return ContactWays(bars, is_lawful, bodies, limit, LINK, TOUCH, flies)


NOBODY = np.empty((0, 3))


def mates(model: Model) -> Floats:
    rows = [one.row for one in model.position.on_table(0)]
    models = {row: model.position.model(row) for row in rows}
    bodies, at = {row: one.solid for row, one in models.items()}, {row: at_of(one) for row, one in models.items()}
    return bases_at(model, bodies, at, rows, 0.0)


# ---------------------------------------------------------------- gaps


def test_the_gap_from_a_place_counts_the_difference_of_height() -> None:
    model = table((1, 10.0, 16.0, 0.0))
    near, high = model.position.model(1).solid, Solid(Circle(0.5), 10.0, 20.0, 3.0)
    assert gap_at(0.5, (10.0, 10.0, 0.0), near) == 5.0
    assert gap_at(0.5, (10.0, 15.5, 0.0), near) == 0.0
    assert gap_at(0.5, (10.0, 19.0, 0.0), high) == 3.0
    assert gaps_at(0.5, np.array([(10.0, 10.0), (10.0, 13.0)]), 0.0, near) == [5.0, 2.0]
    assert radius_of(model.solid) == 0.5
    assert ways(model).gap(model, (10.0, 13.0, 0.0), model.position.model(1)) == 2.0


def test_only_bases_at_the_same_height_are_in_each_others_way() -> None:
    model = table((0, 11.0, 10.0, 0.0), (0, 12.0, 10.0, 3.0))
    assert mates(model).tolist() == [[11.0, 10.0, 0.5]]


def test_a_place_is_within_reach_clear_of_the_unit_and_linked_where_that_is_asked() -> None:
    model = table()
    places = np.array([(10.0, 16.0), (10.0, 16.1), (12.0, 12.0), (13.0, 12.0)])
    assert fits(places, model.at, 0.5, LIMIT, NOBODY).tolist() == [True, False, True, True]
    mate = np.array([(12.9, 12.0, 0.5)])
    assert fits(places, model.at, 0.5, LIMIT, mate).tolist() == [True, False, False, False]
    moved = np.array([(10.0, 13.0, 0.5)])
    assert fits(places, model.at, 0.5, LIMIT, NOBODY, moved, LINK).tolist() == [False, False, True, False]


# ---------------------------------------------------------------- into contact


def ended(way: Path | None) -> tuple[float, float]:
    assert way is not None
    return round(end_of(way)[0], 2), round(end_of(way)[1], 2)


def test_the_straight_way_comes_first() -> None:
    model = table((1, 10.0, 15.0, 0.0))
    way = ways(model).into_contact(model, model.position.model(1), NOBODY)
    assert ended(way) == (10.0, 14.0)
    assert way is not None
    assert gap_at(0.5, end_of(way), model.position.model(1).solid) <= TOUCH


@pytest.mark.parametrize(("limit", "is_reached"), [(4.0, True), (3.99, False)])
def test_a_way_is_no_longer_than_the_limit(limit: float, is_reached: bool) -> None:
    model = table((1, 10.0, 15.0, 0.0))
    assert (ways(model, limit).into_contact(model, model.position.model(1), NOBODY) is not None) is is_reached


def test_where_a_model_of_the_unit_stands_another_place_is_taken() -> None:
    model = table((1, 10.0, 15.0, 0.0), (0, 10.0, 14.0, 0.0))
    x, y = ended(ways(model).into_contact(model, model.position.model(1), mates(model)))
    assert math.dist((x, y), (10.0, 14.0)) == pytest.approx(1.0, abs=0.01)


def test_a_place_linked_to_one_that_has_moved_is_found_if_it_is_asked_for() -> None:
    model = table((1, 10.0, 15.0, 0.0))
    enemy, moved = model.position.model(1), np.array([(13.5, 14.5, 0.5)])
    x, y = ended(ways(model).into_contact(model, enemy, NOBODY, moved))
    assert math.dist((x, y), (13.5, 14.5)) - 1.0 < LINK
    assert (x, y) != (10.0, 14.0)
    assert ways(model).into_contact(model, enemy, NOBODY, np.array([(20.0, 14.0, 0.5)])) is None


def test_what_bars_the_straight_way_is_gone_round() -> None:
    model = table((1, 10.0, 14.0, 0.0), pieces=[Piece("post", "post", rectangle(10.0, 12.0, 1.0, 0.4))])
    way = ways(model).into_contact(model, model.position.model(1), NOBODY)
    assert way is not None
    assert len(way.points) > 2
    assert ended(ways(model, flies=True).into_contact(model, model.position.model(1), NOBODY)) == (10.0, 13.0)


def test_an_enemy_on_another_level_is_reached_up_or_down() -> None:
    model = table((1, 10.0, 13.0, 2.0))
    way = ways(model).into_contact(model, model.position.model(1), NOBODY)
    assert way is not None
    assert end_of(way)[2] == 2.0
    assert length_with_climbs(way) == pytest.approx(4.0, abs=0.01)
    assert ways(model, 3.9).into_contact(model, model.position.model(1), NOBODY) is None


# ---------------------------------------------------------------- however long


def test_the_shortest_way_is_found_however_long_it_is() -> None:
    model = table((1, 10.0, 25.0, 0.0), pieces=[Piece("wall", "wall", rectangle(10.0, 17.0, 8.0, 1.0))])
    way = ways(model).shortest(model, at_of(model), model.position.model(1))
    assert way is not None
    assert 14.0 < length_with_climbs(way) < 18.0
    assert ways(model).shortest(model, at_of(model), model.position.model(1), 14.0) is None


def test_one_that_is_shut_in_is_known_to_be_cut_off() -> None:
    walls = [rectangle(30.0, y, 7.0, 1.0) for y in (12.0, 18.0)] + [rectangle(x, 15.0, 1.0, 7.0) for x in (27.0, 33.0)]
    model = table((1, 30.0, 15.0, 0.0), pieces=[Piece(f"{k}", "wall", outline) for k, outline in enumerate(walls)])
    enemy, search = model.position.model(1), ways(model)
    assert not search.is_cut_off(model, at_of(model), enemy)
    assert search.shortest(model, at_of(model), enemy) is None
    assert search.is_cut_off(model, (11.0, 10.0, 0.0), enemy)
