"""Trample and Thunder Charge: runs over smaller bases."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.close_combat.trampling import fields, frames
from campale.rulesets.wzr.turn.menu import cannot_take
from tests.rulesets.wzr.kit import Played, finish, piece, squad, table, vehicle
from tests.rulesets.wzr.melee import begin, facing_off, gone, needs

covers = pytest.mark.covers

TRAMPLE, THUNDER = "trample", "thunder-charge"


def runs(position: Position, y: float, dice: str = "", name: str = TRAMPLE, answers: Any = ()) -> Played:
    """The first model runs straight up from (20, 10)."""
    model = position.model(0)
    question = fields(name, model, [])
    assert question is not None
    refusal = question.refusal([20.0, y])
    assert refusal is None, refusal
    push(position, *frames(name, model, [question.understood([20.0, y])]))
    return finish(position, dice, answers)


def before(*others: dict[str, Any], base: str = "medium", **more: Any) -> Position:
    """A runner of St 10 at (20, 10), and others on its way."""
    return table(squad(at=(20, 10), base=base), *(squad(**{"side": 1, **one}) for one in others), **more)


def refusal(position: Position, name: str = TRAMPLE) -> str:
    found = cannot_take(position.model(0), name)
    return "" if found is None else found.rule


@covers("close-combat/trample-move", "movement/distance-cap")
@pytest.mark.parametrize(("y", "is_so"), [(20.0, True), (20.01, False), (10.0, False), (-1.0, False)])
def test_a_point_within_twice_m(y: float, is_so: bool) -> None:
    position = before({"at": (40, 40)})
    question = fields(TRAMPLE, position.model(0), [])
    assert question is not None
    assert (question.refusal([20.0, y]) is None) is is_so


@covers("close-combat/trample-move", "movement/basic")
@pytest.mark.parametrize(("y", "rule"), [(0.0, ""), (-0.1, "movement/basic")])
def test_no_point_off_the_table(y: float, rule: str) -> None:
    question = fields(TRAMPLE, table(squad(at=(20, 4), base="medium"), squad(side=1, at=(40, 40))).model(0), [])
    assert question is not None
    found = question.refusal([20.0, y])
    assert ("" if found is None else found.rule) == rule


@covers("close-combat/trample-move", "close-combat/special-by-base", "turn/action-once")
def test_unengaged_and_without_any_other_movement() -> None:
    position = before({"at": (40, 40)})
    begin(position.model(0))
    assert (refusal(position), refusal(position, THUNDER)) == ("", "close-combat/special-by-base")
    position.model(0).jot(marks.DONE, ("walk",))
    assert refusal(position) == "turn/action-once"
    position.model(0).jot(marks.DONE, (TRAMPLE,))
    assert refusal(position, "walk") == "turn/action-once"
    assert refusal(position, "combat") == "close-combat/special-general"
    engaged = facing_off({"base": "medium"})
    begin(engaged.model(0))
    assert refusal(engaged) == "close-combat/engaged-ap"


@covers("close-combat/trample-move", "actions/aim", "movement/rotation")
def test_the_run_spoils_aim_and_faces_along_its_line() -> None:
    position = before({"at": (40, 40)})
    model = position.model(0)
    model.mark(marks.AIMED, 1)
    runs(position, 4.0)
    assert (model.at, model.facing, model.marks(marks.AIMED), model.note(marks.MOVED)) == ((20.0, 4.0), 180.0, 0, 6.0)


@covers("close-combat/trample-hits", "core/automatic-hit", "core/friendly-fire", "core/removal")
def test_small_bases_are_hit_in_the_order_of_contact_friends_too() -> None:
    position = table(
        squad(2, at=[(20, 10), (20, 13)], of=[{"base": "medium"}]),
        squad(side=1, at=(20.5, 16)),
        squad(side=1, at=(23, 14)),
    )
    played = runs(position, 19.0, dice="13 13", answers=[])
    assert (gone(position), position.model(0).at) == ([1, 2], (20.0, 19.0))
    assert [e.values["target"] for e in played.events if e.kind == "run-into"] == [1, 2]
    assert needs(played, "armour") == [12, 12]


@covers("close-combat/trample-hits", "abilities/brutal", "morale/pinning-test")
@pytest.mark.parametrize(("dice", "saves"), [("13 13 14", 2), ("13 12 14", 2), ("12", 1)])
def test_a_brutal_run_over_several_of_a_squad_causes_one_pinning_test_at_its_end(dice: str, saves: int) -> None:
    enemies = squad(3, 1, [(40, 40), (20, 13), (20, 16)])
    position = table(squad(at=(20, 10), base="medium", abilities=("brutal",)), enemies)
    played = runs(position, 19.0, dice=dice)
    assert played.rolls == ["armour"] * saves + ["pinning"] * (dice != "12")
    assert not position.model(1).marks(marks.PINNED)


@covers("close-combat/trample-stop", "close-combat/trample-hits")
@pytest.mark.parametrize(("die", "end"), [(13, (20.0, 19.0)), (12, (20.0, 13.6))])
def test_a_survivor_ends_the_run_in_contact_and_engages(die: int, end: tuple[float, float]) -> None:
    position = before({"at": (20, 15)}, {"at": (40, 40)})
    runs(position, 19.0, dice=str(die))
    model = position.model(0)
    assert (round(model.x, 2), round(model.y, 2)) == end
    assert is_engaged(model) is (die == 12)


@covers("close-combat/trample-stop")
@pytest.mark.parametrize(
    "other",
    [
        {"base": "medium"},
        {"base": "large"},
        {"base": "medium", "side": 0},
        {"vehicle": vehicle("bike"), "base": "small"},
    ],
)
def test_medium_and_large_bases_and_vehicles_stop_it_unhurt(other: dict[str, Any]) -> None:
    position = before({"at": (20, 15), **other}, {"at": (40, 40)})
    assert runs(position, 19.0).rolls == []
    radius = position.model(1).profile.shape.radius
    assert position.model(0).y == pytest.approx(15 - radius - 0.8, abs=0.01)


@covers("close-combat/trample-stop", "movement/impassable")
def test_impassable_ground_stops_it() -> None:
    position = before({"at": (40, 40)}, pieces=[piece((18, 14), (4, 4), ("impassable",))])
    runs(position, 19.0)
    assert position.model(0).y == pytest.approx(13.2, abs=0.01)


@covers("close-combat/trample-move")
def test_through_reaches_on_the_way_it_neither_engages_nor_is_struck() -> None:
    position = before({"at": (22.5, 14), "base": "large"})
    played = runs(position, 19.0)
    assert (played.rolls, played.prompts, position.model(0).at) == ([], [], (20.0, 19.0))


@covers("close-combat/thunder-charge")
@pytest.mark.parametrize(
    ("other", "rolls", "y"),
    [
        ({"base": "small"}, ["armour"], 19.0),
        ({"base": "medium"}, ["armour"], 19.0),
        ({"base": "large"}, [], 13.0),
        ({"base": "medium", "vehicle": vehicle("bike")}, [], 13.2),
    ],
)
def test_a_thunder_charge_strikes_small_and_medium_bases(other: dict[str, Any], rolls: list[str], y: float) -> None:
    position = before({"at": (20, 15), **other}, {"at": (40, 40)}, base="large")
    assert runs(position, 19.0, dice="13" if rolls else "", name=THUNDER).rolls == rolls
    assert position.model(0).y == pytest.approx(y, abs=0.01)


@covers("close-combat/thunder-charge", "close-combat/trample-stop")
def test_a_survivor_stops_a_thunder_charge() -> None:
    position = before({"at": (20, 15), "base": "medium"}, {"at": (40, 40)}, base="large")
    runs(position, 19.0, dice="12", name=THUNDER)
    assert position.model(0).y == pytest.approx(13.2, abs=0.01)


@covers("close-combat/trample-hits")
def test_whoever_it_leaves_behind_is_not_touched() -> None:
    position = table(squad(2, at=[(20, 10), (20, 8.6)], of=[{"base": "medium"}]), squad(side=1, at=(40, 40)))
    assert runs(position, 19.0).rolls == []


@covers("close-combat/trample-stop", "movement/obstacles")
@pytest.mark.parametrize(("height", "y"), [(1.0, 18.0), (1.1, 13.2), (3.0, 13.2), (3.1, 13.2)])
def test_what_would_have_to_be_climbed_stops_it(height: float, y: float) -> None:
    wall = piece((15, 14), (10, 0.5), ("linear",), height)
    position = before({"at": (40, 40)}, m=6, pieces=[wall])
    runs(position, 18.0)
    assert position.model(0).y == pytest.approx(y, abs=0.01)


@covers("close-combat/trample-stop", "structures/intact", "core/levels")
def test_on_a_roof_the_edge_stops_it() -> None:
    roof = piece((18, 8), (4, 6), ("intact",), 3.0, floors=(3.0,))
    position = table(squad(at=(20, 10), base="medium", z=3.0), squad(side=1, at=(40, 40)), pieces=[roof])
    runs(position, 18.0)
    model = position.model(0)
    assert model.y == pytest.approx(13.15, abs=0.06)
    assert model.z == 3.0


@covers("close-combat/trample-move", "squads/coherency")
@pytest.mark.parametrize(("y", "is_so"), [(16.0, True), (16.1, False)])
def test_it_ends_in_coherency(y: float, is_so: bool) -> None:
    """Half of LD 12 between the bases; the Commander stands behind the runner."""
    position = table(squad(2, at=[(20.0, 8.4), (20.0, 10.0)], base="medium", ld=12), squad(side=1, at=(40, 40)))
    question = fields(TRAMPLE, position.model(1), [])
    assert question is not None
    assert (question.refusal([20.0, y]) is None) is is_so
