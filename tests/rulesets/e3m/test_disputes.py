"""Cases that players dispute: the edge of range, gaps in sight, moves that fire ends, overruns, crews aboard."""

from __future__ import annotations

import pytest

from campale.mechanics.frames import DOING, stack
from campale.referee.position import Position
from campale.rulesets.e3m.armies.picking import army_lists
from campale.rulesets.e3m.command.groups import is_in_command
from campale.rulesets.e3m.command.halt import force_to_halt
from campale.rulesets.e3m.command.special_models import attach_or_detach
from campale.rulesets.e3m.command.units import LEADS, PREPARED, unit_leader
from campale.rulesets.e3m.fire.area import Aimed, area_refusal, arms_of, locked
from campale.rulesets.e3m.fire.declaring import targets_of
from campale.rulesets.e3m.fire.kinds import DEFENSIVE, OPPORTUNITY
from campale.rulesets.e3m.fire.volley import fire
from campale.rulesets.e3m.fire.wounds import cover_of
from campale.rulesets.e3m.morale.morale import has_rallied
from campale.rulesets.e3m.movement.routes import Route, cannot_fire_at, firing_lengths, packed, stand_at
from campale.rulesets.e3m.vehicles.overrun import overrun, overrun_end, victims_of
from campale.rulesets.e3m.vehicles.passengers import can_get_out
from campale.rulesets.e3m.vehicles.path_assault import options_for, strike_riders
from campale.table.paths import Path
from tests.rulesets.e3m.kit import finish, model, piece, play, squad, table, unit

covers = pytest.mark.covers


def driving(row: int, *points: tuple[float, float], done: float = 0.0, met: tuple[str, ...] = ()) -> Route:
    return Route(row, "drive", "drive", (packed(row, Path(points, 0.0)),), done, 0, met)


# ---------------------------------------------------------------- who can be fired at


@covers("fire/area-hittable", "fire/area-centre", "turn/eligible-elements")
@pytest.mark.parametrize(("y", "is_target"), [(34.9, True), (35.1, False)])
def test_a_target_of_which_only_the_edge_is_in_range_can_be_fired_at(y: float, is_target: bool) -> None:
    """The centre of the area lies at full range, 24 inches, and its circle reaches the centre of the target."""
    position = table(squad("line-warden", at=(20, 10)), squad("brawler", side=1, at=(20, y)))
    assert ("area" in targets_of(unit(position, 0), OPPORTUNITY, ())) is is_target
    arms = tuple(arms_of(model(position, 0), OPPORTUNITY))
    assert (area_refusal(Aimed(position, arms, (20, 34.45, 1.0), ())) is None) is is_target


@covers("fire/area-hittable", "fire/vehicle-sight", "turn/eligible-elements")
def test_a_bike_of_which_only_the_end_is_in_sight_can_be_fired_at() -> None:
    position = table(
        squad("line-warden", at=(20, 10)),
        squad("road-rider", side=1, at=(25.3, 30), facing=90),
        pieces=[piece("building", 27, 26, size=(5, 4))],
    )
    assert "area" in targets_of(unit(position, 0), OPPORTUNITY, ())


@covers("fire/opportunity-windows", "fire/opportunity-vehicle-stop", "fire/vehicle-sight", "base-general/line-of-sight")
def test_a_vehicle_that_passes_a_narrow_gap_can_be_fired_at_there() -> None:
    position = table(
        squad("clan-buggy", side=1, at=(5, 30), facing=90),
        squad("line-warden", at=(30.75, 8), order="ready", special=["beam-cannon"]),
        pieces=[piece("building", 15, 20, size=(30, 2)), piece("building", 51.5, 20, size=(40, 2))],
        phase="movement",
    )
    route = driving(0, (5, 30), (67, 30))
    found = firing_lengths(position, route, 62.0, 62.0, 1)
    assert found
    assert all(cannot_fire_at(position, route, 62.0, 1, length) is None for length in found)


@covers("terrain/in-cover", "base-shoot/cover-save", "base-weapons/ordnance")
def test_a_model_in_ruins_has_cover_from_a_marker_that_scatters_over_it_unseen() -> None:
    position = table(
        squad("siege-tank", at=(20, 8)),
        squad("brawler", side=1, at=(20, 40)),
        pieces=[piece("building", 20, 20), piece("ruin", 20, 40)],
    )
    assert cover_of([model(position, 0)], model(position, 1)) == 4


