"""What is kept of overruns and passing vehicles, and what is left out, changes nothing that is found."""

from __future__ import annotations

import pytest

from campale.mechanics.moves.asking import suggested
from campale.mechanics.moves.unit_moves import UnitMove, as_paths
from campale.referee.position import Position
from campale.rulesets.e3m.movement.routes import Route, packed
from campale.rulesets.e3m.vehicles.overrun import (
    aside_movement,
    best_aside,
    covered,
    goals_aside,
    is_near_cover,
    way_aside,
)
from campale.rulesets.e3m.vehicles.stops import nearest_length
from campale.table.paths import Path
from campale.table.sweeps import nearest_approach
from tests.rulesets.e3m.kit import model, piece, squad, table, unit

ROUTE = Route(0, "drive", "drive", (packed(0, Path(((20, 10), (20, 40)), 0.0)),), 10.5)
TURNING = Path(((20, 10), (40, 10)), 90.0, (90.0, 0.0))


def run_over(*woods: tuple[float, float]) -> Position:
    return table(
        squad("carrier", at=(20, 10), order="fire"),
        squad("brawler", at=[(20, 25), (21.25, 25), (22.5, 25)], side=1, order="fire"),
        pieces=[piece("wood", *at) for at in woods],
        phase="movement",
    )


@pytest.mark.parametrize("woods", [(), ((27, 25),), ((60, 10),)])
def test_the_way_off_a_route_is_the_first_that_brings_most_into_cover(woods: tuple[tuple[float, float], ...]) -> None:
    position = run_over(*woods)
    one = unit(position, 1)
    movement = aside_movement(one, ROUTE)
    found = list(suggested(one, one.models, movement, goals_aside(one)))
    in_cover = [covered(UnitMove(one, as_paths(one.models, answer), movement)) for answer in found]
    assert best_aside(one, one.models, movement) == found[in_cover.index(max(in_cover))]
    assert (max(in_cover) > 0) is (woods == ((27, 25),))


@pytest.mark.parametrize(("x", "is_near"), [(27.5, True), (34.0, False)])
def test_cover_counts_for_whoever_might_reach_it(x: float, is_near: bool) -> None:
    position = table(squad("brawler", at=(20, 25)), pieces=[piece("wood", x, 25, size=(2, 2))])
    assert is_near_cover(model(position, 0)) is is_near


def test_the_way_off_a_route_is_kept_until_something_moves() -> None:
    position = run_over((27, 25))
    one = unit(position, 1)
    movement = aside_movement(one, ROUTE)
    first = way_aside(one, one.models, movement, ROUTE)
    position.layout["aside", one.row, ROUTE] = None
    assert way_aside(one, one.models, movement, ROUTE) is None
    model(position, 0).move_to(20, 10.5)
    assert way_aside(one, one.models, aside_movement(one, ROUTE), ROUTE) == first


@pytest.mark.parametrize("at", [(30, 17), (36, 15)])
def test_where_a_vehicle_passes_nearest_goes_by_where_the_infantry_stands_now(at: tuple[float, float]) -> None:
    position = table(squad("carrier", at=(20, 10), order="fire"), squad("brawler", at=(26, 17), side=1, order="fire"))
    mover, other = model(position, 0), unit(position, 1)
    before = nearest_length([(mover, TURNING)], other, 20.0)
    model(position, 1).move_to(*at)
    met = nearest_approach(TURNING, mover.profile.shape, [model(position, 1).solid])
    assert met is not None
    assert nearest_length([(mover, TURNING)], other, 20.0) == pytest.approx(met.distance, abs=1e-5)
    assert before != pytest.approx(met.distance, abs=0.5)
