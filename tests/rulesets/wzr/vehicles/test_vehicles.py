"""Chapter "vehicles": locations, damage, driving by kind, what the ground does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campale.mechanics.armies.rows import Title
from campale.mechanics.frames import push
from campale.referee.position import Position
from campale.referee.refusal import first_refusal
from campale.referee.telling.teller import Teller
from campale.rulesets.wzr.abilities.index import has
from campale.rulesets.wzr.armies.profile import Blade, Fire, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.shooting.declaring import usable
from campale.rulesets.wzr.shooting.plan import plan_of
from campale.rulesets.wzr.turn.activation import model_begins, model_ends, shed_stun
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.turn.points import points_of
from campale.rulesets.wzr.vehicles import damage, driving, ground, locations
from campale.rulesets.wzr.vehicles.driving import ATTACK, BLIND, DRIVE_RESTRICTIONS, FULL, RAPID, TACTICAL, course
from campale.rulesets.wzr.vehicles.firing import torrent_fields, torrent_frames
from campale.rulesets.wzr.vehicles.kinds import KINDS
from campale.rulesets.wzr.wounds.hits import Hit, hit_frames
from tests.rulesets.wzr.kit import finish, piece, play, squad, table, vehicle

covers = pytest.mark.covers

HULL = {"tank": (3.0, 5.0), "air-tank": (3.0, 4.0), "biped": (3.0, 3.0)}


def one(kind: str = "walker", at: tuple[float, float] = (24.0, 10.0), side: int = 0, **changes: Any) -> Any:
    own = {"front": 0, "rear": -4, "av": 12, "ps": 2, "pa": 3}
    given = {name: changes.pop(name, value) for name, value in own.items()}
    base = {"hull": HULL[kind]} if kind in HULL else {"base": "large" if kind == "walker" else "medium"}
    return squad(1, side, at, vehicle=vehicle(kind, **given), **{"m": 6, **base, **changes})


def struck(position: Position, dice: str, **about: Any) -> None:
    play(damage.suffer_damage(position, Hit(target=0, **about)), dice, position=position)


# ---------------------------------------------------------------- locations and AV


@covers("vehicles/location-table", "vehicles/ps-definition", "vehicles/target-vehicle-hit")
@pytest.mark.parametrize(
    ("face", "name"),
    [(1, "pilot"), (10, "pilot"), (11, "weapons"), (14, "weapons"), (15, "drive"), (18, "drive"), (19, "engine")],
)
def test_a_d20_finds_the_location_and_a_failed_av_test_takes_one_ps(face: int, name: str) -> None:
    position = table(one())
    struck(position, f"{face} 13", avv=1)
    left = {place: locations.ps_left(position.model(0), place) for place in ("pilot", "weapons", "drive", "engine")}
    assert left == {**dict.fromkeys(left, 2), name: 1}


@covers("armour/av-test", "vehicles/av-facing", "vehicles/reroll-avv0")
@pytest.mark.parametrize(
    ("avv", "rear", "face", "left"),
    [(1, False, 11, 2), (1, False, 12, 1), (1, True, 7, 2), (1, True, 8, 1), (3, False, 9, 2), (3, False, 10, 1)],
)
def test_av_less_the_avv_of_the_hit_with_the_modifier_of_the_side(avv: int, rear: bool, face: int, left: int) -> None:
    position = table(one())
    struck(position, str(face), avv=avv, rear=rear, location="pilot")
    assert locations.ps_left(position.model(0), "pilot") == left


@covers("vehicles/reroll-avv0", "core/linked")
@pytest.mark.parametrize(
    ("avv", "linked", "dice", "left"), [(0, False, "13 12", 2), (0, False, "13 13", 1), (1, True, "12 11", 2)]
)
def test_against_avv_0_a_failed_test_is_rolled_again_once(avv: int, linked: bool, dice: str, left: int) -> None:
    position = table(one())
    struck(position, dice, avv=avv, location="pilot", linked=linked)
    assert locations.ps_left(position.model(0), "pilot") == left


@covers("core/power-shot", "core/damage-effect")
def test_a_power_shot_leaves_no_av_test() -> None:
    position = table(one())
    struck(position, "", avv=0, location="drive", power_shot=True)
    assert locations.ps_left(position.model(0), "drive") == 1


@covers("vehicles/location-destroyed", "core/critical")
@pytest.mark.parametrize(("critical", "drive", "pilot"), [(1, 1, 2), (2, 0, 2), (3, 0, 1), (9, 0, 0)])
def test_what_is_beyond_the_ps_of_a_location_falls_on_the_first(critical: int, drive: int, pilot: int) -> None:
    position = table(one())
    struck(position, "", location="drive", power_shot=True, critical=critical)
    model = position.model(0)
    assert [locations.ps_left(model, name) for name in ("drive", "pilot")] == [drive, pilot]
    assert model.is_on_table == (pilot > 0)


@covers("vehicles/location-destroyed")
def test_a_hit_on_a_destroyed_location_is_resolved_on_the_first() -> None:
    position = table(one())
    position.model(0).mark(locations.PS_LOST + "weapons", 2)
    struck(position, "12 13", avv=1)
    assert locations.ps_left(position.model(0), "pilot") == 1


@covers("vehicles/location-pilot")
def test_without_its_pilot_the_vehicle_becomes_heavy_terrain() -> None:
    position = table(one(at=(20.0, 20.0)))
    position.model(0).mark(locations.PS_LOST + "pilot", 1)
    struck(position, "", location="pilot", power_shot=True)
    assert not position.model(0).is_on_table
    assert [p.tags for p in position.ground.pieces_at(20.0, 20.0)] == [("heavy",)]


@covers("vehicles/location-weapons", "vehicles/location-drive")
def test_without_weapons_the_first_is_silent_and_without_a_drive_it_stands() -> None:
    model = table(one()).model(0)
    assert not locations.primary_is_lost(model, 0)
    assert not locations.cannot_drive(model)
    model.mark(locations.PS_LOST + "weapons", 2)
    model.mark(locations.PS_LOST + "drive", 2)
    assert locations.primary_is_lost(model, 0)
    assert not locations.primary_is_lost(model, 1)
    assert locations.cannot_drive(model)


@covers("vehicles/location-engine", "core/removal")
@pytest.mark.parametrize(
    ("radius", "dice", "lost"), [("4", "", False), ("5", "16", False), ("5", "15 12", False), ("5", "15 13", True)]
)
def test_the_engine_explodes_after_the_hits_of_the_attack(radius: str, dice: str, lost: bool) -> None:
    """A trooper 1.4 inches from its base is within 2 inches (a 5 of D20/4), not within 1; A 12 against St 10."""
    position = table(one(at=(20.0, 20.0)), squad(1, 1, (23.0, 20.0)))
    position.model(0).mark(locations.PS_LOST + "engine", 2)
    damage.destroy_location(position, position.model(0), "engine", Hit(target=0))
    assert position.model(0).is_on_table
    assert damage.explosions_due(position) == (("explosion", 0),)
    play(damage.explosion(position, 0), f"{radius} {dice.partition(' ')[0]}", position=position)
    finish(position, dice.partition(" ")[2])
    assert not position.model(0).is_on_table
    assert position.model(1).is_on_table != lost


@covers("vehicles/location-engine", "core/measuring")
@pytest.mark.parametrize(("x", "dice"), [(23.1, "4 16"), (23.2, "4")])
def test_an_explosion_is_measured_from_the_hull(x: float, dice: str) -> None:
    """The side of a Tank 3 inches wide is at 21.5; the base of a trooper is 1.2 inches across."""
    position = table(one("tank", at=(20.0, 20.0)), squad(1, 1, (x, 20.0)))
    position.model(0).mark(damage.EXPLODING, 1)
    play(damage.explosion(position, 0), dice, position=position)


@covers("vehicles/location-engine", "vehicles/location-destroyed", "core/removal")
@pytest.mark.parametrize(("critical", "hits"), [(3, 1), (4, 1), (2, 2)])
def test_nothing_spares_the_others_the_explosion_of_an_engine(critical: int, hits: int) -> None:
    """Neither the PS beyond those of the Engine nor a further hit on the Pilot: both are lost."""
    position = table(one(at=(20.0, 20.0)), squad(1, 1, (23.0, 20.0)))
    on_engine = Hit(target=0, by=1, location="engine", power_shot=True, critical=critical)
    on_pilot = Hit(target=0, by=1, location="pilot", power_shot=True, critical=2)
    push(position, *hit_frames([on_engine, on_pilot][:hits]))
    assert finish(position, "5 15 13").rolls == ["explosion-radius", "explosion", "armour"]
    assert [position.model(row).is_on_table for row in (0, 1)] == [False, False]


@covers("vehicles/location-pilot", "core/removal")
def test_a_pilot_lost_before_the_engine_is_struck_leaves_no_explosion() -> None:
    position = table(one(at=(20.0, 20.0)), squad(1, 1, (23.0, 20.0)))
    parts = [Hit(target=0, by=1, location=name, power_shot=True, critical=2) for name in ("pilot", "engine")]
    push(position, *hit_frames(parts))
    assert finish(position).rolls == []
    assert [position.model(row).is_on_table for row in (0, 1)] == [False, True]


@covers("vehicles/location-drive", "vehicles/charge")
@pytest.mark.parametrize(("lost", "bars"), [(1, False), (2, True)])
def test_without_its_drive_a_vehicle_does_not_charge(lost: int, bars: bool) -> None:
    position = table(one(blades=(Blade(id="fist", title=Title(en="Fist", it="Pugno")),)), squad(1, 1, (24.0, 18.0)))
    model = position.model(0)
    model.mark(marks.AP, 3)
    model.mark(locations.PS_LOST + "drive", lost)
    assert (cannot_take(model, "charge") is not None) is bars


@covers("vehicles/repair")
def test_ps_come_back_also_to_a_location_at_0_and_not_beyond_what_it_had() -> None:
    model = table(one()).model(0)
    model.mark(locations.PS_LOST + "drive", 2)
    locations.restore(model, "drive")
    assert locations.ps_left(model, "drive") == 1
    assert not locations.cannot_drive(model)
    locations.restore(model, "drive", 4)
    assert locations.ps_left(model, "drive") == 2


# ---------------------------------------------------------------- kinds


@covers("vehicles/bulky", "vehicles/implacable", "vehicles/types")
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_all_but_bikes_and_jetbikes_are_bulky_and_implacable(kind: str) -> None:
    model = table(one(kind)).model(0)
    is_plain = kind in ("bike", "jetbike")
    assert has(model, "bulky") is not is_plain
    assert has(model, "implacable") is not is_plain
    assert not has(model, "unmoved")


@covers("vehicles/types", "core/bases")
def test_the_least_volumes_and_every_vehicle_counts_as_large() -> None:
    bike, jetbike = table(one("bike", tall=1.0)).model(0), table(one("jetbike", tall=1.0)).model(0)
    walker, tank = table(one("walker", tall=1.0)).model(0), table(one("tank", tall=2.5)).model(0)
    assert [m.profile.height for m in (bike, jetbike, walker, tank)] == [1.5, 2.0, 1.75, 2.5]
    assert {m.profile.size for m in (bike, jetbike, walker, tank)} == {3}


# ---------------------------------------------------------------- driving


def fault(position: Position, drive: Any, points: list[list[float]], facing: float | None = None) -> str:
    refusal = first_refusal(DRIVE_RESTRICTIONS, course(position.model(0), drive, (points, facing)))
    return "" if refusal is None else refusal.rule


@covers("vehicles/tactical", "vehicles/attack-move", "vehicles/rapid-move", "vehicles/max-distance")
@pytest.mark.parametrize(("drive", "most"), [(TACTICAL, 6.0), (ATTACK, 12.0), (RAPID, 18.0), (FULL, 24.0)])
def test_so_many_times_m_and_no_more(drive: Any, most: float) -> None:
    position = table(one())
    assert fault(position, drive, [[24.0, 10.0 + most]]) == ""
    assert fault(position, drive, [[24.0, 10.1 + most]]) == "vehicles/max-distance"


@covers("vehicles/max-distance")
def test_three_times_m_in_a_turn_whatever_the_action() -> None:
    position = table(one())
    position.model(0).jot(marks.MOVED, 15.0)
    assert fault(position, ATTACK, [[24.0, 13.0]]) == ""
    assert fault(position, ATTACK, [[24.0, 13.1]]) == "vehicles/max-distance"


@covers("movement/basic")
def test_a_vehicle_drives_through_nobody_and_not_off_the_table() -> None:
    position = table(one(), one(at=(24.0, 16.0)))
    assert fault(position, ATTACK, [[24.0, 14.0]]) == ""
    assert fault(position, ATTACK, [[24.0, 14.1]]) == "movement/basic"
    assert fault(position, ATTACK, [[24.0, 20.0]]) == "movement/basic"
    position = table(one(at=(24.0, 44.0)))
    assert fault(position, ATTACK, [[24.0, 47.0]]) == ""
    assert fault(position, ATTACK, [[24.0, 47.1]]) == "movement/basic"


@covers("vehicles/rotation", "vehicles/jetbike-turn")
@pytest.mark.parametrize(("drive", "degrees"), [(TACTICAL, 45.0), (ATTACK, 90.0), (RAPID, 180.0)])
@pytest.mark.parametrize("kind", ["walker", "jetbike"])
def test_the_degrees_of_an_action_are_a_total(kind: str, drive: Any, degrees: float) -> None:
    position = table(one(kind))
    assert fault(position, drive, [[24.0, 12.0]], degrees) == ""
    if drive is not RAPID:
        assert fault(position, drive, [[24.0, 12.0]], degrees + 1.0) == "vehicles/rotation"
    assert fault(position, drive, [[24.0, 11.0], [24.5, 11.5]], degrees) == ""
    assert fault(position, drive, [[24.0, 11.0], [24.5, 11.5]], degrees + 1.0) == "vehicles/rotation"


@covers("vehicles/tank-turn")
def test_a_tank_that_stands_does_not_turn() -> None:
    assert fault(table(one("tank")), TACTICAL, [], 10.0) == "vehicles/tank-turn"
    assert fault(table(one("tank")), TACTICAL, [[24.0, 10.5]], 10.0) == ""
    assert fault(table(one("walker")), TACTICAL, [], 10.0) == ""


@covers("vehicles/air-tank-turn")
def test_an_air_tank_turns_before_its_first_inch_or_after_its_last() -> None:
    position = table(one("air-tank"))
    assert fault(position, ATTACK, [[24.0, 14.0]], 30.0) == ""
    assert fault(position, ATTACK, [[26.0, 12.0]]) == ""
    assert fault(position, ATTACK, [[26.0, 12.0]], 60.0) == "vehicles/air-tank-turn"
    assert fault(position, ATTACK, [[24.0, 12.0], [25.0, 13.0]]) == "vehicles/air-tank-turn"
    assert fault(position, ATTACK, [], 30.0) == "vehicles/air-tank-turn"


@covers("vehicles/bike-turn")
def test_a_bike_covers_an_inch_before_it_turns() -> None:
    position = table(one("bike"))
    assert fault(position, ATTACK, [[24.0, 11.0], [26.0, 13.0]]) == ""
    assert fault(position, ATTACK, [[24.0, 10.9], [26.0, 12.9]]) == "vehicles/bike-turn"
    assert fault(position, ATTACK, [[26.0, 12.0]]) == "vehicles/bike-turn"


@covers("vehicles/tactical", "vehicles/jetbike-turn")
def test_backwards_in_a_tactical_movement_and_never_for_a_jetbike() -> None:
    position = table(one("tank", at=(24.0, 20.0)))
    way = course(position.model(0), TACTICAL, ([[24.3, 14.5]], None))
    assert first_refusal(DRIVE_RESTRICTIONS, way) is None
    assert way.path.facing == 0.0
    assert way.path.points[-1][0] == 24.0
    assert fault(position, ATTACK, [[24.0, 14.5]]) == "vehicles/rotation"
    assert fault(table(one("jetbike", at=(24.0, 20.0))), TACTICAL, [[24.0, 14.5]]) == "vehicles/rotation"


@covers("vehicles/flat-out", "vehicles/flat-out-no-drive", "vehicles/flat-out-hit")
def test_flat_out_is_6_inches_more_and_a_hit_on_the_drive() -> None:
    position = table(one(m=4, at=(24.0, 10.0)))
    assert driving.flat_out(position.model(0)) == FULL
    assert driving.allowance(position.model(0), FULL) == 18.0
    play(damage.flat_out_hit(position, 0), position=position)
    finish(position, "13 13")
    assert locations.ps_left(position.model(0), "drive") == 1
    position.model(0).mark(locations.PS_LOST + "drive", 2)
    assert driving.flat_out(position.model(0)) == BLIND
    assert fault(position, BLIND, [[24.0, 16.0]]) == ""
    assert fault(position, BLIND, [[24.5, 15.0]]) == "vehicles/rotation"
    play(damage.flat_out_hit(position, 0), position=position)
    finish(position, "13 13")
    assert locations.ps_left(position.model(0), "pilot") == 1


@covers("vehicles/flat-out")
def test_flat_out_may_be_agreed_to_be_6_inches_alone() -> None:
    position = table(one(), options={"flat_out_six": True})
    assert driving.allowance(position.model(0), driving.flat_out(position.model(0))) == 6.0


@covers("vehicles/movement-one", "vehicles/location-drive", "vehicles/actions-list", "vehicles/action-once")
def test_one_movement_action_a_turn_from_the_list_of_vehicles() -> None:
    position = table(one())
    model = position.model(0)
    model.mark(marks.AP, 3)
    assert cannot_take(model, "tactical") is None
    assert cannot_take(model, "walk").rule == "vehicles/actions-list"  # type: ignore[union-attr]
    model.jot(marks.DONE, ("attack-move",))
    assert cannot_take(model, "tactical").rule == "vehicles/movement-one"  # type: ignore[union-attr]
    model.jot(marks.DONE, None)
    model.mark(locations.PS_LOST + "drive", 2)
    assert cannot_take(model, "tactical").rule == "vehicles/location-drive"  # type: ignore[union-attr]
    assert cannot_take(model, "flat-out") is None


@covers("vehicles/tank-engaged", "turn/action-points")
@pytest.mark.parametrize(("kind", "points"), [("tank", 3), ("air-tank", 3), ("walker", 1), ("bike", 1)])
def test_tanks_keep_all_their_ap_when_engaged(kind: str, points: int) -> None:
    model = table(one(kind)).model(0)
    assert points_of(model, engaged=True) == points
    assert points_of(model, engaged=False) == 3


@covers("core/stunned", "vehicles/ap-order")
def test_a_vehicle_sheds_its_stun_tokens_for_an_ap_each() -> None:
    model = table(one()).model(0)
    model.mark(marks.AP, 3)
    model.mark(marks.STUN, 2)
    shed_stun(model)
    assert (model.marks(marks.AP), model.marks(marks.STUN)) == (1, 0)
    model.mark(marks.STUN, 2)
    shed_stun(model)
    assert (model.marks(marks.AP), model.marks(marks.STUN)) == (0, 1)


@covers("vehicles/walker-turn", "vehicles/biped-turn")
@pytest.mark.parametrize(("kind", "most"), [("walker", 90), ("biped", 45)])
def test_walkers_and_bipeds_pivot_free_as_they_are_activated(kind: str, most: int) -> None:
    position = table(one(kind))
    play(driving.pivot(position, 0), answers=[-most], position=position)
    assert position.model(0).facing == 360.0 - most
    with pytest.raises(AssertionError, match="refuses"):
        play(driving.pivot(position, 0), answers=[most + 1], position=position)


@covers("vehicles/walker-turn")
def test_a_hull_turns_no_farther_than_there_is_room() -> None:
    """2 by 4 inches, and somebody by its right front corner."""
    position = table(one("biped", hull=(2.0, 4.0)), squad(side=1, at=(25.8, 12.0)))
    with pytest.raises(AssertionError, match="refuses"):
        play(driving.pivot(position, 0), answers=[20], position=position)
    play(driving.pivot(position, 0), answers=[-45], position=position)
    assert position.model(0).facing == 315.0


@covers("vehicles/biped-turn", "movement/no-accidental-engagement", "close-combat/disengage-definition")
@pytest.mark.parametrize(
    ("facing", "apart", "is_free"), [(0.0, 4.4, False), (0.0, 4.8, True), (45.0, 4.6, False), (45.0, 3.9, True)]
)
def test_a_pivot_brings_nobody_into_an_engagement_or_out_of_it(facing: float, apart: float, is_free: bool) -> None:
    """A hull of 3 by 3 inches reaches 2 inches: 4.1 from its middle to that of the base ahead, or 4.72 at a corner."""
    position = table(one("biped", at=(20.0, 20.0), facing=facing), squad(1, 1, (20.0, 20.0 + apart)))
    assert (driving.most_free(position.model(0), 1 if facing == 0.0 else -1, 45) == 45) is is_free


def test_others_are_not_asked_to_pivot_and_none_without_a_drive() -> None:
    for kind in ("tank", "air-tank", "bike", "jetbike"):
        assert play(driving.pivot(table(one(kind)), 0)).prompts == []
    position = table(one())
    position.model(0).mark(locations.PS_LOST + "drive", 2)
    assert play(driving.pivot(position, 0)).prompts == []


# ---------------------------------------------------------------- the ground

LIGHT, HEAVY = {"tags": ("light",), "name": "scrub"}, {"tags": ("heavy",), "name": "wood"}


@covers(
    "vehicles/terrain-walker-light",
    "vehicles/terrain-walker-heavy",
    "vehicles/terrain-biped",
    "vehicles/terrain-tank",
    "vehicles/terrain-air-tank",
    "vehicles/terrain-bike",
    "vehicles/terrain-jetbike",
)
@pytest.mark.parametrize(
    ("kind", "light", "heavy"),
    [
        ("walker", (0, 2, False), (2, 4, False)),
        ("biped", (0, None, False), (0, 2, True)),
        ("tank", (0, None, False), (0, 2, True)),
        ("air-tank", (0, None, False), (2, None, False)),
        ("bike", (0, None, False), (2, 4, False)),
        ("jetbike", (0, None, False), (2, None, False)),
    ],
)
def test_what_light_and_heavy_ground_do_to_each_kind(kind: str, light: Any, heavy: Any) -> None:
    for of, told in ((LIGHT, light), (HEAVY, heavy)):
        position = table(one(kind), pieces=[piece((22.0, 13.0), (4.0, 2.0), **of)])  # type: ignore[arg-type]
        way = course(position.model(0), ATTACK, ([[24.0, 17.0]], None)).path
        assert tuple(ground.going_over(position.model(0), way)) == told
    clear = table(one(kind))
    assert tuple(ground.going_over(clear.model(0), way)) == (0.0, None, False)


@covers("vehicles/terrain-walker-light", "vehicles/terrain-walker-heavy", "movement/obstacles")
def test_a_low_wall_is_light_ground_to_a_vehicle_whatever_it_is_made_of() -> None:
    low = piece((20.0, 13.0), (8.0, 0.5), ("heavy", "solid", "linear", "row-wall"), 1.0)
    position = table(one(), pieces=[low])
    way = course(position.model(0), ATTACK, ([[24.0, 17.0]], None)).path
    assert tuple(ground.going_over(position.model(0), way)) == (0, 2, False)


@covers("vehicles/terrain-walker-heavy", "vehicles/profile-m")
def test_heavy_ground_takes_2_inches_of_the_action_and_never_leaves_less_than_2() -> None:
    wood = piece((22.0, 12.0), (4.0, 2.0), **HEAVY)  # type: ignore[arg-type]
    position = table(one(), pieces=[wood])
    assert fault(position, ATTACK, [[24.0, 20.0]]) == ""
    assert fault(position, ATTACK, [[24.0, 20.1]]) == "vehicles/max-distance"
    slow = table(one(m=3), pieces=[wood])
    assert fault(slow, TACTICAL, [[24.0, 12.0]]) == ""
    assert fault(slow, TACTICAL, [[24.0, 12.1]]) == "vehicles/max-distance"


@covers("vehicles/terrain-front", "vehicles/terrain-walker-light")
@pytest.mark.parametrize(("face", "left"), [("10", 2), ("11", 1)])
def test_a_walker_tests_its_legs_at_avv_2_after_light_ground(face: str, left: int) -> None:
    position = table(one(), pieces=[piece((22.0, 13.0), (4.0, 2.0), **LIGHT)])  # type: ignore[arg-type]
    play(driving.drive(position, "attack-move", 0, ((24.0, 18.0),), None), position=position)
    assert position.model(0).at == (24.0, 18.0)
    assert position.model(0).note(marks.MOVED) == 8.0
    finish(position, face)
    assert locations.ps_left(position.model(0), "drive") == left


@covers("vehicles/terrain-walker-light", "movement/obstacles")
@pytest.mark.parametrize(("height", "avv"), [(1.0, 2), (0.5, 2)])
def test_a_low_obstacle_is_light_ground_to_a_walker_too(height: float, avv: int) -> None:
    wall = piece((22.0, 13.0), (4.0, 0.5), ("solid", "linear"), height, name="wall")
    position = table(one(), pieces=[wall])
    way = course(position.model(0), ATTACK, ([[24.0, 17.0]], None)).path
    assert ground.going_over(position.model(0), way).avv == avv


@covers("vehicles/terrain-biped", "core/linked")
def test_the_test_of_a_biped_in_heavy_ground_is_linked() -> None:
    position = table(one("biped"), pieces=[piece((22.0, 14.0), (4.0, 1.0), **HEAVY)])  # type: ignore[arg-type]
    play(driving.drive(position, "attack-move", 0, ((24.0, 18.0),), None), position=position)
    finish(position, "11 10")
    assert locations.ps_left(position.model(0), "drive") == 2


# ---------------------------------------------------------------- vehicles/jetbike-minimum


@covers("vehicles/jetbike-minimum")
@pytest.mark.parametrize(("gone", "engaged", "dice"), [(3.0, 0, ""), (2.9, 0, "3"), (0.0, 1, "")])
def test_a_jetbike_moves_half_its_m_or_is_struck_on_its_body(gone: float, engaged: int, dice: str) -> None:
    """AVV 10 against AV 12: on a 3 the Body loses one."""
    position = table(one("jetbike"))
    model = position.model(0)
    model.jot(marks.MOVED, gone)
    model.mark(marks.BEGAN_ENGAGED, engaged)
    play(model_ends(position, 0), position=position)
    finish(position, dice)
    assert locations.ps_left(model, "pilot") == (1 if dice else 2)


def test_a_vehicle_begins_with_its_pa_and_its_pivot() -> None:
    position = table(one(pa=4))
    play(model_begins(position, 0), position=position)
    assert position.model(0).marks(marks.AP) == 4
    finish(position, answers=[0])


# ---------------------------------------------------------------- Fire! and Torrent of Fire!


def gun(id: str, **fire: Any) -> Weapon:
    title = Title(id, id)
    return Weapon(id=id, title=title, kind="automatic", fires=(Fire(**{"range": 24.0, "st": 12, **fire}),))


def armed(*more: Any, targets: Any = ((22.0, 22.0), (26.0, 22.0)), weapons: Any = None, **changes: Any) -> Position:
    weapons = weapons or (gun("cannon", rof=1), gun("hmg", rof=2))
    position = table(one(weapons=weapons, rs=12, **changes), *(squad(1, 1, at) for at in targets), *more)
    position.model(0).mark(marks.AP, 3)
    return position


@covers("vehicles/fire", "vehicles/fire-one", "vehicles/torrent")
def test_one_fire_action_a_turn_with_one_weapon_or_with_all() -> None:
    model = armed().model(0)
    assert cannot_take(model, "fire") is None
    assert cannot_take(model, "torrent") is None
    assert cannot_take(model, "shoot").rule == "vehicles/actions-list"  # type: ignore[union-attr]
    for done in ("fire", "torrent"):
        model.jot(marks.DONE, (done,))
        for name in ("fire", "torrent"):
            assert cannot_take(model, name) is not None
    assert cannot_take(armed(weapons=(gun("cannon"),)).model(0), "torrent") is not None


@covers("vehicles/torrent", "vehicles/shoot-targets", "shooting/target-priority")
def test_each_weapon_of_a_torrent_has_its_own_primary_target_named_before_any_die() -> None:
    """Each misses on 13 and hits on 12; A 12 against St 12 is passed on 10."""
    position = armed(targets=((22.0, 22.0), (26.0, 22.0)))
    details = [1, 2, 2]
    frames = torrent_frames(position.model(0), details)
    assert [(one[2], one[4]) for one in frames[:-1]] == [("cannon", (1,)), ("hmg", (2, 2))]
    push(position, *frames)
    assert finish(position, "12 | 13 12 | 11 | 10").rolls == ["to-hit", "to-hit", "armour", "armour"]
    assert [position.model(row).is_on_table for row in (1, 2)] == [False, True]


@covers("actions/aim", "vehicles/torrent")
def test_aim_goes_to_one_weapon_of_the_vehicle() -> None:
    position = armed(targets=((24.0, 22.0),))
    position.model(0).mark(marks.AIMED, 1)
    question = torrent_fields(position.model(0), [])
    assert question is not None
    assert (question.prompt, question.options()) == ("aimed-weapon", [0, 1])
    teller = Teller(position.ruleset, "en", position.names, position.unit_names, (), position.profiles)
    assert [teller.option(question, one) for one in (0, 1)] == ["cannon", "hmg"]
    assert teller.question(question).endswith("which weapon has the benefit of the Aim?")
    frames = torrent_frames(position.model(0), [1, 1, 1, 1])
    assert [plan_of(one[1:]).aimed for one in frames[:-1]] == [False, True]


@covers("vehicles/location-weapons", "vehicles/fire")
def test_without_its_weapons_the_primary_one_does_not_fire() -> None:
    position = armed()
    position.model(0).mark(locations.PS_LOST + "weapons", 2)
    assert [one.key for one in usable(position.model(0), "shoot")] == ["hmg"]
    assert cannot_take(position.model(0), "torrent") is not None


@covers("vehicles/turrets", "vehicles/shoot-measuring")
def test_a_turret_fires_all_round_and_other_weapons_into_the_front() -> None:
    position = armed(targets=((24.0, 4.0),), at=(24.0, 20.0))
    assert usable(position.model(0), "shoot") == []
    turreted = replace(position.model(0).profile, vehicle=replace(vehicle(), turret=("cannon",)))
    position = table(squad(1, 0, (24.0, 20.0), of=[]), squad(1, 1, (24.0, 4.0)))
    position.profiles[0] = turreted
    position.forget()
    assert [one.key for one in usable(position.model(0), "shoot")] == ["cannon"]


@covers("vehicles/location-engine", "abilities/berserk-trigger", "core/removal")
@pytest.mark.parametrize(("location", "rolls"), [("engine", ["explosion-radius", "berserk"]), ("drive", [])])
def test_whoever_strikes_the_engine_has_eliminated_the_vehicle_after_its_explosion(
    location: str, rolls: list[str]
) -> None:
    position = table(one(at=(20.0, 20.0)), squad(1, 1, (30.0, 20.0), abilities=("berserk",)))
    push(position, *hit_frames([Hit(target=0, by=1, location=location, power_shot=True, critical=2)]))
    assert finish(position, "4 15" if rolls else "").rolls == rolls
    assert (position.model(0).is_on_table, position.model(1).marks(marks.BERSERK)) == (not rolls, int(bool(rolls)))


@covers("vehicles/location-engine", "core/removal")
@pytest.mark.parametrize(("dice", "radii"), [("5 15 19 20 20 20", 2), ("5 15 15 20 20", 1)])
def test_a_vehicle_whose_explosion_sets_off_another_one_is_not_struck_by_it(dice: str, radii: int) -> None:
    """The first explosion strikes the other's Engine or Drive; that of the other one finds nobody to strike."""
    position = table(one(at=(20.0, 20.0)), one(at=(23.0, 20.0), side=1))
    for name in ("engine", "drive"):
        position.model(1).mark(locations.PS_LOST + name, 1)
    push(position, *hit_frames([Hit(target=0, by=1, location="engine", power_shot=True, critical=2)]))
    played = finish(position, dice)
    assert (played.rolls.count("explosion-radius"), played.rolls.count("explosion")) == (radii, 1)
    assert [m.is_on_table for m in position.models] == [False, radii == 1]


