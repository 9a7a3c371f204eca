"""Scenery: the presets, pieces made from them, the tables laid by hand and those by lot."""

from __future__ import annotations

from pathlib import Path

import pytest
from shapely.geometry import LineString, Polygon

from campale.referee.ledgers.ledger import read_ledger
from campale.referee.reading import FileError
from campale.rulesets.e55.battle import generator, scenery
from campale.rulesets.e55.battle.scenery import (
    LAYOUTS,
    LEAST_COVERED,
    MOST_COVERED,
    PRESETS,
    covered,
    layout_named,
    piece_from,
    scenery_piece,
    table_size,
)
from campale.rulesets.e55.movement_phase import terrain
from campale.table.outlines import lies_inside
from campale.table.terrain import Ground, Piece, faults

LEDGER = read_ledger(Path(scenery.__file__).parents[1] / "rules.yaml").entries
COVERS = {
    "wooden structures": "wooden-structure",
    "barbed wire": "barbed-wire",
    "stone structures": "stone-structure",
    "forests": "woods",
    "ruins": "ruins",
    "emplacements": "emplacement",
    "sandbags": "sandbags",
    "special fortifications": "fortification",
}
SEEDS = (0, 7, 4711, 999_983)


def ground(pieces: tuple[Piece, ...]) -> Ground:
    return Ground(*table_size(), pieces)


def share_seen(pieces: tuple[Piece, ...]) -> float:
    """Of straight lines from one deployment zone to the other, how many no tall piece crosses."""
    tall = [Polygon(one.outline) for one in pieces if one.height >= 3 and "open" not in one.tags]
    lines = [LineString([(x, 6.0), (u, 42.0)]) for x in range(6, 72, 10) for u in range(6, 72, 10)]
    return sum(not any(line.intersects(one) for one in tall) for line in lines) / len(lines)


# ---------------------------------------------------------------- the presets


@pytest.mark.covers("2.3.1/cover-values", "10.1/terrain-data")
def test_the_presets_have_the_cover_that_the_table_prints() -> None:
    text = LEDGER["2.3.1/cover-values"].text.replace("\n", " ")
    values = {}
    for part in text.split("+:")[1:]:
        values[part] = int(text.split(part)[0].rstrip("+:")[-1])
    for name, kind in COVERS.items():
        (value,) = {value for part, value in values.items() if name in part}
        piece = scenery_piece(kind, (20.0, 20.0))
        assert terrain.cover_of(piece) == value, name
    assert terrain.cover_of(scenery_piece("bastion", (20.0, 20.0))) == 3


@pytest.mark.covers("10.1/terrain-data", "3.1.2/terrain-kinds")
@pytest.mark.parametrize(
    ("kinds", "tags"),
    [
        (("woods", "ruins"), ("difficult", "screening", "cover-5")),
        (("emplacement", "sandbags"), ("clear", "open", "cover-4")),
        (("wall", "building"), ("impassable", "solid")),
        (("acid-pool", "chasm"), ("impassable", "open")),
        (("wreck",), ("difficult", "solid", "cover-5", "wreck")),
    ],
)
def test_the_presets_of_the_ruling(kinds: tuple[str, ...], tags: tuple[str, ...]) -> None:
    for kind in kinds:
        assert scenery_piece(kind, (30.0, 21.0)).tags == tags


@pytest.mark.covers("3.1.2/terrain-kinds", "10.1/terrain-data")
def test_every_preset_is_of_one_kind_does_one_thing_to_sight_and_may_be_dangerous() -> None:
    for kind, preset in PRESETS.items():
        tags = scenery_piece(kind, (36.0, 20.5)).tags
        assert sum(tag in tags for tag in ("clear", "difficult", "impassable")) == 1
        assert sum(tag in tags for tag in ("open", "screening", "solid")) == 1
        assert set(preset.title) == {"en", "it"}
    assert [kind for kind in PRESETS if "dangerous" in scenery_piece(kind, (36.0, 20.5)).tags] == [
        "barbed-wire",
        "mire",
        "minefield",
    ]


@pytest.mark.covers("10.1/terrain-data", "3.1.2/terrain-extent")
@pytest.mark.parametrize("kind", PRESETS)
def test_a_piece_has_the_outline_height_and_floors_of_its_kind(kind: str) -> None:
    preset, piece = PRESETS[kind], scenery_piece(kind, (40.0, 22.0), 30.0)
    assert Polygon(piece.outline).exterior.is_ccw
    assert Polygon(piece.outline).area == pytest.approx(preset.size[0] * preset.size[1], rel=1e-3)
    assert (piece.kind, piece.name, piece.height, piece.z) == (kind, kind, preset.height, 0.0)
    assert tuple(floor.z for floor in piece.floors) == preset.floors
    assert all(lies_inside(floor.outline, piece.outline) for floor in piece.floors)
    assert not faults(ground((piece,)))


@pytest.mark.covers("10.1/terrain-data")
def test_upper_storeys_cover_half_of_a_ruin() -> None:
    piece = scenery_piece("ruins", (20.0, 20.0), 0.0, "tower", (10.0, 8.0))
    assert [Polygon(floor.outline).area for floor in piece.floors] == [80.0, 40.0]
    table = ground((piece,))
    assert table.levels(17.0, 20.0) == (0.0, 3.0, 6.0)
    assert table.levels(23.0, 20.0) == (0.0, 3.0)


