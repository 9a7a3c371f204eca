"""Cases in which the steps of a turn, the orders and the states of units meet."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.odds import first_suggestion
from campale.mechanics.frames import push, stack
from campale.mechanics.script_form import as_answered
from campale.referee.position import Position
from campale.rulesets.e3m.armies.staging import profile
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.fire.declaring import declaration
from campale.rulesets.e3m.fire.kinds import OVERRUNNING, PREPARATORY, can_fire_close
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.fire.volley import fire
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.movement.group_moves import may_act_in_movement
from campale.rulesets.e3m.movement.routes import Route, begin_route, packed
from campale.rulesets.e3m.vehicles.damage import put_out
from campale.rulesets.e3m.vehicles.path_assault import path_assault
from campale.rulesets.e3m.vehicles.stops import forced_stop, may_assault_passing, stops
from campale.table.paths import Path
from tests.rulesets.e3m.kit import PROPOSAL, finish, left, model, piece, play, squad, table, unit

covers = pytest.mark.covers


# ---------------------------------------------------------------- a vehicle on its retreat


@covers("vehicles/path-assault", "vehicles/assault-outside-movement", "orders/retreat-terrain")
@pytest.mark.parametrize(
    ("kind", "phase", "stop"),
    [("drive", "movement", "breakdown"), ("retreat", "movement", "path-assault"), ("retreat", "preparatory", None)],
)
def test_a_retreat_in_step_4_draws_assaults_in_passing_and_no_dice_for_the_ground(
    kind: str, phase: str, stop: str | None
) -> None:
    tank = squad("gun-tank", at=[(20, 30)], order="retreat", facing=180.0)
    hole = [piece("craters", 20, 22)]
    position = table(tank, squad("levy", at=[(26, 12)], side=1), pieces=hole, phase=phase)
    way = [(model(position, 0), Path(((20, 30), (20, 8)), 180.0, (0.0, 0.0)))]
    found = forced_stop(kind, unit(position, 0), way, 0.0, ())
    assert (None if found is None else found.kind) == stop


@covers("vehicles/path-assault", "base-units/great-creatures", "hierarchy/attach-detach")
@pytest.mark.parametrize(("near", "taking"), [(26, [2, 3]), (40, [])])
def test_a_great_creature_in_a_unit_keeps_its_infantry_from_no_assault(near: float, taking: list[int]) -> None:
    """The queen is near the route in both cases, but she is no infantry."""
    brood = squad("spitter", at=[(near, 20), (near, 21.25)], side=1)
    position = table(squad("gun-tank", at=[(20, 10)]), squad("brood-queen", at=[(26, 24)], side=1), brood)
    position.now["phase"] = "movement"
    position.join(model(position, 1), unit(position, 2))
    route = Route(0, "drive", "drive", (packed(0, Path(((20, 10), (20, 40)), 0.0, (0.0, 0.0))),))
    found = stops(position, unit(position, 0), [(model(position, 0), route.path_of(0))])
    assert [stop.kind for stop in found] == (["path-assault"] if taking else [])
    answers = [PROPOSAL, PROPOSAL] if taking else []
    played = play(path_assault(position, 0, 2, *route), answers=answers, position=position)
    asked: list[Any] = [one for one in played.questions if one.prompt == "path-assault"]
    assert [form.field([]).about["models"] for form in asked] == ([taking] if taking else [])


# ---------------------------------------------------------------- tests in an overrun


@covers("base-weapons/pinning", "vehicles/overrun-morale", "fire/quarter-loss-test")
@pytest.mark.parametrize(("men", "pinned"), [(5, True), (4, False)])
def test_pinned_by_the_fire_of_an_overrun_only_if_no_test_for_a_quarter_awaits_them(men: int, pinned: bool) -> None:
    """One of five is no quarter: they test at once. One of four is: that test comes when the overrun is over."""
    tank = squad("gun-tank", at=[(20, 20)], order="assault")
    guns = [{"weapon": "autocannon", "side": "turret", "is_main": True}, "sniper-rifle"]
    tank.profiles[0] = profile({"profile": "gun-tank", "weapons": guns})
    position = table(tank, squad("brawler", men, side=1, at=(18, 26)), phase="movement")
    play(fire(unit(position, 0), OVERRUNNING, (1,)), "2 | 4", [[("unit", 1), ("all", (1,))]], position, accepting=True)
    assert left(position, 1) == men - 1
    assert [frame[0] for frame in stack(position)] == ["pinning-tests"]
    played = finish(position, "6 6" if pinned else "")
    assert played.rolls == (["pinning"] if pinned else [])
    assert unit(position, 1).marks("forced") == int(pinned)
    assert not unit(position, 1).marks("tested")


# ---------------------------------------------------------------- out of a wreck


@covers("base-vehicle/passenger-casualties", "orders/retreat-is-rout")
@pytest.mark.parametrize(("order", "routed"), [("fire", False), ("retreat", True)])
def test_a_wreck_does_not_end_the_rout_of_those_whom_it_puts_out(order: str, routed: bool) -> None:
    """They lie still for the turn, in step 4 too, but have to rally as before."""
    riders = squad("scout", 2, order=order, aboard=0, marks={"had-retreat": 1})
    position = table(squad("carrier", at=(36, 20)), riders, phase="movement")
    play(put_out(model(position, 0), [model(position, row) for row in (1, 2)]), "1 1")
    men = unit(position, 1)
    assert (is_routed(men), men.marks("forced")) == (routed, 1)
    assert not may_act_in_movement(men)
    men.mark("forced", 0)
    assert may_act_in_movement(men) is routed


# ---------------------------------------------------------------- equal weapons, fired in different ways


def declared(lines: dict[tuple[int, ...], Any], at: dict[int, str]) -> Volley | None:
    """Two crews with missile launchers; ``lines``: how these models fire; ``at``: at what each crew fires."""
    crews = squad("line-warden", 4, at=(20, 10), special=["missile-launcher", "missile-launcher"])
    position = table(crews, squad("levy", 3, side=1, at=(20, 30)), squad("gun-tank", at=[(26, 40)], side=1))

    def policy(question: Any) -> Any:
        if question.prompt == "weapon-line":
            return lines[tuple(question.about["models"])]
        return at[question.about["model"]] if question.prompt == "heavy-at" else first_suggestion(question)

    return as_answered(lambda: declaration(unit(position, 0), PREPARATORY, ()), policy)


@covers("fire/eligible-shooters", "fire/heavy-weapon-target")
def test_two_equal_weapons_may_fire_each_in_its_own_way_at_its_own_target() -> None:
    """One crew fires the blast into the area, the other the strong missile at the tank."""
    volley = declared({(2, 3): "each", (2,): (0, 0), (3,): (0, 1)}, {2: "area", 3: "vehicle"})
    assert volley is not None
    assert [(arm.model.row, arm.number) for arm in volley.arms if arm.model.row > 1] == [(2, 0)]
    assert [(arm.model.row, arm.number) for arm, _ in volley.apart] == [(3, 1)]


@covers("fire/eligible-shooters")
def test_or_both_in_the_same_way_with_one_answer() -> None:
    volley = declared({(2, 3): (0, 1)}, {2: "area", 3: "area"})
    assert volley is not None
    assert [(arm.model.row, arm.number) for arm in volley.arms if arm.model.row > 1] == [(2, 1), (3, 1)]


# ---------------------------------------------------------------- special models who outlive their unit


def with_two_heroes(**more: Any) -> Position:
    """A levy in the open with a lieutenant and a captain who have joined him."""
    position = table(
        squad("levy", at=[(20, 20)], order="assault", **more),
        squad("lieutenant", at=[(22, 20)]),
        squad("captain", at=[(24, 20)]),
        squad("scout", at=[(20, 24)], side=1, order="assault"),
        phase="assault",
    )
    for row in (1, 2):
        position.join(model(position, row), unit(position, 0))
        model(position, row).mark("unit-leader", 0)
    return position


@covers("base-characters/attached", "assault/declaration")
def test_all_who_outlive_a_unit_stand_in_its_place_in_assaults() -> None:
    position = with_two_heroes()
    position.declare("assaults", ((0, (3,)), (3, (0,))))
    lose_model(model(position, 0), "fire")
    assert position.declared["assaults"] == ((1, (3,)), (2, (3,)), (3, (1, 2)))


@covers("base-characters/attached", "fire/opportunity-aftermath")
def test_on_a_route_each_of_them_goes_his_own_way() -> None:
    position = with_two_heroes()
    begin_route(unit(position, 0), "normal", "open", {row: way(position, row, 6.0) for row in (0, 1, 2)})
    lose_model(model(position, 0), "fire")
    finish(position)
    assert [model(position, row).at for row in (1, 2)] == [(22, 26), (24, 26)]
    assert [unit(position, row).marks("moved") for row in (1, 2)] == [1, 1]


def way(position: Position, row: int, far: float) -> Path:
    x, y = model(position, row).at
    return Path(((x, y), (x, y + far)), 0.0)


@covers("base-characters/attached", "assault/defender-loses", "base-morale/failure")
@pytest.mark.parametrize("falls", [True, False])
def test_the_test_for_a_lost_melee_falls_to_those_who_are_left_on_the_way_back(falls: bool) -> None:
    position = with_two_heroes()
    push(position, ("lost-test", 0, 0))
    if falls:
        lose_model(model(position, 0), "fire")
    played = finish(position, "3 3 | 3 3" if falls else "3 3")
    assert played.rolls == ["melee-lost"] * (2 if falls else 1)


@covers("base-characters/attached", "vehicles/overrun-failed", "vehicles/overrun-continue")
@pytest.mark.parametrize(("at", "back"), [((25, 25), True), ((20.5, 25), False)])
def test_who_is_left_of_a_crushed_unit_goes_back_in_its_place(at: tuple[float, float], back: bool) -> None:
    """The lieutenant beside the strip steps back 6 inches and is not overrun again; on it he is crushed too."""
    position = table(
        squad("carrier", at=[(20, 20)], order="assault"),
        squad("levy", at=[(20, 26)], side=1, order="march", marks={"tested": 1}),
        squad("lieutenant", at=[at], side=1),
        phase="movement",
    )
    position.join(model(position, 2), unit(position, 1))
    model(position, 2).mark("unit-leader", 0)
    begin_route(unit(position, 0), "drive", "drive", {0: Path(((20, 20), (20, 40)), 0.0, (0.0, 0.0))})
    played = finish(position, "6 6", accepting=True)
    assert left(position, 1) == 0
    assert left(position, 2) == int(back)
    assert played.rolls == ["overrun"]
    assert (model(position, 2).x > 29.0) is back


# ---------------------------------------------------------------- a hidden Retreat


@covers("orders/retreat-voluntary", "vehicles/overrun-defensive-fire", "vehicles/path-assault")
@pytest.mark.parametrize(
    ("order", "may"), [("ready", True), ("fire", True), ("assault", True), ("march", False), ("retreat", False)]
)
def test_whoever_is_to_run_neither_fires_at_a_vehicle_nor_assaults_it(order: str, may: bool) -> None:
    """Otherwise a hidden Retreat would fire before it is shown."""
    position = table(squad("gun-tank", at=(20, 10)), squad("levy", 2, side=1, at=(26, 25), order=None))
    position.declare("secret-1", ((1, order),))
    assert can_fire_close(unit(position, 1)) is may
    assert may_assault_passing(unit(position, 1)) is may


# ---------------------------------------------------------------- giving ground to nobody


@covers("assault/give-ground-move", "assault/give-ground-price")
@pytest.mark.parametrize("falls", [True, False])
def test_who_was_to_give_ground_stays_if_no_assaulter_is_left(falls: bool) -> None:
    """A marker has scattered over the assaulter while another unit gave ground."""
    position = table(
        squad("scout", at=[(20, 20)], order="assault"),
        squad("levy", at=[(18, 25)], side=1),
        squad("levy", at=[(22, 25)], side=1),
        squad("scout", at=[(60, 5)]),
        phase="declarations",
    )
    position.declare("assaults", ((0, (1,)),))
    push(position, ("give-ground", 2, 0))
    if falls:
        lose_model(model(position, 0), "fire")
    played = finish(position, accepting=True)
    assert ("give-ground-to" in played.prompts) is not falls
    assert unit(position, 2).marks("gave-ground") == int(not falls)
