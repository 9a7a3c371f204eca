"""Templates over levels, what is reclaimed for them, and shots at terrain from within (templates/*, core/levels)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.armoury.bursts import crossed_pieces
from campale.rulesets.wzr.armoury.weapons import gun_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.shooting.declaring import usable
from campale.rulesets.wzr.shooting.fire import Line
from campale.rulesets.wzr.shooting.pieces import pieces_in_reach
from campale.rulesets.wzr.shooting.plan import SHOOT
from campale.rulesets.wzr.shooting.templates import landing, need_at_point
from campale.rulesets.wzr.structures.pieces import ps_lost
from campale.table.terrain import Piece
from tests.rulesets.wzr.guns import gun, is_lost, offered, plan, prompt, shoot
from tests.rulesets.wzr.kit import piece, squad, table, vehicle

covers = pytest.mark.covers

TUBE = gun("tube", "heavy", area="SE", st=10)
GRENADE = gun("grenade", "grenade", range=None, by_strength=True, area="SE")
FLAMER = gun("flamer", "special", range=None, area="FP", type="fire", st=10)
SHOTGUN = gun("shotgun", "special", range=None, area="SG", rof=2)
HOUSE = piece((20.0, 20.0), (8.0, 8.0), ("intact",), 6.0, floors=(3.0, 6.0), name="house")
WINDOW = piece((23.0, 19.9), (2.0, 0.2), ("window",), 6.0, name="house:window")


def duel(*enemies: tuple[float, float], weapon: Any, pieces: Any = (), z: float | None = None, **own: Any) -> Position:
    return table(
        squad(at=[(24.0, 10.0)], weapons=(weapon,), **own), squad(side=1, at=list(enemies), z=z), pieces=pieces
    )


@covers("templates/area-attack", "core/levels")
@pytest.mark.parametrize("z", [0.0, 3.0, 6.0])
def test_a_template_lies_on_the_level_of_its_target(z: float) -> None:
    position = duel((24.0, 21.0), weapon=TUBE, pieces=[HOUSE, WINDOW], z=z)
    assert shoot(position, "tube", 1, dice="2 | 13").rolls == ["to-hit", "armour"]
    assert is_lost(position, 1)


@covers("templates/deviation", "core/levels")
@pytest.mark.parametrize(
    ("at", "meant", "z"), [((24.0, 21.0), 6.0, 6.0), ((24.0, 21.0), 5.9, 3.0), ((24.0, 19.0), 6.0, 0.0)]
)
def test_a_template_that_deviates_comes_no_higher_and_falls_past_the_edge_of_a_roof(
    at: tuple[float, float], meant: float, z: float
) -> None:
    assert landing(duel((24.0, 21.0), weapon=TUBE, pieces=[HOUSE]), at, meant).z == z


@covers("armoury/grenade-fumble", "core/levels")
def test_a_grenade_comes_back_on_whoever_has_thrown_it_from_a_roof() -> None:
    thrower = squad(at=[(24.0, 21.0)], weapons=(GRENADE,), z=6.0, facing=180.0)
    position = table(thrower, squad(side=1, at=[(24.0, 14.0)], z=0.0), pieces=[HOUSE])
    assert shoot(position, "grenade", 1, dice="20 | 13").rolls == ["to-hit", "armour"]
    assert is_lost(position, 0)


@covers("armoury/grenade-fumble", "structures/template-target")
def test_a_grenade_thrown_at_terrain_deviates_on_a_20() -> None:
    wall = piece((22.0, 16.0), (4.0, 0.2), ("solid", "linear", "row-wall"), 1.0, name="wall")
    heavy = gun("grenade", "grenade", range=None, by_strength=True, area="SE", avv=5)
    position = duel((24.0, 20.0), weapon=heavy, pieces=[wall])
    played = shoot(position, "grenade", "wall", dice="20 | 5 4 | 20")
    assert played.rolls == ["to-hit", "deviation-direction", "deviation-distance", "av-test"]
    assert ps_lost(position, "wall") == 1


# ---------------------------------------------------------------- what is reclaimed


@covers("armoury/grenade-reclaim", "shooting/cover-cumulative")
def test_at_a_point_the_whole_of_a_continuous_area_is_reclaimed() -> None:
    parts = [piece((22.0, 15.0 + 2 * k), (4.0, 2.0), ("light",), name=f"area {k}") for k in range(2)]
    position = duel((40.0, 40.0), weapon=GRENADE, pieces=parts)
    assert offered(position, "grenade", "point", [24.0, 18.0]) == ["area 0", "none"]
    for name, value in (("area 0", 12), ("none", 10)):
        reclaimed = plan(position, "grenade", "point", [24.0, 18.0], name).reclaimed
        assert need_at_point(gun_of(position.model(0), "grenade"), (24.0, 18.0), reclaimed).number == value


@covers("shooting/reclaim-cover", "templates/shotgun")
@pytest.mark.parametrize(("y", "first"), [(11.6, "reclaim"), (11.62, "lay-wedge")])
def test_whoever_lays_a_shotgun_reclaims_the_piece_beside_him(y: float, first: str) -> None:
    woods = piece((22.0, y), (4.0, 1.0), ("light",), name="woods")
    position = duel((24.0, 15.0), weapon=SHOTGUN, pieces=[woods])
    assert prompt(position, "shotgun") == first
    if first == "reclaim":
        assert shoot(position, "shotgun", "woods", [24.0, 15.0], dice="12 13 | 1").rolls == ["to-hit", "armour"]
        assert shoot(position, "shotgun", "none", [24.0, 15.0], dice="11 11").rolls == ["to-hit"]
    else:
        assert shoot(position, "shotgun", [24.0, 15.0], dice="11 11").rolls == ["to-hit"]


@covers("shooting/reclaim-cover", "templates/flame", "shooting/three-covers")
@pytest.mark.parametrize(("count", "prompts"), [(2, "lay-wedge"), (3, "lay-wedge"), (4, "")])
def test_a_flame_reaches_past_a_third_piece_that_is_reclaimed(count: int, prompts: str) -> None:
    areas = [piece((22.0, 11.0 + k), (4.0, 0.8), (("light", "heavy")[k % 2],), name=f"a{k}") for k in range(count)]
    position = duel((24.0, 16.0), weapon=FLAMER, pieces=areas)
    assert bool(usable(position.model(0), SHOOT)) is bool(prompts)
    if prompts:
        assert prompt(position, "flamer") == prompts
        assert plan(position, "flamer", [24.0, 16.0]).reclaimed == ("a0" if count == 3 else "none")


# ---------------------------------------------------------------- a point, and terrain


@covers("starter-cards/sandstorm", "shooting/long-range-option", "armoury/grenade-point")
@pytest.mark.parametrize(("y", "value"), [(20.6, 12), (20.61, 10)])
def test_how_far_a_point_is_counts_from_the_edge_of_the_base(y: float, value: int) -> None:
    position = table(
        squad(at=[(24.0, 10.0)], st=20, weapons=(GRENADE,)),
        squad(side=1, at=[(40.0, 40.0)]),
        options={"long_range": True},
    )
    assert need_at_point(gun_of(position.model(0), "grenade"), (24.0, y), "none").number == value


@covers("starter-cards/steady-aim", "structures/hit-shooting")
@pytest.mark.parametrize(("at", "marked"), [("wall", 0), (1, 1)])
def test_a_shot_at_terrain_is_no_test_on_rs(at: Any, marked: int) -> None:
    wall = piece((26.0, 16.0), (4.0, 0.2), ("solid", "linear", "row-wall"), 1.0, name="wall")
    position = duel((24.0, 20.0), weapon=gun("cannon", avv=5), pieces=[wall])
    shoot(position, "cannon", at, dice="17")
    assert position.model(0).marks(marks.SHOT_BEFORE) == marked


@covers("structures/line-of-sight", "structures/attack-target")
@pytest.mark.parametrize(("y", "ways", "found"), [(21.69, 1, True), (21.71, 1, False), (21.0, 0, False)])
def test_from_within_a_house_terrain_is_seen_through_an_access_point(y: float, ways: int, found: bool) -> None:
    wall = piece((22.0, 14.0), (4.0, 0.2), ("solid", "linear", "row-wall"), 1.0, name="wall")
    pieces: list[Piece] = [HOUSE, wall, WINDOW][: 2 + ways]
    own = squad(at=[(24.0, y)], facing=180.0, weapons=(gun("cannon", avv=5),))
    position = table(own, squad(side=1, at=[(40.0, 40.0)]), pieces=pieces)
    assert bool([name for name in pieces_in_reach(gun_of(position.model(0), "cannon")) if name == "wall"]) is found


@covers("templates/flame-cover", "shooting/intervening-models", "armoury/grenade-incendiary-effect")
@pytest.mark.parametrize(("x", "value"), [(24.5, 6), (26.0, 12)])
def test_a_model_between_is_a_piece_of_cover_that_halves_armour(x: float, value: int) -> None:
    """The friend between passes his own test."""
    position = table(
        squad(at=[(24.0, 10.0)], weapons=(FLAMER,)), squad(side=1, at=[(24.0, 16.0)]), squad(1, 0, (x, 13.5), a=19)
    )
    struck = x < 26.0
    played = shoot(position, "flamer", [24.0, 16.0], dice=f"{value + 1}" + (" 19" if struck else ""))
    assert played.rolls == ["armour"] * (1 + struck)
    assert is_lost(position, 1)


@covers("armoury/burst-level", "armoury/burst-hits", "core/levels")
@pytest.mark.parametrize(
    ("z", "height", "crossed"), [(0.0, 0.0, 1), (3.0, 3.0, 0), (3.0, 3.1, 1), (0.99, 0.0, 1), (1.0, 0.0, 0)]
)
def test_a_burst_from_above_does_not_cross_what_ends_below_the_shooter(z: float, height: float, crossed: int) -> None:
    trees = piece((22.0, 14.0), (4.0, 2.0), ("heavy", "row-trees"), height, name="trees")
    lance = gun("lance", "burst", range=18.0, avv=4)
    position = table(
        squad(at=[(24.0, 10.0)], weapons=(lance,), z=z), squad(side=1, at=[(24.0, 20.0)], z=z), pieces=[trees]
    )
    assert len(crossed_pieces(position, Line(0, 1, 18.0, 5))) == crossed


@covers("armoury/enforcer-headshot", "core/critical")
@pytest.mark.parametrize(("has_locations", "lost"), [(True, 1), (False, 2)])
def test_a_headshot_is_for_wound_effects_and_not_for_vehicles(has_locations: bool, lost: int) -> None:
    pistol = gun("enforcer", "pistol", ("headshot",))
    how: dict[str, Any] = {"vehicle": vehicle(ps=3)} if has_locations else {"w": 3}
    position = table(squad(at=[(24.0, 10.0)], weapons=(pistol,)), squad(side=1, at=[(24.0, 20.0)], **how))
    shoot(position, "enforcer", 1, dice="1 | 3" if has_locations else "1")
    marked = position.model(1).marks("ps-lost-pilot" if has_locations else marks.WOUNDS)
    assert marked == lost
