"""The way of one model: its length, what bars it, levels, and who goes over what."""

from __future__ import annotations

import pytest

from campale.mechanics.moves.move_paths import answer_of
from campale.referee.position import Position
from campale.rulesets.e55.movement_phase.terrain import (
    cover_of,
    dangerous_pieces,
    difficult_for,
    difficult_pieces,
    impassable_pieces,
    is_inside,
)
from campale.rulesets.e55.movement_phase.ways import (
    field_of,
    go,
    length_of,
    may_stand,
    path_of,
    stand_on_different_storeys,
    way_of,
    way_refusal,
)
from tests.rulesets.e55.kit import block, model, squad, table, unit, wall, wood

Place = tuple[float, ...]


def judged(
    position: Position, *to: Place, limit: float | None = 6.0, targets: tuple[int, ...] = (), flies: bool = False
) -> str:
    """The rule that refuses model 0 its way through these places; empty when none does."""
    path = path_of(model(position, 0), to)
    refusal = way_refusal(way_of(model(position, 0), path, limit, frozenset(targets), flies))
    return "" if refusal is None else refusal.rule


def alone(kind: str = "militia") -> Position:
    return table(squad(kind, at=(20, 20)))


@pytest.mark.covers("1.1/move")
def test_a_move_of_six_inches_is_six_inches_and_not_six_point_nine() -> None:
    assert judged(alone(), (26.0, 20)) == ""
    assert judged(alone(), (26.01, 20)) == "1.1/move"
    assert judged(alone(), (23, 20), (23, 23)) == ""
    assert judged(alone(), (23, 20), (23, 23.1)) == "1.1/move"


@pytest.mark.covers("1.1/move", "1.1/measure-height")
def test_what_is_climbed_and_descended_is_added_to_the_length() -> None:
    ruin = block(24, 20, 4, 4, "difficult", "screening", "cover-5", height=6.0, floors=(3.0,))
    position = table(squad("militia", at=(21, 20)), pieces=[ruin])
    assert judged(position, (23, 20, 3.0), limit=5.0) == ""
    assert judged(position, (23, 20, 3.0), limit=4.9) == "1.1/move"
    go(model(position, 0), path_of(model(position, 0), ((23, 20, 3.0),)))
    assert model(position, 0).z == 3.0
    assert length_of(path_of(model(position, 0), ((21, 20),))) == 5.0


@pytest.mark.covers("3.1.2/impassable")
def test_one_stands_on_the_table_or_on_a_floor_and_nowhere_else() -> None:
    ruin = block(24, 20, 4, 4, "difficult", "screening", height=6.0, floors=(3.0,))
    position = table(squad("militia", at=(24, 20)), pieces=[ruin])
    assert judged(position, (24, 20, 2.0)) == "3.1.2/impassable"
    assert judged(position, (24, 20, 3.0)) == ""
    assert judged(position, (24, 20, 3.0), (25.9, 20, 3.0)) == ""
    assert judged(position, (24, 20, 3.0), (26.1, 20, 3.0)) == "3.1.2/impassable"


@pytest.mark.covers("3.1.2/impassable")
def test_wheels_and_tracks_stay_down() -> None:
    ruin = block(24, 20, 8, 8, "difficult", "screening", height=6.0, floors=(3.0,))
    for kind, rule in (("great-beast", ""), ("biker", "3.1.2/impassable"), ("tank", "3.1.2/impassable")):
        assert judged(table(squad(kind, at=(24, 20)), pieces=[ruin]), (24, 21, 3.0)) == rule


@pytest.mark.covers("3.1/no-pass-through", "1.1/model-is-its-base")
def test_a_way_does_not_lead_through_models_friend_or_enemy() -> None:
    friend = table(squad("militia", at=(20, 20)), squad("militia", 1, 0, (23, 20)))
    assert judged(friend, (26, 20)) == "3.1/no-pass-through"
    assert judged(friend, (22, 20)) == ""
    assert judged(friend, (22.01, 20)) == "3.1/no-pass-through"
    assert judged(friend, (23, 18.9), (24, 19)) == ""


@pytest.mark.covers("3.1/no-pass-through")
def test_models_of_the_own_unit_do_not_bar_each_other() -> None:
    assert judged(table(squad("militia", 2, at=[(20, 20), (23, 20)])), (26, 20)) == ""


@pytest.mark.covers("3.1/no-pass-through")
def test_models_on_different_storeys_do_not_bar_each_other() -> None:
    ruin = block(24, 20, 6, 6, "difficult", "screening", height=6.0, floors=(3.0,))
    position = table(squad("militia", at=(21.5, 20)), squad("militia", 1, 1, (24, 20), z=3.0), pieces=[ruin])
    assert judged(position, (24, 20)) == ""
    assert judged(position, (21.5, 20, 3.0), limit=9.0) == ""
    assert judged(position, (21.5, 20, 3.0), (22.5, 20, 3.0), limit=9.0) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.1/enemy-one-inch")
def test_less_than_one_inch_from_an_enemy_is_forbidden_and_one_inch_is_not() -> None:
    enemy = table(squad("militia", at=(20, 20)), squad("militia", 1, 1, (25, 20)))
    assert judged(enemy, (23.0, 20)) == ""
    assert judged(enemy, (23.05, 20)) == "3.1/enemy-one-inch"
    assert judged(enemy, (25, 18.1), limit=9.0) == "3.1/enemy-one-inch"
    assert judged(enemy, (20, 18), (25, 18.0), limit=9.0) == ""


