"""Sight and cover (core/line-of-sight, structures/line-of-sight, shooting/cover-*)."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.basics.sight import has_line, has_line_to
from campale.rulesets.wzr.shooting.cover import NO_PIECE, Verdict, cover, hidden_shares, reclaimable, screens
from campale.table.terrain import Piece
from tests.rulesets.wzr.kit import piece, squad, table, vehicle

covers = pytest.mark.covers
SHOOTER, TARGET = (24.0, 10.0), (24.0, 22.0)


def wall(
    y: float, height: float, name: str = "wall", tags: tuple[str, ...] = ("solid", "linear"), x: float = 20.0
) -> Piece:
    return piece((x, y), (8.0, 0.2), tags, height, name=name, kind="wall")


def facing_each_other(*pieces: Piece, **changes: object) -> Position:
    return table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET], **changes), pieces=pieces)  # type: ignore[arg-type]


def verdict(position: Position, reclaimed: str = NO_PIECE) -> Verdict:
    return cover(position.model(0), position.model(1), reclaimed)


def value(position: Position, reclaimed: str = NO_PIECE) -> float:
    return verdict(position, reclaimed).part.value


def sees(position: Position, one: int = 0, other: int = 1) -> bool:
    return has_line(position.model(one), position.model(other))


# ---------------------------------------------------------------- seeing


@covers("core/line-of-sight")
@pytest.mark.parametrize(("height", "seen"), [(1.2, True), (1.3, False)])
def test_a_wall_as_tall_as_both_hides_what_is_behind_it(height: float, seen: bool) -> None:
    assert sees(facing_each_other(wall(16.0, height))) is seen


@covers("core/line-of-sight")
@pytest.mark.parametrize(("left", "seen"), [(23.65, True), (23.61, False)])
def test_one_sees_from_any_point_of_the_base(left: float, seen: bool) -> None:
    rock = piece((left, 10.7), (8.0, 4.0), ("solid",), 9.0)
    assert sees(table(squad(at=[SHOOTER]), squad(side=1, at=[(23.4, 22.0)]), pieces=[rock])) is True
    flush = table(squad(at=[SHOOTER]), squad(side=1, at=[(24.6, 22.0)]), pieces=[rock])
    assert sees(flush) is seen


@covers("core/line-of-sight")
def test_area_terrain_never_hides_wholly() -> None:
    woods = piece((20.0, 12.0), (8.0, 8.0), ("heavy",), 9.0)
    assert sees(facing_each_other(woods))
    assert not sees(facing_each_other(piece((20.0, 12.0), (8.0, 8.0), ("impassable", "solid"), 9.0)))


@covers("core/line-of-sight", "shooting/intervening-models", "vehicles/types")
@pytest.mark.parametrize(("hull", "x", "seen"), [((3.0, 3.0), 24.0, False), (None, 24.0, False), (None, 26.0, True)])
def test_a_vehicle_hides_what_is_behind_it(hull: tuple[float, float] | None, x: float, seen: bool) -> None:
    walker = squad(side=1, at=[(x, 16.0)], vehicle=vehicle(), base="large", hull=hull, tall=3.0)
    position = table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET]), walker)
    assert sees(position) is seen
    assert sees(position, 0, 2)
    assert sees(position, 2, 0)


@covers("structures/line-of-sight", "structures/intact", "structures/access-points")
@pytest.mark.parametrize(("away", "seen"), [(0.99, True), (1.01, False)])
def test_who_is_inside_is_seen_within_an_inch_of_a_window(away: float, seen: bool) -> None:
    house = piece((20.0, 20.0), (8.0, 8.0), ("intact",), 3.0, name="house")
    window = piece((23.0, 19.9), (2.0, 0.2), ("window",), 3.0, name="house:window")
    y = 20.1 + 0.6 + away
    position = table(squad(at=[SHOOTER]), squad(side=1, at=[(24.0, y)]), pieces=[house, window])
    assert sees(position) is seen
    assert sees(position, 1, 0) is seen
    if seen:
        assert [one.name for one in verdict(position).pieces] == ["opening"]
        assert value(position) == -4
        assert cover(position.model(1), position.model(0)).pieces == ()


@covers("structures/line-of-sight")
def test_nobody_sees_through_a_house_nor_past_its_wall() -> None:
    house = piece((20.0, 13.0), (8.0, 4.0), ("intact",), 3.0, name="house")
    ways = [piece((23.0, y), (2.0, 0.2), ("window",), 3.0, name=f"house:window {y}") for y in (12.9, 16.9)]
    assert not sees(facing_each_other(house, *ways))
    within = table(squad(at=[(21.0, 15.0)]), squad(side=1, at=[(27.0, 15.0)]), pieces=[house, *ways])
    assert sees(within)
    aside = table(squad(at=[(21.0, 15.0)]), squad(side=1, at=[(21.0, 22.0)]), pieces=[house, *ways])
    assert not sees(aside)


@covers("core/line-of-sight")
def test_a_point_of_the_ground_is_seen_past_a_wall_from_above() -> None:
    position = facing_each_other(wall(16.0, 0.5))
    assert not has_line_to(position.model(0), (24.0, 16.5))
    assert has_line_to(position.model(0), (24.0, 21.0))


# ---------------------------------------------------------------- hidden shares


@covers("core/line-of-sight", "shooting/cover-types")
@pytest.mark.parametrize(
    ("height", "y", "share"),
    [(0.5, 20.8, 0.35), (1.0, 20.8, 0.80), (1.25, 16.0, 1.0), (0.3, 16.0, 0.0)],
)
def test_the_share_that_a_wall_hides_is_exact_in_height(height: float, y: float, share: float) -> None:
    position = facing_each_other(wall(y, height))
    found = hidden_shares(position.ground.kept(screens), (24.0, 10.0, 1.25), [position.model(1).solid])
    assert found[0, 0] == pytest.approx(share, abs=0.02)


@covers("core/line-of-sight")
def test_a_wall_beside_hides_the_columns_behind_it() -> None:
    position = facing_each_other(wall(20.0, 5.0, x=24.0))
    found = hidden_shares(position.ground.kept(screens), (24.0, 10.0, 1.25), [position.model(1).solid])
    assert found[0, 0] == pytest.approx(0.5, abs=0.01)


@covers("core/line-of-sight")
def test_a_beam_hides_what_is_between_its_lower_and_upper_edge() -> None:
    beam = Piece("beam", "wall", ((20.0, 21.0), (28.0, 21.0), (28.0, 21.1), (20.0, 21.1)), 0.5, 0.6, (), ("solid",))
    position = facing_each_other(beam)
    found = hidden_shares(position.ground.kept(screens), (24.0, 10.0, 1.25), [position.model(1).solid])
    assert found[0, 0] == pytest.approx(0.44, abs=0.02)


@covers("shooting/cover-types", "core/line-of-sight")
@pytest.mark.parametrize(("height", "counted"), [(0.374, 0), (0.376, 1)])
def test_cover_begins_at_a_quarter(height: float, counted: int) -> None:
    assert len(verdict(facing_each_other(wall(21.0, height))).pieces) == counted


@covers("shooting/cover-types", "core/line-of-sight")
def test_a_piece_that_hides_all_from_the_centre_is_cover_all_the_same() -> None:
    rock = piece((24.0, 10.7), (8.0, 4.0), ("solid",), 9.0)
    position = table(squad(at=[(24.2, 10.0)]), squad(side=1, at=[(24.6, 22.0)]), pieces=[rock])
    assert sees(position)
    assert value(position) == -4


# ---------------------------------------------------------------- what counts


@covers("shooting/cover-types", "shooting/cover-cumulative")
@pytest.mark.parametrize(
    ("tags", "modifier"), [((("light",),) * 2, -4), ((("light",), ("heavy",)), -6), ((("heavy",),), -4), ((), 0)]
)
def test_every_piece_counts(tags: tuple[tuple[str, ...], ...], modifier: int) -> None:
    areas = [piece((22.0, 12.0 + 3 * k), (4.0, 2.0), tag, name=f"area {k}") for k, tag in enumerate(tags)]
    assert value(facing_each_other(*areas)) == modifier


@covers("shooting/cover-cumulative")
def test_a_continuous_area_counts_once() -> None:
    touching = [piece((22.0, 12.0 + 2 * k), (4.0, 2.0), ("light",), name=f"area {k}") for k in range(3)]
    assert len(verdict(facing_each_other(*touching)).pieces) == 1
    apart = [piece((22.0, 12.0 + 3 * k), (4.0, 2.0), ("light",), name=f"area {k}") for k in range(2)]
    assert len(verdict(facing_each_other(*apart)).pieces) == 2
    mixed = [piece((22.0, 12.0 + 2 * k), (4.0, 2.0), (t,), name=f"area {k}") for k, t in enumerate(("light", "heavy"))]
    assert value(facing_each_other(*mixed)) == -6


@covers("shooting/cover-types")
@pytest.mark.parametrize(("left", "modifier"), [(24.6, -2), (24.62, 0)])
def test_a_target_has_the_cover_of_the_terrain_in_which_it_stands(left: float, modifier: int) -> None:
    assert value(facing_each_other(piece((left, 21.0), (4.0, 2.0), ("light",)))) == modifier


@covers("shooting/three-covers")
@pytest.mark.parametrize(("count", "closed"), [(2, False), (3, True)])
def test_three_pieces_bar_a_target(count: int, closed: bool) -> None:
    areas = [piece((22.0, 12.0 + 3 * k), (4.0, 2.0), ("light",), name=f"area {k}") for k in range(count)]
    assert verdict(facing_each_other(*areas)).closed is closed
    four = table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET]), pieces=areas, options={"four_covers": True})
    assert not verdict(four).closed


@covers("shooting/reclaim-cover", "shooting/three-covers")
@pytest.mark.parametrize(("y", "may"), [(11.6, True), (11.62, False)])
def test_a_piece_within_an_inch_is_reclaimed(y: float, may: bool) -> None:
    areas = [piece((22.0, y + 3 * k), (4.0, 2.0), ("heavy",), name=f"area {k}") for k in range(3)]
    position = facing_each_other(*areas)
    found = reclaimable(position.model(0), verdict(position).pieces)
    assert found == (("area 0",) if may else ())
    left = verdict(position, "area 0")
    assert not left.closed
    assert left.part.value == -8


@covers("shooting/reclaim-cover")
def test_models_cannot_be_reclaimed() -> None:
    position = table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET, (24.0, 11.5)]))
    assert [one.row for one in verdict(position).pieces] == [2]
    assert reclaimable(position.model(0), verdict(position).pieces) == ()


# ---------------------------------------------------------------- models in between


@covers("shooting/intervening-models")
@pytest.mark.parametrize(("x", "modifier"), [(24.59, -4), (24.61, 0)])
def test_a_model_whose_base_the_line_crosses_is_heavy_cover(x: float, modifier: int) -> None:
    assert value(table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET, (x, 16.0)]))) == modifier
    assert value(table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET]), squad(at=[(x, 16.0)]))) == modifier


@covers("shooting/intervening-models")
@pytest.mark.parametrize(("base", "modifier"), [("small", -4), ("medium", 0)])
def test_models_smaller_than_the_target_are_no_cover(base: str, modifier: int) -> None:
    position = table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET], base=base), squad(side=1, at=[(24.0, 16.0)]))
    assert value(position) == modifier


@covers("shooting/intervening-models")
@pytest.mark.parametrize(("y", "modifier"), [(12.2, 0), (12.22, -4)])
def test_squad_mates_beside_the_shooter_are_no_cover(y: float, modifier: int) -> None:
    position = table(squad(at=[SHOOTER, (24.0, y)]), squad(side=1, at=[TARGET]))
    assert cover(position.model(0), position.model(2)).part.value == modifier
    others = table(squad(at=[SHOOTER]), squad(side=1, at=[TARGET]), squad(at=[(24.0, y)]))
    assert value(others) == -4


@covers("shooting/intervening-models", "core/levels")
@pytest.mark.parametrize(
    ("heights", "y", "modifier"),
    [
        ((0.0, 0.0, 0.0), 16.0, -4),
        ((6.0, 6.0, 0.0), 16.0, 0),
        ((6.0, 6.0, 6.0), 16.0, -4),
        ((0.0, 0.0, 3.0), 16.0, 0),
        ((6.0, 0.0, 0.0), 20.0, 0),
        ((6.0, 0.0, 0.0), 20.2, -4),
    ],
)
def test_the_line_passes_over_heads_and_under_floors(
    heights: tuple[float, float, float], y: float, modifier: int
) -> None:
    shooter, target, other = heights
    between = squad(at=[(24.0, y)], z=other)
    position = table(squad(at=[SHOOTER], z=shooter), squad(side=1, at=[TARGET], z=target), between)
    assert value(position) == modifier


@covers("shooting/cover-types", "core/levels")
@pytest.mark.parametrize(
    ("heights", "y", "modifier"),
    [((0.0, 0.0), 15.0, -2), ((6.0, 6.0), 15.0, 0), ((6.0, 0.0), 17.9, 0), ((6.0, 0.0), 18.1, -2)],
)
def test_a_line_high_above_an_area_does_not_cross_it(heights: tuple[float, float], y: float, modifier: int) -> None:
    scrub = piece((22.0, y), (4.0, 2.0), ("light",), 1.0)
    shooter, target = heights
    ends = squad(at=[SHOOTER], z=shooter), squad(side=1, at=[TARGET], z=target)
    assert value(table(*ends, pieces=[scrub])) == modifier


# ---------------------------------------------------------------- abilities


@covers("abilities/sniper", "core/measuring")
@pytest.mark.parametrize(("y", "modifier"), [(14.0, -2), (15.0, -4)])
def test_the_piece_nearest_to_a_sniper_is_so_from_base_to_base(y: float, modifier: int) -> None:
    """The wall is 3.3 inches away; the base of the model on the line is 2.84 or 3.83."""
    barrier = piece((24.06, 13.9), (4.0, 0.2), ("solid", "linear", "light"), 1.25, name="wall")
    enemy, friend = squad(side=1, at=[TARGET]), squad(at=[(23.45, y)])
    position = table(squad(at=[SHOOTER], abilities=("sniper",)), enemy, friend, pieces=[barrier])
    assert len(verdict(position).pieces) == 2
    assert value(position) == modifier


@covers("abilities/sniper")
@pytest.mark.parametrize(("count", "modifier", "closed"), [(1, 0, False), (2, -4, False), (3, -6, True)])
def test_a_sniper_leaves_the_nearest_piece_out(count: int, modifier: int, closed: bool) -> None:
    tags = ("heavy",), ("heavy",), ("light",)
    areas = [piece((22.0, 12.0 + 3 * k), (4.0, 2.0), tags[k], name=f"area {k}") for k in range(count)]
    position = table(squad(at=[SHOOTER], abilities=("sniper",)), squad(side=1, at=[TARGET]), pieces=areas)
    assert value(position) == modifier
    assert verdict(position).closed is closed


@covers("vehicles/shoot-flyers")
@pytest.mark.parametrize(("kind", "modifier"), [("jetbike", -4), ("air-tank", -4), ("bike", -6)])
def test_flyers_ignore_light_cover(kind: str, modifier: int) -> None:
    tags = ("light",), ("heavy",)
    areas = [piece((22.0, 12.0 + 3 * k), (4.0, 2.0), tags[k], name=f"area {k}") for k in range(2)]
    flyer = squad(at=[SHOOTER], vehicle=vehicle(kind))
    assert value(table(flyer, squad(side=1, at=[TARGET]), pieces=areas)) == modifier
