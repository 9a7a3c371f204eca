from __future__ import annotations

import copy
import math
import os
import subprocess
import sys

import pytest

from campale.table.outlines import area, contains, inset, lies_inside, overlap
from campale.table.terrain import Fault, Floor, Ground, Piece, faults, normalised, rectangle, regular

WALL = Piece("wall", "wall", rectangle(10, 10, 6, 1), height=2.0)
TOWER = Piece(
    "tower",
    "ruin",
    rectangle(30, 30, 6, 6),
    height=9.0,
    floors=(Floor(rectangle(30, 30, 6, 6), 3.0), Floor(rectangle(31.5, 30, 3, 6), 6.0)),
)
ENV = {"PYTHONPATH": os.pathsep.join(sys.path)}
GROUND = Ground(72.0, 48.0, (WALL, TOWER))


def reasons(*pieces: Piece) -> list[str]:
    return [fault.reason for fault in faults(Ground(72.0, 48.0, pieces))]


def test_a_good_ground_has_no_faults() -> None:
    assert faults(GROUND) == []


def test_a_piece_is_found_by_name_and_by_place() -> None:
    assert GROUND.piece("tower") is TOWER
    assert GROUND.pieces_at(10, 10.5) == (WALL,)
    assert GROUND.pieces_at(10, 10.51) == ()
    with pytest.raises(KeyError):
        GROUND.piece("hill")


def test_terrain_comes_goes_and_changes_class_on_another_ground() -> None:
    hill = Piece("hill", "hill", regular(50, 20, 5, 8), height=2.0)
    more = GROUND.with_piece(hill)
    assert [p.name for p in more.pieces] == ["wall", "tower", "hill"]
    assert [p.name for p in more.without("wall").pieces] == ["tower", "hill"]
    rubble = Piece("tower", "rubble", TOWER.outline, tags=("difficult",))
    assert more.replacing("tower", rubble).piece("tower").tags == ("difficult",)
    assert GROUND.piece("tower").tags == ()


def test_two_pieces_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="already"):
        GROUND.with_piece(WALL)
    with pytest.raises(ValueError, match="already"):
        GROUND.replacing("tower", WALL)
    assert reasons(WALL, WALL) == ["2 pieces have this name"]


def test_what_is_prepared_is_kept_with_the_ground_and_shared_by_copies() -> None:
    assert GROUND.prisms is GROUND.prisms
    assert copy.deepcopy(GROUND).prisms is GROUND.prisms
    assert copy.copy(GROUND) is GROUND
    assert GROUND.prisms.starts.tolist() == [0, 4, 8]
    assert GROUND.prisms.boxes[0].tolist() == [7.0, 9.5, 13.0, 10.5]
    assert GROUND.prisms.high.tolist() == [2.0, 9.0]
    assert GROUND.without("wall").prisms.starts.tolist() == [0, 4]
    assert Ground(10, 10).prisms.corners.shape == (0, 2)


def test_what_others_prepare_is_made_once() -> None:
    made: list[Ground] = []

    def make(ground: Ground) -> int:
        made.append(ground)
        return len(ground.pieces)

    assert (GROUND.kept(make), GROUND.kept(make), len(made)) == (2, 2, 1)


def test_the_surface_is_the_highest_floor_one_may_stand_on() -> None:
    assert GROUND.levels(31, 30) == (0.0, 3.0, 6.0)
    assert GROUND.surface(31, 30) == 6.0
    assert GROUND.surface(31, 30, below=4.0) == 3.0
    assert GROUND.surface(28, 30) == 3.0
    assert GROUND.surface(28, 30, tops=True) == 9.0
    assert GROUND.surface(10, 10) == 0.0
    assert GROUND.surface(5, 5) == 0.0


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        (Piece("p", "k", ((1, 1), (5, 1))), "its outline has 2 corners; it needs 3"),
        (
            Piece("p", "k", ((1, 1), (5, 5), (5, 1), (1, 5))),
            "its outline crosses or touches itself near (5, 5)",
        ),
        (Piece("p", "k", ((1, 1), (1, 5), (5, 5))), "its outline runs clockwise"),
        (Piece("p", "k", ((1, 1), (5, 1), (math.nan, 5))), "its outline has a corner that is no number"),
        (Piece("p", "k", ((70, 1), (72.01, 1), (70, 5))), "a corner at (72.01, 1) is off the table"),
        (Piece("p", "k", ((1, 1), (5, 1), (5, 5)), height=math.inf), "its z is 0.0 and its height inf"),
        (Piece("p", "k", ((1, 1), (5, 1), (5, 5)), height=-1.0), "its z is 0.0 and its height -1.0"),
        (Piece("p", "k", ((1, 1), (5, 1), (3, 1))), "its outline crosses or touches itself near (5, 1)"),
    ],
)
def test_a_bad_piece_is_named_with_its_reason(piece: Piece, reason: str) -> None:
    assert reasons(piece) == [reason]