@covers("vehicles/location-engine", "core/simultaneous", "core/removal")
@pytest.mark.parametrize(("active", "asked"), [(0, 0), (1, 1), (None, 1)])
def test_the_side_whose_squad_is_active_orders_the_explosions(active: int | None, asked: int) -> None:
    """Two Engines fall to one attack; without an activation the side with the initiative orders them."""
    position = table(one(at=(10.0, 20.0)), one(at=(30.0, 20.0), side=1), initiative=1)
    push(position, *(() if active is None else (("squad-ends", active),)))
    lost = [Hit(target=row, by=1 - row, location="engine", power_shot=True, critical=2) for row in (0, 1)]
    push(position, *hit_frames(lost))
    played = finish(position, "1 1", [[1, 0]])
    assert played.prompts == ["explosion-order"]
    assert played.questions[0].side == asked
    assert [event.values["model"] for event in played.events if event.kind == "explosion"] == [1, 0]


@covers("vehicles/location-engine", "core/simultaneous")
def test_one_explosion_alone_has_no_order() -> None:
    position = table(one(at=(10.0, 20.0)), one(at=(30.0, 20.0), side=1))
    push(position, *hit_frames([Hit(target=0, by=1, location="engine", power_shot=True, critical=2)]))
    assert finish(position, "1").prompts == []


@covers("vehicles/location-engine", "squads/substitute", "morale/rout-trigger")
def test_a_squad_names_a_substitute_for_a_commander_whose_vehicle_has_exploded() -> None:
    bikes = squad(2, 0, [(20.0, 20.0), (30.0, 20.0)], vehicle=vehicle("bike"), base="medium")
    position = table(bikes, squad(1, 1, (40.0, 20.0)))
    push(position, *hit_frames([Hit(target=0, by=2, location="engine", power_shot=True, critical=2)]))
    finish(position, "4")
    assert position.model(1).marks(marks.SUBSTITUTE) == 1
    assert position.model(1).unit.note(marks.LOST) == (1, 0)
