"""Chapter "vehicles": Ram (vehicles/ram*, vehicles/no-ram)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.vehicles import ram
from campale.rulesets.wzr.vehicles.locations import ps_left
from tests.rulesets.wzr.kit import finish, piece, play, squad, table, vehicle

covers = pytest.mark.covers


def tank(kind: str = "tank", at: tuple[float, float] = (24.0, 10.0), side: int = 0, **changes: Any) -> Any:
    hull = {"tank": (3.0, 5.0), "air-tank": (3.0, 4.0), "biped": (3.0, 3.0)}.get(kind)
    own = {"hull": hull} if hull else {"base": "medium" if kind in ("bike", "jetbike") else "large"}
    return squad(1, side, at, vehicle=vehicle(kind, av=12, ps=2), **{"m": 6, **own, **changes})


def drive_at(position: Position, x: float, y: float, dice: str = "") -> Any:
    play(ram.ram_begins(position, 0, x, y), position=position)
    return finish(position, dice, accepting=True)


@covers("vehicles/ram", "vehicles/tank-engaged")
@pytest.mark.parametrize("kind", ["tank", "biped", "walker", "air-tank", "bike", "jetbike"])
def test_only_tanks_and_bipeds_ram_and_no_one_engaged(kind: str) -> None:
    position = table(tank(kind), squad(1, 1, (24.0, 30.0)))
    position.model(0).mark(marks.AP, 3)
    assert (cannot_take(position.model(0), "ram") is None) is (kind in ("tank", "biped"))
    position.model(0).mark(marks.BEGAN_ENGAGED, 1)
    assert cannot_take(position.model(0), "ram") is not None


@covers("vehicles/ram", "vehicles/attack-move")
def test_a_point_within_twice_m_after_a_turn_of_90_degrees() -> None:
    position = table(tank(at=(24.0, 20.0)))
    question = ram.fields(position.model(0), [])
    assert question is not None
    assert question.refusal([24.0, 32.0]) is None
    assert question.refusal([24.0, 32.1]).rule == "vehicles/ram"  # type: ignore[union-attr]
    assert question.refusal([34.0, 20.0]) is None
    assert question.refusal([34.0, 19.0]).rule == "vehicles/ram"  # type: ignore[union-attr]
    assert question.refusal([24.0, 49.0]) is not None


@covers("vehicles/ram", "movement/basic")
def test_the_point_is_on_the_table() -> None:
    question = ram.fields(table(tank(at=(24.0, 40.0))).model(0), [])
    assert question is not None
    assert question.refusal([24.0, 48.0]) is None
    assert question.refusal([24.0, 48.1]).rule == "movement/basic"  # type: ignore[union-attr]


@covers("vehicles/ram", "vehicles/rotation", "movement/basic")
@pytest.mark.parametrize(("y", "turns"), [(45.08, True), (45.1, False)])
def test_its_hull_stays_on_the_table_while_it_turns(y: float, turns: bool) -> None:
    """Half the diagonal of the hull is 2.915 inches."""
    question = ram.fields(table(tank(at=(24.0, y))).model(0), [])
    assert question is not None
    refusal = question.refusal([34.0, y])
    assert (refusal is None) is turns
    assert refusal is None or refusal.rule == "movement/basic"
    assert question.refusal([24.0, 47.0]) is None


@covers("vehicles/ram", "vehicles/max-distance")
def test_it_drives_to_the_point_and_that_counts_as_its_movement() -> None:
    position = table(tank())
    drive_at(position, 24.0, 20.0)
    model = position.model(0)
    assert (model.at, model.note(marks.MOVED)) == ((24.0, 20.0), 10.0)


@covers("vehicles/ram-end", "actions/aim")
@pytest.mark.parametrize(("y", "aimed"), [(20.0, 0), (10.0, 1)])
def test_whoever_has_rammed_has_lost_its_aim_by_moving(y: float, aimed: int) -> None:
    position = table(tank())
    position.model(0).mark(marks.AIMED, 1)
    drive_at(position, 24.0, y)
    assert position.model(0).marks(marks.AIMED) == aimed


@covers("vehicles/ram-end", "movement/obstacles")
@pytest.mark.parametrize(("height", "end"), [(1.0, 20.0), (1.1, 12.5)])
def test_anything_higher_than_an_inch_stops_it(height: float, end: float) -> None:
    """The wall begins at y 15; half the hull is 2.5 inches long."""
    wall = piece((22.0, 15.0), (4.0, 0.5), ("light", "solid", "linear", "row-wall"), height)
    position = table(tank(), pieces=[wall])
    drive_at(position, 24.0, 20.0)
    assert position.model(0).y == pytest.approx(end, abs=0.002)


@covers("vehicles/ram-models", "core/friendly-fire")
@pytest.mark.parametrize("side", [0, 1])
def test_a_con_test_and_whoever_passes_steps_aside(side: int) -> None:
    position = table(tank(), squad(1, side, (25.0, 17.0)))
    played = drive_at(position, 24.0, 20.0, "12")
    other = position.model(1)
    assert other.is_on_table
    assert position.model(0).at == (24.0, 20.0)
    assert abs(other.x - 24.0) >= 1.5 + 0.6 - 0.01
    assert played.position is position


@covers("vehicles/ram-models")
@pytest.mark.parametrize(("armour", "lost"), [("18", False), ("19", True)])
def test_whoever_fails_is_struck_at_the_inches_driven(armour: str, lost: bool) -> None:
    """The base is met after 4.0 inches: St 4 against A 12 is passed on 18."""
    position = table(tank(), squad(1, 1, (24.0, 17.1)))
    drive_at(position, 24.0, 20.0, f"13 {armour}")
    assert position.model(1).is_on_table is not lost
    assert position.model(0).at == (24.0, 20.0)


@covers("vehicles/ram-vehicles", "vehicles/ram-end", "core/rounding")
@pytest.mark.parametrize(("far", "hits"), [(5.9, 0), (6.0, 1), (11.9, 1)])
def test_a_collision_is_a_hit_for_every_6_inches(far: float, hits: int) -> None:
    position = table(tank("tank"), tank("tank", (24.0, 15.0 + far), 1))
    dice = {0: "", 5.9: "", 6.0: "1 10 1 11", 11.9: "1 7 1 9"}[far if hits else 0]
    drive_at(position, 24.0, 22.0, dice)
    assert abs(position.model(0).y - (10.0 + far)) < 0.01
    assert [ps_left(position.model(row), "pilot") for row in (0, 1)] == [2 - hits, 2 - hits]


@covers("vehicles/ram-vehicles")
def test_half_the_inches_on_the_struck_and_a_third_on_the_rammer() -> None:
    """12.4 inches: twice AVV 6 on the one, 4 on the other; from behind with its Rear modifier."""
    position = table(tank(m=8), tank("tank", (24.0, 40.0), 1))
    frames = ram.collision(position.model(0), position.model(1), 12.4)
    from campale.rulesets.wzr.wounds.hits import hit_of

    hits = [hit_of(one) for one in frames[0][1:]]
    assert [(one.target, one.avv, one.rear) for one in hits] == [
        (1, 6, False),
        (1, 6, False),
        (0, 4, False),
        (0, 4, False),
    ]


@covers("vehicles/no-ram")
@pytest.mark.parametrize(("to", "end"), [(22.0, 22.0), (15.0, 13.7)])
def test_it_passes_under_a_jetbike_and_stops_short_of_it(to: float, end: float) -> None:
    """Its front, 2.5 inches ahead, may not end under a base of 0.8 at y 17."""
    position = table(tank(), tank("jetbike", (24.0, 17.0), 1))
    drive_at(position, 24.0, to)
    assert abs(position.model(0).y - end) <= 0.06
    assert position.model(1).at == (24.0, 17.0)


@covers("vehicles/ram-engaged")
def test_an_engaged_model_is_shifted_so_that_it_stays_engaged() -> None:
    position = table(tank(), squad(1, 1, (24.0, 17.0)), squad(1, 0, (26.4, 17.0), base="medium"))
    drive_at(position, 24.0, 22.0, "12")
    from campale.rulesets.wzr.close_combat.engaged import engaged_with

    assert [m.row for m in engaged_with(position.model(1))] == [2]


@covers("vehicles/ram-end", "movement/obstacles")
@pytest.mark.parametrize(("height", "y"), [(1.0, 20.0), (1.1, 15.5)])
def test_a_wall_higher_than_an_inch_stops_it(height: float, y: float) -> None:
    wall = piece((20, 18), (8, 0.5), ("linear",), height)
    position = table(tank(), pieces=[wall])
    drive_at(position, 24.0, 20.0)
    assert position.model(0).y == pytest.approx(y, abs=0.01)