@pytest.mark.covers("3.1/enemy-one-inch")
def test_the_inch_is_kept_from_hulls_too() -> None:
    tank = table(squad("militia", at=(20, 20)), squad("tank", 1, 1, (26, 20)))
    assert judged(tank, (23.0, 20)) == ""
    assert judged(tank, (23.05, 20)) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.1/enemy-one-inch")
def test_who_finds_himself_closer_may_stay_and_may_leave() -> None:
    beside = table(squad("militia", at=(20, 20)), squad("militia", 1, 1, (21.5, 20)))
    assert judged(beside) == ""
    assert judged(beside, (19, 20)) == ""
    assert judged(beside, (20.2, 20)) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.3.1/charge-near-target")
def test_chargers_may_come_near_the_units_they_charge_and_no_others() -> None:
    enemies = (squad("militia", 1, 1, (25, 20)), squad("militia", 1, 1, (25, 21.5)))
    position = table(squad("militia", at=(20, 20)), *enemies)
    assert judged(position, (24.0, 20), targets=(1,)) == "3.1/enemy-one-inch"
    far = table(squad("militia", at=(20, 20)), squad("militia", 1, 1, (25, 20)), squad("militia", 1, 1, (25, 30)))
    assert judged(far, (24.0, 20), targets=(1,)) == ""
    assert judged(far, (24.05, 20), targets=(1,)) == "3.1/no-pass-through"


@pytest.mark.covers("3.1.2/impassable", "3.1.2/terrain-kinds")
def test_impassable_terrain_is_neither_crossed_nor_entered() -> None:
    position = table(squad("militia", at=(20, 20)), pieces=[wall(23, 20, 1, 8)])
    assert judged(position, (22.0, 20)) == ""
    assert judged(position, (22.1, 20)) == "3.1.2/impassable"
    assert judged(position, (26, 20)) == "3.1.2/impassable"


@pytest.mark.covers("10.1/table")
def test_no_model_leaves_the_table() -> None:
    position = table(squad("militia", at=(3, 20)))
    assert judged(position, (0.5, 20)) == ""
    assert judged(position, (0.4, 20)) == "10.1/table"


@pytest.mark.covers("6.1.1/flying-over")
def test_who_flies_goes_over_models_and_impassable_pieces_but_does_not_end_there() -> None:
    position = table(
        squad("jump-trooper", at=(20, 20), aloft=1),
        squad("militia", 1, 1, (23, 20)),
        pieces=[wall(27, 20, 1, 8)],
    )
    assert judged(position, (30, 20), limit=12.0, flies=True) == ""
    assert judged(position, (30, 20), limit=12.0) != ""
    assert judged(position, (24.9, 20), limit=12.0, flies=True) == "3.1/enemy-one-inch"
    assert judged(position, (27, 20), limit=12.0, flies=True) == "3.1.2/impassable"
    assert judged(position, limit=12.0, flies=True) == ""


def test_an_answer_and_its_way_mean_the_same() -> None:
    position = alone()
    path = path_of(model(position, 0), ((22, 20), (22, 22)), 90.0)
    assert answer_of(path, 90.0) == [[[22.0, 20.0], [22.0, 22.0]], 90.0]
    assert path.points == ((20.0, 20.0, 0.0), (22.0, 20.0, 0.0), (22.0, 22.0, 0.0))


@pytest.mark.covers("3.1/enemy-one-inch", "10.1/table", "3.1.2/impassable")
def test_where_a_model_may_be_put_down() -> None:
    position = table(squad("militia", at=(20, 20)), squad("militia", 1, 1, (30, 20)), pieces=[wall(40, 20)])
    one = model(position, 0)
    assert may_stand(one, (28.0, 20.0))
    assert not may_stand(one, (28.1, 20.0))
    assert not may_stand(one, (0.4, 20.0))
    assert not may_stand(one, (40.0, 20.9))
    assert may_stand(one, (28.9, 20.0), targets=frozenset({1}))
    assert field_of(one) is field_of(one)


@pytest.mark.covers("3.1.2/terrain-kinds", "3.1.2/difficult", "3.1.2/dangerous", "2.3.1/cover-values")
def test_what_pieces_are() -> None:
    swamp = block(10, 10, 4, 4, "difficult", "dangerous", "open", name="swamp")
    position = table(
        squad("militia", at=(30, 30)), pieces=[wood(30, 30, name="wood"), wall(50, 20, name="wall"), swamp]
    )
    ground = position.ground
    assert [piece.name for piece in impassable_pieces(ground)] == ["wall"]
    assert [piece.name for piece in difficult_pieces(ground)] == ["wood", "swamp"]
    assert [piece.name for piece in dangerous_pieces(ground)] == ["swamp"]
    assert [cover_of(piece) for piece in ground.pieces] == [5, None, None]
    assert [piece.name for piece in difficult_for(unit(position, 0))] == ["wood", "swamp"]
    assert is_inside(model(position, 0), ground.piece("wood"))
    assert not is_inside(model(position, 0), ground.piece("wall"))


@pytest.mark.covers("3.1/no-pass-through")
def test_bodies_above_each_other_may_lie_over_each_other_in_plan() -> None:
    ruin = block(24, 20, 6, 6, "difficult", "screening", height=6.0, floors=(3.0,))
    over = table(squad("militia", at=(24, 20)), squad("militia", 1, 1, (24.2, 20), z=3.0), pieces=[ruin])
    tall = table(squad("great-beast", at=(24, 20)), squad("militia", 1, 1, (24.2, 20), z=2.9), pieces=[ruin])
    assert [stand_on_different_storeys(model(one, 1), model(one, 0)) for one in (over, tall)] == [True, False]