@covers("fire/reduced-strength", "fire/heavy-weapon-target")
def test_heavy_weapons_at_a_vehicle_are_halved_together() -> None:
    """Two missile launchers have one shot between them; those in the area count too."""
    position = table(
        squad("line-warden", 4, at=(20, 10), special=["missile-launcher"] * 2, marks={"stood": 1}),
        squad("brawler", side=1, at=(20, 15), order="assault"),
        squad("clan-buggy", side=1, at=(40, 10)),
        phase="defensive",
    )
    answers = ["area", [0, 1], "vehicle", "vehicle", [20, 15, 1]]
    played = play(fire(unit(position, 0), DEFENSIVE, (1,)), "1 | 1 1", [answers], position)
    assert played.rolls == ["to-hit", "to-hit"]
    answers = ["area", [0, 1], "vehicle", "area", [20, 15, 1]]
    played = play(fire(unit(position, 0), DEFENSIVE, (1,)), "1 | 1 1", [answers], position)
    assert played.rolls == ["to-hit", "to-hit"]


# ---------------------------------------------------------------- moves that fire ends


@covers("base-move/dangerous-terrain", "fire/opportunity-aftermath")
@pytest.mark.parametrize(("done", "dice"), [(10.0, "1"), (4.0, "")])
def test_a_jetbike_that_is_halted_over_a_wood_has_ended_its_move_there(done: float, dice: str) -> None:
    position = table(squad("jetbike", at=(20, 10)), squad("brawler", side=1), pieces=[piece("wood", 20, 20)])
    route = driving(0, (20, 10), (20, 40), done=done)._replace(was_stopped=1)
    stand_at(position, route, done / 30.0)
    position.declare(DOING, (route.frame,))
    force_to_halt(unit(position, 0))
    finish(position, dice)
    assert model(position, 0).is_on_table is not bool(dice)


# ---------------------------------------------------------------- overruns


@covers("vehicles/overrun-who", "vehicles/overrun-contact", "vehicles/flying-obstacles")
def test_a_flyer_does_not_overrun_a_unit_in_cover_together_with_one_in_the_open() -> None:
    position = table(
        squad("skimmer", at=(20, 10)),
        *(squad("brawler", side=1, at=(20, y)) for y in (24, 28)),
        pieces=[piece("wood", 20, 31, size=(8, 8))],
        phase="movement",
    )
    route = driving(0, (20, 10), (20, 42), done=11.5, met=("overrun:1",))
    assert victims_of(position, unit(position, 0), route, 1) == [1]


def in_the_way() -> Position:
    return table(
        squad("carrier", at=(20, 10)),
        squad("brawler", 2, side=1, at=(20, 20)),
        squad("scrapper", 1, side=1, at=(20, 24)),
        phase="movement",
    )


@covers("vehicles/overrun-continue")
def test_models_that_fire_has_stopped_in_the_way_step_aside() -> None:
    position = in_the_way()
    route = driving(0, (20, 10), (20, 40), done=5.5, met=("overrun:1",))
    position.declare(DOING, (route.frame,))
    play(overrun_end(position, 0), answers=["on"])
    assert all(abs(model(position, row).x - 20) > 2.5 for row in (1, 2))


@covers("vehicles/overrun-continue", "vehicles/overrun-contact")
def test_units_that_are_overrun_together_are_not_overrun_again() -> None:
    position = in_the_way()
    route = driving(0, (20, 10), (20, 40), done=5.5, met=("overrun:1",))
    position.declare(DOING, (route.frame,))
    play(overrun(position, 0, 1, *route))
    assert next(Route(*frame[1:]) for frame in stack(position) if frame[0] == "route").met == ("overrun:1", "overrun:2")
    assert victims_of(position, unit(position, 0), route._replace(met=("overrun:1", "overrun:2")), 1) == [1]


@covers("fire/area-friends", "vehicles/overrun-who", "vehicles/overrun-defensive-fire")
@pytest.mark.parametrize(("phase", "free"), [("movement", True), ("melees", False)])
def test_by_option_the_contact_of_an_overrun_by_bikes_protects_nobody(phase: str, free: bool) -> None:
    bikes, mob = squad("biker", at=(20, 10)), squad("scrapper", side=1, at=(20, 11.5))
    position = table(bikes, mob, options={"light_overrun": True}, phase=phase)
    assert (locked(position) == frozenset()) is free


