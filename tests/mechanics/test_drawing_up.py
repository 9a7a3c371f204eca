"""Units drawn up in ranks in their zone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

import msgspec
import pytest

from campale.mechanics.moves.coherency import on_each_other
from campale.mechanics.setup.drawing_up import (
    DrawingUp,
    Spot,
    deploy_question,
    drawn_up,
    outside,
    standing,
)
from campale.mechanics.setup.edges import strip
from campale.referee.position import Model, Position
from campale.referee.refusal import Fault
from campale.table import fields
from campale.table.measure import overlaps_outline
from campale.table.outlines import rectangle
from campale.table.shapes import Circle, Hull, Shape
from campale.table.terrain import Ground, Piece
from tests.referee.toy import RULESET

HOUSE = Piece("house", "house", rectangle(20.0, 4.0, 12.0, 8.0))
GROUND = Ground(40.0, 30.0, (HOUSE,))
CART = Hull(((-1.0, -2.0), (1.0, -2.0), (1.0, 2.0), (-1.0, 2.0)))


class Profile(msgspec.Struct, frozen=True):
    shape: Shape


def models(count: int, shape: Shape = Circle(0.5)) -> list[Model]:  # noqa: B008
    position = Position(RULESET, GROUND)
    unit = position.add_unit("squad", 0)
    return [position.add_model(f"{k}", Profile(shape), 0, unit) for k in range(count)]


def drawing(squad: Sequence[Model], edge: str = "south", depth: float = 8.0) -> DrawingUp:
    zone = strip(GROUND, edge, depth)

    def refuses(there: Sequence[Spot]) -> Fault | None:
        solids = standing(squad, there, 2.0)
        return outside(zone, squad, solids) or on_each_other(squad, solids)

    field = fields.field(GROUND, squad[0].profile.shape, [], [], [HOUSE])
    return DrawingUp(squad, zone, edge, field, refuses)


@pytest.mark.parametrize(("edge", "facing"), [("south", 0.0), ("north", 180.0)])
@pytest.mark.parametrize(("shape", "count"), [(Circle(0.5), 7), (CART, 2)])
def test_every_place_of_a_unit_is_free_and_faces_inward(edge: str, facing: float, shape: Shape, count: int) -> None:
    squad = models(count, shape)
    of = drawing(squad, edge)
    found = list(drawn_up(of))
    assert len(found) > 5
    for there in (*found, next(drawn_up(of, Random("1")))):
        assert of.refuses(there) is None
        assert all(fields.is_free(of.field, *spot) for spot in there)
        assert {spot[2] for spot in there} == {facing}


def test_the_first_place_is_at_the_front_of_the_zone_in_its_middle_and_ranks_stand_behind_each_other() -> None:
    first = next(drawn_up(drawing(models(7), "north")))
    assert [y for _, y, _ in first] == [24.0] * 5 + [25.05] * 2
    assert sum(x for x, _, _ in first[:5]) / 5 == pytest.approx(20.0)
    gaps = {round(one[0] - other[0], 4) for one, other in zip(first[1:5], first, strict=False)}
    assert gaps == {1.05}


def test_what_stands_in_the_way_is_left_aside() -> None:
    xs = [x for x, _, _ in next(drawn_up(drawing(models(3))))]
    assert max(xs) <= 13.5 or min(xs) >= 26.5


def test_where_there_is_no_room_nothing_is_found() -> None:
    assert next(drawn_up(drawing(models(7), depth=1.0)), None) is None


def test_the_question_shows_the_zone_and_judges_every_answer() -> None:
    squad = models(2)
    asked = deploy_question(drawing(squad), "deploy", {"unit": 0}, coherency=2.0)
    assert (asked.side, asked.about) == (0, {"models": [0, 1], "unit": 0})
    assert asked.shown == {"area": [0.0, 0.0, 40.0, 8.0], "coherency": 2.0}
    assert asked.refusal([[3.0, 3.0, 0.0], [5.0, 3.0, 0.0]]) is None
    assert asked.refusal([[3.0, 7.6, 0.0], [5.0, 3.0, 0.0]]) is not None
    assert asked.refusal(asked.suggestions()[0]) is None
    assert asked.refusal(asked.sample(Random("1"))) is None


def test_the_first_model_outside_is_told() -> None:
    squad = models(3)
    solids = partial(standing, squad, height=2.0)
    area = (0.0, 0.0, 10.0, 8.0)
    assert outside(area, squad, solids([(0.5, 0.5, 0.0), (9.5, 7.5, 0.0), (5.0, 5.0, 0.0)])) is None
    fault = outside(area, squad, solids([(5.0, 5.0, 0.0), (9.6, 7.5, 0.0), (0.0, 0.0, 0.0)]))
    assert fault == Fault((9.6, 7.5), model=1)


def test_places_outside_of_the_stretch_come_last_and_random_ones_anywhere() -> None:
    of = drawing(models(2), depth=8.0)
    narrow = of._replace(stretch=(8.0, 14.0))
    inside = [8.0 <= (there[0][0] + there[1][0]) / 2.0 <= 14.0 for there in drawn_up(narrow)]
    assert inside[0]
    assert inside == sorted(inside, reverse=True)
    assert not all(inside)
    assert next(drawn_up(narrow, Random("1"))) == next(drawn_up(of, Random("1")))


def test_ground_that_is_shunned_is_proposed_last_and_still_is_where_there_is_no_other() -> None:
    squad = models(5)
    of = drawing(squad)
    usual = deploy_question(of, "deploy", {}).suggestions()

    def on(piece: Piece, there: Sequence[Spot]) -> bool:
        return any(overlaps_outline(solid, piece.outline) for solid in standing(squad, there, 0.0))

    x, y, *_ = usual[0][0]
    bog = Piece("bog", "bog", rectangle(x, y, 6.0, 6.0))
    warned = deploy_question(of._replace(shunned=lambda model: (bog,)), "deploy", {}).suggestions()
    assert on(bog, usual[0])
    assert not on(bog, warned[0])
    swamp = Piece("swamp", "swamp", rectangle(20.0, 15.0, 40.0, 30.0))
    assert deploy_question(of._replace(shunned=lambda model: (swamp,)), "deploy", {}).suggestions() == usual
