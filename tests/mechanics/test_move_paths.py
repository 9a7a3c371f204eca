"""The path of one model: what bars it on its levels and where it ends, and what may be wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from campale.mechanics.moves.move_paths import (
    Barred,
    Met,
    MovePath,
    answer_of,
    end_of,
    met_by_levels,
    met_on_landing,
    over_a_piece,
    over_the_edge,
    surroundings,
    through_a_model,
    too_long,
    too_near,
)
from campale.referee.position import TABLE, Model, Position
from campale.referee.refusal import Fault
from campale.table.outlines import rectangle
from campale.table.paths import Path
from campale.table.shapes import Circle
from campale.table.terrain import Ground, Piece
from tests.referee.toy import RULESET

HOUSE = Piece("house", "house", rectangle(30.0, 10.0, 4.0, 4.0))
GROUND = Ground(40.0, 20.0, (HOUSE,))
GAP, UPSTAIRS = 1.0, 3.0
SHAPE = Circle(0.5)


def mover(*others: tuple[int, float, float, float]) -> Model:
    """Model 0 at (10, 10), and others: side, x, y, height."""
    position = Position(RULESET, GROUND)
    for side, x, y, z in ((0, 10.0, 10.0, 0.0), *others):
        model = position.add_model("man", None, side, position.add_unit("squad", side), TABLE)
        position.move_to(model, x, y, z)
    return position.model(0)


def bars(model: Model, z: float) -> Barred:
    """On a level those who stand on it: a distance is kept from enemies, friends may be touched."""
    others = [other for other in model.position.models if other is not model and other.z == z]
    gaps = [GAP if other.side != model.side else 0.0 for other in others]
    return surroundings(model, SHAPE, others, gaps, GROUND)


def path_to(model: Model, *points: tuple[float, ...]) -> Path:
    height = len(points[0]) == 3 if points else False
    start = (model.x, model.y, model.z) if height else model.at
    return Path((start, *points), 0.0)  # type: ignore[arg-type]


def walked(model: Model, *points: tuple[float, ...]) -> MovePath:
    return MovePath(model, path_to(model, *points), None, partial(met_by_levels, bars=bars))


def flown(model: Model, *points: tuple[float, ...]) -> MovePath:
    return MovePath(model, path_to(model, *points), None, partial(met_on_landing, bars=bars), flies=True)


FAULTS: dict[str, Callable[[MovePath], Fault | None]] = {
    "near": lambda way: too_near(way, GAP),
    "through": through_a_model,
    "piece": over_a_piece,
    "edge": over_the_edge,
}


def faults(way: MovePath) -> dict[str, Fault]:
    """All that is wrong with a path, by kind."""
    return {kind: fault for kind, of in FAULTS.items() if (fault := of(way)) is not None}


ENEMY, FRIEND = (1, 20.0, 10.0, 0.0), (0, 20.0, 10.0, 0.0)


@pytest.mark.parametrize(
    ("others", "goal", "kind", "where", "row"),
    [
        ([ENEMY], (18.0, 10.0), None, None, None),
        ([ENEMY], (18.1, 10.0), "near", (18.0, 10.0), 1),
        ([FRIEND], (19.0, 10.0), None, None, None),
        ([FRIEND], (24.0, 10.0), "through", (19.0, 10.0), 1),
        ([], (27.5, 10.0), None, None, None),
        ([], (35.0, 10.0), "piece", (27.5, 10.0), 0),
        ([], (10.0, 19.5), None, None, None),
        ([], (10.0, 19.6), "edge", (10.0, 19.5), 0),
    ],
)
def test_a_path_is_stopped_by_one_thing_and_only_by_that(
    others: list[tuple[int, float, float, float]],
    goal: tuple[float, float],
    kind: str | None,
    where: tuple[float, float] | None,
    row: int | None,
) -> None:
    found = faults(walked(mover(*others), goal))
    assert list(found) == ([] if kind is None else [kind])
    if kind is not None:
        assert found[kind].where == where
        assert found[kind].model == row
        assert found[kind].limit == (GAP if kind == "near" else None)


def test_of_several_things_the_first_one_met_stops_a_path() -> None:
    way = walked(mover(ENEMY, (0, 14.0, 10.0, 0.0)), (35.0, 10.0))
    assert list(faults(way)) == ["through"]
    assert way.met is not None
    assert way.met is way.met
    assert way.met.other is not None
    assert way.met.other.row == 2
    assert walked(mover(), (12.0, 10.0)).met is None


def test_what_flies_is_stopped_only_where_it_ends() -> None:
    model = mover(ENEMY, (0, 14.0, 10.0, 0.0))
    assert faults(flown(model, (24.0, 10.0))) == {}
    assert faults(flown(model, (22.0, 10.0))) == {}
    assert faults(flown(model, (21.9, 10.0))) == {"near": Fault((21.9, 10.0), limit=GAP, model=1)}
    assert list(faults(flown(model, (14.9, 10.0)))) == ["through"]
    assert list(faults(flown(model, (30.0, 12.4)))) == ["piece"]
    assert list(faults(flown(model, (39.6, 10.0)))) == ["edge"]


def test_what_stays_where_it_is_does_not_land() -> None:
    model = mover((1, 10.5, 10.0, 0.0))
    assert faults(flown(model)) == {}
    assert list(faults(flown(model, (10.0, 10.1)))) == ["near"]
    turning = MovePath(model, Path((model.at,), 90.0, (90.0,)), None, partial(met_on_landing, bars=bars))
    assert list(faults(turning)) == ["near"]


def test_on_every_level_that_a_path_touches_those_who_stand_there_bar_it() -> None:
    model = mover((1, 20.0, 10.0, 0.0), (1, 14.0, 10.0, UPSTAIRS))
    up, on = (10.0, 10.0, UPSTAIRS), (16.0, 10.0, UPSTAIRS)
    assert faults(walked(model, (16.0, 10.0, 0.0))) == {}
    way = walked(model, up, on)
    assert faults(way) == {"near": Fault((12.0, 10.0), limit=GAP, model=2)}
    assert way.met is not None
    assert way.met.trouble.progress == pytest.approx(1 + 2 / 6, abs=0.001)
    assert list(faults(walked(model, (18.5, 10.0, UPSTAIRS)))) == ["near"]


def test_the_distance_that_is_kept_is_that_of_the_one_who_is_met() -> None:
    kept = [met.kept for met in (walked(mover(one), (30.0, 10.0)).met for one in (ENEMY, FRIEND)) if met]
    assert kept == [GAP, 0.0]
    met = walked(mover(), (35.0, 10.0)).met
    assert isinstance(met, Met)
    assert (met.kept, met.other) == (0.0, None)


@pytest.mark.parametrize(("length", "is_wrong"), [(6.0, False), (6.001, False), (6.002, True)])
def test_a_path_may_be_as_long_as_its_limit(length: float, is_wrong: bool) -> None:
    model = mover()
    path = path_to(model, (16.0, 10.0))
    fault = too_long(model, path, length, 6.0)
    assert fault == (Fault((16.0, 10.0), 6.0, 6.0, 0) if is_wrong else None)
    assert too_long(model, path, length, None) is None


def test_an_answer_names_heights_only_where_there_are_any() -> None:
    path = Path(((1.0, 2.0, 0.0), (3.00004, 4.0, 0.0), (3.0, 4.0, 3.0)), 0.0)
    assert answer_of(path, 90.0) == [[[3.0, 4.0], [3.0, 4.0, 3.0]], 90.0]
    assert answer_of(Path(((1.0, 2.0), (3.0, 4.0)))) == [[[3.0, 4.0]], None]
    down = Path(((1.0, 2.0, 3.0), (1.0, 2.0, 0.0), (3.0, 4.0, 0.0)))
    assert answer_of(down) == [[[1.0, 2.0, 0.0], [3.0, 4.0]], None]
    assert [end_of(one) for one in (path, Path(((1.0, 2.0),)))] == [(3.0, 4.0, 3.0), (1.0, 2.0, 0.0)]
