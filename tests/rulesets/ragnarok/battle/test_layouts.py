"""The scenery table, and the tables laid by hand."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from shapely.geometry import Polygon

from campale.mechanics.setup.scenery import is_on_table
from campale.referee.ledgers.ledger import read_ledger
from campale.referee.reading import FileError
from campale.rulesets.ragnarok.battle import scenery
from campale.rulesets.ragnarok.battle.scenery import (
    LAYOUTS,
    SCENERY,
    layout_named,
    scenery_piece,
)
from campale.table.terrain import Ground, Piece

TABLE = read_ledger(Path(scenery.__file__).parents[1] / "rules.yaml").entries["battlefield/scenery-table"].text
ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()[1:]]


@pytest.mark.covers("battlefield/scenery-table")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_kind_is_as_the_ledger_prints_it(row: list[str]) -> None:
    kind = SCENERY[row[0]]
    sight = kind.sight + (", can be stood on" if kind.can_be_stood_on else "")
    size = f"{kind.width:g} x {kind.depth:g}"
    assert [kind.title["it"], kind.title["en"]] == row[1:3]
    assert [kind.ground, f"{kind.height:g}", sight, size] == row[3:]


@pytest.mark.covers("battlefield/scenery-table")
def test_there_are_no_other_kinds() -> None:
    assert list(SCENERY) == [row[0] for row in ROWS]
    with pytest.raises(FileError, match="Did you mean 'wood'"):
        scenery_piece("woods", (0, 0))


@pytest.mark.covers("battlefield/scenery-table")
@pytest.mark.parametrize("kind", SCENERY)
def test_a_piece_has_the_size_height_and_tags_of_its_kind(kind: str) -> None:
    row, piece = SCENERY[kind], scenery_piece(kind, (60, 60), 30)
    assert Polygon(piece.outline).exterior.is_ccw
    assert Polygon(piece.outline).area == pytest.approx(row.width * row.depth, rel=1e-4)
    assert [piece.kind, piece.name] == [kind, kind]
    assert [piece.height, piece.z] == [row.height, 0]
    assert list(piece.tags) == [row.ground, row.sight, *(["stand"] * row.can_be_stood_on)]
    assert [floor.z for floor in piece.floors] == [row.height] * row.can_be_stood_on


@pytest.mark.covers("battlefield/scenery-table")
def test_a_turn_is_clockwise() -> None:
    straight, turned = scenery_piece("low_wall", (50, 50)), scenery_piece("low_wall", (50, 50), 90)
    assert list(straight.outline) == [(45, 49.5), (55, 49.5), (55, 50.5), (45, 50.5)]
    assert list(turned.outline) == [(49.5, 55), (49.5, 45), (50.5, 45), (50.5, 55)]
    right_end = scenery_piece("low_wall", (50, 50), 45).outline[1]
    assert right_end[0] > 50
    assert right_end[1] < 50


def test_the_edge_of_the_table_is_on_it() -> None:
    assert is_on_table(scenery_piece("boulder", (3, 117)), Ground(120, 120))
    for centre in ((2.99, 60), (60, 2.99), (117.01, 60), (60, 117.01)):
        assert not is_on_table(scenery_piece("boulder", centre), Ground(120, 120))


def shared_ground(pieces: tuple[Piece, ...]) -> float:
    areas = [Polygon(one.outline) for one in pieces]
    return max((one.intersection(other).area for one, other in combinations(areas, 2)), default=0)


@pytest.mark.parametrize("name", LAYOUTS.names())
def test_a_layout_is_laid_whole_on_its_own_table(name: str) -> None:
    pieces = layout_named(name, 120, 120)
    assert 12 <= len(pieces) <= 18
    assert len(pieces) == len(LAYOUTS.named(name).pieces)
    assert all(is_on_table(piece, Ground(120, 120)) for piece in pieces)
    assert shared_ground(pieces) == 0
    assert len({piece.name for piece in pieces}) == len(pieces)


@pytest.mark.parametrize("name", LAYOUTS.names())
def test_a_layout_is_the_same_from_both_edges(name: str) -> None:
    def marks(turned: bool) -> Counter[tuple[str, float, float]]:
        ends = [(one.kind, one.centre) for one in LAYOUTS.named(name).pieces]
        return Counter((kind, 120 - x, 120 - y) if turned else (kind, x, y) for kind, (x, y) in ends)

    assert marks(True) == marks(False)


@pytest.mark.parametrize("name", LAYOUTS.names())
def test_nothing_impassable_bars_the_ground_where_forces_begin(name: str) -> None:
    for piece in layout_named(name):
        if "impassable" in piece.tags:
            assert all(20 < y < 100 for _, y in piece.outline)


def test_the_layouts_use_every_kind() -> None:
    assert len(LAYOUTS.names()) == 3
    assert {piece.kind for name in LAYOUTS.names() for piece in layout_named(name)} == set(SCENERY)


@pytest.mark.parametrize("size", [(90, 60), (180, 120), (40, 40)])
@pytest.mark.parametrize("name", LAYOUTS.names())
def test_on_another_table_what_does_not_fit_is_left_out(name: str, size: tuple[float, float]) -> None:
    pieces = layout_named(name, *size)
    assert 0 < len(pieces) <= len(LAYOUTS.named(name).pieces)
    assert all(is_on_table(piece, Ground(*size)) for piece in pieces)
    assert shared_ground(pieces) < 0.01


def test_a_layout_nobody_knows_is_refused() -> None:
    with pytest.raises(FileError, match="foundry"):
        layout_named("colosseum")


def test_the_layouts_keep_to_their_schema() -> None:
    schema = json.loads((LAYOUTS.folder / "layout.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    for name in LAYOUTS.names():
        content = yaml.safe_load((LAYOUTS.folder / f"{name}.yaml").read_text("utf-8"))
        assert list(Draft202012Validator(schema).iter_errors(content)) == []