@pytest.mark.covers("10.1/terrain-data", "10.1/scenery")
def test_a_piece_may_have_another_size_and_cover() -> None:
    piece = piece_from({"kind": "woods", "at": [20, 20], "size": [4, 2], "cover": 3, "name": "grove", "turn": 90})
    assert (piece.name, terrain.cover_of(piece)) == ("grove", 3)
    assert Polygon(piece.outline).bounds == pytest.approx((19.0, 18.0, 21.0, 22.0))
    assert terrain.cover_of(scenery_piece("wall", (5.0, 5.0), cover=4)) == 4


@pytest.mark.covers("10.1/scenery", "3.1.2/terrain-extent")
def test_players_draw_pieces_of_whatever_outline() -> None:
    plain = {"name": "pit", "outline": [[0, 0], [0, 4], [4, 4]], "tags": ["impassable", "open"]}
    piece = piece_from(plain)
    assert Polygon(piece.outline).exterior.is_ccw
    assert terrain.impassable_pieces(ground((piece,))) == (piece,)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"kind": "wood", "at": [1, 1]}, "Did you mean 'woods'"),
        ({"kind": "woods"}, "at"),
        ({"kind": "woods", "at": [1, 1], "cover": 1}, ">= 2"),
        ({"kind": "woods", "at": [1, 1], "colour": 1}, "colour"),
    ],
)
def test_a_piece_that_cannot_be(plain: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        piece_from(plain)


@pytest.mark.covers("10.1/table")
def test_the_table_is_six_feet_by_four() -> None:
    assert table_size() == (72.0, 48.0)


# ---------------------------------------------------------------- tables laid by hand


@pytest.mark.covers("10.1/scenery")
@pytest.mark.parametrize("name", LAYOUTS.names())
def test_a_layout_covers_about_forty_per_cent_has_storeys_and_blocks_sight(name: str) -> None:
    pieces = layout_named.__wrapped__(name)
    assert faults(ground(pieces), lambda one, other: False) == []
    assert LEAST_COVERED <= covered(pieces) <= MOST_COVERED
    assert sum(bool(one.floors) for one in pieces) >= 2
    assert share_seen(pieces) < 0.4
    assert set(LAYOUTS.named(name).name.in_both) == {"en", "it"}


@pytest.mark.covers("10.1/scenery")
@pytest.mark.parametrize("name", LAYOUTS.names())
def test_a_layout_leaves_room_to_deploy_and_is_the_same_from_both_edges(name: str) -> None:
    pieces = layout_named(name)
    strips = [Polygon([(0, y), (72, y), (72, y + 12), (0, y + 12)]) for y in (0, 36)]
    for strip in strips:
        barred = sum(Polygon(one.outline).intersection(strip).area for one in pieces if "impassable" in one.tags)
        assert barred < 0.1 * strip.area
    centres = sorted((one.kind, *rounded(one)) for one in pieces)
    across = sorted((kind, round(72 - x, 2), round(48 - y, 2)) for kind, x, y in centres)
    assert centres == across


def rounded(piece: Piece) -> tuple[float, float]:
    centre = Polygon(piece.outline).centroid
    return round(centre.x, 2), round(centre.y, 2)


def test_there_are_three_layouts_and_others_are_not_found() -> None:
    assert len(LAYOUTS.names()) == 3
    with pytest.raises(FileError, match="Did you mean 'reedwater'"):
        layout_named("reedwatr")


@pytest.mark.covers("10.1/scenery")
def test_what_share_of_the_table_is_covered() -> None:
    assert covered(()) == 0.0
    assert covered((scenery_piece("woods", (20.0, 20.0), 0.0, "", (36.0, 24.0)),)) == pytest.approx(0.25)


# ---------------------------------------------------------------- tables by lot


@pytest.mark.covers("10.1/scenery")
@pytest.mark.parametrize("seed", [*SEEDS, *range(100, 112)])
def test_a_table_by_lot_covers_about_forty_per_cent_and_can_be_played_on(seed: int) -> None:
    pieces = generator.layout(seed)
    assert LEAST_COVERED <= covered(pieces) <= MOST_COVERED
    assert faults(ground(pieces), lambda one, other: False) == []
    assert sum(bool(one.floors) for one in pieces) >= 2
    assert share_seen(pieces) < 0.6


@pytest.mark.covers("10.1/scenery")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_cannot_be_entered_leaves_the_long_edges_and_lanes_free(seed: int) -> None:
    barred = [Polygon(one.outline) for one in generator.layout(seed) if "impassable" in one.tags]
    assert sum(one.area for one in barred) <= 0.15 * 72 * 48
    for k, one in enumerate(barred):
        assert one.bounds[1] >= 7.0 - 1e-6
        assert one.bounds[3] <= 41.0 + 1e-6
        assert all(one.distance(other) >= 3.0 for other in barred[:k])


@pytest.mark.covers("10.1/scenery")
@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_lie_apart_and_in_pairs(seed: int) -> None:
    pieces = generator.layout(seed)
    assert len(pieces) % 2 == 0
    for one, other in zip(pieces[::2], pieces[1::2], strict=True):
        (x, y), (u, v) = rounded(one), rounded(other)
        assert one.kind == other.kind
        assert [x + u, y + v] == pytest.approx([72, 48], abs=0.03)
    outlines = [Polygon(one.outline) for one in pieces]
    assert all(a.distance(b) >= 0.9 for k, a in enumerate(outlines) for b in outlines[:k])


@pytest.mark.covers("10.1/scenery")
def test_the_same_seed_gives_the_same_table_and_another_another() -> None:
    assert generator.layout.__wrapped__(3) == generator.generated(3)
    assert generator.generated(3) != generator.generated(4)
    names = [one.name for one in generator.generated(3)]
    assert len(set(names)) == len(names)