@covers("vehicles/path-assault-resolution", "base-weapons/close-combat")
@pytest.mark.parametrize(("dice", "lost"), [("6 1", True), ("4 1 | 1", False), ("4 1 | 5 | 1", True)])
def test_rending_claws_rend_riders_that_pass(dice: str, lost: bool) -> None:
    """A to-hit roll of 6 wounds, and no armour helps."""
    position = table(squad("biker", at=(20, 8)), squad("render", side=1, at=(20, 12)), phase="movement")
    route = driving(0, (20, 8), (20, 20))
    play(strike_riders(position, [(model(position, 1), "strike")], unit(position, 0), route), dice)
    assert model(position, 0).is_on_table is not lost


@covers("vehicles/path-assault-resolution", "base-weapons/blast")
@pytest.mark.parametrize(("passing", "shoots"), [("clan-truck", True), ("biker", False)])
def test_a_bile_thrower_may_shoot_at_a_passing_truck(passing: str, shoots: bool) -> None:
    position = table(squad(passing, at=(20, 8)), squad("brood-captain", side=1, at=(20, 16)), phase="movement")
    assert ("shoot" in options_for([model(position, 1)], unit(position, 0))) is shoots


# ---------------------------------------------------------------- command, crews, purchases


@covers("hierarchy/group-leader", "hierarchy/in-command", "hierarchy/attach-detach")
def test_the_unit_that_a_leader_of_another_group_has_joined_is_in_command() -> None:
    position = table(
        squad("champion", at=(10, 10), group=1, models={LEADS: 1}),
        squad("scrapper", at=(60, 40), group=2, models={LEADS: 2}),
        squad("scrapper", 2, at=(10, 12), group=2),
    )
    assert not is_in_command(unit(position, 2))
    position.join(model(position, 0), unit(position, 2))
    assert is_in_command(unit(position, 2))


@covers("hierarchy/unit-leader", "hierarchy/attach-detach")
def test_a_unit_keeps_its_unit_leader_when_somebody_joins_it() -> None:
    position = table(squad("captain", at=(10, 10)), squad("scout", 2, at=(10, 12)), phase="command")
    play(attach_or_detach(position, 0), answers=[1])
    leader = unit_leader(unit(position, 1))
    assert leader is not None
    assert leader.row == 1
    play(attach_or_detach(position, 0), answers=["leave"])
    alone = unit_leader(unit(position, 0))
    assert alone is not None
    assert alone.row == 0


@covers("orders/fire-heavy-weapons-stay", "vehicles/disembark", "base-vehicle/open-topped")
@pytest.mark.parametrize(("weapon", "fired", "may"), [("scatter-beamer", 1, False), ("scatter-beamer", 0, True)])
def test_who_has_fired_from_a_vehicle_with_heavy_weapons_stays_aboard(weapon: str, fired: int, may: bool) -> None:
    position = table(
        squad("long-skiff", at=(36, 20)),
        squad("deckhand", 3, aboard=0, special=[weapon], marks={PREPARED: fired}),
        squad("brawler", side=1, at=(36, 44)),
    )
    assert can_get_out(unit(position, 1)) is may


@covers("armies/list-format")
def test_grenades_are_offered_to_infantry_of_the_lists_that_sell_them() -> None:
    offered = {of.id: {kind.id for kind in of.kinds if "equipment" in str(kind.fields)} for of in army_lists()}
    assert offered["burrow-brood"] == set()
    assert "leaper" in offered["citadel-wardens"]
    assert "biker" not in offered["citadel-wardens"]


@covers("hierarchy/leader-loss", "sequence/rally-success")
def test_a_leader_who_rallies_in_a_unit_of_another_group_takes_his_own_group_back() -> None:
    position = table(
        squad("scrapper", 2, at=(10, 12), order="retreat", group=2),
        squad("scrapper", at=(20, 12), group=1, models={LEADS: 1}),
        squad("champion", at=(10, 10), group=1, models={LEADS: 1}),
    )
    position.join(model(position, 3), unit(position, 0))
    has_rallied(unit(position, 0))
    assert [m.row for m in position.models if m.marks(LEADS)] == [3]
