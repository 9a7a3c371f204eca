"""Up and down: places on floors, moves that end there or on the table again."""

from __future__ import annotations

import math

import msgspec

from campale.mechanics.moves.storeys import landed, nearest_floors, nearest_inside, room_on, upstairs
from campale.referee.position import TABLE, Model, Position
from campale.table.outlines import contains, rectangle
from campale.table.shapes import Circle, Point, Shape
from campale.table.terrain import Floor, Ground
from tests.referee.toy import RULESET

FLOOR = Floor(rectangle(10.0, 10.0, 6.0, 4.0), 3.0)
FAR = Floor(rectangle(30.0, 10.0, 6.0, 4.0), 3.0)
LOFT = Floor(rectangle(10.0, 10.0, 6.0, 4.0), 6.0)


class Profile(msgspec.Struct, frozen=True):
    shape: Shape = Circle(0.5)


def squad(count: int, z: float = 0.0) -> list[Model]:
    position = Position(RULESET, Ground(40.0, 30.0))
    unit = position.add_unit("squad", 0)
    models = [position.add_model(f"{k}", Profile(), 0, unit, TABLE) for k in range(count)]
    for k, model in enumerate(models):
        position.move_to(model, 10.0 + 1.5 * k, 5.0, z)
    return models


def test_each_finds_a_place_of_its_own_on_a_floor() -> None:
    places = room_on(FLOOR, squad(5), (10.0, 5.0))
    assert places is not None
    assert all(contains(FLOOR.outline, *place) for place in places)
    assert min(math.dist(a, b) for k, a in enumerate(places) for b in places[k + 1 :]) >= 1.0
    assert room_on(FLOOR, squad(60), (10.0, 5.0)) is None


def test_places_where_one_does_not_fit_are_left_out() -> None:
    def in_the_east(model: Model, place: Point, floor: Floor) -> bool:
        return place[0] >= 10.0

    places = room_on(FLOOR, squad(2), (10.0, 5.0), in_the_east)
    assert places is not None
    assert all(x >= 10.0 for x, _ in places)
    assert room_on(FLOOR, squad(2), (10.0, 5.0), lambda *_: False) is None


def test_a_unit_goes_up_on_the_first_floor_with_room() -> None:
    assert nearest_inside(FLOOR.outline, (0.0, 0.0)) == (9.0, 10.0 - 2.0 / 3.0)
    assert nearest_floors([LOFT, FAR, FLOOR], (10.0, 5.0), 12.0) == [FLOOR, LOFT]
    answer = next(upstairs(squad(3), [FLOOR, LOFT], (10.0, 5.0)))
    assert [way[0][0][2] for way in answer] == [3.0] * 3


def test_a_unit_comes_down_by_the_same_step_as_far_as_the_height_leaves() -> None:
    models = squad(2, 4.0)
    (answer,) = landed(models, (10.0, 5.0), (20.0, 5.0), 6.0)
    assert [way[0][0] for way in answer] == [[11.999, 5.0, 0.0], [13.499, 5.0, 0.0]]
    assert list(landed(models, (10.0, 5.0), (20.0, 5.0), 4.0)) == []
