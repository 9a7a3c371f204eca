"""Chapter "structures": AV and structure points, damage, collapse."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push, stack
from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.structures import collapse, damage, pieces
from campale.rulesets.wzr.vehicles.locations import ps_left
from campale.rulesets.wzr.wounds.hits import Hit, hit_frames
from campale.table.terrain import Piece
from tests.rulesets.wzr.kit import finish, piece, play, squad, table, vehicle

covers = pytest.mark.covers


def house(row: str = "brick", floors: tuple[float, ...] = (0.0, 3.0, 6.0), height: float = 9.0, **more: Any) -> Piece:
    tags = ("solid", "intact", f"row-{row}")
    return piece((20.0, 20.0), (8.0, 6.0), tags, height, floors, "house", "building", **more)


def wall(length: float, row: str = "wall") -> Piece:
    return piece((10.0, 10.0), (length, 0.5), ("solid", "linear", f"row-{row}"), 1.5, (), "wall", "wall")


@covers("structures/av-table", "structures/destructible")
@pytest.mark.parametrize(
    ("one", "av", "ps"),
    [
        (house("bunker", (0.0,), 4.0), 20, 8),
        (house("brick", (0.0,), 3.0), 18, 8),
        (house("brick"), 18, 12),
        (house("wood", (0.0, 3.0), 6.0), 16, 8),
        (wall(7.0), 14, 6),
        (wall(7.9), 14, 6),
        (wall(8.0), 14, 8),
        (wall(9.5), 14, 10),
        (wall(9.0, "crates"), 12, 4),
        (wall(9.0, "trees"), 12, 4),
    ],
)
def test_av_and_ps_by_row_floors_and_complete_inches(one: Piece, av: int, ps: int) -> None:
    assert (pieces.av_of(one), pieces.full_ps(one)) == (av, ps)


@covers("structures/destructible", "structures/av-table")
def test_areas_without_a_row_cannot_be_damaged() -> None:
    scrub = piece((10.0, 10.0), tags=("light",))
    assert pieces.row_of(scrub) is None
    assert pieces.full_ps(scrub) == 0
    position = table(squad(1), pieces=[scrub])
    assert play(damage.damage_piece(position, Hit(piece="piece", avv=9, by=0)), position=position).rolls == []


def hits(position: Position, avv: int, dice: str, count: int = 1) -> None:
    for _ in range(count):
        play(
            damage.damage_piece(position, Hit(piece=position.ground.pieces[0].name, avv=avv, by=0)),
            dice,
            position=position,
        )


@covers("structures/avv-minimum")
def test_avv_2_does_nothing_and_avv_3_leaves_a_test() -> None:
    position = table(squad(1), pieces=[wall(6.0)])
    hits(position, 2, "")
    hits(position, 3, "11")
    assert pieces.ps_of(position, position.ground.pieces[0]) == 6
    hits(position, 3, "12")
    assert pieces.ps_of(position, position.ground.pieces[0]) == 5


@covers("structures/attack-damage", "core/damage-effect", "armour/av-test")
def test_the_other_player_tests_the_av() -> None:
    position = table(squad(1), squad(1, 1, (30, 30)), pieces=[wall(6.0)])
    for by, tester in ((0, 1), (1, 0)):
        played = play(damage.damage_piece(position, Hit(piece="wall", avv=4, by=by)), "1", position=position)
        assert [question.side for question in played.questions] == [tester]


@covers("structures/terrain-destroyed")
def test_a_destroyed_wall_leaves_light_terrain_of_the_same_outline() -> None:
    position = table(squad(1), pieces=[wall(6.0, "crates")])
    outline = position.ground.pieces[0].outline
    hits(position, 5, "8", count=4)
    (left,) = position.ground.pieces
    assert (left.outline, left.tags, left.height) == (outline, ("light",), 0.0)
    hits(position, 5, "")


@covers("structures/collapse", "structures/intact", "core/removal")
def test_a_structure_at_0_collapses_after_the_attack() -> None:
    position = table(squad(1), pieces=[house("wood", (0.0,), 3.0)])
    hits(position, 6, "11", count=5)
    assert damage.collapses_due(position) == ()
    hits(position, 6, "11")
    assert damage.collapses_due(position) == (("collapse", "house"),)
    assert position.ground.pieces[0].tags[0] == "solid"


def collapsed(position: Position, dice: str, answers: Any = ()) -> Any:
    play(collapse.collapse(position, "house"), position=position)
    return finish(position, dice, answers)


@covers("structures/collapse-inside", "structures/collapse-near", "structures/collapse-reposition", "structures/ruins")
def test_inside_the_av_near_half_of_it_and_the_survivors_are_pinned_in_the_ruin() -> None:
    """AV 18: St 18 on A 12 is passed on 4; St 9 on 13. The third is 2 inches off, the fourth 2.1."""
    inside = squad(1, 0, (24.0, 23.0), z=3.0)
    others = squad(2, 1, [(24.0, 28.6), (28.0, 28.7)])
    position = table(inside, others, pieces=[house("brick")])
    collapsed(position, "4 14")
    assert position.model(0).is_on_table
    assert position.model(0).z == 0.0
    assert position.model(0).marks(marks.PINNED) == 1
    assert not position.model(1).is_on_table
    assert position.model(2).is_on_table
    assert not position.model(2).marks(marks.PINNED)
    assert position.ground.pieces[0].tags == ("heavy", "ruin")


@covers("structures/collapse-inside", "core/automatic-hit")
def test_who_stands_on_the_roof_counts_as_inside() -> None:
    position = table(squad(1, 0, (24.0, 23.0), z=9.0), pieces=[house("brick")])
    collapsed(position, "5")
    assert not position.model(0).is_on_table


@covers("structures/collapse-near")
def test_wounds_of_a_collapse_are_not_healed() -> None:
    position = table(squad(1, 0, (24.0, 23.0), abilities=("heal 8",)), pieces=[house("brick", (0.0,), 3.0)])
    collapsed(position, "5")
    assert not position.model(0).is_on_table


@covers("structures/collapse-near", "vehicles/av-facing")
@pytest.mark.parametrize(("facing", "die", "left"), [(180.0, 12, 2), (180.0, 13, 1), (0.0, 8, 2), (0.0, 9, 1)])
def test_a_vehicle_is_struck_on_the_side_on_which_the_structure_stands(facing: float, die: int, left: int) -> None:
    """AV 12, 4 less in the Rear; against AVV 0 a failed test is rolled again."""
    walker = squad(1, 0, (24.0, 28.0), facing=facing, base="large", vehicle=vehicle(av=12, rear=-4))
    position = table(walker, pieces=[house("brick", (0.0,), 3.0)])
    collapsed(position, f"1 {die}" if left == 2 else f"1 {die} {die}")
    assert ps_left(position.model(0), "pilot") == left


@covers("structures/collapse-reposition")
def test_two_on_one_spot_of_two_floors_are_set_down_beside_each_other() -> None:
    position = table(squad(1, 0, [(24.0, 23.0)]), squad(1, 0, [(24.0, 23.0)], z=3.0), pieces=[house("brick")])
    played = collapsed(position, "1 1", [[0, 1], [[24.0, 24.2, 0.0]]])
    assert "set-down" in played.prompts
    assert sorted(position.model(row).z for row in (0, 1)) == [0.0, 0.0]
    assert abs(position.model(0).y - position.model(1).y) >= 1.2 - 1e-6


@covers("structures/collapse-reposition", "core/simultaneous")
@pytest.mark.parametrize(("active", "first"), [(0, 0), (1, 1), (None, 1)])
def test_the_side_whose_squad_is_active_sets_its_survivors_down_first(active: int | None, first: int) -> None:
    """Without an activation, the side with the initiative."""
    position = table(squad(1, 0, [(24.0, 23.0)]), squad(1, 1, [(24.0, 23.0)], z=3.0), pieces=[house("brick")])
    position.now["initiative"] = 1
    push(position, *(() if active is None else (("squad-ends", active),)))
    play(collapse.ruin(position, "house", (0, 1)), position=position)
    assert [frame[1] for frame in reversed(stack(position)) if frame[0] == "set-down"] == [first, 1 - first]


@covers("structures/collapse", "core/removal")
def test_a_structure_at_0_comes_down_once() -> None:
    """Its own hits are followed by removals, which find it at 0 still. A 12 against half of AV 16 is passed on 14."""
    position = table(squad(1), squad(1, 1, (24.0, 28.0)), pieces=[house("wood", (0.0,), 3.0)])
    position.declare(pieces.PIECES, (("house", 5),))
    push(position, *hit_frames([Hit(piece="house", avv=6, by=0)]))
    assert finish(position, "11 14").rolls == ["av-test", "armour"]
    assert position.ground.pieces[0].tags == ("heavy", "ruin")


@covers("structures/collapse", "core/simultaneous", "core/removal")
@pytest.mark.parametrize("first", ["east", "west"])
def test_two_structures_brought_down_at_once_collapse_in_the_order_of_the_active_side_each_once(first: str) -> None:
    """A 12 against half of AV 16 is passed on 14: the trooper between them takes a test for each."""
    west = piece((20.0, 20.0), (4.0, 4.0), ("solid", "intact", "row-wood"), 3.0, (0.0,), "west", "building")
    east = piece((27.0, 20.0), (4.0, 4.0), ("solid", "intact", "row-wood"), 3.0, (0.0,), "east", "building")
    position = table(squad(1), squad(1, 1, (25.5, 22.0)), pieces=[west, east])
    position.declare(pieces.PIECES, (("east", 5), ("west", 5)))
    push(position, *hit_frames([Hit(piece=name, avv=6, by=0) for name in ("west", "east")]))
    order = [first, *({"east", "west"} - {first})]
    played = finish(position, "11 11 | 14 14", [order])
    assert played.prompts == ["collapse-order"]
    assert [event.values["piece"] for event in played.events if event.kind == "collapses"] == order
    assert {one.tags for one in position.ground.pieces} == {("heavy", "ruin")}