def test_a_piece_may_reach_the_edge_of_the_table() -> None:
    assert reasons(Piece("p", "k", ((70, 1), (72, 1), (70, 5)))) == []


def test_a_floor_must_lie_in_its_piece_and_under_its_top() -> None:
    def with_floor(floor: Floor) -> list[str]:
        return reasons(Piece("p", "k", rectangle(10, 10, 4, 4), height=3.0, floors=(floor,)))

    assert with_floor(Floor(rectangle(10, 10, 4, 4), 3.0)) == []
    assert with_floor(Floor(rectangle(10, 10, 4.1, 4), 3.0)) == ["floor 1 reaches outside the piece"]
    assert with_floor(Floor(rectangle(10, 10, 4, 4), 3.01)) == ["floor 1 is at 3.01, the piece between 0.0 and 3.0"]
    assert with_floor(Floor(rectangle(10, 10, 4, 4), math.nan)) == ["floor 1 is at nan"]
    assert with_floor(Floor(((9, 9),), 1.0)) == ["floor 1 has 1 corners; it needs 3"]


def test_pieces_overlap_only_where_allowed() -> None:
    beside = Piece("beside", "wall", rectangle(16, 10, 6, 1), height=2.0)
    over = Piece("over", "wall", rectangle(15.9, 10, 6, 1), height=2.0)
    above = Piece("above", "crate", rectangle(10, 10, 6, 1), height=1.0, z=2.0)
    flat = Piece("flat", "wall", rectangle(10, 10, 6, 1))

    def found(piece: Piece) -> list[Fault]:
        return faults(Ground(72.0, 48.0, (WALL, piece)), may_overlap=lambda a, b: a.kind != b.kind)

    assert found(beside) == []
    assert [(f.piece, f.reason) for f in found(over)] == [("over", "it lies over 'wall'")]
    assert [f.piece for f in found(flat)] == ["flat"]
    assert found(Piece("over", "wood", over.outline, height=2.0)) == []
    assert faults(Ground(72.0, 48.0, (WALL, above)), may_overlap=lambda *_: False) == []


def test_a_table_needs_a_size() -> None:
    assert faults(Ground(math.nan, 48.0)) == [Fault("", None, "the table measures nan by 48.0")]


def test_a_clockwise_piece_can_be_put_right() -> None:
    piece = Piece("p", "k", ((1, 1), (1, 5), (5, 5)), floors=(Floor(((2, 3), (2, 4), (3, 4)), 0.0),))
    assert reasons(normalised(piece)) == []


def test_a_rectangle_turns_clockwise_about_its_centre() -> None:
    assert rectangle(5, 5, 4, 2, turned=90) == ((4.0, 7.0), (4.0, 3.0), (6.0, 3.0), (6.0, 7.0))
    assert area(rectangle(5, 5, 4, 2, turned=33)) == pytest.approx(8, abs=1e-3)
    assert len(regular(0, 0, 1, 6)) == 6
    with pytest.raises(ValueError):
        regular(0, 0, 1, 2)


def test_outlines_touching_do_not_overlap() -> None:
    one = rectangle(0, 0, 2, 2)
    assert not overlap(one, rectangle(2, 0, 2, 2))
    assert overlap(one, rectangle(1.998, 0, 2, 2))
    assert overlap(one, rectangle(0, 0, 1, 1))
    assert lies_inside(rectangle(0, 0, 2, 2), one)
    assert contains(one, 1, 1)
    assert area(inset(one, 0.5)) == pytest.approx(1)


def test_shapes_and_terrain_load_without_the_compiler() -> None:
    code = "import sys, campale.table.shapes, campale.table.terrain; print('numba' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=ENV)
    assert said.stdout.strip() == "False"
